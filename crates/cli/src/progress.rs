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
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
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
    /// Good of all, at least and at most, in percent, rounded away from each other. Each mutant that survives may turn out to have no effect, and then it does not count: that is asked afterwards.
    fn interval(&self) -> Option<(f64, f64)> {
        if self.total == 0 {
            return None;
        }
        let hundredths = |count: usize| count as f64 * 10_000.0 / self.total as f64;
        let most = match self.total.saturating_sub(self.bad) {
            most if most > 0 && self.what == "mutants" => self.total,
            most => most,
        };
        Some((hundredths(self.good).floor() / 100.0, hundredths(most).ceil() / 100.0))
    }

    fn words(&self) -> String {
        let word = if self.what == "properties" { "proved" } else { "noticed" };
        let decided = self.good + self.bad;
        let survived = match self.what {
            "mutants" if self.bad > 0 => format!(", {} survived", self.bad),
            _ => String::new(),
        };
        match self.interval() {
            None => String::new(),
            Some((low, high)) if decided == self.total => {
                format!("{} {}: {low:.2} to {high:.2} % {word}{survived}", self.total, self.what)
            }
            Some((low, high)) => {
                format!("{decided} of {} {}: {low:.2} to {high:.2} % {word}{survived}", self.total, self.what)
            }
        }
    }
}

/// Where lines go.
type Out = Box<dyn Fn(&str) + Send + Sync>;

/// Shows progress on standard error. Where that is in lines, a thread sees to it that there is one from time to time, also when nothing is heard; it ends with the run.
pub(crate) struct Progress {
    shown: Arc<Shown>,
    clock: Mutex<Option<Clock>>,
}

/// What is shown, and how.
struct Shown {
    sink: Sink,
    start: Instant,
    deadline: Option<Instant>,
    state: Mutex<State>,
    out: Out,
}

/// A thread that writes a line when none was written for a while.
struct Clock {
    /// When this is gone, it ends.
    running: Sender<()>,
    thread: JoinHandle<()>,
}

impl Clock {
    fn start(shown: Arc<Shown>, silence: Duration) -> Option<Clock> {
        let (running, is_over) = mpsc::channel::<()>();
        let tick = move || {
            let mut wait = silence;
            while is_over.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = shown.tick(silence);
            }
        };
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(tick).ok()?;
        Some(Clock { running, thread })
    }

    fn stop(self) {
        drop(self.running);
        let _ = self.thread.join();
    }
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
        // When writing fails there is nobody left to tell.
        let out = Box::new(|line: &str| {
            let _ = writeln!(std::io::stderr().lock(), "{line}");
        });
        Progress::in_lines(sink, (start, deadline), EVERY, out)
    }

    fn in_lines(
        sink: Sink,
        (start, deadline): (Instant, Option<Instant>),
        silence: Duration,
        out: Out,
    ) -> Progress {
        let is_lines = matches!(sink, Sink::Lines { .. });
        let state = Mutex::new(State { last: Some(start), ..State::default() });
        let shown = Arc::new(Shown { sink, start, deadline, state, out });
        let clock = if is_lines { Clock::start(Arc::clone(&shown), silence) } else { None };
        Progress { shown, clock: Mutex::new(clock) }
    }

    /// Says that it is over, and removes the line from the screen.
    pub(crate) fn finish(&self) {
        self.stop();
        let shown = &self.shown;
        match &shown.sink {
            Sink::Nobody => {}
            Sink::Terminal(bar) => bar.finish_and_clear(),
            Sink::Lines { is_json: true, .. } => {
                let state = shown.state.lock().unwrap_or_else(PoisonError::into_inner);
                (shown.out)(&shown.document(&state, true));
            }
            Sink::Lines { .. } => {}
        }
    }

    fn stop(&self) {
        let clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(clock) = clock {
            clock.stop();
        }
    }

    fn tell(&self, change: impl FnOnce(&mut State)) {
        self.shown.tell(change);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shown {
    /// Writes a line if there was none for so long. Returns how long to wait for the next one.
    fn tick(&self, silence: Duration) -> Duration {
        let Sink::Lines { is_json, .. } = self.sink else { return silence };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let since = state.last.map_or(silence, |last| now.saturating_duration_since(last));
        if since < silence {
            return silence - since;
        }
        state.last = Some(now);
        let line = if is_json { self.document(&state, false) } else { self.line(&state) };
        (self.out)(&line);
        silence
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
                (self.out)(&line);
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
        match &self.shown.sink {
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
        assert_eq!(known(2, 1, 7).words(), "3 of 7 mutants: 28.57 to 100.00 % noticed, 1 survived");
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
        let line = progress.shown.line(&state);
        assert!(
            line.ends_with(
                " s left] mutants: 2 of 4 mutants: 25.00 to 100.00 % noticed, 1 survived; ic3 on p\\u{1b}"
            ),
            "{line}"
        );
        assert!(line.starts_with("[0 s, "), "{line}");
        let document: serde_json::Value =
            serde_json::from_str(&progress.shown.document(&state, false)).expect("JSON");
        assert_eq!((&document["percent"][0], &document["percent"][1]), (&json!(25.0), &json!(100.0)));
        assert_eq!((&document["technique"], &document["done"]), (&json!("ic3"), &json!(false)));
    }

    #[test]
    fn the_interval_contains_the_headline_whatever_turns_out_to_have_no_effect() {
        for total in 1..6_usize {
            for good in 0..=total {
                for bad in 0..=total - good {
                    let (low, high) = known(good, bad, total).interval().expect("there are some");
                    let open = total - good - bad;
                    for late in 0..=open {
                        for without_effect in 0..=total - good - late {
                            let counting = total - without_effect;
                            let headline = (good + late) as f64 * 100.0 / counting.max(1) as f64;
                            assert!(
                                low <= headline && headline <= high,
                                "{good} {bad} {total}: {headline} is not in {low} to {high}"
                            );
                        }
                    }
                }
            }
        }
        let properties = Known { what: "properties", ..known(2, 1, 4) };
        assert_eq!(properties.interval(), Some((50.0, 75.0)));
    }

    #[test]
    fn lines_come_also_when_nothing_is_heard_and_end_with_the_run() {
        for is_json in [false, true] {
            let lines: Arc<Mutex<Vec<String>>> = Arc::default();
            let sink = Sink::Lines { every: Duration::ZERO, is_json };
            let copy = Arc::clone(&lines);
            let out = Box::new(move |line: &str| copy.lock().expect("lines").push(line.to_owned()));
            let start = Instant::now();
            let progress = Progress::in_lines(sink, (start, None), Duration::from_millis(5), out);
            progress.tell(|state| state.begin("mutants:".to_owned()));
            let count = || lines.lock().expect("lines").len();
            while count() < 4 && start.elapsed() < Duration::from_secs(30) {
                std::thread::sleep(Duration::from_millis(1));
            }
            assert!(count() >= 4, "{:?}", lines.lock());
            progress.finish();
            let last = count();
            std::thread::sleep(Duration::from_millis(30));
            assert_eq!(count(), last, "nobody writes when it is over");
            let lines = lines.lock().expect("lines");
            assert!(lines.iter().any(|line| line.contains("mutants")), "{lines:?}");
        }
    }
}
