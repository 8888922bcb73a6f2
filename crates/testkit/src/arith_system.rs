//! Random systems of ints, reals, Booleans and enumerations whose numbers have bounds by construction.
//!
//! The next value of a number is a pattern whose result has bounds, whatever goes in: counters that wrap or saturate, sums modulo a constant, a choice of literals, clamped expressions. Inputs that are
//! ints have a constraint with their range, so that [`ArithExplicit`](crate::ArithExplicit) can enumerate them. All arithmetic is linear.

use crate::random::Random;
use dashu_ratio::RBig;
use propcov_ir::{
    BinaryOp, ConstraintKind, ElementKind, EnumSort, ExprId, PropertyKind, SignalId, Site, Sort, System,
    UnaryOp, Value,
};
use std::sync::Arc;

/// The random system with this seed: up to five states and three inputs.
pub fn arith_system(seed: u64) -> System {
    let mut random = Random::new(seed);
    let variants = (0..random.between(2, 4)).map(|index| format!("m{index}")).collect();
    let mode = Sort::Enum(Arc::new(EnumSort { name: "mode".to_owned(), variants }));
    let mut builder = Builder { random, system: System::new(), mode, readable: Vec::new() };
    builder.build();
    builder.system
}

struct Builder {
    random: Random,
    system: System,
    mode: Sort,
    readable: Vec<ExprId>,
}

impl Builder {
    fn build(&mut self) {
        for index in 0..self.random.below(4) {
            self.input(index);
        }
        for index in 0..self.random.between(1, 5) {
            let sort = match self.random.below(10) {
                // Something to count.
                _ if index == 0 => Sort::Int,
                0..5 => Sort::Int,
                5 | 6 => Sort::BOOL,
                7 | 8 => self.mode.clone(),
                _ => Sort::Real,
            };
            let state = self.system.add_state(format!("s{index}"), sort);
            let state = self.system.read(state);
            self.readable.push(state);
        }
        for index in 0..self.random.below(4) {
            let sort = if self.random.percent(50) { Sort::BOOL } else { Sort::Int };
            let definition = self.expr(&sort, 2);
            let name = format!("w{index}");
            let wire = self.system.add_wire(name.as_str(), definition);
            self.system.add_element(name, ElementKind::Equation, Site::Wire(wire), None);
            let wire = self.system.read(wire);
            self.readable.push(wire);
        }
        for state in self.system.states().to_vec() {
            self.init(state);
            self.next(state);
        }
        self.constraints();
        self.properties();
    }

    fn input(&mut self, index: usize) {
        let sort = match self.random.below(6) {
            0..3 => Sort::BOOL,
            3 => self.mode.clone(),
            _ => Sort::Int,
        };
        let input = self.system.add_input(format!("i{index}"), sort.clone());
        let read = self.system.read(input);
        self.readable.push(read);
        if sort == Sort::Int {
            let low = self.random.between(0, 3) as i64 - 2;
            let high = low + self.random.between(1, 3) as i64;
            self.range(format!("range.i{index}"), ConstraintKind::Always, read, low, high);
        }
    }

    fn range(&mut self, name: String, kind: ConstraintKind, value: ExprId, low: i64, high: i64) {
        let (low, high) = (self.int(low), self.int(high));
        let from = self.system.exprs.apply(BinaryOp::Le, low, value);
        let to = self.system.exprs.apply(BinaryOp::Le, value, high);
        let both = self.system.exprs.and(from, to);
        self.system.add_constraint(name, kind, both);
    }

    fn int(&mut self, value: i64) -> ExprId {
        self.system.exprs.constant(Value::Int(value.into()))
    }

    /// A number as a literal of its sort.
    fn number(&mut self, sort: &Sort, value: i64) -> ExprId {
        match sort {
            // Halves.
            Sort::Real => {
                let value = RBig::from_parts(value.into(), 2u8.into());
                self.system.exprs.constant(Value::Real(value))
            }
            _ => self.int(value),
        }
    }

    fn literal(&mut self, sort: &Sort) -> ExprId {
        match sort {
            Sort::BitVec(_) => self.system.exprs.bool(self.random.percent(50)),
            Sort::Enum(variants) => {
                let position = self.random.below(variants.variants.len()) as u32;
                self.system.exprs.constant(Value::Enum(variants.clone(), position))
            }
            _ => {
                let value = if self.random.percent(40) { 0 } else { self.random.below(7) as i64 - 2 };
                self.number(sort, value)
            }
        }
    }

    fn init(&mut self, state: SignalId) {
        let sort = self.system.signal(state).sort.clone();
        let name = self.system.signal(state).name.clone();
        if self.random.percent(15) && sort != Sort::Real {
            if sort == Sort::Int {
                let (read, low) = (self.system.read(state), self.random.below(3) as i64 - 1);
                self.range(format!("start.{name}"), ConstraintKind::Initial, read, low, low + 2);
            }
            return;
        }
        let value = self.literal(&sort);
        self.system.set_init(state, value);
        self.system.add_element(format!("init.{name}"), ElementKind::Init, Site::Init(state), None);
    }

