//! The operators of the format, and what they are applied to.

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operator(u8);

/// What an operator is applied to and what it gives. Bit-vectors of width n are written B^n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// B^n → B^n.
    Unary,
    /// B^n → B^1.
    Reduction,
    /// B^n × B^n → B^n.
    Binary,
    /// B^n × B^n → B^1.
    Predicate,
    /// S × S → B^1, for any sort S.
    Equality,
    /// B^1 × B^1 → B^1.
    Connective,
    /// B^m × B^n → B^(m+n).
    Concat,
    /// B^n and two indices u ≥ l → B^(u−l+1).
    Slice,
    /// B^n and a number w → B^(n+w).
    Extend,
    /// B^1 × S × S → S, for any sort S.
    Ite,
    /// Array of S by T, and T → S.
    Read,
    /// Array of S by T, T and S → the same array sort.
    Write,
}

impl Shape {
    /// The number of nodes and of indices after them.
    pub(super) fn arity(self) -> (usize, usize) {
        match self {
            Shape::Unary | Shape::Reduction => (1, 0),
            Shape::Slice => (1, 2),
            Shape::Extend => (1, 1),
            Shape::Binary | Shape::Predicate | Shape::Equality | Shape::Connective => (2, 0),
            Shape::Concat | Shape::Read => (2, 0),
            Shape::Ite | Shape::Write => (3, 0),
        }
    }
}

/// All operators, sorted by name.
const OPERATORS: &[(&str, Shape)] = &[
    ("add", Shape::Binary),
    ("and", Shape::Binary),
    ("concat", Shape::Concat),
    ("dec", Shape::Unary),
    ("eq", Shape::Equality),
    ("iff", Shape::Connective),
    ("implies", Shape::Connective),
    ("inc", Shape::Unary),
    ("ite", Shape::Ite),
    ("mul", Shape::Binary),
    ("nand", Shape::Binary),
    ("neg", Shape::Unary),
    ("neq", Shape::Equality),
    ("nor", Shape::Binary),
    ("not", Shape::Unary),
    ("or", Shape::Binary),
    ("read", Shape::Read),
    ("redand", Shape::Reduction),
    ("redor", Shape::Reduction),
    ("redxor", Shape::Reduction),
    ("rol", Shape::Binary),
    ("ror", Shape::Binary),
    ("saddo", Shape::Predicate),
    ("sdiv", Shape::Binary),
    ("sdivo", Shape::Predicate),
    ("sext", Shape::Extend),
    ("sgt", Shape::Predicate),
    ("sgte", Shape::Predicate),
    ("slice", Shape::Slice),
    ("sll", Shape::Binary),
    ("slt", Shape::Predicate),
    ("slte", Shape::Predicate),
    ("smod", Shape::Binary),
    ("smulo", Shape::Predicate),
    ("sra", Shape::Binary),
    ("srem", Shape::Binary),
    ("srl", Shape::Binary),
    ("ssubo", Shape::Predicate),
    ("sub", Shape::Binary),
    ("uaddo", Shape::Predicate),
    ("udiv", Shape::Binary),
    ("uext", Shape::Extend),
    ("ugt", Shape::Predicate),
    ("ugte", Shape::Predicate),
    ("ult", Shape::Predicate),
    ("ulte", Shape::Predicate),
    ("umulo", Shape::Predicate),
    ("urem", Shape::Binary),
    ("usubo", Shape::Predicate),
    ("write", Shape::Write),
    ("xnor", Shape::Binary),
    ("xor", Shape::Binary),
];

impl Operator {
    /// The operator that a line calls so.
    pub fn from_keyword(keyword: &str) -> Option<Operator> {
        OPERATORS.binary_search_by_key(&keyword, |row| row.0).ok().map(|row| Operator(row as u8))
    }

    /// What lines call it.
    pub fn keyword(self) -> &'static str {
        OPERATORS[usize::from(self.0)].0
    }

    pub(super) fn shape(self) -> Shape {
        OPERATORS[usize::from(self.0)].1
    }

    /// All operators.
    pub fn all() -> impl Iterator<Item = Operator> {
        (0..OPERATORS.len() as u8).map(Operator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_found_by_its_keyword() {
        for operator in Operator::all() {
            assert_eq!(Operator::from_keyword(operator.keyword()), Some(operator));
        }
    }
}
