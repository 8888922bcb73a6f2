//! The database from outside: what is written is read, and whatever happens to a file, nothing else is.

mod common;
mod files;
mod round_trip;
