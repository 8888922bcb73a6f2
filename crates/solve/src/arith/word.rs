//! What an expression is in one step.

use propcov_budget::{Budget, Stop};
use propcov_ir::{SignalId, Sort, UnknownReason};
use propcov_sat::Lit;
use propcov_smt::Linear;
use std::fmt::Debug;
use std::rc::Rc;
use thiserror::Error;

/// The value of an expression in a step, in terms of the solver's variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// Of a Boolean.
    Bit(Lit),
    /// Of an int or a real.
    Number(Rc<Linear>),
    /// Of an enumeration: its position in binary, least significant bit first.
    Choice(Rc<Vec<Lit>>),
    /// Of a function that nothing is known about, applied to its first arguments.
    Function(SignalId, Rc<Vec<Word>>),
}

impl Word {
    /// The literal of a Boolean.
    pub fn as_bit(&self) -> Option<Lit> {
        match self {
            Word::Bit(lit) => Some(*lit),
            _ => None,
        }
    }

    /// How many parts it has: sums of sums may grow with the square of what is written.
    pub(super) fn size(&self) -> usize {
        match self {
            Word::Bit(_) => 1,
            Word::Number(sum) => sum.terms().count(),
            Word::Choice(literals) => literals.len(),
            Word::Function(_, arguments) => arguments.len(),
        }
    }

    /// The sum of a number.
    pub fn as_number(&self) -> Option<&Linear> {
        match self {
            Word::Number(sum) => Some(sum),
            _ => None,
        }
    }
}

/// Something that has no description by clauses and linear constraints.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotRepresentable(String, Option<Stop>);

impl From<NotRepresentable> for UnknownReason {
    fn from(error: NotRepresentable) -> UnknownReason {
        error.1.map_or(UnknownReason::Unsupported(error.0), UnknownReason::from)
    }
}

impl NotRepresentable {
    /// Nothing is wrong with the system, but the budget was used up.
    pub(super) fn stopped(budget: &Budget) -> NotRepresentable {
        let stop = budget.stop().unwrap_or(Stop::Memory);
        NotRepresentable(UnknownReason::from(stop).to_string(), Some(stop))
    }

    pub(super) fn sort(expected: &str, found: &Sort) -> NotRepresentable {
        NotRepresentable(format!("expected {expected}, found {found}"), None)
    }

    pub(super) fn operator(operator: impl Debug) -> NotRepresentable {
        NotRepresentable(format!("{operator:?}").to_lowercase(), None)
    }

    pub(super) fn operator_on(operator: impl Debug, sort: &Sort) -> NotRepresentable {
        NotRepresentable(format!("{} of sort {sort}", format!("{operator:?}").to_lowercase()), None)
    }
}
