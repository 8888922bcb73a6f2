//! Refutations are checked by resolving literal sets, and by what they are for: interpolants.

use std::collections::BTreeSet;

use crate::common::{Random, holds, satisfiable, satisfies};
use propcov_budget::Budget;
use propcov_sat::{
    Cadical, CadicalConfig, Derivation, Label, Lit, Outcome, ProofError, Refutation, Solver, Var,
};

const A: Label = Label(1);
const B: Label = Label(2);

/// Resolves every chain and compares with what the steps claim; inputs must be clauses with their labels.
fn check(refutation: &Refutation, inputs: &[(Vec<Lit>, Label)], assumptions: &[Lit], context: &str) {
    let inputs: BTreeSet<(BTreeSet<Lit>, Label)> =
        inputs.iter().map(|(clause, label)| (clause.iter().copied().collect(), *label)).collect();
    for (index, step) in refutation.steps.iter().enumerate() {
        let claimed: BTreeSet<Lit> = step.literals.iter().copied().collect();
        assert_eq!(claimed.len(), step.literals.len(), "{context}: repeated literal in step {index}");
        match &step.derivation {
            Derivation::Input(label) => {
                assert!(inputs.contains(&(claimed, *label)), "{context}: step {index} is no input");
            }
            Derivation::Chain { first, resolutions } => {
                assert!((*first as usize) < index, "{context}: step {index} looks ahead");
                let mut clause: BTreeSet<Lit> =
                    refutation.steps[*first as usize].literals.iter().copied().collect();
                for &(pivot, side) in resolutions {
                    assert!((side as usize) < index, "{context}: step {index} looks ahead");
                    let mut side: BTreeSet<Lit> =
                        refutation.steps[side as usize].literals.iter().copied().collect();
                    assert!(clause.remove(&!pivot) && side.remove(&pivot), "{context}: bad pivot in {index}");
                    clause.append(&mut side);
                }
                assert!(clause.iter().all(|lit| !clause.contains(&!*lit)), "{context}: tautology in {index}");
                assert_eq!(clause, claimed, "{context}: step {index}");
            }
        }
    }
    let conclusion = refutation.conclusion();
    assert!(conclusion.iter().all(|lit| assumptions.contains(&!*lit)), "{context}: not a core");
}

/// A formula of constants, literals, conjunctions and disjunctions.
#[derive(Clone, Debug)]
enum Formula {
    Constant(bool),
    Literal(Lit),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

impl Formula {
    fn holds(&self, assignment: u32) -> bool {
        match self {
            Formula::Constant(value) => *value,
            Formula::Literal(lit) => holds(assignment, *lit),
            Formula::And(left, right) => left.holds(assignment) && right.holds(assignment),
            Formula::Or(left, right) => left.holds(assignment) || right.holds(assignment),
        }
    }

