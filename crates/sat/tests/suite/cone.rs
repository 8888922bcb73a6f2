//! What [`ConeSolver`] offers beyond [`propcov_sat::Solver`]: domains, temporary clauses, clones.

use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, ConeSolver, Domain, Lit, Outcome, Solver, Var};

use crate::common::{Random, satisfiable};

/// Checks an answer against brute force on the clauses including the temporary one.
fn check(solver: &ConeSolver, outcome: Outcome, clauses: &[Vec<Lit>], assumptions: &[Lit], context: &str) {
    let variables = 12;
    match outcome {
        Outcome::Sat => {
            let holds = |lit: &Lit| solver.value(*lit) == Some(true);
            assert!(assumptions.iter().all(holds), "{context}: assumptions");
            assert!(clauses.iter().all(|clause| clause.iter().any(holds)), "{context}: clauses");
        }
        Outcome::Unsat => {
            let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
            assert!(!satisfiable(variables, clauses, &core), "{context}: core {core:?}");
        }
        Outcome::Unknown => panic!("{context}: gave up without a reason"),
    }
}

#[test]
fn temporary_clauses_hold_for_one_query_and_clones_go_their_own_way() {
    let mut refuted_by_temporary = 0;
    for seed in 0..1_500 {
        let mut random = Random(3_000_000 + seed);
        let variables = 12;
        let mut solvers = vec![(ConeSolver::new(seed), Vec::<Vec<Lit>>::new())];
        for _ in 0..variables {
            solvers[0].0.new_var();
        }
        for round in 0..30 {
            let which = random.below(solvers.len() as u32) as usize;
            let (solver, clauses) = &mut solvers[which];
            for clause in random.clauses(variables, 3) {
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions: Vec<Lit> = (0..random.below(4)).map(|_| random.lit(variables)).collect();
            let temporary = random.chance(70).then(|| random.clause(variables));
            let context = format!("seed {seed}, round {round}, {assumptions:?}, temporary {temporary:?}");
            let mut all = clauses.clone();
            all.extend(temporary.clone());
            if random.chance(50) {
                // Running out of budget must leave nothing half done.
                let few = Budget { conflicts: Some(1), ..Budget::default() };
                let outcome = solver.solve_in(None, &assumptions, temporary.as_deref(), &few);
                if outcome != Outcome::Unknown {
                    check(solver, outcome, &all, &assumptions, &context);
                }
            }
            let outcome = solver.solve_in(None, &assumptions, temporary.as_deref(), &Budget::default());
            check(solver, outcome, &all, &assumptions, &context);
            if temporary.is_some()
                && outcome == Outcome::Unsat
                && satisfiable(variables, clauses, &assumptions)
            {
                refuted_by_temporary += 1;
            }
            if random.chance(10) && solvers.len() < 4 {
                // While the model is still readable.
                let (solver, clauses) = &solvers[which];
                solvers.push((solver.clone(), clauses.clone()));
                let (original, clone) = (&solvers[which].0, &solvers[solvers.len() - 1].0);
                for index in 0..variables {
                    assert_eq!(original.value(Var(index).positive()), clone.value(Var(index).positive()));
                }
            }
        }
    }
    assert!(refuted_by_temporary > 500, "temporary clauses mattered in {refuted_by_temporary} queries only");
}

/// A random circuit of AND gates: variables are inputs first, then gates in topological order.
struct Circuit {
    inputs: u32,
    gates: Vec<(Lit, Lit)>,
}

impl Circuit {
    fn random(random: &mut Random, inputs: u32, gates: u32) -> Circuit {
        let mut circuit = Circuit { inputs, gates: Vec::new() };
        for index in 0..gates {
            // Mostly recent fan-in, which gives depth.
            let mut fan_in = || {
                let reach = if random.chance(70) { (inputs + index).min(20) } else { inputs + index };
                Var(inputs + index - 1 - random.below(reach)).lit(random.chance(50))
            };
            let gate = (fan_in(), fan_in());
            circuit.gates.push(gate);
        }
        circuit
    }

    fn variables(&self) -> u32 {
        self.inputs + self.gates.len() as u32
    }

    fn clauses(&self) -> Vec<Vec<Lit>> {
        let mut clauses = Vec::new();
        for (index, &(left, right)) in self.gates.iter().enumerate() {
            let gate = Var(self.inputs + index as u32).positive();
            clauses.extend([vec![!gate, left], vec![!gate, right], vec![gate, !left, !right]]);
        }
        clauses
    }

    /// Adds a variable and all that it depends on.
    fn add_cone(&self, domain: &mut Domain, root: Var) {
        let mut stack = vec![root];
        while let Some(var) = stack.pop() {
            if domain.insert(var) && var.0 >= self.inputs {
                let (left, right) = self.gates[(var.0 - self.inputs) as usize];
                stack.extend([left.var(), right.var()]);
            }
        }
    }

    /// Values of all variables, given those of the inputs.
    fn evaluate(&self, input: impl Fn(Var) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = (0..self.inputs).map(|index| input(Var(index))).collect();
        for &(left, right) in &self.gates {
            let value = |lit: Lit| values[lit.var().index()] != lit.is_negated();
            values.push(value(left) && value(right));
        }
        values
    }
}

/// A circuit in both solvers. The reference sees activation variables for temporary clauses, which the other does not.
struct Pair {
    circuit: Circuit,
    cone: ConeSolver,
    reference: Cadical,
    /// Clauses over inputs, like lemmas of IC3: their variables belong to every domain.
    lemmas: Vec<Vec<Lit>>,
}

impl Pair {
    fn new(random: &mut Random, seed: u64) -> Pair {
        let circuit = Circuit::random(random, 30, 300);
        let mut cone = ConeSolver::new(seed);
        let mut reference = Cadical::new(CadicalConfig { inprocessing: false, seed });
        for _ in 0..circuit.variables() {
            cone.new_var();
            reference.new_var();
        }
        for clause in circuit.clauses() {
            cone.add_clause(&clause);
            reference.add_clause(&clause);
        }
        Pair { circuit, cone, reference, lemmas: Vec::new() }
    }

    fn add_lemma(&mut self, lemma: Vec<Lit>) {
        self.cone.add_clause(&lemma);
        self.reference.add_clause(&lemma);
        self.lemmas.push(lemma);
    }

    /// Asks both; checks the model or the core.
    fn query(&mut self, assumptions: &[Lit], temporary: Option<&[Lit]>, context: &str) -> Outcome {
        let mut domain = Domain::new();
        let temporary_literals = temporary.unwrap_or_default();
        for lit in assumptions.iter().chain(temporary_literals).chain(self.lemmas.iter().flatten()) {
            self.circuit.add_cone(&mut domain, lit.var());
        }
        let outcome = self.cone.solve_in(Some(&domain), assumptions, temporary, &Budget::default());
        let activation = self.reference.new_var().positive();
        if let Some(clause) = temporary {
            self.reference.add_clause(&[clause, &[!activation]].concat());
        }
        let expected = self.reference.solve(&[assumptions, &[activation]].concat(), &Budget::default());
        assert_eq!(outcome, expected, "{context}");
        if outcome == Outcome::Sat {
            let values = self.circuit.evaluate(|var| self.cone.value(var.positive()).unwrap_or(false));
            let holds = |lit: &Lit| values[lit.var().index()] != lit.is_negated();
            for index in 0..self.circuit.variables() {
                let value = self.cone.value(Var(index).positive());
                assert!(value.is_some() || !domain.contains(Var(index)), "{context}: {index} has no value");
                assert!(value.is_none_or(|value| value == values[index as usize]), "{context}: {index}");
            }
            assert!(assumptions.iter().all(holds), "{context}: assumptions");
            assert!(temporary.is_none_or(|clause| clause.iter().any(holds)), "{context}: temporary");
            assert!(self.lemmas.iter().all(|lemma| lemma.iter().any(holds)), "{context}: lemmas");
        } else {
            let mut core: Vec<Lit> =
                assumptions.iter().copied().filter(|&lit| self.cone.failed(lit)).collect();
            core.push(activation);
            let expected = self.reference.solve(&core, &Budget::default());
            assert_eq!(expected, Outcome::Unsat, "{context}: core {core:?}");
        }
        self.reference.add_clause(&[!activation]);
        outcome
    }
}

#[test]
fn answers_inside_a_cone_are_answers_about_the_whole_circuit() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..100 {
        let mut random = Random(4_000_000 + seed);
        let mut pair = Pair::new(&mut random, seed);
        let (inputs, variables) = (pair.circuit.inputs, pair.circuit.variables());
        for query in 0..100 {
            if random.chance(10) {
                let size = if random.chance(10) { 1 } else { 4 };
                pair.add_lemma((0..size).map(|_| random.lit(inputs)).collect());
            }
            let assumptions: Vec<Lit> = (0..1 + random.below(6)).map(|_| random.lit(variables)).collect();
            let temporary: Option<Vec<Lit>> =
                random.chance(50).then(|| (0..3).map(|_| random.lit(variables)).collect());
            let context = format!("seed {seed}, query {query}, {assumptions:?}, temporary {temporary:?}");
            match pair.query(&assumptions, temporary.as_deref(), &context) {
                Outcome::Sat => sat += 1,
                _ => unsat += 1,
            }
            if random.chance(5) {
                pair.cone = pair.cone.clone();
            }
        }
    }
    assert!(sat > 1_000 && unsat > 1_000, "{sat} satisfiable, {unsat} unsatisfiable");
}

