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
use propcov::report::overview::Entry;
use propcov::report::requirements::{complaints, from_csv, unite};
use propcov::report::terminal::{Align, Page, Style, Table};
use propcov::report::text::TextOptions;
use propcov::report::{DIFF_FORMATS, DiffFormat, Format, Material, Rendering, Several};
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
    /// The run directory, or a file with results as `--format json` writes them. Where designs or tasks are several, all of them are rendered
    #[arg(default_value = DEFAULT_OUT)]
    pub(crate) directory: PathBuf,

    /// Render this run, given by the beginning of its name [default: the newest]; of a file with several results, the one with this name
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// List all runs
    #[arg(long, conflicts_with = "run")]
    pub(crate) list: bool,

    /// Compare with OLD: another run directory, a file with a result, the beginning of the name of an earlier run in the same
    /// directory, or `previous`, the run of the same design before this one. Several designs are compared one by one. Exit codes: 2 if a property that was good is not any more, 3 if less is covered, 4 if something is not decided any more
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
        return list_all(&arguments.directory, &style, session);
    }
    let mut all = found(&arguments.directory, arguments.run.as_deref())?;
    if all.is_empty() {
        return Err(nothing(&arguments.directory, arguments.run.as_deref()));
    }
    if let Some(old) = &arguments.diff {
        return compare_all(&all, old, arguments, session);
    }
    // Texts and summaries list requirements if they are asked for.
    let with_material = arguments.format.with_material || !arguments.requirements.is_empty();
    let materials =
        all.iter().map(|one| if with_material { one.material() } else { Ok(Material::default()) });
    let mut materials = materials.collect::<Result<Vec<Material>, Complaint>>()?;
    for path in &arguments.requirements {
        add_requirements(path, &all, &mut materials, session)?;
    }
    // Which shards it lacks, for instance: numbers alone do not say it.
    for one in &all {
        output::notes(&one.kept.result, NoteKind::Warning, session);
    }
    let judged = judge(&mut all, &arguments.threshold)?;
    let printed = match (all.as_slice(), materials.as_slice()) {
        ([one], [material]) => render(&one.kept.result, material, arguments, session)?,
        _ => overview(&all, &materials, arguments, session)?,
    };
    Ok(judged.and(printed))
}

/// A result, and where it is kept.
#[derive(Clone)]
struct Found {
    /// What it is called among others.
    name: String,
    /// The run directory, or the file.
    place: PathBuf,
    kept: KeptRun,
}

impl Found {
    /// What there is besides a result; a file has nothing else.
    fn material(&self) -> Result<Material, Complaint> {
        let is_file = self.place.is_file();
        if is_file { Ok(Material::default()) } else { Ok(propcov::kept_material(&self.place, &self.kept)?) }
    }

    /// Whether both are about the same design, and the same task of a project.
    fn is_like(&self, other: &Found) -> bool {
        let about = |one: &Found| {
            let design = one.kept.result.design.as_ref()?;
            Some((design.files.first()?.path.clone(), design.task.clone()))
        };
        about(self).is_some() && about(self) == about(other)
    }
}

/// What there is at a path: the newest result of a directory, or those of the directories right below it; the results in a file. With the beginning of a name, those of that name.
fn found(path: &Path, name: Option<&str>) -> Result<Vec<Found>, Complaint> {
    let at = |kept: KeptRun| Found { name: kept.name.clone(), place: path.to_owned(), kept };
    if path.is_file() {
        let results = propcov::read_results(path)?.into_iter();
        return Ok(results.filter(|kept| kept.name.starts_with(name.unwrap_or_default())).map(at).collect());
    }
    if let Some(name) = name {
        let runs = propcov::kept_results(path)?;
        return Ok(runs.into_iter().find(|run| run.name.starts_with(name)).map(at).into_iter().collect());
    }
    if let Some(newest) = propcov::latest_result(path)? {
        return Ok(vec![at(newest)]);
    }
    let below = overview::below(path).into_iter();
    Ok(below.map(|(name, kept)| Found { place: path.join(&name), name, kept }).collect())
}

/// Adds a table of requirements. A property that no result has is a mistake in the table.
fn add_requirements(
    path: &Path,
    all: &[Found],
    materials: &mut [Material],
    session: &mut Session,
) -> Result<(), Complaint> {
    let name = path.display();
    let bytes = propcov::read::file_bytes(path)
        .map_err(|error| Complaint::new(format!("error: cannot read {name}: {error}\n")))?;
    let table = from_csv(&String::from_utf8_lossy(&bytes))
        .map_err(|error| Complaint::new(format!("error: {name}: {error}\n")))?;
    let each: Vec<Vec<String>> = all.iter().map(|one| complaints(&one.kept.result, &table)).collect();
    let (first, others) = each.split_first().map_or((&[] as &[String], &[] as &[_]), |(a, b)| (a, b));
    for complaint in first.iter().filter(|complaint| others.iter().all(|other| other.contains(complaint))) {
        session.complain(&format!("warning: {}\n", printable(&format!("{name}: {complaint}"))));
    }
    for material in materials {
        unite(&mut material.requirements, table.clone());
    }
    Ok(())
}

