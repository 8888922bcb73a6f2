//! A run as a small table: one line per signal, time from left to right, as in a waveform viewer.
//!
//! Only what changes is shown, and what the run is about; a value that stays is a dot. What does not fit is left out and said to be.

use crate::terminal::{Align, Page, Span, Table, columns, printable};
use crate::text::value::{self, Truth, short};
use crate::words::shown;
use propcov_result::{Trace, TraceSignal, TraceSignalKind};

/// The most lines, besides those of signals that are always shown.
const ROWS: usize = 24;
/// The most variables of a dataflow program that are shown whether they change or not.
const VARIABLES: usize = 24;
/// What follows a list of values that is too long for its line.
const MORE: usize = 16;

/// What has to be said below a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Legend {
    /// Some value is in hexadecimal.
    pub(super) words: bool,
    /// Something is not shown.
    pub(super) cut: bool,
    /// Some values are intervals.
    pub(super) ranges: bool,
}

impl Legend {
    /// That of two tables.
    pub(super) fn and(self, other: Legend) -> Legend {
        Legend {
            words: self.words || other.words,
            cut: self.cut || other.cut,
            ranges: self.ranges || other.ranges,
        }
    }

    /// In a sentence.
    pub(super) fn text(self) -> &'static str {
        match (self.words, self.ranges) {
            (true, false) => "Words are hexadecimal; a dot is the value of the step before.",
            (false, false) => "A dot is the value of the step before.",
            (true, true) => {
                "Words are hexadecimal; a dot is as in the step before. Where there is an interval, or * for any value, the value does not matter."
            }
            (false, true) => {
                "A dot is as in the step before. Where there is an interval, or * for any value, the value does not matter."
            }
        }
    }
}

/// A line of the table.
pub(super) enum Row<'t> {
    /// What the lines below are.
    Title(&'static str),
    /// A signal by name.
    Signal { name: String, sort: &'t str, values: &'t [String] },
}

impl<'t> Row<'t> {
    /// A signal in so many steps, by a name.
    pub(super) fn new(name: String, signal: &'t TraceSignal, steps: usize) -> Row<'t> {
        // Where it is known which values do not matter, these are shown.
        let values = if signal.ranges.len() == signal.values.len() { &signal.ranges } else { &signal.values };
        Row::Signal { name, sort: &signal.sort, values: &values[..steps.min(values.len())] }
    }

    fn is_changing(&self) -> bool {
        match self {
            Row::Title(_) => false,
            Row::Signal { values, .. } => values.windows(2).any(|pair| pair[0] != pair[1]),
        }
    }
}

/// Writes the first steps of a run.
pub(super) fn write(trace: &Trace, steps: usize, indent: usize, page: &mut Page) -> Legend {
    let steps = steps.min(trace.steps);
    let ranges = trace.signals.iter().any(|signal| !signal.ranges.is_empty());
    let legend = Legend { ranges, ..Legend::default() };
    if Truth::of(trace) == Truth::Words {
        return legend.and(by_kind(trace, steps, indent, page));
    }
    let (mut focus, mut others) = (Vec::new(), Vec::new());
    for signal in &trace.signals {
        let rows = if signal.focus { &mut focus } else { &mut others };
        rows.push(Row::new(signal.name.clone(), signal, steps));
    }
    legend.and(rows_of(focus, others, steps, Truth::Digits, indent, page))
}

/// A run of a dataflow program, which has variables and no states: by what they are.
fn by_kind(trace: &Trace, steps: usize, indent: usize, page: &mut Page) -> Legend {
    use TraceSignalKind::{Free, Function, Input, Instance, Output, State, Wire};
    let of_kind = |kinds: &[TraceSignalKind]| -> Vec<Row<'_>> {
        let signals = trace.signals.iter().filter(|signal| kinds.contains(&signal.kind));
        signals.map(|signal| Row::new(signal.name.clone(), signal, steps)).collect()
    };
    let groups = [("inputs", Input), ("outputs", Output), ("locals", Wire)];
    let all: usize = groups.iter().map(|(_, kind)| of_kind(&[*kind]).len()).sum();
    let (mut important, mut others) = (Vec::new(), Vec::new());
    for (title, kind) in groups {
        let (shown, rest): (Vec<Row<'_>>, Vec<Row<'_>>) =
            of_kind(&[kind]).into_iter().partition(|row| all <= VARIABLES || row.is_changing());
        if !shown.is_empty() {
            important.push(Row::Title(title));
        }
        important.extend(shown);
        others.extend(rest);
    }
    let instances = of_kind(&[Instance]);
    if others.iter().chain(&instances).any(Row::is_changing) {
        important.push(Row::Title("inlined nodes"));
    }
    others.extend(instances);
    // The choices of a variable that was left open are its values, and stand there already.
    let is_shown = |free: &TraceSignal| {
        trace
            .signals
            .iter()
            .any(|signal| signal.kind != Free && signal.name == free.name && signal.values == free.values)
    };
    let rest = trace.signals.iter().filter(|signal| match signal.kind {
        Free => !is_shown(signal),
        kind => matches!(kind, Function | State),
    });
    others.extend(rest.map(|signal| Row::new(signal.name.clone(), signal, steps)));
    rows_of(important, others, steps, Truth::Words, indent, page)
}

