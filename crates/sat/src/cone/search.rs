//! One query from beginning to end: open the domain, search, close the domain.

use super::propagate::Reason;
use super::restart::Restarts;
use super::{ASSUMPTION_LEVEL, ConeSolver, Domain, FALSE, OPEN, OUTSIDE, TRUE};
use crate::{Lit, Outcome, Var};
use propcov_budget::Budget;

/// Steps of the search between two looks at the clock.
const STEPS_BETWEEN_CHECKS: u32 = 256;

impl ConeSolver {
    /// Brings the variables of a query into the domain.
    pub(super) fn open(&mut self, domain: Option<&Domain>, assumptions: &[Lit], temporary: &[Lit]) {
        match domain {
            None => self.set_all_open(true),
            Some(domain) => {
                self.set_all_open(false);
                for var in domain.iter() {
                    self.open_var(var);
                }
            }
        }
        for lit in assumptions.iter().chain(temporary) {
            self.open_var(lit.var());
        }
    }

    fn open_var(&mut self, var: Var) {
        if self.set_value_of_unassigned(var, OUTSIDE, OPEN) {
            self.opened.push(var);
        }
    }

    fn set_all_open(&mut self, open: bool) {
        if self.is_all_open != open {
            self.is_all_open = open;
            let (from, to) = if open { (OUTSIDE, OPEN) } else { (OPEN, OUTSIDE) };
            for index in 0..self.activation_var().0 {
                self.set_value_of_unassigned(Var(index), from, to);
            }
        }
    }

    fn set_value_of_unassigned(&mut self, var: Var, from: i8, to: i8) -> bool {
        let index = var.positive().index();
        let values = &mut self.values[index..index + 2];
        let is_changed = values[0] == from;
        if is_changed {
            values.fill(to);
        }
        is_changed
    }

    /// Ends the last query: forgets its assignments, its temporary clause and its domain.
    pub(super) fn close(&mut self) {
        self.order.clear();
        self.is_order_filled = false;
        self.backtrack(0);
        while let Some(clause) = self.temporaries.pop() {
            self.detach(clause);
            self.arena.delete(clause);
        }
        // A query that ran out of budget may have learnt a unit last.
        if self.propagated < self.trail.len() {
            self.is_inconsistent |= self.propagate_root().is_some();
        }
        if let Some(activation) = self.activation.take() {
            self.forget_activation(activation);
        }
        while let Some(var) = self.opened.pop() {
            self.set_value_of_unassigned(var, OPEN, OUTSIDE);
        }
    }

    /// When the root level refutes the temporary clause, it refutes the activation literal, which must not last. Nothing
    /// can follow from that: no clause contains the literal itself.
    fn forget_activation(&mut self, activation: Lit) {
        if self.values[activation.index()] == FALSE {
            self.values[activation.index()] = OPEN;
            self.values[(!activation).index()] = OPEN;
            self.trail.retain(|&lit| lit != !activation);
            self.propagated -= 1;
        }
    }

    /// Adds a clause that [`ConeSolver::close`] removes again: the negated activation literal marks it, and every clause
    /// learnt from it. Returns false if all its literals are false for good.
    pub(super) fn add_temporary(&mut self, clause: &[Lit]) -> bool {
        let Some(mut literals) = self.simplified_at_root(clause) else {
            return true;
        };
        if literals.is_empty() {
            return false;
        }
        let activation = self.activation_var().positive();
        self.open_var(activation.var());
        self.activation = Some(activation);
        literals.push(!activation);
        let clause = self.arena.add(&literals, None);
        self.attach(clause);
        self.temporaries.push(clause);
        true
    }

