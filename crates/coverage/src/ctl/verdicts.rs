//! Verdicts on the properties, as `propcov check` has them, and the checker that found them.

use super::study::Study;
use propcov_ir::{CtlVerdict, Demonstration, LivenessVerdict, Step, UnknownReason, Verdict};
use propcov_symbolic::Checker;
use propcov_verify::{Answer, Decided, Inspection, Verdicts, Verifier};

/// What came of the properties.
pub(super) type Decisions<'s> = (Inspection, Verdicts, Result<Checker<'s>, UnknownReason>);

/// Decides the properties on the prepared system; the sanity check is about the system as it is.
pub(super) fn decide<'s>(study: &Study<'s>) -> Decisions<'s> {
    let verifier = |system| {
        Verifier::new(system, study.options.clone(), study.limits.clone(), study.progress)
            .with_panics(study.panics.clone())
            .with_known(study.known)
    };
    let properties = study.question.properties;
    let inspection = verifier(study.system).inspect(properties);
    let Decided { mut verdicts, checker } =
        verifier(study.prepared.system()).decide_about(study.prepared.subject(), properties, &mut |_| ());
    for outcome in &mut verdicts.outcomes {
        hide_inputs(&mut outcome.answer, study.prepared.own_inputs());
    }
    (inspection, verdicts, checker)
}

/// The prepared system has more inputs than the user knows of, after all others.
fn hide_inputs(answer: &mut Answer, own: usize) {
    let hide = |steps: &mut Vec<Step>| steps.iter_mut().for_each(|step| step.inputs.truncate(own));
    match answer {
        Answer::Invariant(Verdict::Falsified(trace)) | Answer::Stray(_, trace) => hide(&mut trace.steps),
        Answer::Ctl(CtlVerdict::Holds(Some(shown)) | CtlVerdict::Fails(Some(shown))) => {
            let mut open: Vec<&mut Demonstration> = vec![shown];
            while let Some(shown) = open.pop() {
                hide(&mut shown.steps);
                open.extend(shown.branches.iter_mut().map(|(_, branch)| branch));
            }
        }
        Answer::Liveness(LivenessVerdict::Fails(lasso)) => hide(&mut lasso.trace.steps),
        Answer::Invariant(_) | Answer::Ctl(_) | Answer::Liveness(_) => {}
    }
}
