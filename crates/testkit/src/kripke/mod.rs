//! Labelled graphs as systems: one state signal, which is the place in the graph, and a wire for each label.

mod worked_examples;

pub use worked_examples::{ExampleFormula, WorkedExample, worked_examples};

use crate::random::Random;
use crate::written::{Implications, WrittenCtl};
use propcov_ir::{ConstraintKind, Ctl, EnumSort, ExprId, Fairness, SignalId, Sort, System, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A graph whose states 0, 1, … have labels. Each state needs a successor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kripke {
    /// How many states there are.
    pub states: usize,
    /// The states where paths start.
    pub initial: Vec<usize>,
    /// The transitions.
    pub edges: Vec<(usize, usize)>,
    /// For each label the states that have it.
    pub labels: BTreeMap<String, Vec<usize>>,
    /// Sets of states; a fair path visits each of them infinitely often.
    pub fairness: Vec<Vec<usize>>,
}

/// A graph as a system. The explicit states have the numbers which they have in the graph.
#[derive(Clone, Debug)]
pub struct KripkeSystem {
    /// The system, without properties.
    pub system: System,
    /// The state signal.
    pub place: SignalId,
    /// For each label the expression that reads its wire.
    pub labels: BTreeMap<String, ExprId>,
}

impl KripkeSystem {
    /// A formula over the labels as one over expressions of the system.
    ///
    /// # Errors
    /// When it has a name that is no label.
    pub fn lower(&mut self, formula: &WrittenCtl, implications: Implications) -> Result<Ctl, String> {
        let names = |name: &str| self.labels.get(name).copied();
        formula.lower(&mut self.system.exprs, &names, implications)
    }

    /// That the place is one of these.
    pub fn is_one_of(&mut self, states: &[usize]) -> ExprId {
        is_one_of(&mut self.system, self.place, states)
    }
}

/// The system of a graph.
pub fn kripke_system(kripke: &Kripke) -> KripkeSystem {
    let mut system = System::new();
    let variants = (0..kripke.states).map(|state| format!("s{state}")).collect();
    let sort = Sort::Enum(Arc::new(EnumSort { name: "place".to_owned(), variants }));
    let place = system.add_state("place", sort);
    let initial = is_one_of(&mut system, place, &kripke.initial);
    system.add_constraint("initial", ConstraintKind::Initial, initial);
    let mut pairs = Vec::new();
    for (from, to) in &kripke.edges {
        let from = is_one_of(&mut system, place, &[*from]);
        let to = follows(&mut system, place, *to);
        pairs.push(system.exprs.and(from, to));
    }
    let transition = system.exprs.disjunction(pairs);
    system.add_constraint("transition", ConstraintKind::Transition, transition);
    let mut labels = BTreeMap::new();
    for (name, states) in &kripke.labels {
        let definition = is_one_of(&mut system, place, states);
        let wire = system.add_wire(name.as_str(), definition);
        labels.insert(name.clone(), system.read(wire));
    }
    for states in &kripke.fairness {
        let condition = is_one_of(&mut system, place, states);
        system.fairness.push(Fairness::Justice(condition));
    }
    KripkeSystem { system, place, labels }
}

fn literal(system: &mut System, place: SignalId, state: usize) -> Option<ExprId> {
    match &system.signal(place).sort {
        Sort::Enum(variants) => {
            let value = Value::Enum(variants.clone(), state as u32);
            Some(system.exprs.constant(value))
        }
        _ => None,
    }
}

fn is_one_of(system: &mut System, place: SignalId, states: &[usize]) -> ExprId {
    let read = system.read(place);
    let literals: Vec<ExprId> = states.iter().filter_map(|state| literal(system, place, *state)).collect();
    let equal: Vec<ExprId> = literals.into_iter().map(|literal| system.exprs.eq(read, literal)).collect();
    system.exprs.disjunction(equal)
}

fn follows(system: &mut System, place: SignalId, state: usize) -> ExprId {
    let sort = system.signal(place).sort.clone();
    let next = system.exprs.next(place, sort);
    match literal(system, place, state) {
        Some(literal) => system.exprs.eq(next, literal),
        None => system.exprs.bool(false),
    }
}

/// A random graph with 2 to 5 states, labels p, q and r, and up to two fairness conditions.
pub fn random_kripke(random: &mut Random) -> Kripke {
    let states = random.between(2, 5);
    let some = |random: &mut Random, chance| (0..states).filter(|_| random.percent(chance)).collect();
    let mut edges = Vec::new();
    for from in 0..states {
        for _ in 0..*random.pick(&[1, 1, 2, 2, 3]) {
            edges.push((from, random.below(states)));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let mut initial: Vec<usize> = (0..*random.pick(&[1, 1, 2])).map(|_| random.below(states)).collect();
    initial.sort_unstable();
    initial.dedup();
    let labels = ["p", "q", "r"].map(|label| (label.to_owned(), some(random, 50)));
    let fairness = (0..*random.pick(&[0, 0, 1, 2])).map(|_| some(random, 60)).collect();
    Kripke { states, initial, edges, labels: labels.into_iter().collect(), fairness }
}
