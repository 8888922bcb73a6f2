//! `--smooth`: the same violation with fewer changes of inputs, so that what matters can be seen.

use crate::answer::Answer;
use crate::prove::{Outcome, Prover};
use propcov_engine::infinite::smooth::{self, Smoothed};
use propcov_ir::{Edits, Verdict};

/// What became of the wish for a smooth counterexample.
#[derive(Clone, Debug)]
pub(crate) enum Smoothness {
    /// How often inputs change.
    Known {
        /// In the run that an engine found.
        before: usize,
        /// In the one that is shown.
        after: usize,
        /// Whether it is known that they change no less often in any run of the same length.
        is_fewest: bool,
    },
    /// Nothing, for this reason.
    Failed(String),
}

impl Smoothness {
    /// In a line.
    pub(crate) fn text(&self) -> String {
        match self {
            Smoothness::Known { before, after, is_fewest } => {
                let changes = match after {
                    0 => "never change".to_owned(),
                    1 => "change once".to_owned(),
                    many => format!("change {many} times"),
                };
                let fewest = match is_fewest {
                    true => "no run of this length needs fewer",
                    false => "fewer may be possible",
                };
                format!("Inputs {changes} ({before} before smoothing; {fewest}).")
            }
            Smoothness::Failed(why) => format!("The run was not made smoother: {why}."),
        }
    }
}

impl Prover<'_> {
    /// Replaces a counterexample by a smooth one, if that is asked for and the checker accepts it.
    pub(crate) fn add_smoothness(&self, outcome: &mut Outcome) {
        let (true, Some(trace)) = (self.smooth, outcome.answer.trace()) else { return };
        let edits = Edits::none();
        let found = self.panics.guard(|| {
            smooth::smooth(self.system, &edits, outcome.property, trace, &self.limits, &mut outcome.stats)
        });
        outcome.smoothness = Some(match found {
            None => {
                outcome.internal_errors.push("smoothing crashed".to_owned());
                Smoothness::Failed("internal error".to_owned())
            }
            Some(Err(reason)) => Smoothness::Failed(reason.to_string()),
            Some(Ok(Smoothed { trace, before, after, is_fewest })) => {
                match self.certify(outcome.property, Verdict::Falsified(trace)) {
                    Verdict::Unknown(reason) => {
                        outcome.internal_errors.push(format!("smooth run: {reason}"));
                        Smoothness::Failed(reason.to_string())
                    }
                    verdict => {
                        outcome.answer = Answer::Invariant(verdict);
                        Smoothness::Known { before, after, is_fewest }
                    }
                }
            }
        });
    }
}
