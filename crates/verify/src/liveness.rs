//! Justice and linear time: lassos and proofs, in rounds whose effort doubles, breadth first.
//!
//! Engines decide invariants of a system that watches (`engine::liveness`), and decision diagrams whether it has a fair run (`liveness_diagrams`); what they say is certified against the system as written. In each round
//! each property that is left gets one attempt, so that what is easy is decided whatever its place in the list.

use crate::answer::Answer;
use crate::choice::EngineChoice;
use crate::ctl_evidence;
use crate::effort;
use crate::limits::{budget, part_of_time, recover, rejected, stopped, until};
use crate::liveness_diagrams::is_final;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::prove::crashed;
use crate::schedule::{self, Patience};
use crate::verifier::Verifier;
use propcov_budget::Budget;
use propcov_certify::Rejection;
use propcov_engine::liveness::{Ask, LASSO, Search};
use propcov_engine::{ENGINES, Limits, Stats, reduce_core};
use propcov_ir::{Edits, ElementSet, LivenessProof, LivenessVerdict, PropertyId, System, UnknownReason};
use std::time::{Duration, Instant};

/// A glance takes no more than one part in so many of the time.
const GLANCE: u32 = 8;
/// The rounds of a first look, before invariants are decided that take long.
const FIRST_ROUNDS: u32 = 2;
/// The part of a round's effort that looks for short lassos before diagrams are asked.
const LASSO_PART: u64 = 4;
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
    /// Whether decision diagrams may have an answer.
    diagrams: bool,
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
            let search = match stopped(&verifier.limits) {
                Some(reason) => Err(reason),
                None => verifier
                    .panics
                    .guard(|| Search::new(verifier.system, edits, property))
                    .unwrap_or_else(|| Err(crashed())),
            };
            match search {
                Ok(search) => {
                    let is_asked = !matches!(verifier.options.engine, EngineChoice::One(_));
                    let diagrams = is_asked && search.is_finite();
                    open.push(Open { property, search, diagrams, tried: None });
                }
                Err(reason) => plan.note(Outcome::unknown(property, reason)),
            }
        }
        Rounds { open, round: 0 }
    }

    /// What decision diagrams decide at once. Of the rest nothing is noted.
    pub(crate) fn glance(self, verifier: &Verifier<'_>) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        // Of many, each gets less.
        let ticks = effort::ticks_of(0) / (1 + self.open.len() as u64 / u64::from(GLANCE));
        let effort = (ticks, part_of_time(&verifier.limits, 1, GLANCE));
        for mut open in self.open {
            if stopped(&until(&verifier.limits, effort.1)).is_some() {
                break;
            }
            let start = Instant::now();
            let mut outcome = Outcome::unknown(open.property, UnknownReason::Cancelled);
            let mut attempt = Attempt { verifier, open: &mut open, effort, uncertified: None };
            if let Some(verdict) = attempt.diagrams(&mut outcome) {
                outcome.answer = Answer::Liveness(verdict);
                outcome.certified = outcome.answer.is_decided();
                verifier.complete_attempt(&mut outcome, start);
                outcomes.push(outcome);
            }
        }
        outcomes
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
            let mut outcome = verifier.attempt_liveness(&mut open, (ticks, share));
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
    fn attempt_liveness(&self, open: &mut Open<'_>, effort: (u64, Option<Instant>)) -> Outcome {
        let start = Instant::now();
        let mut outcome = Outcome::unknown(open.property, UnknownReason::Cancelled);
        let mut attempt = Attempt { verifier: self, open, effort, uncertified: None };
        attempt.make(&mut outcome);
        self.complete_attempt(&mut outcome, start);
        outcome
    }

    /// Adds what was asked for besides an answer.
    fn complete_attempt(&self, outcome: &mut Outcome, start: Instant) {
        if let (true, Some(proof)) = (self.options.with_core, outcome.answer.liveness_proof()) {
            let (proof, stats) = (proof.clone(), &mut outcome.stats);
            outcome.core = self.liveness_core(outcome.property, proof, stats, &mut outcome.internal_errors);
        }
        outcome.depth = outcome.answer.depth();
        outcome.note_rejection();
        outcome.internal_errors.extend(self.panics.take());
        outcome.seconds = start.elapsed().as_secs_f64();
    }

    /// The verdict if its evidence is accepted, and otherwise why there is none.
    pub fn certify_liveness(&self, property: PropertyId, verdict: LivenessVerdict) -> LivenessVerdict {
        let edits = Edits::none();
        let limits = self.certifying();
        let checked = self.panics.guard(|| match &verdict {
            LivenessVerdict::Holds(Some(proof)) => {
                propcov_certify::check_liveness(self.system, &edits, property, proof, &budget(&limits))
            }
            LivenessVerdict::Holds(None) => Err(Rejection::Undecided),
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

/// One attempt at a property by all who are asked: short lassos and counting, decision diagrams, and loops.
struct Attempt<'t, 'v, 'r> {
    verifier: &'t Verifier<'v>,
    open: &'t mut Open<'r>,
    effort: (u64, Option<Instant>),
    /// Why there is no certificate, where diagrams say that the property holds.
    uncertified: Option<String>,
}

impl Attempt<'_, '_, '_> {
    fn make(&mut self, outcome: &mut Outcome) {
        let mut stats = Stats::default();
        let ask = match self.verifier.options.engine {
            EngineChoice::One(engine) => Some(Ask::One(engine)),
            EngineChoice::Portfolio => Some(Ask::All),
            EngineChoice::Bdd => None,
        };
        // What a short lasso refutes needs no diagrams, and what they show at once no counting.
        let mut found = match ask {
            Some(Ask::All) if self.open.diagrams => self.short_lasso(outcome, &mut stats),
            _ => None,
        };
        if found.is_none() {
            found = self.diagrams(outcome);
        }
        if let (None, Some(ask)) = (&found, ask) {
            found = self.engines(ask, Half::First, outcome, &mut stats);
        }
        if found.is_none() {
            found = match ask {
                Some(ask) => self.engines(ask, Half::Second, outcome, &mut stats),
                None if self.open.diagrams => Some(LivenessVerdict::Unknown(UnknownReason::Cancelled)),
                None => {
                    let why = "decision diagrams cannot decide it".to_owned();
                    Some(LivenessVerdict::Unknown(UnknownReason::Incomplete(why)))
                }
            };
        }
        (outcome.ticks, outcome.stats) = (stats.ticks, stats);
        let crashed = || {
            LivenessVerdict::Unknown(UnknownReason::Incomplete(
                "internal error: an engine crashed".to_owned(),
            ))
        };
        outcome.answer = Answer::Liveness(found.unwrap_or_else(crashed));
        outcome.certified = outcome.answer.is_decided();
        if let Some(why) = self.uncertified.take()
            && !outcome.certified
        {
            outcome.answer = Answer::Liveness(LivenessVerdict::Holds(None));
            outcome.engine = Some(EngineChoice::BDD);
            outcome.uncertified = Some(why);
        }
    }

    /// A short lasso, if there is one.
    fn short_lasso(&mut self, outcome: &mut Outcome, stats: &mut Stats) -> Option<LivenessVerdict> {
        let bmc = ENGINES.iter().find(|engine| engine.name == LASSO)?;
        let whole = self.effort;
        self.effort.0 = whole.0 / LASSO_PART;
        let found = self.engines(Ask::One(bmc), Half::First, outcome, stats);
        self.effort = whole;
        found.filter(|found| matches!(found, LivenessVerdict::Fails(_)))
    }

    /// What half a round of the engines finds, certified; `None` if others may have more to say.
    fn engines(
        &mut self,
        ask: Ask,
        half: Half,
        outcome: &mut Outcome,
        stats: &mut Stats,
    ) -> Option<LivenessVerdict> {
        let (verifier, effort, search) = (self.verifier, self.effort, &mut self.open.search);
        let (config, limits, progress) = (&verifier.options.config, &verifier.limits, verifier.progress);
        let found = verifier.panics.guard(|| match half {
            Half::First => search.first_half(ask, config, effort, limits, progress, stats),
            Half::Second => Some(search.second_half(ask, config, effort, limits, progress, stats)),
        });
        let Some(found) = found else {
            outcome.internal_errors.push("the engine crashed".to_owned());
            return None;
        };
        let (verdict, engine) = found?;
        outcome.engine = Some(engine);
        let clock = Instant::now();
        let verdict = verifier.certify_liveness(self.open.property, verdict);
        outcome.certify_seconds += clock.elapsed().as_secs_f64();
        Some(verdict)
    }

    /// What decision diagrams find, certified; `None` if others may have more to say.
    fn diagrams(&mut self, outcome: &mut Outcome) -> Option<LivenessVerdict> {
        if !self.open.diagrams || stopped(&self.verifier.limits).is_some() {
            return None;
        }
        let (verifier, start) = (self.verifier, Instant::now());
        let (ticks, share) = self.effort;
        // The other half is for loops, where somebody looks for them.
        let parts = if matches!(verifier.options.engine, EngineChoice::Bdd) { 1 } else { 2 };
        let deadline = share.map(|end| start + end.saturating_duration_since(start) / parts);
        verifier.progress.detail("decision diagrams");
        let watch = self.open.search.watch();
        let said = verifier.panics.guard(|| verifier.fair_runs(watch, (ticks, deadline)));
        let Some((verdict, why)) = said else {
            outcome.internal_errors.push("the decision diagrams crashed".to_owned());
            self.open.diagrams = false;
            return None;
        };
        let clock = Instant::now();
        let verdict = match verdict {
            LivenessVerdict::Unknown(reason) => {
                recover(&verifier.limits, Some(&reason));
                self.open.diagrams = !is_final(&reason);
                if let (true, UnknownReason::NotCertified(_)) = (is_final(&reason), &reason) {
                    outcome.internal_errors.push(reason.to_string());
                }
                return None;
            }
            LivenessVerdict::Holds(None) => Err(why.unwrap_or_default()),
            LivenessVerdict::Holds(Some(proof)) => self.certified(proof, clock - start),
            fails => Ok(verifier.certify_liveness(self.open.property, fails)),
        };
        outcome.certify_seconds += clock.elapsed().as_secs_f64();
        match verdict {
            Ok(verdict) => {
                outcome.engine = Some(EngineChoice::BDD);
                Some(verdict)
            }
            Err(why) => {
                (self.open.diagrams, self.uncertified) = (false, Some(why));
                None
            }
        }
    }

    /// The verdict of a proof that the checker accepts; or why it was not checked to the end.
    fn certified(&self, proof: LivenessProof, deciding: Duration) -> Result<LivenessVerdict, String> {
        let (verifier, property) = (self.verifier, self.open.property);
        let end = ctl_evidence::end(verifier, deciding);
        let limits = until(&verifier.limits, Some(end));
        let budget = Budget { conflicts: Some(ctl_evidence::CONFLICTS), ..budget(&limits) };
        let (system, edits) = (verifier.system, Edits::none());
        let checked = verifier
            .panics
            .guard(|| propcov_certify::check_liveness(system, &edits, property, &proof, &budget));
        match checked {
            Some(Ok(())) => Ok(LivenessVerdict::Holds(Some(proof))),
            Some(Err(rejection @ (Rejection::Undecided | Rejection::Unsupported(_)))) => {
                Err(ctl_evidence::unfinished(&rejection, &budget))
            }
            Some(Err(rejection)) => {
                Ok(LivenessVerdict::Unknown(UnknownReason::NotCertified(rejection.to_string())))
            }
            None => Ok(LivenessVerdict::Unknown(crashed())),
        }
    }
}

/// Of a round of the engines.
#[derive(Clone, Copy)]
enum Half {
    First,
    Second,
}
