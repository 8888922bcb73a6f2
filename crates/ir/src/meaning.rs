//! What a property means: a name that follows from all that it depends on, and from nothing else.
//!
//! A property depends on its own expression, on the definitions of all signals in its cone of influence, and on all constraints with their cones: a
//! constraint that shares no signal with it can still end every run before the property fails. What is no invariant depends on fairness,
//! too. Comments, other properties, registers outside the cone, the order of definitions and the names of elements, properties, constraints
//! and files have no influence. Names of signals have: they are what evidence calls them.
//!
//! **How.** An expression's digest is made of its operator and the digests of its operands (Merkle, *A digital signature based on a conventional encryption
//! function*, CRYPTO 1987), a signal's of its name, sort and kind and the digests of its definitions. Registers depend on each other in circles; so this goes by
//! strongly connected components, each after those that it depends on. Inside a circle signals are leaves, called by name; that gives each member's
//! definition a digest, all of these together give the component's, and then each member has a digest that follows from its own and the
//! component's. So one pass, linear in the size of the system, has the meaning of all properties, however many there are. Components are determined by the
//! definitions alone: two systems with the same definitions in a cone have the same digest for it, and (but for collisions of SHA-256) only they.

mod components;
mod content;
#[cfg(test)]
mod tests;

pub use content::shapes;

use crate::{
    Constraint, ConstraintKind, Ctl, Digest, Digester, ExprId, Fairness, Ltl, Node, PropertyId, PropertyKind,
    Quantifier, SignalId, SignalKind, Site, System,
};
use components::Graph;
use content::Contents;

/// The meanings of all expressions, signals and properties of a system.
#[derive(Clone, Debug)]
pub struct Meanings {
    exprs: Vec<Digest>,
    signals: Vec<Digest>,
    properties: Vec<Digest>,
    constraints: Digest,
    fairness: Digest,
}

impl Meanings {
    /// Computes them.
    pub fn new(system: &System) -> Meanings {
        let exprs = Weaver::new(system).weave();
        let (exprs, signals) = exprs.split_at(system.exprs.len());
        let of = |expr: ExprId| exprs[expr.0 as usize];
        let constraint = |constraint: &Constraint| {
            let kind = match constraint.kind {
                ConstraintKind::Always => "always",
                ConstraintKind::Initial => "initial",
                ConstraintKind::Transition => "transition",
            };
            Digest::of_all(kind, [of(constraint.expr)])
        };
        let fairness = |condition: &Fairness| match *condition {
            Fairness::Justice(expr) => Digest::of_all("justice", [of(expr)]),
            Fairness::Compassion(a, b) => Digest::of_all("compassion", [of(a), of(b)]),
        };
        let constraints = Digest::of_set("constraints", system.constraints().iter().map(constraint));
        let fairness = Digest::of_set("fairness", system.fairness.iter().map(fairness));
        let property = |kind: &PropertyKind| match kind {
            PropertyKind::Invariant(expr) => Digest::of_all("invariant", [of(*expr), constraints]),
            PropertyKind::Justice(exprs) => {
                let exprs = Digest::of_set("infinitely often", exprs.iter().map(|expr| of(*expr)));
                Digest::of_all("no justice", [exprs, constraints, fairness])
            }
            PropertyKind::Ctl(formula) => {
                Digest::of_all("ctl", [formula_digest(formula, &of), constraints, fairness])
            }
            PropertyKind::Ltl(formula) => {
                Digest::of_all("ltl", [linear_digest(formula, &of), constraints, fairness])
            }
        };
        let properties = system.properties().iter().map(|written| property(&written.kind)).collect();
        Meanings { signals: signals.to_vec(), exprs: exprs.to_vec(), properties, constraints, fairness }
    }

    /// What decides about a property.
    ///
    /// # Panics
    /// When the system has no such property, as below for what it does not have.
    pub fn property(&self, property: PropertyId) -> Digest {
        self.properties[property.0 as usize]
    }

    /// What decides about the value of an expression in runs of any kind: constraints are not in it.
    pub fn expr(&self, expr: ExprId) -> Digest {
        self.exprs[expr.0 as usize]
    }

    /// What decides about the value of a signal.
    pub fn signal(&self, signal: SignalId) -> Digest {
        self.signals[signal.0 as usize]
    }

