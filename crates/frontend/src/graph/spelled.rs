//! Texts that are written with escapes: as they are meant, and where their letters are in the file.

use std::ops::Range;

/// A text, and the places of its pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Spelled {
    /// As it is meant.
    pub(super) text: String,
    /// Where pieces that are written as they are meant begin: in the text, and in the file.
    pieces: Vec<(usize, usize)>,
}

impl Spelled {
    /// Appends a piece that is written like this from a place of the file on.
    pub(super) fn push(&mut self, piece: &str, at: usize) {
        let goes_on = self.pieces.last().is_some_and(|(text, file)| file + self.text.len() == at + text);
        if !goes_on {
            self.pieces.push((self.text.len(), at));
        }
        self.text.push_str(piece);
    }

    /// Where a byte of the text is in the file.
    pub(super) fn at(&self, byte: usize) -> usize {
        let next = self.pieces.partition_point(|(text, _)| *text <= byte);
        match next.checked_sub(1).map(|piece| self.pieces[piece]) {
            Some((text, file)) => file + byte - text,
            None => 0,
        }
    }

    /// Where a part of the text is in the file.
    pub(super) fn place(&self, part: &Range<usize>) -> Range<usize> {
        let start = self.at(part.start);
        match part.end > part.start {
            true => start..self.at(part.end - 1) + 1,
            false => start..start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_across_escapes() {
        // `ab\"c` at byte 10.
        let mut spelled = Spelled::default();
        spelled.push("ab", 10);
        spelled.push("\"", 13);
        spelled.push("c", 14);
        assert_eq!(spelled.text, "ab\"c");
        assert_eq!(spelled.place(&(0..2)), 10..12);
        assert_eq!(spelled.place(&(1..4)), 11..15);
        assert_eq!(spelled.place(&(0..4)), 10..15);
        assert_eq!(spelled.pieces.len(), 2);
    }
}
