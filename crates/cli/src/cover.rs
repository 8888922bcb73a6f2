//! `propcov cover`: which parts of a design do its proven properties check? The library does all of it; here are the options.

pub(crate) mod arguments;
mod cores;
pub(crate) mod document;
pub(crate) mod states;
pub(crate) mod tally;
pub(crate) mod text;

use crate::args::Format;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::CoverArguments;
use propcov::{CoverOptions, MutationOptions, ReadOptions};
use propcov_coverage::{METRICS, Subject};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &CoverArguments, session: &mut Session) -> ExitCode {
    let metric = METRICS.iter().find(|metric| metric.name == arguments.metric).unwrap_or(&METRICS[0]);
    let result = match metric.subject {
        Subject::Elements => cover(arguments, session),
        Subject::Labels(place) => states::cover(place, arguments, session),
        Subject::Cores(core) => cores::cover(core, arguments, session),
    };
    input::settle(result, session)
}

fn cover(arguments: &CoverArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let options = options(arguments)?;
    let design = input::design(&arguments.file, &ReadOptions::default(), session)?;
    session.remark(arguments.quiet, &states::arguments::idle_for_mutation(arguments));
    for (is_idle, note) in [
        (!options.observe.is_empty() && !arguments.witness, "--observe does nothing without --witness"),
        (arguments.traces && arguments.format != Format::Json, "--traces does nothing without --format json"),
    ] {
        if is_idle {
            session.remark(arguments.quiet, &format!("note: {note}\n"));
        }
    }
    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let result = design.cover_with(&options, &session.control(&progress, start))?;
    progress.finish();
    Ok(output::result(&result, arguments.format, arguments.stats, arguments.quiet, session))
}

fn options(arguments: &CoverArguments) -> Result<CoverOptions, Complaint> {
    Ok(CoverOptions {
        metrics: propcov::metric(&arguments.metric).into_iter().collect(),
        properties: arguments.properties.clone(),
        timeout: arguments.effort.timeout,
        threads: arguments.effort.threads.map(usize::from),
        seed: arguments.effort.seed,
        threshold: arguments.threshold,
        observe: arguments.observed(),
        keep: arguments.keep.keep(arguments.fresh),
        elements: arguments.elements.clone(),
        mutation: MutationOptions {
            edits: arguments::mutations(&arguments.edits),
            bits: arguments.bits,
            method: arguments.effort.method()?,
            accuracy: arguments.accuracy,
            budget: arguments.budget,
            witness: arguments.witness,
            traces: arguments.traces,
        },
    })
}

/// Until states and refinement are moved.
pub(crate) fn finite(system: &propcov_ir::System) -> Result<(), Complaint> {
    let mut signals = system.signals().iter();
    let Some(signal) = signals.find(|signal| signal.sort.is_unbounded()) else { return Ok(()) };
    Err(Complaint(format!("error: this is for finite systems for now, and `{}` is of sort {}\n", signal.name, signal.sort)))
}
