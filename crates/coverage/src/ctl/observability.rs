//! The observability transformation (Hoskote et al. 1999, Definition 5): a formula that means the same as long as q' is q, and in which a change
//! of q' shows wherever the original checks q.
//!
//! Definition 5 has `A[f U g]` as `A[f' U g] & A[(f & !g) U g']`. In the same way, `A[f R g]` is `A[f R g'] & A[f' R (f -> f')]`: g is checked up to
//! the first state with f, and f there. Antecedents and the operands that say where something is checked keep q.

use super::labels::Labelling;
use super::obligation::{Obligation, Rule};
use propcov_ir::{Ctl, Quantifier};

/// The transformed formula. `never` is one that is false.
pub(super) fn transformed(obligation: &Obligation, observed: &Labelling, never: &Ctl) -> Ctl {
    let phi = |f: &Obligation| Box::new(transformed(f, observed, never));
    let plain = |f: &Obligation| Box::new(f.formula.clone());
    let all = Quantifier::All;
    match &obligation.rule {
        Rule::Proposition => observed.marked(&obligation.formula),
        Rule::Guard(b, f) => Ctl::Or(Box::new(Ctl::Not(Box::new(b.clone()))), phi(f)),
        Rule::And(f, g) => Ctl::And(phi(f), phi(g)),
        Rule::Next(f) => Ctl::Next(all, phi(f)),
        Rule::Always(f) => Ctl::Release(all, Box::new(never.clone()), phi(f)),
        Rule::Until(f, g) => {
            let first = Ctl::Until(all, phi(f), plain(g));
            let before = Ctl::And(plain(f), Box::new(Ctl::Not(plain(g))));
            Ctl::And(Box::new(first), Box::new(Ctl::Until(all, Box::new(before), phi(g))))
        }
        Rule::Release(f, g) => {
            let first = Ctl::Release(all, plain(f), phi(g));
            let kept = Ctl::Or(Box::new(Ctl::Not(plain(f))), phi(f));
            Ctl::And(Box::new(first), Box::new(Ctl::Release(all, phi(f), Box::new(kept))))
        }
    }
}
