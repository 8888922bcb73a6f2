//! What came of one property.

use crate::answer::Answer;
use crate::known::Recall;
use crate::smooth::Smoothness;
use propcov_engine::Stats;
use propcov_ir::{ElementSet, PropertyId, UnknownReason};

/// What came of one property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The property.
    pub property: PropertyId,
    /// The answer.
    pub answer: Answer,
    /// Whether the independent checker agrees with all of the answer. Without that, an invariant is never said to hold or to
    /// fail; a CTL property is, with the remark that it was not certified.
    pub certified: bool,
    /// Why a decided answer could not be certified, in a few words.
    pub uncertified: Option<String>,
    /// The engine that has decided it, or has tried last.
    pub engine: Option<&'static str>,
    /// Transitions of a counterexample, frames or induction length of a proof, bound of a search without either.
    pub depth: Option<u32>,
    /// What became of the proof that was given for it, if one was.
    pub recall: Option<Recall>,
    /// From the beginning of the search until the answer was there and certified.
    pub seconds: f64,
    /// How many of these seconds were spent for other properties as well, and are counted there.
    pub shared_seconds: f64,
    /// Of these seconds, those of the independent checker.
    pub certify_seconds: f64,
    /// Work of the search that found the answer in solver ticks, also what was shared with other properties.
    pub ticks: u64,
    /// What became of the wish for a smooth counterexample, if there was one.
    pub smoothness: Option<Smoothness>,
    /// Elements that the proof uses, when asked for: also certified.
    pub core: Option<ElementSet>,
    /// What went wrong inside propcov on the way.
    pub internal_errors: Vec<String>,
    /// What it took.
    pub stats: Stats,
}

impl Outcome {
    /// Nothing is known, and why.
    pub fn unknown(property: PropertyId, reason: UnknownReason) -> Outcome {
        Outcome {
            property,
            answer: Answer::unknown(reason),
            certified: false,
            uncertified: None,
            engine: None,
            depth: None,
            recall: None,
            seconds: 0.0,
            shared_seconds: 0.0,
            certify_seconds: 0.0,
            ticks: 0,
            smoothness: None,
            core: None,
            internal_errors: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Whether more time might have helped.
    pub fn is_timeout(&self) -> bool {
        self.answer.reason() == Some(&UnknownReason::Timeout)
    }

    /// Whether another engine may try.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.answer.reason(), Some(reason) if !matches!(reason, UnknownReason::NotCertified(_)))
    }

    /// An answer that the checker rejects is a bug, and said to be one.
    pub fn note_rejection(&mut self) {
        if let Some(reason @ UnknownReason::NotCertified(_)) = self.answer.reason() {
            self.internal_errors.push(reason.to_string());
        }
    }

    /// Adds what an earlier attempt at the same property took.
    pub fn add_attempt(&mut self, earlier: &Outcome) {
        self.seconds += earlier.seconds;
        self.certify_seconds += earlier.certify_seconds;
        self.stats.merge(&earlier.stats);
        self.internal_errors.extend(earlier.internal_errors.iter().cloned());
        if self.recall.is_none() {
            self.recall.clone_from(&earlier.recall);
        }
    }
}
