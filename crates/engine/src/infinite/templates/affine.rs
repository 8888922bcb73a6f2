//! The affine hull of samples: all linear equations that hold in every one of them.
//!
//! Elimination is done modulo a prime, where a step costs a few nanoseconds; coefficients of the equations of interest are small, so
//! they are found again by rational reconstruction. An equation that is wrong for an overflow is refuted later like any other candidate.
//!
//! # References
//! M. Karr: Affine relationships among variables of a program. Acta Informatica 6, 1976 (the abstract domain; here its elements come from samples).
//! P. Wang: A p-adic algorithm for univariate partial fractions. SYMSAC 1981 (rational reconstruction).

use super::small::Small;

/// A Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;

/// Coefficients above this are of no use.
const LARGE: i64 = 1000;

/// An equation `sum of coefficients times columns = constant`, with coprime integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equation {
    /// Coefficients with the positions of their columns.
    pub(super) terms: Vec<(usize, i64)>,
    /// What the sum is.
    pub(super) constant: Small,
}

/// The equations between columns, given as rows of values. Columns that come first are preferred as those that determine others.
pub(super) fn equations<'r>(columns: usize, rows: impl Iterator<Item = &'r [Small]>) -> Vec<Equation> {
    let mut basis = Basis { rows: Vec::new(), width: columns + 1 };
    for row in rows {
        basis.insert(row);
        if basis.rows.len() == basis.width {
            return Vec::new();
        }
    }
    if basis.rows.is_empty() {
        return Vec::new();
    }
    basis.null_space()
}

/// Rows in echelon form, fully reduced.
struct Basis {
    /// Each with the position of its leading one.
    rows: Vec<(usize, Vec<u64>)>,
    width: usize,
}

impl Basis {
    fn insert(&mut self, values: &[Small]) {
        let mut row = vec![1];
        row.extend(values.iter().map(|value| residue(*value)));
        for (lead, known) in &self.rows {
            let times = row[*lead];
            subtract(&mut row, known, times);
        }
        let Some(lead) = row.iter().position(|value| *value != 0) else { return };
        let inverse = power(row[lead], PRIME - 2);
        for value in &mut row {
            *value = multiply(*value, inverse);
        }
        for (_, known) in &mut self.rows {
            let times = known[lead];
            subtract(known, &row, times);
        }
        self.rows.push((lead, row));
    }

    /// For each column that leads no row, how it depends on those that do.
    fn null_space(&self) -> Vec<Equation> {
        let leads = |column: usize| self.rows.iter().any(|(lead, _)| *lead == column);
        let free = (1..self.width).filter(|column| !leads(*column));
        free.filter_map(|column| self.equation(column)).collect()
    }

    fn equation(&self, column: usize) -> Option<Equation> {
        let mut constant = Small::ZERO;
        let mut terms = vec![(column - 1, Small::ONE)];
        for (lead, row) in &self.rows {
            if row[column] == 0 {
                continue;
            }
            let coefficient = reconstruct(row[column])?;
            match *lead {
                0 => constant = coefficient,
                lead => terms.push((lead - 1, coefficient.negated())),
            }
        }
        let mut scale = Small::ONE;
        for (_, coefficient) in &terms {
            let scaled = coefficient.times(scale)?;
            scale = scale.times(Small::int(scaled.denominator))?;
        }
        let scaled = |(column, coefficient): &(usize, Small)| {
            let value = coefficient.times(scale)?.numerator;
            (value.abs() <= LARGE).then_some((*column, value))
        };
        let mut terms: Vec<(usize, i64)> = terms.iter().map(scaled).collect::<Option<_>>()?;
        terms.sort_unstable();
        Some(Equation { terms, constant: constant.times(scale)? })
    }
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    reduce((product & u128::from(PRIME)) as u64 + (product >> 61) as u64)
}

fn reduce(value: u64) -> u64 {
    if value >= PRIME { value - PRIME } else { value }
}

fn subtract(row: &mut [u64], other: &[u64], times: u64) {
    if times == 0 {
        return;
    }
    for (value, other) in row.iter_mut().zip(other) {
        *value = reduce(*value + PRIME - multiply(*other, times));
    }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

fn residue(value: Small) -> u64 {
    let of = |value: i64| value.rem_euclid(PRIME as i64) as u64;
    match value.denominator {
        1 => of(value.numerator),
        denominator => multiply(of(value.numerator), power(of(denominator), PRIME - 2)),
    }
}

/// The fraction with small numerator and denominator that has this residue: the extended Euclidean algorithm, stopped half-way.
fn reconstruct(value: u64) -> Option<Small> {
    const BOUND: i128 = 1 << 30;
    let (mut r0, mut r1) = (i128::from(PRIME), i128::from(value));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 >= BOUND {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (t0, t1) = (t1, t0 - quotient * t1);
    }
    if t1 == 0 || t1.abs() >= BOUND {
        return None;
    }
    Small::fraction(r1, t1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[&[i64]]) -> Vec<Vec<Small>> {
        values.iter().map(|row| row.iter().map(|value| Small::int(*value)).collect()).collect()
    }

    #[test]
    fn a_conservation_law_is_found() {
        let rows = rows(&[&[3, 0, 0], &[2, 1, 0], &[2, 0, 1], &[0, 1, 2], &[1, 1, 1]]);
        let found = equations(3, rows.iter().map(Vec::as_slice));
        let law = Equation { terms: vec![(0, 1), (1, 1), (2, 1)], constant: Small::int(3) };
        assert_eq!(found, [law]);
    }

    #[test]
    fn fractions_become_integers() {
        // 2y = 3x + 1
        let rows = rows(&[&[1, 2], &[3, 5], &[5, 8]]);
        let found = equations(2, rows.iter().map(Vec::as_slice));
        assert_eq!(found, [Equation { terms: vec![(0, -3), (1, 2)], constant: Small::ONE }]);
    }

    #[test]
    fn independent_columns_have_no_equation() {
        let rows = rows(&[&[0, 0], &[1, 0], &[0, 1]]);
        assert_eq!(equations(2, rows.iter().map(Vec::as_slice)), []);
    }

    #[test]
    fn every_equation_holds_in_every_row() {
        let mut state = 12345u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as i64 % 20 - 10
        };
        for _ in 0..200 {
            let (a, b, c) = (random(), random(), random());
            let rows: Vec<Vec<Small>> = (0..8)
                .map(|_| {
                    let (x, y) = (random(), random());
                    [x, y, a * x + b * y + c, 2 * x - y].map(Small::int).to_vec()
                })
                .collect();
            let found = equations(4, rows.iter().map(Vec::as_slice));
            assert!(found.len() >= 2);
            for equation in found {
                for row in &rows {
                    let terms = equation.terms.iter().map(|(at, times)| row[*at].numerator * times);
                    assert_eq!(Small::int(terms.sum()), equation.constant);
                }
            }
        }
    }
}
