//! Comparisons on random edits of designs: what moved is no change, what was removed, added, renamed, or stands otherwise is said, and nothing else.

use crate::cases;
use crate::made::{FILE, Line, Made, line, verdict};
use fastrand::Rng;
use propcov_result::{Diff, Direction, FindingVerdict, Role};
use std::collections::{BTreeMap, BTreeSet};

fn diff(old: &Made, new: &Made) -> Diff {
    let (before, now) = (old.text(), new.text());
    Diff::between(
        &old.result(),
        &new.result(),
        (&|path| (path == FILE).then_some(before.as_str()), &|path| (path == FILE).then_some(now.as_str())),
    )
}

/// The worst that can be said about a line by all properties together: noticed, not, or not known.
fn together(line: &Line) -> &'static str {
    match () {
        () if line.verdicts.contains(&FindingVerdict::Covered) => "covered",
        () if line.verdicts.contains(&FindingVerdict::Unknown) => "unknown",
        () => "uncovered",
    }
}

#[test]
fn a_design_whose_lines_move_has_not_changed() {
    for seed in cases(1_000) {
        let mut rng = Rng::with_seed(seed);
        let old = Made::random(&mut rng);
        let mut new = old.clone();
        for _ in 0..rng.usize(0..6) {
            let at = rng.usize(0..new.lines.len());
            match rng.bool() {
                true => new.lines.insert(at, Err(String::new())),
                false => {
                    let moved = new.lines.remove(at);
                    let to = rng.usize(0..=new.lines.len());
                    new.lines.insert(to, moved);
                }
            }
        }
        let diff = diff(&old, &new);
        assert!(diff.is_empty(), "seed {seed}: {diff:?}\n{}\n{}", old.text(), new.text());
        assert_eq!(diff.paired, old.elements().len(), "seed {seed}");
    }
}

#[test]
fn edits_are_told_apart_and_each_is_told() {
    for seed in cases(3_000) {
        let mut rng = Rng::with_seed(seed);
        let old = Made::random(&mut rng);
        let mut new = old.clone();
        let mut renamed: BTreeSet<usize> = BTreeSet::new();
        for step in 0..rng.usize(1..5) {
            if new.lines.is_empty() {
                break;
            }
            let at = rng.usize(0..new.lines.len());
            match rng.u8(0..5) {
                0 => new.lines.insert(at, Ok(line(&mut rng, 50 + step))),
                1 => drop(new.lines.remove(at)),
                2 => new.lines.insert(at, Err("// moved down".to_owned())),
                3 => {
                    if let Ok(line) = &mut new.lines[at] {
                        line.verdicts = (0..3).map(|_| verdict(&mut rng)).collect();
                    }
                }
                _ => {
                    if let Ok(line) = &mut new.lines[at]
                        && line.identity < 50
                    {
                        line.name = format!("renamed{}", line.identity);
                        renamed.insert(line.identity);
                    }
                }
            }
        }
        let diff = diff(&old, &new);
        let by_identity = |made: &Made| -> BTreeMap<usize, Line> {
            made.elements().into_iter().map(|line| (line.identity, line.clone())).collect()
        };
        let (was, is) = (by_identity(&old), by_identity(&new));
        let names = |direction: Direction, of_old: bool| -> BTreeSet<String> {
            let changes = diff.elements.iter().filter(|change| change.direction == direction);
            let name = |side: &Option<String>| {
                side.as_deref().map(|name| name.split('@').next().unwrap_or_default().to_owned())
            };
            changes
                .filter_map(|change| {
                    name(if of_old { &change.element.name.old } else { &change.element.name.new })
                })
                .collect()
        };
        let added: BTreeSet<String> = is
            .iter()
            .filter(|(identity, _)| !was.contains_key(identity))
            .map(|(_, line)| line.name.clone())
            .collect();
        let removed: BTreeSet<String> = was
            .iter()
            .filter(|(identity, _)| !is.contains_key(identity))
            .map(|(_, line)| line.name.clone())
            .collect();
        assert_eq!(names(Direction::Added, false), added, "seed {seed}\n{}\n{}", old.text(), new.text());
        assert_eq!(names(Direction::Removed, true), removed, "seed {seed}\n{}\n{}", old.text(), new.text());
        // Of what is on both sides, those and only those changes are told that there are.
        let mut expected: BTreeSet<(String, &str, &str)> = BTreeSet::new();
        for (identity, before) in &was {
            let Some(now) = is.get(identity).filter(|now| together(now) != together(before)) else {
                continue;
            };
            if before.role != Role::Checker {
                expected.insert((now.name.clone(), together(before), together(now)));
            }
        }
        let told: BTreeSet<(String, &str, &str)> = diff
            .findings
            .iter()
            .filter_map(|change| {
                let name = change.element.as_ref()?.name.new.as_ref()?.split('@').next()?.to_owned();
                Some((name, change.standing.old.as_deref()?, change.standing.new.as_deref()?))
            })
            .collect();
        assert_eq!(told, expected, "seed {seed}");
        let is_worse = expected.iter().any(|(_, before, now)| (*before, *now) == ("covered", "uncovered"));
        let is_told = diff.findings.iter().any(|change| change.direction == Direction::Worse);
        assert_eq!(is_told, is_worse, "seed {seed}");
        assert!(!is_worse || diff.has_less_coverage(), "seed {seed}");
    }
}

