//! Hole witnesses against their definition by enumeration: the same depth, or none on both sides; and evidence that stands.

use propcov_budget::Budget;
use propcov_certify::check_proof;
use propcov_coverage::difference::{
    Answer, Notion, Observation, Watched, check, observation, product, search,
};
use propcov_engine::Limits;
use propcov_ir::{
    Difference, Edits, ElementId, ExprId, Mutant, Mutation, Output, PropertyId, PropertyKind, Sort, Step,
    System, Trace, UnknownReason, Value,
};
use propcov_testkit::{
    Explicit, ExploreError, Expressions, Outcome, Random, all_mutants, coverage_by_property,
    for_random_systems, holding_properties, shortest_difference,
};
use std::cell::RefCell;

/// Deeper than any random system needs; only there so that nothing runs for ever.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.depth = Some(100);
    limits
}

/// The system with what random systems have rarely or never: initial values that depend on wires, a state that starts with
/// such a value and then goes anywhere, and outputs.
fn varied(random: &mut Random, system: &System) -> System {
    let mut system = system.clone();
    let signals: Vec<_> = [system.inputs(), system.states(), system.wires()].concat();
    let mut leaves: Vec<ExprId> = signals.into_iter().map(|signal| system.read(signal)).collect();
    if random.percent(50) {
        let extra = system.add_state("extra", Sort::BOOL);
        let init = Expressions::new(random, &mut system.exprs, &leaves).expr(&Sort::BOOL, 1);
        system.set_init(extra, init);
        // Twice, to be an output more often.
        leaves.extend([system.read(extra); 2]);
    }
    if random.percent(30) {
        let mut other = system.clone();
        let state = *random.pick(other.states());
        let sort = other.signal(state).sort.clone();
        let init = Expressions::new(random, &mut other.exprs, &leaves).expr(&sort, 1);
        other.set_init(state, init);
        if other.validate().is_ok() {
            system = other;
        }
    }
    for index in 0..random.below(3) {
        let sort = system.exprs.sort(*random.pick(&leaves)).clone();
        let expr = Expressions::new(random, &mut system.exprs, &leaves).expr(&sort, 1);
        system.outputs.push(Output { name: format!("o{index}"), expr });
    }
    system
}

fn random_notion(random: &mut Random, system: &System) -> Notion {
    match random.below(4) {
        0 | 1 => Notion::Default,
        2 => Notion::Registers,
        _ => {
            let names = (0..random.between(1, 2)).map(|_| random.pick(system.signals()).name.clone());
            Notion::Named(names.collect())
        }
    }
}

/// The expressions that are observed. The system has one for each signal.
fn watched(system: &mut System, observation: &Observation) -> Vec<ExprId> {
    let expr = |(_, watched): &(String, Watched)| match watched {
        Watched::Expr(expr) => *expr,
        Watched::Signal(signal) => system.read(*signal),
    };
    observation.signals.iter().map(expr).collect()
}

#[derive(Debug, Default)]
struct Count {
    uncovered: usize,
    covered: usize,
    differs: usize,
    deep: usize,
    no_effect: usize,
    unknown: usize,
    skipped: usize,
}

#[test]
fn the_depth_is_that_of_the_definition_and_all_evidence_is_accepted() {
    let count = RefCell::new(Count::default());
    for_random_systems(1_300, 400_000, |seed, system| {
        let mut random = Random::new(seed);
        let mut system = varied(&mut random, system);
        let properties = holding_properties(&system).map_err(|error| error.to_string())?;
        let mutants = all_mutants(&system);
        if properties.is_empty() || mutants.is_empty() {
            return Ok(());
        }
        for _ in 0..3 {
            let mutant = *random.pick(&mutants);
            let covered =
                coverage_by_property(&system, &properties, &[mutant]).map_err(|error| error.to_string())?;
            let covered = covered.iter().flatten().any(|covered| *covered);
            let notion = random_notion(&mut random, &system);
            let observation = observation(&system, &properties, mutant, &notion);
            let observed = watched(&mut system, &observation);
            if observed.is_empty() {
                continue;
            }
            let mut count = count.borrow_mut();
            let expected = match shortest_difference(&system, mutant, &observed, &properties) {
                Err(ExploreError::TooLarge(_)) => {
                    count.skipped += 1;
                    continue;
                }
                expected => expected.map_err(|error| error.to_string())?,
            };
            *(if covered { &mut count.covered } else { &mut count.uncovered }) += 1;
            let what = format!("{mutant:?}, {notion:?}: the shortest is {expected:?}");
            let (answer, _) = search(&system, &properties, mutant, &observation, &limits(), seed);
            judge(&system, &properties, mutant, &observation, &answer, expected, &mut count)
                .map_err(|problem| format!("{what}, {problem}"))?;
        }
        Ok(())
    });
    let count = count.into_inner();
    assert!(count.uncovered >= 2_000 && count.covered > 200, "{count:?}");
    assert!(count.differs > 500 && count.deep > 30 && count.no_effect > 500, "{count:?}");
    assert!(count.unknown * 50 < count.uncovered && count.skipped * 10 < count.uncovered, "{count:?}");
}

