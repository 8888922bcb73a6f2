//! The product of a mutant with a free element, told otherwise: the element has the value it was designed to have, unless
//! an input makes it deviate.
//!
//! The runs are the same, but a run is simpler in these terms: most inputs can be silenced without the element having to follow, and
//! what is left of the deviation is where the mutant really has to misbehave.

use super::product::Product;
use propcov_ir::{
    BinaryOp, Definition, Edit, Edits, EvaluationError, ExprId, Interpreter, SignalId, Site, Sort, Step,
    StepError, System, Trace, Value, evaluate_binary,
};

/// The product, with a deviation as its last input or inputs.
pub(crate) struct Deviation<'p> {
    product: &'p Product,
    pub(crate) system: System,
    pub(crate) edits: Edits,
    /// What the element was designed to define, in the design's copy and in the mutant's.
    designed: SignalId,
    mutated: SignalId,
}

impl<'p> Deviation<'p> {
    /// `None` when nothing is free.
    pub(crate) fn new(product: &'p Product) -> Option<Deviation<'p>> {
        let edits = product.edits();
        let element = product.mutant.element;
        if edits.get(element) != Some(&Edit::Free) {
            return None;
        }
        let designed = product.mutated()?;
        let mut system = product.system.clone();
        let (mutated, definition) = match system.element(element).site {
            Site::Wire(mutated) => (mutated, system.read(designed)),
            Site::Next(mutated) => match system.definition(&Edits::none(), Site::Next(designed)) {
                Definition::Expr(next) => (mutated, next),
                _ => return None,
            },
            Site::Init(_) | Site::Constraint(_) => return None,
        };
        let value = deviating(&mut system, definition);
        Some(Deviation {
            product,
            system,
            edits: Edits::one(element, Edit::Replace(value)),
            designed,
            mutated,
        })
    }

    /// A run of the product in these terms.
    pub(crate) fn of_product(&self, trace: &Trace) -> Result<Trace, StepError> {
        let edits = self.product.edits();
        let interpreter = Interpreter::new(&self.product.system, &edits).map_err(|_| unknown())?;
        let mut deviations = Vec::new();
        for step in &trace.steps {
            let frame = interpreter.frame(step)?;
            let (Some(designed), Some(mutated)) = (frame.signal(self.designed), frame.signal(self.mutated))
            else {
                return Err(unknown());
            };
            deviations.push(deviation(designed, mutated)?);
        }
        if self.is_register() {
            // The step before makes a register deviate; what the last one leads to is never looked at.
            deviations.rotate_left(1);
        }
        let with = |(step, deviation): (&Step, Vec<Value>)| Step {
            inputs: step.inputs.iter().cloned().chain(deviation).collect(),
            states: step.states.clone(),
            free: Default::default(),
        };
        Ok(Trace { steps: trace.steps.iter().zip(deviations).map(with).collect() })
    }

    /// The run of the product that a run in these terms is.
    pub(crate) fn as_product(&self, trace: &Trace) -> Result<Trace, StepError> {
        let interpreter = Interpreter::new(&self.system, &self.edits).map_err(|_| unknown())?;
        let mut steps = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let frame = interpreter.frame(step)?;
            let value = frame.signal(self.mutated).filter(|_| !self.is_register()).cloned();
            steps.push(Step {
                inputs: step.inputs[..self.product.system.inputs().len()].to_vec(),
                states: step.states.clone(),
                free: value.map(|value| (self.product.mutant.element, value)).into_iter().collect(),
            });
        }
        Ok(Trace { steps })
    }

    fn is_register(&self) -> bool {
        matches!(self.system.element(self.product.mutant.element).site, Site::Next(_))
    }
}

/// The value of a definition, changed by new inputs: bit by bit for words, as a whole for all else. Inputs that are 0
/// change nothing.
fn deviating(system: &mut System, definition: ExprId) -> ExprId {
    let sort = system.exprs.sort(definition).clone();
    let value = system.add_input("deviation", sort.clone());
    let value = system.read(value);
    if let Sort::BitVec(_) = sort {
        return system.exprs.xor(definition, value);
    }
    let deviates = system.add_input("deviates", Sort::BOOL);
    let deviates = system.read(deviates);
    system.exprs.ite(deviates, value, definition)
}

/// The values of those inputs.
fn deviation(designed: &Value, mutated: &Value) -> Result<Vec<Value>, EvaluationError> {
    Ok(match designed {
        Value::Bits(_) => vec![evaluate_binary(BinaryOp::Xor, designed, mutated)?],
        _ => vec![mutated.clone(), Value::bool(designed != mutated)],
    })
}

fn unknown() -> StepError {
    StepError::Unknown("the mutated signal".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference::{Notion, observation, product};
    use propcov_engine::{Config, ENGINES, Limits, Silent, check};
    use propcov_ir::{Mutation, Verdict};
    use propcov_testkit::{Random, all_mutants, for_random_systems};
    use std::cell::Cell;

    #[test]
    fn a_run_of_the_product_is_a_run_with_deviations_and_back() {
        let compared = Cell::new(0);
        let Some(bmc) = ENGINES.iter().find(|engine| engine.name == "bmc") else { panic!("no bmc") };
        for_random_systems(1_000, 430_000, |seed, system| {
            let free = all_mutants(system).into_iter().filter(|mutant| mutant.mutation == Mutation::Free);
            let free: Vec<_> = free.collect();
            if free.is_empty() {
                return Ok(());
            }
            let mutant = *Random::new(seed).pick(&free);
            let name = system.states().first().map(|state| system.signal(*state).name.clone());
            let observation = observation(system, &[], mutant, &Notion::Named(name.into_iter().collect()));
            let Ok(product) = product(system, &[], mutant, &observation) else { return Ok(()) };
            let (edits, mut limits) = (product.edits(), Limits::default());
            limits.depth = Some(8);
            let report =
                check(bmc, &product.system, &edits, product.property, &Config::default(), &limits, &Silent);
            let Verdict::Falsified(trace) = report.verdict else { return Ok(()) };
            compared.set(compared.get() + 1);
            let deviation = Deviation::new(&product).ok_or("nothing is free")?;
            deviation.system.validate().map_err(|error| error.to_string())?;
            let told = deviation.of_product(&trace).map_err(|error| error.to_string())?;
            let interpreter =
                Interpreter::new(&deviation.system, &deviation.edits).map_err(|error| error.to_string())?;
            interpreter.replay(&told, product.property).map_err(|error| error.to_string())?;
            let back = deviation.as_product(&told).map_err(|error| error.to_string())?;
            if back == trace { Ok(()) } else { Err(format!("{trace:?} has become {back:?}")) }
        });
        assert!(compared.get() > 100, "{compared:?}");
    }
}
