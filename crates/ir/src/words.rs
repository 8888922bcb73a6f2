//! Word-level operators as circuits, written once over any algebra of bits.
//!
//! The bit-blaster instantiates [`BitAlgebra`] with the literals of an and-inverter graph, the simulator with `u64`, in
//! which each bit is one of 64 independent runs. Both therefore mean the same by `srem`, and a test that compares the
//! operators here with the exact [`Interpreter`](crate::Interpreter) covers both.
//!
//! A bit-vector is a list of bits, the least significant first. An enumeration of n values is the position of the
//! variant in ⌈log₂ n⌉ bits; codes from n on mean nothing, and whoever leaves such a signal open has to exclude them with
//! [`is_meaningful`]. An array is the table of all its elements, which is why large ones are [`Unsupported`].

mod arithmetic;
mod memory;
mod shift;

use crate::{ArrayValue, BinaryOp, Bits, EnumSort, ExprId, ExprPool, Node, Sort, TernaryOp, UnaryOp, Value};
use thiserror::Error;

/// The greatest number of bits in the table of one array.
pub const ARRAY_LIMIT: u64 = 1 << 16;

/// Bits, and gates on them.
///
/// The operators in this module leave constants and equal subterms to the algebra: one that folds and shares gets small
/// circuits. The default of [`BitAlgebra::xor`] is chosen such that, with sharing, a full adder takes 7 conjunctions.
pub trait BitAlgebra {
    /// A bit: a literal, a decision diagram, 64 simulated values.
    type Bit: Clone;

    /// The bit that is always `value`.
    fn constant(&mut self, value: bool) -> Self::Bit;

    /// Negation.
    fn not(&mut self, a: &Self::Bit) -> Self::Bit;

    /// Conjunction.
    fn and(&mut self, a: &Self::Bit, b: &Self::Bit) -> Self::Bit;

    /// Disjunction.
    fn or(&mut self, a: &Self::Bit, b: &Self::Bit) -> Self::Bit {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(&a, &b);
        self.not(&neither)
    }

    /// Exclusive or.
    fn xor(&mut self, a: &Self::Bit, b: &Self::Bit) -> Self::Bit {
        let both = self.and(a, b);
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(&a, &b);
        let (not_both, some) = (self.not(&both), self.not(&neither));
        self.and(&not_both, &some)
    }

    /// `then` where the condition holds, `otherwise` elsewhere.
    fn mux(&mut self, condition: &Self::Bit, then: &Self::Bit, otherwise: &Self::Bit) -> Self::Bit {
        let unless = self.not(condition);
        let (then, otherwise) = (self.and(condition, then), self.and(&unless, otherwise));
        self.or(&then, &otherwise)
    }

    /// The value of a bit that is known to be constant. Only a hint: circuits may be smaller for it.
    fn known(&self, _bit: &Self::Bit) -> Option<bool> {
        None
    }
}

/// A value as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<Bit> {
    /// A bit-vector or enumeration, the least significant bit first.
    Bits(Vec<Bit>),
    /// An array: the elements by index.
    Table(Vec<Word<Bit>>),
}

/// Something that has no representation as bits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsupported {
    /// A sort with infinitely many values, or an array over an index that is no bit-vector.
    #[error("values of sort {0} cannot be represented as bits")]
    Sort(Sort),
    /// An array of more than [`ARRAY_LIMIT`] bits.
    #[error("{0} has more than {ARRAY_LIMIT} bits")]
    ArrayTooLarge(Sort),
    /// An operator whose operands are not bits.
    #[error("operator {0} cannot be represented as a circuit")]
    Operator(String),
    /// A signal: only the caller knows its word.
    #[error("the value of a signal was not given")]
    Leaf,
}

