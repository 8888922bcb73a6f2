//! Counterexamples in the BTOR2 witness format, which `btorsim` replays.
//!
//! After `sat` and the property (`b0` is the first `bad` line) each step has a part `#k` with values of states and a part
//! `@k` with values of inputs, one `number value name` a line; a dot ends it. Only states that the model leaves open are
//! listed: all without `init` in the first step, and all without `next` in every step. An array has a line per index,
//! `number [index] value`; as `btorsim` does, `[*]` stands for all other indices of an array state.

use crate::{
    InputError, WitnessError,
    text::{Input, decimal},
};
use propcov_ir::{ArrayValue, Bits, SignalKind, Sort, System, Trace, Value};
use std::ops::Range;

/// An array input with another default than zero lists every index, as long as they are at most 2 to this power.
const LISTED_WIDTH: u32 = 16;

/// A counterexample as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Which `bad` lines are reached.
    pub bads: Vec<usize>,
    /// The steps.
    pub frames: Vec<Frame>,
}

/// One step of a witness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Values of states.
    pub states: Vec<Assignment>,
    /// Values of inputs.
    pub inputs: Vec<Assignment>,
}

/// The value of a state or input, or of one index of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Its position among the states or inputs.
    pub position: usize,
    /// The index of an array.
    pub index: Option<Index>,
    /// The value.
    pub value: Bits,
}

/// The index of an array that gets a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// This one.
    At(Bits),
    /// All that have no value of their own.
    Others,
}

/// The witness that a trace of a system is for the `bad`-th of its BTOR2 model's `bad` lines.
pub fn counterexample(system: &System, bad: usize, trace: &Trace) -> Result<String, WitnessError> {
    if trace.steps.is_empty() {
        return Err(WitnessError::Empty);
    }
    let mut text = format!("sat\nb{bad}\n");
    for (step, values) in trace.steps.iter().enumerate() {
        let arity = |what, expected, found| WitnessError::Arity { step, what, expected, found };
        let (states, inputs) = (system.states(), system.inputs());
        if states.len() != values.states.len() {
            return Err(arity("states", states.len(), values.states.len()));
        }
        if inputs.len() != values.inputs.len() {
            return Err(arity("inputs", inputs.len(), values.inputs.len()));
        }
        let mut part = String::new();
        for (position, (state, value)) in states.iter().zip(&values.states).enumerate() {
            let signal = system.signal(*state);
            let open = match signal.kind {
                SignalKind::State { init, next } => {
                    if step == 0 {
                        init.is_none()
                    } else {
                        next.is_none()
                    }
                }
                _ => false,
            };
            if open {
                let place = Place { step, position, name: &signal.name, mark: '#' };
                place.push(&mut part, value)?;
            }
        }
        if step == 0 || !part.is_empty() {
            text.push_str(&format!("#{step}\n{part}"));
        }
        text.push_str(&format!("@{step}\n"));
        for (position, (input, value)) in inputs.iter().zip(&values.inputs).enumerate() {
            let place = Place { step, position, name: &system.signal(*input).name, mark: '@' };
            place.push(&mut text, value)?;
        }
    }
    text.push_str(".\n");
    Ok(text)
}

/// What a value belongs to.
struct Place<'s> {
    step: usize,
    position: usize,
    name: &'s str,
    mark: char,
}

