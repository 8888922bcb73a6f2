//! All infinite runs of a small system, and whether a fair one violates a property.
//!
//! Steps are listed one by one, by the exact interpreter: values for all states, inputs and freed wires that satisfy the constraints. A formula is decided by the product of
//! that graph with all ways to say, in each step, which of its subformulas are true one step later or were one step before (the closure of Lichtenstein and
//! Pnueli, POPL 1985, with each subformula either true or false, no normal form and no promises). An infinite run through the product is a run of the
//! system with the truth about it if no `U` is true for ever without its second operand, and no `R` false for ever with it. Fair cycles are found by strongly connected
//! components, as for CTL.

use crate::ExploreError;
use crate::explicit::{bits_of, decode};
use crate::explicit_ctl::{Condition, Edge, FairSearch};
use propcov_ir::{
    ConstraintKind, Edits, ElementId, ExprId, Fairness, Interpreter, Ltl, PropertyId, PropertyKind, SignalId,
    Step, StepError, System, Value,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// More bits than this in a step are not enumerated.
const LIMIT: usize = 7;

/// All steps of a system under edits, and which may follow which.
#[derive(Clone, Debug)]
pub struct ExplicitRuns<'s> {
    system: &'s System,
    edits: &'s Edits,
    steps: Vec<Step>,
    initial: Vec<usize>,
    after: Vec<Vec<usize>>,
}

impl<'s> ExplicitRuns<'s> {
    /// Lists the steps.
    ///
    /// # Errors
    /// When there are too many.
    ///
    /// # Panics
    /// When the system cannot be evaluated.
    pub fn new(system: &'s System, edits: &'s Edits) -> Result<ExplicitRuns<'s>, ExploreError> {
        let bits = |signal: &SignalId| bits_of(&system.signal(*signal).sort);
        let interpreter = match Interpreter::new(system, edits) {
            Ok(interpreter) => interpreter,
            Err(error) => panic!("{error}"),
        };
        let choices: usize = system.inputs().iter().map(bits).sum::<usize>()
            + interpreter.free_wires().iter().map(|(_, wire)| bits(wire)).sum::<usize>();
        let all = choices.saturating_add(system.states().iter().map(bits).sum());
        if all > LIMIT {
            return Err(ExploreError::TooLarge(all));
        }
        match Listing::new(system, &interpreter, choices).run() {
            Ok((steps, initial, after)) => Ok(ExplicitRuns { system, edits, steps, initial, after }),
            Err(error) => panic!("{error}"),
        }
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether every fair run satisfies a liveness property.
    ///
    /// # Panics
    /// When it is none, or cannot be evaluated.
    pub fn holds(&self, property: PropertyId) -> bool {
        match &self.system.property(property).kind {
            PropertyKind::Justice(conditions) => !self.has_fair_run(conditions, None),
            PropertyKind::Ltl(formula) => !self.has_fair_run(&[], Some(formula)),
            kind => panic!("{kind:?} is not about infinite runs"),
        }
    }