/// How many bits the words of a sort have.
pub fn bit_count(sort: &Sort) -> Result<u64, Unsupported> {
    match sort {
        Sort::BitVec(width) => Ok(u64::from(*width)),
        Sort::Enum(sort) => Ok(u64::from(sort.width())),
        Sort::Array(array) => {
            let element = bit_count(&array.element)?;
            let entries = table_length(sort)?;
            match entries.checked_mul(element) {
                Some(bits) if bits <= ARRAY_LIMIT => Ok(bits),
                _ => Err(Unsupported::ArrayTooLarge(sort.clone())),
            }
        }
        Sort::Int | Sort::Real => Err(Unsupported::Sort(sort.clone())),
    }
}

/// The number of indices of an array sort.
fn table_length(sort: &Sort) -> Result<u64, Unsupported> {
    match sort {
        Sort::Array(array) => match array.index {
            Sort::BitVec(width) if 1u64.checked_shl(width).is_some_and(|length| length <= ARRAY_LIMIT) => {
                Ok(1 << width)
            }
            Sort::BitVec(_) => Err(Unsupported::ArrayTooLarge(sort.clone())),
            _ => Err(Unsupported::Sort(sort.clone())),
        },
        _ => Err(Unsupported::Sort(sort.clone())),
    }
}

impl<Bit: Clone> Word<Bit> {
    /// A word of the sort, with one call for each bit in the order of [`Word::flat`].
    pub fn build(sort: &Sort, mut bit: impl FnMut() -> Bit) -> Result<Word<Bit>, Unsupported> {
        bit_count(sort)?;
        Word::build_checked(sort, &mut bit)
    }

    fn build_checked(sort: &Sort, bit: &mut impl FnMut() -> Bit) -> Result<Word<Bit>, Unsupported> {
        match sort {
            Sort::Array(array) => {
                let entries = table_length(sort)?;
                let table = (0..entries).map(|_| Word::build_checked(&array.element, bit));
                Ok(Word::Table(table.collect::<Result<_, _>>()?))
            }
            _ => Ok(Word::Bits((0..bit_count(sort)?).map(|_| bit()).collect())),
        }
    }

    /// The bits of a bit-vector or enumeration.
    pub fn bits(&self) -> Result<&[Bit], Unsupported> {
        match self {
            Word::Bits(bits) => Ok(bits),
            Word::Table(_) => Err(Unsupported::Operator("on an array".to_owned())),
        }
    }

    /// The only bit of a Boolean.
    pub fn bit(&self) -> Result<&Bit, Unsupported> {
        match self.bits()? {
            [bit] => Ok(bit),
            bits => Err(Unsupported::Operator(format!("condition of {} bits", bits.len()))),
        }
    }

    /// The elements of an array, by index.
    pub fn table(&self) -> Result<&[Word<Bit>], Unsupported> {
        match self {
            Word::Table(table) => Ok(table),
            Word::Bits(_) => Err(Unsupported::Operator("on an array that is none".to_owned())),
        }
    }

    /// Appends all bits, those of an array element by element.
    pub fn flatten_into(&self, bits: &mut Vec<Bit>) {
        match self {
            Word::Bits(own) => bits.extend_from_slice(own),
            Word::Table(table) => table.iter().for_each(|word| word.flatten_into(bits)),
        }
    }

    /// All bits, those of an array element by element.
    pub fn flat(&self) -> Vec<Bit> {
        let mut bits = Vec::new();
        self.flatten_into(&mut bits);
        bits
    }

    /// The value that the word has when each bit has the value given.
    pub fn value(&self, sort: &Sort, bit: &mut impl FnMut(&Bit) -> bool) -> Result<Value, Unsupported> {
        match (sort, self) {
            (Sort::BitVec(_), Word::Bits(bits)) => Ok(Value::Bits(Bits::from_bits(bits.iter().map(bit)))),
            (Sort::Enum(sort), Word::Bits(bits)) => {
                let position = bits.iter().rev().fold(0, |high, low| high << 1 | u32::from(bit(low)));
                Ok(Value::Enum(sort.clone(), position))
            }
            (Sort::Array(array), Word::Table(table)) => {
                let Sort::BitVec(width) = array.index else { return Err(Unsupported::Sort(sort.clone())) };
                let mut value = ArrayValue::constant(array.clone(), Value::zero(&array.element));
                for (index, word) in table.iter().enumerate() {
                    value.write(Bits::from_u64(width, index as u64), word.value(&array.element, bit)?);
                }
                Ok(Value::Array(value))
            }
            _ => Err(Unsupported::Sort(sort.clone())),
        }
    }
}

