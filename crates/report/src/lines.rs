//! Coverage by line, for formats that know lines and branches only.
//!
//! Each element stands on the first line of each of its places, and is a branch there. A line is hit as often as its elements are noticed: by so many properties as notice the one that the fewest notice. So a
//! line with a hole is not hit. What is only known up to a bound or not decided is not hit either: unknown is never rounded up. What has no effect, is dead or waived does not count.

use crate::grades::{Grade, Graded};
use std::collections::BTreeMap;

/// A line with elements that count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// How many properties notice what stands there.
    pub(crate) hits: usize,
    /// One for each element: how many properties notice it, or `None` if that is open. One that is noticed in part is two: what is noticed, and what is not.
    pub(crate) branches: Vec<Option<usize>>,
}

impl Line {
    /// How many branches are taken.
    pub(crate) fn taken(&self) -> usize {
        self.branches.iter().filter(|branch| branch.is_some_and(|hits| hits > 0)).count()
    }
}

/// The lines of each file, in order.
pub(crate) fn lines<'r>(graded: &[Graded<'r>]) -> BTreeMap<&'r str, BTreeMap<u32, Line>> {
    let mut files: BTreeMap<&'r str, BTreeMap<u32, Line>> = BTreeMap::new();
    for one in graded.iter().filter(|one| one.grade.counts()) {
        let noticed = one.noticed_by.len().max(1);
        let branches: &[Option<usize>] = match one.grade {
            Grade::Covered => &[Some(noticed)],
            Grade::Partly => &[Some(noticed), Some(0)],
            Grade::Bounded | Grade::Unknown => &[None],
            _ => &[Some(0)],
        };
        let mut seen: Vec<(&str, u32)> = Vec::new();
        for place in &one.element.places {
            let at = (place.file.as_str(), place.line);
            if !seen.contains(&at) {
                seen.push(at);
                files.entry(at.0).or_default().entry(at.1).or_default().branches.extend(branches);
            }
        }
    }
    for line in files.values_mut().flat_map(BTreeMap::values_mut) {
        line.hits = line.branches.iter().map(|branch| branch.unwrap_or(0)).min().unwrap_or(0);
    }
    files
}

/// Several results about the same files: hits are added up, element by element where both have as many on a line.
pub(crate) fn added<'r>(
    results: impl Iterator<Item = BTreeMap<&'r str, BTreeMap<u32, Line>>>,
) -> BTreeMap<&'r str, BTreeMap<u32, Line>> {
    let mut sum: BTreeMap<&'r str, BTreeMap<u32, Line>> = BTreeMap::new();
    for (file, lines) in results.flatten() {
        for (number, line) in lines {
            let known = sum.entry(file).or_default().entry(number).or_default();
            known.hits += line.hits;
            if known.branches.len() != line.branches.len() {
                known.branches.extend(line.branches);
                continue;
            }
            for (one, other) in known.branches.iter_mut().zip(line.branches) {
                *one = match (*one, other) {
                    (Some(one), Some(other)) => Some(one + other),
                    (one, other) => one.max(other),
                };
            }
        }
    }
    sum
}
