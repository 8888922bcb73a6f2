//! Labelled state-transition graphs: what a design is where refinement is the question.
//!
//! Chockler and Kupferman, "Coverage of implementations by simulating specifications" (2002), §2: states with labels over
//! atomic propositions, a transition relation, initial states. Labels here have three values. A proposition may be left
//! open in a state, as in the paper's Figure 5: a specification does not care about it there, and an implementation makes no promise.
//!
//! What a specification leaves open it accepts; what an implementation leaves open only an open label accepts. For graphs
//! without open labels this is the paper's definition.

use std::ops::Range;

/// What a state says about a proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// It does not hold.
    False,
    /// It holds.
    True,
    /// Either may be: a specification accepts both, an implementation promises neither.
    Open,
}

impl Label {
    /// The label that says this.
    pub fn of(value: bool) -> Label {
        if value { Label::True } else { Label::False }
    }

    /// The value, if the state says one.
    pub fn value(self) -> Option<bool> {
        match self {
            Label::False => Some(false),
            Label::True => Some(true),
            Label::Open => None,
        }
    }

    /// The other value; what is open stays open.
    pub fn flipped(self) -> Label {
        match self {
            Label::False => Label::True,
            Label::True => Label::False,
            Label::Open => Label::Open,
        }
    }

    /// Whether a specification that says this accepts an implementation that says `promised`.
    pub fn accepts(self, promised: Label) -> bool {
        self == Label::Open || self == promised
    }
}

/// A labelled graph. States and propositions are numbered from 0, each list of neighbours is sorted and without repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    propositions: Vec<String>,
    names: Vec<String>,
    initial: Vec<u32>,
    successors: Neighbours,
    predecessors: Neighbours,
    /// By state, then by proposition.
    labels: Vec<Label>,
}

/// Lists of states, one for each state, in one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Neighbours {
    first: Vec<usize>,
    states: Vec<u32>,
}

impl Neighbours {
    /// The second states of these pairs, by the first.
    fn new(states: usize, pairs: &mut Vec<(u32, u32)>) -> Neighbours {
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0; states + 1];
        for (from, _) in &*pairs {
            first[*from as usize + 1] += 1;
        }
        for state in 0..states {
            first[state + 1] += first[state];
        }
        Neighbours { first, states: pairs.iter().map(|(_, to)| *to).collect() }
    }

    fn of(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.states[self.first[state]..self.first[state + 1]]
    }
}

/// A graph in the making.
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    propositions: Vec<String>,
    names: Vec<String>,
    initial: Vec<u32>,
    transitions: Vec<(u32, u32)>,
    labels: Vec<Label>,
}

impl GraphBuilder {
    /// A graph without states over these propositions, which are all different.
    pub fn new(propositions: Vec<String>) -> GraphBuilder {
        GraphBuilder { propositions, ..GraphBuilder::default() }
    }

    /// One more state, in which every proposition has the same label. The number of states and propositions is the caller's to bound.
    pub fn add_state(&mut self, name: impl Into<String>, label: Label) -> u32 {
        let state = self.names.len() as u32;
        self.names.push(name.into());
        self.labels.extend(self.propositions.iter().map(|_| label));
        state
    }

    /// How many states there are so far.
    pub fn state_count(&self) -> usize {
        self.names.len()
    }

    /// Says something else about a proposition in a state. Both exist.
    pub fn set_label(&mut self, state: u32, proposition: u32, label: Label) {
        let width = self.propositions.len();
        self.labels[state as usize * width + proposition as usize] = label;
    }

    /// Makes a state initial.
    pub fn set_initial(&mut self, state: u32) {
        self.initial.push(state);
    }

    /// A transition between two states that exist. The same one may be added twice.
    pub fn add_transition(&mut self, from: u32, to: u32) {
        self.transitions.push((from, to));
    }

    /// The graph.
    pub fn finish(mut self) -> Graph {
        let states = self.names.len();
        let successors = Neighbours::new(states, &mut self.transitions);
        let mut backwards: Vec<(u32, u32)> = self.transitions.iter().map(|(from, to)| (*to, *from)).collect();
        let predecessors = Neighbours::new(states, &mut backwards);
        self.initial.sort_unstable();
        self.initial.dedup();
        Graph {
            propositions: self.propositions,
            names: self.names,
            initial: self.initial,
            successors,
            predecessors,
            labels: self.labels,
        }
    }
}

impl Graph {
    /// The names of the propositions.
    pub fn propositions(&self) -> &[String] {
        &self.propositions
    }

    /// The number of the proposition with this name.
    pub fn proposition(&self, name: &str) -> Option<u32> {
        self.propositions.iter().position(|proposition| proposition == name).map(|position| position as u32)
    }

    /// The numbers of all states.
    pub fn states(&self) -> Range<u32> {
        0..self.names.len() as u32
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.names.len()
    }

    /// How many transitions there are.
    pub fn transition_count(&self) -> usize {
        self.successors.states.len()
    }

    /// What a state is called.
    pub fn name(&self, state: u32) -> &str {
        &self.names[state as usize]
    }

    /// The initial states.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// Where transitions from a state lead.
    pub fn successors(&self, state: u32) -> &[u32] {
        self.successors.of(state)
    }

    /// Where transitions to a state come from.
    pub fn predecessors(&self, state: u32) -> &[u32] {
        self.predecessors.of(state)
    }

    /// All transitions, sorted.
    pub fn transitions(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.states().flat_map(|from| self.successors(from).iter().map(move |to| (from, *to)))
    }

