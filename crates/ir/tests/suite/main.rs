//! Tests of systems, their meaning and their edits.

mod follow;
mod kripke_structure;
mod operators;
mod replay;
mod split;
