//! Graphs, clauses and netlists mean what they should: compared with truth tables and with the interpreter.

use propcov_budget::Budget;
use propcov_ir::{Edits, Interpreter, Mutant, PropertyId, PropertyKind, System};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::bit_trace::value;
use propcov_solve::{Aig, Bit, BitStep, BitTrace, Contents, Init, Netlist, Template, Unroller};
use propcov_testkit::{Random, for_random_systems};

const LEAVES: usize = 5;

/// A truth table over [`LEAVES`] variables: one bit for each assignment.
fn leaf_table(leaf: usize) -> u32 {
    (0..1 << LEAVES)
        .filter(|assignment| assignment >> leaf & 1 == 1)
        .fold(0, |table, assignment| table | 1 << assignment)
}

fn random_graph(seed: u64) -> (Aig, Vec<Bit>, Vec<(Bit, u32)>) {
    let mut random = Random::new(seed);
    let mut aig = Aig::new();
    let leaves: Vec<Bit> = (0..LEAVES).map(|_| aig.leaf()).collect();
    let mut edges: Vec<(Bit, u32)> =
        leaves.iter().enumerate().map(|(at, leaf)| (*leaf, leaf_table(at))).collect();
    edges.push((Bit::TRUE, u32::MAX));
    for _ in 0..40 {
        let mut pick = || {
            let (bit, table) = *random.pick(&edges);
            if random.percent(50) { (!bit, !table) } else { (bit, table) }
        };
        let ((a, of_a), (b, of_b)) = (pick(), pick());
        edges.push((aig.and(a, b), of_a & of_b));
    }
    (aig, leaves, edges)
}

#[test]
fn rewriting_never_changes_what_an_edge_means() {
    for seed in 0..2_000 {
        let (aig, leaves, edges) = random_graph(seed);
        for assignment in 0..1u32 << LEAVES {
            let mut values = vec![false; aig.len()];
            for (at, leaf) in leaves.iter().enumerate() {
                values[leaf.node()] = assignment >> at & 1 == 1;
            }
            aig.evaluate(&mut values);
            for (bit, table) in &edges {
                assert_eq!(
                    value(&values, *bit),
                    table >> assignment & 1 == 1,
                    "seed {seed}, {bit:?}, {assignment:05b}"
                );
            }
        }
    }
}

#[test]
fn two_graph_edges_with_one_meaning_by_a_listed_rule_are_one_edge() {
    let mut aig = Aig::new();
    let (a, b) = (aig.leaf(), aig.leaf());
    let both = aig.and(a, b);
    let gates = aig.len();
    assert_eq!(aig.and(both, a), both, "idempotence");
    assert_eq!(aig.and(both, !a), Bit::FALSE, "contradiction");
    assert_eq!(aig.and(!both, !a), !a, "subsumption");
    let substituted = aig.and(!both, a);
    assert_eq!(substituted, aig.and(a, !b), "substitution");
    assert_eq!(aig.and(!both, !substituted), !a, "resolution");
    assert_eq!(aig.len(), gates + 1);
}

#[test]
fn a_template_has_exactly_the_models_of_the_graph() {
    for seed in 0..300 {
        let (aig, leaves, edges) = random_graph(seed);
        let mut random = Random::new(seed);
        let roots: Vec<(Bit, u32)> = (0..3).map(|_| *random.pick(&edges)).collect();
        let bits: Vec<Bit> = roots.iter().map(|(bit, _)| *bit).collect();
        let template = Template::new(&aig, &bits, &leaves);
        let mut solver = Cadical::new(CadicalConfig::default());
        for _ in 0..template.variables {
            Solver::new_var(&mut solver);
        }
        template.clauses().for_each(|clause| solver.add_clause(clause));
        for assignment in 0..1u32 << LEAVES {
            let mut assumptions: Vec<Lit> = leaves
                .iter()
                .enumerate()
                .map(|(at, leaf)| template.literal(*leaf).negated_if(assignment >> at & 1 == 0))
                .collect();
            for (bit, table) in &roots {
                let holds = template.literal(*bit).negated_if(table >> assignment & 1 == 0);
                assumptions.push(holds);
                assert_eq!(solver.solve(&assumptions, &Budget::default()), Outcome::Sat, "seed {seed}");
                assumptions.pop();
                assumptions.push(!holds);
                assert_eq!(solver.solve(&assumptions, &Budget::default()), Outcome::Unsat, "seed {seed}");
                assumptions.pop();
            }
        }
    }
}

