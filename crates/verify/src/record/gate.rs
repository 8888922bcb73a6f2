//! The sanity check as a record.

use crate::record::element;
use crate::record::property::is_vacuous;
use crate::{Inspection, Outcome, Symbolic};
use propcov_engine::gate::{self, Assumptions};
use propcov_ir::{ConstraintId, PropertyId, Site, System};
use propcov_result::{Conflicting, Fairness, Gate};

/// What the sanity check found, with what decision diagrams know of infinite runs.
pub fn gate(
    system: &System,
    inspection: &Inspection,
    outcomes: &[Outcome],
    symbolic: Option<&Symbolic>,
) -> Gate {
    let name = |property: &PropertyId| system.property(*property).name.clone();
    let constraint = |id: &ConstraintId| {
        let element = system.element_at(Site::Constraint(*id)).map(|element| system.element(element));
        let place = element.and_then(|element| element::place(system, element.span()?));
        Conflicting { name: system.constraints()[id.0 as usize].name.clone(), place }
    };
    let (assumptions, steps, conflict, reason) = match &inspection.gate.assumptions {
        Assumptions::Consistent => (propcov_result::Assumptions::Consistent, gate::STEPS, Vec::new(), None),
        Assumptions::Unknown(reason) => {
            (propcov_result::Assumptions::Unknown, gate::STEPS, Vec::new(), Some(reason.to_string()))
        }
        Assumptions::Conflicting { step, conflict } => {
            let names = conflict.iter().map(constraint).collect();
            (propcov_result::Assumptions::Conflicting, *step, names, None)
        }
    };
    let vacuous = outcomes.iter().filter(|outcome| is_vacuous(system, outcome, inspection, symbolic));
    let is_checked = |(property, _): &&(PropertyId, bool)| !system.property(*property).is_cover();
    let constant = inspection.gate.constant.iter().filter(is_checked);
    Gate {
        assumptions,
        steps,
        conflict,
        reason,
        constant: constant.map(|(property, value)| (name(property), *value)).collect(),
        vacuous: vacuous.map(|outcome| name(&outcome.property)).collect(),
        untested: symbolic.iter().flat_map(|symbolic| &symbolic.untested).map(name).collect(),
        obligations: inspection.gate.obligations,
        fairness: symbolic.map(|symbolic| Fairness {
            start: symbolic.fair_start,
            deadlock: symbolic.deadlock,
            constrained: !system.fairness.is_empty(),
        }),
    }
}
