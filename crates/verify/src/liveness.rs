//! Justice and linear time: lassos and proofs, in rounds whose effort doubles, breadth first.
//!
//! Engines decide invariants of a system that watches (`engine::liveness`); what they say is certified against the system as written. In each round each property that is
//! left gets one attempt, so that what is easy is decided whatever its place in the list.

use crate::answer::Answer;
use crate::choice::EngineChoice;
use crate::effort;
use crate::limits::{budget, recover, rejected, stopped, until};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::prove::crashed;
use crate::schedule::{self, Patience};
use crate::verifier::Verifier;
use propcov_engine::liveness::{Ask, Search};
use propcov_engine::{Limits, Stats, reduce_core};
use propcov_ir::{Edits, ElementSet, LivenessProof, LivenessVerdict, PropertyId, System, UnknownReason};
use std::time::{Duration, Instant};

/// The rounds of a first look, before invariants are decided that take long.
const FIRST_ROUNDS: u32 = 2;
/// What was found is certified for so long after the deadline.
const GRACE: Duration = Duration::from_millis(500);

/// Whether a property is decided here.
pub(crate) fn is_liveness(system: &System, property: PropertyId) -> bool {
    system.property(property).is_liveness()
}

/// Searches that go on where they were.
pub(crate) struct Rounds<'r> {
    open: Vec<Open<'r>>,
    round: u32,
}

struct Open<'r> {
    property: PropertyId,
    search: Search<'r>,
    tried: Option<Outcome>,
}

impl<'r> Rounds<'r> {
    /// Prepares searches. What cannot be searched for is noted at once.
    pub(crate) fn new(
        verifier: &Verifier<'_>,
        properties: &[PropertyId],
        edits: &'r Edits,
        plan: &mut Plan<'_, '_>,
    ) -> Rounds<'r> {
        let mut open = Vec::new();
        for property in properties.iter().copied() {
            let search = match (stopped(&verifier.limits), verifier.options.engine) {
                (Some(reason), _) => Err(reason),
                (None, EngineChoice::Bdd) => {
                    Err(UnknownReason::Unsupported("bdd decides CTL properties, and this is none".to_owned()))
                }
                (None, _) => verifier
                    .panics
                    .guard(|| Search::new(verifier.system, edits, property))
                    .unwrap_or_else(|| Err(crashed())),
            };
            match search {
                Ok(search) => open.push(Open { property, search, tried: None }),
                Err(reason) => plan.note(Outcome::unknown(property, reason)),
            }
        }
        Rounds { open, round: 0 }
    }

    /// Some rounds before others have their turn.
    pub(crate) fn first(&mut self, verifier: &Verifier<'_>, plan: &mut Plan<'_, '_>) {
        while self.round < FIRST_ROUNDS && !self.is_over(verifier) {
            self.go_round(verifier, plan);
        }
    }

    /// All rounds that there is time for; then what is left is noted as unknown.
    pub(crate) fn finish(mut self, verifier: &Verifier<'_>, plan: &mut Plan<'_, '_>) {
        if self.is_empty() {
            return;
        }
        let is_brief = verifier.patience == Patience::Brief;
        let (effort, has_deadline) = (verifier.options.effort, verifier.limits.deadline.is_some());
        let deadline = match is_brief {
            true => schedule::brief(self.open.len(), verifier.limits.deadline),
            false => verifier.limits.deadline,
        };
        let verifier = verifier.with_limits(until(&verifier.limits, deadline));
        while !self.is_over(&verifier) {
            let is_last = effort::is_last(self.round, is_brief, effort, has_deadline);
            self.go_round(&verifier, plan);
            if is_last {
                break;
            }
        }
        let reason = stopped(&verifier.limits);
        let reason = reason.unwrap_or(if is_brief { UnknownReason::Timeout } else { UnknownReason::Effort });
        for open in self.open {
            let unknown = Outcome::unknown(open.property, reason.clone());
            plan.note(match open.tried {
                Some(tried) => Outcome { answer: unknown.answer, ..tried },
                None => unknown,
            });
        }
    }

    /// Whether nothing is left to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    fn is_over(&self, verifier: &Verifier<'_>) -> bool {
        self.open.is_empty() || stopped(&verifier.limits).is_some()
    }

    fn go_round(&mut self, verifier: &Verifier<'_>, plan: &mut Plan<'_, '_>) {
        let total = self.open.len();
        let ticks = effort::ticks_of(self.round);
        self.round += 1;
        for (position, mut open) in std::mem::take(&mut self.open).into_iter().enumerate() {
            let now = Instant::now();
            let share = verifier.limits.deadline.map(|deadline| {
                let parts = u32::try_from(total - position).unwrap_or(u32::MAX);
                now + deadline.saturating_duration_since(now) / parts
            });
            let name = &verifier.system.property(open.property).name;
            verifier.progress.stage(match total {
                1 => format!("{name}:"),
                _ => format!("{}/{total} {name}:", position + 1),
            });
            let mut outcome = verifier.attempt_liveness(&mut open.search, open.property, (ticks, share));
            recover(&verifier.limits, outcome.answer.reason());
            if let Some(tried) = open.tried.take() {
                outcome.add_attempt(&tried);
            }
            let goes_on = match outcome.answer.reason() {
                Some(UnknownReason::Timeout | UnknownReason::Cancelled | UnknownReason::Conflicts) => {
                    !verifier.limits.interrupt.is_raised()
                }
                _ => false,
            };
            if goes_on {
                open.tried = Some(outcome);
                self.open.push(open);
            } else {
                plan.note(outcome);
            }
        }
    }
}

