//! Random systems of bit-vectors, small arrays and enumerations, with all operators.
//!
//! As at the bit level, half of the next-state functions have a structure (counters, delays, state machines, memories), for
//! random expressions alone rarely give deep runs. Properties and constraints are mostly comparisons with constants and
//! between states, weakened or strengthened by random expressions.

use crate::expressions::Expressions;
use crate::random::Random;
use propcov_ir::{
    BinaryOp, ConstraintKind, ElementKind, EnumSort, ExprId, PropertyKind, SignalId, Site, Sort, System,
    Value, words,
};
use std::sync::Arc;

/// The random system of words with this seed: at most 10 bits of state and 5 of input.
pub fn word_level_system(seed: u64) -> System {
    let mut random = Random::new(seed);
    let variants = random.between(2, 5);
    let variants = (0..variants).map(|index| format!("v{index}")).collect();
    let enumeration = Sort::Enum(Arc::new(EnumSort { name: "phase".to_owned(), variants }));
    let mut builder = Builder { random, system: System::new(), enumeration, readable: Vec::new() };
    builder.build();
    builder.system
}

struct Builder {
    random: Random,
    system: System,
    enumeration: Sort,
    /// Signals that expressions may read.
    readable: Vec<ExprId>,
}

impl Builder {
    fn build(&mut self) {
        self.inputs();
        self.states();
        let wires = self.random.below(7);
        for index in 0..wires {
            let sort = if self.random.percent(40) { Sort::BOOL } else { self.sort(5) };
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

    /// A sort of at most that many bits.
    fn sort(&mut self, limit: usize) -> Sort {
        let sort = match self.random.below(10) {
            0..2 => Sort::BOOL,
            2 | 3 => self.enumeration.clone(),
            4 => Sort::array(Sort::BitVec(self.random.between(1, 2) as u32), Sort::BOOL),
            5 => Sort::array(Sort::BOOL, Sort::BitVec(2)),
            _ => Sort::BitVec(self.random.between(2, 5) as u32),
        };
        if bits(&sort) <= limit { sort } else { Sort::BitVec(self.random.between(1, limit) as u32) }
    }

    fn inputs(&mut self) {
        let mut left = self.random.below(6);
        while left > 0 {
            let sort = self.sort(left.min(3));
            left -= bits(&sort);
            let input = self.system.add_input(format!("i{}", self.system.inputs().len()), sort);
            let input = self.system.read(input);
            self.readable.push(input);
        }
    }

    fn states(&mut self) {
        let mut left = self.random.between(1, 10).max(self.random.between(1, 10));
        while left > 0 {
            let sort = match self.system.states().last() {
                // Room to count.
                None if left >= 3 && self.random.percent(60) => {
                    Sort::BitVec(self.random.between(3, left.min(5)) as u32)
                }
                // Two states of one sort can be related to each other.
                Some(last) if self.random.percent(30) && bits(&self.system.signal(*last).sort) <= left => {
                    self.system.signal(*last).sort.clone()
                }
                _ => self.sort(left.min(5)),
            };
            left -= bits(&sort);
            let state = self.system.add_state(format!("s{}", self.system.states().len()), sort);
            let state = self.system.read(state);
            self.readable.push(state);
        }
    }

    fn expr(&mut self, sort: &Sort, depth: usize) -> ExprId {
        Expressions::new(&mut self.random, &mut self.system.exprs, &self.readable).expr(sort, depth)
    }

    fn init(&mut self, state: SignalId) {
        let sort = self.system.signal(state).sort.clone();
        let value = match self.random.below(20) {
            0 => return,
            1 | 2 => self.expr(&sort, 1),
            3..7 => self.constant(&sort),
            _ => self.system.exprs.constant(Value::zero(&sort)),
        };
        self.system.set_init(state, value);
        if self.system.initial_order().is_err() {
            let zero = self.system.exprs.constant(Value::zero(&sort));
            self.system.set_init(state, zero);
        }
        let name = format!("init.{}", self.system.signal(state).name);
        self.system.add_element(name, ElementKind::Init, Site::Init(state), None);
    }

    fn constant(&mut self, sort: &Sort) -> ExprId {
        Expressions::new(&mut self.random, &mut self.system.exprs, &self.readable).constant(sort)
    }

    fn next(&mut self, state: SignalId) {
        let sort = self.system.signal(state).sort.clone();
        let current = self.system.read(state);
        let value = match (self.random.below(20), &sort) {
            (0, _) => return,
            (1..4, _) => self.expr(&sort, 3),
            (4, _) => self.expr(&sort, 0),
            (5..7, _) => {
                // Keep or load.
                let (condition, loaded) = (self.expr(&Sort::BOOL, 1), self.expr(&sort, 1));
                self.system.exprs.ite(condition, loaded, current)
            }
            (_, Sort::BitVec(1)) => self.toggle(current),
            (_, Sort::BitVec(width)) => self.count_or_shift(current, *width),
            (_, Sort::Enum(_)) => self.machine(current, &sort),
            (_, Sort::Array(array)) => {
                let (index, element) = (self.expr(&array.index, 1), self.expr(&array.element, 1));
                let written =
                    self.system.exprs.ternary(propcov_ir::TernaryOp::Write, current, index, element);
                written.unwrap_or(current)
            }
            _ => self.expr(&sort, 2),
        };
        self.system.set_next(state, value);
        let name = self.system.signal(state).name.clone();
        self.system.add_element(name, ElementKind::Register, Site::Next(state), None);
    }

    fn toggle(&mut self, current: ExprId) -> ExprId {
        let when = self.expr(&Sort::BOOL, 1);
        self.system.exprs.xor(current, when)
    }

    fn count_or_shift(&mut self, current: ExprId, width: u32) -> ExprId {
        let sort = Sort::BitVec(width);
        let step = if self.random.percent(80) { 1 } else { self.random.between(2, 3) as u64 };
        let step = self.system.exprs.bits(width, step);
        let incremented = self.system.exprs.apply(BinaryOp::Add, current, step);
        let bound = self.random.between(1, (1 << width) - 1) as u64;
        let bound = self.system.exprs.bits(width, bound);
        match self.random.below(5) {
            0 => incremented,
            1 => {
                let at_bound = self.system.exprs.eq(current, bound);
                let zero = self.system.exprs.bits(width, 0);
                self.system.exprs.ite(at_bound, zero, incremented)
            }
            2 => {
                let below = self.system.exprs.apply(BinaryOp::Ult, current, bound);
                self.system.exprs.ite(below, incremented, current)
            }
            3 => {
                let enable = self.expr(&Sort::BOOL, 1);
                self.system.exprs.ite(enable, incremented, current)
            }
            _ => {
                let entering = self.expr(&Sort::BOOL, 0);
                let extend = propcov_ir::UnaryOp::ZeroExtend(width - 1);
                let shifted = self.system.exprs.bits(width, 1);
                let shifted = self.system.exprs.apply(BinaryOp::Shl, current, shifted);
                match self.system.exprs.unary(extend, entering) {
                    Ok(entering) => self.system.exprs.or(shifted, entering),
                    Err(_) => self.expr(&sort, 1),
                }
            }
        }
    }

    /// From each value of the enumeration to another, perhaps under a condition.
    fn machine(&mut self, current: ExprId, sort: &Sort) -> ExprId {
        let Sort::Enum(variants) = sort else { return current };
        let mut next = current;
        for position in 0..variants.variants.len() as u32 {
            let here = self.system.exprs.constant(Value::Enum(variants.clone(), position));
            let target = if self.random.percent(60) {
                (position + 1) % variants.variants.len() as u32
            } else {
                self.random.below(variants.variants.len()) as u32
            };
            let target = self.system.exprs.constant(Value::Enum(variants.clone(), target));
            let mut moves = self.system.exprs.eq(current, here);
            if self.random.percent(40) {
                let condition = self.expr(&Sort::BOOL, 1);
                moves = self.system.exprs.and(moves, condition);
            }
            next = self.system.exprs.ite(moves, target, next);
        }
        next
    }

    fn constraints(&mut self) {
        if !self.random.percent(40) {
            return;
        }
        for index in 0..self.random.between(1, 3) {
            let name = format!("c{index}");
            let (kind, expr) = match self.random.below(10) {
                0..6 => (ConstraintKind::Always, self.weak_claim()),
                6..8 => (ConstraintKind::Initial, self.weak_claim()),
                _ => (ConstraintKind::Transition, self.transition_claim()),
            };
            let constraint = self.system.add_constraint(name.as_str(), kind, expr);
            self.system.add_element(name, ElementKind::Assumption, Site::Constraint(constraint), None);
        }
    }

    fn transition_claim(&mut self) -> ExprId {
        let mut readable = self.readable.clone();
        for state in self.system.states().to_vec() {
            let sort = self.system.signal(state).sort.clone();
            let next = self.system.exprs.next(state, sort);
            // Twice as likely: otherwise few of these constraints would be about the transition.
            readable.extend([next, next]);
        }
        let mut expressions = Expressions::new(&mut self.random, &mut self.system.exprs, &readable);
        let (a, b) = (expressions.expr(&Sort::BOOL, 2), expressions.expr(&Sort::BOOL, 2));
        self.system.exprs.or(a, b)
    }

    /// Excludes something, but rarely everything.
    fn weak_claim(&mut self) -> ExprId {
        let claim = self.claim();
        if self.random.percent(30) {
            return claim;
        }
        let unless = self.expr(&Sort::BOOL, 1);
        self.system.exprs.or(claim, unless)
    }

    /// A comparison of a signal with a constant or another signal, or any Boolean expression.
    fn claim(&mut self) -> ExprId {
        if self.random.percent(12) {
            return self.expr(&Sort::BOOL, 2);
        }
        // A state, mostly the first: that one tends to count.
        let states = self.system.states().to_vec();
        let state = if self.random.percent(40) { states[0] } else { *self.random.pick(&states) };
        let sort = self.system.signal(state).sort.clone();
        let a = self.system.read(state);
        let other = states.iter().find(|other| **other != state && self.system.signal(**other).sort == sort);
        if let Some(other) = other.filter(|_| self.random.percent(40)) {
            // Mostly something that is true of equal values, for most states start with 0.
            let b = self.system.read(*other);
            return match (self.random.below(6), &sort) {
                (0..3, Sort::BitVec(_)) => self.system.exprs.apply(BinaryOp::Ule, a, b),
                (3, Sort::BitVec(_)) => self.system.exprs.apply(BinaryOp::Sle, a, b),
                (4, _) => {
                    let equal = self.system.exprs.eq(a, b);
                    self.system.exprs.not(equal)
                }
                _ => self.system.exprs.eq(a, b),
            };
        }
        let b = self.constant(&sort);
        match (self.random.below(12), &sort) {
            (0..3, Sort::BitVec(_)) => self.system.exprs.apply(BinaryOp::Ule, a, b),
            (3, Sort::BitVec(_)) => self.system.exprs.apply(BinaryOp::Sle, a, b),
            (4, _) => self.system.exprs.eq(a, b),
            _ => {
                let equal = self.system.exprs.eq(a, b);
                self.system.exprs.not(equal)
            }
        }
    }

    fn properties(&mut self) {
        for index in 0..self.random.between(1, 4) {
            let claim = match self.random.below(20) {
                0 => self.system.exprs.bool(self.random.percent(50)),
                1 => self.expr(&Sort::BOOL, 3),
                2..11 => {
                    let (a, b) = (self.claim(), self.claim());
                    self.system.exprs.or(a, b)
                }
                11 => {
                    let (a, b) = (self.claim(), self.claim());
                    self.system.exprs.and(a, b)
                }
                _ => self.claim(),
            };
            self.system.add_property(format!("p{index}"), PropertyKind::Invariant(claim), None);
        }
    }
}

fn bits(sort: &Sort) -> usize {
    words::bit_count(sort).map_or(usize::MAX, |bits| bits as usize)
}
