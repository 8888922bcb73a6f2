//! Runs that break one definition, made from another one: model rotation.
//!
//! A run to a violation that breaks a single definition says that every core has its element. Mostly the neighbours of that element are needed as well, and nearly the same run says so:
//! what depends on the element takes the values which it has in the run, while the element itself follows its definition again; or what the element depends on is changed at the moments at which the
//! element is broken. No solver is needed to see whether such a run violates the property, and each one that does has neighbours in turn.
//!
//! # References
//! - A. Belov, J. Marques-Silva: Accelerating MUS extraction with recursive model rotation. FMCAD 2011.

use super::AS_WRITTEN;
use crate::limits::Stats;
use propcov_ir::{
    BinaryOp, Bits, ConstraintKind, Edit, Edits, ElementId, ElementSet, ExprId, Frame, Interpreter, Node,
    PropertyId, SignalId, SignalKind, Site, System, Trace, Value, choices_of, evaluate_binary, follow_frames,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many states without an element may lie between neighbours.
const FARTHEST: usize = 2;
/// Attempts that a run from a solver is worth, and each one that succeeds.
const ATTEMPTS: usize = 15;
/// Expressions to evaluate, in all steps of a run, from which on a solver is about as fast as an attempt.
const LARGEST: usize = 20_000;

/// Runs that break one definition, and how to find more of them.
pub(super) struct Rotation<'s> {
    interpreter: Interpreter<'s>,
    property: ExprId,
    /// For each element those that its definition depends on, and how many steps earlier.
    upstream: FxHashMap<ElementId, Vec<(ElementId, usize)>>,
    /// The converse.
    downstream: FxHashMap<ElementId, Vec<ElementId>>,
    /// A run that breaks this element alone.
    runs: FxHashMap<ElementId, Trace>,
}

/// A step in which a definition is broken.
struct Moment {
    step: usize,
    is: Value,
    defined: Value,
}

