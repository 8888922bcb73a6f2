//! CTL properties by decision diagrams: one checker, and so one set of reachable states, for all of them.
//!
//! The order of work is fixed: first the verdicts, then their evidence, then what makes a verdict worthless. No verdict depends on
//! how long something takes, unless the time is up; evidence by sets of states gets as long as deciding took, and some seconds.

use crate::answer::Answer;
use crate::choice::EngineChoice;
use crate::ctl_evidence::{self, Certifier, Size};
use crate::limits::{budget, part_of_time, stopped, until};
use crate::outcome::Outcome;
use crate::plan::Verdicts;
use crate::verifier::Verifier;
use propcov_budget::Budget;
use propcov_ir::{CtlVerdict, PropertyId, PropertyKind, UnknownReason};
use propcov_symbolic::{Checker, Options, StateCounts, Stats, Subject};
use std::time::Instant;

/// What the checker found out besides verdicts.
#[derive(Debug, Default)]
pub struct Symbolic {
    /// Whether some initial state is fair. Otherwise every CTL property holds.
    pub fair_start: Option<bool>,
    /// Whether some reachable state has no successor.
    pub deadlock: Option<bool>,
    /// Properties `AG (p -> q)` that hold because p never does.
    pub untested: Vec<PropertyId>,
    /// Numbers of states, if they were asked for.
    pub counts: Option<StateCounts>,
    /// What it took.
    pub stats: Stats,
    /// The seconds until the reachable states were known, which no single property has to answer for.
    pub seconds: f64,
    /// Those for verdicts, with the runs that show them, but without any check of them.
    pub verdict_seconds: f64,
    /// Those for the number of transitions, if somebody had to know it.
    pub relation_seconds: f64,
    /// Those for the fair states, as far as verdicts did not need them.
    pub fair_seconds: f64,
    /// What went wrong inside propcov.
    pub internal_errors: Vec<String>,
}

/// Verdicts, and who has more to say.
pub struct Decided<'a> {
    /// What came of the properties.
    pub verdicts: Verdicts,
    /// The checker of CTL properties, with all sets that it has found; or why there is none.
    pub checker: Result<Checker<'a>, UnknownReason>,
}

/// What came of CTL properties.
pub(crate) struct Checked<'a> {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) symbolic: Symbolic,
    pub(crate) checker: Result<Checker<'a>, UnknownReason>,
}

/// How much diagrams may take.
pub(crate) struct Effort {
    /// Not beyond this moment.
    pub(crate) deadline: Option<Instant>,
    /// At most this many ticks until the reachable states are known.
    pub(crate) ticks: Option<u64>,
}

/// Whether a property is one for decision diagrams.
pub(crate) fn is_ctl(verifier: &Verifier<'_>, property: PropertyId) -> bool {
    matches!(verifier.system.property(property).kind, PropertyKind::Ctl(_))
}

/// Decides CTL properties, and certifies as many of the answers as can be. The checker can be asked about the subject as well.
pub(crate) fn decide<'a>(
    verifier: &Verifier<'a>,
    subject: Subject<'_>,
    properties: &[PropertyId],
    effort: &Effort,
) -> Checked<'a> {
    let progress = verifier.progress;
    let start = Instant::now();
    let mut symbolic = Symbolic::default();
    progress.stage("reachable states:".to_owned());
    let limits = until(&verifier.limits, effort.deadline);
    let whole = budget(&limits);
    let first = Budget { interrupt: whole.interrupt.child(), ..whole };
    if let Some(ticks) = effort.ticks {
        first.interrupt.limit_ticks(ticks);
    }
    let built = verifier.panics.guard(|| {
        // Small diagrams are done before anybody looks at the clock.
        stopped(&limits).map_or(Ok(()), Err)?;
        let mut checker = Checker::about(verifier.system, subject, Options::default(), &first, progress)?;
        checker.set_budget(&whole);
        Ok(checker)
    });
    symbolic.seconds = start.elapsed().as_secs_f64();
    symbolic.internal_errors = verifier.panics.take();
    let mut run = Run { verifier, symbolic, checker: None, why: crashed() };
    match built {
        Some(Ok(checker)) => run.checker = Some(checker),
        Some(Err(reason)) => run.why = reason,
        None => run.symbolic.internal_errors.push("the checker of CTL properties crashed".to_owned()),
    }
    let mut outcomes: Vec<Outcome> = Vec::with_capacity(properties.len());
    for (position, property) in properties.iter().enumerate() {
        progress.stage(format!(
            "{}/{} {}:",
            position + 1,
            properties.len(),
            verifier.system.property(*property).name
        ));
        outcomes.push(run.decide(*property));
    }
    progress.stage("checking answers by the reachable states".to_owned());
    let end = ctl_evidence::end(verifier, start.elapsed());
    run.ask(|checker| ctl_evidence::reachable_states(verifier, &mut outcomes, checker, end));
    progress.stage("checking answers by sets of states".to_owned());
    run.certify_by_labels(&mut outcomes, end);
    if outcomes.iter().any(|outcome| outcome.answer.is_decided() && !outcome.certified)
        && let Some(size) = run.size()
    {
        progress.stage("checking answers state by state".to_owned());
        ctl_evidence::recheck(verifier, &mut outcomes, size);
    }
    progress.stage("sanity of CTL properties".to_owned());
    run.look_for_vacuity(&outcomes);
    if verifier.options.with_counts {
        run.symbolic.counts = run.ask(|checker| checker.count_states().ok()).flatten();
    }
    run.symbolic.stats = run.ask(|checker| checker.stats()).unwrap_or_default();
    let Run { symbolic, checker, why, .. } = run;
    Checked { outcomes, symbolic, checker: checker.ok_or(why) }
}

