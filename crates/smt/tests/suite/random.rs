//! Random clauses over Booleans and bounds: models are checked in exact arithmetic, refutations by adding up the lemmas' inequalities and giving
//! the rest to a SAT solver, and for integers of small range both against all assignments.

use crate::checker::{Problem, check_model, check_refutation};
use dashu_ratio::RBig;
use fastrand::Rng;
use propcov_budget::Budget;
use propcov_sat::{Lit, Outcome, Solver};
use propcov_smt::{ArithSolver, Linear, Number, NumberKind};

/// How to make up problems.
#[derive(Clone, Copy, Debug)]
struct Shape {
    numbers: usize,
    booleans: usize,
    atoms: usize,
    /// Chance that a number is real.
    reals: f64,
    /// Coefficients and constants up to this.
    size: i64,
    /// Every number is between minus this and this.
    range: Option<i64>,
}

fn cases() -> u64 {
    std::env::var("PROPCOV_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1500)
}

fn linear(random: &mut Rng, numbers: &[Number], size: i64) -> Linear {
    let mut sum = Linear::constant(RBig::from(random.i64(-size..=size)));
    for number in numbers {
        let coefficient = match random.u8(0..4) {
            0 => RBig::from(random.i64(-size..=size)),
            1 => RBig::from(random.i64(-1..=1)),
            2 if random.u8(0..4) == 0 => {
                RBig::from_parts(random.i64(-size..=size).into(), random.u8(1..9).into())
            }
            _ => RBig::ZERO,
        };
        sum.add(&Linear::number(*number), &coefficient);
    }
    sum
}

fn problem(random: &mut Rng, shape: Shape) -> Problem {
    let mut problem = Problem::default();
    problem.solver.keep_lemmas();
    for _ in 0..shape.numbers {
        let kind = if random.f64() < shape.reals { NumberKind::Real } else { NumberKind::Int };
        problem.numbers.push(problem.solver.new_number(kind));
    }
    for _ in 0..shape.booleans {
        problem.literals.push(problem.solver.new_var().positive());
    }
    for _ in 0..shape.atoms {
        let sum = linear(random, &problem.numbers.clone(), shape.size);
        let literal = problem.atom(&sum, random.bool());
        problem.literals.push(literal);
    }
    if let Some(range) = shape.range {
        for number in problem.numbers.clone() {
            let above = Linear::number(number).plus(&Linear::constant(RBig::from(range)), &RBig::from(-1));
            let below = Linear::constant(RBig::from(-range)).plus(&Linear::number(number), &RBig::from(-1));
            for sum in [above, below] {
                let literal = problem.atom(&sum, false);
                problem.add_clause(&[literal]);
            }
        }
    }
    problem
}

fn random_literals(random: &mut Rng, problem: &Problem, most: usize) -> Vec<Lit> {
    let count = random.usize(1..=most);
    (0..count)
        .map(|_| problem.literals[random.usize(..problem.literals.len())].negated_if(random.bool()))
        .collect()
}

/// Several queries with clauses added in between. Returns how many answers were of either kind.
fn run(seed: u64, shape: Shape, compare: impl Fn(&Problem, &[Lit], Outcome)) -> (u32, u32) {
    let mut random = Rng::with_seed(seed);
    let mut problem = problem(&mut random, shape);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for _ in 0..random.u8(1..8) {
        for _ in 0..random.u8(0..8) {
            let clause = random_literals(&mut random, &problem, 4);
            problem.add_clause(&clause);
        }
        if random.u8(0..4) == 0 {
            let sum = linear(&mut random, &problem.numbers.clone(), shape.size);
            let literal = problem.atom(&sum, random.bool());
            problem.literals.push(literal);
        }
        let assumptions = match random.bool() {
            true => random_literals(&mut random, &problem, 6),
            false => Vec::new(),
        };
        let budget = Budget { conflicts: Some(20_000), ..Budget::default() };
        let outcome = problem.solver.solve(&assumptions, &budget);
        match outcome {
            Outcome::Sat => {
                satisfiable += 1;
                check_model(&problem, &assumptions);
            }
            Outcome::Unsat => {
                unsatisfiable += 1;
                check_refutation(&problem, &assumptions);
            }
            Outcome::Unknown => {}
        }
        compare(&problem, &assumptions, outcome);
    }
    (satisfiable, unsatisfiable)
}

fn run_all(
    seeds: std::ops::Range<u64>,
    shape: impl Fn(&mut Rng) -> Shape,
    compare: impl Fn(&Problem, &[Lit], Outcome),
) {
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for seed in seeds {
        let shape = shape(&mut Rng::with_seed(seed ^ 0xabcd));
        let (sat, unsat) = run(seed, shape, &compare);
        satisfiable += sat;
        unsatisfiable += unsat;
    }
    assert!(satisfiable > 100 && unsatisfiable > 100, "{satisfiable} against {unsatisfiable}");
}

/// Whether some assignment of the numbers within the range, and of the Booleans, satisfies all.
fn brute_force(problem: &Problem, assumptions: &[Lit], range: i64) -> bool {
    let count = problem.numbers.len() as u32;
    let width = 2 * range + 1;
    (0..width.pow(count)).any(|mut code| {
        let values: Vec<RBig> = (0..count)
            .map(|_| {
                let value = code % width - range;
                code /= width;
                RBig::from(value)
            })
            .collect();
        problem.can_hold(&values, assumptions)
    })
}

#[test]
fn small_integers_agree_with_all_assignments() {
    let shape = |random: &mut Rng| Shape {
        numbers: random.usize(1..=3),
        booleans: random.usize(0..=3),
        atoms: random.usize(1..=8),
        reals: 0.0,
        size: random.i64(1..=6),
        range: Some(3),
    };
    run_all(0..cases(), shape, |problem, assumptions, outcome| {
        let expected = if brute_force(problem, assumptions, 3) { Outcome::Sat } else { Outcome::Unsat };
        assert_eq!(outcome, expected);
    });
}

#[test]
fn reals_and_mixed_problems_are_answered_with_evidence() {
    let shape = |random: &mut Rng| Shape {
        numbers: random.usize(1..=5),
        booleans: random.usize(0..=4),
        atoms: random.usize(1..=12),
        reals: if random.bool() { 1.0 } else { 0.5 },
        size: random.i64(1..=9),
        range: random.bool().then_some(10),
    };
    run_all(10_000..10_000 + cases(), shape, |problem, _, outcome| {
        let is_real = problem.numbers.iter().all(|number| problem.solver.kind(*number) == NumberKind::Real);
        assert!(outcome != Outcome::Unknown || !is_real);
    });
}

#[test]
fn huge_coefficients_do_not_overflow() {
    let shape = |random: &mut Rng| Shape {
        numbers: random.usize(2..=5),
        booleans: random.usize(0..=3),
        atoms: random.usize(3..=12),
        reals: 1.0,
        size: [1 << 20, 1 << 40, i64::MAX][random.usize(..3)],
        range: None,
    };
    run_all(20_000..20_000 + cases() / 3, shape, |_, _, outcome| assert_ne!(outcome, Outcome::Unknown));
}

#[test]
fn a_query_that_runs_out_of_budget_leaves_the_solver_usable() {
    let mut random = Rng::with_seed(5);
    let shape = Shape { numbers: 4, booleans: 6, atoms: 20, reals: 0.3, size: 5, range: Some(20) };
    for _ in 0..100 {
        let mut problem = problem(&mut random, shape);
        for _ in 0..40 {
            let clause = random_literals(&mut random, &problem, 3);
            problem.add_clause(&clause);
        }
        for limit in 1.. {
            let budget = Budget { conflicts: Some(limit), ..Budget::default() };
            match problem.solver.solve(&[], &budget) {
                Outcome::Unknown => continue,
                Outcome::Sat => check_model(&problem, &[]),
                Outcome::Unsat => check_refutation(&problem, &[]),
            }
            break;
        }
    }
}

#[test]
fn unbounded_integers_without_common_solution_are_refuted() {
    // x = 2a, x + 1 = 2b; and x + y + z = 6a + 1 = 10b + 2 = 15c + 3, where 2 and 3 differ modulo 5 only.
    for equations in [vec![(1, 2, 0), (1, 2, 1)], vec![(3, 6, 1), (3, 10, 2), (3, 15, 3)]] {
        let mut problem = Problem::default();
        problem.solver.keep_lemmas();
        let numbers: Vec<Number> = (0..6).map(|_| problem.solver.new_number(NumberKind::Int)).collect();
        for (position, (summands, modulus, rest)) in equations.into_iter().enumerate() {
            let mut sum = Linear::constant(RBig::from(-rest));
            for number in &numbers[..summands] {
                sum.add(&Linear::number(*number), &RBig::ONE);
            }
            sum.add(&Linear::number(numbers[3 + position]), &RBig::from(-modulus));
            for sum in [sum.clone(), sum.scaled(&RBig::from(-1))] {
                let literal = problem.atom(&sum, false);
                problem.add_clause(&[literal]);
            }
        }
        let budget = Budget { conflicts: Some(1000), ..Budget::default() };
        assert_eq!(problem.solver.solve(&[], &budget), Outcome::Unsat);
        check_refutation(&problem, &[]);
    }
}

#[test]
fn equal_and_opposite_constraints_share_a_literal() {
    let mut solver = ArithSolver::new();
    let x = Linear::number(solver.new_number(NumberKind::Int));
    let y = Linear::number(solver.new_number(NumberKind::Int));
    let z = Linear::number(solver.new_number(NumberKind::Real));
    let number = |value: i64| Linear::constant(RBig::from(value));
    let times = |value: i64| RBig::from(value);
    // 2x - 4y ≤ 3, x - 2y < 2 and not (2y - x ≤ -2) are all x - 2y ≤ 1.
    let a = solver.at_most(&x.scaled(&times(2)).plus(&y, &times(-4)).plus(&number(-3), &times(1)));
    let b = solver.below(&x.plus(&y, &times(-2)).plus(&number(-2), &times(1)));
    let c = !solver.at_most(&y.scaled(&times(2)).plus(&x, &times(-1)).plus(&number(2), &times(1)));
    assert_eq!((a, b), (b, c));
    // z < 3 is the opposite of 3 - z ≤ 0.
    let d = solver.below(&z.plus(&number(-3), &times(1)));
    let e = solver.at_most(&number(3).plus(&z, &times(-1)));
    assert_eq!(d, !e);
    assert_eq!(solver.at_most(&number(0)), solver.truth());
    assert_eq!(solver.below(&number(0)), !solver.truth());
    assert_eq!(solver.bound(solver.truth()), None);
}

#[test]
fn remainders_of_an_unbounded_integer_are_told_apart() {
    // 3x, 4x and 2x modulo 5 never rise from less than that up to 3. A certificate for 3x mod 5 three times in a row once took for ever.
    let mut problem = Problem::default();
    problem.solver.keep_lemmas();
    let number = |value: i64| Linear::constant(RBig::from(value));
    let x = Linear::number(problem.solver.new_number(NumberKind::Int));
    let mut below = x.clone();
    for factor in [3, 4, 2] {
        let quotient = Linear::number(problem.solver.new_number(NumberKind::Int));
        let rest = x.scaled(&RBig::from(factor)).plus(&quotient, &RBig::from(-5));
        let bounds = [rest.scaled(&RBig::from(-1)), rest.plus(&number(4), &RBig::from(-1))];
        for (sum, is_strict) in
            bounds.into_iter().map(|sum| (sum, false)).chain([(below.plus(&rest, &RBig::from(-1)), true)])
        {
            let literal = problem.atom(&sum, is_strict);
            problem.add_clause(&[literal]);
        }
        below = rest;
    }
    for sum in [below.plus(&number(3), &RBig::from(-1)), number(3).plus(&below, &RBig::from(-1))] {
        let literal = problem.atom(&sum, false);
        problem.add_clause(&[literal]);
    }
    let budget = Budget { conflicts: Some(2000), ..Budget::default() };
    assert_eq!(problem.solver.solve(&[], &budget), Outcome::Unsat);
    check_refutation(&problem, &[]);
}
