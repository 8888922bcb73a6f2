//! Bounded questions: up to a depth, and depth by depth.

use super::ask::{Options, Question, Way, check_found, default_ways, options, ways};
use super::oracle::Truth;
use super::statements;
use super::systems::{some_of, with_claims};
use propcov_coverage::cores::{Algorithm, Core, Goal, Holds, Minimality};
use propcov_ir::PropertyId;
use propcov_testkit::{
    LAST_STEP, Random, Scope, Validity, ValidityCase, for_random_arith_validity, for_random_validity,
};

/// The first property holds, the second may fail, and perhaps only beyond the depth.
fn bounded_answers_are_right(case: &ValidityCase<'_>) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x6465_7074_6873);
    let universe = some_of(case);
    let (system, properties) = with_claims(&mut random, case.system, 1);
    let depth = random.below(LAST_STEP + 1);
    let other = *random.pick(&ways()[default_ways().len()..]);
    for property in properties {
        let Ok(validity) = Validity::decide(&system, property, &universe) else { return Ok(()) };
        let properties = [property];
        let question = Question { system: &system, universe: &universe, properties: &properties };
        for way in default_ways().into_iter().chain([other]) {
            up_to(&question, &validity, way, depth, case.seed).map_err(|problem| {
                format!("{way:?} of {property:?} up to {depth}, {}: {problem}", statements::set(&universe))
            })?;
        }
        by_depth(&question, &validity, depth, case.seed).map_err(|problem| {
            format!("{property:?} by depth, up to {depth}, {}: {problem}", statements::set(&universe))
        })?;
    }
    Ok(())
}

fn bounded(way: Way, depth: usize, seed: u64) -> Options {
    Options { depth: Some(depth as u32), ..options(way, seed) }
}

fn up_to(
    question: &Question<'_>,
    validity: &Validity,
    way: Way,
    depth: usize,
    seed: u64,
) -> Result<(), String> {
    let truth = Truth::of(&[validity], question.universe, Scope::UpTo(depth));
    let (analysis, log) = question.ask(&bounded(way, depth, seed));
    for cores in &analysis.properties {
        question.check_holds(&truth, cores, Some(depth as u32))?;
        if truth.holds() {
            check_found(&truth, way, cores, &log)?;
        }
    }
    Ok(())
}

fn by_depth(question: &Question<'_>, validity: &Validity, depth: usize, seed: u64) -> Result<(), String> {
    let way = (Goal::Minimal, Some(Algorithm::Bvc));
    let (analysis, _) = question.ask(&bounded(way, depth, seed));
    let truth = Truth::of(&[validity], question.universe, Scope::UpTo(depth));
    let cores = &analysis.properties[0];
    question.check_holds(&truth, cores, Some(depth as u32))?;
    if let Holds::No = cores.holds() {
        return Ok(());
    }
    let depths: Vec<usize> = cores.by_depth.iter().map(|core| core.depth as usize).collect();
    if depths != (0..=depth).collect::<Vec<_>>() {
        return Err(format!("cores for the depths {depths:?}"));
    }
    for core in &cores.by_depth {
        let step = core.depth as usize;
        for (scope, core) in [(Scope::UpTo(step), &core.up_to), (Scope::At(step), &core.at)] {
            let truth = Truth::of(&[validity], question.universe, scope);
            if core.minimal != Minimality::Minimal || !truth.is_minimal(&core.elements) {
                let found = statements::cores(std::slice::from_ref(core));
                let minimal: Vec<String> = truth.cores.iter().map(statements::set).collect();
                return Err(format!("{scope:?}:{found}, minimal are {minimal:?}"));
            }
        }
    }
    let last: Vec<&Core> = cores.by_depth.last().into_iter().map(|core| &core.up_to).collect();
    if cores.found.cores.iter().collect::<Vec<_>>() != last || cores.found.stopped || cores.found.complete {
        return Err(format!("the core of the last depth is reported: {}", statements::shown(&cores.found)));
    }
    Ok(())
}

#[test]
fn bounded_cores_of_finite_systems_are_right() {
    for_random_validity(150, 1_020_000, bounded_answers_are_right);
}

#[test]
fn bounded_cores_of_systems_with_ints_are_right() {
    for_random_arith_validity(25, 1_030_000, bounded_answers_are_right);
}

/// Beyond the induction that proves the property, and with nothing in question.
#[test]
fn depths_may_be_large_and_universes_empty() {
    for_random_validity(10, 1_035_000, |case| {
        let empty = propcov_ir::ElementSet::new();
        let properties: [PropertyId; 1] = [case.property];
        let question = Question { system: case.system, universe: &empty, properties: &properties };
        let truth = Truth::new(&empty, |_| true);
        let way = (Goal::All, None);
        let (analysis, log) = question.ask(&bounded(way, 40, case.seed));
        question.check_holds(&truth, &analysis.properties[0], Some(40))?;
        check_found(&truth, way, &analysis.properties[0], &log)
    });
}
