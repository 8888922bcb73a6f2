//! From outcomes to definitions: who drives each bit of a variable, and what it is then.

use super::machine::Machine;
use super::process::{Outcome, Reset, Timing};
use super::record::{At, SymbolRef};
use super::variable::{Piece, Role, Variable, pulled};
use crate::InputError;
use propcov_ir::{Bits, ConstraintKind, ElementKind, ExprId, Origin, Parent, SignalId, Site, Sort, Value};
use rustc_hash::FxHashMap;

/// What variables start with, and which bits of it.
pub(super) type Starts = FxHashMap<SymbolRef, (ExprId, Vec<(u32, u32)>)>;

/// Bits that one outcome drives.
struct Driven<'o> {
    low: u32,
    width: u32,
    outcome: &'o Outcome,
}

/// Ranges in order, without overlaps.
fn disjoint(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (low, width) in sorted {
        match all.last_mut() {
            Some((start, length)) if low <= *start + *length => *length = (*length).max(low + width - *start),
            _ => all.push((low, width)),
        }
    }
    all
}

/// Ranges in order, but for what others have of them.
pub(super) fn without(ranges: &[(u32, u32)], others: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let others = disjoint(others);
    let mut left = Vec::new();
    for (low, width) in disjoint(ranges) {
        let (mut at, end) = (low, low + width);
        for (other, length) in others.iter().filter_map(|other| common(*other, (low, width))) {
            left.extend((at < other).then(|| (at, other - at)));
            at = other + length;
        }
        left.extend((at < end).then(|| (at, end - at)));
    }
    left
}

/// What two ranges have in common.
fn common((low, width): (u32, u32), (other, length): (u32, u32)) -> Option<(u32, u32)> {
    let (start, end) = (low.max(other), (low + width).min(other + length));
    (start < end).then(|| (start, end - start))
}

