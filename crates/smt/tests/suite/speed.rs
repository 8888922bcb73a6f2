//! Measurements, not run by default: `cargo test --release -p propcov-smt --test suite speed -- --ignored --nocapture`.

use dashu_ratio::RBig;
use fastrand::Rng;
use propcov_budget::Budget;
use propcov_sat::{Lit, Outcome, Solver};
use propcov_smt::{ArithSolver, Linear, NumberKind};
use std::time::Instant;

fn constant(value: i64) -> Linear {
    Linear::constant(RBig::from(value))
}

fn minus(a: &Linear, b: &Linear) -> Linear {
    a.plus(b, &RBig::from(-1))
}

/// Says that `condition` implies `a = b`.
fn imply_equal(solver: &mut ArithSolver, condition: &[Lit], a: &Linear, b: &Linear) {
    for sum in [minus(a, b), minus(b, a)] {
        let mut clause: Vec<Lit> = condition.iter().map(|lit| !*lit).collect();
        clause.push(solver.at_most(&sum));
        solver.add_clause(&clause);
    }
}

fn at_most(solver: &mut ArithSolver, a: &Linear, limit: i64) -> Lit {
    solver.at_most(&minus(a, &constant(limit)))
}

/// Counts queries and their time.
struct Clock {
    name: &'static str,
    begin: Instant,
    ticks: u64,
    conflicts: u64,
}

impl Clock {
    fn new(name: &'static str, solver: &ArithSolver) -> Clock {
        Clock { name, begin: Instant::now(), ticks: solver.ticks(), conflicts: solver.conflicts() }
    }

    fn report(&self, solver: &ArithSolver, queries: u32) -> String {
        let time = self.begin.elapsed();
        let ticks = (solver.ticks() - self.ticks) as f64;
        format!(
            "{:30} {:9.3} ms each, {:8} conflicts, {:6.2} ticks per 100 ns",
            self.name,
            time.as_secs_f64() * 1e3 / f64::from(queries),
            solver.conflicts() - self.conflicts,
            ticks / (time.as_nanos() as f64 / 100.0),
        )
    }
}

#[test]
#[ignore = "a measurement"]
fn a_chain_of_counters() {
    let begin = Instant::now();
    let mut solver = ArithSolver::new();
    let chain: Vec<Linear> = (0..60).map(|_| Linear::number(solver.new_number(NumberKind::Int))).collect();
    let switches: Vec<Lit> = (0..60).map(|_| solver.new_var().positive()).collect();
    let start = !at_most(&mut solver, &chain[0], -1);
    solver.add_clause(&[start]);
    for step in 1..60 {
        let more = chain[step - 1].plus(&constant(1), &RBig::ONE);
        imply_equal(&mut solver, &[switches[step]], &chain[step], &more);
        imply_equal(&mut solver, &[!switches[step]], &chain[step], &chain[step - 1]);
    }
    println!("building: {:?}", begin.elapsed());
    for limit in 0..6 {
        let clock = Clock::new("x59 < r", &solver);
        let goal = at_most(&mut solver, &chain[59], limit - 1);
        let outcome = solver.solve(&[goal], &Budget::default());
        assert_eq!(outcome == Outcome::Sat, limit > 0);
        println!("{}", clock.report(&solver, 1));
    }
    let mut random = Rng::with_seed(1);
    let clock = Clock::new("200 queries, some switches", &solver);
    let mut unsatisfiable = 0;
    for _ in 0..200 {
        let mut assumptions: Vec<Lit> =
            (0..20).map(|_| switches[random.usize(1..60)].negated_if(random.u8(0..4) == 0)).collect();
        let step = random.usize(20..60);
        assumptions.push(at_most(&mut solver, &chain[step], random.i64(-1..12)));
        unsatisfiable += u32::from(solver.solve(&assumptions, &Budget::default()) == Outcome::Unsat);
    }
    println!("{}, {unsatisfiable} unsatisfiable", clock.report(&solver, 200));
}