#[test]
fn a_line_that_is_duplicated_is_one_more_and_its_original_is_the_same() {
    for seed in cases(500) {
        let mut rng = Rng::with_seed(seed);
        let old = Made::random(&mut rng);
        let mut new = old.clone();
        let at: Vec<usize> = (0..new.lines.len()).filter(|at| new.lines[*at].is_ok()).collect();
        let at = at[rng.usize(0..at.len())];
        let copy = new.lines[at].clone();
        new.lines.insert(rng.usize(0..=new.lines.len()), copy);
        let diff = diff(&old, &new);
        assert_eq!(diff.elements.len(), 1, "seed {seed}: {:?}", diff.elements);
        assert_eq!(diff.elements[0].direction, Direction::Added, "seed {seed}");
        assert!(diff.findings.is_empty(), "seed {seed}");
    }
}

#[test]
fn the_other_way_round_what_was_worse_is_better() {
    for seed in cases(500) {
        let mut rng = Rng::with_seed(seed);
        let old = Made::random(&mut rng);
        let mut new = old.clone();
        for line in new.lines.iter_mut().flatten() {
            if rng.bool() {
                line.verdicts = (0..3).map(|_| verdict(&mut rng)).collect();
            }
        }
        let (forth, back) = (diff(&old, &new), diff(&new, &old));
        let count = |diff: &Diff, direction: Direction| {
            diff.findings.iter().filter(|one| one.direction == direction).count()
        };
        assert_eq!(count(&forth, Direction::Worse), count(&back, Direction::Better), "seed {seed}");
        assert_eq!(count(&forth, Direction::Lost), count(&back, Direction::Decided), "seed {seed}");
        assert_eq!(forth.findings.len(), back.findings.len(), "seed {seed}");
    }
}

#[test]
fn designs_without_a_common_element_are_not_compared() {
    let mut rng = Rng::with_seed(1);
    let (mut old, mut new) = (Made::default(), Made::default());
    for (made, first, verdict) in
        [(&mut old, 10, FindingVerdict::Uncovered), (&mut new, 20, FindingVerdict::Covered)]
    {
        for identity in first..first + 3 {
            let mut one = line(&mut rng, identity);
            (one.role, one.is_statement) = (Role::Design, true);
            one.verdicts.fill(verdict);
            made.lines.push(Ok(one));
        }
    }
    let diff = diff(&old, &new);
    assert!(diff.unrelated && !diff.is_comparable() && diff.paired == 0);
    assert!(diff.warnings[0].contains("different designs"), "{:?}", diff.warnings);
    let all = diff.shares.iter().map(|one| one.direction);
    assert!(all.clone().all(|one| !matches!(one, Direction::Better | Direction::Worse)), "{:?}", diff.shares);
}

