//! What a property reads: the signals that a reader looks for first in a run.

use propcov_ir::{
    ElementKind, ExprId, Node, Origin, PropertyId, PropertyKind, SignalId, SignalKind, Site, System,
};
use std::collections::HashSet;

/// The most signals that are put first because a definition reads them. The ones that the property itself reads always are.
const INDIRECT: usize = 24;

/// The signals that a property reads, those in its own text first, then those that the definitions of these read. Gates of netlists are looked
/// through: nobody named them. So are the states of monitors and whatever else a front end added: what they read is what the user wrote. What is
/// only read by definitions is left out where it is too much to look at.
pub fn of_property(system: &System, property: PropertyId) -> Vec<SignalId> {
    let roots = match &system.property(property).kind {
        PropertyKind::Invariant(expr) => vec![*expr],
        PropertyKind::Justice(exprs) => exprs.clone(),
        PropertyKind::Ctl(formula) => formula.atoms(),
        PropertyKind::Ltl(formula) => formula.atoms(),
    };
    let mut found = HashSet::new();
    let mut direct = named(system, &roots, &mut found);
    let mut further = Vec::new();
    let mut open: Vec<SignalId> = direct.clone();
    while let Some(wire) = open.pop() {
        let SignalKind::Wire { definition } = system.signal(wire).kind else { continue };
        let read = named(system, &[definition], &mut found);
        open.extend(&read);
        further.extend(read);
    }
    direct.retain(|signal| !is_gate(system, *signal));
    further.retain(|signal| !is_gate(system, *signal));
    if further.len() <= INDIRECT {
        direct.extend(further);
    }
    direct
}

/// The variables of a Lustre model that a property depends on, in any number of steps, as its author knows them: what `pre` keeps is no variable.
#[derive(Debug, Default)]
pub struct Variables {
    /// Inputs.
    pub inputs: Vec<SignalId>,
    /// Outputs of the main node.
    pub outputs: Vec<SignalId>,
    /// Its locals.
    pub locals: Vec<SignalId>,
    /// Of inlined nodes, and what stands for a part of an equation.
    pub instances: Vec<SignalId>,
    /// Functions about which nothing is known.
    pub functions: Vec<SignalId>,
}

/// The variables that a property of a model by equations depends on; without a property, those that outputs do.
pub fn variables(system: &System, property: Option<PropertyId>) -> Variables {
    let mut found = HashSet::new();
    let of_property = |property: PropertyId| system.invariant(property).into_iter().collect::<Vec<ExprId>>();
    let all = || system.outputs.iter().map(|output| output.expr).collect();
    let mut roots = property.map_or_else(all, of_property);
    roots.extend(system.constraints().iter().map(|constraint| constraint.expr));
    let mut open = signals(system, &roots, &mut found);
    while let Some(signal) = open.pop() {
        let definitions = match system.signal(signal).kind {
            SignalKind::Input => [None, None],
            SignalKind::Wire { definition } => [Some(definition), None],
            SignalKind::State { init, next } => [init, next],
        };
        let definitions: Vec<ExprId> = definitions.into_iter().flatten().collect();
        open.extend(signals(system, &definitions, &mut found));
    }
    let outputs: HashSet<&str> = system.outputs.iter().map(|output| output.name.as_str()).collect();
    let mut variables = Variables::default();
    let inputs = system.inputs().iter().filter(|input| found.contains(input));
    variables.inputs = inputs.copied().collect();
    let of_elements = system.elements().iter().filter_map(|element| match element.site {
        Site::Wire(wire) if found.contains(&wire) => Some((wire, &element.scope)),
        _ => None,
    });
    for (wire, scope) in of_elements {
        let signal = system.signal(wire);
        if !scope.is_top() || signal.origin == Origin::Helper {
            variables.instances.push(wire);
        } else if outputs.contains(signal.name.as_str()) {
            variables.outputs.push(wire);
        } else {
            variables.locals.push(wire);
        }
    }
    let functions =
        system.states().iter().filter(|state| found.contains(state) && !is_memory(system, **state));
    variables.functions = functions.copied().collect();
    variables
}

/// Whether this is a state that a front end made to remember something, as that of Lustre does for `pre` and `->`.
pub fn is_memory(system: &System, signal: SignalId) -> bool {
    let signal = system.signal(signal);
    matches!(signal.kind, SignalKind::State { .. }) && signal.origin == Origin::Helper
}

/// The signals of the user's in these expressions that were not found before. Those that a front end added stand for what their definitions read.
fn named(system: &System, roots: &[ExprId], found: &mut HashSet<SignalId>) -> Vec<SignalId> {
    let mut all = Vec::new();
    let mut open = signals(system, roots, found);
    open.reverse();
    while let Some(signal) = open.pop() {
        let known = system.signal(signal);
        let definitions = match known.kind {
            _ if matches!(known.origin, Origin::User | Origin::Property) => {
                all.push(signal);
                continue;
            }
            SignalKind::Input => [None, None],
            SignalKind::Wire { definition } => [Some(definition), None],
            SignalKind::State { init, next } => [next, init],
        };
        let definitions: Vec<ExprId> = definitions.into_iter().flatten().collect();
        let mut read = signals(system, &definitions, found);
        read.reverse();
        open.extend(read);
    }
    all
}

/// The signals in these expressions that were not found before, in the order of reading.
fn signals(system: &System, roots: &[ExprId], found: &mut HashSet<SignalId>) -> Vec<SignalId> {
    let mut signals = Vec::new();
    let mut seen = HashSet::new();
    let mut open: Vec<ExprId> = roots.iter().rev().copied().collect();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Node::Signal(signal) | Node::Next(signal) = system.exprs.node(expr) {
            if found.insert(*signal) {
                signals.push(*signal);
            }
            continue;
        }
        let operands: Vec<ExprId> = system.exprs.operands(expr).collect();
        open.extend(operands.into_iter().rev());
    }
    signals
}

/// Whether this is a gate of a netlist, which has no name that a user gave it.
pub fn is_gate(system: &System, signal: SignalId) -> bool {
    let element = system.element_at(Site::Wire(signal)).map(|element| system.element(element).kind);
    element == Some(ElementKind::Gate)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of what the only property reads.
    fn names(model: &str) -> Vec<String> {
        let text = format!("MODULE main\n{model}");
        let design = propcov_frontend::read("model.smv", text.as_bytes()).expect("well-formed");
        let system = &design.system;
        of_property(system, PropertyId(0)).iter().map(|signal| system.signal(*signal).name.clone()).collect()
    }

    #[test]
    fn what_the_property_says_comes_before_what_its_definitions_say() {
        let model = "VAR a : boolean; b : boolean; c : boolean; d : boolean;
            DEFINE both := a & c;\nSPEC AG (both -> EX b)\n";
        assert_eq!(names(model), ["both", "b", "a", "c"]);
    }

    #[test]
    fn a_definition_of_very_much_does_not_drown_the_rest() {
        let all = (0..40).map(|at| format!("x[{at}]")).collect::<Vec<_>>().join(" & ");
        let model = format!("VAR x : array 0..39 of boolean;\nDEFINE all := {all};\nSPEC EF (all | x[3])\n");
        assert_eq!(names(&model), ["all", "x[3]"]);
    }
}
