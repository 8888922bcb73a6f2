//! From sums to atoms: a column for each sum up to a factor, and a Boolean variable for each limit of a column.
//!
//! The sum's variable part becomes a positive or negative multiple of one with coprime integer coefficients, the first of them positive. `sum ≤ 0`
//! then is `column ≤ c` or `column ≥ c`. Where all variables are integers, so is the column, and c is rounded; no limit is strict there. A lower limit is
//! the negation of an upper one: opposite constraints have opposite literals by construction.

use crate::delta::Value;
use crate::numeric::Rational;
use crate::simplex::Atom;
use crate::tableau::NONE;
use crate::{ArithSolver, Bound, Linear, Number, NumberKind, Relation};
use dashu_ratio::RBig;
use propcov_sat::{Lit, Solver};
use rustc_hash::FxHashMap;

/// Columns by sum, and atoms by column and limit.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    /// The column of each number.
    pub(crate) column_of: Vec<u32>,
    /// The number of each column, or [`NONE`].
    pub(crate) number_of: Vec<u32>,
    columns: FxHashMap<Box<[(u32, Rational)]>, u32>,
    atoms: FxHashMap<(u32, Value), Lit>,
}

impl ArithSolver {
    pub(crate) fn add_number(&mut self, kind: NumberKind) -> Number {
        let column = self.simplex.add_column(kind == NumberKind::Int, Box::default());
        let number = self.registry.column_of.len() as u32;
        self.registry.column_of.push(column);
        self.registry.number_of.push(number);
        Number(number)
    }

    /// The literal of `sum ≤ 0` or `sum < 0`.
    pub(crate) fn literal_of(&mut self, sum: &Linear, is_strict: bool) -> Lit {
        if let Some(value) = sum.as_constant() {
            let holds = if is_strict { *value < RBig::ZERO } else { *value <= RBig::ZERO };
            return self.truth().negated_if(!holds);
        }
        let (column, factor) = self.column_of_sum(sum);
        let limit = Rational::from(sum.offset()).negated().over(&factor);
        let is_upper = factor.is_positive();
        let limit = match (is_upper, is_strict) {
            (true, true) => Value::new(limit, -1),
            (false, false) => Value::new(limit, -1),
            _ => Value::new(limit, 0),
        };
        self.upper_atom(column, limit).negated_if(!is_upper)
    }

    /// The column of a sum's variable part, and the multiple of it that the part is.
    pub(crate) fn column_of_sum(&mut self, sum: &Linear) -> (u32, Rational) {
        let column_of = &self.registry.column_of;
        let mut terms: Vec<(u32, Rational)> = Vec::new();
        for (number, coefficient) in sum.terms() {
            terms.push((column_of[number.0 as usize], Rational::from(coefficient)));
        }
        let mut factor = Rational::ZERO;
        for (_, coefficient) in &terms {
            factor =
                if factor.is_zero() { coefficient.absolute() } else { factor.common_divisor(coefficient) };
        }
        if terms[0].1.is_negative() {
            factor = factor.negated();
        }
        for (_, coefficient) in &mut terms {
            *coefficient = coefficient.over(&factor);
        }
        if let [(column, _)] = terms[..] {
            return (column, factor);
        }
        let key = terms.into_boxed_slice();
        if let Some(&column) = self.registry.columns.get(&key) {
            return (column, factor);
        }
        let is_integer = key.iter().all(|(part, _)| self.simplex.columns[*part as usize].is_integer);
        let column = self.simplex.add_column(is_integer, key.clone());
        self.registry.number_of.push(NONE);
        self.registry.columns.insert(key, column);
        (column, factor)
    }

    /// The literal of `column ≤ limit`.
    pub(crate) fn upper_atom(&mut self, column: u32, limit: Value) -> Lit {
        let is_integer = self.simplex.columns[column as usize].is_integer;
        let upper = if is_integer { Value::new(limit.floor(), 0) } else { limit };
        if let Some(&literal) = self.registry.atoms.get(&(column, upper.clone())) {
            return literal;
        }
        let lower = match (is_integer, upper.infinitesimal.is_zero()) {
            (true, _) => Value::new(upper.real.plus(&Rational::ONE), 0),
            (false, true) => Value::new(upper.real.clone(), 1),
            (false, false) => Value::new(upper.real.clone(), 0),
        };
        let var = self.new_var();
        self.registry.atoms.insert((column, upper.clone()), var.positive());
        self.atom_of[var.index()] = self.simplex.atoms.len() as u32;
        self.occurrences.push(Vec::new());
        self.simplex.atoms.push(Atom { var, column, upper, lower, position: NONE });
        var.positive()
    }

    /// The constraint of an atom.
    pub(crate) fn bound_of_atom(&self, atom: u32) -> Bound {
        let atom = &self.simplex.atoms[atom as usize];
        let mut sum = Linear::constant(atom.upper.real.negated().to_big());
        let definition = &self.simplex.columns[atom.column as usize].definition;
        if definition.is_empty() {
            sum.add(&Linear::number(self.number_of_column(atom.column)), &RBig::ONE);
        }
        for (part, coefficient) in definition {
            sum.add(&Linear::number(self.number_of_column(*part)), &coefficient.to_big());
        }
        let relation = if atom.upper.infinitesimal.is_zero() { Relation::AtMost } else { Relation::Below };
        Bound { sum, relation }
    }

    fn number_of_column(&self, column: u32) -> Number {
        Number(self.registry.number_of[column as usize])
    }
}
