//! From a question to an analysis: the sanity gate, then the library, and what came of it as verdicts.

use crate::cores::listen::Heard;
use crate::cores::prepare::Subject;
use crate::document;
use crate::document::{finely_rounded, rounded};
use crate::exit::ExitCode;
use crate::progress::Progress;
use crate::report::Verdicts;
use crate::session::Session;
use propcov_coverage::cores::{
    self, Analysis, Found, Goal, Holds, Minimality, Observer, Options, PropertyCores,
};
use propcov_engine::{Config, Limits, Stats};
use propcov_ir::{PropertyId, UnknownReason};
use propcov_verify::{Outcome, Verifier};
use std::collections::BTreeMap;
use std::time::Instant;

/// Everything that a run found out.
pub(crate) struct Study<'d> {
    pub(crate) subject: &'d Subject,
    pub(crate) options: Options,
    pub(crate) seed: u64,
    pub(crate) verdicts: Verdicts<'d>,
    pub(crate) analysis: Analysis,
    /// Why the search ended early, if it did.
    pub(crate) stop: Option<Stop>,
    /// What was printed already.
    pub(crate) heard: Heard,
    /// What went wrong inside, besides what verdicts and properties have.
    pub(crate) internal_errors: Vec<String>,
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Timeout,
    Interrupted,
}

impl Stop {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Stop::Timeout => "the time was up",
            Stop::Interrupted => "the run was interrupted",
        }
    }
}

/// Who proves the properties.
pub(crate) fn verifier<'a>(
    subject: &'a Subject,
    seed: u64,
    limits: Limits,
    progress: &'a Progress,
    session: &Session,
) -> Verifier<'a> {
    let config = Config { seed, ..Config::default() };
    let options = propcov_verify::Options { config, ..propcov_verify::Options::default() };
    Verifier::new(subject.system(), options, limits, progress).with_panics(session.panics.clone())
}

/// Looks for reasons not to trust a verdict.
pub(crate) fn inspect<'d>(subject: &'d Subject, verifier: &Verifier<'_>) -> Verdicts<'d> {
    Verdicts {
        path: &subject.input.path,
        design: &subject.input.design,
        inspection: verifier.inspect(&subject.properties),
        outcomes: Vec::new(),
        symbolic: None,
        seconds: 0.0,
    }
}

/// Has the library look for cores.
pub(crate) fn study<'d>(
    subject: &'d Subject,
    options: Options,
    verifier: &Verifier<'_>,
    mut verdicts: Verdicts<'d>,
    observer: &dyn Observer,
) -> Study<'d> {
    let (panics, limits) = (verifier.panics(), verifier.limits());
    let analysis =
        panics.guard(|| cores::analyse(verifier, &subject.universe, &subject.properties, &options, observer));
    let mut internal_errors = panics.take();
    if analysis.is_none() && internal_errors.is_empty() {
        internal_errors.push("the search for cores crashed".to_owned());
    }
    let analysis = analysis.unwrap_or_default();
    verdicts.outcomes = outcomes(subject, &analysis);
    let stop = if limits.interrupt.is_raised() {
        Some(Stop::Interrupted)
    } else {
        let is_over = |deadline: Instant| Instant::now() >= deadline;
        limits.deadline.is_some_and(is_over).then_some(Stop::Timeout)
    };
    let seed = verifier.options().config.seed;
    Study { subject, options, seed, verdicts, analysis, stop, heard: Heard::default(), internal_errors }
}

/// The verdicts on the properties.
fn outcomes(subject: &Subject, analysis: &Analysis) -> Vec<Outcome> {
    let outcome = |property: &PropertyId| {
        let cores = analysis.properties.iter().find(|cores| cores.property == *property);
        match cores {
            Some(cores) => outcome(subject, cores),
            None => Outcome::unknown(*property, UnknownReason::Incomplete("internal error".to_owned())),
        }
    };
    let mut outcomes: Vec<Outcome> = subject.properties.iter().map(outcome).collect();
    // What was counted for all of them is shown once.
    if let Some(first) = outcomes.first_mut() {
        first.stats = analysis.stats.clone();
    }
    outcomes
}

fn outcome(subject: &Subject, cores: &PropertyCores) -> Outcome {
    let mut outcome = subject.input.honest(cores.outcome.clone());
    outcome.stats = Stats::default();
    (outcome.seconds, outcome.certify_seconds) = (cores.seconds.proof, cores.seconds.certify);
    outcome
}

/// Whether a run that violates the invariant leaves the property open: it does not refute `AG p`, unless every run can go on.
pub(crate) fn is_stray(subject: &Subject, property: PropertyId) -> bool {
    subject.input.strengthened.contains(&property) && !subject.system().is_unconstrained()
}

/// Whether a property was shown to hold, as far as was asked for.
pub(crate) fn is_good(holds: &Holds<'_>) -> bool {
    matches!(holds, Holds::Yes { .. } | Holds::UpTo(_))
}

