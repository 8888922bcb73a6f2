//! Writes a system anew with one change.

use propcov_ir::{
    ConstraintId, Ctl, ExprId, Fairness, Ltl, Node, PropertyKind, SignalId, SignalKind, Site, System, Value,
};
use rustc_hash::FxHashMap;

/// One change that makes a system smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    DropProperty(usize),
    DropConstraint(usize),
    DropFairness(usize),
    /// The CTL property with this number becomes another formula.
    Formula(usize, Ctl),
    /// The LTL property with this number becomes another formula.
    Linear(usize, Ltl),
    DropInit(SignalId),
    DropNext(SignalId),
    /// The wire becomes an input.
    FreeWire(SignalId),
    /// Whoever reads the wire gets its definition.
    InlineWire(SignalId),
    /// The signal is gone; whoever reads it gets 0.
    RemoveSignal(SignalId),
    /// The expression becomes a literal wherever it occurs.
    Constant(ExprId, Value),
    /// The expression becomes one of its operands wherever it occurs.
    Operand(ExprId, ExprId),
}

/// The system with the change; `None` when it makes no sense there.
pub(crate) fn rebuild(system: &System, reduction: &Reduction) -> Option<System> {
    let mut copier = Copier {
        from: system,
        to: System::new(),
        reduction,
        signals: FxHashMap::default(),
        constraints: FxHashMap::default(),
        exprs: FxHashMap::default(),
    };
    copier.signals()?;
    copier.constraints()?;
    copier.properties()?;
    copier.fairness()?;
    copier.elements();
    Some(copier.to).filter(atoms_speak_of_states)
}

/// Whether no atom of a CTL formula depends on an input, as it might when a wire was freed.
fn atoms_speak_of_states(system: &System) -> bool {
    let atoms = system.properties().iter().flat_map(|property| {
        let formula = match &property.kind {
            PropertyKind::Ctl(formula) => Some(formula),
            _ => None,
        };
        formula.into_iter().chain(&property.as_written).flat_map(Ctl::atoms)
    });
    speak_of_states(system, atoms.collect())
}

/// Whether none of the expressions depends on an input.
pub(crate) fn speak_of_states(system: &System, exprs: Vec<ExprId>) -> bool {
    let mut open = exprs;
    let mut seen = vec![false; system.exprs.len()];
    while let Some(expr) = open.pop() {
        if std::mem::replace(&mut seen[expr.0 as usize], true) {
            continue;
        }
        match *system.exprs.node(expr) {
            Node::Signal(signal) => match system.signal(signal).kind {
                SignalKind::Input => return false,
                SignalKind::Wire { definition } => open.push(definition),
                SignalKind::State { .. } => {}
            },
            _ => open.extend(system.exprs.operands(expr)),
        }
    }
    true
}

struct Copier<'s> {
    from: &'s System,
    to: System,
    reduction: &'s Reduction,
    signals: FxHashMap<SignalId, SignalId>,
    constraints: FxHashMap<ConstraintId, ConstraintId>,
    exprs: FxHashMap<ExprId, ExprId>,
}

