//! One property of many slices of a system: does it hold while only some elements are kept, and every other one is freed?
//!
//! Slices are not encoded one by one. All elements that can be dropped have a literal that keeps them, and a slice is a set of assumptions in one of two solvers: one for runs from the
//! beginning, one for paths that start anywhere. Whatever is found about one slice helps with the next:
//!
//! - *Runs* (`runs`): a slice without violations up to a depth needed only some elements for that; all slices that keep those are clear up to that depth, too. A run that violates the
//!   property is one of every slice whose definitions it does not break, so it refutes a much larger slice than the one asked about.
//! - *Rotation* (`rotate`): a run that breaks one definition is turned into others that break a neighbour's, without a solver.
//! - *A pool of lemmas* (`pool`): what proved one slice is tried on the next, by the largest inductive subset.
//! - *Steps of proofs* (`arguments`): a slice that has a proof made of known steps needs no solver.
//! - *Engines* (`search`) are asked when both fail. Their lemmas go into the pool.
//!
//! # References
//! - E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018, chapter 3: activation literals, cores of k-inductive proofs (Algorithms 4 to 7).
//! - C. Flanagan, K. R. M. Leino: Houdini, an annotation assistant for ESC/Java. FME 2001.
//! - M. Bozzano, A. Cimatti, A. Griggio, C. Mattarei: Efficient anytime techniques for model-based safety analysis. CAV 2015: reuse of invariants between slices.

mod arguments;
mod circuits;
mod path;
mod pool;
mod rotate;
mod runs;
mod search;
mod sums;

pub use circuits::Circuits;
pub use path::{Claim, Path};
pub use sums::Sums;

use crate::Config;
use crate::finite::Problem;
use crate::infinite;
use crate::limits::{Limits, Stats};
use pool::Pool;
use propcov_ir::{Edits, ElementSet, Invariant, Proof, PropertyId, System, Trace, UnknownReason};
use propcov_solve::arith::Start;
use rotate::Rotation;
use runs::{Asked, Runs};
use rustc_hash::FxHashSet;

/// Slices are dropped by assumptions: nothing is edited.
pub(crate) static AS_WRITTEN: Edits = Edits::none();

/// How long an induction [`Slices::quick`] tries, and solver ticks after which it does not.
const QUICK_DEPTH: usize = 2;
const QUICK_TICKS: u64 = 300_000;
/// Ticks that a single question of it gets: some tenths of a second.
const QUICK_QUESTION: u64 = 3_000_000;
/// Ticks that all engines get, and then, if they have no answer, runs and inductions in the solvers of slices: easy proofs are a matter of engines, late violations often are not.
const ROUNDS: [(u64, u64); 2] = [(30_000, 50_000), (u64::MAX, 0)];
/// Near violations get this part of the effort, and known lemmas do.
const SHARES: u64 = 4;
/// Ticks to leave out elements of a proof by known lemmas.
const TIGHTENING: u64 = 300_000;
/// Engines begin from nothing with each slice, so less effort than this is better spent in solvers that remember.
const ENGINES_FROM: u64 = 300_000;
/// How many steps are looked at there, and how long inductions get.
const DEEPEST: usize = 40;
const LONGEST_INDUCTION: usize = 3;
/// Conflicts of a query about a near violation, or of a step of a proof by known lemmas. Engines are better at what takes more.
const CONFLICTS: u64 = 20_000;

/// What is asked of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// That the property holds in every step of every run.
    Always,
    /// In the steps up to this one.
    UpTo(u32),
    /// In this step.
    At(u32),
}

/// What is known of a slice.
#[derive(Clone, Debug)]
pub enum SliceVerdict {
    /// The property holds in the slice that keeps these of its elements.
    Holds {
        /// A subset of the elements that were kept.
        core: ElementSet,
        /// Why, for [`Extent::Always`]. Its core are these elements and all that cannot be dropped.
        proof: Option<Proof>,
    },
    /// It fails in the slice that keeps these elements.
    Fails {
        /// A superset of the elements that were kept.
        kept: ElementSet,
        /// A run of that slice whose last step violates the property.
        trace: Trace,
    },
    /// Neither was found out.
    Unknown(UnknownReason),
}

