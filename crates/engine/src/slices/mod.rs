//! One property of many slices of a system: does it hold while only some elements are kept, and every other one is freed?
//!
//! Slices are not encoded one by one. All elements that can be dropped have a literal that keeps them, and a slice is a set of assumptions (E. Ghassabani: Inductive Validity
//! Cores, 2018, with activation literals; the pool of lemmas and free growth are ours).

mod circuits;
mod path;

pub use circuits::Circuits;
pub use path::{Claim, Path};
