//! A first look at the whole design: who drives what, what is read, which signals are the same, which arrays are memories.
//!
//! Drivers are known here by the constant parts of their targets alone. That is enough to decide which signals a variable becomes; which bits a
//! process really assigns is known once it has been executed.

use super::export::{Export, Item};
use super::record::{
    Connection, Direction, EventKind, EventRef, ExprKind, ExprRef, ProcessKind, RoutineRef, Shape, StmtKind,
    StmtRef, SymbolRef,
};
use super::references::{self, Reference};
use super::types::Type;
use rustc_hash::FxHashSet;

/// What is known of all symbols, by position.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) symbols: Vec<Facts>,
}

/// What is known of a symbol.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Who may drive which bits.
    pub(super) drives: Vec<Drive>,
    /// Whether its value is read anywhere but as a clock.
    pub(super) is_read: bool,
    /// Whether it lives only while a routine or a combinational process is executed.
    pub(super) is_local: bool,
    /// Whether an array is used otherwise than element by element.
    pub(super) is_whole: bool,
    /// Whether an element of an array is selected by something that is no constant.
    pub(super) is_indexed: bool,
    /// Whether some assignment is blocking, apart from values to start with.
    pub(super) is_blocking: bool,
    /// Whether some assignment is not blocking.
    pub(super) is_non_blocking: bool,
    /// Whether nobody drives a variable whose bits are zero then for ever.
    pub(super) stays_zero: bool,
    /// The symbol that it is another name of.
    pub(super) alias: Option<SymbolRef>,
}

impl Facts {
    /// Whether blocking and non-blocking assignments may come together in one process.
    pub(super) fn is_mixed(&self) -> bool {
        self.is_blocking && self.is_non_blocking
    }
}

/// Bits that something may drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drive {
    pub(super) low: u32,
    pub(super) width: u32,
    pub(super) kind: DriveKind,
}

/// What drives bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DriveKind {
    /// An assignment, a connection or a process whose result shows at once.
    Combinational,
    /// A process that waits for one edge.
    Clocked,
    /// A process that waits for several edges.
    Asynchronous,
    /// A process that is executed in every step: it waits for a signal with the attribute `gclk`.
    Global,
    /// A value to start with.
    Initial,
}

/// How a process is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Trigger {
    Combinational,
    /// On one edge or several.
    Edges(EventRef),
    Once,
}

/// What a process waits for, and the statement that it executes then; nothing for what has no meaning here.
pub(super) fn trigger(export: &Export, kind: ProcessKind, body: StmtRef) -> Option<(Trigger, StmtRef)> {
    match kind {
        ProcessKind::Initial => return Some((Trigger::Once, body)),
        ProcessKind::AlwaysComb => return Some((Trigger::Combinational, body)),
        ProcessKind::Final | ProcessKind::AlwaysLatch => return None,
        ProcessKind::Always | ProcessKind::AlwaysFF => {}
    }
    match &export.stmt(body).what {
        StmtKind::Timed(event, body) => match edges(export, *event) {
            Some(0) => Some((Trigger::Combinational, *body)),
            Some(_) => Some((Trigger::Edges(*event), *body)),
            None => None,
        },
        StmtKind::Concurrent(..) => Some((Trigger::Combinational, body)),
        StmtKind::Block(_, inner) if matches!(export.stmt(*inner).what, StmtKind::Concurrent(..)) => {
            Some((Trigger::Combinational, body))
        }
        _ => None,
    }
}

/// How many edges an event waits for; nothing if it waits for something else, or for edges and levels.
fn edges(export: &Export, event: EventRef) -> Option<usize> {
    use super::record::Edge;
    match &export.event(event).what {
        EventKind::Implicit => Some(0),
        EventKind::Signal(Edge::None, ..) => Some(0),
        EventKind::Signal(Edge::Rising | Edge::Falling, ..) => Some(1),
        EventKind::Signal(Edge::Both, ..) | EventKind::Other(_) => None,
        EventKind::List(events) => {
            let counts: Option<Vec<usize>> = events.iter().map(|event| edges(export, *event)).collect();
            let counts = counts?;
            let sum = counts.iter().sum();
            (sum == 0 || counts.iter().all(|count| *count > 0)).then_some(sum)
        }
    }
}

