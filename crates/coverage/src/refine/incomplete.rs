//! Incomplete similarity: what the mutants of a set of flips have in common.
//!
//! `Efficient_Incomplete_Similarity` of the paper's Figure 2. At a node of the [tree](super::divide), the labels in a set S are free: a pair of such a state fits whatever its label is. Going down, some
//! of them get their original value, and similarity continues from where it was (Lemma 3.1). When one is left, it is flipped.
//!
//! Departures from the paper: sets are not copied but restored from the trail. And unless the procedure of the paper is asked for,
//!
//! - a flip is decided at once if none of the states that arrive with its state, and are alive, accepts the flipped label: it is covered, whatever the other labels are;
//! - a flip is decided at once if the simulation of the implementation does not care: it is not covered;
//! - a mutant gets no run of its own: the simulation of the implementation is [mended](super::patch), within what is alive, until it is one of the mutant or cannot be.
//!
//! What is decided at once gets its original value early, which makes all sets below smaller.

use super::cover::Found;
use super::divide::Tree;
use super::judge::unfinished;
use super::kill::Common;
use super::rows::common;
use super::similarity::{Ending, Similarity};
use super::stats::timed;
use super::watch::Watch;
use super::{Algorithm, FlipStatus, Stopped};
use propcov_ir::{LabelFlip, Patch};
use std::sync::Arc;

/// The state of a thread that is somewhere in the tree.
pub(super) struct Worker<'t> {
    pub(super) tree: &'t Tree<'t>,
    pub(super) similarity: Similarity<'t>,
    pub(super) watch: Watch<'t>,
    pub(super) found: Found,
    /// Whether this worker is the one whose work at this node counts. Others that pass through repeat it.
    pub(super) is_owner: bool,
    /// What all mutants of the tree have in common.
    pub(super) common: Arc<Common>,
}

