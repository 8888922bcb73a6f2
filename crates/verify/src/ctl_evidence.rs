//! What stands behind an answer about a CTL property, and whether the independent checker agrees with it.
//!
//! There are four ways. A run that shows the answer is replayed. A proof of `AG p` is the set of reachable states: an invariant, which is
//! checked like any other. For all else the sets of states are written down with their ranks, and checked by SAT. Where they are too large, or there is compassion,
//! it is decided once more state by state, where there are few enough. What none of them can
//! confirm is reported as not certified; what one of them refutes is a bug, and not reported as an answer.

use crate::answer::Answer;
use crate::ctl_proof::ctl_proof;
use crate::limits::{budget, part_of_time, stopped, until};
use crate::outcome::Outcome;
use crate::verifier::Verifier;
use propcov_budget::Budget;
use propcov_certify::{Claim, ExplicitLimits, Rejection};
use propcov_engine::Limits;
use propcov_ir::{CtlVerdict, Edits, Proof, PropertyId, UnknownReason, Verdict};
use propcov_symbolic::Checker;
use std::time::{Duration, Instant};

/// The most conflicts of a query about the reachable states.
pub(crate) const CONFLICTS: u64 = 10_000;

/// Sets of states are written down and checked for as long as deciding took, and so much longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most states and transitions that are listed: a second or two of work.
const LISTED: ExplicitLimits = ExplicitLimits { states: 20_000, edges: 40_000 };

/// How much there is to list.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Reachable states.
    pub states: usize,
    /// Transitions between them.
    pub transitions: usize,
}

impl Size {
    /// As the decision diagrams have it; `None` if it is too large to tell.
    pub fn of(checker: &Checker<'_>) -> Option<Size> {
        let states =
            usize::try_from(checker.reachable_count()).ok().filter(|states| *states <= LISTED.states)?;
        let transitions = usize::try_from(checker.transition_count().ok()??).ok()?;
        Some(Size { states, transitions })
    }
}

/// What came of one of the ways.
enum Check {
    /// The checker agrees.
    Accepted,
    /// It cannot tell.
    Open,
    /// It disagrees.
    Refuted(String),
}

/// Certifies an answer about one property.
pub(crate) struct Certifier<'r, 'a> {
    pub(crate) verifier: &'r Verifier<'a>,
    pub(crate) property: PropertyId,
}

impl Certifier<'_, '_> {
    /// The answer, and whether the run that came with it certifies it.
    pub(crate) fn certify(&self, answer: Answer) -> (Answer, bool) {
        let check = match &answer {
            Answer::Ctl(verdict @ (CtlVerdict::Holds(Some(_)) | CtlVerdict::Fails(Some(_)))) => {
                self.runs(verdict)
            }
            Answer::Ctl(_) | Answer::Invariant(_) | Answer::Liveness(_) | Answer::Stray(..) => Check::Open,
        };
        match check {
            Check::Accepted => (answer, true),
            Check::Open => (answer, false),
            Check::Refuted(why) => (Answer::unknown(UnknownReason::NotCertified(why)), false),
        }
    }

    /// Whether runs show all of the verdict. Some of it they may not be able to show: what is so on all paths, or in other initial states.
    fn runs(&self, verdict: &CtlVerdict) -> Check {
        let (edits, budget) = (Edits::none(), budget(&self.verifier.limits));
        let system = self.verifier.system;
        match propcov_certify::check_demonstration(system, &edits, self.property, verdict, &budget) {
            Ok(evidence) if evidence.is_complete() => Check::Accepted,
            Ok(_) | Err(Rejection::Undecided | Rejection::Unsupported(_)) => Check::Open,
            Err(rejection) => Check::Refuted(rejection.to_string()),
        }
    }
}

/// When sets of states are no longer written down and checked, where deciding took so long.
pub(crate) fn end(verifier: &Verifier<'_>, deciding: Duration) -> Instant {
    let end = Instant::now() + deciding + PATIENCE;
    verifier.limits.deadline.map_or(end, |deadline| deadline.min(end))
}

/// Why a check that has rejected nothing was not finished, in a few words.
pub(crate) fn unfinished(rejection: &Rejection, budget: &Budget) -> String {
    match (rejection, budget.stop()) {
        (Rejection::Undecided, Some(stop)) => UnknownReason::from(stop).to_string(),
        (Rejection::Undecided, None) => "checking it takes too many conflicts".to_owned(),
        (Rejection::Unsupported(what), _) => format!("{what} cannot be checked"),
        (other, _) => other.to_string(),
    }
}

