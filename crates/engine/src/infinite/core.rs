//! Which elements a proof needs: those whose definitions the refutations of initiation and consecution used.

use super::Problem;
use crate::limits::{Limits, Stats};
use propcov_ir::{Edits, ElementSet, ExprId, Proof, PropertyId, System};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};

/// Replaces the proof's core by one that its argument really uses. Says whether that was possible within the budget.
pub(crate) fn reduce_core(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    proof: &mut Proof,
    limits: &Limits,
    stats: &mut Stats,
) -> bool {
    let mut problem = Problem::new(system, edits, &[property]).within(limits.budget(0));
    let mut claims: Vec<ExprId> = problem.properties.iter().map(|(_, expr)| *expr).collect();
    claims.extend(problem.import(&proof.invariant));
    let mut core = ElementSet::new();
    for start in [Start::Initial, Start::Anywhere] {
        let mut query = Query::new(&problem, &proof.core, start);
        match query.run(&problem, &claims, proof.k as usize, &mut core, limits, stats) {
            Ok(true) => {}
            _ => return false,
        }
    }
    proof.core = core;
    true
}

struct Query<'s> {
    path: Unrolling<'s>,
    start: Start,
}

impl<'s> Query<'s> {
    fn new(problem: &Problem<'s>, selectable: &ElementSet, start: Start) -> Query<'s> {
        let mut path = Unrolling::new(problem.system, problem.edits, start, Link::Functional)
            .within(problem.budget.clone());
        path.make_selectable(selectable);
        Query { path, start }
    }

    /// Initiation (no claim fails in the first k steps) or consecution (none fails after k steps without); collects what it used.
    fn run(
        &mut self,
        problem: &Problem<'s>,
        claims: &[ExprId],
        k: usize,
        core: &mut ElementSet,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<bool, NotRepresentable> {
        let initial = self.start == Start::Initial;
        let steps = if initial { k } else { k + 1 };
        for step in 0..steps {
            self.path.require_constraints(&problem.exprs, step)?;
            let mut literals = Vec::with_capacity(claims.len());
            for claim in claims {
                literals.push(self.path.literal(&problem.exprs, step, *claim)?);
            }
            if initial || step == k {
                for literal in &literals {
                    if !self.refute(!*literal, core, limits, stats) {
                        return Ok(false);
                    }
                }
            }
            literals.iter().for_each(|literal| self.path.clause(&[*literal]));
        }
        Ok(true)
    }

    fn refute(&mut self, violation: Lit, core: &mut ElementSet, limits: &Limits, stats: &mut Stats) -> bool {
        // What is in the core already is first, so that it is used rather than something new.
        let kept = self.path.selectors().to_vec();
        let mut assumptions: Vec<Lit> = Vec::with_capacity(kept.len() + 1);
        for inside in [true, false] {
            let those = kept.iter().filter(|(element, _)| core.contains(*element) == inside);
            assumptions.extend(those.map(|(_, keep)| *keep));
        }
        assumptions.push(violation);
        stats.call("core");
        let budget = limits.budget(self.path.solved().conflicts());
        if self.path.solver().solve(&assumptions, &budget) != Outcome::Unsat {
            return false;
        }
        for (element, keep) in &kept {
            if self.path.solved().failed(*keep) {
                core.insert(*element);
            }
        }
        true
    }
}
