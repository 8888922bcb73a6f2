//! `propcov cover`: which parts of a design do its proven properties check? [`Design::cover_with`] is the list of steps.
//!
//! All metrics that were asked for share one run: one set of proofs, one deadline, one run directory. [`METRICS`] has a row for each of them.

mod cone;
mod cores;
pub(crate) mod earlier;
pub(crate) mod effects;
pub(crate) mod elements;
pub(crate) mod holes;
mod method;
mod metrics;
mod milestones;
mod mutation;
mod options;
pub(crate) mod reach;
mod recorder;
pub(crate) mod run;
pub(crate) mod scene;
mod states;

pub use cores::CoreOptions;
pub use method::{ALGORITHM_1, PIPELINE, method};
pub use metrics::{METRICS, Metric, metric};
pub use options::{CoverOptions, MutationOptions};
pub use states::StateOptions;
#[cfg(test)]
pub(crate) use {milestones::Milestones, recorder::Recorder};

use crate::{Control, Design, Error, Share, date, material};
use metrics::Run;
use propcov_ir::{ElementSet, PropertyId};
use propcov_result::{ELSEWHERE, REACH, RunResult, unmeasured_metric};
use propcov_verify::{Outcome, record};
use run::Measure;
use scene::Scene;
use states::StateQuestion;

impl Design {
    /// Measures how much of the design its properties check.
    pub fn cover(&self, options: &CoverOptions) -> Result<RunResult, Error> {
        self.cover_with(options, &Control::default())
    }

    /// The same, for those who want to stop or watch it.
    pub fn cover_with(&self, options: &CoverOptions, control: &Control<'_>) -> Result<RunResult, Error> {
        let design = self.taken_apart(options.cores.granularity)?;
        let mut result = design.result("cover", options.seed, control);
        result.notes.extend(design.warnings_of_measuring());
        result.run.shard = options.share.map(Share::shard);
        // What runs execute can be asked without any property.
        let is_reach = |metric: &&'static Metric| metric.name == REACH;
        let selected = match design.select_assertions(&options.properties) {
            Err(_) if options.properties.is_empty() && options.metrics.iter().any(is_reach) => Vec::new(),
            selected => selected?,
        };
        let metrics = metrics::chosen(&options.metrics, design.system(), &selected)?;
        result.run.metrics = metrics.iter().map(|metric| metric.name.to_owned()).collect();
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name).collect();
        // Before hours of work.
        if let Some(wrong) = options.thresholds.iter().find_map(|one| unmeasured_metric(one, &names)) {
            return Err(Error::Usage(
                wrong.replace("was not measured; measured:", "is not measured; measured:"),
            ));
        }
        let properties = design.on_proofs(&metrics, &selected, &mut result)?;
        scene::set(&design, options, &metrics, &properties, control, |scene, measurable, earlier| {
            if options.share.is_some() {
                scene.keeper.introduce();
            }
            let mut measures: Vec<Box<dyn Measure + '_>> = Vec::new();
            for metric in &metrics {
                if let Run::Proofs(begin) = metric.run {
                    measures.extend(begin(scene, metric)?);
                }
            }
            let mut outcomes = Vec::new();
            if !measures.is_empty() {
                outcomes = run::prove(scene, measurable, earlier, measures, &mut result);
            }
            waive(scene, &mut result);
            measure_states(scene, &selected, &outcomes, &mut result)?;
            result.note_waivers();
            result.judge(&options.thresholds);
            result.climb();
            result.fold_lines();
            control.finish(&mut result);
            if options.presume {
                // Others say it. With many shares, it would be most of what is written.
                result.findings.retain(|finding| finding.reason.as_deref() != Some(ELSEWHERE));
            }
            scene.keeper.keep_result(&mut result);
            Ok(())
        })?;
        Ok(result)
    }

    /// The properties that metrics measure on proofs: invariants. That others are skipped is noted, unless another metric measures them.
    fn on_proofs(
        &self,
        metrics: &[&'static Metric],
        selected: &[PropertyId],
        result: &mut RunResult,
    ) -> Result<Vec<PropertyId>, Error> {
        let mut proving = metrics.iter().filter(|metric| matches!(metric.run, Run::Proofs(_)));
        let Some(first) = proving.next() else { return Ok(Vec::new()) };
        let mut notes = Vec::new();
        let properties = scene::invariants(self.system(), selected, first.name, &mut notes)?;
        if metrics.iter().all(|metric| matches!(metric.run, Run::Proofs(_))) {
            result.notes.append(&mut notes);
        }
        Ok(properties)
    }
}

/// Measures states and transitions, if that was asked for. Proofs that other metrics have found are not looked for again.
fn measure_states(
    scene: &Scene<'_, '_>,
    selected: &[PropertyId],
    outcomes: &[Outcome],
    result: &mut RunResult,
) -> Result<(), Error> {
    let options = scene.options;
    let directory = scene.keeper.path();
    for metric in scene.metrics {
        let Run::Labels(place) = metric.run else { continue };
        let question = StateQuestion {
            properties: selected,
            observe: &options.observe,
            options: &options.states,
            directory: directory.as_deref(),
            must_keep: options.keep.is_required,
            seed: options.seed,
            timeout: options.timeout,
            count_states: options.count_states,
            known: outcomes,
        };
        states::measure(scene.design, place, &question, scene.control, result)?;
    }
    Ok(())
}

/// Applies the user's waivers to what was found about elements. Any element of the design may be waived, measured or not.
fn waive(scene: &Scene<'_, '_>, result: &mut RunResult) {
    let options = scene.options;
    if options.waivers.is_empty() {
        return;
    }
    let all: ElementSet = scene.system.element_ids().collect();
    let material = material::of_system(scene.system);
    let today = options.today.clone().unwrap_or_else(date::today);
    let elements = record::elements(scene.system, &all);
    result.waive(options.waivers.clone(), &elements, &|path| material.text(path), &today);
}
