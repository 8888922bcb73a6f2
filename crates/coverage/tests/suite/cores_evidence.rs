//! What the ledger confirms is true, and it confirms what is true: random systems, all of whose slices have been explored, with evidence that the engines found.

use propcov_budget::Budget;
use propcov_coverage::cores::{Core, Found, Ledger, Minimality, Parts, Together};
use propcov_engine::slices::{Extent, SliceVerdict, Slices};
use propcov_engine::{Config, Limits, Stats};
use propcov_ir::{ElementSet, Proof, Trace, UnknownReason};
use propcov_testkit::{Scope, ValidityCase, for_random_arith_validity, for_random_validity};
use std::cell::Cell;

/// Evidence about all slices.
#[derive(Default)]
struct Evidence {
    adequate: Vec<(ElementSet, Option<Proof>)>,
    inadequate: Vec<(ElementSet, Trace)>,
}

impl Evidence {
    fn of(case: &ValidityCase<'_>, extent: Extent) -> Result<Evidence, String> {
        let failed = |reason: UnknownReason| reason.to_string();
        let mut slices =
            Slices::new(case.system, case.property, case.universe, &Config::default()).map_err(failed)?;
        let mut evidence = Evidence::default();
        for set in case.truth.subsets() {
            match slices.decide(&set, extent, &Limits::default(), &mut Stats::default()) {
                SliceVerdict::Holds { core, proof } => evidence.adequate.push((core, proof)),
                SliceVerdict::Fails { kept, trace } => evidence.inadequate.push((kept, trace)),
                SliceVerdict::Unknown(reason) => return Err(reason.to_string()),
            }
        }
        Ok(evidence)
    }

    fn told_to(&self, ledger: &mut Ledger<'_>) {
        self.adequate.iter().for_each(|(set, proof)| _ = ledger.adequate(set.clone(), proof.clone()));
        self.inadequate.iter().for_each(|(set, trace)| _ = ledger.inadequate(set, trace));
    }
}

fn ledger<'a>(case: &ValidityCase<'a>, scope: Scope) -> Result<Ledger<'a>, String> {
    let budget = Budget::default();
    let ledger = match scope {
        Scope::Always => Ledger::new(case.system, case.universe, case.property, budget),
        Scope::UpTo(last) => {
            Ledger::bounded(case.system, case.universe, case.property, 0..=last as u32, budget)
        }
        Scope::At(step) => {
            Ledger::bounded(case.system, case.universe, case.property, step as u32..=step as u32, budget)
        }
    };
    ledger.map_err(|rejection| rejection.to_string())
}

fn extent(scope: Scope) -> Extent {
    match scope {
        Scope::Always => Extent::Always,
        Scope::UpTo(last) => Extent::UpTo(last as u32),
        Scope::At(step) => Extent::At(step as u32),
    }
}

/// Everything that is true.
fn truth(case: &ValidityCase<'_>, scope: Scope) -> Found {
    let sure = |sure: ElementSet| Some(Parts { sure, unknown: ElementSet::new() });
    let cores = case.truth.cores(scope);
    let size = case.truth.minimum(scope).unwrap_or(0);
    Found {
        complete: true,
        must: sure(case.truth.must(scope)),
        may: sure(case.truth.may(scope)),
        minimum: cores.iter().find(|core| core.len() == size).cloned(),
        at_least: size,
        cores: cores.into_iter().map(|elements| Core { elements, minimal: Minimality::Minimal }).collect(),
        ..Found::default()
    }
}

fn is_same(a: &Found, b: &Found) -> bool {
    let parts = |found: &Found| (found.complete, found.must.clone(), found.may.clone());
    a.cores == b.cores && parts(a) == parts(b) && a.minimum == b.minimum && a.at_least == b.at_least
}

/// False variants of the truth, with what must not be left of each: the name, the claims, and whether one of the false ones is still there.
type Lie<'t> = (&'static str, Found, Box<dyn Fn(&Found) -> bool + 't>);

