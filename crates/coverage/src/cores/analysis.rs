//! Cores of all properties of a system: of each by itself, and of all of them together.
//!
//! A set is adequate for the conjunction of properties if it is adequate for each of them. So nothing new has to be proved for the conjunction once all minimal cores of each property are known.

use super::study::Study;
use super::{Algorithm, Core, Found, Goal, Memory, Part};
use propcov_engine::Stats;
use propcov_ir::{ElementSet, Proof, PropertyId, UnknownReason};
use propcov_verify::{Client, Outcome, Verifier};
use std::time::Duration;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the user wants to know.
    pub goal: Goal,
    /// How it is to be found out; `None` for the fastest way that we know.
    pub algorithm: Option<Algorithm>,
    /// Bounded: the property need only hold in steps up to this one. With [`Algorithm::Bvc`] there is a core for each depth up to this one.
    pub depth: Option<u32>,
    /// At most so many threads.
    pub threads: usize,
    /// Whether the conjunction of all properties is asked about as well.
    pub together: bool,
    /// How long a single check of adequacy may take; by default a number of solver ticks that follows from the work of the proof.
    pub check_time: Option<Duration>,
    /// Which of the questions are asked here, and which are left to others.
    pub part: Part,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Analysis {
    /// Each property, in the order in which they were asked about.
    pub properties: Vec<PropertyCores>,
    /// All properties together, if that was asked for and all of them hold.
    pub together: Option<Found>,
    /// Solver calls, and how many checks each technique decided.
    pub stats: Stats,
}

/// The cores of one property.
#[derive(Debug)]
pub struct PropertyCores {
    /// The property.
    pub property: PropertyId,
    /// Whether it holds at all. What went wrong inside is here, too: evidence that the independent checker rejected.
    pub outcome: Outcome,
    /// Bounded: whether it holds was asked up to this depth.
    pub depth: Option<u32>,
    /// Its cores. Everything here is certified: proofs of cores, runs without an element, and that the list is complete.
    pub found: Found,
    /// For each of the cores found, in their order, a certified proof from it. `None` where only some steps are in question.
    pub proofs: Vec<Option<Proof>>,
    /// With [`Algorithm::Bvc`]: a core for each depth.
    pub by_depth: Vec<DepthCore>,
    /// How long the proof took, then the search for cores, and the independent checks of both.
    pub seconds: Seconds,
}

impl Analysis {
    /// What came of each property. Seconds are those of its proof: what was spent for cores is told with these.
    pub fn outcomes(&self) -> Vec<Outcome> {
        let outcome = |cores: &PropertyCores| Outcome {
            seconds: cores.seconds.proof,
            certify_seconds: 0.0,
            stats: Stats::default(),
            ..cores.outcome.clone()
        };
        self.properties.iter().map(outcome).collect()
    }
}

impl PropertyCores {
    /// Whether the property holds in the system as written, as far as was asked.
    pub fn holds(&self) -> Holds<'_> {
        let answer = &self.outcome.answer;
        match answer.reason() {
            None if answer.is_proved() => Holds::Yes {
                engine: self.outcome.engine.unwrap_or_default(),
                k: answer.proof().map_or(0, |proof| proof.k),
            },
            None => Holds::No,
            Some(UnknownReason::Bounded(depth)) if self.depth == Some(*depth) => Holds::UpTo(*depth),
            Some(reason) => Holds::Unknown(reason),
        }
    }

    /// Whether it does, as far as was asked: so it has cores.
    pub fn is_good(&self) -> bool {
        matches!(self.holds(), Holds::Yes { .. } | Holds::UpTo(_))
    }
}

/// Whether the property holds in the system as written.
#[derive(Clone, Copy, Debug)]
pub enum Holds<'p> {
    /// It does; by this engine, with an induction of this length.
    Yes {
        /// The engine that proved it.
        engine: &'static str,
        /// Length of the induction; 0 where it was proved otherwise.
        k: u32,
    },
    /// No violation up to the depth asked for.
    UpTo(u32),
    /// It does not; it has no cores.
    No,
    /// It is not known; no cores are looked for.
    Unknown(&'p UnknownReason),
}

/// A bounded core.
#[derive(Clone, Debug)]
pub struct DepthCore {
    /// Number of transitions.
    pub depth: u32,
    /// Suffices for all steps up to the depth (thesis, Definition 5).
    pub up_to: Core,
    /// Suffices for the last of these steps alone, as the thesis's Algorithm 9 and its figures have it.
    pub at: Core,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seconds {
    /// The proof of the property.
    pub proof: f64,
    /// The search for cores.
    pub cores: f64,
    /// The independent checks.
    pub certify: f64,
}

/// Hears of what is found while it is looked for.
pub trait Observer: Sync {
    /// What is being done, for people who wait.
    fn progress(&self, property: PropertyId, stage: &str, cores: usize, checks: u64);
    /// A certified core of a property (`None`: of all together).
    fn core(&self, property: Option<PropertyId>, core: &Core);
    /// Who knows what earlier runs found out, and keeps the evidence of this one; by default nobody does. What holds up to a depth only is not kept.
    fn memory(&self) -> Option<&dyn Memory> {
        None
    }
}

/// Which elements are in question: the universe.
pub type Universe = ElementSet;

/// Proves properties, and finds cores of those that hold.
pub fn analyse(
    verifier: &Verifier<'_>,
    universe: &Universe,
    properties: &[PropertyId],
    options: &Options,
    observer: &dyn Observer,
) -> Analysis {
    let prove = |client: &mut dyn Client| verifier.prove(properties, client).outcomes;
    analyse_with(verifier, universe, properties, options, observer, prove)
}

/// The same with proofs that serve others as well. `prove` has the client take part in them, by [`Verifier::prove`] or in some other
/// way, and returns all outcomes; of those that the client did not hear of, cores are looked for in the end.
pub fn analyse_with(
    verifier: &Verifier<'_>,
    universe: &Universe,
    properties: &[PropertyId],
    options: &Options,
    observer: &dyn Observer,
    prove: impl FnOnce(&mut dyn Client) -> Vec<Outcome>,
) -> Analysis {
    std::thread::scope(|scope| {
        let mut study = Study::new(verifier, universe, properties, options, observer, scope);
        let outcomes = prove(&mut study);
        study.finish(&outcomes)
    })
}
