//! Atoms that follow from the bounds on the other columns of a row.
//!
//! In a row `Σ cᵢ xᵢ = 0` where all columns but one are bounded in the right direction, the bounds imply one on the last; where all are, they imply one on each.
//! Only rows of columns whose bounds changed are looked at, and not too many of them at once. The reason is kept when an atom is implied: pivots
//! may have changed the row when a conflict asks for it.
//!
//! On some problems this halves the conflicts, on others it is for nothing. So it lives on credit: looking at entries costs, literals that
//! are implied and above all reasons that conflicts ask for pay.

use crate::ArithSolver;
use crate::delta::Value;
use crate::numeric::Rational;
use crate::propagate::Cause;
use crate::simplex::Simplex;
use crate::tableau::{Entry, NONE};
use propcov_sat::Lit;

/// Rows looked at after one check.
const MOST_ROWS: usize = 20;
/// Longer rows are left alone.
const LONGEST_ROW: usize = 16;
/// What a reason that a conflict asked for is worth, in entries looked at.
pub(crate) const WORTH_OF_REASON: i64 = 100;
/// What an implied literal is worth.
const WORTH_OF_LITERAL: i64 = 10;
/// Credit is at most this, and one call in so many is made without.
const MOST_CREDIT: i64 = 2000;
const CALLS_WITHOUT_CREDIT: u64 = 32;

/// What rows implied: reasons, one after the other.
#[derive(Debug, Default)]
pub(crate) struct RowReasons {
    /// Literals that hold, with multipliers; the negation of what they imply comes first.
    terms: Vec<(Lit, Rational)>,
    /// Where each reason begins.
    starts: Vec<u32>,
    credit: i64,
    calls: u64,
}

impl RowReasons {
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        if let Some(&start) = self.starts.get(len) {
            self.terms.truncate(start as usize);
            self.starts.truncate(len);
        }
    }

    /// Changes the credit.
    pub(crate) fn pay(&mut self, amount: i64) {
        self.credit = (self.credit + amount).min(MOST_CREDIT);
    }

    /// The reason with a number.
    pub(crate) fn reason(&self, index: u32) -> &[(Lit, Rational)] {
        let end = self.starts.get(index as usize + 1).map_or(self.terms.len(), |&end| end as usize);
        &self.terms[self.starts[index as usize] as usize..end]
    }
}

impl ArithSolver {
    /// Assigns atoms that follow from rows whose bounds changed.
    pub(crate) fn refine(&mut self) {
        self.row_reasons.calls += 1;
        let is_free = self.row_reasons.calls.is_multiple_of(CALLS_WITHOUT_CREDIT);
        if self.row_reasons.credit < 0 && !is_free {
            self.simplex.touched.clear();
            return;
        }
        self.simplex.collect_touched_rows();
        for position in 0..self.simplex.touched_rows.len() {
            let row = self.simplex.touched_rows[position];
            let length = self.simplex.tableau.row(row).len();
            self.clause_ticks += length as u64;
            self.row_reasons.pay(-(length as i64));
            for is_upper in [true, false] {
                self.refine_row(row, is_upper);
            }
        }
    }

    /// Looks at what the greatest (or else the least) value of each product allows for the others.
    fn refine_row(&mut self, row: u32, use_greatest: bool) {
        let Some((total, unbounded)) = self.simplex.extreme(row, use_greatest) else { return };
        for position in 0..self.simplex.tableau.row(row).len() {
            let entry = &self.simplex.tableau.row(row)[position];
            if unbounded != NONE && entry.column != unbounded {
                continue;
            }
            let Some(literal) = self.simplex.implied(entry, &total, use_greatest, unbounded) else {
                continue;
            };
            if self.values[literal.index()] == 0 {
                self.assign_by_row(literal, row, position, use_greatest);
            }
        }
    }

