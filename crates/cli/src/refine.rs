//! `propcov refine`: does a specification simulate an implementation, and which labels of it does it constrain? The library does all of it; here are the options.

pub(crate) mod arguments;

use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::RefineArguments;
use propcov::ModelPair;
use propcov::report::text::TextOptions;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &RefineArguments, session: &mut Session) -> ExitCode {
    input::settle(refine(arguments, session), session)
}

fn refine(arguments: &RefineArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let mut options = arguments.options();
    options.budget = session.limit(start, arguments.timeout, arguments.memory);
    options.waivers.clone_from(&session.plan.waivers);
    // Only documents have room for it.
    options.relation = arguments.format.name == "json";
    let (Some(implementation), Some(specification)) = (&arguments.implementation, &arguments.specification)
    else {
        let why = "error: two models are compared: propcov refine IMPL SPEC\n";
        return Err(Complaint::new(why.to_owned()));
    };
    let name = propcov::read::display_name(implementation);
    let read = || ModelPair::read(implementation, specification, &options);
    let models = session.reading(&name, &options.budget, read)?;
    session.catch_interrupts();
    let progress = Progress::new(arguments.progress, session.terminal.stderr, start, arguments.timeout);
    let result = models.refine_and_draw(&options, &session.control(&progress, start));
    progress.finish();
    let (result, material) = result?;
    let text = TextOptions { stats: arguments.stats, holes: Some(arguments.holes), ..TextOptions::default() };
    Ok(output::result_with(&result, &material, arguments.format, &text, arguments.progress.quiet, session))
}
