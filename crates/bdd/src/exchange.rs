//! The exchange of two adjacent variables, in place: a node keeps its index and its function, so no handle and no parent notices.
//!
//! Let a be above b. A node of a that has no child of b stays as it is. Any other becomes a node of b whose children, nodes of a, are found or
//! made from its four grandchildren. Nodes of b that lose their last parent are freed at once. Nothing below the two levels can die: every
//! grandchild is needed again.
//!
//! # References
//! R. Rudell: Dynamic variable ordering for ordered binary decision diagrams. ICCAD 1993.

use fixedbitset::FixedBitSet;

use super::edge::Edge;
use super::interact::Interactions;
use super::store::{BUCKETS, NIL, Node, Store};

/// A table with more than this many buckets per node is made smaller, because enumerating it costs as much as it has buckets.
const SPARSE: usize = 4 * BUCKETS;

/// The state of one reordering: no dead nodes at the start, none at any time.
pub(super) struct Exchange<'s> {
    pub(super) store: &'s mut Store,
    pub(super) interactions: Interactions,
    /// How many edges and handles lead to a node, by node index.
    references: Vec<u32>,
    /// Indices that were freed, and may stand for another function now.
    pub(super) died: FixedBitSet,
    pub(super) done: Done,
    /// Nodes of the upper variable that have a child of the lower one.
    dependent: Vec<u32>,
}

/// The effort so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Done {
    /// Exchanges that touched nodes.
    pub(super) exchanges: u64,
    /// Nodes looked at, which does not depend on the machine.
    pub(super) work: u64,
}

impl<'s> Exchange<'s> {
    /// All nodes of the store are reachable from the roots, each of which counts as one reference.
    pub(super) fn new(store: &'s mut Store, roots: &[Edge]) -> Exchange<'s> {
        let mut references = vec![0; store.nodes.len()];
        for table in &store.tables {
            for bucket in &table.buckets {
                let mut at = *bucket;
                while at != NIL {
                    let node = &store.nodes[at as usize];
                    references[node.then.index()] += 1;
                    references[node.otherwise.index()] += 1;
                    at = node.next;
                }
            }
        }
        let tops: Vec<Edge> = roots.iter().copied().filter(|root| references[root.index()] == 0).collect();
        let interactions = Interactions::new(store, &tops);
        for root in roots {
            references[root.index()] += 1;
        }
        let died = FixedBitSet::with_capacity(store.nodes.len());
        Exchange { store, interactions, references, died, done: Done::default(), dependent: Vec::new() }
    }

    /// Exchanges the variables at this level and the next.
    pub(super) fn exchange(&mut self, level: usize) {
        let (upper, lower) = (self.store.order[level], self.store.order[level + 1]);
        self.store.order.swap(level, level + 1);
        self.store.levels.swap(upper as usize, lower as usize);
        if !self.interactions.contains(upper, lower) {
            return;
        }
        self.done.exchanges += 1;
        self.take_out_dependent(upper, lower);
        let mut dependent = std::mem::take(&mut self.dependent);
        for index in dependent.drain(..) {
            self.rewrite(index, upper, lower);
        }
        self.dependent = dependent;
        for var in [upper, lower] {
            let table = &self.store.tables[var as usize];
            if table.buckets.len() > (SPARSE * table.count).max(16) {
                self.store.resize(var, (BUCKETS * table.count).next_power_of_two().max(4));
            }
        }
    }

    /// Moves the nodes of the upper variable that have a child of the lower one from their table to a list.
    fn take_out_dependent(&mut self, upper: u32, lower: u32) {
        let nodes = &mut self.store.nodes;
        let table = &mut self.store.tables[upper as usize];
        self.done.work += (table.count + table.buckets.len() / 4 + 1) as u64;
        for bucket in &mut table.buckets {
            let mut at = *bucket;
            let mut last = NIL;
            while at != NIL {
                let Node { then, otherwise, next, .. } = nodes[at as usize];
                if nodes[then.index()].var == lower || nodes[otherwise.index()].var == lower {
                    self.dependent.push(at);
                    if last == NIL {
                        *bucket = next;
                    } else {
                        nodes[last as usize].next = next;
                    }
                } else {
                    last = at;
                }
                at = next;
            }
        }
        table.count -= self.dependent.len();
    }

    /// Makes a node of the upper variable one of the lower.
    fn rewrite(&mut self, index: u32, upper: u32, lower: u32) {
        let Node { then: f1, otherwise: f0, .. } = self.store.nodes[index as usize];
        let split = |edge: Edge| {
            let node = self.store.node(edge);
            if node.var == lower { node.split(edge) } else { (edge, edge) }
        };
        let ((f11, f10), (f01, f00)) = (split(f1), split(f0));
        // f11 is regular, so the new then edge is.
        let then = self.child(upper, f11, f01);
        let otherwise = self.child(upper, f10, f00);
        self.store.nodes[index as usize] = Node { var: lower, then, otherwise, next: NIL };
        self.store.link(index);
        self.done.work += 2;
        self.drop_reference(f1, lower);
        self.drop_reference(f0, lower);
    }

    /// The node with these children, with one more reference.
    fn child(&mut self, var: u32, then: Edge, otherwise: Edge) -> Edge {
        if then == otherwise {
            self.references[then.index()] += 1;
            return then;
        }
        let (regular, other) = (then.regular(), otherwise.negate_like(then));
        let node = self.store.find(var, regular, other).unwrap_or_else(|| {
            let node = self.store.add(var, regular, other);
            if node.index() >= self.references.len() {
                self.references.push(0);
            }
            self.references[regular.index()] += 1;
            self.references[other.index()] += 1;
            node
        });
        self.references[node.index()] += 1;
        node.negate_like(then)
    }

    /// One reference less; a node of the lower variable without any is freed.
    fn drop_reference(&mut self, edge: Edge, lower: u32) {
        let index = edge.index();
        self.references[index] -= 1;
        if self.references[index] > 0 {
            return;
        }
        let node = self.store.nodes[index];
        debug_assert_eq!(node.var, lower, "only nodes of the lower variable can die");
        self.references[node.then.index()] -= 1;
        self.references[node.otherwise.index()] -= 1;
        self.store.unlink(index as u32);
        self.store.release(index as u32);
        // Indices that did not exist at the start are in no cache.
        if index < self.died.len() {
            self.died.insert(index);
        }
    }

    /// The nodes of a variable.
    pub(super) fn count(&self, var: u32) -> usize {
        self.store.tables[var as usize].count
    }
}
