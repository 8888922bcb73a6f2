//! By definition, for a start: a relation is made smaller until it is a simulation.

use super::{Answer, Coverage, Criteria, Explanation, FlipStatus, Observer, Options, Pair, Stats, Stopped};
use propcov_ir::{Distinction, Graph, LabelFlip, Simulation, StatePair};
use propcov_sat::Budget;

fn greatest(implementation: &Graph, specification: &Graph) -> Vec<StatePair> {
    let fits = |w: u32, t: u32| {
        specification.labels(t).iter().zip(implementation.labels(w)).all(|(says, label)| says.accepts(*label))
    };
    let mut pairs: Vec<StatePair> = implementation
        .states()
        .flat_map(|w| specification.states().map(move |t| (w, t)))
        .filter(|(w, t)| fits(*w, *t))
        .collect();
    loop {
        let has = |pair: &StatePair| pairs.binary_search(pair).is_ok();
        let kept: Vec<StatePair> = pairs
            .iter()
            .filter(|(w, t)| {
                implementation
                    .successors(*w)
                    .iter()
                    .all(|u| specification.successors(*t).iter().any(|v| has(&(*u, *v))))
            })
            .copied()
            .collect();
        if kept.len() == pairs.len() {
            return kept;
        }
        pairs = kept;
    }
}

fn is_simulated(implementation: &Graph, specification: &Graph, pairs: &[StatePair]) -> bool {
    let related = |w: u32| specification.initial().iter().any(|t| pairs.binary_search(&(w, *t)).is_ok());
    implementation.initial().iter().all(|w| related(*w))
}

fn reached(pair: &Pair) -> Vec<StatePair> {
    let (implementation, specification) = (pair.implementation(), pair.specification());
    let all = greatest(implementation, specification);
    let mut found: Vec<StatePair> = Vec::new();
    let mut open: Vec<StatePair> = all.clone();
    open.retain(|(w, t)| implementation.initial().contains(w) && specification.initial().contains(t));
    while let Some((w, t)) = open.pop() {
        if found.contains(&(w, t)) {
            continue;
        }
        found.push((w, t));
        for u in implementation.successors(w) {
            open.extend(
                specification.successors(t).iter().map(|v| (*u, *v)).filter(|next| all.contains(next)),
            );
        }
    }
    found.sort_unstable();
    found
}

/// Whether the specification simulates the implementation.
///
/// # Errors
/// When the budget does not suffice.
pub fn simulate(pair: &Pair, _budget: &Budget, _stats: &mut Stats) -> Result<Answer, Stopped> {
    let pairs = greatest(pair.implementation(), pair.specification());
    if is_simulated(pair.implementation(), pair.specification(), &pairs) {
        Ok(Answer::Simulated(Simulation { pairs }))
    } else {
        Ok(Answer::Distinguished(Distinction::default()))
    }
}

/// Which flips are covered. The specification simulates the implementation.
///
/// # Errors
/// If it does not, or the checker refuses evidence: bugs.
pub fn cover(
    pair: &Pair,
    flips: &[LabelFlip],
    _options: &Options,
    observer: &dyn Observer,
) -> Result<Coverage, Stopped> {
    let reachable = pair.implementation().reachable();
    let mut findings = Vec::new();
    for flip in flips {
        let mutant = pair.implementation().flipped(*flip);
        let pairs = greatest(&mutant, pair.specification());
        let status = match () {
            () if !reachable[flip.state as usize] => FlipStatus::Unreachable,
            () if is_simulated(&mutant, pair.specification(), &pairs) => FlipStatus::Uncovered,
            () => FlipStatus::Covered,
        };
        findings.push((*flip, status));
        observer.decided(findings.len(), flips.len());
    }
    Ok(Coverage { findings, stats: Stats::default() })
}

/// Evidence about one flip, computed anew.
///
/// # Errors
/// When the budget does not suffice.
pub fn explain(pair: &Pair, flip: LabelFlip, _budget: &Budget) -> Result<Explanation, Stopped> {
    if !pair.implementation().reachable()[flip.state as usize] {
        return Ok(Explanation::Unreachable);
    }
    let mutant = pair.implementation().flipped(flip);
    let pairs = greatest(&mutant, pair.specification());
    if !is_simulated(&mutant, pair.specification(), &pairs) {
        return Ok(Explanation::Covered(Distinction::default()));
    }
    let partners = pairs.iter().filter(|(w, _)| *w == flip.state).map(|(_, t)| *t).collect();
    Ok(Explanation::Uncovered { simulation: Simulation { pairs }, partners })
}

/// The four criteria. The specification simulates the implementation.
///
/// # Errors
/// When the budget does not suffice.
pub fn criteria(pair: &Pair, _budget: &Budget, _stats: &mut Stats) -> Result<Criteria, Stopped> {
    let (implementation, specification) = (pair.implementation(), pair.specification());
    let pairs = reached(pair);
    let reachable = specification.reachable();
    let related = |t: u32| pairs.iter().filter(|(_, v)| *v == t).map(|(w, _)| *w).collect::<Vec<u32>>();
    let starts = |t: u32| related(t).iter().any(|w| implementation.initial().contains(w));
    let states: Vec<u32> = specification.states().filter(|t| reachable[*t as usize]).collect();
    let without = |removed: (u32, u32)| {
        let rest = specification.transitions().filter(|transition| *transition != removed).collect();
        let rest = specification.with_transitions(rest);
        is_simulated(implementation, &rest, &greatest(implementation, &rest))
    };
    Ok(Criteria {
        unimplemented_start_states: specification.initial().iter().copied().filter(|t| !starts(*t)).collect(),
        unimplemented_states: states.iter().copied().filter(|t| related(*t).is_empty()).collect(),
        unimplemented_transitions: specification
            .transitions()
            .filter(|(t, _)| reachable[*t as usize])
            .filter(|transition| without(*transition))
            .collect(),
        many_to_one: states.iter().map(|t| (*t, related(*t))).filter(|(_, many)| many.len() > 1).collect(),
    })
}

/// The third criterion as KGG99 has it: steps between two pairs of RS that the specification has and the implementation does not.
///
/// # Errors
/// When the budget does not suffice.
pub fn unmatched_transitions(pair: &Pair, _budget: &Budget) -> Result<Vec<(StatePair, StatePair)>, Stopped> {
    let pairs = reached(pair);
    let mut found = Vec::new();
    for from in &pairs {
        for to in &pairs {
            let matched = pair.implementation().successors(from.0).contains(&to.0);
            if pair.specification().successors(from.1).contains(&to.1) && !matched {
                found.push((*from, *to));
            }
        }
    }
    Ok(found)
}
