//! What becomes of a variable: signals of the system, made when somebody reads them.
//!
//! A word is cut into pieces where its drivers begin and end, so that bits that depend on each other (a carry, a chain of registers) are different
//! signals. A piece that only clocked processes drive is a state, neighbours together; all else is a wire or an input. An array that is only used
//! element by element and only written at clock edges is a memory.

use super::export::Export;
use super::machine::{Machine, qualified};
use super::record::{Direction, SymbolRef};
use super::scan::{Drive, DriveKind, Facts, Scan, dimensions};
use super::tangle::Apart;
use super::types::{Bounds, MAX_BITS};
use crate::InputError;
use propcov_ir::{ExprId, SignalId, Sort};
use rustc_hash::FxHashSet;

/// The most bits of an array that is only read, and no memory.
const LARGEST_TABLE: u32 = 1 << 14;

/// What a variable is made of.
#[derive(Clone, Debug)]
pub(super) enum Variable {
    /// Pieces from the least significant bit on.
    Word(Vec<Piece>),
    Memory(Memory),
}

/// Some bits of a variable.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) low: u32,
    pub(super) width: u32,
    pub(super) role: Role,
    /// Once somebody has read it.
    pub(super) signal: Option<SignalId>,
}

/// What a piece is in the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// What the environment gives.
    Input,
    /// A register.
    State,
    /// `(* anyconst *)`: any value that never changes.
    Constant,
    /// Anything else.
    Wire,
}

/// An array that is a memory.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// The dimensions, the outermost first.
    pub(super) bounds: Vec<Bounds>,
    pub(super) element: u32,
    pub(super) signal: Option<SignalId>,
}

impl Memory {
    /// The bits of an address.
    pub(super) fn address_width(&self) -> u32 {
        self.bounds.iter().map(|bounds| index_width(*bounds)).sum()
    }

    pub(super) fn sort(&self) -> Sort {
        Sort::array(Sort::BitVec(self.address_width()), Sort::BitVec(self.element))
    }
}

/// The bits that tell the elements of a dimension apart.
pub(super) fn index_width(bounds: Bounds) -> u32 {
    (bounds.count() - 1).checked_ilog2().map_or(1, |log| log + 1)
}

/// Decides what each variable becomes.
pub(super) fn variables(export: &Export, scan: &Scan, apart: &Apart, is_edge_kept: bool) -> Vec<Variable> {
    let inputs = export.ports.iter().filter(|(_, direction)| *direction == Direction::In);
    let inputs: FxHashSet<SymbolRef> = inputs.map(|(symbol, _)| *symbol).collect();
    let symbols = (0..export.symbols.len() as u32).map(SymbolRef);
    let variable = |symbol: SymbolRef| {
        let facts = scan.facts(symbol);
        memory(export, symbol, facts, is_edge_kept).unwrap_or_else(|| {
            let mut pieces = pieces(export, symbol, facts, inputs.contains(&symbol), is_edge_kept);
            if apart.symbols.contains(&symbol) {
                pieces = pieces.iter().flat_map(bits).collect();
            }
            Variable::Word(pieces)
        })
    };
    symbols.map(variable).collect()
}

/// Whether what is driven so is a state: a process of every step makes one, and a clock unless it is a signal.
fn is_state(kind: DriveKind, is_edge_kept: bool) -> bool {
    kind == DriveKind::Global || (kind == DriveKind::Clocked && !is_edge_kept)
}

fn memory(export: &Export, symbol: SymbolRef, facts: &Facts, is_edge_kept: bool) -> Option<Variable> {
    let ty = export.symbol_type(symbol);
    let count = dimensions(export, ty);
    let is_clocked = |kind: DriveKind| is_state(kind, is_edge_kept);
    // What nobody writes to is a word, in which constants are seen, unless it is large.
    let by_clock = facts.drives.iter().any(|drive| is_clocked(drive.kind))
        || (!facts.drives.is_empty() && ty.width > LARGEST_TABLE);
    let fits = |kind: DriveKind| is_clocked(kind) || kind == DriveKind::Initial;
    let is_memory = count > 0
        && !facts.is_whole
        && facts.is_indexed
        && !facts.is_local
        && by_clock
        && facts.drives.iter().all(|drive| fits(drive.kind));
    if !is_memory {
        return None;
    }
    let (mut bounds, mut at) = (Vec::new(), ty);
    while let Some((element, here)) = at.unpacked_element() {
        bounds.push(here);
        at = export.ty(element);
    }
    Some(Variable::Memory(Memory { bounds, element: at.width, signal: None }))
}

fn pieces(
    export: &Export,
    symbol: SymbolRef,
    facts: &Facts,
    is_input: bool,
    is_edge_kept: bool,
) -> Vec<Piece> {
    let width = export.symbol_type(symbol).width;
    let attributes = &export.symbol(symbol).attributes;
    let has = |names: &[&str]| attributes.iter().any(|attribute| names.contains(&attribute.as_str()));
    let whole = |role| vec![Piece { low: 0, width, role, signal: None }];
    match () {
        () if has(&["anyseq"]) => return whole(Role::Input),
        () if has(&["anyconst"]) => return whole(Role::Constant),
        () if is_input => return whole(Role::Input),
        () => {}
    }
    let is_start = |drive: &&Drive| drive.kind == DriveKind::Initial;
    let (starts, drives): (Vec<&Drive>, Vec<&Drive>) = facts.drives.iter().partition(is_start);
    let undriven = if pulled(export, symbol).is_some() { Role::Wire } else { Role::Input };
    if drives.is_empty() {
        return whole(if facts.drives.is_empty() { undriven } else { Role::Wire });
    }
    let mut cuts: Vec<u32> = drives.iter().flat_map(|drive| [drive.low, drive.low + drive.width]).collect();
    cuts.extend(starts.iter().flat_map(|drive| [drive.low, drive.low + drive.width]));
    cuts.extend([0, width]);
    cuts.sort_unstable();
    cuts.dedup();
    let role = |low: u32| {
        let is_here = |drive: &&&Drive| drive.low <= low && low < drive.low + drive.width;
        let here = || drives.iter().filter(is_here);
        match here().next() {
            // What nobody assigns stays what it was in the beginning.
            None if starts.iter().any(|drive| is_here(&drive)) => Role::Wire,
            None => undriven,
            Some(_) if here().all(|drive| is_state(drive.kind, is_edge_kept)) => Role::State,
            Some(_) => Role::Wire,
        }
    };
    joined(cuts.windows(2).map(|pair| Piece {
        low: pair[0],
        width: pair[1] - pair[0],
        role: role(pair[0]),
        signal: None,
    }))
}

