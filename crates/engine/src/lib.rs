//! Engines: each decides whether an invariant holds in a (possibly edited) system.
//!
//! All of them answer with a [`Verdict`], keep to [`Limits`], can be cancelled at any moment and know nothing of
//! coverage. A new one is a module and a row in [`ENGINES`]; tests, help texts and the portfolio iterate that table.

pub mod bmc;
pub mod gate;
pub mod ic3;
pub mod infinite;
pub mod interpolation;
pub mod kinduction;
pub mod portfolio;
pub mod slices;

mod core;
mod limits;
mod problem;

pub use crate::core::reduce_core;
pub use limits::{Limits, Observer, Silent, Stats};
pub use problem::{Answer, Lemmas, Problem};

use propcov_ir::{Edits, PropertyId, System, UnknownReason, Verdict};
use propcov_solve::Unsupported;

/// What users can set about engines.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Seed of the solvers' decisions.
    pub seed: u64,
    /// Whether k-induction requires pairwise different states.
    pub simple_path: bool,
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
    pub run: fn(&Problem<'_>, &Config, &Limits, &dyn Observer, &mut Stats) -> Answer,
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
        run: |problem, config, limits, observer, stats| {
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
        run: |problem, config, limits, observer, stats| {
            let settings = kinduction::Config { seed: config.seed, simple_path: config.simple_path };
            kinduction::run(problem, settings, limits, observer, stats)
        },
    },
    Engine {
        name: "interpolation",
        summary: "over-approximate images from refutations of bounded checks",
        proves: true,
        infinite: None,
        run: |problem, config, limits, observer, stats| {
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
        run: |problem, config, limits, observer, stats| {
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

    /// The system has something that no engine here can represent.
    fn unsupported(engine: &'static str, error: &Unsupported) -> Report {
        let verdict = Verdict::Unknown(UnknownReason::Unsupported(error.to_string()));
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
    let problem = match Problem::new(system, edits, property) {
        Ok(problem) => problem,
        Err(_) if infinite::concerns(system) => {
            return infinite::check(engine, system, edits, property, config, limits, observer);
        }
        Err(error) => return Report::unsupported(engine.name, &error),
    };
    let mut stats = Stats::default();
    let answer = (engine.run)(&problem, config, limits, observer, &mut stats);
    Report { verdict: problem.conclude(answer), engine: engine.name, stats }
}
