//! What went wrong, in the user's own text: the attempt that fails, which part of it matched when, and where it failed.
//!
//! The ticks of a run are looked at again, with the property as it is written: who is to blame in `s |-> p` is found by asking after which match of `s`
//! the property `p` fails, and so on inwards, until something is left that only a Boolean says.
//!
//! A run that goes round and round for ever is looked at for some rounds; what no finite part of it refutes is asked of the alternating automaton.

use super::core::{Pool, SeqId};
use super::derive::Reading;
use super::obligations::Obligations;
use super::syntax::{Abort, Atom, Boolean, PieceId, Property, Sequence};
use std::collections::BTreeSet;

/// A part of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The piece of text.
    pub piece: PieceId,
    /// Its first tick.
    pub from: usize,
    /// Its last tick.
    pub to: usize,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It matched, or held.
    Matched,
    /// It did not, and should have.
    Failed,
    /// It never does, whatever tick one waits for.
    NeverMet,
}

/// An attempt that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The tick at which it began.
    pub start: usize,
    /// What happened.
    pub events: Vec<Event>,
}

/// The latest attempt that fails at the last tick of a word. A letter says which atoms hold.
pub fn failing_attempt(
    property: &Property,
    disabled: Option<Boolean>,
    begins: &[bool],
    word: &[Vec<bool>],
) -> Option<Attempt> {
    let last = word.len().checked_sub(1)?;
    let obligations = super::unmarked(property, disabled).ok()?;
    let letters = letters(word);
    let starts = (0..=last).rev().filter(|start| begins.get(*start).copied().unwrap_or(true));
    let start = starts.into_iter().find(|start| obligations.attempt(&letters, *start) == Some(last))?;
    let mut teller = Teller { word, last, round: None, events: Vec::new() };
    teller.property(property, start, None);
    Some(Attempt { start, events: teller.events })
}

/// The first attempt that fails on a word that goes round and round: after its last letter comes the one at `back` again. Ticks are counted on.
pub fn endless_attempt(
    property: &Property,
    disabled: Option<Boolean>,
    begins: &[bool],
    word: &[Vec<bool>],
    back: usize,
) -> Option<Attempt> {
    let automaton = super::alternating(property, disabled, false).ok()?;
    let (before, round) = word.split_at_checked(back).filter(|(_, round)| !round.is_empty())?;
    let succeeds = automaton.attempts(before, round);
    let start = (0..word.len()).find(|tick| begins[*tick] && !succeeds[*tick])?;
    let rounds = WINDOW.div_ceil(round.len()).max(2);
    let longer: Vec<Vec<bool>> =
        before.iter().chain(round.iter().cycle().take(rounds * round.len())).cloned().collect();
    let obligations = super::unmarked(property, disabled).ok()?;
    let events = match obligations.attempt(&letters(&longer), start) {
        Some(last) => told_until(&longer, last, property, start, None),
        None => {
            let (last, round) = (longer.len() - 1, Some((back, round.len())));
            let mut teller = Teller { word: &longer, last, round, events: Vec::new() };
            teller.property(property, start, None);
            teller.events
        }
    };
    Some(Attempt { start, events })
}

/// So many ticks of a run without an end are looked at for matches.
pub(super) const WINDOW: usize = 64;

/// Why an attempt fails at a tick.
fn told_until(
    word: &[Vec<bool>],
    last: usize,
    property: &Property,
    start: usize,
    piece: Option<PieceId>,
) -> Vec<Event> {
    let mut teller = Teller { word: &word[..=last], last, round: None, events: Vec::new() };
    teller.property(property, start, piece);
    teller.events
}

fn letters(word: &[Vec<bool>]) -> Vec<impl Fn(Atom) -> bool> {
    word.iter()
        .map(|letter| move |atom: Atom| letter.get(atom.0 as usize).copied().unwrap_or(false))
        .collect()
}

struct Teller<'w> {
    word: &'w [Vec<bool>],
    last: usize,
    /// The first tick and the length of what comes again and again, if the word has no end.
    round: Option<(usize, usize)>,
    events: Vec<Event>,
}

