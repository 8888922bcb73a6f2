//! And-inverter graphs with structural hashing.
//!
//! Every node is the constant, a leaf, or the conjunction of two earlier edges; an edge may negate. Construction folds
//! constants and applies the one- and two-level rules of Brummayer and Biere, "Local two-level and-inverter graph
//! minimization without blowup", MEMICS 2006 (contradiction, idempotence, subsumption, substitution), none of which
//! ever adds a node.

use propcov_budget::{Budget, Meter};
use propcov_ir::words::BitAlgebra;
use rustc_hash::FxHashMap;
use std::ops::Not;

/// An edge: a node and whether it is negated, as `2 * node + negated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bit(u32);

impl Bit {
    /// The constant false.
    pub const FALSE: Bit = Bit(0);
    /// The constant true.
    pub const TRUE: Bit = Bit(1);

    /// A constant.
    pub fn constant(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    /// The node that the edge points to.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The edge to a node.
    pub fn of_node(node: usize, negated: bool) -> Bit {
        Bit((node as u32) << 1 | u32::from(negated))
    }

    /// Whether the edge negates.
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// This edge, or its negation when asked to.
    pub fn negated_if(self, negate: bool) -> Bit {
        Bit(self.0 ^ u32::from(negate))
    }

    /// The value of a constant edge.
    pub fn as_constant(self) -> Option<bool> {
        (self.node() == 0).then_some(self == Bit::TRUE)
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// A node's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Node 0: false.
    False,
    /// An input or latch.
    Leaf,
    /// A conjunction of two edges to earlier nodes, the larger first.
    And(Bit, Bit),
}

/// The graph; operands precede the nodes that use them.
#[derive(Clone, Debug)]
pub struct Aig {
    /// The operands of each conjunction, the larger first; the constant and leaves have their own edge twice.
    gates: Vec<(Bit, Bit)>,
    /// From operands to the conjunction.
    hash: FxHashMap<(Bit, Bit), u32>,
    meter: Meter,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig { gates: vec![(Bit::FALSE, Bit::FALSE)], hash: FxHashMap::default(), meter: Meter::default() }
    }
}

impl Aig {
    /// A graph with only the constant.
    pub fn new() -> Aig {
        Aig::default()
    }

    /// A graph with only the constant that grows within a budget. When that is used up, every conjunction is the constant false, so that whoever
    /// is in the middle of a large circuit soon has all of it; [`Aig::has_stopped`] says that it must not be used.
    pub fn within(budget: Budget) -> Aig {
        Aig { meter: Meter::new(budget), ..Aig::default() }
    }

    /// Whether the budget was used up, and the graph means nothing.
    pub fn has_stopped(&self) -> bool {
        self.meter.has_stopped()
    }

    /// What it was made within.
    pub fn budget(&self) -> &Budget {
        self.meter.budget()
    }

    /// Notes work that is no conjunction. Returns whether the budget is used up.
    pub(crate) fn is_spent(&mut self, work: usize) -> bool {
        self.meter.is_spent(work)
    }

    /// The number of nodes, the constant and leaves included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Never: the constant is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// A node's definition.
    pub fn gate(&self, node: usize) -> Gate {
        match self.gates[node] {
            (a, b) if a != b => Gate::And(a, b),
            _ if node == 0 => Gate::False,
            _ => Gate::Leaf,
        }
    }

    /// A fresh leaf.
    pub fn leaf(&mut self) -> Bit {
        let leaf = Bit::of_node(self.gates.len(), false);
        self.gates.push((leaf, leaf));
        leaf
    }

    /// The operands of a positive edge to a conjunction.
    fn conjuncts(&self, bit: Bit) -> Option<(Bit, Bit)> {
        let (a, b) = self.gates[bit.node()];
        (a != b).then_some((a, b))
    }

    /// Conjunction.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        if self.meter.is_spent(1) {
            return Bit::FALSE;
        }
        let (mut a, mut b) = (a.max(b), a.min(b));
        loop {
            if b == Bit::FALSE || a == !b {
                return Bit::FALSE;
            }
            if b == Bit::TRUE || a == b {
                return a;
            }
            match self.two_level(a, b) {
                Rewrite::None => break,
                Rewrite::To(bit) => return bit,
                Rewrite::And(x, y) => (a, b) = (x.max(y), x.min(y)),
            }
        }
        let fresh = self.gates.len() as u32;
        let node = *self.hash.entry((a, b)).or_insert(fresh);
        if node == fresh {
            self.gates.push((a, b));
        }
        Bit::of_node(node as usize, false)
    }

    fn two_level(&self, a: Bit, b: Bit) -> Rewrite {
        for (x, y) in [(a, b), (b, a)] {
            let Some((p, q)) = self.conjuncts(x) else { continue };
            if x.is_negated() {
                // y & !(p & q)
                if y == !p || y == !q {
                    return Rewrite::To(y); // subsumption
                }
                if y == p {
                    return Rewrite::And(y, !q); // substitution
                }
                if y == q {
                    return Rewrite::And(y, !p);
                }
            } else {
                // (p & q) & y
                if y == p || y == q {
                    return Rewrite::To(x); // idempotence
                }
                if y == !p || y == !q {
                    return Rewrite::To(Bit::FALSE); // contradiction
                }
            }
        }
        let (Some((p, q)), Some((r, s))) = (self.conjuncts(a), self.conjuncts(b)) else {
            return Rewrite::None;
        };
        let clash = p == !r || p == !s || q == !r || q == !s;
        match (a.is_negated(), b.is_negated()) {
            (false, false) if clash => Rewrite::To(Bit::FALSE),
            (false, true) if clash => Rewrite::To(a),
            (true, false) if clash => Rewrite::To(b),
            // !(p & q) & !(p & !q) = !p (resolution)
            (true, true) if (p == r && q == !s) || (p == s && q == !r) => Rewrite::To(!p),
            (true, true) if (q == r && p == !s) || (q == s && p == !r) => Rewrite::To(!q),
            _ => Rewrite::None,
        }
    }

    /// The nodes that the edges depend on, as a mask by node.
    pub fn cone(&self, roots: impl IntoIterator<Item = Bit>) -> Vec<bool> {
        let mut cone = vec![false; self.len()];
        for root in roots {
            cone[root.node()] = true;
        }
        for node in (0..self.len()).rev() {
            let (a, b) = self.gates[node];
            if cone[node] && a != b {
                cone[a.node()] = true;
                cone[b.node()] = true;
            }
        }
        cone
    }

    /// Fills in the value of every conjunction, given those of the leaves.
    pub fn evaluate(&self, values: &mut [bool]) {
        values[0] = false;
        for (node, (a, b)) in self.gates.iter().enumerate() {
            if a != b {
                values[node] = (values[a.node()] ^ a.is_negated()) & (values[b.node()] ^ b.is_negated());
            }
        }
    }
}

enum Rewrite {
    None,
    To(Bit),
    And(Bit, Bit),
}

impl BitAlgebra for Aig {
    type Bit = Bit;

    fn constant(&mut self, value: bool) -> Bit {
        Bit::constant(value)
    }

    fn not(&mut self, a: &Bit) -> Bit {
        !*a
    }

    fn and(&mut self, a: &Bit, b: &Bit) -> Bit {
        Aig::and(self, *a, *b)
    }

    fn known(&self, bit: &Bit) -> Option<bool> {
        bit.as_constant()
    }
}
