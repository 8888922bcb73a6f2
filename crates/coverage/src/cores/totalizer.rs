//! Counting true literals by clauses: the totalizer, which grows with the number of literals and with the bound.
//!
//! A tree whose leaves are literals; the outputs of a node say in unary how many leaves below it are true, at least. A node's clauses say that i true ones on the left and j on the right make i + j, and are added only up to
//! the bound that somebody has asked for. New literals are a tree of their own, put beside the old one under a new root.
//!
//! # References
//! - O. Bailleux, Y. Boufkhad: Efficient CNF encoding of Boolean cardinality constraints. CP 2003.
//! - R. Martins, S. Joshi, V. Manquinho, I. Lynce: Incremental cardinality constraints for MaxSAT. CP 2014.

use propcov_sat::{Lit, Solver};

/// Counts literals.
#[derive(Default)]
pub(super) struct Totalizer {
    /// Children come before their parents; the last is the root.
    nodes: Vec<Node>,
}

struct Node {
    children: Option<(usize, usize)>,
    leaves: usize,
    /// The i-th is implied by i + 1 true leaves.
    outputs: Vec<Lit>,
}

impl Totalizer {
    /// Counts these literals as well.
    pub(super) fn add(&mut self, literals: &[Lit]) {
        let root = self.nodes.len().checked_sub(1);
        let mut layer: Vec<usize> = Vec::new();
        for literal in literals {
            self.nodes.push(Node { children: None, leaves: 1, outputs: vec![*literal] });
            layer.push(self.nodes.len() - 1);
        }
        while layer.len() > 1 {
            layer = layer.chunks(2).map(|pair| self.join(pair)).collect();
        }
        if let (Some(root), Some(added)) = (root, layer.first()) {
            self.join(&[root, *added]);
        }
    }

    fn join(&mut self, pair: &[usize]) -> usize {
        let &[left, right] = pair else { return pair[0] };
        let leaves = self.nodes[left].leaves + self.nodes[right].leaves;
        self.nodes.push(Node { children: Some((left, right)), leaves, outputs: Vec::new() });
        self.nodes.len() - 1
    }

    /// A literal to assume so that at most so many of the literals are true; `None` if there are no more anyway.
    pub(super) fn at_most(&mut self, solver: &mut dyn Solver, bound: usize) -> Option<Lit> {
        if self.nodes.last()?.leaves <= bound {
            return None;
        }
        for index in 0..self.nodes.len() {
            self.extend(solver, index, bound + 1);
        }
        self.nodes.last()?.outputs.get(bound).map(|output| !*output)
    }

    /// Gives a node outputs for counts up to this one.
    fn extend(&mut self, solver: &mut dyn Solver, index: usize, count: usize) {
        let Some((left, right)) = self.nodes[index].children else { return };
        let count = count.min(self.nodes[index].leaves);
        while self.nodes[index].outputs.len() < count {
            let output = solver.new_var().positive();
            self.nodes[index].outputs.push(output);
            let sum = self.nodes[index].outputs.len();
            let (left, right) = (&self.nodes[left], &self.nodes[right]);
            for on_left in sum.saturating_sub(right.leaves)..=sum.min(left.leaves) {
                let mut clause = vec![output];
                if on_left > 0 {
                    clause.push(!left.outputs[on_left - 1]);
                }
                if on_left < sum {
                    clause.push(!right.outputs[sum - on_left - 1]);
                }
                solver.add_clause(&clause);
            }
        }
    }
}
