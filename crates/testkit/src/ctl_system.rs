//! Random systems for CTL: graphs with branching, dead ends and fairness conditions that matter.
//!
//! What follows a state is given in one of three ways: by a function of states and inputs, by a table of allowed pairs
//! that is a transition constraint, or by a random transition constraint. Tables are what makes branching structures with
//! components of several sizes likely; random expressions alone rarely do.

use crate::ctl_formulas::random_ctl;
use crate::explicit_ctl::ExplicitCtl;
use crate::expressions::Expressions;
use crate::random::Random;
use propcov_ir::{
    BinaryOp, Bits, ConstraintKind, Edits, ElementKind, EnumSort, ExprId, Fairness, PropertyKind, SignalId,
    Site, Sort, System, Value, words,
};
use std::sync::Arc;

/// The random system with this seed: at most 6 bits of state and 3 of input, up to 3 justice conditions, sometimes a compassion
/// condition, and 2 to 5 CTL properties whose atoms speak of states only.
pub fn ctl_system(seed: u64) -> System {
    let mut random = Random::new(seed);
    let variants = (0..random.between(3, 10)).map(|index| format!("v{index}")).collect();
    let enumeration = Sort::Enum(Arc::new(EnumSort { name: "place".to_owned(), variants }));
    let dead_ends = random.percent(30);
    let mut builder = Builder {
        random,
        system: System::new(),
        enumeration,
        dead_ends,
        of_states: Vec::new(),
        of_steps: Vec::new(),
    };
    builder.build();
    builder.system
}

struct Builder {
    random: Random,
    system: System,
    enumeration: Sort,
    /// Whether there may be states without successors, as a table has it.
    dead_ends: bool,
    /// States, and wires that depend on nothing else.
    of_states: Vec<ExprId>,
    /// Everything that can be read.
    of_steps: Vec<ExprId>,
}

impl Builder {
    fn build(&mut self) {
        self.signals();
        for state in self.system.states().to_vec() {
            self.init(state);
            self.next(state);
        }
        self.constraints();
        self.fairness();
        let atoms: Vec<ExprId> = (0..self.random.between(2, 4)).map(|_| self.atom()).collect();
        for index in 0..self.random.between(2, 5) {
            let depth = self.random.between(1, 4);
            let formula = random_ctl(&mut self.random, &mut self.system.exprs, &atoms, depth);
            self.system.add_property(format!("p{index}"), PropertyKind::Ctl(formula), None);
        }
    }

    fn sort(&mut self, limit: usize) -> Sort {
        let sort = match self.random.below(4) {
            0 => Sort::BOOL,
            1 | 2 => self.enumeration.clone(),
            _ => Sort::BitVec(self.random.between(2, 3) as u32),
        };
        if bits(&sort) <= limit { sort } else { Sort::BitVec(self.random.between(1, limit.min(3)) as u32) }
    }

    fn signals(&mut self) {
        let mut left = self.random.below(4);
        while left > 0 {
            let sort = self.sort(left);
            left -= bits(&sort);
            let input = self.system.add_input(format!("i{}", self.system.inputs().len()), sort);
            let input = self.system.read(input);
            self.of_steps.push(input);
        }
        let mut left = self.random.between(2, 6);
        while left > 0 {
            // Mostly one graph with room for several components.
            let first = self.system.states().is_empty() && bits(&self.enumeration) <= left;
            let sort =
                if first && self.random.percent(70) { self.enumeration.clone() } else { self.sort(left) };
            left -= bits(&sort);
            let state = self.system.add_state(format!("s{}", self.system.states().len()), sort);
            let state = self.system.read(state);
            self.of_steps.push(state);
            self.of_states.push(state);
        }
        for index in 0..self.random.below(3) {
            let over_states = self.random.percent(50);
            let readable = if over_states { &self.of_states } else { &self.of_steps };
            let definition =
                Expressions::new(&mut self.random, &mut self.system.exprs, readable).expr(&Sort::BOOL, 2);
            let name = format!("w{index}");
            let wire = self.system.add_wire(name.as_str(), definition);
            self.system.add_element(name, ElementKind::Equation, Site::Wire(wire), None);
            let wire = self.system.read(wire);
            self.of_steps.push(wire);
            if over_states {
                self.of_states.push(wire);
            }
        }
    }

    fn expr(&mut self, sort: &Sort, depth: usize) -> ExprId {
        Expressions::new(&mut self.random, &mut self.system.exprs, &self.of_steps).expr(sort, depth)
    }

