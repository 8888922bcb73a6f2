//! `propcov cover`: which parts of a design do its proven properties check?

pub(crate) mod states;

use crate::{Control, Design, Error};
use propcov_coverage::ctl::Place;
use propcov_result::RunResult;
use propcov_verify::record;
use states::StateQuestion;
pub use states::{StateOptions, mentions_ctl};
use std::path::PathBuf;
use std::time::Duration;

/// What is asked of state and transition coverage.
#[derive(Clone, Debug, Default)]
pub struct StateRequest {
    /// These properties only; all of them if empty.
    pub properties: Vec<String>,
    /// Signals, definitions or expressions; all that the properties mention if empty.
    pub observe: Vec<String>,
    /// How it is measured.
    pub states: StateOptions,
    /// The least share that has to be covered, in percent.
    pub threshold: Option<f64>,
    /// The run directory, for waveforms.
    pub directory: Option<PathBuf>,
    /// Whether a waveform that cannot be written is an error, and not a warning.
    pub must_keep: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// Stop after this time.
    pub timeout: Option<Duration>,
    /// Count all states, also those that coverage is not about.
    pub count_states: bool,
}

impl Design {
    /// Measures in which states, or after which transitions, the values of signals are checked.
    pub fn cover_states(
        &self,
        place: Place,
        request: &StateRequest,
        control: &Control<'_>,
    ) -> Result<RunResult, Error> {
        let properties = self.select(&request.properties)?;
        let mut result = self.result("cover", request.seed);
        result.run.metrics = vec![place.metric().to_owned()];
        result.notes.extend(self.warnings());
        let question = StateQuestion {
            properties: &properties,
            observe: &request.observe,
            options: &request.states,
            threshold: request.threshold,
            directory: request.directory.as_deref(),
            must_keep: request.must_keep,
            seed: request.seed,
            timeout: request.timeout,
            count_states: request.count_states,
            known: &[],
        };
        states::measure(self, place, &question, control, &mut result)?;
        result.run.seconds = record::rounded(control.start.elapsed().as_secs_f64());
        Ok(result)
    }
}