impl<'s> Rotation<'s> {
    /// Nothing yet. `None` if the property is no invariant.
    pub(super) fn new(
        system: &'s System,
        property: PropertyId,
        universe: &ElementSet,
    ) -> Option<Rotation<'s>> {
        let interpreter = Interpreter::new(system, &AS_WRITTEN).ok()?;
        let property = system.invariant(property)?;
        let mut upstream = FxHashMap::default();
        let mut downstream: FxHashMap<ElementId, Vec<ElementId>> = FxHashMap::default();
        for element in universe.iter() {
            let neighbours = Reading { system, universe }.neighbours(element);
            for (neighbour, _) in &neighbours {
                let back = downstream.entry(*neighbour).or_default();
                if !back.contains(&element) {
                    back.push(element);
                }
            }
            upstream.insert(element, neighbours);
        }
        Some(Rotation { interpreter, property, upstream, downstream, runs: FxHashMap::default() })
    }

    /// A run that breaks one of these elements and nothing else.
    pub(super) fn known(&self, dropped: &ElementSet) -> Option<(ElementId, &Trace)> {
        dropped.iter().find_map(|element| Some((element, self.runs.get(&element)?)))
    }

    /// Takes a run that breaks only this element, and looks for others that break only an element that is `wanted`.
    pub(super) fn turn(&mut self, element: ElementId, trace: &Trace, wanted: &ElementSet, stats: &mut Stats) {
        if self.runs.insert(element, trace.clone()).is_some() {
            return;
        }
        let size = self.interpreter.system().exprs.len() * trace.steps.len();
        let mut open = if size <= LARGEST { vec![element] } else { Vec::new() };
        let mut attempts = ATTEMPTS;
        while let Some(element) = open.pop() {
            for (neighbour, trace) in self.turned(element, wanted, &mut attempts) {
                stats.add("runs turned", 1);
                attempts += ATTEMPTS;
                if self.runs.insert(neighbour, trace).is_none() {
                    open.push(neighbour);
                }
            }
        }
    }

    /// Runs that break a neighbour instead of the element.
    fn turned(
        &self,
        element: ElementId,
        wanted: &ElementSet,
        attempts: &mut usize,
    ) -> Vec<(ElementId, Trace)> {
        let mut found = Vec::new();
        let Some(trace) = self.runs.get(&element) else { return found };
        let system = self.interpreter.system();
        let slice = Edits::one(element, Edit::Free);
        let last = trace.depth();
        let given = choices_of(system, &slice, trace);
        let dropped = ElementSet::from_iter([element]);
        let Ok((_, mut frames)) = follow_frames(&self.interpreter, &dropped, last, &given) else {
            return found;
        };
        let is_open =
            |neighbour: &ElementId| wanted.contains(*neighbour) && !self.runs.contains_key(neighbour);
        for neighbour in self.downstream.get(&element).into_iter().flatten().filter(|next| is_open(next)) {
            let Some(own) = signal_of(system, *neighbour) else { continue };
            let chosen = |step: usize, signal: SignalId| match signal == own {
                true => frames.get(step)?.signal(own).cloned(),
                false => given(step, signal),
            };
            let Some(left) = attempts.checked_sub(1) else { break };
            *attempts = left;
            found.extend(self.attempt(*neighbour, last, &chosen).map(|trace| (*neighbour, trace)));
        }
        let moments = moments(system, element, &mut frames);
        for (neighbour, earlier) in self.upstream.get(&element).into_iter().flatten() {
            let Some(own) = signal_of(system, *neighbour) else { continue };
            if !is_open(neighbour) || found.iter().any(|(known, _)| known == neighbour) {
                continue;
            }
            for variant in Change::ALL {
                let changed = |step: usize| -> Option<Value> {
                    let moment = moments.iter().find(|moment| moment.step == step + earlier)?;
                    variant.applied(frames.get(step)?.signal(own)?, moment)
                };
                if !(0..=last).any(|step| changed(step).is_some()) {
                    continue;
                }
                let Some(left) = attempts.checked_sub(1) else { return found };
                *attempts = left;
                let chosen = |step: usize, signal: SignalId| match signal == own {
                    true => changed(step),
                    false => given(step, signal),
                };
                if let Some(trace) = self.attempt(*neighbour, last, &chosen) {
                    found.push((*neighbour, trace));
                    break;
                }
            }
        }
        found
    }

    /// The run up to the first violation in which only this element is dropped, if there is a violation.
    fn attempt(
        &self,
        element: ElementId,
        last: usize,
        chosen: &dyn Fn(usize, SignalId) -> Option<Value>,
    ) -> Option<Trace> {
        let dropped = ElementSet::from_iter([element]);
        let (mut followed, mut frames) = follow_frames(&self.interpreter, &dropped, last, chosen).ok()?;
        if followed.broken.is_empty() {
            return None;
        }
        let violated = |frame: &mut Frame<'_>| frame.value(self.property) == Ok(Value::bool(false));
        let end = frames.iter_mut().position(violated)?;
        followed.trace.steps.truncate(end + 1);
        frames.truncate(end + 1);
        self.is_run(element, &followed.trace, &mut frames).then_some(followed.trace)
    }

    /// Whether constraints and initial values hold, which have not been looked at so far.
    fn is_run(&self, dropped: ElementId, trace: &Trace, frames: &mut [Frame<'_>]) -> bool {
        let system = self.interpreter.system();
        let Some(Ok(initial)) = frames.first_mut().map(Frame::initial_values) else { return false };
        let starts = system.states().iter().zip(initial).zip(&trace.steps[0].states);
        for ((state, initial), value) in starts {
            let is_dropped = system.element_at(Site::Init(*state)) == Some(dropped);
            if !is_dropped && initial.is_some_and(|initial| initial != *value) {
                return false;
            }
        }
        frames.iter_mut().enumerate().all(|(at, frame)| {
            let mut holds = |kind: ConstraintKind| frame.violated_constraint(kind) == Ok(None);
            holds(ConstraintKind::Always)
                && (at > 0 || holds(ConstraintKind::Initial))
                && trace.steps.get(at + 1).is_none_or(|next| {
                    frame.set_next(&next.states).is_ok()
                        && frame.violated_constraint(ConstraintKind::Transition) == Ok(None)
                })
        })
    }
}

/// How what an element depends on is changed.
#[derive(Clone, Copy)]
enum Change {
    /// It takes the element's value.
    Copied,
    /// It differs from its value in the run as the element differs from its definition.
    Moved,
    /// The other way round.
    MovedBack,
    /// All bits.
    Inverted,
}

impl Change {
    const ALL: [Change; 4] = [Change::Inverted, Change::Copied, Change::Moved, Change::MovedBack];

    /// The changed value, if the change makes sense and makes a difference.
    fn applied(self, value: &Value, moment: &Moment) -> Option<Value> {
        let changed = match self {
            Change::Inverted => match value {
                Value::Bits(bits) => Value::Bits(Bits::from_bits((0..bits.width()).map(|at| !bits.bit(at)))),
                _ => return None,
            },
            Change::Copied if moment.is.has_sort(&value.sort()) => moment.is.clone(),
            Change::Moved => moved(value, &moment.is, &moment.defined)?,
            Change::MovedBack => moved(value, &moment.defined, &moment.is)?,
            Change::Copied => return None,
        };
        (changed != *value).then_some(changed)
    }
}

