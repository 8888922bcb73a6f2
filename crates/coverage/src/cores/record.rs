//! Cores as records of a result: what each property rests on, and what that covers by each metric.
//!
//! Dropping a definition is the edit of these metrics: an element is covered by a property if the property's proof needs it, in the metric's sense. Only logic of the design counts.
//! Elements of checkers are found out like any other, and counted apart. What is not known is unknown, and never rounded.

use super::analysis::{Analysis, DepthCore, Holds, Options, PropertyCores, Universe};
use super::{Algorithm, Core, CoreMetric, Found, Goal, Minimality, Parts, reading};
use crate::ranking::rank;
use fixedbitset::FixedBitSet;
use propcov_ir::{ElementId, ElementSet, PropertyId, Role, System};
use propcov_result::{
    CoreAtDepth, CoreGoal, CoreRow, CoreSet, Count, DROPPED, Finding, FindingVerdict, Reads, RunResult,
    Scope, Share, Stop, Subject, Tally,
};
use propcov_verify::record;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the algorithm is called when none was chosen.
const DEFAULT_ALGORITHM: &str = "default";

/// What was asked, and what came of it.
pub struct Studied<'a> {
    /// The system.
    pub system: &'a System,
    /// The elements in question.
    pub universe: &'a Universe,
    /// What was asked about them.
    pub options: &'a Options,
    /// What came of it.
    pub analysis: &'a Analysis,
}

