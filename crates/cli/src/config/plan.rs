//! From what the user typed and what the file says to command lines: one for each design.
//!
//! What the user typed counts before what the file says, a section of a design before the general ones, and in each of them the section of the command before what is for all commands. What
//! conflicts with something that counts more is left out.

use super::document::{self, Document, Entry, Section, Source, Value};
use super::{NAME, find, keys};
use crate::input::Complaint;
use crate::{cover, diagnostics};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use propcov::result::{Configuration, Waiver};
use propcov_ir::printable;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The commands that waivers are about.
const MEASURING: &[&str] = &["cover", "refine"];

/// A command line that is complete.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) arguments: Vec<OsString>,
    pub(crate) waivers: Vec<Waiver>,
    /// Which file had a say, if one had.
    pub(crate) configuration: Option<Configuration>,
}

/// What is to be run, for what the user typed.
pub(crate) fn plan(root: &Command, typed: &[OsString], matches: &ArgMatches) -> Result<Vec<Plan>, Complaint> {
    let alone = || vec![Plan { arguments: typed.to_vec(), ..Plan::default() }];
    let Some((name, given)) = matches.subcommand().filter(|(name, _)| keys::COMMANDS.contains(name)) else {
        return Ok(alone());
    };
    if given.get_flag("no_config") {
        return Ok(alone());
    }
    let Some(command) = root.find_subcommand(name) else { return Ok(alone()) };
    let named = given.get_one::<PathBuf>("config").cloned();
    let positional = Positional::new(command, given);
    let Some(path) = named.or_else(|| positional.configuration()) else { return Ok(alone()) };
    let current = std::env::current_dir().unwrap_or_default();
    let path = find::relative(&path, &current);
    let shown = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        Complaint::new(format!("error: cannot read {}: {error}\n", printable(&shown)))
    };
    let bytes = propcov::read::file_bytes(&path).map_err(unreadable)?;
    let text = String::from_utf8(bytes.clone())
        .map_err(|_| Complaint::new(format!("error: {}: expected text in UTF-8\n", printable(&shown))))?;
    let bad = |error: Box<propcov_frontend::InputError>| Complaint::new(diagnostics::input_error(&error));
    let document = document::read(&shown, &text, root).map_err(bad)?;
    validate(root, name, &document).map_err(bad)?;
    let directory = path.parent().map(Path::to_owned).unwrap_or_default();
    let planner = Planner { command, given, typed, document: &document, directory: &directory };
    let chosen = planner.designs(&positional)?;
    let sha256 = propcov::read::sha256(&bytes);
    let plans = chosen.iter().map(|chosen| {
        let (arguments, added) = planner.arguments(chosen, &positional);
        let own = chosen.section.into_iter().flat_map(|section| section.waivers.iter().cloned());
        let waivers: Vec<Waiver> = own.chain(document.general.waivers.iter().cloned()).collect();
        let is_used = !added.is_empty() || !waivers.is_empty() && MEASURING.contains(&name);
        let configuration = is_used.then(|| Configuration {
            path: shown.clone(),
            sha256: sha256.clone(),
            design: chosen.name.map(str::to_owned),
            arguments: added.iter().map(|one| one.to_string_lossy().into_owned()).collect(),
        });
        Plan { arguments, waivers, configuration }
    });
    Ok(plans.collect())
}

/// Positional arguments as the user typed them.
struct Positional {
    /// All of them.
    all: Vec<PathBuf>,
    /// Those that are files of a design, or names of designs.
    files: Vec<PathBuf>,
    /// Whether the command reads a design.
    reads_design: bool,
    /// Whether the last one is something else, which has to be there.
    is_explain: bool,
}

