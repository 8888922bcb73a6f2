//! What an auditor asks, in one table: which tool, when, how it was started, on which files; what was assumed; what is certified, and by which evidence; what is open; and what was left out of the count, and why.
//!
//! `rows` is the table, [`csv`] writes it, and the workbook ([`crate::xlsx::workbook_with`]) has it as its first sheet.

use crate::argument::Argument;
use crate::csv::line;
use crate::exit::exit_code;
use crate::material::Material;
use crate::model::Traceability;
use crate::mutants::{Standing, mutants};
use crate::place::position;
use crate::requirements::requirements;
use propcov_result::{
    Assumptions, COVER, DROPPED, Finding, FindingVerdict, Gate, NoteKind, Property, Role, RunResult, Scope,
    Subject, Verdict,
};

/// The columns.
pub(crate) const COLUMNS: [&str; 6] = ["part", "item", "value", "certified", "evidence", "remark"];

/// What is said of a requirement without a property.
const UNATTACHED: &str = "not attached: no property stands right below its comment";

/// A row of the table.
pub(crate) type Row = [String; 6];

/// The table as CSV. See [`crate::csv`] for how it is written.
pub fn csv(result: &RunResult, material: &Material) -> String {
    let mut text = String::new();
    line(COLUMNS.into_iter(), &mut text);
    for row in rows(result, material) {
        line(row.iter().map(String::as_str), &mut text);
    }
    text
}

/// The rows, part by part.
pub(crate) fn rows(result: &RunResult, material: &Material) -> Vec<Row> {
    let mut rows = Vec::new();
    run(result, &mut rows);
    files(result, &mut rows);
    assumptions(result, &mut rows);
    for requirement in requirements(result, material) {
        let remark = requirement.place.as_ref().map(position).unwrap_or_default();
        let row = fact("requirement", &requirement.id, &requirement.text);
        let names = match requirement.properties.as_slice() {
            [] => UNATTACHED.to_owned(),
            names => names.join(", "),
        };
        rows.push(with(row, "", "", &format!("{names} {remark}")));
    }
    for property in &result.properties {
        rows.push(verdict(result, property));
    }
    satisfaction(result, material, &mut rows);
    not_run(result, &mut rows);
    for share in &result.shares {
        let item = match &share.scope {
            Scope::All => share.metric.clone(),
            Scope::Property(name) => format!("{}, by {name} alone", share.metric),
            Scope::Observed(name) => format!("{} of {name}", share.metric),
            Scope::Proposition(name) => format!("{} of {name}", share.metric),
            Scope::Checker => format!("{}, checker logic (not counted)", share.metric),
            _ => continue,
        };
        let tally = &share.tally;
        let remark = format!(
            "{} covered, {} holes, {} bounded, {} unknown, {} no effect, {} dead, {} waived, {} in all",
            tally.covered,
            tally.uncovered,
            tally.bounded,
            tally.unknown,
            tally.no_effect,
            tally.dead,
            tally.waived,
            share.total
        );
        rows.push(with(fact("coverage", &item, &share.headline_text()), yes(share.certified), "", &remark));
    }
    filtered(result, &mut rows);
    open(result, &mut rows);
    for note in &result.notes {
        let kind = match note.kind {
            NoteKind::Note => "note",
            NoteKind::Warning => "warning",
            NoteKind::Error => "error",
        };
        rows.push(fact("note", kind, &note.text));
    }
    rows
}

fn fact(part: &str, item: &str, value: &str) -> Row {
    [part, item, value, "", "", ""].map(str::to_owned)
}

