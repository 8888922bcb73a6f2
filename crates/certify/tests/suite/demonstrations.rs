//! Demonstrations of CTL verdicts are accepted exactly as far as they show something.

use crate::lassos::Lassos;
use crate::systems::values;
use propcov_budget::Budget;
use propcov_certify::{Evidence, Rejection, check_demonstration};
use propcov_ir::{
    BinaryOp, ConstraintKind, Ctl, CtlVerdict, Demonstration, Edits, Fairness, PropertyId, PropertyKind,
    Quantifier::{All, Exists},
    Sort, Step, System, UnknownReason, Value,
};
use propcov_testkit::{Random, ctl_system, for_random_ctl_systems};

fn check(system: &System, property: PropertyId, verdict: &CtlVerdict) -> Result<Evidence, Rejection> {
    check_demonstration(system, &Edits::none(), property, verdict, &Budget::default())
}

fn formula(system: &System, property: PropertyId) -> &Ctl {
    match &system.property(property).kind {
        PropertyKind::Ctl(formula) => formula,
        kind => panic!("{kind:?}"),
    }
}

/// What the oracle can demonstrate about a property: a verdict, and the state that it is about.
fn demonstrate(lassos: &Lassos<'_>, property: PropertyId) -> Option<(CtlVerdict, usize)> {
    let explicit = &lassos.explicit;
    let holds = explicit.holds(property);
    let claim = formula(lassos.system, property).normal_form(!holds);
    let satisfies = explicit.satisfies(&claim);
    let starts = |state: &usize| explicit.initial()[*state] && explicit.fair()[*state] && satisfies[*state];
    let state = (0..explicit.states().len()).find(starts)?;
    let shown = Some(lassos.demonstrate(&claim, state)?);
    Some((if holds { CtlVerdict::Holds(shown) } else { CtlVerdict::Fails(shown) }, state))
}

#[test]
fn what_the_graph_shows_is_accepted() {
    let complete = std::cell::Cell::new(0);
    for_random_ctl_systems(700, 300_000, |_, system| {
        let edits = Edits::none();
        let Some(lassos) = Lassos::new(system, &edits) else { return Ok(()) };
        for property in (0..system.properties().len() as u32).map(PropertyId) {
            let Some((verdict, _)) = demonstrate(&lassos, property) else { continue };
            let evidence = check(system, property, &verdict).map_err(|rejection| rejection.to_string())?;
            let holds = matches!(verdict, CtlVerdict::Holds(_));
            let claim = formula(system, property).normal_form(!holds);
            if claim.is_existential() && !evidence.believed.is_empty() {
                return Err(format!("{} need not be believed", system.show_ctl(&evidence.believed[0])));
            }
            if evidence.believed.iter().any(Ctl::is_existential) {
                return Err("runs can show what is existential".to_owned());
            }
            if !holds && evidence.other_initial_states {
                return Err("one initial state is enough to refute".to_owned());
            }
            complete.set(complete.get() + usize::from(evidence.is_complete()));
        }
        Ok(())
    });
    assert!(std::env::var("PROPCOV_SEED").is_ok() || complete.get() >= 300, "{complete:?}");
}

/// All demonstrations in the tree.
fn all_paths(root: &Demonstration) -> Vec<&Demonstration> {
    let mut found = vec![root];
    let mut position = 0;
    while position < found.len() {
        let branches = &found[position].branches;
        found.extend(branches.iter().map(|(_, branch)| branch));
        position += 1;
    }
    found
}

/// One of the demonstrations in the tree.
fn some_path<'d>(random: &mut Random, mut shown: &'d mut Demonstration) -> &'d mut Demonstration {
    while !shown.branches.is_empty() && random.percent(60) {
        let branch = random.below(shown.branches.len());
        shown = &mut shown.branches[branch].1;
    }
    shown
}

fn change(random: &mut Random, system: &System, values_of: &[propcov_ir::SignalId], place: &mut [Value]) {
    if !place.is_empty() {
        let at = random.below(place.len());
        place[at] = random.pick(&values(&system.signal(values_of[at]).sort)).clone();
    }
}

