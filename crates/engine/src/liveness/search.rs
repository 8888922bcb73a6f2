//! The search for a lasso or a proof, in rounds of growing effort.
//!
//! A round looks for short lassos first, then counts, with a bound that grows as long as it is exceeded, and then has all engines try whether there is
//! a lasso at all. Before that, others may try who have ways of their own.

use super::watch::{Reduced, Watch};
use crate::limits::{Limits, Observer, Stats};
use crate::{Config, ENGINES, Engine, Report, check, portfolio};
use propcov_ir::{Edits, LivenessProof, LivenessVerdict, PropertyId, System, UnknownReason, Verdict};
use std::time::Instant;

/// What finds lassos step by step is called.
pub const LASSO: &str = "bmc";
/// What counts rounds is called.
pub const ROUNDS: &str = "k-liveness";
/// What asks for loops with all engines is called.
pub const LOOP: &str = "liveness-to-safety";

/// More rounds are not counted.
const MOST_ROUNDS: u32 = 64;
/// The part of a round's effort that looks for short lassos.
const LASSO_PART: u64 = 4;

/// Who is asked about the invariants.
#[derive(Clone, Copy)]
pub enum Ask {
    /// All engines that can prove.
    All,
    /// This one.
    One(&'static Engine),
}

/// A search for an answer to one liveness property of one system.
pub struct Search<'s> {
    edits: &'s Edits,
    watch: Watch,
    loops: Option<Reduced>,
    /// The number of rounds that may be enough.
    bound: u32,
}