impl Verifier<'_> {
    fn attempt_liveness(
        &self,
        search: &mut Search<'_>,
        property: PropertyId,
        effort: (u64, Option<Instant>),
    ) -> Outcome {
        let start = Instant::now();
        let mut outcome = Outcome::unknown(property, UnknownReason::Cancelled);
        let mut stats = Stats::default();
        let ask = match self.options.engine {
            EngineChoice::One(engine) => Ask::One(engine),
            EngineChoice::Portfolio | EngineChoice::Bdd => Ask::All,
        };
        let config = &self.options.config;
        let found =
            self.panics.guard(|| search.round(ask, config, effort, &self.limits, self.progress, &mut stats));
        let verdict = match found {
            Some((verdict, engine)) => {
                outcome.engine = Some(engine);
                verdict
            }
            None => {
                outcome.internal_errors.push("the engine crashed".to_owned());
                LivenessVerdict::Unknown(UnknownReason::Incomplete(
                    "internal error: an engine crashed".to_owned(),
                ))
            }
        };
        (outcome.ticks, outcome.stats) = (stats.ticks, stats);
        let certifying = Instant::now();
        outcome.answer = Answer::Liveness(self.certify_liveness(property, verdict));
        outcome.certify_seconds = certifying.elapsed().as_secs_f64();
        outcome.certified = outcome.answer.is_decided();
        outcome.depth = outcome.answer.depth();
        if let (true, Answer::Liveness(LivenessVerdict::Holds(proof))) =
            (self.options.with_core, &outcome.answer)
        {
            let (proof, stats) = (proof.clone(), &mut outcome.stats);
            outcome.core = self.liveness_core(property, proof, stats, &mut outcome.internal_errors);
        }
        outcome.note_rejection();
        outcome.internal_errors.extend(self.panics.take());
        outcome.seconds = start.elapsed().as_secs_f64();
        outcome
    }

    /// The verdict if its evidence is accepted, and otherwise why there is none.
    pub fn certify_liveness(&self, property: PropertyId, verdict: LivenessVerdict) -> LivenessVerdict {
        let edits = Edits::none();
        let limits = self.certifying();
        let checked = self.panics.guard(|| match &verdict {
            LivenessVerdict::Holds(proof) => {
                propcov_certify::check_liveness(self.system, &edits, property, proof, &budget(&limits))
            }
            LivenessVerdict::Fails(lasso) => {
                propcov_certify::check_lasso(self.system, &edits, property, lasso)
            }
            LivenessVerdict::Unknown(_) => Ok(()),
        });
        match checked {
            Some(Ok(())) => verdict,
            Some(Err(rejection)) => LivenessVerdict::Unknown(rejected(&rejection, &limits)),
            None => LivenessVerdict::Unknown(crashed()),
        }
    }

    /// A little more time than the search has.
    fn certifying(&self) -> Limits {
        until(&self.limits, self.limits.deadline.map(|deadline| deadline + GRACE))
    }

    /// The elements that the proof uses, if they can be found and the checker agrees.
    fn liveness_core(
        &self,
        property: PropertyId,
        mut evidence: LivenessProof,
        stats: &mut Stats,
        internal_errors: &mut Vec<String>,
    ) -> Option<ElementSet> {
        let edits = Edits::none();
        let limits = self.certifying();
        let checked = self.panics.guard(|| {
            let watch = propcov_engine::liveness::Watch::new(self.system, property).ok()?;
            let reduced = watch.reduction(&edits, &evidence.reduction)?;
            let proof = &mut evidence.proof;
            reduce_core(&reduced.system, &edits, reduced.property, proof, &self.limits, stats)
                .then_some(())?;
            Some(propcov_certify::check_liveness_core(
                self.system,
                &edits,
                property,
                &evidence,
                &budget(&limits),
            ))
        })??;
        match checked {
            Ok(()) => Some(evidence.proof.core),
            Err(rejection) => {
                if let UnknownReason::NotCertified(why) = rejected(&rejection, &limits) {
                    internal_errors.push(format!("core rejected by the checker: {why}"));
                }
                None
            }
        }
    }
}
