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
    /// The sources of the edges into each state, and where they begin.
    before: Vec<u32>,
    first_before: Vec<usize>,
    conditions: Vec<Condition>,
    /// The states where a fair path starts.
    pub(super) fair: Set,
}

/// A set of states.
pub(super) type Set = Vec<bool>;

/// No component.
const NONE: u32 = u32::MAX;

impl Graph {
    pub(super) fn new(states: usize, mut edges: Vec<Edge>, conditions: Vec<Condition>) -> Graph {
        edges.sort_unstable_by_key(|edge| (edge.from, edge.to, edge.met));
        let mut graph = Graph::of_sorted(states, edges, conditions);
        graph.fair = graph.fair_paths(&vec![true; states]);
        graph
    }

    /// The graph without its fair states.
    fn of_sorted(states: usize, edges: Vec<Edge>, conditions: Vec<Condition>) -> Graph {
        let first = starts(states, edges.iter().map(|edge| edge.from));
        let first_before = starts(states, edges.iter().map(|edge| edge.to));
        let (mut before, mut place) = (vec![0; edges.len()], first_before.clone());
        for edge in &edges {
            let place = &mut place[edge.to as usize];
            before[*place] = edge.from;
            *place += 1;
        }
        Graph { edges, first, before, first_before, conditions, fair: Set::new() }
    }

    /// The graph in which the last state, which has no edges here, is a copy of `to`, and where the edges between the two states lead to the copy
    /// instead. A loop leads from the copy to the copy. What edges meet stays the same, so the copy is fair if `to` is.
    pub(super) fn redirected(&self, from: u32, to: u32) -> Graph {
        let copy = self.states() as u32 - 1;
        let redirect = |edge: &Edge| match *edge {
            edge if (edge.from, edge.to) == (from, to) => Edge { to: copy, ..edge },
            edge => edge,
        };
        let mut edges: Vec<Edge> = Vec::with_capacity(self.edges.len() * 2);
        edges.extend(self.edges.iter().map(redirect));
        for position in self.first[to as usize]..self.first[to as usize + 1] {
            edges.push(Edge { from: copy, ..edges[position] });
        }
        let mut graph = Graph::of_sorted(self.states(), edges, self.conditions.clone());
        graph.fair = self.fair.clone();
        graph.fair[copy as usize] = self.fair[to as usize];
        graph
    }

    pub(super) fn states(&self) -> usize {
        self.first.len() - 1
    }

    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// On some fair path, the next state is in the set.
    pub(super) fn next(&self, a: &[bool]) -> Set {
        self.predecessors(&intersection(a.to_vec(), &self.fair))
    }

    /// On some fair path, b is reached through a.
    pub(super) fn until(&self, a: &[bool], b: &[bool]) -> Set {
        self.backwards(intersection(b.to_vec(), &self.fair), a)
    }

    /// On some fair path, b is never left before or unless a is reached in it.
    pub(super) fn release(&self, a: &[bool], b: &[bool]) -> Set {
        union(self.until(b, &intersection(a.to_vec(), b)), &self.fair_paths(b))
    }

    fn before(&self, state: usize) -> &[u32] {
        &self.before[self.first_before[state]..self.first_before[state + 1]]
    }

    /// The states with an edge into the target.
    fn predecessors(&self, target: &[bool]) -> Set {
        let mut set = vec![false; self.states()];
        self.edges
            .iter()
            .filter(|edge| target[edge.to as usize])
            .for_each(|edge| set[edge.from as usize] = true);
        set
    }

    /// The target and the states from which it is reached through `through`.
    fn backwards(&self, target: Set, through: &[bool]) -> Set {
        let mut set = target;
        let mut open: Vec<usize> = (0..set.len()).filter(|state| set[*state]).collect();
        while let Some(state) = open.pop() {
            for before in self.before(state) {
                let before = *before as usize;
                if through[before] && !set[before] {
                    set[before] = true;
                    open.push(before);
                }
            }
        }
        set
    }

    /// The states of `within` where a fair path starts that never leaves it.
    fn fair_paths(&self, within: &[bool]) -> Set {
        let inside = |edge: &Edge| within[edge.from as usize] && within[edge.to as usize];
        let mut kept: Vec<bool> = self.edges.iter().map(inside).collect();
        while self.cross_out(&mut kept) {}
        let mut recurrent = vec![false; self.states()];
        let remaining = self.edges.iter().zip(&kept).filter(|(_, kept)| **kept);
        remaining.for_each(|(edge, _)| recurrent[edge.from as usize] = true);
        self.backwards(recurrent, within)
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

/// Where each number's run begins once the numbers, which are below `count`, are sorted; and where the last one ends.
fn starts(count: usize, numbers: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut starts = vec![0; count + 1];
    numbers.for_each(|number| starts[number as usize + 1] += 1);
    for number in 0..count {
        starts[number + 1] += starts[number];
    }
    starts
}

pub(super) fn complement(mut a: Set) -> Set {
    a.iter_mut().for_each(|member| *member = !*member);
    a
}

pub(super) fn intersection(mut a: Set, b: &[bool]) -> Set {
    a.iter_mut().zip(b).for_each(|(member, other)| *member &= other);
    a
}

pub(super) fn union(mut a: Set, b: &[bool]) -> Set {
    a.iter_mut().zip(b).for_each(|(member, other)| *member |= other);
    a
}
