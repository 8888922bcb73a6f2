//! Names in use: a name that is asked for again gets a suffix.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// What has a name. Names of one kind differ; an element is mostly called as the signal that it defines.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Signal,
    Element,
    Property,
}

/// Names in use, each with the suffix to try next when it is asked for again: a file that has one name for everything must not cost quadratic time.
///
/// Names are as many as gates, and long in deep hierarchies, so only their hashes are kept, those of signals and elements in one place: that two
/// names have the same one is all but impossible, and would cost one of them a suffix that it does not need.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// For signals and elements, or for properties; zero where the name is free.
    suffixes: FxHashMap<u64, [u32; 2]>,
}

impl Names {
    /// Makes room for so many more.
    pub(super) fn reserve(&mut self, names: usize) {
        self.suffixes.reserve(names);
    }

    /// Notes that a name is in use.
    pub(super) fn take(&mut self, kind: Kind, name: &str) {
        *self.suffix(kind, name) = 2;
    }

    /// All names of a kind are free again.
    pub(super) fn free_all(&mut self, kind: Kind) {
        if let Kind::Signal | Kind::Element = kind {
            self.suffixes.values_mut().for_each(|suffixes| suffixes[slot(kind)] = 0);
        }
    }

    /// The name, with a suffix if it is taken. It is taken then.
    pub(super) fn unique(&mut self, kind: Kind, name: String) -> String {
        let own = self.suffix(kind, &name);
        if *own == 0 {
            *own = 2;
            return name;
        }
        let mut suffix = *own;
        let fresh = loop {
            let candidate = format!("{name}#{suffix}");
            suffix += 1;
            if *self.suffix(kind, &candidate) == 0 {
                break candidate;
            }
        };
        *self.suffix(kind, &name) = suffix;
        self.take(kind, &fresh);
        fresh
    }

    fn suffix(&mut self, kind: Kind, name: &str) -> &mut u32 {
        &mut self.suffixes.entry(key(kind, name)).or_default()[slot(kind)]
    }
}

fn slot(kind: Kind) -> usize {
    match kind {
        Kind::Signal | Kind::Property => 0,
        Kind::Element => 1,
    }
}

/// With fixed keys: the same names get the same suffixes in every run.
fn key(kind: Kind, name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.write_u8(u8::from(matches!(kind, Kind::Property)));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_kind_differ_and_those_of_others_do_not_matter() {
        let mut names = Names::default();
        let mut unique = |kind, name: &str| names.unique(kind, name.to_owned());
        for kind in [Kind::Signal, Kind::Element, Kind::Property] {
            let given = ["a", "a#2", "a", "a", "b"].map(|name| unique(kind, name));
            assert_eq!(given, ["a", "a#2", "a#3", "a#4", "b"]);
        }
        names.free_all(Kind::Element);
        assert_eq!(names.unique(Kind::Element, "a".to_owned()), "a");
        assert_eq!(names.unique(Kind::Signal, "a".to_owned()), "a#5");
    }

    #[test]
    fn hashes_of_generated_names_differ() {
        let mut seen = rustc_hash::FxHashSet::default();
        for prefix in
            ["and", "n", "top.fifo.mem_", "l", "", "and1", "very_long_prefix_of_a_hierarchy.of.modules_"]
        {
            for number in 0..50_000 {
                assert!(seen.insert(key(Kind::Signal, &format!("{prefix}<{number}>"))), "{prefix} {number}");
            }
        }
    }
}
