//! Lemmas that were good for some slice, and whether they prove another one.
//!
//! The proof is sought backwards from the property (the thesis's Algorithm 6): which lemmas does it take, which lemmas do these take, and so on; and which elements does all of that take.
//! A lemma that is not inductive in this slice, given all others that are left, is dropped for good in this search, and what was based on it is sought again: in the end that is the largest inductive
//! subset (Houdini), as far as the property depends on it.
//!
//! Steps of proofs are remembered ([`super::arguments`]): no solver is asked twice about what follows from what, in slices that have the same elements for it.

use super::arguments::{Arguments, Step};
use super::path::{Claim, Path};
use super::runs::{Asked, Runs, keeps, used};
use crate::limits::{Limits, Stats};
use propcov_ir::{ElementSet, ExprId, Invariant};
use propcov_sat::{Lit, Outcome};
use rustc_hash::FxHashMap;

/// More lemmas than this are not remembered: queries would take longer than engines.
const MOST_LEMMAS: usize = 2000;

/// And not more slices without a proof than this.
const MOST_HOPELESS: usize = 200;

/// All lemmas, and paths that start anywhere.
pub(super) struct Pool<'s> {
    pub(super) path: Box<dyn Path + 's>,
    /// The lemmas, as they were told.
    lemmas: Invariant,
    known: FxHashMap<ExprId, usize>,
    /// Lengths of inductions that succeeded, shortest first.
    lengths: Vec<usize>,
    /// Steps of proofs so far.
    arguments: Arguments,
    /// Slices that have no proof from the lemmas that are known, by an induction of this length; nor have slices with fewer elements.
    hopeless: Vec<(usize, ElementSet)>,
}

/// A proof of a slice.
pub(super) struct Pooled {
    pub(super) invariant: Invariant,
    pub(super) k: u32,
    pub(super) core: ElementSet,
}

/// Why a claim could not be shown in a slice.
enum Failure {
    /// It does not follow from what is left.
    Refuted,
    /// No answer within the budget, or something that cannot be represented.
    Undecided,
}

