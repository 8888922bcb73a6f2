//! What is known of cores, and the row that follows.

use crate::fixtures::{Scope, matrix};
use propcov_report::Mark;
use propcov_result::{CoreRow, CoreSet};

/// Whether a core can do without any of its elements.
#[derive(Clone, Debug)]
enum Minimality {
    Minimal,
    Unchecked,
    Undecided(Vec<u32>),
}

/// A set of which some members may be unknown.
#[derive(Clone, Debug)]
struct Parts {
    sure: Vec<u32>,
    unknown: Vec<u32>,
}

/// What somebody found out.
#[derive(Clone, Debug, Default)]
struct Known {
    cores: Vec<CoreSet>,
    complete: bool,
    must: Option<Parts>,
    may: Option<Parts>,
}

impl Known {
    fn marks(&self, elements: u32) -> Vec<Mark> {
        let sure = |parts: &Option<Parts>| parts.as_ref().map(|parts| parts.sure.clone());
        let unknown = |parts: &Option<Parts>| parts.as_ref().map(|parts| parts.unknown.clone());
        let row = CoreRow {
            holds: true,
            universe: (0..elements).collect(),
            cores: self.cores.clone(),
            complete: self.complete,
            must: sure(&self.must),
            must_unknown: unknown(&self.must).unwrap_or_default(),
            may: sure(&self.may),
            may_unknown: unknown(&self.may).unwrap_or_default(),
            ..CoreRow::default()
        };
        let marks = propcov_report::marks::marks(&row);
        (0..elements).map(|element| marks[&element]).collect()
    }
}

fn core(elements: &[u32], minimal: Minimality) -> CoreSet {
    let (minimal, undecided) = match minimal {
        Minimality::Minimal => (propcov_result::Minimality::Minimal, Vec::new()),
        Minimality::Unchecked => (propcov_result::Minimality::Unchecked, Vec::new()),
        Minimality::Undecided(open) => (propcov_result::Minimality::Undecided, open),
    };
    CoreSet { elements: elements.to_vec(), minimal, undecided, invariants: Vec::new() }
}

#[test]
fn a_complete_list_tells_must_from_may_from_unused() {
    let cores = vec![core(&[0, 1], Minimality::Minimal), core(&[0, 2], Minimality::Minimal)];
    let known = Known { cores, complete: true, ..Known::default() };
    assert_eq!(known.marks(4), [Mark::Must, Mark::May, Mark::May, Mark::Unused]);
}

#[test]
fn an_incomplete_list_leaves_open_what_it_did_not_come_to() {
    let cores = vec![core(&[0, 1], Minimality::Minimal), core(&[0, 2], Minimality::Unchecked)];
    let known = Known { cores, ..Known::default() };
    // 0 is in both cores, but there may be others. 2 is in a core that may not be minimal. 3 may be in a core that was not found.
    assert_eq!(known.marks(4), [Mark::Core, Mark::May, Mark::Core, Mark::Unknown]);
}

#[test]
fn one_core_without_more_says_only_that() {
    let known = Known { cores: vec![core(&[0, 1], Minimality::Unchecked)], ..Known::default() };
    assert_eq!(known.marks(3), [Mark::Core, Mark::Core, Mark::Unknown]);
}

#[test]
fn must_and_may_that_were_computed_by_themselves_count() {
    let must = Parts { sure: vec![0], unknown: vec![1] };
    let may = Parts { sure: vec![0, 2], unknown: vec![3] };
    let cores = vec![core(&[0, 1, 2], Minimality::Unchecked)];
    let known = Known { cores, complete: false, must: Some(must), may: Some(may) };
    // 1 is not in MAY, so it is unused whatever the undecided question about MUST is.
    assert_eq!(known.marks(5), [Mark::Must, Mark::Unused, Mark::May, Mark::Unknown, Mark::Unused]);
}

#[test]
fn a_core_of_must_elements_is_the_only_one() {
    let must = Parts { sure: vec![0, 1], unknown: vec![] };
    let cores = vec![core(&[0, 1], Minimality::Unchecked)];
    let known = Known { cores, must: Some(must), ..Known::default() };
    assert_eq!(known.marks(3), [Mark::Must, Mark::Must, Mark::Unused]);
    let nothing = Known { cores: vec![core(&[], Minimality::Unchecked)], ..Known::default() };
    assert_eq!(nothing.marks(1), [Mark::Unused]);
}

#[test]
fn what_each_property_says_is_said_of_all_together() {
    let mut set = matrix(
        "p.lus",
        &["a", "b", "c", "d"],
        Scope::All,
        &[("p", &[&["a", "c"], &["a", "d"]]), ("q", &[&["a"]])],
    );
    let universe = set.cores[0].universe.clone();
    set.cores.push(CoreRow { holds: true, universe, ..CoreRow::default() });
    let csv = propcov_report::csv::matrix(&set);
    // A core with c may be larger than others of all together.
    assert!(csv.ends_with("all together,proved,0,no,must,,unknown,unknown\r\n"), "{csv}");
}

