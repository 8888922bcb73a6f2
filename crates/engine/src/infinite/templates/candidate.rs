//! Candidates for invariants: clauses, of which at most one member is a bound on a number.

use super::small::Small;
use propcov_ir::{BinaryOp, ExprId, ExprPool, Sort};
use rustc_hash::FxHashSet;

/// What may be an invariant.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// As an expression.
    pub(super) expr: ExprId,
    /// Booleans of which one holds, unless the bound does.
    literals: Vec<ExprId>,
    bound: Option<Bound>,
}

/// Where a number lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) term: ExprId,
    pub(super) least: Option<Small>,
    pub(super) most: Option<Small>,
}

impl Bound {
    /// Whether this bound entails another.
    fn entails(&self, other: &Bound) -> bool {
        let least = other.least.is_none_or(|limit| self.least.is_some_and(|least| least >= limit));
        let most = other.most.is_none_or(|limit| self.most.is_some_and(|most| most <= limit));
        self.term == other.term && least && most
    }

    fn expr(&self, exprs: &mut ExprPool) -> Option<ExprId> {
        let sort = exprs.sort(self.term).clone();
        let fits = |limit: Option<Small>| limit.is_none_or(|limit| limit.is_int() || sort == Sort::Real);
        if !fits(self.least) || !fits(self.most) {
            return None;
        }
        match (self.least, self.most) {
            (None, None) => None,
            (Some(least), Some(most)) if least == most => {
                let limit = most.expr(exprs, &sort);
                Some(exprs.eq(self.term, limit))
            }
            (least, most) => {
                let least = least.map(|least| {
                    let limit = least.expr(exprs, &sort);
                    exprs.apply(BinaryOp::Le, limit, self.term)
                });
                let most = most.map(|most| {
                    let limit = most.expr(exprs, &sort);
                    exprs.apply(BinaryOp::Le, self.term, limit)
                });
                Some(exprs.conjunction(least.into_iter().chain(most)))
            }
        }
    }
}

impl Candidate {
    /// Whether this one being invariant makes the other one superfluous.
    fn subsumes(&self, other: &Candidate) -> bool {
        let bound = match (&self.bound, &other.bound) {
            (None, _) => true,
            (Some(a), Some(b)) => a.entails(b),
            (Some(_), None) => false,
        };
        bound && self.literals.iter().all(|literal| other.literals.contains(literal))
    }
}

/// Candidates that were not proposed before.
#[derive(Debug, Default)]
pub(super) struct Proposals {
    /// Those that nobody has taken yet.
    pub(super) list: Vec<Candidate>,
    seen: FxHashSet<ExprId>,
}

impl Proposals {
    /// Proposes that one of these holds.
    pub(super) fn clause(&mut self, exprs: &mut ExprPool, literals: Vec<ExprId>) {
        let expr = exprs.disjunction(literals.iter().copied());
        self.propose(Candidate { expr, literals, bound: None });
    }

    /// Proposes a bound where all guards hold.
    pub(super) fn bound(&mut self, exprs: &mut ExprPool, guards: &[ExprId], bound: Bound) {
        let Some(limit) = bound.expr(exprs) else { return };
        let literals: Vec<ExprId> = guards.iter().map(|guard| exprs.not(*guard)).collect();
        let expr = exprs.disjunction(literals.iter().copied().chain([limit]));
        self.propose(Candidate { expr, literals, bound: Some(bound) });
    }

    fn propose(&mut self, candidate: Candidate) {
        if self.seen.insert(candidate.expr) {
            self.list.push(candidate);
        }
    }
}

/// Drops those that follow from another one; of equivalent ones the first stays.
pub(super) fn without_subsumed(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if kept.iter().any(|other| other.subsumes(&candidate)) {
            continue;
        }
        kept.retain(|other| !candidate.subsumes(other));
        kept.push(candidate);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::SignalId;

    #[test]
    fn weaker_bounds_and_longer_clauses_are_dropped() {
        let mut exprs = ExprPool::new();
        let (x, guard) = (exprs.signal(SignalId(0), Sort::Int), exprs.signal(SignalId(1), Sort::BOOL));
        let most = |limit| Bound { term: x, least: None, most: Some(Small::int(limit)) };
        let mut proposals = Proposals::default();
        proposals.bound(&mut exprs, &[guard], most(3));
        proposals.bound(&mut exprs, &[], most(5));
        proposals.bound(&mut exprs, &[], most(3));
        proposals.bound(&mut exprs, &[], most(3));
        proposals.bound(&mut exprs, &[guard], most(2));
        assert_eq!(proposals.list.len(), 4);
        let expected = [proposals.list[2].expr, proposals.list[3].expr];
        let kept: Vec<ExprId> = without_subsumed(proposals.list).iter().map(|c| c.expr).collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn an_equation_entails_both_bounds() {
        let mut exprs = ExprPool::new();
        let x = exprs.signal(SignalId(0), Sort::Int);
        let [two, three] = [2, 3].map(|value| Some(Small::int(value)));
        let mut proposals = Proposals::default();
        proposals.bound(&mut exprs, &[], Bound { term: x, least: two, most: None });
        proposals.bound(&mut exprs, &[], Bound { term: x, least: None, most: three });
        proposals.bound(&mut exprs, &[], Bound { term: x, least: two, most: two });
        assert_eq!(without_subsumed(proposals.list).len(), 1);
    }
}
