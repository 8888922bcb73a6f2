//! The sanity check: what is wrong with the question, before any answer. Nothing is said where nothing is wrong.

use crate::terminal::{Align, Page, Span, Table, Tone};
use crate::words::plural;
use propcov_result::{Assumptions, Fairness, Gate, RunResult, Unmet};

/// Writes what is wrong, under a title.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    let Some(gate) = &result.gate else { return };
    let mut part = Page::new(page.style());
    findings(result, gate, &mut part);
    if !part.is_empty() {
        page.say(0, Span::toned(Tone::Strong, "Sanity check:"));
        page.append(&part.finish());
    }
}

fn findings(result: &RunResult, gate: &Gate, page: &mut Page) {
    if gate.obligations == 0 {
        page.warning_at(2, "there is no property: nothing was proved.");
    }
    assumptions(gate, page);
    let unfair = is_without_fair_start(gate);
    for (name, value) in &gate.constant {
        // Without a fair path even the constant false holds of all of them.
        let is_ctl = result.property(name).is_some_and(|property| property.kind == "ctl");
        if *value || !unfair || !is_ctl {
            let why = if *value { "it checks nothing" } else { "it cannot hold" };
            page.warning_at(2, format!("{name} is the constant {value}: {why}."));
        }
    }
    if let Some(fairness) = &gate.fairness {
        infinite_runs(fairness, page);
    }
    for name in &gate.untested {
        let unmet = result.property(name).map_or(&[][..], |property| &property.unmet);
        let mut why: Vec<String> = unmet.iter().map(Unmet::sentence).collect();
        if why.is_empty() {
            why.push("its antecedent never holds".to_owned());
        }
        page.warning_at(2, format!("{name} is vacuous: {}.", why.join("; ")));
    }
    for property in &result.properties {
        if !property.unmet.is_empty() && !gate.untested.contains(&property.name) {
            let why: Vec<String> = property.unmet.iter().map(Unmet::sentence).collect();
            page.warning_at(2, format!("{} is vacuous in part: {}.", property.name, why.join("; ")));
        }
    }
}

/// Whether no CTL property can fail, for lack of a fair initial state.
fn is_without_fair_start(gate: &Gate) -> bool {
    gate.fairness.as_ref().is_some_and(|fairness| fairness.start == Some(false))
}

fn assumptions(gate: &Gate, page: &mut Page) {
    match gate.assumptions {
        Assumptions::Consistent => {}
        Assumptions::Unknown => {
            let reason = gate.reason.as_deref().unwrap_or("no reason is known");
            page.say(2, format!("note: assumptions not checked for conflicts: {reason}"));
        }
        Assumptions::Conflicting => {
            let beyond = match gate.steps {
                0 => "the design has no run at all".to_owned(),
                steps => format!("no run has more than {}", plural(steps as usize, "step", "steps")),
            };
            page.warning_at(2, format!("the assumptions conflict: {beyond}. Proofs are vacuous."));
            conflict(gate, page);
        }
    }
}

fn conflict(gate: &Gate, page: &mut Page) {
    if gate.conflict.is_empty() {
        page.say(4, "Initial values contradict each other; no assumption is needed for that.");
        return;
    }
    page.say(4, "Minimal conflicting set:");
    let mut table = Table::new(&[Align::Left, Align::Left]);
    for one in &gate.conflict {
        let place = one.place.as_ref().map(crate::place::position);
        table.row([one.name.clone(), place.unwrap_or_default()]);
    }
    page.table(6, &table);
}

/// What is wrong with questions about paths.
fn infinite_runs(fairness: &Fairness, page: &mut Page) {
    let has_deadlock = fairness.deadlock == Some(true);
    match fairness.start {
        Some(false) => {
            let why = match (has_deadlock, fairness.constrained) {
                (true, false) => "every run ends in a state without successor",
                (true, true) => "every run ends, or violates a fairness constraint",
                (false, true) => "every run violates a fairness constraint",
                (false, false) => "there is no initial state",
            };
            page.warning_at(2, format!("no initial state is fair: {why}."));
            page.say(4, "Every CTL property holds, and says nothing.");
        }
        None => page.say(2, "note: whether some initial state is fair was not decided"),
        Some(true) => {}
    }
    if has_deadlock && fairness.start != Some(false) {
        page.say(
            2,
            "note: some reachable state has no successor; there, and where every path leads there, `A` is true and `E` is \
             false of everything",
        );
    }
}