    fn next(&mut self, state: SignalId) {
        let sort = self.system.signal(state).sort.clone();
        let current = self.system.read(state);
        let value = match &sort {
            Sort::Int | Sort::Real => self.bounded(&sort, current),
            Sort::Enum(_) => {
                let (condition, to) = (self.expr(&Sort::BOOL, 2), self.literal(&sort));
                let (condition_2, to_2) = (self.expr(&Sort::BOOL, 1), self.literal(&sort));
                let second = self.system.exprs.ite(condition_2, to_2, current);
                self.system.exprs.ite(condition, to, second)
            }
            _ if self.random.percent(10) => return,
            sort => self.expr(sort, 2),
        };
        self.system.set_next(state, value);
        let name = self.system.signal(state).name.clone();
        self.system.add_element(name, ElementKind::Register, Site::Next(state), None);
    }

    /// A number with bounds.
    fn bounded(&mut self, sort: &Sort, current: ExprId) -> ExprId {
        let bound = self.random.between(1, 8) as i64;
        let bound = self.number(sort, bound);
        let step = if self.random.percent(80) { 1 } else { 2 };
        let step = self.number(sort, step);
        let counted = self.system.exprs.apply(BinaryOp::Add, current, step);
        match self.random.below(6) {
            0 | 1 => {
                let below = self.system.exprs.apply(BinaryOp::Lt, current, bound);
                let again = self.literal(sort);
                let counted = self.system.exprs.ite(below, counted, again);
                self.perhaps(counted, current)
            }
            2 => {
                let low = self.literal(sort);
                let (up, down) = (self.expr(&Sort::BOOL, 1), self.expr(&Sort::BOOL, 1));
                let below = self.system.exprs.apply(BinaryOp::Lt, current, bound);
                let above = self.system.exprs.apply(BinaryOp::Lt, low, current);
                let (up, down) = (self.system.exprs.and(up, below), self.system.exprs.and(down, above));
                let lower = self.system.exprs.apply(BinaryOp::Sub, current, step);
                let other = self.system.exprs.ite(down, lower, current);
                self.system.exprs.ite(up, counted, other)
            }
            3 if *sort == Sort::Int => {
                let more = self.expr(sort, 1);
                let sum = self.system.exprs.apply(BinaryOp::Add, current, more);
                let modulus = self.random.between(2, 5) as i64;
                let modulus = self.int(modulus);
                self.system.exprs.apply(BinaryOp::IntMod, sum, modulus)
            }
            4 => {
                let (value, low) = (self.expr(sort, 2), self.literal(sort));
                let below = self.system.exprs.apply(BinaryOp::Lt, value, low);
                let above = self.system.exprs.apply(BinaryOp::Lt, bound, value);
                let clamped = self.system.exprs.ite(above, bound, value);
                let clamped = self.system.exprs.ite(below, low, clamped);
                self.perhaps(clamped, current)
            }
            _ => {
                let (a, b) = (self.literal(sort), self.literal(sort));
                let (first, second) = (self.expr(&Sort::BOOL, 1), self.expr(&Sort::BOOL, 1));
                let other = self.system.exprs.ite(second, b, current);
                self.system.exprs.ite(first, a, other)
            }
        }
    }

    /// The value, or only under a condition and otherwise another one.
    fn perhaps(&mut self, value: ExprId, otherwise: ExprId) -> ExprId {
        if self.random.percent(40) {
            return value;
        }
        let condition = self.expr(&Sort::BOOL, 1);
        self.system.exprs.ite(condition, value, otherwise)
    }

    fn leaf(&mut self, sort: &Sort) -> ExprId {
        let fitting = self.readable.iter().filter(|leaf| self.system.exprs.sort(**leaf) == sort);
        let fitting: Vec<ExprId> = fitting.copied().collect();
        if fitting.is_empty() || self.random.percent(15) {
            self.literal(sort)
        } else {
            *self.random.pick(&fitting)
        }
    }

    fn expr(&mut self, sort: &Sort, depth: usize) -> ExprId {
        if depth == 0 || self.random.percent(15) {
            return self.leaf(sort);
        }
        if self.random.percent(15) {
            let condition = self.expr(&Sort::BOOL, depth - 1);
            let (a, b) = (self.expr(sort, depth - 1), self.expr(sort, depth - 1));
            return self.system.exprs.ite(condition, a, b);
        }
        match sort {
            Sort::BitVec(_) => self.boolean(depth - 1),
            Sort::Int | Sort::Real => self.arithmetic(sort, depth - 1),
            _ => self.leaf(sort),
        }
    }

