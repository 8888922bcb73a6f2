//! Types without names for the same type: equal types are one number.
//!
//! Each value has a number of scalars: one, or those of its elements or fields one after the other. Subranges are integers whose bounds are known. As in
//! JKind, a literal is a subrange of one value, so that it can be assigned to a variable of a subrange; sums are integers.

use super::super::{parse::MAX_TYPE_DEPTH, syntax::Machine};
use dashu_int::IBig;
use rustc_hash::FxHashMap;

/// The most scalars that one value may have.
pub(super) const MAX_SCALARS: usize = 1 << 16;

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ty(u32);

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Bool,
    Int,
    Real,
    Subrange(IBig, IBig),
    Machine(Machine),
    /// The name of the enumeration.
    Enum(String),
    /// The name of the record, and its fields.
    Record(String, Vec<(String, Ty)>),
    Array(Ty, usize),
    Tuple(Vec<Ty>),
}

/// A type that nothing can be done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// All types that occur.
#[derive(Default)]
pub(super) struct Types {
    kinds: Vec<Kind>,
    /// How many scalars, and how many types in each other.
    sizes: Vec<(usize, usize)>,
    index: FxHashMap<Kind, Ty>,
}

impl Types {
    pub(super) const BOOL: Ty = Ty(0);
    pub(super) const INT: Ty = Ty(1);
    pub(super) const REAL: Ty = Ty(2);

    pub(super) fn new() -> Types {
        let mut types = Types::default();
        for kind in [Kind::Bool, Kind::Int, Kind::Real] {
            types.scalar(kind);
        }
        types
    }

    pub(super) fn kind(&self, ty: Ty) -> &Kind {
        &self.kinds[ty.0 as usize]
    }

    /// How many scalars a value has.
    pub(super) fn size(&self, ty: Ty) -> usize {
        self.sizes[ty.0 as usize].0
    }

    /// A type of one scalar.
    pub(super) fn scalar(&mut self, kind: Kind) -> Ty {
        self.add(kind, (1, 1))
    }

    /// A type of any kind.
    pub(super) fn intern(&mut self, kind: Kind) -> Result<Ty, TooLarge> {
        let of = |ty: &Ty| self.sizes[ty.0 as usize];
        let both =
            |all: (usize, usize), one: (usize, usize)| (all.0.saturating_add(one.0), all.1.max(one.1 + 1));
        let size = match &kind {
            Kind::Bool | Kind::Int | Kind::Real | Kind::Subrange(..) | Kind::Machine(_) | Kind::Enum(_) => {
                (1, 1)
            }
            Kind::Array(element, count) => {
                let (size, depth) = of(element);
                (size.saturating_mul(*count), depth + 1)
            }
            Kind::Record(_, fields) => fields.iter().map(|(_, ty)| of(ty)).fold((0, 1), both),
            Kind::Tuple(items) => items.iter().map(of).fold((0, 1), both),
        };
        if size.0 > MAX_SCALARS || size.1 > MAX_TYPE_DEPTH + 1 {
            return Err(TooLarge);
        }
        Ok(self.add(kind, size))
    }

