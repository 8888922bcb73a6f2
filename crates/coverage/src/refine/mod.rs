//! Coverage by simulating specifications: does a specification simulate an implementation, and which of the implementation's labels does it constrain?
//!
//! Chockler and Kupferman, "Coverage of implementations by simulating specifications" (2002). Similarity is that of Henzinger, Henzinger and Kopke,
//! "Computing simulations on finite and infinite graphs" (FOCS 1995).
//!
//! From below: `rows` of bits and which labels fit (`fits`); the `setting` and the `product`, which say what is in question at all; `similarity` with a trail; small simulations as evidence (`base`), which
//! are mended for each mutant (`patch`), and refutations where that fails (`kill`); the `judge`, who has all evidence checked. Above these, one file for each question: whether it
//! is simulated, from which all others start (`study`); `cover` with its tree (`divide`, `incomplete`) and the `naive` way; `criteria`; `explain`. On top, a [`Survey`] asks all of them
//! in turn, and [`record`] puts what it found into a result, with names instead of numbers.

mod base;
mod cover;
mod criteria;
mod divide;
mod explain;
mod fits;
mod incomplete;
mod judge;
mod kill;
mod naive;
mod pair;
mod passage;
mod patch;
mod product;
pub mod record;
mod rows;
mod setting;
mod similarity;
mod stats;
mod study;
mod survey;
mod watch;

pub use explain::explain;
pub use pair::{Pair, PairError, Side};
pub use passage::passage;
pub use stats::Stats;
pub use study::{Simulated, cover, criteria, simulate, study, unmatched_transitions};
pub use survey::{Found, Questions, Survey, Transitions, Work, all_labels};

use propcov_budget::Budget;
use propcov_ir::{Distinction, LabelFlip, Simulation};
use thiserror::Error;

/// How the covered labels are found. All find the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The procedure of Figure 3, which stops as soon as something is decided.
    Divide,
    /// The procedure of Figure 3 as it is in the paper, but with undo instead of copies.
    Figure3,
    /// Similarity from scratch for each mutant.
    Naive,
}

impl Algorithm {
    /// All of them; the first is the best.
    pub const ALL: [Algorithm; 3] = [Algorithm::Divide, Algorithm::Figure3, Algorithm::Naive];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Divide => "divide",
            Algorithm::Figure3 => "figure3",
            Algorithm::Naive => "naive",
        }
    }
}

/// How to look for covered labels.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// For the random divisions.
    pub seed: u64,
    /// How many threads may work.
    pub threads: usize,
    /// When to stop. What is decided by then is kept.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options { algorithm: Algorithm::Divide, seed: 0, threads: 1, budget: Budget::default() }
    }
}

/// What is asked about the transitions of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriteriaForm {
    /// Which of them it could do without, each by itself.
    Removable,
    /// Which of them connect states that stand for states without a transition, as in Katz, Grumberg and Geist.
    Kgg99,
}

impl CriteriaForm {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            CriteriaForm::Removable => "removable",
            CriteriaForm::Kgg99 => "kgg99",
        }
    }
}

/// Whether the specification simulates the implementation, with evidence that the independent checker has accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It does.
    Simulated(Simulation),
    /// It does not.
    Distinguished(Distinction),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Stopped {
    /// The budget did not suffice.
    #[error("undecided within the budget")]
    Budget,
    /// The graphs are too large for the numbers that count pairs.
    #[error("{0}")]
    TooLarge(String),
    /// The checker refused evidence, or a caller did not keep its promise: a bug.
    #[error("{0}")]
    Internal(String),
}

/// Is told about progress, from any thread.
pub trait Observer: Sync {
    /// So many of so many flips are decided.
    fn decided(&self, done: usize, total: usize);
}

/// Nobody who looks.
impl Observer for () {
    fn decided(&self, _: usize, _: usize) {}
}

/// Which of the flips are covered.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// In the order in which they were given.
    pub findings: Vec<(LabelFlip, FlipStatus)>,
    /// What it took.
    pub stats: Stats,
}

/// What is known of a mutant. The first two are said only after the checker has accepted evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlipStatus {
    /// The specification does not simulate it.
    Covered,
    /// The specification simulates it as well.
    Uncovered,
    /// Nothing, as the state is not reachable: no specification can constrain its label.
    Unreachable,
    /// The budget ran out.
    Unknown,
}

/// Why a flip is covered or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// The mutant has a behaviour that the specification does not have.
    Covered(Distinction),
    /// The specification has all behaviours of the mutant.
    Uncovered {
        /// A simulation for the mutant.
        simulation: Simulation,
        /// The states of the specification that stand for the flipped state in it.
        partners: Vec<u32>,
    },
    /// The state is not reachable.
    Unreachable,
}

/// The criteria of Katz, Grumberg and Geist ("Have I written enough properties?", CHARME 1999) as the paper's §5 has them. RS is the greatest simulation, restricted to the pairs that initial
/// pairs in it reach by simultaneous steps inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// Initial states of the specification that RS relates to no initial state.
    pub unimplemented_start_states: Vec<u32>,
    /// Reachable states of the specification that RS relates to no state.
    pub unimplemented_states: Vec<u32>,
    /// Transitions from reachable states of the specification without which, each by itself, it still simulates the implementation.
    pub unimplemented_transitions: Vec<(u32, u32)>,
    /// States of the specification that RS relates to several states, and these.
    pub many_to_one: Vec<(u32, Vec<u32>)>,
}

/// A transition of the specification from w′ to u′ where RS has (w, w′) and (u, u′), but the implementation has no transition from w to u.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmatchedTransition {
    /// w′ and u′.
    pub transition: (u32, u32),
    /// The first w and u.
    pub example: (u32, u32),
    /// How many w and u there are.
    pub count: u64,
}
