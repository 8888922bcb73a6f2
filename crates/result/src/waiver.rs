//! Waivers: what the user says does not count, and why.
//!
//! A waiver names elements by name or pattern, by their source text or by file, and may be about some metrics and edits only; or it is a condition on states; or it names states and propositions whose labels a
//! specification leaves open (`propcov refine`). It never makes anything covered:
//! what is covered stays so, what has no effect or is dead was no hole, and the rest is counted apart. Elements are found by what stays the same when lines move ([`Element::stem`], and the text),
//! never by a line number. A waiver that is no longer true of the design says so: see [`WaiverState`].

use crate::identity::{Texts, plain};
use crate::key::bare;
use crate::pattern::fits;
use crate::{
    Count, Element, Finding, Label, Note, NoteKind, Place, Role, RunResult, Scope, Share, Standing, Subject,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Something that does not count, because the user says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waiver {
    /// Elements with such names: `*` stands for any characters, `?` for one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<String>,
    /// Elements whose text is this, or whose lines are, apart from blanks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Of several that are equal in name, in one instance: only the n-th, counted from 1 in the order of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nth: Option<u32>,
    /// Elements in such files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// States in which this holds, or transitions into them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Labels in states with such names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// Labels of such propositions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub propositions: Vec<String>,
    /// Only of these metrics; of all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// Only these edits; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<String>,
    /// Why.
    pub reason: String,
    /// Who says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The last day on which it counts: `2027-01-31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// Where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What became of it.
    #[serde(default)]
    pub state: WaiverState,
    /// How many edits, states or transitions it waives: the most of any metric and signal.
    #[serde(default)]
    pub count: Count,
}

/// What became of a waiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WaiverState {
    /// What it is about was not measured in this run.
    #[default]
    Idle,
    /// It waives something.
    Used,
    /// All that it is about is covered, or no hole anyway.
    Unused,
    /// Nothing in the design fits it.
    Stale,
    /// Its time is over, and it waives nothing.
    Expired,
}

impl WaiverState {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            WaiverState::Idle => "idle",
            WaiverState::Used => "used",
            WaiverState::Unused => "unused",
            WaiverState::Stale => "stale",
            WaiverState::Expired => "expired",
        }
    }
}

impl Waiver {
    /// What it is about, in words.
    pub fn subject(&self) -> String {
        let mut parts = Vec::new();
        let list = |names: &[String]| names.join(", ");
        if !self.elements.is_empty() {
            parts.push(list(&self.elements));
        }
        if let Some(source) = &self.source {
            parts.push(format!("`{}`", plain(source)));
        }
        if let Some(nth) = self.nth {
            parts.push(format!("number {nth}"));
        }
        if !self.files.is_empty() {
            parts.push(format!("in {}", list(&self.files)));
        }
        if let Some(condition) = &self.condition {
            parts.push(format!("where {condition}"));
        }
        if !self.propositions.is_empty() {
            parts.push(format!("label {}", list(&self.propositions)));
        }
        if !self.states.is_empty() {
            parts.push(format!("in state {}", list(&self.states)));
        }
        if !self.edits.is_empty() {
            parts.push(format!("edit {}", list(&self.edits)));
        }
        if !self.metrics.is_empty() {
            parts.push(format!("metric {}", list(&self.metrics)));
        }
        parts.join(", ")
    }

    /// Whether it is about a metric.
    pub fn is_about(&self, metric: &str) -> bool {
        self.metrics.is_empty() || self.metrics.iter().any(|name| name == metric)
    }

    /// Whether its time is over on a day.
    pub fn is_over(&self, today: &str) -> bool {
        self.expires.as_deref().is_some_and(|last| last < today)
    }

    /// Whether it is about labels.
    pub fn is_about_labels(&self) -> bool {
        !self.states.is_empty() || !self.propositions.is_empty()
    }

