//! The binary format of GTKWave, by `fst-writer`.

use super::{Column, Dump, INTEGER, Visit, exact};
use ::vcd::VarType;
use fst_writer::{
    FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType,
};
use propcov_ir::Value;
use std::io;

/// The bytes of the file.
///
/// # Errors
/// If a value would have to be text.
pub(super) fn write(dump: &Dump<'_>) -> io::Result<Vec<u8>> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -9,
        version: concat!("propcov ", env!("CARGO_PKG_VERSION")).to_owned(),
        // The same runs give the same bytes.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut writer = FstHeaderWriter::write_to_mem(&info).map_err(io::Error::other)?;
    let mut signals: Vec<Vec<Option<FstSignalId>>> = Vec::new();
    for (scope, root, columns) in &dump.scopes {
        let mut of_run = vec![None; columns.len()];
        writer.scope(scope, "", FstScopeType::Module).map_err(io::Error::other)?;
        root.walk(&mut |visit| {
            match visit {
                Visit::Enter(name) => {
                    writer.scope(name, "", FstScopeType::Module).map_err(io::Error::other)?;
                }
                Visit::Leave => writer.up_scope().map_err(io::Error::other)?,
                Visit::Variable(name, column) => {
                    let (signal, kind) = declared(name, &columns[column])?;
                    let signal = writer.var(name, signal, kind, FstVarDirection::Implicit, None);
                    of_run[column] = Some(signal.map_err(io::Error::other)?);
                }
            }
            Ok(())
        })?;
        writer.up_scope().map_err(io::Error::other)?;
        signals.push(of_run);
    }
    let mut writer = writer.finish().map_err(io::Error::other)?;
    for step in 0..dump.steps {
        writer.time_change(step as u64).map_err(io::Error::other)?;
        for ((_, _, columns), signals) in dump.scopes.iter().zip(&signals) {
            for (column, signal) in columns.iter().zip(signals) {
                let (Some(value), Some(signal)) = (column.changed(step), signal) else { continue };
                writer.signal_change(*signal, &bytes(value)).map_err(io::Error::other)?;
            }
        }
    }
    // Without an end the last step, the one that matters, would have no width.
    writer.time_change(dump.steps as u64).map_err(io::Error::other)?;
    Ok(writer.finish().map_err(io::Error::other)?.into_inner())
}

fn declared(name: &str, column: &Column) -> io::Result<(FstSignalType, FstVarType)> {
    Ok(match column.kind {
        VarType::Integer => (FstSignalType::bit_vec(INTEGER), FstVarType::Integer),
        VarType::Real => (FstSignalType::real(), FstVarType::Real),
        VarType::Reg => (FstSignalType::bit_vec(column.width), FstVarType::Reg),
        VarType::String => {
            return Err(io::Error::other(format!(
                "FST has no text for the values of {name}; VCD has (.vcd)"
            )));
        }
        _ => (FstSignalType::bit_vec(column.width), FstVarType::Wire),
    })
}

/// Bits as characters, and floats as they are.
fn bytes(value: &Value) -> Vec<u8> {
    let digit = |bit: bool| if bit { b'1' } else { b'0' };
    match value {
        Value::Bits(bits) => (0..bits.width()).rev().map(|index| digit(bits.bit(index))).collect(),
        Value::Int(number) => {
            let number = i64::try_from(number).unwrap_or_default();
            (0..INTEGER).rev().map(|bit| digit(number >> bit & 1 == 1)).collect()
        }
        Value::Real(number) => exact(number).unwrap_or_default().to_le_bytes().to_vec(),
        _ => Vec::new(),
    }
}
