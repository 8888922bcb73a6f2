//! The nodes: one array for all of them, and a hash table per variable that finds a node by its two children.
//!
//! Tables belong to variables, not to levels, so a reordering that exchanges two levels without touching nodes is free, and all nodes of a
//! variable can be enumerated. Chains run through the nodes themselves. Unused places of the array form a list through the same field.

use super::edge::Edge;

/// Inside the package variable 0 is the terminal's, and [`super::Var`] k is k + 1.
pub(super) const TERMINAL: u32 = 0;

/// The variable of an unused place in the array.
pub(super) const FREE: u32 = u32::MAX;

/// The end of a chain; the terminal is in none.
pub(super) const NIL: u32 = 0;

/// Edges keep their topmost bit for the computed cache.
pub(super) const MAX_NODES: usize = (1 << 30) - 1024;

/// At least this many buckets per node, so that a chain rarely has to be followed.
pub(super) const BUCKETS: usize = 2;

/// One node. The then edge is never negated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) var: u32,
    pub(super) then: Edge,
    pub(super) otherwise: Edge,
    /// The next node in the same bucket, or the next free place.
    pub(super) next: u32,
}

impl Node {
    /// Both children as seen through an edge to this node: then, else.
    #[inline]
    pub(super) fn split(&self, edge: Edge) -> (Edge, Edge) {
        (self.then.negate_like(edge), self.otherwise.negate_like(edge))
    }
}

/// The nodes of one variable. The number of buckets is a power of two, or nought.
pub(super) struct Table {
    pub(super) buckets: Vec<u32>,
    pub(super) count: usize,
    /// Leaves as many bits of a hash as the number of a bucket has.
    shift: u32,
}

impl Table {
    /// Without buckets.
    fn new() -> Table {
        Table { buckets: Vec::new(), count: 0, shift: 63 }
    }

    /// Makes all buckets empty, a power of two of them.
    fn set_buckets(&mut self, buckets: usize) -> Vec<u32> {
        self.shift = 64 - buckets.trailing_zeros().max(1);
        std::mem::replace(&mut self.buckets, vec![NIL; buckets])
    }

    #[inline]
    pub(super) fn bucket(&self, then: Edge, otherwise: Edge) -> usize {
        let key = (u64::from(then.0) << 32) | u64::from(otherwise.0);
        // The topmost bits depend on all bits of the key.
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }
}

/// All nodes, their tables, and the order of the variables.
pub(super) struct Store {
    pub(super) nodes: Vec<Node>,
    /// By variable.
    pub(super) tables: Vec<Table>,
    /// The level of a variable, counted from the top; the terminal is below everything.
    pub(super) levels: Vec<u32>,
    /// The variable at a level.
    pub(super) order: Vec<u32>,
    free: u32,
    /// Nodes in the tables, dead ones included; the terminal is not counted.
    pub(super) used: usize,
}

impl Store {
    pub(super) fn new() -> Store {
        let terminal = Node { var: TERMINAL, then: Edge::ONE, otherwise: Edge::ONE, next: NIL };
        Store {
            nodes: vec![terminal],
            tables: vec![Table::new()],
            levels: vec![u32::MAX],
            order: Vec::new(),
            free: NIL,
            used: 0,
        }
    }

    /// A new variable at the bottom of the order.
    pub(super) fn add_variable(&mut self) -> u32 {
        let var = self.tables.len() as u32;
        self.tables.push(Table::new());
        self.levels.push(self.order.len() as u32);
        self.order.push(var);
        var
    }

    #[inline]
    pub(super) fn node(&self, edge: Edge) -> Node {
        self.nodes[edge.index()]
    }

    /// The level at which a function starts.
    #[inline]
    pub(super) fn level(&self, edge: Edge) -> u32 {
        self.levels[self.nodes[edge.index()].var as usize]
    }

    /// The node with these children, if there is one. `then` is regular.
    #[inline]
    pub(super) fn find(&self, var: u32, then: Edge, otherwise: Edge) -> Option<Edge> {
        let table = &self.tables[var as usize];
        let mut at = *table.buckets.get(table.bucket(then, otherwise))?;
        while at != NIL {
            let node = &self.nodes[at as usize];
            if node.then == then && node.otherwise == otherwise {
                return Some(Edge::to(at));
            }
            at = node.next;
        }
        None
    }

