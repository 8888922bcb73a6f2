//! Whole suites: what is proved or refuted together is what the explicit-state oracle says of each property, and every property has evidence of its own.

use crate::evidence::{describe, judge};
use propcov_budget::Budget;
use propcov_certify::check_suite;
use propcov_engine::finite::joint::{self, Given};
use propcov_engine::{Config, Limits, Report, Silent, Stats};
use propcov_ir::{Edits, Proof, PropertyId, PropertyKind, System, UnknownReason, Verdict};
use propcov_testkit::{Explicit, Outcome, Random, add_suite, for_random_systems, random_edits};
use std::cell::Cell;

fn invariants(system: &System) -> Vec<PropertyId> {
    let is_invariant = |id: &PropertyId| matches!(system.property(*id).kind, PropertyKind::Invariant(_));
    (0..system.properties().len() as u32).map(PropertyId).filter(is_invariant).collect()
}

fn with_suite(seed: u64, system: &System) -> (System, Edits) {
    let mut system = system.clone();
    add_suite(seed, &mut system, 6);
    let edits = match seed % 3 {
        0 => random_edits(&mut Random::new(seed), &mut system),
        _ => Edits::none(),
    };
    (system, edits)
}

fn together(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    given: &[Given<'_>],
    engine: Option<&str>,
    limits: &Limits,
) -> Vec<(PropertyId, Report)> {
    let wanted = |name: &str| engine.is_none_or(|engine| engine == name);
    let found =
        joint::check(system, edits, properties, given, None, &wanted, &Config::default(), limits, &Silent)
            .expect("finite");
    let report = |settled: joint::Settled| {
        let stats = Stats::default();
        (settled.property, Report { verdict: settled.verdict, engine: settled.engine, stats })
    };
    found.settled.into_iter().map(report).collect()
}

#[test]
fn what_is_decided_together_agrees_with_the_oracle_and_has_evidence() {
    let (helped, decided, bounded) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_random_systems(2_500, 700_000, |seed, system| {
        let (system, edits) = with_suite(seed, system);
        let Ok(explicit) = Explicit::explore(&system, &edits) else { return Ok(()) };
        let properties = invariants(&system);
        let asked =
            [(Some("kinduction"), Some(12)), (Some("bmc"), Some(3)), (Some("ic3"), None), (None, None)];
        for (engine, depth) in asked {
            let mut limits = Limits::default();
            limits.depth = depth;
            if depth.is_none() {
                limits.interrupt.limit_ticks(3_000_000);
            }
            for (property, report) in together(&system, &edits, &properties, &[], engine, &limits) {
                match (&report.verdict, explicit.outcome(property)) {
                    (Verdict::Unknown(UnknownReason::Bounded(bound)), expected) => {
                        bounded.set(bounded.get() + 1);
                        if Some(*bound) != depth || expected.is_violated_by(*bound as usize) {
                            return Err(format!("{property:?}: {bound} is no bound, it {expected:?}"));
                        }
                    }
                    // Not all can be decided by one engine.
                    (Verdict::Unknown(_), _) => {}
                    (verdict, expected) => {
                        decided.set(decided.get() + 1);
                        judge(&system, &edits, property, &report, &expected, &Budget::default())?;
                        if let Verdict::Proved(proof) = verdict
                            && !proof.invariant.lemmas.is_empty()
                            && report.engine == "kinduction"
                        {
                            helped.set(helped.get() + 1);
                        }
                    }
                }
            }
        }
        Ok(())
    });
    let (helped, decided) = (helped.get(), decided.get());
    assert!(bounded.get() > 2_000, "{}", bounded.get());
    assert!(helped > 300 && decided > 12_000, "{helped} of {decided} needed help");
}

#[test]
fn what_is_given_is_of_use_and_proofs_say_so() {
    let used = Cell::new(0);
    for_random_systems(1_500, 710_000, |seed, system| {
        let (system, edits) = with_suite(seed, system);
        let Ok(explicit) = Explicit::explore(&system, &edits) else { return Ok(()) };
        let properties = invariants(&system);
        let limits = Limits::default();
        limits.interrupt.limit_ticks(3_000_000);
        let proofs: Vec<(PropertyId, Proof)> = together(&system, &edits, &properties, &[], None, &limits)
            .into_iter()
            .filter_map(|(property, report)| match report.verdict {
                Verdict::Proved(proof) => Some((property, proof)),
                _ => None,
            })
            .collect();
        // Half of them are given, and the rest is asked for again.
        let is_given = |property: &PropertyId| u64::from(property.0) % 2 == seed / 3 % 2;
        let given = proofs.iter().filter(|(property, _)| is_given(property));
        let given: Vec<Given<'_>> =
            given.map(|(property, proof)| Given { property: *property, proof }).collect();
        let asked: Vec<PropertyId> =
            properties.iter().copied().filter(|property| !is_given(property)).collect();
        for (property, report) in together(&system, &edits, &asked, &given, None, &limits) {
            if let Verdict::Unknown(_) = report.verdict {
                continue;
            }
            judge(&system, &edits, property, &report, &explicit.outcome(property), &Budget::default())?;
            used.set(used.get() + 1);
        }
        Ok(())
    });
    assert!(used.get() > 1_500, "{} decided with help", used.get());
}

#[test]
fn suites_are_decided_the_same_way_every_time() {
    for_random_systems(150, 720_000, |seed, system| {
        let (system, edits) = with_suite(seed, system);
        let properties = invariants(&system);
        let run = || {
            let limits = Limits::default();
            limits.interrupt.limit_ticks(300_000);
            let found = together(&system, &edits, &properties, &[], None, &limits);
            found.iter().map(|(_, report)| describe(&system, report)).collect::<Vec<String>>()
        };
        let (first, second) = (run(), run());
        if first == second { Ok(()) } else { Err(format!("{first:?} first, {second:?} then")) }
    });
}

#[test]
fn checking_all_proofs_of_a_suite_at_once_accepts_what_checking_each_does() {
    let (accepted, rejected) = (Cell::new(0), Cell::new(0));
    for_random_systems(1_000, 730_000, |seed, system| {
        let (system, edits) = with_suite(seed, system);
        let Ok(explicit) = Explicit::explore(&system, &edits) else { return Ok(()) };
        let properties = invariants(&system);
        let limits = Limits::default();
        limits.interrupt.limit_ticks(1_000_000);
        // Any proof is tried on all properties: most are no proofs of most. Proofs have lemmas in common, and some are of different lengths.
        let found = together(&system, &edits, &properties, &[], None, &limits);
        let proofs: Vec<&Proof> = found
            .iter()
            .filter_map(|(_, report)| match &report.verdict {
                Verdict::Proved(proof) => Some(proof),
                _ => None,
            })
            .take(4)
            .collect();
        let claims: Vec<(PropertyId, &Proof)> = proofs
            .iter()
            .flat_map(|proof| properties.iter().map(move |property| (*property, *proof)))
            .collect();
        let budget = Budget::default();
        let at_once = check_suite(&system, &edits, &claims, &budget).map_err(|error| error.to_string())?;
        for ((property, proof), answer) in claims.iter().zip(at_once) {
            let alone = propcov_certify::check_proof(&system, &edits, *property, proof, &budget);
            if answer.is_ok() && !matches!(explicit.outcome(*property), Outcome::Holds { .. }) {
                return Err(format!("accepts {}, which fails", system.property(*property).name));
            }
            if answer.is_ok() != alone.is_ok() {
                return Err(format!("{answer:?} at once, {alone:?} alone"));
            }
            let count = if answer.is_ok() { &accepted } else { &rejected };
            count.set(count.get() + 1);
        }
        Ok(())
    });
    assert!(accepted.get() > 500 && rejected.get() > 500, "{accepted:?} accepted, {rejected:?} rejected");
}
