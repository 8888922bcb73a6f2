//! How much work a query may do, and how to stop it from another thread.
//!
//! All solvers obey it, and so does whoever asks them: what runs for long takes a [`Budget`] and looks at it often. It
//! depends on nothing, so that nobody has to link a solver in order to be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Limits of one query.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// At most this many conflicts.
    pub conflicts: Option<u64>,
    /// Not beyond this moment.
    pub deadline: Option<Instant>,
    /// Not after this was raised.
    pub interrupt: Interrupt,
}

/// A flag that any thread may raise to stop the queries that watch it. Clones share the flag.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    tick_limit: Arc<AtomicU64>,
}

impl Default for Interrupt {
    fn default() -> Interrupt {
        Interrupt { raised: Arc::default(), tick_limit: Arc::new(AtomicU64::new(u64::MAX)) }
    }
}

impl Interrupt {
    /// Stops every query that watches this flag, for good.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// A flag that is raised together with this one, but has a tick limit of its own.
    pub fn child(&self) -> Interrupt {
        Interrupt { raised: Arc::clone(&self.raised), ..Interrupt::default() }
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Stops whoever watches this flag once its work, in ticks, exceeds the limit. The lowest limit counts.
    pub fn limit_ticks(&self, ticks: u64) {
        self.tick_limit.fetch_min(ticks, Ordering::Relaxed);
    }

    /// The limit set by [`Interrupt::limit_ticks`].
    pub fn tick_limit(&self) -> u64 {
        self.tick_limit.load(Ordering::Relaxed)
    }
}

/// How much work questions are worth that may never be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// A certain amount of work for each, the same on every machine.
    #[default]
    Default,
    /// Whatever it takes: only a timeout or somebody's patience ends it.
    Max,
}

impl Effort {
    /// All efforts.
    pub const ALL: [Effort; 2] = [Effort::Default, Effort::Max];

    /// The word users type and read.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Default => "default",
            Effort::Max => "max",
        }
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Effort::Default => "a limited amount of work for each question, the same on every machine",
            Effort::Max => "no limit but --timeout",
        }
    }

    /// The effort with this name.
    pub fn named(name: &str) -> Option<Effort> {
        Effort::ALL.into_iter().find(|effort| effort.name() == name)
    }
}

impl Budget {
    /// Whether work has to stop now, whatever the conflicts.
    pub fn is_exhausted(&self) -> bool {
        self.interrupt.is_raised() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_raised_with_its_parent_but_has_its_own_limit() {
        let parent = Interrupt::default();
        let child = parent.child();
        child.limit_ticks(9);
        child.limit_ticks(7);
        child.limit_ticks(8);
        assert_eq!((child.tick_limit(), parent.tick_limit()), (7, u64::MAX));
        assert!(!child.is_raised());
        parent.raise();
        assert!(child.is_raised());
    }

    #[test]
    fn a_budget_is_exhausted_by_its_deadline_or_its_flag() {
        let budget = Budget::default();
        assert!(!budget.is_exhausted());
        assert!(Budget { deadline: Some(Instant::now()), ..budget.clone() }.is_exhausted());
        let copy = budget.clone();
        budget.interrupt.raise();
        assert!(copy.is_exhausted());
    }
}
