//! The matrix for people at a terminal.
//!
//! Properties are rows, as in the thesis's Figures 6.3 and 6.4, if that fits the width; if not, elements are. What no property needs, and what none is known to need, is listed below
//! in any case: so it may leave a matrix with more rows than were asked for, which then says so. Below are also the keys, where names of properties are too long to head a column, and
//! the meaning of the signs that occur.

use crate::model::{Mark, Row, Traceability};
use crate::terminal::{Style, columns, pieces, printable};
use crate::text::ALL;
use crate::text::grid::{Grid, Heading};
use crate::words::{plural, shown};
use propcov_result::RunResult;

/// What the list of elements is called of which it is not known whether anything needs them.
const OPEN: &str = "In no core that was found, perhaps needed";

/// What is said of an empty matrix.
const NOTHING: &str = "Nothing to show: no properties, or no elements in question.";

/// How much of it is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixOptions {
    /// Whether the properties' own equations are always shown like other elements. Each property needs its own, so that is rarely worth a line; where another
    /// property rests on it, it is shown in any case.
    pub own_equations: bool,
    /// At most so many elements of each list below the matrix are named.
    pub unused: usize,
    /// Where elements are rows, at most so many; a matrix with more is not drawn.
    pub rows: usize,
}

impl Default for MatrixOptions {
    fn default() -> MatrixOptions {
        MatrixOptions { own_equations: false, unused: usize::MAX, rows: usize::MAX }
    }
}

/// The matrix, its legend, and the elements that no property needs.
pub fn matrix(result: &RunResult, options: &MatrixOptions, style: &Style) -> String {
    drawn(&Traceability::new(result), options, style)
}

/// The same of a matrix that is at hand.
pub(super) fn drawn(traceability: &Traceability<'_>, options: &MatrixOptions, style: &Style) -> String {
    let is_shown = |element: &u32| options.own_equations || !goes_without_saying(traceability, *element);
    let shown: Vec<u32> = traceability.elements.iter().copied().filter(is_shown).collect();
    let (unused, open) = (traceability.unused(), traceability.open());
    let is_used = |element: &u32| ![&unused, &open].iter().any(|list| list.binary_search(element).is_ok());
    let used: Vec<u32> = shown.iter().copied().filter(is_used).collect();
    let rows: Vec<&Row<'_>> = traceability.rows().collect();
    let mut text = String::new();
    let visible = picture(traceability, &rows, [&shown, &used], options, style.width, &mut text);
    text.push_str(&legend(&rows, &visible, style.width));
    for (title, elements) in [(needless(traceability), &unused), (OPEN.to_owned(), &open)] {
        if !rows.is_empty() && !elements.is_empty() {
            text.push_str(&list(&title, traceability, elements, options.unused, style.width));
        }
    }
    if shown.len() < traceability.elements.len() {
        text.push('\n');
        text.push_str(&sentence(
            &left_out(traceability, traceability.elements.len() - shown.len()),
            style.width,
        ));
    }
    if text.is_empty() { sentence(NOTHING, style.width) } else { text }
}

/// A sentence, in as many lines as it takes.
fn sentence(text: &str, width: usize) -> String {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    pieces(&words, width, 0)
}

/// Whether an element is a property's own equation, and no other property is known to rest on it.
fn goes_without_saying(traceability: &Traceability<'_>, element: u32) -> bool {
    let rests_on_it = |row: &Row<'_>| !row.own().contains(&element) && row.mark(element).is_used();
    traceability.is_own_equation(element) && !traceability.properties.iter().any(rests_on_it)
}

/// Draws the matrix in the first way that fits, and returns the elements that are in it.
fn picture(
    traceability: &Traceability<'_>,
    rows: &[&Row<'_>],
    [shown, used]: [&[u32]; 2],
    options: &MatrixOptions,
    width: usize,
    text: &mut String,
) -> Vec<u32> {
    if rows.is_empty() || shown.is_empty() {
        return Vec::new();
    }
    let grid = by_property(traceability, rows, shown);
    if grid.fits(width) {
        text.push_str(&grid.draw(width));
        return shown.to_vec();
    }
    if shown.len() <= options.rows {
        text.push_str(&by_element(traceability, rows, shown, width));
        return shown.to_vec();
    }
    if used.len() > options.rows {
        text.push_str(&sentence(&format!("Not shown: it would have {} rows; {ALL}.", shown.len()), width));
        return Vec::new();
    }
    let left_out = plural(shown.len() - used.len(), "element", "elements");
    let note = format!("Without {left_out} in no core that was found: see below.");
    text.push_str(&sentence(&note, width));
    if !used.is_empty() {
        text.push_str(&by_element(traceability, rows, used, width));
    }
    used.to_vec()
}

fn by_property(traceability: &Traceability<'_>, rows: &[&Row<'_>], elements: &[u32]) -> Grid {
    Grid {
        heading: Heading::Names(
            elements.iter().map(|&element| printable(&traceability.name(element))).collect(),
        ),
        rows: rows
            .iter()
            .map(|row| {
                (printable(row.name), elements.iter().map(|&element| row.mark(element).symbol()).collect())
            })
            .collect(),
    }
}

