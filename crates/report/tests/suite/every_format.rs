//! Whatever a result says, and however its names are spelt: every format can render it, and nothing reaches a terminal that a terminal would obey.

use propcov_report::terminal::{Style, columns};
use propcov_report::text::{TextOptions, notes, text};
use propcov_report::{ExitCode, FORMATS, MATRIX_FORMATS, Material, Rendering, exit_code, format, json};
use propcov_result::{CoreRow, NoteKind, RunResult};
use propcov_testkit::random_result;
use std::collections::BTreeSet;

/// `PROPCOV_SEED` and `PROPCOV_CASES`, as everywhere.
fn cases(default: u64) -> impl Iterator<Item = u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("PROPCOV_CASES").unwrap_or(default),
    }
}

fn rendered(name: &str, result: &RunResult, style: &Style) -> String {
    let mut bytes = Vec::new();
    let format = format(name).expect("a format");
    let options = TextOptions { stats: true, ..TextOptions::default() };
    let rendering = Rendering { result, material: &Material::default(), options: &options, style };
    (format.write)(&rendering, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text")
}

/// The text without colours, which are the only escape sequences that are allowed.
fn without_colours(text: &str) -> String {
    let codes = ["\x1b[0m", "\x1b[1m", "\x1b[32m", "\x1b[1;31m", "\x1b[33m"];
    codes.iter().fold(text.to_owned(), |text, code| text.replace(code, ""))
}

#[test]
fn random_results_send_no_control_characters() {
    for seed in cases(500) {
        let result = random_result(seed);
        for style in [Style { width: 80, colour: false }, Style { width: 80, colour: true }] {
            for format in FORMATS.iter().filter(|format| format.is_text) {
                let mut text = rendered(format.name, &result, &style);
                if style.colour {
                    text = without_colours(&text);
                }
                let text = if format.name.ends_with("csv") { text.replace("\r\n", "\n") } else { text };
                let wrong = text.chars().find(|character| character.is_control() && *character != '\n');
                assert_eq!(wrong, None, "seed {seed}, {}: {text}", format.name);
            }
        }
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    for seed in cases(300) {
        let result = random_result(seed);
        let plain = rendered("text", &result, &Style { width: 80, colour: false });
        let coloured = rendered("text", &result, &Style { width: 80, colour: true });
        assert_eq!(without_colours(&coloured), plain, "seed {seed}");
    }
}

/// Whether a line is too long for a reason: a name or a command that cannot be broken.
fn is_excused(line: &str, width: usize) -> bool {
    let longest = line.split(' ').map(columns).max().unwrap_or(0);
    let is_command = line.trim_start().starts_with("propcov explain ");
    is_command || longest + 10 > width
}

#[test]
fn random_results_keep_to_the_width() {
    for seed in cases(500) {
        let result = random_result(seed);
        for width in [40, 80, 120] {
            let text = rendered("text", &result, &Style { width, colour: false });
            let notes = notes(&result, NoteKind::Note, &Style { width, colour: false });
            for line in text.lines().chain(notes.lines()) {
                assert!(
                    columns(line) <= width || is_excused(line, width),
                    "seed {seed}, {width} columns: {line}\n{text}"
                );
            }
            assert!(!text.contains("\n\n\n") && !text.starts_with('\n'), "seed {seed}: {text}");
            assert!(text.is_empty() || text.ends_with('\n'), "seed {seed}: {text}");
        }
    }
}

#[test]
fn a_document_is_the_result() {
    for seed in cases(300) {
        let result = random_result(seed);
        let back: RunResult = serde_json::from_str(&json(&result)).expect("a document");
        assert_eq!(back, result, "seed {seed}");
    }
}

#[test]
fn findings_have_a_row_each_and_every_row_all_columns() {
    for seed in cases(300) {
        let result = random_result(seed);
        let text = rendered("csv", &result, &Style::default());
        let rows: Vec<usize> = text.split("\r\n").filter(|row| !row.is_empty()).map(fields).collect();
        let expected = match result.run.command.as_str() {
            "cores" => matrix_rows(&result),
            _ => result.findings.len(),
        };
        assert_eq!(rows.len(), expected + 1, "seed {seed}: {text}");
        assert!(rows.iter().all(|fields| *fields == rows[0]), "seed {seed}: {text}");
    }
}

/// The properties that have cores or none, and perhaps all of them together.
fn matrix_rows(result: &RunResult) -> usize {
    let (properties, together): (Vec<&CoreRow>, Vec<&CoreRow>) =
        result.cores.iter().partition(|row| row.property.is_some());
    properties.len() + together.len().min(1)
}

#[test]
fn matrices_of_random_results_have_all_properties_and_elements() {
    for seed in cases(300) {
        let result = random_result(seed);
        let text = propcov_report::csv::matrix(&result);
        let rows: Vec<usize> = text.split("\r\n").filter(|row| !row.is_empty()).map(fields).collect();
        let elements: BTreeSet<u32> = result.cores.iter().flat_map(|row| row.universe.clone()).collect();
        assert_eq!(rows, vec![4 + elements.len(); 1 + matrix_rows(&result)], "seed {seed}: {text}");
        for format in MATRIX_FORMATS {
            assert!((format.bytes)(&result).is_ok(), "seed {seed}, {}", format.extension);
        }
    }
}

/// How many fields a row has.
fn fields(row: &str) -> usize {
    let mut is_quoted = false;
    let separators = row.chars().filter(|character| {
        is_quoted ^= *character == '"';
        *character == ',' && !is_quoted
    });
    separators.count() + 1
}

#[test]
fn every_result_has_an_exit_code_and_bugs_outweigh_everything() {
    for seed in cases(500) {
        let mut result = random_result(seed);
        result.run.internal_errors = vec!["crashed".to_owned()];
        assert_eq!(exit_code(&result), ExitCode::Internal, "seed {seed}");
        result.run.internal_errors.clear();
        assert_ne!(exit_code(&result), ExitCode::Internal, "seed {seed}");
    }
}

#[test]
fn formats_have_names_of_their_own_and_text_is_the_first() {
    let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names[0], "text");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FORMATS.len());
    assert!(format("pdf").is_none());
    let nothing = RunResult::new("check", 0);
    let expected = "0 properties: 0 proved, 0 failed, 0 unknown (0.00 seconds)\n";
    assert_eq!(text(&nothing, &TextOptions::default(), &Style::default()), expected);
}
