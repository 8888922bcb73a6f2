//! The types of signals and expressions.
//!
//! A Boolean is a bit-vector of width 1: AIGER and BTOR2 need no conversions, and languages that tell the two apart do so
//! in their own type checker. A value of an enumeration is its position: circuits encode it so, and ranges of integers, which
//! are enumerations, get their arithmetic that way. A position that no value has means the first one, everywhere: in the
//! interpreter, in circuits, and for the certifier.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The type of a signal or expression. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A bit-vector of the given width, at least 1. Width 1 is the Boolean sort: there is no other.
    ///
    /// One sort for both keeps AIGER and BTOR2 free of conversions; languages that tell `bool` and `word[1]` apart
    /// do so in their own type checker.
    BitVec(u32),
    /// A total map from index to element, a memory.
    Array(Arc<ArraySort>),
    /// The mathematical integers.
    Int,
    /// The rationals (every value that a linear real system can be observed to have).
    Real,
    /// A finite set of named values.
    Enum(Arc<EnumSort>),
}

/// Index and element sort of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArraySort {
    /// Sort of the index.
    pub index: Sort,
    /// Sort of what is stored.
    pub element: Sort,
}

/// An enumeration and the names of its values, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnumSort {
    /// The name the user gave to the type.
    pub name: String,
    /// The values' names; a value is its position here.
    pub variants: Vec<String>,
}

impl Hash for EnumSort {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Not the variants: a range of integers may have thousands, and each of its literals is hashed.
        self.name.hash(state);
        self.variants.len().hash(state);
    }
}

impl EnumSort {
    /// How many bits tell the variants apart: none when there is only one.
    pub fn width(&self) -> u32 {
        self.variants.len().saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
    }
}

impl Sort {
    /// The Boolean sort: a bit-vector of width 1.
    pub const BOOL: Sort = Sort::BitVec(1);

    /// An array sort.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(ArraySort { index, element }))
    }

    /// Whether this is [`Sort::BOOL`].
    pub fn is_bool(&self) -> bool {
        *self == Sort::BOOL
    }

    /// The width of a bit-vector sort.
    pub fn width(&self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// Whether values are numbers of unbounded size, which no SAT engine can represent.
    pub fn is_unbounded(&self) -> bool {
        match self {
            Sort::Int | Sort::Real => true,
            Sort::Array(array) => array.index.is_unbounded() || array.element.is_unbounded(),
            Sort::BitVec(_) | Sort::Enum(_) => false,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::BitVec(1) => write!(f, "bool"),
            Sort::BitVec(width) => write!(f, "bitvec {width}"),
            Sort::Array(array) => write!(f, "array of {} by {}", array.element, array.index),
            Sort::Int => write!(f, "int"),
            Sort::Real => write!(f, "real"),
            Sort::Enum(e) => write!(f, "{}", e.name),
        }
    }
}
