//! What diagrams found out, once more by listing states, with evidence. A difference is an internal error.

use super::Run;
use super::listing::{self, Unlisted};
use super::reading::ModelPair;
use super::symbolic::Decided;
use crate::Error;
use propcov_certify::StateValues;
use propcov_coverage::refine::record::METRIC;
use propcov_coverage::refine::{Algorithm, FlipStatus, Survey};
use propcov_ir::LabelFlip;
use propcov_result::{Scope, Share};
use propcov_symbolic::simulation::{StateOf, SymbolicCoverage};
use propcov_verify::budget;

impl Run<'_> {
    /// Finds out the same by listing states, where that is possible.
    pub(super) fn recheck(
        &mut self,
        models: &ModelPair,
        decided: &Decided<'_>,
    ) -> Result<Option<Survey>, Error> {
        if budget(&self.limits).is_exhausted() {
            self.note_unlisted(&self.out_of_budget());
            return Ok(None);
        }
        self.progress.stage("listing states, to check the result".to_owned());
        let mut listing = match listing::list(models, self.options, &budget(&self.limits)) {
            Ok(listing) => listing,
            Err(Unlisted::TooMany(why)) => {
                self.note_unlisted(&why);
                return Ok(None);
            }
            Err(Unlisted::Error(error)) => return Err(error),
        };
        let states = listing.states.take();
        let survey = self.survey(listing, Algorithm::Divide);
        self.compare(decided, states.as_ref(), &survey);
        // Its labels are certified, one by one.
        self.result.findings.clear();
        Ok(Some(survey))
    }

    /// Compares the verdicts, and what is said of each label.
    fn compare(&mut self, decided: &Decided<'_>, states: Option<&StateValues>, survey: &Survey) {
        let refinement = self.refinement();
        if let Some(simulates) = survey.simulates() {
            refinement.certified = refinement.simulates == Some(simulates);
            if !refinement.certified {
                let error = "diagrams and lists of states disagree about simulation";
                self.result.run.internal_errors.push(error.to_owned());
                return;
            }
        }
        let tallies = survey.tallies();
        for (proposition, coverage) in &decided.coverage {
            let name = &survey.pair.implementation().propositions()[*proposition as usize];
            let scope = Scope::Proposition(name.clone());
            let Some((_, listed)) = tallies.iter().find(|(listed, _)| listed == proposition) else {
                continue;
            };
            let Some(share) = self.result.shares.iter_mut().find(|share| share.scope == scope) else {
                continue;
            };
            let mut tally = share.tally.clone();
            // Diagrams know only what is reachable.
            tally.dead = listed.dead.clone();
            let own = survey.findings.iter().filter(|(flip, _)| flip.proposition == *proposition);
            let agrees = match coverage {
                Some(coverage) if listed.unknown.is_zero() => {
                    let agrees = tally == *listed
                        && own
                            .into_iter()
                            .all(|(flip, status)| decided.says(coverage, states, *flip) == Some(*status));
                    Some(agrees)
                }
                _ => None,
            };
            *share = Share::new(METRIC, scope, tally, agrees == Some(true));
            if agrees == Some(false) {
                self.result
                    .run
                    .internal_errors
                    .push(format!("diagrams and lists of states disagree about the labels of {name}"));
            }
        }
    }
}

impl Decided<'_> {
    /// What diagrams say about a label.
    fn says(
        &self,
        coverage: &SymbolicCoverage,
        states: Option<&StateValues>,
        flip: LabelFlip,
    ) -> Option<FlipStatus> {
        let values = match states {
            Some(states) => Some(states.of(flip.state)?),
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
