//! Families of candidates that fit the samples.
//!
//! Each family is looked for in a context: the samples in which some guards hold. In a context with guards only what does not hold without them is
//! proposed.

use super::affine;
use super::candidate::{Bound, Proposals};
use super::pool::Pool;
use super::simulate::Samples;
use super::small::Small;
use propcov_ir::{BinaryOp, ExprId, ExprPool, Sort};

/// A number is bounded by at most so many of the constants that it is compared with.
const LIMITS: usize = 2;
/// Equations between at most so many numbers.
const AFFINE_COLUMNS: usize = 40;
/// At most so many numbers are compared with each other.
const COMPARED: usize = 16;

/// Some guards, and the samples in which all of them hold.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) guards: Vec<ExprId>,
    rows: Vec<u64>,
    count: usize,
}

impl Context {
    /// All samples.
    pub(super) fn all(samples: &Samples) -> Context {
        Context { guards: Vec::new(), rows: samples.all(), count: samples.rows }
    }

    /// The part in which one more Boolean holds, or does not; where that is neither nowhere nor everywhere.
    pub(super) fn restricted(&self, literal: ExprId, column: &[u64], holds: bool) -> Option<Context> {
        let mask = |word: &u64| if holds { *word } else { !*word };
        let rows: Vec<u64> = self.rows.iter().zip(column).map(|(row, word)| row & mask(word)).collect();
        let count = rows.iter().map(|row| row.count_ones() as usize).sum();
        let guards = self.guards.iter().copied().chain([literal]).collect();
        (count > 0 && count < self.count).then_some(Context { guards, rows, count })
    }

    /// The positions of the samples.
    fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows.iter().enumerate().flat_map(|(word, bits)| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (bit < 64).then_some(word * 64 + bit)
            })
        })
    }

    /// Whether a pattern of two columns occurs.
    fn occurs(&self, a: (&[u64], bool), b: (&[u64], bool)) -> bool {
        let mask = |word: u64, holds: bool| if holds { word } else { !word };
        let columns = a.0.iter().zip(b.0);
        self.rows.iter().zip(columns).any(|(row, (x, y))| row & mask(*x, a.1) & mask(*y, b.1) != 0)
    }
}

/// Smallest and greatest value in a context.
fn extremes(context: &Context, value: impl Fn(usize) -> Option<Small>) -> Option<(Small, Small)> {
    let mut range: Option<(Small, Small)> = None;
    for row in context.positions() {
        let value = value(row)?;
        range = Some(range.map_or((value, value), |(least, most)| (least.min(value), most.max(value))));
    }
    range
}

/// The families, with all that they look at.
pub(super) struct Families<'a> {
    pub(super) exprs: &'a mut ExprPool,
    pub(super) pool: &'a Pool,
    pub(super) samples: &'a Samples,
    pub(super) proposals: &'a mut Proposals,
}

