//! Liveness: what happens infinitely often, decided by the engines for invariants, which need not know.
//!
//! A property of infinite runs becomes an invariant of a system that watches (`propcov_ir::Reduction` says exactly how). There are two ways. One looks
//! for a lasso: the watching system guesses where the loop begins, keeps a copy of that state, and must never come back to it with all conditions met on the
//! way. This loses nothing in a finite system, and a run that violates the invariant is a lasso. The other one counts how often all conditions were
//! met: if some number is never exceeded, the property holds. This proves much more easily, since there is no copy, but refutes
//! nothing; the bound grows. [`Search`] tries them in turn.
//!
//! A formula of linear time comes down to conditions that are to be met infinitely often by a tableau (`promises`).
//!
//! # References
//! - A. Biere, C. Artho, V. Schuppan: Liveness checking as safety checking. FMICS 2002.
//! - K. Claessen, N. Sörensson: A liveness checking algorithm that counts. FMCAD 2012.
//! - E. Clarke, O. Grumberg, K. Hamaguchi: Another look at LTL model checking. CAV 1994.

mod promises;
mod search;
mod watch;

pub use search::{Ask, LASSO, LOOP, ROUNDS, Search};
pub use watch::{Reduced, Watch};
