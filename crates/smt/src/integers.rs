//! Integers: the simplex method finds rationals. Where a number of integer kind got a fraction, another column is moved by a whole number to take the fraction away, or a
//! [cut](crate::cuts) excludes it, or it is split on: `x ≤ c` or `x ≥ c + 1`.
//!
//! The two are opposite literals of one atom: a split is a decision, and needs no lemma.

use crate::ArithSolver;
use crate::delta::Value;
use crate::numeric::Rational;
use crate::simplex::Simplex;
use crate::tableau::{NONE, Occurrence};
use propcov_sat::Lit;

/// Splits for each cut, once a query has had some cuts.
const SPLITS_PER_CUT: u32 = 32;
/// Cuts before that.
const FIRST_CUTS: u32 = 8;
/// Denominators beyond this are not worth a search for a move.
const LARGEST_DENOMINATOR: u32 = 1000;

/// What to do about fractions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Repair {
    /// There are none.
    Whole,
    /// A cut was added.
    Cut,
    /// Decide this.
    Split(Lit),
}

/// Cuts and splits of the query at hand.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    cuts: u32,
    splits: u32,
}

impl ArithSolver {
    /// Makes all numbers of integer kind integers, or says what else to do.
    pub(crate) fn repair_fractions(&mut self) -> Repair {
        let Some(column) = self.simplex.patched_fractional_column() else {
            return Repair::Whole;
        };
        let counts = &mut self.counts;
        if counts.cuts < FIRST_CUTS || counts.splits > counts.cuts * SPLITS_PER_CUT {
            counts.cuts += 1;
            if self.cut(column) {
                return Repair::Cut;
            }
        }
        self.counts.splits += 1;
        if self.simplex.range(column).is_none() {
            if let Some(companion) = self.simplex.bounded_companion(column) {
                return Repair::Split(self.towards_value(companion));
            }
            // What is left of the row are equations, and splits might go on for ever.
            if self.cut(column) {
                return Repair::Cut;
            }
        }
        if let Some(literal) = self.fixed_at_bound(column) {
            return Repair::Split(literal);
        }
        let value = &self.simplex.values[column as usize];
        let floor = value.floor();
        let is_up = value.real.minus(&floor) > Rational::ONE.over(&Rational::int(2));
        let literal = self.upper_atom(column, Value::new(floor, 0));
        self.use_atom(literal.var());
        Repair::Split(literal.negated_if(is_up))
    }
}

impl ArithSolver {
    /// Where a column has one bound only, which is whole like the column, the literal that fixes it there. Splits at its value might lead further and further away from that bound.
    fn fixed_at_bound(&mut self, column: u32) -> Option<Lit> {
        let upper = self.simplex.upper_value(column).map(|upper| upper.real.clone());
        let lower = self.simplex.lower_value(column).map(|lower| lower.real.clone());
        let (limit, is_upper) = match (lower, upper) {
            (None, Some(upper)) => (upper.minus(&Rational::ONE), false),
            (Some(lower), None) => (lower, true),
            _ => return None,
        };
        let literal = self.upper_atom(column, Value::new(limit, 0));
        self.use_atom(literal.var());
        Some(literal.negated_if(!is_upper))
    }

    /// The literal that brings the bounds of a column, which is whole but not fixed, closer to its value.
    fn towards_value(&mut self, column: u32) -> Lit {
        let value = self.simplex.values[column as usize].real.clone();
        let is_at_lower = self.simplex.lower_value(column).is_some_and(|lower| lower.real == value);
        let limit = if is_at_lower { value } else { value.minus(&Rational::ONE) };
        let literal = self.upper_atom(column, Value::new(limit, 0));
        self.use_atom(literal.var());
        literal.negated_if(!is_at_lower)
    }
}

impl Simplex {
    /// Among the columns of a basic column's row, one of integer kind that has the smallest range, but more than one value: a remainder, say, where the quotient is
    /// unbounded. Splits on an unbounded column may go on for ever; these do not, and once all such columns are fixed, what is left are equations.
    fn bounded_companion(&self, basic: u32) -> Option<u32> {
        let row = self.tableau.row_of(basic);
        let unfixed = self.tableau.row(row).iter().map(|entry| entry.column).filter(|&column| {
            let is_whole =
                self.columns[column as usize].is_integer && self.values[column as usize].is_integer();
            column != basic && is_whole && self.range(column).is_some_and(|range| range.is_positive())
        });
        unfixed.min_by(|a, b| self.compare_ranges(*a, *b))
    }

