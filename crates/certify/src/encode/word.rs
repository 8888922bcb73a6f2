//! Values of every finite sort as literals, and each operator on them.
//!
//! A word carries its own sort, and every operator checks its operands': the sorts that an expression pool records are
//! not relied on, so a claim with ill-sorted expressions is rejected instead of misread.
//!
//! An enumeration is its position in binary. A small array is one word per index, any other one a [term](super::array).

use super::array::Array;
use super::gates::Gates;
use crate::Rejection;
use propcov_ir::{ArraySort, BinaryOp, Bits, EnumSort, Sort, TernaryOp, UnaryOp, Value};
use propcov_sat::{Lit, Solver};
use std::rc::Rc;
use std::sync::Arc;

/// A value in a circuit. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    /// Least significant bit first; at least one.
    Bits(Rc<[Lit]>),
    /// The position, least significant bit first; none for an enumeration of one.
    Enum(Arc<EnumSort>, Rc<[Lit]>),
    /// What is stored.
    Array(Arc<ArraySort>, Array),
}

/// More literals than this are refused, in a word that is no array and where all elements of an array are needed.
pub(super) const LARGEST_WORD: u64 = 1 << 18;
/// Wider operands of an operator with a quadratic circuit are refused.
const WIDEST_PRODUCT: usize = 1 << 10;

impl Word {
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Word::Bits(bits) => Sort::BitVec(bits.len() as u32),
            Word::Enum(sort, _) => Sort::Enum(sort.clone()),
            Word::Array(sort, _) => Sort::Array(sort.clone()),
        }
    }

    /// The literal of a Boolean.
    pub(crate) fn as_bool(&self) -> Option<Lit> {
        match self {
            Word::Bits(bits) if bits.len() == 1 => Some(bits[0]),
            _ => None,
        }
    }

    /// Whether the words are the same, not only equal.
    pub(crate) fn is(&self, other: &Word) -> bool {
        match (self, other) {
            (Word::Bits(a), Word::Bits(b)) => a == b,
            (Word::Enum(sort, a), Word::Enum(other, b)) => sort == other && a == b,
            (Word::Array(sort, Array::Table(a)), Word::Array(other, Array::Table(b))) => {
                sort == other && a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is(b))
            }
            (Word::Array(sort, Array::Term(a)), Word::Array(other, Array::Term(b))) => {
                sort == other && a == b
            }
            _ => false,
        }
    }

    /// Whether this is an array that is not written out.
    pub(crate) fn is_term(&self) -> bool {
        matches!(self, Word::Array(_, Array::Term(_)))
    }

    /// The literals of what is no array.
    fn scalar(&self) -> Option<&Rc<[Lit]>> {
        match self {
            Word::Bits(bits) | Word::Enum(_, bits) => Some(bits),
            Word::Array(..) => None,
        }
    }

    /// Adds all literals, if they are written out.
    fn list(&self, literals: &mut Vec<Lit>) -> bool {
        match self {
            Word::Bits(bits) | Word::Enum(_, bits) => {
                literals.extend_from_slice(bits);
                true
            }
            Word::Array(_, Array::Table(elements)) => elements.iter().all(|element| element.list(literals)),
            Word::Array(_, Array::Term(_)) => false,
        }
    }

    fn bool(literal: Lit) -> Word {
        Word::Bits(Rc::from([literal]))
    }
}

/// How many values an index or enumeration has, or that there are too many to count.
pub(super) fn count(sort: &Sort) -> Result<u64, Rejection> {
    match sort {
        Sort::BitVec(width) => Ok(1u64.checked_shl(*width).unwrap_or(u64::MAX)),
        Sort::Enum(sort) if !sort.variants.is_empty() => Ok(sort.variants.len() as u64),
        Sort::Enum(sort) => Err(Rejection::Malformed(format!("{} has no values", sort.name))),
        _ => Err(Rejection::Unsupported(format!("an array indexed by {sort}"))),
    }
}

/// How many bits tell this many values apart.
fn binary_width(values: u64) -> usize {
    (u64::BITS - values.saturating_sub(1).leading_zeros()) as usize
}

/// How many literals a word of this sort has, were it written out; an error if there is no such word, or it is too large otherwise than by being an array.
pub(super) fn literal_count(sort: &Sort) -> Result<u64, Rejection> {
    let literals = match sort {
        Sort::BitVec(0) => return Err(Rejection::Malformed("a bit-vector without bits".to_owned())),
        Sort::BitVec(width) => u64::from(*width),
        Sort::Enum(_) => binary_width(count(sort)?) as u64,
        Sort::Array(array) => {
            let indices = count(&array.index)?;
            literal_count(&array.index)?;
            return Ok(indices.saturating_mul(literal_count(&array.element)?.max(1)));
        }
        Sort::Int | Sort::Real => {
            return Err(Rejection::Unsupported(format!("{sort} has infinitely many values")));
        }
    };
    if literals > LARGEST_WORD {
        return Err(Rejection::Unsupported(format!("a value of sort {sort} takes {literals} bits")));
    }
    Ok(literals)
}

