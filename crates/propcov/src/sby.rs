//! Projects of SymbiYosys: which files, which macros, which module at the top.
//!
//! Of a script only the commands count that read files and choose the top; those that prepare a netlist for a solver have no effect on what a design
//! means, and are skipped. Any other command is an error that names it. How a property is decided (`mode`, `depth`, `[engines]`) is not taken from
//! the project: propcov decides without a bound.
//!
//! # References
//! SymbiYosys, *Reference for .sby file format*, <https://yosyshq.readthedocs.io/projects/sby>.

use crate::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One task of a project, as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Task {
    /// The files that the script reads, in its order.
    pub(crate) files: Vec<PathBuf>,
    /// Options for slang.
    pub(crate) arguments: Vec<OsString>,
}

/// Commands of Yosys that change how a netlist is written, and not what it means.
const SKIPPED: &[&str] = &[
    "async2sync",
    "check",
    "clean",
    "clk2fflogic",
    "dffunmap",
    "flatten",
    "memory",
    "memory_map",
    "memory_nordff",
    "opt",
    "opt_clean",
    "opt_expr",
    "opt_merge",
    "proc",
    "setundef",
    "stat",
    "wreduce",
];

/// Reads a project. A project with several tasks needs the name of one.
pub(crate) fn read(path: &Path, text: &str, wanted: Option<&str>) -> Result<Task, Error> {
    let wrong = |number: usize, message: String| {
        Error::Usage(format!("{}:{}: {message}", path.display(), number + 1))
    };
    let lines: Vec<(usize, &str)> =
        text.lines().map(|line| line.split('#').next().unwrap_or(line)).enumerate().collect();
    let tasks = tasks(&lines);
    let names: Vec<&str> = tasks.iter().filter_map(|task| task.first().copied()).collect();
    let tags: &[&str] = match (wanted, tasks.as_slice()) {
        (None, []) => &[],
        (None, [only]) => only,
        (None, _) => {
            return Err(Error::Usage(format!(
                "{} has several tasks: name one of {}",
                path.display(),
                names.join(", ")
            )));
        }
        (Some(wanted), _) => match tasks.iter().find(|task| task.first() == Some(&wanted)) {
            Some(task) => task,
            None => return Err(crate::read::unknown_name("task", "tasks", wanted, &names)),
        },
    };
    let mut reader = Reader {
        directory: path.parent().unwrap_or(Path::new("")),
        listed: Vec::new(),
        task: Task::default(),
    };
    let chosen = chosen(&lines, tags);
    // Files may be listed after the script that reads them.
    for (number, section, line) in &chosen {
        match *section {
            "files" => reader.list(line),
            "options" if line.split_whitespace().eq(["mode", "live"]) => {
                return Err(wrong(*number, "mode live is not supported".to_owned()));
            }
            section if section.starts_with("file ") => {
                return Err(wrong(*number, format!("section [{section}] is not supported")));
            }
            _ => {}
        }
    }
    for (number, _, line) in chosen.iter().filter(|(_, section, _)| *section == "script") {
        reader.command(line).map_err(|message| wrong(*number, message))?;
    }
    Ok(reader.task)
}

/// The name of a section, if a line begins one.
fn section(line: &str) -> Option<&str> {
    line.trim().strip_prefix('[')?.strip_suffix(']').map(str::trim)
}

/// The tasks with their tags; the name is the first of them.
fn tasks<'t>(lines: &[(usize, &'t str)]) -> Vec<Vec<&'t str>> {
    let begin = lines.iter().skip_while(|(_, line)| section(line) != Some("tasks")).skip(1);
    let own = begin.take_while(|(_, line)| section(line).is_none());
    let words = own.map(|(_, line)| {
        line.split_whitespace().take_while(|word| *word != ":" && *word != "--").collect::<Vec<_>>()
    });
    words.filter(|words| !words.is_empty()).collect()
}

/// The lines of a task, with the sections that they are in.
fn chosen<'t>(lines: &[(usize, &'t str)], tags: &[&str]) -> Vec<(usize, &'t str, &'t str)> {
    let (mut here, mut all) = ("", Vec::new());
    // Whether a block of lines for some tasks is one of this task.
    let mut block: Option<bool> = None;
    for (number, line) in lines {
        if let Some(name) = section(line) {
            (here, block) = (name, None);
            continue;
        }
        let line = line.trim();
        if line == "--" {
            block = None;
            continue;
        }
        let (applies, rest) = match condition(line) {
            Some((condition, rest)) => (holds(condition, tags), rest),
            None => (true, line),
        };
        match rest {
            "" if condition(line).is_some() => block = Some(applies),
            "" => {}
            rest if applies && block != Some(false) => all.push((*number, here, rest)),
            _ => {}
        }
    }
    all
}

/// The tags that a line begins with, before a colon, and what comes then.
fn condition(line: &str) -> Option<(&str, &str)> {
    let (before, after) = line.split_once(':')?;
    let is_tag = |word: &str| word.trim_start_matches('~').chars().all(|c| c.is_alphanumeric() || c == '_');
    let fits = !before.is_empty()
        && before.split_whitespace().all(is_tag)
        && (after.is_empty() || after.starts_with(char::is_whitespace));
    fits.then(|| (before, after.trim()))
}

fn holds(condition: &str, tags: &[&str]) -> bool {
    condition.split_whitespace().any(|word| match word.strip_prefix('~') {
        Some(tag) => !tags.contains(&tag),
        None => tags.contains(&word),
    })
}

