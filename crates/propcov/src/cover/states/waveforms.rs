//! Waveforms of runs into holes, in the run directory.

use crate::files::{Stems, design_stem};
use crate::{Design, waveform};
use propcov_coverage::ctl::{Place, Row};
use propcov_ir::{Edits, PropertyId};
use propcov_result::{Note, NoteKind};
use propcov_store::{StoreError, keep_trace};
use std::path::Path;

/// Writes a waveform for each run.
pub(super) fn write(
    design: &Design,
    properties: &[PropertyId],
    place: Place,
    rows: &mut [Row],
    directory: &Path,
) -> Result<(), StoreError> {
    let mut stems = Stems::default();
    for row in rows {
        let name = row.observed.as_ref().map_or("together", |observed| observed.name.as_str());
        for run in &mut row.runs {
            let Ok(trace) = &run.trace else { continue };
            let (start, metric, hole) = (design_stem(design.name()), place.metric(), run.hole);
            let stem = stems.stem(&format!("{start}-{metric}-{name}-hole{hole}"));
            let comment = format!("{name}: a shortest run into hole {hole}");
            let shown = waveform::Run { scope: "design", edits: &Edits::none(), trace };
            let Ok(bytes) =
                waveform::runs(design.system(), properties, &[], &comment, &[shown], waveform::Kind::Vcd)
            else {
                continue;
            };
            let path = keep_trace(directory, &stem, "vcd", &bytes)?;
            run.waveform = Some(path.display().to_string());
        }
    }
    Ok(())
}

/// What to say about a directory that cannot be written. Where nobody asked for it, that is no error.
pub(super) fn failed(error: &StoreError, must_keep: bool) -> Note {
    let kind = if must_keep { NoteKind::Error } else { NoteKind::Warning };
    Note { kind, text: format!("{error}; not all waveforms were kept"), place: None }
}
