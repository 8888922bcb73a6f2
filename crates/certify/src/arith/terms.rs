//! Values that may be numbers or functions, and each operator on them.
//!
//! A term carries its own sort, and every operator checks its operands', as words of circuits do.

use super::functions::{Function, Functions};
use super::numbers::NonLinear;
use super::solvers::Solvers;
use crate::Rejection;
use crate::encode::{Encoding, Gates, Selectors, Word};
use dashu_ratio::RBig;
use propcov_budget::Budget;
use propcov_ir::{BinaryOp, ElementId, Sort, TernaryOp, UnaryOp, Value};
use propcov_sat::{CadicalConfig, Lit, Outcome};
use propcov_smt::{Linear, NumberKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A value. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// Of a finite sort.
    Finite(Word),
    /// An int or a real. A sum that is an int has integer values only.
    Number(NumberKind, Rc<Linear>),
    /// An array with infinitely many indices or elements.
    Function(Function),
}

/// Terms in two solvers.
pub(crate) struct Terms {
    pub(super) gates: Gates<Solvers>,
    pub(super) functions: Functions,
    /// Floors that have a number of their own.
    pub(super) floors: FxHashMap<Linear, Linear>,
    /// What is not linear: numbers of which nothing is known.
    pub(super) opaque: FxHashMap<NonLinear, Rc<Linear>>,
}

impl Term {
    pub(super) fn sort(&self) -> Sort {
        match self {
            Term::Finite(word) => word.sort(),
            Term::Number(NumberKind::Int, _) => Sort::Int,
            Term::Number(NumberKind::Real, _) => Sort::Real,
            Term::Function(function) => function.sort(),
        }
    }

    /// Whether the terms are the same, not only equal.
    pub(super) fn is(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Finite(a), Term::Finite(b)) => a.is(b),
            (Term::Number(a, x), Term::Number(b, y)) => a == b && x == y,
            (Term::Function(a), Term::Function(b)) => a.is(b),
            _ => false,
        }
    }
}

impl Terms {
    fn functions_differ() -> Rejection {
        Rejection::Unsupported("a comparison or choice of functions".to_owned())
    }
}

impl Encoding for Terms {
    type Word = Term;

    fn new(config: CadicalConfig) -> Terms {
        Terms {
            gates: Gates::over(Solvers::new(config)),
            functions: Functions::default(),
            floors: FxHashMap::default(),
            opaque: FxHashMap::default(),
        }
    }

    fn sort(word: &Term) -> Sort {
        word.sort()
    }

    fn as_bool(word: &Term) -> Option<Lit> {
        match word {
            Term::Finite(word) => word.as_bool(),
            Term::Number(..) | Term::Function(_) => None,
        }
    }

    fn fresh_word(&mut self, sort: &Sort) -> Result<Term, Rejection> {
        Ok(match sort {
            Sort::Int => self.fresh_number(NumberKind::Int),
            Sort::Real => self.fresh_number(NumberKind::Real),
            Sort::Array(array) if sort.is_unbounded() => Term::Function(self.functions.fresh(array)),
            _ => Term::Finite(self.gates.fresh_word(sort)?),
        })
    }

    fn constant_word(&mut self, value: &Value) -> Result<Term, Rejection> {
        let constant = |kind, value: RBig| Term::Number(kind, Rc::new(Linear::constant(value)));
        Ok(match value {
            Value::Int(value) => constant(NumberKind::Int, RBig::from(value.clone())),
            Value::Real(value) => constant(NumberKind::Real, value.clone()),
            Value::Array(array) if value.sort().is_unbounded() => {
                let sort = Sort::Array(array.sort().clone());
                return Err(Rejection::Unsupported(format!("a constant of sort {sort}")));
            }
            _ => Term::Finite(self.gates.constant_word(value)?),
        })
    }

