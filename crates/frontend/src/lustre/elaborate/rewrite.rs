//! Copies of expressions, in which constants, indices and the parts of contracts have taken the place of their names, and in which each construct of other dialects is written with
//! those of the smaller language.
//!
//! What is constant is evaluated on the way: the branch of an `if` that is never taken disappears, so that `if i = 0 then x else a[i - 1]` is never looked at with
//! the index -1.

use super::{Binding, Bindings, Builder, Elaborator, map_operands, under};
use crate::InputError;
use crate::lustre::{
    check::{Value, binary, unary},
    syntax::{At, BinaryOp, Dialect, Expr, ExprKind, Id, Name, Type, UnaryOp},
};
use rustc_hash::FxHashMap;

/// How many elements `e ^ n` may have.
const MAX_ELEMENTS: usize = 1 << 16;

/// How many constructs with expressions of their own may be in each other.
const MAX_DEPTH: usize = 50;

impl Elaborator<'_> {
    /// Adds an expression that the user did not write as it is.
    pub(super) fn add(&mut self, kind: ExprKind, at: &At) -> Id {
        self.add_written(Expr { kind, at: at.clone(), token: None })
    }

    /// Adds an expression, and its value if it is constant.
    pub(super) fn add_written(&mut self, expr: Expr) -> Id {
        let of = |id: &Id| self.values[id.0 as usize].as_ref();
        let value = match &expr.kind {
            ExprKind::Name(name) => self.constants.get(name).cloned(),
            ExprKind::Int(value) => Some(Value::Int(value.clone())),
            ExprKind::Real(value) => Some(Value::Real(value.clone())),
            ExprKind::Bool(value) => Some(Value::Bool(*value)),
            ExprKind::ToReal(a) => of(a).and_then(Value::to_real),
            ExprKind::Floor(a) => of(a).and_then(Value::floor),
            ExprKind::Unary(op @ (UnaryOp::Not | UnaryOp::Negate), a) => of(a).and_then(|a| unary(*op, a)),
            // C divides in another way: left to the solvers.
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Mod, ..) if self.out.dialect == Dialect::LustreC => {
                None
            }
            ExprKind::Binary(op, a, b) => of(a).zip(of(b)).and_then(|(a, b)| binary(*op, a, b)),
            ExprKind::If(condition, a, b) => match of(condition) {
                Some(Value::Bool(true)) => of(a).cloned(),
                Some(Value::Bool(false)) => of(b).cloned(),
                _ => None,
            },
            _ => None,
        };
        self.values.push(value.filter(|value| !value.is_too_large()));
        self.out.exprs.push(expr);
        Id(self.out.exprs.len() as u32 - 1)
    }

    /// The value of an expression of the new program.
    pub(super) fn value(&self, id: Id) -> Option<Value> {
        self.values[id.0 as usize].clone()
    }

    /// A constant of the program.
    pub(super) fn rewrite_constant(&mut self, root: Id) -> Result<Id, InputError> {
        self.rewrite_simple(root, &Bindings::default())
    }

    /// A constant expression: nothing in it needs a node.
    pub(super) fn rewrite_simple(&mut self, root: Id, bindings: &Bindings) -> Result<Id, InputError> {
        let from = self.from;
        let mut new: FxHashMap<Id, Id> = FxHashMap::default();
        for id in under(from, root) {
            let mut expr = from.expr(id).clone();
            map_operands(&mut expr.kind, |operand| new[&operand]);
            let made = match &expr.kind {
                ExprKind::Name(name) => self.bound(name, bindings, &expr),
                ExprKind::If(condition, a, b) => match self.value(*condition) {
                    Some(Value::Bool(true)) => *a,
                    Some(Value::Bool(false)) => *b,
                    _ => self.add_written(expr),
                },
                ExprKind::Power(value, _) => {
                    let count = self.power_size(from, id, bindings)?;
                    expr.kind = ExprKind::Array(vec![*value; count]);
                    self.add_written(expr)
                }
                ExprKind::When(..)
                | ExprKind::Merge(..)
                | ExprKind::Activate { .. }
                | ExprKind::Any(..)
                | ExprKind::Mode(_)
                | ExprKind::Last(_)
                | ExprKind::Restart { .. } => {
                    return Err(self.error(&expr.at, "expected a constant, found an expression that is none"));
                }
                _ => self.add_written(expr),
            };
            new.insert(id, made);
        }
        Ok(new[&root])
    }

    fn power_size(
        &mut self,
        from: &crate::lustre::syntax::Program,
        power: Id,
        bindings: &Bindings,
    ) -> Result<usize, InputError> {
        let ExprKind::Power(_, size) = &from.expr(power).kind else { return Ok(1) };
        let count = self.size(*size, bindings)?;
        match count <= MAX_ELEMENTS {
            true => Ok(count),
            false => {
                Err(self
                    .error(&from.expr(power).at, format!("this array has more than {MAX_ELEMENTS} elements")))
            }
        }
    }

    /// A name, or what it stands for.
    pub(super) fn bound(&mut self, name: &str, bindings: &Bindings, expr: &Expr) -> Id {
        let kind = match bindings.get(name) {
            None if self.is_open(name) => {
                ExprKind::Call(Name { text: name.to_owned(), at: expr.at.clone() }, Vec::new())
            }
            None => ExprKind::Name(name.to_owned()),
            Some(Binding::Name(other)) => ExprKind::Name(other.clone()),
            Some(Binding::Open(function)) => {
                ExprKind::Call(Name { text: function.clone(), at: expr.at.clone() }, Vec::new())
            }
            Some(Binding::Literal(value)) => literal(value).unwrap_or(ExprKind::Name(name.to_owned())),
        };
        self.add_written(Expr { kind, at: expr.at.clone(), token: expr.token.clone() })
    }

    /// Whether a name is a constant of the program without value.
    fn is_open(&self, name: &str) -> bool {
        self.from.functions.iter().any(|function| function.inputs.is_empty() && function.name.text == name)
    }
}

