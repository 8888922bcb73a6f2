//! The metrics, one row each, and which of them fit a design.

use crate::Error;
use crate::cover::run::Measure;
use crate::cover::scene::{Scene, is_invariant};
use crate::cover::{cone, cores, effects, reach};
use propcov_coverage::ctl::Place;
use propcov_ir::{PropertyId, PropertyKind, System};
use propcov_result::REACH;

/// A metric.
pub struct Metric {
    /// The name users type.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// How it is measured.
    pub(crate) run: Run,
}

impl std::fmt::Debug for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// How a metric is measured.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// On the proofs of invariants.
    Proofs(Begin),
    /// By changing the value of a signal in one place. Properties are decided on the way.
    Labels(Place),
}

/// Begins to measure; `None` where another metric of the same run does it as well.
pub(crate) type Begin =
    for<'a, 's> fn(&'a Scene<'a, 's>, &'static Metric) -> Result<Option<Box<dyn Measure + 'a>>, Error>;

/// All metrics, cheapest first among those that are about elements.
pub static METRICS: &[Metric] = &[
    Metric {
        name: REACH,
        summary: "does any run execute the assignment, or take the branch?",
        run: Run::Proofs(reach::begin),
    },
    Metric {
        name: "cone",
        summary: "does a property depend on the element at all?",
        run: Run::Proofs(cone::begin),
    },
    Metric {
        name: "core",
        summary: "IVC-Cov: is the element in a minimal core, from which a property can be proved?",
        run: Run::Proofs(cores::begin),
    },
    Metric {
        name: "must",
        summary: "MUST-Cov: is it in every core, so that a property fails without it?",
        run: Run::Proofs(cores::begin),
    },
    Metric { name: "may", summary: "MAY-Cov: is it in some minimal core?", run: Run::Proofs(cores::begin) },
    Metric {
        name: "model",
        summary: "MODEL-Cov: is it in some minimal core of some property?",
        run: Run::Proofs(cores::begin),
    },
    Metric {
        name: "mutation",
        summary: "does a property fail when an element is left open, stuck at zero or one, or a number is off by one or late?",
        run: Run::Proofs(effects::begin),
    },
    Metric {
        name: "state",
        summary: "does a property fail when a signal has another value in one reachable state?",
        run: Run::Labels(Place::State),
    },
    Metric {
        name: "transition",
        summary: "does a property fail when a signal has another value after one transition?",
        run: Run::Labels(Place::Transition),
    },
];

/// The metric with this name.
pub fn metric(name: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.name == name)
}

/// The metrics that were asked for, in the order of the table and each once, or those that fit the design.
///
/// # Errors
/// When one of those that were asked for does not fit.
pub(crate) fn chosen(
    asked: &[&'static Metric],
    system: &System,
    properties: &[PropertyId],
) -> Result<Vec<&'static Metric>, Error> {
    let names: Vec<&str> = match asked {
        [] => fitting(system, properties),
        asked => asked.iter().map(|metric| metric.name).collect(),
    };
    let names: Vec<&str> =
        METRICS.iter().map(|metric| metric.name).filter(|name| names.contains(name)).collect();
    if let Some(reason) = reach::unfit(system).filter(|_| names.contains(&REACH)) {
        return Err(Error::Usage(reason));
    }
    Ok(METRICS.iter().filter(|metric| names.contains(&metric.name)).collect())
}

/// What is cheap for this kind of design, and says most about it.
fn fitting(system: &System, properties: &[PropertyId]) -> Vec<&'static str> {
    let has_ctl = properties.iter().any(|id| matches!(system.property(*id).kind, PropertyKind::Ctl(_)));
    let has_invariants = properties.iter().any(|id| is_invariant(system, *id));
    match (system.has_numbers(), has_ctl, has_invariants) {
        (true, ..) => vec!["must", "may", "mutation"],
        (false, true, false) => vec!["state"],
        (false, true, true) => vec!["mutation", "state"],
        (false, false, _) if reach::unfit(system).is_none() => vec![REACH, "cone", "core", "mutation"],
        (false, false, _) => vec!["cone", "core", "mutation"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CoverOptions, read};
    use propcov_result::Scope;

    #[test]
    fn every_metric_measures_an_example_and_has_a_headline() {
        let path = format!("{}/../../examples/mutex.smv", env!("CARGO_MANIFEST_DIR"));
        let design = read(path).expect("an example");
        for metric in METRICS {
            let options = CoverOptions { metrics: vec![metric], ..CoverOptions::default() };
            // Nothing is executed in SMV.
            if metric.name == REACH {
                let error = design.cover(&options).expect_err("nothing to reach");
                assert!(error.to_string().starts_with("reach is about statements"), "{error}");
                continue;
            }
            let result = design.cover(&options).expect(metric.name);
            assert_eq!(result.run.metrics, [metric.name]);
            let share = result.share(metric.name, &Scope::All).expect(metric.name);
            assert!(!share.total.is_zero(), "{}", metric.name);
        }
    }
}
