//! `propcov report --merge`: what several machines have found out, as if one had done it all.

use crate::args::{Arguments, Command, MemoryArguments};
use crate::cover::arguments::EffortArguments;
use crate::input::Complaint;
use crate::progress::{Progress, ProgressArguments};
use crate::session::Session;
use crate::{check, cores, cover};
use clap::Parser;
use propcov::report::Material;
use propcov::result::{Run, RunResult};
use propcov::{CheckOptions, Control, CoresOptions, CoverOptions, Keep, Sharing, Union};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whether a run without a share has done all of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    IsDone,
    /// It is the first job of a farm, which leaves most of it to others and asks less.
    IsShared,
}

/// Unites directories, and looks at them as a whole.
pub(crate) fn merge(
    keep: Keep,
    others: &[PathBuf],
    whole: Whole,
    session: &mut Session,
) -> Result<(RunResult, Material), Complaint> {
    let start = Instant::now();
    let directory = keep.directory.clone().unwrap_or_default();
    let sharing = Sharing { differ: &differ, whole: whole == Whole::IsDone };
    let mut union = propcov::unite_as(Path::new(&directory), others, &sharing)?;
    if whole == Whole::IsShared {
        union.strange.clear();
    }
    let keep = Keep { notes: union.notes(), ..keep };
    let asked = asked(&union.run.result.run)?;
    let (timeout, memory, quietly) = limits(&asked);
    session.limit(start, timeout, memory);
    session.catch_interrupts();
    let progress = ProgressArguments { quiet: true, ..quietly };
    let progress = Progress::new(progress, session.terminal.stderr, start, timeout);
    let result = settled(&asked, keep, &union, &session.control(&progress, start));
    progress.finish();
    Ok((result?, union.design.material()))
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

/// What two runs ask, if it is not the same.
fn differ(one: &RunResult, two: &RunResult) -> Option<(String, String)> {
    // What cannot be understood cannot be compared.
    let (first, second) = (question(&one.run)?, question(&two.run)?);
    let words =
        |result: &RunResult| format!("propcov {}", propcov_ir::printable(&result.run.arguments.join(" ")));
    (first != second).then(|| (words(one), words(two)))
}

/// What a run was asked, without where things are, how much was done for it, how it is printed and which share it is.
fn question(run: &Run) -> Option<String> {
    let plain = |command: &str| {
        Arguments::try_parse_from(["propcov", command]).ok().map(|arguments| arguments.command)
    };
    Some(match (asked(run).ok()?, plain(&run.command)?) {
        (Command::Cover(mut asked), Command::Cover(plain)) => {
            (asked.share, asked.keep, asked.fresh) = (plain.share, plain.keep, plain.fresh);
            (asked.progress, asked.config, asked.format) = (plain.progress, plain.config, plain.format);
            let bound = asked.effort.bound;
            asked.effort = EffortArguments { bound, ..plain.effort };
            (asked.files, asked.stats, asked.unfold) = (Vec::new(), plain.stats, plain.unfold);
            (asked.accuracy, asked.budget, asked.certificate) = (None, None, None);
            // Results say which.
            asked.metrics = Vec::new();
            format!("{asked:?}")
        }
        (Command::Cores(mut asked), Command::Cores(plain)) => {
            (asked.share, asked.keep, asked.fresh) = (plain.share, plain.keep, plain.fresh);
            (asked.progress, asked.config, asked.format) = (plain.progress, plain.config, plain.format);
            (asked.timeout, asked.memory, asked.threads) = (None, plain.memory, None);
            (asked.files, asked.stats, asked.seed) = (Vec::new(), plain.stats, plain.seed);
            (asked.algorithm, asked.matrix) = (None, None);
            format!("{asked:?}")
        }
        (Command::Check(mut asked), Command::Check(plain)) => {
            (asked.share, asked.progress, asked.config) = (plain.share, plain.progress, plain.config);
            (asked.timeout, asked.memory, asked.effort) = (None, plain.memory, plain.effort);
            (asked.files, asked.stats, asked.seed) = (Vec::new(), plain.stats, plain.seed);
            (asked.format, asked.certificate, asked.conflicts) = (plain.format, None, None);
            format!("{asked:?}")
        }
        _ => return None,
    })
}

fn strange(run: &Run) -> Complaint {
    Complaint::new(format!(
        "error: a shard was started by `propcov {}`, which this version does not understand\n",
        propcov_ir::printable(&run.arguments.join(" "))
    ))
}
