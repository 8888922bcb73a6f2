//! Types as the lowering needs them: how many scalars a value has, in which order, and of which sort.
//!
//! A value of any type is a list of scalars. Those of an array are its elements' one after the other; those of a record are its fields' in the
//! natural order of their names, which is JKind's (`a2` before `a10`).

use super::super::syntax::{Machine, Program, Type, TypeKind};
use crate::{InputError, text::Input};
use dashu_int::IBig;
use propcov_ir::{EnumSort, Sort};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::Arc;

/// How many scalars one value may have.
const MAX_SCALARS: usize = 1 << 20;

/// Index of a type in [`Types`]; equal types have one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeId(u32);

/// A type without names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Resolved {
    Bool,
    Int,
    Real,
    Subrange(IBig, IBig),
    Machine(Machine),
    Enum(Arc<EnumSort>),
    Array(TypeId, usize),
    /// Fields in natural order.
    Record(Vec<(String, TypeId)>),
    Tuple(Vec<TypeId>),
}

/// All types of a program.
#[derive(Debug, Default)]
pub(super) struct Types {
    table: Vec<Resolved>,
    sizes: Vec<usize>,
    /// Whether there is a subrange in the type.
    bounded: Vec<bool>,
    index: FxHashMap<Resolved, TypeId>,
    named: FxHashMap<String, TypeId>,
    /// The values of enumerations: their type and position.
    values: FxHashMap<String, (TypeId, u32)>,
}

impl Types {
    pub(super) const BOOL: TypeId = TypeId(0);
    pub(super) const INT: TypeId = TypeId(1);
    pub(super) const REAL: TypeId = TypeId(2);

    /// The types of a program, each after those that it mentions.
    pub(super) fn new(input: &Input<'_>, program: &Program) -> Result<Types, InputError> {
        let mut types = Types::default();
        for basic in [Resolved::Bool, Resolved::Int, Resolved::Real] {
            types.intern(basic);
        }
        let positions: FxHashMap<&str, usize> =
            program.types.iter().enumerate().map(|(at, of)| (of.name.text.as_str(), at)).collect();
        let mut open = vec![false; program.types.len()];
        for start in 0..program.types.len() {
            let mut stack = vec![start];
            while let Some(&at) = stack.last() {
                let definition = &program.types[at];
                if types.named.contains_key(&definition.name.text) {
                    stack.pop();
                    continue;
                }
                let mut missing: Vec<usize> = Vec::new();
                mentioned(&definition.definition, &mut |name| {
                    missing.extend(positions.get(name).filter(|_| !types.named.contains_key(name)));
                });
                if missing.is_empty() {
                    let id = types.build(input, &definition.definition, Some(&definition.name.text))?;
                    types.named.insert(definition.name.text.clone(), id);
                    stack.pop();
                } else if std::mem::replace(&mut open[at], true) {
                    let message = format!("the type `{}` is defined by itself", definition.name.text);
                    return Err(input.error(definition.name.at.clone(), message));
                } else {
                    stack.extend(missing);
                }
            }
        }
        Ok(types)
    }

    fn intern(&mut self, of: Resolved) -> TypeId {
        if let Some(id) = self.index.get(&of) {
            return *id;
        }
        let size = match &of {
            Resolved::Array(element, count) => self.size(*element).saturating_mul(*count),
            Resolved::Record(fields) => fields.iter().map(|(_, of)| self.size(*of)).sum(),
            Resolved::Tuple(parts) => parts.iter().map(|of| self.size(*of)).sum(),
            _ => 1,
        };
        let bounded = match &of {
            Resolved::Array(element, _) => self.has_bounds(*element),
            Resolved::Record(fields) => fields.iter().any(|(_, of)| self.has_bounds(*of)),
            Resolved::Tuple(parts) => parts.iter().any(|of| self.has_bounds(*of)),
            Resolved::Subrange(..) => true,
            _ => false,
        };
        let id = TypeId(self.table.len() as u32);
        self.table.push(of.clone());
        self.sizes.push(size);
        self.bounded.push(bounded);
        self.index.insert(of, id);
        id
    }

    /// A type as written; the types that it mentions are known. Nesting is bounded by the parser.
    pub(super) fn build(
        &mut self,
        input: &Input<'_>,
        of: &Type,
        name: Option<&str>,
    ) -> Result<TypeId, InputError> {
        let id = match &of.kind {
            TypeKind::Bool => Types::BOOL,
            TypeKind::Int => Types::INT,
            TypeKind::Real => Types::REAL,
            TypeKind::Subrange(low, high) => self.intern(Resolved::Subrange(low.clone(), high.clone())),
            TypeKind::Machine(machine) => self.intern(Resolved::Machine(*machine)),
            TypeKind::Power(..) | TypeKind::Bounds(..) => {
                return Err(input.error(of.at.clone(), "expected a type whose sizes and bounds are numbers"));
            }
            TypeKind::Array(element, count) => {
                let element = self.build(input, element, None)?;
                self.intern(Resolved::Array(element, *count))
            }
            TypeKind::Named(name) => match self.named.get(name) {
                Some(id) => *id,
                None => return Err(input.error(of.at.clone(), format!("unknown type `{name}`"))),
            },
            TypeKind::Record(variables) => {
                let mut fields = Vec::with_capacity(variables.len());
                for variable in variables {
                    fields.push((variable.name.text.clone(), self.build(input, &variable.of, None)?));
                }
                fields.sort_by(|(a, _), (b, _)| natural_order(a, b));
                self.intern(Resolved::Record(fields))
            }
            TypeKind::Enum(names) => {
                let variants: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
                let name = name.unwrap_or("enum").to_owned();
                let id = self.intern(Resolved::Enum(Arc::new(EnumSort { name, variants })));
                let positions = names.iter().zip(0..).map(|(name, at)| (name.text.clone(), (id, at)));
                self.values.extend(positions);
                id
            }
        };
        if self.size(id) > MAX_SCALARS {
            let message = format!("a value of this type has more than {MAX_SCALARS} scalars");
            return Err(input.error(of.at.clone(), message));
        }
        Ok(id)
    }

