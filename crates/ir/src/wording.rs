//! What each definition of a system says by itself, in the names of the signals that it reads.
//!
//! [`Meanings`](crate::Meanings) are about everything that a signal depends on; here two definitions are equal if the same stands there, whatever became of the signals that they read. So designs can be compared definition by
//! definition.

use crate::{
    ConstraintId, ConstraintKind, Digest, Digester, ExprId, Node, SignalId, SignalKind, Site, System,
};
use std::collections::{HashMap, HashSet};

/// What the definitions of a system say.
#[derive(Clone, Debug)]
pub struct Wordings<'s> {
    system: &'s System,
    exprs: Vec<Digest>,
    signals: HashMap<&'s str, SignalId>,
    constraints: HashSet<(ConstraintKind, Digest)>,
}

impl<'s> Wordings<'s> {
    /// Reads all of them.
    pub fn new(system: &'s System) -> Wordings<'s> {
        let mut exprs: Vec<Digest> = Vec::with_capacity(system.exprs.len());
        for id in (0..system.exprs.len() as u32).map(ExprId) {
            let node = system.exprs.node(id);
            let mut digester = match node {
                Node::Signal(_) => Digester::new("signal"),
                Node::Next(_) => Digester::new("next"),
                Node::Const(_) => Digester::new("constant"),
                Node::Unary(..) | Node::Binary(..) | Node::Ternary(..) => Digester::new("operator"),
            };
            match node {
                Node::Signal(signal) | Node::Next(signal) => digester.text(&system.signal(*signal).name),
                Node::Const(value) => digester.text(&format!("{value:?}")),
                Node::Unary(op, _) => digester.text(&format!("{op:?}")),
                Node::Binary(op, ..) => digester.text(&format!("{op:?}")),
                Node::Ternary(op, ..) => digester.text(&format!("{op:?}")),
            }
            digester.text(&format!("{:?}", system.exprs.sort(id)));
            // Operands come before what uses them.
            system.exprs.operands(id).for_each(|operand| digester.digest(exprs[operand.0 as usize]));
            exprs.push(digester.finish());
        }
        let named = system.signals().iter().zip(0..).map(|(signal, at)| (signal.name.as_str(), SignalId(at)));
        let constraint =
            |constraint: &crate::Constraint| (constraint.kind, exprs[constraint.expr.0 as usize]);
        let constraints = system.constraints().iter().map(constraint).collect();
        Wordings { system, signals: named.collect(), constraints, exprs }
    }

    /// What an expression says.
    pub fn expr(&self, expr: ExprId) -> Digest {
        self.exprs[expr.0 as usize]
    }

    /// The signal with a name.
    pub fn signal(&self, name: &str) -> Option<SignalId> {
        self.signals.get(name).copied()
    }

    /// What the definition of a signal at a kind of site says; `None` where nothing is said.
    pub fn site(&self, site: Site) -> Option<Digest> {
        Some(self.expr(self.definition(site)?))
    }

    /// Whether there is a constraint that says the same as a constraint of another system.
    pub fn has_constraint(&self, other: &Wordings<'_>, id: ConstraintId) -> bool {
        let constraint = &other.system.constraints()[id.0 as usize];
        self.constraints.contains(&(constraint.kind, other.expr(constraint.expr)))
    }

    /// The expression at a site.
    pub fn definition(&self, site: Site) -> Option<ExprId> {
        match site {
            Site::Constraint(id) => Some(self.system.constraints().get(id.0 as usize)?.expr),
            Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => {
                match (&self.system.signal(signal).kind, site) {
                    (SignalKind::Wire { definition }, Site::Wire(_)) => Some(*definition),
                    (SignalKind::State { next, .. }, Site::Next(_)) => *next,
                    (SignalKind::State { init, .. }, Site::Init(_)) => *init,
                    _ => None,
                }
            }
        }
    }
}