/// A value as an expression, if it can be written.
pub(super) fn literal(value: &Value) -> Option<ExprKind> {
    match value {
        Value::Int(value) => Some(ExprKind::Int(value.clone())),
        Value::Real(value) => Some(ExprKind::Real(value.clone())),
        Value::Bool(value) => Some(ExprKind::Bool(*value)),
        _ => None,
    }
}

impl Builder<'_, '_> {
    /// A copy of an expression of the node.
    pub(super) fn rewrite(&mut self, root: Id) -> Result<Id, InputError> {
        self.rewrite_at_depth(root, 0)
    }

    pub(super) fn rewrite_at_depth(&mut self, root: Id, depth: usize) -> Result<Id, InputError> {
        let from = self.elaborator.from;
        if depth > MAX_DEPTH {
            return Err(self.error(&from.expr(root).at, "this is nested too deeply"));
        }
        self.mark_sampled(root)?;
        let mut new: FxHashMap<Id, Id> = FxHashMap::default();
        for id in under(from, root) {
            let mut expr = from.expr(id).clone();
            map_operands(&mut expr.kind, |operand| new[&operand]);
            let made = self.rewritten(id, expr, depth)?;
            new.insert(id, made);
        }
        Ok(new[&root])
    }

    /// An expression whose operands have been copied.
    fn rewritten(&mut self, id: Id, mut expr: Expr, depth: usize) -> Result<Id, InputError> {
        let from = self.elaborator.from;
        let at = expr.at.clone();
        Ok(match expr.kind {
            ExprKind::Name(ref name) => self.elaborator.bound(name, &self.bindings, &expr),
            ExprKind::If(condition, a, b) => match self.elaborator.value(condition) {
                Some(Value::Bool(true)) => a,
                Some(Value::Bool(false)) => b,
                _ => self.elaborator.add_written(expr),
            },
            ExprKind::Unary(UnaryOp::Pre, _) => self.previous(id, expr)?,
            ExprKind::Power(value, _) => {
                let bindings = self.bindings.clone();
                let count = self.elaborator.power_size(from, id, &bindings)?;
                expr.kind = ExprKind::Array(vec![value; count]);
                self.elaborator.add_written(expr)
            }
            ExprKind::Call(name, arguments) => {
                let kind = self.call(name, arguments, &at)?;
                self.elaborator.add_written(Expr { kind, at, token: expr.token })
            }
            ExprKind::Condact { clock, node, arguments, defaults } => {
                let (node, arguments) = self.specialised(node, arguments, &at)?;
                let kind = ExprKind::Condact { clock, node, arguments, defaults };
                self.elaborator.add_written(Expr { kind, at, token: expr.token })
            }
            ExprKind::Restart { reset, node, arguments } => {
                let (node, arguments) = self.specialised(node, arguments, &at)?;
                let kind = ExprKind::Restart { reset, node, arguments };
                self.elaborator.add_written(Expr { kind, at, token: expr.token })
            }
            ExprKind::Activate { clock, node, arguments, defaults, reset } => {
                let kind = self.activated((clock, reset), node, arguments, defaults, &at)?;
                self.elaborator.add_written(Expr { kind, at, token: expr.token })
            }
            ExprKind::When(value, _) => match self.sampled.contains(&id) {
                true => value,
                false => return Err(self.not_supported(&at, "sampling with `when` outside of `merge`")),
            },
            ExprKind::Merge(clock, cases) => self.merged(clock, cases, &at)?,
            ExprKind::Any(of, condition) => self.any(&of, condition, &at, depth)?,
            ExprKind::Mode(path) => {
                let text = path.iter().map(|name| name.text.as_str()).collect::<Vec<&str>>().join("::");
                match self.modes.get(&text).cloned() {
                    Some(variable) => self.name(&variable, &at),
                    None => return Err(self.error(&at, format!("there is no mode `::{text}`"))),
                }
            }
            ExprKind::Last(name) => match self.frame.contains_key(&name.text) {
                true => self.held(&name, &at),
                false => {
                    return Err(
                        self.error(&at, format!("expected a variable of a frame, found `{}`", name.text))
                    );
                }
            },
            _ => self.elaborator.add_written(expr),
        })
    }

