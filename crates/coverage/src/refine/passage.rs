//! How a flipped label passes: a run of the mutant through the flipped state, and states of the specification that go along.

use propcov_ir::{Graph, LabelFlip, Simulation, StatePair};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A shortest run of the mutant to the flipped state with the partner of each state, and one step more. Every pair is one of the simulation. Empty if the state
/// is not reached.
pub fn passage(
    implementation: &Graph,
    specification: &Graph,
    simulation: &Simulation,
    flip: LabelFlip,
) -> Vec<StatePair> {
    let related: FxHashSet<StatePair> = simulation.pairs.iter().copied().collect();
    let is_related = |pair: &StatePair| related.contains(pair);
    let initial = implementation.initial().iter();
    let first = initial.flat_map(|state| specification.initial().iter().map(|partner| (*state, *partner)));
    let mut open: VecDeque<StatePair> = first.filter(is_related).collect();
    let mut before: FxHashMap<StatePair, Option<StatePair>> = open.iter().map(|pair| (*pair, None)).collect();
    let after = |(state, partner): StatePair| {
        let steps = implementation.successors(state).iter();
        steps.flat_map(move |next| specification.successors(partner).iter().map(|other| (*next, *other)))
    };
    while let Some(pair) = open.pop_front() {
        if pair.0 == flip.state {
            let mut run = vec![pair];
            while let Some(Some(earlier)) = run.last().and_then(|pair| before.get(pair)) {
                run.push(*earlier);
            }
            run.reverse();
            // A step to somewhere else tells more than one that stays.
            let next = after(pair).filter(is_related).max_by_key(|next| next.0 != pair.0);
            run.extend(next);
            return run;
        }
        for next in after(pair).filter(is_related) {
            before.entry(next).or_insert_with(|| {
                open.push_back(next);
                Some(pair)
            });
        }
    }
    Vec::new()
}
