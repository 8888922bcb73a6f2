//! An exact interpreter: what a system does in one step, in the values that users see.
//!
//! It is the reference for everything faster, and what replays counterexamples; it shares no code with the encoders. The
//! overlay of edits is asked at each definition.

use crate::evaluate::{EvaluationError, evaluate_binary, evaluate_ternary, evaluate_unary};
use crate::{
    ConstraintId, ConstraintKind, Definition, Edit, Edits, ElementId, ExprId, Node, SignalId, Site, Step,
    System, SystemError, UnaryOp, Value,
};
use thiserror::Error;

/// Gives meaning to a system under edits.
#[derive(Clone, Debug)]
pub struct Interpreter<'s> {
    system: &'s System,
    edits: &'s Edits,
    /// The wires with a definition, each after those that it reads.
    wires: Vec<SignalId>,
    /// The freed wires, by element.
    free: Vec<(ElementId, SignalId)>,
}

/// One step of a run with the value of every signal. Values of expressions are kept, so each is computed once.
#[derive(Clone, Debug)]
pub struct Frame<'i> {
    interpreter: &'i Interpreter<'i>,
    signals: Vec<Option<Value>>,
    next: Vec<Option<Value>>,
    memo: Vec<Option<Value>>,
}

/// A step that lacks something, has too much, or holds values of the wrong sort.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StepError {
    /// Not one value for each input or state.
    #[error("{found} values for {expected} {what}")]
    Arity {
        /// `inputs` or `states`.
        what: &'static str,
        /// How many the system has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// A value that its signal cannot have.
    #[error("{value} is no value of {signal}")]
    Sort {
        /// The signal's name.
        signal: String,
        /// The value given.
        value: Value,
    },
    /// No value for a freed wire.
    #[error("no value for the freed {0}")]
    MissingChoice(String),
    /// A value for an element that is no freed wire.
    #[error("a value for {0}, which is no freed wire")]
    UnexpectedChoice(String),
    /// A signal or next-state value that is read before it is known.
    #[error("the value of {0} is not known here")]
    Unknown(String),
    /// An operator on operands that do not fit.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl<'s> Interpreter<'s> {
    /// An interpreter of the system under edits.
    ///
    /// # Errors
    /// When wires depend on each other in a loop.
    pub fn new(system: &'s System, edits: &'s Edits) -> Result<Interpreter<'s>, SystemError> {
        let wires = system.wire_order_under(edits)?;
        let free = edits.iter().filter_map(|(element, edit)| match (edit, system.element(element).site) {
            (Edit::Free, Site::Wire(wire)) => Some((element, wire)),
            _ => None,
        });
        Ok(Interpreter { system, edits, wires, free: free.collect() })
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The wires whose value is a choice in each step, because their definition was freed.
    pub fn free_wires(&self) -> &[(ElementId, SignalId)] {
        &self.free
    }

    pub(crate) fn definition(&self, site: Site) -> Definition<'_> {
        self.system.definition(self.edits, site)
    }

    /// Gives those states that are `chosen`, by position, their initial values in a first step; those without one keep what they have. Initial
    /// values may refer to each other, but not in a circle ([`System::validate`]), so this comes to rest.
    ///
    /// # Errors
    /// When a value does not fit.
    pub fn start(&self, step: &mut Step, chosen: impl Fn(usize) -> bool) -> Result<(), StepError> {
        for _ in 0..=step.states.len() {
            let mut changed = false;
            for (at, value) in self.frame(step)?.initial_values()?.into_iter().enumerate() {
                if let Some(value) = value
                    && chosen(at)
                    && step.states[at] != value
                {
                    step.states[at] = value;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// The step with the values of all wires.
    pub fn frame<'i>(&'i self, step: &Step) -> Result<Frame<'i>, StepError> {
        let mut frame = self.bare_frame(step)?;
        for &wire in &self.wires {
            let value = frame.definition(Site::Wire(wire))?;
            frame.signals[wire.0 as usize] = value;
        }
        Ok(frame)
    }

    /// The step without the wires that have a definition.
    pub(crate) fn bare_frame<'i>(&'i self, step: &Step) -> Result<Frame<'i>, StepError> {
        let mut frame = Frame {
            interpreter: self,
            signals: vec![None; self.system.signals().len()],
            next: Vec::new(),
            memo: vec![None; self.system.exprs.len()],
        };
        frame.assign("inputs", self.system.inputs(), &step.inputs)?;
        frame.assign("states", self.system.states(), &step.states)?;
        for &(element, wire) in &self.free {
            match step.free.get(&element) {
                Some(value) => frame.assign_one(wire, value)?,
                None => return Err(StepError::MissingChoice(self.system.element(element).name.clone())),
            }
        }
        for element in step.free.keys() {
            if self.free.binary_search_by_key(element, |(free, _)| *free).is_err() {
                let name = self.system.elements().get(element.0 as usize).map(|element| element.name.clone());
                return Err(StepError::UnexpectedChoice(name.unwrap_or_else(|| format!("{element:?}"))));
            }
        }
        Ok(frame)
    }

    /// A step in which some wires have a value that their definitions need not agree with: these wires are added to `violated` where they do not.
    pub(crate) fn frame_choosing<'i>(
        &'i self,
        step: &Step,
        chosen: &dyn Fn(SignalId) -> Option<Value>,
        violated: &mut Vec<SignalId>,
    ) -> Result<Frame<'i>, StepError> {
        let mut frame = self.bare_frame(step)?;
        for &wire in &self.wires {
            let defined = frame.definition(Site::Wire(wire))?;
            let value = chosen(wire);
            if value.is_some() && value != defined {
                violated.push(wire);
            }
            frame.signals[wire.0 as usize] = value.or(defined);
        }
        Ok(frame)
    }

    /// The constraints of a kind, by position.
    fn constraints(&self, kind: ConstraintKind) -> impl Iterator<Item = ConstraintId> + use<'s> {
        let constraints = self.system.constraints();
        (0..constraints.len())
            .filter(move |index| constraints[*index].kind == kind)
            .map(|index| ConstraintId(index as u32))
    }
}

