//! Outcomes and what belongs to them as records of a [result](propcov_result): plain data, with the user's names.
//!
//! Whoever has a system and an answer makes a record here, for every command and metric: places, elements, runs, the sanity check, properties,
//! statistics. Nothing is decided here.

mod element;
mod formula;
mod gate;
pub(crate) mod helpers;
mod join;
mod property;
mod reads;
mod stats;
mod trace;

pub use element::{constants, element, elements, place};
pub use formula::written;
pub use gate::gate;
pub use join::join_verdicts;
pub use property::{is_vacuous, properties, property, reason, undecided};
pub use reads::{Variables, is_gate, is_memory, of_property as reads_of, variables};
pub use stats::{add_outcomes, add_stats, add_symbolic, finely_rounded, rounded};
pub use trace::{add_ranges, demonstration, pair, run, run_about};

use crate::{Inspection, Verdicts};
use propcov_ir::System;
use propcov_result::RunResult;

/// Adds the sanity check, all verdicts and what they took.
pub fn add_verdicts(result: &mut RunResult, system: &System, inspection: &Inspection, verdicts: &Verdicts) {
    let symbolic = verdicts.symbolic.as_ref();
    result.gate = Some(gate(system, inspection, &verdicts.outcomes, symbolic));
    result.properties = properties(system, &verdicts.outcomes, inspection, symbolic);
    add_stats(&mut result.stats, &inspection.stats);
    add_outcomes(&mut result.stats, &verdicts.outcomes, symbolic);
    let errors = &mut result.run.internal_errors;
    errors.extend(inspection.internal_errors.iter().map(|error| format!("sanity check: {error}")));
    let of_symbolic = symbolic.iter().flat_map(|symbolic| &symbolic.internal_errors);
    errors.extend(of_symbolic.map(|error| format!("decision diagrams: {error}")));
    for outcome in &verdicts.outcomes {
        let name = &system.property(outcome.property).name;
        errors.extend(outcome.internal_errors.iter().map(|error| format!("{name}: {error}")));
    }
}
