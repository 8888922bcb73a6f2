//! Two solvers with the same clauses: one that knows numbers, and one that is believed.
//!
//! Both count variables alike. Which of them are Boolean, and which stand for bounds, is kept here; that the arithmetic solver uses no variable in two
//! ways is checked. Where it does something that it should not do, that is a fault, and no query is answered any more.

use super::farkas::Atoms;
use dashu_ratio::RBig;
use propcov_sat::{Budget, Cadical, CadicalConfig, Lit, Outcome, Solver, Var};
use propcov_smt::{ArithSolver, Bound, Number, NumberKind, Relation};
use rustc_hash::{FxHashMap, FxHashSet};

/// The two solvers.
pub(super) struct Solvers {
    arithmetic: ArithSolver,
    believed: Cadical,
    /// The first variable that the believed solver does not have.
    unknown: Var,
    atoms: Atoms,
    booleans: FxHashSet<Var>,
    /// Literals of bounds, by their canonical forms.
    literals: FxHashMap<Bound, Lit>,
    /// How many facts have been checked.
    checked: usize,
    fault: Option<String>,
}

impl Solvers {
    /// No clauses yet.
    pub(super) fn new(config: CadicalConfig) -> Solvers {
        let mut arithmetic = ArithSolver::new();
        arithmetic.keep_lemmas();
        Solvers {
            arithmetic,
            believed: Cadical::new(config),
            unknown: Var(0),
            atoms: Atoms::default(),
            booleans: FxHashSet::default(),
            literals: FxHashMap::default(),
            checked: 0,
            fault: None,
        }
    }

    /// What the arithmetic solver did that it should not have done.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    fn is_faulty(&mut self, fault: impl Into<String>) {
        self.fault.get_or_insert(fault.into());
    }

    /// A number of which nothing is known.
    pub(super) fn new_number(&mut self, kind: NumberKind) -> Number {
        let number = self.arithmetic.new_number(kind);
        if !self.atoms.insert_number(number, kind) {
            self.is_faulty("a new number that is not new");
        }
        number
    }

    /// The value in the model of the last query, which was satisfiable.
    pub(super) fn number_value(&self, number: Number) -> RBig {
        self.arithmetic.number_value(number)
    }

    /// The literal of a bound, which is not on a constant.
    pub(super) fn literal(&mut self, bound: &Bound) -> Lit {
        let canonical = self.atoms.canonical(bound);
        if let Some(lit) = self.literals.get(&canonical) {
            return *lit;
        }
        let lit = match bound.relation {
            Relation::AtMost => self.arithmetic.at_most(&bound.sum),
            Relation::Below => self.arithmetic.below(&bound.sum),
        };
        self.make_known(lit.var());
        match self.arithmetic.bound(lit) {
            // Multipliers will refer to the solver's bound, which may be a multiple of ours.
            Some(own) if self.atoms.canonical(&own) == canonical => self.define(lit, &own),
            other => self.is_faulty(format!("the literal of {bound:?} stands for {other:?}")),
        }
        self.literals.insert(self.atoms.canonical(&bound.negated()), !lit);
        self.literals.insert(canonical, lit);
        lit
    }

    /// Notes what a literal stands for. It must not stand for anything else.
    fn define(&mut self, lit: Lit, bound: &Bound) {
        let outcome = match self.atoms.bound(lit) {
            Some(known) if self.atoms.canonical(known) == self.atoms.canonical(bound) => Ok(()),
            Some(known) => Err(format!("{lit:?} stands for {bound:?} and for {known:?}")),
            None if self.booleans.contains(&lit.var()) => Err(format!("{lit:?} is no bound")),
            None => self.atoms.insert(lit, bound),
        };
        if let Err(fault) = outcome {
            self.is_faulty(fault);
        }
    }

    /// Lets the believed solver have the variable.
    fn make_known(&mut self, var: Var) {
        while self.unknown <= var {
            self.unknown = Var(self.believed.new_var().0 + 1);
        }
    }

    /// Takes over the facts that the arithmetic solver has used, as far as they are true.
    fn take_facts(&mut self) {
        for position in self.checked..self.arithmetic.lemmas().len() {
            let lemma = self.arithmetic.lemmas()[position].clone();
            for lit in &lemma.clause {
                self.make_known(lit.var());
                // The solver may cut the integers at bounds of its own: fresh variables, which it defines.
                if !self.atoms.contains(lit.var()) {
                    match self.arithmetic.bound(*lit) {
                        Some(bound) => self.define(*lit, &bound),
                        None => self.is_faulty(format!("a fact about {lit:?}, which is no bound")),
                    }
                }
            }
            match self.atoms.check(&lemma) {
                Ok(()) => self.believed.add_clause(&lemma.clause),
                Err(why) => self.is_faulty(why),
            }
            self.checked = position + 1;
        }
    }
}

impl Solver for Solvers {
    fn new_var(&mut self) -> Var {
        let var = self.arithmetic.new_var();
        if self.atoms.contains(var) || !self.booleans.insert(var) {
            self.is_faulty("a new variable that is not new");
        }
        self.make_known(var);
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.arithmetic.add_clause(clause);
        self.believed.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        if self.fault.is_some() {
            return Outcome::Unknown;
        }
        match self.arithmetic.solve(assumptions, budget) {
            Outcome::Unsat => {}
            other => return other,
        }
        self.take_facts();
        if self.fault.is_some() {
            return Outcome::Unknown;
        }
        match self.believed.solve(assumptions, budget) {
            Outcome::Sat => {
                self.is_faulty("what it has found out about numbers does not suffice");
                Outcome::Unknown
            }
            other => other,
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.arithmetic.value(lit)
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.believed.failed(assumption)
    }

    fn ticks(&self) -> u64 {
        self.arithmetic.ticks() + self.believed.ticks()
    }
}