impl Study<'_> {
    /// Whether what was asked about a property, or about all together, is answered.
    pub(crate) fn is_answered(&self, found: &Found) -> bool {
        let is_known =
            |parts: &Option<cores::Parts>| parts.as_ref().is_some_and(|parts| parts.unknown.is_empty());
        match self.options.goal {
            Goal::One => !found.cores.is_empty(),
            Goal::Minimal => found.cores.iter().any(|core| core.minimal == Minimality::Minimal),
            Goal::Minimum => found.minimum.is_some(),
            Goal::All => found.complete,
            Goal::Must => is_known(&found.must),
            Goal::May => is_known(&found.may),
        }
    }

    /// The same for one property, whose cores may be those of each depth.
    pub(crate) fn is_property_answered(&self, cores: &PropertyCores) -> bool {
        match (self.options.algorithm, self.options.depth) {
            (Some(cores::Algorithm::Bvc), Some(depth)) => {
                let is_open = |core: &cores::Core| matches!(core.minimal, Minimality::Undecided(_));
                let has_open = cores.by_depth.iter().any(|at| is_open(&at.up_to) || is_open(&at.at));
                cores.by_depth.len() as u64 > u64::from(depth) && !has_open
            }
            _ => self.is_answered(&cores.found),
        }
    }

    /// Whether a property holds for a reason that says nothing about the design.
    pub(crate) fn is_vacuous(&self, cores: &PropertyCores) -> bool {
        let mut outcomes = self.verdicts.outcomes.iter();
        let outcome = outcomes.find(|outcome| outcome.property == cores.property);
        let is_said = outcome.is_some_and(|outcome| self.verdicts.is_vacuous(outcome));
        is_good(&cores.holds()) && (is_said || self.verdicts.is_conflicting())
    }

    /// Why not everything is answered that was asked, in words.
    pub(crate) fn shortfall(&self, found: &Found) -> String {
        let mut reasons = Vec::new();
        if found.stopped {
            reasons.push(self.stop.map_or("the search was stopped", Stop::words).to_owned());
        }
        let undecided = undecided(found);
        let checks: usize = undecided.values().sum();
        if checks > 0 {
            let why: Vec<&str> = undecided.keys().map(String::as_str).collect();
            let checks = crate::cover::text::plural(checks, "check", "checks");
            reasons.push(format!("{checks} undecided ({})", why.join("; ")));
        }
        if reasons.is_empty() {
            reasons.push(self.stop.map_or("not everything was decided", Stop::words).to_owned());
        }
        reasons.join(", ")
    }

    /// The exit code that follows from verdicts and cores.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let when = |holds: bool, code: ExitCode| if holds { code } else { ExitCode::Good };
        let of_cores = |cores: &PropertyCores| {
            let is_open = is_good(&cores.holds()) && !self.is_property_answered(cores);
            when(is_open, ExitCode::Undecided)
        };
        let properties = self.analysis.properties.iter();
        let is_open_together = self.analysis.together.as_ref().is_some_and(|found| !self.is_answered(found));
        properties
            .fold(self.verdict_code(), |code, cores| code.and(of_cores(cores)))
            .and(when(is_open_together, ExitCode::Undecided))
            .and(when(!self.internal_errors.is_empty(), ExitCode::Internal))
    }

    /// What the verdicts say. Where bounded cores were asked for, no violation up to the bound is what was wanted.
    fn verdict_code(&self) -> ExitCode {
        let code = self.verdicts.exit_code();
        let is_bounded = |cores: &PropertyCores| matches!(cores.holds(), Holds::UpTo(_));
        let all_good = self.analysis.properties.iter().all(|cores| is_good(&cores.holds()));
        let some_bounded = self.analysis.properties.iter().any(is_bounded);
        if code == ExitCode::Undecided && all_good && some_bounded && !self.verdicts.is_conflicting() {
            return ExitCode::Good;
        }
        code
    }

    /// What it took.
    pub(crate) fn stats_document(&self) -> document::Stats {
        let seconds = |part: fn(&cores::Seconds) -> f64| -> f64 {
            self.analysis.properties.iter().map(|cores| part(&cores.seconds)).sum()
        };
        let all = self.verdicts.total_stats();
        document::Stats {
            proof_seconds: rounded(seconds(|seconds| seconds.proof)),
            certify_seconds: Some(finely_rounded(seconds(|seconds| seconds.certify))),
            cores_seconds: Some(finely_rounded(seconds(|seconds| seconds.cores))),
            solver_calls: all.solver_calls,
            decided_by: all.counts.into_iter().map(|(what, count)| (what.to_owned(), count)).collect(),
            ..document::Stats::default()
        }
    }

    /// What went wrong inside propcov, a line each.
    pub(crate) fn internal_error_text(&self) -> String {
        let own = self.internal_errors.iter().map(|error| format!("internal error: {error}\n"));
        std::iter::once(self.verdicts.internal_errors()).chain(own).collect()
    }
}

/// How many checks have no answer, by reason.
pub(crate) fn undecided(found: &Found) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (_, reason) in &found.undecided {
        let line = reason.to_string().lines().next().unwrap_or_default().to_owned();
        *counts.entry(line).or_default() += 1;
    }
    counts
}
