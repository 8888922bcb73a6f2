//! `propcov init`: writes `propcov.toml` with what is seen in a directory. Guesses are marked as such; nothing is executed and nothing is overwritten.

use super::NAME;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::session::Session;
use clap::Args;
use propcov::files::WriteError;
use propcov_frontend::FRONTENDS;
use propcov_ir::printable;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// How deep directories are looked into, and how many files are looked at.
const DEPTH: usize = 4;
const FILES: usize = 2_000;
/// The most bytes of a file that are looked at.
const BYTES: u64 = 4 << 20;

/// Directories that are nobody's source.
const SKIPPED: [&str; 5] = ["target", "node_modules", "build", "propcov.out", "obj_dir"];

/// The arguments of `propcov init`.
#[derive(Args, Debug)]
pub(crate) struct InitArguments {
    /// The directory
    #[arg(default_value = ".")]
    pub(crate) directory: PathBuf,
}

/// Runs the command.
pub(crate) fn run(arguments: &InitArguments, session: &mut Session) -> ExitCode {
    let done = init(&arguments.directory, session);
    input::settle(done, session)
}

fn init(directory: &Path, session: &mut Session) -> Result<ExitCode, Complaint> {
    let path = directory.join(NAME);
    let shown = path.display().to_string();
    let files = files(directory);
    let designs = designs(directory, &files);
    let text = text(&designs);
    let opened = fs::OpenOptions::new().write(true).create_new(true).open(&path);
    let mut file = opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Complaint::new(format!("error: {} is there already, and stays as it is\n", printable(&shown)))
        }
        _ => Complaint::new(format!("error: {}\n", WriteError { path: path.clone(), error })),
    })?;
    let written = file.write_all(text.as_bytes());
    written
        .map_err(|error| Complaint::new(format!("error: {}\n", WriteError { path: path.clone(), error })))?;
    let names: Vec<&str> = designs.iter().map(|design| design.name.as_str()).collect();
    let what = match names.as_slice() {
        [] => "no design was found: add files = [\"…\"]".to_owned(),
        names => format!("designs: {}", names.join(", ")),
    };
    Ok(session.print(&format!("{}: {}\nTry: propcov check\n", printable(&shown), printable(&what))))
}

/// A design that was found.
#[derive(Debug, Default, PartialEq, Eq)]
struct Design {
    name: String,
    format: String,
    files: Vec<String>,
    /// Guesses, for SystemVerilog.
    top: Option<String>,
    clock: Option<String>,
    reset: Option<String>,
}

