//! Justice properties and formulas of linear time, against the definition: all infinite runs of small systems, listed. And evidence that is not quite right is not accepted.

use propcov_budget::Budget;
use propcov_certify::{Rejection, check_lasso, check_liveness, check_proof, with_loops};
use propcov_engine::liveness::{Ask, Search, Watch};
use propcov_engine::{Config, ENGINES, Limits, Silent, Stats, portfolio};
use propcov_ir::{
    Edits, Invariant, Lasso, LivenessProof, LivenessVerdict, Mutant, PropertyId, PropertyKind, Reduction,
    System, Value, Verdict,
};
use propcov_testkit::{
    ExplicitRuns, ExploreError, Random, for_random_liveness_systems, is_whole_run, random_edits,
};
use propcov_verify::{Answer, EngineChoice, Options, Silent as Quiet, Verifier};
use std::cell::Cell;
use std::sync::Arc;

/// Cases in the suite; more with `PROPCOV_CASES`.
const CASES: u64 = 60;

fn verifier(system: &System, limits: Limits) -> Verifier<'_> {
    Verifier::new(system, Options::default(), limits, &Quiet)
}

fn live(system: &System) -> Vec<PropertyId> {
    let ids = (0..system.properties().len() as u32).map(PropertyId);
    ids.filter(|id| system.property(*id).is_liveness()).collect()
}

/// How many of each kind hold and fail.
#[derive(Default)]
struct Tally {
    justice: [Cell<usize>; 2],
    linear: [Cell<usize>; 2],
}

impl Tally {
    fn note(&self, kind: &PropertyKind, holds: bool) {
        let kind = if matches!(kind, PropertyKind::Justice(_)) { &self.justice } else { &self.linear };
        let count = &kind[usize::from(holds)];
        count.set(count.get() + 1);
    }

    fn check(&self) {
        let counts: Vec<usize> = self.justice.iter().chain(&self.linear).map(Cell::get).collect();
        assert!(
            !is_whole_run() || counts.iter().all(|count| *count * 20 >= counts.iter().sum()),
            "{counts:?}"
        );
    }
}

