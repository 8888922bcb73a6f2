//! Whether evidence about simulation shows what it says.
//!
//! The definitions are those of Chockler and Kupferman, "Coverage of implementations by simulating specifications" (2002), §2, as evidence about them has them ([`Simulation`]): a
//! relation is a simulation if the labels of each pair fit and each step of the implementation has an answer. Evidence brings along relations, patches and refutations, and none of them
//! is looked for here. What is computed here is where the specification can be behind a run. A run is a part of the evidence, or is named by the state at its end; then it
//! is that of a tree, which is checked before anything rests on it.
//!
//! What is said about the implementation is checked in [`relation`], what is said about many mutants in [`patch`],
//! [`kill`] and [`common`], the runs that they share in [`tree`], and why something is not simulated in [`distinction`].

mod common;
mod distinction;
mod kill;
mod patch;
mod relation;
mod tree;

use crate::Rejection;
use common::Common;
use kill::Possible;
use propcov_ir::{Graph, Label, LabelFlip, Simulation};
use relation::Relation;
use std::sync::OnceLock;

/// Checks what is said about an implementation, its mutants and a specification.
#[derive(Debug)]
pub struct RefinementChecker<'g> {
    implementation: &'g Graph,
    specification: &'g Graph,
    /// The simulation that was accepted: patches say how another one differs from it.
    accepted: Option<Relation>,
    /// Where the specification can be after runs of the implementation, once someone asks.
    possible: OnceLock<Result<Possible, Rejection>>,
    /// What all mutants of a proposition have in common.
    common: Common,
}

impl<'g> RefinementChecker<'g> {
    /// A checker that has accepted nothing so far.
    ///
    /// # Errors
    /// If the definitions are not about such graphs: their propositions differ, a state has no successor, or none is initial.
    pub fn new(
        implementation: &'g Graph,
        specification: &'g Graph,
    ) -> Result<RefinementChecker<'g>, Rejection> {
        if implementation.propositions() != specification.propositions() {
            return Err(malformed("the two graphs are not over the same propositions"));
        }
        for graph in [implementation, specification] {
            if graph.initial().is_empty() {
                return Err(malformed("a graph has no initial state"));
            }
            if let Some(state) = graph.dead_end() {
                return Err(malformed(format!("state {state} of a graph has no successor")));
            }
        }
        Ok(RefinementChecker {
            implementation,
            specification,
            accepted: None,
            possible: OnceLock::new(),
            common: Common::default(),
        })
    }

    /// Accepts that the specification simulates the implementation. The simulation is kept for patches.
    ///
    /// # Errors
    /// If these pairs do not show it. What was accepted before is kept then.
    pub fn accept_simulation(&mut self, simulation: Simulation) -> Result<(), Rejection> {
        let relation = Relation::new(self.implementation, self.specification, simulation)?;
        relation.check(self.implementation, self.specification)?;
        self.accepted = Some(relation);
        Ok(())
    }

    /// Whether a state of the specification accepts the labels of one of the implementation, or of a mutant. All exist.
    fn accepts(&self, state: u32, specified: u32, flip: Option<LabelFlip>) -> bool {
        let flipped = flip.filter(|flip| flip.state == state).map(|flip| flip.proposition as usize);
        let labels = self.implementation.labels(state).iter().zip(self.specification.labels(specified));
        labels.enumerate().all(|(proposition, (promised, specified))| {
            let is_flipped = flipped == Some(proposition);
            specified.accepts(if is_flipped { promised.flipped() } else { *promised })
        })
    }

    /// That a mutant exists. An open label has none.
    fn check_flip(&self, flip: LabelFlip) -> Result<(), Rejection> {
        check_state(self.implementation, flip.state)?;
        let labels = self.implementation.labels(flip.state);
        match labels.get(flip.proposition as usize) {
            None => Err(malformed(format!("no proposition {}", flip.proposition))),
            Some(Label::Open) => Err(malformed("an open label cannot be flipped")),
            Some(Label::False | Label::True) => Ok(()),
        }
    }

    fn check_pair(&self, (state, specified): (u32, u32)) -> Result<(), Rejection> {
        check_state(self.implementation, state)?;
        check_state(self.specification, specified)
    }
}

/// Whether a specification that says this accepts an implementation that promises that, for each proposition.
fn accepts(promised: &[Label], specified: &[Label]) -> bool {
    promised.iter().zip(specified).all(|(promised, specified)| specified.accepts(*promised))
}

fn check_state(graph: &Graph, state: u32) -> Result<(), Rejection> {
    if graph.states().contains(&state) { Ok(()) } else { Err(malformed(format!("no state {state}"))) }
}

fn malformed(why: impl Into<String>) -> Rejection {
    Rejection::Malformed(why.into())
}

fn not_simulated(why: impl Into<String>) -> Rejection {
    Rejection::Simulation(why.into())
}

fn not_distinguished(why: impl Into<String>) -> Rejection {
    Rejection::Distinction(why.into())
}
