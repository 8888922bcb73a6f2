//! Inputs made part of the state, and definitions written out in properties, change no verdict, on random systems.

use propcov_ir::{
    Ctl, Edits, ExprId, Node, Property, PropertyId, PropertyKind, SignalId, SignalKind, System, Value,
};
use propcov_testkit::{
    Explicit, ExplicitCtl, ExploreError, Outcome, Random, for_random_coverage_systems,
    for_random_ctl_systems, for_random_systems,
};
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

fn properties(system: &System) -> impl Iterator<Item = PropertyId> {
    (0..system.properties().len() as u32).map(PropertyId)
}

/// Whether nobody asked for other cases than those of the test, of which something is known.
fn is_full_run() -> bool {
    ["PROPCOV_SEED", "PROPCOV_CASES"].iter().all(|name| std::env::var(name).is_err())
}

/// When a property fails; `None` if it holds.
fn violation(explicit: &Explicit, property: PropertyId) -> Option<usize> {
    match explicit.outcome(property) {
        Outcome::Violated { depth } => Some(depth),
        Outcome::Holds { .. } => None,
    }
}

/// The values of the first signals of reachable states, and how soon each is reached.
fn projected(explicit: &Explicit, signals: usize) -> BTreeMap<String, u32> {
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for (values, distance) in explicit.reachable_states() {
        let key = values.iter().take(signals).map(Value::to_string).collect::<Vec<_>>().join(" ");
        found.entry(key).and_modify(|least| *least = distance.min(*least)).or_insert(distance);
    }
    found
}

#[test]
fn inputs_that_are_part_of_the_state_leave_runs_as_they_are() {
    let (made, failing) = (Cell::new(0), Cell::new(0));
    for_random_systems(600, 520_000, |seed, system| {
        let mut random = Random::new(seed);
        let share = *random.pick(&[50, 100]);
        let inputs: Vec<SignalId> =
            system.inputs().iter().copied().filter(|_| random.percent(share)).collect();
        let mut changed = system.clone();
        inputs.iter().for_each(|input| changed.make_state(*input));
        changed.validate().map_err(|error| error.to_string())?;
        let own = system.states().len();
        let is_kept = changed.states()[..own] == *system.states() && changed.states()[own..] == inputs;
        if !is_kept || changed.inputs().iter().any(|input| inputs.contains(input)) {
            return Err("other states, or the inputs are still there".to_owned());
        }
        let before = Explicit::explore(system, &Edits::none()).map_err(|error| error.to_string())?;
        let after = match Explicit::explore(&changed, &Edits::none()) {
            Err(ExploreError::TooLarge(_)) => return Ok(()),
            after => after.map_err(|error| error.to_string())?,
        };
        if projected(&before, own) != projected(&after, own) {
            return Err("other states are reachable, or sooner".to_owned());
        }
        for property in properties(system) {
            let depths = (violation(&before, property), violation(&after, property));
            if depths.0 != depths.1 {
                return Err(format!("{}: {depths:?}", system.property(property).name));
            }
            failing.set(failing.get() + usize::from(depths.0.is_some_and(|depth| depth > 0)));
        }
        made.set(made.get() + inputs.len());
        Ok(())
    });
    if is_full_run() {
        assert!(made.get() > 300 && failing.get() > 50, "{made:?} inputs, {failing:?} failing properties");
    }
}

/// Whether a wire is written out: some are, depending on the seed.
fn is_chosen(seed: u64, wire: SignalId) -> bool {
    Random::new(seed.wrapping_add(u64::from(wire.0) << 32)).percent(60)
}

fn atoms(property: &Property) -> Vec<ExprId> {
    let of_kind = match &property.kind {
        PropertyKind::Invariant(expr) => vec![*expr],
        PropertyKind::Justice(exprs) => exprs.clone(),
        PropertyKind::Ctl(formula) => formula.atoms(),
        PropertyKind::Ltl(formula) => formula.atoms(),
    };
    of_kind.into_iter().chain(property.as_written.iter().flat_map(Ctl::atoms)).collect()
}

