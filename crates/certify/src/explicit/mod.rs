//! CTL verdicts checked once more, state by state.
//!
//! Where a system is small enough, all its reachable states are listed and the properties decided in that graph. This shares
//! nothing with decision diagrams: states come from the SAT solver and this crate's own encoder, and fair paths
//! from strongly connected components instead of fixpoints. It is the answer to verdicts that no run can show.

mod coverage;
mod explore;
mod graph;
mod listing;

pub use coverage::{
    CoverageAnswer, CoverageFlip, CoverageLimits, CoveragePlace, CoverageQuestion, CoverageRecheck,
    CoverageSemantics, recheck_coverage,
};
pub use listing::{StateList, StateValues, list_graph, list_states};

use crate::{Rejection, meaning};
use explore::{State, explore};
use graph::{Condition, Edge, Graph, Set, complement, intersection, union};
use propcov_budget::Budget;
use propcov_ir::{
    Ctl, Edits, ExprId, PropertyId,
    Quantifier::{All, Exists},
    System,
};
use rustc_hash::FxHashMap;

/// How much is listed before giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplicitLimits {
    /// At most so many states.
    pub states: usize,
    /// At most so many transitions; those that differ only in the fairness conditions they meet count separately.
    pub edges: usize,
}

impl Default for ExplicitLimits {
    fn default() -> ExplicitLimits {
        ExplicitLimits { states: 20_000, edges: 100_000 }
    }
}

/// What is so about a system, state by state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recheck {
    /// For each property that was asked about, whether every fair initial state satisfies it.
    pub holds: Vec<bool>,
    /// How many initial states there are.
    pub initial: usize,
    /// How many states are reachable.
    pub reachable: usize,
    /// How many of those a fair path starts from.
    pub fair: usize,
}

/// Decides CTL properties by listing the reachable states, once for all of them.
///
/// # Errors
/// [`Rejection::TooLarge`] beyond the limits, [`Rejection::Undecided`] beyond the budget, and otherwise what is wrong with system or
/// properties, which have to be CTL formulas whose atoms depend on states alone.
pub fn recheck_ctl(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    limits: &ExplicitLimits,
    budget: &Budget,
) -> Result<Recheck, Rejection> {
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    let formulas: Vec<&Ctl> =
        properties.iter().map(|property| meaning::ctl(system, edits, *property)).collect::<Result<_, _>>()?;
    let mut atoms: Vec<ExprId> = formulas.iter().flat_map(|formula| formula.atoms()).collect();
    atoms.sort_unstable();
    atoms.dedup();
    let explored = explore(system, edits, &atoms, limits, budget)?;
    Ok(Evaluation::new(explored).answer(&formulas))
}

/// The reachable states, by number, and what is known about them.
struct Explored {
    /// The first so many states are initial.
    initial: usize,
    /// Whether this is a state at all: some inputs satisfy the constraints there.
    exists: Vec<bool>,
    edges: Vec<Edge>,
    conditions: Vec<Condition>,
    /// The states where each atom holds.
    atoms: FxHashMap<ExprId, Set>,
    /// The bits of each state: those of its signals, one after the other.
    states: Vec<State>,
}

/// Formulas in the graph of a system.
struct Evaluation {
    initial: usize,
    exists: Set,
    graph: Graph,
    atoms: FxHashMap<ExprId, Set>,
}

impl Evaluation {
    fn new(explored: Explored) -> Evaluation {
        let Explored { initial, exists, edges, conditions, atoms, .. } = explored;
        let graph = Graph::new(exists.len(), edges, conditions);
        Evaluation { initial, exists, graph, atoms }
    }

    fn answer(&self, formulas: &[&Ctl]) -> Recheck {
        let holds = |formula: &&Ctl| {
            let satisfies = self.states(formula, true);
            (0..self.initial).all(|state| satisfies[state] || !self.graph.fair[state])
        };
        let count = |set: &[bool]| set.iter().filter(|member| **member).count();
        Recheck {
            holds: formulas.iter().map(holds).collect(),
            initial: count(&self.exists[..self.initial]),
            reachable: count(&self.exists),
            fair: count(&self.graph.fair),
        }
    }

    /// The states where the formula is true, or those where it is false.
    fn states(&self, formula: &Ctl, truth: bool) -> Set {
        let when = |set: Set| if truth { set } else { complement(set) };
        // A universal formula is false where its dual about what is false is true on some path.
        let unless = |set: Set| if truth { complement(set) } else { set };
        match formula {
            Ctl::Atom(expr) => when(self.atoms.get(expr).cloned().unwrap_or_default()),
            Ctl::Not(a) => self.states(a, !truth),
            Ctl::And(a, b) if truth => intersection(self.states(a, true), &self.states(b, true)),
            Ctl::And(a, b) => union(self.states(a, false), &self.states(b, false)),
            Ctl::Or(a, b) if truth => union(self.states(a, true), &self.states(b, true)),
            Ctl::Or(a, b) => intersection(self.states(a, false), &self.states(b, false)),
            Ctl::Next(Exists, a) => when(self.graph.next(&self.states(a, true))),
            Ctl::Next(All, a) => unless(self.graph.next(&self.states(a, false))),
            Ctl::Until(Exists, a, b) => when(self.graph.until(&self.states(a, true), &self.states(b, true))),
            Ctl::Until(All, a, b) => {
                unless(self.graph.release(&self.states(a, false), &self.states(b, false)))
            }
            Ctl::Release(Exists, a, b) => {
                when(self.graph.release(&self.states(a, true), &self.states(b, true)))
            }
            Ctl::Release(All, a, b) => {
                unless(self.graph.until(&self.states(a, false), &self.states(b, false)))
            }
        }
    }
}
