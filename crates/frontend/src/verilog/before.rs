//! What `$past` and its relatives are before there was a tick.
//!
//! The standard takes the value that variables have by default (16.5.1): what a declaration gives, or else that of the type, 0 for `bit` and unknown for `logic`, which is any value
//! here. What an `initial` block assigns does not count. So a state that remembers an expression starts with the value that this has then, if that is known, and otherwise anywhere.

use super::machine::Machine;
use super::record::SymbolRef;
use super::variable::Variable;
use propcov_ir::{ExprId, Node, Origin, SignalId, SignalKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

impl Machine<'_> {
    /// Gives states that remember values their first ones.
    pub(super) fn set_first_values(&mut self) {
        let mut certain: FxHashMap<SignalId, ExprId> = FxHashMap::default();
        for symbol in (0..self.export.symbols.len() as u32).map(SymbolRef) {
            let Variable::Word(pieces) = &self.variables[symbol.index()] else { continue };
            let pieces: Vec<(SignalId, u32, u32)> =
                pieces.iter().filter_map(|piece| Some((piece.signal?, piece.low, piece.width))).collect();
            let declared = self.declared.get(&symbol).copied();
            let is_zero = !self.export.symbol(symbol).knows_x;
            for (signal, low, width) in pieces {
                let value = declared.map(|value| self.slice(value, low, width));
                let value = value.filter(|value| self.known(*value).is_some());
                if let Some(value) = value.or_else(|| is_zero.then(|| self.bits(width, 0))) {
                    certain.insert(signal, value);
                }
            }
        }
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
        certain: &FxHashMap<SignalId, ExprId>,
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
        certain: &FxHashMap<SignalId, ExprId>,
        table: &mut FxHashMap<ExprId, ExprId>,
    ) -> Option<ExprId> {
        if let Some(value) = certain.get(&signal) {
            return Some(*value);
        }
        let known = self.system.signal(signal);
        match known.kind {
            // What a monitor or another helper starts with.
            SignalKind::State { init: Some(init), .. }
                if known.origin == Origin::Helper && self.known(init).is_some() =>
            {
                Some(init)
            }
            SignalKind::Wire { definition } if known.origin == Origin::Helper => {
                self.by_default(definition, certain, table)
            }
            _ => None,
        }
    }
}
