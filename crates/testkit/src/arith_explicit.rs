//! The explicit-state oracle for small systems with ints and reals: all runs, by the exact interpreter.
//!
//! Slower than [`Explicit`](crate::Explicit), and for few states only. What the edited system leaves open (inputs, freed wires, states without `init` or `next`) is enumerated: Booleans, small words and enumerations
//! by their sort, ints by constraints of the form `low <= x`, `x <= high`, or conjunctions of these, which hold in every step (in the first step, for initial values). An int without such
//! bounds, or an open real, cannot be enumerated.
//!
//! A step in which a constraint is false is no step of any run, not even the last of one.

use crate::Outcome;
use crate::explicit::{bits_of, decode};
use dashu_int::IBig;
use propcov_ir::{
    BinaryOp, ConstraintId, ConstraintKind, Definition, Edits, ElementId, ExprId, Frame, Interpreter, Node,
    PropertyId, PropertyKind, SignalId, Site, Sort, Step, StepError, System, SystemError, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

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
        ArithExplicit::explore_edited(system, &Edits::none(), usize::MAX)
    }

    /// Explores a system under edits; gives up after about so many evaluations of a step.
    pub fn explore_edited(
        system: &System,
        edits: &Edits,
        work: usize,
    ) -> Result<ArithExplicit, ArithExploreError> {
        let interpreter = Interpreter::new(system, edits)?;
        let mut search = Search::new(system, edits, &interpreter, work)?;
        let first = search.first()?;
        search.explore(first)
    }

    /// As [`ArithExplicit::explore_edited`], and for each step up to `last`, whether each property fails in that very step of some run.
    pub fn explore_steps(
        system: &System,
        edits: &Edits,
        last: usize,
        work: usize,
    ) -> Result<(ArithExplicit, Vec<Vec<bool>>), ArithExploreError> {
        let interpreter = Interpreter::new(system, edits)?;
        let mut search = Search::new(system, edits, &interpreter, work)?;
        let first = search.first()?;
        let (mut layer, mut steps) = (first.clone(), Vec::with_capacity(last + 1));
        for depth in 0..=last {
            layer = search.expand(&layer, depth)?;
            steps.push(search.violations.iter().map(Option::is_some).collect());
            // Nothing is remembered from step to step: a state counts again when it is reached again.
            search.forget();
        }
        Ok((search.explore(first)?, steps))
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

/// Values of inputs, and of freed wires.
type Choice = (Vec<Value>, BTreeMap<ElementId, Value>);

/// What can happen in a state.
#[derive(Debug, Default)]
struct Moves {
    /// Whether some choice satisfies the constraints.
    is_allowed: bool,
    /// For each property, whether some choice violates it.
    violated: Vec<bool>,
    successors: FxHashSet<Vec<Value>>,
}

struct Search<'s> {
    system: &'s System,
    edits: &'s Edits,
    interpreter: &'s Interpreter<'s>,
    /// All choices within a step.
    choices: Vec<Choice>,
    /// How many steps may still be evaluated.
    work: usize,
    /// All values of open successors, once they are needed.
    open: FxHashMap<SignalId, Vec<Value>>,
    /// What happens in states after the first step.
    known: FxHashMap<Vec<Value>, Rc<Moves>>,
    has_transition_constraints: bool,
    queued: FxHashSet<Vec<Value>>,
    reached: FxHashSet<Vec<Value>>,
    violations: Vec<Option<usize>>,
    diameter: usize,
}

