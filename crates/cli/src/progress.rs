//! Progress that tells: what is decided so far as a narrowing interval, the property and the technique at work, and the time that is left where there is a limit.
//!
//! On a terminal it is one line that stays where it is. Elsewhere, as in the log of a build server, it is a line every few seconds, and programs get a JSON document in each line. All of it goes to standard error:
//! standard output is for results.

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use propcov_engine::Observer;
use propcov_ir::printable;
use propcov_verify::{EngineChoice, SoFar};
use serde_json::json;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a log gets a line.
const EVERY: Duration = Duration::from_secs(5);
/// How often programs get a document.
const DOCUMENTS: Duration = Duration::from_millis(500);

/// How progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Manner {
    /// One line on a terminal; elsewhere a line every five seconds
    #[default]
    Auto,
    /// A JSON document in each line
    Json,
    /// Not at all
    None,
}

/// What is said on standard error.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ProgressArguments {
    /// How to show progress on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Manner::Auto)]
    pub(crate) progress: Manner,

    /// No progress and no warnings on standard error
    #[arg(long, short = 'q')]
    pub(crate) quiet: bool,
}

/// Who looks.
enum Sink {
    Nobody,
    Terminal(ProgressBar),
    /// Lines for people, or documents.
    Lines {
        every: Duration,
        is_json: bool,
    },
}

/// What is known at a moment.
#[derive(Default)]
struct State {
    stage: String,
    detail: String,
    so_far: Option<Known>,
    /// When the last line was written.
    last: Option<Instant>,
}

impl State {
    /// Another stage: what was counted and at work in the one before is not said of this one. Properties are counted on from one to the next, and mutants where it is asked what survivors can do.
    fn begin(&mut self, stage: String) {
        self.detail.clear();
        let is_next = stage.starts_with(|c: char| c.is_ascii_digit()) || stage.starts_with("certifying");
        self.so_far = self
            .so_far
            .take()
            .filter(|known| match known.what {
                "properties" => is_next,
                what => what == "mutants" && stage.starts_with("effects"),
            })
            .map(|known| Known { property: None, technique: None, ..known });
        self.stage = stage;
    }
}

/// A copy of [`SoFar`].
struct Known {
    what: &'static str,
    good: usize,
    bad: usize,
    total: usize,
    property: Option<String>,
    technique: Option<&'static str>,
}

impl Known {
    /// Good of all, at least and at most, in percent, rounded away from each other.
    fn interval(&self) -> Option<(f64, f64)> {
        if self.total == 0 {
            return None;
        }
        let hundredths = |count: usize| count as f64 * 10_000.0 / self.total as f64;
        let most = self.total.saturating_sub(self.bad);
        Some((hundredths(self.good).floor() / 100.0, hundredths(most).ceil() / 100.0))
    }

    fn words(&self) -> String {
        let word = if self.what == "properties" { "proved" } else { "noticed" };
        let decided = self.good + self.bad;
        match self.interval() {
            None => String::new(),
            Some((low, high)) if decided == self.total => {
                format!("{} {}: {low:.2} to {high:.2} % {word}", self.total, self.what)
            }
            Some((low, high)) => {
                format!("{decided} of {} {}: {low:.2} to {high:.2} % {word}", self.total, self.what)
            }
        }
    }
}

/// Shows progress on standard error.
pub(crate) struct Progress {
    sink: Sink,
    start: Instant,
    deadline: Option<Instant>,
    state: Mutex<State>,
}

impl Progress {
    /// Shows progress in a manner, if anybody wants to see it.
    pub(crate) fn new(
        arguments: ProgressArguments,
        is_terminal: bool,
        start: Instant,
        timeout: Option<Duration>,
    ) -> Progress {
        let sink = match (arguments.quiet, arguments.progress, is_terminal) {
            (_, Manner::Json, _) => Sink::Lines { every: DOCUMENTS, is_json: true },
            (true, ..) | (_, Manner::None, _) => Sink::Nobody,
            (false, Manner::Auto, false) => Sink::Lines { every: EVERY, is_json: false },
            (false, Manner::Auto, true) => Sink::Terminal(bar()),
        };
        let deadline = timeout.and_then(|timeout| start.checked_add(timeout));
        Progress { sink, start, deadline, state: Mutex::new(State { last: Some(start), ..State::default() }) }
    }

    /// Says that it is over, and removes the line from the screen.
    pub(crate) fn finish(&self) {
        match &self.sink {
            Sink::Nobody => {}
            Sink::Terminal(bar) => bar.finish_and_clear(),
            Sink::Lines { is_json: true, .. } => {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                self.write(&self.document(&state, true));
            }
            Sink::Lines { .. } => {}
        }
    }

    /// Changes what is known, and tells it where it is time for that.
    fn tell(&self, change: impl FnOnce(&mut State)) {
        if matches!(self.sink, Sink::Nobody) {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        match &self.sink {
            Sink::Nobody => {}
            Sink::Terminal(bar) => {
                // A line is cut at the width of the terminal: the time that is left stands before everything else.
                let left = self.left_words().map(|left| format!("{left}; ")).unwrap_or_default();
                bar.set_prefix(format!("{left}{}", printable(&state.stage)));
                bar.set_message(printable(&self.rest(&state)).to_string());
            }
            Sink::Lines { every, is_json } => {
                let now = Instant::now();
                if state.last.is_some_and(|last| now.saturating_duration_since(last) < *every) {
                    return;
                }
                state.last = Some(now);
                let line = if *is_json { self.document(&state, false) } else { self.line(&state) };
                self.write(&line);
            }
        }
    }

    /// What is known and at work, without the stage.
    fn rest(&self, state: &State) -> String {
        let known = state.so_far.as_ref().map(Known::words);
        let work = state.so_far.as_ref().map(|known| {
            let parts = [known.technique.map(str::to_owned), known.property.clone()];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" on ")
        });
        let parts = [known, work, Some(state.detail.clone())];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }

