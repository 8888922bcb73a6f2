//! Random systems for state and transition coverage: those for CTL, with more properties, which mention some signal often.
//!
//! What is observed is no part of a system; it is found in it by rule, such that a smaller system has it too when a failure is shrunk.

use crate::ctl_coverage::{CoverageQuestion, Flip, Semantics, covered_states};
use crate::ctl_system::ctl_system;
use crate::explicit_ctl::ExplicitCtl;
use crate::expressions::random_value;
use crate::random::Random;
use crate::rebuild::speak_of_states;
use crate::written::random_acceptable_ctl;
use propcov_ir::{
    BinaryOp, Ctl, Edits, ExprId, Node, Property, PropertyKind, SignalId, SignalKind, Sort, System,
};

/// How many formulas are tried in search of those that hold.
const TRIES: usize = 24;

/// Words with more bits are not observed: trying all their values takes too long.
const WIDTH: u32 = 3;

/// The system [`ctl_system`](crate::ctl_system()) has with this seed, and 1 to 4 more CTL properties which are acceptable for coverage by
/// observability ([`observability_transformation`](crate::observability_transformation)). Most of these hold. Implications in
/// them may also be given [as written](propcov_ir::Property::as_written).
pub fn coverage_system(seed: u64) -> System {
    // Not the same choices as those which made the system.
    let mut random = Random::new(seed ^ 0x636f_7665_7261_6765);
    let mut system = ctl_system(seed);
    let sources = sources(&mut system);
    let observed = *random.pick(&sources);
    let atoms = atoms(&mut random, &mut system, observed, &sources);
    let mut formulas: Vec<(Ctl, Ctl)> = Vec::new();
    for _ in 0..TRIES {
        let depth = random.between(1, 3);
        formulas.push(random_acceptable_ctl(&mut random, &mut system.exprs, &atoms, depth));
    }
    let any = formulas.pop();
    let mut chosen = telling(&system, formulas, observed, random.between(1, 3));
    if chosen.is_empty() || random.percent(20) {
        chosen.extend(any);
    }
    for (index, (whole, as_written)) in chosen.into_iter().enumerate() {
        let differs = whole != as_written;
        let property = system.add_property(format!("c{index}"), PropertyKind::Ctl(whole), None);
        if differs {
            system.set_as_written(property, as_written);
        }
    }
    system
}

/// That many formulas that hold, and if possible cover something.
fn telling(system: &System, formulas: Vec<(Ctl, Ctl)>, observed: ExprId, count: usize) -> Vec<(Ctl, Ctl)> {
    let edits = Edits::none();
    let Ok(explicit) = ExplicitCtl::new(system, &edits) else { return Vec::new() };
    let covers = |formula: &Ctl| {
        let (semantics, flip) = (Semantics::Observability, Flip::Any);
        let question = CoverageQuestion { formula, observed, semantics, flip };
        let covered = covered_states(system, &explicit, &question).ok().flatten().unwrap_or_default();
        covered.contains(&true)
    };
    let (mut telling, mut others) = (Vec::new(), Vec::new());
    for (whole, as_written) in formulas {
        if telling.len() == count {
            break;
        }
        // A proposition is about initial states only.
        if !whole.is_propositional() && explicit.holds_initially(&whole) {
            if covers(&as_written) { &mut telling } else { &mut others }.push((whole, as_written));
        }
    }
    telling.into_iter().chain(others).take(count).collect()
}

/// States, and the wires that depend on nothing else.
fn sources(system: &mut System) -> Vec<ExprId> {
    let of_states = |signal: &SignalId| match system.signal(*signal).kind {
        SignalKind::Input => false,
        SignalKind::State { .. } => true,
        SignalKind::Wire { definition } => speak_of_states(system, vec![definition]),
    };
    let signals: Vec<SignalId> = (0..system.signals().len() as u32).map(SignalId).filter(of_states).collect();
    signals.into_iter().map(|signal| system.read(signal)).collect()
}

/// Boolean expressions, of which most read the observed signal.
fn atoms(random: &mut Random, system: &mut System, observed: ExprId, sources: &[ExprId]) -> Vec<ExprId> {
    let first = atom(random, system, observed);
    let mut atoms = vec![first, first, atom(random, system, observed)];
    for _ in 0..random.between(1, 2) {
        let other = *random.pick(sources);
        atoms.push(atom(random, system, other));
    }
    atoms
}

/// The signal itself, or whether it has a value.
fn atom(random: &mut Random, system: &mut System, signal: ExprId) -> ExprId {
    let sort = system.exprs.sort(signal).clone();
    if sort.is_bool() {
        return signal;
    }
    let value = random_value(random, &sort);
    let value = system.exprs.constant(value);
    if sort.width().is_some() && random.percent(50) {
        return system.exprs.apply(BinaryOp::Ule, signal, value);
    }
    let mut equal = system.exprs.eq(signal, value);
    if random.percent(50) {
        let other = random_value(random, &sort);
        let other = system.exprs.constant(other);
        let other = system.exprs.eq(signal, other);
        equal = system.exprs.or(equal, other);
    }
    equal
}

/// What can be observed in a system: the expressions in atoms of CTL properties, in the order of their numbers; those which have few values,
/// and more than one. Definitions of wires are not looked into.
pub fn observable_expressions(system: &System) -> Vec<ExprId> {
    observable_in(system, system.properties())
}

fn observable_in(system: &System, properties: &[Property]) -> Vec<ExprId> {
    let formulas = properties.iter().flat_map(|property| {
        let formula = match &property.kind {
            PropertyKind::Ctl(formula) => Some(formula),
            _ => None,
        };
        formula.into_iter().chain(&property.as_written)
    });
    let mut open: Vec<ExprId> = formulas.flat_map(Ctl::atoms).collect();
    let mut found = vec![false; system.exprs.len()];
    while let Some(expr) = open.pop() {
        if !std::mem::replace(&mut found[expr.0 as usize], true) {
            open.extend(system.exprs.operands(expr));
        }
    }
    let is_observable = |expr: &ExprId| {
        let few_values = match system.exprs.sort(*expr) {
            Sort::BitVec(width) => *width <= WIDTH,
            Sort::Enum(_) => true,
            _ => false,
        };
        few_values && !matches!(system.exprs.node(*expr), Node::Const(_))
    };
    let found = (0..found.len()).filter(|index| found[*index]).map(|index| ExprId(index as u32));
    found.filter(is_observable).collect()
}

/// Up to three of [`observable_expressions`]: if possible a signal and something else which the last property mentions, and anything.
pub(crate) fn observed_expressions(seed: u64, system: &System) -> Vec<ExprId> {
    let mut random = Random::new(seed);
    let last = system.properties().last().map(std::slice::from_ref).unwrap_or_default();
    let is_signal = |expr: &ExprId| matches!(system.exprs.node(*expr), Node::Signal(_));
    let (signals, others) = observable_in(system, last).into_iter().partition(is_signal);
    let mut observed = Vec::new();
    for choice in [signals, others, observable_expressions(system)] {
        if !choice.is_empty() {
            observed.push(*random.pick(&choice));
        }
    }
    observed.sort();
    observed.dedup();
    observed
}
