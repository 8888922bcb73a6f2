//! Any other scheduler, by commands that the user gives: LSF, SGE, Kubernetes, GNU parallel.

use super::listing::{self, Said, Standing};
use super::{Scheduler, Task, ask, line};
use crate::{FarmError, Job};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const NAME: &str = "command";

/// What a job may take beyond its time before it counts as lost, where nobody can be asked.
const GRACE: Duration = Duration::from_secs(120);

/// How long to wait before a job that was lost is submitted again.
const PAUSE: Duration = Duration::from_secs(2);

/// Commands of a shell.
pub(super) struct Commands {
    submit: String,
    id: Option<String>,
    poll: Option<String>,
    kill: Option<String>,
    /// Until when jobs may be alive, where nobody can be asked. Those of another of us begin when we first hear of them.
    until: BTreeMap<String, Instant>,
    longest: Duration,
}

impl Commands {
    pub(super) fn new(
        submit: String,
        id: Option<String>,
        poll: Option<String>,
        kill: Option<String>,
    ) -> Commands {
        Commands { submit, id, poll, kill, until: BTreeMap::new(), longest: GRACE }
    }

    /// What the scheduler calls a job that it has taken.
    fn name(&self, said: &str) -> Result<String, FarmError> {
        if let Some(name) = listing::name(said, self.id.as_deref()) {
            return Ok(name);
        }
        // Where nobody asks about it, it needs no name.
        if self.poll.is_none() && self.kill.is_none() {
            return Ok("-".to_owned());
        }
        let said = said.trim();
        let why = match &self.id {
            Some(pattern) => format!("--submit: expected `{pattern}` in what it prints, not `{said}`"),
            None => {
                format!("--submit: expected the number of a job in what it prints, not `{said}`. Try: --id")
            }
        };
        Err(FarmError::Scheduler { scheduler: NAME.to_owned(), why })
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
                ("job", task.job.file_name()),
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
            // The scheduler may give one name to more than one job, or none.
            let id = format!("{}/{}", task.job.file_name(), self.name(&said)?);
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
        if ids.is_empty() {
            return Ok(BTreeSet::new());
        }
        // A list of all jobs, or an answer about each.
        let is_list = !poll.contains("{id}");
        let (mut all, mut alive, mut unanswered) = (None, BTreeSet::new(), None);
        for id in ids {
            let said = match (is_list, all.take()) {
                (true, Some(said)) => said,
                _ => said(&filled(poll, &[("id", super::quoted(named(id)))]))?,
            };
            let standing =
                if is_list { listing::in_list(named(id), &said) } else { listing::alone(named(id), &said) };
            if standing != Standing::Gone {
                alive.insert(id.clone());
            }
            if standing == Standing::Unknown {
                unanswered = Some(format!("--poll: {}", said.words()));
            }
            all = Some(said);
        }
        match unanswered {
            // Nobody knows anything.
            Some(why) if alive.len() == ids.len() => {
                Err(FarmError::Scheduler { scheduler: NAME.to_owned(), why })
            }
            _ => Ok(alive),
        }
    }

    fn pause(&self) -> Duration {
        PAUSE
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

/// What somebody says who is asked about jobs.
fn said(text: &str) -> Result<Said, FarmError> {
    let output = super::output(NAME, "sh", &["-c".to_owned(), text.to_owned()])?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Said { code: output.status.code(), output: text(&output.stdout), errors: text(&output.stderr) })
}

impl Said {
    /// What went wrong, in a line.
    fn words(&self) -> String {
        let said = self.errors.lines().chain(self.output.lines()).find(|line| !line.trim().is_empty());
        let code = self.code.map_or_else(|| "a signal".to_owned(), |code| format!("code {code}"));
        format!(
            "it ended with {code} and said {}",
            said.map_or("nothing".to_owned(), |said| format!("`{}`", said.trim()))
        )
    }
}

/// What the scheduler calls a job.
fn named(id: &str) -> &str {
    id.split_once('/').map_or(id, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(poll: &str, ids: &[&str]) -> Result<Vec<String>, String> {
        let mut commands = Commands::new(String::new(), None, Some(poll.to_owned()), None);
        let ids: Vec<String> = ids.iter().map(|id| format!("1.1-of-2/{id}")).collect();
        let alive = commands.alive(&ids).map_err(|error| error.to_string())?;
        Ok(alive.iter().map(|id| named(id).to_owned()).collect())
    }

    #[test]
    fn whoever_cannot_be_asked_has_lost_nothing() {
        assert_eq!(
            asks("printf '7 me RUN\\n9 me PSUSP\\n'", &["7", "8", "9"]),
            Ok(vec!["7".into(), "9".into()])
        );
        assert_eq!(asks("test {id} = 7", &["7", "8"]), Ok(vec!["7".to_owned()]));
        // One answer of two: the other one may be alive.
        let one = "if [ {id} = 7 ]; then echo 'LIM is down' >&2; exit 255; else exit 1; fi";
        assert_eq!(asks(one, &["7", "8"]), Ok(vec!["7".to_owned()]));
        let error = asks("echo 'LIM is down' >&2; exit 255", &["7"]).expect_err("no answer");
        assert!(error.contains("code 255 and said `LIM is down`"), "{error}");
        let error = asks("no-such-program-anywhere {id}", &["7"]).expect_err("no answer");
        assert!(error.contains("code 127"), "{error}");
        assert_eq!(asks("false", &[]), Ok(Vec::new()));
    }

    #[test]
    fn a_scheduler_that_says_no_name_is_told_at_once() {
        let task = Task {
            job: Job { stage: 1, index: 2, count: 3 },
            command: vec!["true".to_owned()],
            name: "propcov-1".to_owned(),
            log: "log".into(),
            memory: 1 << 30,
            minutes: 1,
            threads: 1,
        };
        let submit = |text: &str, id: Option<&str>| {
            let (id, poll) = (id.map(str::to_owned), Some("true".to_owned()));
            let mut commands = Commands::new(text.to_owned(), id, poll, None);
            let taken = commands.submit(std::slice::from_ref(&task), &[]);
            taken.map(|taken| named(&taken[0].1).to_owned()).map_err(|error| error.to_string())
        };
        let bsub = "echo 'Job <123> is submitted to default queue <normal>.'";
        assert_eq!(submit(bsub, None).as_deref(), Ok("123"));
        assert_eq!(submit("echo pod/propcov-{job} created", None).as_deref(), Ok("pod/propcov-1.2-of-3"));
        assert_eq!(submit("echo job no. a7, thanks", Some("no. {id},")).as_deref(), Ok("a7"));
        let error = submit("echo taken, thanks", None).expect_err("no name");
        assert!(error.contains("expected the number of a job") && error.contains("taken, thanks"), "{error}");
    }

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
