//! Random Lustre programs, with ints and reals that have no bounds: the truth about slices is what engines say of each, one by one, as far as the independent checker accepts it.

use super::ask::{Options, Question, Way, check_found, default_ways, options, ways};
use super::oracle::Truth;
use super::statements;
use propcov_budget::Budget;
use propcov_certify::{check_proof, check_trace};
use propcov_coverage::cores::Holds;
use propcov_engine::{Config, Limits, Silent, portfolio};
use propcov_ir::{Edit, Edits, ElementId, ElementKind, ElementSet, PropertyId, System, Verdict};
use propcov_testkit::Random;
use propcov_testkit::lustre::{Failure, Kind, for_random_programs};
use std::cell::Cell;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// More elements are not in question at once: the truth is found slice by slice.
const LARGEST_UNIVERSE: usize = 4;

#[derive(Debug, Default)]
struct Counts {
    /// Questions that were answered as they should be.
    exact: Cell<usize>,
    /// Questions of which some part has no answer, though each slice has one by itself.
    open: Cell<usize>,
    /// Questions about properties with several minimal cores.
    several: Cell<usize>,
}

fn count(counter: &Cell<usize>) {
    counter.set(counter.get() + 1);
}

/// Far more time than is needed nearly always.
fn patient() -> Limits {
    let mut limits = Limits::default();
    limits.deadline = Some(Instant::now() + Duration::from_secs(20));
    limits
}

/// Whether the property holds in the system from which elements are dropped; `None` if nobody knows soon.
fn decide(system: &System, property: PropertyId, dropped: &ElementSet) -> Result<Option<bool>, String> {
    let mut slice = Edits::none();
    dropped.iter().for_each(|element| slice.insert(element, Edit::Free));
    let mut limits = patient();
    limits.conflicts = Some(300);
    limits.depth = Some(12);
    match portfolio::check(system, &slice, property, &Config::default(), &limits, &Silent).verdict {
        Verdict::Proved(proof) => check_proof(system, &slice, property, &proof, &Budget::default())
            .map(|()| Some(true))
            .map_err(|rejection| format!("a proof without {dropped:?}: {rejection}")),
        Verdict::Falsified(trace) => check_trace(system, &slice, property, &trace)
            .map(|()| Some(false))
            .map_err(|rejection| format!("a run without {dropped:?}: {rejection}")),
        Verdict::Unknown(_) => Ok(None),
    }
}

/// The truth about all slices; `None` if the property does not hold, or is not decided on some slice.
fn truth(system: &System, property: PropertyId, universe: &ElementSet) -> Result<Option<Truth>, String> {
    if decide(system, property, &ElementSet::new())? != Some(true) {
        return Ok(None);
    }
    let elements: Vec<ElementId> = universe.iter().collect();
    let mut adequate = HashSet::new();
    for number in 0..1usize << elements.len() {
        let kept = elements.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
        let kept: ElementSet = kept.map(|(_, element)| *element).collect();
        match decide(system, property, &universe.difference(&kept))? {
            Some(true) => _ = adequate.insert(kept),
            Some(false) => {}
            None => return Ok(None),
        }
    }
    Ok(Some(Truth::new(universe, |set| adequate.contains(set))))
}

/// A few elements on which the property may depend.
fn some_elements(random: &mut Random, system: &System) -> ElementSet {
    let ids = system.element_ids().zip(system.elements());
    let mut equations: Vec<ElementId> =
        ids.filter(|(_, element)| element.kind != ElementKind::Assumption).map(|(id, _)| id).collect();
    let mut some = ElementSet::new();
    while some.len() < LARGEST_UNIVERSE && !equations.is_empty() {
        some.insert(equations.swap_remove(random.below(equations.len())));
    }
    some
}

fn cores_are_those_of_the_slices(counts: &Counts, seed: u64, system: &System) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x6c75_7374_7265);
    for property in (0..system.properties().len() as u32).map(PropertyId) {
        let universe = some_elements(&mut random, system);
        let Some(truth) = truth(system, property, &universe)? else { continue };
        let properties = [property];
        let question = Question { system, universe: &universe, properties: &properties };
        for way in [*random.pick(&default_ways()), *random.pick(&ways())] {
            one_way(counts, &question, &truth, way, seed).map_err(|problem| {
                format!("{way:?} of {property:?}, {}: {problem}", statements::set(&universe))
            })?;
            if truth.cores.len() > 1 {
                count(&counts.several);
            }
        }
    }
    Ok(())
}

fn one_way(
    counts: &Counts,
    question: &Question<'_>,
    truth: &Truth,
    way: Way,
    seed: u64,
) -> Result<(), String> {
    let (analysis, log) = question.ask(&Options { limits: patient(), ..options(way, seed) });
    let cores = &analysis.properties[0];
    if let Holds::Unknown(_) = cores.holds() {
        count(&counts.open);
        return Ok(());
    }
    question.check_holds(truth, cores, None)?;
    statements::check(truth, &cores.found, &log.heard(Some(cores.property)))?;
    if cores.found.stopped || !cores.found.undecided.is_empty() {
        count(&counts.open);
        return Ok(());
    }
    count(&counts.exact);
    check_found(truth, way, cores, &log)
}

fn check(kind: Kind, cases: u64, first_seed: u64) {
    let counts = Counts::default();
    for_random_programs(kind, cases, first_seed, |seed, program| {
        let design = propcov_frontend::read("random.lus", program.text().as_bytes());
        let design = design.map_err(|error| Failure::Rejected(error.to_string()))?;
        cores_are_those_of_the_slices(&counts, seed, &design.system).map_err(Failure::Wrong)
    });
    if std::env::var("PROPCOV_SEED").is_err() {
        assert!(counts.open.get() <= counts.exact.get() / 20, "too much is open: {counts:?}");
        assert!(counts.several.get() > 0, "a lopsided test: {counts:?}");
    }
}

#[test]
fn cores_of_lustre_programs_are_those_of_their_slices() {
    check(Kind::Bounded, 60, 1_110_000);
}

#[test]
fn cores_of_lustre_programs_without_bounds_are_those_of_their_slices() {
    check(Kind::Free, 50, 1_120_000);
}
