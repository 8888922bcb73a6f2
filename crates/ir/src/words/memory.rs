//! Arrays as tables: a multiplexer tree reads, a decoder writes.

use super::{BitAlgebra, Unsupported, Word, mux};

/// The element at an index: each bit of the index halves the table.
pub(super) fn read<A: BitAlgebra>(
    algebra: &mut A,
    table: &[Word<A::Bit>],
    index: &[A::Bit],
) -> Result<Word<A::Bit>, Unsupported> {
    // The most significant bit comes first: it picks one contiguous half, and a known bit discards the other for free.
    let mut table = table.to_vec();
    for bit in index.iter().rev() {
        let half = table.len() / 2;
        table = match algebra.known(bit) {
            Some(true) => table.split_off(half),
            Some(false) => {
                table.truncate(half);
                table
            }
            None => {
                let (low, high) = table.split_at(half);
                low.iter().zip(high).map(|(low, high)| mux(algebra, bit, high, low)).collect()
            }
        };
    }
    table.pop().ok_or_else(|| Unsupported::Operator("read of an empty array".to_owned()))
}

/// The table with one element replaced.
pub(super) fn write<A: BitAlgebra>(
    algebra: &mut A,
    table: &[Word<A::Bit>],
    index: &[A::Bit],
    value: &Word<A::Bit>,
) -> Result<Word<A::Bit>, Unsupported> {
    let selected = decode(algebra, index);
    let entries = table.iter().zip(&selected).map(|(old, selected)| mux(algebra, selected, value, old));
    Ok(Word::Table(entries.collect()))
}

/// For each index, whether it is the one given. Built bit by bit, so that prefixes are shared.
fn decode<A: BitAlgebra>(algebra: &mut A, index: &[A::Bit]) -> Vec<A::Bit> {
    let mut selected = vec![algebra.constant(true)];
    for bit in index {
        let not = algebra.not(bit);
        let low: Vec<_> = selected.iter().map(|prefix| algebra.and(prefix, &not)).collect();
        let high: Vec<_> = selected.iter().map(|prefix| algebra.and(prefix, bit)).collect();
        selected = low;
        selected.extend(high);
    }
    selected
}
