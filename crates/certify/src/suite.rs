//! Many proofs at once: what is said of each is what [`check_proof`](crate::check_proof) says of it.
//!
//! Proofs of a suite have lemmas in common: the properties help each other, each with some others. Let a *set* be a property with the lemmas of its
//! proof. A set is accepted if each of its conjuncts holds in the first k steps of every run, and after any k steps in which the whole set held.
//! Whether a conjunct holds in the first steps has nothing to do with sets. For the other half there is one path of k + 1 steps, on which every
//! conjunct is assumed by a literal of its own; the solver says which of a set's conjuncts it took to derive the one in question. Whatever set
//! contains these need not be asked about again. So the work is about that of one proof with all lemmas, however many sets there are.
//!
//! Proofs that restrict themselves to simple paths, that speak of numbers, or that are of CTL formulas are checked one by one, and so are all if
//! something is wrong with one of them.

use crate::claims::{disjuncts, render};
use crate::encode::{Gates, Selectors, Start, Steps, Unrolling};
use crate::induction::check_meaningful;
use crate::{Claim, Counterexample, Rejection, arith, meaning};
use propcov_budget::Budget;
use propcov_ir::{ConstraintKind, Edits, ExprId, ExprPool, Proof, PropertyId, PropertyKind, System};
use propcov_sat::{CadicalConfig, Lit, Outcome, Solver};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Which of several proofs are accepted, each of its property.
///
/// # Errors
/// When the system or the edits have no meaning. A proof that is not accepted is a [`Rejection`] of its own.
pub fn check_suite(
    system: &System,
    edits: &Edits,
    proofs: &[(PropertyId, &Proof)],
    limits: &Budget,
) -> Result<Vec<Result<(), Rejection>>, Rejection> {
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    let has_numbers = arith::is_needed_for(system);
    let mut answers: Vec<Option<Result<(), Rejection>>> = proofs.iter().map(|_| None).collect();
    if !has_numbers {
        let mut by_length: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (position, (property, proof)) in proofs.iter().enumerate() {
            if is_shareable(system, *property, proof) {
                by_length.entry(proof.k).or_default().push(position);
            }
        }
        for (k, members) in by_length.into_iter().filter(|(_, members)| members.len() > 1) {
            let chosen: Vec<(PropertyId, &Proof)> = members.iter().map(|member| proofs[*member]).collect();
            let suite = Suite { system, edits, proofs: &chosen, k, limits };
            if let Ok(found) = suite.check() {
                members.into_iter().zip(found).for_each(|(member, answer)| answers[member] = Some(answer));
            }
        }
    }
    let alone = |(property, proof): &(PropertyId, &Proof)| {
        check_meaningful(system, edits, *property, proof, has_numbers, limits)
    };
    Ok(proofs.iter().zip(answers).map(|(proof, answer)| answer.unwrap_or_else(|| alone(proof))).collect())
}

/// Whether a proof may be checked with others: an induction about runs, whose lemmas are well-formed.
fn is_shareable(system: &System, property: PropertyId, proof: &Proof) -> bool {
    let is_invariant = system
        .properties()
        .get(property.0 as usize)
        .is_some_and(|property| matches!(property.kind, PropertyKind::Invariant(_)));
    let pool = &proof.invariant.exprs;
    let is_before = |expr: u32| pool.operands(ExprId(expr)).all(|operand| operand.0 < expr);
    is_invariant
        && !proof.simple_path
        && meaning::check_length(proof).is_ok()
        && !arith::is_needed_in(pool)
        && proof.invariant.lemmas.iter().all(|lemma| (lemma.0 as usize) < pool.len())
        && (0..pool.len() as u32).all(is_before)
}

/// Proofs of one length.
struct Suite<'a> {
    system: &'a System,
    edits: &'a Edits,
    proofs: &'a [(PropertyId, &'a Proof)],
    k: u32,
    limits: &'a Budget,
}

/// What all proofs claim, each conjunct once.
struct Conjuncts {
    exprs: ExprPool,
    all: Vec<ExprId>,
    /// By proof: the positions of its conjuncts, in order.
    sets: Vec<Vec<usize>>,
    /// By proof: its property, and its lemmas in the order in which it has them.
    written: Vec<Vec<usize>>,
}

/// Conjuncts that can be false in the first steps: in which one, and how.
type Failures = FxHashMap<usize, (u32, Counterexample)>;