fn judge(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    observation: &Observation,
    answer: &Answer,
    expected: Option<usize>,
    count: &mut Count,
) -> Result<(), String> {
    match (answer, expected) {
        (Answer::Differs { difference, shortest: true }, Some(depth)) => {
            let found = difference.original.depth();
            if found != depth {
                return Err(format!("found one of {found} transitions"));
            }
            count.differs += 1;
            count.deep += usize::from(depth > 5);
            check(system, properties, mutant, observation, difference)
                .map_err(|rejection| format!("which is rejected: {rejection}"))
        }
        (Answer::NoEffect(proof), None) => {
            count.no_effect += 1;
            let product = product(system, properties, mutant, observation).map_err(|why| why.to_string())?;
            check_proof(&product.system, &product.edits(), product.property, proof, &Budget::default())
                .map_err(|rejection| format!("the proof is rejected: {rejection}"))
        }
        // An incomplete engine, or a bound that was reached: allowed, but rare.
        (Answer::Unknown(UnknownReason::Incomplete(_) | UnknownReason::Bounded(_)), _) => {
            count.unknown += 1;
            Ok(())
        }
        (answer, _) => Err(format!("found {answer:?}")),
    }
}

/// The product by itself, without engines: its shortest violation by enumeration is the shortest difference.
#[test]
fn a_run_of_the_product_is_a_pair_of_runs() {
    let count = RefCell::new((0, 0));
    for_random_systems(1_000, 410_000, |seed, system| {
        let mut random = Random::new(seed);
        let mut system = varied(&mut random, system);
        // Here properties need not hold: then they restrict the runs.
        let all = (0..system.properties().len() as u32).map(PropertyId);
        let properties: Vec<_> = all.filter(|_| random.percent(50)).collect();
        let mutants = all_mutants(&system);
        if mutants.is_empty() {
            return Ok(());
        }
        let mutant = *random.pick(&mutants);
        let observation = observation(&system, &properties, mutant, &random_notion(&mut random, &system));
        let observed = watched(&mut system, &observation);
        let Ok(product) = product(&system, &properties, mutant, &observation) else { return Ok(()) };
        product.system.validate().map_err(|error| error.to_string())?;
        let explore = |edits: &Edits| Explicit::explore(&product.system, edits);
        let (Ok(same), Ok(mutated)) = (explore(&Edits::none()), explore(&product.edits())) else {
            return Ok(());
        };
        if matches!(same.outcome(product.property), Outcome::Violated { .. }) {
            return Err("the copies differ without the mutation".to_owned());
        }
        let Ok(expected) = shortest_difference(&system, mutant, &observed, &properties) else {
            return Ok(());
        };
        let found = match mutated.outcome(product.property) {
            Outcome::Violated { depth } => Some(depth),
            Outcome::Holds { .. } => None,
        };
        let (compared, different) = *count.borrow();
        *count.borrow_mut() = (compared + 1, different + usize::from(found.is_some()));
        if found == expected { Ok(()) } else { Err(format!("{mutant:?}: {found:?}, expected {expected:?}")) }
    });
    let (compared, different) = count.into_inner();
    assert!(compared > 500 && different > 100, "{different} of {compared}");
}

fn read(path: &str, text: &str) -> System {
    propcov_frontend::read(path, text.as_bytes()).expect("well-formed").system
}

fn mutant(system: &System, element: &str, mutation: Mutation) -> Mutant {
    let named = |id: &ElementId| system.element(*id).name == element;
    Mutant { element: system.element_ids().find(named).expect("exists"), mutation }
}

fn names(observation: &Observation) -> Vec<&str> {
    observation.signals.iter().map(|(name, _)| name.as_str()).collect()
}

const PROPERTY: [PropertyId; 1] = [PropertyId(0)];

/// Latches `a` (the input, delayed), `b` (a, delayed) and `c`, on which no property depends. The property is that not both
/// `b` and its negation hold.
const DELAY: &str = "aag 5 1 3 1 1\n2\n4 2\n6 4\n8 6\n10\n10 6 7\ni0 in\nl0 a\nl1 b\nl2 c\no0 never\n";

