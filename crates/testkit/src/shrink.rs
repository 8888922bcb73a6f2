//! Makes a failing system small: greedily applies reductions as long as it still fails.
//!
//! A reduction is one local change; [`rebuild`] writes the system anew with that change. Reductions that remove most come
//! first, and all of them are tried again until none succeeds.

use crate::rebuild::{Reduction, rebuild};
use propcov_ir::{Ctl, ExprId, Fairness, Ltl, Node, PropertyKind, SignalId, SignalKind, Sort, System, Value};
use std::time::{Duration, Instant};

/// How long to go on shrinking. Whoever waits for a test to fail does not wait for ever.
const TIME: Duration = Duration::from_secs(30);

/// The smallest system found for which the predicate still says that it fails. `system` itself has to fail.
pub fn shrink(system: &System, mut fails: impl FnMut(&System) -> bool) -> System {
    let deadline = Instant::now() + TIME;
    let mut current = system.clone();
    let classes: [fn(&System) -> Vec<Reduction>; 7] =
        [properties_and_constraints, signals, definitions, formulas, constants, operands, inlining];
    loop {
        let mut progress = false;
        for class in classes {
            let mut index = 0;
            while let Some(reduction) = class(&current).get(index) {
                if Instant::now() > deadline {
                    return current;
                }
                match rebuild(&current, reduction).filter(|smaller| smaller.validate().is_ok()) {
                    // Not counting up: the reductions that follow have moved here.
                    Some(smaller) if fails(&smaller) => {
                        current = smaller;
                        progress = true;
                    }
                    _ => index += 1,
                }
            }
        }
        if !progress {
            return current;
        }
    }
}

fn properties_and_constraints(system: &System) -> Vec<Reduction> {
    let properties = (0..system.properties().len()).map(Reduction::DropProperty);
    let constraints = (0..system.constraints().len()).map(Reduction::DropConstraint);
    let properties = properties.filter(|_| system.properties().len() > 1);
    let fairness = (0..system.fairness.len()).map(Reduction::DropFairness);
    properties.chain(constraints).chain(fairness).collect()
}

/// CTL formulas with one operator less, or with their implications as written and no other reading.
fn formulas(system: &System) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for (index, property) in system.properties().iter().enumerate() {
        if let PropertyKind::Ctl(formula) = &property.kind {
            let written = property
                .as_written
                .iter()
                .flat_map(|formula| smaller(formula).into_iter().chain([formula.clone()]));
            let less = smaller(formula).into_iter().chain(written);
            reductions.extend(less.map(|less| Reduction::Formula(index, less)));
        }
        if let PropertyKind::Ltl(formula) = &property.kind {
            reductions.extend(smaller_linear(formula).into_iter().map(|less| Reduction::Linear(index, less)));
        }
    }
    reductions
}

/// The formula with an operand in place of an operator, here or further inside.
fn smaller(formula: &Ctl) -> Vec<Ctl> {
    let one = |a: &Ctl, rebuild: &dyn Fn(Box<Ctl>) -> Ctl| {
        let inside = smaller(a).into_iter().map(|a| rebuild(Box::new(a)));
        std::iter::once(a.clone()).chain(inside).collect::<Vec<_>>()
    };
    let two = |a: &Ctl, b: &Ctl, rebuild: &dyn Fn(Box<Ctl>, Box<Ctl>) -> Ctl| {
        let mut less = one(a, &|a| rebuild(a, Box::new(b.clone())));
        less.extend(one(b, &|b| rebuild(Box::new(a.clone()), b)));
        less
    };
    match formula {
        Ctl::Atom(_) => Vec::new(),
        Ctl::Not(a) => one(a, &Ctl::Not),
        Ctl::Next(quantifier, a) => one(a, &|a| Ctl::Next(*quantifier, a)),
        Ctl::And(a, b) => two(a, b, &Ctl::And),
        Ctl::Or(a, b) => two(a, b, &Ctl::Or),
        Ctl::Until(quantifier, a, b) => two(a, b, &|a, b| Ctl::Until(*quantifier, a, b)),
        Ctl::Release(quantifier, a, b) => two(a, b, &|a, b| Ctl::Release(*quantifier, a, b)),
    }
}

