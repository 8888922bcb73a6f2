//! The sanity gate against the oracle: a run of enough steps exists iff a counter of steps can get that far.

use propcov_engine::gate::{Assumptions, STEPS, inspect};
use propcov_engine::{Limits, Stats};
use propcov_ir::{
    BinaryOp, ConstraintId, Edit, Edits, ElementKind, PropertyId, PropertyKind, Site, Sort, System,
};
use propcov_testkit::{Explicit, Outcome, for_random_systems};

/// The system with a counter of steps, and the property that it never reaches `steps - 1`.
fn with_counter(system: &System, steps: u32) -> (System, PropertyId) {
    let mut system = system.clone();
    let counter = system.add_state("steps", Sort::BitVec(3));
    let (now, one, zero) = (system.read(counter), system.exprs.bits(3, 1), system.exprs.bits(3, 0));
    let next = system.exprs.apply(BinaryOp::Add, now, one);
    system.set_init(counter, zero);
    system.set_next(counter, next);
    let last = system.exprs.bits(3, u64::from(steps - 1));
    let reached = system.exprs.eq(now, last);
    let never = system.exprs.not(reached);
    let property = system.add_property("never that far", PropertyKind::Invariant(never), None);
    (system, property)
}

/// Whether there is a run of that many steps with only these assumptions. `None` when there is too much to enumerate.
fn has_run(system: &System, steps: u32, kept: Option<&[ConstraintId]>) -> Option<bool> {
    let (system, property) = with_counter(system, steps);
    let mut edits = Edits::none();
    for element in system.element_ids() {
        if let (Site::Constraint(id), Some(kept)) = (system.element(element).site, kept)
            && !kept.contains(&id)
        {
            edits.insert(element, Edit::Free);
        }
    }
    let explicit = Explicit::explore(&system, &edits).ok()?;
    Some(matches!(explicit.outcome(property), Outcome::Violated { .. }))
}

#[test]
fn assumptions_conflict_iff_no_run_gets_far_enough_and_the_set_to_blame_is_minimal() {
    let conflicts = std::cell::Cell::new(0);
    for_random_systems(3_000, 80_000, |_, system| {
        let gate = inspect(system, &Edits::none(), &[], &Limits::default(), &mut Stats::default());
        match &gate.assumptions {
            Assumptions::Consistent => {
                if has_run(system, STEPS, None) == Some(false) {
                    return Err(format!("consistent, but no run has {STEPS} steps"));
                }
            }
            Assumptions::Unknown(reason) => return Err(reason.to_string()),
            Assumptions::Conflicting { step, conflict } => {
                conflicts.set(conflicts.get() + 1);
                if *step > 0 && has_run(system, *step, None) == Some(false) {
                    return Err(format!("no run has {step} steps, which is said to be possible"));
                }
                if has_run(system, step + 1, Some(conflict)) == Some(true) {
                    return Err(format!("{conflict:?} do not conflict"));
                }
                for left_out in conflict {
                    let rest: Vec<ConstraintId> =
                        conflict.iter().copied().filter(|other| other != left_out).collect();
                    if has_run(system, step + 1, Some(&rest)) == Some(false) {
                        return Err(format!("{conflict:?} is not minimal: {left_out:?} can be left out"));
                    }
                }
            }
        }
        Ok(())
    });
    assert!(conflicts.get() > 100, "only {} conflicts", conflicts.get());
}

#[test]
fn constant_properties_and_missing_ones_are_told() {
    let mut system = System::new();
    let input = system.add_input("i", Sort::BOOL);
    let input = system.read(input);
    let (yes, not) = (system.exprs.bool(true), system.exprs.not(input));
    let always = system.exprs.or(input, not);
    let never = system.exprs.and(input, not);
    for (name, expr) in [("literal", yes), ("always", always), ("never", never), ("open", input)] {
        system.add_property(name, PropertyKind::Invariant(expr), None);
    }
    let all: Vec<PropertyId> = (0..4).map(PropertyId).collect();
    let gate = inspect(&system, &Edits::none(), &all, &Limits::default(), &mut Stats::default());
    assert_eq!(gate.assumptions, Assumptions::Consistent);
    assert_eq!(gate.constant, [(PropertyId(0), true), (PropertyId(1), true), (PropertyId(2), false)]);
    assert_eq!(gate.obligations, 4);
    let gate = inspect(&system, &Edits::none(), &[], &Limits::default(), &mut Stats::default());
    assert_eq!(gate.obligations, 0);
}

#[test]
fn assumptions_that_contradict_each_other_are_named_and_the_harmless_one_is_not() {
    let mut system = System::new();
    let (a, b) = (system.add_input("a", Sort::BOOL), system.add_input("b", Sort::BOOL));
    let (a, b) = (system.read(a), system.read(b));
    let not_a = system.exprs.not(a);
    let ids: Vec<ConstraintId> = [("harmless", b), ("on", a), ("off", not_a)]
        .into_iter()
        .map(|(name, expr)| {
            let id = system.add_constraint(name, propcov_ir::ConstraintKind::Always, expr);
            system.add_element(name, ElementKind::Assumption, Site::Constraint(id), None);
            id
        })
        .collect();
    let gate = inspect(&system, &Edits::none(), &[], &Limits::default(), &mut Stats::default());
    assert_eq!(gate.assumptions, Assumptions::Conflicting { step: 0, conflict: vec![ids[1], ids[2]] });
}
