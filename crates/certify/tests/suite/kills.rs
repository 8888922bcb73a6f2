//! Killing runs, many at once, are accepted exactly when each is accepted by itself.

use crate::systems::one_in;
use propcov_certify::{Rejection, check_kills, check_trace};
use propcov_ir::{
    Bits, ConstraintKind, ElementId, ElementKind, ExprId, Interpreter, Kill, Mutant, Mutation, PropertyId,
    PropertyKind, SignalId, Site, Sort, Step, Stimulus, System, Value,
};
use propcov_testkit::{Random, bit_level_system, random_value, word_level_system};
use std::sync::Arc;

/// The definition.
fn alone(system: &System, property: PropertyId, mutant: Mutant, kill: &Kill) -> bool {
    let edits = mutant.edits(system);
    kill.trace(system, mutant).is_ok_and(|trace| check_trace(system, &edits, property, &trace).is_ok())
}

/// After how many steps the run violates the property, whether or not it may run so long.
fn first_violation(system: &System, property: PropertyId, mutant: Mutant, kill: &Kill) -> Option<usize> {
    let (trace, edits) = (kill.trace(system, mutant).ok()?, mutant.edits(system));
    let interpreter = Interpreter::new(system, &edits).ok()?;
    let PropertyKind::Invariant(expr) = system.property(property).kind else { return None };
    let violates = |step: &Step| {
        interpreter.frame(step).and_then(|mut frame| frame.value(expr)) == Ok(Value::bool(false))
    };
    trace.steps.iter().position(violates).map(|last| last + 1)
}

fn random_values(system: &System, signals: &[SignalId], random: &mut Random) -> Vec<Value> {
    signals.iter().map(|signal| random_value(random, &system.signal(*signal).sort)).collect()
}

fn random_stimulus(system: &System, steps: usize, random: &mut Random) -> Stimulus {
    let mut stimulus =
        Stimulus { start: random_values(system, system.states(), random), ..Stimulus::default() };
    for _ in 0..steps {
        stimulus.inputs.push(random_values(system, system.inputs(), random));
        stimulus.choices.push(random_values(system, system.states(), random));
    }
    stimulus
}

fn random_free(system: &System, mutant: Mutant, steps: usize, random: &mut Random) -> Vec<Value> {
    let sort = system.mutable_sort(mutant.element).expect("a mutable element");
    match mutant.mutation {
        Mutation::Free => (0..steps).map(|_| random_value(random, sort)).collect(),
        Mutation::Zero | Mutation::One | Mutation::OffByOne | Mutation::Stale => Vec::new(),
    }
}

/// Changes one value, takes something away, adds something, or puts in what does not fit.
fn corrupt(kill: &mut Kill, random: &mut Random) {
    let wide = Value::Bits(Bits::zero(7));
    let flip = |value: &mut Value, random: &mut Random| *value = random_value(random, &value.sort());
    let at = |length: usize, random: &mut Random| if length == 0 { 0 } else { random.below(length) };
    match random.below(12) {
        0 => kill.steps = kill.steps.saturating_sub(1),
        1 => kill.steps += 1,
        2 => kill.steps = random.below(20),
        3 => kill.free.truncate(kill.steps.saturating_sub(random.between(1, 2))),
        4 => _ = kill.free.first_mut().map(|value| flip(value, random)),
        5 => _ = kill.free.last_mut().map(|value| *value = wide.clone()),
        choice => {
            let stimulus = Arc::make_mut(&mut kill.stimulus);
            let step = at(stimulus.inputs.len(), random);
            match choice {
                6 => _ = stimulus.start.pop(),
                7 => stimulus.start.push(Value::bool(false)),
                8 => {
                    let state = at(stimulus.start.len(), random);
                    let value = if one_in(random, 2) { Value::bool(true) } else { wide };
                    _ = stimulus.start.get_mut(state).map(|old| *old = value);
                }
                9 => match random.below(3) {
                    0 => stimulus.inputs.truncate(step),
                    1 => _ = stimulus.inputs.get_mut(step).map(Vec::pop),
                    _ => _ = stimulus.inputs.get_mut(step).map(|values| values.push(Value::bool(true))),
                },
                10 => {
                    let old = stimulus.inputs.get_mut(step).and_then(|values| values.first_mut());
                    let fits = one_in(random, 2);
                    _ = old.map(|old| if fits { flip(old, random) } else { *old = wide });
                }
                _ => match random.below(3) {
                    0 => stimulus.choices.truncate(step),
                    1 => _ = stimulus.choices.get_mut(step).map(Vec::pop),
                    _ => {
                        let old = stimulus.choices.get_mut(step).and_then(|values| values.first_mut());
                        _ = old.map(|old| *old = wide);
                    }
                },
            }
        }
    }
}

/// How often each answer was given.
#[derive(Default)]
struct Tally {
    accepted: usize,
    rejected: usize,
}

