//! The types of variables and values.
//!
//! Ranges of integers and enumerations are both finite lists of [`Scalar`]s: integers in increasing order first, then
//! symbols and truth values in the order in which they were written. Each list becomes one enumeration of the system.

use propcov_ir::{EnumSort, ExprId, ExprPool, Sort, Value};
use rustc_hash::FxHashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// The most values that a type may list.
pub(super) const MAX_VALUES: usize = 1 << 16;

/// A constant that an enumeration can hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    Integer(i64),
    Boolean(bool),
    Symbol(Rc<str>),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Integer(value) => write!(f, "{value}"),
            Scalar::Boolean(true) => write!(f, "TRUE"),
            Scalar::Boolean(false) => write!(f, "FALSE"),
            Scalar::Symbol(name) => write!(f, "{name}"),
        }
    }
}

/// The integers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Interval {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Interval {
    /// The interval, if its ends fit: 62 bits are enough for anything that can be enumerated, and leave room to compute.
    pub(super) fn new(low: i128, high: i128) -> Option<Interval> {
        let limit = 1i128 << 61;
        let fits = |end: i128| (-limit..limit).contains(&end);
        (fits(low) && fits(high)).then_some(Interval { low: low as i64, high: high as i64 })
    }

    pub(super) fn contains(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    pub(super) fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// How many bits hold all of it in two's complement.
    pub(super) fn width(self) -> u32 {
        let bits = |value: i64| 65 - (if value < 0 { !value } else { value }).leading_zeros();
        bits(self.low).max(bits(self.high))
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

/// A finite list of values, and the system's sort for it.
#[derive(Debug)]
pub(super) struct Enumeration {
    pub(super) values: Vec<Scalar>,
    pub(super) sort: Sort,
    /// The least and greatest value, where all are integers.
    pub(super) integers: Option<Interval>,
    arc: Arc<EnumSort>,
    positions: FxHashMap<Scalar, u32>,
}

impl Enumeration {
    fn new(values: Vec<Scalar>) -> Enumeration {
        let integers = values
            .iter()
            .map(|value| match value {
                Scalar::Integer(value) => Some(*value),
                _ => None,
            })
            .collect::<Option<Vec<i64>>>()
            .and_then(|values| Some(Interval { low: *values.first()?, high: *values.last()? }));
        let variants: Vec<String> = values.iter().map(ToString::to_string).collect();
        let contiguous = integers.filter(|range| is_contiguous(*range, values.len()));
        let name = match contiguous {
            Some(range) => range.to_string(),
            None => set_text(&variants),
        };
        let arc = Arc::new(EnumSort { name, variants });
        let positions = values.iter().cloned().zip(0..).collect();
        Enumeration { sort: Sort::Enum(arc.clone()), values, integers, arc, positions }
    }

    /// The least value, where the values are all integers from there on without a gap.
    pub(super) fn contiguous(&self) -> Option<Interval> {
        self.integers.filter(|range| is_contiguous(*range, self.values.len()))
    }

    /// Whether some of the values are integers.
    pub(super) fn has_integers(&self) -> bool {
        self.values.iter().any(|value| matches!(value, Scalar::Integer(_)))
    }

    /// Whether some of the values are symbols or truth values.
    pub(super) fn has_names(&self) -> bool {
        self.values.iter().any(|value| !matches!(value, Scalar::Integer(_)))
    }

    pub(super) fn contains(&self, value: &Scalar) -> bool {
        self.positions.contains_key(value)
    }

    /// The value as an expression of this sort.
    pub(super) fn constant(&self, exprs: &mut ExprPool, value: &Scalar) -> Option<ExprId> {
        let position = *self.positions.get(value)?;
        Some(exprs.constant(Value::Enum(self.arc.clone(), position)))
    }
}

impl PartialEq for Enumeration {
    fn eq(&self, other: &Enumeration) -> bool {
        self.values == other.values
    }
}

fn is_contiguous(range: Interval, count: usize) -> bool {
    range.high.checked_sub(range.low).is_some_and(|difference| difference as u64 + 1 == count as u64)
}

/// `{a, b, c}`, shortened in the middle where it is long.
fn set_text(variants: &[String]) -> String {
    let whole = format!("{{{}}}", variants.join(", "));
    match variants {
        [first, second, .., last] if whole.len() > 60 => format!("{{{first}, {second}, …, {last}}}"),
        _ => whole,
    }
}

/// What a variable can hold, and what an expression yields.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Boolean,
    Finite(Rc<Enumeration>),
    /// The result of arithmetic: a bit-vector in two's complement of [`Interval::width`] bits.
    Integer(Interval),
    Word {
        signed: bool,
        width: u32,
    },
    /// `integer`, or `real`: without bounds.
    Number(Kind),
}

/// The two kinds of numbers without bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Integer,
    Real,
}

impl Type {
    /// The sort of the system's expressions of this type.
    pub(super) fn sort(&self) -> Sort {
        match self {
            Type::Boolean => Sort::BOOL,
            Type::Finite(values) => values.sort.clone(),
            Type::Integer(range) => Sort::BitVec(range.width()),
            Type::Word { width, .. } => Sort::BitVec(*width),
            Type::Number(Kind::Integer) => Sort::Int,
            Type::Number(Kind::Real) => Sort::Real,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Boolean => write!(f, "boolean"),
            Type::Finite(values) => write!(f, "{}", values.sort),
            Type::Integer(range) => write!(f, "{range}"),
            Type::Word { signed, width } => {
                write!(f, "{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
            Type::Number(Kind::Integer) => write!(f, "integer"),
            Type::Number(Kind::Real) => write!(f, "real"),
        }
    }
}

/// All enumerations so far; equal lists of values are one.
#[derive(Default)]
pub(super) struct Types {
    known: FxHashMap<Vec<Scalar>, Rc<Enumeration>>,
}

impl Types {
    /// The type that holds these values, which may be listed in any order and more than once.
    pub(super) fn of(&mut self, values: impl IntoIterator<Item = Scalar>) -> Rc<Enumeration> {
        let (mut integers, mut others) = (Vec::new(), Vec::new());
        let mut seen = rustc_hash::FxHashSet::default();
        for value in values {
            match value {
                Scalar::Integer(value) => integers.push(value),
                other => {
                    if seen.insert(other.clone()) {
                        others.push(other);
                    }
                }
            }
        }
        integers.sort_unstable();
        integers.dedup();
        let values: Vec<Scalar> = integers.into_iter().map(Scalar::Integer).chain(others).collect();
        match self.known.get(&values) {
            Some(known) => known.clone(),
            None => {
                let new = Rc::new(Enumeration::new(values.clone()));
                self.known.insert(values, new.clone());
                new
            }
        }
    }

    /// The type of the integers of an interval.
    pub(super) fn range(&mut self, range: Interval) -> Rc<Enumeration> {
        self.of((range.low..=range.high).map(Scalar::Integer))
    }
}