fn invariants(system: &System) -> Vec<PropertyId> {
    let is_invariant = |id: &PropertyId| matches!(system.property(*id).kind, PropertyKind::Invariant(_));
    (0..system.properties().len() as u32).map(PropertyId).filter(is_invariant).collect()
}

fn random_bits(random: &mut Random, count: usize) -> Vec<bool> {
    (0..count).map(|_| random.percent(50)).collect()
}

#[test]
fn a_random_run_of_a_netlist_is_a_run_of_the_system_with_the_same_violations() {
    let compared = std::cell::Cell::new(0);
    for_random_systems(1_500, 60_000, |seed, system| {
        let mut random = Random::new(seed);
        let properties = invariants(system);
        let edits = Edits::none();
        let netlist = Netlist::new(system, &edits, &properties).map_err(|error| error.to_string())?;
        let start: Vec<bool> = netlist
            .latches
            .iter()
            .map(|latch| match latch.init {
                Init::Const(value) => value,
                Init::Free => random.percent(50),
            })
            .collect();
        let inputs = (0..5).map(|_| random_bits(&mut random, netlist.inputs.len())).collect();
        let run = BitTrace::simulate(&netlist, None, start, inputs);
        let holds = |step: &BitStep, bits: &[Bit]| {
            let values = step.evaluate(&netlist);
            bits.iter().all(|bit| value(&values, *bit))
        };
        // Only runs that the constraints allow have to be runs of the system.
        let last = run.steps.len() - 1;
        let allowed = run.steps.iter().all(|step| holds(step, &netlist.constraints))
            && run.steps[..last].iter().all(|step| holds(step, &netlist.transitions))
            && holds(&run.steps[0], &netlist.initial);
        if !allowed {
            return Ok(());
        }
        compared.set(compared.get() + 1);
        let trace = run.complete(&netlist, system, &edits).map_err(|error| error.to_string())?;
        let stimulus = run.stimulus(&netlist, system).map_err(|error| error.to_string())?;
        let again = BitTrace::of_stimulus(&netlist, system, &stimulus).map_err(|error| error.to_string())?;
        let same_inputs = run.steps.iter().zip(&again.steps).all(|(one, other)| one.inputs == other.inputs);
        if again.steps.len() != run.steps.len()
            || !same_inputs
            || again.steps[0].latches != run.steps[0].latches
        {
            return Err(format!("{again:?} out of {stimulus:?} of {run:?}"));
        }
        let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
        let values = run.steps[last].evaluate(&netlist);
        for (property, bad) in properties.iter().zip(&netlist.bads) {
            let replayed = interpreter.replay(&trace, *property);
            if replayed.is_ok() != value(&values, *bad) {
                return Err(format!("{}: {replayed:?}", system.property(*property).name));
            }
        }
        Ok(())
    });
    assert!(compared.get() > 300, "only {} runs were allowed by the constraints", compared.get());
}