fn compare(system: &System, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let property = PropertyId(random.below(system.properties().len()) as u32);
    let mutants: Vec<Mutant> = system.element_ids().flat_map(|element| system.mutants_of(element)).collect();
    if mutants.is_empty() {
        return Ok(());
    }
    let mut kills = Vec::new();
    for _ in 0..random.between(1, 4) {
        let steps = random.between(1, 9);
        let stimulus = Arc::new(random_stimulus(system, steps, random));
        for _ in 0..random.between(1, 40) {
            let mutant = *random.pick(&mutants);
            let free = random_free(system, mutant, steps, random);
            let mut kill = Kill { stimulus: Arc::clone(&stimulus), steps, free };
            kill.steps = first_violation(system, property, mutant, &kill).unwrap_or(steps);
            if one_in(random, 3) {
                corrupt(&mut kill, random);
            }
            kills.push((mutant, kill));
        }
    }
    let asked: Vec<(Mutant, &Kill)> = kills.iter().map(|(mutant, kill)| (*mutant, kill)).collect();
    for ((mutant, kill), answer) in kills.iter().zip(check_kills(system, property, &asked)) {
        if answer.is_ok() != alone(system, property, *mutant, kill) {
            let trace = kill.trace(system, *mutant);
            return Err(format!("{property:?}, {mutant:?}, {kill:?}: {answer:?}\n{trace:?}"));
        }
        *if answer.is_ok() { &mut tally.accepted } else { &mut tally.rejected } += 1;
    }
    Ok(())
}

fn compare_all(make: impl Fn(u64) -> System, first_seed: u64, count: u64) {
    let mut tally = Tally::default();
    for seed in first_seed..first_seed + count {
        let system = make(seed);
        if let Err(problem) = compare(&system, &mut Random::new(seed), &mut tally) {
            panic!("seed {seed}: {problem}\n{system}");
        }
    }
    let Tally { accepted, rejected } = tally;
    let few = count as usize * 3;
    assert!(accepted > few && rejected > few, "{accepted} accepted, {rejected} rejected: lopsided");
}

/// A Boolean expression over what the pool has; next-state values of these states where they may be read.
fn random_bit(system: &mut System, leaves: &[ExprId], depth: usize, random: &mut Random) -> ExprId {
    if depth == 0 || leaves.is_empty() || one_in(random, 6) {
        let constant = system.exprs.bool(one_in(random, 2));
        return if leaves.is_empty() || one_in(random, 12) { constant } else { *random.pick(leaves) };
    }
    let mut below = |random: &mut Random| random_bit(system, leaves, depth - 1, random);
    let (a, b, c) = (below(random), below(random), below(random));
    match random.below(6) {
        0 => system.exprs.not(a),
        1 => system.exprs.and(a, b),
        2 => system.exprs.or(a, b),
        3 => system.exprs.xor(a, b),
        4 => system.exprs.eq(a, b),
        _ => system.exprs.ite(a, b, c),
    }
}

/// Single bits with everything that systems of gates and latches lack: initial values that read other signals, states
/// without a next-state function, constraints on transitions, all operators.
fn rich_bit_system(seed: u64) -> System {
    let random = &mut Random::new(seed);
    let mut system = System::new();
    let mut leaves = Vec::new();
    for index in 0..random.below(4) {
        let input = system.add_input(format!("i{index}"), Sort::BOOL);
        leaves.push(system.read(input));
    }
    for index in 0..random.between(1, 6) {
        let state = system.add_state(format!("s{index}"), Sort::BOOL);
        leaves.push(system.read(state));
    }
    for index in 0..random.below(6) {
        let definition = random_bit(&mut system, &leaves, 2, random);
        let wire = system.add_wire(format!("w{index}"), definition);
        system.add_element(format!("w{index}"), ElementKind::Gate, Site::Wire(wire), None);
        leaves.push(system.read(wire));
    }
    for state in system.states().to_vec() {
        let name = system.signal(state).name.clone();
        if !one_in(random, 4) {
            let init = random_bit(&mut system, &leaves, 1, random);
            system.set_init(state, init);
            if system.validate().is_err() {
                let zero = system.exprs.bool(false);
                system.set_init(state, zero);
            }
        }
        if !one_in(random, 5) {
            let next = random_bit(&mut system, &leaves, 3, random);
            system.set_next(state, next);
        }
        // Sometimes of a state that has no next-state function.
        if !one_in(random, 8) {
            system.add_element(name, ElementKind::Register, Site::Next(state), None);
        }
    }
    for kind in [ConstraintKind::Always, ConstraintKind::Initial, ConstraintKind::Transition] {
        if !one_in(random, 3) {
            continue;
        }
        let mut readable = leaves.clone();
        if kind == ConstraintKind::Transition {
            let nexts =
                system.states().to_vec().into_iter().map(|state| system.exprs.next(state, Sort::BOOL));
            readable.extend(nexts.collect::<Vec<_>>());
        }
        let (a, b) =
            (random_bit(&mut system, &readable, 2, random), random_bit(&mut system, &readable, 2, random));
        let weak = system.exprs.or(a, b);
        system.add_constraint(format!("{kind:?}"), kind, weak);
    }
    let (a, b) = (random_bit(&mut system, &leaves, 2, random), random_bit(&mut system, &leaves, 2, random));
    let property = system.exprs.or(a, b);
    system.add_property("p", PropertyKind::Invariant(property), None);
    system
}

