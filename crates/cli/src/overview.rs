//! Several designs or tasks in one run: a page above their directories that leads to the report of each.

use crate::session::Session;
use propcov::KeptRun;
use propcov::files::write_atomically;
use propcov::report::Material;
use propcov::report::overview::{Entry, html};
use std::path::{Path, PathBuf};

/// What directories right below one have kept: names and newest runs, in order.
pub(crate) fn below(directory: &Path) -> Vec<(String, KeptRun)> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join(RESULTS).is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let newest = |name: String| {
        let kept = propcov::latest_result(&directory.join(&name)).ok().flatten()?;
        Some((name, kept))
    };
    names.into_iter().filter_map(newest).collect()
}

/// Where a directory has its results.
const RESULTS: &str = "results";

/// Writes the page, where runs of one command have kept their results side by side.
pub(crate) fn write(session: &mut Session) {
    let mut kept = std::mem::take(&mut session.kept);
    kept.sort();
    kept.dedup();
    let mut parents: Vec<PathBuf> = kept.iter().filter_map(|one| Some(one.parent()?.to_owned())).collect();
    parents.dedup();
    for parent in parents {
        let is_alone = kept.iter().filter(|one| one.parent() == Some(parent.as_path())).count() < 2;
        // A directory with results of its own has a report of its own.
        if is_alone || parent.as_os_str().is_empty() || parent.join(RESULTS).exists() {
            continue;
        }
        let (path, kept, material) = (parent.join(propcov::PAGE), below(&parent), Material::default());
        let entries = kept.iter().map(|(name, kept)| {
            let has_page = parent.join(name).join(propcov::PAGE).is_file();
            Entry { name, has_page, result: &kept.result, material: &material }
        });
        let written = write_atomically(&path, html(&entries.collect::<Vec<_>>()).as_bytes());
        let shown = propcov_ir::printable(&path.display().to_string()).to_string();
        match written {
            Err(error) => session.complain(&format!("warning: cannot write {shown}: {error}\n")),
            Ok(()) if session.terminal.stderr => session.complain(&format!("All reports: {shown}\n")),
            Ok(()) => {}
        }
    }
}
