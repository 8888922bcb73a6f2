//! Facts about numbers, checked by adding up inequalities.
//!
//! A fact is a clause of bounds. It is true of all numbers if the negations of its bounds contradict each other, and they do if multiples of
//! them add up to a constant that is at most zero according to them, and is not (Farkas 1902). A bound on integers is first made
//! as strong as it can be: with coefficients that are integers without a common divisor, the sum of what varies is an integer, and so the
//! constant may be rounded (Gomory 1958 cuts planes this way).
//!
//! A literal stands for a bound because this table says so, and for one only. Then a model of the claim in numbers is one of the clauses, too: give
//! each literal the truth of its bound.
//!
//! # References
//!
//! Farkas: Theorie der einfachen Ungleichungen. Journal für die reine und angewandte Mathematik 124, 1902.
//! Gomory: Outline of an algorithm for integer solutions to linear programs. Bulletin of the AMS 64, 1958.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use propcov_sat::{Lit, Var};
use propcov_smt::{Bound, Linear, Number, NumberKind, Reason, Relation, TheoryLemma};
use rustc_hash::FxHashMap;

/// Number variables, and the literals of bounds on them.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    kinds: FxHashMap<Number, NumberKind>,
    /// By variable: what it stands for, and what its negation does. Bounds on integers are as strong as they can be; others have the factor that
    /// multipliers refer to.
    bounds: FxHashMap<Var, [Bound; 2]>,
}

impl Atoms {
    /// Adds a number variable. Says whether there was none of this name.
    pub(super) fn insert_number(&mut self, number: Number, kind: NumberKind) -> bool {
        self.kinds.insert(number, kind).is_none()
    }

    /// The kind of a number, if it exists.
    pub(super) fn kind(&self, number: Number) -> Option<NumberKind> {
        self.kinds.get(&number).copied()
    }

    /// Whether the variable stands for a bound.
    pub(super) fn contains(&self, var: Var) -> bool {
        self.bounds.contains_key(&var)
    }

    /// The bound that a literal stands for.
    pub(super) fn bound(&self, lit: Lit) -> Option<&Bound> {
        self.bounds.get(&lit.var()).map(|bounds| &bounds[usize::from(lit.is_negated())])
    }

    /// Makes a literal stand for a bound; its variable stands for nothing yet.
    pub(super) fn insert(&mut self, lit: Lit, bound: &Bound) -> Result<(), String> {
        if bound.sum.as_constant().is_some() {
            return Err(format!("{lit:?} is a bound on nothing"));
        }
        if bound.sum.terms().any(|(number, _)| !self.kinds.contains_key(&number)) {
            return Err(format!("{lit:?} is a bound on a number that does not exist"));
        }
        let mut bounds = [self.strengthened(bound), self.strengthened(&bound.negated())];
        if lit.is_negated() {
            bounds.reverse();
        }
        self.bounds.insert(lit.var(), bounds);
        Ok(())
    }

    fn is_integral(&self, sum: &Linear) -> bool {
        sum.terms().all(|(number, _)| self.kind(number) == Some(NumberKind::Int))
    }

    /// On integers, the strongest bound that says the same. Others are left as they are.
    fn strengthened(&self, bound: &Bound) -> Bound {
        if bound.sum.as_constant().is_some() || !self.is_integral(&bound.sum) {
            return bound.clone();
        }
        let (mut divisor, mut multiple) = (UBig::ZERO, UBig::ONE);
        for (_, coefficient) in bound.sum.terms() {
            let (numerator, denominator) = coefficient.clone().into_parts();
            divisor = gcd(divisor, numerator.into_parts().1);
            multiple = &multiple / gcd(multiple.clone(), denominator.clone()) * denominator;
        }
        // Numerators and denominators are without common divisor one by one, and so are their gcd and lcm.
        let scaled = match multiple.is_one() && divisor.is_one() {
            true => bound.sum.clone(),
            false => bound.sum.scaled(&RBig::from_parts(IBig::from(multiple), divisor)),
        };
        if bound.relation == Relation::AtMost && scaled.offset().is_int() {
            return Bound { sum: scaled, relation: Relation::AtMost };
        }
        let rounded = match bound.relation {
            Relation::AtMost => scaled.offset().ceil(),
            Relation::Below => scaled.offset().floor() + IBig::ONE,
        };
        let shift = Linear::constant(RBig::from(rounded) - scaled.offset());
        Bound { sum: scaled.plus(&shift, &RBig::ONE), relation: Relation::AtMost }
    }

    /// The same for all bounds that are positive multiples of each other, and say the same of integers.
    pub(super) fn canonical(&self, bound: &Bound) -> Bound {
        let strong = self.strengthened(bound);
        let leading = strong.sum.terms().next().map(|(_, coefficient)| coefficient.clone());
        match leading {
            Some(leading) if !self.is_integral(&strong.sum) => {
                let size = if leading < RBig::ZERO { -leading } else { leading };
                Bound { sum: strong.sum.scaled(&(RBig::ONE / size)), ..strong }
            }
            _ => strong,
        }
    }

