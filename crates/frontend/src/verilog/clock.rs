//! What a step is.
//!
//! If all registers move at the same edge of one input that nobody reads, a step is one tick of this clock, and the clock is no signal any more.
//! Otherwise every clock is a signal like any other; a step is any moment, and a register moves when its edge is seen between two steps: it then
//! takes the value that was there before the edge.

use super::export::Export;
use super::machine::Machine;
use super::record::{Edge, ExprKind, ExprRef, SymbolRef};
use super::scan::{Scan, has_global_clock};
use crate::InputError;
use propcov_ir::{ExprId, Origin, Sort};

/// A position in [`Clocking::clocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClockId(usize);

/// The clocks of a design.
#[derive(Debug, Default)]
pub(super) struct Clocking {
    /// Edges of signals, or of what one signal's name stands for.
    clocks: Vec<(SymbolRef, Edge)>,
    /// Whether clocks are signals.
    is_kept: bool,
    /// Whether the clock ticks in every step (attribute `gclk`), by clock.
    is_global: Vec<bool>,
    /// Whether an edge was seen, by clock, where clocks are signals.
    edges: Vec<Option<ExprId>>,
}

impl Clocking {
    /// Whether clocks are signals.
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Whether an edge of a clock has to be seen for something to happen: not if the clock ticks in every step.
    pub(super) fn is_seen(&self, clock: ClockId) -> bool {
        self.is_kept && !self.is_global[clock.0]
    }

    /// Whether a signal is the one clock, and no signal any more.
    pub(super) fn is_ticking(&self, symbol: SymbolRef) -> bool {
        !self.is_kept && self.clocks.iter().any(|(clock, _)| *clock == symbol)
    }

    /// The clocks, each with the word for its edge.
    pub(super) fn edges(&self) -> impl Iterator<Item = (SymbolRef, &'static str)> {
        let word = |edge: Edge| if edge == Edge::Falling { "negedge" } else { "posedge" };
        self.clocks.iter().map(move |(symbol, edge)| (*symbol, word(*edge)))
    }

    /// Makes a step one tick of this clock; another clock if there is one.
    pub(super) fn tick(&mut self, clock: SymbolRef) -> Option<SymbolRef> {
        let first = self.clocks.first().map(|(_, edge)| *edge);
        let other = self.clocks.iter().find(|(other, edge)| *other != clock || Some(*edge) != first);
        if other.is_none() {
            self.is_kept = false;
        }
        other.map(|(other, _)| *other)
    }

    /// The clocks of a design: all signals of which some process waits for an edge, but for those that are tested as resets.
    pub(super) fn new(clocks: Vec<(SymbolRef, Edge)>, export: &Export, scan: &Scan) -> Clocking {
        let is_input = |symbol: SymbolRef| {
            export
                .ports
                .iter()
                .any(|(port, direction)| *port == symbol && *direction == super::record::Direction::In)
        };
        let is_one = clocks.len() <= 1
            && clocks.iter().all(|(symbol, _)| is_input(*symbol) && !scan.facts(*symbol).is_read);
        let edges = vec![None; clocks.len()];
        let is_global = clocks.iter().map(|(symbol, _)| has_global_clock(export, *symbol)).collect();
        Clocking { clocks, is_kept: !is_one, is_global, edges }
    }
}

/// The signal and edge of an event, if it is a signal, or the opposite of one: its other edge.
pub(super) fn root(export: &Export, scan: &Scan, edge: Edge, signal: ExprRef) -> Option<(SymbolRef, Edge)> {
    match &export.expr(signal).what {
        ExprKind::Value(symbol) if export.symbol_type(*symbol).width == 1 => Some((scan.root(*symbol), edge)),
        ExprKind::Convert(inner, _) => root(export, scan, edge, *inner),
        ExprKind::Unary(operator, inner) if matches!(operator.as_str(), "LogicalNot" | "BitwiseNot") => {
            let other = match edge {
                Edge::Rising => Edge::Falling,
                Edge::Falling => Edge::Rising,
                same => same,
            };
            let is_one_bit = export.type_of(*inner).width == 1;
            root(export, scan, other, *inner).filter(|_| is_one_bit)
        }
        _ => None,
    }
}

impl Machine<'_> {
    /// The clock that an event waits for.
    pub(super) fn clock(&mut self, edge: Edge, signal: ExprRef) -> Result<ClockId, InputError> {
        let at = self.export.expr(signal).at;
        let Some(wanted) = root(self.export, &self.scan, edge, signal) else {
            return self.error(at, "expected a clock of one bit that is a signal");
        };
        if !matches!(edge, Edge::Rising | Edge::Falling) {
            return self.error(at, "expected posedge or negedge");
        }
        match self.clocking.clocks.iter().position(|clock| *clock == wanted) {
            Some(position) => Ok(ClockId(position)),
            None => self.error(at, "this edge is used by no process as a clock"),
        }
    }

    /// Whether an edge is seen in this step, where clocks are signals. There is none before the first step.
    pub(super) fn edge_seen(&mut self, clock: ClockId) -> Result<ExprId, InputError> {
        if let Some(known) = self.clocking.edges[clock.0] {
            return Ok(known);
        }
        let (symbol, edge) = self.clocking.clocks[clock.0];
        let value = self.signal_value(symbol)?;
        let now = if edge == Edge::Rising { value } else { self.not(value) };
        let name = format!("{}.before", self.symbol_name(symbol));
        let before = self.system.add_state(name, Sort::BOOL);
        self.system.set_origin(before, Origin::Helper);
        let high = self.bool(true);
        self.system.set_init(before, high);
        self.system.set_next(before, now);
        let was = self.system.read(before);
        let was_low = self.not(was);
        let seen = self.and(now, was_low);
        self.clocking.edges[clock.0] = Some(seen);
        Ok(seen)
    }

    /// A register that takes a value at an edge, if a condition holds, as it shows.
    pub(super) fn register_at(
        &mut self,
        clock: ClockId,
        name: &str,
        value: ExprId,
        condition: Option<ExprId>,
    ) -> ExprId {
        let Ok(mut seen) = self.edge_seen(clock) else { return value };
        if let Some(condition) = condition {
            let condition = self.step_before("sampled", condition);
            seen = self.and(seen, condition);
        }
        let sort = self.system.exprs.sort(value).clone();
        let sampled = self.step_before(&format!("{name}.sampled"), value);
        let state = self.system.add_state(self.local_name(name), sort);
        self.system.set_origin(state, Origin::Helper);
        self.first_values.push((state, value));
        let held = self.system.read(state);
        let shown = self.ite(seen, sampled, held);
        self.system.set_next(state, shown);
        shown
    }
}
