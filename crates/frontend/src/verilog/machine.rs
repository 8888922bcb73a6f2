//! What executes the design symbolically: the values that variables have at some point of a process, and how they come together again after a branch.
//!
//! Values are expressions over the signals of the system. A branch is executed by itself; what it has changed is undone, and noted; then both sides
//! are merged. So a branch costs what it changes, not what there is.

use super::export::Export;
use super::fold::{self, Fold};
use super::place::Places;
use super::record::{At, ScopeRef, Start, SymbolRef};
use super::scan::Scan;
use super::tangle::Apart;
use super::types::MAX_BITS;
use super::unread::{LeftOut, Unread};
use super::variable::Variable;
use crate::{Diagnostic, Granularity, InputError, text::Input};
use propcov_ir::{
    BinaryOp, Bits, ElementId, ElementKind, Execution, ExprId, Node, Origin, Parent, Scope, SignalId, Site,
    Sort, System, UnaryOp, Value, Way, Whole,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A variable at one of the two times that matter in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Slot {
    /// Its value now: blocking assignments.
    Now(SymbolRef),
    /// Its value after the process: non-blocking assignments.
    Later(SymbolRef),
    /// The bits that non-blocking assignments have assigned, where a variable has both kinds.
    Mask(SymbolRef),
}

impl Slot {
    pub(super) fn symbol(self) -> SymbolRef {
        let (Slot::Now(symbol) | Slot::Later(symbol) | Slot::Mask(symbol)) = self;
        symbol
    }
}

/// Values of variables, with all changes noted.
#[derive(Debug, Default)]
pub(super) struct Values {
    current: FxHashMap<Slot, ExprId>,
    log: Vec<(Slot, Option<ExprId>)>,
}

impl Values {
    pub(super) fn get(&self, slot: Slot) -> Option<ExprId> {
        self.current.get(&slot).copied()
    }

    pub(super) fn set(&mut self, slot: Slot, value: Option<ExprId>) {
        let before = match value {
            Some(value) => self.current.insert(slot, value),
            None => self.current.remove(&slot),
        };
        self.log.push((slot, before));
    }

    /// Where the log is now, for [`Values::undo`].
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// The slots that were changed since then, in order of the first change.
    pub(super) fn changed(&self, mark: usize) -> Vec<Slot> {
        let mut slots: Vec<Slot> = self.log[mark..].iter().map(|(slot, _)| *slot).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Takes back what was changed since then; returns what the values were before.
    pub(super) fn undo(&mut self, mark: usize) -> FxHashMap<Slot, Option<ExprId>> {
        let mut undone = FxHashMap::default();
        while self.log.len() > mark {
            let Some((slot, before)) = self.log.pop() else { break };
            let last = match before {
                Some(before) => self.current.insert(slot, before),
                None => self.current.remove(&slot),
            };
            undone.entry(slot).or_insert(last);
        }
        undone
    }

    /// All variables that have a value of their own now, in order.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let mut slots: Vec<Slot> = self.current.keys().copied().collect();
        slots.sort_unstable();
        slots
    }

    /// Everything, to begin with another process.
    pub(super) fn take(&mut self) -> FxHashMap<Slot, ExprId> {
        self.log.clear();
        std::mem::take(&mut self.current)
    }
}

/// Executes processes. What it needs for that is in the files beside this one, one subject each.
pub(super) struct Machine<'a> {
    pub(super) export: &'a Export,
    pub(super) input: Input<'a>,
    pub(super) places: Places<'a>,
    pub(super) granularity: Granularity,
    pub(super) scan: Scan,
    pub(super) system: System,
    pub(super) fold: Fold,
    pub(super) variables: Vec<Variable>,
    /// What is taken apart into bits.
    pub(super) apart: &'a Apart,
    /// The wires of elements, in the order in which they were made; nothing for one that was taken apart.
    pub(super) element_wires: Vec<Option<SignalId>>,
    pub(super) values: Values,
    /// The condition under which the current statement is executed.
    pub(super) path: ExprId,
    /// The scope of the current process.
    pub(super) scope: ScopeRef,
    /// What is executed: decides what time means.
    pub(super) context: Context,
    /// The condition under which an edge is a tick, in assertions.
    pub(super) gate: Option<ExprId>,
    /// The value that an assignment with an operator changes.
    pub(super) target: Option<ExprId>,
    /// The value that comes out of a port.
    pub(super) incoming: Option<ExprId>,
    /// The bits that the current process has assigned, by symbol.
    pub(super) assigned: FxHashMap<Slot, Vec<(u32, u32)>>,
    /// The assignments of the current process, by symbol: parts of registers.
    pub(super) parts: FxHashMap<SymbolRef, Vec<ElementId>>,
    /// Whether the head of a loop is executed: what it assigns counts rounds, and is no element.
    pub(super) is_counting: bool,
    /// How many routines are being executed.
    pub(super) depth: u32,
    /// How much was done, for the budget.
    pub(super) work: usize,
    pub(super) assertions: Vec<super::assertion::Assertion>,
    /// When elements are executed, and at the edges of which clock.
    pub(super) executions: Vec<(Execution, Option<super::clock::ClockId>)>,
    /// Where that is which drives signals now.
    pub(super) here: Option<At>,
    /// Where what drives a variable is, of several the first.
    pub(super) drivers: FxHashMap<SymbolRef, At>,
    /// What a process with a list of signals reads of outside.
    pub(super) sensed: Option<BTreeSet<SymbolRef>>,
    /// The lists of signals about which something was said.
    pub(super) warned: FxHashSet<At>,
    /// Where assertions were executed.
    pub(super) executed: FxHashSet<At>,
    /// What local variables are before they are assigned.
    pub(super) undefined: FxHashMap<SymbolRef, ExprId>,
    /// Values in the step before, by value.
    pub(super) delays: FxHashMap<ExprId, ExprId>,
    /// States that remember a value, which they have before there was any tick, too: see `before`.
    pub(super) first_values: Vec<(SignalId, ExprId)>,
    /// What variables are by their declarations or types, before anything is executed.
    pub(super) declared: FxHashMap<SymbolRef, ExprId>,
    /// What processes have written to memories so far.
    pub(super) memories: FxHashMap<SymbolRef, ExprId>,
    /// The variable that gets the result of the current routine.
    pub(super) result: Option<SymbolRef>,
    /// The blocks around what is executed that may be left by their names, in the current routine.
    pub(super) open_blocks: Vec<u32>,
    /// What is declared in routines.
    pub(super) routine_locals: FxHashSet<SymbolRef>,
    pub(super) first_step: Option<ExprId>,
    pub(super) clocking: super::clock::Clocking,
    pub(super) scopes: FxHashMap<ScopeRef, Scope>,
    pub(super) warnings: Vec<Diagnostic>,
    /// Assertions that cannot be read, from an earlier attempt.
    pub(super) left_out: &'a LeftOut,
    /// Those that were found in this one.
    pub(super) newly_left_out: LeftOut,
    /// What was left out.
    pub(super) unread: Vec<Unread>,
}

