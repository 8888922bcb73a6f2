//! From the records of the exporter to sequences and properties.
//!
//! slang does not tell sequences and properties apart, and expands what has a name where it is used. What is left to do: which clock, which Booleans
//! (one number for each different value), and which of the two an operator is about.

use super::super::clock::ClockId;
use super::super::export::Export;
use super::super::machine::{Context, Machine};
use super::super::record::{
    At, EventKind, EventRef, ExprKind, ExprRef, PropertyKind, PropertyRef, Repetition, RepetitionKind,
    StmtKind, SymbolRef,
};
use super::locals::Binding;
use super::syntax::{Abort, Atom, Boolean, PieceId, Property, Sequence, Times, Until};
use super::{Problem, limits};
use crate::InputError;
use propcov_ir::{ExprId, Node, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// When an assertion has a tick: at an edge, or in each step as Yosys has it without a clock; if a condition holds.
pub(in super::super) type Tick = (Option<ClockId>, Option<ExprId>);

/// A concurrent assertion as it is written.
#[derive(Clone, Debug)]
pub(in super::super) struct Concurrent {
    pub(in super::super) property: Property,
    /// The condition of `disable iff`.
    pub(in super::super) disabled: Option<Boolean>,
    pub(in super::super) tick: Tick,
    /// What atoms stand for.
    pub(in super::super) atoms: Vec<ExprId>,
    /// What pieces stand for: their places, and their texts if these come from macros.
    pub(in super::super) pieces: Vec<(At, Option<String>)>,
}

/// All events that are clocks of assertions, but for those of these properties.
pub(in super::super) fn clocks(export: &Export, except: &FxHashSet<PropertyRef>) -> Vec<EventRef> {
    let mut all = Vec::new();
    for (position, property) in (0..).map(PropertyRef).zip(&export.properties) {
        if let PropertyKind::Clocked(event, _) = property.what
            && !except.contains(&position)
        {
            all.push(event);
        }
    }
    for stmt in &export.stmts {
        if let StmtKind::Concurrent(_, property, Some(default), _) = stmt.what
            && own_clock(export, property).is_none()
            && !except.contains(&property)
        {
            all.push(default);
        }
    }
    all
}

/// Whether a property is a Boolean, which says nothing about time.
fn is_boolean(export: &Export, property: PropertyRef) -> bool {
    match &export.property(property).what {
        PropertyKind::Simple(expr, None) => match export.expr(*expr).what {
            ExprKind::Property(inner, _) => is_boolean(export, inner),
            _ => true,
        },
        _ => false,
    }
}

/// The clock that a property begins with, if it says so itself.
fn own_clock(export: &Export, property: PropertyRef) -> Option<EventRef> {
    match &export.property(property).what {
        PropertyKind::Clocked(event, _) => Some(*event),
        PropertyKind::Simple(expr, _) => match export.expr(*expr).what {
            ExprKind::Property(inner, _) => own_clock(export, inner),
            _ => None,
        },
        PropertyKind::Concat(parts) => parts.first().and_then(|(_, _, first)| own_clock(export, *first)),
        PropertyKind::Matched(inner, ..)
        | PropertyKind::FirstMatch(inner, _)
        | PropertyKind::Unary(_, _, inner)
        | PropertyKind::Binary(_, inner, _)
        | PropertyKind::Strength(_, inner)
        | PropertyKind::Abort(_, _, inner)
        | PropertyKind::If(_, inner, _)
        | PropertyKind::DisableIff(_, inner) => own_clock(export, *inner),
        PropertyKind::Case(_, items, _) => items.first().and_then(|(_, first)| own_clock(export, *first)),
        PropertyKind::Other(_) => None,
    }
}

impl Machine<'_> {
    /// A concurrent assertion, with the default clock and the default condition that disables it.
    pub(in super::super) fn read_concurrent(
        &mut self,
        property: PropertyRef,
        (default_clock, default_disable): (Option<EventRef>, Option<ExprRef>),
        binding: Binding,
        at: At,
    ) -> Result<Concurrent, InputError> {
        let export = self.export;
        let tick = match (own_clock(export, property), self.context) {
            (Some(event), Context::Edge(here)) => {
                let tick = self.tick(event)?;
                // What is executed under a condition would have to wait for a tick of its own.
                let is_same =
                    tick.0 == Some(here) && (tick.1.is_none() || self.certain(self.path) == Some(true));
                if !is_same {
                    let at = export.event(event).at;
                    return self.error(at, "a clock other than that of the process around is not supported");
                }
                tick
            }
            (Some(event), _) => self.tick(event)?,
            // Of a process with `iff`, not every edge is a tick.
            (None, Context::Edge(clock)) => (Some(clock), self.gate),
            (None, _) => match default_clock {
                Some(event) => self.tick(event)?,
                // Yosys has a Boolean without a clock hold in each step.
                None if is_boolean(export, property) => (None, None),
                None => {
                    let at = export.property(property).at.unwrap_or(at);
                    return self.error(
                        at,
                        "this assertion has no clock: write one, as in `@(posedge clk)`, or a `default clocking`",
                    );
                }
            },
        };
        let outer = self.enter(tick);
        let read = self.read_in(property, default_disable, (tick, binding), at);
        self.leave(outer);
        read
    }

    fn read_in(
        &mut self,
        property: PropertyRef,
        default_disable: Option<ExprRef>,
        (tick, binding): (Tick, Binding),
        at: At,
    ) -> Result<Concurrent, InputError> {
        let mut reader = Reader::new(self, tick, at, binding);
        let (inner, own_disable) = reader.peeled(property)?;
        let disabled =
            own_disable.or(default_disable).map(|condition| reader.boolean(condition)).transpose()?;
        let property = reader.property(inner)?;
        let Reader { atoms, pieces, .. } = reader;
        Ok(Concurrent { property, disabled, tick, atoms, pieces })
    }

    /// When an event is a tick.
    fn tick(&mut self, event: EventRef) -> Result<Tick, InputError> {
        match self.export.event(event).what {
            EventKind::Signal(edge, signal, gate) => {
                let clock = Some(self.clock(edge, signal)?);
                let outer = self.enter((clock, None));
                let gate = gate.map(|gate| self.condition(gate)).transpose();
                self.leave(outer);
                Ok((clock, gate?))
            }
            _ => self.error(self.export.event(event).at, "expected one edge of one signal"),
        }
    }

    fn enter(&mut self, (clock, gate): Tick) -> (Context, Option<ExprId>) {
        let outer = (self.context, self.gate);
        self.context = clock.map_or(Context::Each, Context::Edge);
        self.gate = gate;
        outer
    }

    fn leave(&mut self, (context, gate): (Context, Option<ExprId>)) {
        self.context = context;
        self.gate = gate;
    }

    /// The sequence that a method is asked of, with what its atoms stand for.
    pub(in super::super) fn read_sequence(
        &mut self,
        sequence: PropertyRef,
        at: At,
    ) -> Result<(Sequence, Vec<ExprId>), InputError> {
        let clock = match self.context {
            Context::Edge(clock) => Some(clock),
            Context::Start | Context::Each => None,
        };
        let tick = (clock, self.gate);
        let mut reader = Reader::new(self, tick, at, Binding::Never);
        let sequence = reader.sequence(sequence)?;
        Ok((sequence, reader.atoms))
    }
}

