//! Sets of states as expressions, a multiplexer for each node, for those who know nothing of diagrams.

use crate::model::Model;
use propcov_bdd::{Bdd, Var};
use propcov_ir::{ExprId, ExprPool, System};
use propcov_solve::state_bit;
use rustc_hash::FxHashMap;

/// More expressions than this are not worth being checked by a SAT solver.
const LARGEST: usize = 60_000;

/// Why a set is not written down.
pub(crate) type Missing = &'static str;

/// Sets that were written down, which share their parts.
pub(crate) struct Sets<'s> {
    system: &'s System,
    pub(crate) exprs: ExprPool,
    bit_of: FxHashMap<Var, ExprId>,
    /// The multiplexer of each node.
    written: FxHashMap<Bdd, ExprId>,
}

impl<'s> Sets<'s> {
    pub(crate) fn new(system: &'s System) -> Sets<'s> {
        let (bit_of, written) = (FxHashMap::default(), FxHashMap::default());
        Sets { system, exprs: ExprPool::new(), bit_of, written }
    }

    /// The set as an expression.
    pub(crate) fn write(&mut self, model: &Model, set: &Bdd) -> Result<ExprId, Missing> {
        for var in set.support() {
            if self.bit_of.contains_key(&var) {
                continue;
            }
            let Some(latch) = model.latch_of.get(&var) else {
                return Err("a set depends on more than states");
            };
            let origin = model.netlist.latches[*latch].origin;
            let sort = self.system.signal(origin.state).sort.clone();
            let state = self.exprs.signal(origin.state, sort.clone());
            let bit = state_bit(&mut self.exprs, state, &sort, origin.index);
            self.bit_of.insert(var, bit);
        }
        let mut open = vec![set.clone()];
        while let Some(node) = open.last().cloned() {
            if self.written.contains_key(&node) {
                open.pop();
                continue;
            }
            if self.exprs.len() > LARGEST {
                return Err("the sets of states are too large");
            }
            let Some((var, otherwise, then)) = node.top() else {
                let constant = self.exprs.bool(node.is_true());
                self.written.insert(node, constant);
                continue;
            };
            match (self.written.get(&then).copied(), self.written.get(&otherwise).copied()) {
                (Some(then), Some(otherwise)) => {
                    let Some(condition) = self.bit_of.get(&var).copied() else {
                        return Err("a set depends on more than states");
                    };
                    let expr = self.exprs.ite(condition, then, otherwise);
                    self.written.insert(node, expr);
                }
                _ => open.extend([then, otherwise]),
            }
        }
        Ok(self.written[set])
    }
}