impl Positional {
    fn new(command: &Command, given: &ArgMatches) -> Positional {
        let mut all = Vec::new();
        let mut reads_design = false;
        for arg in command.get_arguments().filter(|arg| arg.is_positional() && !arg.is_last_set()) {
            let id = arg.get_id().as_str();
            reads_design |= matches!(id, "files" | "files_and_element");
            if given.value_source(id) == Some(ValueSource::CommandLine) {
                all.extend(given.get_many::<PathBuf>(id).into_iter().flatten().cloned());
            }
        }
        let is_explain = command.get_arguments().any(|arg| arg.get_id() == "files_and_element");
        let count = if is_explain { all.len().saturating_sub(1) } else { all.len() };
        let files = if reads_design { all[..count].to_vec() } else { Vec::new() };
        Positional { all, files, reads_design, is_explain }
    }

    /// The file that belongs to what was typed.
    fn configuration(&self) -> Option<PathBuf> {
        let beside = self.all.first().filter(|path| path.exists()).and_then(|path| path.parent());
        let beside = beside.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let home = std::env::var_os("HOME").map(PathBuf::from);
        find::find(beside, home.as_deref())
    }
}

/// A design that is to be worked on.
struct Chosen<'d> {
    /// Its name, if it has a section.
    name: Option<&'d str>,
    section: Option<&'d Section>,
    /// Its files, if the user typed none.
    files: &'d [String],
}

struct Planner<'p> {
    command: &'p Command,
    given: &'p ArgMatches,
    typed: &'p [OsString],
    document: &'p Document,
    directory: &'p Path,
}