/// Certifies answers that `AG p` holds by the reachable states: one invariant for all of them. Half of the time is kept back for sets of states.
pub(crate) fn reachable_states(
    verifier: &Verifier<'_>,
    outcomes: &mut [Outcome],
    checker: &Checker<'_>,
    end: Instant,
) {
    let clock = Instant::now();
    let half = part_of_time(&until(&verifier.limits, Some(end)), 1, 2);
    let asked = open_invariants(verifier, outcomes);
    if !asked.is_empty() {
        by_reachable_states(verifier, outcomes, &asked, checker, half);
    }
    // It was one invariant for all of them.
    let seconds = clock.elapsed().as_secs_f64() / asked.len().max(1) as f64;
    for outcome in outcomes.iter_mut().filter(|outcome| asked.contains(&outcome.property)) {
        outcome.seconds += seconds;
        outcome.certify_seconds += seconds;
    }
}

/// The properties `AG p` that hold, and nobody has confirmed it.
fn open_invariants(verifier: &Verifier<'_>, outcomes: &[Outcome]) -> Vec<PropertyId> {
    let is_open = |outcome: &&Outcome| {
        let holds = matches!(outcome.answer, Answer::Ctl(CtlVerdict::Holds(None)));
        holds && !outcome.certified && verifier.system.invariant(outcome.property).is_some()
    };
    outcomes.iter().filter(is_open).map(|outcome| outcome.property).collect()
}

fn by_reachable_states(
    verifier: &Verifier<'_>,
    outcomes: &mut [Outcome],
    open: &[PropertyId],
    checker: &Checker<'_>,
    deadline: Option<Instant>,
) {
    let system = verifier.system;
    let is_open = |outcome: &Outcome| open.contains(&outcome.property);
    let Some(invariant) = checker.reachable_invariant() else { return };
    let proof =
        Proof { invariant: invariant.into(), k: 1, simple_path: false, core: system.element_ids().collect() };
    let budget = Budget { conflicts: Some(CONFLICTS), ..budget(&until(&verifier.limits, deadline)) };
    let edits = Edits::none();
    let checked =
        verifier.panics.guard(|| propcov_certify::check_consequences(system, &edits, open, &proof, &budget));
    let answers = match checked {
        Some(Ok(answers)) => answers,
        Some(Err(rejection @ (Rejection::Undecided | Rejection::Unsupported(_)))) => {
            let why = unfinished(&rejection, &budget);
            let open = outcomes.iter_mut().filter(|outcome| is_open(outcome));
            return open.for_each(|outcome| outcome.uncertified = Some(why.clone()));
        }
        Some(Err(rejection)) => return note_first(outcomes, open, vec![rejection.to_string()]),
        None => {
            let mut crashes = verifier.panics.take();
            crashes.push("checking the reachable states crashed".to_owned());
            return note_first(outcomes, open, crashes);
        }
    };
    for (outcome, answer) in outcomes.iter_mut().filter(|outcome| is_open(outcome)).zip(answers) {
        match answer {
            Ok(()) => {
                outcome.answer = Answer::Invariant(Verdict::Proved(proof.clone()));
                outcome.certified = true;
                verifier.add_core(outcome);
            }
            Err(rejection @ (Rejection::Undecided | Rejection::Unsupported(_))) => {
                outcome.uncertified = Some(unfinished(&rejection, &budget));
            }
            // Under fairness, p may be false in reachable states: those from which no fair path starts.
            Err(Rejection::Consecution { claim: Claim::Property, .. }) if !system.is_unconstrained() => {}
            Err(rejection) => {
                outcome.answer = Answer::unknown(UnknownReason::NotCertified(rejection.to_string()));
                outcome.note_rejection();
            }
        }
    }
}

/// Certifies an answer by the sets of states that the checker found on the way, until then.
pub(crate) fn labels(
    verifier: &Verifier<'_>,
    outcome: &mut Outcome,
    checker: &mut Checker<'_>,
    deadline: Option<Instant>,
) {
    let clock = Instant::now();
    by_labels(verifier, outcome, checker, &until(&verifier.limits, deadline));
    let seconds = clock.elapsed().as_secs_f64();
    outcome.seconds += seconds;
    outcome.certify_seconds += seconds;
}