#[test]
fn domains_are_left_behind_when_the_next_query_has_another() {
    let mut solver = ConeSolver::new(0);
    let variables: Vec<Var> = (0..4).map(|_| solver.new_var()).collect();
    let lit = |index: usize| variables[index].positive();
    solver.add_clause(&[lit(0), lit(1)]);
    solver.add_clause(&[!lit(2), lit(3)]);
    let first: Domain = variables[..2].iter().copied().collect();
    let second: Domain = variables[2..].iter().copied().collect();
    for (domain, inside, outside) in [(&first, 0, 3), (&second, 3, 0), (&first, 1, 2)] {
        assert_eq!(solver.solve_in(Some(domain), &[], None, &Budget::default()), Outcome::Sat);
        assert!(solver.value(lit(inside)).is_some() && solver.value(lit(outside)).is_none());
    }
    assert_eq!(solver.solve_in(None, &[], None, &Budget::default()), Outcome::Sat);
    assert!((0..4).all(|index| solver.value(lit(index)).is_some()), "all variables");
    assert_eq!(solver.solve_in(Some(&second), &[], None, &Budget::default()), Outcome::Sat);
    assert_eq!(solver.value(lit(0)), None);
    solver.add_clause(&[lit(0)]);
    assert_eq!(solver.solve_in(Some(&second), &[], None, &Budget::default()), Outcome::Sat);
    assert_eq!(solver.value(lit(0)), Some(true), "what holds for good is known everywhere");
}

