//! Who helps whom: which claims of an inductive set a claim needs, directly and through others.
//!
//! The set is known to be k-inductive, perhaps relative to axioms: what was proved before. For each claim that matters one query says what its own step
//! rests on; what that rests on in turn is found the same way. The part that is reached is inductive by itself: each of its claims follows from k
//! steps in which the part held, and axioms.

use super::claims::Claim;
use crate::finite::Problem;
use crate::limits::{Limits, Stats};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Bit, Unroller};
use std::collections::BTreeSet;

/// Literals that queries may assume in all: with n claims, a query assumes n.
const ASSUMPTIONS: usize = 20_000_000;

/// What claims may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// All claims, and axioms.
    Together,
    /// The same, but each claim is first tried by itself.
    AloneFirst,
    /// The claims from this one on, and axioms: they are inductive without those before.
    From(usize),
}

/// An inductive set of claims.
pub(super) struct Needs<'p> {
    claims: Vec<Claim>,
    /// What assumes each claim, and after them each axiom.
    hypotheses: Vec<Lit>,
    /// What each claim needs, where that is known.
    direct: Vec<Option<Vec<usize>>>,
    rule: Rule,
    solver: Cadical,
    path: Unroller<'p>,
    assumed: usize,
}

impl<'p> Needs<'p> {
    /// Claims that are inductive together and with axioms, by an induction of length k.
    pub(super) fn new(
        problem: &'p Problem<'p>,
        claims: Vec<Claim>,
        axioms: &[Bit],
        k: u32,
        rule: Rule,
    ) -> Needs<'p> {
        // Queries share most of what they assume: keep the trail.
        let mut solver = problem.solver(CadicalConfig { inprocessing: false, ..CadicalConfig::default() });
        let mut path = Unroller::bare(&problem.netlist, &problem.template);
        let hypotheses: Vec<Lit> =
            (0..claims.len() + axioms.len()).map(|_| Solver::new_var(&mut solver).positive()).collect();
        for frame in 0..=k as usize {
            path.extend(&mut solver);
            for (axiom, hypothesis) in axioms.iter().zip(&hypotheses[claims.len()..]) {
                solver.add_clause(&[path.literal(frame, *axiom), !*hypothesis]);
            }
            if frame == k as usize {
                break;
            }
            for (claim, hypothesis) in claims.iter().zip(&hypotheses) {
                let mut clause: Vec<Lit> = claim.iter().map(|bit| path.literal(frame, *bit)).collect();
                clause.push(!*hypothesis);
                solver.add_clause(&clause);
            }
        }
        let direct = vec![None; claims.len()];
        Needs { claims, hypotheses, direct, rule, solver, path, assumed: 0 }
    }

    pub(super) fn ticks(&self) -> u64 {
        self.solver.ticks()
    }

    /// The smallest part found that contains a claim and is inductive, in order, and after the claims the axioms that it needs; `None` when that would
    /// take too long.
    pub(super) fn closure(&mut self, claim: usize, limits: &Limits, stats: &mut Stats) -> Option<Vec<usize>> {
        // Most need few others: nothing here may take as long as there are claims.
        let mut inside = BTreeSet::from([claim]);
        let mut open = vec![claim];
        while let Some(claim) = open.pop() {
            for needed in self.direct(claim, limits, stats)? {
                if inside.insert(needed) && needed < self.claims.len() {
                    open.push(needed);
                }
            }
        }
        Some(inside.into_iter().collect())
    }

    fn direct(&mut self, claim: usize, limits: &Limits, stats: &mut Stats) -> Option<Vec<usize>> {
        if let Some(known) = &self.direct[claim] {
            return Some(known.clone());
        }
        let alone = match self.rule {
            Rule::AloneFirst => self.follows(claim, &[claim], limits, stats)?,
            Rule::Together | Rule::From(_) => None,
        };
        let needed = match alone {
            Some(needed) => needed,
            None => self.among_all(claim, limits, stats)?,
        };
        self.direct[claim] = Some(needed.clone());
        Some(needed)
    }

    /// Those that a claim needs of all that it may rest on.
    fn among_all(&mut self, claim: usize, limits: &Limits, stats: &mut Stats) -> Option<Vec<usize>> {
        let first = if let Rule::From(first) = self.rule { first } else { 0 };
        let everything: Vec<usize> = (first..self.hypotheses.len()).collect();
        // That it follows from all of them is known. If a query says otherwise, all count as needed, and the checker decides.
        Some(self.follows(claim, &everything, limits, stats)?.unwrap_or(everything))
    }

    /// Those of some claims and axioms from which a claim follows, if it does; the outer `None` when the budget is used up.
    #[expect(clippy::option_option, reason = "no answer, and the answer that it does not follow")]
    fn follows(
        &mut self,
        claim: usize,
        from: &[usize],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Option<Vec<usize>>> {
        self.assumed += from.len();
        if limits.exhausted(self.ticks()) || self.assumed > ASSUMPTIONS {
            return None;
        }
        let last = self.path.len() - 1;
        let mut assumptions: Vec<Lit> = from.iter().map(|claim| self.hypotheses[*claim]).collect();
        assumptions.extend(self.claims[claim].iter().map(|bit| !self.path.literal(last, *bit)));
        stats.call("joint needs");
        match self.solver.solve(&assumptions, &limits.budget(self.solver.conflicts())) {
            Outcome::Unknown => None,
            Outcome::Sat => Some(None),
            Outcome::Unsat => {
                let used = |claim: &usize| self.solver.failed(self.hypotheses[*claim]);
                Some(Some(from.iter().copied().filter(used).collect()))
            }
        }
    }
}
