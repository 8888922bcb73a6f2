//! Sizes of arrays become numbers. Bounds of subranges become claims: what an input may be is assumed, what another variable is has to be proved, as in Kind 2.

use super::{Bindings, Builder, Elaborator};
use crate::InputError;
use crate::lustre::{
    check::Value,
    syntax::{BinaryOp, ExprKind, Id, Name, PropertyDeclaration, Role, Type, TypeKind, Variable},
};
use dashu_int::IBig;

/// How many bounded scalars one variable may have.
const MAX_BOUNDED: usize = 4096;

/// The way from a variable to one of its scalars.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Index(usize),
}

/// A scalar, and its bounds as they are written.
type Bounded = (Vec<Step>, Option<Id>, Option<Id>);

impl Elaborator<'_> {
    fn named(&self, name: &str) -> Option<&Type> {
        let from = self.from;
        from.types
            .iter()
            .find(|definition| definition.name.text == name)
            .map(|definition| &definition.definition)
    }

    /// A type without sizes that are expressions, and without bounds.
    pub(super) fn plain_type(&mut self, of: &Type, bindings: &Bindings) -> Result<Type, InputError> {
        let kind = match &of.kind {
            TypeKind::Power(element, size) => {
                let element = self.plain_type(element, bindings)?;
                TypeKind::Array(Box::new(element), self.size(*size, bindings)?)
            }
            TypeKind::Array(element, size) => {
                TypeKind::Array(Box::new(self.plain_type(element, bindings)?), *size)
            }
            TypeKind::Record(fields) => {
                let mut plain = Vec::with_capacity(fields.len());
                for field in fields {
                    plain.push(Variable { of: self.plain_type(&field.of, bindings)?, ..field.clone() });
                }
                TypeKind::Record(plain)
            }
            TypeKind::Bounds(..) => TypeKind::Int,
            kind => kind.clone(),
        };
        Ok(Type { kind, at: of.at.clone() })
    }

    /// A constant expression that says how many elements an array has.
    pub(super) fn size(&mut self, size: Id, bindings: &Bindings) -> Result<usize, InputError> {
        let at = self.from.expr(size).at.clone();
        match self.number(size, bindings)? {
            Some(value) => {
                usize::try_from(&value).ok().filter(|value| (1..=1 << 20).contains(value)).ok_or_else(|| {
                    self.error(&at, format!("expected a size from 1 to {}, found {value}", 1 << 20))
                })
            }
            None => Err(self.error(
                &at,
                "the size of an array that is not known is not supported: expected a constant with a value",
            )),
        }
    }

    /// The value of a constant expression that is an integer.
    pub(super) fn number(&mut self, expr: Id, bindings: &Bindings) -> Result<Option<IBig>, InputError> {
        let copy = self.rewrite_simple(expr, bindings)?;
        Ok(match self.value(copy) {
            Some(Value::Int(value)) => Some(value),
            _ => None,
        })
    }

    /// A constant whose type is a subrange must be in it.
    pub(super) fn within_bounds(&mut self, of: &Type, value: Id, name: &Name) -> Result<(), InputError> {
        for (steps, low, high) in self.bounded(of, &Bindings::default())? {
            let mut numbers = Vec::new();
            for bound in [low, high] {
                numbers.push(match bound {
                    Some(bound) => self.number(bound, &Bindings::default())?,
                    None => None,
                });
            }
            let inside = match (self.value(value), numbers.as_slice()) {
                (Some(Value::Int(value)), [low, high]) if steps.is_empty() => {
                    low.as_ref().is_none_or(|low| *low <= value)
                        && high.as_ref().is_none_or(|high| value <= *high)
                }
                _ => {
                    let what = "a constant with bounds whose value is not a number";
                    return Err(self.not_supported(&name.at, what));
                }
            };
            if !inside {
                let message = format!("the value of the constant `{}` is not in its subrange", name.text);
                return Err(self.error(&name.at, message));
            }
        }
        Ok(())
    }

    /// Whether there are bounds in a type.
    pub(super) fn is_bounded(&self, of: &Type) -> bool {
        match &of.kind {
            TypeKind::Bounds(..) => true,
            TypeKind::Power(element, _) | TypeKind::Array(element, _) => self.is_bounded(element),
            TypeKind::Record(fields) => fields.iter().any(|field| self.is_bounded(&field.of)),
            TypeKind::Named(name) => self.named(name).is_some_and(|of| self.is_bounded_once(of, name)),
            _ => false,
        }
    }

    /// The same for the definition of a name. One that refers to itself is refused later.
    fn is_bounded_once(&self, of: &Type, name: &str) -> bool {
        match &of.kind {
            TypeKind::Named(other) if other == name => false,
            _ => self.is_bounded(of),
        }
    }

    /// All scalars of a type that have bounds.
    fn bounded(&mut self, of: &Type, bindings: &Bindings) -> Result<Vec<Bounded>, InputError> {
        let too_many =
            |this: &Self| this.error(&of.at, format!("more than {MAX_BOUNDED} bounded values in a variable"));
        let under = |step: Step, found: Vec<Bounded>| {
            found.into_iter().map(move |(mut steps, low, high)| {
                steps.insert(0, step.clone());
                (steps, low, high)
            })
        };
        if !self.is_bounded(of) {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        match &of.kind {
            TypeKind::Bounds(low, high) => all.push((Vec::new(), *low, *high)),
            TypeKind::Named(name) => {
                if let Some(of) = self.named(name).cloned() {
                    all = self.bounded(&of, bindings)?;
                }
            }
            TypeKind::Record(fields) => {
                for field in fields {
                    let found = self.bounded(&field.of, bindings)?;
                    all.extend(under(Step::Field(field.name.text.clone()), found));
                }
            }
            TypeKind::Power(element, size) => {
                let (found, size) = (self.bounded(element, bindings)?, self.size(*size, bindings)?);
                if size.saturating_mul(found.len()) > MAX_BOUNDED {
                    return Err(too_many(self));
                }
                (0..size).for_each(|at| all.extend(under(Step::Index(at), found.clone())));
            }
            TypeKind::Array(element, size) => {
                let found = self.bounded(element, bindings)?;
                if size.saturating_mul(found.len()) > MAX_BOUNDED {
                    return Err(too_many(self));
                }
                (0..*size).for_each(|at| all.extend(under(Step::Index(at), found.clone())));
            }
            _ => {}
        }
        if all.len() > MAX_BOUNDED { Err(too_many(self)) } else { Ok(all) }
    }
}

