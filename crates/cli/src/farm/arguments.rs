//! The arguments of `propcov farm`.

use crate::args::{CheckArguments, parse_size, parse_time};
use crate::cores::arguments::CoresArguments;
use crate::cover::arguments::{CoverArguments, DEFAULT_OUT};
use crate::help;
use clap::{Args, Subcommand, ValueHint};
use propcov_farm::scheduler::Choice;
use std::path::PathBuf;
use std::time::Duration;

/// The heading of options that are about the farm.
const FARM: &str = "Options of the farm";

/// The arguments of `propcov farm`.
#[derive(Args, Debug)]
pub(crate) struct FarmArguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: FarmCommand,
}

/// What can be done with a farm.
#[derive(Debug, Subcommand)]
pub(crate) enum FarmCommand {
    /// Measure coverage, look for cores or check properties on many machines: plan, submit, look after jobs, unite what they find
    #[command(long_about = help::FARM, after_long_help = help::FARM_EXAMPLES, args_conflicts_with_subcommands = true)]
    Run(Box<RunArguments>),
    /// Say how far a farm is
    Status(FarmPlace),
    /// Look after a farm again: submit what was lost, unite what is there
    Resume(ResumeArguments),
    /// End all jobs of a farm; what they have found is kept
    Cancel(FarmPlace),
    /// Do one job of a farm, on the machine that the scheduler has chosen
    #[command(hide = true)]
    Job {
        /// How many bytes of memory it may use
        #[arg(long)]
        memory: u64,
        /// How many minutes it may take
        #[arg(long)]
        minutes: u32,
        /// The directory of the farm
        farm: PathBuf,
        /// The job: 1.3-of-8
        job: String,
    },
}

/// The arguments of `propcov farm resume`.
#[derive(Args, Debug)]
pub(crate) struct ResumeArguments {
    #[command(flatten)]
    pub(crate) place: FarmPlace,

    /// From here on, how much memory a job may use
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) job_memory: Option<u64>,

    /// From here on, how long a job may take
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) job_time: Option<Duration>,
}

/// Where a farm is.
#[derive(Args, Debug)]
pub(crate) struct FarmPlace {
    /// The run directory of the result
    #[arg(default_value = DEFAULT_OUT, value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
}

/// The arguments of `propcov farm run`: a command, or those of `propcov cover`.
#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    #[command(subcommand)]
    pub(crate) command: Option<RunCommand>,

    #[command(flatten)]
    pub(crate) farm: FarmOptions,

    #[command(flatten)]
    pub(crate) cover: CoverArguments,
}

/// What a farm does.
#[derive(Debug, Subcommand)]
pub(crate) enum RunCommand {
    /// Measure coverage, as `propcov cover` does (this is what `propcov farm run FILE` does)
    Cover(Box<FarmOf<CoverArguments>>),
    /// Look for cores, as `propcov cores` does
    Cores(Box<FarmOf<CoresArguments>>),
    /// Check properties, as `propcov check` does
    Check(Box<FarmOf<CheckArguments>>),
}

/// Options of the farm, and arguments of what it does.
#[derive(Args, Debug)]
pub(crate) struct FarmOf<A: Args> {
    #[command(flatten)]
    pub(crate) farm: FarmOptions,

    #[command(flatten)]
    pub(crate) asked: A,
}

/// Options that are about the farm.
#[derive(Args, Debug)]
pub(crate) struct FarmOptions {
    /// Who runs jobs
    #[arg(long, value_name = "WHO", default_value = "local", value_parser = ["local", "slurm", "command"], help_heading = FARM)]
    pub(crate) scheduler: String,

    /// With --scheduler local: so many processes at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = FARM)]
    workers: Option<u32>,

    /// With --scheduler slurm: a further option of sbatch (--sbatch=--partition=short); may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, help_heading = FARM)]
    sbatch: Vec<String>,

    /// With --scheduler command: how a job is submitted, with {command}, {job}, {name}, {log}, {memory} (MiB), {minutes} and {threads} replaced. The
    /// first number that it prints is the job's {id}, or the only word
    #[arg(long, value_name = "TEMPLATE", required_if_eq("scheduler", "command"), help_heading = FARM)]
    submit: Option<String>,

    /// Where the {id} is in what --submit prints: a text with {id} in its place, such as 'Job <{id}>'
    #[arg(long, value_name = "TEXT", help_heading = FARM)]
    id: Option<String>,

    /// A command that lists all jobs, each at the beginning of a line; or, with {id} in it, one that says whether this job is waiting, suspended or running: it succeeds, or it
    /// fails without a word. One that fails otherwise has said nothing [default: a job without an end is lost when its time is over]
    #[arg(long, value_name = "TEMPLATE", help_heading = FARM)]
    poll: Option<String>,

    /// A command that ends the job {id}
    #[arg(long, value_name = "TEMPLATE", help_heading = FARM)]
    kill: Option<String>,

