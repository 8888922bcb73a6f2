//! A distinction in words: the run, where the specification can be along it, and why it cannot go on from there.

use propcov_ir::{Distinction, Graph, Label, Refutation, StatePair};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most lines of a tree.
const LINES: usize = 40;

/// The most names in a list.
const NAMES: usize = 8;

/// The most names in a list if they are long ones.
const LONG_NAMES: usize = 2;

/// A distinction between two graphs. Of a mutant, the implementation is the mutant.
pub(crate) struct Tree<'g> {
    pub(crate) implementation: &'g Graph,
    pub(crate) specification: &'g Graph,
    pub(crate) distinction: &'g Distinction,
    /// The state whose label is flipped.
    pub(crate) flipped: Option<u32>,
}

impl Tree<'_> {
    /// For each state of the run, the states that the specification can be in.
    pub(crate) fn possible(&self) -> Vec<Vec<u32>> {
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for state in &self.distinction.run {
            let candidates: Vec<u32> = match sets.last() {
                None => self.specification.initial().to_vec(),
                Some(before) => {
                    let mut after: Vec<u32> = before
                        .iter()
                        .flat_map(|from| self.specification.successors(*from))
                        .copied()
                        .collect();
                    after.sort_unstable();
                    after.dedup();
                    after
                }
            };
            sets.push(
                candidates.into_iter().filter(|other| self.differences(*state, *other).is_empty()).collect(),
            );
        }
        sets
    }

    /// What a specification state does not accept about an implementation state, as what it needs instead.
    fn differences(&self, state: u32, other: u32) -> Vec<String> {
        let (own, needed) = (self.implementation.labels(state), self.specification.labels(other));
        let names = self.specification.propositions();
        let fits = own.iter().zip(needed).zip(names);
        fits.filter(|((own, needed), _)| !needed.accepts(**own))
            .map(|((_, needed), name)| word(name, *needed))
            .collect()
    }

    /// Lines for people, each with the given start.
    pub(crate) fn text(&self, start: &str) -> String {
        let sets = self.possible();
        let shown = |state: u32| {
            let mark = if self.flipped == Some(state) { "  (flipped)" } else { "" };
            format!("{} {}{mark}", self.implementation.name(state), labels(self.implementation, state))
        };
        let states: Vec<String> = self.distinction.run.iter().map(|state| shown(*state)).collect();
        let width = states.iter().map(|state| state.chars().count()).max().unwrap_or(0);
        let mut lines: Vec<String> = Vec::new();
        let heading = if self.flipped.is_some() { "run of the mutant" } else { "run" };
        let width = width.max(heading.len());
        lines.push(format!("   {heading:width$}  the specification can be in"));
        let long = states.len() > 2 * LINES;
        for (step, (state, set)) in states.iter().zip(&sets).enumerate() {
            if long && step >= LINES && step + LINES / 2 < states.len() {
                if step == LINES {
                    lines.push("   …".to_owned());
                }
                continue;
            }
            let padding = " ".repeat(width - state.chars().count());
            lines.push(format!("{step:>2} {state}{padding}  {}", self.names(set)));
        }
        let (Some(last), Some(set)) = (self.distinction.run.last(), sets.last()) else {
            return String::new();
        };
        if set.is_empty() {
            let before = sets.len().checked_sub(2).and_then(|position| sets.get(position));
            lines.push(match before {
                None => "no initial state of the specification accepts these labels:".to_owned(),
                Some(_) => "no state that the specification could go to accepts these labels:".to_owned(),
            });
            let candidates: Vec<u32> = match before {
                None => self.specification.initial().to_vec(),
                Some(before) => {
                    before.iter().flat_map(|from| self.specification.successors(*from)).copied().collect()
                }
            };
            self.refusals(*last, &candidates, &mut lines);
        } else {
            lines.push("and none of these can do all that the implementation can do from there:".to_owned());
            self.branches(*last, set, &mut lines);
        }
        lines.iter().map(|line| format!("{start}{line}\n")).collect()
    }

    /// Why each of these does not accept the labels of a state.
    fn refusals(&self, state: u32, candidates: &[u32], lines: &mut Vec<String>) {
        let mut candidates = candidates.to_vec();
        candidates.sort_unstable();
        candidates.dedup();
        for other in candidates.iter().take(NAMES) {
            lines.push(format!(
                "   {} needs {}",
                self.specification.name(*other),
                self.differences(state, *other).join(", ")
            ));
        }
        if candidates.len() > NAMES {
            lines.push(format!("   … and {} more", candidates.len() - NAMES));
        }
    }

    /// The tree below the end of the run, without recursion: trees can be deep.
    fn branches(&self, state: u32, set: &[u32], lines: &mut Vec<String>) {
        let refutations: FxHashMap<StatePair, &Refutation> =
            self.distinction.refutations.iter().map(|refutation| (refutation.pair, refutation)).collect();
        let mut told: FxHashSet<StatePair> = FxHashSet::default();
        let mut open: Vec<(usize, StatePair)> = set.iter().rev().map(|other| (1, (state, *other))).collect();
        let first = lines.len();
        while let Some((depth, pair)) = open.pop() {
            if lines.len() - first >= LINES {
                lines.push("   … and more; --format json has all of it".to_owned());
                return;
            }
            let indent = "   ".repeat(depth.min(20));
            let other = self.specification.name(pair.1);
            let differences = self.differences(pair.0, pair.1);
            if !differences.is_empty() {
                lines.push(format!("{indent}{other} needs {}", differences.join(", ")));
            } else if !told.insert(pair) {
                lines.push(format!("{indent}{other}: as above"));
            } else if let Some(refutation) = refutations.get(&pair) {
                let next = refutation.step;
                let name = self.implementation.name(next);
                let mark = if self.flipped == Some(next) { " (flipped)" } else { "" };
                let shown = format!("{}{mark}", labels(self.implementation, next));
                lines.push(format!(
                    "{indent}{other}: {} goes to {name} {shown}, but of what {other} goes to",
                    self.implementation.name(pair.0)
                ));
                let after = self.specification.successors(pair.1).iter().rev();
                open.extend(after.map(|successor| (depth + 1, (next, *successor))));
            }
        }
    }

    fn names(&self, states: &[u32]) -> String {
        list(states.iter().map(|state| self.specification.name(*state)), states.len())
    }
}

/// Some names, and how many more there are. Names with commas have semicolons between them, and there are fewer.
pub(crate) fn list<'n>(names: impl Iterator<Item = &'n str>, count: usize) -> String {
    let mut shown: Vec<&str> = names.take(NAMES).collect();
    let has_commas = shown.iter().any(|name| name.contains(','));
    if has_commas {
        shown.truncate(LONG_NAMES);
    }
    let shown_count = shown.len();
    let shown = shown.join(if has_commas { "; " } else { ", " });
    match count.saturating_sub(shown_count) {
        _ if count == 0 => "none".to_owned(),
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The labels of a state as people write them: what holds, and what is open.
pub(crate) fn labels(graph: &Graph, state: u32) -> String {
    let named = graph.propositions().iter().zip(graph.labels(state));
    let shown: Vec<String> =
        named.filter(|(_, label)| **label != Label::False).map(|(name, label)| word(name, *label)).collect();
    format!("{{{}}}", shown.join(", "))
}

/// A label in a word.
pub(crate) fn word(name: &str, label: Label) -> String {
    match label {
        Label::True => name.to_owned(),
        Label::False => format!("!{name}"),
        Label::Open => format!("?{name}"),
    }
}
