//! Liveness as justice: a run violates the property if it makes conditions true infinitely often.
//!
//! Somewhere an attempt begins that fails: a choice says where. From there on the alternating automaton of the opposite has to accept. In each tick another choice
//! says which of its states are owed from the next tick on, which has to fit what the tick makes of those that are owed now. Nobody may stay with a
//! strong state for ever: of the states that were owed at some moment, those that are still not rid of a strong state are remembered; when there are
//! none left, the next moment begins. There have to be infinitely many such moments (the breakpoint construction of Miyano and Hayashi, with choices as inputs).

use super::super::machine::Machine;
use super::alternating::{Alternating, Step};
use super::formula::Formula;
use super::monitor::Frame;
use super::syntax::Boolean;
use propcov_ir::{ExprId, Origin, Sort};

impl Machine<'_> {
    /// The conditions that a run makes true infinitely often if it violates a property, of which this is the opposite.
    pub(in super::super) fn justice(&mut self, opposite: &Alternating, frame: &Frame<'_>) -> Vec<ExprId> {
        let count = opposite.steps.len() as u32;
        let name = |what: &str| format!("{}.{what}", frame.name);
        let begin = self.choice(1, name("begin"));
        let (owes, still) = (self.choice(count, name("owes")), self.choice(count, name("still")));
        let begun = self.helper_state(name("begun"), 1);
        let lost = self.helper_state(name("lost"), 1);
        let owed = self.helper_state(name("owed"), count);
        let late = self.helper_state(name("late"), count);
        let [is_begun, is_lost, owed_now, late_now] =
            [begun, lost, owed, late].map(|state| self.system.read(state));
        let starts = self.and(begin, frame.start);
        let not_begun = self.not(is_begun);
        let begins = self.and(starts, not_begun);
        // What is chosen has to fit.
        let mut fits = self.step_value(&opposite.steps[0], frame, owes);
        let no_start = self.not(begins);
        fits = self.or(fits, no_start);
        for (state, step) in opposite.steps.iter().enumerate() {
            for (now, chosen) in [(owed_now, owes), (late_now, still)] {
                let is_owed = self.slice(now, state as u32, 1);
                let value = self.step_value(step, frame, chosen);
                let not_owed = self.not(is_owed);
                let one = self.or(not_owed, value);
                fits = self.and(fits, one);
            }
        }
        let outside = self.not(owes);
        let beyond = self.and(still, outside);
        let beyond = self.truth(beyond);
        let within = self.not(beyond);
        fits = self.and(fits, within);
        let misfit = self.not(fits);
        // A state is late as long as it is strong, and a new moment begins when none is.
        let mut strong = None;
        for is_strong in &opposite.strong {
            let bit = self.bool(*is_strong);
            strong = Some(strong.map_or(bit, |low| self.concat(bit, low)));
        }
        let strong = strong.unwrap_or(owes);
        let some_late = self.truth(late_now);
        let chosen = self.ite(some_late, still, owes);
        let next_late = self.and(chosen, strong);
        let active = self.or(is_begun, begins);
        let zero = self.bits(count, 0);
        let next_owed = self.ite(active, owes, zero);
        let next_late = self.ite(active, next_late, zero);
        let next_lost = self.or(is_lost, misfit);
        for (state, next) in [(begun, active), (lost, next_lost), (owed, next_owed), (late, next_late)] {
            self.move_at_tick(state, next, frame);
        }
        let not_lost = self.not(is_lost);
        let none_late = self.not(some_late);
        let moment = self.and(none_late, is_begun);
        let moment = self.and(moment, not_lost);
        frame.tick.into_iter().chain([moment]).collect()
    }

    fn choice(&mut self, width: u32, name: String) -> ExprId {
        let input = self.system.add_input(name, Sort::BitVec(width));
        self.system.set_origin(input, Origin::Choice);
        self.system.read(input)
    }

    /// What a step comes to, if these states are chosen.
    fn step_value(&mut self, step: &Step, frame: &Frame<'_>, chosen: ExprId) -> ExprId {
        match step {
            Formula::Const(value) | Formula::Now(Boolean::Const(value)) => self.bool(*value),
            Formula::Now(Boolean::Is(atom, true)) => frame.atoms[atom.0 as usize],
            Formula::Now(Boolean::Is(atom, false)) => self.not(frame.atoms[atom.0 as usize]),
            Formula::Then(state) => self.slice(chosen, *state as u32, 1),
            Formula::And(parts) => {
                let yes = self.bool(true);
                parts.iter().fold(yes, |all, part| {
                    let part = self.step_value(part, frame, chosen);
                    self.and(all, part)
                })
            }
            Formula::Or(parts) => {
                let no = self.bool(false);
                parts.iter().fold(no, |any, part| {
                    let part = self.step_value(part, frame, chosen);
                    self.or(any, part)
                })
            }
        }
    }
}
