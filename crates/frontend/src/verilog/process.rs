//! Everything that drives signals, executed once each: what comes of it are outcomes, from which signals are then defined.

use super::clock::ClockId;
use super::export::{Export, Item};
use super::machine::{Context, Machine, Slot};
use super::record::{
    At, Connection, Direction, Edge, EventKind, EventRef, ExprKind, ExprRef, Gate, Process, ProcessKind,
    StmtKind, StmtRef, SymbolRef,
};
use super::references::{self, Reference};
use super::scan::{Drive, DriveKind, Scan, Trigger, trigger};
use super::statement::Flow;
use super::wording::in_words;
use crate::{Diagnostic, InputError};
use propcov_ir::{BinaryOp, Bits, ElementId, ElementKind, ExprId, Node, TernaryOp, UnaryOp, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What something has assigned to a variable.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) symbol: SymbolRef,
    /// The whole variable; only the bits in the ranges count.
    pub(super) value: ExprId,
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) timing: Timing,
    pub(super) is_blocking: bool,
    /// The assignments that it comes from.
    pub(super) parts: Vec<ElementId>,
    /// Where what has assigned it is.
    pub(super) at: Option<At>,
}

/// When an outcome shows.
#[derive(Clone, Debug)]
pub(super) enum Timing {
    /// At once.
    Now,
    /// After an edge; while a reset is active, its value shows at once.
    Edge(ClockId, Vec<Reset>),
}

/// An asynchronous reset, or set.
#[derive(Clone, Debug)]
pub(super) struct Reset {
    pub(super) is_active: ExprId,
    pub(super) value: ExprId,
    /// Only these bits have a value of reset; the others keep theirs.
    pub(super) ranges: Vec<(u32, u32)>,
}

/// What was assigned since the process began.
type Assigned = FxHashMap<SymbolRef, (ExprId, Vec<(u32, u32)>, bool)>;

/// A process on several edges, taken apart: one is the clock, the others are tested by the branches that come first.
pub(super) struct Edges {
    pub(super) clock: (Edge, ExprRef),
    /// The condition under which an edge of the clock counts (`iff`).
    pub(super) enable: Option<ExprRef>,
    pub(super) resets: Vec<ResetBranch>,
    pub(super) body: Option<StmtRef>,
}

/// A branch for a reset: the edge, the condition, and what is done.
#[derive(Clone, Copy)]
pub(super) struct ResetBranch {
    pub(super) edge: Edge,
    pub(super) signal: ExprRef,
    pub(super) condition: ExprRef,
    pub(super) body: StmtRef,
}

/// The statement in blocks with nothing else in them.
fn unwrapped(export: &Export, stmt: StmtRef) -> StmtRef {
    match &export.stmt(stmt).what {
        StmtKind::Block(_, body) => unwrapped(export, *body),
        StmtKind::List(parts) => match parts.as_slice() {
            [only] => unwrapped(export, *only),
            _ => stmt,
        },
        _ => stmt,
    }
}

/// The symbol that an expression is all about, if it is one.
fn only_symbol(export: &Export, expr: ExprRef) -> Option<SymbolRef> {
    match &export.expr(expr).what {
        ExprKind::Value(symbol) => Some(*symbol),
        ExprKind::Unary(_, a) | ExprKind::Convert(a, _) => only_symbol(export, *a),
        ExprKind::Binary(_, a, b) => match (only_symbol(export, *a), only_symbol(export, *b)) {
            (Some(symbol), None) if matches!(export.expr(*b).what, ExprKind::Const(_)) => Some(symbol),
            (None, Some(symbol)) if matches!(export.expr(*a).what, ExprKind::Const(_)) => Some(symbol),
            _ => None,
        },
        _ => None,
    }
}

