//! Variables and literals.

use std::fmt;
use std::ops::Not;

/// A propositional variable, counting from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A variable or its negation, as `2 * variable + negated`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Var {
    /// The variable itself, as a literal.
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true iff the variable has this value.
    pub fn lit(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }

    /// Position in a table by variable.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Lit {
    /// The variable.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether this is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// Position in a table by literal: `2 * variable + negated`.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal at this position of a table by literal.
    pub(crate) fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    /// The inverse of [`Lit::from_code`].
    pub(crate) fn code(self) -> u32 {
        self.0
    }

    /// This literal, or its negation when asked to.
    pub fn negated_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "-" } else { "" }, self.var().0)
    }
}