pub(super) struct Reader<'m, 'a> {
    pub(super) machine: &'m mut Machine<'a>,
    tick: Tick,
    pub(super) at: At,
    atoms: Vec<ExprId>,
    ids: FxHashMap<ExprId, Atom>,
    pieces: Vec<(At, Option<String>)>,
    /// How many parts were read.
    parts: usize,
    /// Where local variables may be assigned.
    pub(super) binding: Binding,
    /// Whether they may be assigned anywhere.
    pub(super) has_locals: bool,
    /// Local variables that are declared.
    pub(super) declared: Vec<SymbolRef>,
    /// Those that were assigned anywhere.
    pub(super) assigned: Vec<SymbolRef>,
    /// Those that have a value here.
    pub(super) valued: Vec<SymbolRef>,
}

impl<'m, 'a> Reader<'m, 'a> {
    fn new(machine: &'m mut Machine<'a>, tick: Tick, at: At, binding: Binding) -> Reader<'m, 'a> {
        let (atoms, ids, pieces) = (Vec::new(), FxHashMap::default(), Vec::new());
        let (declared, assigned, valued) = (Vec::new(), Vec::new(), Vec::new());
        let has_locals = binding != Binding::Never;
        Reader {
            machine,
            tick,
            at,
            atoms,
            ids,
            pieces,
            parts: 0,
            binding,
            has_locals,
            declared,
            assigned,
            valued,
        }
    }
}

