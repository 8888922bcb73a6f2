//! Text in, [`System`](propcov_ir::System) out: one folder and one row of [`FRONTENDS`] per format.
//!
//! Nothing here opens a file. A front end takes bytes that may be anything at all, and either gives a [`Design`] or an
//! [`InputError`] that says where and why not. It never panics, and never allocates more than the bytes it was given
//! can justify, whatever the counts in a header claim.
//!
//! What a front end can do beyond reading is in its row, too: write runs and proofs for other tools, say which elements
//! a file names. Whoever has a [`Design`] asks [`Design::frontend`], and nobody needs to know which format it is.

pub mod aiger;
pub mod btor2;
mod design;
mod error;
mod evidence;
mod extra;
mod frontend;
mod granularity;
pub mod graph;
pub mod lustre;
mod names;
pub mod smv;
mod sources;
mod text;
mod universe;
pub mod verilog;
mod words;

pub use design::{Design, Distance};
pub use error::{Diagnostic, InputError, WitnessError};
pub use evidence::{EvidenceFile, NoCertificate, WriteCertificate, WriteWitness};
pub use extra::Extra;
pub use frontend::{
    Annotated, FRONTENDS, Frontend, Operators, Parse, is_recognised, read, read_as, read_with, recognised,
};
pub use granularity::{Granularity, Options};
pub use names::near_matches;
pub use sources::Sources;
pub use universe::{Elements, UniverseError, UniverseOptions, universe};
