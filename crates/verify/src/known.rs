//! What earlier runs proved: believed only when the independent checker accepts the proof again.

use crate::answer::Answer;
use crate::outcome::Outcome;
use crate::verifier::Verifier;
use propcov_ir::{Proof, PropertyId, UnknownReason, Verdict};
use std::sync::Arc;
use std::time::Instant;

/// A proof of an earlier run.
#[derive(Clone, Debug)]
pub struct Known {
    /// The property that it is about.
    pub property: PropertyId,
    /// The proof.
    pub proof: Arc<Proof>,
    /// Who found it.
    pub engine: Option<&'static str>,
    /// How deep it had to look.
    pub depth: Option<u32>,
    /// What it took to find it; what it takes to check it if `None`.
    pub seconds: Option<f64>,
}

/// What became of a proof of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recall {
    /// The independent checker accepts it.
    Accepted,
    /// It does not, and why.
    Rejected(String),
    /// There was no time to look at all of it, or the run was interrupted.
    Postponed,
}

impl Verifier<'_> {
    /// What an earlier run proved: with [`Recall::Accepted`] the property is proved, otherwise it is as unknown as before.
    pub fn recall(&self, known: &Known) -> Outcome {
        let start = Instant::now();
        let verdict = self.certify(known.property, Verdict::Proved(Proof::clone(&known.proof)));
        // A proof in a file that makes the checker crash is as good as none.
        self.panics.take();
        let certify_seconds = start.elapsed().as_secs_f64();
        let unknown = Outcome::unknown(known.property, UnknownReason::Cancelled);
        let mut outcome = match verdict {
            Verdict::Unknown(reason) => {
                let recall = match &reason {
                    UnknownReason::Timeout | UnknownReason::Memory | UnknownReason::Cancelled => {
                        Recall::Postponed
                    }
                    other => Recall::Rejected(other.to_string()),
                };
                let seconds = certify_seconds;
                // Evidence from a file is nobody's bug: the property is open.
                let answer = Answer::unknown(UnknownReason::Cancelled);
                return Outcome { answer, recall: Some(recall), seconds, certify_seconds, ..unknown };
            }
            verdict => Outcome {
                answer: Answer::Invariant(verdict),
                certified: true,
                engine: known.engine,
                depth: known.depth,
                recall: Some(Recall::Accepted),
                certify_seconds,
                ..unknown
            },
        };
        self.add_core(&mut outcome);
        outcome.seconds = known.seconds.unwrap_or_else(|| start.elapsed().as_secs_f64());
        outcome
    }
}
