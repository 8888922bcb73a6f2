//! `propcov verify`: all that a run directory claims, checked again without any engine.

use crate::args::{MemoryArguments, format_parser, parse_time};
use crate::config::ConfigArguments;
use crate::cover::arguments::DEFAULT_OUT;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::{Progress, ProgressArguments};
use crate::session::Session;
use clap::Args;
use propcov::report::Format;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The arguments of `propcov verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArguments {
    /// The directory that `propcov cover` kept its findings in
    #[arg(default_value = DEFAULT_OUT)]
    pub(crate) directory: PathBuf,

    /// Check only what is about this design [default: all designs that DIRECTORY has kept]
    pub(crate) file: Option<PathBuf>,

    /// Stop after this time (30, 30s, 5m, 1h); the rest is listed as not checked
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_time)]
    pub(crate) timeout: Option<Duration>,

    #[command(flatten)]
    pub(crate) memory: MemoryArguments,

    /// How to print results on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub(crate) format: &'static Format,

    #[command(flatten)]
    pub(crate) progress: ProgressArguments,

    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &VerifyArguments, session: &mut Session) -> ExitCode {
    let result = verify(arguments, session);
    input::settle(result, session)
}

fn verify(arguments: &VerifyArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    session.limit(start, arguments.timeout, arguments.memory);
    session.catch_interrupts();
    let progress = Progress::new(arguments.progress, session.terminal.stderr, start, arguments.timeout);
    let control = session.control(&progress, start);
    let (directory, file) = (&arguments.directory, arguments.file.as_deref());
    let result = propcov::verify_directory(directory, file, arguments.timeout, &control)?;
    progress.finish();
    Ok(output::result(&result, Default::default, arguments.format, false, arguments.progress.quiet, session))
}
