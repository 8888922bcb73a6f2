//! Names such as `a[0].b` and `node~0.x`, which JKind gives to what it made itself.
//!
//! A file that JKind wrote after flattening has a single node, neither types nor constants, and such names for its variables. In such a file, and only
//! there, `a[0].b` is a name. Anywhere else it is an element and its field, and `~` is left for the names of inlined variables.

use super::{
    super::syntax::{ExprKind, Id, Name, Node, Program, TypeKind, Variable},
    Parser,
};
use crate::{InputError, text::Input};

/// Turns elements and fields into names where a file was flattened; refuses such names elsewhere.
pub(super) fn flatten(input: &Input<'_>, program: &mut Program) -> Result<(), InputError> {
    if !is_flattened(program) {
        return refuse(input, program);
    }
    // Operands come first: what is inside is a name already.
    for at in 0..program.exprs.len() {
        let text = match &program.exprs[at].kind {
            ExprKind::Field(inner, field) => match &program.expr(*inner).kind {
                ExprKind::Name(name) => format!("{name}.{}", field.text),
                _ => continue,
            },
            ExprKind::Element(inner, index) => match (&program.expr(*inner).kind, &program.expr(*index).kind)
            {
                (ExprKind::Name(name), ExprKind::Int(index)) => format!("{name}[{index}]"),
                _ => continue,
            },
            _ => continue,
        };
        program.exprs[at].kind = ExprKind::Name(text);
    }
    Ok(())
}

impl Parser<'_> {
    /// Whether an expression is an element or a field of a name: before a parenthesis it is the name of a function.
    pub(super) fn is_access(&self, value: Id) -> bool {
        let mut value = value;
        let mut depth = 0;
        loop {
            value = match &self.program.expr(value).kind {
                ExprKind::Name(_) => return depth > 0,
                ExprKind::Field(inner, _) => *inner,
                ExprKind::Element(inner, index) => match self.program.expr(*index).kind {
                    ExprKind::Int(_) => *inner,
                    _ => return false,
                },
                _ => return false,
            };
            depth += 1;
        }
    }

    /// Takes back such an expression, which is the last one that was added.
    pub(super) fn extended_callee(&mut self, value: Id) -> Name {
        let at = self.at_of(value);
        while let Some(expr) = self.program.exprs.pop() {
            if matches!(expr.kind, ExprKind::Name(_)) {
                break;
            }
        }
        let text = self.text(&at).split_whitespace().collect();
        Name { text, at }
    }
}

fn variables(node: &Node) -> impl Iterator<Item = &Variable> {
    node.inputs.iter().chain(&node.outputs).chain(&node.locals)
}

fn is_flattened(program: &Program) -> bool {
    let [node] = program.nodes.as_slice() else { return false };
    program.types.is_empty()
        && program.constants.is_empty()
        && variables(node).all(|variable| !matches!(variable.of.kind, TypeKind::Array(..)))
}

fn refuse(input: &Input<'_>, program: &Program) -> Result<(), InputError> {
    let check = |name: &Name| match name.text.find(['~', '[', '.']) {
        None => Ok(()),
        Some(_) if name.text.contains('~') => {
            let message =
                format!("expected a name, found `{}`: `~` is for names of variables of calls", name.text);
            Err(input.error(name.at.clone(), message))
        }
        Some(_) => Err(input.error(
            name.at.clone(),
            format!("expected a name, found `{}`: a record or an array is defined as a whole", name.text),
        )),
    };
    for definition in &program.types {
        if let TypeKind::Record(fields) = &definition.definition.kind {
            fields.iter().try_for_each(|field| check(&field.name))?;
        }
    }
    for node in &program.nodes {
        variables(node).try_for_each(|variable| check(&variable.name))?;
        node.equations.iter().flat_map(|equation| &equation.targets).try_for_each(check)?;
        node.ivc.iter().flatten().try_for_each(check)?;
    }
    for function in &program.functions {
        check(&function.name)?;
        function.inputs.iter().chain(&function.outputs).try_for_each(|variable| check(&variable.name))?;
    }
    Ok(())
}
