//! Random runs, 64 at a time: most of what can be reached at all is reached by chance.
//!
//! Runs grow from round to round, so that what is near is reached by short ones. Inputs that violate an assumption are drawn again a few times; a run that
//! stays stuck ends there. Of all runs of a round a few are kept that reach together what the round has reached (a greedy cover), and the round is gone
//! through once more to write them down.

use super::Effort;
use propcov_ir::{Edits, Lanes, PropertyId, SignalId, SignalKind, Sort, Step, System, Trace};
use std::collections::BTreeMap;

/// How many steps the runs of each round have.
const ROUNDS: [usize; 4] = [8, 32, 128, 512];
/// Expressions that are evaluated in one round, about.
const WORK: usize = 60_000_000;
/// How often inputs are drawn again.
const TRIES: usize = 12;
/// Arrays with more bits than that are not simulated.
const LARGEST: u64 = 1 << 16;

/// Runs that reach targets: each reaches one that those before it do not.
pub(super) fn runs(system: &System, targets: &[PropertyId], effort: &Effort<'_>) -> Vec<Trace> {
    let bits = system.signals().iter().map(|signal| size(&signal.sort)).sum::<u64>();
    if bits > 64 * LARGEST || system.signals().iter().any(|signal| size(&signal.sort) > LARGEST) {
        return Vec::new();
    }
    let Ok(lanes) = Lanes::new(system, &Edits::none()) else { return Vec::new() };
    let mut open: Vec<PropertyId> = targets.to_vec();
    let mut found = Vec::new();
    for (round, steps) in ROUNDS.into_iter().enumerate() {
        let steps = steps.min(WORK / system.exprs.len().max(1));
        if open.is_empty() || steps == 0 || effort.limits.exhausted(0) {
            break;
        }
        let seed = effort.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(round as u64);
        let mut hits: Vec<[u32; 64]> = vec![[u32::MAX; 64]; open.len()];
        let is_over = |step: usize| step >= steps || effort.limits.exhausted(0);
        Round::new(system, &lanes, seed).go(is_over, |step, lanes, alive| {
            for (hits, property) in hits.iter_mut().zip(&open) {
                let mut here = alive & !lanes.property(*property).unwrap_or(u64::MAX);
                while here != 0 {
                    let lane = here.trailing_zeros() as usize;
                    hits[lane] = hits[lane].min(step as u32);
                    here &= here - 1;
                }
            }
        });
        let chosen = cover(&hits);
        found.extend(Round::new(system, &lanes, seed).traces(&chosen));
        let mut hits = hits.iter();
        open.retain(|_| hits.next().is_some_and(|hits| hits.iter().all(|step| *step == u32::MAX)));
    }
    found
}

/// How many bits a value has, about.
fn size(sort: &Sort) -> u64 {
    match sort {
        Sort::BitVec(width) => u64::from(*width),
        Sort::Array(array) => match &array.index {
            Sort::BitVec(width) => {
                1_u64.checked_shl(*width).unwrap_or(u64::MAX).saturating_mul(size(&array.element))
            }
            _ => u64::MAX,
        },
        _ => 64,
    }
}

/// Lanes that together reach all that any lane reaches, those first that reach most; each with its last step that is needed.
fn cover(hits: &[[u32; 64]]) -> Vec<(u32, usize)> {
    let mut open: Vec<&[u32; 64]> =
        hits.iter().filter(|hits| hits.iter().any(|step| *step != u32::MAX)).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let worth = |lane: usize| {
            let steps = open.iter().map(|hits| hits[lane]).filter(|step| *step != u32::MAX);
            (steps.clone().count(), std::cmp::Reverse(steps.max()))
        };
        let Some(best) = (0..64).rev().max_by_key(|lane| worth(*lane)) else { break };
        let (mine, others): (Vec<&[u32; 64]>, Vec<&[u32; 64]>) =
            open.into_iter().partition(|hits| hits[best] != u32::MAX);
        let last = mine.iter().map(|hits| hits[best]).max().unwrap_or(0);
        chosen.push((best as u32, last as usize));
        open = others;
    }
    chosen
}

