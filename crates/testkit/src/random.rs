//! Pseudo-random numbers that are the same on every machine and in every version.
//!
//! SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014): neighbouring seeds
//! give unrelated sequences, so test cases can simply be numbered.

/// A source of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        // One step first: numbered seeds become states far apart, whose sequences do not overlap.
        Random(Random(seed).next())
    }

    /// 64 random bits.
    #[expect(clippy::should_implement_trait, reason = "an endless sequence needs no Option")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below the bound, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number from a range with both ends included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in that many of 100 cases.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of the items, of which there is at least one.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_sequence_of_a_seed_never_changes() {
        // Seeds that are written into bug reports have to stay valid.
        let mut random = Random::new(1);
        let first: Vec<_> = (0..4).map(|_| random.below(1000)).collect();
        assert_eq!(first, [368, 943, 45, 777]);
        assert_ne!(Random::new(1).next(), Random::new(2).next());
    }

    #[test]
    fn all_numbers_below_the_bound_occur() {
        let mut random = Random::new(7);
        let mut seen = [0usize; 6];
        for _ in 0..600 {
            seen[random.below(6)] += 1;
        }
        assert!(seen.iter().all(|count| (60..140).contains(count)), "{seen:?}");
    }
}