fn mutate(random: &mut Random, system: &System, root: &mut Demonstration) {
    let shown = some_path(random, root);
    let step = random.below(shown.steps.len());
    match random.below(8) {
        0 | 1 => change(random, system, system.states(), &mut shown.steps[step].states),
        2 => change(random, system, system.inputs(), &mut shown.steps[step].inputs),
        3 => shown.loop_to = Some(random.below(shown.steps.len())),
        4 if !shown.branches.is_empty() => {
            let branch = random.below(shown.branches.len());
            shown.branches.remove(branch);
        }
        5 if !shown.branches.is_empty() => {
            let branch = random.below(shown.branches.len());
            shown.branches[branch].0 = step;
        }
        6 => {
            shown.steps.truncate(step + 1);
            shown.loop_to = shown.loop_to.map(|to| to.min(step));
        }
        _ => {
            let again = shown.steps[step].clone();
            shown.steps.insert(step, again);
        }
    }
}

/// Says what is wrong with what was accepted, by the definition.
fn contradiction(lassos: &Lassos<'_>, evidence: &Evidence, root: &Demonstration) -> Option<String> {
    let explicit = &lassos.explicit;
    let position = |shown: &Demonstration| explicit.position(&shown.steps[0].states);
    let Some(first) = position(root) else { return Some("the first state is none".to_owned()) };
    if !explicit.initial()[first] || !explicit.fair()[first] {
        return Some("the first state is not a fair initial one".to_owned());
    }
    if !evidence.believed.is_empty() {
        return None;
    }
    let believes = |shown: &Demonstration| !shown.claim.is_existential();
    all_paths(root).into_iter().filter(|shown| !believes(shown)).find_map(|shown| {
        let is_so = position(shown).is_some_and(|state| explicit.satisfies(&shown.claim)[state]);
        (!is_so).then(|| format!("{} is not so", lassos.system.show_ctl(&shown.claim)))
    })
}

#[test]
fn what_is_changed_is_rejected_or_still_true() {
    let (mut changed, mut rejected) = (0, 0);
    for seed in 310_000..310_500 {
        let system = ctl_system(seed);
        let edits = Edits::none();
        let Some(lassos) = Lassos::new(&system, &edits) else { continue };
        let mut random = Random::new(seed);
        for property in (0..system.properties().len() as u32).map(PropertyId) {
            let Some((verdict, _)) = demonstrate(&lassos, property) else { continue };
            for _ in 0..6 {
                let mut mutant = verdict.clone();
                let (CtlVerdict::Holds(Some(shown)) | CtlVerdict::Fails(Some(shown))) = &mut mutant else {
                    continue;
                };
                let before = shown.clone();
                mutate(&mut random, &system, shown);
                if *shown == before {
                    continue;
                }
                let shown = shown.clone();
                changed += 1;
                match check(&system, property, &mutant) {
                    Err(_) => rejected += 1,
                    Ok(evidence) => {
                        let wrong = contradiction(&lassos, &evidence, &shown);
                        assert_eq!(wrong, None, "seed {seed}\n{system}{shown:?}");
                    }
                }
            }
        }
    }
    assert!(changed > 2000 && 10 * rejected > 5 * changed, "{rejected} of {changed}");
}

#[test]
fn a_demonstration_of_the_contrary_is_rejected() {
    let mut refused = 0;
    for seed in 320_000..320_600 {
        let system = ctl_system(seed);
        let edits = Edits::none();
        let Some(lassos) = Lassos::new(&system, &edits) else { continue };
        for property in (0..system.properties().len() as u32).map(PropertyId) {
            let Some((verdict, state)) = demonstrate(&lassos, property) else { continue };
            // Another claim on the same paths: what is false there can only be believed.
            let contrary = match verdict {
                CtlVerdict::Holds(Some(mut shown)) => {
                    shown.claim = formula(&system, property).normal_form(true);
                    CtlVerdict::Fails(Some(shown))
                }
                CtlVerdict::Fails(Some(mut shown)) => {
                    shown.claim = formula(&system, property).normal_form(false);
                    CtlVerdict::Holds(Some(shown))
                }
                other => panic!("{other:?}"),
            };
            match check(&system, property, &contrary) {
                Err(_) => refused += 1,
                Ok(evidence) => {
                    assert!(!evidence.believed.is_empty(), "seed {seed}, state {state}\n{system}");
                }
            }
        }
    }
    assert!(refused > 200, "{refused}");
}

