//! Mutants of systems with ints and reals: the [pipeline](super::pipeline) over sums instead of circuits.
//!
//! The techniques are the same, and so is their order. What differs is what they work on.
//!
//! 1. *cone*, *core*: what the property does not depend on, or its proof does not use, survives, all of it together.
//! 2. *simulation* ([`simulate`]): random runs, and those that killed somebody, in exact arithmetic.
//! 3. *family induction*, *family BMC* and *repair* ([`family`]): one solver in which each mutant has a literal that picks it. Of the lemmas that are known, those of the proof and of
//!    other mutants' proofs, repair finds the greatest part that is inductive on a mutant, as far as the property depends on it.
//! 4. Rounds ([`rounds`]): all engines on each mutant that is left, given the lemmas known, with four times the effort in each round; what they find is tried on all others.
//!
//! There is no IC3 over a whole family here.
//!
//! Breadth before depth, as ever: each technique goes over the mutants of all properties before the next.

mod family;
mod rounds;
mod simulate;

use super::session::Session;
use super::{Ground, Technique};
use family::Family;
use propcov_engine::Limits;
use propcov_engine::infinite;
use propcov_ir::{Edits, ElementId, ElementSet, Kill, Mutant, Proof, PropertyId, Site, System};
use rustc_hash::FxHashSet;
use simulate::Simulator;
use std::sync::Arc;

/// The system as written: mutants are a matter of literals.
static AS_WRITTEN: Edits = Edits::none();

/// The least work of the core, of family induction, of the first family BMC and of repair, in ticks; where the proof took more, so many times as long.
const LEAST: u64 = 4_000_000;
const TIMES: u64 = 2;

/// How deep family BMC looks at first, beyond the length of the proof's induction.
const FIRST_DEPTH: usize = 10;

/// Whether a property is about numbers, so that circuits do not do.
pub(super) fn concerns(system: &System, property: PropertyId) -> bool {
    system.has_numbers()
        && infinite::concerns(system)
        && propcov_engine::finite::Problem::new(system, &AS_WRITTEN, property).is_err()
}

/// Applies the techniques to these targets.
pub(super) fn run(session: &mut Session<'_>, targets: &[usize], techniques: &[Technique]) {
    let has = |technique: Technique| techniques.contains(&technique);
    if has(Technique::Cone) || has(Technique::Core) {
        for target in targets {
            if !session.is_over() && !session.undecided(*target).is_empty() {
                by_the_proof(session, *target, has(Technique::Cone), has(Technique::Core));
            }
        }
    }
    let mut pursuits: Vec<Pursuit<'_>> = Vec::new();
    for target in targets {
        if !session.is_over() && !session.undecided(*target).is_empty() {
            pursuits.extend(Pursuit::new(session, *target));
        }
    }
    for technique in techniques {
        for pursuit in &mut pursuits {
            if session.is_over() || pursuit.undecided(session).is_empty() {
                continue;
            }
            // What is not proved is searched up to its bound; there is nothing else for it.
            if pursuit.bound.is_some() && *technique != Technique::Simulation {
                continue;
            }
            match technique {
                Technique::Simulation => pursuit.simulate(session),
                Technique::FamilyInduction => pursuit.family_induction(session),
                Technique::FamilyBmc => pursuit.first_bmc(session),
                Technique::Repair => pursuit.repair(session),
                _ => continue,
            }
        }
    }
    rounds::run(session, &mut pursuits, techniques);
}

/// The mutants of one property, and what is known about them.
struct Pursuit<'s> {
    target: usize,
    property: PropertyId,
    /// How far the property is known to hold, if it is not proved.
    bound: Option<u32>,
    family: Family<'s>,
    simulator: Simulator,
    /// With how many lemmas a repair was tried, by mutant.
    tried: rustc_hash::FxHashMap<usize, usize>,
    /// Mutants that no engine can do anything about.
    hopeless: FxHashSet<usize>,
    /// Runs of so many steps kill nobody who is left.
    cleared: usize,
}