/// The files below a directory, in order, with paths from there.
fn files(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(directory.to_owned(), 0)];
    while let Some((at, depth)) = waiting.pop() {
        let Ok(entries) = fs::read_dir(&at) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // Links may lead anywhere, and back here.
            let Ok(kind) = entry.file_type() else { continue };
            if name.starts_with('.') || SKIPPED.contains(&name.as_str()) || found.len() >= FILES {
                continue;
            }
            let path = at.join(&name);
            if kind.is_dir() && depth < DEPTH {
                waiting.push((path, depth + 1));
            } else if kind.is_file()
                && let Some(relative) = path.strip_prefix(directory).ok().and_then(Path::to_str)
            {
                found.push(relative.to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The designs that these files are: each file one, but those of SystemVerilog together, unless projects of SymbiYosys say what belongs together.
fn designs(directory: &Path, files: &[String]) -> Vec<Design> {
    let extension = |file: &String| {
        Path::new(file).extension().and_then(|name| name.to_str()).unwrap_or_default().to_owned()
    };
    let format_of = |file: &String| {
        let extension = extension(file);
        FRONTENDS
            .iter()
            .find(|frontend| frontend.extensions.contains(&extension.as_str()))
            .map(|frontend| frontend.name)
    };
    let projects: Vec<&String> = files.iter().filter(|file| extension(file) == "sby").collect();
    let verilog: Vec<&String> =
        files.iter().filter(|file| matches!(extension(file).as_str(), "sv" | "v")).collect();
    let mut designs = Vec::new();
    for file in &projects {
        designs.push(Design {
            files: vec![(*file).clone()],
            format: "SymbiYosys".to_owned(),
            ..Design::default()
        });
    }
    if projects.is_empty() {
        designs.extend(tops(directory, &verilog));
    }
    for file in files {
        let extension = extension(file);
        if let Some(format) =
            format_of(file).filter(|_| !matches!(extension.as_str(), "sv" | "v" | "sby" | "json"))
        {
            designs.push(Design {
                files: vec![file.clone()],
                format: format.to_owned(),
                ..Design::default()
            });
        }
    }
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for design in &mut designs {
        let stem = design.top.clone().or_else(|| {
            let stem = Path::new(design.files.first()?).file_stem()?;
            Some(stem.to_string_lossy().into_owned())
        });
        let stem: String = stem
            .unwrap_or_default()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
            .collect();
        let count = taken.entry(stem.clone()).or_default();
        *count += 1;
        design.name = if *count == 1 { stem } else { format!("{stem}-{count}") };
    }
    designs
}

/// What is defined and used in SystemVerilog files, and what looks like clock and reset.
#[derive(Debug, Default)]
struct Seen {
    /// Modules with the file that has them.
    modules: BTreeMap<String, String>,
    /// Names that are used where a module could be.
    used: BTreeSet<String>,
    /// Signals in `posedge` and `negedge`, by file: how often.
    edges: BTreeMap<(String, bool, String), usize>,
    /// Signals that look like a reset, in the condition of an `if`, by file and whether they act high: how often.
    tested: BTreeMap<(String, bool, String), usize>,
}

/// Whether a signal is called like a reset.
fn is_reset(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("rst") || name.contains("reset") || name.contains("clr")
}

/// The modules that no other module uses: each with all files that it needs, as far as that can be seen.
fn tops(directory: &Path, files: &[&String]) -> Vec<Design> {
    let mut seen = Seen::default();
    for file in files {
        let path = directory.join(file.as_str());
        if fs::metadata(&path).is_ok_and(|data| data.len() <= BYTES)
            && let Ok(bytes) = fs::read(&path)
        {
            look(&mut seen, file, &String::from_utf8_lossy(&bytes));
        }
    }
    if seen.modules.is_empty() {
        return Vec::new();
    }
    let mut tops: Vec<&String> = seen.modules.keys().filter(|name| !seen.used.contains(*name)).collect();
    if tops.is_empty() {
        tops = seen.modules.keys().take(1).collect();
    }
    let all: Vec<String> = files.iter().map(|file| (*file).clone()).collect();
    // With one top everything belongs to it; with several, each file by itself is the safer guess.
    let design = |top: &String| {
        let file = seen.modules[top].clone();
        let files = if tops.len() == 1 { all.clone() } else { vec![file.clone()] };
        let clock = often(&seen, &file, true, |_| true);
        let low = often(&seen, &file, false, is_reset).map(|name| format!("{name}=0"));
        let high = often(&seen, &file, true, is_reset).map(|name| format!("{name}=1"));
        let clock = clock.filter(|name| !is_reset(name));
        // A synchronous reset is at no edge: it is asked for in the process.
        let tested = seen.tested.iter().filter(|((at, ..), _)| *at == file).max_by_key(|(_, count)| **count);
        let tested = tested.map(|((_, is_high, name), _)| format!("{name}={}", u8::from(*is_high)));
        Design {
            format: "SystemVerilog".to_owned(),
            files,
            top: Some(top.clone()),
            clock,
            reset: low.or(high).or(tested),
            ..Design::default()
        }
    };
    tops.iter().map(|top| design(top)).collect()
}

/// The signal that is most often at such an edge in a file.
fn often(seen: &Seen, file: &str, rising: bool, is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let own =
        seen.edges.iter().filter(|((at, edge, name), _)| at == file && *edge == rising && is_meant(name));
    own.max_by_key(|(_, count)| **count).map(|((_, _, name), _)| name.clone())
}

/// Looks at the words of a file.
fn look(seen: &mut Seen, file: &str, text: &str) {
    let text = without_comments(text);
    let words: Vec<&str> = text
        .split(|c: char| {
            !(c.is_alphanumeric() || matches!(c, '_' | '$' | '`' | '#' | '(' | ')' | ';' | '!' | '~'))
        })
        .flat_map(|piece| pieces(piece))
        .collect();
    for (at, word) in words.iter().enumerate() {
        let next = |step: usize| words.get(at + step).copied().unwrap_or_default();
        match *word {
            "module" | "macromodule" => {
                let name = if matches!(next(1), "automatic" | "static") { next(2) } else { next(1) };
                if is_name(name) {
                    seen.modules.entry(name.to_owned()).or_insert_with(|| file.to_owned());
                }
            }
            "posedge" | "negedge" => {
                let name = if next(1) == "(" { next(2) } else { next(1) };
                if is_name(name) {
                    *seen.edges.entry((file.to_owned(), *word == "posedge", name.to_owned())).or_default() +=
                        1;
                }
            }
            "if" if next(1) == "(" => {
                let is_low = matches!(next(2), "!" | "~");
                let name = if is_low { next(3) } else { next(2) };
                let is_whole = next(if is_low { 4 } else { 3 }) == ")";
                if is_whole && is_name(name) && is_reset(name) {
                    *seen.tested.entry((file.to_owned(), !is_low, name.to_owned())).or_default() += 1;
                }
            }
            // NAME instance ( or NAME #( : what stands where a module is used.
            name if is_name(name) && (next(1) == "#" || is_name(next(1)) && next(2) == "(") => {
                let before = at.checked_sub(1).map_or("", |before| words[before]);
                if !matches!(before, "module" | "macromodule" | "bind") {
                    seen.used.insert(name.to_owned());
                }
            }
            "bind" => {
                // bind TARGET MODULE instance (…): what is bound is used.
                seen.used.insert(next(2).to_owned());
            }
            _ => {}
        }
    }
}

/// Words and signs, each by itself.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        if matches!(c, '#' | '(' | ')' | ';' | '!' | '~') {
            pieces.push(&text[from..at]);
            pieces.push(&text[at..=at]);
            from = at + 1;
        }
    }
    pieces.push(&text[from..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
}

/// A text without comments and strings.
fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let (end, skipped) = match rest.get(..2) {
            Some("//") => ("\n", 2),
            Some("/*") => ("*/", 2),
            _ if rest.starts_with('"') => ("\"", 1),
            _ => {
                plain.push('/');
                rest = &rest[1..];
                continue;
            }
        };
        plain.push(' ');
        rest = rest[skipped..].find(end).map_or("", |found| &rest[skipped + found + end.len()..]);
    }
    plain.push_str(rest);
    plain
}