impl Suite<'_> {
    fn check(&self) -> Result<Vec<Result<(), Rejection>>, Rejection> {
        let conjuncts = self.conjuncts()?;
        let failures = self.initiation(&conjuncts)?;
        self.consecution(&conjuncts, &failures)
    }

    fn conjuncts(&self) -> Result<Conjuncts, Rejection> {
        let mut conjuncts =
            Conjuncts { exprs: ExprPool::default(), all: Vec::new(), sets: Vec::new(), written: Vec::new() };
        let mut positions: FxHashMap<ExprId, usize> = FxHashMap::default();
        let mut of_system = FxHashMap::default();
        // Proofs that share their lemmas share the invariant.
        let mut of_invariants: FxHashMap<*const propcov_ir::Invariant, Vec<usize>> = FxHashMap::default();
        for (property, proof) in self.proofs {
            let mut position = |expr: ExprId| {
                *positions.entry(expr).or_insert_with(|| {
                    conjuncts.all.push(expr);
                    conjuncts.all.len() - 1
                })
            };
            let expr = meaning::invariant(self.system, *property)?;
            let expr = conjuncts.exprs.copy(&self.system.exprs, expr, &mut of_system);
            let mut written = vec![position(expr)];
            let invariant = &*proof.invariant;
            let lemmas = of_invariants.entry(std::ptr::from_ref(invariant)).or_insert_with(|| {
                let mut cache = FxHashMap::default();
                let copies = invariant
                    .lemmas
                    .iter()
                    .map(|lemma| conjuncts.exprs.copy(&invariant.exprs, *lemma, &mut cache));
                copies.map(&mut position).collect()
            });
            written.extend(&*lemmas);
            let mut set = written.clone();
            set.sort_unstable();
            set.dedup();
            conjuncts.sets.push(set);
            conjuncts.written.push(written);
        }
        Ok(conjuncts)
    }

    fn steps(&self, start: Start) -> Steps<'_, Gates> {
        // Lemmas mean many easy queries; without them there are few, and they may be hard.
        let inprocessing = self.proofs.iter().all(|(_, proof)| proof.invariant.lemmas.is_empty());
        let config = CadicalConfig { inprocessing, ..CadicalConfig::default() };
        Steps::new(config, self.system, self.edits, Selectors::default(), start)
    }

    /// The conjuncts that can be false in the first k steps of a run.
    fn initiation(&self, conjuncts: &Conjuncts) -> Result<Failures, Rejection> {
        let mut steps = self.steps(Start::Initial);
        let mut unrolling = self.unrolling(&mut steps, conjuncts);
        let mut failures = Failures::default();
        unrolling.assume(0, ConstraintKind::Initial)?;
        for step in 0..self.k {
            unrolling.extend(step)?;
            let open: Vec<usize> =
                (0..conjuncts.all.len()).filter(|position| !failures.contains_key(position)).collect();
            let mut asked = Vec::with_capacity(open.len());
            for position in open {
                asked.push((position, conjuncts.literals(&mut unrolling, step, position)?));
            }
            // One question, where there would be many.
            let all_hold = self.all_hold(&mut unrolling, &asked);
            for (position, literals) in asked {
                let outcome = if all_hold {
                    Outcome::Unsat
                } else {
                    unrolling.gates().solve(&negated(&literals), self.limits)
                };
                match outcome {
                    // In every run: whatever comes next may rest on it.
                    Outcome::Unsat => unrolling.gates().clause(&literals),
                    Outcome::Unknown => return Err(Rejection::Undecided),
                    Outcome::Sat => {
                        failures.insert(position, (step, render(self.system, unrolling.steps, step)));
                    }
                }
            }
        }
        Ok(failures)
    }

    fn all_hold(&self, unrolling: &mut Unrolling<'_, '_>, asked: &[(usize, Vec<Lit>)]) -> bool {
        let some_fails = unrolling.gates().fresh();
        let mut some = vec![!some_fails];
        for (_, literals) in asked {
            let fails = match literals[..] {
                [literal] => !literal,
                _ => {
                    let fails = unrolling.gates().fresh();
                    literals.iter().for_each(|literal| unrolling.gates().clause(&[!fails, !*literal]));
                    fails
                }
            };
            some.push(fails);
        }
        unrolling.gates().clause(&some);
        let outcome = unrolling.gates().solve(&[some_fails], self.limits);
        unrolling.gates().clause(&[!some_fails]);
        outcome == Outcome::Unsat
    }

    /// For each proof, whether its conjuncts hold after any k steps in which they all held.
    fn consecution(
        &self,
        conjuncts: &Conjuncts,
        failures: &Failures,
    ) -> Result<Vec<Result<(), Rejection>>, Rejection> {
        let mut steps = self.steps(Start::Anywhere);
        let mut unrolling = self.unrolling(&mut steps, conjuncts);
        let assumed: Vec<Lit> = conjuncts.all.iter().map(|_| unrolling.gates().fresh()).collect();
        for step in 0..self.k {
            unrolling.extend(step)?;
            for (position, assumed) in assumed.iter().enumerate() {
                let mut clause = conjuncts.literals(&mut unrolling, step, position)?;
                clause.push(!*assumed);
                unrolling.gates().clause(&clause);
            }
        }
        unrolling.extend(self.k)?;
        let known = vec![Vec::new(); assumed.len()];
        let mut derived =
            Derived { unrolling, conjuncts, assumed, known, inside: vec![false; conjuncts.all.len()] };
        // What a small set derives, all larger ones that contain it do.
        let mut order: Vec<usize> = (0..self.proofs.len()).collect();
        order.sort_by_key(|proof| conjuncts.sets[*proof].len());
        let mut answers: Vec<Result<(), Rejection>> =
            self.proofs.iter().map(|_| Err(Rejection::Undecided)).collect();
        let mut accepted: FxHashMap<&[usize], bool> = FxHashMap::default();
        for proof in order {
            let set = conjuncts.sets[proof].as_slice();
            let failed = set.iter().find_map(|position| Some((*position, failures.get(position)?.clone())));
            answers[proof] = if let Some((position, (step, counterexample))) = failed {
                let claim = conjuncts.claim(proof, position);
                Err(Rejection::Initiation { claim, step, counterexample })
            } else if accepted.get(set) == Some(&true) {
                Ok(())
            } else {
                derived.check(self, proof)
            };
            accepted.insert(set, answers[proof].is_ok());
        }
        Ok(answers)
    }

    fn unrolling<'c>(
        &'c self,
        steps: &'c mut Steps<'c, Gates>,
        conjuncts: &'c Conjuncts,
    ) -> Unrolling<'c, 'c> {
        let mut unrolling = Unrolling::new(steps, &conjuncts.exprs, self.limits);
        unrolling.let_lemmas_read_all();
        unrolling
    }
}

