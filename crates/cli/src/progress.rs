//! Progress on a terminal: which property, which engine, how deep.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use propcov_engine::Observer;
use propcov_verify::EngineChoice;
use std::time::Duration;

/// A spinner on standard error; hidden where nobody would see it.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shows progress if asked to.
    pub(crate) fn new(visible: bool) -> Progress {
        if !visible {
            return Progress { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}] {prefix} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress { bar }
    }

    /// Says what is being done.
    pub(crate) fn stage(&self, what: String) {
        self.bar.set_prefix(what);
        self.bar.set_message("");
    }

    /// Says how far it has got; nothing is made where nobody would see it.
    pub(crate) fn message(&self, text: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(text());
        }
    }

    /// Removes the spinner from the screen.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn progress(&self, engine: &'static str, depth: u32) {
        self.message(|| format!("{engine}, depth {depth}"));
    }
}

impl propcov_symbolic::Observer for Progress {
    fn layers(&self, count: usize) {
        self.message(|| format!("{}, layer {count}", EngineChoice::BDD));
    }
}

impl propcov_verify::Progress for Progress {
    fn stage(&self, what: String) {
        Progress::stage(self, what);
    }

    fn detail(&self, what: &str) {
        self.message(|| what.to_owned());
    }

    fn news(&self, line: &str) {
        // `println` keeps out of the way of the spinner, and says nothing where that is hidden.
        self.bar.println(line);
    }
}