/// The word of a literal.
pub fn constant<A: BitAlgebra>(algebra: &mut A, value: &Value) -> Result<Word<A::Bit>, Unsupported> {
    match value {
        Value::Bits(bits) => {
            Ok(Word::Bits((0..bits.width()).map(|index| algebra.constant(bits.bit(index))).collect()))
        }
        Value::Enum(sort, position) => {
            let width = sort.width();
            Ok(Word::Bits((0..width).map(|index| algebra.constant(position >> index & 1 == 1)).collect()))
        }
        Value::Array(array) => {
            bit_count(&value.sort())?;
            let Sort::BitVec(width) = array.sort().index else {
                return Err(Unsupported::Sort(value.sort()));
            };
            let default = constant(algebra, array.default_value())?;
            let mut table = vec![default; 1 << width];
            for (index, element) in array.elements() {
                let word = constant(algebra, element)?;
                if let Some(entry) = index
                    .as_bits()
                    .and_then(|index| usize::try_from(index.unsigned()).ok())
                    .and_then(|at| table.get_mut(at))
                {
                    *entry = word;
                }
            }
            Ok(Word::Table(table))
        }
        Value::Int(_) | Value::Real(_) => Err(Unsupported::Sort(value.sort())),
    }
}

/// Whether a word of this sort stands for a value: always, but for enumerations whose size is no power of two.
pub fn is_meaningful<A: BitAlgebra>(
    algebra: &mut A,
    sort: &Sort,
    word: &Word<A::Bit>,
) -> Result<A::Bit, Unsupported> {
    match (sort, word) {
        (Sort::Enum(sort), Word::Bits(bits)) => {
            let count = sort.variants.len();
            if count.is_power_of_two() || count == 0 {
                return Ok(algebra.constant(true));
            }
            let last = count - 1;
            let last: Vec<_> =
                (0..bits.len()).map(|index| algebra.constant(last >> index & 1 == 1)).collect();
            let beyond = arithmetic::less(algebra, &last, bits);
            Ok(algebra.not(&beyond))
        }
        (Sort::Array(array), Word::Table(table)) => {
            let bits = table
                .iter()
                .map(|element| is_meaningful(algebra, &array.element, element))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(all(algebra, bits))
        }
        _ => Ok(algebra.constant(true)),
    }
}

/// `then` where the condition holds, `otherwise` elsewhere; the words have one shape.
pub fn mux<A: BitAlgebra>(
    algebra: &mut A,
    condition: &A::Bit,
    then: &Word<A::Bit>,
    otherwise: &Word<A::Bit>,
) -> Word<A::Bit> {
    match (then, otherwise) {
        (Word::Bits(then), Word::Bits(otherwise)) => {
            Word::Bits(mux_bits(algebra, condition, then, otherwise))
        }
        (Word::Table(then), Word::Table(otherwise)) => {
            let pairs = then.iter().zip(otherwise);
            Word::Table(pairs.map(|(then, otherwise)| mux(algebra, condition, then, otherwise)).collect())
        }
        _ => otherwise.clone(),
    }
}

/// Whether two words of one shape are the same.
pub fn equal<A: BitAlgebra>(algebra: &mut A, a: &Word<A::Bit>, b: &Word<A::Bit>) -> A::Bit {
    let (a, b) = (a.flat(), b.flat());
    let same = a
        .iter()
        .zip(&b)
        .map(|(a, b)| {
            let differ = algebra.xor(a, b);
            algebra.not(&differ)
        })
        .collect();
    all(algebra, same)
}

