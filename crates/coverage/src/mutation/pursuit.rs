//! The mutants of one property: what is known about them, and how it is used. Every run or lemma that a technique finds is tried on everybody who is still undecided.

use super::bmc::FamilyBmc;
use super::evidence::{simulated_kill, traced_kill};
use super::family::{Clause, Family, Lemmas};
use super::induction::Induction;
use super::legal::Legal;
use super::repair::Houdini;
use super::search;
use super::session::Session;
use super::simulate::{Hit, LANES, Simulator};
use super::{Ground, Technique};
use propcov_engine::Stats;
use propcov_engine::finite::Lemmas as EngineLemmas;
use propcov_engine::finite::ic3::Leftovers;
use propcov_ir::{Kill, Mutation};
use propcov_sat::Lit;
use propcov_solve::BitTrace;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many runs are kept that killed somebody.
const KILLERS: usize = 64;

/// The mutants of one property, at work on them.
pub(crate) struct Pursuit<'p, 's, 'f> {
    pub(crate) session: &'p mut Session<'s>,
    pub(crate) target: usize,
    pub(crate) family: &'f Family<'f>,
    pub(crate) state: &'p mut State<'f>,
}

/// What is known about the mutants of one property, and kept from one technique to the next.
pub(crate) struct State<'f> {
    /// The original proof's lemmas.
    pub(super) lemmas: Lemmas,
    /// Lemmas of others.
    pub(super) advised: Vec<Clause>,
    /// Induction of the original proof's length.
    induction: Option<Induction<'f>>,
    /// Induction of length 1, for lemmas found on the way.
    short_induction: Option<Induction<'f>>,
    pub(super) simulator: Option<Simulator<'f>>,
    /// Who makes runs that satisfy the assumptions, where chance does not.
    pub(super) legal: Option<Legal<'f>>,
    pub(super) houdini: Option<Houdini<'f>>,
    pub(super) bmc: Option<FamilyBmc<'f>>,
    pub(super) random: fastrand::Rng,
    /// Runs that killed somebody.
    pub(super) killers: Vec<BitTrace>,
    /// Lemmas of mutants' proofs that repair has not heard of.
    pub(super) pool: Vec<Clause>,
    /// Lemmas that prove that a mutant survives.
    pub(super) proofs: Vec<(usize, Vec<Clause>)>,
    /// With how many lemmas a repair was tried, by mutant.
    pub(super) tried: FxHashMap<usize, usize>,
    /// What searches left behind that had no answer, by mutant.
    pub(crate) leftovers: FxHashMap<usize, Leftovers>,
    /// Mutants that no engine can do anything about.
    pub(crate) hopeless: Vec<usize>,
    /// The work of searches so far, in ticks.
    pub(crate) searched: u64,
}

impl<'f> State<'f> {
    /// Nothing is known but the proof.
    pub(crate) fn new(family: &Family<'f>, seed: u64) -> State<'f> {
        State {
            lemmas: family.lemmas(),
            advised: family.advised(),
            induction: None,
            short_induction: None,
            simulator: None,
            legal: None,
            houdini: None,
            bmc: None,
            random: fastrand::Rng::with_seed(seed),
            killers: Vec::new(),
            pool: Vec::new(),
            proofs: Vec::new(),
            tried: FxHashMap::default(),
            leftovers: FxHashMap::default(),
            hopeless: Vec::new(),
            searched: 0,
        }
    }

    /// Lets go of what can be made again.
    pub(crate) fn shrink(&mut self) {
        (self.induction, self.short_induction, self.simulator) = (None, None, None);
        self.legal = None;
    }
}

impl<'f> Pursuit<'_, '_, 'f> {
    pub(crate) fn undecided(&self) -> Vec<usize> {
        let family = self.family;
        self.session.undecided(self.target).into_iter().filter(|mutant| family.contains(*mutant)).collect()
    }

    pub(super) fn simulator(&mut self) -> &mut Simulator<'f> {
        let family = self.family;
        self.state.simulator.get_or_insert_with(|| Simulator::new(family))
    }