    /// Whether it is about a label.
    pub fn fits_label(&self, label: &Label) -> bool {
        let any = |patterns: &[String], name: &str| patterns.iter().any(|pattern| fits(pattern, name));
        self.is_about_labels()
            && (self.states.is_empty() || any(&self.states, &label.state))
            && self.fits_proposition(&label.proposition)
    }

    /// Whether it is about labels of a proposition.
    fn fits_proposition(&self, proposition: &str) -> bool {
        self.propositions.is_empty() || self.propositions.iter().any(|pattern| fits(pattern, proposition))
    }

    /// Whether it is about an element, of whatever metric.
    pub fn fits(&self, element: &Element, texts: Texts<'_>) -> bool {
        if self.condition.is_some() || self.is_about_labels() {
            return false;
        }
        let word = |name: &str| name.rsplit_once('[').map(|(word, _)| word.to_owned());
        let is_called = |pattern: &String| {
            let names =
                std::iter::once(element.name.as_str()).chain(element.aliases.iter().map(String::as_str));
            names
                .chain([element.stem()])
                .any(|name| fits(pattern, name) || word(name).is_some_and(|word| fits(pattern, &word)))
        };
        let is_in = |pattern: &String| element.places.iter().any(|place| fits(pattern, &place.file));
        let is_written = |source: &String| {
            let source = bare(source);
            element.lines(texts).is_some_and(|lines| bare(&lines) == source)
                || element.piece(texts).is_some_and(|piece| bare(&piece) == source)
        };
        (self.elements.is_empty() || self.elements.iter().any(is_called))
            && (self.files.is_empty() || self.files.iter().any(is_in))
            && self.source.iter().all(is_written)
    }

    /// The elements that it is about, of whatever metric.
    pub fn fitting<'e>(&self, design: &'e [Element], texts: Texts<'_>) -> Vec<&'e Element> {
        let all: Vec<&Element> = design.iter().filter(|element| self.fits(element, texts)).collect();
        let Some(nth) = self.nth else { return all };
        let mut places: BTreeMap<Equal<'_>, BTreeSet<&Place>> = BTreeMap::new();
        for element in &all {
            places.entry(equal(element)).or_default().extend(element.places.first());
        }
        let is_nth = |element: &&Element| {
            let at =
                places.get(&equal(element)).and_then(|places| places.iter().nth(nth.max(1) as usize - 1));
            nth > 0 && at.is_some() && at.copied() == element.places.first()
        };
        all.into_iter().filter(is_nth).collect()
    }

    /// What may make it mean something else than its author meant: a position in a name, which is another statement's when lines move; or a pattern that fits everything.
    fn doubt(&self, design: &[Element], texts: Texts<'_>) -> Option<Note> {
        let warning = |text: String| Note { kind: NoteKind::Warning, text, place: self.place.clone() };
        let is_everything = |pattern: &String| !pattern.is_empty() && pattern.chars().all(|c| c == '*');
        if self.source.is_none()
            && (self.elements.iter().any(is_everything) && self.files.is_empty()
                || self.elements.is_empty() && self.files.iter().any(is_everything))
        {
            return Some(warning(format!(
                "the waiver of {} fits every element of the design",
                self.subject()
            )));
        }
        let pattern = self.elements.iter().find(|pattern| without_position(pattern).is_some())?;
        let name = without_position(pattern)?;
        let exact = design.iter().find(|element| element.name == **pattern);
        let instead = exact.and_then(|element| {
            let source = element.piece(texts).filter(|piece| !piece.is_empty())?;
            let by_text = Waiver {
                elements: vec![element.stem().to_owned()],
                source: Some(source.clone()),
                ..Waiver::default()
            };
            let equals = by_text.fitting(design, texts);
            let mut places: Vec<&Place> =
                equals.iter().filter_map(|element| element.places.first()).collect();
            places.sort_unstable();
            places.dedup();
            let nth = places.iter().position(|place| Some(*place) == element.places.first())? + 1;
            let nth = if places.len() > 1 { format!(", nth = {nth}") } else { String::new() };
            Some(format!("element = {:?}, source = {source:?}{nth}", element.stem()))
        });
        let instead = instead.unwrap_or_else(|| format!("element = {name:?} with source = \"…\""));
        Some(warning(format!(
            "the waiver of {} goes by a position, which is another statement's when lines move; better: {instead}",
            self.subject()
        )))
    }

