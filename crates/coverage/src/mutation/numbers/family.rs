//! Questions about many mutants at once: one solver for runs from the beginning, one for paths that start anywhere, and in both a literal that picks each mutant
//! ([`Unrolling::make_mutable`]).
//!
//! - *BMC*: does some mutant of those asked about violate the property in this step? Each answer names a mutant and a run; that there is none clears the step for all of them.
//! - *Induction*: each model shows that the claims are not inductive on one mutant; when there is no model any more, they are on all that are left.
//! - *Repair*: the proof of one mutant is sought backwards from the property (Ghassabani's Algorithm 6): which lemmas does it take, and which do these take. A lemma that fails
//!   given all that are left is dropped, and what was based on it is sought again, so that in the end it is Houdini's greatest inductive subset, as far as it is needed.

use super::AS_WRITTEN;
use propcov_budget::Budget;
use propcov_engine::infinite::Problem;
use propcov_engine::{Limits, Stats};
use propcov_ir::{ElementSet, ExprId, Interpreter, Invariant, Kill, Mutant, Proof, PropertyId, Step, System};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};
use rustc_hash::FxHashSet;

/// More lemmas than this are not remembered.
const MOST_LEMMAS: usize = 600;

/// How often a model of products is corrected before it is taken as it is.
const CORRECTIONS: usize = 20;

/// The mutants of one property.
pub(super) struct Family<'s> {
    problem: Problem<'s>,
    property: PropertyId,
    good: ExprId,
    members: FxHashSet<Mutant>,
    runs: Path<'s>,
    paths: Path<'s>,
    /// All lemmas that were told, each once.
    lemmas: Vec<ExprId>,
    known: FxHashSet<ExprId>,
    /// Lengths of inductions, shortest first.
    lengths: Vec<usize>,
    /// Mutants whose runs are none: something about them is not linear.
    not_linear: FxHashSet<Mutant>,
}

/// What came of a question about one step.
pub(super) enum Found {
    /// No mutant violates the property there.
    Nobody,
    /// This one does.
    Killed(Mutant, Kill),
    /// No answer.
    Unknown,
}

/// Steps in a solver.
struct Path<'s> {
    unrolling: Unrolling<'s>,
    /// What is assumed of each step that is part of the path.
    on: Vec<Lit>,
}

impl<'s> Path<'s> {
    fn new(system: &'s System, mutants: &[Mutant], start: Start, budget: Budget) -> Path<'s> {
        let mut unrolling = Unrolling::new(system, &AS_WRITTEN, start, Link::Functional).within(budget);
        unrolling.make_mutable(mutants);
        Path { unrolling, on: Vec::new() }
    }

    fn literal(&mut self, problem: &Problem<'s>, step: usize, expr: ExprId) -> Result<Lit, NotRepresentable> {
        self.unrolling.literal(&problem.exprs, step, expr)
    }

    /// Assumptions under which the steps up to this one are part of the path.
    fn steps(&mut self, problem: &Problem<'s>, last: usize) -> Result<Vec<Lit>, NotRepresentable> {
        while self.on.len() <= last {
            let on = self.unrolling.constrained(&problem.exprs, self.on.len())?;
            self.on.push(on);
        }
        Ok(self.on[..=last].to_vec())
    }

    /// A literal under which one of these literals holds.
    fn some(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let asked = self.unrolling.fresh();
        let clause: Vec<Lit> = std::iter::once(!asked).chain(literals).collect();
        self.unrolling.clause(&clause);
        asked
    }

    /// A literal under which one of these mutants is picked; `None` if nothing depends on any of them.
    fn one_of(&mut self, mutants: &[Mutant]) -> Option<Lit> {
        let picks: Vec<Lit> = mutants.iter().filter_map(|mutant| self.unrolling.pick_of(*mutant)).collect();
        if picks.is_empty() { None } else { Some(self.some(picks)) }
    }

    /// What is assumed where a mutant is picked; that none is where nothing depends on it yet.
    fn only(&self, mutant: Mutant) -> Option<Lit> {
        self.unrolling.pick_of(mutant).or_else(|| self.unrolling.none_picked())
    }

    fn solve(
        &mut self,
        assumptions: &[Lit],
        limits: &Limits,
        cause: &'static str,
        stats: &mut Stats,
    ) -> Outcome {
        stats.call(cause);
        let before = self.unrolling.solved().ticks();
        let mut budget =
            Budget { conflicts: None, deadline: limits.deadline, interrupt: limits.interrupt.clone() };
        let limit = limits.interrupt.tick_limit();
        if limit < u64::MAX {
            budget.interrupt = limits.interrupt.child();
            budget.interrupt.limit_ticks(limit.saturating_add(before));
        }
        let outcome = self.unrolling.solver().solve(assumptions, &budget);
        stats.ticks += self.unrolling.solved().ticks() - before;
        outcome
    }
}

/// What is shown of a mutant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Property,
    Lemma(usize),
}

