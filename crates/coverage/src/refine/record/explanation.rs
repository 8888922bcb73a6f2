//! Why a label is covered or not, with all that a reader needs.

use super::names::{Names, states, word, words};
use super::{distinction, verdict};
use crate::refine::{Explanation, FlipStatus, Survey, passage};
use propcov_ir::LabelFlip;
use propcov_result::PassageStep;

impl Survey {
    /// The explanation of a flip.
    pub(super) fn explained(
        &self,
        flip: LabelFlip,
        why: &Explanation,
        names: &Names,
    ) -> propcov_result::Explanation {
        let (implementation, specification) = (self.pair.implementation(), self.pair.specification());
        let label = names.label(flip);
        let flipped = word(&label.proposition, implementation.label(flip.state, flip.proposition).flipped());
        let mut record = propcov_result::Explanation {
            state: label.state,
            proposition: label.proposition,
            flipped,
            verdict: verdict(FlipStatus::Unreachable),
            distinction: None,
            partners: Vec::new(),
            run: Vec::new(),
            relation: Vec::new(),
        };
        let mutant = implementation.flipped(flip);
        match why {
            Explanation::Unreachable => {}
            Explanation::Covered(found) => {
                record.verdict = verdict(FlipStatus::Covered);
                record.distinction = Some(distinction::record(found, &mutant, specification));
            }
            Explanation::Uncovered { simulation, partners } => {
                record.verdict = verdict(FlipStatus::Uncovered);
                record.partners = states(specification, partners);
                record.relation = names.relation(&simulation.pairs);
                let step = |(state, partner): (u32, u32)| PassageStep {
                    implementation: implementation.name(state).to_owned(),
                    labels: words(&mutant, state),
                    specification: specification.name(partner).to_owned(),
                    needs: words(specification, partner),
                };
                let run = passage(implementation, specification, simulation, flip);
                record.run = run.into_iter().map(step).collect();
            }
        }
        record
    }
}
