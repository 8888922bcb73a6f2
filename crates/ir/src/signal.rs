//! Signals: inputs, states and wires.

use crate::{ExprId, Sort};

/// Index of an input, state or wire in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(pub u32);

/// A named value that varies from step to step.
#[derive(Clone, Debug)]
pub struct Signal {
    /// The user's name, or one made by the front end; unique in the system.
    pub name: String,
    /// Its type.
    pub sort: Sort,
    /// Where its value comes from.
    pub kind: SignalKind,
    /// Who has asked for it.
    pub origin: Origin,
    /// Other names that the user has for it.
    pub aliases: Vec<String>,
}

/// Who has asked for a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The user, who wrote it.
    #[default]
    User,
    /// A front end: an input that decides what the text leaves open, such as which value of a set is taken. What was
    /// decided shows in other signals.
    Choice,
    /// A front end or a transformation, for its own use: what remembers a value from one step to the next, or stands
    /// for a part of an expression.
    Helper,
    /// The user, for one property alone: a variable of its own, which is shown with this property only.
    Property,
}

/// Where a signal's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// The environment: any value in any step.
    Input,
    /// The step before.
    State {
        /// Value in the first step; any value when absent.
        init: Option<ExprId>,
        /// Value in the next step; any value when absent.
        next: Option<ExprId>,
    },
    /// Other signals in the same step.
    Wire {
        /// The defining expression.
        definition: ExprId,
    },
}
