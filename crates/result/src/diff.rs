//! What got better and what got worse from one result to another.
//!
//! Elements are found again by what they are, not by where they stand (`align`): a line that moved is no change. What only became known, or unknown, is neither better nor worse, and said apart.

use crate::align::{Side, aligned};
use crate::identity::{Texts, stem};
use crate::{
    Count, Finding, Ladder, Percent, Property, Role, RunResult, Scope, Share, Standing, Subject, Verdict,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Changes when a field changes its meaning.
pub const DIFF_SCHEMA: &str = "propcov-diff/1";

/// What changed from one result to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diff {
    /// The version of this document's form: `propcov-diff/1`.
    pub schema: String,
    /// The runs that are compared.
    pub runs: Sides<String>,
    /// Shares that differ: headlines first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<ShareChange>,
    /// Properties that differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyChange>,
    /// Elements whose status on the ladder differs, or that are on one side only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<ElementChange>,
    /// Edits of elements, and conditions on states, that stand otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingChange>,
    /// What keeps the two from being compared fairly: other elements, metrics or properties were measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Whether the two have nothing in common, so that nothing is better or worse.
    #[serde(default, skip_serializing_if = "crate::design::is_false")]
    pub unrelated: bool,
    /// How many elements are on both sides.
    pub paired: usize,
    /// How many of these have moved: they stand at another place, or have another name for that reason.
    pub moved: usize,
}

/// Before and now; absent: it was not there, or is not any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sides<T> {
    /// Before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<T>,
    /// Now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<T>,
}

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Less than before.
    Worse,
    /// It was decided, and is not any more.
    Lost,
    /// It was not decided, and is now.
    Decided,
    /// More than before.
    Better,
    /// It was not there, or not measured.
    Added,
    /// It is not there any more, or not measured.
    Removed,
    /// Other than before, and neither better nor worse.
    Other,
}

impl Direction {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Worse => "worse",
            Direction::Lost => "lost",
            Direction::Decided => "decided",
            Direction::Better => "better",
            Direction::Added => "added",
            Direction::Removed => "removed",
            Direction::Other => "other",
        }
    }
}

/// A share that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShareChange {
    /// The metric.
    pub metric: String,
    /// What is counted.
    pub scope: Scope,
    /// How.
    pub direction: Direction,
    /// The headlines.
    pub percent: Sides<Percent>,
    /// Covered of what counts.
    pub counts: Sides<(Count, Count)>,
}

/// A property that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyChange {
    /// Its name now, or before if it is gone.
    pub name: String,
    /// How.
    pub direction: Direction,
    /// The verdicts; `vacuous` is proved without meaning anything.
    pub verdict: Sides<String>,
}

/// An element, by the names it has on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ElementPair {
    /// Its name.
    pub name: Sides<String>,
    /// Where it stands: file and line.
    pub line: Sides<(String, u32)>,
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ElementChange {
    /// The element.
    pub element: ElementPair,
    /// How.
    pub direction: Direction,
    /// Its status on the ladder.
    pub status: Sides<Ladder>,
}

/// An edit of an element, or a condition on states, that stands otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingChange {
    /// The metric.
    pub metric: String,
    /// The element; absent: a condition or a label, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<ElementPair>,
    /// The condition or label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The edit.
    pub edit: String,
    /// How.
    pub direction: Direction,
    /// How it stands with all properties together.
    pub standing: Sides<String>,
}

