//! Engines: each decides whether an invariant holds in a (possibly edited) system.
//!
//! All of them answer with a [`Verdict`], keep to [`Limits`], can be cancelled at any moment and know nothing of
//! coverage. [`finite`] has those for systems of bits, [`infinite`] those for ints and reals; [`check`],
//! [`portfolio::check`], [`reduce_core`], [`gate`] and [`slices`] choose between them. A new engine is a module and a
//! row in [`ENGINES`]; tests and help texts iterate that table, and portfolios choose from it.

pub mod finite;
pub mod gate;
pub mod infinite;
pub mod liveness;
pub mod portfolio;
pub mod slices;

mod limits;
mod turnstile;

pub use limits::{Limits, Observer, Silent, Stats};

use finite::{bmc, ic3, interpolation, kinduction};
use propcov_ir::{Edits, Proof, PropertyId, System, UnknownReason, Verdict};
use propcov_solve::Unsupported;

/// What users can set about engines.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Seed of the solvers' decisions.
    pub seed: u64,
    /// Whether k-induction requires pairwise different states.
    pub simple_path: bool,
    /// The length of induction that suites of properties are known to take: on the way there few others are tried.
    pub depth: Option<u32>,
    /// How arrays of finite systems are represented.
    pub arrays: finite::Arrays,
}

/// A way to decide a problem.
pub struct Engine {
    /// The name users type.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Whether it can prove, not only refute.
    pub proves: bool,
    /// Runs it on a system with ints and reals, if it can.
    pub infinite: Option<infinite::Run>,
    /// Runs it on a finite system.
    pub finite: finite::Run,
}

/// All engines.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "ic3",
        summary: "property directed reachability: lemmas by induction relative to frames",
        proves: true,
        infinite: Some(|problem, property, _, limits, observer, stats| {
            infinite::ic3::run(problem, property, &mut infinite::Alone, limits, observer, stats)
        }),
        finite: |problem, config, limits, observer, stats| {
            let settings = ic3::Config { seed: config.seed, ..ic3::Config::default() };
            ic3::run(problem, &settings, limits, observer, stats).0
        },
    },
    Engine {
        name: "kinduction",
        summary: "temporal induction of growing length, with bounded model checking as its base",
        proves: true,
        infinite: Some(|problem, property, _, limits, observer, stats| {
            infinite::induction::run(problem, property, limits, observer, stats)
        }),
        finite: |problem, config, limits, observer, stats| {
            let settings = kinduction::Config { seed: config.seed, simple_path: config.simple_path };
            kinduction::run(problem, settings, limits, observer, stats)
        },
    },
    Engine {
        name: "interpolation",
        summary: "over-approximate images from refutations of bounded checks",
        proves: true,
        infinite: None,
        finite: |problem, config, limits, observer, stats| {
            interpolation::run(problem, config.seed, limits, observer, stats)
        },
    },
    Engine {
        name: "bmc",
        summary: "bounded model checking: shortest counterexamples, no proofs",
        proves: false,
        infinite: Some(|problem, property, _, limits, observer, stats| {
            infinite::base::run(problem, property, limits, observer, stats)
        }),
        finite: |problem, config, limits, observer, stats| {
            bmc::run(problem, config.seed, limits, observer, stats)
        },
    },
];

/// What came of a run.
#[derive(Debug)]
pub struct Report {
    /// The answer, to be certified before anyone believes it.
    pub verdict: Verdict,
    /// The engine that found it.
    pub engine: &'static str,
    /// What it took.
    pub stats: Stats,
}

impl Report {
    /// The property is not one for engines of invariants.
    fn no_invariant(engine: &'static str) -> Report {
        let reason = UnknownReason::Unsupported("a property that is no invariant".to_owned());
        Report { verdict: Verdict::Unknown(reason), engine, stats: Stats::default() }
    }

    /// The system has something that no engine here can represent, or the budget was used up.
    fn unsupported(engine: &'static str, error: Unsupported) -> Report {
        let verdict = Verdict::Unknown(error.into());
        Report { verdict, engine, stats: Stats::default() }
    }
}

/// Decides one property with one engine.
pub fn check(
    engine: &Engine,
    system: &System,
    edits: &Edits,
    property: PropertyId,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Report {
    match finite::check(engine, system, edits, property, config, limits, observer) {
        Ok(report) => report,
        Err(error @ Unsupported::Stopped(_)) => Report::unsupported(engine.name, error),
        Err(_) if infinite::concerns(system) => {
            infinite::check(engine, system, edits, property, config, limits, observer)
        }
        Err(error) => Report::unsupported(engine.name, error),
    }
}

/// Replaces the proof's core by one that its argument really uses. Says whether that was possible: the core of a proof
/// with simple paths, or one that the budget does not suffice for, stays as it is.
pub fn reduce_core(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    proof: &mut Proof,
    limits: &Limits,
    stats: &mut Stats,
) -> bool {
    if proof.simple_path {
        return false;
    }
    match finite::core::reduce_core(system, edits, property, proof, limits, stats) {
        Ok(reduced) => reduced,
        Err(Unsupported::Stopped(_)) => false,
        Err(_) => infinite::core::reduce_core(system, edits, property, proof, limits, stats),
    }
}
