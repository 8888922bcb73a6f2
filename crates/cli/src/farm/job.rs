//! One job of a farm, on the machine that the scheduler has chosen.

use crate::args::{Arguments, Command};
use crate::config;
use crate::cover;
use crate::cover::arguments::CoverArguments;
use crate::exit::ExitCode;
use crate::input::Complaint;
use crate::report::merge;
use crate::session::Session;
use clap::{CommandFactory, FromArgMatches};
use propcov::result::{ELSEWHERE, FindingVerdict, RunResult, Stop};
use propcov_farm::{Done, Ending, Farm, Job};
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is cheap, and tried on all mutants before the work is shared.
const CHEAP: &[&str] = &["cone", "core", "simulation", "family-induction", "family-bmc"];

/// Metrics that wait for the shares, in which each property has its own.
const DEAR: &[&str] = &["must", "may", "model"];

/// What a job needs to end in good time, in seconds.
const FAREWELL: u64 = 20;

/// Of its memory, a job uses so many percent by itself before it ends.
const USED: u64 = 85;

/// Does a job.
pub(super) fn run(place: &Path, job: &str, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let farm = Farm::open(place)?;
    let job: Job = job.parse().map_err(|why| Complaint::new(format!("error: {why}\n")))?;
    let directory = &farm.plan().directory;
    std::env::set_current_dir(directory)
        .map_err(|error| Complaint::new(format!("error: cannot go to {}: {error}\n", directory.display())))?;
    let inputs = farm.directories_before(job.stage)?;
    let count = inputs.iter().filter(|directory| directory.is_dir()).count() as u64;
    let done = match job.stage == farm.plan().last_stage() {
        true => merge::merge(&farm.plan().out, &inputs, session).map(|(result, _)| Some(result)),
        false => share(&farm, job, inputs, session),
    };
    let (ending, result) = match done {
        Ok(result) => (None, result),
        Err(Complaint { text, code: ExitCode::BadInput }) => {
            session.complain(&text);
            (Some(Ending::Hopeless(text.trim().to_owned())), None)
        }
        Err(complaint) => return Err(complaint),
    };
    // Whoever asked it to end may want the rest done elsewhere. Its findings are kept.
    if session.interrupt.is_cancelled() {
        return Ok(ExitCode::Undecided);
    }
    let ending = ending.unwrap_or(match result.as_ref().and_then(|result| result.run.stop) {
        Some(Stop::Memory) => Ending::Memory,
        _ => Ending::Good,
    });
    let (decided, open) = result.as_ref().map_or((0, 0), counts);
    let seconds = start.elapsed().as_secs_f64();
    farm.finish(job, &Done { ending, seconds, memory: peak(), decided, open, inputs: count })?;
    Ok(ExitCode::Good)
}

/// Does a share, or the first stage; what came of it.
fn share(
    farm: &Farm,
    job: Job,
    inputs: Vec<std::path::PathBuf>,
    session: &mut Session,
) -> Result<Option<RunResult>, Complaint> {
    let plan = farm.plan();
    let mut arguments = arguments(farm, session)?;
    let directory = farm.directory_of(job);
    arguments.keep.out = Some(directory.clone());
    arguments.progress.quiet = true;
    arguments.effort.threads = Some(u16::try_from(plan.limits.threads).unwrap_or(u16::MAX));
    arguments.effort.memory.memory = Some(plan.limits.memory / 100 * USED);
    let longest = Duration::from_secs((u64::from(plan.limits.minutes) * 60).saturating_sub(FAREWELL).max(30));
    arguments.effort.timeout = Some(arguments.effort.timeout.map_or(longest, |asked| asked.min(longest)));
    if job.stage == 0 {
        let is_dear = |name: &String| DEAR.contains(&name.as_str());
        if arguments.metrics.iter().any(is_dear) {
            arguments.metrics.retain(|name| !is_dear(name));
            arguments.metrics.push("cone".to_owned());
        }
        arguments.effort.tests = CHEAP.iter().map(|name| (*name).to_owned()).collect();
    } else {
        arguments.share.shard = Some(job.index);
        arguments.share.shards = Some(job.count);
        arguments.share.base = inputs;
    }
    let code = cover::run(&arguments, session);
    match propcov::latest_result(&directory)? {
        Some(kept) => Ok(Some(kept.result)),
        None if code == ExitCode::BadInput => {
            Err(Complaint::new(format!("error: {job} found nothing; its log says why\n")))
        }
        None => Err(Complaint { text: String::new(), code }),
    }
}

/// What is asked, with what `propcov.toml` adds to it.
pub(super) fn arguments(farm: &Farm, session: &mut Session) -> Result<CoverArguments, Complaint> {
    let root = Arguments::command();
    let typed: Vec<OsString> = ["propcov"]
        .into_iter()
        .map(OsString::from)
        .chain(farm.plan().arguments.iter().map(OsString::from))
        .collect();
    let refused = |error: clap::Error| Complaint::new(format!("{error}"));
    let matches = root.clone().try_get_matches_from(&typed).map_err(refused)?;
    let mut plans = config::plan(&root, &typed, &matches)?;
    let (Some(plan), true) = (plans.pop(), plans.is_empty()) else {
        return Err(Complaint::new("error: a farm is about one design: name it\n".to_owned()));
    };
    let parsed =
        root.try_get_matches_from(&plan.arguments).and_then(|matches| Arguments::from_arg_matches(&matches));
    session.typed.clone_from(&farm.plan().arguments);
    session.plan = plan;
    match parsed.map_err(refused)?.command {
        Command::Cover(arguments) => Ok(*arguments),
        _ => Err(Complaint::new("error: a farm is about `propcov cover`\n".to_owned())),
    }
}

/// How many findings are decided, and how many of its own are not.
fn counts(result: &RunResult) -> (u64, u64) {
    let is_open = |verdict: FindingVerdict| verdict == FindingVerdict::Unknown;
    let decided = result.findings.iter().filter(|finding| !is_open(finding.verdict)).count();
    let is_own = |reason: Option<&str>| reason != Some(ELSEWHERE);
    let open = result
        .findings
        .iter()
        .filter(|finding| is_open(finding.verdict) && is_own(finding.reason.as_deref()));
    (decided as u64, open.count() as u64)
}

/// The most memory that this process had, where the system says so.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes << 10)
}