#[test]
fn runs_of_gates_and_latches_are_judged_as_one_by_one() {
    compare_all(bit_level_system, 600_000, 400);
}

#[test]
fn runs_of_all_that_single_bits_can_do_are_judged_as_one_by_one() {
    compare_all(rich_bit_system, 610_000, 1_200);
}

#[test]
fn runs_of_words_are_judged_as_one_by_one() {
    compare_all(word_level_system, 620_000, 60);
}

/// A latch that loads an input, and says that it is never set.
fn latch() -> (System, PropertyId, ElementId) {
    let mut system = System::new();
    let (input, state) = (system.add_input("i", Sort::BOOL), system.add_state("x", Sort::BOOL));
    let (i, zero) = (system.read(input), system.exprs.bool(false));
    system.set_init(state, zero);
    system.set_next(state, i);
    let element = system.add_element("x", ElementKind::Register, Site::Next(state), None);
    system.add_element("x.init", ElementKind::Init, Site::Init(state), None);
    let x = system.read(state);
    let low = system.exprs.not(x);
    let property = system.add_property("low", PropertyKind::Invariant(low), None);
    (system, property, element)
}

fn run(inputs: &[bool], steps: usize, free: &[bool]) -> Kill {
    let inputs = inputs.iter().map(|input| vec![Value::bool(*input)]).collect();
    let stimulus = Stimulus { start: vec![Value::bool(true)], inputs, choices: Vec::new() };
    Kill { stimulus: Arc::new(stimulus), steps, free: free.iter().copied().map(Value::bool).collect() }
}

#[test]
fn each_run_has_its_own_mutant_values_and_length() {
    let (system, property, element) = latch();
    let [free, zero, one] =
        [Mutation::Free, Mutation::Zero, Mutation::One].map(|mutation| Mutant { element, mutation });
    let (low, high) = (run(&[false; 3], 3, &[]), run(&[true; 3], 3, &[]));
    let freely = [run(&[false; 3], 3, &[false, true]), run(&[true; 3], 3, &[true, false])];
    let short = run(&[true; 3], 1, &[]);
    let kills = [
        (zero, &low),
        (one, &low),
        (zero, &high),
        (one, &high),
        (free, &freely[0]),
        (free, &freely[1]),
        (one, &short),
    ];
    let answers: Vec<bool> = check_kills(&system, property, &kills).iter().map(Result::is_ok).collect();
    assert_eq!(answers, [false, true, false, true, true, false, false]);
    assert!(check_kills(&system, property, &[]).is_empty());
}

#[test]
fn kills_that_mean_nothing_are_malformed_and_do_not_disturb_the_others() {
    let (system, property, element) = latch();
    let good = run(&[true; 2], 2, &[true]);
    let one = Mutant { element, mutation: Mutation::One };
    let missing = Mutant { element: ElementId(9), mutation: Mutation::One };
    let init = Mutant { element: ElementId(1), mutation: Mutation::Free };
    let answers = check_kills(&system, property, &[(missing, &good), (one, &good), (init, &good)]);
    assert!(matches!(answers[0], Err(Rejection::Malformed(_))), "{:?}", answers[0]);
    assert_eq!(answers[1], Ok(()));
    assert!(matches!(answers[2], Err(Rejection::Malformed(_))), "{:?}", answers[2]);
    let answers = check_kills(&system, PropertyId(3), &[(one, &good)]);
    assert!(matches!(answers[..], [Err(Rejection::Malformed(_))]), "{answers:?}");
    let unfit = Kill { free: Vec::new(), ..good.clone() };
    let endless = Kill { steps: usize::MAX, ..good.clone() };
    let none = Kill { steps: 0, ..good };
    let free = Mutant { element, mutation: Mutation::Free };
    for answer in check_kills(&system, property, &[(free, &unfit), (one, &endless), (one, &none)]) {
        assert!(matches!(answer, Err(Rejection::Trace(_))), "{answer:?}");
    }
}

#[test]
fn a_rejected_run_says_where_it_goes_wrong() {
    let (mut system, property, element) = latch();
    let i = system.read(system.inputs()[0]);
    system.add_constraint("input", ConstraintKind::Always, i);
    let one = Mutant { element, mutation: Mutation::One };
    let kill = run(&[true, false, true], 3, &[]);
    let answers = check_kills(&system, property, &[(one, &kill)]);
    let [Err(rejection)] = &answers[..] else { panic!("{answers:?}") };
    assert!(rejection.to_string().contains("step 1: constraint input does not hold"), "{rejection}");
}
