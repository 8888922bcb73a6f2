//! The tableau of a formula: what a run claims and promises that is to violate it.
//!
//! A run may promise less than is so, but keeps what it promises: only one direction of each equivalence is needed, since negations are at
//! the atoms. Promises about the past are no guesses. What is promised for ever and never kept is excluded by a condition for each `U`.

use propcov_ir::{ConstraintKind, ExprId, Ltl, Origin, SignalId, Sort, System};
use rustc_hash::FxHashMap;

/// Adds to the system what it takes to violate the formula: the conditions that have to be met infinitely often, and the state that tells the first step.
///
/// The first step is told by a state, and not by a constraint on it: guesses are inputs, and engines want first steps that are sets of states.
pub(super) fn add(system: &mut System, formula: &Ltl) -> (Vec<ExprId>, SignalId) {
    let negation = negated(formula);
    let mut tableau = Tableau { system, claims: FxHashMap::default(), conditions: Vec::new() };
    let violated = tableau.claim(&negation);
    let (first, is_first) = tableau.memory(true);
    let never_again = tableau.system.exprs.bool(false);
    tableau.system.set_next(first, never_again);
    tableau.keep(is_first, violated);
    (tableau.conditions, first)
}

/// The negation, with negations at the atoms.
fn negated(formula: &Ltl) -> Ltl {
    let part = |formula: &Ltl| Box::new(negated(formula));
    match formula {
        Ltl::Atom(_) => Ltl::Not(Box::new(formula.clone())),
        Ltl::Not(a) => positive(a),
        Ltl::And(a, b) => Ltl::Or(part(a), part(b)),
        Ltl::Or(a, b) => Ltl::And(part(a), part(b)),
        Ltl::Next(a) => Ltl::Next(part(a)),
        Ltl::Until(a, b) => Ltl::Release(part(a), part(b)),
        Ltl::Release(a, b) => Ltl::Until(part(a), part(b)),
        Ltl::Previous(a) => Ltl::WeakPrevious(part(a)),
        Ltl::WeakPrevious(a) => Ltl::Previous(part(a)),
        Ltl::Since(a, b) => Ltl::Triggered(part(a), part(b)),
        Ltl::Triggered(a, b) => Ltl::Since(part(a), part(b)),
    }
}

/// The formula with negations at the atoms.
fn positive(formula: &Ltl) -> Ltl {
    match formula {
        Ltl::Not(a) => negated(a),
        _ => formula.with_operands(&mut positive),
    }
}

struct Tableau<'s> {
    system: &'s mut System,
    claims: FxHashMap<Ltl, ExprId>,
    conditions: Vec<ExprId>,
}

impl Tableau<'_> {
    /// That a step claims a formula whose negations are at the atoms.
    fn claim(&mut self, formula: &Ltl) -> ExprId {
        if let Some(claim) = self.claims.get(formula) {
            return *claim;
        }
        let operands: Vec<ExprId> = match formula {
            Ltl::Not(_) => Vec::new(),
            _ => formula.operands().map(|operand| self.claim(operand)).collect(),
        };
        let claim = match (formula, &operands[..]) {
            (Ltl::Atom(expr), _) => *expr,
            (Ltl::Not(a), _) => {
                let atom = self.claim(a);
                self.system.exprs.not(atom)
            }
            (Ltl::And(..), [a, b]) => self.system.exprs.and(*a, *b),
            (Ltl::Or(..), [a, b]) => self.system.exprs.or(*a, *b),
            (Ltl::Next(_), [a]) => {
                let (guess, promise) = self.promise();
                self.keep(promise, *a);
                guess
            }
            (Ltl::Until(..), [a, b]) => {
                let (guess, promise) = self.promise();
                let later = self.system.exprs.and(*a, guess);
                let claim = self.system.exprs.or(*b, later);
                self.keep(promise, claim);
                let open = self.system.exprs.not(promise);
                let met = self.system.exprs.or(open, *b);
                self.conditions.push(met);
                claim
            }
            (Ltl::Release(..), [a, b]) => {
                let (guess, promise) = self.promise();
                let released = self.system.exprs.or(*a, guess);
                let claim = self.system.exprs.and(*b, released);
                self.keep(promise, claim);
                claim
            }
            (Ltl::Previous(_), [a]) => {
                let (state, before) = self.memory(false);
                self.system.set_next(state, *a);
                before
            }
            (Ltl::WeakPrevious(_), [a]) => {
                let (state, before) = self.memory(true);
                self.system.set_next(state, *a);
                before
            }
            (Ltl::Since(..), [a, b]) => {
                let (state, before) = self.memory(false);
                let since = self.system.exprs.and(*a, before);
                let claim = self.system.exprs.or(*b, since);
                self.system.set_next(state, claim);
                claim
            }
            (Ltl::Triggered(..), [a, b]) => {
                let (state, before) = self.memory(true);
                let triggered = self.system.exprs.or(*a, before);
                let claim = self.system.exprs.and(*b, triggered);
                self.system.set_next(state, claim);
                claim
            }
            _ => unreachable!("an operator has all its operands"),
        };
        self.claims.insert(formula.clone(), claim);
        claim
    }

    /// A guess, and the state that says in the next step what it was.
    fn promise(&mut self) -> (ExprId, ExprId) {
        let guess = self.system.add_input("guess", Sort::BOOL);
        self.system.set_origin(guess, Origin::Helper);
        let guess = self.system.read(guess);
        let (state, promise) = self.memory(false);
        self.system.set_next(state, guess);
        (guess, promise)
    }

    fn memory(&mut self, first: bool) -> (SignalId, ExprId) {
        let state = self.system.add_state("promise", Sort::BOOL);
        self.system.set_origin(state, Origin::Helper);
        let first = self.system.exprs.bool(first);
        self.system.set_init(state, first);
        (state, self.system.read(state))
    }

    /// What is promised is claimed.
    fn keep(&mut self, promise: ExprId, claim: ExprId) {
        let open = self.system.exprs.not(promise);
        let kept = self.system.exprs.or(open, claim);
        self.system.add_constraint("promised", ConstraintKind::Always, kept);
    }
}
