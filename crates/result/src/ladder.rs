//! The ladder: the best-known status of each element, from all that the metrics of a run found out.

use crate::{Finding, FindingVerdict, Ladder, RunResult, Subject};
use std::collections::HashMap;

/// Techniques that show that no property depends on an element at all.
const OUTSIDE: &str = "cone";
/// Those that show that no proof needs it.
const UNUSED: &str = "core";

impl RunResult {
    /// Gives each element its status. Waivers stay what the user said.
    pub fn climb(&mut self) {
        let mut known: HashMap<u32, Vec<&Finding>> = HashMap::new();
        for finding in &self.findings {
            if let Subject::Element(id) = finding.subject {
                known.entry(id).or_default().push(finding);
            }
        }
        let mut status: HashMap<u32, Ladder> = HashMap::new();
        let mut note = |id: u32, rung: Ladder| {
            let best = status.entry(id).or_insert(rung);
            *best = (*best).max(rung);
        };
        for (id, findings) in &known {
            note(*id, of_findings(findings));
        }
        for row in &self.cores {
            let cores = row.cores.iter().flat_map(|core| &core.elements);
            cores.chain(row.may.iter().flatten()).for_each(|id| note(*id, Ladder::May));
            row.must.iter().flatten().for_each(|id| note(*id, Ladder::Must));
        }
        for element in &mut self.elements {
            let found = status.get(&element.id).copied();
            element.status = if element.waiver.is_some() { Some(Ladder::Waived) } else { found };
        }
    }
}

/// What the mutants of one element say about it.
fn of_findings(findings: &[&Finding]) -> Ladder {
    let has = |wanted: FindingVerdict| findings.iter().any(|finding| finding.verdict == wanted);
    let all_by = |techniques: &[&str]| {
        let is_such = |finding: &&Finding| finding.by.as_deref().is_some_and(|by| techniques.contains(&by));
        findings.iter().filter(|finding| finding.property.is_some()).all(is_such)
    };
    match () {
        () if has(FindingVerdict::Covered) => Ladder::Killed,
        () if has(FindingVerdict::Dead) => Ladder::Dead,
        () if has(FindingVerdict::Unknown) => Ladder::Unknown,
        () if all_by(&[OUTSIDE]) => Ladder::OutsideCone,
        () if all_by(&[OUTSIDE, UNUSED]) => Ladder::NoCore,
        // What all of them together cannot be told from the design by outweighs what each says.
        () if findings
            .iter()
            .filter(|finding| finding.property.is_none())
            .any(|finding| finding.verdict == FindingVerdict::Uncovered) =>
        {
            Ladder::Survived
        }
        () if has(FindingVerdict::NoEffect) => Ladder::NoEffect,
        () => Ladder::Survived,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CoreRow, Element};

    fn finding(id: u32, property: Option<&str>, verdict: FindingVerdict, by: &str) -> Finding {
        Finding {
            metric: "mutation".into(),
            subject: Subject::Element(id),
            edit: "free".into(),
            property: property.map(Into::into),
            verdict,
            reason: None,
            bound: None,
            by: Some(by.into()),
            certified: true,
            evidence: None,
            witness: None,
            count: None,
        }
    }

    #[test]
    fn an_element_has_the_best_status_that_any_metric_knows() {
        use FindingVerdict::{Covered, NoEffect, Uncovered, Unknown};
        let mut result = RunResult::new("cover", 0);
        result.elements = (0..9).map(|id| Element { id, ..Element::default() }).collect();
        result.elements[8].waiver = Some("vendor code".to_owned());
        result.findings = vec![
            finding(0, Some("p"), Uncovered, "ic3"),
            finding(0, Some("q"), Covered, "simulation"),
            finding(1, Some("p"), Uncovered, "cone"),
            finding(2, Some("p"), Uncovered, "core"),
            finding(3, Some("p"), Uncovered, "ic3"),
            finding(4, Some("p"), NoEffect, "ic3"),
            finding(4, None, NoEffect, ""),
            finding(5, Some("p"), Unknown, ""),
            finding(6, Some("p"), Uncovered, "ic3"),
            finding(8, Some("p"), Uncovered, "ic3"),
        ];
        result.cores.push(CoreRow { must: Some(vec![6]), may: Some(vec![6, 7]), ..CoreRow::default() });
        result.climb();
        let expected = [
            Ladder::Killed,
            Ladder::OutsideCone,
            Ladder::NoCore,
            Ladder::Survived,
            Ladder::NoEffect,
            Ladder::Unknown,
            Ladder::Must,
            Ladder::May,
            Ladder::Waived,
        ];
        let found: Vec<Option<Ladder>> = result.elements.iter().map(|element| element.status).collect();
        assert_eq!(found, expected.map(Some));
    }
}
