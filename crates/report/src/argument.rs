//! Why a requirement is satisfied, as an argument that an auditor can read: all its cores are alternatives, any one of which suffices; and how robust that is, since what is in all of them is a single point of failure.
//!
//! The property's own equation is in every core of it and is left out: it states the requirement and does not implement it. Nothing is called redundant unless it is certain that no element is in every core.
//!
//! # References
//! E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018, §1.1 and chapter 7: completeness of requirements, robustness of implementations.

use crate::model::{Mark, Row};
use propcov_result::{CoreSet, Verdict};

/// The argument for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    /// Sets of elements, each of which suffices.
    pub(crate) alternatives: Vec<Vec<u32>>,
    /// Whether these are certainly all minimal ones.
    pub(crate) complete: bool,
    /// Whether it is an argument for some steps only.
    pub(crate) bounded: bool,
    pub(crate) robustness: Robustness,
}

/// Whether the requirement survives the loss of any one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Robustness {
    /// No element is in every core: it is implemented redundantly.
    Redundant,
    /// Each of these is in every core. Of the others in `open` that is not known.
    SinglePoints { needed: Vec<u32>, open: Vec<u32> },
    /// Whether some of these is in every core is not known.
    Unknown(Vec<u32>),
    /// It takes no element at all.
    Nothing,
}

impl Robustness {
    /// The word in CSV and JSON.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Robustness::Redundant => "redundant",
            Robustness::SinglePoints { .. } => "single-points",
            Robustness::Unknown(_) => "unknown",
            Robustness::Nothing => "nothing-needed",
        }
    }

    /// The elements that are in every core, certainly; and perhaps.
    pub(crate) fn needed(&self) -> (&[u32], &[u32]) {
        match self {
            Robustness::SinglePoints { needed, open } => (needed, open),
            Robustness::Unknown(open) => (&[], open),
            Robustness::Redundant | Robustness::Nothing => (&[], &[]),
        }
    }
}

impl Argument {
    /// The argument for a property; `None` where it has no proof, or nobody looked for what it rests on.
    pub(crate) fn of(row: &Row<'_>) -> Option<Argument> {
        let known = row.known;
        if !known.holds || (known.cores.is_empty() && known.must.is_none()) {
            return None;
        }
        let is_own = |element: &u32| row.own().contains(element);
        let others = |core: &CoreSet| core.elements.iter().copied().filter(|it| !is_own(it)).collect();
        let alternatives: Vec<Vec<u32>> = known.cores.iter().map(others).collect();
        let mut needed = row.with(Mark::Must);
        needed.retain(|element| !is_own(element));
        let is_in_all = |element: &u32| known.cores.iter().all(|core| core.elements.contains(element));
        let is_decided = |element: &u32| match &known.must {
            Some(sure) => sure.contains(element) || !known.must_unknown.contains(element),
            None => false,
        };
        let may_be_needed = |element: &u32| {
            is_in_all(element)
                && !is_own(element)
                && !needed.contains(element)
                && !known.complete
                && !is_decided(element)
        };
        let open: Vec<u32> = known.universe.iter().copied().filter(may_be_needed).collect();
        let robustness = match () {
            () if !needed.is_empty() => Robustness::SinglePoints { needed, open },
            () if alternatives.iter().any(Vec::is_empty) => Robustness::Nothing,
            () if !open.is_empty() => Robustness::Unknown(open),
            () => Robustness::Redundant,
        };
        let bounded = row.verdict == Verdict::Bounded;
        Some(Argument { alternatives, complete: known.complete, bounded, robustness })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Traceability;
    use propcov_result::{CoreRow, Minimality, RunResult};

    /// Three elements and their monotone function, by its minimal sets; what was found is any part of that.
    fn result(cores: &[u32], complete: bool, must: Option<(u32, u32)>) -> RunResult {
        let ids = |mask: u32| (0..4).filter(|bit| mask >> bit & 1 == 1).collect::<Vec<u32>>();
        let set =
            |mask: &u32| CoreSet { elements: ids(*mask), minimal: Minimality::Minimal, ..CoreSet::default() };
        let property = serde_json::from_value(serde_json::json!({
            "name": "p", "kind": "invariant", "verdict": "proved", "certified": true, "seconds": 0.0, "own": [3]
        }));
        RunResult {
            properties: vec![property.expect("a property")],
            cores: vec![CoreRow {
                property: Some("p".to_owned()),
                holds: true,
                universe: ids(0b1111),
                cores: cores.iter().map(set).collect(),
                complete,
                must: must.map(|(sure, _)| ids(sure)),
                must_unknown: must.map(|(_, unknown)| ids(unknown)).unwrap_or_default(),
                ..CoreRow::default()
            }],
            ..RunResult::default()
        }
    }

    fn argument(result: &RunResult) -> Option<Argument> {
        Argument::of(&Traceability::new(result).properties[0])
    }

    #[test]
    fn what_is_said_of_robustness_is_true_whatever_is_not_known_yet() {
        // Every family of minimal sets over three elements and the property's own equation (bit 3).
        let mut seen = [0; 4];
        for family in 1_u32..1 << 8 {
            let sets: Vec<u32> = (0..8).filter(|set| family >> set & 1 == 1).collect();
            let is_minimal = |set: &u32| !sets.iter().any(|other| other != set && other & set == *other);
            if !sets.iter().all(is_minimal) {
                continue;
            }
            let truth = sets.iter().fold(0b111, |all, set| all & set);
            let cores: Vec<u32> = sets.iter().map(|set| set | 0b1000).collect();
            for known in 1_usize..1 << cores.len() {
                let some: Vec<u32> =
                    (0..cores.len()).filter(|at| known >> at & 1 == 1).map(|at| cores[at]).collect();
                for unknown in 0..8 {
                    let complete = some.len() == cores.len() && unknown == 0;
                    let must = (unknown < 7).then_some(((truth & !unknown) | 0b1000, unknown));
                    let found = argument(&result(&some, complete, must)).expect("there are cores");
                    let mask = |ids: &[u32]| ids.iter().fold(0, |mask, id| mask | 1 << id);
                    let (needed, open) = found.robustness.needed();
                    let (needed, open) = (mask(needed), mask(open));
                    assert_eq!(needed & !truth, 0, "{some:?} {unknown:b}: {found:?}");
                    match found.robustness {
                        Robustness::Redundant => assert!(truth == 0 && !sets.contains(&0)),
                        Robustness::Nothing => assert_eq!(sets, [0]),
                        Robustness::SinglePoints { .. } | Robustness::Unknown(_) => {
                            assert_eq!(truth & !(needed | open), 0, "{some:?} {unknown:b}: {found:?}");
                        }
                    }
                    if complete {
                        assert_eq!(needed, truth, "{found:?}");
                    }
                    seen[match found.robustness {
                        Robustness::Redundant => 0,
                        Robustness::Nothing => 1,
                        Robustness::SinglePoints { .. } => 2,
                        Robustness::Unknown(_) => 3,
                    }] += 1;
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    }

    #[test]
    fn without_a_proof_there_is_no_argument() {
        let mut result = result(&[0b1001], true, None);
        assert!(argument(&result).is_some());
        result.cores[0].holds = false;
        assert!(argument(&result).is_none());
    }
}
