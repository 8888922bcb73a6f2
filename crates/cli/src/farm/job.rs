//! One job of a farm, on the machine that the scheduler has chosen.

use super::inputs;
use crate::args::{Arguments, CheckArguments, Command};
use crate::cores::arguments::{CoresArguments, GoalArguments};
use crate::cover::arguments::CoverArguments;
use crate::exit::ExitCode;
use crate::input::Complaint;
use crate::report::merge::{self, Whole};
use crate::session::Session;
use crate::verilog_arguments::VerilogArguments;
use crate::{check, config, cores, cover};
use clap::{CommandFactory, FromArgMatches};
use propcov::report::Format;
use propcov::result::{ELSEWHERE, FindingVerdict, NoteKind, RunResult, Stop, Verdict};
use propcov::{Goal, Keep};
use propcov_farm::{Done, Ending, Farm, Job};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Metrics that wait for the shares, in which each property has its own.
const DEAR: &[&str] = &["must", "may", "model"];

/// For so long, at most, the first job goes on with what could be shared out.
const HEAD_START: Duration = Duration::from_secs(60);

/// What a job needs to end in good time, in seconds.
const FAREWELL: u64 = 20;

/// Of its memory, a job uses so many percent by itself before it ends.
const USED: u64 = 85;

/// How long a job tries to write what it has found, where the disk is full or away.
const PATIENCE: Duration = Duration::from_secs(100);

/// What a farm does.
pub(super) enum Asked {
    Cover(Box<CoverArguments>),
    Cores(Box<CoresArguments>),
    Check(Box<CheckArguments>),
}

impl Asked {
    /// How the result is printed.
    pub(super) fn format(&self) -> &'static Format {
        match self {
            Asked::Cover(arguments) => arguments.format,
            Asked::Cores(arguments) => arguments.format,
            Asked::Check(arguments) => arguments.format,
        }
    }

    /// The files of the design, and how SystemVerilog is read.
    pub(super) fn files(&self) -> (&[PathBuf], &VerilogArguments) {
        match self {
            Asked::Cover(arguments) => (&arguments.files, &arguments.verilog),
            Asked::Cores(arguments) => (&arguments.files, &arguments.verilog),
            Asked::Check(arguments) => (&arguments.files, &arguments.verilog),
        }
    }
}

/// What a job may have, and where it is.
struct Setting<'f> {
    farm: &'f Farm,
    job: Job,
    /// Bytes.
    memory: u64,
    longest: Duration,
}

/// Does a job that may have so many bytes of memory and minutes.
pub(super) fn run(
    place: &Path,
    job: &str,
    (memory, minutes): (u64, u32),
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let job: Job = job.parse().map_err(|why| Complaint::new(format!("error: {why}\n")))?;
    let farm = Farm::open_patiently(place)?;
    let directory = &farm.plan().directory;
    std::env::set_current_dir(directory)
        .map_err(|error| Complaint::new(format!("error: cannot go to {}: {error}\n", directory.display())))?;
    // In this order: what ends in between is in the directories, and counts the next time.
    let count = farm.known_before(job.stage)?;
    let inputs = farm.directories_before(job.stage)?;
    let longest = Duration::from_secs((u64::from(minutes) * 60).saturating_sub(FAREWELL).max(30));
    let setting = Setting { farm: &farm, job, memory: memory / 100 * USED, longest };
    let last = farm.plan().last_stage();
    let done = match job.stage == last {
        true => {
            let keep = Keep { patience: PATIENCE, ..Keep::in_directory(&farm.plan().out) };
            merge::merge(keep, &inputs, Whole::IsShared, session).map(|(result, _)| Some(result))
        }
        false => match inputs::changed_for_job(farm.plan()).as_slice() {
            [] => {
                farm.prepare(job)?;
                share(&setting, inputs, session)
            }
            changed => Err(Complaint::new(format!(
                "error: {} changed since the farm was planned. Try: propcov farm run, which begins anew\n",
                inputs::names(changed)
            ))),
        },
    };
    let (ending, result) = match done {
        Ok(result) => (None, result),
        // Where files cannot be seen, or are all there is to it, it may go well the next time.
        Err(Complaint { text, code: ExitCode::BadInput }) if job.stage < last && farm.is_there() => {
            session.complain(&text);
            let why = text.trim();
            (Some(Ending::Hopeless(why.strip_prefix("error: ").unwrap_or(why).to_owned())), None)
        }
        Err(complaint) => return Err(complaint),
    };
    // Whoever asked it to end may want the rest done elsewhere. Its findings are kept.
    if session.interrupt.is_cancelled() && !session.interrupt.is_out_of_memory() {
        return Ok(ExitCode::Undecided);
    }
    // What was found and could not be kept is found again, by another job.
    let lost = |result: &RunResult| result.notes.iter().find(|note| note.kind == NoteKind::Error).cloned();
    if let Some(note) = result.as_ref().and_then(lost) {
        let text = format!("error: {job} has to be done again: {}\n", propcov_ir::printable(&note.text));
        return Err(Complaint { text, code: ExitCode::Undecided });
    }
    let ending = ending.unwrap_or(match result.as_ref().and_then(|result| result.run.stop) {
        Some(Stop::Memory) => Ending::Memory,
        _ => Ending::Good,
    });
    let (decided, open) = result.as_ref().map_or((0, 0), counts);
    let of_shares = |result: &RunResult| propcov::sizes(&result.stats, farm.plan().shards);
    let done = Done {
        ending,
        seconds: start.elapsed().as_secs_f64(),
        processor: processor(),
        memory: peak(),
        decided,
        open,
        inputs: count,
        allowed: memory,
        sizes: result.as_ref().map(of_shares).unwrap_or_default(),
    };
    farm.finish(job, &done)?;
    Ok(ExitCode::Good)
}