    fn init(&mut self, state: SignalId) {
        let sort = self.system.signal(state).sort.clone();
        let value = match self.random.below(10) {
            0..4 => return,
            4 => self.expr(&sort, 1),
            5..8 => self.system.exprs.constant(Value::zero(&sort)),
            _ => Expressions::new(&mut self.random, &mut self.system.exprs, &[]).constant(&sort),
        };
        self.system.set_init(state, value);
        if self.system.initial_order().is_err() {
            let zero = self.system.exprs.constant(Value::zero(&sort));
            self.system.set_init(state, zero);
        }
        let name = format!("init.{}", self.system.signal(state).name);
        self.system.add_element(name, ElementKind::Init, Site::Init(state), None);
    }

    fn next(&mut self, state: SignalId) {
        match self.random.below(10) {
            0 => {}
            1..6 => self.table(state),
            6 | 7 => self.function_by_table(state),
            _ => {
                let sort = self.system.signal(state).sort.clone();
                let value = self.expr(&sort, 2);
                self.set_next(state, value);
            }
        }
    }

    fn set_next(&mut self, state: SignalId, value: ExprId) {
        self.system.set_next(state, value);
        let name = self.system.signal(state).name.clone();
        self.system.add_element(name, ElementKind::Register, Site::Next(state), None);
    }

    fn constrain(&mut self, name: &str, kind: ConstraintKind, expr: ExprId) {
        let name = format!("{name}{}", self.system.constraints().len());
        let constraint = self.system.add_constraint(name.as_str(), kind, expr);
        self.system.add_element(name, ElementKind::Assumption, Site::Constraint(constraint), None);
    }

    /// A transition constraint that lists what may follow each value: one, two or three values, or perhaps none. Single pairs may
    /// need a condition.
    fn table(&mut self, state: SignalId) {
        let sort = self.system.signal(state).sort.clone();
        let (now, next) = (self.system.read(state), self.system.exprs.next(state, sort.clone()));
        let literals = self.literals(&sort);
        let layers = *self.random.pick(&[1, 2, 2, 3]);
        let mut rows = Vec::new();
        for (position, here) in literals.iter().enumerate() {
            let count = *self.random.pick(&[1, 1, 1, 2, 2, 2, 2, 3, 3]);
            let is_dead_end = self.dead_ends && self.random.percent(15);
            let mut allowed = Vec::new();
            for index in 0..if is_dead_end { 0 } else { count } {
                let target = literals[self.target(position, literals.len(), layers)];
                let mut pair = self.system.exprs.eq(next, target);
                if (index > 0 || self.dead_ends) && self.random.percent(30) {
                    let condition = self.expr(&Sort::BOOL, 1);
                    pair = self.system.exprs.and(pair, condition);
                }
                allowed.push(pair);
            }
            let elsewhere = self.system.exprs.eq(now, *here);
            let elsewhere = self.system.exprs.not(elsewhere);
            allowed.push(elsewhere);
            rows.push(self.system.exprs.disjunction(allowed));
        }
        let relation = self.system.exprs.conjunction(rows);
        self.constrain("trans", ConstraintKind::Transition, relation);
    }

    /// What follows a position. No edge leads back to an earlier layer, so that there are several components, some of them fair.
    fn target(&mut self, position: usize, count: usize, layers: usize) -> usize {
        let layer = position * layers / count;
        let in_layer = |target: &usize| target * layers / count == layer;
        match self.random.below(10) {
            0 => position,
            1 | 2 => self.random.between(position, count - 1),
            3..6 => Some(position + 1)
                .filter(|next| *next < count && in_layer(next))
                .or_else(|| (0..count).find(in_layer))
                .unwrap_or(position),
            _ => {
                let same: Vec<usize> = (0..count).filter(in_layer).collect();
                *self.random.pick(&same)
            }
        }
    }

    /// Each value has its successor, or one of two by a condition.
    fn function_by_table(&mut self, state: SignalId) {
        let sort = self.system.signal(state).sort.clone();
        let now = self.system.read(state);
        let literals = self.literals(&sort);
        let mut value = now;
        for here in &literals {
            let (a, b) = (*self.random.pick(&literals), *self.random.pick(&literals));
            let condition = self.expr(&Sort::BOOL, 1);
            let target = if self.random.percent(60) { self.system.exprs.ite(condition, a, b) } else { a };
            let is_here = self.system.exprs.eq(now, *here);
            value = self.system.exprs.ite(is_here, target, value);
        }
        self.set_next(state, value);
    }

