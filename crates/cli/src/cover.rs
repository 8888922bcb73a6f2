//! `propcov cover`: which parts of a design do its proven properties check? The library does all of it; here are the options.

pub(crate) mod arguments;
mod core_arguments;
mod idle;
mod state_arguments;

use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::CoverArguments;
use propcov::{CoverOptions, MutationOptions, ReadOptions};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &CoverArguments, session: &mut Session) -> ExitCode {
    let result = cover(arguments, session);
    input::settle(result, session)
}

fn cover(arguments: &CoverArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let options = options(arguments)?;
    let budget = session.limit(start, arguments.effort.timeout, arguments.effort.memory);
    let granularity = arguments.cores.granularity();
    let read =
        ReadOptions { granularity, budget, verilog: arguments.verilog.options(), ..ReadOptions::default() };
    let design = input::design(&arguments.files, &read, session)?;
    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let result = design.cover_with(&options, &session.control(&progress, start));
    progress.finish();
    let result = result?;
    session.remark(arguments.quiet, &idle::notes(arguments, &result.run.metrics));
    Ok(output::result(
        &result,
        || design.material(),
        arguments.format,
        arguments.stats,
        arguments.quiet,
        session,
    ))
}

fn options(arguments: &CoverArguments) -> Result<CoverOptions, Complaint> {
    let asked = arguments.effort.options()?;
    Ok(CoverOptions {
        metrics: arguments.metrics.iter().filter_map(|name| propcov::metric(name)).collect(),
        properties: arguments.properties.clone(),
        certificate: arguments.certificate.clone(),
        threshold: arguments.threshold,
        observe: arguments.observed(),
        keep: arguments.keep.keep(arguments.fresh),
        elements: arguments.elements.clone(),
        mutation: MutationOptions {
            edits: arguments::mutations(&arguments.edits),
            bits: arguments.bits,
            accuracy: arguments.accuracy,
            budget: arguments.budget,
            witness: arguments.witness,
            traces: arguments.traces,
            ..asked.mutation
        },
        cores: arguments.cores.options(),
        states: arguments.states.options(),
        count_states: arguments.stats,
        ..asked
    })
}