/// The formula with an operand in place of an operator, here or further inside.
fn smaller_linear(formula: &Ltl) -> Vec<Ltl> {
    let mut less: Vec<Ltl> = formula.operands().cloned().collect();
    for (position, operand) in formula.operands().enumerate() {
        for smaller in smaller_linear(operand) {
            let mut at = 0;
            less.push(formula.with_operands(&mut |operand| {
                at += 1;
                if at == position + 1 { smaller.clone() } else { operand.clone() }
            }));
        }
    }
    less
}

fn signals(system: &System) -> Vec<Reduction> {
    (0..system.signals().len() as u32).map(|index| Reduction::RemoveSignal(SignalId(index))).collect()
}

/// Freed wires, states without init or next.
fn definitions(system: &System) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for (index, signal) in system.signals().iter().enumerate() {
        let id = SignalId(index as u32);
        match signal.kind {
            SignalKind::Input => {}
            SignalKind::Wire { .. } => reductions.push(Reduction::FreeWire(id)),
            SignalKind::State { init, next } => {
                reductions.extend(init.map(|_| Reduction::DropInit(id)));
                reductions.extend(next.map(|_| Reduction::DropNext(id)));
            }
        }
    }
    reductions
}

/// Expressions in use, the outermost first.
fn used(system: &System) -> Vec<ExprId> {
    let mut used = vec![false; system.exprs.len()];
    let definitions = system.signals().iter().flat_map(|signal| match signal.kind {
        SignalKind::Input => [None, None],
        SignalKind::State { init, next } => [init, next],
        SignalKind::Wire { definition } => [Some(definition), None],
    });
    let mut stack: Vec<ExprId> = definitions.flatten().collect();
    stack.extend(system.constraints().iter().map(|constraint| constraint.expr));
    stack.extend(system.properties().iter().flat_map(|property| match &property.kind {
        PropertyKind::Invariant(expr) => vec![*expr],
        PropertyKind::Justice(exprs) => exprs.clone(),
        PropertyKind::Ctl(formula) => formula.atoms(),
        PropertyKind::Ltl(formula) => formula.atoms(),
    }));
    let as_written = system.properties().iter().flat_map(|property| &property.as_written);
    stack.extend(as_written.flat_map(Ctl::atoms));
    stack.extend(system.fairness.iter().flat_map(|condition| match *condition {
        Fairness::Justice(expr) => vec![expr],
        Fairness::Compassion(premise, conclusion) => vec![premise, conclusion],
    }));
    while let Some(expr) = stack.pop() {
        if !std::mem::replace(&mut used[expr.0 as usize], true) {
            stack.extend(system.exprs.operands(expr));
        }
    }
    (0..used.len()).rev().filter(|index| used[*index]).map(|index| ExprId(index as u32)).collect()
}

fn constants(system: &System) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in used(system) {
        let sort = system.exprs.sort(expr);
        let zero = Value::zero(sort);
        match system.exprs.node(expr) {
            Node::Const(value) if **value == zero => {}
            Node::Const(_) => reductions.push(Reduction::Constant(expr, zero)),
            _ => {
                reductions.push(Reduction::Constant(expr, zero));
                if let Sort::BitVec(width) = sort {
                    reductions.push(Reduction::Constant(expr, Value::Bits(propcov_ir::Bits::ones(*width))));
                }
            }
        }
    }
    reductions
}

fn operands(system: &System) -> Vec<Reduction> {
    let fitting = |expr: ExprId| {
        let sort = system.exprs.sort(expr);
        let operands = system.exprs.operands(expr).filter(move |operand| system.exprs.sort(*operand) == sort);
        operands.map(move |operand| Reduction::Operand(expr, operand))
    };
    used(system).into_iter().flat_map(fitting).collect()
}

fn inlining(system: &System) -> Vec<Reduction> {
    system.wires().iter().map(|wire| Reduction::InlineWire(*wire)).collect()
}
