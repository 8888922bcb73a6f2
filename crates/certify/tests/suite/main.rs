//! Tests of the checker through its public interface.

mod claims;
mod enumeration;
mod family;
mod independence;
mod kills;
mod malformed;
mod operators;
mod recheck;
mod systems;
