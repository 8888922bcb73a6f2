//! Values of several signals in one string, where all of them are bit-vectors: most designs are, and traces are long.

use crate::error::Malformed;
use crate::record::Row;
use crate::value::{bits_from_text, value_from_json, value_to_json};
use propcov_ir::{SignalId, SignalKind, Sort, System, Value};

/// The values of signals with these sorts.
pub(crate) fn row(sorts: &[Sort], values: &[&Value]) -> Row {
    if sorts.iter().all(|sort| sort.width().is_some()) {
        return Row::Bits(values.iter().map(ToString::to_string).collect());
    }
    Row::Values(values.iter().map(|value| value_to_json(value)).collect())
}

/// The values that were written.
pub(crate) fn values(sorts: &[Sort], row: &Row) -> Result<Vec<Value>, Malformed> {
    let values = match row {
        Row::Bits(text) => split(sorts, text)?,
        Row::Values(values) => values.iter().map(value_from_json).collect::<Result<_, _>>()?,
    };
    let fits =
        values.len() == sorts.len() && values.iter().zip(sorts).all(|(value, sort)| value.has_sort(sort));
    if fits { Ok(values) } else { Err(Malformed::new("values do not fit the design's signals")) }
}

/// The values of one signal in several steps.
pub(crate) fn sequence(sort: &Sort, values: &[Value]) -> Row {
    row(&vec![sort.clone(); values.len()], &values.iter().collect::<Vec<_>>())
}

/// The values that were written.
pub(crate) fn sequence_values(sort: &Sort, row: &Row) -> Result<Vec<Value>, Malformed> {
    let count = match row {
        Row::Bits(text) => text.len() / sort.width().unwrap_or(1).max(1) as usize,
        Row::Values(values) => values.len(),
    };
    values(&vec![sort.clone(); count], row)
}

fn split(sorts: &[Sort], text: &str) -> Result<Vec<Value>, Malformed> {
    let mut rest = text;
    let mut values = Vec::with_capacity(sorts.len());
    for sort in sorts {
        let width = sort.width().map_or(0, |width| width as usize);
        let Some((bits, after)) = rest.split_at_checked(width) else {
            return Err(Malformed::new(format!("`{text}` has too few bits for the design's signals")));
        };
        values.push(Value::Bits(bits_from_text(bits)?));
        rest = after;
    }
    if rest.is_empty() {
        Ok(values)
    } else {
        Err(Malformed::new(format!("`{text}` has too many bits for the design's signals")))
    }
}

/// Some of a list of signals: the others' values are ignored, so they are not written, and read as zero.
pub(crate) struct Columns {
    all: Vec<Sort>,
    positions: Vec<usize>,
    sorts: Vec<Sort>,
}

impl Columns {
    pub(crate) fn new(
        system: &System,
        signals: &[SignalId],
        wanted: impl Fn(&SignalKind) -> bool,
    ) -> Columns {
        let all: Vec<Sort> = signals.iter().map(|signal| system.signal(*signal).sort.clone()).collect();
        let positions: Vec<usize> =
            (0..signals.len()).filter(|position| wanted(&system.signal(signals[*position]).kind)).collect();
        let sorts = positions.iter().map(|position| all[*position].clone()).collect();
        Columns { all, positions, sorts }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    pub(crate) fn write(&self, values: &[Value]) -> Row {
        let wanted: Vec<&Value> =
            self.positions.iter().filter_map(|position| values.get(*position)).collect();
        row(&self.sorts, &wanted)
    }

    pub(crate) fn read(&self, row: &Row) -> Result<Vec<Value>, Malformed> {
        let read = values(&self.sorts, row)?;
        if self.positions.len() == self.all.len() {
            return Ok(read);
        }
        let mut all: Vec<Value> = self.all.iter().map(Value::zero).collect();
        for (position, value) in self.positions.iter().zip(read) {
            all[*position] = value;
        }
        Ok(all)
    }
}
