//! Questions to [`analyse`], and what is heard meanwhile.

use super::oracle::Truth;
use super::statements::{self, shown};
use propcov_budget::{Budget, Interrupt};
use propcov_certify::{check_proof, check_trace};
use propcov_coverage::cores::{
    self, Algorithm, Analysis, Core, DepthCore, Goal, Holds, Observer, PropertyCores, analyse,
};
use propcov_engine::{Config, Limits};
use propcov_ir::{Edit, Edits, ElementSet, PropertyId, System};
use propcov_verify::{Silent, Verifier};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A goal, and perhaps an algorithm that serves it.
pub(crate) type Way = (Goal, Option<Algorithm>);

const GOALS: [Goal; 6] = [Goal::One, Goal::Minimal, Goal::Minimum, Goal::All, Goal::Must, Goal::May];

/// Each goal without an algorithm.
pub(crate) fn default_ways() -> Vec<Way> {
    GOALS.into_iter().map(|goal| (goal, None)).collect()
}

/// Each goal without an algorithm, and with each that serves it. Cores by depth are another matter.
pub(crate) fn ways() -> Vec<Way> {
    let mut ways = default_ways();
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| *algorithm != Algorithm::Bvc) {
        ways.extend(algorithm.goals().iter().map(|goal| (*goal, Some(algorithm))));
    }
    ways
}

/// What is asked, and within which limits.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) goal: Goal,
    pub(crate) algorithm: Option<Algorithm>,
    pub(crate) depth: Option<u32>,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) together: bool,
    pub(crate) limits: Limits,
}

impl Options {
    /// Asks it.
    pub(crate) fn ask(
        &self,
        system: &System,
        universe: &ElementSet,
        properties: &[PropertyId],
        log: &dyn Observer,
    ) -> Analysis {
        let Options { goal, algorithm, depth, threads, together, .. } = *self;
        let options = cores::Options {
            goal,
            algorithm,
            depth,
            threads,
            together,
            check_time: None,
            part: cores::Part::Everything,
        };
        let config = Config { seed: self.seed, ..Config::default() };
        let wanted = propcov_verify::Options { config, ..propcov_verify::Options::default() };
        let verifier = Verifier::new(system, wanted, self.limits.clone(), &Silent);
        analyse(&verifier, universe, properties, &options, log)
    }
}

/// Options without limits.
pub(crate) fn options((goal, algorithm): Way, seed: u64) -> Options {
    Options { goal, algorithm, depth: None, seed, threads: 1, together: false, limits: Limits::default() }
}

/// Hears all that is announced, and stops the search at some moment if it is told to.
#[derive(Default)]
pub(crate) struct Log {
    cores: Mutex<Vec<(Option<PropertyId>, Core)>>,
    calls: AtomicU64,
    /// After so many announcements.
    pub(crate) stop: Option<(u64, Interrupt)>,
}

impl Log {
    fn count(&self) {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some((after, interrupt)) = &self.stop
            && calls >= *after
        {
            interrupt.raise();
        }
    }

    /// The cores of one property, or of all together.
    pub(crate) fn heard(&self, property: Option<PropertyId>) -> Vec<Core> {
        let cores = self.cores.lock().expect("nobody panics");
        cores.iter().filter(|(of, _)| *of == property).map(|(_, core)| core.clone()).collect()
    }
}

impl Observer for Log {
    fn progress(&self, _: PropertyId, _: &str, _: usize, _: u64) {
        self.count();
    }

    fn core(&self, property: Option<PropertyId>, core: &Core) {
        self.cores.lock().expect("nobody panics").push((property, core.clone()));
        self.count();
    }
}

/// A system, which elements are in question, and some of its properties.
pub(crate) struct Question<'a> {
    pub(crate) system: &'a System,
    pub(crate) universe: &'a ElementSet,
    pub(crate) properties: &'a [PropertyId],
}

impl Question<'_> {
    pub(crate) fn ask(&self, options: &Options) -> (Analysis, Log) {
        let log = Log::default();
        (self.ask_with(options, &log), log)
    }

    /// The same with another listener.
    pub(crate) fn ask_with(&self, options: &Options, log: &Log) -> Analysis {
        options.ask(self.system, self.universe, self.properties, log)
    }

    /// Everything in an answer that must not depend on chance: all but the time it took.
    pub(crate) fn fingerprint(&self, options: &Options) -> String {
        let (analysis, log) = self.ask(options);
        let mut text = analysis.together.as_ref().map(shown).unwrap_or_default();
        for (property, core) in log.cores.lock().expect("nobody panics").iter() {
            text += &format!("\n{property:?} has{}", statements::cores(std::slice::from_ref(core)));
        }
        for cores in &analysis.properties {
            let PropertyCores { property, outcome, found, by_depth, .. } = cores;
            let (holds, internal_errors) = (cores.holds(), &outcome.internal_errors);
            text += &format!("\n{property:?} {holds:?}\n{}\n{internal_errors:?}", shown(found));
            for DepthCore { depth, up_to, at } in by_depth {
                text += &format!("\n{depth}:{}", statements::cores(&[up_to.clone(), at.clone()]));
            }
        }
        text
    }

    /// Each core comes with a proof from it.
    fn check_proofs(&self, cores: &PropertyCores) -> Result<(), String> {
        if cores.proofs.len() != cores.found.cores.len() {
            return Err(format!("{} proofs of {} cores", cores.proofs.len(), cores.found.cores.len()));
        }
        for (core, proof) in cores.found.cores.iter().zip(&cores.proofs) {
            let mut slice = Edits::none();
            let dropped = self.universe.difference(&core.elements);
            dropped.iter().for_each(|element| slice.insert(element, Edit::Free));
            let proof = proof.as_ref().ok_or_else(|| format!("no proof from {:?}", core.elements))?;
            check_proof(self.system, &slice, cores.property, proof, &Budget::default())
                .map_err(|rejection| format!("the proof from {:?}: {rejection}", core.elements))?;
        }
        Ok(())
    }

    /// Whether a property holds is said as it is, and if it does not, by a run.
    pub(crate) fn check_holds(
        &self,
        truth: &Truth,
        cores: &PropertyCores,
        last: Option<u32>,
    ) -> Result<(), String> {
        if let Some(error) = cores.outcome.internal_errors.first() {
            return Err(format!("internal error: {error}"));
        }
        match cores.holds() {
            Holds::Yes { .. } if truth.holds() && last.is_none() => self.check_proofs(cores),
            Holds::UpTo(depth) if truth.holds() && Some(depth) == last => Ok(()),
            Holds::No if !truth.holds() => {
                let trace = cores.outcome.answer.trace().ok_or("it fails without a run")?;
                if last.is_some_and(|last| trace.depth() > last as usize) {
                    return Err("the violation is beyond the depth".to_owned());
                }
                if !cores.found.cores.is_empty() || !cores.by_depth.is_empty() || cores.found.complete {
                    return Err("a property that fails has cores".to_owned());
                }
                check_trace(self.system, &Edits::none(), cores.property, trace)
                    .map_err(|error| error.to_string())
            }
            holds => Err(format!("{holds:?}, but it is {} that it holds", truth.holds())),
        }
    }
}

/// What was found of one property is true, and all that was asked for.
pub(crate) fn check_found(truth: &Truth, way: Way, cores: &PropertyCores, log: &Log) -> Result<(), String> {
    let heard = log.heard(Some(cores.property));
    statements::check(truth, &cores.found, &heard)?;
    if cores.found.stopped {
        return Err(format!("nobody stopped it: {}", shown(&cores.found)));
    }
    statements::check_exact(truth, way, &cores.found, &heard)
}
