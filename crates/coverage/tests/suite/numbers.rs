//! Mutants of systems with ints and reals against the definition: thousands of random systems, each mutant written out and explored state by state.
//!
//! `PROPCOV_SEED=n` replays one system, `PROPCOV_CASES=n` changes how many there are.

use propcov_budget::Budget;
use propcov_certify::{check_kills, check_proof};
use propcov_coverage::difference::{self, Answer, Notion, observation};
use propcov_coverage::mutation::{Ground, Method, Options, Outcome, Silent, Target, Technique, run};
use propcov_engine::{Config, Limits, portfolio};
use propcov_ir::{
    Edits, ElementSet, ExprId, Kill, Mutant, Mutation, PropertyId, PropertyKind, Status, Stimulus, System,
    Value, Verdict,
};
use propcov_testkit::{
    ArithExplicit, MutantTruth, all_mutants, for_random_arith_systems, is_whole_run, mutant_truth,
    shortest_number_difference,
};
use std::cell::Cell;
use std::sync::Arc;

/// What may be enumerated.
const WORK: usize = 8_000;
/// What a proof may take.
const TICKS: u64 = 20_000_000;

/// A system that knows its mutants, the properties that hold and why.
struct Case {
    system: System,
    targets: Vec<Target>,
    mutants: Vec<Mutant>,
}

impl Case {
    /// `None` if no property that holds is proved.
    fn new(system: &System, explicit: &ArithExplicit) -> Option<Case> {
        let mut system = system.clone();
        system.add_variants();
        let holds = |id: &PropertyId| {
            matches!(system.property(*id).kind, PropertyKind::Invariant(_))
                && matches!(explicit.outcome(*id), propcov_testkit::Outcome::Holds { .. })
        };
        let ids = (0..system.properties().len() as u32).map(PropertyId).filter(holds);
        let targets: Vec<Target> = ids.filter_map(|id| prove(&system, id)).collect();
        let mutants = all_mutants(&system);
        (!targets.is_empty()).then_some(Case { system, targets, mutants })
    }

    fn run(&self, method: Method, seed: u64) -> Outcome {
        let options = Options { method, seed, ..Options::default() };
        run(&self.system, &self.targets, &self.mutants, &[], &options, &Silent)
    }

    /// What is true, by property and then by mutant, as far as it can be enumerated.
    fn truth(&self) -> Vec<Vec<MutantTruth>> {
        let properties: Vec<PropertyId> = self.targets.iter().map(|target| target.property).collect();
        let mut rows = vec![Vec::new(); properties.len()];
        for mutant in &self.mutants {
            let truths = mutant_truth(&self.system, *mutant, &properties, WORK);
            let truths = truths.unwrap_or_else(|_| vec![MutantTruth::Open; properties.len()]);
            rows.iter_mut().zip(truths).for_each(|(row, truth)| row.push(truth));
        }
        rows
    }
}

fn prove(system: &System, property: PropertyId) -> Option<Target> {
    let none = Edits::none();
    let limits = Limits::default().for_one(TICKS, None);
    let report =
        portfolio::check(system, &none, property, &Config::default(), &limits, &propcov_engine::Silent);
    let Verdict::Proved(proof) = report.verdict else { return None };
    check_proof(system, &none, property, &proof, &Budget::default()).ok()?;
    Some(Target { property, ground: Ground::Proved(Arc::new(proof)), depth: 1, ticks: report.stats.ticks })
}

