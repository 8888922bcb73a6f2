//! IC3 with predicate abstraction, for systems with ints and reals.
//!
//! IC3 as for finite systems (see [`crate::finite::ic3`]), but a state is seen only through a set of *predicates*: Boolean states, values of enumerations, and bounds on linear sums of
//! number states. Cubes and lemmas are over predicates; the transition relation stays exact, in one solver, and a predicate after the step is a literal of that step because next
//! values are functions. A predecessor is replaced by all states that look like it, so a path of cubes from an initial state to a violation may be spurious. Then the bounded
//! question is asked exactly: either there is a run, or its refutation gives new predicates (`refine`) and the search goes on with the frames that it has.
//!
//! The idea is that of implicit abstraction, but without the second copy of the state variables: here abstraction is a matter of which cube is blocked, not of the query.
//!
//! # References
//! - A. Cimatti, A. Griggio, S. Mover, S. Tonetta: IC3 modulo theories via implicit predicate abstraction. TACAS 2014.
//! - A. Bradley: SAT-based model checking without unrolling. VMCAI 2011.

mod frames;
mod predicates;
mod refine;

use super::{Partner, Problem, induction};
use crate::limits::{Limits, Observer, Stats};
use frames::{Cube, Frames};
use predicates::Predicates;
use propcov_ir::{BinaryOp, ConstraintKind, ExprId, PropertyId, Trace, UnknownReason, Value, Verdict};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling, Word};
use refine::{Question, Refinement};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ticks for a question about all runs of a length, before a single path is looked at.
const EASY: u64 = 200_000;

/// Decides one invariant.
pub fn run<'s>(
    problem: &mut Problem<'s>,
    property: (PropertyId, ExprId),
    partner: &mut dyn Partner,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Verdict {
    let mut search = match Ic3::new(problem, property) {
        Ok(search) => search,
        Err(error) => return Verdict::Unknown(UnknownReason::from(error)),
    };
    let end = search.search(problem, partner, limits, observer, stats);
    stats.count("ic3 frames", search.frames.top() as u64);
    stats.frames = Some(search.frames.top() as u32);
    stats.count("ic3 predicates", search.predicates.list().len() as u64);
    let verdict = match end {
        End::Proved(level) => {
            let mut lemmas = search.lemmas(problem, level);
            lemmas.extend(&search.known);
            Verdict::Proved(induction::proof(problem, property.1, 1, &lemmas, limits, stats))
        }
        End::Violation(trace) => Verdict::Falsified(trace),
        End::Unknown(reason) => Verdict::Unknown(reason),
    };
    stats.ticks += search.ticks();
    verdict
}

/// How a search ends.
enum End {
    /// The clauses from this level upwards are inductive.
    Proved(usize),
    Violation(Trace),
    Unknown(UnknownReason),
}

/// What blocking one cube at the top led to.
enum Blocked {
    /// It is excluded.
    Done,
    /// Predicates were added; the question has to be asked again.
    Refined,
    /// The search is over.
    End(End),
}

/// A cube that has to be excluded up to a level, or else leads to a violation.
struct Obligation {
    cube: Cube,
    level: usize,
    /// Transitions from here to the violation.
    distance: usize,
    /// Where the path goes on.
    after: Option<usize>,
    /// The numbers of the state that was found.
    numbers: Vec<Value>,
}

struct Ic3<'s> {
    property: (PropertyId, ExprId),
    /// One step from anywhere.
    step: Unrolling<'s>,
    predicates: Predicates,
    frames: Frames,
    /// Assumed where the state before the step is initial.
    initial: Lit,
    /// Assumed where the run goes on after the step.
    moves: Lit,
    /// The property in the step.
    good: Lit,
    /// The number states that matter.
    numbers: Vec<(ExprId, Word)>,
    /// Invariants that others have proved.
    known: Vec<ExprId>,
    /// Work of refinements.
    spent: u64,
}

