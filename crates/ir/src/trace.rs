//! Runs of a system, as evidence.

use crate::{ElementId, Value};
use std::collections::BTreeMap;

/// A finite run: one [`Step`] after another, the first an initial one.
///
/// A trace records every choice that the system leaves open, and all state values besides: replaying it needs no
/// search, and anything that does not follow from the definitions is noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps; a trace that refutes a property ends in the step that violates it.
    pub steps: Vec<Step>,
}

/// One instant of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// A value for each input, in the order of [`System::inputs`](crate::System::inputs).
    pub inputs: Vec<Value>,
    /// A value for each state, in the order of [`System::states`](crate::System::states).
    pub states: Vec<Value>,
    /// A value for each wire whose definition an edit has freed.
    pub free: BTreeMap<ElementId, Value>,
}

impl Trace {
    /// The number of transitions taken: one less than the number of steps.
    pub fn depth(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }
}

/// What a run is to the author of a design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// The values of inputs and states, and of what a property reads.
    #[default]
    States,
    /// The values of variables: whether they have a memory is a question of their equations.
    Variables,
}
