//! A compact text of systems and expressions, for debugging and for reports.
//!
//! Expressions are shared and may be deep, so printing them as trees may never end. A subexpression that is used twice,
//! or that is nested too deeply, is printed once under a name of its own, `%12`.

use crate::{
    BinaryOp, ConstraintKind, Edit, Edits, ExprId, Node, PropertyKind, SignalId, SignalKind, System,
    TernaryOp, UnaryOp,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Expressions nested deeper than this get a name.
const DEPTH: u32 = 8;

/// An expression with the names of its signals; see [`System::show`].
#[derive(Clone, Copy, Debug)]
pub struct ShowExpr<'s> {
    system: &'s System,
    expr: ExprId,
}

/// Edits with the names of their elements; see [`System::show_edits`].
#[derive(Clone, Copy, Debug)]
pub struct ShowEdits<'s> {
    system: &'s System,
    edits: &'s Edits,
}

impl System {
    /// The text of an expression of this system.
    pub fn show(&self, expr: ExprId) -> ShowExpr<'_> {
        ShowExpr { system: self, expr }
    }

    /// The text of edits of this system.
    pub fn show_edits<'s>(&'s self, edits: &'s Edits) -> ShowEdits<'s> {
        ShowEdits { system: self, edits }
    }

    /// Every expression that something is defined by.
    fn roots(&self) -> Vec<ExprId> {
        let signals = self.signals().iter().flat_map(|signal| match signal.kind {
            SignalKind::Input => [None, None],
            SignalKind::State { init, next } => [init, next],
            SignalKind::Wire { definition } => [Some(definition), None],
        });
        let constraints = self.constraints().iter().map(|constraint| constraint.expr);
        let properties = self.properties().iter().flat_map(|property| match &property.kind {
            PropertyKind::Invariant(expr) => vec![*expr],
            PropertyKind::Justice(exprs) => exprs.clone(),
            PropertyKind::Ctl(formula) => formula.atoms(),
            PropertyKind::Ltl(formula) => formula.atoms(),
        });
        let outputs = self.outputs.iter().map(|output| output.expr);
        signals.flatten().chain(constraints).chain(properties).chain(outputs).collect()
    }
}

/// Which expressions have names, in the order in which they have to be defined.
struct Names<'s> {
    system: &'s System,
    named: Vec<ExprId>,
    is_named: FxHashSet<ExprId>,
}

impl<'s> Names<'s> {
    fn new(system: &'s System, roots: &[ExprId]) -> Names<'s> {
        let exprs = &system.exprs;
        let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
        let mut stack = roots.to_vec();
        while let Some(expr) = stack.pop() {
            let count = uses.entry(expr).or_insert(0);
            *count += 1;
            if *count == 1 {
                stack.extend(exprs.operands(expr));
            }
        }
        let mut order: Vec<ExprId> = uses.keys().copied().collect();
        // Operands precede the expressions that use them.
        order.sort_unstable();
        let mut names = Names { system, named: Vec::new(), is_named: FxHashSet::default() };
        let mut depth: FxHashMap<ExprId, u32> = FxHashMap::default();
        for expr in order {
            let below = exprs.operands(expr).map(|operand| depth[&operand]).max();
            let Some(below) = below else {
                depth.insert(expr, 0);
                continue;
            };
            let negated_leaf = below == 0
                && matches!(exprs.node(expr), Node::Unary(UnaryOp::Not, leaf) if exprs.operands(*leaf).next().is_none());
            let named = uses[&expr] > 1 && !negated_leaf || below >= DEPTH;
            depth.insert(expr, if named { 0 } else { below + 1 });
            if named {
                names.named.push(expr);
                names.is_named.insert(expr);
            }
        }
        names
    }

    fn operand(&self, f: &mut fmt::Formatter<'_>, expr: ExprId) -> fmt::Result {
        if self.is_named.contains(&expr) { write!(f, "%{}", expr.0) } else { self.definition(f, expr) }
    }

    fn signal(&self, signal: SignalId) -> &str {
        &self.system.signal(signal).name
    }

    /// The expression itself, even when it has a name. Recursion is bounded by [`DEPTH`].
    fn definition(&self, f: &mut fmt::Formatter<'_>, expr: ExprId) -> fmt::Result {
        match self.system.exprs.node(expr) {
            Node::Signal(signal) => write!(f, "{}", self.signal(*signal)),
            Node::Next(signal) => write!(f, "next({})", self.signal(*signal)),
            Node::Const(value) => write!(f, "{value}"),
            Node::Unary(op, a) => self.unary(f, op, *a),
            Node::Binary(op, a, b) => match infix(*op) {
                Some(symbol) => self.infix(f, symbol, *a, *b),
                None => self.call(f, &format!("{op:?}").to_lowercase(), &[*a, *b]),
            },
            Node::Ternary(TernaryOp::Ite, a, b, c) => {
                write!(f, "(")?;
                self.operand(f, *a)?;
                write!(f, " ? ")?;
                self.operand(f, *b)?;
                write!(f, " : ")?;
                self.operand(f, *c)?;
                write!(f, ")")
            }
            Node::Ternary(TernaryOp::Write, a, b, c) => self.call(f, "write", &[*a, *b, *c]),
        }
    }

    fn infix(&self, f: &mut fmt::Formatter<'_>, symbol: &str, a: ExprId, b: ExprId) -> fmt::Result {
        write!(f, "(")?;
        self.operand(f, a)?;
        write!(f, " {symbol} ")?;
        self.operand(f, b)?;
        write!(f, ")")
    }

    fn unary(&self, f: &mut fmt::Formatter<'_>, op: &UnaryOp, a: ExprId) -> fmt::Result {
        if *op == UnaryOp::Not
            && !self.is_named.contains(&a)
            && let Node::Binary(compared, x, y) = self.system.exprs.node(a)
            && let Some(symbol) = opposite(*compared)
        {
            return self.infix(f, symbol, *x, *y);
        }
        match op {
            UnaryOp::Not | UnaryOp::Neg => {
                write!(f, "{}", if *op == UnaryOp::Not { '!' } else { '-' })?;
                self.operand(f, a)
            }
            UnaryOp::Extract { high, low } => {
                self.operand(f, a)?;
                write!(f, "[{high}:{low}]")
            }
            UnaryOp::ZeroExtend(by) => self.call(f, &format!("zero_extend_{by}"), &[a]),
            UnaryOp::SignExtend(by) => self.call(f, &format!("sign_extend_{by}"), &[a]),
            UnaryOp::ConstArray(_) => self.call(f, "const_array", &[a]),
            UnaryOp::ReduceAnd => self.call(f, "reduce_and", &[a]),
            UnaryOp::ReduceOr => self.call(f, "reduce_or", &[a]),
            UnaryOp::ReduceXor => self.call(f, "reduce_xor", &[a]),
            UnaryOp::ToReal => self.call(f, "to_real", &[a]),
            UnaryOp::Floor => self.call(f, "floor", &[a]),
            UnaryOp::Position => self.call(f, "position", &[a]),
            UnaryOp::Variant(_) => self.call(f, "variant", &[a]),
        }
    }

    fn call(&self, f: &mut fmt::Formatter<'_>, name: &str, operands: &[ExprId]) -> fmt::Result {
        write!(f, "{name}(")?;
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                write!(f, ", ")?;
            }
            self.operand(f, *operand)?;
        }
        write!(f, ")")
    }

    /// `keyword name: rest expression`, on a line of its own.
    fn line(&self, f: &mut fmt::Formatter<'_>, start: &str, expr: ExprId) -> fmt::Result {
        write!(f, "{start}")?;
        self.operand(f, expr)?;
        writeln!(f)
    }
}

