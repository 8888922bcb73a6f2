//! Sets as functions: one input makes the choice.
//!
//! Where all sets of an assignment list constants, the input has these constants as its values, so that a waveform shows
//! what was chosen: in a branch with fewer alternatives, choices it does not have mean its first. Otherwise the input is
//! the position of the choice.
//!
//! So `next(x) := {a, b}` is a function of the state and of an input of its own, and which process runs is an input, too. What
//! cannot be written as a function is a constraint on transitions. SMV therefore needs no relations in `ir`, and engines, edits and
//! cores work on it unchanged. Diagrams undo it where the choice is a next value itself.

use super::{
    lowering::Lowering,
    operand::Operand,
    syntax::Place,
    tree::{Misfit, Tree},
    types::{Scalar, Type},
};
use crate::InputError;
use propcov_ir::{ExprId, Origin, SignalId, Sort, Value};
use std::rc::Rc;

/// How sets are decided.
enum Chooser {
    /// The constant to choose, of this type.
    Constant(Type, ExprId),
    /// The position among the alternatives.
    Position(ExprId),
}

impl Lowering<'_> {
    /// The expression of a tree at a type, with an input of this name for its sets, if it has any.
    pub(super) fn chosen(
        &mut self,
        tree: &Tree,
        of: &Type,
        name: &str,
        misfits: &mut Vec<Misfit>,
    ) -> Result<ExprId, InputError> {
        if !tree.has_choice() {
            return self.assemble(tree, of, &mut Vec::new(), misfits);
        }
        let tree = hoisted(tree);
        let chooser = self.chooser(&tree, of, name);
        self.choose_in(&tree, of, &chooser, &mut Vec::new(), misfits)
    }

    fn chooser(&mut self, tree: &Tree, of: &Type, name: &str) -> Chooser {
        let mut all = Alternatives { scalars: Some(Vec::new()), most: 1 };
        self.alternatives(tree, of, &mut all);
        match all.scalars {
            Some(scalars) => {
                let booleans = scalars.iter().all(|scalar| matches!(scalar, Scalar::Boolean(_)));
                let own = match of {
                    // The whole type, even where some of its values are never chosen: then next is the input itself.
                    Type::Finite(values) if scalars.iter().all(|scalar| values.contains(scalar)) => {
                        let chosen = self.types.of(scalars.iter().cloned());
                        if chosen.values.len() == values.values.len() { values.clone() } else { chosen }
                    }
                    _ => self.types.of(scalars.iter().cloned()),
                };
                let of = if booleans { Type::Boolean } else { Type::Finite(own) };
                let input = self.choice_input(name, of.sort());
                Chooser::Constant(of, self.system.read(input))
            }
            None if all.most <= 2 => {
                let input = self.choice_input(name, Sort::BOOL);
                Chooser::Position(self.system.read(input))
            }
            None => {
                let positions = self.types.of((1..=all.most as i64).map(Scalar::Integer));
                let input = self.choice_input(name, positions.sort.clone());
                Chooser::Position(self.system.read(input))
            }
        }
    }

    /// An input that nobody wrote. What is chosen is the value of a state in the next step.
    fn choice_input(&mut self, name: &str, sort: Sort) -> SignalId {
        let input = self.system.add_input(name, sort);
        self.system.set_origin(input, Origin::Choice);
        input
    }

    fn alternatives(&self, tree: &Tree, of: &Type, all: &mut Alternatives) {
        match tree {
            Tree::One(..) => {}
            Tree::Choice(elements) => {
                all.most = all.most.max(elements.len());
                for element in elements {
                    match (self.scalar(element, of), &mut all.scalars) {
                        (Some(scalar), Some(scalars)) => scalars.push(scalar),
                        _ => all.scalars = None,
                    }
                }
            }
            Tree::Case(branches) => {
                branches.iter().for_each(|(_, branch)| self.alternatives(branch, of, all));
            }
        }
    }

    /// The constant that an element is. For a truth value, 0 and 1 are such.
    fn scalar(&self, element: &Tree, of: &Type) -> Option<Scalar> {
        let Tree::One(operand, _) = element else { return None };
        match operand {
            Operand::Constant(Scalar::Integer(value @ (0 | 1))) if *of == Type::Boolean => {
                Some(Scalar::Boolean(*value == 1))
            }
            Operand::Constant(scalar) => Some(scalar.clone()),
            Operand::Boolean(expr) if self.is_true(*expr) => Some(Scalar::Boolean(true)),
            Operand::Boolean(expr) if self.is_false(*expr) => Some(Scalar::Boolean(false)),
            _ => None,
        }
    }

    fn choose_in(
        &mut self,
        tree: &Tree,
        of: &Type,
        chooser: &Chooser,
        path: &mut Vec<ExprId>,
        misfits: &mut Vec<Misfit>,
    ) -> Result<ExprId, InputError> {
        match tree {
            Tree::One(operand, place) => self.fit(operand, of, place, path, misfits),
            Tree::Choice(elements) => self.choose_one(elements, of, chooser, path, misfits),
            Tree::Case(branches) => {
                let start = path.len();
                let mut values = Vec::with_capacity(branches.len());
                for (condition, branch) in branches.iter() {
                    path.push(*condition);
                    values.push(self.choose_in(branch, of, chooser, path, misfits)?);
                    path.pop();
                    let otherwise = self.not(*condition);
                    path.push(otherwise);
                }
                path.truncate(start);
                Ok(self.first_of(branches.iter().map(|(condition, _)| *condition), &values))
            }
        }
    }

    fn choose_one(
        &mut self,
        elements: &[Tree],
        of: &Type,
        chooser: &Chooser,
        path: &mut Vec<ExprId>,
        misfits: &mut Vec<Misfit>,
    ) -> Result<ExprId, InputError> {
        let mut values = Vec::with_capacity(elements.len());
        let mut conditions = Vec::with_capacity(elements.len());
        for (position, element) in elements.iter().enumerate() {
            // What is chosen is open, so each element has to fit.
            values.push(self.choose_in(element, of, chooser, path, misfits)?);
            conditions.push(self.is_chosen(chooser, position, element));
        }
        if let Chooser::Constant(own, input) = chooser
            && own == of
            && self.covers(own, elements)
        {
            return Ok(*input);
        }
        // The first is what remains when nothing else is chosen.
        let Some((first, rest)) = values.split_first() else { return Ok(self.truth(false)) };
        let mut result = *first;
        for (value, condition) in rest.iter().zip(&conditions[1..]).rev() {
            result = self.ite(*condition, *value, result);
        }
        Ok(result)
    }

    /// Whether the elements are all values of a type.
    fn covers(&self, of: &Type, elements: &[Tree]) -> bool {
        let count = match of {
            Type::Boolean => 2,
            Type::Finite(values) => values.values.len(),
            _ => return false,
        };
        let mut seen = rustc_hash::FxHashSet::default();
        for element in elements {
            match self.scalar(element, of) {
                Some(scalar) => seen.insert(scalar),
                None => return false,
            };
        }
        seen.len() == count
    }

    fn is_chosen(&mut self, chooser: &Chooser, position: usize, element: &Tree) -> ExprId {
        match (chooser, element) {
            (Chooser::Constant(own, input), Tree::One(operand, _)) => {
                let input = self.operand(own, *input);
                let nowhere: Place = 0..0;
                let chosen = self.equal(&input, operand, &nowhere);
                chosen.unwrap_or_else(|_| self.truth(false))
            }
            (Chooser::Constant(..), _) => self.truth(false),
            (Chooser::Position(input), _) => match self.sort_of(*input).clone() {
                Sort::Enum(sort) => {
                    let at = (position as u32).min(sort.variants.len() as u32 - 1);
                    let constant = self.system.exprs.constant(Value::Enum(sort, at));
                    self.same(*input, constant)
                }
                _ if position == 1 => *input,
                _ => self.not(*input),
            },
        }
    }
}

