//! Runs of a netlist, and how they become runs of the system.

use crate::netlist::{BitOrigin, LeafOrigin, LeafWord, Netlist};
use crate::{Aig, Bit, Init};
use propcov_ir::words;
use propcov_ir::{
    ArrayValue, BinaryOp, Bits, Definition, Edits, ElementSet, ExprId, ExprPool, Followed, Interpreter,
    Mutant, Mutation, Node, SignalId, SignalKind, Site, Sort, Step, StepError, Stimulus, System, SystemError,
    Trace, UnaryOp, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

/// A run of a netlist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitTrace {
    /// The steps; the first is initial.
    pub steps: Vec<BitStep>,
}

/// Values of all leaves of a netlist in one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitStep {
    /// In the order of [`Netlist::latches`].
    pub latches: Vec<bool>,
    /// In the order of [`Netlist::inputs`].
    pub inputs: Vec<bool>,
}

/// A run of the netlist that is none of the system: a bug in the encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CompletionError {
    /// The system has no meaning.
    #[error("{0}")]
    System(#[from] SystemError),
    /// A step does not fit the system.
    #[error("{0}")]
    Step(#[from] StepError),
    /// A leaf's bits make no value.
    #[error("{0}")]
    Word(#[from] words::Unsupported),
}

impl BitTrace {
    /// The run from an initial state under a sequence of inputs, with one selector on.
    pub fn simulate(
        netlist: &Netlist,
        selected: Option<Bit>,
        start: Vec<bool>,
        inputs: Vec<Vec<bool>>,
    ) -> BitTrace {
        let mut steps = Vec::with_capacity(inputs.len());
        let mut latches = start;
        for inputs in inputs {
            let step = BitStep { latches, inputs };
            let values = step.evaluate_selected(netlist, selected);
            latches = netlist.latches.iter().map(|latch| value(&values, latch.next)).collect();
            steps.push(step);
        }
        BitTrace { steps }
    }

    /// The run of the whole system: what lies outside the netlist's cone follows its definitions, or is zero where
    /// those leave it open. Where arrays are watched, all states follow: a run of the system, but it need not do what the netlist's does.
    pub fn complete(
        &self,
        netlist: &Netlist,
        system: &System,
        edits: &Edits,
    ) -> Result<Trace, CompletionError> {
        let interpreter = Interpreter::new(system, edits)?;
        let position: FxHashMap<SignalId, usize> = {
            let inputs = system.inputs().iter().enumerate();
            inputs.chain(system.states().iter().enumerate()).map(|(at, signal)| (*signal, at)).collect()
        };
        let mut inside = vec![false; system.states().len()];
        for leaf in &netlist.leaves {
            if let LeafOrigin::State(state) = leaf.origin {
                inside[position[&state]] = netlist.watched_at(&leaf.sort).is_none();
            }
        }
        let contents = self.contents(netlist)?;
        let zero = |signal: &SignalId| Value::zero(&system.signal(*signal).sort);
        let mut trace = Trace::default();
        let mut outside: Vec<Option<Value>> = vec![None; system.states().len()];
        for bit_step in &self.steps {
            let mut step = Step {
                inputs: system.inputs().iter().map(zero).collect(),
                states: system.states().iter().map(zero).collect(),
                free: interpreter.free_wires().iter().map(|(element, wire)| (*element, zero(wire))).collect(),
            };
            let is_first = trace.steps.is_empty();
            if !netlist.is_watched() {
                for (state, value) in step.states.iter_mut().zip(&mut outside) {
                    value.take().into_iter().for_each(|value| *state = value);
                }
            }
            let values = bit_step.evaluate(netlist);
            for leaf in &netlist.leaves {
                let value = netlist.leaf_value(leaf, &values)?;
                match leaf.origin {
                    LeafOrigin::Input(signal) => step.inputs[position[&signal]] = value,
                    LeafOrigin::State(signal) => {
                        let start = contents.get(&signal).filter(|_| is_first);
                        step.states[position[&signal]] = start.cloned().unwrap_or(value);
                    }
                    // One that can be freed, but is not, has no free value.
                    LeafOrigin::Free(element) => {
                        step.free.entry(element).and_modify(|free| *free = value);
                    }
                    LeafOrigin::Choice(_) | LeafOrigin::Guess(_) => {}
                }
            }
            for (state, value) in step.states.iter_mut().zip(outside) {
                value.into_iter().for_each(|value| *state = value);
            }
            if is_first {
                interpreter.start(&mut step, |state| !inside[state])?;
            }
            outside = interpreter.frame(&step)?.successor_values()?;
            trace.steps.push(step);
        }
        Ok(trace)
    }
}

impl BitTrace {
    /// The run of the slice from which these elements are dropped, where the netlist has a selector for each of them in its cone. What lies outside the cone follows its definitions,
    /// also dropped ones.
    pub fn followed(
        &self,
        netlist: &Netlist,
        system: &System,
        dropped: &ElementSet,
    ) -> Result<Followed, CompletionError> {
        let signal = |leaf: &LeafWord| match leaf.origin {
            LeafOrigin::Input(signal) | LeafOrigin::State(signal) => Some(signal),
            LeafOrigin::Free(element) => match system.element(element).site {
                Site::Wire(wire) => Some(wire),
                _ => None,
            },
            LeafOrigin::Choice(_) | LeafOrigin::Guess(_) => None,
        };
        let leaves: Vec<(SignalId, &LeafWord)> =
            netlist.leaves.iter().filter_map(|leaf| Some((signal(leaf)?, leaf))).collect();
        let mut values: Vec<FxHashMap<SignalId, Value>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let read = step.reader(netlist);
            let value = |(signal, leaf): &(SignalId, &LeafWord)| Ok((*signal, read.value(leaf)?));
            values.push(leaves.iter().map(value).collect::<Result<_, words::Unsupported>>()?);
        }
        let chosen = |step: usize, signal: SignalId| values.get(step)?.get(&signal).cloned();
        let last = self.steps.len().saturating_sub(1);
        let edits = Edits::none();
        let interpreter = Interpreter::new(system, &edits)?;
        Ok(propcov_ir::follow(&interpreter, dropped, last, &chosen)?)
    }

    /// The choices that this run makes, as far as the system as written leaves them open. What lies outside the cone is zero.
    pub fn stimulus(&self, netlist: &Netlist, system: &System) -> Result<Stimulus, words::Unsupported> {
        let zeros = |signals: &[SignalId]| -> Vec<Value> {
            signals.iter().map(|signal| Value::zero(&system.signal(*signal).sort)).collect()
        };
        let (no_inputs, no_states) = (zeros(system.inputs()), zeros(system.states()));
        let at = |signals: &[SignalId]| -> FxHashMap<SignalId, usize> {
            signals.iter().enumerate().map(|(at, signal)| (*signal, at)).collect()
        };
        let (input_at, state_at) = (at(system.inputs()), at(system.states()));
        let is_open =
            |state: SignalId| matches!(system.signal(state).kind, SignalKind::State { next: None, .. });
        let some_open = system.states().iter().any(|state| is_open(*state));
        let mut stimulus = Stimulus { start: no_states.clone(), ..Stimulus::default() };
        let contents = self.contents(netlist)?;
        for (index, step) in self.steps.iter().enumerate() {
            let read = step.reader(netlist);
            let mut inputs = no_inputs.clone();
            let mut choices = if some_open { no_states.clone() } else { Vec::new() };
            for leaf in &netlist.leaves {
                match leaf.origin {
                    LeafOrigin::Input(signal) => inputs[input_at[&signal]] = read.value(leaf)?,
                    LeafOrigin::State(signal) if index == 0 => {
                        stimulus.start[state_at[&signal]] = match contents.get(&signal) {
                            Some(content) => content.clone(),
                            None => read.value(leaf)?,
                        };
                    }
                    LeafOrigin::Choice(state) if is_open(state) => {
                        choices[state_at[&state]] = read.value(leaf)?;
                    }
                    _ => {}
                }
            }
            stimulus.inputs.push(inputs);
            if some_open {
                stimulus.choices.push(choices);
            }
        }
        Ok(stimulus)
    }

    /// The choices of a stimulus, as inputs and a first state of the netlist. Freed elements are false.
    pub fn of_stimulus(
        netlist: &Netlist,
        system: &System,
        stimulus: &Stimulus,
    ) -> Result<BitTrace, words::Unsupported> {
        let position =
            |signals: &[SignalId], signal: SignalId| signals.iter().position(|other| *other == signal);
        // For each leaf that the stimulus determines: where its values are.
        enum Source {
            Input(usize),
            Start(usize),
            Choice(usize),
        }
        let mut sources: Vec<(Source, &LeafWord)> = Vec::new();
        for leaf in &netlist.leaves {
            let source = match leaf.origin {
                LeafOrigin::Input(signal) => position(system.inputs(), signal).map(Source::Input),
                LeafOrigin::State(state) => position(system.states(), state).map(Source::Start),
                LeafOrigin::Choice(state) => position(system.states(), state).map(Source::Choice),
                LeafOrigin::Free(_) | LeafOrigin::Guess(_) => None,
            };
            sources.extend(source.map(|source| (source, leaf)));
        }
        let mut constants = Aig::new();
        let mut trace = BitTrace::default();
        for (index, inputs) in stimulus.inputs.iter().enumerate() {
            let mut values: FxHashMap<usize, bool> = FxHashMap::default();
            for (source, leaf) in &sources {
                let value = match source {
                    Source::Input(at) => inputs.get(*at),
                    Source::Start(at) => stimulus.start.get(*at),
                    Source::Choice(at) => stimulus.choices.get(index).and_then(|choices| choices.get(*at)),
                };
                // What is stored where an array is watched is not looked up: it is zero.
                let Some(value) = value.filter(|_| netlist.watched_at(&leaf.sort).is_none()) else {
                    continue;
                };
                let bits = words::constant(&mut constants, value)?.flat();
                for (leaf, bit) in leaf.word.flat().into_iter().zip(bits) {
                    values.insert(leaf.node(), bit.as_constant().unwrap_or(false));
                }
            }
            let of = |bit: Bit| values.get(&bit.node()).copied().unwrap_or(false);
            trace.steps.push(BitStep {
                latches: netlist
                    .latches
                    .iter()
                    .map(|latch| match latch.init {
                        Init::Const(value) => value,
                        Init::Free => of(latch.bit),
                    })
                    .collect(),
                inputs: netlist.inputs.iter().map(|input| of(*input)).collect(),
            });
        }
        Ok(trace)
    }

    /// The values that a freed element takes along this run: none for other mutants.
    pub fn free_values(
        &self,
        netlist: &Netlist,
        system: &System,
        mutant: Mutant,
    ) -> Result<Vec<Value>, words::Unsupported> {
        let origin = match (mutant.mutation, system.element(mutant.element).site) {
            (Mutation::Free, Site::Wire(_)) => LeafOrigin::Free(mutant.element),
            (Mutation::Free, Site::Next(state)) => LeafOrigin::Choice(state),
            _ => return Ok(Vec::new()),
        };
        let Some(leaf) = netlist.leaves.iter().find(|leaf| leaf.origin == origin) else {
            return Ok(Vec::new());
        };
        if netlist.watched_at(&leaf.sort).is_some() {
            let value = |step: &BitStep| netlist.leaf_value(leaf, &step.evaluate(netlist));
            return self.steps.iter().map(value).collect();
        }
        self.steps.iter().map(|step| step.reader(netlist).value(leaf)).collect()
    }

    /// What watched arrays have to contain in the first step so that reads give what they give in this run, if nothing was written before.
    fn contents(&self, netlist: &Netlist) -> Result<FxHashMap<SignalId, Value>, words::Unsupported> {
        let mut contents: FxHashMap<SignalId, Value> = FxHashMap::default();
        if !netlist.is_watched() {
            return Ok(contents);
        }
        let mut known: FxHashSet<(SignalId, Bits)> = FxHashSet::default();
        for (at, step) in self.steps.iter().enumerate() {
            let values = step.evaluate(netlist);
            for leaf in &netlist.leaves {
                match leaf.origin {
                    LeafOrigin::State(state) if at == 0 => {
                        if let Some(watched) = netlist.watched_at(&leaf.sort) {
                            contents.insert(state, netlist.leaf_value(leaf, &values)?);
                            let addresses = watched.addresses.iter().map(|(_, bits)| bits_of(&values, bits));
                            known.extend(addresses.map(|address| (state, address)));
                        }
                    }
                    LeafOrigin::Guess(guess) => {
                        let guess = &netlist.guesses[guess];
                        if let Some(state) = guess.state
                            && let Some(Value::Array(content)) = contents.get_mut(&state)
                        {
                            let index = bits_of(&values, &guess.index);
                            if known.insert((state, index.clone())) {
                                content.write(index, netlist.leaf_value(leaf, &values)?);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(contents)
    }
}

impl Netlist {
    /// The value of a leaf, given those of all nodes. Of an array that is watched nothing is known but its rows: the rest is zero.
    fn leaf_value(&self, leaf: &LeafWord, values: &[bool]) -> Result<Value, words::Unsupported> {
        let mut read = |bit: &Bit| value(values, *bit);
        let (Some(watched), Sort::Array(sort)) = (self.watched_at(&leaf.sort), &leaf.sort) else {
            return leaf.word.value(&leaf.sort, &mut read);
        };
        let mut content = ArrayValue::constant(sort.clone(), Value::zero(&sort.element));
        for ((_, address), row) in watched.addresses.iter().zip(leaf.word.table()?).rev() {
            content.write(bits_of(values, address), row.value(&sort.element, &mut read)?);
        }
        Ok(Value::Array(content))
    }

    /// The expression of the bit of a state that a latch stands for, over the system's states and what watched addresses are made of.
    pub fn state_bit(
        &self,
        system: &System,
        edits: &Edits,
        exprs: &mut ExprPool,
        origin: BitOrigin,
    ) -> ExprId {
        let sort = &system.signal(origin.state).sort;
        let state = exprs.signal(origin.state, sort.clone());
        let (Some(watched), Sort::Array(array)) = (self.watched_at(sort), sort) else {
            return state_bit(exprs, state, sort, origin.index);
        };
        let per_element = words::bit_count(&array.element).unwrap_or(1).max(1) as u32;
        let (address, _) = &watched.addresses[(origin.index / per_element) as usize];
        let address = spelled_out(system, edits, exprs, *address);
        let element = exprs.apply(BinaryOp::Read, state, address);
        state_bit(exprs, element, &array.element, origin.index % per_element)
    }
}

/// An address over states alone: lemmas may not read wires everywhere. It is small.
fn spelled_out(system: &System, edits: &Edits, exprs: &mut ExprPool, expr: ExprId) -> ExprId {
    exprs.import(&system.exprs, expr, &mut FxHashMap::default(), |exprs, node, sort| match node {
        Node::Signal(signal) => match system.definition(edits, Site::Wire(*signal)) {
            Definition::Expr(definition) => spelled_out(system, edits, exprs, definition),
            _ => exprs.signal(*signal, sort.clone()),
        },
        Node::Next(signal) => exprs.next(*signal, sort.clone()),
        _ => unreachable!("only signals are leaves"),
    })
}

/// The value of some bits, given those of all nodes.
fn bits_of(values: &[bool], bits: &[Bit]) -> Bits {
    Bits::from_bits(bits.iter().map(|bit| value(values, *bit)))
}

/// Looks up leaves of a netlist in a step, without evaluating any gate.
struct Reader {
    values: FxHashMap<usize, bool>,
}

impl Reader {
    fn value(&self, leaf: &LeafWord) -> Result<Value, words::Unsupported> {
        leaf.word.value(&leaf.sort, &mut |bit| {
            self.values.get(&bit.node()).copied().unwrap_or(false) ^ bit.is_negated()
        })
    }
}

impl BitStep {
    fn reader(&self, netlist: &Netlist) -> Reader {
        let latches = netlist.latches.iter().map(|latch| latch.bit.node()).zip(self.latches.iter().copied());
        let inputs = netlist.inputs.iter().map(|input| input.node()).zip(self.inputs.iter().copied());
        Reader { values: latches.chain(inputs).collect() }
    }

    /// The value of every node of the graph.
    pub fn evaluate(&self, netlist: &Netlist) -> Vec<bool> {
        self.evaluate_selected(netlist, None)
    }

    /// The value of every node of the graph, with one selector on.
    fn evaluate_selected(&self, netlist: &Netlist, selected: Option<Bit>) -> Vec<bool> {
        let mut values = vec![false; netlist.aig.len()];
        if let Some(selected) = selected {
            values[selected.node()] = true;
        }
        for (latch, value) in netlist.latches.iter().zip(&self.latches) {
            values[latch.bit.node()] = *value;
        }
        for (input, value) in netlist.inputs.iter().zip(&self.inputs) {
            values[input.node()] = *value;
        }
        netlist.aig.evaluate(&mut values);
        values
    }
}

/// The value of an edge, given those of the nodes.
pub fn value(values: &[bool], bit: Bit) -> bool {
    values[bit.node()] ^ bit.is_negated()
}

/// Enumerations of up to so many values are read by name, larger ones by position.
const NAMED_VARIANTS: usize = 8;

/// The expression of one bit of a state, in the order of [`Word::flat`](words::Word::flat): a bit of a bit-vector, of an element of an array, or
/// of the position of an enumeration's value.
pub fn state_bit(exprs: &mut ExprPool, state: ExprId, sort: &Sort, index: u32) -> ExprId {
    match sort {
        Sort::BitVec(_) => exprs.bit(state, index),
        Sort::Array(array) => {
            let per_element = words::bit_count(&array.element).unwrap_or(1).max(1) as u32;
            let width = array.index.width().unwrap_or(1);
            let at = exprs.constant(Value::Bits(Bits::from_u64(width, u64::from(index / per_element))));
            let element = exprs.apply(BinaryOp::Read, state, at);
            state_bit(exprs, element, &array.element, index % per_element)
        }
        Sort::Enum(sort) if sort.variants.len() > NAMED_VARIANTS => {
            match exprs.unary(UnaryOp::Position, state) {
                Ok(position) => exprs.bit(position, index),
                Err(error) => unreachable!("{error}"),
            }
        }
        Sort::Enum(sort) => {
            let with_bit = (0..sort.variants.len() as u32).filter(|position| position >> index & 1 == 1);
            let cases: Vec<ExprId> = with_bit
                .map(|position| {
                    let variant = exprs.constant(Value::Enum(sort.clone(), position));
                    exprs.eq(state, variant)
                })
                .collect();
            exprs.disjunction(cases)
        }
        Sort::Int | Sort::Real => unreachable!("a netlist has no latches of sort {sort}"),
    }
}
