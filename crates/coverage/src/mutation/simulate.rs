//! Parallel fault simulation: 256 mutants at a time under the same stimulus (Seshu, *On an improved diagnosis program*, IEEE
//! Trans. Electronic Computers, 1965).
//!
//! Each lane of the machine words is one mutant: its selector is true in that lane alone. A freed element takes the opposite
//! of the value that its definition has, which is the strongest simple choice.

use super::family::{Clause, Family};
use propcov_solve::aig::Gate;
use propcov_solve::{Bit, BitTrace};

/// How many mutants are simulated at a time.
pub(crate) const LANES: usize = 256;

/// One bit for each lane.
pub(crate) type Lanes = [u64; LANES / 64];

const NONE: Lanes = [0; LANES / 64];
const ALL: Lanes = [u64::MAX; LANES / 64];

/// What a node's lanes are computed from.
#[derive(Clone, Copy)]
enum Operation {
    And(u32, Bit, Bit),
    /// A leaf of a freed element: the opposite of this bit.
    Opposite(u32, Bit),
}

/// The family as a straight line of operations.
pub(crate) struct Simulator<'f> {
    family: &'f Family<'f>,
    operations: Vec<Operation>,
    values: Vec<Lanes>,
}

/// A mutant that a stimulus kills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// Position in the list of mutants.
    pub(crate) mutant: usize,
    /// The step that violates the property, counting from 0.
    pub(crate) step: usize,
    /// For a freed element, the bits that it took in each step.
    pub(crate) free: Vec<Vec<bool>>,
}

