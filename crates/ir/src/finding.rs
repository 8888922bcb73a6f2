//! What a coverage metric found out about one edit of one element and one property.

use crate::{Kill, Mutant, Proof, PropertyId, Trace, UnknownReason};
use std::borrow::Cow;
use std::sync::Arc;

/// One answer, with its evidence.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The property.
    pub property: PropertyId,
    /// The edit.
    pub mutant: Mutant,
    /// The answer.
    pub status: Status,
    /// The technique that decided it, or would have had to.
    pub by: Cow<'static, str>,
}

/// Whether the property survives the edit.
#[derive(Clone, Debug)]
pub enum Status {
    /// It fails: this run shows it.
    Covered(Arc<Kill>),
    /// It still holds: this proof is accepted on the mutant.
    Uncovered(Arc<Proof>),
    /// It still holds, by this proof, and the mutant was proved to show no difference to anybody who looks.
    NoEffect(Arc<Proof>),
    /// No run of so many transitions violates it on the mutant. Nothing is known beyond.
    Bounded(u32),
    /// Not decided.
    Unknown(UnknownReason),
}

impl Status {
    /// The word used in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Covered(_) => "covered",
            Status::Uncovered(_) => "uncovered",
            Status::NoEffect(_) => "no-effect",
            Status::Bounded(_) => "bounded",
            Status::Unknown(_) => "unknown",
        }
    }
}

/// What would slip through: two runs under the same choices, one of the design and one of the mutant, that differ where
/// somebody could look, and on which every property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The run of the design as written.
    pub original: Trace,
    /// The run of the mutant.
    pub mutated: Trace,
    /// What differs in the last step, by name.
    pub observed: Vec<String>,
}