/// The wires that properties mention.
fn mentioned(system: &System) -> HashSet<SignalId> {
    let (mut found, mut seen) = (HashSet::new(), HashSet::new());
    let mut open: Vec<ExprId> = system.properties().iter().flat_map(atoms).collect();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            if let Node::Signal(signal) = system.exprs.node(expr)
                && matches!(system.signal(*signal).kind, SignalKind::Wire { .. })
            {
                found.insert(*signal);
            }
            open.extend(system.exprs.operands(expr));
        }
    }
    found
}

/// The system with some wires written out, and how many of these its properties mentioned; checks that they do so no longer, and that all else is
/// the same.
fn written_out(seed: u64, system: &System) -> Result<(System, usize), String> {
    let mut changed = system.clone();
    changed.write_out_in_properties(|_, wire| is_chosen(seed, wire)).map_err(|error| error.to_string())?;
    changed.validate().map_err(|error| error.to_string())?;
    let mentioned_now = mentioned(&changed);
    if let Some(wire) = mentioned_now.iter().find(|wire| is_chosen(seed, **wire)) {
        return Err(format!("{} is still mentioned", system.signal(*wire).name));
    }
    let before = mentioned(system);
    if let Some(wire) = before.iter().find(|wire| !is_chosen(seed, **wire) && !mentioned_now.contains(wire)) {
        return Err(format!("{} is written out", system.signal(*wire).name));
    }
    if !changed
        .signals()
        .iter()
        .map(|signal| &signal.kind)
        .eq(system.signals().iter().map(|signal| &signal.kind))
    {
        return Err("signals are different".to_owned());
    }
    Ok((changed, before.iter().filter(|wire| is_chosen(seed, **wire)).count()))
}

#[test]
fn definitions_written_out_in_invariants_change_no_verdict() {
    let gone = Cell::new(0);
    for_random_systems(600, 521_000, |seed, system| {
        let (changed, count) = written_out(seed, system)?;
        gone.set(gone.get() + count);
        let explore = |system| Explicit::explore(system, &Edits::none()).map_err(|error| error.to_string());
        let (before, after) = (explore(system)?, explore(&changed)?);
        for property in properties(system) {
            let outcomes = (before.outcome(property), after.outcome(property));
            if outcomes.0 != outcomes.1 {
                return Err(format!("{}: {outcomes:?}", system.property(property).name));
            }
        }
        Ok(())
    });
    if is_full_run() {
        assert!(gone.get() > 100, "{gone:?} wires");
    }
}

/// Whether each CTL formula, also as it is written, holds in both.
fn same_ctl(system: &System, changed: &System) -> Result<(), String> {
    let none = Edits::none();
    let new = |system| ExplicitCtl::new(system, &none).map_err(|error| error.to_string());
    let (before, after) = (new(system)?, new(changed)?);
    for (old, new) in system.properties().iter().zip(changed.properties()) {
        let formulas = |property: &Property| -> Vec<Ctl> {
            let whole = match &property.kind {
                PropertyKind::Ctl(formula) => Some(formula.clone()),
                _ => None,
            };
            whole.into_iter().chain(property.as_written.clone()).collect()
        };
        let (old_formulas, new_formulas) = (formulas(old), formulas(new));
        let holds = |ctl: &ExplicitCtl<'_>, formulas: &[Ctl]| -> Vec<bool> {
            formulas.iter().map(|formula| ctl.holds_initially(formula)).collect()
        };
        if holds(&before, &old_formulas) != holds(&after, &new_formulas) {
            return Err(format!("{} has another verdict", old.name));
        }
    }
    Ok(())
}

#[test]
fn definitions_written_out_in_ctl_formulas_change_no_verdict() {
    let gone = Cell::new(0);
    for_random_ctl_systems(300, 522_000, |seed, system| {
        let (changed, count) = written_out(seed, system)?;
        gone.set(gone.get() + count);
        same_ctl(system, &changed)
    });
    for_random_coverage_systems(300, 523_000, |seed, system, _| {
        let (changed, count) = written_out(seed, system)?;
        gone.set(gone.get() + count);
        same_ctl(system, &changed)
    });
    if is_full_run() {
        assert!(gone.get() > 50, "{gone:?} wires");
    }
}
