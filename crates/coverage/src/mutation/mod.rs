//! Mutation coverage: which mutants of a design does some property notice?
//!
//! Three ways to the same answers: [`Method::Pipeline`] is ours, [`Method::Algorithm1`] the one of Chockler, Kroening and
//! Purandare (*Coverage in interpolation-based model checking*, DAC 2010), and [`Method::Naive`] one model checking run per
//! mutant, for comparison. The pipeline is there twice: over circuits, and over sums (`numbers`) where there are ints and reals.

mod algorithm1;
mod bmc;
mod bounded;
mod evidence;
mod family;
mod induction;
mod legal;
mod naive;
mod numbers;
mod pipeline;
mod pursuit;
mod random;
mod recheck;
pub mod record;
mod renew;
mod repair;
mod search;
mod session;
mod shortest;
mod simulate;
mod together;
mod unrolled;

pub use recheck::{Recheck, Standing, recheck_proof, recheck_proofs, recheck_violation};
pub use renew::renew;
pub use session::{Listener, Silent};
pub use shortest::{Killing, killing};

use propcov_budget::{Effort, Interrupt};
use propcov_engine::Stats;
use propcov_engine::finite::Arrays;
use propcov_ir::{Finding, Mutant, Proof, PropertyId, Status, Stimulus, System};
use rustc_hash::FxHashSet;
use session::Session;
use std::sync::Arc;
use std::time::Instant;

/// A property that holds, and why.
#[derive(Clone, Debug)]
pub struct Target {
    /// The property.
    pub property: PropertyId,
    /// Why it holds on the design as written.
    pub ground: Ground,
    /// How deep the engine looked: frames of IC3, k of k-induction, for interpolation its bound k plus its m images. The paper's
    /// e = k + m.
    pub depth: u32,
    /// The work of whoever proved it, in solver ticks: what others may spend is measured by it. 0 if that is not known.
    pub ticks: u64,
}

impl Target {
    /// Whether a status says something here: where the property is only known up to a bound, runs beyond it do not count.
    fn counts(&self, status: &Status) -> bool {
        match (&self.ground, status) {
            (Ground::UpTo(bound), Status::Covered(kill)) => kill.steps <= *bound as usize + 1,
            (Ground::UpTo(bound), Status::Bounded(known)) => known == bound,
            (Ground::Proved(_), Status::Bounded(_)) => false,
            _ => true,
        }
    }
}

/// Why a property holds, on the design as written or on a mutant. Either has been certified.
#[derive(Clone, Debug)]
pub enum Ground {
    /// It is proved.
    Proved(Arc<Proof>),
    /// No run of so many transitions violates it. That is no proof, and what is found out about mutants is no more than that either.
    UpTo(u32),
}

impl Ground {
    /// The proof, if it is one.
    pub fn proof(&self) -> Option<&Arc<Proof>> {
        match self {
            Ground::Proved(proof) => Some(proof),
            Ground::UpTo(_) => None,
        }
    }

    /// What is said of a mutant that survives on this ground.
    fn status(&self) -> Status {
        match self {
            Ground::Proved(proof) => Status::Uncovered(Arc::clone(proof)),
            Ground::UpTo(bound) => Status::Bounded(*bound),
        }
    }
}

/// How coverage is computed, and for how long.
#[derive(Clone, Debug)]
pub struct Options {
    /// The algorithm.
    pub method: Method,
    /// Seed of all random choices.
    pub seed: u64,
    /// How many threads may work. Findings do not depend on it.
    pub threads: usize,
    /// Not beyond this moment.
    pub deadline: Option<Instant>,
    /// Not after this was raised.
    pub interrupt: Interrupt,
    /// Stop once this share of the findings is decided (0 to 1).
    pub accuracy: Option<f64>,
    /// What each mutant is worth, where nothing else ends the search.
    pub effort: Effort,
    /// How memories are represented at first.
    pub arrays: Arrays,
    /// What is known of similar designs.
    pub advice: Advice,
    /// What others find out: left alone here.
    pub elsewhere: FxHashSet<(PropertyId, Mutant)>,
}

/// Runs and lemmas that may be of use, for instance those of the design before it was changed. They need not fit, and nothing about them is believed.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// Tried on undecided mutants, as random runs are.
    pub stimuli: Vec<Arc<Stimulus>>,
    /// Their lemmas are kept as far as they hold.
    pub proofs: Vec<Arc<Proof>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::default(),
            seed: 0,
            threads: 1,
            deadline: None,
            interrupt: Interrupt::default(),
            accuracy: None,
            effort: Effort::default(),
            arrays: Arrays::WATCHED,
            advice: Advice::default(),
            elsewhere: FxHashSet::default(),
        }
    }
}

/// The algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The techniques of ours, in this order.
    Pipeline(Vec<Technique>),
    /// The tests of the paper's Algorithm 1, in this order.
    Algorithm1(Vec<Technique>),
    /// One model checking run per mutant.
    Naive,
}

