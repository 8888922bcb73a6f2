//! Clocks. A sampled stream `x when c` may only be used where its clock decides: in a case of `merge`, perhaps through operators that have no memory, and as
//! arguments of a call that is then active when the clock holds. There the values in other steps are never looked at, so the sampled stream is the stream itself, and
//! `merge c (true -> a) (false -> b)` is `if c then a else b`.
//!
//! `(activate f every c)(x)` is `condact` with any value at first, which nobody looks at either. A reset belongs to the node that is called: it becomes a part
//! of a node around it.

use super::{Builder, under};
use crate::InputError;
use crate::lustre::syntax::{
    At, BinaryOp, Equation, ExprKind, Id, Name, Node, Role, Type, TypeKind, UnaryOp, Variable,
};

impl Builder<'_, '_> {
    /// Notes which sampled streams are in a case of `merge`, with nothing between them that remembers.
    pub(super) fn mark_sampled(&mut self, root: Id) -> Result<(), InputError> {
        let from = self.elaborator.from;
        for id in under(from, root) {
            if let ExprKind::Activate { arguments, .. } = &from.expr(id).kind {
                // The arguments are only looked at when the node is active.
                let is_sampled = |id: &&Id| matches!(from.expr(**id).kind, ExprKind::When(..));
                self.sampled.extend(arguments.iter().filter(is_sampled));
            }
            let ExprKind::Merge(_, cases) = &from.expr(id).kind else { continue };
            cases.iter().try_for_each(|(_, case)| self.refuse_calls(*case))?;
            let mut stack: Vec<Id> = cases.iter().map(|(_, case)| *case).collect();
            while let Some(id) = stack.pop() {
                match &from.expr(id).kind {
                    ExprKind::When(..) => {
                        self.sampled.insert(id);
                    }
                    ExprKind::Unary(UnaryOp::Pre, _)
                    | ExprKind::Binary(BinaryOp::Arrow, ..)
                    | ExprKind::Call(..)
                    | ExprKind::Condact { .. }
                    | ExprKind::Restart { .. }
                    | ExprKind::Merge(..) => {}
                    ExprKind::Activate { .. } => {}
                    kind => crate::lustre::check::operands(kind, |operand| stack.push(operand)),
                }
            }
        }
        Ok(())
    }

    /// A node that is called in a case of `merge` is active when the case is, which has to be written with `activate`.
    fn refuse_calls(&self, case: Id) -> Result<(), InputError> {
        let from = self.elaborator.from;
        let mut stack = vec![case];
        while let Some(id) = stack.pop() {
            let expr = from.expr(id);
            match &expr.kind {
                ExprKind::Call(name, _)
                | ExprKind::Condact { node: name, .. }
                | ExprKind::Restart { node: name, .. }
                    if self.elaborator.nodes.contains_key(&name.text) =>
                {
                    let what = "a call in a case of `merge` without `activate`";
                    return Err(self.not_supported(&expr.at, what));
                }
                ExprKind::When(..) | ExprKind::Activate { .. } => {}
                kind => crate::lustre::check::operands(kind, |operand| stack.push(operand)),
            }
        }
        Ok(())
    }

    /// `merge`, as a choice.
    pub(super) fn merged(&mut self, clock: Id, cases: Vec<(Name, Id)>, at: &At) -> Result<Id, InputError> {
        let mut cases = cases.into_iter().rev();
        let Some((last, mut value)) = cases.next() else {
            return Err(self.error(at, "expected a case of `merge`, found none"));
        };
        let mut seen = vec![last.text.clone()];
        for (name, case) in cases {
            seen.push(name.text.clone());
            value = match name.text.as_str() {
                "true" => self.add(ExprKind::If(clock, case, value), at),
                "false" => self.add(ExprKind::If(clock, value, case), at),
                _ => {
                    let constant = self.name(&name.text, &name.at);
                    let here = self.add(ExprKind::Binary(BinaryOp::Equal, clock, constant), at);
                    self.add(ExprKind::If(here, case, value), at)
                }
            };
        }
        let expected: Vec<String> = match last.text.as_str() {
            "true" | "false" => vec!["true".to_owned(), "false".to_owned()],
            _ => self.elaborator.values_beside(&last.text),
        };
        if let Some(missing) = expected.iter().find(|value| !seen.contains(value)) {
            return Err(self.error(
                at,
                format!("expected a case for each value of the clock, found none for `{missing}`"),
            ));
        }
        Ok(value)
    }

