//! Slurm: a job array for each stage, which waits for the one before it.

use super::{Scheduler, Task, ask, line};
use crate::{FarmError, Job};
use std::collections::{BTreeMap, BTreeSet};

const NAME: &str = "slurm";

/// Into how many arrays the jobs of a round are put, and how many jobs are not worth more than one.
const ARRAYS: usize = 4;
const SMALLEST: usize = 8;

/// `sbatch`, `squeue` and `scancel`.
pub(super) struct Slurm {
    options: Vec<String>,
}

impl Slurm {
    pub(super) fn new(options: Vec<String>) -> Slurm {
        Slurm { options }
    }

    /// Submits shares of the same size as one array.
    fn submit_array(
        &self,
        count: u32,
        tasks: &[&Task],
        after: &[String],
    ) -> Result<Vec<(Job, String)>, FarmError> {
        let Some(first) = tasks.first() else { return Ok(Vec::new()) };
        let numbers: Vec<String> = tasks.iter().map(|task| task.job.index.to_string()).collect();
        let mut arguments: Vec<String> = vec![
            "--parsable".to_owned(),
            format!("--job-name={}", first.name),
            format!("--array={}", numbers.join(",")),
            format!("--mem={}M", first.memory >> 20),
            format!("--time={}", first.minutes),
            format!("--cpus-per-task={}", first.threads),
            // A job that is lost is ours to submit again: we know whether it has to be.
            "--no-requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--output={}", log_pattern(first, count)),
        ];
        if !after.is_empty() {
            let arrays: BTreeSet<&str> = after.iter().map(|id| id.split('_').next().unwrap_or(id)).collect();
            let arrays: Vec<&str> = arrays.into_iter().collect();
            // However they end: what is missing is done in a later round.
            arguments.push(format!("--dependency=afterany:{}", arrays.join(":")));
        }
        arguments.extend(self.options.iter().cloned());
        arguments.push(format!("--wrap=exec {}", pattern(first, count)));
        let said = ask(NAME, "sbatch", &arguments)?;
        // With several clusters, the name of one follows.
        let array = said.trim().split(';').next().unwrap_or_default().to_owned();
        if array.is_empty() || !array.bytes().all(|byte| byte.is_ascii_digit()) {
            let why = format!("sbatch: expected the number of a job, not `{}`", said.trim());
            return Err(FarmError::Scheduler { scheduler: NAME.to_owned(), why });
        }
        Ok(tasks.iter().map(|task| (task.job, format!("{array}_{}", task.job.index))).collect())
    }
}

/// The command of all jobs of an array: the last word names the job.
fn pattern(task: &Task, count: u32) -> String {
    let (_, command) = task.command.split_last().map_or(("", &[][..]), |(last, rest)| (last.as_str(), rest));
    format!("{} {}.${{SLURM_ARRAY_TASK_ID}}-of-{count}", line(command), task.job.stage)
}

fn log_pattern(task: &Task, count: u32) -> String {
    let directory = task.log.parent().map(|path| path.display().to_string()).unwrap_or_default();
    format!("{}/{}.%a-of-{count}.log", directory.replace('%', "%%"), task.job.stage)
}

impl Scheduler for Slurm {
    fn submit(&mut self, tasks: &[Task], after: &[String]) -> Result<Vec<(Job, String)>, FarmError> {
        let mut arrays: BTreeMap<(u32, u32), Vec<&Task>> = BTreeMap::new();
        for task in tasks {
            arrays.entry((task.job.stage, task.job.count)).or_default().push(task);
        }
        let mut submitted = Vec::new();
        for ((_, count), tasks) in arrays {
            // Tasks of an array are begun in the order of their numbers, arrays in the order in which they come: those at the front, which are large, come in arrays of their own.
            for part in tasks.chunks(tasks.len().div_ceil(ARRAYS).max(SMALLEST)) {
                match self.submit_array(count, part, after) {
                    Ok(taken) => submitted.extend(taken),
                    // Those that were taken are taken.
                    Err(_) if !submitted.is_empty() => return Ok(submitted),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(submitted)
    }

    fn alive(&mut self, ids: &[String]) -> Result<BTreeSet<String>, FarmError> {
        if ids.is_empty() {
            return Ok(BTreeSet::new());
        }
        // All of ours, and not these only: of those that it has forgotten, it says that they are invalid.
        let arguments = ["--me", "--array", "--noheader", "--format=%F_%K"].map(str::to_owned);
        let said = ask(NAME, "squeue", &arguments)?;
        let known: BTreeSet<&str> = said.split_whitespace().collect();
        Ok(ids.iter().filter(|id| known.contains(id.as_str())).cloned().collect())
    }

    fn cancel(&mut self, ids: &[String]) -> Result<(), FarmError> {
        if ids.is_empty() {
            return Ok(());
        }
        ask(NAME, "scancel", ids).map(|_| ())
    }

    fn can_wait(&self) -> bool {
        true
    }
}
