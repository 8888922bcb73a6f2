//! Tests of decision diagrams over systems, through their public interface.

mod benchmarks;
mod ctl;
mod cubes;
mod simulation;
