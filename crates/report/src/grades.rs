//! How each element stands, in one word: what lines are coloured by, and what formats that know only covered and not covered are filled from.
//!
//! There is one function for it ([`grade`]), so that every list and every format says the same of an element. The ladder has the best that is known of an element: one killed mutant makes it `killed`. A grade looks at all of them, for a mutant that survives is a hole whatever became of the others.

use crate::mutants::{Mutant, Standing, mutants};
use propcov_result::{DROPPED, Element, FindingVerdict, Ladder, REACH, Role, RunResult};
use std::collections::{BTreeSet, HashMap};

/// The metric of cones of influence.
const CONE: &str = "cone";
/// The metric of what is in every core.
const MUST: &str = "must";

/// How something stands. Worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Grade {
    /// No property notices any edit.
    Hole,
    /// Some edits are noticed, and some are holes.
    Partly,
    /// Not noticed up to a bound.
    Bounded,
    /// Not decided.
    Unknown,
    /// No reachable state executes it.
    Dead,
    /// Nobody could notice.
    NoEffect,
    /// Some property notices.
    Covered,
    /// The user said that it does not count.
    Waived,
    /// Nothing was measured.
    None,
}

impl Grade {
    /// All of them, in order.
    pub(crate) const ALL: [Grade; 9] = [
        Grade::Hole,
        Grade::Partly,
        Grade::Bounded,
        Grade::Unknown,
        Grade::Dead,
        Grade::NoEffect,
        Grade::Covered,
        Grade::Waived,
        Grade::None,
    ];

    /// The word in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Grade::Hole => "hole",
            Grade::Partly => "partly",
            Grade::Bounded => "bounded",
            Grade::Unknown => "unknown",
            Grade::Dead => "dead",
            Grade::NoEffect => "no-effect",
            Grade::Covered => "covered",
            Grade::Waived => "waived",
            Grade::None => "none",
        }
    }

    /// Whether it is a part of the headline: what is dead, waived or without effect can be covered by nothing.
    pub(crate) fn counts(self) -> bool {
        !matches!(self, Grade::Dead | Grade::NoEffect | Grade::Waived | Grade::None)
    }
}

impl From<Standing> for Grade {
    fn from(standing: Standing) -> Grade {
        match standing {
            Standing::Covered => Grade::Covered,
            Standing::Uncovered => Grade::Hole,
            Standing::NoEffect => Grade::NoEffect,
            Standing::Dead => Grade::Dead,
            Standing::Waived => Grade::Waived,
            Standing::Bounded => Grade::Bounded,
            Standing::Unknown => Grade::Unknown,
        }
    }
}

impl From<FindingVerdict> for Grade {
    fn from(verdict: FindingVerdict) -> Grade {
        match verdict {
            FindingVerdict::Covered => Grade::Covered,
            FindingVerdict::Uncovered => Grade::Hole,
            FindingVerdict::NoEffect => Grade::NoEffect,
            FindingVerdict::Dead => Grade::Dead,
            FindingVerdict::Unknown => Grade::Unknown,
        }
    }
}

/// An element, and what came of its edits.
pub(crate) struct Graded<'r> {
    pub(crate) element: &'r Element,
    pub(crate) grade: Grade,
    /// What was done to it: all edits of metrics that do more than leave it out.
    pub(crate) mutants: Vec<Mutant<'r>>,
    /// The properties that notice something.
    pub(crate) noticed_by: BTreeSet<&'r str>,
}

