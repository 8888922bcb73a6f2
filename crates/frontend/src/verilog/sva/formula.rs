//! Positive combinations of Booleans at one tick and of properties from the next tick on.
//!
//! This is what a property becomes by one tick: the transition of an alternating automaton whose states are properties.

use super::core::PropId;
use super::syntax::{Atom, Boolean};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A combination.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Formula<S = PropId> {
    Const(bool),
    Now(Boolean),
    Then(S),
    And(Rc<[Formula<S>]>),
    Or(Rc<[Formula<S>]>),
}

impl<S: Clone + Ord> Formula<S> {
    pub(super) fn now(boolean: Boolean) -> Formula<S> {
        match boolean {
            Boolean::Const(value) => Formula::Const(value),
            Boolean::Is(..) => Formula::Now(boolean),
        }
    }

    pub(super) fn and(parts: impl IntoIterator<Item = Formula<S>>) -> Formula<S> {
        Formula::joined(parts, true)
    }

    pub(super) fn or(parts: impl IntoIterator<Item = Formula<S>>) -> Formula<S> {
        Formula::joined(parts, false)
    }

    /// A conjunction or disjunction, flat, without what does not matter.
    fn joined(parts: impl IntoIterator<Item = Formula<S>>, is_and: bool) -> Formula<S> {
        let mut all = BTreeSet::new();
        for part in parts {
            match part {
                Formula::Const(value) if value == is_and => {}
                Formula::Const(value) => return Formula::Const(value),
                Formula::And(inner) if is_and => all.extend(inner.iter().cloned()),
                Formula::Or(inner) if !is_and => all.extend(inner.iter().cloned()),
                other => {
                    all.insert(other);
                }
            }
        }
        let mut all: Vec<Formula<S>> = all.into_iter().collect();
        match all.len() {
            0 => Formula::Const(is_and),
            1 => all.remove(0),
            _ if is_and => Formula::And(all.into()),
            _ => Formula::Or(all.into()),
        }
    }

    /// The first atom that matters.
    pub(super) fn atom(&self) -> Option<Atom> {
        match self {
            Formula::Const(_) | Formula::Then(_) => None,
            Formula::Now(Boolean::Is(atom, _)) => Some(*atom),
            Formula::Now(Boolean::Const(_)) => None,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().find_map(Formula::atom),
        }
    }

    /// The formula where an atom has a value.
    pub(super) fn with(&self, atom: Atom, value: bool) -> Formula<S> {
        match self {
            Formula::Now(Boolean::Is(known, positive)) if *known == atom => {
                Formula::Const(*positive == value)
            }
            Formula::And(parts) => Formula::and(parts.iter().map(|part| part.with(atom, value))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| part.with(atom, value))),
            _ => self.clone(),
        }
    }

    /// The formula with other states.
    pub(super) fn map<T: Clone + Ord>(&self, change: &mut impl FnMut(S) -> T) -> Formula<T> {
        match self {
            Formula::Const(value) => Formula::Const(*value),
            Formula::Now(boolean) => Formula::Now(*boolean),
            Formula::Then(state) => Formula::Then(change(state.clone())),
            Formula::And(parts) => Formula::and(parts.iter().map(|part| part.map(change))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| part.map(change))),
        }
    }

    /// How many parts it has at once.
    pub(super) fn width(&self) -> usize {
        match self {
            Formula::And(parts) | Formula::Or(parts) => parts.len(),
            _ => 1,
        }
    }

    /// How many parts it has.
    pub(super) fn size(&self) -> usize {
        match self {
            Formula::And(parts) | Formula::Or(parts) => 1 + parts.iter().map(Formula::size).sum::<usize>(),
            _ => 1,
        }
    }

    /// Adds all states in it.
    pub(super) fn states(&self, all: &mut Vec<S>) {
        match self {
            Formula::Const(_) | Formula::Now(_) => {}
            Formula::Then(state) => all.push(state.clone()),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.states(all)),
        }
    }

    /// Whether there is a state in it.
    pub(super) fn has_states(&self) -> bool {
        match self {
            Formula::Const(_) | Formula::Now(_) => false,
            Formula::Then(_) => true,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(Formula::has_states),
        }
    }

    /// Its value, given those of atoms and states.
    pub(super) fn value(&self, letter: &impl Fn(Atom) -> bool, then: &impl Fn(&S) -> bool) -> bool {
        match self {
            Formula::Const(value) => *value,
            Formula::Now(boolean) => boolean.value(letter),
            Formula::Then(state) => then(state),
            Formula::And(parts) => parts.iter().all(|part| part.value(letter, then)),
            Formula::Or(parts) => parts.iter().any(|part| part.value(letter, then)),
        }
    }
}