impl Reader<'_, '_> {
    pub(super) fn error<T>(
        &self,
        property: PropertyRef,
        message: impl Into<String>,
    ) -> Result<T, InputError> {
        let at = self.machine.export.property(property).at.unwrap_or(self.at);
        self.machine.error(at, message)
    }

    /// Counts a part of the property.
    fn count(&mut self, property: PropertyRef) -> Result<(), InputError> {
        self.machine.go_on()?;
        self.parts += 1;
        if self.parts > limits::PARTS {
            return self.error(property, Problem::States.to_string());
        }
        Ok(())
    }

    fn piece(&mut self, property: PropertyRef) -> Option<PieceId> {
        let known = self.machine.export.property(property);
        self.pieces.push((known.at?, known.text.clone()));
        Some(PieceId(self.pieces.len() as u32 - 1))
    }

    /// The property without its clock and the condition that disables it, through names.
    fn peeled(&mut self, property: PropertyRef) -> Result<(PropertyRef, Option<ExprRef>), InputError> {
        let (mut inner, mut disable) = (property, None);
        loop {
            match &self.machine.export.property(inner).what {
                PropertyKind::Clocked(event, property) => {
                    self.same_clock(*event)?;
                    inner = *property;
                }
                PropertyKind::DisableIff(condition, property) => {
                    disable = disable.or(Some(*condition));
                    inner = *property;
                }
                PropertyKind::Simple(expr, None) => match &self.machine.export.expr(*expr).what {
                    ExprKind::Property(property, variables) => {
                        self.declare(variables)?;
                        inner = *property;
                    }
                    _ => return Ok((inner, disable)),
                },
                _ => return Ok((inner, disable)),
            }
        }
    }

    fn same_clock(&mut self, event: EventRef) -> Result<(), InputError> {
        if self.machine.tick(event)? == self.tick {
            return Ok(());
        }
        let at = self.machine.export.event(event).at;
        self.machine.error(at, "several clocks in one property are not supported")
    }

    /// A condition as a Boolean of its own; a negation is that of the same one.
    fn boolean(&mut self, expr: ExprRef) -> Result<Boolean, InputError> {
        self.check_values(expr)?;
        let value = self.machine.condition(expr)?;
        Ok(self.atom(value))
    }

    pub(super) fn atom(&mut self, value: ExprId) -> Boolean {
        if let Some(value) = self.machine.known(value) {
            return Boolean::Const(value == propcov_ir::Value::bool(true));
        }
        let (value, positive) = match *self.machine.system.exprs.node(value) {
            Node::Unary(UnaryOp::Not, inner) => (inner, false),
            _ => (value, true),
        };
        let next = Atom(self.atoms.len() as u32);
        let atom = *self.ids.entry(value).or_insert(next);
        if atom == next {
            self.atoms.push(value);
        }
        Boolean::Is(atom, positive)
    }

    /// Whether a node is a sequence; a Boolean is one.
    fn is_sequence(&self, property: PropertyRef) -> bool {
        let export = self.machine.export;
        match &export.property(property).what {
            PropertyKind::Simple(expr, _) => match export.expr(*expr).what {
                ExprKind::Property(inner, _) => self.is_sequence(inner),
                _ => true,
            },
            PropertyKind::Concat(_) | PropertyKind::Matched(..) | PropertyKind::FirstMatch(..) => true,
            PropertyKind::Binary(operator, left, right) => match operator.as_str() {
                "And" | "Or" | "Intersect" | "Within" | "Throughout" => {
                    self.is_sequence(*left) && self.is_sequence(*right)
                }
                _ => false,
            },
            PropertyKind::Clocked(_, inner) => self.is_sequence(*inner),
            _ => false,
        }
    }

