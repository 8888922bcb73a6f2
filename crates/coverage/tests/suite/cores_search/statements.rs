//! Whether what was found is true, and whether it is all there is.

use super::function::Function;
use propcov_coverage::cores::{Algorithm, Core, Found, Goal, Listener, Minimality, Parts};

/// All that a listener heard.
#[derive(Default)]
pub(crate) struct Heard(pub(crate) Vec<Core>);

impl Listener for Heard {
    fn core(&mut self, core: &Core) {
        self.0.push(core.clone());
    }
}

fn ensure(holds: bool, problem: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.to_owned()) }
}

/// Every statement is true.
pub(crate) fn check(function: &Function, found: &Found, heard: &Heard) -> Result<(), String> {
    let inner = || {
        for core in found.cores.iter().chain(&heard.0) {
            check_core(function, core)?;
        }
        for core in &found.cores {
            let inside = |other: &&Core| other.elements.is_subset(&core.elements);
            ensure(found.cores.iter().filter(inside).count() == 1, "a core has another one inside")?;
            let times = heard.0.iter().filter(|other| other.elements == core.elements).count();
            ensure(times == 1, "a core was not heard of once")?;
        }
        if let Some(must) = &found.must {
            check_parts(function, must, function.must()).map_err(|problem| format!("MUST: {problem}"))?;
        }
        if let Some(may) = &found.may {
            check_parts(function, may, function.may()).map_err(|problem| format!("MAY: {problem}"))?;
        }
        if let Some(minimum) = &found.minimum {
            let minimum = function.mask(minimum);
            ensure(function.is_adequate(minimum), "the minimum is inadequate")?;
            ensure(Some(minimum.count_ones()) == function.minimum(), "the minimum is none")?;
        }
        let minimum = function.minimum().unwrap_or(0) as usize;
        ensure(found.at_least <= minimum, "the lower bound is too high")?;
        ensure(!found.complete || has_all(function, found), "the list is not complete")?;
        ensure(!found.complete || found.may.is_some(), "the list is complete, but MAY is not known")
    };
    inner().map_err(|problem: String| format!("{problem}: {found:?}"))
}

fn check_core(function: &Function, core: &Core) -> Result<(), String> {
    let elements = function.mask(&core.elements);
    ensure(function.is_adequate(elements), "a core is inadequate")?;
    let open = match &core.minimal {
        Minimality::Minimal => 0,
        Minimality::Unchecked => elements,
        Minimality::Undecided(open) => {
            ensure(!open.is_empty() && open.is_subset(&core.elements), "strange elements are undecided")?;
            function.mask(open)
        }
    };
    for bit in (0..function.size).filter(|bit| (elements & !open) >> bit & 1 == 1) {
        ensure(!function.is_adequate(elements & !(1 << bit)), "a core does not need an element")?;
    }
    Ok(())
}

fn check_parts(function: &Function, parts: &Parts, truth: u32) -> Result<(), String> {
    let (sure, unknown) = (function.mask(&parts.sure), function.mask(&parts.unknown));
    ensure(sure & unknown == 0, "an element is both sure and unknown")?;
    ensure(sure & !truth == 0, "a sure element is not in it")?;
    ensure(truth & !(sure | unknown) == 0, "an element is in it, but neither sure nor unknown")
}

fn has_all(function: &Function, found: &Found) -> bool {
    let mut cores: Vec<u32> = found.cores.iter().map(|core| function.mask(&core.elements)).collect();
    cores.sort_unstable();
    cores == function.minimal && found.cores.iter().all(|core| core.minimal == Minimality::Minimal)
}

/// With a judge that always answers and nobody who stops the search, everything that was asked for is there.
pub(crate) fn check_exact(
    function: &Function,
    way: (Goal, Option<Algorithm>),
    found: &Found,
    heard: &Heard,
) -> Result<(), String> {
    let inner = || {
        ensure(!found.stopped && found.undecided.is_empty(), "it was not stopped, and all is decided")?;
        if function.minimal.is_empty() {
            return ensure(found.complete && found.cores.is_empty(), "there is no core");
        }
        let decided = |parts: &Option<Parts>| parts.as_ref().is_some_and(|parts| parts.unknown.is_empty());
        let minimal = found.cores.iter().all(|core| core.minimal == Minimality::Minimal);
        match way.0 {
            Goal::One => ensure(found.cores.len() == 1, "one core")?,
            Goal::Minimal => ensure(found.cores.len() == 1 && minimal, "one minimal core")?,
            Goal::Minimum => {
                ensure(found.cores.len() == 1 && minimal, "one minimal core")?;
                ensure(found.minimum.as_ref() == Some(&found.cores[0].elements), "the minimum is the core")?;
                ensure(Some(found.at_least as u32) == function.minimum(), "the lower bound is exact")?;
            }
            Goal::All => {
                ensure(found.complete, "all minimal cores")?;
                ensure(decided(&found.must) && decided(&found.may), "MUST and MAY follow from all cores")?;
                ensure(found.minimum.is_some(), "the minimum follows from all cores")?;
                let online = way.1 != Some(Algorithm::Marco);
                let unfit = heard.0.iter().any(|core| core.minimal != Minimality::Minimal);
                ensure(!online || !unfit, "somebody heard of a core that is not minimal")?;
            }
            Goal::Must => ensure(decided(&found.must), "MUST")?,
            Goal::May => ensure(decided(&found.may), "MAY")?,
        }
        Ok(())
    };
    inner().map_err(|problem: String| format!("expected: {problem}: {found:?}"))
}
