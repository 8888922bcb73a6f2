//! Smooth counterexamples: of all runs of a given length into a violation, one whose inputs change least often.
//!
//! Each input has a literal per step that says that it is the same as in the step before. Which of them cannot all be kept is found in three stages. First all are assumed, and the
//! ones in a conflict given up, conflict by conflict: as these share no literal, there are at least as many changes as conflicts. Then each literal that was given up is tried
//! once more. If there are still more changes than conflicts, they are counted by a totalizer, and one fewer is asked for until there is no such run.
//!
//! # References
//! - J. Marques-Silva, J. Planes: On using unsatisfiability for solving maximum satisfiability. CoRR abs/0712.1097, 2007.
//! - O. Bailleux, Y. Boufkhad: Efficient CNF encoding of Boolean cardinality constraints. CP 2003.

use super::Problem;
use crate::limits::{Limits, Stats};
use propcov_ir::{Edits, Interpreter, PropertyId, System, Trace, UnknownReason};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};

/// Conflicts of all queries together, unless the limits say less.
const CONFLICTS: u64 = 100_000;
/// The most clauses that are spent on counting.
const COUNTING: usize = 400_000;

/// A run with few changes.
#[derive(Debug)]
pub struct Smoothed {
    /// The run.
    pub trace: Trace,
    /// How often inputs change in the run that was given.
    pub before: usize,
    /// How often they change in this one.
    pub after: usize,
    /// Whether no run of the same length to the same violation has fewer changes.
    pub is_fewest: bool,
}

/// How often inputs change from one step to the next.
pub fn changes(trace: &Trace) -> usize {
    let differ = |pair: &[propcov_ir::Step]| {
        pair[0].inputs.iter().zip(&pair[1].inputs).filter(|(before, after)| before != after).count()
    };
    trace.steps.windows(2).map(differ).sum()
}

/// A run as long as the given one that violates the property in its last step, too, with as few changes of inputs as can be found within the limits.
///
/// # Errors
/// When the system has no description by clauses and linear constraints, or when the budget is used up before any run was found.
pub fn smooth(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    trace: &Trace,
    limits: &Limits,
    stats: &mut Stats,
) -> Result<Smoothed, UnknownReason> {
    let mut problem = Problem::new(system, edits, &[property]).within(limits.budget(0));
    let limits = Limits {
        conflicts: Some(limits.conflicts.map_or(CONFLICTS, |own| own.min(CONFLICTS))),
        ..limits.clone()
    };
    let before = changes(trace);
    let mut search = Search::new(&mut problem, property, trace, &limits).map_err(UnknownReason::from)?;
    let found = search.run(stats);
    stats.ticks += search.path.solved().ticks();
    let is_fewest = found?;
    Ok(Smoothed { before, after: search.fewest, trace: search.best, is_fewest })
}

struct Search<'s, 'l> {
    path: Unrolling<'s>,
    system: &'s System,
    edits: &'s Edits,
    property: PropertyId,
    /// The last step, where the property is violated.
    last: usize,
    violation: Lit,
    /// For each input and step: that it is the same as in the step before.
    same: Vec<Lit>,
    best: Trace,
    fewest: usize,
    limits: &'l Limits,
}

impl<'s, 'l> Search<'s, 'l> {
    fn new(
        problem: &mut Problem<'s>,
        property: PropertyId,
        trace: &Trace,
        limits: &'l Limits,
    ) -> Result<Search<'s, 'l>, NotRepresentable> {
        let system = problem.system;
        let mut path = Unrolling::new(system, problem.edits, Start::Initial, Link::Functional)
            .within(problem.budget.clone());
        let last = trace.depth();
        let mut violation = !path.solved().truth();
        for step in 0..=last {
            path.require_constraints(&problem.exprs, step)?;
        }
        for (_, good) in &problem.properties {
            violation = !path.literal(&problem.exprs, last, *good)?;
        }
        let mut same = Vec::new();
        for input in system.inputs() {
            // What nobody has asked for is zero all along.
            if !(0..=last).any(|step| path.is_open(step, *input)) {
                continue;
            }
            let read = problem.exprs.signal(*input, system.signal(*input).sort.clone());
            for step in 1..=last {
                let earlier = path.word(&problem.exprs, step - 1, read)?;
                let later = path.word(&problem.exprs, step, read)?;
                same.push(path.equal_words(&earlier, &later)?);
            }
        }
        let (best, fewest) = (trace.clone(), changes(trace));
        let (edits, limits) = (problem.edits, limits);
        Ok(Search { path, system, edits, property, last, violation, same, best, fewest, limits })
    }