#[test]
fn what_is_waived_or_checks_is_neither_better_nor_worse() {
    let mut rng = Rng::with_seed(2);
    let mut made = Made::default();
    for (identity, role) in [(0, Role::Design), (1, Role::Design), (2, Role::Checker)] {
        let mut one = line(&mut rng, identity);
        (one.role, one.is_statement) = (role, false);
        one.verdicts.fill(if identity == 0 { FindingVerdict::Covered } else { FindingVerdict::Uncovered });
        made.lines.push(Ok(one));
    }
    let (old, text) = (made.result(), made.text());
    let texts = |path: &str| (path == FILE).then_some(text.as_str());
    let mut new = old.clone();
    let waiver = propcov_result::Waiver {
        elements: vec!["s1".to_owned()],
        reason: "because".to_owned(),
        ..Default::default()
    };
    new.waive(vec![waiver], &old.elements, &texts, "2027-01-01");
    new.climb();
    let headline = |result: &propcov_result::RunResult| result.shares[0].headline_text();
    assert_eq!((headline(&old), headline(&new)), ("50.00 %".into(), "100.00 % (50.00 % with waived)".into()));
    for (from, to) in [(&old, &new), (&new, &old)] {
        let diff = Diff::between(from, to, (&texts, &texts));
        assert!(!diff.is_empty() && !diff.has_less_coverage() && !diff.has_lost());
        let directions = (diff.shares.iter().map(|one| one.direction))
            .chain(diff.findings.iter().map(|one| one.direction))
            .chain(diff.elements.iter().map(|one| one.direction));
        assert!(directions.into_iter().all(|one| one == Direction::Other), "{diff:?}");
    }
    let mut checked = old.clone();
    checked.elements[2].status = Some(propcov_result::Ladder::Killed);
    let diff = Diff::between(&checked, &old, (&texts, &texts));
    assert!(!diff.has_less_coverage(), "checker logic does not count: {:?}", diff.elements);
}

#[test]
fn other_selections_of_one_design_are_told_and_their_shares_are_not_compared() {
    let mut rng = Rng::with_seed(3);
    let mut made = Made::default();
    for identity in 0..4 {
        let mut one = line(&mut rng, identity);
        (one.role, one.is_statement) = (Role::Design, false);
        one.verdicts.fill(if identity < 2 { FindingVerdict::Covered } else { FindingVerdict::Uncovered });
        made.lines.push(Ok(one));
    }
    let text = made.text();
    let texts = |path: &str| (path == FILE).then_some(text.as_str());
    let design = propcov_result::Design {
        files: vec![propcov_result::File { path: FILE.to_owned(), sha256: "0".repeat(64) }],
        ..Default::default()
    };
    let mut old = made.result();
    old.design = Some(design.clone());
    let mut less = made.clone();
    less.lines.truncate(2);
    let mut new = less.result();
    new.design = Some(design);
    new.run.metrics = vec!["reach".to_owned()];
    new.properties.remove(0);
    let diff = Diff::between(&old, &new, (&texts, &texts));
    assert_eq!(
        diff.warnings,
        [
            "other elements of the same design were measured (4 before, 2 now, 2 in both)",
            "other properties were measured (only before: p0)",
            "other metrics were measured (only before: mutation; only now: reach)",
        ]
    );
    assert!(diff.shares.iter().all(|one| one.direction != Direction::Better), "{:?}", diff.shares);
}

#[test]
fn a_property_that_is_missing_or_not_decided_any_more_is_a_loss_in_an_edited_design_too() {
    let mut rng = Rng::with_seed(5);
    let mut made = Made::default();
    for identity in 0..3 {
        made.lines.push(Ok(line(&mut rng, identity)));
    }
    let text = made.text();
    let texts = |path: &str| (path == FILE).then_some(text.as_str());
    let with_hash = |digit: &str| propcov_result::Design {
        files: vec![propcov_result::File { path: FILE.to_owned(), sha256: digit.repeat(64) }],
        ..Default::default()
    };
    for hash in ["0", "1"] {
        let (mut old, mut new) = (made.result(), made.result());
        (old.design, new.design) = (Some(with_hash("0")), Some(with_hash(hash)));
        for property in &mut old.properties {
            property.verdict = propcov_result::Verdict::Proved;
        }
        new.properties = old.properties.clone();
        assert!(!Diff::between(&old, &new, (&texts, &texts)).has_lost());
        new.properties.remove(0);
        let diff = Diff::between(&old, &new, (&texts, &texts));
        assert_eq!(diff.properties[0].direction, Direction::Lost, "{:?}", diff.properties);
        assert!(diff.has_lost() && !diff.has_failed_properties());
        assert!(diff.warnings.iter().any(|text| text.contains("p0")), "{:?}", diff.warnings);
        new.properties = old.properties.clone();
        new.properties[0].verdict = propcov_result::Verdict::Unknown;
        let diff = Diff::between(&old, &new, (&texts, &texts));
        assert_eq!(diff.properties[0].direction, Direction::Lost);
        assert!(diff.has_lost());
        // What was not decided before is no loss.
        old.properties[0].verdict = propcov_result::Verdict::Unknown;
        new.properties.remove(0);
        assert!(!Diff::between(&old, &new, (&texts, &texts)).has_lost());
    }
}
