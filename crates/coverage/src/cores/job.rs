//! One property on its way to cores: a first attempt at its proof in the solvers in which slices are decided, a first core from
//! whatever proof there is, and then as many as are asked for.
//!
//! Where a short induction proves a property, that is done in the solvers for slices, and a core comes with the proof. Other proofs
//! come from engines, and are repeated there. Either way the independent checker is asked whether the core suffices, which
//! says more than that the property holds, and so it is asked nothing else.

use super::analysis::{DepthCore, Observer, Options, PropertyCores, Seconds, Universe};
use super::evidence::Ledger;
use super::memory::EARLIER;
use super::session::{Bench, Case, check_budget};
use super::{Algorithm, Core, Found, Goal, Judge, Judgement, Minimality, Start, search};
use propcov_certify::{check_proof, check_trace};
use propcov_engine::infinite::base::not_linear;
use propcov_engine::slices::{Extent, SliceVerdict};
use propcov_engine::{Config, Limits, Stats};
use propcov_ir::{Edits, ElementSet, Proof, PropertyId, System, UnknownReason, Verdict};
use propcov_verify::{Answer, Outcome};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// What is asked, and on which threads.
pub(super) struct Setting<'a, 'scope, 'env> {
    pub(super) system: &'a System,
    pub(super) universe: &'a Universe,
    pub(super) options: &'a Options,
    pub(super) config: &'a Config,
    pub(super) observer: &'a dyn Observer,
    pub(super) is_linear: bool,
    pub(super) scope: &'scope Scope<'scope, 'env>,
}

/// One property.
pub(super) struct Job<'a, 'scope, 'env> {
    property: PropertyId,
    /// Its judge, from the first attempt on; or why there can be none.
    bench: Option<Result<Bench<'a, 'scope, 'env>, UnknownReason>>,
    was_tried: bool,
    /// Whether evidence of earlier runs was looked at.
    was_recalled: bool,
    /// What is known of the system as a slice of itself, and is not checked yet.
    first: Option<SliceVerdict>,
    /// A core that the checker has accepted.
    core: Option<ElementSet>,
    /// Its cores.
    found: Found,
    /// With [`Algorithm::Bvc`].
    by_depth: Vec<DepthCore>,
    /// Why nothing can be said of its cores, though it seemed to hold.
    pub(super) failure: Option<UnknownReason>,
    /// Whether its cores were looked for.
    was_searched: bool,
    /// Whether nobody had to stop that.
    is_done: bool,
    /// Ticks of the first attempt.
    ticks: u64,
    /// Time for a first core, which is part of the time for the proof, and for all others.
    first_time: Duration,
    search_time: Duration,
    internal_errors: Vec<String>,
}