/// What time means in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// Before the first step.
    Start,
    /// In each step.
    Each,
    /// At an edge.
    Edge(super::clock::ClockId),
}

impl Machine<'_> {
    pub(super) fn error<T>(&self, at: At, message: impl Into<String>) -> Result<T, InputError> {
        Err(self.places.error(at, message))
    }

    /// An error when the budget is used up; called for each statement and expression.
    pub(super) fn go_on(&mut self) -> Result<(), InputError> {
        self.work += 1;
        self.input.go_on(self.work)
    }

    // Words, shorter to write.

    pub(super) fn width(&self, expr: ExprId) -> u32 {
        fold::width(&self.system.exprs, expr)
    }

    pub(super) fn constant(&self, expr: ExprId) -> Option<&Bits> {
        fold::constant(&self.system.exprs, expr)
    }

    pub(super) fn bits(&mut self, width: u32, value: u64) -> ExprId {
        self.system.exprs.bits(width, value)
    }

    pub(super) fn bool(&mut self, value: bool) -> ExprId {
        self.system.exprs.bool(value)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        self.fold.unary(&mut self.system.exprs, op, a)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.fold.binary(&mut self.system.exprs, op, a, b)
    }

    pub(super) fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        self.fold.ite(&mut self.system.exprs, condition, then, otherwise)
    }

    pub(super) fn slice(&mut self, a: ExprId, low: u32, width: u32) -> ExprId {
        self.fold.slice(&mut self.system.exprs, a, low + width - 1, low)
    }

    pub(super) fn concat(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.fold.concat(&mut self.system.exprs, a, b)
    }

    pub(super) fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnaryOp::Not, a)
    }

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::And, a, b)
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Or, a, b)
    }

    pub(super) fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// The word with so many bits: cut off in front, or extended.
    pub(super) fn resized(&mut self, a: ExprId, width: u32, signed: bool) -> ExprId {
        let has = self.width(a);
        if width <= has {
            return self.slice(a, 0, width);
        }
        let op = if signed { UnaryOp::SignExtend(width - has) } else { UnaryOp::ZeroExtend(width - has) };
        self.unary(op, a)
    }

    /// Whether a word is not zero.
    pub(super) fn truth(&mut self, a: ExprId) -> ExprId {
        if self.width(a) == 1 { a } else { self.unary(UnaryOp::ReduceOr, a) }
    }

    /// A Boolean as one that is certain, if it is.
    pub(super) fn certain(&self, condition: ExprId) -> Option<bool> {
        self.constant(condition).map(Bits::is_nonzero)
    }

    // Names.

    /// A name in the current scope, as the user would write it from the top.
    pub(super) fn local_name(&self, name: &str) -> String {
        qualified(self.export, self.scope, name)
    }

    /// A name with the place where it is.
    pub(super) fn placed_name(&self, name: &str, at: At) -> String {
        let (line, column) = self.places.start(at);
        self.local_name(&format!("{name}@{line}:{column}"))
    }

    /// The scope as reports have it.
    pub(super) fn report_scope(&mut self, scope: ScopeRef) -> Scope {
        if let Some(known) = self.scopes.get(&scope) {
            return known.clone();
        }
        let words = words(&self.export.scopes[scope.index()]);
        let path = words.into_iter().skip(1).fold(Scope::TOP, |scope, name| scope.child(name));
        self.scopes.insert(scope, path.clone());
        path
    }

    // Values that nobody has given.

    /// Any value in each step.
    pub(super) fn fresh(&mut self, width: u32, name: String) -> ExprId {
        let input = self.system.add_input(name, Sort::BitVec(width));
        self.system.set_origin(input, Origin::Choice);
        self.system.read(input)
    }

    /// Any value, for what is undefined at a place.
    pub(super) fn undefined_at(&mut self, width: u32, at: At) -> ExprId {
        let name = self.placed_name("undefined", at);
        self.fresh(width, name)
    }

    /// What an automatic variable of a 2-state type is whenever its block or routine begins.
    pub(super) fn zero_at_entry(&mut self, symbol: SymbolRef) -> Option<ExprId> {
        let (known, ty) = (self.export.symbol(symbol), self.export.symbol_type(symbol));
        let is_zero = known.automatic && ty.start == Start::Zero && (1..=MAX_BITS).contains(&ty.width);
        is_zero.then(|| self.bits(ty.width, 0))
    }

    /// What a local variable is before it is assigned.
    pub(super) fn undefined(&mut self, symbol: SymbolRef) -> ExprId {
        if let Some(known) = self.undefined.get(&symbol) {
            return *known;
        }
        let known = self.export.symbol(symbol);
        let (width, name) = (self.export.symbol_type(symbol).width, format!("{}.undefined", known.name));
        let value = self.fresh(width, qualified(self.export, known.scope, &name));
        self.undefined.insert(symbol, value);
        value
    }

    // Elements.

    /// Makes a value an element: a wire of its own, which is what is mutated. Nothing for a word that was taken apart: its bits are elements.
    pub(super) fn element(
        &mut self,
        kind: ElementKind,
        name: String,
        at: At,
        value: ExprId,
    ) -> (ExprId, Option<ElementId>) {
        if self.apart.elements.contains(&self.element_wires.len()) && self.width(value) > 1 {
            self.element_wires.push(None);
            return (self.element_bits(kind, &name, at, value), None);
        }
        let (wire, element) = self.element_wire(kind, name, at, value);
        self.element_wires.push(Some(wire));
        (self.system.read(wire), Some(element))
    }

    fn element_wire(
        &mut self,
        kind: ElementKind,
        name: String,
        at: At,
        value: ExprId,
    ) -> (SignalId, ElementId) {
        let wire = self.system.add_wire(name, value);
        self.system.set_origin(wire, Origin::Helper);
        if let Some(known) = self.fold.known(&self.system.exprs, value) {
            self.fold.learn(wire, known);
        }
        let name = self.system.signal(wire).name.clone();
        let element = self.system.add_element(name, kind, Site::Wire(wire), Some(self.places.span(at)));
        let scope = self.report_scope(self.scope);
        self.system.set_scope(element, scope);
        if matches!(kind, ElementKind::Assignment | ElementKind::Operator) {
            self.note_execution(element, Way::Executed, self.path);
        }
        (wire, element)
    }

    /// A word whose bits are elements.
    fn element_bits(&mut self, kind: ElementKind, name: &str, at: At, value: ExprId) -> ExprId {
        let scope = self.report_scope(self.scope);
        let whole = self.system.add_whole(Whole {
            name: name.to_owned(),
            kind,
            defines: vec![name.to_owned()],
            scope,
            spans: vec![self.places.span(at)],
            parent: None,
        });
        let mut word = None;
        for position in 0..self.width(value) {
            let bit = self.slice(value, position, 1);
            let (wire, element) = self.element_wire(kind, format!("{name}[{position}]"), at, bit);
            self.system.set_parent(element, Parent::Whole(whole));
            let bit = self.system.read(wire);
            word = Some(match word {
                None => bit,
                Some(low) => self.concat(bit, low),
            });
        }
        word.unwrap_or(value)
    }

    /// Notes when an element is executed.
    pub(super) fn note_execution(&mut self, element: ElementId, way: Way, condition: ExprId) {
        let clock = match self.context {
            Context::Edge(clock) => Some(clock),
            Context::Start | Context::Each => None,
        };
        self.executions.push((Execution { element, way, condition, edge: None }, clock));
    }

    /// Whether what is executed now has elements: neither values to start with nor the heads of loops have.
    pub(super) fn has_elements(&self) -> bool {
        self.context != Context::Start && !self.is_counting
    }

    /// The condition of a branch as an element. What is always the same is none: parameters decide it.
    pub(super) fn branch_element(&mut self, word: &str, at: At, condition: ExprId) -> ExprId {
        if matches!(self.system.exprs.node(condition), Node::Const(_)) || !self.has_elements() {
            return condition;
        }
        let name = self.placed_name(word, at);
        let (condition, element) = self.element(ElementKind::Branch, name, at, condition);
        let Some(element) = element else { return condition };
        let taken = self.and(self.path, condition);
        let contrary = self.not(condition);
        let not_taken = self.and(self.path, contrary);
        self.note_execution(element, Way::True, taken);
        self.note_execution(element, Way::False, not_taken);
        condition
    }

    /// The condition of an item of a `case` as an element. It is chosen if none before it is: `open` says that, and then that it is not chosen either.
    pub(super) fn item_element(&mut self, at: At, condition: ExprId, open: &mut ExprId) -> ExprId {
        let mut condition = condition;
        if !matches!(self.system.exprs.node(condition), Node::Const(_)) && self.has_elements() {
            let name = self.placed_name("case", at);
            let (element_value, element) = self.element(ElementKind::Branch, name, at, condition);
            condition = element_value;
            let chosen = self.and(*open, condition);
            if let Some(element) = element {
                self.note_execution(element, Way::Chosen, chosen);
            }
        }
        let contrary = self.not(condition);
        *open = self.and(*open, contrary);
        condition
    }

    /// Executes one of two things, and merges what they have changed.
    pub(super) fn choose<T>(
        &mut self,
        condition: ExprId,
        then: impl FnOnce(&mut Self) -> Result<T, InputError>,
        otherwise: impl FnOnce(&mut Self) -> Result<T, InputError>,
    ) -> Result<Chosen<T>, InputError> {
        match self.certain(condition) {
            Some(true) => return then(self).map(Chosen::One),
            Some(false) => return otherwise(self).map(Chosen::One),
            None => {}
        }
        let path = self.path;
        let mark = self.values.mark();
        self.path = self.and(path, condition);
        let first = then(self)?;
        let after_first = self.values.undo(mark);
        let contrary = self.not(condition);
        self.path = self.and(path, contrary);
        let second = otherwise(self)?;
        let after_second = self.values.undo(mark);
        self.path = path;
        self.merge(condition, &after_first, &after_second)?;
        Ok(Chosen::Both(first, second))
    }

    fn merge(
        &mut self,
        condition: ExprId,
        first: &FxHashMap<Slot, Option<ExprId>>,
        second: &FxHashMap<Slot, Option<ExprId>>,
    ) -> Result<(), InputError> {
        let mut slots: Vec<Slot> = first.keys().chain(second.keys()).copied().collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let sides = [first.get(&slot).copied(), second.get(&slot).copied()];
            let before = self.values.get(slot);
            let sides = sides.map(|side| side.unwrap_or(before));
            let merged = match sides {
                [None, None] => None,
                [then, otherwise] => {
                    let then = self.or_before(then, slot)?;
                    let otherwise = self.or_before(otherwise, slot)?;
                    Some(self.ite(condition, then, otherwise))
                }
            };
            self.values.set(slot, merged);
        }
        Ok(())
    }

    pub(super) fn or_before(&mut self, value: Option<ExprId>, slot: Slot) -> Result<ExprId, InputError> {
        match (value, slot) {
            (Some(value), _) => Ok(value),
            (None, Slot::Now(symbol)) => self.outside(symbol),
            (None, Slot::Later(symbol)) => self.later(symbol),
            (None, Slot::Mask(symbol)) => Ok(self.bits(self.export.symbol_type(symbol).width, 0)),
        }
    }

    /// Without a non-blocking assignment a variable keeps what it had when the process began. A memory may have been written by other processes.
    pub(super) fn later(&mut self, symbol: SymbolRef) -> Result<ExprId, InputError> {
        match self.memories.get(&symbol) {
            Some(written) => Ok(*written),
            None => self.outside(symbol),
        }
    }

    /// The value of a variable now.
    pub(super) fn read(&mut self, symbol: SymbolRef) -> Result<ExprId, InputError> {
        match self.values.get(Slot::Now(symbol)) {
            Some(value) => Ok(value),
            None => self.outside(symbol),
        }
    }

    /// The value of a variable before the process has assigned it.
    pub(super) fn outside(&mut self, symbol: SymbolRef) -> Result<ExprId, InputError> {
        self.check_size(symbol)?;
        if let Some(sensed) = &mut self.sensed {
            sensed.insert(symbol);
        }
        let is_memory = matches!(self.variables[symbol.index()], Variable::Memory(_));
        match () {
            () if self.scan.facts(symbol).is_local => Ok(self.undefined(symbol)),
            () if is_memory && self.context == Context::Start => Ok(self.unwritten(symbol)),
            () => self.signal_value(symbol),
        }
    }

    /// Gives a variable a value, which has to fit it.
    pub(super) fn set_local(
        &mut self,
        symbol: SymbolRef,
        value: Option<ExprId>,
        at: At,
    ) -> Result<(), InputError> {
        let width = self.export.symbol_type(symbol).width;
        if value.is_some_and(|value| self.width(value) != width) {
            return self.error(at, format!("a value that does not fit {}", self.export.symbol(symbol).name));
        }
        self.values.set(Slot::Now(symbol), value);
        Ok(())
    }

    /// What is in a memory before anything was written to it: anything.
    fn unwritten(&mut self, symbol: SymbolRef) -> ExprId {
        let name = format!("{}.start", self.symbol_name(symbol));
        if let Some(state) = self.system.signal_named(&name) {
            return self.system.read(state);
        }
        let sort = match &self.variables[symbol.index()] {
            Variable::Memory(memory) => memory.sort(),
            Variable::Word(_) => Sort::BOOL,
        };
        let state = self.system.add_state(name, sort);
        self.system.set_origin(state, Origin::Helper);
        self.system.read(state)
    }

    /// The value of an expression that is certain, also through elements.
    pub(super) fn known(&self, expr: ExprId) -> Option<Value> {
        self.fold.known(&self.system.exprs, expr)
    }
}

/// What came of a choice.
#[derive(Clone, Copy)]
pub(super) enum Chosen<T> {
    /// Only one side was possible.
    One(T),
    /// Both sides were.
    Both(T, T),
}

/// A name of a scope, without the top module.
pub(super) fn qualified(export: &Export, scope: ScopeRef, name: &str) -> String {
    let words = words(&export.scopes[scope.index()]);
    let outer: Vec<&str> = words.into_iter().skip(1).filter(|word| !word.is_empty()).collect();
    if outer.is_empty() { name.to_owned() } else { format!("{}.{name}", outer.join(".")) }
}

/// The names of a path. An escaped name may have dots, and ends with a space.
pub(super) fn words(path: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), path);
    loop {
        let end = match rest.strip_prefix('\\') {
            Some(escaped) => escaped.find(' ').map(|space| space + 2),
            None => rest.find('.'),
        };
        match end.filter(|end| rest.as_bytes().get(*end) == Some(&b'.')) {
            Some(end) => {
                words.push(&rest[..end]);
                rest = &rest[end + 1..];
            }
            None => {
                words.push(rest);
                return words;
            }
        }
    }
}
