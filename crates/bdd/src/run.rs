//! Running one operation: what happens before it, and after it had to stop in the middle.
//!
//! Recursion is as deep as there are variables. An operation that gets deeper than a small stack bears is run again in a thread with a stack
//! that is large enough; what it has computed so far is in the cache.
//!
//! Reordering is due when twice as many nodes are needed as after the last one. How many are needed is known after a collection only, and
//! collections are put off as long as they show mostly garbage: results of long ago are worth keeping. An operation that was stopped in the
//! middle may next time make more nodes than before, so the work that is done twice is bounded by a geometric series.

use super::collect::Held;
use super::kernel::{Halt, Kernel};
use super::{Stats, Stop};

/// Recursion up to this depth takes well under a megabyte.
const DEPTH_HERE: u32 = 1500;
/// For each level of recursion in a thread of its own; twice as many levels as variables are possible.
const FRAME: usize = 1024;
/// The first collection is at so many nodes.
const FIRST_COLLECTION: usize = 1 << 13;
/// More garbage than this is always collected. Less is worth keeping: breadth-first searches come back to it, and have taken ten times as long
/// with a limit of 2^17.
const MUCH_GARBAGE: usize = 1 << 22;
/// After so many reorderings the threshold only rises.
const MANY_REORDERINGS: u64 = 20;
/// Not worth reordering below so many nodes.
const SMALLEST_REORDERING: usize = 1 << 12;

/// The kernel, and when to collect and reorder.
pub(super) struct Engine {
    pub(super) kernel: Kernel,
    pub(super) stats: Stats,
    pub(super) automatic: bool,
    pub(super) node_limit: Option<usize>,
    /// Variables that reordering keeps together.
    pub(super) groups: Vec<Vec<u32>>,
    /// Collect at so many nodes.
    collect_at: usize,
    /// Reorder at so many nodes.
    reorder_at: usize,
    smallest_reordering: usize,
}

/// How often an operation was stopped, and where.
#[derive(Default)]
struct Attempts {
    count: u32,
    /// No reordering below so many nodes.
    floor: usize,
}

impl Engine {
    pub(super) fn new() -> Engine {
        Engine {
            kernel: Kernel::new(),
            stats: Stats::default(),
            automatic: false,
            node_limit: None,
            groups: Vec::new(),
            collect_at: FIRST_COLLECTION,
            reorder_at: SMALLEST_REORDERING,
            smallest_reordering: SMALLEST_REORDERING,
        }
    }

    /// Runs an operation to its end, with as many collections and reorderings as it takes.
    pub(super) fn run<T: Send>(
        &mut self,
        held: &Held,
        operation: impl Fn(&mut Kernel) -> Result<T, Halt> + Sync,
    ) -> Result<T, Stop> {
        self.tidy(held)?;
        let mut attempts = Attempts::default();
        loop {
            let pause_at = self.reorder_at.max(self.collect_at).max(attempts.floor);
            let pause_at = if self.automatic { pause_at } else { usize::MAX };
            self.kernel.set_limits(pause_at, self.node_limit.unwrap_or(usize::MAX));
            match self.attempt(&operation) {
                Ok(result) => return Ok(result),
                Err(halt) => self.recover(halt, held, &mut attempts)?,
            }
        }
    }

    /// Before an operation: collects and reorders if that is due. Leaves some room up to the next time.
    fn tidy(&mut self, held: &Held) -> Result<(), Stop> {
        if self.kernel.store.used < self.collect_at / 4 * 3 {
            return Ok(());
        }
        self.collect(held);
        if self.automatic && self.kernel.store.used >= self.reorder_at {
            self.sift_if_it_pays(held)
        } else {
            Ok(())
        }
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
    fn recover(&mut self, halt: Halt, held: &Held, attempts: &mut Attempts) -> Result<(), Stop> {
        attempts.count += 1;
        match halt {
            Halt::Cancelled => Err(Stop::Cancelled),
            Halt::Timeout => Err(Stop::Timeout),
            Halt::Memory => Err(Stop::Memory),
            Halt::Reorder => self.reorder_inside(held, attempts),
            Halt::Nodes | Halt::Depth => self.make_room(held, attempts),
        }
    }

    /// Collects in the middle of an operation, and reorders if there are still many nodes.
    fn reorder_inside(&mut self, held: &Held, attempts: &mut Attempts) -> Result<(), Stop> {
        let before = self.kernel.store.used;
        self.collect(held);
        if self.kernel.store.used >= self.reorder_at {
            self.sift_if_it_pays(held)?;
        }
        let shrunk = self.kernel.store.used < before / 4 && attempts.count <= 4;
        attempts.floor = if shrunk { before / 2 } else { before + before / 2 };
        Ok(())
    }

    /// At the limit on nodes another attempt is worth it if a third of them could be freed.
    fn make_room(&mut self, held: &Held, attempts: &Attempts) -> Result<(), Stop> {
        let before = self.kernel.store.used;
        self.collect(held);
        let enough = |engine: &Engine| engine.kernel.store.used < before / 3 * 2;
        if attempts.count > 2 {
            return Err(Stop::Nodes(before));
        }
        if !enough(self) && self.automatic {
            self.sift_if_it_pays(held)?;
        }
        if enough(self) { Ok(()) } else { Err(Stop::Nodes(before)) }
    }

    /// Frees what nobody holds.
    pub(super) fn collect(&mut self, held: &Held) {
        self.note_peak();
        self.kernel.collect(held);
        self.after_collection();
    }

    pub(super) fn after_collection(&mut self) {
        self.stats.collections += 1;
        // With four times, searches that come back to old results gain a tenth, and others lose a third: memory is slow.
        let patience = self.collect_at.saturating_mul(2).min(self.kernel.store.used + MUCH_GARBAGE);
        self.collect_at = (2 * self.kernel.store.used).max(patience);
    }

    /// Next time at twice as many nodes, or four times if it did not help much.
    pub(super) fn after_reordering(&mut self, before: usize) {
        let used = self.kernel.store.used;
        let next = (if used > before / 10 * 9 { 4 * used } else { 2 * used }).max(self.smallest_reordering);
        let many = self.stats.reorderings > MANY_REORDERINGS;
        self.reorder_at = if many { next.max(self.reorder_at) } else { next };
    }

    /// Before nodes are freed.
    pub(super) fn note_peak(&mut self) {
        self.stats.peak_nodes = self.stats.peak_nodes.max(self.kernel.store.used);
    }

    /// The next reordering is at so many nodes, and later ones are not below.
    pub(super) fn set_smallest_reordering(&mut self, nodes: usize) {
        (self.smallest_reordering, self.reorder_at, self.collect_at) = (nodes, nodes, nodes);
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
