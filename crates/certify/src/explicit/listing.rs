//! A system as a labelled graph: all its reachable states, listed.
//!
//! This is the Kripke structure that CTL speaks of, with the truth of some propositions for labels, and names by which people know the states.
//! States come from the SAT solver, as everywhere in this folder. Simulation knows no fairness, so it is left out here. A state without
//! successor stays one: whether that is an error is for the caller to say.

use super::coverage::state_values;
use super::explore::explore;
use super::{ExplicitLimits, Explored};
use crate::cone::reads_choices;
use crate::{Rejection, meaning};
use propcov_ir::{Edits, ExprId, Graph, GraphBuilder, Label, SignalId, SignalKind, System, Value};
use propcov_sat::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

/// Words of more bits than this are hexadecimal.
const DECIMAL: u32 = 16;

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
    system.validate().map_err(|error| Rejection::Malformed(error.to_string()))?;
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
    labelled(system, names, &exprs, &explored)
}

/// The states that are some, with their labels.
fn labelled(
    system: &System,
    propositions: Vec<String>,
    exprs: &[ExprId],
    explored: &Explored,
) -> Result<Graph, Rejection> {
    let mut builder = GraphBuilder::new(propositions);
    let mut names = Names::new(system);
    let mut number: Vec<Option<u32>> = Vec::with_capacity(explored.states.len());
    for (position, state) in explored.states.iter().enumerate() {
        if !explored.exists[position] {
            number.push(None);
            continue;
        }
        let added = builder.add_state(names.of(&state_values(system, state)?), Label::False);
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
    Ok(builder.finish())
}

/// Makes names of states, all different.
struct Names<'s> {
    /// The state signals that the user wrote, by position.
    known: Vec<(usize, &'s str)>,
    used: FxHashSet<String>,
    /// How many states had a name before it got a number.
    repeated: FxHashMap<String, u32>,
}

impl<'s> Names<'s> {
    fn new(system: &'s System) -> Names<'s> {
        let known = system.states().iter().enumerate().filter(|(_, signal)| is_known(system, **signal));
        let known = known.map(|(position, signal)| (position, system.signal(*signal).name.as_str()));
        Names { known: known.collect(), used: FxHashSet::default(), repeated: FxHashMap::default() }
    }

    /// `state=busy, full=TRUE`, with a number where another state is called that.
    fn of(&mut self, values: &[Value]) -> String {
        let written = self.known.iter().map(|(at, name)| format!("{name}={}", written(&values[*at])));
        let name = written.collect::<Vec<_>>().join(", ");
        let name = if name.is_empty() { "state".to_owned() } else { name };
        let mut unique = name.clone();
        while !self.used.insert(unique.clone()) {
            let count = self.repeated.entry(name.clone()).or_insert(1);
            *count += 1;
            unique = format!("{name} ({count})");
        }
        unique
    }
}

/// Whether this is not a state that the front end of Lustre made: for `pre`, or for `->`.
fn is_known(system: &System, signal: SignalId) -> bool {
    let signal = system.signal(signal);
    match signal.kind {
        SignalKind::State { init: None, .. } => !signal.name.starts_with("pre "),
        _ => signal.name != "%first",
    }
}

/// A value as SMV has it. Wide words are hexadecimal, as in the lists of uncovered states.
fn written(value: &Value) -> String {
    match value {
        Value::Bits(bits) if bits.width() == 1 => if bits.is_nonzero() { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Bits(bits) if bits.width() <= DECIMAL => bits.unsigned().to_string(),
        Value::Bits(bits) => format!("{:#x}", bits.unsigned()),
        Value::Array(array) => {
            let elements =
                array.elements().map(|(index, value)| format!("{}: {}", written(index), written(value)));
            let rest = format!("else: {}", written(array.default_value()));
            format!("[{}]", elements.chain([rest]).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