    /// Makes the best run better for as long as that is possible. Says whether it is the best there is.
    fn run(&mut self, stats: &mut Stats) -> Result<bool, UnknownReason> {
        let (mut kept, mut given_up, mut conflicts) = (self.same.clone(), Vec::new(), 0);
        loop {
            match self.ask(&kept, stats) {
                Outcome::Sat => break,
                Outcome::Unknown => return Err(self.limits.reason()),
                Outcome::Unsat => {
                    let (conflict, rest): (Vec<Lit>, Vec<Lit>) =
                        kept.iter().partition(|same| self.path.solved().failed(**same));
                    if conflict.is_empty() {
                        // The run that was given has something that this encoding does not.
                        return Err(UnknownReason::Incomplete("no run of that length was found".to_owned()));
                    }
                    conflicts += 1;
                    given_up.extend(conflict);
                    kept = rest;
                }
            }
        }
        if !self.take()? {
            return Ok(false);
        }
        for same in given_up {
            if self.fewest == conflicts {
                return Ok(true);
            }
            kept.push(same);
            match self.ask(&kept, stats) {
                Outcome::Sat if self.take()? => {}
                Outcome::Unknown => return Ok(false),
                _ => {
                    kept.pop();
                }
            }
        }
        self.count_down(conflicts, stats)
    }

    /// Asks for one change fewer, until there is no such run.
    fn count_down(&mut self, at_least: usize, stats: &mut Stats) -> Result<bool, UnknownReason> {
        if self.fewest <= at_least {
            return Ok(true);
        }
        let Some(counted) = self.totalizer(self.fewest) else { return Ok(false) };
        while self.fewest > at_least {
            let Some(many) = counted.get(self.fewest - 1) else { return Ok(true) };
            match self.ask(&[!*many], stats) {
                Outcome::Unsat => return Ok(true),
                Outcome::Sat => {
                    let before = self.fewest;
                    if !self.take()? || self.fewest == before {
                        return Ok(false);
                    }
                }
                Outcome::Unknown => return Ok(false),
            }
        }
        Ok(true)
    }

    fn ask(&mut self, kept: &[Lit], stats: &mut Stats) -> Outcome {
        if self.limits.exhausted(self.path.solved().ticks()) {
            return Outcome::Unknown;
        }
        stats.call("smoothing");
        let assumptions: Vec<Lit> = kept.iter().copied().chain([self.violation]).collect();
        let budget = self.limits.budget(self.path.solved().conflicts());
        self.path.solver().solve(&assumptions, &budget)
    }

    /// Takes over the run that the solver has found, if it is one and better. Says whether it is a run.
    fn take(&mut self) -> Result<bool, UnknownReason> {
        let Ok(trace) = self.path.path(self.last) else { return Ok(false) };
        let interpreter = Interpreter::new(self.system, self.edits)
            .map_err(|error| UnknownReason::Incomplete(error.to_string()))?;
        if interpreter.replay(&trace, self.property).is_err() {
            return Ok(false);
        }
        let count = changes(&trace);
        if count < self.fewest {
            (self.best, self.fewest) = (trace, count);
        }
        Ok(true)
    }

    /// Literals of which the one at position n follows when more than n inputs change. `None` when it would be too many clauses.
    fn totalizer(&mut self, most: usize) -> Option<Vec<Lit>> {
        let mut level: Vec<Vec<Lit>> = self.same.iter().map(|same| vec![!*same]).collect();
        let mut clauses = 0;
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                match pair {
                    [a, b] => {
                        clauses += (a.len() + 1) * (b.len() + 1);
                        if clauses > COUNTING {
                            return None;
                        }
                        above.push(self.sum(a, b, most));
                    }
                    rest => above.extend_from_slice(rest),
                }
            }
            level = above;
        }
        level.pop()
    }

    /// The sum of two unary numbers, at most so large.
    fn sum(&mut self, a: &[Lit], b: &[Lit], most: usize) -> Vec<Lit> {
        let sum: Vec<Lit> = (0..(a.len() + b.len()).min(most)).map(|_| self.path.fresh()).collect();
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let Some(position) = (i + j).checked_sub(1) else { continue };
                let mut clause = vec![sum[position.min(sum.len() - 1)]];
                clause.extend(i.checked_sub(1).map(|i| !a[i]));
                clause.extend(j.checked_sub(1).map(|j| !b[j]));
                self.path.clause(&clause);
            }
        }
        sum
    }
}
