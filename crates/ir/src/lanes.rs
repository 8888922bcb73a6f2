//! Simulation of 64 runs at a time: bit i of every machine word belongs to run i, the i-th *lane*.
//!
//! The system is compiled once into a straight line of two-input gates over machine words, by the same circuits that the
//! SAT encoder uses ([`words`](crate::words)). Each lane may have faults of its own, which cost nothing while there are
//! none: the line is interrupted only where a [forced](Lanes::force) wire is defined. This is parallel fault simulation
//! (Seshu, *On an improved diagnosis program*, IEEE Trans. Electronic Computers, 1965).
//!
//! One step goes like this: fill the inputs ([`Lanes::leaf_mut`]), [`Lanes::evaluate`], read properties and constraints
//! as one bit per lane, choose successors that the system leaves open ([`Lanes::successor_mut`]), [`Lanes::advance`].

mod compile;

use crate::words::{self, BitAlgebra, Unsupported, Word};
use crate::{Edits, ElementId, PropertyId, SignalId, Sort, System, SystemError, Value};
use compile::{Gate, Literal, Place, Program};
use std::sync::Arc;
use thiserror::Error;

/// A system compiled for simulation, and the state of 64 runs. Clones share the compiled program.
#[derive(Clone, Debug)]
pub struct Lanes {
    program: Arc<Program>,
    slots: Vec<u64>,
    /// Faults on wires, by position in the program.
    wire_forces: Vec<Force>,
    /// Faults on next values: applied to the successors' slots once those are computed.
    next_forces: Vec<Force>,
    /// Faults on initial values and constraints, which are applied where those are read.
    read_forces: Vec<(Place, Force)>,
}

/// What happens to one bit: `(value & keep) ^ flip`.
#[derive(Clone, Copy, Debug)]
struct Force {
    /// How many gates come first; for what is not a wire, which bit of the word this is.
    position: usize,
    /// The bit.
    literal: Literal,
    keep: u64,
    flip: u64,
}

impl Force {
    fn apply(&self, slots: &mut [u64]) {
        let slot = &mut slots[self.literal.slot()];
        let mask = self.literal.mask();
        *slot = ((*slot ^ mask) & self.keep ^ self.flip) ^ mask;
    }
}

/// What a forced element does instead of what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault<'v> {
    /// It has this value.
    Stuck(&'v Value),
    /// It is negated bit by bit.
    Inverted,
}