    /// A number of integer kind without integer value, of small range if there is one, after all were moved that can be.
    fn patched_fractional_column(&mut self) -> Option<u32> {
        loop {
            let mut best = None;
            for row in 0..self.tableau.rows() {
                let column = self.tableau.basic(row);
                if !self.is_fractional(column) || self.patch(row) {
                    continue;
                }
                if best.is_none_or(|best| self.compare_ranges(column, best).is_lt()) {
                    best = Some(column);
                }
            }
            // A later move may have made the best one whole; then there are fewer, as no move makes another fractional.
            if best.is_none_or(|best| self.is_fractional(best)) {
                return best;
            }
        }
    }

    /// Only basic columns can be.
    fn is_fractional(&self, column: u32) -> bool {
        let info = &self.columns[column as usize];
        info.is_integer && info.definition.is_empty() && !self.values[column as usize].is_integer()
    }

    /// Makes the basic column of a row whole by moving another column of the row, where that harms nobody.
    fn patch(&mut self, row: u32) -> bool {
        let basic = self.tableau.basic(row);
        let value = self.values[basic as usize].clone();
        if !value.infinitesimal.is_zero() {
            return false;
        }
        for position in 0..self.tableau.row(row).len() {
            let entry = &self.tableau.row(row)[position];
            let column = entry.column;
            if column == basic || !self.columns[column as usize].is_integer {
                continue;
            }
            let Some((step, period)) = whole_step(&value.real, &entry.coefficient) else { continue };
            for step in [step, step - period] {
                let change = Value::new(Rational::int(step), 0);
                if self.is_harmless(column, &change) {
                    let mut moved = self.values[column as usize].clone();
                    moved.add_product(&change, &Rational::ONE);
                    self.move_to(column, moved);
                    return true;
                }
            }
        }
        false
    }

    /// Whether a column and the basic ones that depend on it stay within their bounds, and whole, when it is moved.
    fn is_harmless(&mut self, column: u32, change: &Value) -> bool {
        let is_allowed = |column: u32, coefficient: &Rational| {
            let old = &self.values[column as usize];
            let mut new = old.clone();
            new.add_product(change, coefficient);
            let info = &self.columns[column as usize];
            let may_be_fractional = !info.is_integer || !info.definition.is_empty() || !old.is_integer();
            (may_be_fractional || new.is_integer()) && self.is_within(column, &new)
        };
        let occurrences = self.tableau.occurrences(column);
        let is_harmless = is_allowed(column, &Rational::ONE)
            && occurrences.iter().all(|&occurrence: &Occurrence| {
                is_allowed(self.tableau.basic(occurrence.row), self.tableau.coefficient(occurrence))
            });
        self.tableau.ticks += occurrences.len() as u64;
        is_harmless
    }

    fn compare_ranges(&self, a: u32, b: u32) -> std::cmp::Ordering {
        match (self.range(a), self.range(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        }
    }

    fn range(&self, column: u32) -> Option<Rational> {
        let (lower, upper) = (self.lower[column as usize], self.upper[column as usize]);
        if lower == NONE || upper == NONE {
            return None;
        }
        Some(self.atoms[upper as usize].upper.real.minus(&self.atoms[lower as usize].lower.real))
    }
}

/// The least step, not negative, that makes `value + coefficient · step` whole, and the distance to the next.
fn whole_step(value: &Rational, coefficient: &Rational) -> Option<(i64, i64)> {
    let Rational::Small { numerator, denominator: period @ 2..=LARGEST_DENOMINATOR } = *coefficient else {
        return None;
    };
    let period = i64::from(period);
    let fraction = value.minus(&value.floor());
    // In units of 1 / period: where is the value, and how far does a step of one lead?
    let Rational::Small { numerator: start, denominator: 1 } = fraction.times(&Rational::int(period)) else {
        return None;
    };
    let pace = numerator.rem_euclid(period);
    let step = (0..period).find(|step| (start + pace * step) % period == 0)?;
    Some((step, period))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_step_to_a_whole_number_is_found() {
        let fraction = |a: i64, b: i64| Rational::int(a).over(&Rational::int(b));
        assert_eq!(whole_step(&fraction(1, 3), &fraction(2, 3)), Some((1, 3)));
        assert_eq!(whole_step(&fraction(-1, 3), &fraction(-2, 3)), Some((1, 3)));
        assert_eq!(whole_step(&fraction(1, 2), &fraction(1, 6)), Some((3, 6)));
        assert_eq!(whole_step(&fraction(1, 2), &fraction(1, 3)), None);
        assert_eq!(whole_step(&fraction(1, 2), &fraction(5, 1)), None);
    }
}
