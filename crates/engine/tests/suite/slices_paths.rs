//! Paths from which elements can be dropped, against the truth about all slices: both kinds of paths are asked the same questions.

use propcov_budget::Budget;
use propcov_certify::{check_core, check_trace};
use propcov_engine::slices::Sums;
use propcov_engine::slices::{Circuits, Claim, Path};
use propcov_engine::{Config, ENGINES, Limits, Silent, check};
use propcov_ir::{
    Edit, Edits, ElementId, ElementSet, Invariant, Proof, PropertyId, Site, System, UnknownReason, Verdict,
};
use propcov_sat::{Lit, Outcome};
use propcov_solve::arith::Start;
use propcov_testkit::{
    LAST_STEP, Random, Scope, ValidityCase, for_random_arith_validity, for_random_validity,
};
use std::cell::Cell;

/// Makes a path of a system, from the beginning or from anywhere.
type Make =
    for<'s> fn(&'s System, PropertyId, &ElementSet, bool, u64) -> Result<Box<dyn Path + 's>, UnknownReason>;

fn circuits<'s>(
    system: &'s System,
    property: PropertyId,
    universe: &ElementSet,
    initial: bool,
    seed: u64,
) -> Result<Box<dyn Path + 's>, UnknownReason> {
    Ok(Box::new(Circuits::new(system, property, universe, initial, seed)?))
}

fn sums<'s>(
    system: &'s System,
    property: PropertyId,
    universe: &ElementSet,
    initial: bool,
    _: u64,
) -> Result<Box<dyn Path + 's>, UnknownReason> {
    let start = if initial { Start::Initial } else { Start::Anywhere };
    let no_invariant = || UnknownReason::Unsupported("no invariant".to_owned());
    Ok(Box::new(Sums::new(system, property, universe, start).ok_or_else(no_invariant)?))
}

fn freeing(elements: &ElementSet) -> Edits {
    let mut edits = Edits::none();
    elements.iter().for_each(|element| edits.insert(element, Edit::Free));
    edits
}

/// The literals that keep these elements, as far as they have one.
fn keeps(path: &dyn Path, kept: &ElementSet) -> Vec<(ElementId, Lit)> {
    path.selectors().iter().copied().filter(|(element, _)| kept.contains(*element)).collect()
}

/// Some subsets of the universe, in any order and some of them twice.
fn subsets(random: &mut Random, case: &ValidityCase<'_>) -> Vec<ElementSet> {
    let all: Vec<ElementSet> = case.truth.subsets().collect();
    (0..12).map(|_| random.pick(&all).clone()).chain(all.last().cloned()).collect()
}

#[derive(Debug, Default)]
struct Counts {
    runs: Cell<usize>,
    refutations: Cell<usize>,
    /// Runs that break less than was dropped.
    grown: Cell<usize>,
    /// Steps of an induction that hold on a slice.
    inductive: Cell<usize>,
}

fn count(counter: &Cell<usize>) {
    counter.set(counter.get() + 1);
}

/// Asks about violations of slices in single steps.
fn violations_are_those_of_the_slice(
    make: Make,
    counts: &Counts,
    case: &ValidityCase<'_>,
) -> Result<(), String> {
    let mut random = Random::new(case.seed);
    let mut path = make(case.system, case.property, case.universe, true, case.seed)
        .map_err(|error| error.to_string())?;
    for kept in subsets(&mut random, case) {
        let step = random.below(LAST_STEP + 1);
        let expected = !case.truth.is_adequate(&kept, Scope::At(step));
        let mut assumptions: Vec<Lit> = (0..=step)
            .map(|step| path.on(step))
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())?;
        assumptions.push(!path.claim(Claim::Property, step).map_err(|error| error.to_string())?);
        let keeps = keeps(&*path, &kept);
        assumptions.extend(keeps.iter().map(|(_, keep)| *keep));
        match (path.solve(&assumptions, &Limits::default()), expected) {
            (Outcome::Sat, true) => {
                count(&counts.runs);
                run_is_one_of_the_slice(&*path, case, &kept, step, counts)?;
            }
            (Outcome::Unsat, false) => {
                count(&counts.refutations);
                let used = keeps.iter().filter(|(_, keep)| path.failed(*keep));
                let used: ElementSet = used.map(|(element, _)| *element).collect();
                if !case.truth.is_adequate(&used, Scope::At(step)) {
                    return Err(format!(
                        "{used:?} was used for step {step} of {kept:?} and does not suffice"
                    ));
                }
            }
            (outcome, _) => return Err(format!("step {step} of {kept:?} is {outcome:?}")),
        }
    }
    Ok(())
}

