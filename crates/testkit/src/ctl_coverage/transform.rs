//! The observability transformation phi, which says where a formula looks at the observed node.
//!
//! Negations are first pushed inside, as far as propositions: `!b` stays as it is for each formula b without path quantifiers, and is one proposition. Acceptable
//! are then
//!
//! | formula     | transformed                                    |
//! |-------------|------------------------------------------------|
//! | b           | b with q' in place of q                        |
//! | b -> f      | b -> phi(f): the antecedent is not transformed |
//! | b \| f      | (f \| phi(b)) & (b \| phi(f))                   |
//! | f & g       | phi(f) & phi(g)                                |
//! | AX f        | AX phi(f)                                      |
//! | A [f U g]   | A [phi(f) U g] & A [(f & !g) U phi(g)]         |
//! | A [f R g]   | A [f R phi(g)] & A [phi(f) R (f -> phi(f))]    |
//!
//! where b is a proposition: a formula without path quantifiers. AF f is A [true U f]. AG f is A [false R f], whose transform is
//! AG phi(f) and a tautology.
//!
//! An implication is
//! - `f | g` where one side has a path quantifier and the other is a negation without any: that side is the negated antecedent, whichever it is.
//!   Two negations in front of each other do not count; or
//! - `!a | b`, in this order, where neither has a path quantifier: a is the antecedent. Formulas
//!   [as written](propcov_ir::Property::as_written) have implications of propositions in this form. Other readings have them as one atom.
//!
//! A conjunction of propositions is transformed part by part, so implications in it are found. All else without path quantifiers is one
//! proposition: implications below a negation or a disjunction are not looked for.
//!
//! Not acceptable is what has an existential quantifier after negations were pushed inside, and a disjunction of two formulas that
//! both have path quantifiers.

use propcov_ir::{Ctl, Quantifier};

/// The formula after the transformation, where `primed` says what an atom becomes that looks at q'; `None` when it is not
/// acceptable.
pub fn observability_transformation(formula: &Ctl, primed: &mut dyn FnMut(&Ctl) -> Ctl) -> Option<Ctl> {
    transform(&push_negations(formula, false), primed)
}

/// Negations only in front of formulas without path quantifiers.
fn push_negations(formula: &Ctl, negated: bool) -> Ctl {
    if formula.is_propositional() {
        return if negated { Ctl::Not(Box::new(formula.clone())) } else { formula.clone() };
    }
    let dual = |quantifier: &Quantifier| if negated { quantifier.dual() } else { *quantifier };
    let part = |part: &Ctl| Box::new(push_negations(part, negated));
    match formula {
        Ctl::Atom(_) => formula.clone(),
        Ctl::Not(a) => push_negations(a, !negated),
        Ctl::And(a, b) if negated => Ctl::Or(part(a), part(b)),
        Ctl::And(a, b) => Ctl::And(part(a), part(b)),
        Ctl::Or(a, b) if negated => Ctl::And(part(a), part(b)),
        Ctl::Or(a, b) => Ctl::Or(part(a), part(b)),
        Ctl::Next(quantifier, a) => Ctl::Next(dual(quantifier), part(a)),
        Ctl::Until(quantifier, a, b) if negated => Ctl::Release(dual(quantifier), part(a), part(b)),
        Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, part(a), part(b)),
        Ctl::Release(quantifier, a, b) if negated => Ctl::Until(dual(quantifier), part(a), part(b)),
        Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, part(a), part(b)),
    }
}

fn transform(formula: &Ctl, primed: &mut dyn FnMut(&Ctl) -> Ctl) -> Option<Ctl> {
    use Quantifier::All;
    let and = |a, b| Ctl::And(Box::new(a), Box::new(b));
    Some(match formula {
        Ctl::Atom(_) | Ctl::Not(_) => primed(formula),
        Ctl::And(f, g) => and(transform(f, primed)?, transform(g, primed)?),
        Ctl::Or(f, g) => match (f.is_propositional(), g.is_propositional()) {
            (false, false) => return None,
            (true, true) if !matches!(**f, Ctl::Not(_)) => primed(formula),
            (true, true) => Ctl::Or(f.clone(), Box::new(transform(g, primed)?)),
            (true, false) => either(f, g, primed)?,
            (false, true) => either(g, f, primed)?,
        },
        Ctl::Next(All, f) => Ctl::Next(All, Box::new(transform(f, primed)?)),
        Ctl::Until(All, f, g) => {
            let (phi_f, phi_g) = (transform(f, primed)?, transform(g, primed)?);
            let before = and((**f).clone(), Ctl::Not(g.clone()));
            and(
                Ctl::Until(All, Box::new(phi_f), g.clone()),
                Ctl::Until(All, Box::new(before), Box::new(phi_g)),
            )
        }
        Ctl::Release(All, f, g) => {
            let (phi_f, phi_g) = (Box::new(transform(f, primed)?), transform(g, primed)?);
            let first = Ctl::Or(Box::new(Ctl::Not(f.clone())), phi_f.clone());
            and(Ctl::Release(All, f.clone(), Box::new(phi_g)), Ctl::Release(All, phi_f, Box::new(first)))
        }
        Ctl::Next(..) | Ctl::Until(..) | Ctl::Release(..) => return None,
    })
}

/// `b | f` where f has a path quantifier and b has none.
fn either(b: &Ctl, f: &Ctl, primed: &mut dyn FnMut(&Ctl) -> Ctl) -> Option<Ctl> {
    let phi_f = transform(f, primed)?;
    let mut b = b;
    while let Ctl::Not(negated) = b
        && let Ctl::Not(inner) = &**negated
    {
        b = inner;
    }
    let unless_b = Ctl::Or(Box::new(b.clone()), Box::new(phi_f));
    if matches!(b, Ctl::Not(_)) {
        return Some(unless_b);
    }
    let unless_f = Ctl::Or(Box::new(f.clone()), Box::new(primed(b)));
    Some(Ctl::And(Box::new(unless_f), Box::new(unless_b)))
}
