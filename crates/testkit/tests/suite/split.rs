//! Splitting words into bits changes nothing but what can be mutated, on random systems.

use propcov_ir::{
    Edit, Edits, ElementId, ElementSet, Interpreter, Mutant, Mutation, PropertyId, SignalId, SignalKind,
    Site, Split, Step, System,
};
use propcov_testkit::{Explicit, Random, for_random_systems, random_value};
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

/// Some of the elements, or all of them.
fn some_elements(random: &mut Random, system: &System) -> ElementSet {
    let share = *random.pick(&[30, 100]);
    system.element_ids().filter(|_| random.percent(share)).collect()
}

/// The elements of a split system that are bits of this one.
fn bits_of(split: &Split, element: ElementId) -> Vec<ElementId> {
    let origins = split.system.element_ids().zip(&split.origin);
    origins
        .filter(|(_, origin)| origin.element == element && origin.bit.is_some())
        .map(|(id, _)| id)
        .collect()
}

fn explore(system: &System, edits: &Edits) -> Result<Explicit, String> {
    Explicit::explore(system, edits).map_err(|error| error.to_string())
}

/// Says how the two differ: in what is reachable, how soon, or when properties fail.
fn compare(system: &System, a: &Explicit, b: &Explicit) -> Result<(), String> {
    if a.reachable_states().ne(b.reachable_states()) {
        return Err("other states are reachable".to_owned());
    }
    for property in (0..system.properties().len() as u32).map(PropertyId) {
        if a.outcome(property) != b.outcome(property) {
            let (a, b) = (a.outcome(property), b.outcome(property));
            return Err(format!("{}: {a:?} and {b:?}", system.property(property).name));
        }
    }
    Ok(())
}

#[test]
fn a_split_system_is_valid_has_unique_names_and_does_the_same() {
    let bits = Cell::new(0);
    for_random_systems(1_000, 310_000, |seed, system| {
        let mut random = Random::new(seed);
        let split = system.split_bits(&some_elements(&mut random, system));
        split.system.validate().map_err(|error| error.to_string())?;
        bits.set(bits.get() + split.origin.iter().filter(|origin| origin.bit.is_some()).count());
        let signals: HashSet<&str> =
            split.system.signals().iter().map(|signal| signal.name.as_str()).collect();
        let elements: HashSet<&str> =
            split.system.elements().iter().map(|element| element.name.as_str()).collect();
        if signals.len() < split.system.signals().len() || elements.len() < split.system.elements().len() {
            return Err("names are not unique".to_owned());
        }
        for element in split.system.element_ids() {
            if split.system.element_at(split.system.element(element).site) != Some(element) {
                return Err(format!("{element:?} is not found at its site"));
            }
        }
        let none = Edits::none();
        compare(system, &explore(system, &none)?, &explore(&split.system, &none)?)?;
        in_lock_step(&mut random, system, &split.system)
    });
    assert!(bits.get() > 1_000, "{} bits", bits.get());
}

/// Random steps, reachable or not: all signals of the one system have the same values in the other.
fn in_lock_step(random: &mut Random, a: &System, b: &System) -> Result<(), String> {
    let none = Edits::none();
    let interpreters = [a, b].map(|system| Interpreter::new(system, &none).expect("no loops"));
    for _ in 0..5 {
        let mut values = |signals: &[SignalId]| {
            signals.iter().map(|signal| random_value(random, &a.signal(*signal).sort)).collect()
        };
        let step = Step { inputs: values(a.inputs()), states: values(a.states()), free: BTreeMap::new() };
        let [mut left, mut right] = [0, 1].map(|index| interpreters[index].frame(&step).expect("fits"));
        let differs =
            (0..a.signals().len() as u32).map(SignalId).find(|id| left.signal(*id) != right.signal(*id));
        if let Some(signal) = differs {
            return Err(format!("{} differs", a.signal(signal).name));
        }
        if left.initial_values() != right.initial_values()
            || left.successor_values() != right.successor_values()
        {
            return Err("states differ".to_owned());
        }
    }
    Ok(())
}

#[test]
fn mutating_all_bits_is_mutating_the_word() {
    let compared = Cell::new(0);
    for_random_systems(400, 320_000, |seed, system| {
        let split = system.split_bits(&system.element_ids().collect());
        let mut random = Random::new(seed);
        for element in system.element_ids() {
            let bits = bits_of(&split, element);
            if bits.is_empty() || random.percent(50) {
                continue;
            }
            compared.set(compared.get() + 1);
            for mutation in [Mutation::Free, Mutation::Zero, Mutation::One] {
                let word = Mutant { element, mutation }.edits(system);
                let mut together = Edits::none();
                for bit in &bits {
                    for (element, edit) in (Mutant { element: *bit, mutation }).edits(&split.system).iter() {
                        together.insert(element, edit.clone());
                    }
                }
                compare(system, &explore(system, &word)?, &explore(&split.system, &together)?)?;
            }
        }
        Ok(())
    });
    assert!(compared.get() > 200, "{} words", compared.get());
}

#[test]
fn a_bit_stuck_at_a_value_is_a_word_with_that_bit_replaced() {
    let compared = Cell::new(0);
    for_random_systems(400, 330_000, |seed, system| {
        let mut system = system.clone();
        let split = system.split_bits(&system.element_ids().collect());
        let mut random = Random::new(seed);
        for (bit, origin) in split.system.element_ids().zip(&split.origin) {
            let Some(index) = origin.bit.filter(|_| random.percent(30)) else { continue };
            let mutation = *random.pick(&[Mutation::Zero, Mutation::One]);
            let stuck = Mutant { element: bit, mutation }.edits(&split.system);
            let definition = match system.element(origin.element).site {
                Site::Wire(signal) | Site::Next(signal) => match system.signal(signal).kind {
                    SignalKind::Wire { definition } => Some(definition),
                    SignalKind::State { next, .. } => next,
                    SignalKind::Input => None,
                },
                _ => None,
            };
            let definition = definition.ok_or("a bit of nothing")?;
            let width = system.exprs.sort(definition).width().ok_or("no word")?;
            let one = system.exprs.bits(width, 1 << index);
            let replacement = match mutation {
                Mutation::One => system.exprs.or(definition, one),
                _ => {
                    let others = system.exprs.not(one);
                    system.exprs.and(definition, others)
                }
            };
            let replaced = Edits::one(origin.element, Edit::Replace(replacement));
            compared.set(compared.get() + 1);
            compare(&system, &explore(&system, &replaced)?, &explore(&split.system, &stuck)?)?;
        }
        Ok(())
    });
    assert!(compared.get() > 200, "{} bits", compared.get());
}