impl<'i> Frame<'i> {
    fn assign(
        &mut self,
        what: &'static str,
        signals: &[SignalId],
        values: &[Value],
    ) -> Result<(), StepError> {
        if signals.len() != values.len() {
            return Err(StepError::Arity { what, expected: signals.len(), found: values.len() });
        }
        signals.iter().zip(values).try_for_each(|(signal, value)| self.assign_one(*signal, value))
    }

    fn assign_one(&mut self, signal: SignalId, value: &Value) -> Result<(), StepError> {
        let declared = self.interpreter.system.signal(signal);
        if !value.has_sort(&declared.sort) {
            return Err(StepError::Sort { signal: declared.name.clone(), value: value.clone() });
        }
        self.signals[signal.0 as usize] = Some(value.clone());
        Ok(())
    }

    /// The value of a signal.
    pub fn signal(&self, signal: SignalId) -> Option<&Value> {
        self.signals[signal.0 as usize].as_ref()
    }

    /// Tells the values that the states have in the following step, which transition constraints read.
    pub fn set_next(&mut self, states: &[Value]) -> Result<(), StepError> {
        let system = self.interpreter.system;
        if states.len() != system.states().len() {
            let (expected, found) = (system.states().len(), states.len());
            return Err(StepError::Arity { what: "states", expected, found });
        }
        if !self.next.is_empty() {
            // Rare: expressions over the earlier successor are forgotten, and all others with them.
            self.memo.fill(None);
        }
        self.next = vec![None; system.signals().len()];
        for (state, value) in system.states().iter().zip(states) {
            self.next[state.0 as usize] = Some(value.clone());
        }
        Ok(())
    }

    /// What the definition at a site evaluates to; `None` where it is open.
    fn definition(&mut self, site: Site) -> Result<Option<Value>, StepError> {
        let definition = self.interpreter.definition(site);
        self.defined(&definition)
    }

    /// What a definition evaluates to; `None` where it is open.
    pub(crate) fn defined(&mut self, definition: &Definition<'_>) -> Result<Option<Value>, StepError> {
        match definition {
            Definition::Open => Ok(None),
            Definition::Const(value) => Ok(Some((*value).clone())),
            Definition::Expr(expr) => self.value(*expr).map(Some),
            Definition::Inverted(expr) => {
                let value = self.value(*expr)?;
                Ok(Some(evaluate_unary(&UnaryOp::Not, &value)?))
            }
        }
    }

    /// What each state's `init` asks for, in the order of the states; `None` where any value may start.
    pub fn initial_values(&mut self) -> Result<Vec<Option<Value>>, StepError> {
        let states = self.interpreter.system.states();
        states.iter().map(|state| self.definition(Site::Init(*state))).collect()
    }

    /// What each state's `next` asks for, in the order of the states; `None` where any value may follow.
    pub fn successor_values(&mut self) -> Result<Vec<Option<Value>>, StepError> {
        let states = self.interpreter.system.states();
        states.iter().map(|state| self.definition(Site::Next(*state))).collect()
    }

    /// The first constraint of a kind that does not hold. [`Frame::set_next`] comes first for those on transitions.
    pub fn violated_constraint(&mut self, kind: ConstraintKind) -> Result<Option<ConstraintId>, StepError> {
        for constraint in self.interpreter.constraints(kind) {
            if self.definition(Site::Constraint(constraint))? == Some(Value::bool(false)) {
                return Ok(Some(constraint));
            }
        }
        Ok(None)
    }

    /// The value of an expression of the system. Iterative: depth is no limit.
    pub fn value(&mut self, root: ExprId) -> Result<Value, StepError> {
        let exprs = &self.interpreter.system.exprs;
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if self.memo[expr.0 as usize].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(exprs.operands(expr).filter(|operand| self.memo[operand.0 as usize].is_none()));
            if stack.len() == before {
                stack.pop();
                self.memo[expr.0 as usize] = Some(self.node(expr)?);
            }
        }
        self.known(root)
    }

    fn known(&self, expr: ExprId) -> Result<Value, StepError> {
        self.memo[expr.0 as usize].clone().ok_or_else(|| StepError::Unknown(format!("{expr:?}")))
    }

    /// The value of an expression whose operands have been evaluated.
    fn node(&self, expr: ExprId) -> Result<Value, StepError> {
        let system = self.interpreter.system;
        let operand = |expr: ExprId| {
            self.memo[expr.0 as usize].as_ref().ok_or_else(|| StepError::Unknown(format!("{expr:?}")))
        };
        let of_signal = |values: &[Option<Value>], signal: SignalId| {
            let value = values.get(signal.0 as usize).cloned().flatten();
            value.ok_or_else(|| StepError::Unknown(system.signal(signal).name.clone()))
        };
        Ok(match system.exprs.node(expr) {
            Node::Signal(signal) => of_signal(&self.signals, *signal)?,
            Node::Next(signal) => of_signal(&self.next, *signal)?,
            Node::Const(value) => value.as_ref().clone(),
            Node::Unary(op, a) => evaluate_unary(op, operand(*a)?)?,
            Node::Binary(op, a, b) => evaluate_binary(*op, operand(*a)?, operand(*b)?)?,
            Node::Ternary(op, a, b, c) => evaluate_ternary(*op, operand(*a)?, operand(*b)?, operand(*c)?)?,
        })
    }
}
