//! Values with alternatives: what `case`, sets and `union` make of an expression, before it is known what it is for.
//!
//! Branches are kept apart until the type of the whole is known: that of the variable which is assigned, or the least that
//! holds each branch. So a branch is converted once, and sets in branches can become choices or memberships.

use super::{
    lowering::Lowering,
    operand::Operand,
    syntax::Place,
    types::{Enumeration, Interval, Kind, MAX_VALUES, Scalar, Type},
};
use crate::InputError;
use propcov_ir::ExprId;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A value with alternatives.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    /// One value, and where it is written.
    One(Operand, Place),
    /// Any of these.
    Choice(Vec<Tree>),
    /// The first whose condition holds. One of them does: if no other, then the last.
    Case(Rc<Vec<(ExprId, Tree)>>),
}

/// A value that does not fit its type where this condition holds.
#[derive(Clone, Debug)]
pub(super) struct Misfit {
    pub(super) when: ExprId,
    pub(super) operand: Operand,
    pub(super) place: Place,
}

impl Tree {
    /// Whether there is a set in it.
    pub(super) fn has_choice(&self) -> bool {
        match self {
            Tree::One(..) => false,
            Tree::Choice(_) => true,
            Tree::Case(branches) => branches.iter().any(|(_, branch)| branch.has_choice()),
        }
    }

    /// Calls back with each value.
    pub(super) fn for_each(&self, found: &mut impl FnMut(&Operand, &Place)) {
        match self {
            Tree::One(operand, place) => found(operand, place),
            Tree::Choice(elements) => elements.iter().for_each(|element| element.for_each(found)),
            Tree::Case(branches) => branches.iter().for_each(|(_, branch)| branch.for_each(found)),
        }
    }
}

impl Lowering<'_> {
    /// The value of a tree without sets.
    pub(super) fn single(&mut self, tree: &Tree, place: &Place) -> Result<Operand, InputError> {
        if tree.has_choice() {
            return Err(self
                .error(place, "expected one value, found a set (`in` tells whether a set has an element)"));
        }
        match tree {
            Tree::One(operand, _) => Ok(operand.clone()),
            _ => {
                let of = self.join(tree, place)?;
                let mut misfits = Vec::new();
                let expr = self.assemble(tree, &of, &mut Vec::new(), &mut misfits)?;
                debug_assert!(misfits.is_empty(), "the join of all branches holds each");
                Ok(self.operand(&of, expr))
            }
        }
    }

    /// The least type that holds each value of a tree.
    pub(super) fn join(&mut self, tree: &Tree, place: &Place) -> Result<Type, InputError> {
        let mut join = Join::default();
        tree.for_each(&mut |operand, _| join.add(operand));
        if let Some(kind) = join.number {
            let mut other = None;
            tree.for_each(&mut |operand, place| {
                if self.unbounded(operand, kind).is_none() {
                    other = Some((operand.clone(), place.clone()));
                }
            });
            return match other {
                None => Ok(Type::Number(kind)),
                Some((operand, place)) => {
                    let found = self.describe(&operand);
                    let of = Type::Number(kind);
                    Err(self.error(
                        &place,
                        format!("expected a value of type {of} as in other branches, found {found}"),
                    ))
                }
            };
        }
        if let Some((signed, first)) = join.word {
            let width = self.width(first);
            let mut other = None;
            tree.for_each(&mut |operand, place| match operand {
                Operand::Word(own, expr) if *own == signed && self.width(*expr) == width => {}
                _ => other = Some((operand.clone(), place.clone())),
            });
            return match other {
                None => Ok(Type::Word { signed, width }),
                Some((operand, place)) => {
                    let found = self.describe(&operand);
                    let of = Type::Word { signed, width };
                    Err(self.error(
                        &place,
                        format!("expected a value of type {of} as in other branches, found {found}"),
                    ))
                }
            };
        }
        if let (Some(range), true) = (join.arithmetic, join.other) {
            // Numbers among symbols: all values that the numbers could have.
            if range.high.abs_diff(range.low) >= MAX_VALUES as u64 {
                let message = format!(
                    "some branches are symbols and others integers of {range}, which are too many values"
                );
                return Err(self.error(place, message));
            }
            join.scalars.extend((range.low..=range.high).map(Scalar::Integer));
        } else if let Some(mut range) = join.arithmetic {
            if join.boolean {
                range = range.hull(Interval { low: 0, high: 1 });
            }
            for scalar in &join.scalars {
                if let Scalar::Integer(value) = scalar {
                    range = range.hull(Interval { low: *value, high: *value });
                }
            }
            return Ok(Type::Integer(range));
        }
        let bits = |scalar: &Scalar| matches!(scalar, Scalar::Integer(0 | 1));
        if join.boolean && join.scalars.iter().all(bits) {
            return Ok(Type::Boolean);
        }
        if join.boolean {
            join.scalars.extend([Scalar::Boolean(false), Scalar::Boolean(true)]);
        }
        Ok(Type::Finite(self.types.of(join.scalars)))
    }

    /// The expression of a tree without sets, at a type. What does not fit is reported with the condition `path` and its
    /// own.
    pub(super) fn assemble(
        &mut self,
        tree: &Tree,
        of: &Type,
        path: &mut Vec<ExprId>,
        misfits: &mut Vec<Misfit>,
    ) -> Result<ExprId, InputError> {
        match tree {
            Tree::One(operand, place) => self.fit(operand, of, place, path, misfits),
            Tree::Choice(elements) => match elements.first() {
                Some(first) => self.assemble(first, of, path, misfits),
                None => Ok(self.truth(false)),
            },
            Tree::Case(branches) => {
                let start = path.len();
                let mut values = Vec::with_capacity(branches.len());
                for (condition, branch) in branches.iter() {
                    path.push(*condition);
                    values.push(self.assemble(branch, of, path, misfits)?);
                    path.pop();
                    let otherwise = self.not(*condition);
                    path.push(otherwise);
                }
                path.truncate(start);
                Ok(self.first_of(branches.iter().map(|(condition, _)| *condition), &values))
            }
        }
    }

    /// The value whose condition is the first to hold; the last one where none does.
    pub(super) fn first_of(
        &mut self,
        conditions: impl DoubleEndedIterator<Item = ExprId>,
        values: &[ExprId],
    ) -> ExprId {
        let mut pairs = conditions.rev().zip(values.iter().rev());
        let Some((_, last)) = pairs.next() else { return self.truth(false) };
        pairs.fold(*last, |rest, (condition, value)| self.ite(condition, *value, rest))
    }

    /// A value converted, with a note of where it does not fit.
    pub(super) fn fit(
        &mut self,
        operand: &Operand,
        of: &Type,
        place: &Place,
        path: &[ExprId],
        misfits: &mut Vec<Misfit>,
    ) -> Result<ExprId, InputError> {
        let converted = self.convert(operand, of, place)?;
        if let Some(fits) = converted.fits {
            let mut when = self.not(fits);
            for condition in path {
                when = self.and(when, *condition);
            }
            if !self.is_false(when) {
                misfits.push(Misfit { when, operand: operand.clone(), place: place.clone() });
            }
        }
        Ok(converted.expr)
    }

    /// Whether a value is among those of a tree.
    pub(super) fn member(
        &mut self,
        operand: &Operand,
        tree: &Tree,
        place: &Place,
    ) -> Result<ExprId, InputError> {
        match tree {
            Tree::One(element, _) => self.equal(operand, element, place),
            Tree::Choice(elements) => {
                let mut any = self.truth(false);
                for element in elements {
                    let here = self.member(operand, element, place)?;
                    any = self.or(any, here);
                }
                Ok(any)
            }
            Tree::Case(branches) => {
                let mut values = Vec::with_capacity(branches.len());
                for (_, branch) in branches.iter() {
                    values.push(self.member(operand, branch, place)?);
                }
                Ok(self.first_of(branches.iter().map(|(condition, _)| *condition), &values))
            }
        }
    }
}