impl Studied<'_> {
    /// Adds the elements in question, what is known of the cores of each property and of all together, and what it took. Properties that
    /// are in the result already get what they mention.
    pub fn add_to(&self, result: &mut RunResult) {
        result.add_elements(record::elements(self.system, self.universe));
        result.cores.extend(self.analysis.properties.iter().map(|cores| self.property_row(cores)));
        result.cores.extend(self.analysis.together.iter().map(|found| self.row(None, found)));
        for cores in &self.analysis.properties {
            self.add_reading(cores.property, result);
        }
        let all = &self.analysis.properties;
        let seconds = |part: fn(&PropertyCores) -> f64| all.iter().map(part).fold(0.0, |sum, one| sum + one);
        for (phase, spent) in [
            ("cores", seconds(|cores| cores.seconds.cores)),
            ("certify", seconds(|cores| cores.seconds.certify)),
        ] {
            let sum = result.stats.seconds.entry(phase.to_owned()).or_default();
            *sum = record::finely_rounded(*sum + spent);
        }
        record::add_stats(&mut result.stats, &self.analysis.stats);
    }

    fn name(&self, property: PropertyId) -> &str {
        &self.system.property(property).name
    }

    /// What the expression of a property mentions, of the elements in question.
    fn add_reading(&self, property: PropertyId, result: &mut RunResult) {
        let name = self.name(property);
        let Some(record) = result.properties.iter_mut().find(|record| record.name == name) else { return };
        let reading = reading::of_property(self.system, property);
        let numbers = |elements: &ElementSet| numbers(&elements.intersection(self.universe));
        record.own = numbers(&reading.own);
        record.reads = Some(Reads {
            antecedent: numbers(&reading.antecedent),
            consequent: numbers(&reading.consequent),
            changes: reading.changes,
        });
    }

    fn property_row(&self, cores: &PropertyCores) -> CoreRow {
        let seconds = &cores.seconds;
        let seconds = [("proof", seconds.proof), ("cores", seconds.cores), ("certify", seconds.certify)];
        let holds = cores.is_good();
        CoreRow {
            holds,
            answered: holds && self.is_answered(cores),
            stopped: holds && cores.found.stopped,
            by_depth: cores.by_depth.iter().map(at_depth).collect(),
            seconds: seconds.map(|(phase, time)| (phase.to_owned(), record::finely_rounded(time))).into(),
            ..self.row(Some(cores.property), &cores.found)
        }
    }

    fn row(&self, property: Option<PropertyId>, found: &Found) -> CoreRow {
        let sure = |parts: &Option<Parts>| parts.as_ref().map(|parts| numbers(&parts.sure));
        let open = |parts: &Option<Parts>| parts.as_ref().map(|parts| numbers(&parts.unknown));
        CoreRow {
            property: property.map(|property| self.name(property).to_owned()),
            goal: goal(self.options.goal),
            algorithm: self.options.algorithm.map_or(DEFAULT_ALGORITHM, Algorithm::name).to_owned(),
            depth: self.options.depth,
            holds: true,
            universe: numbers(self.universe),
            cores: found.cores.iter().map(core_set).collect(),
            complete: found.complete,
            answered: is_answered(self.options.goal, found),
            stopped: found.stopped,
            must: sure(&found.must),
            must_unknown: open(&found.must).unwrap_or_default(),
            may: sure(&found.may),
            may_unknown: open(&found.may).unwrap_or_default(),
            minimum: found.minimum.as_ref().map(numbers),
            at_least: found.at_least,
            undecided: undecided(found),
            by_depth: Vec::new(),
            seconds: BTreeMap::new(),
            check_limit: self.options.check_time.map(|time| time.as_secs_f64()),
        }
    }

    /// Whether what was asked about a property is answered. Its cores may be those of each depth.
    fn is_answered(&self, cores: &PropertyCores) -> bool {
        match (self.options.algorithm, self.options.depth) {
            (Some(Algorithm::Bvc), Some(depth)) => {
                let is_open = |core: &Core| matches!(core.minimal, Minimality::Undecided(_));
                let has_open = cores.by_depth.iter().any(|at| is_open(&at.up_to) || is_open(&at.at));
                cores.by_depth.len() as u64 > u64::from(depth) && !has_open
            }
            _ => is_answered(self.options.goal, &cores.found),
        }
    }

    /// Whether everything is answered that was asked about what holds.
    pub fn is_all_answered(&self) -> bool {
        let properties = self.analysis.properties.iter();
        let mut good = properties.filter(|cores| cores.is_good());
        let together = self.analysis.together.as_ref();
        good.all(|cores| self.is_answered(cores))
            && together.is_none_or(|found| is_answered(self.options.goal, found))
    }

    /// Adds what a metric makes of it: findings, shares, and what each property contributes.
    pub fn add_metric(&self, metric: CoreMetric, result: &mut RunResult) {
        let proved: Vec<(&PropertyCores, Parts)> = self
            .analysis
            .properties
            .iter()
            .filter(|cores| matches!(cores.holds(), Holds::Yes { .. }))
            .map(|cores| (cores, metric.covered(&cores.found, self.universe)))
            .collect();
        for (cores, parts) in &proved {
            self.add_findings(metric, cores, parts, result);
        }
        // Without a property nothing was measured, and no share is better than one from 0 to 100.
        if !proved.is_empty() {
            self.add_shares(metric, &proved, result);
        }
        if metric != CoreMetric::Model {
            result.rankings.push(self.ranking(metric, &proved));
        }
    }

    fn add_findings(&self, metric: CoreMetric, cores: &PropertyCores, parts: &Parts, result: &mut RunResult) {
        let reason: Arc<str> = shortfall(&cores.found, result.run.stop).into();
        let (name, edit): (Arc<str>, Arc<str>) = (metric.name().into(), DROPPED.into());
        let property: Arc<str> = self.name(cores.property).into();
        let [covered, uncovered] =
            [true, false].map(|is_covered| Arc::<str>::from(evidence(metric, is_covered)));
        result.findings.extend(self.universe.iter().map(|element| {
            let verdict = verdict(parts, element);
            let (by, reason) = match verdict {
                FindingVerdict::Covered => (Some(covered.clone()), None),
                FindingVerdict::Unknown => (None, Some(reason.clone())),
                _ => (Some(uncovered.clone()), None),
            };
            Finding {
                metric: name.clone(),
                subject: Subject::Element(element.0),
                edit: edit.clone(),
                property: Some(property.clone()),
                verdict,
                certified: by.is_some(),
                reason,
                bound: None,
                by,
                evidence: None,
                witness: None,
                count: None,
                waiver: None,
            }
        }));
    }

    fn is_checker(&self, element: ElementId) -> bool {
        self.system.element(element).role == Role::Checker
    }

    fn add_shares(&self, metric: CoreMetric, proved: &[(&PropertyCores, Parts)], result: &mut RunResult) {
        let one = Count::from(1_usize);
        let mut share = |scope: Scope, parts: &Parts| {
            let is_of_checkers = scope == Scope::Checker;
            let mut tally = Tally::default();
            for element in self.universe.iter().filter(|id| self.is_checker(*id) == is_of_checkers) {
                tally.add(verdict(parts, element), &one);
            }
            if !is_of_checkers || !tally.total().is_zero() {
                result.shares.push(Share::new(metric.name(), scope, tally, true));
            }
        };
        let set = CoreMetric::of_set(proved.iter().map(|(_, parts)| parts));
        share(Scope::All, &set);
        if metric != CoreMetric::Model {
            if let Some(together) = &self.analysis.together {
                share(Scope::Conjunction, &metric.covered(together, self.universe));
            }
            for (cores, parts) in proved {
                share(Scope::Property(self.name(cores.property).to_owned()), parts);
            }
        }
        share(Scope::Checker, &set);
    }

    /// What each property contributes to what counts.
    fn ranking(&self, metric: CoreMetric, proved: &[(&PropertyCores, Parts)]) -> propcov_result::Ranking {
        let counting: Vec<ElementId> = self.universe.iter().filter(|id| !self.is_checker(*id)).collect();
        let rows = |of: fn(&Parts) -> &ElementSet| -> Vec<FixedBitSet> {
            let row =
                |parts: &Parts| (0..counting.len()).filter(|at| of(parts).contains(counting[*at])).collect();
            proved.iter().map(|(_, parts)| row(parts)).collect()
        };
        let names: Vec<&str> = proved.iter().map(|(cores, _)| self.name(cores.property)).collect();
        rank(&rows(|parts| &parts.sure), &rows(|parts| &parts.unknown)).record(metric.name(), &names)
    }
}

