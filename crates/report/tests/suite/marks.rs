//! What is known of cores, and the row that follows.

use propcov_report::{Core, Known, Mark, Minimality, Parts, Scope};

fn core(elements: &[usize], minimal: Minimality) -> Core {
    Core { elements: elements.to_vec(), minimal, invariants: Vec::new() }
}

#[test]
fn a_complete_list_tells_must_from_may_from_unused() {
    let cores = vec![core(&[0, 1], Minimality::Minimal), core(&[0, 2], Minimality::Minimal)];
    let known = Known { scope: Scope::All, cores, complete: true, ..Known::default() };
    assert_eq!(known.marks(4), [Mark::Must, Mark::May, Mark::May, Mark::Unused]);
}

#[test]
fn an_incomplete_list_leaves_open_what_it_did_not_come_to() {
    let cores = vec![core(&[0, 1], Minimality::Minimal), core(&[0, 2], Minimality::Unchecked)];
    let known = Known { scope: Scope::All, cores, ..Known::default() };
    // 0 is in both cores, but there may be others. 2 is in a core that may not be minimal. 3 may be in a core that was not found.
    assert_eq!(known.marks(4), [Mark::Core, Mark::May, Mark::Core, Mark::Unknown]);
}

#[test]
fn one_core_without_more_says_only_that() {
    let known = Known { cores: vec![core(&[0, 1], Minimality::Unchecked)], ..Known::default() };
    assert_eq!(known.marks(3), [Mark::Core, Mark::Core, Mark::Unused]);
}

#[test]
fn must_and_may_that_were_computed_by_themselves_count() {
    let must = Parts { sure: vec![0], unknown: vec![1] };
    let may = Parts { sure: vec![0, 2], unknown: vec![3] };
    let cores = vec![core(&[0, 1, 2], Minimality::Unchecked)];
    let known = Known { scope: Scope::All, cores, complete: false, must: Some(must), may: Some(may) };
    // 1 is not in MAY, so it is unused whatever the undecided question about MUST is.
    assert_eq!(known.marks(5), [Mark::Must, Mark::Unused, Mark::May, Mark::Unknown, Mark::Unused]);
}

#[test]
fn an_undecided_check_is_never_rounded() {
    let cores = vec![core(&[0, 1], Minimality::Undecided(vec![1]))];
    let known = Known { scope: Scope::All, cores, ..Known::default() };
    assert_eq!(known.marks(3), [Mark::Core, Mark::Core, Mark::Unknown]);
    let must = Parts { sure: vec![0], unknown: vec![1] };
    let known = Known { must: Some(must), ..known };
    assert_eq!(known.marks(3), [Mark::Must, Mark::Core, Mark::Unknown]);
}

#[test]
fn what_a_core_needs_is_in_some_minimal_core_even_if_the_rest_is_undecided() {
    let cores = vec![core(&[0, 1], Minimality::Undecided(vec![1])), core(&[2], Minimality::Minimal)];
    let known = Known { scope: Scope::All, cores, ..Known::default() };
    assert_eq!(known.marks(3), [Mark::May, Mark::Core, Mark::May]);
}

#[test]
fn without_cores_nothing_is_known() {
    assert_eq!(Known::default().marks(2), [Mark::Unknown, Mark::Unknown]);
}
