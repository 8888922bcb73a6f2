//! From files to a design.

use crate::date::date;
use crate::sby::{self, Mode, Task};
use crate::slang::{self, VerilogOptions};
use crate::{Control, Error};
use propcov_budget::Budget;
use propcov_frontend::lustre::LustreOptions;
use propcov_frontend::verilog::Asked;
use propcov_frontend::{Diagnostic, Extra, Granularity, Options, Sources, near_matches};
use propcov_ir::{ExprId, PropertyId, SourceFile, System};
use propcov_result::{File, RunResult};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The largest file that is read, in bytes. The largest designs of the competitions are a tenth of that.
pub const LARGEST_FILE: u64 = 1 << 30;

/// The most that is read of what has no size, such as a pipe or a device: some never end.
pub const LARGEST_STREAM: u64 = 1 << 28;

/// What standard input is called.
const STDIN: &str = "<stdin>";

/// A design with its properties, as it was read.
#[derive(Clone, Debug)]
pub struct Design {
    /// What it means, and what its format can do.
    pub(crate) design: propcov_frontend::Design,
    /// The values of the expressions that were given outside of the files.
    pub(crate) extras: Vec<ExprId>,
    /// How finely definitions were taken apart.
    pub(crate) granularity: Granularity,
    /// What was read: the files of the design, or what somebody has made of them for the front end.
    pub(crate) sources: Sources,
    /// The task of a project that it is read for.
    pub(crate) task: Option<String>,
    /// The bound that the task asks for, if it asks about no more.
    pub(crate) task_bound: Option<u32>,
}

/// How a design is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Expressions about the design that are given outside of its files.
    pub extras: Vec<Extra>,
    /// How finely definitions are taken apart.
    pub granularity: Granularity,
    /// How long that may take: a small file can describe a large design.
    pub budget: Budget,
    /// How SystemVerilog is elaborated.
    pub verilog: VerilogOptions,
    /// How Lustre is read.
    pub lustre: LustreOptions,
}

/// Reads a design from a file; the format is told by the content, then by the extension. `-` is standard input.
pub fn read(path: impl AsRef<Path>) -> Result<Design, Error> {
    read_as(&[path], &ReadOptions::default())
}

/// Reads a design from one file or several.
pub fn read_as<P: AsRef<Path>>(paths: &[P], options: &ReadOptions) -> Result<Design, Error> {
    if is_project(paths) {
        let mut tasks = tasks(paths, &options.verilog)?;
        return match tasks.len() {
            1 => tasks.remove(0).read(options),
            _ => {
                let names: Vec<&str> = tasks.iter().filter_map(|task| task.name.as_deref()).collect();
                Err(Error::Usage(format!("several tasks: name one of {}", names.join(", "))))
            }
        };
    }
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let name = display_name(path.as_ref());
        let bytes = file_bytes(path.as_ref()).map_err(|error| Error::Read { path: name.clone(), error })?;
        files.push(SourceFile::new(name, bytes));
    }
    if files.is_empty() {
        return Err(Error::Usage("no file was given".to_owned()));
    }
    if let Some(program) = exporter(&files[0]) {
        return read_exported(program, paths, options);
    }
    let main = files.remove(0);
    read_sources(&Sources { main, others: files }, options)
}

/// Whether files are a project of SymbiYosys, perhaps with names of its tasks.
pub fn is_project<P: AsRef<Path>>(paths: &[P]) -> bool {
    let is_project = |path: &P| path.as_ref().extension().is_some_and(|extension| extension == "sby");
    paths.first().is_some_and(is_project)
}

/// The tasks of a project of SymbiYosys: those that are named behind it, or else those that it would run itself. Its Python code is executed only if the options say so.
pub fn tasks<P: AsRef<Path>>(paths: &[P], options: &VerilogOptions) -> Result<Vec<Task>, Error> {
    let Some((path, names)) = paths.split_first() else { return Ok(Vec::new()) };
    let path = path.as_ref();
    let bytes = file_bytes(path).map_err(|error| Error::Read { path: display_name(path), error })?;
    let names: Vec<String> = names.iter().map(|name| name.as_ref().display().to_string()).collect();
    sby::read(path, &String::from_utf8_lossy(&bytes), &names, options.pycode)
}

