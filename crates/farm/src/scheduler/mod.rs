//! Who runs jobs: processes of this machine, Slurm, or any command that takes them.

mod command;
mod listing;
mod local;
mod slurm;

pub(crate) use local::started;

use crate::{FarmError, Job};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// Which scheduler, and what it has to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Processes of this machine, so many at once.
    Local {
        /// How many at once.
        workers: u32,
    },
    /// Job arrays of Slurm.
    Slurm {
        /// Further arguments of `sbatch`, for instance `--partition=short`.
        options: Vec<String>,
    },
    /// Commands of a shell, with `{command}`, `{job}`, `{name}`, `{log}`, `{memory}` (in MiB), `{minutes}` and `{threads}` replaced.
    Command {
        /// Takes a job, and prints the name that the scheduler gives it.
        submit: String,
        /// Where in that text the name is: a text with `{id}` in its place. Without it: the first number, or the only word.
        #[serde(default)]
        id: Option<String>,
        /// Lists all jobs, or with `{id}` says something about one. Without it, a job is lost when its time is over.
        poll: Option<String>,
        /// Ends the job `{id}`.
        kill: Option<String>,
    },
}

/// A job as a scheduler sees it.
#[derive(Clone, Debug)]
pub struct Task {
    /// Which one.
    pub job: Job,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it is called in lists of jobs.
    pub name: String,
    /// Where its output goes.
    pub log: PathBuf,
    /// Bytes of memory.
    pub memory: u64,
    /// Minutes.
    pub minutes: u32,
    /// Threads.
    pub threads: u32,
}

/// Who runs jobs.
pub trait Scheduler {
    /// Takes jobs that begin when others have ended, however these ended. May take fewer than it is given: those that it has taken, with the names it knows them by.
    ///
    /// # Errors
    /// When it takes none, and why.
    fn submit(&mut self, tasks: &[Task], after: &[String]) -> Result<Vec<(Job, String)>, FarmError>;

    /// Which of these jobs are waiting or running.
    ///
    /// # Errors
    /// When it cannot be asked at the moment.
    fn alive(&mut self, ids: &[String]) -> Result<BTreeSet<String>, FarmError>;

    /// Ends jobs.
    ///
    /// # Errors
    /// When it cannot be asked to.
    fn cancel(&mut self, ids: &[String]) -> Result<(), FarmError>;

    /// How long to wait before a job that was lost is submitted again; twice as long each time.
    fn pause(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether jobs can be made to wait for others, so that everything can be submitted at once and goes on without us.
    fn can_wait(&self) -> bool;
}

impl Choice {
    /// The scheduler itself.
    pub fn scheduler(&self) -> Box<dyn Scheduler> {
        match self {
            Choice::Local { workers } => Box::new(local::Local::new(*workers)),
            Choice::Slurm { options } => Box::new(slurm::Slurm::new(options.clone())),
            Choice::Command { submit, id, poll, kill } => {
                Box::new(command::Commands::new(submit.clone(), id.clone(), poll.clone(), kill.clone()))
            }
        }
    }
}

/// Runs a program of a scheduler to its end; what it prints.
fn ask(scheduler: &str, program: &str, arguments: &[String]) -> Result<String, FarmError> {
    let failed = |why: String| FarmError::Scheduler { scheduler: scheduler.to_owned(), why };
    let output = output(scheduler, program, arguments)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("{program}: {}: {}", output.status, said.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program of a scheduler, whether it fails or not.
fn output(scheduler: &str, program: &str, arguments: &[String]) -> Result<std::process::Output, FarmError> {
    let failed = |error: std::io::Error| FarmError::Scheduler {
        scheduler: scheduler.to_owned(),
        why: format!("cannot run {program}: {error}"),
    };
    let mut command = std::process::Command::new(program);
    command.args(arguments).stdin(std::process::Stdio::null()).output().map_err(failed)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./=:,%+@".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A command line as a shell reads it.
fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_words_as_they_are() {
        for word in ["a", "", "it's", "a b", "$HOME", "`x`", "\"", "\\", "*", "a\nb", "ü", "--x=y"] {
            let said = ask("sh", "sh", &["-c".to_owned(), format!("printf %s {}", quoted(word))]);
            assert_eq!(said.ok().as_deref(), Some(word));
        }
    }
}
