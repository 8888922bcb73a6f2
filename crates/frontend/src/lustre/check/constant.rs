//! Constants: each has a value that nothing but other constants determines. Expressions that are constant have values, too: a divisor must not be 0,
//! and an index must be in the array.

use super::{
    super::syntax::{BinaryOp, ExprKind, Id, Name, UnaryOp},
    globals::circular,
    order::order,
    scope::Scope,
    types::{Kind, Ty},
    typing::Typing,
    value::{self, MAX_BITS, Value},
    walk,
};
use crate::InputError;
use std::rc::Rc;

/// Arrays with more elements are not evaluated.
const MAX_ELEMENTS: usize = 256;

/// Types and values of constants that were looked at.
pub(super) struct Constants {
    pub(super) types: Vec<Option<Ty>>,
    values: Vec<Option<Value>>,
}

impl Constants {
    pub(super) fn new(count: usize) -> Constants {
        Constants { types: vec![None; count], values: vec![None; count] }
    }
}

impl Typing<'_, '_> {
    /// Checks all constants, in an order in which each comes after those it refers to.
    pub(super) fn constants(&mut self) -> Result<(), InputError> {
        let program = self.globals.program;
        let depends_on = |at: usize| -> Vec<usize> {
            let exprs = walk::subtree(program, program.constants[at].value);
            let name = |id: Id| match &program.expr(id).kind {
                ExprKind::Name(name) => self.globals.constants.get(name.as_str()).copied(),
                _ => None,
            };
            exprs.into_iter().filter_map(name).collect()
        };
        let sorted = order(program.constants.len(), depends_on).map_err(|circle| {
            let names: Vec<&Name> = circle.iter().map(|at| &program.constants[*at].name).collect();
            circular(self.report, "constant", &names)
        })?;
        let scope = Scope::constant();
        for at in sorted {
            let constant = &program.constants[at];
            self.must_be_constant(constant.value)?;
            let mut ty = self.expression(&scope, constant.value)?;
            if let Some(of) = &constant.of {
                let declared = self.globals.resolve(self.report, of)?;
                self.require(
                    constant.value,
                    declared,
                    &format!(" for the constant `{}`", constant.name.text),
                )?;
                ty = declared;
            }
            self.constants.types[at] = Some(ty);
            self.constants.values[at] = self.values[constant.value.0 as usize].clone();
        }
        Ok(())
    }

    /// Nothing that depends on the step.
    fn must_be_constant(&self, root: Id) -> Result<(), InputError> {
        for id in walk::subtree(self.globals.program, root) {
            let found = match &self.globals.program.expr(id).kind {
                ExprKind::Unary(UnaryOp::Pre, _) => "`pre`",
                ExprKind::Binary(BinaryOp::Arrow, ..) => "`->`",
                ExprKind::Condact { .. } => "`condact`",
                _ => continue,
            };
            return Err(self.error(self.at(id), format!("expected a constant, found {found}")));
        }
        Ok(())
    }

    /// The value of an expression whose operands have theirs, if it is constant.
    pub(super) fn value_of(&self, scope: &Scope<'_>, id: Id) -> Result<Option<Value>, InputError> {
        let of = |id: Id| self.values[id.0 as usize].as_ref();
        let expr = self.globals.program.expr(id);
        let value = match &expr.kind {
            ExprKind::Name(name) => self.value_of_name(scope, name),
            ExprKind::Int(value) => Some(Value::Int(value.clone())),
            ExprKind::Real(value) => Some(Value::Real(value.clone())),
            ExprKind::Bool(value) => Some(Value::Bool(*value)),
            ExprKind::ToReal(a) => of(*a).and_then(Value::to_real),
            ExprKind::Floor(a) => of(*a).and_then(Value::floor),
            ExprKind::Unary(UnaryOp::Pre, a) => of(*a).cloned(),
            ExprKind::Unary(op, a) => of(*a).and_then(|a| value::unary(*op, a)),
            ExprKind::Binary(op, a, b) => {
                if let (BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod, Some(divisor)) = (op, of(*b))
                    && divisor.is_zero()
                {
                    return Err(self.error(self.at(*b), "division by zero"));
                }
                of(*a).zip(of(*b)).and_then(|(a, b)| value::binary(*op, a, b))
            }
            ExprKind::If(condition, a, b) => match of(*condition) {
                Some(Value::Bool(true)) => of(*a).cloned(),
                Some(Value::Bool(false)) => of(*b).cloned(),
                _ => None,
            },
            ExprKind::Element(array, index) => match (of(*array), of(*index)) {
                (Some(array), Some(Value::Int(index))) => {
                    usize::try_from(index).ok().and_then(|index| array.part(index))
                }
                _ => None,
            },
            ExprKind::Field(record, field) => match self.globals.types.kind(self.of(*record)) {
                Kind::Record(_, fields) => {
                    let position = fields.iter().position(|(name, _)| *name == field.text);
                    of(*record).zip(position).and_then(|(record, position)| record.part(position))
                }
                _ => None,
            },
            ExprKind::Array(items) | ExprKind::Tuple(items) if items.len() <= MAX_ELEMENTS => {
                let values: Option<Vec<Value>> = items.iter().map(|item| of(*item).cloned()).collect();
                values.map(|values| Value::Compound(Rc::new(values)))
            }
            ExprKind::Record(_, given) => match self.globals.types.kind(self.of(id)) {
                Kind::Record(_, fields) => {
                    let value = |name: &String| {
                        let (_, value) = given.iter().find(|(field, _)| field.text == *name)?;
                        of(*value).cloned()
                    };
                    let values: Option<Vec<Value>> = fields.iter().map(|(name, _)| value(name)).collect();
                    values.map(|values| Value::Compound(Rc::new(values)))
                }
                _ => None,
            },
            _ => None,
        };
        if value.as_ref().is_some_and(Value::is_too_large) {
            return Err(
                self.error(&expr.at, format!("the value of this constant has more than {MAX_BITS} bits"))
            );
        }
        Ok(value)
    }

    fn value_of_name(&self, scope: &Scope<'_>, name: &str) -> Option<Value> {
        if scope.find(name).is_some() {
            return None;
        }
        match self.globals.values.get(name) {
            Some((_, position)) => Some(Value::Enum(*position)),
            None => self.globals.constants.get(name).and_then(|at| self.constants.values[*at].clone()),
        }
    }
}
