//! Models back into files: [`parse`](super::parse) of what is printed here is the model again.

use super::{Latch, Literal, Model, Reset};
use std::fmt::Write;
use thiserror::Error;

/// A model whose variables are not numbered as the binary encoding requires; [`Model::consecutive`] makes them so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the variables are not numbered as the binary encoding requires")]
pub struct NotConsecutive;

/// The text encoding, `aag`.
pub fn print_ascii(model: &Model) -> Vec<u8> {
    let mut text = header("aag", model);
    for input in &model.inputs {
        line(&mut text, [*input]);
    }
    for latch in &model.latches {
        match reset(latch) {
            None => line(&mut text, [latch.current, latch.next]),
            Some(reset) => line(&mut text, [latch.current, latch.next, reset]),
        }
    }
    properties(&mut text, model);
    for and in &model.ands {
        line(&mut text, [and.output, and.left, and.right]);
    }
    finish(text.into_bytes(), model)
}

/// The binary encoding, `aig`.
pub fn print_binary(model: &Model) -> Result<Vec<u8>, NotConsecutive> {
    if !model.is_consecutive() {
        return Err(NotConsecutive);
    }
    let mut text = header("aig", model);
    for latch in &model.latches {
        match reset(latch) {
            None => line(&mut text, [latch.next]),
            Some(reset) => line(&mut text, [latch.next, reset]),
        }
    }
    properties(&mut text, model);
    let mut bytes = text.into_bytes();
    for and in &model.ands {
        delta(&mut bytes, and.output.0 - and.left.0);
        delta(&mut bytes, and.left.0 - and.right.0);
    }
    Ok(finish(bytes, model))
}

/// Sections that are empty at the end of the header are left out: a 1.0 model gives a 1.0 file.
fn header(format: &str, model: &Model) -> String {
    let later = [model.bads.len(), model.constraints.len(), model.justice.len(), model.fairness.len()];
    let shown = later.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
    let counts = [model.inputs.len(), model.latches.len(), model.outputs.len(), model.ands.len()];
    let mut text = format!("{format} {}", model.max_variable);
    for count in counts.iter().chain(&later[..shown]) {
        write(&mut text, format_args!(" {count}"));
    }
    text.push('\n');
    text
}

fn reset(latch: &Latch) -> Option<Literal> {
    match latch.reset {
        Reset::Zero => None,
        Reset::One => Some(Literal::TRUE),
        Reset::Open => Some(latch.current),
    }
}

fn properties(text: &mut String, model: &Model) {
    let simple = [&model.outputs, &model.bads, &model.constraints];
    simple.into_iter().flatten().for_each(|literal| line(text, [*literal]));
    model.justice.iter().for_each(|literals| write(text, format_args!("{}\n", literals.len())));
    model.justice.iter().flatten().chain(&model.fairness).for_each(|literal| line(text, [*literal]));
}

fn finish(mut bytes: Vec<u8>, model: &Model) -> Vec<u8> {
    for symbol in &model.symbols {
        bytes.extend(format!("{}{} {}\n", symbol.kind.letter(), symbol.position, symbol.name).bytes());
    }
    if let Some(comment) = &model.comment {
        bytes.extend(b"c\n");
        bytes.extend(comment);
    }
    bytes
}

fn line<const N: usize>(text: &mut String, literals: [Literal; N]) {
    for (position, literal) in literals.iter().enumerate() {
        write(text, format_args!("{}{}", if position > 0 { " " } else { "" }, literal.0));
    }
    text.push('\n');
}

/// Writing into a string cannot fail.
fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = text.write_fmt(arguments);
    debug_assert!(written.is_ok(), "a string takes everything");
}

/// Seven bits a byte, low ones first; the top bit says that more follow.
fn delta(bytes: &mut Vec<u8>, mut value: u32) {
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
