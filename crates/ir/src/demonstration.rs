//! Runs that show why a CTL formula is true or false in a state.
//!
//! An existential claim about a state is shown by a fair path from there and, where the claim is about more than one path, by
//! further paths that branch off its steps. That is a tree of lassos. A universal claim that is false is shown by its
//! negation, which is existential. What mixes both, such as `EF AG p`, is shown as far as existential operators go; the
//! rest is believed.

use crate::{Ctl, Step, UnknownReason};

/// A fair path that shows an existential claim about its first state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demonstration {
    /// What holds in the first state: a formula in [normal form](Ctl::normal_form).
    pub claim: Ctl,
    /// The steps of the path. The inputs of each step lead to the next step, those of the last step back to `loop_to`.
    pub steps: Vec<Step>,
    /// Where the path goes after its last step, for ever. `None` when the path may go on in any way: the claim does not depend on it, and every state of
    /// the system has a successor and is fair because there are neither fairness conditions nor constraints on steps and
    /// transitions.
    pub loop_to: Option<usize>,
    /// How many steps show the claim. The others, if any, show that the path can be continued fairly.
    pub essential: usize,
    /// Claims about the states of this path that need paths of their own: which step, and the path that starts there.
    pub branches: Vec<(usize, Demonstration)>,
}

/// The answer to a CTL property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CtlVerdict {
    /// Every fair initial state satisfies the formula. For an existential formula, this is why one of them does.
    Holds(Option<Demonstration>),
    /// Some fair initial state does not. This is why, unless the formula's negation is universal throughout.
    Fails(Option<Demonstration>),
    /// Neither was established.
    Unknown(UnknownReason),
}