/// With names of properties above the columns; with keys if these are too long; with numbers from top to bottom if there are too many.
fn by_element(traceability: &Traceability<'_>, rows: &[&Row<'_>], elements: &[u32], width: usize) -> String {
    let marks = |element: u32| rows.iter().map(|row| row.mark(element).symbol()).collect();
    let mut grid = Grid {
        heading: Heading::Names(rows.iter().map(|row| printable(row.name)).collect()),
        rows: elements
            .iter()
            .map(|&element| (printable(&traceability.name(element)), marks(element)))
            .collect(),
    };
    if grid.fits(width) {
        return grid.draw(width);
    }
    grid.heading = Heading::Names((1..=rows.len()).map(|number| format!("P{number}")).collect());
    let mut prefix = "P";
    if !grid.fits(width) {
        grid.heading = Heading::Numbers(rows.len());
        prefix = "";
    }
    let key_width = columns(prefix) + rows.len().to_string().len();
    let key = |(number, row): (usize, &&Row<'_>)| {
        format!("{:>key_width$} = {}", format!("{prefix}{}", number + 1), printable(row.name))
    };
    let keys: Vec<String> = rows.iter().enumerate().map(key).collect();
    in_columns(&keys, width) + "\n" + &grid.draw(width)
}

/// Entries in as many columns as fit, to be read from top to bottom.
fn in_columns(entries: &[String], width: usize) -> String {
    let entry_width = entries.iter().map(|entry| columns(entry)).max().unwrap_or(0) + 3;
    let lines = entries.len().div_ceil((width / entry_width).max(1)).max(1);
    let mut text = String::new();
    for line in 0..lines {
        let mut content = String::new();
        for entry in entries.iter().skip(line).step_by(lines) {
            content.push_str(entry);
            content.push_str(&" ".repeat(entry_width - columns(entry)));
        }
        text.push_str(content.trim_end());
        text.push('\n');
    }
    text
}

/// The signs that occur and what they mean.
fn legend(rows: &[&Row<'_>], elements: &[u32], width: usize) -> String {
    let occurs =
        |mark: &Mark| rows.iter().any(|row| elements.iter().any(|&element| row.mark(element) == *mark));
    let marks: Vec<Mark> = Mark::ALL.into_iter().filter(occurs).collect();
    if marks.is_empty() {
        return String::new();
    }
    let last = marks.len() - 1;
    let entry = |(position, mark): (usize, &Mark)| {
        let separator = if position == last { "" } else { ";" };
        format!("{} = {}{separator}", mark.symbol(), mark.meaning())
    };
    let entries: Vec<String> = marks.iter().enumerate().map(entry).collect();
    format!("\n{}", pieces(&fitting(entries, width), width, 0))
}

/// The pieces, with those taken apart that do not fit by themselves.
fn fitting(pieces: Vec<String>, width: usize) -> Vec<String> {
    let words = |piece: String| match columns(&piece) <= width {
        true => vec![piece],
        false => piece.split(' ').map(str::to_owned).collect(),
    };
    pieces.into_iter().flat_map(words).collect()
}

/// What the list of elements is called that nothing needs.
fn needless(traceability: &Traceability<'_>) -> String {
    let all_hold = traceability.properties.iter().all(|row| row.known.holds);
    match (traceability.properties.as_slice(), traceability.others, all_hold) {
        (_, 0, true) => "Needed by no property".to_owned(),
        (_, 0, false) => "Needed by no property that holds".to_owned(),
        ([only], _, _) => format!("Not needed by {}", printable(only.name)),
        (_, _, true) => "Needed by none of these properties".to_owned(),
        (_, _, false) => "Needed by none of these properties that hold".to_owned(),
    }
}

fn list(title: &str, traceability: &Traceability<'_>, elements: &[u32], most: usize, width: usize) -> String {
    let most = shown(elements.len(), most);
    let last = elements.len() - 1;
    let entry = |(position, &element): (usize, &u32)| {
        let separator = if position == last { "" } else { "," };
        format!("{}{separator}", printable(&traceability.name(element)))
    };
    let mut entries = vec![format!("{title} ({}):", elements.len())];
    entries.extend(elements.iter().enumerate().take(most).map(entry));
    if elements.len() > most {
        entries.push(format!("and {} more;", elements.len() - most));
        entries.extend(ALL.split(' ').map(str::to_owned));
    }
    format!("\n{}", pieces(&fitting(entries, width.saturating_sub(2)), width, 2))
}

/// Own equations that are not shown; so many elements.
fn left_out(traceability: &Traceability<'_>, count: usize) -> String {
    let is_hidden = |element: &u32| goes_without_saying(traceability, *element);
    let owners = traceability.properties.iter().filter(|row| row.own().iter().any(is_hidden)).count();
    let equations = if owners == 1 { "property's own equation" } else { "properties' own equations" };
    match (owners, count) {
        (1, 1) => format!("The {equations} is not shown."),
        (owners, count) if owners < count => format!("Parts of the {equations} are not shown ({count})."),
        _ => format!("The {equations} are not shown ({count})."),
    }
}
