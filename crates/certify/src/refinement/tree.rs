//! The runs that many mutants share: one to each state, as a tree.
//!
//! Evidence about a mutant names a state and means the run to it in the [`SearchTree`], from which the engine takes its runs, too. If that were wrong, both sides would
//! make the same mistake. So the tree is no more than a claim here, and is checked once, state by state in its order:
//!
//! - *It has runs.* A root is an initial state, and there is a transition from each parent to its child. Parents are listed before their children and no state twice, so from each state parents lead to a root. Read the
//!   other way round, that is a run.
//! - *It knows who is on them.* The interval of a child begins behind the beginning of its parent's, and does not end behind its end. So, by induction, it begins inside of the interval of each state
//!   that is on the run before it: a state in whose interval it does not begin is not there.
//!
//! This is all that verdicts rest on. That the tree has all states that can be reached, that its runs are shortest, or that intervals of siblings have nothing in common is not checked: without
//! it, evidence would be refused that is right, and none accepted that is wrong.

use super::{check_state, malformed};
use crate::Rejection;
use propcov_ir::{Graph, SearchTree};

/// A state's place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// None at a root.
    parent: Option<u32>,
    /// The interval: the first number, and the first one behind it.
    from: u32,
    to: u32,
}

/// A tree of runs that was checked.
#[derive(Debug)]
pub(super) struct Tree {
    /// The states, parents before their children.
    order: Vec<u32>,
    /// By state. Nothing where it is not in the tree.
    places: Vec<Option<Place>>,
}

impl Tree {
    /// The breadth-first tree of a graph.
    pub(super) fn new(graph: &Graph) -> Result<Tree, Rejection> {
        let claimed = SearchTree::new(graph);
        let place = |state: &u32| {
            let (from, to) = claimed.interval(*state);
            (*state, Place { parent: claimed.parent(*state), from, to })
        };
        Tree::checked(graph, claimed.order().iter().map(place))
    }

    /// The tree in which the states have these places, if it is one.
    fn checked(graph: &Graph, claimed: impl Iterator<Item = (u32, Place)>) -> Result<Tree, Rejection> {
        let mut tree = Tree { order: Vec::new(), places: vec![None; graph.state_count()] };
        for (state, place) in claimed {
            check_state(graph, state)?;
            match place.parent {
                None if graph.initial().binary_search(&state).is_err() => {
                    return Err(malformed(format!(
                        "a tree of runs with a root that is not initial: {state}"
                    )));
                }
                None => {}
                Some(parent) => tree.check_child(graph, parent, state, place)?,
            }
            if place.from >= place.to {
                return Err(malformed(format!("a tree of runs with an empty interval: that of {state}")));
            }
            if tree.places[state as usize].replace(place).is_some() {
                return Err(malformed(format!("a tree of runs that has {state} twice")));
            }
            tree.order.push(state);
        }
        Ok(tree)
    }

    fn check_child(&self, graph: &Graph, parent: u32, child: u32, place: Place) -> Result<(), Rejection> {
        let Some(above) = self.place(parent) else {
            return Err(malformed(format!("a tree of runs with {child} before its parent {parent}")));
        };
        if graph.successors(parent).binary_search(&child).is_err() {
            return Err(malformed(format!(
                "a tree of runs with {parent} before {child}, without a transition"
            )));
        }
        if place.from <= above.from || place.to > above.to {
            return Err(malformed(format!(
                "a tree of runs where the interval of {child} is not inside of that of {parent}"
            )));
        }
        Ok(())
    }

    fn place(&self, state: u32) -> Option<Place> {
        self.places.get(state as usize).copied().flatten()
    }

    /// The states, parents before their children.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Whether there is a run to a state.
    pub(super) fn is_reached(&self, state: u32) -> bool {
        self.place(state).is_some()
    }

    /// The state before this one on the run to it, unless that begins here.
    pub(super) fn parent(&self, state: u32) -> Option<u32> {
        self.place(state)?.parent
    }