impl Diff {
    /// What changed, where the texts of both designs are given as far as they are at hand.
    pub fn between(old: &RunResult, new: &RunResult, (texts_old, texts_new): (Texts<'_>, Texts<'_>)) -> Diff {
        let pairs = aligned(Side { result: old, texts: texts_old }, Side { result: new, texts: texts_new });
        let moved = pairs.iter().filter(|(was, is)| {
            let (was, is) = (&old.elements[*was], &new.elements[*is]);
            was.places != is.places || was.name != is.name
        });
        let moved = moved.count();
        let comparison = Comparison { old, new, pairs: &pairs };
        let mut findings = comparison.edits();
        findings.extend(comparison.conditions());
        let name = |result: &RunResult| result.run.date.clone();
        let mut diff = Diff {
            schema: DIFF_SCHEMA.to_owned(),
            runs: Sides { old: name(old), new: name(new) },
            shares: shares(old, new),
            properties: properties(old, new),
            elements: comparison.elements(),
            findings,
            warnings: Vec::new(),
            unrelated: pairs.is_empty() && !old.elements.is_empty() && !new.elements.is_empty(),
            paired: pairs.len(),
            moved,
        };
        if diff.unrelated {
            let text = format!(
                "no element of one run is in the other ({} before, {} now): these are different designs",
                old.elements.len(),
                new.elements.len()
            );
            diff.warnings.push(text);
        }
        let selection = selections(old, new, pairs.len());
        // What is counted is not the same, so a higher share is no progress.
        if diff.unrelated || !selection.is_empty() {
            diff.shares
                .iter_mut()
                .filter(|change| change.percent.old.is_some() && change.percent.new.is_some())
                .for_each(|change| change.direction = Direction::Other);
        }
        let is_told = selection.iter().any(|text| text.starts_with("other properties"));
        diff.warnings.extend(selection);
        if !diff.unrelated && !is_told {
            diff.warnings.extend(missing(&diff.properties));
        }
        diff.warnings.extend(one_sided(
            "metric",
            &old.run.metrics.iter().map(String::as_str).collect(),
            &new.run.metrics.iter().map(String::as_str).collect(),
        ));
        diff.elements.sort_by_key(|change| change.direction);
        diff.findings.sort_by_key(|change| change.direction);
        diff.properties.sort_by_key(|change| change.direction);
        diff
    }

    /// Whether nothing differs that anybody would call a change.
    pub fn is_empty(&self) -> bool {
        self.shares.is_empty()
            && self.properties.is_empty()
            && self.elements.is_empty()
            && self.findings.is_empty()
    }

    /// Whether there is anything to compare.
    pub fn is_comparable(&self) -> bool {
        !self.unrelated
    }

    /// Whether a property that was proved, or a cover that was reached, is not any more: it fails, is unreachable, or says nothing.
    pub fn has_failed_properties(&self) -> bool {
        self.properties.iter().any(|change| change.direction == Direction::Worse)
    }

    /// Whether less is covered: some headline is worse, or something that was covered or did not count is a hole now.
    pub fn has_less_coverage(&self) -> bool {
        let is_headline = |scope: &Scope| matches!(scope, Scope::All | Scope::Observed(_));
        let is_worse = |direction: Direction| direction == Direction::Worse;
        self.shares.iter().any(|change| is_headline(&change.scope) && is_worse(change.direction))
            || self.findings.iter().any(|change| is_worse(change.direction))
            || self.elements.iter().any(|change| is_worse(change.direction))
    }

    /// Whether something was decided and is not any more.
    pub fn has_lost(&self) -> bool {
        let is_lost = |direction: Direction| direction == Direction::Lost;
        self.properties.iter().any(|change| is_lost(change.direction))
            || self.findings.iter().any(|change| is_lost(change.direction))
            || self.shares.iter().any(|change| is_lost(change.direction))
    }
}

/// Properties that were decided and are not there any more, in words: the design may have changed, and nobody else would say so.
fn missing(changes: &[PropertyChange]) -> Option<String> {
    let is_gone =
        |change: &&PropertyChange| change.direction == Direction::Lost && change.verdict.new.is_none();
    let names: Vec<&str> = changes.iter().filter(is_gone).map(|change| change.name.as_str()).collect();
    let more = names.len().saturating_sub(6);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let shown: Vec<&str> = names.iter().take(6).copied().collect();
    (!names.is_empty())
        .then(|| format!("properties of the run before are missing: {}{more}", shown.join(", ")))
}

