//! Names of states and propositions, and labels in words. A name may be in a result many times, but is in memory once.

use crate::refine::Pair;
use propcov_ir::{Graph, Label, LabelFlip, StatePair};
use propcov_result::PairOfStates;
use std::sync::Arc;

/// The names of two graphs.
pub(super) struct Names {
    implementation: Vec<Arc<str>>,
    specification: Vec<Arc<str>>,
    propositions: Vec<Arc<str>>,
    /// By proposition: that it is open.
    open: Vec<Arc<str>>,
}

impl Names {
    pub(super) fn new(pair: &Pair) -> Names {
        let of = |graph: &Graph| graph.states().map(|state| Arc::from(graph.name(state))).collect();
        let propositions = pair.implementation().propositions();
        Names {
            implementation: of(pair.implementation()),
            specification: of(pair.specification()),
            propositions: propositions.iter().map(|name| Arc::from(name.as_str())).collect(),
            open: propositions.iter().map(|name| Arc::from(word(name, Label::Open))).collect(),
        }
    }

    /// The name of a state of the implementation.
    pub(super) fn implementation(&self, state: u32) -> Arc<str> {
        Arc::clone(&self.implementation[state as usize])
    }

    /// A label of the implementation.
    pub(super) fn label(&self, flip: LabelFlip) -> propcov_result::Label {
        propcov_result::Label {
            state: self.implementation(flip.state),
            proposition: Arc::clone(&self.propositions[flip.proposition as usize]),
            labels: None,
        }
    }

    /// What holds in a state, and what is open.
    pub(super) fn labels(&self, graph: &Graph, state: u32) -> Vec<Arc<str>> {
        let named = self.propositions.iter().zip(&self.open).zip(graph.labels(state));
        let shown = |((name, open), label): ((&Arc<str>, &Arc<str>), &Label)| match label {
            Label::True => Some(Arc::clone(name)),
            Label::Open => Some(Arc::clone(open)),
            Label::False => None,
        };
        named.filter_map(shown).collect()
    }

    /// Pairs of states.
    pub(super) fn relation(&self, pairs: &[StatePair]) -> Vec<PairOfStates> {
        let pair = |(state, partner): &StatePair| PairOfStates {
            implementation: self.implementation(*state),
            specification: Arc::clone(&self.specification[*partner as usize]),
        };
        pairs.iter().map(pair).collect()
    }
}

/// The names of some states.
pub(super) fn states(graph: &Graph, states: &[u32]) -> Vec<String> {
    states.iter().map(|state| graph.name(*state).to_owned()).collect()
}

/// What holds in a state, and what is open.
pub(super) fn words(graph: &Graph, state: u32) -> Vec<String> {
    let named = graph.propositions().iter().zip(graph.labels(state));
    named.filter(|(_, label)| **label != Label::False).map(|(name, label)| word(name, *label)).collect()
}

/// A label in a word.
pub fn word(name: &str, label: Label) -> String {
    match label {
        Label::True => name.to_owned(),
        Label::False => format!("!{name}"),
        Label::Open => format!("?{name}"),
    }
}
