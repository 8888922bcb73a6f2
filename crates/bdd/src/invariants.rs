//! What must be true of all nodes at any time between operations. For tests.

use rustc_hash::FxHashSet;

use super::collect::Held;
use super::kernel::Kernel;
use super::store::{FREE, NIL, Store};

impl Kernel {
    /// Says what is wrong, if anything is: the diagrams are reduced and ordered, then edges are regular, each node is in its table once, and
    /// whoever is held exists.
    pub(super) fn invariants(&self, held: &Held) -> Result<(), String> {
        order(&self.store)?;
        let mut places = 0;
        for (var, table) in self.store.tables.iter().enumerate() {
            let mut children = FxHashSet::default();
            for (bucket, first) in table.buckets.iter().enumerate() {
                let mut at = *first;
                while at != NIL {
                    let node = self.store.nodes[at as usize];
                    if node.var as usize != var || table.bucket(node.then, node.otherwise) != bucket {
                        return Err(format!("node {at} of variable {} is in a table of {var}", node.var));
                    }
                    self.node_invariants(at)?;
                    if !children.insert((node.then, node.otherwise)) {
                        return Err(format!("node {at} is there twice"));
                    }
                    at = node.next;
                }
            }
            if children.len() != table.count {
                return Err(format!("table {var} has {} nodes, not {}", children.len(), table.count));
            }
            places += children.len();
        }
        let in_use = self.store.nodes.iter().skip(1).filter(|node| node.var != FREE).count();
        if places != self.store.used || places != in_use {
            return Err(format!("{places} nodes in tables, {in_use} in use, {} counted", self.store.used));
        }
        let dangling = |index: usize| self.store.nodes.get(index).is_none_or(|node| node.var == FREE);
        match held.iter().enumerate().find(|(index, count)| **count > 0 && dangling(*index)) {
            Some((index, _)) => Err(format!("node {index} is held, but is gone")),
            None => Ok(()),
        }
    }

    fn node_invariants(&self, index: u32) -> Result<(), String> {
        let node = self.store.nodes[index as usize];
        if node.then == node.otherwise {
            return Err(format!("node {index} is redundant"));
        }
        if node.then.is_negated() {
            return Err(format!("node {index} has a negated then edge"));
        }
        let level = self.store.levels[node.var as usize];
        for child in [node.then, node.otherwise] {
            let below = self.store.nodes.get(child.index()).filter(|child| child.var != FREE);
            let Some(below) = below else { return Err(format!("a child of node {index} is gone")) };
            if self.store.levels[below.var as usize] <= level {
                return Err(format!("a child of node {index} is not below it"));
            }
        }
        Ok(())
    }
}

fn order(store: &Store) -> Result<(), String> {
    let agrees = |(level, var): (usize, &u32)| store.levels[*var as usize] as usize == level;
    if store.order.iter().enumerate().all(agrees) && store.order.len() + 1 == store.levels.len() {
        return Ok(());
    }
    Err("levels and order disagree".to_owned())
}