impl<'s> Pool<'s> {
    pub(super) fn new(path: Box<dyn Path + 's>) -> Pool<'s> {
        Pool {
            path,
            lemmas: Invariant::default(),
            known: FxHashMap::default(),
            lengths: vec![1],
            arguments: Arguments::default(),
            hopeless: Vec::new(),
        }
    }

    /// The longest induction that succeeded so far.
    pub(super) fn longest(&self) -> usize {
        self.lengths.last().copied().unwrap_or(1)
    }

    /// Whether an induction of this length has succeeded.
    pub(super) fn knows_length(&self, k: usize) -> bool {
        self.lengths.binary_search(&k).is_ok()
    }

    /// All lemmas.
    pub(super) fn lemmas(&self) -> &Invariant {
        &self.lemmas
    }

    /// Adds lemmas that are new, and the length of an induction with them.
    pub(super) fn learn(&mut self, lemmas: &Invariant, k: u32, runs: &mut Runs<'_>) {
        let k = k as usize;
        if let Err(place) = self.lengths.binary_search(&k) {
            self.lengths.insert(place, k);
        }
        let mut cache = FxHashMap::default();
        let mut news = Invariant::default();
        let mut news_cache = FxHashMap::default();
        for lemma in &lemmas.lemmas {
            if self.lemmas.lemmas.len() >= MOST_LEMMAS {
                break;
            }
            let own = self.lemmas.exprs.import(&lemmas.exprs, *lemma, &mut cache, crate::infinite::same_leaf);
            if self.known.contains_key(&own) {
                continue;
            }
            self.known.insert(own, self.lemmas.lemmas.len());
            self.lemmas.lemmas.push(own);
            let copy = news.exprs.import(&lemmas.exprs, *lemma, &mut news_cache, crate::infinite::same_leaf);
            news.lemmas.push(copy);
        }
        if !news.lemmas.is_empty() {
            self.hopeless.clear();
        }
        self.path.learn(&news);
        runs.path.learn(&news);
    }

    /// A proof of the property in a slice that is made of steps of earlier proofs.
    pub(super) fn compose(&self, kept: &ElementSet) -> Option<Pooled> {
        let (k, composed) = self.arguments.compose(kept)?;
        let invariant = self.export(&composed.lemmas);
        Some(Pooled { invariant, k: k as u32, core: composed.core })
    }

    /// A proof of the property in a slice, from lemmas that are known. The runs are clear up to the longest induction.
    pub(super) fn prove(
        &mut self,
        kept: &ElementSet,
        runs: &mut Runs<'_>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Pooled> {
        let lengths = self.lengths.clone();
        lengths.into_iter().find_map(|k| self.prove_by(k, kept, runs, limits, stats))
    }

    /// The same by an induction of this length.
    pub(super) fn prove_by(
        &mut self,
        k: usize,
        kept: &ElementSet,
        runs: &mut Runs<'_>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Pooled> {
        if self.hopeless.iter().any(|(length, set)| *length == k && kept.is_subset(set)) {
            return None;
        }
        let alive = vec![true; self.lemmas.lemmas.len()];
        let end = limits.interrupt.tick_limit().saturating_add(runs.path.ticks() + self.path.ticks());
        let attempt = Attempt { pool: self, runs, kept, k, alive, initial: FxHashMap::default(), end }
            .run(limits, stats)?;
        // Earlier proofs may have done the same with less.
        let composed = self.compose(&attempt.core);
        Some(composed.filter(|composed| composed.core.len() < attempt.core.len()).unwrap_or(attempt))
    }

    /// Remembers that a slice has no proof from the lemmas that are known.
    fn give_up(&mut self, k: usize, kept: &ElementSet) {
        self.hopeless.retain(|(length, set)| *length != k || !set.is_subset(kept));
        if self.hopeless.len() >= MOST_HOPELESS {
            self.hopeless.remove(0);
        }
        self.hopeless.push((k, kept.clone()));
    }

    /// Leaves out one element of a proof after the other, as long as the known lemmas prove the rest, for at most so many ticks. What is known to be violated is not tried.
    pub(super) fn tighten(
        &mut self,
        mut proof: Pooled,
        is_violated: impl Fn(&ElementSet) -> bool,
        runs: &mut Runs<'_>,
        ticks: u64,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Pooled {
        let end = runs.path.ticks().saturating_add(self.path.ticks()).saturating_add(ticks);
        for element in proof.core.clone().iter() {
            let spent = runs.path.ticks() + self.path.ticks();
            if spent >= end || limits.exhausted(0) {
                break;
            }
            let kept = proof.core.without(element);
            if !proof.core.contains(element) || is_violated(&kept) {
                continue;
            }
            let limits = &limits.for_one((end - spent) / 4 + 1, None);
            if let Some(smaller) = self.prove_by(proof.k as usize, &kept, runs, limits, stats) {
                stats.add("elements left out by known lemmas", 1);
                proof = smaller;
            }
        }
        proof
    }

    /// Some of the lemmas, standing by themselves.
    fn export(&self, lemmas: &[usize]) -> Invariant {
        let mut invariant = Invariant::default();
        let mut cache = FxHashMap::default();
        for lemma in lemmas {
            let expr = self.lemmas.lemmas[*lemma];
            let copy =
                invariant.exprs.import(&self.lemmas.exprs, expr, &mut cache, crate::infinite::same_leaf);
            invariant.lemmas.push(copy);
        }
        invariant
    }
}

/// One search for a proof.
struct Attempt<'a, 's, 'r> {
    pool: &'a mut Pool<'s>,
    runs: &'a mut Runs<'r>,
    kept: &'a ElementSet,
    k: usize,
    /// The lemmas that are left.
    alive: Vec<bool>,
    /// What claims need at the beginning.
    initial: FxHashMap<Claim, ElementSet>,
    /// Ticks of both solvers at which the search is given up.
    end: u64,
}

impl Attempt<'_, '_, '_> {
    fn run(&mut self, limits: &Limits, stats: &mut Stats) -> Option<Pooled> {
        loop {
            let mut core = ElementSet::new();
            let mut needed = vec![Claim::Property];
            let mut next = 0;
            let mut failed = None;
            while let Some(claim) = needed.get(next).copied() {
                next += 1;
                match self.show(claim, &mut needed, &mut core, limits, stats) {
                    Ok(()) => {}
                    Err(Failure::Undecided) => return None,
                    Err(Failure::Refuted) => {
                        failed = Some(claim);
                        break;
                    }
                }
            }
            match failed {
                Some(Claim::Property) => {
                    self.pool.give_up(self.k, self.kept);
                    return None;
                }
                Some(Claim::Lemma(lemma)) => self.alive[lemma] = false,
                None => {
                    let lemma = |claim: &Claim| match claim {
                        Claim::Lemma(lemma) => Some(*lemma),
                        Claim::Property => None,
                    };
                    let lemmas: Vec<usize> = needed.iter().filter_map(lemma).collect();
                    return Some(Pooled { invariant: self.pool.export(&lemmas), k: self.k as u32, core });
                }
            }
        }
    }