/// Takes a process on edges apart; the place where that fails, otherwise.
pub(super) fn edges(export: &Export, scan: &Scan, event: EventRef, body: StmtRef) -> Result<Edges, At> {
    let events = match &export.event(event).what {
        EventKind::List(events) => events.clone(),
        _ => vec![event],
    };
    let mut open = Vec::new();
    for event in &events {
        match &export.event(*event).what {
            EventKind::Signal(edge, signal, enable) => open.push((*edge, *signal, *enable)),
            _ => return Err(export.event(*event).at),
        }
    }
    let (mut resets, mut body) = (Vec::new(), Some(body));
    while open.len() > 1 {
        let Some(rest) = body.map(|body| unwrapped(export, body)) else { return Err(export.event(event).at) };
        let StmtKind::If(conditions, then, otherwise, _) = &export.stmt(rest).what else {
            return Err(export.stmt(rest).at);
        };
        let [condition] = conditions.as_slice() else { return Err(export.stmt(rest).at) };
        let tested = only_symbol(export, *condition).map(|symbol| scan.root(symbol));
        let is_tested = |(_, signal, _): &(Edge, ExprRef, Option<ExprRef>)| match only_symbol(export, *signal)
        {
            Some(symbol) => tested == Some(scan.root(symbol)),
            None => false,
        };
        let Some(position) = open.iter().position(is_tested) else { return Err(export.expr(*condition).at) };
        let (edge, signal, enable) = open.remove(position);
        if enable.is_some() {
            return Err(export.event(event).at);
        }
        resets.push(ResetBranch { edge, signal, condition: *condition, body: *then });
        body = *otherwise;
    }
    let (edge, signal, enable) = open[0];
    Ok(Edges { clock: (edge, signal), enable, resets, body })
}

