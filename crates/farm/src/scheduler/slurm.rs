//! Slurm: a job array for each stage, which waits for the one before it.

use super::{Scheduler, Task, ask, line};
use crate::{FarmError, Job};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const NAME: &str = "slurm";

/// Into how many arrays the jobs of a round are put, and how many jobs are not worth more than one.
const ARRAYS: usize = 4;
const SMALLEST: usize = 8;

/// Slurm takes no larger indices than this one, unless somebody has set `MaxArraySize`.
const LARGEST: u32 = 1000;

/// How long to wait before a job that was lost is submitted again.
const PAUSE: Duration = Duration::from_secs(2);

/// `sbatch`, `squeue` and `scancel`.
pub(super) struct Slurm {
    options: Vec<String>,
}

impl Slurm {
    pub(super) fn new(options: Vec<String>) -> Slurm {
        Slurm { options }
    }

    /// Submits shares of the same size as one array. The index of a job in it is the share's number, less what stands before the array.
    fn submit_array(
        &self,
        (count, before): (u32, u32),
        tasks: &[&Task],
        after: &[String],
    ) -> Result<Vec<(Job, String)>, FarmError> {
        let Some(first) = tasks.first() else { return Ok(Vec::new()) };
        let index = |task: &Task| task.job.index - before;
        let numbers: Vec<String> = tasks.iter().map(|task| index(task).to_string()).collect();
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
            format!("--output={}", log_pattern(first, (count, before))),
        ];
        if !after.is_empty() {
            let arrays: BTreeSet<&str> = after.iter().map(|id| id.split('_').next().unwrap_or(id)).collect();
            let arrays: Vec<&str> = arrays.into_iter().collect();
            // However they end: what is missing is done in a later round.
            arguments.push(format!("--dependency=afterany:{}", arrays.join(":")));
        }
        arguments.extend(self.options.iter().cloned());
        arguments.push(format!("--wrap=exec {}", pattern(first, (count, before))));
        let said = ask(NAME, "sbatch", &arguments)?;
        // With several clusters, the name of one follows.
        let array = said.trim().split(';').next().unwrap_or_default().to_owned();
        if array.is_empty() || !array.bytes().all(|byte| byte.is_ascii_digit()) {
            let why = format!("sbatch: expected the number of a job, not `{}`", said.trim());
            return Err(FarmError::Scheduler { scheduler: NAME.to_owned(), why });
        }
        Ok(tasks.iter().map(|task| (task.job, format!("{array}_{}", index(task)))).collect())
    }
}

/// The command of all jobs of an array: the last word names the job.
fn pattern(task: &Task, (count, before): (u32, u32)) -> String {
    let (_, command) = task.command.split_last().map_or(("", &[][..]), |(last, rest)| (last.as_str(), rest));
    let (command, stage) = (line(command), task.job.stage);
    if before == 0 {
        return format!("{command} {stage}.${{SLURM_ARRAY_TASK_ID}}-of-{count}");
    }
    // Slurm cannot name the log after the share, so that the job does.
    let (directory, name) =
        (log_directory(task), format!("{stage}.$((SLURM_ARRAY_TASK_ID + {before}))-of-{count}"));
    format!("{command} {name} >>{}/{name}.log 2>&1", super::quoted(&directory))
}

fn log_pattern(task: &Task, (count, before): (u32, u32)) -> String {
    let (directory, stage) = (log_directory(task).replace('%', "%%"), task.job.stage);
    match before {
        0 => format!("{directory}/{stage}.%a-of-{count}.log"),
        before => format!("{directory}/{stage}.{before}+%a-of-{count}.slurm.log"),
    }
}

fn log_directory(task: &Task) -> String {
    task.log.parent().map(|path| path.display().to_string()).unwrap_or_default()
}

/// What stands before the array that a share belongs to.
fn before(task: &Task) -> u32 {
    task.job.index.saturating_sub(1) / LARGEST * LARGEST
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
                let mut arrays: BTreeMap<u32, Vec<&Task>> = BTreeMap::new();
                part.iter().for_each(|task| arrays.entry(before(task)).or_default().push(task));
                for (before, array) in arrays {
                    match self.submit_array((count, before), &array, after) {
                        Ok(taken) => submitted.extend(taken),
                        // Those that were taken are taken.
                        Err(_) if !submitted.is_empty() => return Ok(submitted),
                        Err(error) => return Err(error),
                    }
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

    fn pause(&self) -> Duration {
        PAUSE
    }

    fn can_wait(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_array_name_its_shares_whatever_their_numbers() {
        let room = tempfile::tempdir().expect("a directory");
        let log = room.path().join("a log");
        std::fs::create_dir(&log).expect("made");
        for (index, expected) in [(1, 0), (1000, 0), (1001, 1000), (2500, 2000)] {
            let job = Job { stage: 2, index, count: 4000 };
            let task = Task {
                job,
                command: ["echo", "farm job", &job.file_name()].map(str::to_owned).to_vec(),
                name: "propcov-2".to_owned(),
                log: log.join(format!("{}.log", job.file_name())),
                memory: 1 << 30,
                minutes: 1,
                threads: 1,
            };
            let before = before(&task);
            assert_eq!(before, expected);
            assert!((1..=LARGEST).contains(&(index - before)));
            let wrapped = pattern(&task, (4000, before));
            let text = format!("SLURM_ARRAY_TASK_ID={}; {wrapped}", index - before);
            let mut said = ask("sh", "sh", &["-c".to_owned(), text]).expect("a shell");
            if before > 0 {
                said = std::fs::read_to_string(&task.log).expect("the log of the share");
            }
            assert_eq!(said, format!("farm job 2.{index}-of-4000\n"));
        }
    }
}