    /// `(activate node every clock)(arguments)` with or without default values, and with a reset.
    pub(super) fn activated(
        &mut self,
        (clock, reset): (Id, Option<Id>),
        node: Name,
        arguments: Vec<Id>,
        defaults: Option<Vec<Id>>,
        at: &At,
    ) -> Result<ExprKind, InputError> {
        let outputs = self.outputs_of(&node)?;
        let (mut node, mut arguments) = self.specialised(node, arguments, at)?;
        let defaults = match defaults {
            Some(defaults) => defaults,
            None => {
                let open: Vec<String> =
                    outputs.iter().map(|output| self.open(output.of.clone(), at)).collect();
                open.iter().map(|name| self.name(name, at)).collect()
            }
        };
        if let Some(reset) = reset {
            node = self.with_reset(&node, &arguments)?;
            arguments.insert(0, reset);
        }
        Ok(ExprKind::Condact { clock, node, arguments, defaults })
    }

    /// The outputs of a node that is called, with their types. Those that depend on constant parameters have to be known without them.
    fn outputs_of(&mut self, node: &Name) -> Result<Vec<Variable>, InputError> {
        let from = self.elaborator.from;
        let Some(&at) = self.elaborator.nodes.get(&node.text) else {
            return Err(self.error(&node.at, format!("there is no node `{}`", node.text)));
        };
        let mut outputs = Vec::new();
        for output in &from.nodes[at].outputs {
            let of = self.elaborator.plain_type(&output.of, &super::Bindings::default())?;
            outputs.push(Variable { of, ..output.clone() });
        }
        Ok(outputs)
    }

    /// A node that calls another one with a reset, which is its first input.
    fn with_reset(&mut self, node: &Name, arguments: &[Id]) -> Result<Name, InputError> {
        let text = format!("{}~restart", node.text);
        let name = Name { text, at: node.at.clone() };
        if self.elaborator.out.nodes.iter().any(|other| other.name.text == name.text) {
            return Ok(name);
        }
        let from = self.elaborator.from;
        let written = node.text.split('<').next().unwrap_or_default();
        let Some(&position) = self.elaborator.nodes.get(written) else {
            return Err(self.error(&node.at, format!("there is no node `{}`", node.text)));
        };
        let callee = &from.nodes[position];
        let at = node.at.clone();
        let reset = Variable {
            name: Name { text: "~reset".to_owned(), at: at.clone() },
            of: Type { kind: TypeKind::Bool, at: at.clone() },
            constant: false,
        };
        let mut inputs = vec![reset];
        for input in callee.inputs.iter().filter(|input| !input.constant) {
            let of = self.elaborator.plain_type(&input.of, &super::Bindings::default())?;
            inputs.push(Variable { of, ..input.clone() });
        }
        if inputs.len() != arguments.len() + 1 {
            return Err(
                self.not_supported(&at, "a reset of a node with constant parameters that are not known")
            );
        }
        let outputs = self.outputs_of(&Name { text: written.to_owned(), at: at.clone() })?;
        let operands: Vec<Id> = inputs.iter().map(|input| self.name(&input.name.text, &at)).collect();
        let (reset, arguments) = (operands[0], operands[1..].to_vec());
        let value = self.add(ExprKind::Restart { reset, node: node.clone(), arguments }, &at);
        let targets = outputs.iter().map(|output| output.name.clone()).collect();
        self.elaborator.out.nodes.push(Node {
            equations: vec![Equation { targets, value, at: at.clone() }],
            ..Node::new(name.clone(), inputs, outputs)
        });
        Ok(name)
    }

    /// Something that is assumed wherever the node is.
    pub(super) fn assert(&mut self, expr: Id, at: &At) {
        let role = Role::Assertion;
        self.node.properties.push(crate::lustre::syntax::PropertyDeclaration {
            name: None,
            expr,
            at: at.clone(),
            role,
        });
    }
}

impl super::Elaborator<'_> {
    /// All values of the enumeration that has this one.
    fn values_beside(&self, value: &str) -> Vec<String> {
        for definition in &self.from.types {
            if let TypeKind::Enum(values) = &definition.definition.kind
                && values.iter().any(|other| other.text == value)
            {
                return values.iter().map(|name| name.text.clone()).collect();
            }
        }
        Vec::new()
    }
}