    fn assign_by_row(&mut self, literal: Lit, row: u32, position: usize, use_greatest: bool) {
        let reasons = &mut self.row_reasons;
        let start = reasons.terms.len();
        reasons.starts.push(start as u32);
        let entries = self.simplex.tableau.row(row);
        reasons.terms.push((!literal, entries[position].coefficient.absolute()));
        for entry in
            entries.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, entry)| entry)
        {
            let is_upper = entry.coefficient.is_negative() != use_greatest;
            let bound = match is_upper {
                true => self.simplex.upper_literal(entry.column),
                false => self.simplex.lower_literal(entry.column),
            };
            reasons.terms.push((bound, entry.coefficient.absolute()));
        }
        reasons.pay(WORTH_OF_LITERAL);
        let index = reasons.starts.len() as u32 - 1;
        if self.level() == 0 {
            self.log_row(index);
        }
        self.assign(literal, Cause::Row(index));
    }

    pub(crate) fn log_row(&mut self, index: u32) {
        if let Some(log) = &mut self.log {
            log.add(self.row_reasons.reason(index).iter().map(|(lit, multiplier)| (*lit, multiplier)));
        }
    }
}

impl Simplex {
    /// The rows of columns whose bounds changed since the last time.
    fn collect_touched_rows(&mut self) {
        self.touched_rows.clear();
        self.row_stamp += 1;
        self.row_stamps.resize(self.tableau.rows() as usize, 0);
        for column in self.touched.drain(..) {
            for occurrence in self.tableau.occurrences(column) {
                let is_short = self.tableau.row(occurrence.row).len() <= LONGEST_ROW;
                let stamp = &mut self.row_stamps[occurrence.row as usize];
                if is_short && std::mem::replace(stamp, self.row_stamp) != self.row_stamp {
                    self.touched_rows.push(occurrence.row);
                }
            }
            if self.touched_rows.len() >= MOST_ROWS {
                break;
            }
        }
    }

    /// The sum of the greatest (or else the least) values of the products of a row, except that of one column without bound. `None` if there are two such.
    fn extreme(&self, row: u32, use_greatest: bool) -> Option<(Value, u32)> {
        let mut unbounded = NONE;
        let is_upper = |entry: &Entry| entry.coefficient.is_negative() != use_greatest;
        for entry in self.tableau.row(row) {
            let bounds = if is_upper(entry) { &self.upper } else { &self.lower };
            if bounds[entry.column as usize] == NONE {
                if unbounded != NONE {
                    return None;
                }
                unbounded = entry.column;
            }
        }
        let mut total = Value::ZERO;
        for entry in self.tableau.row(row) {
            let bound =
                if is_upper(entry) { self.upper_value(entry.column) } else { self.lower_value(entry.column) };
            if let Some(bound) = bound {
                total.add_product(bound, &entry.coefficient);
            }
        }
        Some((total, unbounded))
    }

    /// The tightest atom of an entry's column that the other entries imply.
    fn implied(&self, entry: &Entry, total: &Value, use_greatest: bool, unbounded: u32) -> Option<Lit> {
        let column = entry.column;
        let atoms = &self.columns[column as usize].atoms;
        if atoms.is_empty() {
            return None;
        }
        // The others sum up to at most (at least) this, so the entry's own product is at least (at most) the negation of it.
        let mut others = total.clone();
        let is_upper = entry.coefficient.is_negative() != use_greatest;
        if unbounded == NONE {
            let own = if is_upper { self.upper_value(column) } else { self.lower_value(column) };
            others.add_product(own?, &entry.coefficient.negated());
        }
        let limit = others.over(&entry.coefficient.negated());
        if is_upper {
            // A lower bound follows: atoms whose negation is at most that.
            let count = atoms.partition_point(|&atom| self.atoms[atom as usize].lower <= limit);
            let atom = atoms[count.checked_sub(1)?];
            return Some(!self.atoms[atom as usize].var.positive());
        }
        let position = atoms.partition_point(|&atom| self.atoms[atom as usize].upper < limit);
        Some(self.atoms[*atoms.get(position)? as usize].var.positive())
    }
}
