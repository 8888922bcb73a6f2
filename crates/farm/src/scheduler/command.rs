//! Any other scheduler, by commands that the user gives: LSF, SGE, Kubernetes, GNU parallel.

use super::{Scheduler, Task, ask, line};
use crate::{FarmError, Job};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const NAME: &str = "command";

/// What a job may take beyond its time before it counts as lost, where nobody can be asked.
const GRACE: Duration = Duration::from_secs(120);

/// Commands of a shell.
pub(super) struct Commands {
    submit: String,
    poll: Option<String>,
    kill: Option<String>,
    /// Until when jobs may be alive, where nobody can be asked. Those of another of us begin when we first hear of them.
    until: BTreeMap<String, Instant>,
    longest: Duration,
}

impl Commands {
    pub(super) fn new(submit: String, poll: Option<String>, kill: Option<String>) -> Commands {
        Commands { submit, poll, kill, until: BTreeMap::new(), longest: GRACE }
    }
}

/// A template with its words replaced, each as one word of a shell but for the command, which is several.
fn filled(template: &str, words: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    'next: while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        for (name, value) in words {
            let end = name.len() + 1;
            if rest[1..].starts_with(name) && rest[end..].starts_with('}') {
                text.push_str(value);
                rest = &rest[end + 1..];
                continue 'next;
            }
        }
        text.push('{');
        rest = &rest[1..];
    }
    text.push_str(rest);
    text
}

fn shell(text: &str) -> Result<String, FarmError> {
    ask(NAME, "sh", &["-c".to_owned(), text.to_owned()])
}

impl Scheduler for Commands {
    fn submit(&mut self, tasks: &[Task], _: &[String]) -> Result<Vec<(Job, String)>, FarmError> {
        let mut submitted = Vec::new();
        for task in tasks {
            let words = [
                ("command", line(&task.command)),
                ("name", super::quoted(&task.name)),
                ("log", super::quoted(&task.log.display().to_string())),
                ("memory", (task.memory >> 20).to_string()),
                ("minutes", task.minutes.to_string()),
                ("threads", task.threads.to_string()),
            ];
            let said = match shell(&filled(&self.submit, &words)) {
                Ok(said) => said,
                // Those that were taken are taken.
                Err(_) if !submitted.is_empty() => break,
                Err(error) => return Err(error),
            };
            let word = said.split_whitespace().next_back().unwrap_or("-");
            // LSF writes it in angle brackets.
            let word = word.trim_matches(|c: char| "<>.,;\"'".contains(c));
            // The scheduler may give names to more than one job, or none.
            let id = format!("{}/{word}", task.job.file_name());
            self.longest = Duration::from_secs(60 * u64::from(task.minutes)) + GRACE;
            self.until.insert(id.clone(), Instant::now() + self.longest);
            submitted.push((task.job, id));
        }
        Ok(submitted)
    }

    fn alive(&mut self, ids: &[String]) -> Result<BTreeSet<String>, FarmError> {
        let Some(poll) = &self.poll else {
            let (now, longest) = (Instant::now(), self.longest);
            let mut until = |id: &String| *self.until.entry(id.clone()).or_insert(now + longest);
            return Ok(ids.iter().filter(|id| until(id) > now).cloned().collect());
        };
        let is_there = |id: &&String| shell(&filled(poll, &[("id", super::quoted(named(id)))])).is_ok();
        Ok(ids.iter().filter(is_there).cloned().collect())
    }

    fn cancel(&mut self, ids: &[String]) -> Result<(), FarmError> {
        let Some(kill) = &self.kill else {
            let why = "no command to end jobs is known".to_owned();
            return Err(FarmError::Scheduler { scheduler: NAME.to_owned(), why });
        };
        for id in ids {
            // It may have ended by now.
            let _ = shell(&filled(kill, &[("id", super::quoted(named(id)))]));
        }
        Ok(())
    }

    fn can_wait(&self) -> bool {
        false
    }
}

/// What the scheduler calls a job.
fn named(id: &str) -> &str {
    id.split_once('/').map_or(id, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_replaced_and_everything_else_is_left() {
        let words = [("command", "propcov x".to_owned()), ("id", "7".to_owned())];
        let of = |template: &str| filled(template, &words);
        assert_eq!(of("bsub -M {memory} {command}"), "bsub -M {memory} propcov x");
        assert_eq!(of("awk '{print $1}' {id}{id}"), "awk '{print $1}' 77");
        assert_eq!(of("{comman}{"), "{comman}{");
        // What is put in is not looked at again.
        assert_eq!(filled("{a}", &[("a", "{b}".to_owned()), ("b", "x".to_owned())]), "{b}");
    }
}
