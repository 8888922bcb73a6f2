//! The findings database: what a run found out, kept as it finds it, so that the next run goes on where this one stopped.
//!
//! A database is one file of JSON lines for one design, metric and granularity. The first line says what the file is about
//! ([`Identity`]); each other line is a record. Records are only ever added, and a line is added with one write: whatever
//! ends a run (Ctrl-C, a crash, a full disk), the file has all that was found, and at worst a last line that is cut off and that
//! the next run removes.
//!
//! Evidence is written once and referred to by number: a run that kills a hundred mutants is one line, and the lemmas of an invariant that
//! are shared by a hundred proofs are written once. See [`record`] for the lines.
//!
//! Nothing here is believed because it is in a file. [`Loaded`] findings are for the caller to check, as it would check
//! those of an engine; this crate links no solver.

mod advice;
mod database;
mod error;
mod evidence;
mod hole;
mod identity;
mod lemmas;
mod node;
mod reader;
pub mod record;
mod rows;
mod value;

pub use advice::Advice;
pub use database::{Database, Opened, identity_at, load};
pub use error::StoreError;
pub use hole::{Hole, ProductProof, Witness};
pub use identity::{Identity, SCHEMA, fingerprint};
pub use reader::{Loaded, Proved};
