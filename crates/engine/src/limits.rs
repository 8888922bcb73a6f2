//! How long an engine may work, what it tells while it does, and what it counts.

use crate::turnstile::Turn;
use propcov_budget::{Budget, Interrupt};
use propcov_ir::UnknownReason;
use std::collections::BTreeMap;
use std::time::Instant;

/// Limits of one engine run.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Not beyond this moment.
    pub deadline: Option<Instant>,
    /// At most this many solver conflicts.
    pub conflicts: Option<u64>,
    /// At most this many transitions of unrolling, or this many frames.
    pub depth: Option<u32>,
    /// Not after this was raised.
    pub interrupt: Interrupt,
    /// The engine's place among those that share its thread.
    pub(crate) turn: Option<Turn>,
}

impl Limits {
    /// What a solver gets to spend on one query, after `spent` conflicts.
    pub(crate) fn budget(&self, spent: u64) -> Budget {
        Budget {
            conflicts: self.conflicts.map(|limit| limit.saturating_sub(spent)),
            deadline: self.deadline,
            interrupt: self.interrupt.clone(),
        }
    }

    /// What a solver that lives on gets to spend on one more query: ticks count from what it has spent so far.
    pub(crate) fn query(&self, ticks: u64) -> Budget {
        let mut budget = self.budget(0);
        let limit = self.interrupt.tick_limit();
        if limit < u64::MAX {
            budget.interrupt = self.interrupt.child();
            budget.interrupt.limit_ticks(limit.saturating_add(ticks));
        }
        budget
    }

    /// The same limits with another depth.
    #[must_use]
    pub fn with_depth(&self, depth: Option<u32>) -> Limits {
        Limits { depth, ..self.clone() }
    }

    /// The same limits with others for one question among many: at most so many ticks, and not beyond a moment.
    #[must_use]
    pub fn for_one(&self, ticks: u64, deadline: Option<Instant>) -> Limits {
        let interrupt = self.interrupt.child();
        interrupt.limit_ticks(ticks.min(self.interrupt.tick_limit()));
        let deadline = match (self.deadline, deadline) {
            (Some(own), Some(other)) => Some(own.min(other)),
            (own, other) => own.or(other),
        };
        Limits { deadline, interrupt, ..self.clone() }
    }

    /// Whether an engine that has worked for this many ticks has to stop. In a portfolio this is where it waits for its
    /// turn.
    pub fn exhausted(&self, ticks: u64) -> bool {
        if let Some(turn) = &self.turn {
            turn.advance(ticks);
        }
        self.interrupt.is_raised()
            || ticks > self.interrupt.tick_limit()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Conflicts of one query, while there are others that need not wait for it: few where there is little effort in all.
    pub(crate) fn patience(&self) -> u64 {
        const TICKS_PER_CONFLICT: u64 = 8_000;
        const SHORTEST: u64 = 500;
        const LONGEST: u64 = 20_000;
        (self.interrupt.tick_limit() / TICKS_PER_CONFLICT).clamp(SHORTEST, LONGEST)
    }

    /// What a solver gets to spend on one query while there are others that need not wait for it.
    pub(crate) fn brief_budget(&self, spent: u64, patience: u64) -> Budget {
        let mut budget = self.budget(spent);
        budget.conflicts = Some(budget.conflicts.map_or(patience, |own| own.min(patience)));
        budget
    }

    /// Why a query was not answered.
    pub fn reason(&self) -> UnknownReason {
        match self.budget(0).stop() {
            Some(stop) => stop.into(),
            None if self.conflicts.is_none() && self.interrupt.tick_limit() < u64::MAX => {
                UnknownReason::Cancelled
            }
            None => UnknownReason::Conflicts,
        }
    }
}

/// What an engine reports while it works. Must be cheap: it is called on every new depth.
pub trait Observer: Sync {
    /// An engine has reached a depth (or frame).
    fn progress(&self, engine: &'static str, depth: u32);
}

/// Nobody listens.
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: &'static str, _: u32) {}
}

/// What an engine counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Solver calls by cause.
    pub solver_calls: BTreeMap<&'static str, u64>,
    /// Other counts: frames, lemmas, obligations.
    pub counts: BTreeMap<&'static str, u64>,
    /// Work in solver ticks.
    pub ticks: u64,
    /// No run of up to this many transitions violates the property. Not certified.
    pub cleared: Option<u32>,
    /// How deep an engine had looked when it had its answer, where that is not the length of an induction: frames of IC3, bound and
    /// images of interpolation. Those who look at changes of the design look as deep.
    pub frames: Option<u32>,
}

impl Stats {
    /// Counts one solver call.
    pub fn call(&mut self, cause: &'static str) {
        *self.solver_calls.entry(cause).or_default() += 1;
    }

    /// Sets another count.
    pub fn count(&mut self, what: &'static str, count: u64) {
        self.counts.insert(what, count);
    }

    /// Adds to another count.
    pub fn add(&mut self, what: &'static str, count: u64) {
        *self.counts.entry(what).or_default() += count;
    }

    /// Notes that no run of up to this many transitions violates the property.
    pub fn clear(&mut self, depth: u32) {
        self.cleared = self.cleared.max(Some(depth));
    }

    /// Adds another run's counts to this one's. How deep it looked stays its own.
    pub fn merge(&mut self, other: &Stats) {
        for (cause, calls) in &other.solver_calls {
            *self.solver_calls.entry(cause).or_default() += calls;
        }
        for (what, count) in &other.counts {
            *self.counts.entry(what).or_default() += count;
        }
        self.ticks += other.ticks;
        self.cleared = self.cleared.max(other.cleared);
    }
}
