//! Our way: cheap techniques that decide many mutants at once come first, and every run or lemma that one of them finds is tried on
//! everybody who is still undecided.
//!
//! 1. *cone*, *core*: what the property does not depend on, or its proof does not use, survives. Certified together, by one check of
//!    the proof on the slice.
//! 2. *simulation*: 256 mutants at a time under random stimuli, and later under every stimulus that killed somebody.
//! 3. *family induction*: the proof's invariant, tried on all mutants by one query more than there are failures.
//! 4. *family BMC*: at each depth, one query for "some mutant fails".
//! 5. *family IC3*: one search for all mutants that are left, which goes on when one of them is killed.
//! 6. *repair*: the greatest inductive part of known lemmas. 7. *IC3* on each of the rest, warm-started with known lemmas, and
//!    family BMC ever deeper.

use super::bmc::{FamilyBmc, Found};
use super::evidence::{simulated_kill, traced_kill};
use super::family::{Clause, Family, Lemmas};
use super::induction::Induction;
use super::repair::Houdini;
use super::session::Session;
use super::simulate::{Hit, LANES, Simulator};
use super::{Technique, search};
use propcov_engine::finite::Lemmas as EngineLemmas;
use propcov_ir::{Kill, Mutation};
use propcov_sat::Lit;
use propcov_solve::{BitStep, BitTrace, Init};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Applies the techniques to each property in turn.
pub(crate) fn run(session: &mut Session<'_>, techniques: &[Technique]) {
    let by_proof = |technique: &&Technique| matches!(technique, Technique::Cone | Technique::Core);
    let first = techniques.iter().take_while(by_proof).count();
    for target in 0..session.targets.len() {
        // What the proof does not need is decided first. Its multiplexers would only be in the way of what comes then.
        for techniques in [&techniques[..first], &techniques[first..]] {
            if !techniques.is_empty() && !session.undecided(target).is_empty() {
                apply(session, target, techniques);
            }
        }
    }
}

fn apply(session: &mut Session<'_>, target: usize, techniques: &[Technique]) {
    let property = session.targets[target].property;
    let proof = Arc::clone(&session.targets[target].proof);
    let undecided = session.undecided(target);
    let advice = &session.options.advice.proofs;
    let family = match Family::new(session.system, property, &proof, advice, session.mutants, &undecided) {
        Ok(family) => family,
        Err(error) => return session.give_up(target, &error.to_string()),
    };
    let mut pursuit = Pursuit::new(session, target, &family);
    for (at, technique) in techniques.iter().enumerate() {
        if pursuit.session.is_over() {
            return;
        }
        pursuit.session.progress(target, technique.name());
        match technique {
            // The core does both, and certifies them together.
            Technique::Cone if techniques.get(at + 1) == Some(&Technique::Core) => {}
            Technique::Cone => pursuit.cone_and_core(Technique::Cone, false),
            Technique::Core if techniques.contains(&Technique::Cone) => {
                pursuit.cone_and_core(Technique::Cone, true);
            }
            Technique::Core => pursuit.cone_and_core(Technique::Core, true),
            Technique::Simulation => pursuit.simulate(),
            Technique::FamilyInduction => pursuit.family_induction(),
            // A few are sooner found by the search that follows.
            Technique::FamilyBmc
                if techniques[at..].contains(&Technique::FamilyIc3) && pursuit.undecided().len() < FEW => {}
            Technique::FamilyBmc => pursuit.family_bmc(),
            Technique::Repair => pursuit.repair(),
            Technique::FamilyIc3 => search::run_family(&mut pursuit),
            Technique::Ic3 => search::run(&mut pursuit),
            _ => {}
        }
    }
}

/// The mutants of one property, and what is known about them.
pub(crate) struct Pursuit<'p, 's> {
    pub(crate) session: &'p mut Session<'s>,
    pub(crate) target: usize,
    pub(crate) family: &'p Family<'p>,
    /// The original proof's lemmas.
    lemmas: Lemmas,
    /// Lemmas of others.
    advised: Vec<Clause>,
    /// Induction of the original proof's length.
    induction: Option<Induction<'p>>,
    /// Induction of length 1, for lemmas found on the way.
    short_induction: Option<Induction<'p>>,
    simulator: Simulator<'p>,
    houdini: Option<Houdini<'p>>,
    bmc: Option<FamilyBmc<'p>>,
    random: fastrand::Rng,
}

/// Random runs, and how long each is. Nothing killed by this many in a row: enough.
const STIMULI: usize = 24;
const PATIENCE: usize = 4;
const LENGTH: usize = 64;

