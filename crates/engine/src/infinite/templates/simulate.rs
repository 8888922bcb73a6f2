//! Samples of reachable steps: random runs, and runs that a solver found.
//!
//! Inputs are drawn again until constraints hold and, for most runs, until the guards do under which properties promise something: otherwise a property that
//! speaks about well-behaved environments only would say nothing about almost all samples.

use super::pool::Pool;
use super::program::{Program, Range};
use super::small::Small;
use crate::infinite::Problem;
use propcov_ir::{
    ConstraintId, ConstraintKind, Definition, ExprId, SignalId, SignalKind, Site, Step, Trace, Value,
};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// How often inputs of a step are drawn.
const ATTEMPTS: usize = 12;

/// The values of Booleans and numbers in reachable steps, without repetition.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// How many there are.
    pub(super) rows: usize,
    /// For each Boolean, whether it holds, 64 rows a word.
    pub(super) booleans: Vec<Vec<u64>>,
    /// The values of each number.
    pub(super) numbers: Vec<Vec<Small>>,
    seen: FxHashSet<u64>,
}

impl Samples {
    fn push(&mut self, booleans: impl Iterator<Item = bool>, numbers: impl Iterator<Item = Small>) {
        let booleans: Vec<bool> = booleans.collect();
        let numbers: Vec<Small> = numbers.collect();
        let mut hasher = FxHasher::default();
        (&booleans, &numbers).hash(&mut hasher);
        if !self.seen.insert(hasher.finish()) {
            return;
        }
        let (word, bit) = (self.rows / 64, self.rows % 64);
        for (column, value) in self.booleans.iter_mut().zip(booleans) {
            if column.len() <= word {
                column.push(0);
            }
            column[word] |= u64::from(value) << bit;
        }
        for (column, value) in self.numbers.iter_mut().zip(numbers) {
            column.push(value);
        }
        self.rows += 1;
    }

    /// All rows.
    pub(super) fn all(&self) -> Vec<u64> {
        let mut words = vec![u64::MAX; self.rows.div_ceil(64)];
        if let (Some(last), rest @ 1..) = (words.last_mut(), self.rows % 64) {
            *last = (1 << rest) - 1;
        }
        words
    }
}

/// Where something is in both programs.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: usize,
    later: usize,
}

impl Place {
    fn at(self, first: bool) -> usize {
        if first { self.first } else { self.later }
    }
}

/// Runs a system.
#[derive(Debug)]
pub(super) struct Simulator {
    first: Program,
    later: Program,
    constraints: Vec<Place>,
    initial: Vec<usize>,
    wanted: Vec<Place>,
    /// What states are next; `None` where it is any value.
    next: Vec<(SignalId, Option<Place>)>,
    booleans: Vec<Place>,
    numbers: Vec<Place>,
    /// What is drawn in the first step, and in later ones.
    drawn: [Vec<(SignalId, Range)>; 2],
    constants: Vec<Small>,
    signals: usize,
    values: Vec<Small>,
    random: Random,
    has_functions: bool,
}

