//! Expressions and signals in the order in which their meaning follows from that of others: strongly connected components, by Tarjan's algorithm.
//!
//! An expression depends on its operands, or on the signal that it reads; a signal on its definition, or on its initial and next value. Iterative,
//! because netlists are deep.

use crate::{ExprId, Node, SignalId, SignalKind, System};

/// The expressions come first, then the signals.
pub(super) struct Graph<'s> {
    system: &'s System,
    exprs: u32,
}

impl<'s> Graph<'s> {
    pub(super) fn new(system: &'s System) -> Graph<'s> {
        Graph { system, exprs: system.exprs.len() as u32 }
    }

    pub(super) fn len(&self) -> usize {
        self.system.exprs.len() + self.system.signals().len()
    }

    /// The expression or the signal that a node is.
    pub(super) fn thing(&self, node: u32) -> Result<ExprId, SignalId> {
        if node < self.exprs { Ok(ExprId(node)) } else { Err(SignalId(node - self.exprs)) }
    }

    pub(super) fn of_signal(&self, signal: SignalId) -> u32 {
        self.exprs + signal.0
    }

    /// What a node depends on, at one of at most three positions.
    fn successor(&self, node: u32, position: u8) -> Option<u32> {
        let exprs = match self.thing(node) {
            Ok(expr) => match *self.system.exprs.node(expr) {
                Node::Signal(signal) | Node::Next(signal) => {
                    return (position == 0).then(|| self.of_signal(signal));
                }
                Node::Const(_) => [None; 3],
                Node::Unary(_, a) => [Some(a), None, None],
                Node::Binary(_, a, b) => [Some(a), Some(b), None],
                Node::Ternary(_, a, b, c) => [Some(a), Some(b), Some(c)],
            },
            Err(signal) => match self.system.signal(signal).kind {
                SignalKind::Input => [None; 3],
                SignalKind::State { init, next } => [init.or(next), init.and(next), None],
                SignalKind::Wire { definition } => [Some(definition), None, None],
            },
        };
        exprs.get(position as usize).copied().flatten().map(|expr| expr.0)
    }

    /// Calls back with each component once those are done that it depends on. A component of several nodes goes round in a circle; no single node
    /// depends on itself.
    pub(super) fn components(&self, mut found: impl FnMut(&[u32])) {
        const NEW: u32 = 0;
        const DONE: u32 = u32::MAX;
        // When a node was first met, and the earliest of those that it reaches and that are not done.
        let mut low = vec![NEW; self.len()];
        let mut time = 0;
        let mut open: Vec<u32> = Vec::new();
        // A node, when it was met, and which successor comes next.
        let mut path: Vec<(u32, u32, u8)> = Vec::new();
        for root in 0..self.len() as u32 {
            if low[root as usize] != NEW {
                continue;
            }
            path.push((root, 0, 0));
            while let Some((node, met, position)) = path.last_mut() {
                if *position == 0 {
                    time += 1;
                    *met = time;
                    low[*node as usize] = time;
                    open.push(*node);
                }
                let (node, met, next) = (*node, *met, self.successor(*node, *position));
                *position += 1;
                if let Some(next) = next {
                    match low[next as usize] {
                        NEW => path.push((next, 0, 0)),
                        DONE => {}
                        earlier => low[node as usize] = low[node as usize].min(earlier),
                    }
                    continue;
                }
                path.pop();
                if let Some((before, ..)) = path.last() {
                    low[*before as usize] = low[*before as usize].min(low[node as usize]);
                }
                if low[node as usize] == met {
                    let first = open.iter().rposition(|member| *member == node).unwrap_or(0);
                    found(&open[first..]);
                    open[first..].iter().for_each(|member| low[*member as usize] = DONE);
                    open.truncate(first);
                }
            }
        }
    }
}
