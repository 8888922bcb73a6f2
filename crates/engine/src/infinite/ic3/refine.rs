//! Refinement: new predicates from the reason why there is no run of a certain length.
//!
//! The bounded question is refuted by clauses and by facts about numbers, each a sum of bounds that says `0 < 0` (Farkas). Cut such a sum at a step: the bounds before it
//! add up to a bound on the states of that step, all other variables cancel. An interpolant at the cut is a Boolean combination of these bounds and of what both sides share
//! (McMillan, *An interpolating theorem prover*, TCS 2005), so they are the predicates to add: the interpolant itself is not needed.

use super::super::Problem;
use super::super::base::not_linear;
use super::predicates::bound_over_states;
use crate::limits::{Limits, Stats};
use dashu_ratio::RBig;
use propcov_ir::{ExprId, PropertyId, Trace, UnknownReason};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_smt::{Bound, Linear, NumberKind, Reason, Relation, TheoryLemma};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};

/// What a bounded question came to.
pub(super) enum Refinement {
    /// There is such a run.
    Violation(Trace),
    /// There is none, and these predicates tell why.
    Predicates(Vec<ExprId>),
    /// No answer.
    Unknown(UnknownReason),
}

/// What is asked: a run that violates the property after so many transitions.
pub(super) struct Question<'q> {
    pub(super) property: (PropertyId, ExprId),
    pub(super) depth: usize,
    /// Conditions on each step, if only such runs are of interest. They make the question easier, and the predicates more special.
    pub(super) path: &'q [Vec<ExprId>],
    /// Invariants that others have proved.
    pub(super) known: &'q [ExprId],
}

/// Asks for a run.
pub(super) fn refine(
    problem: &mut Problem<'_>,
    question: &Question<'_>,
    limits: &Limits,
    stats: &mut Stats,
) -> (Refinement, u64) {
    let mut path = Unrolling::new(problem.system, problem.edits, Start::Initial, Link::Explicit)
        .within(problem.budget.clone());
    path.keep_clauses();
    let refinement = match ask(problem, &mut path, question, limits, stats) {
        Err(error) => Refinement::Unknown(UnknownReason::from(error)),
        Ok(Outcome::Unknown) => Refinement::Unknown(limits.reason()),
        Ok(Outcome::Sat) => violation(problem, &path, question.property.0, question.depth),
        Ok(Outcome::Unsat) => {
            let lemmas = used_lemmas(&path, limits);
            Refinement::Predicates(predicates(problem, &path, &lemmas))
        }
    };
    (refinement, path.solved().ticks())
}

fn ask(
    problem: &Problem<'_>,
    path: &mut Unrolling<'_>,
    question: &Question<'_>,
    limits: &Limits,
    stats: &mut Stats,
) -> Result<Outcome, NotRepresentable> {
    for step in 0..=question.depth {
        path.require_constraints(&problem.exprs, step)?;
        for lemma in question.known.iter().chain(question.path.get(step).into_iter().flatten()) {
            let holds = path.literal(&problem.exprs, step, *lemma)?;
            path.clause(&[holds]);
        }
    }
    let good = path.literal(&problem.exprs, question.depth, question.property.1)?;
    path.clause(&[!good]);
    stats.call("ic3 refinement");
    let budget = limits.budget(path.solved().conflicts());
    Ok(path.solver().solve(&[], &budget))
}

fn violation(problem: &Problem<'_>, path: &Unrolling<'_>, id: PropertyId, depth: usize) -> Refinement {
    match path.path(depth) {
        Err(error) => Refinement::Unknown(UnknownReason::NotCertified(error.to_string())),
        // All runs of this length were asked about, also those that violate the property before.
        Ok(trace) => match problem.first_violation(trace.clone(), id) {
            Some(trace) => Refinement::Violation(trace),
            None if path.is_exact() => Refinement::Violation(trace),
            None => Refinement::Unknown(not_linear()),
        },
    }
}

