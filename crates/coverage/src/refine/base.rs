//! A small simulation out of the greatest one: evidence that is as short as the implementation is large, and to which mutants are compared.
//!
//! Each initial state needs one initial partner, and each pair one answer for each step. A pair that is there already is the preferred answer; then a permissive state, one that leaves many labels open and
//! simulates many states: it is more likely to put up with a flip as well.

use super::Stopped;
use super::rows::{Rows, ones};
use super::similarity::Similarity;
use super::watch::Watch;
use propcov_ir::{Label, Simulation, StatePair};

/// The simulation that was accepted for the implementation.
#[derive(Debug)]
pub(super) struct Base {
    first: Vec<usize>,
    partners: Vec<u32>,
    permissive: Vec<(usize, u32)>,
}

impl Base {
    /// From a small simulation, and the greatest one.
    pub(super) fn new(simulation: &Simulation, greatest: &Similarity<'_>) -> Base {
        let states = greatest.setting().implementation.state_count();
        let mut first = vec![0; states + 1];
        simulation.pairs.iter().for_each(|(state, _)| first[*state as usize + 1] += 1);
        (0..states).for_each(|state| first[state + 1] += first[state]);
        let partners = simulation.pairs.iter().map(|pair| pair.1).collect();
        Base { first, partners, permissive: permissiveness(greatest) }
    }

    /// The partners of a state, sorted.
    pub(super) fn partners(&self, state: u32) -> &[u32] {
        &self.partners[self.first[state as usize]..self.first[state as usize + 1]]
    }

    pub(super) fn has(&self, (state, partner): StatePair) -> bool {
        self.partners(state).binary_search(&partner).is_ok()
    }

    /// How many labels a state of the specification leaves open, and how many states it simulates.
    pub(super) fn permissive(&self, specified: u32) -> (usize, u32) {
        self.permissive[specified as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.partners)
    }
}

/// For each state of the specification, how many labels it leaves open, and how many states it may simulate.
fn permissiveness(similarity: &Similarity<'_>) -> Vec<(usize, u32)> {
    let setting = similarity.setting();
    let open =
        |state| setting.specification.labels(state).iter().filter(|label| **label == Label::Open).count();
    let mut counts: Vec<_> = setting.specification.states().map(|state| (open(state), 0)).collect();
    for state in setting.implementation.states() {
        ones(similarity.row(state)).for_each(|partner| counts[partner as usize].1 += 1);
    }
    counts
}

/// A small simulation, from the greatest one: there is one, and everything is propagated.
pub(super) fn small_simulation(
    similarity: &Similarity<'_>,
    watch: &mut Watch<'_>,
) -> Result<Simulation, Stopped> {
    let setting = similarity.setting();
    let (implementation, specification) = (setting.implementation, setting.specification);
    let permissive = permissiveness(similarity);
    let mut chosen = Rows::new(implementation.state_count(), specification.state_count());
    let mut queue: Vec<StatePair> = Vec::new();
    let mut choose = |state: u32, answers: &[u32], queue: &mut Vec<StatePair>| {
        if answers.iter().any(|answer| chosen.has(state, *answer)) {
            return;
        }
        let alive = answers.iter().filter(|answer| similarity.is_alive((state, **answer)));
        // The last maximum would be taken: the first is wanted.
        if let Some(best) = alive.rev().max_by_key(|answer| permissive[**answer as usize]) {
            chosen.insert(state, *best);
            queue.push((state, *best));
        }
    };
    for state in implementation.initial() {
        choose(*state, specification.initial(), &mut queue);
    }
    let mut next = 0;
    while let Some(&(state, partner)) = queue.get(next) {
        next += 1;
        let answers = specification.successors(partner);
        for step in implementation.successors(state) {
            choose(*step, answers, &mut queue);
        }
        watch.step(implementation.successors(state).len() * answers.len())?;
    }
    let pairs = implementation.states().flat_map(|state| ones(chosen.row(state)).map(move |t| (state, t)));
    Ok(Simulation { pairs: pairs.collect() })
}
