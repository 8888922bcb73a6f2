//! Runs of slices, replayed as far as they matter.
//!
//! A trace of a large system says much that the property does not depend on once most elements are freed. Here only those values are looked at that the
//! property reads in the last step, or a constraint in any step, or a definition that such a value has to agree with. Steps are visited from the last to the first: a state that is
//! read in a step must have the value that its `next` has in the step before, or its initial value in the first step.
//!
//! **Why that is enough.** Call a value *read* if it was looked at. Definitions of read values are evaluated, so they read only read values; all constraints are evaluated, and the property in the
//! last step. Build a run: read values stay what they are. All other states of the first step take their initial values, in an order in which none
//! is needed before it is known (initial values do not depend on each other in a circle), or any value where none is asked for; wires take the values of their definitions; the
//! states of the next step follow, and so on. No read value depends on one that is not, so all read values agree with their definitions, all constraints hold, and the property fails at the end. The trace need not be that run, but there is one.

use crate::Rejection;
use crate::cone::constraints;
use propcov_ir::{
    ConstraintKind, Definition, Edits, ElementSet, EvaluationError, ExprId, Node, SignalId, SignalKind, Site,
    Step, System, Trace, Value, evaluate_binary, evaluate_ternary, evaluate_unary,
};

static AS_WRITTEN: Edits = Edits::none();

/// Replays traces of one system. Its tables are made once.
pub(super) struct Runs<'a> {
    system: &'a System,
    /// For each input and state, its place in a step.
    places: Vec<usize>,
    /// Values of expressions, each with the visit to a step in which it was computed.
    values: Vec<(u64, Option<Value>)>,
    visit: u64,
    /// States that were read in this step.
    read: Vec<SignalId>,
    /// States that were read as they are in the following step.
    read_next: Vec<SignalId>,
}

/// A step of a trace, and what is freed there.
#[derive(Clone, Copy)]
struct Moment<'t> {
    index: usize,
    step: &'t Step,
    next: Option<&'t Step>,
    freed: &'t ElementSet,
}

impl Moment<'_> {
    fn reject<T>(&self, why: impl std::fmt::Display) -> Result<T, Rejection> {
        Err(Rejection::Trace(format!("step {}: {why}", self.index)))
    }
}