/// How many findings were decided, of all.
fn compare(case: &Case, truth: &[Vec<MutantTruth>], outcome: &Outcome) -> Result<(usize, usize), String> {
    if let Some(error) = outcome.internal_errors.first() {
        return Err(error.clone());
    }
    let mut decided = 0;
    for (finding, truth) in outcome.findings.iter().zip(truth.iter().flatten()) {
        let name = || {
            let element = &case.system.element(finding.mutant.element).name;
            format!(
                "{} of {element} for {:?}, by {}",
                finding.mutant.mutation.name(),
                finding.property,
                finding.by
            )
        };
        match (&finding.status, truth) {
            (Status::Covered(_), MutantTruth::Uncovered) | (Status::Uncovered(_), MutantTruth::Covered) => {
                return Err(format!("{} is {}, and {truth:?}", name(), finding.status.name()));
            }
            (Status::Covered(kill), _) => {
                check_kills(&case.system, finding.property, &[(finding.mutant, &**kill)])
                    .pop()
                    .unwrap_or(Ok(()))
                    .map_err(|error| format!("{}: {error}", name()))?;
                decided += 1;
            }
            (Status::Uncovered(proof), _) => {
                let edits = finding.mutant.edits(&case.system);
                check_proof(&case.system, &edits, finding.property, proof, &Budget::default())
                    .map_err(|error| format!("{}: {error}", name()))?;
                decided += 1;
            }
            (Status::Unknown(_), _) => {}
            (other, _) => return Err(format!("{}: {}", name(), other.name())),
        }
    }
    Ok((decided, outcome.findings.len()))
}

#[test]
fn the_pipeline_agrees_with_the_definition() {
    let (decided, all) = (Cell::new(0), Cell::new(0));
    for_random_arith_systems(40, 41_000, |seed, system, explicit| {
        let Some(case) = Case::new(system, explicit) else { return Ok(()) };
        let truth = case.truth();
        let outcome = case.run(Method::default(), seed);
        let (some, of) = compare(&case, &truth, &outcome)?;
        decided.set(decided.get() + some);
        all.set(all.get() + of);
        Ok(())
    });
    if is_whole_run() {
        let (decided, all) = (decided.get(), all.get());
        assert!(all > 200, "{all}");
        assert!(decided * 100 >= all * 95, "{decided} of {all}");
    }
}

#[test]
fn each_technique_by_itself_is_right_and_decides_something() {
    let techniques = [
        Technique::Cone,
        Technique::Core,
        Technique::Simulation,
        Technique::FamilyInduction,
        Technique::FamilyBmc,
        Technique::Repair,
        Technique::Ic3,
    ];
    let decided = techniques.map(|_| Cell::new(0));
    for_random_arith_systems(15, 42_000, |seed, system, explicit| {
        let Some(case) = Case::new(system, explicit) else { return Ok(()) };
        let truth = case.truth();
        for (technique, decided) in techniques.iter().zip(&decided) {
            let outcome = case.run(Method::Pipeline(vec![*technique]), seed);
            let (some, _) =
                compare(&case, &truth, &outcome).map_err(|error| format!("{}: {error}", technique.name()))?;
            decided.set(decided.get() + some);
        }
        Ok(())
    });
    if is_whole_run() {
        for (technique, decided) in techniques.iter().zip(&decided) {
            assert!(decided.get() > 0, "{}: {}", technique.name(), decided.get());
        }
    }
}

#[test]
fn one_model_checking_run_per_mutant_agrees() {
    for_random_arith_systems(10, 43_000, |seed, system, explicit| {
        let Some(case) = Case::new(system, explicit) else { return Ok(()) };
        let truth = case.truth();
        compare(&case, &truth, &case.run(Method::Naive, seed)).map(|_| ())
    });
}

/// An element is in every core if and only if a property fails when it is left open.
#[test]
fn what_must_be_there_is_what_is_killed_when_it_is_left_open() {
    let compared = Cell::new(0);
    for_random_arith_systems(30, 44_000, |seed, system, explicit| {
        let Some(case) = Case::new(system, explicit) else { return Ok(()) };
        let free: Vec<Mutant> =
            case.mutants.iter().copied().filter(|mutant| mutant.mutation == Mutation::Free).collect();
        let universe: ElementSet = free.iter().map(|mutant| mutant.element).collect();
        let options = Options { seed, ..Options::default() };
        let outcome = run(&case.system, &case.targets, &free, &[], &options, &Silent);
        for target in &case.targets {
            let config = Config::default();
            let slices =
                propcov_engine::slices::Slices::new(&case.system, target.property, &universe, &config);
            let Ok(mut slices) = slices else { continue };
            for finding in outcome.findings.iter().filter(|finding| finding.property == target.property) {
                let kept = universe.without(finding.mutant.element);
                let limits = Limits::default().for_one(TICKS, None);
                let extent = propcov_engine::slices::Extent::Always;
                let verdict = slices.decide(&kept, extent, &limits, &mut Default::default());
                let is_must = match verdict {
                    propcov_engine::slices::SliceVerdict::Holds { .. } => false,
                    propcov_engine::slices::SliceVerdict::Fails { .. } => true,
                    propcov_engine::slices::SliceVerdict::Unknown(_) => continue,
                };
                let is_killed = match finding.status {
                    Status::Covered(_) => true,
                    Status::Uncovered(_) => false,
                    _ => continue,
                };
                compared.set(compared.get() + 1);
                if is_must != is_killed {
                    let name = &case.system.element(finding.mutant.element).name;
                    return Err(format!("{name}: must {is_must}, killed {is_killed}"));
                }
            }
        }
        Ok(())
    });
    if is_whole_run() {
        assert!(compared.get() > 50, "{}", compared.get());
    }
}