impl<'s> Search<'s> {
    fn new(
        system: &'s System,
        edits: &'s Edits,
        interpreter: &'s Interpreter<'s>,
        work: usize,
    ) -> Result<Search<'s>, ArithExploreError> {
        let inputs = system.inputs().len();
        let freed = interpreter.free_wires();
        let open: Vec<SignalId> =
            system.inputs().iter().copied().chain(freed.iter().map(|(_, wire)| *wire)).collect();
        let choice = |mut values: Vec<Value>| {
            let freed = freed.iter().map(|(element, _)| *element).zip(values.split_off(inputs)).collect();
            (values, freed)
        };
        Ok(Search {
            system,
            edits,
            interpreter,
            choices: combinations(system, edits, &open, false)?.into_iter().map(choice).collect(),
            work,
            open: FxHashMap::default(),
            known: FxHashMap::default(),
            has_transition_constraints: system
                .constraints()
                .iter()
                .any(|constraint| constraint.kind == ConstraintKind::Transition),
            queued: FxHashSet::default(),
            reached: FxHashSet::default(),
            violations: vec![None; system.properties().len()],
            diameter: 0,
        })
    }

    /// Candidates for the first state; whether they are initial depends on the inputs too.
    fn first(&mut self) -> Result<Vec<Vec<Value>>, ArithExploreError> {
        let system = self.system;
        let is_free =
            |state: &&SignalId| system.definition(self.edits, Site::Init(**state)) == Definition::Open;
        let free: Vec<SignalId> = system.states().iter().filter(is_free).copied().collect();
        let mut first = FxHashSet::default();
        let starts = combinations(system, self.edits, &free, true)?;
        self.spend(starts.len().saturating_mul(self.choices.len()))?;
        for values in starts {
            for (inputs, freed) in &self.choices {
                let zero = |state: &SignalId| match free.iter().position(|other| other == state) {
                    Some(at) => values[at].clone(),
                    None => Value::zero(&system.signal(*state).sort),
                };
                let states = system.states().iter().map(zero).collect();
                let mut step = Step { inputs: inputs.clone(), states, free: freed.clone() };
                self.interpreter.start(&mut step, |_| true)?;
                first.insert(step.states);
            }
        }
        Ok(first.into_iter().collect())
    }

    /// Evaluates each state under all choices and gives what follows for the first time.
    fn expand(&mut self, layer: &[Vec<Value>], depth: usize) -> Result<Vec<Vec<Value>>, ArithExploreError> {
        let mut following = Vec::new();
        for states in layer {
            let moves = self.moves(states, depth == 0)?;
            if moves.is_allowed && self.reached.insert(states.clone()) {
                self.diameter = depth;
            }
            for (first, violated) in self.violations.iter_mut().zip(&moves.violated) {
                if *violated && first.is_none() {
                    *first = Some(depth);
                }
            }
            for next in &moves.successors {
                if !self.queued.contains(next) {
                    self.queued.insert(next.clone());
                    following.push(next.clone());
                }
            }
            if self.queued.len() > STATES {
                return Err(ArithExploreError::TooLarge);
            }
        }
        Ok(following)
    }

    /// What can happen in a state, in the first step or later.
    fn moves(&mut self, states: &[Value], first: bool) -> Result<Rc<Moves>, ArithExploreError> {
        if let Some(moves) = self.known.get(states).filter(|_| !first) {
            return Ok(Rc::clone(moves));
        }
        let mut moves = Moves { violated: vec![false; self.violations.len()], ..Moves::default() };
        let mut asked_before = FxHashSet::default();
        self.spend(self.choices.len())?;
        for (inputs, free) in self.choices.clone() {
            let step = Step { inputs, states: states.to_vec(), free };
            let mut frame = self.interpreter.frame(&step)?;
            if frame.violated_constraint(ConstraintKind::Always)?.is_some()
                || first && !is_initial(&mut frame, states)?
            {
                continue;
            }
            moves.is_allowed = true;
            for (property, violated) in self.system.properties().iter().zip(&mut moves.violated) {
                if let PropertyKind::Invariant(expr) = property.kind
                    && !*violated
                {
                    *violated = frame.value(expr)? == Value::bool(false);
                }
            }
            let asked = frame.successor_values()?;
            if !self.has_transition_constraints && !asked_before.insert(asked.clone()) {
                continue;
            }
            let successors = self.successors(&asked)?;
            self.spend(successors.len() / 8)?;
            for next in successors {
                if self.has_transition_constraints {
                    frame.set_next(&next)?;
                    if frame.violated_constraint(ConstraintKind::Transition)?.is_some() {
                        continue;
                    }
                }
                moves.successors.insert(next);
            }
        }
        let moves = Rc::new(moves);
        if !first {
            self.known.insert(states.to_vec(), Rc::clone(&moves));
        }
        Ok(moves)
    }

    fn explore(mut self, first: Vec<Vec<Value>>) -> Result<ArithExplicit, ArithExploreError> {
        let (mut layer, mut depth) = (first, 0);
        while !layer.is_empty() {
            layer = self.expand(&layer, depth)?;
            depth += 1;
        }
        Ok(ArithExplicit {
            reachable: self.reached.len(),
            diameter: self.diameter,
            violations: self.violations,
        })
    }

    /// Forgets what was reached, but not what can happen there.
    fn forget(&mut self) {
        self.queued.clear();
        self.reached.clear();
        self.violations.fill(None);
    }

    fn spend(&mut self, steps: usize) -> Result<(), ArithExploreError> {
        self.work = self.work.checked_sub(steps).ok_or(ArithExploreError::TooLarge)?;
        Ok(())
    }

    /// All states with the values asked for.
    fn successors(&mut self, asked: &[Option<Value>]) -> Result<Vec<Vec<Value>>, ArithExploreError> {
        let mut all = vec![Vec::new()];
        for (state, value) in self.system.states().iter().zip(asked) {
            let values = match value {
                Some(value) => std::slice::from_ref(value),
                None => {
                    if !self.open.contains_key(state) {
                        self.open.insert(*state, values_of(self.system, self.edits, *state, false)?);
                    }
                    self.open[state].as_slice()
                }
            };
            all = extended(&all, values)?;
        }
        Ok(all)
    }
}