fn by_labels(verifier: &Verifier<'_>, outcome: &mut Outcome, checker: &mut Checker<'_>, limits: &Limits) {
    let Answer::Ctl(verdict) = &outcome.answer else { return };
    if let Some(reason) = stopped(limits) {
        outcome.uncertified = Some(reason.to_string());
        return;
    }
    let labelling = match checker.labelling(outcome.property, verdict) {
        Ok(labelling) => labelling,
        Err(why) => return outcome.uncertified = Some(why),
    };
    let proof = ctl_proof(labelling);
    let budget = Budget { conflicts: Some(CONFLICTS), ..budget(limits) };
    match propcov_certify::check_labels(verifier.system, outcome.property, verdict, &proof, &budget) {
        Ok(()) => outcome.certified = true,
        Err(rejection @ (Rejection::Undecided | Rejection::Unsupported(_))) => {
            outcome.uncertified = Some(unfinished(&rejection, &budget));
        }
        Err(rejection) => {
            outcome.answer = Answer::unknown(UnknownReason::NotCertified(rejection.to_string()));
            outcome.note_rejection();
        }
    }
}

/// Decides once more, state by state, what is not yet certified; if there are few enough states.
pub(crate) fn recheck(verifier: &Verifier<'_>, outcomes: &mut [Outcome], size: Size) {
    let is_open = |outcome: &Outcome| outcome.answer.is_decided() && !outcome.certified;
    let open: Vec<PropertyId> =
        outcomes.iter().filter(|outcome| is_open(outcome)).map(|outcome| outcome.property).collect();
    if open.is_empty() || size.states > LISTED.states || size.transitions > LISTED.edges {
        return;
    }
    let (edits, budget) = (Edits::none(), budget(&verifier.limits));
    let checked = verifier
        .panics
        .guard(|| propcov_certify::recheck_ctl(verifier.system, &edits, &open, &LISTED, &budget));
    let mut crashes = verifier.panics.take();
    let listed = match checked {
        Some(Ok(listed)) => listed,
        Some(Err(rejection)) => {
            let what_is_wrong = match rejection {
                Rejection::TooLarge(_) | Rejection::Undecided | Rejection::Unsupported(_) => return,
                other => other.to_string(),
            };
            crashes.push(what_is_wrong);
            return note_first(outcomes, &open, crashes);
        }
        None => {
            crashes.push("listing the states crashed".to_owned());
            return note_first(outcomes, &open, crashes);
        }
    };
    for outcome in outcomes.iter_mut().filter(|outcome| is_open(outcome)) {
        let at = open.iter().position(|property| *property == outcome.property);
        let Some(holds) = at.and_then(|at| listed.holds.get(at)) else { continue };
        if *holds == outcome.answer.is_proved() {
            outcome.certified = true;
        } else {
            let found = if *holds { "holds" } else { "fails" };
            let why = format!("state by state, it {found}");
            outcome.answer = Answer::unknown(UnknownReason::NotCertified(why));
            outcome.note_rejection();
        }
    }
}

