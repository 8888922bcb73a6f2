//! Cores of all properties of a system: of each by itself, and of all of them together.
//!
//! A set is adequate for the conjunction of properties if it is adequate for each of them. So nothing new has to be proved for the conjunction once all minimal cores of each property are known.

use super::evidence::{Ledger, Together, undecided};
use super::prove::{Proven, prove_all};
use super::session::{Bench, Case};
use super::{
    Algorithm, Core, CoreMetric, Found, Goal, InTurn, Judge, Judgement, Listener, Lists, Minimality, Parts,
    Start, search,
};
use propcov_certify::Rejection;
use propcov_engine::slices::{Extent, SliceVerdict};
use propcov_engine::{Config, Limits, Stats};
use propcov_ir::{ElementSet, Proof, PropertyId, System, Trace, UnknownReason};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the user wants to know.
    pub goal: Goal,
    /// How it is to be found out; `None` for the fastest way that we know.
    pub algorithm: Option<Algorithm>,
    /// Bounded: the property need only hold in steps up to this one. With [`Algorithm::Bvc`] there is a core for each depth up to this one.
    pub depth: Option<u32>,
    /// Seed of the solvers' decisions.
    pub seed: u64,
    /// At most so many threads.
    pub threads: usize,
    /// Whether the conjunction of all properties is asked about as well.
    pub together: bool,
    /// How long a single check of adequacy may take; by default a number of solver ticks that follows from the work of the proof.
    pub check_time: Option<Duration>,
    /// When to stop.
    pub limits: Limits,
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
    /// Whether it holds at all.
    pub holds: Holds,
    /// Its cores. Everything here is certified: proofs of cores, runs without an element, and that the list is complete.
    pub found: Found,
    /// For each of the cores found, in their order, a certified proof from it. `None` where only some steps are in question.
    pub proofs: Vec<Option<Proof>>,
    /// With [`Algorithm::Bvc`]: a core for each depth.
    pub by_depth: Vec<DepthCore>,
    /// How long the proof took, then the search for cores, and the independent checks of both.
    pub seconds: Seconds,
    /// What went wrong inside: evidence that the independent checker rejected. Never empty without a bug in propcov.
    pub internal_errors: Vec<String>,
}

/// Whether the property holds in the system as written.
#[derive(Clone, Debug)]
pub enum Holds {
    /// It does; by this engine, with an induction of this length.
    Yes {
        /// The engine that proved it.
        engine: &'static str,
        /// Length of the induction.
        k: u32,
    },
    /// No violation up to the depth asked for.
    UpTo(u32),
    /// It does not; it has no cores.
    No(Trace),
    /// It is not known; no cores are looked for.
    Unknown(UnknownReason),
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
}

/// Which elements are in question: the universe.
pub type Universe = ElementSet;

/// Finds cores of properties. Those that do not hold have none.
pub fn analyse(
    system: &System,
    universe: &Universe,
    properties: &[PropertyId],
    options: &Options,
    observer: &dyn Observer,
) -> Analysis {
    let mut stats = Stats::default();
    let proven = prove_all(system, universe, properties, options, observer, &mut stats);
    std::thread::scope(|scope| {
        let question = Question { system, universe, options, observer, scope };
        let mut analysis = Analysis { stats, ..Analysis::default() };
        let mut benches = Vec::new();
        for proven in proven {
            let (cores, bench) = question.property(proven);
            analysis.properties.push(cores);
            benches.extend(bench);
        }
        if options.together && benches.len() == properties.len() && options.algorithm != Some(Algorithm::Bvc)
        {
            analysis.together = question.together(&mut analysis.properties, &mut benches);
        }
        for bench in &benches {
            analysis.stats.merge(&bench.stats);
            analysis.stats.add("checks of adequacy", bench.checks);
        }
        analysis
    })
}

/// What is asked, and on which threads.
struct Question<'a, 'scope, 'env> {
    system: &'a System,
    universe: &'a Universe,
    options: &'a Options,
    observer: &'a dyn Observer,
    scope: &'scope Scope<'scope, 'env>,
}

