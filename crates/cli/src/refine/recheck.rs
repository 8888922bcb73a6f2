//! What diagrams found out, once more by listing states, with evidence. A difference is an internal error.

use crate::input::Complaint;
use crate::progress::Progress;
use crate::refine::arguments::RefineArguments;
use crate::refine::explicit::{self, Found, STOPPED, Unlisted};
use crate::refine::results::{Results, Verdict};
use crate::refine::symbolic::Decided;
use dashu_int::UBig;
use propcov_certify::StateList;
use propcov_coverage::refine::{Algorithm, FlipStatus};
use propcov_engine::Limits;
use propcov_ir::LabelFlip;
use propcov_symbolic::simulation::{StateOf, SymbolicCoverage};
use propcov_verify::budget;

impl Results {
    /// Says what is not told because states are not listed, and why they are not.
    pub(super) fn note_unlisted(&mut self, arguments: &RefineArguments, why: &str) {
        if matches!(self.verdict, Verdict::Yes { .. }) {
            self.notes.extend(arguments.needs_listing().map(|what| format!("{what}: {why}")));
        }
    }
}

/// Finds out the same by listing states, where that is possible.
pub(crate) fn recheck(
    results: &mut Results,
    decided: &Decided<'_>,
    arguments: &RefineArguments,
    limits: &Limits,
    progress: &Progress,
) -> Result<(), Complaint> {
    if budget(limits).is_exhausted() {
        results.note_unlisted(arguments, STOPPED);
        return Ok(());
    }
    progress.stage("listing states, to check the result".to_owned());
    let listing = match explicit::list(&results.models, arguments, &budget(limits)) {
        Ok(listing) => listing,
        Err(Unlisted::TooMany(why)) => {
            results.note_unlisted(arguments, &why);
            return Ok(());
        }
        Err(Unlisted::Complaint(complaint)) => return Err(complaint),
    };
    results.implementation = explicit::size(listing.pair.implementation());
    results.specification = explicit::size(listing.pair.specification());
    let found = explicit::study(&listing, Algorithm::Divide, arguments, limits, progress);
    compare(results, decided, listing.states.as_ref(), &found);
    results.times.criteria = found.criteria_seconds;
    results.work = found.work;
    results.internal_errors.extend(found.internal_errors);
    results.unfinished = found.unfinished;
    results.explicit = Some(Box::new(found.explicit));
    Ok(())
}

/// Compares the verdicts, and what is said of each label.
fn compare(results: &mut Results, decided: &Decided<'_>, states: Option<&StateList>, found: &Found) {
    let differs = match (&mut results.verdict, &found.verdict) {
        (Verdict::Yes { certified }, Verdict::Yes { .. })
        | (Verdict::No { certified }, Verdict::No { .. }) => {
            *certified = true;
            false
        }
        (_, Verdict::Unknown(_)) => false,
        _ => true,
    };
    if differs {
        results.internal_errors.push("diagrams and lists of states disagree about simulation".to_owned());
    }
    for (row, (proposition, coverage)) in results.rows.iter_mut().zip(&decided.coverage) {
        let Some(other) = found.rows.iter().find(|other| other.proposition == row.proposition) else {
            continue;
        };
        row.unreachable = other.unreachable.clone();
        let Some(coverage) = coverage.as_ref().filter(|_| other.unknown == UBig::ZERO) else { continue };
        let own = found.explicit.findings.iter().filter(|(flip, _)| flip.proposition == *proposition);
        let agree = (&row.covered, &row.uncovered) == (&other.covered, &other.uncovered)
            && own.clone().all(|(flip, status)| decided.says(coverage, states, *flip) == Some(*status));
        if agree {
            row.certified = true;
        } else {
            results.internal_errors.push(format!(
                "diagrams and lists of states disagree about the labels of {}",
                row.proposition
            ));
        }
    }
}

impl Decided<'_> {
    /// What diagrams say about a label.
    fn says(
        &self,
        coverage: &SymbolicCoverage,
        states: Option<&StateList>,
        flip: LabelFlip,
    ) -> Option<FlipStatus> {
        let values = match states {
            Some(states) => Some(states.values(flip.state)?),
            None => None,
        };
        let state = values.as_deref().map_or(StateOf::Graph(flip.state), StateOf::System);
        let is_covered = self.refinement.is_covered(coverage, state).ok()?;
        Some(is_covered.map_or(FlipStatus::Unreachable, |is_covered| match is_covered {
            true => FlipStatus::Covered,
            false => FlipStatus::Uncovered,
        }))
    }
}
