//! What a run shares with whoever started it: how to stop it, and who hears of progress.

use propcov_budget::Interrupt;
use propcov_engine::Limits;
use propcov_result::{Configuration, RunResult};
use propcov_verify::{PanicLog, Progress, Silent, record};
use std::time::{Duration, Instant};

/// The surroundings of a run.
#[derive(Clone)]
pub struct Control<'c> {
    /// Raised to stop the run: it then returns what it has found.
    pub interrupt: Interrupt,
    /// Hears what is being done.
    pub progress: &'c dyn Progress,
    /// Crashes of engines and solvers, which cost an answer and not the run.
    pub panics: PanicLog,
    /// When the run began: time limits count from here.
    pub start: Instant,
    /// How it was started, for the record: the arguments of a command line.
    pub arguments: Vec<String>,
    /// The file that some of the options come from, for the record.
    pub configuration: Option<Configuration>,
}

impl Default for Control<'_> {
    fn default() -> Self {
        Control {
            interrupt: Interrupt::default(),
            progress: &Silent,
            panics: PanicLog::default(),
            start: Instant::now(),
            arguments: Vec::new(),
            configuration: None,
        }
    }
}

impl Control<'_> {
    /// Notes how long a run took that is over now.
    pub(crate) fn finish(&self, result: &mut RunResult) {
        result.run.seconds = record::rounded(self.start.elapsed().as_secs_f64());
    }

    /// The limits of a run that may take so long.
    pub fn limits(&self, timeout: Option<Duration>) -> Limits {
        let mut limits = Limits::default();
        limits.deadline = timeout.and_then(|timeout| self.start.checked_add(timeout));
        limits.interrupt = self.interrupt.clone();
        limits
    }
}
