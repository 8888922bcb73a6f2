//! The explicit-state oracle for small systems with ints and reals: all runs, by the exact interpreter.
//!
//! Slower than [`Explicit`](crate::Explicit), and for few states only. What the system leaves open (inputs, states without `init` or `next`) is enumerated: Booleans, small words and enumerations
//! by their sort, ints by constraints of the form `low <= x`, `x <= high`, or conjunctions of these, which hold in every step (in the first step, for initial values). An int without such
//! bounds, or an open real, cannot be enumerated.
//!
//! A step in which a constraint is false is no step of any run, not even the last of one.

use crate::Outcome;
use crate::explicit::{bits_of, decode};
use dashu_int::IBig;
use propcov_ir::{
    BinaryOp, ConstraintKind, Edits, ExprId, Interpreter, Node, PropertyId, PropertyKind, SignalId,
    SignalKind, Sort, Step, StepError, System, SystemError, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt;

/// How much is enumerated at most.
const STATES: usize = 3000;
/// Values of what is open in one step.
const CHOICES: usize = 4096;

/// Why a system cannot be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArithExploreError {
    /// This signal is open, and nothing gives it bounds.
    Unbounded(String),
    /// There are too many states, or too many choices in a step.
    TooLarge,
    /// It has no meaning.
    System(SystemError),
    /// A step cannot be evaluated.
    Step(StepError),
}

impl fmt::Display for ArithExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArithExploreError::Unbounded(name) => write!(f, "{name} has no bounds"),
            ArithExploreError::TooLarge => write!(f, "too much to enumerate"),
            ArithExploreError::System(error) => write!(f, "{error}"),
            ArithExploreError::Step(error) => write!(f, "{error}"),
        }
    }
}

impl From<SystemError> for ArithExploreError {
    fn from(error: SystemError) -> ArithExploreError {
        ArithExploreError::System(error)
    }
}

impl From<StepError> for ArithExploreError {
    fn from(error: StepError) -> ArithExploreError {
        ArithExploreError::Step(error)
    }
}

/// All reachable states of a system, and how soon each invariant fails.
#[derive(Clone, Debug)]
pub struct ArithExplicit {
    reachable: usize,
    diameter: usize,
    violations: Vec<Option<usize>>,
}

impl ArithExplicit {
    /// Explores a system.
    pub fn explore(system: &System) -> Result<ArithExplicit, ArithExploreError> {
        let edits = Edits::none();
        let interpreter = Interpreter::new(system, &edits)?;
        let inputs = combinations(system, system.inputs(), false)?;
        let mut search = Search {
            system,
            interpreter: &interpreter,
            inputs,
            open: FxHashMap::default(),
            queued: FxHashSet::default(),
            reached: FxHashSet::default(),
            violations: vec![None; system.properties().len()],
            diameter: 0,
        };
        let mut layer = search.first()?;
        let mut depth = 0;
        while !layer.is_empty() {
            layer = search.expand(&layer, depth)?;
            depth += 1;
        }
        Ok(ArithExplicit {
            reachable: search.reached.len(),
            diameter: search.diameter,
            violations: search.violations,
        })
    }

    /// What holds about an invariant.
    pub fn outcome(&self, property: PropertyId) -> Outcome {
        match self.violations[property.0 as usize] {
            Some(depth) => Outcome::Violated { depth },
            None => Outcome::Holds { reachable: self.reachable, diameter: self.diameter },
        }
    }

    /// Whether there is any run at all: some first step satisfies the constraints.
    pub fn assumptions_consistent(&self) -> bool {
        self.reachable > 0
    }

    /// How many states occur in runs.
    pub fn reachable(&self) -> usize {
        self.reachable
    }
}

struct Search<'s> {
    system: &'s System,
    interpreter: &'s Interpreter<'s>,
    inputs: Vec<Vec<Value>>,
    /// All values of open successors, once they are needed.
    open: FxHashMap<SignalId, Vec<Value>>,
    queued: FxHashSet<Vec<Value>>,
    reached: FxHashSet<Vec<Value>>,
    violations: Vec<Option<usize>>,
    diameter: usize,
}

