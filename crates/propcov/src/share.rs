//! A share of the work, where several machines work on one question.
//!
//! What belongs to a share follows from its content, not from its position in a list: each machine finds out by itself, and an edit elsewhere in the design moves nothing. Mutants of one element and one
//! property stay together, because what decides one of them often decides the others. Every share `i` of `n` is made up of the shares `i` and `i + n` of `2 n`, so that one that is too large can be cut
//! in two.

use propcov_coverage::cores::Region;
use propcov_ir::{Digest, Digester, ElementId, ElementSet, Meanings, Mutant, PropertyId, System};
use propcov_result::Shard;

/// What the statistics call the size of a share, where somebody asked for it.
pub(crate) fn size_name(index: u32, count: u32) -> String {
    format!("open in shard {index} of {count}")
}

/// How much there is to do in each of so many shares, as a run without shares has seen it; nothing if it has not looked.
pub fn sizes(stats: &propcov_result::Stats, count: u32) -> Vec<u64> {
    let size = |index: u32| stats.counts.get(&size_name(index, count)).copied();
    (1..=count).map_while(size).collect()
}

/// One of several shares of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    shard: Shard,
}

impl Share {
    /// The share with this number, from 1 to `count`; `None` if there is none.
    pub fn new(index: u32, count: u32) -> Option<Share> {
        (1..=count).contains(&index).then_some(Share { shard: Shard { index, count } })
    }

    /// As it is written in a result.
    pub fn shard(self) -> Shard {
        self.shard
    }

    /// Whether a property is to be proved here.
    pub(crate) fn proves(self, meanings: &Meanings, property: PropertyId) -> bool {
        let mut digester = Digester::new("share of properties");
        digester.digest(meanings.property(property));
        self.has(digester)
    }

    /// Whether it is to be found out here whether a property notices mutants of an element.
    pub(crate) fn decides(
        self,
        system: &System,
        meanings: &Meanings,
        property: PropertyId,
        element: ElementId,
    ) -> bool {
        Share::owner(system, meanings, property, element, self.shard.count) == self.shard.index
    }

    /// Which of so many shares that is.
    pub(crate) fn owner(
        system: &System,
        meanings: &Meanings,
        property: PropertyId,
        element: ElementId,
        count: u32,
    ) -> u32 {
        let mut digester = Digester::new("share of mutants");
        digester.digest(meanings.property(property));
        digester.text(&system.element(element).name);
        digester.finish().part(count) + 1
    }

    /// Whether it is to be found out here what a mutant that no property notices can do.
    pub(crate) fn classifies(self, system: &System, mutant: Mutant) -> bool {
        let mut digester = Digester::new("share of effects");
        digester.text(&system.element(mutant.element).name);
        self.has(digester)
    }

    /// Which elements of a property's cores are looked at here, where the search for these is divided; all elements in question, in an order that follows from content.
    pub(crate) fn region(
        self,
        system: &System,
        meanings: &Meanings,
        property: PropertyId,
        universe: &ElementSet,
    ) -> Region {
        let rank = |element: ElementId| {
            let mut digester = Digester::new("share of cores");
            digester.digest(meanings.property(property));
            digester.text(&system.element(element).name);
            digester.finish()
        };
        let mut ranked: Vec<(Digest, ElementId)> =
            universe.iter().map(|element| (rank(element), element)).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(content, element)| (element, self.is_of(content))).collect()
    }

    fn has(self, content: Digester) -> bool {
        self.is_of(content.finish())
    }

    fn is_of(self, content: Digest) -> bool {
        content.part(self.shard.count) + 1 == self.shard.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(content: u64, count: u32) -> u32 {
        let of = |index: u32| {
            let mut digester = Digester::new("test");
            digester.number(content);
            Share::new(index, count).is_some_and(|share| share.has(digester))
        };
        let owners: Vec<u32> = (1..=count).filter(|index| of(*index)).collect();
        assert_eq!(owners.len(), 1, "{content} of {count}: {owners:?}");
        owners[0]
    }

    #[test]
    fn everything_is_in_one_share_and_shares_are_about_equal() {
        for count in [1, 2, 3, 7, 16] {
            let mut sizes = vec![0; count as usize];
            (0..2000).for_each(|content| sizes[owner(content, count) as usize - 1] += 1);
            let fair = 2000 / count as i32;
            assert!(sizes.iter().all(|size: &i32| (size - fair).abs() <= fair / 3 + 1), "{sizes:?}");
        }
    }

    #[test]
    fn a_share_is_cut_in_two() {
        for content in 0..500 {
            let (whole, half) = (owner(content, 5), owner(content, 10));
            assert!(half == whole || half == whole + 5, "{content}: {whole} of 5, {half} of 10");
        }
    }

    #[test]
    fn there_are_no_other_shares() {
        assert!(Share::new(0, 3).is_none() && Share::new(4, 3).is_none() && Share::new(1, 0).is_none());
    }
}
