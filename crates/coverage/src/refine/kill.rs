//! Why a mutant is not simulated: a run, and behind it a part of the trail.
//!
//! When a run of similarity ends early, some state w has lost all partners that can arrive with it. The [tree](propcov_ir::SearchTree)'s run to w leads there. Behind it, each
//! pair was removed for a reason that rests on earlier removals; those that are needed, in the order of the trail, are the refutations.
//!
//! Most refutations of a tree's mutants are the same, from the run in which all labels in question are free. The checker accepts these once, and each kill rests on them.
//!
//! What arrives with states behind the flipped one is not known. If such a state has lost all partners whatever, the run to the flipped state is followed by an explicit tail.

use super::setting::{Setting, step};
use super::similarity::Similarity;
use propcov_ir::{Distinction, LabelFlip, Refutation};
use rustc_hash::FxHashSet;

/// Evidence as [`RefinementChecker::check_kill`](propcov_certify::RefinementChecker::check_kill) takes it.
#[derive(Clone, Debug)]
pub(super) struct Kill {
    pub(super) at: u32,
    pub(super) tail: Vec<u32>,
    pub(super) refutations: Vec<Refutation>,
}

impl Kill {
    /// From the state that has lost everything.
    pub(super) fn new(
        similarity: &Similarity<'_>,
        flip: Option<LabelFlip>,
        lost: u32,
        common: &Common,
    ) -> Kill {
        let setting = similarity.setting();
        let behind = flip.filter(|flip| setting.tree.is_proper_ancestor(flip.state, lost));
        let (at, tail) = match behind {
            None => (lost, Vec::new()),
            Some(flip) => {
                let before = |state: &u32| setting.tree.parent(*state);
                let mut tail: Vec<u32> = std::iter::successors(Some(lost), before)
                    .take_while(|state| *state != flip.state)
                    .collect();
                tail.reverse();
                (flip.state, tail)
            }
        };
        let mut possible = fitting(setting, flip, at, setting.arrivals.row(at));
        for next in &tail {
            let mut image = vec![0; possible.len()];
            step(setting.specification, &possible, &mut image);
            possible = fitting(setting, flip, *next, &image);
        }
        Kill { at, tail, refutations: refutations(similarity, flip, lost, &possible, common) }
    }

    /// The same with its run written out.
    pub(super) fn distinction(self, setting: &Setting<'_>) -> Distinction {
        let mut run = setting.tree.path_to(self.at);
        run.extend(self.tail);
        Distinction { run, refutations: self.refutations }
    }
}

/// Those of the specification's states that accept the labels of a state of the mutant.
fn fitting(setting: &Setting<'_>, flip: Option<LabelFlip>, state: u32, row: &[u64]) -> Vec<u64> {
    let mut row = row.to_vec();
    for (proposition, label) in (0..).zip(setting.implementation.labels(state)) {
        let is_flipped = flip == Some(LabelFlip { state, proposition });
        let label = if is_flipped { label.flipped() } else { *label };
        row.iter_mut().zip(setting.acceptance.of(proposition, label)).for_each(|(row, of)| *row &= of);
    }
    row
}

/// What is needed of the trail to refute these partners of a state. They were removed.
fn refutations(
    similarity: &Similarity<'_>,
    flip: Option<LabelFlip>,
    state: u32,
    partners: &[u64],
    common: &Common,
) -> Vec<Refutation> {
    let setting = similarity.setting();
    let fits = |state: u32, partner: u32| {
        let labels = (0..).zip(setting.implementation.labels(state));
        let specified = setting.specification.labels(partner);
        labels.zip(specified).all(|((proposition, label), specified)| {
            let is_flipped = flip == Some(LabelFlip { state, proposition });
            specified.accepts(if is_flipped { label.flipped() } else { *label })
        })
    };
    let mut needed: Vec<u32> = Vec::new();
    let mut known: FxHashSet<u32> = FxHashSet::default();
    let mut need = |state: u32, partner: u32, needed: &mut Vec<u32>| {
        // A pair may have been removed by propagation although its labels do not fit either.
        if let Some((position, Some(_))) = similarity.removal((state, partner))
            && !common.has(position)
            && fits(state, partner)
            && known.insert(position)
        {
            needed.push(position);
        }
    };
    super::rows::ones(partners).for_each(|partner| need(state, partner, &mut needed));
    closed(similarity, needed, need)
}

/// The removals at these positions, and all that they rest on, in the order of the trail. `need` adds the position of a pair that something rests on.
fn closed(
    similarity: &Similarity<'_>,
    mut needed: Vec<u32>,
    mut need: impl FnMut(u32, u32, &mut Vec<u32>),
) -> Vec<Refutation> {
    let mut next = 0;
    while let Some(&position) = needed.get(next) {
        next += 1;
        let ((_, partner), reason) = similarity.removed_at(position);
        similarity.successors(partner).for_each(|answer| need(reason, answer, &mut needed));
    }
    needed.sort_unstable();
    let refutation = |position| {
        let (pair, step) = similarity.removed_at(position);
        Refutation { pair, step }
    };
    needed.into_iter().map(refutation).collect()
}

/// Removals that all mutants of a proposition share, and that the checker has accepted: by position on the trail.
#[derive(Clone, Debug, Default)]
pub(super) struct Common {
    positions: Vec<bool>,
}

impl Common {
    fn has(&self, position: u32) -> bool {
        self.positions.get(position as usize).is_some_and(|is_common| *is_common)
    }

    /// What refutes these flips, as far as all labels of their proposition are free: everything on the trail holds whatever these are. With the refutations that say so.
    pub(super) fn new(similarity: &Similarity<'_>, flips: &[LabelFlip]) -> (Common, Vec<Refutation>) {
        let setting = similarity.setting();
        let mut common = Common { positions: vec![false; similarity.mark()] };
        let mut need = |state: u32, partner: u32, needed: &mut Vec<u32>| {
            if let Some((position, Some(_))) = similarity.removal((state, partner))
                && !std::mem::replace(&mut common.positions[position as usize], true)
            {
                needed.push(position);
            }
        };
        let mut needed = Vec::new();
        for flip in flips {
            let arriving = fitting(setting, Some(*flip), flip.state, setting.arrivals.row(flip.state));
            super::rows::ones(&arriving).for_each(|partner| need(flip.state, partner, &mut needed));
        }
        let refutations = closed(similarity, needed, need);
        (common, refutations)
    }
}