impl Scan {
    pub(super) fn new(export: &Export) -> Scan {
        let facts = vec![Facts::default(); export.symbols.len()];
        let mut scanner = Scanner {
            export,
            facts,
            walked: FxHashSet::default(),
            kind: DriveKind::Combinational,
            non_blocking: false,
        };
        for (symbol, value) in &export.initials {
            scanner.initial(*symbol, *value);
        }
        for item in &export.items {
            scanner.item(item);
        }
        scanner.routines_are_local();
        scanner.zeros();
        for (symbol, direction) in &export.ports {
            if *direction == Direction::Out {
                scanner.facts[symbol.index()].is_read = true;
            }
        }
        let mut scan = Scan { symbols: scanner.facts };
        scan.spread_reads();
        scan
    }

    pub(super) fn facts(&self, symbol: SymbolRef) -> &Facts {
        &self.symbols[symbol.index()]
    }

    /// What a symbol is another name of, in the end.
    pub(super) fn root(&self, symbol: SymbolRef) -> SymbolRef {
        let mut root = symbol;
        // A net that is connected to itself is found later, as a loop.
        for _ in 0..self.symbols.len() {
            match self.facts(root).alias {
                Some(next) if next != symbol => root = next,
                _ => break,
            }
        }
        root
    }

    /// What is read under one name is read.
    fn spread_reads(&mut self) {
        let read = |scan: &Scan| {
            (0..scan.symbols.len() as u32)
                .map(SymbolRef)
                .filter(|symbol| scan.facts(*symbol).is_read)
                .collect()
        };
        let mut open: Vec<SymbolRef> = read(self);
        while let Some(symbol) = open.pop() {
            if let Some(other) = self.facts(symbol).alias
                && !std::mem::replace(&mut self.symbols[other.index()].is_read, true)
            {
                open.push(other);
            }
        }
    }
}

struct Scanner<'a> {
    export: &'a Export,
    facts: Vec<Facts>,
    walked: FxHashSet<(RoutineRef, DriveKind)>,
    kind: DriveKind,
    /// Whether the current target is one of a non-blocking assignment.
    non_blocking: bool,
}

