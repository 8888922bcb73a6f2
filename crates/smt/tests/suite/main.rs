//! Tests of the arithmetic solver through its public interface.

mod checker;
mod random;
mod speed;