/// How the selections differ of two runs of the same design.
fn selections(old: &RunResult, new: &RunResult, paired: usize) -> Vec<String> {
    let digests = |result: &RunResult| -> BTreeSet<String> {
        result.design.iter().flat_map(|design| &design.files).map(|file| file.sha256.clone()).collect()
    };
    let (before, now) = (digests(old), digests(new));
    if before != now || before.is_empty() {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    let counts = (old.elements.len(), new.elements.len());
    if paired != counts.0 || paired != counts.1 {
        warnings.push(format!(
            "other elements of the same design were measured ({} before, {} now, {paired} in both)",
            counts.0, counts.1
        ));
    }
    let names = |result: &RunResult| -> BTreeSet<String> {
        result.properties.iter().map(|property| property.name.clone()).collect()
    };
    let (before, now) = (names(old), names(new));
    warnings.extend(one_sided(
        "property",
        &before.iter().map(String::as_str).collect(),
        &now.iter().map(String::as_str).collect(),
    ));
    warnings
}

/// What is on one side only, in words.
fn one_sided(what: &str, old: &BTreeSet<&str>, new: &BTreeSet<&str>) -> Option<String> {
    if old == new || old.is_empty() || new.is_empty() {
        return None;
    }
    let list = |names: Vec<&str>, when: &str| {
        let more = names.len().saturating_sub(6);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown: Vec<&str> = names.iter().take(6).copied().collect();
        (!names.is_empty()).then(|| format!("only {when}: {}{more}", shown.join(", ")))
    };
    let before = list(old.difference(new).copied().collect(), "before");
    let now = list(new.difference(old).copied().collect(), "now");
    let parts: Vec<String> = before.into_iter().chain(now).collect();
    let plural = if what == "property" { "properties" } else { "metrics" };
    Some(format!("other {plural} were measured ({})", parts.join("; ")))
}

/// How a headline changed. Intervals that overlap decide nothing.
fn direction(old: Option<Percent>, new: Option<Percent>) -> Direction {
    match (old, new) {
        (None, None) => Direction::Other,
        (None, Some(_)) => Direction::Added,
        (Some(_), None) => Direction::Removed,
        (Some(old), Some(new)) => match () {
            () if new.high() < old.low() => Direction::Worse,
            () if new.low() > old.high() => Direction::Better,
            () if new.low() >= old.low() && new.high() <= old.high() => Direction::Decided,
            () if new.low() <= old.low() && new.high() >= old.high() => Direction::Lost,
            () => Direction::Other,
        },
    }
}

fn shares(old: &RunResult, new: &RunResult) -> Vec<ShareChange> {
    let all = |result: &RunResult| -> Vec<Share> {
        let mut metrics: BTreeSet<String> = BTreeSet::new();
        metrics.extend(result.shares.iter().map(|share| share.metric.clone()));
        let is_counted = |scope: &Scope| matches!(scope, Scope::File(_) | Scope::Instance(_));
        let own = result.shares.iter().filter(|share| !is_counted(&share.scope)).cloned();
        own.chain(metrics.iter().flat_map(|metric| result.shares_by_place(metric))).collect()
    };
    let (before, now) = (all(old), all(new));
    let key = |share: &Share| (share.metric.clone(), share.scope.clone());
    let was: HashMap<(String, Scope), &Share> = before.iter().map(|share| (key(share), share)).collect();
    let is: HashMap<(String, Scope), &Share> = now.iter().map(|share| (key(share), share)).collect();
    let counts = |share: &Share| (share.tally.covered.clone(), share.tally.counting());
    let change = |old: Option<&Share>, new: Option<&Share>| {
        let any = new.or(old)?;
        let percent = Sides { old: old.and_then(|one| one.percent), new: new.and_then(|one| one.percent) };
        let counts = Sides { old: old.map(counts), new: new.map(counts) };
        // More of the same kind, equally covered, is no change.
        if percent.old == percent.new {
            return None;
        }
        // What is waived is neither better nor worse: both sides are compared as if nothing were.
        let whole = |share: Option<&Share>| share.and_then(|one| one.percent_with_waived().or(one.percent));
        let direction = match (whole(old), whole(new)) {
            (Some(old), Some(new)) if old == new => Direction::Other,
            (old, new) => direction(old, new),
        };
        Some(ShareChange { metric: any.metric.clone(), scope: any.scope.clone(), direction, percent, counts })
    };
    let kept = now.iter().filter_map(|share| change(was.get(&key(share)).copied(), Some(share)));
    let gone = before.iter().filter(|share| !is.contains_key(&key(share)));
    let mut changes: Vec<ShareChange> =
        kept.chain(gone.filter_map(|share| change(Some(share), None))).collect();
    changes.sort_by_key(|change| !matches!(change.scope, Scope::All | Scope::Observed(_)));
    changes
}

/// A verdict in a word: a proof that says nothing is none.
fn word(property: &Property) -> &'static str {
    if property.vacuous && property.verdict == Verdict::Proved { "vacuous" } else { property.verdict.name() }
}

