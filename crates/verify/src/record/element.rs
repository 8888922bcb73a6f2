//! Elements and places.

use propcov_ir::{ElementId, ElementSet, Node, Parent, Region, SignalId, SignalKind, Site, Span, System};
use propcov_result::{Element, Place, Role};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where something is written; `None` where a file has no lines.
pub fn place(system: &System, span: Span) -> Option<Place> {
    let file = system.file(span.file)?.path.clone();
    match span.region {
        Region::Text { line, column, end_line, end_column } => {
            Some(Place { file, line, column, end_line, end_column })
        }
        Region::Bytes { .. } => None,
    }
}

/// The record of each of these elements, in order.
pub fn elements(system: &System, wanted: &ElementSet) -> Vec<Element> {
    let constants = constants(system);
    let record = |id: ElementId| Element { constant: constants.contains(id), ..element(system, id) };
    wanted.iter().map(record).collect()
}

/// The record of an element.
pub fn element(system: &System, id: ElementId) -> Element {
    let element = system.element(id);
    Element {
        id: id.0,
        name: element.name.clone(),
        aliases: system.names_of(id).filter(|name| *name != element.name).map(str::to_owned).collect(),
        scope: element.scope.to_string(),
        kind: element.kind.name().to_owned(),
        role: match element.role {
            propcov_ir::Role::Design => Role::Design,
            propcov_ir::Role::Checker => Role::Checker,
            propcov_ir::Role::Environment => Role::Environment,
        },
        places: element.spans.iter().filter_map(|span| place(system, *span)).collect(),
        parent: element.parent.map(|parent| match parent {
            Parent::Element(id) => system.element(id).name.clone(),
            Parent::Whole(id) => system.wholes()[id.0 as usize].name.clone(),
        }),
        ..Element::default()
    }
}

/// The wires with the same value in every step of every run: no input and no state is behind them.
pub fn constants(system: &System) -> ElementSet {
    let mut readers: FxHashMap<SignalId, Vec<SignalId>> = FxHashMap::default();
    for &wire in system.wires() {
        if let SignalKind::Wire { definition } = system.signal(wire).kind {
            let (mut open, mut seen) = (vec![definition], FxHashSet::default());
            while let Some(expr) = open.pop() {
                match system.exprs.node(expr) {
                    _ if !seen.insert(expr) => {}
                    Node::Signal(signal) | Node::Next(signal) => {
                        readers.entry(*signal).or_default().push(wire);
                    }
                    _ => open.extend(system.exprs.operands(expr)),
                }
            }
        }
    }
    let mut open: Vec<SignalId> = [system.inputs(), system.states()].concat();
    let mut changing: FxHashSet<SignalId> = FxHashSet::default();
    while let Some(signal) = open.pop() {
        if changing.insert(signal) {
            open.extend(readers.get(&signal).into_iter().flatten());
        }
    }
    let constant = system.wires().iter().filter(|wire| !changing.contains(wire));
    constant.filter_map(|wire| system.element_at(Site::Wire(*wire))).collect()
}
