//! The computed cache: what an operation gave for these operands, as long as nothing else needs the place.
//!
//! Direct mapped: a lost entry costs time, not correctness. It grows with the work that is done, up to a size that depends on the number of
//! nodes, so a small problem has a small cache and a long computation on few nodes a large one.

use super::edge::Edge;

/// The names of the operations with two operands. They stand where those with three have an edge, and no edge is so large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(super) enum Binary {
    And = 0xFFFF_FF00,
    Xor,
    Exists,
    Intersects,
    Restrict,
    /// The second operand is the number of the renaming.
    Swap,
}

/// Distinguishes the third operand of an if-then-else from the cube of a relational product.
const ITE: u32 = 1 << 31;
const FIRST_NAME: u32 = Binary::And as u32;
const SWAP: u32 = Binary::Swap as u32;
const EMPTY: u32 = u32::MAX;
const SMALLEST: usize = 1 << 8;
/// However few nodes there are, the cache may grow up to here (8 MB): fixpoints come back to results of long ago.
const ALWAYS_ALLOWED: usize = 1 << 19;
const LARGEST: usize = 1 << 25;
/// Entries per node.
const PER_NODE: usize = 2;

/// Operation and operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u32, u32, u32);

impl Key {
    #[inline]
    pub(super) fn binary(operation: Binary, f: Edge, g: Edge) -> Key {
        Key(f.0, g.0, operation as u32)
    }

    #[inline]
    pub(super) fn ite(f: Edge, g: Edge, h: Edge) -> Key {
        Key(f.0, g.0, h.0 | ITE)
    }

    #[inline]
    pub(super) fn and_exists(f: Edge, g: Edge, cube: Edge) -> Key {
        Key(f.0, g.0, cube.0)
    }

    /// The nodes it speaks of; the terminal in place of what is not a node.
    fn edges(self) -> [Edge; 3] {
        let second = if self.2 == SWAP { Edge::ONE } else { Edge(self.1) };
        let third = if self.2 >= FIRST_NAME { Edge::ONE } else { Edge(self.2 & !ITE) };
        [Edge(self.0), second, third]
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    result: Edge,
}

const NOTHING: Entry = Entry { key: Key(0, 0, EMPTY), result: Edge::ONE };

/// The cache.
pub(super) struct Cache {
    entries: Vec<Entry>,
    shift: u32,
    /// Results to be stored before the cache grows.
    patience: usize,
    pub(super) lookups: u64,
    pub(super) hits: u64,
}

impl Cache {
    pub(super) fn new() -> Cache {
        Cache {
            entries: vec![NOTHING; SMALLEST],
            shift: shift_for(SMALLEST),
            patience: SMALLEST,
            lookups: 0,
            hits: 0,
        }
    }

    #[inline]
    fn place(&self, key: Key) -> usize {
        let pair = (u64::from(key.0) << 32) | u64::from(key.1);
        let mixed = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ u64::from(key.2).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(32);
        (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> self.shift) as usize
    }

    #[inline]
    pub(super) fn get(&mut self, key: Key) -> Option<Edge> {
        self.lookups += 1;
        let entry = &self.entries[self.place(key)];
        if entry.key == key {
            self.hits += 1;
            return Some(entry.result);
        }
        None
    }

    /// Stores a result. `nodes` is how many there are.
    #[inline]
    pub(super) fn put(&mut self, key: Key, result: Edge, nodes: usize) {
        if self.patience == 0 {
            self.grow(nodes);
        }
        self.patience -= 1;
        self.store(key, result);
    }

    #[inline]
    fn store(&mut self, key: Key, result: Edge) {
        let place = self.place(key);
        self.entries[place] = Entry { key, result };
    }

    /// Doubles the cache if there are enough nodes.
    #[cold]
    fn grow(&mut self, nodes: usize) {
        let size = self.entries.len();
        self.patience = size;
        if size >= (PER_NODE * nodes).clamp(ALWAYS_ALLOWED, LARGEST) {
            return;
        }
        let old = std::mem::replace(&mut self.entries, vec![NOTHING; 2 * size]);
        self.shift = shift_for(2 * size);
        for entry in old.into_iter().filter(|entry| entry.key.2 != EMPTY) {
            self.store(entry.key, entry.result);
        }
    }

    /// Forgets the entries that speak of nodes for which `alive` does not hold.
    pub(super) fn retain(&mut self, alive: impl Fn(usize) -> bool) {
        for entry in &mut self.entries {
            if entry.key.2 != EMPTY {
                let [f, g, h] = entry.key.edges();
                let keep = [f, g, h, entry.result].into_iter().all(|edge| alive(edge.index()));
                if !keep {
                    *entry = NOTHING;
                }
            }
        }
    }
}

fn shift_for(entries: usize) -> u32 {
    64 - entries.trailing_zeros()
}
