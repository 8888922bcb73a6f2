//! What was found out, for people at a terminal.

mod grid;
mod matrix;

pub use matrix::{MatrixOptions, matrix};
