//! The equations of the simplex method as a sparse matrix. Each row says that a sum of multiples of columns is zero, and has one basic column, with
//! coefficient -1, that occurs in no other row.
//!
//! Rows and columns refer to each other by position, so that entries are found, added and removed in constant time. Pivots depend on nothing
//! but the rows: backtracking leaves them alone.

use crate::numeric::Rational;

/// No row, column or atom.
pub(crate) const NONE: u32 = u32::MAX;

/// A multiple of a column, in a row.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) column: u32,
    /// Position in the column's list.
    place: u32,
    pub(crate) coefficient: Rational,
}

/// An entry, in a column's list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub(crate) row: u32,
    /// Position in the row.
    place: u32,
}

/// The rows.
#[derive(Debug, Default)]
pub(crate) struct Tableau {
    rows: Vec<Vec<Entry>>,
    columns: Vec<Vec<Occurrence>>,
    /// The basic column, by row.
    basic: Vec<u32>,
    /// The row where a column is basic, by column.
    row_of: Vec<u32>,
    /// One more than the position in the row at hand, by column; else 0.
    mark: Vec<u32>,
    others: Vec<Occurrence>,
    /// Entries touched so far.
    pub(crate) ticks: u64,
}

impl Tableau {
    pub(crate) fn add_column(&mut self) {
        self.columns.push(Vec::new());
        self.row_of.push(NONE);
        self.mark.push(0);
    }

    pub(crate) fn row(&self, row: u32) -> &[Entry] {
        &self.rows[row as usize]
    }

    pub(crate) fn rows(&self) -> u32 {
        self.rows.len() as u32
    }

    pub(crate) fn occurrences(&self, column: u32) -> &[Occurrence] {
        &self.columns[column as usize]
    }

    pub(crate) fn coefficient(&self, occurrence: Occurrence) -> &Rational {
        &self.rows[occurrence.row as usize][occurrence.place as usize].coefficient
    }

    pub(crate) fn basic(&self, row: u32) -> u32 {
        self.basic[row as usize]
    }

    /// The row where the column is basic, or [`NONE`].
    pub(crate) fn row_of(&self, column: u32) -> u32 {
        self.row_of[column as usize]
    }

    /// Makes a column that occurs in no row the basic one of a new row.
    pub(crate) fn add_row(&mut self, basic: u32, terms: &[(u32, Rational)]) {
        let row = self.rows.len() as u32;
        self.rows.push(Vec::with_capacity(terms.len() + 1));
        self.basic.push(basic);
        self.push(row, basic, Rational::int(-1));
        for (column, coefficient) in terms {
            self.push(row, *column, coefficient.clone());
        }
        for (column, coefficient) in terms {
            let source = self.row_of(*column);
            if source != NONE {
                self.add_multiple(row, source, coefficient);
            }
        }
        self.row_of[basic as usize] = row;
    }

    /// Takes out a row. Another comes to its place.
    pub(crate) fn remove_row(&mut self, row: u32) {
        let basic = self.basic[row as usize];
        self.ticks += self.rows[row as usize].len() as u64;
        while let Some(last) = self.rows[row as usize].len().checked_sub(1) {
            self.remove(row, last as u32);
        }
        self.row_of[basic as usize] = NONE;
        self.rows.swap_remove(row as usize);
        self.basic.swap_remove(row as usize);
        let Some(moved) = self.rows.get(row as usize) else { return };
        for entry in moved {
            self.columns[entry.column as usize][entry.place as usize].row = row;
        }
        self.row_of[self.basic[row as usize] as usize] = row;
    }

    /// Exchanges the basic column of a row for another of its columns.
    pub(crate) fn pivot(&mut self, row: u32, entering: u32) {
        let leaving = self.basic[row as usize];
        let Some(position) = self.rows[row as usize].iter().position(|entry| entry.column == entering) else {
            return;
        };
        let factor = self.rows[row as usize][position].coefficient.negated();
        if !factor.is_one() {
            for entry in &mut self.rows[row as usize] {
                entry.coefficient = entry.coefficient.over(&factor);
            }
        }
        self.basic[row as usize] = entering;
        self.row_of[leaving as usize] = NONE;
        self.row_of[entering as usize] = row;
        self.ticks += self.rows[row as usize].len() as u64;
        let mut others = std::mem::take(&mut self.others);
        others.extend(self.columns[entering as usize].iter().filter(|other| other.row != row));
        for other in others.drain(..) {
            let coefficient = self.coefficient(other).clone();
            self.add_multiple(other.row, row, &coefficient);
        }
        self.others = others;
    }

    fn add_multiple(&mut self, target: u32, source: u32, factor: &Rational) {
        let (target_index, source_index) = (target as usize, source as usize);
        self.ticks += (self.rows[target_index].len() + self.rows[source_index].len()) as u64;
        for (position, entry) in self.rows[target_index].iter().enumerate() {
            self.mark[entry.column as usize] = position as u32 + 1;
        }
        for position in 0..self.rows[source_index].len() {
            let entry = &self.rows[source_index][position];
            let column = entry.column;
            let mark = self.mark[column as usize];
            if mark == 0 {
                let product = entry.coefficient.times(factor);
                self.push(target, column, product);
                self.mark[column as usize] = self.rows[target_index].len() as u32;
                continue;
            }
            let coefficient = entry.coefficient.clone();
            let changed = &mut self.rows[target_index][mark as usize - 1];
            changed.coefficient.add_product(&coefficient, factor);
            if changed.coefficient.is_zero() {
                self.mark[column as usize] = 0;
                self.remove(target, mark - 1);
                if let Some(moved) = self.rows[target_index].get(mark as usize - 1) {
                    self.mark[moved.column as usize] = mark;
                }
            }
        }
        for entry in &self.rows[target_index] {
            self.mark[entry.column as usize] = 0;
        }
    }

    fn push(&mut self, row: u32, column: u32, coefficient: Rational) {
        let occurrences = &mut self.columns[column as usize];
        let entries = &mut self.rows[row as usize];
        occurrences.push(Occurrence { row, place: entries.len() as u32 });
        entries.push(Entry { column, place: occurrences.len() as u32 - 1, coefficient });
    }

    /// Takes out an entry; the last entry of the row comes to its place.
    fn remove(&mut self, row: u32, position: u32) {
        let entries = &mut self.rows[row as usize];
        let removed = entries.swap_remove(position as usize);
        if let Some(moved) = entries.get(position as usize) {
            self.columns[moved.column as usize][moved.place as usize].place = position;
        }
        let occurrences = &mut self.columns[removed.column as usize];
        occurrences.swap_remove(removed.place as usize);
        if let Some(&moved) = occurrences.get(removed.place as usize) {
            self.rows[moved.row as usize][moved.place as usize].place = removed.place;
        }
    }
}
