//! Sets of variables to quantify, as conjunctions of variables.
//!
//! They are diagrams like others, but no handle points to their nodes: they are made anew after each reordering. A set of all inputs would
//! otherwise make every two of them interact, and stand in the way of each exchange.

use super::edge::Edge;
use super::kernel::Kernel;

/// A set of variables, and its conjunction in the present order.
pub(super) struct VariableSet {
    vars: Vec<u32>,
    conjunction: Edge,
}

/// All sets by their number; `None` where the handle is gone.
#[derive(Default)]
pub(super) struct Cubes {
    sets: Vec<Option<VariableSet>>,
    unused: Vec<usize>,
}

impl Cubes {
    /// The conjunctions of all sets.
    pub(super) fn roots(&self) -> impl Iterator<Item = Edge> + '_ {
        self.sets.iter().flatten().map(|set| set.conjunction)
    }
}

impl Kernel {
    /// A new set; its number.
    pub(super) fn add_cube(&mut self, mut vars: Vec<u32>) -> usize {
        vars.sort_unstable();
        vars.dedup();
        let conjunction = self.conjunction(&vars);
        let set = Some(VariableSet { vars, conjunction });
        if let Some(number) = self.cubes.unused.pop() {
            self.cubes.sets[number] = set;
            return number;
        }
        self.cubes.sets.push(set);
        self.cubes.sets.len() - 1
    }

    /// Nobody needs the set any more.
    pub(super) fn remove_cube(&mut self, number: usize) {
        self.cubes.sets[number] = None;
        self.cubes.unused.push(number);
    }

    /// The conjunction of a set, in the present order.
    pub(super) fn cube(&self, number: usize) -> Edge {
        self.cubes.sets[number].as_ref().map_or(Edge::ONE, |set| set.conjunction)
    }

    /// Before a reordering.
    pub(super) fn forget_cubes(&mut self) {
        for set in self.cubes.sets.iter_mut().flatten() {
            set.conjunction = Edge::ONE;
        }
    }

    /// After a reordering.
    pub(super) fn make_cubes(&mut self) {
        let mut sets = std::mem::take(&mut self.cubes.sets);
        for set in sets.iter_mut().flatten() {
            set.conjunction = self.conjunction(&set.vars);
        }
        self.cubes.sets = sets;
    }

    /// Limits on nodes do not count here: these are few.
    fn conjunction(&mut self, vars: &[u32]) -> Edge {
        let mut vars = vars.to_vec();
        vars.sort_unstable_by_key(|var| std::cmp::Reverse(self.store.levels[*var as usize]));
        vars.into_iter().fold(Edge::ONE, |rest, var| {
            let found = self.store.find(var, rest, Edge::ZERO);
            found.unwrap_or_else(|| self.store.add(var, rest, Edge::ZERO))
        })
    }
}
