//! The transition relation as a conjunction of parts, and images under it with early quantification.
//!
//! Burch, Clarke and Long, "Symbolic model checking with partitioned transition relations" (1991); the order of the parts
//! follows the idea of Ranjan, Aziz, Brayton, Plessier and Pixley, "Efficient BDD algorithms for FSM synthesis and
//! verification" (IWLS 1995): next comes the part after which most variables can be quantified for the fewest new ones. Parts are
//! then conjoined in that order while they stay small.

use propcov_bdd::{Bdd, Cube, Manager, Stop, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A conjunction over current, input and next variables, arranged for one direction.
#[derive(Clone)]
pub(crate) struct Schedule {
    /// Variables of none of the parts: quantified from the set before anything else.
    first: Cube,
    /// Parts in order, each with the variables that occur in no later one.
    parts: Vec<(Bdd, Cube)>,
}

impl Schedule {
    /// Arranges the parts so that `quantified` variables disappear early. Parts are conjoined up to the `largest` number of nodes.
    pub(crate) fn new(
        manager: &Manager,
        parts: &[Bdd],
        quantified: &[Var],
        largest: usize,
    ) -> Result<Schedule, Stop> {
        let quantified: FxHashSet<Var> = quantified.iter().copied().collect();
        let ordered = arrange(manager, parts, &quantified);
        let clusters = cluster(manager, ordered, largest)?;
        let mut last: FxHashMap<Var, usize> = FxHashMap::default();
        for (index, part) in clusters.iter().enumerate() {
            for var in part.support() {
                last.insert(var, index);
            }
        }
        let mut gone: Vec<Vec<Var>> = vec![Vec::new(); clusters.len()];
        let mut first = Vec::new();
        let mut all: Vec<Var> = quantified.into_iter().collect();
        all.sort_unstable();
        for var in all {
            match last.get(&var) {
                Some(index) => gone[*index].push(var),
                None => first.push(var),
            }
        }
        let parts = clusters.into_iter().zip(gone).map(|(part, gone)| (part, manager.cube(&gone))).collect();
        Ok(Schedule { first: manager.cube(&first), parts })
    }

    /// The set conjoined with all parts, without the quantified variables.
    pub(crate) fn apply(&self, set: &Bdd) -> Result<Bdd, Stop> {
        let mut product = set.exists(&self.first)?;
        for (part, gone) in &self.parts {
            if product.is_false() {
                break;
            }
            product = product.and_exists(part, gone)?;
        }
        Ok(product)
    }

    /// As [`apply`](Schedule::apply), but gives up when there are more nodes than that on the way.
    pub(crate) fn apply_within(&self, set: &Bdd, nodes: usize) -> Result<Option<Bdd>, Stop> {
        let mut product = set.exists(&self.first)?;
        for (part, gone) in &self.parts {
            product = product.and_exists(part, gone)?;
            if product.node_count() > nodes {
                return Ok(None);
            }
        }
        Ok(Some(product))
    }

    pub(crate) fn part_count(&self) -> usize {
        self.parts.len()
    }
}

/// The parts in a good order.
fn arrange(manager: &Manager, parts: &[Bdd], quantified: &FxHashSet<Var>) -> Vec<Bdd> {
    let supports: Vec<Vec<Var>> = parts.iter().map(Bdd::support).collect();
    let level: FxHashMap<Var, usize> =
        manager.order().into_iter().enumerate().map(|(level, var)| (var, level)).collect();
    let deepest = level.len().max(1) as f64;
    let mut occurrences: FxHashMap<Var, usize> = FxHashMap::default();
    for var in supports.iter().flatten() {
        *occurrences.entry(*var).or_default() += 1;
    }
    let mut introduced: FxHashSet<Var> = FxHashSet::default();
    let mut left: Vec<usize> = (0..parts.len()).collect();
    let mut order = Vec::with_capacity(parts.len());
    while !left.is_empty() {
        let score = |part: usize| {
            let support = &supports[part];
            let (mut gone, mut own, mut new, mut top) = (0.0, 0.0, 0.0, 0.0_f64);
            for var in support {
                if quantified.contains(var) {
                    own += 1.0;
                    top = top.max(level[var] as f64 / deepest);
                    gone += f64::from(u8::from(occurrences[var] == 1));
                } else if !introduced.contains(var) {
                    new += 1.0;
                }
            }
            let size = support.len().max(1) as f64;
            2.0 * gone / f64::max(own, 1.0) + own / size + top - new / size
        };
        let best = left.iter().enumerate().map(|(at, part)| (score(*part), at));
        let (_, at) = best.fold((f64::MIN, 0), |best, next| if next.0 > best.0 { next } else { best });
        let part = left.remove(at);
        for var in &supports[part] {
            introduced.insert(*var);
            occurrences.entry(*var).and_modify(|count| *count -= 1);
        }
        order.push(parts[part].clone());
    }
    order
}

/// Neighbours conjoined while they stay small.
fn cluster(manager: &Manager, parts: Vec<Bdd>, largest: usize) -> Result<Vec<Bdd>, Stop> {
    let mut clusters = Vec::new();
    let mut current = manager.constant(true);
    for part in parts {
        if current.is_true() {
            current = part;
            continue;
        }
        // Two large parts are not even tried.
        if current.node_count() + part.node_count() <= 2 * largest {
            let both = current.and(&part)?;
            if both.node_count() <= largest {
                current = both;
                continue;
            }
        }
        clusters.push(std::mem::replace(&mut current, part));
    }
    if !current.is_true() {
        clusters.push(current);
    }
    Ok(clusters)
}