#[test]
fn hole_witnesses_are_shortest_and_proofs_of_no_effect_are_right() {
    let (differ, same) = (Cell::new(0), Cell::new(0));
    for_random_arith_systems(40, 45_000, |seed, system, explicit| {
        let Some(case) = Case::new(system, explicit) else { return Ok(()) };
        let system = &case.system;
        let properties: Vec<PropertyId> = case.targets.iter().map(|target| target.property).collect();
        for mutant in case.mutants.iter().take(8) {
            let watched = observation(system, &properties, *mutant, &Notion::Registers);
            if watched.signals.is_empty() {
                continue;
            }
            let mut with_reads = system.clone();
            let observed: Vec<ExprId> = watched
                .signals
                .iter()
                .map(|(_, watched)| match watched {
                    difference::Watched::Signal(signal) => with_reads.read(*signal),
                    difference::Watched::Expr(expr) => *expr,
                })
                .collect();
            let truth = shortest_number_difference(&with_reads, *mutant, &observed, &properties, WORK);
            let Ok((shortest, is_whole)) = truth else { continue };
            let limits = Limits::default().for_one(TICKS, None);
            let (answer, _) = difference::search(system, &properties, *mutant, &watched, &limits, seed);
            let name = || format!("{} of {}", mutant.mutation.name(), system.element(mutant.element).name);
            match answer {
                Answer::Unknown(_) => {}
                Answer::NoEffect(_) => {
                    same.set(same.get() + 1);
                    if let Some(depth) = shortest {
                        return Err(format!("{}: no effect, but it differs after {depth}", name()));
                    }
                }
                Answer::Differs { difference: found, shortest: is_shortest } => {
                    differ.set(differ.get() + 1);
                    let depth = found.original.depth();
                    match shortest {
                        None if is_whole => return Err(format!("{}: differs, but it cannot", name())),
                        Some(known) if is_shortest && depth > known => {
                            return Err(format!("{}: {depth} is not shortest, {known} is", name()));
                        }
                        Some(known) if is_whole && depth < known => {
                            return Err(format!("{}: differs after {depth}, before {known}", name()));
                        }
                        _ => {}
                    }
                    difference::check(system, &properties, *mutant, &watched, &found)
                        .map_err(|error| format!("{}: {error}", name()))?;
                }
            }
        }
        Ok(())
    });
    if is_whole_run() {
        assert!(differ.get() > 20 && same.get() > 20, "{} differ, {} do not", differ.get(), same.get());
    }
}

