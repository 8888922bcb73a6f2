//! Coverage by cores as a part of the JSON document.

use crate::cover::cores::CoreCoverage;
use crate::cover::document::four_digits;
use crate::cover::tally::Count;
use crate::document::{self, Document};
use propcov_coverage::cores::{CoreMetric, Parts, PropertyCores};
use propcov_ir::{ElementId, PropertyId};
use std::collections::BTreeMap;

/// Who covers what is counted.
const PROPERTY: &str = "property";
/// All properties as one.
const CONJUNCTION: &str = "conjunction";
/// Some property.
const SET: &str = "set";

impl CoreCoverage<'_> {
    /// The document.
    pub(super) fn document(&self) -> Document {
        let mut document = self.study.document("cover");
        let findings = self.parts.iter().flat_map(|(property, parts)| self.findings(*property, parts));
        document.findings = Some(findings.collect());
        document.summary = Some(self.summaries());
        document
    }

    fn findings(&self, property: PropertyId, parts: &Parts) -> Vec<document::Finding> {
        let name = &self.study.subject.system().property(property).name;
        let cores = self.study.analysis.properties.iter().find(|cores| cores.property == property);
        let finding = |element: ElementId| {
            let (verdict, by) = match (parts.sure.contains(element), parts.unknown.contains(element)) {
                (true, _) => ("covered", self.by(true)),
                (_, true) => ("unknown", None),
                _ => ("uncovered", self.by(false)),
            };
            document::Finding {
                metric: self.name,
                element: element.0,
                property: name.clone(),
                edit: "free",
                verdict,
                reason: (verdict == "unknown").then(|| self.reason(cores)),
                by,
                trace: None,
                evidence: None,
            }
        };
        self.study.subject.universe.iter().map(finding).collect()
    }

    /// What shows that an element is covered, or that it is not.
    fn by(&self, is_covered: bool) -> Option<String> {
        let evidence = match (self.metric, is_covered) {
            (CoreMetric::Core, _) => "core",
            (CoreMetric::Must, true) => "run without it",
            (CoreMetric::Must, false) => "core without it",
            (CoreMetric::May | CoreMetric::Model, true) => "core",
            (CoreMetric::May | CoreMetric::Model, false) => "all minimal cores",
        };
        Some(evidence.to_owned())
    }

    fn reason(&self, cores: Option<&PropertyCores>) -> String {
        cores.map(|cores| self.study.shortfall(&cores.found)).unwrap_or_default()
    }

    fn summaries(&self) -> Vec<document::Summary> {
        let summary = |scope: &'static str, property: Option<PropertyId>, parts: &Parts| {
            let name = property.map(|id| self.study.subject.system().property(id).name.clone());
            document::Summary {
                metric: self.name,
                scope: Some(scope),
                property: name,
                count: self.counted(&self.count(parts)),
                edits: BTreeMap::new(),
            }
        };
        let mut all = vec![summary(SET, None, &self.set)];
        if self.metric == CoreMetric::Model {
            return all;
        }
        all.extend(self.conjunction.iter().map(|parts| summary(CONJUNCTION, None, parts)));
        all.extend(self.parts.iter().map(|(id, parts)| summary(PROPERTY, Some(*id), parts)));
        all
    }

    fn counted(&self, count: &Count) -> document::Count {
        // Without a property nothing was measured, and no share is better than one from 0 to 100.
        let percent = count.percent().filter(|_| !self.parts.is_empty());
        document::Count {
            percent: percent.map(|(low, high)| (four_digits(low), four_digits(high))),
            covered: count.covered,
            uncovered: count.uncovered,
            no_effect: count.no_effect,
            unknown: count.unknown,
            total: count.total(),
        }
    }
}
