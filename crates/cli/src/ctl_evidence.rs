//! What stands behind an answer about a CTL property, and whether the independent checker agrees with it.
//!
//! There are three ways. A run that shows the answer is replayed. A proof of `AG p` is the set of reachable states: an invariant, which is
//! checked like any other. Everything else is decided once more state by state, where there are few enough. What none of them can
//! confirm is reported as not certified; what one of them refutes is a bug, and not reported as an answer.

use crate::answer::Answer;
use crate::prove::{Outcome, Prover, budget};
use propcov_certify::{Claim, ExplicitLimits, Rejection};
use propcov_ir::{CtlVerdict, Edits, Proof, PropertyId, UnknownReason, Verdict};
use propcov_sat::Budget;
use propcov_symbolic::Checker;

/// The most conflicts of a query about the reachable states.
const CONFLICTS: u64 = 20_000;

/// The most states and transitions that are listed: a second or two of work.
const LISTED: ExplicitLimits = ExplicitLimits { states: 20_000, edges: 40_000 };

/// What came of one of the ways.
enum Check {
    /// The checker agrees, with the answer as it is or with this one.
    Accepted(Option<Answer>),
    /// It cannot tell.
    Open,
    /// It disagrees.
    Refuted(String),
}

/// Certifies an answer about one property.
pub(crate) struct Certifier<'r, 'a> {
    pub(crate) prover: &'r Prover<'a>,
    pub(crate) property: PropertyId,
}

impl Certifier<'_, '_> {
    /// The answer, and whether it was certified by what came with it.
    pub(crate) fn certify(&self, answer: Answer, checker: &Checker<'_>) -> (Answer, bool) {
        let check = match &answer {
            Answer::Ctl(CtlVerdict::Holds(None)) => self.reachable_states(checker),
            Answer::Ctl(verdict) => self.runs(verdict),
            Answer::Invariant(_) => Check::Open,
        };
        match check {
            Check::Accepted(better) => (better.unwrap_or(answer), true),
            Check::Open => (answer, false),
            Check::Refuted(why) => (Answer::unknown(UnknownReason::NotCertified(why)), false),
        }
    }

    /// Whether runs show all of the verdict. Some of it they may not be able to show: what is so on all paths, or in other initial states.
    fn runs(&self, verdict: &CtlVerdict) -> Check {
        let (edits, budget) = (Edits::none(), budget(&self.prover.limits));
        let system = self.prover.system;
        match propcov_certify::check_demonstration(system, &edits, self.property, verdict, &budget) {
            Ok(evidence) if evidence.is_complete() => Check::Accepted(None),
            Ok(_) | Err(Rejection::Undecided | Rejection::Unsupported(_)) => Check::Open,
            Err(rejection) => Check::Refuted(rejection.to_string()),
        }
    }

    /// Whether the reachable states prove that p, of `AG p`, is an invariant.
    fn reachable_states(&self, checker: &Checker<'_>) -> Check {
        let system = self.prover.system;
        if system.invariant(self.property).is_none() {
            return Check::Open;
        }
        let Some(invariant) = checker.reachable_invariant() else { return Check::Open };
        let proof = Proof { invariant, k: 1, simple_path: false, core: system.element_ids().collect() };
        let budget = Budget { conflicts: Some(CONFLICTS), ..budget(&self.prover.limits) };
        let edits = Edits::none();
        match propcov_certify::check_proof(system, &edits, self.property, &proof, &budget) {
            Ok(()) => Check::Accepted(Some(Answer::Invariant(Verdict::Proved(proof)))),
            Err(Rejection::Undecided | Rejection::Unsupported(_)) => Check::Open,
            // Under fairness, p may be false in reachable states: those from which no fair path starts.
            Err(
                Rejection::Initiation { claim: Claim::Property, .. }
                | Rejection::Consecution { claim: Claim::Property, .. },
            ) if !system.is_unconstrained() => Check::Open,
            Err(rejection) => Check::Refuted(rejection.to_string()),
        }
    }
}

