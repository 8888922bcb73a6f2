//! The properties of one mutant, decided together.
//!
//! Properties of a suite are each other's lemmas ([`joint`]), and on a mutant they still are, as far as they survive. Asked one by one, each of them has to find out by itself what the others
//! say. So the properties that are open for a mutant are searched at once; those that are known to survive there are taken for granted, with the proofs that say so of this very mutant. Nothing that
//! is only known of the design as written is assumed: a lemma that the mutant breaks does not count on it.

use super::Ground;
use super::Technique;
use super::family::with_advice;
use super::session::Session;
use propcov_engine::finite::joint::{self, Given, Settled};
use propcov_engine::{Config, Silent};
use propcov_ir::{Invariant, Kill, Proof, PropertyId, Status, Verdict};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A search starts from lemmas of so many other mutants, the nearest ones in the list.
const NEIGHBOURS: usize = 4;

/// Lemmas of proofs that properties survive, by mutant. They are advice to others.
#[derive(Default)]
pub(crate) struct Pool {
    lemmas: BTreeMap<usize, Vec<Arc<Invariant>>>,
}

impl Pool {
    fn add(&mut self, mutant: usize, proof: &Proof) {
        let known = self.lemmas.entry(mutant).or_default();
        if !proof.invariant.lemmas.is_empty()
            && !known.iter().any(|other| Arc::ptr_eq(other, &proof.invariant))
        {
            known.push(Arc::clone(&proof.invariant));
        }
    }

    /// Lemmas for a mutant: its own, and those of its neighbours.
    fn near(&self, mutant: usize) -> impl Iterator<Item = &Invariant> {
        let mut mutants: Vec<usize> = self.lemmas.keys().copied().collect();
        mutants.sort_by_key(|other| (other.abs_diff(mutant), *other));
        mutants
            .into_iter()
            .take(NEIGHBOURS)
            .flat_map(|other| self.lemmas[&other].iter().map(|lemmas| &**lemmas))
    }
}

/// Searches every mutant that some of the targets leave undecided, with so much work for each target in question.
pub(crate) fn round(
    session: &mut Session<'_>,
    targets: &[usize],
    pool: &mut Pool,
    ticks_of: &dyn Fn(&Session<'_>, usize) -> u64,
) {
    let mut waiting: Vec<usize> = (0..session.mutants.len()).collect();
    // Who survives freed survives stuck.
    waiting.sort_by_key(|mutant| (session.mutants[*mutant].mutation, *mutant));
    for mutant in waiting {
        let open: Vec<usize> = targets
            .iter()
            .copied()
            .filter(|target| {
                session.targets[*target].ground.proof().is_some() && !session.is_decided(*target, mutant)
            })
            .collect();
        let Some(first) = open.first().copied() else { continue };
        if session.is_over() {
            return;
        }
        session.progress(first, Technique::Joint.name());
        let ticks = open.iter().map(|target| ticks_of(session, *target)).fold(0, u64::saturating_add);
        decide(session, mutant, targets, &open, pool, ticks);
    }
}

fn decide(
    session: &mut Session<'_>,
    mutant: usize,
    targets: &[usize],
    open: &[usize],
    pool: &mut Pool,
    ticks: u64,
) {
    let edits = session.mutants[mutant].edits(session.system);
    let properties: Vec<PropertyId> = open.iter().map(|target| session.targets[*target].property).collect();
    let known: Vec<(PropertyId, Arc<Proof>)> = targets
        .iter()
        .filter_map(|target| match session.status(*target, mutant) {
            Some(Status::Uncovered(proof)) if !proof.simple_path => {
                Some((session.targets[*target].property, Arc::clone(proof)))
            }
            _ => None,
        })
        .collect();
    let given: Vec<Given<'_>> =
        known.iter().map(|(property, proof)| Given { property: *property, proof }).collect();
    if open.len() + given.len() < 2 {
        return;
    }
    let config = Config { seed: session.options.seed, arrays: session.arrays, ..Config::default() };
    let limits = session.limits().for_one(ticks, None);
    let own = open
        .iter()
        .filter_map(|target| session.targets[*target].ground.proof())
        .map(|proof| &*proof.invariant);
    let lemmas = own.chain(pool.near(mutant));
    let advice = with_advice(session.system, &properties, &Invariant::default(), lemmas);
    let found = joint::check(
        session.system,
        &edits,
        &properties,
        &given,
        Some(&advice),
        &|_| true,
        &config,
        &limits,
        &Silent,
    );
    // What circuits cannot represent is said where single properties are searched.
    let Ok(found) = found else { return };
    session.stats.merge(&found.stats);
    session.stats.count("joint searches", 1);
    for (target, Settled { verdict, .. }) in open.iter().zip(found.settled) {
        match verdict {
            Verdict::Proved(proof) => {
                pool.add(mutant, &proof);
                let ground = Ground::Proved(Arc::new(proof));
                session.survive(*target, &[mutant], &ground, Technique::Joint.name());
            }
            Verdict::Falsified(trace) => {
                let kill = Kill::of(session.system, session.mutants[mutant], &trace);
                session.kill(*target, vec![(mutant, kill)], Technique::Joint.name());
            }
            Verdict::Unknown(_) => {}
        }
    }
}
