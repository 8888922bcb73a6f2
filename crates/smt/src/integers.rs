//! Integers: when the simplex method has found rationals, a number of integer kind that got a fraction is split on, `x ≤ c` or `x ≥ c + 1`.
//!
//! The two are opposite literals of one atom: a split is a decision, and needs no lemma.

use crate::ArithSolver;
use crate::delta::Value;
use crate::numeric::Rational;
use crate::simplex::Simplex;
use crate::tableau::NONE;
use propcov_sat::Lit;

impl ArithSolver {
    /// The next split, unless all numbers of integer kind are integers.
    pub(crate) fn split(&mut self) -> Option<Lit> {
        let column = self.simplex.fractional_column()?;
        let value = &self.simplex.values[column as usize];
        let floor = value.floor();
        let is_up = value.real.minus(&floor) > Rational::ONE.over(&Rational::int(2));
        let literal = self.upper_atom(column, Value::new(floor, 0));
        self.use_atom(literal.var());
        Some(literal.negated_if(is_up))
    }
}

impl Simplex {
    /// A number of integer kind without integer value, of small range if there is one. Only basic columns can be.
    fn fractional_column(&self) -> Option<u32> {
        let basics = (0..self.tableau.rows()).map(|row| self.tableau.basic(row));
        let fractional = basics.filter(|&column| {
            let info = &self.columns[column as usize];
            info.is_integer && info.definition.is_empty() && !self.values[column as usize].is_integer()
        });
        fractional.min_by(|&a, &b| self.compare_ranges(a, b).then(a.cmp(&b)))
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