impl Conjuncts {
    /// A conjunct in a step, as a clause.
    fn literals(
        &self,
        unrolling: &mut Unrolling<'_, '_>,
        step: u32,
        position: usize,
    ) -> Result<Vec<Lit>, Rejection> {
        disjuncts(&self.exprs, self.all[position])?
            .into_iter()
            .map(|(expr, negated)| Ok(unrolling.lemma(step, expr)?.negated_if(negated)))
            .collect()
    }

    /// What a conjunct is to a proof that has it.
    fn claim(&self, proof: usize, position: usize) -> Claim {
        let written = self.written[proof].iter().position(|written| *written == position);
        written.and_then(|at| at.checked_sub(1)).map_or(Claim::Property, Claim::Lemma)
    }
}

/// Which conjuncts follow from which others.
struct Derived<'c> {
    /// A path of k + 1 steps, on all but the last of which conjuncts can be assumed.
    unrolling: Unrolling<'c, 'c>,
    conjuncts: &'c Conjuncts,
    assumed: Vec<Lit>,
    /// By conjunct: sets from which it follows.
    known: Vec<Vec<Vec<usize>>>,
    /// Whether a conjunct is in the set at hand.
    inside: Vec<bool>,
}

impl Derived<'_> {
    /// Whether all conjuncts of a proof follow from them.
    fn check(&mut self, suite: &Suite<'_>, proof: usize) -> Result<(), Rejection> {
        let set = &self.conjuncts.sets[proof];
        set.iter().for_each(|position| self.inside[*position] = true);
        let answer = set.iter().try_for_each(|position| self.follows(suite, proof, *position));
        set.iter().for_each(|position| self.inside[*position] = false);
        answer
    }

    fn follows(&mut self, suite: &Suite<'_>, proof: usize, position: usize) -> Result<(), Rejection> {
        let is_inside = |premises: &Vec<usize>| premises.iter().all(|premise| self.inside[*premise]);
        if self.known[position].iter().any(is_inside) {
            return Ok(());
        }
        let set = &self.conjuncts.sets[proof];
        let mut assumptions: Vec<Lit> = set.iter().map(|premise| self.assumed[*premise]).collect();
        assumptions.extend(negated(&self.conjuncts.literals(&mut self.unrolling, suite.k, position)?));
        match self.unrolling.gates().solve(&assumptions, suite.limits) {
            Outcome::Unknown => Err(Rejection::Undecided),
            Outcome::Sat => Err(Rejection::Consecution {
                claim: self.conjuncts.claim(proof, position),
                counterexample: render(suite.system, self.unrolling.steps, suite.k),
            }),
            Outcome::Unsat => {
                let solver = &self.unrolling.gates().solver;
                let used = set.iter().copied().filter(|premise| solver.failed(self.assumed[*premise]));
                self.known[position].push(used.collect());
                Ok(())
            }
        }
    }
}

fn negated(literals: &[Lit]) -> Vec<Lit> {
    literals.iter().map(|literal| !*literal).collect()
}