impl Machine<'_> {
    /// Defines all signals of a variable.
    pub(super) fn define(
        &mut self,
        symbol: SymbolRef,
        outcomes: &[Outcome],
        starts: &Starts,
    ) -> Result<(), InputError> {
        if self.scan.facts(symbol).is_local {
            return Ok(());
        }
        let pieces = match &self.variables[symbol.index()] {
            Variable::Memory(_) => return self.define_memory(symbol, outcomes, starts),
            Variable::Word(pieces) => pieces.clone(),
        };
        for (position, piece) in pieces.iter().enumerate() {
            if piece.signal.is_none() && !self.is_wanted(piece, outcomes) {
                continue;
            }
            let signal = self.piece_signal(symbol, position);
            match piece.role {
                Role::Input => {}
                Role::Constant => {
                    let value = self.system.read(signal);
                    self.system.set_next(signal, value);
                }
                Role::State => self.define_state(symbol, piece, signal, outcomes, starts)?,
                Role::Wire => self.define_wire(symbol, piece, signal, outcomes, starts)?,
            }
        }
        Ok(())
    }

    /// Whether a signal that nobody reads is made: not for what only helps to compute something within a process.
    fn is_wanted(&self, piece: &Piece, outcomes: &[Outcome]) -> bool {
        let range = (piece.low, piece.width);
        outcomes.iter().any(|outcome| {
            let is_helper = outcome.is_blocking && matches!(outcome.timing, Timing::Edge(..));
            !is_helper && outcome.ranges.iter().any(|other| common(range, *other).is_some())
        })
    }

    fn driven<'o>(
        &self,
        symbol: SymbolRef,
        piece: &Piece,
        outcomes: &'o [Outcome],
    ) -> Result<Vec<Driven<'o>>, InputError> {
        let mut all: Vec<Driven<'o>> = Vec::new();
        for outcome in outcomes {
            for range in disjoint(&outcome.ranges) {
                if let Some((low, width)) = common(range, (piece.low, piece.width)) {
                    all.push(Driven { low, width, outcome });
                }
            }
        }
        all.sort_by_key(|driven| driven.low);
        if let Some(pair) = all.windows(2).find(|pair| pair[0].low + pair[0].width > pair[1].low) {
            let (bit, name) = (pair[1].low, self.symbol_name(symbol));
            let message = format!("bit {bit} of {name} is driven more than once");
            // The sort was stable: the second one comes later in the design.
            return match [pair[0].outcome.at, pair[1].outcome.at] {
                [Some(first), Some(second)] => {
                    let later = if first.0 == second.0 && first.1 > second.1 { first } else { second };
                    let other = if later == first { second } else { first };
                    let line = self.places.start(other).0;
                    let also = match self.places.path(other) == self.places.path(later) {
                        true => format!("line {line}"),
                        false => format!("{}:{line}", self.places.path(other)),
                    };
                    self.error(later, format!("{message}: also in {also}"))
                }
                _ => self.symbol_error(symbol, message),
            };
        }
        Ok(all)
    }

    pub(super) fn symbol_error<T>(&self, symbol: SymbolRef, message: String) -> Result<T, InputError> {
        match self.export.symbol(symbol).at {
            Some(at) => self.error(at, message),
            None => Err(self.input.error(0..0, message)),
        }
    }

    /// A piece as one value: bits that somebody drives, and what the others are.
    fn composed(
        &mut self,
        piece: &Piece,
        parts: &[(u32, ExprId)],
        mut other: impl FnMut(&mut Self, u32, u32) -> ExprId,
    ) -> ExprId {
        let mut value: Option<ExprId> = None;
        let mut at = piece.low;
        let end = piece.low + piece.width;
        let mut add = |machine: &mut Self, part: ExprId| {
            value = Some(match value {
                None => part,
                Some(low) => machine.concat(part, low),
            });
        };
        for (low, part) in parts {
            if at < *low {
                let gap = other(self, at, low - at);
                add(self, gap);
            }
            add(self, *part);
            at = low + self.width(*part);
        }
        if at < end {
            let gap = other(self, at, end - at);
            add(self, gap);
        }
        match value {
            Some(value) => value,
            None => self.bits(piece.width, 0),
        }
    }

    fn define_state(
        &mut self,
        symbol: SymbolRef,
        piece: &Piece,
        signal: SignalId,
        outcomes: &[Outcome],
        starts: &Starts,
    ) -> Result<(), InputError> {
        let driven = self.driven(symbol, piece, outcomes)?;
        let mut parts = Vec::new();
        for part in &driven {
            parts.push((part.low, self.slice(part.outcome.value, part.low, part.width)));
        }
        let held = self.system.read(signal);
        let next =
            self.composed(piece, &parts, |machine, low, width| machine.slice(held, low - piece.low, width));
        self.system.set_next(signal, next);
        let name = self.system.signal(signal).name.clone();
        self.register_element(symbol, name, signal, driven.iter().map(|part| part.outcome));
        self.start(symbol, signal, piece.low, starts)
    }

    /// The element of a register; assignments are its parts.
    fn register_element<'o>(
        &mut self,
        symbol: SymbolRef,
        name: String,
        signal: SignalId,
        outcomes: impl Iterator<Item = &'o Outcome>,
    ) {
        let span = self.export.symbol(symbol).at.map(|at| self.places.span(at));
        let register = self.system.add_element(name, ElementKind::Register, Site::Next(signal), span);
        let scope = self.report_scope(self.export.symbol(symbol).scope);
        self.system.set_scope(register, scope);
        for part in outcomes.flat_map(|outcome| &outcome.parts) {
            self.system.set_parent(*part, Parent::Element(register));
        }
    }

    /// Gives a state the value that it starts with, as far as there is one.
    fn start(
        &mut self,
        symbol: SymbolRef,
        signal: SignalId,
        low: u32,
        starts: &Starts,
    ) -> Result<(), InputError> {
        let Some((value, ranges)) = starts.get(&symbol) else { return Ok(()) };
        let Some(width) = self.system.signal(signal).sort.width() else { return Ok(()) };
        let covered: Vec<(u32, u32)> =
            disjoint(ranges).into_iter().filter_map(|range| common(range, (low, width))).collect();
        let name = format!("{}.init", self.system.signal(signal).name);
        let span = self.export.symbol(symbol).at.map(|at| self.places.span(at));
        if covered == [(low, width)] {
            let value = self.slice(*value, low, width);
            self.system.set_init(signal, value);
            self.system.add_element(name, ElementKind::Init, Site::Init(signal), span);
            return Ok(());
        }
        // Some bits start anywhere: the others are said one by one.
        let state = self.system.read(signal);
        let mut all = self.bool(true);
        for (from, width) in covered {
            let (is, wanted) = (self.slice(state, from - low, width), self.slice(*value, from, width));
            let equal = self.eq(is, wanted);
            all = self.and(all, equal);
        }
        let constraint = self.system.add_constraint(name.clone(), ConstraintKind::Initial, all);
        self.system.add_element(name, ElementKind::Init, Site::Constraint(constraint), span);
        Ok(())
    }

    fn define_wire(
        &mut self,
        symbol: SymbolRef,
        piece: &Piece,
        signal: SignalId,
        outcomes: &[Outcome],
        starts: &Starts,
    ) -> Result<(), InputError> {
        let mut parts = Vec::new();
        for part in self.driven(symbol, piece, outcomes)? {
            let value = match &part.outcome.timing {
                Timing::Now => self.slice(part.outcome.value, part.low, part.width),
                Timing::Edge(..) => self.shown_register(symbol, &part, starts)?,
            };
            parts.push((part.low, value));
        }
        let start = starts.get(&symbol).filter(|_| parts.is_empty()).cloned();
        if let Some((value, ranges)) = start {
            // Nobody else assigns it: it stays what it was in the beginning.
            for range in
                disjoint(&ranges).into_iter().filter_map(|range| common(range, (piece.low, piece.width)))
            {
                parts.push((range.0, self.slice(value, range.0, range.1)));
            }
        }
        let (name, pulled) = (self.symbol_name(symbol), pulled(self.export, symbol));
        let value = self.composed(piece, &parts, |machine, low, width| match pulled {
            Some(true) => machine.system.exprs.constant(Value::Bits(Bits::ones(width))),
            Some(false) => machine.bits(width, 0),
            None => machine.fresh(width, format!("{name}.undriven[{}:{low}]", low + width - 1)),
        });
        self.system.define_wire(signal, value);
        Ok(())
    }

    /// A register that does not show as a state alone: because of a reset that shows at once, or because its clock is a signal.
    fn shown_register(
        &mut self,
        symbol: SymbolRef,
        part: &Driven<'_>,
        starts: &Starts,
    ) -> Result<ExprId, InputError> {
        let Timing::Edge(clock, resets) = &part.outcome.timing else { unreachable!("only registers") };
        let name = self.symbol_name(symbol);
        let state = self.system.add_state(format!("{name}.state"), Sort::BitVec(part.width));
        self.system.set_origin(state, Origin::Helper);
        let held = self.system.read(state);
        let new = self.slice(part.outcome.value, part.low, part.width);
        let shown = if self.clocking.is_seen(*clock) {
            let seen = self.edge_seen(*clock)?;
            let sampled = self.system.add_state(format!("{name}.sampled"), Sort::BitVec(part.width));
            self.system.set_origin(sampled, Origin::Helper);
            // A reset that ends with the edge was still active before it.
            let whole = self.outside(symbol)?;
            let before = self.slice(whole, part.low, part.width);
            let new = self.with_resets(resets, part, new, before);
            self.system.set_next(sampled, new);
            self.register_element(symbol, name, sampled, std::iter::once(part.outcome));
            let sampled = self.system.read(sampled);
            let moved = self.ite(seen, sampled, held);
            let shown = self.with_resets(resets, part, moved, moved);
            self.system.set_next(state, shown);
            shown
        } else {
            let next = self.with_resets(resets, part, new, held);
            self.system.set_next(state, next);
            self.register_element(symbol, name, state, std::iter::once(part.outcome));
            self.with_resets(resets, part, held, held)
        };
        self.start(symbol, state, part.low, starts)?;
        Ok(shown)
    }

    /// A value unless a reset is active: then the reset's value, or where it has none, what is held.
    fn with_resets(&mut self, resets: &[Reset], part: &Driven<'_>, value: ExprId, held: ExprId) -> ExprId {
        resets.iter().rev().fold(value, |value, reset| {
            let piece = Piece { low: part.low, width: part.width, role: Role::Wire, signal: None };
            let mut parts = Vec::new();
            for range in
                disjoint(&reset.ranges).into_iter().filter_map(|range| common(range, (part.low, part.width)))
            {
                parts.push((range.0, self.slice(reset.value, range.0, range.1)));
            }
            let active = self
                .composed(&piece, &parts, |machine, low, width| machine.slice(held, low - part.low, width));
            self.ite(reset.is_active, active, value)
        })
    }

    fn define_memory(
        &mut self,
        symbol: SymbolRef,
        outcomes: &[Outcome],
        starts: &Starts,
    ) -> Result<(), InputError> {
        let state = self.signal_value(symbol)?;
        let Variable::Memory(memory) = &self.variables[symbol.index()] else { unreachable!("only memories") };
        let Some(signal) = memory.signal else { return Ok(()) };
        // Each process goes on with what those before it have written.
        let next = outcomes.last().map_or(state, |outcome| outcome.value);
        self.system.set_next(signal, next);
        let name = self.system.signal(signal).name.clone();
        self.register_element(symbol, name.clone(), signal, outcomes.iter());
        if let Some((value, _)) = starts.get(&symbol) {
            self.system.set_init(signal, *value);
            let span = self.export.symbol(symbol).at.map(|at: At| self.places.span(at));
            self.system.add_element(format!("{name}.init"), ElementKind::Init, Site::Init(signal), span);
        }
        Ok(())
    }
}
