//! Linear temporal logic with past operators, under fairness.
//!
//! Semantics. A formula speaks of infinite runs and of the steps in them. It holds of a system when every fair run satisfies it in its first
//! step; a run is fair when each [`Fairness`](crate::Fairness) condition is met. Runs that end count for nothing. Atoms may speak of inputs.
//!
//! With i a step of a run: `X f` holds in i when f holds in i + 1. `f U g` holds when g holds in some j ≥ i and f in all of i … j − 1; `f R g` when g holds
//! in every j ≥ i that has no f in i … j − 1. Looking back, `Y f` holds when i > 0 and f holds in i − 1, and `Z f` when i = 0 or f holds in i − 1. `f S g`
//! holds when g holds in some j ≤ i and f in all of j + 1 … i; `f T g` when g holds in every j ≤ i that has no f in j + 1 … i.
//!
//! `F f` is `true U f`, `G f` is `false R f`, `O f` is `true S f`, `H f` is `false T f`.

use crate::{Ctl, ExprId, Node, Quantifier, System};
use std::fmt;

/// A formula over Boolean expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ltl {
    /// A proposition on the current step.
    Atom(ExprId),
    /// Negation.
    Not(Box<Ltl>),
    /// Conjunction.
    And(Box<Ltl>, Box<Ltl>),
    /// Disjunction.
    Or(Box<Ltl>, Box<Ltl>),
    /// `X`: in the next step.
    Next(Box<Ltl>),
    /// `U`: the second eventually holds and the first holds until then.
    Until(Box<Ltl>, Box<Ltl>),
    /// `R` or `V`: the second holds up to and including the first step where the first does.
    Release(Box<Ltl>, Box<Ltl>),
    /// `Y`: in the previous step, and there is one.
    Previous(Box<Ltl>),
    /// `Z`: in the previous step, if there is one.
    WeakPrevious(Box<Ltl>),
    /// `S`: the second held once and the first ever since.
    Since(Box<Ltl>, Box<Ltl>),
    /// `T`: the second has held since the last step where the first did, that one included; always, if there is none.
    Triggered(Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    /// The parts that an operator applies to, the left one first.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Ltl> {
        let (a, b): (Option<&Ltl>, Option<&Ltl>) = match self {
            Ltl::Atom(_) => (None, None),
            Ltl::Not(a) | Ltl::Next(a) | Ltl::Previous(a) | Ltl::WeakPrevious(a) => (Some(a), None),
            Ltl::And(a, b)
            | Ltl::Or(a, b)
            | Ltl::Until(a, b)
            | Ltl::Release(a, b)
            | Ltl::Since(a, b)
            | Ltl::Triggered(a, b) => (Some(a), Some(b)),
        };
        a.into_iter().chain(b)
    }

    /// The expressions in it, in the order of reading, with repetitions.
    pub fn atoms(&self) -> Vec<ExprId> {
        let mut atoms = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            if let Ltl::Atom(expr) = formula {
                atoms.push(*expr);
            }
            open.extend(formula.operands().rev());
        }
        atoms
    }

    /// How many operators and atoms it has.
    pub fn size(&self) -> usize {
        let mut size = 0;
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            size += 1;
            open.extend(formula.operands());
        }
        size
    }

    /// The formula with other expressions in place of its own.
    pub fn with_atoms(&self, other: &mut dyn FnMut(ExprId) -> ExprId) -> Ltl {
        match self {
            Ltl::Atom(expr) => Ltl::Atom(other(*expr)),
            _ => self.with_operands(&mut |operand| operand.with_atoms(other)),
        }
    }

    /// The same operator, applied to what becomes of its operands; the left one first.
    pub fn with_operands(&self, other: &mut dyn FnMut(&Ltl) -> Ltl) -> Ltl {
        let mut part = |formula: &Ltl| Box::new(other(formula));
        match self {
            Ltl::Atom(expr) => Ltl::Atom(*expr),
            Ltl::Not(a) => Ltl::Not(part(a)),
            Ltl::And(a, b) => Ltl::And(part(a), part(b)),
            Ltl::Or(a, b) => Ltl::Or(part(a), part(b)),
            Ltl::Next(a) => Ltl::Next(part(a)),
            Ltl::Until(a, b) => Ltl::Until(part(a), part(b)),
            Ltl::Release(a, b) => Ltl::Release(part(a), part(b)),
            Ltl::Previous(a) => Ltl::Previous(part(a)),
            Ltl::WeakPrevious(a) => Ltl::WeakPrevious(part(a)),
            Ltl::Since(a, b) => Ltl::Since(part(a), part(b)),
            Ltl::Triggered(a, b) => Ltl::Triggered(part(a), part(b)),
        }
    }
}

impl Ltl {
    /// Whether there is no operator of time in it.
    pub fn is_propositional(&self) -> bool {
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match formula {
                Ltl::Atom(_) | Ltl::Not(_) | Ltl::And(..) | Ltl::Or(..) => open.extend(formula.operands()),
                _ => return false,
            }
        }
        true
    }
}

