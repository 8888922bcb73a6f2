//! The fixpoints of CTL over reachable states.
//!
//! Fair `EG` is the greatest fixpoint of Emerson and Lei, "Efficient model checking in fragments of the propositional mu-calculus"
//! (LICS 1986), with conditions on steps instead of states. Compassion follows Kesten, Pnueli and Raviv, "Algorithmic
//! verification of linear temporal logic specifications" (ICALP 1998): a state may stay if it does not meet the premise, or
//! reaches the conclusion. At the fixpoint every terminal component is fair, and every state that a fair path visits infinitely
//! often is still there, because such states keep each other in. What the fixpoint lost on the way to them an until brings back.

use crate::model::{Condition, Conditions, Model};
use propcov_bdd::{Bdd, Stop};

/// Steps from state to state, and which paths of them are fair.
pub(crate) trait Moves {
    /// States with a step into the set.
    fn preimage(&self, set: &Bdd) -> Result<Bdd, Stop>;

    /// States with a step that meets the condition into the set.
    fn preimage_by(&self, condition: &Condition, set: &Bdd) -> Result<Bdd, Stop>;

    /// What fair paths meet.
    fn fairness(&self) -> &Conditions;
}

impl Moves for Model {
    fn preimage(&self, set: &Bdd) -> Result<Bdd, Stop> {
        Model::preimage(self, set)
    }

    fn preimage_by(&self, condition: &Condition, set: &Bdd) -> Result<Bdd, Stop> {
        Model::preimage_by(self, condition, set)
    }

    fn fairness(&self) -> &Conditions {
        &self.fairness
    }
}

/// Fixpoints within a set that no step leaves: the reachable states.
pub(crate) struct Fixpoints<'m, M = Model> {
    pub(crate) model: &'m M,
    pub(crate) space: &'m Bdd,
}

impl<M: Moves> Fixpoints<'_, M> {
    /// States of the space with a successor in the set, fair or not.
    pub(crate) fn before(&self, set: &Bdd) -> Result<Bdd, Stop> {
        if set.is_false() {
            return Ok(set.clone());
        }
        self.model.preimage(set)?.and(self.space)
    }

    /// States of the space with a step that meets the condition and leads into the set.
    pub(crate) fn before_by(&self, condition: &Condition, set: &Bdd) -> Result<Bdd, Stop> {
        if set.is_false() {
            return Ok(set.clone());
        }
        self.model.preimage_by(condition, set)?.and(self.space)
    }

    /// States with a path through `hold` to `goal`, which must be in the space.
    pub(crate) fn until(&self, hold: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        let mut all = goal.clone();
        let mut frontier = goal.clone();
        while !frontier.is_false() {
            let seed = frontier.restrict(&frontier.or(&!&all)?)?;
            frontier = self.model.preimage(&seed)?.and(self.space)?.and(hold)?.minus(&all)?;
            all = all.or(&frontier)?;
        }
        Ok(all)
    }

    /// States of `hold` with an infinite fair path that stays in `hold`, and the part of them among which such a path can stay once it is
    /// fair: the same set without compassion.
    pub(crate) fn globally(&self, hold: &Bdd) -> Result<Globally, Stop> {
        let Conditions { justice, compassion } = self.model.fairness();
        let mut set = hold.clone();
        loop {
            let before = set.clone();
            for condition in justice {
                let steps = self.before_by(condition, &set)?.and(&set)?;
                set = self.until(&set, &steps)?;
            }
            for (often, then) in compassion {
                let steps = self.before_by(then, &set)?.and(&set)?;
                let reaches = self.until(&set, &steps)?;
                set = reaches.or(&set.minus(often.function())?)?;
            }
            // With justice alone, each state has a successor already.
            if justice.is_empty() || !compassion.is_empty() {
                set = self.before(&set)?.and(&set)?;
            }
            if set == before {
                break;
            }
        }
        let states = if compassion.is_empty() { set.clone() } else { self.until(hold, &set)? };
        Ok(Globally { states, recurrent: set })
    }
}

/// What [`Fixpoints::globally`] found.
#[derive(Clone)]
pub(crate) struct Globally {
    pub(crate) states: Bdd,
    pub(crate) recurrent: Bdd,
}