    fn sequence(&mut self, property: PropertyRef) -> Result<Sequence, InputError> {
        self.count(property)?;
        let piece = self.piece(property);
        let sequence = self.bare_sequence(property)?;
        Ok(match piece {
            Some(piece) => Sequence::At(piece, Box::new(sequence)),
            None => sequence,
        })
    }

    fn bare_sequence(&mut self, property: PropertyRef) -> Result<Sequence, InputError> {
        let export = self.machine.export;
        match &export.property(property).what {
            PropertyKind::Simple(expr, repetition) => {
                let before = self.assigned.len();
                let inner = match &export.expr(*expr).what {
                    ExprKind::Property(inner, variables) => {
                        self.declare(variables)?;
                        self.sequence(*inner)?
                    }
                    _ => Sequence::Is(self.boolean(*expr)?),
                };
                if repetition.is_some() {
                    self.none_assigned_since(before, property, "where something is repeated")?;
                }
                self.repeated(property, inner, *repetition)
            }
            PropertyKind::Concat(parts) => {
                let mut whole: Option<Sequence> = None;
                for (min, max, part) in parts {
                    let part = self.sequence(*part)?;
                    let times = Times::new(*min, *max);
                    whole = Some(match whole {
                        None if times == Times::exactly(0) => part,
                        left => Sequence::Delay(left.map(Box::new), times, Box::new(part)),
                    });
                }
                match whole {
                    Some(whole) => Ok(whole),
                    None => self.error(property, "expected a sequence"),
                }
            }
            PropertyKind::Matched(inner, repetition, items) => {
                let before = self.assigned.len();
                let inner = self.sequence(*inner)?;
                let inner = self.with_assignments(inner, items)?;
                if repetition.is_some() {
                    self.none_assigned_since(before, property, "where something is repeated")?;
                }
                self.repeated(property, inner, *repetition)
            }
            PropertyKind::FirstMatch(inner, items) => {
                let before = self.assigned.len();
                let inner = Sequence::FirstMatch(Box::new(self.sequence(*inner)?));
                self.none_assigned_since(before, property, "in first_match")?;
                self.with_assignments(inner, items)
            }
            PropertyKind::Binary(operator, left, right) => {
                self.sequence_pair(property, operator, *left, *right)
            }
            PropertyKind::Clocked(event, inner) => {
                self.same_clock(*event)?;
                self.bare_sequence(*inner)
            }
            _ => self.error(property, "expected a sequence"),
        }
    }

    fn sequence_pair(
        &mut self,
        property: PropertyRef,
        operator: &str,
        left: PropertyRef,
        right: PropertyRef,
    ) -> Result<Sequence, InputError> {
        // Each has the values from before; after one of two, only these are certain.
        let before = self.valued.clone();
        let first = self.sequence(left)?;
        let by_first = std::mem::replace(&mut self.valued, before.clone());
        let second = Box::new(self.sequence(right)?);
        match operator {
            "Or" => self.valued = before,
            _ => self.valued.extend(by_first),
        }
        Ok(match operator {
            "And" => Sequence::And(Box::new(first), second),
            "Or" => Sequence::Or(Box::new(first), second),
            "Intersect" => Sequence::Intersect(Box::new(first), second),
            "Within" => Sequence::Within(Box::new(first), second),
            "Throughout" => match only_boolean(&first) {
                Some(boolean) => Sequence::Throughout(boolean, second),
                None => return self.error(left, "expected a Boolean"),
            },
            other => return self.error(property, format!("{other} is no operator of sequences")),
        })
    }

