//! Two lanes of engines, each on its own thread, that tell each other what they have found, and yet always do the same.
//!
//! Messages between threads arrive when they arrive, which is not the same twice. So time is counted in solver ticks, and there are *epochs*, each longer than the one before.
//! At the end of an epoch a lane waits for the other one to get there, and then reads what was sent during that epoch. A lane therefore sees the same messages after the
//! same work in every run. Of two answers to one question the one at the earlier tick counts.

use super::Partner;
use propcov_budget::Interrupt;
use propcov_ir::{Invariant, PropertyId, Verdict};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Ticks of the first epoch, and by how much an epoch is longer than the one before: in all, 3/2 times as long.
const FIRST: u64 = 100_000;

/// How often a waiting lane looks whether the user has lost patience.
const PATIENCE: Duration = Duration::from_millis(20);

/// What the lanes share.
pub(super) struct Exchange {
    state: Mutex<State>,
    changed: Condvar,
    /// One for each lane, to stop it once its work cannot count any more.
    interrupts: [Interrupt; 2],
    open: usize,
}

#[derive(Default)]
struct State {
    clocks: [u64; 2],
    left: [bool; 2],
    letters: Vec<Letter>,
    answers: BTreeMap<PropertyId, Answer>,
}

struct Letter {
    from: usize,
    time: u64,
    content: Content,
}

#[derive(Clone)]
enum Content {
    Lemmas(Invariant),
    Decided(PropertyId),
}

/// An answer to one question.
pub(super) struct Answer {
    pub(super) time: u64,
    pub(super) engine: &'static str,
    pub(super) verdict: Verdict,
    /// Frames that it took, of engines that have frames.
    pub(super) frames: Option<u32>,
    /// When it was there. For people; nothing depends on it.
    pub(super) found: Instant,
}

impl Answer {
    /// An answer that was found just now.
    pub(super) fn new(time: u64, engine: &'static str, verdict: Verdict) -> Answer {
        Answer { time, engine, verdict, frames: None, found: Instant::now() }
    }
}

impl Exchange {
    /// Room for the answers to so many questions.
    pub(super) fn new(interrupts: [Interrupt; 2], open: usize) -> Exchange {
        Exchange { state: Mutex::default(), changed: Condvar::new(), interrupts, open }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What stops a lane.
    pub(super) fn interrupt(&self, lane: usize) -> Interrupt {
        self.interrupts[lane].clone()
    }

    /// All answers.
    pub(super) fn answers(self) -> BTreeMap<PropertyId, Answer> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).answers
    }
}

/// One lane's place at the exchange.
pub(super) struct Lane<'e> {
    exchange: &'e Exchange,
    index: usize,
    epoch_end: u64,
    /// Ticks before the present engine began.
    pub(super) offset: u64,
    /// Letters that were read but not yet asked for.
    lemmas: Vec<Invariant>,
    decided: Vec<PropertyId>,
}

impl<'e> Lane<'e> {
    pub(super) fn new(exchange: &'e Exchange, index: usize, offset: u64) -> Lane<'e> {
        Lane { exchange, index, epoch_end: FIRST, offset, lemmas: Vec::new(), decided: Vec::new() }
    }

    /// What the lanes share.
    pub(super) fn exchange(&self) -> &'e Exchange {
        self.exchange
    }

    /// Says how far the lane is, and reads letters where an epoch is over.
    pub(super) fn advance(&mut self, time: u64) {
        while time >= self.epoch_end {
            self.wait(time);
            self.read();
            self.epoch_end = self.epoch_end / 2 * 3;
        }
    }

    fn wait(&self, time: u64) {
        let other = 1 - self.index;
        let mut state = self.exchange.lock();
        state.clocks[self.index] = time;
        self.exchange.changed.notify_all();
        let interrupt = &self.exchange.interrupts[self.index];
        while !state.left[other] && state.clocks[other] < self.epoch_end && !interrupt.is_raised() {
            let waited = self.exchange.changed.wait_timeout(state, PATIENCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if time > interrupt.tick_limit() {
                return;
            }
        }
    }

    /// Takes the letters of the epoch that is over.
    fn read(&mut self) {
        let mut state = self.exchange.lock();
        let mut rest = Vec::new();
        let mut letters = std::mem::take(&mut state.letters);
        letters.sort_by_key(|letter| letter.time);
        for letter in letters {
            if letter.from == self.index || letter.time > self.epoch_end {
                rest.push(letter);
                continue;
            }
            match letter.content {
                Content::Lemmas(lemmas) => self.lemmas.push(lemmas),
                Content::Decided(property) => self.decided.push(property),
            }
        }
        state.letters = rest;
    }

    /// Lemmas that have come.
    pub(super) fn take_lemmas(&mut self) -> Vec<Invariant> {
        std::mem::take(&mut self.lemmas)
    }

    /// Whether the other lane has decided a property, as far as this one knows.
    pub(super) fn is_decided(&self, property: PropertyId) -> bool {
        self.decided.contains(&property)
    }

    /// Sends lemmas.
    pub(super) fn publish(&self, time: u64, lemmas: Invariant) {
        let letter = Letter { from: self.index, time, content: Content::Lemmas(lemmas) };
        self.exchange.lock().letters.push(letter);
    }

    /// Gives an answer; the earlier one counts. Once every question has one, the other lane has only as much time as the latest of them took.
    pub(super) fn answer(&self, property: PropertyId, answer: Answer) {
        let mut state = self.exchange.lock();
        let letter = Letter { from: self.index, time: answer.time, content: Content::Decided(property) };
        state.letters.push(letter);
        let earlier = state
            .answers
            .get(&property)
            .is_none_or(|known| (answer.time, self.index) < (known.time, 1 - self.index));
        if earlier {
            state.answers.insert(property, answer);
        }
        if state.answers.len() == self.exchange.open {
            let last = state.answers.values().map(|answer| answer.time).max().unwrap_or(0);
            self.exchange.interrupts[1 - self.index].limit_ticks(last);
        }
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        self.exchange.lock().left[self.index] = true;
        self.exchange.changed.notify_all();
    }
}

impl Partner for Lane<'_> {
    fn news(&mut self, ticks: u64) -> Vec<Invariant> {
        self.advance(self.offset + ticks);
        self.take_lemmas()
    }
}
