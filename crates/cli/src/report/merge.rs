//! `propcov report --merge`: what several machines have found out, as if one had done it all.

use crate::args::{Arguments, Command};
use crate::cover;
use crate::cover::arguments::CoverArguments;
use crate::input::Complaint;
use crate::progress::{Progress, ProgressArguments};
use crate::session::Session;
use clap::Parser;
use propcov::report::Material;
use propcov::result::{Run, RunResult};
use propcov::{CoverOptions, Keep};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Unites directories, and looks at them as a whole.
pub(crate) fn merge(
    directory: &Path,
    others: &[PathBuf],
    session: &mut Session,
) -> Result<(RunResult, Material), Complaint> {
    let start = Instant::now();
    let union = propcov::unite(directory, others)?;
    let asked = asked(&union.run.result.run)?;
    let options = CoverOptions {
        keep: Keep::in_directory(directory),
        share: None,
        settled: true,
        waivers: union.run.result.waivers.clone(),
        ..cover::options(&asked)?
    };
    session.limit(start, asked.effort.timeout, asked.effort.memory);
    session.catch_interrupts();
    let progress = ProgressArguments { quiet: true, ..asked.progress };
    let progress = Progress::new(progress, session.terminal.stderr, start, asked.effort.timeout);
    let result = union.design.cover_with(&options, &session.control(&progress, start));
    progress.finish();
    let mut result = result?;
    result.notes.extend(union.notes());
    Ok((result, union.design.material()))
}

/// What was asked of a run.
fn asked(run: &Run) -> Result<Box<CoverArguments>, Complaint> {
    let added = run.configuration.iter().flat_map(|configuration| &configuration.arguments);
    let (command, rest) = run.arguments.split_at(run.arguments.len().min(1));
    let line = ["propcov".to_owned()].into_iter().chain(command.iter().cloned());
    let line = line.chain(added.cloned()).chain(rest.iter().cloned());
    match Arguments::try_parse_from(line).map(|arguments| arguments.command) {
        Ok(Command::Cover(arguments)) => Ok(arguments),
        _ => Err(Complaint::new(format!(
            "error: a shard was started by `propcov {}`, which this version does not understand\n",
            propcov_ir::printable(&run.arguments.join(" "))
        ))),
    }
}