impl<S: Solver> Gates<S> {
    /// A word that may have any value of the sort.
    pub(crate) fn fresh_word(&mut self, sort: &Sort) -> Result<Word, Rejection> {
        literal_count(sort)?;
        Ok(match sort {
            Sort::BitVec(width) => Word::Bits((0..*width).map(|_| self.fresh()).collect()),
            Sort::Enum(variants) => {
                let count = count(sort)?;
                let bits: Rc<[Lit]> = (0..binary_width(count)).map(|_| self.fresh()).collect();
                // Positions beyond the last are no values: position ≤ count − 1.
                let last = self.number(bits.len(), (count - 1) as u32);
                let beyond = self.less(&last, &bits);
                self.clause(&[!beyond]);
                Word::Enum(variants.clone(), bits)
            }
            Sort::Array(array) if self.arrays.are_tables(array)? => {
                let elements: Result<Rc<[Word]>, Rejection> =
                    (0..count(&array.index)?).map(|_| self.fresh_word(&array.element)).collect();
                Word::Array(array.clone(), Array::Table(elements?))
            }
            Sort::Array(array) => Word::Array(array.clone(), self.any_array()),
            Sort::Int | Sort::Real => return Err(Rejection::Unsupported(sort.to_string())),
        })
    }

    /// The word of a constant.
    pub(crate) fn constant_word(&mut self, value: &Value) -> Result<Word, Rejection> {
        let sort = value.sort();
        literal_count(&sort)?;
        match value {
            Value::Bits(bits) => {
                Ok(Word::Bits((0..bits.width()).map(|index| self.constant(bits.bit(index))).collect()))
            }
            Value::Enum(variants, position) => {
                let count = count(&sort)?;
                if u64::from(*position) >= count {
                    return Err(Rejection::Malformed(format!("{} has no value {position}", variants.name)));
                }
                Ok(Word::Enum(variants.clone(), self.number(binary_width(count), *position).into()))
            }
            Value::Array(array) => {
                let own = array.sort();
                if !self.arrays.are_tables(own)? {
                    return Ok(Word::Array(own.clone(), self.constant_array(array)?));
                }
                let elements: Result<Rc<[Word]>, Rejection> = (0..count(&own.index)?)
                    .map(|index| {
                        let index = match &own.index {
                            Sort::Enum(variants) => Value::Enum(variants.clone(), index as u32),
                            other => Value::Bits(Bits::from_u64(literal_count(other)? as u32, index)),
                        };
                        self.constant_element(own, array.read(&index))
                    })
                    .collect();
                Ok(Word::Array(own.clone(), Array::Table(elements?)))
            }
            Value::Int(_) | Value::Real(_) => Err(Rejection::Unsupported(sort.to_string())),
        }
    }

    /// All literals, in a fixed order.
    pub(crate) fn literals(&mut self, word: &Word) -> Result<Vec<Lit>, Rejection> {
        let mut literals = Vec::new();
        if word.list(&mut literals) {
            return Ok(literals);
        }
        literals.clear();
        let Word::Array(sort, array) = word else { return Ok(literals) };
        for element in self.table(sort, array)?.iter() {
            literals.extend(self.literals(element)?);
        }
        Ok(literals)
    }

    /// The value in the model of the last query, which was satisfiable: most significant bit first. Nothing if it is not written out.
    pub(crate) fn show_bits(&self, word: &Word) -> Option<String> {
        let show = |lit: &Lit| match self.value(*lit) {
            Some(true) => '1',
            Some(false) => '0',
            None => 'x',
        };
        let mut literals = Vec::new();
        word.list(&mut literals).then(|| literals.iter().rev().map(show).collect())
    }

    /// Whether two words of one sort are equal.
    pub(crate) fn equal_words(&mut self, a: &Word, b: &Word) -> Result<Lit, Rejection> {
        if a.sort() != b.sort() {
            return Err(Rejection::operands(BinaryOp::Eq));
        }
        if a.is(b) {
            return Ok(self.constant(true));
        }
        let (a, b) = (self.literals(a)?, self.literals(b)?);
        Ok(self.equal(&a, &b))
    }