/// The facts about numbers that a propositional refutation needs; all of them where the budget does not suffice to find out.
fn used_lemmas(path: &Unrolling<'_>, limits: &Limits) -> Vec<TheoryLemma> {
    let lemmas = path.solved().lemmas();
    let mut solver = Cadical::new(CadicalConfig { inprocessing: false, ..CadicalConfig::default() });
    let highest = path.clauses().iter().chain(lemmas.iter().map(|lemma| &lemma.clause)).flatten();
    let highest = highest.map(|literal| literal.var().index()).max().unwrap_or(0);
    for _ in 0..=highest {
        Solver::new_var(&mut solver);
    }
    solver.add_clause(&[path.solved().truth()]);
    path.clauses().iter().for_each(|clause| solver.add_clause(clause));
    let mut switches = Vec::with_capacity(lemmas.len());
    for lemma in lemmas {
        let on = Solver::new_var(&mut solver).positive();
        let mut clause = lemma.clause.clone();
        clause.push(!on);
        solver.add_clause(&clause);
        switches.push(on);
    }
    let budget = limits.budget(0);
    if solver.solve(&switches, &budget) != Outcome::Unsat {
        return lemmas.to_vec();
    }
    let used = lemmas.iter().zip(switches).filter(|(_, on)| solver.failed(*on));
    used.map(|(lemma, _)| lemma.clone()).collect()
}

/// The bounds on states that the lemmas make at each cut.
fn predicates(problem: &mut Problem<'_>, path: &Unrolling<'_>, lemmas: &[TheoryLemma]) -> Vec<ExprId> {
    let mut found = Vec::new();
    for lemma in lemmas {
        // What contradicts itself are the negations of the clause's literals.
        let bounds: Vec<Option<Bound>> =
            lemma.clause.iter().map(|lit: &Lit| path.solved().bound(!*lit)).collect();
        let bounds: Vec<Bound> = bounds.into_iter().flatten().map(|bound| rounded(path, bound)).collect();
        for bound in &bounds {
            if is_at_one_step(path, &bound.sum) {
                found.extend(bound_over_states(problem, path, bound));
            }
        }
        let Reason::Farkas(multipliers) = &lemma.reason else { continue };
        if multipliers.len() != bounds.len() {
            continue;
        }
        // A bound is before a cut if a variable of an earlier step is in it.
        let first: Vec<usize> = bounds.iter().map(|bound| first_step(path, &bound.sum)).collect();
        let (Some(least), Some(greatest)) = (first.iter().min(), first.iter().max()) else { continue };
        for cut in least + 1..=*greatest {
            let mut sum = Linear::default();
            let mut relation = Relation::AtMost;
            let before = bounds.iter().zip(multipliers).zip(&first).filter(|(_, first)| **first < cut);
            for ((bound, multiplier), _) in before {
                sum.add(&bound.sum, multiplier);
                if bound.relation == Relation::Below {
                    relation = Relation::Below;
                }
            }
            if is_at_one_step(path, &sum) {
                found.extend(bound_over_states(problem, path, &Bound { sum, relation }));
            }
        }
    }
    found
}

/// A bound on integers with integer coefficients, such as the solver makes them: `s < 0` is `s + 1 ≤ 0`.
fn rounded(path: &Unrolling<'_>, mut bound: Bound) -> Bound {
    let integral = bound.sum.offset().is_int()
        && bound.sum.terms().all(|(number, coefficient)| {
            coefficient.is_int() && path.solved().kind(number) == NumberKind::Int
        });
    if integral && bound.relation == Relation::Below {
        bound.sum.add(&Linear::constant(RBig::ONE), &RBig::ONE);
        bound.relation = Relation::AtMost;
    }
    bound
}

/// The earliest step that a variable belongs to.
fn first_step(path: &Unrolling<'_>, sum: &Linear) -> usize {
    let steps = sum.terms().filter_map(|(number, _)| path.owner(number)).map(|owner| owner.step);
    steps.min().unwrap_or(0)
}

/// Whether the sum is about states of one step alone.
fn is_at_one_step(path: &Unrolling<'_>, sum: &Linear) -> bool {
    let mut steps = sum.terms().map(|(number, _)| path.owner(number).filter(|owner| owner.state.is_some()));
    let Some(Some(first)) = steps.next() else { return false };
    steps.all(|owner| owner.is_some_and(|owner| owner.step == first.step))
}
