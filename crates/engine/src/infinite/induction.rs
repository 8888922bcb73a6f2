//! Temporal induction: a property that held in k consecutive steps holds in the next one.
//!
//! One incremental solver for all properties and lengths. Lemmas, which are known to hold in every step of every run, are required in all steps of the path.
//!
//! # References
//! - M. Sheeran, S. Singh, G. Stålmarck: Checking safety properties using induction and a SAT-solver. FMCAD 2000.
//! - T. Kahsai, C. Tinelli: PKind: a parallel k-induction based model checker. PDMC 2011.

use super::Problem;
use super::base::{Base, Depth};
use crate::limits::{Limits, Observer, Stats};
use propcov_ir::{Edits, ExprId, Proof, PropertyId, System, Trace, UnknownReason, Verdict};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};
use rustc_hash::FxHashSet;

/// Decides one invariant by induction of growing length.
pub fn run<'s>(
    problem: &mut Problem<'s>,
    property: (PropertyId, ExprId),
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Verdict {
    let (mut base, mut step) = (Base::new(problem), Induction::new(problem));
    let mut k = 1;
    let verdict = loop {
        observer.progress("kinduction", k as u32);
        if limits.depth.is_some_and(|limit| k > limit as usize + 1) {
            break Verdict::Unknown(UnknownReason::Bounded(k as u32 - 2));
        }
        if limits.exhausted(base.ticks() + step.ticks()) {
            break Verdict::Unknown(limits.reason());
        }
        match base.ask(problem, property, k - 1, limits, stats) {
            Depth::Violation(trace) => break Verdict::Falsified(trace),
            Depth::Clear => stats.clear(k as u32 - 1),
            Depth::Unknown(reason) => break Verdict::Unknown(reason),
        }
        match step.holds(problem, property.1, k, limits, stats) {
            Ok(Some(true)) => break Verdict::Proved(proof(problem, property.1, k, &[], limits, stats)),
            Ok(Some(false)) => {}
            Ok(None) => break Verdict::Unknown(limits.reason()),
            Err(error) => break Verdict::Unknown(UnknownReason::from(error)),
        }
        k += 1;
    };
    stats.ticks += base.ticks() + step.ticks();
    verdict
}

/// Why an induction of length k fails: a run that starts anywhere, in which the property holds in k steps and is violated in the one that follows. `None` if there is none, or none was found.
pub fn counterexample(system: &System, property: PropertyId, k: usize, limits: &Limits) -> Option<Trace> {
    let edits = Edits::none();
    let problem = Problem::new(system, &edits, &[property]).within(limits.budget(0));
    let (_, good) = problem.properties.first().copied()?;
    let mut induction = Induction::new(&problem);
    let holds = induction.holds(&problem, good, k, limits, &mut Stats::default()).ok()?;
    if holds == Some(false) { induction.path.path(k).ok() } else { None }
}

/// Paths that start anywhere.
pub struct Induction<'s> {
    path: Unrolling<'s>,
    /// For each step what is assumed where it is part of the path.
    steps: Vec<Lit>,
    /// What is known to hold in every step.
    lemmas: Vec<ExprId>,
}