    /// One word or the other.
    pub(super) fn mux_words(
        &mut self,
        condition: Lit,
        then: &Word,
        otherwise: &Word,
    ) -> Result<Word, Rejection> {
        match (then, otherwise) {
            (Word::Bits(then), Word::Bits(otherwise)) if then.len() == otherwise.len() => {
                Ok(Word::Bits(self.mux_all(condition, then, otherwise).into()))
            }
            (Word::Enum(sort, then), Word::Enum(other, otherwise)) if sort == other => {
                Ok(Word::Enum(sort.clone(), self.mux_all(condition, then, otherwise).into()))
            }
            (Word::Array(sort, Array::Term(then)), Word::Array(other, Array::Term(otherwise)))
                if sort == other =>
            {
                Ok(Word::Array(sort.clone(), self.choice(condition, *then, *otherwise)))
            }
            (Word::Array(sort, Array::Table(then)), Word::Array(other, Array::Table(otherwise)))
                if sort == other =>
            {
                let elements: Result<Rc<[Word]>, Rejection> = then
                    .iter()
                    .zip(otherwise.iter())
                    .map(|(then, otherwise)| self.mux_words(condition, then, otherwise))
                    .collect();
                Ok(Word::Array(sort.clone(), Array::Table(elements?)))
            }
            _ => Err(Rejection::operands(TernaryOp::Ite)),
        }
    }

    pub(crate) fn unary(&mut self, op: &UnaryOp, a: &Word) -> Result<Word, Rejection> {
        if let UnaryOp::ConstArray(sort) = op {
            return match sort {
                Sort::Array(array) if array.element == a.sort() => {
                    if !self.arrays.are_tables(array)? {
                        return Ok(Word::Array(array.clone(), self.uniform_array(a.clone())));
                    }
                    let elements = (0..count(&array.index)?).map(|_| a.clone()).collect();
                    Ok(Word::Array(array.clone(), Array::Table(elements)))
                }
                _ => Err(Rejection::operands(op)),
            };
        }
        if let (UnaryOp::Position, Word::Enum(_, bits)) = (op, a) {
            let never = self.constant(false);
            return Ok(Word::Bits(if bits.is_empty() { Rc::from([never]) } else { bits.clone() }));
        }
        let Word::Bits(a) = a else { return Err(Rejection::operands(op)) };
        if let UnaryOp::Variant(sort) = op {
            return self.variant(sort, a);
        }
        let extended = |by: u32, bit: Lit| {
            let width = a.len() as u64 + u64::from(by);
            literal_count(&Sort::BitVec(u32::try_from(width).unwrap_or(u32::MAX)))?;
            Ok(a.iter().copied().chain((0..by).map(|_| bit)).collect())
        };
        Ok(Word::Bits(match op {
            UnaryOp::Not => a.iter().map(|bit| !*bit).collect(),
            UnaryOp::Neg => self.negate(a).into(),
            UnaryOp::ReduceAnd => Rc::from([self.and_all(a)]),
            UnaryOp::ReduceOr => Rc::from([self.or_all(a)]),
            UnaryOp::ReduceXor => {
                let odd = a.iter().fold(self.constant(false), |odd, bit| self.xor(odd, *bit));
                Rc::from([odd])
            }
            UnaryOp::Extract { high, low } => match a.get(*low as usize..=*high as usize) {
                Some(bits) if !bits.is_empty() => Rc::from(bits),
                _ => return Err(Rejection::operands(op)),
            },
            UnaryOp::ZeroExtend(by) => extended(*by, self.constant(false))?,
            UnaryOp::SignExtend(by) => extended(*by, a[a.len() - 1])?,
            UnaryOp::ConstArray(_)
            | UnaryOp::ToReal
            | UnaryOp::Floor
            | UnaryOp::Position
            | UnaryOp::Variant(_) => {
                return Err(Rejection::operands(op));
            }
        }))
    }

