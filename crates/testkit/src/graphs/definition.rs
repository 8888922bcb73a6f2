//! What is true of a pair of graphs, straight from the definitions of Chockler and Kupferman (2002), §2 and §5: nothing here is quick.

use propcov_ir::{Graph, Label, LabelFlip, StatePair};
use std::collections::BTreeSet;

/// An implementation and a specification over the same propositions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphPair {
    /// The implementation.
    pub implementation: Graph,
    /// The specification.
    pub specification: Graph,
}

impl GraphPair {
    /// As two lines of JSON.
    pub fn show(&self) -> String {
        let (implementation, specification) =
            (super::graph_json(&self.implementation), super::graph_json(&self.specification));
        format!("implementation {implementation}\nspecification  {specification}\n")
    }
}

/// The criteria of Katz, Grumberg and Geist (1999) as the paper has them in §5, for reachable pairs (its footnote).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphCriteria {
    /// Initial states of the specification that are in no reachable pair with an initial state of the implementation.
    pub unimplemented_start_states: Vec<u32>,
    /// Reachable states of the specification in no reachable pair.
    pub unimplemented_states: Vec<u32>,
    /// Transitions from reachable states of the specification without each of which it still simulates the implementation.
    pub unimplemented_transitions: Vec<(u32, u32)>,
    /// States of the specification in several reachable pairs, with the states of the implementation there.
    pub many_to_one: Vec<(u32, Vec<u32>)>,
}

/// The greatest simulation: all pairs whose labels fit, without those that have no answer to some step, until there are none of these.
pub fn greatest_simulation(implementation: &Graph, specification: &Graph) -> BTreeSet<StatePair> {
    let mut related: Vec<Vec<bool>> = implementation
        .states()
        .map(|w| specification.states().map(|v| labels_fit(implementation, w, specification, v)).collect())
        .collect();
    loop {
        let mut changed = false;
        for w in implementation.states() {
            for v in specification.states() {
                let has_answer = |u: &u32| {
                    specification.successors(v).iter().any(|answer| related[*u as usize][*answer as usize])
                };
                if related[w as usize][v as usize] && !implementation.successors(w).iter().all(has_answer) {
                    related[w as usize][v as usize] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            let pairs = implementation.states().flat_map(|w| specification.states().map(move |v| (w, v)));
            return pairs.filter(|(w, v)| related[*w as usize][*v as usize]).collect();
        }
    }
}

/// Whether a relation between states that exist is a simulation.
pub fn is_simulation(implementation: &Graph, specification: &Graph, relation: &BTreeSet<StatePair>) -> bool {
    relation.iter().all(|(w, v)| {
        labels_fit(implementation, *w, specification, *v)
            && implementation
                .successors(*w)
                .iter()
                .all(|u| specification.successors(*v).iter().any(|answer| relation.contains(&(*u, *answer))))
    })
}

/// Whether the specification simulates the implementation.
pub fn simulates(implementation: &Graph, specification: &Graph) -> bool {
    relates_initial(implementation, specification, &greatest_simulation(implementation, specification))
}

/// All mutants: each label that is not open.
pub fn all_flips(implementation: &Graph) -> Vec<LabelFlip> {
    let labels = |state| (0..implementation.propositions().len() as u32).map(move |p| (state, p));
    implementation
        .states()
        .flat_map(labels)
        .filter(|(state, proposition)| implementation.label(*state, *proposition) != Label::Open)
        .map(|(state, proposition)| LabelFlip { state, proposition })
        .collect()
}

/// The flips that are covered: each mutant from scratch.
pub fn covered_flips(implementation: &Graph, specification: &Graph) -> BTreeSet<LabelFlip> {
    let mut flips = all_flips(implementation);
    flips.retain(|flip| !simulates(&implementation.flipped(*flip), specification));
    flips.into_iter().collect()
}

/// The pairs of the greatest simulation that are reachable through pairs of it from initial ones.
pub fn reachable_simulation(implementation: &Graph, specification: &Graph) -> BTreeSet<StatePair> {
    let simulation = greatest_simulation(implementation, specification);
    let is_initial =
        |(w, v): &&StatePair| implementation.initial().contains(w) && specification.initial().contains(v);
    let mut reached: BTreeSet<StatePair> = simulation.iter().filter(is_initial).copied().collect();
    loop {
        let follows = |pair: &&StatePair| {
            let before = |(w, v): &StatePair| {
                implementation.successors(*w).contains(&pair.0)
                    && specification.successors(*v).contains(&pair.1)
            };
            !reached.contains(pair) && reached.iter().any(before)
        };
        let more: Vec<StatePair> = simulation.iter().filter(follows).copied().collect();
        if more.is_empty() {
            return reached;
        }
        reached.extend(more);
    }
}

/// A graph with one transition less.
pub fn without_transition(graph: &Graph, transition: (u32, u32)) -> Graph {
    graph.with_transitions(graph.transitions().filter(|other| *other != transition).collect())
}

/// The four criteria.
pub fn graph_criteria(implementation: &Graph, specification: &Graph) -> GraphCriteria {
    let pairs = reachable_simulation(implementation, specification);
    let reachable = specification.reachable();
    let related = |v: u32| -> Vec<u32> {
        pairs.iter().filter(|(_, specified)| *specified == v).map(|(w, _)| *w).collect()
    };
    let starts = |v: u32| implementation.initial().iter().any(|w| pairs.contains(&(*w, v)));
    let is_reachable = |v: &u32| reachable[*v as usize];
    GraphCriteria {
        unimplemented_start_states: specification.initial().iter().copied().filter(|v| !starts(*v)).collect(),
        unimplemented_states: specification
            .states()
            .filter(|v| is_reachable(v) && related(*v).is_empty())
            .collect(),
        unimplemented_transitions: specification
            .transitions()
            .filter(|(from, _)| is_reachable(from))
            .filter(|transition| simulates(implementation, &without_transition(specification, *transition)))
            .collect(),
        many_to_one: specification
            .states()
            .map(|v| (v, related(v)))
            .filter(|(_, states)| states.len() > 1)
            .collect(),
    }
}

/// The third criterion as Katz, Grumberg and Geist have it: pairs that the specification can step between, and the implementation cannot.
pub fn unmatched_transitions(
    implementation: &Graph,
    specification: &Graph,
) -> BTreeSet<(StatePair, StatePair)> {
    let pairs = reachable_simulation(implementation, specification);
    let all = pairs.iter().flat_map(|from| pairs.iter().map(move |to| (*from, *to)));
    all.filter(|((w, v), (u, answer))| {
        specification.successors(*v).contains(answer) && !implementation.successors(*w).contains(u)
    })
    .collect()
}

fn labels_fit(implementation: &Graph, w: u32, specification: &Graph, v: u32) -> bool {
    implementation.labels(w).iter().zip(specification.labels(v)).all(|(promised, specified)| {
        match (specified, promised) {
            (Label::Open, _) => true,
            (Label::False, Label::False) | (Label::True, Label::True) => true,
            (Label::False | Label::True, _) => false,
        }
    })
}

fn relates_initial(implementation: &Graph, specification: &Graph, relation: &BTreeSet<StatePair>) -> bool {
    let has_partner = |w: &u32| specification.initial().iter().any(|v| relation.contains(&(*w, *v)));
    implementation.initial().iter().all(has_partner)
}
