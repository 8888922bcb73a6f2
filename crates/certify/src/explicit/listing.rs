//! A system as a labelled graph: all its reachable states, listed.
//!
//! This is the Kripke structure that CTL speaks of, with the truth of some propositions for labels, and names by which people know the states.
//! States come from the SAT solver, as everywhere in this folder. Simulation knows no fairness, so it is left out here. A state without
//! successor stays one: whether that is an error is for the caller to say.

use super::coverage::{state_sorts, state_values};
use super::explore::{State, explore};
use super::{ExplicitLimits, Explored};
use crate::cone::reads_choices;
use crate::{Rejection, meaning};
use propcov_budget::Budget;
use propcov_ir::{Edits, ExprId, Graph, GraphBuilder, Label, Sort, System, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The graph of all reachable states, initial ones first. Propositions have names, all different, and are Boolean expressions over states.
///
/// # Errors
/// [`Rejection::Unsupported`] if a proposition reads inputs, [`Rejection::TooLarge`] beyond the limits, [`Rejection::Undecided`] beyond
/// the budget, and otherwise what is wrong with system or propositions.
pub fn list_graph(
    system: &System,
    propositions: &[(String, ExprId)],
    limits: &ExplicitLimits,
    budget: &Budget,
) -> Result<Graph, Rejection> {
    Ok(list_states(system, propositions, limits, budget)?.graph)
}

/// The graph of a system, and what its states are.
#[derive(Clone, Debug)]
pub struct StateList {
    /// The graph.
    pub graph: Graph,
    /// Its states, as the system has them.
    pub states: StateValues,
}

/// What the states of a listed graph are in the system.
#[derive(Clone, Debug)]
pub struct StateValues {
    /// Of the state signals.
    sorts: Vec<Sort>,
    /// By state of the graph.
    states: Vec<State>,
}

impl StateValues {
    /// The values of all state signals in a state of the graph, in the order of [`System::states`]; `None` if the graph has no such state.
    pub fn of(&self, state: u32) -> Option<Vec<Value>> {
        // What has a name was decoded before.
        state_values(&self.sorts, self.states.get(state as usize)?).ok()
    }
}

/// As [`list_graph`], with the values of all signals in each state.
///
/// # Errors
/// As [`list_graph`].
pub fn list_states(
    system: &System,
    propositions: &[(String, ExprId)],
    limits: &ExplicitLimits,
    budget: &Budget,
) -> Result<StateList, Rejection> {
    meaning::check_system(system)?;
    // Edges that differ in the conditions that they meet would be listed separately.
    let mut system = system.clone();
    system.fairness.clear();
    let system = &system;
    let exprs: Vec<ExprId> = propositions.iter().map(|(_, expr)| *expr).collect();
    if let Some(expr) = exprs.iter().find(|expr| expr.0 as usize >= system.exprs.len()) {
        return Err(Rejection::no_such_expression(*expr));
    }
    if let Some((name, _)) =
        propositions.iter().find(|(_, expr)| reads_choices(system, &Edits::none(), [*expr]))
    {
        return Err(Rejection::Unsupported(format!("the proposition {name} reads inputs")));
    }
    meaning::check_atoms(system, &Edits::none(), &exprs)?;
    let explored = explore(system, &Edits::none(), &exprs, limits, budget)?;
    let names = propositions.iter().map(|(name, _)| name.clone()).collect();
    labelled(system, names, &exprs, explored)
}

/// The states that are some, with their labels.
fn labelled(
    system: &System,
    propositions: Vec<String>,
    exprs: &[ExprId],
    explored: Explored,
) -> Result<StateList, Rejection> {
    let mut builder = GraphBuilder::new(propositions);
    let mut names = Names::default();
    let (sorts, mut states) = (state_sorts(system), Vec::with_capacity(explored.states.len()));
    let mut number: Vec<Option<u32>> = Vec::with_capacity(explored.states.len());
    for (position, state) in explored.states.into_iter().enumerate() {
        if !explored.exists[position] {
            number.push(None);
            continue;
        }
        let name = system.state_name(&state_values(&sorts, &state)?);
        let added = builder.add_state(names.unique(&name), Label::False);
        states.push(state);
        for (proposition, expr) in (0..).zip(exprs) {
            builder.set_label(added, proposition, Label::of(explored.atoms[expr][position]));
        }
        if position < explored.initial {
            builder.set_initial(added);
        }
        number.push(Some(added));
    }
    for edge in &explored.edges {
        if let (Some(from), Some(to)) = (number[edge.from as usize], number[edge.to as usize]) {
            builder.add_transition(from, to);
        }
    }
    Ok(StateList { graph: builder.finish(), states: StateValues { sorts, states } })
}

/// Makes names of states, all different.
#[derive(Default)]
struct Names {
    used: FxHashSet<String>,
    /// How many states had a name before it got a number.
    repeated: FxHashMap<String, u32>,
}

impl Names {
    /// The name, with a number where another state is called that.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while !self.used.insert(unique.clone()) {
            let count = self.repeated.entry(name.to_owned()).or_insert(1);
            *count += 1;
            unique = format!("{name} ({count})");
        }
        unique
    }
}
