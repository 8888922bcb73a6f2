//! Words that seem to depend on themselves, and do not: `a[1]` may be made of `a[0]`, a carry of the one before, one half of a bus of the other.
//!
//! Definitions are words, because that is what people write and what is quick to work with. Where words depend on each other in a circle, they are taken apart into
//! bits, variables and elements, and the design is given its meaning once more. Only what is in a circle then is refused. The elements of such a
//! word are its bits, parts of one whole.

use super::machine::Machine;
use super::record::SymbolRef;
use super::variable::Variable;
use propcov_ir::{ExprId, Fairness, Node, PropertyKind, SignalId, SignalKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is taken apart.
#[derive(Debug, Default)]
pub(super) struct Apart {
    pub(super) symbols: FxHashSet<SymbolRef>,
    /// Elements, by the order in which they are made: that is always the same.
    pub(super) elements: FxHashSet<usize>,
}

impl Apart {
    pub(super) fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.elements.is_empty()
    }

    /// Adds what has to be taken apart; whether there was anything new.
    pub(super) fn extend(&mut self, other: Apart) -> bool {
        let before = self.symbols.len() + self.elements.len();
        self.symbols.extend(other.symbols);
        self.elements.extend(other.elements);
        before < self.symbols.len() + self.elements.len()
    }
}

impl Machine<'_> {
    /// All words of more than one bit that are in a circle.
    pub(super) fn tangled(&self) -> Apart {
        let tangled: FxHashSet<SignalId> = self.circular_wires().into_iter().collect();
        let is_word =
            |signal: &SignalId| self.system.signal(*signal).sort.width().is_some_and(|width| width > 1);
        let mut apart = Apart::default();
        for (index, variable) in self.variables.iter().enumerate() {
            let Variable::Word(pieces) = variable else { continue };
            let mut signals = pieces.iter().filter_map(|piece| piece.signal);
            if signals.any(|signal| tangled.contains(&signal) && is_word(&signal)) {
                apart.symbols.insert(SymbolRef(index as u32));
            }
        }
        let elements = self.element_wires.iter().enumerate();
        apart.elements.extend(elements.filter_map(|(index, wire)| {
            wire.filter(|wire| tangled.contains(wire) && is_word(wire)).map(|_| index)
        }));
        apart
    }

    /// Gives any value to wires that depend on themselves and that nobody else reads: variables that a process assigns before it reads them, but not in every case. They
    /// are latches that cannot be seen.
    pub(super) fn cut_unread(&mut self) {
        let circular = self.circular_wires();
        if circular.is_empty() {
            return;
        }
        let read = self.observed();
        for wire in circular.into_iter().filter(|wire| !read.contains(wire)) {
            let signal = self.system.signal(wire);
            let (name, width) = (format!("{}.unread", signal.name), signal.sort.width());
            if let Some(width) = width {
                let any = self.fresh(width, name);
                self.system.define_wire(wire, any);
            }
        }
    }

    /// All signals that anybody reads in the end: outputs, properties, assumptions, registers, and those who ask what is executed.
    fn observed(&self) -> FxHashSet<SignalId> {
        let system = &self.system;
        let mut open: Vec<ExprId> = system.outputs.iter().map(|output| output.expr).collect();
        open.extend(system.constraints().iter().map(|constraint| constraint.expr));
        open.extend(
            system
                .executions()
                .iter()
                .flat_map(|execution| [Some(execution.condition), execution.edge])
                .flatten(),
        );
        for property in system.properties() {
            match &property.kind {
                PropertyKind::Invariant(holds) => open.push(*holds),
                PropertyKind::Justice(conditions) => open.extend(conditions),
                PropertyKind::Ctl(formula) => open.extend(formula.atoms()),
                PropertyKind::Ltl(formula) => open.extend(formula.atoms()),
            }
            open.extend(property.tests.all.iter().map(|test| test.happens));
        }
        for fairness in &system.fairness {
            match fairness {
                Fairness::Justice(often) => open.push(*often),
                Fairness::Compassion(often, then) => open.extend([*often, *then]),
            }
        }
        for state in system.states() {
            if let SignalKind::State { init, next } = system.signal(*state).kind {
                open.extend([init, next].into_iter().flatten());
            }
        }
        let (mut seen, mut read) = (FxHashSet::default(), FxHashSet::default());
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match system.exprs.node(expr) {
                Node::Signal(signal) | Node::Next(signal) => {
                    if read.insert(*signal)
                        && let SignalKind::Wire { definition } = system.signal(*signal).kind
                    {
                        open.push(definition);
                    }
                }
                _ => open.extend(system.exprs.operands(expr)),
            }
        }
        read
    }

    /// The wires that depend on themselves: components of the graph of dependencies (Tarjan's algorithm, without recursion).
    fn circular_wires(&self) -> Vec<SignalId> {
        let mut search = Components::default();
        for wire in self.system.wires() {
            search.visit(*wire, |wire| self.wires_read_by(wire));
        }
        search.circular
    }

    fn wires_read_by(&self, wire: SignalId) -> Vec<SignalId> {
        let SignalKind::Wire { definition } = self.system.signal(wire).kind else { return Vec::new() };
        let (mut open, mut seen, mut read) = (vec![definition], FxHashSet::default(), Vec::new());
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match self.system.exprs.node(expr) {
                Node::Signal(signal) => {
                    if matches!(self.system.signal(*signal).kind, SignalKind::Wire { .. }) {
                        read.push(*signal);
                    }
                }
                _ => open.extend(self.system.exprs.operands(expr)),
            }
        }
        read
    }
}

