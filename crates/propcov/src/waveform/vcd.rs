//! A value change dump.

use super::{Column, Dump, INTEGER, Visit, clean, exact};
use ::vcd::{IdCode, TimescaleUnit, VarType, Writer};
use propcov_ir::{Value, decimal};
use std::io;

/// The bytes of the file.
pub(super) fn write(dump: &Dump<'_>, comment: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes);
    writer.version(concat!("propcov ", env!("CARGO_PKG_VERSION")))?;
    // A comment ends at a word that begins with a dollar sign.
    writer.comment(&comment.replace('$', "_"))?;
    writer.timescale(1, TimescaleUnit::NS)?;
    let mut codes: Vec<Vec<Option<IdCode>>> = Vec::new();
    for (scope, root, columns) in &dump.scopes {
        let mut codes_of_run = vec![None; columns.len()];
        writer.add_module(scope)?;
        root.walk(&mut |visit| {
            match visit {
                Visit::Enter(name) => writer.add_module(name)?,
                Visit::Leave => writer.upscope()?,
                Visit::Variable(name, column) => {
                    let Column { kind, width, .. } = columns[column];
                    codes_of_run[column] = Some(writer.add_var(kind, width, name, None)?);
                }
            }
            Ok(())
        })?;
        writer.upscope()?;
        codes.push(codes_of_run);
    }
    writer.enddefinitions()?;
    for step in 0..dump.steps {
        writer.timestamp(step as u64)?;
        for ((_, _, columns), codes) in dump.scopes.iter().zip(&codes) {
            for (column, code) in columns.iter().zip(codes) {
                let (Some(value), Some(code)) = (column.changed(step), code) else { continue };
                change(&mut writer, *code, column.kind, value)?;
            }
        }
    }
    // Without an end the last step, the one that matters, would have no width.
    writer.timestamp(dump.steps as u64)?;
    Ok(bytes)
}

fn change(writer: &mut Writer<&mut Vec<u8>>, code: IdCode, kind: VarType, value: &Value) -> io::Result<()> {
    match value {
        Value::Bits(bits) if bits.width() == 1 => writer.change_scalar(code, bits.bit(0)),
        Value::Bits(bits) => {
            writer.change_vector(code, (0..bits.width()).rev().map(|index| bits.bit(index).into()))
        }
        Value::Int(number) if kind == VarType::Integer => {
            let number = i64::try_from(number).unwrap_or_default();
            writer.change_vector(code, (0..INTEGER).rev().map(|bit| (number >> bit & 1 == 1).into()))
        }
        Value::Real(number) if kind == VarType::Real => {
            writer.change_real(code, exact(number).unwrap_or_default())
        }
        Value::Real(number) => writer.change_string(code, &decimal(number)),
        other => writer.change_string(code, &clean(&other.to_string())),
    }
}