/// What the bits of a net are that nobody drives, by its kind.
pub(super) fn pulled(export: &Export, symbol: SymbolRef) -> Option<bool> {
    match export.symbol(symbol).kind.as_str() {
        "Supply1" | "Tri1" => Some(true),
        "Supply0" | "Tri0" => Some(false),
        _ => None,
    }
}

/// The bits of a piece, each a piece of its own, unless it is no wire.
fn bits(piece: &Piece) -> Vec<Piece> {
    if piece.role != Role::Wire {
        return vec![piece.clone()];
    }
    (0..piece.width).map(|bit| Piece { low: piece.low + bit, width: 1, ..piece.clone() }).collect()
}

/// Neighbouring states are one.
fn joined(pieces: impl Iterator<Item = Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match all.last_mut() {
            Some(last) if last.role == Role::State && piece.role == Role::State => last.width += piece.width,
            Some(last) if last.role == Role::Input && piece.role == Role::Input => last.width += piece.width,
            _ => all.push(piece),
        }
    }
    all
}

impl Machine<'_> {
    /// The value that a variable has in the current step.
    pub(super) fn signal_value(&mut self, symbol: SymbolRef) -> Result<ExprId, InputError> {
        self.check_size(symbol)?;
        if let Variable::Memory(_) = self.variables[symbol.index()] {
            let signal = self.memory_signal(symbol);
            return Ok(self.system.read(signal));
        }
        let count = self.piece_count(symbol);
        let mut value = None;
        for position in 0..count {
            let signal = self.piece_signal(symbol, position);
            let piece = self.system.read(signal);
            value = Some(match value {
                None => piece,
                Some(low) => self.concat(piece, low),
            });
        }
        match (value, self.export.symbol(symbol).at) {
            (Some(value), _) => Ok(value),
            (None, Some(at)) => self.error(at, "this has no bits"),
            (None, None) => Err(self.input.error(0..0, "a variable has no bits")),
        }
    }

    /// Refuses variables that cannot be words.
    pub(super) fn check_size(&self, symbol: SymbolRef) -> Result<(), InputError> {
        let (known, ty) = (self.export.symbol(symbol), self.export.symbol_type(symbol));
        let message = match (ty.width, &ty.shape) {
            (0, super::record::Shape::Other(kind)) => {
                format!("type {kind} of {} is not supported", known.name)
            }
            (0, super::record::Shape::TooLarge) => {
                format!("{} has more bits than can be counted", known.name)
            }
            (0, _) => format!("{} has no bits", known.name),
            (width, _) if width > MAX_BITS => format!("{} has more than {MAX_BITS} bits", known.name),
            _ => return Ok(()),
        };
        match known.at {
            Some(at) => self.error(at, message),
            None => Err(self.input.error(0..0, message)),
        }
    }

    fn piece_count(&self, symbol: SymbolRef) -> usize {
        match &self.variables[symbol.index()] {
            Variable::Word(pieces) => pieces.len(),
            Variable::Memory(_) => 0,
        }
    }

    /// The name of a symbol from the top, as its user would write it.
    pub(super) fn symbol_name(&self, symbol: SymbolRef) -> String {
        let known = self.export.symbol(symbol);
        qualified(self.export, known.scope, &known.name)
    }

    fn memory_signal(&mut self, symbol: SymbolRef) -> SignalId {
        let name = self.symbol_name(symbol);
        let Variable::Memory(memory) = &mut self.variables[symbol.index()] else {
            unreachable!("only memories")
        };
        match memory.signal {
            Some(signal) => signal,
            None => {
                let signal = self.system.add_state(name, memory.sort());
                memory.signal = Some(signal);
                signal
            }
        }
    }

    /// The signal of a piece.
    pub(super) fn piece_signal(&mut self, symbol: SymbolRef, position: usize) -> SignalId {
        let name = self.symbol_name(symbol);
        let Variable::Word(pieces) = &mut self.variables[symbol.index()] else { unreachable!("only words") };
        let is_whole = pieces.len() == 1;
        let piece = &mut pieces[position];
        if let Some(signal) = piece.signal {
            return signal;
        }
        let name = match (is_whole, piece.width) {
            (true, _) => name,
            (false, 1) => format!("{name}[{}]", piece.low),
            (false, width) => format!("{name}[{}:{}]", piece.low + width - 1, piece.low),
        };
        let signal = match piece.role {
            Role::Input => self.system.add_input(name, Sort::BitVec(piece.width)),
            Role::State | Role::Constant => self.system.add_state(name, Sort::BitVec(piece.width)),
            Role::Wire => self.system.declare_wire(name, piece.width),
        };
        piece.signal = Some(signal);
        signal
    }
}
