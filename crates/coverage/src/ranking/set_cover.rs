//! A smallest set of properties that kills all that any property kills: minimum set cover.
//!
//! The problem is NP-hard and, for the matrices of real designs, mostly easy: classical reductions (Balas and Ho, *Set covering
//! algorithms using cutting planes, heuristics, and subgradient optimization*, 1980; Beasley, *An algorithm for set covering
//! problem*, 1987) usually leave nothing. Mutants killed by the same properties are one; a mutant killed by all properties that kill another is
//! implied by it; a mutant killed by one property makes that one essential; a property that kills a part of what another kills is not
//! needed. What is left is searched by branching on the mutant with the fewest killers. The bound is a set of mutants of which
//! no two have a killer in common: each needs a property of its own.
//!
//! The search starts from the greedy cover and counts its work; when that exceeds a limit, the best cover so far is given and not
//! called smallest. The limit is in steps, not in seconds, so that the same matrix always has the same answer.

use super::{Cover, aligned, greedy};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// The usual limit of work: some seconds at most.
pub const WORK: u64 = 200_000_000;

/// Comparing all pairs of mutants is worth it up to this many different ones.
const COMPARED: usize = 4000;

/// A smallest subset of the rows whose union is that of all rows, or the best one that was found within the limit of work.
pub fn smallest_cover(kills: &[FixedBitSet], work: u64) -> Cover {
    let kills = &aligned(kills);
    let mut best: Vec<usize> = greedy(kills).iter().map(|pick| pick.property).collect();
    best.sort_unstable();
    let columns = columns(kills);
    let mut rows = vec![FixedBitSet::with_capacity(columns.len()); kills.len()];
    for (column, killers) in columns.iter().enumerate() {
        killers.ones().for_each(|property| rows[property].insert(column));
    }
    let mut search = Search { columns, rows, best, work };
    let alive: FixedBitSet = (0..search.columns.len()).collect();
    let allowed: FixedBitSet = (0..kills.len()).collect();
    let is_smallest = search.explore(alive, allowed, Vec::new());
    Cover { properties: search.best, is_smallest }
}

/// The killers of each mutant: every set once, and none that contains another.
fn columns(kills: &[FixedBitSet]) -> Vec<FixedBitSet> {
    let mutants = kills.iter().map(|row| row.len()).max().unwrap_or(0);
    let mut killers: Vec<FixedBitSet> = vec![FixedBitSet::with_capacity(kills.len()); mutants];
    for (property, row) in kills.iter().enumerate() {
        row.ones().for_each(|mutant| killers[mutant].insert(property));
    }
    let different: BTreeSet<Vec<usize>> = killers
        .iter()
        .filter(|killers| !killers.is_clear())
        .map(|killers| killers.ones().collect())
        .collect();
    let set = |killers: &Vec<usize>| {
        let mut set = FixedBitSet::with_capacity(kills.len());
        killers.iter().for_each(|property| set.insert(*property));
        set
    };
    let mut columns: Vec<FixedBitSet> = different.iter().map(set).collect();
    if columns.len() > COMPARED {
        return columns;
    }
    columns.sort_by_key(|column| column.count_ones(..));
    let mut minimal: Vec<FixedBitSet> = Vec::new();
    for column in columns {
        if !minimal.iter().any(|smaller| smaller.is_subset(&column)) {
            minimal.push(column);
        }
    }
    minimal
}

struct Search {
    /// For each mutant, its killers.
    columns: Vec<FixedBitSet>,
    /// For each property, what it kills.
    rows: Vec<FixedBitSet>,
    best: Vec<usize>,
    /// How much may still be done.
    work: u64,
}

impl Search {
    /// Looks for covers that are smaller than the best one. `alive` are the mutants not killed by the `chosen`, and `allowed` the
    /// properties that may still be chosen. Says whether nothing was left out for lack of work.
    fn explore(&mut self, mut alive: FixedBitSet, mut allowed: FixedBitSet, mut chosen: Vec<usize>) -> bool {
        if !self.spend(alive.count_ones(..) + 1) {
            return false;
        }
        if !self.reduce(&mut alive, &mut allowed, &mut chosen) {
            return true;
        }
        if alive.is_clear() {
            if chosen.len() < self.best.len() {
                chosen.sort_unstable();
                self.best = chosen;
            }
            return true;
        }
        if chosen.len() + self.disjoint(&alive, &allowed) >= self.best.len() {
            return true;
        }
        let fewest = alive.ones().min_by_key(|column| self.columns[*column].intersection_count(&allowed));
        let Some(column) = fewest else { return true };
        let mut killers: Vec<usize> = self.columns[column].intersection(&allowed).collect();
        killers.sort_by_key(|property| {
            (usize::MAX - self.rows[*property].intersection_count(&alive), *property)
        });
        for property in killers {
            let mut rest = alive.clone();
            rest.difference_with(&self.rows[property]);
            let with = chosen.iter().copied().chain([property]).collect();
            if !self.explore(rest, allowed.clone(), with) {
                return false;
            }
            // Everything with this property has been looked at.
            allowed.remove(property);
        }
        true
    }

