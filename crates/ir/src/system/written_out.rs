//! Properties with definitions written out that nobody named.

use super::{System, SystemError};
use crate::{ExprId, PropertyKind, SignalId, SignalKind};
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
            let mut write_out = |expr: ExprId| self.exprs.replaced(expr, &mut table);
            match &mut property.kind {
                PropertyKind::Invariant(expr) => *expr = write_out(*expr),
                PropertyKind::Justice(exprs) => exprs.iter_mut().for_each(|expr| *expr = write_out(*expr)),
                PropertyKind::Ctl(formula) => *formula = formula.with_atoms(&mut write_out),
                PropertyKind::Ltl(formula) => *formula = formula.with_atoms(&mut write_out),
            }
            property.tests.all.iter_mut().for_each(|test| test.happens = write_out(test.happens));
            if let Some(formula) = &mut property.as_written {
                *formula = formula.with_atoms(&mut write_out);
            }
        }
        Ok(())
    }
}