/// Something went wrong that is no property's fault.
fn note_first(outcomes: &mut [Outcome], open: &[PropertyId], errors: Vec<String>) {
    if let Some(outcome) = outcomes.iter_mut().find(|outcome| open.contains(&outcome.property)) {
        outcome.internal_errors.extend(errors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use propcov_ir::System;
    use propcov_symbolic::Options;

    /// A light that goes on and off, and may stay off for ever.
    const BLINK: &[u8] = b"MODULE main\nVAR on : boolean;\nASSIGN init(on) := FALSE;\nnext(on) := case on : FALSE; TRUE : {FALSE, TRUE}; esac;\n\
        SPEC AF on\nSPEC AG EF on\nSPEC AG !on\nSPEC AG (on -> AX !on)\n";

    fn with_verifier<T>(work: impl FnOnce(&Verifier<'_>, &Checker<'_>) -> T) -> T {
        with_model(BLINK, work)
    }

    fn with_model<T>(model: &[u8], work: impl FnOnce(&Verifier<'_>, &Checker<'_>) -> T) -> T {
        let design = propcov_frontend::read("model.smv", model).expect("well-formed");
        let system: &System = &design.system;
        let verifier = Verifier::new(system, Default::default(), Limits::default(), &Silent);
        let checker = Checker::new(system, Options::default(), &Budget::default(), &Silent).expect("small");
        work(&verifier, &checker)
    }

    fn outcome(property: u32, verdict: CtlVerdict) -> Outcome {
        let unknown = Outcome::unknown(PropertyId(property), UnknownReason::Cancelled);
        Outcome { answer: Answer::Ctl(verdict), ..unknown }
    }

    #[test]
    fn a_verdict_that_listing_the_states_contradicts_is_not_reported_but_an_internal_error_is() {
        with_verifier(|verifier, _| {
            let mut outcomes = [
                outcome(0, CtlVerdict::Holds(None)),
                outcome(1, CtlVerdict::Fails(None)),
                outcome(3, CtlVerdict::Holds(None)),
            ];
            recheck(verifier, &mut outcomes, Size { states: 2, transitions: 3 });
            for wrong in &outcomes[..2] {
                assert!(matches!(wrong.answer.reason(), Some(UnknownReason::NotCertified(_))), "{wrong:?}");
                assert!(!wrong.certified && !wrong.internal_errors.is_empty());
            }
            assert!(outcomes[2].certified && outcomes[2].answer.is_proved());
        });
    }

    #[test]
    fn with_too_many_states_a_verdict_stays_what_it_is_and_uncertified() {
        with_verifier(|verifier, _| {
            let mut outcomes = [outcome(3, CtlVerdict::Holds(None))];
            recheck(verifier, &mut outcomes, Size { states: LISTED.states + 1, transitions: 3 });
            assert!(outcomes[0].answer.is_proved() && !outcomes[0].certified);
        });
    }

    #[test]
    fn reachable_states_prove_no_invariant_that_is_none() {
        with_verifier(|verifier, checker| {
            let mut outcomes = [outcome(2, CtlVerdict::Holds(None))];
            reachable_states(verifier, &mut outcomes, checker, end(verifier, Duration::ZERO));
            let wrong = &outcomes[0];
            assert!(matches!(wrong.answer.reason(), Some(UnknownReason::NotCertified(_))), "{wrong:?}");
            assert!(!wrong.certified && !wrong.internal_errors.is_empty());
        });
    }

    #[test]
    fn evidence_gets_a_bounded_time_and_what_is_left_out_says_why() {
        const MODEL: &[u8] =
            b"MODULE main\nVAR a : boolean; b : boolean;\nASSIGN init(a) := FALSE; next(a) := a & b;\n\
            SPEC AG !a\nSPEC AG EF b\n";
        with_model(MODEL, |verifier, checker| {
            let soon = end(verifier, Duration::from_secs(1));
            assert!(
                soon <= Instant::now() + Duration::from_secs(1) + PATIENCE,
                "without any limit of the run"
            );
            let mut invariant = [outcome(0, CtlVerdict::Holds(None))];
            reachable_states(verifier, &mut invariant, checker, Instant::now());
            assert!(!invariant[0].certified && invariant[0].answer.is_proved(), "{invariant:?}");
            assert_eq!(invariant[0].uncertified.as_deref(), Some("out of time"));
            reachable_states(verifier, &mut invariant, checker, soon);
            assert!(invariant[0].certified && invariant[0].certify_seconds > 0.0, "{invariant:?}");
            let mut checker = Checker::new(verifier.system, Options::default(), &Budget::default(), &Silent)
                .expect("small");
            let mut other = outcome(1, checker.check(PropertyId(1)));
            labels(verifier, &mut other, &mut checker, Some(Instant::now()));
            assert!(!other.certified && other.answer.is_proved(), "{other:?}");
            assert_eq!(other.uncertified.as_deref(), Some("out of time"));
            labels(verifier, &mut other, &mut checker, None);
            assert!(other.certified && other.certify_seconds > 0.0, "{other:?}");
        });
    }

    #[test]
    fn a_run_of_another_property_shows_nothing() {
        with_verifier(|verifier, _| {
            let mut checker = Checker::new(verifier.system, Options::default(), &Budget::default(), &Silent)
                .expect("small");
            let shown = checker.check(PropertyId(0));
            let certify = |property: u32, verdict: CtlVerdict| {
                let certifier = Certifier { verifier, property: PropertyId(property) };
                certifier.certify(Answer::Ctl(verdict))
            };
            assert!(certify(0, shown.clone()).1);
            let (answer, certified) = certify(1, shown);
            assert!(matches!(answer.reason(), Some(UnknownReason::NotCertified(_))) && !certified);
        });
    }
}