/// One property, and all slices of a system.
pub struct Slices<'s> {
    system: &'s System,
    property: PropertyId,
    config: Config,
    /// The elements that can be dropped.
    universe: ElementSet,
    /// All others.
    fixed: ElementSet,
    runs: Runs<'s>,
    pool: Pool<'s>,
    /// From the first run on that breaks a single definition.
    rotation: Option<Rotation<'s>>,
    /// Slices in which the property fails.
    refuted: Vec<ElementSet>,
    /// Slices that engines were asked about briefly, and had no answer.
    searched_briefly: FxHashSet<ElementSet>,
    /// What all cores have in common that were found so far.
    common: ElementSet,
    is_infinite: bool,
    /// Whether the property held in the last slice that was decided.
    held: bool,
    /// Work of engines.
    searched: u64,
}

impl<'s> Slices<'s> {
    /// All slices that keep the elements outside the universe.
    ///
    /// # Errors
    /// When the system or the property cannot be represented.
    pub fn new(
        system: &'s System,
        property: PropertyId,
        universe: &ElementSet,
        config: &Config,
    ) -> Result<Slices<'s>, UnknownReason> {
        let is_infinite =
            infinite::concerns(system) && Problem::new(system, &Edits::none(), property).is_err();
        let path = |start: Start| -> Result<Box<dyn Path + 's>, UnknownReason> {
            if is_infinite {
                let sums = Sums::new(system, property, universe, start).ok_or_else(no_invariant)?;
                return Ok(Box::new(sums));
            }
            let initial = start == Start::Initial;
            Ok(Box::new(Circuits::new(system, property, universe, initial, config.seed)?))
        };
        Ok(Slices {
            system,
            property,
            config: config.clone(),
            universe: universe.clone(),
            fixed: system.element_ids().filter(|element| !universe.contains(*element)).collect(),
            runs: Runs::new(path(Start::Initial)?),
            pool: Pool::new(path(Start::Anywhere)?),
            rotation: None,
            refuted: Vec::new(),
            searched_briefly: FxHashSet::default(),
            common: universe.clone(),
            is_infinite,
            held: false,
            searched: 0,
        })
    }

    /// Lemmas that may help, and the length of an induction with them. Nobody has to believe them.
    pub fn learn(&mut self, lemmas: &Invariant, k: u32) {
        self.pool.learn(lemmas, k, &mut self.runs);
    }

    /// A slice in which the property is known to fail: nobody need try to prove it.
    pub fn learn_refuted(&mut self, kept: &ElementSet) {
        if !self.refuted.iter().any(|known| kept.is_subset(known)) {
            self.refuted.push(kept.clone());
        }
    }

    /// Solver ticks spent so far.
    pub fn ticks(&self) -> u64 {
        self.runs.path.ticks() + self.pool.path.ticks() + self.searched
    }

    /// The elements that can be dropped.
    pub fn universe(&self) -> &ElementSet {
        &self.universe
    }

    /// A first attempt at the system as written, which is a slice like any other: a short induction. Most properties need no more, and their core then comes with the proof. `None` if they do.
    pub fn quick(&mut self, limits: &Limits, stats: &mut Stats) -> Option<SliceVerdict> {
        let everything = self.universe.clone();
        let limits = &limits.for_one(QUICK_QUESTION, None);
        for k in 1..=QUICK_DEPTH {
            if self.ticks() > QUICK_TICKS || limits.exhausted(0) {
                return None;
            }
            match self.runs.ask(&everything, &ElementSet::new(), k - 1, limits, stats) {
                Asked::Clear(_) => {}
                Asked::Violated => return Some(self.refuted(&everything, k - 1, limits, stats)),
                Asked::Unknown(_) => return None,
            }
            if let Some(proof) = self.pool.prove_by(k, &everything, &mut self.runs, limits, stats) {
                self.pool.learn(&Invariant::default(), proof.k, &mut self.runs);
                let verdict = self.proved(proof);
                self.remember(&verdict, stats);
                return Some(verdict);
            }
        }
        None
    }

    /// Decides about the slice that keeps these elements of the universe, and all others.
    pub fn decide(
        &mut self,
        kept: &ElementSet,
        extent: Extent,
        limits: &Limits,
        stats: &mut Stats,
    ) -> SliceVerdict {
        match extent {
            Extent::At(step) => self.bounded(kept, step..=step, limits, stats),
            Extent::UpTo(last) => self.bounded(kept, 0..=last, limits, stats),
            Extent::Always => {
                let dropped = self.universe.difference(kept);
                if let Some((element, trace)) =
                    self.rotation.as_ref().and_then(|turned| turned.known(&dropped))
                {
                    stats.add("slices refuted by a known run", 1);
                    return SliceVerdict::Fails {
                        kept: self.universe.without(element),
                        trace: trace.clone(),
                    };
                }
                let verdict = self.always(kept, limits, stats);
                self.remember(&verdict, stats);
                verdict
            }
        }
    }

    /// Keeps what helps with other slices.
    fn remember(&mut self, verdict: &SliceVerdict, stats: &mut Stats) {
        match verdict {
            SliceVerdict::Holds { core, .. } => {
                self.held = true;
                self.common = self.common.intersection(core);
            }
            SliceVerdict::Fails { kept, trace } => {
                self.held = false;
                self.learn_refuted(kept);
                let broken = self.universe.difference(kept);
                let (Some(element), 1) = (broken.iter().next(), broken.len()) else { return };
                if self.rotation.is_none() {
                    self.rotation = Rotation::new(self.system, self.property, &self.universe);
                }
                if let Some(rotation) = &mut self.rotation {
                    rotation.turn(element, trace, &self.common, stats);
                }
            }
            SliceVerdict::Unknown(_) => {}
        }
    }

    /// Whether no run violates the property in any of these steps.
    fn bounded(
        &mut self,
        kept: &ElementSet,
        steps: std::ops::RangeInclusive<u32>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> SliceVerdict {
        let mut core = ElementSet::new();
        for step in steps {
            if limits.exhausted(0) {
                return SliceVerdict::Unknown(limits.reason());
            }
            match self.runs.ask(kept, &core, step as usize, limits, stats) {
                Asked::Clear(used) => core = core.union(&used),
                Asked::Violated => return self.refuted(kept, step as usize, limits, stats),
                Asked::Unknown(reason) => return SliceVerdict::Unknown(reason),
            }
        }
        SliceVerdict::Holds { core, proof: None }
    }

    /// A proof from known steps is free. Otherwise near violations and known lemmas get a share of the effort each, before engines do; first comes what had the answer last time.
    fn always(&mut self, kept: &ElementSet, limits: &Limits, stats: &mut Stats) -> SliceVerdict {
        if let Some(pooled) = self.pool.compose(kept) {
            stats.add("slices proved by known steps", 1);
            return self.proved(pooled);
        }
        let start = self.ticks();
        let effort = limits.interrupt.tick_limit();
        let brief = Limits {
            conflicts: Some(limits.conflicts.map_or(CONFLICTS, |own| own.min(CONFLICTS))),
            ..limits.clone()
        };
        let brief = brief.for_one(effort / SHARES, None);
        let near = self.pool.longest().max(self.runs.deepest + 1);
        for is_run in [!self.held, self.held] {
            let before = self.ticks();
            let verdict =
                if is_run { self.near(kept, near, &brief, stats) } else { self.known(kept, &brief, stats) };
            stats.add(
                if is_run { "ticks for near runs" } else { "ticks for known lemmas" },
                self.ticks() - before,
            );
            if let Some(verdict) = verdict {
                return verdict;
            }
            if limits.exhausted(0) {
                return SliceVerdict::Unknown(limits.reason());
            }
        }
        if effort < ENGINES_FROM {
            return SliceVerdict::Unknown(search::without_answer(limits));
        }
        for (share, patience) in ROUNDS {
            let left = effort.saturating_sub(self.ticks() - start);
            if left == 0 {
                break;
            }
            if patience > 0 && !self.searched_briefly.insert(kept.clone()) {
                continue;
            }
            let before = self.ticks();
            let verdict = self.search(kept, share.min(left), limits, stats);
            stats.add("ticks for engines", self.ticks() - before);
            match &verdict {
                SliceVerdict::Holds { .. } => stats.add("slices proved by engines", 1),
                SliceVerdict::Fails { .. } => stats.add("slices refuted by engines", 1),
                SliceVerdict::Unknown(_) => {}
            }
            if patience == 0 || !matches!(verdict, SliceVerdict::Unknown(_)) || limits.exhausted(0) {
                return verdict;
            }
            let before = self.ticks();
            let left = effort.saturating_sub(before - start);
            let found = self.deepen(kept, near, patience.min(left), &brief, stats);
            stats.add("ticks for later runs", self.ticks() - before);
            if let Some(found) = found {
                return found;
            }
        }
        SliceVerdict::Unknown(search::without_answer(limits))
    }

    /// Violations that are near; nine out of ten slices have one. The limits are those of all steps together.
    fn near(
        &mut self,
        kept: &ElementSet,
        near: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<SliceVerdict> {
        let end = self.ticks().saturating_add(limits.interrupt.tick_limit());
        for step in 0..near {
            let left = end.saturating_sub(self.ticks());
            if left == 0 {
                return None;
            }
            match self.runs.ask(kept, &ElementSet::new(), step, &limits.for_one(left, None), stats) {
                Asked::Clear(_) => {}
                Asked::Violated => {
                    stats.add("slices refuted by a near run", 1);
                    return Some(self.refuted(kept, step, limits, stats));
                }
                Asked::Unknown(_) => return None,
            }
        }
        None
    }

    /// Lemmas that proved other slices.
    fn known(&mut self, kept: &ElementSet, limits: &Limits, stats: &mut Stats) -> Option<SliceVerdict> {
        let proof = self.pool.prove(kept, &mut self.runs, limits, stats)?;
        stats.add("slices proved by known lemmas", 1);
        let before = self.ticks();
        let (rotation, refuted, universe) = (&self.rotation, &self.refuted, &self.universe);
        let is_violated = |set: &ElementSet| {
            let dropped = universe.difference(set);
            rotation.as_ref().is_some_and(|turned| turned.known(&dropped).is_some())
                || refuted.iter().any(|known| set.is_subset(known))
        };
        let proof = self.pool.tighten(proof, is_violated, &mut self.runs, TIGHTENING, limits, stats);
        stats.add("ticks for tightening", self.ticks() - before);
        Some(self.proved(proof))
    }

    /// Goes on from the first steps in the same solvers, for so many ticks: later violations, and longer inductions.
    fn deepen(
        &mut self,
        kept: &ElementSet,
        clear: usize,
        patience: u64,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<SliceVerdict> {
        let end = self.ticks() + patience;
        for k in 1..=DEEPEST {
            if self.ticks() > end {
                return None;
            }
            let limits = &limits.for_one(end - self.ticks(), None);
            if k > clear {
                match self.runs.ask(kept, &ElementSet::new(), k - 1, limits, stats) {
                    Asked::Clear(_) => {}
                    Asked::Violated => {
                        stats.add("slices refuted by a later run", 1);
                        return Some(self.refuted(kept, k - 1, limits, stats));
                    }
                    Asked::Unknown(_) => return None,
                }
            }
            if k <= LONGEST_INDUCTION
                && !self.pool.knows_length(k)
                && let Some(proof) = self.pool.prove_by(k, kept, &mut self.runs, limits, stats)
            {
                stats.add("slices proved by a longer induction", 1);
                self.pool.learn(&Invariant::default(), proof.k, &mut self.runs);
                return Some(self.proved(proof));
            }
        }
        None
    }

    fn proved(&self, pooled: pool::Pooled) -> SliceVerdict {
        let proof = Proof {
            invariant: pooled.invariant.into(),
            k: pooled.k,
            simple_path: false,
            core: pooled.core.union(&self.fixed),
        };
        SliceVerdict::Holds { core: pooled.core, proof: Some(proof) }
    }

    /// The solver for runs has just found a violation of the slice.
    fn refuted(
        &mut self,
        kept: &ElementSet,
        step: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> SliceVerdict {
        match self.runs.grown(&self.universe, kept, &self.common, step, limits, stats) {
            Ok((kept, trace)) => SliceVerdict::Fails { kept, trace },
            Err(reason) => SliceVerdict::Unknown(reason),
        }
    }
}

fn no_invariant() -> UnknownReason {
    UnknownReason::Unsupported("a property that is no invariant".to_owned())
}