    /// Which runs there are, as far as constraints decide.
    pub fn constraints(&self) -> Digest {
        self.constraints
    }

    /// The whole system: all signals, constraints and fairness conditions. For whoever counts its states.
    pub fn whole(&self) -> Digest {
        let signals = Digest::of_set("signals", self.signals.iter().copied());
        Digest::of_all("system", [signals, self.constraints, self.fairness])
    }

    /// Which definition a site is, whatever it says: its kind and the name of its signal. A constraint, which need not have a name, is what it says.
    pub fn site(&self, system: &System, site: Site) -> Digest {
        let named = |kind: &str, signal: SignalId| {
            let mut digester = Digester::new(kind);
            digester.text(&system.signal(signal).name);
            digester.finish()
        };
        match site {
            Site::Wire(signal) => named("wire", signal),
            Site::Next(signal) => named("next", signal),
            Site::Init(signal) => named("init", signal),
            Site::Constraint(id) => {
                Digest::of_all("constraint", [self.expr(system.constraints()[id.0 as usize].expr)])
            }
        }
    }
}

impl System {
    /// For each signal, whether the property depends on it: whether its definition is in [`Meanings::property`].
    pub fn cone_of(&self, property: PropertyId) -> Vec<bool> {
        let kind = &self.property(property).kind;
        let mut open: Vec<ExprId> = self.constraints().iter().map(|constraint| constraint.expr).collect();
        match kind {
            PropertyKind::Invariant(expr) => open.push(*expr),
            PropertyKind::Justice(exprs) => open.extend(exprs),
            PropertyKind::Ctl(formula) => open.extend(formula.atoms()),
            PropertyKind::Ltl(formula) => open.extend(formula.atoms()),
        }
        if !matches!(kind, PropertyKind::Invariant(_)) {
            open.extend(
                self.fairness
                    .iter()
                    .flat_map(|condition| match *condition {
                        Fairness::Justice(expr) => [Some(expr), None],
                        Fairness::Compassion(a, b) => [Some(a), Some(b)],
                    })
                    .flatten(),
            );
        }
        let mut seen = vec![false; self.exprs.len()];
        let mut cone = vec![false; self.signals().len()];
        while let Some(expr) = open.pop() {
            if std::mem::replace(&mut seen[expr.0 as usize], true) {
                continue;
            }
            let (Node::Signal(signal) | Node::Next(signal)) = *self.exprs.node(expr) else {
                open.extend(self.exprs.operands(expr));
                continue;
            };
            if !std::mem::replace(&mut cone[signal.0 as usize], true) {
                match self.signal(signal).kind {
                    SignalKind::Input => {}
                    SignalKind::State { init, next } => open.extend([init, next].into_iter().flatten()),
                    SignalKind::Wire { definition } => open.push(definition),
                }
            }
        }
        cone
    }
}

fn formula_digest(formula: &Ctl, of: &dyn Fn(ExprId) -> Digest) -> Digest {
    let quantified = |quantifier: &Quantifier, all: &'static str, exists: &'static str| match quantifier {
        Quantifier::All => all,
        Quantifier::Exists => exists,
    };
    match formula {
        Ctl::Atom(expr) => Digest::of_all("atom", [of(*expr)]),
        Ctl::Not(a) => Digest::of_all("not", [formula_digest(a, of)]),
        Ctl::And(a, b) => Digest::of_all("and", [formula_digest(a, of), formula_digest(b, of)]),
        Ctl::Or(a, b) => Digest::of_all("or", [formula_digest(a, of), formula_digest(b, of)]),
        Ctl::Next(quantifier, a) => {
            Digest::of_all(quantified(quantifier, "AX", "EX"), [formula_digest(a, of)])
        }
        Ctl::Until(quantifier, a, b) => {
            Digest::of_all(quantified(quantifier, "AU", "EU"), [formula_digest(a, of), formula_digest(b, of)])
        }
        Ctl::Release(quantifier, a, b) => {
            Digest::of_all(quantified(quantifier, "AR", "ER"), [formula_digest(a, of), formula_digest(b, of)])
        }
    }
}

