//! Two solvers with the same clauses: one that knows numbers, and one that is believed.
//!
//! Both count variables alike. Which of them are Boolean, and which stand for bounds, is kept here; that the arithmetic solver uses no variable in two
//! ways is checked. Where it does something that it should not do, that is a fault, and no query is answered any more.

use super::farkas::Atoms;
use dashu_ratio::RBig;
use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver, Var};
use propcov_smt::{ArithSolver, Bound, Number, NumberKind, Relation, TheoryLemma};
use rustc_hash::{FxHashMap, FxHashSet};

/// The two solvers.
pub(super) struct Solvers {
    arithmetic: ArithSolver,
    believed: Cadical,
    /// The first variable that the believed solver does not have.
    unknown: Var,
    atoms: Atoms,
    booleans: FxHashSet<Var>,
    /// Literals of bounds, by their canonical forms.
    literals: FxHashMap<Bound, Lit>,
    /// How many facts have been checked.
    checked: usize,
    fault: Option<String>,
}

impl Solvers {
    /// No clauses yet.
    pub(super) fn new(config: CadicalConfig) -> Solvers {
        let mut arithmetic = ArithSolver::new();
        arithmetic.keep_lemmas();
        Solvers {
            arithmetic,
            believed: Cadical::new(config),
            unknown: Var(0),
            atoms: Atoms::default(),
            booleans: FxHashSet::default(),
            literals: FxHashMap::default(),
            checked: 0,
            fault: None,
        }
    }

    /// What the arithmetic solver did that it should not have done.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    fn is_faulty(&mut self, fault: impl Into<String>) {
        self.fault.get_or_insert(fault.into());
    }

    /// A number of which nothing is known.
    pub(super) fn new_number(&mut self, kind: NumberKind) -> Number {
        let number = self.arithmetic.new_number(kind);
        if !self.atoms.insert_number(number, kind) {
            self.is_faulty("a new number that is not new");
        }
        number
    }

    /// The kind of a number, if it exists.
    pub(super) fn kind(&self, number: Number) -> Option<NumberKind> {
        self.atoms.kind(number)
    }

    /// The value in the model of the last query, which was satisfiable.
    pub(super) fn number_value(&self, number: Number) -> RBig {
        self.arithmetic.number_value(number)
    }

    /// The literal of a bound, which is not on a constant.
    pub(super) fn literal(&mut self, bound: &Bound) -> Lit {
        let canonical = self.atoms.canonical(bound);
        if let Some(lit) = self.literals.get(&canonical) {
            return *lit;
        }
        let lit = match bound.relation {
            Relation::AtMost => self.arithmetic.at_most(&bound.sum),
            Relation::Below => self.arithmetic.below(&bound.sum),
        };
        self.make_known(lit.var());
        match self.arithmetic.bound(lit) {
            // Multipliers will refer to the solver's bound, which may be a multiple of ours.
            Some(own) if self.atoms.canonical(&own) == canonical => self.define(lit, &own),
            other => self.is_faulty(format!("the literal of {bound:?} stands for {other:?}")),
        }
        self.literals.insert(self.atoms.canonical(&bound.negated()), !lit);
        self.literals.insert(canonical, lit);
        lit
    }

    /// Notes what a literal stands for. It must not stand for anything else.
    fn define(&mut self, lit: Lit, bound: &Bound) {
        let outcome = match self.atoms.bound(lit) {
            Some(known) if self.atoms.canonical(known) == self.atoms.canonical(bound) => Ok(()),
            Some(known) => Err(format!("{lit:?} stands for {bound:?} and for {known:?}")),
            None if self.booleans.contains(&lit.var()) => Err(format!("{lit:?} is no bound")),
            None => self.atoms.insert(lit, bound),
        };
        if let Err(fault) = outcome {
            self.is_faulty(fault);
        }
    }

    /// Lets the believed solver have the variable.
    fn make_known(&mut self, var: Var) {
        while self.unknown <= var {
            self.unknown = Var(self.believed.new_var().0 + 1);
        }
    }

    /// Takes over the facts that the arithmetic solver has used.
    fn take_facts(&mut self) {
        while let Some(lemma) = self.arithmetic.lemmas().get(self.checked).cloned() {
            self.take(&lemma);
            self.checked += 1;
        }
    }

    /// Takes over a fact, if it is true.
    fn take(&mut self, lemma: &TheoryLemma) {
        for lit in &lemma.clause {
            self.make_known(lit.var());
            // The solver may cut the integers at bounds of its own: fresh variables, which it defines.
            if !self.atoms.contains(lit.var()) {
                match self.arithmetic.bound(*lit) {
                    Some(bound) => self.define(*lit, &bound),
                    None => self.is_faulty(format!("a fact about {lit:?}, which is no bound")),
                }
            }
        }
        match self.atoms.check(lemma) {
            Ok(()) => self.believed.add_clause(&lemma.clause),
            Err(why) => self.is_faulty(why),
        }
    }
}

