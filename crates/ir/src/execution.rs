//! When that which a user wrote is executed.
//!
//! In a language with statements, an assignment is executed when all branches around it were taken, and a branch goes one way or the other. A front end of
//! such a language says under which condition: then it can be asked whether any run gets there. Formats without statements say nothing.

use crate::{ElementId, ExprId};

/// One way in which an element can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Execution {
    /// The element.
    pub element: ElementId,
    /// What happens to it.
    pub way: Way,
    /// It happens in the steps in which this holds; with an edge, if this held in the step before.
    pub condition: ExprId,
    /// It happens in the steps in which this holds as well: the edge of a clock is seen, and what counts is what was there before it.
    pub edge: Option<ExprId>,
}

/// What happens to an element when it is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// It is executed.
    Executed,
    /// The condition of a branch is tested, and true.
    True,
    /// It is tested, and false.
    False,
    /// One of several alternatives is chosen.
    Chosen,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 4] = [Way::Executed, Way::True, Way::False, Way::Chosen];

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Way::Executed => "executed",
            Way::True => "true",
            Way::False => "false",
            Way::Chosen => "chosen",
        }
    }
}
