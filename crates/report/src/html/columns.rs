//! Tables by column, and words by number: what is repeated a thousand times is written once.

use serde::{Serialize, Serializer};
use std::collections::HashMap;

/// Words, each once. The first is empty, and stands for what is missing.
#[derive(Default)]
pub(super) struct Words<'w> {
    numbers: HashMap<&'w str, i64>,
    /// In the order of their numbers.
    pub(super) all: Vec<&'w str>,
}

impl<'w> Words<'w> {
    pub(super) fn new() -> Words<'w> {
        let mut words = Words::default();
        words.number("");
        words
    }

    /// The number of a word.
    pub(super) fn number(&mut self, word: &'w str) -> i64 {
        *self.numbers.entry(word).or_insert_with(|| {
            self.all.push(word);
            self.all.len() as i64 - 1
        })
    }

    /// The same, of one that may be missing.
    pub(super) fn maybe(&mut self, word: Option<&'w str>) -> i64 {
        self.number(word.unwrap_or_default())
    }
}

/// One number for each row. If all are the same, it is written once.
#[derive(Default)]
pub(super) struct Column(pub(super) Vec<i64>);

impl Column {
    pub(super) fn push(&mut self, number: impl TryInto<i64>) {
        self.0.push(number.try_into().unwrap_or(i64::MAX));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [first, rest @ ..] if !rest.is_empty() && rest.iter().all(|other| other == first) => {
                serializer.serialize_i64(*first)
            }
            all => all.serialize(serializer),
        }
    }
}
