//! Workbooks. For audits ([`workbook_with`]): *Audit*, see [`crate::audit`], then *Findings*, then the sheets of the matrix where there are cores.
//!
//! The matrix as a workbook, for reviews ([`workbook`]): four sheets.
//!
//! 1. *Matrix*: properties × elements, with names of elements turned upright. Headings stay in view. Marks differ by their word and by their fill, so that neither
//!    colours nor their absence mislead. Below is the legend.
//! 2. *Cores*: one core on a line, each element in a cell of its own.
//! 3. *Elements*: where each is written, and which properties use it.
//! 4. *Unused*: those that no property needs.
//!
//! Every name is written as text, never as a formula. The same matrix gives the same bytes: the date of creation is fixed.
//!
//! A sheet has 16,384 columns. A matrix with more elements than that is written with elements as rows.

use crate::material::Material;
use crate::model::{Mark, Row, Traceability};
use crate::terminal::printable;
use crate::{audit, csv};
use propcov_result::{CoreSet, Minimality, RunResult};
use rust_xlsxwriter::{
    Color, DocProperties, ExcelDateTime, Format, FormatAlign, FormatBorder, Workbook, Worksheet, XlsxError,
};

/// Why there is no workbook.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A sheet has 1,048,576 rows and 16,384 columns.
    #[error("a sheet has no room for {rows} rows and {columns} columns")]
    TooLarge {
        /// Rows that would be needed.
        rows: usize,
        /// Columns that would be needed.
        columns: usize,
    },
    /// The library that writes workbooks gave up.
    #[error("cannot write the workbook: {0}")]
    Writer(#[from] XlsxError),
}

const COLUMNS: usize = 16_384;
const ROWS: usize = 1_048_576;
/// A cell has room for 32,767 characters.
const CELL: usize = 32_000;

/// The workbook as the bytes of a file.
pub fn workbook(result: &RunResult) -> Result<Vec<u8>, Error> {
    let traceability = &Traceability::new(result);
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
    let properties =
        DocProperties::new().set_title(cut(traceability.design())).set_creation_datetime(&created);
    workbook.set_properties(&properties);
    matrix(traceability, workbook.add_worksheet())?;
    cores(traceability, workbook.add_worksheet())?;
    elements(traceability, workbook.add_worksheet())?;
    unused(traceability, workbook.add_worksheet())?;
    Ok(workbook.save_to_buffer()?)
}

/// The workbook for audits: what was done, on what, and what rests on which evidence; properties and findings; and of cores the matrix.
///
/// # Errors
/// When a sheet has no room, which takes more than a million findings.
pub fn workbook_with(result: &RunResult, material: &Material) -> Result<Vec<u8>, Error> {
    let traceability = &Traceability::new(result);
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(
        &DocProperties::new().set_title(cut(traceability.design())).set_creation_datetime(&created),
    );
    let rows = audit::rows(result, material);
    sheet(workbook.add_worksheet(), "Audit", &audit::COLUMNS, rows.iter().map(|row| row.as_slice()))?;
    let findings: Vec<[String; 21]> =
        result.findings.iter().map(|finding| csv::fields(result, finding)).collect();
    if !findings.is_empty() {
        let rows = findings.iter().map(|row| row.as_slice());
        sheet(workbook.add_worksheet(), "Findings", &csv::COLUMNS, rows)?;
    }
    if !result.cores.is_empty() {
        matrix(traceability, workbook.add_worksheet())?;
        cores(traceability, workbook.add_worksheet())?;
        elements(traceability, workbook.add_worksheet())?;
        unused(traceability, workbook.add_worksheet())?;
    }
    Ok(workbook.save_to_buffer()?)
}