/// Holds results against thresholds; one that fits only some of them is about those.
fn judge(all: &mut [Found], thresholds: &[Threshold]) -> Result<ExitCode, Complaint> {
    for one in thresholds {
        let misfits: Vec<String> = all.iter().filter_map(|found| found.kept.result.misfit(one)).collect();
        if let Some(wrong) = misfits.first().filter(|_| misfits.len() == all.len()) {
            return Err(Complaint::new(format!("error: {}\n", printable(wrong))));
        }
    }
    let mut code = ExitCode::Good;
    for Found { kept, .. } in all.iter_mut().filter(|_| !thresholds.is_empty()) {
        let fitting = thresholds.iter().filter(|one| kept.result.misfit(one).is_none());
        kept.result.judge(&fitting.cloned().collect::<Vec<_>>());
        code = code.and(propcov::report::threshold_exit_code(&kept.result));
    }
    Ok(code)
}

/// Several results: a line for each, or one document of all.
fn overview(
    all: &[Found],
    materials: &[Material],
    arguments: &ReportArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let style = if arguments.output.is_some() { Style::default() } else { session.terminal.style() };
    let entries: Vec<Entry<'_>> = (all.iter().zip(materials))
        .map(|(one, material)| Entry {
            name: &one.name,
            has_page: one.place.join(propcov::PAGE).is_file(),
            result: &one.kept.result,
            material,
        })
        .collect();
    let place = arguments.directory.display();
    // The command for one of them, ready for the shell.
    let command = |name: &str| {
        let (directory, word) =
            (arguments.directory.display().to_string(), propcov::report::text::shell_word);
        let rest = match arguments.directory.is_file() {
            true => format!("{} --run {}", word(&directory), word(name)),
            false => word(&format!("{directory}/{name}")),
        };
        format!("propcov report {}", printable(&rest))
    };
    match arguments.format.several {
        _ if arguments.format.name == "text" => {
            let text = propcov::report::overview::text(&entries, &style);
            let text = format!("{text}\nTry: {}\n", command(entries[0].name));
            write(arguments, session, &|to| to.write_all(text.as_bytes()))
        }
        Several::Together(unite) => write(arguments, session, &|to| to.write_all(unite(&entries).as_bytes())),
        Several::InTurn => write(arguments, session, &|to| {
            entries.iter().enumerate().try_for_each(|(at, entry)| {
                let options = TextOptions { stats: arguments.stats, ..TextOptions::default() };
                let Entry { result, material, .. } = *entry;
                // Sections are apart.
                if at > 0 && arguments.format.name == "markdown" {
                    writeln!(to)?;
                }
                (arguments.format.write)(
                    &Rendering { result, material, options: &options, style: &style },
                    to,
                )
            })
        }),
        Several::Apart => {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            let text = format!(
                "error: {place} has several results, and {} is about one; there are {}. Try: {} --format {}\n",
                arguments.format.name,
                printable(&names.join(", ")),
                command(names[0]),
                arguments.format.name
            );
            Err(Complaint::new(text))
        }
    }
}

fn nothing(path: &Path, run: Option<&str>) -> Complaint {
    let place = path.display();
    Complaint::new(match run {
        Some(name) if path.is_file() => {
            format!("error: {place} has no result with a name that begins with `{name}`\n")
        }
        Some(name) => format!("error: {place} has no result of a run `{name}`; try --list\n"),
        None => format!("error: {place} has no result: no run has ended there yet\n"),
    })
}

/// The run of the same command and design before a run of a directory.
fn previous(place: &Path, new: &KeptRun) -> Result<Found, Complaint> {
    let runs = if place.is_file() { Vec::new() } else { propcov::kept_results(place)? };
    let path = |run: &KeptRun| {
        run.result.design.as_ref().and_then(|design| Some(design.files.first()?.path.clone()))
    };
    let is_such = |run: &KeptRun| run.result.run.command == new.result.run.command && path(run) == path(new);
    let mut older = runs.into_iter().skip_while(|run| run.name != new.name).skip(1);
    let found = |kept: KeptRun| Found { name: kept.name.clone(), place: place.to_owned(), kept };
    older.find(is_such).map(found).ok_or_else(|| {
        let place = place.display();
        Complaint::new(format!("error: {place} has no earlier run of the same design; try --list\n"))
    })
}

