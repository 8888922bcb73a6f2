//! Counterexamples in the witness format of the hardware model checking competition, which `aigsim` replays.
//!
//! The first line is the status (`1`: the bad state is reachable), the second names the property (`b0` is the first bad
//! state, or the first output in AIGER 1.0), the third has the initial values of the latches, then comes a line of input
//! values per step, and a dot. `x` stands for a value that does not matter.

use super::Model;
use crate::{InputError, WitnessError, text::Input};
use propcov_ir::{Trace, Value};

/// A counterexample as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Which of [`Model::bad_states`] is reached.
    pub bad: usize,
    /// The initial values of the latches; `None` for `x`.
    pub latches: Vec<Option<bool>>,
    /// For each step the values of the inputs; `None` for `x`.
    pub inputs: Vec<Vec<Option<bool>>>,
}

/// The witness that a trace of the model's system is for one of its [bad states](Model::bad_states).
pub fn counterexample(model: &Model, bad: usize, trace: &Trace) -> Result<String, WitnessError> {
    let first = trace.steps.first().ok_or(WitnessError::Empty)?;
    let mut text = format!("1\nb{bad}\n");
    push_bits(&mut text, 0, "states", model.latches.len(), &first.states)?;
    for (step, values) in trace.steps.iter().enumerate() {
        push_bits(&mut text, step, "inputs", model.inputs.len(), &values.inputs)?;
    }
    text.push_str(".\n");
    Ok(text)
}

fn push_bits(
    text: &mut String,
    step: usize,
    what: &'static str,
    expected: usize,
    values: &[Value],
) -> Result<(), WitnessError> {
    if values.len() != expected {
        return Err(WitnessError::Arity { step, what, expected, found: values.len() });
    }
    for (position, value) in values.iter().enumerate() {
        let Some(bit) = value.as_bool() else {
            let signal = format!("{what}[{position}]");
            return Err(WitnessError::Value { step, signal, value: value.to_string() });
        };
        text.push(if bit { '1' } else { '0' });
    }
    text.push('\n');
    Ok(())
}

/// Reads a witness of a model back; the path is only used in error messages.
pub fn parse(path: &str, bytes: &[u8], model: &Model) -> Result<Witness, InputError> {
    let input = Input::new(path, bytes);
    let mut at = 0;
    let mut line = |expected: &str| {
        let rest = &bytes[at..];
        let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
            return Err(input.error(at..bytes.len(), format!("expected {expected} and a newline")));
        };
        let range = at..at + length;
        at += length + 1;
        Ok(range)
    };
    let bits = |range: std::ops::Range<usize>, count: usize, what: &str| {
        let values: Option<Vec<Option<bool>>> = (bytes[range.clone()].iter())
            .map(|byte| match byte {
                b'0' => Some(Some(false)),
                b'1' => Some(Some(true)),
                b'x' => Some(None),
                _ => None,
            })
            .collect();
        let values = values.filter(|values| values.len() == count);
        values.ok_or_else(|| input.error(range, format!("expected {count} values (0, 1 or x) of {what}")))
    };
    let status = line("the status 1")?;
    if &bytes[status.clone()] != b"1" {
        return Err(input.error(status, "expected the status 1"));
    }
    let name = line("a bad state")?;
    let number = bytes[name.clone()].strip_prefix(b"b").and_then(crate::text::decimal);
    let Some(bad) = number.filter(|bad| *bad < model.bad_states().len() as u64) else {
        let count = model.bad_states().len();
        return Err(input.error(name, format!("expected `b` and the number of one of {count} bad states")));
    };
    let latches = bits(line("latches")?, model.latches.len(), "latches")?;
    let mut inputs = Vec::new();
    loop {
        let range = line("inputs or `.`")?;
        if &bytes[range.clone()] == b"." {
            return Ok(Witness { bad: bad as usize, latches, inputs });
        }
        inputs.push(bits(range, model.inputs.len(), "inputs")?);
    }
}