impl Solver for Solvers {
    fn new_var(&mut self) -> Var {
        let var = self.arithmetic.new_var();
        if self.atoms.contains(var) || !self.booleans.insert(var) {
            self.is_faulty("a new variable that is not new");
        }
        self.make_known(var);
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.arithmetic.add_clause(clause);
        self.believed.add_clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        if self.fault.is_some() {
            return Outcome::Unknown;
        }
        // Costs little, and often suffices: what is no matter of numbers, or follows from earlier facts.
        match self.believed.solve(assumptions, budget) {
            Outcome::Sat => {}
            other => return other,
        }
        match self.arithmetic.solve(assumptions, budget) {
            Outcome::Unsat => {}
            other => return other,
        }
        self.take_facts();
        if self.fault.is_some() {
            return Outcome::Unknown;
        }
        match self.believed.solve(assumptions, budget) {
            Outcome::Sat => {
                self.is_faulty("what it has found out about numbers does not suffice");
                Outcome::Unknown
            }
            other => other,
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.arithmetic.value(lit)
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.believed.failed(assumption)
    }

    fn ticks(&self) -> u64 {
        self.arithmetic.ticks() + self.believed.ticks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_smt::{Linear, Reason};
    use propcov_testkit::Random;

    const NUMBERS: usize = 4;

    /// Random clauses over bounds on two integers and two rationals.
    fn random_problem(random: &mut Random) -> Solvers {
        let mut solvers = Solvers::new(CadicalConfig::default());
        let kinds = [NumberKind::Int, NumberKind::Int, NumberKind::Real, NumberKind::Real];
        let numbers: [Number; NUMBERS] = kinds.map(|kind| solvers.new_number(kind));
        // Splits of unbounded integers need not come to an end.
        for (number, sign) in [(0, 1), (0, -1), (1, 1), (1, -1)] {
            let sum =
                Linear::constant(RBig::from(-9)).plus(&Linear::number(numbers[number]), &RBig::from(sign));
            let bound = solvers.literal(&Bound { sum, relation: Relation::AtMost });
            solvers.add_clause(&[bound]);
        }
        let literals: Vec<Lit> = (0..16).map(|_| random_literal(&mut solvers, &numbers, random)).collect();
        for _ in 0..24 {
            let clause: Vec<Lit> = (0..random.between(2, 3))
                .map(|_| random.pick(&literals).negated_if(random.percent(50)))
                .collect();
            solvers.add_clause(&clause);
        }
        solvers
    }

    fn random_literal(solvers: &mut Solvers, numbers: &[Number], random: &mut Random) -> Lit {
        let small = |random: &mut Random| RBig::from(random.between(0, 8) as i32 - 4);
        let mut sum = Linear::constant(small(random));
        while sum.as_constant().is_some() {
            for _ in 0..3 {
                sum.add(&Linear::number(*random.pick(numbers)), &small(random));
            }
        }
        let relation = if random.percent(50) { Relation::AtMost } else { Relation::Below };
        solvers.literal(&Bound { sum, relation })
    }

    fn holds(bound: &Bound, values: &[RBig; NUMBERS]) -> bool {
        let value = bound.sum.evaluate(|number| values[number.0 as usize].clone());
        value < RBig::ZERO || (value.is_zero() && bound.relation == Relation::AtMost)
    }

    /// Whether a clause of bounds is true wherever numbers of a small grid are.
    fn is_true_on_a_grid(solvers: &Solvers, clause: &[Lit]) -> bool {
        let bounds: Vec<&Bound> = clause.iter().filter_map(|lit| solvers.atoms.bound(*lit)).collect();
        // Five values each: integers from -2 to 2, and rationals from -1 to 1.
        let value = |point: u32, number: u32| RBig::from((point / 5u32.pow(number) % 5) as i32 - 2);
        let half = |value: RBig| value / RBig::from(2);
        (0..5u32.pow(NUMBERS as u32)).all(|point| {
            let values = [value(point, 0), value(point, 1), half(value(point, 2)), half(value(point, 3))];
            bounds.iter().any(|bound| holds(bound, &values))
        })
    }

    fn sabotaged(lemma: &TheoryLemma, random: &mut Random) -> TheoryLemma {
        let mut wrong = lemma.clone();
        let at = random.below(wrong.clause.len());
        match (&mut wrong.reason, random.below(3)) {
            (Reason::Farkas(multipliers), 0) => multipliers[at] += RBig::ONE,
            (Reason::Farkas(multipliers), 1) => {
                multipliers.remove(at);
                wrong.clause.remove(at);
            }
            _ => wrong.clause[at] = !wrong.clause[at],
        }
        wrong
    }

    #[test]
    fn only_true_facts_are_taken_over_whatever_the_solver_says() {
        let (mut facts, mut refused) = (0, 0);
        for seed in 0..300 {
            let random = &mut Random::new(seed);
            let mut solvers = random_problem(random);
            let outcome = solvers.solve(&[], &Budget::default());
            assert!(outcome != Outcome::Unknown, "seed {seed}: {:?}", solvers.fault());
            solvers.take_facts();
            assert_eq!(solvers.fault(), None, "seed {seed}");
            for lemma in solvers.arithmetic.lemmas().to_vec() {
                facts += 1;
                assert!(is_true_on_a_grid(&solvers, &lemma.clause), "seed {seed}: {lemma:?}");
                let wrong = sabotaged(&lemma, random);
                match solvers.atoms.check(&wrong) {
                    Ok(()) => assert!(is_true_on_a_grid(&solvers, &wrong.clause), "seed {seed}: {wrong:?}"),
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(facts > 500 && refused > facts / 2, "{refused} of {facts} refused: a lopsided test");
    }

    /// x ≤ 0 and x ≥ 1.
    fn contradiction() -> Solvers {
        let mut solvers = Solvers::new(CadicalConfig::default());
        let x = Linear::number(solvers.new_number(NumberKind::Real));
        let low = solvers.literal(&Bound { sum: x.clone(), relation: Relation::AtMost });
        let one_less = Linear::constant(RBig::ONE).plus(&x, &RBig::from(-1));
        let high = solvers.literal(&Bound { sum: one_less, relation: Relation::AtMost });
        solvers.add_clause(&[low]);
        solvers.add_clause(&[high]);
        solvers
    }

    #[test]
    fn a_contradiction_is_believed_only_with_facts_that_suffice() {
        assert_eq!(contradiction().solve(&[], &Budget::default()), Outcome::Unsat);
        let mut silent = contradiction();
        assert_eq!(silent.arithmetic.solve(&[], &Budget::default()), Outcome::Unsat);
        silent.checked = silent.arithmetic.lemmas().len();
        assert_eq!(silent.solve(&[], &Budget::default()), Outcome::Unknown);
        assert!(silent.fault().is_some_and(|fault| fault.contains("does not suffice")));
    }

    #[test]
    fn a_fact_that_is_none_ends_all_belief() {
        let mut solvers = contradiction();
        let free = solvers.new_var().positive();
        let lemma = TheoryLemma { clause: vec![free], reason: Reason::Farkas(vec![RBig::ONE]) };
        solvers.take(&lemma);
        assert!(solvers.fault().is_some_and(|fault| fault.contains("no bound")), "{:?}", solvers.fault());
        assert_eq!(solvers.solve(&[], &Budget::default()), Outcome::Unknown);
    }

    #[test]
    fn a_fact_that_does_not_add_up_ends_all_belief() {
        let mut solvers = contradiction();
        let x = Linear::number(Number(0));
        let low = solvers.literal(&Bound { sum: x, relation: Relation::AtMost });
        solvers.take(&TheoryLemma { clause: vec![!low], reason: Reason::Farkas(vec![RBig::ONE]) });
        assert!(solvers.fault().is_some());
        assert_eq!(solvers.solve(&[], &Budget::default()), Outcome::Unknown);
    }

    #[test]
    fn a_literal_stands_for_one_bound_and_a_boolean_for_none() {
        let mut solvers = contradiction();
        let x = Linear::number(Number(0));
        let low = solvers.literal(&Bound { sum: x.clone(), relation: Relation::AtMost });
        let twice = Bound { sum: x.scaled(&RBig::from(2)), relation: Relation::AtMost };
        assert_eq!(solvers.literal(&twice), low);
        assert_eq!(solvers.literal(&twice.negated()), !low);
        solvers.define(low, &twice);
        assert_eq!(solvers.fault(), None);
        solvers.define(!low, &twice);
        assert!(solvers.fault().is_some());
        let mut solvers = contradiction();
        let free = solvers.new_var().positive();
        solvers.define(free, &twice);
        assert!(solvers.fault().is_some());
    }
}
