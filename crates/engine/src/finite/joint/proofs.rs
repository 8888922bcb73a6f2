//! From what was proved together to a proof of each property: the claims that it needs are its lemmas.

use super::needs::{Needs, Rule};
use super::{Batch, Claim, Given, claims_of};
use crate::finite::{Lemmas, Problem};
use crate::limits::{Limits, Stats};
use propcov_ir::{ElementSet, ExprId, ExprPool, Invariant, Proof, PropertyId};
use propcov_solve::Bit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Proofs of the properties of a suite, batch by batch.
pub(super) struct Proofs<'p> {
    problem: &'p Problem<'p>,
    properties: &'p [PropertyId],
    given: &'p [Given<'p>],
    /// The properties proved so far, by position, in order.
    proved: Vec<usize>,
    found: FxHashMap<usize, Proof>,
}

impl<'p> Proofs<'p> {
    pub(super) fn new(
        problem: &'p Problem<'p>,
        properties: &'p [PropertyId],
        given: &'p [Given<'p>],
    ) -> Proofs<'p> {
        Proofs { problem, properties, given, proved: Vec::new(), found: FxHashMap::default() }
    }

    /// The proof of a property.
    pub(super) fn of(&self, property: usize) -> Option<Proof> {
        self.found.get(&property).cloned()
    }

    /// Makes proofs of those of the batch's properties that are asked for. It may rest on earlier batches.
    pub(super) fn add(&mut self, batch: &Batch, asked: &[usize], limits: &Limits, stats: &mut Stats) {
        let netlist = &self.problem.netlist;
        let mut claims: Vec<Claim> =
            batch.properties.iter().map(|property| vec![!netlist.bads[*property]]).collect();
        claims.extend(claims_of(self.problem, &batch.clauses));
        let earlier = self.proved.iter().map(|property| !netlist.bads[*property]);
        let axioms: Vec<Bit> = earlier.chain(netlist.assumed.iter().copied()).collect();
        let count = claims.len();
        let rule = match (batch.clauses_suffice, batch.clauses.is_empty()) {
            (true, false) => Rule::From(batch.properties.len()),
            (_, true) => Rule::AloneFirst,
            _ => Rule::Together,
        };
        let mut needs = Needs::new(self.problem, claims, &axioms, batch.k, rule);
        let mut shared: FxHashMap<Vec<usize>, (Arc<Invariant>, u32)> = FxHashMap::default();
        let position: FxHashMap<usize, usize> =
            batch.properties.iter().enumerate().map(|(at, property)| (*property, at)).collect();
        let everything: ElementSet = self.problem.system.element_ids().collect();
        for property in asked {
            let claim = position[property];
            let closure = needs.closure(claim, limits, stats);
            let closure = closure.unwrap_or_else(|| (0..count + axioms.len()).collect());
            // By itself: it needs no lemmas.
            let closure = if closure == [claim] { Vec::new() } else { closure };
            let (invariant, k) =
                shared.entry(closure).or_insert_with_key(|closure| self.lemmas(batch, closure)).clone();
            let core = everything.clone();
            self.found.insert(*property, Proof { invariant, k, simple_path: false, core });
        }
        stats.ticks += needs.ticks();
        self.proved.extend(&batch.properties);
    }

    /// A proof whose lemmas are no clauses: nobody looks which of what is given it needs.
    pub(super) fn with_all_given(&self, lemmas: &Lemmas, k: u32) -> Proof {
        let mut writer = Writer::default();
        let mut proof = self.problem.proof(lemmas, k, false);
        writer.invariant(&proof.invariant);
        for given in self.given {
            let system = self.problem.system;
            writer.property(&system.exprs, system.invariant(given.property));
            writer.invariant(&given.proof.invariant);
            proof.k = proof.k.max(given.proof.k);
        }
        proof.invariant = Arc::new(writer.written);
        proof
    }

    /// What these claims and axioms say, and the length of induction that they take.
    fn lemmas(&self, batch: &Batch, closure: &[usize]) -> (Arc<Invariant>, u32) {
        let mut writer = Writer::default();
        let system = self.problem.system;
        let mut k = batch.k;
        let (properties, clauses) = (batch.properties.len(), batch.clauses.len());
        let chosen: Vec<usize> = closure
            .iter()
            .filter_map(|at| at.checked_sub(properties))
            .filter(|clause| *clause < clauses)
            .collect();
        for at in closure {
            if let Some(property) = batch.properties.get(*at) {
                writer.property(&system.exprs, system.invariant(self.properties[*property]));
            } else if let Some(axiom) = at.checked_sub(properties + clauses) {
                let (property, proof) = match self.proved.get(axiom) {
                    Some(earlier) => (self.properties[*earlier], self.found.get(earlier)),
                    None => {
                        let given = &self.given[axiom - self.proved.len()];
                        (given.property, Some(given.proof))
                    }
                };
                writer.property(&system.exprs, system.invariant(property));
                if let Some(proof) = proof {
                    writer.invariant(&proof.invariant);
                    k = k.max(proof.k);
                }
            }
        }
        let chosen: Vec<_> = chosen.into_iter().map(|clause| batch.clauses[clause].clone()).collect();
        writer.invariant(&self.problem.proof(&Lemmas::Clauses(chosen), 1, false).invariant);
        (Arc::new(writer.written), k)
    }
}

/// Collects lemmas, each once.
#[derive(Default)]
struct Writer {
    written: Invariant,
    known: FxHashSet<ExprId>,
    of_system: FxHashMap<ExprId, ExprId>,
}

impl Writer {
    /// An expression of the system.
    fn property(&mut self, exprs: &ExprPool, expr: Option<ExprId>) {
        let Some(expr) = expr else { return };
        let copy = self.written.exprs.copy(exprs, expr, &mut self.of_system);
        self.add(copy);
    }

    fn invariant(&mut self, invariant: &Invariant) {
        let mut cache = FxHashMap::default();
        for lemma in &invariant.lemmas {
            let copy = self.written.exprs.copy(&invariant.exprs, *lemma, &mut cache);
            self.add(copy);
        }
    }

    fn add(&mut self, lemma: ExprId) {
        if self.known.insert(lemma) {
            self.written.lemmas.push(lemma);
        }
    }
}
