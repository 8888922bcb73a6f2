//! Changing the order of the variables: collect, exchange, and keep of the computed cache what is still true.

use std::time::Instant;

use super::Stop;
use super::collect::Held;
use super::edge::Edge;
use super::exchange::{Done, Exchange};
use super::kernel::{Halt, Kernel};
use super::run::Engine;
use super::sift::{Effort, Sifting};

/// Reordering may take about as long as all operations so far, measured by the nodes it looks at for each step of an operation; and this many
/// nodes in any case.
const WORK_PER_STEP: u64 = 6;
const FREE_WORK: u64 = 2_000_000;

impl Kernel {
    /// Runs a reordering. The quantified sets of variables are no reason for two variables to interact: they are made anew afterwards.
    fn reorder<T>(&mut self, held: &Held, task: impl FnOnce(&mut Exchange<'_>) -> T) -> (T, Done) {
        self.forget_cubes();
        self.collect(held);
        let holders = held.iter().enumerate().filter(|(index, count)| *index > 0 && **count > 0);
        let mut roots: Vec<Edge> = holders.map(|(index, _)| Edge::to(index as u32)).collect();
        roots.extend(self.kept.iter().filter(|edge| !edge.is_constant()).map(|edge| edge.regular()));
        let mut exchange = Exchange::new(&mut self.store, &roots);
        let result = task(&mut exchange);
        let Exchange { died, done, .. } = exchange;
        self.cache.retain(|index| !died.contains(index));
        self.make_cubes();
        (result, done)
    }

    /// Puts the variables into this order, each of which occurs once.
    fn set_order(&mut self, held: &Held, order: &[u32]) {
        self.reorder(held, |exchange| {
            for (level, var) in order.iter().enumerate() {
                for above in (level..exchange.store.levels[*var as usize] as usize).rev() {
                    exchange.exchange(above);
                }
            }
        });
    }

    fn sift(&mut self, held: &Held, groups: &[Vec<u32>], effort: Effort) -> (Result<(), Halt>, Done) {
        let budget = self.budget.clone();
        let mut check = || super::kernel::check(&budget);
        self.reorder(held, |exchange| Sifting::new(exchange, groups, effort).run(&mut check))
    }
}

impl Engine {
    /// Puts the variables into this order.
    pub(super) fn set_order(&mut self, held: &Held, order: &[u32]) {
        self.kernel.set_order(held, order);
        self.after_collection();
    }

    /// Sifts as many variables as the work on operations so far justifies.
    pub(super) fn sift_if_it_pays(&mut self, held: &Held) -> Result<(), Stop> {
        let steps = self.kernel.cache.lookups - self.kernel.cache.hits;
        let allowed = (FREE_WORK + WORK_PER_STEP * steps).saturating_sub(self.stats.reordering_work);
        self.sift(held, Effort { work: allowed, ..Effort::default() })
    }

    /// Sifts variables once.
    pub(super) fn sift(&mut self, held: &Held, effort: Effort) -> Result<(), Stop> {
        let start = Instant::now();
        self.note_peak();
        let before = self.kernel.store.used;
        let (result, done) = self.kernel.sift(held, &self.groups, effort);
        self.stats.reorderings += 1;
        self.stats.exchanges += done.exchanges;
        self.stats.reordering_work += done.work;
        self.stats.reordering_seconds += start.elapsed().as_secs_f64();
        self.after_collection();
        self.after_reordering(before);
        match result {
            Err(Halt::Cancelled) => Err(Stop::Cancelled),
            Err(Halt::Timeout) => Err(Stop::Timeout),
            Err(Halt::Memory) => Err(Stop::Memory),
            _ => Ok(()),
        }
    }
}