    /// Whether some fair run meets these conditions infinitely often, and violates the formula.
    fn has_fair_run(&self, often: &[ExprId], formula: Option<&Ltl>) -> bool {
        let closure = Closure::new(formula);
        let mut watched: Vec<ExprId> = often.to_vec();
        let mut conditions: Vec<Condition> = (0..often.len() as u32).map(Condition::Justice).collect();
        for condition in &self.system.fairness {
            let at = watched.len() as u32;
            match *condition {
                Fairness::Justice(expr) => {
                    watched.push(expr);
                    conditions.push(Condition::Justice(at));
                }
                Fairness::Compassion(premise, conclusion) => {
                    watched.extend([premise, conclusion]);
                    conditions.push(Condition::Compassion(at, at + 1));
                }
            }
        }
        let first_of_formula = watched.len() as u32;
        let eventualities = closure.eventualities();
        conditions
            .extend((0..eventualities.len() as u32).map(|at| Condition::Justice(first_of_formula + at)));
        let watched = self.labels(&watched);
        let atoms = self.labels(&closure.atoms);

        // A node is a step and what is guessed and remembered there.
        let (mut nodes, mut edges): (Vec<(usize, u32)>, Vec<Edge>) = (Vec::new(), Vec::new());
        let mut numbers: FxHashMap<(usize, u32), usize> = FxHashMap::default();
        let mut number = |node: (usize, u32), nodes: &mut Vec<(usize, u32)>| {
            *numbers.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        let ways = 1u32 << closure.bits();
        // Which subformulas are true in each step, however bits are guessed; and the guesses of a step by what they ask of the step before.
        let truth: Vec<Vec<Vec<bool>>> =
            atoms.iter().map(|atoms| (0..ways).map(|bits| closure.truth(atoms, bits)).collect()).collect();
        let fitting: Vec<FxHashMap<u32, Vec<u32>>> = truth
            .iter()
            .map(|of_step| {
                let mut fitting: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
                for (bits, truth) in (0..ways).zip(of_step) {
                    fitting.entry(closure.asks_before(bits, truth)).or_default().push(bits);
                }
                fitting
            })
            .collect();
        let mut initial = Vec::new();
        for step in &self.initial {
            for bits in 0..ways {
                let is_violated = truth[*step][bits as usize].last() != Some(&true);
                if closure.may_begin(bits) && is_violated {
                    initial.push(number((*step, bits), &mut nodes));
                }
            }
        }
        let mut at = 0;
        while let Some((step, bits)) = nodes.get(at).copied() {
            let now = &truth[step][bits as usize];
            let mut met = 0u64;
            for (bit, is_met) in watched[step].iter().enumerate() {
                met |= u64::from(*is_met) << bit;
            }
            for (bit, (whole, operand, wanted)) in eventualities.iter().enumerate() {
                let is_met = now[*whole] != *wanted || now[*operand] == *wanted;
                met |= u64::from(is_met) << (first_of_formula + bit as u32);
            }
            let asks = closure.asks_after(bits, now);
            for next in &self.after[step] {
                for bits in fitting[*next].get(&asks).into_iter().flatten() {
                    let to = number((*next, *bits), &mut nodes);
                    edges.push(Edge { from: at, to, met });
                }
            }
            at += 1;
        }
        let fair = FairSearch::new(nodes.len(), edges, conditions).fair();
        initial.into_iter().any(|node| fair[node])
    }

    /// Which expressions are true in each step.
    fn labels(&self, exprs: &[ExprId]) -> Vec<Vec<bool>> {
        let interpreter = match Interpreter::new(self.system, self.edits) {
            Ok(interpreter) => interpreter,
            Err(error) => panic!("{error}"),
        };
        let label = |step: &Step| -> Result<Vec<bool>, StepError> {
            let mut frame = interpreter.frame(step)?;
            exprs.iter().map(|expr| Ok(frame.value(*expr)? == Value::bool(true))).collect()
        };
        match self.steps.iter().map(label).collect() {
            Ok(labels) => labels,
            Err(error) => panic!("{error}"),
        }
    }
}

struct Listing<'a> {
    system: &'a System,
    interpreter: &'a Interpreter<'a>,
    choice_bits: usize,
    steps: Vec<Step>,
    after: Vec<Vec<usize>>,
    /// The steps of each state, by its values.
    of_state: FxHashMap<String, Vec<usize>>,
}

type Listed = (Vec<Step>, Vec<usize>, Vec<Vec<usize>>);

