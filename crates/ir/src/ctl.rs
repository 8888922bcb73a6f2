//! Computation tree logic under fairness.
//!
//! Semantics, as NuSMV has it. A state is a value for each state signal such that some inputs satisfy every
//! [`Always`](crate::ConstraintKind::Always) constraint. A path is an infinite run. It is fair when each
//! [`Fairness`](crate::Fairness) condition is met, which may speak of inputs. A state is fair when a fair path starts there. Path quantifiers
//! range over fair paths; so a state without successor satisfies every `A`, and no `E`. A formula holds of a
//! system when every initial state that is fair satisfies it. A state is initial when some inputs satisfy initial values and
//! constraints there. Atoms speak of states, not of inputs.

use crate::{ExprId, PropertyId, PropertyKind, ShowExpr, System};
use std::fmt;

/// A formula over Boolean expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// A proposition on the current state.
    Atom(ExprId),
    /// Negation.
    Not(Box<Ctl>),
    /// Conjunction.
    And(Box<Ctl>, Box<Ctl>),
    /// Disjunction.
    Or(Box<Ctl>, Box<Ctl>),
    /// On all (or some) paths, in the next step.
    Next(Quantifier, Box<Ctl>),
    /// On all (or some) paths, the second eventually holds and the first holds until then.
    Until(Quantifier, Box<Ctl>, Box<Ctl>),
    /// On all (or some) paths, the second holds up to and including the first step where the first does.
    Release(Quantifier, Box<Ctl>, Box<Ctl>),
}

/// The path quantifier of a CTL operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// On all fair paths.
    All,
    /// On some fair path.
    Exists,
}

impl Quantifier {
    /// The other one.
    pub fn dual(self) -> Quantifier {
        match self {
            Quantifier::All => Quantifier::Exists,
            Quantifier::Exists => Quantifier::All,
        }
    }
}

impl Ctl {
    /// `true` for some expression that is: formulas have no constants of their own.
    pub fn constant(system: &mut System, value: bool) -> Ctl {
        Ctl::Atom(system.exprs.bool(value))
    }

    /// The formula with negations only in front of atoms, or that of its negation.
    pub fn normal_form(&self, negated: bool) -> Ctl {
        let form = |formula: &Ctl| Box::new(formula.normal_form(negated));
        match self {
            Ctl::Atom(_) if negated => Ctl::Not(Box::new(self.clone())),
            Ctl::Atom(_) => self.clone(),
            Ctl::Not(formula) => formula.normal_form(!negated),
            Ctl::And(a, b) if negated => Ctl::Or(form(a), form(b)),
            Ctl::And(a, b) => Ctl::And(form(a), form(b)),
            Ctl::Or(a, b) if negated => Ctl::And(form(a), form(b)),
            Ctl::Or(a, b) => Ctl::Or(form(a), form(b)),
            Ctl::Next(quantifier, a) if negated => Ctl::Next(quantifier.dual(), form(a)),
            Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, form(a)),
            Ctl::Until(quantifier, a, b) if negated => Ctl::Release(quantifier.dual(), form(a), form(b)),
            Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, form(a), form(b)),
            Ctl::Release(quantifier, a, b) if negated => Ctl::Until(quantifier.dual(), form(a), form(b)),
            Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, form(a), form(b)),
        }
    }

    /// Whether there is no path quantifier in it.
    pub fn is_propositional(&self) -> bool {
        !self.has_path_quantifier(&|_| true)
    }

    /// Whether each path quantifier of its normal form is universal (ACTL).
    pub fn is_universal(&self) -> bool {
        !self.normal_form(false).has_path_quantifier(&|quantifier| quantifier == Quantifier::Exists)
    }

    /// Whether each path quantifier of its normal form is existential (ECTL).
    pub fn is_existential(&self) -> bool {
        !self.normal_form(false).has_path_quantifier(&|quantifier| quantifier == Quantifier::All)
    }

    fn has_path_quantifier(&self, wanted: &dyn Fn(Quantifier) -> bool) -> bool {
        match self {
            Ctl::Atom(_) => false,
            Ctl::Not(a) => a.has_path_quantifier(wanted),
            Ctl::And(a, b) | Ctl::Or(a, b) => a.has_path_quantifier(wanted) || b.has_path_quantifier(wanted),
            Ctl::Next(quantifier, a) => wanted(*quantifier) || a.has_path_quantifier(wanted),
            Ctl::Until(quantifier, a, b) | Ctl::Release(quantifier, a, b) => {
                wanted(*quantifier) || a.has_path_quantifier(wanted) || b.has_path_quantifier(wanted)
            }
        }
    }

    /// The formula with other expressions in place of its own.
    pub fn with_atoms(&self, other: &mut dyn FnMut(ExprId) -> ExprId) -> Ctl {
        let mut part = |formula: &Ctl| Box::new(formula.with_atoms(other));
        match self {
            Ctl::Atom(expr) => Ctl::Atom(other(*expr)),
            Ctl::Not(a) => Ctl::Not(part(a)),
            Ctl::And(a, b) => Ctl::And(part(a), part(b)),
            Ctl::Or(a, b) => Ctl::Or(part(a), part(b)),
            Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, part(a)),
            Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, part(a), part(b)),
            Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, part(a), part(b)),
        }
    }

    /// The expressions in it, in the order of reading, with repetitions.
    pub fn atoms(&self) -> Vec<ExprId> {
        let mut atoms = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match formula {
                Ctl::Atom(expr) => atoms.push(*expr),
                Ctl::Not(a) | Ctl::Next(_, a) => open.push(a),
                Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::Release(_, a, b) => {
                    open.extend([&**b, &**a]);
                }
            }
        }
        atoms
    }
}