#[test]
fn without_a_proof_there_are_no_cores() {
    let row = CoreRow { universe: vec![3], ..CoreRow::default() };
    assert_eq!(propcov_report::marks::marks(&row).get(&3), Some(&Mark::NoProof));
}

#[test]
fn an_undecided_check_is_never_rounded() {
    let cores = vec![core(&[0, 1], Minimality::Undecided(vec![1]))];
    let known = Known { cores, ..Known::default() };
    assert_eq!(known.marks(3), [Mark::Core, Mark::Core, Mark::Unknown]);
    let must = Parts { sure: vec![0], unknown: vec![1] };
    let known = Known { must: Some(must), ..known };
    assert_eq!(known.marks(3), [Mark::Must, Mark::Core, Mark::Unknown]);
}

#[test]
fn what_a_core_needs_is_in_some_minimal_core_even_if_the_rest_is_undecided() {
    let cores = vec![core(&[0, 1], Minimality::Undecided(vec![1])), core(&[2], Minimality::Minimal)];
    let known = Known { cores, ..Known::default() };
    assert_eq!(known.marks(3), [Mark::May, Mark::Core, Mark::May]);
}

#[test]
fn without_cores_nothing_is_known() {
    assert_eq!(Known::default().marks(2), [Mark::Unknown, Mark::Unknown]);
}

/// Sets of elements as bits.
fn bits(set: u32) -> Vec<u32> {
    (0..ELEMENTS).filter(|element| set >> element & 1 == 1).collect()
}

const ELEMENTS: u32 = 6;
const EVERYTHING: u32 = (1 << ELEMENTS) - 1;

/// The minimal sets of a random family.
fn random_minimal_cores(random: &mut fastrand::Rng) -> Vec<u32> {
    let family: Vec<u32> = (0..random.usize(1..6)).map(|_| random.u32(0..=EVERYTHING)).collect();
    let inside = |one: u32, other: u32| one != other && one & other == one;
    let mut minimal: Vec<u32> =
        family.iter().copied().filter(|&set| !family.iter().any(|&other| inside(other, set))).collect();
    minimal.sort_unstable();
    minimal.dedup();
    minimal
}

/// What somebody could have found out about it in part.
fn random_knowledge(minimal: &[u32], random: &mut fastrand::Rng) -> Known {
    let adequate = |set: u32| minimal.iter().any(|&core| core & !set == 0);
    let mut cores = Vec::new();
    for &core in minimal {
        let set = core | (random.u32(0..=EVERYTHING) & random.u32(0..=EVERYTHING));
        let unneeded =
            (0..ELEMENTS).filter(|x| adequate(set & !(1 << x))).fold(0, |sum, x| sum | 1 << x) & set;
        match random.u8(0..4) {
            0 => cores.push(self::core(&bits(core), Minimality::Minimal)),
            1 => cores.push(self::core(&bits(set), Minimality::Unchecked)),
            2 => {
                let doubtful = unneeded | (random.u32(0..=EVERYTHING) & set);
                cores.push(self::core(&bits(set), Minimality::Undecided(bits(doubtful))));
            }
            _ => {}
        }
    }
    let mut parts = |set: u32| {
        let unknown = random.u32(0..=EVERYTHING);
        random.bool().then(|| Parts { sure: bits(set & !unknown), unknown: bits(unknown) })
    };
    let must = parts(minimal.iter().fold(EVERYTHING, |all, core| all & core));
    let may = parts(minimal.iter().fold(0, |all, core| all | core));
    Known { cores, complete: false, must, may }
}

#[test]
fn marks_agree_with_the_definition_and_claim_no_more_than_is_known() {
    let mut random = fastrand::Rng::with_seed(5);
    for case in 0..5000 {
        let minimal = random_minimal_cores(&mut random);
        let every = minimal.iter().fold(EVERYTHING, |all, core| all & core);
        let some = minimal.iter().fold(0, |all, core| all | core);
        let has = |set: u32, element: usize| set >> element & 1 == 1;
        let cores = minimal.iter().map(|&set| core(&bits(set), Minimality::Minimal)).collect();
        let complete = Known { cores, complete: true, ..Known::default() };
        for (element, mark) in complete.marks(ELEMENTS).into_iter().enumerate() {
            let expected = match (has(every, element), has(some, element)) {
                (true, _) => Mark::Must,
                (false, true) => Mark::May,
                (false, false) => Mark::Unused,
            };
            assert_eq!(mark, expected, "case {case}: {minimal:?}, element {element}");
        }
        let partly = random_knowledge(&minimal, &mut random);
        for (element, mark) in partly.marks(ELEMENTS).into_iter().enumerate() {
            let right = match mark {
                Mark::Must => has(every, element),
                Mark::May => has(some, element) && !has(every, element),
                Mark::Unused => !has(some, element),
                Mark::Core | Mark::Unknown => true,
                Mark::NoProof => false,
            };
            assert!(right, "case {case}: {minimal:?}, {partly:?}: element {element} is not {mark:?}");
        }
    }
}
