//! The data block: all that the page shows, compactly. Few things are written as the result has them; elements, places, findings and runs, of which there may be many, are columns of numbers.
//!
//! Findings are in the order of rows. A row is one edit of one element, a condition on states, or a label; its findings are what each property makes of it.

use super::columns::{Column, Words};
use super::runs::{Runs, TraceView, WitnessView};
use super::shares::ShareView;
use crate::grades::{Grade, grade, metrics};
use crate::material::Material;
use crate::model::Traceability;
use crate::mutants::{Mutant, mutants};
use crate::picture::Placed;
use crate::requirements::{Requirement, requirements};
use propcov_result::{
    Attempt, CoreRow, Count, DROPPED, Design, Diff, Element, Finding, FindingVerdict, Gate, Keys, Ladder,
    Minimality, Note, Place, Property, REACH, Ranking, Refinement, Role, Run, RunResult, Scope, StateRow,
    Stats, Subject, Unmentioned, Verdict, Verification, Waiver,
};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// The most changes of one kind since the run before that are listed.
const CHANGED: usize = 1000;

/// The block.
#[derive(Serialize)]
pub(super) struct Data<'r> {
    title: String,
    words: Vec<&'r str>,
    /// What links to properties go by.
    property_keys: &'r [String],
    lengths: Lengths,
    grades: Vec<&'static str>,
    verdicts: [&'static str; 5],
    metrics: Vec<MetricView<'r>>,
    files: Vec<FileView<'r>>,
    elements: ElementColumns,
    places: PlaceColumns,
    rows: RowColumns,
    findings: FindingColumns,
    subjects: Vec<SubjectView<'r>>,
    /// What findings count: numbers may have any length.
    amounts: Vec<&'r Count>,
    witnesses: Vec<WitnessView<'r>>,
    traces: Vec<TraceView<'r>>,
    properties: Vec<PropertyView<'r>>,
    shares: Vec<ShareView>,
    matrix: Option<MatrixView<'r>>,
    requirements: Vec<RequirementView>,
    before: Option<Before>,
    picture: Option<Placed>,
    /// A run to a state that nothing simulates.
    unsimulated: i64,
    run: &'r Run,
    design: Option<&'r Design>,
    gate: Option<&'r Gate>,
    notes: &'r [Note],
    stats: &'r Stats,
    rankings: &'r [Ranking],
    cores: &'r [CoreRow],
    states: &'r [StateRow],
    unmentioned: Option<&'r Unmentioned>,
    refinement: Option<&'r Refinement>,
    verification: Option<&'r Verification>,
    waivers: &'r [Waiver],
}

#[derive(Serialize)]
struct Lengths {
    elements: usize,
    places: usize,
    rows: usize,
    findings: usize,
}

#[derive(Serialize)]
struct MetricView<'r> {
    name: &'r str,
    summary: &'r str,
    /// Whether all it does is to leave elements out.
    cores: bool,
}

#[derive(Serialize)]
struct FileView<'r> {
    path: &'r str,
    sha256: &'r str,
    text: Option<&'r str>,
}

#[derive(Default, Serialize)]
struct ElementColumns {
    id: Column,
    name: Column,
    /// What links go by.
    key: Column,
    scope: Column,
    kind: Column,
    role: Column,
    status: Column,
    grade: Column,
    waiver: Column,
    parent: Column,
    /// Its first place.
    first: Column,
}

#[derive(Default, Serialize)]
struct PlaceColumns {
    file: Column,
    line: Column,
    column: Column,
    end_line: Column,
    end_column: Column,
}

#[derive(Default, Serialize)]
struct RowColumns {
    metric: Column,
    /// The position of an element, or -1 - that of a subject.
    subject: Column,
    edit: Column,
    standing: Column,
    /// Its first finding.
    first: Column,
}

