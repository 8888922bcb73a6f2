//! Whose turn it is among engines that share a thread: the one whose clock, in solver ticks, is behind. See
//! [`crate::finite`] for the race that it is made for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Lets one racer per lane run at a time: the one whose clock is behind.
pub(crate) struct Turnstile {
    lanes: Vec<usize>,
    state: Mutex<Vec<Runner>>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct Runner {
    time: u64,
    left: bool,
    waiting: bool,
}

/// A racer's place at the turnstile.
#[derive(Clone)]
pub(crate) struct Turn {
    turnstile: Arc<Turnstile>,
    racer: usize,
    pace: u64,
}

/// Leaves the turnstile when the racer is done, even by a panic: nobody may wait for it any more.
pub(crate) struct Place {
    turnstile: Arc<Turnstile>,
    racer: usize,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.turnstile.leave(self.racer);
    }
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Turn({})", self.racer)
    }
}

impl Turn {
    /// The first turn of a racer: waits for it. A tick is so much time on the racer's clock.
    pub(crate) fn first(turnstile: &Arc<Turnstile>, racer: usize, pace: u64) -> Turn {
        let turn = Turn { turnstile: Arc::clone(turnstile), racer, pace };
        turn.advance(0);
        turn
    }

    /// To be kept for as long as the racer runs.
    pub(crate) fn place(&self) -> Place {
        Place { turnstile: Arc::clone(&self.turnstile), racer: self.racer }
    }

    /// Says how far the racer is, and waits until it is its turn.
    pub(crate) fn advance(&self, ticks: u64) {
        self.turnstile.advance(self.racer, ticks.saturating_mul(self.pace));
    }
}

impl Turnstile {
    /// A turnstile for racers in these lanes.
    pub(crate) fn new(lanes: Vec<usize>) -> Turnstile {
        // Everyone is running until it first asks: the first question sorts them out.
        let runners = vec![Runner { waiting: true, ..Runner::default() }; lanes.len()];
        Turnstile { lanes, state: Mutex::new(runners), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Runner>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(&self, racer: usize, time: u64) {
        let mut runners = self.lock();
        runners[racer] = Runner { time, left: false, waiting: true };
        self.changed.notify_all();
        while !self.may_run(&runners, racer) {
            runners = self.changed.wait(runners).unwrap_or_else(PoisonError::into_inner);
        }
        runners[racer].waiting = false;
    }

    /// Nobody in the lane is running, and nobody who waits is behind.
    fn may_run(&self, runners: &[Runner], racer: usize) -> bool {
        let own = (runners[racer].time, racer);
        runners.iter().enumerate().all(|(other, runner)| {
            other == racer
                || runner.left
                || self.lanes[other] != self.lanes[racer]
                || (runner.waiting && (runner.time, other) > own)
        })
    }

    fn leave(&self, racer: usize) {
        let mut runners = self.lock();
        runners[racer].left = true;
        self.changed.notify_all();
    }
}
