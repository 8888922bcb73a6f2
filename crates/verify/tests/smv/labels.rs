//! Sets of states with ranks show each verdict on CTL properties, and never a wrong one.

use super::{all, design};
use propcov_budget::Budget;
use propcov_certify::{CtlProof, Label, Rejection, Why, check_labels};
use propcov_ir::{CtlVerdict, Edits, ExprId, Fairness, PropertyId, System};
use propcov_symbolic::{Checker, Options, Silent};
use propcov_testkit::{ExplicitCtl, Random, for_random_ctl_systems};
use propcov_verify::ctl_proof;

fn has_compassion(system: &System) -> bool {
    system.fairness.iter().any(|condition| matches!(condition, Fairness::Compassion(..)))
}

/// Calls back with each property, its verdict by definition, and the sets for it.
fn for_proofs(
    count: u64,
    seed: u64,
    check: impl Fn(u64, &System, PropertyId, bool, CtlProof) -> Result<(), String>,
) {
    for_random_ctl_systems(count, seed, |seed, system| {
        let edits = Edits::none();
        let Ok(oracle) = ExplicitCtl::new(system, &edits) else { return Ok(()) };
        let options = Options { demonstrate: false, ..Options::default() };
        let mut checker =
            Checker::new(system, options, &Budget::default(), &Silent).map_err(|why| why.to_string())?;
        for property in all(system) {
            let holds = oracle.holds(property);
            let verdict = verdict(holds);
            match checker.labelling(property, &verdict) {
                Ok(labelling) => check(seed, system, property, holds, ctl_proof(labelling))?,
                Err(why) if has_compassion(system) => assert_eq!(why, "compassion"),
                Err(why) => return Err(why),
            }
        }
        Ok(())
    });
}

fn verdict(holds: bool) -> CtlVerdict {
    if holds { CtlVerdict::Holds(None) } else { CtlVerdict::Fails(None) }
}

#[test]
fn sets_show_every_verdict_and_its_opposite_never() {
    for_proofs(600, 700_000, |_, system, property, holds, proof| {
        let budget = Budget::default();
        check_labels(system, property, &verdict(holds), &proof, &budget)
            .map_err(|rejection| format!("{property:?}: {rejection}"))?;
        match check_labels(system, property, &verdict(!holds), &proof, &budget) {
            Err(_) => Ok(()),
            Ok(()) => Err(format!("{property:?}: the opposite is accepted as well")),
        }
    });
}

/// All sets of a proof.
fn sets(proof: &mut CtlProof) -> Vec<&mut ExprId> {
    let mut found = vec![&mut proof.reachable];
    found.extend(proof.unfair.iter_mut().map(|removed| &mut removed.set));
    if let Some(fair) = &mut proof.fair {
        found.push(&mut fair.set);
        found.extend(fair.ranks.iter_mut().flatten());
    }
    let mut open = vec![&mut proof.label];
    while let Some(Label { set, why, parts }) = open.pop() {
        found.push(set);
        match why {
            Why::Plain => {}
            Why::Ranks(ranks) => found.extend(ranks),
            Why::Removal(removed) => found.extend(removed.iter_mut().map(|removed| &mut removed.set)),
            Why::Recurrence(recurrent, ranks) => {
                found.push(&mut recurrent.set);
                found.extend(recurrent.ranks.iter_mut().flatten());
                found.extend(ranks);
            }
        }
        open.extend(parts);
    }
    found
}

/// Sets that are larger, smaller or others than they should be show nothing that is not so.
#[test]
fn damaged_sets_show_no_wrong_verdict() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (rejected, accepted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for_proofs(300, 710_000, |seed, system, property, holds, proof| {
        let mut random = Random::new(seed ^ u64::from(property.0));
        for _ in 0..6 {
            let mut damaged = proof.clone();
            let (yes, no) = (damaged.exprs.bool(true), damaged.exprs.bool(false));
            for _ in 0..random.between(1, 3) {
                let other = {
                    let all: Vec<ExprId> = sets(&mut damaged).into_iter().map(|set| *set).collect();
                    all[random.below(all.len())]
                };
                let not = damaged.exprs.not(other);
                let new = [yes, no, other, not][random.below(4)];
                let mut all = sets(&mut damaged);
                let at = random.below(all.len());
                *all[at] = new;
            }
            let budget = Budget::default();
            if check_labels(system, property, &verdict(!holds), &damaged, &budget).is_ok() {
                return Err(format!("{property:?}: damaged sets show the opposite"));
            }
            match check_labels(system, property, &verdict(holds), &damaged, &budget) {
                Ok(()) => accepted.fetch_add(1, Ordering::Relaxed),
                Err(_) => rejected.fetch_add(1, Ordering::Relaxed),
            };
        }
        Ok(())
    });
    let (rejected, accepted) = (rejected.into_inner(), accepted.into_inner());
    assert!(rejected > accepted, "{rejected} rejected, {accepted} accepted: hardly anything is checked");
}

#[test]
fn sets_for_another_formula_are_malformed() {
    let text =
        "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\nSPEC AG EF x\nSPEC AF x\n";
    let design = design("toggle.smv", text);
    let mut checker =
        Checker::new(&design.system, Options::default(), &Budget::default(), &Silent).expect("small");
    let holds = CtlVerdict::Holds(None);
    let proof = ctl_proof(checker.labelling(PropertyId(0), &holds).expect("sets"));
    let check = |property: u32, proof: &CtlProof| {
        check_labels(&design.system, PropertyId(property), &holds, proof, &Budget::default())
    };
    assert_eq!(check(0, &proof), Ok(()));
    assert!(matches!(check(1, &proof), Err(Rejection::Malformed(_) | Rejection::Labels(_))));
    assert!(matches!(check(7, &proof), Err(Rejection::Malformed(_))));
}
