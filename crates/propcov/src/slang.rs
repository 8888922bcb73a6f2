//! Runs the program that elaborates SystemVerilog: Python, with the package `pyslang`.
//!
//! The program is a part of propcov and gets its input as arguments only; nothing in a design is executed. Python is found in this order:
//!
//! 1. `PROPCOV_PYTHON`, if it is set.
//! 2. An environment of propcov's own, in `propcov/python` of the user's cache directory. `scripts/setup` makes it, and so does the command in the
//!    message that is shown when the package is missing.
//! 3. `python3`, wherever that is.

use crate::Error;
use propcov_budget::{Budget, Stop};
use propcov_frontend::verilog::Settings;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// The version that propcov is tested with.
pub const PYSLANG: &str = "12.1.0";

/// How SystemVerilog is elaborated and looked at.
#[derive(Clone, Debug, Default)]
pub struct VerilogOptions {
    /// Options of slang, as they are.
    pub arguments: Vec<OsString>,
    /// What propcov is told beyond that.
    pub settings: Settings,
    /// Where files are that the design reads by name.
    pub listed: Vec<(String, PathBuf)>,
    /// What files are called in messages, by path.
    pub shown: Vec<(PathBuf, String)>,
    /// How many bytes elaboration may occupy.
    pub memory: Option<u64>,
    /// Signals that are free whatever drives them: a module, and a name in it.
    pub cuts: Vec<(String, String)>,
    /// Whether Python code in a project of SymbiYosys may be executed.
    pub pycode: bool,
}

/// What came of an elaboration.
pub(crate) struct Elaborated {
    /// What the front end reads.
    pub(crate) export: Vec<u8>,
    /// What slang says, as its users know it.
    pub(crate) messages: String,
}

/// The codes with which the program ends.
const MISSING: i32 = 3;
const UNFIT: i32 = 4;
const REJECTED: i32 = 5;

/// How often the budget is looked at.
const PERIOD: Duration = Duration::from_millis(5);

/// Elaborates a design of these files.
pub(crate) fn elaborate<P: AsRef<Path>>(
    program: &str,
    paths: &[P],
    options: &VerilogOptions,
    budget: &Budget,
) -> Result<Elaborated, Error> {
    let python = python();
    let mut command = Command::new(&python);
    command
        .arg("-c")
        .arg(program)
        .args(own_arguments(options))
        .args(&options.arguments)
        .args(paths.iter().map(|path| plain(path.as_ref())));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let name = crate::read::display_name(paths.first().map_or(Path::new(""), AsRef::as_ref));
    let started = command.spawn().map_err(|error| not_started(&python, &error))?;
    let (status, mut export, messages) = watched(started, &name, budget, options.memory)?;
    let messages = String::from_utf8_lossy(&messages).into_owned();
    match status.code() {
        Some(0) => {
            options.settings.append_to(&mut export);
            Ok(Elaborated { export, messages })
        }
        Some(MISSING) => Err(Error::Usage(format!(
            "reading SystemVerilog needs the Python package pyslang: {}",
            installation()
        ))),
        Some(UNFIT) => Err(Error::Usage(format!(
            "pyslang {} does not fit, expected {PYSLANG}: {}",
            messages.trim(),
            installation()
        ))),
        Some(REJECTED) => Err(Error::Rejected { path: name, messages }),
        _ => Err(Error::Usage(format!("{}: elaboration ended with {status}\n{messages}", python.display()))),
    }
}

/// A path that slang does not take for an option.
fn plain(path: &Path) -> PathBuf {
    let first = path.as_os_str().as_encoded_bytes().first();
    if matches!(first, Some(b'-' | b'+')) { Path::new(".").join(path) } else { path.to_owned() }
}

/// The arguments of the program that are not those of slang.
fn own_arguments(options: &VerilogOptions) -> Vec<OsString> {
    let listed = options.listed.iter().map(|(name, path)| ["--list".into(), name.into(), path.into()]);
    let shown = options.shown.iter().map(|(path, name)| ["--show".into(), path.into(), name.into()]);
    let cuts = options.cuts.iter().map(|(module, name)| ["--cut".into(), module.into(), name.into()]);
    listed.chain(shown).chain(cuts).flatten().collect()
}

/// The command that installs what is missing.
fn installation() -> String {
    let place = environment().unwrap_or_else(|| PathBuf::from("propcov-python"));
    let place = quoted(&place.display().to_string());
    format!("python3 -m venv {place} && {place}/bin/pip install pyslang=={PYSLANG}")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | ',');
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The environment of propcov's own.
fn environment() -> Option<PathBuf> {
    let is_set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = is_set("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| is_set("HOME").map(|home| Path::new(&home).join(".cache")))?;
    Some(cache.join("propcov").join("python"))
}

/// The Python that is used.
pub(crate) fn python() -> PathBuf {
    if let Some(chosen) = std::env::var_os("PROPCOV_PYTHON").filter(|chosen| !chosen.is_empty()) {
        return PathBuf::from(chosen);
    }
    let own = environment().map(|place| place.join("bin").join("python3"));
    own.filter(|own| own.exists()).unwrap_or_else(|| PathBuf::from("python3"))
}

fn not_started(python: &Path, error: &io::Error) -> Error {
    Error::Usage(format!(
        "reading SystemVerilog needs Python, and {} cannot be run ({error}); PROPCOV_PYTHON may name another one",
        python.display()
    ))
}

/// Waits for a program, within a budget, and collects what it writes.
fn watched(
    mut child: Child,
    name: &str,
    budget: &Budget,
    memory: Option<u64>,
) -> Result<(ExitStatus, Vec<u8>, Vec<u8>), Error> {
    let failed = |error: io::Error| Error::Read { path: name.to_owned(), error };
    let streams = (collect(child.stdout.take()), collect(child.stderr.take()));
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        let is_too_large = memory.is_some_and(|most| occupied(child.id()).is_some_and(|used| used > most));
        // Whatever comes of that, it is not waited for.
        if let Some(stop) = budget.stop().or(is_too_large.then_some(Stop::Memory)) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::Stopped { path: name.to_owned(), stop });
        }
        thread::sleep(PERIOD);
    };
    Ok((status, streams.0.join().unwrap_or_default(), streams.1.join().unwrap_or_default()))
}

/// The bytes that a process occupies, if the system tells.
fn occupied(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What cannot be read is missing at the end, and the reader says so.
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}