#[test]
#[ignore = "a measurement"]
fn a_counter_with_resets_stays_below_its_limit() {
    for (steps, limit) in [(10, 5), (20, 10), (30, 10), (60, 10)] {
        let mut solver = ArithSolver::new();
        let mut x = Linear::number(solver.new_number(NumberKind::Int));
        let start = at_most(&mut solver, &x, limit);
        solver.add_clause(&[start]);
        for _ in 0..steps {
            let next = Linear::number(solver.new_number(NumberKind::Int));
            let (reset, enable) = (solver.new_var().positive(), solver.new_var().positive());
            let is_full = !at_most(&mut solver, &x, limit - 1);
            imply_equal(&mut solver, &[reset], &next, &constant(0));
            imply_equal(&mut solver, &[!reset, enable, !is_full], &next, &x.plus(&constant(1), &RBig::ONE));
            imply_equal(&mut solver, &[!reset, is_full], &next, &x);
            imply_equal(&mut solver, &[!reset, !enable], &next, &x);
            x = next;
        }
        let clock = Clock::new("counter with resets", &solver);
        let goal = !at_most(&mut solver, &x, limit);
        assert_eq!(solver.solve(&[goal], &Budget::default()), Outcome::Unsat);
        println!("{steps:3} steps: {}", clock.report(&solver, 1));
    }
}

#[test]
#[ignore = "a measurement"]
fn a_tank_with_real_flow() {
    // level' = level + in - out, in ∈ [0, 1], out = 1 if level ≥ 8 (then in ≤ 1), out = 0 else: level ≤ 9.
    for steps in [5, 10, 20, 40] {
        let mut solver = ArithSolver::new();
        let mut level = Linear::number(solver.new_number(NumberKind::Real));
        let start = at_most(&mut solver, &level, 1);
        solver.add_clause(&[start]);
        for _ in 0..steps {
            let next = Linear::number(solver.new_number(NumberKind::Real));
            let flow = Linear::number(solver.new_number(NumberKind::Real));
            let valve = Linear::number(solver.new_number(NumberKind::Real));
            let low = solver.at_most(&flow.scaled(&RBig::from(-1)));
            let high = at_most(&mut solver, &flow, 1);
            solver.add_clause(&[low]);
            solver.add_clause(&[high]);
            let is_low = solver.below(&minus(&level, &constant(8)));
            imply_equal(&mut solver, &[is_low], &valve, &constant(0));
            imply_equal(&mut solver, &[!is_low], &valve, &constant(1));
            imply_equal(&mut solver, &[], &next, &minus(&level.plus(&flow, &RBig::ONE), &valve));
            level = next;
        }
        let clock = Clock::new("tank", &solver);
        let goal = !at_most(&mut solver, &level, 9);
        assert_eq!(solver.solve(&[goal], &Budget::default()), Outcome::Unsat);
        println!("{steps:3} steps: {}", clock.report(&solver, 1));
    }
}

#[test]
#[ignore = "a measurement"]
fn relative_induction_queries() {
    // Ten counters, each with an enable; queries assume cubes of bounds before, and their negations after, one step.
    let mut solver = ArithSolver::new();
    let now: Vec<Linear> = (0..10).map(|_| Linear::number(solver.new_number(NumberKind::Int))).collect();
    let next: Vec<Linear> = (0..10).map(|_| Linear::number(solver.new_number(NumberKind::Int))).collect();
    let enable: Vec<Lit> = (0..10).map(|_| solver.new_var().positive()).collect();
    for counter in 0..10 {
        let is_full = !at_most(&mut solver, &now[counter], 9);
        let previous = !at_most(&mut solver, &now[(counter + 9) % 10], 4);
        let more = now[counter].plus(&constant(1), &RBig::ONE);
        imply_equal(&mut solver, &[enable[counter], is_full], &next[counter], &constant(0));
        imply_equal(&mut solver, &[enable[counter], !is_full, previous], &next[counter], &more);
        imply_equal(&mut solver, &[enable[counter], !is_full, !previous], &next[counter], &now[counter]);
        imply_equal(&mut solver, &[!enable[counter]], &next[counter], &now[counter]);
    }
    let mut random = Rng::with_seed(3);
    let clock = Clock::new("relative induction", &solver);
    let mut unsatisfiable = 0;
    for _ in 0..2000 {
        let activation = solver.new_var().positive();
        let mut clause = vec![!activation];
        let mut assumptions = vec![activation];
        for _ in 0..random.u8(2..6) {
            let (counter, limit, negated) = (random.usize(..10), random.i64(0..12), random.bool());
            clause.push(!at_most(&mut solver, &now[counter], limit).negated_if(negated));
            assumptions.push(at_most(&mut solver, &next[counter], limit).negated_if(negated));
        }
        solver.add_clause(&clause);
        match solver.solve(&assumptions, &Budget::default()) {
            Outcome::Unsat => {
                unsatisfiable += 1;
                solver.add_clause(&clause[1..]);
            }
            _ => solver.add_clause(&[!activation]),
        }
    }
    println!("{}, {unsatisfiable} unsatisfiable", clock.report(&solver, 2000));
}

