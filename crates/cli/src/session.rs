//! What a run shares with the world around it: the two output streams, the terminal, Ctrl-C and panics.

use crate::args::MemoryArguments;
use crate::config::Plan;
use crate::exit::ExitCode;
use crate::output::Held;
use propcov::Control;
use propcov::report::terminal::Style;
use propcov_budget::{Budget, Interrupt, MemoryWatch, Stop, default_cap};
use propcov_verify::PanicLog;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A reader that does not stop within a few times this is stopped.
const PATIENCE: Duration = Duration::from_millis(150);

/// Narrower than this is no window, but a mistake.
const NARROW: usize = 40;

/// The surroundings of a run.
pub(crate) struct Session {
    /// Raised by Ctrl-C.
    pub(crate) interrupt: Interrupt,
    /// Ends the process on the spot, for a second Ctrl-C and for what cannot be stopped otherwise.
    pub(crate) end_now: fn() -> !,
    /// Panics of all threads.
    pub(crate) panics: PanicLog,
    /// Who is looking.
    pub(crate) terminal: Terminal,
    /// Who watches the memory.
    pub(crate) memory: Option<MemoryWatch>,
    /// Whether Ctrl-C is caught.
    pub(crate) is_catching: bool,
    /// What is run, beyond the options: waivers, and the file that options come from.
    pub(crate) plan: Plan,
    /// Where runs of this command have kept their results.
    pub(crate) kept: Vec<PathBuf>,
    /// Results that are printed as one document when all designs are done.
    pub(crate) held: Vec<Held>,
    /// The command line, for the record.
    pub(crate) typed: Vec<String>,
}

/// Whether people look at the output directly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    /// Whether standard error is a terminal.
    pub(crate) stderr: bool,
    style: Style,
}

impl Terminal {
    /// Asks the system. A pipe has 80 columns and no colours.
    pub(crate) fn detect() -> Terminal {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        // https://no-color.org: any value but the empty one.
        let is_plain = is_set("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let stdout = console::Term::stdout();
        let mut style = Style::default();
        if io::stdout().is_terminal() {
            style.colour = !is_plain;
            style.width =
                stdout.size_checked().map_or(style.width, |(_, width)| usize::from(width).max(NARROW));
        }
        Terminal { stderr: io::stderr().is_terminal(), style }
    }

    /// How text on standard output is to look.
    pub(crate) fn style(self) -> Style {
        self.style
    }
}

impl Session {
    /// What the library needs to know of the surroundings.
    pub(crate) fn control<'c>(&self, progress: &'c dyn propcov::Progress, start: Instant) -> Control<'c> {
        let arguments = self.typed.clone();
        let (interrupt, panics) = (self.interrupt.clone(), self.panics.clone());
        let configuration = self.plan.configuration.clone();
        Control { interrupt, progress, panics, start, arguments, configuration }
    }

    /// From now on the memory is watched. Returns what the whole run may spend, reading included.
    pub(crate) fn limit(
        &mut self,
        start: Instant,
        timeout: Option<Duration>,
        memory: MemoryArguments,
    ) -> Budget {
        self.memory = memory.memory.or_else(default_cap).map(|cap| MemoryWatch::start(cap, &self.interrupt));
        let deadline = timeout.and_then(|timeout| start.checked_add(timeout));
        Budget { conflicts: None, deadline, interrupt: self.interrupt.clone() }
    }

    /// Reads something within a budget. Readers look at it themselves; should one not, then the process ends, for nothing is known yet that could be lost.
    pub(crate) fn reading<T>(&self, name: &str, budget: &Budget, read: impl FnOnce() -> T) -> T {
        let (end_now, name, budget) = (self.end_now, propcov_ir::printable(name).to_string(), budget.clone());
        let (done, is_done) = mpsc::channel::<()>();
        let watch = move || {
            let mut late = 0;
            while is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                late = if budget.is_exhausted() { late + 1 } else { 0 };
                if late > 3 {
                    let stop = budget.stop().unwrap_or(Stop::Timeout);
                    let text = format!("error: {}\n", propcov::Error::Stopped { path: name, stop });
                    let _ = io::stderr().lock().write_all(text.as_bytes());
                    end_now();
                }
            }
        };
        let watcher = std::thread::Builder::new().name("reading".to_owned()).spawn(watch);
        let result = read();
        drop(done);
        if let Ok(watcher) = watcher {
            let _ = watcher.join();
        }
        result
    }

    /// From now on the first Ctrl-C (or SIGTERM) stops the search and lets the run report, and the second ends the process. Called once
    /// the input has been read: until then there is nothing to report, and Ctrl-C ends the process as usual.
    pub(crate) fn catch_interrupts(&mut self) {
        if std::mem::replace(&mut self.is_catching, true) {
            return;
        }
        let (interrupt, end_now) = (self.interrupt.clone(), self.end_now);
        let handler = move || {
            if interrupt.is_cancelled() {
                end_now();
            }
            interrupt.raise();
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            self.complain(&format!("warning: Ctrl-C will lose results: {error}\n"));
        }
    }

    /// Writes results to standard output. A reader that has gone away is no error of ours.
    pub(crate) fn print(&mut self, text: &str) -> ExitCode {
        self.write(|stdout| stdout.write_all(text.as_bytes()))
    }

    /// The same for what writes itself.
    pub(crate) fn write(&mut self, what: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> ExitCode {
        let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        match what(&mut stdout).and_then(|()| stdout.flush()) {
            Ok(()) => ExitCode::Good,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::Good,
            Err(error) => {
                self.complain(&format!("error: cannot write to standard output: {error}\n"));
                ExitCode::BadInput
            }
        }
    }

    /// Writes to standard error. When that fails there is nobody left to tell.
    pub(crate) fn complain(&mut self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Writes something to standard error that the user may have asked not to see.
    pub(crate) fn remark(&mut self, quiet: bool, text: &str) {
        if !quiet {
            self.complain(text);
        }
    }
}
