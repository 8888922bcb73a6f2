//! Questions about a diagram that make no nodes: size, support, values, the number of points, the least point.

use dashu_int::UBig;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{Add, Shl, Sub};

use super::edge::Edge;
use super::kernel::Kernel;

impl Kernel {
    /// The inner nodes below these functions.
    fn nodes_below(&self, roots: &[Edge]) -> Vec<usize> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut found = Vec::new();
        for root in roots {
            if root.is_constant() || !seen.insert(root.index()) {
                continue;
            }
            let mut next = found.len();
            found.push(root.index());
            while let Some(index) = found.get(next) {
                let node = self.store.nodes[*index];
                for child in [node.then, node.otherwise] {
                    if !child.is_constant() && seen.insert(child.index()) {
                        found.push(child.index());
                    }
                }
                next += 1;
            }
        }
        found
    }

    /// The number of inner nodes, shared ones once.
    pub(super) fn node_count(&self, roots: &[Edge]) -> usize {
        self.nodes_below(roots).len()
    }

    /// The variables that f depends on.
    pub(super) fn support(&self, f: Edge) -> FixedBitSet {
        let mut vars = FixedBitSet::with_capacity(self.store.tables.len());
        for index in self.nodes_below(&[f]) {
            vars.insert(self.store.nodes[index].var as usize);
        }
        vars
    }

    /// The number of points of f in the space of these variables, which include its support.
    pub(super) fn count(&self, f: Edge, vars: &[u32]) -> UBig {
        let space = Space::new(self, vars);
        // Long numbers are slow, and rarely needed.
        if space.size < 128 { UBig::from(self.count_in::<u128>(f, &space)) } else { self.count_in(f, &space) }
    }

    fn count_in<N: Number>(&self, f: Edge, space: &Space) -> N {
        let mut nodes = self.nodes_below(&[f]);
        let level = |index: usize| self.store.levels[self.store.nodes[index].var as usize];
        nodes.sort_unstable_by_key(|index| std::cmp::Reverse(level(*index)));
        let mut counts: FxHashMap<usize, N> = FxHashMap::default();
        counts.insert(0, N::from(1));
        for index in nodes {
            let node = self.store.nodes[index];
            let below = space.rank[node.var as usize] + 1;
            let [then, otherwise] =
                [node.then, node.otherwise].map(|child| space.points(self, &counts, child, below));
            counts.insert(index, then + otherwise);
        }
        space.points(self, &counts, f, 0)
    }

    /// The least point of f, if there is one: false before true, earlier variables before later ones. Variables that are not asked for
    /// may take any value.
    ///
    /// Keeps a path to true under the values decided so far. A variable that it does not need, or needs false, is decided at no cost. Paths
    /// start below the variables at the top that are decided, so it takes linear time if the variables are asked for in their order.
    pub(super) fn pick(&self, f: Edge, vars: &[u32]) -> Option<Vec<bool>> {
        let mut f = f;
        let mut fixed: Vec<Option<bool>> = vec![None; self.store.tables.len()];
        let mut path = self.path_to_true(f, &fixed)?;
        let mut values = Vec::with_capacity(vars.len());
        for var in vars {
            let at = *var as usize;
            if fixed[at].is_none() {
                fixed[at] = Some(false);
                if path.contains(at) {
                    match self.path_to_true(f, &fixed) {
                        Some(better) => path = better,
                        None => fixed[at] = Some(true),
                    }
                }
            }
            values.push(fixed[at] == Some(true));
            f = self.below_fixed(f, &fixed);
        }
        Some(values)
    }

    /// The function with the decided variables at its top replaced by their values.
    fn below_fixed(&self, mut f: Edge, fixed: &[Option<bool>]) -> Edge {
        loop {
            let node = self.store.node(f);
            let (then, otherwise) = node.split(f);
            match fixed[node.var as usize] {
                Some(value) if !f.is_constant() => f = if value { then } else { otherwise },
                _ => return f,
            }
        }
    }

    /// The variables that are true on some path to true which respects the fixed values.
    fn path_to_true(&self, f: Edge, fixed: &[Option<bool>]) -> Option<FixedBitSet> {
        if f == Edge::ZERO {
            return None;
        }
        // Each edge that was reached, with the place in this list it was reached from, and whether by a then edge.
        let mut reached: Vec<(Edge, usize, bool)> = vec![(f, 0, false)];
        let mut seen: FxHashSet<Edge> = FxHashSet::default();
        let mut waiting = vec![0];
        while let Some(place) = waiting.pop() {
            let edge = reached[place].0;
            if edge == Edge::ONE {
                return Some(self.true_on_path(&reached, place));
            }
            let node = self.store.node(edge);
            let (then, otherwise) = node.split(edge);
            for (child, value) in [(then, true), (otherwise, false)] {
                let allowed = fixed[node.var as usize].is_none_or(|fixed| fixed == value);
                if allowed && child != Edge::ZERO && seen.insert(child) {
                    reached.push((child, place, value));
                    waiting.push(reached.len() - 1);
                }
            }
        }
        None
    }

    fn true_on_path(&self, reached: &[(Edge, usize, bool)], mut place: usize) -> FixedBitSet {
        let mut vars = FixedBitSet::with_capacity(self.store.tables.len());
        while place != 0 {
            let (_, from, value) = reached[place];
            vars.set(self.store.node(reached[from].0).var as usize, value);
            place = from;
        }
        vars
    }
}

/// A type to count with.
trait Number: Clone + From<u8> + Add<Output = Self> + Sub<Output = Self> + Shl<usize, Output = Self> {}

impl Number for u128 {}
impl Number for UBig {}

/// Variables by their rank in the order.
struct Space {
    /// By variable; meaningful for those of the space.
    rank: Vec<usize>,
    size: usize,
}

impl Space {
    fn new(kernel: &Kernel, vars: &[u32]) -> Space {
        let mut rank = vec![0; kernel.store.tables.len()];
        let mut vars = vars.to_vec();
        vars.sort_unstable_by_key(|var| kernel.store.levels[*var as usize]);
        vars.dedup();
        for (place, var) in vars.iter().enumerate() {
            rank[*var as usize] = place;
        }
        Space { rank, size: vars.len() }
    }

    /// The points of a function over the variables from a rank on, given those of regular functions from their own rank on.
    fn points<N: Number>(&self, kernel: &Kernel, counts: &FxHashMap<usize, N>, f: Edge, from: usize) -> N {
        let own = if f.is_constant() { self.size } else { self.rank[kernel.store.node(f).var as usize] };
        let regular = counts[&f.index()].clone() << own.saturating_sub(from);
        if f.is_negated() { (N::from(1) << (self.size - from)) - regular } else { regular }
    }
}