    /// What a state says about each proposition.
    pub fn labels(&self, state: u32) -> &[Label] {
        let width = self.propositions.len();
        &self.labels[state as usize * width..(state as usize + 1) * width]
    }

    /// What a state says about a proposition.
    pub fn label(&self, state: u32, proposition: u32) -> Label {
        self.labels(state)[proposition as usize]
    }

    /// The first state without a successor: simulation is about graphs that have none.
    pub fn dead_end(&self) -> Option<u32> {
        self.states().find(|state| self.successors(*state).is_empty())
    }

    /// The graph with a loop at each state that has no successor.
    pub fn completed(&self) -> Graph {
        let loops = self.states().filter(|state| self.successors(*state).is_empty());
        self.with_transitions(self.transitions().chain(loops.map(|state| (state, state))).collect())
    }

    /// The same states with other transitions.
    pub fn with_transitions(&self, mut transitions: Vec<(u32, u32)>) -> Graph {
        let successors = Neighbours::new(self.state_count(), &mut transitions);
        let mut backwards: Vec<(u32, u32)> = transitions.iter().map(|(from, to)| (*to, *from)).collect();
        let predecessors = Neighbours::new(self.state_count(), &mut backwards);
        Graph { successors, predecessors, ..self.clone() }
    }

    /// The graph over these of its propositions only, in this order.
    pub fn projected(&self, propositions: &[u32]) -> Graph {
        let chosen = |state| propositions.iter().map(move |proposition| self.label(state, *proposition));
        Graph {
            propositions: propositions.iter().map(|p| self.propositions[*p as usize].clone()).collect(),
            labels: self.states().flat_map(chosen).collect(),
            ..self.clone()
        }
    }

    /// The graph with one more proposition, which holds nowhere.
    pub fn with_false_proposition(&self, name: &str) -> Graph {
        let mut propositions = self.propositions.clone();
        propositions.push(name.to_owned());
        let extended = |state| self.labels(state).iter().copied().chain([Label::False]);
        Graph { propositions, labels: self.states().flat_map(extended).collect(), ..self.clone() }
    }

    /// The mutant: one label flipped in one state.
    pub fn flipped(&self, flip: LabelFlip) -> Graph {
        let mut graph = self.clone();
        let position = flip.state as usize * self.propositions.len() + flip.proposition as usize;
        graph.labels[position] = graph.labels[position].flipped();
        graph
    }

    /// For each state, whether it is reachable from an initial one.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.state_count()];
        let mut open: Vec<u32> = self.initial.clone();
        open.iter().for_each(|state| reached[*state as usize] = true);
        while let Some(state) = open.pop() {
            for next in self.successors(state) {
                if !std::mem::replace(&mut reached[*next as usize], true) {
                    open.push(*next);
                }
            }
        }
        reached
    }
}

/// A mutation of an implementation: a proposition gets its other value in one state. It has one there, so it is not [`Label::Open`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelFlip {
    /// The state.
    pub state: u32,
    /// The proposition.
    pub proposition: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `0 → 1 → 1`, `2 → 0`; p in 0, q open in 1.
    fn graph() -> Graph {
        let mut builder = GraphBuilder::new(vec!["p".to_owned(), "q".to_owned()]);
        for name in ["a", "b", "c"] {
            builder.add_state(name, Label::False);
        }
        builder.set_label(0, 0, Label::True);
        builder.set_label(1, 1, Label::Open);
        builder.set_initial(0);
        for (from, to) in [(2, 0), (0, 1), (1, 1), (0, 1)] {
            builder.add_transition(from, to);
        }
        builder.finish()
    }

    #[test]
    fn neighbours_are_sorted_and_without_repetition() {
        let graph = graph();
        assert_eq!(graph.transitions().collect::<Vec<_>>(), [(0, 1), (1, 1), (2, 0)]);
        assert_eq!(graph.predecessors(1), [0, 1]);
        assert_eq!((graph.state_count(), graph.transition_count()), (3, 3));
        assert_eq!(graph.reachable(), [true, true, false]);
    }

    #[test]
    fn a_flip_changes_one_label_and_leaves_what_is_open() {
        let graph = graph();
        let mutant = graph.flipped(LabelFlip { state: 0, proposition: 0 });
        assert_eq!(mutant.labels(0), [Label::False, Label::False]);
        assert_eq!(graph.flipped(LabelFlip { state: 1, proposition: 1 }), graph);
    }

    #[test]
    fn a_dead_end_is_found_and_gets_a_loop() {
        let open = graph().with_transitions(vec![(2, 0), (0, 1)]);
        assert_eq!(open.dead_end(), Some(1));
        assert_eq!(open.completed(), graph());
        assert_eq!(graph().dead_end(), None);
    }

    #[test]
    fn propositions_are_chosen_and_added() {
        let graph = graph();
        let only_q = graph.projected(&[1]);
        assert_eq!(only_q.propositions(), ["q"]);
        assert_eq!(only_q.labels(1), [Label::Open]);
        let more = only_q.with_false_proposition("r");
        assert_eq!(more.labels(1), [Label::Open, Label::False]);
        assert_eq!(more.proposition("r"), Some(1));
    }

    #[test]
    fn an_open_label_accepts_all_and_is_accepted_by_open_ones_only() {
        use Label::{False, Open, True};
        for promised in [False, True, Open] {
            assert!(Open.accepts(promised));
            assert_eq!(True.accepts(promised), promised == True);
            assert_eq!(False.accepts(promised), promised == False);
        }
    }
}
