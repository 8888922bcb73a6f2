//! How properties share the time of a run.
//!
//! Each property gets an equal share of what is left, so a hard one at the front does not starve the rest, and what easy
//! ones leave over goes to those behind them. If time is left in the end, the ones that ran out of it are tried again, as
//! long as they get considerably more than before: engines start anew, so the same share would bring nothing.

use std::time::{Duration, Instant};

/// A property is tried again only with this many times the time it had before.
const GROWTH: f64 = 1.5;

/// How an attempt at one property ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// There is nothing more to try.
    Final,
    /// More time might help.
    OutOfTime,
}

/// Attempts `count` jobs until the deadline. The attempt is told the number of the job and its own deadline.
pub(crate) fn share(
    count: usize,
    deadline: Option<Instant>,
    mut attempt: impl FnMut(usize, Option<Instant>) -> Attempt,
) {
    let mut pending: Vec<(usize, Duration)> = (0..count).map(|job| (job, Duration::ZERO)).collect();
    let mut first_round = true;
    while !pending.is_empty() {
        let mut again = Vec::new();
        for (position, (job, before)) in pending.iter().copied().enumerate() {
            let now = Instant::now();
            let left = deadline.map(|deadline| deadline.saturating_duration_since(now));
            let share = left.map(|left| left / (pending.len() - position) as u32);
            if !first_round && share.is_none_or(|share| share.is_zero() || share < before.mul_f64(GROWTH)) {
                continue;
            }
            let own = share.map(|share| now + share);
            if attempt(job, own) == Attempt::OutOfTime {
                again.push((job, share.unwrap_or_default()));
            }
        }
        pending = again;
        first_round = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_deadline_each_job_is_attempted_once() {
        let mut attempts = Vec::new();
        share(3, None, |job, deadline| {
            attempts.push((job, deadline));
            Attempt::OutOfTime
        });
        assert_eq!(attempts, [(0, None), (1, None), (2, None)]);
    }

    #[test]
    fn after_the_deadline_each_job_is_still_asked_once() {
        let mut attempts = Vec::new();
        share(2, Some(Instant::now()), |job, _| {
            attempts.push(job);
            Attempt::OutOfTime
        });
        assert_eq!(attempts, [0, 1]);
    }

    #[test]
    fn time_that_others_leave_over_goes_to_the_one_that_needs_it() {
        let start = Instant::now();
        let total = Duration::from_secs(3600);
        let mut granted = Vec::new();
        share(3, Some(start + total), |job, deadline| {
            granted.push((job, deadline.map(|deadline| deadline - start)));
            // Job 0 never has enough; the others need no time at all.
            if job == 0 && granted.len() < 9 { Attempt::OutOfTime } else { Attempt::Final }
        });
        let jobs: Vec<usize> = granted.iter().map(|(job, _)| *job).collect();
        assert_eq!(jobs, [0, 1, 2, 0], "it is tried again, once: more than everything there is not");
        let near = |granted: Option<Duration>, expected: Duration| {
            granted.is_some_and(|granted| granted.abs_diff(expected) < Duration::from_secs(60))
        };
        assert!(near(granted[0].1, total / 3) && near(granted[1].1, total / 2) && near(granted[3].1, total));
    }
}