impl<'a, 'scope, 'env> Question<'a, 'scope, 'env>
where
    'a: 'scope,
{
    /// The cores of one property, and the judge that found them if it holds.
    fn property(&self, proven: Proven<'a>) -> (PropertyCores, Option<Bench<'a, 'scope, 'env>>) {
        let mut cores = PropertyCores {
            property: proven.property,
            holds: proven.holds,
            found: Found { stopped: true, ..Found::default() },
            proofs: Vec::new(),
            by_depth: Vec::new(),
            seconds: Seconds { proof: proven.seconds, ..Seconds::default() },
            internal_errors: proven.internal_errors,
        };
        let Some(slices) = proven.slices else { return (cores, None) };
        let case = Case {
            system: self.system,
            property: proven.property,
            universe: self.universe.clone(),
            extent: self.options.depth.map_or(Extent::Always, Extent::UpTo),
            config: Config { seed: self.options.seed, ..Config::default() },
            limits: self.options.limits.clone(),
            check_time: self.options.check_time,
            threads: self.options.threads,
            proof_ticks: proven.ticks,
        };
        let start = Instant::now();
        let bench = match Bench::new(case, slices, self.scope, self.observer) {
            Ok(bench) => bench,
            Err(rejection) => {
                cores.not_certified(&rejection);
                return (cores, None);
            }
        };
        let bench = self.cores(bench, proven.proof, proven.first, &mut cores);
        if let Some(bench) = &bench {
            cores.seconds.certify = bench.checked_for().as_secs_f64();
        }
        cores.seconds.cores = (start.elapsed().as_secs_f64() - cores.seconds.certify).max(0.0);
        (cores, bench)
    }

    /// Searches, and has everything checked that is found.
    fn cores(
        &self,
        mut bench: Bench<'a, 'scope, 'env>,
        proof: Option<Proof>,
        first: Option<SliceVerdict>,
        cores: &mut PropertyCores,
    ) -> Option<Bench<'a, 'scope, 'env>> {
        bench.learn(proof.as_ref().map(|proof| (proof.invariant.clone(), proof.k)));
        if self.options.algorithm == Some(Algorithm::Bvc) {
            self.by_depth(&mut bench, cores);
            return Some(bench);
        }
        let core = match self.first_core(&mut bench, proof, first) {
            Ok(core) => core,
            Err(reason) => {
                cores.internal_errors.append(&mut bench.ledger().take_problems());
                if let (UnknownReason::NotCertified(why), true) = (&reason, cores.internal_errors.is_empty())
                {
                    cores.internal_errors.push(format!("a proof was not accepted: {why}"));
                }
                cores.holds = Holds::Unknown(reason);
                return None;
            }
        };
        let start = Start { core: Some(core), inadequate: Vec::new() };
        let (goal, algorithm) = (self.options.goal, self.options.algorithm);
        let mut announcer = bench.announcer();
        cores.found = search(&mut bench, self.universe, goal, algorithm, &start, &mut announcer);
        let mut ledger = bench.ledger();
        cores.internal_errors.append(&mut ledger.certify(&mut cores.found));
        cores.proofs = cores.found.cores.iter().map(|core| ledger.proof(&core.elements).cloned()).collect();
        drop(ledger);
        Some(bench)
    }

    /// A first core. What was proved is checked before anything is built on it. If the proof cannot be repeated in the solvers for slices, or not in a way that can be checked, the engines' own proof is as good: it needs all
    /// elements as far as is known.
    fn first_core(
        &self,
        bench: &mut Bench<'a, 'scope, 'env>,
        proof: Option<Proof>,
        first: Option<SliceVerdict>,
    ) -> Result<ElementSet, UnknownReason> {
        let judgement = match first {
            Some(verdict) => bench.conclude(verdict),
            None => bench.judge(self.universe),
        };
        let repeated = accepted(&mut bench.ledger(), judgement);
        match (repeated, proof) {
            (Err(_), Some(proof)) => {
                let core = self.universe.clone();
                let judgement = bench.conclude(SliceVerdict::Holds { core, proof: Some(proof) });
                accepted(&mut bench.ledger(), judgement)
            }
            (repeated, _) => repeated,
        }
    }

    /// A minimal core for each depth.
    fn by_depth(&self, bench: &mut Bench<'a, 'scope, 'env>, cores: &mut PropertyCores) {
        let mut stopped = false;
        let mut minimal = |extent: Extent, cores: &mut PropertyCores| -> Option<Core> {
            if let Err(rejection) = bench.set_extent(extent) {
                cores.not_certified(&rejection);
                return None;
            }
            let mut found = search(bench, self.universe, Goal::Minimal, None, &Start::default(), &mut ());
            cores.internal_errors.append(&mut bench.ledger().certify(&mut found));
            cores.found.undecided.append(&mut found.undecided);
            stopped |= found.stopped;
            found.cores.into_iter().next()
        };
        for depth in 0..=self.options.depth.unwrap_or(0) {
            if self.options.limits.exhausted(0) {
                return;
            }
            let (Some(up_to), Some(at)) =
                (minimal(Extent::UpTo(depth), cores), minimal(Extent::At(depth), cores))
            else {
                cores.found.stopped = stopped;
                return;
            };
            cores.by_depth.push(DepthCore { depth, up_to, at });
        }
        cores.found.stopped = stopped;
        cores.found.cores = cores.by_depth.last().map(|last| last.up_to.clone()).into_iter().collect();
    }

    /// The cores of all properties together.
    fn together(
        &self,
        properties: &mut [PropertyCores],
        benches: &mut [Bench<'a, 'scope, 'env>],
    ) -> Option<Found> {
        if properties.len() < 2 {
            return None;
        }
        let goal = self.options.goal;
        let mut heard = Heard(Vec::new());
        let must = must_of_any(properties, self.universe);
        let mut found = if goal == Goal::Must {
            Found {
                must: Some(must),
                undecided: properties.iter().flat_map(|cores| cores.found.undecided.clone()).collect(),
                stopped: properties.iter().any(|cores| cores.found.stopped),
                ..Found::default()
            }
        } else if properties.iter().all(|cores| cores.found.complete) {
            let of =
                |cores: &PropertyCores| cores.found.cores.iter().map(|core| core.elements.clone()).collect();
            let mut lists = Lists::new(self.universe, properties.iter().map(of).collect());
            search(&mut lists, self.universe, goal, None, &Start::default(), &mut heard)
        } else {
            // What is inadequate for one property is so for all of them together.
            let known = benches.iter().flat_map(|bench| bench.ledger().facts().inadequate().to_vec());
            let start = Start { core: union_of_first(properties), inadequate: known.collect() };
            let judges = benches.iter_mut().map(|bench| bench as &mut dyn Judge).collect();
            let mut found = search(&mut InTurn::new(judges), self.universe, goal, None, &start, &mut heard);
            if let Some(parts) = &mut found.must {
                parts.unknown = parts.unknown.intersection(&must.unknown);
            }
            found
        };
        let problems = self.check_together(benches, &mut found, &heard.0);
        if let Some(last) = properties.last_mut() {
            last.internal_errors.extend(problems);
        }
        Some(found)
    }

    /// Has everything checked that was found about all properties together, and announces their cores.
    fn check_together(
        &self,
        benches: &[Bench<'a, 'scope, 'env>],
        found: &mut Found,
        heard: &[Core],
    ) -> Vec<String> {
        let mut ledgers: Vec<_> = benches.iter().map(Bench::ledger).collect();
        let mut together = match Together::new(ledgers.iter_mut().map(|ledger| &mut **ledger).collect()) {
            Ok(together) => together,
            Err(rejection) => {
                *found = Found { stopped: true, ..Found::default() };
                return vec![rejection.to_string()];
            }
        };
        let problems = together.certify(found);
        let accepted = heard.iter().filter(|core| found.cores.contains(core));
        accepted.for_each(|core| self.observer.core(None, core));
        problems
    }
}

/// Remembers cores.
struct Heard(Vec<Core>);

impl Listener for Heard {
    fn core(&mut self, core: &Core) {
        self.0.push(core.clone());
    }
}

impl PropertyCores {
    /// The independent checker cannot even begin.
    fn not_certified(&mut self, rejection: &Rejection) {
        match undecided(rejection, true) {
            Some(reason) => self.holds = Holds::Unknown(reason),
            None => self.internal_errors.push(rejection.to_string()),
        }
    }
}

/// The core of a property that engines have proved, if the independent checker accepts it.
fn accepted(ledger: &mut Ledger<'_>, judgement: Judgement) -> Result<ElementSet, UnknownReason> {
    match judgement {
        Judgement::Adequate(elements) => {
            let core = Core { elements, minimal: Minimality::Unchecked };
            match ledger.certify_core(&core) {
                Ok(()) => Ok(core.elements),
                Err(rejection) => Err(ledger.reason(&rejection)),
            }
        }
        Judgement::Unknown(reason) => Err(reason),
        Judgement::Inadequate(_) => {
            Err(UnknownReason::NotCertified("a run violates the property that was proved".to_owned()))
        }
    }
}

/// What some property needs, all of them together do.
fn must_of_any(properties: &[PropertyCores], universe: &ElementSet) -> Parts {
    let nothing_known = Parts { sure: ElementSet::new(), unknown: universe.clone() };
    let each = properties.iter().map(|cores| cores.found.must.as_ref().unwrap_or(&nothing_known));
    CoreMetric::of_set(each)
}

/// One core of each property: together they suffice for all.
fn union_of_first(properties: &[PropertyCores]) -> Option<ElementSet> {
    let mut union = ElementSet::new();
    for cores in properties {
        union = union.union(&cores.found.cores.first()?.elements);
    }
    Some(union)
}
