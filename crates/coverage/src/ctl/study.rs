//! A run of state or transition coverage: verdicts, what they cover, what they do not, and the evidence. [`Study::run`] is the list of steps.
//!
//! The checker that decides the properties is the one that measures them: what it has found out is not found out again.

use super::asker::Asker;
use super::confirm::{self, Certified};
use super::holes::Wording;
use super::measure::{Measurement, Space};
use super::question::Question;
use super::rows::{self, Counts, Row, Task, preferred};
use super::{Prepared, runs, verdicts};
use propcov_budget::Budget;
use propcov_engine::Limits;
use propcov_ir::{System, UnknownReason};
use propcov_symbolic::Stats;
use propcov_verify::{Inspection, Known, Options, Outcome, PanicLog, Progress, Size, Verdicts, budget};
use std::time::Instant;

/// What is measured, and with how much effort.
pub struct Study<'s> {
    /// The design, made one of [states alone](super::as_kripke_structure).
    pub system: &'s System,
    /// What is to be found out.
    pub question: &'s Question<'s>,
    /// The system, prepared for the question.
    pub prepared: &'s Prepared,
    /// How properties are decided.
    pub options: Options,
    /// When to stop.
    pub limits: Limits,
    /// Proofs that need not be found again; they are checked again.
    pub known: &'s [Known],
    /// How many holes are listed.
    pub holes: usize,
    /// The numbers of holes that a run is wanted into.
    pub runs: &'s [usize],
    /// Who hears what is being done.
    pub progress: &'s dyn Progress,
    /// Where crashes are recorded.
    pub panics: PanicLog,
}

/// Everything that a study found out.
pub struct Studied {
    /// The sanity check.
    pub inspection: Inspection,
    /// What came of the properties.
    pub verdicts: Verdicts,
    /// What there is to be covered, or why that is not known.
    pub counts: Result<Counts, UnknownReason>,
    /// Each observed signal, and all together if there are several.
    pub rows: Vec<Row>,
    /// What the independent checker says.
    pub certified: Certified,
    /// What it took.
    pub times: Times,
    /// What the diagrams took, coverage included.
    pub stats: Option<Stats>,
    /// What went wrong inside propcov.
    pub internal_errors: Vec<String>,
}

/// Seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Until it was known what is covered.
    pub coverage: f64,
    /// For holes, and runs into them.
    pub holes: f64,
    /// For doing it all again, state by state.
    pub evidence: f64,
}

impl Study<'_> {
    /// Measures.
    pub fn run(&self) -> Studied {
        let (inspection, mut verdicts, checker) = verdicts::decide(self);
        let mut asker = Asker {
            system: self.system,
            why: checker.as_ref().err().cloned().unwrap_or(UnknownReason::Cancelled),
            measurement: checker.ok().map(|checker| Measurement::over(self.prepared, checker)),
            panics: &self.panics,
            progress: self.progress,
            internal_errors: Vec::new(),
        };
        let mut times = Times::default();
        let clock = Instant::now();
        let whole = budget(&self.limits);
        let (space, mut counts, mut rows) = self.measured(&mut verdicts.outcomes, &whole, &mut asker);
        times.coverage = clock.elapsed().as_secs_f64();

        let clock = Instant::now();
        self.look_for_holes(&mut rows, space.as_ref(), &whole, &mut asker);
        times.holes = clock.elapsed().as_secs_f64();

        let clock = Instant::now();
        self.progress.stage("checking coverage state by state".to_owned());
        let size = asker.ask(|measurement| Ok(Size::of(measurement.checker()))).ok().flatten();
        let counted = counts.as_ref().ok();
        let certified =
            confirm::evidence(self.question, self.system, counted, size, &rows, &whole, &self.panics);
        certified.apply(&mut counts, &mut rows);
        rows.iter_mut().for_each(Row::apply_waivers);
        times.evidence = clock.elapsed().as_secs_f64();

        let mut internal_errors = std::mem::take(&mut asker.internal_errors);
        internal_errors.extend(self.panics.take());
        internal_errors.extend(certified.errors());
        let stats = asker.measurement.as_mut().map(|measurement| measurement.checker().stats());
        Studied { inspection, verdicts, counts, rows, certified, times, stats, internal_errors }
    }

    /// What there is to be covered, and what is.
    fn measured(
        &self,
        outcomes: &mut [Outcome],
        whole: &Budget,
        asker: &mut Asker<'_, '_>,
    ) -> (Option<Space>, Result<Counts, UnknownReason>, Vec<Row>) {
        if let Some(measurement) = asker.measurement.as_mut() {
            measurement.checker().set_budget(whole);
        }
        for (position, outcome) in outcomes.iter_mut().enumerate() {
            asker.confirm(position, outcome);
        }
        let observed = &self.question.subjects.observed;
        let is_measured = outcomes.iter().any(|outcome| outcome.answer.is_proved());
        match asker.space() {
            Ok((_, counts)) if !is_measured => {
                let reason = UnknownReason::Incomplete("no property is proved".to_owned());
                (None, Ok(counts), rows::unknown_rows(observed, outcomes, &reason))
            }
            Ok((space, counts)) => {
                let rows = Task { observed, outcomes, space: &space }.rows(asker);
                (Some(space), Ok(counts), rows)
            }
            Err(reason) => {
                let rows = rows::unknown_rows(observed, outcomes, &reason);
                (None, Err(reason), rows)
            }
        }
    }

    /// Looks for holes, and for runs into those that were asked for.
    fn look_for_holes(
        &self,
        rows: &mut [Row],
        space: Option<&Space>,
        whole: &Budget,
        asker: &mut Asker<'_, '_>,
    ) {
        let (observed, properties) = (&self.question.subjects.observed, self.question.properties);
        for row in rows {
            if let (Some(space), Some(covered)) = (space, &row.covered) {
                asker.progress.stage(format!("holes of {}", row.name()));
                match asker.ask(|measurement| measurement.waived(space, covered)) {
                    Ok(waived) => row.waived = waived,
                    Err(reason) => {
                        row.holes = Err(reason);
                        continue;
                    }
                }
                let of_row = row.observed.as_ref().map_or(observed.as_slice(), std::slice::from_ref);
                let preferred = preferred(asker.system, of_row, properties);
                let observed = row.observed.as_ref().map(|observed| observed.expr);
                let wording = Wording { preferred: &preferred, observed };
                row.holes = asker.ask(|measurement| measurement.holes(space, covered, wording, self.holes));
            }
            row.runs = runs::into_holes(row, self.runs, self.question.manner.place, whole, asker);
        }
    }
}
