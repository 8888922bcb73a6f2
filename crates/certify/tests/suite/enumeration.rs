//! What it means for a claim to be inductive, by enumeration of all steps of a small system.

use crate::systems::values;
use propcov_ir::{
    ConstraintKind, Edits, ExprId, Interpreter, Node, SignalId, SignalKind, Step, System, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// All steps of a small system, and how they follow each other.
pub(crate) struct Explicit {
    pub(crate) steps: Vec<Step>,
    pub(crate) initial: Vec<bool>,
    /// Positions of the steps that may follow.
    pub(crate) successors: Vec<Vec<usize>>,
    /// Values of the conditions asked for, by step.
    pub(crate) conditions: Vec<Vec<bool>>,
}

impl Explicit {
    /// `None` when there are more steps than the limit.
    pub(crate) fn new(
        system: &System,
        edits: &Edits,
        conditions: &[ExprId],
        limit: usize,
    ) -> Option<Explicit> {
        let interpreter = Interpreter::new(system, edits).expect("a system without loops");
        let free = interpreter.free_wires();
        let sort = |signal: &SignalId| system.signal(*signal).sort.clone();
        let choices: Vec<Vec<Value>> = (system.inputs().iter())
            .chain(system.states())
            .chain(free.iter().map(|(_, wire)| wire))
            .map(|signal| values(&sort(signal)))
            .collect();
        if choices.iter().map(Vec::len).product::<usize>() > limit {
            return None;
        }
        let mut rows = vec![Vec::new()];
        for column in &choices {
            let extend = |row: &Vec<Value>| {
                column.iter().map(|v| [row.clone(), vec![v.clone()]].concat()).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(extend).collect();
        }
        let (inputs, states) = (system.inputs().len(), system.states().len());
        let mut explicit =
            Explicit { steps: vec![], initial: vec![], successors: vec![], conditions: vec![] };
        for row in rows {
            let step = Step {
                inputs: row[..inputs].to_vec(),
                states: row[inputs..inputs + states].to_vec(),
                free: free
                    .iter()
                    .map(|(element, _)| *element)
                    .zip(row[inputs + states..].iter().cloned())
                    .collect(),
            };
            let mut frame = interpreter.frame(&step).expect("values fit");
            if frame.violated_constraint(ConstraintKind::Always).expect("evaluates").is_some() {
                continue;
            }
            let starts = frame.initial_values().expect("evaluates");
            let initial = starts
                .iter()
                .zip(&step.states)
                .all(|(init, now)| init.as_ref().is_none_or(|init| init == now))
                && frame.violated_constraint(ConstraintKind::Initial).expect("evaluates").is_none();
            let condition =
                |expr: &ExprId| frame.value(*expr).expect("evaluates").as_bool().expect("a Boolean");
            explicit.conditions.push(conditions.iter().map(condition).collect());
            explicit.initial.push(initial);
            explicit.steps.push(step);
        }
        let mut by_states: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (position, step) in explicit.steps.iter().enumerate() {
            by_states.entry(format!("{:?}", canonical(&step.states))).or_default().push(position);
        }
        let transitions = system.constraints().iter().any(|c| c.kind == ConstraintKind::Transition);
        for step in &explicit.steps {
            let mut successors = Vec::new();
            let mut frame = interpreter.frame(step).expect("values fit");
            let nexts = frame.successor_values().expect("evaluates");
            for group in by_states.values() {
                let states = &explicit.steps[group[0]].states;
                let mut pairs = nexts.iter().zip(states);
                if !pairs.all(|(next, state)| next.as_ref().is_none_or(|next| next == state)) {
                    continue;
                }
                let allowed = !transitions || {
                    frame.set_next(states).expect("values fit");
                    frame.violated_constraint(ConstraintKind::Transition).expect("evaluates").is_none()
                };
                if allowed {
                    successors.extend(group);
                }
            }
            explicit.successors.push(successors);
        }
        Some(explicit)
    }

    /// The steps that some run reaches.
    pub(crate) fn reachable(&self) -> Vec<bool> {
        let mut reached = self.initial.clone();
        let mut open: Vec<usize> = (0..self.steps.len()).filter(|step| reached[*step]).collect();
        while let Some(step) = open.pop() {
            for &next in &self.successors[step] {
                if !std::mem::replace(&mut reached[next], true) {
                    open.push(next);
                }
            }
        }
        reached
    }

    fn holds(&self, step: usize) -> bool {
        self.conditions[step].iter().all(|condition| *condition)
    }

    /// Whether the conjunction of all conditions holds in each of the first `steps` steps of every run.
    pub(crate) fn initiation(&self, steps: u32) -> bool {
        let mut layer: BTreeSet<usize> = (0..self.steps.len()).filter(|step| self.initial[*step]).collect();
        for _ in 0..steps {
            if !layer.iter().all(|step| self.holds(*step)) {
                return false;
            }
            layer = layer.iter().flat_map(|step| self.successors[*step].iter().copied()).collect();
        }
        true
    }

    /// Whether the conjunction of all conditions holds after any k steps in which it held; with `compared`, only if all
    /// k + 1 steps pairwise differ in one of these states (positions among the states).
    pub(crate) fn consecution(&self, k: u32, compared: Option<&[usize]>) -> bool {
        (0..self.steps.len()).all(|step| self.no_violation_after(&mut vec![step], k, compared))
    }

    fn no_violation_after(&self, path: &mut Vec<usize>, k: u32, compared: Option<&[usize]>) -> bool {
        let last = path[path.len() - 1];
        let same = |a: usize, b: usize, compared: &[usize]| {
            compared.iter().all(|state| self.steps[a].states[*state] == self.steps[b].states[*state])
        };
        if let Some(compared) = compared
            && path[..path.len() - 1].iter().any(|earlier| same(*earlier, last, compared))
        {
            return true;
        }
        if path.len() as u32 == k + 1 {
            return self.holds(last);
        }
        if !self.holds(last) {
            return true;
        }
        for &next in &self.successors[last] {
            path.push(next);
            let fine = self.no_violation_after(path, k, compared);
            path.pop();
            if !fine {
                return false;
            }
        }
        true
    }
}

/// The same values, written so that equal arrays print alike.
fn canonical(row: &[Value]) -> Vec<String> {
    fn print(value: &Value) -> String {
        match value {
            Value::Array(array) => {
                let stored = values(&array.sort().index)
                    .iter()
                    .map(|index| print(array.read(index)))
                    .collect::<Vec<_>>();
                format!("[{}]", stored.join(" "))
            }
            other => other.to_string(),
        }
    }
    row.iter().map(print).collect()
}

/// The positions of the states that simple paths compare, from their description: of the system with the edits written
/// into it, the states on which the conditions or constraints depend, and whose next value something restricts.
pub(crate) fn compared_states(system: &System, edits: &Edits, conditions: &[ExprId]) -> Vec<usize> {
    let system = system.edited(edits);
    let reads = |expr: ExprId| {
        let (mut signals, mut nexts, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![expr]);
        while let Some(expr) = open.pop() {
            match *system.exprs.node(expr) {
                Node::Signal(signal) => _ = signals.insert(signal),
                Node::Next(signal) => _ = nexts.insert(signal),
                _ => open.extend(system.exprs.operands(expr)),
            }
        }
        (signals, nexts)
    };
    let constraint = |id: usize| &system.constraints()[id];
    let of_kind = |kind| (0..system.constraints().len()).filter(move |id| constraint(*id).kind == kind);
    let mut roots = conditions.to_vec();
    roots.extend(of_kind(ConstraintKind::Always).map(|id| constraint(id).expr));
    roots.extend(of_kind(ConstraintKind::Transition).map(|id| constraint(id).expr));
    let mut cone: BTreeSet<SignalId> = BTreeSet::new();
    for root in roots {
        let (signals, nexts) = reads(root);
        cone.extend(signals);
        cone.extend(nexts);
    }
    loop {
        let mut grown = cone.clone();
        for signal in &cone {
            match system.signal(*signal).kind {
                SignalKind::Wire { definition } => grown.extend(reads(definition).0),
                SignalKind::State { next: Some(next), .. } => grown.extend(reads(next).0),
                _ => {}
            }
        }
        if grown == cone {
            break;
        }
        cone = grown;
    }
    let mut restricted: BTreeSet<SignalId> =
        of_kind(ConstraintKind::Transition).flat_map(|id| reads(constraint(id).expr).1).collect();
    for state in system.states() {
        if matches!(system.signal(*state).kind, SignalKind::State { next: Some(_), .. }) {
            restricted.insert(*state);
        }
    }
    let states = system.states();
    (0..states.len()).filter(|at| cone.contains(&states[*at]) && restricted.contains(&states[*at])).collect()
}