impl Simulator {
    /// A simulator that watches what the pool has, which loses what cannot be simulated. `None` when constraints cannot be.
    pub(super) fn new(problem: &mut Problem<'_>, pool: &mut Pool) -> Option<Simulator> {
        let mut programs = [Program::new(true), Program::new(false)];
        let mut add = |problem: &Problem<'_>, expr: ExprId| {
            let [first, later] = &mut programs;
            Some(Place { first: first.add(problem, expr)?, later: later.add(problem, expr)? })
        };
        let mut constraints = Vec::new();
        let mut initial = Vec::new();
        for (index, constraint) in problem.system.constraints().iter().enumerate() {
            let site = Site::Constraint(ConstraintId(index as u32));
            let Some(expr) = definition(problem, site) else { continue };
            let place = add(problem, expr)?;
            match constraint.kind {
                ConstraintKind::Always => constraints.push(place),
                ConstraintKind::Initial => initial.push(place.first),
                ConstraintKind::Transition => return None,
            }
        }
        let mut booleans = Vec::new();
        let (mut key, mut plain) = (pool.key_booleans, pool.plain_booleans);
        let mut position = 0;
        pool.booleans.retain(|expr| {
            let place = add(problem, *expr);
            if place.is_none() {
                key -= usize::from(position < pool.key_booleans);
                plain -= usize::from(position < pool.plain_booleans);
            }
            position += 1;
            booleans.extend(place);
            place.is_some()
        });
        (pool.key_booleans, pool.plain_booleans) = (key, plain);
        let mut numbers = Vec::new();
        let mut key = pool.key_numbers;
        let mut position = 0;
        pool.numbers.retain(|term| {
            let place = add(problem, term.expr);
            key -= usize::from(place.is_none() && position < pool.key_numbers);
            position += 1;
            numbers.extend(place);
            place.is_some()
        });
        pool.key_numbers = key;
        let wanted = pool.guards.iter().filter_map(|guard| add(problem, *guard)).collect();
        let [first, later] = programs;
        let mut simulator = Simulator {
            first,
            later,
            constraints,
            initial,
            wanted,
            next: Vec::new(),
            booleans,
            numbers,
            drawn: [Vec::new(), Vec::new()],
            constants: pool.constants.clone(),
            signals: problem.system.signals().len(),
            values: Vec::new(),
            random: Random(0x1234_5678_9abc_def1),
            has_functions: false,
        };
        simulator.close(problem)?;
        Some(simulator)
    }

    /// Adds what states are next, until no more states are read.
    fn close(&mut self, problem: &mut Problem<'_>) -> Option<()> {
        let mut seen = FxHashSet::default();
        let mut done = [0, 0];
        while done != [self.first.leaves.len(), self.later.leaves.len()] {
            let fresh: Vec<SignalId> =
                self.first.leaves[done[0]..].iter().chain(&self.later.leaves[done[1]..]).copied().collect();
            done = [self.first.leaves.len(), self.later.leaves.len()];
            for signal in fresh {
                if seen.insert(signal)
                    && matches!(problem.system.signal(signal).kind, SignalKind::State { .. })
                {
                    let place = match definition(problem, Site::Next(signal)) {
                        None => None,
                        Some(next) => Some(Place {
                            first: self.first.add(problem, next)?,
                            later: self.later.add(problem, next)?,
                        }),
                    };
                    self.next.push((signal, place));
                }
            }
        }
        let range = |signal: &SignalId| Some((*signal, Range::of(&problem.system.signal(*signal).sort)?));
        let has_next =
            |signal: &SignalId| self.next.iter().any(|(state, next)| state == signal && next.is_some());
        self.drawn[0] = self.first.leaves.iter().filter_map(range).collect();
        self.drawn[1] =
            self.later.leaves.iter().filter(|signal| !has_next(signal)).filter_map(range).collect();
        let functions = |(_, range): &(SignalId, Range)| *range == Range::Function;
        self.has_functions = self.drawn[0].iter().chain(&self.drawn[1]).any(functions);
        Some(())
    }

    /// No samples yet, with room for what is watched.
    pub(super) fn samples(&self) -> Samples {
        Samples {
            booleans: vec![Vec::new(); self.booleans.len()],
            numbers: vec![Vec::new(); self.numbers.len()],
            ..Samples::default()
        }
    }

    /// Random runs. Returns how many steps were simulated.
    pub(super) fn explore(&mut self, runs: usize, length: usize, samples: &mut Samples) -> u64 {
        let mut work = 0;
        for run in 0..runs {
            let mut leaves = vec![Small::ZERO; self.signals];
            work += self.go_on(&mut leaves, true, length, run, samples);
        }
        work
    }

    /// Goes on from a step whose states are known, with inputs drawn at random.
    fn go_on(
        &mut self,
        leaves: &mut Vec<Small>,
        mut first: bool,
        length: usize,
        style: usize,
        samples: &mut Samples,
    ) -> u64 {
        let mut work = 0;
        for _ in 0..length {
            let mut accepted = None;
            let before = leaves.clone();
            for attempt in 0..ATTEMPTS {
                work += 1;
                leaves.clone_from(&before);
                self.draw(leaves, first, style, attempt);
                if !self.evaluate(leaves, first) {
                    continue;
                }
                let is_wanted =
                    style % 4 == 3 || self.wanted.iter().all(|place| self.values[place.at(first)].is_true());
                if is_wanted {
                    accepted = None;
                    break;
                }
                accepted = Some(leaves.clone());
                self.values.clear();
            }
            if let Some(other) = accepted {
                *leaves = other;
                if !self.evaluate(leaves, first) {
                    return work;
                }
            }
            if self.values.is_empty() {
                return work;
            }
            self.record(first, samples);
            self.advance(leaves, first);
            first = false;
        }
        work
    }

    /// Computes a step. Whether it can be computed and constraints hold.
    fn evaluate(&mut self, leaves: &[Small], first: bool) -> bool {
        let program = if first { &self.first } else { &self.later };
        let fine = program.run(leaves, &mut self.values).is_some()
            && self.constraints.iter().all(|place| self.values[place.at(first)].is_true())
            && (!first || self.initial.iter().all(|slot| self.values[*slot].is_true()));
        if !fine {
            self.values.clear();
        }
        fine
    }

    fn record(&self, first: bool, samples: &mut Samples) {
        let value = |place: &Place| self.values[place.at(first)];
        samples
            .push(self.booleans.iter().map(|place| value(place).is_true()), self.numbers.iter().map(value));
    }

    fn advance(&self, leaves: &mut [Small], first: bool) {
        for (state, place) in &self.next {
            if let Some(place) = place {
                leaves[state.0 as usize] = self.values[place.at(first)];
            }
        }
    }

    /// Draws inputs, and in the first step what states start with. The more attempts failed, the more stays as it was in the step before.
    fn draw(&mut self, leaves: &mut [Small], first: bool, style: usize, attempt: usize) {
        let drawn = &self.drawn[usize::from(!first)];
        let booleans = drawn.iter().filter(|(_, range)| *range == Range::Bool).count() as u64;
        let change = if attempt + 1 == ATTEMPTS {
            return;
        } else if attempt * 2 >= ATTEMPTS {
            drawn.len() as u64
        } else {
            1 + u64::from(style % 3 == 2)
        };
        for (signal, range) in drawn {
            let value = &mut leaves[signal.0 as usize];
            if self.random.below(change) != 0 {
                continue;
            }
            *value = match range {
                Range::Bool => Small::bool(match style % 4 {
                    1 => self.random.below(2) == 0,
                    3 => self.random.below(4) == 0,
                    _ => self.random.below(booleans.max(2)) == 0,
                }),
                Range::Variants(count) => Small::int(self.random.below(u64::from(*count)) as i64),
                Range::Int => draw_number(&mut self.random, &self.constants, *value).floor(),
                Range::Real => draw_number(&mut self.random, &self.constants, *value),
                Range::Function => Small::int(self.random.below(1 << 30) as i64),
            };
        }
    }

    /// Records the steps of a run, and some that follow it. Returns how many.
    pub(super) fn replay(
        &mut self,
        problem: &Problem<'_>,
        trace: &Trace,
        further: usize,
        samples: &mut Samples,
    ) -> u64 {
        if self.has_functions {
            return 0;
        }
        let mut leaves = vec![Small::ZERO; self.signals];
        for (at, step) in trace.steps.iter().enumerate() {
            if assign(problem, step, &mut leaves).is_none() || !self.evaluate(&leaves, at == 0) {
                return at as u64;
            }
            self.record(at == 0, samples);
            self.advance(&mut leaves, at == 0);
        }
        trace.steps.len() as u64 + self.go_on(&mut leaves, false, further, 0, samples)
    }

    /// Runs that start like a given one, or almost. Returns how many steps were simulated.
    pub(super) fn vary(
        &mut self,
        problem: &Problem<'_>,
        trace: &Trace,
        runs: usize,
        length: usize,
        samples: &mut Samples,
    ) -> u64 {
        let mut leaves = vec![Small::ZERO; self.signals];
        let Some(step) = trace.steps.first().filter(|_| !self.has_functions) else { return 0 };
        if assign(problem, step, &mut leaves).is_none() {
            return 0;
        }
        (0..runs).map(|run| self.go_on(&mut leaves.clone(), true, length, run, samples)).sum()
    }
}

