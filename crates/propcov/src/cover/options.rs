//! What is asked of `cover`.

use crate::Share;
use crate::cores::all_threads;
use crate::cover::metrics::Metric;
use crate::cover::{CoreOptions, StateOptions};
use crate::keeper::Keep;
use propcov_budget::Effort;
use propcov_coverage::mutation::Method;
use propcov_ir::Mutation;
use propcov_result::{Threshold, Waiver};
use propcov_verify::EngineChoice;
use std::path::PathBuf;
use std::time::Duration;

/// What is asked of `cover`. The default measures what is cheap for the design at hand, and keeps nothing.
#[derive(Clone, Debug, Default)]
pub struct CoverOptions {
    /// What is measured, in one run with one set of proofs; if empty, what fits the design.
    pub metrics: Vec<&'static Metric>,
    /// These properties only; all of them if empty.
    pub properties: Vec<String>,
    /// Stop the whole run after this time.
    pub timeout: Option<Duration>,
    /// What questions are worth that may never be answered.
    pub effort: Effort,
    /// Look at runs of so many transitions. What is not proved by then is measured nevertheless, as far as that.
    pub bound: Option<u32>,
    /// Who proves properties.
    pub engine: EngineChoice,
    /// At most so many threads; one for each core if `None`. Results do not depend on it.
    pub threads: Option<usize>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Where refutations of what is only known up to a bound are written, for other tools to check.
    pub certificate: Option<PathBuf>,
    /// What has to be covered.
    pub thresholds: Vec<Threshold>,
    /// What does not count, because the user says so.
    pub waivers: Vec<Waiver>,
    /// The day on which waivers are looked at (`2027-01-31`); today if `None`.
    pub today: Option<String>,
    /// What somebody looks at. States and transitions: signals, definitions or expressions; by default all that the properties mention.
    /// Mutation: where a difference of an uncovered mutant may show, `outputs`, `registers` or names.
    pub observe: Vec<String>,
    /// Where findings are kept, so that the next run goes on from there.
    pub keep: Keep,
    /// Do only this share of the work; others do the rest.
    pub share: Option<Share>,
    /// Find out nothing new about properties and mutants: only what is kept counts.
    pub settled: bool,
    /// Do not check what others have kept about mutants (exactly as they are now), and do not report it either: it is left alone, for whoever unites the directories to check.
    pub presume: bool,
    /// Leave what uncovered mutants can do to others.
    pub without_effects: bool,
    /// Be the first of several: try on all mutants what is cheap, and go on for as long as everything has taken so far, at least ten seconds, but no longer than this. The rest is shared out.
    pub head_start: Option<Duration>,
    /// Note how much is left for each of so many shares, in the statistics.
    pub preview: Option<u32>,
    /// Which elements are in question: `registers`, `gates`, `statements`, `all`, `annotated`, or names with `*` and `?`. By default registers are mutated, or statements where
    /// there are such, and cores are about all elements.
    pub elements: Vec<String>,
    /// Which of them are left out, in the same words.
    pub exclude: Vec<String>,
    /// How mutants are made and decided.
    pub mutation: MutationOptions,
    /// How cores are found.
    pub cores: CoreOptions,
    /// How states and transitions are measured.
    pub states: StateOptions,
    /// Count states where decision diagrams have them.
    pub count_states: bool,
}

/// How mutants are made and decided.
#[derive(Clone, Debug)]
pub struct MutationOptions {
    /// How elements are mutated.
    pub edits: Vec<Mutation>,
    /// Mutate words bit by bit, not as a whole.
    pub bits: bool,
    /// Who decides mutants.
    pub method: Method,
    /// Stop once this share of the findings is decided, in percent.
    pub accuracy: Option<f64>,
    /// Stop after so many times the seconds that the proofs took.
    pub budget: Option<f64>,
    /// Look for runs that show what each uncovered mutant could do unnoticed, with all effort. Without it, a small share of the effort tells those
    /// apart that can do nothing.
    pub witness: bool,
    /// Put the runs that kill mutants into the result. They can be many.
    pub traces: bool,
}

impl Default for MutationOptions {
    fn default() -> MutationOptions {
        MutationOptions {
            edits: Mutation::ALL.to_vec(),
            bits: false,
            method: Method::default(),
            accuracy: None,
            budget: None,
            witness: false,
            traces: false,
        }
    }
}

impl CoverOptions {
    /// How many threads may work.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(all_threads).max(1)
    }
}
