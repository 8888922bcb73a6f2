//! Concrete values, in exact arithmetic.

use crate::{ArraySort, EnumSort, Sort};
use dashu_int::{IBig, UBig, ops::BitTest};
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value of some [`Sort`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of [`Sort::BitVec`].
    Bits(Bits),
    /// Of [`Sort::Array`].
    Array(ArrayValue),
    /// Of [`Sort::Int`].
    Int(IBig),
    /// Of [`Sort::Real`].
    Real(RBig),
    /// Of [`Sort::Enum`]: the position of the variant.
    Enum(Arc<EnumSort>, u32),
}

/// A bit-vector value: an unsigned number below 2^width.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    value: UBig,
}

/// An array value: a default and the indices that differ from it.
///
/// Two arrays are equal iff they agree at every index, whatever their defaults.
#[derive(Clone, Debug, Eq)]
pub struct ArrayValue {
    sort: Arc<ArraySort>,
    default: Box<Value>,
    elements: BTreeMap<Value, Value>,
}

impl Bits {
    /// The number modulo 2^width.
    pub fn new(width: u32, value: UBig) -> Bits {
        debug_assert!(width > 0, "a bit-vector has at least one bit");
        let value = if value.bit_len() > width as usize {
            value & ((UBig::ONE << width as usize) - UBig::ONE)
        } else {
            value
        };
        Bits { width, value }
    }

    /// The two's complement of a signed number.
    pub fn from_signed(width: u32, value: &IBig) -> Bits {
        let modulus = IBig::from(UBig::ONE << width as usize);
        let rest = ((value % &modulus) + &modulus) % &modulus;
        Bits { width, value: UBig::try_from(rest).unwrap_or(UBig::ZERO) }
    }

    /// A small number modulo 2^width.
    pub fn from_u64(width: u32, value: u64) -> Bits {
        Bits::new(width, UBig::from(value))
    }

    /// All zeros.
    pub fn zero(width: u32) -> Bits {
        Bits::from_u64(width, 0)
    }

    /// All ones.
    pub fn ones(width: u32) -> Bits {
        Bits { width, value: (UBig::ONE << width as usize) - UBig::ONE }
    }

    /// A Boolean.
    pub fn bool(value: bool) -> Bits {
        Bits::from_u64(1, u64::from(value))
    }

    /// From bits, least significant first; at least one.
    pub fn from_bits(bits: impl IntoIterator<Item = bool>) -> Bits {
        let (mut value, mut width) = (UBig::ZERO, 0);
        for bit in bits {
            if bit {
                value.set_bit(width);
            }
            width += 1;
        }
        Bits::new(width as u32, value)
    }

    /// How many bits there are.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Bit `index`, counting from the least significant.
    pub fn bit(&self, index: u32) -> bool {
        self.value.bit(index as usize)
    }

    /// Read as an unsigned number.
    pub fn unsigned(&self) -> &UBig {
        &self.value
    }

    /// Read as a two's complement number.
    pub fn signed(&self) -> IBig {
        let value = IBig::from(self.value.clone());
        if self.bit(self.width - 1) { value - IBig::from(UBig::ONE << self.width as usize) } else { value }
    }

    /// Whether any bit is set; for width 1, the truth value.
    pub fn is_nonzero(&self) -> bool {
        !self.value.is_zero()
    }
}

impl ArrayValue {
    /// The array that holds `default` everywhere.
    pub fn constant(sort: Arc<ArraySort>, default: Value) -> ArrayValue {
        ArrayValue { sort, default: Box::new(default), elements: BTreeMap::new() }
    }

    /// The index and element sorts.
    pub fn sort(&self) -> &Arc<ArraySort> {
        &self.sort
    }

    /// What is stored at an index.
    pub fn read(&self, index: &Value) -> &Value {
        self.elements.get(index).unwrap_or(&self.default)
    }

    /// Stores a value at an index.
    pub fn write(&mut self, index: impl Into<Value>, value: Value) {
        let index = index.into();
        if value == *self.default {
            self.elements.remove(&index);
        } else {
            self.elements.insert(index, value);
        }
    }

    /// The value at every index that is not listed by [`ArrayValue::elements`].
    pub fn default_value(&self) -> &Value {
        &self.default
    }

    /// The indices that differ from the default, in order.
    pub fn elements(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.elements.iter()
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        let agree =
            |a: &ArrayValue, b: &ArrayValue| a.elements().all(|(index, value)| b.read(index) == value);
        if self.sort != other.sort || !agree(self, other) || !agree(other, self) {
            return false;
        }
        if self.default == other.default {
            return true;
        }
        // Different defaults are never read when one array or the other lists each index.
        let only_other = other.elements.keys().filter(|index| !self.elements.contains_key(*index)).count();
        self.index_count() == Some((self.elements.len() + only_other) as u64)
    }
}

impl ArrayValue {
    /// How many indices there are, where that is a small number. Arrays with a different count of indices, or none, are equal only if their
    /// defaults are.
    fn index_count(&self) -> Option<u64> {
        match &self.sort.index {
            Sort::BitVec(width) => 1u64.checked_shl(*width),
            Sort::Enum(sort) => Some(sort.variants.len() as u64),
            Sort::Int | Sort::Real | Sort::Array(_) => None,
        }
    }

