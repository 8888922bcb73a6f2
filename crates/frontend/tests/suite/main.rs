//! Tests of the front ends through their public interface.

mod benchmarks;
mod common;