impl<'a> Listing<'a> {
    fn new(system: &'a System, interpreter: &'a Interpreter<'a>, choice_bits: usize) -> Listing<'a> {
        let (steps, after, of_state) = (Vec::new(), Vec::new(), FxHashMap::default());
        Listing { system, interpreter, choice_bits, steps, after, of_state }
    }

    fn run(mut self) -> Result<Listed, StepError> {
        let mut initial = Vec::new();
        for states in self.all_states(&vec![None; self.system.states().len()]) {
            for step in self.steps_of(&states)? {
                let mut frame = self.interpreter.frame(&self.steps[step])?;
                let wanted = frame.initial_values()?;
                let fits = wanted
                    .iter()
                    .zip(&states)
                    .all(|(wanted, value)| wanted.as_ref().is_none_or(|wanted| wanted == value));
                if fits && frame.violated_constraint(ConstraintKind::Initial)?.is_none() {
                    initial.push(step);
                }
            }
        }
        let mut at = 0;
        while at < self.steps.len() {
            let values = self.interpreter.frame(&self.steps[at])?.successor_values()?;
            let mut after = Vec::new();
            for states in self.all_states(&values) {
                let mut frame = self.interpreter.frame(&self.steps[at])?;
                frame.set_next(&states)?;
                if frame.violated_constraint(ConstraintKind::Transition)?.is_none() {
                    after.extend(self.steps_of(&states)?);
                }
            }
            self.after.push(after);
            at += 1;
        }
        Ok((self.steps, initial, self.after))
    }

    /// All states with these values, where there are any.
    fn all_states(&self, given: &[Option<Value>]) -> Vec<Vec<Value>> {
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for (state, given) in self.system.states().iter().zip(given) {
            let sort = &self.system.signal(*state).sort;
            let values: Vec<Value> = match given {
                Some(value) => vec![value.clone()],
                None => (0..1usize << bits_of(sort))
                    .map(|code| decode(sort, &mut { code }))
                    .filter(|value| value.has_sort(sort))
                    .collect(),
            };
            all = all
                .into_iter()
                .flat_map(|states| {
                    values.iter().map(move |value| {
                        let mut states = states.clone();
                        states.push(value.clone());
                        states
                    })
                })
                .collect();
        }
        all
    }

    /// The steps of a state: all choices that satisfy the constraints.
    fn steps_of(&mut self, states: &[Value]) -> Result<Vec<usize>, StepError> {
        let key: String = states.iter().map(|value| format!("{value} ")).collect();
        if let Some(steps) = self.of_state.get(&key) {
            return Ok(steps.clone());
        }
        let mut found = Vec::new();
        for code in 0..1usize << self.choice_bits {
            let mut rest = code;
            let inputs: Vec<Value> = (self.system.inputs().iter())
                .map(|input| decode(&self.system.signal(*input).sort, &mut rest))
                .collect();
            let free: BTreeMap<ElementId, Value> = (self.interpreter.free_wires().iter())
                .map(|(element, wire)| (*element, decode(&self.system.signal(*wire).sort, &mut rest)))
                .collect();
            let step = Step { inputs, states: states.to_vec(), free };
            // Codes of enumerations need not be values.
            let Ok(mut frame) = self.interpreter.frame(&step) else { continue };
            if frame.violated_constraint(ConstraintKind::Always)?.is_none() {
                found.push(self.steps.len());
                self.steps.push(step);
            }
        }
        self.of_state.insert(key, found.clone());
        Ok(found)
    }
}

/// The subformulas of a formula, operands first; without a formula there are none.
struct Closure {
    parts: Vec<Part>,
    atoms: Vec<ExprId>,
}

/// A subformula, by the numbers of its operands; with a bit, where it has one, for what it is in the step after, or was in the step before.
enum Part {
    Atom(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Next(usize, u32),
    Until(usize, usize, u32),
    Release(usize, usize, u32),
    /// What its operand was; and what it is in the first step.
    Before(usize, u32, bool),
    Since(usize, usize, u32),
    Triggered(usize, usize, u32),
}

impl Closure {
    fn new(formula: Option<&Ltl>) -> Closure {
        let mut closure = Closure { parts: Vec::new(), atoms: Vec::new() };
        if let Some(formula) = formula {
            let mut bits = 0;
            closure.add(formula, &mut bits);
        }
        closure
    }

    fn add(&mut self, formula: &Ltl, bits: &mut u32) -> usize {
        let operands: Vec<usize> = formula.operands().map(|operand| self.add(operand, bits)).collect();
        let mut bit = || {
            *bits += 1;
            *bits - 1
        };
        let part = match (formula, &operands[..]) {
            (Ltl::Atom(expr), _) => {
                self.atoms.push(*expr);
                Part::Atom(self.atoms.len() - 1)
            }
            (Ltl::Not(_), [a]) => Part::Not(*a),
            (Ltl::And(..), [a, b]) => Part::And(*a, *b),
            (Ltl::Or(..), [a, b]) => Part::Or(*a, *b),
            (Ltl::Next(_), [a]) => Part::Next(*a, bit()),
            (Ltl::Until(..), [a, b]) => Part::Until(*a, *b, bit()),
            (Ltl::Release(..), [a, b]) => Part::Release(*a, *b, bit()),
            (Ltl::Previous(_), [a]) => Part::Before(*a, bit(), false),
            (Ltl::WeakPrevious(_), [a]) => Part::Before(*a, bit(), true),
            (Ltl::Since(..), [a, b]) => Part::Since(*a, *b, bit()),
            (Ltl::Triggered(..), [a, b]) => Part::Triggered(*a, *b, bit()),
            _ => unreachable!("an operator has its operands"),
        };
        self.parts.push(part);
        self.parts.len() - 1
    }