impl Task {
    /// Reads the design of a task. What the options say comes after what the project says, and counts.
    pub fn read(&self, options: &ReadOptions) -> Result<Design, Error> {
        if let Some(wrong) = &self.wrong {
            return Err(Error::Usage(wrong.clone()));
        }
        if let Some((path, line)) = self.lines.iter().find(|(path, _)| !path.exists()) {
            let place = format!("{}:{line}", display_name(&self.project));
            return Err(Error::Usage(format!("{place}: there is no file {}", path.display())));
        }
        let mut options = options.clone();
        let verilog = &mut options.verilog;
        // Files that stand in the project are written where slang finds them.
        let place = tempfile::tempdir()
            .map_err(|error| Error::Write { path: std::env::temp_dir().display().to_string(), error })?;
        let mut paths = self.files.clone();
        for (name, text) in &self.written {
            let path = written_file(place.path(), name, text)?;
            paths
                .iter_mut()
                .filter(|known| **known == Path::new(name))
                .for_each(|known| known.clone_from(&path));
            verilog.listed.push((name.clone(), path.clone()));
            verilog.shown.push((path, name.clone()));
        }
        verilog.listed.extend(self.listed.iter().cloned());
        verilog.cuts.extend(self.cuts.iter().cloned());
        let names =
            |files: &[PathBuf]| files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
        verilog.settings.assumed.extend(names(&self.assumed));
        verilog.settings.unrestricted.extend(names(&self.unrestricted));
        // All files of a project are in one directory there.
        let mut directories: Vec<&Path> = self.listed.iter().filter_map(|(_, path)| path.parent()).collect();
        directories.push(place.path());
        directories.sort_unstable();
        directories.dedup();
        let included = directories.into_iter().filter(|directory| directory.is_dir());
        let included = included.flat_map(|directory| [OsString::from("-I"), directory.into()]);
        let arguments = self.arguments.iter().cloned().chain(included);
        verilog.arguments = arguments.chain(std::mem::take(&mut verilog.arguments)).collect();
        verilog.settings.asked = match self.mode {
            Mode::Cover if self.cover_assert => Asked::All,
            Mode::Cover => Asked::Covers,
            Mode::Prove | Mode::Bounded => Asked::Safety,
            Mode::Live => Asked::Liveness,
        };
        let mut design = read_as(&paths, &options).map_err(|error| match error {
            Error::Rejected { path, messages } => {
                Error::Rejected { path: named(&path, place.path()), messages: named(&messages, place.path()) }
            }
            Error::Input(mut error) => {
                error.path = named(&error.path, place.path());
                Error::Input(error)
            }
            other => other,
        })?;
        let warnings = design.design.warnings.iter_mut();
        warnings.for_each(|warning| warning.message = named(&warning.message, place.path()));
        Ok(Design { task: self.name.clone(), task_bound: self.bound(), ..design })
    }
}

/// A text in which files of a directory that is soon gone are called by their names in it.
fn named(text: &str, directory: &Path) -> String {
    let Some(last) = directory.file_name() else { return text.to_owned() };
    let inside = format!("{}/", last.display());
    let mut rest = text;
    let mut result = String::new();
    while let Some(at) = rest.find(&inside) {
        let begin = rest[..at].rfind(char::is_whitespace).map_or(0, |space| space + 1);
        result.push_str(&rest[..begin]);
        rest = &rest[at + inside.len()..];
    }
    result + rest
}

/// Writes a file of a project into a directory.
fn written_file(directory: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    let is_inside = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !is_inside {
        return Err(Error::Usage(format!("[file {name}]: expected a name within the project")));
    }
    let path = directory.join(name);
    let written = match path.parent() {
        Some(parent) => std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text)),
        None => std::fs::write(&path, text),
    };
    written.map_err(|error| Error::Write { path: name.to_owned(), error })?;
    Ok(path)
}

/// The program that has to work on a file before it can be read, if there is one.
fn exporter(file: &SourceFile) -> Option<&'static str> {
    let frontend = propcov_frontend::recognised(&file.path, &file.bytes)?;
    frontend.exporter.filter(|_| !(frontend.sniff)(&file.bytes))
}

/// Reads what a program makes of files.
fn read_exported<P: AsRef<Path>>(program: &str, paths: &[P], options: &ReadOptions) -> Result<Design, Error> {
    let elaborated = slang::elaborate(program, paths, &options.verilog, &options.budget)?;
    let name = display_name(paths.first().map_or(Path::new(""), AsRef::as_ref));
    let mut design = read_sources(&Sources::one(name, elaborated.export), options)?;
    if !elaborated.messages.trim().is_empty() {
        let message = format!("slang says:\n{}", elaborated.messages.trim_end());
        design.design.warnings.push(Diagnostic { message, span: None });
    }
    Ok(design)
}

