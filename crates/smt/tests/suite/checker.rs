//! A problem as the solver was told it, and checks of its answers that share no code with it.

use dashu_int::IBig;
use dashu_int::ops::Gcd;
use dashu_ratio::RBig;
use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver, Var};
use propcov_smt::{ArithSolver, Bound, Linear, Number, NumberKind, Reason, Relation, TheoryLemma};

/// Clauses, and what their literals mean.
#[derive(Default)]
pub(crate) struct Problem {
    pub(crate) solver: ArithSolver,
    pub(crate) numbers: Vec<Number>,
    pub(crate) literals: Vec<Lit>,
    pub(crate) clauses: Vec<Vec<Lit>>,
    pub(crate) atoms: Vec<(Lit, Linear, bool)>,
}

impl Problem {
    pub(crate) fn atom(&mut self, sum: &Linear, is_strict: bool) -> Lit {
        let literal = if is_strict { self.solver.below(sum) } else { self.solver.at_most(sum) };
        self.atoms.push((literal, sum.clone(), is_strict));
        literal
    }

    pub(crate) fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
        self.solver.add_clause(clause);
    }

    /// Whether the Booleans can be chosen such that these numbers satisfy all clauses and assumptions.
    pub(crate) fn can_hold(&self, numbers: &[RBig], assumptions: &[Lit]) -> bool {
        let mut values: Vec<Option<bool>> = vec![None; 1000];
        values[0] = Some(true);
        for (literal, sum, is_strict) in &self.atoms {
            let holds = holds(sum, *is_strict, |number| numbers[number.0 as usize].clone());
            values[literal.var().index()] = Some(holds != literal.is_negated());
        }
        let booleans: Vec<Var> =
            self.literals.iter().map(|lit| lit.var()).filter(|var| values[var.index()].is_none()).collect();
        (0..1_u32 << booleans.len()).any(|code| {
            for (position, var) in booleans.iter().enumerate() {
                values[var.index()] = Some(code >> position & 1 != 0);
            }
            let is_true = |lit: &Lit| values[lit.var().index()] == Some(!lit.is_negated());
            assumptions.iter().all(is_true) && self.clauses.iter().all(|clause| clause.iter().any(is_true))
        })
    }
}

fn holds(sum: &Linear, is_strict: bool, value: impl FnMut(Number) -> RBig) -> bool {
    let value = sum.evaluate(value);
    if is_strict { value < RBig::ZERO } else { value <= RBig::ZERO }
}

pub(crate) fn check_model(problem: &Problem, assumptions: &[Lit]) {
    let solver = &problem.solver;
    for number in &problem.numbers {
        assert!(solver.kind(*number) == NumberKind::Real || solver.number_value(*number).is_int());
    }
    for (literal, sum, is_strict) in &problem.atoms {
        let expected = holds(sum, *is_strict, |number| solver.number_value(number));
        assert_eq!(solver.value(*literal), Some(expected));
        assert_eq!(solver.value(!*literal), Some(!expected));
        if let Some(bound) = solver.bound(*literal) {
            let is_below = bound.relation == Relation::Below;
            assert_eq!(holds(&bound.sum, is_below, |number| solver.number_value(number)), expected);
        }
    }
    for clause in &problem.clauses {
        assert!(clause.iter().any(|lit| solver.holds(*lit)), "{clause:?}");
    }
    for assumption in assumptions {
        assert_eq!(solver.value(*assumption), Some(true));
    }
}

pub(crate) fn check_refutation(problem: &Problem, assumptions: &[Lit]) {
    for lemma in problem.solver.lemmas() {
        check_lemma(&problem.solver, lemma);
    }
    let mut cadical = Cadical::new(CadicalConfig::default());
    let highest = problem.clauses.iter().flatten().chain(assumptions).map(|lit| lit.var().0);
    let lemmas = problem.solver.lemmas().iter().map(|lemma| &lemma.clause);
    let highest = highest.chain(lemmas.clone().flatten().map(|lit| lit.var().0)).max().unwrap_or(0);
    while cadical.new_var().0 < highest {}
    cadical.add_clause(&[Var(0).positive()]);
    for clause in problem.clauses.iter().chain(lemmas) {
        cadical.add_clause(clause);
    }
    let failed: Vec<Lit> = assumptions.iter().copied().filter(|lit| problem.solver.failed(*lit)).collect();
    assert_eq!(cadical.solve(&failed, &Budget::default()), Outcome::Unsat);
}

fn check_lemma(solver: &ArithSolver, lemma: &TheoryLemma) {
    let bound = |lit: Lit| normalised(solver, solver.bound(lit).expect("the literal of a bound"));
    match &lemma.reason {
        Reason::Farkas(multipliers) => {
            assert_eq!(multipliers.len(), lemma.clause.len());
            let mut sum = Linear::default();
            let mut is_strict = false;
            for (lit, multiplier) in lemma.clause.iter().zip(multipliers) {
                assert!(*multiplier > RBig::ZERO);
                let bound = bound(!*lit);
                sum.add(&bound.sum, multiplier);
                is_strict |= bound.relation == Relation::Below;
            }
            let value = sum.as_constant().expect("the variables cancel out");
            assert!(*value > RBig::ZERO || is_strict && value.is_zero(), "{lemma:?}");
        }
        Reason::Split => {
            let [at_most, at_least] = lemma.clause[..] else { panic!("{lemma:?}") };
            let sum = bound(at_most).sum.plus(&bound(at_least).sum, &RBig::ONE);
            assert_eq!(sum.as_constant(), Some(&RBig::ONE));
        }
    }
}

/// Where all variables are integers: coprime integer coefficients, and a rounded constant.
fn normalised(solver: &ArithSolver, bound: Bound) -> Bound {
    if bound.sum.terms().any(|(number, _)| solver.kind(number) == NumberKind::Real) {
        return bound;
    }
    let mut denominators = IBig::ONE;
    for (_, coefficient) in bound.sum.terms() {
        let denominator = IBig::from(coefficient.denominator().clone());
        let common = IBig::from((&denominators).gcd(&denominator));
        denominators = denominators * denominator / common;
    }
    let sum = bound.sum.scaled(&RBig::from(denominators));
    let divisor = sum.terms().fold(IBig::ZERO, |divisor, (_, coefficient)| {
        if divisor == IBig::ZERO {
            coefficient.numerator().clone()
        } else {
            divisor.gcd(coefficient.numerator()).into()
        }
    });
    let sum = sum.scaled(&(RBig::ONE / RBig::from(divisor.clone() * divisor.signum())));
    let constant = sum.offset().clone();
    let rounded = match bound.relation {
        Relation::AtMost => RBig::from(constant.ceil()),
        Relation::Below => RBig::from(constant.floor()) + RBig::ONE,
    };
    Bound { sum: sum.plus(&Linear::constant(rounded - constant), &RBig::ONE), relation: Relation::AtMost }
}