    /// How often to go over the shares: what one job finds helps the others in the next round
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=16), help_heading = FARM)]
    pub(crate) rounds: u32,

    /// How much memory a job may use; one that needs more is cut in two [default: 4G for the first job; for the others four times what it needed, at least 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = FARM)]
    pub(crate) job_memory: Option<u64>,

    /// How long a job may take; what it has found by then is kept [default: 1h, or four times what the first job took if that is more]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = FARM)]
    job_time: Option<Duration>,

    /// How many threads a job may use [default: the cores of this machine, divided by --workers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = FARM)]
    pub(crate) job_threads: Option<u32>,

    /// How often to try a job that was lost
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = FARM)]
    pub(crate) tries: u32,

    /// For how long, at most, the first job goes on with what could be shared out [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = FARM)]
    pub(crate) head_start: Option<Duration>,

    /// Begin anew, also where the run directory has a farm with other options. What it has kept is used
    #[arg(long, help_heading = FARM)]
    pub(crate) anew: bool,

    /// The program that jobs run [default: this one, which all machines have to see under the same name]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = FARM)]
    pub(crate) program: Option<PathBuf>,
}

/// The options that are the farm's own, each with a value.
const OWN: &[&str] = &[
    "--scheduler",
    "--workers",
    "--sbatch",
    "--submit",
    "--id",
    "--poll",
    "--kill",
    "--rounds",
    "--job-memory",
    "--job-time",
    "--job-threads",
    "--tries",
    "--program",
    "--head-start",
    "--shards",
    "--out",
];

/// Those without a value.
const OWN_FLAGS: &[&str] = &["--anew"];

/// The command line of one run, without what is about the farm.
pub(crate) fn of_run(command: &str, typed: impl Iterator<Item = String>) -> Vec<String> {
    let mut arguments = vec![command.to_owned()];
    let (mut is_value, mut is_slang) = (false, false);
    for word in typed {
        is_slang |= word == "--";
        let name = word.split('=').next().unwrap_or_default();
        if std::mem::take(&mut is_value) {
            continue;
        } else if !is_slang && OWN.contains(&name) {
            is_value = !word.contains('=');
        } else if is_slang || !OWN_FLAGS.contains(&name) {
            arguments.push(word);
        }
    }
    arguments
}

impl FarmOptions {
    /// Who runs jobs.
    pub(crate) fn scheduler(&self) -> Result<Choice, propcov::Error> {
        let is = |name: &str| self.scheduler == name;
        let wrong = |option: &str, name: &str| {
            Err(propcov::Error::Usage(format!("{option} is for --scheduler {name}, not {}", self.scheduler)))
        };
        match () {
            () if self.workers.is_some() && !is("local") => wrong("--workers", "local"),
            () if !self.sbatch.is_empty() && !is("slurm") => wrong("--sbatch", "slurm"),
            () if [&self.submit, &self.id, &self.poll, &self.kill].iter().any(|one| one.is_some())
                && !is("command") =>
            {
                wrong("--submit, --id, --poll or --kill", "command")
            }
            () if self.id.as_ref().is_some_and(|id| !id.contains("{id}")) => {
                Err(propcov::Error::Usage("--id: expected a text with {id} where the name is".to_owned()))
            }
            () if is("slurm") => Ok(Choice::Slurm { options: self.sbatch.clone() }),
            () if is("command") => Ok(Choice::Command {
                submit: self.submit.clone().unwrap_or_default(),
                id: self.id.clone(),
                poll: self.poll.clone(),
                kill: self.kill.clone(),
            }),
            () => Ok(Choice::Local { workers: self.workers() }),
        }
    }

    /// How many processes of this machine.
    pub(crate) fn workers(&self) -> u32 {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        self.workers.unwrap_or_else(cores)
    }

    /// How many minutes a job may take.
    pub(crate) fn job_minutes(&self) -> Option<u32> {
        self.job_time.map(minutes)
    }
}

/// A time in minutes, at least one.
pub(crate) fn minutes(time: Duration) -> u32 {
    u32::try_from(time.as_secs().div_ceil(60)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::CommandFactory;

    #[test]
    fn what_is_the_farms_own_is_left_out_and_nothing_else() {
        let typed = "a.sv --scheduler slurm --sbatch=--mem=1 --anew -m mutation --shards 8 --out=x --rounds 3 b.sv -- --workers --anew";
        let kept = of_run("cover", typed.split(' ').map(str::to_owned));
        assert_eq!(kept, ["cover", "a.sv", "-m", "mutation", "b.sv", "--", "--workers", "--anew"]);
    }

    #[test]
    fn the_list_of_the_farms_own_options_is_complete() {
        let root = Arguments::command();
        let run =
            root.find_subcommand("farm").and_then(|farm| farm.find_subcommand("run")).expect("a command");
        let longs = |command: &clap::Command| -> Vec<String> {
            command.get_arguments().filter_map(|arg| arg.get_long()).map(|long| format!("--{long}")).collect()
        };
        for name in ["cover", "cores", "check"] {
            let command = longs(root.find_subcommand(name).expect("a command"));
            let farms = [Some(run).filter(|_| name == "cover"), run.find_subcommand(name)];
            for long in farms.into_iter().flatten().flat_map(longs) {
                let is_own = OWN.contains(&long.as_str()) || OWN_FLAGS.contains(&long.as_str());
                assert!(is_own || command.contains(&long), "{long} is neither the farm's nor that of {name}");
                assert!(
                    !(is_own && command.contains(&long)) || ["--shards", "--out"].contains(&long.as_str()),
                    "{long} is both the farm's and that of {name}"
                );
            }
        }
    }
}