#[derive(Default, Serialize)]
struct FindingColumns {
    /// The position of the waiver, or -1.
    waiver: Column,
    property: Column,
    verdict: Column,
    reason: Column,
    bound: Column,
    by: Column,
    certified: Column,
    evidence: Column,
    witness: Column,
    count: Column,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SubjectView<'r> {
    Cube(&'r propcov_result::Cube),
    Label(&'r propcov_result::Label),
    /// An element that the result says nothing else about.
    Missing {
        element: u32,
    },
}

#[derive(Serialize)]
struct PropertyView<'r> {
    name: &'r str,
    kind: &'r str,
    formula: Option<&'r str>,
    place: Option<&'r Place>,
    verdict: Verdict,
    depth: Option<u32>,
    reason: Option<&'r str>,
    engine: Option<&'r str>,
    certified: bool,
    vacuous: bool,
    helpers: &'r [String],
    seconds: f64,
    evidence: Option<&'r str>,
    trace: i64,
    /// What went wrong in it, for a property over time.
    attempt: Option<&'r Attempt>,
    /// A run to the end of the antecedent.
    tested: i64,
    stray: i64,
}

#[derive(Serialize)]
struct MatrixView<'r> {
    /// Positions of elements.
    elements: Vec<usize>,
    rows: Vec<MatrixRow<'r>>,
}

#[derive(Serialize)]
struct MatrixRow<'r> {
    name: &'r str,
    together: bool,
    verdict: &'static str,
    cores: usize,
    complete: bool,
    /// Whether each core is known to be minimal: else elements of it may not be needed.
    minimal: bool,
    /// A sign for each element.
    marks: String,
}

#[derive(Serialize)]
struct RequirementView {
    id: String,
    text: String,
    properties: Vec<String>,
}

/// The run before, as far as something changed.
#[derive(Serialize)]
struct Before {
    date: Option<String>,
    /// Whether somebody asked for a comparison with just this run.
    asked: bool,
    shares: Vec<ShareView>,
    diff: Diff,
    /// How many changes are not listed.
    left_out: usize,
}