fn lies<'t>(case: &'t ValidityCase<'_>, scope: Scope, true_claims: &'t Found) -> Vec<Lie<'t>> {
    let mut lies: Vec<Lie<'t>> = Vec::new();
    let universe = case.universe;
    for left_out in 0..true_claims.cores.len() {
        let mut found = true_claims.clone();
        found.cores.remove(left_out);
        lies.push(("a core is missing", found, Box::new(|found| found.complete)));
    }
    for (at, core) in true_claims.cores.iter().enumerate() {
        if let Some(element) = core.elements.iter().next() {
            let mut found = true_claims.clone();
            found.cores[at].elements.remove(element);
            let is_left = move |found: &Found| {
                found.complete
                    || found.cores.iter().any(|core| !case.truth.is_adequate(&core.elements, scope))
            };
            lies.push(("a core lacks an element", found, Box::new(is_left)));
        }
        if let Some(element) = universe.difference(&core.elements).iter().next() {
            let mut found = true_claims.clone();
            found.cores[at].elements.insert(element);
            let is_left = |found: &Found| {
                let minimal = |core: &&Core| core.minimal == Minimality::Minimal;
                found.complete
                    || found.cores.iter().filter(minimal).any(|core| !true_claims.cores.contains(core))
            };
            lies.push(("a core has an element too many", found, Box::new(is_left)));
        }
        if core.elements.len() > true_claims.at_least {
            let found = Found { minimum: Some(core.elements.clone()), ..true_claims.clone() };
            lies.push(("a core is not the smallest", found, Box::new(|found| found.minimum.is_some())));
        }
    }
    let at_least = true_claims.at_least + 1;
    let found = Found { at_least, minimum: None, ..true_claims.clone() };
    lies.push(("the bound is too high", found, Box::new(move |found| found.at_least >= at_least)));
    for element in universe.iter() {
        let toggled = |set: &ElementSet| {
            let sure = if set.contains(element) { set.without(element) } else { set.with(element) };
            Some(Parts { sure, unknown: ElementSet::new() })
        };
        let is_open = move |parts: &Option<Parts>| {
            parts
                .as_ref()
                .is_some_and(|parts| parts.unknown.contains(element) && !parts.sure.contains(element))
        };
        let must = toggled(&case.truth.must(scope));
        let found = Found { must, ..true_claims.clone() };
        lies.push(("wrong about every core", found, Box::new(move |found| !is_open(&found.must))));
        let may = toggled(&case.truth.may(scope));
        let found = Found { may, ..true_claims.clone() };
        lies.push(("wrong about some core", found, Box::new(move |found| !is_open(&found.may))));
    }
    lies
}

fn check(case: &ValidityCase<'_>, scope: Scope) -> Result<usize, String> {
    let evidence = Evidence::of(case, extent(scope))?;
    let informed = || -> Result<Ledger<'_>, String> {
        let mut ledger = ledger(case, scope)?;
        evidence.told_to(&mut ledger);
        Ok(ledger)
    };
    let true_claims = truth(case, scope);
    let mut found = true_claims.clone();
    let problems = informed()?.certify(&mut found);
    if !problems.is_empty() || !is_same(&found, &true_claims) {
        return Err(format!("the truth is not confirmed: {problems:?}, {found:?}"));
    }
    for core in &true_claims.cores {
        informed()?.certify_core(core).map_err(|rejection| rejection.to_string())?;
    }
    let lies = lies(case, scope, &true_claims);
    let count = lies.len();
    for (name, mut found, is_left) in lies {
        let problems = informed()?.certify(&mut found);
        if problems.is_empty() || is_left(&found) {
            return Err(format!("{name}: {problems:?}, {found:?}"));
        }
    }
    check_without_evidence(case, scope, &evidence, &true_claims)?;
    Ok(count)
}

/// Without runs nothing is minimal, needed or complete; without proofs there are no cores.
fn check_without_evidence(
    case: &ValidityCase<'_>,
    scope: Scope,
    evidence: &Evidence,
    true_claims: &Found,
) -> Result<(), String> {
    let mut nothing = true_claims.clone();
    ledger(case, scope)?.certify(&mut nothing);
    let must = nothing.must.unwrap_or_default();
    if !nothing.cores.is_empty() || nothing.complete || nothing.minimum.is_some() || !must.sure.is_empty() {
        return Err("something comes from nothing".to_owned());
    }
    let mut ledger = ledger(case, scope)?;
    evidence.adequate.iter().for_each(|(set, proof)| _ = ledger.adequate(set.clone(), proof.clone()));
    let mut cores_only = true_claims.clone();
    ledger.certify(&mut cores_only);
    let is_empty = |core: &Core| core.elements.is_empty();
    let overstated =
        cores_only.cores.iter().any(|core| !is_empty(core) && core.minimal == Minimality::Minimal);
    let all_there = cores_only.cores.len() == true_claims.cores.len();
    if overstated || !all_there || (cores_only.complete && !true_claims.cores.iter().all(is_empty)) {
        return Err(format!("without runs: {cores_only:?}"));
    }
    Ok(())
}

#[test]
fn the_ledger_confirms_the_truth_and_nothing_else() {
    let lies = Cell::new(0);
    for_random_validity(80, 71_000, |case| {
        lies.set(lies.get() + check(case, Scope::Always)?);
        Ok(())
    });
    assert!(lies.get() > 200, "{}: a lopsided test", lies.get());
}

#[test]
fn the_ledger_confirms_the_truth_and_nothing_else_where_there_are_numbers() {
    let lies = Cell::new(0);
    for_random_arith_validity(30, 72_000, |case| {
        lies.set(lies.get() + check(case, Scope::Always)?);
        Ok(())
    });
    assert!(lies.get() > 50, "{}: a lopsided test", lies.get());
}

#[test]
fn the_ledger_confirms_what_holds_in_some_steps() {
    for_random_validity(30, 73_000, |case| {
        let step = case.seed as usize % 4;
        check(case, Scope::UpTo(step))?;
        check(case, Scope::At(step)).map(|_| ())
    });
}

