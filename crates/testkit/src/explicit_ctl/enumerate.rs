//! The states and transitions of a small system, by trying all values.
//!
//! Inputs are tried 64 at a time with [`Lanes`]; what follows where the system leaves it open is tried one by one. Fairness conditions become
//! wires of a copy of the system, because lanes know the values of signals only.

use super::graph::{Condition, Edge, Graph};
use crate::ExploreError;
use crate::explicit::{COUNTING, bits_of, decode};
use propcov_ir::{Definition, Edits, Fairness, Lanes, SignalId, Site, Sort, System, Value};

/// More bits than this are not enumerated: of states, choices within a step, and open successors together.
const LIMIT: usize = 24;

/// Everything that there is to know about a system's states and transitions.
pub(super) struct Structure {
    /// The values of the state signals, for each state.
    pub(super) states: Vec<Vec<Value>>,
    pub(super) initial: Vec<bool>,
    pub(super) graph: Graph,
}

pub(super) fn enumerate(system: &System, edits: &Edits) -> Result<Structure, ExploreError> {
    Enumeration::new(system, edits)?.run()
}

struct Enumeration {
    lanes: Lanes,
    /// The state signals, and whether what follows is open.
    signals: Vec<(SignalId, Sort, bool)>,
    state_bits: usize,
    open_bits: usize,
    /// Inputs and freed wires.
    choices: Vec<SignalId>,
    choice_bits: usize,
    /// The wires that say whether a fairness condition is met.
    fairness: Vec<SignalId>,
    conditions: Vec<Condition>,
}

/// What was found, by code of the state; codes need not be states.
struct Found {
    is_state: Vec<bool>,
    is_initial: Vec<bool>,
    edges: Vec<Edge>,
}

impl Enumeration {
    fn new(system: &System, edits: &Edits) -> Result<Enumeration, ExploreError> {
        let mut watched = system.clone();
        let mut fairness = Vec::new();
        let mut watch = |expr| {
            fairness.push(watched.add_wire("fairness", expr));
            fairness.len() as u32 - 1
        };
        let conditions: Vec<Condition> = system
            .fairness
            .iter()
            .map(|condition| match *condition {
                Fairness::Justice(expr) => Condition::Justice(watch(expr)),
                Fairness::Compassion(premise, conclusion) => {
                    Condition::Compassion(watch(premise), watch(conclusion))
                }
            })
            .collect();
        let is_open = |site| system.definition(edits, site) == Definition::Open;
        let signals: Vec<(SignalId, Sort, bool)> = system
            .states()
            .iter()
            .map(|state| (*state, system.signal(*state).sort.clone(), is_open(Site::Next(*state))))
            .collect();
        let freed = system.wires().iter().filter(|wire| is_open(Site::Wire(**wire)));
        let choices: Vec<SignalId> = system.inputs().iter().chain(freed).copied().collect();
        let sum = |bits: &mut dyn Iterator<Item = usize>| bits.fold(0usize, usize::saturating_add);
        let state_bits = sum(&mut signals.iter().map(|(_, sort, _)| bits_of(sort)));
        let open = signals.iter().filter(|(_, _, open)| *open);
        let open_bits = sum(&mut open.map(|(_, sort, _)| bits_of(sort)));
        let choice_bits = sum(&mut choices.iter().map(|signal| bits_of(&system.signal(*signal).sort)));
        let all = sum(&mut [state_bits, open_bits, choice_bits].into_iter());
        if all > LIMIT || fairness.len() > u64::BITS as usize {
            return Err(ExploreError::TooLarge(all.max(fairness.len())));
        }
        let lanes = Lanes::new(&watched, edits)?;
        Ok(Enumeration { lanes, signals, state_bits, open_bits, choices, choice_bits, fairness, conditions })
    }