    /// The index at a position of the order, if [they are counted](ArrayValue::index_count).
    fn nth_index(&self, position: u64) -> Option<Value> {
        match &self.sort.index {
            Sort::BitVec(width) => Some(Value::Bits(Bits::from_u64(*width, position))),
            Sort::Enum(sort) => Some(Value::Enum(sort.clone(), u32::try_from(position).ok()?)),
            Sort::Int | Sort::Real | Sort::Array(_) => None,
        }
    }

    /// Compares what is stored at the first index where that differs.
    fn cmp_by_index(&self, other: &ArrayValue, count: u64) -> Ordering {
        let same_default = self.default == other.default;
        let listed: BTreeSet<&Value> = self.elements.keys().chain(other.elements.keys()).collect();
        let mut position = 0;
        for index in listed {
            if !same_default && self.nth_index(position).as_ref() != Some(index) {
                return self.default.cmp(&other.default);
            }
            let order = self.read(index).cmp(other.read(index));
            if order != Ordering::Equal {
                return order;
            }
            position += 1;
        }
        if position < count { self.default.cmp(&other.default) } else { Ordering::Equal }
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &ArrayValue) -> Ordering {
        let sorts =
            if Arc::ptr_eq(&self.sort, &other.sort) { Ordering::Equal } else { self.sort.cmp(&other.sort) };
        sorts.then_with(|| match self.index_count() {
            Some(count) => self.cmp_by_index(other, count),
            None => self.default.cmp(&other.default).then_with(|| self.elements.cmp(&other.elements)),
        })
    }
}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &ArrayValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sort.hash(state);
        // Equal arrays with few indices may differ in default and listed elements, but not in what they hold at one index.
        match self.nth_index(0) {
            Some(first) => self.read(&first).hash(state),
            None => self.default.hash(state),
        }
    }
}

impl From<Bits> for Value {
    fn from(bits: Bits) -> Value {
        Value::Bits(bits)
    }
}

/// Numbers by size, variants by position, arrays by what they hold. Values of different sorts are ordered somehow.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let rank = |value: &Value| match value {
            Value::Bits(_) => 0,
            Value::Array(_) => 1,
            Value::Int(_) => 2,
            Value::Real(_) => 3,
            Value::Enum(..) => 4,
        };
        match (self, other) {
            (Value::Bits(a), Value::Bits(b)) => a.cmp(b),
            (Value::Array(a), Value::Array(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.cmp(b),
            (Value::Enum(a, x), Value::Enum(b, y)) => {
                // Comparing the variants' names takes long, and they are mostly one enumeration's.
                x.cmp(y).then_with(|| if Arc::ptr_eq(a, b) { Ordering::Equal } else { a.cmp(b) })
            }
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Value {
    /// A Boolean value.
    pub fn bool(value: bool) -> Value {
        Value::Bits(Bits::bool(value))
    }

    /// The zero of a sort: 0, false, the first variant, the array of zeros.
    pub fn zero(sort: &Sort) -> Value {
        match sort {
            Sort::BitVec(width) => Value::Bits(Bits::zero(*width)),
            Sort::Array(array) => {
                Value::Array(ArrayValue::constant(array.clone(), Value::zero(&array.element)))
            }
            Sort::Int => Value::Int(IBig::ZERO),
            Sort::Real => Value::Real(RBig::ZERO),
            Sort::Enum(sort) => Value::Enum(sort.clone(), 0),
        }
    }

    /// The sort of this value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bits(bits) => Sort::BitVec(bits.width),
            Value::Array(array) => Sort::Array(array.sort.clone()),
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Enum(sort, _) => Sort::Enum(sort.clone()),
        }
    }

    /// Whether this is a value of the sort: also a variant that exists, and likewise inside arrays.
    pub fn has_sort(&self, sort: &Sort) -> bool {
        match (self, sort) {
            (Value::Bits(bits), Sort::BitVec(width)) => bits.width == *width,
            (Value::Int(_), Sort::Int) | (Value::Real(_), Sort::Real) => true,
            (Value::Enum(own, position), Sort::Enum(sort)) => {
                own == sort && (*position as usize) < sort.variants.len()
            }
            (Value::Array(array), Sort::Array(sort)) => {
                array.sort == *sort
                    && array.default.has_sort(&sort.element)
                    && array
                        .elements()
                        .all(|(index, value)| index.has_sort(&sort.index) && value.has_sort(&sort.element))
            }
            _ => false,
        }
    }

    /// The bits of a bit-vector value.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// The truth value of a Boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bits(bits) if bits.width == 1 => Some(bits.is_nonzero()),
            _ => None,
        }
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.width).rev().try_for_each(|index| write!(f, "{}", u8::from(self.bit(index))))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bits(bits) => write!(f, "{bits}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Real(value) => write!(f, "{value}"),
            Value::Enum(sort, position) => match sort.variants.get(*position as usize) {
                Some(name) => write!(f, "{name}"),
                None => write!(f, "{}#{position}", sort.name),
            },
            Value::Array(array) => {
                write!(f, "[")?;
                for (index, value) in array.elements() {
                    write!(f, "{index}: {value}, ")?;
                }
                write!(f, "else: {}]", array.default)
            }
        }
    }
}