impl Machine<'_> {
    /// Executes something that drives signals.
    pub(super) fn item(&mut self, item: &Item) -> Result<Vec<Outcome>, InputError> {
        self.here = match item {
            Item::Assign(_, expr) => Some(self.export.expr(*expr).at),
            Item::Connect(connection) => connection.outer.map(|outer| self.export.expr(outer).at),
            Item::Gate(gate) => gate.at,
            Item::Process(process) => Some(self.export.stmt(process.body).at),
        };
        match item {
            Item::Assign(scope, expr) => {
                self.scope = *scope;
                self.continuous(*expr)
            }
            Item::Connect(connection) => self.connect(connection),
            Item::Gate(gate) => {
                self.scope = gate.scope;
                self.gate(gate)
            }
            Item::Process(process) => {
                self.scope = process.scope;
                self.process(process)
            }
        }
    }

    /// Whether a symbol is only another name of a clock that is no signal.
    pub(super) fn is_gone(&self, symbol: SymbolRef) -> bool {
        self.clocking.is_ticking(self.scan.root(symbol)) && !self.scan.facts(symbol).is_read
    }

    fn continuous(&mut self, expr: ExprRef) -> Result<Vec<Outcome>, InputError> {
        let at = self.export.expr(expr).at;
        let ExprKind::Assign(target, value, _) = self.export.expr(expr).what else {
            return self.error(at, "expected an assignment");
        };
        if self.first_symbol(target).is_some_and(|symbol| self.is_gone(symbol)) {
            return Ok(Vec::new());
        }
        self.assign(target, value, false, at)?;
        self.outcomes(&Timing::Now)
    }

    /// What drives a net in its declaration.
    pub(super) fn net_value(
        &mut self,
        symbol: SymbolRef,
        value: ExprRef,
    ) -> Result<Vec<Outcome>, InputError> {
        if self.is_gone(symbol) {
            return Ok(Vec::new());
        }
        self.scope = self.export.symbol(symbol).scope;
        let value_at = self.export.expr(value).at;
        let at = self.export.symbol(symbol).at.unwrap_or(value_at);
        let whole = At(at.0, at.1, if value_at.0 == at.0 { value_at.2.max(at.2) } else { at.2 });
        let value = self.eval(value)?;
        if self.width(value) != self.export.symbol_type(symbol).width {
            return self.error(at, "a value of another width");
        }
        let name = self.placed_name(&self.export.symbol(symbol).name, at);
        let (value, element) = self.element(ElementKind::Assignment, name, whole, value);
        let ranges = vec![(0, self.width(value))];
        let parts = element.into_iter().collect();
        let timing = Timing::Now;
        Ok(vec![Outcome { symbol, value, ranges, timing, is_blocking: true, parts, at: Some(whole) }])
    }

    fn connect(&mut self, connection: &Connection) -> Result<Vec<Outcome>, InputError> {
        self.scope = connection.scope;
        let Some(outer) = connection.outer else { return Ok(Vec::new()) };
        let at = self.export.expr(outer).at;
        let (target, value) = match (connection.direction, &self.export.expr(outer).what) {
            (Direction::In, _) => (connection.inner, outer),
            (Direction::Out, ExprKind::Assign(target, value, _)) => (*target, *value),
            _ => return self.error(at, format!("port {} is inout, which is not supported", connection.port)),
        };
        if self.first_symbol(target).is_some_and(|symbol| self.is_gone(symbol)) {
            return Ok(Vec::new());
        }
        if connection.direction == Direction::Out {
            self.incoming = Some(self.eval(connection.inner)?);
        }
        let value = self.eval(value);
        self.incoming = None;
        let name = self.placed_name(&connection.port, at);
        let (value, _) = self.element(ElementKind::Connection, name, at, value?);
        self.store(target, value, false, at)?;
        self.outcomes(&Timing::Now)
    }

    fn gate(&mut self, gate: &Gate) -> Result<Vec<Outcome>, InputError> {
        let Some(at) = gate.at.or(gate.terminals.first().map(|terminal| self.export.expr(*terminal).at))
        else {
            return Ok(Vec::new());
        };
        let target = |terminal: &ExprRef| match self.export.expr(*terminal).what {
            ExprKind::Assign(target, ..) => target,
            _ => *terminal,
        };
        let (outputs, inputs): (Vec<ExprRef>, &[ExprRef]) =
            match (gate.name.as_str(), gate.terminals.as_slice()) {
                ("buf" | "not", [outputs @ .., input]) => {
                    (outputs.iter().map(target).collect(), std::slice::from_ref(input))
                }
                ("and" | "nand" | "or" | "nor" | "xor" | "xnor", [output, inputs @ ..]) => {
                    (vec![target(output)], inputs)
                }
                _ => return self.error(at, format!("primitive {} is not supported", gate.name)),
            };
        let op = match gate.name.as_str() {
            "and" | "nand" => BinaryOp::And,
            "or" | "nor" => BinaryOp::Or,
            _ => BinaryOp::Xor,
        };
        let mut value = None;
        for input in inputs {
            let next = self.eval(*input)?;
            if value.is_some_and(|value| self.width(value) != self.width(next)) {
                return self.error(at, "inputs of different widths");
            }
            value = Some(match value {
                None => next,
                Some(value) => self.binary(op, value, next),
            });
        }
        let Some(mut value) = value else { return self.error(at, "a primitive without inputs") };
        if matches!(gate.name.as_str(), "not" | "nand" | "nor" | "xnor") {
            value = self.not(value);
        }
        for output in outputs {
            let name =
                self.first_symbol(output).map_or("gate", |symbol| self.export.symbol(symbol).name.as_str());
            let name = self.placed_name(name, at);
            let (value, _) = self.element(ElementKind::Assignment, name, at, value);
            self.store(output, value, false, at)?;
        }
        self.outcomes(&Timing::Now)
    }

    fn process(&mut self, process: &Process) -> Result<Vec<Outcome>, InputError> {
        let at = self.export.stmt(process.body).at;
        let Some((trigger, body)) = trigger(self.export, process.kind, process.body) else {
            return match process.kind {
                ProcessKind::Final => Ok(Vec::new()),
                ProcessKind::AlwaysLatch => self.error(at, "always_latch: latches are not supported"),
                _ => self.error(at, self.waiting_for(process.body)),
            };
        };
        match trigger {
            // Executed before all others.
            Trigger::Once => Ok(Vec::new()),
            Trigger::Combinational => {
                self.context = Context::Each;
                let list = self.sensitivity(process.body);
                self.sensed = list.is_some().then(BTreeSet::new);
                let done = self.exec(body);
                let sensed = self.sensed.take();
                done?;
                if let (Some((at, listed)), Some(sensed)) = (list, sensed) {
                    self.note_unlisted(at, &listed, &sensed);
                }
                self.outcomes(&Timing::Now)
            }
            Trigger::Edges(event) => self.on_edges(event, body),
        }
    }

    /// Where the list of signals is that a process waits for, and which they are.
    fn sensitivity(&self, body: StmtRef) -> Option<(At, FxHashSet<SymbolRef>)> {
        let StmtKind::Timed(event, _) = self.export.stmt(body).what else { return None };
        let mut open = vec![Reference::Event(event)];
        let mut listed = FxHashSet::default();
        while let Some(reference) = open.pop() {
            match reference {
                Reference::Event(event) => match self.export.event(event).what {
                    EventKind::Implicit => return None,
                    _ => open.extend(references::of_event(self.export.event(event)).0),
                },
                Reference::Expr(expr) => open.extend(references::of_expr(self.export.expr(expr)).0),
                Reference::Symbol(symbol) => {
                    listed.insert(symbol);
                }
                _ => {}
            }
        }
        Some((self.export.event(event).at, listed))
    }

    /// Says which signals a process reads that are not in its list: simulators do not wait for them. Once for each process of the source.
    fn note_unlisted(&mut self, at: At, listed: &FxHashSet<SymbolRef>, sensed: &BTreeSet<SymbolRef>) {
        let assigned: FxHashSet<SymbolRef> = self.assigned.keys().map(|slot| slot.symbol()).collect();
        let changes = |symbol: &SymbolRef| {
            let facts = self.scan.facts(*symbol);
            let is_start = |drive: &Drive| drive.kind == DriveKind::Initial;
            !facts.is_local && (facts.drives.is_empty() || !facts.drives.iter().all(is_start))
        };
        let is_missing =
            |symbol: &SymbolRef| !listed.contains(symbol) && !assigned.contains(symbol) && changes(symbol);
        let names: Vec<&str> = sensed
            .iter()
            .filter(|symbol| is_missing(symbol))
            .map(|symbol| self.export.symbol(*symbol).name.as_str())
            .collect();
        if names.is_empty() || !self.warned.insert(at) {
            return;
        }
        let (all, are) = (names.join(", "), if names.len() == 1 { "is" } else { "are" });
        let message =
            format!("{all} {are} read, but not in the sensitivity list: the process is read as `@*`");
        self.warnings.push(Diagnostic { message, span: Some(self.places.span(at)) });
    }

    /// What is wrong with what a process waits for.
    fn waiting_for(&self, body: StmtRef) -> String {
        let inner = match self.export.stmt(body).what {
            StmtKind::Block(_, inner) => inner,
            _ => body,
        };
        let event = match &self.export.stmt(inner).what {
            StmtKind::Timed(event, _) => Some(&self.export.event(*event).what),
            StmtKind::Other(what) => return format!("{} is not supported", in_words(what)),
            _ => None,
        };
        match event {
            Some(EventKind::Other(kind)) => {
                format!("a process that waits for {} is not supported", in_words(kind))
            }
            Some(EventKind::Signal(Edge::Both, ..)) => {
                "a process that waits for both edges of a signal is not supported".to_owned()
            }
            _ => "a process that waits neither for posedge or negedge nor for changes is not supported"
                .to_owned(),
        }
    }

    /// Whether an edge counts only under a condition.
    fn has_condition(&self, event: EventRef) -> bool {
        match &self.export.event(event).what {
            EventKind::Signal(_, _, condition) => condition.is_some(),
            EventKind::List(events) => events.iter().any(|event| self.has_condition(*event)),
            EventKind::Implicit | EventKind::Other(_) => false,
        }
    }

    fn on_edges(&mut self, event: EventRef, body: StmtRef) -> Result<Vec<Outcome>, InputError> {
        let edges = match edges(self.export, &self.scan, event, body) {
            Ok(edges) => edges,
            Err(at) if self.has_condition(event) => {
                return self.error(at, "iff is only supported for the clock of a process");
            }
            Err(at) => return self.error(at, "of several edges all but one have to be tested by the branches that come first, as resets are"),
        };
        let clock = self.clock(edges.clock.0, edges.clock.1)?;
        self.context = Context::Edge(clock);
        let outer = self.path;
        let mut resets = Vec::new();
        let before = self.executions.len();
        for branch in &edges.resets {
            let condition = self.reset_condition(*branch)?;
            let inactive = self.not(condition);
            let path = self.path;
            self.path = self.and(path, condition);
            self.exec(branch.body)?;
            self.path = self.and(path, inactive);
            resets.push((condition, self.assigned()?));
        }
        // Resets do not wait for the clock.
        self.executions[before..].iter_mut().for_each(|(_, clock)| *clock = None);
        match (edges.body, edges.enable) {
            (Some(body), Some(enable)) => self.enabled(enable, body)?,
            (Some(body), None) => {
                self.exec(body)?;
            }
            (None, _) => {}
        }
        self.path = outer;
        let clocked = self.assigned()?;
        self.context = Context::Each;
        self.clocked_outcomes(clock, &resets, &clocked)
    }

    /// Executes what is done at an edge only under a condition: it is a branch, and in assertions it says which edges are ticks.
    fn enabled(&mut self, enable: ExprRef, body: StmtRef) -> Result<(), InputError> {
        let condition = self.condition(enable)?;
        let outer = self.gate.replace(condition);
        let condition = self.branch_element("iff", self.export.expr(enable).at, condition);
        let done = self.choose(condition, |machine| machine.exec(body), |_| Ok(Flow::default()));
        self.gate = outer;
        done.map(|_| ())
    }

    /// The condition of a reset, which has to be its active level.
    fn reset_condition(&mut self, branch: ResetBranch) -> Result<ExprId, InputError> {
        let (signal, condition) = (self.eval(branch.signal)?, self.condition(branch.condition)?);
        let at = self.export.expr(branch.condition).at;
        if self.width(signal) != 1 {
            return self.error(at, "expected a reset of one bit");
        }
        for level in [false, true] {
            let constant = self.bool(level);
            let mut table = FxHashMap::from_iter([(signal, constant)]);
            let replaced = self.system.exprs.replaced(condition, &mut table);
            let expected = Value::bool(level == (branch.edge == Edge::Rising));
            if self.known(replaced) != Some(expected) {
                return self.error(at, "expected the level that the reset has after its edge");
            }
        }
        Ok(self.branch_element("if", at, condition))
    }

    /// What was assigned since the process began. A non-blocking assignment comes after all blocking ones.
    fn assigned(&mut self) -> Result<Assigned, InputError> {
        let values = self.values.take();
        let mut ranges = std::mem::take(&mut self.assigned);
        let mut all = Assigned::default();
        let mut symbols: Vec<SymbolRef> = values.keys().map(|slot| slot.symbol()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols.retain(|symbol| !self.scan.facts(*symbol).is_local);
        for symbol in symbols {
            let mut side = |slot: Slot| Some((*values.get(&slot)?, ranges.remove(&slot)?));
            let known = match (side(Slot::Now(symbol)), side(Slot::Later(symbol))) {
                (None, None) => continue,
                (Some((value, ranges)), None) => (value, ranges, true),
                (None, Some((value, ranges))) => (value, ranges, false),
                (Some((now, mut ranges)), Some((later, more))) => {
                    ranges.extend(more);
                    let mask =
                        self.or_before(values.get(&Slot::Mask(symbol)).copied(), Slot::Mask(symbol))?;
                    (self.masked(mask, later, now), ranges, false)
                }
            };
            all.insert(symbol, known);
        }
        Ok(all)
    }

    /// Where the mask is set, the bits of the one, elsewhere those of the other. Branches that decide the mask decide the values as well: what a side
    /// was before it was assigned must not be left in the result.
    fn masked(&mut self, mask: ExprId, set: ExprId, clear: ExprId) -> ExprId {
        if let Some(bits) = self.constant(mask) {
            if !bits.is_nonzero() {
                return clear;
            }
            if *bits == Bits::ones(bits.width()) {
                return set;
            }
        } else if let Some((condition, sides)) = self.sides(mask) {
            let [then, otherwise] = [0, 1].map(|side| {
                let [set, clear] = [set, clear].map(|value| match self.sides(value) {
                    Some((same, sides)) if same == condition => sides[side],
                    _ => value,
                });
                self.masked(sides[side], set, clear)
            });
            return self.ite(condition, then, otherwise);
        }
        let keep = self.not(mask);
        let (set, clear) = (self.and(set, mask), self.and(clear, keep));
        self.or(set, clear)
    }

    /// The condition of a value that is a choice, and what it is then and otherwise. A Boolean is a choice by itself.
    fn sides(&mut self, value: ExprId) -> Option<(ExprId, [ExprId; 2])> {
        match *self.system.exprs.node(value) {
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => Some((condition, [then, otherwise])),
            Node::Const(_) => None,
            _ if self.width(value) == 1 => {
                let (yes, no) = (self.bool(true), self.bool(false));
                match *self.system.exprs.node(value) {
                    Node::Unary(UnaryOp::Not, inner) => Some((inner, [no, yes])),
                    _ => Some((value, [yes, no])),
                }
            }
            _ => None,
        }
    }

    pub(super) fn outcomes(&mut self, timing: &Timing) -> Result<Vec<Outcome>, InputError> {
        let assigned = self.assigned()?;
        let mut parts = std::mem::take(&mut self.parts);
        let mut all: Vec<Outcome> = assigned
            .into_iter()
            .map(|(symbol, (value, ranges, is_blocking))| Outcome {
                symbol,
                value,
                ranges,
                timing: timing.clone(),
                is_blocking,
                parts: parts.remove(&symbol).unwrap_or_default(),
                at: self.here,
            })
            .collect();
        all.sort_by_key(|outcome| outcome.symbol);
        Ok(all)
    }

    fn clocked_outcomes(
        &mut self,
        clock: ClockId,
        resets: &[(ExprId, Assigned)],
        clocked: &Assigned,
    ) -> Result<Vec<Outcome>, InputError> {
        let mut parts = std::mem::take(&mut self.parts);
        let mut symbols: Vec<SymbolRef> =
            resets.iter().flat_map(|(_, assigned)| assigned.keys()).chain(clocked.keys()).copied().collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut all = Vec::new();
        for symbol in symbols {
            let here: Vec<Reset> = resets
                .iter()
                .map(|(is_active, assigned)| {
                    let (value, ranges) = assigned
                        .get(&symbol)
                        .map_or((*is_active, Vec::new()), |(value, ranges, _)| (*value, ranges.clone()));
                    Reset { is_active: *is_active, value, ranges }
                })
                .collect();
            let (value, mut ranges, is_blocking) = match clocked.get(&symbol) {
                Some(known) => known.clone(),
                None => (self.outside(symbol)?, Vec::new(), false),
            };
            here.iter().for_each(|reset| ranges.extend(&reset.ranges));
            let parts = parts.remove(&symbol).unwrap_or_default();
            all.push(Outcome {
                symbol,
                value,
                ranges,
                timing: Timing::Edge(clock, here),
                is_blocking,
                parts,
                at: self.here,
            });
        }
        Ok(all)
    }
}
