//! What follows from an assignment: by clauses with two watched literals, then by bounds.
//!
//! # References
//!
//! Moskewicz, Madigan, Zhao, Zhang, Malik: Chaff: Engineering an Efficient SAT Solver. DAC 2001.

use crate::ArithSolver;
use crate::arena::{ClauseRef, lit_of};
use crate::simplex::Checked;
use crate::solver::{Assignment, STEPS_PER_TICK};
use propcov_budget::Budget;
use propcov_sat::{Lit, Solver};

const BINARY: u32 = u32::MAX;

/// Why a literal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A decision, an assumption, or a unit.
    None,
    /// A clause of two literals, whose other one is false.
    Binary(Lit),
    /// The first literal of a clause whose others are false.
    Clause(ClauseRef),
    /// A tighter bound on the same column holds.
    Tighter(Lit),
    /// The bounds on the other columns of a row hold.
    Row(u32),
}

/// One clause in the list of a literal that it watches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// Another literal of the clause: when it is true, the clause need not be looked at. Of a binary clause, the other.
    pub(crate) blocker: Lit,
    pub(crate) clause: ClauseRef,
}

impl Watch {
    pub(crate) fn binary(other: Lit) -> Watch {
        Watch { blocker: other, clause: BINARY }
    }

    pub(crate) fn is_binary(self) -> bool {
        self.clause == BINARY
    }
}

/// How propagation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Propagated {
    /// Nothing more follows.
    Quiet,
    /// A clause is false: see `conflict`.
    Conflict,
    /// The budget ran out.
    Interrupted,
}

impl ArithSolver {
    pub(crate) fn assign(&mut self, lit: Lit, cause: Cause) {
        debug_assert_eq!(self.values[lit.index()], 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.assignments[lit.var().index()] = Assignment { level: self.level(), cause };
        self.trail.push(lit);
    }

    /// Stores a clause of two or more literals.
    pub(crate) fn attach(&mut self, literals: &[Lit], glue: Option<u32>) -> Cause {
        let (first, second) = (literals[0], literals[1]);
        let clause = if literals.len() == 2 { BINARY } else { self.arena.add(literals, glue) };
        self.watches[first.index()].push(Watch { blocker: second, clause });
        self.watches[second.index()].push(Watch { blocker: first, clause });
        if clause == BINARY {
            return Cause::Binary(second);
        }
        if glue.is_some() {
            self.learnts.push(clause);
        }
        Cause::Clause(clause)
    }

    /// Everything that follows from the trail.
    pub(crate) fn propagate(&mut self, budget: &Budget) -> Propagated {
        loop {
            if !self.propagate_clauses() || !self.assert_bounds() {
                return Propagated::Conflict;
            }
            if self.propagated < self.trail.len() {
                continue;
            }
            let clause_ticks = self.clause_ticks;
            let limit = budget.interrupt.tick_limit();
            match self
                .simplex
                .check(|ticks| (ticks + clause_ticks) / STEPS_PER_TICK > limit || budget.is_exhausted())
            {
                Checked::Feasible => {
                    self.refine();
                    if self.propagated == self.trail.len() {
                        return Propagated::Quiet;
                    }
                }
                Checked::Interrupted => return Propagated::Interrupted,
                Checked::Conflict => {
                    self.take_theory_conflict();
                    return Propagated::Conflict;
                }
            }
        }
    }

    /// Whether the work done exceeds the budget.
    pub(crate) fn is_exhausted(&self, budget: &Budget) -> bool {
        self.ticks() > budget.interrupt.tick_limit() || budget.is_exhausted()
    }

    fn propagate_clauses(&mut self) -> bool {
        while self.propagated < self.trail.len() {
            let falsified = !self.trail[self.propagated];
            self.propagated += 1;
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            let is_quiet = self.visit_watches(falsified, &mut list);
            self.watches[falsified.index()] = list;
            if !is_quiet {
                return false;
            }
        }
        true
    }

    fn visit_watches(&mut self, falsified: Lit, list: &mut Vec<Watch>) -> bool {
        let (mut kept, mut next) = (0, 0);
        let mut is_quiet = true;
        let falsified_code = falsified.index() as u32;
        self.clause_ticks += 1;
        while next < list.len() {
            let watch = list[next];
            next += 1;
            let blocker_value = self.values[watch.blocker.index()];
            if blocker_value > 0 {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            self.clause_ticks += 1;
            if watch.is_binary() {
                list[kept] = watch;
                kept += 1;
                if blocker_value < 0 {
                    self.conflict.clear();
                    self.conflict.extend([watch.blocker, falsified]);
                    is_quiet = false;
                    break;
                }
                self.assign(watch.blocker, Cause::Binary(falsified));
                continue;
            }
            let values = &self.values;
            let codes = self.arena.codes_mut(watch.clause);
            if codes[0] == falsified_code {
                codes.swap(0, 1);
            }
            let first = lit_of(codes[0]);
            let kept_watch = Watch { blocker: first, clause: watch.clause };
            let first_value = values[first.index()];
            if first_value > 0 {
                list[kept] = kept_watch;
                kept += 1;
                continue;
            }
            if let Some(position) = codes[2..].iter().position(|&code| values[code as usize] >= 0) {
                codes.swap(1, position + 2);
                self.watches[codes[1] as usize].push(kept_watch);
                continue;
            }
            list[kept] = kept_watch;
            kept += 1;
            if first_value < 0 {
                self.conflict.clear();
                self.conflict.extend(codes.iter().map(|&code| lit_of(code)));
                self.arena.mark_used(watch.clause);
                is_quiet = false;
                break;
            }
            self.assign(first, Cause::Clause(watch.clause));
        }
        list.copy_within(next.., kept);
        list.truncate(kept + list.len() - next);
        is_quiet
    }
}