fn run_is_one_of_the_slice(
    path: &dyn Path,
    case: &ValidityCase<'_>,
    kept: &ElementSet,
    step: usize,
    counts: &Counts,
) -> Result<(), String> {
    let dropped = case.universe.difference(kept);
    let followed = path.run(step, &dropped).map_err(|error| error.to_string())?;
    if !followed.broken.is_subset(&dropped) {
        return Err(format!("step {step} of {kept:?}: the run breaks {:?}", followed.broken));
    }
    if followed.trace.depth() != step {
        return Err(format!("a run of {} steps for a violation in step {step}", followed.trace.depth()));
    }
    if followed.broken != dropped {
        count(&counts.grown);
    }
    let slice = freeing(&followed.broken);
    check_trace(case.system, &slice, case.property, &followed.trace)
        .map_err(|error| format!("the run into step {step} of {kept:?} is none: {error}"))
}

/// The lemmas that an engine proves a slice with, if it needs some.
fn lemmas_of(case: &ValidityCase<'_>, kept: &ElementSet) -> Option<Invariant> {
    let slice = freeing(&case.universe.difference(kept));
    let mut limits = Limits::default();
    limits.conflicts = Some(2_000);
    let report = check(&ENGINES[0], case.system, &slice, case.property, &Config::default(), &limits, &Silent);
    match report.verdict {
        Verdict::Proved(proof) => Some(proof.invariant.as_ref().clone()),
        _ => None,
    }
}

/// Tells a path lemmas of the whole system and of a slice, and asks whether all of them are inductive on slices.
fn refutations_of_steps_are_proofs(
    make: Make,
    counts: &Counts,
    case: &ValidityCase<'_>,
) -> Result<(), String> {
    let mut random = Random::new(case.seed);
    let mut start = make(case.system, case.property, case.universe, true, case.seed)
        .map_err(|error| error.to_string())?;
    let mut anywhere = make(case.system, case.property, case.universe, false, case.seed)
        .map_err(|error| error.to_string())?;
    let mut told = 0;
    for core in case.truth.cores(Scope::Always).iter().chain([case.universe]) {
        let Some(invariant) = lemmas_of(case, core) else { continue };
        start.learn(&invariant);
        anywhere.learn(&invariant);
        let claims: Vec<Claim> = (told..told + invariant.lemmas.len()).map(Claim::Lemma).collect();
        told += invariant.lemmas.len();
        for kept in subsets(&mut random, case) {
            let (k, mut used) = (random.between(1, 3), ElementSet::new());
            let claims: Vec<Claim> = claims.iter().copied().chain([Claim::Property]).collect();
            if !holds_at_first(&mut *start, &claims, k, &kept, &mut used)?
                || !is_inductive(&mut *anywhere, &claims, k, &kept, &mut used)?
            {
                continue;
            }
            count(&counts.inductive);
            let others = case.system.element_ids().filter(|element| !case.universe.contains(*element));
            let core = used.union(&others.collect());
            let invariant = invariant.clone();
            let proof = Proof { invariant: invariant.into(), k: k as u32, simple_path: false, core };
            check_core(case.system, &Edits::none(), case.property, &proof, &Budget::default())
                .map_err(|error| format!("{used:?} of {kept:?}, induction of length {k}: {error}"))?;
            if !case.truth.is_adequate(&used, Scope::Always) {
                return Err(format!("{used:?} was proved and is not adequate"));
            }
        }
    }
    Ok(())
}

