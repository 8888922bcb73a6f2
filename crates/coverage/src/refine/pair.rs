//! An implementation and a specification that can be compared.

use propcov_ir::Graph;
use std::fmt;
use thiserror::Error;

/// An implementation and a specification over the same propositions. Both are total and have initial states.
#[derive(Clone, Debug)]
pub struct Pair {
    implementation: Graph,
    specification: Graph,
}

/// Which graph of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that is checked.
    Implementation,
    /// The one that it is checked against.
    Specification,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Implementation => "the implementation",
            Side::Specification => "the specification",
        })
    }
}

/// Why two graphs cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PairError {
    /// The propositions are not the same, or not in the same order.
    #[error("the implementation is over {}, the specification over {}", listed(.implementation), listed(.specification))]
    Propositions {
        /// Those of the implementation.
        implementation: Vec<String>,
        /// Those of the specification.
        specification: Vec<String>,
    },
    /// A graph has no initial state.
    #[error("{0} has no initial state")]
    NoInitialState(Side),
    /// A state has no successor: simulation is about total transition relations.
    #[error("state {state} of {side} has no successor")]
    DeadEnd {
        /// Where it is.
        side: Side,
        /// Its name.
        state: String,
    },
}

fn listed(propositions: &[String]) -> String {
    if propositions.is_empty() { "no propositions".to_owned() } else { propositions.join(", ") }
}

impl Pair {
    /// Takes two graphs.
    ///
    /// # Errors
    /// If the propositions differ, or a graph has no initial state or a state without successor.
    pub fn new(implementation: Graph, specification: Graph) -> Result<Pair, PairError> {
        if implementation.propositions() != specification.propositions() {
            return Err(PairError::Propositions {
                implementation: implementation.propositions().to_vec(),
                specification: specification.propositions().to_vec(),
            });
        }
        for (side, graph) in [(Side::Implementation, &implementation), (Side::Specification, &specification)]
        {
            if graph.initial().is_empty() {
                return Err(PairError::NoInitialState(side));
            }
            if let Some(state) = graph.dead_end() {
                return Err(PairError::DeadEnd { side, state: graph.name(state).to_owned() });
            }
        }
        Ok(Pair { implementation, specification })
    }

    /// The graph that is checked.
    pub fn implementation(&self) -> &Graph {
        &self.implementation
    }

    /// The graph that it is checked against.
    pub fn specification(&self) -> &Graph {
        &self.specification
    }
}