    /// Accepts a clause that is true of all numbers.
    pub(super) fn check(&self, lemma: &TheoryLemma) -> Result<(), String> {
        match &lemma.reason {
            Reason::Farkas(multipliers) => self.add_up(&lemma.clause, multipliers),
            // s > c and s < c + 1 are s ≥ c + 1 and s ≤ c.
            Reason::Split => self.add_up(&lemma.clause, &[RBig::ONE, RBig::ONE]),
        }
    }

    /// Whether the negations of a clause, multiplied, add up to a contradiction.
    fn add_up(&self, clause: &[Lit], multipliers: &[RBig]) -> Result<(), String> {
        if clause.len() != multipliers.len() {
            return Err(format!("{} multipliers for {} bounds", multipliers.len(), clause.len()));
        }
        let (mut sum, mut strict) = (Linear::default(), false);
        for (lit, multiplier) in clause.iter().zip(multipliers) {
            if *multiplier <= RBig::ZERO {
                return Err(format!("the multiplier {multiplier}"));
            }
            let bound = self.bound(!*lit).ok_or_else(|| format!("{lit:?} stands for no bound"))?;
            sum.add(&bound.sum, multiplier);
            strict |= bound.relation == Relation::Below;
        }
        match sum.as_constant() {
            Some(constant) if *constant > RBig::ZERO || (strict && constant.is_zero()) => Ok(()),
            Some(constant) => Err(format!("bounds add up to {constant}, which is no contradiction")),
            None => Err("bounds do not add up to a constant".to_owned()),
        }
    }
}

