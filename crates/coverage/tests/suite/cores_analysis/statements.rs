//! Whether what was found is true, and whether it is all that was asked for.

use super::oracle::Truth;
use propcov_coverage::cores::{Algorithm, Core, Found, Goal, Minimality, Parts};
use propcov_ir::ElementSet;

/// All that was found, as text in which equal things are equal.
pub(crate) fn shown(found: &Found) -> String {
    let mut text = format!("cores{}", cores(&found.cores));
    for (name, parts) in [("MUST", &found.must), ("MAY", &found.may)] {
        if let Some(parts) = parts {
            text += &format!(", {name} {} and perhaps {}", set(&parts.sure), set(&parts.unknown));
        }
    }
    if let Some(minimum) = &found.minimum {
        text += &format!(", the smallest is {}", set(minimum));
    }
    for (elements, reason) in &found.undecided {
        text += &format!(", {} is undecided: {reason}", set(elements));
    }
    let Found { complete, at_least, stopped, .. } = found;
    text + &format!(", complete: {complete}, at least: {at_least}, stopped: {stopped}")
}

pub(crate) fn cores(cores: &[Core]) -> String {
    let core = |core: &Core| match &core.minimal {
        Minimality::Minimal => format!(" {}", set(&core.elements)),
        Minimality::Unchecked => format!(" {} (unchecked)", set(&core.elements)),
        Minimality::Undecided(open) => format!(" {} (open: {})", set(&core.elements), set(open)),
    };
    cores.iter().map(core).collect()
}

pub(crate) fn set(set: &ElementSet) -> String {
    let elements: Vec<String> = set.iter().map(|element| element.0.to_string()).collect();
    format!("{{{}}}", elements.join(", "))
}

fn ensure(holds: bool, problem: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.to_owned()) }
}

/// Every statement is true, whether or not the search came to its end.
pub(crate) fn check(truth: &Truth, found: &Found, heard: &[Core]) -> Result<(), String> {
    let inner = || {
        for core in found.cores.iter().chain(heard) {
            check_core(truth, core)?;
        }
        for core in &found.cores {
            let inside = |other: &&Core| other.elements.is_subset(&core.elements);
            ensure(found.cores.iter().filter(inside).count() == 1, "a core has another one inside")?;
            let times = heard.iter().filter(|other| other.elements == core.elements).count();
            ensure(times == 1, "a core was not heard of once")?;
        }
        if let Some(must) = &found.must {
            check_parts(truth, must, &truth.must()).map_err(|problem| format!("MUST: {problem}"))?;
        }
        if let Some(may) = &found.may {
            check_parts(truth, may, &truth.may()).map_err(|problem| format!("MAY: {problem}"))?;
        }
        if let Some(minimum) = &found.minimum {
            ensure(truth.is_adequate(minimum), "the minimum is inadequate")?;
            ensure(minimum.len() == truth.minimum(), "the minimum is none")?;
        }
        ensure(found.at_least <= truth.minimum(), "the lower bound is too high")?;
        ensure(!found.complete || has_all(truth, found), "the list is not complete")
    };
    inner().map_err(|problem: String| format!("{problem}: {}; heard of{}", shown(found), cores(heard)))
}

/// A core is one, and needs what it is said to need.
pub(crate) fn check_core(truth: &Truth, core: &Core) -> Result<(), String> {
    ensure(core.elements.is_subset(&truth.universe), "a core has elements that are not in question")?;
    ensure(truth.is_adequate(&core.elements), "a core is inadequate")?;
    let needed = match &core.minimal {
        Minimality::Minimal => core.elements.clone(),
        Minimality::Unchecked => ElementSet::new(),
        Minimality::Undecided(open) => {
            ensure(!open.is_empty() && open.is_subset(&core.elements), "strange elements are undecided")?;
            core.elements.difference(open)
        }
    };
    let is_needed = |element| !truth.is_adequate(&core.elements.without(element));
    ensure(needed.iter().all(is_needed), "a core does not need an element")
}

fn check_parts(truth: &Truth, parts: &Parts, expected: &ElementSet) -> Result<(), String> {
    let all = parts.sure.union(&parts.unknown);
    ensure(all.is_subset(&truth.universe), "elements that are not in question")?;
    ensure(parts.sure.intersection(&parts.unknown).is_empty(), "an element is both sure and unknown")?;
    ensure(parts.sure.is_subset(expected), "a sure element is not in it")?;
    ensure(expected.is_subset(&all), "an element is in it, but neither sure nor unknown")
}

fn has_all(truth: &Truth, found: &Found) -> bool {
    let mut cores: Vec<ElementSet> = found.cores.iter().map(|core| core.elements.clone()).collect();
    cores.sort();
    cores == truth.cores && found.cores.iter().all(|core| core.minimal == Minimality::Minimal)
}

/// Everything that was asked for is there. `heard` only matters for [`Goal::All`].
pub(crate) fn check_exact(
    truth: &Truth,
    (goal, algorithm): (Goal, Option<Algorithm>),
    found: &Found,
    heard: &[Core],
) -> Result<(), String> {
    let inner = || {
        ensure(found.undecided.is_empty(), "all is decided")?;
        let decided = |parts: &Option<Parts>| parts.as_ref().is_some_and(|parts| parts.unknown.is_empty());
        let minimal = found.cores.iter().all(|core| core.minimal == Minimality::Minimal);
        match goal {
            Goal::One => ensure(found.cores.len() == 1, "one core"),
            Goal::Minimal => ensure(found.cores.len() == 1 && minimal, "one minimal core"),
            Goal::Minimum => {
                ensure(found.cores.len() == 1 && minimal, "one minimal core")?;
                ensure(found.minimum.as_ref() == Some(&found.cores[0].elements), "the minimum is the core")?;
                ensure(found.at_least == truth.minimum(), "the lower bound is exact")
            }
            Goal::All => {
                ensure(found.complete, "all minimal cores")?;
                ensure(decided(&found.must) && decided(&found.may), "MUST and MAY follow from all cores")?;
                ensure(found.minimum.is_some(), "the minimum follows from all cores")?;
                let online = algorithm != Some(Algorithm::Marco);
                let unfit = heard.iter().any(|core| core.minimal != Minimality::Minimal);
                ensure(!online || !unfit, "nobody hears of a core that is not minimal")
            }
            Goal::Must => ensure(decided(&found.must), "MUST"),
            Goal::May => ensure(decided(&found.may), "MAY"),
        }
    };
    inner()
        .map_err(|problem: String| format!("expected: {problem}: {}; heard of{}", shown(found), cores(heard)))
}
