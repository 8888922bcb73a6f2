//! Coverage metrics: which parts of a design do its proven properties check?
//!
//! One folder each; `propcov::METRICS` has a row for each, with the function that runs it. A metric takes properties that are proved and asks about many edits of the design. [`mutation`] streams
//! a [`Finding`](propcov_ir::Finding) for each, with evidence that the independent checker has accepted; [`ctl`] has sets of states instead, because nobody
//! could list them; [`cores`] has sets of elements from which a property can be proved.

pub mod cores;
pub mod ctl;
pub mod difference;
pub mod mutation;
pub mod ranking;
pub mod reach;
pub mod refine;
