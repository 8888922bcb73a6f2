//! `propcov cover --metric state` and `--metric transition`: where is the value of a signal checked? [`cover`] is the list of steps.
//!
//! The checker that decides the properties is the one that measures them: what it has found out is not found out again.

pub(crate) mod arguments;
mod document;
mod evidence;
mod holes_text;
mod measure;
pub(crate) mod observed;
mod prepare;
mod runs;
pub(crate) mod share;
#[cfg(test)]
mod tests;
mod text;
mod verdicts;

use crate::cover::arguments::CoverArguments;
use crate::exit::ExitCode;
use crate::input::{self, Complaint, Input};
use crate::output;
use crate::progress::Progress;
use crate::report::Verdicts;
use crate::session::Session;
use evidence::Certified;
use measure::{Asker, Counts, Row, Task, preferred};
use observed::{Given, Observed, Unmentioned};
use prepare::Question;
use propcov_budget::Budget;
use propcov_coverage::ctl::{Flip, Implication, Measurement, Place, Semantics, Space, Wording};
use propcov_engine::Limits;
use propcov_ir::{PropertyId, UnknownReason};
use propcov_symbolic::Stats;
use propcov_verify::{Outcome, Size, budget};
use runs::HoleRun;
use std::time::Instant;

/// How states or transitions were measured.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) place: Place,
    pub(crate) semantics: Semantics,
    pub(crate) flip: Flip,
    pub(crate) implication: Implication,
}

/// Everything that a run found out.
pub(crate) struct StateCoverage<'a> {
    pub(crate) verdicts: Verdicts<'a>,
    pub(crate) manner: Manner,
    /// What there is to be covered, or why that is not known.
    pub(crate) counts: Result<Counts, UnknownReason>,
    /// Each observed signal, and all together if there are several, with runs into holes.
    pub(crate) rows: Vec<(Row, Vec<HoleRun>)>,
    pub(crate) unmentioned: Unmentioned,
    /// Whether the user said what to observe.
    pub(crate) is_named: bool,
    pub(crate) certified: Certified,
    /// The least share that has to be covered, in percent.
    pub(crate) threshold: Option<f64>,
    /// How many holes are listed.
    pub(crate) listed: usize,
    /// Whether runs were asked for.
    pub(crate) with_runs: bool,
    pub(crate) times: Times,
    /// What the diagrams took, coverage included.
    pub(crate) stats: Option<Stats>,
    pub(crate) internal_errors: Vec<String>,
}

/// Seconds.
#[derive(Clone, Copy, Default)]
pub(crate) struct Times {
    /// Until it was known what is covered.
    pub(crate) coverage: f64,
    /// For holes, and runs into them.
    pub(crate) holes: f64,
    /// For doing it all again, state by state.
    pub(crate) evidence: f64,
}

