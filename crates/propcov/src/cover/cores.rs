//! Coverage by cores: one analysis serves all of these metrics in one run.

use crate::cores::{CoresOptions, Question, Subject};
use crate::{Control, Design, Error};
use propcov_coverage::cores::record::Studied;
use propcov_coverage::cores::{CoreMetric, Options};
use propcov_ir::{Region, SourceFile};
use propcov_result::{
    Excerpt, FindingVerdict, RunResult, Scope, Subject as Edited, Threshold, ThresholdScope,
};
use std::collections::BTreeSet;

/// What has to be asked of so many properties, so that the answer serves all of these metrics.
pub(crate) fn question(metrics: &[CoreMetric], properties: usize, options: &CoresOptions) -> Options {
    Options {
        goal: CoreMetric::goal_of(metrics),
        algorithm: None,
        depth: None,
        threads: options.threads.unwrap_or_else(crate::cores::all_threads),
        together: properties > 1 && metrics.iter().any(|metric| *metric != CoreMetric::Model),
        check_time: options.check_timeout,
    }
}

/// Adds what each of these metrics makes of an analysis to a result that has verdicts and cores already.
pub(crate) fn add_metrics(studied: &Studied<'_>, metrics: &[CoreMetric], result: &mut RunResult) {
    for metric in metrics {
        studied.add_metric(*metric, result);
    }
    add_excerpts(studied, result);
}

/// The lines with parts of definitions that are not covered, or not known to be: a text shows them.
fn add_excerpts(studied: &Studied<'_>, result: &mut RunResult) {
    let system = studied.system;
    let is_hole =
        |verdict: FindingVerdict| matches!(verdict, FindingVerdict::Uncovered | FindingVerdict::Unknown);
    let holes: BTreeSet<u32> = result
        .findings
        .iter()
        .filter(|finding| is_hole(finding.verdict))
        .filter_map(|finding| match finding.subject {
            Edited::Element(id) => Some(id),
            _ => None,
        })
        .collect();
    let parts = studied.universe.iter().filter(|id| holes.contains(&id.0) && system.whole_of(*id).is_some());
    let spans = parts.flat_map(|id| &system.element(id).spans);
    let lines: BTreeSet<(u32, u32)> = spans
        .filter_map(|span| match span.region {
            Region::Text { line, .. } => Some((span.file.0, line)),
            Region::Bytes { .. } => None,
        })
        .collect();
    if lines.is_empty() {
        return;
    }
    let files: Vec<_> = system.files.iter().map(SourceFile::lines).collect();
    result.excerpts.extend(lines.into_iter().filter_map(|(file, line)| {
        let text = files.get(file as usize)?.get(line)?.into_owned();
        Some(Excerpt { file: system.files.get(file as usize)?.path.clone(), line, text })
    }));
}

impl Design {
    /// Measures coverage by metrics of cores. Of the options, goal, algorithm and depth follow from the metrics.
    pub fn cover_by_cores(
        &self,
        metrics: &[CoreMetric],
        options: &CoresOptions,
        threshold: Option<f64>,
        control: &Control<'_>,
    ) -> Result<RunResult, Error> {
        let design = self.taken_apart(options.granularity)?;
        let subject = Subject::new(&design, options)?;
        let mut result = design.result("cover", options.seed);
        result.notes.extend(subject.notes(&design));
        result.run.metrics = metrics.iter().map(|metric| metric.name().to_owned()).collect();

        let asked = question(metrics, subject.properties.len(), options);
        let question =
            Question { design: &design, subject: &subject, timeout: options.timeout, seed: options.seed };
        let study = question.study(&asked, control);
        study.add_to(&mut result);
        add_metrics(&study.studied(), metrics, &mut result);
        result.climb();
        result.run.threshold = threshold.map(|percent| {
            let headlines = result.shares.iter().filter(|share| share.scope == Scope::All);
            let is_measured = headlines.clone().count() > 0;
            let missed = (!is_measured && percent > 0.0)
                || headlines.clone().any(|share| share.tally.is_below(percent));
            Threshold { percent, scope: ThresholdScope::Metric, missed }
        });
        control.finish(&mut result);
        Ok(result)
    }
}
