//! Running one operation: what happens before it, and after it had to stop in the middle.
//!
//! Recursion is as deep as there are variables. An operation that gets deeper than a small stack bears is run again in a thread with a stack
//! that is large enough; what it has computed so far is in the cache.

use super::collect::Held;
use super::kernel::{Halt, Kernel};
use super::{Stats, Stop};

/// Recursion up to this depth takes well under a megabyte.
const DEPTH_HERE: u32 = 1500;
/// For each level of recursion in a thread of its own; twice as many levels as variables are possible.
const FRAME: usize = 1024;
/// Not worth collecting before so many nodes were made.
const SMALLEST_COLLECTION: usize = 1 << 13;
/// Not worth reordering below so many nodes.
const SMALLEST_REORDERING: usize = 1 << 12;

/// The kernel, and when to collect and reorder.
pub(super) struct Engine {
    pub(super) kernel: Kernel,
    pub(super) stats: Stats,
    pub(super) automatic: bool,
    pub(super) node_limit: Option<usize>,
    /// Collect at so many nodes.
    collect_at: usize,
    /// Reorder at so many nodes.
    pub(super) reorder_at: usize,
    pub(super) groups: Vec<Vec<u32>>,
}

impl Engine {
    pub(super) fn new() -> Engine {
        Engine {
            kernel: Kernel::new(),
            stats: Stats::default(),
            automatic: false,
            node_limit: None,
            collect_at: SMALLEST_COLLECTION,
            reorder_at: SMALLEST_REORDERING,
            groups: Vec::new(),
        }
    }

    /// Runs an operation to its end, with as many collections and reorderings as it takes.
    pub(super) fn run<T: Send>(
        &mut self,
        held: &Held,
        operation: impl Fn(&mut Kernel) -> Result<T, Halt> + Sync,
    ) -> Result<T, Stop> {
        if self.kernel.store.used >= self.collect_at {
            self.collect(held);
        }
        let mut attempts = 0;
        loop {
            self.place_limits(attempts);
            match self.attempt(&operation) {
                Ok(result) => {
                    self.note_peak();
                    return Ok(result);
                }
                Err(halt) => self.recover(halt, held, &mut attempts)?,
            }
        }
    }

    fn place_limits(&mut self, _attempts: u32) {
        self.kernel.set_limits(usize::MAX, self.node_limit.unwrap_or(usize::MAX));
    }

    fn attempt<T: Send>(
        &mut self,
        operation: &(impl Fn(&mut Kernel) -> Result<T, Halt> + Sync),
    ) -> Result<T, Halt> {
        self.kernel.start(DEPTH_HERE)?;
        match operation(&mut self.kernel) {
            Err(Halt::Depth) => {}
            done => return done,
        }
        self.kernel.start(u32::MAX)?;
        let kernel = &mut self.kernel;
        let stack = (2 * kernel.store.order.len() + 1024) * FRAME;
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(stack);
            let thread = builder.spawn_scoped(scope, || operation(kernel));
            // The system has no memory for the stack.
            let Ok(thread) = thread else { return Err(Halt::Nodes) };
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// After this the operation may be tried again.
    fn recover(&mut self, halt: Halt, held: &Held, attempts: &mut u32) -> Result<(), Stop> {
        self.note_peak();
        *attempts += 1;
        match halt {
            Halt::Cancelled => Err(Stop::Cancelled),
            Halt::Timeout => Err(Stop::Timeout),
            Halt::Reorder | Halt::Depth => Ok(()),
            Halt::Nodes => self.make_room(held, *attempts),
        }
    }

    /// At the limit on nodes another attempt is worth it if a third of them was garbage before.
    fn make_room(&mut self, held: &Held, attempts: u32) -> Result<(), Stop> {
        let before = self.kernel.store.used;
        self.collect(held);
        let freed = self.kernel.store.used < before / 3 * 2;
        if freed && attempts <= 1 { Ok(()) } else { Err(Stop::Nodes(before)) }
    }

    /// Frees what nobody holds.
    pub(super) fn collect(&mut self, held: &Held) {
        self.note_peak();
        self.kernel.collect(held);
        self.stats.collections += 1;
        self.collect_at = (2 * self.kernel.store.used).max(SMALLEST_COLLECTION);
    }

    pub(super) fn note_peak(&mut self) {
        self.stats.peak_nodes = self.stats.peak_nodes.max(self.kernel.store.used);
    }

    /// Numbers so far.
    pub(super) fn stats(&self) -> Stats {
        let kernel = &self.kernel;
        Stats {
            nodes: kernel.store.used,
            peak_nodes: self.stats.peak_nodes.max(kernel.store.used),
            cache_lookups: kernel.cache.lookups,
            cache_hits: kernel.cache.hits,
            ..self.stats
        }
    }
}
