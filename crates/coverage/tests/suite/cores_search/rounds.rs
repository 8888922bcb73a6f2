//! Sets that take more effort than others: who gets little effort in the first round, and more in later ones, finds the same as who got all effort at once.

use super::function::{Function, Habits, Machine};
use super::statements::{Heard, check, check_exact};
use super::{GOALS, fail, ways};
use propcov_coverage::cores::{Judge, Judgement, Start, search};
use propcov_ir::{ElementSet, UnknownReason};
use propcov_testkit::{Random, seeds};

/// A judge that has answers for most sets in later rounds only.
struct Slow<'a> {
    machine: Machine<'a>,
    function: &'a Function,
    seed: u64,
    /// The rounds in which a set is worth more effort than in the one before.
    rounds: u32,
    round: u32,
    /// Rounds that were begun.
    begun: Vec<u32>,
    /// Questions without an answer for lack of effort.
    postponed: usize,
}

impl<'a> Slow<'a> {
    fn new(function: &'a Function, habits: Habits, rounds: u32) -> Slow<'a> {
        let machine = Machine::new(function, habits);
        // Until somebody speaks of rounds, there is all the effort that there is.
        Slow {
            machine,
            function,
            seed: habits.seed,
            rounds,
            round: u32::MAX,
            begun: Vec::new(),
            postponed: 0,
        }
    }

    /// The first round in which there is an answer for a set.
    fn effort(&self, set: &ElementSet) -> u32 {
        let mask = u64::from(self.function.mask(set));
        Random::new(self.seed ^ mask << 20 ^ 0x5eed).below(self.rounds as usize + 1) as u32
    }
}

impl Judge for Slow<'_> {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        if self.effort(kept) > self.round {
            self.postponed += 1;
            return Judgement::Unknown(UnknownReason::Effort);
        }
        self.machine.judge(kept)
    }

    fn set_round(&mut self, round: u32) -> bool {
        self.begun.push(round);
        self.round = round;
        round < self.rounds
    }

    fn width(&self) -> usize {
        self.machine.width()
    }

    fn prefers_small(&self) -> bool {
        self.seed.is_multiple_of(3)
    }

    fn is_over(&self) -> bool {
        self.machine.is_over()
    }
}

#[test]
fn what_takes_more_effort_is_found_in_a_later_round() {
    let mut later = 0;
    for seed in seeds(2000, 950_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits::random(&mut random);
        let rounds = random.between(0, 4) as u32;
        for way in ways() {
            let mut judge = Slow::new(&function, habits, rounds);
            let mut heard = Heard::default();
            let found = search(&mut judge, &function.universe(), way.0, way.1, &Start::default(), &mut heard);
            let outcome =
                check(&function, &found, &heard).and_then(|()| check_exact(&function, way, &found, &heard));
            let in_order = judge.begun.iter().copied().eq(0..judge.begun.len() as u32);
            let outcome = outcome.and_then(|()| match (way.1, in_order) {
                (None, false) if way.0 != super::Goal::One => Err(format!("rounds {:?}", judge.begun)),
                (None, _) => Ok(()),
                // Those of the thesis know of no rounds: everything has an answer at once.
                (Some(_), _) if judge.postponed == 0 => Ok(()),
                (Some(_), _) => Err("a named algorithm was given little effort".to_owned()),
            });
            if let Err(problem) = outcome {
                fail(seed, &function, &format!("{way:?}, {habits:?}, {rounds} rounds"), &problem);
            }
            later += usize::from(judge.begun.len() > 1);
        }
    }
    assert!(later > 1000, "only {later} searches took more than one round");
}

#[test]
fn a_search_in_rounds_that_is_stopped_or_has_no_answers_leaves_only_true_statements() {
    for seed in seeds(1000, 955_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits { unknown: random.between(0, 40), ..Habits::random(&mut random) };
        let rounds = random.between(1, 4) as u32;
        for goal in GOALS {
            let mut judge = Slow::new(&function, habits, rounds);
            if random.percent(50) {
                judge.machine.stop_after = random.below(20);
            }
            let mut heard = Heard::default();
            let found = search(&mut judge, &function.universe(), goal, None, &Start::default(), &mut heard);
            let outcome = check(&function, &found, &heard).and_then(|()| {
                match judge.machine.refused.get() && !found.stopped {
                    true => Err("it does not say that it was stopped".to_owned()),
                    false => Ok(()),
                }
            });
            if let Err(problem) = outcome {
                fail(seed, &function, &format!("{goal:?}, {habits:?}, {rounds} rounds"), &problem);
            }
            assert!(judge.begun.len() <= rounds as usize + 1, "seed {seed}: {:?}", judge.begun);
        }
    }
}
