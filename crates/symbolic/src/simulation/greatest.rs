//! The greatest simulation, for one implementation or for all mutants of it at once.
//!
//! Chockler and Kupferman, "Coverage of implementations by simulating specifications" (2002), §4. The relation C has the triples (w, v, w') such that w'
//! simulates w where a label of v is changed. It is the greatest fixed point of
//!
//! ```text
//! C(w, v, w') = C0(w, v, w') & !∃u (R(w, u) & !∃u' (R'(w', u') & C(u, v, u')))
//! ```
//!
//! with u' quantified before the variables of w come in, so that no diagram has more than three vectors of variables besides the one that is being quantified. The
//! paper composes relations in one pass without renaming; here u and u' are variables beside those of w and w', and one pass renames. Without v it is
//! Milner's fixed point for simulation.
//!
//! Three things are done that the paper does not have:
//! - Once a reachable state of the implementation has no partner left, the mutant is noticed: its predecessors will lose all of theirs, up to an initial
//!   state. So the mutant need not be followed any longer. The same if an initial state has lost all initial partners.
//! - What has lost its last match in this round is all that a round looks at: pairs that depend on what was lost before are gone.
//! - Only pairs that are [reached together](super::product) matter.

use super::joint::Joint;
use propcov_bdd::{Bdd, Stop};

/// What is left of a relation.
pub(super) struct Greatest {
    /// Pairs, or triples.
    pub(super) related: Bdd,
    /// The mutants v that are simulated; true or false if there is only the implementation itself.
    pub(super) simulated: Bdd,
    /// With the mutants that are not, states of the implementation that were the first ones without partner.
    pub(super) lonely: Bdd,
}

impl Joint {
    /// The greatest simulation within the given triples, for these mutants v. Triples of mutants that are not simulated are gone at the end.
    pub(super) fn greatest(
        &self,
        start: &Bdd,
        mutants: &Bdd,
        listen: &mut dyn FnMut(usize),
    ) -> Result<Greatest, Stop> {
        let (own, other) = (&self.implementation, &self.specification);
        let mut related = start.and(mutants)?;
        let mut simulated = mutants.clone();
        // Triples (u, v, w') such that w' has a match for a step to u.
        let mut matched = own.reached_next.and(&other.reached)?.and(mutants)?;
        let mut without_partner = self.manager.constant(false);
        let mut rounds = 0;
        loop {
            listen(rounds);
            rounds += 1;
            let lonely = self.lonely(&related, &simulated)?;
            if !lonely.is_false() {
                let hopeless = lonely.exists(&own.states)?;
                without_partner = without_partner.or(&lonely)?;
                simulated = simulated.minus(&hopeless)?;
                related = related.minus(&hopeless)?;
                matched = matched.minus(&hopeless)?;
            }
            if simulated.is_false() {
                break;
            }
            let still = other.before(&related.swap(&self.step)?)?.and(&matched)?;
            let lost = own.before(&matched.minus(&still)?)?;
            let smaller = related.minus(&lost)?;
            matched = still;
            if smaller == related {
                break;
            }
            related = smaller;
        }
        Ok(Greatest { related, simulated, lonely: without_partner })
    }

    /// States without partner, and initial states without initial partner, with the mutants in which that is so.
    fn lonely(&self, related: &Bdd, mutants: &Bdd) -> Result<Bdd, Stop> {
        let (own, other) = (&self.implementation, &self.specification);
        let lonely = own.reached.and(mutants)?.minus(&related.exists(&other.states)?)?;
        let started = related.and_exists(&other.initial, &other.states)?;
        lonely.or(&own.initial.and(mutants)?.minus(&started)?)
    }
}
