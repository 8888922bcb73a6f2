//! When how much was decided: what can be had from a run that is stopped early.

use std::collections::BTreeMap;
use std::time::Instant;

/// Shares of the findings, in percent, whose moments are noted: those of Figure 4 of Chockler, Kroening and Purandare,
/// *Coverage in interpolation-based model checking*, DAC 2010.
const SHARES: [usize; 6] = [50, 80, 90, 96, 99, 100];

/// Counts findings as they are decided.
pub(crate) struct Milestones {
    start: Instant,
    total: usize,
    decided: usize,
    /// Seconds since the start at which a share was reached.
    reached: BTreeMap<usize, f64>,
}

impl Milestones {
    /// Of so many findings, none is decided.
    pub(crate) fn new(start: Instant, total: usize) -> Milestones {
        Milestones { start, total, decided: 0, reached: BTreeMap::new() }
    }

    /// So many more are decided now.
    pub(crate) fn decided(&mut self, count: usize) {
        self.decided += count;
        let is_reached = |share: usize| self.decided > 0 && self.decided * 100 >= share * self.total;
        let seconds = self.start.elapsed().as_secs_f64();
        for share in SHARES.into_iter().filter(|share| is_reached(*share)) {
            self.reached.entry(share).or_insert(seconds);
        }
    }

    /// The seconds for each share that was reached.
    pub(crate) fn reached(self) -> BTreeMap<usize, f64> {
        self.reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shares that are reached after so many of so many.
    fn shares(total: usize, decided: &[usize]) -> Vec<usize> {
        let mut milestones = Milestones::new(Instant::now(), total);
        decided.iter().for_each(|count| milestones.decided(*count));
        milestones.reached().into_keys().collect()
    }

    #[test]
    fn a_share_is_reached_when_it_is_whole_and_not_before() {
        assert_eq!(shares(200, &[99]), [] as [usize; 0]);
        assert_eq!(shares(200, &[99, 1]), [50]);
        assert_eq!(shares(200, &[191]), [50, 80, 90]);
        assert_eq!(shares(200, &[192]), [50, 80, 90, 96]);
        assert_eq!(shares(200, &[199]), [50, 80, 90, 96, 99]);
        assert_eq!(shares(3, &[1, 1, 1]), SHARES);
        assert_eq!(shares(0, &[0]), [] as [usize; 0]);
    }

    #[test]
    fn the_first_moment_counts() {
        let mut milestones = Milestones::new(Instant::now(), 2);
        milestones.decided(1);
        let half = milestones.reached[&50];
        while milestones.start.elapsed().as_secs_f64() <= half {}
        milestones.decided(1);
        let reached = milestones.reached();
        assert_eq!(reached[&50], half);
        assert!(reached[&100] > half);
    }
}
