//! Where somebody could look: a mutant that nobody could tell from the design is no hole.

use propcov_ir::{BinaryOp, ExprId, Mutant, Node, PropertyId, SignalId, SignalKind, Site, System, UnaryOp};
use rustc_hash::FxHashSet;

/// What counts as seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Notion {
    /// The outputs if there are any that do not just repeat a property, else the registers. The register that is mutated is one of them if no other
    /// one depends on it: then it is there to be looked at, as an output would be.
    #[default]
    Default,
    /// The outputs that do not just repeat a property.
    Outputs,
    /// All registers, also those that no property depends on, apart from the one that is mutated: that one differs at once.
    Registers,
    /// The outputs and signals with these names.
    Named(Vec<String>),
}

/// What is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What is compared in the last step of two runs, by name.
    pub signals: Vec<(String, Watched)>,
    /// The notion in words, as in "no difference at …".
    pub words: String,
    /// Names that were asked for and are neither an output nor a signal.
    pub missing: Vec<String>,
}

/// Something with a value in each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// A signal.
    Signal(SignalId),
    /// An expression of the system.
    Expr(ExprId),
}

/// What somebody sees of a mutant, by a notion of what can be seen. An output that only repeats one of these properties is not looked
/// at: they hold anyway, so nothing ever shows there. What repeats a property that is not among them is an output like any other.
pub fn observation(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    notion: &Notion,
) -> Observation {
    match notion {
        Notion::Outputs => outputs(system, properties),
        Notion::Registers => registers(system, mutant),
        Notion::Named(names) => named(system, names),
        Notion::Default => {
            let outputs = outputs(system, properties);
            if outputs.signals.is_empty() { registers_at_the_end(system, mutant) } else { outputs }
        }
    }
}

fn outputs(system: &System, properties: &[PropertyId]) -> Observation {
    let claims: FxHashSet<ExprId> =
        invariants(system, properties).map(|claim| essence(system, claim)).collect();
    // Nor does anything ever show where there is a constant.
    let is_constant = |expr: ExprId| matches!(system.exprs.node(expr), Node::Const(_));
    let shows = |expr: ExprId| !claims.contains(&expr) && !is_constant(expr);
    let others = system.outputs.iter().filter(|output| shows(essence(system, output.expr)));
    let signals: Vec<_> = others.map(|output| (output.name.clone(), Watched::Expr(output.expr))).collect();
    let all = signals.len() == system.outputs.len();
    let words = if all { "the outputs" } else { "the outputs that are no properties" };
    Observation { signals, words: words.to_owned(), missing: Vec::new() }
}

/// What a Boolean expression is, or is the negation of, seen through wires and constant operands.
///
/// In AIGER 1.0 each output is the negation of a property. Yosys writes an assertion as `and(1, not(a))` and often has
/// `not(a)` as an output too: nobody would see more there than the property does.
fn essence(system: &System, mut expr: ExprId) -> ExprId {
    let constant = |expr: ExprId| match system.exprs.node(expr) {
        Node::Const(value) => value.as_bool(),
        _ => None,
    };
    // As many steps as there are expressions: even wires that define each other, which means nothing, come to an end.
    for _ in 0..system.exprs.len() {
        if !system.exprs.sort(expr).is_bool() {
            break;
        }
        // The other operand, if one is the constant that leaves it as it is.
        let through = |a: ExprId, b: ExprId, neutral: bool| match (constant(a), constant(b)) {
            (Some(value), _) if value == neutral => Some(b),
            (_, Some(value)) if value == neutral => Some(a),
            _ => None,
        };
        let inner = match *system.exprs.node(expr) {
            Node::Signal(signal) => match system.signal(signal).kind {
                SignalKind::Wire { definition } => Some(definition),
                SignalKind::Input | SignalKind::State { .. } => None,
            },
            Node::Unary(UnaryOp::Not, a) => Some(a),
            Node::Binary(BinaryOp::And, a, b) => through(a, b, true),
            Node::Binary(BinaryOp::Or | BinaryOp::Xor, a, b) => through(a, b, false),
            Node::Binary(BinaryOp::Eq, a, b) if system.exprs.sort(a).is_bool() => through(a, b, true),
            _ => None,
        };
        let Some(inner) = inner else { break };
        expr = inner;
    }
    expr
}