    fn repeated(
        &self,
        property: PropertyRef,
        inner: Sequence,
        repetition: Option<Repetition>,
    ) -> Result<Sequence, InputError> {
        let Some(Repetition(kind, min, max)) = repetition else { return Ok(inner) };
        let times = Times::new(min, max);
        match (kind, only_boolean(&inner)) {
            (RepetitionKind::Consecutive, _) => Ok(Sequence::Repeat(Box::new(inner), times)),
            (RepetitionKind::GoTo, Some(boolean)) => Ok(Sequence::Goto(boolean, times)),
            (RepetitionKind::Nonconsecutive, Some(boolean)) => Ok(Sequence::Nonconsecutive(boolean, times)),
            (_, None) => self.error(property, "expected a Boolean"),
        }
    }

    fn boxed(&mut self, property: PropertyRef) -> Result<Box<Property>, InputError> {
        Ok(Box::new(self.property(property)?))
    }

    fn property(&mut self, property: PropertyRef) -> Result<Property, InputError> {
        self.count(property)?;
        if self.is_sequence(property) {
            return Ok(Property::Sequence(self.sequence(property)?));
        }
        let piece = self.piece(property);
        let inner = self.bare_property(property)?;
        Ok(match piece {
            Some(piece) => Property::At(piece, Box::new(inner)),
            None => inner,
        })
    }

    fn bare_property(&mut self, property: PropertyRef) -> Result<Property, InputError> {
        let export = self.machine.export;
        let (outer, valued) = (self.binding, self.valued.clone());
        self.binding = outer.inside(&export.property(property).what);
        let read = self.property_in(property);
        (self.binding, self.valued) = (outer, valued);
        read
    }

    fn property_in(&mut self, property: PropertyRef) -> Result<Property, InputError> {
        let export = self.machine.export;
        Ok(match &export.property(property).what {
            PropertyKind::Simple(expr, _) => match &export.expr(*expr).what {
                ExprKind::Property(inner, variables) => {
                    self.declare(variables)?;
                    self.property(*inner)?
                }
                _ => return self.error(property, "expected a property"),
            },
            PropertyKind::Clocked(event, inner) => {
                self.same_clock(*event)?;
                self.property(*inner)?
            }
            PropertyKind::Unary(operator, ticks, inner) => self.unary(property, operator, *ticks, *inner)?,
            PropertyKind::Binary(operator, left, right) => self.pair(property, operator, *left, *right)?,
            PropertyKind::Strength(strong, inner) => Property::Strength(*strong, self.sequence(*inner)?),
            PropertyKind::Abort(accepts, condition, inner) => {
                let abort = if *accepts { Abort::Accept } else { Abort::Reject };
                Property::Abort(abort, self.boolean(*condition)?, self.boxed(*inner)?)
            }
            PropertyKind::If(condition, then, otherwise) => {
                let (at, text) = self.text(*condition);
                let condition = self.boolean(*condition)?;
                let then = self.branch(*then, at, text.clone())?;
                let otherwise = otherwise.map(|otherwise| self.branch(otherwise, at, format!("!({text})")));
                Property::If(condition, Box::new(then), otherwise.transpose()?.map(Box::new))
            }
            PropertyKind::Case(subject, items, default) => self.case(*subject, items, *default)?,
            PropertyKind::DisableIff(..) => {
                return self.error(property, "disable iff inside of a property is not supported");
            }
            PropertyKind::Other(what) => return self.error(property, format!("{what} is not supported")),
            PropertyKind::Concat(_) | PropertyKind::Matched(..) | PropertyKind::FirstMatch(..) => {
                Property::Sequence(self.sequence(property)?)
            }
        })
    }

    /// What holds under a condition begins with the text of the condition.
    fn branch(&mut self, property: PropertyRef, at: At, text: String) -> Result<Property, InputError> {
        let inner = self.property(property)?;
        self.pieces.push((at, Some(text)));
        Ok(Property::At(PieceId(self.pieces.len() as u32 - 1), Box::new(inner)))
    }

    /// Where an expression is written, and its text.
    fn text(&self, expr: ExprRef) -> (At, String) {
        let at = self.machine.export.expr(expr).at;
        (at, super::watched::bare(&self.machine.places.text(at)).to_owned())
    }

