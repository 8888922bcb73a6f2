//! Changing the order of the variables: collect, exchange, and keep of the computed cache what is still true.

use std::time::Instant;

use super::Stop;
use super::collect::Held;
use super::edge::Edge;
use super::exchange::Exchange;
use super::kernel::{Halt, Kernel};
use super::run::Engine;
use super::sift::{Effort, Sifting};

impl Kernel {
    /// Runs a reordering. The quantified sets of variables are no reason for two variables to interact: they are made anew afterwards.
    fn reorder<T>(&mut self, held: &Held, work: impl FnOnce(&mut Exchange<'_>) -> T) -> (T, u64) {
        self.forget_cubes();
        self.collect(held);
        let holders = held.iter().enumerate().filter(|(index, count)| *index > 0 && **count > 0);
        let mut roots: Vec<Edge> = holders.map(|(index, _)| Edge::to(index as u32)).collect();
        roots.extend(self.kept.iter().filter(|edge| !edge.is_constant()).map(|edge| edge.regular()));
        let mut exchange = Exchange::new(&mut self.store, &roots);
        let result = work(&mut exchange);
        let (died, exchanges) = (exchange.died, exchange.exchanges);
        self.cache.retain(|index| !died.contains(index));
        self.make_cubes();
        (result, exchanges)
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

    fn sift(&mut self, held: &Held, groups: &[Vec<u32>], effort: Effort) -> (Result<(), Halt>, u64) {
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

    /// Sifts all variables once.
    pub(super) fn sift(&mut self, held: &Held) -> Result<(), Stop> {
        let start = Instant::now();
        self.note_peak();
        let (result, exchanges) = self.kernel.sift(held, &self.groups, Effort::default());
        self.stats.reorderings += 1;
        self.stats.exchanges += exchanges;
        self.stats.reordering_seconds += start.elapsed().as_secs_f64();
        self.after_collection();
        self.after_reordering();
        match result {
            Err(Halt::Cancelled) => Err(Stop::Cancelled),
            Err(Halt::Timeout) => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }
}
