//! Random formulas that are acceptable for coverage by observability ([`observability_transformation`](crate::observability_transformation)).

use super::{Implications, WrittenCtl};
use crate::random::Random;
use propcov_ir::{Ctl, ExprId, ExprPool, Quantifier::All};

/// A random acceptable formula over these names, with that many nested temporal operators at most. There is a disjunction with a
/// proposition in some of them, on either side.
pub fn random_acceptable_formula(random: &mut Random, names: &[&str], depth: usize) -> WrittenCtl {
    if depth == 0 {
        return proposition(random, names, 1);
    }
    let part = |random: &mut Random| Box::new(random_acceptable_formula(random, names, depth - 1));
    match random.below(17) {
        0 => proposition(random, names, 2),
        1..4 => WrittenCtl::Implies(Box::new(proposition(random, names, 1)), part(random)),
        4 => WrittenCtl::Or(Box::new(proposition(random, names, 1)), part(random)),
        5 => WrittenCtl::Or(part(random), Box::new(proposition(random, names, 1))),
        6 | 7 => WrittenCtl::Next(All, part(random)),
        8 | 9 => WrittenCtl::Globally(All, part(random)),
        10 | 11 => WrittenCtl::Finally(All, part(random)),
        12 | 13 => WrittenCtl::Until(All, part(random), part(random)),
        14 => WrittenCtl::Release(All, part(random), part(random)),
        _ => WrittenCtl::And(part(random), part(random)),
    }
}

fn proposition(random: &mut Random, names: &[&str], depth: usize) -> WrittenCtl {
    if depth == 0 || random.percent(35) {
        return match names {
            [] => WrittenCtl::Constant(random.percent(50)),
            _ => WrittenCtl::Name((*random.pick(names)).to_owned()),
        };
    }
    let part = |random: &mut Random| Box::new(proposition(random, names, depth - 1));
    match random.below(9) {
        0 | 1 => WrittenCtl::Not(part(random)),
        2 | 3 => WrittenCtl::And(part(random), part(random)),
        4 | 5 => WrittenCtl::Or(part(random), part(random)),
        6 | 7 => WrittenCtl::Implies(part(random), part(random)),
        _ => WrittenCtl::Iff(part(random), part(random)),
    }
}

/// A random acceptable formula over Boolean expressions: as whole propositions, and as written. Give an expression that should occur often
/// several times. In some formulas, operators are written by their duals.
pub fn random_acceptable_ctl(
    random: &mut Random,
    exprs: &mut ExprPool,
    atoms: &[ExprId],
    depth: usize,
) -> (Ctl, Ctl) {
    let names: Vec<String> = (0..atoms.len()).map(|index| format!("a{index}")).collect();
    let expr = |name: &str| names.iter().position(|other| other == name).map(|index| atoms[index]);
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    let formula = random_acceptable_formula(random, &borrowed, depth);
    let chance = *random.pick(&[0, 0, 50]);
    let mut lower = |implications| match formula.lower(exprs, &expr, implications) {
        Ok(lowered) => with_duals(random, &lowered, chance),
        // Each name stands for one of the atoms.
        Err(_) => Ctl::Atom(exprs.bool(true)),
    };
    (lower(Implications::Whole), lower(Implications::Apart))
}

/// The formula with that many of 100 operators written as the negation of the dual: `!EX !f` for `AX f`. Propositions stay as they are,
/// and so does the coverage.
pub fn with_duals(random: &mut Random, formula: &Ctl, chance: usize) -> Ctl {
    if formula.is_propositional() {
        return formula.clone();
    }
    let mut part = |part: &Ctl| Box::new(with_duals(random, part, chance));
    let rewritten = match formula {
        Ctl::Atom(_) => formula.clone(),
        Ctl::Not(a) => Ctl::Not(part(a)),
        Ctl::And(a, b) => Ctl::And(part(a), part(b)),
        Ctl::Or(a, b) => Ctl::Or(part(a), part(b)),
        Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, part(a)),
        Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, part(a), part(b)),
        Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, part(a), part(b)),
    };
    let dual = if random.percent(chance) { as_negated_dual(&rewritten) } else { None };
    dual.unwrap_or(rewritten)
}

/// The formula with its outermost operator as the negation of the dual. `None` where an operand is a proposition of several atoms: its
/// implications would then be below a negation.
fn as_negated_dual(formula: &Ctl) -> Option<Ctl> {
    let negated = |part: &Ctl| match part {
        Ctl::Not(_) | Ctl::And(..) | Ctl::Or(..) if part.is_propositional() => None,
        _ => Some(Box::new(Ctl::Not(Box::new(part.clone())))),
    };
    let dual = match formula {
        Ctl::Next(quantifier, a) => Ctl::Next(quantifier.dual(), negated(a)?),
        Ctl::Until(quantifier, a, b) => Ctl::Release(quantifier.dual(), negated(a)?, negated(b)?),
        Ctl::Release(quantifier, a, b) => Ctl::Until(quantifier.dual(), negated(a)?, negated(b)?),
        Ctl::And(a, b) if !formula.is_propositional() => Ctl::Or(negated(a)?, negated(b)?),
        _ => return None,
    };
    Some(Ctl::Not(Box::new(dual)))
}