    /// Shows that a claim holds in the first k steps, and after k steps in which everything holds that is left. Adds the lemmas and elements that this takes.
    fn show(
        &mut self,
        claim: Claim,
        needed: &mut Vec<Claim>,
        core: &mut ElementSet,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<(), Failure> {
        let spent = self.runs.path.ticks() + self.pool.path.ticks();
        if spent > self.end || limits.exhausted(0) {
            return Err(Failure::Undecided);
        }
        let limits = &limits.for_one(self.end - spent, None);
        let is_left = |premise: Claim| match premise {
            Claim::Property => true,
            Claim::Lemma(lemma) => self.alive.get(lemma).is_some_and(|alive| *alive),
        };
        match self.pool.arguments.step(self.k, claim, self.kept, core, is_left) {
            Some(step) => {
                *core = core.union(&step.elements);
                for premise in &step.premises {
                    if !needed.contains(premise) {
                        needed.push(*premise);
                    }
                }
            }
            None => self.consecution(claim, needed, core, limits, stats)?,
        }
        if let Some(known) = self.initial.get(&claim) {
            *core = core.union(known);
            return Ok(());
        }
        let initial = match self.pool.arguments.base(self.k, claim, self.kept, core) {
            Some(known) => known.clone(),
            None => {
                let mut initial = ElementSet::new();
                for step in 0..self.k {
                    let preferred = core.union(&initial);
                    initial = initial.union(&self.initiation(claim, &preferred, step, limits, stats)?);
                }
                self.pool.arguments.add_base(self.k, claim, &initial);
                initial
            }
        };
        *core = core.union(&initial);
        self.initial.insert(claim, initial);
        Ok(())
    }

    /// What it takes that a claim holds in one of the first steps.
    fn initiation(
        &mut self,
        claim: Claim,
        preferred: &ElementSet,
        step: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<ElementSet, Failure> {
        if claim == Claim::Property {
            return match self.runs.ask(self.kept, preferred, step, limits, stats) {
                Asked::Clear(used) => Ok(used),
                Asked::Violated => Err(Failure::Refuted),
                Asked::Unknown(_) => Err(Failure::Undecided),
            };
        }
        match self.runs.refute(claim, self.kept, preferred, step, "slice initiation", limits, stats) {
            Ok(Some(used)) => Ok(used),
            Ok(None) => Err(Failure::Refuted),
            Err(_) => Err(Failure::Undecided),
        }
    }

    fn consecution(
        &mut self,
        claim: Claim,
        needed: &mut Vec<Claim>,
        core: &mut ElementSet,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<(), Failure> {
        let premises = self.premises(needed)?;
        let path = &mut self.pool.path;
        let violated = !path.claim(claim, self.k).map_err(|_| Failure::Undecided)?;
        let mut assumptions = Vec::new();
        for step in 0..=self.k {
            assumptions.push(path.on(step).map_err(|_| Failure::Undecided)?);
        }
        assumptions.extend(keeps(&**path, self.kept, core));
        assumptions.extend(premises.iter().map(|(_, literal)| *literal));
        assumptions.push(violated);
        stats.call("slice induction");
        match path.solve(&assumptions, limits) {
            Outcome::Unsat => {}
            Outcome::Sat => {
                self.drop_violated();
                return Err(Failure::Refuted);
            }
            Outcome::Unknown => return Err(Failure::Undecided),
        }
        let elements = used(&**path, self.kept);
        *core = core.union(&elements);
        let mut step = Step { premises: Vec::new(), elements };
        for (premise, literal) in premises {
            if path.failed(literal) && !step.premises.contains(&premise) {
                step.premises.push(premise);
            }
        }
        for premise in &step.premises {
            if !needed.contains(premise) {
                needed.push(*premise);
            }
        }
        self.pool.arguments.add_step(self.k, claim, step);
        Ok(())
    }

    /// What is assumed in the first k steps: the property and the lemmas that are left, those that are needed anyway first.
    fn premises(&mut self, needed: &[Claim]) -> Result<Vec<(Claim, Lit)>, Failure> {
        let others = (0..self.alive.len()).map(Claim::Lemma).filter(|claim| !needed.contains(claim));
        let claims: Vec<Claim> = needed.iter().copied().chain(others).collect();
        let mut premises = Vec::new();
        for claim in claims {
            if matches!(claim, Claim::Lemma(lemma) if !self.alive[lemma]) {
                continue;
            }
            let literals: Result<Vec<Lit>, _> =
                (0..self.k).map(|step| self.pool.path.claim(claim, step)).collect();
            match (literals, claim) {
                (Ok(literals), _) => premises.extend(literals.into_iter().map(|literal| (claim, literal))),
                (Err(_), Claim::Lemma(lemma)) => self.alive[lemma] = false,
                (Err(_), Claim::Property) => return Err(Failure::Undecided),
            }
        }
        Ok(premises)
    }

    /// Drops every lemma that fails in the last step of the model, in whose other steps all of them hold: none of them is inductive.
    fn drop_violated(&mut self) {
        for lemma in 0..self.alive.len() {
            if self.alive[lemma]
                && let Ok(holds) = self.pool.path.claim(Claim::Lemma(lemma), self.k)
                && self.pool.path.holds(!holds)
            {
                self.alive[lemma] = false;
            }
        }
    }
}