    fn line(&self, state: &State) -> String {
        let stage = state.stage.trim_end_matches(':');
        let left = self.left_words().map(|left| format!(", {left}")).unwrap_or_default();
        let seconds = self.start.elapsed().as_secs_f64();
        let text = format!("[{seconds:.0} s{left}] {stage}: {}", self.rest(state));
        printable(text.trim_end_matches([':', ' '])).to_string()
    }

    fn document(&self, state: &State, is_over: bool) -> String {
        let known = state.so_far.as_ref();
        let round = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
        let document = json!({
            "progress": "propcov/1",
            "seconds": round(self.start.elapsed().as_secs_f64()),
            "seconds_left": self.left().map(round),
            "stage": state.stage.trim_end_matches(':'),
            "detail": state.detail,
            "of": known.map(|known| known.what),
            "good": known.map(|known| known.good),
            "bad": known.map(|known| known.bad),
            "total": known.map(|known| known.total),
            "percent": known.and_then(Known::interval).map(|(low, high)| [low, high]),
            "property": known.and_then(|known| known.property.clone()),
            "technique": known.and_then(|known| known.technique),
            "done": is_over,
        });
        document.to_string()
    }

    /// The seconds that are left.
    fn left(&self) -> Option<f64> {
        Some(self.deadline?.saturating_duration_since(Instant::now()).as_secs_f64())
    }

    fn left_words(&self) -> Option<String> {
        self.left().map(|left| format!("{left:.0} s left"))
    }

    /// A line on standard error. When that fails there is nobody left to tell.
    fn write(&self, line: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }
}

pub(crate) fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}] {prefix} {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

impl Observer for Progress {
    fn progress(&self, engine: &'static str, depth: u32) {
        self.tell(|state| state.detail = format!("{engine}, depth {depth}"));
    }
}

impl propcov_symbolic::Observer for Progress {
    fn layers(&self, count: usize) {
        self.tell(|state| state.detail = format!("{}, layer {count}", EngineChoice::BDD));
    }
}

impl propcov_verify::Progress for Progress {
    fn stage(&self, what: String) {
        self.tell(|state| {
            state.begin(what);
        });
    }

    fn detail(&self, what: &str) {
        self.tell(|state| what.clone_into(&mut state.detail));
    }

    fn so_far(&self, so_far: &SoFar<'_>) {
        self.tell(|state| {
            state.detail.clear();
            state.so_far = Some(Known {
                what: so_far.what,
                good: so_far.good,
                bad: so_far.bad,
                total: so_far.total,
                property: so_far.property.map(str::to_owned),
                technique: so_far.technique,
            });
        });
    }

    fn news(&self, line: &str) {
        match &self.sink {
            // `println` keeps out of the way of the line that stays.
            Sink::Terminal(bar) => bar.println(line),
            Sink::Nobody | Sink::Lines { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(good: usize, bad: usize, total: usize) -> Known {
        Known { what: "mutants", good, bad, total, property: None, technique: None }
    }

    #[test]
    fn an_interval_narrows_as_more_is_decided() {
        let mut last = (0.0, 100.0);
        for (good, bad) in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 3)] {
            let (low, high) = known(good, bad, 7).interval().expect("there are some");
            assert!(last.0 <= low && low <= high && high <= last.1, "{low} to {high}");
            last = (low, high);
        }
        assert_eq!(known(2, 1, 7).words(), "3 of 7 mutants: 28.57 to 85.72 % noticed");
        assert_eq!(known(0, 0, 0).words(), "");
    }

    #[test]
    fn a_stage_begins_without_the_counts_of_another() {
        let mut state =
            State { so_far: Some(Known { technique: Some("ic3"), ..known(1, 1, 4) }), ..State::default() };
        state.begin("effects:".to_owned());
        let kept = state.so_far.as_ref().map(|known| (known.good, known.technique));
        assert_eq!(kept, Some((1, None)));
        state.begin("certifying:".to_owned());
        assert!(state.so_far.is_none());
        state.so_far = Some(Known { what: "properties", technique: Some("ic3"), ..known(1, 0, 4) });
        state.begin("2/4 p:".to_owned());
        let kept = state.so_far.as_ref().map(|known| (known.good, known.technique));
        assert_eq!(kept, Some((1, None)));
        state.begin("mutants:".to_owned());
        assert!(state.so_far.is_none());
    }

    #[test]
    fn a_log_gets_a_line_with_all_that_is_known_and_a_program_a_document() {
        let arguments = ProgressArguments::default();
        let progress = Progress::new(arguments, false, Instant::now(), Some(Duration::from_secs(100)));
        let state = State {
            stage: "mutants:".to_owned(),
            so_far: Some(Known {
                property: Some("p\u{1b}".to_owned()),
                technique: Some("ic3"),
                ..known(1, 1, 4)
            }),
            ..State::default()
        };
        let line = progress.line(&state);
        assert!(
            line.ends_with(" s left] mutants: 2 of 4 mutants: 25.00 to 75.00 % noticed; ic3 on p\\u{1b}"),
            "{line}"
        );
        assert!(line.starts_with("[0 s, "), "{line}");
        let document: serde_json::Value =
            serde_json::from_str(&progress.document(&state, false)).expect("JSON");
        assert_eq!((&document["percent"][0], &document["percent"][1]), (&json!(25.0), &json!(75.0)));
        assert_eq!((&document["technique"], &document["done"]), (&json!("ic3"), &json!(false)));
    }
}