impl<'s> Ic3<'s> {
    fn new(problem: &mut Problem<'s>, property: (PropertyId, ExprId)) -> Result<Ic3<'s>, NotRepresentable> {
        let mut step = Unrolling::new(problem.system, problem.edits, Start::Anywhere, Link::Functional)
            .within(problem.budget.clone());
        step.require_constraints(&problem.exprs, 0)?;
        let good = step.literal(&problem.exprs, 0, property.1)?;
        let starts = step.initial(&problem.exprs)?;
        // A violation may be in a step after which no run goes on: constraints on transitions are assumed only where there is one.
        let is_constrained = problem
            .system
            .constraints()
            .iter()
            .any(|constraint| constraint.kind == ConstraintKind::Transition);
        let moves = if is_constrained { step.constrained(&problem.exprs, 1)? } else { step.solved().truth() };
        let mut predicates = Predicates::default();
        let numbers = predicates.start(problem, &mut step, &[property.1])?;
        let mut frames = Frames::default();
        frames.open(&mut step);
        Ok(Ic3 {
            property,
            step,
            predicates,
            frames,
            initial: starts,
            moves,
            good,
            numbers,
            known: Vec::new(),
            spent: 0,
        })
    }

    fn ticks(&self) -> u64 {
        self.spent + self.step.solved().ticks()
    }

    fn search(
        &mut self,
        problem: &mut Problem<'s>,
        partner: &mut dyn Partner,
        limits: &Limits,
        observer: &dyn Observer,
        stats: &mut Stats,
    ) -> End {
        if let Err(end) = self.learn(problem, 0, &[], limits, stats) {
            return end;
        }
        loop {
            self.frames.open(&mut self.step);
            let top = self.frames.top();
            observer.progress("ic3", top as u32);
            if limits.depth.is_some_and(|depth| top as u32 > depth) {
                return End::Unknown(UnknownReason::Bounded(top as u32 - 1));
            }
            loop {
                if limits.exhausted(self.ticks()) {
                    return End::Unknown(limits.reason());
                }
                if let Err(error) = self.hear(problem, partner) {
                    return End::Unknown(UnknownReason::from(error));
                }
                let mut assumptions = self.frames.assumptions(top);
                assumptions.push(!self.good);
                match self.solve("ic3 bad", &assumptions, limits, stats) {
                    Outcome::Unknown => return End::Unknown(limits.reason()),
                    Outcome::Unsat => break,
                    Outcome::Sat => {}
                }
                let cube = self.cube_of_model();
                let numbers = self.numbers_of_model(problem);
                let violation = Obligation { cube, level: top, distance: 0, after: None, numbers };
                match self.block(problem, violation, limits, stats) {
                    Blocked::Done | Blocked::Refined => {}
                    Blocked::End(end) => return end,
                }
            }
            match self.propagate(limits, stats) {
                Some(Some(level)) => return End::Proved(level),
                Some(None) => {}
                None => return End::Unknown(limits.reason()),
            }
        }
    }

    /// Requires what others have proved.
    fn hear(&mut self, problem: &mut Problem<'s>, partner: &mut dyn Partner) -> Result<(), NotRepresentable> {
        for invariant in partner.news(self.ticks()) {
            for lemma in problem.import(&invariant) {
                let holds = self.step.literal(&problem.exprs, 0, lemma)?;
                self.step.clause(&[holds]);
                self.known.push(lemma);
            }
        }
        Ok(())
    }

    fn solve(
        &mut self,
        cause: &'static str,
        assumptions: &[Lit],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Outcome {
        stats.call(cause);
        let budget = limits.budget(self.step.solved().conflicts());
        self.step.solver().solve(assumptions, &budget)
    }

    /// What the model's state looks like.
    fn cube_of_model(&self) -> Cube {
        let solver = self.step.solved();
        let predicates = self.predicates.list().iter().enumerate();
        predicates.map(|(index, predicate)| (index, solver.holds(predicate.now))).collect()
    }

    /// The numbers of the model's state.
    fn numbers_of_model(&self, problem: &Problem<'s>) -> Vec<Value> {
        let numbers = self.numbers.iter();
        numbers.map(|(state, word)| self.step.value(word, problem.exprs.sort(*state))).collect()
    }

    /// The cube's literals before the step, or after it.
    fn literals(&self, cube: &Cube, after: bool) -> Vec<Lit> {
        let predicates = self.predicates.list();
        cube.iter()
            .map(|(index, holds)| {
                let predicate = &predicates[*index];
                if after { predicate.next } else { predicate.now }.negated_if(!*holds)
            })
            .collect()
    }

    /// What is assumed of states reached within so many steps.
    fn reached(&self, level: usize) -> Vec<Lit> {
        if level == 0 { vec![self.initial] } else { self.frames.assumptions(level) }
    }

    fn is_initial(&mut self, cube: &Cube, limits: &Limits, stats: &mut Stats) -> Option<bool> {
        let mut assumptions = self.literals(cube, false);
        assumptions.push(self.initial);
        match self.solve("ic3 initial", &assumptions, limits, stats) {
            Outcome::Sat => Some(true),
            Outcome::Unsat => Some(false),
            Outcome::Unknown => None,
        }
    }

    /// Excludes a cube that violates the property, or finds out why not.
    fn block(
        &mut self,
        problem: &mut Problem<'s>,
        violation: Obligation,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Blocked {
        let unknown = || Blocked::End(End::Unknown(limits.reason()));
        let mut queue = BinaryHeap::from([Reverse((violation.level, 0))]);
        let mut obligations = vec![violation];
        while let Some(Reverse((_, index))) = queue.pop() {
            if limits.exhausted(self.ticks()) {
                return unknown();
            }
            let Obligation { cube, level, distance, .. } = &obligations[index];
            let (cube, level, distance) = (cube.clone(), *level, *distance);
            match self.is_initial(&cube, limits, stats) {
                None => return unknown(),
                Some(true) => return self.examine(problem, &obligations, index, limits, stats),
                Some(false) => {}
            }
            if self.frames.is_excluded(&cube, level) {
                continue;
            }
            match self.predecessor(&cube, level, limits, stats) {
                None => return unknown(),
                Some(Ok(before)) => {
                    let numbers = self.numbers_of_model(problem);
                    obligations.push(Obligation {
                        cube: before,
                        level: level - 1,
                        distance: distance + 1,
                        after: Some(index),
                        numbers,
                    });
                    queue.push(Reverse((level - 1, obligations.len() - 1)));
                    queue.push(Reverse((level, index)));
                }
                Some(Err(core)) => {
                    let Some((cube, reached)) = self.generalise(&cube, core, level, limits, stats) else {
                        return unknown();
                    };
                    self.frames.exclude(&mut self.step, self.predicates.list(), cube, reached);
                    if reached < self.frames.top() {
                        obligations[index].level = reached + 1;
                        queue.push(Reverse((reached + 1, index)));
                    }
                }
            }
        }
        Blocked::Done
    }

    /// A state that looks like a predecessor within one level less; or that part of the cube which suffices to show that there is none.
    fn predecessor(
        &mut self,
        cube: &Cube,
        level: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Result<Cube, Cube>> {
        let after = self.literals(cube, true);
        let not_already: Vec<Lit> = self.literals(cube, false).into_iter().map(|literal| !literal).collect();
        let asked = self.step.fresh();
        let clause: Vec<Lit> = not_already.into_iter().chain([!asked]).collect();
        self.step.clause(&clause);
        let mut assumptions = self.reached(level - 1);
        assumptions.push(self.moves);
        assumptions.push(asked);
        assumptions.extend(&after);
        let outcome = self.solve("ic3 consecution", &assumptions, limits, stats);
        let result = match outcome {
            Outcome::Unknown => None,
            Outcome::Sat => Some(Ok(self.cube_of_model())),
            Outcome::Unsat => {
                let solver = self.step.solved();
                let core = cube.iter().zip(&after).filter(|(_, literal)| solver.failed(**literal));
                Some(Err(core.map(|(literal, _)| *literal).collect()))
            }
        };
        self.step.clause(&[!asked]);
        result
    }

    /// A larger cube that has no predecessor and no initial state either, and the highest level at which that is known.
    fn generalise(
        &mut self,
        cube: &Cube,
        core: Cube,
        level: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(Cube, usize)> {
        let mut small = self.without_initial(cube, core, limits, stats)?;
        let mut index = 0;
        while index < small.len() && small.len() > 1 {
            let mut candidate = small.clone();
            candidate.remove(index);
            if self.is_initial(&candidate, limits, stats)? {
                index += 1;
                continue;
            }
            match self.predecessor(&candidate, level, limits, stats)? {
                Ok(_) => index += 1,
                Err(core) => {
                    // What was kept so far stays in front.
                    small = self.without_initial(&candidate, core, limits, stats)?;
                    index = index.min(small.len());
                }
            }
        }
        let mut level = level;
        while level < self.frames.top() {
            match self.predecessor(&small, level + 1, limits, stats)? {
                Ok(_) => break,
                Err(_) => level += 1,
            }
        }
        Some((small, level))
    }

    /// The core, with as many of the cube's literals as it takes to exclude initial states.
    fn without_initial(
        &mut self,
        cube: &Cube,
        core: Cube,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Cube> {
        let mut small = core;
        if !self.is_initial(&small, limits, stats)? {
            return Some(small);
        }
        // The cube has no initial state: the failed assumptions tell which literals are to blame.
        let literals = self.literals(cube, false);
        let mut assumptions = literals.clone();
        assumptions.push(self.initial);
        if self.solve("ic3 initial", &assumptions, limits, stats) != Outcome::Unsat {
            return None;
        }
        let solver = self.step.solved();
        for (literal, lit) in cube.iter().zip(&literals) {
            if solver.failed(*lit) && !small.contains(literal) {
                small.push(*literal);
            }
        }
        small.sort_unstable();
        Some(small)
    }

    /// Moves clauses up; says from which level on they are inductive, if so.
    fn propagate(&mut self, limits: &Limits, stats: &mut Stats) -> Option<Option<usize>> {
        for level in 1..self.frames.top() {
            for cube in self.frames.cubes(level).to_vec() {
                let mut assumptions = self.reached(level);
                assumptions.push(self.moves);
                assumptions.extend(self.literals(&cube, true));
                match self.solve("ic3 push", &assumptions, limits, stats) {
                    Outcome::Unknown => return None,
                    Outcome::Sat => {}
                    Outcome::Unsat => {
                        self.frames.remove(level, &cube);
                        self.frames.exclude(&mut self.step, self.predicates.list(), cube, level + 1);
                    }
                }
            }
            if self.frames.cubes(level).is_empty() {
                return Some(Some(level + 1));
            }
        }
        Some(None)
    }

    /// A path of cubes leads from an initial state to a violation: is it a run? Only if the path itself teaches nothing are all runs of its length considered.
    fn examine(
        &mut self,
        problem: &mut Problem<'s>,
        obligations: &[Obligation],
        first: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Blocked {
        let mut path = Vec::new();
        let mut at = Some(first);
        while let Some(index) = at {
            path.push(self.cube_exprs(problem, &obligations[index].cube));
            at = obligations[index].after;
        }
        // All runs of this length, if that is easy; then this path; then all runs, however hard.
        let brief = limits.interrupt.child();
        brief.limit_ticks(EASY);
        let brief = Limits { interrupt: brief, ..limits.clone() };
        for (path, limits, may_fail) in
            [(&[][..], &brief, true), (&path, limits, false), (&[], limits, false)]
        {
            match self.learn(problem, obligations[first].distance, path, limits, stats) {
                Ok(true) => return Blocked::Refined,
                Ok(false) => {}
                Err(End::Unknown(UnknownReason::Cancelled)) if may_fail => {}
                Err(end) => return Blocked::End(end),
            }
        }
        match self.single_out(problem, obligations, first) {
            Ok(true) => return Blocked::Refined,
            Ok(false) => {}
            Err(error) => return Blocked::End(End::Unknown(UnknownReason::from(error))),
        }
        Blocked::End(End::Unknown(UnknownReason::Incomplete(
            "no predicate was found that tells a spurious path from a run".to_owned(),
        )))
    }

    /// Where sums of bounds do not tell why a path is none, as with remainders: predicates that tell the numbers of its states from all others. Says whether there were new ones.
    fn single_out(
        &mut self,
        problem: &mut Problem<'s>,
        obligations: &[Obligation],
        first: usize,
    ) -> Result<bool, NotRepresentable> {
        let mut new = false;
        let mut at = Some(first);
        while let Some(index) = at {
            for ((state, _), value) in self.numbers.iter().zip(&obligations[index].numbers) {
                let value = problem.exprs.constant(value.clone());
                for (a, b) in [(*state, value), (value, *state)] {
                    let bound = problem.exprs.apply(BinaryOp::Le, a, b);
                    new |= self.predicates.add(&problem.exprs, &mut self.step, bound)?;
                }
            }
            at = obligations[index].after;
        }
        Ok(new)
    }

    /// Asks whether a run violates the property after so many transitions, and learns predicates from the answer no. Says whether there were new ones.
    fn learn(
        &mut self,
        problem: &mut Problem<'s>,
        depth: usize,
        path: &[Vec<ExprId>],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<bool, End> {
        let known = self.known.clone();
        let question = Question { property: self.property, depth, path, known: &known };
        let (refinement, ticks) = refine::refine(problem, &question, limits, stats);
        self.spent += ticks;
        let found = match refinement {
            Refinement::Violation(trace) => return Err(End::Violation(trace)),
            Refinement::Unknown(reason) => return Err(End::Unknown(reason)),
            Refinement::Predicates(found) => found,
        };
        let mut new = false;
        for expr in found {
            let added = self.predicates.add(&problem.exprs, &mut self.step, expr);
            new |= added.map_err(|error| End::Unknown(UnknownReason::from(error)))?;
        }
        Ok(new)
    }

    /// The cube's literals as expressions.
    fn cube_exprs(&self, problem: &mut Problem<'s>, cube: &Cube) -> Vec<ExprId> {
        let predicates = self.predicates.list();
        cube.iter()
            .map(|(index, holds)| {
                let expr = predicates[*index].expr;
                if *holds { expr } else { problem.exprs.not(expr) }
            })
            .collect()
    }

    /// The clauses from a level upwards, as expressions.
    fn lemmas(&self, problem: &mut Problem<'s>, level: usize) -> Vec<ExprId> {
        let mut lemmas = Vec::new();
        for cube in self.frames.cubes_from(level) {
            let literals = self.cube_exprs(problem, cube);
            let negated: Vec<ExprId> =
                literals.into_iter().map(|literal| problem.exprs.not(literal)).collect();
            lemmas.push(problem.exprs.disjunction(negated));
        }
        lemmas
    }
}