#[test]
#[ignore = "a measurement"]
fn sums_of_many_integers() {
    let mut random = Rng::with_seed(9);
    for size in [5, 8, 12] {
        let mut solver = ArithSolver::new();
        let numbers: Vec<Linear> =
            (0..size).map(|_| Linear::number(solver.new_number(NumberKind::Int))).collect();
        for number in &numbers {
            let (low, high) = (!at_most(&mut solver, number, -1), at_most(&mut solver, number, 9));
            solver.add_clause(&[low]);
            solver.add_clause(&[high]);
        }
        let clock = Clock::new("sums of integers", &solver);
        let mut outcomes = [0, 0, 0];
        for _ in 0..40 {
            let activation = solver.new_var().positive();
            for _ in 0..size / 2 {
                let mut sum = constant(random.i64(-40..40));
                for number in &numbers {
                    sum.add(number, &RBig::from(random.i64(-5..=5)));
                }
                imply_equal(&mut solver, &[activation], &sum, &constant(0));
            }
            let budget = Budget { conflicts: Some(1000), ..Budget::default() };
            let outcome = solver.solve(&[activation], &budget);
            outcomes[outcome as usize] += 1;
            solver.add_clause(&[!activation]);
        }
        println!("{size:3} numbers: {}, {outcomes:?}", clock.report(&solver, 40));
    }
}

/// `if condition then a else b`, as a fresh number.
fn choose(solver: &mut ArithSolver, condition: Lit, a: &Linear, b: &Linear) -> Linear {
    let chosen = Linear::number(solver.new_number(NumberKind::Int));
    imply_equal(solver, &[condition], &chosen, a);
    imply_equal(solver, &[!condition], &chosen, b);
    chosen
}

#[test]
#[ignore = "a measurement"]
fn a_random_network_of_counters() {
    for (seed, counters, steps) in [(1, 4, 10), (2, 4, 20), (3, 8, 10), (4, 8, 20), (5, 12, 20)] {
        let mut random = Rng::with_seed(seed);
        let wiring: Vec<[usize; 3]> =
            (0..counters).map(|_| [(); 3].map(|()| random.usize(..counters))).collect();
        let mut solver = ArithSolver::new();
        let mut state: Vec<Linear> =
            (0..counters).map(|_| Linear::number(solver.new_number(NumberKind::Int))).collect();
        for x in &state {
            let (low, high) = (!at_most(&mut solver, x, -1), at_most(&mut solver, x, 0));
            solver.add_clause(&[low]);
            solver.add_clause(&[high]);
        }
        let clock = Clock::new("network of counters", &solver);
        let (mut queries, mut outcomes) = (0, [0, 0, 0]);
        for _ in 0..steps {
            let mut next = Vec::new();
            for (x, [a, b, c]) in state.iter().zip(&wiring) {
                let input = solver.new_var().positive();
                let is_less = solver.below(&minus(&state[*a], &state[*b]));
                let is_large = !at_most(&mut solver, x, 7);
                let more = x.plus(&constant(1), &RBig::ONE);
                let copied = choose(&mut solver, is_less, &state[*c], &more);
                let kept = choose(&mut solver, input, &copied, x);
                next.push(choose(&mut solver, is_large, &constant(0), &kept));
            }
            state = next;
            let sum = state.iter().fold(constant(0), |sum, x| sum.plus(x, &RBig::ONE));
            for limit in [7, 8] {
                for x in state.clone() {
                    let goal = !at_most(&mut solver, &x, limit);
                    let budget = Budget { conflicts: Some(20_000), ..Budget::default() };
                    outcomes[solver.solve(&[goal], &budget) as usize] += 1;
                    queries += 1;
                }
            }
            let goal = !at_most(&mut solver, &sum, 5 * counters as i64);
            let budget = Budget { conflicts: Some(20_000), ..Budget::default() };
            outcomes[solver.solve(&[goal], &budget) as usize] += 1;
            queries += 1;
        }
        println!("{counters:2} counters {steps:3} steps: {}, {outcomes:?}", clock.report(&solver, queries));
    }
}