    /// The variant at a position: the first one for a position that equals none of those that exist.
    fn variant(&mut self, sort: &Sort, position: &[Lit]) -> Result<Word, Rejection> {
        let Sort::Enum(variants) = sort else { return Err(Rejection::operands("variant")) };
        let width = binary_width(count(sort)?);
        let count = count(sort)?;
        // Both as numbers of one width, so that the comparison is one of numbers.
        let wide = width.max(position.len());
        let padding = self.constant(false);
        let padded: Vec<Lit> =
            position.iter().copied().chain(std::iter::repeat(padding)).take(wide).collect();
        let last = self.number(wide, (count - 1) as u32);
        let beyond = self.less(&last, &padded);
        let first = self.number(width, 0);
        Ok(Word::Enum(variants.clone(), self.mux_all(beyond, &first, &padded[..width]).into()))
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: &Word, b: &Word) -> Result<Word, Rejection> {
        use BinaryOp as B;
        if op == B::Eq {
            return Ok(Word::bool(self.equal_words(a, b)?));
        }
        if let (B::Read, Word::Array(sort, array)) = (op, a) {
            return match (array, b.scalar()) {
                _ if sort.index != b.sort() => Err(Rejection::operands(op)),
                (Array::Table(elements), Some(index)) => self.read(elements, index),
                (Array::Term(term), Some(index)) => self.read_term(sort, *term, index),
                (_, None) => Err(Rejection::operands(op)),
            };
        }
        let (Word::Bits(a), Word::Bits(b)) = (a, b) else { return Err(Rejection::operands(op)) };
        if op == B::Concat {
            literal_count(&Sort::BitVec((a.len() + b.len()) as u32))?;
            return Ok(Word::Bits(b.iter().chain(a.iter()).copied().collect()));
        }
        if a.len() != b.len() {
            return Err(Rejection::operands(op));
        }
        let quadratic =
            matches!(op, B::Mul | B::Udiv | B::Urem | B::Sdiv | B::Srem | B::Smod | B::Rol | B::Ror);
        if quadratic && a.len() > WIDEST_PRODUCT {
            return Err(Rejection::Unsupported(format!("{op:?} of {} bits", a.len())));
        }
        let bits = match op {
            B::And => a.iter().zip(b.iter()).map(|(a, b)| self.and(*a, *b)).collect(),
            B::Or => a.iter().zip(b.iter()).map(|(a, b)| self.or(*a, *b)).collect(),
            B::Xor => a.iter().zip(b.iter()).map(|(a, b)| self.xor(*a, *b)).collect(),
            B::Ult => vec![self.less(a, b)],
            B::Ule => vec![!self.less(b, a)],
            B::Slt => vec![self.less_signed(a, b)],
            B::Sle => vec![!self.less_signed(b, a)],
            B::Add => self.add(a, b),
            B::Sub => self.subtract(a, b),
            B::Mul => self.multiply(a, b),
            B::Udiv => self.divide(a, b).0,
            B::Urem => self.divide(a, b).1,
            B::Sdiv => self.divide_signed(a, b),
            B::Srem => self.remainder_signed(a, b),
            B::Smod => self.modulo_signed(a, b),
            B::Shl => self.shift_left(a, b),
            B::Lshr => self.shift_right(a, b, self.constant(false)),
            B::Ashr => self.shift_right(a, b, a[a.len() - 1]),
            B::Rol => self.rotate_left(a, b),
            B::Ror => self.rotate_right(a, b),
            B::Eq | B::Concat | B::Read | B::Lt | B::Le | B::RealDiv | B::IntDiv | B::IntMod => {
                return Err(Rejection::operands(op));
            }
        };
        Ok(Word::Bits(bits.into()))
    }

    pub(crate) fn ternary(&mut self, op: TernaryOp, a: &Word, b: &Word, c: &Word) -> Result<Word, Rejection> {
        match (op, a) {
            (TernaryOp::Ite, _) => match a.as_bool() {
                Some(condition) => self.mux_words(condition, b, c),
                None => Err(Rejection::operands(op)),
            },
            (TernaryOp::Write, Word::Array(sort, array))
                if sort.index == b.sort() && sort.element == c.sort() =>
            {
                let Some(index) = b.scalar() else { return Err(Rejection::operands(op)) };
                let elements = match array {
                    Array::Table(elements) => elements,
                    Array::Term(term) => {
                        return Ok(Word::Array(sort.clone(), self.written(*term, index, c)));
                    }
                };
                let written: Result<Rc<[Word]>, Rejection> = elements
                    .iter()
                    .enumerate()
                    .map(|(position, element)| {
                        let here = self.number(index.len(), position as u32);
                        let hit = self.equal(index, &here);
                        self.mux_words(hit, c, element)
                    })
                    .collect();
                Ok(Word::Array(sort.clone(), Array::Table(written?)))
            }
            (TernaryOp::Write, _) => Err(Rejection::operands(op)),
        }
    }

    /// Halves the array by each index bit in turn. The index of an enumeration need not fill its last half.
    fn read(&mut self, elements: &[Word], index: &[Lit]) -> Result<Word, Rejection> {
        let mut rest = elements.to_vec();
        for &bit in index {
            let halves: Result<Vec<Word>, Rejection> = rest
                .chunks(2)
                .map(|pair| match pair {
                    [even, odd] => self.mux_words(bit, odd, even),
                    _ => Ok(pair[0].clone()),
                })
                .collect();
            rest = halves?;
        }
        rest.into_iter().next().ok_or_else(|| Rejection::operands(BinaryOp::Read))
    }
}
