//! Types as layouts of bits. Every value is a word: of an array or structure, the first element stands in the most significant bits, as it does in a stream of bits.

use super::record::{Shape, TypeRef};

/// More bits than this in one variable are refused: that is a memory of 2 MiB.
pub(super) const MAX_BITS: u32 = 1 << 24;

/// A type and how many bits it takes.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) shape: Shape,
    /// 0 for what has no value.
    pub(super) width: u32,
    pub(super) signed: bool,
}

/// The bounds of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) left: i32,
    pub(super) right: i32,
}

impl Bounds {
    /// How many elements there are.
    pub(super) fn count(self) -> u32 {
        self.left.abs_diff(self.right).saturating_add(1)
    }

    /// How far from the least significant element an index is.
    pub(super) fn distance(self, index: i64) -> i64 {
        let right = i64::from(self.right);
        if self.left >= self.right { index.saturating_sub(right) } else { right.saturating_sub(index) }
    }
}

impl Type {
    /// Bounds and width of an element, if it has elements. The bits of a number are elements, too.
    pub(super) fn elements(&self, types: &[Type]) -> Option<(Bounds, u32)> {
        match &self.shape {
            Shape::Array(element, left, right, ..) => {
                Some((Bounds { left: *left, right: *right }, types[element.index()].width))
            }
            Shape::Enum(base) => types[base.index()].elements(types),
            Shape::Bits(..) | Shape::Struct(..) | Shape::Union(..) if self.width > 0 => {
                let left = i32::try_from(self.width - 1).ok()?;
                Some((Bounds { left, right: 0 }, 1))
            }
            _ => None,
        }
    }

    /// The element's type, of an unpacked array.
    pub(super) fn unpacked_element(&self) -> Option<(TypeRef, Bounds)> {
        match self.shape {
            Shape::Array(element, left, right, false, _) => Some((element, Bounds { left, right })),
            _ => None,
        }
    }

    /// The least significant bit of a field.
    pub(super) fn field_offset(&self, types: &[Type], position: u32) -> Option<u32> {
        match &self.shape {
            Shape::Struct(fields, _) => {
                let after = fields.get(position as usize + 1..)?;
                Some(after.iter().map(|field| types[field.index()].width).sum())
            }
            Shape::Union(members, ..) if (position as usize) < members.len() => Some(0),
            _ => None,
        }
    }
}

/// A type with its width; nothing when that cannot be counted.
pub(super) fn lay_out(shape: Shape, types: &[Type]) -> Option<Type> {
    let width_of = |position: &TypeRef| types[position.index()].width;
    let (width, signed) = match &shape {
        Shape::Bits(width, signed) => (*width, *signed),
        Shape::Array(element, left, right, _, signed) => {
            let bounds = Bounds { left: *left, right: *right };
            (bounds.count().checked_mul(width_of(element))?, *signed)
        }
        Shape::Struct(fields, signed) => {
            let mut sum = 0u32;
            for field in fields {
                sum = sum.checked_add(width_of(field))?;
            }
            (sum, *signed)
        }
        Shape::Union(members, signed, tag) => {
            let widest = members.iter().map(width_of).max().unwrap_or(0);
            (widest.checked_add(*tag)?, *signed)
        }
        Shape::Enum(base) => (width_of(base), types[base.index()].signed),
        Shape::Void | Shape::Other(_) => (0, false),
    };
    Some(Type { shape, width, signed })
}
