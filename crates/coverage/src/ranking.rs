//! What each property contributes to coverage, and which ones could go without losing any.
//!
//! All of it follows from one matrix: which property kills which mutant. The greedy order takes, again and again, the property that
//! kills most of what is still alive (Chvátal, *A greedy heuristic for the set-covering problem*, 1979): reading it from the front, an
//! engineer sees after how many properties the curve is flat. The smallest subset with the same coverage is found exactly by
//! `set_cover`, within a limit of work.
//!
//! Some of the matrix may be unknown. Numbers then count what is known; that a property adds nothing, or that no subset is smaller, is
//! said only if it is so whatever the unknown entries turn out to be.

mod set_cover;

use fixedbitset::FixedBitSet;
use propcov_result::{Contribution, Count, Smallest};
pub use set_cover::{WORK, smallest_cover};

/// What properties contribute, each named by its position in the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// For each property, how many mutants it is known to kill.
    pub kills: Vec<usize>,
    /// For each property, how many mutants it is known to kill and no other one is.
    pub only: Vec<usize>,
    /// Properties that certainly kill nothing which the others, all together, leave alive. Two of them may still need each
    /// other's company: leaving out both may lose coverage.
    pub redundant: Vec<usize>,
    /// An order in which each property kills as much as possible of what those before it left alive; those that would add
    /// nothing at their turn are not in it.
    pub greedy: Vec<Pick>,
    /// A smallest subset that kills as much as all properties together, as far as is known.
    pub smallest: Cover,
}

/// One property in the greedy order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The property.
    pub property: usize,
    /// How many mutants it kills that those before it did not.
    pub gained: usize,
    /// How many mutants are killed by it and those before it.
    pub covered: usize,
}

/// Properties that kill as much as all of them do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The properties, in order.
    pub properties: Vec<usize>,
    /// Whether it certainly kills as much, and no smaller subset does. Otherwise the search was cut short, and this is the best
    /// that was found, or it depends on what is unknown.
    pub is_smallest: bool,
}

impl Ranking {
    /// The record of a metric, with the names of the properties.
    pub fn record(&self, metric: &str, names: &[&str]) -> propcov_result::Ranking {
        let name = |property: &usize| names.get(*property).copied().unwrap_or_default().to_owned();
        let contribution = |property: usize| Contribution {
            property: name(&property),
            covered: Count::from(self.kills[property]),
            unique: Count::from(self.only[property]),
        };
        let pick = |pick: &Pick| propcov_result::Pick {
            property: name(&pick.property),
            gained: Count::from(pick.gained),
            covered: Count::from(pick.covered),
        };
        propcov_result::Ranking {
            metric: metric.to_owned(),
            observed: None,
            properties: (0..self.kills.len()).map(contribution).collect(),
            redundant: self.redundant.iter().map(name).collect(),
            greedy: self.greedy.iter().map(pick).collect(),
            smallest: Some(Smallest {
                properties: self.smallest.properties.iter().map(name).collect(),
                exact: self.smallest.is_smallest,
            }),
        }
    }
}

/// Ranks properties by the mutants that each of them kills, and those of which it is unknown whether it does.
pub fn rank(kills: &[FixedBitSet], unknown: &[FixedBitSet]) -> Ranking {
    let length = kills.iter().chain(unknown).map(|row| row.len()).max().unwrap_or(0);
    let (kills, mut unknown) = (&grown(kills, length), grown(unknown, length));
    unknown.resize(kills.len(), FixedBitSet::with_capacity(length));
    let only: Vec<usize> = only_killed_by(kills);
    let kill_counts: Vec<usize> = kills.iter().map(|row| row.count_ones(..)).collect();
    let killed = union_of(kills);
    // What nobody is known to kill, this one may turn out to kill alone.
    let may_be_needed: Vec<bool> = unknown.iter().map(|row| !row.is_subset(&killed)).collect();
    let adds_nothing = |property: &usize| only[*property] == 0 && !may_be_needed[*property];
    Ranking {
        redundant: (0..kills.len()).filter(adds_nothing).collect(),
        kills: kill_counts,
        only,
        greedy: greedy(kills),
        smallest: smallest(kills, &unknown, &may_be_needed),
    }
}

