//! How properties share the time of a run.
//!
//! A hard property at the front must not starve the rest. So there are rounds: first a short attempt at each, then longer
//! ones at those that ran out of time. Engines start anew each time; as attempts grow, what is wasted stays small. With
//! a deadline, the second round shares all that is left equally, and further ones follow only where easier properties have
//! left over enough. Without, attempts grow until one property is left, which may take as long as it likes.
//!
//! Who has other things to do with what is easy may want the first round only ([`Patience::Brief`]).

use std::time::{Duration, Instant};

/// With a deadline, the first round takes this part of the time.
const QUICK_PART: u32 = 10;
/// The shortest first attempt, if the deadline allows it.
const SHORTEST: Duration = Duration::from_millis(250);
/// With a deadline, another attempt must have this many times the time of the one before.
const GROWTH: f64 = 1.5;
/// Without a deadline, the time of the first attempt, and how it grows from round to round.
const FIRST: Duration = Duration::from_secs(10);
const ROUND_GROWTH: u32 = 4;

/// How an attempt at one property ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// There is nothing more to try.
    Final,
    /// More time might help.
    OutOfTime,
}

/// How long jobs are attempted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patience {
    /// One short attempt at each. It does not matter how long others have taken.
    Brief,
    /// As long as the time allows.
    #[default]
    Full,
}

/// Attempts `count` jobs until each is final or the deadline has passed; each at least once. The attempt is told the
/// number of the job and its own deadline.
pub fn share(
    count: usize,
    deadline: Option<Instant>,
    patience: Patience,
    mut attempt: impl FnMut(usize, Option<Instant>) -> Attempt,
) {
    let mut pending: Vec<(usize, Duration)> = (0..count).map(|job| (job, Duration::ZERO)).collect();
    for round in 0.. {
        let mut again = Vec::new();
        for (position, (job, before)) in pending.iter().copied().enumerate() {
            let now = Instant::now();
            let left = deadline.map(|deadline| deadline.saturating_duration_since(now));
            let share = match left {
                Some(left) if patience == Patience::Brief => Some(part(left, count, true)),
                Some(left) => Some(part(left, pending.len() - position, round == 0 && count > 1)),
                None if pending.len() == 1 && patience == Patience::Full => None,
                None => Some(FIRST.saturating_mul(ROUND_GROWTH.saturating_pow(round))),
            };
            let grown = share.is_none_or(|share| !share.is_zero() && share >= before.mul_f64(GROWTH));
            if round > 0 && !grown {
                continue;
            }
            if attempt(job, share.and_then(|share| now.checked_add(share))) == Attempt::OutOfTime {
                again.push((job, share.unwrap_or(Duration::MAX / 2)));
            }
        }
        pending = again;
        if pending.is_empty() || patience == Patience::Brief {
            return;
        }
    }
}

/// The end of a brief attempt at so many jobs, all of them at once.
pub(crate) fn brief(count: usize, deadline: Option<Instant>) -> Option<Instant> {
    let now = Instant::now();
    let jobs = u32::try_from(count).unwrap_or(u32::MAX);
    let time = match deadline {
        Some(deadline) => {
            let left = deadline.saturating_duration_since(now);
            part(left, count, true).saturating_mul(jobs).min(left)
        }
        None => FIRST.saturating_mul(jobs),
    };
    now.checked_add(time)
}

/// One job's part of the time that is left for so many.
fn part(left: Duration, jobs: usize, quick: bool) -> Duration {
    // Of no jobs at all nobody asks for a part, but the end of all of them.
    let equal = left / u32::try_from(jobs).unwrap_or(u32::MAX).max(1);
    if quick { (equal / QUICK_PART).max(SHORTEST).min(equal) } else { equal }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The attempts that are made, each with its time in seconds, when only job 0 is hard.
    fn attempts(count: usize, total: Option<u64>, rounds: usize) -> Vec<(usize, Option<u64>)> {
        let deadline = total.map(|total| Instant::now() + Duration::from_secs(total));
        let (mut attempts, mut hard) = (Vec::new(), 0);
        share(count, deadline, Patience::Full, |job, deadline| {
            let time = deadline.map(|deadline| (deadline - Instant::now()).as_secs_f64().round() as u64);
            attempts.push((job, time));
            hard += usize::from(job == 0);
            if job == 0 && hard < rounds { Attempt::OutOfTime } else { Attempt::Final }
        });
        attempts
    }

    #[test]
    fn a_single_job_gets_all_the_time_there_is() {
        assert_eq!(attempts(1, None, 1), [(0, None)]);
        assert_eq!(attempts(1, Some(600), 1), [(0, Some(600))]);
    }

    #[test]
    fn a_hard_job_is_put_off_until_the_others_had_their_turn() {
        // Attempts take no time here, so everything is left for the second one, and a third would bring nothing.
        let expected = [(0, Some(20)), (1, Some(30)), (2, Some(60)), (0, Some(600))];
        assert_eq!(attempts(3, Some(600), 9), expected);
    }

    #[test]
    fn without_a_deadline_attempts_grow_until_one_job_is_left() {
        assert_eq!(attempts(2, None, 2), [(0, Some(10)), (1, Some(10)), (0, None)]);
        let mut rounds = Vec::new();
        share(2, None, Patience::Full, |job, deadline| {
            rounds.extend(
                deadline.filter(|_| job == 0).map(|at| (at - Instant::now()).as_secs_f64().round() as u64),
            );
            if rounds.len() < 3 { Attempt::OutOfTime } else { Attempt::Final }
        });
        assert_eq!(rounds, [10, 40, 160]);
    }

    #[test]
    fn after_the_deadline_each_job_is_still_asked_once() {
        let mut attempts = Vec::new();
        share(2, Some(Instant::now()), Patience::Full, |job, _| {
            attempts.push(job);
            Attempt::OutOfTime
        });
        assert_eq!(attempts, [0, 1]);
    }

    #[test]
    fn brief_attempts_are_short_and_there_is_one_at_each() {
        for (total, expected) in [(Some(600), 30), (None, 10)] {
            let deadline = total.map(|total| Instant::now() + Duration::from_secs(total));
            let mut attempts = Vec::new();
            share(2, deadline, Patience::Brief, |job, deadline| {
                let time = deadline.map(|deadline| (deadline - Instant::now()).as_secs_f64().round() as u64);
                attempts.push((job, time));
                Attempt::OutOfTime
            });
            assert_eq!(attempts, [(0, Some(expected)), (1, Some(expected))]);
        }
    }

    #[test]
    fn a_brief_attempt_at_no_job_at_all_is_over_at_once() {
        for deadline in [Some(Instant::now() + Duration::from_secs(600)), None] {
            assert!(brief(0, deadline).is_some_and(|end| end <= Instant::now()));
            share(0, deadline, Patience::Brief, |_, _| unreachable!("there is no job"));
        }
    }
}
