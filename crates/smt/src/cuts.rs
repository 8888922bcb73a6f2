//! Cuts: a bound on a sum that excludes the rational values at hand, but no integers.
//!
//! In the row of a basic column b that has a fraction, `b = Σ aⱼ xⱼ`, round the coefficients of the columns that are at their bounds to integers, in the
//! direction that their bounds justify. What the bounds then say is `S ≤ d` for a sum S of integers with integer coefficients, and d has the fraction of b: `S ≤ ⌊d⌋`.
//! Columns with integer coefficients need no bound, so that equations without integer solution are refuted even where no number is bounded.
//!
//! The bounds and the negation of the cut add up to a contradiction after rounding: the cut is a Farkas lemma like any other.
//!
//! # References
//!
//! Gomory: Outline of an Algorithm for Integer Solutions to Linear Programs. Bulletin of the AMS 64, 1958.

use crate::delta::Value;
use crate::numeric::Rational;
use crate::simplex::Simplex;
use crate::{ArithSolver, Linear, Number};
use dashu_ratio::RBig;
use propcov_sat::Lit;

/// Coefficients beyond this make cuts that do more harm than good.
const LARGEST_COEFFICIENT: i64 = 1000;

/// Literals that hold, with multipliers, and what they say: `sum ≤ limit`.
struct Cut {
    premises: Vec<(Lit, Rational)>,
    /// Coefficients of columns.
    sum: Vec<(u32, Rational)>,
    limit: Rational,
}

impl ArithSolver {
    /// Adds a cut of the value of a basic column, if its row has one.
    pub(crate) fn cut(&mut self, column: u32) -> bool {
        let Some(cut) = self.simplex.find_cut(column) else { return false };
        let mut sum = Linear::default();
        for (column, coefficient) in &cut.sum {
            self.add_column_to(&mut sum, *column, &coefficient.to_big());
        }
        if sum.as_constant().is_some() {
            return false;
        }
        let (column, factor) = self.column_of_sum(&sum);
        let limit = cut.limit.over(&factor);
        let literal = match factor.is_positive() {
            true => self.upper_atom(column, Value::new(limit, 0)),
            false => !self.upper_atom(column, Value::new(limit, -1)),
        };
        self.use_atom(literal.var());
        if self.values[literal.index()] != 0 {
            return false;
        }
        if let Some(log) = &mut self.log {
            let multiplier = factor.absolute();
            let premises = cut.premises.iter().map(|(lit, multiplier)| (*lit, multiplier));
            log.add(premises.chain([(!literal, &multiplier)]));
        }
        let mut clause = vec![literal];
        clause.extend(cut.premises.iter().map(|(lit, _)| !*lit));
        clause[1..].sort_by_key(|lit| std::cmp::Reverse(self.assignments[lit.var().index()].level));
        let cause = self.attach(&clause, Some(clause.len() as u32));
        self.assign(literal, cause);
        true
    }

    fn add_column_to(&self, sum: &mut Linear, column: u32, times: &RBig) {
        let definition = &self.simplex.columns[column as usize].definition;
        let number = |column: u32| Linear::number(Number(self.registry.number_of[column as usize]));
        if definition.is_empty() {
            sum.add(&number(column), times);
        }
        for (part, coefficient) in definition {
            sum.add(&number(*part), &(coefficient.to_big() * times));
        }
    }
}

impl Simplex {
    fn find_cut(&mut self, basic: u32) -> Option<Cut> {
        let row = self.tableau.row_of(basic);
        let mut cut = Cut { premises: Vec::new(), sum: Vec::new(), limit: Rational::ZERO };
        self.tableau.ticks += self.tableau.row(row).len() as u64;
        for entry in self.tableau.row(row) {
            let column = entry.column;
            if !self.columns[column as usize].is_integer {
                return None;
            }
            let coefficient = entry.coefficient.negated();
            let floor = coefficient.floor();
            let mut rounded = coefficient.clone();
            if !coefficient.is_integer() {
                // Down by a multiple of the lower bound, or up by one of the upper bound.
                let value = &self.values[column as usize];
                let (literal, change) = if self.lower_value(column) == Some(value) {
                    (self.lower_literal(column), floor.minus(&coefficient))
                } else if self.upper_value(column) == Some(value) {
                    (self.upper_literal(column), floor.plus(&Rational::ONE).minus(&coefficient))
                } else {
                    return None;
                };
                rounded = rounded.plus(&change);
                cut.limit.add_product(&change, &value.real);
                cut.premises.push((literal, change.absolute()));
            }
            let limit = Rational::int(LARGEST_COEFFICIENT);
            if rounded.absolute() > limit {
                return None;
            }
            if !rounded.is_zero() {
                cut.sum.push((column, rounded));
            }
        }
        Some(cut)
    }
}
