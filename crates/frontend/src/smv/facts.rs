//! What an expression reads: inputs, and values of the next step. Kept for each expression of the pool, which only grows.

use propcov_ir::{ExprId, Node, SignalKind, System};

/// What an expression reads, through wires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads {
    /// An input.
    pub(super) input: bool,
    /// The next value of a state.
    pub(super) next: bool,
}

/// [`Reads`] of all expressions so far.
#[derive(Default)]
pub(super) struct Facts {
    reads: Vec<Reads>,
}

impl Facts {
    /// What an expression reads.
    pub(super) fn of(&mut self, system: &System, expr: ExprId) -> Reads {
        // Operands precede the expressions that use them, and a wire's definition the wire.
        for index in self.reads.len()..=expr.0 as usize {
            let reads = self.of_node(system, ExprId(index as u32));
            self.reads.push(reads);
        }
        self.reads[expr.0 as usize]
    }

    fn of_node(&self, system: &System, expr: ExprId) -> Reads {
        match system.exprs.node(expr) {
            Node::Next(_) => Reads { input: false, next: true },
            Node::Signal(signal) => match system.signal(*signal).kind {
                SignalKind::Input => Reads { input: true, next: false },
                SignalKind::State { .. } => Reads::default(),
                SignalKind::Wire { definition } => self.reads[definition.0 as usize],
            },
            _ => system.exprs.operands(expr).fold(Reads::default(), |all, operand| {
                let one = self.reads[operand.0 as usize];
                Reads { input: all.input || one.input, next: all.next || one.next }
            }),
        }
    }
}
