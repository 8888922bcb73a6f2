//! Random systems for coverage are worth their time, and coverage by definition has the properties that one expects of it.

use propcov_ir::{Ctl, Edits, ExprId, Node, PropertyKind, System};
use propcov_testkit::{
    CoverageError, CoverageQuestion, ExplicitCtl, Flip, Semantics, coverage_system, covered_states,
    covered_transitions, fair_transitions, for_random_coverage_systems, observable_expressions, shrink,
};
use std::cell::Cell;

/// The formulas of properties that hold: whole, and as written.
fn holding<'s>(system: &'s System, explicit: &ExplicitCtl<'_>) -> Vec<(&'s Ctl, Option<&'s Ctl>)> {
    let formulas = system.properties().iter().filter_map(|property| match &property.kind {
        PropertyKind::Ctl(formula) => Some((formula, property.as_written.as_ref())),
        _ => None,
    });
    formulas.filter(|(formula, _)| explicit.holds_initially(formula)).collect()
}

fn states(
    system: &System,
    explicit: &ExplicitCtl<'_>,
    formula: &Ctl,
    observed: ExprId,
    semantics: Semantics,
    flip: Flip,
) -> Option<Vec<bool>> {
    let question = CoverageQuestion { formula, observed, semantics, flip };
    covered_states(system, explicit, &question).expect("it holds")
}

#[test]
fn all_flips_noticed_is_less_than_some_and_mutation_knows_no_implications() {
    let [measured, partly, apart, several] = [0; 4].map(Cell::new);
    let count = |cell: &Cell<usize>, when: bool| cell.set(cell.get() + usize::from(when));
    let test = |_: u64, system: &System, observed: &[ExprId]| -> Result<(), String> {
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(system, &edits).map_err(|error| error.to_string())?;
        for (formula, as_written) in holding(system, &explicit) {
            for &observed in observed {
                let states = |formula: &Ctl, semantics, flip| {
                    states(system, &explicit, formula, observed, semantics, flip)
                };
                for semantics in [Semantics::Mutation, Semantics::Observability] {
                    let (any, all) =
                        (states(formula, semantics, Flip::Any), states(formula, semantics, Flip::All));
                    let (Some(any), Some(all)) = (any, all) else { continue };
                    if any.iter().zip(&all).any(|(any, all)| *all && !any) {
                        return Err("all is more than any".to_owned());
                    }
                    count(&several, any != all);
                    if semantics == Semantics::Observability {
                        count(&measured, true);
                        let in_space = explicit.fair_reachable();
                        let covered = any.iter().filter(|covered| **covered).count();
                        count(&partly, covered > 0 && covered < in_space);
                    }
                }
                // An implication that is observed itself is no longer there when it is taken apart.
                let is_signal = matches!(system.exprs.node(observed), Node::Signal(_));
                let Some(as_written) = as_written.filter(|_| is_signal) else { continue };
                if states(formula, Semantics::Mutation, Flip::Any)
                    != states(as_written, Semantics::Mutation, Flip::Any)
                {
                    return Err("mutation depends on how an implication is written".to_owned());
                }
                let whole = states(formula, Semantics::Observability, Flip::Any);
                let parts = states(as_written, Semantics::Observability, Flip::Any);
                count(&apart, whole.is_some() && whole != parts);
            }
        }
        Ok(())
    };
    for_random_coverage_systems(200, 41_000, test);
    if std::env::var("PROPCOV_SEED").is_err() && std::env::var("PROPCOV_CASES").is_err() {
        let counts = [measured.get(), partly.get(), apart.get(), several.get()];
        println!("{counts:?}");
        assert!(counts[0] >= 600 && counts[1] >= 100 && counts[2] >= 30 && counts[3] >= 30, "{counts:?}");
    }
}

#[test]
fn a_state_with_one_way_in_is_covered_as_that_way_is() {
    // A state that is not initial and has one transition into it is its copy, when that transition is redirected.
    let compared = Cell::new(0usize);
    for_random_coverage_systems(200, 42_000, |_, system, observed| {
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(system, &edits).map_err(|error| error.to_string())?;
        let reached = explicit.distances().iter().map(Option::is_some).collect::<Vec<_>>();
        let mut ways: Vec<(usize, usize)> =
            explicit.edges().iter().map(|edge| (edge.from, edge.to)).filter(|way| reached[way.0]).collect();
        ways.dedup();
        let space = fair_transitions(&explicit);
        let is_only = |way: &&(usize, usize)| {
            ways.iter().filter(|other| other.1 == way.1).count() == 1 && !explicit.initial()[way.1]
        };
        let only: Vec<(usize, usize)> = space.iter().filter(is_only).copied().collect();
        if space.len() > 200 {
            return Ok(());
        }
        for (formula, _) in holding(system, &explicit) {
            for &observed in observed {
                for semantics in [Semantics::Mutation, Semantics::Observability] {
                    let question = CoverageQuestion { formula, observed, semantics, flip: Flip::Any };
                    let states = covered_states(system, &explicit, &question).expect("it holds");
                    let transitions = covered_transitions(system, &explicit, &question).expect("it holds");
                    let (Some(states), Some(transitions)) = (states, transitions) else { continue };
                    if !transitions.is_subset(&space) {
                        return Err("a transition is covered which is not fair or not reachable".to_owned());
                    }
                    for way in &only {
                        if states[way.1] != transitions.contains(way) {
                            return Err(format!("{way:?} differs from its target"));
                        }
                        compared.set(compared.get() + usize::from(states[way.1]));
                    }
                }
            }
        }
        Ok(())
    });
    if std::env::var("PROPCOV_SEED").is_err() && std::env::var("PROPCOV_CASES").is_err() {
        assert!(compared.get() >= 100, "{}", compared.get());
    }
}

#[test]
fn what_does_not_hold_has_no_coverage() {
    let mut refused = 0;
    for seed in 43_000..43_050 {
        let system = coverage_system(seed);
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(&system, &edits).expect("small");
        for property in system.properties() {
            let PropertyKind::Ctl(formula) = &property.kind else { continue };
            let Some(&observed) = observable_expressions(&system).first() else { continue };
            let (semantics, flip) = (Semantics::Mutation, Flip::Any);
            let question = CoverageQuestion { formula, observed, semantics, flip };
            let answer = covered_states(&system, &explicit, &question);
            let fails = !explicit.holds_initially(formula);
            assert_eq!(answer == Err(CoverageError::Fails), fails, "seed {seed}, {}", property.name);
            refused += usize::from(fails);
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_system_with_a_formula_as_written_keeps_it_while_it_shrinks() {
    let is_written =
        |system: &System| system.properties().iter().any(|property| property.as_written.is_some());
    let system = (44_000..44_100).map(coverage_system).find(|system| is_written(system)).expect("some have");
    let small = shrink(&system, |system| is_written(system));
    assert!(is_written(&small));
    assert_eq!(small.properties().len(), 1);
    assert!(small.signals().len() < system.signals().len());
}