/// Reads a design from bytes that are called by a name.
pub fn read_bytes(
    name: &str,
    bytes: impl Into<std::sync::Arc<[u8]>>,
    options: &ReadOptions,
) -> Result<Design, Error> {
    read_sources(&Sources::one(name, bytes), options)
}

fn read_sources(sources: &Sources, options: &ReadOptions) -> Result<Design, Error> {
    let how = Options { granularity: options.granularity, budget: options.budget.clone() };
    let asked = asked(sources, options)?;
    let sources = asked.as_ref().unwrap_or(sources);
    let (design, extras) = propcov_frontend::read_as(sources, &options.extras, &how)?;
    let path = &sources.main.path;
    design.system.validate().map_err(|error| Error::Usage(format!("{path}: {error}")))?;
    let (granularity, sources) = (options.granularity, sources.clone());
    Ok(Design { design, extras, granularity, sources, task: None, task_bound: None })
}

/// The sources with what is asked of Lustre as a comment in them, if something is.
fn asked(sources: &Sources, options: &ReadOptions) -> Result<Option<Sources>, Error> {
    if options.lustre == LustreOptions::default() {
        return Ok(None);
    }
    let (path, bytes) = (&sources.main.path, sources.main.text());
    let format = propcov_frontend::recognised(path, bytes);
    if format.is_some_and(|format| format.name != "lustre") {
        return Err(Error::Usage(format!("{path}: --dialect, --main and --compositional are for Lustre")));
    }
    Ok(Some(Sources::one(path.as_str(), options.lustre.added_to(bytes))))
}

/// What a file is called in messages.
pub fn display_name(file: &Path) -> String {
    if file == Path::new("-") { STDIN.to_owned() } else { file.display().to_string() }
}

/// A file, or standard input.
pub fn file_bytes(file: &Path) -> io::Result<Vec<u8>> {
    if file == Path::new("-") {
        return read_at_most(&mut io::stdin().lock(), LARGEST_STREAM);
    }
    let mut open = std::fs::File::open(file)?;
    let is_file = open.metadata()?.is_file();
    read_at_most(&mut open, if is_file { LARGEST_FILE } else { LARGEST_STREAM })
}