/// Whether all claims hold in the first k steps; adds the elements that were used.
fn holds_at_first(
    path: &mut dyn Path,
    claims: &[Claim],
    k: usize,
    kept: &ElementSet,
    used: &mut ElementSet,
) -> Result<bool, String> {
    let mut on = Vec::new();
    for step in 0..k {
        on.push(path.on(step).map_err(|error| error.to_string())?);
        for claim in claims {
            let violated = !path.claim(*claim, step).map_err(|error| error.to_string())?;
            if !refute(path, &on, violated, kept, used) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether all claims hold after k steps in which they do; adds the elements that were used.
fn is_inductive(
    path: &mut dyn Path,
    claims: &[Claim],
    k: usize,
    kept: &ElementSet,
    used: &mut ElementSet,
) -> Result<bool, String> {
    let mut assumed = Vec::new();
    for step in 0..k {
        assumed.push(path.on(step).map_err(|error| error.to_string())?);
        for claim in claims {
            assumed.push(path.claim(*claim, step).map_err(|error| error.to_string())?);
        }
    }
    assumed.push(path.on(k).map_err(|error| error.to_string())?);
    for claim in claims {
        let violated = !path.claim(*claim, k).map_err(|error| error.to_string())?;
        if !refute(path, &assumed, violated, kept, used) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn refute(
    path: &mut dyn Path,
    assumed: &[Lit],
    violated: Lit,
    kept: &ElementSet,
    used: &mut ElementSet,
) -> bool {
    let keeps = keeps(path, kept);
    let mut assumptions: Vec<Lit> = keeps.iter().map(|(_, keep)| *keep).collect();
    assumptions.extend(assumed);
    assumptions.push(violated);
    if path.solve(&assumptions, &Limits::default()) != Outcome::Unsat {
        return false;
    }
    keeps.iter().filter(|(_, keep)| path.failed(*keep)).for_each(|(element, _)| {
        used.insert(*element);
    });
    true
}

fn enough(counts: &Counts, cases: usize) {
    if std::env::var("PROPCOV_SEED").is_err() {
        let some = counts.runs.get() + counts.refutations.get() + counts.inductive.get();
        assert!(some > cases, "only {counts:?}");
    }
}

#[test]
fn circuits_find_the_violations_of_slices() {
    let counts = Counts::default();
    for_random_validity(250, 70_000, |case| violations_are_those_of_the_slice(circuits, &counts, case));
    enough(&counts, 2_000);
    assert!(counts.grown.get() > 0, "no run breaks less than was dropped");
}

#[test]
fn sums_find_the_violations_of_slices() {
    let counts = Counts::default();
    for_random_arith_validity(60, 70_000, |case| violations_are_those_of_the_slice(sums, &counts, case));
    enough(&counts, 500);
}

#[test]
fn inductions_of_circuits_are_proofs_of_slices() {
    let counts = Counts::default();
    for_random_validity(120, 71_000, |case| refutations_of_steps_are_proofs(circuits, &counts, case));
    enough(&counts, 200);
}

#[test]
fn inductions_of_sums_are_proofs_of_slices() {
    let counts = Counts::default();
    for_random_arith_validity(40, 71_000, |case| refutations_of_steps_are_proofs(sums, &counts, case));
    enough(&counts, 40);
}

/// A property that reads nothing, and a state beside it.
#[test]
fn a_lemma_about_something_outside_the_cone_is_an_error_of_its_own() {
    let mut system = System::new();
    let (inside, outside) = (
        system.add_state("inside", propcov_ir::Sort::BOOL),
        system.add_state("outside", propcov_ir::Sort::BOOL),
    );
    let (read, no) = (system.read(inside), system.exprs.bool(false));
    system.set_init(inside, no);
    system.set_next(inside, read);
    let element = system.add_element("inside", propcov_ir::ElementKind::Register, Site::Next(inside), None);
    let stays = system.exprs.not(read);
    let property = system.add_property("stays", propcov_ir::PropertyKind::Invariant(stays), None);
    let mut path = Circuits::new(&system, property, &[element].into_iter().collect(), true, 0)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut lemmas = Invariant::default();
    for state in [outside, inside] {
        let lemma = lemmas.exprs.signal(state, propcov_ir::Sort::BOOL);
        lemmas.lemmas.push(lemma);
    }
    path.learn(&lemmas);
    assert!(path.claim(Claim::Lemma(0), 0).is_err());
    assert!(path.claim(Claim::Lemma(2), 0).is_err());
    let is_set = path.claim(Claim::Lemma(1), 1).unwrap_or_else(|error| panic!("{error}"));
    let holds = path.claim(Claim::Property, 1).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(path.solve(&[is_set, holds], &Limits::default()), Outcome::Unsat);
    assert_eq!(path.solve(&[is_set], &Limits::default()), Outcome::Sat);
}
