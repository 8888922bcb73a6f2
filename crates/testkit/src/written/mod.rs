//! CTL formulas as people write them: with implications, AF and AG, over names.
//!
//! The syntax is the small one of `ctl_oracle.py`: names, `TRUE`, `FALSE`, `! & | <-> ->`, `AX f` and its like, `A [f U g]`, `A [f R g]` and
//! the same with `E`. Prefix operators bind tightest, then as listed here; `->` associates to the right, the others to the left.

mod disjunction;
mod lowering;
mod parser;
mod random;

pub use lowering::Implications;
pub use random::{random_acceptable_ctl, random_acceptable_formula, with_duals};

use propcov_ir::Quantifier;
use std::fmt;

/// A formula over names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenCtl {
    /// `TRUE` or `FALSE`.
    Constant(bool),
    /// What a name stands for.
    Name(String),
    /// `!f`.
    Not(Box<WrittenCtl>),
    /// `f & g`.
    And(Box<WrittenCtl>, Box<WrittenCtl>),
    /// `f | g`.
    Or(Box<WrittenCtl>, Box<WrittenCtl>),
    /// `f -> g`.
    Implies(Box<WrittenCtl>, Box<WrittenCtl>),
    /// `f <-> g`.
    Iff(Box<WrittenCtl>, Box<WrittenCtl>),
    /// `AX f`.
    Next(Quantifier, Box<WrittenCtl>),
    /// `AF f`.
    Finally(Quantifier, Box<WrittenCtl>),
    /// `AG f`.
    Globally(Quantifier, Box<WrittenCtl>),
    /// `A [f U g]`.
    Until(Quantifier, Box<WrittenCtl>, Box<WrittenCtl>),
    /// `A [f R g]`.
    Release(Quantifier, Box<WrittenCtl>, Box<WrittenCtl>),
}

impl WrittenCtl {
    /// Whether there is no path quantifier in it.
    pub fn is_propositional(&self) -> bool {
        match self {
            WrittenCtl::Constant(_) | WrittenCtl::Name(_) => true,
            WrittenCtl::Not(a) => a.is_propositional(),
            WrittenCtl::And(a, b)
            | WrittenCtl::Or(a, b)
            | WrittenCtl::Implies(a, b)
            | WrittenCtl::Iff(a, b) => a.is_propositional() && b.is_propositional(),
            WrittenCtl::Next(..)
            | WrittenCtl::Finally(..)
            | WrittenCtl::Globally(..)
            | WrittenCtl::Until(..)
            | WrittenCtl::Release(..) => false,
        }
    }

    /// Whether the name occurs in it.
    pub fn mentions(&self, name: &str) -> bool {
        match self {
            WrittenCtl::Constant(_) => false,
            WrittenCtl::Name(other) => name == other,
            WrittenCtl::Not(a)
            | WrittenCtl::Next(_, a)
            | WrittenCtl::Finally(_, a)
            | WrittenCtl::Globally(_, a) => a.mentions(name),
            WrittenCtl::And(a, b)
            | WrittenCtl::Or(a, b)
            | WrittenCtl::Implies(a, b)
            | WrittenCtl::Iff(a, b)
            | WrittenCtl::Until(_, a, b)
            | WrittenCtl::Release(_, a, b) => a.mentions(name) || b.mentions(name),
        }
    }
}

impl fmt::Display for WrittenCtl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |quantifier: &Quantifier| match quantifier {
            Quantifier::All => 'A',
            Quantifier::Exists => 'E',
        };
        match self {
            WrittenCtl::Constant(value) => write!(f, "{}", if *value { "TRUE" } else { "FALSE" }),
            WrittenCtl::Name(name) => write!(f, "{name}"),
            WrittenCtl::Not(a) => write!(f, "!({a})"),
            WrittenCtl::And(a, b) => write!(f, "({a} & {b})"),
            WrittenCtl::Or(a, b) => write!(f, "({a} | {b})"),
            WrittenCtl::Implies(a, b) => write!(f, "({a} -> {b})"),
            WrittenCtl::Iff(a, b) => write!(f, "({a} <-> {b})"),
            WrittenCtl::Next(quantifier, a) => write!(f, "{}X ({a})", letter(quantifier)),
            WrittenCtl::Finally(quantifier, a) => write!(f, "{}F ({a})", letter(quantifier)),
            WrittenCtl::Globally(quantifier, a) => write!(f, "{}G ({a})", letter(quantifier)),
            WrittenCtl::Until(quantifier, a, b) => write!(f, "{} [{a} U {b}]", letter(quantifier)),
            WrittenCtl::Release(quantifier, a, b) => write!(f, "{} [{a} R {b}]", letter(quantifier)),
        }
    }
}