impl Lowering<'_> {
    /// Whether all values of a tree are among those of another.
    pub(super) fn subset(&mut self, tree: &Tree, of: &Tree, place: &Place) -> Result<ExprId, InputError> {
        match tree {
            Tree::One(operand, _) => self.member(operand, of, place),
            Tree::Choice(elements) => {
                let mut all = self.truth(true);
                for element in elements {
                    let here = self.subset(element, of, place)?;
                    all = self.and(all, here);
                }
                Ok(all)
            }
            Tree::Case(branches) => {
                let mut values = Vec::with_capacity(branches.len());
                for (_, branch) in branches.iter() {
                    values.push(self.subset(branch, of, place)?);
                }
                Ok(self.first_of(branches.iter().map(|(condition, _)| *condition), &values))
            }
        }
    }
}

/// What kinds of values the leaves of a tree have.
#[derive(Default)]
struct Join {
    boolean: bool,
    /// Symbols and such, which are no integers.
    other: bool,
    scalars: Vec<Scalar>,
    /// The enumerations whose values have been counted.
    enumerations: FxHashSet<*const Enumeration>,
    arithmetic: Option<Interval>,
    word: Option<(bool, ExprId)>,
    /// Real, if one of them is.
    number: Option<Kind>,
}

impl Join {
    fn add(&mut self, operand: &Operand) {
        match operand {
            Operand::Constant(scalar) => self.scalar(scalar),
            Operand::Boolean(_) => self.boolean = true,
            Operand::Finite(values, _) => {
                if self.enumerations.insert(Rc::as_ptr(values)) {
                    values.values.iter().for_each(|value| self.scalar(value));
                }
            }
            Operand::Integer(range, _) => {
                self.arithmetic = Some(self.arithmetic.map_or(*range, |known| known.hull(*range)));
            }
            Operand::Word(signed, expr) => self.word = self.word.or(Some((*signed, *expr))),
            Operand::Number(kind, _) => self.number = self.number.max(Some(*kind)),
        }
    }

    fn scalar(&mut self, scalar: &Scalar) {
        self.other |= !matches!(scalar, Scalar::Integer(_));
        self.scalars.push(scalar.clone());
    }
}
