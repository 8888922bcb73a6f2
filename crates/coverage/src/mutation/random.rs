//! Random runs: most of those who can be killed at all die here.
//!
//! Every other one is not quite random. It begins like a run that killed somebody, perhaps with some inputs changed, and goes on at random: who is killed in the same corner of the
//! design is often killed by a similar run. Runs that solvers find are varied in this way at once. Where assumptions end random runs soon, a solver [makes](super::legal) runs
//! that satisfy them.

use super::Technique;
use super::legal::Legal;
use super::pursuit::Pursuit;
use super::simulate::LANES;
use propcov_solve::{BitStep, BitTrace, Init};

/// How long a random run is. Nothing killed by so many in a row: enough, if what the proof took is worth no more.
const LENGTH: usize = 64;
const IDLE: usize = 4;

/// Machine words that random simulation may compute: so many for each tick of the proof, and so many at most.
const WORDS_PER_TICK: u64 = 1;
const MOST_WORDS: u64 = 60_000_000;

/// What a step costs at least: one has to be made up.
const LEAST_COST: u64 = 64;

/// Of those words, each mutant that was killed gives so many back.
const WORTH: u64 = 4_000_000;

/// So many random runs show how long they last; if half of them end before so many steps, others are made. The average would say nothing: one run whose inputs happen to
/// stay where nothing is assumed lasts for ever, and tests nothing.
const SAMPLES: usize = 8;
const SHORT: usize = 4;

/// So many variations of a run that a solver found, as long as they kill nobody.
const VARIATIONS: usize = 2;

/// When to stop.
struct Patience {
    /// Runs in a row that killed nobody.
    idle: usize,
    /// Machine words so far.
    words: u64,
    /// As many as the proof is worth.
    enough: u64,
}

impl Patience {
    fn new(unit: u64) -> Patience {
        Patience { idle: 0, words: 0, enough: unit.saturating_mul(WORDS_PER_TICK) }
    }

    fn is_over(&self) -> bool {
        self.words >= MOST_WORDS || (self.idle >= IDLE && self.words >= self.enough)
    }
}

impl Pursuit<'_, '_, '_> {
    /// What killed mutants for other properties, or in an earlier run; then random runs.
    pub(crate) fn simulate(&mut self) {
        let mut patience = Patience::new(self.unit());
        for stimulus in self.session.stimuli() {
            let (netlist, system) = (&self.family.problem.netlist, self.session.system);
            let Ok(stimulus) = BitTrace::of_stimulus(netlist, system, &stimulus) else { continue };
            if !self.goes_on(&stimulus, &mut patience) {
                break;
            }
        }
        let mut patience = Patience::new(self.unit());
        let is_stuck = self.is_chance_stuck();
        for round in 0.. {
            let stimulus = match round % 2 {
                _ if is_stuck => {
                    patience.words += self.simulator().cost() * LENGTH as u64;
                    self.legal_stimulus()
                }
                1 if !self.state.killers.is_empty() => {
                    let killer = self.state.random.usize(0..self.state.killers.len());
                    let killer = self.state.killers[killer].clone();
                    self.varied(&killer)
                }
                _ => self.random_stimulus(round),
            };
            if !self.goes_on(&stimulus, &mut patience) {
                break;
            }
        }
    }

    /// Whether random runs violate assumptions so soon that others have to be made.
    fn is_chance_stuck(&mut self) -> bool {
        if self.family.problem.netlist.constraints.is_empty() {
            return false;
        }
        let mut ended = 0;
        for round in 0..SAMPLES {
            let stimulus = self.random_stimulus(round);
            ended += usize::from(self.simulator().lasts(&stimulus) < SHORT);
        }
        2 * ended >= SAMPLES
    }

    /// A run that satisfies the assumptions.
    fn legal_stimulus(&mut self) -> BitTrace {
        let (family, seed, budget) = (self.family, self.session.options.seed, self.session.budget());
        let mut legal = self.state.legal.take().unwrap_or_else(|| Legal::new(family, seed));
        let mut random = self.state.random.clone();
        let run = legal.run(self.simulator(), &mut random, LENGTH, &budget);
        (self.state.legal, self.state.random) = (Some(legal), random);
        run
    }

    /// Tries a run on everybody who is undecided, unless there is nobody or no patience left.
    fn goes_on(&mut self, stimulus: &BitTrace, patience: &mut Patience) -> bool {
        let undecided = self.undecided().len();
        if undecided == 0 || patience.is_over() || self.session.is_over() {
            return false;
        }
        let step = self.simulator().cost().max(LEAST_COST) * undecided.div_ceil(LANES) as u64;
        patience.words += step * stimulus.steps.len().max(1) as u64;
        let killed = self.spread(stimulus, Technique::Simulation);
        patience.idle = if killed > 0 { 0 } else { patience.idle + 1 };
        patience.words = patience.words.saturating_sub(killed as u64 * WORTH);
        true
    }

    /// Runs that are similar to one that killed somebody, as long as they kill others.
    pub(crate) fn vary(&mut self, killer: &BitTrace) {
        let mut idle = 0;
        while idle < VARIATIONS && !self.undecided().is_empty() && !self.session.is_over() {
            let stimulus = self.varied(killer);
            let killed = self.spread(&stimulus, Technique::Simulation);
            idle = if killed > 0 { 0 } else { idle + 1 };
        }
    }

    /// A run that begins like this one and goes on at random, with some inputs changed on the way.
    fn varied(&mut self, killer: &BitTrace) -> BitTrace {
        let mut steps = self.random_stimulus(1).steps;
        let random = &mut self.state.random;
        let kept = random.usize(0..=killer.steps.len());
        let rate = [0, 0, 8, 32][random.usize(0..4)];
        for (step, old) in steps.iter_mut().zip(&killer.steps[..kept]) {
            for (input, old) in step.inputs.iter_mut().zip(&old.inputs) {
                *input = *old ^ (rate > 0 && random.usize(0..rate) == 0);
            }
        }
        if let (Some(first), Some(old)) = (steps.first_mut(), killer.steps.first()) {
            first.latches.clone_from(&old.latches);
        }
        BitTrace { steps }
    }

    /// Inputs that are random, biased, or hold their value for a while: each is of one of these kinds throughout the run.
    fn random_stimulus(&mut self, round: usize) -> BitTrace {
        let netlist = &self.family.problem.netlist;
        let random = &mut self.state.random;
        let kinds: Vec<u8> =
            netlist.inputs.iter().map(|_| if round == 0 { 0 } else { random.u8(0..6) }).collect();
        let latches = netlist
            .latches
            .iter()
            .map(|latch| match latch.init {
                Init::Const(value) => value,
                Init::Free => random.bool(),
            })
            .collect::<Vec<bool>>();
        let mut inputs: Vec<bool> = netlist.inputs.iter().map(|_| random.bool()).collect();
        let steps = (0..LENGTH).map(|_| {
            for (input, kind) in inputs.iter_mut().zip(&kinds) {
                *input = match kind {
                    0 | 1 => random.bool(),
                    2 => random.u8(0..8) == 0,
                    3 => random.u8(0..8) != 0,
                    _ => *input ^ (random.u8(0..8) == 0),
                };
            }
            BitStep { latches: latches.clone(), inputs: inputs.clone() }
        });
        BitTrace { steps: steps.collect() }
    }
}