    fn variables(&self, into: &mut BTreeSet<Var>) {
        match self {
            Formula::Constant(_) => {}
            Formula::Literal(lit) => {
                into.insert(lit.var());
            }
            Formula::And(left, right) | Formula::Or(left, right) => {
                left.variables(into);
                right.variables(into);
            }
        }
    }
}

fn variables_of(inputs: &[(Vec<Lit>, Label)], label: Label) -> BTreeSet<Var> {
    inputs
        .iter()
        .filter(|input| input.1 == label)
        .flat_map(|(clause, _)| clause.iter().map(|lit| lit.var()))
        .collect()
}

/// McMillan's interpolant (CAV 2003) of a refutation of `A` and `B`.
fn interpolant(refutation: &Refutation, b_variables: &BTreeSet<Var>) -> Formula {
    let leaf = |literals: &[Lit], label: Label| {
        if label == B {
            return Formula::Constant(true);
        }
        literals
            .iter()
            .filter(|lit| b_variables.contains(&lit.var()))
            .fold(Formula::Constant(false), |formula, &lit| {
                Formula::Or(Box::new(formula), Box::new(Formula::Literal(lit)))
            })
    };
    let resolve = |pivot: Var, left: Formula, right: Formula| {
        if b_variables.contains(&pivot) {
            Formula::And(Box::new(left), Box::new(right))
        } else {
            Formula::Or(Box::new(left), Box::new(right))
        }
    };
    refutation.fold(leaf, resolve).expect("a refutation has steps")
}

fn check_interpolant(formula: &Formula, variables: u32, inputs: &[(Vec<Lit>, Label)], context: &str) {
    let part = |wanted: Label| -> Vec<Vec<Lit>> {
        inputs.iter().filter(|input| input.1 == wanted).map(|(clause, _)| clause.clone()).collect()
    };
    let (a, b) = (part(A), part(B));
    for assignment in 0..1 << variables {
        let holds = formula.holds(assignment);
        assert!(!satisfies(assignment, &a) || holds, "{context}: A does not imply I");
        assert!(!satisfies(assignment, &b) || !holds, "{context}: I and B are consistent");
    }
    let mut used = BTreeSet::new();
    formula.variables(&mut used);
    let (a_variables, b_variables) = (variables_of(inputs, A), variables_of(inputs, B));
    assert!(
        used.iter().all(|var| a_variables.contains(var) && b_variables.contains(var)),
        "{context}: vocabulary"
    );
}

fn solver(variables: u32, seed: u64) -> Cadical {
    let mut solver = Cadical::with_tracing(CadicalConfig { inprocessing: seed.is_multiple_of(2), seed });
    for _ in 0..variables {
        solver.new_var();
    }
    solver
}

#[test]
fn refutations_of_random_formulas_resolve_to_the_empty_clause_and_interpolate() {
    let mut refuted = 0;
    for seed in 0..3_000 {
        let mut random = Random(seed);
        let variables = 4 + random.below(7);
        let count = 5 * variables;
        let mut solver = solver(variables, seed);
        let mut inputs = Vec::new();
        for (index, clause) in random.clauses(variables, count).into_iter().enumerate() {
            let label = if index < count as usize / 2 { A } else { B };
            solver.add_clause_labelled(&clause, label);
            inputs.push((clause, label));
        }
        let context = format!("seed {seed}");
        if solver.solve(&[], &Budget::default()) == Outcome::Sat {
            assert_eq!(solver.refutation().unwrap_err(), ProofError::NotUnsat, "{context}");
            continue;
        }
        let refutation = solver.refutation().unwrap();
        check(&refutation, &inputs, &[], &context);
        assert!(refutation.conclusion().is_empty(), "{context}");
        let formula = interpolant(&refutation, &variables_of(&inputs, B));
        check_interpolant(&formula, variables, &inputs, &context);
        refuted += 1;
    }
    assert!(refuted > 1_000, "only {refuted} refutations: the test has lost its bite");
}

#[test]
fn incremental_refutations_under_assumptions_resolve_to_their_core_and_interpolate() {
    let (mut refuted, mut with_core) = (0, 0);
    for seed in 0..2_000 {
        let mut random = Random(1_000_000 + seed);
        let variables = 4 + random.below(6);
        let mut solver = solver(variables, seed);
        let mut inputs = Vec::new();
        for round in 0..6 {
            for clause in random.clauses(variables, variables) {
                let label = if random.chance(50) { A } else { B };
                solver.add_clause_labelled(&clause, label);
                inputs.push((clause, label));
            }
            let assumptions: Vec<Lit> = (0..random.below(4)).map(|_| random.lit(variables)).collect();
            let context = format!("seed {seed}, round {round}, assumptions {assumptions:?}");
            if solver.solve(&assumptions, &Budget::default()) == Outcome::Sat {
                continue;
            }
            if random.chance(50) {
                // Asking for the core first must not disturb the proof.
                assumptions.iter().for_each(|&lit| _ = solver.failed(lit));
            }
            let refutation = match solver.refutation() {
                Err(ProofError::ContradictoryAssumptions) => {
                    assert!(assumptions.iter().any(|lit| assumptions.contains(&!*lit)), "{context}");
                    continue;
                }
                refutation => refutation.unwrap(),
            };
            check(&refutation, &inputs, &assumptions, &context);
            let core: Vec<Lit> = refutation.conclusion().iter().map(|&lit| !lit).collect();
            let plain: Vec<Vec<Lit>> = inputs.iter().map(|(clause, _)| clause.clone()).collect();
            assert!(!satisfiable(variables, &plain, &core), "{context}: core {core:?}");
            // Assumptions on even variables belong to A.
            let label = |lit: Lit| if lit.var().0.is_multiple_of(2) { A } else { B };
            let mut extended = inputs.clone();
            extended.extend(assumptions.iter().map(|&lit| (vec![lit], label(lit))));
            let closed = refutation.clone().discharge(label);
            check(&closed, &extended, &[], &context);
            let formula = interpolant(&closed, &variables_of(&extended, B));
            check_interpolant(&formula, variables, &extended, &context);
            refuted += 1;
            with_core += u32::from(!core.is_empty());
        }
    }
    assert!(refuted > 3_000 && with_core > 800, "{refuted} refutations, {with_core} with a core");
}

/// Adds clauses that say `output = left xor right`.
fn add_xor(inputs: &mut Vec<(Vec<Lit>, Label)>, output: Lit, left: Lit, right: Lit) {
    for (negate_left, negate_right) in [(false, false), (false, true), (true, false), (true, true)] {
        let clause = vec![
            output.negated_if(negate_left == negate_right),
            left.negated_if(negate_left),
            right.negated_if(negate_right),
        ];
        inputs.push((clause, A));
    }
}

/// The parity of the first `width` variables, as a chain of gates in the given order.
fn add_parity(inputs: &mut Vec<(Vec<Lit>, Label)>, order: &[u32], fresh: &mut u32) -> Lit {
    let mut parity = Var(order[0]).positive();
    for &input in &order[1..] {
        let output = Var(*fresh).positive();
        *fresh += 1;
        add_xor(inputs, output, parity, Var(input).positive());
        parity = output;
    }
    parity
}

/// Large enough for the kinds of inprocessing to take part in the proof: random formulas, and two circuits for the same
/// function.
#[test]
fn refutations_of_hard_formulas_with_inprocessing_resolve() {
    for seed in 0..8 {
        let mut random = Random(2_000_000 + seed);
        let mut inputs = Vec::new();
        if seed.is_multiple_of(2) {
            let variables = 200;
            inputs.extend((0..9 * variables / 2).map(|index| {
                (vec![random.lit(variables), random.lit(variables), random.lit(variables)], Label(index))
            }));
        } else {
            let width = 8 + seed as u32;
            let mut order: Vec<u32> = (0..width).collect();
            let mut fresh = width;
            let one = add_parity(&mut inputs, &order, &mut fresh);
            for index in (1..width).rev() {
                order.swap(index as usize, random.below(index + 1) as usize);
            }
            let other = add_parity(&mut inputs, &order, &mut fresh);
            inputs.push((vec![one, other], B));
            inputs.push((vec![!one, !other], B));
        }
        let mut solver = Cadical::with_tracing(CadicalConfig { inprocessing: true, seed });
        for (clause, label) in &inputs {
            solver.add_clause_labelled(clause, *label);
        }
        // A query that fails for its assumptions first, so that the proof spans two queries.
        let assumptions: Vec<Lit> = (0..5).map(|index| Var(index).positive()).collect();
        for assumptions in [&assumptions[..], &[]] {
            assert_eq!(solver.solve(assumptions, &Budget::default()), Outcome::Unsat, "seed {seed}");
            check(&solver.refutation().unwrap(), &inputs, assumptions, &format!("seed {seed}"));
        }
        assert!(seed % 2 == 1 || solver.conflicts() > 3_000, "seed {seed}: {} conflicts", solver.conflicts());
    }
}

#[test]
fn refutations_are_refused_without_tracing_and_after_new_clauses() {
    let mut plain = Cadical::new(CadicalConfig::default());
    let var = plain.new_var();
    plain.add_clause(&[var.positive()]);
    plain.add_clause(&[!var.positive()]);
    assert_eq!(plain.solve(&[], &Budget::default()), Outcome::Unsat);
    assert_eq!(plain.refutation().unwrap_err(), ProofError::NotTraced);

    let mut traced = solver(2, 0);
    let (one, two) = (Var(0).positive(), Var(1).positive());
    traced.add_clause(&[!one, two]);
    assert_eq!(traced.solve(&[one, !two], &Budget::default()), Outcome::Unsat);
    assert_eq!(traced.refutation().unwrap().conclusion().len(), 2);
    traced.add_clause(&[one, two]);
    assert_eq!(traced.refutation().unwrap_err(), ProofError::NotUnsat);
}

#[test]
fn an_empty_input_clause_is_its_own_refutation() {
    let mut traced = solver(1, 0);
    traced.add_clause_labelled(&[], A);
    assert_eq!(traced.solve(&[Var(0).positive()], &Budget::default()), Outcome::Unsat);
    let refutation = traced.refutation().unwrap();
    check(&refutation, &[(Vec::new(), A)], &[], "empty clause");
    assert_eq!(refutation.fold(|_, label| label, |_, left, _| left), Some(A));
}