impl<'f> Simulator<'f> {
    pub(crate) fn new(family: &'f Family<'f>) -> Simulator<'f> {
        let netlist = &family.problem.netlist;
        let cone = netlist.aig.cone(netlist.roots());
        let mut opposite: Vec<Option<Bit>> = vec![None; netlist.aig.len()];
        for selector in &netlist.selectors {
            for (open, cut) in selector.open.iter().zip(&selector.cut) {
                opposite[open.node()] = Some(*cut);
            }
        }
        let operations = (0..netlist.aig.len())
            .filter(|node| cone[*node])
            .filter_map(|node| match (netlist.aig.gate(node), opposite[node]) {
                (Gate::And(a, b), _) => Some(Operation::And(node as u32, a, b)),
                (Gate::Leaf, Some(cut)) => Some(Operation::Opposite(node as u32, cut)),
                _ => None,
            })
            .collect();
        Simulator { family, operations, values: vec![NONE; netlist.aig.len()] }
    }

    /// How many machine words one step costs.
    pub(crate) fn cost(&self) -> u64 {
        (self.operations.len() * (LANES / 64)) as u64
    }

    /// Puts each of these mutants (at most [`LANES`]) into a lane of its own.
    pub(crate) fn assign(&mut self, mutants: &[usize]) {
        for selector in &self.family.problem.netlist.selectors {
            self.values[selector.bit.node()] = NONE;
        }
        for (lane, mutant) in mutants.iter().enumerate() {
            if let Some(bit) = self.family.selector_bit(*mutant) {
                self.values[bit.node()][lane / 64] |= 1 << (lane % 64);
            }
        }
    }

    fn broadcast(&mut self, bit: Bit, value: bool) {
        self.values[bit.node()] = if value { ALL } else { NONE };
    }

    pub(crate) fn set_inputs(&mut self, inputs: &[bool]) {
        let netlist = &self.family.problem.netlist;
        for (input, value) in netlist.inputs.iter().zip(inputs) {
            self.broadcast(*input, *value);
        }
    }

    pub(crate) fn set_latches(&mut self, latches: &[bool]) {
        let netlist = &self.family.problem.netlist;
        for (latch, value) in netlist.latches.iter().zip(latches) {
            self.broadcast(latch.bit, *value);
        }
    }

    pub(crate) fn evaluate(&mut self) {
        let values = &mut self.values;
        let read = |values: &[Lanes], bit: Bit| {
            let mask = if bit.is_negated() { u64::MAX } else { 0 };
            values[bit.node()].map(|word| word ^ mask)
        };
        for operation in &self.operations {
            match *operation {
                Operation::And(node, a, b) => {
                    let (a, b) = (read(values, a), read(values, b));
                    values[node as usize] = std::array::from_fn(|word| a[word] & b[word]);
                }
                Operation::Opposite(node, cut) => values[node as usize] = read(values, !cut),
            }
        }
    }

    pub(crate) fn lanes(&self, bit: Bit) -> Lanes {
        let mask = if bit.is_negated() { u64::MAX } else { 0 };
        self.values[bit.node()].map(|word| word ^ mask)
    }

    /// The lanes in which all of these hold.
    pub(crate) fn all(&self, bits: &[Bit]) -> Lanes {
        bits.iter().fold(ALL, |lanes, bit| and(lanes, self.lanes(*bit)))
    }

    /// The lanes that satisfy all clauses.
    pub(crate) fn satisfying(&self, clauses: &[Clause]) -> Lanes {
        clauses.iter().fold(ALL, |lanes, clause| {
            let satisfied = clause.iter().fold(NONE, |lanes, bit| or(lanes, self.lanes(*bit)));
            and(lanes, satisfied)
        })
    }

    /// Lets every latch take its next value.
    pub(crate) fn advance(&mut self) {
        let netlist = &self.family.problem.netlist;
        let next: Vec<Lanes> = netlist.latches.iter().map(|latch| self.lanes(latch.next)).collect();
        for (latch, next) in netlist.latches.iter().zip(next) {
            self.values[latch.bit.node()] = next;
        }
    }

    /// In how many steps of a stimulus the design satisfies its assumptions, from the first on.
    pub(crate) fn lasts(&mut self, stimulus: &BitTrace) -> usize {
        let netlist = &self.family.problem.netlist;
        self.assign(&[]);
        for (index, step) in stimulus.steps.iter().enumerate() {
            if index == 0 {
                self.set_latches(&step.latches);
            }
            self.set_inputs(&step.inputs);
            self.evaluate();
            let initial: &[Bit] = if index == 0 { &netlist.initial } else { &[] };
            let allowed = and(self.all(&netlist.constraints), self.all(initial));
            if allowed[0] & 1 == 0 {
                return index;
            }
            if self.all(&netlist.transitions)[0] & 1 == 0 {
                return index + 1;
            }
            self.advance();
        }
        stimulus.steps.len()
    }

    /// Runs the stimulus on at most [`LANES`] mutants; who is killed, and in which step first.
    pub(crate) fn run(&mut self, mutants: &[usize], stimulus: &BitTrace) -> Vec<Hit> {
        let netlist = &self.family.problem.netlist;
        let mut alive = lanes_up_to(mutants.len());
        let mut hits = Vec::new();
        self.assign(mutants);
        let open: Vec<&[Bit]> = mutants.iter().map(|mutant| self.family.open_bits(*mutant)).collect();
        let mut free: Vec<Vec<Vec<bool>>> = vec![Vec::new(); mutants.len()];
        for (index, step) in stimulus.steps.iter().enumerate() {
            if index == 0 {
                self.set_latches(&step.latches);
            }
            self.set_inputs(&step.inputs);
            self.evaluate();
            alive = and(alive, self.all(&netlist.constraints));
            if index == 0 {
                alive = and(alive, self.all(&netlist.initial));
            }
            for lane in members(alive).filter(|lane| !open[*lane].is_empty()) {
                let bit = |bit: &Bit| self.lanes(*bit)[lane / 64] >> (lane % 64) & 1 == 1;
                free[lane].push(open[lane].iter().map(bit).collect());
            }
            let killed = and(alive, self.lanes(self.family.bad()));
            hits.extend(members(killed).map(|lane| Hit {
                mutant: mutants[lane],
                step: index,
                free: std::mem::take(&mut free[lane]),
            }));
            alive = and_not(alive, killed);
            alive = and(alive, self.all(&netlist.transitions));
            if alive == NONE {
                break;
            }
            self.advance();
        }
        hits
    }
}

pub(crate) fn and(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] & b[word])
}

fn or(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] | b[word])
}

pub(crate) fn and_not(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// The first lanes.
pub(crate) fn lanes_up_to(count: usize) -> Lanes {
    std::array::from_fn(|word| match count.saturating_sub(64 * word) {
        64.. => u64::MAX,
        some => (1 << some) - 1,
    })
}

/// The lanes that are set, in order.
pub(crate) fn members(lanes: Lanes) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| lanes[lane / 64] >> (lane % 64) & 1 == 1)
}
