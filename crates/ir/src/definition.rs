//! What a definition says once the overlay of edits has been asked.
//!
//! Interpreter, simulator and encoders all ask here, so that none of them forgets a kind of edit.

use crate::{Edit, Edits, ExprId, SignalId, SignalKind, Site, System, SystemError, Value};

/// The meaning of a definition site under edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition<'a> {
    /// Nothing is said: any value will do, and a constraint restricts nothing.
    Open,
    /// The value of the expression.
    Expr(ExprId),
    /// The bit-wise negation of the expression's value.
    Inverted(ExprId),
    /// This value.
    Const(&'a Value),
}

impl System {
    /// What the definition at a site says under edits. Sites that do not exist are open.
    pub fn definition<'e>(&self, edits: &'e Edits, site: Site) -> Definition<'e> {
        let written = match site {
            Site::Wire(id) => match self.signal(id).kind {
                SignalKind::Wire { definition } => Some(definition),
                _ => None,
            },
            Site::Next(id) => match self.signal(id).kind {
                SignalKind::State { next, .. } => next,
                _ => None,
            },
            Site::Init(id) => match self.signal(id).kind {
                SignalKind::State { init, .. } => init,
                _ => None,
            },
            Site::Constraint(id) => self.constraints().get(id.0 as usize).map(|constraint| constraint.expr),
        };
        match (self.edit_at(edits, site), written) {
            (None, Some(expr)) => Definition::Expr(expr),
            (Some(Edit::Invert), Some(expr)) => Definition::Inverted(expr),
            (Some(Edit::Const(value)), _) => Definition::Const(value),
            (Some(Edit::Replace(expr)), _) => Definition::Expr(*expr),
            (Some(Edit::Free), _) | (None | Some(Edit::Invert), None) => Definition::Open,
        }
    }

    /// The wires that have a definition under edits, each after those that it reads.
    pub fn wire_order_under(&self, edits: &Edits) -> Result<Vec<SignalId>, SystemError> {
        // Only a replacement can make a wire depend on other wires than before. Variants of what was written depend on the same ones.
        let reordered = edits.iter().any(|(element, edit)| match (edit, self.element(element).site) {
            (Edit::Replace(expr), Site::Wire(_)) => self
                .variants(element)
                .is_none_or(|variants| *expr != variants.off_by_one && *expr != variants.stale),
            _ => false,
        });
        if reordered {
            return self.edited(edits).wire_order();
        }
        let mut wires = self.wire_order()?;
        wires.retain(|wire| self.definition(edits, Site::Wire(*wire)) != Definition::Open);
        Ok(wires)
    }
}