fn infix(op: BinaryOp) -> Option<&'static str> {
    use BinaryOp as B;
    Some(match op {
        B::And => "&",
        B::Or => "|",
        B::Xor => "^",
        B::Eq => "=",
        B::Lt => "<",
        B::Le => "<=",
        B::Add => "+",
        B::Sub => "-",
        B::Mul => "*",
        B::Concat => "++",
        B::RealDiv => "/",
        B::IntDiv => "div",
        B::IntMod => "mod",
        _ => return None,
    })
}

/// What a comparison of numbers is called when it is negated.
fn opposite(op: BinaryOp) -> Option<&'static str> {
    match op {
        BinaryOp::Lt => Some(">="),
        BinaryOp::Le => Some(">"),
        _ => None,
    }
}

impl fmt::Display for ShowExpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::new(self.system, &[self.expr]);
        names.operand(f, self.expr)?;
        for (index, &expr) in names.named.iter().enumerate() {
            write!(f, "{}%{} = ", if index == 0 { " where " } else { ", " }, expr.0)?;
            names.definition(f, expr)?;
        }
        Ok(())
    }
}

impl fmt::Display for ShowEdits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (element, edit)) in self.edits.iter().enumerate() {
            let name = &self.system.element(element).name;
            write!(f, "{}{name} ", if index == 0 { "" } else { ", " })?;
            match edit {
                Edit::Free => write!(f, "free")?,
                Edit::Invert => write!(f, "inverted")?,
                Edit::Const(value) => write!(f, ":= {value}")?,
                Edit::Replace(expr) => write!(f, ":= {}", self.system.show(*expr))?,
            }
        }
        if self.edits.is_empty() { write!(f, "no edits") } else { Ok(()) }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::new(self, &self.roots());
        for signal in self.signals() {
            match signal.kind {
                SignalKind::Input => writeln!(f, "input {}: {}", signal.name, signal.sort)?,
                SignalKind::State { init, next } => {
                    writeln!(f, "state {}: {}", signal.name, signal.sort)?;
                    init.map_or(Ok(()), |init| names.line(f, "  init ", init))?;
                    next.map_or(Ok(()), |next| names.line(f, "  next ", next))?;
                }
                SignalKind::Wire { definition } => {
                    names.line(f, &format!("wire {}: {} = ", signal.name, signal.sort), definition)?;
                }
            }
        }
        for constraint in self.constraints() {
            let when = match constraint.kind {
                ConstraintKind::Always => "always",
                ConstraintKind::Initial => "initially",
                ConstraintKind::Transition => "transition",
            };
            names.line(f, &format!("assume {} {when} ", constraint.name), constraint.expr)?;
        }
        for property in self.properties() {
            match &property.kind {
                PropertyKind::Invariant(expr) => {
                    names.line(f, &format!("assert {} ", property.name), *expr)?;
                }
                PropertyKind::Justice(exprs) => {
                    for expr in exprs {
                        names.line(f, &format!("justice {} ", property.name), *expr)?;
                    }
                }
                PropertyKind::Ctl(formula) => {
                    writeln!(f, "ctl {} {}", property.name, self.show_ctl(formula))?;
                }
                PropertyKind::Ltl(formula) => {
                    writeln!(f, "ltl {} {}", property.name, self.show_ltl(formula))?;
                }
            }
        }
        for output in &self.outputs {
            names.line(f, &format!("output {} ", output.name), output.expr)?;
        }
        for &expr in &names.named {
            write!(f, "%{}: {} = ", expr.0, self.exprs.sort(expr))?;
            names.definition(f, expr)?;
            writeln!(f)?;
        }
        Ok(())
    }
}