    /// All values of a sort.
    fn literals(&mut self, sort: &Sort) -> Vec<ExprId> {
        let values: Vec<Value> = match sort {
            Sort::Enum(variants) => {
                (0..variants.variants.len() as u32).map(|at| Value::Enum(variants.clone(), at)).collect()
            }
            Sort::BitVec(width) => {
                (0..1 << width).map(|value| Value::Bits(Bits::from_u64(*width, value))).collect()
            }
            _ => Vec::new(),
        };
        values.into_iter().map(|value| self.system.exprs.constant(value)).collect()
    }

    fn constraints(&mut self) {
        if self.random.percent(15) {
            let mut readable = self.of_steps.clone();
            for state in self.system.states().to_vec() {
                let sort = self.system.signal(state).sort.clone();
                readable.push(self.system.exprs.next(state, sort));
            }
            let mut expressions = Expressions::new(&mut self.random, &mut self.system.exprs, &readable);
            let (a, b, c) = (
                expressions.expr(&Sort::BOOL, 2),
                expressions.expr(&Sort::BOOL, 1),
                expressions.expr(&Sort::BOOL, 1),
            );
            let either = self.system.exprs.disjunction([a, b, c]);
            self.constrain("trans", ConstraintKind::Transition, either);
        }
        for (chance, name, kind) in
            [(30, "invar", ConstraintKind::Always), (25, "init", ConstraintKind::Initial)]
        {
            if self.random.percent(chance) {
                let (a, b) = (self.atom(), self.expr(&Sort::BOOL, 1));
                let either = self.system.exprs.or(a, b);
                self.constrain(name, kind, either);
            }
        }
    }

    /// Conditions that are met in some places and not in others, rarely by an input's choice alone.
    fn fairness(&mut self) {
        for _ in 0..*self.random.pick(&[0, 1, 1, 1, 2, 2, 3, 3]) {
            let condition = self.condition();
            self.system.fairness.push(Fairness::Justice(condition));
        }
        if self.random.percent(25) {
            for _ in 0..self.random.between(1, 2) {
                let (premise, conclusion) = (self.condition(), self.condition());
                self.system.fairness.push(Fairness::Compassion(premise, conclusion));
            }
        }
        // Conditions that leave no fair path teach little: most of them are taken back.
        while !self.system.fairness.is_empty() && self.has_no_fair_path() && self.random.percent(85) {
            self.system.fairness.pop();
        }
    }

    fn has_no_fair_path(&self) -> bool {
        ExplicitCtl::new(&self.system, &Edits::none()).is_ok_and(|explicit| explicit.fair_reachable() == 0)
    }

    fn condition(&mut self) -> ExprId {
        let mut atom = self.atom();
        if self.random.percent(30) {
            let other = self.atom();
            atom = self.system.exprs.or(atom, other);
        }
        match self.random.below(10) {
            0 => self.expr(&Sort::BOOL, 2),
            1 => {
                let choice = self.expr(&Sort::BOOL, 1);
                self.system.exprs.and(atom, choice)
            }
            2..5 => {
                let choice = self.expr(&Sort::BOOL, 1);
                self.system.exprs.or(atom, choice)
            }
            _ => atom,
        }
    }

    /// A state has one of some values, or any expression over states.
    fn atom(&mut self) -> ExprId {
        if self.random.percent(15) {
            let mut expressions = Expressions::new(&mut self.random, &mut self.system.exprs, &self.of_states);
            return expressions.expr(&Sort::BOOL, 2);
        }
        let state = *self.random.pick(self.system.states());
        let sort = self.system.signal(state).sort.clone();
        let read = self.system.read(state);
        if sort.is_bool() {
            return if self.random.percent(50) { read } else { self.system.exprs.not(read) };
        }
        if sort.width().is_some() && self.random.percent(40) {
            let bound = Expressions::new(&mut self.random, &mut self.system.exprs, &[]).constant(&sort);
            return self.system.exprs.apply(BinaryOp::Ule, read, bound);
        }
        let literals = self.literals(&sort);
        let mut chosen: Vec<ExprId> = literals.iter().copied().filter(|_| self.random.percent(45)).collect();
        if chosen.is_empty() || chosen.len() == literals.len() {
            chosen = vec![*self.random.pick(&literals)];
        }
        let equal: Vec<ExprId> =
            chosen.into_iter().map(|literal| self.system.exprs.eq(read, literal)).collect();
        self.system.exprs.disjunction(equal)
    }
}

fn bits(sort: &Sort) -> usize {
    words::bit_count(sort).map_or(usize::MAX, |bits| bits as usize)
}
