//! What a record refers to.

use super::record::{At, EventRef, FileRef, PropertyRef, ScopeRef, StmtRef, Symbol};
use super::record::{
    Case, Event, EventKind, Expr, ExprKind, ExprRef, For, Property, PropertyKind, Routine, RoutineRef, Shape,
    Stmt, StmtKind, SymbolRef, TypeRef,
};

/// A reference to a record of some kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reference {
    File(FileRef),
    Type(TypeRef),
    Scope(ScopeRef),
    Symbol(SymbolRef),
    Expr(ExprRef),
    Event(EventRef),
    Property(PropertyRef),
    Stmt(StmtRef),
    Routine(RoutineRef),
}

macro_rules! from_positions {
    ($($kind:ident: $position:ident),*) => {$(
        impl From<$position> for Reference {
            fn from(position: $position) -> Reference {
                Reference::$kind(position)
            }
        }
    )*};
}

from_positions! {
    File: FileRef, Type: TypeRef, Scope: ScopeRef, Symbol: SymbolRef, Expr: ExprRef, Event: EventRef,
    Property: PropertyRef, Stmt: StmtRef, Routine: RoutineRef
}

impl From<At> for Reference {
    fn from(at: At) -> Reference {
        at.0.into()
    }
}

/// A list of references under construction.
#[derive(Debug, Default)]
pub(super) struct References(pub(super) Vec<Reference>);

impl References {
    pub(super) fn one(mut self, reference: impl Into<Reference>) -> References {
        self.0.push(reference.into());
        self
    }

    pub(super) fn all<R: Into<Reference>>(mut self, references: impl IntoIterator<Item = R>) -> References {
        self.0.extend(references.into_iter().map(Into::into));
        self
    }
}

pub(super) fn of_shape(shape: &Shape) -> References {
    let none = References::default();
    match shape {
        Shape::Array(element, ..) | Shape::Enum(element) => none.one(*element),
        Shape::Struct(fields, _) | Shape::Union(fields, ..) => none.all(fields.iter().copied()),
        Shape::Bits(..) | Shape::Void | Shape::Other(_) | Shape::TooLarge => none,
    }
}

pub(super) fn of_symbol(symbol: &Symbol) -> References {
    References::default().one(symbol.scope).one(symbol.kind_of).all(symbol.at)
}