impl Search<'_> {
    /// Candidates for the first state; whether they are initial depends on the inputs too.
    fn first(&mut self) -> Result<Vec<Vec<Value>>, ArithExploreError> {
        let system = self.system;
        let free = system
            .states()
            .iter()
            .filter(|state| matches!(system.signal(**state).kind, SignalKind::State { init: None, .. }));
        let free: Vec<SignalId> = free.copied().collect();
        let mut first = FxHashSet::default();
        for values in combinations(system, &free, true)? {
            for inputs in &self.inputs {
                let zero = |state: &SignalId| match free.iter().position(|other| other == state) {
                    Some(at) => values[at].clone(),
                    None => Value::zero(&system.signal(*state).sort),
                };
                let states = system.states().iter().map(zero).collect();
                let mut step = Step { inputs: inputs.clone(), states, free: BTreeMap::new() };
                self.interpreter.start(&mut step, |_| true)?;
                first.insert(step.states);
            }
        }
        Ok(first.into_iter().collect())
    }

    /// Evaluates each state under all inputs and gives what follows for the first time.
    fn expand(&mut self, layer: &[Vec<Value>], depth: usize) -> Result<Vec<Vec<Value>>, ArithExploreError> {
        let mut following = Vec::new();
        for states in layer {
            for inputs in self.inputs.clone() {
                let step = Step { inputs, states: states.clone(), free: BTreeMap::new() };
                let mut frame = self.interpreter.frame(&step)?;
                if frame.violated_constraint(ConstraintKind::Always)?.is_some() {
                    continue;
                }
                if depth == 0 {
                    let initial = frame.initial_values()?;
                    let differs = |(asked, is): (&Option<Value>, &Value)| {
                        asked.as_ref().is_some_and(|asked| asked != is)
                    };
                    if initial.iter().zip(states).any(differs)
                        || frame.violated_constraint(ConstraintKind::Initial)?.is_some()
                    {
                        continue;
                    }
                }
                if self.reached.insert(states.clone()) {
                    self.diameter = depth;
                }
                for (index, property) in self.system.properties().iter().enumerate() {
                    if let PropertyKind::Invariant(expr) = property.kind
                        && self.violations[index].is_none()
                        && frame.value(expr)? == Value::bool(false)
                    {
                        self.violations[index] = Some(depth);
                    }
                }
                let asked = frame.successor_values()?;
                for next in self.successors(&asked)? {
                    frame.set_next(&next)?;
                    if frame.violated_constraint(ConstraintKind::Transition)?.is_none()
                        && self.queued.insert(next.clone())
                    {
                        following.push(next);
                    }
                }
                if self.queued.len() > STATES {
                    return Err(ArithExploreError::TooLarge);
                }
            }
        }
        Ok(following)
    }

    /// All states with the values asked for.
    fn successors(&mut self, asked: &[Option<Value>]) -> Result<Vec<Vec<Value>>, ArithExploreError> {
        let mut all = vec![Vec::new()];
        for (state, value) in self.system.states().iter().zip(asked) {
            let values = match value {
                Some(value) => std::slice::from_ref(value),
                None => {
                    if !self.open.contains_key(state) {
                        self.open.insert(*state, values_of(self.system, *state, false)?);
                    }
                    self.open[state].as_slice()
                }
            };
            all = extended(&all, values)?;
        }
        Ok(all)
    }
}

/// All combinations of values of some signals.
fn combinations(
    system: &System,
    signals: &[SignalId],
    initial: bool,
) -> Result<Vec<Vec<Value>>, ArithExploreError> {
    let mut all = vec![Vec::new()];
    for signal in signals {
        all = extended(&all, &values_of(system, *signal, initial)?)?;
    }
    Ok(all)
}

fn extended(all: &[Vec<Value>], values: &[Value]) -> Result<Vec<Vec<Value>>, ArithExploreError> {
    if all.len() * values.len() > CHOICES {
        return Err(ArithExploreError::TooLarge);
    }
    let with = |start: &Vec<Value>| {
        let start = start.clone();
        values.iter().map(move |value| start.iter().cloned().chain([value.clone()]).collect())
    };
    Ok(all.iter().flat_map(with).collect())
}

/// The values that an open signal can have: by its sort, or by constraints.
fn values_of(system: &System, signal: SignalId, initial: bool) -> Result<Vec<Value>, ArithExploreError> {
    let unbounded = || ArithExploreError::Unbounded(system.signal(signal).name.clone());
    match &system.signal(signal).sort {
        Sort::Int => {
            let (low, high) = bounds(system, signal, initial);
            let (low, high) = (low.ok_or_else(unbounded)?, high.ok_or_else(unbounded)?);
            let mut values = Vec::new();
            let mut value = low;
            while value <= high {
                if values.len() > CHOICES {
                    return Err(ArithExploreError::TooLarge);
                }
                values.push(Value::Int(value.clone()));
                value += IBig::ONE;
            }
            Ok(values)
        }
        Sort::Enum(sort) => {
            Ok((0..sort.variants.len() as u32).map(|position| Value::Enum(sort.clone(), position)).collect())
        }
        Sort::Real => Err(unbounded()),
        sort if bits_of(sort) <= 8 => {
            Ok((0..1 << bits_of(sort)).map(|code: usize| decode(sort, &mut { code })).collect())
        }
        _ => Err(ArithExploreError::TooLarge),
    }
}

/// The narrowest bounds that constraints give to an int.
fn bounds(system: &System, signal: SignalId, initial: bool) -> (Option<IBig>, Option<IBig>) {
    let applies =
        |kind: ConstraintKind| kind == ConstraintKind::Always || initial && kind == ConstraintKind::Initial;
    let constraints = system.constraints().iter().filter(|constraint| applies(constraint.kind));
    let mut open: Vec<ExprId> = constraints.map(|constraint| constraint.expr).collect();
    let (mut low, mut high): (Option<IBig>, Option<IBig>) = (None, None);
    while let Some(expr) = open.pop() {
        let (a, b) = match *system.exprs.node(expr) {
            Node::Binary(BinaryOp::And, a, b) => {
                open.extend([a, b]);
                continue;
            }
            Node::Binary(BinaryOp::Le, a, b) => (a, b),
            _ => continue,
        };
        match (system.exprs.node(a), system.exprs.node(b)) {
            (Node::Signal(read), Node::Const(Value::Int(bound))) if *read == signal => {
                high = Some(high.map_or(bound.clone(), |other| other.min(bound.clone())));
            }
            (Node::Const(Value::Int(bound)), Node::Signal(read)) if *read == signal => {
                low = Some(low.map_or(bound.clone(), |other| other.max(bound.clone())));
            }
            _ => {}
        }
    }
    (low, high)
}