/// A formula with the names of its signals; see [`System::show_ctl`].
#[derive(Clone, Copy, Debug)]
pub struct ShowCtl<'s> {
    system: &'s System,
    formula: &'s Ctl,
}

impl System {
    /// The text of a formula about this system, in the syntax of SMV as far as that has one.
    pub fn show_ctl<'s>(&'s self, formula: &'s Ctl) -> ShowCtl<'s> {
        ShowCtl { system: self, formula }
    }

    /// What a property says as a CTL formula, if it can be said in CTL: an invariant p is `AG p`, and some formulas of linear time [say the same](System::branching). With implications apart, as
    /// [written](crate::Property::as_written).
    pub fn ctl_formula(&mut self, id: PropertyId, implications_apart: bool) -> Option<Ctl> {
        let never = Ctl::constant(self, false);
        let property = self.property(id);
        let whole = match &property.kind {
            PropertyKind::Ctl(formula) => formula.clone(),
            PropertyKind::Invariant(expr) => {
                Ctl::Release(Quantifier::All, Box::new(never), Box::new(Ctl::Atom(*expr)))
            }
            PropertyKind::Ltl(formula) => self.branching(formula)?,
            PropertyKind::Justice(_) => return None,
        };
        Some(property.as_written.clone().filter(|_| implications_apart).unwrap_or(whole))
    }

    /// The f of a formula `AG f`.
    pub fn always<'f>(&self, formula: &'f Ctl) -> Option<&'f Ctl> {
        match formula {
            Ctl::Release(Quantifier::All, release, always)
                if matches!(**release, Ctl::Atom(_)) && self.is_constant(release, false) =>
            {
                Some(always)
            }
            _ => None,
        }
    }

    /// Whether a formula is a truth value written out.
    pub fn is_constant(&self, formula: &Ctl, value: bool) -> bool {
        match formula {
            Ctl::Atom(expr) => {
                matches!(self.exprs.node(*expr), crate::Node::Const(constant) if constant.as_bool() == Some(value))
            }
            // A normal form has negated constants.
            Ctl::Not(negated) => self.is_constant(negated, !value),
            _ => false,
        }
    }
}

impl ShowCtl<'_> {
    fn part<'p>(&'p self, formula: &'p Ctl) -> ShowCtl<'p> {
        ShowCtl { system: self.system, formula }
    }

    fn atom(&self, expr: ExprId) -> ShowExpr<'_> {
        self.system.show(expr)
    }
}

impl fmt::Display for ShowCtl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |quantifier: &Quantifier| match quantifier {
            Quantifier::All => 'A',
            Quantifier::Exists => 'E',
        };
        match self.formula {
            Ctl::Atom(expr) => write!(f, "{}", self.atom(*expr)),
            Ctl::Not(a) => write!(f, "!{}", self.part(a)),
            Ctl::And(a, b) => write!(f, "({} & {})", self.part(a), self.part(b)),
            Ctl::Or(a, b) => write!(f, "({} | {})", self.part(a), self.part(b)),
            Ctl::Next(quantifier, a) => write!(f, "{}X {}", letter(quantifier), self.part(a)),
            Ctl::Until(quantifier, a, b) if self.system.is_constant(a, true) => {
                write!(f, "{}F {}", letter(quantifier), self.part(b))
            }
            Ctl::Until(quantifier, a, b) => {
                write!(f, "{} [{} U {}]", letter(quantifier), self.part(a), self.part(b))
            }
            Ctl::Release(quantifier, a, b) if self.system.is_constant(a, false) => {
                write!(f, "{}G {}", letter(quantifier), self.part(b))
            }
            Ctl::Release(quantifier, a, b) => {
                write!(f, "{} [{} R {}]", letter(quantifier), self.part(a), self.part(b))
            }
        }
    }
}
