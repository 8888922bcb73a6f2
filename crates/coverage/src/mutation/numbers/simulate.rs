//! Runs in exact arithmetic: random ones, those that killed somebody, and small variations of these, on every mutant that is left.
//!
//! A run is worth what it takes to evaluate it, so work is counted in expressions. Random inputs keep to the assumptions as far as a few attempts in each step get; a run that gets
//! no further ends there. What a freed element does is drawn as inputs are.

use super::Pursuit;
use crate::mutation::Technique;
use crate::mutation::session::Session;
use dashu_int::IBig;
use propcov_ir::{
    ConstraintKind, Edits, ExprId, Interpreter, Kill, Mutant, Mutation, Node, PropertyId, SignalId,
    SignalKind, Site, Sort, Step, Stimulus, System, Value,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many steps random runs have.
const LENGTHS: [usize; 6] = [4, 8, 16, 6, 24, 12];

/// How often inputs of a step are drawn until they keep to the assumptions.
const ATTEMPTS: usize = 12;

/// The work of random runs, and of all other runs, in expressions evaluated.
const RANDOM_WORK: u64 = 1_500_000;
const OTHER_WORK: u64 = 6_000_000;

/// How often a freed element is given other values under the same inputs.
const VALUES: usize = 2;

/// Makes runs of one system, and tries them.
pub(super) struct Simulator {
    good: ExprId,
    /// Numbers that occur in the system, and their neighbours.
    numbers: Vec<i64>,
    random: fastrand::Rng,
    /// Work of random runs, and of others.
    spent: [u64; 2],
}

impl Simulator {
    /// `None` for a property that is no invariant.
    pub(super) fn new(system: &System, property: PropertyId, seed: u64) -> Option<Simulator> {
        let good = system.invariant(property)?;
        let mut numbers: Vec<i64> = vec![-1, 0, 1, 2];
        for expr in (0..system.exprs.len() as u32).map(ExprId) {
            let Node::Const(value) = system.exprs.node(expr) else { continue };
            let number = match value.as_ref() {
                Value::Int(value) => i64::try_from(value.clone()).ok(),
                Value::Real(value) => i64::try_from(value.floor()).ok(),
                _ => None,
            };
            if let Some(number) = number {
                numbers.extend([number.saturating_sub(1), number, number.saturating_add(1)]);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        Some(Simulator { good, numbers, random: fastrand::Rng::with_seed(seed), spent: [0, 0] })
    }

    fn draw(&mut self, sort: &Sort, before: Option<&Value>) -> Value {
        if let Some(before) = before
            && self.random.u8(0..3) == 0
        {
            return before.clone();
        }
        let number = match (self.random.u8(0..4), before) {
            (0, Some(Value::Int(before))) => before + IBig::from(self.random.i64(-1..=1)),
            (0 | 1, _) => IBig::from(self.random.i64(-4..12)),
            _ => IBig::from(self.numbers[self.random.usize(0..self.numbers.len())]),
        };
        match sort {
            Sort::BitVec(1) => Value::bool(self.random.bool()),
            Sort::Int => Value::Int(number),
            Sort::Real => {
                let number = dashu_ratio::RBig::from(number);
                Value::Real(if self.random.u8(0..4) == 0 { number / IBig::from(2) } else { number })
            }
            Sort::Enum(of) => Value::Enum(of.clone(), self.random.u32(0..of.variants.len().max(1) as u32)),
            Sort::BitVec(_) | Sort::Array(_) => Value::zero(sort),
        }
    }

    fn draw_all(&mut self, system: &System, signals: &[SignalId], before: Option<&[Value]>) -> Vec<Value> {
        let draw = |(at, signal): (usize, &SignalId)| {
            let before = before.and_then(|before| before.get(at));
            self.draw(&system.signal(*signal).sort, before)
        };
        signals.iter().enumerate().map(draw).collect()
    }

    /// A run of the system as written, as long as assumptions let it be, up to a length. It may begin like another one.
    fn stimulus(&mut self, system: &System, length: usize, like: Option<&Stimulus>) -> Option<Stimulus> {
        let none = Edits::none();
        let interpreter = Interpreter::new(system, &none).ok()?;
        let open =
            |state: &SignalId| matches!(system.signal(*state).kind, SignalKind::State { next: None, .. });
        let has_open = system.states().iter().any(open);
        let start = match like {
            Some(like) => like.start.clone(),
            None => self.draw_all(system, system.states(), None),
        };
        let mut made = Stimulus { start: start.clone(), inputs: Vec::new(), choices: Vec::new() };
        let mut states = start;
        for index in 0..length {
            let model = like.and_then(|like| like.inputs.get(index));
            let mut taken = None;
            for attempt in 0..ATTEMPTS {
                let before = model.or(made.inputs.last());
                let inputs = match model {
                    // Mostly as it was there.
                    Some(model) if self.random.u8(0..3) > 0 || attempt + 2 >= ATTEMPTS => model.clone(),
                    _ => self.draw_all(system, system.inputs(), before.map(Vec::as_slice)),
                };
                if index == 0 && like.is_none() && attempt > 0 {
                    states = self.draw_all(system, system.states(), None);
                }
                let mut step = Step { inputs, states: states.clone(), free: BTreeMap::new() };
                if index == 0 {
                    interpreter.start(&mut step, |_| true).ok()?;
                }
                self.spent[0] += system.exprs.len() as u64;
                let mut frame = interpreter.frame(&step).ok()?;
                let is_legal = frame.violated_constraint(ConstraintKind::Always).ok()?.is_none()
                    && (index > 0 || frame.violated_constraint(ConstraintKind::Initial).ok()?.is_none());
                if !is_legal {
                    continue;
                }
                let chosen = if has_open { self.draw_all(system, system.states(), None) } else { Vec::new() };
                let next = frame.successor_values().ok()?;
                let next: Vec<Value> = next
                    .into_iter()
                    .enumerate()
                    .map(|(at, value)| value.or_else(|| chosen.get(at).cloned()))
                    .collect::<Option<_>>()?;
                if index == 0 {
                    made.start = step.states;
                }
                taken = Some((step.inputs, chosen, next));
                break;
            }
            let Some((inputs, chosen, next)) = taken else { break };
            made.inputs.push(inputs);
            if has_open {
                made.choices.push(chosen);
            }
            states = next;
        }
        (!made.inputs.is_empty()).then_some(made)
    }

    /// The run of a mutant under these choices as far as it violates the property, if it does.
    fn kill(
        &mut self,
        system: &System,
        mutant: Mutant,
        stimulus: &Arc<Stimulus>,
        most: usize,
    ) -> Option<Kill> {
        let edits = mutant.edits(system);
        let interpreter = Interpreter::new(system, &edits).ok()?;
        let site = system.element(mutant.element).site;
        let sort = system.mutable_sort(mutant.element)?;
        let mut free: Vec<Value> = Vec::new();
        let mut states = stimulus.start.clone();
        for index in 0..stimulus.inputs.len().min(most) {
            let own = (mutant.mutation == Mutation::Free).then(|| self.draw(sort, free.last()));
            let chosen: BTreeMap<_, _> = match (&own, site) {
                (Some(value), Site::Wire(_)) => [(mutant.element, value.clone())].into(),
                _ => BTreeMap::new(),
            };
            free.extend(own.clone());
            let mut step = Step { inputs: stimulus.inputs[index].clone(), states, free: chosen };
            if index == 0 {
                interpreter.start(&mut step, |_| true).ok()?;
            }
            self.spent[1] += system.exprs.len() as u64;
            let mut frame = interpreter.frame(&step).ok()?;
            if frame.violated_constraint(ConstraintKind::Always).ok()?.is_some()
                || (index == 0 && frame.violated_constraint(ConstraintKind::Initial).ok()?.is_some())
            {
                return None;
            }
            if frame.value(self.good).ok()?.as_bool() == Some(false) {
                return Some(Kill { stimulus: Arc::clone(stimulus), steps: index + 1, free });
            }
            let defined = frame.successor_values().ok()?;
            let mut next = Vec::with_capacity(defined.len());
            for (at, (state, value)) in system.states().iter().zip(defined).enumerate() {
                let value = match value {
                    Some(value) => value,
                    None if site == Site::Next(*state) => own.clone()?,
                    None => stimulus.choices.get(index)?.get(at)?.clone(),
                };
                next.push(value);
            }
            frame.set_next(&next).ok()?;
            if frame.violated_constraint(ConstraintKind::Transition).ok()?.is_some() {
                return None;
            }
            states = next;
        }
        None
    }
}

impl Pursuit<'_> {
    /// Random runs, and those that others offer.
    pub(super) fn simulate(&mut self, session: &mut Session<'_>) {
        session.progress(self.target, Technique::Simulation.name());
        let offered = session.stimuli();
        for stimulus in &offered {
            if session.is_over() {
                return;
            }
            self.spread(session, stimulus);
        }
        let mut count = 0;
        let mut in_vain = 0;
        while self.simulator.spent[0] < RANDOM_WORK && self.simulator.spent[1] < RANDOM_WORK && in_vain < 24 {
            if session.is_over() || self.undecided(session).is_empty() {
                return;
            }
            let length = LENGTHS[count % LENGTHS.len()];
            let like = if count % 3 == 2 { offered.get(count / 3 % offered.len().max(1)) } else { None };
            count += 1;
            let like = like.map(|stimulus| &**stimulus);
            let fits = |like: &&Stimulus| like.start.len() == session.system.states().len();
            let Some(made) = self.simulator.stimulus(session.system, length, like.filter(fits)) else {
                break;
            };
            let killed = self.spread(session, &Arc::new(made));
            in_vain = if killed == 0 { in_vain + 1 } else { 0 };
        }
    }

    /// Tries a run on everybody who is undecided. How many it kills.
    pub(super) fn spread(&mut self, session: &mut Session<'_>, stimulus: &Arc<Stimulus>) -> usize {
        let system = session.system;
        let most = self.bound.map_or(usize::MAX, |bound| bound as usize + 1);
        let fits = stimulus.start.len() == system.states().len()
            && stimulus.inputs.iter().all(|inputs| inputs.len() == system.inputs().len());
        if !fits || self.simulator.spent[1] > OTHER_WORK {
            return 0;
        }
        let mut kills = Vec::new();
        for member in self.undecided(session) {
            if session.is_over() {
                break;
            }
            let mutant = session.mutants[member];
            let tries = if mutant.mutation == Mutation::Free { VALUES } else { 1 };
            let found = (0..tries).find_map(|_| self.simulator.kill(system, mutant, stimulus, most));
            kills.extend(found.map(|kill| (member, kill)));
        }
        let count = kills.len();
        if count > 0 {
            session.kill(self.target, kills, Technique::Simulation.name());
        }
        count
    }
}
