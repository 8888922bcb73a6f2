//! What a solver has to offer so that steps of a system can be written into it.
//!
//! Which expressions are encoded, in which step, and under which edits is the same whatever values are made of ([`Steps`](super::Steps)), and so
//! is the rule of induction. What differs is what a value is: literals for finite sorts ([`Gates`]), sums and functions besides for others
//! ([`Terms`](crate::arith::Terms)).

use super::gates::Gates;
use super::selectors::Selectors;
use super::word::Word;
use crate::Rejection;
use propcov_budget::Budget;
use propcov_ir::{BinaryOp, ElementId, Sort, TernaryOp, UnaryOp, Value};
use propcov_sat::{CadicalConfig, Lit, Outcome};

/// Values and operators, in a solver of their own.
pub(crate) trait Encoding {
    /// A value. Cheap to clone.
    type Word: Clone;

    /// Nothing is written yet.
    fn new(config: CadicalConfig) -> Self;

    /// The sort of a value, as it was made: what expression pools say is not relied on.
    fn sort(word: &Self::Word) -> Sort;

    /// The literal of a Boolean.
    fn as_bool(word: &Self::Word) -> Option<Lit>;

    /// A value of which nothing is known but its sort.
    fn fresh_word(&mut self, sort: &Sort) -> Result<Self::Word, Rejection>;

    /// A constant.
    fn constant_word(&mut self, value: &Value) -> Result<Self::Word, Rejection>;

    /// An operator of one operand.
    fn unary(&mut self, op: &UnaryOp, a: &Self::Word) -> Result<Self::Word, Rejection>;

    /// An operator of two operands.
    fn binary(&mut self, op: BinaryOp, a: &Self::Word, b: &Self::Word) -> Result<Self::Word, Rejection>;

    /// An operator of three operands.
    fn ternary(
        &mut self,
        op: TernaryOp,
        a: &Self::Word,
        b: &Self::Word,
        c: &Self::Word,
    ) -> Result<Self::Word, Rejection>;

    /// Whether two values of one sort are equal.
    fn equal_words(&mut self, a: &Self::Word, b: &Self::Word) -> Result<Lit, Rejection>;

    /// What others read of an element that has selectors.
    fn multiplexed(
        &mut self,
        selectors: &mut Selectors,
        element: ElementId,
        sort: &Sort,
        written: Self::Word,
    ) -> Result<Self::Word, Rejection>;

    /// From now on, writes within this budget. When it is used up nothing is written any more, and no query decided.
    fn watch(&mut self, budget: &Budget);

    /// Whether something was not written because the budget was used up.
    fn has_stopped(&self) -> bool;

    /// Requires one of the literals.
    fn clause(&mut self, literals: &[Lit]);

    /// Decides what was written so far. "Unsatisfiable" is beyond doubt.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Outcome, Rejection>;

    /// The value in the model of the last query, which was satisfiable.
    fn show(&self, word: &Self::Word) -> Option<String>;
}

impl Encoding for Gates {
    type Word = Word;

    fn new(config: CadicalConfig) -> Gates {
        Gates::new(config)
    }

    fn sort(word: &Word) -> Sort {
        word.sort()
    }

    fn as_bool(word: &Word) -> Option<Lit> {
        word.as_bool()
    }

    fn fresh_word(&mut self, sort: &Sort) -> Result<Word, Rejection> {
        self.fresh_word(sort)
    }

    fn constant_word(&mut self, value: &Value) -> Result<Word, Rejection> {
        Gates::constant_word(self, value)
    }

    fn unary(&mut self, op: &UnaryOp, a: &Word) -> Result<Word, Rejection> {
        self.unary(op, a)
    }

    fn binary(&mut self, op: BinaryOp, a: &Word, b: &Word) -> Result<Word, Rejection> {
        self.binary(op, a, b)
    }

    fn ternary(&mut self, op: TernaryOp, a: &Word, b: &Word, c: &Word) -> Result<Word, Rejection> {
        self.ternary(op, a, b, c)
    }

    fn equal_words(&mut self, a: &Word, b: &Word) -> Result<Lit, Rejection> {
        self.equal_words(a, b)
    }

    fn multiplexed(
        &mut self,
        selectors: &mut Selectors,
        element: ElementId,
        sort: &Sort,
        written: Word,
    ) -> Result<Word, Rejection> {
        selectors.multiplexed(self, element, sort, written)
    }

    fn watch(&mut self, budget: &Budget) {
        self.watch(budget);
    }

    fn has_stopped(&self) -> bool {
        self.has_stopped()
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.clause(literals);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Outcome, Rejection> {
        Ok(self.solve(assumptions, budget))
    }

    fn show(&self, word: &Word) -> Option<String> {
        self.show_bits(word)
    }
}