    /// Conflict-driven clause learning, until the domain is assigned or the assumptions are refuted.
    pub(super) fn search(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        let last_conflict =
            budget.conflicts.map_or(u64::MAX, |conflicts| self.conflicts.saturating_add(conflicts));
        let mut restarts = Restarts::new();
        let mut assumed = 0;
        let mut steps = 0;
        loop {
            let conflict = if self.level() == 0 { self.propagate_root() } else { self.propagate() };
            if let Some(conflict) = conflict {
                self.conflicts += 1;
                match self.level() {
                    0 => {
                        self.is_inconsistent = true;
                        return Outcome::Unsat;
                    }
                    ASSUMPTION_LEVEL => {
                        self.analyze_assumptions(conflict.literal, conflict.reason);
                        return Outcome::Unsat;
                    }
                    _ => {}
                }
                let (level, glue) = self.analyze(conflict);
                self.backtrack(level);
                self.learn(glue);
                restarts.on_conflict();
            } else if self.level() == 0 {
                self.start_level();
                assumed = 0;
                match self.activation {
                    Some(activation) if self.values[activation.index()] == FALSE => return Outcome::Unsat,
                    Some(activation) => self.assign(activation, Reason::NONE),
                    None => {}
                }
                continue;
            } else if assumed < assumptions.len() {
                let assumption = assumptions[assumed];
                assumed += 1;
                match self.values[assumption.index()] {
                    TRUE => {}
                    FALSE => {
                        self.fail(assumption);
                        self.analyze_assumptions(assumption, Reason::NONE);
                        return Outcome::Unsat;
                    }
                    _ => self.assign(assumption, Reason::NONE),
                }
                continue;
            } else if restarts.is_due() {
                self.backtrack(if self.wants_reduction() { 0 } else { ASSUMPTION_LEVEL });
                if self.level() == 0 {
                    self.tidy();
                    continue;
                }
            } else {
                let Some(decision) = self.decide() else {
                    return Outcome::Sat;
                };
                self.start_level();
                self.assign(decision, Reason::NONE);
            }
            steps += 1;
            let is_time_to_check = steps % STEPS_BETWEEN_CHECKS == 0;
            if self.conflicts >= last_conflict || is_time_to_check && self.is_exhausted(budget) {
                return Outcome::Unknown;
            }
        }
    }

    fn start_level(&mut self) {
        self.level_starts.push(self.trail.len());
    }

    /// The open variable of the domain that matters most.
    fn decide(&mut self) -> Option<Lit> {
        let values = &self.values;
        let is_open = |var: &Var| values[var.positive().index()] == OPEN;
        if !self.is_order_filled {
            self.is_order_filled = true;
            if self.is_all_open {
                self.order.fill((0..self.variables.len() as u32 - 1).map(Var).filter(is_open));
            } else {
                self.order.fill(self.opened.iter().copied().filter(is_open));
            }
        }
        loop {
            let var = self.order.pop()?;
            if is_open(&var) {
                return Some(var.lit(self.phases[var.index()]));
            }
        }
    }

    fn backtrack(&mut self, level: u32) {
        let Some(&start) = self.level_starts.get(level as usize) else { return };
        for &lit in &self.trail[start..] {
            self.values[lit.index()] = OPEN;
            self.values[(!lit).index()] = OPEN;
            self.phases[lit.var().index()] = !lit.is_negated();
            if self.is_order_filled {
                self.order.insert(lit.var());
            }
        }
        self.trail.truncate(start);
        self.level_starts.truncate(level as usize);
        self.propagated = start;
    }

    /// Adds the clause that the analysis left behind, and asserts its first literal.
    fn learn(&mut self, glue: u32) {
        let asserted = self.learnt[0];
        let is_temporary = self.activation.is_some_and(|activation| self.learnt.contains(&!activation));
        match self.learnt[..] {
            [_] => self.assign(asserted, Reason::NONE),
            [_, other] if !is_temporary => {
                self.attach_binary(asserted, other);
                self.assign(asserted, Reason::binary(other));
            }
            _ => {
                let clause = self.arena.add(&self.learnt, Some(glue));
                self.attach(clause);
                if is_temporary { &mut self.temporaries } else { &mut self.learnts }.push(clause);
                self.assign(asserted, Reason::long(clause));
            }
        }
    }

    /// Notes a failed assumption.
    pub(super) fn fail(&mut self, assumption: Lit) {
        if Some(assumption) != self.activation && !self.is_failed[assumption.index()] {
            self.is_failed[assumption.index()] = true;
            self.core.push(assumption);
        }
    }
}
