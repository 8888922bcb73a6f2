//! Which element of one design is which of another, where somebody has edited the file between.
//!
//! Lines move, names that have their place change with them, statements are duplicated, deleted, renamed. Elements are paired in four passes, each among those that are left, in the order
//! of the design: same name and text; same text of the same kind in the same instance (a statement that was moved); same name; and the same text up to the element's own name (it was renamed). In the last
//! two, only what is the only one on both sides is paired: what could be several things is none of them, but removed and added.

use crate::identity::Texts;
use crate::{Element, RunResult};
use std::collections::{BTreeMap, BTreeSet};

/// What an element goes by in one pass; `None`: it takes no part.
type Key = Option<Vec<String>>;

/// A result, with the texts of its design as far as they are at hand.
#[derive(Clone, Copy)]
pub(crate) struct Side<'r, 't> {
    /// The result.
    pub(crate) result: &'r RunResult,
    /// The texts of its files.
    pub(crate) texts: Texts<'t>,
}

/// What is known of an element.
struct Known<'e> {
    element: &'e Element,
    lines: Option<String>,
    piece: Option<String>,
}

impl Known<'_> {
    /// Whether its name is its own, and not shared with other statements about the same signal.
    fn has_own_name(&self) -> bool {
        self.element.stem() == self.element.name
    }

    fn with_text(&self) -> Key {
        let element = self.element;
        let (lines, piece) = (self.lines.clone().unwrap_or_default(), self.piece.clone().unwrap_or_default());
        Some(vec![element.kind.clone(), element.stem().to_owned(), lines, piece])
    }

    fn moved(&self) -> Key {
        let element = self.element;
        let (lines, piece) = (self.lines.clone()?, self.piece.clone()?);
        // What is declared in one line with others has their text, too: its name tells it from them.
        (!self.has_own_name()).then(|| vec![element.kind.clone(), element.scope.clone(), lines, piece])
    }

    fn called(&self) -> Key {
        Some(vec![self.element.kind.clone(), self.element.stem().to_owned()])
    }

    fn renamed(&self) -> Key {
        let element = self.element;
        let name = element.stem().rsplit('.').next().unwrap_or_default();
        let lines = without_word(self.lines.as_deref()?, name);
        let piece = without_word(self.piece.as_deref()?, name);
        // A text that does not have the name says nothing about it.
        lines.contains('\0').then(|| vec![element.kind.clone(), element.scope.clone(), lines, piece])
    }
}

/// A text in which a name is left open.
fn without_word(text: &str, name: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut plain = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        plain.push_str(if word == name && !name.is_empty() { "\0" } else { &word });
        word.clear();
        if c != '\n' {
            plain.push(c);
        }
    }
    plain
}

fn known<'r>(side: Side<'r, '_>) -> Vec<Known<'r>> {
    let of = |element: &'r Element| Known {
        element,
        lines: element.lines(side.texts),
        piece: element.piece(side.texts),
    };
    side.result.elements.iter().map(of).collect()
}

/// What elements are compared by, and whether each has to be the only one.
type Pass = (fn(&Known<'_>) -> Key, bool);

/// Pairs of positions: an element before and now. What is on one side only is in no pair.
pub(crate) fn aligned(old: Side<'_, '_>, new: Side<'_, '_>) -> Vec<(usize, usize)> {
    let (old, new) = (known(old), known(new));
    let (mut left_old, mut left_new): (BTreeSet<usize>, BTreeSet<usize>) =
        ((0..old.len()).collect(), (0..new.len()).collect());
    let mut pairs = Vec::new();
    let passes: [Pass; 4] = [
        (|one| one.with_text(), false),
        (|one| one.moved(), false),
        (|one| one.called(), true),
        (|one| one.renamed(), true),
    ];
    for (key, must_be_alone) in passes {
        let mut groups: BTreeMap<Vec<String>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for at in &left_old {
            if let Some(key) = key(&old[*at]) {
                groups.entry(key).or_default().0.push(*at);
            }
        }
        for at in &left_new {
            if let Some(key) = key(&new[*at]) {
                groups.entry(key).or_default().1.push(*at);
            }
        }
        for (before, now) in groups.into_values() {
            if must_be_alone && (before.len() != 1 || now.len() != 1) {
                continue;
            }
            for (before, now) in before.into_iter().zip(now) {
                left_old.remove(&before);
                left_new.remove(&now);
                pairs.push((before, now));
            }
        }
    }
    pairs.sort_by_key(|(_, now)| *now);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_left_open_as_a_whole_word_only() {
        assert_eq!(without_word("a <= aa + a;", "a"), "\0 <= aa + \0;");
        assert_eq!(without_word("x", ""), "x");
        assert_eq!(without_word("", "a"), "");
    }
}
