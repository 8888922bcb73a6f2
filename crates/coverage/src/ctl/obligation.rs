//! Formulas whose coverage can be read off their structure: what has to hold where, as Hoskote's Table 1 and Xu's `Cov` walk through it.
//!
//! Acceptable are `b`, `b -> f`, `AX f`, `AG f`, `A [f U g]`, `A [f R g]` and `f & g` (Hoskote et al. 1999, section 2.1; release from Xu et al.
//! 2006). Negations are pushed inwards as far as propositions. A negation beside a temporal formula, `Or(Not(b), f)`, is how the
//! implication `b -> f` comes here; any other `b | f` with a proposition b (a front end makes one proposition of a written `!b`) is two obligations:
//! b where f fails, and f where b fails. So bounded operators, which are written out with disjunctions, check what they mention.

use propcov_ir::{Ctl, Quantifier, System};

/// A formula that has to hold in some states, and how it can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Obligation {
    /// The formula, built from parts that the check has evaluated.
    pub(super) formula: Ctl,
    pub(super) rule: Rule,
}

/// How a formula is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// One proposition b.
    Proposition,
    /// `b -> f`.
    Guard(Ctl, Box<Obligation>),
    /// `f & g`.
    And(Box<Obligation>, Box<Obligation>),
    /// `AX f`.
    Next(Box<Obligation>),
    /// `AG f`.
    Always(Box<Obligation>),
    /// `A [f U g]`.
    Until(Box<Obligation>, Box<Obligation>),
    /// `A [f R g]`.
    Release(Box<Obligation>, Box<Obligation>),
}

impl Obligation {
    /// The structure of a formula; `None` if it is not acceptable. With `split`, the propositional formula `!a | b` is the implication `a -> b`.
    pub(super) fn new(system: &System, formula: &Ctl, split: bool) -> Option<Obligation> {
        Reader { system, split }.read(formula, false)
    }

    pub(super) fn is_propositional(&self) -> bool {
        match &self.rule {
            Rule::Proposition => true,
            Rule::Guard(_, f) => f.is_propositional(),
            Rule::And(f, g) => f.is_propositional() && g.is_propositional(),
            Rule::Next(_) | Rule::Always(_) | Rule::Until(..) | Rule::Release(..) => false,
        }
    }

    /// The propositions that have to hold somewhere, which antecedents do not.
    pub(super) fn propositions(&self) -> Vec<&Ctl> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        while let Some(obligation) = open.pop() {
            match &obligation.rule {
                Rule::Proposition => found.push(&obligation.formula),
                Rule::Guard(_, f) | Rule::Next(f) | Rule::Always(f) => open.push(f),
                Rule::And(f, g) | Rule::Until(f, g) | Rule::Release(f, g) => open.extend([&**g, &**f]),
            }
        }
        found
    }

    /// The formulas that decide where something has to hold: antecedents, and the operands of until and release.
    pub(super) fn conditions(&self) -> Vec<&Ctl> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        while let Some(obligation) = open.pop() {
            match &obligation.rule {
                Rule::Proposition => {}
                Rule::Guard(b, f) => {
                    found.push(b);
                    open.push(f);
                }
                Rule::Next(f) | Rule::Always(f) => open.push(f),
                Rule::And(f, g) => open.extend([&**g, &**f]),
                Rule::Until(f, g) | Rule::Release(f, g) => {
                    found.extend([&f.formula, &g.formula]);
                    open.extend([&**g, &**f]);
                }
            }
        }
        found
    }
}

struct Reader<'s> {
    system: &'s System,
    split: bool,
}

impl Reader<'_> {
    fn read(&self, formula: &Ctl, negated: bool) -> Option<Obligation> {
        let whole = if negated { Ctl::Not(Box::new(formula.clone())) } else { formula.clone() };
        let rule = match (formula, negated) {
            _ if formula.is_propositional() => return Some(self.proposition(formula, whole, negated)),
            (Ctl::Atom(_), _) => Rule::Proposition,
            (Ctl::Not(f), _) => return self.read(f, !negated),
            (Ctl::And(f, g), false) | (Ctl::Or(f, g), true) => {
                Rule::And(Box::new(self.read(f, negated)?), Box::new(self.read(g, negated)?))
            }
            (Ctl::Or(f, g), false) | (Ctl::And(f, g), true) => {
                let (b, f) = match (f.is_propositional(), g.is_propositional()) {
                    (true, _) => (f, g),
                    (false, true) => (g, f),
                    (false, false) => return None,
                };
                let side = if negated { Ctl::Not(b.clone()) } else { (**b).clone() };
                let f = self.read(f, negated)?;
                match peeled(&side) {
                    Ctl::Not(b) => Rule::Guard((**b).clone(), Box::new(f)),
                    b => either(b.clone(), f),
                }
            }
            (Ctl::Next(quantifier, f), _) => {
                universal(*quantifier, negated)?;
                Rule::Next(Box::new(self.read(f, negated)?))
            }
            (Ctl::Until(quantifier, f, g), false) | (Ctl::Release(quantifier, f, g), true) => {
                universal(*quantifier, negated)?;
                Rule::Until(Box::new(self.read(f, negated)?), Box::new(self.read(g, negated)?))
            }
            (Ctl::Release(quantifier, f, g), false) | (Ctl::Until(quantifier, f, g), true) => {
                universal(*quantifier, negated)?;
                let g = Box::new(self.read(g, negated)?);
                match self.system.is_constant(f, negated) {
                    true => Rule::Always(g),
                    false => Rule::Release(Box::new(self.read(f, negated)?), g),
                }
            }
        };
        Some(Obligation { formula: whole, rule })
    }

    /// A formula without temporal operators, taken apart where that is asked for.
    fn proposition(&self, formula: &Ctl, whole: Ctl, negated: bool) -> Obligation {
        let rule = match formula {
            Ctl::Or(a, b)
                if self.split
                    && !negated
                    && let Ctl::Not(antecedent) = &**a =>
            {
                let consequent = self.proposition(b, (**b).clone(), false);
                Rule::Guard((**antecedent).clone(), Box::new(consequent))
            }
            Ctl::And(a, b) if self.split && !negated => {
                let [a, b] = [a, b].map(|part| Box::new(self.proposition(part, (**part).clone(), false)));
                Rule::And(a, b)
            }
            _ => Rule::Proposition,
        };
        Obligation { formula: whole, rule }
    }
}

/// Universal once the negation in front of it is gone.
fn universal(quantifier: Quantifier, negated: bool) -> Option<()> {
    let quantifier = if negated { quantifier.dual() } else { quantifier };
    (quantifier == Quantifier::All).then_some(())
}

/// `b | f`: each of the two is checked where the other one fails.
fn either(b: Ctl, f: Obligation) -> Rule {
    let not = |formula: &Ctl| Ctl::Not(Box::new(formula.clone()));
    let whole = Ctl::Or(Box::new(b.clone()), Box::new(f.formula.clone()));
    let (unless_f, unless_b) = (not(&f.formula), not(&b));
    let first = Rule::Guard(unless_f, Box::new(Obligation { formula: b, rule: Rule::Proposition }));
    let second = Rule::Guard(unless_b, Box::new(f));
    let [first, second] = [first, second].map(|rule| Box::new(Obligation { formula: whole.clone(), rule }));
    Rule::And(first, second)
}

/// Without pairs of negations in front.
fn peeled(mut formula: &Ctl) -> &Ctl {
    while let Ctl::Not(negated) = formula
        && let Ctl::Not(inner) = &**negated
    {
        formula = inner;
    }
    formula
}