    fn boolean(&mut self, depth: usize) -> ExprId {
        match self.random.below(8) {
            0 => {
                let a = self.expr(&Sort::BOOL, depth);
                self.system.exprs.not(a)
            }
            1..4 => {
                let op = *self.random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]);
                let (a, b) = (self.expr(&Sort::BOOL, depth), self.expr(&Sort::BOOL, depth));
                self.system.exprs.apply(op, a, b)
            }
            4 => {
                let leaf = *self.random.pick(&self.readable);
                let sort = self.system.exprs.sort(leaf).clone();
                let other = self.expr(&sort, depth.min(1));
                self.system.exprs.eq(leaf, other)
            }
            _ => {
                let sort = if self.random.percent(85) { Sort::Int } else { Sort::Real };
                let op = if self.random.percent(50) { BinaryOp::Lt } else { BinaryOp::Le };
                let (a, b) = (self.expr(&sort, depth), self.expr(&sort, depth));
                self.system.exprs.apply(op, a, b)
            }
        }
    }

    fn arithmetic(&mut self, sort: &Sort, depth: usize) -> ExprId {
        let made = match (self.random.below(9), sort) {
            (0, _) => {
                let a = self.expr(sort, depth);
                self.system.exprs.unary(UnaryOp::Neg, a)
            }
            (1, _) => {
                let (factor, a) = (self.random.below(6) as i64 - 2, self.expr(sort, depth));
                let factor = self.number(sort, factor);
                self.system.exprs.binary(BinaryOp::Mul, factor, a)
            }
            (2, Sort::Int) => {
                let a = self.expr(sort, depth);
                let divisor = self.random.between(2, 4) as i64 * if self.random.percent(25) { -1 } else { 1 };
                let divisor = self.int(divisor);
                let op = if self.random.percent(50) { BinaryOp::IntDiv } else { BinaryOp::IntMod };
                self.system.exprs.binary(op, a, divisor)
            }
            (3, Sort::Int) => {
                let a = self.expr(&Sort::Real, depth);
                self.system.exprs.unary(UnaryOp::Floor, a)
            }
            (2, _) => {
                let a = self.expr(&Sort::Int, depth);
                self.system.exprs.unary(UnaryOp::ToReal, a)
            }
            (3, _) => {
                let a = self.expr(sort, depth);
                let divisor = self.random.between(1, 5) as i64;
                let divisor = self.number(sort, divisor);
                self.system.exprs.binary(BinaryOp::RealDiv, a, divisor)
            }
            (kind, _) => {
                let (a, b) = (self.expr(sort, depth), self.expr(sort, depth));
                let op = if kind < 7 { BinaryOp::Add } else { BinaryOp::Sub };
                self.system.exprs.binary(op, a, b)
            }
        };
        made.unwrap_or_else(|_| self.leaf(sort))
    }

    /// A comparison of a state with a bound or another state.
    fn claim(&mut self) -> ExprId {
        let states = self.system.states().to_vec();
        let state = if self.random.percent(40) { states[0] } else { *self.random.pick(&states) };
        let sort = self.system.signal(state).sort.clone();
        let a = self.system.read(state);
        let same = states.iter().find(|other| **other != state && self.system.signal(**other).sort == sort);
        match (&sort, same) {
            (Sort::Int | Sort::Real, Some(other)) if self.random.percent(30) => {
                let b = self.system.read(*other);
                self.system.exprs.apply(BinaryOp::Le, a, b)
            }
            (Sort::Int | Sort::Real, _) => {
                let bound = self.random.between(1, 6) as i64;
                match self.random.below(4) {
                    0 => {
                        let bound = self.number(&sort, 2 - bound);
                        self.system.exprs.apply(BinaryOp::Le, bound, a)
                    }
                    1 => {
                        let bound = self.number(&sort, bound);
                        let equal = self.system.exprs.eq(a, bound);
                        self.system.exprs.not(equal)
                    }
                    _ => {
                        let bound = self.number(&sort, bound);
                        self.system.exprs.apply(BinaryOp::Le, a, bound)
                    }
                }
            }
            _ => {
                let b = self.literal(&sort);
                let equal = self.system.exprs.eq(a, b);
                self.system.exprs.not(equal)
            }
        }
    }

    fn constraints(&mut self) {
        if !self.random.percent(30) {
            return;
        }
        for index in 0..self.random.between(1, 2) {
            let (claim, unless) = (self.claim(), self.expr(&Sort::BOOL, 1));
            let expr = self.system.exprs.or(claim, unless);
            let kind = if self.random.percent(80) { ConstraintKind::Always } else { ConstraintKind::Initial };
            let name = format!("c{index}");
            let constraint = self.system.add_constraint(name.as_str(), kind, expr);
            self.system.add_element(name, ElementKind::Assumption, Site::Constraint(constraint), None);
        }
    }

    fn properties(&mut self) {
        for index in 0..self.random.between(1, 4) {
            let claim = match self.random.below(10) {
                0 => self.expr(&Sort::BOOL, 3),
                1..6 => {
                    let (a, b) = (self.claim(), self.claim());
                    self.system.exprs.or(a, b)
                }
                _ => self.claim(),
            };
            self.system.add_property(format!("p{index}"), PropertyKind::Invariant(claim), None);
        }
    }
}
