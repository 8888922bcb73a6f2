//! The criteria of Katz, Grumberg and Geist: what the specification has that the implementation does not.

use crate::terminal::Page;
use crate::text::ALL;
use crate::text::refine::names::{list, listed};
use crate::words::{readable, shown};
use propcov_result::{Criteria, Refinement, SpecificationStep};

/// The most lines about states that stand for several.
const LINES: usize = 10;

/// Writes them.
pub(super) fn write(refinement: &Refinement, page: &mut Page) {
    let Some(criteria) = &refinement.criteria else { return };
    if let Some(reason) = &criteria.reason {
        page.gap();
        page.say(0, format!("What of the specification is not implemented is not known: {reason}."));
        return;
    }
    page.title("Criteria of Katz, Grumberg and Geist (1999), of what is reachable:");
    let is_cut = lists(criteria, page);
    if is_cut {
        page.say(2, format!("… not everything is shown; {ALL}"));
    }
}

fn lists(criteria: &Criteria, page: &mut Page) -> bool {
    let mut is_cut = false;
    if let Some(states) = &criteria.unimplemented_start_states {
        is_cut |= list(2, "unimplemented start states:", states, page);
    }
    if let Some(states) = &criteria.unimplemented_states {
        is_cut |= list(2, "unimplemented states:", states, page);
    }
    if let Some(steps) = &criteria.unimplemented_transitions {
        let steps: Vec<String> = steps.iter().map(step).collect();
        let title = match criteria.form.as_str() {
            "kgg99" => "transitions between states that stand for unconnected ones:",
            _ => "unimplemented transitions (each can be removed):",
        };
        let (steps, some_left_out) = listed(&steps);
        page.say(2, format!("{title} {steps}"));
        is_cut |= some_left_out;
    }
    let Some(merged) = &criteria.many_to_one else { return is_cut };
    if merged.is_empty() {
        page.say(2, "many-to-one states: none");
        return is_cut;
    }
    page.say(2, "many-to-one states, and what they stand for:");
    let count = shown(merged.len(), LINES);
    for one in &merged[..count] {
        is_cut |= list(4, format!("{}:", one.state), &one.implementation, page);
    }
    if count < merged.len() {
        page.say(4, format!("… and {} more", merged.len() - count));
        is_cut = true;
    }
    is_cut
}

fn step(step: &SpecificationStep) -> String {
    let SpecificationStep { from, to, implementation, count } = step;
    let Some((start, end)) = implementation else { return format!("{from} -> {to}") };
    let others = match count {
        Some(count) if !count.is_one() && !count.is_zero() => {
            let others = count - &1_usize.into();
            format!(
                " and {} {}",
                readable(&others.to_string()),
                if others.is_one() { "other" } else { "others" }
            )
        }
        _ => String::new(),
    };
    format!("{from} -> {to} (but not {start} -> {end}{others})")
}