/// A sheet with a heading that stays in view and can be filtered by. Control characters are shown as escapes.
fn sheet<'r>(
    sheet: &mut Worksheet,
    name: &str,
    titles: &[&str],
    rows: impl Iterator<Item = &'r [String]>,
) -> Result<(), Error> {
    sheet.set_name(name)?;
    headings(sheet, titles)?;
    let mut widths = titles.iter().map(|title| title.chars().count()).collect::<Vec<_>>();
    let (mut end, plain) = (0, Format::new());
    for (at, row) in rows.enumerate() {
        end = at + 1;
        for (column, content) in row.iter().enumerate().filter(|(_, content)| !content.is_empty()) {
            widths[column] = widths[column].max(content.chars().take(60).count());
            write(sheet, end, column, &printable(content), &plain)?;
        }
    }
    for (column, width) in widths.iter().enumerate() {
        let (_, column) = Cell { row: 0, column }.address()?;
        sheet.set_column_width(column, *width as f64 + 2.0)?;
    }
    let (last, columns) = Cell { row: end, column: titles.len().saturating_sub(1) }.address()?;
    sheet.autofilter(0, 0, last, columns)?;
    Ok(())
}

/// A place in a sheet.
#[derive(Clone, Copy)]
struct Cell {
    row: usize,
    column: usize,
}

impl Cell {
    fn address(self) -> Result<(u32, u16), Error> {
        let error =
            || Error::TooLarge { rows: self.row.saturating_add(1), columns: self.column.saturating_add(1) };
        if self.row >= ROWS || self.column >= COLUMNS {
            return Err(error());
        }
        Ok((u32::try_from(self.row).map_err(|_| error())?, u16::try_from(self.column).map_err(|_| error())?))
    }
}

fn write(
    sheet: &mut Worksheet,
    row: usize,
    column: usize,
    content: &str,
    format: &Format,
) -> Result<(), Error> {
    let (row, column) = Cell { row, column }.address()?;
    sheet.write_string_with_format(row, column, cut(content), format)?;
    Ok(())
}

fn number(sheet: &mut Worksheet, row: usize, column: usize, value: usize) -> Result<(), Error> {
    let (row, column) = Cell { row, column }.address()?;
    sheet.write_number(row, column, value as f64)?;
    Ok(())
}

fn cut(content: &str) -> String {
    match content.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", &content[..end]),
        None => content.to_owned(),
    }
}

fn heading() -> Format {
    Format::new().set_bold().set_align(FormatAlign::Bottom)
}

fn upright() -> Format {
    heading().set_rotation(90).set_align(FormatAlign::Center)
}

/// Word and fill of a mark; what is not needed has neither.
fn style(mark: Mark) -> (&'static str, Format) {
    let plain = Format::new().set_align(FormatAlign::Center).set_border(FormatBorder::Thin);
    let plain = plain.set_border_color(Color::RGB(0x00D0_D0D0));
    match mark {
        Mark::Must => ("MUST", plain.set_bold().set_background_color(Color::RGB(0x0066_A866))),
        Mark::May => ("may", plain.set_background_color(Color::RGB(0x00CF_E8CF))),
        Mark::Core => ("core", plain.set_background_color(Color::RGB(0x00CF_DDF2))),
        Mark::Unused => ("", plain),
        Mark::Unknown => ("?", plain.set_background_color(Color::RGB(0x00FF_E699))),
        Mark::NoProof => ("-", plain.set_background_color(Color::RGB(0x00E0_E0E0))),
    }
}

/// Columns in front of the marks.
const FACTS: usize = 4;

