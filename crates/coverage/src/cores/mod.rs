//! Validity cores: which elements does a proven property rest on, in every way in which it can be proved?
//!
//! A set of elements is *adequate* for a property if the property holds while every other element is freed, and *inadequate* if it then fails. More elements mean fewer runs, so
//! supersets of adequate sets are adequate, and subsets of inadequate sets are inadequate. A *minimal core* is an adequate set of which every proper subset is inadequate.
//!
//! The algorithms know nothing of systems: they ask a [`Judge`] about sets. What the judge found out, and the evidence for it, it keeps itself. So tests can give them random monotone functions.
//!
//! # References
//! - E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018. Chapters 3 and 6; algorithms have its names.
//! - J. Bendík, E. Ghassabani, M. Whalen, I. Černá: Online enumeration of all minimal inductive validity cores. SEFM 2018.

mod analysis;
mod brute_force;
mod conjunction;
mod default;
mod division;
mod evidence;
mod exploration;
mod explored;
mod grow;
mod grow_shrink;
pub mod impact;
mod job;
mod judge;
mod marco;
mod memory;
mod metrics;
mod minimum;
mod must;
mod online_marco;
pub mod reading;
pub mod record;
mod request;
mod search;
mod session;
mod shrink;
mod study;
mod together;
mod totalizer;

pub use analysis::{
    Analysis, DepthCore, Holds, Observer, Options, PropertyCores, Seconds, Universe, analyse, analyse_with,
};
pub use conjunction::{InTurn, Lists};
pub use division::{Part, Region, Task};
pub use evidence::{Ledger, Together};
pub use exploration::Start;
pub use judge::{Judge, Judgement};
pub use memory::{Memory, Piece, Witness};
pub use metrics::CoreMetric;
pub use request::{Algorithm, Core, Found, Goal, Listener, Minimality, Parts};
pub use search::search;