impl Default for Method {
    fn default() -> Method {
        Method::Pipeline(Technique::PIPELINE.to_vec())
    }
}

/// What can decide a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Technique {
    /// The property does not depend on the element.
    Cone,
    /// The proof does not use the element (Lemma 2).
    Core,
    /// A random run, or one that killed another mutant, kills this one.
    Simulation,
    /// The proof's invariant is inductive on the mutant: one query for all mutants.
    FamilyInduction,
    /// A bounded search for a mutant that fails: one query for all mutants and each depth.
    FamilyBmc,
    /// Part of a known invariant is inductive on the mutant and strong enough.
    Repair,
    /// One IC3 search for all mutants that are left.
    FamilyIc3,
    /// The properties that are left of one mutant, proved or refuted together.
    Joint,
    /// IC3 on one mutant, starting from the lemmas known.
    Ic3,
    /// Bounded model checking of the mutant (§4.4).
    Counterexample,
    /// The clauses in the proof of inductiveness refute the mutant's too (Lemma 3).
    Induction,
    /// The invariant is inductive on the mutant (Lemma 4).
    InductionRestart,
    /// Interpolation-based model checking of the mutant.
    Interpolation,
}

impl Technique {
    /// Ours, cheapest first.
    pub const PIPELINE: [Technique; 9] = [
        Technique::Cone,
        Technique::Core,
        Technique::Simulation,
        Technique::FamilyInduction,
        Technique::FamilyBmc,
        Technique::Repair,
        Technique::FamilyIc3,
        Technique::Joint,
        Technique::Ic3,
    ];

    /// The paper's, in its order.
    pub const ALGORITHM_1: [Technique; 5] = [
        Technique::Core,
        Technique::Counterexample,
        Technique::Induction,
        Technique::InductionRestart,
        Technique::Interpolation,
    ];

    /// The word users type and read.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Cone => "cone",
            Technique::Core => "core",
            Technique::Simulation => "simulation",
            Technique::FamilyInduction => "family-induction",
            Technique::FamilyBmc => "family-bmc",
            Technique::Repair => "repair",
            Technique::FamilyIc3 => "family-ic3",
            Technique::Joint => "joint",
            Technique::Ic3 => "ic3",
            Technique::Counterexample => "counterexample",
            Technique::Induction => "induction",
            Technique::InductionRestart => "induction-restart",
            Technique::Interpolation => "interpolation",
        }
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Technique::Cone => "the property does not depend on the element",
            Technique::Core => "the proof does not use the element",
            Technique::Simulation => "a random run, or one that killed another mutant, kills this one",
            Technique::FamilyInduction => {
                "the invariant is inductive on the mutant: one query for all mutants"
            }
            Technique::FamilyBmc => "bounded search for any mutant that fails: one query per depth",
            Technique::Repair => "a part of known invariants is inductive on the mutant and suffices",
            Technique::FamilyIc3 => "one IC3 search for all mutants that are left",
            Technique::Joint => "the properties that are left of one mutant, searched together",
            Technique::Ic3 => "IC3 on the mutant, starting from the lemmas known",
            Technique::Counterexample => "bounded model checking of the mutant",
            Technique::Induction => {
                "the refutation of the original's induction step also refutes the mutant's"
            }
            Technique::InductionRestart => "the invariant is inductive on the mutant: one query each",
            Technique::Interpolation => "interpolation-based model checking of the mutant",
        }
    }
}

/// What a run found, and what it took.
#[derive(Debug, Default)]
pub struct Outcome {
    /// One for each property and mutant, by property, then by mutant.
    pub findings: Vec<Finding>,
    /// Solver calls and other counts.
    pub stats: Stats,
    /// Whether some mutants were given up on because they took more than the effort allows.
    pub out_of_effort: bool,
    /// Evidence that the checker rejected: bugs of propcov.
    pub internal_errors: Vec<String>,
}

/// Decides every mutant for every property, as far as the options let it. What is `known` from an earlier run is taken over.
pub fn run(
    system: &System,
    targets: &[Target],
    mutants: &[Mutant],
    known: &[Finding],
    options: &Options,
    listener: &dyn Listener,
) -> Outcome {
    let mut session = Session::new(system, targets, mutants, known, options, listener);
    match &options.method {
        Method::Pipeline(techniques) => {
            let is_about_numbers = |target: &usize| numbers::concerns(system, targets[*target].property);
            let (of_numbers, finite): (Vec<usize>, Vec<usize>) =
                (0..targets.len()).partition(is_about_numbers);
            pipeline::run(&mut session, &finite, techniques);
            numbers::run(&mut session, &of_numbers, techniques);
        }
        Method::Algorithm1(tests) => algorithm1::run(&mut session, tests),
        Method::Naive => naive::run(&mut session),
    }
    session.finish()
}
