//! Formulas as they are checked in mutants: each subformula once, after its parts.
//!
//! A formula has two kinds of propositions: some speak of the system as it is, some of what a mutant shows (q' instead of q). By mutation, all
//! are of the second kind. By observability, those are where the transformation has them (Hoskote et al. 1999, Definition 5, and for release its
//! counterpart):
//!
//! | formula     | transformed                                 |
//! |-------------|---------------------------------------------|
//! | b           | b with q' instead of q                      |
//! | b -> f      | b -> f'                                     |
//! | f & g       | f' & g'                                     |
//! | AX f        | AX f'                                       |
//! | AG f        | AG f'                                       |
//! | A [f U g]   | A [f' U g] & A [(f & !g) U g']              |
//! | A [f R g]   | A [f R g'] & A [f' R (f -> f')]             |
//!
//! Negations are on their way inwards while a formula is read, as far as propositions. Universal quantifiers become existential ones under
//! negations, which is what a graph can be searched for.

use propcov_ir::{Ctl, ExprId, Quantifier, System};
use rustc_hash::FxHashMap;

/// The position of a subformula.
pub(super) type Part = usize;

/// A subformula, with the positions of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    /// A proposition about the system as it is.
    Plain(ExprId),
    /// A proposition about what a mutant shows.
    Shown(ExprId),
    Not(Part),
    And(Part, Part),
    Or(Part, Part),
    /// On some fair path.
    Next(Part),
    Until(Part, Part),
    Release(Part, Part),
}

/// The subformulas of what is checked.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) operators: Vec<Operator>,
    /// Which of them depend on what a mutant shows.
    pub(super) shown: Vec<bool>,
    positions: FxHashMap<Operator, Part>,
}

/// A formula as it is, and what a mutant has to satisfy.
#[derive(Clone, Copy, Debug)]
struct Pair {
    plain: Part,
    shown: Part,
}

impl Parts {
    fn add(&mut self, operator: Operator) -> Part {
        if let Some(position) = self.positions.get(&operator) {
            return *position;
        }
        let shown = match operator {
            Operator::Plain(_) => false,
            Operator::Shown(_) => true,
            Operator::Not(a) | Operator::Next(a) => self.shown[a],
            Operator::And(a, b) | Operator::Or(a, b) | Operator::Until(a, b) | Operator::Release(a, b) => {
                self.shown[a] || self.shown[b]
            }
        };
        let position = self.operators.len();
        self.operators.push(operator);
        self.shown.push(shown);
        self.positions.insert(operator, position);
        position
    }

    fn not(&mut self, a: Part) -> Part {
        match self.operators[a] {
            Operator::Not(a) => a,
            _ => self.add(Operator::Not(a)),
        }
    }

    fn not_if(&mut self, negated: bool, a: Part) -> Part {
        if negated { self.not(a) } else { a }
    }

    fn and(&mut self, a: Part, b: Part) -> Part {
        self.add(Operator::And(a, b))
    }

    fn or(&mut self, a: Part, b: Part) -> Part {
        self.add(Operator::Or(a, b))
    }

    fn next(&mut self, quantifier: Quantifier, a: Part) -> Part {
        let universal = quantifier == Quantifier::All;
        let a = self.not_if(universal, a);
        let some = self.add(Operator::Next(a));
        self.not_if(universal, some)
    }

    fn until(&mut self, quantifier: Quantifier, a: Part, b: Part) -> Part {
        match quantifier {
            Quantifier::Exists => self.add(Operator::Until(a, b)),
            Quantifier::All => {
                let (a, b) = (self.not(a), self.not(b));
                let some = self.add(Operator::Release(a, b));
                self.not(some)
            }
        }
    }

    fn release(&mut self, quantifier: Quantifier, a: Part, b: Part) -> Part {
        match quantifier {
            Quantifier::Exists => self.add(Operator::Release(a, b)),
            Quantifier::All => {
                let (a, b) = (self.not(a), self.not(b));
                let some = self.add(Operator::Until(a, b));
                self.not(some)
            }
        }
    }

    /// Adds a formula whose propositions are what `proposition` makes of them.
    pub(super) fn formula(&mut self, formula: &Ctl, proposition: &dyn Fn(ExprId) -> Operator) -> Part {
        let mut part = |formula: &Ctl| self.formula(formula, proposition);
        match formula {
            Ctl::Atom(expr) => self.add(proposition(*expr)),
            Ctl::Not(a) => {
                let a = part(a);
                self.not(a)
            }
            Ctl::And(a, b) => {
                let (a, b) = (part(a), part(b));
                self.and(a, b)
            }
            Ctl::Or(a, b) => {
                let (a, b) = (part(a), part(b));
                self.or(a, b)
            }
            Ctl::Next(quantifier, a) => {
                let a = part(a);
                self.next(*quantifier, a)
            }
            Ctl::Until(quantifier, a, b) => {
                let (a, b) = (part(a), part(b));
                self.until(*quantifier, a, b)
            }
            Ctl::Release(quantifier, a, b) => {
                let (a, b) = (part(a), part(b));
                self.release(*quantifier, a, b)
            }
        }
    }
}

/// How formulas are read for coverage by observability.
pub(super) struct Reader<'a> {
    pub(super) system: &'a System,
    pub(super) parts: &'a mut Parts,
    /// A proposition where a mutant shows.
    pub(super) shown: &'a dyn Fn(ExprId) -> Operator,
    /// Whether the proposition `!a | b` is the implication `a -> b`.
    pub(super) split: bool,
}

