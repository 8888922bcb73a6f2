//! Several properties of one system: one search, whose frames exclude the bad states of all of them.
//!
//! Lemmas that one property needs are there for all. A property that a run violates is dropped, and the search goes on: frames stay what they
//! were, over-approximations of what can be reached. So is one that takes too much while there are others. When a frame is inductive, it proves all that are left.

use super::{Config, Ic3, Leftovers, Stop};
use crate::finite::{Answer, Lemmas, Problem};
use crate::limits::{Limits, Observer, Stats};
use propcov_solve::BitTrace;
use std::sync::Arc;

/// The part of all ticks that one property may take while there are others.
const PART: u64 = 4;

/// What came of the properties of a suite.
pub(crate) struct Found {
    /// Those that a run violates in its last step, with the work until then.
    pub(crate) violated: Vec<(usize, Arc<BitTrace>, u64)>,
    /// The answer to those that are left, and which they are.
    pub(crate) rest: Answer,
    pub(crate) left: Vec<usize>,
}

/// Decides all properties of the problem's netlist.
pub(crate) fn run_suite(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> (Found, Leftovers) {
    let mut ic3 = Ic3::new(problem, config, limits, &[]);
    let mut violated = Vec::new();
    let rest = loop {
        if ic3.open.is_empty() {
            break Answer::Proved { lemmas: Lemmas::Clauses(Vec::new()), k: 1, simple_path: false };
        }
        match ic3.search(observer) {
            Ok(answer) => break answer,
            Err(Stop::Counterexample(trace, _)) => {
                let trace = Arc::new(trace);
                let ticks = ic3.ticks();
                let by_trace: Vec<bool> = {
                    let last = trace.steps.last().map(|step| step.evaluate(&problem.netlist));
                    let holds = |at: &usize| {
                        last.as_ref()
                            .is_some_and(|last| propcov_solve::value(last, problem.netlist.bads[*at]))
                    };
                    ic3.open.iter().map(holds).collect()
                };
                // The one that the run was looked for is among them; if not, that is a bug, and the checker will say so.
                let suspect = ic3.suspect.min(ic3.open.len() - 1);
                let is_violated = |position: usize| position == suspect || by_trace[position];
                let open = std::mem::take(&mut ic3.open);
                for (position, property) in open.into_iter().enumerate() {
                    if is_violated(position) {
                        violated.push((property, Arc::clone(&trace), ticks));
                    } else {
                        ic3.open.push(property);
                    }
                }
                ic3.next_suspect(0);
                ic3.obligations.clear();
            }
            Err(stop) if ic3.open.len() > 1 && !stop.is_incomplete() && !ic3.is_exhausted() => {
                let suspect = ic3.suspect.min(ic3.open.len() - 1);
                ic3.open.remove(suspect);
                ic3.next_suspect(0);
                ic3.obligations.clear();
            }
            Err(stop) => break stop.unknown(limits),
        }
    };
    let left = ic3.open.clone();
    let (rest, leftovers) = ic3.finish(rest, stats);
    (Found { violated, rest, left }, leftovers)
}

impl Stop {
    fn is_incomplete(&self) -> bool {
        matches!(self, Stop::InitialInputs)
    }
}

impl Ic3<'_> {
    /// Turns to another property: the one at this place among those that are open.
    pub(super) fn next_suspect(&mut self, position: usize) {
        if self.open.len() > 1 {
            let now = self.ticks();
            if let Some(property) = self.open.get(self.suspect) {
                self.spent[*property] += now.saturating_sub(self.suspect_since);
            }
            self.suspect_since = now;
        }
        self.suspect = position;
    }

    /// Whether the property that is looked at has taken too much.
    pub(super) fn is_patience_over(&self) -> bool {
        let limit = self.limits.interrupt.tick_limit();
        let Some(property) = self.open.get(self.suspect).filter(|_| limit < u64::MAX) else { return false };
        self.spent[*property] + self.ticks().saturating_sub(self.suspect_since) > limit / PART
    }

    /// Whether the budget is used up.
    pub(super) fn is_exhausted(&self) -> bool {
        self.limits.exhausted(self.ticks())
            || self.limits.conflicts.is_some_and(|limit| self.frames.conflicts() >= limit)
    }
}