impl<'r> Data<'r> {
    pub(super) fn new(result: &'r RunResult, material: &'r Material, keys: &'r Keys) -> Data<'r> {
        let mut words = Words::new();
        let mut runs = Runs::default();
        let metrics = metrics(result);
        let table = Table::new(result, &metrics, &mut words, &mut runs);
        let files = files(result, material);
        let (elements, places) = elements(result, keys, &table.grades, &files, &mut words);
        let properties =
            result.properties.iter().map(|property| property_view(property, &mut words, &mut runs));
        let properties = properties.collect();
        let unsimulated = result.refinement.as_ref().and_then(|refinement| refinement.unsimulated.as_ref());
        let unsimulated = runs.trace(unsimulated.and_then(|state| state.trace.as_ref()), &mut words);
        let is_counted = |scope: &Scope| matches!(scope, Scope::File(_) | Scope::Instance(_));
        let counted = metrics.iter().flat_map(|metric| result.shares_by_place(metric));
        let own = result.shares.iter().filter(|share| !is_counted(&share.scope));
        let mut shares: Vec<ShareView> = own.map(ShareView::new).collect();
        shares.extend(counted.map(|share| ShareView::new(&share)));
        Data {
            title: title(result),
            property_keys: &keys.properties,
            lengths: Lengths {
                elements: elements.id.len(),
                places: places.line.len(),
                rows: table.rows.metric.len(),
                findings: table.findings.verdict.len(),
            },
            grades: Grade::ALL.map(Grade::name).to_vec(),
            verdicts: VERDICTS.map(FindingVerdict::name),
            metrics: metrics.iter().map(|metric| metric_view(result, metric, material)).collect(),
            files,
            elements,
            places,
            rows: table.rows,
            findings: table.findings,
            subjects: table.subjects,
            amounts: table.amounts,
            witnesses: runs.witnesses,
            traces: runs.traces,
            properties,
            shares,
            matrix: matrix(result),
            requirements: requirements(result, material).into_iter().map(requirement).collect(),
            before: material.before.as_deref().map(|before| Before::new(before, result, material)),
            picture: material.picture.as_ref().and_then(|picture| crate::picture::placed(picture).ok()),
            unsimulated,
            run: &result.run,
            design: result.design.as_ref(),
            gate: result.gate.as_ref(),
            notes: &result.notes,
            stats: &result.stats,
            rankings: &result.rankings,
            cores: &result.cores,
            states: &result.states,
            unmentioned: result.unmentioned.as_ref(),
            refinement: result.refinement.as_ref(),
            verification: result.verification.as_ref(),
            waivers: &result.waivers,
            words: words.all,
        }
    }
}

/// The verdicts of findings, in the order of their numbers.
const VERDICTS: [FindingVerdict; 5] = [
    FindingVerdict::Covered,
    FindingVerdict::Uncovered,
    FindingVerdict::NoEffect,
    FindingVerdict::Dead,
    FindingVerdict::Unknown,
];

/// What a page is called: the files that were named.
fn title(result: &RunResult) -> String {
    let files = result.design.as_ref().map(|design| design.files.as_slice()).unwrap_or_default();
    match (files, &result.refinement) {
        ([], Some(refinement)) => {
            format!("{} and {}", refinement.implementation.path, refinement.specification.path)
        }
        ([], None) => result.run.directory.clone().unwrap_or_else(|| "propcov".to_owned()),
        ([file], _) => file.path.clone(),
        ([file, rest @ ..], _) => format!("{} and {} more", file.path, rest.len()),
    }
}

fn metric_view<'r>(result: &RunResult, name: &'r str, material: &'r Material) -> MetricView<'r> {
    let summary = material.metrics.iter().find(|(known, _)| known == name);
    let mut findings = result.findings.iter().filter(|finding| &*finding.metric == name).peekable();
    let cores = findings.peek().is_some() && findings.all(|finding| &*finding.edit == DROPPED);
    MetricView { name, summary: summary.map_or("", |(_, summary)| summary), cores }
}

/// The files of the design, and those that something else is said to stand in.
fn files<'r>(result: &'r RunResult, material: &'r Material) -> Vec<FileView<'r>> {
    let view = |path: &'r str, sha256: &'r str| FileView { path, sha256, text: material.text(path) };
    let mut files: Vec<FileView<'r>> = (result.design.iter())
        .flat_map(|design| &design.files)
        .map(|file| view(&file.path, &file.sha256))
        .collect();
    if let Some(refinement) = &result.refinement {
        for model in [&refinement.implementation, &refinement.specification] {
            files.push(FileView { text: None, ..view(&model.path, &model.sha256) });
        }
    }
    let mut seen: HashSet<&str> = files.iter().map(|file| file.path).collect();
    let places = result.elements.iter().flat_map(|element| &element.places);
    for place in places {
        if seen.insert(&place.file) {
            files.push(view(&place.file, ""));
        }
    }
    files
}

/// Findings in the order of their rows.
struct Table<'r> {
    rows: RowColumns,
    findings: FindingColumns,
    subjects: Vec<SubjectView<'r>>,
    amounts: Vec<&'r Count>,
    /// The grades of elements, by number.
    grades: HashMap<u32, Grade>,
}

