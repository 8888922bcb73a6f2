//! Which signals expressions and properties mention by name, and which ones definitions read.

use propcov_ir::{ExprId, Node, PropertyId, PropertyKind, SignalId, SignalKind, System};
use propcov_verify::record::is_gate;
use rustc_hash::FxHashSet;

/// Whether inputs are read, directly or by definitions.
pub fn reads_inputs(system: &System, expr: ExprId) -> bool {
    let found = behind(system, signals(system, &[expr]));
    found.iter().any(|signal| matches!(system.signal(*signal).kind, SignalKind::Input))
}

/// These signals, and those that definitions among them read.
pub(super) fn behind(system: &System, signals_given: Vec<SignalId>) -> FxHashSet<SignalId> {
    let mut found: FxHashSet<SignalId> = signals_given.iter().copied().collect();
    let mut open = signals_given;
    while let Some(signal) = open.pop() {
        if let SignalKind::Wire { definition } = system.signal(signal).kind {
            for read in signals(system, &[definition]) {
                if found.insert(read) {
                    open.push(read);
                }
            }
        }
    }
    found
}

/// The signals in expressions, in the order of reading; definitions are not looked into.
pub(super) fn signals(system: &System, roots: &[ExprId]) -> Vec<SignalId> {
    let mut found = Vec::new();
    visit(system, roots, |_, node| {
        if let Node::Signal(signal) = node {
            found.push(*signal);
        }
    });
    found
}

/// Whether a property mentions an expression.
pub(super) fn mentions(system: &System, property: PropertyId, expr: ExprId) -> bool {
    let mut is_found = false;
    visit(system, &atoms(system, property), |part, _| is_found |= part == expr);
    is_found
}

/// The propositions of a property.
pub(super) fn atoms(system: &System, property: PropertyId) -> Vec<ExprId> {
    match &system.property(property).kind {
        PropertyKind::Ctl(formula) => formula.atoms(),
        PropertyKind::Invariant(expr) => vec![*expr],
        PropertyKind::Ltl(formula) => formula.atoms(),
        PropertyKind::Justice(_) => Vec::new(),
    }
}

fn visit(system: &System, roots: &[ExprId], mut each: impl FnMut(ExprId, &Node)) {
    let mut seen = FxHashSet::default();
    let mut open: Vec<ExprId> = roots.iter().rev().copied().collect();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            each(expr, system.exprs.node(expr));
            let operands: Vec<ExprId> = system.exprs.operands(expr).collect();
            open.extend(operands.into_iter().rev());
        }
    }
}

/// The states and definitions that properties mention by name.
pub(super) fn mentioned(system: &System, properties: &[PropertyId]) -> Vec<SignalId> {
    let atoms: Vec<ExprId> = properties.iter().flat_map(|property| atoms(system, *property)).collect();
    let mut found = signals(system, &atoms);
    found.sort_unstable();
    found
}

/// Definitions that properties mention and that read what an expression reads: what to observe instead of something that no property mentions.
pub(super) fn readers(system: &System, properties: &[PropertyId], expr: ExprId) -> Vec<String> {
    let wanted = signals(system, &[expr]);
    let reads = |signal: &&SignalId| {
        let found = behind(system, vec![**signal]);
        !wanted.contains(signal) && wanted.iter().any(|wanted| found.contains(wanted))
    };
    let mentioned = mentioned(system, properties);
    let names = mentioned.iter().filter(|signal| !is_gate(system, **signal)).filter(reads);
    names.map(|signal| system.signal(*signal).name.clone()).collect()
}
