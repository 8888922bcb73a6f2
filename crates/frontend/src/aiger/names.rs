//! The names of inputs and latches.
//!
//! A symbol is all that is on its line, and may have blanks. Yosys, from which most files with symbols come, writes all names
//! that a bit has in the design: `l27 beat_cnt[0] beats[0]` is one latch with two names. A symbol is taken for such a list
//! if each of its words could be a name, and no other input or latch has one of them: names of bits are unique, and
//! words of sentences or expressions are not, in a file of some size.

use super::{Model, SymbolKind};
use rustc_hash::FxHashMap;

/// The names of the inputs or latches by position: none, or one, or several.
pub(super) fn names(model: &Model, kind: SymbolKind) -> Vec<Vec<&str>> {
    let lists = Lists::new(model);
    let names = model.names(kind).into_iter();
    names
        .map(|name| name.filter(|name| !name.is_empty()).map_or_else(Vec::new, |name| lists.split(name)))
        .collect()
}

struct Lists<'m> {
    /// How often each word occurs; empty if no symbol has several.
    uses: FxHashMap<&'m str, u32>,
}

impl<'m> Lists<'m> {
    fn new(model: &'m Model) -> Lists<'m> {
        let is_signal = |kind| matches!(kind, SymbolKind::Input | SymbolKind::Latch);
        let symbols =
            || model.symbols.iter().filter(|symbol| is_signal(symbol.kind)).map(|symbol| &symbol.name);
        let mut uses = FxHashMap::default();
        if symbols().any(|name| name.contains(' ')) {
            symbols().flat_map(|name| name.split(' ')).for_each(|word| *uses.entry(word).or_insert(0) += 1);
        }
        Lists { uses }
    }

    fn split(&self, name: &'m str) -> Vec<&'m str> {
        let words: Vec<&str> = name.split(' ').collect();
        let is_name = |word: &&str| {
            let starts_well = |c: char| c.is_alphabetic() || "_$\\!".contains(c);
            word.starts_with(starts_well) && self.uses.get(*word) == Some(&1)
        };
        if words.len() > 1 && words.iter().all(is_name) { words } else { vec![name] }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn names_of(symbols: &str) -> Vec<Vec<String>> {
        let text = format!("aag 4 1 3 0 0\n2\n4 2\n6 2\n8 2\n{symbols}");
        let model = parse("test.aag", text.as_bytes()).unwrap_or_else(|error| panic!("{error}")).model;
        let all = [SymbolKind::Input, SymbolKind::Latch].map(|kind| names(&model, kind)).concat();
        all.iter().map(|names| names.iter().map(|name| (*name).to_owned()).collect()).collect()
    }

    #[test]
    fn names_of_one_bit_are_told_apart_from_a_name_with_blanks() {
        let lists = names_of("l0 beat_cnt[0] beats[0]\nl1 !beat_cnt[1] !beats[1]\nl2 $auto \\a.b\ni0 in\n");
        assert_eq!(
            lists,
            [
                vec!["in"],
                vec!["beat_cnt[0]", "beats[0]"],
                vec!["!beat_cnt[1]", "!beats[1]"],
                vec!["$auto", "\\a.b"]
            ]
        );
        let sentences = names_of("i0 x\nl0 pre x\nl1 pre y\nl2 = 4\n");
        assert_eq!(sentences, [["x"], ["pre x"], ["pre y"], ["= 4"]]);
        assert_eq!(names_of("l0 a  b\nl1 c c\n"), [vec![], vec!["a  b"], vec!["c c"], vec![]]);
    }
}
