//! How many steps it takes from one set of states to another: the least, or the most that it may take.
//!
//! As NuSMV defines `COMPUTE MIN [f, g]` and `MAX [f, g]`, among reachable fair states. The shortest path from a state of f to one of g has that many steps; there may be none. The longest one: all paths from f
//! have come to g after so many steps; there may be one that never does. Of paths from nowhere, or to nowhere, the longest is not defined.

use crate::ctl::{Evaluator, Failure};
use propcov_ir::Ctl;

/// A number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many.
    Steps(u32),
    /// There is no such path, or one that never ends.
    Infinite,
    /// No path begins, or none ends.
    Undefined,
}

impl Evaluator {
    /// The least number of steps from a state that satisfies one formula to one that satisfies another.
    ///
    /// # Errors
    /// When the budget does not suffice, or propositions read inputs.
    pub fn shortest(&mut self, from: &Ctl, to: &Ctl) -> Result<Length, Failure> {
        let (from, to) = (self.states(from)?, self.states(to)?);
        let (mut all, to) = (self.fair_among(&from)?, self.fair_among(&to)?);
        let mut frontier = all.clone();
        let mut steps = 0;
        while !frontier.is_false() {
            if !frontier.and(&to)?.is_false() {
                return Ok(Length::Steps(steps));
            }
            frontier = self.forward(&frontier)?.minus(&all)?;
            all = all.or(&frontier)?;
            steps += 1;
        }
        Ok(Length::Infinite)
    }

    /// The most steps that it may take from a state that satisfies one formula to one that satisfies another.
    ///
    /// # Errors
    /// When the budget does not suffice, or propositions read inputs.
    pub fn longest(&mut self, from: &Ctl, to: &Ctl) -> Result<Length, Failure> {
        let (from, to) = (self.states(from)?, self.states(to)?);
        let (from, to, fair) = (self.fair_among(&from)?, self.fair_among(&to)?, self.fair()?);
        if from.is_false() || to.is_false() {
            return Ok(Length::Undefined);
        }
        let elsewhere = fair.minus(&to)?;
        // Where a path of so many steps stays elsewhere.
        let mut stays = elsewhere.clone();
        let mut steps = 0;
        while !stays.and(&from)?.is_false() {
            let longer = self.fixpoints().before(&stays)?.and(&elsewhere)?;
            if longer == stays {
                return Ok(Length::Infinite);
            }
            stays = longer;
            steps += 1;
        }
        Ok(Length::Steps(steps))
    }
}
