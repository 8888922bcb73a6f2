//! The same violation with fewer changes of inputs, so that what matters can be seen.

use crate::answer::Answer;
use crate::outcome::Outcome;
use crate::verifier::Verifier;
use propcov_engine::infinite::smooth::{self, Smoothed};
use propcov_ir::{Edits, Verdict};

/// What became of the wish for a smooth counterexample.
#[derive(Clone, Debug)]
pub enum Smoothness {
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

impl Verifier<'_> {
    /// Replaces a counterexample by a smooth one, if that is asked for and the checker accepts it.
    pub(crate) fn add_smoothness(&self, outcome: &mut Outcome) {
        let (true, Some(trace)) = (self.options.smooth, outcome.answer.trace()) else { return };
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
