//! How much work a query may do, and how to stop it from another thread.
//!
//! All solvers obey it, and so does whoever asks them: what runs for long takes a [`Budget`] and looks at it often. It
//! depends on nothing, so that nobody has to link a solver in order to be stopped.

mod memory;

pub use memory::{MemoryWatch, default_cap, used};

use memory::Gauge;
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
    /// Not after this was raised, by somebody or for lack of memory.
    pub interrupt: Interrupt,
}

/// A flag that any thread may raise to stop the queries that watch it. Clones share the flag.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    memory: Arc<Gauge>,
    tick_limit: Arc<AtomicU64>,
}

/// Why work has to stop, whatever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is up.
    Timeout,
    /// The memory is used up.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
}

impl Default for Interrupt {
    fn default() -> Interrupt {
        let tick_limit = Arc::new(AtomicU64::new(u64::MAX));
        Interrupt { raised: Arc::default(), memory: Arc::default(), tick_limit }
    }
}

impl Interrupt {
    /// Stops every query that watches this flag, for good.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// A flag that is raised together with this one, but has a tick limit of its own.
    pub fn child(&self) -> Interrupt {
        let (raised, memory) = (Arc::clone(&self.raised), Arc::clone(&self.memory));
        Interrupt { raised, memory, ..Interrupt::default() }
    }

    /// Whether work has to stop: it was raised, or the memory is used up.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.memory.is_exceeded()
    }

    /// Whether somebody asked to stop, memory aside.
    pub fn is_cancelled(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Whether the memory is used up. Stays so until [`Interrupt::recover`].
    pub fn is_out_of_memory(&self) -> bool {
        self.memory.is_exceeded()
    }

    /// Stops every query that watches this flag, because the memory is used up.
    pub fn exceed_memory(&self) {
        self.memory.exceed();
    }

    /// A flag that nobody has raised yet, under the same limit of memory: for what is still done after somebody asked to stop.
    #[must_use]
    pub fn renewed(&self) -> Interrupt {
        Interrupt { memory: Arc::clone(&self.memory), ..Interrupt::default() }
    }

    /// Lets work go on after the memory was used up, if enough of it is free again. To be called when the work that used it has ended
    /// and was asked for its reason. Returns whether the memory suffices.
    pub fn recover(&self) -> bool {
        self.memory.recover()
    }

    pub(crate) fn gauge(&self) -> Arc<Gauge> {
        Arc::clone(&self.memory)
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

    /// Why work has to stop now, if it has to.
    pub fn stop(&self) -> Option<Stop> {
        if self.interrupt.is_out_of_memory() {
            return Some(Stop::Memory);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stop::Timeout);
        }
        self.interrupt.is_cancelled().then_some(Stop::Cancelled)
    }
}

/// A budget that is looked at once in a while, by those who do too little at a time to look at the clock each time. Once it was exhausted it
/// remains so: what was left half done then cannot be used.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    budget: Budget,
    work: u32,
    stopped: bool,
}

impl Meter {
    /// So many units of work pass between two looks at the budget: some hundred microseconds of building clauses.
    const PERIOD: u32 = 1 << 12;

    /// Looks at this budget.
    pub fn new(budget: Budget) -> Meter {
        Meter { budget, work: 0, stopped: false }
    }

    /// Notes that so much more is going to be done. Returns whether it must not.
    #[inline]
    pub fn is_spent(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_add(u32::try_from(work).unwrap_or(u32::MAX));
        if self.work >= Meter::PERIOD {
            self.work = 0;
            self.stopped = self.stopped || self.budget.is_exhausted();
        }
        self.stopped
    }

    /// Whether something was left half done.
    pub fn has_stopped(&self) -> bool {
        self.stopped
    }

    /// Looks at another budget from now on.
    pub fn watch(&mut self, budget: &Budget) {
        self.budget.clone_from(budget);
    }

    /// What is looked at.
    pub fn budget(&self) -> &Budget {
        &self.budget
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
    fn a_meter_looks_at_its_budget_once_in_a_while_and_never_forgets() {
        let mut meter = Meter::default();
        meter.budget.interrupt.exceed_memory();
        assert!(!meter.is_spent(1) && !meter.has_stopped());
        assert_eq!(meter.budget().stop(), Some(Stop::Memory));
        assert!(meter.is_spent(1 << 20));
        assert!(meter.budget.interrupt.recover());
        assert_eq!(meter.budget().stop(), None);
        assert!(meter.is_spent(1) && meter.has_stopped());
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
