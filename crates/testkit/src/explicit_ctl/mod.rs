//! The definition of CTL under fairness as a program: all states and transitions of a small system, and searches in that
//! graph.
//!
//! The semantics is that of [`Ctl`]. In two points it differs from that of runs, which [`Explicit`](crate::Explicit)
//! explores. The inputs that make a state initial need not be those with which a path leaves it. And all states are
//! looked at, not only reachable ones, though only reachable ones are counted.

mod checker;
mod enumerate;
mod graph;

pub(crate) use checker::FairGraph;
pub use graph::Edge;
pub(crate) use graph::{Condition, Graph as FairSearch};

use crate::ExploreError;
use enumerate::{Structure, enumerate};
use propcov_ir::{Ctl, Edits, ExprId, Interpreter, PropertyId, PropertyKind, Step, StepError, System, Value};

/// The states and transitions of a system under edits. States have numbers.
#[derive(Clone, Debug)]
pub struct ExplicitCtl<'s> {
    system: &'s System,
    edits: &'s Edits,
    states: Vec<Vec<Value>>,
    /// The least number of transitions from an initial state.
    distance: Vec<Option<usize>>,
    graph: FairGraph,
}

impl<'s> ExplicitCtl<'s> {
    /// Explores the system under edits.
    pub fn new(system: &'s System, edits: &'s Edits) -> Result<ExplicitCtl<'s>, ExploreError> {
        let Structure { states, initial, graph } = enumerate(system, edits)?;
        let distance = distances(&graph, &initial);
        Ok(ExplicitCtl { system, edits, states, distance, graph: FairGraph::new(graph, initial) })
    }

    /// Whether every fair initial state satisfies the property.
    ///
    /// # Panics
    /// When the property is no CTL formula.
    pub fn holds(&self, property: PropertyId) -> bool {
        match &self.system.property(property).kind {
            PropertyKind::Ctl(formula) => self.holds_initially(formula),
            kind => panic!("{kind:?} is no CTL formula"),
        }
    }

    /// Whether every fair initial state satisfies the formula.
    pub fn holds_initially(&self, formula: &Ctl) -> bool {
        self.graph.holds(formula, &|expr| self.label(expr))
    }

    /// The states, reachable or not: a value for each state signal.
    pub fn states(&self) -> &[Vec<Value>] {
        &self.states
    }

    /// The number of the state with these values.
    pub fn position(&self, values: &[Value]) -> Option<usize> {
        self.states.iter().position(|state| state == values)
    }

    /// For each state whether it is initial.
    pub fn initial(&self) -> &[bool] {
        &self.graph.initial
    }

    /// For each state whether a fair path starts there.
    pub fn fair(&self) -> &[bool] {
        &self.graph.fair
    }

    /// For each state the least number of transitions from an initial one; `None` where it is not reachable.
    pub fn distances(&self) -> &[Option<usize>] {
        &self.distance
    }

    /// How many states are reachable.
    pub fn reachable(&self) -> usize {
        self.distance.iter().flatten().count()
    }

    /// How many states are reachable and fair.
    pub fn fair_reachable(&self) -> usize {
        self.distance.iter().zip(self.fair()).filter(|(distance, fair)| distance.is_some() && **fair).count()
    }

    /// The greatest distance of a reachable state from the initial ones; 0 when there is none.
    pub fn diameter(&self) -> usize {
        self.distance.iter().flatten().copied().max().unwrap_or(0)
    }

    /// The transitions: one for each way in which inputs meet fairness conditions.
    pub fn edges(&self) -> &[Edge] {
        self.graph.edges()
    }

    /// For each state whether it satisfies the formula.
    ///
    /// # Panics
    /// When an atom cannot be evaluated in a state.
    pub fn satisfies(&self, formula: &Ctl) -> Vec<bool> {
        self.graph.satisfies(formula, &|expr| self.label(expr))
    }

    fn label(&self, expr: ExprId) -> Vec<bool> {
        match self.atom(expr) {
            Ok(satisfies) => satisfies,
            Err(error) => panic!("{error}"),
        }
    }

    /// The graph without its labels.
    pub(crate) fn graph(&self) -> &FairGraph {
        &self.graph
    }

    /// What the system was explored with.
    pub(crate) fn edits(&self) -> &'s Edits {
        self.edits
    }

    /// An atom speaks of states, so any inputs will do.
    fn atom(&self, expr: ExprId) -> Result<Vec<bool>, StepError> {
        let interpreter = Interpreter::new(self.system, self.edits)
            .map_err(|error| StepError::Unknown(error.to_string()))?;
        let zero = |signal| Value::zero(&self.system.signal(signal).sort);
        let inputs: Vec<Value> = self.system.inputs().iter().map(|input| zero(*input)).collect();
        let free = interpreter.free_wires().iter().map(|(element, wire)| (*element, zero(*wire))).collect();
        let mut step = Step { inputs, states: Vec::new(), free };
        let holds = |states: &Vec<Value>| {
            step.states.clone_from(states);
            Ok(interpreter.frame(&step)?.value(expr)? == Value::bool(true))
        };
        self.states.iter().map(holds).collect()
    }
}

/// Breadth-first search.
fn distances(graph: &graph::Graph, initial: &[bool]) -> Vec<Option<usize>> {
    let mut after = vec![Vec::new(); graph.states];
    graph.edges.iter().for_each(|edge| after[edge.from].push(edge.to));
    let mut distance: Vec<Option<usize>> = initial.iter().map(|initial| initial.then_some(0)).collect();
    let mut layer: Vec<usize> = (0..graph.states).filter(|state| initial[*state]).collect();
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in layer.iter().flat_map(|state| &after[*state]) {
            if distance[*state].is_none() {
                distance[*state] = Some(depth);
                next.push(*state);
            }
        }
        layer = next;
    }
    distance
}
