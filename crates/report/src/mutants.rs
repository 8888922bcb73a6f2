//! Findings about elements, mutant by mutant: what all properties together make of each edit of each element.

use propcov_result::{Element, Finding, FindingVerdict, Ladder, Role, RunResult, Subject, Witness};
use std::collections::HashMap;

/// What became of a mutant when all properties look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Some property fails.
    Covered,
    /// Every property still holds.
    Uncovered,
    /// So it does, and nobody else could tell either.
    NoEffect,
    /// No reachable state executes it.
    Dead,
    /// The user said that it does not count.
    Waived,
    /// Every property still holds up to its bound.
    Bounded,
    /// No property is known to fail, and one is undecided.
    Unknown,
}

/// One edit of one element.
pub(crate) struct Mutant<'r> {
    pub(crate) id: u32,
    /// What is known of the element.
    pub(crate) element: Option<&'r Element>,
    pub(crate) edit: &'r str,
    /// What is known about it, property by property or for all of them.
    pub(crate) findings: Vec<&'r Finding>,
    pub(crate) standing: Standing,
}

impl<'r> Mutant<'r> {
    /// Whether it is logic of the design, and so counted.
    pub(crate) fn counts(&self) -> bool {
        self.element.is_none_or(|element| element.role != Role::Checker)
    }

    /// The name of its element.
    pub(crate) fn name(&self) -> String {
        named(self.element, self.id)
    }

    /// What shows its standing to people, with the finding that has it.
    pub(crate) fn witness(&self) -> Option<(&'r Finding, &'r Witness)> {
        // A run that kills it shows nothing of what is not covered, and the other way round.
        let is_kill = self.standing == Standing::Covered;
        let fits = |finding: &&&Finding| (finding.verdict == FindingVerdict::Covered) == is_kill;
        let mut witnesses = self.findings.iter().filter(fits);
        witnesses.find_map(|finding| Some((*finding, finding.witness.as_deref()?)))
    }
}

/// The mutants that a metric has findings about, in their order.
pub(crate) fn mutants<'r>(result: &'r RunResult, metric: &str) -> Vec<Mutant<'r>> {
    let mut positions: HashMap<(u32, &str), usize> = HashMap::new();
    let mut mutants: Vec<Mutant<'r>> = Vec::new();
    for finding in result.findings.iter().filter(|finding| &*finding.metric == metric) {
        let Subject::Element(id) = finding.subject else { continue };
        let at = *positions.entry((id, &finding.edit)).or_insert_with(|| {
            let (element, findings) = (result.element(id), Vec::new());
            mutants.push(Mutant { id, element, edit: &finding.edit, findings, standing: Standing::Unknown });
            mutants.len() - 1
        });
        mutants[at].findings.push(finding);
    }
    mutants.iter_mut().for_each(|mutant| mutant.standing = standing(mutant));
    mutants
}

/// The name of an element, or its number if it is not in the result.
pub(crate) fn element_name(result: &RunResult, id: u32) -> String {
    named(result.element(id), id)
}

fn named(element: Option<&Element>, id: u32) -> String {
    element.map_or_else(|| format!("element {id}"), |element| element.name.clone())
}

fn standing(mutant: &Mutant<'_>) -> Standing {
    let is_waived = |element: &Element| element.waiver.is_some() || element.status == Some(Ladder::Waived);
    if mutant.element.is_some_and(is_waived) {
        return Standing::Waived;
    }
    // What is known of all properties together outweighs what follows from each.
    let together: Vec<&Finding> =
        mutant.findings.iter().copied().filter(|finding| finding.property.is_none()).collect();
    let findings = if together.is_empty() { &mutant.findings } else { &together };
    let has = |wanted: FindingVerdict| findings.iter().any(|finding| finding.verdict == wanted);
    let is_bounded = findings.iter().any(|finding| finding.bound.is_some());
    match () {
        () if has(FindingVerdict::Covered) => Standing::Covered,
        () if has(FindingVerdict::Unknown) => Standing::Unknown,
        () if has(FindingVerdict::Dead) => Standing::Dead,
        () if has(FindingVerdict::NoEffect) => Standing::NoEffect,
        () if is_bounded => Standing::Bounded,
        () => Standing::Uncovered,
    }
}
