//! The words of a file, as the lexer of a language finds them. Reading never fails: what begins no word becomes one of a kind of its own.

use logos::Logos;
use std::ops::Range;

/// All words with their places, and one for the end after the last.
pub(crate) fn words<'b, T>(bytes: &'b [u8], unknown: &T, end: T) -> Vec<(T, Range<usize>)>
where
    T: Logos<'b, Source = [u8]> + Clone + PartialEq,
    T::Extras: Default,
{
    let mut lexer = T::lexer(bytes);
    let mut words: Vec<(T, Range<usize>)> = Vec::new();
    while let Some(word) = lexer.next() {
        let (word, place) = (word.unwrap_or_else(|_| unknown.clone()), lexer.span());
        match words.last_mut() {
            // Bytes of one letter of another alphabet stay together, so that a message can show it.
            Some((last, before))
                if *last == *unknown
                    && word == *unknown
                    && before.end == place.start
                    && bytes[place.start] & 0xc0 == 0x80 =>
            {
                before.end = place.end;
            }
            _ => words.push((word, place)),
        }
    }
    words.push((end, bytes.len()..bytes.len()));
    words
}