fn mux_bits<A: BitAlgebra>(
    algebra: &mut A,
    condition: &A::Bit,
    then: &[A::Bit],
    otherwise: &[A::Bit],
) -> Vec<A::Bit> {
    then.iter().zip(otherwise).map(|(then, otherwise)| algebra.mux(condition, then, otherwise)).collect()
}

/// Combines the bits in a balanced tree, so that depth stays logarithmic.
fn tree<A: BitAlgebra>(
    algebra: &mut A,
    mut bits: Vec<A::Bit>,
    empty: bool,
    gate: fn(&mut A, &A::Bit, &A::Bit) -> A::Bit,
) -> A::Bit {
    while bits.len() > 1 {
        bits = bits
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => gate(algebra, a, b),
                single => single[0].clone(),
            })
            .collect();
    }
    bits.pop().unwrap_or_else(|| algebra.constant(empty))
}

fn all<A: BitAlgebra>(algebra: &mut A, bits: Vec<A::Bit>) -> A::Bit {
    tree(algebra, bits, true, A::and)
}

fn any<A: BitAlgebra>(algebra: &mut A, bits: Vec<A::Bit>) -> A::Bit {
    tree(algebra, bits, false, A::or)
}

/// The word of an expression, given the words of its operands in order.
///
/// Signals are leaves whose words only the caller knows; asking for one is [`Unsupported::Leaf`].
pub fn apply<A: BitAlgebra>(
    algebra: &mut A,
    exprs: &ExprPool,
    expr: ExprId,
    operands: &[&Word<A::Bit>],
) -> Result<Word<A::Bit>, Unsupported> {
    match (exprs.node(expr), operands) {
        (Node::Const(value), _) => constant(algebra, value),
        (Node::Unary(op, _), [a]) => unary(algebra, op, a),
        (Node::Binary(op, ..), [a, b]) => binary(algebra, *op, a, b),
        (Node::Ternary(TernaryOp::Ite, ..), [condition, then, otherwise]) => {
            let condition = condition.bit()?.clone();
            Ok(mux(algebra, &condition, then, otherwise))
        }
        (Node::Ternary(TernaryOp::Write, ..), [array, index, value]) => {
            memory::write(algebra, array.table()?, index.bits()?, value)
        }
        _ => Err(Unsupported::Leaf),
    }
}

/// Applies an operator of one operand.
pub fn unary<A: BitAlgebra>(
    algebra: &mut A,
    op: &UnaryOp,
    a: &Word<A::Bit>,
) -> Result<Word<A::Bit>, Unsupported> {
    if let UnaryOp::ConstArray(sort) = op {
        bit_count(sort)?;
        return Ok(Word::Table(vec![a.clone(); table_length(sort)? as usize]));
    }
    let a = a.bits()?;
    let bits = match op {
        UnaryOp::Not => a.iter().map(|bit| algebra.not(bit)).collect(),
        UnaryOp::Neg => arithmetic::negate(algebra, a),
        UnaryOp::ReduceAnd => vec![all(algebra, a.to_vec())],
        UnaryOp::ReduceOr => vec![any(algebra, a.to_vec())],
        UnaryOp::ReduceXor => vec![tree(algebra, a.to_vec(), false, A::xor)],
        UnaryOp::Extract { high, low } => match a.get(*low as usize..=*high as usize) {
            Some(bits) => bits.to_vec(),
            None => return Err(Unsupported::Operator(format!("{op:?} on {} bits", a.len()))),
        },
        UnaryOp::ZeroExtend(by) => extend(a, *by, algebra.constant(false)),
        UnaryOp::SignExtend(by) => match a.last() {
            Some(sign) => extend(a, *by, sign.clone()),
            None => return Err(Unsupported::Operator(format!("{op:?} on no bits"))),
        },
        UnaryOp::Position if a.is_empty() => vec![algebra.constant(false)],
        UnaryOp::Position => a.to_vec(),
        UnaryOp::Variant(Sort::Enum(sort)) => variant(algebra, sort, a),
        UnaryOp::ConstArray(_) | UnaryOp::ToReal | UnaryOp::Floor | UnaryOp::Variant(_) => {
            return Err(Unsupported::Operator(format!("{op:?}")));
        }
    };
    Ok(Word::Bits(bits))
}