impl Copier<'_> {
    fn signals(&mut self) -> Option<()> {
        for (index, signal) in self.from.signals().iter().enumerate() {
            let id = SignalId(index as u32);
            let free = *self.reduction == Reduction::FreeWire(id);
            if *self.reduction == Reduction::RemoveSignal(id) {
                continue;
            }
            let copy = match signal.kind {
                SignalKind::State { .. } => self.to.add_state(signal.name.clone(), signal.sort.clone()),
                SignalKind::Wire { .. } if !free => continue,
                SignalKind::Input | SignalKind::Wire { .. } => {
                    self.to.add_input(signal.name.clone(), signal.sort.clone())
                }
            };
            self.signals.insert(id, copy);
        }
        for wire in self.from.wire_order().ok()? {
            let gone = matches!(self.reduction, Reduction::FreeWire(id) | Reduction::InlineWire(id)
                | Reduction::RemoveSignal(id) if *id == wire);
            if let SignalKind::Wire { definition } = self.from.signal(wire).kind
                && !gone
            {
                let definition = self.copy(definition)?;
                let copy = self.to.add_wire(self.from.signal(wire).name.clone(), definition);
                self.signals.insert(wire, copy);
            }
        }
        for &state in self.from.states() {
            let Some(&copy) = self.signals.get(&state) else { continue };
            let SignalKind::State { init, next } = self.from.signal(state).kind else { continue };
            if let Some(init) = init.filter(|_| *self.reduction != Reduction::DropInit(state)) {
                let init = self.copy(init)?;
                self.to.set_init(copy, init);
            }
            if let Some(next) = next.filter(|_| *self.reduction != Reduction::DropNext(state)) {
                let next = self.copy(next)?;
                self.to.set_next(copy, next);
            }
        }
        Some(())
    }

    fn constraints(&mut self) -> Option<()> {
        for (index, constraint) in self.from.constraints().iter().enumerate() {
            if *self.reduction != Reduction::DropConstraint(index) {
                let expr = self.copy(constraint.expr)?;
                let copy = self.to.add_constraint(constraint.name.clone(), constraint.kind, expr);
                self.constraints.insert(ConstraintId(index as u32), copy);
            }
        }
        Some(())
    }

    fn properties(&mut self) -> Option<()> {
        for (index, property) in self.from.properties().iter().enumerate() {
            if *self.reduction == Reduction::DropProperty(index) {
                continue;
            }
            let kind = match (&property.kind, self.reduction) {
                (PropertyKind::Ctl(_), Reduction::Formula(at, formula)) if *at == index => {
                    PropertyKind::Ctl(self.formula(formula)?)
                }
                (PropertyKind::Ctl(formula), _) => PropertyKind::Ctl(self.formula(formula)?),
                (PropertyKind::Invariant(expr), _) => PropertyKind::Invariant(self.copy(*expr)?),
                (PropertyKind::Justice(exprs), _) => {
                    PropertyKind::Justice(exprs.iter().map(|expr| self.copy(*expr)).collect::<Option<_>>()?)
                }
                (PropertyKind::Ltl(_), Reduction::Linear(at, formula)) if *at == index => {
                    PropertyKind::Ltl(self.linear(formula)?)
                }
                (PropertyKind::Ltl(formula), _) => PropertyKind::Ltl(self.linear(formula)?),
            };
            let copy = self.to.add_property(property.name.clone(), kind, None);
            // A formula that became another is taken as it is.
            let changed = matches!(self.reduction, Reduction::Formula(at, _) if *at == index);
            if let Some(formula) = property.as_written.as_ref().filter(|_| !changed) {
                let formula = self.formula(formula)?;
                self.to.set_as_written(copy, formula);
            }
        }
        Some(())
    }

    fn linear(&mut self, formula: &Ltl) -> Option<Ltl> {
        let mut is_whole = true;
        let copy = formula.with_atoms(&mut |atom| {
            self.copy(atom).unwrap_or_else(|| {
                is_whole = false;
                atom
            })
        });
        is_whole.then_some(copy)
    }

    fn formula(&mut self, formula: &Ctl) -> Option<Ctl> {
        let mut part = |part: &Ctl| self.formula(part).map(Box::new);
        Some(match formula {
            Ctl::Atom(expr) => Ctl::Atom(self.copy(*expr)?),
            Ctl::Not(a) => Ctl::Not(part(a)?),
            Ctl::And(a, b) => Ctl::And(part(a)?, part(b)?),
            Ctl::Or(a, b) => Ctl::Or(part(a)?, part(b)?),
            Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, part(a)?),
            Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, part(a)?, part(b)?),
            Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, part(a)?, part(b)?),
        })
    }

    fn fairness(&mut self) -> Option<()> {
        for (index, condition) in self.from.fairness.iter().enumerate() {
            if *self.reduction != Reduction::DropFairness(index) {
                let copy = match *condition {
                    Fairness::Justice(expr) => Fairness::Justice(self.copy(expr)?),
                    Fairness::Compassion(premise, conclusion) => {
                        Fairness::Compassion(self.copy(premise)?, self.copy(conclusion)?)
                    }
                };
                self.to.fairness.push(copy);
            }
        }
        Some(())
    }

    fn elements(&mut self) {
        for element in self.from.elements() {
            let signal = |id: SignalId| self.signals.get(&id).copied();
            let site = match element.site {
                Site::Wire(id) => signal(id).map(Site::Wire),
                Site::Next(id) => signal(id).map(Site::Next),
                Site::Init(id) => signal(id).map(Site::Init),
                Site::Constraint(id) => self.constraints.get(&id).copied().map(Site::Constraint),
            };
            let defined = site.filter(|site| match *site {
                Site::Wire(id) => matches!(self.to.signal(id).kind, SignalKind::Wire { .. }),
                Site::Next(id) => matches!(self.to.signal(id).kind, SignalKind::State { next: Some(_), .. }),
                Site::Init(id) => matches!(self.to.signal(id).kind, SignalKind::State { init: Some(_), .. }),
                Site::Constraint(_) => true,
            });
            if let Some(site) = defined {
                self.to.add_element(element.name.clone(), element.kind, site, None);
            }
        }
    }

    /// What an expression is replaced by, in the old pool.
    fn redirected(&self, expr: ExprId) -> ExprId {
        match *self.reduction {
            Reduction::Operand(from, to) if from == expr => to,
            Reduction::InlineWire(wire) if *self.from.exprs.node(expr) == Node::Signal(wire) => {
                match self.from.signal(wire).kind {
                    SignalKind::Wire { definition } => definition,
                    _ => expr,
                }
            }
            _ => expr,
        }
    }

    fn copy(&mut self, root: ExprId) -> Option<ExprId> {
        let root = self.redirected(root);
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if self.exprs.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let literal = match self.reduction {
                Reduction::Constant(from, value) if *from == expr => Some(value),
                _ => None,
            };
            let operands: Vec<_> =
                self.from.exprs.operands(expr).map(|operand| self.redirected(operand)).collect();
            if literal.is_none() {
                let before = stack.len();
                stack.extend(operands.iter().filter(|operand| !self.exprs.contains_key(operand)));
                if stack.len() > before {
                    continue;
                }
            }
            stack.pop();
            let copy = match literal {
                Some(value) => self.to.exprs.constant(value.clone()),
                None => self.node(expr, &operands)?,
            };
            self.exprs.insert(expr, copy);
        }
        self.exprs.get(&root).copied()
    }

    fn node(&mut self, expr: ExprId, operands: &[ExprId]) -> Option<ExprId> {
        let operand = |index: usize| operands.get(index).and_then(|operand| self.exprs.get(operand)).copied();
        let sort = self.from.exprs.sort(expr).clone();
        Some(match self.from.exprs.node(expr) {
            Node::Signal(id) => match self.signals.get(id) {
                Some(copy) => self.to.exprs.signal(*copy, sort),
                None => self.to.exprs.constant(Value::zero(&sort)),
            },
            Node::Next(id) => match self.signals.get(id) {
                Some(copy) => self.to.exprs.next(*copy, sort),
                None => self.to.exprs.constant(Value::zero(&sort)),
            },
            Node::Const(value) => self.to.exprs.constant(value.as_ref().clone()),
            Node::Unary(op, _) => self.to.exprs.unary(op.clone(), operand(0)?).ok()?,
            Node::Binary(op, ..) => self.to.exprs.binary(*op, operand(0)?, operand(1)?).ok()?,
            Node::Ternary(op, ..) => {
                self.to.exprs.ternary(*op, operand(0)?, operand(1)?, operand(2)?).ok()?
            }
        })
    }
}
