//! Whether an assertion is ever put to the test: the ends of all its antecedents are marked, so that whoever has the monitor sees which of them is never reached.
//!
//! `a |-> b |-> c` has two antecedents, and says nothing if the second one never comes. So has `(a |-> b) and (c |-> d)`, of which one half may say something and the other not. Conditions of `if` and `case`, and the
//! left side of `implies`, are antecedents like any others. What is under `not`, or has to hold only now and then, has none: there, a match is what somebody wants.
//!
//! # References
//! I. Beer, S. Ben-David, C. Eisner, Y. Rodeh, *Efficient detection of vacuity in temporal model checking*, FMSD 18, 2001. Here, what puts a property to the test is looked for, not what replaces a part of it.

use super::alternating::Alternating;
use super::core::{Pool, Prop, PropId, SeqId};
use super::derive::Reading;
use super::syntax::{Abort, Boolean, PieceId, Property, Sequence, Times};
use propcov_ir::Vacuity;

/// An antecedent whose end is marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antecedent {
    /// Its piece of text.
    pub piece: Option<PieceId>,
    /// The one before it, which has to match first.
    pub before: Option<usize>,
}

/// All antecedents, by the numbers of their marks.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) all: Vec<Antecedent>,
    /// The antecedent that has matched here.
    before: Option<usize>,
}

impl Marks {
    /// Another antecedent.
    fn add(&mut self, piece: Option<PieceId>) -> u32 {
        self.all.push(Antecedent { piece, before: self.before });
        self.all.len() as u32 - 1
    }
}

impl Pool {
    /// A property as it is claimed, with marks at the ends of antecedents, and when it says nothing.
    pub(super) fn marked(&mut self, property: &Property, marks: &mut Marks) -> (PropId, Vacuity) {
        match property {
            Property::At(_, inner) => self.marked(inner, marks),
            Property::Abort(abort, condition, inner) => {
                let (inner, vacuity) = self.marked(inner, marks);
                (self.aborted(*abort, *condition, inner), vacuity)
            }
            Property::Always(times, inner) => {
                let (inner, vacuity) = self.marked(inner, marks);
                let all = self.always(times.max.map(|max| max.saturating_sub(times.min)), inner);
                (self.later(times.min, all), vacuity)
            }
            Property::Next(ticks, inner) => {
                let (inner, vacuity) = self.marked(inner, marks);
                (self.later(*ticks, inner), vacuity)
            }
            Property::And(left, right) => {
                let (left, of_left) = self.marked(left, marks);
                let (right, of_right) = self.marked(right, marks);
                (self.and(left, right), Vacuity::all([of_left, of_right]))
            }
            Property::Or(left, right) => {
                // Marks within a choice would wait for the other side: they are beside it.
                let claim = self.property(property, Reading::CLAIM);
                let (left, of_left) = self.only_marks(left, marks);
                let (right, of_right) = self.only_marks(right, marks);
                let both = [left, right].into_iter().flatten().fold(claim, |all, one| self.and(all, one));
                // A side that is never put to the test holds, and with it the whole.
                (both, Vacuity::any([of_left, of_right]))
            }
            Property::If(condition, then, otherwise) => {
                let (then, vacuity) = self.marked_branch(*condition, then, marks);
                let Some(otherwise) = otherwise else { return (then, vacuity) };
                let (otherwise, other) = self.marked_branch(condition.negated(), otherwise, marks);
                (self.and(then, otherwise), Vacuity::all([vacuity, other]))
            }
            Property::Case(items, default) => {
                let mut rest = default.as_ref().map(|default| self.marked(default, marks));
                for (condition, item) in items.iter().rev() {
                    let (item, vacuity) = self.marked_branch(*condition, item, marks);
                    rest = Some(match rest {
                        None => (item, vacuity),
                        Some((rest, of_rest)) => {
                            let fails = self.is(condition.negated());
                            let rest = self.add_prop(Prop::Suffix(fails, rest));
                            (self.and(item, rest), Vacuity::all([vacuity, of_rest]))
                        }
                    });
                }
                rest.unwrap_or_else(|| (self.truth(true), Vacuity::Never))
            }
            Property::Suffix(sequence, is_later, after) => {
                let seq = self.sequence(sequence);
                self.marked_after(seq, *is_later, piece_of_sequence(sequence), after, marks)
            }
            Property::Implies(left, right) => self.marked_implication(property, left, right, marks),
            _ => (self.property(property, Reading::CLAIM), Vacuity::Never),
        }
    }

    /// A part of `if` or `case`.
    fn marked_branch(
        &mut self,
        condition: Boolean,
        branch: &Property,
        marks: &mut Marks,
    ) -> (PropId, Vacuity) {
        let seq = self.is(condition);
        self.marked_after(seq, false, piece_of(branch), branch, marks)
    }