/// Does a share, or the first stage; what came of it.
fn share(
    setting: &Setting<'_>,
    inputs: Vec<PathBuf>,
    session: &mut Session,
) -> Result<Option<RunResult>, Complaint> {
    let Setting { farm, job, .. } = *setting;
    let directory = farm.directory_of(job);
    // What was kept before this farm was begun.
    let earlier = Some(&farm.plan().out).filter(|out| out.join("findings").is_dir()).cloned();
    let inputs: Vec<PathBuf> = earlier.into_iter().chain(inputs).collect();
    let code = match arguments(farm, session)? {
        Asked::Cover(arguments) => cover_share(setting, *arguments, inputs, session),
        Asked::Cores(arguments) => cores_share(setting, *arguments, inputs, session),
        Asked::Check(arguments) => check_share(setting, *arguments, inputs, session),
    };
    match propcov::latest_result(&directory)? {
        Some(kept) => Ok(Some(kept.result)),
        // A design that cannot be read can never be read; a directory may be written in a moment.
        None if code == ExitCode::BadInput && directory.join("evidence").is_dir() => {
            let text = format!("error: {job} has left no result: {}\n", last_error(farm, job));
            Err(Complaint { text, code: ExitCode::Undecided })
        }
        None if code == ExitCode::BadInput => {
            Err(Complaint::new(format!("error: {}\n", last_error(farm, job))))
        }
        None => Err(Complaint { text: String::new(), code }),
    }
}

/// What the job said is wrong, which is in its log.
fn last_error(farm: &Farm, job: Job) -> String {
    let words = farm.last_words(job);
    words.strip_prefix("error: ").unwrap_or(&words).to_owned()
}

/// The limits of a job, as options.
fn timeout(setting: &Setting<'_>, asked: Option<Duration>) -> Option<Duration> {
    Some(asked.map_or(setting.longest, |asked| asked.min(setting.longest)))
}

/// Where a job keeps what it finds. Nobody looks at a page of it.
fn kept(keep: &mut Keep) {
    (keep.patience, keep.without_page, keep.is_required, keep.is_made) = (PATIENCE, true, true, true);
}

fn cover_share(
    setting: &Setting<'_>,
    mut arguments: CoverArguments,
    inputs: Vec<PathBuf>,
    session: &mut Session,
) -> ExitCode {
    let (plan, job) = (setting.farm.plan(), setting.job);
    arguments.share.base = inputs;
    arguments.keep.out = Some(setting.farm.directory_of(job));
    arguments.progress.quiet = true;
    arguments.effort.threads = Some(u16::try_from(plan.limits.threads).unwrap_or(u16::MAX));
    arguments.effort.memory.memory = Some(setting.memory);
    arguments.effort.timeout = timeout(setting, arguments.effort.timeout);
    if job.stage == 0 {
        let is_dear = |name: &String| DEAR.contains(&name.as_str());
        if arguments.metrics.iter().any(is_dear) {
            arguments.metrics.retain(|name| !is_dear(name));
            arguments.metrics.push("cone".to_owned());
        }
    } else {
        arguments.share.shard = Some(job.index);
        arguments.share.shards = Some(job.count);
    }
    let adjust = |options: &mut propcov::CoverOptions| {
        kept(&mut options.keep);
        options.presume = true;
        // Which mutants no property notices is known when all shares are done: in the last round.
        options.without_effects = job.stage < plan.rounds;
        options.preview = (job.stage == 0).then_some(plan.shards);
        let longest = plan.head_start.map_or(HEAD_START, Duration::from_secs);
        options.head_start = (job.stage == 0).then_some(longest);
    };
    cover::run_as(&arguments, &adjust, session)
}

