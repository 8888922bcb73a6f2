//! Tests of the checker through its public interface.

mod always;
mod arrays;
mod claims;
mod cores;
mod coverage;
mod demonstrations;
mod enumeration;
mod family;
mod independence;
mod kills;
mod lassos;
mod listing;
mod malformed;
mod numbers;
mod operators;
mod recheck;
mod refinement;
mod systems;
