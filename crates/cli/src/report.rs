//! `propcov report`: what runs have kept, rendered again. It needs neither the design nor a solver.

use crate::args::any_format_parser;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::session::Session;
use clap::Args;
use propcov::KeptRun;
use propcov::files::{WriteError, write_atomically};
use propcov::report::requirements::from_csv;
use propcov::report::terminal::{Align, Page, Style, Table};
use propcov::report::text::TextOptions;
use propcov::report::{Format, Material, Rendering};
use propcov::result::{RunResult, Scope};
use std::path::PathBuf;

/// The arguments of `propcov report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// The run directory
    #[arg(default_value = "propcov.out")]
    pub(crate) directory: PathBuf,

    /// Render this run, given by the beginning of its name [default: the newest]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// List all runs
    #[arg(long, conflicts_with = "run")]
    pub(crate) list: bool,

    /// How to render it
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = any_format_parser())]
    pub(crate) format: &'static Format,

    /// Write to FILE instead of standard output
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Read requirements from FILE (CSV: id, text, properties), besides those in comments of the design
    #[arg(long, value_name = "FILE")]
    pub(crate) requirements: Option<PathBuf>,

    /// Also print what the run took
    #[arg(long)]
    pub(crate) stats: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &ReportArguments, session: &mut Session) -> ExitCode {
    let result = report(arguments, session);
    input::settle(result, session)
}

fn report(arguments: &ReportArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let style = session.terminal.style();
    if arguments.list {
        let runs = propcov::kept_results(&arguments.directory)?;
        return Ok(session.print(&list(&runs, &style)));
    }
    let place = arguments.directory.display();
    let kept = match &arguments.run {
        None => propcov::latest_result(&arguments.directory)?,
        Some(name) => {
            let runs = propcov::kept_results(&arguments.directory)?;
            runs.into_iter().find(|run| run.name.starts_with(name.as_str()))
        }
    };
    let Some(kept) = kept else {
        return Err(Complaint::new(match &arguments.run {
            Some(name) => format!("error: {place} has no result of a run `{name}`; try --list\n"),
            None => format!("error: {place} has no result: no run has ended there yet\n"),
        }));
    };
    let mut material = match arguments.format.with_material {
        true => propcov::kept_material(&arguments.directory, &kept)?,
        false => Material::default(),
    };
    if let Some(path) = &arguments.requirements {
        let name = path.display();
        let bytes = propcov::read::file_bytes(path)
            .map_err(|error| Complaint::new(format!("error: cannot read {name}: {error}\n")))?;
        material.requirements = from_csv(&String::from_utf8_lossy(&bytes))
            .map_err(|error| Complaint::new(format!("error: {name}: {error}\n")))?;
    }
    render(&kept.result, &material, arguments, session)
}

/// Writes a result where it is wanted.
fn render(
    result: &RunResult,
    material: &Material,
    arguments: &ReportArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let (format, options) =
        (arguments.format, TextOptions { stats: arguments.stats, ..TextOptions::default() });
    let Some(path) = &arguments.output else {
        if !format.is_text {
            return Err(Complaint::new(format!("error: {} is not text; add --output FILE\n", format.name)));
        }
        let style = session.terminal.style();
        let rendering = Rendering { result, material, options: &options, style: &style };
        return Ok(session.write(|stdout| (format.write)(&rendering, stdout)));
    };
    let mut bytes = Vec::new();
    let rendering = Rendering { result, material, options: &options, style: &Style::default() };
    let written = (format.write)(&rendering, &mut bytes).and_then(|()| write_atomically(path, &bytes));
    written.map_err(|error| {
        let path = path.clone();
        Complaint::new(format!("error: {}\n", WriteError { path, error }))
    })?;
    Ok(ExitCode::Good)
}

/// A line for each run: its name, its command, its design and its headlines.
fn list(runs: &[KeptRun], style: &Style) -> String {
    let mut page = Page::new(style);
    let mut table = Table::with_headings(&[
        ("run", Align::Left),
        ("command", Align::Left),
        ("design", Align::Left),
        ("coverage", Align::Left),
    ]);
    for run in runs {
        let design = run.result.design.as_ref().and_then(|design| design.files.first());
        let design = design.map_or_else(String::new, |file| file.path.clone());
        let headlines = run.result.shares.iter().filter(|share| share.scope == Scope::All);
        let headlines = headlines.map(|share| format!("{} {}", share.metric, share.percent_text()));
        let headlines = headlines.collect::<Vec<_>>().join(", ");
        table.row([run.name.clone(), run.result.run.command.clone(), design, headlines]);
    }
    page.table(0, &table);
    page.finish()
}
