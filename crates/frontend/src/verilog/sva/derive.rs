//! Derived forms: what each operator that people write means in the core.

use super::core::{Pool, Prop, PropId, SeqId};
use super::syntax::{Boolean, Property, Sequence, Times};

/// How a property is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Whether a sequence that is a property has to match (`cover`) or only must not become impossible.
    pub(super) strong: bool,
    /// Whether an implication has to be put to the test (`cover`).
    pub(super) tested: bool,
}

impl Reading {
    /// What an `assert` or `assume` says.
    pub(super) const CLAIM: Reading = Reading { strong: false, tested: false };
    /// What a `cover` is to reach.
    pub(super) const GOAL: Reading = Reading { strong: true, tested: true };

    fn untested(self) -> Reading {
        Reading { tested: false, ..self }
    }
}

impl Pool {
    /// A sequence in the core.
    pub(super) fn sequence(&mut self, sequence: &Sequence) -> SeqId {
        match sequence {
            Sequence::Is(boolean) => self.is(*boolean),
            Sequence::Delay(left, times, right) => {
                let left = left.as_ref().map(|left| self.sequence(left));
                let right = self.sequence(right);
                self.delay(left, *times, right)
            }
            Sequence::Repeat(inner, times) => {
                let inner = self.sequence(inner);
                self.repeat(inner, *times)
            }
            Sequence::Goto(boolean, times) => self.goto(*boolean, *times),
            Sequence::Nonconsecutive(boolean, times) => {
                let goto = self.goto(*boolean, *times);
                let rest = self.any_number(boolean.negated());
                self.concat(goto, rest)
            }
            Sequence::Or(left, right) => {
                let (left, right) = (self.sequence(left), self.sequence(right));
                self.seq_or(left, right)
            }
            Sequence::And(left, right) => {
                let (left, right) = (self.sequence(left), self.sequence(right));
                self.seq_and(left, right)
            }
            Sequence::Intersect(left, right) => {
                let (left, right) = (self.sequence(left), self.sequence(right));
                self.intersect(left, right)
            }
            Sequence::Within(inner, outer) => {
                let (inner, outer) = (self.sequence(inner), self.sequence(outer));
                let around = self.any_number(Boolean::Const(true));
                let inner = self.concat(inner, around);
                let inner = self.concat(around, inner);
                self.intersect(inner, outer)
            }
            Sequence::Throughout(boolean, inner) => {
                let inner = self.sequence(inner);
                self.throughout(*boolean, inner)
            }
            Sequence::FirstMatch(inner) => {
                let inner = self.sequence(inner);
                self.first_match(vec![inner])
            }
            Sequence::At(_, inner) => self.sequence(inner),
        }
    }

    /// `b[*]`.
    fn any_number(&mut self, boolean: Boolean) -> SeqId {
        let one = self.is(boolean);
        self.repeat(one, Times::new(0, None))
    }

    fn delay(&mut self, left: Option<SeqId>, times: Times, right: SeqId) -> SeqId {
        let tick = self.is(Boolean::Const(true));
        let Some(left) = left else {
            let wait = self.repeat(tick, times);
            return self.concat(wait, right);
        };
        let one_less = |count: u32| count.saturating_sub(1);
        let later = match times.max {
            Some(0) => None,
            max => {
                let wait = self.repeat(tick, Times::new(one_less(times.min), max.map(one_less)));
                let rest = self.concat(wait, right);
                Some(self.concat(left, rest))
            }
        };
        match (times.min, later) {
            (0, later) => {
                let now = self.fuse(left, right);
                later.map_or(now, |later| self.seq_or(now, later))
            }
            (_, Some(later)) => later,
            // More than the most: nothing matches.
            (_, None) => self.fuse(left, right),
        }
    }

    fn goto(&mut self, boolean: Boolean, times: Times) -> SeqId {
        let wait = self.any_number(boolean.negated());
        let then = self.is(boolean);
        let one = self.concat(wait, then);
        self.repeat(one, times)
    }