impl Scanner<'_> {
    fn initial(&mut self, symbol: SymbolRef, value: ExprRef) {
        let is_variable = self.export.symbol(symbol).kind == "Variable";
        self.kind = if is_variable { DriveKind::Initial } else { DriveKind::Combinational };
        let width = self.export.symbol_type(symbol).width;
        self.drive(symbol, 0, width);
        if !(self.kind == DriveKind::Combinational && self.is_alias(symbol, value)) {
            self.read(value);
        }
    }

    /// Variables of 2-state types are zero before anybody gives them a value.
    fn zeros(&mut self) {
        let export = self.export;
        let mut is_port = vec![false; export.symbols.len()];
        for (symbol, direction) in &export.ports {
            is_port[symbol.index()] = *direction != Direction::Out;
        }
        for symbol in (0..export.symbols.len() as u32).map(SymbolRef) {
            if export.symbol(symbol).kind != "Variable" || is_port[symbol.index()] {
                continue;
            }
            let zeros = export.symbol_type(symbol).zeros(&export.types);
            let facts = &mut self.facts[symbol.index()];
            facts.stays_zero = !zeros.is_empty() && facts.drives.is_empty();
            let kind = DriveKind::Initial;
            facts.drives.extend(zeros.into_iter().map(|(low, width)| Drive { low, width, kind }));
        }
    }

    fn item(&mut self, item: &Item) {
        self.kind = DriveKind::Combinational;
        match item {
            Item::Assign(_, expr) => self.assign(*expr),
            Item::Connect(connection) => self.connect(connection),
            Item::Gate(gate) => {
                gate.terminals.iter().for_each(|terminal| match &self.export.expr(*terminal).what {
                    ExprKind::Assign(target, ..) => self.target(*target),
                    _ => self.read(*terminal),
                });
            }
            Item::Process(process) => {
                let Some((trigger, body)) = trigger(self.export, process.kind, process.body) else { return };
                self.kind = match trigger {
                    Trigger::Once => DriveKind::Initial,
                    Trigger::Combinational => DriveKind::Combinational,
                    Trigger::Edges(event) => match &self.export.event(event).what {
                        EventKind::Signal(_, signal, _) if is_global(self.export, *signal) => {
                            DriveKind::Global
                        }
                        EventKind::List(events) if events.len() > 1 => DriveKind::Asynchronous,
                        _ => DriveKind::Clocked,
                    },
                };
                if let Trigger::Edges(event) = trigger {
                    self.conditions(event);
                }
                self.stmt(body);
            }
        }
    }

    /// The conditions under which edges count are read, which their signals are not.
    fn conditions(&mut self, event: EventRef) {
        let export = self.export;
        match &export.event(event).what {
            EventKind::Signal(_, _, condition) => {
                condition.iter().for_each(|condition| self.read(*condition));
            }
            EventKind::List(events) => events.iter().for_each(|event| self.conditions(*event)),
            EventKind::Implicit | EventKind::Other(_) => {}
        }
    }

    fn assign(&mut self, expr: ExprRef) {
        let ExprKind::Assign(target, value, _) = &self.export.expr(expr).what else { return self.read(expr) };
        self.target(*target);
        let alias = match &self.export.expr(*target).what {
            ExprKind::Value(symbol) => self.is_alias(*symbol, *value),
            _ => false,
        };
        if !alias {
            self.read(*value);
        }
    }

    fn connect(&mut self, connection: &Connection) {
        let Some(outer) = connection.outer else { return };
        if connection.direction == Direction::In {
            self.target(connection.inner);
            let alias = match &self.export.expr(connection.inner).what {
                ExprKind::Value(symbol) => self.is_alias(*symbol, outer),
                _ => false,
            };
            if !alias {
                self.read(outer);
            }
            return;
        }
        let ExprKind::Assign(target, value, _) = &self.export.expr(outer).what else { return };
        self.target(*target);
        let is_plain = matches!(self.export.expr(*value).what, ExprKind::Empty);
        let alias = match &self.export.expr(*target).what {
            ExprKind::Value(symbol) if is_plain => self.is_alias(*symbol, connection.inner),
            _ => false,
        };
        if !alias {
            self.read(connection.inner);
        }
    }

    /// Notes that a symbol is another name of a value, if that is a symbol of the same width.
    fn is_alias(&mut self, symbol: SymbolRef, value: ExprRef) -> bool {
        let mut value = value;
        // `bit` and `logic` of one bit are the same here.
        while let ExprKind::Convert(inner, _) = self.export.expr(value).what
            && self.export.type_of(value).width == 1
            && self.export.type_of(inner).width == 1
        {
            value = inner;
        }
        let ExprKind::Value(other) = self.export.expr(value).what else { return false };
        let width = |symbol| self.export.symbol_type(symbol).width;
        let is_word = |symbol| self.export.symbol_type(symbol).unpacked_element().is_none();
        let fits = width(symbol) == width(other) && is_word(symbol) && is_word(other) && symbol != other;
        if fits && self.facts[symbol.index()].alias.is_none() {
            self.facts[symbol.index()].alias = Some(other);
            return true;
        }
        false
    }

    fn drive(&mut self, symbol: SymbolRef, low: u32, width: u32) {
        let drive = Drive { low, width, kind: self.kind };
        let facts = &mut self.facts[symbol.index()];
        let is_start = self.kind == DriveKind::Initial;
        facts.is_non_blocking |= self.non_blocking && !is_start;
        facts.is_blocking |= !self.non_blocking && !is_start;
        let drives = &mut facts.drives;
        // Loops over the bits of a word would else make long lists.
        if drives.last() != Some(&drive) {
            drives.push(drive);
        }
    }

    fn target(&mut self, target: ExprRef) {
        match &self.export.expr(target).what {
            ExprKind::Concat(parts) | ExprKind::Pattern(parts) | ExprKind::Stream(_, parts) => {
                parts.iter().for_each(|part| self.target(*part));
            }
            ExprKind::Convert(inner, _) => self.target(*inner),
            _ => {
                self.selections(target);
                if let Some((symbol, low, width)) = fixed_part(self.export, target) {
                    self.drive(symbol, low, width);
                }
            }
        }
    }

    /// Notes what the selections of a target read, and how its symbol is used.
    fn selections(&mut self, target: ExprRef) {
        let (export, mut at) = (self.export, target);
        loop {
            at = match &export.expr(at).what {
                ExprKind::Element(..) if self.element_access(at) => return,
                ExprKind::Element(base, selector) => {
                    self.read(*selector);
                    *base
                }
                ExprKind::Range(_, base, left, right) => {
                    self.all(&[*left, *right]);
                    *base
                }
                ExprKind::Member(base, _) => *base,
                ExprKind::Value(symbol) => {
                    let is_array = export.symbol_type(*symbol).unpacked_element().is_some();
                    self.facts[symbol.index()].is_whole |= is_array;
                    return;
                }
                _ => return,
            }
        }
    }

    /// Whether all dimensions of an unpacked array are selected here. If so, the use is noted.
    fn element_access(&mut self, expr: ExprRef) -> bool {
        let (Some(root), selectors) = chain(self.export, expr) else { return false };
        if dimensions(self.export, self.export.symbol_type(root)) != selectors.len() || selectors.is_empty() {
            return false;
        }
        let is_const = |selector: &ExprRef| matches!(self.export.expr(*selector).what, ExprKind::Const(_));
        if !selectors.iter().all(is_const) {
            self.facts[root.index()].is_indexed = true;
        }
        for selector in selectors {
            self.read(selector);
        }
        true
    }

    fn read(&mut self, expr: ExprRef) {
        let export = self.export;
        match &export.expr(expr).what {
            ExprKind::Value(symbol) => {
                let facts = &mut self.facts[symbol.index()];
                facts.is_read = true;
                facts.is_whole |= export.symbol_type(*symbol).unpacked_element().is_some();
            }
            ExprKind::Element(base, selector) => {
                if self.element_access(expr) {
                    if let Some(root) = chain(export, expr).0 {
                        self.facts[root.index()].is_read = true;
                    }
                } else {
                    self.read(*base);
                    self.read(*selector);
                }
            }
            ExprKind::Assign(target, value, non_blocking) => {
                self.non_blocking = *non_blocking;
                self.target(*target);
                self.non_blocking = false;
                self.read(*value);
            }
            ExprKind::Unary(operator, operand) => {
                if operator.ends_with("crement") {
                    self.target(*operand);
                }
                self.read(*operand);
            }
            ExprKind::Call(routine, arguments) => self.call(*routine, arguments),
            ExprKind::System(_, arguments) => self.all(arguments),
            ExprKind::Load(load) => {
                if let Some((symbol, low, width)) = fixed_part(export, load.target) {
                    self.drive(symbol, low, width);
                }
                self.all(&load.bounds);
            }
            ExprKind::Property(property, variables) => {
                for (variable, value) in variables {
                    self.facts[variable.index()].is_local = true;
                    value.iter().for_each(|value| self.read(*value));
                }
                self.property(*property);
            }
            ExprKind::Member(a, _) | ExprKind::Convert(a, _) => self.read(*a),
            ExprKind::Binary(_, a, b) | ExprKind::Replicate(a, b) | ExprKind::Between(a, b) => {
                self.all(&[*a, *b]);
            }
            ExprKind::Conditional(conditions, a, b) => {
                self.all(conditions);
                self.all(&[*a, *b]);
            }
            ExprKind::Range(_, a, b, c) => self.all(&[*a, *b, *c]),
            ExprKind::Inside(a, all) => {
                self.read(*a);
                self.all(all);
            }
            ExprKind::Concat(all) | ExprKind::Pattern(all) | ExprKind::Stream(_, all) => self.all(all),
            ExprKind::Const(_)
            | ExprKind::Target
            | ExprKind::Empty
            | ExprKind::Unbounded
            | ExprKind::Clock(_)
            | ExprKind::Other(_) => {}
        }
    }

    fn all(&mut self, exprs: &[ExprRef]) {
        exprs.iter().for_each(|expr| self.read(*expr));
    }

    fn call(&mut self, routine: RoutineRef, arguments: &[ExprRef]) {
        for argument in arguments {
            if let ExprKind::Assign(target, ..) = &self.export.expr(*argument).what {
                self.target(*target);
            }
            self.read(*argument);
        }
        if self.walked.insert((routine, self.kind)) {
            self.stmt(self.export.routine(routine).body);
        }
    }

    /// All that a property reads. What it assigns are local variables.
    fn property(&mut self, property: super::record::PropertyRef) {
        let export = self.export;
        for reference in references::of_property(export.property(property)).0 {
            match reference {
                Reference::Property(inner) => self.property(inner),
                Reference::Event(event) => self.conditions(event),
                Reference::Expr(expr) => match export.expr(expr).what {
                    ExprKind::Assign(_, value, _) => self.read(value),
                    _ => self.read(expr),
                },
                _ => {}
            }
        }
    }

    fn stmt(&mut self, stmt: StmtRef) {
        match &self.export.stmt(stmt).what {
            StmtKind::List(parts) => parts.iter().for_each(|part| self.stmt(*part)),
            StmtKind::Block(_, body)
            | StmtKind::Disabled(_, body)
            | StmtKind::Forever(body)
            | StmtKind::Timed(_, body) => self.stmt(*body),
            StmtKind::Expr(expr) => self.read(*expr),
            StmtKind::Declare(symbol, value) => self.declare(*symbol, *value),
            StmtKind::If(conditions, then, otherwise, _) => {
                self.all(conditions);
                self.stmt(*then);
                otherwise.iter().for_each(|otherwise| self.stmt(*otherwise));
            }
            StmtKind::Case(case) => {
                self.read(case.subject);
                for (values, body) in &case.items {
                    self.all(values);
                    self.stmt(*body);
                }
                case.default.iter().for_each(|body| self.stmt(*body));
            }
            StmtKind::For(all) => {
                for (symbol, value) in &all.declared {
                    self.facts[symbol.index()].is_local = true;
                    self.read(*value);
                }
                self.all(&all.before);
                all.condition.iter().for_each(|condition| self.read(*condition));
                self.all(&all.steps);
                self.stmt(all.body);
            }
            StmtKind::Repeat(expr, body) | StmtKind::While(expr, body) | StmtKind::DoWhile(expr, body) => {
                self.read(*expr);
                self.stmt(*body);
            }
            StmtKind::Foreach(dimensions, body) => {
                for variable in dimensions.iter().filter_map(|(_, _, variable)| *variable) {
                    self.facts[variable.index()].is_local = true;
                }
                self.stmt(*body);
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.read(*value)),
            StmtKind::Assert(_, condition) => self.read(*condition),
            StmtKind::Concurrent(_, property, _, disable) => {
                self.property(*property);
                disable.iter().for_each(|disable| self.read(*disable));
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Disable(_) | StmtKind::Other(_) => {}
        }
    }

    /// A variable of a block of a clocked process keeps its value from edge to edge, unless it is automatic.
    fn declare(&mut self, symbol: SymbolRef, value: Option<ExprRef>) {
        let is_kept = matches!(self.kind, DriveKind::Clocked | DriveKind::Asynchronous | DriveKind::Global);
        if self.export.symbol(symbol).automatic || !is_kept {
            self.facts[symbol.index()].is_local = true;
        }
        value.iter().for_each(|value| self.read(*value));
    }

    /// What a routine declares lives while it is executed.
    fn routines_are_local(&mut self) {
        let export = self.export;
        for routine in &export.routines {
            let own = routine.arguments.iter().map(|(symbol, _)| *symbol).chain(routine.result);
            own.for_each(|symbol| self.facts[symbol.index()].is_local = true);
            let mut open = vec![routine.body];
            while let Some(stmt) = open.pop() {
                if let StmtKind::Declare(symbol, _) = export.stmt(stmt).what {
                    self.facts[symbol.index()].is_local = true;
                }
                let references = references::of_stmt(export.stmt(stmt));
                open.extend(references.0.into_iter().filter_map(|reference| match reference {
                    Reference::Stmt(stmt) => Some(stmt),
                    _ => None,
                }));
            }
        }
    }
}