    /// What has to hold after a sequence, where its end is marked.
    fn marked_after(
        &mut self,
        seq: SeqId,
        is_later: bool,
        piece: Option<PieceId>,
        after: &Property,
        marks: &mut Marks,
    ) -> (PropId, Vacuity) {
        let mark = marks.add(piece);
        let outer = marks.before.replace(mark as usize);
        let (after, vacuity) = self.marked(after, marks);
        marks.before = outer;
        let then = if is_later { self.later(1, after) } else { after };
        let mark_here = self.add_prop(Prop::Mark(mark));
        let then = self.and(then, mark_here);
        let suffix = self.add_prop(Prop::Suffix(seq, then));
        // An empty match counts for `|=>`.
        let whole = if is_later && self.is_nullable(seq) {
            let at_once = self.and(after, mark_here);
            self.and(at_once, suffix)
        } else {
            suffix
        };
        (whole, Vacuity::any([Vacuity::Unmet(mark as usize), vacuity]))
    }

    /// `p implies q`: a mark is reached when the ticks so far show that `p` holds. If no finite run may show that, there is none.
    fn marked_implication(
        &mut self,
        whole: &Property,
        left: &Property,
        right: &Property,
        marks: &mut Marks,
    ) -> (PropId, Vacuity) {
        let holds = self.property(left, Reading::CLAIM);
        let fails = self.negated(holds);
        let is_shown = Alternating::of(self, fails).is_ok_and(|automaton| !automaton.is_liveness());
        if !is_shown {
            return (self.property(whole, Reading::CLAIM), Vacuity::Never);
        }
        let mark = marks.add(piece_of(left));
        let outer = marks.before.replace(mark as usize);
        let (right, vacuity) = self.marked(right, marks);
        marks.before = outer;
        let mark_here = self.add_prop(Prop::Mark(mark));
        let right = self.and(right, mark_here);
        (self.or(fails, right), Vacuity::any([Vacuity::Unmet(mark as usize), vacuity]))
    }

    /// The marks of a property alone: what always holds.
    fn only_marks(&mut self, property: &Property, marks: &mut Marks) -> (Option<PropId>, Vacuity) {
        match property {
            Property::At(_, inner) => self.only_marks(inner, marks),
            Property::Abort(_, condition, inner) => {
                let (inner, vacuity) = self.only_marks(inner, marks);
                // Whatever it makes of the property: nothing more is looked for.
                (inner.map(|inner| self.aborted(Abort::Accept, *condition, inner)), vacuity)
            }
            Property::Always(Times { min: 0, max: None }, inner) => {
                let (inner, vacuity) = self.only_marks(inner, marks);
                (inner.map(|inner| self.always(None, inner)), vacuity)
            }
            Property::Next(ticks, inner) => {
                let (inner, vacuity) = self.only_marks(inner, marks);
                (inner.map(|inner| self.later(*ticks, inner)), vacuity)
            }
            Property::And(left, right) | Property::Or(left, right) => {
                let (first, of_first) = self.only_marks(left, marks);
                let (second, of_second) = self.only_marks(right, marks);
                let both = match (first, second) {
                    (Some(first), Some(second)) => Some(self.and(first, second)),
                    (one, other) => one.or(other),
                };
                let vacuity = match property {
                    Property::And(..) => Vacuity::all([of_first, of_second]),
                    _ => Vacuity::any([of_first, of_second]),
                };
                (both, vacuity)
            }
            Property::Suffix(sequence, is_later, after) => {
                let mark = marks.add(piece_of_sequence(sequence));
                let outer = marks.before.replace(mark as usize);
                let (after, vacuity) = self.only_marks(after, marks);
                marks.before = outer;
                let mark_here = self.add_prop(Prop::Mark(mark));
                let seq = self.sequence(sequence);
                let after = after.unwrap_or_else(|| self.truth(true));
                let then = if *is_later { self.later(1, after) } else { after };
                let then = self.and(then, mark_here);
                let mut whole = self.add_prop(Prop::Suffix(seq, then));
                if *is_later && self.is_nullable(seq) {
                    let at_once = self.and(after, mark_here);
                    whole = self.and(at_once, whole);
                }
                (Some(whole), Vacuity::any([Vacuity::Unmet(mark as usize), vacuity]))
            }
            _ => (None, Vacuity::Never),
        }
    }
}

/// The piece of text that a property stands at.
fn piece_of(property: &Property) -> Option<PieceId> {
    match property {
        Property::At(piece, _) => Some(*piece),
        Property::Sequence(sequence) => piece_of_sequence(sequence),
        _ => None,
    }
}

fn piece_of_sequence(sequence: &Sequence) -> Option<PieceId> {
    match sequence {
        Sequence::At(piece, _) => Some(*piece),
        _ => None,
    }
}
