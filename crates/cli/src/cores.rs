//! `propcov cores`: which elements of a design do its proven properties rest on? The library does all of it; here are the options.

pub(crate) mod arguments;

use crate::exit::ExitCode;
use crate::input::{self, Complaint, Input};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::CoresArguments;
use propcov::{CoresOptions, Mode, ReadOptions};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &CoresArguments, session: &mut Session) -> ExitCode {
    run_as(arguments, &|_| {}, session)
}

/// The same with options that users do not have.
pub(crate) fn run_as(
    arguments: &CoresArguments,
    adjust: &dyn Fn(&mut CoresOptions),
    session: &mut Session,
) -> ExitCode {
    let run = |input: Input<'_>, session: &mut Session| cores(arguments, adjust, input, session);
    input::run_tasks(
        &arguments.files,
        &arguments.verilog,
        &[Mode::Bounded, Mode::Prove, Mode::Live],
        session,
        run,
    )
}

fn cores(
    arguments: &CoresArguments,
    adjust: &dyn Fn(&mut CoresOptions),
    input: Input<'_>,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let mut options = options(arguments)?;
    options.keep = input.keep(options.keep);
    adjust(&mut options);
    let budget = session.limit(start, arguments.timeout, arguments.memory);
    let granularity = arguments.scope.granularity();
    let read = ReadOptions {
        granularity,
        budget,
        verilog: arguments.verilog.options_within(arguments.memory),
        lustre: arguments.lustre.options(),
        ..ReadOptions::default()
    };
    let design = input::design(input, &read, session)?;
    let progress = Progress::new(arguments.progress, session.terminal.stderr, start, arguments.timeout);
    let result = design.cores_with(&options, &session.control(&progress, start));
    progress.finish();
    let result = result?;
    Ok(output::result(
        &result,
        || design.material(),
        arguments.format,
        arguments.stats,
        arguments.progress.quiet,
        session,
    ))
}

pub(crate) fn options(arguments: &CoresArguments) -> Result<CoresOptions, Complaint> {
    let (elements, only) = arguments.chosen();
    Ok(CoresOptions {
        properties: arguments.properties.clone(),
        goal: arguments.wanted()?,
        algorithm: arguments.algorithm,
        depth: arguments.depth,
        elements,
        only,
        exclude: arguments.exclude.clone(),
        assumptions: arguments.scope.assumptions,
        granularity: None,
        check_timeout: arguments.scope.check_timeout,
        timeout: arguments.timeout,
        threads: arguments.threads.map(usize::from),
        seed: arguments.seed,
        matrix: arguments.matrix.clone(),
        invariants: arguments.format.name == "jkind-xml",
        keep: arguments.share.keep(&arguments.keep, arguments.fresh),
        share: arguments.share.share()?,
        settled: false,
    })
}
