//! A search that is stopped at any moment: what it says is true, and it does not say more than it knows.

use super::ask::{Log, Options, Question, Way, default_ways, options, ways};
use super::oracle::Truth;
use super::statements;
use super::systems::{Several, several};
use propcov_budget::Interrupt;
use propcov_coverage::cores::{Algorithm, Analysis, Found, Goal, Holds, Minimality, Parts};
use propcov_ir::PropertyId;
use propcov_testkit::{
    LAST_STEP, Random, Scope, Validity, ValidityCase, for_random_arith_validity, for_random_validity,
};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How many searches ended early, and how many did not.
#[derive(Debug, Default)]
struct Counts {
    stopped: Cell<usize>,
    finished: Cell<usize>,
}

fn what_is_said_is_true(counts: &Counts, case: &ValidityCase<'_>) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x7374_6f70);
    let Some(Several { universe, system, properties, validities }) = several(case, &mut random, 1) else {
        return Ok(());
    };
    let question = Question { system: &system, universe: &universe, properties: &properties };
    for _ in 0..6 {
        let way = if random.percent(50) { *random.pick(&default_ways()) } else { *random.pick(&ways()) };
        let mut options =
            Options { together: true, threads: random.between(1, 2), ..options(way, case.seed) };
        let mut log = Log::default();
        let when = if random.percent(70) {
            let interrupt = Interrupt::default();
            let after = random.below(16) as u64;
            log.stop = Some((after, interrupt.clone()));
            options.limits.interrupt = interrupt;
            format!("after {after} announcements")
        } else {
            let time = Duration::from_micros(random.below(20_000) as u64);
            options.limits.deadline = Some(Instant::now() + time);
            format!("after {time:?}")
        };
        let analysis = question.ask_with(&options, &log);
        let validities: Vec<&Validity> = validities.iter().collect();
        check(counts, &question, &validities, way, &analysis, &log).map_err(|problem| {
            format!("{way:?} stopped {when}, {}: {problem}", statements::set(&universe))
        })?;
    }
    Ok(())
}

fn check(
    counts: &Counts,
    question: &Question<'_>,
    validities: &[&Validity],
    way: Way,
    analysis: &Analysis,
    log: &Log,
) -> Result<(), String> {
    for (cores, validity) in analysis.properties.iter().zip(validities) {
        let truth = Truth::of(&[validity], question.universe, Scope::Always);
        match cores.holds() {
            Holds::Unknown(_) => {
                let found = &cores.found;
                if !cores.outcome.internal_errors.is_empty() || !found.cores.is_empty() || found.complete {
                    return Err(format!("nothing is known, but {}", statements::shown(found)));
                }
                counts.stopped.set(counts.stopped.get() + 1);
            }
            Holds::No => question.check_holds(&truth, cores, None)?,
            _ => {
                question.check_holds(&truth, cores, None)?;
                check_found(counts, &truth, way, &cores.found, log, Some(cores.property))?;
            }
        }
    }
    let truth = Truth::of(validities, question.universe, Scope::Always);
    match &analysis.together {
        Some(found) => check_found(counts, &truth, (way.0, None), found, log, None)
            .and_then(|()| check_must_together(analysis, found, way))
            .map_err(|problem| format!("together: {problem}")),
        None => Ok(()),
    }
}

/// What is sure of one property is sure of all together, wherever the search was stopped.
fn check_must_together(analysis: &Analysis, found: &Found, way: Way) -> Result<(), String> {
    let nothing = Parts::default();
    let must = found.must.as_ref().unwrap_or(&nothing);
    if found.must.is_none() && way.0 != Goal::All {
        return Ok(());
    }
    for parts in analysis.properties.iter().filter_map(|cores| cores.found.must.as_ref()) {
        if !parts.sure.is_subset(&must.sure) {
            return Err(format!("{:?} is sure of one property, and {:?} of all", parts.sure, must.sure));
        }
    }
    Ok(())
}

fn check_found(
    counts: &Counts,
    truth: &Truth,
    way: Way,
    found: &Found,
    log: &Log,
    property: Option<PropertyId>,
) -> Result<(), String> {
    let heard = log.heard(property);
    statements::check(truth, found, &heard)?;
    match statements::check_exact(truth, way, found, &heard) {
        Ok(()) => counts.finished.set(counts.finished.get() + 1),
        Err(_) if found.stopped => counts.stopped.set(counts.stopped.get() + 1),
        Err(problem) => return Err(format!("it does not say that it was stopped: {problem}")),
    }
    Ok(())
}

/// Cores by depth: those that are there are right, and if some are missing or may be too large, it says so.
fn by_depth_is_true(counts: &Counts, case: &ValidityCase<'_>) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x6261_6e64);
    let properties = [case.property];
    let question = Question { system: case.system, universe: case.universe, properties: &properties };
    let way = (Goal::Minimal, Some(Algorithm::Bvc));
    for _ in 0..4 {
        let depth = random.below(LAST_STEP + 1) as u32;
        let after = random.below(30) as u64;
        let mut options = Options { depth: Some(depth), ..options(way, case.seed) };
        let interrupt = Interrupt::default();
        options.limits.interrupt = interrupt.clone();
        let mut log = Log::default();
        log.stop = Some((after, interrupt));
        let cores = question.ask_with(&options, &log).properties.pop().ok_or("no answer")?;
        if !cores.outcome.internal_errors.is_empty() {
            return Err(format!("internal errors: {:?}", cores.outcome.internal_errors));
        }
        let mut is_all = cores.by_depth.len() == depth as usize + 1;
        for (expected, core) in (0..).zip(&cores.by_depth) {
            let step = core.depth as usize;
            for (scope, core) in [(Scope::UpTo(step), &core.up_to), (Scope::At(step), &core.at)] {
                let truth = Truth::of(&[case.truth], case.universe, scope);
                statements::check_core(&truth, core).map_err(|problem| format!("{scope:?}: {problem}"))?;
                is_all &= core.minimal == Minimality::Minimal;
            }
            if core.depth != expected {
                return Err(format!("the core of depth {} comes after {expected} others", core.depth));
            }
        }
        let counter = if is_all { &counts.finished } else { &counts.stopped };
        counter.set(counter.get() + 1);
        if !is_all && !cores.found.stopped {
            let by_depth = cores.by_depth.len();
            return Err(format!("after {after}: {by_depth} depths up to {depth}, but it was not stopped"));
        }
    }
    Ok(())
}

#[test]
fn cores_by_depth_that_are_stopped_say_so() {
    let counts = Counts::default();
    for_random_validity(60, 1_095_000, |case| by_depth_is_true(&counts, case));
    enough(&counts);
}

fn enough(counts: &Counts) {
    if std::env::var("PROPCOV_SEED").is_err() {
        assert!(counts.stopped.get() > 10 && counts.finished.get() > 10, "{counts:?}");
    }
}

#[test]
fn a_stopped_search_in_a_finite_system_says_only_what_is_true() {
    let counts = Counts::default();
    for_random_validity(100, 1_080_000, |case| what_is_said_is_true(&counts, case));
    enough(&counts);
}

#[test]
fn a_stopped_search_in_a_system_with_ints_says_only_what_is_true() {
    let counts = Counts::default();
    for_random_arith_validity(20, 1_090_000, |case| what_is_said_is_true(&counts, case));
    enough(&counts);
}
