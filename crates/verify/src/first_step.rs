//! Initial states that depend on inputs, such as `initial assume (reset)`.
//!
//! Engines that look for sets of states (IC3, interpolation, simple paths) cannot say "this state is an initial one, but only with these inputs". So the inputs that the
//! first step depends on become states for them, which start anywhere and go anywhere ([`System::make_state`]): that has the same runs, and what is initial is
//! said of states alone. Signals keep their numbers. A lemma that is found so may read such an input; lemmas of invariants may, and the checker
//! accepts them on the system as written. In a run the values go back to where inputs are.

use propcov_ir::{
    ConstraintKind, ExprId, Node, SignalId, SignalKind, Sort, Step, System, Trace, Value, Verdict,
};
use rustc_hash::FxHashSet;

/// A system in which no input decides what is initial.
#[derive(Debug)]
pub struct FirstStep {
    /// The system in which they are states.
    pub system: System,
    /// The inputs and states of the system as written.
    inputs: Vec<SignalId>,
    states: Vec<SignalId>,
}

impl FirstStep {
    /// The system, if the first step depends on inputs, and all values are finite.
    pub fn of(system: &System) -> Option<FirstStep> {
        let chosen = initial_inputs(system);
        let is_finite = |sort: &Sort| !matches!(sort, Sort::Int | Sort::Real);
        if chosen.is_empty() || !system.signals().iter().all(|signal| is_finite(&signal.sort)) {
            return None;
        }
        let (inputs, states) = (system.inputs().to_vec(), system.states().to_vec());
        let mut system = system.clone();
        for input in inputs.iter().filter(|input| chosen.contains(input)) {
            system.make_state(*input);
        }
        Some(FirstStep { system, inputs, states })
    }

    /// What an engine says of this system, said of the one as written.
    pub fn as_written(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Falsified(trace) => Verdict::Falsified(self.run(&trace)),
            verdict => verdict,
        }
    }

    /// A run of this system as one of the system as written.
    pub fn run(&self, trace: &Trace) -> Trace {
        Trace { steps: trace.steps.iter().map(|step| self.step(step)).collect() }
    }

    fn step(&self, step: &Step) -> Step {
        let value = |signal: &SignalId| -> Option<Value> {
            let among = |signals: &[SignalId], values: &[Value]| {
                values.get(signals.iter().position(|other| other == signal)?).cloned()
            };
            among(self.system.inputs(), &step.inputs).or_else(|| among(self.system.states(), &step.states))
        };
        // A value that is missing makes the run one that the checker does not accept.
        let values = |signals: &[SignalId]| signals.iter().filter_map(value).collect();
        Step { inputs: values(&self.inputs), states: values(&self.states), free: step.free.clone() }
    }
}

/// The inputs that initial values and initial constraints depend on, through wires.
fn initial_inputs(system: &System) -> FxHashSet<SignalId> {
    let mut open: Vec<ExprId> = system
        .constraints()
        .iter()
        .filter(|constraint| constraint.kind == ConstraintKind::Initial)
        .map(|constraint| constraint.expr)
        .collect();
    open.extend(system.states().iter().filter_map(|state| match system.signal(*state).kind {
        SignalKind::State { init, .. } => init,
        _ => None,
    }));
    let (mut seen, mut found) = (FxHashSet::default(), FxHashSet::default());
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        open.extend(system.exprs.operands(expr));
        if let Node::Signal(signal) = system.exprs.node(expr) {
            match system.signal(*signal).kind {
                SignalKind::Input => {
                    found.insert(*signal);
                }
                SignalKind::Wire { definition } => open.push(definition),
                SignalKind::State { .. } => {}
            }
        }
    }
    found
}
