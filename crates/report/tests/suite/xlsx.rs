//! Workbooks, read back with another library.

use crate::fixtures::{ASW, HOSTILE, Scope, hostile, large, set_1, set_2, set_3};
use calamine::{Data, Range, Reader, Xlsx};
use propcov_report::xlsx;
use propcov_result::{CoreAtDepth, RunResult};
use std::io::Cursor;

fn open(traceability: &RunResult) -> Xlsx<Cursor<Vec<u8>>> {
    let bytes = xlsx::workbook(traceability).expect("a workbook");
    Xlsx::new(Cursor::new(bytes)).expect("a workbook that another library can read")
}

fn sheet(workbook: &mut Xlsx<Cursor<Vec<u8>>>, name: &str) -> Range<Data> {
    workbook.worksheet_range(name).expect("the sheet")
}

fn text(range: &Range<Data>, row: u32, column: u32) -> String {
    range.get_value((row, column)).map(ToString::to_string).unwrap_or_default()
}

fn line(range: &Range<Data>, row: u32) -> Vec<String> {
    let width = range.end().map_or(0, |(_, column)| column + 1);
    let cells: Vec<String> = (0..width).map(|column| text(range, row, column)).collect();
    let used = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
    cells[..used].to_vec()
}

#[test]
fn the_matrix_of_the_second_property_set() {
    let mut workbook = open(&set_2());
    assert_eq!(workbook.sheet_names(), ["Matrix", "Cores", "Elements", "Unused"]);
    let matrix = sheet(&mut workbook, "Matrix");
    assert_eq!(line(&matrix, 0)[..4], ["property", "verdict", "cores", "complete"]);
    assert_eq!(line(&matrix, 0)[4..], ASW);
    let marks = |row| {
        let line = line(&matrix, row);
        (line[..4].join(" "), line[4..].join(","))
    };
    assert_eq!(marks(1), ("on_p proved 2 yes".to_owned(), "may,may,,,MUST,,MUST".to_owned()));
    assert_eq!(marks(2), ("off_p proved 1 yes".to_owned(), ",,,,,,MUST,MUST".to_owned()));
    assert_eq!(marks(3), ("all_p proved 2 yes".to_owned(), "may,may,,,MUST,,MUST,MUST".to_owned()));
    assert_eq!(line(&matrix, 5), ["MUST", "MUST, in every core"]);
}

#[test]
fn cores_elements_and_unused_elements_have_sheets() {
    let mut set = set_2();
    set.cores[1].by_depth = vec![CoreAtDepth { depth: 3, up_to: vec![6], at: vec![6] }];
    let mut workbook = open(&set);
    let cores = sheet(&mut workbook, "Cores");
    assert_eq!(line(&cores, 1), ["on_p", "minimal core 1", "3", "a1_below", "below", "doi_on"]);
    assert_eq!(line(&cores, 2), ["on_p", "minimal core 2", "3", "a2_below", "below", "doi_on"]);
    assert_eq!(line(&cores, 3)[..2], ["on_p", "smallest core"]);
    assert_eq!(line(&cores, 4), ["on_p", "in every core", "2", "below", "doi_on"]);
    assert_eq!(line(&cores, 5), ["on_p", "in some minimal core, not all", "2", "a1_below", "a2_below"]);
    assert_eq!(line(&cores, 9), ["off_p", "bounded core, up to depth 3", "1", "doi_on"]);
    let elements = sheet(&mut workbook, "Elements");
    let doi_on = ["doi_on", "equation", "asw.lus", "16", "3", "16", "20", "on_p, off_p, all_p"];
    assert_eq!(line(&elements, 7), doi_on);
    assert_eq!(line(&elements, 1)[7..], ["", "on_p, all_p"]);
    let unused = sheet(&mut workbook, "Unused");
    let names: Vec<String> = (1..=4).map(|row| text(&unused, row, 0)).collect();
    assert_eq!(names, ["a1_above", "a2_above", "above_hyst", "d2"]);
    assert_eq!(unused.height(), 5);
}

#[test]
fn names_are_text_and_never_formulas() {
    let mut workbook = open(&hostile());
    let matrix = sheet(&mut workbook, "Matrix");
    // XML 1.0 has no control characters; workbooks have their own escape for them, which not every reader undoes.
    let same = |read: &str, name: &str| read.replace("_x001B_", "\u{1b}") == *name;
    for (number, name) in HOSTILE.iter().enumerate() {
        let number = u32::try_from(number).expect("few");
        let (heading, label) = (text(&matrix, 0, 4 + number), text(&matrix, 1 + number, 0));
        assert!(same(&heading, name) && same(&label, name), "{name:?}: {heading:?}, {label:?}");
    }
    for name in ["Matrix", "Cores", "Elements", "Unused"] {
        let formulas = workbook.worksheet_formula(name).expect("the sheet");
        assert!(formulas.is_empty(), "{name} has formulas");
    }
}

#[test]
fn headings_are_frozen_and_marks_have_fills() {
    let bytes = xlsx::workbook(&set_1()).expect("a workbook");
    let file = |name: &str| {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes.clone())).expect("an archive");
        let file = archive.by_name(name).expect("the file");
        std::io::read_to_string(file).expect("text")
    };
    let sheet = file("xl/worksheets/sheet1.xml");
    assert!(sheet.contains(r#"<pane xSplit="1" ySplit="1""#), "{sheet}");
    let styles = file("xl/styles.xml");
    for fragment in ["66A866", r#"textRotation="90""#] {
        assert!(styles.contains(fragment), "no {fragment} in {styles}");
    }
}

#[test]
fn the_same_matrix_gives_the_same_bytes() {
    let bytes = || xlsx::workbook(&set_2()).expect("a workbook");
    assert_eq!(bytes(), bytes());
}

#[test]
fn sizes_from_nothing_to_more_columns_than_a_sheet_has() {
    assert_eq!(sheet(&mut open(&RunResult::default()), "Unused").height(), 1);
    let mut workbook = open(&large(300, 40, "p"));
    assert_eq!(sheet(&mut workbook, "Matrix").width(), 304);
    let mut huge = set_1();
    let pattern = huge.elements.clone();
    huge.elements = pattern.into_iter().cycle().take(17_000).collect();
    (0..).zip(&mut huge.elements).for_each(|(id, element)| element.id = id);
    huge.cores.iter_mut().for_each(|row| row.universe = (0..17_000).collect());
    huge.cores[0].cores[0].elements = (0..17_000).collect();
    let mut workbook = open(&huge);
    let matrix = sheet(&mut workbook, "Matrix");
    assert_eq!(line(&matrix, 0), ["element", "on_p", "off_p", "all_p"]);
    assert_eq!(line(&matrix, 5), ["below", "MUST", "", "MUST"]);
    let cores = sheet(&mut workbook, "Cores");
    assert_eq!(text(&cores, 1, 16_383), "and 620 more");
}

#[test]
fn what_is_not_known_is_not_unused() {
    // One core of on_p: whether it needs a2_below is open.
    let mut set = set_3(Scope::One);
    set.cores.truncate(1);
    let mut workbook = open(&set);
    let matrix = sheet(&mut workbook, "Matrix");
    assert_eq!(line(&matrix, 1)[4..], ["core", "?", "?", "?", "core", "?", "core", "?", "?"]);
    assert_eq!(sheet(&mut workbook, "Unused").height(), 1, "only the heading");
}