/// Whether an expression is the clock of all steps.
pub(super) fn is_global(export: &Export, signal: ExprRef) -> bool {
    match export.expr(signal).what {
        ExprKind::Value(symbol) => has_global_clock(export, symbol),
        _ => false,
    }
}

/// Whether a symbol is the clock of all steps.
pub(super) fn has_global_clock(export: &Export, symbol: SymbolRef) -> bool {
    export.symbol(symbol).attributes.iter().any(|attribute| attribute == "gclk")
}

/// The symbol of a target, and the bits that constant selections leave of it.
fn fixed_part(export: &Export, target: ExprRef) -> Option<(SymbolRef, u32, u32)> {
    let (base, part) = match &export.expr(target).what {
        ExprKind::Value(symbol) => return Some((*symbol, 0, export.symbol_type(*symbol).width)),
        ExprKind::Member(base, field) => {
            let offset = export.type_of(*base).field_offset(&export.types, *field)?;
            (*base, Some((offset, export.type_of(target).width)))
        }
        ExprKind::Element(base, selector) => (*base, static_element(export, *base, *selector)),
        ExprKind::Range(kind, base, left, right) => {
            (*base, static_range(export, kind, *base, *left, *right, export.type_of(target).width))
        }
        _ => return None,
    };
    let (symbol, low, width) = fixed_part(export, base)?;
    Some(narrowed(symbol, low, width, export.type_of(base), part))
}