impl Families<'_> {
    fn negated(&mut self, literals: &[ExprId]) -> Vec<ExprId> {
        literals.iter().map(|literal| self.exprs.not(*literal)).collect()
    }

    /// The clauses that properties consist of.
    pub(super) fn goals(&mut self) {
        for goal in &self.pool.goals {
            self.proposals.clause(self.exprs, goal.clone());
        }
    }

    /// Booleans that are always the same.
    pub(super) fn constants(&mut self, context: &Context) {
        for (index, boolean) in self.pool.booleans.iter().enumerate() {
            let column = &self.samples.booleans[index];
            for holds in [true, false] {
                let differs = context.occurs((column, !holds), (column, !holds));
                let is_new = context.guards.is_empty()
                    || Context::all(self.samples).occurs((column, !holds), (column, !holds));
                if !differs && is_new && context.count > 0 && !context.guards.contains(boolean) {
                    let mut literals = self.negated(&context.guards);
                    literals.push(if holds { *boolean } else { self.exprs.not(*boolean) });
                    self.proposals.clause(self.exprs, literals);
                }
            }
        }
    }

    /// Bounds on single numbers.
    pub(super) fn bounds(&mut self, context: &Context, numbers: usize) {
        let all = Context::all(self.samples);
        for index in 0..self.pool.numbers.len().min(numbers) {
            let column = &self.samples.numbers[index];
            let term = self.pool.numbers[index].expr;
            let Some(range) = extremes(context, |row| Some(column[row])) else { continue };
            let whole =
                if context.guards.is_empty() { None } else { extremes(&all, |row| Some(column[row])) };
            self.limits(context, term, range, whole, &self.pool.numbers[index].hints);
        }
    }

    /// Proposes bounds of a term that fit its range, where that is not the whole range.
    fn limits(
        &mut self,
        context: &Context,
        term: ExprId,
        (least, most): (Small, Small),
        whole: Option<(Small, Small)>,
        hints: &[Small],
    ) {
        let tighter =
            (whole.is_none_or(|(whole, _)| whole < least), whole.is_none_or(|(_, whole)| most < whole));
        let guards = &context.guards;
        if least == most && (tighter.0 || tighter.1) {
            let bound = Bound { term, least: Some(least), most: Some(most) };
            self.proposals.bound(self.exprs, guards, bound);
        }
        if tighter.0 {
            for limit in self.nearest(least, hints, true) {
                let bound = Bound { term, least: Some(limit), most: None };
                self.proposals.bound(self.exprs, guards, bound);
            }
        }
        if tighter.1 {
            for limit in self.nearest(most, hints, false) {
                let bound = Bound { term, least: None, most: Some(limit) };
                self.proposals.bound(self.exprs, guards, bound);
            }
        }
    }

    /// Constants at or beyond a value, the nearest first.
    fn nearest(&self, value: Small, hints: &[Small], below: bool) -> Vec<Small> {
        let beyond = |limit: &&Small| if below { **limit <= value } else { **limit >= value };
        let mut limits: Vec<Small> = hints.iter().filter(beyond).copied().collect();
        let sort = |limits: &mut Vec<Small>| {
            limits.sort_unstable();
            limits.dedup();
            if below {
                limits.reverse();
            }
            limits.truncate(LIMITS);
        };
        sort(&mut limits);
        let constants = &self.pool.constants;
        let others: Vec<Small> = if below {
            constants.iter().rev().filter(beyond).take(1).copied().collect()
        } else {
            constants.iter().filter(beyond).take(1).copied().collect()
        };
        limits.extend(others);
        if value.numerator.abs() <= 64 {
            limits.push(value);
        }
        limits.sort_unstable();
        limits.dedup();
        if below {
            limits.reverse();
        }
        limits
    }

    /// Bounds on differences and sums of two numbers.
    pub(super) fn pairs(&mut self, context: &Context) {
        let all = Context::all(self.samples);
        let count = self.pool.key_numbers.min(COMPARED);
        for a in 0..count {
            for b in a + 1..count {
                let (x, y) = (self.pool.numbers[a].expr, self.pool.numbers[b].expr);
                if self.exprs.sort(x) != self.exprs.sort(y) {
                    continue;
                }
                for (op, times) in [(BinaryOp::Sub, -1), (BinaryOp::Add, 1)] {
                    let columns = (&self.samples.numbers[a], &self.samples.numbers[b]);
                    let value = |row: usize| columns.0[row].plus(columns.1[row].times(Small::int(times))?);
                    let Some(range) = extremes(context, value) else { continue };
                    let whole = if context.guards.is_empty() { None } else { extremes(&all, value) };
                    let term = self.exprs.apply(op, x, y);
                    self.close_limits(context, term, range, whole);
                }
            }
        }
    }

    /// Proposes bounds of a sum, where they are constants of interest.
    fn close_limits(
        &mut self,
        context: &Context,
        term: ExprId,
        (least, most): (Small, Small),
        whole: Option<(Small, Small)>,
    ) {
        let guards = &context.guards;
        let known = |limit: &Small| self.pool.constants.binary_search(limit).is_ok();
        let below = self.pool.constants.iter().rev().find(|limit| **limit <= least && known(limit)).copied();
        let above = self.pool.constants.iter().find(|limit| **limit >= most && known(limit)).copied();
        let near = |limit: &Small, value: Small| {
            limit.minus(value).is_some_and(|distance| distance.numerator.abs() <= 1)
        };
        if let Some(limit) = below.filter(|limit| near(limit, least))
            && whole.is_none_or(|(whole, _)| whole < least)
        {
            self.proposals.bound(self.exprs, guards, Bound { term, least: Some(limit), most: None });
        }
        if let Some(limit) = above.filter(|limit| near(limit, most))
            && whole.is_none_or(|(_, whole)| most < whole)
        {
            self.proposals.bound(self.exprs, guards, Bound { term, least: None, most: Some(limit) });
        }
    }

    /// Equations between remembered numbers of one sort.
    pub(super) fn equations(&mut self, context: &Context) {
        for sort in [Sort::Int, Sort::Real] {
            let of_sort = |index: &usize| *self.exprs.sort(self.pool.numbers[*index].expr) == sort;
            let columns: Vec<usize> =
                (0..self.pool.key_numbers).filter(of_sort).take(AFFINE_COLUMNS).collect();
            if columns.len() < 2 {
                continue;
            }
            let row = |row: usize| columns.iter().map(|at| self.samples.numbers[*at][row]).collect();
            let rows: Vec<Vec<Small>> = context.positions().map(row).collect();
            for equation in affine::equations(columns.len(), rows.iter().map(Vec::as_slice)) {
                if equation.terms.len() < 2 {
                    continue;
                }
                let mut terms = equation.terms;
                let mut constant = equation.constant;
                if terms[0].1 < 0 {
                    terms.iter_mut().for_each(|(_, times)| *times = -*times);
                    constant = constant.negated();
                }
                let sum = self.sum(&terms, &columns, &sort);
                let bound = Bound { term: sum, least: Some(constant), most: Some(constant) };
                self.proposals.bound(self.exprs, &context.guards, bound);
            }
        }
    }

    /// The sum of multiples of numbers.
    fn sum(&mut self, terms: &[(usize, i64)], columns: &[usize], sort: &Sort) -> ExprId {
        let mut sum: Option<ExprId> = None;
        for (at, times) in terms {
            let number = self.pool.numbers[columns[*at]].expr;
            let multiple = match times.abs() {
                1 => number,
                size => {
                    let size = Small::int(size).expr(self.exprs, sort);
                    self.exprs.apply(BinaryOp::Mul, size, number)
                }
            };
            sum = Some(match sum {
                None if *times > 0 => multiple,
                None => {
                    let zero = Small::ZERO.expr(self.exprs, sort);
                    self.exprs.apply(BinaryOp::Sub, zero, multiple)
                }
                Some(sum) if *times > 0 => self.exprs.apply(BinaryOp::Add, sum, multiple),
                Some(sum) => self.exprs.apply(BinaryOp::Sub, sum, multiple),
            });
        }
        sum.unwrap_or_else(|| Small::ZERO.expr(self.exprs, sort))
    }

    /// Clauses of two Booleans out of the first ones, at most so many.
    pub(super) fn clauses(&mut self, context: &Context, booleans: usize, most: usize) {
        let all = Context::all(self.samples);
        let has_guards = !context.guards.is_empty();
        let before = self.proposals.list.len();
        for b in 0..self.pool.booleans.len().min(booleans) {
            for a in 0..b {
                for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
                    let columns = (&self.samples.booleans[a], &self.samples.booleans[b]);
                    let pattern = ((columns.0.as_slice(), x), (columns.1.as_slice(), y));
                    let is_constant =
                        !context.occurs(pattern.0, pattern.0) || !context.occurs(pattern.1, pattern.1);
                    if is_constant
                        || context.occurs(pattern.0, pattern.1)
                        || has_guards && !all.occurs(pattern.0, pattern.1)
                    {
                        continue;
                    }
                    let mut literals = self.negated(&context.guards);
                    for (boolean, holds) in [(self.pool.booleans[a], x), (self.pool.booleans[b], y)] {
                        literals.push(if holds { self.exprs.not(boolean) } else { boolean });
                    }
                    self.proposals.clause(self.exprs, literals);
                    if self.proposals.list.len() >= before + most {
                        return;
                    }
                }
            }
        }
    }
}