/// 64 runs, the same for the same seed.
struct Round<'r> {
    system: &'r System,
    lanes: Lanes,
    random: fastrand::Rng,
    /// States that start anywhere, and states that go anywhere.
    without_init: Vec<SignalId>,
    without_next: Vec<SignalId>,
}

impl<'r> Round<'r> {
    fn new(system: &'r System, lanes: &Lanes, seed: u64) -> Round<'r> {
        let open = |is_open: fn(&SignalKind) -> bool| {
            system.states().iter().copied().filter(|state| is_open(&system.signal(*state).kind)).collect()
        };
        Round {
            system,
            lanes: lanes.clone(),
            random: fastrand::Rng::with_seed(seed),
            without_init: open(|kind| matches!(kind, SignalKind::State { init: None, .. })),
            without_next: open(|kind| matches!(kind, SignalKind::State { next: None, .. })),
        }
    }

    /// Goes on until it is over, or no run is left. Whoever looks is told which runs are still there.
    fn go(mut self, is_over: impl Fn(usize) -> bool, mut look: impl FnMut(usize, &Lanes, u64)) {
        let mut alive = self.start();
        for step in 0.. {
            if alive == 0 || is_over(step) {
                return;
            }
            look(step, &self.lanes, alive);
            for state in &self.without_next {
                self.lanes.successor_mut(*state).iter_mut().for_each(|word| *word = self.random.u64(..));
            }
            alive &= self.lanes.transition();
            self.lanes.advance();
            alive &= self.draw_inputs(alive);
        }
    }

    fn start(&mut self) -> u64 {
        let mut fine = 0;
        for _ in 0..TRIES {
            self.fill(&self.without_init.clone(), fine);
            self.fill(&self.system.inputs().to_vec(), fine);
            fine = self.lanes.reset() & self.lanes.always() & self.lanes.meaningful();
            if fine == u64::MAX {
                break;
            }
        }
        fine
    }

    /// Draws inputs until all runs of the mask satisfy the assumptions, as far as that is to be had.
    fn draw_inputs(&mut self, wanted: u64) -> u64 {
        let inputs = self.system.inputs().to_vec();
        let mut fine = 0;
        for _ in 0..TRIES {
            self.fill(&inputs, fine);
            self.lanes.evaluate();
            fine = self.lanes.always() & self.lanes.meaningful();
            if fine & wanted == wanted {
                break;
            }
        }
        fine
    }

    /// Draws values in all lanes but these. A quarter of the lanes likes zeros, a quarter ones, and a quarter keeps what it has.
    fn fill(&mut self, signals: &[SignalId], but: u64) {
        const ZEROS: u64 = 0xffff << 16;
        const ONES: u64 = 0xffff << 32;
        const KEEPS: u64 = 0xffff << 48;
        for signal in signals {
            let keeps = KEEPS & self.random.u64(..) & self.random.u64(..);
            for word in self.lanes.leaf_mut(*signal) {
                let [even, rare, often] = [
                    self.random.u64(..),
                    self.random.u64(..) & self.random.u64(..),
                    self.random.u64(..) | self.random.u64(..),
                ];
                let new = even & !(ZEROS | ONES) | even & rare & ZEROS | (even | often) & ONES;
                let old = but | keeps;
                *word = *word & old | new & !old;
            }
        }
    }

    /// The runs of these lanes, each up to a step.
    fn traces(self, chosen: &[(u32, usize)]) -> Vec<Trace> {
        let Some(last) = chosen.iter().map(|(_, last)| *last).max() else { return Vec::new() };
        let system = self.system;
        let mut traces: Vec<Trace> = chosen.iter().map(|_| Trace::default()).collect();
        self.go(
            |step| step > last,
            |step, lanes, _| {
                for (trace, (lane, last)) in traces.iter_mut().zip(chosen) {
                    let values = |signals: &[SignalId]| {
                        signals
                            .iter()
                            .map(|signal| lanes.value(*signal, *lane).ok())
                            .collect::<Option<Vec<_>>>()
                    };
                    if step <= *last
                        && let (Some(inputs), Some(states)) =
                            (values(system.inputs()), values(system.states()))
                    {
                        trace.steps.push(Step { inputs, states, free: BTreeMap::new() });
                    }
                }
            },
        );
        traces
    }
}