/// A smallest cover of what is known, called smallest only if it is one whatever the unknown entries are.
fn smallest(kills: &[FixedBitSet], unknown: &[FixedBitSet], may_be_needed: &[bool]) -> Cover {
    let mut cover = smallest_cover(kills, WORK);
    let in_question = union_of(unknown);
    if in_question.is_clear() {
        return cover;
    }
    let is_chosen = |property: &usize| cover.properties.contains(property);
    let is_cover = (0..kills.len()).filter(|property| may_be_needed[*property]).all(|at| is_chosen(&at));
    // As many are needed for those mutants alone of which everything is known.
    let mut decided = kills.to_vec();
    decided.iter_mut().for_each(|row| row.difference_with(&in_question));
    let least = smallest_cover(&decided, WORK);
    cover.is_smallest = is_cover && least.is_smallest && least.properties.len() == cover.properties.len();
    cover
}

/// The same rows, all of one length: some operations on pairs of sets look no further than the shorter one.
fn aligned(rows: &[FixedBitSet]) -> Vec<FixedBitSet> {
    grown(rows, rows.iter().map(|row| row.len()).max().unwrap_or(0))
}

fn grown(rows: &[FixedBitSet], length: usize) -> Vec<FixedBitSet> {
    let mut rows = rows.to_vec();
    rows.iter_mut().for_each(|row| row.grow(length));
    rows
}

fn empty(kills: &[FixedBitSet]) -> FixedBitSet {
    FixedBitSet::with_capacity(kills.first().map_or(0, |row| row.len()))
}

fn union_of(rows: &[FixedBitSet]) -> FixedBitSet {
    let mut union = empty(rows);
    rows.iter().for_each(|row| union.union_with(row));
    union
}

/// For each property, how many mutants nobody else kills.
fn only_killed_by(kills: &[FixedBitSet]) -> Vec<usize> {
    let (mut once, mut twice) = (empty(kills), empty(kills));
    for row in kills {
        let mut again = once.clone();
        again.intersect_with(row);
        twice.union_with(&again);
        once.union_with(row);
    }
    once.difference_with(&twice);
    kills.iter().map(|row| row.intersection_count(&once)).collect()
}

