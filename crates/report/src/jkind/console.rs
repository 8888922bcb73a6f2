//! What JKind prints: a header, a block for each answer, a summary.
//!
//! Departures: everything is printed at the end; valid properties share a block if engine and length are the same; `VALID PROPERTIES` says how many are not certified, which does not happen for
//! invariants; `INVARIANTS` are in the notation of propcov's certificates. Functions about which nothing is known have a section of the table, where JKind has tables of their own.

use super::{depth_of, source, true_for_of};
use crate::model::{Mark, Row, Traceability};
use crate::natural;
use dashu_int::UBig;
use propcov_result::{Property, RunResult, Trace, TraceSignal, TraceSignalKind, Verdict};
use std::fmt::Write;

const LINE: &str = "++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++";
const RULE: &str = "==========================================";
const CORE_RULE: &str = "============================";
/// Digits behind the point.
const DIGITS: usize = 3;

/// How much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Console {
    /// All of it.
    Whole,
    /// What is printed where the answers are in a file: header and summary.
    Summary,
}

/// The text.
pub fn console(result: &RunResult, what: Console) -> String {
    let mut text = String::new();
    let properties: Vec<&Property> =
        result.properties.iter().filter(|property| !property.is_cover()).collect();
    let names = |wanted: &dyn Fn(&Property) -> bool| -> Vec<&str> {
        properties.iter().filter(|property| wanted(property)).map(|property| property.name.as_str()).collect()
    };
    let all = names(&|_| true);
    let _ = write!(
        text,
        "{RULE}\n  JKind by propcov {}\n{RULE}\n\nThere are {} properties to be checked.\nPROPERTIES TO BE CHECKED: {}\n\n",
        result.run.version,
        all.len(),
        listed(&all)
    );
    let traceability = Traceability::new(result);
    let row = |name: &str| traceability.properties.iter().find(|row| row.name == name);
    let mut done = if what == Console::Whole { 0 } else { properties.len() };
    while let Some(first) = properties.get(done) {
        // Those that were proved in the same way, one after the other, are one answer.
        let alike = |other: &&&Property| {
            (other.verdict, &other.engine, other.depth) == (first.verdict, &first.engine, first.depth)
        };
        let is_shared = first.verdict == Verdict::Proved && row(&first.name).is_none();
        let count = if is_shared { properties[done..].iter().take_while(alike).count() } else { 1 };
        answer(&properties[done..done + count], row(&first.name), &traceability, &mut text);
        done += count;
    }
    let _ = write!(
        text,
        "    -------------------------------------\n    --^^--        SUMMARY          --^^--\n    -------------------------------------\n\n"
    );
    type Wanted<'w> = &'w dyn Fn(&Property) -> bool;
    let groups: [(&str, Wanted<'_>); 3] = [
        ("VALID", &|property| property.verdict == Verdict::Proved),
        ("INVALID", &|property| property.verdict == Verdict::Falsified),
        ("UNKNOWN", &|property| !matches!(property.verdict, Verdict::Proved | Verdict::Falsified)),
    ];
    for (title, wanted) in groups {
        let names = names(wanted);
        if !names.is_empty() {
            let _ = write!(text, "{title} PROPERTIES: {}\n\n", listed(&names));
        }
    }
    text
}

fn answer(
    properties: &[&Property],
    row: Option<&Row<'_>>,
    traceability: &Traceability<'_>,
    text: &mut String,
) {
    let Some(first) = properties.first() else { return };
    let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    let engine = source(first.engine.as_deref().unwrap_or_default());
    let seconds = properties.iter().fold(0.0, |sum, property| sum + property.seconds);
    let time = time(seconds + row.map_or(0.0, |row| super::seconds(row, "cores")));
    let _ = writeln!(text, "{LINE}");
    match first.verdict {
        Verdict::Proved => {
            let k = depth_of(first);
            let _ = writeln!(
                text,
                "VALID PROPERTIES: {} || {engine} || K = {k} || Time = {time}",
                listed(&names)
            );
            if let Some(row) = row {
                cores(row, traceability, text);
            }
        }
        Verdict::Falsified => {
            let k = first.trace.as_ref().map_or(0, |trace| trace.steps);
            let _ =
                writeln!(text, "INVALID PROPERTY: {} || {engine} || K = {k} || Time = {time}", first.name);
            if let Some(trace) = &first.trace {
                text.push_str(&table(trace));
            }
            text.push('\n');
        }
        Verdict::Bounded | Verdict::Unknown | Verdict::Reached | Verdict::Unreachable => {
            let steps = true_for_of(first);
            let names = listed(&names);
            let _ = writeln!(text, "UNKNOWN PROPERTIES: {names} || True for {steps} steps || Time = {time}");
        }
    }
    let _ = write!(text, "{LINE}\n\n");
    if let Some(trace) = &first.inductive {
        let _ = writeln!(text, "{LINE}\nINDUCTIVE COUNTEREXAMPLE: {} || K = {}", first.name, trace.steps);
        let _ = write!(text, "{}\n{LINE}\n\n", table(trace));
    }
}

fn cores(row: &Row<'_>, traceability: &Traceability<'_>, text: &mut String) {
    let list = |names: Vec<String>, text: &mut String| {
        for name in sorted(names) {
            let _ = writeln!(text, "  {name}");
        }
    };
    if super::form(row.known) == super::Form::All {
        let _ = write!(text, "\nINDUCTIVE VALIDITY CORES:\n\n");
        if !row.known.complete {
            let dots = ".".repeat(67);
            let _ = writeln!(
                text,
                "{dots}\nNot all cores are known, and those that are known might not be minimal.\n{dots}"
            );
        }
        let _ = writeln!(text, "MUST ELEMENTS FOR THE PROPERTY:");
        list(traceability.names(&row.with(Mark::Must)), text);
        let _ =
            writeln!(text, "\n{} INDUCTIVE VALIDITY CORES WERE FOUND:\n{CORE_RULE}", row.known.cores.len());
        for (at, core) in row.known.cores.iter().enumerate() {
            let _ = writeln!(text, "IVC  #{}:\nINVARIANTS:", at + 1);
            core.invariants.iter().for_each(|invariant| {
                let _ = writeln!(text, "  {invariant}");
            });
            let _ = writeln!(text, "INDUCTIVE VALIDITY CORE:");
            list(traceability.names(&core.elements), text);
            let _ = writeln!(text, "{CORE_RULE}");
        }
    } else if let Some(core) = super::best(row) {
        if !core.invariants.is_empty() {
            let _ = writeln!(text, "INVARIANTS:");
            list(core.invariants.clone(), text);
        }
        if !core.elements.is_empty() {
            let _ = writeln!(text, "INDUCTIVE VALIDITY CORE:");
            list(traceability.names(&core.elements), text);
        }
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_by(|one, other| natural::compare(one, other));
    names
}

fn listed(names: &[&str]) -> String {
    format!("[{}]", names.join(", "))
}

/// Seconds, minutes, hours and days.
fn time(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor();
    let rest = format!("{:.3}", seconds - minutes * 60.0);
    let rest = format!("{}s", rest.trim_end_matches('0').trim_end_matches('.'));
    let minutes = minutes as u64;
    let (hours, days) = (minutes / 60, minutes / 1440);
    match (days, hours, minutes) {
        (_, _, 0) => rest,
        (_, 0, minutes) => format!("{minutes}m {rest}"),
        (0, hours, minutes) => format!("{hours}h {}m {rest}", minutes % 60),
        (days, hours, minutes) => format!("{days}d {}h {}m {rest}", hours % 24, minutes % 60),
    }
}

/// The sections of a counterexample.
pub(super) fn sections(trace: &Trace) -> Vec<(&'static str, Vec<&TraceSignal>)> {
    use TraceSignalKind::{Free, Function, Input, Instance, Output, State, Wire};
    let kinds: [(&str, &[TraceSignalKind]); 5] = [
        ("Inputs", &[Input]),
        ("Outputs", &[Output]),
        ("Locals", &[Wire, State]),
        ("Inlined", &[Instance, Free]),
        ("Functions", &[Function]),
    ];
    let section = |(title, kinds): (&'static str, &[TraceSignalKind])| {
        let mut signals: Vec<&TraceSignal> =
            trace.signals.iter().filter(|signal| kinds.contains(&signal.kind)).collect();
        signals.sort_by(|one, other| natural::compare(&one.name, &other.name));
        (title, signals)
    };
    kinds.into_iter().map(section).filter(|(_, signals)| !signals.is_empty()).collect()
}

fn table(trace: &Trace) -> String {
    let mut rows: Vec<Vec<String>> = vec![vec![String::new(), "Step".to_owned()]];
    rows.push(
        std::iter::once("variable".to_owned()).chain((0..trace.steps).map(|step| step.to_string())).collect(),
    );
    for (title, signals) in sections(trace) {
        rows.push(vec![String::new()]);
        rows.push(vec![title.to_uppercase()]);
        for signal in signals {
            let values = (0..signal.values.len()).map(|step| cell(signal, step));
            rows.push(std::iter::once(signal.name.clone()).chain(values).collect());
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        for (column, cell) in row.iter().enumerate() {
            let _ = match column {
                0 => write!(text, "{cell:<width$} ", width = widths[0] + 6),
                _ => write!(text, "{cell:>width$} ", width = widths[column]),
            };
        }
        text.push('\n');
    }
    if rows.iter().flatten().any(|cell| cell.ends_with('*')) {
        text.push_str("\n * display value has been truncated\n");
    }
    text
}

/// A value, or the interval of those that do as well; a dash where any value does.
fn cell(signal: &TraceSignal, step: usize) -> String {
    let value = signal.ranges.get(step).unwrap_or(&signal.values[step]);
    match (signal.sort.as_str(), value.as_str()) {
        (_, "*") => "-".to_owned(),
        ("bool" | "bitvec 1", "0" | "1") => (value == "1").to_string(),
        ("real", value) => decimal(value).unwrap_or_else(|| value.to_owned()),
        (_, value) => value.to_owned(),
    }
}

/// A fraction as JKind shows it: three digits, and a star where there would be more.
fn decimal(value: &str) -> Option<String> {
    let (sign, digits) = value.strip_prefix('-').map_or(("", value), |digits| ("-", digits));
    let (numerator, denominator) = digits.split_once('/')?;
    let number = |digits: &str| UBig::from_str_radix(digits, 10).ok();
    let (numerator, denominator) = (number(numerator)?, number(denominator)?);
    if denominator == UBig::ZERO {
        return None;
    }
    let scaled = numerator * UBig::from(10u8).pow(DIGITS);
    let (quotient, rest) = (&scaled / &denominator, &scaled % &denominator);
    let text = format!("{quotient:0>width$}", quotient = quotient.to_string(), width = DIGITS + 1);
    let (whole, fraction) = text.split_at(text.len() - DIGITS);
    if rest != UBig::ZERO {
        return Some(format!("{sign}{whole}.{fraction}*"));
    }
    let fraction = fraction.trim_end_matches('0');
    Some(if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}

#[cfg(test)]
mod tests {
    use super::{decimal, time};

    #[test]
    fn fractions_have_three_digits_and_a_star_for_more() {
        let shown = |value| decimal(value);
        assert_eq!(shown("1/2").as_deref(), Some("0.5"));
        assert_eq!(shown("-7/4").as_deref(), Some("-1.75"));
        assert_eq!(shown("1/3").as_deref(), Some("0.333*"));
        assert_eq!(shown("10/1").as_deref(), Some("10"));
        assert_eq!(shown("1/1000").as_deref(), Some("0.001"));
        assert_eq!(shown("12"), None);
        assert_eq!(shown("1/0"), None);
    }

    #[test]
    fn times_are_written_as_jkind_writes_them() {
        assert_eq!(time(1.93), "1.93s");
        assert_eq!(time(0.0), "0s");
        assert_eq!(time(60.5), "1m 0.5s");
        assert_eq!(time(3600.0 * 25.0 + 61.25), "1d 1h 1m 1.25s");
    }
}
