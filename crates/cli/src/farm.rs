//! `propcov farm`: one question for many machines. The scheduler is the user's; `propcov-farm` looks after the jobs, and here they are run.

pub(crate) mod arguments;
mod inputs;
mod job;

use crate::cores::arguments::CoresArguments;
use crate::cover::arguments::{CoverArguments, DEFAULT_OUT};
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::session::Session;
use arguments::{
    FarmArguments, FarmCommand, FarmOptions, FarmPlace, ResumeArguments, RunArguments, RunCommand,
};
use propcov::report::text::TextOptions;
use propcov_farm::scheduler::Choice;
use propcov_farm::{Begun, Farm, FarmError, Job, Limits, Plan, State, Watch};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where a farm is, in the run directory of its result.
const FARM: &str = "farm";

/// How often schedulers are asked, and processes of this machine.
const SELDOM: Duration = Duration::from_secs(5);
const OFTEN: Duration = Duration::from_millis(20);

/// How often a line is written where nobody looks at a terminal.
const LINES: Duration = Duration::from_secs(10);

/// How many shares there are for each process of this machine, and how many where it is not known how many machines there are.
const FOR_EACH: u32 = 4;
const FOR_ALL: u32 = 64;

/// Runs the command.
pub(crate) fn run(arguments: &FarmArguments, session: &mut Session) -> ExitCode {
    let done = match &arguments.command {
        FarmCommand::Run(arguments) => start(arguments, session),
        FarmCommand::Resume(arguments) => resume(arguments, session),
        FarmCommand::Status(place) => status(place, session),
        FarmCommand::Cancel(place) => cancel(place, session),
        FarmCommand::Job { farm, job, memory, minutes } => job::run(farm, job, (*memory, *minutes), session),
    };
    input::settle(done, session)
}

impl From<FarmError> for Complaint {
    fn from(error: FarmError) -> Complaint {
        Complaint::new(format!("error: {}\n", propcov_ir::printable(&error.to_string())))
    }
}

/// What is asked of a farm, whichever command it is about.
struct Asked<'a> {
    command: &'static str,
    farm: &'a FarmOptions,
    shards: Option<u32>,
    out: Option<&'a Path>,
    /// Where the words that the user typed begin.
    typed_from: usize,
}

/// What the arguments say, if a farm can do it. What is wrong with them is better said here than by sixty jobs.
fn asked(arguments: &RunArguments) -> Result<Asked<'_>, Complaint> {
    let refused = |text: &str| Err(Complaint::new(format!("error: {text}\n")));
    let (command, farm, (shards, shard, base), out, is_strange, typed_from) = match &arguments.command {
        None => {
            let CoverArguments { keep, share, fresh, .. } = &arguments.cover;
            let share = (share.shards, share.shard, &share.base);
            ("cover", &arguments.farm, share, &keep.out, keep.no_out || *fresh, 3)
        }
        Some(RunCommand::Cover(of)) => {
            let CoverArguments { keep, share, fresh, .. } = &of.asked;
            let share = (share.shards, share.shard, &share.base);
            ("cover", &of.farm, share, &keep.out, keep.no_out || *fresh, 4)
        }
        Some(RunCommand::Cores(of)) => {
            let CoresArguments { keep, share, fresh, .. } = &of.asked;
            let share = (share.shards, share.shard, &share.base);
            ("cores", &of.farm, share, &keep.out, keep.no_out || *fresh, 4)
        }
        Some(RunCommand::Check(of)) => {
            let share = &of.asked.share;
            ("check", &of.farm, (share.shards, share.shard, &share.base), &share.out, false, 4)
        }
    };
    let cover = match &arguments.command {
        None => Some(&arguments.cover),
        Some(RunCommand::Cover(of)) => Some(&of.asked),
        Some(_) => None,
    };
    if cover.is_some_and(|cover| !cover.effort.tests.is_empty() || cover.effort.naive) {
        return refused("a farm chooses techniques by itself: what is cheap first, the rest in shares");
    }
    if shard.is_some() || !base.is_empty() || is_strange {
        return refused("--shard, --base, --no-out and --fresh are not for a farm");
    }
    Ok(Asked { command, farm, shards, out: out.as_deref(), typed_from })
}