#[test]
fn an_unrolling_has_the_runs_of_the_netlist() {
    for_random_systems(300, 70_000, |seed, system| {
        let mut random = Random::new(seed);
        let edits = Edits::none();
        let netlist = Netlist::new(system, &edits, &invariants(system)).map_err(|error| error.to_string())?;
        let template = Template::new(&netlist.aig, &netlist.roots(), &netlist.leaves());
        let mut solver = Cadical::new(CadicalConfig::default());
        let mut unroller = Unroller::new(&netlist, &template);
        (0..4).for_each(|_| unroller.extend(&mut solver));
        // Fix the first state and all inputs: what is left is determined, and possible iff the constraints hold.
        let inputs: Vec<Vec<bool>> = (0..4).map(|_| random_bits(&mut random, netlist.inputs.len())).collect();
        let start = random_bits(&mut random, netlist.latches.len());
        let run = BitTrace::simulate(&netlist, None, start.clone(), inputs.clone());
        let mut assumptions: Vec<Lit> = Vec::new();
        let mut fix = |frame: usize, bit: Bit, value: bool| {
            assumptions.push(unroller.literal(frame, bit).negated_if(!value));
        };
        netlist.latches.iter().zip(&start).for_each(|(latch, value)| fix(0, latch.bit, *value));
        for (frame, inputs) in inputs.iter().enumerate() {
            netlist.inputs.iter().zip(inputs).for_each(|(input, value)| fix(frame, *input, *value));
        }
        let allowed = run.steps.iter().enumerate().all(|(at, step)| {
            let values = step.evaluate(&netlist);
            let all = |bits: &[Bit]| bits.iter().all(|bit| value(&values, *bit));
            all(&netlist.constraints) && (at + 1 == run.steps.len() || all(&netlist.transitions))
        });
        let possible = solver.solve(&assumptions, &Budget::default()) == Outcome::Sat;
        if possible != allowed {
            return Err(format!("possible: {possible}, allowed: {allowed}"));
        }
        if possible {
            let end: Vec<bool> = unroller.state(3).into_iter().map(|literal| solver.holds(literal)).collect();
            if end != run.steps[3].latches {
                return Err(format!("ends in {end:?}, should be {:?}", run.steps[3].latches));
            }
        }
        Ok(())
    });
}

#[test]
fn fixing_a_selector_makes_the_clauses_those_of_the_mutant() {
    for_random_systems(400, 90_000, |seed, system| {
        let mut random = Random::new(seed);
        let mutants: Vec<Mutant> = system.element_ids().flat_map(|id| system.mutants_of(id)).collect();
        let properties = invariants(system);
        let contents = Contents { properties: &properties, selectable: &mutants, ..Contents::default() };
        let netlist =
            Netlist::with_contents(system, &Edits::none(), contents).map_err(|error| error.to_string())?;
        if netlist.selectors.is_empty() {
            return Ok(());
        }
        let chosen = random.below(netlist.selectors.len());
        let template = Template::new(&netlist.aig, &netlist.roots(), &netlist.leaves());
        let selectors = netlist.selectors.iter().enumerate();
        let fixed: Vec<Lit> =
            selectors.map(|(at, selector)| template.literal(selector.bit).negated_if(at != chosen)).collect();
        let folded = template.with_fixed(&fixed);
        // Under the same inputs and state, both say the same about every root.
        let mut values = vec![false; netlist.aig.len()];
        let leaves = netlist.inputs.iter().copied().chain(netlist.latches.iter().map(|latch| latch.bit));
        for leaf in leaves.clone() {
            values[leaf.node()] = random.percent(50);
        }
        values[netlist.selectors[chosen].bit.node()] = true;
        netlist.aig.evaluate(&mut values);
        let mut solver = Cadical::new(CadicalConfig::default());
        for _ in 0..folded.variables {
            Solver::new_var(&mut solver);
        }
        folded.clauses().for_each(|clause| Solver::add_clause(&mut solver, clause));
        let assumptions: Vec<Lit> =
            leaves.map(|leaf| folded.literal(leaf).negated_if(!values[leaf.node()])).collect();
        if solver.solve(&assumptions, &Budget::default()) != Outcome::Sat {
            return Err("the folded clauses contradict each other".to_owned());
        }
        for root in netlist.roots() {
            let found = solver.value(folded.literal(root));
            if found != Some(value(&values, root)) {
                return Err(format!("{root:?} is {found:?}"));
            }
        }
        Ok(())
    });
}
