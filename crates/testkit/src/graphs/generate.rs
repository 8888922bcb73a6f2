//! Random pairs of graphs.
//!
//! Two independent random graphs hardly ever simulate each other. So most specifications are implementations that were weakened: states are copied with a label flipped or left open, there are more transitions
//! and initial states, states are one. Some pairs are then damaged, so that not all are simulated.

use super::definition::GraphPair;
use super::draft::Draft;
use crate::random::Random;
use propcov_ir::{Graph, Label};

/// How large random pairs are, and of what kind.
#[derive(Clone, Copy, Debug)]
pub struct PairSizes {
    /// The least number of states of the implementation.
    pub least_states: usize,
    /// The greatest number of states of the implementation.
    pub most_states: usize,
    /// The greatest number of propositions.
    pub propositions: usize,
    /// How many percent of the labels are open at most.
    pub open: usize,
}

impl Default for PairSizes {
    /// Small, with up to three propositions, and open labels in some pairs.
    fn default() -> PairSizes {
        PairSizes { least_states: 1, most_states: 6, propositions: 3, open: 25 }
    }
}

/// The random pair with this seed, a small one.
pub fn graph_pair(seed: u64) -> GraphPair {
    random_pair(&mut Random::new(seed), PairSizes::default())
}

/// A random pair.
pub fn random_pair(random: &mut Random, sizes: PairSizes) -> GraphPair {
    let propositions = random.between(1, sizes.propositions);
    let open = if random.percent(40) { random.between(0, sizes.open) } else { 0 };
    let states = random.between(sizes.least_states, sizes.most_states);
    let mut implementation = random_draft(random, states, propositions, open);
    let mut specification = if random.percent(85) {
        weaker(random, &implementation, open)
    } else {
        let states = random.between(1, sizes.most_states);
        random_draft(random, states, propositions, open)
    };
    if random.percent(10) {
        let state = random.below(states);
        let label = &mut implementation.labels[state][random.below(propositions)];
        *label = label.flipped();
    }
    if random.percent(15) {
        let transitions: Vec<(u32, u32)> = specification.transitions.iter().copied().collect();
        specification.transitions.remove(random.pick(&transitions));
        specification.complete();
    }
    GraphPair { implementation: implementation.graph(), specification: specification.graph() }
}

/// A random total graph with this many states and propositions p0, p1, …, in which about `open` percent of the labels are open. Some states may not be reachable.
pub fn random_graph(random: &mut Random, states: usize, propositions: usize, open: usize) -> Graph {
    random_draft(random, states, propositions, open).graph()
}

/// A specification that simulates the graph. Some of its labels may be open if `open` is more than 0.
pub fn weakened(random: &mut Random, graph: &Graph, open: usize) -> Graph {
    weaker(random, &Draft::of(graph), open).graph()
}

fn random_draft(random: &mut Random, states: usize, propositions: usize, open: usize) -> Draft {
    // With few labels that hold, more states look the same.
    let chance = *random.pick(&[50, 50, 20]);
    let label = |random: &mut Random| {
        if random.percent(open) { Label::Open } else { Label::of(random.percent(chance)) }
    };
    let labels = (0..states).map(|_| (0..propositions).map(|_| label(random)).collect()).collect();
    let mut draft = Draft {
        propositions: (0..propositions).map(|index| format!("p{index}")).collect(),
        labels,
        initial: (0..*random.pick(&[1, 1, 2, 3])).map(|_| random.below(states) as u32).collect(),
        transitions: Default::default(),
    };
    for from in 0..states {
        for _ in 0..*random.pick(&[1, 1, 2, 2, 3]) {
            draft.transitions.insert((from as u32, random.below(states) as u32));
        }
    }
    draft
}

fn weaker(random: &mut Random, strong: &Draft, open: usize) -> Draft {
    let mut draft = strong.clone();
    let propositions = draft.propositions.len();
    let some = 3 + draft.state_count() / 4;
    let state = |random: &mut Random, draft: &Draft| random.below(draft.state_count()) as u32;
    for _ in 0..random.below(some) {
        let original = state(random, &draft);
        let copy = draft.copy_state(original);
        if random.percent(80) {
            let label = &mut draft.labels[copy as usize][random.below(propositions)];
            *label = label.flipped();
        }
    }
    for _ in 0..random.below(some) {
        let transition = (state(random, &draft), state(random, &draft));
        draft.transitions.insert(transition);
    }
    if open > 0 {
        for _ in 0..random.below(some) {
            let opened = state(random, &draft);
            draft.labels[opened as usize][random.below(propositions)] = Label::Open;
        }
    }
    if random.percent(20) {
        let more = state(random, &draft);
        draft.initial.insert(more);
    }
    let kept = state(random, &draft);
    let alike = |other: &u32| *other != kept && draft.labels[*other as usize] == draft.labels[kept as usize];
    let alike: Vec<u32> = (0..draft.state_count() as u32).filter(alike).collect();
    if !alike.is_empty() && random.percent(60) {
        let merged = *random.pick(&alike);
        draft.merge_into(kept, merged);
        draft.drop_state(merged);
    }
    // Another order, so that nothing works only because partners have the same number.
    let mut numbers: Vec<Option<u32>> = (0..draft.state_count() as u32).map(Some).collect();
    for last in (1..numbers.len()).rev() {
        numbers.swap(last, random.below(last + 1));
    }
    draft.renumber(&numbers);
    draft
}