fn linear_digest(formula: &Ltl, of: &dyn Fn(ExprId) -> Digest) -> Digest {
    let name = match formula {
        Ltl::Atom(expr) => return Digest::of_all("atom", [of(*expr)]),
        Ltl::Not(_) => "not",
        Ltl::And(..) => "and",
        Ltl::Or(..) => "or",
        Ltl::Next(_) => "X",
        Ltl::Until(..) => "U",
        Ltl::Release(..) => "R",
        Ltl::Previous(_) => "Y",
        Ltl::WeakPrevious(_) => "Z",
        Ltl::Since(..) => "S",
        Ltl::Triggered(..) => "T",
    };
    Digest::of_all(name, formula.operands().map(|operand| linear_digest(operand, of)))
}

/// Goes through the components.
struct Weaver<'s> {
    system: &'s System,
    graph: Graph<'s>,
    contents: Contents,
    /// The digest of each expression and signal that is done; of members of the component at hand, what they are inside it.
    digests: Vec<Digest>,
}

impl<'s> Weaver<'s> {
    fn new(system: &'s System) -> Weaver<'s> {
        let graph = Graph::new(system);
        let digests = vec![Digest::of(b""); graph.len()];
        Weaver { system, graph, contents: Contents::default(), digests }
    }

    fn weave(mut self) -> Vec<Digest> {
        let graph = Graph::new(self.system);
        graph.components(|members| match members {
            [single] => {
                self.digests[*single as usize] = match graph.thing(*single) {
                    Ok(expr) => self.expr(expr),
                    Err(signal) => self.definition(signal),
                };
            }
            circle => self.circle(circle),
        });
        self.digests
    }

    /// An expression whose operands are done.
    fn expr(&mut self, expr: ExprId) -> Digest {
        match self.system.exprs.node(expr) {
            Node::Signal(signal) => Digest::of_all("read", [self.of(*signal)]),
            Node::Next(signal) => Digest::of_all("read next", [self.of(*signal)]),
            node => self.contents.node("expr", node, |operand| self.digests[operand.0 as usize]),
        }
    }

    fn of(&self, signal: SignalId) -> Digest {
        self.digests[self.graph.of_signal(signal) as usize]
    }

    /// A signal whose definitions are done, or have been given a digest for inside.
    fn definition(&mut self, id: SignalId) -> Digest {
        let signal = self.system.signal(id);
        let (kind, exprs) = match signal.kind {
            SignalKind::Input => ("input", [None, None]),
            SignalKind::State { init, next } => ("state", [init, next]),
            SignalKind::Wire { definition } => ("wire", [Some(definition), None]),
        };
        let mut digester = Digester::new(kind);
        digester.text(&signal.name);
        self.contents.sort(&mut digester, &signal.sort);
        for expr in exprs {
            digester.number(u64::from(expr.is_some()));
            expr.iter().for_each(|expr| digester.digest(self.digests[expr.0 as usize]));
        }
        digester.finish()
    }

    /// Members of a circle.
    fn circle(&mut self, members: &[u32]) {
        let mut exprs: Vec<ExprId> = Vec::with_capacity(members.len());
        let mut signals: Vec<SignalId> = Vec::new();
        for member in members {
            match self.graph.thing(*member) {
                Ok(expr) => exprs.push(expr),
                Err(signal) => signals.push(signal),
            }
        }
        // Operands come before those who use them. A different kind of digest: it says nothing about signals of the circle.
        exprs.sort_unstable();
        for expr in &exprs {
            let node = self.system.exprs.node(*expr);
            self.digests[expr.0 as usize] = match node {
                Node::Signal(signal) | Node::Next(signal) => {
                    let kind = if matches!(node, Node::Signal(_)) { "inside" } else { "inside next" };
                    let signal = self.system.signal(*signal);
                    self.contents.reference(kind, &signal.name, &signal.sort)
                }
                node => self.contents.node("inside expr", node, |operand| self.digests[operand.0 as usize]),
            };
        }
        let definitions: Vec<Digest> = signals.iter().map(|signal| self.definition(*signal)).collect();
        for (signal, definition) in signals.iter().zip(&definitions) {
            self.digests[self.graph.of_signal(*signal) as usize] = *definition;
        }
        let circle = Digest::of_set("circle", definitions);
        for member in members {
            let inside = self.digests[*member as usize];
            self.digests[*member as usize] = Digest::of_all("member", [inside, circle]);
        }
    }
}
