//! One query from beginning to end: conflict-driven clause learning, until all variables that matter are assigned and all numbers of
//! integer kind are integers, or the assumptions are refuted.

use crate::ArithSolver;
use crate::integers::{Counts, Repair};
use crate::propagate::{Cause, Propagated};
use crate::solver::LevelStart;
use crate::tableau::NONE;
use propcov_budget::Budget;
use propcov_sat::{Lit, Outcome, luby};
use std::sync::OnceLock;

/// The level of all assumptions.
const ASSUMPTION_LEVEL: u32 = 1;
/// Conflicts, times an element of Luby's sequence, between two restarts.
const RESTART_UNIT: u64 = 64;
/// Steps of the search between two looks at the clock.
const STEPS_BETWEEN_CHECKS: u32 = 128;

impl ArithSolver {
    /// Decides the clauses under assumptions.
    pub(crate) fn search(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        self.open(assumptions);
        if self.is_inconsistent {
            return Outcome::Unsat;
        }
        let last_conflict = budget.conflicts.map_or(u64::MAX, |limit| self.conflicts.saturating_add(limit));
        let mut restarts = 1;
        let mut next_restart = self.conflicts + RESTART_UNIT;
        let mut steps = 0;
        loop {
            steps += 1;
            match self.propagate(budget) {
                Propagated::Interrupted => return Outcome::Unknown,
                Propagated::Conflict => {
                    self.conflicts += 1;
                    if !self.resolve_conflict() {
                        return Outcome::Unsat;
                    }
                }
                Propagated::Quiet if self.level() == 0 => {
                    if !self.assume(assumptions) {
                        return Outcome::Unsat;
                    }
                }
                Propagated::Quiet if self.conflicts >= next_restart => {
                    restarts += 1;
                    next_restart = self.conflicts + RESTART_UNIT * luby(restarts);
                    self.backtrack(ASSUMPTION_LEVEL);
                    self.reduce_if_many();
                }
                Propagated::Quiet => {
                    let decision = match self.decide() {
                        Some(decision) => Repair::Split(decision),
                        None => self.repair_fractions(),
                    };
                    match decision {
                        Repair::Whole => return Outcome::Sat,
                        Repair::Cut => {}
                        Repair::Split(decision) => {
                            self.start_level();
                            self.assign(decision, Cause::None);
                        }
                    }
                }
            }
            if self.conflicts >= last_conflict
                || steps % STEPS_BETWEEN_CHECKS == 0 && self.is_exhausted(budget)
            {
                return Outcome::Unknown;
            }
        }
    }

    fn open(&mut self, assumptions: &[Lit]) {
        self.backtrack(0);
        self.epsilon = OnceLock::new();
        self.counts = Counts::default();
        for lit in self.failed.drain(..) {
            self.is_failed[lit.index()] = false;
        }
        for lit in assumptions {
            self.use_atom(lit.var());
        }
        self.tidy_if_due();
        self.simplex.remove_old_rows();
    }

    /// Opens the assumption level. Returns false if one of the assumptions cannot hold.
    fn assume(&mut self, assumptions: &[Lit]) -> bool {
        self.start_level();
        for &assumption in assumptions {
            match self.values[assumption.index()] {
                0 => self.assign(assumption, Cause::None),
                1 => {}
                _ => {
                    self.fail(assumption);
                    if self.assignments[assumption.var().index()].level > 0 {
                        self.fail(!assumption);
                    }
                    return false;
                }
            }
        }
        true
    }

    /// Learns from a conflict. Returns false if there is nothing left to change.
    fn resolve_conflict(&mut self) -> bool {
        match self.conflict_level() {
            0 => {
                self.is_inconsistent = true;
                return false;
            }
            ASSUMPTION_LEVEL => {
                self.backtrack(ASSUMPTION_LEVEL);
                self.analyze_assumptions();
                return false;
            }
            level => self.backtrack(level),
        }
        let (level, glue) = self.analyze();
        self.backtrack(level);
        let learnt = std::mem::take(&mut self.learnt);
        let cause = if learnt.len() == 1 { Cause::None } else { self.attach(&learnt, Some(glue)) };
        self.assign(learnt[0], cause);
        self.learnt = learnt;
        true
    }

    fn start_level(&mut self) {
        self.levels.push(LevelStart {
            trail: self.trail.len(),
            undo: self.simplex.undo_mark(),
            skipped: self.skipped.len(),
            row_reasons: self.row_reasons.len(),
        });
    }

    /// The open variable that matters most, with the value that the numbers suggest or else that it had last.
    fn decide(&mut self) -> Option<Lit> {
        loop {
            let var = self.order.pop()?;
            if self.values[var.positive().index()] != 0 {
                continue;
            }
            self.clause_ticks += 1;
            let atom = self.atom_of[var.index()];
            if atom == NONE {
                return Some(var.lit(self.phases[var.index()]));
            }
            if self.is_needed(atom) {
                return Some(var.lit(self.simplex.is_true_now(atom)));
            }
            self.skipped.push(var);
        }
    }

    /// Forgets all levels above one.
    pub(crate) fn backtrack(&mut self, level: u32) {
        let Some(&start) = self.levels.get(level as usize) else { return };
        for &lit in &self.trail[start.trail..] {
            let var = lit.var();
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[var.index()] = !lit.is_negated();
            if self.is_decidable[var.index()] {
                self.order.insert(var);
            }
        }
        for var in self.skipped.drain(start.skipped..) {
            self.order.insert(var);
        }
        self.trail.truncate(start.trail);
        self.levels.truncate(level as usize);
        self.propagated = self.propagated.min(start.trail);
        self.asserted = self.asserted.min(start.trail);
        self.simplex.undo_to(start.undo);
        self.row_reasons.truncate(start.row_reasons);
    }
}
