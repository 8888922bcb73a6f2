//! Values of several signals in one string, where all of them are bit-vectors: most designs are, and traces are long.

use crate::error::Malformed;
use crate::record::Row;
use crate::value::{bits_from_text, value_from_json, value_to_json};
use propcov_ir::{Sort, Value};

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