impl Teller<'_> {
    fn tell(&mut self, piece: Option<PieceId>, from: usize, to: usize, outcome: Outcome) {
        if let Some(piece) = piece {
            self.events.push(Event { piece, from, to, outcome });
        }
    }

    fn holds(&self, boolean: Boolean, tick: usize) -> bool {
        boolean.value(|atom| self.word[tick].get(atom.0 as usize).copied().unwrap_or(false))
    }

    /// The tick at which an attempt of a property fails.
    fn failure(&self, property: &Property, start: usize) -> Option<usize> {
        let mut pool = Pool::default();
        let property = pool.property(property, Reading::CLAIM);
        Obligations::of(&mut pool, property).ok()?.attempt(&letters(self.word), start)
    }

    /// Whether an attempt of a property fails.
    fn is_to_blame(&self, property: &Property, start: usize) -> bool {
        if self.failure(property, start).is_some_and(|failure| failure <= self.last) {
            return true;
        }
        let Some((back, length)) = self.round else { return false };
        let Ok(automaton) = super::alternating(property, None, false) else { return false };
        let (before, round) = (&self.word[..back], &self.word[back..back + length]);
        let same = if start < back { start } else { back + (start - back) % length };
        !automaton.attempts(before, round)[same]
    }

    /// The last ticks of all matches of a sequence.
    fn ends(&self, sequence: &Sequence, start: usize) -> BTreeSet<usize> {
        let mut pool = Pool::default();
        let mut open: BTreeSet<SeqId> = BTreeSet::from([pool.sequence(sequence)]);
        let mut ends = BTreeSet::new();
        for tick in start..=self.last {
            let mut next = BTreeSet::new();
            for seq in open {
                let Ok(linear) = pool.linear(seq) else { return ends };
                let moves = linear.iter().filter(|(guard, _)| guard.iter().all(|one| self.holds(*one, tick)));
                next.extend(moves.map(|(_, rest)| *rest));
            }
            if next.iter().any(|seq| pool.is_nullable(*seq)) {
                ends.insert(tick);
            }
            open = next;
        }
        ends
    }

    /// Why an attempt of a property fails.
    fn property(&mut self, property: &Property, start: usize, piece: Option<PieceId>) {
        let to_blame = Self::is_to_blame;
        if self.round.is_some()
            && let Some(last) = self.failure(property, start).filter(|last| *last <= self.last)
        {
            self.events.extend(told_until(self.word, last, property, start, piece));
            return;
        }
        match property {
            Property::At(piece, inner) => self.property(inner, start, Some(*piece)),
            Property::Sequence(sequence) | Property::Strength(_, sequence) if self.round.is_none() => {
                self.sequence(sequence, start, piece);
            }
            Property::Suffix(sequence, is_later, after) => {
                let later = usize::from(*is_later);
                let ends = self.ends(sequence, start);
                let end = ends.into_iter().find(|end| to_blame(self, after, end + later));
                match end {
                    Some(end) => {
                        self.tell(piece_of(sequence), start, end, Outcome::Matched);
                        self.property(after, end + later, None);
                    }
                    // The antecedent of `|=>` matched without any tick.
                    None => self.property(after, start, None),
                }
            }
            Property::FollowedBy(sequence, is_later, after) => match self.ends(sequence, start).last() {
                Some(end) => {
                    self.tell(piece_of(sequence), start, *end, Outcome::Matched);
                    self.property(after, end + usize::from(*is_later), piece);
                }
                None if self.round.is_none() => self.sequence(sequence, start, piece),
                None => self.fail(piece, start),
            },
            Property::Next(ticks, inner) => self.property(inner, start + *ticks as usize, piece),
            Property::And(left, right) => {
                let inner = if to_blame(self, left, start) { left } else { right };
                self.property(inner, start, piece);
            }
            Property::Or(left, right) => {
                self.property(left, start, piece);
                self.property(right, start, piece);
            }
            Property::Not(inner) => self.negation(inner, start, piece),
            Property::Implies(_, right) if to_blame(self, right, start) => {
                self.property(right, start, piece);
            }
            Property::If(condition, then, otherwise) => match otherwise {
                Some(otherwise) if !self.holds(*condition, start) => self.property(otherwise, start, piece),
                _ => self.property(then, start, piece),
            },
            Property::Case(items, default) => {
                let chosen = items.iter().find(|(condition, _)| self.holds(*condition, start));
                match chosen.map(|(_, item)| item).or(default.as_deref()) {
                    Some(item) => self.property(item, start, piece),
                    None => self.fail(piece, start),
                }
            }
            Property::Always(times, inner) => {
                let first = start + times.min as usize;
                match (first..=self.last).find(|tick| to_blame(self, inner, *tick)) {
                    Some(tick) => self.property(inner, tick, piece),
                    None => self.fail(piece, start),
                }
            }
            Property::Eventually(times, _) => self.fail(piece, (start + times.min as usize).min(self.last)),
            Property::Until(_, left, _) => {
                self.fail(piece, start);
                // It was not kept up.
                let broken = (start..=self.last).find(|tick| to_blame(self, left, *tick));
                if let Some(tick) = broken.filter(|_| self.round.is_none()) {
                    self.property(left, tick, None);
                }
            }
            Property::Abort(Abort::Accept, _, inner) => self.property(inner, start, piece),
            Property::Abort(Abort::Reject, condition, inner) => {
                // Either what it is about has failed, or it was rejected.
                match (start..=self.last).any(|tick| self.holds(*condition, tick)) {
                    false => self.property(inner, start, piece),
                    true => self.fail(piece, start),
                }
            }
            Property::Sequence(sequence) | Property::Strength(_, sequence) => {
                self.fail(piece_of(sequence).or(piece), start);
            }
            Property::Implies(..) | Property::Iff(..) => self.fail(piece, start),
        }
    }

    /// Why it is wrong that something does not hold: a sequence has matched.
    fn negation(&mut self, inner: &Property, start: usize, piece: Option<PieceId>) {
        let mut negated = inner;
        while let Property::At(_, inner) = negated {
            negated = inner;
        }
        match negated {
            Property::Not(twice) => return self.property(twice, start, piece),
            Property::Sequence(sequence) | Property::Strength(_, sequence) => {
                if let Some(end) = self.ends(sequence, start).first() {
                    self.tell(piece_of(sequence), start, *end, Outcome::Matched);
                }
            }
            _ => {}
        }
        self.fail(piece, start);
    }

    /// Tells that a part fails, at the last tick or never.
    fn fail(&mut self, piece: Option<PieceId>, from: usize) {
        let outcome = if self.round.is_some() { Outcome::NeverMet } else { Outcome::Failed };
        self.tell(piece, from, self.last, outcome);
    }

    /// Why a sequence does not match.
    fn sequence(&mut self, sequence: &Sequence, start: usize, piece: Option<PieceId>) {
        match sequence {
            Sequence::At(piece, inner) => self.sequence(inner, start, Some(*piece)),
            Sequence::Delay(Some(left), times, right) => match self.ends(left, start).last() {
                Some(end) => {
                    self.tell(piece_of(left), start, *end, Outcome::Matched);
                    self.rest(right, (end + times.min as usize, times.max == Some(times.min)), piece);
                }
                None => self.sequence(left, start, piece_of(left).or(piece)),
            },
            Sequence::Delay(None, times, right) => {
                self.rest(right, (start + times.min as usize, times.max == Some(times.min)), piece);
            }
            Sequence::Repeat(inner, _) => {
                self.tell(piece, start, self.last, Outcome::Failed);
                // Which of them was missing.
                if let Some((boolean, own)) = boolean_of(inner)
                    && let Some(tick) = (start..=self.last).find(|tick| !self.holds(boolean, *tick))
                {
                    self.tell(own, tick, tick, Outcome::Failed);
                }
            }
            Sequence::Throughout(boolean, inner) => {
                match (start..=self.last).all(|tick| self.holds(*boolean, tick)) {
                    true => self.sequence(inner, start, piece),
                    false => self.tell(piece, start, self.last, Outcome::Failed),
                }
            }
            Sequence::Or(left, right) => {
                self.sequence(left, start, piece);
                self.sequence(right, start, piece);
            }
            Sequence::And(left, right) | Sequence::Intersect(left, right) => {
                let is_lost =
                    |one: &Sequence| self.is_to_blame(&Property::Strength(false, one.clone()), start);
                match [left, right].into_iter().find(|one| is_lost(one)) {
                    Some(one) => self.sequence(one, start, piece),
                    // Each may match, but not both as they have to.
                    None => self.tell(piece, start, self.last, Outcome::Failed),
                }
            }
            _ => self.tell(piece, start, self.last, Outcome::Failed),
        }
    }

    /// What should have come after a delay, at one tick or at some.
    fn rest(&mut self, right: &Sequence, (from, is_exact): (usize, bool), piece: Option<PieceId>) {
        let piece = piece_of(right).or(piece);
        if is_exact && from <= self.last {
            self.sequence(right, from, piece);
        } else {
            self.tell(piece, from.min(self.last), self.last, Outcome::Failed);
        }
    }
}

/// The Boolean that a sequence is, with its piece of text.
fn boolean_of(sequence: &Sequence) -> Option<(Boolean, Option<PieceId>)> {
    match sequence {
        Sequence::Is(boolean) => Some((*boolean, None)),
        Sequence::At(piece, inner) => boolean_of(inner).map(|(boolean, own)| (boolean, own.or(Some(*piece)))),
        _ => None,
    }
}

/// The piece of text that a sequence stands at.
fn piece_of(sequence: &Sequence) -> Option<PieceId> {
    match sequence {
        Sequence::At(piece, _) => Some(*piece),
        _ => None,
    }
}
