//! Processes of this machine. They go on when whoever started them ends.

use super::{Scheduler, Task};
use crate::files::failed;
use crate::{FarmError, Job};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How long to wait before a process that was lost is started again.
const PAUSE: Duration = Duration::from_millis(100);

/// So many processes at once.
pub(super) struct Local {
    workers: usize,
    /// Those that were started here, by name.
    children: Vec<(String, Child)>,
    /// How many were running when somebody last asked.
    running: usize,
}

impl Local {
    pub(super) fn new(workers: u32) -> Local {
        Local { workers: (workers as usize).max(1), children: Vec::new(), running: 0 }
    }

    fn start(&mut self, task: &Task) -> Result<String, FarmError> {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(&task.log);
        let log = log.and_then(|file| Ok((file.try_clone()?, file)));
        let (output, errors) = log.map_err(|error| failed(&task.log, "write", error))?;
        let [program, arguments @ ..] = task.command.as_slice() else {
            return Err(FarmError::Scheduler { scheduler: "local".to_owned(), why: "no command".to_owned() });
        };
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            // Ctrl-C is not for it.
            .process_group(0)
            .spawn()
            .map_err(|error| cannot_run(program, error))?;
        let id = format!("{}@{}", child.id(), started(child.id()).unwrap_or_default());
        self.children.push((id.clone(), child));
        self.running += 1;
        Ok(id)
    }

    /// Whether a process is there. One that has ended is taken note of.
    fn is_alive(&mut self, id: &str) -> bool {
        if let Some((_, child)) = self.children.iter_mut().find(|(known, _)| known == id) {
            return matches!(child.try_wait(), Ok(None));
        }
        // Of another of us. Its number may have been given to somebody else since.
        let parts =
            id.split_once('@').and_then(|(process, start)| Some((process.parse::<u32>().ok()?, start)));
        parts.is_some_and(|(process, start)| started(process).as_deref() == Some(start))
    }
}

/// That a program cannot be started: now, or at all.
fn cannot_run(program: &str, error: io::Error) -> FarmError {
    /// It is neither a program nor a script.
    const NO_PROGRAM: i32 = 8;
    let is_for_ever =
        matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::NotADirectory)
            || error.raw_os_error() == Some(NO_PROGRAM);
    match is_for_ever {
        true => FarmError::Program { path: program.into(), error },
        false => FarmError::Scheduler {
            scheduler: "local".to_owned(),
            why: format!("cannot run {program}: {error}"),
        },
    }
}

/// When a process was started, in whatever units; `None` if it is not there, or has ended.
pub(crate) fn started(process: u32) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program may have blanks and brackets in it.
    let mut fields = status.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    (state != "Z" && state != "X").then(|| fields.nth(18).map(str::to_owned)).flatten()
}

impl Scheduler for Local {
    fn submit(&mut self, tasks: &[Task], _: &[String]) -> Result<Vec<(Job, String)>, FarmError> {
        let free = self.workers.saturating_sub(self.running);
        let mut started = Vec::new();
        for task in tasks.iter().take(free) {
            match self.start(task) {
                Ok(id) => started.push((task.job, id)),
                // Those that were started are.
                Err(_) if !started.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(started)
    }

    fn alive(&mut self, ids: &[String]) -> Result<BTreeSet<String>, FarmError> {
        let alive: BTreeSet<String> = ids.iter().filter(|id| self.is_alive(id)).cloned().collect();
        // Also those that nobody asks about any more.
        self.children.retain_mut(|(_, child)| matches!(child.try_wait(), Ok(None)));
        self.running = alive.len().max(self.children.len());
        Ok(alive)
    }

    fn cancel(&mut self, ids: &[String]) -> Result<(), FarmError> {
        for id in ids {
            let process = id.split('@').next().unwrap_or_default();
            if self.is_alive(id) {
                // With all that it has started: each has a group of its own. It may have ended by now.
                let group = format!("-{process}");
                let _ = Command::new("kill").args(["-TERM", "--", &group]).stderr(Stdio::null()).status();
            }
        }
        Ok(())
    }

    fn pause(&self) -> Duration {
        PAUSE
    }

    fn can_wait(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn task(room: &std::path::Path, command: &[&str]) -> Task {
        Task {
            job: Job { stage: 1, index: 1, count: 1 },
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            name: "propcov-1".to_owned(),
            log: room.join("log"),
            memory: 1 << 30,
            minutes: 1,
            threads: 1,
        }
    }

    #[test]
    fn whoever_ends_a_job_ends_what_it_has_started() {
        let room = tempfile::tempdir().expect("a directory");
        let mut local = Local::new(1);
        let script = "sleep 1000 & echo $!; wait";
        let submitted = local.submit(&[task(room.path(), &["sh", "-c", script])], &[]).expect("started");
        let start = Instant::now();
        let child = loop {
            let text = std::fs::read_to_string(room.path().join("log")).unwrap_or_default();
            match text.trim().parse::<u32>() {
                Ok(process) if text.ends_with('\n') => break process,
                _ => assert!(start.elapsed() < Duration::from_secs(60), "it does not start"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(started(child).is_some(), "it sleeps");
        local.cancel(&[submitted[0].1.clone()]).expect("asked");
        while started(child).is_some() {
            assert!(start.elapsed() < Duration::from_secs(60), "it goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error_for_ever() {
        let room = tempfile::tempdir().expect("a directory");
        let plain = room.path().join("plain");
        std::fs::write(&plain, "text").expect("written");
        for program in ["/no/such/program", &plain.display().to_string()] {
            let error = Local::new(1).submit(&[task(room.path(), &[program])], &[]).expect_err("no program");
            assert!(matches!(error, FarmError::Program { .. }), "{error}");
        }
    }
}