    /// What the user should know about it, if anything.
    fn note(&self) -> Option<Note> {
        let text = match self.state {
            WaiverState::Idle | WaiverState::Used => return None,
            WaiverState::Expired => {
                let last = self.expires.as_deref().unwrap_or_default();
                format!("the waiver of {} expired on {last}, and waives nothing", self.subject())
            }
            WaiverState::Stale => format!("the waiver of {} fits nothing in the design", self.subject()),
            WaiverState::Unused => {
                format!("the waiver of {} is not needed: nothing that it fits is a hole", self.subject())
            }
        };
        Some(Note { kind: NoteKind::Warning, text, place: self.place.clone() })
    }
}

/// What elements have in common that only their order tells apart.
type Equal<'e> = (&'e str, &'e str, &'e str);

fn equal(element: &Element) -> Equal<'_> {
    (&element.scope, &element.kind, element.stem())
}

/// A pattern without the line and column at its end, if it has them.
fn without_position(pattern: &str) -> Option<&str> {
    let (name, position) = pattern.rsplit_once('@')?;
    let (line, column) = position.split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(line) && is_number(column)).then_some(name)
}

/// What moves from other columns into the one of what is waived.
#[derive(Clone, Debug, Default)]
struct Shift {
    uncovered: usize,
    unclassified: usize,
    bounded: usize,
    unknown: usize,
}

impl Shift {
    /// One more that stands so; what does not count anyway stays where it is.
    fn add(&mut self, standing: Standing, is_unclassified: bool) {
        match standing {
            Standing::Uncovered => {
                self.uncovered += 1;
                self.unclassified += usize::from(is_unclassified);
            }
            Standing::Bounded => self.bounded += 1,
            Standing::Unknown => self.unknown += 1,
            Standing::Covered | Standing::NoEffect | Standing::Dead | Standing::Waived => {}
        }
    }

    fn apply(&self, share: &mut Share) {
        let mut tally = share.tally.clone();
        let columns = [
            (&mut tally.uncovered, self.uncovered),
            (&mut tally.bounded, self.bounded),
            (&mut tally.unknown, self.unknown),
        ];
        for (column, count) in columns {
            *column = &*column - &count.into();
        }
        tally.unclassified = &tally.unclassified - &self.unclassified.into();
        tally.waived += self.uncovered + self.bounded + self.unknown;
        *share = Share::new(&share.metric, share.scope.clone(), tally, share.certified);
    }
}

/// The findings about one edit of one element by one metric, by position.
type Edits<'r> = BTreeMap<(&'r str, u32, &'r str), Vec<usize>>;

/// An edit that is waived.
struct Waived {
    metric: String,
    edit: String,
    element: u32,
    by: usize,
    findings: Vec<usize>,
}

impl RunResult {
    /// Applies waivers, which may be about any element of the `design`, on a day (`2027-01-31`): findings, shares and elements say what is waived, and notes which waivers have had their time. Conditions on states
    /// are left to whoever has the states: see [`RunResult::waive_states`].
    pub fn waive(&mut self, waivers: Vec<Waiver>, design: &[Element], texts: Texts<'_>, today: &str) {
        self.take_waivers(waivers, today);
        let fitting: Vec<HashSet<u32>> = self
            .waivers
            .iter()
            .map(|waiver| match waiver.state {
                WaiverState::Expired => HashSet::new(),
                _ => waiver.fitting(design, texts).into_iter().map(|element| element.id).collect(),
            })
            .collect();
        let doubts: Vec<Note> =
            self.waivers.iter().filter_map(|waiver| waiver.doubt(design, texts)).collect();
        self.notes.extend(doubts);
        for (waiver, fitting) in self.waivers.iter_mut().zip(&fitting) {
            let is_about_elements = waiver.condition.is_none() && !waiver.is_about_labels();
            if waiver.state == WaiverState::Idle && is_about_elements && fitting.is_empty() {
                waiver.state = WaiverState::Stale;
            }
        }
        let waived = self.waived(&fitting);
        self.shift(&waived);
        for one in &waived {
            for at in &one.findings {
                self.findings[*at].waiver = u32::try_from(one.by).ok();
            }
        }
        self.mark_elements(&waived);
    }

