//! The criteria of Katz, Grumberg and Geist, to which the paper compares its own measure (§5).
//!
//! Which transitions the specification can do without is asked for each by itself. Those that the small simulation never needs alone are answered by it. For each
//! other one, the small simulation is [mended](super::patch) inside the greatest one, and all is undone.

use super::base::Base;
use super::judge::Judge;
use super::product::reach;
use super::rows::{Rows, ones};
use super::setting::Setting;
use super::similarity::Similarity;
use super::watch::Watch;
use super::{Criteria, Simulated, Stats, Stopped, UnmatchedTransition, patch};
use propcov_budget::Budget;
use propcov_ir::Patch;
use rustc_hash::FxHashSet;
use std::time::Instant;

impl Simulated<'_> {
    /// The four criteria.
    ///
    /// # Errors
    /// When the budget does not suffice, or the checker refuses evidence about a transition.
    pub fn criteria(&mut self, budget: &Budget, stats: &mut Stats) -> Result<Criteria, Stopped> {
        let criteria = self.criteria_of_states(budget, stats)?;
        let watch = &mut Watch::new(budget);
        let reachable = self.judge.setting.specification.reachable();
        let mark = self.similarity.mark();
        let unimplemented =
            unimplemented_transitions(&mut self.similarity, &self.judge, &reachable, watch, stats);
        // It may have been stopped in the middle of something.
        self.similarity.undo(mark);
        self.similarity.set_lacking(None);
        Ok(Criteria { unimplemented_transitions: unimplemented?, ..criteria })
    }

    /// The three criteria about states. The one about transitions has two forms, and is left empty.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn criteria_of_states(&self, budget: &Budget, stats: &mut Stats) -> Result<Criteria, Stopped> {
        let setting = self.judge.setting;
        let specification = setting.specification;
        let related = related(setting, &self.similarity, &mut Watch::new(budget))?;
        stats.note_size(self.bytes);
        let is_initial = |state: &u32| setting.implementation.initial().binary_search(state).is_ok();
        let is_started = |first: &u32| related.of(*first).iter().any(is_initial);
        let reachable = specification.reachable();
        let many = |state: u32| (related.of(state).len() > 1).then(|| (state, related.of(state).to_vec()));
        Ok(Criteria {
            unimplemented_start_states: {
                specification.initial().iter().copied().filter(|first| !is_started(first)).collect()
            },
            unimplemented_states: specification
                .states()
                .filter(|state| reachable[*state as usize] && related.of(*state).is_empty())
                .collect(),
            unimplemented_transitions: Vec::new(),
            many_to_one: specification.states().filter_map(many).collect(),
        })
    }

    /// The third criterion as KGG99 has it: transitions of the specification between two pairs of RS between which the implementation has none. There may be as many such pairs as the implementation has
    /// pairs of states, so that they are counted, not listed.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn unmatched_transitions(&self, budget: &Budget) -> Result<Vec<UnmatchedTransition>, Stopped> {
        let watch = &mut Watch::new(budget);
        let setting = self.judge.setting;
        let related = related(setting, &self.similarity, watch)?;
        let mut found = Vec::new();
        for (from, to) in setting.specification.transitions() {
            let targets = related.of(to);
            let (mut count, mut example) = (0, None);
            for state in related.of(from) {
                let steps = setting.implementation.successors(*state);
                let matched = steps.iter().filter(|next| targets.binary_search(next).is_ok()).count();
                count += (targets.len() - matched) as u64;
                if matched < targets.len() && example.is_none() {
                    let is_no_step = |next: &&u32| steps.binary_search(next).is_err();
                    example = targets.iter().find(is_no_step).map(|next| (*state, *next));
                }
                watch.step(1 + steps.len())?;
            }
            found.extend(example.map(|example| UnmatchedTransition {
                transition: (from, to),
                example,
                count,
            }));
        }
        Ok(found)
    }
}

