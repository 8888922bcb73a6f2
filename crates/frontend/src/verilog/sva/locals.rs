//! Local variables: what is assigned at one tick and compared at another.
//!
//! `(req, id = tag) |-> ##[1:$] (ack && tag == id)` would need a copy of `id` for each attempt that is under way. Instead there is one value that never changes, and may be any: the
//! assignment becomes the condition that the assigned value is this one, and only attempts for which it is are looked at. Whatever value an attempt assigns,
//! some run has it; so an assertion fails with copies exactly if it fails with some value. This is right where a variable is
//! assigned once, before it is read, in the antecedent of an implication that has to hold. In a `cover` it is right wherever a sequence has to match. Anything else is refused.

use super::super::record::{ExprKind, ExprRef, PropertyKind, PropertyRef, SymbolRef};
use super::super::references::{self, Reference};
use super::read::Reader;
use super::syntax::{Sequence, Times};
use crate::InputError;
use propcov_ir::Origin;
use rustc_hash::FxHashSet;

/// Where local variables may be assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Binding {
    /// Nowhere.
    Never,
    /// In the antecedents of what has to hold.
    Antecedents,
    /// Here: in an antecedent.
    Here,
    /// In what is to be reached.
    Goal,
}

impl Binding {
    /// Within a property of this kind. Under what is negated, or only has to hold now and then, nothing may be assigned.
    pub(super) fn inside(self, kind: &PropertyKind) -> Binding {
        let is_plain = match kind {
            PropertyKind::Unary(operator, ..) => {
                matches!(operator.as_str(), "Always" | "SAlways" | "NextTime" | "SNextTime")
            }
            PropertyKind::Binary(operator, ..) => {
                operator == "And" || operator.ends_with("Implication") || operator.ends_with("FollowedBy")
            }
            PropertyKind::Case(..) | PropertyKind::Other(_) => false,
            _ => true,
        };
        if is_plain { self } else { Binding::Never }
    }

    /// Before an implication, or before what is followed by something.
    pub(super) fn before(self, is_antecedent: bool) -> Binding {
        match self {
            Binding::Antecedents if is_antecedent => Binding::Here,
            Binding::Goal => Binding::Goal,
            _ => Binding::Never,
        }
    }
}

impl Reader<'_, '_> {
    /// Gives local variables a value that never changes.
    pub(super) fn declare(&mut self, variables: &[(SymbolRef, Option<ExprRef>)]) -> Result<(), InputError> {
        for (variable, start) in variables {
            let known = self.machine.export.symbol(*variable);
            if known.attributes.iter().any(|name| name == "local argument") {
                let at = known.at.unwrap_or(self.at);
                let message = format!("local arguments are not supported ({})", known.name);
                return self.machine.error(at, message);
            }
            if let Some(start) = start {
                let at = self.machine.export.expr(*start).at;
                return self
                    .machine
                    .error(at, "local variables that are declared with a value are not supported");
            }
            let (name, width) = (known.name.as_str(), self.machine.export.symbol_type(*variable).width);
            let Some(at) = known.at else { continue };
            self.machine.check_size(*variable)?;
            let value = self.machine.any_constant(width, (name, Origin::Property), at);
            self.machine.set_local(*variable, Some(value), at)?;
            self.declared.push(*variable);
        }
        Ok(())
    }

    /// Refuses an expression that reads a local variable which may have no value yet: one that has none, that is assigned later, or in another branch.
    pub(super) fn check_values(&self, expr: ExprRef) -> Result<(), InputError> {
        if self.declared.is_empty() {
            return Ok(());
        }
        let export = self.machine.export;
        let (mut open, mut seen) = (vec![expr], FxHashSet::default());
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            let known = export.expr(expr);
            if let ExprKind::Value(variable) = known.what
                && self.declared.contains(&variable)
                && !self.valued.contains(&variable)
            {
                let name = &export.symbol(variable).name;
                let message = format!("local variable {name} is read where it may not have been assigned");
                return self.machine.error(known.at, message);
            }
            open.extend(references::of_expr(known).0.into_iter().filter_map(|reference| match reference {
                Reference::Expr(inner) => Some(inner),
                _ => None,
            }));
        }
        Ok(())
    }

    /// A sequence at whose end variables are assigned: they have this value. Calls only tell somebody something.
    pub(super) fn with_assignments(
        &mut self,
        mut sequence: Sequence,
        items: &[ExprRef],
    ) -> Result<Sequence, InputError> {
        let export = self.machine.export;
        for item in items {
            let at = export.expr(*item).at;
            let (target, value) = match export.expr(*item).what {
                ExprKind::System(..) | ExprKind::Call(..) => continue,
                ExprKind::Assign(target, value, _) => (target, value),
                _ => {
                    return self
                        .machine
                        .error(at, "local variables are only supported with plain assignments");
                }
            };
            let ExprKind::Value(variable) = export.expr(target).what else {
                return self.machine.error(at, "assigning a part of local variables is not supported");
            };
            if !matches!(self.binding, Binding::Here | Binding::Goal) {
                if !self.has_locals {
                    return self.machine.error(
                        at,
                        "local variables are not supported in assumptions, and in sequences whose end is asked for",
                    );
                }
                return self.machine.error(
                    at,
                    "local variables are only supported where they are assigned in the antecedent of an assertion, or in a cover",
                );
            }
            if self.assigned.contains(&variable) {
                return self
                    .machine
                    .error(at, "local variables that are assigned more than once are not supported");
            }
            self.check_values(value)?;
            self.assigned.push(variable);
            self.valued.push(variable);
            let (value, kept) = (self.machine.eval(value)?, self.machine.read(variable)?);
            if self.machine.width(value) != self.machine.width(kept) {
                return self.machine.error(at, "a value of another width");
            }
            let is_kept = self.machine.eq(value, kept);
            let is_kept = Sequence::Is(self.atom(is_kept));
            sequence = Sequence::Delay(Some(Box::new(sequence)), Times::exactly(0), Box::new(is_kept));
        }
        Ok(sequence)
    }

    /// Refuses assignments where one match may assign several times, or not at all.
    pub(super) fn none_assigned_since(
        &self,
        before: usize,
        property: PropertyRef,
        place: &str,
    ) -> Result<(), InputError> {
        if self.assigned.len() == before {
            return Ok(());
        }
        self.error(property, format!("local variables that are assigned {place} are not supported"))
    }
}
