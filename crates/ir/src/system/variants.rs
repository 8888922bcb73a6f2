//! What a number is when it is off by one, or a step late.
//!
//! These mutants are replacements by expressions of the system itself, so that whoever knows what it is to replace a definition (the interpreter, the
//! encoders, the certifier) knows these mutants, too. A late number takes memory: a state that always holds what the definition was in the step before,
//! and one that tells the first step. Nothing else reads them, so the system does what it did without them.

use super::System;
use crate::{BinaryOp, Definition, Edits, ElementId, ExprId, Mutation, Origin, SignalId, Site, Sort, Value};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// What replaces the definition of a number when it is mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variants {
    /// One more than it says.
    pub off_by_one: ExprId,
    /// What it said in the step before; in the first step what it says.
    pub stale: ExprId,
}

impl System {
    /// Whether some signal is an int or a real.
    pub fn has_numbers(&self) -> bool {
        self.signals().iter().any(|signal| signal.sort.is_unbounded())
    }

    /// Makes [`Mutation::OffByOne`] and [`Mutation::Stale`] possible for all elements that define numbers. New signals come after all others.
    pub fn add_variants(&mut self) {
        let is_number = |id: &ElementId| matches!(self.mutable_sort(*id), Some(Sort::Int | Sort::Real));
        let numbers: Vec<ElementId> =
            self.element_ids().filter(is_number).filter(|id| !self.variants.contains_key(id)).collect();
        if numbers.is_empty() {
            return;
        }
        let first = self.first_step();
        for element in numbers {
            let site = self.element(element).site;
            let (Definition::Expr(written), Site::Wire(signal) | Site::Next(signal)) =
                (self.definition(&Edits::none(), site), site)
            else {
                continue;
            };
            let sort = self.signal(signal).sort.clone();
            let name = format!("{} one step before", self.element(element).name);
            let memory = self.add_state(name, sort.clone());
            self.set_origin(memory, Origin::Helper);
            let zero = self.exprs.constant(Value::zero(&sort));
            self.set_init(memory, zero);
            self.set_next(memory, written);
            let one = match sort {
                Sort::Real => Value::Real(RBig::ONE),
                _ => Value::Int(IBig::ONE),
            };
            let one = self.exprs.constant(one);
            let off_by_one = self.exprs.apply(BinaryOp::Add, written, one);
            let before = self.read(memory);
            let now = self.read(first);
            let stale = self.exprs.ite(now, written, before);
            self.set_variants(element, Variants { off_by_one, stale });
        }
    }

    /// Says what replaces the definition of an element when it is mutated.
    pub fn set_variants(&mut self, element: ElementId, variants: Variants) {
        self.variants.insert(element, variants);
    }

    /// What replaces the definition of an element, if that was said.
    pub fn variants(&self, element: ElementId) -> Option<Variants> {
        self.variants.get(&element).copied()
    }

    /// What replaces the definition of an element under a mutation, if that was said.
    pub fn variant(&self, element: ElementId, mutation: Mutation) -> Option<ExprId> {
        let variants = self.variants.get(&element)?;
        match mutation {
            Mutation::OffByOne => Some(variants.off_by_one),
            Mutation::Stale => Some(variants.stale),
            Mutation::Free | Mutation::Zero | Mutation::One => None,
        }
    }

    /// A state that is true in the first step alone.
    fn first_step(&mut self) -> SignalId {
        let first = self.add_state("first step", Sort::BOOL);
        self.set_origin(first, Origin::Helper);
        let (yes, no) = (self.exprs.bool(true), self.exprs.bool(false));
        self.set_init(first, yes);
        self.set_next(first, no);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ElementKind, Interpreter, Kill, Mutant, Stimulus};

    /// An int that counts, as a wire and as a state.
    fn counter() -> (System, [ElementId; 2], SignalId, SignalId) {
        let mut system = System::new();
        let count = system.add_state("count", Sort::Int);
        let zero = system.exprs.constant(Value::Int(IBig::ZERO));
        let three = system.exprs.constant(Value::Int(IBig::from(3)));
        system.set_init(count, zero);
        let read = system.read(count);
        let more = system.exprs.apply(BinaryOp::Add, read, three);
        let wire = system.add_wire("sum", more);
        let more = system.read(wire);
        system.set_next(count, more);
        let of_wire = system.add_element("sum", ElementKind::Equation, Site::Wire(wire), None);
        let of_state = system.add_element("count", ElementKind::Register, Site::Next(count), None);
        system.add_variants();
        (system, [of_wire, of_state], wire, count)
    }

    fn values(system: &System, mutant: Option<Mutant>, signal: SignalId) -> Vec<i64> {
        let stimulus = Stimulus {
            start: system.states().iter().map(|state| Value::zero(&system.signal(*state).sort)).collect(),
            inputs: vec![Vec::new(); 5],
            choices: Vec::new(),
        };
        let edits = mutant.map_or_else(Edits::none, |mutant| mutant.edits(system));
        let trace = match mutant {
            Some(mutant) => {
                Kill { stimulus: stimulus.into(), steps: 5, free: Vec::new() }.trace(system, mutant)
            }
            None => stimulus.trace(system, 5),
        };
        let trace = trace.expect("a run");
        let interpreter = Interpreter::new(system, &edits).expect("a system");
        let value = |step| match interpreter.frame(step).expect("a step").signal(signal) {
            Some(Value::Int(value)) => i64::try_from(value.clone()).expect("small"),
            other => panic!("{other:?}"),
        };
        trace.steps.iter().map(value).collect()
    }

    #[test]
    fn an_equation_is_late_or_one_too_large() {
        let (system, [element, _], wire, count) = counter();
        assert_eq!(system.validate(), Ok(()));
        let mutant = |mutation| Some(Mutant { element, mutation });
        assert_eq!(values(&system, None, wire), [3, 6, 9, 12, 15]);
        assert_eq!(values(&system, mutant(Mutation::OffByOne), wire), [4, 8, 12, 16, 20]);
        assert_eq!(values(&system, mutant(Mutation::Zero), wire), [0; 5]);
        // As designed at first: 3; then what was designed a step before, which reads a count that is late itself.
        assert_eq!(values(&system, mutant(Mutation::Stale), wire), [3, 3, 6, 6, 9]);
        assert_eq!(values(&system, mutant(Mutation::Stale), count), [0, 3, 3, 6, 6]);
    }

    #[test]
    fn a_state_keeps_its_initial_value() {
        let (system, [_, element], _, count) = counter();
        let mutant = |mutation| Some(Mutant { element, mutation });
        assert_eq!(values(&system, mutant(Mutation::Zero), count), [0; 5]);
        assert_eq!(values(&system, mutant(Mutation::OffByOne), count), [0, 4, 8, 12, 16]);
        assert_eq!(values(&system, mutant(Mutation::Stale), count), [0, 3, 3, 6, 6]);
    }

    #[test]
    fn what_was_added_changes_nothing() {
        let (system, [element, _], ..) = counter();
        let names: Vec<&str> =
            system.mutants_of(element).iter().map(|mutant| mutant.mutation.name()).collect();
        assert_eq!(names, ["free", "zero", "off-by-one", "stale"]);
        let mut again = system.clone();
        again.add_variants();
        assert_eq!(again.signals().len(), system.signals().len());
    }
}