    /// Adds a node that is not there yet. `then` is regular and differs from `otherwise`.
    pub(super) fn add(&mut self, var: u32, then: Edge, otherwise: Edge) -> Edge {
        let node = Node { var, then, otherwise, next: NIL };
        let index = if self.free == NIL {
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        } else {
            let index = self.free;
            self.free = self.nodes[index as usize].next;
            self.nodes[index as usize] = node;
            index
        };
        self.used += 1;
        self.link(index);
        Edge::to(index)
    }

    /// Puts a node into the table of its variable.
    pub(super) fn link(&mut self, index: u32) {
        let Node { var, then, otherwise, .. } = self.nodes[index as usize];
        let table = &self.tables[var as usize];
        if BUCKETS * table.count >= table.buckets.len() {
            self.resize(var, (table.buckets.len() * 2).max(4));
        }
        let table = &mut self.tables[var as usize];
        let bucket = table.bucket(then, otherwise);
        self.nodes[index as usize].next = table.buckets[bucket];
        table.buckets[bucket] = index;
        table.count += 1;
    }

    /// Takes a node out of the table of its variable.
    pub(super) fn unlink(&mut self, index: u32) {
        let Node { var, then, otherwise, next } = self.nodes[index as usize];
        let table = &mut self.tables[var as usize];
        let bucket = table.bucket(then, otherwise);
        table.count -= 1;
        let mut at = table.buckets[bucket];
        if at == index {
            table.buckets[bucket] = next;
            return;
        }
        while self.nodes[at as usize].next != index {
            at = self.nodes[at as usize].next;
        }
        self.nodes[at as usize].next = next;
    }

    /// Gives the place of a node back that is in no table any more.
    pub(super) fn release(&mut self, index: u32) {
        self.nodes[index as usize] =
            Node { var: FREE, then: Edge::ONE, otherwise: Edge::ONE, next: self.free };
        self.free = index;
        self.used -= 1;
    }

    /// Changes the number of buckets of a variable, a power of two.
    pub(super) fn resize(&mut self, var: u32, buckets: usize) {
        let table = &mut self.tables[var as usize];
        for mut at in table.set_buckets(buckets) {
            while at != NIL {
                let node = &mut self.nodes[at as usize];
                let bucket = table.bucket(node.then, node.otherwise);
                let next = std::mem::replace(&mut node.next, table.buckets[bucket]);
                table.buckets[bucket] = at;
                at = next;
            }
        }
    }

    /// Keeps the marked nodes only, and builds all tables anew: one pass over the array is faster than one along all chains.
    pub(super) fn sweep(&mut self, marked: &fixedbitset::FixedBitSet) {
        while self.nodes.len() > 1 && !marked.contains(self.nodes.len() - 1) {
            self.nodes.pop();
        }
        let mut counts = vec![0usize; self.tables.len()];
        for index in marked.ones().skip_while(|index| *index == 0) {
            counts[self.nodes[index].var as usize] += 1;
        }
        for (table, count) in self.tables.iter_mut().zip(&counts) {
            table.clear_for(*count);
        }
        (self.free, self.used) = (NIL, 0);
        for index in (1..self.nodes.len()).rev() {
            self.used += 1;
            if marked.contains(index) { self.link(index as u32) } else { self.release(index as u32) }
        }
        if self.nodes.capacity() > 4 * self.nodes.len() + 1024 {
            self.nodes.shrink_to(2 * self.nodes.len());
        }
    }
}

impl Table {
    /// Empties the table, with room for so many nodes.
    fn clear_for(&mut self, count: usize) {
        self.count = 0;
        let wanted = (BUCKETS * count).next_power_of_two().max(4);
        if self.buckets.len() < wanted || self.buckets.len() > 8 * wanted {
            self.set_buckets(wanted);
        } else {
            self.buckets.fill(NIL);
        }
    }
}
