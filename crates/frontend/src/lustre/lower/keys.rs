//! Which calls are equal: JKind merges calls whose text is the same once variables have their full names and constants are replaced by their values.
//!
//! Instead of texts, expressions are numbered: equal numbers are equal texts.

use super::super::syntax::{BinaryOp, ExprKind, Id, UnaryOp};
use super::inline::InstanceId;
use super::names::{Meaning, Names, operands};
use crate::text::Input;
use dashu_int::IBig;
use rustc_hash::FxHashMap;

/// An expression's outermost construct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Head {
    Variable(u32),
    Int(IBig),
    /// As it is written: `1.0` and `1.00` are two texts.
    Real(Vec<u8>),
    Bool(bool),
    ToReal,
    Floor,
    /// The name with the prefix of the instance it is called in, other than for the outermost call.
    Call(String),
    Function(u32),
    Field(String),
    FieldUpdate(String),
    Element,
    ElementUpdate,
    Unary(UnaryOp),
    Binary(BinaryOp),
    If,
    Record(String),
    Array,
    Tuple,
    Condact,
    Cast(super::super::syntax::Machine),
    Restart,
    /// What is never here.
    Other,
}

/// Numbers for expressions.
#[derive(Debug, Default)]
pub(super) struct Keys {
    numbers: FxHashMap<(Head, Vec<u32>), u32>,
    /// The numbers of calls within arguments: they are asked for once more when they are inlined themselves.
    inner_calls: FxHashMap<(InstanceId, Id), Vec<u32>>,
}

impl Keys {
    /// The number of a call, in an instance with its first variable and its prefix.
    pub(super) fn call(
        &mut self,
        input: &Input<'_>,
        names: &Names<'_>,
        scope: (InstanceId, u32, &str),
        call: Id,
    ) -> u32 {
        let arguments = match self.inner_calls.remove(&(scope.0, call)) {
            Some(arguments) => arguments,
            None => {
                let arguments = operands(&names.program.expr(call).kind);
                arguments.into_iter().map(|argument| self.expression(input, names, scope, argument)).collect()
            }
        };
        let name = match &names.program.expr(call).kind {
            ExprKind::Call(name, _) => name.text.clone(),
            _ => String::new(),
        };
        self.number(Head::Call(name), arguments)
    }

    fn number(&mut self, head: Head, operands: Vec<u32>) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((head, operands)).or_insert(next)
    }

    /// The number of an expression. Iterative: depth is no limit.
    fn expression(
        &mut self,
        input: &Input<'_>,
        names: &Names<'_>,
        scope: (InstanceId, u32, &str),
        root: Id,
    ) -> u32 {
        let mut values: Vec<u32> = Vec::new();
        let mut tasks = vec![(root, false)];
        while let Some((id, is_ready)) = tasks.pop() {
            let expr = names.program.expr(id);
            if let (ExprKind::Name(_), Meaning::Constant(at)) = (&expr.kind, names.meaning(id)) {
                tasks.push((names.program.constants[at as usize].value, false));
                continue;
            }
            let parts = operands(&expr.kind);
            if !is_ready && !parts.is_empty() {
                tasks.push((id, true));
                tasks.extend(parts.iter().rev().map(|part| (*part, false)));
                continue;
            }
            let parts = values.split_off(values.len().saturating_sub(parts.len()));
            let head = head(input, names, scope, id);
            if let Head::Call(_) = head {
                self.inner_calls.insert((scope.0, id), parts.clone());
            }
            values.push(self.number(head, parts));
        }
        values.pop().unwrap_or_default()
    }
}

fn head(input: &Input<'_>, names: &Names<'_>, (_, first, prefix): (InstanceId, u32, &str), id: Id) -> Head {
    let expr = names.program.expr(id);
    match (&expr.kind, names.meaning(id)) {
        (ExprKind::Name(_), Meaning::Variable(position)) => Head::Variable(first + position),
        (ExprKind::Name(_), Meaning::Value(_, position)) => Head::Int(position.into()),
        (ExprKind::Call(..), Meaning::Function(at)) => Head::Function(at),
        (ExprKind::Call(name, _), _) => Head::Call(format!("{prefix}{}", name.text)),
        (ExprKind::Name(_), _) | (ExprKind::Tuple(_), _) => Head::Tuple,
        (ExprKind::Int(value), _) => Head::Int(value.clone()),
        (ExprKind::Real(_), _) => Head::Real(input.bytes.get(expr.at.clone()).unwrap_or_default().to_vec()),
        (ExprKind::Bool(value), _) => Head::Bool(*value),
        (ExprKind::ToReal(_), _) => Head::ToReal,
        (ExprKind::Floor(_), _) => Head::Floor,
        (ExprKind::Field(_, name), _) => Head::Field(name.text.clone()),
        (ExprKind::FieldUpdate(_, name, _), _) => Head::FieldUpdate(name.text.clone()),
        (ExprKind::Element(..), _) => Head::Element,
        (ExprKind::ElementUpdate(..), _) => Head::ElementUpdate,
        (ExprKind::Unary(op, _), _) => Head::Unary(*op),
        (ExprKind::Binary(op, ..), _) => Head::Binary(*op),
        (ExprKind::If(..), _) => Head::If,
        (ExprKind::Record(name, _), _) => Head::Record(name.text.clone()),
        (ExprKind::Array(_), _) => Head::Array,
        (ExprKind::Condact { .. }, _) => Head::Condact,
        (ExprKind::Cast(machine, _), _) => Head::Cast(*machine),
        (ExprKind::Restart { .. }, _) => Head::Restart,
        _ => Head::Other,
    }
}