/// Runs the command.
pub(crate) fn cover(
    place: Place,
    arguments: &CoverArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let given = Given::new(&arguments.observed(), &arguments.states.dont_care);
    let (mut input, values) = input::read_with(&arguments.file, &given.extras(), session)?;
    super::finite(&input.design.system)?;
    let system = &mut input.design.system;
    let properties = input::select_properties(system, &arguments.properties)?;
    let properties = prepare::measurable(system, &properties, arguments, session)?;
    let inputs = prepare::as_kripke_structure(system, &properties, &values)
        .map_err(|error| Complaint(format!("error: {error}\n")))?;
    if !inputs.is_empty() {
        let note = format!("note: read by properties, so part of the state: {}\n", inputs.join(", "));
        session.remark(arguments.quiet, &note);
    }
    let subjects = given.subjects(system, &properties, &values)?;
    let manner = Manner {
        place,
        semantics: arguments.states.semantics(),
        flip: arguments.states.flip(),
        implication: arguments.states.implication(),
    };
    let question = Question::new(system, &properties, &subjects, manner);
    let input = input;
    let design = &input.design;
    let prepared = question
        .prepared(&design.system)
        .map_err(|(position, why)| given.unobservable(position, &why.to_string()))?;
    session.remark(arguments.quiet, &input::warnings(design));
    session.remark(arguments.quiet, &arguments::idle_for_states(arguments));

    let mut limits = Limits::default();
    limits.deadline = arguments.effort.timeout.and_then(|timeout| start.checked_add(timeout));
    limits.interrupt = session.interrupt.clone();
    let (progress, panics) =
        (Progress::new(session.terminal.stderr && !arguments.quiet), session.panics.clone());
    let (mut verdicts, checker) =
        verdicts::decide(&input, &prepared, &properties, &limits, arguments, &progress, &panics);

    let mut asker = Asker {
        system: &design.system,
        why: checker.as_ref().err().cloned().unwrap_or(UnknownReason::Cancelled),
        measurement: checker.ok().map(|checker| Measurement::over(&prepared, checker)),
        panics: &panics,
        progress: &progress,
        internal_errors: Vec::new(),
    };
    let mut times = Times::default();
    let clock = Instant::now();
    let whole = budget(&limits);
    let (space, mut counts, rows) = measured(&subjects.observed, &mut verdicts, &whole, &mut asker);
    times.coverage = clock.elapsed().as_secs_f64();

    let clock = Instant::now();
    let look = Look { arguments, place, properties: &properties, space: space.as_ref() };
    let mut rows: Vec<(Row, Vec<HoleRun>)> = look.for_holes(rows, &whole, &mut asker);
    times.holes = clock.elapsed().as_secs_f64();

    let clock = Instant::now();
    progress.stage("checking coverage state by state".to_owned());
    let size = asker.ask(|measurement| Ok(Size::of(measurement.checker()))).ok().flatten();
    let certified =
        evidence::evidence(&question, &design.system, counts.as_ref().ok(), size, &rows, &whole, &panics);
    certified.apply(&mut counts, &mut rows);
    times.evidence = clock.elapsed().as_secs_f64();
    progress.finish();

    let code = look.write(&input, &mut rows, session);
    let mut internal_errors = std::mem::take(&mut asker.internal_errors);
    internal_errors.extend(session.panics.take());
    internal_errors.extend(certified.errors());
    let stats = asker.measurement.as_mut().map(|measurement| measurement.checker().stats());
    verdicts.seconds = start.elapsed().as_secs_f64();
    let coverage = StateCoverage {
        verdicts,
        manner,
        counts,
        rows,
        unmentioned: subjects.unmentioned,
        is_named: !arguments.observed().is_empty(),
        certified,
        threshold: arguments.threshold,
        listed: arguments.states.most_holes(),
        with_runs: !arguments.states.trace.is_empty(),
        times,
        stats,
        internal_errors,
    };
    Ok(code.and(coverage.report(arguments, session)))
}

/// What there is to be covered, and what is.
fn measured(
    observed: &[Observed],
    verdicts: &mut Verdicts<'_>,
    whole: &Budget,
    asker: &mut Asker<'_, '_>,
) -> (Option<Space>, Result<Counts, UnknownReason>, Vec<Row>) {
    if let Some(measurement) = asker.measurement.as_mut() {
        measurement.checker().set_budget(whole);
    }
    for (position, outcome) in verdicts.outcomes.iter_mut().enumerate() {
        asker.confirm(position, outcome);
    }
    let outcomes: Vec<&Outcome> = verdicts.outcomes.iter().collect();
    let is_measured = outcomes.iter().any(|outcome| outcome.answer.is_proved());
    match asker.space() {
        Ok((_, counts)) if !is_measured => {
            let reason = UnknownReason::Incomplete("no property is proved".to_owned());
            (None, Ok(counts), measure::unknown_rows(observed, &outcomes, &reason))
        }
        Ok((space, counts)) => {
            let rows = Task { observed, outcomes: &outcomes, space: &space }.rows(asker);
            (Some(space), Ok(counts), rows)
        }
        Err(reason) => {
            let rows = measure::unknown_rows(observed, &outcomes, &reason);
            (None, Err(reason), rows)
        }
    }
}

/// What is looked for where nothing is covered.
struct Look<'l> {
    arguments: &'l CoverArguments,
    place: Place,
    properties: &'l [PropertyId],
    space: Option<&'l Space>,
}

