//! Coverage up to a bound, against its definition: a mutant is covered if some run of as many transitions violates the property.

use propcov_budget::Budget;
use propcov_certify::{Family, check_bound, check_bounds, refute_bound};
use propcov_coverage::mutation::{Ground, Method, Options, Outcome, Silent, Target, run};
use propcov_ir::{Edits, Mutant, PropertyId, Status, System};
use propcov_testkit::{all_mutants, check_lrat, coverage_up_to, for_random_systems, holding_up_to};
use std::cell::Cell;

/// The properties that hold up to a bound, and whether each mutant violates them by then.
struct Case<'s> {
    system: &'s System,
    bound: u32,
    properties: Vec<PropertyId>,
    mutants: Vec<Mutant>,
    /// By property, then by mutant.
    covered: Vec<Vec<bool>>,
}

impl<'s> Case<'s> {
    /// `None` for systems that are too large for the oracle, or without any such property.
    fn new(system: &'s System, bound: u32) -> Option<Case<'s>> {
        let properties = holding_up_to(system, bound as usize).ok()?;
        let mutants = all_mutants(system);
        let covered = coverage_up_to(system, &properties, &mutants, bound as usize).ok()?;
        (!properties.is_empty()).then_some(Case { system, bound, properties, mutants, covered })
    }

    fn run(&self, method: Method, seed: u64) -> Outcome {
        let target = |property: &PropertyId| Target {
            property: *property,
            ground: Ground::UpTo(self.bound),
            depth: self.bound,
            ticks: 0,
        };
        let targets: Vec<Target> = self.properties.iter().map(target).collect();
        let options = Options { method, seed, ..Options::default() };
        run(self.system, &targets, &self.mutants, &[], &options, &Silent)
    }

    /// How many findings there are, all of them right. None is a proof, and no run is too long.
    fn agrees(&self, outcome: &Outcome) -> Result<usize, String> {
        if let Some(error) = outcome.internal_errors.first() {
            return Err(error.clone());
        }
        let expected = self.covered.iter().flatten();
        for (finding, expected) in outcome.findings.iter().zip(expected) {
            let is_right = match &finding.status {
                Status::Covered(kill) => *expected && kill.steps <= self.bound as usize + 1,
                Status::Bounded(bound) => !expected && *bound == self.bound,
                Status::Uncovered(_) | Status::NoEffect(_) | Status::Unknown(_) => false,
            };
            if !is_right {
                let expected = if *expected { "covered" } else { "not covered" };
                return Err(format!(
                    "bound {}: {:?} is {} by {}, expected {expected}",
                    self.bound,
                    finding.mutant,
                    finding.status.name(),
                    finding.by
                ));
            }
        }
        Ok(outcome.findings.len())
    }
}

#[test]
fn the_pipeline_decides_every_mutant_up_to_the_bound_as_the_definition_says() {
    let (findings, covered) = (Cell::new(0), Cell::new(0));
    for_random_systems(1500, 140_000, |seed, system| {
        let Some(case) = Case::new(system, (seed % 6) as u32) else { return Ok(()) };
        findings.set(findings.get() + case.agrees(&case.run(Method::default(), seed))?);
        covered.set(covered.get() + case.covered.iter().flatten().filter(|covered| **covered).count());
        Ok(())
    });
    let (findings, covered) = (findings.get(), covered.get());
    assert!(covered > 1_000 && findings > 4 * covered, "{covered} of {findings}");
}

#[test]
fn mutants_one_by_one_are_decided_up_to_the_bound_as_the_definition_says() {
    for_random_systems(300, 150_000, |seed, system| {
        let Some(case) = Case::new(system, (seed % 4) as u32) else { return Ok(()) };
        case.agrees(&case.run(Method::Naive, seed)).map(drop)
    });
}

#[test]
fn what_survives_up_to_the_bound_has_a_refutation_and_nothing_else_has() {
    let (refuted, refused) = (Cell::new(0), Cell::new(0));
    for_random_systems(300, 170_000, |seed, system| {
        let bound = (seed % 5) as u32;
        let Some(case) = Case::new(system, bound) else { return Ok(()) };
        for (property, covered) in case.properties.iter().zip(&case.covered) {
            let mutants = case.mutants.iter().zip(covered);
            let survivors: Vec<Mutant> =
                mutants.clone().filter(|(_, covered)| !**covered).map(|(mutant, _)| *mutant).collect();
            let refute =
                |mutants: &[Mutant]| refute_bound(system, *property, mutants, bound, &Budget::default());
            for mutants in [&[], survivors.as_slice()] {
                let found = refute(mutants).map_err(|error| error.to_string())?;
                check_lrat(&found.formula, &found.proof)?;
                refuted.set(refuted.get() + 1);
            }
            for (killed, _) in mutants.filter(|(_, covered)| **covered).take(3) {
                let with_killed = [survivors.as_slice(), &[*killed]].concat();
                if refute(&with_killed).is_ok() {
                    return Err(format!("{killed:?} is covered, and refuted"));
                }
                refused.set(refused.get() + 1);
            }
        }
        Ok(())
    });
    assert!(refuted.get() > 500 && refused.get() > 100, "{} and {}", refuted.get(), refused.get());
}

/// The checker does not share a line with those who search.
#[test]
fn the_checker_accepts_a_bound_exactly_where_no_run_violates_the_property_by_then() {
    let (accepted, rejected) = (Cell::new(0), Cell::new(0));
    for_random_systems(400, 160_000, |seed, system| {
        let bound = (seed % 5) as u32;
        let limits = Budget::default();
        let Some(case) = Case::new(system, bound) else { return Ok(()) };
        let all: Vec<PropertyId> = (0..system.properties().len() as u32).map(PropertyId).collect();
        let all: Vec<PropertyId> = all.into_iter().filter(|id| system.invariant(*id).is_some()).collect();
        let answers =
            check_bounds(system, &Edits::none(), &all, bound, &limits).map_err(|e| e.to_string())?;
        for (property, answer) in all.iter().zip(answers) {
            let alone = check_bound(system, &Edits::none(), *property, bound, &limits);
            if alone.is_ok() != case.properties.contains(property) || answer.is_ok() != alone.is_ok() {
                return Err(format!("{property:?}: alone {alone:?}, with others {answer:?}"));
            }
        }
        for (property, covered) in case.properties.iter().zip(&case.covered) {
            let mut family =
                Family::new(system, *property, &case.mutants).map_err(|error| error.to_string())?;
            let examined = family.examine_bound(bound, &case.mutants, &limits);
            for (mutant, covered) in case.mutants.iter().zip(covered) {
                let edits = mutant.edits(system);
                let alone = check_bound(system, &edits, *property, bound, &limits).is_ok();
                let in_family = examined.accepted.contains(mutant);
                if alone == *covered || in_family == *covered {
                    return Err(format!("{mutant:?}: alone {alone}, in the family {in_family}"));
                }
                let tally = if *covered { &rejected } else { &accepted };
                tally.set(tally.get() + 1);
            }
        }
        Ok(())
    });
    assert!(accepted.get() > 1_000 && rejected.get() > 100, "{} and {}", accepted.get(), rejected.get());
}
