//! `propcov report`: what runs have kept, rendered again. It needs neither the design nor a solver.

pub(crate) mod merge;

use crate::args::any_format_parser;
use crate::config::ConfigArguments;
use crate::cover::arguments::{DEFAULT_OUT, parse_threshold};
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::overview;
use crate::session::Session;
use clap::{Args, ValueHint};
use propcov::KeptRun;
use propcov::files::{WriteError, write_atomically};
use propcov::report::diff::Compared;
use propcov::report::requirements::{complaints, from_csv, unite};
use propcov::report::terminal::{Align, Page, Style, Table};
use propcov::report::text::TextOptions;
use propcov::report::{DIFF_FORMATS, Format, Material, Rendering};
use propcov::result::{Diff, NoteKind, RunResult, Scope, Threshold};
use propcov_ir::printable;
use std::io;
use std::path::{Path, PathBuf};

/// What the run before is called.
const PREVIOUS: &str = "previous";

/// Names of runs begin with the date and the time in seconds: so much of them is shown at least.
const SHORTEST: usize = 15;

/// The arguments of `propcov report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// The run directory, or a file with a result in JSON
    #[arg(default_value = DEFAULT_OUT)]
    pub(crate) directory: PathBuf,

    /// Render this run, given by the beginning of its name [default: the newest]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// List all runs
    #[arg(long, conflicts_with = "run")]
    pub(crate) list: bool,

    /// Compare with OLD: another run directory, a file with a result, the beginning of the name of an earlier run in the same
    /// directory, or `previous`, the run of the same design before this one. Exit codes: 2 if a property that was good is not any more, 3 if less is covered, 4 if something is not decided any more
    #[arg(long, value_name = "OLD", value_hint = ValueHint::AnyPath, conflicts_with = "list")]
    pub(crate) diff: Option<PathBuf>,

    /// Unite what shards have kept in these directories, check all of it again, and keep the result in the run directory: the same as of
    /// one run. Directories may overlap, and come in any order
    #[arg(long, value_name = "DIR", num_args = 1.., value_hint = ValueHint::DirPath, conflicts_with_all = ["run", "list", "diff"])]
    pub(crate) merge: Vec<PathBuf>,

    /// How to render it; of --diff: text, json, markdown or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = any_format_parser())]
    pub(crate) format: &'static Format,

    /// Write to FILE instead of standard output
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Read requirements from FILE (CSV: id, text, properties), besides those in comments of the design; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) requirements: Vec<PathBuf>,

    /// Fail (exit code 3) when less than this is covered: 80, mutation=80, file:PATTERN=80, instance:PATTERN=80; may be given several
    /// times. Instead of what the run was asked for
    #[arg(long, value_name = "[WHAT=]PERCENT", value_parser = parse_threshold, conflicts_with_all = ["diff", "list", "merge"])]
    pub(crate) threshold: Vec<Threshold>,

    /// Also print what the run took
    #[arg(long)]
    pub(crate) stats: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &ReportArguments, session: &mut Session) -> ExitCode {
    let result = report(arguments, session);
    input::settle(result, session)
}

