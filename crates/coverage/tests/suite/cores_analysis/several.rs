//! Several properties: each by itself, and all of them together.

use super::ask::{Log, Options, Question, Way, check_found, default_ways, options, ways};
use super::oracle::Truth;
use super::statements;
use super::systems::{Several, is_decided, several};
use propcov_coverage::cores::{Analysis, Goal};
use propcov_ir::PropertyId;
use propcov_testkit::{
    LAST_STEP, Random, Scope, Validity, ValidityCase, for_random_arith_validity, for_random_validity,
};
use std::cell::Cell;

/// How often all properties held, and how often not.
#[derive(Debug, Default)]
struct Counts {
    together: Cell<usize>,
    apart: Cell<usize>,
}

fn properties_together_are_their_conjunction(counts: &Counts, case: &ValidityCase<'_>) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x7365_7665_7261_6c00);
    let count = random.between(1, 2);
    let Some(Several { universe, system, properties, validities }) = several(case, &mut random, count) else {
        return Ok(());
    };
    // Those that hold, and now and then all.
    let holds = |at: &usize| validities[*at].is_adequate(&universe, Scope::Always);
    let all = 0..properties.len();
    let chosen: Vec<usize> = if random.percent(85) { all.filter(holds).collect() } else { all.collect() };
    let validities: Vec<&Validity> = chosen.iter().map(|at| &validities[*at]).collect();
    let properties: Vec<PropertyId> = chosen.iter().map(|at| properties[*at]).collect();
    let depth = random.percent(25).then(|| random.below(LAST_STEP + 1));
    let question = Question { system: &system, universe: &universe, properties: &properties };
    let other = *random.pick(&ways()[default_ways().len()..]);
    for way in default_ways().into_iter().chain([other]) {
        let options =
            Options { together: true, depth: depth.map(|depth| depth as u32), ..options(way, case.seed) };
        let (analysis, log) = question.ask(&options);
        let scope = depth.map_or(Scope::Always, Scope::UpTo);
        check(&question, &validities, way, scope, &analysis, &log).map_err(|problem| {
            format!("{way:?} of {properties:?}, {scope:?}, {}: {problem}", statements::set(&universe))
        })?;
        let counter = if analysis.together.is_some() { &counts.together } else { &counts.apart };
        counter.set(counter.get() + 1);
    }
    Ok(())
}

fn check(
    question: &Question<'_>,
    validities: &[&Validity],
    way: Way,
    scope: Scope,
    analysis: &Analysis,
    log: &Log,
) -> Result<(), String> {
    let asked: Vec<PropertyId> = analysis.properties.iter().map(|cores| cores.property).collect();
    if asked != question.properties {
        return Err(format!("asked about {:?}, and it is {asked:?}", question.properties));
    }
    let last = match scope {
        Scope::UpTo(last) => Some(last as u32),
        _ => None,
    };
    for (cores, validity) in analysis.properties.iter().zip(validities) {
        let truth = Truth::of(&[validity], question.universe, scope);
        question.check_holds(&truth, cores, last)?;
        if truth.holds() {
            check_found(&truth, way, cores, log)?;
        }
    }
    let truth = Truth::of(validities, question.universe, scope);
    let (heard, is_one) = (log.heard(None), validities.len() < 2);
    match &analysis.together {
        None if is_one || !truth.holds() => Ok(()),
        Some(found) if !is_one && truth.holds() => {
            let inner = || {
                statements::check(&truth, found, &heard)?;
                // For MUST nothing has to be asked, so there are no cores.
                let way = (way.0, None);
                statements::check_exact(&truth, way, found, &heard)
            };
            inner().map_err(|problem| format!("together: {problem}"))
        }
        other => Err(format!("together: {other:?}, and all hold: {}", truth.holds())),
    }
}

fn enough(counts: &Counts) {
    if std::env::var("PROPCOV_SEED").is_err() {
        assert!(counts.together.get() > counts.apart.get() / 2 && counts.apart.get() > 0, "{counts:?}");
    }
}

#[test]
fn properties_of_finite_systems_together_are_their_conjunction() {
    let counts = Counts::default();
    for_random_validity(120, 1_040_000, |case| properties_together_are_their_conjunction(&counts, case));
    enough(&counts);
}

#[test]
fn properties_of_systems_with_ints_together_are_their_conjunction() {
    let counts = Counts::default();
    for_random_arith_validity(20, 1_050_000, |case| properties_together_are_their_conjunction(&counts, case));
    enough(&counts);
}

/// The same property twice has the same cores, and both together have them, too.
#[test]
fn a_property_that_is_asked_about_twice_is_together_with_itself() {
    for_random_validity(15, 1_055_000, |case| {
        if !is_decided(case.system, case.property, case.truth) {
            return Ok(());
        }
        let truth = Truth::of(&[case.truth], case.universe, Scope::Always);
        let properties = [case.property; 2];
        let question = Question { system: case.system, universe: case.universe, properties: &properties };
        let way = (Goal::All, None);
        let (analysis, log) = question.ask(&Options { together: true, ..options(way, case.seed) });
        let together = analysis.together.as_ref().ok_or("nothing together")?;
        statements::check(&truth, together, &log.heard(None))?;
        statements::check_exact(&truth, way, together, &log.heard(None))
    });
}
