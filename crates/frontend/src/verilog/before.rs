//! What `$past` and its relatives are before there was a tick.
//!
//! The standard takes the value that variables have by default: 0 for `bit`, or what a declaration gives; unknown for `logic`, which is any value here. So a
//! state that remembers an expression of `bit`s starts with the value that this has then, and any other starts anywhere.

use super::machine::Machine;
use super::record::SymbolRef;
use super::variable::Variable;
use propcov_ir::{ExprId, Node, Origin, SignalId, SignalKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

impl Machine<'_> {
    /// Gives states that remember values their first ones.
    pub(super) fn set_first_values(&mut self) {
        let certain: FxHashSet<SignalId> = (0..self.export.symbols.len() as u32)
            .map(SymbolRef)
            .filter(|symbol| !self.export.symbol(*symbol).knows_x)
            .filter_map(|symbol| match &self.variables[symbol.index()] {
                Variable::Word(pieces) => Some(pieces.iter().filter_map(|piece| piece.signal)),
                Variable::Memory(_) => None,
            })
            .flatten()
            .collect();
        let mut table = FxHashMap::default();
        for (state, value) in std::mem::take(&mut self.first_values) {
            if let Some(first) = self.by_default(value, &certain, &mut table) {
                self.system.set_init(state, first);
            }
        }
    }

    /// The value of an expression before the first tick, if all that it reads has one.
    fn by_default(
        &mut self,
        value: ExprId,
        certain: &FxHashSet<SignalId>,
        table: &mut FxHashMap<ExprId, ExprId>,
    ) -> Option<ExprId> {
        let (mut open, mut seen, mut read) = (vec![value], FxHashSet::default(), Vec::new());
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match *self.system.exprs.node(expr) {
                Node::Signal(signal) => read.push((expr, signal)),
                _ => open.extend(self.system.exprs.operands(expr)),
            }
        }
        read.sort_unstable();
        for (expr, signal) in read {
            if !table.contains_key(&expr) {
                let first = self.signal_by_default(signal, certain, table)?;
                table.insert(expr, first);
            }
        }
        let replaced = self.system.exprs.replaced(value, table);
        let first = self.known(replaced).filter(|value| matches!(value, Value::Bits(_)))?;
        Some(self.system.exprs.constant(first))
    }

    fn signal_by_default(
        &mut self,
        signal: SignalId,
        certain: &FxHashSet<SignalId>,
        table: &mut FxHashMap<ExprId, ExprId>,
    ) -> Option<ExprId> {
        let known = self.system.signal(signal);
        let width = known.sort.width()?;
        match known.kind {
            SignalKind::State { init: Some(init), .. } if self.known(init).is_some() => Some(init),
            _ if certain.contains(&signal) => Some(self.bits(width, 0)),
            SignalKind::Wire { definition } if known.origin == Origin::Helper => {
                self.by_default(definition, certain, table)
            }
            _ => None,
        }
    }
}
