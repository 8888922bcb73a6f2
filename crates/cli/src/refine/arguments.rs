//! The arguments of `propcov refine`.

use crate::args::{MemoryArguments, format_parser, parse_time};
use crate::config::ConfigArguments;
use crate::cover::arguments::parse_percent;
use crate::cover::arguments::split_lists;
use crate::progress::ProgressArguments;
use clap::{Args, ValueEnum};
use propcov::report::Format;
use propcov::{CriteriaForm, RefineAlgorithm, RefineOptions, StateLabels};
use std::path::PathBuf;
use std::time::Duration;

/// How many uncovered states of a proposition are listed unless somebody asks for more.
const HOLES: usize = 10;

/// The arguments of `propcov refine`.
#[derive(Args, Debug)]
pub(crate) struct RefineArguments {
    /// The implementation: a graph (.dot .aut .tra .json), or a finite design (.smv .btor2 .aag …); `-` reads standard input
    #[arg(value_name = "IMPL")]
    pub(crate) implementation: Option<PathBuf>,

    /// The specification, likewise
    #[arg(value_name = "SPEC")]
    pub(crate) specification: Option<PathBuf>,

    /// Measure where the labels of this proposition are checked; several: p,q [default: all]
    #[arg(long, value_name = "LIST", conflicts_with_all = ["all", "mutants"])]
    observe: Vec<String>,

    /// Measure all propositions that are compared (default)
    #[arg(long)]
    pub(crate) all: bool,

    /// Measure only the labels that FILE lists: a state and a proposition in each line; of a design, `PROPOSITION: EXPRESSION`
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    pub(crate) mutants: Option<PathBuf>,

    /// Compare only these propositions [default: those of the specification]; of SMV models any Boolean expressions, of other designs names
    #[arg(long, value_name = "LIST")]
    propositions: Vec<String>,

    /// Do not compare this proposition of the specification; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) ignore: Vec<String>,

    /// The implementation does not mention this proposition because it never holds; may be given several times
    #[arg(long = "false", value_name = "NAME")]
    pub(crate) never: Vec<String>,

    /// States without successor get a loop; otherwise they are an error
    #[arg(long)]
    pub(crate) complete: bool,

    /// How .aut files have the labels of states
    #[arg(long, value_enum, value_name = "HOW", default_value_t = LabelsChoice::Auto)]
    pub(crate) state_labels: LabelsChoice,

    /// How to find out [default: divide, or symbolic for designs with too many states to list]
    #[arg(long, short = 'a', value_enum, value_name = "ALGORITHM")]
    pub(crate) algorithm: Option<AlgorithmChoice>,

    /// Simulate every mutant from scratch, for comparison: the same as --algorithm naive
    #[arg(long, conflicts_with = "algorithm")]
    naive: bool,

    /// List at most so many states of a design; with more, sets of states are computed
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    pub(crate) most_states: usize,

    /// Show why the label of a proposition in a state is covered, or how the flipped one passes; may be given several times
    #[arg(long, value_names = ["STATE", "PROPOSITION"], num_args = 2)]
    pub(crate) explain: Vec<String>,

    /// Draw the implementation, with uncovered states marked, into FILE: .dot, or .svg for at most 200 states and 1000 transitions
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,

    /// What to tell about the specification, and what counts as an unimplemented transition of it
    #[arg(long, value_enum, value_name = "HOW", default_value_t = CriteriaChoice::Removable)]
    pub(crate) criteria: CriteriaChoice,

    /// Fail (exit code 3) when less than this is certainly covered (80%)
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub(crate) threshold: Option<f64>,

    /// List at most so many uncovered states of each proposition
    #[arg(long, value_name = "N", default_value_t = HOLES)]
    pub(crate) holes: usize,

    /// Stop the whole run after this time (30, 30s, 5m, 1h)
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_time)]
    pub(crate) timeout: Option<Duration>,

    #[command(flatten)]
    pub(crate) memory: MemoryArguments,

    /// How many threads may work; results do not depend on it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Seed of random divisions; verdicts do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// How to print results on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub(crate) format: &'static Format,

    /// Also print what it took: pairs, counter updates, seconds, memory
    #[arg(long)]
    pub(crate) stats: bool,

    #[command(flatten)]
    pub(crate) progress: ProgressArguments,

    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

/// How state labels are written in .aut files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LabelsChoice {
    /// Whichever it is, where that is certain
    Auto,
    /// As loops whose action is a proposition
    Loops,
    /// As the action of every transition out of the state
    Sources,
    /// As `ltsmin-convert --encode` writes them
    Encoded,
}

/// How coverage is found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlgorithmChoice {
    /// Divide and conquer over incomplete simulations, each mutant only as far as its verdict needs
    Divide,
    /// The same without any shortcut, as in Figure 3 of Chockler and Kupferman (2002)
    Figure3,
    /// Each mutant from scratch
    Naive,
    /// One relation of implementation, mutated and specification states, as a decision diagram
    Symbolic,
}

/// What is told about the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CriteriaChoice {
    /// A transition is unimplemented if the specification without it still simulates the implementation
    Removable,
    /// A transition is unimplemented between partners of implementation states that no transition connects, as in Katz, Grumberg and Geist (1999)
    Kgg99,
    /// Nothing
    None,
}

impl RefineArguments {
    /// What is asked of the library.
    pub(super) fn options(&self) -> RefineOptions {
        let algorithm = if self.naive { Some(AlgorithmChoice::Naive) } else { self.algorithm };
        RefineOptions {
            propositions: split_lists(&self.propositions),
            ignore: self.ignore.clone(),
            never: self.never.clone(),
            complete: self.complete,
            state_labels: self.state_labels.into(),
            observe: split_lists(&self.observe),
            mutants: self.mutants.clone(),
            algorithm: algorithm.map(Into::into),
            most_states: self.most_states,
            criteria: self.criteria.into(),
            explain: self.explain.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect(),
            holes: self.holes,
            relation: false,
            picture: self.picture.clone(),
            waivers: Vec::new(),
            today: None,
            threshold: self.threshold,
            timeout: self.timeout,
            budget: propcov_budget::Budget::default(),
            threads: self.threads.map(usize::from),
            seed: self.seed,
        }
    }
}

impl From<AlgorithmChoice> for RefineAlgorithm {
    fn from(choice: AlgorithmChoice) -> RefineAlgorithm {
        match choice {
            AlgorithmChoice::Divide => RefineAlgorithm::Divide,
            AlgorithmChoice::Figure3 => RefineAlgorithm::Figure3,
            AlgorithmChoice::Naive => RefineAlgorithm::Naive,
            AlgorithmChoice::Symbolic => RefineAlgorithm::Symbolic,
        }
    }
}

impl From<CriteriaChoice> for Option<CriteriaForm> {
    fn from(choice: CriteriaChoice) -> Option<CriteriaForm> {
        match choice {
            CriteriaChoice::Removable => Some(CriteriaForm::Removable),
            CriteriaChoice::Kgg99 => Some(CriteriaForm::Kgg99),
            CriteriaChoice::None => None,
        }
    }
}

impl From<LabelsChoice> for StateLabels {
    fn from(choice: LabelsChoice) -> StateLabels {
        match choice {
            LabelsChoice::Auto => StateLabels::Auto,
            LabelsChoice::Loops => StateLabels::Loops,
            LabelsChoice::Sources => StateLabels::Sources,
            LabelsChoice::Encoded => StateLabels::Encoded,
        }
    }
}