/// For each state of the specification, the states to which a relation relates it.
struct Inverse {
    first: Vec<usize>,
    states: Vec<u32>,
}

impl Inverse {
    /// Of the partners of each state of the implementation.
    fn new<P: Iterator<Item = u32>>(setting: &Setting<'_>, partners: impl Fn(u32) -> P) -> Inverse {
        let mut first = vec![0; setting.specification.state_count() + 1];
        for state in setting.implementation.states() {
            partners(state).for_each(|partner| first[partner as usize + 1] += 1);
        }
        (1..first.len()).for_each(|partner| first[partner] += first[partner - 1]);
        let mut free = first.clone();
        let mut states = vec![0; first.last().copied().unwrap_or(0)];
        for state in setting.implementation.states() {
            for partner in partners(state) {
                states[free[partner as usize]] = state;
                free[partner as usize] += 1;
            }
        }
        Inverse { first, states }
    }

    fn of(&self, partner: u32) -> &[u32] {
        &self.states[self.first[partner as usize]..self.first[partner as usize + 1]]
    }
}

/// RS: what initial pairs reach inside the greatest simulation.
fn related(
    setting: &Setting<'_>,
    similarity: &Similarity<'_>,
    watch: &mut Watch<'_>,
) -> Result<Inverse, Stopped> {
    let reached: Rows = reach(setting, |state| similarity.row(state), watch)?;
    Ok(Inverse::new(setting, |state| ones(reached.row(state))))
}

/// Transitions from reachable states of the specification without which, each by itself, it simulates the implementation.
fn unimplemented_transitions(
    similarity: &mut Similarity<'_>,
    judge: &Judge<'_>,
    reachable: &[bool],
    watch: &mut Watch<'_>,
    stats: &mut Stats,
) -> Result<Vec<(u32, u32)>, Stopped> {
    let setting = judge.setting;
    let specification = setting.specification;
    let needed = needed_transitions(setting, &judge.base, watch)?;
    let based = Inverse::new(setting, |state| judge.base.partners(state).iter().copied());
    let mut unimplemented = Vec::new();
    for from in specification.states().filter(|from| reachable[*from as usize]) {
        for to in specification.successors(from) {
            let transition = (from, *to);
            if !needed.contains(&transition) {
                stats.decided_at_once += 1;
                judge.accept_lacking(transition, &Patch::default(), stats)?;
                unimplemented.push(transition);
                continue;
            }
            let mark = similarity.mark();
            similarity.set_lacking(Some(transition));
            let start = Instant::now();
            let (patch, answers) = patch::lacking(similarity, &judge.base, from, based.of(from), watch)?;
            stats.answers += answers;
            stats.searching += start.elapsed();
            stats.run(similarity.take_work());
            match patch {
                None => stats.ended_early += 1,
                Some(patch) => {
                    let start = Instant::now();
                    judge.accept_lacking(transition, &patch, stats)?;
                    stats.certifying += start.elapsed();
                    unimplemented.push(transition);
                }
            }
            stats.undone += (similarity.mark() - mark) as u64;
            similarity.undo(mark);
            similarity.set_lacking(None);
        }
    }
    Ok(unimplemented)
}

/// Transitions that are the only answer to some step in this simulation.
fn needed_transitions(
    setting: &Setting<'_>,
    base: &Base,
    watch: &mut Watch<'_>,
) -> Result<FxHashSet<(u32, u32)>, Stopped> {
    let mut needed = FxHashSet::default();
    for state in setting.implementation.states() {
        for partner in base.partners(state) {
            let possible = setting.specification.successors(*partner);
            for next in setting.implementation.successors(state) {
                let mut answers = possible.iter().filter(|answer| base.has((*next, **answer)));
                if let (Some(answer), None) = (answers.next(), answers.next()) {
                    needed.insert((*partner, *answer));
                }
                watch.step(possible.len())?;
            }
        }
    }
    Ok(needed)
}
