//! Intervals around counterexamples: whatever is chosen in them, the property fails.

use dashu_ratio::RBig;
use propcov_budget::Budget;
use propcov_engine::infinite::induction;
use propcov_engine::{Config, ENGINES, Limits, Silent, check};
use propcov_ir::{
    ConstraintKind, Edits, Interpreter, PropertyId, Range, RangedRun, Sort, Step, System, Trace, Value,
    Verdict,
};
use propcov_testkit::for_random_arith_systems;
use propcov_verify::generalise;
use std::cell::Cell;

const PROPERTY: PropertyId = PropertyId(0);

/// A value of a range: an end of it, or something in between.
fn pick(range: &Range, sort: &Sort, random: &mut fastrand::Rng) -> Value {
    let number = |amount: i64| match sort {
        Sort::Real => Value::Real(amount.into()),
        _ => Value::Int(amount.into()),
    };
    match range {
        Range::One(value) => value.clone(),
        Range::Any => match sort {
            Sort::Int | Sort::Real => number(i64::from(random_i8(random))),
            Sort::Enum(variants) => {
                Value::Enum(variants.clone(), random.u32(..variants.variants.len() as u32))
            }
            _ => Value::bool(random.bool()),
        },
        Range::Between(bounds) => {
            let step = RBig::from(random.u8(..4));
            let value = match (&bounds.low, &bounds.high, random.bool()) {
                (Some(low), _, true) | (Some(low), None, _) => low + step,
                (_, Some(high), _) => high - step,
                (None, None, _) => RBig::from(i64::from(random_i8(random))),
            };
            let value = match sort {
                Sort::Real => Value::Real(value),
                _ => Value::Int(value.floor()),
            };
            // A step may lead out of a narrow one.
            let end = bounds.low.clone().or(bounds.high.clone()).unwrap_or_default();
            let end = if *sort == Sort::Real { Value::Real(end) } else { Value::Int(end.floor()) };
            if range.contains(&value) { value } else { end }
        }
    }
}

fn random_i8(random: &mut fastrand::Rng) -> i8 {
    random.i8(..)
}

/// Chooses a run within the ranges; every signal has to be in its own.
fn run_within(
    system: &System,
    ranged: &mut RangedRun<'_>,
    random: &mut fastrand::Rng,
) -> Result<Trace, String> {
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
    let mut trace = Trace::default();
    let mut states: Vec<Option<Value>> = vec![None; system.states().len()];
    for at in 0..ranged.len() {
        let mut chosen = |signal, random: &mut fastrand::Rng| {
            let range = ranged.signal(at, signal).expect("it has a range");
            pick(&range, &system.signal(signal).sort, random)
        };
        let inputs = system.inputs().iter().map(|input| chosen(*input, random)).collect();
        let values = system
            .states()
            .iter()
            .zip(states)
            .map(|(state, value)| value.unwrap_or_else(|| chosen(*state, random)));
        let mut step = Step { inputs, states: values.collect(), ..Step::default() };
        if at == 0 {
            interpreter.start(&mut step, |_| true).map_err(|error| error.to_string())?;
        }
        let mut frame = interpreter.frame(&step).map_err(|error| error.to_string())?;
        for index in 0..system.signals().len() {
            let signal = propcov_ir::SignalId(index as u32);
            let range = ranged.signal(at, signal).map_err(|error| error.to_string())?;
            if let Some(value) = frame.signal(signal)
                && !range.contains(value)
            {
                return Err(format!(
                    "{} is {value} in step {at}, not in {range}",
                    system.signal(signal).name
                ));
            }
        }
        states = frame.successor_values().map_err(|error| error.to_string())?;
        trace.steps.push(step);
    }
    Ok(trace)
}

#[test]
fn whatever_is_chosen_in_the_intervals_the_property_fails() {
    let (widened, exact) = (Cell::new(0), Cell::new(0));
    let bmc = ENGINES.iter().find(|engine| engine.name == "bmc").expect("bmc");
    for_random_arith_systems(600, 3_000_000, |seed, system, _| {
        let edits = Edits::none();
        let mut limits = Limits::default();
        limits.depth = Some(4);
        let Verdict::Falsified(trace) =
            check(bmc, system, &edits, PROPERTY, &Config::default(), &limits, &Silent).verdict
        else {
            return Ok(());
        };
        let invariant = system.invariant(PROPERTY).ok_or("an invariant")?;
        let ranged = generalise(system, &trace, invariant, &Budget::default());
        let mut ranged = ranged.ok_or("a run whose values are all known can be evaluated")?;
        let mut count = 0;
        for step in 0..ranged.len() {
            for signal in ranged.choices(step) {
                count +=
                    usize::from(ranged.choice(step, signal).is_some_and(|range| range.value().is_none()));
            }
        }
        let counter = if count > 0 { &widened } else { &exact };
        counter.set(counter.get() + 1);
        let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..20 {
            let run = run_within(system, &mut ranged, &mut random)?;
            interpreter.replay(&run, PROPERTY).map_err(|error| format!("{error} in {run:?}"))?;
        }
        Ok(())
    });
    assert!(widened.get() > 50, "{} widened, {} not", widened.get(), exact.get());
}

#[test]
fn why_an_induction_fails_is_a_run_from_anywhere() {
    let shown = Cell::new(0);
    for_random_arith_systems(300, 3_100_000, |_, system, _| {
        let edits = Edits::none();
        let Some(invariant) = system.invariant(PROPERTY) else { return Ok(()) };
        for k in 1..3 {
            let Some(run) = induction::counterexample(system, PROPERTY, k, &Limits::default()) else {
                continue;
            };
            shown.set(shown.get() + 1);
            if run.steps.len() != k + 1 {
                return Err(format!("{} steps for a length of {k}", run.steps.len()));
            }
            let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
            for (at, step) in run.steps.iter().enumerate() {
                let mut frame = interpreter.frame(step).map_err(|error| error.to_string())?;
                let holds = frame.value(invariant).map_err(|error| error.to_string())?.as_bool();
                if holds != Some(at < k) {
                    return Err(format!("step {at} of {k}: the property is {holds:?}"));
                }
                let violated =
                    frame.violated_constraint(ConstraintKind::Always).map_err(|error| error.to_string())?;
                if violated.is_some() {
                    return Err(format!("step {at}: a constraint does not hold"));
                }
                if let Some(next) = run.steps.get(at + 1) {
                    let wanted = frame.successor_values().map_err(|error| error.to_string())?;
                    if wanted
                        .iter()
                        .zip(&next.states)
                        .any(|(wanted, value)| wanted.as_ref().is_some_and(|wanted| wanted != value))
                    {
                        return Err(format!("step {} does not follow", at + 1));
                    }
                }
            }
        }
        Ok(())
    });
    assert!(shown.get() > 50, "only {} runs", shown.get());
}
