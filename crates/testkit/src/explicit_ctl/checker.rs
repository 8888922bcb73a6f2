//! Which states satisfy a formula, given those that satisfy its atoms: the words of the definition, over a graph that may have any labels.

use super::graph::{Edge, Graph};
use propcov_ir::{Ctl, ExprId, Quantifier::All, Quantifier::Exists};

/// States, of which some are initial, and the transitions between them.
#[derive(Clone, Debug)]
pub(crate) struct FairGraph {
    graph: Graph,
    pub(crate) initial: Vec<bool>,
    /// Where a fair path starts.
    pub(crate) fair: Vec<bool>,
}

/// For an atom, the states where it is true.
pub(crate) type Labels<'l> = dyn Fn(ExprId) -> Vec<bool> + 'l;

impl FairGraph {
    pub(super) fn new(graph: Graph, initial: Vec<bool>) -> FairGraph {
        let fair = graph.fair_within(&vec![true; graph.states]);
        FairGraph { graph, initial, fair }
    }

    /// One more state, which is not initial, and these transitions instead. The fairness conditions stay.
    pub(crate) fn with_one_more_state(&self, edges: Vec<Edge>) -> FairGraph {
        let graph = Graph { states: self.graph.states + 1, edges, conditions: self.graph.conditions.clone() };
        let initial = self.initial.iter().copied().chain([false]).collect();
        FairGraph::new(graph, initial)
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.graph.edges
    }

    /// Whether every fair initial state satisfies the formula.
    pub(crate) fn holds(&self, formula: &Ctl, labels: &Labels<'_>) -> bool {
        let satisfies = self.satisfies(formula, labels);
        (0..self.graph.states).all(|state| !self.initial[state] || !self.fair[state] || satisfies[state])
    }

    /// For each state whether it satisfies the formula.
    pub(crate) fn satisfies(&self, formula: &Ctl, labels: &Labels<'_>) -> Vec<bool> {
        let satisfies = |formula| self.satisfies(formula, labels);
        let fails = |formula| complement(&self.satisfies(formula, labels));
        match formula {
            Ctl::Atom(expr) => labels(*expr),
            Ctl::Not(a) => fails(a),
            Ctl::And(a, b) => both(&satisfies(a), &satisfies(b)),
            Ctl::Or(a, b) => either(&satisfies(a), &satisfies(b)),
            Ctl::Next(Exists, a) => self.exists_next(&satisfies(a)),
            Ctl::Until(Exists, a, b) => self.exists_until(&satisfies(a), &satisfies(b)),
            Ctl::Release(Exists, a, b) => self.exists_release(&satisfies(a), &satisfies(b)),
            // On all paths: on none of them the contrary.
            Ctl::Next(All, a) => complement(&self.exists_next(&fails(a))),
            Ctl::Until(All, a, b) => complement(&self.exists_release(&fails(a), &fails(b))),
            Ctl::Release(All, a, b) => complement(&self.exists_until(&fails(a), &fails(b))),
        }
    }

    fn exists_next(&self, a: &[bool]) -> Vec<bool> {
        self.graph.before(&both(a, &self.fair))
    }

    fn exists_until(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        self.graph.reaching(&both(b, &self.fair), a)
    }

    /// On some path b holds for ever, or until a holds as well.
    fn exists_release(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        let released = self.graph.reaching(&both(&both(a, b), &self.fair), b);
        either(&self.graph.fair_within(b), &released)
    }
}

fn complement(a: &[bool]) -> Vec<bool> {
    a.iter().map(|a| !a).collect()
}

fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn either(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}