/// The same, with the bad state declared as such, and `a` as an output.
const DELAY_19: &str =
    "aag 5 1 3 1 1 1\n2\n4 2\n6 4\n8 6\n4\n10\n10 6 7\ni0 in\nl0 a\nl1 b\nl2 c\no0 early\nb0 never\n";

#[test]
fn by_default_outputs_are_observed_unless_they_are_the_properties() {
    let system = read("delay.aag", DELAY);
    let of = |system: &System, element: &str, notion: &Notion| {
        observation(system, &PROPERTY, mutant(system, element, Mutation::Free), notion)
    };
    assert_eq!(names(&of(&system, "c", &Notion::Registers)), ["a", "b"]);
    let last = of(&system, "c", &Notion::Default);
    assert_eq!(names(&last), ["a", "b", "c"], "nothing reads it: it is there to be looked at");
    assert_eq!(last.words, "the registers");
    let own = of(&system, "a", &Notion::Default);
    assert_eq!(names(&own), ["b", "c"]);
    assert_eq!(own.words, "the registers other than a");
    assert!(of(&system, "a", &Notion::Outputs).signals.is_empty());
    // An output that is a constant shows nothing, whatever the property is.
    let silent = read("silent.aag", "aag 2 1 1 1 0\n2\n4 2\n0\ni0 in\nl0 a\no0 never\n");
    assert_eq!(names(&of(&silent, "a", &Notion::Default)), ["a"]);
    let system = read("delay.aag", DELAY_19);
    let outputs = of(&system, "a", &Notion::Default);
    assert_eq!((names(&outputs), outputs.words.as_str()), (vec!["early"], "the outputs"));
    assert_eq!(names(&of(&system, "a", &Notion::Registers)), ["b", "c"]);
    let asked = Notion::Named(["c", "early", "nonsense"].map(str::to_owned).to_vec());
    let named = of(&system, "a", &asked);
    assert_eq!(
        (names(&named), named.missing.as_slice()),
        (vec!["c", "early"], ["nonsense".to_owned()].as_slice())
    );
    assert_eq!(named.words, "c, early");
}

#[test]
fn an_output_that_is_an_assertion_in_disguise_does_not_count() {
    let text = "1 sort bitvec 1\n2 input 1 a\n3 state 1 s\n4 next 1 3 2\n5 not 1 3\n6 output 5 prop_neg\n\
        7 one 1\n8 not 1 3\n9 and 1 7 8\n10 bad 9\n";
    let system = read("yosys.btor2", text);
    let found = observation(&system, &PROPERTY, mutant(&system, "n5", Mutation::Zero), &Notion::Default);
    assert_eq!(names(&found), ["s"]);
    let outputs = observation(&system, &PROPERTY, mutant(&system, "n5", Mutation::Zero), &Notion::Outputs);
    assert_eq!(outputs.words, "the outputs that are no properties");
    // When that property is not asked about, the output is one like any other.
    let others = observation(&system, &[], mutant(&system, "n5", Mutation::Zero), &Notion::Default);
    assert_eq!((names(&others), others.words.as_str()), (vec!["prop_neg"], "the outputs"));
}

#[test]
fn a_mutated_bit_of_a_register_is_the_register_itself() {
    let text = "1 sort bitvec 4\n2 sort bitvec 1\n3 state 1 s\n4 one 1\n5 add 1 3 4\n6 next 1 3 5\n7 state 1 t\n\
        8 next 1 7 3\n9 redand 2 7\n10 bad 9\n";
    let system = read("count.btor2", text);
    let split = system.split_bits(&system.element_ids().collect()).system;
    let found = observation(&split, &PROPERTY, mutant(&split, "s[2]", Mutation::Zero), &Notion::Registers);
    assert_eq!(names(&found), ["t"]);
    let found = observation(&split, &PROPERTY, mutant(&split, "n5[2]", Mutation::Zero), &Notion::Registers);
    assert_eq!(names(&found), ["s", "t"]);
}

fn found(system: &System, mutant: Mutant, notion: &Notion) -> (Observation, Difference) {
    let observation = observation(system, &PROPERTY, mutant, notion);
    match search(system, &PROPERTY, mutant, &observation, &limits(), 0).0 {
        Answer::Differs { difference, shortest: true } => (observation, difference),
        answer => panic!("{answer:?}"),
    }
}