/// Hard enough for reductions, simplification and garbage collection to happen on the way.
#[test]
fn long_searches_with_temporary_clauses_agree_with_cadical() {
    let mut conflicts = 0;
    for seed in 0..3 {
        let mut random = Random(5_000_000 + seed);
        let variables = 190;
        let mut cone = ConeSolver::new(seed);
        let mut reference = Cadical::new(CadicalConfig { inprocessing: false, seed });
        for _ in 0..variables {
            cone.new_var();
            reference.new_var();
        }
        let clause = |random: &mut Random| -> Vec<Lit> { (0..3).map(|_| random.lit(variables)).collect() };
        let mut clauses: Vec<Vec<Lit>> = (0..41 * variables / 10).map(|_| clause(&mut random)).collect();
        for clause in &clauses {
            cone.add_clause(clause);
            reference.add_clause(clause);
        }
        for query in 0..40 {
            let addition = if random.chance(10) { vec![random.lit(variables)] } else { clause(&mut random) };
            let temporary = clause(&mut random);
            let activation = reference.new_var().positive();
            reference.add_clause(&[&temporary[..], &[!activation]].concat());
            let context = format!("seed {seed}, query {query}");
            let few = Budget { conflicts: Some(50), ..Budget::default() };
            let early = cone.solve_in(None, &[], Some(&temporary), &few);
            let outcome = cone.solve_in(None, &[], Some(&temporary), &Budget::default());
            assert!(early == Outcome::Unknown || early == outcome, "{context}");
            assert_eq!(outcome, reference.solve(&[activation], &Budget::default()), "{context}");
            if outcome == Outcome::Sat {
                for clause in clauses.iter().chain([&temporary]) {
                    assert!(clause.iter().any(|&lit| cone.value(lit) == Some(true)), "{context}: {clause:?}");
                }
            }
            cone.add_clause(&addition);
            reference.add_clause(&addition);
            clauses.push(addition);
        }
        conflicts += cone.conflicts();
    }
    assert!(conflicts > 20_000, "{conflicts} conflicts only");
}

#[test]
fn preferred_literals_are_decided_first() {
    for preferred in [true, false] {
        let mut cone = ConeSolver::new(0);
        let mut cadical = Cadical::new(CadicalConfig { inprocessing: false, seed: 0 });
        let variables: Vec<Var> = (0..20).map(|_| cone.new_var()).collect();
        for var in &variables {
            cadical.new_var();
            cone.prefer(var.lit(preferred));
            cadical.set_phase(var.lit(preferred));
        }
        let clause: Vec<Lit> = variables[..3].iter().map(|var| var.lit(preferred)).collect();
        cone.add_clause(&clause);
        cadical.add_clause(&clause);
        assert_eq!(cone.solve(&[], &Budget::default()), Outcome::Sat);
        assert_eq!(cadical.solve(&[], &Budget::default()), Outcome::Sat);
        for var in &variables[..3] {
            assert_eq!(cone.value(var.lit(preferred)), Some(true));
            assert_eq!(cadical.value(var.lit(preferred)), Some(true));
        }
        assert!(variables.iter().all(|var| cone.value(var.lit(preferred)) == Some(true)));
    }
}