/// Writes rows. The important ones come first, and are shown whether they change or not.
pub(super) fn rows_of(
    important: Vec<Row<'_>>,
    others: Vec<Row<'_>>,
    steps: usize,
    truth: Truth,
    indent: usize,
    page: &mut Page,
) -> Legend {
    let most = ROWS.max(important.len());
    let (changing, constant): (Vec<Row<'_>>, Vec<Row<'_>>) = others.into_iter().partition(Row::is_changing);
    let rows: Vec<Row<'_>> = important.into_iter().chain(changing).collect();
    let count = shown(rows.len(), most);
    let run = Run { rows: &rows[..count], steps, truth };
    let mut legend = run.table(indent, page);
    if count < rows.len() {
        page.say(indent, format!("… and {} more that change", rows.len() - count));
        legend.cut = true;
    }
    let title = match (rows.is_empty(), steps) {
        (true, _) => "values:",
        (false, 1) => "others:",
        (false, _) => "always:",
    };
    legend.and(constants(title, &constant, truth, indent, page))
}

/// Writes what stays the same all along, in one line.
fn constants(title: &str, rows: &[Row<'_>], truth: Truth, indent: usize, page: &mut Page) -> Legend {
    let mut legend = Legend::default();
    let mut entries = Vec::new();
    for row in rows {
        if let Row::Signal { name, sort, values } = row
            && let Some(value) = values.first()
        {
            entries.push((format!("{name}={}", short(sort, value, truth)), value::is_word(sort)));
        }
    }
    if entries.is_empty() {
        return legend;
    }
    let room = page.style().width.saturating_sub(indent + MORE);
    let mut used = columns(title);
    let fits = |(entry, _): &&(String, bool)| {
        used += 1 + columns(&printable(entry));
        used <= room
    };
    let fitting = entries.iter().take_while(fits).count();
    let count = shown(entries.len(), fitting.max(1));
    let mut spans = vec![Span::from(title)];
    for (entry, is_word) in &entries[..count] {
        legend.words |= is_word;
        spans.extend([" ".into(), Span::whole(entry)]);
    }
    if count < entries.len() {
        legend.cut = true;
        spans.push(format!(" … and {} more", entries.len() - count).into());
    }
    page.spans(indent, &spans);
    legend
}

/// What is shown as a table.
struct Run<'r, 't> {
    rows: &'r [Row<'t>],
    steps: usize,
    truth: Truth,
}

impl Run<'_, '_> {
    fn table(&self, indent: usize, page: &mut Page) -> Legend {
        let is_signal = |row: &Row<'_>| matches!(row, Row::Signal { .. });
        if !self.rows.iter().any(is_signal) {
            return Legend::default();
        }
        let steps = self.shown_steps(page.style().width.saturating_sub(indent));
        let mut legend = Legend { cut: steps.contains(&None), ..Legend::default() };
        let heading = |step: &Option<usize>| step.map_or("…".to_owned(), |step| step.to_string());
        let mut titles = vec![("step".to_owned(), Align::Left)];
        titles.extend(steps.iter().map(|step| (heading(step), Align::Right)));
        let mut table = Table::with_headings(&titles);
        for row in self.rows {
            match row {
                Row::Title(title) => table.title(title),
                Row::Signal { name, sort, values } => {
                    legend.words |= value::is_word(sort);
                    table.row(self.cells(name, sort, values, &steps));
                }
            }
        }
        page.table(indent, &table);
        legend
    }

    fn cells(&self, name: &str, sort: &str, values: &[String], steps: &[Option<usize>]) -> Vec<String> {
        let mut cells = vec![name.to_owned()];
        let mut after_gap = false;
        for step in steps {
            cells.push(match step.map(|step| (step, values.get(step))) {
                None => "…".to_owned(),
                Some((_, None)) => String::new(),
                // A dot would refer to a step that is not shown.
                Some((_, Some(value))) if after_gap => short(sort, value, self.truth),
                Some((step, Some(value))) => self.change(sort, values, step, value),
            });
            after_gap = step.is_none();
        }
        cells
    }

    /// The value where it changes, and a dot where it stays.
    fn change(&self, sort: &str, values: &[String], step: usize, value: &String) -> String {
        let is_same = step > 0 && values.get(step - 1) == Some(value);
        if is_same { ".".to_owned() } else { short(sort, value, self.truth) }
    }

