//! Interpreter, lanes and the explicit oracle say the same about random systems, with and without edits.

use propcov_ir::{
    ArrayValue, Bits, ConstraintKind, Edit, Edits, ElementId, Fault, Frame, Interpreter, Lanes, PropertyId,
    PropertyKind, SignalId, Site, Sort, Step, System, Trace, Value,
};
use propcov_testkit::{
    Explicit, ExploreError, Outcome, Random, random_edits, random_slice, random_system, random_value,
};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The same system under no edits, random edits, or as a slice, by seed.
fn random_case(seed: u64) -> (System, Edits) {
    let mut system = random_system(seed);
    let mut random = Random::new(seed ^ 0xed17);
    let edits = match random.below(3) {
        0 => Edits::none(),
        1 => random_edits(&mut random, &mut system),
        _ => Edits::keep_only(&system, &random_slice(&mut random, &system)),
    };
    (system, edits)
}

fn random_step(random: &mut Random, interpreter: &Interpreter<'_>) -> Step {
    let system = interpreter.system();
    let mut value = |signal: &SignalId| random_value(random, &system.signal(*signal).sort);
    Step {
        inputs: system.inputs().iter().map(&mut value).collect(),
        states: system.states().iter().map(&mut value).collect(),
        free: interpreter.free_wires().iter().map(|(element, wire)| (*element, value(wire))).collect(),
    }
}

fn load(lanes: &mut Lanes, lane: u32, step: &Step, interpreter: &Interpreter<'_>) {
    let system = interpreter.system();
    for (signal, value) in
        system.inputs().iter().zip(&step.inputs).chain(system.states().iter().zip(&step.states))
    {
        lanes.set(*signal, lane, value).expect("finite");
    }
    for (element, wire) in interpreter.free_wires() {
        lanes.set(*wire, lane, &step.free[element]).expect("finite");
    }
}

/// Everything observable in a lane, against a frame of the interpreter.
fn compare(lanes: &mut Lanes, lane: u32, frame: &mut Frame<'_>, system: &System, what: &str) {
    let bit = |mask: u64| mask >> lane & 1 == 1;
    for index in 0..system.signals().len() as u32 {
        let expected = frame.signal(SignalId(index)).expect("all signals have values");
        let found = lanes.value(SignalId(index), lane).expect("finite");
        assert_eq!(
            &found,
            expected,
            "{what}: {} in lane {lane}\n{system}",
            system.signal(SignalId(index)).name
        );
    }
    for (index, property) in system.properties().iter().enumerate() {
        let PropertyKind::Invariant(expr) = property.kind else { continue };
        let expected = frame.value(expr).expect("evaluates").as_bool();
        assert_eq!(lanes.property(PropertyId(index as u32)).map(bit), expected, "{what}: {}", property.name);
    }
    let always = frame.violated_constraint(ConstraintKind::Always).expect("evaluates").is_none();
    assert_eq!(bit(lanes.always()), always, "{what}: always\n{system}");
    let wanted = frame.initial_values().expect("evaluates");
    let starts = system
        .states()
        .iter()
        .zip(&wanted)
        .all(|(state, wanted)| wanted.as_ref().is_none_or(|wanted| Some(wanted) == frame.signal(*state)));
    let initial = starts && frame.violated_constraint(ConstraintKind::Initial).expect("evaluates").is_none();
    assert_eq!(bit(lanes.initial()), initial, "{what}: initial\n{system}");
    assert!(bit(lanes.meaningful()), "{what}: all values are meaningful");
}

