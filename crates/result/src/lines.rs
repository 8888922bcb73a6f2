//! Elements folded by source line: the same statement in several instances, or in several rounds of a loop, is one line of source with counts.

use crate::{Finding, Role, RunResult, Standing, Subject, Tally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A line of source, with all that begins on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceLine {
    /// The path of the file, as in the design.
    pub file: String,
    /// Its number, from 1.
    pub line: u32,
    /// The elements that begin there, by number: those of all instances and rounds of a loop.
    pub elements: Vec<u32>,
    /// What became of their edits, by metric. Checker logic is not counted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, Tally>,
}

impl RunResult {
    /// Folds elements by source line, where the same place is several elements.
    pub fn fold_lines(&mut self) {
        let place =
            |element: &'_ crate::Element| Some((element.places.first()?.clone(), element.kind.clone()));
        let placed: Vec<_> = self.elements.iter().filter_map(place).collect();
        if placed.iter().collect::<BTreeSet<_>>().len() == placed.len() {
            return;
        }
        let mut lines: BTreeMap<(&str, u32), SourceLine> = BTreeMap::new();
        let mut line_of: BTreeMap<u32, (&str, u32)> = BTreeMap::new();
        for element in &self.elements {
            let Some(place) = element.places.first() else { continue };
            let at = (place.file.as_str(), place.line);
            let line = lines.entry(at).or_insert_with(|| SourceLine {
                file: place.file.clone(),
                line: place.line,
                ..SourceLine::default()
            });
            line.elements.push(element.id);
            if element.role == Role::Design {
                line_of.insert(element.id, at);
            }
        }
        let mut edits: BTreeMap<(&str, u32, &str), Vec<&Finding>> = BTreeMap::new();
        for finding in &self.findings {
            if let Subject::Element(id) = finding.subject {
                edits.entry((&finding.metric, id, &finding.edit)).or_default().push(finding);
            }
        }
        for ((metric, id, _), findings) in &edits {
            let Some(line) = line_of.get(id).and_then(|at| lines.get_mut(at)) else { continue };
            let tally = line.counts.entry((*metric).to_owned()).or_default();
            tally.add_standing(Standing::of(findings));
        }
        self.lines = lines.into_values().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Element, FindingVerdict, Place};

    #[test]
    fn copies_of_a_statement_are_one_line_with_counts() {
        let mut result = RunResult::new("cover", 0);
        let place = |line: u32| Place { file: "a.sv".to_owned(), line, column: 3, ..Place::default() };
        for (id, line) in [(0, 7), (1, 7), (2, 9)] {
            result.elements.push(Element { id, places: vec![place(line)], ..Element::default() });
            for verdict in [FindingVerdict::Covered, FindingVerdict::Uncovered] {
                result.findings.push(Finding {
                    metric: "mutation".into(),
                    subject: Subject::Element(id),
                    edit: if verdict == FindingVerdict::Covered { "free" } else { "zero" }.into(),
                    property: Some("p".into()),
                    verdict,
                    reason: None,
                    bound: None,
                    by: None,
                    certified: true,
                    evidence: None,
                    witness: None,
                    count: None,
                    waiver: None,
                });
            }
        }
        result.fold_lines();
        let lines: Vec<(u32, &[u32], String, String)> = result
            .lines
            .iter()
            .map(|line| {
                let tally = &line.counts["mutation"];
                (line.line, &line.elements[..], tally.covered.to_string(), tally.uncovered.to_string())
            })
            .collect();
        let expected =
            [(7, &[0, 1][..], "2".to_owned(), "2".to_owned()), (9, &[2][..], "1".to_owned(), "1".to_owned())];
        assert_eq!(lines, expected);
        // Where each place is one element, there is nothing to fold.
        let mut plain = RunResult::new("cover", 0);
        plain.elements = result.elements[1..].to_vec();
        plain.fold_lines();
        assert!(plain.lines.is_empty());
    }
}
