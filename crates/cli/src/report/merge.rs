//! `propcov report --merge`: what several machines have found out, as if one had done it all.

use crate::args::{Arguments, Command, MemoryArguments};
use crate::input::Complaint;
use crate::progress::{Progress, ProgressArguments};
use crate::session::Session;
use crate::{check, cores, cover};
use clap::Parser;
use propcov::report::Material;
use propcov::result::{Run, RunResult};
use propcov::{CheckOptions, Control, CoresOptions, CoverOptions, Keep, Union};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Unites directories, and looks at them as a whole.
pub(crate) fn merge(
    keep: Keep,
    others: &[PathBuf],
    session: &mut Session,
) -> Result<(RunResult, Material), Complaint> {
    let start = Instant::now();
    let directory = keep.directory.clone().unwrap_or_default();
    let union = propcov::unite(Path::new(&directory), others)?;
    let asked = asked(&union.run.result.run)?;
    let (timeout, memory, quietly) = limits(&asked);
    session.limit(start, timeout, memory);
    session.catch_interrupts();
    let progress = ProgressArguments { quiet: true, ..quietly };
    let progress = Progress::new(progress, session.terminal.stderr, start, timeout);
    let result = settled(&asked, keep, &union, &session.control(&progress, start));
    progress.finish();
    let mut result = result?;
    result.notes.extend(union.notes());
    Ok((result, union.design.material()))
}

/// The result that one run would have had: all evidence is checked, and nothing new is looked for.
fn settled(
    asked: &Command,
    keep: Keep,
    union: &Union,
    control: &Control<'_>,
) -> Result<RunResult, Complaint> {
    let design = &union.design;
    Ok(match asked {
        Command::Cover(arguments) => {
            let waivers = union.run.result.waivers.clone();
            let options =
                CoverOptions { keep, share: None, settled: true, waivers, ..cover::options(arguments)? };
            design.cover_with(&options, control)?
        }
        Command::Cores(arguments) => {
            let options = CoresOptions { keep, share: None, settled: true, ..cores::options(arguments)? };
            design.cores_with(&options, control)?
        }
        Command::Check(arguments) => {
            let options =
                CheckOptions { keep, share: None, settled: true, ..check::options(arguments, None)? };
            design.check_with(&options, control)?.result
        }
        _ => return Err(strange(&union.run.result.run)),
    })
}

/// How long it may take, how much memory it may use, and what is said meanwhile.
fn limits(asked: &Command) -> (Option<Duration>, MemoryArguments, ProgressArguments) {
    match asked {
        Command::Cover(asked) => (asked.effort.timeout, asked.effort.memory, asked.progress),
        Command::Cores(asked) => (asked.timeout, asked.memory, asked.progress),
        Command::Check(asked) => (asked.timeout, asked.memory, asked.progress),
        _ => (None, MemoryArguments { memory: None }, ProgressArguments::default()),
    }
}

/// What was asked of a run.
fn asked(run: &Run) -> Result<Command, Complaint> {
    let added = run.configuration.iter().flat_map(|configuration| &configuration.arguments);
    let (command, rest) = run.arguments.split_at(run.arguments.len().min(1));
    let line = ["propcov".to_owned()].into_iter().chain(command.iter().cloned());
    let line = line.chain(added.cloned()).chain(rest.iter().cloned());
    Arguments::try_parse_from(line).map(|arguments| arguments.command).map_err(|_| strange(run))
}

fn strange(run: &Run) -> Complaint {
    Complaint::new(format!(
        "error: a shard was started by `propcov {}`, which this version does not understand\n",
        propcov_ir::printable(&run.arguments.join(" "))
    ))
}
