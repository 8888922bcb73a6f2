//! Properties with definitions written out that nobody named.

use super::{SignalId, SignalKind, System, SystemError};
use crate::{Ctl, ExprId, PropertyKind};
use rustc_hash::FxHashMap;

impl System {
    /// Writes out the definitions of these wires in all properties. What properties say stays the same; they only mention other signals.
    ///
    /// # Errors
    /// When wires define each other.
    pub fn write_out_in_properties(
        &mut self,
        is_written_out: impl Fn(&System, SignalId) -> bool,
    ) -> Result<(), SystemError> {
        let mut table = FxHashMap::default();
        for wire in self.wire_order()? {
            if let SignalKind::Wire { definition } = self.signal(wire).kind
                && is_written_out(self, wire)
            {
                let (read, definition) = (self.read(wire), self.exprs.replaced(definition, &mut table));
                table.insert(read, definition);
            }
        }
        for property in &mut self.properties {
            let mut write_out = |expr: &mut ExprId| *expr = self.exprs.replaced(*expr, &mut table);
            match &mut property.kind {
                PropertyKind::Invariant(expr) => write_out(expr),
                PropertyKind::Justice(exprs) => exprs.iter_mut().for_each(&mut write_out),
                PropertyKind::Ctl(formula) => each_atom(formula, &mut write_out),
            }
            if let Some(formula) = &mut property.as_written {
                each_atom(formula, &mut write_out);
            }
        }
        Ok(())
    }
}

fn each_atom(formula: &mut Ctl, change: &mut dyn FnMut(&mut ExprId)) {
    match formula {
        Ctl::Atom(expr) => change(expr),
        Ctl::Not(a) | Ctl::Next(_, a) => each_atom(a, change),
        Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::Release(_, a, b) => {
            each_atom(a, change);
            each_atom(b, change);
        }
    }
}