/// Gives inputs, states and freed wires the values of a step. `None` when one is too big.
fn assign(problem: &Problem<'_>, step: &Step, leaves: &mut [Small]) -> Option<()> {
    let system = problem.system;
    let inputs = system.inputs().iter().copied().zip(&step.inputs);
    let states = system.states().iter().copied().zip(&step.states);
    let free = step.free.iter().filter_map(|(element, value)| match system.element(*element).site {
        Site::Wire(wire) => Some((wire, value)),
        _ => None,
    });
    for (signal, value) in inputs.chain(states).chain(free) {
        if !matches!(value, Value::Array(_)) {
            leaves[signal.0 as usize] = Small::of(value)?;
        }
    }
    Some(())
}

/// What a definition says, as an expression.
fn definition(problem: &mut Problem<'_>, site: Site) -> Option<ExprId> {
    match problem.system.definition(problem.edits, site) {
        Definition::Open => None,
        Definition::Expr(expr) => Some(expr),
        Definition::Inverted(expr) => Some(problem.exprs.not(expr)),
        Definition::Const(value) => Some(problem.exprs.constant(value.clone())),
    }
}

fn draw_number(random: &mut Random, constants: &[Small], before: Small) -> Small {
    let drawn = match random.below(8) {
        0 | 1 => constants.get(random.below(constants.len().max(1) as u64) as usize).copied(),
        2 => before.plus(Small::ONE),
        3 => before.minus(Small::ONE),
        4 => Some(Small::int(random.below(200) as i64 - 100)),
        5 => Some(Small::ZERO),
        _ => Some(Small::int(random.below(12) as i64 - 2)),
    };
    drawn.unwrap_or(Small::ZERO)
}

/// A xorshift generator: the same samples in every run.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit.max(1)
    }
}
