//! The cores of all properties together, once those of each are known as far as they are.

use super::analysis::PropertyCores;
use super::evidence::Together;
use super::job::Setting;
use super::session::Bench;
use super::{Core, CoreMetric, Found, Goal, InTurn, Judge, Listener, Lists, Parts, Start, search};
use propcov_ir::ElementSet;

/// The cores of all properties together.
pub(super) fn together<'a: 'scope, 'scope, 'env>(
    setting: &Setting<'a, 'scope, 'env>,
    properties: &mut [PropertyCores],
    benches: &mut [Bench<'a, 'scope, 'env>],
) -> Option<Found> {
    if properties.len() < 2 {
        return None;
    }
    let goal = setting.options.goal;
    let mut heard = Heard(Vec::new());
    let must = must_of_any(properties, setting.universe);
    let mut found = if goal == Goal::Must {
        Found {
            must: Some(must),
            undecided: properties.iter().flat_map(|cores| cores.found.undecided.clone()).collect(),
            stopped: properties.iter().any(|cores| cores.found.stopped),
            ..Found::default()
        }
    } else if properties.iter().all(|cores| cores.found.complete) {
        let of = |cores: &PropertyCores| cores.found.cores.iter().map(|core| core.elements.clone()).collect();
        let mut lists = Lists::new(setting.universe, properties.iter().map(of).collect());
        search(&mut lists, setting.universe, goal, None, &Start::default(), &mut heard)
    } else if setting.options.part.is_nothing() && properties.iter().any(|cores| cores.found.stopped) {
        // Others would have found out the rest.
        return None;
    } else {
        // What is inadequate for one property is so for all of them together.
        let known = benches.iter().flat_map(|bench| bench.ledger().facts().inadequate().to_vec());
        let start = Start {
            adequate: union_of_first(properties).into_iter().collect(),
            inadequate: known.collect(),
            ..Start::default()
        };
        let judges = benches.iter_mut().map(|bench| bench as &mut dyn Judge).collect();
        let mut found = search(&mut InTurn::new(judges), setting.universe, goal, None, &start, &mut heard);
        if let Some(parts) = &mut found.must {
            parts.unknown = parts.unknown.intersection(&must.unknown);
        }
        found
    };
    let problems = check_together(setting, benches, &mut found, &heard.0);
    if let Some(last) = properties.last_mut() {
        last.outcome.internal_errors.extend(problems);
    }
    Some(found)
}

/// Has everything checked that was found about all properties together, and announces their cores.
fn check_together<'a: 'scope, 'scope, 'env>(
    setting: &Setting<'a, 'scope, 'env>,
    benches: &[Bench<'a, 'scope, 'env>],
    found: &mut Found,
    heard: &[Core],
) -> Vec<String> {
    let mut ledgers: Vec<_> = benches.iter().map(Bench::ledger).collect();
    let mut together = match Together::new(ledgers.iter_mut().map(|ledger| &mut **ledger).collect()) {
        Ok(together) => together,
        Err(rejection) => {
            *found = Found { stopped: true, ..Found::default() };
            return vec![rejection.to_string()];
        }
    };
    let problems = together.certify(found);
    let accepted = heard.iter().filter(|core| found.cores.contains(core));
    accepted.for_each(|core| setting.observer.core(None, core));
    problems
}

/// Remembers cores.
struct Heard(Vec<Core>);

impl Listener for Heard {
    fn core(&mut self, core: &Core) {
        self.0.push(core.clone());
    }
}

/// What some property needs, all of them together do.
fn must_of_any(properties: &[PropertyCores], universe: &ElementSet) -> Parts {
    let nothing_known = Parts { sure: ElementSet::new(), unknown: universe.clone() };
    let each = properties.iter().map(|cores| cores.found.must.as_ref().unwrap_or(&nothing_known));
    CoreMetric::of_set(each)
}

/// One core of each property: together they suffice for all.
fn union_of_first(properties: &[PropertyCores]) -> Option<ElementSet> {
    let mut union = ElementSet::new();
    for cores in properties {
        union = union.union(&cores.found.cores.first()?.elements);
    }
    Some(union)
}