/// Strongly connected components.
#[derive(Default)]
struct Components {
    /// When a wire was first seen, and the earliest one that it leads back to.
    numbers: FxHashMap<SignalId, (usize, usize)>,
    /// Wires whose component is not complete.
    stack: Vec<SignalId>,
    is_open: FxHashSet<SignalId>,
    circular: Vec<SignalId>,
}

impl Components {
    fn visit(&mut self, root: SignalId, read_by: impl Fn(SignalId) -> Vec<SignalId>) {
        if self.numbers.contains_key(&root) {
            return;
        }
        let mut path = vec![(root, self.begin(root, &read_by))];
        while let Some((wire, rest)) = path.last_mut() {
            let wire = *wire;
            match rest.pop() {
                Some(next) if !self.numbers.contains_key(&next) => {
                    let reads = self.begin(next, &read_by);
                    path.push((next, reads));
                }
                Some(next) if self.is_open.contains(&next) => self.lead_back(wire, self.numbers[&next].0),
                Some(_) => {}
                None => {
                    path.pop();
                    let (number, low) = self.numbers[&wire];
                    if let Some((before, _)) = path.last() {
                        self.lead_back(*before, low);
                    }
                    if number == low {
                        self.complete(wire, &read_by);
                    }
                }
            }
        }
    }

    fn begin(&mut self, wire: SignalId, read_by: &impl Fn(SignalId) -> Vec<SignalId>) -> Vec<SignalId> {
        let number = self.numbers.len();
        self.numbers.insert(wire, (number, number));
        self.stack.push(wire);
        self.is_open.insert(wire);
        read_by(wire)
    }

    fn lead_back(&mut self, wire: SignalId, to: usize) {
        if let Some((_, low)) = self.numbers.get_mut(&wire) {
            *low = (*low).min(to);
        }
    }

    /// All that was seen after a wire is its component; one wire alone is a circle only if it reads itself.
    fn complete(&mut self, first: SignalId, read_by: &impl Fn(SignalId) -> Vec<SignalId>) {
        let mut component = Vec::new();
        while let Some(wire) = self.stack.pop() {
            self.is_open.remove(&wire);
            component.push(wire);
            if wire == first {
                break;
            }
        }
        if component.len() > 1 || read_by(first).contains(&first) {
            self.circular.extend(component);
        }
    }
}