/// A counter of two bits that an input may hold; 3 is to be reached.
fn counter() -> (System, PropertyId) {
    let mut system = System::new();
    let (hold, count) = (system.add_input("hold", Sort::BOOL), system.add_state("count", Sort::BitVec(2)));
    let (hold, read) = (system.read(hold), system.read(count));
    let (zero, one, three) = (system.exprs.bits(2, 0), system.exprs.bits(2, 1), system.exprs.bits(2, 3));
    let more = system.exprs.apply(BinaryOp::Add, read, one);
    let next = system.exprs.ite(hold, read, more);
    system.set_init(count, zero);
    system.set_next(count, next);
    let (is_three, yes) = (system.exprs.eq(read, three), system.exprs.bool(true));
    let formula = Ctl::Until(Exists, Box::new(Ctl::Atom(yes)), Box::new(Ctl::Atom(is_three)));
    let property = system.add_property("three", PropertyKind::Ctl(formula), None);
    (system, property)
}

fn step(hold: bool, count: u64) -> Step {
    let count = Value::Bits(propcov_ir::Bits::from_u64(2, count));
    Step { inputs: vec![Value::bool(hold)], states: vec![count], ..Step::default() }
}

fn counted(system: &System, property: PropertyId) -> Demonstration {
    Demonstration {
        claim: formula(system, property).clone(),
        steps: (0..4).map(|count| step(false, count)).collect(),
        loop_to: None,
        essential: 4,
        branches: Vec::new(),
    }
}

#[test]
fn a_path_may_end_only_where_every_path_goes_on() {
    let (mut system, property) = counter();
    let shown = counted(&system, property);
    let complete = |evidence: Evidence| evidence.is_complete();
    let verdict = |shown: &Demonstration| CtlVerdict::Holds(Some(shown.clone()));
    assert_eq!(check(&system, property, &verdict(&shown)).map(complete), Ok(true));
    let looping = Demonstration { loop_to: Some(0), ..shown.clone() };
    assert_eq!(check(&system, property, &verdict(&looping)).map(complete), Ok(true));
    let hold = system.inputs()[0];
    let hold = system.read(hold);
    system.fairness.push(Fairness::Justice(hold));
    assert!(matches!(check(&system, property, &verdict(&shown)), Err(Rejection::Trace(_))));
    assert!(matches!(check(&system, property, &verdict(&looping)), Err(Rejection::Trace(_))));
    let mut held = looping;
    held.steps.push(step(true, 3));
    held.steps.swap(3, 4);
    assert_eq!(check(&system, property, &verdict(&held)).map(complete), Ok(true));
    // Held outside the loop does not count.
    let outside = Demonstration { loop_to: Some(4), ..held };
    assert!(matches!(check(&system, property, &verdict(&outside)), Err(Rejection::Trace(_))));
}

#[test]
fn a_loop_that_meets_a_premise_meets_the_conclusion() {
    let (mut system, property) = counter();
    let shown = Demonstration { loop_to: Some(0), ..counted(&system, property) };
    let count = system.states()[0];
    let (read, one) = (system.read(count), system.exprs.bits(2, 1));
    let (hold, is_one) = (system.inputs()[0], system.exprs.eq(read, one));
    let hold = system.read(hold);
    let accepted = |system: &System, shown: &Demonstration| {
        check(system, property, &CtlVerdict::Holds(Some(shown.clone()))).is_ok()
    };
    // Holding for ever after 1 was seen infinitely often.
    system.fairness.push(Fairness::Compassion(is_one, hold));
    assert!(!accepted(&system, &shown));
    let mut held = shown.clone();
    held.steps.insert(1, step(true, 1));
    assert!(accepted(&system, &held));
    // The premise is met before the loop only.
    let mut at_rest = shown.clone();
    at_rest.steps[3] = step(true, 3);
    at_rest.loop_to = Some(3);
    system.fairness[0] = Fairness::Compassion(is_one, is_one);
    assert!(accepted(&system, &at_rest));
    let never = system.exprs.bool(false);
    system.fairness[0] = Fairness::Compassion(is_one, never);
    assert!(accepted(&system, &at_rest) && !accepted(&system, &shown));
}

