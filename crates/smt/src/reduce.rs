//! Forgetting: learnt clauses that did not help lately, and clauses that hold for good.

use crate::ArithSolver;
use crate::arena::ClauseRef;
use crate::propagate::Cause;
use propcov_sat::Solver;

/// Learnt clauses of at most this glue stay for good.
const GOOD_GLUE: u32 = 2;

impl ArithSolver {
    /// Deletes half of the learnt clauses that are long and were not used lately, when there are too many.
    pub(crate) fn reduce_if_many(&mut self) {
        if self.learnts.len() < self.learnt_limit {
            return;
        }
        let mut candidates: Vec<ClauseRef> = Vec::new();
        for &clause in &self.learnts {
            let is_used = self.arena.take_used(clause);
            if !is_used && self.arena.glue(clause) > GOOD_GLUE && !self.is_cause(clause) {
                candidates.push(clause);
            }
        }
        candidates.sort_by_key(|&clause| {
            std::cmp::Reverse((self.arena.glue(clause), self.arena.size(clause), clause))
        });
        candidates.truncate(candidates.len() / 2);
        for clause in candidates {
            self.arena.mark_garbage(clause);
        }
        self.collect();
        self.learnt_limit = self.learnts.len() + 2000;
    }

    fn is_cause(&self, clause: ClauseRef) -> bool {
        let first = self.arena.codes(clause)[0];
        let cause = self.assignments[first as usize >> 1].cause;
        self.values[first as usize] > 0 && cause == Cause::Clause(clause)
    }

    /// Deletes clauses that hold for good, at level 0, when enough happened since the last time to make up for the work.
    pub(crate) fn tidy_if_due(&mut self) {
        let (ticks, fixed) = self.tidied;
        if self.trail.len() == fixed || self.ticks() < ticks + self.arena.len() as u64 + 1000 {
            return;
        }
        for position in fixed..self.trail.len() {
            self.assignments[self.trail[position].var().index()].cause = Cause::None;
        }
        let clauses: Vec<ClauseRef> = self.arena.clauses().collect();
        for clause in clauses {
            let is_true = self.arena.codes(clause).iter().any(|&code| self.values[code as usize] > 0);
            if is_true && !self.arena.is_garbage(clause) {
                self.arena.mark_garbage(clause);
            }
        }
        for position in fixed..self.propagated {
            let lit = self.trail[position];
            self.watches[lit.index()] = Vec::new();
            self.watches[(!lit).index()].retain(|watch| !watch.is_binary());
        }
        let values = &self.values;
        for list in &mut self.occurrences {
            list.retain(|watch| !watch.is_binary() || values[watch.blocker.index()] <= 0);
        }
        self.collect();
        self.clause_ticks += self.arena.len() as u64 / 4;
        self.tidied = (self.ticks(), self.propagated);
    }

    /// Closes the holes that deleted clauses left.
    fn collect(&mut self) {
        if !self.arena.has_garbage() {
            return;
        }
        let moved = self.arena.collect();
        for list in self.watches.iter_mut().chain(&mut self.occurrences) {
            list.retain_mut(|watch| {
                watch.is_binary() || moved.position(watch.clause).map(|new| watch.clause = new).is_some()
            });
        }
        self.learnts.retain_mut(|clause| moved.position(*clause).map(|new| *clause = new).is_some());
        for lit in &self.trail {
            let cause = &mut self.assignments[lit.var().index()].cause;
            if let Cause::Clause(clause) = cause {
                *cause = moved.position(*clause).map_or(Cause::None, Cause::Clause);
            }
        }
    }
}