fn registers(system: &System, mutant: Mutant) -> Observation {
    let site = system.element(mutant.element).site;
    let others = system.states().iter().filter(|state| !is_mutated(system, **state, site));
    let signals = others.map(|state| (system.signal(*state).name.clone(), Watched::Signal(*state))).collect();
    let words = match system.states().iter().find(|state| is_mutated(system, **state, site)) {
        Some(state) => format!("the registers other than {}", system.signal(*state).name),
        None => "the registers".to_owned(),
    };
    Observation { signals, words, missing: Vec::new() }
}

/// The registers, and the one that is mutated only if no other one depends on it.
fn registers_at_the_end(system: &System, mutant: Mutant) -> Observation {
    let mut observation = registers(system, mutant);
    let site = system.element(mutant.element).site;
    let mutated = system.states().iter().find(|state| is_mutated(system, **state, site));
    if let Some(state) = mutated.filter(|state| !is_read_by_another(system, **state)) {
        observation.signals.push((system.signal(*state).name.clone(), Watched::Signal(*state)));
        observation.words = "the registers".to_owned();
    }
    observation
}

/// Whether the next or the first value of another state depends on this one, within a step.
fn is_read_by_another(system: &System, state: SignalId) -> bool {
    let mut open: Vec<ExprId> = Vec::new();
    for other in system.states().iter().filter(|other| **other != state) {
        if let SignalKind::State { init, next } = system.signal(*other).kind {
            open.extend(init.into_iter().chain(next));
        }
    }
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match *system.exprs.node(expr) {
            Node::Signal(signal) | Node::Next(signal) if signal == state => return true,
            Node::Signal(signal) | Node::Next(signal) => {
                if let SignalKind::Wire { definition } = system.signal(signal).kind {
                    open.push(definition);
                }
            }
            _ => open.extend(system.exprs.operands(expr)),
        }
    }
    false
}

fn named(system: &System, names: &[String]) -> Observation {
    let (mut signals, mut missing) = (Vec::new(), Vec::new());
    for name in names {
        let output = system.output_named(name).map(|output| Watched::Expr(output.expr));
        match output.or_else(|| system.signal_named(name).map(Watched::Signal)) {
            Some(watched) => signals.push((name.clone(), watched)),
            None => missing.push(name.clone()),
        }
    }
    let names: Vec<&str> = signals.iter().map(|(name, _)| name.as_str()).collect();
    Observation { words: names.join(", "), signals, missing }
}

/// The expressions of those properties that are invariants.
fn invariants(system: &System, properties: &[PropertyId]) -> impl Iterator<Item = ExprId> {
    properties.iter().filter_map(|id| system.invariant(*id))
}

/// Whether the site is the next value of the state, or one of its bits after [`System::split_bits`].
fn is_mutated(system: &System, state: SignalId, site: Site) -> bool {
    let SignalKind::State { next: Some(next), .. } = system.signal(state).kind else {
        return site == Site::Next(state);
    };
    let mut bits = vec![next];
    let mut has_wire = |wire: SignalId| {
        while let Some(expr) = bits.pop() {
            match *system.exprs.node(expr) {
                Node::Binary(BinaryOp::Concat, a, b) => bits.extend([a, b]),
                Node::Signal(signal) if signal == wire && expr != next => return true,
                _ => {}
            }
        }
        false
    };
    match site {
        Site::Next(mutated) => mutated == state,
        Site::Wire(wire) => has_wire(wire),
        Site::Init(_) | Site::Constraint(_) => false,
    }
}
