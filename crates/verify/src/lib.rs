//! The one road to a certified verdict, for every command and every metric.
//!
//! A [`Verifier`] takes properties of a system and answers with [`Outcome`]s. It has engines look for answers, and the
//! independent checker look at their evidence; nobody else in propcov does both.
//!
//! # The order of work
//! 1. [`Verifier::inspect`], the sanity check: do assumptions conflict, is a property a constant?
//! 2. Proofs of earlier runs ([`Known`]) are checked again. That takes less than to find them.
//! 3. CTL properties are decided by decision diagrams (`ctl`). What these cannot decide goes the way of invariants if it
//!    is one, `AG p` (`plan`).
//! 4. Invariants of systems with ints and reals are decided together: lemmas that one needs are there for all (`joint`).
//! 5. Justice properties and formulas of linear time become invariants of a system that watches, or are decided by diagrams of that system's fair runs (`liveness`).
//! 6. All other invariants are decided in rounds, together and then each by itself; what is proved helps with the rest (`suites`).
//!
//! Whoever calls hears of each property as soon as there is nothing more to try, so that it can be kept at once.
//!
//! # How time is shared
//! A hard property must not starve the others. Invariants of finite systems are tried in rounds whose effort, in solver ticks, doubles (`suites`);
//! where there are numbers, time is shared: with a deadline there is a short attempt at each, then what is left is shared equally among those that
//! ran out of time, and what easy ones leave over goes to the hard ones; without, attempts grow from round to round ([`schedule`]). Diagrams and
//! other engines that could decide the same properties each get a limited effort before either gets all of it. Where answers are certified only after
//! the search, some time is kept back for that.
//!
//! # What is certified, and how
//! - A proof of an invariant: `certify::check_proof` accepts it on the system as written.
//! - A counterexample: `certify::check_trace` replays it. To violate p refutes `AG p` only where every run can go on.
//! - A proof of a liveness property: `certify::check_liveness`; a run that repeats itself: `certify::check_lasso`. What diagrams proved without a proof that could be written down and checked is reported as not certified.
//! - CTL: runs are replayed, the reachable states are checked as an invariant, sets of states with ranks show the rest (`certify::check_labels`), and
//!   small systems are decided once more state by state (`ctl_evidence`). What one of these contradicts is not reported;
//!   what none of them can confirm is reported with [`Outcome::certified`] false.
//! - What an earlier run proved is certified like what an engine says now.
//!
//! A rejection is an internal error, and the property is unknown. A checker that was stopped has rejected nothing: then the
//! reason is that time ran out. A crash of an engine costs its answer, and is recorded in a [`PanicLog`].

mod answer;
mod choice;
mod client;
mod ctl;
mod ctl_evidence;
mod ctl_proof;
mod distance;
mod effort;
mod first_step;
mod generalise;
mod inspection;
mod invariants;
mod joint;
mod known;
mod limits;
mod liveness;
mod liveness_diagrams;
mod outcome;
mod panics;
mod plan;
mod progress;
mod prove;
pub mod record;
pub mod schedule;
mod smooth;
mod suites;
mod verifier;
mod work;

pub use answer::Answer;
pub use choice::EngineChoice;
pub use client::Client;
pub use ctl::{Decided, Symbolic};
pub use ctl_evidence::Size;
pub use ctl_proof::ctl_proof;
pub use distance::{Distance, Distant};
pub use first_step::FirstStep;
pub use generalise::generalise;
pub use inspection::Inspection;
pub use known::{Known, Recall};
pub use limits::budget;
pub use outcome::Outcome;
pub use panics::PanicLog;
pub use plan::Verdicts;
pub use progress::{Progress, Silent, SoFar};
pub use propcov_budget::Effort;
pub use propcov_symbolic::Length;
pub use smooth::Smoothness;
pub use verifier::{Options, Verifier};
