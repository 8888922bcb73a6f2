//! `propcov explain`: why one element is covered or not. The library does all of it; here are the options.

pub(crate) mod arguments;

use crate::config::no_design;
use crate::cover::arguments::mutations;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::ExplainArguments;
use propcov::{CoverOptions, ExplainOptions, Keep, MutationOptions, ReadOptions, Usage};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &ExplainArguments, session: &mut Session) -> ExitCode {
    let result = explain(arguments, session);
    input::settle(result, session)
}

fn explain(arguments: &ExplainArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    if arguments.files().is_empty() {
        return Err(no_design());
    }
    let asked = arguments.effort.options()?;
    let (edits, bits) = (mutations(&arguments.edits), arguments.bits);
    let cover = CoverOptions {
        properties: arguments.properties.clone(),
        observe: arguments.observe.clone(),
        keep: Keep { usage: Usage::IfThere, ..arguments.keep.keep(false) },
        mutation: MutationOptions { edits, bits, ..asked.mutation },
        ..asked
    };
    let options = ExplainOptions { element: arguments.element(), cover, vcd: arguments.vcd.clone() };
    let budget = session.limit(start, arguments.effort.timeout, arguments.effort.memory);
    let read = ReadOptions {
        budget,
        verilog: arguments.verilog.options_within(arguments.effort.memory),
        lustre: arguments.lustre.options(),
        ..ReadOptions::default()
    };
    let design = input::design(arguments.files().into(), &read, session)?;
    let progress =
        Progress::new(arguments.progress, session.terminal.stderr, start, arguments.effort.timeout);
    let result = design.explain_with(&options, &session.control(&progress, start))?;
    progress.finish();
    Ok(output::result(
        &result,
        || design.material(),
        arguments.format,
        false,
        arguments.progress.quiet,
        session,
    ))
}
