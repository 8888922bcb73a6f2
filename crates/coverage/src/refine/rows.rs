//! Sets of pairs of states as rows of bits, and numbers for their members, so that what is kept for each pair takes as much memory as there are pairs.

/// A row of bits for each state of the implementation, with a bit for each state of the specification. Bits beyond the last state are never set.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    /// So many empty rows of so many bits.
    pub(super) fn new(rows: usize, columns: usize) -> Rows {
        let words = columns.div_ceil(64);
        Rows { words, bits: vec![0; rows * words] }
    }

    /// Words in a row.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn row(&self, row: u32) -> &[u64] {
        &self.bits[row as usize * self.words..(row as usize + 1) * self.words]
    }

    pub(super) fn row_mut(&mut self, row: u32) -> &mut [u64] {
        &mut self.bits[row as usize * self.words..(row as usize + 1) * self.words]
    }

    pub(super) fn push(&mut self, row: &[u64]) {
        self.bits.extend_from_slice(row);
    }

    pub(super) fn has(&self, row: u32, column: u32) -> bool {
        self.bits[row as usize * self.words + column as usize / 64] >> (column % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, row: u32, column: u32) {
        self.bits[row as usize * self.words + column as usize / 64] |= 1 << (column % 64);
    }

    pub(super) fn remove(&mut self, row: u32, column: u32) {
        self.bits[row as usize * self.words + column as usize / 64] &= !(1 << (column % 64));
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.bits)
    }
}

/// The bits of a row that are set.
pub(super) fn ones(row: &[u64]) -> impl Iterator<Item = u32> + '_ {
    row.iter().enumerate().flat_map(|(word, bits)| {
        let mut rest = *bits;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(word as u32 * 64 + bit)
        })
    })
}

/// The bits that two rows share.
pub(super) fn common(left: &[u64], right: &[u64]) -> impl Iterator<Item = u64> {
    left.iter().zip(right).map(|(left, right)| left & right)
}

/// Rows that do not change any more. Each bit that is set has a number, in order.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    rows: Rows,
    /// For each word, how many bits are set before it.
    before: Vec<u32>,
    count: usize,
}

impl Numbered {
    /// Numbers the bits, unless there are too many.
    pub(super) fn new(rows: Rows) -> Option<Numbered> {
        let mut count = 0_usize;
        let mut before = Vec::with_capacity(rows.bits.len());
        for word in &rows.bits {
            before.push(count as u32);
            count += word.count_ones() as usize;
        }
        (count < u32::MAX as usize).then_some(Numbered { rows, before, count })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The number of a bit, if it is set.
    pub(super) fn number(&self, row: u32, column: u32) -> Option<usize> {
        let word = row as usize * self.rows.words + column as usize / 64;
        let (bits, bit) = (self.rows.bits[word], column % 64);
        (bits >> bit & 1 == 1)
            .then(|| self.before[word] as usize + (bits & ((1 << bit) - 1)).count_ones() as usize)
    }

    /// The number that the first bit of a row has.
    pub(super) fn first(&self, row: u32) -> usize {
        self.before.get(row as usize * self.rows.words).map_or(self.count, |before| *before as usize)
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + size_of_val(&*self.before)
    }
}
