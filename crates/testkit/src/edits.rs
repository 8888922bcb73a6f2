//! Random edits and slices.

use crate::expressions::{Expressions, random_value};
use crate::random::Random;
use propcov_ir::{Edit, Edits, ElementId, ElementSet, Site, Sort, System, words};

/// How many bits of freed wires a random overlay has at most: the oracle enumerates them in each step.
const FREED_BITS: u64 = 5;

/// A random overlay of one to three edits. `Replace` needs new expressions, hence the mutable system.
pub fn random_edits(random: &mut Random, system: &mut System) -> Edits {
    let mut edits = Edits::none();
    let elements: Vec<ElementId> = system.element_ids().collect();
    if elements.is_empty() {
        return edits;
    }
    let mut freed = 0;
    for _ in 0..random.between(1, 3) {
        let element = *random.pick(&elements);
        let (sort, is_wire) = sort_of(system, element);
        let edit = match random.below(4) {
            0 => Edit::Const(random_value(random, &sort)),
            1 if sort.width().is_some() => Edit::Invert,
            2 => Edit::Replace(replacement(random, system, &sort)),
            _ => {
                if is_wire {
                    freed += words::bit_count(&sort).unwrap_or(u64::MAX / 2);
                }
                if freed > FREED_BITS { Edit::Const(random_value(random, &sort)) } else { Edit::Free }
            }
        };
        edits.insert(element, edit);
        if system.edited(&edits).initial_order().is_err() {
            edits.insert(element, Edit::Const(random_value(random, &sort)));
        }
    }
    edits
}

/// A random set of elements to keep: everything else is freed by [`Edits::keep_only`].
pub fn random_slice(random: &mut Random, system: &System) -> ElementSet {
    let keep = *random.pick(&[95, 80, 50]);
    let mut freed = 0;
    system
        .element_ids()
        .filter(|element| {
            if random.percent(keep) {
                return true;
            }
            let (sort, is_wire) = sort_of(system, *element);
            let bits = if is_wire { words::bit_count(&sort).unwrap_or(u64::MAX / 2) } else { 0 };
            let too_many = freed + bits > FREED_BITS;
            freed += if too_many { 0 } else { bits };
            too_many
        })
        .collect()
}

/// The sort of what an element defines, and whether freeing it adds a choice to each step.
fn sort_of(system: &System, element: ElementId) -> (Sort, bool) {
    match system.element(element).site {
        Site::Wire(signal) => (system.signal(signal).sort.clone(), true),
        Site::Next(signal) | Site::Init(signal) => (system.signal(signal).sort.clone(), false),
        Site::Constraint(_) => (Sort::BOOL, false),
    }
}

/// Reads inputs and states only, so that no wire comes to depend on itself.
fn replacement(random: &mut Random, system: &mut System, sort: &Sort) -> propcov_ir::ExprId {
    let signals: Vec<_> = system.inputs().iter().chain(system.states()).copied().collect();
    let leaves: Vec<_> = signals.into_iter().map(|signal| system.read(signal)).collect();
    Expressions::new(random, &mut system.exprs, &leaves).expr(sort, 2)
}