/// What the sets of a tree list.
struct Alternatives {
    /// All constants; nothing where there is something else.
    scalars: Option<Vec<Scalar>>,
    /// The greatest number of alternatives in one set.
    most: usize,
}

/// The tree with no set within a condition within a set: `{case c : {a, b}; TRUE : d; esac, e}` is
/// `case c : {a, b, e}; TRUE : {d, e}; esac`. So one choice is enough.
fn hoisted(tree: &Tree) -> Tree {
    match tree {
        Tree::One(..) => tree.clone(),
        Tree::Case(branches) => Tree::Case(Rc::new(
            branches.iter().map(|(condition, branch)| (*condition, hoisted(branch))).collect(),
        )),
        Tree::Choice(elements) => {
            let mut flat = Vec::new();
            flatten(elements, &mut flat);
            let inner =
                flat.iter().position(|element| matches!(element, Tree::Case(_)) && element.has_choice());
            let Some(at) = inner else { return Tree::Choice(flat) };
            let Tree::Case(branches) = flat.remove(at) else { return Tree::Choice(flat) };
            let hoist = |branch: &Tree| {
                let mut elements = flat.clone();
                elements.insert(at, branch.clone());
                hoisted(&Tree::Choice(elements))
            };
            Tree::Case(Rc::new(
                branches.iter().map(|(condition, branch)| (*condition, hoist(branch))).collect(),
            ))
        }
    }
}

/// The elements of a set, those of sets in it included.
fn flatten(elements: &[Tree], flat: &mut Vec<Tree>) {
    for element in elements {
        match element {
            Tree::Choice(inner) => flatten(inner, flat),
            other => flat.push(other.clone()),
        }
    }
}