    fn unary(
        &mut self,
        property: PropertyRef,
        operator: &str,
        ticks: Option<(u32, Option<u32>)>,
        inner: PropertyRef,
    ) -> Result<Property, InputError> {
        let most = ticks.map_or(0, |(min, max)| max.unwrap_or(min));
        if most > limits::TICKS {
            return self.error(
                property,
                format!(
                    "more than {} ticks of nexttime, always or eventually are not supported",
                    limits::TICKS
                ),
            );
        }
        let inner = self.boxed(inner)?;
        let times = ticks.map_or(Times::new(0, None), |(min, max)| Times::new(min, max));
        Ok(match operator {
            "Not" => Property::Not(inner),
            "NextTime" | "SNextTime" => Property::Next(ticks.map_or(1, |(min, _)| min), inner),
            "Always" | "SAlways" => Property::Always(times, inner),
            "Eventually" | "SEventually" => Property::Eventually(times, inner),
            other => return self.error(property, format!("{other} is not supported")),
        })
    }

    fn pair(
        &mut self,
        property: PropertyRef,
        operator: &str,
        left: PropertyRef,
        right: PropertyRef,
    ) -> Result<Property, InputError> {
        let implication = match operator {
            "OverlappedImplication" | "OverlappedFollowedBy" => Some(false),
            "NonOverlappedImplication" | "NonOverlappedFollowedBy" => Some(true),
            _ => None,
        };
        if let Some(is_later) = implication {
            let is_antecedent = operator.ends_with("Implication");
            let outer = self.binding;
            self.binding = outer.before(is_antecedent);
            let sequence = self.sequence(left)?;
            self.binding = outer;
            let after = self.boxed(right)?;
            return Ok(if is_antecedent {
                Property::Suffix(sequence, is_later, after)
            } else {
                Property::FollowedBy(sequence, is_later, after)
            });
        }
        let (left, right) = (self.boxed(left)?, self.boxed(right)?);
        let until = |strong, with| Until { strong, with };
        Ok(match operator {
            "And" => Property::And(left, right),
            "Or" => Property::Or(left, right),
            "Implies" => Property::Implies(left, right),
            "Iff" => Property::Iff(left, right),
            "Until" => Property::Until(until(false, false), left, right),
            "SUntil" => Property::Until(until(true, false), left, right),
            "UntilWith" => Property::Until(until(false, true), left, right),
            "SUntilWith" => Property::Until(until(true, true), left, right),
            other => return self.error(property, format!("{other} is not supported")),
        })
    }

    fn case(
        &mut self,
        subject: ExprRef,
        items: &[(Vec<ExprRef>, PropertyRef)],
        default: Option<PropertyRef>,
    ) -> Result<Property, InputError> {
        self.check_values(subject)?;
        let value = self.machine.eval(subject)?;
        let mut all = Vec::new();
        for (values, item) in items {
            let mut any = self.machine.bool(false);
            for wanted in values {
                let at = self.machine.export.expr(*wanted).at;
                self.check_values(*wanted)?;
                let wanted = self.machine.eval(*wanted)?;
                if self.machine.width(wanted) != self.machine.width(value) {
                    return self.machine.error(at, "a value of another width");
                }
                let is = self.machine.eq(value, wanted);
                any = self.machine.or(any, is);
            }
            let condition = self.atom(any);
            let texts: Vec<String> = values.iter().map(|value| self.text(*value).1).collect();
            let (at, text) = self.text(subject);
            all.push((condition, self.branch(*item, at, format!("{text} == {}", texts.join(" or ")))?));
        }
        let default = default.map(|default| self.boxed(default)).transpose()?;
        Ok(Property::Case(all, default))
    }
}

/// The Boolean that a sequence is, if it is one.
fn only_boolean(sequence: &Sequence) -> Option<Boolean> {
    match sequence {
        Sequence::Is(boolean) => Some(*boolean),
        Sequence::At(_, inner) => only_boolean(inner),
        _ => None,
    }
}
