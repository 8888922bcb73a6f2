//! Runs of which only ranges of values are known: what the [`Interpreter`](crate::Interpreter) is for values, this is for [`Range`]s.

use crate::ranges::{range_of_binary, range_of_ternary, range_of_unary};
use crate::{
    ConstraintKind, Definition, Edits, EvaluationError, ExprId, Node, Range, SignalId, SignalKind, Site,
    System, Trace,
};

/// A run with a range for each choice: for each input in each step, and for each state whose value nothing determines.
#[derive(Clone, Debug)]
pub struct RangedRun<'s> {
    system: &'s System,
    edits: Edits,
    steps: Vec<Frame>,
}

#[derive(Clone, Debug)]
struct Frame {
    /// By signal; `None`: defined by others.
    given: Vec<Option<Range>>,
    /// By signal, of states: what the next step begins with. Empty in the last step.
    next: Vec<Option<Range>>,
    /// By expression, as far as it was asked for.
    memo: Vec<Option<Range>>,
}

impl<'s> RangedRun<'s> {
    /// The run as it is: each range is one value.
    ///
    /// # Errors
    /// When an operator does not fit its operands.
    pub fn new(system: &'s System, trace: &Trace) -> Result<RangedRun<'s>, EvaluationError> {
        let mut run = RangedRun { system, edits: Edits::none(), steps: Vec::new() };
        for (number, step) in trace.steps.iter().enumerate() {
            let mut given = vec![None; system.signals().len()];
            let inputs = system.inputs().iter().zip(&step.inputs);
            let states = system.states().iter().zip(&step.states);
            let open = states.filter(|(state, _)| run.is_open(**state, number));
            for (signal, value) in inputs.chain(open) {
                given[signal.0 as usize] = Some(Range::One(value.clone()));
            }
            run.steps.push(Frame { given, next: Vec::new(), memo: Vec::new() });
        }
        run.follow(0)?;
        Ok(run)
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The choices of a step: inputs, and states that nothing determines.
    pub fn choices(&self, step: usize) -> Vec<SignalId> {
        let states = self.system.states().iter().filter(|state| self.is_open(**state, step));
        self.system.inputs().iter().chain(states).copied().collect()
    }

    /// The range of a choice.
    pub fn choice(&self, step: usize, signal: SignalId) -> Option<&Range> {
        self.steps.get(step)?.given.get(signal.0 as usize)?.as_ref()
    }

    /// Gives a choice another range, and finds out what follows from it.
    ///
    /// # Errors
    /// When an operator does not fit its operands.
    pub fn choose(&mut self, step: usize, signal: SignalId, range: Range) -> Result<(), EvaluationError> {
        if let Some(given) = self.steps.get_mut(step).and_then(|frame| frame.given.get_mut(signal.0 as usize))
        {
            *given = Some(range);
        }
        self.follow(step)
    }

    /// Whether an invariant is violated in the last step, and all constraints are met on the way, whatever the values in the ranges are.
    ///
    /// # Errors
    /// When an operator does not fit its operands.
    pub fn violates(&mut self, invariant: ExprId) -> Result<bool, EvaluationError> {
        let last = self.steps.len().saturating_sub(1);
        for step in 0..self.steps.len() {
            for at in 0..self.system.constraints().len() {
                let constraint = &self.system.constraints()[at];
                let applies = match constraint.kind {
                    ConstraintKind::Always => true,
                    ConstraintKind::Initial => step == 0,
                    ConstraintKind::Transition => step < last,
                };
                if applies && self.range(step, constraint.expr)?.truth() != Some(true) {
                    return Ok(false);
                }
            }
        }
        Ok(self.steps.len() > last && self.range(last, invariant)?.truth() == Some(false))
    }

    /// The range of a signal.
    ///
    /// # Errors
    /// When an operator does not fit its operands.
    pub fn signal(&mut self, step: usize, signal: SignalId) -> Result<Range, EvaluationError> {
        match self.definition(step, signal) {
            Some(expr) => self.range(step, expr),
            None => Ok(self.choice(step, signal).cloned().unwrap_or(Range::Any)),
        }
    }

    /// The range of an expression. Iterative: depth is no limit.
    ///
    /// # Errors
    /// When an operator does not fit its operands.
    pub fn range(&mut self, step: usize, root: ExprId) -> Result<Range, EvaluationError> {
        let system = self.system;
        if self.steps[step].memo.is_empty() {
            self.steps[step].memo = vec![None; system.exprs.len()];
        }
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            let memo = &self.steps[step].memo;
            if memo[expr.0 as usize].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let through = match system.exprs.node(expr) {
                Node::Signal(signal) => self.definition(step, *signal),
                _ => None,
            };
            let needed = system.exprs.operands(expr).chain(through);
            stack.extend(needed.filter(|needed| memo[needed.0 as usize].is_none()));
            if stack.len() == before {
                stack.pop();
                let range = self.node(step, expr)?;
                self.steps[step].memo[expr.0 as usize] = Some(range);
            }
        }
        Ok(self.steps[step].memo[root.0 as usize].clone().unwrap_or(Range::Any))
    }

    /// The range of an expression whose operands are known.
    fn node(&self, step: usize, expr: ExprId) -> Result<Range, EvaluationError> {
        let frame = &self.steps[step];
        let any = &Range::Any;
        let of = |expr: ExprId| frame.memo[expr.0 as usize].as_ref().unwrap_or(any);
        let listed = |ranges: &[Option<Range>], signal: SignalId| {
            ranges.get(signal.0 as usize).cloned().flatten().unwrap_or(Range::Any)
        };
        Ok(match self.system.exprs.node(expr) {
            Node::Signal(signal) => match self.definition(step, *signal) {
                Some(definition) => of(definition).clone(),
                None => listed(&frame.given, *signal),
            },
            Node::Next(signal) => listed(&frame.next, *signal),
            Node::Const(value) => Range::One(value.as_ref().clone()),
            Node::Unary(op, a) => range_of_unary(op, of(*a))?,
            Node::Binary(op, a, b) => range_of_binary(*op, of(*a), of(*b))?,
            Node::Ternary(op, a, b, c) => range_of_ternary(*op, of(*a), of(*b), of(*c))?,
        })
    }

    /// What determines a signal within a step: the definition of a wire, or in the first step the initial value of a state.
    fn definition(&self, step: usize, signal: SignalId) -> Option<ExprId> {
        let site = match self.system.signal(signal).kind {
            SignalKind::Wire { .. } => Site::Wire(signal),
            SignalKind::State { .. } if step == 0 => Site::Init(signal),
            SignalKind::State { .. } | SignalKind::Input => return None,
        };
        match self.system.definition(&self.edits, site) {
            Definition::Expr(expr) => Some(expr),
            _ => None,
        }
    }

    /// Whether nothing determines the value of a state in a step.
    fn is_open(&self, state: SignalId, step: usize) -> bool {
        let site = if step == 0 { Site::Init(state) } else { Site::Next(state) };
        self.system.definition(&self.edits, site) == Definition::Open
    }

    /// Finds out what the steps after this one begin with.
    fn follow(&mut self, from: usize) -> Result<(), EvaluationError> {
        for step in from..self.steps.len() {
            self.steps[step].memo.clear();
            if step + 1 == self.steps.len() {
                break;
            }
            let mut next = vec![None; self.system.signals().len()];
            for at in 0..self.system.states().len() {
                let state = self.system.states()[at];
                let range = match self.system.definition(&self.edits, Site::Next(state)) {
                    Definition::Expr(expr) => Some(self.range(step, expr)?),
                    _ => self.choice(step + 1, state).cloned(),
                };
                next[state.0 as usize].clone_from(&range);
                self.steps[step + 1].given[state.0 as usize] = range;
            }
            self.steps[step].next = next;
        }
        Ok(())
    }
}
