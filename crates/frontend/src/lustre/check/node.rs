//! What is inside a node: equations, assertions, properties and `--%IVC`. Each output and local has exactly one equation.

use super::{
    super::syntax::{At, Equation, ExprKind, Id, Name, Node},
    scope::{Role, Scope},
    types::{Kind, Ty, Types},
    typing::{Typing, count},
};
use crate::{InputError, extra::did_you_mean};
use rustc_hash::FxHashMap;

/// Where the equation of each variable is: which one, and which of its targets.
pub(super) type Definitions = Vec<Option<(usize, usize)>>;

impl Typing<'_, '_> {
    /// Checks a node, and gives the equation of each variable.
    pub(super) fn node(&mut self, scope: &Scope<'_>, node: &Node) -> Result<Definitions, InputError> {
        // In the order of the file, so that the first error is the first one for the user, too.
        let mut items: Vec<(Id, Result<&Equation, &str>)> = Vec::new();
        items.extend(node.equations.iter().map(|equation| (equation.value, Ok(equation))));
        items.extend(node.assertions.iter().map(|assertion| (*assertion, Err(" as an assertion"))));
        items.extend(node.properties.iter().map(|property| (property.expr, Err(" as a property"))));
        items.sort_by_key(|(id, _)| *id);
        for (value, item) in items {
            match item {
                Ok(equation) => self.equation(scope, equation)?,
                Err(what) => {
                    self.expression(scope, value)?;
                    self.require(value, Types::BOOL, what)?;
                }
            }
        }
        let definitions = self.definitions(scope, node)?;
        self.properties(node)?;
        self.validity_core(scope, node)?;
        Ok(definitions)
    }

    fn equation(&mut self, scope: &Scope<'_>, equation: &Equation) -> Result<(), InputError> {
        let mut expected: Vec<(&Name, Ty)> = Vec::with_capacity(equation.targets.len());
        for target in &equation.targets {
            expected.push((target, self.target(scope, target)?));
        }
        let ty = self.expression(scope, equation.value)?;
        let types = &self.globals.types;
        if let [(name, expected)] = expected.as_slice() {
            return self.require(equation.value, *expected, &format!(" for `{}`", name.text));
        }
        let actual = match types.kind(ty) {
            Kind::Tuple(items) => items.clone(),
            _ => vec![ty],
        };
        if actual.len() != expected.len() {
            let (values, variables) = (count(actual.len(), "value"), count(expected.len(), "variable"));
            return Err(self
                .error(self.at(equation.value), format!("expected values for {variables}, found {values}")));
        }
        for (position, ((name, expected), actual)) in expected.iter().zip(actual).enumerate() {
            if types.assignable(*expected, actual) {
                continue;
            }
            let at = self.part(equation.value, position);
            let bounds = types.plain(*expected) == types.plain(actual);
            let [expected, actual] =
                [*expected, actual].map(|ty| if bounds { types.exact(ty) } else { types.plain(ty) });
            return Err(self.error(at, format!("expected {expected} for `{}`, found {actual}", name.text)));
        }
        Ok(())
    }

    /// Where one of several values is written.
    fn part(&self, value: Id, position: usize) -> &At {
        match &self.globals.program.expr(value).kind {
            ExprKind::Tuple(items) => items.get(position).map_or(self.at(value), |item| self.at(*item)),
            _ => self.at(value),
        }
    }

    /// The type of a variable on the left of an equation.
    fn target(&self, scope: &Scope<'_>, target: &Name) -> Result<Ty, InputError> {
        let found = match scope.find(&target.text) {
            Some(variable) => match scope.variables[variable].role {
                Role::Output | Role::Local => return Ok(scope.variables[variable].ty),
                Role::Input => "an input",
            },
            None if self.globals.constants.contains_key(target.text.as_str()) => "a constant",
            None if self.globals.values.contains_key(target.text.as_str()) => "a value of an enumeration",
            None => {
                let near = did_you_mean(&target.text, scope.names());
                return Err(self.error(&target.at, format!("there is no variable `{}`{near}", target.text)));
            }
        };
        let message =
            format!("expected an output or a local variable, found `{}`, which is {found}", target.text);
        Err(self.error(&target.at, message))
    }

    fn definitions(&self, scope: &Scope<'_>, node: &Node) -> Result<Definitions, InputError> {
        let mut definitions: Definitions = vec![None; scope.variables.len()];
        for (equation, at) in node.equations.iter().zip(0..) {
            for (target, position) in equation.targets.iter().zip(0..) {
                let Some(variable) = scope.find(&target.text) else { continue };
                if let Some((first, _)) = definitions[variable] {
                    let line = self.report.line(node.equations[first].at.start);
                    let message = format!("`{}` is defined twice; first defined in line {line}", target.text);
                    return Err(self.error(&target.at, message));
                }
                definitions[variable] = Some((at, position));
            }
        }
        let variables = scope.variables.iter().zip(&definitions);
        let missing =
            variables.filter(|(variable, definition)| variable.role != Role::Input && definition.is_none());
        let mut missing = missing.filter(|(variable, _)| node.free.iter().all(|free| free != variable.name));
        match missing.next() {
            None => Ok(definitions),
            Some((variable, _)) => {
                let what = if variable.role == Role::Output { "output" } else { "local variable" };
                let message = format!(
                    "the {what} `{}` of the node `{}` has no equation",
                    variable.name, node.name.text
                );
                Err(self.error(variable.at, message))
            }
        }
    }

    /// Names of properties are unique in a node.
    fn properties(&self, node: &Node) -> Result<(), InputError> {
        // Elsewhere a claim may be written twice; it is told apart by its place.
        if self.globals.program.dialect.is_extended() {
            return Ok(());
        }
        let mut seen: FxHashMap<String, usize> = FxHashMap::default();
        for property in &node.properties {
            let (name, at) = match &property.name {
                Some(name) => (name.text.clone(), &name.at),
                None => (self.report.text(self.at(property.expr)), self.at(property.expr)),
            };
            if let Some(first) = seen.get(&name) {
                let line = self.report.line(*first);
                let name = crate::text::quote(name.as_bytes());
                return Err(
                    self.error(at, format!("the property {name} is given twice; first given in line {line}"))
                );
            }
            seen.insert(name, at.start);
        }
        Ok(())
    }

    fn validity_core(&self, scope: &Scope<'_>, node: &Node) -> Result<(), InputError> {
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        for name in node.ivc.iter().flatten() {
            if let Some(first) = seen.insert(&name.text, name.at.start) {
                let line = self.report.line(first);
                let message = format!("`{}` is named twice by `--%IVC`; first in line {line}", name.text);
                return Err(self.error(&name.at, message));
            }
            self.target(scope, name)?;
        }
        Ok(())
    }
}