/// A number, moved by a difference of numbers; by one if that is not what differs.
fn moved(value: &Value, to: &Value, from: &Value) -> Option<Value> {
    let difference = match (to, from) {
        _ if to.sort() == value.sort() => evaluate_binary(BinaryOp::Sub, to, from).ok()?,
        (Value::Bits(to), Value::Bits(_)) if to.width() == 1 => {
            let one = if to.is_nonzero() { 1 } else { -1 };
            match value {
                Value::Int(_) => Value::Int(one.into()),
                Value::Real(_) => Value::Real(dashu_ratio::RBig::from(one)),
                _ => return None,
            }
        }
        _ => return None,
    };
    match value {
        Value::Int(_) | Value::Real(_) => evaluate_binary(BinaryOp::Add, value, &difference).ok(),
        Value::Bits(bits) if bits.width() > 1 => evaluate_binary(BinaryOp::Add, value, &difference).ok(),
        _ => None,
    }
}

/// The signal that an element determines.
fn signal_of(system: &System, element: ElementId) -> Option<SignalId> {
    match system.element(element).site {
        Site::Wire(signal) | Site::Next(signal) => Some(signal),
        Site::Init(_) | Site::Constraint(_) => None,
    }
}

/// When an element's signal is not what its definition says.
fn moments(system: &System, element: ElementId, frames: &mut [Frame<'_>]) -> Vec<Moment> {
    let mut moments = Vec::new();
    let mut add = |step: usize, is: Option<&Value>, defined: Option<Value>| {
        if let (Some(is), Some(defined)) = (is, defined)
            && *is != defined
        {
            moments.push(Moment { step, is: is.clone(), defined });
        }
    };
    match system.element(element).site {
        Site::Wire(wire) => {
            let SignalKind::Wire { definition } = system.signal(wire).kind else { return moments };
            for (step, frame) in frames.iter_mut().enumerate() {
                let defined = frame.value(definition).ok();
                add(step, frame.signal(wire), defined);
            }
        }
        Site::Next(state) => {
            let SignalKind::State { next: Some(next), .. } = system.signal(state).kind else {
                return moments;
            };
            for step in 1..frames.len() {
                let defined = frames[step - 1].value(next).ok();
                add(step, frames[step].signal(state), defined);
            }
        }
        Site::Init(_) | Site::Constraint(_) => {}
    }
    moments
}

/// What definitions read.
struct Reading<'a> {
    system: &'a System,
    universe: &'a ElementSet,
}

impl Reading<'_> {
    /// The elements that an element's definition depends on without others between them, and how many steps earlier.
    fn neighbours(&self, element: ElementId) -> Vec<(ElementId, usize)> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let root = match self.system.element(element).site {
            Site::Wire(wire) => match self.system.signal(wire).kind {
                SignalKind::Wire { definition } => Some((definition, 0)),
                _ => None,
            },
            Site::Next(state) => match self.system.signal(state).kind {
                SignalKind::State { next, .. } => next.map(|next| (next, 1)),
                _ => None,
            },
            Site::Init(_) | Site::Constraint(_) => None,
        };
        let mut open: Vec<(ExprId, usize)> = root.into_iter().collect();
        while let Some((expr, earlier)) = open.pop() {
            if earlier > FARTHEST || !seen.insert((expr, earlier)) {
                continue;
            }
            let (Node::Signal(signal) | Node::Next(signal)) = self.system.exprs.node(expr) else {
                open.extend(self.system.exprs.operands(expr).map(|operand| (operand, earlier)));
                continue;
            };
            let (site, definition) = match self.system.signal(*signal).kind {
                SignalKind::Input => continue,
                SignalKind::Wire { definition } => (Site::Wire(*signal), Some((definition, earlier))),
                SignalKind::State { next, .. } => (Site::Next(*signal), next.map(|next| (next, earlier + 1))),
            };
            match self.system.element_at(site).filter(|element| self.universe.contains(*element)) {
                Some(neighbour) if neighbour != element && !found.contains(&(neighbour, earlier)) => {
                    found.push((neighbour, earlier));
                }
                Some(_) => {}
                None => open.extend(definition),
            }
        }
        found
    }
}
