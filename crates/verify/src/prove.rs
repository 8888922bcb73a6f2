//! From one invariant to a certified verdict: all calls of engines for a single property, and of the checker, are here.

use crate::answer::Answer;
use crate::choice::EngineChoice;
use crate::client::Client;
use crate::limits::{budget, rejected, stopped, until};
use crate::outcome::Outcome;
use crate::verifier::Verifier;
use propcov_engine::finite::joint::Given;
use propcov_engine::{Limits, Report, Stats, portfolio, reduce_core};
use propcov_ir::{Edits, ElementSet, Proof, PropertyId, PropertyKind, Trace, UnknownReason, Verdict};
use std::time::Instant;

impl Verifier<'_> {
    /// Has engines look for an answer to one property, within limits: an outcome that lacks nothing but the answer, to be certified.
    pub(crate) fn search(
        &self,
        property: PropertyId,
        given: &[Given<'_>],
        limits: &Limits,
    ) -> (Outcome, Verdict) {
        if let Some(reason) = self.not_an_invariant(property).or_else(|| stopped(&self.limits)) {
            return (Outcome::unknown(property, reason.clone()), Verdict::Unknown(reason));
        }
        let start = Instant::now();
        let report = self.panics.guard(|| self.run_engine(property, given, limits));
        let (mut outcome, verdict) = self.outcome(property, report);
        outcome.seconds = start.elapsed().as_secs_f64();
        (outcome, verdict)
    }

    /// The outcome of a search with its certified answer.
    pub(crate) fn concluded(
        &self,
        (mut outcome, verdict): (Outcome, Verdict),
        client: &mut dyn Client,
    ) -> Outcome {
        let start = Instant::now();
        self.conclude(&mut outcome, verdict, client);
        outcome.seconds += start.elapsed().as_secs_f64();
        outcome
    }

    /// The client's own attempt at a property, certified; `None` if it leaves the property to the engines.
    pub(crate) fn offered(
        &self,
        property: PropertyId,
        deadline: Option<Instant>,
        client: &mut dyn Client,
    ) -> Option<Outcome> {
        if self.not_an_invariant(property).or_else(|| stopped(&self.limits)).is_some() {
            return None;
        }
        let start = Instant::now();
        let limits = until(&self.limits, deadline);
        let mut stats = Stats::default();
        let (verdict, engine) =
            self.panics.guard(|| client.attempt(property, &limits, &mut stats)).flatten()?;
        let mut outcome = Outcome::unknown(property, UnknownReason::Cancelled);
        (outcome.engine, outcome.ticks, outcome.stats) = (Some(engine), stats.ticks, stats);
        self.conclude(&mut outcome, verdict, client);
        outcome.seconds = start.elapsed().as_secs_f64();
        Some(outcome)
    }

    /// What follows from an engine's verdict: the certified answer, and what was asked for besides.
    pub(crate) fn conclude(&self, outcome: &mut Outcome, verdict: Verdict, client: &mut dyn Client) {
        let property = outcome.property;
        self.conclude_by(outcome, verdict, client, &mut |verdict| self.certify(property, verdict));
    }

    /// As [`Verifier::conclude`], where somebody else has the checker look at proofs.
    pub(crate) fn conclude_by(
        &self,
        outcome: &mut Outcome,
        verdict: Verdict,
        client: &mut dyn Client,
        certify: &mut dyn FnMut(Verdict) -> Verdict,
    ) {
        let start = Instant::now();
        outcome.answer = self.answer(outcome, verdict, client, certify);
        outcome.certify_seconds = start.elapsed().as_secs_f64();
        outcome.certified = outcome.answer.is_decided() || outcome.answer.bound().is_some();
        self.add_core(outcome);
        self.add_smoothness(outcome);
        outcome.depth = depth(outcome);
        outcome.note_rejection();
        outcome.internal_errors.extend(self.panics.take());
    }

    /// What the engines here cannot decide, and why.
    pub(crate) fn not_an_invariant(&self, property: PropertyId) -> Option<UnknownReason> {
        let what = match (&self.system.property(property).kind, self.options.engine) {
            (PropertyKind::Justice(_) | PropertyKind::Ltl(_), _)
                if self.system.invariant(property).is_none() =>
            {
                "liveness is decided by searching for loops, and not here".to_owned()
            }
            (PropertyKind::Invariant(_), EngineChoice::Bdd) => {
                "bdd decides CTL properties, and this is an invariant".to_owned()
            }
            _ if self.system.invariant(property).is_some() => return None,
            _ => format!("{:?} decides invariants, and this CTL property is none", self.options.engine),
        };
        Some(UnknownReason::Unsupported(what))
    }

    /// What a verdict on an invariant says about the property, if its evidence is accepted.
    fn answer(
        &self,
        outcome: &Outcome,
        verdict: Verdict,
        client: &mut dyn Client,
        certify: &mut dyn FnMut(Verdict) -> Verdict,
    ) -> Answer {
        let property = outcome.property;
        let PropertyKind::Ctl(formula) = &self.system.property(property).kind else {
            return Answer::Invariant(self.certify_for(outcome, verdict, client, certify));
        };
        let verdict = match verdict {
            Verdict::Falsified(trace) if !self.system.is_unconstrained() => {
                return Answer::unfair_violation(Some(trace));
            }
            verdict => verdict,
        };
        match self.certify_for(outcome, verdict, client, certify) {
            Verdict::Falsified(trace) => Answer::of_violation(formula, trace),
            verdict => Answer::Invariant(verdict),
        }
    }

    fn run_engine(&self, property: PropertyId, given: &[Given<'_>], limits: &Limits) -> Report {
        let (edits, config) = (Edits::none(), &self.options.config);
        // Lemmas about CTL may not read inputs.
        let is_of_runs = !matches!(self.system.property(property).kind, PropertyKind::Ctl(_));
        let first_step = is_of_runs.then(|| self.first_step()).flatten();
        let system = first_step.map_or(self.system, |first_step| &first_step.system);
        let mut report = match self.options.engine {
            EngineChoice::Portfolio | EngineChoice::Bdd => {
                portfolio::check_given(system, &edits, property, given, config, limits, self.progress)
            }
            EngineChoice::One(engine) => {
                propcov_engine::check(engine, system, &edits, property, config, limits, self.progress)
            }
        };
        if let Some(first_step) = first_step {
            report.verdict = first_step.as_written(report.verdict);
        }
        report
    }

    /// What an engine reported, not yet certified.
    fn outcome(&self, property: PropertyId, report: Option<Report>) -> (Outcome, Verdict) {
        let crashed = UnknownReason::Incomplete("internal error: an engine crashed".to_owned());
        let mut outcome = Outcome::unknown(property, crashed.clone());
        outcome.internal_errors = self.panics.take();
        match report {
            Some(Report { verdict, engine, stats }) => {
                // A portfolio goes on without the engine that crashed. If nobody else has an answer, that is why.
                let silent = matches!(verdict, Verdict::Unknown(_)) && !outcome.internal_errors.is_empty();
                let verdict = if silent { Verdict::Unknown(crashed) } else { verdict };
                (Outcome { engine: Some(engine), ticks: stats.ticks, stats, ..outcome }, verdict)
            }
            None => {
                outcome.internal_errors.push("the engine crashed".to_owned());
                (outcome, Verdict::Unknown(crashed))
            }
        }
    }

    /// The verdict if its evidence is accepted, by whatever the client asks the checker, and otherwise why there is none.
    fn certify_for(
        &self,
        outcome: &Outcome,
        verdict: Verdict,
        client: &mut dyn Client,
        certify: &mut dyn FnMut(Verdict) -> Verdict,
    ) -> Verdict {
        let Verdict::Proved(proof) = &verdict else { return certify(verdict) };
        match self.panics.guard(|| client.check(outcome.property, proof, outcome.ticks)) {
            Some(None) => certify(verdict),
            Some(Some(Ok(()))) => verdict,
            Some(Some(Err(reason))) => Verdict::Unknown(reason),
            None => Verdict::Unknown(crashed()),
        }
    }

    /// The verdict if its evidence is accepted, and otherwise why there is none.
    pub fn certify(&self, property: PropertyId, mut verdict: Verdict) -> Verdict {
        let edits = Edits::none();
        if let Verdict::Falsified(trace) = &mut verdict {
            self.cut(property, trace);
        }
        let checked = self.panics.guard(|| match &verdict {
            Verdict::Proved(proof) => {
                propcov_certify::check_proof(self.system, &edits, property, proof, &budget(&self.limits))
            }
            Verdict::Falsified(trace) => propcov_certify::check_trace(self.system, &edits, property, trace),
            Verdict::Unknown(UnknownReason::Bounded(depth)) => {
                propcov_certify::check_bound(self.system, &edits, property, *depth, &budget(&self.limits))
            }
            Verdict::Unknown(_) => Ok(()),
        });
        match checked {
            Some(Ok(())) => verdict,
            Some(Err(rejection)) => Verdict::Unknown(rejected(&rejection, &self.limits)),
            None => Verdict::Unknown(crashed()),
        }
    }

    /// Lets a run end where it violates an invariant first: who looked for something else, too, may have gone on. A run that is none is left to the checker.
    fn cut(&self, property: PropertyId, trace: &mut Trace) {
        if matches!(self.system.property(property).kind, PropertyKind::Ctl(_)) {
            return;
        }
        let violated = self.panics.guard(|| propcov_certify::check_run(self.system, &[property], trace));
        if let Some(Ok(first)) = violated
            && let Some(Some(first)) = first.first()
        {
            trace.steps.truncate(first + 1);
        }
    }

    /// Finds out what the proof uses, if that is asked for.
    pub(crate) fn add_core(&self, outcome: &mut Outcome) {
        if let (true, Some(proof)) = (self.options.with_core, outcome.answer.proof()) {
            outcome.core =
                self.core(outcome.property, proof.clone(), &mut outcome.stats, &mut outcome.internal_errors);
        }
    }

    /// The elements that the proof uses, if they can be found and the checker agrees.
    fn core(
        &self,
        property: PropertyId,
        mut proof: Proof,
        stats: &mut Stats,
        internal_errors: &mut Vec<String>,
    ) -> Option<ElementSet> {
        let edits = Edits::none();
        let checked = self.panics.guard(|| {
            reduce_core(self.system, &edits, property, &mut proof, &self.limits, stats).then(|| {
                propcov_certify::check_core(self.system, &edits, property, &proof, &budget(&self.limits))
            })
        })??;
        match checked {
            Ok(()) => Some(proof.core),
            Err(rejection) => {
                if let UnknownReason::NotCertified(why) = rejected(&rejection, &self.limits) {
                    internal_errors.push(format!("core rejected by the checker: {why}"));
                }
                None
            }
        }
    }
}

pub(crate) fn crashed() -> UnknownReason {
    UnknownReason::NotCertified("the checker crashed".to_owned())
}

/// How deep somebody has looked.
fn depth(outcome: &Outcome) -> Option<u32> {
    if let Some(proof) = outcome.answer.proof() {
        return outcome.stats.frames.or(Some(proof.k));
    }
    match outcome.answer.reason() {
        Some(UnknownReason::Bounded(depth)) => Some(*depth),
        Some(_) => outcome.stats.cleared,
        None => outcome.answer.depth(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Listener;
    use crate::progress::Silent;
    use crate::verifier::Options;
    use propcov_engine::Engine;
    use propcov_engine::finite::{Answer, Lemmas};
    use propcov_solve::{BitStep, BitTrace};

    /// One state that counts its own negation: 0, 1, 0, 1, ...; `low` says that it is 0, `any` that it is 0 or 1.
    const TOGGLE: &[u8] = b"1 sort bitvec 1\n2 zero 1\n3 state 1 s\n4 init 1 3 2\n5 next 1 3 -3\n6 bad 3 low\n7 and 1 3 -3\n8 bad 7 any\n";

    fn decide(engine: &'static Engine, property: u32) -> Outcome {
        let design = propcov_frontend::read("toggle.btor2", TOGGLE).expect("well-formed");
        let options = Options { engine: EngineChoice::One(engine), ..Options::default() };
        let verifier = Verifier::new(&design.system, options, Limits::default(), &Silent);
        let (mut outcome, verdict) = verifier.search(PropertyId(property), &[], &Limits::default());
        verifier.conclude(&mut outcome, verdict, &mut Listener(&mut |_| ()));
        outcome
    }

    /// Proves everything.
    static CREDULOUS: Engine = Engine {
        name: "credulous",
        summary: "",
        proves: true,
        infinite: None,
        finite: |_, _, _, _, _| Answer::Proved {
            lemmas: Lemmas::Clauses(Vec::new()),
            k: 1,
            simple_path: false,
        },
    };

    /// Refutes everything in the first step.
    static CYNICAL: Engine = Engine {
        name: "cynical",
        summary: "",
        proves: false,
        infinite: None,
        finite: |problem, _, _, _, _| {
            let latches = problem.netlist.latches.iter().map(|_| false).collect();
            Answer::Falsified(BitTrace { steps: vec![BitStep { latches, inputs: Vec::new() }] })
        },
    };

    /// Goes on after the violation.
    static TALKATIVE: Engine = Engine {
        name: "talkative",
        summary: "",
        proves: false,
        infinite: None,
        finite: |_, _, _, _, _| {
            let step = |value: bool| BitStep { latches: vec![value], inputs: Vec::new() };
            Answer::Falsified(BitTrace { steps: [false, true, false, true].map(step).to_vec() })
        },
    };

    static CRASHING: Engine = Engine {
        name: "crashing",
        summary: "",
        proves: true,
        infinite: None,
        finite: |_, _, _, _, _| panic!("expected by this test"),
    };

    #[test]
    fn a_run_ends_where_it_violates_the_property_first() {
        let outcome = decide(&TALKATIVE, 0);
        assert_eq!(outcome.answer.trace().map(|trace| trace.steps.len()), Some(2), "{outcome:?}");
        assert_eq!(outcome.depth, Some(1));
        assert!(outcome.certified);
    }

    #[test]
    fn a_proof_of_something_false_is_not_reported_but_an_internal_error_is() {
        let outcome = decide(&CREDULOUS, 0);
        assert!(matches!(outcome.answer.reason(), Some(UnknownReason::NotCertified(_))), "{outcome:?}");
        assert!(!outcome.certified && !outcome.internal_errors.is_empty());
        assert!(decide(&CREDULOUS, 1).certified, "the same evidence is enough for a property that holds");
    }

    #[test]
    fn a_trace_that_does_not_violate_the_property_is_not_reported_but_an_internal_error_is() {
        let outcome = decide(&CYNICAL, 1);
        assert!(matches!(outcome.answer.reason(), Some(UnknownReason::NotCertified(_))), "{outcome:?}");
        assert!(!outcome.internal_errors.is_empty());
    }

    #[test]
    fn an_engine_that_crashes_leaves_an_unknown_verdict_and_an_internal_error() {
        let outcome = decide(&CRASHING, 1);
        assert!(matches!(outcome.answer.reason(), Some(UnknownReason::Incomplete(_))), "{outcome:?}");
        assert!(!outcome.internal_errors.is_empty());
    }
}