struct Reader<'p> {
    directory: &'p Path,
    /// Files by the names that the script has for them.
    listed: Vec<(String, PathBuf)>,
    task: Task,
}

impl Reader<'_> {
    /// A line of `[files]`: a path, perhaps behind the name that the script uses.
    fn list(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(source) = words.last() else { return };
        let path = self.directory.join(source);
        let name = match words.as_slice() {
            [name, _] => Some((*name).to_owned()),
            _ => path.file_name().map(|name| name.to_string_lossy().into_owned()),
        };
        self.listed.extend(name.map(|name| (name, path)));
    }

    /// Commands of the script, one behind the other on a line.
    fn command(&mut self, line: &str) -> Result<(), String> {
        for command in line.split(';') {
            let words: Vec<&str> = command.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["read" | "read_verilog", options @ ..] => self.read(options)?,
                ["hierarchy" | "prep", options @ ..] => self.top(options)?,
                ["chparam", options @ ..] => self.parameters(options)?,
                // Without effect on what is asserted and assumed.
                ["chformal", options @ ..] if options.contains(&"-early") => {}
                [name, ..] if SKIPPED.contains(name) => {}
                [name, ..] => return Err(format!("the Yosys command {name} is not supported")),
            }
        }
        Ok(())
    }

    fn option(&mut self, option: &str, value: impl Into<OsString>) {
        self.task.arguments.extend([option.into(), value.into()]);
    }

    fn read(&mut self, options: &[&str]) -> Result<(), String> {
        let mut words = options.iter();
        while let Some(word) = words.next() {
            match *word {
                "-formal" | "-sv" | "-sv2005" | "-sv2009" | "-sv2012" | "-vlog95" | "-vlog2k"
                | "-noassert" => {}
                "-I" | "-incdir" => {
                    let place = words.next().ok_or_else(|| format!("{word} needs a directory"))?;
                    self.option("-I", self.directory.join(place));
                }
                "-D" | "-define" => self.option("-D", words.next().copied().unwrap_or_default()),
                word if word.starts_with("-D") => self.option("-D", &word[2..]),
                word if word.starts_with("-I") => self.option("-I", self.directory.join(&word[2..])),
                word if word.starts_with('-') => {
                    return Err(format!("the option {word} of read is not supported"));
                }
                name => match self.listed.iter().find(|(listed, _)| listed == name) {
                    Some((_, path)) => self.task.files.push(path.clone()),
                    None => return Err(format!("{name} is not listed in [files]")),
                },
            }
        }
        Ok(())
    }

    fn top(&mut self, options: &[&str]) -> Result<(), String> {
        let mut words = options.iter();
        while let Some(word) = words.next() {
            match (*word, words.as_slice()) {
                ("-top", [name, ..]) => {
                    self.option("--top", *name);
                    words.next();
                }
                ("-chparam", [name, value, ..]) => {
                    self.option("-G", format!("{name}={value}"));
                    words.nth(1);
                }
                ("-top" | "-chparam", _) => return Err(format!("{word} needs a value")),
                _ => {}
            }
        }
        Ok(())
    }

    /// Parameters of the module at the top; the module's name comes last.
    fn parameters(&mut self, options: &[&str]) -> Result<(), String> {
        for words in options.split(|word| *word == "-set").skip(1) {
            match words {
                [name, value, ..] => self.option("-G", format!("{name}={value}")),
                _ => return Err("chparam -set needs a name and a value".to_owned()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "[tasks]\nprf\nwide prf big\n\n[options]\nmode prove\n\n[engines]\nsmtbmc\n\n[script]\nread -formal -DONE a.v\nbig: read_verilog -sv -D TWO=2 sub.v\n~big: read -sv -Iinc b.v\nbig:\nhierarchy -top top -chparam W 8\n--\nprep -top top; opt -full\n\n[files]\n../rtl/a.v\nb.v\nsub.v ../rtl/other.v\n";

    fn read_task(text: &str, task: Option<&str>) -> Result<Task, String> {
        read(Path::new("dir/p.sby"), text, task).map_err(|error| error.to_string())
    }

    #[test]
    fn a_task_has_its_own_lines_and_those_of_all() {
        let task = read_task(PROJECT, Some("prf")).expect("a task");
        assert_eq!(task.files, [PathBuf::from("dir/../rtl/a.v"), PathBuf::from("dir/b.v")]);
        assert_eq!(task.arguments, ["-D", "ONE", "-I", "dir/inc", "--top", "top"]);
        let wide = read_task(PROJECT, Some("wide")).expect("a task");
        assert_eq!(wide.files, [PathBuf::from("dir/../rtl/a.v"), PathBuf::from("dir/../rtl/other.v")]);
        assert_eq!(wide.arguments, ["-D", "ONE", "-D", "TWO=2", "--top", "top", "-G", "W=8", "--top", "top"]);
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        let error = |text: &str| read_task(text, None).expect_err(text);
        assert!(error(PROJECT).contains("name one of prf, wide"));
        assert_eq!(error("[script]\nabc -g AND\n"), "dir/p.sby:2: the Yosys command abc is not supported");
        assert_eq!(error("[script]\nread -formal a.v\n"), "dir/p.sby:2: a.v is not listed in [files]");
        assert_eq!(error("[options]\nmode live\n"), "dir/p.sby:2: mode live is not supported");
        assert_eq!(error("[file a.v]\nmodule a;\n"), "dir/p.sby:2: section [file a.v] is not supported");
        let unknown = read_task(PROJECT, Some("wid")).expect_err("no such task");
        assert!(unknown.contains("did you mean wide?"), "{unknown}");
    }
}
