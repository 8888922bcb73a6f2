//! The ladder: the best-known status of each element, from all that the metrics of a run found out.

use crate::{CoreRow, DROPPED, Finding, FindingVerdict, Ladder, Minimality, REACH, RunResult, Subject};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The technique that shows that a property does not depend on an element at all.
const OUTSIDE: &str = "cone";

impl RunResult {
    /// Gives each element its status. Waivers stay what the user said.
    pub fn climb(&mut self) {
        let mut known: HashMap<u32, Vec<&Finding>> = HashMap::new();
        // What metrics of cores say is said better by the cores themselves; what is executed is not yet checked.
        let is_said = |finding: &&Finding| &*finding.edit != DROPPED && &*finding.metric != REACH;
        for finding in self.findings.iter().filter(is_said) {
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
        let rows: Vec<&CoreRow> =
            self.cores.iter().filter(|row| row.holds && row.property.is_some()).collect();
        for row in &rows {
            in_some(row).into_iter().for_each(|id| note(id, Ladder::May));
            row.must.iter().flatten().for_each(|id| note(*id, Ladder::Must));
        }
        let unneeded: Vec<HashSet<u32>> = rows.iter().map(|row| in_none(row)).collect();
        for id in rows.iter().flat_map(|row| &row.universe) {
            let is_unneeded = unneeded.iter().all(|known| known.contains(id));
            note(*id, if is_unneeded { Ladder::NoCore } else { Ladder::Unknown });
        }
        let dead = self.dead_elements();
        for element in &mut self.elements {
            let found = status.get(&element.id).copied();
            let is_noticed = found.is_some_and(|rung| rung >= Ladder::May);
            let found = if dead.contains(&element.id) && !is_noticed { Some(Ladder::Dead) } else { found };
            // What some property notices is noticed, whatever the user said of the rest.
            element.status =
                if element.waiver.is_some() && !is_noticed { Some(Ladder::Waived) } else { found };
        }
    }
}

impl RunResult {
    /// The elements that no run executes in any way, by number, where that was asked and proved.
    pub fn dead_elements(&self) -> BTreeSet<u32> {
        let mut dead: BTreeMap<u32, bool> = BTreeMap::new();
        for finding in self.findings.iter().filter(|finding| &*finding.metric == REACH) {
            if let Subject::Element(id) = finding.subject {
                *dead.entry(id).or_insert(true) &= finding.verdict == FindingVerdict::Dead;
            }
        }
        dead.into_iter().filter_map(|(id, is_dead)| is_dead.then_some(id)).collect()
    }
}

/// The elements that are certainly in some minimal core.
fn in_some(row: &CoreRow) -> Vec<u32> {
    let needed = row.cores.iter().flat_map(|core| {
        let is_open = |id: &&u32| match core.minimal {
            Minimality::Minimal => false,
            Minimality::Unchecked => true,
            Minimality::Undecided => core.undecided.contains(id),
        };
        core.elements.iter().filter(move |id| !is_open(id))
    });
    needed.chain(row.may.iter().flatten()).copied().collect()
}

/// The elements that are certainly in none.
fn in_none(row: &CoreRow) -> HashSet<u32> {
    let listed: HashSet<u32> = match (&row.may, row.complete) {
        (_, true) => row.cores.iter().flat_map(|core| &core.elements).copied().collect(),
        (Some(may), _) => may.iter().chain(&row.may_unknown).copied().collect(),
        (None, false) => return HashSet::new(),
    };
    row.universe.iter().copied().filter(|id| !listed.contains(id)).collect()
}

/// What the mutants of one element say about it.
fn of_findings(findings: &[&Finding]) -> Ladder {
    let has = |wanted: FindingVerdict| findings.iter().any(|finding| finding.verdict == wanted);
    // Which technique decides a survivor differs from run to run, but not whether a property depends on it at all.
    let is_outside = |finding: &Finding| finding.by.as_deref() == Some(OUTSIDE);
    match () {
        () if has(FindingVerdict::Covered) => Ladder::Killed,
        () if has(FindingVerdict::Dead) => Ladder::Dead,
        () if has(FindingVerdict::Unknown) => Ladder::Unknown,
        () if findings.iter().filter(|finding| finding.property.is_some()).all(|one| is_outside(one)) => {
            Ladder::OutsideCone
        }
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
    use crate::{CoreSet, Element};

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
            waiver: None,
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
        result.cores.push(CoreRow {
            property: Some("p".to_owned()),
            holds: true,
            must: Some(vec![6]),
            may: Some(vec![6, 7]),
            ..CoreRow::default()
        });
        result.climb();
        let expected = [
            Ladder::Killed,
            Ladder::OutsideCone,
            Ladder::Survived,
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

    #[test]
    fn cores_say_of_each_element_no_more_than_is_known() {
        let mut result = RunResult::new("cores", 0);
        result.elements = (0..5).map(|id| Element { id, ..Element::default() }).collect();
        let unchecked = CoreSet { elements: vec![0, 1], ..CoreSet::default() };
        let row = |name: &str, may: Option<Vec<u32>>| CoreRow {
            property: Some(name.to_owned()),
            holds: true,
            universe: (0..5).collect(),
            cores: vec![unchecked.clone()],
            may,
            may_unknown: vec![3],
            ..CoreRow::default()
        };
        result.cores = vec![row("p", Some(vec![2])), row("q", Some(vec![]))];
        // That every property is said to need an element is no kill.
        result.findings = vec![Finding {
            metric: "may".into(),
            edit: DROPPED.into(),
            ..finding(2, Some("p"), FindingVerdict::Covered, "core")
        }];
        result.climb();
        let found: Vec<Option<Ladder>> = result.elements.iter().map(|element| element.status).collect();
        use Ladder::{May, NoCore, Unknown};
        assert_eq!(found, [NoCore, NoCore, May, Unknown, NoCore].map(Some));
        result.cores = vec![row("p", None)];
        result.climb();
        assert!(result.elements.iter().all(|element| element.status == Some(Unknown)));
    }
}
