//! Who decides properties of one system, how, and for how long.

use crate::choice::EngineChoice;
use crate::first_step::FirstStep;
use crate::known::Known;
use crate::panics::PanicLog;
use crate::progress::Progress;
use crate::schedule::Patience;
use propcov_budget::Effort;
use propcov_engine::{Config, Limits};
use propcov_ir::{Invariant, System};
use std::sync::{Arc, OnceLock};

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Who is asked.
    pub engine: EngineChoice,
    /// How hard is tried where nobody has said how long.
    pub effort: Effort,
    /// What users can set about engines.
    pub config: Config,
    /// Whether the elements are wanted that a proof uses.
    pub with_core: bool,
    /// Whether counterexamples are made smooth.
    pub smooth: bool,
    /// Whether the states are counted, where decision diagrams have them.
    pub with_counts: bool,
}

/// Decides properties of one system.
#[derive(Clone)]
pub struct Verifier<'a> {
    pub(crate) system: &'a System,
    pub(crate) options: Options,
    /// Limits of the whole run. Evidence that was found is worth being checked, even when the property's own share of the
    /// time is used up.
    pub(crate) limits: Limits,
    pub(crate) patience: Patience,
    /// Lemmas that may help where there are ints and reals. Nobody has to believe them.
    pub(crate) lemmas: Option<&'a Invariant>,
    pub(crate) known: &'a [Known],
    pub(crate) progress: &'a dyn Progress,
    pub(crate) panics: PanicLog,
    /// The system for engines, where what is initial depends on inputs; made when it is needed.
    pub(crate) first_step: Arc<OnceLock<Option<FirstStep>>>,
}

impl<'a> Verifier<'a> {
    /// Decides properties of a system, within limits.
    pub fn new(
        system: &'a System,
        options: Options,
        limits: Limits,
        progress: &'a dyn Progress,
    ) -> Verifier<'a> {
        let panics = PanicLog::default();
        let patience = Patience::Full;
        let first_step = Arc::default();
        Verifier { system, options, limits, patience, lemmas: None, known: &[], progress, panics, first_step }
    }

    /// What engines are given instead of the system, if what is initial depends on inputs.
    pub(crate) fn first_step(&self) -> Option<&FirstStep> {
        self.first_step.get_or_init(|| FirstStep::of(self.system)).as_ref()
    }

    /// Records crashes in a log that others write to as well.
    #[must_use]
    pub fn with_panics(self, panics: PanicLog) -> Verifier<'a> {
        Verifier { panics, ..self }
    }

    /// Tries these lemmas where there are ints and reals; those that are not inductive are dropped.
    #[must_use]
    pub fn with_lemmas(self, lemmas: &'a Invariant) -> Verifier<'a> {
        Verifier { lemmas: Some(lemmas), ..self }
    }

    /// Tries these proofs before anything else. They are checked like any other.
    #[must_use]
    pub fn with_known(self, known: &'a [Known]) -> Verifier<'a> {
        Verifier { known, ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(&self, limits: Limits) -> Verifier<'a> {
        Verifier { limits, ..self.clone() }
    }

    /// The same, but for one short attempt at each property.
    #[must_use]
    pub fn briefly(&self) -> Verifier<'a> {
        Verifier { patience: Patience::Brief, ..self.clone() }
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// When to stop.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What is wanted.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Who hears what is being done.
    pub fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// Where crashes are recorded.
    pub fn panics(&self) -> &PanicLog {
        &self.panics
    }
}
