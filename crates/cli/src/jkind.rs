//! `propcov jkind`: takes JKind's options and writes what JKind writes, so that tools that call JKind can call propcov. What the options mean is in `help::jkind`.

use crate::exit::ExitCode;
use crate::help;
use crate::input::{self, Complaint, Input};
use crate::session::Session;
use clap::Args;
use propcov::files::write_atomically;
use propcov::report::jkind::{self, Console};
use propcov::result::{NoteKind, Property, RunResult, Verdict};
use propcov::{
    CheckOptions, CoresOptions, Design, Dialect, Effort, Goal, LustreOptions, ReadOptions, Silent,
};
use propcov_ir::printable;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// JKind's own words.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct JkindArguments {
    /// JKind's options, and a file
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// What they mean.
#[derive(Debug, Default, PartialEq)]
struct Options {
    file: PathBuf,
    main: Option<String>,
    depth: Option<u32>,
    timeout: Option<Duration>,
    cores: Option<Goal>,
    smooth: bool,
    intervals: bool,
    inductive: bool,
    scratch: bool,
    advice: Option<PathBuf>,
    output: Output,
    /// What has no meaning here, and is said to have none.
    idle: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Output {
    #[default]
    Console,
    Xml,
    XmlToStdout,
    Excel,
}

/// What a command line asks for.
#[derive(Debug, PartialEq)]
enum Wish {
    Run(Box<Options>),
    Help,
    Version,
}

/// Runs the command.
pub(crate) fn run(arguments: &JkindArguments, session: &mut Session) -> ExitCode {
    let done = match wish(&arguments.words) {
        Ok(Wish::Run(options)) => jkind(&options, session),
        Ok(Wish::Help) => Ok(session.print(&format!("{}\n", help::JKIND))),
        Ok(Wish::Version) => Ok(session.print(&format!("JKind by propcov {}\n", env!("CARGO_PKG_VERSION")))),
        Err(text) => Err(Complaint::new(format!("Error reading command line arguments: {text}\n"))),
    };
    input::settle(done, session)
}

/// Reads JKind's options: one dash, and values as words of their own.
fn wish(words: &[OsString]) -> Result<Wish, String> {
    let mut options = Options::default();
    let mut files = Vec::new();
    // `java -jar jkind.jar -jkind FILE`: which of its tools.
    let is_tool = words.first().is_some_and(|word| word == "-jkind");
    let mut words = words.iter().skip(usize::from(is_tool));
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let Some(name) =
            text.strip_prefix("--").or_else(|| text.strip_prefix('-')).filter(|name| !name.is_empty())
        else {
            files.push(PathBuf::from(word));
            continue;
        };
        let mut value = || {
            let value = words.next().ok_or_else(|| format!("Missing argument for option: {name}"))?;
            Ok::<&OsString, String>(value)
        };
        match name {
            "help" => return Ok(Wish::Help),
            "version" => return Ok(Wish::Version),
            "excel" => options.output = exclusive(options.output, Output::Excel)?,
            "xml" => options.output = exclusive(options.output, Output::Xml)?,
            "xml_to_stdout" => options.output = exclusive(options.output, Output::XmlToStdout)?,
            "induct_cex" => options.inductive = true,
            "interval" => options.intervals = true,
            "ivc" => options.cores = options.cores.or(Some(Goal::One)),
            "all_ivcs" | "ivc_all" => options.cores = Some(Goal::All),
            "smooth" => options.smooth = true,
            "scratch" => options.scratch = true,
            "main" => options.main = Some(value()?.to_string_lossy().into_owned()),
            "n" => options.depth = Some(u32::try_from(number(value()?)?).unwrap_or(u32::MAX)),
            "timeout" => options.timeout = Some(Duration::from_secs(number(value()?)?)),
            "read_advice" | "write_advice" => {
                let file = Some(PathBuf::from(value()?));
                if options.advice.is_some() && options.advice != file {
                    return Err(
                        "advice is read from the file that it is written to: name the same one".to_owned()
                    );
                }
                options.advice = file;
            }
            "solver" | "pdr_max" | "all_ivcs_alg" | "all_ivcs_max_grows" | "all_ivcs_jkind_timeout" => {
                value()?;
                options.idle.push(format!("-{name}"));
            }
            "no_bmc" | "no_inv_gen" | "no_k_induction" | "no_slicing" => {
                options.idle.push(format!("-{name}"));
            }
            _ => return Err(format!("Unrecognized option: {}", printable(&text))),
        }
    }
    match <[PathBuf; 1]>::try_from(files) {
        Ok([file]) => Ok(Wish::Run(Box::new(Options { file, ..options }))),
        Err(files) => Err(format!("expected one file, found {} (see propcov jkind -help)", files.len())),
    }
}

fn exclusive(before: Output, wanted: Output) -> Result<Output, String> {
    let name = |output: Output| match output {
        Output::Console => "",
        Output::Xml => "xml",
        Output::XmlToStdout => "xml_to_stdout",
        Output::Excel => "excel",
    };
    match before {
        Output::Console => Ok(wanted),
        same if same == wanted => Ok(wanted),
        other => Err(format!("cannot use option -{} with option -{}", name(other), name(wanted))),
    }
}

/// A number that is not negative; JKind takes negative ones for zero.
fn number(value: &OsString) -> Result<u64, String> {
    let text = value.to_string_lossy();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("expected a number, found {}", printable(&text)));
    }
    Ok(if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::from(u32::MAX)) })
}

