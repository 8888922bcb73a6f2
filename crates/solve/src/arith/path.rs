//! From a model of the solver back to a run.

use super::encode::{integer, position};
use super::unroll::{Start, Unrolling};
use super::word::Word;
use propcov_ir::{
    ElementSet, Followed, Interpreter, SignalId, Sort, Step, StepError, SystemError, Trace, Value,
};
use propcov_sat::Solver;
use thiserror::Error;

/// A model that is no run: a bug in the encoding, or of something that is not linear.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PathError {
    /// The system has no meaning.
    #[error("{0}")]
    System(#[from] SystemError),
    /// A step does not fit the system.
    #[error("{0}")]
    Step(#[from] StepError),
}

impl Unrolling<'_> {
    /// The run that the solver's model describes, up to a step. What the model leaves open is zero, and the rest follows.
    ///
    /// # Errors
    /// When the model is no run.
    pub fn path(&self, last: usize) -> Result<Trace, PathError> {
        let interpreter = Interpreter::new(self.system, self.edits)?;
        let mut trace = Trace::default();
        let mut states: Vec<Option<Value>> = vec![None; self.system.states().len()];
        for at in 0..=last {
            let input = |signal: &SignalId| self.leaf_value(at, *signal);
            let mut step = Step {
                inputs: self.system.inputs().iter().map(input).collect(),
                states: Vec::with_capacity(states.len()),
                free: interpreter.free_wires().iter().map(|(e, wire)| (*e, input(wire))).collect(),
            };
            for (state, value) in self.system.states().iter().zip(states) {
                step.states.push(value.unwrap_or_else(|| self.leaf_value(at, *state)));
            }
            if at == 0 && self.start == Start::Initial {
                interpreter.start(&mut step, |_| true)?;
            }
            states = interpreter.frame(&step)?.successor_values()?;
            trace.steps.push(step);
        }
        Ok(trace)
    }

    /// The run that the solver's model describes, up to a step, of the slice from which these elements are dropped; what the model leaves open follows the definitions, also dropped ones.
    ///
    /// # Errors
    /// When the model is no run.
    pub fn followed(&self, last: usize, dropped: &ElementSet) -> Result<Followed, PathError> {
        let interpreter = Interpreter::new(self.system, self.edits)?;
        Ok(propcov_ir::follow(&interpreter, dropped, last, &|step, signal| self.chosen(step, signal))?)
    }

    /// The value of a signal that nothing determines; zero where nobody asked for it.
    pub(super) fn leaf_value(&self, step: usize, signal: SignalId) -> Value {
        self.chosen(step, signal).unwrap_or_else(|| Value::zero(&self.system.signal(signal).sort))
    }

    /// What the model says about a signal that nothing determines.
    fn chosen(&self, step: usize, signal: SignalId) -> Option<Value> {
        let sort = &self.system.signal(signal).sort;
        if self.is_rigid(signal) && matches!(sort, Sort::Array(_)) {
            return Some(self.function_value(signal, sort));
        }
        let step = if self.is_rigid(signal) { 0 } else { step };
        let word = self.steps.get(step).and_then(|known| known.leaves.get(&signal))?;
        Some(self.value(word, sort))
    }

    /// The value of a word in the model.
    pub fn value(&self, word: &Word, sort: &Sort) -> Value {
        let solver = &self.gates.solver;
        match (word, sort) {
            (Word::Bit(lit), _) => Value::bool(solver.holds(*lit)),
            (Word::Number(sum), sort) => {
                let value = sum.evaluate(|number| solver.number_value(number));
                if *sort == Sort::Int { Value::Int(integer(&value)) } else { Value::Real(value) }
            }
            (Word::Choice(bits), Sort::Enum(of)) => {
                Value::Enum(of.clone(), position(bits.iter().map(|bit| solver.holds(*bit))))
            }
            _ => Value::zero(sort),
        }
    }

    /// The function that the model describes: what it is at the arguments asked about, and zero elsewhere.
    fn function_value(&self, function: SignalId, sort: &Sort) -> Value {
        let mut value = Value::zero(sort);
        for application in self.applications.iter().filter(|known| known.function == function) {
            let mut sorts = Vec::new();
            let mut result = sort;
            while let Sort::Array(array) = result {
                sorts.push(&array.index);
                result = &array.element;
            }
            let arguments: Vec<Value> = application
                .arguments
                .iter()
                .zip(sorts)
                .map(|(argument, sort)| self.value(argument, sort))
                .collect();
            let result = self.value(&application.result, result);
            value = with(&value, &arguments, result);
        }
        value
    }
}

/// The array of arrays with another value at the arguments.
fn with(array: &Value, arguments: &[Value], result: Value) -> Value {
    let (Value::Array(array), Some((first, rest))) = (array, arguments.split_first()) else {
        return result;
    };
    let inner = with(array.read(first), rest, result);
    let mut array = array.clone();
    array.write(first.clone(), inner);
    Value::Array(array)
}
