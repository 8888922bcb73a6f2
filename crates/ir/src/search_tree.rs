//! The breadth-first tree of a graph: for each reachable state one shortest run to it.
//!
//! Evidence about many states can name a state instead of a run to it, if both sides mean the same run. So the tree is defined here: roots are the initial states
//! in order, and a state's parent is the first state, in the order of discovery, that has a transition to it.

use crate::Graph;

/// The breadth-first tree of a graph, from its initial states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTree {
    /// The reached states, in the order of discovery: parents before their children.
    order: Vec<u32>,
    /// By state: its parent, itself at a root.
    parent: Vec<Option<u32>>,
    /// By state: where it comes in a depth-first walk through the tree, and where the first state behind its descendants does. Nothing is in between where it was not reached.
    interval: Vec<(u32, u32)>,
}

impl SearchTree {
    /// The tree of this graph.
    pub fn new(graph: &Graph) -> SearchTree {
        let mut order: Vec<u32> = graph.initial().to_vec();
        let mut parent = vec![None; graph.state_count()];
        order.iter().for_each(|root| parent[*root as usize] = Some(*root));
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for successor in graph.successors(state) {
                if parent[*successor as usize].is_none() {
                    parent[*successor as usize] = Some(state);
                    order.push(*successor);
                }
            }
        }
        let interval = intervals(&order, &parent);
        SearchTree { order, parent, interval }
    }

    /// The reached states in the order of discovery: no state comes before its parent.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Whether a state is reachable. What the graph does not have is not.
    pub fn is_reached(&self, state: u32) -> bool {
        self.parent.get(state as usize).copied().flatten().is_some()
    }

    /// The state before this one on the run to it, unless it is initial or not reached.
    pub fn parent(&self, state: u32) -> Option<u32> {
        self.parent.get(state as usize).copied().flatten().filter(|parent| *parent != state)
    }

    /// Where a state comes in a depth-first walk through the tree, and where the first state behind its descendants does. Empty if it is not reached.
    pub fn interval(&self, state: u32) -> (u32, u32) {
        self.interval.get(state as usize).copied().unwrap_or_default()
    }

    /// The run to a state, from an initial one to itself. Empty if it is not reached.
    pub fn path_to(&self, state: u32) -> Vec<u32> {
        if !self.is_reached(state) {
            return Vec::new();
        }
        let mut path: Vec<u32> = std::iter::successors(Some(state), |state| self.parent(*state)).collect();
        path.reverse();
        path
    }

    /// Whether the first state is on the run to the second one, before its end.
    pub fn is_proper_ancestor(&self, ancestor: u32, state: u32) -> bool {
        match (self.interval.get(ancestor as usize), self.interval.get(state as usize)) {
            (Some((from, to)), Some((position, end))) => {
                // An empty interval is that of a state that was not reached.
                position < end && from < position && position < to
            }
            _ => false,
        }
    }
}

/// Numbers states such that the descendants of each are the ones directly behind it. Without recursion: trees may be as deep as graphs are large.
fn intervals(order: &[u32], parent: &[Option<u32>]) -> Vec<(u32, u32)> {
    let parent_of = |state: u32| parent[state as usize].filter(|parent| *parent != state);
    let mut size = vec![0_u32; parent.len()];
    for state in order.iter().rev() {
        size[*state as usize] += 1;
        if let Some(parent) = parent_of(*state) {
            size[parent as usize] += size[*state as usize];
        }
    }
    let mut interval = vec![(0, 0); parent.len()];
    // The first number that no child of a state has yet; that of the roots comes last.
    let mut free = vec![0_u32; parent.len()];
    let mut free_root = 0;
    for state in order {
        let place = match parent_of(*state) {
            Some(parent) => &mut free[parent as usize],
            None => &mut free_root,
        };
        let first = *place;
        *place += size[*state as usize];
        interval[*state as usize] = (first, first + size[*state as usize]);
        free[*state as usize] = first + 1;
    }
    interval
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GraphBuilder, Label};

    fn graph(states: u32, initial: &[u32], transitions: &[(u32, u32)]) -> Graph {
        let mut builder = GraphBuilder::new(Vec::new());
        (0..states).for_each(|state| {
            builder.add_state(state.to_string(), Label::False);
        });
        initial.iter().for_each(|state| builder.set_initial(*state));
        transitions.iter().for_each(|(from, to)| builder.add_transition(*from, *to));
        builder.finish()
    }

    /// Roots 4 and 1, in this order after sorting 1 and 4; 0 is not reached.
    fn example() -> SearchTree {
        let transitions = [(1, 3), (1, 1), (4, 3), (4, 2), (3, 5), (2, 5), (5, 1), (0, 1), (5, 6), (6, 6)];
        SearchTree::new(&graph(7, &[4, 1], &transitions))
    }

    #[test]
    fn parents_are_the_first_states_that_lead_somewhere() {
        let tree = example();
        assert_eq!(tree.order(), [1, 4, 3, 2, 5, 6]);
        let parents: Vec<_> = (0..7).map(|state| tree.parent(state)).collect();
        assert_eq!(parents, [None, None, Some(4), Some(1), None, Some(3), Some(5)]);
        assert_eq!(tree.path_to(6), [1, 3, 5, 6]);
        assert_eq!(tree.path_to(4), [4]);
        assert_eq!(
            [1, 3, 5, 6, 4, 2].map(|state| tree.interval(state)),
            [(0, 4), (1, 4), (2, 4), (3, 4), (4, 6), (5, 6)]
        );
    }

    #[test]
    fn a_state_that_is_not_reached_has_no_run_and_no_ancestor() {
        let tree = example();
        for state in [0, 7, u32::MAX] {
            assert!(!tree.is_reached(state));
            assert!(tree.path_to(state).is_empty());
            assert_eq!(tree.interval(state), (0, 0));
            assert!((0..9).all(|other| !tree.is_proper_ancestor(state, other)));
            assert!((0..9).all(|other| !tree.is_proper_ancestor(other, state)));
        }
    }

    #[test]
    fn ancestors_are_the_states_of_the_run_before_its_end() {
        let tree = example();
        for state in 0..7 {
            let path = tree.path_to(state);
            for ancestor in 0..7 {
                let expected = ancestor != state && path.contains(&ancestor);
                assert_eq!(tree.is_proper_ancestor(ancestor, state), expected, "{ancestor} before {state}");
            }
        }
    }

    #[test]
    fn a_deep_tree_is_no_problem() {
        let last = 200_000;
        let chain: Vec<(u32, u32)> = (0..last).map(|state| (state, state + 1)).collect();
        let tree = SearchTree::new(&graph(last + 1, &[0], &chain));
        assert_eq!(tree.path_to(last).len(), last as usize + 1);
        assert!(tree.is_proper_ancestor(0, last) && tree.is_proper_ancestor(last - 1, last));
        assert!(!tree.is_proper_ancestor(last, last));
    }
}
