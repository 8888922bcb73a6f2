//! Names such as `a[0].b` and `node~0.x`, which JKind gives to what it made itself.
//!
//! A file that JKind wrote after flattening has a single node, neither types nor constants, and such names for its variables. In such a file, and only
//! there, `a[0].b` is a name. Anywhere else it is an element and its field, and `~` is left for the names of inlined variables.

use super::super::syntax::{ExprKind, Name, Node, Program, TypeKind};
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

fn variables(node: &Node) -> impl Iterator<Item = &super::super::syntax::Variable> {
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
    for node in &program.nodes {
        variables(node).try_for_each(|variable| check(&variable.name))?;
        node.equations.iter().flat_map(|equation| &equation.targets).try_for_each(check)?;
        node.ivc.iter().flatten().try_for_each(check)?;
    }
    for function in &program.functions {
        function.inputs.iter().chain(&function.outputs).try_for_each(|variable| check(&variable.name))?;
    }
    Ok(())
}
