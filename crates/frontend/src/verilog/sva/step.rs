//! What one tick makes of a property.
//!
//! An operator that is true for all matches becomes a conjunction, one that asks for some match a disjunction. Constants are propagated, and nothing
//! else is found out: so a property is false as soon as the ticks so far show it, without any look at what could still come. This is the standard's
//! meaning of the ticks so far followed by ticks at which every Boolean is true.

use super::Problem;
use super::core::{Pool, Prop, PropId};
use super::formula::Formula;
use super::linear::Guard;
use super::syntax::{Abort, Boolean};

/// A guard, or its opposite.
fn guard_formula(guard: &Guard, positive: bool) -> Formula {
    if positive {
        Formula::and(guard.iter().map(|boolean| Formula::now(*boolean)))
    } else {
        Formula::or(guard.iter().map(|boolean| Formula::now(boolean.negated())))
    }
}

impl Pool {
    /// The property after one tick.
    pub(super) fn step(&mut self, prop: PropId) -> Result<Formula, Problem> {
        self.spend(1)?;
        Ok(match self.prop(prop).clone() {
            Prop::Const(value) => Formula::Const(value),
            Prop::Mark(_) => Formula::Then(prop),
            Prop::And(left, right) => {
                let all = Formula::and([self.step(left)?, self.step(right)?]);
                self.spend(all.width())?;
                all
            }
            Prop::Or(left, right) => {
                let any = Formula::or([self.step(left)?, self.step(right)?]);
                self.spend(any.width())?;
                any
            }
            Prop::Next(inner) => Formula::Then(inner),
            Prop::Match { seq, strong } => {
                let mut all = Vec::new();
                for (guard, rest) in self.linear(seq)?.iter() {
                    if self.is_nullable(*rest) {
                        all.push(guard_formula(guard, true));
                    } else if self.is_alive(*rest)? {
                        let rest = Formula::Then(self.add_prop(Prop::Match { seq: *rest, strong }));
                        all.push(Formula::and([guard_formula(guard, true), rest]));
                    }
                }
                Formula::or(all)
            }
            Prop::Dies(seq) => {
                let mut all = Vec::new();
                for (guard, rest) in self.linear(seq)?.iter() {
                    if self.is_nullable(*rest) {
                        all.push(guard_formula(guard, false));
                    } else if self.is_alive(*rest)? {
                        let rest = Formula::Then(self.add_prop(Prop::Dies(*rest)));
                        all.push(Formula::or([guard_formula(guard, false), rest]));
                    }
                }
                Formula::and(all)
            }
            Prop::Suffix(seq, after) => {
                let then = self.step(after)?;
                let mut all = Vec::new();
                for (guard, rest) in self.linear(seq)?.iter() {
                    if self.is_nullable(*rest) {
                        all.push(Formula::or([guard_formula(guard, false), then.clone()]));
                    }
                    if self.goes_on(*rest)? {
                        let rest = Formula::Then(self.add_prop(Prop::Suffix(*rest, after)));
                        all.push(Formula::or([guard_formula(guard, false), rest]));
                    }
                }
                Formula::and(all)
            }
            Prop::Exists(seq, after) => {
                let then = self.step(after)?;
                let mut all = Vec::new();
                for (guard, rest) in self.linear(seq)?.iter() {
                    if self.is_nullable(*rest) {
                        all.push(Formula::and([guard_formula(guard, true), then.clone()]));
                    }
                    if self.goes_on(*rest)? {
                        let rest = Formula::Then(self.add_prop(Prop::Exists(*rest, after)));
                        all.push(Formula::and([guard_formula(guard, true), rest]));
                    }
                }
                Formula::or(all)
            }
            Prop::Until { left, right, .. } => {
                let stay = Formula::and([self.step(left)?, Formula::Then(prop)]);
                Formula::or([self.step(right)?, stay])
            }
            Prop::Abort(abort, condition, inner) => {
                let inside = self.step(inner)?.map(&mut |rest: PropId| self.aborted(abort, condition, rest));
                match abort {
                    Abort::Accept => Formula::or([Formula::now(condition), inside]),
                    Abort::Reject => Formula::and([Formula::now(condition.negated()), inside]),
                }
            }
        })
    }

    /// A property that a condition ends.
    pub(super) fn aborted(&mut self, abort: Abort, condition: Boolean, rest: PropId) -> PropId {
        match self.prop(rest) {
            Prop::Mark(_) => rest,
            _ => self.add_prop(Prop::Abort(abort, condition, rest)),
        }
    }

    /// Whether a sequence can match after at least one more tick, whatever the Booleans are.
    fn goes_on(&mut self, seq: super::core::SeqId) -> Result<bool, Problem> {
        let seq = self.plain(seq);
        for (_, rest) in self.linear(seq)?.iter() {
            if self.is_alive(*rest)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether it is easy to see that one property follows from another.
    pub(super) fn follows(&self, prop: PropId, from: PropId) -> bool {
        if prop == from {
            return true;
        }
        match (self.prop(from), self.prop(prop)) {
            (Prop::Match { seq, strong }, Prop::Match { seq: of, strong: wanted }) => {
                (*strong || !wanted) && self.is_part(*seq, *of)
            }
            (Prop::Exists(seq, after), Prop::Exists(of, same)) => after == same && self.is_part(*seq, *of),
            (Prop::Suffix(of, after), Prop::Suffix(seq, same)) => after == same && self.is_part(*seq, *of),
            (Prop::Dies(of), Prop::Dies(seq)) => self.is_part(*seq, *of),
            (Prop::Abort(abort, condition, inner), Prop::Abort(same, equal, of)) => {
                abort == same && condition == equal && self.follows(*of, *inner)
            }
            _ => false,
        }
    }
}
