//! A distinction in words: the run, where the specification can be along it, and why it cannot go on from there.

use crate::terminal::{Page, Span};
use crate::text::ALL;
use crate::text::refine::names::{listed, set};
use crate::text::refine::steps::{self, Step};
use crate::words::shown;
use propcov_result::{Distinction, Refusal, Refutation};
use std::collections::{HashMap, HashSet};

/// The most lines of a tree, and of a run.
const LINES: usize = 40;
/// The last steps of a long run that are shown.
const LAST: usize = 10;
/// The most states that are said to refuse labels.
const REFUSALS: usize = 8;
/// Deeper levels are not indented further.
const DEEPEST: usize = 20;

/// Writes it; the state whose label is flipped is marked.
pub(super) fn write(distinction: &Distinction, flipped: Option<&str>, page: &mut Page) {
    let mark = |state: &str| if flipped == Some(state) { " (flipped)" } else { "" };
    let heading = if flipped.is_some() { "run of the mutant" } else { "run" };
    let steps = &distinction.run;
    let is_long = steps.len() > LINES + LAST + 1;
    let mut is_cut = false;
    let mut shown_steps = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        if is_long && number >= LINES && number + LAST < steps.len() {
            if number == LINES {
                shown_steps.push(Step {
                    number: "…".to_owned(),
                    state: format!("{} more steps", steps.len() - LINES - LAST),
                    specification: String::new(),
                });
                is_cut = true;
            }
            continue;
        }
        let (specification, some_left_out) = listed(&step.specification);
        is_cut |= some_left_out;
        let state = format!("{} {}{}", step.state, set(&step.labels), mark(&step.state));
        shown_steps.push(Step { number: number.to_string(), state, specification });
    }
    steps::write((heading, "specification can be in"), &shown_steps, page);
    let Some(last) = steps.last() else { return };
    if last.specification.is_empty() {
        page.say(
            2,
            match steps.len() {
                1 => "No initial state of the specification accepts these labels:",
                _ => "No state that the specification could go to accepts these labels:",
            },
        );
        let count = shown(distinction.refused.len(), REFUSALS);
        distinction.refused[..count].iter().for_each(|refusal| needs(4, refusal, page));
        if count < distinction.refused.len() {
            page.say(4, format!("… and {} more", distinction.refused.len() - count));
            is_cut = true;
        }
    } else {
        page.say(2, "From there no state of the specification can follow:");
        let lines = Branches { distinction, flipped }.lines(&last.state, &last.specification);
        let count = shown(lines.len(), LINES);
        for (depth, text) in &lines[..count] {
            page.say(2 + 2 * (*depth).min(DEEPEST), text.as_str());
        }
        is_cut |= count < lines.len();
    }
    if is_cut {
        page.say(2, format!("… not everything is shown; {ALL}"));
    }
}

fn needs(indent: usize, refusal: &Refusal, page: &mut Page) {
    page.spans(indent, &[Span::whole(&refusal.state), format!(" needs {}", refusal.needs.join(", ")).into()]);
}

struct Branches<'d> {
    distinction: &'d Distinction,
    flipped: Option<&'d str>,
}

impl Branches<'_> {
    /// The tree below the end of the run, by depth; without recursion, as trees can be deep. A few lines more than are shown.
    fn lines(&self, state: &str, partners: &[String]) -> Vec<(usize, String)> {
        let known: HashMap<(&str, &str), &Refutation> = self
            .distinction
            .refutations
            .iter()
            .map(|refutation| {
                ((refutation.implementation.as_str(), refutation.specification.as_str()), refutation)
            })
            .collect();
        let mut told: HashSet<(&str, &str)> = HashSet::new();
        let mut lines = Vec::new();
        let mut open: Vec<(usize, &str, &str, &[String])> =
            partners.iter().rev().map(|partner| (1, state, partner.as_str(), &[][..])).collect();
        while let Some((depth, state, partner, needs)) = open.pop() {
            if lines.len() > LINES + 1 {
                break;
            }
            if !needs.is_empty() {
                lines.push((depth, format!("{partner} needs {}", needs.join(", "))));
                continue;
            }
            let Some(refutation) = known.get(&(state, partner)) else { continue };
            let key = (refutation.implementation.as_str(), refutation.specification.as_str());
            if !told.insert(key) {
                lines.push((depth, format!("{partner}: as above")));
                continue;
            }
            let mark = if self.flipped == Some(&refutation.step) { " (flipped)" } else { "" };
            let step = format!("{} {}{mark}", refutation.step, set(&refutation.labels));
            lines.push((depth, format!("{partner} cannot follow {state} to {step}:")));
            let answers = refutation.answers.iter().rev();
            open.extend(answers.map(|answer| {
                (depth + 1, refutation.step.as_str(), answer.state.as_str(), &answer.needs[..])
            }));
        }
        lines
    }
}