#[test]
fn every_part_of_a_path_is_looked_at() {
    let (system, property) = counter();
    let rejected = |change: &dyn Fn(&mut Demonstration)| {
        let mut shown = counted(&system, property);
        change(&mut shown);
        check(&system, property, &CtlVerdict::Holds(Some(shown))).is_err()
    };
    assert!(!rejected(&|_| {}));
    assert!(rejected(&|shown| shown.steps[1].inputs[0] = Value::bool(true)), "it holds there");
    assert!(rejected(&|shown| shown.steps[2] = step(false, 1)), "that is not the next value");
    assert!(rejected(&|shown| drop(shown.steps.remove(0))), "not initial");
    assert!(rejected(&|shown| drop(shown.steps.pop())), "three is not reached");
    assert!(rejected(&|shown| shown.steps.clear()), "no path");
    assert!(rejected(&|shown| shown.loop_to = Some(1)), "3 is followed by 0");
    assert!(rejected(&|shown| shown.loop_to = Some(4)), "no such step");
    assert!(rejected(&|shown| shown.essential = 9), "no such steps");
    assert!(rejected(&|shown| shown.claim = Ctl::Not(Box::new(shown.claim.clone()))), "another claim");
    assert!(rejected(&|shown| shown.steps[3].states.clear()), "a value is missing");
    assert!(
        rejected(&|shown| shown.steps[0].inputs[0] = Value::Bits(propcov_ir::Bits::zero(2))),
        "a wrong sort"
    );
    assert!(
        rejected(&|shown| {
            let branch = Demonstration { steps: vec![step(false, 1)], ..shown.clone() };
            shown.branches.push((2, branch));
        }),
        "the branch starts elsewhere"
    );
    assert!(
        rejected(&|shown| {
            let branch = Demonstration { steps: vec![step(false, 2)], ..shown.clone() };
            shown.branches.push((2, branch));
        }),
        "the branch does not show its claim"
    );
}

#[test]
fn universal_parts_are_believed_unless_another_way_shows_it() {
    let (mut system, _) = counter();
    let count = system.states()[0];
    let (read, one, no) = (system.read(count), system.exprs.bits(2, 1), system.exprs.bool(false));
    let is_one = system.exprs.eq(read, one);
    let is_one = || Box::new(Ctl::Atom(is_one));
    let stays = Ctl::Release(All, Box::new(Ctl::Atom(no)), is_one());
    let mixed = Ctl::Next(Exists, Box::new(Ctl::And(is_one(), Box::new(stays.clone()))));
    let spared = Ctl::Next(Exists, Box::new(Ctl::Or(Box::new(stays.clone()), is_one())));
    let believed = |system: &mut System, claim: Ctl| {
        let property = system.add_property("p", PropertyKind::Ctl(claim), None);
        let shown = counted(system, property);
        check(system, property, &CtlVerdict::Holds(Some(shown))).expect("a path").believed
    };
    assert_eq!(believed(&mut system, mixed), [stays]);
    assert_eq!(believed(&mut system, spared), []);
}

#[test]
fn a_state_is_initial_also_by_other_inputs() {
    let (mut system, property) = counter();
    let hold = system.inputs()[0];
    let hold = system.read(hold);
    system.add_constraint("begin held", ConstraintKind::Initial, hold);
    let shown = counted(&system, property);
    assert!(check(&system, property, &CtlVerdict::Holds(Some(shown.clone()))).is_ok());
    let never = system.exprs.bool(false);
    system.add_constraint("never begin", ConstraintKind::Initial, never);
    assert!(check(&system, property, &CtlVerdict::Holds(Some(shown))).is_err());
}

#[test]
fn verdicts_without_runs_show_nothing() {
    let (system, property) = counter();
    let evidence = check(&system, property, &CtlVerdict::Fails(None)).expect("nothing wrong");
    assert_eq!(evidence.believed, [formula(&system, property).normal_form(true)]);
    assert!(!evidence.is_complete());
    let unknown = CtlVerdict::Unknown(UnknownReason::Timeout);
    assert!(matches!(check(&system, property, &unknown), Err(Rejection::Malformed(_))));
}