fn matrix(traceability: &Traceability<'_>, sheet: &mut Worksheet) -> Result<(), Error> {
    sheet.set_name("Matrix")?;
    if traceability.elements.len() + FACTS > COLUMNS {
        return transposed(traceability, sheet);
    }
    for (column, title) in ["property", "verdict", "cores", "complete"].iter().enumerate() {
        write(sheet, 0, column, title, &heading())?;
    }
    for (column, element) in traceability.elements.iter().enumerate() {
        write(sheet, 0, FACTS + column, &traceability.name(*element), &upright())?;
    }
    let mut end = 1;
    for row in traceability.rows() {
        write(sheet, end, 0, row.name, &heading())?;
        write(sheet, end, 1, row.verdict.name(), &Format::new())?;
        number(sheet, end, 2, row.known.cores.len())?;
        write(sheet, end, 3, if row.known.complete { "yes" } else { "no" }, &Format::new())?;
        for (column, element) in traceability.elements.iter().enumerate() {
            marked(sheet, end, FACTS + column, row.mark(*element))?;
        }
        end += 1;
    }
    sheet.set_freeze_panes(1, 1)?;
    sheet.set_column_width(0, width_of(traceability.rows().map(|row| row.name)))?;
    for column in 0..traceability.elements.len() {
        let (_, column) = Cell { row: 0, column: FACTS + column }.address()?;
        sheet.set_column_width(column, 6)?;
    }
    legend(sheet, end + 1)
}

/// Elements as rows, for designs with more elements than a sheet has columns.
fn transposed(traceability: &Traceability<'_>, sheet: &mut Worksheet) -> Result<(), Error> {
    write(sheet, 0, 0, "element", &heading())?;
    for (column, row) in traceability.rows().enumerate() {
        write(sheet, 0, column + 1, row.name, &upright())?;
    }
    for (position, element) in traceability.elements.iter().enumerate() {
        write(sheet, position + 1, 0, &traceability.name(*element), &heading())?;
        for (column, row) in traceability.rows().enumerate() {
            marked(sheet, position + 1, column + 1, row.mark(*element))?;
        }
    }
    sheet.set_freeze_panes(1, 1)?;
    sheet.set_column_width(
        0,
        width_of(traceability.names(&traceability.elements).iter().map(String::as_str)),
    )?;
    legend(sheet, traceability.elements.len() + 2)
}

fn marked(sheet: &mut Worksheet, row: usize, column: usize, mark: Mark) -> Result<(), Error> {
    let (word, format) = style(mark);
    if word.is_empty() {
        let (row, column) = Cell { row, column }.address()?;
        sheet.write_blank(row, column, &format)?;
        return Ok(());
    }
    write(sheet, row, column, word, &format)
}

fn legend(sheet: &mut Worksheet, from: usize) -> Result<(), Error> {
    for (position, mark) in Mark::ALL.into_iter().enumerate() {
        marked(sheet, from + position, 0, mark)?;
        write(sheet, from + position, 1, mark.meaning(), &Format::new())?;
    }
    Ok(())
}

fn cores(traceability: &Traceability<'_>, sheet: &mut Worksheet) -> Result<(), Error> {
    sheet.set_name("Cores")?;
    headings(sheet, &["property", "what", "size", "elements"])?;
    let mut line = 1;
    for row in traceability.rows() {
        for (what, elements) in sets(row) {
            write(sheet, line, 0, row.name, &Format::new())?;
            write(sheet, line, 1, &what, &Format::new())?;
            number(sheet, line, 2, elements.len())?;
            members(traceability, &elements, sheet, line)?;
            line += 1;
        }
    }
    sheet.set_column_width(0, width_of(traceability.rows().map(|row| row.name)))?;
    sheet.set_column_width(1, 28)?;
    Ok(())
}

/// Each element in a cell; how many are left where the sheet ends.
fn members(
    traceability: &Traceability<'_>,
    elements: &[u32],
    sheet: &mut Worksheet,
    row: usize,
) -> Result<(), Error> {
    let room = COLUMNS - 3 - 1;
    for (column, &element) in elements.iter().take(room).enumerate() {
        write(sheet, row, 3 + column, &traceability.name(element), &Format::new())?;
    }
    if elements.len() > room {
        write(sheet, row, 3 + room, &format!("and {} more", elements.len() - room), &Format::new())?;
    }
    Ok(())
}

