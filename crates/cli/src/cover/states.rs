//! `propcov cover --metric state` and `--metric transition`: where is the value of a signal checked? The library does all of it; here are the options.

pub(crate) mod arguments;
// Rounding of `propcov refine`, until that returns a result.
pub(crate) mod share;

use crate::cover::arguments::CoverArguments;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use propcov::{Place, ReadOptions, StateRequest};
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub(crate) fn cover(
    place: Place,
    arguments: &CoverArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let design = input::design(&arguments.file, &ReadOptions::default(), session)?;
    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let covered = design.cover_states(place, &request(arguments), &session.control(&progress, start));
    progress.finish();
    let mut result = covered?;
    session.remark(arguments.quiet, &arguments::idle_for_states(arguments));
    result.run.arguments = std::env::args().skip(1).collect();
    Ok(output::result(&result, arguments.format, arguments.stats, arguments.quiet, session))
}

fn request(arguments: &CoverArguments) -> StateRequest {
    StateRequest {
        properties: arguments.properties.clone(),
        observe: arguments.observed(),
        states: arguments.states.options(),
        threshold: arguments.threshold,
        directory: arguments.keep.directory().map(Path::to_path_buf),
        must_keep: arguments.keep.out.is_some(),
        seed: arguments.effort.seed,
        timeout: arguments.effort.timeout,
        count_states: arguments.stats,
    }
}
