//! Nothing but a place for `tests/oxidd.rs` and `examples/kernel.rs`, which compare our decision diagrams with the crate oxidd.
//!
//! A package of its own, outside of the workspace: oxidd's macros ask for features of `syn` that nothing else needs. With them in the workspace, every change between `cargo check -p X`,
//! `cargo build` and `cargo test --workspace` would compile CaDiCaL, and all that depends on it, again.
