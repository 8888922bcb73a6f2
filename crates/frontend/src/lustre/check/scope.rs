//! The variables of a node.

use super::{
    super::{
        report::Report,
        syntax::{At, Node},
    },
    globals::Globals,
    types::Ty,
};
use crate::InputError;
use rustc_hash::FxHashMap;

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Output,
    Local,
}

/// A variable of a node.
pub(super) struct Declared<'a> {
    pub(super) name: &'a str,
    pub(super) at: &'a At,
    pub(super) ty: Ty,
    pub(super) role: Role,
}

/// All variables of a node: inputs, outputs, locals. A constant is in none.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) variables: Vec<Declared<'a>>,
    by_name: FxHashMap<&'a str, usize>,
    /// Whether only constants may be used.
    pub(super) constant: bool,
}

impl<'a> Scope<'a> {
    pub(super) fn constant() -> Scope<'a> {
        Scope { constant: true, ..Scope::default() }
    }

    pub(super) fn of_node(
        report: &Report<'_>,
        globals: &mut Globals<'_>,
        node: &'a Node,
    ) -> Result<Scope<'a>, InputError> {
        let mut scope = Scope::default();
        let groups =
            [(&node.inputs, Role::Input), (&node.outputs, Role::Output), (&node.locals, Role::Local)];
        for (variables, role) in groups {
            for variable in variables {
                let ty = globals.resolve(report, &variable.of)?;
                let (name, at) = (variable.name.text.as_str(), &variable.name.at);
                scope.by_name.insert(name, scope.variables.len());
                scope.variables.push(Declared { name, at, ty, role });
            }
        }
        Ok(scope)
    }

    /// The position of a variable.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.variables.iter().map(|variable| variable.name)
    }
}