    /// What efforts are measured by, in ticks: the work of whoever proved the property, and what it takes to encode it.
    pub(crate) fn unit(&self) -> u64 {
        search::unit(self.session, self.target, self.family.size())
    }

    /// Lemmas of the proof of the nearest mutant: those that are close in the list often belong to the same word.
    pub(crate) fn nearest_lemmas(&self, mutant: usize) -> &[Clause] {
        let nearest = self.state.proofs.iter().min_by_key(|(other, _)| other.abs_diff(mutant));
        nearest.map_or(&[], |(_, lemmas)| lemmas)
    }

    fn proof_k(&self) -> Option<usize> {
        let proof = self.session.targets[self.target].ground.proof()?;
        (!proof.simple_path).then_some(proof.k as usize)
    }

    /// Mutants outside the cone, decided by `outside_by`, and those that the proof does not use, if that is to be found out with so many ticks. Whether it was.
    pub(crate) fn cone_and_core(&mut self, outside_by: Technique, core: Option<u64>) -> bool {
        let ground = self.session.targets[self.target].ground.clone();
        let mut is_found = core.is_none();
        let undecided = self.session.undecided(self.target);
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            undecided.into_iter().partition(|mutant| self.family.contains(*mutant));
        let mut unused: Vec<usize> = Vec::new();
        is_found |= self.proof_k().is_none();
        if let (Some(ticks), Some(k)) = (core, self.proof_k()) {
            let family = self.family;
            let induction = self.state.induction.get_or_insert_with(|| Induction::new(family, k));
            let mut budget = self.session.budget();
            budget.interrupt = budget.interrupt.child();
            budget.interrupt.limit_ticks(ticks);
            if let Some(used) = induction.core(&self.state.lemmas, &inside, &budget, &mut self.session.stats)
            {
                unused = inside.iter().copied().filter(|mutant| !used.contains(mutant)).collect();
                is_found = true;
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
        if !members.is_empty() && !self.session.survive_together(self.target, &members, &ground) {
            for (mutant, by) in members {
                self.session.survive(self.target, &[mutant], &ground, by);
            }
        }
        self.session.survive(self.target, &single, &ground, Technique::Core.name());
        is_found
    }

    /// Tries a stimulus on everybody who is undecided. How many it kills.
    pub(crate) fn spread(&mut self, stimulus: &BitTrace, by: Technique) -> usize {
        let stimulus = self.within_bound(stimulus);
        let undecided = self.undecided();
        let mut hits: Vec<Hit> = Vec::new();
        for chunk in undecided.chunks(LANES) {
            hits.extend(self.simulator().run(chunk, &stimulus));
        }
        let netlist = &self.family.problem.netlist;
        // Where nothing is remembered each step is a run by itself.
        let is_stateless = netlist.latches.is_empty() && netlist.initial.is_empty();
        let mut used: Vec<(BitTrace, Vec<Hit>)> = Vec::new();
        if is_stateless {
            hits.sort_by_key(|hit| hit.step);
            for hit in hits {
                let at = hit.step;
                let alone =
                    Hit { mutant: hit.mutant, step: 0, free: hit.free.into_iter().skip(at).collect() };
                match used.last_mut() {
                    Some((run, all)) if run.steps[0] == stimulus.steps[at] => all.push(alone),
                    _ => used.push((BitTrace { steps: vec![stimulus.steps[at].clone()] }, vec![alone])),
                }
            }
        } else if let Some(longest) = hits.iter().map(|hit| hit.step + 1).max() {
            used.push((BitTrace { steps: stimulus.steps[..longest].to_vec() }, hits));
        }
        used.into_iter().map(|(run, hits)| self.hit(run, &hits, by)).sum()
    }

    /// Records whom a run kills. Returns how many of them were accepted.
    fn hit(&mut self, used: BitTrace, hits: &[Hit], by: Technique) -> usize {
        let Ok(shared) = used.stimulus(&self.family.problem.netlist, self.session.system) else { return 0 };
        let shared = Arc::new(shared);
        let kills: Vec<(usize, Kill)> = hits
            .iter()
            .filter_map(|hit| {
                let mutant = self.session.mutants[hit.mutant];
                Some((hit.mutant, simulated_kill(self.session.system, mutant, hit, &shared).ok()?))
            })
            .collect();
        let claimed: Vec<usize> = kills.iter().map(|(mutant, _)| *mutant).collect();
        self.session.kill(self.target, kills, by.name());
        // Where arrays are watched, not all are accepted.
        let is_decided = |mutant: &&usize| self.session.is_decided(self.target, **mutant);
        let count = claimed.iter().filter(is_decided).count();
        if self.state.killers.len() < KILLERS {
            self.state.killers.push(used);
        }
        count
    }

    /// Records a run that kills a mutant, and tries it on the others.
    pub(crate) fn killed(&mut self, mutant: usize, trace: &BitTrace, by: Technique) {
        let system = self.session.system;
        if let Ok(kill) = traced_kill(system, self.family, self.session.mutants[mutant], trace) {
            self.session.kill(self.target, vec![(mutant, kill)], by.name());
        }
        self.spread(trace, Technique::Simulation);
        if self.family.problem.netlist.is_watched() && !self.session.is_decided(self.target, mutant) {
            self.session.pass_over(self.target, mutant);
        }
        self.vary(trace);
    }

    /// The original invariant on all mutants.
    pub(crate) fn family_induction(&mut self) {
        let Some(k) = self.proof_k() else { return };
        let candidates = self.undecided();
        if candidates.is_empty() {
            return;
        }
        let family = self.family;
        let budget = self.session.budget();
        let induction = self.state.induction.get_or_insert_with(|| Induction::new(family, k));
        let inductive =
            induction.survivors(&self.state.lemmas, &candidates, &budget, &mut self.session.stats);
        let ground = self.session.targets[self.target].ground.clone();
        self.session.survive(self.target, &inductive, &ground, Technique::FamilyInduction.name());
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
        let induction = self.state.short_induction.get_or_insert_with(|| Induction::new(family, 1));
        let inductive = induction.survivors(&known, &candidates, &budget, &mut self.session.stats);
        if !inductive.is_empty() {
            let ground = Ground::Proved(family.proof_by(lemmas));
            self.session.survive(self.target, &inductive, &ground, by.name());
        }
    }

    /// Records a proof that an engine found for one mutant, and tries its lemmas on the others.
    pub(crate) fn proved(&mut self, mutant: usize, lemmas: &EngineLemmas, k: u32, simple_path: bool) {
        let family = self.family;
        let ground = Ground::Proved(Arc::new(family.problem.proof(lemmas, k, simple_path)));
        self.session.survive(self.target, &[mutant], &ground, Technique::Ic3.name());
        if let (EngineLemmas::Clauses(clauses), 1, false) = (lemmas, k, simple_path) {
            let clauses = family.clauses_of(clauses);
            self.state.proofs.push((mutant, clauses.clone()));
            self.try_lemmas(&clauses, Technique::Ic3);
            self.learn(&clauses);
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
            let ground = Ground::Proved(self.family.proof_by(&lemmas));
            self.session.survive(self.target, &members, &ground, Technique::FamilyIc3.name());
        }
    }

    /// Counts the work of a search.
    pub(crate) fn searched(&mut self, stats: &Stats) {
        self.state.searched += stats.ticks;
        self.session.stats.merge(stats);
    }

    /// Lemmas to start a search from.
    pub(crate) fn warm_lemmas(&self) -> Vec<Clause> {
        self.state.lemmas.clauses.iter().chain(&self.state.advised).cloned().collect()
    }
}

impl Session<'_> {
    fn is_free_mutant(&self, mutant: usize) -> bool {
        self.mutants[mutant].mutation == Mutation::Free
    }
}
