//! `propcov impact`: a design was changed; which properties keep a proof, and which need a new one? From the cores that an earlier run has kept.

use crate::verify_directory::{KeptRun, kept_results};
use crate::{Control, Design, Error, merge};
use propcov_coverage::cores::impact::{Obstacle, stands};
use propcov_ir::{ElementId, PropertyId, System, Wordings};
use propcov_result::{CoreRow, Effect, Impact, PropertyImpact, RunResult};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// What was changed, or is about to be.
#[derive(Debug)]
pub enum Change {
    /// These elements, by name.
    Elements(Vec<String>),
    /// The design as it is now.
    Design(Box<Design>),
}

/// Finds out what a change means for the properties of the newest run in a directory that looked for cores.
///
/// # Errors
/// When there is no such run, its design was not kept, or there is no element with a name.
pub fn impact(directory: &Path, change: &Change, control: &Control<'_>) -> Result<RunResult, Error> {
    let run = kept_results(directory)?.into_iter().find(|run| !run.result.cores.is_empty());
    let run = run.ok_or_else(|| {
        let place = directory.display();
        Error::Usage(format!("{place} has no validity cores. Try: propcov cores FILE --out {place}"))
    })?;
    let old = merge::kept_design(directory, &run)?;
    let old_ids = by_name(old.system());
    let mut result = old.result("impact", run.result.run.seed, control);
    let found = match change {
        Change::Elements(names) => of_elements(&run, names, &old_ids)?,
        Change::Design(new) => of_design(&run, &old, new, &old_ids),
    };
    result.impact = Some(found);
    control.finish(&mut result);
    Ok(result)
}

fn by_name(system: &System) -> HashMap<&str, ElementId> {
    system.elements().iter().zip(0..).map(|(element, at)| (element.name.as_str(), ElementId(at))).collect()
}

/// What a change of elements means that somebody has in mind.
fn of_elements(run: &KeptRun, names: &[String], ids: &HashMap<&str, ElementId>) -> Result<Impact, Error> {
    if let Some(name) = names.iter().find(|name| !ids.contains_key(name.as_str())) {
        return Err(Error::Usage(format!("there is no element `{name}` in the design of {}", run.name)));
    }
    let changed: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let property = |row: &CoreRow| {
        let rests = |kept: &HashSet<&str>, asked: &HashSet<&str>| -> Vec<String> {
            // Elements in no question are part of every proof.
            let touched = changed.iter().filter(|name| kept.contains(**name) || !asked.contains(**name));
            touched.map(|name| (*name).to_owned()).collect()
        };
        decide(row, &run.result, rests)
    };
    let properties = run.result.cores.iter().filter_map(property).collect();
    let changed = changed.into_iter().map(str::to_owned).collect();
    Ok(Impact { run: run.name.clone(), changed, properties, ..Impact::default() })
}

/// What it means that a design became another one.
fn of_design(run: &KeptRun, old: &Design, new: &Design, old_ids: &HashMap<&str, ElementId>) -> Impact {
    let (before, after) = (old.system(), new.system());
    let (old_words, new_words) = (Wordings::new(before), Wordings::new(after));
    let new_ids = by_name(after);
    let says = |system: &System, words: &Wordings<'_>, id: ElementId| words.site(system.element(id).site);
    let same = |name: &str| match (old_ids.get(name), new_ids.get(name)) {
        (Some(old), Some(new)) => says(before, &old_words, *old) == says(after, &new_words, *new),
        _ => false,
    };
    let mut changed: Vec<String> =
        old_ids.keys().filter(|name| !same(name)).map(|name| (*name).to_owned()).collect();
    let mut added: Vec<String> =
        new_ids.keys().filter(|name| !old_ids.contains_key(*name)).map(|name| (*name).to_owned()).collect();
    changed.sort();
    added.sort();
    let property = |row: &CoreRow| {
        let name = row.property.as_deref()?;
        let id = before.properties().iter().position(|property| property.name == name);
        let Some(id) = id.map(|at| PropertyId(at as u32)) else {
            return decide(row, &run.result, |_, _| Vec::new());
        };
        let is_gone = !after.properties().iter().any(|property| property.name == name);
        let rests = |kept: &HashSet<&str>, asked: &HashSet<&str>| -> Vec<String> {
            let is_kept = |element: ElementId| {
                let name = before.element(element).name.as_str();
                kept.contains(name) || !asked.contains(name)
            };
            match stands((before, &old_words), (after, &new_words), id, &is_kept) {
                Ok(()) => Vec::new(),
                Err(obstacle) => vec![reason(before, obstacle)],
            }
        };
        let mut found = decide(row, &run.result, rests)?;
        if is_gone {
            found = PropertyImpact { effect: Effect::Gone, core: None, reasons: Vec::new(), ..found };
        }
        Some(found)
    };
    let properties = run.result.cores.iter().filter_map(property).collect();
    let changed_design = Some(new.name().to_owned());
    Impact { run: run.name.clone(), changed_design, changed, added, properties }
}

fn reason(system: &System, obstacle: Obstacle) -> String {
    match obstacle {
        Obstacle::Gone => "the property is gone, or of another kind".to_owned(),
        Obstacle::Property => "the property says something else".to_owned(),
        Obstacle::Element(element) => system.element(element).name.clone(),
        Obstacle::Helper(name) => format!("{name}, which is part of every proof"),
        Obstacle::Assumption(name) => format!("assumption {name}"),
    }
}

/// Goes through the cores of a property. `rests` says what of the change a proof rests on: nothing, if it stands.
fn decide(
    row: &CoreRow,
    result: &RunResult,
    rests: impl Fn(&HashSet<&str>, &HashSet<&str>) -> Vec<String>,
) -> Option<PropertyImpact> {
    let property = row.property.clone()?;
    let by_id: HashMap<u32, &str> =
        result.elements.iter().map(|element| (element.id, element.name.as_str())).collect();
    let names =
        |ids: &[u32]| -> HashSet<&str> { ids.iter().filter_map(|id| by_id.get(id).copied()).collect() };
    let asked = names(&row.universe);
    let cores = row.cores.len();
    let mut found =
        PropertyImpact { property, effect: Effect::NoProof, core: None, cores, reasons: Vec::new() };
    if !row.holds || row.depth.is_some() {
        return Some(found);
    }
    // A proof always rests on what is in no question, whatever core it is from.
    found.reasons = rests(&HashSet::new(), &asked);
    if found.reasons.is_empty() {
        let touched: Vec<Vec<String>> =
            row.cores.iter().map(|core| rests(&names(&core.elements), &asked)).collect();
        if let Some(core) = touched.iter().position(Vec::is_empty) {
            return Some(PropertyImpact { effect: Effect::Keeps, core: Some(core + 1), ..found });
        }
        let must = names(row.must.as_deref().unwrap_or_default());
        let is_certain = row.complete || !rests(&must, &asked).is_empty();
        found.effect = if is_certain { Effect::NewProof } else { Effect::Unknown };
        found.reasons = touched.into_iter().flatten().collect();
    } else {
        found.effect = Effect::NewProof;
    }
    found.reasons.sort();
    found.reasons.dedup();
    Some(found)
}
