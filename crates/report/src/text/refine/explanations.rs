//! Why single labels are covered or not.

use crate::terminal::Page;
use crate::text::refine::names::set;
use crate::text::refine::steps::{self, Step};
use crate::text::refine::tree;
use crate::words::plural;
use propcov_result::{Explanation, FindingVerdict, PassageStep, Refinement};

/// Writes what was asked for.
pub(super) fn write(refinement: &Refinement, page: &mut Page) {
    refinement.explanations.iter().for_each(|explanation| one(explanation, page));
}

fn one(explanation: &Explanation, page: &mut Page) {
    let Explanation { state, flipped, .. } = explanation;
    let words = match explanation.verdict {
        FindingVerdict::Covered => "covered, the specification has no such behaviour",
        FindingVerdict::Uncovered | FindingVerdict::NoEffect => "uncovered, the specification allows it",
        FindingVerdict::Dead => "no run gets there, so nothing can cover it",
        FindingVerdict::Unknown => "not known",
    };
    page.title(format!("{state} with {flipped} instead: {words}"));
    if let Some(distinction) = &explanation.distinction {
        tree::write(distinction, Some(state), page);
    }
    if !explanation.run.is_empty() {
        passage(explanation, page);
    }
}

/// A run of the mutant that the specification follows.
fn passage(explanation: &Explanation, page: &mut Page) {
    let step = |(number, step): (usize, &PassageStep)| {
        let mark = if step.implementation == *explanation.state { " (flipped)" } else { "" };
        Step {
            number: number.to_string(),
            state: format!("{} {}{mark}", step.implementation, set(&step.labels)),
            specification: format!("{} {}", step.specification, set(&step.needs)),
        }
    };
    let run: Vec<Step> = explanation.run.iter().enumerate().map(step).collect();
    steps::write(("run of the mutant", "specification"), &run, page);
    let pairs = plural(explanation.relation.len(), "pair", "pairs");
    page.say(2, format!("and so on, by a relation of {pairs}, certified"));
}