fn with(row: Row, certified: &str, evidence: &str, remark: &str) -> Row {
    let [part, item, value, ..] = row;
    [part, item, value, certified.to_owned(), evidence.to_owned(), remark.trim().to_owned()]
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

fn run(result: &RunResult, rows: &mut Vec<Row>) {
    let run = &result.run;
    let code = exit_code(result);
    let meaning = code.meaning_of(&run.command);
    let facts = [
        ("tool", format!("propcov {}", run.version)),
        ("form of the result", result.schema.clone()),
        ("date", run.date.clone().unwrap_or_default()),
        (
            "command line",
            std::iter::once("propcov")
                .chain(run.arguments.iter().map(String::as_str))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        ("seed", run.seed.to_string()),
        ("seconds", run.seconds.to_string()),
        ("metrics", run.metrics.join(", ")),
        ("ended early", run.stop.map_or("no".to_owned(), |stop| format!("{stop:?}").to_lowercase())),
        (
            "directory with evidence",
            run.directory.clone().unwrap_or_else(|| "none: nothing was kept".to_owned()),
        ),
        ("files written", run.files.join(" ")),
        ("internal errors", run.internal_errors.join("; ")),
    ];
    rows.extend(
        facts.iter().filter(|(_, value)| !value.is_empty()).map(|(item, value)| fact("run", item, value)),
    );
    rows.push(with(fact("run", "exit code", &(code as i32).to_string()), "", "", meaning));
    for threshold in &run.thresholds {
        let (item, value) =
            (format!("threshold {}", threshold.subject()), format!("{} %", threshold.percent));
        let remark = threshold.complaint().unwrap_or_else(|| "reached".to_owned());
        rows.push(with(fact("run", &item, &value), "", "", &remark));
    }
    if let Some(configuration) = &run.configuration {
        let value = format!("sha256 {}", configuration.sha256);
        let added = configuration.arguments.join(" ");
        rows.push(with(fact("run", &format!("options from {}", configuration.path), &value), "", "", &added));
    }
    for waiver in &result.waivers {
        let value = format!("{}, waives {}", waiver.state.name(), waiver.count);
        let author = waiver.author.as_ref().map(|author| format!(", by {author}")).unwrap_or_default();
        let expires = waiver.expires.as_ref().map(|last| format!(", until {last}")).unwrap_or_default();
        let place = waiver.place.as_ref().map(|place| format!(" ({})", position(place))).unwrap_or_default();
        let remark = format!("{}{author}{expires}{place}", waiver.reason);
        rows.push(with(fact("waiver", &waiver.subject(), &value), "", "", &remark));
    }
}

fn files(result: &RunResult, rows: &mut Vec<Row>) {
    let files = result.design.iter().flat_map(|design| &design.files);
    let files = files.map(|file| (&file.path, &file.sha256));
    let models = result.refinement.iter().flat_map(|refinement| {
        [&refinement.implementation, &refinement.specification].map(|model| (&model.path, &model.sha256))
    });
    rows.extend(files.chain(models).map(|(path, sha256)| fact("file", path, &format!("sha256 {sha256}"))));
    if let Some(design) = &result.design {
        let sizes = format!(
            "{}, {} inputs, {} states, {} elements, {} properties",
            design.format, design.inputs, design.states, design.elements, design.properties
        );
        rows.push(fact("design", design.top.as_deref().unwrap_or("size"), &sizes));
    }
}

fn assumptions(result: &RunResult, rows: &mut Vec<Row>) {
    if let Some(design) = &result.design {
        rows.push(fact("assumption", "number", &design.assumptions.to_string()));
    }
    for element in result.elements.iter().filter(|element| element.role == Role::Environment) {
        let place = element.places.first().map(position).unwrap_or_default();
        rows.push(fact("assumption", &element.name, &place));
    }
    let Some(gate) = &result.gate else { return };
    let Gate { assumptions, reason, conflict, vacuous, .. } = gate;
    let (word, remark) = match assumptions {
        Assumptions::Consistent => ("consistent", format!("a run of {} steps satisfies them", gate.steps)),
        Assumptions::Conflicting => ("conflicting", "proofs mean nothing".to_owned()),
        Assumptions::Unknown => ("unknown", reason.clone().unwrap_or_default()),
    };
    rows.push(with(fact("sanity check", "assumptions", word), "", "", &remark));
    rows.extend(conflict.iter().map(|one| fact("sanity check", "conflicting", &one.name)));
    rows.extend(vacuous.iter().map(|name| fact("sanity check", "vacuous", name)));
}

fn verdict(result: &RunResult, property: &Property) -> Row {
    let depth = property.depth.map(|depth| format!(" (depth {depth})")).unwrap_or_default();
    let value = format!("{}{depth}", property.verdict.name());
    let place = property.place.as_ref().map(position);
    let engine = property.engine.as_ref().map(|engine| format!("by {engine}"));
    let vacuous = property.vacuous.then(|| "vacuous".to_owned());
    let remark = [place, engine, property.reason.clone(), vacuous].into_iter().flatten();
    let evidence = evidence(result, property.evidence.as_deref());
    let certified = match property.verdict {
        Verdict::Unknown => "",
        _ => yes(property.certified),
    };
    let remark = remark.collect::<Vec<_>>().join("; ");
    with(fact("property", &property.name, &value), certified, &evidence, &remark)
}

/// Why each requirement is satisfied: a row for each set of elements that suffices, and one for what is in all of them.
fn satisfaction(result: &RunResult, material: &Material, rows: &mut Vec<Row>) {
    let traceability = Traceability::new(result);
    for requirement in requirements(result, material) {
        let is_its_own =
            |row: &&crate::model::Row<'_>| requirement.properties.iter().any(|name| name == row.name);
        for row in traceability.properties.iter().filter(is_its_own) {
            let Some(argument) = Argument::of(row) else { continue };
            let certified = yes(row.property.is_some_and(|property| property.certified));
            let item = format!("{} by {}", requirement.id, row.name);
            for (number, alternative) in (1..).zip(&argument.alternatives) {
                let names = traceability.names(alternative).join(" ");
                let others = if argument.complete { "" } else { "; there may be others" };
                let remark = format!("alternative {number} of {}{others}", argument.alternatives.len());
                rows.push(with(fact("satisfaction", &item, &names), certified, "", &remark));
            }
            let (needed, open) = argument.robustness.needed();
            let mut remark = traceability.names(needed).join(" ");
            if !open.is_empty() {
                remark += &format!(" (unknown: {})", traceability.names(open).join(" "));
            }
            rows.push(with(fact("robustness", &item, argument.robustness.name()), certified, "", &remark));
        }
    }
}

/// Properties and covers that this run has no verdict of, because the command does not try them or they were not selected.
fn not_run(result: &RunResult, rows: &mut Vec<Row>) {
    let Some(design) = &result.design else { return };
    let (covers, properties): (Vec<&Property>, Vec<&Property>) =
        result.properties.iter().partition(|property| property.kind == COVER);
    for (what, all, tried) in
        [("properties", design.properties, properties.len()), ("covers", design.covers, covers.len())]
    {
        let left = all.saturating_sub(tried);
        if left > 0 {
            let value = format!("{left} of {all} {what}");
            rows.push(with(fact("property", "not run", &value), "", "", "not asked for: no verdict"));
        }
    }
}

/// Where evidence is: its name, in the directory.
fn evidence(result: &RunResult, name: Option<&str>) -> String {
    match (name, &result.run.directory) {
        (Some(name), Some(directory)) => format!("{name} in {directory}/evidence"),
        (Some(name), None) => name.to_owned(),
        (None, _) => String::new(),
    }
}

/// What does not count, one by one.
fn filtered(result: &RunResult, rows: &mut Vec<Row>) {
    for metric in crate::grades::metrics(result) {
        for mutant in mutants(result, metric) {
            let why = match mutant.standing {
                _ if !mutant.counts() => "checker logic",
                Standing::NoEffect => "no effect",
                Standing::Dead => "dead",
                Standing::Waived => "waived",
                _ => continue,
            };
            let reason = mutant.waiver(result).map(|waiver| waiver.reason.clone()).unwrap_or_default();
            let item = format!("{metric} {} of {}", mutant.edit, mutant.name());
            let certified = yes(mutant.findings.iter().all(|finding| finding.certified));
            rows.push(with(fact("left out of the count", &item, why), certified, "", &reason));
        }
    }
    let measured = result.elements.len();
    if let Some(design) = &result.design
        && measured > 0
        && design.elements > measured
    {
        let value = format!("{} of {} elements", design.elements - measured, design.elements);
        rows.push(with(fact("left out of the count", "not measured", &value), "", "", "not selected"));
    }
}

/// Holes and what is open, one by one: what all properties together make of each edit.
fn open(result: &RunResult, rows: &mut Vec<Row>) {
    for metric in crate::grades::metrics(result) {
        let design = mutants(result, metric).into_iter().filter(|mutant| mutant.counts());
        for mutant in design {
            let word = match mutant.standing {
                Standing::Uncovered if mutant.edit == DROPPED => "no proof needs it",
                Standing::Uncovered => "no property notices",
                Standing::Bounded => "no property notices up to its bound",
                Standing::Unknown => "not decided",
                Standing::Covered | Standing::NoEffect | Standing::Dead | Standing::Waived => continue,
            };
            let item = format!("{metric} {} of {}", mutant.edit, mutant.name());
            rows.push(left_open(result, &item, word, &mutant.findings));
        }
        let others = result.findings.iter().filter(|finding| *finding.metric == *metric);
        for finding in others {
            let item = match &finding.subject {
                Subject::Element(_) => continue,
                Subject::Cube(cube) => {
                    format!("{metric}: {} where {}", cube.observed.as_deref().unwrap_or("all"), cube.text)
                }
                Subject::Label(label) => format!("{metric}: {} in {}", label.proposition, label.state),
            };
            if let Some(waiver) = result.waiver(finding) {
                rows.push(with(fact("left out of the count", &item, "waived"), "no", "", &waiver.reason));
                continue;
            }
            let word = match finding.verdict {
                FindingVerdict::Uncovered => "nobody notices",
                FindingVerdict::Unknown => "not decided",
                FindingVerdict::Covered | FindingVerdict::NoEffect | FindingVerdict::Dead => continue,
            };
            rows.push(left_open(result, &item, word, &[finding]));
        }
    }
}

/// A row with what each property has to say.
fn left_open(result: &RunResult, item: &str, word: &str, findings: &[&Finding]) -> Row {
    let mut names: Vec<String> = Vec::new();
    for finding in findings {
        let name = evidence(result, finding.evidence.as_deref());
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    let remark = |finding: &&Finding| {
        let property = finding.property.as_deref().unwrap_or("all together");
        let bound = finding.bound.map(|bound| format!(" up to {bound}")).unwrap_or_default();
        let by = finding.by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
        let reason = finding.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        format!("{property}: {}{bound}{by}{reason}", finding.verdict.name())
    };
    let remarks: Vec<String> = findings.iter().map(remark).collect();
    let certified = yes(findings.iter().all(|finding| finding.certified));
    with(fact("not covered", item, word), certified, &names.join(" "), &remarks.join("; "))
}
