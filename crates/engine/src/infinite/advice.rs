//! What is left of lemmas that somebody else believed, of this system or of one like it: the largest subset that holds at the beginning and is inductive.
//!
//! Houdini, as for templates, but of lemmas that are given. Properties are candidates as well, since a lemma may hold only where they do: IC3 finds such lemmas.
//!
//! # References
//! C. Flanagan, K. R. M. Leino: Houdini, an annotation assistant for ESC/Java. FME 2001.

use super::Problem;
use crate::limits::{Limits, Stats};
use propcov_ir::ExprId;
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};

/// All queries together may have so many conflicts. Advice that costs more than a proof is none.
const CONFLICTS: u64 = 20_000;

/// A candidate, its literal in the last step of a path, and what is assumed of it before.
struct Candidate {
    expr: ExprId,
    before: Option<Lit>,
    holds: Lit,
}

/// The largest subset of the candidates that holds in every step of every run because it holds in the first one and is inductive. `None` when the budget does not suffice to find it.
pub(super) fn inductive(
    problem: &Problem<'_>,
    candidates: &[ExprId],
    limits: &Limits,
    stats: &mut Stats,
) -> Option<Vec<ExprId>> {
    let mut left = candidates.to_vec();
    left.sort_unstable();
    left.dedup();
    for start in [Start::Initial, Start::Anywhere] {
        left = remaining(problem, start, &left, limits, stats).ok()??;
    }
    Some(left)
}

/// Those that hold in the first step, or after one in which all of them do. `None` when the budget is used up.
fn remaining(
    problem: &Problem<'_>,
    start: Start,
    candidates: &[ExprId],
    limits: &Limits,
    stats: &mut Stats,
) -> Result<Option<Vec<ExprId>>, NotRepresentable> {
    let mut path =
        Unrolling::new(problem.system, problem.edits, start, Link::Functional).within(problem.budget.clone());
    let last = usize::from(start == Start::Anywhere);
    for step in 0..=last {
        path.require_constraints(&problem.exprs, step)?;
    }
    let mut open: Vec<Candidate> =
        candidates.iter().filter_map(|expr| encode(&mut path, problem, last, *expr).ok()).collect();
    let limits = Limits {
        conflicts: Some(limits.conflicts.map_or(CONFLICTS, |own| own.min(CONFLICTS))),
        ..limits.clone()
    };
    let found = loop {
        if open.is_empty() {
            break Some(Vec::new());
        }
        if limits.exhausted(path.solved().ticks()) {
            break None;
        }
        let asked = path.fresh();
        let violated: Vec<Lit> =
            std::iter::once(!asked).chain(open.iter().map(|candidate| !candidate.holds)).collect();
        path.clause(&violated);
        let mut assumptions: Vec<Lit> = open.iter().filter_map(|candidate| candidate.before).collect();
        assumptions.push(asked);
        stats.call("advice");
        let budget = limits.budget(path.solved().conflicts());
        match path.solver().solve(&assumptions, &budget) {
            Outcome::Unsat => break Some(open.iter().map(|candidate| candidate.expr).collect()),
            Outcome::Unknown => break None,
            // Every round drops at least one: its literal is false in the model, or open.
            Outcome::Sat => {
                open.retain(|candidate| path.solved().value(candidate.holds) == Some(true));
            }
        }
        path.clause(&[!asked]);
    };
    stats.ticks += path.solved().ticks();
    Ok(found)
}

fn encode(
    path: &mut Unrolling<'_>,
    problem: &Problem<'_>,
    last: usize,
    expr: ExprId,
) -> Result<Candidate, NotRepresentable> {
    let before = if last > 0 { Some(path.literal(&problem.exprs, 0, expr)?) } else { None };
    Ok(Candidate { expr, before, holds: path.literal(&problem.exprs, last, expr)? })
}