    /// Waivers of which nothing is known yet but whether their time is over.
    fn take_waivers(&mut self, waivers: Vec<Waiver>, today: &str) {
        self.waivers = waivers;
        for waiver in &mut self.waivers {
            waiver.count = Count::ZERO;
            waiver.state = if waiver.is_over(today) { WaiverState::Expired } else { WaiverState::Idle };
        }
    }

    /// Applies waivers of labels, on a day, to the labels that were measured one by one: `propositions` are all that there are. Where not all labels of a proposition were asked for (`is_whole`), a waiver that fits none may
    /// still be true.
    pub fn waive_labels(
        &mut self,
        waivers: Vec<Waiver>,
        propositions: &[String],
        is_whole: bool,
        today: &str,
    ) {
        self.take_waivers(waivers, today);
        let mut shifts: HashMap<&str, Shift> = HashMap::new();
        let mut fitting = vec![false; self.waivers.len()];
        let mut counts = vec![0_usize; self.waivers.len()];
        let mut is_needed = vec![false; self.waivers.len()];
        let mut measured: HashSet<&str> = HashSet::new();
        let mut waived: Vec<(usize, usize)> = Vec::new();
        for (at, finding) in self.findings.iter().enumerate() {
            let Subject::Label(label) = &finding.subject else { continue };
            measured.insert(&label.proposition);
            let standing = Standing::of(&[finding]);
            let is_open = matches!(standing, Standing::Uncovered | Standing::Unknown);
            let is_meant = |(_, waiver): &(usize, &Waiver)| {
                let is_edit =
                    waiver.edits.is_empty() || waiver.edits.iter().any(|name| **name == *finding.edit);
                waiver.state != WaiverState::Expired
                    && is_edit
                    && waiver.is_about(&finding.metric)
                    && waiver.fits_label(label)
            };
            let meant: Vec<usize> =
                self.waivers.iter().enumerate().filter(is_meant).map(|(waiver, _)| waiver).collect();
            for waiver in &meant {
                fitting[*waiver] = true;
                is_needed[*waiver] |= is_open;
            }
            if let Some(by) = meant.first().filter(|_| is_open) {
                counts[*by] += 1;
                waived.push((at, *by));
                shifts.entry(&label.proposition).or_default().add(standing, false);
            }
        }
        for (at, waiver) in self.waivers.iter_mut().enumerate() {
            let is_about_labels = waiver.is_about_labels() && waiver.state != WaiverState::Expired;
            if !is_about_labels || measured.is_empty() {
                continue;
            }
            waiver.count = counts[at].into();
            let exists = propositions.iter().any(|name| waiver.fits_proposition(name));
            let is_measured = propositions
                .iter()
                .filter(|name| waiver.fits_proposition(name))
                .all(|name| measured.contains(name.as_str()));
            // What is restricted to other metrics or edits was not looked for.
            let is_general = waiver.metrics.is_empty() && waiver.edits.is_empty();
            waiver.state = match () {
                () if is_needed[at] => WaiverState::Used,
                () if fitting[at] => WaiverState::Unused,
                () if !exists || is_whole && is_measured && is_general => WaiverState::Stale,
                () => WaiverState::Idle,
            };
        }
        for share in &mut self.shares {
            if let Scope::Proposition(name) = &share.scope
                && let Some(shift) = shifts.get(name.as_str())
            {
                shift.apply(share);
            }
        }
        for (at, by) in waived {
            self.findings[at].waiver = u32::try_from(by).ok();
        }
    }