    fn run(mut self) -> Result<Structure, ExploreError> {
        let codes = 1usize << self.state_bits;
        let mut found =
            Found { is_state: vec![false; codes], is_initial: vec![false; codes], edges: Vec::new() };
        for code in 0..codes {
            self.expand(code, &mut found)?;
        }
        let Found { is_state, is_initial, mut edges } = found;
        let states: Vec<usize> = (0..codes).filter(|code| is_state[*code]).collect();
        let mut number = vec![usize::MAX; codes];
        states.iter().enumerate().for_each(|(index, code)| number[*code] = index);
        edges.retain(|edge| is_state[edge.to]);
        for edge in &mut edges {
            (edge.from, edge.to) = (number[edge.from], number[edge.to]);
        }
        Ok(Structure {
            initial: states.iter().map(|code| is_initial[*code]).collect(),
            graph: Graph { states: states.len(), edges, conditions: self.conditions.clone() },
            states: states.into_iter().map(|code| self.decode(code)).collect(),
        })
    }

    fn decode(&self, code: usize) -> Vec<Value> {
        let mut rest = code;
        self.signals.iter().map(|(_, sort, _)| decode(sort, &mut rest)).collect()
    }

    /// Whether a code is a state, an initial one, and what follows it: under all inputs.
    fn expand(&mut self, code: usize, found: &mut Found) -> Result<(), ExploreError> {
        let mut place = 0;
        for (state, ..) in &self.signals {
            for slot in self.lanes.leaf_mut(*state) {
                *slot = all_lanes(code, place);
                place += 1;
            }
        }
        let lane_bits = self.choice_bits.min(6);
        let used = u64::MAX >> (64 - (1u32 << lane_bits));
        let mut edges = Vec::new();
        for block in 0..1 << (self.choice_bits - lane_bits) {
            self.set_choices(block, lane_bits);
            self.lanes.evaluate();
            let allowed = used & self.lanes.always() & self.lanes.meaningful();
            found.is_state[code] |= allowed != 0;
            found.is_initial[code] |= allowed & self.lanes.initial() != 0;
            let met = self.met(allowed)?;
            for choice in 0..1usize << self.open_bits {
                self.set_open_successors(choice);
                let mut lanes = allowed & self.lanes.transition();
                while lanes != 0 {
                    let lane = lanes.trailing_zeros();
                    lanes &= lanes - 1;
                    edges.push(Edge { from: code, to: self.successor(lane), met: met[lane as usize] });
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        found.edges.extend(edges);
        Ok(())
    }

    /// The low bits of the choice count through the lanes, the others are those of the block.
    fn set_choices(&mut self, block: usize, lane_bits: usize) {
        let mut place = 0;
        for signal in &self.choices {
            for slot in self.lanes.leaf_mut(*signal) {
                *slot = if place < lane_bits { COUNTING[place] } else { all_lanes(block, place - lane_bits) };
                place += 1;
            }
        }
    }

    /// Which fairness conditions are met, for each of the lanes.
    fn met(&self, lanes: u64) -> Result<[u64; 64], ExploreError> {
        let mut met = [0; 64];
        for (condition, wire) in self.fairness.iter().enumerate() {
            for lane in (0..64).filter(|lane| lanes >> lane & 1 == 1) {
                let value = self.lanes.value(*wire, lane).map_err(propcov_ir::LanesError::from)?;
                met[lane as usize] |= u64::from(value == Value::bool(true)) << condition;
            }
        }
        Ok(met)
    }

    fn set_open_successors(&mut self, choice: usize) {
        let mut place = 0;
        for (state, _, open) in &self.signals {
            if *open {
                for slot in self.lanes.successor_mut(*state) {
                    *slot = all_lanes(choice, place);
                    place += 1;
                }
            }
        }
    }

    fn successor(&mut self, lane: u32) -> usize {
        let (mut code, mut place) = (0, 0);
        for (state, ..) in &self.signals {
            for slot in self.lanes.successor_mut(*state) {
                code |= ((*slot >> lane & 1) as usize) << place;
                place += 1;
            }
        }
        code
    }
}

/// A bit of a code, the same in all lanes.
fn all_lanes(code: usize, place: usize) -> u64 {
    (code >> place & 1) as u64 * u64::MAX
}