    /// A call of a node, or of what LustreC has in its library.
    fn call(&mut self, name: Name, arguments: Vec<Id>, at: &At) -> Result<ExprKind, InputError> {
        if !self.elaborator.nodes.contains_key(&name.text) && self.elaborator.out.dialect == Dialect::LustreC
        {
            match (name.text.as_str(), arguments.as_slice()) {
                ("int_to_real", [value]) => return Ok(ExprKind::ToReal(*value)),
                ("bool_to_int", [value]) => {
                    let (one, zero) =
                        (self.add(ExprKind::Int(1.into()), at), self.add(ExprKind::Int(0.into()), at));
                    return Ok(ExprKind::If(*value, one, zero));
                }
                ("int_to_bool", [value]) => {
                    let zero = self.add(ExprKind::Int(0.into()), at);
                    return Ok(ExprKind::Binary(BinaryOp::NotEqual, *value, zero));
                }
                _ => {}
            }
        }
        let (node, arguments) = self.specialised(name, arguments, at)?;
        Ok(ExprKind::Call(node, arguments))
    }

    /// The node for a call, with constant arguments in the node instead of the call.
    pub(super) fn specialised(
        &mut self,
        name: Name,
        arguments: Vec<Id>,
        at: &At,
    ) -> Result<(Name, Vec<Id>), InputError> {
        let from = self.elaborator.from;
        let Some(&node) = self.elaborator.nodes.get(&name.text) else { return Ok((name, arguments)) };
        let inputs = &from.nodes[node].inputs;
        if !inputs.iter().any(|input| input.constant) {
            return Ok((name, arguments));
        }
        if inputs.len() != arguments.len() {
            let message =
                format!("expected {} arguments for `{}`, found {}", inputs.len(), name.text, arguments.len());
            return Err(self.error(at, message));
        }
        let (mut values, mut rest) = (Vec::new(), Vec::new());
        for (input, argument) in inputs.iter().zip(arguments) {
            let value = self.elaborator.value(argument).filter(|value| literal(value).is_some());
            if !input.constant || value.is_none() {
                rest.push(argument);
            }
            if input.constant {
                values.push(value);
            }
        }
        let text = self.elaborator.variant(node, values);
        Ok((Name { text, at: name.at }, rest))
    }

    /// `any { x: type | condition }`: a variable that may have any value, and the assumption that the condition holds.
    fn any(
        &mut self,
        of: &Type,
        condition: Option<(Name, Id)>,
        at: &At,
        depth: usize,
    ) -> Result<Id, InputError> {
        if self.elaborator.is_bounded(of) {
            return Err(self.not_supported(&of.at, "`any` of a subrange"));
        }
        let of = self.elaborator.plain_type(of, &self.bindings)?;
        let variable = self.open(of, at);
        if let Some((name, condition)) = condition {
            let binding = Binding::Name(variable.clone());
            let before = self.bindings.insert(name.text.clone(), binding);
            let expr = self.rewrite_at_depth(condition, depth + 1)?;
            match before {
                Some(before) => self.bindings.insert(name.text, before),
                None => self.bindings.remove(&name.text),
            };
            self.assert(expr, at);
        }
        Ok(self.name(&variable, at))
    }
}