impl<'a> Runs<'a> {
    /// For traces of a valid system.
    pub(super) fn new(system: &'a System) -> Runs<'a> {
        let mut places = vec![0; system.signals().len()];
        for signals in [system.inputs(), system.states()] {
            signals.iter().enumerate().for_each(|(place, signal)| places[signal.0 as usize] = place);
        }
        let values = vec![(0, None); system.exprs.len()];
        Runs { system, places, values, visit: 0, read: Vec::new(), read_next: Vec::new() }
    }

    /// Accepts that some run violates the property while these elements are freed.
    pub(super) fn check(
        &mut self,
        freed: &ElementSet,
        property: ExprId,
        trace: &Trace,
    ) -> Result<(), Rejection> {
        let mut following: Vec<SignalId> = Vec::new();
        for (index, step) in trace.steps.iter().enumerate().rev() {
            let moment = Moment { index, step, next: trace.steps.get(index + 1), freed };
            self.visit += 1;
            self.read.clear();
            self.read_next.clear();
            if moment.next.is_none() && self.value(moment, property)? != Value::bool(false) {
                return moment.reject("the trace ends here, but the property holds");
            }
            self.check_constraints(moment, ConstraintKind::Always)?;
            if let Some(next) = moment.next {
                self.check_constraints(moment, ConstraintKind::Transition)?;
                following.append(&mut self.read_next);
                for state in following.drain(..) {
                    self.check_state(moment, Site::Next(state), next)?;
                }
            }
            if index == 0 {
                self.check_first(moment)?;
            }
            following.append(&mut self.read);
        }
        if trace.steps.is_empty() { Err(Rejection::Trace("the trace is empty".to_owned())) } else { Ok(()) }
    }

    fn check_first(&mut self, first: Moment<'_>) -> Result<(), Rejection> {
        self.check_constraints(first, ConstraintKind::Initial)?;
        let mut checked = 0;
        while let Some(state) = self.read.get(checked).copied() {
            self.check_state(first, Site::Init(state), first.step)?;
            checked += 1;
        }
        Ok(())
    }

    fn check_constraints(&mut self, moment: Moment<'_>, kind: ConstraintKind) -> Result<(), Rejection> {
        for id in constraints(self.system, kind) {
            if let Some(expr) = self.definition(moment, Site::Constraint(id))
                && self.value(moment, expr)? != Value::bool(true)
            {
                let name = &self.system.constraints()[id.0 as usize].name;
                return moment.reject(format_args!("constraint {name} does not hold"));
            }
        }
        Ok(())
    }

    /// A state has, in a step, the value that its `init` or `next` asks for.
    fn check_state(&mut self, moment: Moment<'_>, site: Site, step: &Step) -> Result<(), Rejection> {
        let (Site::Init(state) | Site::Next(state)) = site else { return Ok(()) };
        let Some(expr) = self.definition(moment, site) else { return Ok(()) };
        let expected = self.value(moment, expr)?;
        match step.states.get(self.places[state.0 as usize]) {
            Some(found) if *found == expected => Ok(()),
            Some(found) => {
                let name = &self.system.signal(state).name;
                moment.reject(format_args!("{name} is {found}, but {expected} is what {site:?} says"))
            }
            None => moment.reject("too few states"),
        }
    }

    /// What a site says; `None` if it says nothing.
    fn definition(&self, moment: Moment<'_>, site: Site) -> Option<ExprId> {
        if self.system.element_at(site).is_some_and(|element| moment.freed.contains(element)) {
            return None;
        }
        match self.system.definition(&AS_WRITTEN, site) {
            Definition::Expr(expr) => Some(expr),
            // Nobody has edited anything: there are only definitions as they are written, or none.
            Definition::Open | Definition::Inverted(_) | Definition::Const(_) => None,
        }
    }

    /// The value of an expression. Iterative: depth is no limit. The system was validated, so it ends.
    fn value(&mut self, moment: Moment<'_>, root: ExprId) -> Result<Value, Rejection> {
        let mut open = vec![root];
        while let Some(&expr) = open.last() {
            if self.known(expr).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            let system = self.system;
            let defining = self.wire_definition(moment, expr);
            open.extend(
                system.exprs.operands(expr).chain(defining).filter(|operand| self.known(*operand).is_none()),
            );
            if open.len() == before {
                open.pop();
                let value = self.evaluate(moment, expr, defining)?;
                self.values[expr.0 as usize] = (self.visit, Some(value));
            }
        }
        match self.known(root) {
            Some(value) => Ok(value.clone()),
            None => moment.reject("an expression without a value"),
        }
    }

    fn known(&self, expr: ExprId) -> Option<&Value> {
        let (visit, value) = &self.values[expr.0 as usize];
        value.as_ref().filter(|_| *visit == self.visit)
    }

    /// The definition of the wire that the expression reads, if it does and there is one.
    fn wire_definition(&self, moment: Moment<'_>, expr: ExprId) -> Option<ExprId> {
        let Node::Signal(signal) = *self.system.exprs.node(expr) else { return None };
        match self.system.signal(signal).kind {
            SignalKind::Wire { .. } => self.definition(moment, Site::Wire(signal)),
            SignalKind::Input | SignalKind::State { .. } => None,
        }
    }

    /// The value of an expression whose operands, and the definition of the wire that it reads, are known.
    fn evaluate(
        &mut self,
        moment: Moment<'_>,
        expr: ExprId,
        defining: Option<ExprId>,
    ) -> Result<Value, Rejection> {
        let operand = |operand: ExprId| match self.known(operand) {
            Some(value) => Ok(value),
            None => moment.reject("an operand without a value"),
        };
        let fits = |value: Result<Value, EvaluationError>| value.or_else(|error| moment.reject(error));
        match self.system.exprs.node(expr) {
            Node::Const(value) => Ok(value.as_ref().clone()),
            Node::Unary(op, a) => fits(evaluate_unary(op, operand(*a)?)),
            Node::Binary(op, a, b) => fits(evaluate_binary(*op, operand(*a)?, operand(*b)?)),
            Node::Ternary(op, a, b, c) => {
                fits(evaluate_ternary(*op, operand(*a)?, operand(*b)?, operand(*c)?))
            }
            Node::Signal(signal) => match defining {
                Some(definition) => operand(definition).cloned(),
                None => self.chosen(moment, *signal),
            },
            Node::Next(state) => {
                self.read_next.push(*state);
                let place = self.places[state.0 as usize];
                let value = moment.next.and_then(|next| next.states.get(place));
                self.fitting(moment, *state, value)
            }
        }
    }

    /// The value that the trace gives to an input, a state or a freed wire.
    fn chosen(&mut self, moment: Moment<'_>, signal: SignalId) -> Result<Value, Rejection> {
        let place = self.places[signal.0 as usize];
        let value = match self.system.signal(signal).kind {
            SignalKind::Input => moment.step.inputs.get(place),
            SignalKind::State { .. } => {
                self.read.push(signal);
                moment.step.states.get(place)
            }
            SignalKind::Wire { .. } => {
                let element = self.system.element_at(Site::Wire(signal));
                element.and_then(|element| moment.step.free.get(&element))
            }
        };
        self.fitting(moment, signal, value)
    }

    fn fitting(
        &self,
        moment: Moment<'_>,
        signal: SignalId,
        value: Option<&Value>,
    ) -> Result<Value, Rejection> {
        let declared = self.system.signal(signal);
        match value {
            Some(value) if value.has_sort(&declared.sort) => Ok(value.clone()),
            Some(value) => moment.reject(format_args!("{value} is no value of {}", declared.name)),
            None => moment.reject(format_args!("no value for {}", declared.name)),
        }
    }
}