/// Machine words that random simulation may compute.
const SIMULATION_WORDS: u64 = 60_000_000;

/// Solver ticks for the first, shallow family BMC, and for the repair of invariants.
const BMC_TICKS: u64 = 5_000_000;
const REPAIR_TICKS: u64 = 5_000_000;

/// So few mutants are not worth unrolling the design for, as long as there is another way.
const FEW: usize = 16;

/// Family BMC goes this deep at least, and then ends at twice the depth of its last kill.
const BMC_DEPTH: usize = 4;

impl<'p, 's> Pursuit<'p, 's> {
    fn new(session: &'p mut Session<'s>, target: usize, family: &'p Family<'p>) -> Pursuit<'p, 's> {
        let random = fastrand::Rng::with_seed(session.options.seed);
        Pursuit {
            session,
            target,
            family,
            lemmas: family.lemmas(),
            advised: family.advised(),
            induction: None,
            short_induction: None,
            simulator: Simulator::new(family),
            houdini: None,
            bmc: None,
            random,
        }
    }

    pub(crate) fn undecided(&self) -> Vec<usize> {
        let family = self.family;
        self.session.undecided(self.target).into_iter().filter(|mutant| family.contains(*mutant)).collect()
    }

    fn proof_k(&self) -> Option<usize> {
        let proof = &self.session.targets[self.target].proof;
        (!proof.simple_path).then_some(proof.k as usize)
    }