/// The bits that are left of a part of a word, if it was all of the word so far.
fn narrowed(
    symbol: SymbolRef,
    low: u32,
    width: u32,
    base: &Type,
    part: Option<(u32, u32)>,
) -> (SymbolRef, u32, u32) {
    match part {
        Some((offset, part)) if width == base.width => (symbol, low + offset, part),
        _ => (symbol, low, width),
    }
}

/// The number that a constant expression is.
pub(super) fn number(export: &Export, expr: ExprRef) -> Option<i64> {
    let ExprKind::Const(digits) = &export.expr(expr).what else { return None };
    let ty = export.type_of(expr);
    if digits.len() > 63 && !(ty.signed && digits.len() == 64 && ty.width == 64) {
        return None;
    }
    let mut value: i64 = 0;
    for digit in digits.bytes() {
        value = (value << 1)
            | i64::from(match digit {
                b'0' => 0u8,
                b'1' => 1,
                _ => return None,
            });
    }
    let is_negative =
        ty.signed && ty.width < 64 && digits.len() as u32 == ty.width && digits.starts_with('1');
    Some(if is_negative { value - (1 << ty.width) } else { value })
}

/// The bits of a constant element that exists.
fn static_element(export: &Export, base: ExprRef, selector: ExprRef) -> Option<(u32, u32)> {
    let (bounds, width) = export.type_of(base).elements(&export.types)?;
    let distance = bounds.distance(number(export, selector)?);
    let distance = u32::try_from(distance).ok().filter(|distance| *distance < bounds.count())?;
    Some((distance * width, width))
}