impl Planner<'_> {
    /// The designs that the user means.
    fn designs(&self, positional: &Positional) -> Result<Vec<Chosen<'_>>, Complaint> {
        let Document { general, designs, source } = self.document;
        let nothing = || Chosen { name: None, section: None, files: &[] };
        if !positional.reads_design {
            return Ok(vec![nothing()]);
        }
        let all = || {
            designs.iter().map(|(name, section)| Chosen {
                name: Some(name),
                section: Some(section),
                files: &section.files,
            })
        };
        if positional.files.is_empty() {
            let mut chosen: Vec<Chosen<'_>> = all().collect();
            if !general.files.is_empty() {
                chosen.push(Chosen { name: None, section: None, files: &general.files });
            }
            if positional.is_explain && chosen.len() > 1 {
                let names: Vec<&str> = designs.iter().map(|(name, _)| name.as_str()).collect();
                let text = format!("error: say which design: {}\n", names.join(", "));
                return Err(Complaint::new(text));
            }
            return if chosen.is_empty() { Ok(vec![nothing()]) } else { Ok(chosen) };
        }
        let called = |path: &PathBuf| {
            let name = path.to_str().filter(|_| !path.exists())?;
            all().find(|chosen| chosen.name == Some(name))
        };
        let named: Option<Vec<Chosen<'_>>> = positional.files.iter().map(called).collect();
        if let Some(named) = named {
            return Ok(named);
        }
        // The files of a design, typed one by one: its options are meant.
        let same = |file: &String| {
            let known = self.directory.join(file).canonicalize().ok();
            known.is_some() && known == positional.files.first().and_then(|path| path.canonicalize().ok())
        };
        let found = designs.iter().find(|(_, section)| section.files.iter().any(same));
        let missing = positional.files.first().filter(|path| !path.exists() && path.as_os_str() != "-");
        if let (Some(path), false) = (missing, designs.is_empty()) {
            let names: Vec<&str> = designs.iter().map(|(name, _)| name.as_str()).collect();
            let (path, names) = (path.display().to_string(), names.join(", "));
            let text = format!(
                "error: {} is neither a file nor a design of {}, which has {names}\n",
                printable(&path),
                source.path
            );
            return Err(Complaint::new(text));
        }
        let (name, section) =
            found.map_or((None, None), |(name, section)| (Some(name.as_str()), Some(section)));
        Ok(vec![Chosen { name, section, files: &[] }])
    }

    /// The command line, and what was added to it.
    fn arguments(&self, chosen: &Chosen<'_>, positional: &Positional) -> (Vec<OsString>, Vec<OsString>) {
        let is_typed =
            |arg: &Arg| self.given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        let typed: Vec<&Arg> = self.command.get_arguments().filter(|arg| is_typed(arg)).collect();
        let mut settled: Vec<&Arg> = typed.clone();
        let (mut front, mut positions, mut tail) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_out = false;
        for (level, entries) in self.levels(chosen).into_iter().enumerate() {
            let mut own = Vec::new();
            for entry in entries {
                let Some(arg) = keys::option(self.command, &entry.key) else { continue };
                let is_positional = arg.is_positional() && !arg.is_last_set();
                let is_settled = settled.iter().any(|other| self.excludes(other, arg));
                if is_settled || is_positional && !positional.all.is_empty() {
                    continue;
                }
                own.push(arg);
                has_out |= matches!(entry.key.as_str(), "out" | "no-out");
                let values = self.values(arg, entry, chosen, level >= 2);
                match (&entry.value, arg.is_last_set()) {
                    (Value::Flag(true), _) => front.push(format!("--{}", entry.key).into()),
                    (Value::Flag(false), _) => {}
                    (Value::Texts(_), true) => tail.extend(values),
                    (Value::Texts(_), false) if is_positional => positions.push((arg.get_index(), values)),
                    (Value::Texts(_), false) => front.extend(written(arg, &entry.key, values)),
                }
            }
            settled.extend(own);
        }
        let is_out_typed = typed.iter().any(|arg| matches!(arg.get_id().as_str(), "out" | "no_out"));
        if !has_out && !is_out_typed && keys::option(self.command, "out").is_some() {
            front.extend(self.directory_of(chosen).map(|out| with_value("--out=", out.as_os_str())));
        }
        positions.sort_by_key(|(at, _)| *at);
        let files = chosen.files.iter().map(|file| self.beside(file).into_os_string());
        // Names of designs are no files: they are replaced.
        let names: BTreeSet<&PathBuf> =
            if chosen.files.is_empty() { BTreeSet::new() } else { positional.files.iter().collect() };
        let mut added: Vec<OsString> = front;
        added.extend(positions.into_iter().flat_map(|(_, values)| values));
        added.extend(files);
        let end = self.typed.iter().position(|one| one == "--").unwrap_or(self.typed.len());
        let mut kept: Vec<OsString> = Vec::new();
        let mut left = names;
        for one in self.typed.iter().take(end).skip(2) {
            if !left.remove(&PathBuf::from(one)) {
                kept.push(one.clone());
            }
        }
        let mut all: Vec<OsString> = self.typed.iter().take(2).cloned().collect();
        all.extend(added.iter().cloned());
        all.extend(kept);
        all.extend(self.typed.iter().skip(end).cloned());
        if !tail.is_empty() {
            all.push("--".into());
            all.extend(tail.iter().cloned());
            added.push("--".into());
            added.extend(tail);
        }
        (all, added)
    }

    /// What the file says about a design and a command, what counts most first.
    fn levels<'s>(&'s self, chosen: &'s Chosen<'_>) -> Vec<&'s [Entry]> {
        let name = self.command.get_name();
        let sections = [chosen.section, Some(&self.document.general)];
        sections
            .into_iter()
            .flat_map(|section| {
                let of_command = section.and_then(|section| section.commands.get(name)).map(Vec::as_slice);
                let general = section.map(|section| section.options.as_slice());
                [of_command.unwrap_or_default(), general.unwrap_or_default()]
            })
            .collect()
    }

    /// Whether one option leaves no room for another.
    fn excludes(&self, one: &Arg, other: &Arg) -> bool {
        if one.get_id() == other.get_id() {
            return true;
        }
        let conflicts = |a: &Arg, b: &Arg| {
            self.command
                .get_arg_conflicts_with(a)
                .iter()
                .any(|conflicting| conflicting.get_id() == b.get_id())
        };
        let share_a_group = self.command.get_groups().any(|group| {
            let mut group = group.clone();
            let has = |arg: &Arg| group.get_args().any(|id| id == arg.get_id());
            has(one) && has(other) && !group.is_multiple()
        });
        conflicts(one, other) || conflicts(other, one) || share_a_group
    }

    /// Values as they are typed: paths from here. A directory for all designs has a part for each.
    fn values(&self, arg: &Arg, entry: &Entry, chosen: &Chosen<'_>, is_general: bool) -> Vec<OsString> {
        let Value::Texts(texts) = &entry.value else { return Vec::new() };
        let part =
            chosen.name.filter(|_| is_general && entry.key == "out" && self.document.designs.len() > 1);
        let value = |text: &String| match keys::is_path(arg) && text != "-" {
            true => {
                let path = self.beside(text);
                part.map_or(path.clone(), |name| path.join(name)).into_os_string()
            }
            false => text.into(),
        };
        texts.iter().map(value).collect()
    }

    /// A path that the file means.
    fn beside(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }

    /// Where findings about a design are kept if nothing is said about that: beside the file, apart from those about others.
    fn directory_of(&self, chosen: &Chosen<'_>) -> Option<PathBuf> {
        let out = self.directory.join(cover::arguments::DEFAULT_OUT);
        match chosen.name {
            Some(name) => Some(out.join(name)),
            None if !chosen.files.is_empty() && !self.directory.as_os_str().is_empty() => Some(out),
            None => None,
        }
    }
}