/// The worth of a verdict that decides nothing.
const OPEN: u8 = 1;

/// How much a verdict is worth: good, open, bad.
fn worth(word: &str) -> u8 {
    match word {
        "proved" | "reached" => 2,
        "falsified" | "unreachable" | "vacuous" => 0,
        _ => OPEN,
    }
}

fn properties(old: &RunResult, new: &RunResult) -> Vec<PropertyChange> {
    // The k-th of a name is the k-th of that name: names that have their place change when lines move.
    let keyed = |result: &RunResult| -> BTreeMap<(String, String, usize), (String, &'static str)> {
        let mut seen: HashMap<(String, String), usize> = HashMap::new();
        let mut keyed = BTreeMap::new();
        for property in &result.properties {
            let name = stem(&property.name, property.place.as_ref()).to_owned();
            let own = (name, property.kind.clone());
            let count = seen.entry(own.clone()).or_default();
            keyed.insert((own.0, own.1, *count), (property.name.clone(), word(property)));
            *count += 1;
        }
        keyed
    };
    let (before, now) = (keyed(old), keyed(new));
    let keys: BTreeSet<_> = before.keys().chain(now.keys()).cloned().collect();
    keys.into_iter()
        .filter_map(|key| {
            let (was, is) = (before.get(&key), now.get(&key));
            let direction = match (was.map(|(_, word)| *word), is.map(|(_, word)| *word)) {
                (None, None) => return None,
                (None, Some(_)) => Direction::Added,
                // It was decided, and nothing is known of it any more.
                (Some(was), None) if worth(was) != OPEN => Direction::Lost,
                (Some(_), None) => Direction::Removed,
                (Some(was), Some(is)) if was == is => return None,
                (Some(was), Some(is)) => match (worth(was), worth(is)) {
                    (2, 0) | (1, 0) => Direction::Worse,
                    (2 | 0, 1) => Direction::Lost,
                    (0, 2) => Direction::Better,
                    (1, 2) => Direction::Decided,
                    _ => Direction::Other,
                },
            };
            let name = is.or(was).map(|(name, _)| name.clone()).unwrap_or_default();
            let word = |side: Option<&(String, &'static str)>| side.map(|(_, word)| (*word).to_owned());
            Some(PropertyChange { name, direction, verdict: Sides { old: word(was), new: word(is) } })
        })
        .collect()
}

/// What a status comes to: which technique found a hole first, or how strongly something is noticed, depends on the metrics.
fn class(status: Ladder) -> Ladder {
    match status {
        Ladder::OutsideCone | Ladder::NoCore | Ladder::Survived => Ladder::Survived,
        Ladder::May | Ladder::Must | Ladder::Killed => Ladder::Killed,
        Ladder::Unknown | Ladder::Dead | Ladder::NoEffect | Ladder::Waived => status,
    }
}

/// How a standing changed.
fn turn(old: Standing, new: Standing) -> Direction {
    use Standing::{Bounded, Covered, Dead, NoEffect, Uncovered, Unknown, Waived};
    match (old, new) {
        (Unknown | Bounded, Unknown | Bounded) => Direction::Other,
        (Unknown | Bounded, Covered | Uncovered | NoEffect | Dead) => Direction::Decided,
        // That something is waived, or not any more, is what the user says, and no change of the design.
        (Waived, Unknown | Bounded) => Direction::Other,
        (_, Unknown | Bounded) => Direction::Lost,
        (Uncovered, Covered) => Direction::Better,
        (Covered | NoEffect | Dead, Uncovered) | (Covered, Waived) => Direction::Worse,
        (NoEffect | Dead | Waived, Covered) => Direction::Better,
        _ => Direction::Other,
    }
}

fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Covered => "covered",
        Standing::Uncovered => "uncovered",
        Standing::NoEffect => "no-effect",
        Standing::Dead => "dead",
        Standing::Waived => "waived",
        Standing::Bounded => "bounded",
        Standing::Unknown => "unknown",
    }
}

