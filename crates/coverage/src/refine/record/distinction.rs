//! A distinction that can be read without the graphs: the run, where the specification can be along it, and why it cannot go on from there.

use super::names::{states, word, words};
use propcov_ir::{Distinction, Graph};
use propcov_result::{Refusal, Refutation, TreeStep};

/// A distinction between two graphs. Of a mutant, the implementation is the mutant.
pub(super) fn record(
    distinction: &Distinction,
    implementation: &Graph,
    specification: &Graph,
) -> propcov_result::Distinction {
    let both = Both { implementation, specification };
    let mut run = Vec::with_capacity(distinction.run.len());
    let mut refused = Vec::new();
    let mut before: Option<Vec<u32>> = None;
    for state in &distinction.run {
        let candidates = match &before {
            None => specification.initial().to_vec(),
            Some(before) => both.after(before),
        };
        let refusals = candidates.iter().map(|other| both.refusal(*state, *other));
        let possible: Vec<u32> = candidates
            .iter()
            .zip(refusals.clone())
            .filter(|(_, refusal)| refusal.needs.is_empty())
            .map(|(other, _)| *other)
            .collect();
        if possible.is_empty() {
            refused = refusals.collect();
        }
        run.push(TreeStep {
            state: implementation.name(*state).to_owned(),
            labels: words(implementation, *state),
            specification: states(specification, &possible),
        });
        before = Some(possible);
    }
    let refutations = distinction.refutations.iter().map(|refutation| both.refutation(refutation)).collect();
    propcov_result::Distinction { run, refused, refutations }
}

struct Both<'g> {
    implementation: &'g Graph,
    specification: &'g Graph,
}

impl Both<'_> {
    /// Where the specification can be one step later.
    fn after(&self, states: &[u32]) -> Vec<u32> {
        let mut after: Vec<u32> =
            states.iter().flat_map(|state| self.specification.successors(*state)).copied().collect();
        after.sort_unstable();
        after.dedup();
        after
    }

    /// What a state of the specification does not accept about a state of the implementation, as what it needs instead.
    fn refusal(&self, state: u32, other: u32) -> Refusal {
        let (own, needed) = (self.implementation.labels(state), self.specification.labels(other));
        let labels = own.iter().zip(needed).zip(self.specification.propositions());
        let differing = labels.filter(|((own, needed), _)| !needed.accepts(**own));
        Refusal {
            state: self.specification.name(other).to_owned(),
            needs: differing.map(|((_, needed), name)| word(name, *needed)).collect(),
        }
    }

    fn refutation(&self, refutation: &propcov_ir::Refutation) -> Refutation {
        let (state, other) = refutation.pair;
        let next = refutation.step;
        let answers = self.specification.successors(other).iter();
        Refutation {
            implementation: self.implementation.name(state).to_owned(),
            specification: self.specification.name(other).to_owned(),
            step: self.implementation.name(next).to_owned(),
            labels: words(self.implementation, next),
            answers: answers.map(|answer| self.refusal(next, *answer)).collect(),
        }
    }
}
