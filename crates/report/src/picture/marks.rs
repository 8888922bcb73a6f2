//! Marks from a result: what is known about the labels of each state.

use super::{Mark, Picture};
use propcov_result::{FindingVerdict, RunResult, Subject};
use std::collections::HashMap;

/// What is known of one state.
#[derive(Default)]
struct Known<'r> {
    covered: usize,
    uncovered: Vec<&'r str>,
    /// That nothing gets there, or that it is not known.
    mark: Option<Mark>,
}

impl Picture {
    /// Marks the states by what a result says about their labels.
    pub fn mark_labels(&mut self, result: &RunResult) {
        let mut known: HashMap<&str, Known<'_>> = HashMap::new();
        for finding in &result.findings {
            let Subject::Label(label) = &finding.subject else { continue };
            let state = known.entry(&label.state).or_default();
            match finding.verdict {
                FindingVerdict::Covered => state.covered += 1,
                FindingVerdict::Uncovered | FindingVerdict::NoEffect => {
                    state.uncovered.push(&label.proposition);
                }
                FindingVerdict::Dead => state.mark = Some(Mark::Unreachable),
                FindingVerdict::Unknown => state.mark = Some(Mark::Unknown),
            }
        }
        for state in &mut self.states {
            let Some(known) = known.get(state.name.as_str()) else { continue };
            state.uncovered = known.uncovered.iter().map(|name| (*name).to_owned()).collect();
            state.mark = known.mark.unwrap_or(match (known.covered, known.uncovered.len()) {
                (0, 0) => Mark::Plain,
                (_, 0) => Mark::Covered,
                (0, _) => Mark::Uncovered,
                (_, _) => Mark::PartlyCovered,
            });
        }
    }
}
