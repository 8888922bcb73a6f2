//! The type of each expression, by JKind's rules: integers and reals never mix, subranges are integers, and records are equal by name.
//!
//! Operands precede what they are in, so that one pass over the list of expressions is enough, however deep they are.

use super::{
    super::{
        report::Report,
        syntax::{At, BinaryOp, ExprKind, Id, Machine, Name, UnaryOp},
    },
    constant::Constants,
    globals::{Callable, Globals},
    scope::Scope,
    types::{Kind, TooLarge, Ty, Types},
    value::Value,
    walk,
};
use crate::{InputError, extra::did_you_mean};

/// What to do about an int beside a machine integer: `int32 0 -> x` is `int32 (0 -> x)`.
const MACHINE: &str =
    "; a conversion takes all that follows it, so it needs parentheses, as in `(int32 0) + x`";

/// Types and constant values of all expressions so far.
pub(super) struct Typing<'r, 'a> {
    pub(super) report: &'r Report<'r>,
    pub(super) globals: Globals<'a>,
    /// The type of each expression that was looked at.
    pub(super) of: Vec<Ty>,
    /// The value of each of them that is constant.
    pub(super) values: Vec<Option<Value>>,
    pub(super) constants: Constants,
}

impl<'r, 'a> Typing<'r, 'a> {
    pub(super) fn new(report: &'r Report<'r>, globals: Globals<'a>) -> Typing<'r, 'a> {
        let count = globals.program.exprs.len();
        let constants = Constants::new(globals.program.constants.len());
        Typing { report, globals, of: vec![Types::BOOL; count], values: vec![None; count], constants }
    }

    /// The type of an expression and of all that is in it.
    pub(super) fn expression(&mut self, scope: &Scope<'_>, root: Id) -> Result<Ty, InputError> {
        for id in walk::subtree(self.globals.program, root) {
            self.of[id.0 as usize] = self.type_of(scope, id)?;
            self.values[id.0 as usize] = self.value_of(scope, id)?;
        }
        Ok(self.of(root))
    }

    pub(super) fn of(&self, id: Id) -> Ty {
        self.of[id.0 as usize]
    }

