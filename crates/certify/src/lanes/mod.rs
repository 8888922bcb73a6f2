//! Runs of a system of single bits, 64 at a time.
//!
//! Bit i of a word is the value that a signal or expression has in run i, so that one bit-wise operation evaluates an
//! operator in all runs (parallel fault simulation: Seshu, *On an improved diagnosis program*, IEEE Transactions on
//! Electronic Computers, 1965). Each run has a mutant of its own, which is applied where the element is defined: a run in which it
//! is cut does not get the value of the definition but the one that is forced there.
//!
//! What is evaluated is what the property and the constraints depend on, now or in a later step. There is no
//! simplification: an operator is evaluated as it stands in the expression pool, after its operands.

mod program;

use program::{Op, Positions, Program};
use propcov_ir::{ExprId, Kill, Mutant, Mutation, SignalId, SignalKind, Site, Stimulus, System, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many runs a word holds.
const WIDTH: usize = 64;

/// An evaluator of the runs of a system, of which all that a property and the constraints depend on is single bits.
pub(crate) struct Runs<'a> {
    system: &'a System,
    positions: Positions,
    first: Program,
    later: Program,
}

/// A run that was asked about, and where its answer goes.
struct Run<'k> {
    index: usize,
    mutant: Mutant,
    kill: &'k Kill,
}

/// What is wrong with a run.
type Answer = Result<(), String>;

impl<'a> Runs<'a> {
    /// `None` if something that matters is no single bit. The system has been validated.
    pub(crate) fn new(system: &'a System, property: ExprId) -> Option<Runs<'a>> {
        let positions = Positions::new(system);
        let (first, later) = program::compile(system, &positions, property)?;
        Some(Runs { system, positions, first, later })
    }

    /// Whether each run violates the property in its last step. `None` for those that have to be asked about elsewhere:
    /// of mutants whose element defines nothing that exists. Mutations have a meaning.
    pub(crate) fn check(&self, kills: &[(Mutant, &Kill)]) -> Vec<Option<Answer>> {
        let mut answers: Vec<Option<Answer>> = kills.iter().map(|_| None).collect();
        let mut usable = FxHashMap::default();
        let mut runs = Vec::new();
        for (index, &(mutant, kill)) in kills.iter().enumerate() {
            let stimulus = Arc::as_ptr(&kill.stimulus);
            let usable = *usable.entry(stimulus).or_insert_with(|| self.usable_steps(&kill.stimulus));
            match self.has_choices(mutant, kill, usable) {
                Some(true) => runs.push(Run { index, mutant, kill }),
                Some(false) => answers[index] = Some(Err("values are missing or do not fit".to_owned())),
                None => {}
            }
        }
        // Runs of one length end together, and those of one stimulus share their inputs.
        runs.sort_by_key(|run| (run.kill.steps, Arc::as_ptr(&run.kill.stimulus), run.index));
        for runs in runs.chunks(WIDTH) {
            let problems = Batch::new(self, runs).run();
            for (run, problem) in runs.iter().zip(problems) {
                answers[run.index] = Some(problem.map_or(Ok(()), Err));
            }
        }
        answers
    }

    /// How many steps a run may have for which the stimulus has all values, of the right sorts.
    fn usable_steps(&self, stimulus: &Stimulus) -> usize {
        let fits = |signal: &SignalId, value: Option<&Value>| {
            value.is_some_and(|value| value.has_sort(&self.system.signal(*signal).sort))
        };
        let (inputs, states) = (self.system.inputs(), self.system.states());
        let all_fit = |signals: &[SignalId], values: &[Value]| {
            signals.len() == values.len()
                && signals.iter().zip(values).all(|(signal, value)| fits(signal, Some(value)))
        };
        if !all_fit(states, &stimulus.start) {
            return 0;
        }
        let with_inputs = stimulus.inputs.iter().take_while(|values| all_fit(inputs, values)).count();
        let is_open = |state: &SignalId| {
            matches!(self.system.signal(*state).kind, SignalKind::State { next: None, .. })
        };
        let open: Vec<(usize, &SignalId)> =
            states.iter().enumerate().filter(|(_, state)| is_open(state)).collect();
        if open.is_empty() {
            return with_inputs;
        }
        let chosen = |values: &&Vec<Value>| open.iter().all(|(at, state)| fits(state, values.get(*at)));
        // What follows the last step is not chosen.
        with_inputs.min(stimulus.choices.iter().take_while(chosen).count() + 1)
    }

    /// Whether the run has all values, of the right sorts.
    fn has_choices(&self, mutant: Mutant, kill: &Kill, usable: usize) -> Option<bool> {
        let (signal, needed) = match self.system.element(mutant.element).site {
            Site::Wire(wire) => (wire, kill.steps),
            Site::Next(state) => (state, kill.steps.saturating_sub(1)),
            Site::Init(_) | Site::Constraint(_) => return None,
        };
        let declared = self.system.signal(signal);
        if declared.sort.is_unbounded() {
            return None;
        }
        let exists = match self.system.element(mutant.element).site {
            Site::Wire(_) => matches!(declared.kind, SignalKind::Wire { .. }),
            _ => matches!(declared.kind, SignalKind::State { next: Some(_), .. }),
        };
        let fits = |values: &[Value]| values.iter().all(|value| value.has_sort(&declared.sort));
        let has_free = mutant.mutation != Mutation::Free || kill.free.get(..needed).is_some_and(fits);
        exists.then_some((1..=usable).contains(&kill.steps) && has_free)
    }
}

/// Up to 64 runs at once.
struct Batch<'r> {
    all: &'r Runs<'r>,
    runs: &'r [Run<'r>],
    /// The stimuli, and the runs that each of them drives.
    stimuli: Vec<(&'r Stimulus, u64)>,
    /// Values at the beginning of a step, by position; in the first step the stimuli have them.
    states: Vec<u64>,
    /// What mutants do to wires, by signal.
    wires: Faults,
    /// What mutants do to next-state functions, by position of the state.
    nexts: Faults,
    /// The values of a step, by slot.
    values: Vec<u64>,
    /// What is wrong with each run, as far as that is known.
    problems: Vec<Option<String>>,
}

