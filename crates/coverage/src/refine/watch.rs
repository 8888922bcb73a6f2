//! The budget, looked at every few thousand steps.

use super::Stopped;
use propcov_budget::Budget;

/// Steps between two looks at the clock.
const INTERVAL: usize = 1 << 14;

/// Counts steps until the next look at the budget.
#[derive(Clone, Debug)]
pub(super) struct Watch<'b> {
    budget: &'b Budget,
    left: usize,
}

impl<'b> Watch<'b> {
    pub(super) fn new(budget: &'b Budget) -> Watch<'b> {
        Watch { budget, left: 0 }
    }

    /// So many steps were done.
    pub(super) fn step(&mut self, steps: usize) -> Result<(), Stopped> {
        if self.left > steps {
            self.left -= steps;
            return Ok(());
        }
        self.left = INTERVAL;
        if self.budget.is_exhausted() { Err(Stopped::Budget) } else { Ok(()) }
    }
}