fn crashed() -> UnknownReason {
    UnknownReason::Incomplete("internal error: the checker of CTL properties crashed".to_owned())
}

/// A run of the checker.
struct Run<'r, 'a> {
    verifier: &'r Verifier<'a>,
    symbolic: Symbolic,
    /// Gone when it could not be made, or has crashed.
    checker: Option<Checker<'a>>,
    /// Why it is gone.
    why: UnknownReason,
}

impl<'a> Run<'_, 'a> {
    /// Asks the checker something. It is not asked again after a crash.
    fn ask<T>(&mut self, question: impl FnOnce(&mut Checker<'a>) -> T) -> Option<T> {
        let checker = self.checker.as_mut()?;
        let answer = self.verifier.panics.guard(|| question(checker));
        if answer.is_none() {
            self.checker = None;
            self.why = crashed();
            self.symbolic.internal_errors.extend(self.verifier.panics.take());
        }
        answer
    }

    fn decide(&mut self, property: PropertyId) -> Outcome {
        let start = Instant::now();
        let verdict = match self.ask(|checker| checker.check(property)) {
            Some(verdict) => verdict,
            None => CtlVerdict::Unknown(self.why.clone()),
        };
        self.symbolic.verdict_seconds += start.elapsed().as_secs_f64();
        let mut outcome =
            Outcome { engine: Some(EngineChoice::BDD), ..Outcome::unknown(property, crashed()) };
        outcome.answer = Answer::Ctl(verdict);
        if outcome.answer.is_decided() {
            self.verifier.progress.detail("checking the answer");
            self.certify(&mut outcome);
        }
        outcome.depth = outcome.answer.demonstration().and_then(|_| outcome.answer.depth());
        outcome.note_rejection();
        outcome.internal_errors.extend(self.verifier.panics.take());
        outcome.seconds = start.elapsed().as_secs_f64();
        outcome
    }

    /// How much there is to list.
    fn size(&mut self) -> Option<Size> {
        let clock = Instant::now();
        let size = self.ask(|checker| Size::of(checker)).flatten();
        self.symbolic.relation_seconds = clock.elapsed().as_secs_f64();
        size
    }

    fn certify(&mut self, outcome: &mut Outcome) {
        let certifier = Certifier { verifier: self.verifier, property: outcome.property };
        let clock = Instant::now();
        let answer = std::mem::replace(&mut outcome.answer, Answer::unknown(crashed()));
        match self.verifier.panics.guard(|| certifier.certify(answer)) {
            Some((answer, certified)) => (outcome.answer, outcome.certified) = (answer, certified),
            None => outcome.internal_errors.push("certifying crashed".to_owned()),
        }
        outcome.certify_seconds += clock.elapsed().as_secs_f64();
    }

    /// Certifies by sets of states what is left. Each gets its part of the time, first those that were decided quickly: what they leave
    /// over goes to the others.
    fn certify_by_labels(&mut self, outcomes: &mut [Outcome], end: Instant) {
        let verifier = self.verifier;
        let limits = until(&verifier.limits, Some(end));
        let mut open: Vec<&mut Outcome> =
            outcomes.iter_mut().filter(|outcome| outcome.answer.is_decided() && !outcome.certified).collect();
        open.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        for (left, outcome) in (1..=open.len()).rev().zip(open) {
            let parts = u32::try_from(left).unwrap_or(u32::MAX);
            let deadline = part_of_time(&limits, 1, parts);
            self.ask(|checker| ctl_evidence::labels(verifier, outcome, checker, deadline));
        }
    }

    /// Looks for verdicts that mean nothing.
    fn look_for_vacuity(&mut self, outcomes: &[Outcome]) {
        // A property that fails does so in a fair initial state.
        let fails = outcomes.iter().any(|outcome| outcome.answer.is_falsified());
        let clock = Instant::now();
        self.symbolic.fair_start =
            if fails { Some(true) } else { self.ask(|checker| checker.has_fair_start().ok()).flatten() };
        self.symbolic.fair_seconds = clock.elapsed().as_secs_f64();
        self.symbolic.deadlock = self.ask(|checker| checker.has_deadlock().ok()).flatten();
        if self.symbolic.fair_start != Some(true) {
            return;
        }
        for outcome in outcomes.iter().filter(|outcome| outcome.answer.is_proved()) {
            let met =
                self.ask(|checker| checker.antecedent_is_met(outcome.property).ok()).flatten().flatten();
            if met == Some(false) {
                self.symbolic.untested.push(outcome.property);
            }
        }
    }
}
