//! Assignments: what is assigned is an element, where it goes is a part of a variable.

use super::machine::{Machine, Slot};
use super::record::{At, ExprKind, ExprRef, SymbolRef};
use super::select::{Access, Part, PartPlace};
use super::variable::Variable;
use crate::InputError;
use propcov_ir::{Bits, ElementKind, ExprId, TernaryOp, Value};

/// Where an assignment goes.
struct Target {
    root: Root,
    /// Selections, the one of the whole variable first.
    parts: Vec<Part>,
}

/// What a target selects parts of.
enum Root {
    Variable(SymbolRef),
    Element(Box<Access>),
}

impl Root {
    fn symbol(&self) -> SymbolRef {
        match self {
            Root::Variable(symbol) => *symbol,
            Root::Element(access) => access.symbol,
        }
    }
}

impl Machine<'_> {
    /// Executes an assignment; its value is what was assigned.
    pub(super) fn assign(
        &mut self,
        target: ExprRef,
        value: ExprRef,
        non_blocking: bool,
        at: At,
    ) -> Result<ExprId, InputError> {
        let outer = self.target;
        if self.is_compound(value) {
            self.target = Some(self.eval(target)?);
        }
        let result = self.eval(value);
        self.target = outer;
        let value = self.assignment_element(target, at, result?);
        self.store(target, value, non_blocking, at)?;
        Ok(value)
    }

    /// Whether a value is made of the target's: slang writes `a += b` as `a = a + b`.
    fn is_compound(&self, value: ExprRef) -> bool {
        match &self.export.expr(value).what {
            ExprKind::Target => true,
            ExprKind::Binary(_, a, _) | ExprKind::Convert(a, _) => self.is_compound(*a),
            _ => false,
        }
    }

    fn assignment_element(&mut self, target: ExprRef, at: At, value: ExprId) -> ExprId {
        let Some(symbol) = self.first_symbol(target).filter(|_| self.has_elements()) else {
            return value;
        };
        let name = self.placed_name(&self.export.symbol(symbol).name, at);
        let (value, element) = self.element(ElementKind::Assignment, name, at, value);
        self.parts.entry(symbol).or_default().extend(element);
        value
    }

    /// The symbol that a target begins with.
    pub(super) fn first_symbol(&self, target: ExprRef) -> Option<SymbolRef> {
        let mut at = target;
        loop {
            at = match &self.export.expr(at).what {
                ExprKind::Value(symbol) => return Some(*symbol),
                ExprKind::Element(base, _)
                | ExprKind::Range(_, base, ..)
                | ExprKind::Member(base, _)
                | ExprKind::Convert(base, _) => *base,
                ExprKind::Concat(parts) | ExprKind::Pattern(parts) | ExprKind::Stream(_, parts) => {
                    *parts.first()?
                }
                _ => return None,
            }
        }
    }

    /// Gives a target a value.
    pub(super) fn store(
        &mut self,
        target: ExprRef,
        value: ExprId,
        non_blocking: bool,
        at: At,
    ) -> Result<(), InputError> {
        match &self.export.expr(target).what {
            ExprKind::Concat(parts) | ExprKind::Pattern(parts) => {
                self.store_parts(parts, value, non_blocking, at)
            }
            ExprKind::Stream(size, parts) => {
                let width: u32 = parts.iter().map(|part| self.export.type_of(*part).width).sum();
                if width > self.width(value) || width == 0 {
                    return self.error(at, "a stream has too few bits for its target");
                }
                let first = self.slice(value, self.width(value) - width, width);
                let ordered = self.in_slices(*size, first);
                self.store_parts(parts, ordered, non_blocking, at)
            }
            ExprKind::Convert(inner, _) => {
                let resized = self.resized(
                    value,
                    self.export.type_of(*inner).width,
                    self.export.type_of(target).signed,
                );
                self.store(*inner, resized, non_blocking, at)
            }
            _ => self.store_leaf(target, value, non_blocking, at),
        }
    }

    /// The first part has the high bits.
    fn store_parts(
        &mut self,
        parts: &[ExprRef],
        value: ExprId,
        non_blocking: bool,
        at: At,
    ) -> Result<(), InputError> {
        let mut low = 0;
        for part in parts.iter().rev() {
            let width = self.export.type_of(*part).width;
            if width == 0 || low + width > self.width(value) {
                return self.error(at, "the target has more bits than the value");
            }
            let piece = self.slice(value, low, width);
            self.store(*part, piece, non_blocking, at)?;
            low += width;
        }
        Ok(())
    }

    fn store_leaf(
        &mut self,
        target: ExprRef,
        value: ExprId,
        non_blocking: bool,
        at: At,
    ) -> Result<(), InputError> {
        if self.width(value) != self.export.type_of(target).width {
            return self.error(at, "target and value have different widths");
        }
        let width = self.width(value);
        let Target { root, parts } = self.resolve(target)?;
        let symbol = root.symbol();
        let is_whole = parts.is_empty() && matches!(root, Root::Variable(_));
        if is_whole && width != self.export.symbol_type(symbol).width {
            return self.error(at, "target and variable have different widths");
        }
        let slot = if non_blocking { Slot::Later(symbol) } else { Slot::Now(symbol) };
        self.note_bits(slot, &root, &parts);
        let new = match root {
            Root::Variable(_) if parts.is_empty() => value,
            Root::Variable(_) => {
                let word = self.before(slot)?;
                self.written(word, &parts, value)
            }
            Root::Element(access) => self.written_element(slot, &access, &parts, value)?,
        };
        self.values.set(slot, Some(new));
        if non_blocking && self.scan.facts(symbol).is_mixed() {
            self.mark_bits(symbol, &parts, width)?;
        }
        Ok(())
    }

    /// Marks the bits of a part as assigned by a non-blocking assignment.
    fn mark_bits(&mut self, symbol: SymbolRef, parts: &[Part], width: u32) -> Result<(), InputError> {
        if matches!(self.variables[symbol.index()], Variable::Memory(_)) {
            let name = self.symbol_name(symbol);
            return self
                .symbol_error(symbol, format!("memory {name} has blocking and non-blocking assignments"));
        }
        let mask = self.before(Slot::Mask(symbol))?;
        let ones = self.system.exprs.constant(Value::Bits(Bits::ones(width)));
        let mask = self.written(mask, parts, ones);
        self.values.set(Slot::Mask(symbol), Some(mask));
        Ok(())
    }

    /// What a slot holds, or else the variable.
    fn before(&mut self, slot: Slot) -> Result<ExprId, InputError> {
        self.or_before(self.values.get(slot), slot)
    }

    /// The word with other bits in a part of a part.
    fn written(&mut self, word: ExprId, parts: &[Part], value: ExprId) -> ExprId {
        match parts {
            [] => value,
            [part] => self.insert(word, *part, value),
            [part, rest @ ..] => {
                let inner = self.select(word, *part);
                let inner = self.written(inner, rest, value);
                self.insert(word, *part, inner)
            }
        }
    }

    fn written_element(
        &mut self,
        slot: Slot,
        access: &Access,
        parts: &[Part],
        value: ExprId,
    ) -> Result<ExprId, InputError> {
        let memory = self.before(slot)?;
        let value = if parts.is_empty() {
            value
        } else {
            let element = self.binary(propcov_ir::BinaryOp::Read, memory, access.address);
            self.written(element, parts, value)
        };
        let pool = &mut self.system.exprs;
        let Ok(written) = pool.ternary(TernaryOp::Write, memory, access.address, value) else {
            return self.symbol_error(access.symbol, "a memory of another width".to_owned());
        };
        Ok(self.ite(access.exists, written, memory))
    }

    fn resolve(&mut self, target: ExprRef) -> Result<Target, InputError> {
        let (mut at, mut parts) = (target, Vec::new());
        loop {
            if let ExprKind::Value(symbol) = self.export.expr(at).what {
                parts.reverse();
                return Ok(Target { root: Root::Variable(symbol), parts });
            }
            if matches!(self.export.expr(at).what, ExprKind::Element(..))
                && let Some(access) = self.memory_access(at)?
            {
                parts.reverse();
                return Ok(Target { root: Root::Element(Box::new(access)), parts });
            }
            let Some((base, part)) = self.part(at)? else {
                return self.error(self.export.expr(at).at, "this cannot be assigned");
            };
            parts.push(part);
            at = base;
        }
    }

    /// Notes which bits of a variable may be assigned.
    fn note_bits(&mut self, slot: Slot, root: &Root, parts: &[Part]) {
        let whole = self.export.symbol_type(root.symbol()).width;
        let (mut low, mut width) = (0, whole);
        if let Root::Variable(_) = root {
            for part in parts {
                match part.place {
                    PartPlace::Fixed(offset)
                        if offset >= 0
                            && offset.saturating_add(i64::from(part.width)) <= i64::from(width) =>
                    {
                        low += offset as u32;
                        width = part.width;
                    }
                    // Nothing of it exists.
                    PartPlace::Fixed(offset)
                        if offset >= i64::from(width)
                            || offset.saturating_add(i64::from(part.width)) <= 0 =>
                    {
                        return;
                    }
                    _ => break,
                }
            }
        }
        let ranges = self.assigned.entry(slot).or_default();
        if ranges.last() != Some(&(low, width)) {
            ranges.push((low, width));
        }
    }
}
