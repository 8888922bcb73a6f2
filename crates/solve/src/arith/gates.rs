//! Boolean gates as clauses (Tseitin), each once, with constants folded.

use propcov_sat::{Lit, Solver};
use propcov_smt::ArithSolver;
use rustc_hash::FxHashMap;

/// A gate: its output is determined by its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
}

/// The solver and the gates that it has.
#[derive(Debug)]
pub(super) struct Gates {
    pub(super) solver: ArithSolver,
    known: FxHashMap<Gate, Lit>,
    /// All clauses that were added, where somebody wants to see them again.
    pub(super) clauses: Option<Vec<Vec<Lit>>>,
}

impl Gates {
    pub(super) fn new() -> Gates {
        Gates { solver: ArithSolver::new(), known: FxHashMap::default(), clauses: None }
    }

    pub(super) fn clause(&mut self, clause: &[Lit]) {
        if let Some(clauses) = &mut self.clauses {
            clauses.push(clause.to_vec());
        }
        self.solver.add_clause(clause);
    }

    pub(super) fn constant(&self, value: bool) -> Lit {
        self.solver.truth().negated_if(!value)
    }

    /// The value of a literal that is constant.
    fn known_value(&self, lit: Lit) -> Option<bool> {
        let truth = self.solver.truth();
        (lit.var() == truth.var()).then(|| lit == truth)
    }

    pub(super) fn fresh(&mut self) -> Lit {
        self.solver.new_var().positive()
    }

    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut Gates, Lit)) -> Lit {
        if let Some(output) = self.known.get(&gate) {
            return *output;
        }
        let output = self.fresh();
        clauses(self, output);
        self.known.insert(gate, output);
        output
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known_value(a), self.known_value(b)) {
            (Some(false), _) | (_, Some(false)) => return self.constant(false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.constant(false);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.gate(Gate::And(a, b), |gates, output| {
            gates.clause(&[!output, a]);
            gates.clause(&[!output, b]);
            gates.clause(&[output, !a, !b]);
        })
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known_value(a), self.known_value(b)) {
            (Some(value), _) => return b.negated_if(value),
            (_, Some(value)) => return a.negated_if(value),
            _ => {}
        }
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.var().positive(), b.var().positive());
        if a == b {
            return self.constant(negated);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let output = self.gate(Gate::Xor(a, b), |gates, output| {
            gates.clause(&[!output, a, b]);
            gates.clause(&[!output, !a, !b]);
            gates.clause(&[output, !a, b]);
            gates.clause(&[output, a, !b]);
        });
        output.negated_if(negated)
    }

    pub(super) fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    pub(super) fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if let Some(value) = self.known_value(condition) {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        match (self.known_value(then), self.known_value(otherwise)) {
            (Some(true), _) => return self.or(condition, otherwise),
            (Some(false), _) => return self.and(!condition, otherwise),
            (_, Some(true)) => return self.or(!condition, then),
            (_, Some(false)) => return self.and(condition, then),
            _ => {}
        }
        let (c, a, b) =
            if condition.is_negated() { (!condition, otherwise, then) } else { (condition, then, otherwise) };
        self.gate(Gate::Ite(c, a, b), |gates, output| {
            gates.clause(&[!output, !c, a]);
            gates.clause(&[!output, c, b]);
            gates.clause(&[output, !c, !a]);
            gates.clause(&[output, c, !b]);
        })
    }

    pub(super) fn conjunction(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let truth = self.constant(true);
        literals.into_iter().fold(truth, |all, lit| self.and(all, lit))
    }
}