    /// Notes what a condition on states waives: of one metric and signal so many of those that it holds in.
    pub fn waive_states(&mut self, waiver: usize, waived: &Count, fitting: &Count) {
        let Some(waiver) = self.waivers.get_mut(waiver) else { return };
        if waiver.state == WaiverState::Expired {
            return;
        }
        if *waived > waiver.count {
            waiver.count = waived.clone();
        }
        let state = match (waiver.count.is_zero(), fitting.is_zero()) {
            (false, _) => WaiverState::Used,
            (true, false) => WaiverState::Unused,
            (true, true) => WaiverState::Stale,
        };
        let rank = |state: WaiverState| match state {
            WaiverState::Idle => 0,
            WaiverState::Stale => 1,
            WaiverState::Unused => 2,
            WaiverState::Used | WaiverState::Expired => 3,
        };
        if rank(state) > rank(waiver.state) {
            waiver.state = state;
        }
    }

    /// Adds a note for each waiver that has had its time.
    pub fn note_waivers(&mut self) {
        let notes: Vec<Note> = self.waivers.iter().filter_map(Waiver::note).collect();
        self.notes.extend(notes);
    }

    /// The waiver of a finding.
    pub fn waiver(&self, finding: &Finding) -> Option<&Waiver> {
        self.waivers.get(finding.waiver? as usize)
    }

    /// The edits that are waived, each by the first waiver that fits; waivers learn what became of them.
    fn waived(&mut self, fitting: &[HashSet<u32>]) -> Vec<Waived> {
        let mut edits: Edits<'_> = BTreeMap::new();
        for (at, finding) in self.findings.iter().enumerate() {
            if let Subject::Element(id) = finding.subject {
                edits.entry((&finding.metric, id, &finding.edit)).or_default().push(at);
            }
        }
        let (mut waived, mut counts) =
            (Vec::new(), vec![BTreeMap::<String, usize>::new(); self.waivers.len()]);
        let mut is_needed = vec![None; self.waivers.len()];
        for ((metric, element, edit), positions) in edits {
            let findings: Vec<&Finding> = positions.iter().map(|at| &self.findings[*at]).collect();
            let standing = Standing::of(&findings);
            let is_open = matches!(standing, Standing::Uncovered | Standing::Bounded | Standing::Unknown);
            let is_meant = |(at, waiver): &(usize, &Waiver)| {
                let is_edit = waiver.edits.is_empty() || waiver.edits.iter().any(|name| name == edit);
                is_edit && waiver.is_about(metric) && fitting[*at].contains(&element)
            };
            let mut meant = self.waivers.iter().enumerate().filter(is_meant).map(|(at, _)| at).peekable();
            let first = meant.peek().copied();
            for at in meant {
                // A second waiver of the same is as true as the first.
                is_needed[at] = Some(is_needed[at].unwrap_or(false) || is_open);
            }
            if let Some(by) = first.filter(|_| is_open) {
                *counts[by].entry(metric.to_owned()).or_default() += 1;
                let (metric, edit) = (metric.to_owned(), edit.to_owned());
                waived.push(Waived { metric, edit, element, by, findings: positions });
            }
        }
        for ((waiver, counts), is_needed) in self.waivers.iter_mut().zip(counts).zip(is_needed) {
            waiver.count = counts.into_values().max().unwrap_or(0).into();
            match is_needed {
                Some(true) => waiver.state = WaiverState::Used,
                Some(false) => waiver.state = WaiverState::Unused,
                None => {}
            }
        }
        waived
    }

