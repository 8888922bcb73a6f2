//! Makes a failing pair of graphs small: greedily drops what it still fails without.

use super::definition::GraphPair;
use super::draft::Draft;
use propcov_ir::Label;
use std::time::{Duration, Instant};

/// How long to go on shrinking.
const TIME: Duration = Duration::from_secs(20);

/// One change that makes a pair smaller. The first number says which graph: 0 is the implementation.
enum Reduction {
    Proposition(usize),
    State(usize, u32),
    Merge(usize, u32, u32),
    Transition(usize, (u32, u32)),
    Initial(usize, u32),
    Label(usize, usize, usize),
}

/// The smallest pair found for which the predicate still says that it fails. The pair itself has to fail. Graphs stay total and keep an initial state.
pub fn shrink_pair(pair: &GraphPair, mut fails: impl FnMut(&GraphPair) -> bool) -> GraphPair {
    let deadline = Instant::now() + TIME;
    let mut current = [Draft::of(&pair.implementation), Draft::of(&pair.specification)];
    loop {
        let mut progress = false;
        let mut index = 0;
        while let Some(reduction) = reductions(&current).get(index) {
            if Instant::now() > deadline {
                return finished(&current);
            }
            match reduced(&current, reduction).filter(|smaller| fails(&finished(smaller))) {
                // Not counting up: the reductions that follow have moved here.
                Some(smaller) => {
                    current = smaller;
                    progress = true;
                }
                None => index += 1,
            }
        }
        if !progress {
            return finished(&current);
        }
    }
}

fn finished([implementation, specification]: &[Draft; 2]) -> GraphPair {
    GraphPair { implementation: implementation.graph(), specification: specification.graph() }
}

/// Those that drop most come first.
fn reductions(pair: &[Draft; 2]) -> Vec<Reduction> {
    let mut reductions: Vec<Reduction> =
        (0..pair[0].propositions.len()).map(Reduction::Proposition).collect();
    let states = |graph: usize| 0..pair[graph].state_count() as u32;
    for graph in 0..2 {
        reductions.extend(states(graph).map(|state| Reduction::State(graph, state)));
        for kept in states(graph) {
            reductions.extend(
                states(graph).filter(|s| *s != kept).map(|merged| Reduction::Merge(graph, kept, merged)),
            );
        }
    }
    for (graph, draft) in pair.iter().enumerate() {
        reductions.extend(draft.initial.iter().map(|state| Reduction::Initial(graph, *state)));
        reductions.extend(draft.transitions.iter().map(|t| Reduction::Transition(graph, *t)));
    }
    for (graph, draft) in pair.iter().enumerate() {
        for (state, labels) in draft.labels.iter().enumerate() {
            let holding = (0..labels.len()).filter(|p| labels[*p] != Label::False);
            reductions.extend(holding.map(|proposition| Reduction::Label(graph, state, proposition)));
        }
    }
    reductions
}

/// The smaller pair, if it still is one of total graphs with initial states.
fn reduced(pair: &[Draft; 2], reduction: &Reduction) -> Option<[Draft; 2]> {
    let mut smaller = pair.clone();
    match *reduction {
        Reduction::Proposition(proposition) => {
            for draft in &mut smaller {
                draft.propositions.remove(proposition);
                for labels in &mut draft.labels {
                    labels.remove(proposition);
                }
            }
        }
        Reduction::State(graph, state) => {
            smaller[graph].drop_state(state);
            smaller[graph].complete();
        }
        Reduction::Merge(graph, kept, merged) => {
            smaller[graph].merge_into(kept, merged);
            smaller[graph].drop_state(merged);
        }
        Reduction::Transition(graph, transition) => {
            smaller[graph].transitions.remove(&transition);
        }
        Reduction::Initial(graph, state) => {
            smaller[graph].initial.remove(&state);
        }
        Reduction::Label(graph, state, proposition) => {
            smaller[graph].labels[state][proposition] = Label::False;
        }
    }
    let is_pair = smaller.iter().all(|draft| !draft.initial.is_empty() && draft.graph().dead_end().is_none());
    is_pair.then_some(smaller)
}