impl<'s> Search<'s> {
    /// Prepares the search.
    ///
    /// # Errors
    /// When the property is none of liveness, or has no invariant to stand for it.
    pub fn new(system: &System, edits: &'s Edits, property: PropertyId) -> Result<Search<'s>, UnknownReason> {
        let watch = Watch::new(system, property)?;
        // A run of an infinite system need not come back to where it was.
        let loops = watch.is_finite(edits).then(|| watch.loops(edits));
        Ok(Search { edits, watch, loops, bound: 0 })
    }

    /// The system that watches for violations.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Whether the system is finite: otherwise a run need not come back to where it was.
    pub fn is_finite(&self) -> bool {
        self.loops.is_some()
    }

    /// One more round, with this many ticks for each of its parts. What was found has to be certified before anyone believes it.
    pub fn round(
        &mut self,
        ask: Ask,
        config: &Config,
        effort: (u64, Option<Instant>),
        limits: &Limits,
        observer: &dyn Observer,
        stats: &mut Stats,
    ) -> (LivenessVerdict, &'static str) {
        match self.first_half(ask, config, effort, limits, observer, stats) {
            Some(found) => found,
            None => self.second_half(ask, config, effort, limits, observer, stats),
        }
    }

    /// The first half of a round: short lassos, and counting. `None` if the second may bring more.
    pub fn first_half(
        &mut self,
        ask: Ask,
        config: &Config,
        (ticks, deadline): (u64, Option<Instant>),
        limits: &Limits,
        observer: &dyn Observer,
        stats: &mut Stats,
    ) -> Option<(LivenessVerdict, &'static str)> {
        let mut attempt = Attempt { edits: self.edits, config, limits, observer, stats };
        let proves = match ask {
            Ask::All => true,
            Ask::One(engine) => engine.proves,
        };
        if let Some(loops) = &self.loops {
            let first = match ask {
                Ask::All => ENGINES.iter().find(|engine| engine.name == LASSO).map(Ask::One),
                Ask::One(engine) => (!engine.proves).then_some(Ask::One(engine)),
            };
            if let Some(first) = first {
                let part = if proves { ticks / LASSO_PART } else { ticks };
                match attempt.ask(loops, first, (part, deadline)) {
                    Verdict::Falsified(run) => return Some((lasso(loops, &run), LASSO)),
                    Verdict::Unknown(reason) if !proves || is_final(&reason) => {
                        return Some((LivenessVerdict::Unknown(unbounded(reason)), LASSO));
                    }
                    _ => {}
                }
            }
        }
        if !proves {
            let why = "only loops of finite systems are looked for, and this one is infinite";
            return Some((LivenessVerdict::Unknown(UnknownReason::Incomplete(why.to_owned())), LASSO));
        }
        let before = attempt.stats.ticks;
        while self.bound <= MOST_ROUNDS && attempt.stats.ticks.saturating_sub(before) <= ticks {
            let rounds = self.watch.rounds(self.bound);
            match attempt.ask(&rounds, ask, (ticks, deadline)) {
                Verdict::Proved(proof) => {
                    let proof = LivenessProof { reduction: rounds.reduction, proof };
                    return Some((LivenessVerdict::Holds(Some(proof)), ROUNDS));
                }
                Verdict::Falsified(_) => self.bound = more(self.bound),
                Verdict::Unknown(_) => break,
            }
        }
        None
    }

    /// The second half of a round: whether there is a lasso at all.
    pub fn second_half(
        &mut self,
        ask: Ask,
        config: &Config,
        effort: (u64, Option<Instant>),
        limits: &Limits,
        observer: &dyn Observer,
        stats: &mut Stats,
    ) -> (LivenessVerdict, &'static str) {
        let Some(loops) = &self.loops else {
            let why = "counting did not prove it, and loops of infinite systems are not looked for";
            return (LivenessVerdict::Unknown(UnknownReason::Incomplete(why.to_owned())), ROUNDS);
        };
        let mut attempt = Attempt { edits: self.edits, config, limits, observer, stats };
        match attempt.ask(loops, ask, effort) {
            Verdict::Proved(proof) => {
                let proof = LivenessProof { reduction: loops.reduction.clone(), proof };
                (LivenessVerdict::Holds(Some(proof)), LOOP)
            }
            Verdict::Falsified(run) => (lasso(loops, &run), LOOP),
            Verdict::Unknown(reason) => (LivenessVerdict::Unknown(unbounded(reason)), LOOP),
        }
    }
}

/// One by one at first.
fn more(bound: u32) -> u32 {
    bound + (bound / 4).max(1)
}

/// Whether no engine would say anything else.
fn is_final(reason: &UnknownReason) -> bool {
    matches!(reason, UnknownReason::Unsupported(_))
}

/// That a bound was reached says nothing about how long a run goes on.
fn unbounded(reason: UnknownReason) -> UnknownReason {
    match reason {
        UnknownReason::Bounded(depth) => UnknownReason::Incomplete(format!(
            "no counterexample whose loop closes within {depth} transitions"
        )),
        reason => reason,
    }
}

fn lasso(loops: &Reduced, run: &propcov_ir::Trace) -> LivenessVerdict {
    match loops.lasso(run) {
        Some(lasso) => LivenessVerdict::Fails(lasso),
        None => LivenessVerdict::Unknown(UnknownReason::NotCertified("a loop that never begins".to_owned())),
    }
}

struct Attempt<'a> {
    edits: &'a Edits,
    config: &'a Config,
    limits: &'a Limits,
    observer: &'a dyn Observer,
    stats: &'a mut Stats,
}

impl Attempt<'_> {
    fn ask(&mut self, reduced: &Reduced, ask: Ask, (ticks, deadline): (u64, Option<Instant>)) -> Verdict {
        let limits = self.limits.for_one(ticks, deadline);
        let (system, property) = (&reduced.system, reduced.property);
        let Report { verdict, stats, .. } = match ask {
            Ask::All => portfolio::check(system, self.edits, property, self.config, &limits, self.observer),
            Ask::One(engine) => {
                check(engine, system, self.edits, property, self.config, &limits, self.observer)
            }
        };
        // How far others have looked is about invariants of theirs.
        self.stats.merge(&Stats { cleared: None, frames: None, ..stats });
        verdict
    }
}
