//! Coverage by cores: one analysis, on the proofs that all metrics of a run share, serves all metrics of cores.

use crate::Error;
use crate::cores::{CoreMemory, Watcher, note_reused};
use crate::cover::run::Measure;
use crate::cover::scene::{Scene, stopped};
use crate::cover::{Metric, elements};
use propcov_coverage::cores::record::Studied;
use propcov_coverage::cores::{Analysis, CoreMetric, Options, Part, analyse_with};
use propcov_engine::Limits;
use propcov_frontend::{Elements, Granularity, UniverseOptions, universe};
use propcov_ir::{ElementSet, PropertyId, Region, SourceFile};
use propcov_result::{Excerpt, FindingVerdict, RunResult, Stop, Subject};
use propcov_verify::Outcome;
use std::collections::BTreeSet;
use std::time::Duration;

/// How cores are found for their metrics.
#[derive(Clone, Debug, Default)]
pub struct CoreOptions {
    /// Whether assumptions are in question as well; otherwise they are always kept.
    pub assumptions: bool,
    /// How finely definitions are taken apart; `None`: as the design was read.
    pub granularity: Option<Granularity>,
    /// Give up on a single set of elements after this time, not after an effort that follows from that of the proof.
    pub check_timeout: Option<Duration>,
}

/// The metrics of cores that are measured.
struct Cores<'a, 's> {
    scene: &'a Scene<'a, 's>,
    metrics: Vec<CoreMetric>,
    /// Whose cores are found here: a share of the work is about some properties, each by itself.
    properties: Vec<PropertyId>,
    universe: ElementSet,
    options: Options,
    analysis: Analysis,
    /// How many properties were proved when it was made, and whether it was stopped.
    made_of: Option<usize>,
    /// How many pieces of evidence of earlier runs were accepted.
    reused: usize,
    stop: Option<Stop>,
    internal_errors: Vec<String>,
}

/// Begins to measure: the first of the metrics of cores does it for all of them.
pub(crate) fn begin<'a, 's>(
    scene: &'a Scene<'a, 's>,
    metric: &'static Metric,
) -> Result<Option<Box<dyn Measure + 'a>>, Error> {
    let names: Vec<&str> = scene.metrics.iter().map(|metric| metric.name).collect();
    let metrics: Vec<CoreMetric> =
        CoreMetric::ALL.into_iter().filter(|metric| names.contains(&metric.name())).collect();
    if metrics.first().map(|first| first.name()) != Some(metric.name) {
        return Ok(None);
    }
    let universe = elements_in_question(scene)?;
    let (share, meanings) = (scene.options.share, &scene.keeper.meanings);
    let is_own = |property: &PropertyId| share.is_none_or(|share| share.proves(meanings, *property));
    let properties: Vec<PropertyId> = scene.properties.iter().copied().filter(is_own).collect();
    let options = Options {
        goal: CoreMetric::goal_of(&metrics),
        algorithm: None,
        depth: None,
        threads: scene.options.thread_count(),
        together: share.is_none()
            && properties.len() > 1
            && metrics.iter().any(|metric| *metric != CoreMetric::Model),
        check_time: scene.options.cores.check_timeout,
        part: Part::Everything,
    };
    Ok(Some(Box::new(Cores {
        scene,
        metrics,
        properties,
        universe,
        options,
        analysis: Analysis::default(),
        made_of: None,
        reused: 0,
        stop: None,
        internal_errors: Vec::new(),
    })))
}

/// Those that the user named; otherwise registers, where other metrics are about them as well, and else all, or those that the design names itself.
fn elements_in_question(scene: &Scene<'_, '_>) -> Result<ElementSet, Error> {
    let assumptions = scene.options.cores.assumptions;
    let of = |elements: Elements| {
        let error = |error| Error::Usage(format!("{}: {error}", scene.design.name()));
        universe(&scene.design.design, &UniverseOptions { elements, assumptions }).map_err(error)
    };
    let list = &scene.options.elements;
    let is_split = scene.options.mutation.bits;
    let universe = match list.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["annotated"] => of(Elements::Annotated)?,
        ["all"] if !is_split => of(Elements::All)?,
        [] if !is_split && !scene.is_chosen => of(Elements::default())?,
        _ => return Ok(scene.elements()?.into_iter().collect()),
    };
    let (all, exclude) = (["all".to_owned()], &scene.options.exclude);
    match exclude.is_empty() {
        true => Ok(universe),
        false => Ok(elements::select_among(scene.system, universe.iter().collect(), &all, exclude)?
            .into_iter()
            .collect()),
    }
}

impl Cores<'_, '_> {
    fn studied(&self) -> Studied<'_> {
        Studied {
            system: self.scene.system,
            universe: &self.universe,
            options: &self.options,
            analysis: &self.analysis,
        }
    }
}

impl Measure for Cores<'_, '_> {
    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        let is_own = |outcome: &&Outcome| self.properties.contains(&outcome.property);
        let outcomes: Vec<Outcome> = outcomes.iter().filter(is_own).cloned().collect();
        let proved = outcomes.iter().filter(|outcome| outcome.answer.is_proved()).count();
        if self.made_of == Some(proved) && self.stop.is_none() {
            return;
        }
        let (Scene { verifier, control, .. }, properties) = (self.scene, &self.properties);
        control.progress.stage("cores:".to_owned());
        let verifier = verifier.with_limits(limits.clone());
        let (universe, options) = (&self.universe, &self.options);
        let memory = CoreMemory::new(self.scene.keeper, universe, properties);
        let watcher = Watcher::new(self.scene.system, control.progress, &memory);
        let analysis = control.panics.guard(|| {
            analyse_with(&verifier, universe, properties, options, &watcher, |client| {
                client.work(&outcomes, limits);
                outcomes
            })
        });
        self.internal_errors.extend(control.panics.take());
        self.reused = self.reused.max(memory.finish());
        if let Some(analysis) = analysis {
            self.analysis = analysis;
            self.made_of = Some(proved);
        } else if self.internal_errors.is_empty() {
            self.internal_errors.push("the search for cores crashed".to_owned());
        }
        self.stop = stopped(limits);
    }

    fn finish(self: Box<Self>, result: &mut RunResult) {
        result.run.internal_errors.extend(self.internal_errors.iter().cloned());
        let studied = self.studied();
        if !studied.is_all_answered() {
            result.run.stop = result.run.stop.or(self.stop);
        }
        studied.add_to(result);
        note_reused(result, self.reused);
        for metric in &self.metrics {
            studied.add_metric(*metric, result);
        }
        add_excerpts(&studied, result);
    }
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
            Subject::Element(id) => Some(id),
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
