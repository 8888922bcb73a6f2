//! Sets of states as decision diagrams: reachability and fair CTL, of a design and of many mutants at once.
//!
//! The way down, one file per step: `encode` turns gates into diagrams ([`propcov_bdd`]), `order` finds a first
//! variable order, `relation` keeps the transition relation in parts, `model` puts these together; `reach` finds the
//! reachable states, `fair` has the fixpoints of CTL and `ctl` evaluates formulas. `path` and `demonstrate` lead back up
//! to runs that show a verdict, `invariant` to a lemma that others can check, `labels` to sets with ranks for all of a formula (`write` writes them down), and [`cubes`] to sets that people can read.
//! [`simulation`] asks whether one model simulates another, and what of it notices changed labels. `vacuity` finds what
//! is never tested. `distance` counts steps between sets. `fair_runs` is for those who ask whether there is any fair run, and made a system for that. `mutants` evaluates formulas where labels are changed, and `sets` is what those may ask who measure
//! coverage.

mod check;
mod ctl;
pub mod cubes;
mod demonstrate;
mod distance;
mod encode;
mod fair;
mod fair_runs;
mod invariant;
mod labels;
mod model;
mod mutants;
mod order;
mod path;
mod reach;
mod relation;
mod sets;
pub mod simulation;
mod steps;
mod vacuity;
mod write;

pub use check::{Checker, Observer, Options, Silent, StateCounts, Stats};
pub use ctl::{Evaluator, Failure};
pub use distance::Length;
pub use fair_runs::{FairRuns, Layers, Part};
pub use labels::{Labelled, Labelling};
pub use model::{Model, ModelError, Subject};
pub use mutants::{Label, Labels};