    /// The steps that fit, with a gap (`None`) where some do not: the end says most, the beginning comes next.
    fn shown_steps(&self, room: usize) -> Vec<Option<usize>> {
        let (mut names, mut widths) = (columns("step"), vec![0; self.steps]);
        for row in self.rows {
            let Row::Signal { name, sort, values } = row else { continue };
            names = names.max(columns(&printable(name)));
            for (step, value) in values.iter().enumerate().take(self.steps) {
                widths[step] = widths[step].max(columns(&self.change(sort, values, step, value)));
            }
        }
        for (step, width) in widths.iter_mut().enumerate() {
            *width = (*width).max(step.to_string().len()) + 2;
        }
        let available = room.saturating_sub(names.min(room / 2));
        if widths.iter().sum::<usize>() <= available {
            return (0..self.steps).map(Some).collect();
        }
        // The step after the gap shows all values in full.
        let available = available.saturating_sub(3 + value::WIDEST + 2);
        let (mut front, mut back, mut used) = (0, self.steps, 0);
        while front < back {
            let next = if front * 2 < self.steps - back { front } else { back - 1 };
            if used + widths[next] > available {
                break;
            }
            used += widths[next];
            if next == front { front += 1 } else { back -= 1 }
        }
        let back = back.min(self.steps.saturating_sub(1));
        if front + 1 >= back {
            // A gap that hides a single step takes as much room as the step.
            return (0..self.steps).map(Some).collect();
        }
        (0..front).map(Some).chain([None]).chain((back..self.steps).map(Some)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Style;

    /// A word that counts, and inputs of one bit: input n changes in step n + 1, if there is one.
    fn example(inputs: usize, steps: usize) -> String {
        let bit = |value: bool| u8::from(value).to_string();
        let signal = |name: String, kind, sort: &str, values| TraceSignal {
            name,
            kind,
            sort: sort.to_owned(),
            focus: false,
            values,
            ranges: Vec::new(),
        };
        let mut signals: Vec<TraceSignal> = (0..inputs)
            .map(|input| {
                let values = (0..steps).map(|step| bit(step > input)).collect();
                signal(format!("input{input}"), TraceSignalKind::Input, "bitvec 1", values)
            })
            .collect();
        let values = (0..steps).map(|step| format!("{:012b}", 5 * step)).collect();
        signals.push(signal("count".to_owned(), TraceSignalKind::State, "bitvec 12", values));
        let mut page = Page::new(&Style { width: 100, colour: false });
        write(&Trace { steps, signals, shows: None }, steps, 2, &mut page);
        page.finish()
    }

    #[test]
    fn a_short_trace_is_shown_whole() {
        let expected = "  step      0    1    2\n  input0    0    1    .\n  count   000  005  00a\n";
        assert_eq!(example(1, 3), expected);
    }

    #[test]
    fn a_variable_that_was_left_open_is_shown_once() {
        let signal = |kind, sort: &str, values: [&str; 2]| TraceSignal {
            name: "lim".to_owned(),
            kind,
            sort: sort.to_owned(),
            focus: false,
            values: values.map(str::to_owned).to_vec(),
            ranges: Vec::new(),
        };
        let table = |signals| {
            let mut page = Page::new(&Style { width: 100, colour: false });
            write(&Trace { steps: 2, signals, shows: None }, 2, 2, &mut page);
            page.finish()
        };
        let wire = signal(TraceSignalKind::Wire, "int", ["0", "3"]);
        let free = signal(TraceSignalKind::Free, "int", ["0", "3"]);
        assert_eq!(table(vec![wire.clone(), free]).matches("lim").count(), 1);
        let other = signal(TraceSignalKind::Free, "int", ["0", "4"]);
        assert_eq!(table(vec![wire, other]).matches("lim").count(), 2);
    }

    #[test]
    fn what_never_changes_takes_one_line() {
        let expected =
            "  step      0    1\n  input0    0    1\n  count   000  005\n  always: input1=0 input2=0\n";
        assert_eq!(example(3, 2), expected);
        assert_eq!(example(2, 1), "  values: input0=0 input1=0 count=000\n");
    }

    #[test]
    fn a_long_trace_has_a_gap_and_shows_its_end_and_its_beginning() {
        let table = example(2, 300);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines.iter().all(|line| columns(line) <= 100), "{table}");
        let steps: Vec<&str> = lines[0].split_whitespace().collect();
        assert_eq!((steps[1], steps.last()), ("0", Some(&"299")), "{table}");
        let gap = steps.iter().position(|step| *step == "…").expect("a gap");
        let inputs: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!((inputs[gap], inputs[gap + 1], inputs[gap + 2]), ("…", "1", "."), "{table}");
    }

    #[test]
    fn signals_that_do_not_fit_are_counted() {
        let table = example(40, 50);
        assert!(table.contains("… and 17 more that change"), "{table}");
        assert!(table.lines().all(|line| columns(line) <= 100), "{table}");
    }
}