impl System {
    /// The f of a formula `G f`.
    pub fn globally<'f>(&self, formula: &'f Ltl) -> Option<&'f Ltl> {
        match formula {
            Ltl::Release(release, always) if self.is_truth(release, false) => Some(always),
            _ => None,
        }
    }

    /// Whether a formula is a truth value written out.
    fn is_truth(&self, formula: &Ltl, value: bool) -> bool {
        let Ltl::Atom(expr) = formula else { return false };
        matches!(self.exprs.node(*expr), Node::Const(constant) if constant.as_bool() == Some(value))
    }

    /// The formula of branching time that says the same of every system whose atoms are about states, where that is known: `A` in front of each operator of
    /// time makes no difference to `X f` and `G f`, to `f U g` and `f R g` of propositions, to conjunctions, and to disjunctions with a proposition.
    /// (M. Maidl: The common fragment of CTL and LTL, FOCS 2000, has a few more.)
    pub fn branching(&self, formula: &Ltl) -> Option<Ctl> {
        self.branching_or_not(formula, false)
    }

    fn branching_or_not(&self, formula: &Ltl, negated: bool) -> Option<Ctl> {
        if formula.is_propositional() {
            let whole = proposition(formula);
            return Some(if negated { Ctl::Not(Box::new(whole)) } else { whole });
        }
        let all = Quantifier::All;
        let part = |formula: &Ltl| self.branching_or_not(formula, negated).map(Box::new);
        Some(match (formula, negated) {
            (Ltl::Not(a), _) => return self.branching_or_not(a, !negated),
            (Ltl::And(a, b), false) | (Ltl::Or(a, b), true) => Ctl::And(part(a)?, part(b)?),
            (Ltl::Or(a, b), false) | (Ltl::And(a, b), true)
                if a.is_propositional() || b.is_propositional() =>
            {
                Ctl::Or(part(a)?, part(b)?)
            }
            (Ltl::Next(a), _) => Ctl::Next(all, part(a)?),
            (Ltl::Release(a, b), false) | (Ltl::Until(a, b), true) if self.is_truth(a, negated) => {
                // What is negated is true here: `!F b` is `G !b`.
                let never = if negated { Ctl::Not(Box::new(proposition(a))) } else { proposition(a) };
                Ctl::Release(all, Box::new(never), part(b)?)
            }
            (Ltl::Until(a, b), _) | (Ltl::Release(a, b), _)
                if a.is_propositional() && b.is_propositional() =>
            {
                let is_until = matches!(formula, Ltl::Until(..)) != negated;
                let operator = if is_until { Ctl::Until } else { Ctl::Release };
                operator(all, part(a)?, part(b)?)
            }
            _ => return None,
        })
    }
}

/// A formula without operators of time.
fn proposition(formula: &Ltl) -> Ctl {
    match formula {
        Ltl::Not(a) => Ctl::Not(Box::new(proposition(a))),
        Ltl::And(a, b) => Ctl::And(Box::new(proposition(a)), Box::new(proposition(b))),
        Ltl::Or(a, b) => Ctl::Or(Box::new(proposition(a)), Box::new(proposition(b))),
        Ltl::Atom(expr) => Ctl::Atom(*expr),
        _ => unreachable!("it has no operators of time"),
    }
}

/// A formula with the names of its signals; see [`System::show_ltl`].
#[derive(Clone, Copy, Debug)]
pub struct ShowLtl<'s> {
    system: &'s System,
    formula: &'s Ltl,
}

impl System {
    /// The text of a formula about this system, in the syntax of SMV as far as that has one.
    pub fn show_ltl<'s>(&'s self, formula: &'s Ltl) -> ShowLtl<'s> {
        ShowLtl { system: self, formula }
    }
}

impl ShowLtl<'_> {
    fn part<'p>(&'p self, formula: &'p Ltl) -> ShowLtl<'p> {
        ShowLtl { system: self.system, formula }
    }

    fn is_constant(&self, formula: &Ltl, value: bool) -> bool {
        let Ltl::Atom(expr) = formula else { return false };
        matches!(self.system.exprs.node(*expr), Node::Const(constant) if constant.as_bool() == Some(value))
    }
}

impl fmt::Display for ShowLtl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unary = |f: &mut fmt::Formatter<'_>, name: &str, a: &Ltl| write!(f, "{name} {}", self.part(a));
        let binary = |f: &mut fmt::Formatter<'_>, name: &str, a: &Ltl, b: &Ltl| {
            write!(f, "({} {name} {})", self.part(a), self.part(b))
        };
        match self.formula {
            Ltl::Atom(expr) => write!(f, "{}", self.system.show(*expr)),
            Ltl::Not(a) => write!(f, "!{}", self.part(a)),
            Ltl::And(a, b) => binary(f, "&", a, b),
            Ltl::Or(a, b) => binary(f, "|", a, b),
            Ltl::Next(a) => unary(f, "X", a),
            Ltl::Until(a, b) if self.is_constant(a, true) => unary(f, "F", b),
            Ltl::Until(a, b) => binary(f, "U", a, b),
            Ltl::Release(a, b) if self.is_constant(a, false) => unary(f, "G", b),
            Ltl::Release(a, b) => binary(f, "V", a, b),
            Ltl::Previous(a) => unary(f, "Y", a),
            Ltl::WeakPrevious(a) => unary(f, "Z", a),
            Ltl::Since(a, b) if self.is_constant(a, true) => unary(f, "O", b),
            Ltl::Since(a, b) => binary(f, "S", a, b),
            Ltl::Triggered(a, b) if self.is_constant(a, false) => unary(f, "H", b),
            Ltl::Triggered(a, b) => binary(f, "T", a, b),
        }
    }
}
