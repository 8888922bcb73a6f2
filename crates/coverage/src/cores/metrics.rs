//! Coverage by cores: which elements do the proofs of properties rest on?
//!
//! Of one property: IVC-Cov covers the elements of one minimal core, MUST-Cov those of every core, MAY-Cov those of some minimal core. The conjunction of properties is a property like any
//! other. A set of properties covers what one of its properties covers; for MAY-Cov that is MODEL-Cov.
//!
//! # References
//! E. Ghassabani: Inductive Validity Cores. PhD thesis, University of Minnesota, 2018. Definitions 9 to 12.

use super::{Core, Found, Goal, Minimality, Parts};
use propcov_ir::ElementSet;

/// A metric of cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreMetric {
    /// In one minimal core: IVC-Cov.
    Core,
    /// In every core: MUST-Cov.
    Must,
    /// In some minimal core: MAY-Cov.
    May,
    /// In some minimal core of some property: MODEL-Cov.
    Model,
}

impl CoreMetric {
    /// All of them.
    pub const ALL: [CoreMetric; 4] = [CoreMetric::Core, CoreMetric::Must, CoreMetric::May, CoreMetric::Model];

    /// The name users type.
    pub fn name(self) -> &'static str {
        match self {
            CoreMetric::Core => "core",
            CoreMetric::Must => "must",
            CoreMetric::May => "may",
            CoreMetric::Model => "model",
        }
    }

    /// The name in the thesis.
    pub fn title(self) -> &'static str {
        match self {
            CoreMetric::Core => "IVC-Cov",
            CoreMetric::Must => "MUST-Cov",
            CoreMetric::May => "MAY-Cov",
            CoreMetric::Model => "MODEL-Cov",
        }
    }

    /// What has to be known of each property.
    pub fn goal(self) -> Goal {
        match self {
            CoreMetric::Core => Goal::Minimal,
            CoreMetric::Must => Goal::Must,
            CoreMetric::May | CoreMetric::Model => Goal::May,
        }
    }

    /// What has to be known of each property for all of these metrics. Several that want different things have it from all minimal
    /// cores.
    pub fn goal_of(metrics: &[CoreMetric]) -> Goal {
        let mut goals = metrics.iter().map(|metric| metric.goal());
        let first = goals.next().unwrap_or(Goal::All);
        if goals.all(|goal| goal == first) { first } else { Goal::All }
    }

    /// The core that decides what [`CoreMetric::Core`] covers: the first that is minimal, else the first.
    pub fn chosen(found: &Found) -> Option<&Core> {
        let minimal = found.cores.iter().find(|core| core.minimal == Minimality::Minimal);
        minimal.or(found.cores.first())
    }

    /// What is covered by a property that holds, and what may be.
    pub fn covered(self, found: &Found, universe: &ElementSet) -> Parts {
        let nothing_known = || Parts { sure: ElementSet::new(), unknown: universe.clone() };
        match self {
            CoreMetric::Must => found.must.clone().unwrap_or_else(nothing_known),
            CoreMetric::May | CoreMetric::Model => found.may.clone().unwrap_or_else(nothing_known),
            CoreMetric::Core => match CoreMetric::chosen(found) {
                None => nothing_known(),
                Some(core) => of_core(core, found.must.as_ref()),
            },
        }
    }

    /// What a set of properties covers.
    pub fn of_set<'p>(parts: impl Iterator<Item = &'p Parts>) -> Parts {
        let mut all = Parts::default();
        for part in parts {
            all.sure = all.sure.union(&part.sure);
            all.unknown = all.unknown.union(&part.unknown);
        }
        all.unknown = all.unknown.difference(&all.sure);
        all
    }
}

/// Some minimal core lies within this one. It has every element that this one cannot do without; whether it has the others is not known.
fn of_core(core: &Core, must: Option<&Parts>) -> Parts {
    let unknown = match &core.minimal {
        Minimality::Minimal => ElementSet::new(),
        Minimality::Unchecked => core.elements.clone(),
        Minimality::Undecided(open) => open.clone(),
    };
    let unknown = match must {
        Some(must) => unknown.difference(&must.sure),
        None => unknown,
    };
    Parts { sure: core.elements.difference(&unknown), unknown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::ElementId;

    fn set(elements: &[u32]) -> ElementSet {
        elements.iter().copied().map(ElementId).collect()
    }

    fn parts(sure: &[u32], unknown: &[u32]) -> Parts {
        Parts { sure: set(sure), unknown: set(unknown) }
    }

    fn found(cores: Vec<Core>) -> Found {
        Found { cores, ..Found::default() }
    }

    #[test]
    fn a_core_covers_what_it_surely_needs_and_may_cover_the_rest_of_it() {
        let universe = set(&[0, 1, 2, 3]);
        let of = |minimal: Minimality| Core { elements: set(&[0, 1]), minimal };
        let covered = |cores| CoreMetric::Core.covered(&found(cores), &universe);
        assert_eq!(covered(vec![]), parts(&[], &[0, 1, 2, 3]));
        assert_eq!(covered(vec![of(Minimality::Minimal)]), parts(&[0, 1], &[]));
        assert_eq!(covered(vec![of(Minimality::Unchecked)]), parts(&[], &[0, 1]));
        assert_eq!(covered(vec![of(Minimality::Undecided(set(&[1])))]), parts(&[0], &[1]));
        let other = Core { elements: set(&[2, 3]), minimal: Minimality::Minimal };
        assert_eq!(covered(vec![of(Minimality::Unchecked), other]), parts(&[2, 3], &[]));
        let known = Found { must: Some(parts(&[0], &[1])), ..found(vec![of(Minimality::Unchecked)]) };
        assert_eq!(CoreMetric::Core.covered(&known, &universe), parts(&[0], &[1]));
    }

    #[test]
    fn what_one_property_covers_the_set_covers_and_it_is_not_unknown() {
        let all = [parts(&[0], &[1, 2]), parts(&[1], &[3])];
        assert_eq!(CoreMetric::of_set(all.iter()), parts(&[0, 1], &[2, 3]));
        assert_eq!(CoreMetric::of_set([].iter()), parts(&[], &[]));
    }

    #[test]
    fn metrics_that_want_the_same_are_asked_no_more_than_one_of_them() {
        use CoreMetric::{Core, May, Model, Must};
        assert_eq!(CoreMetric::goal_of(&[Core]), Goal::Minimal);
        assert_eq!(CoreMetric::goal_of(&[May, Model]), Goal::May);
        assert_eq!(CoreMetric::goal_of(&[Core, Must, May]), Goal::All);
    }

    #[test]
    fn nothing_is_covered_or_uncovered_before_it_is_known() {
        let universe = set(&[4, 7]);
        for metric in [CoreMetric::Core, CoreMetric::Must, CoreMetric::May, CoreMetric::Model] {
            assert_eq!(metric.covered(&Found::default(), &universe), parts(&[], &[4, 7]));
        }
    }
}