impl Reader<'_> {
    /// The transformed formula; `None` if it is not acceptable.
    pub(super) fn transformed(&mut self, formula: &Ctl) -> Option<Part> {
        self.read(formula, false).map(|pair| pair.shown)
    }

    fn plain(&mut self, formula: &Ctl) -> Part {
        self.parts.formula(formula, &Operator::Plain)
    }

    fn read(&mut self, formula: &Ctl, negated: bool) -> Option<Pair> {
        if formula.is_propositional() {
            return Some(self.proposition(formula, negated));
        }
        let quantifier = |quantifier: &Quantifier| if negated { quantifier.dual() } else { *quantifier };
        match (formula, negated) {
            // An atom is propositional.
            (Ctl::Atom(_), _) => None,
            (Ctl::Not(f), _) => self.read(f, !negated),
            (Ctl::And(f, g), false) | (Ctl::Or(f, g), true) => {
                let (f, g) = (self.read(f, negated)?, self.read(g, negated)?);
                Some(Pair {
                    plain: self.parts.and(f.plain, g.plain),
                    shown: self.parts.and(f.shown, g.shown),
                })
            }
            (Ctl::Or(f, g), false) | (Ctl::And(f, g), true) => {
                // At most one of them has a path quantifier; the other, if it is a negation, is that of the antecedent.
                let (b, f) = if f.is_propositional() { (f, g) } else { (g, f) };
                if !b.is_propositional() {
                    return None;
                }
                let f = self.read(f, negated)?;
                let (b, negations) = without_negations(b, usize::from(negated));
                let is_antecedent = !negations.is_multiple_of(2);
                let (plain, shown) = (self.plain(b), self.parts.formula(b, self.shown));
                let plain = self.parts.not_if(is_antecedent, plain);
                let either = self.guarded(plain, f);
                if is_antecedent {
                    return Some(either);
                }
                // b is looked at where f fails.
                let looked_at = self.parts.or(f.plain, shown);
                Some(Pair { plain: either.plain, shown: self.parts.and(looked_at, either.shown) })
            }
            (Ctl::Next(path, f), _) if quantifier(path) == Quantifier::All => {
                let f = self.read(f, negated)?;
                let [plain, shown] = [f.plain, f.shown].map(|f| self.parts.next(Quantifier::All, f));
                Some(Pair { plain, shown })
            }
            (Ctl::Until(path, f, g), false) | (Ctl::Release(path, f, g), true)
                if quantifier(path) == Quantifier::All =>
            {
                let (f, g) = (self.read(f, negated)?, self.read(g, negated)?);
                Some(self.until(f, g))
            }
            (Ctl::Release(path, f, g), false) | (Ctl::Until(path, f, g), true)
                if quantifier(path) == Quantifier::All =>
            {
                let g = self.read(g, negated)?;
                if self.system.is_constant(f, negated) {
                    let never = self.plain(f);
                    let never = self.parts.not_if(negated, never);
                    let [plain, shown] =
                        [g.plain, g.shown].map(|g| self.parts.release(Quantifier::All, never, g));
                    return Some(Pair { plain, shown });
                }
                let f = self.read(f, negated)?;
                Some(self.release(f, g))
            }
            (Ctl::Next(..) | Ctl::Until(..) | Ctl::Release(..), _) => None,
        }
    }

    /// `b | f`, where b says where f is checked.
    fn guarded(&mut self, b: Part, f: Pair) -> Pair {
        Pair { plain: self.parts.or(b, f.plain), shown: self.parts.or(b, f.shown) }
    }

    fn until(&mut self, f: Pair, g: Pair) -> Pair {
        let all = Quantifier::All;
        let plain = self.parts.until(all, f.plain, g.plain);
        let first = self.parts.until(all, f.shown, g.plain);
        let not_yet = self.parts.not(g.plain);
        let before = self.parts.and(f.plain, not_yet);
        let second = self.parts.until(all, before, g.shown);
        Pair { plain, shown: self.parts.and(first, second) }
    }

    fn release(&mut self, f: Pair, g: Pair) -> Pair {
        let all = Quantifier::All;
        let plain = self.parts.release(all, f.plain, g.plain);
        let first = self.parts.release(all, f.plain, g.shown);
        let not_released = self.parts.not(f.plain);
        let kept = self.parts.or(not_released, f.shown);
        let second = self.parts.release(all, f.shown, kept);
        Pair { plain, shown: self.parts.and(first, second) }
    }

    /// A formula without path quantifiers, or its negation. Implications are looked for in conjunctions and consequents, if at all.
    fn proposition(&mut self, formula: &Ctl, negated: bool) -> Pair {
        match formula {
            Ctl::Or(a, b) if self.split && !negated && matches!(**a, Ctl::Not(_)) => {
                let (a, b) = (self.plain(a), self.proposition(b, false));
                self.guarded(a, b)
            }
            Ctl::And(a, b) if self.split && !negated => {
                let (a, b) = (self.proposition(a, false), self.proposition(b, false));
                Pair { plain: self.parts.and(a.plain, b.plain), shown: self.parts.and(a.shown, b.shown) }
            }
            _ => {
                let (plain, shown) = (self.plain(formula), self.parts.formula(formula, self.shown));
                Pair { plain: self.parts.not_if(negated, plain), shown: self.parts.not_if(negated, shown) }
            }
        }
    }
}

/// The formula without negations in front, and how many there were, counting from some.
fn without_negations(mut formula: &Ctl, mut count: usize) -> (&Ctl, usize) {
    while let Ctl::Not(inner) = formula {
        (formula, count) = (inner, count + 1);
    }
    (formula, count)
}