    /// Mutants outside the cone, decided by `outside_by`, and, `with_core`, those that the proof does not use.
    fn cone_and_core(&mut self, outside_by: Technique, with_core: bool) {
        let proof = Arc::clone(&self.session.targets[self.target].proof);
        let undecided = self.session.undecided(self.target);
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            undecided.into_iter().partition(|mutant| self.family.contains(*mutant));
        let mut unused: Vec<usize> = Vec::new();
        if with_core && let Some(k) = self.proof_k() {
            let family = self.family;
            let induction = self.induction.get_or_insert_with(|| Induction::new(family, k));
            let budget = self.session.budget();
            if let Some(used) = induction.core(&self.lemmas, &inside, &budget, &mut self.session.stats) {
                unused = inside.iter().copied().filter(|mutant| !used.contains(mutant)).collect();
            }
        }
        // The slice frees whole elements, so all mutants of an element have to be unused.
        let used: FxHashSet<_> = {
            let unused: FxHashSet<usize> = unused.iter().copied().collect();
            let in_use = inside.iter().filter(|mutant| !unused.contains(mutant));
            in_use.map(|mutant| self.session.mutants[*mutant].element).collect()
        };
        let frees = |mutant: &usize| self.session.is_free_mutant(*mutant);
        let freed: FxHashSet<_> =
            unused.iter().filter(|m| frees(m)).map(|mutant| self.session.mutants[*mutant].element).collect();
        let (together, single): (Vec<usize>, Vec<usize>) = unused.into_iter().partition(|mutant| {
            let element = self.session.mutants[*mutant].element;
            freed.contains(&element) && !used.contains(&element)
        });
        let mut members: Vec<(usize, &'static str)> =
            outside.into_iter().map(|mutant| (mutant, outside_by.name())).collect();
        members.extend(together.iter().map(|mutant| (*mutant, Technique::Core.name())));
        if !members.is_empty() && !self.session.survive_together(self.target, &members, &proof) {
            for (mutant, by) in members {
                self.session.survive(self.target, &[mutant], &proof, by);
            }
        }
        self.session.survive(self.target, &single, &proof, Technique::Core.name());
    }

    /// What killed mutants for other properties, or in an earlier run; then random runs.
    fn simulate(&mut self) {
        for stimulus in self.session.stimuli() {
            if self.session.is_over() || self.undecided().is_empty() {
                return;
            }
            let (netlist, system) = (&self.family.problem.netlist, self.session.system);
            if let Ok(stimulus) = BitTrace::of_stimulus(netlist, system, &stimulus) {
                self.spread(&stimulus, Technique::Simulation);
            }
        }
        self.simulate_at_random();
    }

    fn simulate_at_random(&mut self) {
        let mut idle = 0;
        let mut words = 0;
        for round in 0..STIMULI {
            let undecided = self.undecided();
            if undecided.is_empty() || idle >= PATIENCE || words >= SIMULATION_WORDS || self.session.is_over()
            {
                return;
            }
            let stimulus = self.random_stimulus(round);
            words += self.simulator.cost() * (LENGTH * undecided.len().div_ceil(LANES)) as u64;
            let killed = self.spread(&stimulus, Technique::Simulation);
            idle = if killed > 0 { 0 } else { idle + 1 };
        }
    }

    /// Inputs that are random, biased, or hold their value for a while: each is of one of these kinds throughout the run.
    fn random_stimulus(&mut self, round: usize) -> BitTrace {
        let netlist = &self.family.problem.netlist;
        let random = &mut self.random;
        let kinds: Vec<u8> =
            netlist.inputs.iter().map(|_| if round == 0 { 0 } else { random.u8(0..6) }).collect();
        let latches = netlist
            .latches
            .iter()
            .map(|latch| match latch.init {
                Init::Const(value) => value,
                Init::Free => random.bool(),
            })
            .collect::<Vec<bool>>();
        let mut inputs: Vec<bool> = netlist.inputs.iter().map(|_| random.bool()).collect();
        let steps = (0..LENGTH).map(|_| {
            for (input, kind) in inputs.iter_mut().zip(&kinds) {
                *input = match kind {
                    0 | 1 => random.bool(),
                    2 => random.u8(0..8) == 0,
                    3 => random.u8(0..8) != 0,
                    _ => *input ^ (random.u8(0..8) == 0),
                };
            }
            BitStep { latches: latches.clone(), inputs: inputs.clone() }
        });
        BitTrace { steps: steps.collect() }
    }

    /// Tries a stimulus on everybody who is undecided. How many it kills.
    pub(crate) fn spread(&mut self, stimulus: &BitTrace, by: Technique) -> usize {
        let undecided = self.undecided();
        let mut hits: Vec<Hit> = Vec::new();
        for chunk in undecided.chunks(LANES) {
            hits.extend(self.simulator.run(chunk, stimulus));
        }
        let Some(longest) = hits.iter().map(|hit| hit.step + 1).max() else { return 0 };
        let used = BitTrace { steps: stimulus.steps[..longest].to_vec() };
        let Ok(shared) = used.stimulus(&self.family.problem.netlist, self.session.system) else { return 0 };
        let shared = Arc::new(shared);
        let kills: Vec<(usize, Kill)> = hits
            .iter()
            .filter_map(|hit| {
                let mutant = self.session.mutants[hit.mutant];
                Some((hit.mutant, simulated_kill(self.session.system, mutant, hit, &shared).ok()?))
            })
            .collect();
        let count = kills.len();
        self.session.kill(self.target, kills, by.name());
        count
    }

    /// Records a run that kills a mutant, and tries it on the others.
    pub(crate) fn killed(&mut self, mutant: usize, trace: &BitTrace, by: Technique) {
        let system = self.session.system;
        if let Ok(kill) = traced_kill(system, self.family, self.session.mutants[mutant], trace) {
            self.session.kill(self.target, vec![(mutant, kill)], by.name());
        }
        self.spread(trace, Technique::Simulation);
    }

    /// The original invariant on all mutants.
    fn family_induction(&mut self) {
        let Some(k) = self.proof_k() else { return };
        let candidates = self.undecided();
        if candidates.is_empty() {
            return;
        }
        let family = self.family;
        let budget = self.session.budget();
        let induction = self.induction.get_or_insert_with(|| Induction::new(family, k));
        let inductive = induction.survivors(&self.lemmas, &candidates, &budget, &mut self.session.stats);
        let proof = Arc::clone(&self.session.targets[self.target].proof);
        self.session.survive(self.target, &inductive, &proof, Technique::FamilyInduction.name());
    }

    /// Lemmas found on the way, tried on everybody who is undecided.
    pub(crate) fn try_lemmas(&mut self, lemmas: &[Clause], by: Technique) {
        let candidates = self.undecided();
        if candidates.is_empty() {
            return;
        }
        let family = self.family;
        let budget = self.session.budget();
        let known = Lemmas { clauses: lemmas.to_vec(), others: Vec::new() };
        let induction = self.short_induction.get_or_insert_with(|| Induction::new(family, 1));
        let inductive = induction.survivors(&known, &candidates, &budget, &mut self.session.stats);
        if !inductive.is_empty() {
            let proof = family.proof_by(lemmas);
            self.session.survive(self.target, &inductive, &proof, by.name());
        }
    }

    /// Searches all mutants for violations, a little beyond the depth where there are some.
    fn family_bmc(&mut self) {
        let mut deepest = BMC_DEPTH;
        while self.bmc_depth() < deepest {
            match self.deepen(BMC_TICKS) {
                Some(0) => {}
                Some(_) => deepest = deepest.max(2 * self.bmc_depth()),
                None => break,
            }
        }
    }

    fn bmc_depth(&self) -> usize {
        self.bmc.as_ref().map_or(0, FamilyBmc::depth)
    }

    /// One step deeper with family BMC, which may have done so much work in all when it returns. How many it killed there; `None` when
    /// the budget ran out or nobody is left.
    pub(crate) fn deepen(&mut self, ticks: u64) -> Option<usize> {
        let mut undecided = self.undecided();
        if undecided.is_empty() || self.session.is_over() {
            return None;
        }
        let (family, seed) = (self.family, self.session.options.seed);
        let mut bmc = self.bmc.take().unwrap_or_else(|| FamilyBmc::new(family, seed));
        if bmc.ticks() >= ticks {
            self.bmc = Some(bmc);
            return None;
        }
        bmc.deepen(&undecided);
        let mut killed = 0;
        let clear = loop {
            let mut budget = self.session.budget();
            budget.interrupt = budget.interrupt.child();
            budget.interrupt.limit_ticks(ticks);
            match bmc.search(&undecided, &budget, &mut self.session.stats) {
                Found::Clear => break true,
                Found::Exhausted => break false,
                Found::Kill(mutant, trace) => {
                    self.killed(mutant, &trace, Technique::FamilyBmc);
                    bmc.exclude(mutant);
                    let before = undecided.len();
                    undecided.retain(|mutant| {
                        let gone = self.session.is_decided(self.target, *mutant);
                        if gone {
                            bmc.exclude(*mutant);
                        }
                        !gone
                    });
                    killed += before - undecided.len();
                }
            }
        };
        self.bmc = Some(bmc);
        clear.then_some(killed)
    }

    fn repair(&mut self) {
        for mutant in self.undecided() {
            if self.session.is_over() {
                return;
            }
            if self.session.is_decided(self.target, mutant) {
                continue; // by the lemmas of another one
            }
            let family = self.family;
            let (clauses, advised) = (&self.lemmas.clauses, &self.advised);
            let houdini = self.houdini.get_or_insert_with(|| {
                let mut houdini = Houdini::new(family);
                houdini.learn(clauses);
                houdini.learn(advised);
                houdini
            });
            if houdini.ticks() >= REPAIR_TICKS {
                return;
            }
            let mut budget = self.session.budget();
            budget.interrupt = budget.interrupt.child();
            budget.interrupt.limit_ticks(REPAIR_TICKS);
            let repaired = houdini.repair(mutant, &budget, &mut self.session.stats);
            if let Some(lemmas) = repaired {
                self.try_lemmas(&lemmas, Technique::Repair);
            }
        }
    }

    /// Records a proof that an engine found for one mutant, and tries its lemmas on the others.
    pub(crate) fn proved(&mut self, mutant: usize, lemmas: &EngineLemmas, k: u32, simple_path: bool) {
        let family = self.family;
        let proof = Arc::new(family.problem.proof(lemmas, k, simple_path));
        self.session.survive(self.target, &[mutant], &proof, Technique::Ic3.name());
        if let (EngineLemmas::Clauses(clauses), 1, false) = (lemmas, k, simple_path) {
            self.try_lemmas(&family.clauses_of(clauses), Technique::Ic3);
        }
    }

    /// Records the proof of a family search: for each member those lemmas that are about it.
    pub(crate) fn proved_all(&mut self, members: &[usize], clauses: &[Vec<Lit>]) {
        let by_member = self.family.clauses_by_member(clauses, members);
        let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for member in members.iter().filter(|member| !self.session.is_decided(self.target, **member)) {
            let lemmas = by_member.iter().enumerate().filter(|(_, (_, needed))| needed.contains(member));
            groups.entry(lemmas.map(|(at, _)| at).collect()).or_default().push(*member);
        }
        for (lemmas, members) in groups {
            let lemmas: Vec<Clause> = lemmas.into_iter().map(|at| by_member[at].0.clone()).collect();
            let proof = self.family.proof_by(&lemmas);
            self.session.survive(self.target, &members, &proof, Technique::FamilyIc3.name());
        }
    }

    /// Lemmas to start a search from.
    pub(crate) fn warm_lemmas(&self) -> Vec<Clause> {
        self.lemmas.clauses.iter().chain(&self.advised).cloned().collect()
    }
}

impl Session<'_> {
    fn is_free_mutant(&self, mutant: usize) -> bool {
        self.mutants[mutant].mutation == Mutation::Free
    }
}