/// The greatest common divisor, where that of 0 and n is n.
fn gcd(a: UBig, b: UBig) -> UBig {
    if a.is_zero() {
        b
    } else if b.is_zero() {
        a
    } else {
        a.gcd(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integers x and y, and a rational r.
    const X: Number = Number(0);
    const Y: Number = Number(1);
    const R: Number = Number(2);

    fn atoms() -> Atoms {
        let mut atoms = Atoms::default();
        for (number, kind) in [(X, NumberKind::Int), (Y, NumberKind::Int), (R, NumberKind::Real)] {
            assert!(atoms.insert_number(number, kind));
        }
        atoms
    }

    fn sum(terms: &[(i32, Number)], constant: RBig) -> Linear {
        terms.iter().fold(Linear::constant(constant), |sum, (times, number)| {
            sum.plus(&Linear::number(*number), &RBig::from(*times))
        })
    }

    fn at_most(terms: &[(i32, Number)], constant: i32) -> Bound {
        Bound { sum: sum(terms, RBig::from(constant)), relation: Relation::AtMost }
    }

    fn below(terms: &[(i32, Number)], constant: i32) -> Bound {
        Bound { relation: Relation::Below, ..at_most(terms, constant) }
    }

    fn farkas(clause: Vec<Lit>, multipliers: &[i32]) -> TheoryLemma {
        let multipliers = multipliers.iter().map(|multiplier| RBig::from(*multiplier)).collect();
        TheoryLemma { clause, reason: Reason::Farkas(multipliers) }
    }

    /// Literals of bounds, in order.
    fn literals(atoms: &mut Atoms, bounds: &[Bound]) -> Vec<Lit> {
        let literal = |(at, bound): (usize, &Bound)| {
            let lit = Var(at as u32).positive();
            atoms.insert(lit, bound).expect("a bound");
            lit
        };
        bounds.iter().enumerate().map(literal).collect()
    }

    #[test]
    fn bounds_on_integers_are_divided_and_rounded() {
        let atoms = atoms();
        // 4x - 6y + 5 < 0 is 2x - 3y + 5/2 < 0, and an integer below -5/2 is at most -3.
        assert_eq!(atoms.strengthened(&below(&[(4, X), (-6, Y)], 5)), at_most(&[(2, X), (-3, Y)], 3));
        assert_eq!(atoms.strengthened(&below(&[(2, X)], 4)), at_most(&[(1, X)], 3));
        assert_eq!(atoms.strengthened(&at_most(&[(2, X)], -5)), at_most(&[(1, X)], -2));
        let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
        let fractions = Bound { sum: sum(&[(3, X)], half.clone()).scaled(&half), relation: Relation::AtMost };
        assert_eq!(atoms.strengthened(&fractions), at_most(&[(1, X)], 1));
        let mixed = below(&[(4, X), (2, R)], 5);
        assert_eq!(atoms.strengthened(&mixed), mixed);
        assert_eq!(atoms.canonical(&mixed).sum.coefficient(X), RBig::ONE);
    }

    #[test]
    fn strengthening_keeps_the_integers_that_satisfy_a_bound() {
        let atoms = atoms();
        for (a, b, c, denominator) in (-3..=3).flat_map(|a| {
            (-3..=3).flat_map(move |b| (-7..=7).flat_map(move |c| (1..=3u8).map(move |d| (a, b, c, d))))
        }) {
            for bound in [at_most(&[(a, X), (b, Y)], c), below(&[(a, X), (b, Y)], c)] {
                let scale = RBig::from_parts(IBig::ONE, UBig::from(denominator));
                let bound = Bound { sum: bound.sum.scaled(&scale), ..bound };
                let strong = atoms.strengthened(&bound);
                for (x, y) in (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x, y))) {
                    let holds = |bound: &Bound| {
                        let value = bound.sum.evaluate(|n| RBig::from(if n == X { x } else { y }));
                        value < RBig::ZERO || (value.is_zero() && bound.relation == Relation::AtMost)
                    };
                    assert_eq!(holds(&bound), holds(&strong), "{bound:?} at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn a_contradiction_is_accepted_with_its_multipliers_and_with_no_others() {
        let mut atoms = atoms();
        // x ≤ 2, y ≤ 3 and x + 2y ≥ 9: 9 - x - 2y + (x - 2) + 2 (y - 3) = 1.
        let bounds = [at_most(&[(1, X)], -2), at_most(&[(1, Y)], -3), at_most(&[(-1, X), (-2, Y)], 9)];
        let clause: Vec<Lit> = literals(&mut atoms, &bounds).into_iter().map(|lit| !lit).collect();
        assert_eq!(atoms.check(&farkas(clause.clone(), &[1, 2, 1])), Ok(()));
        for wrong in [[1, 1, 1], [2, 2, 1], [1, 2, -1], [0, 2, 1], [-1, -2, -1]] {
            assert!(atoms.check(&farkas(clause.clone(), &wrong)).is_err(), "{wrong:?}");
        }
        assert!(atoms.check(&farkas(clause.clone(), &[1, 2])).is_err());
        assert!(atoms.check(&farkas(vec![], &[])).is_err());
        for at in 0..3 {
            let mut flipped = clause.clone();
            flipped[at] = !flipped[at];
            assert!(atoms.check(&farkas(flipped, &[1, 2, 1])).is_err(), "{at}");
        }
        assert!(atoms.check(&TheoryLemma { clause, reason: Reason::Split }).is_err());
        assert!(atoms.check(&farkas(vec![Var(9).positive()], &[1])).is_err());
    }

    #[test]
    fn bounds_are_added_and_never_subtracted() {
        let mut atoms = atoms();
        // x ≤ -1 minus x ≤ 0 would be 1 ≤ 0.
        let bounds = [at_most(&[(1, X)], 1), at_most(&[(1, X)], 0)];
        let clause: Vec<Lit> = literals(&mut atoms, &bounds).into_iter().map(|lit| !lit).collect();
        assert!(atoms.check(&farkas(clause, &[1, -1])).is_err());
    }

    #[test]
    fn zero_is_a_contradiction_only_if_a_bound_is_strict() {
        let mut atoms = atoms();
        let bounds = [below(&[(1, R)], -1), at_most(&[(-1, R)], 1), at_most(&[(1, R)], -1)];
        let [less, more, most] = literals(&mut atoms, &bounds)[..] else { panic!("three") };
        assert_eq!(atoms.check(&farkas(vec![!less, !more], &[1, 1])), Ok(()));
        assert!(atoms.check(&farkas(vec![!most, !more], &[1, 1])).is_err());
    }

    #[test]
    fn a_split_leaves_no_integer_out_and_may_leave_out_rationals() {
        let mut atoms = atoms();
        let bounds = [
            at_most(&[(1, X)], -2),
            at_most(&[(-1, X)], 3),
            at_most(&[(-1, X)], 4),
            at_most(&[(1, R)], -2),
            at_most(&[(-1, R)], 3),
        ];
        let lits = literals(&mut atoms, &bounds);
        let split =
            |a: usize, b: usize| TheoryLemma { clause: vec![lits[a], lits[b]], reason: Reason::Split };
        assert_eq!(atoms.check(&split(0, 1)), Ok(()));
        assert!(atoms.check(&split(0, 2)).is_err());
        assert!(atoms.check(&split(3, 4)).is_err());
    }

    #[test]
    fn a_literal_stands_for_a_bound_on_numbers_that_exist() {
        let mut atoms = atoms();
        let lit = Var(0).positive();
        assert!(atoms.insert(lit, &at_most(&[(1, Number(7))], 0)).is_err());
        assert!(atoms.insert(lit, &at_most(&[], 1)).is_err());
        assert!(!atoms.contains(lit.var()));
        assert!(!atoms.insert_number(X, NumberKind::Real));
    }
}