/// A system that cannot be simulated in lanes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LanesError {
    /// The system has no meaning.
    #[error(transparent)]
    System(#[from] SystemError),
    /// Something has no representation as bits.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

impl Lanes {
    /// Compiles the system under edits, which apply in all lanes. All inputs and states are 0 at first.
    pub fn new(system: &System, edits: &Edits) -> Result<Lanes, LanesError> {
        let program = compile::compile(system, edits)?;
        let slots = vec![0; program.slot_count()];
        Ok(Lanes {
            program: Arc::new(program),
            slots,
            wire_forces: Vec::new(),
            next_forces: Vec::new(),
            read_forces: Vec::new(),
        })
    }

    /// The bits of an input, a state or a freed wire, for all lanes: one word per bit, in the order of
    /// [`Word::flat`]. Empty for signals that have a definition.
    pub fn leaf_mut(&mut self, signal: SignalId) -> &mut [u64] {
        let leaf = self.program.leaves[signal.0 as usize].clone();
        &mut self.slots[leaf]
    }

    /// Gives an input, a state or a freed wire its value in one lane.
    pub fn set(&mut self, signal: SignalId, lane: u32, value: &Value) -> Result<(), Unsupported> {
        let bits = words::constant(&mut Booleans, value)?.flat();
        for (slot, bit) in self.leaf_mut(signal).iter_mut().zip(bits) {
            *slot = *slot & !(1 << lane) | u64::from(bit) << lane;
        }
        Ok(())
    }

    /// The value of any signal in one lane, as of the last [`Lanes::evaluate`].
    pub fn value(&self, signal: SignalId, lane: u32) -> Result<Value, Unsupported> {
        let (sort, word) = &self.program.signals[signal.0 as usize];
        self.decode(sort, word, lane)
    }

    fn decode(&self, sort: &Sort, word: &Word<Literal>, lane: u32) -> Result<Value, Unsupported> {
        word.value(sort, &mut |literal| self.read(*literal) >> lane & 1 == 1)
    }

    fn read(&self, literal: Literal) -> u64 {
        self.slots[literal.slot()] ^ literal.mask()
    }

    /// Injects a fault at an element in the lanes of the mask. Says whether it could: not at a definition that edits have
    /// dropped, nor with a value of another sort.
    pub fn force(&mut self, element: ElementId, lanes: u64, fault: Fault<'_>) -> bool {
        let Some((place, sort, word)) =
            self.program.elements.get(element.0 as usize).and_then(Option::as_ref)
        else {
            return false;
        };
        let values = match fault {
            Fault::Inverted => None,
            Fault::Stuck(value) if value.has_sort(sort) => match words::constant(&mut Booleans, value) {
                Ok(word) => Some(word.flat()),
                Err(_) => return false,
            },
            Fault::Stuck(_) => return false,
        };
        let place = *place;
        for (index, literal) in word.flat().into_iter().enumerate() {
            let (keep, flip) = match &values {
                None => (u64::MAX, lanes),
                Some(values) => (!lanes, if values[index] { lanes } else { 0 }),
            };
            match place {
                Place::Wire { position } => {
                    let force = Force { position, literal, keep, flip };
                    let at = self.wire_forces.partition_point(|other| other.position <= position);
                    self.wire_forces.insert(at, force);
                }
                Place::Next(state) => {
                    let slot = self.program.successors[state.0 as usize].start + index;
                    let literal = Literal::positive(slot);
                    self.next_forces.push(Force { position: index, literal, keep, flip });
                }
                Place::Init(_) | Place::Constraint(_) => {
                    self.read_forces.push((place, Force { position: index, literal, keep, flip }));
                }
            }
        }
        true
    }

    /// Removes all faults.
    pub fn clear_forces(&mut self) {
        self.wire_forces.clear();
        self.next_forces.clear();
        self.read_forces.clear();
    }

    /// Computes everything that follows from inputs and states in this step, successors included.
    pub fn evaluate(&mut self) {
        let program = Arc::clone(&self.program);
        let mut done = 0;
        for force in &self.wire_forces {
            run(&mut self.slots, &program, done..force.position);
            done = force.position;
            force.apply(&mut self.slots);
        }
        run(&mut self.slots, &program, done..program.step_gates);
        for next in &program.next {
            for (slot, literal) in next.successor.clone().zip(&next.value) {
                self.slots[slot] = self.read(*literal);
            }
        }
        for force in &self.next_forces {
            force.apply(&mut self.slots);
        }
    }

    fn forced(&self, place: Place, index: usize, value: u64) -> u64 {
        let forces = self.read_forces.iter().filter(|(at, force)| *at == place && force.position == index);
        forces.fold(value, |value, (_, force)| value & force.keep ^ force.flip)
    }

    /// The lanes in which the invariant holds in this step; `None` for other properties.
    pub fn property(&self, property: PropertyId) -> Option<u64> {
        self.program.properties.get(property.0 as usize).copied().flatten().map(|literal| self.read(literal))
    }

    /// The lanes in which every constraint on single steps holds.
    pub fn always(&self) -> u64 {
        self.constraints(&self.program.always)
    }

    /// The lanes in which this may be a first step: states equal their initial values, and the constraints on first steps
    /// hold. [`Lanes::always`] comes on top of that.
    pub fn initial(&self) -> u64 {
        let states = self.program.init.iter().fold(u64::MAX, |lanes, init| {
            let bits = init.state.clone().zip(&init.value).enumerate();
            bits.fold(lanes, |lanes, (index, (slot, literal))| {
                lanes
                    & !(self.slots[slot] ^ self.forced(Place::Init(init.signal), index, self.read(*literal)))
            })
        });
        states & self.constraints(&self.program.initial)
    }

    /// The lanes in which every constraint on transitions holds from this step to the chosen successors.
    pub fn transition(&mut self) -> u64 {
        let program = Arc::clone(&self.program);
        run(&mut self.slots, &program, program.step_gates..program.gates.len());
        self.constraints(&program.transition)
    }

    fn constraints(&self, constraints: &[(crate::ConstraintId, Literal)]) -> u64 {
        constraints.iter().fold(u64::MAX, |lanes, (constraint, literal)| {
            lanes & self.forced(Place::Constraint(*constraint), 0, self.read(*literal))
        })
    }

    /// The lanes in which each input, state and freed wire of an enumeration has one of its values. Bits that are filled
    /// through [`Lanes::leaf_mut`] may also be a code that has no meaning.
    pub fn meaningful(&self) -> u64 {
        self.read(self.program.meaningful)
    }

    /// The bits that a state will have in the next step. [`Lanes::evaluate`] fills those that the system defines; the
    /// others are for the caller to choose.
    pub fn successor_mut(&mut self, state: SignalId) -> &mut [u64] {
        let successor = self.program.successors[state.0 as usize].clone();
        &mut self.slots[successor]
    }

    /// Gives every state the value of its successor.
    pub fn advance(&mut self) {
        for (state, successor) in self.program.leaves.iter().zip(&self.program.successors) {
            if !successor.is_empty() {
                self.slots.copy_within(successor.clone(), state.start);
            }
        }
    }

    /// Gives every state with an initial value that value, for the inputs and open states as they are, and evaluates.
    /// Returns the lanes in which this is an [initial](Lanes::initial) step. Initial values that depend on each other in
    /// a loop are not solved: those lanes are left out.
    pub fn reset(&mut self) -> u64 {
        let program = Arc::clone(&self.program);
        self.evaluate();
        // An initial value may read states whose own initial value is only now known: at worst a chain of all of them.
        for _ in &program.init {
            let mut changed = false;
            for init in &program.init {
                for (index, (slot, literal)) in init.state.clone().zip(&init.value).enumerate() {
                    let value = self.forced(Place::Init(init.signal), index, self.read(*literal));
                    changed |= self.slots[slot] != value;
                    self.slots[slot] = value;
                }
            }
            if !changed {
                break;
            }
            self.evaluate();
        }
        self.initial()
    }
}

/// Runs part of the program. This loop is what simulation costs.
fn run(slots: &mut [u64], program: &Program, gates: std::ops::Range<usize>) {
    let first = program.first_gate + gates.start;
    for (offset, Gate { a, b }) in program.gates[gates].iter().enumerate() {
        let (a, b) = (slots[a.slot()] ^ a.mask(), slots[b.slot()] ^ b.mask());
        slots[first + offset] = a & b;
    }
}

/// The algebra of plain truth values, to encode literals.
struct Booleans;

impl BitAlgebra for Booleans {
    type Bit = bool;

    fn constant(&mut self, value: bool) -> bool {
        value
    }

    fn not(&mut self, a: &bool) -> bool {
        !a
    }

    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a && *b
    }
}
