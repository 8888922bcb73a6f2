//! Several directories become one: their files are put together.
//!
//! Each file has a name that no other content has, but for those that a run is still writing: they only grow, so that of two copies the longer one has all that the other has.

use crate::archive::{EVIDENCE, FINDINGS};
use crate::error::StoreError;
use crate::files::{failed, list, make_directory, write_for_later};
use crate::kept::{DESIGNS, TRACES};
use std::path::{Path, PathBuf};

/// Puts what others have kept into a directory: evidence, claims, designs and waveforms. Results are about what one run saw of it, and stay where they are.
/// Directories that are not there have nothing. To do it again, or in another order, changes nothing.
///
/// # Errors
/// When a file cannot be read or written. What is there by then does no harm.
pub fn unite(into: &Path, others: &[PathBuf]) -> Result<(), StoreError> {
    make_directory(into)?;
    // Evidence first, as runs write it: whoever reads claims meanwhile finds theirs.
    for part in [DESIGNS, EVIDENCE, FINDINGS, TRACES] {
        for other in others {
            for file in list(&other.join(part), "")? {
                let Some(name) = file.file_name() else { continue };
                copy(&file, &into.join(part).join(name))?;
            }
        }
    }
    Ok(())
}

/// Copies a file, unless what is there is as long.
fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let length = |path: &Path| std::fs::metadata(path).map(|metadata| metadata.len());
    let wanted = length(from).map_err(|error| failed(from, "read", error))?;
    if length(to).is_ok_and(|there| there >= wanted) {
        return Ok(());
    }
    let bytes = std::fs::read(from).map_err(|error| failed(from, "read", error))?;
    write_for_later(to, &bytes)
}
