//! Reach against its definition: all runs of random systems are enumerated, for each set of assumptions that might be to blame.

use propcov_coverage::reach::{Answer, Blame, Effort, Question, Survey};
use propcov_engine::Limits;
use propcov_ir::{ConstraintId, Edits, System};
use propcov_testkit::{Explicit, Outcome, add_executions, for_random_systems, reachable_without};
use propcov_verify::{EngineChoice, Known, PanicLog, Silent};
use std::cell::Cell;

fn effort(seed: u64) -> Effort<'static> {
    Effort {
        engine: EngineChoice::default(),
        effort: propcov_verify::Effort::Default,
        is_brief: false,
        seed,
        limits: Limits::default(),
        progress: &Silent,
        panics: PanicLog::default(),
    }
}

/// The system with assumptions and executions, what is known by definition, and what was found out.
#[expect(clippy::type_complexity, reason = "three parts of one answer")]
fn surveyed(seed: u64, system: &System) -> Result<Option<(System, Vec<Vec<bool>>, Survey)>, String> {
    let mut system = system.clone();
    add_executions(seed, &mut system, 5);
    if system.assumptions().len() > 4 || system.validate().is_err() {
        return Ok(None);
    }
    let Ok(truth) = reachable_without(&system) else { return Ok(None) };
    let mut survey = Survey::new(Question::new(&system, |_| true));
    survey.work(&[] as &[Known], &effort(seed));
    match survey.internal_errors.first() {
        Some(error) => Err(error.clone()),
        None => Ok(Some((system, truth, survey))),
    }
}

#[test]
fn what_is_reached_and_who_is_to_blame_is_what_enumeration_says() {
    let [reached, dead, nobody, one, several] = [const { Cell::new(0_u32) }; 5];
    let count = |cell: &Cell<u32>| cell.set(cell.get() + 1);
    for_random_systems(600, 7_310_000, |seed, system| {
        let Some((system, truth, survey)) = surveyed(seed, system)? else { return Ok(()) };
        let assumptions = system.assumptions();
        let all = (1_usize << assumptions.len()) - 1;
        for (target, answer) in survey.question.targets.iter().zip(&survey.answers) {
            for execution in &target.executions {
                let position = system.executions().iter().position(|other| other == execution);
                let truth = &truth[position.ok_or("an execution that nobody asked about")?];
                match answer {
                    Answer::Unknown(reason) => return Err(format!("{execution:?} is open: {reason}")),
                    Answer::Reached { .. } if !truth[0] => return Err(format!("{execution:?} is dead")),
                    Answer::Dead { .. } if truth[0] => return Err(format!("{execution:?} is reached")),
                    Answer::Reached { .. } => count(&reached),
                    Answer::Dead { blame: Blame::Nobody, .. } => {
                        if truth[all] {
                            return Err(format!("{execution:?} is reached without assumptions"));
                        }
                        count(&nobody);
                    }
                    Answer::Dead { blame: Blame::Unknown(reason), .. } => {
                        return Err(format!("who is to blame for {execution:?} is open: {reason}"));
                    }
                    Answer::Dead { blame: Blame::Assumptions { set, is_minimal, .. }, .. } => {
                        let code = code(&assumptions, set);
                        if !truth[code] {
                            return Err(format!("{execution:?} is dead without {set:?}, too"));
                        }
                        if !is_minimal {
                            return Err(format!("{execution:?}: {set:?} may not be minimal"));
                        }
                        let smaller = (0..assumptions.len()).filter(|at| code >> at & 1 == 1);
                        if let Some(at) = smaller.into_iter().find(|at| truth[code & !(1 << at)]) {
                            return Err(format!("{execution:?}: of {set:?}, {at} is not needed"));
                        }
                        count(if set.len() == 1 { &one } else { &several });
                    }
                }
                if matches!(answer, Answer::Dead { .. }) {
                    count(&dead);
                }
            }
        }
        Ok(())
    });
    let counts = [reached, dead, nobody, one, several].map(|cell| cell.get());
    println!("{counts:?}");
    if propcov_testkit::is_whole_run() {
        assert!(counts.iter().all(|count| *count > 30), "not everything was tried: {counts:?}");
    }
}

fn code(assumptions: &[ConstraintId], set: &[ConstraintId]) -> usize {
    let bit = |id: &ConstraintId| assumptions.iter().position(|other| other == id).map_or(0, |at| 1 << at);
    set.iter().map(bit).sum()
}

/// A cover is a property like any other, and asked about together with those that are to hold.
#[test]
fn covers_are_decided_beside_other_properties_as_enumeration_says() {
    for_random_systems(1000, 7_330_000, |seed, system| {
        let mut system = system.clone();
        add_executions(seed, &mut system, 4);
        for (index, execution) in system.executions().to_vec().iter().enumerate() {
            system.add_cover(format!("cover{index}"), execution.condition, None);
        }
        if system.validate().is_err() {
            return Ok(());
        }
        let Ok(explicit) = Explicit::explore(&system, &Edits::none()) else { return Ok(()) };
        let is_invariant = |id: &propcov_ir::PropertyId| {
            matches!(system.property(*id).kind, propcov_ir::PropertyKind::Invariant(_))
        };
        let properties: Vec<propcov_ir::PropertyId> =
            (0..system.properties().len() as u32).map(propcov_ir::PropertyId).filter(is_invariant).collect();
        let verifier = propcov_verify::Verifier::new(
            &system,
            propcov_verify::Options::default(),
            Limits::default(),
            &Silent,
        );
        for outcome in verifier.decide(&properties, &mut |_| {}).outcomes {
            let known = propcov_verify::record::property(&system, &outcome);
            let is_violated = matches!(explicit.outcome(outcome.property), Outcome::Violated { .. });
            let expected = match (known.is_cover(), is_violated) {
                (true, true) => "reached",
                (true, false) => "unreachable",
                (false, true) => "falsified",
                (false, false) => "proved",
            };
            if known.verdict.name() != expected || !known.certified {
                return Err(format!("{}: {}, not {expected}", known.name, known.verdict.name()));
            }
        }
        Ok(())
    });
}
