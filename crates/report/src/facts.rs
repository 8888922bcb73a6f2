//! What is true, in a form in which equal facts are equal bytes: a line of JSON for each, in a fixed order.
//!
//! A verdict has many proofs, a kill many runs, and who finds one first depends on the machine, on earlier runs and on how the work was shared out. None of that is here, nor any time: two runs of the same question that
//! know the same write the same bytes, whether one machine did it or a thousand. `diff` shows what one of them knows and the other does not.
//!
//! What is left out, and why:
//! - engines, techniques, evidence, runs, depths of violations, lengths of inductions: several would do;
//! - cores, unless all minimal ones are known: which of them are found first is up to the search;
//! - reasons why something is unknown, and all statistics.

use propcov_result::{CoreRow, Element, Finding, FindingVerdict, Property, RunResult, Subject, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;

/// Writes the facts.
pub(crate) fn write(result: &RunResult, to: &mut dyn io::Write) -> io::Result<()> {
    for line in lines(result) {
        writeln!(to, "{line}")?;
    }
    Ok(())
}

fn lines(result: &RunResult) -> Vec<String> {
    let names: BTreeMap<u32, &str> =
        result.elements.iter().map(|element| (element.id, element.name.as_str())).collect();
    let name = |id: &u32| names.get(id).map_or_else(|| format!("#{id}"), |name| (*name).to_owned());
    let design = result.design.iter().map(|design| {
        let files: Vec<&str> = design.files.iter().map(|file| file.sha256.as_str()).collect();
        json!({ "design": files })
    });
    let gate = result.gate.iter().map(|gate| {
        let mut vacuous = gate.vacuous.clone();
        vacuous.sort();
        json!({ "sanity": gate.assumptions, "constant": gate.constant, "vacuous": vacuous })
    });
    let thresholds = result.run.thresholds.iter().map(|threshold| json!({ "threshold": threshold }));
    let shares = result.shares.iter().map(|share| json!({ "share": share }));
    let groups: [Vec<Value>; 7] = [
        design.chain(gate).collect(),
        result.properties.iter().map(property).collect(),
        result.cores.iter().map(|row| cores(row, &name)).collect(),
        result.findings.iter().map(|known| finding(known, &name)).collect(),
        result.elements.iter().map(element).collect(),
        shares.collect(),
        thresholds.collect(),
    ];
    let of_group = |group: Vec<Value>| {
        let mut lines: Vec<String> = group.iter().map(|fact| visible(&fact.to_string())).collect();
        lines.sort();
        lines
    };
    groups.into_iter().flat_map(of_group).collect()
}

/// A line without what a terminal would obey: JSON escapes only some of it, and has it in strings only.
fn visible(line: &str) -> String {
    let escaped = |character: char| match character.is_control() {
        true => format!("\\u{:04x}", u32::from(character)),
        false => character.to_string(),
    };
    line.chars().map(escaped).collect()
}

fn property(property: &Property) -> Value {
    let mut fact = json!({
        "property": property.name,
        "kind": property.kind,
        "verdict": property.verdict,
        "certified": property.certified,
        "vacuous": property.vacuous,
    });
    if property.verdict == Verdict::Bounded {
        fact["depth"] = json!(property.depth);
    }
    fact
}

/// What is known of a property's cores, whichever were found first.
fn cores(row: &CoreRow, name: &dyn Fn(&u32) -> String) -> Value {
    let set = |ids: &Vec<u32>| {
        let mut names: Vec<String> = ids.iter().map(name).collect();
        names.sort();
        names
    };
    let known =
        |ids: &Option<Vec<u32>>, unknown: &Vec<u32>| ids.as_ref().filter(|_| unknown.is_empty()).map(set);
    let mut all: Vec<Vec<String>> = row.cores.iter().map(|core| set(&core.elements)).collect();
    all.sort();
    json!({
        "cores of": row.property,
        "goal": row.goal,
        "depth": row.depth,
        "holds": row.holds,
        "complete": row.complete,
        "answered": row.answered,
        "cores": row.complete.then_some(all),
        "must": known(&row.must, &row.must_unknown),
        "may": known(&row.may, &row.may_unknown),
        "smallest": row.minimum.as_ref().map(Vec::len),
    })
}

fn finding(finding: &Finding, name: &dyn Fn(&u32) -> String) -> Value {
    let mut fact = json!({
        "metric": finding.metric,
        "property": finding.property,
        "subject": match &finding.subject {
            Subject::Element(id) => json!({ "element": name(id) }),
            subject => json!(subject),
        },
        "edit": finding.edit,
        "verdict": finding.verdict,
        "certified": finding.certified,
    });
    if finding.verdict != FindingVerdict::Unknown {
        fact["bound"] = json!(finding.bound);
    }
    if let Some(count) = &finding.count {
        fact["count"] = json!(count);
    }
    fact
}

fn element(element: &Element) -> Value {
    json!({ "element": element.name, "role": element.role, "status": element.status })
}
