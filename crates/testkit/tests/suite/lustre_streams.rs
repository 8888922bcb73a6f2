//! What the front end makes of random Lustre programs does, step by step, what the definition of their streams says; and all their variables have JKind's names.

use propcov_ir::{
    Constraint, ConstraintKind, Edits, ElementKind, ExprId, Frame, Interpreter, PropertyId, PropertyKind,
    SignalId, Site, Sort, Step, System, Value,
};
use propcov_testkit::lustre::{
    Answer, Datum, Failure, Instant, Kind, Machine, Program, Type, for_random_lustre, for_random_programs,
};
use propcov_testkit::{ArithExplicit, Outcome, Random};
use std::collections::{BTreeMap, HashMap};

const STEPS: usize = 7;

fn read(text: &str) -> Result<System, String> {
    let design = propcov_frontend::read("random.lus", text.as_bytes()).map_err(|error| error.to_string())?;
    design.system.validate().map_err(|error| error.to_string())?;
    Ok(design.system)
}

fn random_datum(random: &mut Random, program: &Program, of: &Type, range: Option<(i64, i64)>) -> Datum {
    let mut between = |low: i64, high: i64| low + random.below((high - low + 1) as usize) as i64;
    match of {
        Type::Bool => Datum::Bool(between(0, 1) == 1),
        Type::Int => {
            let (low, high) = range.unwrap_or((-6, 6));
            Datum::Int(between(low, high).into())
        }
        Type::Real => Datum::Real(quarters_real(between(-12, 12))),
        Type::Subrange(low, high) => Datum::Int(between(*low, *high).into()),
        Type::Enum(index) => Datum::Enum(between(0, program.enums[*index].values.len() as i64 - 1) as usize),
        Type::Record(record) => {
            let fields = program.records[*record].fields.iter();
            Datum::Parts(fields.map(|(_, of)| random_datum(random, program, of, None)).collect())
        }
        Type::Array(element, size) => {
            Datum::Parts((0..*size).map(|_| random_datum(random, program, element, None)).collect())
        }
        Type::Tuple(_) => panic!("no variable is a tuple"),
    }
}

/// That many quarters.
fn quarters_real(quarters: i64) -> dashu_ratio::RBig {
    dashu_ratio::RBig::from_parts(quarters.into(), 4u8.into())
}

fn value_of(datum: &Datum, sort: &Sort) -> Value {
    match (datum, sort) {
        (Datum::Bool(value), _) => Value::bool(*value),
        (Datum::Int(value), _) => Value::Int(value.clone()),
        (Datum::Real(value), _) => Value::Real(value.clone()),
        (Datum::Enum(position), Sort::Enum(sort)) => Value::Enum(sort.clone(), *position as u32),
        other => panic!("{other:?}"),
    }
}

fn random_state(random: &mut Random, sort: &Sort) -> Value {
    match sort {
        Sort::Int => Value::Int((random.below(13) as i64 - 6).into()),
        Sort::Real => Value::Real(quarters_real(random.below(25) as i64 - 12)),
        sort => propcov_testkit::random_value(random, sort),
    }
}

struct Names(HashMap<String, SignalId>);

impl Names {
    fn new(system: &System) -> Names {
        let signals = system.signals().iter().enumerate();
        Names(signals.map(|(index, signal)| (signal.name.clone(), SignalId(index as u32))).collect())
    }

    fn get(&self, name: &str) -> Result<SignalId, String> {
        self.0.get(name).copied().ok_or_else(|| format!("the system has no {name}"))
    }
}

fn compare(program: &Program, seed: u64) -> Result<(), Failure> {
    let system = read(&program.text()).map_err(Failure::Rejected)?;
    compare_streams(program, &system, seed).map_err(Failure::Wrong)
}

fn compare_streams(program: &Program, system: &System, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x57e4);
    let names = Names::new(system);
    let machine = Machine::new(program);
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
    let mut memory = machine.start();
    let mut states: Vec<Value> =
        system.states().iter().map(|state| random_state(&mut random, &system.signal(*state).sort)).collect();
    for at in 0..STEPS {
        let main = program.main();
        let inputs: Vec<Datum> = main
            .inputs
            .iter()
            .map(|input| random_datum(&mut random, program, &input.of, input.range))
            .collect();
        let mut free = BTreeMap::new();
        let mut choose = |name: &str, of: &Type| {
            let value = random_datum(&mut random, program, of, None);
            free.insert(name.to_owned(), value.clone());
            value
        };
        let mut instant = machine.step(program, &memory, &inputs, &mut choose);
        let scalars = instant.scalars();
        let judged = judgement(&machine, &mut instant);
        let following = instant.memory();
        memory = following;
        if at > 0 && !free.is_empty() {
            return Err(format!("in step {at} {:?} is free", free.keys()));
        }
        for (name, value) in &free {
            let state = names.get(name)?;
            let position = system.states().iter().position(|other| *other == state);
            let position = position.ok_or_else(|| format!("{name} is no state"))?;
            states[position] = value_of(value, &system.signal(state).sort);
        }
        let mut step =
            Step { inputs: input_values(program, system, &inputs)?, states, free: BTreeMap::new() };
        if at == 0 {
            interpreter.start(&mut step, |_| true).map_err(|error| error.to_string())?;
        }
        let mut frame = interpreter.frame(&step).map_err(|error| error.to_string())?;
        compare_values(&names, &frame, &scalars, at)?;
        compare_judgement(system, &machine, &mut frame, &judged, at)?;
        if at == 0 {
            compare_names(system, &scalars)?;
        }
        let next = frame.successor_values().map_err(|error| error.to_string())?;
        states = next.into_iter().collect::<Option<Vec<Value>>>().ok_or("a state without next")?;
    }
    Ok(())
}