/// The elements of the design with their grades, in order.
pub(crate) fn graded(result: &RunResult) -> Vec<Graded<'_>> {
    let mut by_element: HashMap<u32, Vec<Mutant<'_>>> = HashMap::new();
    for metric in metrics(result).into_iter().filter(|metric| *metric != REACH) {
        for mutant in mutants(result, metric) {
            by_element.entry(mutant.id).or_default().push(mutant);
        }
    }
    let mut users: HashMap<u32, BTreeSet<&str>> = HashMap::new();
    for row in result.cores.iter().filter(|row| row.holds) {
        let Some(name) = row.property.as_deref() else { continue };
        let sets = row.cores.iter().flat_map(|core| &core.elements);
        for id in sets.chain(row.must.iter().flatten()).chain(row.may.iter().flatten()) {
            users.entry(*id).or_default().insert(name);
        }
    }
    let design = result.elements.iter().filter(|element| element.role == Role::Design);
    design
        .map(|element| {
            let mut mutants = by_element.remove(&element.id).unwrap_or_default();
            let grade = grade(element, &mutants);
            mutants.retain(|mutant| mutant.edit != DROPPED);
            let killers = mutants.iter().flat_map(|mutant| &mutant.findings);
            let killers = killers.filter(|finding| finding.verdict == FindingVerdict::Covered);
            let mut noticed_by: BTreeSet<&str> =
                killers.filter_map(|finding| finding.property.as_deref()).collect();
            if mutants.is_empty() && grade == Grade::Covered {
                noticed_by.extend(users.remove(&element.id).unwrap_or_default());
            }
            Graded { element, grade, mutants, noticed_by }
        })
        .collect()
}

/// The metrics that findings are about, in their order.
pub(crate) fn metrics(result: &RunResult) -> Vec<&str> {
    let mut metrics: Vec<&str> = Vec::new();
    let asked = result.run.metrics.iter().map(String::as_str);
    let found = result.findings.iter().map(|finding| &*finding.metric);
    for metric in asked.chain(found).chain(result.shares.iter().map(|share| share.metric.as_str())) {
        if metrics.last() != Some(&metric) && !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    metrics
}

/// The grade of an element with all that was done to it, but for what asks only whether it is executed: that does not mean that it is checked, and what is dead has that as its status.
///
/// Edits that do more than leave it out come first, then what is certain about cores (the ladder), then what each metric of cores made of it.
pub(crate) fn grade(element: &Element, mutants: &[Mutant<'_>]) -> Grade {
    let has = |standing: Standing| {
        mutants.iter().any(|mutant| mutant.edit != DROPPED && mutant.standing == standing)
    };
    let from_mutants = match () {
        () if has(Standing::Covered) && has(Standing::Uncovered) => Grade::Partly,
        () if has(Standing::Uncovered) => Grade::Hole,
        () if has(Standing::Bounded) => Grade::Bounded,
        () if has(Standing::Unknown) => Grade::Unknown,
        () if has(Standing::Covered) => Grade::Covered,
        () if has(Standing::Waived) => Grade::Waived,
        () if has(Standing::Dead) => Grade::Dead,
        () if has(Standing::NoEffect) => Grade::NoEffect,
        () => Grade::None,
    };
    if from_mutants != Grade::None {
        return from_mutants;
    }
    match element.status {
        None => from_cores(mutants).unwrap_or(Grade::None),
        Some(Ladder::Unknown) => from_cores(mutants).unwrap_or(Grade::Unknown),
        Some(Ladder::Dead) => Grade::Dead,
        Some(Ladder::OutsideCone | Ladder::NoCore | Ladder::Survived) => Grade::Hole,
        Some(Ladder::NoEffect) => Grade::NoEffect,
        Some(Ladder::May | Ladder::Must | Ladder::Killed) => Grade::Covered,
        Some(Ladder::Waived) => Grade::Waived,
    }
}

/// What metrics of cores make of an element about which nothing is certain. One core that leaves it out makes it uncovered by that metric, and a hole in every list, though another core may have it.
fn from_cores(mutants: &[Mutant<'_>]) -> Option<Grade> {
    let has = |standing: Standing, is_meant: &dyn Fn(&str) -> bool| {
        mutants.iter().any(|mutant| {
            let metric = mutant.findings.first().map_or("", |finding| &*finding.metric);
            mutant.edit == DROPPED && mutant.standing == standing && is_meant(metric)
        })
    };
    match () {
        // What is in a cone of influence is not yet needed by any proof.
        () if has(Standing::Covered, &|metric| metric != CONE) => Some(Grade::Covered),
        // What is not in every core may be in some.
        () if has(Standing::Uncovered, &|metric| metric != MUST) => Some(Grade::Hole),
        () if has(Standing::Unknown, &|_| true) => Some(Grade::Unknown),
        () if has(Standing::Bounded, &|_| true) => Some(Grade::Bounded),
        () if has(Standing::Uncovered, &|_| true) => Some(Grade::Hole),
        () if has(Standing::Waived, &|_| true) => Some(Grade::Waived),
        () => None,
    }
}