/// The sets of elements that are known of a property, in words.
fn sets(row: &Row<'_>) -> Vec<(String, Vec<u32>)> {
    let title = |(position, core): (usize, &CoreSet)| {
        let number = position + 1;
        let title = match core.minimal {
            Minimality::Minimal => format!("minimal core {number}"),
            Minimality::Unchecked => format!("core {number}"),
            Minimality::Undecided => format!("core {number}, minimality undecided"),
        };
        (title, core.elements.clone())
    };
    let known = row.known;
    let mut sets: Vec<(String, Vec<u32>)> = known.cores.iter().enumerate().map(title).collect();
    sets.extend(known.minimum.iter().map(|minimum| (String::from("smallest core"), minimum.clone())));
    for (name, mark) in [("in every core", Mark::Must), ("in some minimal core, not all", Mark::May)] {
        let elements = row.with(mark);
        if !elements.is_empty() {
            sets.push((name.to_owned(), elements));
        }
    }
    let bounded = known.by_depth.iter();
    sets.extend(
        bounded.map(|core| (format!("bounded core, up to depth {}", core.depth), core.up_to.clone())),
    );
    sets
}

fn elements(traceability: &Traceability<'_>, sheet: &mut Worksheet) -> Result<(), Error> {
    sheet.set_name("Elements")?;
    let places = ["element", "kind", "file", "line", "column", "end line", "end column"];
    let users = ["in every core of", "in some core of", "in the core found of", "not known for"];
    headings(sheet, &[places.as_slice(), users.as_slice()].concat())?;
    for (position, element) in traceability.elements.iter().enumerate() {
        place(traceability, *element, sheet, position + 1)?;
        for (column, mark) in [Mark::Must, Mark::May, Mark::Core, Mark::Unknown].into_iter().enumerate() {
            let users: Vec<&str> = traceability
                .properties
                .iter()
                .filter(|row| row.mark(*element) == mark)
                .map(|row| row.name)
                .collect();
            if !users.is_empty() {
                write(sheet, position + 1, places.len() + column, &users.join(", "), &Format::new())?;
            }
        }
    }
    sheet.set_freeze_panes(1, 1)?;
    sheet.set_column_width(
        0,
        width_of(traceability.names(&traceability.elements).iter().map(String::as_str)),
    )?;
    Ok(())
}

fn unused(traceability: &Traceability<'_>, sheet: &mut Worksheet) -> Result<(), Error> {
    sheet.set_name("Unused")?;
    headings(sheet, &["element", "kind", "file", "line", "column", "end line", "end column"])?;
    let unused = traceability.unused();
    for (position, &element) in unused.iter().enumerate() {
        place(traceability, element, sheet, position + 1)?;
    }
    sheet.set_freeze_panes(1, 1)?;
    sheet.set_column_width(0, width_of(traceability.names(&unused).iter().map(String::as_str)))?;
    Ok(())
}

/// Name, kind and source of an element.
fn place(
    traceability: &Traceability<'_>,
    element: u32,
    sheet: &mut Worksheet,
    row: usize,
) -> Result<(), Error> {
    write(sheet, row, 0, &traceability.name(element), &heading())?;
    let Some(element) = traceability.element(element) else { return Ok(()) };
    write(sheet, row, 1, &element.kind, &Format::new())?;
    if let Some(place) = element.places.first() {
        write(sheet, row, 2, &place.file, &Format::new())?;
        for (column, value) in
            [place.line, place.column, place.end_line, place.end_column].into_iter().enumerate()
        {
            number(sheet, row, 3 + column, value as usize)?;
        }
    }
    Ok(())
}

fn headings(sheet: &mut Worksheet, titles: &[&str]) -> Result<(), Error> {
    for (column, title) in titles.iter().enumerate() {
        write(sheet, 0, column, title, &heading())?;
    }
    sheet.set_freeze_panes(1, 0)?;
    Ok(())
}

/// Wide enough for the names, within reason.
fn width_of<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    names.map(|name| name.chars().count()).max().unwrap_or(0).clamp(10, 60) as f64 + 2.0
}