/// A status as a standing, to compare two of them.
fn as_standing(status: Ladder) -> Standing {
    match class(status) {
        Ladder::Killed | Ladder::Must | Ladder::May => Standing::Covered,
        Ladder::Survived | Ladder::OutsideCone | Ladder::NoCore => Standing::Uncovered,
        Ladder::NoEffect => Standing::NoEffect,
        Ladder::Dead => Standing::Dead,
        Ladder::Waived => Standing::Waived,
        Ladder::Unknown => Standing::Unknown,
    }
}

/// Two results and the elements that both have.
struct Comparison<'c> {
    old: &'c RunResult,
    new: &'c RunResult,
    pairs: &'c [(usize, usize)],
}

/// How each edit of each element stands, by metric; elements by number.
type Standings<'r> = BTreeMap<(u32, &'r str, &'r str), Standing>;

fn standings(result: &RunResult) -> Standings<'_> {
    let mut edits: BTreeMap<(u32, &str, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in &result.findings {
        if let Subject::Element(id) = finding.subject {
            edits.entry((id, &finding.metric, &finding.edit)).or_default().push(finding);
        }
    }
    edits.into_iter().map(|(key, findings)| (key, Standing::of(&findings))).collect()
}

impl Comparison<'_> {
    fn pair(&self, was: Option<usize>, is: Option<usize>) -> ElementPair {
        let (was, is) = (was.map(|at| &self.old.elements[at]), is.map(|at| &self.new.elements[at]));
        let name = |element: Option<&crate::Element>| element.map(|element| element.name.clone());
        let line = |element: Option<&crate::Element>| {
            element.and_then(|element| element.places.first()).map(|place| (place.file.clone(), place.line))
        };
        ElementPair {
            name: Sides { old: name(was), new: name(is) },
            line: Sides { old: line(was), new: line(is) },
        }
    }

    fn elements(&self) -> Vec<ElementChange> {
        let mut changes = Vec::new();
        let (mut seen_old, mut seen_new) = (BTreeSet::new(), BTreeSet::new());
        for (was, is) in self.pairs {
            seen_old.insert(*was);
            seen_new.insert(*is);
            let (old, new) = (self.old.elements[*was].status, self.new.elements[*is].status);
            if old.map(class) == new.map(class) {
                continue;
            }
            let roles = [self.old.elements[*was].role, self.new.elements[*is].role];
            let direction = match (old, new) {
                // Checker logic does not count.
                _ if roles.contains(&Role::Checker) => Direction::Other,
                (Some(old), Some(new)) => turn(as_standing(old), as_standing(new)),
                (None, _) => Direction::Added,
                (_, None) => Direction::Removed,
            };
            let element = self.pair(Some(*was), Some(*is));
            changes.push(ElementChange { element, direction, status: Sides { old, new } });
        }
        for at in (0..self.new.elements.len()).filter(|at| !seen_new.contains(at)) {
            let (element, new) = (self.pair(None, Some(at)), self.new.elements[at].status);
            let status = Sides { old: None, new };
            changes.push(ElementChange { element, direction: Direction::Added, status });
        }
        for at in (0..self.old.elements.len()).filter(|at| !seen_old.contains(at)) {
            let (element, old) = (self.pair(Some(at), None), self.old.elements[at].status);
            let status = Sides { old, new: None };
            changes.push(ElementChange { element, direction: Direction::Removed, status });
        }
        changes
    }

    /// Edits of elements that both have. Those of checker logic do not count.
    fn edits(&self) -> Vec<FindingChange> {
        let (before, now) = (standings(self.old), standings(self.new));
        let mut of_old: BTreeMap<u32, Vec<(&str, &str, Standing)>> = BTreeMap::new();
        for ((id, metric, edit), standing) in &before {
            of_old.entry(*id).or_default().push((*metric, *edit, *standing));
        }
        let mut changes = Vec::new();
        for (was, is) in self.pairs {
            let (old, new) = (&self.old.elements[*was], &self.new.elements[*is]);
            if old.role == Role::Checker || new.role == Role::Checker {
                continue;
            }
            for (metric, edit, standing) in of_old.get(&old.id).into_iter().flatten() {
                let Some(other) = now.get(&(new.id, *metric, *edit)).filter(|other| *other != standing)
                else {
                    continue;
                };
                let name = |standing: Standing| Some(standing_name(standing).to_owned());
                changes.push(FindingChange {
                    metric: (*metric).to_owned(),
                    element: Some(self.pair(Some(*was), Some(*is))),
                    condition: None,
                    edit: (*edit).to_owned(),
                    direction: turn(*standing, *other),
                    standing: Sides { old: name(*standing), new: name(*other) },
                });
            }
        }
        changes
    }

    /// Holes that are conditions on states, or labels: on one side only.
    fn conditions(&self) -> Vec<FindingChange> {
        let holes = |result: &RunResult| -> BTreeMap<(String, String, String), Standing> {
            let described = |finding: &Finding| {
                let text = match &finding.subject {
                    Subject::Element(_) => return None,
                    Subject::Cube(cube) => {
                        let observed = cube.observed.as_deref().unwrap_or("all together");
                        format!("{observed} where {}", cube.text)
                    }
                    Subject::Label(label) => format!("{} in {}", label.proposition, label.state),
                };
                let key = (finding.metric.to_string(), text, finding.edit.to_string());
                Some((key, Standing::of(&[finding])))
            };
            result.findings.iter().filter_map(described).collect()
        };
        let (before, now) = (holes(self.old), holes(self.new));
        let keys: BTreeSet<_> = before.keys().chain(now.keys()).cloned().collect();
        let change = |key: (String, String, String)| {
            let (was, is) = (before.get(&key).copied(), now.get(&key).copied());
            let direction = match (was, is) {
                (Some(was), Some(is)) if was == is => return None,
                (Some(was), Some(is)) => turn(was, is),
                (None, _) => Direction::Added,
                (_, None) => Direction::Removed,
            };
            let name =
                |standing: Option<Standing>| standing.map(|standing| standing_name(standing).to_owned());
            let (metric, condition, edit) = key;
            let standing = Sides { old: name(was), new: name(is) };
            Some(FindingChange {
                metric,
                element: None,
                condition: Some(condition),
                edit,
                direction,
                standing,
            })
        };
        keys.into_iter().filter_map(change).collect()
    }
}
