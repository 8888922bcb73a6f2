//! What a conflict teaches: a clause with a single literal of the last level (first unique implication point), minimised;
//! or, when only assumptions are to blame, which of them.
//!
//! # References
//!
//! Marques-Silva, Sakallah: GRASP. IEEE Transactions on Computers 48, 1999.
//! Sörensson, Biere: Minimizing Learned Clauses. SAT 2009.
//! Audemard, Simon: Predicting Learnt Clauses Quality in Modern SAT Solvers. IJCAI 2009 (glue).

use super::propagate::{Cause, Conflict, Reason};
use super::{ASSUMPTION_LEVEL, ConeSolver};
use crate::{Lit, Var};

impl ConeSolver {
    /// Leaves the learnt clause in `self.learnt`, the literal to assert first and one of the level to return to second.
    /// Returns that level and the clause's glue.
    pub(super) fn analyze(&mut self, conflict: Conflict) -> (u32, u32) {
        self.learnt.clear();
        self.learnt.push(conflict.literal);
        let mut open = 0;
        self.visit(conflict.literal, &mut open);
        let mut pivot = conflict.literal;
        let mut reason = conflict.reason;
        let mut position = self.trail.len();
        loop {
            self.visit_antecedents(pivot, reason, &mut open);
            loop {
                position -= 1;
                if self.seen[self.trail[position].var().index()] {
                    break;
                }
            }
            pivot = self.trail[position];
            self.seen[pivot.var().index()] = false;
            open -= 1;
            if open == 0 {
                break;
            }
            reason = self.variables[pivot.var().index()].reason;
        }
        self.learnt[0] = !pivot;
        self.minimise();
        for var in self.seen_list.drain(..) {
            self.seen[var.index()] = false;
        }
        self.order.decay();
        (self.move_highest_second(), self.count_levels())
    }

    fn visit_antecedents(&mut self, pivot: Lit, reason: Reason, open: &mut u32) {
        match reason.cause() {
            Cause::None => {}
            Cause::Binary(other) => self.visit(other, open),
            Cause::Long(clause) => {
                self.arena.mark_used(clause);
                for position in 0..self.arena.size(clause) {
                    let lit = self.arena.literal(clause, position);
                    if lit != pivot {
                        self.visit(lit, open);
                    }
                }
            }
        }
    }

    fn visit(&mut self, lit: Lit, open: &mut u32) {
        let var = lit.var();
        let level = self.variables[var.index()].level;
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
            if self.variables[lit.var().index()].reason == Reason::NONE || !self.is_redundant(lit, levels) {
                self.learnt[kept] = lit;
                kept += 1;
            }
        }
        self.learnt.truncate(kept);
    }

    /// Whether a falsified literal follows from the literals seen so far. What it visits on the way then follows too and
    /// stays marked as seen; otherwise those marks are taken back.
    fn is_redundant(&mut self, lit: Lit, levels: u64) -> bool {
        let marked = self.seen_list.len();
        self.stack.clear();
        self.stack.push(lit.var());
        while let Some(var) = self.stack.pop() {
            let reason = self.variables[var.index()].reason;
            let count = match reason.cause() {
                Cause::Long(clause) => self.arena.size(clause),
                _ => 1,
            };
            for position in 0..count {
                let other = match reason.cause() {
                    Cause::Long(clause) => self.arena.literal(clause, position).var(),
                    Cause::Binary(other) => other.var(),
                    Cause::None => continue,
                };
                let assignment = self.variables[other.index()];
                if other == var || self.seen[other.index()] || assignment.level == 0 {
                    continue;
                }
                if assignment.reason == Reason::NONE || levels & self.level_bit(other) == 0 {
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
        1 << (self.variables[var.index()].level & 63)
    }

    fn move_highest_second(&mut self) -> u32 {
        let level_of = |lit: Lit| self.variables[lit.var().index()].level;
        let Some(highest) = (1..self.learnt.len()).max_by_key(|&position| level_of(self.learnt[position]))
        else {
            return 0;
        };
        self.learnt.swap(1, highest);
        self.variables[self.learnt[1].var().index()].level
    }

    fn count_levels(&mut self) -> u32 {
        self.level_stamp += 1;
        let mut count = 0;
        for lit in &self.learnt {
            let level = self.variables[lit.var().index()].level as usize;
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

    /// The assumptions that a conflict at the assumption level rests on become the failed ones.
    pub(super) fn analyze_assumptions(&mut self, literal: Lit, reason: Reason) {
        debug_assert_eq!(self.level(), ASSUMPTION_LEVEL);
        let mut open = 0;
        self.visit(literal, &mut open);
        self.visit_antecedents(literal, reason, &mut open);
        let start = self.level_starts[0];
        for position in (start..self.trail.len()).rev() {
            let lit = self.trail[position];
            if !std::mem::take(&mut self.seen[lit.var().index()]) {
                continue;
            }
            match self.variables[lit.var().index()].reason {
                Reason::NONE => self.fail(lit),
                reason => self.visit_antecedents(lit, reason, &mut open),
            }
        }
    }
}
