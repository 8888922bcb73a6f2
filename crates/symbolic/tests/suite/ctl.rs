//! The symbolic checker against the definition: random systems with fairness, explored explicitly.

use propcov_budget::Budget;
use propcov_certify::{check_demonstration, check_proof};
use propcov_ir::{
    Ctl, CtlVerdict, Edits, ElementSet, Fairness, Proof, PropertyId, PropertyKind, System, UnknownReason,
};
use propcov_symbolic::{Checker, Options, Silent};
use propcov_testkit::{ExplicitCtl, for_random_ctl_systems};

fn agrees(system: &System) -> Result<(), String> {
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(system, &edits).map_err(|error| error.to_string())?;
    let mut checker = Checker::new(system, Options::default(), &Budget::default(), &Silent)
        .map_err(|reason| format!("no checker: {reason}"))?;
    for property in (0..system.properties().len() as u32).map(PropertyId) {
        let expected = explicit.holds(property);
        let found = match checker.check(property) {
            CtlVerdict::Holds(_) => true,
            CtlVerdict::Fails(_) => false,
            // A premise of compassion that reads inputs.
            CtlVerdict::Unknown(UnknownReason::Unsupported(_))
                if system.fairness.iter().any(|f| matches!(f, Fairness::Compassion(..))) =>
            {
                continue;
            }
            CtlVerdict::Unknown(reason) => return Err(format!("{property:?}: {reason}")),
        };
        if found != expected {
            return Err(format!("{property:?} holds: {found}, by the definition: {expected}"));
        }
    }
    match checker.count_states() {
        Ok(counts) => {
            let found = (counts.reachable.to_string(), counts.fair.to_string());
            let expected = (explicit.reachable().to_string(), explicit.fair_reachable().to_string());
            if found != expected {
                return Err(format!("states: {found:?}, by the definition {expected:?}"));
            }
        }
        Err(UnknownReason::Unsupported(_)) => {}
        Err(reason) => return Err(reason.to_string()),
    }
    Ok(())
}

/// Each run that is shown is accepted, and shows all of a formula without universal quantifiers; each failure of a universal
/// formula has one, and so has each existential formula that holds and needs a path.
fn demonstrates(system: &System) -> Result<(), String> {
    let edits = Edits::none();
    let mut checker = Checker::new(system, Options::default(), &Budget::default(), &Silent)
        .map_err(|reason| format!("no checker: {reason}"))?;
    let fair_start = checker.has_fair_start().unwrap_or(false);
    for property in (0..system.properties().len() as u32).map(PropertyId) {
        let verdict = checker.check(property);
        let PropertyKind::Ctl(formula) = &system.property(property).kind else { continue };
        let (shown, claim) = match &verdict {
            CtlVerdict::Holds(shown) => (shown, formula.normal_form(false)),
            CtlVerdict::Fails(shown) => (shown, formula.normal_form(true)),
            CtlVerdict::Unknown(_) => continue,
        };
        let wanted = fair_start && claim.is_existential() && !claim.is_propositional();
        match shown {
            Some(_) => {
                let evidence = check_demonstration(system, &edits, property, &verdict, &Budget::default())
                    .map_err(|rejection| format!("{property:?}: {rejection}\n{verdict:?}"))?;
                if claim.is_existential() && !evidence.believed.is_empty() {
                    return Err(format!("{property:?}: {:?} was believed", evidence.believed));
                }
            }
            // A disjunction may hold by a proposition alone.
            None if wanted && !has_disjunction(&claim) => {
                return Err(format!("{property:?}: nothing is shown"));
            }
            None => {}
        }
        if matches!(verdict, CtlVerdict::Holds(_))
            && system.invariant(property).is_some()
            && system.is_unconstrained()
        {
            let invariant = checker.reachable_invariant().ok_or("no invariant")?;
            let proof =
                Proof { invariant: invariant.into(), k: 1, simple_path: false, core: ElementSet::new() };
            check_proof(system, &edits, property, &proof, &Budget::default())
                .map_err(|rejection| format!("{property:?}: the invariant is rejected: {rejection}"))?;
        }
    }
    Ok(())
}

fn has_disjunction(formula: &Ctl) -> bool {
    match formula {
        Ctl::Atom(_) | Ctl::Not(_) => false,
        Ctl::Or(..) => true,
        Ctl::And(a, b) => has_disjunction(a) || has_disjunction(b),
        Ctl::Next(..) | Ctl::Until(..) | Ctl::Release(..) => false,
    }
}

#[test]
fn runs_that_show_verdicts_are_accepted_by_the_certifier() {
    for_random_ctl_systems(2000, 700_000, |_, system| demonstrates(system));
}

#[test]
fn verdicts_and_counts_of_states_are_those_of_the_definition() {
    for_random_ctl_systems(5000, 600_000, |_, system| agrees(system));
}

#[test]
fn beyond_the_limit_of_nodes_there_is_no_answer() {
    for_random_ctl_systems(50, 600_000, |_, system| {
        let options = Options { most_nodes: 3, ..Options::default() };
        match Checker::new(system, options, &Budget::default(), &Silent) {
            Err(UnknownReason::Incomplete(why)) if why.contains("nodes") => Ok(()),
            Err(reason) => Err(format!("{reason}")),
            // The variables themselves need nodes, limit or not.
            Ok(checker) if checker.stats().nodes <= 3 + checker.stats().variables => Ok(()),
            Ok(_) => Err("a checker with more nodes than it may have".to_owned()),
        }
    });
}
