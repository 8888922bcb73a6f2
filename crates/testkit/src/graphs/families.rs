//! Pairs of graphs of shapes that random ones do not have: where algorithms on graphs go wrong, or slow.

use super::definition::GraphPair;
use super::draft::Draft;
use super::generate::{random_graph, weakened};
use crate::random::Random;
use propcov_ir::{Graph, Label};
use std::collections::BTreeSet;

/// A kind of pair: its name, and the pair with a random source and a number of states.
pub type PairFamily = (&'static str, fn(&mut Random, usize) -> GraphPair);

/// All kinds. Most specifications simulate their implementations.
pub fn pair_families() -> &'static [PairFamily] {
    &[
        ("dense", dense),
        ("chain", chain),
        ("cycles", cycles),
        ("tree", tree),
        ("many initial states", many_initial),
        ("universal specification", universal),
        ("deterministic specification", deterministic),
        ("all open", all_open),
        ("one state each", single),
    ]
}

fn weak(random: &mut Random, implementation: Graph, open: usize) -> GraphPair {
    let mut specification = weakened(random, &implementation, open);
    for _ in 0..random.below(3) {
        specification = weakened(random, &specification, open);
    }
    GraphPair { implementation, specification }
}

/// Random labels over these propositions, and these transitions.
fn shaped(
    random: &mut Random,
    states: usize,
    propositions: usize,
    initial: &[u32],
    transitions: BTreeSet<(u32, u32)>,
) -> Graph {
    let mut draft = Draft::of(&random_graph(random, states, propositions, 0));
    draft.initial = initial.iter().copied().collect();
    draft.transitions = transitions;
    draft.complete();
    draft.graph()
}

/// Large components, with few labels.
fn dense(random: &mut Random, states: usize) -> GraphPair {
    let number = |random: &mut Random| random.below(states) as u32;
    let transitions = (0..states * 5).map(|_| (number(random), number(random))).collect();
    let implementation = shaped(random, states, 1, &[0], transitions);
    weak(random, implementation, 0)
}

/// One long run with a loop at its end, and here and there a step back.
fn chain(random: &mut Random, states: usize) -> GraphPair {
    let mut transitions: BTreeSet<(u32, u32)> = (1..states as u32).map(|state| (state - 1, state)).collect();
    for _ in 0..random.below(3) {
        transitions.insert((random.below(states) as u32, random.below(states) as u32));
    }
    let implementation = shaped(random, states, 1, &[0], transitions);
    weak(random, implementation, 0)
}

/// Several components in a row, each a cycle.
fn cycles(random: &mut Random, states: usize) -> GraphPair {
    let mut transitions = BTreeSet::new();
    let mut first = 0;
    while first < states {
        let last = (first + random.below(6)).min(states - 1);
        transitions.extend((first..last).map(|state| (state as u32, state as u32 + 1)));
        transitions.insert((last as u32, first as u32));
        if last + 1 < states {
            transitions.insert((random.between(first, last) as u32, last as u32 + 1));
        }
        first = last + 1;
    }
    let implementation = shaped(random, states, 2, &[0], transitions);
    weak(random, implementation, 0)
}

/// A tree with loops at its leaves.
fn tree(random: &mut Random, states: usize) -> GraphPair {
    let transitions =
        (1..states).map(|state| (random.between(state / 3, state - 1) as u32, state as u32)).collect();
    let implementation = shaped(random, states, 1, &[0], transitions);
    weak(random, implementation, 0)
}

fn many_initial(random: &mut Random, states: usize) -> GraphPair {
    let mut draft = Draft::of(&random_graph(random, states, 2, 0));
    draft.initial = (0..states as u32).filter(|_| random.percent(60)).chain([0]).collect();
    weak(random, draft.graph(), 0)
}

/// Nothing is covered.
fn universal(random: &mut Random, states: usize) -> GraphPair {
    let implementation = random_graph(random, states, 1, 0);
    let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let specification = super::graph_of_numbers(2, &[0, 1], &all, &[("p0", &[1])]);
    GraphPair { implementation, specification }
}

/// The specification has one successor with each label at most: an implementation is a part of it with some states copied.
fn deterministic(random: &mut Random, states: usize) -> GraphPair {
    let few = (states / 3).max(1);
    let mut draft = Draft::of(&random_graph(random, few, 2, 0));
    draft.initial = BTreeSet::from([0]);
    let mut kept: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (from, to) in &draft.transitions {
        let labels = |state: &u32| &draft.labels[*state as usize];
        if !kept.iter().any(|(other, answer)| other == from && labels(answer) == labels(to)) {
            kept.insert((*from, *to));
        }
    }
    draft.transitions = kept;
    let specification = draft.graph();
    while draft.state_count() < states {
        let original = random.below(draft.state_count()) as u32;
        draft.copy_state(original);
    }
    let transitions: Vec<(u32, u32)> = draft.transitions.iter().copied().collect();
    for transition in transitions {
        if random.percent(30) {
            draft.transitions.remove(&transition);
            let from = transition.0;
            if draft.transitions.range((from, 0)..=(from, u32::MAX)).next().is_none() {
                draft.transitions.insert(transition);
            }
        }
    }
    GraphPair { implementation: draft.graph(), specification }
}

/// Most labels are open, on both sides.
fn all_open(random: &mut Random, states: usize) -> GraphPair {
    let mut draft = Draft::of(&random_graph(random, states, 3, 70));
    if random.percent(30) {
        draft.labels.iter_mut().flatten().for_each(|label| *label = Label::Open);
    }
    weak(random, draft.graph(), 50)
}

/// The smallest graphs.
fn single(random: &mut Random, _: usize) -> GraphPair {
    let implementation = random_graph(random, 1, 2, 20);
    weak(random, implementation, 20)
}
