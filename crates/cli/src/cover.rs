//! `propcov cover`: which parts of a design do its proven properties check? The library does all of it; here are the options.

pub(crate) mod arguments;
mod core_arguments;
mod idle;
mod state_arguments;

use crate::exit::ExitCode;
use crate::input::{self, Complaint, Input};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::CoverArguments;
use propcov::report::Material;
use propcov::report::text::TextOptions;
use propcov::result::REACH;
use propcov::{CoverOptions, Mode, MutationOptions, ReadOptions, Task};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &CoverArguments, session: &mut Session) -> ExitCode {
    run_as(arguments, &|_| {}, session)
}

/// The same with options that users do not have.
pub(crate) fn run_as(
    arguments: &CoverArguments,
    adjust: &dyn Fn(&mut CoverOptions),
    session: &mut Session,
) -> ExitCode {
    let run = |input: Input<'_>, session: &mut Session| cover(arguments, adjust, input, session);
    input::run_tasks(
        &arguments.files,
        &arguments.verilog,
        &[Mode::Bounded, Mode::Prove, Mode::Live],
        session,
        run,
    )
}

fn cover(
    arguments: &CoverArguments,
    adjust: &dyn Fn(&mut CoverOptions),
    input: Input<'_>,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let mut options = options(arguments)?;
    options.waivers.clone_from(&session.plan.waivers);
    options.keep = input.keep(options.keep);
    options.bound = options.bound.or(input.task.and_then(Task::bound));
    adjust(&mut options);
    let budget = session.limit(start, arguments.effort.timeout, arguments.effort.memory);
    let granularity = arguments.cores.granularity();
    let mut verilog = arguments.verilog.options_within(arguments.effort.memory);
    // What runs execute can be asked of a design without assertions.
    let asks_more = options.metrics.is_empty() || options.metrics.iter().any(|metric| metric.name != REACH);
    verilog.settings.is_unasserted = !asks_more;
    let read = ReadOptions {
        granularity,
        budget,
        verilog,
        lustre: arguments.lustre.options(),
        ..ReadOptions::default()
    };
    let design = input::design(input, &read, session)?;
    let progress =
        Progress::new(arguments.progress, session.terminal.stderr, start, arguments.effort.timeout);
    let result = design.cover_with(&options, &session.control(&progress, start));
    progress.finish();
    let result = result?;
    session.remark(arguments.progress.quiet, &idle::notes(arguments, &result.run.metrics));
    let text = TextOptions { stats: arguments.stats, unfold: arguments.unfold, ..TextOptions::default() };
    let material = if arguments.format.with_material { design.material() } else { Material::default() };
    Ok(output::result_with(&result, &material, arguments.format, &text, arguments.progress.quiet, session))
}

pub(crate) fn options(arguments: &CoverArguments) -> Result<CoverOptions, Complaint> {
    let asked = arguments.effort.options()?;
    Ok(CoverOptions {
        metrics: arguments.metrics.iter().filter_map(|name| propcov::metric(name)).collect(),
        properties: arguments.properties.clone(),
        certificate: arguments.certificate.clone(),
        thresholds: arguments.threshold.clone(),
        observe: arguments.observed(),
        keep: arguments.keep(),
        share: arguments.share.share()?,
        elements: arguments.elements.clone(),
        exclude: arguments.exclude.clone(),
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
