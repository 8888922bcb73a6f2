//! Engines decide about a slice for which no run and no known lemma does.

use super::runs::Asked;
use super::{AS_WRITTEN, SliceVerdict, Slices};
use crate::limits::{Limits, Silent, Stats};
use crate::{infinite, portfolio};
use propcov_ir::{
    Edit, Edits, ElementSet, Followed, Interpreter, Trace, UnknownReason, Verdict, choices_of, follow,
};

/// Runs of more transitions than this are taken as the engine found them, and so are those which the solver does not find again in so many ticks.
const LONGEST_ASKED: usize = 30;
const ASKED_AGAIN: u64 = 200_000;

/// Why there is no answer where a question has had all the effort that it is worth.
pub(super) fn without_answer(limits: &Limits) -> UnknownReason {
    match limits.reason() {
        UnknownReason::Cancelled if !limits.interrupt.is_raised() => {
            let why = "the engines found no answer within the effort that one check is worth";
            UnknownReason::Incomplete(why.to_owned())
        }
        reason => reason,
    }
}

impl Slices<'_> {
    /// Runs all engines on the slice, for at most so many ticks.
    pub(super) fn search(
        &mut self,
        kept: &ElementSet,
        effort: u64,
        limits: &Limits,
        stats: &mut Stats,
    ) -> SliceVerdict {
        let brief = limits.for_one(effort, None);
        let mut slice = Edits::none();
        let dropped = self.universe.difference(kept);
        dropped.iter().for_each(|element| slice.insert(element, Edit::Free));
        stats.add("slices searched by engines", 1);
        let verdict = if self.is_infinite {
            let lemmas = self.pool.lemmas();
            let together = infinite::portfolio::check_with(
                self.system,
                &slice,
                &[self.property],
                lemmas,
                &brief,
                &Silent,
            );
            stats.merge(&together.stats);
            self.searched += together.stats.ticks;
            together.settled.into_iter().next().map(|settled| settled.verdict)
        } else {
            let report = portfolio::check(self.system, &slice, self.property, &self.config, &brief, &Silent);
            stats.merge(&report.stats);
            self.searched += report.stats.ticks;
            Some(report.verdict)
        };
        match verdict {
            Some(Verdict::Proved(proof)) => {
                self.learn(&proof.invariant, proof.k);
                match self.pool.prove(kept, &mut self.runs, limits, stats) {
                    Some(pooled) => self.proved(pooled),
                    // The argument does not fit here (simple paths), or the budget is used up: all that was kept suffices.
                    None => {
                        let mut proof = proof;
                        proof.core = kept.union(&self.fixed);
                        SliceVerdict::Holds { core: kept.clone(), proof: Some(proof) }
                    }
                }
            }
            Some(Verdict::Falsified(trace)) => self.falsified(kept, &dropped, &slice, trace, limits, stats),
            Some(Verdict::Unknown(UnknownReason::Cancelled)) => SliceVerdict::Unknown(without_answer(limits)),
            Some(Verdict::Unknown(reason)) => SliceVerdict::Unknown(reason),
            None => SliceVerdict::Unknown(UnknownReason::Unsupported(
                "a property that is no invariant".to_owned(),
            )),
        }
    }

    /// A run that an engine found. If it breaks several definitions, the solver for runs may know one that breaks fewer.
    fn falsified(
        &mut self,
        kept: &ElementSet,
        dropped: &ElementSet,
        slice: &Edits,
        trace: Trace,
        limits: &Limits,
        stats: &mut Stats,
    ) -> SliceVerdict {
        let last = trace.depth();
        let (kept_by_run, trace) = match self.followed(dropped, slice, &trace) {
            Some(followed) => (self.universe.difference(&followed.broken), followed.trace),
            None => (kept.clone(), trace),
        };
        if last <= LONGEST_ASKED {
            // Others may fail as late as this one.
            self.runs.deepest = self.runs.deepest.max(last + 1);
        }
        let brief = limits.for_one(ASKED_AGAIN, None);
        if self.universe.len() > kept_by_run.len() + 1
            && last <= LONGEST_ASKED
            && let Asked::Violated = self.runs.ask(&kept_by_run, &ElementSet::new(), last, &brief, stats)
            && let grown @ SliceVerdict::Fails { .. } = self.refuted(&kept_by_run, last, &brief, stats)
        {
            return grown;
        }
        SliceVerdict::Fails { kept: kept_by_run, trace }
    }

    /// The same run, as far as possible with definitions that were dropped.
    fn followed(&self, dropped: &ElementSet, slice: &Edits, trace: &Trace) -> Option<Followed> {
        let interpreter = Interpreter::new(self.system, &AS_WRITTEN).ok()?;
        follow(&interpreter, dropped, trace.depth(), &choices_of(self.system, slice, trace)).ok()
    }
}