fn report(arguments: &ReportArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let style = session.terminal.style();
    if !arguments.merge.is_empty() {
        let keep = propcov::Keep::in_directory(&arguments.directory);
        let (result, material) = merge::merge(keep, &arguments.merge, merge::Whole::IsDone, session)?;
        output::notes(&result, NoteKind::Warning, session);
        let printed = render(&result, &material, arguments, session)?;
        return Ok(propcov::report::exit_code(&result).and(printed));
    }
    if arguments.list {
        let runs = propcov::kept_results(&arguments.directory)?;
        return Ok(session.print(&list(&runs, &style)));
    }
    let kept = match kept(&arguments.directory, arguments.run.as_deref())? {
        Some(kept) => kept,
        None => return overview(arguments, session),
    };
    let mut kept = kept;
    if let Some(old) = &arguments.diff {
        return compare(&kept, old, arguments, session);
    }
    // Texts and summaries list requirements if they are asked for.
    let mut material = match arguments.format.with_material || !arguments.requirements.is_empty() {
        true => material(&arguments.directory, &kept)?,
        false => Material::default(),
    };
    for path in &arguments.requirements {
        let name = path.display();
        let bytes = propcov::read::file_bytes(path)
            .map_err(|error| Complaint::new(format!("error: cannot read {name}: {error}\n")))?;
        let table = from_csv(&String::from_utf8_lossy(&bytes))
            .map_err(|error| Complaint::new(format!("error: {name}: {error}\n")))?;
        for complaint in complaints(&kept.result, &table) {
            session.complain(&format!("warning: {}\n", printable(&format!("{name}: {complaint}"))));
        }
        unite(&mut material.requirements, table);
    }
    // Which shards it lacks, for instance: numbers alone do not say it.
    output::notes(&kept.result, NoteKind::Warning, session);
    if arguments.threshold.is_empty() {
        return render(&kept.result, &material, arguments, session);
    }
    if let Some(wrong) = arguments.threshold.iter().find_map(|one| kept.result.misfit(one)) {
        return Err(Complaint::new(format!("error: {}\n", printable(&wrong))));
    }
    kept.result.judge(&arguments.threshold);
    let printed = render(&kept.result, &material, arguments, session)?;
    Ok(propcov::report::threshold_exit_code(&kept.result).and(printed))
}

/// A directory without results: what those below it have kept, if anything.
fn overview(arguments: &ReportArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let below = overview::below(&arguments.directory);
    if below.is_empty() || arguments.run.is_some() || arguments.diff.is_some() {
        return Err(nothing(&arguments.directory, arguments.run.as_deref()));
    }
    let entries = overview::entries(&arguments.directory, &below);
    let style = if arguments.output.is_some() { Style::default() } else { session.terminal.style() };
    let place = arguments.directory.display();
    let text = match arguments.format.name {
        "html" => propcov::report::overview::html(&entries),
        "text" => {
            let text = propcov::report::overview::text(&entries, &style);
            format!("{text}\nTry: propcov report {place}/{}\n", entries[0].name)
        }
        "junit" => {
            let results: Vec<&RunResult> = entries.iter().map(|entry| entry.result).collect();
            propcov::report::junit::united(&results)
        }
        "lcov" => entries.iter().map(|entry| propcov::report::lcov::lcov(entry.result)).collect(),
        "markdown" => {
            let none = Material::default();
            let each = entries.iter().map(|entry| propcov::report::markdown::markdown(entry.result, &none));
            each.collect::<Vec<_>>().join("\n")
        }
        other => {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            let text = format!(
                "error: {place} has several results, which {other} cannot unite (text, html, junit, lcov and markdown can): propcov report {place}/NAME, with one of {}\n",
                names.join(", ")
            );
            return Err(Complaint::new(text));
        }
    };
    write(arguments, session, &|to| to.write_all(text.as_bytes()))
}

/// A run of a directory, or the result in a file.
fn kept(path: &Path, run: Option<&str>) -> Result<Option<KeptRun>, Complaint> {
    if path.is_file() {
        return Ok(Some(propcov::read_result(path)?));
    }
    let Some(name) = run else { return Ok(propcov::latest_result(path)?) };
    let runs = propcov::kept_results(path)?;
    Ok(runs.into_iter().find(|run| run.name.starts_with(name)))
}

fn nothing(path: &Path, run: Option<&str>) -> Complaint {
    let place = path.display();
    Complaint::new(match run {
        Some(name) => format!("error: {place} has no result of a run `{name}`; try --list\n"),
        None => format!("error: {place} has no result: no run has ended there yet\n"),
    })
}

/// What there is besides a result; a file has nothing else.
fn material(path: &Path, kept: &KeptRun) -> Result<Material, Complaint> {
    if path.is_file() { Ok(Material::default()) } else { Ok(propcov::kept_material(path, kept)?) }
}

