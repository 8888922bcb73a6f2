//! The script of a task: commands of Yosys. Only those count that read files and choose the top; those that prepare a netlist for a solver have no effect on what
//! a design means, and are skipped. Any other command is an error that names it.

use super::Task;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Commands that change how a netlist is written, and not what it means.
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

/// Commands of the script, one behind the other on a line.
pub(super) fn line(task: &mut Task, line: &str, directory: &Path) -> Result<(), String> {
    for command in line.split(';') {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["read" | "read_verilog" | "verilog_defines", options @ ..] => read(task, options, directory)?,
            ["verific", "-sv" | "-formal" | "-vlog2k", options @ ..] => read(task, options, directory)?,
            ["hierarchy" | "prep", options @ ..] => top(task, options)?,
            ["chparam", options @ ..] => parameters(task, options)?,
            ["cutpoint", selected] => cut(task, selected)?,
            // Without effect on what is asserted and assumed.
            ["chformal", options @ ..] if options.contains(&"-early") => {}
            [name, ..] if SKIPPED.contains(name) => {}
            [name, ..] => return Err(format!("the Yosys command {name} is not supported")),
        }
    }
    Ok(())
}

/// A signal that is free: `module/name`.
fn cut(task: &mut Task, selected: &str) -> Result<(), String> {
    let is_name =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    match selected.split_once('/') {
        Some((module, name)) if is_name(module) && is_name(name) => {
            task.cuts.push((module.to_owned(), name.to_owned()));
            Ok(())
        }
        _ => Err(format!("cutpoint {selected}: expected a signal as module/name")),
    }
}

fn give(task: &mut Task, option: &str, value: impl Into<OsString>) {
    task.arguments.extend([option.into(), value.into()]);
}

fn read(task: &mut Task, options: &[&str], directory: &Path) -> Result<(), String> {
    let (mut is_assumed, mut is_unrestricted) = (false, false);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        match *word {
            "-formal" | "-sv" | "-sv2005" | "-sv2009" | "-sv2012" | "-sv2017" | "-vlog95" | "-vlog2k"
            | "-noverific" | "-verific" => {}
            "-assume-asserts" => is_assumed = true,
            "-norestrict" => is_unrestricted = true,
            "-I" | "-incdir" => {
                let place = words.next().ok_or_else(|| format!("{word} needs a directory"))?;
                give(task, "-I", directory.join(place));
            }
            "-D" => give(task, "-D", words.next().copied().unwrap_or_default()),
            "-U" => give(task, "-U", words.next().copied().unwrap_or_default()),
            // All that follow are macros.
            "-define" => words.by_ref().for_each(|name| give(task, "-D", *name)),
            "-undef" => words.by_ref().for_each(|name| give(task, "-U", *name)),
            word if word.starts_with("-D") => give(task, "-D", &word[2..]),
            word if word.starts_with("-I") => give(task, "-I", directory.join(&word[2..])),
            word if word.starts_with('-') => {
                return Err(format!("the option {word} of read is not supported"));
            }
            name => {
                let path = file(task, name).ok_or_else(|| format!("{name} is not listed in [files]"))?;
                task.assumed.extend(is_assumed.then(|| path.clone()));
                task.unrestricted.extend(is_unrestricted.then(|| path.clone()));
                task.files.push(path);
            }
        }
    }
    Ok(())
}

/// The file that a name stands for. One that stands in the project is called so.
fn file(task: &Task, name: &str) -> Option<PathBuf> {
    let listed = task.listed.iter().find(|(listed, _)| listed == name).map(|(_, path)| path.clone());
    listed.or_else(|| task.written.iter().any(|(written, _)| written == name).then(|| PathBuf::from(name)))
}

fn top(task: &mut Task, options: &[&str]) -> Result<(), String> {
    let mut words = options.iter();
    while let Some(word) = words.next() {
        match (*word, words.as_slice()) {
            ("-top", [name, ..]) => {
                give(task, "--top", *name);
                words.next();
            }
            ("-chparam", [name, value, ..]) => {
                give(task, "-G", format!("{name}={value}"));
                words.nth(1);
            }
            ("-top" | "-chparam", _) => return Err(format!("{word} needs a value")),
            _ => {}
        }
    }
    Ok(())
}

/// Parameters of the module at the top; the module's name comes last.
fn parameters(task: &mut Task, options: &[&str]) -> Result<(), String> {
    for words in options.split(|word| *word == "-set").skip(1) {
        match words {
            [name, value, ..] => give(task, "-G", format!("{name}={value}")),
            _ => return Err("chparam -set needs a name and a value".to_owned()),
        }
    }
    Ok(())
}
