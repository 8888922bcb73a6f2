//! A run as a small table: one line per signal, time from left to right, as in a waveform viewer.
//!
//! Only what changes is shown, and a value that stays is a dot. What does not fit is left out and said to be.

use crate::reads;
use crate::table::{Align, Cell, Palette, Table, Tone};
use propcov_ir::{Bits, ElementId, ElementKind, Origin, Signal, SignalId, System, Trace, Value, decimal};
use std::collections::HashSet;

/// A signal by name, and its value in each step.
pub(crate) type Row = (String, Vec<Value>);

/// The widest table, in characters.
const WIDTH: usize = 100;
/// The most lines.
const ROWS: usize = 24;
/// The longest value, in characters.
const VALUE: usize = 18;

/// The table of a run, each line with the given start. The signals given come first, wires among them only for a run of the design as it is.
pub(crate) fn render(
    system: &System,
    trace: &Trace,
    first: &[SignalId],
    start: &str,
    palette: Palette,
) -> String {
    let mut signals = values(system, trace);
    let choices: HashSet<&str> = system
        .signals()
        .iter()
        .filter(|signal| is_choice(signal))
        .map(|signal| signal.name.as_str())
        .collect();
    signals.retain(|(name, _)| !choices.contains(name.as_str()));
    let wires = reads::wires(system, first);
    let by_step = reads::wire_values(system, &wires, &trace.steps).unwrap_or_default();
    let mut important = Vec::new();
    for signal in first {
        let name = &system.signal(*signal).name;
        if let Some(at) = wires.iter().position(|wire| wire == signal) {
            let values: Vec<Value> = by_step.iter().filter_map(|step| step.get(at).cloned()).collect();
            if !values.is_empty() {
                important.push((name.clone(), values));
            }
        } else if let Some(at) = signals.iter().position(|(other, _)| other == name) {
            important.push(signals.remove(at));
        }
    }
    rows(important, signals, trace.steps.len(), start, palette)
}

/// Whether this is an input that a front end made for what the text leaves open, such as `next(x) := {a, b}`. What it
/// chooses is the value of x in the next step.
pub(crate) fn is_choice(signal: &Signal) -> bool {
    signal.origin == Origin::Choice
}

/// The table of these signals, each line with the given start. The important ones come first, and are shown whether they change
/// or not.
pub(crate) fn rows(
    important: Vec<Row>,
    others: Vec<Row>,
    steps: usize,
    start: &str,
    palette: Palette,
) -> String {
    rows_as(important, others, steps, start, palette, short)
}

/// The same, with values written in another way. An important row without values is a heading.
pub(crate) fn rows_as(
    important: Vec<Row>,
    others: Vec<Row>,
    steps: usize,
    start: &str,
    palette: Palette,
    write: fn(&Value) -> String,
) -> String {
    let signals = Signals::new(important, others, steps, write);
    let mut text = signals.table(start, palette);
    let left_out = signals.changing.len().saturating_sub(signals.rows);
    if left_out > 0 {
        text.push_str(&format!("{start}… and {left_out} more that change\n"));
    }
    text.push_str(&signals.constants(start));
    text
}

/// The values of inputs, states and freed wires by step.
pub(crate) fn values(system: &System, trace: &Trace) -> Vec<Row> {
    let name = |signal: &SignalId| system.signal(*signal).name.clone();
    let inputs = system.inputs().iter().enumerate().map(|(position, signal)| {
        (name(signal), trace.steps.iter().filter_map(|step| step.inputs.get(position).cloned()).collect())
    });
    // What `pre` of Lustre keeps is the value of a variable in the step before.
    let kept = system.states().iter().enumerate().filter(|(_, signal)| !reads::is_memory(system, **signal));
    let states = kept.map(|(position, signal)| {
        (name(signal), trace.steps.iter().filter_map(|step| step.states.get(position).cloned()).collect())
    });
    let freed = trace.steps.first().into_iter().flat_map(|step| step.free.keys()).map(|element| {
        let values = trace.steps.iter().filter_map(|step| step.free.get(element).cloned());
        (wire_label(system, *element), values.collect())
    });
    inputs.chain(states).chain(freed).collect()
}

