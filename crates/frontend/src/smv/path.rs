//! From a path such as `cell.u.req[2]` to what it names, and constant expressions.
//!
//! Names are looked up as NuSMV does: parameters first, then variables, instances and definitions, then the symbols of
//! enumerations.

use super::{
    report::Report,
    scope::{DefineId, Entry, InstanceId, Scopes, Shape, also_a_symbol},
    syntax::{BinaryOp, Expr, ExprKind, Place, UnaryOp, VariableKind},
};
use crate::{InputError, extra::did_you_mean};

/// How many parameters and elements of arrays may stand for each other, one after another.
const MAX_STEPS: u32 = 1000;

/// What a path names.
#[derive(Clone, Debug)]
pub(super) enum Target<'a> {
    /// A variable or an array of them. Its elements are chosen by constants.
    Shape(Shape),
    /// An entry of `DEFINE`.
    Define(DefineId),
    /// An instance of a module.
    Instance(InstanceId),
    /// An array of expressions, and where they have their meaning.
    Literals(&'a [Expr], InstanceId),
    /// An expression that a parameter stands for, and where it has its meaning.
    Value(&'a Expr, InstanceId),
    /// Whether the process of an instance runs.
    Running(InstanceId),
    /// A symbol of an enumeration.
    Symbol(&'a str),
}

/// The text of a path of names, numbers and constant indices; `None` for what is something else.
pub(super) fn flat_text(expr: &Expr) -> Option<String> {
    let mut parts = Vec::new();
    let mut at = expr;
    loop {
        match &at.kind {
            ExprKind::Name(name) => {
                parts.push(name.clone());
                parts.reverse();
                return Some(parts.concat());
            }
            ExprKind::Dot(base, name) => {
                parts.push(format!(".{}", name.text));
                at = base;
            }
            ExprKind::Index(base, index) => {
                let ExprKind::Integer(value) = &index.kind else { return None };
                parts.push(format!("[{value}]"));
                at = base;
            }
            _ => return None,
        }
    }
}

impl<'a> Scopes<'a> {
    /// What the path names, seen from an instance. What is no path is a [`Target::Value`].
    pub(super) fn resolve(
        &self,
        expr: &'a Expr,
        scope: InstanceId,
        report: &Report<'a>,
    ) -> Result<Target<'a>, InputError> {
        self.follow(expr, scope, report, 0)
    }

    fn follow(
        &self,
        expr: &'a Expr,
        scope: InstanceId,
        report: &Report<'a>,
        steps: u32,
    ) -> Result<Target<'a>, InputError> {
        if steps > MAX_STEPS {
            return Err(report
                .error(&expr.place, "parameters or arrays of definitions stand for each other in a circle"));
        }
        if matches!(expr.kind, ExprKind::Dot(..) | ExprKind::Index(..))
            && let Some(found) = self.flat(expr, scope, String::new(), report, steps)
        {
            return found;
        }
        match &expr.kind {
            ExprKind::Name(name) if name == "self" => Ok(Target::Instance(scope)),
            ExprKind::Name(name) => {
                let found = self.member(scope, name, report, steps, &expr.place)?;
                match (found, self.constants.get(name.as_str())) {
                    // A parameter may stand for the symbol of its own name.
                    (Some(Target::Symbol(same)), _) if same == name => Ok(Target::Symbol(same)),
                    (Some(_), Some(symbol)) if self.is_parameter(scope, name) => {
                        let message = also_a_symbol(name, symbol, report);
                        Err(report.error(&expr.place, message))
                    }
                    (Some(target), _) => Ok(target),
                    (None, Some(_)) => Ok(Target::Symbol(name)),
                    (None, None) => {
                        let hint = self.hint(name, None, report, &expr.place);
                        Err(report.error(&expr.place, format!("`{name}` is not defined{hint}")))
                    }
                }
            }
            ExprKind::Dot(base, name) => match self.follow(base, scope, report, steps + 1)? {
                Target::Instance(instance) => {
                    let found = self.member(instance, &name.text, report, steps, &name.place)?;
                    found.ok_or_else(|| {
                        let what = report.text(&base.place);
                        let hint = self.hint(&name.text, Some(instance), report, &name.place);
                        report.error(&name.place, format!("`{}` is not defined in `{what}`{hint}", name.text))
                    })
                }
                _ => {
                    let message = format!("`{}` is no instance of a module", report.text(&base.place));
                    Err(report.error(&base.place, message))
                }
            },
            ExprKind::Index(base, index) => {
                if !matches!(base.kind, ExprKind::Name(_) | ExprKind::Dot(..) | ExprKind::Index(..)) {
                    return Ok(Target::Value(expr, scope));
                }
                let array = self.follow(base, scope, report, steps + 1)?;
                match (self.constant(index, scope, report), &array) {
                    (Some(at), Target::Shape(_) | Target::Literals(..)) => {
                        self.element_after(array, at, &index.place, report, steps)
                    }
                    _ => Ok(Target::Value(expr, scope)),
                }
            }
            ExprKind::ArrayLiteral(elements) => Ok(Target::Literals(elements, scope)),
            _ => Ok(Target::Value(expr, scope)),
        }
    }

    /// What a path names as a whole: a variable, definition or symbol that was declared with dots and indices in its name, as models have it
    /// that a tool has flattened. `rest` is what follows the path.
    fn flat(
        &self,
        expr: &'a Expr,
        scope: InstanceId,
        rest: String,
        report: &Report<'a>,
        steps: u32,
    ) -> Option<Result<Target<'a>, InputError>> {
        if !self.has_flat_names || steps > MAX_STEPS {
            return None;
        }
        let instance = &self.instances[scope.0 as usize];
        match &expr.kind {
            ExprKind::Name(name) => {
                let whole = format!("{name}{rest}");
                if instance.symbols.contains_key(whole.as_str()) {
                    return self.member(scope, &whole, report, steps + 1, &expr.place).transpose();
                }
                if let Some((actual, caller)) = instance.parameters.get(name.as_str()) {
                    return self.flat(actual, *caller, rest, report, steps + 1);
                }
                let (symbol, _) = self.constants.get_key_value(whole.as_str())?;
                Some(Ok(Target::Symbol(symbol)))
            }
            ExprKind::Dot(base, name) => {
                if let Ok(Target::Instance(inner)) = self.follow(base, scope, report, steps + 1) {
                    let whole = format!("{}{rest}", name.text);
                    let declared = self.instances[inner.0 as usize].symbols.contains_key(whole.as_str());
                    return declared
                        .then(|| self.member(inner, &whole, report, steps + 1, &name.place).transpose())?;
                }
                self.flat(base, scope, format!(".{}{rest}", name.text), report, steps + 1)
            }
            ExprKind::Index(base, index) => {
                let at = self.constant(index, scope, report)?;
                self.flat(base, scope, format!("[{at}]{rest}"), report, steps + 1)
            }
            _ => None,
        }
    }

    /// Names that may have been meant, for those who write outside of the file: of an instance, or of the whole model.
    fn hint(&self, name: &str, within: Option<InstanceId>, report: &Report<'a>, place: &Place) -> String {
        if !report.is_outside(place) {
            return String::new();
        }
        if let Some(instance) = within {
            return did_you_mean(name, self.instances[instance.0 as usize].symbols.keys().copied());
        }
        let states = self.variables.iter().filter(|variable| variable.kind != VariableKind::Input);
        let variables = states.map(|variable| variable.name.as_str());
        let defines = self.defines.iter().map(|define| define.name.as_str());
        did_you_mean(name, variables.chain(defines).chain(self.constants.keys().copied()))
    }

    fn is_parameter(&self, scope: InstanceId, name: &str) -> bool {
        self.instances[scope.0 as usize].parameters.contains_key(name)
    }

    /// What a name means in an instance; `None` if nothing.
    fn member(
        &self,
        scope: InstanceId,
        name: &str,
        report: &Report<'a>,
        steps: u32,
        place: &Place,
    ) -> Result<Option<Target<'a>>, InputError> {
        let instance = &self.instances[scope.0 as usize];
        if name == "running" && !instance.symbols.contains_key(name) {
            return Ok(Some(Target::Running(scope)));
        }
        if let Some((actual, caller)) = instance.parameters.get(name) {
            return self.follow(actual, *caller, report, steps + 1).map(Some);
        }
        let Some((entry, _)) = instance.symbols.get(name) else { return Ok(None) };
        Ok(Some(match *entry {
            Entry::Instance(instance) => Target::Instance(instance),
            Entry::Define(id) => {
                let define = &self.defines[id.0 as usize];
                match &define.value.kind {
                    ExprKind::ArrayLiteral(elements) => Target::Literals(elements, define.scope),
                    _ => Target::Define(id),
                }
            }
            Entry::Declared(id) => match &self.declarations[id.0 as usize].shape {
                Some(shape) => Target::Shape(shape.clone()),
                None => {
                    let message = format!("`{name}` is a variable, expected a constant or an instance");
                    return Err(report.error(place, message));
                }
            },
        }))
    }

    /// The element of an array at an index.
    pub(super) fn element(
        &self,
        array: Target<'a>,
        index: i64,
        place: &Place,
        report: &Report<'a>,
    ) -> Result<Target<'a>, InputError> {
        self.element_after(array, index, place, report, 0)
    }

    fn element_after(
        &self,
        array: Target<'a>,
        index: i64,
        place: &Place,
        report: &Report<'a>,
        steps: u32,
    ) -> Result<Target<'a>, InputError> {
        let (low, length) = match &array {
            Target::Shape(Shape::Array(low, elements)) => (*low, elements.len()),
            Target::Literals(elements, _) => (0, elements.len()),
            _ => {
                return Err(
                    report.error(place, "an index is only for arrays (bits of a word are `w[high:low]`)")
                );
            }
        };
        let at = index.checked_sub(low).and_then(|at| usize::try_from(at).ok()).filter(|at| *at < length);
        let Some(at) = at else {
            let high = low + length as i64 - 1;
            return Err(
                report.error(place, format!("index {index} is out of range, expected one of {low}..{high}"))
            );
        };
        match array {
            Target::Shape(Shape::Array(_, elements)) => Ok(Target::Shape(elements[at].clone())),
            Target::Literals(elements, scope) => self.follow(&elements[at], scope, report, steps + 1),
            other => Ok(other),
        }
    }

    /// The value of an expression of integers and definitions; `None` where it is no constant.
    pub(super) fn constant(&self, expr: &'a Expr, scope: InstanceId, report: &Report<'a>) -> Option<i64> {
        self.constant_within(expr, scope, report, 100)
    }

    fn constant_within(
        &self,
        expr: &'a Expr,
        scope: InstanceId,
        report: &Report<'a>,
        depth: u32,
    ) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Integer(value) => i64::try_from(value).ok(),
            ExprKind::Unary(UnaryOp::Minus, a) => {
                self.constant_within(a, scope, report, depth)?.checked_neg()
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.constant_within(a, scope, report, depth)?;
                let b = self.constant_within(b, scope, report, depth)?;
                match op {
                    BinaryOp::Plus => a.checked_add(b),
                    BinaryOp::Minus => a.checked_sub(b),
                    BinaryOp::Times => a.checked_mul(b),
                    BinaryOp::Divide => a.checked_div(b),
                    BinaryOp::Modulo => a.checked_rem(b),
                    _ => None,
                }
            }
            ExprKind::Name(_) | ExprKind::Dot(..) => match self.follow(expr, scope, report, 0).ok()? {
                Target::Define(id) => {
                    let define = &self.defines[id.0 as usize];
                    self.constant_within(define.value, define.scope, report, depth)
                }
                Target::Value(value, scope) => self.constant_within(value, scope, report, depth),
                _ => None,
            },
            _ => None,
        }
    }
}
