//! Which signals a mutation can reach: all others have the same value in design and mutant.

use propcov_ir::{ExprId, Node, SignalId, SignalKind, System};

/// For each signal, whether its value can depend on that of the given one: in the same step, a later one, or the first.
///
/// One pass over all expressions for who reads whom, then a search along that.
pub(crate) fn affected(system: &System, from: SignalId) -> Vec<bool> {
    let readers = Readers::new(system);
    let mut affected = vec![false; system.signals().len()];
    let mut reached = vec![false; system.exprs.len()];
    let (mut signals, mut exprs): (Vec<SignalId>, Vec<ExprId>) = (vec![from], Vec::new());
    loop {
        if let Some(signal) = signals.pop() {
            if !std::mem::replace(&mut affected[signal.0 as usize], true) {
                exprs.extend(readers.leaf[signal.0 as usize]);
            }
        } else if let Some(expr) = exprs.pop() {
            if !std::mem::replace(&mut reached[expr.0 as usize], true) {
                exprs.extend(readers.parents.of(expr).iter().map(|parent| ExprId(*parent)));
                signals.extend(readers.definitions.of(expr).iter().map(|signal| SignalId(*signal)));
            }
        } else {
            return affected;
        }
    }
}

struct Readers {
    /// The expression that reads a signal in the current step.
    leaf: Vec<Option<ExprId>>,
    /// Expressions that have an expression as operand.
    parents: Lists,
    /// Signals that are defined by an expression, or start with it, or become it.
    definitions: Lists,
}

impl Readers {
    fn new(system: &System) -> Readers {
        let count = system.exprs.len();
        let mut leaf = vec![None; system.signals().len()];
        let (mut parents, mut definitions) = (Vec::new(), Vec::new());
        for expr in (0..count as u32).map(ExprId) {
            if let Node::Signal(signal) = *system.exprs.node(expr) {
                leaf[signal.0 as usize] = Some(expr);
            }
            parents.extend(system.exprs.operands(expr).map(|operand| (operand, expr.0)));
        }
        for (index, signal) in (0u32..).zip(system.signals()) {
            let exprs = match signal.kind {
                SignalKind::Input => [None, None],
                SignalKind::State { init, next } => [init, next],
                SignalKind::Wire { definition } => [Some(definition), None],
            };
            definitions.extend(exprs.into_iter().flatten().map(|expr| (expr, index)));
        }
        Readers { leaf, parents: Lists::new(count, &parents), definitions: Lists::new(count, &definitions) }
    }
}

/// A list for each expression, all in one piece of memory.
struct Lists {
    /// Where the list of each expression ends.
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(count: usize, pairs: &[(ExprId, u32)]) -> Lists {
        let mut ends = vec![0u32; count + 1];
        for (expr, _) in pairs {
            ends[expr.0 as usize + 1] += 1;
        }
        for index in 1..ends.len() {
            ends[index] += ends[index - 1];
        }
        let mut items = vec![0; pairs.len()];
        // Each end moves from the start of its list as the list is filled.
        for (expr, item) in pairs {
            let place = &mut ends[expr.0 as usize];
            items[*place as usize] = *item;
            *place += 1;
        }
        Lists { ends, items }
    }

    fn of(&self, expr: ExprId) -> &[u32] {
        let index = expr.0 as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start as usize..self.ends[index] as usize]
    }
}
