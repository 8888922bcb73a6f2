//! Concurrent assertions: what the standard means by them, as automata.
//!
//! - [`syntax`] is what people write, without the language around it. `derive` takes derived forms apart; `core` has the few that are left.
//! - `linear` says what a tick leaves of a sequence, `step` what it makes of a property, as a `formula`.
//! - `marks` says where an assertion is put to the test.
//! - [`obligations`] is what has to be remembered of all attempts together; `counters` finds what a number says in fewer bits; `monitor` makes states of a system of it.
//! - `alternating` and `justice` are for what no finite run shows.
//! - `read` comes from the records of the exporter, and `attempt` goes back to the user's text, for a run that fails.
//!
//! # Meaning
//! An assertion is an attempt at every tick. It fails at the first tick at which the ticks since its beginning show that it does, whatever comes: these
//! ticks, followed by ticks at which all Booleans are true (Annex F's ⊤), do not satisfy it. One clock; the clock never stops.

pub mod alternating;
pub mod attempt;
mod core;
pub mod counters;
mod derive;
mod formula;
mod justice;
mod linear;
mod locals;
mod marks;
mod monitor;
pub mod obligations;
mod read;
mod step;
pub mod syntax;
mod watched;

use self::core::Pool;
use alternating::Alternating;
use derive::Reading;
pub(super) use locals::Binding;
pub use marks::Antecedent;
pub(super) use monitor::Frame;
use obligations::Obligations;
use propcov_ir::Vacuity;
pub(super) use read::{Concurrent, clocks};
use syntax::{Abort, Boolean, Property, Sequence};
pub(super) use watched::bare;
pub use watched::{ToldAttempt, ToldPart, Watched};

/// How large things may become. Each is far more than people write, and little enough to be quick.
pub(super) mod limits {
    /// What may be left of a sequence, at any time.
    pub(crate) const SEQUENCES: usize = 50_000;
    /// Obligations of an assertion.
    pub(crate) const OBLIGATIONS: usize = 20_000;
    /// Parts of formulas and sequences that are looked at to find them.
    pub(crate) const WORK: usize = 1_000_000;
    /// Different sequences and properties, with all their parts.
    pub(crate) const NODES: usize = 300_000;
    /// Parts of a property as it is written.
    pub(crate) const PARTS: usize = 2_000;
    /// Ticks of `nexttime`, `always` and `eventually`, each of which is a property of its own.
    pub(crate) const TICKS: u32 = 4_096;
    /// What may come after one tick.
    pub(crate) const BRANCHES: usize = 4_096;
    /// Booleans that matter at one tick.
    pub(crate) const DECISIONS: usize = 24;
    /// Bits of one monitor.
    pub(crate) const BITS: usize = 4_096;
    /// Chains of so many obligations have a number.
    pub(crate) const COUNT_FROM: usize = 8;
}

/// Why there is no monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Too much has to be remembered.
    States,
    /// Too much may happen at one tick.
    Branches,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self {
            Problem::States => "too much has to be remembered for a monitor",
            Problem::Branches => "too much may happen at one tick for a monitor",
        };
        write!(f, "{what}: smaller ranges, or a simpler choice in what has to hold, would help")
    }
}

/// What is known of an assertion or assumption.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What has to be remembered of it.
    pub obligations: Obligations,
    /// What puts it to the test, by the numbers of the marks among the obligations.
    pub antecedents: Vec<Antecedent>,
    /// When it says nothing.
    pub vacuity: Vacuity,
}

/// What has to be remembered of an assertion or assumption. The ends of its antecedents are marked, unless that would be too much.
///
/// # Errors
/// When it is too much.
pub fn claim(property: &Property, disabled: Option<Boolean>) -> Result<Claim, Problem> {
    let mut pool = Pool::default();
    let mut marks = marks::Marks::default();
    let (whole, vacuity) = pool.marked(property, &mut marks);
    let whole = match disabled {
        Some(disabled) => pool.aborted(Abort::Accept, disabled, whole),
        None => whole,
    };
    match Obligations::of(&mut pool, whole) {
        Ok(obligations) => Ok(Claim { obligations, antecedents: marks.all, vacuity }),
        Err(_) => {
            let obligations = unmarked(property, disabled)?;
            Ok(Claim { obligations, antecedents: Vec::new(), vacuity: Vacuity::Never })
        }
    }
}

/// The same without marks.
fn unmarked(property: &Property, disabled: Option<Boolean>) -> Result<Obligations, Problem> {
    let mut pool = Pool::default();
    let mut property = pool.property(property, Reading::CLAIM);
    if let Some(disabled) = disabled {
        property = pool.aborted(Abort::Accept, disabled, property);
    }
    Obligations::of(&mut pool, property)
}

/// What has to be remembered of what is to be reached: it is when this fails.
///
/// # Errors
/// When it is too much.
pub fn goal(property: &Property, disabled: Option<Boolean>) -> Result<Claim, Problem> {
    let mut pool = Pool::default();
    let mut property = pool.property(property, Reading::GOAL);
    if let Some(disabled) = disabled {
        property = pool.aborted(Abort::Reject, disabled, property);
    }
    let never = pool.negated(property);
    let obligations = Obligations::of(&mut pool, never)?;
    Ok(Claim { obligations, antecedents: Vec::new(), vacuity: Vacuity::Never })
}

/// The alternating automaton of what is to be reached, if some infinite run does what no finite part of it shows.
///
/// # Errors
/// When it is too large.
pub fn endless_goal(property: &Property, disabled: Option<Boolean>) -> Result<Option<Alternating>, Problem> {
    let mut pool = Pool::default();
    let mut property = pool.property(property, Reading::GOAL);
    if let Some(disabled) = disabled {
        property = pool.aborted(Abort::Reject, disabled, property);
    }
    let never = pool.negated(property);
    match Alternating::of(&mut pool, never)?.is_liveness() {
        true => Ok(Some(Alternating::of(&mut pool, property)?)),
        false => Ok(None),
    }
}

/// What has to be remembered to know when a sequence ends: it does when this fails.
///
/// # Errors
/// When it is too much.
pub fn end(sequence: &Sequence) -> Result<Obligations, Problem> {
    Ok(goal(&Property::Sequence(sequence.clone()), None)?.obligations)
}

/// The alternating automaton of an assertion, or of its opposite.
///
/// # Errors
/// When it is too large.
pub fn alternating(
    property: &Property,
    disabled: Option<Boolean>,
    is_opposite: bool,
) -> Result<Alternating, Problem> {
    let mut pool = Pool::default();
    let mut property = pool.property(property, Reading::CLAIM);
    if let Some(disabled) = disabled {
        property = pool.aborted(Abort::Accept, disabled, property);
    }
    if is_opposite {
        property = pool.negated(property);
    }
    Alternating::of(&mut pool, property)
}
