//! Bounds on columns and a value for each, which the simplex method repairs until all bounds hold or a row shows that they cannot.
//!
//! A bound is asserted by a literal and taken back when the search backtracks; values and rows stay. Columns that are not basic are always within
//! their bounds. A row whose basic column cannot be moved into its bounds, since all others of the row are at their limits, is the
//! conflict, and its coefficients are the multipliers of Farkas' lemma.
//!
//! The sum of a column goes into the rows when the first bound on it is asserted: atoms that nobody decides cost nothing here.
//!
//! # References
//!
//! Dutertre, de Moura: A Fast Linear-Arithmetic Solver for DPLL(T). CAV 2006.

use crate::delta::Value;
use crate::numeric::Rational;
use crate::tableau::{Entry, NONE, Tableau};
use propcov_sat::{Lit, Var};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Pivots of one check after which the rule that cannot cycle (Bland) takes over.
const PIVOTS_BEFORE_BLAND: u32 = 200;
/// Pivots between two looks at the clock.
const PIVOTS_BETWEEN_CHECKS: u32 = 32;

/// The Boolean variable for `column ≤ upper`, the opposite of `column ≥ lower`.
#[derive(Debug)]
pub(crate) struct Atom {
    pub(crate) var: Var,
    pub(crate) column: u32,
    pub(crate) upper: Value,
    pub(crate) lower: Value,
    /// Position among the atoms in use of its column, or [`NONE`].
    pub(crate) position: u32,
}

/// A number variable, or a sum of several.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) is_integer: bool,
    /// The sum, over the columns of number variables; empty for these themselves.
    pub(crate) definition: Box<[(u32, Rational)]>,
    /// Whether its sum is in the rows.
    pub(crate) is_in_rows: bool,
    /// Whether a bound was asserted since old rows were last removed.
    pub(crate) is_recent: bool,
    /// The atoms in use, by value.
    pub(crate) atoms: Vec<u32>,
}

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// All bounds hold.
    Feasible,
    /// They cannot: see [`Simplex::conflict`].
    Conflict,
    /// Somebody wants to stop.
    Interrupted,
}

/// What to restore.
#[derive(Debug)]
struct Undo {
    column: u32,
    is_upper: bool,
    old: u32,
}

/// Columns, bounds and values.
#[derive(Debug, Default)]
pub(crate) struct Simplex {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) columns: Vec<Column>,
    pub(crate) values: Vec<Value>,
    /// The atoms whose negations are the lower bounds, by column.
    pub(crate) lower: Vec<u32>,
    /// The atoms that are the upper bounds, by column.
    pub(crate) upper: Vec<u32>,
    pub(crate) tableau: Tableau,
    /// Sums of several numbers that are in the rows.
    pub(crate) sums_in_rows: Vec<u32>,
    /// Ticks when old rows were last removed.
    pub(crate) last_removal: u64,
    /// Columns whose bounds changed since rows were last looked at.
    pub(crate) touched: Vec<u32>,
    pub(crate) touched_rows: Vec<u32>,
    pub(crate) row_stamps: Vec<u64>,
    pub(crate) row_stamp: u64,
    undo: Vec<Undo>,
    /// Basic columns that may be outside their bounds.
    suspects: BinaryHeap<Reverse<u32>>,
    is_suspect: Vec<bool>,
    /// Literals that hold, with the multipliers that refute them together.
    pub(crate) conflict: Vec<(Lit, Rational)>,
}

impl Simplex {
    pub(crate) fn add_column(&mut self, is_integer: bool, definition: Box<[(u32, Rational)]>) -> u32 {
        let is_in_rows = definition.is_empty();
        self.columns.push(Column { is_integer, definition, is_in_rows, is_recent: false, atoms: Vec::new() });
        self.values.push(Value::ZERO);
        self.lower.push(NONE);
        self.upper.push(NONE);
        self.is_suspect.push(false);
        self.tableau.add_column();
        self.columns.len() as u32 - 1
    }

    /// The value of a column, also of one that is not in the rows yet.
    pub(crate) fn value(&self, column: u32) -> Value {
        let info = &self.columns[column as usize];
        if info.is_in_rows {
            return self.values[column as usize].clone();
        }
        let mut sum = Value::ZERO;
        for (part, coefficient) in &info.definition {
            sum.add_product(&self.values[*part as usize], coefficient);
        }
        sum
    }