/// Chooses open successors, compares transition constraints, advances and compares the next states.
fn compare_successors(
    random: &mut Random,
    lanes: &Lanes,
    frames: &mut [Frame<'_>],
    system: &System,
    what: &str,
) {
    let mut lanes = lanes.clone();
    let mut all = Vec::new();
    for (lane, frame) in frames.iter_mut().enumerate() {
        let states = frame.successor_values().expect("evaluates");
        let mut chosen = Vec::new();
        for (state, defined) in system.states().iter().zip(states) {
            let value = defined.clone().unwrap_or_else(|| random_value(random, &system.signal(*state).sort));
            if defined.is_none() {
                // There is no setter by value for successors: encode through a scratch copy of the state's bits.
                let mut scratch = lanes.clone();
                scratch.set(*state, lane as u32, &value).expect("finite");
                let bits = scratch.leaf_mut(*state).to_vec();
                for (slot, bit) in lanes.successor_mut(*state).iter_mut().zip(bits) {
                    *slot = *slot & !(1 << lane) | bit & (1 << lane);
                }
            }
            chosen.push(value);
        }
        frame.set_next(&chosen).expect("one value for each state");
        all.push(chosen);
    }
    let transition = lanes.transition();
    lanes.advance();
    for (lane, (frame, states)) in frames.iter_mut().zip(&all).enumerate() {
        let holds = frame.violated_constraint(ConstraintKind::Transition).expect("evaluates").is_none();
        assert_eq!(transition >> lane & 1 == 1, holds, "{what}: transition in lane {lane}\n{system}");
        for (state, value) in system.states().iter().zip(states) {
            let found = lanes.value(*state, lane as u32).expect("finite");
            assert_eq!(&found, value, "{what}: next {}\n{system}", system.signal(*state).name);
        }
    }
}

#[test]
fn lanes_agree_with_the_interpreter_under_edits() {
    for seed in 0..600 {
        let (system, edits) = random_case(seed);
        let what = format!("seed {seed}, {}", system.show_edits(&edits));
        let mut random = Random::new(seed);
        let interpreter = Interpreter::new(&system, &edits).expect("no loops");
        let mut lanes = Lanes::new(&system, &edits).expect("finite");
        let steps: Vec<_> = (0..12).map(|_| random_step(&mut random, &interpreter)).collect();
        // Neighbours and both ends, so that a mixed-up lane shows.
        let place = |index: usize| if index < 11 { index as u32 } else { 63 };
        for (index, step) in steps.iter().enumerate() {
            load(&mut lanes, place(index), step, &interpreter);
        }
        lanes.evaluate();
        let mut frames = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let mut frame = interpreter.frame(step).expect("fits");
            compare(&mut lanes, place(index), &mut frame, &system, &what);
            frames.push(frame);
        }
        frames.truncate(11);
        compare_successors(&mut random, &lanes, &mut frames, &system, &what);
    }
}

#[test]
fn a_fault_in_one_lane_is_an_edit_in_that_lane_only() {
    for seed in 0..600 {
        let system = random_system(seed);
        let mut random = Random::new(seed ^ 0xfa17);
        let elements: Vec<ElementId> = system.element_ids().collect();
        let none = Edits::none();
        let unedited = Interpreter::new(&system, &none).expect("no loops");
        let mut lanes = Lanes::new(&system, &none).expect("finite");
        // Lane 0 has no fault; several lanes may have a fault at the same element.
        let faults: Vec<Edits> = (1..11)
            .map(|_| {
                let element = *random.pick(&elements);
                let sort = match system.element(element).site {
                    Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => {
                        system.signal(signal).sort.clone()
                    }
                    Site::Constraint(_) => Sort::BOOL,
                };
                let invert = sort.width().is_some() && random.percent(50);
                Edits::one(
                    element,
                    if invert { Edit::Invert } else { Edit::Const(random_value(&mut random, &sort)) },
                )
            })
            .collect();
        for (index, edits) in faults.iter().enumerate() {
            for (element, edit) in edits.iter() {
                let fault = match edit {
                    Edit::Const(value) => Fault::Stuck(value),
                    _ => Fault::Inverted,
                };
                assert!(lanes.force(element, 1 << (index + 1), fault), "seed {seed}");
            }
        }
        let interpreters: Vec<_> = std::iter::once(&none)
            .chain(&faults)
            .map(|edits| Interpreter::new(&system, edits).expect("no loops"))
            .collect();
        let mut frames = Vec::new();
        let mut steps = Vec::new();
        for (lane, interpreter) in interpreters.iter().enumerate() {
            let step = random_step(&mut random, interpreter);
            load(&mut lanes, lane as u32, &step, &unedited);
            frames.push(interpreter.frame(&step).expect("fits"));
            steps.push(step);
        }
        lanes.evaluate();
        for (lane, frame) in frames.iter_mut().enumerate() {
            compare(&mut lanes, lane as u32, frame, &system, &format!("seed {seed}"));
        }
        compare_successors(&mut random, &lanes, &mut frames, &system, &format!("seed {seed}"));
        // Without the faults, lanes are healthy again.
        lanes.clear_forces();
        lanes.evaluate();
        for (lane, step) in steps.iter().enumerate() {
            let mut frame = unedited.frame(step).expect("fits");
            compare(&mut lanes, lane as u32, &mut frame, &system, &format!("seed {seed}, cleared"));
        }
    }
}