impl Worker<'_> {
    fn is_quick(&self) -> bool {
        self.tree.options.algorithm == Algorithm::Divide
    }

    /// Gives these labels their original values.
    fn fix(&mut self, flips: &[u32]) {
        let tree = self.tree;
        for flip in flips {
            let flip = tree.flips[*flip as usize];
            self.similarity.restrict(flip.state, accepting(tree, flip, false));
        }
    }

    /// One run of similarity.
    pub(super) fn run(&mut self) -> Result<(), Stopped> {
        timed(&mut self.found.stats.searching, || self.similarity.propagate(&mut self.watch))?;
        let work = self.similarity.take_work();
        if self.is_owner {
            self.found.stats.run(work);
        }
        Ok(())
    }

    /// Goes to a child of a node, where one half of these flips is free. Returns those of them that are not decided.
    pub(super) fn enter(&mut self, flips: &[u32], half: usize) -> Result<Vec<u32>, Stopped> {
        let (first, second) = flips.split_at(flips.len().div_ceil(2));
        let (kept, fixed) = if half == 0 { (first, second) } else { (second, first) };
        self.fix(fixed);
        if kept.len() == 1 {
            // The run of the mutant does this as well.
            if !self.is_owner {
                self.similarity.take_work();
            }
            return Ok(kept.to_vec());
        }
        self.run()?;
        self.settle(kept)
    }

    /// Decides what can be decided at once, and returns the rest.
    pub(super) fn settle(&mut self, flips: &[u32]) -> Result<Vec<u32>, Stopped> {
        if !self.is_quick() {
            return Ok(flips.to_vec());
        }
        let (mut rest, mut decided) = (Vec::new(), Vec::new());
        for index in flips {
            let flip = self.tree.flips[*index as usize];
            let arrivals = self.tree.judge.setting.arrivals.row(flip.state);
            let alive = common(self.similarity.row(flip.state), accepting(self.tree, flip, true));
            if alive.zip(arrivals).any(|(alive, arrives)| alive & arrives != 0) {
                rest.push(*index);
                continue;
            }
            decided.push(*index);
            if self.is_owner {
                let stats = &mut self.found.stats;
                stats.decided_at_once += 1;
                let before = stats.evidence_pairs;
                self.tree.judge.covered(&self.similarity, flip, flip.state, &self.common, stats)?;
                let evidence = stats.evidence_pairs - before;
                self.found.note(flip, FlipStatus::Covered, self.tree.progress);
                // There may be much of it.
                self.watch.step(1 + evidence as usize)?;
            }
        }
        self.fix_decided(&decided)?;
        Ok(rest)
    }

    /// Decides the flips about which the simulation of the implementation does not care, and returns the rest.
    pub(super) fn settle_indifferent(&mut self, flips: &[u32]) -> Result<Vec<u32>, Stopped> {
        let (tree, stats) = (self.tree, &mut self.found.stats);
        let is_indifferent = |index: &u32| tree.judge.is_indifferent(tree.flips[*index as usize]);
        let (decided, rest): (Vec<u32>, Vec<u32>) = flips.iter().partition(|index| is_indifferent(index));
        for index in &decided {
            let flip = tree.flips[*index as usize];
            stats.decided_at_once += 1;
            tree.judge.accept_patch(flip, &Patch::default(), stats)?;
        }
        for index in &decided {
            self.found.note(tree.flips[*index as usize], FlipStatus::Uncovered, tree.progress);
        }
        self.fix_decided(&decided)?;
        Ok(rest)
    }

    fn fix_decided(&mut self, decided: &[u32]) -> Result<(), Stopped> {
        let mark = self.similarity.mark();
        self.fix(decided);
        if self.similarity.mark() > mark { self.run() } else { Ok(()) }
    }

    /// Decides a flip: all other labels are fixed, though that may not have been propagated.
    pub(super) fn decide(&mut self, index: u32) -> Result<(), Stopped> {
        let (tree, mark) = (self.tree, self.similarity.mark());
        let (flip, evidence) = (tree.flips[index as usize], self.found.stats.evidence_pairs);
        if self.is_quick() {
            self.similarity.set_ending_unseen(Ending::EarlyFlipped(flip.state));
        }
        self.similarity.restrict(flip.state, accepting(tree, flip, true));
        if !self.is_quick() {
            self.run()?;
        }
        let lost = if self.is_quick() { None } else { self.similarity.bad_initial() };
        let (watch, stats) = (&mut self.watch, &mut self.found.stats);
        let passes = lost.is_none() && tree.judge.mend(&mut self.similarity, flip, watch, stats)?;
        if self.is_quick() {
            self.similarity.set_ending_unseen(Ending::Never);
            let stats = &mut self.found.stats;
            stats.run(self.similarity.take_work());
            stats.ended_early += u64::from(!passes);
        }
        let status = if passes {
            FlipStatus::Uncovered
        } else {
            let lost = lost.or(self.similarity.ended()).ok_or_else(unfinished)?;
            tree.judge.covered(&self.similarity, flip, lost, &self.common, &mut self.found.stats)?;
            FlipStatus::Covered
        };
        self.found.note(flip, status, tree.progress);
        self.undo(mark);
        self.watch.step((self.found.stats.evidence_pairs - evidence) as usize)
    }

    /// Goes back to an earlier node.
    pub(super) fn undo(&mut self, mark: usize) {
        if self.is_owner {
            self.found.stats.undone += (self.similarity.mark() - mark) as u64;
        }
        let Worker { similarity, found, .. } = self;
        timed(&mut found.stats.searching, || similarity.undo(mark));
    }
}

/// The specification's states that accept the label of a flip, as it is or flipped.
fn accepting<'t>(tree: &Tree<'t>, flip: LabelFlip, flipped: bool) -> &'t [u64] {
    let setting = tree.judge.setting;
    let label = setting.implementation.label(flip.state, flip.proposition);
    setting.acceptance.of(flip.proposition, if flipped { label.flipped() } else { label })
}
