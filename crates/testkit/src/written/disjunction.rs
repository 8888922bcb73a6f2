//! Disjunctions as `ctl_oracle.py` reads them: it knows `b -> f`, but not `b | f` when f has path quantifiers.

use super::WrittenCtl;

impl WrittenCtl {
    /// The formula with each `b | f`, where f has path quantifiers and b has none, written as implications.
    pub fn with_implications(&self) -> WrittenCtl {
        use WrittenCtl as W;
        let part = |part: &WrittenCtl| Box::new(part.with_implications());
        if self.is_propositional() {
            return self.clone();
        }
        match self {
            W::Constant(_) | W::Name(_) => self.clone(),
            W::Or(a, b) if a.is_propositional() => either(a, part(b)),
            W::Or(a, b) => either(b, part(a)),
            W::Not(a) => W::Not(part(a)),
            W::And(a, b) => W::And(part(a), part(b)),
            W::Implies(a, b) => W::Implies(a.clone(), part(b)),
            W::Iff(a, b) => W::Iff(part(a), part(b)),
            W::Next(quantifier, a) => W::Next(*quantifier, part(a)),
            W::Finally(quantifier, a) => W::Finally(*quantifier, part(a)),
            W::Globally(quantifier, a) => W::Globally(*quantifier, part(a)),
            W::Until(quantifier, a, b) => W::Until(*quantifier, part(a), part(b)),
            W::Release(quantifier, a, b) => W::Release(*quantifier, part(a), part(b)),
        }
    }
}

/// `b | f`: b where f fails, and f where b fails. Two negations keep b in one piece.
fn either(b: &WrittenCtl, f: Box<WrittenCtl>) -> WrittenCtl {
    use WrittenCtl as W;
    let not = |a: &WrittenCtl| Box::new(W::Not(Box::new(a.clone())));
    let unless_f = W::Implies(not(&f), Box::new(W::Not(not(b))));
    W::And(Box::new(unless_f), Box::new(W::Implies(not(b), f)))
}