impl<'r> Table<'r> {
    fn new(
        result: &'r RunResult,
        metrics: &[&'r str],
        words: &mut Words<'r>,
        runs: &mut Runs<'r>,
    ) -> Table<'r> {
        let mut table = Table {
            rows: RowColumns::default(),
            findings: FindingColumns::default(),
            subjects: Vec::new(),
            amounts: Vec::new(),
            grades: HashMap::new(),
        };
        let positions = positions(result);
        let mut by_element: HashMap<u32, Vec<Mutant<'r>>> = HashMap::new();
        for (number, metric) in metrics.iter().enumerate() {
            for mutant in mutants(result, metric) {
                let subject = match positions.get(&mutant.id) {
                    Some(at) => *at as i64,
                    None => table.subject(SubjectView::Missing { element: mutant.id }),
                };
                table.row(number, subject, mutant.edit, mutant.standing.into(), words);
                mutant.findings.iter().for_each(|finding| table.finding(finding, words, runs));
                // That something is executed does not mean that it is checked.
                if *metric != REACH {
                    by_element.entry(mutant.id).or_default().push(mutant);
                }
            }
            let others = result.findings.iter().filter(|finding| &&*finding.metric == metric);
            for finding in others {
                let subject = match &finding.subject {
                    Subject::Element(_) => continue,
                    Subject::Cube(cube) => SubjectView::Cube(cube),
                    Subject::Label(label) => SubjectView::Label(label),
                };
                let subject = table.subject(subject);
                let standing = match (finding.verdict, finding.bound, finding.waiver) {
                    (_, _, Some(_)) => Grade::Waived,
                    (FindingVerdict::Uncovered, Some(_), None) => Grade::Bounded,
                    (verdict, ..) => verdict.into(),
                };
                table.row(number, subject, &finding.edit, standing, words);
                table.finding(finding, words, runs);
            }
        }
        for element in &result.elements {
            let mutants = by_element.get(&element.id).map(Vec::as_slice).unwrap_or_default();
            table.grades.insert(element.id, grade(element, mutants));
        }
        table
    }

    /// The number of something that is no element of the list.
    fn subject(&mut self, subject: SubjectView<'r>) -> i64 {
        self.subjects.push(subject);
        -(self.subjects.len() as i64)
    }

    fn row(&mut self, metric: usize, subject: i64, edit: &'r str, standing: Grade, words: &mut Words<'r>) {
        self.rows.metric.push(metric);
        self.rows.subject.push(subject);
        self.rows.edit.push(words.number(edit));
        self.rows.standing.push(number(standing));
        self.rows.first.push(self.findings.verdict.len());
    }

    fn finding(&mut self, finding: &'r Finding, words: &mut Words<'r>, runs: &mut Runs<'r>) {
        let columns = &mut self.findings;
        columns.property.push(words.maybe(finding.property.as_deref()));
        let verdict = VERDICTS.iter().position(|verdict| *verdict == finding.verdict);
        columns.verdict.push(verdict.unwrap_or_default());
        columns.reason.push(words.maybe(finding.reason.as_deref()));
        columns.bound.push(finding.bound.map_or(-1, i64::from));
        columns.by.push(words.maybe(finding.by.as_deref()));
        columns.certified.push(i64::from(finding.certified));
        columns.evidence.push(words.maybe(finding.evidence.as_deref()));
        columns.witness.push(runs.witness(finding.witness.as_deref(), words));
        columns.waiver.push(finding.waiver.map_or(-1, i64::from));
        columns.count.push(match &finding.count {
            None => -1,
            Some(count) => {
                self.amounts.push(count);
                self.amounts.len() as i64 - 1
            }
        });
    }
}

fn number(grade: Grade) -> usize {
    Grade::ALL.iter().position(|other| *other == grade).unwrap_or_default()
}

/// Where each element is in the list.
fn positions(result: &RunResult) -> HashMap<u32, usize> {
    result.elements.iter().enumerate().map(|(at, element)| (element.id, at)).collect()
}