/// The run of the same command and design before a run of a directory.
fn previous(place: &Path, new: &KeptRun) -> Result<KeptRun, Complaint> {
    let runs = if place.is_file() { Vec::new() } else { propcov::kept_results(place)? };
    let path = |run: &KeptRun| {
        run.result.design.as_ref().and_then(|design| Some(design.files.first()?.path.clone()))
    };
    let is_such = |run: &KeptRun| run.result.run.command == new.result.run.command && path(run) == path(new);
    let mut older = runs.into_iter().skip_while(|run| run.name != new.name).skip(1);
    older.find(is_such).ok_or_else(|| {
        let place = place.display();
        Complaint::new(format!("error: {place} has no earlier run of the same design; try --list\n"))
    })
}

/// Says what changed since another run.
fn compare(
    new: &KeptRun,
    old: &Path,
    arguments: &ReportArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let Some(format) = DIFF_FORMATS.iter().find(|format| format.name == arguments.format.name) else {
        let names: Vec<&str> = DIFF_FORMATS.iter().map(|format| format.name).collect();
        let text = format!(
            "error: a comparison has no format {}; try {}\n",
            arguments.format.name,
            names.join(", ")
        );
        return Err(Complaint::new(text));
    };
    // What is no path may be a run in the same directory.
    let name = old.to_str().filter(|_| !old.exists());
    let place = if name.is_some() { arguments.directory.as_path() } else { old };
    let before = match name {
        Some(PREVIOUS) => previous(place, new)?,
        name => kept(place, name)?.ok_or_else(|| nothing(place, name))?,
    };
    let mut material = material(&arguments.directory, new)?;
    material.texts_before = self::material(place, &before)?.texts;
    material.is_compared = true;
    let diff = Diff::between(
        &before.result,
        &new.result,
        (&|path| material.text_before(path), &|path| material.text(path)),
    );
    let mut material = Material { before: Some(Box::new(before.result)), ..material };
    material.is_compared = true;
    let style = if arguments.output.is_some() { Style::default() } else { session.terminal.style() };
    let compared = Compared { result: &new.result, material: &material, diff: &diff, style: &style };
    let printed = write(arguments, session, &|to| (format.write)(&compared, to))?;
    Ok(propcov::report::diff_exit_code(&diff).and(printed))
}

/// Writes something to standard output, or to the file that was asked for.
fn write(
    arguments: &ReportArguments,
    session: &mut Session,
    what: &dyn Fn(&mut dyn io::Write) -> io::Result<()>,
) -> Result<ExitCode, Complaint> {
    let Some(path) = &arguments.output else { return Ok(session.write(|stdout| what(stdout))) };
    let mut bytes = Vec::new();
    let written = what(&mut bytes).and_then(|()| write_atomically(path, &bytes));
    written.map_err(|error| {
        let path = path.clone();
        Complaint::new(format!("error: {}\n", WriteError { path, error }))
    })?;
    Ok(ExitCode::Good)
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
    if arguments.output.is_none() && !format.is_text {
        return Err(Complaint::new(format!("error: {} is not text; add --output FILE\n", format.name)));
    }
    if let Some(warning) = output::nothing_to_say(result, format) {
        session.complain(warning);
    }
    let style = if arguments.output.is_some() { Style::default() } else { session.terminal.style() };
    let rendering = Rendering { result, material, options: &options, style: &style };
    write(arguments, session, &|to| (format.write)(&rendering, to))
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
    // Any beginning that no other run has will do.
    let alike = |one: &str, other: &str| one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let short = |name: &str| {
        let others = runs.iter().filter(|other| other.name != name);
        let most = others.map(|other| alike(name, &other.name)).max().unwrap_or(0);
        name.chars().take(SHORTEST.max(most + 1)).collect::<String>()
    };
    for run in runs {
        let design = run.result.design.as_ref().and_then(|design| design.files.first());
        let design = design.map_or_else(String::new, |file| file.path.clone());
        let headlines = run.result.shares.iter().filter(|share| share.scope == Scope::All);
        let headlines = headlines.map(|share| format!("{} {}", share.metric, share.headline_text()));
        let headlines = headlines.collect::<Vec<_>>().join(", ");
        table.row([short(&run.name), run.result.run.command.clone(), design, headlines]);
    }
    page.table(0, &table);
    page.finish()
}
