//! Garbage collection: mark from the functions that somebody holds, sweep the rest. Never inside an operation.

use fixedbitset::FixedBitSet;

use super::edge::Edge;
use super::kernel::Kernel;

/// How many handles point to a node, by node index. Nodes beyond the end have none.
pub(super) type Held = Vec<u32>;

impl Kernel {
    /// Frees all nodes that neither a handle nor a subresult of the interrupted operation needs.
    pub(super) fn collect(&mut self, held: &Held) {
        let marked = self.mark(held);
        self.store.sweep(&marked);
        self.cache.retain(|index| marked.contains(index));
    }

    fn mark(&self, held: &Held) -> FixedBitSet {
        let nodes = &self.store.nodes;
        let mut marked = FixedBitSet::with_capacity(nodes.len());
        marked.insert(0);
        let mut waiting = Vec::new();
        let holders = held.iter().enumerate().filter(|(_, count)| **count > 0).map(|(index, _)| index);
        let kept = self.kept.iter().copied().chain(self.cubes.roots());
        for root in holders.chain(kept.map(Edge::index)) {
            if marked.put(root) {
                continue;
            }
            waiting.push(root);
            while let Some(index) = waiting.pop() {
                let children = [nodes[index].then, nodes[index].otherwise];
                waiting.extend(children.map(Edge::index).into_iter().filter(|child| !marked.put(*child)));
            }
        }
        marked
    }
}