    /// Counts apart what is waived, in every scope that it is counted in.
    fn shift(&mut self, waived: &[Waived]) {
        let mut shifts: HashMap<(String, Scope), Shift> = HashMap::new();
        // Of metrics that say nothing of single properties: what no property notices, each of them does not.
        let mut of_each: HashMap<&str, Shift> = HashMap::new();
        for one in waived {
            let findings: Vec<&Finding> = one.findings.iter().map(|at| &self.findings[*at]).collect();
            let standing = Standing::of(&findings);
            let has_reason =
                |finding: &&Finding| finding.witness.as_ref().is_some_and(|witness| witness.reason.is_some());
            let is_unclassified = standing == Standing::Uncovered && findings.iter().any(has_reason);
            let element = self.element(one.element);
            let mut add = |scope: Scope, standing: Standing| {
                shifts.entry((one.metric.clone(), scope)).or_default().add(standing, is_unclassified);
            };
            if element.is_some_and(|element| element.role == Role::Checker) {
                add(Scope::Checker, standing);
                continue;
            }
            add(Scope::All, standing);
            add(Scope::Edit(one.edit.clone()), standing);
            if let Some(element) = element {
                add(Scope::Instance(element.scope.clone()), standing);
                if let Some(place) = element.places.first() {
                    add(Scope::File(place.file.clone()), standing);
                }
            }
            let mut names: Vec<&str> =
                findings.iter().filter_map(|finding| finding.property.as_deref()).collect();
            names.sort_unstable();
            names.dedup();
            for name in &names {
                let own: Vec<&Finding> = findings
                    .iter()
                    .copied()
                    .filter(|finding| finding.property.as_deref() == Some(*name))
                    .collect();
                let alone = Standing::of(&own);
                add(Scope::Property((*name).to_owned()), alone);
                add(Scope::PropertyEdit((*name).to_owned(), one.edit.clone()), alone);
            }
            if names.is_empty() {
                of_each.entry(&one.metric).or_default().add(standing, is_unclassified);
            } else if let Some(standing) = self.in_conjunction(&one.metric, one.element) {
                add(Scope::Conjunction, standing);
            }
        }
        for share in &mut self.shares {
            let own = shifts.get(&(share.metric.clone(), share.scope.clone()));
            let of_each =
                of_each.get(share.metric.as_str()).filter(|_| matches!(share.scope, Scope::Property(_)));
            own.into_iter().chain(of_each).for_each(|shift| shift.apply(share));
        }
    }

    /// How an element stands with all properties together, by a metric of cores.
    fn in_conjunction(&self, metric: &str, element: u32) -> Option<Standing> {
        let row = self.cores.iter().find(|row| row.property.is_none())?;
        let has = |ids: &[u32]| ids.contains(&element);
        let (sure, open) = match metric {
            "must" => (row.must.as_deref().is_some_and(has), has(&row.must_unknown)),
            "may" => (row.may.as_deref().is_some_and(has), has(&row.may_unknown)),
            _ => {
                let core = row.cores.first()?;
                (has(&core.elements) && !has(&core.undecided), has(&core.undecided))
            }
        };
        Some(match (sure, open) {
            (true, _) => Standing::Covered,
            (false, true) => Standing::Unknown,
            (false, false) => Standing::Uncovered,
        })
    }

    /// An element of which nothing is left that counts, apart from what is waived, has the reason.
    fn mark_elements(&mut self, waived: &[Waived]) {
        let mut reasons: HashMap<u32, usize> = HashMap::new();
        for one in waived {
            reasons.entry(one.element).or_insert(one.by);
        }
        let mut open: Edits<'_> = BTreeMap::new();
        for (at, finding) in self.findings.iter().enumerate().filter(|(_, finding)| finding.waiver.is_none())
        {
            if let Subject::Element(id) = finding.subject {
                open.entry((&finding.metric, id, &finding.edit)).or_default().push(at);
            }
        }
        for ((_, element, _), positions) in open {
            let findings: Vec<&Finding> = positions.iter().map(|at| &self.findings[*at]).collect();
            if matches!(Standing::of(&findings), Standing::Uncovered | Standing::Bounded | Standing::Unknown)
            {
                reasons.remove(&element);
            }
        }
        for element in &mut self.elements {
            element.waiver = reasons.get(&element.id).map(|by| self.waivers[*by].reason.clone());
        }
    }
}
