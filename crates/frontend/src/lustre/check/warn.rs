//! What the user should know about a file that is right.

use super::{
    super::{
        report::Report,
        syntax::{BinaryOp, ExprKind, Id, Node, Program, UnaryOp},
    },
    value::Value,
    walk,
};

/// More warnings of one kind are only counted.
const MAX_OF_A_KIND: usize = 20;

/// Warnings of one kind.
struct Kind {
    places: Vec<(super::super::syntax::At, String)>,
    rest: &'static str,
}

impl Kind {
    fn new(rest: &'static str) -> Kind {
        Kind { places: Vec::new(), rest }
    }

    fn add(&mut self, at: &super::super::syntax::At, message: &str) {
        self.places.push((at.clone(), message.to_owned()));
    }

    fn tell(mut self, report: &mut Report<'_>) {
        self.places.sort_by_key(|(at, _)| at.start);
        let more = self.places.len().saturating_sub(MAX_OF_A_KIND);
        for (at, message) in self.places.iter().take(MAX_OF_A_KIND) {
            report.warn(at, message.as_str());
        }
        if let Some((at, _)) = self.places.get(MAX_OF_A_KIND) {
            report.warn(at, format!("{more} more {}", self.rest));
        }
    }
}

/// All warnings. The main node is the one at this position.
pub(super) fn warn(report: &mut Report<'_>, program: &Program, values: &[Option<Value>], main: usize) {
    let mut unguarded = Kind::new("unguarded `pre`, from here on");
    let mut divisors = Kind::new("divisors that are not constant, from here on");
    for (at, node) in program.nodes.iter().enumerate() {
        let roots = roots(node);
        for root in &roots {
            unguarded_pre(program, *root, &mut unguarded);
            open_divisors(program, *root, values, &mut divisors);
        }
        if let Some(at) = &node.realizable {
            report.warn(at, "`--%REALIZABLE` is ignored: propcov does not check realizability");
        }
        if at != main {
            for assertion in &node.assertions {
                let message = "this assertion is ignored, as in JKind: it is not in the main node";
                report.warn(&program.expr(*assertion).at, message);
            }
        }
    }
    unguarded.tell(report);
    divisors.tell(report);
}

fn roots(node: &Node) -> Vec<Id> {
    let equations = node.equations.iter().map(|equation| equation.value);
    let properties = node.properties.iter().map(|property| property.expr);
    equations.chain(node.assertions.iter().copied()).chain(properties).collect()
}

/// A `pre` that may be evaluated in the first step: one that is not on the right of `->`, or is inside another `pre` there, or in the argument of a node.
fn unguarded_pre(program: &Program, root: Id, warnings: &mut Kind) {
    let mut stack = vec![(root, false)];
    while let Some((id, guarded)) = stack.pop() {
        let expr = program.expr(id);
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Pre, inner) => match guarded {
                true => stack.push((*inner, false)),
                false => warnings.add(&expr.at, "unguarded `pre`: in the first step it has any value"),
            },
            ExprKind::Binary(BinaryOp::Arrow, first, later) => {
                stack.extend([(*first, guarded), (*later, true)])
            }
            ExprKind::Call(name, arguments) => {
                let is_function = program.functions.iter().any(|function| function.name.text == name.text);
                stack.extend(arguments.iter().map(|argument| (*argument, is_function && guarded)));
            }
            ExprKind::Condact { clock, arguments, defaults, .. } => {
                stack.extend(arguments.iter().map(|argument| (*argument, false)));
                stack.extend(std::iter::once(clock).chain(defaults).map(|operand| (*operand, guarded)));
            }
            kind => walk::operands(kind, |operand| stack.push((operand, guarded))),
        }
    }
}

fn open_divisors(program: &Program, root: Id, values: &[Option<Value>], warnings: &mut Kind) {
    for id in walk::subtree(program, root) {
        if let ExprKind::Binary(BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod, _, divisor) =
            program.expr(id).kind
            && values[divisor.0 as usize].is_none()
        {
            let message = "this divisor is not constant: nothing is certain where it is 0, and a property that depends on it may stay unknown";
            warnings.add(&program.expr(divisor).at, message);
        }
    }
}
