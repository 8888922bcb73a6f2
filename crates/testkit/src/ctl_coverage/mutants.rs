//! The structures in which one place shows another value of the observed node.

use super::labels::Labelling;
use crate::explicit_ctl::{Edge, ExplicitCtl, FairGraph};
use propcov_ir::ExprId;
use std::borrow::Cow;

/// A structure with one place where q' has another value.
pub(super) struct Mutant<'g> {
    graph: Cow<'g, FairGraph>,
    /// The state whose q' is another.
    place: usize,
    /// The state of the original that the place is a copy of, or the place itself.
    original: usize,
}

impl<'g> Mutant<'g> {
    /// The structure itself, with the state as the place.
    pub(super) fn of_state(explicit: &'g ExplicitCtl<'_>, state: usize) -> Mutant<'g> {
        Mutant { graph: Cow::Borrowed(explicit.graph()), place: state, original: state }
    }

    /// One more state, a copy of the target, which is the place. The transition leads there instead, in all ways in which it meets
    /// fairness conditions. The copy has the target's transitions; if the transition is a loop, it is one of them, and leads
    /// from the copy to the copy. A step from the copy meets the conditions which the same step from the target does.
    pub(super) fn of_transition(explicit: &'g ExplicitCtl<'_>, from: usize, to: usize) -> Mutant<'g> {
        let copy = explicit.states().len();
        let redirect = |edge: &Edge| {
            if (edge.from, edge.to) == (from, to) { Edge { to: copy, ..*edge } } else { *edge }
        };
        let redirected: Vec<Edge> = explicit.edges().iter().map(redirect).collect();
        let of_copy = redirected.iter().filter(|edge| edge.from == to);
        let of_copy: Vec<Edge> = of_copy.map(|edge| Edge { from: copy, ..*edge }).collect();
        let edges = redirected.into_iter().chain(of_copy).collect();
        let graph = explicit.graph().with_one_more_state(edges);
        Mutant { graph: Cow::Owned(graph), place: copy, original: to }
    }

    /// Whether the formula holds when q' has this value in the place.
    pub(super) fn holds(&self, measured: &Labelling, value: usize) -> bool {
        let labels = |atom: ExprId| {
            let mut label = measured.unchanged(atom);
            if self.place == label.len() {
                label.push(label[self.original]);
            }
            label[self.place] = measured.with_value(atom, self.original, value);
            label
        };
        self.graph.holds(&measured.formula, &labels)
    }
}
