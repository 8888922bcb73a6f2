//! The value of an expression in an instance, as a list of scalars. Iterative: depth is no limit.

use super::super::syntax::{At, BinaryOp, ExprKind, Id, UnaryOp};
use super::{
    inline::InstanceId,
    lowering::{Lowering, UNKNOWN},
    names::{Meaning, each_operand},
    types::Resolved,
};
use crate::InputError;
use propcov_ir::{ExprId, Sort, Value};
use std::rc::Rc;

/// A value: one scalar, or those of a record, array or tuple.
#[derive(Clone, Debug)]
pub(super) enum Flat {
    One(ExprId),
    Many(Rc<[ExprId]>),
}

impl From<Vec<ExprId>> for Flat {
    fn from(scalars: Vec<ExprId>) -> Flat {
        match scalars.as_slice() {
            [only] => Flat::One(*only),
            _ => Flat::Many(scalars.into()),
        }
    }
}

impl Flat {
    pub(super) fn scalars(&self) -> &[ExprId] {
        match self {
            Flat::One(scalar) => std::slice::from_ref(scalar),
            Flat::Many(scalars) => scalars,
        }
    }
}

/// What is left to do.
enum Task {
    /// An expression, and whether its value in the step before is asked for.
    Visit(Id, bool),
    /// An expression whose operands are on the stack of values.
    Build(Id),
}