    fn add(&mut self, kind: Kind, size: (usize, usize)) -> Ty {
        if let Some(ty) = self.index.get(&kind) {
            return *ty;
        }
        let ty = Ty(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.sizes.push(size);
        self.index.insert(kind, ty);
        ty
    }

    /// Integers with or without bounds.
    pub(super) fn is_int(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), Kind::Int | Kind::Subrange(..))
    }

    /// Whether it is, or has in it, a subrange or an enumeration.
    pub(super) fn is_constrained(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            Kind::Bool | Kind::Int | Kind::Real | Kind::Machine(_) => false,
            Kind::Subrange(..) | Kind::Enum(_) => true,
            Kind::Array(element, _) => self.is_constrained(*element),
            Kind::Record(_, fields) => fields.iter().any(|(_, ty)| self.is_constrained(*ty)),
            Kind::Tuple(items) => items.iter().any(|ty| self.is_constrained(*ty)),
        }
    }

    /// Whether a variable of one type can have values of the other.
    pub(super) fn assignable(&self, expected: Ty, actual: Ty) -> bool {
        if expected == actual {
            return true;
        }
        match (self.kind(expected), self.kind(actual)) {
            (Kind::Int, Kind::Subrange(..)) => true,
            (Kind::Subrange(low, high), Kind::Subrange(from, to)) => low <= from && to <= high,
            (Kind::Array(a, n), Kind::Array(b, m)) => n == m && self.assignable(*a, *b),
            (Kind::Tuple(a), Kind::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.assignable(*a, *b))
            }
            _ => false,
        }
    }

    /// The type of what is one or the other.
    pub(super) fn join(&mut self, a: Ty, b: Ty) -> Option<Ty> {
        if a == b {
            return Some(a);
        }
        match (self.kind(a).clone(), self.kind(b).clone()) {
            (Kind::Subrange(low, high), Kind::Subrange(from, to)) => {
                Some(self.scalar(Kind::Subrange(low.min(from), high.max(to))))
            }
            _ if self.is_int(a) && self.is_int(b) => Some(Types::INT),
            (Kind::Array(a, n), Kind::Array(b, m)) if n == m => {
                let element = self.join(a, b)?;
                self.intern(Kind::Array(element, n)).ok()
            }
            (Kind::Tuple(a), Kind::Tuple(b)) if a.len() == b.len() => {
                let items: Option<Vec<Ty>> = a.into_iter().zip(b).map(|(a, b)| self.join(a, b)).collect();
                self.intern(Kind::Tuple(items?)).ok()
            }
            _ => None,
        }
    }

    /// A type in words, where bounds do not matter.
    pub(super) fn plain(&self, ty: Ty) -> String {
        self.show(ty, false)
    }

    /// A type in words, with bounds; that of a literal is the literal.
    pub(super) fn exact(&self, ty: Ty) -> String {
        self.show(ty, true)
    }

    fn show(&self, ty: Ty, bounds: bool) -> String {
        match self.kind(ty) {
            Kind::Bool => "bool".to_owned(),
            Kind::Real => "real".to_owned(),
            Kind::Subrange(low, high) if bounds && low == high => low.to_string(),
            Kind::Subrange(low, high) if bounds => format!("subrange [{low}, {high}] of int"),
            Kind::Int | Kind::Subrange(..) => "int".to_owned(),
            Kind::Machine(machine) => machine.to_string(),
            Kind::Enum(name) | Kind::Record(name, _) => name.clone(),
            Kind::Array(element, size) => {
                // Sizes are written from the inside to the outside.
                format!("{}[{size}]", self.show(*element, bounds))
            }
            Kind::Tuple(items) => {
                let mut shown: Vec<String> = items.iter().take(8).map(|ty| self.show(*ty, bounds)).collect();
                if items.len() > 8 {
                    shown.push("…".to_owned());
                }
                format!("({})", shown.join(", "))
            }
        }
    }

    /// The name of one scalar of a variable: `x`, `x.field`, `x[3].field`.
    pub(super) fn scalar_name(&self, name: &str, ty: Ty, mut scalar: usize) -> String {
        let (mut text, mut ty) = (name.to_owned(), ty);
        loop {
            match self.kind(ty) {
                Kind::Array(element, _) => {
                    let size = self.size(*element).max(1);
                    text += &format!("[{}]", scalar / size);
                    (ty, scalar) = (*element, scalar % size);
                }
                Kind::Record(_, fields) => {
                    let Some((field, of, rest)) = self.field_at(fields, scalar) else { return text };
                    text += &format!(".{field}");
                    (ty, scalar) = (of, rest);
                }
                _ => return text,
            }
        }
    }

    fn field_at<'f>(&self, fields: &'f [(String, Ty)], scalar: usize) -> Option<(&'f str, Ty, usize)> {
        let mut rest = scalar;
        for (name, ty) in fields {
            match rest.checked_sub(self.size(*ty)) {
                Some(less) => rest = less,
                None => return Some((name, *ty, rest)),
            }
        }
        None
    }

    /// The first scalar of a field, and its type.
    pub(super) fn field(&self, record: Ty, name: &str) -> Option<(usize, Ty)> {
        let Kind::Record(_, fields) = self.kind(record) else { return None };
        let mut start = 0;
        for (field, ty) in fields {
            if field == name {
                return Some((start, *ty));
            }
            start += self.size(*ty);
        }
        None
    }
}