/// The runs in which definitions are cut, and the values that they have there instead.
struct Faults {
    cut: Vec<u64>,
    forced: Vec<u64>,
}

impl Faults {
    fn new(count: usize) -> Faults {
        Faults { cut: vec![0; count], forced: vec![0; count] }
    }

    fn force(&mut self, at: usize, run: u64, value: bool) {
        self.cut[at] |= run;
        if value {
            self.forced[at] |= run;
        } else {
            self.forced[at] &= !run;
        }
    }

    fn apply(&self, at: usize, written: u64) -> u64 {
        (written & !self.cut[at]) | self.forced[at]
    }
}

fn is_true(value: Option<&Value>) -> bool {
    value.and_then(Value::as_bool) == Some(true)
}

impl<'r> Batch<'r> {
    fn new(all: &'r Runs<'r>, runs: &'r [Run<'r>]) -> Batch<'r> {
        let mut stimuli: Vec<(&Stimulus, u64)> = Vec::new();
        for (lane, run) in runs.iter().enumerate() {
            match stimuli.last_mut() {
                Some((stimulus, driven)) if std::ptr::eq(*stimulus, &raw const *run.kill.stimulus) => {
                    *driven |= 1 << lane;
                }
                _ => stimuli.push((&run.kill.stimulus, 1 << lane)),
            }
        }
        Batch {
            all,
            runs,
            stimuli,
            states: vec![0; all.system.states().len()],
            wires: Faults::new(all.system.signals().len()),
            nexts: Faults::new(all.system.states().len()),
            values: vec![0; all.first.ops.len().max(all.later.ops.len())],
            problems: vec![None; runs.len()],
        }
    }

    /// What is wrong with each run: nothing, if it is a run of its mutant and ends in a violation.
    fn run(mut self) -> Vec<Option<String>> {
        let longest = self.runs.iter().map(|run| run.kill.steps).max().unwrap_or(0);
        for step in 0..longest {
            let program = if step == 0 { &self.all.first } else { &self.all.later };
            self.mutate(step);
            for (slot, op) in program.ops.iter().enumerate() {
                self.values[slot] = self.evaluate(step, *op);
            }
            self.judge(step, program);
            for &(state, slot) in &program.successors {
                self.states[state] = self.values[slot];
            }
        }
        self.problems
    }

    /// Forces the value of each mutated definition in its own run.
    fn mutate(&mut self, step: usize) {
        for (lane, run) in self.runs.iter().enumerate() {
            let value = match run.mutant.mutation {
                // Of numbers, which are no matter of bits: nobody asks about those here.
                Mutation::Zero | Mutation::OffByOne | Mutation::Stale => false,
                Mutation::One => true,
                // Where there is none, the run has ended, or the value is one for the step after the last.
                Mutation::Free => is_true(run.kill.free.get(step)),
            };
            match self.all.system.element(run.mutant.element).site {
                Site::Wire(wire) => self.wires.force(wire.0 as usize, 1 << lane, value),
                Site::Next(state) => self.nexts.force(self.all.positions.of(state), 1 << lane, value),
                Site::Init(_) | Site::Constraint(_) => {}
            }
        }
    }

    fn evaluate(&self, step: usize, op: Op) -> u64 {
        let value = |slot: usize| self.values[slot];
        match op {
            Op::Constant(true) => u64::MAX,
            Op::Constant(false) => 0,
            Op::Input(input) => self.driven(|stimulus| stimulus.inputs.get(step)?.get(input)),
            Op::State(state) if step == 0 => self.driven(|stimulus| stimulus.start.get(state)),
            Op::State(state) => self.states[state],
            Op::Choice(state) => self.driven(|stimulus| stimulus.choices.get(step)?.get(state)),
            Op::Wire(wire, definition) => self.wires.apply(wire.0 as usize, value(definition)),
            Op::Next(state, definition) => self.nexts.apply(state, value(definition)),
            Op::Not(a) => !value(a),
            Op::And(a, b) => value(a) & value(b),
            Op::Or(a, b) => value(a) | value(b),
            Op::Xor(a, b) => value(a) ^ value(b),
            Op::Eq(a, b) => !(value(a) ^ value(b)),
            Op::Ite(condition, then, otherwise) => {
                (value(condition) & value(then)) | (!value(condition) & value(otherwise))
            }
        }
    }

    /// A value that each stimulus has for the runs that it drives. Runs that have ended get some value.
    fn driven(&self, value: impl Fn(&'r Stimulus) -> Option<&'r Value>) -> u64 {
        let those_true = self.stimuli.iter().filter(|(stimulus, _)| is_true(value(stimulus)));
        those_true.fold(0, |word, (_, driven)| word | driven)
    }

    /// Looks for what is wrong in a step that has been evaluated.
    fn judge(&mut self, step: usize, program: &Program) {
        let those = |holds: &dyn Fn(usize) -> bool| {
            let lanes = self.runs.iter().enumerate().filter(|(_, run)| holds(run.kill.steps));
            lanes.fold(0u64, |word, (lane, _)| word | 1 << lane)
        };
        let (running, ending) = (those(&|steps| steps > step), those(&|steps| steps == step + 1));
        for (constraints, bound) in [
            (&program.initial, running),
            (&program.always, running),
            (&program.transition, running & !ending),
        ] {
            for (id, slot) in constraints {
                self.reject(bound & !self.values[*slot], |system| {
                    let name = &system.constraints()[id.0 as usize].name;
                    format!("step {step}: constraint {name} does not hold")
                });
            }
        }
        self.reject(ending & self.values[program.property], |_| {
            format!("step {step}: the run ends here, but the property holds")
        });
    }

    fn reject(&mut self, mut runs: u64, why: impl Fn(&System) -> String) {
        while runs != 0 {
            let lane = runs.trailing_zeros() as usize;
            self.problems[lane].get_or_insert_with(|| why(self.all.system));
            runs &= runs - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Runs;
    use propcov_ir::{BinaryOp, PropertyKind, Sort, System};
    use propcov_testkit::bit_level_system;

    #[test]
    fn systems_of_gates_and_latches_are_evaluated_here_and_words_are_not() {
        for seed in 0..50 {
            let system = bit_level_system(seed);
            for property in system.properties() {
                let PropertyKind::Invariant(expr) = property.kind else { continue };
                assert!(Runs::new(&system, expr).is_some(), "seed {seed}");
            }
        }
        let mut system = System::new();
        let (bit, word) = (system.add_state("b", Sort::BOOL), system.add_state("w", Sort::BitVec(2)));
        let (bit, word) = (system.read(bit), system.read(word));
        let one = system.exprs.bits(2, 1);
        let small = system.exprs.apply(BinaryOp::Ult, word, one);
        assert!(Runs::new(&system, bit).is_some(), "words that do not matter are no obstacle");
        assert!(Runs::new(&system, small).is_none());
    }
}
