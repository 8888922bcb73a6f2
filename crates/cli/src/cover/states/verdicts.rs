//! Verdicts on the properties, as `propcov check` has them, and the checker that found them.

use crate::cover::arguments::CoverArguments;
use crate::input::Input;
use crate::progress::Progress;
use crate::report::Verdicts;
use propcov_coverage::ctl::Prepared;
use propcov_engine::{Config, Limits};
use propcov_ir::{CtlVerdict, Demonstration, PropertyId, Step, UnknownReason, Verdict};
use propcov_symbolic::Checker;
use propcov_verify::{Answer, Decided, Options, PanicLog, Verifier};

/// Decides the properties on the prepared system.
pub(crate) fn decide<'a, 'p>(
    input: &'a Input,
    prepared: &'p Prepared,
    properties: &[PropertyId],
    limits: &Limits,
    arguments: &CoverArguments,
    progress: &'p Progress,
    panics: &'p PanicLog,
) -> (Verdicts<'a>, Result<Checker<'p>, UnknownReason>) {
    let options = Options {
        config: Config { seed: arguments.effort.seed, simple_path: false },
        with_counts: arguments.stats,
        ..Options::default()
    };
    let inspector = Verifier::new(&input.design.system, options.clone(), limits.clone(), progress);
    let inspection = inspector.with_panics(panics.clone()).inspect(properties);
    let verifier =
        Verifier::new(prepared.system(), options, limits.clone(), progress).with_panics(panics.clone());
    let Decided { verdicts, checker } = verifier.decide_about(prepared.subject(), properties, &mut |_| ());
    let propcov_verify::Verdicts { mut outcomes, symbolic, .. } = verdicts;
    for outcome in &mut outcomes {
        hide_inputs(&mut outcome.answer, prepared.own_inputs());
    }
    let verdicts =
        Verdicts { path: &input.path, design: &input.design, inspection, outcomes, symbolic, seconds: 0.0 };
    (verdicts, checker)
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
        Answer::Invariant(_) | Answer::Ctl(_) => {}
    }
}
