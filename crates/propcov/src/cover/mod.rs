//! `propcov cover`: which parts of a design do its proven properties check? [`Design::cover_with`] is the list of steps.
//!
//! All metrics that were asked for share one run: one set of proofs, one deadline, one run directory. [`METRICS`] has a row for each of them.

mod cone;
mod earlier;
pub(crate) mod effects;
pub(crate) mod elements;
pub(crate) mod holes;
mod method;
mod metrics;
mod milestones;
mod mutation;
mod options;
mod recorder;
pub(crate) mod run;
pub(crate) mod scene;

pub use method::{ALGORITHM_1, PIPELINE, method};
pub use metrics::{METRICS, Metric, metric};
pub use options::{CoverOptions, MutationOptions};
#[cfg(test)]
pub(crate) use recorder::Recorder;

use crate::{Control, Design, Error};
use metrics::Run;
use propcov_result::{RunResult, Scope, Threshold, ThresholdScope};
use propcov_verify::record;
use run::Measure;

impl Design {
    /// Measures how much of the design its properties check.
    pub fn cover(&self, options: &CoverOptions) -> Result<RunResult, Error> {
        self.cover_with(options, &Control::default())
    }

    /// The same, for those who want to stop or watch it.
    pub fn cover_with(&self, options: &CoverOptions, control: &Control<'_>) -> Result<RunResult, Error> {
        let mut result = self.result("cover", options.seed, control);
        result.notes.extend(self.warnings());
        let selected = self.select(&options.properties)?;
        let metrics = metrics::chosen(&options.metrics, self.system(), &selected)?;
        result.run.metrics = metrics.iter().map(|metric| metric.name.to_owned()).collect();
        let properties = scene::invariants(self.system(), &selected, "mutation", &mut result.notes)?;
        scene::set(self, options, &properties, control, |scene, measurable, earlier| {
            let mut measures: Vec<Box<dyn Measure + '_>> = Vec::new();
            for metric in &metrics {
                match metric.run {
                    Run::Proofs(begin) => measures.extend(begin(scene, metric)?),
                }
            }
            run::prove(scene, measurable, earlier, measures, &mut result);
            result.climb();
            result.run.threshold = options.threshold.map(|percent| threshold(&result, percent));
            result.run.seconds = record::rounded(control.start.elapsed().as_secs_f64());
            scene.keeper.keep_result(&mut result);
            Ok(())
        })?;
        Ok(result)
    }
}

/// Whether some metric has less than this many percent of its headline. Where no property is proved, nothing is covered.
fn threshold(result: &RunResult, percent: f64) -> Threshold {
    let headlines = result.shares.iter().filter(|share| share.scope == Scope::All);
    let is_measured = headlines.clone().next().is_some();
    let is_below = headlines.into_iter().any(|share| share.tally.is_below(percent));
    let missed = is_below || (!is_measured && percent > 0.0);
    Threshold { percent, scope: ThresholdScope::Metric, missed }
}
