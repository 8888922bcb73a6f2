//! Reduced ordered binary decision diagrams with complement edges, garbage collection and group sifting.
//!
//! A [`Manager`] has variables in some order and all nodes; a [`Bdd`] is a handle to one function. Operations return [`Stop`] when the budget or
//! the limit on nodes ends them, at any moment; what was there before is then still valid.
//!
//! - `edge`, `store`: what a node is, and how equal ones are found. `cache`: results of operations.
//! - `kernel`: what operations share. `boolean`, `quantify`, `rename`, `restrict`, `compare`: the operations, which recur over nodes and know
//!   nothing of handles, collection or reordering. `inspect`: questions that make no nodes.
//! - `collect`, `run`: garbage, and what happens when an operation reaches a limit.
//! - `reorder`, `interact`, `exchange`, `sift`: another order of the variables. `cubes`: sets of variables to quantify.
//! - `manager`, `handle`: the interface.
//!
//! A node never changes the function that it stands for while anybody holds it, not even when variables are reordered.

mod boolean;
mod cache;
mod collect;
mod compare;
mod cubes;
mod edge;
mod exchange;
mod handle;
mod inspect;
mod interact;
mod invariants;
mod kernel;
mod manager;
mod quantify;
mod rename;
mod reorder;
mod restrict;
mod run;
mod sift;
mod store;

pub use handle::Bdd;
pub use manager::{Cube, Manager, Swap};

/// A variable, whatever its place in the order. They are numbered from nought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

impl Var {
    /// Inside the package the terminal is variable 0.
    fn inner(self) -> u32 {
        self.0 + 1
    }

    fn from_inner(inner: u32) -> Var {
        Var(inner - 1)
    }
}

/// Why an operation did not finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The interrupt of the budget was raised.
    #[error("cancelled")]
    Cancelled,
    /// The deadline of the budget has passed.
    #[error("out of time")]
    Timeout,
    /// The memory of the budget is used up.
    #[error("out of memory")]
    Memory,
    /// The limit on nodes was reached; so many there were.
    #[error("the diagrams have {0} nodes, which is the limit")]
    Nodes(usize),
}

/// What a manager has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stats {
    /// Nodes now, with those that wait for collection.
    pub nodes: usize,
    /// The most nodes there were at the end of an operation or at a collection.
    pub peak_nodes: usize,
    /// Garbage collections.
    pub collections: u64,
    /// Reorderings.
    pub reorderings: u64,
    /// Time spent in reorderings.
    pub reordering_seconds: f64,
    /// Exchanges of two adjacent variables that moved nodes.
    pub exchanges: u64,
    /// Nodes looked at in reorderings: the effort, which does not depend on the machine.
    pub reordering_work: u64,
    /// Questions to the computed cache.
    pub cache_lookups: u64,
    /// Those with an answer.
    pub cache_hits: u64,
}
