//! What all findings about one edit of one element come to.

use crate::{Finding, FindingVerdict};

/// What became of an edit when all properties look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
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

impl Standing {
    /// What these findings, which are about the same edit of the same element, come to.
    pub fn of(findings: &[&Finding]) -> Standing {
        if findings.iter().any(|finding| finding.waiver.is_some()) {
            return Standing::Waived;
        }
        // What is known of all properties together outweighs what follows from each.
        let together: Vec<&Finding> =
            findings.iter().copied().filter(|finding| finding.property.is_none()).collect();
        let findings = if together.is_empty() { findings } else { &together };
        let has = |wanted: FindingVerdict| findings.iter().any(|finding| finding.verdict == wanted);
        let is_open =
            |finding: &Finding| finding.verdict == FindingVerdict::Unknown && finding.bound.is_none();
        let is_bounded = findings.iter().any(|finding| finding.bound.is_some());
        match () {
            () if has(FindingVerdict::Covered) => Standing::Covered,
            () if findings.iter().any(|finding| is_open(finding)) => Standing::Unknown,
            () if has(FindingVerdict::Dead) => Standing::Dead,
            () if has(FindingVerdict::NoEffect) => Standing::NoEffect,
            () if is_bounded => Standing::Bounded,
            () => Standing::Uncovered,
        }
    }
}
