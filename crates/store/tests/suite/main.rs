//! The run directory from outside: what is written is read, whatever happens to files or processes, and exactly as far as it still means the same.

mod common;
mod damage;
mod directory;
mod edits;
mod processes;
mod reuse;
mod round_trip;
mod slices;
