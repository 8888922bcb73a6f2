//! What the user should know about a file that is right.

use super::{
    super::{
        report::Report,
        syntax::{At, BinaryOp, ExprKind, Id, Node, Program, UnaryOp},
    },
    walk,
};

/// More warnings of one kind are only counted.
const MAX_OF_A_KIND: usize = 20;

/// Warnings of one kind.
struct Kind {
    places: Vec<(At, String)>,
    rest: &'static str,
}

impl Kind {
    fn new(rest: &'static str) -> Kind {
        Kind { places: Vec::new(), rest }
    }

    fn add(&mut self, at: &At, message: &str) {
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

/// All warnings that do not depend on which nodes are called; the others are given when the main node is lowered.
pub(super) fn warn(report: &mut Report<'_>, program: &Program) {
    contracts_in_comments(report);
    let mut unguarded = Kind::new("unguarded `pre`, from here on");
    for node in &program.nodes {
        for root in roots(node) {
            unguarded_pre(program, root, &mut unguarded);
        }
        if let Some(at) = &node.realizable {
            report.warn(at, "`--%REALIZABLE` is ignored: propcov does not check realizability");
        }
    }
    unguarded.tell(report);
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
                stack.extend([(*first, guarded), (*later, true)]);
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

/// Kind 2 writes contracts as comments, too. JKind does not read them.
fn contracts_in_comments(report: &mut Report<'_>) {
    const WORDS: [&str; 8] =
        ["contract", "assume", "guarantee", "require", "requires", "ensure", "ensures", "mode"];
    let is_contract = |line: &str| {
        let rest = line.trim_start().strip_prefix("--@")?;
        WORDS.contains(&rest.split_whitespace().next()?).then_some(())
    };
    if let Some(at) = report.first_line(|line| is_contract(line).is_some()) {
        report.warn(&at, "`--@` begins a comment: contracts are not supported, and what they say is ignored");
    }
}