fn cores_share(
    setting: &Setting<'_>,
    mut arguments: CoresArguments,
    inputs: Vec<PathBuf>,
    session: &mut Session,
) -> ExitCode {
    let (plan, job) = (setting.farm.plan(), setting.job);
    arguments.share.base = inputs;
    arguments.keep.out = Some(setting.farm.directory_of(job));
    arguments.progress.quiet = true;
    arguments.threads = Some(u16::try_from(plan.limits.threads).unwrap_or(u16::MAX));
    arguments.memory.memory = Some(setting.memory);
    arguments.timeout = timeout(setting, arguments.timeout);
    if job.stage == 0 {
        // A core that all shares start from.
        let is_one = arguments.wanted().is_ok_and(|goal| goal == Goal::One);
        arguments.goal = GoalArguments::one(!is_one);
        (arguments.algorithm, arguments.matrix) = (None, None);
    } else {
        arguments.share.shard = Some(job.index);
        arguments.share.shards = Some(job.count);
    }
    cores::run_as(&arguments, &|options| kept(&mut options.keep), session)
}

fn check_share(
    setting: &Setting<'_>,
    mut arguments: CheckArguments,
    inputs: Vec<PathBuf>,
    session: &mut Session,
) -> ExitCode {
    let (plan, job) = (setting.farm.plan(), setting.job);
    arguments.share.base = inputs;
    arguments.share.out = Some(setting.farm.directory_of(job));
    arguments.progress.quiet = true;
    arguments.memory.memory = Some(setting.memory);
    arguments.timeout = timeout(setting, arguments.timeout);
    if job.stage > 0 {
        arguments.share.shard = Some(job.index);
        arguments.share.shards = Some(job.count);
    }
    let adjust = |options: &mut propcov::CheckOptions| {
        kept(&mut options.keep);
        // What is easy is done before the rest is shared.
        options.brief = job.stage == 0;
        options.preview = (job.stage == 0).then_some(plan.shards);
    };
    check::run_as(&arguments, &adjust, session)
}

/// What is asked, with what `propcov.toml` adds to it.
pub(super) fn arguments(farm: &Farm, session: &mut Session) -> Result<Asked, Complaint> {
    let (plan, asked) = planned(&farm.plan().arguments)?;
    session.typed.clone_from(&farm.plan().arguments);
    session.plan = plan;
    Ok(asked)
}

/// What is asked by arguments with what `propcov.toml` adds to them, and that.
pub(super) fn planned(arguments: &[String]) -> Result<(config::Plan, Asked), Complaint> {
    let root = Arguments::command();
    let typed: Vec<OsString> =
        ["propcov"].into_iter().map(OsString::from).chain(arguments.iter().map(OsString::from)).collect();
    let refused = |error: clap::Error| Complaint::new(format!("{error}"));
    let matches = root.clone().try_get_matches_from(&typed).map_err(refused)?;
    let mut plans = config::plan(&root, &typed, &matches)?;
    let (Some(plan), true) = (plans.pop(), plans.is_empty()) else {
        return Err(Complaint::new("error: a farm is about one design: name it\n".to_owned()));
    };
    let parsed =
        root.try_get_matches_from(&plan.arguments).and_then(|matches| Arguments::from_arg_matches(&matches));
    let asked = match parsed.map_err(refused)?.command {
        Command::Cover(arguments) => Asked::Cover(arguments),
        Command::Cores(arguments) => Asked::Cores(Box::new(arguments)),
        Command::Check(arguments) => Asked::Check(Box::new(arguments)),
        _ => {
            let text = "error: a farm is about `propcov cover`, `cores` or `check`\n".to_owned();
            return Err(Complaint::new(text));
        }
    };
    Ok((plan, asked))
}

/// How many findings are decided, and how many of its own are not.
fn counts(result: &RunResult) -> (u64, u64) {
    let is_own = |reason: Option<&str>| reason != Some(ELSEWHERE);
    let properties = result.properties.iter();
    let properties = properties.map(|one| (one.verdict != Verdict::Unknown, is_own(one.reason.as_deref())));
    let findings = result
        .findings
        .iter()
        .map(|finding| (finding.verdict != FindingVerdict::Unknown, is_own(finding.reason.as_deref())));
    let cores = result.cores.iter().map(|row| (row.answered, result.run.shard.is_none()));
    let all: Vec<(bool, bool)> = properties.chain(findings).chain(cores).collect();
    let decided = all.iter().filter(|(is_decided, _)| *is_decided).count();
    let open = all.iter().filter(|(is_decided, is_own)| !is_decided && *is_own).count();
    (decided as u64, open as u64)
}

/// The most memory that this process had, where the system says so.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The processor seconds of this process, where the system says so.
fn processor() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may have blanks and brackets in it. What programs see of the clock ticks a hundred times a second.
    let mut fields = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = |field: Option<&str>| field.and_then(|field| field.parse::<f64>().ok());
    Some((ticks(fields.next())? + ticks(fields.next())?) / 100.0)
}