impl<'s> Induction<'s> {
    /// No step yet.
    pub fn new(problem: &Problem<'s>) -> Induction<'s> {
        let path = Unrolling::new(problem.system, problem.edits, Start::Anywhere, Link::Functional)
            .within(problem.budget.clone());
        Induction { path, steps: Vec::new(), lemmas: Vec::new() }
    }

    /// Work done so far.
    pub fn ticks(&self) -> u64 {
        self.path.solved().ticks()
    }

    /// Whether every counterexample to induction is one: nothing was left open for lack of a linear description.
    pub fn is_exact(&self) -> bool {
        self.path.is_exact()
    }

    /// The lemmas that are required.
    pub fn lemmas(&self) -> &[ExprId] {
        &self.lemmas
    }

    /// Requires lemmas in all steps.
    ///
    /// # Errors
    /// When one cannot be represented.
    pub fn add_lemmas(&mut self, problem: &Problem<'s>, lemmas: &[ExprId]) -> Result<(), NotRepresentable> {
        for lemma in lemmas {
            for step in 0..self.steps.len() {
                self.require(problem, step, *lemma)?;
            }
            self.lemmas.push(*lemma);
        }
        Ok(())
    }

    /// Whether the property holds after any k steps in which it did. `None` when the budget is used up.
    ///
    /// # Errors
    /// When something cannot be represented.
    pub fn holds(
        &mut self,
        problem: &Problem<'s>,
        property: ExprId,
        k: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Option<bool>, NotRepresentable> {
        self.extend(problem, k + 1)?;
        let mut assumptions = self.steps[..=k].to_vec();
        for step in 0..k {
            assumptions.push(self.path.literal(&problem.exprs, step, property)?);
        }
        assumptions.push(!self.path.literal(&problem.exprs, k, property)?);
        stats.call("kinduction step");
        let budget = limits.budget(self.path.solved().conflicts());
        Ok(match self.path.solver().solve(&assumptions, &budget) {
            Outcome::Unsat => Some(true),
            Outcome::Sat => Some(false),
            Outcome::Unknown => None,
        })
    }

    fn extend(&mut self, problem: &Problem<'s>, steps: usize) -> Result<(), NotRepresentable> {
        while self.steps.len() < steps {
            let step = self.steps.len();
            let on = self.path.constrained(&problem.exprs, step)?;
            self.steps.push(on);
            for index in 0..self.lemmas.len() {
                self.require(problem, step, self.lemmas[index])?;
            }
        }
        Ok(())
    }

    /// Requires a lemma in a step, where that is part of the path.
    fn require(&mut self, problem: &Problem<'s>, step: usize, lemma: ExprId) -> Result<(), NotRepresentable> {
        let holds = self.path.literal(&problem.exprs, step, lemma)?;
        self.path.clause(&[!self.steps[step], holds]);
        Ok(())
    }
}

/// A proof by k-induction with those of the lemmas that it uses. All lemmas are together inductive, in at most k steps. Without enough budget to find out, all of them.
pub fn proof<'s>(
    problem: &Problem<'s>,
    property: ExprId,
    k: usize,
    lemmas: &[ExprId],
    limits: &Limits,
    stats: &mut Stats,
) -> Proof {
    let used = match Cores::new(problem, property, k, lemmas) {
        Ok(cores) if !lemmas.is_empty() => cores.closure(problem, limits, stats),
        _ => None,
    };
    let used = used.unwrap_or_else(|| lemmas.to_vec());
    Proof {
        invariant: problem.export(used).into(),
        k: k as u32,
        simple_path: false,
        core: problem.system.element_ids().collect(),
    }
}

/// Which lemmas an induction uses.
struct Cores<'s> {
    path: Unrolling<'s>,
    k: usize,
    /// The property and the lemmas, each with its literals in the first k steps.
    claims: Vec<(ExprId, Vec<Lit>)>,
}

impl<'s> Cores<'s> {
    fn new(
        problem: &Problem<'s>,
        property: ExprId,
        k: usize,
        lemmas: &[ExprId],
    ) -> Result<Cores<'s>, NotRepresentable> {
        let mut path = Unrolling::new(problem.system, problem.edits, Start::Anywhere, Link::Functional)
            .within(problem.budget.clone());
        for step in 0..=k {
            path.require_constraints(&problem.exprs, step)?;
        }
        let mut claims = Vec::new();
        for claim in std::iter::once(&property).chain(lemmas) {
            let mut literals = Vec::new();
            for step in 0..k {
                literals.push(path.literal(&problem.exprs, step, *claim)?);
            }
            claims.push((*claim, literals));
        }
        Ok(Cores { path, k, claims })
    }

    /// The lemmas that the property needs, those that these need, and so on.
    fn closure(mut self, problem: &Problem<'s>, limits: &Limits, stats: &mut Stats) -> Option<Vec<ExprId>> {
        let assumptions: Vec<Lit> = self.claims.iter().flat_map(|(_, literals)| literals).copied().collect();
        let mut needed = FxHashSet::from_iter([0]);
        let mut open = vec![0];
        while let Some(claim) = open.pop() {
            let violated = !self.path.literal(&problem.exprs, self.k, self.claims[claim].0).ok()?;
            let mut query = assumptions.clone();
            query.push(violated);
            stats.call("lemmas used");
            let budget = limits.budget(self.path.solved().conflicts());
            if self.path.solver().solve(&query, &budget) != Outcome::Unsat {
                return None;
            }
            for (index, (_, literals)) in self.claims.iter().enumerate() {
                let used = literals.iter().any(|literal| self.path.solved().failed(*literal));
                if used && needed.insert(index) {
                    open.push(index);
                }
            }
        }
        let lemmas = (1..self.claims.len()).filter(|index| needed.contains(index));
        Some(lemmas.map(|index| self.claims[index].0).collect())
    }
}