/// The file.
fn text(designs: &[Design]) -> String {
    let mut text = String::from(
        "# Options of propcov: each key is the long name of an option. See `propcov help config`.\n",
    );
    let quoted = |value: &str| toml::Value::String(value.to_owned()).to_string();
    let list = |values: &[String]| {
        let quoted: Vec<String> = values.iter().map(|value| quoted(value)).collect();
        match values {
            [_] => format!("[{}]", quoted.join(", ")),
            _ => format!("[\n  {},\n]", quoted.join(",\n  ")),
        }
    };
    for design in designs {
        if designs.len() > 1 {
            let _ =
                write!(text, "\n[design.{}]", if design.name.is_empty() { "unnamed" } else { &design.name });
        }
        let _ = writeln!(text, "\nfiles = {} # {}", list(&design.files), design.format);
        for (key, value) in [("top", &design.top), ("clock", &design.clock), ("reset", &design.reset)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {} # a guess", quoted(value));
            }
        }
    }
    if designs.is_empty() {
        text.push_str("\n# files = [\"design.sv\"]\n");
    }
    text.push_str(
        "\n# [cover]\n# threshold = { mutation = 90 }\n\n# [[waiver]]\n# element = \"debug_*\"\n# reason = \"not in the product\"\n# author = \"\"\n# expires = 2030-12-31\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_the_clock_and_the_reset_are_guessed_from_the_words() {
        let mut seen = Seen::default();
        let text = "// module ghost;\nmodule top(input clk, rst_n); /* posedge x */\n  leaf #(.W(3)) u (.clk(clk)); other v(clk);\n\
            always @(posedge clk or negedge rst_n) if (!rst_n) q <= 0;\nendmodule\nmodule leaf; endmodule module other; endmodule\n\"module text\"";
        look(&mut seen, "a.sv", text);
        assert_eq!(seen.modules.keys().collect::<Vec<_>>(), ["leaf", "other", "top"]);
        assert!(seen.used.contains("leaf") && seen.used.contains("other") && !seen.used.contains("top"));
        assert_eq!(often(&seen, "a.sv", true, |_| true).as_deref(), Some("clk"));
        assert_eq!(often(&seen, "a.sv", false, |_| true).as_deref(), Some("rst_n"));
    }

    #[test]
    fn a_synchronous_reset_is_guessed_from_where_it_is_asked_for() {
        for (condition, expected) in [
            ("rst", Some(("rst", true))),
            ("!rst_n", Some(("rst_n", false))),
            ("~ resetn", Some(("resetn", false))),
            ("start", None),
        ] {
            let mut seen = Seen::default();
            look(
                &mut seen,
                "a.sv",
                &format!(
                    "module m; always_ff @(posedge clk) if ({condition}) q <= 0; else q <= 1; endmodule"
                ),
            );
            let found: Vec<(&str, bool)> =
                seen.tested.keys().map(|(_, is_high, name)| (name.as_str(), *is_high)).collect();
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{condition}");
        }
    }

    #[test]
    fn what_is_written_can_be_read_again_whatever_files_are_called() {
        use crate::args::Arguments;
        use clap::CommandFactory;
        let hostile = ["a\"b.sv", "c\\d.sv", "e\nf.sv", "[x].sv", "ü.sv"].map(str::to_owned).to_vec();
        let design = |name: &str, files: &[String]| Design {
            name: name.to_owned(),
            format: "SystemVerilog".to_owned(),
            files: files.to_vec(),
            top: Some("t\"op".to_owned()),
            clock: Some("clk".to_owned()),
            reset: Some("rst_n=0".to_owned()),
        };
        for designs in [
            vec![],
            vec![design("a", &hostile)],
            vec![design("a", &hostile[..1]), design("b-2", &hostile[1..])],
        ] {
            let text = text(&designs);
            let read = super::super::document::read(NAME, &text, &Arguments::command());
            let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
            let files: Vec<&String> = read
                .general
                .files
                .iter()
                .chain(read.designs.iter().flat_map(|(_, one)| &one.files))
                .collect();
            let expected: Vec<&String> = designs.iter().flat_map(|design| &design.files).collect();
            assert_eq!(files, expected);
        }
    }
}