    /// Whether the first state is on the run to the second one, before its end.
    pub(super) fn is_proper_ancestor(&self, ancestor: u32, state: u32) -> bool {
        match (self.place(ancestor), self.place(state)) {
            (Some(above), Some(below)) => above.from < below.from && below.from < above.to,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_testkit::{Random, graph_of_numbers, graph_pair, is_whole_run, seeds};

    type Claim = Vec<(u32, Place)>;

    fn claim(graph: &Graph) -> Claim {
        let tree = Tree::new(graph).expect("what the engine uses is a tree");
        tree.order.iter().filter_map(|state| Some((*state, tree.place(*state)?))).collect()
    }

    /// The run to a state, followed to where it begins. None if it goes in a circle.
    fn run_to(tree: &Tree, state: u32) -> Option<Vec<u32>> {
        let mut run = vec![state];
        while let Some(parent) = run.last().and_then(|last| tree.parent(*last)) {
            if run.contains(&parent) {
                return None;
            }
            run.push(parent);
        }
        run.reverse();
        Some(run)
    }

    /// What verdicts rest on, by definition.
    fn is_sound(graph: &Graph, tree: &Tree) -> bool {
        graph.states().filter(|state| tree.is_reached(*state)).all(|state| {
            run_to(tree, state).is_some_and(|run| {
                graph.initial().contains(&run[0])
                    && run.windows(2).all(|two| graph.successors(two[0]).contains(&two[1]))
                    && run[..run.len() - 1].iter().all(|before| tree.is_proper_ancestor(*before, state))
            })
        })
    }

    /// That of the engine has exactly those ancestors that the runs have.
    #[test]
    fn the_breadth_first_tree_is_accepted_and_knows_its_runs() {
        for seed in seeds(1000, 8_360_000) {
            let graph = graph_pair(seed).implementation;
            let tree = Tree::new(&graph).unwrap_or_else(|rejection| panic!("seed {seed}: {rejection}"));
            assert!(is_sound(&graph, &tree), "seed {seed}");
            for state in graph.states().filter(|state| tree.is_reached(*state)) {
                let run = run_to(&tree, state).expect("no circle");
                for other in graph.states() {
                    let expected = other != state && run.contains(&other);
                    assert_eq!(tree.is_proper_ancestor(other, state), expected, "seed {seed}");
                }
            }
        }
    }

    fn damage(random: &mut Random, claim: &mut Claim, states: usize) {
        let at = random.below(claim.len());
        let place = &mut claim[at].1;
        let number = random.below(states + 2) as u32;
        match random.below(8) {
            0 => place.parent = None,
            1 | 2 => place.parent = Some(number),
            3 => place.from = number,
            4 => place.to = number,
            5 => claim[at].0 = number,
            6 => {
                let moved = claim.remove(at);
                claim.insert(random.below(claim.len() + 1), moved);
            }
            _ => {
                let other = random.below(claim.len());
                let parents = (claim[at].1.parent, claim[other].1.parent);
                (claim[other].1.parent, claim[at].1.parent) = parents;
            }
        }
    }

    #[test]
    fn a_damaged_tree_is_accepted_only_if_verdicts_may_rest_on_it() {
        let (mut accepted, mut rejected) = (0, 0);
        for seed in seeds(4000, 8_370_000) {
            let random = &mut Random::new(seed);
            let graph = graph_pair(seed).implementation;
            for times in [1, 1, 2, 3] {
                let mut claim = claim(&graph);
                (0..times).for_each(|_| damage(random, &mut claim, graph.state_count()));
                match Tree::checked(&graph, claim.iter().copied()) {
                    Ok(tree) => {
                        accepted += 1;
                        assert!(is_sound(&graph, &tree), "seed {seed}: {claim:?}");
                    }
                    Err(_) => rejected += 1,
                }
            }
        }
        assert!(!is_whole_run() || (accepted > 1000 && rejected > 1000), "{accepted} and {rejected}");
    }

    /// `0 → 1 → 2 → 2`, and 3, which leads to 1 and is not reached.
    #[test]
    fn each_condition_is_checked() {
        let graph = graph_of_numbers(4, &[0], &[(0, 1), (1, 2), (2, 2), (3, 1)], &[]);
        let place = |parent, from, to| Place { parent, from, to };
        let right = vec![(0, place(None, 0, 3)), (1, place(Some(0), 1, 3)), (2, place(Some(1), 2, 3))];
        assert_eq!(claim(&graph), right);
        let with = |at: usize, entry: (u32, Place)| {
            let mut claim = right.clone();
            claim[at] = entry;
            claim
        };
        for (claim, expected) in [
            (with(1, (1, place(None, 1, 3))), "a root that is not initial: 1"),
            (with(2, (2, place(Some(0), 2, 3))), "0 before 2, without a transition"),
            (with(1, (1, place(Some(3), 1, 3))), "1 before its parent 3"),
            (with(1, (1, place(Some(9), 1, 3))), "1 before its parent 9"),
            (with(2, (1, place(Some(0), 2, 3))), "has 1 twice"),
            (with(2, (2, place(Some(2), 2, 3))), "2 before its parent 2"),
            (with(2, (4, place(Some(1), 2, 3))), "no state 4"),
            (with(2, (2, place(Some(1), 1, 3))), "the interval of 2 is not inside of that of 1"),
            (with(2, (2, place(Some(1), 2, 4))), "the interval of 2 is not inside of that of 1"),
            (with(2, (2, place(Some(1), 3, 3))), "an empty interval: that of 2"),
            (vec![right[0], right[2], right[1]], "2 before its parent 1"),
        ] {
            match Tree::checked(&graph, claim.iter().copied()) {
                Err(Rejection::Malformed(why)) => assert!(why.ends_with(expected), "{why}, not {expected}"),
                other => panic!("{expected}: {other:?}"),
            }
        }
    }
}