/// The bits of a constant range that exists.
fn static_range(
    export: &Export,
    kind: &str,
    base: ExprRef,
    left: ExprRef,
    right: ExprRef,
    width: u32,
) -> Option<(u32, u32)> {
    let base = export.type_of(base);
    let (bounds, element) = base.elements(&export.types)?;
    let first = number(export, left)?;
    let second = match kind {
        "Simple" => number(export, right)?,
        "IndexedUp" => first.checked_add(number(export, right)?.checked_sub(1)?)?,
        _ => first.checked_sub(number(export, right)?.checked_sub(1)?)?,
    };
    let low = bounds.distance(first).min(bounds.distance(second));
    let low = u32::try_from(low).ok()?.checked_mul(element)?;
    (low.checked_add(width)? <= base.width).then_some((low, width))
}

/// The root of a chain of selected elements, and what selects them, the outermost dimension first.
pub(super) fn chain(export: &Export, expr: ExprRef) -> (Option<SymbolRef>, Vec<ExprRef>) {
    let (mut at, mut selectors) = (expr, Vec::new());
    loop {
        match &export.expr(at).what {
            ExprKind::Element(base, selector) if export.type_of(*base).unpacked_element().is_some() => {
                selectors.push(*selector);
                at = *base;
            }
            ExprKind::Value(symbol) => {
                selectors.reverse();
                return (Some(*symbol), selectors);
            }
            _ => return (None, selectors),
        }
    }
}

/// How many unpacked dimensions a type has.
pub(super) fn dimensions(export: &Export, ty: &Type) -> usize {
    let (mut count, mut at) = (0, ty);
    while let Shape::Array(element, _, _, false, _) = at.shape {
        count += 1;
        at = export.ty(element);
    }
    count
}
