//! Fair paths in an explicit graph, by the words of the definition.
//!
//! A path is fair when what it does for ever is: the edges that it takes infinitely often lie in one strongly connected component,
//! meet every justice condition, and meet the conclusion of every compassion condition whose premise they meet. So a fair path exists
//! where such a component can be reached. A component that meets a premise without the conclusion may still contain a
//! fair cycle, one that avoids the premise: those edges are taken away, and what remains is decomposed again (Lichtenstein, Pnueli, *Checking
//! that finite state concurrent programs satisfy their linear specification*, POPL 1985). There are no fixpoints here: this is what
//! symbolic fixpoints are compared with.

/// A transition under some inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The state before.
    pub from: usize,
    /// The state after.
    pub to: usize,
    /// Which conditions are met in the step before, with its inputs: bit i for condition i.
    pub met: u64,
}

/// What a path has to do infinitely often; conditions are numbers of bits in [`Edge::met`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Justice(u32),
    Compassion(u32, u32),
}

/// States by number, and the transitions between them.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(super) states: usize,
    pub(super) edges: Vec<Edge>,
    pub(super) conditions: Vec<Condition>,
}

/// A set of states.
pub(crate) type Set = Vec<bool>;

impl Graph {
    /// A graph with these states, and conditions on its infinite paths.
    pub(crate) fn new(states: usize, edges: Vec<Edge>, conditions: Vec<Condition>) -> Graph {
        Graph { states, edges, conditions }
    }

    /// The states where a fair path starts.
    pub(crate) fn fair(&self) -> Set {
        self.fair_within(&vec![true; self.states])
    }

    /// The states from which some edge leads to the target.
    pub(super) fn before(&self, target: &[bool]) -> Set {
        let mut before = vec![false; self.states];
        for edge in self.edges.iter().filter(|edge| target[edge.to]) {
            before[edge.from] = true;
        }
        before
    }

    /// The states from which the target can be reached, through states of `through` until then.
    pub(super) fn reaching(&self, target: &[bool], through: &[bool]) -> Set {
        let mut predecessors = vec![Vec::new(); self.states];
        for edge in &self.edges {
            predecessors[edge.to].push(edge.from);
        }
        let mut reaching = target.to_vec();
        let mut open: Vec<usize> = (0..self.states).filter(|state| target[*state]).collect();
        while let Some(state) = open.pop() {
            for &before in &predecessors[state] {
                if through[before] && !std::mem::replace(&mut reaching[before], true) {
                    open.push(before);
                }
            }
        }
        reaching
    }

    /// The states where a fair path starts that never leaves the set.
    pub(super) fn fair_within(&self, set: &[bool]) -> Set {
        let inside = self.edges.iter().filter(|edge| set[edge.from] && set[edge.to]).copied().collect();
        let recurrent = self.recurrent(inside);
        self.reaching(&recurrent, set)
    }

    /// The states on cycles, of the edges given, that are fair when they are repeated for ever.
    fn recurrent(&self, edges: Vec<Edge>) -> Set {
        let mut recurrent = vec![false; self.states];
        let mut open = vec![edges];
        while let Some(edges) = open.pop() {
            for component in self.components(&edges) {
                let met = component.iter().fold(0, |met, edge| met | edge.met);
                let is_met = |condition: u32| met >> condition & 1 == 1;
                let unjust = |condition: &Condition| matches!(condition, Condition::Justice(condition) if !is_met(*condition));
                if self.conditions.iter().any(unjust) {
                    continue;
                }
                let premise = self.conditions.iter().find_map(|condition| match *condition {
                    Condition::Compassion(premise, conclusion) if is_met(premise) && !is_met(conclusion) => {
                        Some(premise)
                    }
                    _ => None,
                });
                match premise {
                    None => component.iter().for_each(|edge| recurrent[edge.from] = true),
                    Some(premise) => {
                        open.push(
                            component.into_iter().filter(|edge| edge.met >> premise & 1 == 0).collect(),
                        );
                    }
                }
            }
        }
        recurrent
    }

    /// The edges inside each strongly connected component that has any. Two searches in depth, the second backwards from
    /// what the first finished last (Kosaraju).
    fn components(&self, edges: &[Edge]) -> Vec<Vec<Edge>> {
        let (mut after, mut before) = (vec![Vec::new(); self.states], vec![Vec::new(); self.states]);
        for edge in edges {
            after[edge.from].push(edge.to);
            before[edge.to].push(edge.from);
        }
        let mut seen = vec![false; self.states];
        let mut finished = Vec::new();
        for root in 0..self.states {
            finished.extend(search(&after, root, &mut seen));
        }
        let mut seen = vec![false; self.states];
        let mut component_of = vec![0; self.states];
        for (number, &root) in finished.iter().rev().enumerate() {
            for state in search(&before, root, &mut seen) {
                component_of[state] = number;
            }
        }
        let mut components = vec![Vec::new(); self.states];
        for edge in edges.iter().filter(|edge| component_of[edge.from] == component_of[edge.to]) {
            components[component_of[edge.from]].push(*edge);
        }
        components.retain(|component| !component.is_empty());
        components
    }
}

/// The states that a search in depth newly finds from the root, in the order in which it leaves them.
fn search(after: &[Vec<usize>], root: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut finished = Vec::new();
    if std::mem::replace(&mut seen[root], true) {
        return finished;
    }
    let mut path = vec![(root, 0)];
    while let Some((state, tried)) = path.last_mut() {
        match after[*state].get(*tried) {
            Some(&next) => {
                *tried += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            }
            None => {
                finished.push(*state);
                path.pop();
            }
        }
    }
    finished
}