    /// Chooses what has to be chosen and drops what is not needed, until nothing changes. False when there is no cover left that
    /// is smaller than the best one.
    fn reduce(
        &mut self,
        alive: &mut FixedBitSet,
        allowed: &mut FixedBitSet,
        chosen: &mut Vec<usize>,
    ) -> bool {
        loop {
            let mut changed = false;
            for column in alive.ones().collect::<Vec<_>>() {
                if !alive.contains(column) {
                    continue;
                }
                let mut killers = self.columns[column].intersection(allowed);
                match (killers.next(), killers.next()) {
                    (None, _) => return false,
                    (Some(essential), None) => {
                        chosen.push(essential);
                        alive.difference_with(&self.rows[essential]);
                        changed = true;
                    }
                    _ => {}
                }
            }
            if chosen.len() + usize::from(!alive.is_clear()) >= self.best.len() {
                return false;
            }
            changed |= self.drop_dominated(alive, allowed);
            if !changed {
                return true;
            }
        }
    }

    /// Properties that kill no more of what is alive than another one that is allowed.
    fn drop_dominated(&mut self, alive: &FixedBitSet, allowed: &mut FixedBitSet) -> bool {
        let candidates: Vec<usize> = allowed.ones().collect();
        let left: Vec<FixedBitSet> = candidates
            .iter()
            .map(|property| {
                let mut row = self.rows[*property].clone();
                row.intersect_with(alive);
                row
            })
            .collect();
        let mut changed = false;
        for (at, property) in candidates.iter().enumerate() {
            let dominated = left[at].is_clear()
                || candidates.iter().enumerate().any(|(other_at, other)| {
                    // Of two equal ones the first stays.
                    other_at != at
                        && allowed.contains(*other)
                        && left[at].is_subset(&left[other_at])
                        && (other_at < at || left[at] != left[other_at])
                });
            if dominated {
                allowed.remove(*property);
                changed = true;
            }
        }
        changed
    }

    /// How many mutants without common killers there are at least.
    fn disjoint(&self, alive: &FixedBitSet, allowed: &FixedBitSet) -> usize {
        let mut order: Vec<usize> = alive.ones().collect();
        order.sort_by_key(|column| self.columns[*column].intersection_count(allowed));
        let mut used = FixedBitSet::with_capacity(allowed.len());
        let mut count = 0;
        for column in order {
            let mut killers = self.columns[column].clone();
            killers.intersect_with(allowed);
            if killers.is_disjoint(&used) {
                used.union_with(&killers);
                count += 1;
            }
        }
        count
    }

    fn spend(&mut self, columns: usize) -> bool {
        let cost = (columns as u64) * (self.rows.len() as u64 + 1);
        let enough = self.work >= cost;
        self.work = self.work.saturating_sub(cost);
        enough
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{matrix, random_matrix};
    use super::*;
    use propcov_testkit::Random;

    fn covers(kills: &[FixedBitSet], properties: &[usize]) -> bool {
        let mut all = FixedBitSet::new();
        kills.iter().for_each(|row| all.union_with(row));
        properties.iter().for_each(|property| all.difference_with(&kills[*property]));
        all.is_clear()
    }

    /// The size of a smallest cover, by trying all subsets.
    fn brute_force(kills: &[FixedBitSet]) -> usize {
        let subset = |mask: u32| -> Vec<usize> {
            (0..kills.len()).filter(|property| mask >> property & 1 == 1).collect()
        };
        let masks = (0..1u32 << kills.len()).filter(|mask| covers(kills, &subset(*mask)));
        masks.map(u32::count_ones).min().unwrap_or(0) as usize
    }

    #[test]
    fn the_smallest_cover_is_as_small_as_trying_all_subsets_says() {
        for seed in 0..3000 {
            let kills = random_matrix(&mut Random::new(7_000_000 + seed));
            let cover = smallest_cover(&kills, WORK);
            assert!(cover.is_smallest, "seed {seed}");
            assert!(covers(&kills, &cover.properties), "seed {seed}: {kills:?}");
            assert_eq!(cover.properties.len(), brute_force(&kills), "seed {seed}: {kills:?}");
            assert!(cover.properties.is_sorted(), "seed {seed}");
        }
    }

    #[test]
    fn the_greedy_cover_is_not_the_last_word() {
        // Greedy takes the four in the middle first, and then needs both others.
        let kills = matrix(&[&[1, 2, 4, 5], &[0, 1, 2], &[3, 4, 5]]);
        assert_eq!(greedy(&kills).len(), 3);
        assert_eq!(smallest_cover(&kills, WORK), Cover { properties: vec![1, 2], is_smallest: true });
    }

    #[test]
    fn out_of_work_the_answer_is_still_a_cover_and_not_called_smallest() {
        let mut cut_short = 0;
        for seed in 0..300 {
            let kills = random_matrix(&mut Random::new(8_000_000 + seed));
            for work in [0, 20, 60] {
                let cover = smallest_cover(&kills, work);
                assert!(covers(&kills, &cover.properties), "seed {seed}");
                let is_smallest = cover.properties.len() == brute_force(&kills);
                assert!(is_smallest || !cover.is_smallest, "seed {seed}, work {work}");
                cut_short += usize::from(!cover.is_smallest);
            }
        }
        assert!(cut_short > 100, "{cut_short}");
    }

    #[test]
    fn many_properties_and_mutants_are_no_problem() {
        let mut random = Random::new(99);
        let kills: Vec<FixedBitSet> =
            (0..60).map(|_| (0..3000).filter(|_| random.percent(12)).collect()).collect();
        let cover = smallest_cover(&kills, 3_000_000);
        assert!(covers(&kills, &cover.properties));
    }
}