    /// The type of a machine integer.
    pub(super) fn machine(&mut self, machine: Machine) -> TypeId {
        self.intern(Resolved::Machine(machine))
    }

    /// One type is itself; several are a tuple.
    pub(super) fn tuple(&mut self, parts: &[TypeId]) -> TypeId {
        match parts {
            [only] => *only,
            _ => self.intern(Resolved::Tuple(parts.to_vec())),
        }
    }

    pub(super) fn array(&mut self, element: TypeId, count: usize) -> TypeId {
        self.intern(Resolved::Array(element, count))
    }

    pub(super) fn get(&self, id: TypeId) -> &Resolved {
        &self.table[id.0 as usize]
    }

    /// How many scalars a value has.
    pub(super) fn size(&self, id: TypeId) -> usize {
        self.sizes[id.0 as usize]
    }

    /// Whether there is a subrange in the type.
    pub(super) fn has_bounds(&self, id: TypeId) -> bool {
        self.bounded[id.0 as usize]
    }

    /// The type of that name.
    pub(super) fn named(&self, name: &str) -> Option<TypeId> {
        self.named.get(name).copied()
    }

    /// The type and position of a value of an enumeration.
    pub(super) fn value(&self, name: &str) -> Option<(TypeId, u32)> {
        self.values.get(name).copied()
    }

    /// Where the scalars of a field begin, and its type.
    pub(super) fn field(&self, record: TypeId, name: &str) -> Option<(usize, TypeId)> {
        let Resolved::Record(fields) = self.get(record) else { return None };
        let mut offset = 0;
        for (field, of) in fields {
            if field == name {
                return Some((offset, *of));
            }
            offset += self.size(*of);
        }
        None
    }

    /// The sort of a scalar type.
    fn sort(&self, id: TypeId) -> Sort {
        match self.get(id) {
            Resolved::Bool => Sort::BOOL,
            Resolved::Real => Sort::Real,
            Resolved::Enum(sort) => Sort::Enum(sort.clone()),
            Resolved::Machine(machine) => Sort::BitVec(machine.width),
            _ => Sort::Int,
        }
    }

    /// Each scalar of a value of the type: its name if the value has the name given, its sort and its bounds.
    pub(super) fn scalars(&self, id: TypeId, name: &str) -> Vec<Scalar> {
        let mut found = Vec::with_capacity(self.size(id));
        let mut stack = vec![(id, name.to_owned())];
        while let Some((id, name)) = stack.pop() {
            let start = stack.len();
            match self.get(id) {
                Resolved::Array(element, count) => {
                    stack.extend((0..*count).map(|at| (*element, format!("{name}[{at}]"))));
                }
                Resolved::Record(fields) => {
                    stack.extend(fields.iter().map(|(field, of)| (*of, format!("{name}.{field}"))));
                }
                Resolved::Tuple(parts) => {
                    stack.extend(
                        parts.iter().zip(0..).map(|(of, at): (_, u32)| (*of, format!("{name}.{at}"))),
                    );
                }
                Resolved::Subrange(low, high) => {
                    let bounds = Some((low.clone(), high.clone()));
                    found.push(Scalar { name, sort: Sort::Int, bounds });
                }
                _ => found.push(Scalar { name, sort: self.sort(id), bounds: None }),
            }
            stack[start..].reverse();
        }
        found
    }
}

/// One scalar of a variable.
#[derive(Debug)]
pub(super) struct Scalar {
    pub(super) name: String,
    pub(super) sort: Sort,
    /// The least and the greatest value of a subrange.
    pub(super) bounds: Option<(IBig, IBig)>,
}

/// The names of other types in a type.
fn mentioned<'t>(of: &'t Type, found: &mut impl FnMut(&'t str)) {
    match &of.kind {
        TypeKind::Named(name) => found(name),
        TypeKind::Array(element, _) => mentioned(element, found),
        TypeKind::Record(fields) => fields.iter().for_each(|field| mentioned(&field.of, found)),
        _ => {}
    }
}

/// Strings with the numbers in them compared as numbers; of equal numbers, the one with more leading zeros is less.
pub(super) fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let (Some(x), Some(y)) = (a.first(), b.first()) {
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let ((m, rest_a), (n, rest_b)) = (a.split_at(digits(a)), b.split_at(digits(b)));
            let number =
                |text: &[u8]| text.iter().skip_while(|byte| **byte == b'0').copied().collect::<Vec<u8>>();
            let (p, q) = (number(m), number(n));
            let order = p.len().cmp(&q.len()).then_with(|| p.cmp(&q)).then_with(|| m.cmp(n));
            if order != Ordering::Equal {
                return order;
            }
            (a, b) = (rest_a, rest_b);
        } else if x != y {
            return x.cmp(y);
        } else {
            (a, b) = (&a[1..], &b[1..]);
        }
    }
    a.len().cmp(&b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_compared_as_numbers() {
        let mut names = vec!["a10", "a2", "a02", "b", "a", "a2b", "A"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["A", "a", "a02", "a2", "a2b", "a10", "b"]);
    }
}
