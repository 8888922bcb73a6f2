//! CTL formulas in words: what the user wrote, what a run shows of it, and what no run can.

use propcov_ir::{Ctl, Demonstration, PropertyId, PropertyKind, Quantifier, System};

/// What a property says, as the user wrote it: on one line, without comments and keywords.
pub fn written(system: &System, property: PropertyId) -> Option<String> {
    let property = system.property(property);
    let excerpt = property.span.and_then(|span| system.excerpt(span)).and_then(|text| of_excerpt(&text));
    match (excerpt, &property.kind) {
        (Some(written), _) => Some(written),
        (None, PropertyKind::Ctl(formula)) => Some(system.show_ctl(formula).to_string()),
        (None, PropertyKind::Ltl(formula)) => Some(system.show_ltl(formula).to_string()),
        (None, _) => None,
    }
}

fn of_excerpt(text: &str) -> Option<String> {
    let line = |line: &str| line.split_once("--").map_or(line, |(before, _)| before).to_owned();
    let lines: Vec<String> = text.lines().map(line).collect();
    let whole = lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ");
    let formula =
        ["SPEC ", "CTLSPEC ", "LTLSPEC ", "INVARSPEC "].iter().find_map(|word| whole.strip_prefix(word));
    let formula = formula.unwrap_or(&whole);
    let formula = match formula.strip_prefix("NAME ").and_then(|named| named.split_once(":=")) {
        Some((_, formula)) => formula,
        None => formula,
    };
    let formula = formula.trim().trim_end_matches(';').trim_end();
    (!formula.is_empty()).then(|| formula.to_owned())
}

/// Whether all that is shown is a state.
pub(super) fn is_one_state(shown: &Demonstration) -> bool {
    let goes_on_anyhow = shown.loop_to.is_none() || shown.essential < shown.steps.len();
    let is_start = shown.essential == 1 && shown.branches.is_empty() && goes_on_anyhow;
    has_no_run(&shown.claim) || is_start
}

/// What holds in the last step that is shown and no run shows, if that is all that is left open.
pub(super) fn end(system: &System, shown: &Demonstration) -> Option<String> {
    let end = if shown.claim.is_existential() { None } else { end_of(&shown.claim) };
    end.map(|end| system.show_ctl(end).to_string())
}

/// What is about all paths, so that no run shows it, where that is not about the last step alone.
pub(super) fn open(system: &System, shown: &Demonstration) -> Vec<String> {
    if shown.claim.is_existential() || end_of(&shown.claim).is_some() {
        return Vec::new();
    }
    universal_parts(&shown.claim).into_iter().map(|part| system.show_ctl(part).to_string()).collect()
}

/// Whether no run says anything about a claim in normal form: it is about the state alone, or about all paths from there.
fn has_no_run(claim: &Ctl) -> bool {
    let mut open = vec![claim];
    while let Some(part) = open.pop() {
        match part {
            Ctl::Next(Quantifier::Exists, _)
            | Ctl::Until(Quantifier::Exists, ..)
            | Ctl::Release(Quantifier::Exists, ..) => return false,
            Ctl::And(a, b) | Ctl::Or(a, b) => open.extend([&**a, &**b]),
            _ => {}
        }
    }
    true
}

/// What is claimed of the last step of a run that shows a claim, if that is all that the run leaves open.
fn end_of(claim: &Ctl) -> Option<&Ctl> {
    let mut claim = claim;
    loop {
        claim = match claim {
            _ if has_no_run(claim) => return Some(claim),
            Ctl::Next(Quantifier::Exists, a) => a,
            Ctl::Until(Quantifier::Exists, a, b) if a.is_existential() => b,
            Ctl::And(a, b) if a.is_propositional() => b,
            Ctl::And(a, b) if b.is_propositional() => a,
            _ => return None,
        };
    }
}

/// The largest parts of a claim that are about all paths.
fn universal_parts(claim: &Ctl) -> Vec<&Ctl> {
    let mut parts = Vec::new();
    let mut open = vec![claim];
    while let Some(part) = open.pop() {
        match part {
            Ctl::Next(Quantifier::All, _)
            | Ctl::Until(Quantifier::All, ..)
            | Ctl::Release(Quantifier::All, ..) => parts.push(part),
            Ctl::Next(_, a) | Ctl::Not(a) => open.push(a),
            Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::Release(_, a, b) => {
                open.extend([&**b, &**a]);
            }
            Ctl::Atom(_) => {}
        }
    }
    parts
}