impl Lowering<'_> {
    /// The value of a Boolean expression.
    pub(super) fn condition(&mut self, scope: InstanceId, root: Id) -> Result<ExprId, InputError> {
        match self.value(scope, root)? {
            Flat::One(expr) if expr != UNKNOWN && self.system.exprs.sort(expr).is_bool() => Ok(expr),
            _ => {
                let at = self.inlined.names.program.expr(root).at.clone();
                Err(self.error(&at, "expected a Boolean expression"))
            }
        }
    }

    /// The value of an expression; the variables that it reads have been lowered.
    pub(super) fn value(&mut self, scope: InstanceId, root: Id) -> Result<Flat, InputError> {
        let program = self.inlined.names.program;
        let mut values: Vec<Flat> = Vec::new();
        let mut tasks = vec![Task::Visit(root, false)];
        while let Some(task) = tasks.pop() {
            let (id, before) = match task {
                Task::Visit(id, before) => (id, before),
                Task::Build(id) => {
                    let mut count = 0;
                    each_operand(&program.expr(id).kind, |_| count += 1);
                    let parts = values.split_off(values.len().saturating_sub(count));
                    values.push(self.build(id, &parts)?);
                    continue;
                }
            };
            match &program.expr(id).kind {
                ExprKind::Unary(UnaryOp::Pre, operand) => match self.inlined.flattened(scope, id) {
                    Some(variable) => values.push(self.before(variable)),
                    None => tasks.push(Task::Visit(*operand, true)),
                },
                kind => match self.leaf(scope, id, before)? {
                    Some(value) => values.push(value),
                    None => {
                        tasks.push(Task::Build(id));
                        let start = tasks.len();
                        each_operand(kind, |part| tasks.push(Task::Visit(part, before)));
                        tasks[start..].reverse();
                    }
                },
            }
        }
        values.pop().ok_or_else(|| self.error(&program.expr(root).at, "an expression without value"))
    }

    /// The value of an expression without operands, or of a call of a node.
    pub(super) fn leaf(
        &mut self,
        scope: InstanceId,
        id: Id,
        before: bool,
    ) -> Result<Option<Flat>, InputError> {
        let names = &self.inlined.names;
        let expr = names.program.expr(id);
        let value = match (&expr.kind, names.meaning(id)) {
            (ExprKind::Name(_), Meaning::Variable(position)) => {
                let variable = self.inlined.variable(scope, position);
                return Ok(Some(if before { self.before(variable) } else { self.now(variable) }));
            }
            (ExprKind::Call(..), Meaning::Node(_)) => {
                let mut scalars = Vec::new();
                for output in self.inlined.outputs(scope, id) {
                    let value = if before { self.before(output) } else { self.now(output) };
                    scalars.extend_from_slice(value.scalars());
                }
                return Ok(Some(Flat::from(scalars)));
            }
            (ExprKind::Name(_), Meaning::Constant(at)) => return self.constant(at).map(Some),
            (ExprKind::Name(_), Meaning::Value(of, position)) => match names.types.get(of) {
                Resolved::Enum(sort) => Value::Enum(sort.clone(), position),
                _ => return Err(self.error(&expr.at, "expected a value of an enumeration")),
            },
            (ExprKind::Int(value), _) => Value::Int(value.clone()),
            (ExprKind::Real(value), _) => Value::Real(value.clone()),
            (ExprKind::Bool(value), _) => Value::bool(*value),
            _ => return Ok(None),
        };
        Ok(Some(Flat::One(self.system.exprs.constant(value))))
    }

    /// The value of a constant. One constant may be made of others, as deep as there are constants.
    fn constant(&mut self, at: u32) -> Result<Flat, InputError> {
        let program = self.inlined.names.program;
        let mut stack = vec![at];
        while let Some(&at) = stack.last() {
            if self.constants.contains_key(&at) {
                stack.pop();
                continue;
            }
            let value = program.constants[at as usize].value;
            let used = super::names::under(program, [value]).into_iter();
            let missing = used.filter_map(|id| match self.inlined.names.meaning(id) {
                Meaning::Constant(at) if !self.constants.contains_key(&at) => Some(at),
                _ => None,
            });
            let before = stack.len();
            stack.extend(missing);
            if stack.len() == before {
                let value = self.value(InstanceId(0), value)?;
                self.constants.insert(at, value);
                stack.pop();
            }
        }
        Ok(self.constants[&at].clone())
    }

    /// The value of an expression from those of its operands.
    pub(super) fn build(&mut self, id: Id, parts: &[Flat]) -> Result<Flat, InputError> {
        let names = &self.inlined.names;
        let expr = names.program.expr(id);
        let at = &expr.at;
        match (&expr.kind, parts) {
            (ExprKind::Cast(machine, from), [Flat::One(a)]) => {
                self.machine_cast(*machine, *from, *a, at).map(Flat::One)
            }
            (ExprKind::Floor(from), [Flat::One(a)]) if self.machine_of(*from).is_some() => {
                self.machine_to_int(*from, *a, at).map(Flat::One)
            }
            // What is an int or a real already.
            (ExprKind::Floor(_), [Flat::One(a)])
                if *a == UNKNOWN || *self.system.exprs.sort(*a) == Sort::Int =>
            {
                Ok(Flat::One(*a))
            }
            (ExprKind::ToReal(_), [Flat::One(a)])
                if *a != UNKNOWN && *self.system.exprs.sort(*a) == Sort::Real =>
            {
                Ok(Flat::One(*a))
            }
            (ExprKind::ToReal(_), [Flat::One(a)]) => {
                self.unary(propcov_ir::UnaryOp::ToReal, *a, at).map(Flat::One)
            }
            (ExprKind::Floor(_), [Flat::One(a)]) => {
                self.unary(propcov_ir::UnaryOp::Floor, *a, at).map(Flat::One)
            }
            (ExprKind::Unary(UnaryOp::Not | UnaryOp::BitNot, _), [Flat::One(a)]) => {
                self.unary(propcov_ir::UnaryOp::Not, *a, at).map(Flat::One)
            }
            (ExprKind::Unary(UnaryOp::Negate, _), [Flat::One(a)]) => {
                self.unary(propcov_ir::UnaryOp::Neg, *a, at).map(Flat::One)
            }
            (ExprKind::Binary(BinaryOp::Arrow, ..), [a, b]) => {
                let first = self.first();
                self.choose(first, a, b, at)
            }
            (ExprKind::Binary(BinaryOp::Equal, ..), [a, b]) => self.equal(a, b, at).map(Flat::One),
            (ExprKind::Binary(BinaryOp::NotEqual, ..), [a, b]) => {
                let equal = self.equal(a, b, at)?;
                self.unary(propcov_ir::UnaryOp::Not, equal, at).map(Flat::One)
            }
            (ExprKind::Binary(op, ..), [Flat::One(a), Flat::One(b)]) => {
                self.operator(*op, *a, *b, id).map(Flat::One)
            }
            (ExprKind::If(..), [Flat::One(condition), a, b]) => self.choose(*condition, a, b, at),
            (ExprKind::Field(record, field), [value]) => {
                let found = names.types.field(names.of(*record), &field.text);
                let (offset, of) = found.ok_or_else(|| self.error(at, "expected a record"))?;
                let size = self.inlined.names.types.size(of);
                self.slice(value, offset, size, at)
            }
            (ExprKind::FieldUpdate(record, field, _), [value, new]) => {
                let found = names.types.field(names.of(*record), &field.text);
                let (offset, _) = found.ok_or_else(|| self.error(at, "expected a record"))?;
                self.replaced(value, offset, new, at)
            }
            (ExprKind::Element(array, _), [value, Flat::One(index)]) => {
                self.element(*array, value, *index, at)
            }
            (ExprKind::ElementUpdate(array, ..), [value, Flat::One(index), new]) => {
                self.element_update(*array, value, *index, new, at)
            }
            (ExprKind::Record(..) | ExprKind::Array(_) | ExprKind::Tuple(_), parts) => {
                Ok(Flat::from(parts.iter().flat_map(|part| part.scalars()).copied().collect::<Vec<_>>()))
            }
            (ExprKind::Call(..), arguments) => match names.meaning(id) {
                Meaning::Function(function) => self.apply(function, arguments, at),
                _ => Err(self.error(at, "expected a function")),
            },
            _ => Err(self.error(at, "the operands do not have the types that are expected here")),
        }
    }

    /// A function at its arguments: read from its table.
    fn apply(&mut self, function: u32, arguments: &[Flat], at: &At) -> Result<Flat, InputError> {
        let tables = match self.functions.get(&function) {
            Some(tables) => tables.clone(),
            None => self.tables(function),
        };
        let mut results = Vec::with_capacity(tables.len());
        for table in tables {
            let mut value = table;
            for argument in arguments.iter().flat_map(|argument| argument.scalars()) {
                value = self.binary(propcov_ir::BinaryOp::Read, value, *argument, at)?;
            }
            results.push(value);
        }
        Ok(Flat::from(results))
    }

    /// The tables of a function: states that never change, one for each scalar of the result.
    fn tables(&mut self, function: u32) -> Vec<ExprId> {
        let names = &self.inlined.names;
        let inputs = &names.function_inputs[function as usize];
        let arguments: Vec<Sort> =
            inputs.iter().flat_map(|of| names.types.scalars(*of, "")).map(|scalar| scalar.sort).collect();
        let declared = &names.program.functions[function as usize];
        let outputs = declared.outputs.iter().zip(&names.function_outputs[function as usize]);
        let scalars: Vec<_> = outputs
            .flat_map(|(output, of)| {
                names.types.scalars(*of, &format!("{}.{}", declared.name.text, output.name.text))
            })
            .collect();
        let mut tables = Vec::with_capacity(scalars.len());
        for scalar in scalars {
            let sort = arguments.iter().rev().fold(scalar.sort, |of, index| Sort::array(index.clone(), of));
            let state = self.system.add_state(scalar.name, sort);
            let read = self.system.read(state);
            self.system.set_next(state, read);
            tables.push(read);
        }
        self.functions.insert(function, tables.clone());
        tables
    }
}