impl Place<'_> {
    fn push(&self, text: &mut String, value: &Value) -> Result<(), WitnessError> {
        match value {
            Value::Bits(bits) => self.line(text, "", &bits.to_string()),
            Value::Array(array) => self.array(text, array)?,
            _ => return Err(self.inexpressible(value)),
        }
        Ok(())
    }

    fn line(&self, text: &mut String, index: &str, value: &str) {
        let Place { step, position, name, mark } = self;
        text.push_str(&format!("{position} {index}{value} {name}{mark}{step}\n"));
    }

    fn array(&self, text: &mut String, array: &ArrayValue) -> Result<(), WitnessError> {
        let default = array.default_value();
        if self.mark == '#' {
            self.line(text, "[*] ", &default.to_string());
        } else if *default != Value::zero(&array.sort().element) {
            let Sort::BitVec(width @ ..=LISTED_WIDTH) = array.sort().index else {
                return Err(self.inexpressible(&Value::Array(array.clone())));
            };
            for index in (0..1 << width).map(|index| Bits::from_u64(width, index)) {
                self.line(text, &format!("[{index}] "), &array.read(&index.clone().into()).to_string());
            }
            return Ok(());
        }
        for (index, value) in array.elements() {
            self.line(text, &format!("[{index}] "), &value.to_string());
        }
        Ok(())
    }

    fn inexpressible(&self, value: &Value) -> WitnessError {
        WitnessError::Value { step: self.step, signal: self.name.to_owned(), value: value.to_string() }
    }
}

/// Reads a witness back; the path is only used in error messages.
pub fn parse(path: &str, bytes: &[u8]) -> Result<Witness, InputError> {
    let input = Input::new(path, bytes);
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        lines.push(start..at);
        start = at + 1;
    }
    let missing = |expected: &str| {
        input.error(bytes.len()..bytes.len(), format!("expected {expected}, found the end of the file"))
    };
    let mut lines = lines.into_iter();
    let status = lines.next().ok_or_else(|| missing("`sat`"))?;
    if &bytes[status.clone()] != b"sat" {
        return Err(input.error(status, "expected `sat`"));
    }
    let properties = lines.next().ok_or_else(|| missing("the properties"))?;
    let bads = input.words(properties).map(|word| {
        let number = bytes[word.clone()].strip_prefix(b"b").and_then(decimal);
        let number = number.ok_or_else(|| input.error(word, "expected `b` and a number"))?;
        Ok(number as usize)
    });
    let mut witness = Witness { bads: bads.collect::<Result<_, InputError>>()?, frames: Vec::new() };
    let mut in_states = true;
    for line in lines {
        let text = &bytes[line.clone()];
        let frames = witness.frames.len() as u64;
        match text {
            b"." => return Ok(witness),
            [b'#', number @ ..] if decimal(number) == Some(frames) => {
                witness.frames.push(Frame::default());
                in_states = true;
            }
            // Inputs of the frame that its states have begun, or of one without states.
            [b'@', number @ ..] if decimal(number).is_some_and(|n| n == frames || n + 1 == frames) => {
                if decimal(number) == Some(frames) {
                    witness.frames.push(Frame::default());
                }
                in_states = false;
            }
            _ => {
                let assignment = assignment(input, line.clone())?;
                let Some(frame) = witness.frames.last_mut() else {
                    return Err(input.error(line, "expected `#0` or `@0`"));
                };
                if in_states { frame.states.push(assignment) } else { frame.inputs.push(assignment) }
            }
        }
    }
    Err(missing("`.`"))
}

fn assignment(input: Input<'_>, line: Range<usize>) -> Result<Assignment, InputError> {
    let mut words = input.words(line.clone());
    let expected = || input.error(line.clone(), "expected `number value` or `number [index] value`");
    let bits = |word: &[u8]| {
        let bits = word.iter().rev().map(|byte| match byte {
            b'0' => Some(false),
            b'1' => Some(true),
            _ => None,
        });
        bits.collect::<Option<Vec<bool>>>().filter(|bits| !bits.is_empty()).map(Bits::from_bits)
    };
    let mut word = || words.next().map(|word| &input.bytes[word]);
    let position = word().and_then(decimal).ok_or_else(expected)? as usize;
    let mut value = word().ok_or_else(expected)?;
    let mut index = None;
    if let [b'[', inner @ .., b']'] = value {
        index = Some(match inner {
            b"*" => Index::Others,
            _ => Index::At(bits(inner).ok_or_else(expected)?),
        });
        value = word().ok_or_else(expected)?;
    }
    Ok(Assignment { position, index, value: bits(value).ok_or_else(expected)? })
}