    pub(super) fn at(&self, id: Id) -> &'a At {
        &self.globals.program.expr(id).at
    }

    pub(super) fn error(&self, at: &At, message: impl Into<String>) -> InputError {
        self.report.error(at, message)
    }

    /// A value must have a type.
    pub(super) fn require(&self, id: Id, expected: Ty, what: &str) -> Result<(), InputError> {
        let actual = self.of(id);
        let types = &self.globals.types;
        if types.assignable(expected, actual) {
            return Ok(());
        }
        // Bounds only matter where they are the reason.
        let bounds = types.plain(expected) == types.plain(actual);
        let show = |ty| if bounds { types.exact(ty) } else { types.plain(ty) };
        let (expected_text, actual_text) = (show(expected), show(actual));
        let hint = match (types.kind(expected), types.is_int(actual)) {
            (Kind::Real, true) => "; `real(…)` converts it",
            (Kind::Int, _) if types.kind(actual) == &Kind::Real => "; `floor(…)` converts it",
            _ => "",
        };
        Err(self.error(self.at(id), format!("expected {expected_text}{what}, found {actual_text}{hint}")))
    }

    fn require_int(&self, id: Id, what: &str) -> Result<(), InputError> {
        match self.globals.types.is_int(self.of(id)) {
            true => Ok(()),
            false => {
                let found = self.globals.types.plain(self.of(id));
                Err(self.error(self.at(id), format!("expected int{what}, found {found}")))
            }
        }
    }

    fn type_of(&mut self, scope: &Scope<'_>, id: Id) -> Result<Ty, InputError> {
        let program = self.globals.program;
        let expr = program.expr(id);
        match &expr.kind {
            ExprKind::Name(name) => self.name(scope, name, &expr.at),
            ExprKind::Int(value) => {
                Ok(self.globals.types.scalar(Kind::Subrange(value.clone(), value.clone())))
            }
            ExprKind::Real(_) => Ok(Types::REAL),
            ExprKind::Bool(_) => Ok(Types::BOOL),
            // Kind 2 lets numbers be what they are already.
            ExprKind::ToReal(a) if self.is_extended() && self.of(*a) == Types::REAL => Ok(Types::REAL),
            ExprKind::Floor(a) if self.is_extended() && self.is_whole(*a) => Ok(Types::INT),
            ExprKind::Cast(machine, a) => self.cast(*machine, *a),
            ExprKind::Restart { reset, node, arguments } => {
                self.require(*reset, Types::BOOL, " as the condition of `restart`")?;
                self.call(scope, node, arguments, &expr.at)
            }
            ExprKind::ToReal(a) => {
                self.require_int(*a, " as the argument of `real`")?;
                Ok(Types::REAL)
            }
            ExprKind::Floor(a) => {
                self.require(*a, Types::REAL, " as the argument of `floor`")?;
                Ok(Types::INT)
            }
            ExprKind::Call(name, arguments) => self.call(scope, name, arguments, &expr.at),
            ExprKind::Condact { clock, node, arguments, defaults } => {
                self.require(*clock, Types::BOOL, " as the clock of `condact`")?;
                let result = self.call(scope, node, arguments, &expr.at)?;
                self.defaults(node, defaults, &expr.at)?;
                Ok(result)
            }
            ExprKind::Field(record, field) => self.field(*record, field).map(|(_, ty)| ty),
            ExprKind::FieldUpdate(record, field, value) => {
                let (_, ty) = self.field(*record, field)?;
                self.require(*value, ty, &format!(" for the field `{}`", field.text))?;
                Ok(self.of(*record))
            }
            ExprKind::Element(array, index) => self.element(*array, *index),
            ExprKind::ElementUpdate(array, index, value) => {
                let element = self.element(*array, *index)?;
                self.require(*value, element, " for an element of the array")?;
                Ok(self.of(*array))
            }
            ExprKind::Unary(op, a) => self.unary(*op, *a, &expr.at),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, &expr.at),
            ExprKind::If(condition, a, b) => {
                self.require(*condition, Types::BOOL, " as the condition of `if`")?;
                let (first, second) = (self.of(*a), self.of(*b));
                self.globals.types.join(first, second).ok_or_else(|| {
                    let [first, second] = [first, second].map(|ty| self.globals.types.plain(ty));
                    let message = format!("expected {first} as in the other branch of `if`, found {second}");
                    self.error(self.at(*b), message)
                })
            }
            ExprKind::Record(name, fields) => self.record(name, fields),
            ExprKind::Array(items) => self.array(items, &expr.at),
            ExprKind::Tuple(items) => {
                let items = items.iter().map(|item| self.of(*item)).collect();
                self.compound(Kind::Tuple(items), &expr.at)
            }
            ExprKind::Power(..)
            | ExprKind::When(..)
            | ExprKind::Merge(..)
            | ExprKind::Activate { .. }
            | ExprKind::Any(..)
            | ExprKind::Mode(_)
            | ExprKind::Last(_) => Err(self.error(&expr.at, "this construct is not supported here")),
        }
    }

    fn compound(&mut self, kind: Kind, at: &At) -> Result<Ty, InputError> {
        self.globals.types.intern(kind).map_err(|TooLarge| self.report.error(at, "this value is too large"))
    }

    fn name(&mut self, scope: &Scope<'_>, name: &str, at: &At) -> Result<Ty, InputError> {
        if let Some(variable) = scope.find(name) {
            return Ok(scope.variables[variable].ty);
        }
        if let Some((ty, _)) = self.globals.values.get(name) {
            return Ok(*ty);
        }
        let constant = self.globals.constants.get(name).and_then(|at| self.constants.types[*at]);
        if let Some(ty) = constant {
            return Ok(ty);
        }
        let globals = self.globals.constants.keys().chain(self.globals.values.keys()).copied();
        let near = did_you_mean(name, scope.names().chain(globals));
        let what = if scope.constant { "constant" } else { "variable" };
        Err(self.error(at, format!("there is no {what} `{name}`{near}")))
    }

    fn call(&mut self, scope: &Scope<'_>, name: &Name, arguments: &[Id], at: &At) -> Result<Ty, InputError> {
        let callable = self.globals.callable(self.report, name)?;
        if scope.constant && matches!(callable, Callable::Node(_)) {
            return Err(self.error(at, "expected a constant, found a call of a node"));
        }
        let signature = self.globals.signature_of(callable).clone();
        if arguments.len() != signature.inputs.len() {
            let expected = count(signature.inputs.len(), "argument");
            let message = format!("expected {expected} for `{}`, found {}", name.text, arguments.len());
            return Err(self.error(at, message));
        }
        let inputs = match callable {
            Callable::Node(at) => &self.globals.program.nodes[at].inputs,
            Callable::Function(at) => &self.globals.program.functions[at].inputs,
        };
        for ((argument, expected), input) in arguments.iter().zip(&signature.inputs).zip(inputs) {
            let what = format!(" for the input `{}` of `{}`", input.name.text, name.text);
            self.require(*argument, *expected, &what)?;
        }
        match signature.outputs.as_slice() {
            [single] => Ok(*single),
            _ => self.compound(Kind::Tuple(signature.outputs), at),
        }
    }

    fn defaults(&mut self, name: &Name, defaults: &[Id], at: &At) -> Result<(), InputError> {
        let callable = self.globals.callable(self.report, name)?;
        let Callable::Node(node) = callable else {
            let message = format!("expected a node in `condact`, found the function `{}`", name.text);
            return Err(self.error(&name.at, message));
        };
        let signature = self.globals.signature_of(callable);
        if defaults.len() != signature.outputs.len() {
            let expected = count(signature.outputs.len(), "default value");
            let message =
                format!("expected {expected} for the outputs of `{}`, found {}", name.text, defaults.len());
            return Err(self.error(at, message));
        }
        let outputs = &self.globals.program.nodes[node].outputs;
        for ((value, expected), output) in defaults.iter().zip(&signature.outputs).zip(outputs) {
            let what = format!(" as the default of the output `{}` of `{}`", output.name.text, name.text);
            self.require(*value, *expected, &what)?;
        }
        Ok(())
    }

    /// Where a field begins, and its type.
    fn field(&self, record: Id, field: &Name) -> Result<(usize, Ty), InputError> {
        let (types, ty) = (&self.globals.types, self.of(record));
        let Kind::Record(name, fields) = types.kind(ty) else {
            let found = types.plain(ty);
            let message = format!("expected a record with the field `{}`, found {found}", field.text);
            return Err(self.error(self.at(record), message));
        };
        types.field(ty, &field.text).ok_or_else(|| {
            let near = did_you_mean(&field.text, fields.iter().map(|(name, _)| name.as_str()));
            self.error(&field.at, format!("there is no field `{}` in {name}{near}", field.text))
        })
    }

    /// The type of an element. A constant index must be in the array.
    fn element(&self, array: Id, index: Id) -> Result<Ty, InputError> {
        let types = &self.globals.types;
        let Kind::Array(element, size) = types.kind(self.of(array)) else {
            let found = types.plain(self.of(array));
            return Err(self.error(self.at(array), format!("expected an array, found {found}")));
        };
        self.require_int(index, " as an index")?;
        match &self.values[index.0 as usize] {
            Some(Value::Int(value)) if usize::try_from(value).map_or(true, |value| value >= *size) => {
                let shown = if value.to_string().len() > 40 {
                    "this index".to_owned()
                } else {
                    format!("index {value}")
                };
                let elements = count(*size, "element");
                Err(self.error(self.at(index), format!("{shown} is out of range: the array has {elements}")))
            }
            _ => Ok(*element),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Id, at: &At) -> Result<Ty, InputError> {
        let ty = self.of(a);
        let kind = self.globals.types.kind(ty).clone();
        let symbol = match (op, kind) {
            (UnaryOp::Pre, _) => return Ok(ty),
            (UnaryOp::Not, Kind::Bool) | (UnaryOp::Negate, Kind::Int | Kind::Real) => return Ok(ty),
            (UnaryOp::Negate | UnaryOp::BitNot, Kind::Machine(_)) => return Ok(ty),
            (UnaryOp::Negate, Kind::Subrange(low, high)) => {
                return Ok(self.globals.types.scalar(Kind::Subrange(-high, -low)));
            }
            // LustreC writes `!` for `not` too.
            (UnaryOp::BitNot, _) => "!",
            (UnaryOp::Not, _) => "not",
            (UnaryOp::Negate, _) => "-",
        };
        let found = self.globals.types.plain(ty);
        Err(self.error(at, format!("the operator `{symbol}` is not defined on {found}")))
    }

    fn binary(&mut self, op: BinaryOp, a: Id, b: Id, at: &At) -> Result<Ty, InputError> {
        let (left, right) = (self.of(a), self.of(b));
        let types = &mut self.globals.types;
        let ints = types.is_int(left) && types.is_int(right);
        let reals = left == Types::REAL && right == Types::REAL;
        let bools = left == Types::BOOL && right == Types::BOOL;
        let machines = left == right && matches!(types.kind(left), Kind::Machine(_));
        let shifts = match (types.kind(left), types.kind(right)) {
            (Kind::Machine(a), Kind::Machine(b)) => a.width == b.width && !b.signed,
            _ => false,
        };
        let extended = self.globals.program.dialect.is_extended();
        let result = match op {
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => shifts.then_some(left),
            BinaryOp::BitAnd | BinaryOp::BitOr => machines.then_some(left),
            BinaryOp::Plus
            | BinaryOp::Minus
            | BinaryOp::Times
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::Divide
                if machines =>
            {
                Some(left)
            }
            BinaryOp::Greater | BinaryOp::Less | BinaryOp::GreaterEqual | BinaryOp::LessEqual if machines => {
                Some(Types::BOOL)
            }
            BinaryOp::Divide if ints && extended => Some(Types::INT),
            BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Times if ints => Some(Types::INT),
            BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Times | BinaryOp::Divide => {
                reals.then_some(Types::REAL)
            }
            BinaryOp::Div | BinaryOp::Mod => ints.then_some(Types::INT),
            BinaryOp::Equal | BinaryOp::NotEqual => types.join(left, right).map(|_| Types::BOOL),
            BinaryOp::Greater | BinaryOp::Less | BinaryOp::GreaterEqual | BinaryOp::LessEqual => {
                (ints || reals).then_some(Types::BOOL)
            }
            BinaryOp::Or | BinaryOp::And | BinaryOp::Xor | BinaryOp::Implies => bools.then_some(Types::BOOL),
            BinaryOp::Arrow => types.join(left, right),
        };
        result.ok_or_else(|| {
            let types = &self.globals.types;
            let hint = match (op, types.kind(left), types.kind(right)) {
                (BinaryOp::Divide, ..) if ints => "; `div` is the division of integers",
                (BinaryOp::Div, ..) if reals => "; `/` is the division of reals",
                (_, Kind::Real, _) if types.is_int(right) => "; `real(…)` and `floor(…)` convert numbers",
                (_, _, Kind::Real) if types.is_int(left) => "; `real(…)` and `floor(…)` convert numbers",
                (_, Kind::Machine(_), _) if types.is_int(right) => MACHINE,
                (_, _, Kind::Machine(_)) if types.is_int(left) => MACHINE,
                _ => "",
            };
            let [left, right] = [left, right].map(|ty| types.plain(ty));
            let symbol = symbol(op);
            self.error(at, format!("the operator `{symbol}` is not defined on {left} and {right}{hint}"))
        })
    }

    fn is_extended(&self) -> bool {
        self.globals.program.dialect.is_extended()
    }

    /// Whether a value is an integer of any kind.
    fn is_whole(&self, id: Id) -> bool {
        let types = &self.globals.types;
        types.is_int(self.of(id)) || matches!(types.kind(self.of(id)), Kind::Machine(_))
    }

    /// A conversion to a machine integer: from one of the same kind, or from a constant.
    fn cast(&mut self, machine: Machine, a: Id) -> Result<Ty, InputError> {
        let types = &self.globals.types;
        match types.kind(self.of(a)) {
            Kind::Machine(from) if from.signed == machine.signed => {}
            Kind::Machine(from) => {
                let message = format!(
                    "the conversion of {from} to {machine} is not supported: one has a sign, the other has none"
                );
                return Err(self.error(self.at(a), message));
            }
            _ if types.is_int(self.of(a)) => {
                if self.values[a.0 as usize].is_none() {
                    let message = format!(
                        "the conversion of an int that is not constant to {machine} is not supported"
                    );
                    return Err(self.error(self.at(a), message));
                }
            }
            _ => {
                let found = types.plain(self.of(a));
                return Err(self.error(
                    self.at(a),
                    format!("expected an integer to convert to {machine}, found {found}"),
                ));
            }
        }
        Ok(self.globals.types.scalar(Kind::Machine(machine)))
    }

    fn record(&self, name: &Name, fields: &[(Name, Id)]) -> Result<Ty, InputError> {
        let types = &self.globals.types;
        let named = self.globals.named.get(name.text.as_str()).copied();
        let Some((ty, Kind::Record(_, declared))) = named.map(|ty| (ty, types.kind(ty))) else {
            let is_record = |ty: &Ty| matches!(types.kind(*ty), Kind::Record(..));
            let records = self.globals.named.iter().filter(|(_, ty)| is_record(ty)).map(|(name, _)| *name);
            let near = did_you_mean(&name.text, records);
            return Err(self.error(&name.at, format!("there is no record type `{}`{near}", name.text)));
        };
        for (at, (field, value)) in fields.iter().enumerate() {
            if fields[..at].iter().any(|(other, _)| other.text == field.text) {
                return Err(self.error(&field.at, format!("the field `{}` is given twice", field.text)));
            }
            let Some((_, expected)) = declared.iter().find(|(declared, _)| *declared == field.text) else {
                let near = did_you_mean(&field.text, declared.iter().map(|(name, _)| name.as_str()));
                return Err(self
                    .error(&field.at, format!("there is no field `{}` in {}{near}", field.text, name.text)));
            };
            self.require(*value, *expected, &format!(" for the field `{}`", field.text))?;
        }
        match declared.iter().find(|(declared, _)| fields.iter().all(|(field, _)| field.text != *declared)) {
            None => Ok(ty),
            Some((missing, _)) => Err(self.error(
                &name.at,
                format!("expected a value for the field `{missing}` of {}, found none", name.text),
            )),
        }
    }

    fn array(&mut self, items: &[Id], at: &At) -> Result<Ty, InputError> {
        let Some((first, rest)) = items.split_first() else {
            return Err(self.error(at, "expected elements, found an empty array"));
        };
        let mut common = self.of(*first);
        for item in rest {
            let ty = self.of(*item);
            common = self.globals.types.join(common, ty).ok_or_else(|| {
                let [common, found] = [common, ty].map(|ty| self.globals.types.plain(ty));
                self.error(
                    self.at(*item),
                    format!("expected {common} like the elements before it, found {found}"),
                )
            })?;
        }
        self.compound(Kind::Array(common, items.len()), at)
    }
}

/// A number of things.
pub(super) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// An operator as it is written.
fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Plus => "+",
        BinaryOp::Minus => "-",
        BinaryOp::Times => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Div => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::Equal => "=",
        BinaryOp::NotEqual => "<>",
        BinaryOp::Greater => ">",
        BinaryOp::Less => "<",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Xor => "xor",
        BinaryOp::Implies => "=>",
        BinaryOp::Arrow => "->",
        BinaryOp::BitAnd => "&&",
        BinaryOp::BitOr => "||",
        BinaryOp::ShiftLeft => "lsh",
        BinaryOp::ShiftRight => "rsh",
    }
}
