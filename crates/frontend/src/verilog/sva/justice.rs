//! Liveness as justice: what a run that violates a property, or one that meets an assumption, makes true infinitely often.
//!
//! An alternating automaton has to accept a run from some tick on. What is *owed* after a tick are the states that those owed before it lead to. Where a state has a choice, an input makes it; most have none, so
//! that nearly all that people write is followed without any. Nobody may stay with a strong state for ever: of the states that were owed at some moment, those that are still not rid of a
//! strong state are remembered as *late*; when there are none left, the next moment begins. There have to be infinitely many such moments (the breakpoint
//! construction of Miyano and Hayashi; a late state chooses as it would if it were not, which is enough, because what is best for a state depends on what comes and not on what was).
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

/// What a state of an automaton asks for at a tick, as it has been chosen.
struct Asked {
    /// Whether the tick gives what it asks for now.
    fits: ExprId,
    /// The states that it leads to, each with its condition; some may be there more than once.
    next: Vec<(usize, ExprId)>,
}

/// Choices that are not made yet.
struct Choices {
    input: Option<ExprId>,
    used: u32,
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
        let moment = self.moments(opposite, now, true, frame);
        let moment = self.and(moment, is_begun);
        frame.tick.into_iter().chain([moment]).collect()
    }

    /// Assumes what no finite run shows of an assumption, as fairness.
    pub(in super::super) fn assume_fairness(&mut self, assumption: &Alternating, frame: &Frame<'_>) {
        let moment = self.moments(assumption, frame.start, false, frame);
        let conditions = frame.tick.into_iter().chain([moment]);
        self.system.fairness.extend(conditions.map(Fairness::Justice));
    }

    /// In a step in which all that was asked for so far was given, and no state is owed without having been rid of a strong state since the moment before. The automaton has to accept
    /// from each tick on at which it begins; if that is a single one, what has begun must not be disabled any more.
    fn moments(
        &mut self,
        automaton: &Alternating,
        begins: ExprId,
        is_one: bool,
        frame: &Frame<'_>,
    ) -> ExprId {
        let count = automaton.steps.len() as u32;
        let name = |what: &str| format!("{}.{what}", frame.name);
        let bits = automaton.steps.iter().map(choices).sum();
        let input = (bits > 0).then(|| self.choice(bits, name("choice")));
        let lost = self.helper_state(name("lost"), 1);
        let owed = self.helper_state(name("owed"), count);
        let [is_lost, owed_now] = [lost, owed].map(|state| self.system.read(state));
        // States that are strong, and can come back to themselves: only these can be late.
        let waiting = automaton.waiting();
        let late = (!waiting.is_empty()).then(|| self.helper_state(name("late"), waiting.len() as u32));
        let late_now = late.map(|late| self.system.read(late));
        let some_late = match late_now {
            Some(late_now) => self.truth(late_now),
            None => self.bool(false),
        };
        let mut choices = Choices { input, used: 0 };
        let mut fits = self.bool(true);
        let no = self.bool(false);
        let (mut next_owed, mut next_late) = (vec![no; count as usize], vec![no; count as usize]);
        for (state, step) in automaton.steps.iter().enumerate() {
            let mut is_owed = self.slice(owed_now, state as u32, 1);
            if state == 0 {
                is_owed = self.or(is_owed, begins);
            }
            // After a moment, all that is owed may be late.
            let is_late = match (late_now, waiting.iter().position(|one| *one == state)) {
                (Some(late_now), Some(position)) => self.slice(late_now, position as u32, 1),
                _ => no,
            };
            let is_late = self.ite(some_late, is_late, is_owed);
            let asked = self.asked(step, &mut choices, frame);
            let not_owed = self.not(is_owed);
            let given = self.or(not_owed, asked.fits);
            fits = self.and(fits, given);
            for (to, condition) in asked.next {
                for (from, next) in [(is_owed, &mut next_owed), (is_late, &mut next_late)] {
                    let leads = self.and(from, condition);
                    next[to] = self.or(next[to], leads);
                }
            }
        }
        let misfit = self.not(fits);
        let next_lost = self.or(is_lost, misfit);
        let next_owed = self.joined_bits(&next_owed);
        self.move_at_tick(owed, next_owed, frame);
        if let Some(late) = late {
            let next_late: Vec<ExprId> = waiting.iter().map(|state| next_late[*state]).collect();
            let next_late = self.joined_bits(&next_late);
            self.move_at_tick(late, next_late, frame);
        }
        let next_lost = match (frame.tick, frame.is_disabled) {
            (None, _) => next_lost,
            (Some(tick), Some(is_disabled)) if is_one => {
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

    /// What a state asks for, of which this is the step.
    fn asked(&mut self, step: &Step, choices: &mut Choices, frame: &Frame<'_>) -> Asked {
        let fits = match step {
            Formula::Const(value) | Formula::Now(Boolean::Const(value)) => self.bool(*value),
            Formula::Now(Boolean::Is(atom, true)) => frame.atoms[atom.0 as usize],
            Formula::Now(Boolean::Is(atom, false)) => self.not(frame.atoms[atom.0 as usize]),
            Formula::Then(state) => {
                let yes = self.bool(true);
                return Asked { fits: yes, next: vec![(*state, yes)] };
            }
            Formula::And(parts) => {
                let mut all = Asked { fits: self.bool(true), next: Vec::new() };
                for part in parts.iter() {
                    let part = self.asked(part, choices, frame);
                    all.fits = self.and(all.fits, part.fits);
                    all.next.extend(part.next);
                }
                return all;
            }
            Formula::Or(parts) => {
                let (later, now): (Vec<&Step>, Vec<&Step>) = parts.iter().partition(|part| part.has_states());
                let mut fits = self.bool(false);
                for part in now {
                    let part = self.asked(part, choices, frame);
                    fits = self.or(fits, part.fits);
                }
                // What is so already leaves nothing to be chosen.
                let is_open = self.not(fits);
                let mut next = Vec::new();
                let chosen = self.taken(choices, width_of_choice(later.len()));
                for (position, part) in later.iter().enumerate() {
                    let is_chosen = match chosen {
                        Some(chosen) => {
                            let number = self.bits(self.width(chosen), position as u64);
                            self.eq(chosen, number)
                        }
                        None => self.bool(true),
                    };
                    let is_chosen = self.and(is_open, is_chosen);
                    let part = self.asked(part, choices, frame);
                    let given = self.and(is_chosen, part.fits);
                    fits = self.or(fits, given);
                    for (state, condition) in part.next {
                        next.push((state, self.and(is_chosen, condition)));
                    }
                }
                return Asked { fits, next };
            }
        };
        Asked { fits, next: Vec::new() }
    }

    /// The next choice.
    fn taken(&mut self, choices: &mut Choices, width: u32) -> Option<ExprId> {
        let input = choices.input.filter(|_| width > 0)?;
        let low = choices.used;
        choices.used += width;
        Some(self.slice(input, low, width))
    }
}

/// The bits of all choices in a step, in the order in which they are made.
fn choices(step: &Step) -> u32 {
    match step {
        Formula::Const(_) | Formula::Now(_) | Formula::Then(_) => 0,
        Formula::And(parts) => parts.iter().map(choices).sum(),
        Formula::Or(parts) => {
            let later: Vec<&Step> = parts.iter().filter(|part| part.has_states()).collect();
            width_of_choice(later.len()) + later.into_iter().map(choices).sum::<u32>()
        }
    }
}

/// The bits that choose one of so many.
fn width_of_choice(count: usize) -> u32 {
    count.checked_sub(1).and_then(usize::checked_ilog2).map_or(0, |log| log + 1)
}