#[test]
fn an_overlay_means_the_same_as_writing_the_edits_into_the_system() {
    for seed in 0..1500 {
        let (system, edits) = random_case(seed);
        let what = format!("seed {seed}, {}\n{system}", system.show_edits(&edits));
        let written = system.edited(&edits);
        written.validate().expect("edits keep systems valid");
        let none = Edits::none();
        let overlay = Interpreter::new(&system, &edits).expect("no loops");
        let plain = Interpreter::new(&written, &none).expect("no loops");
        let mut random = Random::new(seed);
        for _ in 0..4 {
            let step = random_step(&mut random, &overlay);
            let mut written_step = step.clone();
            // Freed wires became inputs, in the order of the elements.
            written_step.inputs.extend(std::mem::take(&mut written_step.free).into_values());
            let mut a = overlay.frame(&step).expect("fits");
            let mut b = plain.frame(&written_step).expect("fits");
            for index in 0..system.signals().len() as u32 {
                assert_eq!(a.signal(SignalId(index)), b.signal(SignalId(index)), "{what}");
            }
            assert_eq!(a.initial_values(), b.initial_values(), "{what}");
            assert_eq!(a.successor_values(), b.successor_values(), "{what}");
            let next: Vec<_> = system
                .states()
                .iter()
                .map(|state| random_value(&mut random, &system.signal(*state).sort))
                .collect();
            a.set_next(&next).expect("fits");
            b.set_next(&next).expect("fits");
            for kind in [ConstraintKind::Always, ConstraintKind::Initial, ConstraintKind::Transition] {
                assert_eq!(a.violated_constraint(kind), b.violated_constraint(kind), "{what}");
            }
        }
    }
}

fn all_values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::BitVec(width) => {
            (0..1 << width).map(|value| Value::Bits(Bits::from_u64(*width, value))).collect()
        }
        Sort::Enum(variants) => {
            (0..variants.variants.len() as u32).map(|v| Value::Enum(variants.clone(), v)).collect()
        }
        Sort::Array(array) => {
            let elements = all_values(&array.element);
            let mut arrays = vec![ArrayValue::constant(array.clone(), elements[0].clone())];
            for index in all_values(&array.index) {
                let index = index.as_bits().expect("indices are bit-vectors").clone();
                arrays = arrays
                    .iter()
                    .flat_map(|array| {
                        elements.iter().map(|element| {
                            let mut array = array.clone();
                            array.write(index.clone(), element.clone());
                            array
                        })
                    })
                    .collect();
            }
            arrays.into_iter().map(Value::Array).collect()
        }
        Sort::Int | Sort::Real => unreachable!("only finite systems are enumerated"),
    }
}

/// All combinations of one value from each list.
fn product(lists: &[Vec<Value>]) -> Vec<Vec<Value>> {
    lists.iter().fold(vec![Vec::new()], |prefixes, list| {
        prefixes
            .iter()
            .flat_map(|prefix| {
                list.iter().map(|value| [prefix.as_slice(), std::slice::from_ref(value)].concat())
            })
            .collect()
    })
}

/// Plain enumeration of all runs, as the definition of a run reads. Returns the shortest violation of each property.
struct Reference {
    reachable: HashMap<Vec<Value>, usize>,
    violations: Vec<Option<Trace>>,
}

