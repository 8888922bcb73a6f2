//! What went wrong, in the user's own text: the attempt that fails, which part of it matched when, and where it failed.
//!
//! The ticks of a run are looked at again, with the property as it is written: who is to blame in `s |-> p` is found by asking after which match of `s`
//! the property `p` fails, and so on inwards, until something is left that only a Boolean says.

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
    let obligations = super::claim(property, disabled).ok()?;
    let letters = letters(word);
    let starts = (0..=last).rev().filter(|start| begins.get(*start).copied().unwrap_or(true));
    let start = starts.into_iter().find(|start| obligations.attempt(&letters, *start) == Some(last))?;
    let mut teller = Teller { word, last, events: Vec::new() };
    teller.property(property, start, None);
    Some(Attempt { start, events: teller.events })
}

fn letters(word: &[Vec<bool>]) -> Vec<impl Fn(Atom) -> bool> {
    word.iter()
        .map(|letter| move |atom: Atom| letter.get(atom.0 as usize).copied().unwrap_or(false))
        .collect()
}

struct Teller<'w> {
    word: &'w [Vec<bool>],
    last: usize,
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
        let to_blame = |teller: &Self, property: &Property, tick: usize| {
            teller.failure(property, tick).is_some_and(|failure| failure <= teller.last)
        };
        match property {
            Property::At(piece, inner) => self.property(inner, start, Some(*piece)),
            Property::Sequence(sequence) | Property::Strength(_, sequence) => {
                self.sequence(sequence, start, piece)
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
            Property::Next(ticks, inner) => self.property(inner, start + *ticks as usize, piece),
            Property::And(left, right) => {
                let inner = if to_blame(self, left, start) { left } else { right };
                self.property(inner, start, piece);
            }
            Property::Or(left, right) => {
                self.property(left, start, piece);
                self.property(right, start, piece);
            }
            Property::If(condition, then, otherwise) => match otherwise {
                Some(otherwise) if !self.holds(*condition, start) => self.property(otherwise, start, piece),
                _ => self.property(then, start, piece),
            },
            Property::Always(times, inner) => {
                let first = start + times.min as usize;
                match (first..=self.last).find(|tick| to_blame(self, inner, *tick)) {
                    Some(tick) => self.property(inner, tick, piece),
                    None => self.tell(piece, start, self.last, Outcome::Failed),
                }
            }
            Property::Abort(Abort::Accept, _, inner) => self.property(inner, start, piece),
            _ => self.tell(piece, start, self.last, Outcome::Failed),
        }
    }

    /// Why a sequence does not match.
    fn sequence(&mut self, sequence: &Sequence, start: usize, piece: Option<PieceId>) {
        match sequence {
            Sequence::At(piece, inner) => self.sequence(inner, start, Some(*piece)),
            Sequence::Delay(Some(left), times, right) => match self.ends(left, start).last() {
                Some(end) => {
                    self.tell(piece_of(left), start, *end, Outcome::Matched);
                    let from = end + times.min as usize;
                    self.rest(right, from.min(self.last), piece);
                }
                None => self.sequence(left, start, piece_of(left).or(piece)),
            },
            Sequence::Delay(None, times, right) => {
                self.rest(right, (start + times.min as usize).min(self.last), piece);
            }
            _ => self.tell(piece, start, self.last, Outcome::Failed),
        }
    }

    /// What should have come after a delay.
    fn rest(&mut self, right: &Sequence, from: usize, piece: Option<PieceId>) {
        self.tell(piece_of(right).or(piece), from, self.last, Outcome::Failed);
    }
}

/// The piece of text that a sequence stands at.
fn piece_of(sequence: &Sequence) -> Option<PieceId> {
    match sequence {
        Sequence::At(piece, _) => Some(*piece),
        _ => None,
    }
}