fn jkind(options: &Options, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    if !options.idle.is_empty() {
        let idle = options.idle.join(", ");
        session.complain(&format!("Warning {idle} has no effect: propcov chooses engines by itself\n"));
    }
    let budget = session.limit(start, options.timeout, crate::args::MemoryArguments { memory: None });
    let lustre = LustreOptions {
        dialect: Some(Dialect::JKind),
        main: options.main.clone(),
        ..LustreOptions::default()
    };
    let read = ReadOptions { budget, lustre, ..ReadOptions::default() };
    let files = [options.file.clone()];
    let design = input::design(Input::from(files.as_slice()), &read, session)?;
    let result = decide(options, &design, session, start)?;
    for note in result.notes.iter().filter(|note| note.kind != NoteKind::Note) {
        let level = if note.kind == NoteKind::Error { "Error" } else { "Warning" };
        session.complain(&format!("{level} {}\n", printable(&note.text)));
    }
    match options.output {
        Output::Console => Ok(session.print(&jkind::console(&result, Console::Whole))),
        Output::XmlToStdout => Ok(session.print(&jkind::document(&result))),
        Output::Xml => written(&result, options, "xml", jkind::document(&result).as_bytes(), session),
        Output::Excel => {
            let bytes =
                jkind::workbook(&result).map_err(|error| Complaint::new(format!("Error {error}\n")))?;
            written(&result, options, "xlsx", &bytes, session)
        }
    }
}

/// Verdicts, and what else is asked for. JKind's exit code says whether it ran, not what it found.
fn decide(
    options: &Options,
    design: &Design,
    session: &Session,
    start: Instant,
) -> Result<RunResult, propcov::Error> {
    let control = session.control(&Silent, start);
    let effort = if options.timeout.is_none() { Effort::Max } else { Effort::Default };
    let check = CheckOptions {
        bound: options.depth,
        timeout: options.timeout,
        effort,
        smooth: options.smooth,
        intervals: options.intervals,
        inductive: options.inductive,
        advice: options.advice.clone(),
        certificate: options.scratch.then(|| beside(&options.file, "scratch")),
        ..CheckOptions::default()
    };
    let Some(goal) = options.cores else { return Ok(design.check_with(&check, &control)?.result) };
    let cores = CoresOptions { goal, invariants: true, timeout: options.timeout, ..CoresOptions::default() };
    let mut result = design.cores_with(&cores, &control)?;
    // What is wanted of counterexamples only, and of what is not decided.
    let open = |property: &&Property| property.verdict != Verdict::Proved;
    let properties: Vec<String> =
        result.properties.iter().filter(open).map(|property| property.name.clone()).collect();
    let is_more = options.smooth || options.intervals || options.inductive || options.depth.is_some();
    if is_more && !properties.is_empty() {
        let again = design.check_with(&CheckOptions { properties, ..check }, &control)?.result;
        for property in again.properties {
            if let Some(known) = result.properties.iter_mut().find(|known| known.name == property.name) {
                *known = property;
            }
        }
    }
    Ok(result)
}

/// Writes a file beside the model, as JKind does, and prints what is left for the console.
fn written(
    result: &RunResult,
    options: &Options,
    ending: &str,
    bytes: &[u8],
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let path = beside(&options.file, ending);
    write_atomically(&path, bytes).map_err(|error| {
        Complaint::new(format!("Error cannot write {}: {error}\n", printable(&path.display().to_string())))
    })?;
    Ok(session.print(&jkind::console(result, Console::Summary)))
}

/// `model.lus.xml` for `model.lus`.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Result<Wish, String> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        wish(&words)
    }

    fn options(words: &[&str]) -> Options {
        match asked(words) {
            Ok(Wish::Run(options)) => *options,
            other => panic!("{words:?}: {other:?}"),
        }
    }

    #[test]
    fn options_are_read_as_jkind_reads_them() {
        let read =
            options(&["-jkind", "-n", "20", "-xml", "-timeout", "60", "-main", "top", "m.lus", "-all_ivcs"]);
        let expected = Options {
            file: "m.lus".into(),
            main: Some("top".to_owned()),
            depth: Some(20),
            timeout: Some(Duration::from_secs(60)),
            cores: Some(Goal::All),
            output: Output::Xml,
            ..Options::default()
        };
        assert_eq!(read, expected);
        let read = options(&[
            "-ivc",
            "-smooth",
            "-interval",
            "-induct_cex",
            "-scratch",
            "-solver",
            "z3",
            "-no_bmc",
            "m.lus",
        ]);
        assert_eq!(read.cores, Some(Goal::One));
        assert!(read.smooth && read.intervals && read.inductive && read.scratch);
        assert_eq!(read.idle, ["-solver", "-no_bmc"]);
        assert_eq!(options(&["-n", "-3", "m.lus"]).depth, Some(0));
    }

    #[test]
    fn mistakes_are_told_in_jkinds_words() {
        assert_eq!(asked(&["-nonsense", "m.lus"]), Err("Unrecognized option: -nonsense".to_owned()));
        assert_eq!(asked(&["m.lus", "-n"]), Err("Missing argument for option: n".to_owned()));
        assert_eq!(
            asked(&["-xml", "-excel", "m.lus"]),
            Err("cannot use option -xml with option -excel".to_owned())
        );
        assert!(asked(&[]).is_err());
        assert!(asked(&["a.lus", "b.lus"]).is_err());
        assert_eq!(asked(&["-help"]), Ok(Wish::Help));
    }
}
