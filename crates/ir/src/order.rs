//! Orders in which definitions can be evaluated, and the loops that rule them out.
//!
//! A depth-first search over definitions; iterative, because netlists are deep.

use crate::{ExprId, Node, SignalId, SignalKind, System, SystemError};
use fixedbitset::FixedBitSet;

impl System {
    /// The wires, each after those that its definition reads.
    pub fn wire_order(&self) -> Result<Vec<SignalId>, SystemError> {
        Order::new(self, Moment::AnyStep).sort(self.wires()).map_err(SystemError::CombinationalLoop)
    }

    /// The wires, and the states that have an initial value, each after those that its value in the first step depends on.
    pub fn initial_order(&self) -> Result<Vec<SignalId>, SystemError> {
        let signals: Vec<SignalId> = self.states().iter().chain(self.wires()).copied().collect();
        Order::new(self, Moment::FirstStep).sort(&signals).map_err(SystemError::InitialLoop)
    }
}

/// When definitions are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// Only wires are defined by other signals.
    AnyStep,
    /// States are too, by their initial value.
    FirstStep,
}

struct Order<'s> {
    system: &'s System,
    moment: Moment,
    order: Vec<SignalId>,
    /// Expressions all of whose signals are in `order`.
    done: FixedBitSet,
    /// Signals in `order`.
    placed: FixedBitSet,
    /// Signals on the current path.
    open: FixedBitSet,
}

enum Task {
    Visit(ExprId),
    Leave(ExprId),
    Place(SignalId),
}

impl<'s> Order<'s> {
    fn new(system: &'s System, moment: Moment) -> Order<'s> {
        Order {
            system,
            moment,
            order: Vec::with_capacity(system.wires().len()),
            done: FixedBitSet::with_capacity(system.exprs.len()),
            placed: FixedBitSet::with_capacity(system.signals().len()),
            open: FixedBitSet::with_capacity(system.signals().len()),
        }
    }

    fn definition(&self, signal: SignalId) -> Option<ExprId> {
        match self.system.signal(signal).kind {
            SignalKind::Wire { definition } => Some(definition),
            SignalKind::State { init, .. } if self.moment == Moment::FirstStep => init,
            SignalKind::State { .. } | SignalKind::Input => None,
        }
    }

    /// The signals that have a definition, in order; or the names along a loop.
    fn sort(mut self, signals: &[SignalId]) -> Result<Vec<SignalId>, Vec<String>> {
        let mut tasks = Vec::new();
        for signal in signals {
            self.enter(*signal, &mut tasks)?;
            while let Some(task) = tasks.pop() {
                match task {
                    Task::Place(signal) => {
                        self.open.set(signal.0 as usize, false);
                        self.placed.insert(signal.0 as usize);
                        self.order.push(signal);
                    }
                    Task::Leave(expr) => self.done.insert(expr.0 as usize),
                    Task::Visit(expr) if self.done.contains(expr.0 as usize) => {}
                    Task::Visit(expr) => {
                        tasks.push(Task::Leave(expr));
                        match *self.system.exprs.node(expr) {
                            Node::Signal(signal) => self.enter(signal, &mut tasks)?,
                            _ => tasks.extend(self.system.exprs.operands(expr).map(Task::Visit)),
                        }
                    }
                }
            }
        }
        Ok(self.order)
    }

    /// Sees to it that the signal is placed, once its definition has been visited.
    fn enter(&mut self, signal: SignalId, tasks: &mut Vec<Task>) -> Result<(), Vec<String>> {
        let Some(definition) = self.definition(signal) else { return Ok(()) };
        if self.placed.contains(signal.0 as usize) {
            return Ok(());
        }
        if self.open.contains(signal.0 as usize) {
            return Err(self.loop_through(signal, tasks));
        }
        self.open.insert(signal.0 as usize);
        tasks.push(Task::Place(signal));
        tasks.push(Task::Visit(definition));
        Ok(())
    }

    /// The signals still to be placed are those on the current path.
    fn loop_through(&self, closing: SignalId, tasks: &[Task]) -> Vec<String> {
        let path = tasks.iter().filter_map(|task| match task {
            Task::Place(signal) => Some(*signal),
            _ => None,
        });
        let path = path.skip_while(|signal| *signal != closing).chain([closing]);
        path.map(|signal| self.system.signal(signal).name.clone()).collect()
    }
}
