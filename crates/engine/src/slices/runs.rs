//! Runs of slices from the beginning, in one solver.

use super::path::{Claim, Path};
use crate::limits::{Limits, Stats};
use propcov_ir::{ElementSet, Followed, Trace, UnknownReason};
use propcov_sat::{Lit, Outcome};

/// How many elements are tried to be the only one that is broken.
const LEAPS: usize = 2;
/// How often a violation is asked for that breaks fewer definitions.
const GROWTH: usize = 8;
/// Solver ticks and conflicts that each of these questions is worth: a run is there already.
const GROWTH_TICKS: u64 = 200_000;
const GROWTH_CONFLICTS: u64 = 300;

/// The solver, and what it found out about steps.
pub(super) struct Runs<'s> {
    pub(super) path: Box<dyn Path + 's>,
    /// For each step, sets of elements that suffice for the property to hold in it.
    clear: Vec<Vec<ElementSet>>,
    /// One more than the last step in which a violation was found.
    pub(super) deepest: usize,
}

/// What came of a question about one step.
pub(super) enum Asked {
    /// No run violates the property in that step; these elements suffice for that.
    Clear(ElementSet),
    /// The solver has a model of a violation.
    Violated,
    /// No answer.
    Unknown(UnknownReason),
}

impl<'s> Runs<'s> {
    pub(super) fn new(path: Box<dyn Path + 's>) -> Runs<'s> {
        Runs { path, clear: Vec::new(), deepest: 0 }
    }

    /// Whether a run of the slice violates the property in a step. Elements that are `preferred` are used rather than others.
    pub(super) fn ask(
        &mut self,
        kept: &ElementSet,
        preferred: &ElementSet,
        step: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Asked {
        if self.clear.len() <= step {
            self.clear.resize(step + 1, Vec::new());
        }
        if let Some(known) = self.clear[step].iter().rev().find(|known| known.is_subset(kept)) {
            return Asked::Clear(known.clone());
        }
        match self.refute(Claim::Property, kept, preferred, step, "slice runs", limits, stats) {
            Ok(Some(used)) => {
                self.clear[step].retain(|known| !used.is_subset(known));
                self.clear[step].push(used.clone());
                Asked::Clear(used)
            }
            Ok(None) => {
                self.deepest = self.deepest.max(step + 1);
                Asked::Violated
            }
            Err(reason) => Asked::Unknown(reason),
        }
    }

    /// The elements of a slice that suffice for a claim to hold in a step; `None` if it can fail.
    #[expect(clippy::too_many_arguments, reason = "a question, its slice, and what it may cost")]
    pub(super) fn refute(
        &mut self,
        claim: Claim,
        kept: &ElementSet,
        preferred: &ElementSet,
        step: usize,
        cause: &'static str,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Option<ElementSet>, UnknownReason> {
        let mut assumptions = self.until(step)?;
        let violated = !self.path.claim(claim, step)?;
        let keeps = keeps(&*self.path, kept, preferred);
        assumptions.extend(&keeps);
        assumptions.push(violated);
        stats.call(cause);
        match self.path.solve(&assumptions, limits) {
            Outcome::Unsat => Ok(Some(used(&*self.path, kept))),
            Outcome::Sat => Ok(None),
            Outcome::Unknown => Err(limits.reason()),
        }
    }

    /// What makes all steps up to one part of the run.
    fn until(&mut self, step: usize) -> Result<Vec<Lit>, UnknownReason> {
        (0..=step).map(|step| self.path.on(step)).collect()
    }

    /// From the model of a violation in a step to a run that breaks as few definitions as can be had for little: first those that it breaks for no reason follow again. Then the
    /// solver is asked for a violation that breaks just one of those that matter, and otherwise for one that breaks fewer, as long as there is one.
    pub(super) fn grown(
        &mut self,
        universe: &ElementSet,
        kept: &ElementSet,
        matters: &ElementSet,
        step: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<(ElementSet, Trace), UnknownReason> {
        let mut best = self.path.run(step, &universe.difference(kept))?;
        // Where products are involved a model need not be a run; the first one that is will do.
        let rounds = if self.path.is_exact() { GROWTH } else { 0 };
        let conflicts = limits.conflicts.map_or(GROWTH_CONFLICTS, |own| own.min(GROWTH_CONFLICTS));
        let brief = Limits { conflicts: Some(conflicts), ..limits.for_one(GROWTH_TICKS, None) };
        if rounds > 0 && best.broken.len() > 1 {
            for element in best.broken.intersection(matters).iter().take(LEAPS) {
                let others = universe.without(element);
                if let Asked::Violated = self.ask(&others, &ElementSet::new(), step, &brief, stats) {
                    best = self.path.run(step, &universe.difference(&others))?;
                    break;
                }
            }
        }
        for _ in 0..rounds {
            match self.larger(universe, &best, step, &brief, stats)? {
                Some(larger) => best = larger,
                None => break,
            }
        }
        Ok((universe.difference(&best.broken), best.trace))
    }

    /// A violation in the same step that breaks a proper subset of what this one breaks.
    fn larger(
        &mut self,
        universe: &ElementSet,
        run: &Followed,
        step: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Option<Followed>, UnknownReason> {
        if run.broken.len() <= 1 {
            return Ok(None);
        }
        let kept = universe.difference(&run.broken);
        let mut assumptions = self.until(step)?;
        let violated = !self.path.claim(Claim::Property, step)?;
        assumptions.extend(keeps(&*self.path, &kept, &ElementSet::new()));
        assumptions.push(violated);
        let asked = self.path.fresh();
        let broken = self.path.selectors().iter().filter(|(element, _)| run.broken.contains(*element));
        let some_more: Vec<Lit> = std::iter::once(!asked).chain(broken.map(|(_, keep)| *keep)).collect();
        self.path.clause(&some_more);
        assumptions.push(asked);
        stats.call("slice growth");
        let outcome = self.path.solve(&assumptions, limits);
        let larger = match outcome {
            Outcome::Sat => Some(self.path.run(step, &run.broken)?),
            _ => None,
        };
        self.path.clause(&[!asked]);
        Ok(larger.filter(|larger| larger.broken.len() < run.broken.len()))
    }
}

/// The literals that keep the elements of a slice, preferred ones first: a refutation then uses these rather than others.
pub(super) fn keeps(path: &dyn Path, kept: &ElementSet, preferred: &ElementSet) -> Vec<Lit> {
    let mut literals = Vec::with_capacity(path.selectors().len());
    for first in [true, false] {
        let those = path
            .selectors()
            .iter()
            .filter(|(element, _)| kept.contains(*element) && preferred.contains(*element) == first);
        literals.extend(those.map(|(_, keep)| *keep));
    }
    literals
}

/// The elements of a slice that the last refutation used.
pub(super) fn used(path: &dyn Path, kept: &ElementSet) -> ElementSet {
    let those =
        path.selectors().iter().filter(|(element, keep)| kept.contains(*element) && path.failed(*keep));
    those.map(|(element, _)| *element).collect()
}