#[test]
fn a_witness_has_no_more_than_it_needs() {
    let system = read("delay.aag", DELAY);
    // The mutant of `a` misbehaves once; that is seen at `b` one step later.
    let (_, difference) = found(&system, mutant(&system, "a", Mutation::Free), &Notion::Default);
    assert_eq!(difference.observed, ["b"]);
    assert_eq!(difference.original.depth(), 2);
    let show = |trace: &Trace| -> Vec<String> {
        let all = |step: &Step| step.inputs.iter().chain(&step.states).map(ToString::to_string).collect();
        trace.steps.iter().map(all).collect()
    };
    assert_eq!(show(&difference.original), ["0000", "0000", "0000"]);
    assert_eq!(show(&difference.mutated), ["0000", "0100", "0010"]);
    // A register that is stuck at 0 is seen only if it should have been 1.
    let (_, difference) = found(&system, mutant(&system, "a", Mutation::Zero), &Notion::Default);
    assert_eq!(show(&difference.original), ["1000", "0100", "0010"]);
    assert_eq!(show(&difference.mutated), ["1000", "0000", "0000"]);
}

#[test]
fn redundant_logic_has_no_effect_and_the_proof_says_so() {
    // The output is a, or both a and b: the second gate adds nothing.
    let text = "aag 7 2 1 1 2 1\n2\n4\n6 11\n6\n13\n8 2 4\n10 3 9\n";
    let text = text.replace("\n13\n", "\n0\n").replace("aag 7", "aag 5");
    let system = read("redundant.aag", &text);
    let gate = mutant(&system, "and4", Mutation::Zero);
    let observation = observation(&system, &PROPERTY, gate, &Notion::Default);
    assert_eq!(names(&observation), ["o0"]);
    let (answer, _) = search(&system, &PROPERTY, gate, &observation, &limits(), 0);
    assert!(matches!(answer, Answer::NoEffect(_)), "{answer:?}");
    let (_, difference) = found(&system, mutant(&system, "and4", Mutation::One), &Notion::Default);
    assert_eq!(difference.original.depth(), 1);
}

#[test]
fn what_cannot_be_asked_or_decided_is_unknown_with_a_reason() {
    let system = read("delay.aag", DELAY);
    let a = mutant(&system, "a", Mutation::Free);
    let nobody = observation(&system, &PROPERTY, a, &Notion::Outputs);
    let (answer, _) = search(&system, &PROPERTY, a, &nobody, &limits(), 0);
    assert!(matches!(&answer, Answer::Unknown(UnknownReason::Incomplete(_))), "{answer:?}");
    let somebody = observation(&system, &PROPERTY, a, &Notion::Default);
    let stopped = limits();
    stopped.interrupt.raise();
    let (answer, stats) = search(&system, &PROPERTY, a, &somebody, &stopped, 0);
    assert!(matches!(&answer, Answer::Unknown(UnknownReason::Cancelled)), "{answer:?} {stats:?}");
    let mut shallow = limits();
    shallow.depth = Some(1);
    let (answer, _) = search(&system, &PROPERTY, a, &somebody, &shallow, 0);
    assert!(matches!(&answer, Answer::Unknown(UnknownReason::Bounded(1))), "{answer:?}");
}

/// What the rejection says, and what is wrong.
type Tamper<'t> = (&'t str, &'t dyn Fn(&mut Difference));

#[test]
fn a_witness_that_is_none_is_rejected() {
    let system = read("delay.aag", DELAY);
    let a = mutant(&system, "a", Mutation::Free);
    let (observation, good) = found(&system, a, &Notion::Default);
    let judge = |difference: &Difference| check(&system, &PROPERTY, a, &observation, difference);
    assert_eq!(judge(&good), Ok(()));
    let bit = Value::bool(true);
    let tampered: [Tamper<'_>; 7] = [
        ("what differs", &|difference| difference.observed = vec!["a".to_owned()]),
        ("inputs", &|difference| difference.mutated.steps[2].inputs[0] = Value::bool(true)),
        ("lengths", &|difference| drop(difference.mutated.steps.pop())),
        ("empty", &|difference| {
            difference.original.steps.clear();
            difference.mutated.steps.clear();
        }),
        ("the step before", &|difference| difference.original.steps[2].states[1] = bit.clone()),
        ("starts with", &|difference| difference.mutated.steps[0].states[0] = bit.clone()),
        ("nothing that is observed", &|difference| {
            difference.original.steps.pop();
            difference.mutated.steps.pop();
        }),
    ];
    for (why, tamper) in tampered {
        let mut bad = good.clone();
        tamper(&mut bad);
        let rejection = judge(&bad).expect_err(why).to_string();
        assert!(rejection.contains(why), "{why}: {rejection}");
    }
    // Both runs have to satisfy the properties: here, those of another question.
    let mut strict = system.clone();
    let b = strict.read(strict.states()[1]);
    let never = strict.exprs.not(b);
    let never = strict.add_property("never b", PropertyKind::Invariant(never), None);
    let rejection = check(&strict, &[never], a, &observation, &good).expect_err("b is 1 in the mutant");
    assert!(rejection.to_string().contains("a property does not hold in step 2"), "{rejection}");
}
