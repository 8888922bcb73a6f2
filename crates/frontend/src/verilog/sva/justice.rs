//! Liveness as justice: what a run that violates a property, or one that meets an assumption, makes true infinitely often.
//!
//! An alternating automaton has to accept a run from some tick on. In each tick a choice says which of its states are owed from the next tick on, which has
//! to fit what the tick makes of those that are owed now. Nobody may stay with a strong state for ever: of the states that were owed at some moment, those that are still not rid of a
//! strong state are remembered; when there are none left, the next moment begins. There have to be infinitely many such moments (the breakpoint
//! construction of Miyano and Hayashi, with choices as inputs).
//!
//! - A run *violates an assertion* if somewhere an attempt begins that fails: another choice says where, and from there on the automaton of the opposite accepts.
//! - A run *meets an assumption* if from every tick at which an attempt begins the automaton accepts. Choices that do not fit make a run unfair, and never end
//!   one: what finite runs show is a constraint of its own.

use super::super::machine::Machine;
use super::alternating::{Alternating, Step};
use super::formula::Formula;
use super::monitor::Frame;
use super::syntax::Boolean;
use propcov_ir::{ExprId, Fairness, Origin, Sort};

/// When an automaton has to accept.
struct Begin {
    /// From this tick on.
    now: ExprId,
    /// From this tick on, or from an earlier one.
    ever: ExprId,
    /// Whether what has begun must not be disabled any more.
    is_one: bool,
}

impl Machine<'_> {
    /// The conditions that a run makes true infinitely often if it violates a property, of which this is the opposite.
    pub(in super::super) fn justice(&mut self, opposite: &Alternating, frame: &Frame<'_>) -> Vec<ExprId> {
        let name = |what: &str| format!("{}.{what}", frame.name);
        let begin = self.choice(1, name("begin"));
        let begun = self.helper_state(name("begun"), 1);
        let is_begun = self.system.read(begun);
        let starts = self.and(begin, frame.start);
        let not_begun = self.not(is_begun);
        let now = self.and(starts, not_begun);
        let ever = self.or(is_begun, now);
        let next = frame.tick.map_or(ever, |tick| self.ite(tick, ever, is_begun));
        self.system.set_next(begun, next);
        let moment = self.moments(opposite, &Begin { now, ever, is_one: true }, frame);
        let moment = self.and(moment, is_begun);
        frame.tick.into_iter().chain([moment]).collect()
    }

    /// Assumes what no finite run shows of an assumption, as fairness.
    pub(in super::super) fn assume_fairness(&mut self, assumption: &Alternating, frame: &Frame<'_>) {
        let ever = self.bool(true);
        let moment = self.moments(assumption, &Begin { now: frame.start, ever, is_one: false }, frame);
        let conditions = frame.tick.into_iter().chain([moment]);
        self.system.fairness.extend(conditions.map(Fairness::Justice));
    }

    /// In a step in which all choices so far have fitted, and no state is owed without having been rid of a strong state since the moment before.
    fn moments(&mut self, automaton: &Alternating, begin: &Begin, frame: &Frame<'_>) -> ExprId {
        let count = automaton.steps.len() as u32;
        let name = |what: &str| format!("{}.{what}", frame.name);
        let (owes, still) = (self.choice(count, name("owes")), self.choice(count, name("still")));
        let lost = self.helper_state(name("lost"), 1);
        let owed = self.helper_state(name("owed"), count);
        let late = self.helper_state(name("late"), count);
        let [is_lost, owed_now, late_now] = [lost, owed, late].map(|state| self.system.read(state));
        // What is chosen has to fit.
        let mut fits = self.step_value(&automaton.steps[0], frame, owes);
        let no_start = self.not(begin.now);
        fits = self.or(fits, no_start);
        for (state, step) in automaton.steps.iter().enumerate() {
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
        for is_strong in &automaton.strong {
            let bit = self.bool(*is_strong);
            strong = Some(strong.map_or(bit, |low| self.concat(bit, low)));
        }
        let strong = strong.unwrap_or(owes);
        let some_late = self.truth(late_now);
        let chosen = self.ite(some_late, still, owes);
        let next_late = self.and(chosen, strong);
        let zero = self.bits(count, 0);
        let next_owed = self.ite(begin.ever, owes, zero);
        let next_late = self.ite(begin.ever, next_late, zero);
        let next_lost = self.or(is_lost, misfit);
        for (state, next) in [(owed, next_owed), (late, next_late)] {
            self.move_at_tick(state, next, frame);
        }
        let next_lost = match (frame.tick, frame.is_disabled) {
            (None, _) => next_lost,
            (Some(tick), Some(is_disabled)) if begin.is_one => {
                // Between ticks the attempt in question is disabled.
                let is_open = self.truth(owed_now);
                let aborted = self.and(is_open, is_disabled);
                let held = self.or(is_lost, aborted);
                self.ite(tick, next_lost, held)
            }
            (Some(tick), _) => self.ite(tick, next_lost, is_lost),
        };
        self.system.set_next(lost, next_lost);
        let not_lost = self.not(is_lost);
        let none_late = self.not(some_late);
        self.and(none_late, not_lost)
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
