//! The arguments of `propcov farm`.

use crate::args::{parse_size, parse_time};
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
    /// Measure coverage on many machines: plan, submit, look after jobs, unite what they find
    #[command(long_about = help::FARM, after_long_help = help::FARM_EXAMPLES)]
    Run(Box<RunArguments>),
    /// Say how far a farm is
    Status(FarmPlace),
    /// Look after a farm again: submit what was lost, unite what is there
    Resume(FarmPlace),
    /// End all jobs of a farm; what they have found is kept
    Cancel(FarmPlace),
    /// Do one job of a farm, on the machine that the scheduler has chosen
    #[command(hide = true)]
    Job {
        /// The directory of the farm
        farm: PathBuf,
        /// The job: 1.3-of-8
        job: String,
    },
}

/// Where a farm is.
#[derive(Args, Debug)]
pub(crate) struct FarmPlace {
    /// The run directory of the result
    #[arg(default_value = DEFAULT_OUT, value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
}

/// The arguments of `propcov farm run`.
#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// Who runs jobs
    #[arg(long, value_name = "WHO", default_value = "local", value_parser = ["local", "slurm", "command"], help_heading = FARM)]
    pub(crate) scheduler: String,

    /// With --scheduler local: so many processes at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = FARM)]
    workers: Option<u32>,

    /// With --scheduler slurm: a further option of sbatch (--sbatch=--partition=short); may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, help_heading = FARM)]
    sbatch: Vec<String>,

    /// With --scheduler command: how a job is submitted, with {command}, {name}, {log}, {memory} (MiB), {minutes} and {threads} replaced; the
    /// last word that it prints is the job's {id}
    #[arg(long, value_name = "TEMPLATE", required_if_eq("scheduler", "command"), help_heading = FARM)]
    submit: Option<String>,

    /// A command that succeeds while the job {id} is waiting or running [default: a job without an end is lost when its time is over]
    #[arg(long, value_name = "TEMPLATE", help_heading = FARM)]
    poll: Option<String>,

    /// A command that ends the job {id}
    #[arg(long, value_name = "TEMPLATE", help_heading = FARM)]
    kill: Option<String>,

    /// How often to go over the shares: what one job finds helps the others in the next round
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=16), help_heading = FARM)]
    pub(crate) rounds: u32,

    /// How much memory a job may use; one that needs more is cut in two
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_size, help_heading = FARM)]
    pub(crate) job_memory: u64,

    /// How long a job may take; what it has found by then is kept
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_time, help_heading = FARM)]
    job_time: Duration,

    /// How many threads a job may use [default: the cores of this machine, divided by --workers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = FARM)]
    pub(crate) job_threads: Option<u32>,

    /// How often to try a job that was lost
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = FARM)]
    pub(crate) tries: u32,

    /// The program that jobs run [default: this one, which all machines have to see under the same name]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = FARM)]
    pub(crate) program: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) cover: CoverArguments,
}

/// The options that are the farm's own, each with a value.
const OWN: &[&str] = &[
    "--scheduler",
    "--workers",
    "--sbatch",
    "--submit",
    "--poll",
    "--kill",
    "--rounds",
    "--job-memory",
    "--job-time",
    "--job-threads",
    "--tries",
    "--program",
    "--shards",
    "--out",
];

/// The command line of one run, without what is about the farm.
pub(crate) fn of_cover(typed: impl Iterator<Item = String>) -> Vec<String> {
    let mut arguments = vec!["cover".to_owned()];
    let (mut is_value, mut is_slang) = (false, false);
    for word in typed {
        is_slang |= word == "--";
        let name = word.split('=').next().unwrap_or_default();
        if std::mem::take(&mut is_value) {
            continue;
        } else if !is_slang && OWN.contains(&name) {
            is_value = !word.contains('=');
        } else {
            arguments.push(word);
        }
    }
    arguments
}

impl RunArguments {
    /// Who runs jobs.
    pub(crate) fn scheduler(&self) -> Result<Choice, propcov::Error> {
        let is = |name: &str| self.scheduler == name;
        let wrong = |option: &str, name: &str| {
            Err(propcov::Error::Usage(format!("{option} is for --scheduler {name}, not {}", self.scheduler)))
        };
        match () {
            () if self.workers.is_some() && !is("local") => wrong("--workers", "local"),
            () if !self.sbatch.is_empty() && !is("slurm") => wrong("--sbatch", "slurm"),
            () if (self.submit.is_some() || self.poll.is_some() || self.kill.is_some()) && !is("command") => {
                wrong("--submit, --poll or --kill", "command")
            }
            () if is("slurm") => Ok(Choice::Slurm { options: self.sbatch.clone() }),
            () if is("command") => Ok(Choice::Command {
                submit: self.submit.clone().unwrap_or_default(),
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
    pub(crate) fn job_minutes(&self) -> u32 {
        u32::try_from(self.job_time.as_secs().div_ceil(60)).unwrap_or(u32::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::CommandFactory;

    #[test]
    fn what_is_the_farms_own_is_left_out_and_nothing_else() {
        let typed = "a.sv --scheduler slurm --sbatch=--mem=1 -m mutation --shards 8 --out=x --rounds 3 b.sv -- --workers";
        let kept = of_cover(typed.split(' ').map(str::to_owned));
        assert_eq!(kept, ["cover", "a.sv", "-m", "mutation", "b.sv", "--", "--workers"]);
    }

    #[test]
    fn the_list_of_the_farms_own_options_is_complete() {
        let root = Arguments::command();
        let farm =
            root.find_subcommand("farm").and_then(|farm| farm.find_subcommand("run")).expect("a command");
        let cover = root.find_subcommand("cover").expect("a command");
        let longs = |command: &clap::Command| -> Vec<String> {
            command.get_arguments().filter_map(|arg| arg.get_long()).map(|long| format!("--{long}")).collect()
        };
        let of_cover = longs(cover);
        for long in longs(farm) {
            let is_own = OWN.contains(&long.as_str());
            assert!(is_own || of_cover.contains(&long), "{long} is neither the farm's nor cover's");
            assert!(
                !(is_own && of_cover.contains(&long)) || ["--shards", "--out"].contains(&long.as_str()),
                "{long} is both"
            );
        }
    }
}
