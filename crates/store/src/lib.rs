//! The run directory: what runs found out, kept as they find it, so that the next one goes on from there, whatever was edited in between.
//!
//! ```text
//! propcov.out/
//!   evidence/RUN.jsonl      proofs and runs, named by their content
//!   findings/RUN.jsonl      claims that refer to them
//!   designs/SHA256          the files of designs
//!   results/RUN.CHECK.json  the whole result of each run
//!   traces/NAME-DIGEST.vcd  waveforms
//! ```
//!
//! Files are only ever added, and each run has its own: several runs may work in one directory at once, about any designs, and two directories become one by putting
//! their files together. A [`Journal`] writes, one line for each record; whatever ends a run, all complete lines are there. An [`Archive`] reads. Each line
//! carries a check of its content, so that a damaged one costs just what it says.
//!
//! A claim is found by the *meaning* of what it is about ([`propcov_ir::Meanings`]), which follows from definitions and not from the bytes of a file: a comment, another
//! property or an unrelated register changes nothing. What is said about a property that has been changed is offered as well, as something to try.
//!
//! Nothing here is believed because it is in a file. [`Recalled`] claims are for the caller to check, as it would check those of an engine; this crate links
//! no solver.

mod advice;
mod archive;
mod elements;
mod error;
mod files;
mod journal;
mod kept;
mod library;
mod line;
mod names;
mod node;
mod packed;
mod proofs;
mod recall;
pub mod record;
mod runs;
mod segment;
mod slices;
mod sync;
mod traces;
mod unite;
mod value;

pub use advice::Advice;
pub use archive::Archive;
pub use error::StoreError;
pub use files::sha256;
pub use journal::{Journal, Question, Subject};
pub use kept::{DesignFile, KeptDesign, KeptResult, keep_trace};
pub use library::{KeptProof, Library};
pub use packed::Packed;
pub use recall::{ClaimId, Claimed, EARLIER, Effect, Proved, Recalled, Violated, Wanted, Witness};
pub use slices::{RecalledSlices, SliceClaim, SliceWitness};
pub use traces::KeptTrace;
pub use unite::unite;
