//! `propcov impact`: which properties keep a proof when a design changes.

use crate::args::format_parser;
use crate::cover::arguments::DEFAULT_OUT;
use crate::exit::ExitCode;
use crate::input::{self, Complaint, Input};
use crate::lustre_arguments::LustreArguments;
use crate::output;
use crate::session::Session;
use crate::verilog_arguments::VerilogArguments;
use clap::Args;
use propcov::report::Format;
use propcov::{Change, ReadOptions, Silent};
use std::path::PathBuf;
use std::time::Instant;

/// The arguments of `propcov impact`.
#[derive(Args, Debug)]
pub(crate) struct ImpactArguments {
    /// The changed design
    #[arg(value_name = "FILE", required_unless_present = "elements", conflicts_with = "elements")]
    files: Vec<PathBuf>,

    /// In place of a changed design: elements that are to be changed, by name
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    elements: Vec<String>,

    /// The run directory of `propcov cores` or `propcov cover -m may` before the change
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,

    /// How to print results on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    format: &'static Format,

    #[command(flatten)]
    lustre: LustreArguments,

    #[command(flatten)]
    verilog: VerilogArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &ImpactArguments, session: &mut Session) -> ExitCode {
    let done = impact(arguments, session);
    input::settle(done, session)
}

fn impact(arguments: &ImpactArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let change = if arguments.elements.is_empty() {
        let read = ReadOptions {
            verilog: arguments.verilog.options(),
            lustre: arguments.lustre.options(),
            ..ReadOptions::default()
        };
        Change::Design(Box::new(input::design(Input::from(arguments.files.as_slice()), &read, session)?))
    } else {
        Change::Elements(arguments.elements.clone())
    };
    let result = propcov::impact(&arguments.out, &change, &session.control(&Silent, start))?;
    Ok(output::result(&result, Default::default, arguments.format, false, false, session))
}
