//! Whether the steps of a demonstration are a fair path, as the interpreter runs them.
//!
//! The path may end without a loop only where every path goes on and is fair. Initial is a state, not a step: the inputs of the
//! first step need not be those that make its state initial. They are tried first; if they do not, the solver looks for others.

use crate::Rejection;
use crate::cone::constraints;
use crate::encode::{Selectors, Start, Steps, Unrolling};
use propcov_budget::Budget;
use propcov_ir::{
    ConstraintKind, Demonstration, Edits, ExprId, ExprPool, Fairness, Frame, Interpreter, Step, System, Value,
};
use propcov_sat::{CadicalConfig, Outcome};

/// Checks paths of one system.
pub(super) struct Paths<'a> {
    pub(super) system: &'a System,
    pub(super) edits: &'a Edits,
    pub(super) interpreter: Interpreter<'a>,
    pub(super) limits: &'a Budget,
    /// The conditions that claims are about.
    pub(super) atoms: Vec<ExprId>,
}

/// What a path has that claims are about.
pub(super) struct Checked {
    /// For each step, whether each of the atoms holds.
    pub(super) holds: Vec<Vec<bool>>,
    /// Where the path goes after its last step, if that matters.
    pub(super) loop_to: Option<usize>,
}

/// What is wrong with a step.
fn wrong(step: usize, what: impl std::fmt::Display) -> Rejection {
    Rejection::Trace(format!("step {step}: {what}"))
}

/// Whether each fairness condition's expressions hold in a step; a justice condition has one, and stands here twice.
type Met = Vec<(bool, bool)>;

impl Paths<'_> {
    /// Accepts the steps if they are a fair path.
    pub(super) fn check(&self, shown: &Demonstration) -> Result<Checked, Rejection> {
        let Some(last) = shown.steps.len().checked_sub(1) else {
            return Err(Rejection::Malformed("a path without steps".to_owned()));
        };
        if shown.essential > shown.steps.len() || shown.loop_to.is_some_and(|to| to > last) {
            return Err(Rejection::Malformed("a path refers to steps that it does not have".to_owned()));
        }
        if shown.loop_to.is_none() && !self.system.is_unconstrained() {
            return Err(Rejection::Trace("the path ends, though not every path goes on fairly".to_owned()));
        }
        let (mut holds, mut met) = (Vec::new(), Vec::new());
        for (index, step) in shown.steps.iter().enumerate() {
            let next = if index < last { Some(index + 1) } else { shown.loop_to };
            let mut frame = self.interpreter.frame(step).map_err(|error| wrong(index, error))?;
            self.check_constraints(&mut frame, index, ConstraintKind::Always)?;
            let mut truth = |expr: ExprId| {
                let value = frame.value(expr).map_err(|error| wrong(index, error))?;
                Ok::<bool, Rejection>(value == Value::bool(true))
            };
            holds.push(self.atoms.iter().map(|atom| truth(*atom)).collect::<Result<_, _>>()?);
            let conditions = self.system.fairness.iter().map(|condition| match *condition {
                Fairness::Justice(expr) => truth(expr).map(|met| (met, met)),
                Fairness::Compassion(premise, conclusion) => Ok((truth(premise)?, truth(conclusion)?)),
            });
            met.push(conditions.collect::<Result<Met, _>>()?);
            if let Some(next) = next {
                self.check_transition(&mut frame, index, &shown.steps[next])?;
            }
        }
        if let Some(loop_to) = shown.loop_to {
            self.check_fairness(&met[loop_to..])?;
        }
        Ok(Checked { holds, loop_to: shown.loop_to })
    }

    fn check_constraints(
        &self,
        frame: &mut Frame<'_>,
        index: usize,
        kind: ConstraintKind,
    ) -> Result<(), Rejection> {
        match frame.violated_constraint(kind).map_err(|error| wrong(index, error))? {
            None => Ok(()),
            Some(id) => {
                let name = &self.system.constraints()[id.0 as usize].name;
                Err(wrong(index, format!("constraint {name} does not hold")))
            }
        }
    }

    fn check_transition(&self, frame: &mut Frame<'_>, index: usize, next: &Step) -> Result<(), Rejection> {
        frame.set_next(&next.states).map_err(|error| wrong(index, error))?;
        self.check_constraints(frame, index, ConstraintKind::Transition)?;
        let expected = frame.successor_values().map_err(|error| wrong(index, error))?;
        match self.difference(&expected, &next.states) {
            None => Ok(()),
            Some(what) => Err(wrong(index, format!("{what} next"))),
        }
    }

    /// The first state that does not have the value asked for.
    fn difference(&self, expected: &[Option<Value>], found: &[Value]) -> Option<String> {
        let states = self.system.states().iter().zip(expected).zip(found);
        states.into_iter().find_map(|((state, expected), found)| {
            let expected = expected.as_ref().filter(|expected| *expected != found)?;
            Some(format!("{} is {expected}, not {found},", self.system.signal(*state).name))
        })
    }

    fn check_fairness(&self, met: &[Met]) -> Result<(), Rejection> {
        for (index, condition) in self.system.fairness.iter().enumerate() {
            let premise = met.iter().any(|step| step[index].0);
            let conclusion = met.iter().any(|step| step[index].1);
            let is_met = match condition {
                Fairness::Justice(_) => conclusion,
                Fairness::Compassion(..) => conclusion || !premise,
            };
            if !is_met {
                return Err(Rejection::Trace(format!("the loop does not meet fairness condition {index}")));
            }
        }
        Ok(())
    }

    /// Accepts the step's state if it is initial. The step is one of a path that was accepted.
    pub(super) fn check_initial(&self, step: &Step) -> Result<(), Rejection> {
        let mut frame = self.interpreter.frame(step).map_err(|error| wrong(0, error))?;
        let expected = frame.initial_values().map_err(|error| wrong(0, error))?;
        let violated = frame.violated_constraint(ConstraintKind::Initial).map_err(|error| wrong(0, error))?;
        if self.difference(&expected, &step.states).is_none() && violated.is_none() {
            return Ok(());
        }
        if self.is_initial_with_other_inputs(&step.states)? {
            Ok(())
        } else {
            Err(wrong(0, "the state is not initial"))
        }
    }

    fn is_initial_with_other_inputs(&self, values: &[Value]) -> Result<bool, Rejection> {
        let mut steps: Steps<'_> = Steps::new(
            CadicalConfig::default(),
            self.system,
            self.edits,
            Selectors::default(),
            Start::Initial,
        );
        let claim = ExprPool::new();
        let mut unrolling = Unrolling::new(&mut steps, &claim, self.limits);
        let mut required = Vec::new();
        for (state, value) in self.system.states().iter().zip(values) {
            let word = unrolling.signal(0, *state)?;
            let constant = unrolling.gates().constant_word(value)?;
            required.push(unrolling.gates().equal_words(&word, &constant)?);
        }
        for kind in [ConstraintKind::Initial, ConstraintKind::Always] {
            for id in constraints(self.system, kind) {
                required.extend(unrolling.constraint(0, id)?);
            }
        }
        match unrolling.gates().solve(&required, self.limits) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown => Err(Rejection::Undecided),
        }
    }
}