fn elements<'r>(
    result: &'r RunResult,
    keys: &'r Keys,
    grades: &HashMap<u32, Grade>,
    files: &[FileView<'r>],
    words: &mut Words<'r>,
) -> (ElementColumns, PlaceColumns) {
    let positions: HashMap<&str, usize> =
        files.iter().enumerate().rev().map(|(at, file)| (file.path, at)).collect();
    let (mut columns, mut places) = (ElementColumns::default(), PlaceColumns::default());
    for (element, key) in result.elements.iter().zip(&keys.elements) {
        columns.id.push(i64::from(element.id));
        columns.name.push(words.number(&element.name));
        columns.key.push(words.number(key));
        columns.scope.push(words.number(&element.scope));
        columns.kind.push(words.number(&element.kind));
        columns.role.push(words.number(role(element)));
        columns.status.push(words.number(element.status.map_or("", Ladder::name)));
        columns.grade.push(number(grades.get(&element.id).copied().unwrap_or(Grade::None)));
        columns.waiver.push(words.maybe(element.waiver.as_deref()));
        columns.parent.push(words.maybe(element.parent.as_deref()));
        columns.first.push(places.line.len());
        for place in &element.places {
            places.file.push(positions.get(place.file.as_str()).copied().unwrap_or_default());
            places.line.push(i64::from(place.line));
            places.column.push(i64::from(place.column));
            places.end_line.push(i64::from(place.end_line));
            places.end_column.push(i64::from(place.end_column));
        }
    }
    (columns, places)
}

fn role(element: &Element) -> &'static str {
    match element.role {
        Role::Design => "design",
        Role::Checker => "checker",
        Role::Environment => "environment",
    }
}

fn property_view<'r>(property: &'r Property, words: &mut Words<'r>, runs: &mut Runs<'r>) -> PropertyView<'r> {
    PropertyView {
        name: &property.name,
        kind: &property.kind,
        formula: property.formula.as_deref(),
        place: property.place.as_ref(),
        verdict: property.verdict,
        depth: property.depth,
        reason: property.reason.as_deref(),
        engine: property.engine.as_deref(),
        certified: property.certified,
        vacuous: property.vacuous,
        helpers: &property.helpers,
        seconds: property.seconds,
        evidence: property.evidence.as_deref(),
        trace: runs.trace(property.trace.as_ref(), words),
        attempt: property.attempt.as_ref(),
        tested: runs.trace(property.tested.as_ref(), words),
        stray: runs.trace(property.stray.as_ref(), words),
    }
}

/// The matrix, of elements that the result has.
fn matrix(result: &RunResult) -> Option<MatrixView<'_>> {
    let traceability = Traceability::new(result);
    let positions = positions(result);
    let known: Vec<(u32, usize)> =
        traceability.elements.iter().filter_map(|id| Some((*id, *positions.get(id)?))).collect();
    if known.is_empty() {
        return None;
    }
    let rows = traceability.rows().map(|row| MatrixRow {
        name: row.name,
        together: row.known.property.is_none(),
        verdict: row.verdict.name(),
        cores: row.known.cores.len(),
        complete: row.known.complete,
        minimal: row.known.cores.iter().all(|core| core.minimal == Minimality::Minimal),
        marks: known.iter().map(|(id, _)| row.mark(*id).symbol()).collect(),
    });
    let rows = rows.collect();
    Some(MatrixView { elements: known.into_iter().map(|(_, at)| at).collect(), rows })
}

fn requirement(requirement: Requirement) -> RequirementView {
    let Requirement { id, text, properties, .. } = requirement;
    RequirementView { id, text, properties }
}

impl Before {
    fn new(before: &RunResult, result: &RunResult, material: &Material) -> Before {
        let headlines = before.shares.iter().filter(|share| share.scope == Scope::All);
        let old = |path: &str| material.text_before(path);
        let mut diff = Diff::between(before, result, (&old, &|path| material.text(path)));
        let many = [diff.elements.len(), diff.findings.len(), diff.shares.len()];
        let left_out = many.iter().map(|count| count.saturating_sub(CHANGED)).sum();
        diff.elements.truncate(CHANGED);
        diff.findings.truncate(CHANGED);
        diff.shares.truncate(CHANGED);
        let shares = headlines.map(ShareView::new).collect();
        Before { date: before.run.date.clone(), asked: material.is_compared, shares, diff, left_out }
    }
}
