//! Tests of the front ends through their public interface.
#![cfg(test)]

mod benchmarks;
mod common;
mod malformed;
