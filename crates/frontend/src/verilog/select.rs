//! Parts of words: elements, ranges and fields, at constant or computed places.
//!
//! What is read outside of a word is undefined, and what is written there is lost.

use super::machine::Machine;
use super::record::{At, ExprKind, ExprRef};
use super::scan::{chain, number};
use super::types::{Bounds, MAX_BITS};
use super::variable::{Memory, Variable, index_width};
use crate::InputError;
use propcov_ir::{BinaryOp, ExprId, UnaryOp};

/// A part of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) place: PartPlace,
    pub(super) width: u32,
    pub(super) at: At,
}

/// Where the least significant bit of a part is.
#[derive(Clone, Copy, Debug)]
pub(super) enum PartPlace {
    /// A constant, which may be outside of the word.
    Fixed(i64),
    /// A signed number, [as wide as that](Machine::offset_width) for its word.
    Computed(ExprId),
}

impl Machine<'_> {
    /// The part that an expression selects of its base, and the base; nothing if it selects nothing.
    pub(super) fn part(&mut self, expr: ExprRef) -> Result<Option<(ExprRef, Part)>, InputError> {
        let export = self.export;
        let (at, width) = (export.expr(expr).at, export.type_of(expr).width);
        if !matches!(width, 1..=MAX_BITS) {
            return self.error(at, "this has no bits, or too many");
        }
        let (base, place) = match &export.expr(expr).what {
            ExprKind::Member(base, field) => {
                let offset = export.type_of(*base).field_offset(&export.types, *field);
                let Some(offset) = offset else { return self.error(at, "there is no such field") };
                (*base, PartPlace::Fixed(i64::from(offset)))
            }
            ExprKind::Element(base, selector) => (*base, self.place(*base, *selector, 0, at)?),
            ExprKind::Range(kind, base, left, right) => {
                let Some((bounds, element)) = export.type_of(*base).elements(&export.types) else {
                    return self.no_elements(*base, at);
                };
                let more = i64::from(width / element.max(1)) - 1;
                // The bound with the lowest place is further along by so many elements.
                let is_descending = bounds.left >= bounds.right;
                let (selector, behind) = match (kind.as_str(), is_descending) {
                    ("Simple", _) => (*right, 0),
                    ("IndexedUp", true) | ("IndexedDown", false) => (*left, 0),
                    _ => (*left, more),
                };
                (*base, self.place(*base, selector, behind, at)?)
            }
            _ => return Ok(None),
        };
        Ok(Some((base, Part { place, width, at })))
    }

    /// What is wrong with a base that has no elements: perhaps there are too many.
    fn no_elements<T>(&self, base: ExprRef, at: At) -> Result<T, InputError> {
        if let Some(symbol) = self.first_symbol(base) {
            self.check_size(symbol)?;
        }
        self.error(at, "this has no elements to select")
    }

    /// The place of the element that is `behind` elements behind the selected one.
    fn place(
        &mut self,
        base: ExprRef,
        selector: ExprRef,
        behind: i64,
        at: At,
    ) -> Result<PartPlace, InputError> {
        let Some((bounds, element)) = self.export.type_of(base).elements(&self.export.types) else {
            return self.no_elements(base, at);
        };
        if let Some(index) = number(self.export, selector) {
            return Ok(PartPlace::Fixed(
                bounds.distance(index).saturating_sub(behind).saturating_mul(i64::from(element)),
            ));
        }
        let index = self.eval(selector)?;
        let signed = self.export.type_of(selector).signed;
        if let Some(bits) = self.constant(index) {
            let value = if signed { bits.signed() } else { bits.unsigned().clone().into() };
            let Ok(value) = i64::try_from(&value) else {
                return Ok(PartPlace::Fixed(-1 - i64::from(u32::MAX)));
            };
            return Ok(PartPlace::Fixed(
                bounds.distance(value).saturating_sub(behind).saturating_mul(i64::from(element)),
            ));
        }
        let width = self.offset_width(self.export.type_of(base).width).max(self.width(index) + 2);
        let distance = self.distance(bounds, index, signed, width);
        let behind = self.number(width, behind);
        let distance = self.binary(BinaryOp::Sub, distance, behind);
        // Wide enough for the product, whatever the index is.
        let scale_width = 33 - element.leading_zeros();
        let wide = self.resized(distance, width + scale_width, true);
        let scale = self.bits(width + scale_width, u64::from(element));
        Ok(PartPlace::Computed(self.binary(BinaryOp::Mul, wide, scale)))
    }

    /// How far an index is from the least significant element, as a signed number.
    fn distance(&mut self, bounds: Bounds, index: ExprId, signed: bool, width: u32) -> ExprId {
        let index = self.resized(index, width, signed);
        let right = self.number(width, i64::from(bounds.right));
        if bounds.left >= bounds.right {
            self.binary(BinaryOp::Sub, index, right)
        } else {
            self.binary(BinaryOp::Sub, right, index)
        }
    }

    /// The width of a signed number that may be any place of a word, and the bounds of its type.
    fn offset_width(&self, width: u32) -> u32 {
        (34 - width.leading_zeros()).max(34)
    }

    /// A signed constant.
    fn number(&mut self, width: u32, value: i64) -> ExprId {
        let bits = propcov_ir::Bits::from_signed(width, &value.into());
        self.system.exprs.constant(propcov_ir::Value::Bits(bits))
    }

    /// The bits of a part.
    pub(super) fn select(&mut self, word: ExprId, part: Part) -> ExprId {
        match part.place {
            PartPlace::Fixed(low) => self.select_fixed(word, low, part),
            PartPlace::Computed(place) => self.select_computed(word, place, part),
        }
    }

    fn select_fixed(&mut self, word: ExprId, low: i64, part: Part) -> ExprId {
        let (has, width) = (i64::from(self.width(word)), i64::from(part.width));
        if low >= 0 && low.saturating_add(width) <= has {
            return self.slice(word, low as u32, part.width);
        }
        let mut value = self.undefined_at(part.width, part.at);
        let (from, to) = (low.max(0), low.saturating_add(width).min(has));
        if from < to {
            let inside = self.slice(word, from as u32, (to - from) as u32);
            value = self.insert_fixed(value, from - low, inside);
        }
        value
    }

    fn select_computed(&mut self, word: ExprId, place: ExprId, part: Part) -> ExprId {
        let has = self.width(word);
        if self.is_inside(word, place, part.width) {
            let amount = self.resized(place, has, false);
            let shifted = self.binary(BinaryOp::Lshr, word, amount);
            return self.slice(shifted, 0, part.width);
        }
        // The word between undefined bits on both sides, so that a part that is half outside is half defined.
        let undefined = self.undefined_at(part.width, part.at);
        let padded = self.concat(undefined, word);
        let padded = self.concat(padded, undefined);
        let (amount, is_near) = self.padded_place(place, part.width, has);
        let total = self.width(padded);
        let amount = self.resized(amount, total, false);
        let shifted = self.binary(BinaryOp::Lshr, padded, amount);
        let inside = self.slice(shifted, 0, part.width);
        self.ite(is_near, inside, undefined)
    }

    /// Whether a computed place is inside whatever its value, by the widths of what it is made of.
    fn is_inside(&self, word: ExprId, place: ExprId, width: u32) -> bool {
        let bound = self.upper_bound(place);
        bound.is_some_and(|bound| {
            bound.checked_add(u64::from(width)).is_some_and(|end| end <= u64::from(self.width(word)))
        })
    }

    /// A number that an expression does not exceed, if it is never negative: enough for `a[i]` with an index that has just as many values as there are elements.
    fn upper_bound(&self, expr: ExprId) -> Option<u64> {
        use propcov_ir::Node;
        let pool = &self.system.exprs;
        if let Some(bits) = self.constant(expr) {
            let negative = bits.bit(bits.width() - 1);
            return if negative { None } else { u64::try_from(bits.unsigned()).ok() };
        }
        match pool.node(expr) {
            Node::Binary(BinaryOp::Concat, high, low)
                if self.constant(*high).is_some_and(|bits| !bits.is_nonzero()) =>
            {
                let width = self.width(*low);
                (width < 63).then(|| (1u64 << width) - 1)
            }
            Node::Unary(UnaryOp::SignExtend(_), a) => self.upper_bound(*a),
            Node::Binary(BinaryOp::Sub, a, b) => {
                let is_zero = self.constant(*b).is_some_and(|bits| !bits.is_nonzero());
                if is_zero {
                    return self.upper_bound(*a);
                }
                // `7 - i` of an array that counts upwards.
                let (most, least) = (self.constant(*a)?, self.upper_bound(*b)?);
                let most = u64::try_from(most.unsigned()).ok()?;
                (least <= most).then_some(most)
            }
            Node::Binary(BinaryOp::Mul, a, b) => self.upper_bound(*a)?.checked_mul(self.upper_bound(*b)?),
            _ => None,
        }
    }

    /// A place in a word that has `width` more bits below it, and whether the part touches the word at all.
    fn padded_place(&mut self, place: ExprId, width: u32, has: u32) -> (ExprId, ExprId) {
        let total = self.width(place).max(34);
        let place = self.resized(place, total, true);
        let by = self.number(total, i64::from(width));
        let moved = self.binary(BinaryOp::Add, place, by);
        let zero = self.number(total, 0);
        let limit = self.number(total, i64::from(has) + i64::from(width));
        let above = self.binary(BinaryOp::Sle, zero, moved);
        let below = self.binary(BinaryOp::Sle, moved, limit);
        (moved, self.and(above, below))
    }

    /// The word with other bits in a part.
    pub(super) fn insert(&mut self, word: ExprId, part: Part, value: ExprId) -> ExprId {
        match part.place {
            PartPlace::Fixed(low) => self.insert_fixed(word, low, value),
            PartPlace::Computed(place) => self.insert_computed(word, place, value),
        }
    }

    pub(super) fn insert_fixed(&mut self, word: ExprId, low: i64, value: ExprId) -> ExprId {
        let (has, width) = (i64::from(self.width(word)), i64::from(self.width(value)));
        let (from, to) = (low.max(0), low.saturating_add(width).min(has));
        if from >= to {
            return word;
        }
        let mut result = self.slice(value, (from - low) as u32, (to - from) as u32);
        if from > 0 {
            let below = self.slice(word, 0, from as u32);
            result = self.concat(result, below);
        }
        if to < has {
            let above = self.slice(word, to as u32, (has - to) as u32);
            result = self.concat(above, result);
        }
        result
    }

    fn insert_computed(&mut self, word: ExprId, place: ExprId, value: ExprId) -> ExprId {
        let (has, width) = (self.width(word), self.width(value));
        let (amount, is_near, total) = if self.is_inside(word, place, width) {
            (self.resized(place, has, false), self.bool(true), has)
        } else {
            let (moved, is_near) = self.padded_place(place, width, has);
            let total = has + 2 * width;
            (self.resized(moved, total, false), is_near, total)
        };
        let ones = propcov_ir::Value::Bits(propcov_ir::Bits::ones(width));
        let ones = self.system.exprs.constant(ones);
        let [mask, bits] = [ones, value].map(|part| {
            let wide = self.resized(part, total, false);
            let moved = self.binary(BinaryOp::Shl, wide, amount);
            let below = if total == has { 0 } else { width };
            self.slice(moved, below, has)
        });
        let keep = self.not(mask);
        let kept = self.and(word, keep);
        let new = self.or(kept, bits);
        self.ite(is_near, new, word)
    }

    /// The memory that an expression selects an element of, and its address with the condition that it exists.
    pub(super) fn memory_access(&mut self, expr: ExprRef) -> Result<Option<Access>, InputError> {
        let (Some(symbol), selectors) = chain(self.export, expr) else { return Ok(None) };
        let Variable::Memory(memory) = &self.variables[symbol.index()] else { return Ok(None) };
        let memory = memory.clone();
        if selectors.len() != memory.bounds.len() {
            return self.error(self.export.expr(expr).at, "a memory is used as a whole");
        }
        let (mut address, mut exists) = (None, self.bool(true));
        for (selector, bounds) in selectors.iter().zip(&memory.bounds) {
            let (index, is_valid) = self.memory_index(*selector, *bounds)?;
            exists = self.and(exists, is_valid);
            address = Some(match address {
                None => index,
                Some(high) => self.concat(high, index),
            });
        }
        Ok(address.map(|address| Access { symbol, memory, address, exists }))
    }

    /// An index as a part of an address, and whether it exists.
    fn memory_index(&mut self, selector: ExprRef, bounds: Bounds) -> Result<(ExprId, ExprId), InputError> {
        let index = self.eval(selector)?;
        let signed = self.export.type_of(selector).signed;
        let width = self.width(index).max(34) + 2;
        let distance = self.distance(bounds, index, signed, width);
        let exists = match self.upper_bound(distance) {
            Some(bound) if bound < u64::from(bounds.count()) => self.bool(true),
            _ => {
                let count = self.number(width, i64::from(bounds.count()));
                self.binary(BinaryOp::Ult, distance, count)
            }
        };
        Ok((self.slice(distance, 0, index_width(bounds)), exists))
    }
}

/// One element of a memory.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) symbol: super::record::SymbolRef,
    pub(super) memory: Memory,
    pub(super) address: ExprId,
    /// Whether the index is within the bounds.
    pub(super) exists: ExprId,
}