impl Look<'_> {
    /// Looks for holes, and for runs into those that were asked for.
    fn for_holes(
        &self,
        rows: Vec<Row>,
        whole: &Budget,
        asker: &mut Asker<'_, '_>,
    ) -> Vec<(Row, Vec<HoleRun>)> {
        let options = &self.arguments.states;
        let all: Vec<_> = rows.iter().filter_map(|row| row.observed.clone()).collect();
        let mut found = Vec::with_capacity(rows.len());
        for mut row in rows {
            if let (Some(space), Some(covered)) = (self.space, &row.covered) {
                let name = row.observed.as_ref().map_or("all together", |observed| observed.name.as_str());
                asker.progress.stage(format!("holes of {name}"));
                let of_row = row.observed.as_ref().map_or(all.as_slice(), std::slice::from_ref);
                let preferred = preferred(asker.system, of_row, self.properties);
                let most = options.most_holes();
                let observed = row.observed.as_ref().map(|observed| observed.expr);
                let wording = Wording { preferred: &preferred, observed };
                row.holes = asker.ask(|measurement| measurement.holes(space, covered, wording, most));
            }
            let runs = runs::into_holes(&row, &options.trace, self.place, whole, asker);
            found.push((row, runs));
        }
        found
    }

    /// Writes waveforms of the runs, and says which runs there are not.
    fn write(&self, input: &Input, rows: &mut [(Row, Vec<HoleRun>)], session: &mut Session) -> ExitCode {
        for note in self.missed(rows) {
            session.remark(self.arguments.quiet, &format!("note: {note}\n"));
        }
        let Some(directory) = self.arguments.keep.directory() else { return ExitCode::Good };
        match runs::write_waveforms(input, self.properties, &self.arguments.metric, rows, directory) {
            Ok(()) => ExitCode::Good,
            Err(error) => self.arguments.keep.failed(&error, "not all waveforms were kept", session),
        }
    }

    /// What to say about runs that were asked for, but there is no such hole.
    fn missed(&self, rows: &[(Row, Vec<HoleRun>)]) -> Vec<String> {
        let is_missed = |number: &&usize| {
            let has_list = rows.iter().any(|(row, _)| row.holes.is_ok());
            has_list && !rows.iter().any(|(_, runs)| runs.iter().any(|run| run.hole == **number))
        };
        let missed = self.arguments.states.trace.iter().filter(is_missed);
        missed.map(|number| format!("there is no hole {number} to show a run into")).collect()
    }
}

impl StateCoverage<'_> {
    /// Prints it.
    fn report(&self, arguments: &CoverArguments, session: &mut Session) -> ExitCode {
        let printed = output::print(
            arguments.format,
            session,
            |palette| self.text(arguments.stats, palette),
            || self.document(arguments.effort.seed),
        );
        session.complain(&self.verdicts.internal_errors());
        for error in &self.internal_errors {
            session.complain(&format!("internal error: {error}\n"));
        }
        self.exit_code().and(printed)
    }

    /// The rows that have to reach the threshold: each signal that the user named, or else all together.
    fn judged(&self) -> impl Iterator<Item = &Row> {
        let is_one = self.rows.len() == 1;
        let rows = self.rows.iter().map(|(row, _)| row);
        rows.filter(move |row| is_one || self.is_named == row.observed.is_some())
    }

    /// The first row of which less is certainly covered than was asked for.
    pub(crate) fn below_threshold(&self) -> Option<(&Row, f64)> {
        let threshold = self.threshold?;
        let is_below = |row: &&Row| match &row.share {
            Ok(share) => share.is_below(threshold),
            Err(_) => threshold > 0.0,
        };
        self.judged().find(is_below).map(|row| (row, threshold))
    }

    /// Whether something might be covered, or might not.
    fn is_undecided(&self) -> bool {
        let is_open = |row: &Row| row.share.as_ref().map_or(true, |share| share.low != share.high);
        self.counts.is_err()
            || self.rows.iter().any(|(row, runs)| {
                is_open(row) || row.holes.is_err() || runs.iter().any(|run| run.trace.is_err())
            })
    }

    /// The exit code that follows from verdicts and coverage.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let when = |holds: bool, code: ExitCode| if holds { code } else { ExitCode::Good };
        (self.verdicts.exit_code())
            .and(when(self.is_undecided(), ExitCode::Undecided))
            .and(when(self.below_threshold().is_some(), ExitCode::BelowThreshold))
            .and(when(!self.internal_errors.is_empty(), ExitCode::Internal))
    }
}
