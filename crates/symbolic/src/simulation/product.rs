//! The pairs of states that matter: those which both models reach together.
//!
//! From pairs of initial states whose labels fit, by simultaneous steps through pairs whose labels fit. All that a pair needs in order to be in a simulation are
//! such successors, so the greatest simulation within these pairs is the part of the greatest one that is in them. And initial pairs decide.
//! Of deterministic models little more than a diagonal is left.

use super::joint::Joint;
use propcov_bdd::{Bdd, Stop};

impl Joint {
    /// Pairs within the given ones that are reached through them. Or all of them, if that takes more than so many nodes: what it saves later may not be worth it.
    pub(super) fn reached_together(
        &self,
        fitting: &Bdd,
        largest: usize,
        listen: &mut dyn FnMut(usize),
    ) -> Result<Bdd, Stop> {
        let (own, other) = (&self.implementation, &self.specification);
        let mut all = own.initial.and(&other.initial)?.and(fitting)?;
        let mut frontier = all.clone();
        let mut rounds = 0;
        while !frontier.is_false() {
            listen(rounds);
            rounds += 1;
            // Any set between the frontier and what is reached will do; a small diagram is best.
            let seed = frontier.restrict(&frontier.or(&!&all)?)?;
            let image = other.after(&own.after(&seed)?)?.swap(&self.step)?.and(fitting)?;
            frontier = image.minus(&all)?;
            all = all.or(&frontier)?;
            if all.node_count() > largest {
                return Ok(fitting.clone());
            }
        }
        Ok(all)
    }
}