impl<'a, 'scope, 'env> Job<'a, 'scope, 'env>
where
    'a: 'scope,
{
    pub(super) fn new(property: PropertyId) -> Job<'a, 'scope, 'env> {
        Job {
            property,
            bench: None,
            was_tried: false,
            was_recalled: false,
            first: None,
            core: None,
            found: Found { stopped: true, ..Found::default() },
            by_depth: Vec::new(),
            failure: None,
            was_searched: false,
            is_done: false,
            ticks: 0,
            first_time: Duration::ZERO,
            search_time: Duration::ZERO,
            internal_errors: Vec::new(),
        }
    }

    /// The judge, if it has been asked and is still needed.
    pub(super) fn into_bench(self) -> Option<Bench<'a, 'scope, 'env>> {
        self.bench.and_then(Result::ok)
    }

    pub(super) fn bench(&self) -> Option<&Bench<'a, 'scope, 'env>> {
        self.bench.as_ref().and_then(|bench| bench.as_ref().ok())
    }

    /// Whether its cores were looked for, as far as time allowed.
    pub(super) fn was_searched(&self) -> bool {
        self.was_searched
    }

    /// There will be no cores.
    pub(super) fn close(&mut self) {
        self.bench = None;
    }

    fn judge(
        &mut self,
        setting: &Setting<'a, 'scope, 'env>,
    ) -> Result<&mut Bench<'a, 'scope, 'env>, UnknownReason> {
        let bench = self.bench.get_or_insert_with(|| {
            let case = Case {
                system: setting.system,
                property: self.property,
                universe: setting.universe.clone(),
                extent: setting.options.depth.map_or(Extent::Always, Extent::UpTo),
                config: setting.config.clone(),
                check_time: setting.options.check_time,
                threads: setting.options.threads,
                proof_ticks: 0,
            };
            Bench::new(case, setting.scope, setting.observer)
        });
        bench.as_mut().map_err(|reason| reason.clone())
    }

    /// The bounded question, or a short induction. Where variables are multiplied, what comes of it may be more than can be
    /// checked; then that is no answer, and engines are asked.
    pub(super) fn attempt(
        &mut self,
        setting: &Setting<'a, 'scope, 'env>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(Verdict, &'static str)> {
        let depth = setting.options.depth;
        if std::mem::replace(&mut self.was_tried, true) && depth.is_none() {
            return None;
        }
        self.recall(setting, limits);
        if let Some(proof) = self.known_proof() {
            return Some((Verdict::Proved(proof), EARLIER));
        }
        let bench = match self.judge(setting) {
            Ok(bench) => bench,
            Err(reason) => return Some((Verdict::Unknown(reason), "slices")),
        };
        let mut own = Stats::default();
        let slices = bench.slices();
        let verdict = match depth {
            Some(depth) => Some(slices.decide(setting.universe, Extent::UpTo(depth), limits, &mut own)),
            None => slices.quick(limits, &mut own),
        };
        let ticks = slices.ticks();
        let answer = match &verdict {
            Some(verdict) if !setting.is_linear && !self.is_established(verdict, setting.system) => {
                depth.map(|_| (Verdict::Unknown(not_linear()), "slices"))
            }
            Some(SliceVerdict::Holds { proof: Some(proof), .. }) => {
                Some((Verdict::Proved(proof.clone()), "kinduction"))
            }
            Some(SliceVerdict::Holds { proof: None, .. }) => {
                depth.map(|depth| (Verdict::Unknown(UnknownReason::Bounded(depth)), "bmc"))
            }
            Some(SliceVerdict::Fails { trace, .. }) => Some((Verdict::Falsified(trace.clone()), "bmc")),
            Some(SliceVerdict::Unknown(reason)) => depth.map(|_| (Verdict::Unknown(reason.clone()), "bmc")),
            None => None,
        };
        self.ticks = ticks;
        self.first = verdict.filter(|_| answer.is_some());
        match (&answer, self.judge(setting)) {
            (None, Ok(bench)) => bench.stats.merge(&own),
            _ => stats.merge(&own),
        }
        answer
    }

    /// Has evidence of earlier runs checked, once. If some set suffices, the property holds, and that is a first core.
    fn recall(&mut self, setting: &Setting<'a, 'scope, 'env>, limits: &Limits) {
        let memory = setting.observer.memory().filter(|_| setting.options.depth.is_none());
        let Some(memory) = memory.filter(|_| !self.was_recalled) else { return };
        let Ok(bench) = self.judge(setting) else { return };
        bench.recall(memory, limits);
        let core = bench.known().adequate.iter().min_by_key(|core| core.len()).cloned();
        self.core = self.core.take().or(core);
        self.was_recalled = true;
    }

    /// The proof of an earlier run, if there is one that was accepted.
    fn known_proof(&self) -> Option<Proof> {
        let (core, bench) = (self.core.as_ref()?, self.bench()?);
        bench.ledger().proof(core).cloned()
    }

    /// Whether the independent checker accepts a verdict on the system as written, as far as it has evidence.
    fn is_established(&self, verdict: &SliceVerdict, system: &System) -> bool {
        let edits = Edits::none();
        match verdict {
            SliceVerdict::Holds { proof: Some(proof), .. } => {
                check_proof(system, &edits, self.property, proof, &check_budget()).is_ok()
            }
            SliceVerdict::Fails { trace, .. } => check_trace(system, &edits, self.property, trace).is_ok(),
            SliceVerdict::Unknown(UnknownReason::NotCertified(_)) => false,
            SliceVerdict::Holds { proof: None, .. } | SliceVerdict::Unknown(_) => true,
        }
    }

    /// A first core. What was proved is checked before anything is built on it. If a proof of engines cannot be repeated in the solvers
    /// for slices, or not in a way that can be checked, it is as good itself: it needs all elements as far as is known.
    pub(super) fn first_core(
        &mut self,
        setting: &Setting<'a, 'scope, 'env>,
        proof: Option<&Proof>,
        ticks: u64,
        limits: &Limits,
    ) -> Result<(), UnknownReason> {
        let start = Instant::now();
        self.recall(setting, limits);
        let (first, ticks) = (self.first.take(), self.ticks.saturating_add(ticks));
        let is_known = self.core.is_some();
        let bench = self.judge(setting)?;
        bench.set_limits(limits);
        bench.set_proof_ticks(ticks);
        if is_known {
            self.first_time += start.elapsed();
            return Ok(());
        }
        if setting.options.part.is_nothing() {
            return Err(UnknownReason::Incomplete("nobody has looked for its cores".to_owned()));
        }
        let is_own = first.is_some();
        let judgement = match (first, proof) {
            (Some(verdict), _) => bench.conclude(verdict),
            (None, proof) => {
                if let Some(proof) = proof {
                    bench.learn(&proof.invariant, proof.k);
                }
                bench.judge(setting.universe)
            }
        };
        let mut core = accepted(&mut bench.ledger(), judgement);
        if let (Err(_), false, Some(proof)) = (&core, is_own, proof) {
            let (elements, proof) = (setting.universe.clone(), Some(proof.clone()));
            let judgement = bench.conclude(SliceVerdict::Holds { core: elements, proof });
            core = accepted(&mut bench.ledger(), judgement);
        }
        let problems = if core.is_err() { bench.ledger().take_problems() } else { Vec::new() };
        self.internal_errors.extend(problems);
        self.first_time += start.elapsed();
        self.core = Some(core?);
        Ok(())
    }

    /// Looks for cores of a property that holds, and has everything checked that is found. A search that was stopped goes on from
    /// what is known.
    pub(super) fn search(&mut self, setting: &Setting<'a, 'scope, 'env>, outcome: &Outcome, limits: &Limits) {
        self.was_searched = true;
        if self.is_done || self.failure.is_some() {
            return;
        }
        let by_depth = setting.options.algorithm == Some(Algorithm::Bvc);
        if self.core.is_none() && !by_depth {
            // Bounded questions are checked now, and so is what was proved by others.
            let proof = outcome.answer.proof();
            let ticks = if proof.is_some() { outcome.ticks } else { 0 };
            if let Err(reason) = self.first_core(setting, proof, ticks, limits) {
                self.note_lack(reason, outcome, setting.universe);
                return;
            }
        }
        let start = Instant::now();
        match self.judge(setting) {
            Ok(bench) => bench.set_limits(limits),
            Err(_) => return,
        }
        if by_depth {
            self.search_by_depth(setting);
        } else {
            self.search_all(setting);
        }
        self.is_done = !self.found.stopped;
        self.search_time += start.elapsed();
    }

    /// There is no first core. If that is for lack of time or means, a property that others have proved holds all the same, and nothing
    /// is known of its cores.
    fn note_lack(&mut self, reason: UnknownReason, outcome: &Outcome, universe: &Universe) {
        if let UnknownReason::NotCertified(why) = &reason {
            if self.internal_errors.is_empty() {
                self.internal_errors.push(format!("a proof was not accepted: {why}"));
            }
        } else if outcome.answer.is_proved() {
            self.found.undecided = vec![(universe.clone(), reason)];
            return;
        }
        self.failure = Some(reason);
    }

    /// All that is known, together with what came of the property itself.
    pub(super) fn cores(&mut self, mut outcome: Outcome, depth: Option<u32>) -> PropertyCores {
        if let Some(reason) = self.failure.clone() {
            (outcome.answer, outcome.certified) = (Answer::unknown(reason), false);
        }
        outcome.internal_errors.append(&mut self.internal_errors);
        let (first, rest) = (self.first_time.as_secs_f64(), self.search_time.as_secs_f64());
        let (found, by_depth) = (std::mem::take(&mut self.found), std::mem::take(&mut self.by_depth));
        let ledger = self.bench().map(Bench::ledger);
        let certify = ledger.as_ref().map_or(0.0, |ledger| ledger.spent().as_secs_f64());
        let proof = |core: &Core| ledger.as_ref().and_then(|ledger| ledger.proof(&core.elements).cloned());
        PropertyCores {
            property: self.property,
            depth,
            proofs: match by_depth.is_empty() {
                true => found.cores.iter().map(proof).collect(),
                false => Vec::new(),
            },
            found,
            by_depth,
            seconds: Seconds {
                proof: (outcome.seconds - first).max(0.0),
                cores: (first + rest - certify).max(0.0),
                certify,
            },
            outcome,
        }
    }

    fn search_all(&mut self, setting: &Setting<'a, 'scope, 'env>) {
        let Some(Ok(bench)) = &mut self.bench else { return };
        let known = self.found.cores.iter().map(|core| core.elements.clone());
        let start = Start {
            adequate: bench.known().adequate.iter().chain(&self.core).cloned().chain(known).collect(),
            inadequate: bench.ledger().facts().inadequate().to_vec(),
            task: setting.options.part.task(self.property),
        };
        let (goal, algorithm) = (setting.options.goal, setting.options.algorithm);
        let mut announcer = bench.announcer();
        let mut found = search(bench, setting.universe, goal, algorithm, &start, &mut announcer);
        found.add(&self.found);
        self.internal_errors.append(&mut bench.ledger().certify(&mut found));
        self.found = found;
    }

    /// A minimal core for each depth.
    fn search_by_depth(&mut self, setting: &Setting<'a, 'scope, 'env>) {
        let Some(Ok(bench)) = &mut self.bench else { return };
        let limits = bench.limits().clone();
        let (mut stopped, mut undecided, mut errors) = (false, Vec::new(), Vec::new());
        let mut minimal = |extent: Extent| -> Result<Option<Core>, UnknownReason> {
            bench.set_extent(extent)?;
            let mut found = search(bench, setting.universe, Goal::Minimal, None, &Start::default(), &mut ());
            errors.append(&mut bench.ledger().certify(&mut found));
            undecided.append(&mut found.undecided);
            stopped |= found.stopped;
            Ok(found.cores.into_iter().next())
        };
        let mut by_depth = Vec::new();
        let (mut was_cut, last) = (false, setting.options.depth.unwrap_or(0));
        for depth in 0..=last {
            if limits.exhausted(0) {
                was_cut = true;
                break;
            }
            match (minimal(Extent::UpTo(depth)), minimal(Extent::At(depth))) {
                (Ok(Some(up_to)), Ok(Some(at))) => by_depth.push(DepthCore { depth, up_to, at }),
                (Err(reason), _) | (_, Err(reason)) => {
                    self.failure = Some(reason);
                    break;
                }
                _ => break,
            }
        }
        self.internal_errors.append(&mut errors);
        // A search that is allowed to go on starts over, and may then come less far.
        if by_depth.len() < self.by_depth.len() {
            return;
        }
        let deepest = by_depth.last().filter(|deepest| deepest.depth == last);
        let cores = deepest.map(|deepest| deepest.up_to.clone()).into_iter().collect();
        self.by_depth = by_depth;
        self.found = Found { cores, undecided, stopped: stopped || was_cut, ..Found::default() };
    }
}

/// The core of a property that was proved, if the independent checker accepts it.
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
