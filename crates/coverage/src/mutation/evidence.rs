//! From what a technique claims to a finding: only what the independent checker accepts is recorded.
//!
//! A stuck element is a freed one that happens to take the same value in every step. So whatever kills one that is stuck kills the freed one, by the same run, and
//! what proves that the freed one survives proves it of those that are stuck. Each is claimed together with the other, at no extra cost.

use super::Ground;
use super::family::Family;
use super::session::Session;
use super::simulate::Hit;
use propcov_budget::Budget;
use propcov_certify::{self as certify, Examined, Rejection, check_bound, check_kills, check_proof};
use propcov_ir::words::{Unsupported, Word};
use propcov_ir::{
    Edit, Edits, Interpreter, Kill, Mutant, Mutation, Site, Sort, Status, Stimulus, System, Value,
};
use propcov_solve::BitTrace;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Session<'_> {
    /// Records mutants that are killed. The evidence is replayed first.
    pub(crate) fn kill(&mut self, target: usize, mut kills: Vec<(usize, Kill)>, by: &'static str) {
        kills.extend(self.freed(target, &kills));
        let claims: Vec<(Mutant, &Kill)> =
            kills.iter().map(|(mutant, kill)| (self.mutants[*mutant], kill)).collect();
        let verdicts = check_kills(self.system, self.targets[target].property, &claims);
        let mut covered = Vec::with_capacity(kills.len());
        for ((mutant, kill), verdict) in kills.into_iter().zip(verdicts) {
            match verdict {
                Ok(()) => covered.push((mutant, Status::Covered(Arc::new(kill)))),
                Err(rejection) => self.reject(target, mutant, by, &rejection.to_string()),
            }
        }
        self.decide(target, covered, by);
    }

    /// The same runs as those of the freed element, where that is undecided and nobody claims to kill it.
    fn freed(&self, target: usize, kills: &[(usize, Kill)]) -> Vec<(usize, Kill)> {
        let mut claimed: FxHashSet<usize> = kills.iter().map(|(mutant, _)| *mutant).collect();
        let mut freed = Vec::new();
        for (mutant, kill) in kills {
            let Mutant { element, mutation } = self.mutants[*mutant];
            let Some(sibling) = self.undecided_sibling(target, *mutant, Mutation::Free) else { continue };
            let sort = self.system.mutable_sort(element);
            let constant = sort.and_then(|sort| mutation.constant(sort));
            let free = match constant {
                Some(value) => Some(vec![value; kill.steps]),
                None => self.values_along(*mutant, kill),
            };
            if let Some(free) = free
                && claimed.insert(sibling)
            {
                freed.push((sibling, Kill { free, stimulus: Arc::clone(&kill.stimulus), steps: kill.steps }));
            }
        }
        freed
    }

    /// What the mutated definition says along a run, for an element that is left open to do the same.
    fn values_along(&self, mutant: usize, kill: &Kill) -> Option<Vec<Value>> {
        let (system, mutant) = (self.system, self.mutants[mutant]);
        let trace = kill.trace(system, mutant).ok()?;
        match system.element(mutant.element).site {
            Site::Wire(wire) => {
                let edits = mutant.edits(system);
                let interpreter = Interpreter::new(system, &edits).ok()?;
                let value = |step| interpreter.frame(step).ok()?.signal(wire).cloned();
                trace.steps.iter().map(value).collect()
            }
            Site::Next(state) => {
                let at = system.states().iter().position(|other| *other == state)?;
                trace.steps.iter().skip(1).map(|step| step.states.get(at).cloned()).collect()
            }
            Site::Init(_) | Site::Constraint(_) => None,
        }
    }

    /// The members, and those that are stuck, or mutated in another way, where a member is freed. Paths in which no state is met twice are another matter: a freed state is not compared.
    fn with_stuck(&self, target: usize, members: &[usize], ground: &Ground) -> Vec<usize> {
        let mut all = members.to_vec();
        if ground.proof().is_some_and(|proof| proof.simple_path) {
            return all;
        }
        let mut known: FxHashSet<usize> = members.iter().copied().collect();
        for member in members.iter().filter(|member| self.mutants[**member].mutation == Mutation::Free) {
            for mutation in Mutation::ALL.into_iter().filter(|mutation| *mutation != Mutation::Free) {
                let stuck = self.undecided_sibling(target, *member, mutation);
                all.extend(stuck.filter(|stuck| known.insert(*stuck)));
            }
        }
        all
    }

    /// Records mutants that the property survives, on a ground that has to be accepted for each. All are checked in one query.
    pub(crate) fn survive(&mut self, target: usize, members: &[usize], ground: &Ground, by: &'static str) {
        if members.is_empty() {
            return;
        }
        let members = &self.with_stuck(target, members, ground);
        let budget = self.budget();
        let mutants: Vec<Mutant> = members.iter().map(|member| self.mutants[*member]).collect();
        let accepted = match self.certifier(target) {
            Ok(certifier) => match check(certifier, ground, &mutants, &budget) {
                Ok(()) => mutants,
                Err(Rejection::Undecided) => return,
                Err(rejection) => {
                    // Some member is at fault: keep the others, and say so.
                    let accepted = examine(certifier, ground, &mutants, &budget).accepted;
                    for (member, mutant) in members.iter().zip(&mutants) {
                        if !accepted.contains(mutant) && !budget.is_exhausted() {
                            self.reject(target, *member, by, &rejection.to_string());
                        }
                    }
                    accepted
                }
            },
            Err(rejection) => {
                self.reject(target, members[0], by, &rejection.to_string());
                return;
            }
        };
        let accepted: FxHashSet<Mutant> = accepted.into_iter().collect();
        let survived: Vec<(usize, Status)> = members
            .iter()
            .filter(|member| accepted.contains(&self.mutants[**member]))
            .map(|member| (*member, ground.status()))
            .collect();
        self.decide(target, survived, by);
    }

    /// Records mutants whose elements can all be freed together without harm to the proof. Freeing more only adds runs, so one
    /// check of the slice stands for each of them, whatever its mutation. Says whether it was accepted.
    pub(crate) fn survive_together(
        &mut self,
        target: usize,
        members: &[(usize, &'static str)],
        ground: &Ground,
    ) -> bool {
        let mut slice = Edits::none();
        for (member, _) in members {
            slice.insert(self.mutants[*member].element, Edit::Free);
        }
        let property = self.targets[target].property;
        let (system, budget) = (self.system, self.budget());
        let checked = match ground {
            Ground::Proved(proof) => check_proof(system, &slice, property, proof, &budget),
            Ground::UpTo(bound) => check_bound(system, &slice, property, *bound, &budget),
        };
        if checked.is_err() {
            return false;
        }
        for group in members.chunk_by(|(_, a), (_, b)| a == b) {
            let survived = group.iter().map(|(member, _)| (*member, ground.status()));
            self.decide(target, survived, group[0].1);
        }
        true
    }
}

fn check(
    certifier: &mut certify::Family<'_>,
    ground: &Ground,
    mutants: &[Mutant],
    budget: &Budget,
) -> Result<(), Rejection> {
    match ground {
        Ground::Proved(proof) => certifier.check(proof, mutants, budget),
        Ground::UpTo(bound) => certifier.check_bound(*bound, mutants, budget),
    }
}

fn examine(
    certifier: &mut certify::Family<'_>,
    ground: &Ground,
    mutants: &[Mutant],
    budget: &Budget,
) -> Examined {
    match ground {
        Ground::Proved(proof) => certifier.examine(proof, mutants, budget),
        Ground::UpTo(bound) => certifier.examine_bound(*bound, mutants, budget),
    }
}

/// The kill that a simulation found.
pub(crate) fn simulated_kill(
    system: &System,
    mutant: Mutant,
    hit: &Hit,
    stimulus: &Arc<Stimulus>,
) -> Result<Kill, Unsupported> {
    let values =
        |sort: &Sort| hit.free.iter().map(|bits| value_of(sort, bits)).collect::<Result<Vec<_>, _>>();
    let free = match (mutant.mutation, system.mutable_sort(mutant.element)) {
        (Mutation::Free, Some(sort)) => values(sort)?,
        _ => Vec::new(),
    };
    Ok(Kill { stimulus: Arc::clone(stimulus), steps: hit.step + 1, free })
}

/// The kill that a solver's model describes.
pub(crate) fn traced_kill(
    system: &System,
    family: &Family<'_>,
    mutant: Mutant,
    trace: &BitTrace,
) -> Result<Kill, Unsupported> {
    Ok(Kill {
        stimulus: Arc::new(trace.stimulus(&family.problem.netlist, system)?),
        steps: trace.steps.len(),
        free: trace.free_values(&family.problem.netlist, system, mutant)?,
    })
}

fn value_of(sort: &Sort, bits: &[bool]) -> Result<Value, Unsupported> {
    let mut bits = bits.iter().copied();
    Word::build(sort, || bits.next().unwrap_or(false))?.value(sort, &mut |bit| *bit)
}