#[test]
fn evidence_for_another_set_is_a_problem() {
    for_random_validity(40, 74_000, |case| {
        let evidence = Evidence::of(case, Extent::Always)?;
        let mut ledger = ledger(case, Scope::Always)?;
        if evidence.inadequate.iter().any(|(_, trace)| ledger.inadequate(case.universe, trace).is_ok()) {
            return Err("the property holds, but a run was accepted".to_owned());
        }
        for set in case.truth.subsets().filter(|set| !case.truth.is_adequate(set, Scope::Always)) {
            for (_, proof) in &evidence.adequate {
                _ = ledger.adequate(set.clone(), proof.clone());
                let core = Core { elements: set.clone(), minimal: Minimality::Unchecked };
                if ledger.certify_core(&core).is_ok() {
                    return Err(format!("{set:?} is inadequate, but a proof was accepted"));
                }
            }
        }
        let problems = ledger.certify(&mut Found::default());
        let inadequate = case.truth.subsets().any(|set| !case.truth.is_adequate(&set, Scope::Always));
        if problems.is_empty() && inadequate { Err("nobody was told".to_owned()) } else { Ok(()) }
    });
}

/// What went wrong is told with the names of elements, never with their numbers.
#[test]
fn claims_without_evidence_are_problems_that_name_elements() {
    for_random_validity(20, 76_000, |case| {
        let Some(element) = case.universe.iter().next() else { return Ok(()) };
        let name = &case.system.element(element).name;
        let mut ledger = ledger(case, Scope::Always)?;
        let elements = ElementSet::from_iter([element]);
        let core = Core { elements: elements.clone(), minimal: Minimality::Minimal };
        let must = Some(Parts { sure: elements, unknown: ElementSet::new() });
        let mut found = Found { cores: vec![core], must, ..Found::default() };
        let problems = ledger.certify(&mut found);
        let is_core = |problem: &String| {
            *problem == format!("a core of 1 element: not established for the elements {{{name}}}")
        };
        let is_must =
            |problem: &String| problem.starts_with(&format!("{name} and all cores: not established"));
        if !problems.iter().any(is_core) || !problems.iter().any(is_must) || !found.cores.is_empty() {
            return Err(format!("{problems:?}"));
        }
        Ok(())
    });
}

/// A proof that the checker cannot follow is no problem, but it shows nothing either, and that is said.
#[test]
fn what_cannot_be_checked_is_undecided() {
    for_random_validity(20, 77_000, |case| {
        let evidence = Evidence::of(case, Extent::Always)?;
        let mut true_claims = truth(case, Scope::Always);
        let mut ledger = ledger(case, Scope::Always)?;
        for (set, proof) in &evidence.adequate {
            let proof = proof.clone().map(|proof| Proof { k: u32::MAX, ..proof });
            ledger.adequate(set.clone(), proof).map_err(|reason| reason.to_string())?;
        }
        for (set, trace) in &evidence.inadequate {
            ledger.inadequate(set, trace).map_err(|reason| reason.to_string())?;
        }
        let needed = case.truth.must(Scope::Always);
        let problems = ledger.certify(&mut true_claims);
        let is_told = |(_, reason): &(ElementSet, UnknownReason)| matches!(reason, UnknownReason::Unsupported(what) if what.starts_with("certifying induction"));
        let must = true_claims.must.as_ref().ok_or("MUST is gone")?;
        let is_undecided = true_claims.cores.is_empty()
            && !true_claims.complete
            && must.sure == needed
            && must.unknown == case.universe.difference(&needed)
            && true_claims.undecided.iter().any(is_told);
        if problems.is_empty() && is_undecided {
            Ok(())
        } else {
            Err(format!("{problems:?}, {true_claims:?}"))
        }
    });
}

/// With a property that is asked about in its first steps only, and so needs less.
#[test]
fn several_properties_are_confirmed_together() {
    for_random_validity(40, 75_000, |case| {
        let scopes = [Scope::Always, Scope::UpTo(1)];
        let mut ledgers = Vec::new();
        for scope in scopes {
            let mut ledger = ledger(case, scope)?;
            Evidence::of(case, extent(scope))?.told_to(&mut ledger);
            ledgers.push(ledger);
        }
        let true_claims = truth(case, Scope::Always);
        let mut found = true_claims.clone();
        let failed = |rejection: propcov_certify::Rejection| rejection.to_string();
        let problems = Together::new(ledgers.iter_mut().collect()).map_err(failed)?.certify(&mut found);
        if !problems.is_empty() || !is_same(&found, &true_claims) {
            return Err(format!("the truth is not confirmed: {problems:?}, {found:?}"));
        }
        for (name, mut found, is_left) in lies(case, Scope::Always, &true_claims) {
            let problems = Together::new(ledgers.iter_mut().collect()).map_err(failed)?.certify(&mut found);
            if problems.is_empty() || is_left(&found) {
                return Err(format!("{name}: {problems:?}, {found:?}"));
            }
        }
        Ok(())
    });
}
