//! The first line of a file: how many parts of each kind follow, and whether they can.

use super::{Encoding, scan::Scanner};
use crate::InputError;
use std::ops::Range;

/// Binary files have no bytes for inputs: a header of 20 bytes may declare 2^31 of them. Those that anything refers to
/// cannot be more than the bytes that follow; and this many more we take for inputs which nothing refers to.
const UNUSED_INPUTS: usize = 1 << 16;

/// The numbers of the header.
pub(super) struct Header {
    pub(super) max_variable: u32,
    pub(super) inputs: usize,
    pub(super) latches: usize,
    pub(super) outputs: usize,
    pub(super) ands: usize,
    pub(super) bads: usize,
    pub(super) constraints: usize,
    pub(super) justice: usize,
    pub(super) fairness: usize,
}

/// Reads the header, and checks it against the bytes that follow.
pub(super) fn header(scan: &mut Scanner<'_>) -> Result<(Encoding, Header), InputError> {
    let encoding = match &scan.input.bytes[scan.input.word_at(0)] {
        b"aag" => Encoding::Ascii,
        b"aig" => Encoding::Binary,
        _ => return Err(scan.expected("`aag` or `aig`")),
    };
    scan.at = 3;
    const FIELDS: [&str; 9] = [
        "the maximum variable",
        "the number of inputs",
        "the number of latches",
        "the number of outputs",
        "the number of gates",
        "the number of bad states",
        "the number of constraints",
        "the number of justice properties",
        "the number of fairness constraints",
    ];
    let mut numbers = [0; 9];
    let mut ranges: [Range<usize>; 9] = Default::default();
    for (index, field) in FIELDS.into_iter().enumerate() {
        if index >= 5 && scan.peek() == Some(b'\n') {
            break;
        }
        scan.space(field)?;
        (numbers[index], ranges[index]) = scan.number(field)?;
    }
    scan.newline("the header")?;
    let [max_variable, inputs, latches, outputs, ands, bads, constraints, justice, fairness] = numbers;
    let error = |field: usize, message: String| Err(scan.error(ranges[field].clone(), message));
    if max_variable > u32::MAX >> 1 {
        return error(0, "the maximum variable is too large: literals must be below 2^32".to_owned());
    }
    let defined = [inputs, latches, ands].into_iter().map(u64::from).sum::<u64>();
    let fits = match encoding {
        Encoding::Ascii => defined <= u64::from(max_variable),
        Encoding::Binary => defined == u64::from(max_variable),
    };
    if !fits {
        let at_least = if encoding == Encoding::Ascii { "at least " } else { "" };
        let sum = format!("{inputs} inputs, {latches} latches and {ands} gates");
        let message =
            format!("expected a maximum variable of {at_least}{defined} for {sum}, found {max_variable}");
        return error(0, message);
    }
    // The least number of bytes that one part of each kind takes.
    let sizes = match encoding {
        Encoding::Ascii => [0, 2, 4, 2, 6, 2, 2, 2, 2],
        Encoding::Binary => [0, 0, 2, 2, 2, 2, 2, 2, 2],
    };
    let remaining = scan.remaining();
    for (field, size) in sizes.into_iter().enumerate() {
        if numbers[field] as usize * size > remaining {
            let message = format!(
                "{} is {}, but only {remaining} bytes follow the header",
                FIELDS[field], numbers[field]
            );
            return error(field, message);
        }
    }
    if encoding == Encoding::Binary && inputs as usize > remaining + UNUSED_INPUTS {
        let message = format!(
            "the number of inputs is {inputs}, but the {remaining} bytes after the header cannot refer to so many"
        );
        return error(1, message);
    }
    let header = Header {
        max_variable,
        inputs: inputs as usize,
        latches: latches as usize,
        outputs: outputs as usize,
        ands: ands as usize,
        bads: bads as usize,
        constraints: constraints as usize,
        justice: justice as usize,
        fairness: fairness as usize,
    };
    Ok((encoding, header))
}
