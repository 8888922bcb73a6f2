//! The types of declared variables, and one variable for each element of an array.

use super::{
    lowering::Lowering,
    scope::{InstanceId, Shape, Variable, VariableId},
    syntax::{Expr, ExprKind, Type as TypeSyntax, TypeKind, UnaryOp, VariableKind},
    types::{Interval, Kind, MAX_VALUES, Scalar, Type},
};
use crate::InputError;
use std::rc::Rc;

/// The most variables that arrays may ask for.
const MAX_VARIABLES: usize = 1 << 18;

/// The widest word.
pub(super) const MAX_WIDTH: i64 = 1 << 16;

impl<'a> Lowering<'a> {
    /// Evaluates the types of all declarations.
    pub(super) fn declare(&mut self) -> Result<(), InputError> {
        for index in 0..self.scopes.declarations.len() {
            let declaration = &self.scopes.declarations[index];
            let (name, kind) = (declaration.name.clone(), declaration.kind);
            let (written, scope) = (declaration.written, declaration.scope);
            let shape = self.shape(name, kind, written, scope)?;
            self.scopes.declarations[index].shape = Some(shape);
        }
        Ok(())
    }

    fn shape(
        &mut self,
        name: String,
        kind: VariableKind,
        written: &'a TypeSyntax,
        scope: InstanceId,
    ) -> Result<Shape, InputError> {
        if let TypeKind::Array(low, high, of) = &written.kind {
            let (low, high) = (self.bound(low, scope)?, self.bound(high, scope)?);
            if high < low {
                return Err(self.error(&written.place, format!("the array {low}..{high} has no elements")));
            }
            if high.abs_diff(low) >= MAX_VARIABLES as u64 {
                return Err(
                    self.error(&written.place, format!("an array of more than {MAX_VARIABLES} elements"))
                );
            }
            let elements: Result<Rc<[Shape]>, InputError> =
                (low..=high).map(|index| self.shape(format!("{name}[{index}]"), kind, of, scope)).collect();
            return Ok(Shape::Array(low, elements?));
        }
        if self.scopes.variables.len() >= MAX_VARIABLES {
            return Err(self.error(&written.place, format!("more than {MAX_VARIABLES} variables")));
        }
        let of = self.type_of(written, scope)?;
        self.scopes.variables.push(Variable { name, home: scope, kind, of });
        Ok(Shape::Variable(VariableId(self.scopes.variables.len() as u32 - 1)))
    }

    fn bound(&self, expr: &'a Expr, scope: InstanceId) -> Result<i64, InputError> {
        // For what is no constant at all, say what it is instead.
        self.scopes.constant(expr, scope, &self.report).ok_or_else(|| {
            let text = self.report.text(&expr.place);
            self.error(&expr.place, format!("expected a constant integer, found `{text}`"))
        })
    }

    fn type_of(&mut self, written: &'a TypeSyntax, scope: InstanceId) -> Result<Type, InputError> {
        match &written.kind {
            TypeKind::Boolean => Ok(Type::Boolean),
            TypeKind::Range(low, high) => {
                let (low, high) = (self.bound(low, scope)?, self.bound(high, scope)?);
                if high < low {
                    return Err(self.error(&written.place, format!("the range {low}..{high} is empty")));
                }
                if high.abs_diff(low) >= MAX_VALUES as u64 {
                    let message = format!(
                        "the range {low}..{high} has more than {MAX_VALUES} values (a word may be better)"
                    );
                    return Err(self.error(&written.place, message));
                }
                match Interval::new(low.into(), high.into()) {
                    Some(range) => Ok(Type::Finite(self.types.range(range))),
                    None => Err(self.error(&written.place, "integers beyond 62 bits are not supported")),
                }
            }
            TypeKind::Enumeration(values) => self.enumeration(written, values),
            TypeKind::Word { signed, width } => {
                let width_value = self.bound(width, scope)?;
                if !(1..=MAX_WIDTH).contains(&width_value) {
                    let message = format!("a word has between 1 and {MAX_WIDTH} bits, found {width_value}");
                    return Err(self.error(&width.place, message));
                }
                Ok(Type::Word { signed: *signed, width: width_value as u32 })
            }
            TypeKind::Integer => Ok(Type::Number(Kind::Integer)),
            TypeKind::Real => Ok(Type::Number(Kind::Real)),
            TypeKind::Unsupported(what) => {
                Err(self.error(&written.place, format!("variables of type {what} are not supported")))
            }
            TypeKind::Array(..) | TypeKind::Module { .. } => {
                Err(self.error(&written.place, "expected the type of a variable"))
            }
        }
    }

    fn enumeration(&mut self, written: &'a TypeSyntax, values: &'a [Expr]) -> Result<Type, InputError> {
        let mut scalars = Vec::with_capacity(values.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for value in values {
            let scalar = self.enumerated(value).ok_or_else(|| {
                let text = self.report.text(&value.place);
                self.error(&value.place, format!("expected a symbol or an integer, found `{text}`"))
            })?;
            if !seen.insert(scalar.clone()) {
                return Err(self.error(&value.place, format!("{scalar} is listed twice")));
            }
            scalars.push(scalar);
        }
        if scalars.is_empty() || scalars.len() > MAX_VALUES {
            let message = format!("an enumeration has between 1 and {MAX_VALUES} values");
            return Err(self.error(&written.place, message));
        }
        // The enumeration of the two truth values is the type of truth values.
        if scalars.len() == 2 && scalars.iter().all(|scalar| matches!(scalar, Scalar::Boolean(_))) {
            return Ok(Type::Boolean);
        }
        Ok(Type::Finite(self.types.of(scalars)))
    }

    fn enumerated(&self, value: &Expr) -> Option<Scalar> {
        match &value.kind {
            ExprKind::Name(name) => Some(Scalar::Symbol(name.as_str().into())),
            ExprKind::Boolean(value) => Some(Scalar::Boolean(*value)),
            ExprKind::Integer(value) => Some(Scalar::Integer(small(value)?)),
            ExprKind::Unary(UnaryOp::Minus, value) => match &value.kind {
                ExprKind::Integer(value) => Some(Scalar::Integer(-small(value)?)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The integer, if it fits 62 bits.
pub(super) fn small(value: &dashu_int::IBig) -> Option<i64> {
    let value = i64::try_from(value).ok()?;
    Interval::new(value.into(), value.into()).map(|range| range.low)
}
