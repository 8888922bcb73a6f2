//! Random systems of Boolean latches and and-gates, as an AIGER file would give them.
//!
//! Random gates alone make shallow systems: most latches stick or a property fails at once. So latches come in groups
//! with a structure that hardware has (counters, shift registers, rings, copies of another group), and random gates in
//! between. The properties ask about those structures, which gives deep counterexamples and invariants worth proving.

use crate::random::Random;
use propcov_ir::{ConstraintKind, ElementKind, ExprId, PropertyKind, SignalId, Site, Sort, System};

/// The random system of and-gates with this seed: at most 10 latches and 4 inputs.
pub fn bit_level_system(seed: u64) -> System {
    let mut builder =
        Builder { random: Random::new(seed), system: System::new(), literals: Vec::new(), gates: 0 };
    builder.build();
    builder.system
}

struct Builder {
    random: Random,
    system: System,
    /// Signals that gates may read.
    literals: Vec<ExprId>,
    gates: usize,
}

/// Latches that belong together.
struct Group {
    latches: Vec<SignalId>,
    /// What should be true of them in every step, and what should fail, sooner or later.
    claims: Vec<ExprId>,
}

impl Builder {
    fn build(&mut self) {
        for index in 0..self.random.below(5) {
            let input = self.system.add_input(format!("i{index}"), Sort::BOOL);
            let input = self.system.read(input);
            self.literals.push(input);
        }
        for _ in 0..self.random.below(4) {
            self.random_gate();
        }
        let mut groups = Vec::new();
        let mut latches = self.random.between(1, 10).max(self.random.between(1, 10));
        while latches > 0 {
            let size = self.random.between(1, 6).max(self.random.between(1, 4)).min(latches);
            latches -= size;
            let group = self.group(size, groups.last());
            groups.push(group);
        }
        for _ in 0..self.random.below(8) {
            self.random_gate();
        }
        self.constraints();
        self.properties(&groups);
    }

    /// A literal that exists already, or rarely a constant.
    fn literal(&mut self) -> ExprId {
        let literal = if self.literals.is_empty() || self.random.percent(2) {
            self.system.exprs.bool(false)
        } else {
            // Recent ones more often, so that gates form paths rather than a heap.
            let a = self.random.below(self.literals.len());
            let b = self.random.below(self.literals.len());
            self.literals[a.max(b)]
        };
        if self.random.percent(40) { self.system.exprs.not(literal) } else { literal }
    }

    fn gate(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let definition = self.system.exprs.and(a, b);
        let name = format!("g{}", self.gates);
        self.gates += 1;
        let wire = self.system.add_wire(name.as_str(), definition);
        self.system.add_element(name, ElementKind::Gate, Site::Wire(wire), None);
        self.system.read(wire)
    }

    fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = (self.system.exprs.not(a), self.system.exprs.not(b));
        let neither = self.gate(a, b);
        self.system.exprs.not(neither)
    }

    fn xor(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (not_a, not_b) = (self.system.exprs.not(a), self.system.exprs.not(b));
        let (left, right) = (self.gate(a, not_b), self.gate(not_a, b));
        self.or(left, right)
    }

    fn mux(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let unless = self.system.exprs.not(condition);
        let (then, otherwise) = (self.gate(condition, then), self.gate(unless, otherwise));
        self.or(then, otherwise)
    }

    fn random_gate(&mut self) {
        let (a, b) = (self.literal(), self.literal());
        let gate = self.gate(a, b);
        self.literals.push(gate);
    }

    /// A condition for a structure to move; sometimes always.
    fn enable(&mut self) -> ExprId {
        let inputs = self.system.inputs().len();
        match self.random.below(10) {
            0..3 => self.system.exprs.bool(true),
            3..8 if inputs > 0 => self.system.read(self.system.inputs()[self.random.below(inputs)]),
            _ => self.literal(),
        }
    }

    fn set_next(&mut self, latch: SignalId, next: ExprId) {
        self.system.set_next(latch, next);
        let name = self.system.signal(latch).name.clone();
        self.system.add_element(name, ElementKind::Register, Site::Next(latch), None);
    }

    fn set_init(&mut self, latch: SignalId, value: bool) {
        let value = self.system.exprs.bool(value);
        self.system.set_init(latch, value);
        let name = format!("init.{}", self.system.signal(latch).name);
        self.system.add_element(name, ElementKind::Init, Site::Init(latch), None);
    }

    fn group(&mut self, size: usize, earlier: Option<&Group>) -> Group {
        let first = self.system.states().len();
        let latches: Vec<_> = (first..first + size)
            .map(|index| self.system.add_state(format!("l{index}"), Sort::BOOL))
            .collect();
        let bits: Vec<_> = latches.iter().map(|latch| self.system.read(*latch)).collect();
        self.literals.extend(&bits);
        let mut group = Group { latches, claims: Vec::new() };
        match self.random.below(10) {
            0..4 => self.counter(&mut group, &bits),
            4..6 => self.shift_register(&mut group, &bits),
            6 => self.ring(&mut group, &bits),
            7 => match earlier.filter(|earlier| earlier.latches.len() >= size) {
                Some(earlier) => self.copy(&mut group, &bits, earlier),
                None => self.ring(&mut group, &bits),
            },
            _ => self.noise(&group),
        }
        group
    }

    /// Counts up where enabled; may stop or wrap before the end.
    fn counter(&mut self, group: &mut Group, bits: &[ExprId]) {
        let enable = self.enable();
        let last = self.random.between(1, (1 << bits.len()) - 1);
        let at_last = self.equals(bits, last);
        let (wraps, limited) = (self.random.percent(50), self.random.percent(60));
        let mut carry = if limited && !wraps {
            let below = self.system.exprs.not(at_last);
            self.gate(enable, below)
        } else {
            enable
        };
        for (latch, bit) in group.latches.clone().into_iter().zip(bits) {
            let mut next = self.xor(*bit, carry);
            carry = self.gate(*bit, carry);
            if limited && wraps {
                let goes_on = self.system.exprs.not(at_last);
                next = self.gate(next, goes_on);
            }
            self.set_next(latch, next);
            self.set_init(latch, false);
        }
        let claimed = if limited { last } else { 0 };
        for _ in 0..2 {
            let value = if self.random.percent(60) {
                (claimed + 1).min((1 << bits.len()) - 1)
            } else {
                self.random.below(1 << bits.len())
            };
            let reached = self.equals(bits, value);
            group.claims.push(self.system.exprs.not(reached));
        }
    }

    fn shift_register(&mut self, group: &mut Group, bits: &[ExprId]) {
        let mut previous = self.literal();
        let enable = self.enable();
        let init = self.random.percent(20);
        for (latch, bit) in group.latches.clone().into_iter().zip(bits) {
            let next = self.mux(enable, previous, *bit);
            self.set_next(latch, next);
            self.set_init(latch, init);
            previous = *bit;
        }
        let all = bits.iter().copied().reduce(|a, b| self.gate(a, b));
        if let Some(all) = all {
            group.claims.push(self.system.exprs.not(all));
        }
    }

    /// One token goes round.
    fn ring(&mut self, group: &mut Group, bits: &[ExprId]) {
        let enable = self.enable();
        for (index, latch) in group.latches.clone().into_iter().enumerate() {
            let before = bits[(index + bits.len() - 1) % bits.len()];
            let next = self.mux(enable, before, bits[index]);
            self.set_next(latch, next);
            self.set_init(latch, index == 0);
        }
        if let [first, .., last] = *bits {
            let both = self.gate(first, last);
            let neither = self.or(first, last);
            group.claims.push(self.system.exprs.not(both));
            group.claims.push(neither);
        }
    }

    /// Does what an earlier group does, mostly: equal to it, which takes an invariant to prove.
    fn copy(&mut self, group: &mut Group, bits: &[ExprId], earlier: &Group) {
        for (latch, original) in group.latches.clone().into_iter().zip(&earlier.latches) {
            let propcov_ir::SignalKind::State { init, next } = self.system.signal(*original).kind else {
                continue;
            };
            if let Some(next) = next {
                self.set_next(latch, next);
            }
            if let Some(init) = init.filter(|_| !self.random.percent(5)) {
                self.system.set_init(latch, init);
            }
        }
        for (bit, original) in bits.iter().zip(&earlier.latches) {
            let original = self.system.read(*original);
            let differ = self.xor(*bit, original);
            group.claims.push(self.system.exprs.not(differ));
        }
    }

    fn noise(&mut self, group: &Group) {
        for latch in &group.latches {
            self.random_gate();
            if !self.random.percent(5) {
                let next = self.literal();
                self.set_next(*latch, next);
            }
            match self.random.below(10) {
                0..6 => self.set_init(*latch, false),
                6..8 => self.set_init(*latch, true),
                _ => {}
            }
        }
    }

    fn equals(&mut self, bits: &[ExprId], value: usize) -> ExprId {
        let mut all = None;
        for (index, bit) in bits.iter().enumerate() {
            let literal = if value >> index & 1 == 1 { *bit } else { self.system.exprs.not(*bit) };
            all = Some(all.map_or(literal, |all| self.gate(all, literal)));
        }
        all.unwrap_or_else(|| self.system.exprs.bool(true))
    }

    fn constraints(&mut self) {
        if !self.random.percent(35) {
            return;
        }
        for index in 0..self.random.between(1, 2) {
            let (a, b) = (self.literal(), self.literal());
            // A lone literal often contradicts the initial state, which is worth having, but not all the time.
            let expr = if self.random.percent(25) { a } else { self.or(a, b) };
            let kind = if self.random.percent(85) { ConstraintKind::Always } else { ConstraintKind::Initial };
            let name = format!("c{index}");
            let constraint = self.system.add_constraint(name.as_str(), kind, expr);
            self.system.add_element(name, ElementKind::Assumption, Site::Constraint(constraint), None);
        }
    }

    fn properties(&mut self, groups: &[Group]) {
        let claims: Vec<_> = groups.iter().flat_map(|group| group.claims.iter().copied()).collect();
        for index in 0..self.random.between(1, 4) {
            let claim = match self.random.below(20) {
                0 => self.system.exprs.bool(self.random.percent(50)),
                1 | 2 => self.literal(),
                3..7 => {
                    let (a, b) = (self.literal(), self.literal());
                    self.or(a, b)
                }
                _ if claims.is_empty() => self.literal(),
                7..11 if claims.len() > 1 => {
                    // Both would have to fail in one step: often later than either, or never.
                    let (a, b) = (*self.random.pick(&claims), *self.random.pick(&claims));
                    self.or(a, b)
                }
                _ => *self.random.pick(&claims),
            };
            self.system.add_property(format!("p{index}"), PropertyKind::Invariant(claim), None);
        }
    }
}
