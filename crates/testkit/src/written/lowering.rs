//! From a formula as written to one over expressions, with implications of propositions whole or taken apart.

use super::WrittenCtl;
use propcov_ir::{Ctl, ExprId, ExprPool};

/// How `a -> b` is read when neither side has a path quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implications {
    /// As part of a proposition.
    Whole,
    /// As `Or(Not(a), b)` where it is the formula itself, an operand of a temporal operator or of a conjunction, or the consequent of
    /// another such implication: as [`Property::as_written`](propcov_ir::Property::as_written) has it.
    Apart,
}

impl WrittenCtl {
    /// The formula over expressions. What has no path quantifier is one atom, apart from implications.
    ///
    /// # Errors
    /// With a name that stands for nothing.
    pub fn lower(
        &self,
        exprs: &mut ExprPool,
        names: &dyn Fn(&str) -> Option<ExprId>,
        implications: Implications,
    ) -> Result<Ctl, String> {
        Lowering { exprs, names }.formula(self, implications, implications)
    }
}

struct Lowering<'a> {
    exprs: &'a mut ExprPool,
    names: &'a dyn Fn(&str) -> Option<ExprId>,
}

impl Lowering<'_> {
    /// `here` is what becomes of an implication of propositions if the formula is one, `below` what becomes of those further inside.
    fn formula(
        &mut self,
        formula: &WrittenCtl,
        here: Implications,
        below: Implications,
    ) -> Result<Ctl, String> {
        use Implications::{Apart, Whole};
        if formula.is_propositional() {
            return match here {
                Whole => self.proposition(formula).map(Ctl::Atom),
                Apart => self.parts(formula),
            };
        }
        let mut part = |part: &WrittenCtl, here| self.formula(part, here, below).map(Box::new);
        Ok(match formula {
            WrittenCtl::Constant(_) | WrittenCtl::Name(_) => Ctl::Atom(self.proposition(formula)?),
            WrittenCtl::Not(a) => Ctl::Not(part(a, Whole)?),
            WrittenCtl::And(a, b) => Ctl::And(part(a, below)?, part(b, below)?),
            WrittenCtl::Or(a, b) => Ctl::Or(part(a, Whole)?, part(b, Whole)?),
            WrittenCtl::Implies(a, b) => Ctl::Or(Box::new(Ctl::Not(part(a, Whole)?)), part(b, below)?),
            WrittenCtl::Iff(a, b) => {
                let (a, b) = (part(a, Whole)?, part(b, Whole)?);
                let neither = Ctl::And(Box::new(Ctl::Not(a.clone())), Box::new(Ctl::Not(b.clone())));
                Ctl::Or(Box::new(Ctl::And(a, b)), Box::new(neither))
            }
            WrittenCtl::Next(quantifier, a) => Ctl::Next(*quantifier, part(a, below)?),
            WrittenCtl::Until(quantifier, a, b) => Ctl::Until(*quantifier, part(a, below)?, part(b, below)?),
            WrittenCtl::Release(quantifier, a, b) => {
                Ctl::Release(*quantifier, part(a, below)?, part(b, below)?)
            }
            WrittenCtl::Finally(quantifier, a) => {
                let a = part(a, below)?;
                Ctl::Until(*quantifier, self.constant(true), a)
            }
            WrittenCtl::Globally(quantifier, a) => {
                let a = part(a, below)?;
                Ctl::Release(*quantifier, self.constant(false), a)
            }
        })
    }

    fn constant(&mut self, value: bool) -> Box<Ctl> {
        Box::new(Ctl::Atom(self.exprs.bool(value)))
    }

    /// A proposition with its implications taken apart. It stays one atom where there are none.
    fn parts(&mut self, formula: &WrittenCtl) -> Result<Ctl, String> {
        match formula {
            WrittenCtl::Implies(a, b) => {
                let antecedent = Ctl::Not(Box::new(Ctl::Atom(self.proposition(a)?)));
                Ok(Ctl::Or(Box::new(antecedent), Box::new(self.parts(b)?)))
            }
            WrittenCtl::And(a, b) => match (self.parts(a)?, self.parts(b)?) {
                (Ctl::Atom(a), Ctl::Atom(b)) => Ok(Ctl::Atom(self.exprs.and(a, b))),
                (a, b) => Ok(Ctl::And(Box::new(a), Box::new(b))),
            },
            _ => self.proposition(formula).map(Ctl::Atom),
        }
    }

    fn proposition(&mut self, formula: &WrittenCtl) -> Result<ExprId, String> {
        Ok(match formula {
            WrittenCtl::Constant(value) => self.exprs.bool(*value),
            WrittenCtl::Name(name) => {
                (self.names)(name).ok_or_else(|| format!("nothing is called {name}"))?
            }
            WrittenCtl::Not(a) => {
                let a = self.proposition(a)?;
                self.exprs.not(a)
            }
            WrittenCtl::And(a, b) => {
                let (a, b) = (self.proposition(a)?, self.proposition(b)?);
                self.exprs.and(a, b)
            }
            WrittenCtl::Or(a, b) => {
                let (a, b) = (self.proposition(a)?, self.proposition(b)?);
                self.exprs.or(a, b)
            }
            WrittenCtl::Implies(a, b) => {
                let (a, b) = (self.proposition(a)?, self.proposition(b)?);
                let otherwise = self.exprs.not(a);
                self.exprs.or(otherwise, b)
            }
            WrittenCtl::Iff(a, b) => {
                let (a, b) = (self.proposition(a)?, self.proposition(b)?);
                self.exprs.eq(a, b)
            }
            _ => return Err(format!("{formula} is no proposition")),
        })
    }
}
