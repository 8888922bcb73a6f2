//! Values of streams and the operators on them, in exact arithmetic, from the definition of Lustre as JKind reads it.

use super::syntax::{Binary, Program, Type, Unary};
use dashu_int::IBig;
use dashu_ratio::RBig;
use propcov_ir::Value;

/// A value of a stream in one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    /// Of type bool.
    Bool(bool),
    /// Of type int or a subrange.
    Int(IBig),
    /// Of type real.
    Real(RBig),
    /// The position among the values of an enumeration.
    Enum(usize),
    /// The parts of a record, array or tuple.
    Parts(Vec<Datum>),
}

impl Datum {
    /// The truth value.
    ///
    /// # Panics
    /// When it is none.
    pub fn truth(&self) -> bool {
        match self {
            Datum::Bool(value) => *value,
            other => panic!("{other:?} is no truth value"),
        }
    }

    /// The number.
    ///
    /// # Panics
    /// When it is none.
    pub fn int(&self) -> &IBig {
        match self {
            Datum::Int(value) => value,
            other => panic!("{other:?} is no int"),
        }
    }

    /// The parts.
    ///
    /// # Panics
    /// When there are none.
    pub fn parts(&self) -> &[Datum] {
        match self {
            Datum::Parts(parts) => parts,
            other => panic!("{other:?} has no parts"),
        }
    }

    /// The scalars of which the value consists, in the order of [`Program::scalars`].
    pub fn scalars(&self) -> Vec<&Datum> {
        match self {
            Datum::Parts(parts) => parts.iter().flat_map(Datum::scalars).collect(),
            scalar => vec![scalar],
        }
    }

    /// Whether a scalar is the same as the value of a signal.
    pub fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Datum::Bool(a), Value::Bits(b)) => b.width() == 1 && *a == b.is_nonzero(),
            (Datum::Int(a), Value::Int(b)) => a == b,
            (Datum::Real(a), Value::Real(b)) => a == b,
            (Datum::Enum(a), Value::Enum(_, b)) => *a == *b as usize,
            _ => false,
        }
    }

    /// The scalar that the value of a signal is, if there are such scalars in Lustre.
    pub fn from_value(value: &Value) -> Option<Datum> {
        match value {
            Value::Bits(bits) if bits.width() == 1 => Some(Datum::Bool(bits.is_nonzero())),
            Value::Int(value) => Some(Datum::Int(value.clone())),
            Value::Real(value) => Some(Datum::Real(value.clone())),
            Value::Enum(_, position) => Some(Datum::Enum(*position as usize)),
            _ => None,
        }
    }
}

/// All values of a type, if there are few.
pub(super) fn all_values(program: &Program, of: &Type, range: Option<(i64, i64)>) -> Option<Vec<Datum>> {
    let between = |low: i64, high: i64| (low..=high).map(|value| Datum::Int(value.into())).collect();
    match of {
        Type::Bool => Some(vec![Datum::Bool(false), Datum::Bool(true)]),
        Type::Int => range.map(|(low, high)| between(low, high)),
        Type::Real => None,
        Type::Subrange(low, high) => Some(between(*low, *high)),
        Type::Enum(index) => Some((0..program.enums[*index].values.len()).map(Datum::Enum).collect()),
        Type::Record(record) => {
            products(program, &mut program.records[*record].fields.iter().map(|(_, of)| of))
        }
        Type::Array(element, size) => products(program, &mut std::iter::repeat_n(&**element, *size)),
        Type::Tuple(parts) => products(program, &mut parts.iter()),
    }
}

fn products(program: &Program, parts: &mut dyn Iterator<Item = &Type>) -> Option<Vec<Datum>> {
    let mut all = vec![Vec::new()];
    for of in parts {
        let values = all_values(program, of, None)?;
        let extended = |value: &Datum| {
            let value = value.clone();
            all.iter().map(move |start| start.iter().cloned().chain([value.clone()]).collect())
        };
        all = values.iter().flat_map(extended).collect::<Vec<Vec<Datum>>>();
    }
    Some(all.into_iter().map(Datum::Parts).collect())
}

/// Operators of one operand but `pre`.
pub(super) fn unary(op: Unary, a: &Datum) -> Datum {
    match (op, a) {
        (Unary::Not, Datum::Bool(a)) => Datum::Bool(!a),
        (Unary::Negate, Datum::Int(a)) => Datum::Int(-a.clone()),
        (Unary::Negate, Datum::Real(a)) => Datum::Real(-a.clone()),
        (Unary::ToReal, Datum::Int(a)) => Datum::Real(RBig::from(a.clone())),
        (Unary::Floor, Datum::Real(a)) => Datum::Int(a.floor()),
        _ => panic!("{op:?} of {a:?}"),
    }
}

/// Operators of two operands but `->`.
pub(super) fn binary(op: Binary, a: &Datum, b: &Datum) -> Datum {
    match (op, a, b) {
        (Binary::Equal, _, _) => Datum::Bool(a == b),
        (Binary::NotEqual, _, _) => Datum::Bool(a != b),
        (_, Datum::Bool(a), Datum::Bool(b)) => Datum::Bool(boolean(op, *a, *b)),
        (_, Datum::Int(a), Datum::Int(b)) => int(op, a, b),
        (_, Datum::Real(a), Datum::Real(b)) => real(op, a, b),
        _ => panic!("{op:?} of {a:?} and {b:?}"),
    }
}

fn boolean(op: Binary, a: bool, b: bool) -> bool {
    match op {
        Binary::And => a && b,
        Binary::Or => a || b,
        Binary::Xor => a != b,
        Binary::Implies => !a || b,
        _ => panic!("{op:?} of truth values"),
    }
}

fn int(op: Binary, a: &IBig, b: &IBig) -> Datum {
    match op {
        Binary::Plus => Datum::Int(a + b),
        Binary::Minus => Datum::Int(a - b),
        Binary::Times => Datum::Int(a * b),
        // Left open by Lustre, and fixed as the interpreter fixes it.
        Binary::Div if b.is_zero() => Datum::Int(IBig::ZERO),
        Binary::Mod => Datum::Int(remainder(a, b)),
        Binary::Div => Datum::Int((a - remainder(a, b)) / b),
        Binary::Less => Datum::Bool(a < b),
        Binary::LessEqual => Datum::Bool(a <= b),
        Binary::Greater => Datum::Bool(a > b),
        Binary::GreaterEqual => Datum::Bool(a >= b),
        _ => panic!("{op:?} of ints"),
    }
}

/// The one number from 0 up to, but without, the absolute value of b that differs from a by a multiple of b.
fn remainder(a: &IBig, b: &IBig) -> IBig {
    if b.is_zero() {
        return a.clone();
    }
    let size = if *b < IBig::ZERO { -b.clone() } else { b.clone() };
    let rest = a % &size;
    if rest < IBig::ZERO { rest + size } else { rest }
}

fn real(op: Binary, a: &RBig, b: &RBig) -> Datum {
    match op {
        Binary::Plus => Datum::Real(a + b),
        Binary::Minus => Datum::Real(a - b),
        Binary::Times => Datum::Real(a * b),
        Binary::Divide if b.is_zero() => Datum::Real(RBig::ZERO),
        Binary::Divide => Datum::Real(a / b),
        Binary::Less => Datum::Bool(a < b),
        Binary::LessEqual => Datum::Bool(a <= b),
        Binary::Greater => Datum::Bool(a > b),
        Binary::GreaterEqual => Datum::Bool(a >= b),
        _ => panic!("{op:?} of reals"),
    }
}
