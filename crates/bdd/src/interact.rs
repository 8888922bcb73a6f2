//! Which pairs of variables interact: some function that is held depends on both. Exchanging two that do not moves no node.

use fixedbitset::FixedBitSet;

use super::edge::Edge;
use super::store::Store;

/// Supports are computed one function at a time until this many times all nodes were visited. The rest then counts as one function, which
/// only makes pairs interact that do not.
const EFFORT: usize = 32;

/// A symmetric matrix of bits.
pub(super) struct Interactions {
    rows: Vec<FixedBitSet>,
}

impl Interactions {
    /// Of functions that together have all nodes of the store.
    pub(super) fn new(store: &Store, functions: &[Edge]) -> Interactions {
        let variables = store.tables.len();
        let mut interactions = Interactions { rows: vec![FixedBitSet::with_capacity(variables); variables] };
        let mut walk = Walk { store, seen_in: vec![0; store.nodes.len()], visited: 0 };
        for (place, function) in functions.iter().enumerate() {
            let together = walk.visited > EFFORT * store.used;
            let part = if together { &functions[place..] } else { std::slice::from_ref(function) };
            interactions.add(&walk.support(part, place as u32 + 1));
            if together {
                break;
            }
        }
        interactions
    }

    fn add(&mut self, support: &FixedBitSet) {
        for var in support.ones() {
            self.rows[var].union_with(support);
        }
    }

    /// Variables that interact with this one.
    pub(super) fn of(&self, var: u32) -> impl Iterator<Item = usize> + '_ {
        self.rows[var as usize].ones()
    }

    pub(super) fn contains(&self, one: u32, other: u32) -> bool {
        self.rows[one as usize].contains(other as usize)
    }
}

struct Walk<'s> {
    store: &'s Store,
    /// The last walk that came by a node.
    seen_in: Vec<u32>,
    visited: usize,
}

impl Walk<'_> {
    fn support(&mut self, functions: &[Edge], number: u32) -> FixedBitSet {
        let mut support = FixedBitSet::with_capacity(self.store.tables.len());
        let mut waiting: Vec<usize> = functions.iter().map(|function| function.index()).collect();
        while let Some(index) = waiting.pop() {
            if index == 0 || self.seen_in[index] == number {
                continue;
            }
            self.seen_in[index] = number;
            self.visited += 1;
            let node = self.store.nodes[index];
            support.insert(node.var as usize);
            waiting.extend([node.then.index(), node.otherwise.index()]);
        }
        support
    }
}
