//! When to give up the decisions and start over: after the Luby sequence times a constant.
//!
//! # References
//!
//! Luby, Sinclair, Zuckerman: Optimal Speedup of Las Vegas Algorithms. Information Processing Letters 47, 1993.

const UNIT: u64 = 64;

/// Counts the conflicts of one query.
#[derive(Clone, Debug)]
pub(super) struct Restarts {
    index: u64,
    left: u64,
}

impl Restarts {
    pub(super) fn new() -> Restarts {
        Restarts { index: 1, left: UNIT }
    }

    /// Notes a conflict.
    pub(super) fn on_conflict(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Whether to restart now; begins the next interval if so.
    pub(super) fn is_due(&mut self) -> bool {
        if self.left > 0 {
            return false;
        }
        self.index += 1;
        self.left = UNIT * luby(self.index);
        true
    }
}

/// Luby's sequence 1, 1, 2, 1, 1, 2, 4, …, counting from 1.
pub fn luby(mut index: u64) -> u64 {
    loop {
        let bits = u64::BITS - index.leading_zeros();
        if index + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn the_luby_sequence_begins_as_in_the_paper() {
        let sequence: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
