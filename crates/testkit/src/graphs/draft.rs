//! A graph whose parts can still be changed, and its text.

use propcov_ir::{Graph, GraphBuilder, Label};
use std::collections::BTreeSet;

/// A graph as plain lists. States are called s0, s1, …
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) propositions: Vec<String>,
    /// By state, then by proposition.
    pub(super) labels: Vec<Vec<Label>>,
    pub(super) initial: BTreeSet<u32>,
    pub(super) transitions: BTreeSet<(u32, u32)>,
}

impl Draft {
    pub(super) fn of(graph: &Graph) -> Draft {
        Draft {
            propositions: graph.propositions().to_vec(),
            labels: graph.states().map(|state| graph.labels(state).to_vec()).collect(),
            initial: graph.initial().iter().copied().collect(),
            transitions: graph.transitions().collect(),
        }
    }

    pub(super) fn graph(&self) -> Graph {
        let mut builder = GraphBuilder::new(self.propositions.clone());
        for labels in &self.labels {
            let state = builder.add_state(format!("s{}", builder.state_count()), Label::False);
            for (proposition, label) in labels.iter().enumerate() {
                builder.set_label(state, proposition as u32, *label);
            }
        }
        self.initial.iter().for_each(|state| builder.set_initial(*state));
        self.transitions.iter().for_each(|(from, to)| builder.add_transition(*from, *to));
        builder.finish()
    }

    pub(super) fn state_count(&self) -> usize {
        self.labels.len()
    }

    /// One more state with the labels, the neighbours and, if so, the initiality of another.
    pub(super) fn copy_state(&mut self, original: u32) -> u32 {
        let copy = self.state_count() as u32;
        self.labels.push(self.labels[original as usize].clone());
        let around: Vec<(u32, u32)> = self.transitions.iter().copied().collect();
        for (from, to) in around {
            if to == original {
                self.transitions.insert((from, copy));
            }
            if from == original {
                self.transitions.insert((copy, to));
            }
        }
        if self.initial.contains(&original) {
            self.initial.insert(copy);
        }
        copy
    }

    /// Lets a state take the place of another, too, which is then without neighbours and not initial.
    pub(super) fn merge_into(&mut self, kept: u32, merged: u32) {
        let place = |state| if state == merged { kept } else { state };
        self.transitions = self.transitions.iter().map(|(from, to)| (place(*from), place(*to))).collect();
        self.initial = self.initial.iter().map(|state| place(*state)).collect();
    }

    /// Gives each state its new number; those that get none are dropped. New numbers are the first ones.
    pub(super) fn renumber(&mut self, number: &[Option<u32>]) {
        let of = |state: &u32| number[*state as usize];
        let mut labels: Vec<(u32, Vec<Label>)> = (0..self.state_count())
            .filter_map(|state| number[state].map(|new| (new, self.labels[state].clone())))
            .collect();
        labels.sort_unstable_by_key(|(new, _)| *new);
        self.labels = labels.into_iter().map(|(_, labels)| labels).collect();
        self.initial = self.initial.iter().filter_map(of).collect();
        self.transitions = self.transitions.iter().filter_map(|(from, to)| of(from).zip(of(to))).collect();
    }

    /// Drops a state with all its transitions.
    pub(super) fn drop_state(&mut self, dropped: u32) {
        let number = |state: u32| match state.cmp(&dropped) {
            std::cmp::Ordering::Less => Some(state),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(state - 1),
        };
        let numbers: Vec<Option<u32>> = (0..self.state_count() as u32).map(number).collect();
        self.renumber(&numbers);
    }

    /// Gives each state without successor a loop.
    pub(super) fn complete(&mut self) {
        for state in 0..self.state_count() as u32 {
            if self.transitions.range((state, 0)..=(state, u32::MAX)).next().is_none() {
                self.transitions.insert((state, state));
            }
        }
    }
}

/// A graph by its numbers: how many states, the initial ones, transitions, and for each proposition the states in which it holds.
pub fn graph_of_numbers(
    states: u32,
    initial: &[u32],
    transitions: &[(u32, u32)],
    labels: &[(&str, &[u32])],
) -> Graph {
    let label = |state: u32| labels.iter().map(move |(_, holds)| Label::of(holds.contains(&state)));
    let draft = Draft {
        propositions: labels.iter().map(|(name, _)| (*name).to_owned()).collect(),
        labels: (0..states).map(|state| label(state).collect()).collect(),
        initial: initial.iter().copied().collect(),
        transitions: transitions.iter().copied().collect(),
    };
    draft.graph()
}

/// A graph as `ctl_oracle.py` reads it, in one line; `open` is for the labels that it does not know of.
pub fn graph_json(graph: &Graph) -> String {
    let set = |proposition: usize, label: Label| {
        let states = graph.states().filter(|state| graph.label(*state, proposition as u32) == label);
        states.map(|state| state.to_string()).collect::<Vec<_>>().join(",")
    };
    let sets = |label: Label| {
        let propositions = graph.propositions().iter().enumerate();
        propositions.map(|(p, name)| format!("\"{name}\":[{}]", set(p, label))).collect::<Vec<_>>().join(",")
    };
    let initial: Vec<String> = graph.initial().iter().map(ToString::to_string).collect();
    let edges: Vec<String> = graph.transitions().map(|(from, to)| format!("[{from},{to}]")).collect();
    format!(
        "{{\"n\":{},\"init\":[{}],\"edges\":[{}],\"labels\":{{{}}},\"open\":{{{}}}}}",
        graph.state_count(),
        initial.join(","),
        edges.join(","),
        sets(Label::True),
        sets(Label::Open)
    )
}