fn input_values(program: &Program, system: &System, inputs: &[Datum]) -> Result<Vec<Value>, String> {
    let mut scalars = HashMap::new();
    for (input, value) in program.main().inputs.iter().zip(inputs) {
        let names = program.scalars(&input.name, &input.of);
        scalars.extend(names.into_iter().map(|(name, _)| name).zip(value.scalars()));
    }
    let value = |input: &SignalId| {
        let signal = system.signal(*input);
        let datum = scalars.get(&signal.name).ok_or_else(|| format!("{} is no input", signal.name))?;
        Ok(value_of(datum, &signal.sort))
    };
    system.inputs().iter().map(value).collect()
}

fn compare_values(
    names: &Names,
    frame: &Frame<'_>,
    scalars: &[(String, Datum)],
    at: usize,
) -> Result<(), String> {
    for (name, expected) in scalars {
        let found = frame.signal(names.get(name)?).ok_or_else(|| format!("{name} has no value"))?;
        if !expected.is(found) {
            return Err(format!("in step {at} {name} is {found}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// The assertions and the properties in a step.
fn judgement(machine: &Machine, instant: &mut Instant<'_, '_>) -> (Vec<bool>, Vec<(String, bool)>) {
    let assertions = (0..machine.assertion_count()).map(|index| instant.assertion(index)).collect();
    let properties = machine.properties().enumerate();
    (assertions, properties.map(|(index, name)| (name.to_owned(), instant.property(index))).collect())
}

fn compare_judgement(
    system: &System,
    machine: &Machine,
    frame: &mut Frame<'_>,
    (assertions, properties): &(Vec<bool>, Vec<(String, bool)>),
    at: usize,
) -> Result<(), String> {
    let mut truth =
        |expr: ExprId| frame.value(expr).map(|value| value == Value::bool(true)).map_err(|e| e.to_string());
    for (index, expected) in assertions.iter().enumerate() {
        let name = format!("assert~{index}");
        let named = |constraint: &&Constraint| constraint.name == name;
        let constraint =
            system.constraints().iter().find(named).ok_or_else(|| format!("there is no {name}"))?;
        if constraint.kind != ConstraintKind::Always || truth(constraint.expr)? != *expected {
            return Err(format!("in step {at} {name} is not {expected}"));
        }
    }
    if system.properties().len() != machine.properties().count() {
        return Err(format!("{} properties", system.properties().len()));
    }
    for (name, expected) in properties {
        let property = system.properties().iter().find(|property| property.name == *name);
        let property = property.ok_or_else(|| format!("there is no property {name}"))?;
        let PropertyKind::Invariant(expr) = property.kind else {
            return Err(format!("{name} is no invariant"));
        };
        if truth(expr)? != *expected {
            return Err(format!("in step {at} property {name} is not {expected}"));
        }
    }
    Ok(())
}

/// Wires are the variables, the memories of clocked nodes besides, and all of them are elements.
fn compare_names(system: &System, scalars: &[(String, Datum)]) -> Result<(), String> {
    for wire in system.wires() {
        let name = &system.signal(*wire).name;
        if !scalars.iter().any(|(other, _)| other == name) {
            // What JKind makes of `pre` in nodes with a clock, and of `->` under `pre`.
            if name.contains(".~state") || name.starts_with("~flatten") {
                continue;
            }
            return Err(format!("the system has a wire {name}"));
        }
        let element = system.elements().iter().find(|element| element.site == Site::Wire(*wire));
        if !element.is_some_and(|element| element.name == *name && element.kind == ElementKind::Equation) {
            return Err(format!("{name} is no element of that name"));
        }
    }
    Ok(())
}

#[test]
fn lowered_programs_with_bounds_have_the_streams_of_their_definition() {
    for_random_programs(Kind::Bounded, 3000, 0, |seed, program| compare(program, seed));
}

#[test]
fn lowered_programs_without_bounds_have_the_streams_of_their_definition() {
    for_random_programs(Kind::Free, 6000, 500_000, |seed, program| compare(program, seed));
}

#[test]
fn the_lowered_system_and_the_program_have_the_same_truth() {
    let (holds, explored) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_random_lustre(600, 1_000_000, read, |case| {
        let held = case.answers.properties.iter().filter(|(_, answer)| *answer == Answer::Holds).count();
        holds.set(holds.get() + held);
        if case.answers.properties.len() != case.system.properties().len() {
            return Err(format!("{} properties", case.system.properties().len()));
        }
        // Most have ints whose value before the first step has no bounds, though nothing depends on it.
        let Ok(explicit) = ArithExplicit::explore(&case.system) else { return Ok(()) };
        explored.set(explored.get() + 1);
        for (index, property) in case.system.properties().iter().enumerate() {
            let found = match explicit.outcome(PropertyId(index as u32)) {
                Outcome::Holds { .. } => Answer::Holds,
                Outcome::Violated { depth } => Answer::Violated { depth },
            };
            if case.answers.of(&property.name) != Some(found) {
                return Err(format!("{}: {found:?}, expected {:?}", property.name, case.answers));
            }
        }
        if explicit.assumptions_consistent() != case.answers.consistent {
            return Err("the assertions are consistent in one oracle only".to_owned());
        }
        Ok(())
    });
    // Not when a single seed is replayed.
    let chosen = |name: &str| std::env::var_os(name).is_some();
    if !chosen("PROPCOV_SEED") && !chosen("PROPCOV_CASES") {
        assert!(holds.get() > 100 && explored.get() > 50, "{holds:?} hold, {explored:?} explored");
    }
}