fn numbers(elements: &ElementSet) -> Vec<u32> {
    elements.iter().map(|element| element.0).collect()
}

fn core_set(core: &Core) -> CoreSet {
    let (minimal, undecided) = match &core.minimal {
        Minimality::Minimal => (propcov_result::Minimality::Minimal, Vec::new()),
        Minimality::Unchecked => (propcov_result::Minimality::Unchecked, Vec::new()),
        Minimality::Undecided(open) => (propcov_result::Minimality::Undecided, numbers(open)),
    };
    CoreSet { elements: numbers(&core.elements), minimal, undecided, invariants: Vec::new() }
}

fn at_depth(at: &DepthCore) -> CoreAtDepth {
    CoreAtDepth { depth: at.depth, up_to: numbers(&at.up_to.elements), at: numbers(&at.at.elements) }
}

fn goal(goal: Goal) -> CoreGoal {
    match goal {
        Goal::One => CoreGoal::One,
        Goal::Minimal => CoreGoal::Minimal,
        Goal::Minimum => CoreGoal::Minimum,
        Goal::All => CoreGoal::All,
        Goal::Must => CoreGoal::Must,
        Goal::May => CoreGoal::May,
    }
}

/// Whether what was asked for is answered.
fn is_answered(goal: Goal, found: &Found) -> bool {
    let is_known = |parts: &Option<Parts>| parts.as_ref().is_some_and(|parts| parts.unknown.is_empty());
    match goal {
        Goal::One => !found.cores.is_empty(),
        Goal::Minimal => found.cores.iter().any(|core| core.minimal == Minimality::Minimal),
        Goal::Minimum => found.minimum.is_some(),
        Goal::All => found.complete,
        Goal::Must => is_known(&found.must),
        Goal::May => is_known(&found.may),
    }
}

/// How many checks have no answer, by reason.
fn undecided(found: &Found) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (_, reason) in &found.undecided {
        let line = reason.to_string().lines().next().unwrap_or_default().to_owned();
        *counts.entry(line).or_default() += 1;
    }
    counts
}

/// Why something is not known.
fn shortfall(found: &Found, stop: Option<Stop>) -> String {
    let stopped = match stop {
        Some(Stop::Timeout) => "out of time",
        Some(Stop::Memory) => "out of memory",
        Some(Stop::Interrupted) => "interrupted",
        _ => "the search was stopped",
    };
    let mut reasons: Vec<String> = undecided(found).into_keys().collect();
    if found.stopped || reasons.is_empty() {
        reasons.insert(0, stopped.to_owned());
    }
    reasons.join("; ")
}

/// Whether an element is covered.
fn verdict(parts: &Parts, element: ElementId) -> FindingVerdict {
    match (parts.sure.contains(element), parts.unknown.contains(element)) {
        (true, _) => FindingVerdict::Covered,
        (_, true) => FindingVerdict::Unknown,
        _ => FindingVerdict::Uncovered,
    }
}

/// What shows that an element is covered, or that it is not.
fn evidence(metric: CoreMetric, is_covered: bool) -> &'static str {
    match (metric, is_covered) {
        (CoreMetric::Core, _) => "core",
        (CoreMetric::Must, true) => "run without it",
        (CoreMetric::Must, false) => "core without it",
        (CoreMetric::May | CoreMetric::Model, true) => "core",
        (CoreMetric::May | CoreMetric::Model, false) => "all minimal cores",
    }
}