/// Plans, and sees to it that it is done.
fn start(arguments: &RunArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let Asked { command, farm: options, shards, out, typed_from } = asked(arguments)?;
    let nowhere = |error: std::io::Error| Complaint::new(format!("error: no current directory: {error}\n"));
    let directory = std::env::current_dir().map_err(nowhere)?;
    let scheduler = options.scheduler()?;
    let program = match &options.program {
        Some(program) => program_of(program, &directory, &scheduler)?,
        None => std::env::current_exe().map_err(nowhere)?,
    };
    let out = directory.join(out.unwrap_or(Path::new(DEFAULT_OUT)));
    let workers = options.workers();
    let shards = match (shards, &scheduler) {
        (Some(shards), _) => shards,
        (None, Choice::Local { workers }) => workers.saturating_mul(FOR_EACH),
        (None, _) => FOR_ALL,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.job_threads.unwrap_or_else(|| (cores as u32 / workers.max(1)).max(1));
    let words = arguments::of_run(command, session.typed.iter().skip(typed_from - 1).cloned());
    let plan = Plan {
        version: Plan::VERSION,
        inputs: inputs::inputs(&words)?,
        arguments: words,
        directory,
        program,
        out: out.clone(),
        shards,
        rounds: options.rounds,
        scheduler,
        limits: Limits {
            memory: options.job_memory,
            minutes: options.job_minutes(),
            threads,
            tries: options.tries,
        },
        head_start: options.head_start.map(|time| time.as_secs()),
        generation: 0,
    };
    let place = out.join(FARM);
    // Files that others include are no arguments.
    let included = Farm::open(&place).map(|farm| inputs::included(&farm)).unwrap_or_default();
    let (farm, begun) = Farm::create(&place, plan, &included, options.anew)?;
    if let Begun::Anew { changed, before } = begun {
        let why = match changed.as_slice() {
            [] => String::new(),
            changed => format!(": {} changed since it was planned", inputs::names(changed)),
        };
        session.complain(&format!("note: the farm begins anew{why}\n"));
        // What its jobs have kept is found again by its meaning.
        if let Some(before) = before {
            let left = before.directories_before(before.plan().last_stage())?;
            propcov::gather(&out, &left)?;
            before.discard();
        }
    }
    watch(&farm, session)
}

/// The program that jobs run: from wherever they are started.
fn program_of(program: &Path, directory: &Path, scheduler: &Choice) -> Result<PathBuf, Complaint> {
    let here: PathBuf = directory.join(program).components().collect();
    let is_name = program.components().count() == 1 && !here.exists();
    // Without a directory, it is for the machines that run jobs to find.
    let program = if is_name { program.to_owned() } else { here };
    if matches!(scheduler, Choice::Local { .. }) && !is_name && !program.is_file() {
        let name = program.display().to_string();
        let text = format!("error: --program: {} is not there\n", propcov_ir::printable(&name));
        return Err(Complaint::new(text));
    }
    Ok(program)
}

fn open(place: &FarmPlace) -> Result<Farm, Complaint> {
    Ok(Farm::open(&place.directory.join(FARM))?)
}

fn resume(arguments: &ResumeArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let farm = open(&arguments.place)?;
    if let Some(stale) = stale(&farm) {
        return Err(Complaint::new(format!("error: {stale}\n")));
    }
    farm.resume(arguments.job_memory, arguments.job_time.map(arguments::minutes))?;
    watch(&farm, session)
}

fn status(place: &FarmPlace, session: &mut Session) -> Result<ExitCode, Complaint> {
    let farm = open(place)?;
    let mut text = format!("{}\n", words(&farm.state()?));
    if let Some(stale) = stale(&farm) {
        text.push_str(&format!("{stale}\n"));
    }
    Ok(session.print(&text))
}

/// What to say about a farm whose files have changed.
fn stale(farm: &Farm) -> Option<String> {
    let changed = inputs::changed(farm);
    let names = inputs::names(&changed);
    (!changed.is_empty()).then(|| {
        format!("{names} changed since this farm was planned. Try: propcov farm run, which begins anew")
    })
}

fn cancel(place: &FarmPlace, session: &mut Session) -> Result<ExitCode, Complaint> {
    let ended = open(place)?.cancel()?;
    let jobs = if ended == 1 { "1 job was".to_owned() } else { format!("{ended} jobs were") };
    let text =
        format!("{jobs} ended. What they have found is kept: `propcov farm resume` goes on from there.\n");
    Ok(session.print(&text))
}

/// Looks after a farm until its result is there, and prints that.
fn watch(farm: &Farm, session: &mut Session) -> Result<ExitCode, Complaint> {
    session.catch_interrupts();
    let is_local = matches!(farm.plan().scheduler, Choice::Local { .. });
    let mut line = Line {
        interrupt: session.interrupt.clone(),
        bar: session.terminal.stderr.then(crate::progress::bar),
        said: None,
        standing: (0, false),
    };
    let state = farm.drive(if is_local { OFTEN } else { SELDOM }, &mut line)?;
    if let Some(bar) = line.bar.take() {
        bar.finish_and_clear();
    }
    if !state.is_finished {
        let place = farm.plan().out.display();
        let how = if state.is_cancelled { "cancelled" } else { "left alone" };
        session.complain(&format!(
            "note: the farm was {how}; jobs that are running go on unless it was cancelled. `propcov farm resume {place}` looks after them again\n"
        ));
        return Ok(ExitCode::Undecided);
    }
    if !state.given_up.is_empty() {
        let place = farm.plan().out.display();
        session.complain(&format!(
            "warning: {}: what they would have found out may be unknown. `propcov farm resume {place}` tries again\n",
            given_up(&state.given_up)
        ));
    }
    let Some(kept) = propcov::latest_result(&farm.plan().out)? else {
        return Err(Complaint::new("error: the last stage has left no result\n".to_owned()));
    };
    let format = job::arguments(farm, session)?.format();
    let material = match format.with_material {
        true => propcov::kept_material(&farm.plan().out, &kept)?,
        false => propcov::report::Material::default(),
    };
    Ok(output::result_with(&kept.result, &material, format, &TextOptions::default(), false, session))
}

/// Which jobs were given up, as far as there is room for them.
fn given_up(jobs: &[Job]) -> String {
    const MOST: usize = 3;
    let named: Vec<String> = jobs.iter().take(MOST).map(Job::to_string).collect();
    let more = match jobs.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let jobs = if jobs.len() == 1 { "1 job was".to_owned() } else { format!("{} jobs were", jobs.len()) };
    format!("{jobs} given up ({}{more})", named.join(", "))
}

/// One line about a farm: on a terminal it is always the same one.
struct Line {
    interrupt: propcov::Interrupt,
    bar: Option<indicatif::ProgressBar>,
    said: Option<(Instant, String)>,
    /// The stage, and whether something could not be asked, when somebody last looked.
    standing: (u32, bool),
}

impl Watch for Line {
    fn look(&mut self, state: &State) -> bool {
        let text = words(state);
        match &self.bar {
            Some(bar) => bar.set_message(text),
            None => {
                // A new stage is said at once, and what goes wrong, and that it goes well again; everything else now and then.
                let standing = (state.stage, state.trouble.is_some());
                let is_news = std::mem::replace(&mut self.standing, standing) != standing;
                let is_due = |(when, before): &(Instant, String)| {
                    (is_news || when.elapsed() >= LINES) && *before != text
                };
                if self.said.as_ref().is_none_or(is_due) {
                    use std::io::Write;
                    // When that fails there is nobody left to tell.
                    let _ = writeln!(std::io::stderr().lock(), "{text}");
                    self.said = Some((Instant::now(), text));
                }
            }
        }
        !self.interrupt.is_cancelled()
    }
}

/// How things are, in a line.
fn words(state: &State) -> String {
    let stage = match state.stage {
        0 => "first job: proofs, cheap techniques".to_owned(),
        stage if stage + 1 == state.stages => "uniting".to_owned(),
        stage => format!("round {stage} of {}", state.stages.saturating_sub(2)),
    };
    let mut text = match (state.is_finished, state.is_cancelled) {
        (true, _) => "done".to_owned(),
        (false, true) => format!("cancelled in: {stage}"),
        (false, false) => {
            format!("{stage}: {} of {} jobs done, {} running", state.done, state.jobs, state.running)
        }
    };
    let mut add = |what: String| text.push_str(&format!(", {what}"));
    if let Some(allowance) = state.allowance.filter(|_| !state.is_finished) {
        let memory = match allowance.memory >> 20 {
            small @ ..1024 => format!("{small} MiB"),
            large => format!("{:.1} GiB", large as f64 / 1024.0),
        };
        let how = if allowance.is_measured { " (from the first job)" } else { "" };
        add(format!("{memory} and {} min for each{how}", allowance.minutes));
    }
    if state.open > 0 {
        add(format!("{} open", state.open));
    }
    if state.lost > 0 {
        add(format!("{} lost and submitted again", state.lost));
    }
    if !state.given_up.is_empty() {
        add(format!("{} given up", state.given_up.len()));
    }
    if let Some(trouble) = &state.trouble {
        add(format!("waiting: {}", propcov_ir::printable(trouble)));
    }
    text
}
