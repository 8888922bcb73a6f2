//! Random CTL formulas.
//!
//! Operators are chosen such that formulas are neither true nor false almost everywhere: a disjunction below `EF` or a conjunction
//! below `AG` says next to nothing.

use crate::random::Random;
use propcov_ir::{Ctl, ExprId, ExprPool, Quantifier};

/// A random formula over these atoms, with that many nested operators at most.
pub fn random_ctl(random: &mut Random, exprs: &mut ExprPool, atoms: &[ExprId], depth: usize) -> Ctl {
    if depth == 0 || random.percent(10) {
        return leaf(random, exprs, atoms);
    }
    let quantifier = if random.percent(50) { Quantifier::All } else { Quantifier::Exists };
    let part =
        |random: &mut Random, exprs: &mut ExprPool| Box::new(random_ctl(random, exprs, atoms, depth - 1));
    match random.below(14) {
        0 => Ctl::Not(part(random, exprs)),
        1 | 2 => Ctl::And(part(random, exprs), part(random, exprs)),
        3 | 4 => Ctl::Or(part(random, exprs), part(random, exprs)),
        5..8 => Ctl::Next(quantifier, part(random, exprs)),
        8 => {
            let eventually = Box::new(Ctl::Atom(exprs.bool(true)));
            Ctl::Until(quantifier, eventually, part(random, exprs))
        }
        9 => {
            let always = Box::new(Ctl::Atom(exprs.bool(false)));
            Ctl::Release(quantifier, always, part(random, exprs))
        }
        10 | 11 => Ctl::Until(quantifier, part(random, exprs), part(random, exprs)),
        _ => Ctl::Release(quantifier, part(random, exprs), part(random, exprs)),
    }
}

fn leaf(random: &mut Random, exprs: &mut ExprPool, atoms: &[ExprId]) -> Ctl {
    let atom = if atoms.is_empty() || random.percent(4) {
        exprs.bool(random.percent(50))
    } else {
        *random.pick(atoms)
    };
    if random.percent(40) { Ctl::Not(Box::new(Ctl::Atom(atom))) } else { Ctl::Atom(atom) }
}
