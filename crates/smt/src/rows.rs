//! Rows come and go: a sum is in the rows only while somebody asserts bounds on it.
//!
//! Pivots touch every row that a column occurs in, so that the sums of old queries would slow down all later ones, and blow up their coefficients. A sum without
//! bounds constrains nothing: once basic, its row can go. It comes back when a bound on it is asserted, for the price of substituting into
//! one row.

use crate::simplex::Simplex;
use crate::tableau::NONE;

impl Simplex {
    /// Puts the sum of a column into the rows.
    pub(crate) fn insert_row(&mut self, column: u32) {
        let info = &self.columns[column as usize];
        if info.is_in_rows {
            self.columns[column as usize].is_recent = true;
            return;
        }
        self.values[column as usize] = self.value(column);
        let info = &mut self.columns[column as usize];
        info.is_in_rows = true;
        info.is_recent = true;
        self.tableau.add_row(column, &info.definition);
        self.sums_in_rows.push(column);
    }

    /// Takes sums without bounds, on which no bound was asserted since the last time, out of the rows; if enough happened to make up for the work.
    pub(crate) fn remove_old_rows(&mut self) {
        let due = self.last_removal + 5000 + 100 * u64::from(self.tableau.rows());
        if self.tableau.ticks < due {
            return;
        }
        let mut sums = std::mem::take(&mut self.sums_in_rows);
        sums.retain(|&column| {
            let is_recent = std::mem::take(&mut self.columns[column as usize].is_recent);
            let is_free = self.lower[column as usize] == NONE && self.upper[column as usize] == NONE;
            is_recent || !is_free || !self.remove_row(column)
        });
        self.sums_in_rows = sums;
        self.last_removal = self.tableau.ticks;
    }

    /// Takes a column without bounds out of the rows, if that is possible.
    fn remove_row(&mut self, column: u32) -> bool {
        if self.tableau.row_of(column) == NONE {
            let rows = self.tableau.occurrences(column).iter().map(|occurrence| occurrence.row);
            let rows = rows.filter(|&row| self.may_leave(self.tableau.basic(row)));
            let Some(row) = rows.min_by_key(|&row| self.tableau.row(row).len()) else {
                return false;
            };
            self.tableau.pivot(row, column);
        }
        self.tableau.remove_row(self.tableau.row_of(column));
        self.columns[column as usize].is_in_rows = false;
        true
    }

    /// Whether a basic column may cease to be: the others are within their bounds, and integers if they are of that kind.
    fn may_leave(&self, basic: u32) -> bool {
        let is_whole = !self.columns[basic as usize].is_integer || self.values[basic as usize].is_integer();
        is_whole && self.violation(basic).is_none()
    }
}
