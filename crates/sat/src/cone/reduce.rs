//! Forgetting: learnt clauses that are long and unused, clauses that a root-level unit satisfies, and the holes that both
//! leave behind. Everything here runs at the root level, where no reason is needed any more.

use super::arena::{ClauseRef, Moved};
use super::watch::Watch;
use super::{ConeSolver, FALSE, TRUE};

/// Clauses of at most this glue are kept for good.
const KEPT_GLUE: u32 = 2;
/// Learnt clauses before the first reduction, and how many more each reduction concedes.
pub(super) const FIRST_REDUCTION: usize = 2_000;
const REDUCTION_STEP: usize = 200;
/// Units times propagations, for each word of the clauses, before satisfied clauses are looked for.
const SIMPLIFY_EFFORT: u64 = 32;

impl ConeSolver {
    /// Housekeeping before a query or after a restart.
    pub(super) fn tidy(&mut self) {
        debug_assert_eq!(self.level(), 0);
        let new_units = self.trail.len().saturating_sub(self.simplified_units) as u64;
        let work_since = self.ticks - self.simplified_at_ticks;
        // It costs a pass over all clauses, and pays the more the more units there are and the more they are met.
        if new_units * work_since > SIMPLIFY_EFFORT * self.arena.len() as u64 {
            self.simplify();
        }
        if self.wants_reduction() {
            self.reduce();
        }
        if self.arena.wants_collection() {
            self.collect_garbage();
        }
        self.watches.compact_if_wasteful();
    }

    pub(super) fn wants_reduction(&self) -> bool {
        self.learnts.len() + self.temporaries.len() > self.reduction_limit
    }

    /// Deletes the worse half of the learnt clauses that no recent conflict used.
    fn reduce(&mut self) {
        self.reduction_limit += REDUCTION_STEP;
        // The first temporary clause is the query's own.
        let temporaries = self.temporaries.get(1..).unwrap_or_default();
        let learnts: Vec<ClauseRef> = self.learnts.iter().chain(temporaries).copied().collect();
        let mut candidates: Vec<ClauseRef> = Vec::new();
        for clause in learnts {
            if self.arena.glue(clause) > KEPT_GLUE && !self.arena.take_used(clause) {
                candidates.push(clause);
            }
        }
        candidates.sort_by_key(|&clause| (self.arena.glue(clause), self.arena.size(clause)));
        for &clause in &candidates[candidates.len() / 2..] {
            self.arena.mark_garbage(clause);
        }
        self.collect_garbage();
    }

    /// Deletes clauses that are satisfied for good.
    fn simplify(&mut self) {
        self.simplified_units = self.trail.len();
        self.simplified_at_ticks = self.ticks;
        let values = &self.values;
        let satisfied: Vec<ClauseRef> = self
            .arena
            .clauses()
            .filter(|&clause| !self.arena.is_garbage(clause))
            .filter(|&clause| self.arena.literals(clause).any(|lit| values[lit.index()] == TRUE))
            .collect();
        for clause in satisfied {
            self.arena.mark_garbage(clause);
        }
        // What is left watches no literal that is false for good, so such literals can go.
        let values = &self.values;
        let moved = self.arena.compact(|lit| values[lit.index()] == FALSE);
        self.follow(&moved);
    }

    /// Closes the holes of deleted clauses.
    fn collect_garbage(&mut self) {
        let moved = self.arena.compact(|_| false);
        self.follow(&moved);
    }

    /// Updates all that refers to clauses after these have moved.
    fn follow(&mut self, moved: &Moved) {
        let values = &self.values;
        self.watches.rewrite(|lit, watch| match watch.clause() {
            Some(clause) => moved.target(clause).map(|clause| Watch::long(watch.blocker, clause)),
            None => {
                let is_satisfied = [lit, watch.blocker].iter().any(|lit| values[lit.index()] == TRUE);
                (!is_satisfied).then_some(watch)
            }
        });
        for list in [&mut self.learnts, &mut self.temporaries] {
            *list = list.iter().filter_map(|&clause| moved.target(clause)).collect();
        }
    }
}