/// An option with its values.
fn written(arg: &Arg, key: &str, values: Vec<OsString>) -> Vec<OsString> {
    let takes = arg.get_num_args().map_or(1, |range| range.min_values());
    if takes > 1 {
        return std::iter::once(format!("--{key}").into()).chain(values).collect();
    }
    values.iter().map(|value| with_value(&format!("--{key}="), value)).collect()
}

fn with_value(option: &str, value: &std::ffi::OsStr) -> OsString {
    let mut text = OsString::from(option);
    text.push(value);
    text
}

/// Whether the command line accepts all values: those for a command by that command, and general ones by the one that is run.
fn validate(
    root: &Command,
    running: &str,
    document: &Document,
) -> Result<(), Box<propcov_frontend::InputError>> {
    let sections = document.designs.iter().map(|(_, section)| section).chain([&document.general]);
    for section in sections {
        for (name, entries) in &section.commands {
            entries.iter().try_for_each(|entry| accepted(root, name, entry, &document.source, false))?;
        }
        section
            .options
            .iter()
            .try_for_each(|entry| accepted(root, running, entry, &document.source, true))?;
    }
    Ok(())
}

fn accepted(
    root: &Command,
    name: &str,
    entry: &Entry,
    source: &Source,
    is_general: bool,
) -> Result<(), Box<propcov_frontend::InputError>> {
    let Some(arg) = root.find_subcommand(name).and_then(|command| keys::option(command, &entry.key)) else {
        return Ok(());
    };
    let Value::Texts(texts) = &entry.value else { return Ok(()) };
    if arg.is_positional() {
        return Ok(());
    }
    let values = texts.iter().map(OsString::from).collect();
    let line = ["propcov".into(), name.into()].into_iter().chain(written(arg, &entry.key, values));
    let Err(error) = root.clone().try_get_matches_from(line) else { return Ok(()) };
    let text = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let value = text(ContextKind::InvalidValue).unwrap_or_default();
    let why = match error.kind() {
        ErrorKind::InvalidValue => {
            let near = text(ContextKind::SuggestedValue).map(|near| format!("did you mean {near}?"));
            let known = text(ContextKind::ValidValue).map(|known| format!("expected one of {known}"));
            near.or(known).unwrap_or_default()
        }
        ErrorKind::ValueValidation => {
            std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default()
        }
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            "another number of values is expected".to_owned()
        }
        // What is missing besides may still be typed.
        _ => return Ok(()),
    };
    let about = if is_general {
        format!(" (for `propcov {name}`; what is meant for one command stands in its section)")
    } else {
        String::new()
    };
    let message = format!("{}: `{value}` is not accepted: {why}{about}", entry.key);
    Err(Box::new(source.error(&entry.span, message)))
}

/// What to say where a command has no design.
pub(crate) fn no_design() -> Complaint {
    Complaint::new(format!(
        "error: no FILE is given, and no {NAME} here or above names a design (`propcov init` writes one)\n"
    ))
}