/// What the wire of an element is called in tables. That of a bit of a register carries what the bit becomes in the next step.
pub(crate) fn wire_label(system: &System, element: ElementId) -> String {
    let element = system.element(element);
    match element.kind {
        ElementKind::Register => format!("next {}", element.name),
        _ => element.name.clone(),
    }
}

/// What is shown, and how.
struct Signals {
    changing: Vec<Row>,
    /// How many of them are shown.
    rows: usize,
    constant: Vec<(String, Value)>,
    steps: usize,
    write: fn(&Value) -> String,
}

impl Signals {
    fn new(important: Vec<Row>, others: Vec<Row>, steps: usize, write: fn(&Value) -> String) -> Signals {
        let rows = ROWS.max(important.len());
        let mut signals = Signals { changing: important, rows, constant: Vec::new(), steps, write };
        for (name, mut values) in others {
            if values.windows(2).any(|pair| pair[0] != pair[1]) {
                signals.changing.push((name, values));
            } else if let Some(value) = values.pop() {
                signals.constant.push((name, value));
            }
        }
        signals
    }

    fn table(&self, start: &str, palette: Palette) -> String {
        if self.changing.is_empty() {
            return String::new();
        }
        let rows: Vec<(&str, Vec<String>)> = self
            .changing
            .iter()
            .take(self.rows)
            .map(|(name, values)| (name.as_str(), changes(values, self.write)))
            .collect();
        let shown = self.shown_steps(start, &rows);
        let mut columns = vec![Align::Left];
        columns.extend(shown.iter().map(|_| Align::Right));
        let mut table = Table::new(columns);
        let heading = shown.iter().map(|step| step.map_or("…".to_owned(), |step| step.to_string()));
        table.row(std::iter::once("step".to_owned()).chain(heading).map(Into::into).collect());
        for ((name, changes), (_, values)) in rows.iter().zip(&self.changing) {
            if changes.is_empty() {
                table.row(vec![Cell::toned(*name, Tone::Strong)]);
                continue;
            }
            let mut cells = vec![(*name).to_owned()];
            let mut after_gap = false;
            for step in &shown {
                cells.push(match step {
                    None => "…".to_owned(),
                    // A dot would refer to a step that is not shown.
                    Some(step) if after_gap => (self.write)(&values[*step]),
                    Some(step) => changes[*step].clone(),
                });
                after_gap = step.is_none();
            }
            table.row(cells.into_iter().map(Into::into).collect());
        }
        table.render(start, palette)
    }

    /// The steps that fit, with a gap (`None`) where some do not: the end says most, the beginning comes next.
    fn shown_steps(&self, start: &str, rows: &[(&str, Vec<String>)]) -> Vec<Option<usize>> {
        let length = |text: &str| text.chars().count();
        let width = |step: usize| {
            let values = rows.iter().filter_map(|(_, values)| values.get(step));
            let widest = values.map(|value| length(value)).max().unwrap_or(0);
            widest.max(step.to_string().len()) + 2
        };
        let names = rows.iter().map(|(name, _)| length(name)).max().unwrap_or(0).max(4);
        let available = WIDTH.saturating_sub(length(start) + names);
        let widths: Vec<usize> = (0..self.steps).map(width).collect();
        if widths.iter().sum::<usize>() <= available {
            return (0..self.steps).map(Some).collect();
        }
        // The step after the gap shows all values in full.
        let available = available.saturating_sub(3 + VALUE + 2);
        let (mut front, mut back, mut used) = (0, self.steps, 0);
        while front < back {
            let next = if front * 2 < self.steps - back { front } else { back - 1 };
            if used + widths[next] > available {
                break;
            }
            used += widths[next];
            if next == front { front += 1 } else { back -= 1 }
        }
        let back = back.min(self.steps - 1);
        (0..front).map(Some).chain([None]).chain((back..self.steps).map(Some)).collect()
    }