pub(super) fn of_expr(expr: &Expr) -> References {
    let known = References::default().one(expr.at).one(expr.kind_of);
    match &expr.what {
        ExprKind::Value(symbol) => known.one(*symbol),
        ExprKind::Unary(_, a) | ExprKind::Member(a, _) | ExprKind::Convert(a, _) => known.one(*a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Assign(a, b, _)
        | ExprKind::Replicate(a, b)
        | ExprKind::Element(a, b)
        | ExprKind::Between(a, b) => known.all([*a, *b]),
        ExprKind::Conditional(conditions, a, b) => known.all(conditions.iter().copied()).all([*a, *b]),
        ExprKind::Range(_, a, b, c) => known.all([*a, *b, *c]),
        ExprKind::Concat(all)
        | ExprKind::System(_, all)
        | ExprKind::Pattern(all)
        | ExprKind::Stream(_, all) => known.all(all.iter().copied()),
        ExprKind::Call(routine, arguments) => known.one(*routine).all(arguments.iter().copied()),
        ExprKind::Inside(a, all) => known.one(*a).all(all.iter().copied()),
        ExprKind::Load(load) => known.one(load.target).all(load.bounds.iter().copied()).all(load.file),
        ExprKind::Property(property, variables) => {
            let known = known.one(*property);
            variables.iter().fold(known, |known, (variable, value)| known.one(*variable).all(*value))
        }
        ExprKind::Clock(event) => known.one(*event),
        ExprKind::Const(_)
        | ExprKind::Target
        | ExprKind::Empty
        | ExprKind::Unbounded
        | ExprKind::Other(_) => known,
    }
}

pub(super) fn of_event(event: &Event) -> References {
    let known = References::default().one(event.at);
    match &event.what {
        EventKind::Signal(_, signal, condition) => known.one(*signal).all(*condition),
        EventKind::List(events) => known.all(events.iter().copied()),
        EventKind::Implicit | EventKind::Other(_) => known,
    }
}

pub(super) fn of_property(property: &Property) -> References {
    let known = References::default().all(property.at);
    match &property.what {
        PropertyKind::Simple(expr, _) => known.one(*expr),
        PropertyKind::Concat(parts) => known.all(parts.iter().map(|(_, _, part)| *part)),
        PropertyKind::Matched(inner, _, items) | PropertyKind::FirstMatch(inner, items) => {
            known.one(*inner).all(items.iter().copied())
        }
        PropertyKind::Unary(_, _, inner) | PropertyKind::Strength(_, inner) => known.one(*inner),
        PropertyKind::Binary(_, left, right) => known.all([*left, *right]),
        PropertyKind::Clocked(event, inner) => known.one(*event).one(*inner),
        PropertyKind::Abort(_, condition, inner) | PropertyKind::DisableIff(condition, inner) => {
            known.one(*condition).one(*inner)
        }
        PropertyKind::If(condition, then, otherwise) => known.one(*condition).one(*then).all(*otherwise),
        PropertyKind::Case(subject, items, default) => {
            let known = known.one(*subject).all(*default);
            items.iter().fold(known, |known, (values, item)| known.all(values.iter().copied()).one(*item))
        }
        PropertyKind::Other(_) => known,
    }
}

pub(super) fn of_stmt(stmt: &Stmt) -> References {
    let known = References::default().one(stmt.at);
    match &stmt.what {
        StmtKind::List(parts) => known.all(parts.iter().copied()),
        StmtKind::Block(_, body) | StmtKind::Disabled(_, body) | StmtKind::Forever(body) => known.one(*body),
        StmtKind::Expr(expr) => known.one(*expr),
        StmtKind::Declare(symbol, value) => known.one(*symbol).all(*value),
        StmtKind::If(conditions, then, otherwise, _) => {
            known.all(conditions.iter().copied()).one(*then).all(*otherwise)
        }
        StmtKind::Case(case) => of_case(known, case),
        StmtKind::For(all) => of_for(known, all),
        StmtKind::Repeat(expr, body) | StmtKind::While(expr, body) | StmtKind::DoWhile(expr, body) => {
            known.one(*expr).one(*body)
        }
        StmtKind::Foreach(dimensions, body) => {
            known.all(dimensions.iter().filter_map(|(_, _, variable)| *variable)).one(*body)
        }
        StmtKind::Return(value) => known.all(*value),
        StmtKind::Timed(event, body) => known.one(*event).one(*body),
        StmtKind::Assert(_, condition) => known.one(*condition),
        StmtKind::Concurrent(_, property, clock, disable) => known.one(*property).all(*clock).all(*disable),
        StmtKind::Break | StmtKind::Continue | StmtKind::Disable(_) | StmtKind::Other(_) => known,
    }
}

fn of_case(known: References, case: &Case) -> References {
    let known = known.one(case.subject).all(case.default);
    case.items.iter().fold(known, |known, (values, body)| known.all(values.iter().copied()).one(*body))
}

fn of_for(known: References, all: &For) -> References {
    let known = all.declared.iter().fold(known, |known, (variable, value)| known.one(*variable).one(*value));
    let exprs = all.before.iter().chain(&all.condition).chain(&all.steps);
    known.all(exprs.copied()).one(all.body)
}

pub(super) fn of_routine(routine: &Routine) -> References {
    let arguments = routine.arguments.iter().map(|(symbol, _)| *symbol);
    References::default().all(arguments).all(routine.result).one(routine.body).all(routine.at)
}