    /// Whether the values make an atom true.
    pub(crate) fn is_true_now(&self, atom: u32) -> bool {
        let atom = &self.atoms[atom as usize];
        match self.columns[atom.column as usize].is_in_rows {
            true => self.values[atom.column as usize] <= atom.upper,
            false => self.value(atom.column) <= atom.upper,
        }
    }

    pub(crate) fn upper_value(&self, column: u32) -> Option<&Value> {
        self.atoms.get(self.upper[column as usize] as usize).map(|atom| &atom.upper)
    }

    pub(crate) fn lower_value(&self, column: u32) -> Option<&Value> {
        self.atoms.get(self.lower[column as usize] as usize).map(|atom| &atom.lower)
    }

    /// The literal of the upper bound of a column that has one.
    pub(crate) fn upper_literal(&self, column: u32) -> Lit {
        self.atoms[self.upper[column as usize] as usize].var.positive()
    }

    pub(crate) fn lower_literal(&self, column: u32) -> Lit {
        !self.atoms[self.lower[column as usize] as usize].var.positive()
    }

    /// How much there is to take back.
    pub(crate) fn undo_mark(&self) -> usize {
        self.undo.len()
    }

    /// Takes bounds back.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        self.touched.clear();
        for Undo { column, is_upper, old } in self.undo.drain(mark..).rev() {
            let bounds = if is_upper { &mut self.upper } else { &mut self.lower };
            bounds[column as usize] = old;
        }
    }

    /// Asserts an atom or its negation. Returns the atom that was the bound before, if the bound is new.
    pub(crate) fn assert(&mut self, atom: u32, is_upper: bool) -> Result<Option<u32>, ()> {
        let column = self.atoms[atom as usize].column;
        self.insert_row(column);
        let info = &self.atoms[atom as usize];
        let (is_redundant, is_conflict, is_violated) = if is_upper {
            let is_redundant = self.upper_value(column).is_some_and(|old| *old <= info.upper);
            let is_conflict = self.lower_value(column).is_some_and(|lower| *lower > info.upper);
            (is_redundant, is_conflict, self.values[column as usize] > info.upper)
        } else {
            let is_redundant = self.lower_value(column).is_some_and(|old| *old >= info.lower);
            let is_conflict = self.upper_value(column).is_some_and(|upper| *upper < info.lower);
            (is_redundant, is_conflict, self.values[column as usize] < info.lower)
        };
        if is_redundant {
            return Ok(None);
        }
        if is_conflict {
            let other = if is_upper { self.lower_literal(column) } else { self.upper_literal(column) };
            let literal = self.atoms[atom as usize].var.lit(is_upper);
            self.conflict.clear();
            self.conflict.extend([(literal, Rational::ONE), (other, Rational::ONE)]);
            return Err(());
        }
        let bounds = if is_upper { &mut self.upper } else { &mut self.lower };
        let old = std::mem::replace(&mut bounds[column as usize], atom);
        self.undo.push(Undo { column, is_upper, old });
        self.touched.push(column);
        if is_violated {
            if self.tableau.row_of(column) != NONE {
                self.suspect(column);
            } else {
                let info = &self.atoms[atom as usize];
                let value = if is_upper { info.upper.clone() } else { info.lower.clone() };
                self.move_to(column, value);
            }
        }
        Ok(Some(old))
    }

    fn suspect(&mut self, column: u32) {
        if !std::mem::replace(&mut self.is_suspect[column as usize], true) {
            self.suspects.push(Reverse(column));
        }
    }

    /// Gives a column that is not basic a value.
    pub(crate) fn move_to(&mut self, column: u32, value: Value) {
        let change = value.minus(&self.values[column as usize]);
        self.values[column as usize] = value;
        self.shift_basics(column, &change, NONE);
    }

    /// Updates the basic columns after a change of another, except the one of a row.
    fn shift_basics(&mut self, column: u32, change: &Value, except: u32) {
        let count = self.tableau.occurrences(column).len();
        self.tableau.ticks += count as u64;
        for position in 0..count {
            let occurrence = self.tableau.occurrences(column)[position];
            if occurrence.row == except {
                continue;
            }
            let basic = self.tableau.basic(occurrence.row);
            let coefficient = self.tableau.coefficient(occurrence);
            self.values[basic as usize].add_product(change, coefficient);
            if self.upper[basic as usize] != NONE || self.lower[basic as usize] != NONE {
                self.suspect(basic);
            }
        }
    }

    /// Repairs the values. The caller says when to stop, being told the work done.
    pub(crate) fn check(&mut self, mut must_stop: impl FnMut(u64) -> bool) -> Checked {
        let mut pivots = 0;
        while let Some(&Reverse(basic)) = self.suspects.peek() {
            let row = self.tableau.row_of(basic);
            let Some(is_low) = self.violation(basic).filter(|_| row != NONE) else {
                self.suspects.pop();
                self.is_suspect[basic as usize] = false;
                continue;
            };
            let Some(entering) = self.entering(row, basic, is_low, pivots >= PIVOTS_BEFORE_BLAND) else {
                self.explain(row, is_low);
                return Checked::Conflict;
            };
            let target = if is_low { self.lower_value(basic) } else { self.upper_value(basic) };
            let target = target.cloned().unwrap_or(Value::ZERO);
            self.pivot(row, basic, entering, target);
            pivots += 1;
            if pivots % PIVOTS_BETWEEN_CHECKS == 0 && must_stop(self.tableau.ticks) {
                return Checked::Interrupted;
            }
        }
        Checked::Feasible
    }

    /// Whether a column is below its lower bound (`Some(true)`) or above its upper one.
    pub(crate) fn violation(&self, column: u32) -> Option<bool> {
        let value = &self.values[column as usize];
        if self.lower_value(column).is_some_and(|lower| value < lower) {
            return Some(true);
        }
        self.upper_value(column).is_some_and(|upper| value > upper).then_some(false)
    }

    /// Whether a value is within the bounds of a column.
    pub(crate) fn is_within(&self, column: u32, value: &Value) -> bool {
        self.lower_value(column).is_none_or(|lower| value >= lower)
            && self.upper_value(column).is_none_or(|upper| value <= upper)
    }

    /// Whether moving this entry's column can raise (or else lower) the basic column of its row.
    fn can_help(&self, entry: &Entry, raise: bool) -> bool {
        let value = &self.values[entry.column as usize];
        if entry.coefficient.is_negative() != raise {
            self.upper_value(entry.column).is_none_or(|upper| value < upper)
        } else {
            self.lower_value(entry.column).is_none_or(|lower| value > lower)
        }
    }

    /// The column to exchange for the basic one: of few occurrences, or, to be sure to come to an end, of least index.
    fn entering(&mut self, row: u32, basic: u32, raise: bool, is_bland: bool) -> Option<u32> {
        let entries = self.tableau.row(row);
        let candidates = entries.iter().filter(|entry| entry.column != basic && self.can_help(entry, raise));
        let best = candidates.min_by_key(|entry| {
            let weight = if is_bland { 0 } else { self.tableau.occurrences(entry.column).len() };
            (weight, entry.column)
        });
        let best = best.map(|entry| entry.column);
        self.tableau.ticks += entries.len() as u64;
        best
    }

    fn explain(&mut self, row: u32, is_low: bool) {
        self.conflict.clear();
        for entry in self.tableau.row(row) {
            // The basic column has coefficient -1: it needs no case of its own.
            let is_upper = entry.coefficient.is_negative() != is_low;
            let literal =
                if is_upper { self.upper_literal(entry.column) } else { self.lower_literal(entry.column) };
            self.conflict.push((literal, entry.coefficient.absolute()));
        }
    }

    /// Exchanges a basic column, which gets a value, for another.
    fn pivot(&mut self, row: u32, basic: u32, entering: u32, target: Value) {
        let entries = self.tableau.row(row);
        let Some(entry) = entries.iter().find(|entry| entry.column == entering) else { return };
        let change = target.minus(&self.values[basic as usize]).over(&entry.coefficient);
        self.values[basic as usize] = target;
        self.values[entering as usize].add_product(&change, &Rational::ONE);
        self.shift_basics(entering, &change, row);
        self.tableau.pivot(row, entering);
        if self.upper[entering as usize] != NONE || self.lower[entering as usize] != NONE {
            self.suspect(entering);
        }
    }

    /// A value for ε that is small enough for all bounds that hold.
    pub(crate) fn epsilon(&self) -> Rational {
        let mut epsilon = Rational::ONE;
        for (column, value) in self.values.iter().enumerate() {
            let column = column as u32;
            let above = self.lower_value(column).map(|lower| value.minus(lower));
            let below = self.upper_value(column).map(|upper| upper.minus(value));
            for room in above.into_iter().chain(below) {
                if room.infinitesimal.is_negative() && room.real.is_positive() {
                    epsilon = epsilon.min(room.real.over(&room.infinitesimal.negated()));
                }
            }
        }
        epsilon
    }
}
