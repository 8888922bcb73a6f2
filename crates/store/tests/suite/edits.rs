//! After an edit of the design, exactly that is taken over which means the same, as far as a reader of both can see.

use crate::common::{journal, properties, random_findings, recall, scratch};
use propcov_ir::{Meanings, Mutant, PropertyId, Status, System};
use propcov_testkit::{
    DesignEdit, Random, ctl_system, edit_design, for_random_ctl_systems, for_random_systems, means_the_same,
    random_system, reordered,
};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn meanings_are_equal_exactly_where_a_reader_sees_no_difference() {
    let check = |seed: u64, system: &System| {
        let random = &mut Random::new(seed);
        let Some((edited, edit)) = edit_design(random, system) else { return Ok(()) };
        let (before, after) = (Meanings::new(system), Meanings::new(&edited));
        for p in properties(system) {
            for q in properties(&edited) {
                let same = before.property(p) == after.property(q);
                if same != means_the_same(system, p, &edited, q) {
                    return Err(format!(
                        "{edit:?}: {p:?} and {q:?} have {}",
                        if same { "one meaning" } else { "two" }
                    ));
                }
            }
        }
        if edit == DesignEdit::Order && before.whole() != after.whole() {
            return Err("order matters".to_owned());
        }
        Ok(())
    };
    for_random_systems(1500, 45_000, check);
    for_random_ctl_systems(500, 46_000, check);
}

#[test]
fn each_kind_of_edit_keeps_something_and_changes_something() {
    let (mut kept, mut changed): (BTreeMap<String, usize>, BTreeMap<String, usize>) = Default::default();
    for seed in 0..600 {
        let system = if seed % 3 == 0 { ctl_system(seed) } else { random_system(seed) };
        let Some((edited, edit)) = edit_design(&mut Random::new(seed), &system) else { continue };
        let (before, after) = (Meanings::new(&system), Meanings::new(&edited));
        let kind = format!("{edit:?}").chars().take_while(|c| c.is_alphabetic()).collect::<String>();
        for (p, q) in properties(&system).into_iter().filter_map(|p| Some((p, named(&edited, &system, p)?))) {
            let count = if before.property(p) == after.property(q) { &mut kept } else { &mut changed };
            *count.entry(kind.clone()).or_default() += 1;
        }
    }
    for kind in ["Order", "Property", "Register", "Definition"] {
        assert!(kept.get(kind).is_some_and(|count| *count > 20), "{kind}: {kept:?}");
    }
    for kind in ["Constraint", "Definition"] {
        assert!(changed.get(kind).is_some_and(|count| *count > 20), "{kind}: {changed:?}");
    }
    for kind in ["Order", "Property", "Register"] {
        assert!(!changed.contains_key(kind), "{kind}: {changed:?}");
    }
}

/// The property of the same name.
fn named(edited: &System, system: &System, property: PropertyId) -> Option<PropertyId> {
    let name = &system.property(property).name;
    properties(edited).into_iter().find(|other| edited.property(*other).name == *name)
}

/// The mutant of the same place: names of elements are those of their signals, and edits of designs keep them.
fn same_mutant(edited: &System, system: &System, mutant: Mutant) -> Option<Mutant> {
    let name = &system.element(mutant.element).name;
    let element = edited.element_ids().find(|other| edited.element(*other).name == *name)?;
    let same = Mutant { element, ..mutant };
    edited.mutants_of(element).contains(&same).then_some(same)
}

#[test]
fn findings_are_taken_over_exactly_where_a_reader_sees_no_difference() {
    for_random_systems(300, 47_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = scratch();
        let findings = random_findings(random, system);
        journal(directory.path(), system).add_findings(&findings);
        let edits = edit_design(random, system);
        let Some((edited, edit)) = edits else { return Ok(()) };
        let recalled = recall(directory.path(), &edited, true);
        if let Some(claim) = recalled.without_evidence.first() {
            return Err(format!("{edit:?}: {claim:?} has no evidence"));
        }
        let mut exact: BTreeSet<(PropertyId, Mutant, &str)> = BTreeSet::new();
        let mut tried: BTreeSet<(PropertyId, Mutant, &str)> = BTreeSet::new();
        for claimed in &recalled.findings {
            let finding = &claimed.finding;
            let said = (finding.property, finding.mutant, finding.status.name());
            // What a random proof speaks of need not be what the property depends on.
            let is_kill = matches!(finding.status, Status::Covered(_));
            if claimed.is_exact || !is_kill && means_some(system, &edited, finding.property) {
                exact.insert(said);
            } else {
                tried.insert(said);
            }
        }
        let (mut expected, mut candidates) = (BTreeSet::new(), BTreeSet::new());
        for finding in &findings {
            let Some(mutant) = same_mutant(&edited, system, finding.mutant) else { continue };
            for property in properties(&edited) {
                if means_the_same(system, finding.property, &edited, property) {
                    expected.insert((property, mutant, finding.status.name()));
                }
            }
            if let Some(property) = named(&edited, system, finding.property)
                && !means_some(system, &edited, property)
            {
                candidates.insert((property, mutant, finding.status.name()));
            }
        }
        if exact != expected {
            return Err(format!("{edit:?}: {exact:?} instead of {expected:?}"));
        }
        if !candidates.is_subset(&tried) {
            return Err(format!("{edit:?}: {tried:?} instead of {candidates:?}"));
        }
        Ok(())
    });
}

/// Whether a property of the edited design is one of the design before.
fn means_some(system: &System, edited: &System, property: PropertyId) -> bool {
    properties(system).into_iter().any(|before| means_the_same(system, before, edited, property))
}

#[test]
fn runs_and_proofs_say_the_same_after_everything_was_reordered() {
    for_random_systems(150, 48_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = scratch();
        let findings = random_findings(random, system);
        journal(directory.path(), system).add_findings(&findings);
        let edited = reordered(random, system);
        let back = directory.path().join("back");
        let moved = recall(directory.path(), &edited, false);
        let moved: Vec<_> = moved.findings.into_iter().map(|claimed| claimed.finding).collect();
        journal(&back, &edited).add_findings(&moved);
        // Names of evidence follow from content, so they are the same in both directories.
        let names = |directory: &std::path::Path, system: &System| -> BTreeSet<String> {
            let recalled = recall(directory, system, false);
            recalled.findings.iter().map(|claimed| claimed.evidence.to_string()).collect()
        };
        if names(directory.path(), system) != names(&back, &edited) {
            return Err("names differ".to_owned());
        }
        Ok(())
    });
}
