//! Sets of states as decision diagrams: reachability and fair CTL.
//!
//! [`bdd`] is the package of binary decision diagrams. Everything above it speaks of sets of states.

pub mod bdd;
