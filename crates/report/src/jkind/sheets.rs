//! JKind's workbook: a summary, and a sheet for each property that has something to show: a counterexample, or invariants and a core. As `.xlsx`, where JKind writes `.xls`.

use super::console::sections;
use super::{best, depth_of, source, true_for_of};
use crate::model::Traceability;
use crate::xlsx::Error;
use propcov_result::{CoreSet, Property, RunResult, Trace, TraceSignal, Verdict};
use rust_xlsxwriter::{Format, Url, Workbook, Worksheet};
use std::collections::BTreeSet;

const TITLES: [&str; 6] = ["Property", "Result", "Source", "K", "Runtime", "True For"];
/// Names of sheets are no longer than that.
const NAME: usize = 31;

/// The workbook as the bytes of a file.
///
/// # Errors
/// When the library that writes workbooks gives up.
pub fn workbook(result: &RunResult) -> Result<Vec<u8>, Error> {
    let mut workbook = Workbook::new();
    let bold = Format::new().set_bold();
    let traceability = Traceability::new(result);
    let properties: Vec<&Property> =
        result.properties.iter().filter(|property| !property.is_cover()).collect();
    let mut taken = BTreeSet::from(["summary".to_owned()]);
    let mut details: Vec<(String, &Property, Option<&CoreSet>)> = Vec::new();
    let summary = workbook.add_worksheet();
    summary.set_name("Summary")?;
    for (column, title) in (0..).zip(TITLES) {
        summary.write_string_with_format(0, column, title, &bold)?;
    }
    for (row, property) in (1..).zip(&properties) {
        let core = traceability.properties.iter().find(|row| row.name == property.name).and_then(best);
        let run = property.trace.as_ref().or(property.inductive.as_ref());
        let (answer, is_decided) = match property.verdict {
            Verdict::Proved => ("Valid", true),
            Verdict::Falsified => ("Invalid", true),
            _ => ("Unknown", false),
        };
        text(summary, row, 0, &property.name)?;
        if run.is_some() || core.is_some_and(|core| !core.elements.is_empty() || !core.invariants.is_empty())
        {
            let name = sheet_name(&property.name, &mut taken);
            let link = Url::new(format!("internal:'{}'!A1", name.replace('\'', "''"))).set_text(answer);
            summary.write_url(row, 1, link)?;
            details.push((name, property, core));
        } else {
            summary.write_string(row, 1, answer)?;
        }
        if is_decided {
            let engine = source(property.engine.as_deref().unwrap_or_default());
            let length =
                property.trace.as_ref().map_or_else(|| depth_of(property), |trace| trace.steps as u32);
            text(summary, row, 2, engine)?;
            summary.write_number(row, 3, length)?;
        } else {
            summary.write_number(row, 5, true_for_of(property))?;
        }
        summary.write_number(row, 4, property.seconds)?;
    }
    summary.autofit();
    for (name, property, core) in details {
        let sheet = workbook.add_worksheet();
        sheet.set_name(&name)?;
        match (property.trace.as_ref().or(property.inductive.as_ref()), core) {
            (Some(run), _) => counterexample(sheet, run, &bold)?,
            (None, Some(core)) => proof(sheet, core, &traceability, &bold)?,
            (None, None) => {}
        }
        sheet.autofit();
    }
    Ok(workbook.save_to_buffer()?)
}

/// A name that a workbook accepts, and that no other sheet has.
fn sheet_name(property: &str, taken: &mut BTreeSet<String>) -> String {
    let fits = |c: &char| !"[]:*?/\\".contains(*c) && !c.is_control();
    let plain: String = property.chars().filter(fits).take(NAME).collect();
    let plain = plain.trim_matches('\'').to_owned();
    let mut name = if plain.is_empty() { "property".to_owned() } else { plain.clone() };
    let mut number = 2;
    while !taken.insert(name.to_lowercase()) {
        let suffix = format!("~{number}");
        let kept: String = plain.chars().take(NAME - suffix.len()).collect();
        name = format!("{kept}{suffix}");
        number += 1;
    }
    name
}

fn proof(
    sheet: &mut Worksheet,
    core: &CoreSet,
    traceability: &Traceability<'_>,
    bold: &Format,
) -> Result<(), Error> {
    let groups = [
        ("Invariants", core.invariants.clone()),
        ("Inductive Validity Core", traceability.names(&core.elements)),
    ];
    let mut row = 0;
    for (title, lines) in groups.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        sheet.write_string_with_format(row, 0, title, bold)?;
        for line in lines {
            row += 1;
            text(sheet, row, 0, &line)?;
        }
        row += 2;
    }
    Ok(())
}

fn counterexample(sheet: &mut Worksheet, run: &Trace, bold: &Format) -> Result<(), Error> {
    sheet.write_string_with_format(0, 0, "Step", bold)?;
    for step in 0..run.steps.min(16_000) {
        sheet.write_number(0, step as u16 + 1, step as u32)?;
    }
    let mut row = 2;
    for (title, signals) in sections(run) {
        sheet.write_string_with_format(row, 0, title, bold)?;
        for signal in signals {
            row += 1;
            values(sheet, row, signal)?;
        }
        row += 2;
    }
    Ok(())
}

fn values(sheet: &mut Worksheet, row: u32, signal: &TraceSignal) -> Result<(), Error> {
    text(sheet, row, 0, &signal.name)?;
    let faded = Format::new().set_font_color(rust_xlsxwriter::Color::Gray);
    let plain = Format::new();
    for step in 0..signal.values.len().min(16_000) {
        let shown = |step: usize| signal.ranges.get(step).unwrap_or(&signal.values[step]);
        let value = shown(step);
        let format = if step > 0 && shown(step - 1) == value { &faded } else { &plain };
        let column = step as u16 + 1;
        match (signal.sort.as_str(), value.as_str()) {
            (_, "*") => {}
            ("bool" | "bitvec 1", "0" | "1" | "true" | "false") => {
                sheet.write_boolean_with_format(
                    row,
                    column,
                    matches!(value.as_str(), "1" | "true"),
                    format,
                )?;
            }
            ("int" | "real", value) if number(value).is_some() => {
                sheet.write_number_with_format(row, column, number(value).unwrap_or_default(), format)?;
            }
            (_, value) => {
                sheet.write_string_with_format(row, column, crate::terminal::printable(value), format)?;
            }
        }
    }
    Ok(())
}

/// A number that a cell shows as it is; others are text.
fn number(value: &str) -> Option<f64> {
    let (numerator, denominator) = value.split_once('/').unwrap_or((value, "1"));
    let (numerator, denominator) = (numerator.parse::<f64>().ok()?, denominator.parse::<f64>().ok()?);
    let exact = |number: f64| number.abs() < 9e15;
    let quotient = numerator / denominator;
    (exact(numerator) && exact(denominator) && quotient * denominator == numerator).then_some(quotient)
}

fn text(sheet: &mut Worksheet, row: u32, column: u16, content: &str) -> Result<(), Error> {
    let shown: String = crate::terminal::printable(content).chars().take(32_000).collect();
    sheet.write_string(row, column, shown)?;
    Ok(())
}