    /// What stays the same all along, in one line.
    fn constants(&self, start: &str) -> String {
        if self.constant.is_empty() {
            return String::new();
        }
        let always = match (self.changing.is_empty(), self.steps) {
            (true, _) => "values",
            (false, 1) => "others",
            (false, _) => "always",
        };
        let mut line = format!("{start}{always}:");
        for (position, (name, value)) in self.constant.iter().enumerate() {
            let entry = format!(" {name}={}", (self.write)(value));
            if line.chars().count() + entry.chars().count() > WIDTH - 16 {
                line.push_str(&format!(" … and {} more", self.constant.len() - position));
                break;
            }
            line.push_str(&entry);
        }
        line.push('\n');
        line
    }
}

/// Each value where it changes, and dots where it stays.
fn changes(values: &[Value], write: fn(&Value) -> String) -> Vec<String> {
    let text = |(step, value): (usize, &Value)| {
        if step > 0 && values[step - 1] == *value { ".".to_owned() } else { write(value) }
    };
    values.iter().enumerate().map(text).collect()
}

/// A value in a few characters: bit-vectors of more than one bit are hexadecimal, reals are decimals where that is exact.
pub(crate) fn short(value: &Value) -> String {
    let text = match value {
        Value::Bits(bits) => hexadecimal(bits),
        Value::Real(value) => decimal(value),
        Value::Array(array) => {
            let elements: String = array
                .elements()
                .map(|(index, value)| format!("{}:{} ", short(index), short(value)))
                .collect();
            format!("[{elements}else:{}]", short(array.default_value()))
        }
        other => other.to_string(),
    };
    cut(text)
}

/// A text in at most as many characters as a value may have.
pub(crate) fn cut(text: String) -> String {
    if text.chars().count() <= VALUE {
        return text;
    }
    text.chars().take(VALUE - 1).chain(['…']).collect()
}

fn hexadecimal(bits: &Bits) -> String {
    let digits = bits.width().div_ceil(4);
    let digit = |position: u32| {
        let value = (0..4).filter(|bit| bits.bit(position * 4 + bit)).map(|bit| 1 << bit).sum::<u32>();
        char::from_digit(value, 16).unwrap_or('?')
    };
    (0..digits).rev().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::Step;

    /// A word that counts, and inputs of one bit: input n changes in step n + 1, if there is one.
    fn example(inputs: usize, steps: usize) -> String {
        let mut system = System::new();
        for input in 0..inputs {
            system.add_input(format!("input{input}"), propcov_ir::Sort::BOOL);
        }
        system.add_state("count", propcov_ir::Sort::BitVec(12));
        let step = |step: usize| Step {
            inputs: (0..inputs).map(|input| Value::bool(step > input)).collect(),
            states: vec![Value::Bits(Bits::from_u64(12, 5 * step as u64))],
            ..Step::default()
        };
        let trace = Trace { steps: (0..steps).map(step).collect() };
        render(&system, &trace, &[], "  ", Palette { coloured: false })
    }

    #[test]
    fn a_short_trace_is_shown_whole() {
        let expected = "  step      0    1    2\n  input0    0    1    .\n  count   000  005  00a\n";
        assert_eq!(example(1, 3), expected);
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
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{table}");
        let steps: Vec<&str> = lines[0].split_whitespace().collect();
        assert_eq!((steps[1], steps.last()), ("0", Some(&"299")), "{table}");
        let gap = steps.iter().position(|step| *step == "…").expect("a gap");
        let inputs: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!((inputs[gap], inputs[gap + 1], inputs[gap + 2]), ("…", "1", "."), "{table}");
    }

    #[test]
    fn signals_and_values_that_do_not_fit_are_counted_or_cut() {
        let table = example(40, 50);
        assert!(table.contains("… and 17 more that change"), "{table}");
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        let wide = short(&Value::Bits(Bits::ones(400)));
        assert_eq!(wide.chars().count(), VALUE);
        assert!(wide.ends_with('…'));
    }
}