impl Builder<'_, '_> {
    /// Claims that a variable is within the bounds of its type.
    pub(super) fn bounds(&mut self, variable: &Variable, role: Role) -> Result<(), InputError> {
        let at = variable.name.at.clone();
        for (steps, low, high) in self.elaborator.bounded(&variable.of, &self.bindings)? {
            let mut claims = Vec::new();
            for (bound, is_low) in [(low, true), (high, false)] {
                let Some(bound) = bound else { continue };
                let bound = self.rewrite(bound)?;
                let mut value = self.name(&variable.name.text, &at);
                for step in &steps {
                    value = match step {
                        Step::Field(field) => {
                            let field = Name { text: field.clone(), at: at.clone() };
                            self.add(ExprKind::Field(value, field), &at)
                        }
                        Step::Index(position) => {
                            let index = self.add(ExprKind::Int((*position).into()), &at);
                            self.add(ExprKind::Element(value, index), &at)
                        }
                    };
                }
                let (a, b) = if is_low { (bound, value) } else { (value, bound) };
                claims.push(self.add(ExprKind::Binary(BinaryOp::LessEqual, a, b), &at));
            }
            let Some(expr) = self.conjunction(&claims, &at) else { continue };
            let path: String = steps
                .iter()
                .map(|step| match step {
                    Step::Field(field) => format!(".{field}"),
                    Step::Index(position) => format!("[{position}]"),
                })
                .collect();
            let text = format!("range of {}{path}", variable.name.text);
            let name = Some(Name { text, at: at.clone() });
            self.node.properties.push(PropertyDeclaration { name, expr, at: at.clone(), role });
        }
        Ok(())
    }

    /// All of them; nothing if there are none.
    pub(super) fn conjunction(&mut self, all: &[Id], at: &crate::lustre::syntax::At) -> Option<Id> {
        let mut rest = all.iter().copied();
        let mut result = rest.next()?;
        for next in rest {
            result = self.add(ExprKind::Binary(BinaryOp::And, result, next), at);
        }
        Some(result)
    }
}