/// The position if there is such a variant, else zero.
fn variant<A: BitAlgebra>(algebra: &mut A, sort: &EnumSort, position: &[A::Bit]) -> Vec<A::Bit> {
    let width = position.len().max(sort.width() as usize);
    let position = extend(position, (width - position.len()) as u32, algebra.constant(false));
    let last = sort.variants.len().saturating_sub(1);
    let last: Vec<_> = (0..width)
        .map(|index| algebra.constant(last.checked_shr(index as u32).is_some_and(|rest| rest & 1 == 1)))
        .collect();
    let beyond = arithmetic::less(algebra, &last, &position);
    let exists = algebra.not(&beyond);
    position.iter().take(sort.width() as usize).map(|bit| algebra.and(bit, &exists)).collect()
}

fn extend<Bit: Clone>(bits: &[Bit], by: u32, with: Bit) -> Vec<Bit> {
    let mut extended = bits.to_vec();
    extended.resize(bits.len() + by as usize, with);
    extended
}

/// Applies an operator of two operands.
pub fn binary<A: BitAlgebra>(
    algebra: &mut A,
    op: BinaryOp,
    a: &Word<A::Bit>,
    b: &Word<A::Bit>,
) -> Result<Word<A::Bit>, Unsupported> {
    use BinaryOp as B;
    match op {
        B::Eq => return Ok(Word::Bits(vec![equal(algebra, a, b)])),
        B::Read => return memory::read(algebra, a.table()?, b.bits()?),
        _ => {}
    }
    let (a, b) = (a.bits()?, b.bits()?);
    let bits = match op {
        B::And => bitwise(algebra, a, b, A::and),
        B::Or => bitwise(algebra, a, b, A::or),
        B::Xor => bitwise(algebra, a, b, A::xor),
        B::Ult => vec![arithmetic::less(algebra, a, b)],
        B::Slt => vec![arithmetic::signed_less(algebra, a, b)],
        B::Ule => {
            let above = arithmetic::less(algebra, b, a);
            vec![algebra.not(&above)]
        }
        B::Sle => {
            let above = arithmetic::signed_less(algebra, b, a);
            vec![algebra.not(&above)]
        }
        B::Add => arithmetic::add(algebra, a, b),
        B::Sub => arithmetic::subtract(algebra, a, b),
        B::Mul => arithmetic::multiply(algebra, a, b),
        B::Udiv => arithmetic::divide(algebra, a, b).quotient,
        B::Urem => arithmetic::divide(algebra, a, b).remainder,
        B::Sdiv => arithmetic::signed_quotient(algebra, a, b),
        B::Srem => arithmetic::signed_remainder(algebra, a, b),
        B::Smod => arithmetic::signed_modulo(algebra, a, b),
        B::Shl => shift::left(algebra, a, b),
        B::Lshr => {
            let zero = algebra.constant(false);
            shift::right(algebra, a, b, &zero)
        }
        B::Ashr => match a.last() {
            Some(sign) => shift::right(algebra, a, b, sign),
            None => Vec::new(),
        },
        B::Rol => shift::rotate(algebra, a, b, shift::Direction::Left),
        B::Ror => shift::rotate(algebra, a, b, shift::Direction::Right),
        B::Concat => b.iter().chain(a).cloned().collect(),
        B::Eq | B::Read | B::Lt | B::Le | B::RealDiv | B::IntDiv | B::IntMod => {
            return Err(Unsupported::Operator(format!("{op:?}")));
        }
    };
    Ok(Word::Bits(bits))
}

fn bitwise<A: BitAlgebra>(
    algebra: &mut A,
    a: &[A::Bit],
    b: &[A::Bit],
    gate: fn(&mut A, &A::Bit, &A::Bit) -> A::Bit,
) -> Vec<A::Bit> {
    a.iter().zip(b).map(|(a, b)| gate(algebra, a, b)).collect()
}