/// Runs and proofs that are not what they say are not accepted.
#[test]
fn damaged_evidence_is_rejected() {
    let (runs, proofs) = (Cell::new(0), Cell::new(0));
    for_random_arith_systems(15, 46_000, |seed, system, explicit| {
        let Some(case) = Case::new(system, explicit) else { return Ok(()) };
        let truth = case.truth();
        let outcome = case.run(Method::default(), seed);
        for (finding, truth) in outcome.findings.iter().zip(truth.iter().flatten()) {
            match (&finding.status, truth) {
                // The run of a mutant that is killed kills no mutant that survives.
                (Status::Covered(kill), _) => {
                    for (other, row) in case.mutants.iter().zip(truth_of(&case, &outcome, finding.property)) {
                        if row == Some(false) && other.mutation != Mutation::Free {
                            let kill = Kill { free: Vec::new(), ..Kill::clone(kill) };
                            let checked = check_kills(&case.system, finding.property, &[(*other, &kill)]);
                            if checked.iter().any(Result::is_ok) {
                                return Err(format!("a run kills {other:?}, which survives"));
                            }
                            runs.set(runs.get() + 1);
                        }
                    }
                    let short = Stimulus { inputs: Vec::new(), ..Stimulus::clone(&kill.stimulus) };
                    let short = Kill { stimulus: Arc::new(short), ..Kill::clone(kill) };
                    let checked = check_kills(&case.system, finding.property, &[(finding.mutant, &short)]);
                    if checked.iter().any(Result::is_ok) {
                        return Err("a run without steps is accepted".to_owned());
                    }
                }
                // A proof of survival proves nothing of a mutant that is killed.
                (Status::Uncovered(proof), MutantTruth::Uncovered | MutantTruth::Open) => {
                    for (other, row) in case.mutants.iter().zip(truth_of(&case, &outcome, finding.property)) {
                        if row == Some(true) {
                            let edits = other.edits(&case.system);
                            let limits = Budget::default();
                            if check_proof(&case.system, &edits, finding.property, proof, &limits).is_ok() {
                                return Err(format!("a proof holds for {other:?}, which is killed"));
                            }
                            proofs.set(proofs.get() + 1);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    });
    if is_whole_run() {
        assert!(runs.get() > 3 && proofs.get() > 3, "{} runs, {} proofs", runs.get(), proofs.get());
    }
}

/// For each mutant, whether it is killed, if that was found out.
fn truth_of(case: &Case, outcome: &Outcome, property: PropertyId) -> Vec<Option<bool>> {
    let finding = |mutant: &Mutant| {
        let found =
            outcome.findings.iter().find(|finding| finding.property == property && finding.mutant == *mutant);
        match found.map(|finding| &finding.status) {
            Some(Status::Covered(_)) => Some(true),
            Some(Status::Uncovered(_)) => Some(false),
            _ => None,
        }
    };
    case.mutants.iter().map(finding).collect()
}

/// A number that is a step late may need a lemma about the memory that holds it.
#[test]
fn a_lemma_may_speak_of_what_was_a_step_before() {
    use propcov_ir::{BinaryOp, ElementKind, Site, Sort};
    let mut system = System::new();
    let count = system.add_state("count", Sort::Int);
    let (zero, one, limit) = (int(&mut system, 0), int(&mut system, 1), int(&mut system, 10));
    system.set_init(count, zero);
    let read = system.read(count);
    let more = system.exprs.apply(BinaryOp::Add, read, one);
    let below = system.exprs.apply(BinaryOp::Lt, read, limit);
    let next = system.exprs.ite(below, more, zero);
    let wire = system.add_wire("sum", next);
    let next = system.read(wire);
    system.set_next(count, next);
    let element = system.add_element("sum", ElementKind::Equation, Site::Wire(wire), None);
    let good = system.exprs.apply(BinaryOp::Le, next, limit);
    let property = system.add_property("p", PropertyKind::Invariant(good), None);
    system.add_variants();
    let target = prove(&system, property).expect("a proof");
    let mutants = system.mutants_of(element);
    let outcome = run(&system, &[target], &mutants, &[], &Options::default(), &Silent);
    let of = |mutation| {
        let is = |finding: &&propcov_ir::Finding| finding.mutant.mutation == mutation;
        outcome.findings.iter().find(is).map(|finding| finding.status.name())
    };
    assert_eq!(of(Mutation::Stale), Some("uncovered"), "{:?}", outcome.findings);
    assert_eq!(of(Mutation::OffByOne), Some("covered"));
    assert_eq!(of(Mutation::Zero), Some("uncovered"));
    assert_eq!(of(Mutation::Free), Some("covered"));
}

fn int(system: &mut System, value: i64) -> ExprId {
    system.exprs.constant(Value::Int(value.into()))
}