/// All there is, or an error if it is more than that.
fn read_at_most(from: &mut impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("it is larger than {} MiB, which is the most that is read", limit >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

impl Design {
    /// The same design with definitions taken apart as finely as that: read again, unless it was read so.
    pub(crate) fn taken_apart(&self, granularity: Option<Granularity>) -> Result<Cow<'_, Design>, Error> {
        let granularity = granularity.unwrap_or(self.granularity);
        if granularity == self.granularity {
            return Ok(Cow::Borrowed(self));
        }
        let options = ReadOptions { granularity, ..ReadOptions::default() };
        let (task, task_bound) = (self.task.clone(), self.task_bound);
        Ok(Cow::Owned(Design { task, task_bound, ..read_sources(&self.sources, &options)? }))
    }

    /// What it takes to read the design in the same way again, as it is kept in a run directory.
    pub(crate) fn reading(&self, bits: bool) -> serde_json::Value {
        match self.granularity {
            Granularity::Equation => serde_json::json!({ "bits": bits }),
            Granularity::Operator => serde_json::json!({ "bits": bits, "granularity": "operator" }),
        }
    }

    /// The transition system: signals, elements, properties.
    pub fn system(&self) -> &System {
        &self.design.system
    }

    /// The values of the expressions that were given outside of the files, in their order.
    pub fn extras(&self) -> &[ExprId] {
        &self.extras
    }

    /// The same files, read once more with other expressions about them.
    pub(crate) fn again(&self, extras: Vec<Extra>) -> Result<Design, Error> {
        if extras.is_empty() {
            return Ok(Design { extras: Vec::new(), ..self.clone() });
        }
        let options = ReadOptions { extras, granularity: self.granularity, ..ReadOptions::default() };
        let (task, task_bound) = (self.task.clone(), self.task_bound);
        Ok(Design { task, task_bound, ..read_sources(&self.sources, &options)? })
    }

    /// What the user calls it: the first file.
    pub fn name(&self) -> &str {
        &self.sources.main.path
    }

    /// The properties with these names, in the order of the design; all of them if none is named.
    pub fn select(&self, names: &[String]) -> Result<Vec<PropertyId>, Error> {
        let system = self.system();
        let all: Vec<&str> = system.properties().iter().map(|property| property.name.as_str()).collect();
        let unread = self.design.unread();
        let is_unread = |name: &str| unread.iter().any(|unread| unread.name == name);
        let is_known = |name: &str| system.property_named(name).is_some() || is_unread(name);
        if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
            return Err(unknown_name("property", "properties", unknown, &all));
        }
        let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
        let ids = (0_u32..).map(PropertyId).zip(all);
        Ok(ids.filter(|(_, name)| wanted(name)).map(|(id, _)| id).collect())
    }

    /// The same without covers: those who measure what properties check have no use for what is to be reached.
    ///
    /// # Errors
    /// When one of the names is unknown, or that of a cover, or there is nothing but covers.
    pub fn select_assertions(&self, names: &[String]) -> Result<Vec<PropertyId>, Error> {
        let system = self.system();
        let selected = self.select(names)?;
        if let Some(unread) = self.design.unread().iter().find(|unread| names.contains(&unread.name)) {
            return Err(Error::Usage(format!("{}: {}", unread.name, unread.reason)));
        }
        let (covers, assertions): (Vec<PropertyId>, Vec<PropertyId>) =
            selected.iter().partition(|id| system.property(**id).is_cover());
        match covers.first() {
            Some(cover) if !names.is_empty() || assertions.is_empty() => {
                let (name, file) = (&system.property(*cover).name, self.name());
                let why =
                    if names.is_empty() { "the design has no assertions, only covers" } else { "a cover" };
                Err(Error::Usage(format!(
                    "{name}: {why}: nothing is proved that something could be measured of. Try: propcov check {file}"
                )))
            }
            _ => Ok(assertions),
        }
    }

    /// A result of a command about this design that says nothing yet but what was read.
    pub(crate) fn result(&self, command: &str, seed: u64, control: &Control<'_>) -> RunResult {
        let system = self.system();
        let covers = system.properties().iter().filter(|property| property.is_cover()).count();
        let mut result = RunResult::new(command, seed);
        result.run.date = Some(date(SystemTime::now()));
        result.run.arguments.clone_from(&control.arguments);
        result.run.configuration.clone_from(&control.configuration);
        result.design = Some(propcov_result::Design {
            format: self.design.format().to_owned(),
            top: None,
            task: self.task.clone(),
            task_bound: self.task_bound,
            files: system.files.iter().map(file).collect(),
            inputs: system.user_inputs().count(),
            states: system.states().len(),
            elements: system.elements().len(),
            assumptions: system.constraints().len(),
            properties: system.properties().len() - covers,
            covers,
        });
        result
    }
}

fn file(file: &SourceFile) -> File {
    File { path: file.path.clone(), sha256: sha256(&file.bytes) }
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// That nobody is called so, with what the user may have meant, or else what there is.
pub(crate) fn unknown_name(one: &str, many: &str, given: &str, all: &[&str]) -> Error {
    Error::Usage(format!("no {one} is called `{given}`; {}", hint(given, all, many)))
}

/// The most properties that are named in a message.
const NAMED: usize = 8;

/// The names of properties, as far as a message has room for them.
pub(crate) fn names_of(system: &System, properties: &[PropertyId]) -> String {
    let named = properties.iter().take(NAMED).map(|id| system.property(*id).name.as_str());
    let named = named.collect::<Vec<_>>().join(", ");
    match properties.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// What the user may have meant, or else what there is.
pub fn hint(given: &str, all: &[&str], what: &str) -> String {
    let near = near_matches(given, all.iter().copied());
    // Names of states have commas.
    let separator = if all.iter().any(|name| name.contains(',')) { "; " } else { ", " };
    match (near.is_empty(), all.len()) {
        (false, _) => format!("did you mean {}?", near.join(separator)),
        (true, 0) => format!("there are no {what}"),
        (true, count @ ..=10) => {
            format!("there {} {}", if count == 1 { "is" } else { "are" }, all.join(separator))
        }
        (true, count) => format!("there are {} and {} more", all[..10].join(separator), count - 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_not_read_for_ever() {
        let error = read_at_most(&mut io::repeat(0), 1 << 20).expect_err("too much");
        assert_eq!(error.to_string(), "it is larger than 1 MiB, which is the most that is read");
        assert_eq!(
            read_at_most(&mut io::repeat(7).take(1 << 20), 1 << 20).map(|all| all.len()).ok(),
            Some(1 << 20)
        );
    }
}
