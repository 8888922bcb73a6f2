//! Queries per second of [`ConeSolver`] and of CaDiCaL without inprocessing, on what IC3 asks: can a cube be entered in one
//! step, from a state outside it? Run with `cargo run --release -p propcov-sat --example cone_queries`.
//!
//! The design is a random pipeline: stages of latches, each fed by a block of gates over a few latches of the stage before,
//! some of its own, and inputs. Refuted cubes become lemmas, so the solvers fill up as in IC3. Both solvers see the same
//! queries, in turns of a thousand, and have to agree on every answer. CaDiCaL gets a sample of them, because it needs minutes
//! for all. Arguments: number of queries, and out of how many one goes to CaDiCaL (0: none).

#![expect(clippy::print_stdout, reason = "prints its measurements")]

use std::time::{Duration, Instant};

use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, ConeSolver, Domain, Lit, Outcome, Solver, Var};

/// Time that this process spent on a processor, which other processes disturb less than the time on the wall. Where the
/// system does not tell, the time on the wall.
fn processor_time(start: Instant) -> Duration {
    let statistics = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = statistics.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(bound)) as u32
    }

    fn pick(&mut self, from: &[Lit]) -> Lit {
        from[self.below(from.len() as u32) as usize].negated_if(self.below(2) == 1)
    }
}

/// Latches come first, then inputs, then gates.
struct Design {
    latches: u32,
    variables: u32,
    /// Fan-in by gate.
    gates: Vec<(Var, Lit, Lit)>,
    /// Next state by latch.
    next: Vec<Lit>,
}

const STAGE: u32 = 16;
const GATES_PER_LATCH: u32 = 24;

impl Design {
    fn pipeline(random: &mut Random, gates: u32) -> Design {
        let latches = gates / GATES_PER_LATCH / STAGE * STAGE;
        let inputs = latches / 4;
        let mut design = Design { latches, variables: latches + inputs, gates: Vec::new(), next: Vec::new() };
        for latch in 0..latches {
            let stage = latch / STAGE;
            let before = stage.saturating_sub(1);
            let mut signals = Vec::new();
            for (count, first, range) in
                [(6, before * STAGE, STAGE), (3, stage * STAGE, STAGE), (2, latches, inputs)]
            {
                signals.extend((0..count).map(|_| Var(first + random.below(range)).positive()));
            }
            for _ in 0..GATES_PER_LATCH {
                // Recent signals on one side, for depth.
                let recent = signals.len().saturating_sub(3);
                let (left, right) = (random.pick(&signals[recent..]), random.pick(&signals));
                let gate = Var(design.variables);
                design.variables += 1;
                design.gates.push((gate, left, right));
                signals.push(gate.positive());
            }
            design.next.push(random.pick(&signals[signals.len() - 3..]));
        }
        design
    }

    fn load(&self, solver: &mut impl Solver) {
        for _ in 0..self.variables {
            solver.new_var();
        }
        for &(gate, left, right) in &self.gates {
            let gate = gate.positive();
            solver.add_clause(&[!gate, left]);
            solver.add_clause(&[!gate, right]);
            solver.add_clause(&[gate, !left, !right]);
        }
    }

    fn cones(&self) -> Vec<Domain> {
        let first_gate = self.variables - self.gates.len() as u32;
        let cone = |next: &Lit| {
            let mut domain = Domain::new();
            let mut stack = vec![next.var()];
            while let Some(var) = stack.pop() {
                if domain.insert(var) && var.0 >= first_gate {
                    let (_, left, right) = self.gates[(var.0 - first_gate) as usize];
                    stack.extend([left.var(), right.var()]);
                }
            }
            domain
        };
        self.next.iter().map(cone).collect()
    }
}

/// Latches with the values that a state to be blocked gives them; neighbours, as a counterexample to induction has them.
fn random_cube(random: &mut Random, design: &Design) -> Vec<Lit> {
    let stage = random.below(design.latches / STAGE);
    let size = 2 + random.below(6);
    let mut cube: Vec<Lit> =
        (0..size).map(|_| Var(stage * STAGE + random.below(STAGE)).lit(random.below(2) == 1)).collect();
    cube.sort_unstable();
    cube.dedup_by_key(|lit| lit.var());
    cube
}

struct Query {
    cube: Vec<Lit>,
    primed: Vec<Lit>,
    blocked: Vec<Lit>,
}