impl<'s> Pursuit<'s> {
    fn new(session: &mut Session<'s>, target: usize) -> Option<Pursuit<'s>> {
        let property = session.targets[target].property;
        let inside = elements_inside(session.system, property);
        let members: Vec<usize> = session.undecided(target);
        let members = members.into_iter().filter(|member| inside.contains(session.mutants[*member].element));
        let members: Vec<usize> = members.collect();
        let mutants: Vec<Mutant> = members.iter().map(|member| session.mutants[*member]).collect();
        let Some(mut family) = Family::new(session.system, property, &mutants, &session.budget()) else {
            session.give_up(target, "a property that is no invariant");
            return None;
        };
        let bound = match &session.targets[target].ground {
            Ground::Proved(proof) => {
                family.learn(&proof.invariant, proof.k);
                None
            }
            Ground::UpTo(bound) => Some(*bound),
        };
        for proof in &session.options.advice.proofs {
            family.learn(&proof.invariant, 1);
        }
        let simulator = Simulator::new(session.system, property, session.options.seed)?;
        let (tried, hopeless) = Default::default();
        Some(Pursuit { target, property, bound, family, simulator, tried, hopeless, cleared: 0 })
    }

    /// Positions of those who are undecided and on which the property depends.
    fn undecided(&self, session: &Session<'_>) -> Vec<usize> {
        let is_member = |member: &usize| self.family.contains(session.mutants[*member]);
        session.undecided(self.target).into_iter().filter(is_member).collect()
    }

    fn mutants(session: &Session<'_>, members: &[usize]) -> Vec<Mutant> {
        members.iter().map(|member| session.mutants[*member]).collect()
    }

    /// What efforts are measured by, in ticks.
    fn effort(&self, session: &Session<'_>) -> u64 {
        session.targets[self.target].ticks.saturating_mul(TIMES).max(LEAST)
    }

    fn limits(&self, session: &Session<'_>, ticks: u64) -> Limits {
        session.limits().for_one(ticks, None)
    }

    /// Records a run that kills a mutant, and tries it on the others.
    fn killed(&mut self, session: &mut Session<'_>, member: usize, kill: Kill, by: Technique) {
        let stimulus = Arc::clone(&kill.stimulus);
        session.kill(self.target, vec![(member, kill)], by.name());
        self.spread(session, &stimulus);
    }

    /// Records a proof of a mutant's survival, and tries its lemmas on the others.
    fn proved(&mut self, session: &mut Session<'_>, members: &[usize], proof: Proof, by: Technique) {
        let (invariant, k) = (Arc::clone(&proof.invariant), proof.k);
        let is_plain = !proof.simple_path;
        let ground = Ground::Proved(Arc::new(proof));
        self.survive(session, members, &ground, by);
        if !is_plain {
            return;
        }
        let limits = self.limits(session, self.effort(session));
        let open = self.undecided(session);
        let asked = Self::mutants(session, &open);
        let claims = self.family.learn(&invariant, k);
        let survivors = self.family.inductive(&claims, k as usize, &asked, &limits, &mut session.stats);
        let survivors: Vec<usize> =
            open.into_iter().filter(|member| survivors.contains(&session.mutants[*member])).collect();
        self.survive(session, &survivors, &ground, by);
    }

    /// Records survivals. Elements that can all be freed together are certified by one check.
    fn survive(&mut self, session: &mut Session<'_>, members: &[usize], ground: &Ground, by: Technique) {
        let free: Vec<(usize, &'static str)> = members
            .iter()
            .filter(|member| session.mutants[**member].mutation == propcov_ir::Mutation::Free)
            .map(|member| (*member, by.name()))
            .collect();
        if free.len() > 1 {
            let elements: FxHashSet<ElementId> =
                free.iter().map(|(member, _)| session.mutants[*member].element).collect();
            let is_of_those = |member: &usize| elements.contains(&session.mutants[*member].element);
            let together = session.undecided(self.target).into_iter().filter(is_of_those);
            let together: Vec<(usize, &'static str)> = together.map(|member| (member, by.name())).collect();
            session.survive_together(self.target, &together, ground);
        }
        let left: Vec<usize> =
            members.iter().copied().filter(|member| !session.is_decided(self.target, *member)).collect();
        session.survive(self.target, &left, ground, by.name());
    }

    /// The proof's invariant on all mutants: those that are freed first, for what survives that survives everything.
    fn family_induction(&mut self, session: &mut Session<'_>) {
        session.progress(self.target, Technique::FamilyInduction.name());
        let ground = session.targets[self.target].ground.clone();
        let Some(proof) = ground.proof().filter(|proof| !proof.simple_path) else { return };
        let claims = self.family.learn(&proof.invariant, proof.k);
        for is_free in [true, false] {
            let of_kind =
                |member: &usize| (session.mutants[*member].mutation == propcov_ir::Mutation::Free) == is_free;
            let open: Vec<usize> = self.undecided(session).into_iter().filter(of_kind).collect();
            let asked = Self::mutants(session, &open);
            let limits = self.limits(session, self.effort(session));
            let found = self.family.inductive(&claims, proof.k as usize, &asked, &limits, &mut session.stats);
            let survivors: Vec<usize> =
                open.into_iter().filter(|member| found.contains(&session.mutants[*member])).collect();
            self.survive(session, &survivors, &ground, Technique::FamilyInduction);
        }
    }

    fn first_bmc(&mut self, session: &mut Session<'_>) {
        let depth = self.family.longest() + FIRST_DEPTH;
        self.bmc(session, depth, self.effort(session));
    }

    /// Looks for runs of up to so many steps that kill somebody, within so many ticks. Whether all of them were looked at.
    fn bmc(&mut self, session: &mut Session<'_>, steps: usize, ticks: u64) -> bool {
        session.progress(self.target, Technique::FamilyBmc.name());
        let limits = self.limits(session, ticks);
        let end = self.family.ticks() + ticks;
        while self.cleared < steps {
            let open: Vec<usize> = self.undecided(session);
            let asked = Self::mutants(session, &open);
            if asked.is_empty() {
                return true;
            }
            if session.is_over() || self.family.ticks() >= end {
                return false;
            }
            match self.family.violated(self.cleared, &asked, &limits, &mut session.stats) {
                family::Found::Nobody => self.cleared += 1,
                family::Found::Unknown => return false,
                family::Found::Killed(mutant, kill) => {
                    let of_mutant = |member: &usize| session.mutants[*member] == mutant;
                    let Some(member) = open.into_iter().find(of_mutant) else { return false };
                    self.killed(session, member, kill, Technique::FamilyBmc);
                    // A bug, which has been noted: the same run would be found again.
                    if !session.is_decided(self.target, member) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Tries to find an invariant for everybody who is undecided among the lemmas that are known.
    fn repair(&mut self, session: &mut Session<'_>) {
        session.progress(self.target, Technique::Repair.name());
        let end = self.family.ticks() + self.effort(session);
        for member in self.undecided(session) {
            if session.is_over() || self.family.ticks() >= end {
                return;
            }
            let known = self.family.lemma_count();
            if session.is_decided(self.target, member) || self.tried.insert(member, known) == Some(known) {
                continue;
            }
            let limits = self.limits(session, end - self.family.ticks());
            let mutant = session.mutants[member];
            if let Some(proof) = self.family.repair(mutant, &limits, &mut session.stats) {
                self.proved(session, &[member], proof, Technique::Repair);
            }
        }
    }
}

/// Mutants outside the cone of the property, and of elements that the proof does not use.
fn by_the_proof(session: &mut Session<'_>, target: usize, with_cone: bool, with_core: bool) {
    let first = if with_cone { Technique::Cone } else { Technique::Core };
    session.progress(target, first.name());
    let property = session.targets[target].property;
    let inside = elements_inside(session.system, property);
    let ground = session.targets[target].ground.clone();
    let mut used = inside.clone();
    if with_core && let Some(proof) = ground.proof() {
        let mut proof = Proof::clone(proof);
        let ticks = session.targets[target].ticks.saturating_mul(TIMES).max(LEAST);
        let limits = session.limits().for_one(ticks, None);
        proof.core = session.system.element_ids().collect();
        let stats = &mut session.stats;
        if propcov_engine::reduce_core(session.system, &AS_WRITTEN, property, &mut proof, &limits, stats) {
            used = used.intersection(&proof.core);
        }
    }
    let name = |member: usize| {
        let element = session.mutants[member].element;
        match (inside.contains(element), used.contains(element)) {
            (false, _) => Some(first.name()),
            (true, false) => Some(Technique::Core.name()),
            (true, true) => None,
        }
    };
    let mut members: Vec<(usize, &'static str)> =
        session.undecided(target).into_iter().filter_map(|member| Some((member, name(member)?))).collect();
    members.sort_by_key(|(member, by)| (*by != first.name(), *member));
    if members.is_empty() || session.survive_together(target, &members, &ground) {
        return;
    }
    for by in [first.name(), Technique::Core.name()] {
        let of_kind: Vec<(usize, &'static str)> =
            members.iter().copied().filter(|(_, other)| *other == by).collect();
        if !of_kind.is_empty() {
            session.survive_together(target, &of_kind, &ground);
        }
    }
}

/// The elements that a property depends on.
fn elements_inside(system: &System, property: PropertyId) -> ElementSet {
    let cone = system.cone_of(property);
    let is_inside = |element: &ElementId| match system.element(*element).site {
        Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => cone[signal.0 as usize],
        Site::Constraint(_) => true,
    };
    system.element_ids().filter(is_inside).collect()
}