    /// A property in the core.
    pub(super) fn property(&mut self, property: &Property, reading: Reading) -> PropId {
        match property {
            Property::Sequence(sequence) => self.matched(sequence, reading.strong),
            Property::Strength(strong, sequence) => self.matched(sequence, *strong),
            Property::Not(inner) => {
                let inner = self.property(inner, reading.untested());
                self.negated(inner)
            }
            Property::And(left, right) => {
                let (left, right) = (self.property(left, reading), self.property(right, reading));
                self.and(left, right)
            }
            Property::Or(left, right) => {
                let (left, right) = (self.property(left, reading), self.property(right, reading));
                self.or(left, right)
            }
            Property::Implies(left, right) => {
                let (left, right) = (self.property(left, reading.untested()), self.property(right, reading));
                self.implication(left, right)
            }
            Property::Iff(left, right) => {
                let reading = reading.untested();
                let (left, right) = (self.property(left, reading), self.property(right, reading));
                let (there, back) = (self.implication(left, right), self.implication(right, left));
                self.and(there, back)
            }
            Property::If(condition, then, otherwise) => {
                let then = self.property(then, reading);
                let otherwise = otherwise.as_ref().map(|otherwise| self.property(otherwise, reading));
                self.choice(*condition, then, otherwise)
            }
            Property::Case(items, default) => {
                let mut rest = default.as_ref().map(|default| self.property(default, reading));
                for (condition, item) in items.iter().rev() {
                    let item = self.property(item, reading);
                    rest = Some(self.choice(*condition, item, rest));
                }
                match rest {
                    Some(rest) => rest,
                    None => self.truth(true),
                }
            }
            Property::Suffix(sequence, is_later, after) => {
                let (sequence, after) = (self.sequence(sequence), self.property(after, reading));
                if reading.tested {
                    self.followed_by(sequence, *is_later, after)
                } else {
                    self.suffix(sequence, *is_later, after)
                }
            }
            Property::FollowedBy(sequence, is_later, after) => {
                let (sequence, after) = (self.sequence(sequence), self.property(after, reading));
                self.followed_by(sequence, *is_later, after)
            }
            Property::Next(ticks, inner) => {
                let inner = self.property(inner, reading);
                self.later(*ticks, inner)
            }
            Property::Always(times, inner) => {
                let inner = self.property(inner, reading);
                let all = self.always(times.max.map(|max| max.saturating_sub(times.min)), inner);
                self.later(times.min, all)
            }
            Property::Eventually(times, inner) => {
                let inner = self.property(inner, reading);
                let no = self.negated(inner);
                let never = self.always(times.max.map(|max| max.saturating_sub(times.min)), no);
                let some = self.negated(never);
                self.later(times.min, some)
            }
            Property::Until(until, left, right) => {
                let (left, mut right) = (self.property(left, reading), self.property(right, reading));
                if until.with {
                    right = self.and(left, right);
                }
                self.add_prop(Prop::Until { left, right, strong: until.strong })
            }
            Property::Abort(abort, condition, inner) => {
                let inner = self.property(inner, reading);
                self.add_prop(Prop::Abort(*abort, *condition, inner))
            }
            Property::At(_, inner) => self.property(inner, reading),
        }
    }

    fn matched(&mut self, sequence: &Sequence, strong: bool) -> PropId {
        let seq = self.sequence(sequence);
        self.add_prop(Prop::Match { seq, strong })
    }

    fn implication(&mut self, left: PropId, right: PropId) -> PropId {
        let not_left = self.negated(left);
        self.or(not_left, right)
    }

    fn choice(&mut self, condition: Boolean, then: PropId, otherwise: Option<PropId>) -> PropId {
        let holds = self.is(condition);
        let then = self.add_prop(Prop::Suffix(holds, then));
        let Some(otherwise) = otherwise else { return then };
        let fails = self.is(condition.negated());
        let otherwise = self.add_prop(Prop::Suffix(fails, otherwise));
        self.and(then, otherwise)
    }

    /// `s |-> p`; `s |=> p` is `(s ##1 1) |-> p`, where an empty match counts as well.
    pub(super) fn suffix(&mut self, seq: SeqId, is_later: bool, after: PropId) -> PropId {
        if !is_later {
            return self.add_prop(Prop::Suffix(seq, after));
        }
        let later = self.later(1, after);
        let suffix = self.add_prop(Prop::Suffix(seq, later));
        if self.is_nullable(seq) { self.and(after, suffix) } else { suffix }
    }

    pub(super) fn followed_by(&mut self, seq: SeqId, is_later: bool, after: PropId) -> PropId {
        let not_after = self.negated(after);
        let never = self.suffix(seq, is_later, not_after);
        self.negated(never)
    }

    /// `always`, or for so many more ticks.
    pub(super) fn always(&mut self, more: Option<u32>, inner: PropId) -> PropId {
        let Some(more) = more else {
            let right = self.truth(false);
            return self.add_prop(Prop::Until { left: inner, right, strong: false });
        };
        (0..more).fold(inner, |rest, _| {
            let later = self.later(1, rest);
            let all = self.and(inner, later);
            // From the inside outwards, as in `later`.
            self.negated(all);
            all
        })
    }
}