/// The property that gains most comes next; of two that gain the same, the one written first.
fn greedy(kills: &[FixedBitSet]) -> Vec<Pick> {
    let mut covered = empty(kills);
    let mut order = Vec::new();
    let mut total = 0;
    loop {
        let gain = |property: usize| kills[property].difference_count(&covered);
        let best = (0..kills.len()).map(|property| (gain(property), property));
        let Some((gained, property)) = best.max_by_key(|(gain, property)| (*gain, usize::MAX - property))
        else {
            return order;
        };
        if gained == 0 {
            return order;
        }
        covered.union_with(&kills[property]);
        total += gained;
        order.push(Pick { property, gained, covered: total });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_testkit::Random;

    pub(super) fn matrix(rows: &[&[usize]]) -> Vec<FixedBitSet> {
        rows.iter().map(|row| row.iter().copied().collect()).collect()
    }

    /// A matrix of random density, sometimes with equal rows and rows inside others.
    pub(super) fn random_matrix(random: &mut Random) -> Vec<FixedBitSet> {
        let (properties, mutants) = (random.below(9), random.below(14));
        let density = *random.pick(&[10, 25, 50, 75]);
        let mut rows: Vec<FixedBitSet> = Vec::new();
        for _ in 0..properties {
            let mut row: FixedBitSet = (0..mutants).filter(|_| random.percent(density)).collect();
            if !rows.is_empty() && random.percent(20) {
                let other = random.pick(&rows).clone();
                if random.percent(50) { row.intersect_with(&other) } else { row = other }
            }
            rows.push(row);
        }
        rows
    }

    fn union(kills: &[FixedBitSet], properties: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut all = FixedBitSet::new();
        properties.for_each(|property| all.union_with(&kills[property]));
        all.ones().collect()
    }

    #[test]
    fn each_number_means_what_its_definition_says_on_random_matrices() {
        for seed in 0..2000 {
            let kills = random_matrix(&mut Random::new(seed));
            let ranking = rank(&kills, &[]);
            let all = union(&kills, 0..kills.len());
            for property in 0..kills.len() {
                let others = union(&kills, (0..kills.len()).filter(|other| *other != property));
                let lost = all.len() - others.len();
                assert_eq!(ranking.kills[property], union(&kills, [property].into_iter()).len(), "{seed}");
                assert_eq!(ranking.only[property], lost, "seed {seed}, property {property}: {kills:?}");
                assert_eq!(ranking.redundant.contains(&property), lost == 0, "seed {seed}");
            }
            let mut before: Vec<usize> = Vec::new();
            for pick in &ranking.greedy {
                let had = union(&kills, before.iter().copied()).len();
                before.push(pick.property);
                let has = union(&kills, before.iter().copied()).len();
                assert_eq!((pick.gained, pick.covered), (has - had, has), "seed {seed}: {kills:?}");
                let best = (0..kills.len()).map(|other| {
                    let with = before[..before.len() - 1].iter().copied().chain([other]);
                    union(&kills, with).len() - had
                });
                assert_eq!(best.max(), Some(pick.gained), "seed {seed}: {kills:?}");
            }
            assert_eq!(union(&kills, before.into_iter()), all, "seed {seed}");
        }
    }

    #[test]
    fn no_property_at_all_is_no_problem() {
        let ranking = rank(&[], &[]);
        assert_eq!((ranking.greedy.len(), ranking.smallest.properties.len()), (0, 0));
        assert!(ranking.smallest.is_smallest);
    }

    #[test]
    fn of_two_equal_properties_both_add_nothing_but_one_is_needed() {
        let ranking = rank(&matrix(&[&[0, 1], &[0, 1], &[2]]), &[]);
        assert_eq!((ranking.redundant, ranking.only), (vec![0, 1], vec![0, 0, 1]));
        assert_eq!(ranking.smallest, Cover { properties: vec![0, 2], is_smallest: true });
    }

    /// The matrix, with some of the entries in question.
    fn completed(kills: &[FixedBitSet], open: &[(usize, usize)], choice: usize) -> Vec<FixedBitSet> {
        let mut completed = kills.to_vec();
        for (at, (property, mutant)) in open.iter().enumerate() {
            if choice >> at & 1 == 1 {
                completed[*property].grow_and_insert(*mutant);
            }
        }
        completed
    }

    #[test]
    fn what_is_said_in_spite_of_unknown_entries_is_so_whatever_these_are() {
        let (mut redundant, mut smallest) = (0, 0);
        for seed in 0..2000 {
            let random = &mut Random::new(seed);
            let mut kills = random_matrix(random);
            let mut open = Vec::new();
            for (property, row) in kills.iter_mut().enumerate() {
                for mutant in 0..row.len() {
                    if open.len() < 5 && random.percent(12) {
                        open.push((property, mutant));
                        row.remove(mutant);
                    }
                }
            }
            let mut unknown = vec![FixedBitSet::new(); kills.len()];
            open.iter().for_each(|(property, mutant)| unknown[*property].grow_and_insert(*mutant));
            let ranking = rank(&kills, &unknown);
            let mut always: Vec<usize> = (0..kills.len()).collect();
            for choice in 0..1_usize << open.len() {
                let whole = completed(&kills, &open, choice);
                let truth = rank(&whole, &[]);
                always.retain(|property| truth.redundant.contains(property));
                let chosen = union(&whole, ranking.smallest.properties.iter().copied());
                if ranking.smallest.is_smallest {
                    assert_eq!(chosen, union(&whole, 0..whole.len()), "seed {seed}: {kills:?} {open:?}");
                    assert_eq!(truth.smallest.properties.len(), ranking.smallest.properties.len(), "{seed}");
                }
            }
            assert_eq!(ranking.redundant, always, "seed {seed}: {kills:?} {open:?}");
            redundant += usize::from(!open.is_empty() && !always.is_empty());
            smallest += usize::from(!open.is_empty() && ranking.smallest.is_smallest);
        }
        assert!(redundant > 100 && smallest > 100, "{redundant}, {smallest}");
    }
}