    fn bits(&self) -> u32 {
        let has_bit =
            |part: &&Part| !matches!(part, Part::Atom(_) | Part::Not(_) | Part::And(..) | Part::Or(..));
        self.parts.iter().filter(has_bit).count() as u32
    }

    /// Which subformulas are true in a step.
    fn truth(&self, atoms: &[bool], bits: u32) -> Vec<bool> {
        let mut truth: Vec<bool> = Vec::with_capacity(self.parts.len());
        let bit = |at: u32| bits >> at & 1 == 1;
        for part in &self.parts {
            let value = match *part {
                Part::Atom(at) => atoms[at],
                Part::Not(a) => !truth[a],
                Part::And(a, b) => truth[a] && truth[b],
                Part::Or(a, b) => truth[a] || truth[b],
                Part::Next(_, at) | Part::Before(_, at, _) => bit(at),
                Part::Until(a, b, at) | Part::Since(a, b, at) => truth[b] || truth[a] && bit(at),
                Part::Release(a, b, at) | Part::Triggered(a, b, at) => truth[b] && (truth[a] || bit(at)),
            };
            truth.push(value);
        }
        truth
    }

    /// Whether bits fit a first step.
    fn may_begin(&self, bits: u32) -> bool {
        let bit = |at: u32| bits >> at & 1 == 1;
        self.parts.iter().all(|part| match *part {
            Part::Before(_, at, first) => bit(at) == first,
            Part::Since(_, _, at) => !bit(at),
            Part::Triggered(_, _, at) => bit(at),
            _ => true,
        })
    }

    /// What a step asks of the step before: what was guessed there, and is true now; and what was true there, and is remembered now.
    fn asks_before(&self, bits: u32, now: &[bool]) -> u32 {
        self.asks(|this, part| match *part {
            Part::Next(a, _) => now[a],
            Part::Until(..) | Part::Release(..) => now[this],
            Part::Before(_, at, _) | Part::Since(_, _, at) | Part::Triggered(_, _, at) => bits >> at & 1 == 1,
            _ => false,
        })
    }

    /// What a step asks of the step after: the same, seen from there.
    fn asks_after(&self, bits: u32, now: &[bool]) -> u32 {
        self.asks(|this, part| match *part {
            Part::Next(_, at) | Part::Until(_, _, at) | Part::Release(_, _, at) => bits >> at & 1 == 1,
            Part::Before(a, ..) => now[a],
            Part::Since(..) | Part::Triggered(..) => now[this],
            _ => false,
        })
    }

    fn asks(&self, asks: impl Fn(usize, &Part) -> bool) -> u32 {
        let mut all = 0;
        for (this, part) in self.parts.iter().enumerate() {
            if let Part::Next(_, at)
            | Part::Until(_, _, at)
            | Part::Release(_, _, at)
            | Part::Before(_, at, _)
            | Part::Since(_, _, at)
            | Part::Triggered(_, _, at) = *part
            {
                all |= u32::from(asks(this, part)) << at;
            }
        }
        all
    }

    /// What must not be put off for ever: a subformula, its second operand, and the value of the first that asks for the same of the second.
    fn eventualities(&self) -> Vec<(usize, usize, bool)> {
        let parts = self.parts.iter().enumerate();
        parts
            .filter_map(|(this, part)| match *part {
                Part::Until(_, b, _) => Some((this, b, true)),
                Part::Release(_, b, _) => Some((this, b, false)),
                _ => None,
            })
            .collect()
    }
}
