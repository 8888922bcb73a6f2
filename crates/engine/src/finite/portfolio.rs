//! Several engines side by side on two threads; the first answer counts, and which one is first does not depend on luck.
//!
//! Seconds differ from run to run, so the race is run on a clock of solver ticks, which do not. An engine that answers
//! at some time limits the others to that time: one that would have answered earlier on that clock still gets the chance, the
//! rest stop. Engines share nothing, so each behaves as if it were alone, and the winner is the same on every machine.
//! Only a timeout, which is in seconds, can change what is reported, and then to "unknown".
//!
//! IC3 has a thread of its own; the engines that unroll take turns on the other, the one whose clock is behind first. The
//! faster an engine's clock, the less it gets to run and the sooner it gives way. The paces are chosen such that all clocks
//! show about the same at the same second: then nobody waits for the others when somebody has won.

use super::{Answer, Problem};
use crate::limits::{Limits, Observer, Stats};
use crate::turnstile::{Turn, Turnstile};
use crate::{Config, ENGINES, Engine};
use propcov_budget::Interrupt;
use propcov_ir::UnknownReason;
use std::sync::Arc;

/// An engine in the race.
struct Racer {
    engine: &'static str,
    /// The thread it runs on.
    lane: usize,
    /// Clock time per tick.
    pace: u64,
}

/// The race. IC3 makes 12 to 17 million ticks a second; the other two, which share a thread, 5 to 13 between them.
const RACERS: &[Racer] = &[
    Racer { engine: "ic3", lane: 0, pace: 1 },
    Racer { engine: "kinduction", lane: 1, pace: 3 },
    Racer { engine: "interpolation", lane: 1, pace: 8 },
];

/// What one racer came back with.
struct Finish {
    engine: &'static str,
    answer: Answer,
    stats: Stats,
    /// What its clock showed.
    time: u64,
}

/// Decides a problem with all engines that can prove.
pub(crate) fn race(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> (Answer, &'static str, Stats) {
    let racers: Vec<(&Racer, &Engine)> = RACERS
        .iter()
        .filter_map(|racer| Some((racer, ENGINES.iter().find(|engine| engine.name == racer.engine)?)))
        .collect();
    let ticks = limits.interrupt.tick_limit();
    let interrupts: Vec<Interrupt> = racers
        .iter()
        .map(|(racer, _)| {
            let own = limits.interrupt.child();
            own.limit_ticks(if ticks == u64::MAX { ticks } else { ticks / racer.pace });
            own
        })
        .collect();
    let turnstile = Arc::new(Turnstile::new(racers.iter().map(|(racer, _)| racer.lane).collect()));
    let run = |index: usize| {
        let (racer, engine) = racers[index];
        let turn = Turn::first(&turnstile, index, racer.pace);
        let _place = turn.place();
        let own = Limits { interrupt: interrupts[index].clone(), turn: Some(turn), ..limits.clone() };
        let mut stats = Stats::default();
        let answer = (engine.finite)(problem, config, &own, observer, &mut stats);
        let time = stats.ticks.saturating_mul(racer.pace);
        if !matches!(answer, Answer::Unknown(_)) {
            for (interrupt, (other, _)) in interrupts.iter().zip(&racers) {
                interrupt.limit_ticks(time / other.pace);
            }
        }
        Finish { engine: engine.name, answer, stats, time }
    };
    let finishes: Vec<Finish> = std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..racers.len()).map(|index| scope.spawn(move || run(index))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    judge(limits, &finishes)
}

/// The earliest answer; the earlier racer wins a draw.
fn judge(limits: &Limits, finishes: &[Finish]) -> (Answer, &'static str, Stats) {
    let decided = |finish: &&Finish| !matches!(finish.answer, Answer::Unknown(_));
    if let Some(winner) = finishes.iter().filter(decided).min_by_key(|finish| finish.time) {
        // Only the winner's work: how far the others got depends on the machine.
        return (winner.answer.clone(), winner.engine, winner.stats.clone());
    }
    let mut stats = Stats::default();
    finishes.iter().for_each(|finish| stats.merge(&finish.stats));
    // Nobody knows. The deepest bound says most; without one, why there is none.
    let bound = finishes
        .iter()
        .filter_map(|finish| match &finish.answer {
            Answer::Unknown(UnknownReason::Bounded(depth)) => Some(*depth),
            _ => None,
        })
        .max();
    let reason = bound.map_or_else(|| limits.reason(), UnknownReason::Bounded);
    (Answer::Unknown(reason), "portfolio", stats)
}
