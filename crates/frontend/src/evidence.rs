//! Evidence in the format of a design, for the tools that others have for it.

use crate::{Design, WitnessError};
use propcov_ir::{Proof, PropertyId, Trace};

/// A file that another tool can check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceFile {
    /// What its name ends in, such as `.cex`.
    pub ending: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Writes a run that violates a property of a design.
pub type WriteWitness = fn(&Design, PropertyId, &Trace) -> Result<EvidenceFile, WitnessError>;

/// Writes a proof of a property of a design, with what else a checker of it needs.
pub type WriteCertificate = fn(&Design, PropertyId, &Proof) -> Result<Vec<EvidenceFile>, NoCertificate>;

/// Why a proof has no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NoCertificate {
    /// What a certificate is called in this format.
    pub what: &'static str,
    /// Why there is none.
    pub reason: String,
}
