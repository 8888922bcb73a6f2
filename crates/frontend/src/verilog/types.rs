//! Types as layouts of bits. Every value is a word: of an array or structure, the first element stands in the most significant bits, as it does in a stream of bits.

use super::record::{Shape, Start, TypeRef};

/// More bits than this in one variable are refused: that is a memory of 2 MiB.
pub(super) const MAX_BITS: u32 = 1 << 24;

/// A type and how many bits it takes.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) shape: Shape,
    /// 0 for what has no value.
    pub(super) width: u32,
    pub(super) signed: bool,
    pub(super) start: Start,
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

    /// The bits that are zero before anybody gives a variable a value, from the least significant one on.
    pub(super) fn zeros(&self, types: &[Type]) -> Vec<(u32, u32)> {
        match (self.start, &self.shape) {
            _ if self.width == 0 || self.width > MAX_BITS => Vec::new(),
            (Start::Zero, _) => vec![(0, self.width)],
            (Start::Unknown, _) => Vec::new(),
            (Start::Parts, Shape::Array(element, left, right, ..)) => {
                let element = &types[element.index()];
                let (inner, count) = (element.zeros(types), Bounds { left: *left, right: *right }.count());
                let shifted =
                    |at: u32| inner.iter().map(move |(low, width)| (low + at * element.width, *width));
                if inner.is_empty() { Vec::new() } else { (0..count).flat_map(shifted).collect() }
            }
            (Start::Parts, Shape::Struct(fields, _)) => {
                let mut all = Vec::new();
                let mut offset = 0;
                for field in fields.iter().rev().map(|field| &types[field.index()]) {
                    all.extend(field.zeros(types).into_iter().map(|(low, width)| (low + offset, width)));
                    offset += field.width;
                }
                all
            }
            (Start::Parts, Shape::Union(members, ..)) => {
                members.first().map_or(Vec::new(), |first| types[first.index()].zeros(types))
            }
            (Start::Parts, _) => Vec::new(),
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

/// A type with its width. What cannot be counted has no bits, and is refused where somebody uses it.
pub(super) fn lay_out(shape: Shape, start: Start, types: &[Type]) -> Type {
    match measured(&shape, types) {
        Some((width, signed)) => Type { shape, width, signed, start },
        None => Type { shape: Shape::TooLarge, width: 0, signed: false, start },
    }
}

/// The width of a type, and whether it is signed; nothing when that cannot be counted.
fn measured(shape: &Shape, types: &[Type]) -> Option<(u32, bool)> {
    let width_of = |position: &TypeRef| types[position.index()].width;
    let is_too_large = |position: &TypeRef| matches!(types[position.index()].shape, Shape::TooLarge);
    let is_made_of = match shape {
        Shape::Array(element, ..) => is_too_large(element),
        Shape::Struct(parts, _) | Shape::Union(parts, ..) => parts.iter().any(is_too_large),
        _ => false,
    };
    if is_made_of {
        return None;
    }
    Some(match shape {
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
        Shape::TooLarge => return None,
        Shape::Void | Shape::Other(_) => (0, false),
    })
}