enum Failure {
    Refuted,
    Undecided,
}

impl From<NotRepresentable> for Failure {
    fn from(_: NotRepresentable) -> Failure {
        Failure::Undecided
    }
}

impl<'s> Family<'s> {
    /// `None` for a property that is no invariant.
    pub(super) fn new(
        system: &'s System,
        property: PropertyId,
        mutants: &[Mutant],
        budget: &Budget,
    ) -> Option<Family<'s>> {
        let problem = Problem::new(system, &AS_WRITTEN, &[property]).within(budget.clone());
        let (_, good) = problem.properties.first().copied()?;
        let path = |start| Path::new(system, mutants, start, budget.clone());
        Some(Family {
            problem,
            property,
            good,
            members: mutants.iter().copied().collect(),
            runs: path(Start::Initial),
            paths: path(Start::Anywhere),
            lemmas: Vec::new(),
            known: FxHashSet::default(),
            lengths: vec![1],
            not_linear: FxHashSet::default(),
        })
    }

    pub(super) fn contains(&self, mutant: Mutant) -> bool {
        self.members.contains(&mutant)
    }

    /// Work so far.
    pub(super) fn ticks(&self) -> u64 {
        self.runs.unrolling.solved().ticks() + self.paths.unrolling.solved().ticks()
    }

    pub(super) fn lemma_count(&self) -> usize {
        self.lemmas.len()
    }

    /// The longest induction that is known to have succeeded.
    pub(super) fn longest(&self) -> usize {
        self.lengths.last().copied().unwrap_or(1)
    }

    /// Remembers lemmas, and the length of an induction with them. Returns them as expressions of this problem.
    pub(super) fn learn(&mut self, invariant: &Invariant, k: u32) -> Vec<ExprId> {
        let lemmas = self.problem.import(invariant);
        for lemma in &lemmas {
            if self.lemmas.len() < MOST_LEMMAS && self.known.insert(*lemma) {
                self.lemmas.push(*lemma);
            }
        }
        if let Err(place) = self.lengths.binary_search(&(k as usize)) {
            self.lengths.insert(place, k as usize);
        }
        lemmas
    }

    /// All lemmas, standing by themselves.
    pub(super) fn advice(&self) -> Invariant {
        self.problem.export(self.lemmas.iter().copied())
    }

    /// Whether one of the mutants violates the property in this step of a run.
    pub(super) fn violated(
        &mut self,
        step: usize,
        mutants: &[Mutant],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Found {
        self.ask_violation(step, mutants, limits, stats).unwrap_or(Found::Unknown)
    }

    fn ask_violation(
        &mut self,
        step: usize,
        mutants: &[Mutant],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Found, NotRepresentable> {
        let good = self.runs.literal(&self.problem, step, self.good)?;
        let mut assumptions = self.runs.steps(&self.problem, step)?;
        assumptions.push(!good);
        let mut asked: Vec<Mutant> =
            mutants.iter().copied().filter(|mutant| !self.not_linear.contains(mutant)).collect();
        loop {
            let Some(one) = self.runs.one_of(&asked) else {
                return Ok(if asked.len() == mutants.len() { Found::Nobody } else { Found::Unknown });
            };
            assumptions.push(one);
            let mut corrections = if self.runs.unrolling.is_exact() { 0 } else { CORRECTIONS };
            let outcome = loop {
                let outcome = self.runs.solve(&assumptions, limits, "family BMC", stats);
                if outcome != Outcome::Sat || corrections == 0 || !self.runs.unrolling.correct_products() {
                    break outcome;
                }
                corrections -= 1;
            };
            let found = match outcome {
                Outcome::Unknown => Some(Found::Unknown),
                Outcome::Unsat if asked.len() == mutants.len() => Some(Found::Nobody),
                Outcome::Unsat => Some(Found::Unknown),
                Outcome::Sat => match self.killed(step) {
                    Ok((mutant, kill)) => Some(Found::Killed(mutant, kill)),
                    Err(Some(mutant)) if asked.contains(&mutant) => {
                        self.not_linear.insert(mutant);
                        asked.retain(|other| *other != mutant);
                        None
                    }
                    Err(_) => Some(Found::Unknown),
                },
            };
            assumptions.pop();
            self.runs.unrolling.clause(&[!one]);
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }

    /// The mutant and the run that the model describes, as far as its first violation.
    fn killed(&self, last: usize) -> Result<(Mutant, Kill), Option<Mutant>> {
        let mutant = self.runs.unrolling.picked().ok_or(None)?;
        let mut kill = self.runs.unrolling.kill(mutant, last);
        match first_violation(self.problem.system, self.property, mutant, &kill) {
            Some(steps) => kill.steps = steps,
            // The certifier will say what is wrong.
            None if self.runs.unrolling.is_exact() => {}
            None => return Err(Some(mutant)),
        }
        Ok((mutant, kill))
    }

    /// Those of the mutants on which the property and these claims are inductive together, by an induction of this length. Whom there is no time for is not among them.
    pub(super) fn inductive(
        &mut self,
        claims: &[ExprId],
        k: usize,
        mutants: &[Mutant],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Vec<Mutant> {
        let mut left = mutants.to_vec();
        let mut all = vec![self.good];
        all.extend(claims);
        let consecution = self.remaining(&all, k, false, &mut left, limits, stats);
        let initiation = consecution.and_then(|_| self.remaining(&all, k, true, &mut left, limits, stats));
        match initiation {
            Ok(()) => left,
            Err(_) => Vec::new(),
        }
    }

    /// Removes mutants on which a claim fails in one of the first k steps, or after k steps in which all of them hold.
    fn remaining(
        &mut self,
        claims: &[ExprId],
        k: usize,
        initially: bool,
        left: &mut Vec<Mutant>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<(), Failure> {
        let (problem, path) = (&self.problem, if initially { &mut self.runs } else { &mut self.paths });
        let steps = if initially { 0..k } else { k..k + 1 };
        for step in steps {
            let mut assumptions = path.steps(problem, step)?;
            for before in 0..step {
                for claim in claims {
                    assumptions.push(path.literal(problem, before, *claim)?);
                }
            }
            let mut violated = Vec::with_capacity(claims.len());
            for claim in claims {
                violated.push(!path.literal(problem, step, *claim)?);
            }
            let violated = path.some(violated);
            assumptions.push(violated);
            // Nothing depends on these here, so they do what the system as written does.
            if left.iter().any(|mutant| path.unrolling.pick_of(*mutant).is_none()) {
                let none = path.unrolling.none_picked();
                assumptions.extend(none);
                let outcome = path.solve(&assumptions, limits, "family induction", stats);
                assumptions.truncate(assumptions.len() - usize::from(none.is_some()));
                match outcome {
                    Outcome::Unsat => {}
                    Outcome::Sat => left.retain(|mutant| path.unrolling.pick_of(*mutant).is_some()),
                    Outcome::Unknown => return Err(Failure::Undecided),
                }
            }
            while let Some(one) = path.one_of(left) {
                assumptions.push(one);
                let outcome = path.solve(&assumptions, limits, "family induction", stats);
                let picked = if outcome == Outcome::Sat { path.unrolling.picked() } else { None };
                assumptions.pop();
                path.unrolling.clause(&[!one]);
                match (outcome, picked) {
                    (Outcome::Unsat, _) => break,
                    (Outcome::Sat, Some(picked)) if left.contains(&picked) => {
                        left.retain(|mutant| *mutant != picked);
                    }
                    _ => return Err(Failure::Undecided),
                }
            }
            path.unrolling.clause(&[!violated]);
        }
        Ok(())
    }

    /// A proof of the property on a mutant from lemmas that are known. `None` if there is none, or not within the limits.
    pub(super) fn repair(&mut self, mutant: Mutant, limits: &Limits, stats: &mut Stats) -> Option<Proof> {
        let lengths = self.lengths.clone();
        lengths.into_iter().find_map(|k| {
            let alive = vec![true; self.lemmas.len()];
            Repair { family: self, mutant, k, alive, initially: Vec::new() }.run(limits, stats)
        })
    }

    fn expr(&self, claim: Claim) -> ExprId {
        match claim {
            Claim::Property => self.good,
            Claim::Lemma(lemma) => self.lemmas[lemma],
        }
    }
}

/// The search for a proof of one mutant.
struct Repair<'f, 's> {
    family: &'f mut Family<'s>,
    mutant: Mutant,
    k: usize,
    /// The lemmas that are left.
    alive: Vec<bool>,
    /// What is known to hold in the first steps.
    initially: Vec<Claim>,
}

impl Repair<'_, '_> {
    fn run(&mut self, limits: &Limits, stats: &mut Stats) -> Option<Proof> {
        'again: loop {
            let mut needed = vec![Claim::Property];
            let mut next = 0;
            while let Some(claim) = needed.get(next).copied() {
                next += 1;
                match (self.show(claim, &mut needed, limits, stats), claim) {
                    (Ok(()), _) => {}
                    (Err(Failure::Undecided), _) | (Err(Failure::Refuted), Claim::Property) => return None,
                    (Err(Failure::Refuted), Claim::Lemma(lemma)) => {
                        self.alive[lemma] = false;
                        continue 'again;
                    }
                }
            }
            let lemmas = needed.iter().filter_map(|claim| match claim {
                Claim::Lemma(lemma) => Some(self.family.lemmas[*lemma]),
                Claim::Property => None,
            });
            let core: ElementSet = self.family.problem.system.element_ids().collect();
            let invariant = self.family.problem.export(lemmas).into();
            return Some(Proof { invariant, k: self.k as u32, simple_path: false, core });
        }
    }

    fn show(
        &mut self,
        claim: Claim,
        needed: &mut Vec<Claim>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<(), Failure> {
        self.consecution(claim, needed, limits, stats)?;
        if !self.initially.contains(&claim) {
            self.initiation(claim, limits, stats)?;
            self.initially.push(claim);
        }
        Ok(())
    }

    fn consecution(
        &mut self,
        claim: Claim,
        needed: &mut Vec<Claim>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<(), Failure> {
        let others = (0..self.alive.len()).filter(|lemma| self.alive[*lemma]).map(Claim::Lemma);
        let others = others.filter(|claim| !needed.contains(claim));
        let claims: Vec<Claim> = needed.iter().copied().chain(others).collect();
        let mut premises = Vec::new();
        for premise in claims {
            let expr = self.family.expr(premise);
            for step in 0..self.k {
                let Family { problem, paths, .. } = &mut *self.family;
                premises.push((premise, paths.literal(problem, step, expr)?));
            }
        }
        let expr = self.family.expr(claim);
        let Family { problem, paths, .. } = &mut *self.family;
        let violated = !paths.literal(problem, self.k, expr)?;
        let mut assumptions = paths.steps(problem, self.k)?;
        assumptions.extend(paths.only(self.mutant));
        assumptions.extend(premises.iter().map(|(_, literal)| *literal));
        assumptions.push(violated);
        let outcome = paths.solve(&assumptions, limits, "repair", stats);
        match outcome {
            Outcome::Unknown => return Err(Failure::Undecided),
            Outcome::Sat => {
                self.drop_violated();
                return Err(Failure::Refuted);
            }
            Outcome::Unsat => {}
        }
        for (premise, literal) in premises {
            if paths.unrolling.solved().failed(literal) && !needed.contains(&premise) {
                needed.push(premise);
            }
        }
        Ok(())
    }

    /// Drops every lemma that fails in the last step of the model, in whose other steps all of them hold.
    fn drop_violated(&mut self) {
        for lemma in 0..self.alive.len() {
            let Family { problem, paths, lemmas, .. } = &mut *self.family;
            if self.alive[lemma]
                && let Ok(holds) = paths.literal(problem, self.k, lemmas[lemma])
                && paths.unrolling.solved().value(holds) == Some(false)
            {
                self.alive[lemma] = false;
            }
        }
    }

    fn initiation(&mut self, claim: Claim, limits: &Limits, stats: &mut Stats) -> Result<(), Failure> {
        let expr = self.family.expr(claim);
        for step in 0..self.k {
            let Family { problem, runs, .. } = &mut *self.family;
            let violated = !runs.literal(problem, step, expr)?;
            let mut assumptions = runs.steps(problem, step)?;
            assumptions.extend(runs.only(self.mutant));
            assumptions.push(violated);
            match runs.solve(&assumptions, limits, "repair", stats) {
                Outcome::Unsat => {}
                Outcome::Sat => return Err(Failure::Refuted),
                Outcome::Unknown => return Err(Failure::Undecided),
            }
        }
        Ok(())
    }
}

/// In how many steps a run of a mutant violates a property for the first time. `None` if it is no such run.
pub(super) fn first_violation(
    system: &System,
    property: PropertyId,
    mutant: Mutant,
    kill: &Kill,
) -> Option<usize> {
    let good = system.invariant(property)?;
    let mut trace = kill.trace(system, mutant).ok()?;
    let edits = mutant.edits(system);
    let interpreter = Interpreter::new(system, &edits).ok()?;
    let violates = |step: &Step| {
        let value = interpreter.frame(step).and_then(|mut frame| frame.value(good));
        value.is_ok_and(|value| value.as_bool() == Some(false))
    };
    let first = trace.steps.iter().position(violates)?;
    trace.steps.truncate(first + 1);
    interpreter.replay(&trace, property).is_ok().then_some(first + 1)
}