/// Whether a step with these states is a first step.
fn is_initial(frame: &mut Frame<'_>, states: &[Value]) -> Result<bool, ArithExploreError> {
    let asked = frame.initial_values()?;
    let differs = |(asked, is): (&Option<Value>, &Value)| asked.as_ref().is_some_and(|asked| asked != is);
    Ok(!asked.iter().zip(states).any(differs)
        && frame.violated_constraint(ConstraintKind::Initial)?.is_none())
}

/// All combinations of values of some signals.
pub(crate) fn combinations(
    system: &System,
    edits: &Edits,
    signals: &[SignalId],
    initial: bool,
) -> Result<Vec<Vec<Value>>, ArithExploreError> {
    let mut all = vec![Vec::new()];
    for signal in signals {
        all = extended(&all, &values_of(system, edits, *signal, initial)?)?;
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
pub(crate) fn values_of(
    system: &System,
    edits: &Edits,
    signal: SignalId,
    initial: bool,
) -> Result<Vec<Value>, ArithExploreError> {
    let unbounded = || ArithExploreError::Unbounded(system.signal(signal).name.clone());
    match &system.signal(signal).sort {
        Sort::Int => {
            let (low, high) = bounds(system, edits, signal, initial);
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
fn bounds(system: &System, edits: &Edits, signal: SignalId, initial: bool) -> (Option<IBig>, Option<IBig>) {
    let applies =
        |kind: ConstraintKind| kind == ConstraintKind::Always || initial && kind == ConstraintKind::Initial;
    let constraints = system.constraints().iter().enumerate();
    let kept = |index: usize| match system.definition(edits, Site::Constraint(ConstraintId(index as u32))) {
        Definition::Expr(expr) => Some(expr),
        _ => None,
    };
    let mut open: Vec<ExprId> = constraints
        .filter(|(_, constraint)| applies(constraint.kind))
        .filter_map(|(index, _)| kept(index))
        .collect();
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
        let (a, b) = (system.exprs.node(a), system.exprs.node(b));
        let ((Node::Signal(read), Node::Const(bound)) | (Node::Const(bound), Node::Signal(read))) = (a, b)
        else {
            continue;
        };
        let Value::Int(bound) = bound.as_ref() else { continue };
        if *read != signal {
            continue;
        }
        if matches!(a, Node::Signal(_)) {
            high = Some(high.map_or(bound.clone(), |other| other.min(bound.clone())));
        } else {
            low = Some(low.map_or(bound.clone(), |other| other.max(bound.clone())));
        }
    }
    (low, high)
}