fn reference(system: &System, edits: &Edits) -> Reference {
    let interpreter = Interpreter::new(system, edits).expect("no loops");
    let values = |signals: &[SignalId]| {
        product(&signals.iter().map(|signal| all_values(&system.signal(*signal).sort)).collect::<Vec<_>>())
    };
    let inputs = values(system.inputs());
    let free_wires: Vec<SignalId> = interpreter.free_wires().iter().map(|(_, wire)| *wire).collect();
    let free = values(&free_wires);
    let states = values(system.states());
    let mut result =
        Reference { reachable: HashMap::new(), violations: vec![None; system.properties().len()] };
    // A step is a node of the search only through its states; traces are kept whole, which is slow and simple.
    let mut queue: VecDeque<(Trace, Vec<Value>)> =
        states.iter().map(|states| (Trace::default(), states.clone())).collect();
    let mut queued: HashSet<Vec<Value>> = HashSet::new();
    while let Some((trace, current)) = queue.pop_front() {
        for inputs in &inputs {
            for free in &free {
                let free: BTreeMap<_, _> = interpreter
                    .free_wires()
                    .iter()
                    .map(|(element, _)| *element)
                    .zip(free.iter().cloned())
                    .collect();
                let step = Step { inputs: inputs.clone(), states: current.clone(), free };
                let mut frame = interpreter.frame(&step).expect("fits");
                if frame.violated_constraint(ConstraintKind::Always).expect("evaluates").is_some() {
                    continue;
                }
                let depth = trace.steps.len();
                if depth == 0 {
                    let wanted = frame.initial_values().expect("evaluates");
                    let starts = wanted
                        .iter()
                        .zip(&current)
                        .all(|(wanted, is)| wanted.as_ref().is_none_or(|w| w == is));
                    let holds =
                        frame.violated_constraint(ConstraintKind::Initial).expect("evaluates").is_none();
                    if !starts || !holds {
                        continue;
                    }
                }
                let mut longer = trace.clone();
                longer.steps.push(step);
                result.reachable.entry(current.clone()).or_insert(depth);
                for (property, violation) in system.properties().iter().zip(&mut result.violations) {
                    let PropertyKind::Invariant(expr) = property.kind else { continue };
                    if violation.is_none() && frame.value(expr).expect("evaluates") == Value::bool(false) {
                        *violation = Some(longer.clone());
                    }
                }
                let successors = frame.successor_values().expect("evaluates");
                let lists: Vec<_> = successors
                    .into_iter()
                    .zip(system.states())
                    .map(|(value, state)| match value {
                        Some(value) => vec![value],
                        None => all_values(&system.signal(*state).sort),
                    })
                    .collect();
                for next in product(&lists) {
                    frame.set_next(&next).expect("fits");
                    let moves =
                        frame.violated_constraint(ConstraintKind::Transition).expect("evaluates").is_none();
                    if moves && queued.insert(next.clone()) {
                        queue.push_back((longer.clone(), next));
                    }
                }
            }
        }
    }
    result
}

fn bits_to_enumerate(system: &System, edits: &Edits) -> u64 {
    let bits =
        |signal: &SignalId| propcov_ir::words::bit_count(&system.signal(*signal).sort).expect("finite");
    let interpreter = Interpreter::new(system, edits).expect("no loops");
    let free: u64 = interpreter.free_wires().iter().map(|(_, wire)| bits(wire)).sum();
    system.inputs().iter().chain(system.states()).map(bits).sum::<u64>() + free
}

#[test]
fn the_oracle_agrees_with_plain_enumeration_and_its_shortest_violations_replay() {
    let (mut compared, mut replayed, mut edited) = (0, 0, 0);
    for seed in 0..2500 {
        let (system, edits) = random_case(seed);
        if bits_to_enumerate(&system, &edits) > 8 {
            continue;
        }
        let what = format!("seed {seed}, {}\n{system}", system.show_edits(&edits));
        let explicit = match Explicit::explore(&system, &edits) {
            Ok(explicit) => explicit,
            Err(ExploreError::TooLarge(_)) => continue,
            Err(error) => panic!("{error}: {what}"),
        };
        let reference = reference(&system, &edits);
        compared += 1;
        edited += usize::from(!edits.is_empty());
        assert_eq!(explicit.reachable(), reference.reachable.len(), "{what}");
        assert_eq!(explicit.assumptions_consistent(), !reference.reachable.is_empty(), "{what}");
        assert_eq!(explicit.diameter(), reference.reachable.values().copied().max().unwrap_or(0), "{what}");
        for (states, distance) in explicit.reachable_states() {
            assert_eq!(reference.reachable.get(&states), Some(&(distance as usize)), "{what}");
        }
        for (index, violation) in reference.violations.iter().enumerate() {
            let property = PropertyId(index as u32);
            match (violation, explicit.outcome(property)) {
                (Some(trace), Outcome::Violated { depth }) => {
                    assert_eq!(trace.depth(), depth, "{what}");
                    let interpreter = Interpreter::new(&system, &edits).expect("no loops");
                    assert_eq!(interpreter.replay(trace, property), Ok(()), "{what}");
                    replayed += 1;
                }
                (None, Outcome::Holds { .. }) => {}
                (_, outcome) => panic!("{outcome:?}: {what}"),
            }
        }
    }
    assert!(compared > 500 && replayed > 300 && edited > 200, "{compared} {replayed} {edited}");
}