#[test]
fn verdicts_are_those_of_the_definition_and_certified() {
    let tally = Tally::default();
    for_random_liveness_systems(CASES, 710_000, |_, system| {
        let edits = Edits::none();
        let runs = match ExplicitRuns::new(system, &edits) {
            Ok(runs) => runs,
            Err(ExploreError::TooLarge(_)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        };
        let properties = live(system);
        let verdicts = verifier(system, Limits::default()).decide(&properties, &mut |_| ());
        for outcome in &verdicts.outcomes {
            let name = &system.property(outcome.property).name;
            let holds = runs.holds(outcome.property);
            let expected = if holds { "proved" } else { "falsified" };
            if outcome.answer.name() != expected || !outcome.certified || !outcome.internal_errors.is_empty()
            {
                return Err(format!("{name} is {expected}, and is said to be {:?}", outcome));
            }
            tally.note(&system.property(outcome.property).kind, holds);
        }
        Ok(())
    });
    tally.check();
}

/// By decision diagrams and nobody else. Each proof is one of rounds, and each run a lasso of the system as written.
#[test]
fn decision_diagrams_alone_decide_every_finite_system_and_all_of_it_is_certified() {
    let tally = Tally::default();
    for_random_liveness_systems(CASES, 750_000, |_, system| {
        let edits = Edits::none();
        let Ok(runs) = ExplicitRuns::new(system, &edits) else { return Ok(()) };
        let options = Options { engine: EngineChoice::Bdd, ..Options::default() };
        let verifier = Verifier::new(system, options, Limits::default(), &Quiet);
        for outcome in verifier.decide(&live(system), &mut |_| ()).outcomes {
            let property = system.property(outcome.property);
            let holds = runs.holds(outcome.property);
            let expected = if holds { "proved" } else { "falsified" };
            let is_right = outcome.answer.name() == expected && outcome.engine == Some(EngineChoice::BDD);
            if !is_right || !outcome.certified || !outcome.internal_errors.is_empty() {
                return Err(format!("{} is {expected}, and is said to be {outcome:?}", property.name));
            }
            tally.note(&property.kind, holds);
        }
        Ok(())
    });
    tally.check();
}

/// Each reduction by itself, and each engine, under edits.
#[test]
fn all_engines_agree_on_both_reductions_under_edits() {
    let agreed = Cell::new(0);
    for_random_liveness_systems(CASES / 6, 720_000, |seed, system| {
        let mut random = Random::new(seed);
        let mut changed = system.clone();
        let edits = if random.percent(60) { random_edits(&mut random, &mut changed) } else { Edits::none() };
        let system = &changed;
        let Ok(runs) = ExplicitRuns::new(system, &edits) else { return Ok(()) };
        for property in live(system) {
            let name = &system.property(property).name;
            let holds = runs.holds(property);
            let certified = |verdict: &LivenessVerdict| match verdict {
                LivenessVerdict::Holds(Some(proof)) => {
                    check_liveness(system, &edits, property, proof, &Budget::default()).map(|()| Some(true))
                }
                LivenessVerdict::Fails(lasso) => {
                    check_lasso(system, &edits, property, lasso).map(|()| Some(false))
                }
                LivenessVerdict::Holds(None) | LivenessVerdict::Unknown(_) => Ok(None),
            };
            let compare = |who: &str, verdict: &LivenessVerdict| match certified(verdict) {
                Ok(Some(found)) if found != holds => {
                    Err(format!("{who} on {name}: {found}, and it is {holds}"))
                }
                Ok(_) => Ok(()),
                Err(rejection) => Err(format!("{who} on {name}: {rejection}")),
            };
            // The loop decides every finite system.
            let watch = Watch::new(system, property).map_err(|reason| reason.to_string())?;
            let loops = watch.loops(&edits);
            let limits = Limits::default();
            let report =
                portfolio::check(&loops.system, &edits, loops.property, &Config::default(), &limits, &Silent);
            let verdict = match report.verdict {
                Verdict::Proved(proof) => {
                    LivenessVerdict::Holds(Some(LivenessProof { reduction: loops.reduction.clone(), proof }))
                }
                Verdict::Falsified(run) => {
                    LivenessVerdict::Fails(loops.lasso(&run).ok_or_else(|| format!("{name}: no loop"))?)
                }
                Verdict::Unknown(reason) => return Err(format!("{name} by loops: {reason}")),
            };
            compare("loops", &verdict)?;
            for engine in ENGINES {
                let mut search =
                    Search::new(system, &edits, property).map_err(|reason| reason.to_string())?;
                let limits = limits.with_depth((!engine.proves).then_some(12));
                let (verdict, _) = search.round(
                    Ask::One(engine),
                    &Config::default(),
                    (2_000_000, None),
                    &limits,
                    &Silent,
                    &mut Stats::default(),
                );
                compare(engine.name, &verdict)?;
            }
            agreed.set(agreed.get() + 1);
        }
        Ok(())
    });
    assert!(!is_whole_run() || agreed.get() > 20, "{}", agreed.get());
}

/// What mutation and cores measure: with each liveness property as an invariant, every mutant violates the one exactly when it violates the other.
#[test]
fn mutants_violate_the_invariant_of_loops_exactly_when_they_violate_the_property() {
    let (killed, survived) = (Cell::new(0), Cell::new(0));
    for_random_liveness_systems(CASES / 3, 740_000, |seed, system| {
        let measured = with_loops(system).map_err(|rejection| rejection.to_string())?;
        let mut random = Random::new(seed);
        let mutants: Vec<Mutant> =
            system.element_ids().flat_map(|element| system.mutants_of(element)).collect();
        let mut edits = vec![Edits::none()];
        if !mutants.is_empty() {
            edits.extend((0..3).map(|_| random.pick(&mutants).edits(system)));
        }
        for edits in &edits {
            let Ok(runs) = ExplicitRuns::new(system, edits) else { continue };
            for property in live(system) {
                let (config, limits) = (Config::default(), Limits::default());
                let report = portfolio::check(&measured, edits, property, &config, &limits, &Silent);
                let holds = match report.verdict {
                    Verdict::Proved(proof) => {
                        check_proof(&measured, edits, property, &proof, &Budget::default())
                            .map_err(|rejection| rejection.to_string())?;
                        true
                    }
                    Verdict::Falsified(_) => false,
                    Verdict::Unknown(reason) => return Err(reason.to_string()),
                };
                if holds != runs.holds(property) {
                    let name = &system.property(property).name;
                    return Err(format!("{name} under {edits:?}: the invariant says {holds}"));
                }
                let count = if holds { &survived } else { &killed };
                count.set(count.get() + 1);
            }
        }
        Ok(())
    });
    assert!(!is_whole_run() || survived.get() > 50 && killed.get() > 50);
}

/// What is accepted is not accepted of another property, with another number, or with a lemma or a step that is wrong.
#[test]
fn damaged_evidence_is_rejected_unless_it_still_shows_the_truth() {
    let (rejected, lassos, proofs) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_random_liveness_systems(CASES / 2, 730_000, |seed, system| {
        let edits = Edits::none();
        let Ok(runs) = ExplicitRuns::new(system, &edits) else { return Ok(()) };
        let mut random = Random::new(seed);
        let properties = live(system);
        let engine = if random.percent(50) { EngineChoice::Bdd } else { EngineChoice::Portfolio };
        let options = Options { engine, ..Options::default() };
        let verifier = Verifier::new(system, options, Limits::default(), &Quiet);
        let verdicts = verifier.decide(&properties, &mut |_| ());
        for outcome in &verdicts.outcomes {
            // Whatever is accepted of whatever property, it has to be true.
            for other in &properties {
                let holds = runs.holds(*other);
                match &outcome.answer {
                    Answer::Liveness(LivenessVerdict::Fails(lasso)) => {
                        lassos.set(lassos.get() + 1);
                        for lasso in damaged_lassos(&mut random, lasso) {
                            let accepted = check_lasso(system, &edits, *other, &lasso);
                            if accepted.is_ok() && holds {
                                return Err(format!("{lasso:?} was accepted against what holds"));
                            }
                            rejected.set(rejected.get() + usize::from(accepted.is_err()));
                        }
                    }
                    Answer::Liveness(LivenessVerdict::Holds(Some(proof))) => {
                        proofs.set(proofs.get() + 1);
                        for proof in damaged_proofs(&mut random, proof) {
                            let accepted = check_liveness(system, &edits, *other, &proof, &Budget::default());
                            if accepted.is_ok() && !holds {
                                return Err(format!("{proof:?} was accepted for what fails"));
                            }
                            rejected.set(rejected.get() + usize::from(accepted.is_err()));
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    });
    let counts = [rejected.get(), lassos.get(), proofs.get()];
    assert!(!is_whole_run() || counts.iter().all(|count| *count > 100), "{counts:?}");
}

fn damaged_lassos(random: &mut Random, lasso: &Lasso) -> Vec<Lasso> {
    let steps = lasso.trace.steps.len();
    let mut damaged = vec![lasso.clone()];
    for loop_to in [0, lasso.loop_to.wrapping_sub(1), lasso.loop_to + 1, steps, usize::MAX] {
        damaged.push(Lasso { loop_to, ..lasso.clone() });
    }
    let mut shorter = lasso.clone();
    shorter.trace.steps.pop();
    damaged.push(shorter);
    for _ in 0..4 {
        let mut other = lasso.clone();
        let at = random.below(steps);
        let step = &mut other.trace.steps[at];
        let values = if random.percent(50) { &mut step.states } else { &mut step.inputs };
        if let Some(value) = values.first_mut() {
            *value = match &*value {
                Value::Enum(sort, position) => {
                    Value::Enum(sort.clone(), (position + 1) % sort.variants.len() as u32)
                }
                other => Value::zero(&other.sort()),
            };
        }
        damaged.push(other);
    }
    damaged
}

fn damaged_proofs(random: &mut Random, proof: &LivenessProof) -> Vec<LivenessProof> {
    let with = |reduction: Reduction| LivenessProof { reduction, proof: proof.proof.clone() };
    let mut damaged = vec![proof.clone()];
    match &proof.reduction {
        Reduction::Rounds { bound } => {
            damaged.push(with(Reduction::Rounds { bound: bound.saturating_sub(1) }));
            damaged.push(with(Reduction::Rounds { bound: bound + 1 }));
            damaged.push(with(Reduction::Rounds { bound: u32::MAX }));
            damaged.push(with(Reduction::Loop { states: Vec::new() }));
        }
        Reduction::Loop { states } => {
            damaged.push(with(Reduction::Loop { states: states.iter().skip(1).copied().collect() }));
            damaged.push(with(Reduction::Rounds { bound: 1 }));
        }
    }
    let invariant = &proof.proof.invariant;
    let changed = |lemmas: Vec<_>| {
        let mut other = proof.clone();
        other.proof.invariant = Arc::new(Invariant { exprs: invariant.exprs.clone(), lemmas });
        other
    };
    if !invariant.lemmas.is_empty() {
        let mut fewer = invariant.lemmas.clone();
        fewer.remove(random.below(invariant.lemmas.len()));
        damaged.push(changed(fewer));
    }
    let mut none = changed(Vec::new());
    none.proof.k = 1;
    damaged.push(none);
    damaged
}

#[test]
fn a_proof_or_a_run_of_something_else_is_malformed() {
    let mut system = System::new();
    let state = system.add_state("s", propcov_ir::Sort::BOOL);
    let read = system.read(state);
    let invariant = system.add_property("i", PropertyKind::Invariant(read), None);
    let justice = system.add_property("j", PropertyKind::Justice(vec![read]), None);
    let edits = Edits::none();
    let empty = Lasso { trace: Default::default(), loop_to: 0 };
    assert!(matches!(check_lasso(&system, &edits, justice, &empty), Err(Rejection::Trace(_))));
    assert!(matches!(check_lasso(&system, &edits, invariant, &empty), Err(Rejection::Unsupported(_))));
    assert!(matches!(check_lasso(&system, &edits, PropertyId(9), &empty), Err(Rejection::Malformed(_))));
}
