//! What a conflict teaches: a clause with a single literal of the last level (first unique implication point), minimised; or, when
//! only assumptions are to blame, which of them.
//!
//! # References
//!
//! Marques-Silva, Sakallah: GRASP. IEEE Transactions on Computers 48, 1999.
//! Sörensson, Biere: Minimizing Learned Clauses. SAT 2009.
//! Audemard, Simon: Predicting Learnt Clauses Quality in Modern SAT Solvers. IJCAI 2009 (glue).

use crate::ArithSolver;
use crate::propagate::Cause;
use propcov_sat::{Lit, Var};

impl ArithSolver {
    /// The highest level of the clause that is false.
    pub(crate) fn conflict_level(&self) -> u32 {
        self.conflict.iter().map(|lit| self.level_of(lit.var())).max().unwrap_or(0)
    }

    fn level_of(&self, var: Var) -> u32 {
        self.assignments[var.index()].level
    }

    /// Leaves the learnt clause in `self.learnt`, the literal to assert first and one of the level to return to second. Returns that
    /// level and the clause's glue.
    pub(crate) fn analyze(&mut self) -> (u32, u32) {
        self.learnt.clear();
        self.learnt.push(self.conflict[0]);
        let mut open = 0;
        std::mem::swap(&mut self.conflict, &mut self.antecedents);
        let mut position = self.trail.len();
        loop {
            for index in 0..self.antecedents.len() {
                self.visit(self.antecedents[index], &mut open);
            }
            let pivot = loop {
                position -= 1;
                let lit = self.trail[position];
                if self.seen[lit.var().index()] && self.level_of(lit.var()) == self.level() {
                    break lit;
                }
            };
            self.seen[pivot.var().index()] = false;
            open -= 1;
            if open == 0 {
                self.learnt[0] = !pivot;
                break;
            }
            self.find_antecedents(pivot);
        }
        self.minimise();
        for var in self.seen_list.drain(..) {
            self.seen[var.index()] = false;
        }
        self.order.decay();
        (self.move_highest_second(), self.count_levels())
    }

    fn visit(&mut self, lit: Lit, open: &mut u32) {
        let var = lit.var();
        let level = self.level_of(var);
        if level == 0 || self.seen[var.index()] {
            return;
        }
        self.seen[var.index()] = true;
        self.order.bump(var);
        if level == self.level() {
            *open += 1;
        } else {
            self.seen_list.push(var);
            self.learnt.push(lit);
        }
    }

    /// Drops literals that the others imply.
    fn minimise(&mut self) {
        let levels = self.learnt[1..].iter().fold(0, |levels, lit| levels | self.level_bit(lit.var()));
        let mut kept = 1;
        for position in 1..self.learnt.len() {
            let lit = self.learnt[position];
            let is_decision = self.assignments[lit.var().index()].cause == Cause::None;
            if is_decision || !self.is_redundant(lit, levels) {
                self.learnt[kept] = lit;
                kept += 1;
            }
        }
        self.learnt.truncate(kept);
    }

    /// Whether a falsified literal follows from the literals seen so far. What it visits on the way then follows too and stays
    /// marked as seen; otherwise those marks are taken back.
    fn is_redundant(&mut self, lit: Lit, levels: u64) -> bool {
        let marked = self.seen_list.len();
        self.stack.clear();
        self.stack.push(lit.var());
        while let Some(var) = self.stack.pop() {
            let holding = var.lit(self.values[var.positive().index()] > 0);
            self.find_antecedents(holding);
            for index in 0..self.antecedents.len() {
                let other = self.antecedents[index].var();
                let assignment = self.assignments[other.index()];
                if self.seen[other.index()] || assignment.level == 0 {
                    continue;
                }
                if assignment.cause == Cause::None || levels & self.level_bit(other) == 0 {
                    for var in self.seen_list.drain(marked..) {
                        self.seen[var.index()] = false;
                    }
                    return false;
                }
                self.seen[other.index()] = true;
                self.seen_list.push(other);
                self.stack.push(other);
            }
        }
        true
    }

    /// A set of levels, up to collisions.
    fn level_bit(&self, var: Var) -> u64 {
        1 << (self.level_of(var) & 63)
    }

    fn move_highest_second(&mut self) -> u32 {
        let highest =
            (1..self.learnt.len()).max_by_key(|&position| self.level_of(self.learnt[position].var()));
        let Some(highest) = highest else { return 0 };
        self.learnt.swap(1, highest);
        self.level_of(self.learnt[1].var())
    }

    fn count_levels(&mut self) -> u32 {
        self.level_stamp += 1;
        let mut count = 0;
        for lit in &self.learnt {
            let level = self.assignments[lit.var().index()].level as usize;
            if self.level_stamps.len() <= level {
                self.level_stamps.resize(level + 1, 0);
            }
            if self.level_stamps[level] != self.level_stamp {
                self.level_stamps[level] = self.level_stamp;
                count += 1;
            }
        }
        count
    }

    /// The assumptions that make a clause false become the failed ones.
    pub(crate) fn analyze_assumptions(&mut self) {
        let conflict = std::mem::take(&mut self.conflict);
        for lit in &conflict {
            self.see_assigned(lit.var());
        }
        self.conflict = conflict;
        let start = self.levels.first().map_or(self.trail.len(), |level| level.trail);
        for position in (start..self.trail.len()).rev() {
            let lit = self.trail[position];
            if !std::mem::take(&mut self.seen[lit.var().index()]) {
                continue;
            }
            if self.assignments[lit.var().index()].cause == Cause::None {
                self.fail(lit);
                continue;
            }
            self.find_antecedents(lit);
            for index in 0..self.antecedents.len() {
                self.see_assigned(self.antecedents[index].var());
            }
        }
    }

    fn see_assigned(&mut self, var: Var) {
        if self.level_of(var) > 0 {
            self.seen[var.index()] = true;
        }
    }

    /// Notes a failed assumption.
    pub(crate) fn fail(&mut self, assumption: Lit) {
        if !std::mem::replace(&mut self.is_failed[assumption.index()], true) {
            self.failed.push(assumption);
        }
    }
}
