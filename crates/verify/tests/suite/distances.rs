//! Shortest and longest distances, against a search through all states of small systems.

use propcov_engine::Limits;
use propcov_ir::{Ctl, Edits, PropertyKind, UnknownReason};
use propcov_testkit::{ExplicitCtl, Random, ctl_system, is_whole_run};
use propcov_verify::{Distance, Length, Options, Silent, Verifier};

/// Cases in the suite; more with `PROPCOV_CASES`.
const CASES: u64 = 150;

fn seeds(first: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => first..first + number("PROPCOV_CASES").unwrap_or(CASES),
    }
}

/// As it is defined: among reachable fair states.
fn definition(explicit: &ExplicitCtl<'_>, distance: &Distance) -> Length {
    let is_one = |at: usize| explicit.distances()[at].is_some() && explicit.fair()[at];
    let count = explicit.states().len();
    let set = |formula: &Ctl| -> Vec<bool> {
        explicit.satisfies(formula).into_iter().enumerate().map(|(at, holds)| holds && is_one(at)).collect()
    };
    let (from, to) = (set(&distance.from), set(&distance.to));
    let follows = |state: usize| {
        explicit.edges().iter().filter(move |edge| edge.from == state && is_one(edge.to)).map(|edge| edge.to)
    };
    if distance.longest {
        if !from.contains(&true) || !to.contains(&true) {
            return Length::Undefined;
        }
        // Whether a path of so many steps stays outside.
        let mut stays: Vec<bool> = (0..count).map(|at| is_one(at) && !to[at]).collect();
        for steps in 0..=count as u32 {
            if !(0..count).any(|at| from[at] && stays[at]) {
                return Length::Steps(steps);
            }
            stays =
                (0..count).map(|at| is_one(at) && !to[at] && follows(at).any(|next| stays[next])).collect();
        }
        return Length::Infinite;
    }
    let mut here = from;
    for steps in 0..=count as u32 {
        if (0..count).any(|at| here[at] && to[at]) {
            return Length::Steps(steps);
        }
        let mut after = vec![false; count];
        for at in (0..count).filter(|at| here[*at]) {
            follows(at).for_each(|next| after[next] = true);
        }
        here = after;
    }
    Length::Infinite
}

#[test]
fn distances_are_those_of_a_search_and_certified() {
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    let (mut certified, mut all) = (0, 0);
    for seed in seeds(910_000) {
        let mut random = Random::new(seed);
        let system = ctl_system(seed);
        let edits = Edits::none();
        let Ok(explicit) = ExplicitCtl::new(&system, &edits) else { continue };
        let formulas: Vec<Ctl> = (system.properties().iter())
            .filter_map(|property| match &property.kind {
                PropertyKind::Ctl(formula) => Some(formula.clone()),
                _ => None,
            })
            .flat_map(|formula| {
                formula.atoms().into_iter().map(Ctl::Atom).chain([formula]).collect::<Vec<_>>()
            })
            .collect();
        let asked: Vec<Distance> = (0..6)
            .map(|at| Distance {
                from: random.pick(&formulas).clone(),
                to: random.pick(&formulas).clone(),
                longest: at % 2 == 1,
            })
            .collect();
        let verifier = Verifier::new(&system, Options::default(), Limits::default(), &Silent);
        for (distance, found) in asked.iter().zip(verifier.distances(&asked)) {
            assert!(found.internal_errors.is_empty(), "seed {seed}: {:?}", found.internal_errors);
            let length = match found.length {
                Ok(length) => length,
                // There is no fixpoint for compassion whose premise reads inputs.
                Err(UnknownReason::Unsupported(_)) => continue,
                Err(reason) => panic!("seed {seed}: {reason}"),
            };
            let expected = definition(&explicit, distance);
            let (one, two) = (system.show_ctl(&distance.from), system.show_ctl(&distance.to));
            assert_eq!(length, expected, "seed {seed}: from {one} to {two}, longest: {}", distance.longest);
            let kind = match length {
                Length::Steps(0) => "none".to_owned(),
                Length::Steps(_) => "some".to_owned(),
                other => format!("{other:?}"),
            };
            *seen.entry(format!("{kind} {}", distance.longest)).or_default() += 1;
            all += 1;
            certified += usize::from(found.uncertified.is_none());
        }
    }
    println!("{all} distances, {certified} certified: {seen:?}");
    // Compassion has no certificate but by listing.
    assert!(
        !is_whole_run() || all > 300 && certified * 10 > all * 9 && seen.len() >= 7,
        "{certified} of {all}, {seen:?}"
    );
}
