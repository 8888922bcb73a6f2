//! `propcov cover --metric core|must|may|model`: which elements do the proofs of the properties rest on? [`cover`] is the list of steps.

pub(crate) mod arguments;
mod document;
mod text;
mod uncovered;

use crate::cores::arguments::ScopeArguments;
use crate::cores::listen::Listener;
use crate::cores::prepare::{Wanted, prepare};
use crate::cores::study::{Study, inspect, study, verifier};
use crate::cover::arguments::CoverArguments;
use crate::cover::tally::Count;
use crate::exit::ExitCode;
use crate::input::Complaint;
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use propcov_coverage::cores::{CoreMetric, Holds, Options, Parts, PropertyCores};
use propcov_engine::Limits;
use propcov_ir::PropertyId;
use std::time::Instant;

/// Everything that a run found out.
pub(crate) struct CoreCoverage<'a> {
    study: Study<'a>,
    metric: CoreMetric,
    /// What users call the metric.
    name: &'static str,
    /// What each property that is proved covers.
    parts: Vec<(PropertyId, Parts)>,
    /// What their conjunction covers, if all are proved.
    conjunction: Option<Parts>,
    /// What some property covers.
    set: Parts,
    /// The least share that has to be covered, in percent.
    threshold: Option<f64>,
}

/// Measures by cores.
pub(crate) fn cover(
    metric: CoreMetric,
    name: &'static str,
    arguments: &CoverArguments,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let scope: ScopeArguments = arguments.cores.scope();
    let wanted = Wanted {
        file: &arguments.file,
        properties: &arguments.properties,
        elements: arguments::elements(&arguments.elements)?,
        scope: &scope,
        quiet: arguments.quiet,
    };
    let subject = prepare(&wanted, session)?;
    session.remark(arguments.quiet, &arguments::idle_for_cores(arguments));
    let mut limits = Limits::default();
    limits.deadline = arguments.effort.timeout.and_then(|timeout| start.checked_add(timeout));
    limits.interrupt = session.interrupt.clone();
    let options = Options {
        goal: metric.goal(),
        algorithm: None,
        depth: None,
        threads: arguments.effort.thread_count(),
        together: subject.properties.len() > 1 && metric != CoreMetric::Model,
        check_time: scope.check_timeout,
    };

    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let verifier = verifier(&subject, arguments.effort.seed, limits, &progress, session);
    let verdicts = inspect(&subject, &verifier);
    let listener = Listener::new(subject.system(), &progress, false, metric.goal());
    let mut study = study(&subject, options, &verifier, verdicts, &listener);
    progress.finish();
    study.verdicts.seconds = start.elapsed().as_secs_f64();

    let coverage = CoreCoverage::new(study, metric, name, arguments.threshold);
    let code = coverage.exit_code().and(output::print(
        arguments.format,
        session,
        |palette| coverage.text(arguments.stats, palette),
        || coverage.document(),
    ));
    session.complain(&coverage.study.internal_error_text());
    Ok(code)
}

impl<'a> CoreCoverage<'a> {
    fn new(
        study: Study<'a>,
        metric: CoreMetric,
        name: &'static str,
        threshold: Option<f64>,
    ) -> CoreCoverage<'a> {
        let universe = &study.subject.universe;
        let is_proved = |cores: &&PropertyCores| matches!(cores.holds(), Holds::Yes { .. });
        let proved = study.analysis.properties.iter().filter(is_proved);
        let parts: Vec<(PropertyId, Parts)> =
            proved.map(|cores| (cores.property, metric.covered(&cores.found, universe))).collect();
        let together = study.analysis.together.as_ref();
        let conjunction = match parts.as_slice() {
            [(_, only)] if study.analysis.properties.len() == 1 => Some(only.clone()),
            _ => together.map(|found| metric.covered(found, universe)),
        };
        let set = CoreMetric::of_set(parts.iter().map(|(_, parts)| parts));
        CoreCoverage { study, metric, name, parts, conjunction, set, threshold }
    }

    /// How many elements are covered.
    fn count(&self, parts: &Parts) -> Count {
        let (covered, unknown) = (parts.sure.len(), parts.unknown.len());
        let uncovered = self.study.subject.universe.len().saturating_sub(covered + unknown);
        Count { covered, uncovered, no_effect: 0, unknown }
    }

    /// Whether less is certainly covered than was asked for.
    fn is_below_threshold(&self) -> bool {
        let covered = self.count(&self.set).percent().map_or(0.0, |(low, _)| low);
        self.threshold.is_some_and(|threshold| covered < threshold)
    }

    fn exit_code(&self) -> ExitCode {
        let below = if self.is_below_threshold() { ExitCode::BelowThreshold } else { ExitCode::Good };
        self.study.exit_code().and(below)
    }
}
