//! Fair paths in an explicit graph, by its strongly connected components.
//!
//! A fair path ends up in edges of one component that together meet every justice condition, and with each premise of a compassion
//! condition its conclusion. Edges that can have no part in that are crossed out until nothing changes: those between
//! components, all of a component that misses a justice condition, and those that meet a premise where the
//! conclusion is missing (Emerson, Lei, *Modalities for model checking: branching time logic strikes back*, Science of Computer Programming, 1987,
//! for the decomposition; components by Tarjan, *Depth-first search and linear graph algorithms*, SIAM Journal on Computing, 1972).

/// What a path has to do infinitely often; the numbers are those of bits in an edge's label.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition {
    Justice(u32),
    Compassion { premise: u32, conclusion: u32 },
}

/// A transition: where it leads, and the conditions that are met when it is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) met: u64,
}

/// A graph whose edges are sorted by their sources.
pub(super) struct Graph {
    edges: Vec<Edge>,
    /// Where the edges out of each state begin.
    first: Vec<usize>,
    /// The edges into each state, and where they begin.
    into: Vec<u32>,
    first_into: Vec<usize>,
    conditions: Vec<Condition>,
}

/// A set of states.
pub(super) type Set = Vec<bool>;

/// No component.
const NONE: u32 = u32::MAX;

impl Graph {
    pub(super) fn new(states: usize, mut edges: Vec<Edge>, conditions: Vec<Condition>) -> Graph {
        edges.sort_unstable_by_key(|edge| (edge.from, edge.to, edge.met));
        let first = starts(states, edges.iter().map(|edge| edge.from));
        let mut into: Vec<u32> = (0..edges.len() as u32).collect();
        into.sort_by_key(|edge| edges[*edge as usize].to);
        let first_into = starts(states, into.iter().map(|edge| edges[*edge as usize].to));
        Graph { edges, first, into, first_into, conditions }
    }

    pub(super) fn states(&self) -> usize {
        self.first.len() - 1
    }

    fn before(&self, state: usize) -> impl Iterator<Item = usize> {
        self.into[self.first_into[state]..self.first_into[state + 1]]
            .iter()
            .map(|edge| self.edges[*edge as usize].from as usize)
    }

    /// The states with an edge into the target.
    pub(super) fn predecessors(&self, target: &[bool]) -> Set {
        let mut set = vec![false; self.states()];
        self.edges
            .iter()
            .filter(|edge| target[edge.to as usize])
            .for_each(|edge| set[edge.from as usize] = true);
        set
    }

    /// The target and the states from which it is reached through `through`.
    pub(super) fn backwards(&self, target: &[bool], through: &[bool]) -> Set {
        let mut set = target.to_vec();
        let mut open: Vec<usize> = (0..set.len()).filter(|state| set[*state]).collect();
        while let Some(state) = open.pop() {
            for before in self.before(state) {
                if through[before] && !set[before] {
                    set[before] = true;
                    open.push(before);
                }
            }
        }
        set
    }

    /// The states of `within` where a fair path starts that never leaves it.
    pub(super) fn fair_paths(&self, within: &[bool]) -> Set {
        let inside = |edge: &Edge| within[edge.from as usize] && within[edge.to as usize];
        let mut kept: Vec<bool> = self.edges.iter().map(inside).collect();
        while self.cross_out(&mut kept) {}
        let mut recurrent = vec![false; self.states()];
        let remaining = self.edges.iter().zip(&kept).filter(|(_, kept)| **kept);
        remaining.for_each(|(edge, _)| recurrent[edge.from as usize] = true);
        self.backwards(&recurrent, within)
    }

    /// Crosses out edges that no fair path takes for ever; says whether that may have broken up a component.
    fn cross_out(&self, kept: &mut [bool]) -> bool {
        let (component, count) = self.components(kept);
        let of = |edge: &Edge| component[edge.from as usize];
        let mut met = vec![0; count];
        for (edge, kept) in self.edges.iter().zip(kept.iter_mut()) {
            *kept &= of(edge) == component[edge.to as usize];
            if *kept {
                met[of(edge) as usize] |= edge.met;
            }
        }
        let mut broken = false;
        for (edge, kept) in self.edges.iter().zip(kept.iter_mut()).filter(|(_, kept)| **kept) {
            let seen = |bit: u32| met[of(edge) as usize] >> bit & 1 == 1;
            let allowed = |condition: &Condition| match *condition {
                Condition::Justice(bit) => seen(bit),
                Condition::Compassion { premise, conclusion } => {
                    seen(conclusion) || edge.met >> premise & 1 == 0
                }
            };
            if !self.conditions.iter().all(allowed) {
                *kept = false;
                broken = true;
            }
        }
        broken
    }

    /// The number of each state's component in the graph of the edges that are kept, and how many there are.
    fn components(&self, kept: &[bool]) -> (Vec<u32>, usize) {
        let states = self.states();
        let mut component = vec![NONE; states];
        let mut index = vec![NONE; states];
        let mut low = vec![NONE; states];
        let (mut stack, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        let (mut next_index, mut count) = (0, 0);
        for root in 0..states {
            if index[root] != NONE {
                continue;
            }
            path.push((root, self.first[root]));
            while let Some((state, position)) = path.last_mut() {
                let state = *state;
                if index[state] == NONE {
                    (index[state], low[state]) = (next_index, next_index);
                    next_index += 1;
                    stack.push(state);
                }
                if *position < self.first[state + 1] {
                    let (edge, taken) = (self.edges[*position], kept[*position]);
                    *position += 1;
                    let to = edge.to as usize;
                    if taken && index[to] == NONE {
                        path.push((to, self.first[to]));
                    } else if taken && component[to] == NONE {
                        low[state] = low[state].min(index[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    low[*parent] = low[*parent].min(low[state]);
                }
                if low[state] == index[state] {
                    while let Some(member) = stack.pop() {
                        component[member] = count;
                        if member == state {
                            break;
                        }
                    }
                    count += 1;
                }
            }
        }
        (component, count as usize)
    }
}

/// Where each number's run begins in a sorted sequence of numbers below `count`, and where the last one ends.
fn starts(count: usize, sorted: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut starts = vec![0; count + 1];
    sorted.for_each(|number| starts[number as usize + 1] += 1);
    for number in 0..count {
        starts[number + 1] += starts[number];
    }
    starts
}
