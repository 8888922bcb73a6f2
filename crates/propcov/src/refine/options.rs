//! What is asked of `refine`.

use propcov_budget::Budget;
use propcov_coverage::refine::{Algorithm, CriteriaForm};
use propcov_frontend::graph::StateLabels;
use propcov_result::Waiver;
use std::path::PathBuf;
use std::time::Duration;

/// What is asked of `refine`.
#[derive(Clone, Debug)]
pub struct RefineOptions {
    /// Compare only these propositions; those of the specification if empty. Of SMV models any Boolean expressions, of other designs names.
    pub propositions: Vec<String>,
    /// Do not compare these propositions of the specification.
    pub ignore: Vec<String>,
    /// The implementation does not mention these propositions because they never hold.
    pub never: Vec<String>,
    /// States without successor get a loop; otherwise they are an error.
    pub complete: bool,
    /// How `.aut` files have the labels of states.
    pub state_labels: StateLabels,
    /// Measure the labels of these propositions; of all that are compared if empty.
    pub observe: Vec<String>,
    /// A file with the labels to measure, instead.
    pub mutants: Option<PathBuf>,
    /// How to find out; by default state by state, or by sets of states where there are too many to list.
    pub algorithm: Option<RefineAlgorithm>,
    /// List at most so many states of a design.
    pub most_states: usize,
    /// What to tell about the specification.
    pub criteria: Option<CriteriaForm>,
    /// Labels, by state and proposition, of which is told why they are covered or not.
    pub explain: Vec<(String, String)>,
    /// Where states are not listed, describe uncovered ones by at most so many conditions for each proposition.
    pub holes: usize,
    /// List the relation by which the specification simulates the implementation: a pair for each state, at least.
    pub relation: bool,
    /// Draw the implementation into this file, with uncovered states marked.
    pub picture: Option<PathBuf>,
    /// What the user said does not count.
    pub waivers: Vec<Waiver>,
    /// The day on which waivers count (`2027-01-31`); today if nothing is said.
    pub today: Option<String>,
    /// What has to be covered, in percent.
    pub threshold: Option<f64>,
    /// Stop after this time.
    pub timeout: Option<Duration>,
    /// How long reading may take.
    pub budget: Budget,
    /// How many threads may work; one for each core if nothing is said. Results do not depend on it.
    pub threads: Option<usize>,
    /// The seed of random divisions. Verdicts do not depend on it.
    pub seed: u64,
}

/// How it is found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefineAlgorithm {
    /// Divide and conquer over incomplete simulations, each mutant only as far as its verdict needs.
    #[default]
    Divide,
    /// The same without any shortcut, as in Figure 3 of Chockler and Kupferman (2002).
    Figure3,
    /// Each mutant from scratch.
    Naive,
    /// One relation of implementation, mutated and specification states, as a decision diagram.
    Symbolic,
}

impl Default for RefineOptions {
    fn default() -> RefineOptions {
        RefineOptions {
            propositions: Vec::new(),
            ignore: Vec::new(),
            never: Vec::new(),
            complete: false,
            state_labels: StateLabels::default(),
            observe: Vec::new(),
            mutants: None,
            algorithm: None,
            most_states: 50_000,
            criteria: Some(CriteriaForm::Removable),
            explain: Vec::new(),
            holes: 10,
            relation: false,
            picture: None,
            waivers: Vec::new(),
            today: None,
            threshold: None,
            timeout: None,
            budget: Budget::default(),
            threads: None,
            seed: 0,
        }
    }
}

impl RefineOptions {
    /// How many threads may work.
    pub(super) fn thread_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores).max(1)
    }
}

impl RefineAlgorithm {
    /// What users call it.
    pub fn name(self) -> &'static str {
        self.enumerative().map_or("symbolic", Algorithm::name)
    }

    /// The one that goes from state to state, if this is one.
    pub(super) fn enumerative(self) -> Option<Algorithm> {
        match self {
            RefineAlgorithm::Divide => Some(Algorithm::Divide),
            RefineAlgorithm::Figure3 => Some(Algorithm::Figure3),
            RefineAlgorithm::Naive => Some(Algorithm::Naive),
            RefineAlgorithm::Symbolic => None,
        }
    }
}
