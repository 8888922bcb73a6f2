//! No small set meets all of a list of sets.
//!
//! An adequate set has an element outside each inadequate set. So it *meets* the complements of all inadequate sets, and how few elements can do that is a lower bound for its size.
//!
//! - A complement with one element forces it into every set that meets all. What it meets is done with.
//! - Complements that have no element in common need an element each. If there are enough of them, nothing has to be searched.
//! - Otherwise a solver is asked, with a *sequential counter* (C. Sinz: Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005): a literal for "at least j of the first i
//!   elements are chosen", implied by choices; more than the allowed number of them is forbidden. Elements in no complement are not chosen: they would only make the set larger.

use crate::Rejection;
use propcov_budget::Budget;
use propcov_ir::{ElementId, ElementSet};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use rustc_hash::FxHashMap;

/// Accepts that no set with fewer than `size` elements meets all of these sets.
pub(super) fn check_hitting_sets(
    mut to_meet: Vec<ElementSet>,
    size: usize,
    budget: &Budget,
) -> Result<(), Rejection> {
    if to_meet.iter().any(ElementSet::is_empty) {
        // Nothing meets the empty set.
        return Ok(());
    }
    let forced: ElementSet = to_meet.iter().filter(|set| set.len() == 1).flat_map(ElementSet::iter).collect();
    // At most so many others.
    let Some(allowed) = size.checked_sub(forced.len() + 1) else {
        return Ok(());
    };
    to_meet.retain(|set| set.intersection(&forced).is_empty());
    to_meet.sort();
    if without_common_element(&to_meet) > allowed {
        return Ok(());
    }
    if to_meet.is_empty() {
        return Err(Rejection::Unexplored(forced));
    }
    match meets_all(&to_meet, allowed, budget)? {
        None => Ok(()),
        Some(met) => Err(Rejection::Unexplored(met.union(&forced))),
    }
}

/// How many sets can be picked one after the other that have no element in common with those before.
fn without_common_element(sets: &[ElementSet]) -> usize {
    let mut used = ElementSet::new();
    let mut picked = 0;
    for set in sets {
        if set.iter().all(|element| !used.contains(element)) {
            used = used.union(set);
            picked += 1;
        }
    }
    picked
}

/// A set of at most so many elements that meets all of the sets.
fn meets_all(
    to_meet: &[ElementSet],
    allowed: usize,
    budget: &Budget,
) -> Result<Option<ElementSet>, Rejection> {
    let elements = to_meet.iter().fold(ElementSet::new(), |all, set| all.union(set));
    let mut solver = Cadical::new(CadicalConfig::default());
    let chosen: FxHashMap<ElementId, Lit> =
        elements.iter().map(|element| (element, solver.new_var().positive())).collect();
    for set in to_meet {
        let literals: Vec<Lit> = set.iter().map(|element| chosen[&element]).collect();
        solver.add_clause(&literals);
    }
    let in_order: Vec<Lit> = elements.iter().map(|element| chosen[&element]).collect();
    at_most(&mut solver, &in_order, allowed);
    match solver.solve(&[], budget) {
        Outcome::Unsat => Ok(None),
        Outcome::Unknown => Err(Rejection::Undecided),
        Outcome::Sat => {
            let kept = |element: &ElementId| solver.value(chosen[element]) == Some(true);
            Ok(Some(elements.iter().filter(kept).collect()))
        }
    }
}

/// At most so many of the literals are true. Clauses speak in one direction only: if there are fewer, the counter's literals can all be what they stand for.
fn at_most(solver: &mut impl Solver, literals: &[Lit], allowed: usize) {
    // At least j + 1 of the literals so far are true.
    let mut reached: Vec<Lit> = Vec::new();
    for &literal in literals {
        let now: Vec<Lit> =
            (0..allowed.min(reached.len() + 1)).map(|_| solver.new_var().positive()).collect();
        for (count, &at_least) in now.iter().enumerate() {
            if let Some(before) = reached.get(count) {
                solver.add_clause(&[!*before, at_least]);
            }
            match count.checked_sub(1) {
                None => solver.add_clause(&[!literal, at_least]),
                Some(fewer) => solver.add_clause(&[!literal, !reached[fewer], at_least]),
            }
        }
        match allowed.checked_sub(1) {
            None => solver.add_clause(&[!literal]),
            Some(most) => {
                if let Some(full) = reached.get(most) {
                    solver.add_clause(&[!literal, !*full]);
                }
            }
        }
        reached = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_testkit::Random;

    fn set(elements: &[u32]) -> ElementSet {
        elements.iter().copied().map(ElementId).collect()
    }

    #[test]
    fn at_most_n_means_at_most_n() {
        for count in 0..6u32 {
            for allowed in 0..=count as usize {
                for values in 0..1u32 << count {
                    let mut solver = Cadical::new(CadicalConfig::default());
                    let literals: Vec<Lit> = (0..count).map(|_| solver.new_var().positive()).collect();
                    at_most(&mut solver, &literals, allowed);
                    let fixed: Vec<Lit> = (0..count)
                        .map(|at| literals[at as usize].negated_if(values >> at & 1 == 0))
                        .collect();
                    let fits = values.count_ones() as usize <= allowed;
                    let expected = if fits { Outcome::Sat } else { Outcome::Unsat };
                    assert_eq!(solver.solve(&fixed, &Budget::default()), expected, "{values:b} {allowed}");
                }
            }
        }
    }

    /// The least number of elements that meet all sets, by trying all.
    fn fewest(sets: &[ElementSet], elements: u32) -> Option<usize> {
        let chosen = |code: u32| -> ElementSet {
            (0..elements).filter(|at| code >> at & 1 != 0).map(ElementId).collect()
        };
        let meets = |code: &u32| sets.iter().all(|set| !set.intersection(&chosen(*code)).is_empty());
        (0..1u32 << elements).filter(meets).map(|code| code.count_ones() as usize).min()
    }

    #[test]
    fn bounds_are_accepted_exactly_when_they_hold() {
        let (mut tight, mut searched) = (0, 0);
        for seed in 0..400 {
            let random = &mut Random::new(seed);
            let sets: Vec<ElementSet> = (0..random.below(8))
                .map(|_| (0..1 + random.below(3)).map(|_| ElementId(random.below(7) as u32)).collect())
                .collect();
            let least = fewest(&sets, 7);
            for size in 0..8 {
                let answer = check_hitting_sets(sets.clone(), size, &Budget::default());
                let holds = least.is_none_or(|least| least >= size);
                match &answer {
                    Ok(()) => assert!(holds, "seed {seed}: {sets:?} {size}"),
                    Err(Rejection::Unexplored(found)) => {
                        assert!(!holds && found.len() < size, "seed {seed}: {sets:?} {size}");
                        assert!(sets.iter().all(|set| !set.intersection(found).is_empty()));
                    }
                    Err(other) => panic!("seed {seed}: {other}"),
                }
            }
            tight += usize::from(least > Some(1));
            searched += usize::from(least.is_some_and(|least| least > without_common_element(&sets)));
        }
        assert!(tight > 100 && searched > 20, "{tight} {searched}: a lopsided test");
    }

    #[test]
    fn the_empty_set_cannot_be_met() {
        assert_eq!(check_hitting_sets(vec![set(&[])], 5, &Budget::default()), Ok(()));
        assert!(check_hitting_sets(vec![], 1, &Budget::default()).is_err());
        assert_eq!(check_hitting_sets(vec![], 0, &Budget::default()), Ok(()));
    }
}