/// IC3 reads the state or the core.
fn read_answer(solver: &impl Solver, outcome: Outcome, query: &Query) {
    let literals: Vec<Lit> = match outcome {
        Outcome::Sat => {
            (0..STAGE).map(|latch| Var(latch).positive()).filter(|&lit| solver.value(lit).is_some()).collect()
        }
        _ => query.primed.iter().copied().filter(|&lit| solver.failed(lit)).collect(),
    };
    std::hint::black_box(literals);
}

fn measure(gates: u32, queries: usize, sample: usize, with_lemmas: bool) {
    let mut random = Random(u64::from(gates));
    let design = Design::pipeline(&mut random, gates);
    let cones = design.cones();
    let mut cone = ConeSolver::new(1);
    let mut cadical = Cadical::new(CadicalConfig { inprocessing: false, seed: 1 });
    design.load(&mut cone);
    design.load(&mut cadical);
    let wall = Instant::now();
    let now = || processor_time(wall);
    let start = now();
    let copies: Vec<ConeSolver> = (0..10).map(|_| cone.clone()).collect();
    let clone_time = (now() - start) / copies.len() as u32;
    drop(copies);

    let budget = Budget::default();
    let mut lemma_latches = Domain::new();
    let (mut cone_time, mut cadical_time) = (Duration::ZERO, Duration::ZERO);
    let (mut sat, mut lemmas, mut domain_size) = (0, 0, 0);
    for _ in 0..queries / 1_000 {
        let batch: Vec<Query> = (0..1_000)
            .map(|_| {
                let cube = random_cube(&mut random, &design);
                let primed = cube
                    .iter()
                    .map(|lit| design.next[lit.var().index()].negated_if(lit.is_negated()))
                    .collect();
                let blocked = cube.iter().map(|&lit| !lit).collect();
                Query { cube, primed, blocked }
            })
            .collect();

        let mut answers = Vec::new();
        let mut domain = Domain::new();
        let start = now();
        for query in &batch {
            domain.clear();
            domain.union_with(&lemma_latches);
            query.cube.iter().for_each(|lit| domain.union_with(&cones[lit.var().index()]));
            domain_size += domain.len();
            let outcome = cone.solve_in(Some(&domain), &query.primed, Some(&query.blocked), &budget);
            answers.push(outcome);
            read_answer(&cone, outcome, query);
        }
        cone_time += now() - start;

        let sampled = if sample == 0 { 0 } else { usize::MAX };
        let start = now();
        for (query, expected) in batch.iter().zip(&answers).step_by(sample.max(1)).take(sampled) {
            let activation = cadical.new_var().positive();
            let mut clause = query.blocked.clone();
            clause.push(!activation);
            cadical.add_clause(&clause);
            let mut assumptions = query.primed.clone();
            assumptions.push(activation);
            let outcome = cadical.solve(&assumptions, &budget);
            assert_eq!(outcome, *expected, "the solvers disagree");
            read_answer(&cadical, outcome, query);
            cadical.add_clause(&[!activation]);
        }
        cadical_time += now() - start;

        sat += answers.iter().filter(|outcome| **outcome == Outcome::Sat).count();
        for (query, outcome) in batch.iter().zip(&answers) {
            if with_lemmas && *outcome == Outcome::Unsat && random.below(4) == 0 {
                lemmas += 1;
                cone.add_clause(&query.blocked);
                cadical.add_clause(&query.blocked);
                lemma_latches.extend(query.cube.iter().map(|lit| lit.var()));
            }
        }
    }
    let cone_rate = queries as f64 / cone_time.as_secs_f64();
    let cadical_rate = (queries / sample.max(1)) as f64 / cadical_time.as_secs_f64();
    println!(
        "{gates:>6} gates, {lemmas:>4} lemmas, mean domain {:>5}: cone {:>8.0} q/s, CaDiCaL {:>7.0} q/s, ratio {:>5.1}; \
         {:.0} % satisfiable; {:.1} ticks, {:.2} conflicts per query; clone {clone_time:.1?}",
        domain_size / queries,
        cone_rate,
        cadical_rate,
        cone_rate / cadical_rate,
        100.0 * sat as f64 / queries as f64,
        cone.ticks() as f64 / queries as f64,
        cone.conflicts() as f64 / queries as f64,
    );
}

fn main() {
    let argument = |position| std::env::args().nth(position).and_then(|text| text.parse().ok());
    let queries = argument(1).unwrap_or(20_000);
    for gates in [5_000, 30_000] {
        for with_lemmas in [false, true] {
            measure(gates, queries, argument(2).unwrap_or(20), with_lemmas);
        }
    }
}
