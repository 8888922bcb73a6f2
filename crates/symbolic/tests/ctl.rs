//! The symbolic checker against the definition: random systems with fairness, explored explicitly.

use propcov_ir::{CtlVerdict, Edits, Fairness, PropertyId, System, UnknownReason};
use propcov_sat::Budget;
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

#[test]
fn verdicts_and_counts_of_states_are_those_of_the_definition() {
    for_random_ctl_systems(5000, 600_000, |_, system| agrees(system));
}
