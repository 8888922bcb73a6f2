//! Text and CSV.

use crate::fixtures::{HOSTILE, Scope, hostile, large, matrix, refute, set_1, set_2, set_3};
use propcov_report::terminal::{Style, printable};
use propcov_report::text::MatrixOptions;
use propcov_report::{csv, text};
use propcov_result::{CoreRow, RunResult, Verdict};

fn snapshot(name: &str, content: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, content);
    });
}

fn drawn(traceability: &RunResult, width: usize) -> String {
    with(traceability, MatrixOptions::default(), width)
}

fn with(traceability: &RunResult, options: MatrixOptions, width: usize) -> String {
    text::matrix(traceability, &options, &Style { width, colour: false })
}

/// The rows of a text matrix, without its header, as in the thesis's figures: `X` or nothing.
fn figure(traceability: &RunResult) -> Vec<String> {
    let text = drawn(traceability, 100);
    let rows = text.lines().skip(1).take(traceability.properties.len());
    rows.map(|row| row.replace('x', "X").replace('?', ".").split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn the_initial_property_set_is_figure_6_3() {
    let expected = ["on_p . . . . X . X . .", "off_p . . . . . . X X .", "all_p . . . . X . X X ."];
    assert_eq!(figure(&set_1()), expected);
}

#[test]
fn the_final_property_set_is_figure_6_4() {
    let expected = [
        "on_p X . . . X . X . .",
        "off_p X X X X X X X X .",
        "hyst_p X X X X X X X X X",
        "all_p X X X X X X X X X",
    ];
    assert_eq!(figure(&set_3(Scope::One)), expected);
}

#[test]
fn the_property_sets_of_the_altitude_switch() {
    for (name, set) in
        [("1", set_1()), ("2", set_2()), ("3", set_3(Scope::All)), ("3_one", set_3(Scope::One))]
    {
        snapshot(&format!("asw_{name}_text"), &drawn(&set, 100));
        snapshot(&format!("asw_{name}_csv"), &csv::matrix(&set).replace("\r\n", "\n"));
    }
}

#[test]
fn a_narrow_terminal_gets_elements_as_rows() {
    snapshot("asw_2_narrow", &drawn(&set_2(), 40));
    snapshot("asw_2_very_narrow", &drawn(&set_2(), 12));
}

#[test]
fn long_names_have_the_room_that_columns_leave() {
    let long = ["a_rather_long_name_of_an_element_1", "a_rather_long_name_of_an_element_2", "z"];
    let set = matrix("p.lus", &long, Scope::All, &[("p", &[&long[..2]])]);
    let text = drawn(&set, 40);
    assert!(text.contains("a_rather_long_name_of_an_element_1  X\n"), "{text}");
}

#[test]
fn a_list_of_unused_elements_can_be_cut_off() {
    let set = matrix("p.lus", &["x", "a", "b", "c"], Scope::All, &[("p", &[&["x"]])]);
    let most = |unused| with(&set, MatrixOptions { unused, ..MatrixOptions::default() }, 80);
    assert!(most(1).ends_with("Needed by no property (3): a, and 2 more; --format json lists all\n"));
    assert!(most(2).ends_with("Needed by no property (3): a, b, c\n"), "a limit hides no single one");
    assert!(drawn(&set, 80).ends_with("Needed by no property (3): a, b, c\n"));
}

#[test]
fn nothing_is_said_of_properties_that_are_not_here() {
    let title = |others: usize, names: &[&str]| {
        let core: &[&[&str]] = &[&["x"]];
        let properties: Vec<(&str, &[&[&str]])> = names.iter().map(|name| (*name, core)).collect();
        let mut set = matrix("p.lus", &["x", "a"], Scope::All, &properties);
        if let Some(design) = &mut set.design {
            design.properties += others;
        }
        let text = drawn(&set, 80);
        text.lines().last().expect("a list").to_owned()
    };
    assert_eq!(title(0, &["p"]), "Needed by no property (1): a");
    assert_eq!(title(1, &["p"]), "Not needed by p (1): a");
    assert_eq!(title(0, &["p", "q"]), "Needed by no property (1): a");
    assert_eq!(title(1, &["p", "q"]), "Needed by none of these properties (1): a");
}

#[test]
fn a_matrix_with_too_many_rows_is_not_drawn() {
    let options = MatrixOptions { rows: 100, unused: 3, ..MatrixOptions::default() };
    let text = with(&large(300, 5, "p"), options, 100);
    assert!(
        text.starts_with(
            "Not shown: it would have 300 rows; --format json lists all.\n\nNeeded by no property (43): "
        ),
        "{text}"
    );
}

#[test]
fn a_matrix_that_leaves_out_what_nothing_needs_says_so() {
    let options = MatrixOptions { rows: 260, unused: 3, ..MatrixOptions::default() };
    let text = with(&large(300, 5, "p"), options, 100);
    assert!(text.starts_with("Without 43 elements in no core that was found: see below.\n"), "{text}");
}

#[test]
fn large_matrices_stay_readable() {
    snapshot("text_300_elements", &drawn(&large(300, 5, "p"), 100));
    snapshot("text_40_properties", &drawn(&large(30, 40, "the_property_number_"), 100));
    snapshot("text_3_long_properties", &drawn(&large(30, 3, "a_property_with_quite_a_long_name_"), 80));
    snapshot("text_1_property", &drawn(&large(30, 1, "p"), 80));
    snapshot("text_100_properties_narrow", &drawn(&large(12, 100, "q"), 50));
}

#[test]
fn lines_keep_to_the_width() {
    for columns in [40, 60, 80, 100, 200] {
        for set in [set_1(), set_2(), large(300, 5, "p"), large(60, 40, "the_property_number_")] {
            for line in drawn(&set, columns).lines() {
                assert!(line.chars().count() <= columns, "{columns} columns: {line}");
            }
        }
    }
}

#[test]
fn own_equations_are_shown_on_request_only() {
    let set = matrix("p.lus", &["x", "p"], Scope::All, &[("p", &[&["x", "p"]])]);
    snapshot("own_equation_left_out", &drawn(&set, 80));
    let all = MatrixOptions { own_equations: true, ..MatrixOptions::default() };
    snapshot("own_equation_shown", &with(&set, all, 80));
}

#[test]
fn rows_without_a_proof_and_what_is_unknown_are_told_apart() {
    let mut set = set_1();
    let known = vec![6, 7];
    let row = &mut set.cores[1];
    (row.complete, row.must, row.may) = (false, Some(known.clone()), Some(known));
    (row.may_unknown, row.cores) = (vec![4], Vec::new());
    refute(&mut set, "all_p", Verdict::Falsified);
    set.properties[2].name = "fails".to_owned();
    set.cores[2].property = Some("fails".to_owned());
    let together = CoreRow { property: None, ..set.cores[0].clone() };
    set.cores.push(together);
    snapshot("not_all_proved_text", &drawn(&set, 100));
    snapshot("not_all_proved_csv", &csv::matrix(&set).replace("\r\n", "\n"));
}

#[test]
fn empty_matrices_are_no_special_case() {
    let nothing = RunResult::default();
    assert_eq!(drawn(&nothing, 80), "Nothing to show: no properties, or no elements in question.\n");
    assert_eq!(csv::matrix(&nothing), "property,verdict,cores,complete\r\n");
    let mut no_elements = set_1();
    no_elements.cores.iter_mut().for_each(|row| row.universe.clear());
    assert!(drawn(&no_elements, 80).starts_with("Nothing to show"));
    let no_properties = RunResult { elements: set_1().elements, ..RunResult::default() };
    assert!(drawn(&no_properties, 0).starts_with("Nothing"));
}

#[test]
fn hostile_names_neither_break_lines_nor_move_the_cursor() {
    let text = drawn(&hostile(), 60);
    assert!(text.chars().all(|character| character == '\n' || !character.is_control()));
    snapshot("hostile_text", &text);
}

#[test]
fn csv_is_quoted_and_runs_nothing() {
    let text = csv::matrix(&hostile());
    assert!(text.ends_with("\r\n"));
    let records = parse(&text);
    assert_eq!(records.len(), 1 + HOSTILE.len());
    let guarded = |name: &str| {
        let guard = if name.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
        format!("{guard}{}", printable(name))
    };
    let names: Vec<String> = HOSTILE.iter().map(|name| guarded(name)).collect();
    assert_eq!(records[0][4..], names);
    for (number, record) in records.iter().skip(1).enumerate() {
        assert_eq!(record.len(), 4 + HOSTILE.len());
        assert_eq!(record[0], names[number]);
        assert_eq!(record[1..4], ["proved", "1", "yes"]);
        for (column, cell) in record[4..].iter().enumerate() {
            let needed = column == number || HOSTILE[column] == "+1";
            assert_eq!(cell, if needed { "must" } else { "" }, "row {number}, column {column}");
        }
        assert!(record.iter().all(|field| !field.starts_with(['=', '+', '-', '@'])));
    }
}

/// A reader for RFC 4180, written from its grammar.
fn parse(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let (mut record, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\r' if !quoted && characters.peek() == Some(&'\n') => {
                characters.next();
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            other => field.push(other),
        }
    }
    assert!(!quoted && field.is_empty() && record.is_empty(), "the last line is complete");
    records
}