/// Says what changed since another run, of each design.
fn compare_all(
    all: &[Found],
    old: &Path,
    arguments: &ReportArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let format = arguments.format.name;
    let Some(format) = DIFF_FORMATS.iter().find(|known| known.name == format) else {
        let names: Vec<&str> = DIFF_FORMATS.iter().map(|format| format.name).collect();
        let text = format!("error: a comparison has no format {format}; try {}\n", names.join(", "));
        return Err(Complaint::new(text));
    };
    if all.len() > 1 && format.name == "html" {
        let text = "error: a comparison as html is about one design; name it, or try text or markdown\n";
        return Err(Complaint::new(text.to_owned()));
    }
    // What is no path may be a run in the same directory.
    let name = old.to_str().filter(|_| !old.exists());
    let others = if name.is_some() { Vec::new() } else { found(old, None)? };
    let (mut bytes, mut code, mut compared) = (Vec::new(), ExitCode::Good, 0);
    for new in all {
        let before = match name {
            // Of several designs, some may be new.
            Some(PREVIOUS) if all.len() > 1 => previous(&new.place, &new.kept).ok(),
            Some(PREVIOUS) => Some(previous(&new.place, &new.kept)?),
            Some(name) => {
                let kept = found(&new.place, Some(name))?.into_iter().next();
                Some(kept.ok_or_else(|| nothing(&new.place, Some(name)))?)
            }
            None => match others.as_slice() {
                [one] if all.len() == 1 => Some(one.clone()),
                several => {
                    let named = several.iter().find(|other| other.name == new.name);
                    let mut like = several.iter().filter(|other| other.is_like(new));
                    // Tasks of a project are about the same files: which is which, only names tell.
                    named.or_else(|| like.next().filter(|_| like.next().is_none())).cloned()
                }
            },
        };
        let Some(before) = before else {
            let text = match name {
                Some(_) => format!("{}: no earlier run of this design", new.name),
                None => format!("{}: {} has no result of this design", new.name, old.display()),
            };
            session.complain(&format!("warning: {}\n", printable(&text)));
            continue;
        };
        compared += 1;
        if all.len() > 1 {
            heading(format.name, &new.name, &mut bytes);
        }
        code = code.and(compare(new, before, format, arguments, session, &mut bytes)?);
    }
    if compared == 0 {
        let place = if name.is_some() { arguments.directory.as_path() } else { old };
        let text = format!("error: {} has no earlier result of any of these designs\n", place.display());
        return Err(Complaint::new(text));
    }
    // A design that is not there any more is a loss.
    for gone in others
        .iter()
        .filter(|other| all.len() > 1 && !all.iter().any(|new| new.name == other.name || new.is_like(other)))
    {
        let text = format!("{}: only in {}", gone.name, old.display());
        session.complain(&format!("warning: {}\n", printable(&text)));
        code = code.and(ExitCode::Undecided);
    }
    let printed = write(arguments, session, &|to| to.write_all(&bytes))?;
    Ok(code.and(printed))
}

/// Above the comparison of one of several designs. Documents say themselves what they are about.
fn heading(format: &str, name: &str, to: &mut Vec<u8>) {
    let rest = if to.is_empty() { "" } else { "\n" };
    let text = match format {
        "text" => format!("{rest}{}\n\n", printable(name)),
        "markdown" => format!("{rest}### {}\n\n", propcov::report::markdown::code(name)),
        _ => String::new(),
    };
    to.extend(text.bytes());
}

/// Says what changed since another run.
fn compare(
    new: &Found,
    before: Found,
    format: &DiffFormat,
    arguments: &ReportArguments,
    session: &Session,
    to: &mut Vec<u8>,
) -> Result<ExitCode, Complaint> {
    let mut material = new.material()?;
    material.texts_before = before.material()?.texts;
    material.is_compared = true;
    let (new, before) = (&new.kept, before.kept);
    let diff = Diff::between(
        &before.result,
        &new.result,
        (&|path| material.text_before(path), &|path| material.text(path)),
    );
    let mut material = Material { before: Some(Box::new(before.result)), ..material };
    material.is_compared = true;
    let style = if arguments.output.is_some() { Style::default() } else { session.terminal.style() };
    let compared = Compared { result: &new.result, material: &material, diff: &diff, style: &style };
    (format.write)(&compared, to)
        .map_err(|error| Complaint::new(format!("error: cannot write the comparison: {error}\n")))?;
    Ok(propcov::report::diff_exit_code(&diff))
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

/// The runs of a directory; of one that has those of several designs below it, of each.
fn list_all(directory: &Path, style: &Style, session: &mut Session) -> Result<ExitCode, Complaint> {
    let runs = propcov::kept_results(directory)?;
    let below = if runs.is_empty() { overview::below(directory) } else { Vec::new() };
    if below.is_empty() {
        return Ok(session.print(&list(&runs, style)));
    }
    let mut text = String::new();
    for (name, _) in below {
        let place = directory.join(name);
        let runs = propcov::kept_results(&place)?;
        let rest = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{rest}{}\n{}", printable(&place.display().to_string()), list(&runs, style)));
    }
    Ok(session.print(&text))
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
