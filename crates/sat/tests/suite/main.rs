//! Tests of the public interface of this crate, in one binary because they share their helpers.

mod common;
mod cone;
mod conformance;
mod lrat;
mod proof;