/// Decides once more, state by state, what is not yet certified; if there are few enough states.
pub(crate) fn recheck(prover: &Prover<'_>, outcomes: &mut [Outcome], reachable: usize) {
    let is_open = |outcome: &Outcome| outcome.answer.is_decided() && !outcome.certified;
    let open: Vec<PropertyId> =
        outcomes.iter().filter(|outcome| is_open(outcome)).map(|outcome| outcome.property).collect();
    if open.is_empty() || reachable > LISTED.states {
        return;
    }
    let (edits, budget) = (Edits::none(), budget(&prover.limits));
    let checked =
        prover.panics.guard(|| propcov_certify::recheck_ctl(prover.system, &edits, &open, &LISTED, &budget));
    let mut crashes = prover.panics.take();
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
    use crate::args::EngineChoice;
    use crate::panics::PanicLog;
    use propcov_engine::{Config, Limits, Silent};
    use propcov_ir::System;
    use propcov_symbolic::{Options, Silent as Unheard};

    /// A light that goes on and off, and may stay off for ever.
    const BLINK: &[u8] = b"MODULE main\nVAR on : boolean;\nASSIGN init(on) := FALSE;\nnext(on) := case on : FALSE; TRUE : {FALSE, TRUE}; esac;\n\
        SPEC AF on\nSPEC AG EF on\nSPEC AG !on\nSPEC AG (on -> AX !on)\n";

    fn with_prover<T>(work: impl FnOnce(&Prover<'_>, &Checker<'_>) -> T) -> T {
        let design = propcov_frontend::read("blink.smv", BLINK).expect("well-formed");
        let system: &System = &design.system;
        let panics = PanicLog::default();
        let prover = Prover {
            system,
            engine: EngineChoice::Portfolio,
            config: Config::default(),
            limits: Limits::default(),
            with_core: false,
            observer: &Silent,
            panics: &panics,
        };
        let checker = Checker::new(system, Options::default(), &Budget::default(), &Unheard).expect("small");
        work(&prover, &checker)
    }

    fn outcome(property: u32, verdict: CtlVerdict) -> Outcome {
        let unknown = Outcome::unknown(PropertyId(property), UnknownReason::Cancelled);
        Outcome { answer: Answer::Ctl(verdict), ..unknown }
    }

    #[test]
    fn a_verdict_that_listing_the_states_contradicts_is_not_reported_but_an_internal_error_is() {
        with_prover(|prover, _| {
            let mut outcomes = [
                outcome(0, CtlVerdict::Holds(None)),
                outcome(1, CtlVerdict::Fails(None)),
                outcome(3, CtlVerdict::Holds(None)),
            ];
            recheck(prover, &mut outcomes, 2);
            for wrong in &outcomes[..2] {
                assert!(matches!(wrong.answer.reason(), Some(UnknownReason::NotCertified(_))), "{wrong:?}");
                assert!(!wrong.certified && !wrong.internal_errors.is_empty());
            }
            assert!(outcomes[2].certified && outcomes[2].answer.is_proved());
        });
    }

    #[test]
    fn with_too_many_states_a_verdict_stays_what_it_is_and_uncertified() {
        with_prover(|prover, _| {
            let mut outcomes = [outcome(3, CtlVerdict::Holds(None))];
            recheck(prover, &mut outcomes, LISTED.states + 1);
            assert!(outcomes[0].answer.is_proved() && !outcomes[0].certified);
        });
    }

    #[test]
    fn reachable_states_prove_no_invariant_that_is_none() {
        with_prover(|prover, checker| {
            let certifier = Certifier { prover, property: PropertyId(2) };
            let (answer, certified) = certifier.certify(Answer::Ctl(CtlVerdict::Holds(None)), checker);
            assert!(matches!(answer.reason(), Some(UnknownReason::NotCertified(_))), "{answer:?}");
            assert!(!certified);
        });
    }

    #[test]
    fn a_run_of_another_property_shows_nothing() {
        with_prover(|prover, _| {
            let mut checker =
                Checker::new(prover.system, Options::default(), &Budget::default(), &Unheard).expect("small");
            let shown = checker.check(PropertyId(0));
            let certify = |property: u32, verdict: CtlVerdict| {
                let certifier = Certifier { prover, property: PropertyId(property) };
                certifier.certify(Answer::Ctl(verdict), &checker)
            };
            assert!(certify(0, shown.clone()).1);
            let (answer, certified) = certify(1, shown);
            assert!(matches!(answer.reason(), Some(UnknownReason::NotCertified(_))) && !certified);
        });
    }
}
