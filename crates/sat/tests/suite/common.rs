//! Random formulas and brute force, for all tests of this crate.

use propcov_sat::{Lit, Var};

/// SplitMix64: small, seeded, good enough.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn lit(&mut self, variables: u32) -> Lit {
        Var(self.below(variables)).lit(self.chance(50))
    }

    /// Mostly of three literals; repetitions and tautologies included.
    pub(crate) fn clause(&mut self, variables: u32) -> Vec<Lit> {
        let length = match self.below(20) {
            0 => 1,
            1..=4 => 2,
            5..=16 => 3,
            _ => 4,
        };
        (0..length).map(|_| self.lit(variables)).collect()
    }

    pub(crate) fn clauses(&mut self, variables: u32, count: u32) -> Vec<Vec<Lit>> {
        (0..count).map(|_| self.clause(variables)).collect()
    }
}

/// Whether this assignment, one bit per variable, makes the literal true.
pub(crate) fn holds(assignment: u32, lit: Lit) -> bool {
    (assignment >> lit.var().0 & 1 == 1) != lit.is_negated()
}

/// Whether this assignment satisfies all clauses.
pub(crate) fn satisfies(assignment: u32, clauses: &[Vec<Lit>]) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&lit| holds(assignment, lit)))
}

/// Whether some assignment satisfies all clauses and all of these literals.
pub(crate) fn satisfiable(variables: u32, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    (0..1 << variables).any(|assignment| {
        assumptions.iter().all(|&lit| holds(assignment, lit)) && satisfies(assignment, clauses)
    })
}
