//! What all operations share: making nodes, and stopping in the middle.
//!
//! Inside an operation nothing is counted, collected or reordered. When a limit is reached the operation unwinds with a [`Halt`]; whoever
//! started it ([`super::run`]) collects or reorders and starts it again, or gives up. Subresults found so far are kept over that as roots, so
//! that a reordering sees the function that was growing.

use propcov_budget::Budget;

use super::cache::{Binary, Cache, Key};
use super::cubes::Cubes;
use super::edge::Edge;
use super::store::{MAX_NODES, Store};

/// Why an operation unwinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// There are enough nodes for a reordering to pay.
    Reorder,
    /// The limit on nodes.
    Nodes,
    /// The budget's interrupt.
    Cancelled,
    /// The budget's deadline.
    Timeout,
    /// The budget's memory.
    Memory,
    /// Too deep for the stack of this thread.
    Depth,
}

/// Whether the budget allows to go on.
pub(super) fn check(budget: &Budget) -> Result<(), Halt> {
    match budget.stop() {
        None => Ok(()),
        Some(propcov_budget::Stop::Cancelled) => Err(Halt::Cancelled),
        Some(propcov_budget::Stop::Timeout) => Err(Halt::Timeout),
        Some(propcov_budget::Stop::Memory) => Err(Halt::Memory),
    }
}

/// So many steps of recursion between two looks at the budget.
const STEPS: u32 = 1 << 12;

/// Nodes, cache and limits.
pub(super) struct Kernel {
    pub(super) store: Store,
    pub(super) cache: Cache,
    pub(super) budget: Budget,
    /// The lesser of the next two.
    ceiling: usize,
    /// At so many nodes an operation is stopped for a reordering.
    reorder_at: usize,
    node_limit: usize,
    steps_left: u32,
    depth: u32,
    depth_limit: u32,
    /// Subresults of an operation that unwound.
    pub(super) kept: Vec<Edge>,
    /// Sets of variables to quantify.
    pub(super) cubes: Cubes,
}

impl Kernel {
    pub(super) fn new() -> Kernel {
        let mut kernel = Kernel {
            store: Store::new(),
            cache: Cache::new(),
            budget: Budget::default(),
            ceiling: 0,
            reorder_at: usize::MAX,
            node_limit: MAX_NODES,
            steps_left: STEPS,
            depth: 0,
            depth_limit: 0,
            kept: Vec::new(),
            cubes: Cubes::default(),
        };
        kernel.set_limits(usize::MAX, MAX_NODES);
        kernel
    }

    /// Sets when an operation stops for a reordering, and when for good.
    pub(super) fn set_limits(&mut self, reorder_at: usize, node_limit: usize) {
        self.reorder_at = reorder_at;
        self.node_limit = node_limit.min(MAX_NODES);
        self.ceiling = self.reorder_at.min(self.node_limit);
    }

    /// Starts counting recursion anew.
    pub(super) fn start(&mut self, depth_limit: u32) -> Result<(), Halt> {
        (self.depth, self.depth_limit) = (0, depth_limit);
        self.kept.clear();
        if self.budget.interrupt.is_raised() {
            return check(&self.budget);
        }
        self.steps_left = self.steps_left.saturating_sub(16);
        Ok(())
    }

    /// Looks at the budget.
    #[cold]
    fn check_budget(&mut self) -> Result<(), Halt> {
        self.steps_left = STEPS;
        // Lookups are what this kernel counts as ticks: the same number on every machine.
        if self.cache.lookups > self.budget.interrupt.tick_limit() {
            return Err(Halt::Cancelled);
        }
        check(&self.budget)
    }

    /// To be called before an operation calls itself; [`Kernel::leave`] after.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<(), Halt> {
        if self.steps_left == 0 {
            self.check_budget()?;
        }
        self.steps_left -= 1;
        self.depth += 1;
        if self.depth > self.depth_limit { Err(Halt::Depth) } else { Ok(()) }
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Remembers a subresult while unwinding.
    #[cold]
    pub(super) fn keep(&mut self, halt: Halt, subresult: Edge) -> Halt {
        if halt == Halt::Reorder {
            self.kept.push(subresult);
        }
        halt
    }

    /// Remembers two subresults.
    #[cold]
    pub(super) fn keep_both(&mut self, halt: Halt, one: Edge, other: Edge) -> Halt {
        self.keep(halt, one);
        self.keep(halt, other)
    }

    /// The function "if the variable then .. else ..", whose parts do not depend on variables up to this one.
    #[inline]
    pub(super) fn make(&mut self, var: u32, then: Edge, otherwise: Edge) -> Result<Edge, Halt> {
        if then == otherwise {
            return Ok(then);
        }
        let (regular, other) = (then.regular(), otherwise.negate_like(then));
        let node = match self.store.find(var, regular, other) {
            Some(node) => node,
            None => self.add(var, regular, other)?,
        };
        Ok(node.negate_like(then))
    }

    fn add(&mut self, var: u32, then: Edge, otherwise: Edge) -> Result<Edge, Halt> {
        if self.store.used >= self.ceiling {
            let halt = if self.ceiling == self.node_limit { Halt::Nodes } else { Halt::Reorder };
            return Err(self.keep_both(halt, then, otherwise));
        }
        Ok(self.store.add(var, then, otherwise))
    }

    /// The function of one variable. Limits do not count: there are few of them.
    pub(super) fn literal(&mut self, var: u32) -> Edge {
        let found = self.store.find(var, Edge::ONE, Edge::ZERO);
        found.unwrap_or_else(|| self.store.add(var, Edge::ONE, Edge::ZERO))
    }

    #[inline]
    pub(super) fn remember(&mut self, key: Key, result: Edge) {
        self.cache.put(key, result, self.store.used);
    }

    #[inline]
    pub(super) fn cached(&mut self, key: Key) -> Option<Edge> {
        self.cache.get(key)
    }

    #[inline]
    pub(super) fn cached_binary(&mut self, operation: Binary, f: Edge, g: Edge) -> Option<Edge> {
        self.cache.get(Key::binary(operation, f, g))
    }
}
