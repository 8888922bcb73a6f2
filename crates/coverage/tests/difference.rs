//! Hole witnesses against their definition by enumeration: the same depth, or none on both sides; and evidence that stands.

use propcov_certify::check_proof;
use propcov_coverage::difference::{
    Answer, Notion, Observation, Watched, check, observation, product, search,
};
use propcov_engine::Limits;
use propcov_ir::{Edits, ExprId, Mutant, Output, PropertyId, Sort, System, UnknownReason};
use propcov_sat::Budget;
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

/// The system with random outputs: random systems have none.
fn with_outputs(random: &mut Random, system: &System) -> System {
    let mut system = system.clone();
    let signals: Vec<_> = [system.inputs(), system.states(), system.wires()].concat();
    let leaves: Vec<ExprId> = signals.into_iter().map(|signal| system.read(signal)).collect();
    for index in 0..random.below(3) {
        let sort =
            if leaves.is_empty() { Sort::BOOL } else { system.exprs.sort(*random.pick(&leaves)).clone() };
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
        let properties = holding_properties(system).map_err(|error| error.to_string())?;
        let mut system = with_outputs(&mut random, system);
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
        let mut system = with_outputs(&mut random, system);
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