    fn unary(&mut self, op: &UnaryOp, a: &Term) -> Result<Term, Rejection> {
        match (op, a) {
            (UnaryOp::ConstArray(sort), _) if sort.is_unbounded() => {
                Err(Rejection::Unsupported(format!("a constant of sort {sort}")))
            }
            (_, Term::Finite(word)) => Ok(Term::Finite(self.gates.unary(op, word)?)),
            (UnaryOp::Neg, Term::Number(kind, a)) => {
                Ok(Term::Number(*kind, Rc::new(a.scaled(&RBig::from(-1)))))
            }
            (UnaryOp::ToReal, Term::Number(NumberKind::Int, a)) => {
                Ok(Term::Number(NumberKind::Real, Rc::clone(a)))
            }
            (UnaryOp::Floor, Term::Number(NumberKind::Real, a)) => {
                Ok(Term::Number(NumberKind::Int, self.floor(a)))
            }
            _ => Err(Rejection::operands(op)),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Term, b: &Term) -> Result<Term, Rejection> {
        match (op, a, b) {
            (BinaryOp::Eq, ..) => Ok(boolean(self.equal_words(a, b)?)),
            (_, Term::Finite(a), Term::Finite(b)) => Ok(Term::Finite(self.gates.binary(op, a, b)?)),
            (BinaryOp::Read, Term::Function(function), index) => self.apply(function, index),
            (_, Term::Number(kind, a), Term::Number(other, b)) if kind == other => {
                self.binary_numbers(op, *kind, a, b)
            }
            _ => Err(Rejection::operands(op)),
        }
    }

    fn ternary(&mut self, op: TernaryOp, a: &Term, b: &Term, c: &Term) -> Result<Term, Rejection> {
        match (op, a, b, c) {
            (_, Term::Finite(a), Term::Finite(b), Term::Finite(c)) => {
                Ok(Term::Finite(self.gates.ternary(op, a, b, c)?))
            }
            (TernaryOp::Ite, condition, Term::Number(kind, then), Term::Number(other, otherwise))
                if kind == other =>
            {
                let condition = Terms::as_bool(condition).ok_or_else(|| Rejection::operands(op))?;
                Ok(Term::Number(*kind, self.choice(condition, *kind, then, otherwise)))
            }
            (TernaryOp::Ite, condition, Term::Function(then), Term::Function(otherwise))
                if Terms::as_bool(condition).is_some() && then.sort() == otherwise.sort() =>
            {
                if then.is(otherwise) { Ok(b.clone()) } else { Err(Terms::functions_differ()) }
            }
            (TernaryOp::Write, Term::Function(_), ..) => {
                Err(Rejection::Unsupported(format!("writing to a value of sort {}", a.sort())))
            }
            _ => Err(Rejection::operands(op)),
        }
    }

    fn equal_words(&mut self, a: &Term, b: &Term) -> Result<Lit, Rejection> {
        match (a, b) {
            (Term::Finite(a), Term::Finite(b)) => self.gates.equal_words(a, b),
            (Term::Number(kind, a), Term::Number(other, b)) if kind == other => Ok(self.equal_numbers(a, b)),
            (Term::Function(x), Term::Function(y)) if x.is(y) => Ok(self.gates.constant(true)),
            (Term::Function(x), Term::Function(y)) if x.sort() == y.sort() => Err(Terms::functions_differ()),
            _ => Err(Rejection::operands(BinaryOp::Eq)),
        }
    }

    fn multiplexed(
        &mut self,
        _selectors: &mut Selectors,
        _element: ElementId,
        _sort: &Sort,
        _written: Term,
    ) -> Result<Term, Rejection> {
        Err(Rejection::Unsupported("selectors of mutants of a system with numbers".to_owned()))
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.gates.clause(literals);
    }

    fn watch(&mut self, budget: &Budget) {
        self.gates.watch(budget);
    }

    fn has_stopped(&self) -> bool {
        self.gates.has_stopped()
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Outcome, Rejection> {
        let outcome = self.gates.solve(assumptions, budget);
        match self.gates.solver.fault() {
            Some(fault) => Err(Rejection::Solver(fault.to_owned())),
            // The model may be none, for it may give products any value.
            None if outcome == Outcome::Sat && !self.opaque.is_empty() => {
                Err(Rejection::Unsupported("products or quotients of variables".to_owned()))
            }
            None => Ok(outcome),
        }
    }

    fn show(&self, word: &Term) -> Option<String> {
        match word {
            Term::Finite(word) => self.gates.show_bits(word),
            Term::Number(_, sum) => {
                Some(sum.evaluate(|number| self.gates.solver.number_value(number)).to_string())
            }
            Term::Function(_) => None,
        }
    }
}

/// A Boolean.
pub(super) fn boolean(literal: Lit) -> Term {
    Term::Finite(Word::Bits(Rc::from([literal])))
}
