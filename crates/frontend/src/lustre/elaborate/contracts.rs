//! Contracts. What a node assumes, guarantees and does in its modes becomes a list of claims with [roles](Role), over its own variables and those of the contract, which become
//! local variables.
//!
//! Which claims are proved and which are assumed depends on where the node is (`lower::lowering::properties`): assumptions of the main node are assumed, and its guarantees
//! are proved. Where a node is called, its assumptions are proved, and its guarantees are proved for as long as the assumptions have held, which `~assumed` says. Of a node without
//! body, or one that is replaced by its contract, the guarantees are assumed for as long.
//!
//! A mode is a variable `name` that says whether all it requires holds. If it does, all it ensures has to hold. One of the modes has to be active in each step: that is
//! proved of the main node.

use super::{Binding, Bindings, Builder};
use crate::InputError;
use crate::lustre::syntax::{
    At, BinaryOp, ContractItem, ExprKind, Id, Name, PropertyDeclaration, Role, UnaryOp, Variable,
};

/// How many contracts may be imported by each other.
const MAX_DEPTH: usize = 20;

/// What says whether all assumptions have held so far.
pub(in super::super) const ASSUMED: &str = "~assumed";

impl Builder<'_, '_> {
    /// The claims of the node's contract.
    pub(super) fn contract(&mut self) -> Result<(), InputError> {
        let written = self.written;
        let Some((at, items)) = &written.sugar.contract else { return Ok(()) };
        let mut modes = Vec::new();
        self.contract_items(items, "", &mut modes, 0)?;
        if modes.is_empty() {
            return Ok(());
        }
        let mut any = None;
        for mode in &modes {
            let active = self.name(mode, at);
            any = Some(match any {
                None => active,
                Some(any) => self.add(ExprKind::Binary(BinaryOp::Or, any, active), at),
            });
        }
        if let Some(expr) = any {
            let name = Some(Name { text: "one mode active".to_owned(), at: at.clone() });
            let at = at.clone();
            self.node.properties.push(PropertyDeclaration { name, expr, at, role: Role::Exhaustive });
        }
        Ok(())
    }

    /// The claims of some items, whose names have a prefix such as `spec::`.
    fn contract_items(
        &mut self,
        items: &[ContractItem],
        prefix: &str,
        modes: &mut Vec<String>,
        depth: usize,
    ) -> Result<(), InputError> {
        // A mode may be referred to before it is written, and so may a variable.
        for item in items {
            match item {
                ContractItem::Mode { name, .. } => {
                    let variable = format!("{prefix}{}", name.text);
                    self.modes.insert(variable.clone(), variable);
                }
                ContractItem::Ghost(variables, ..) if !prefix.is_empty() => {
                    for variable in variables {
                        let text = variable.name.text.clone();
                        self.bindings.insert(text.clone(), Binding::Name(format!("{prefix}{text}")));
                    }
                }
                _ => {}
            }
        }
        for item in items {
            match item {
                ContractItem::Ghost(variables, value, at) => self.ghosts(variables, *value, at, prefix)?,
                ContractItem::Constant(constant) => self.local_constants(std::slice::from_ref(constant))?,
                ContractItem::Assume(name, expr, at) => {
                    self.claim(prefix, "assume", name.as_ref(), *expr, at, Role::Assumption)?;
                }
                ContractItem::Guarantee(name, expr, at) => {
                    self.claim(prefix, "guarantee", name.as_ref(), *expr, at, Role::Guarantee)?;
                }
                ContractItem::Mode { name, requires, ensures } => {
                    self.mode(prefix, name, requires, ensures)?;
                    modes.push(format!("{prefix}{}", name.text));
                }
                ContractItem::Import { name, inputs, outputs } => {
                    self.import((name, inputs, outputs), prefix, modes, depth)?;
                }
            }
        }
        Ok(())
    }

    /// Variables of the contract.
    fn ghosts(&mut self, variables: &[Variable], value: Id, at: &At, prefix: &str) -> Result<(), InputError> {
        let mut targets = Vec::new();
        for variable in variables {
            let text = format!("{prefix}{}", variable.name.text);
            let name = Name { text, at: variable.name.at.clone() };
            let variable = self.declare(&Variable { name, ..variable.clone() }, Role::Property)?;
            targets.push(variable.name.clone());
            self.node.locals.push(variable);
        }
        let value = self.rewrite(value)?;
        self.node.equations.push(crate::lustre::syntax::Equation { targets, value, at: at.clone() });
        Ok(())
    }

    /// The name of a claim: the user's, or the kind and the place, as Kind 2 has it.
    fn name_of(&self, prefix: &str, kind: &str, name: Option<&Name>, at: &At) -> Name {
        let text = match name {
            Some(name) => format!("{prefix}{}", name.text),
            None => {
                let (line, column) = self.elaborator.report.position(at.start);
                format!("{prefix}{kind}[l{line}c{column}]")
            }
        };
        Name { text, at: name.map_or(at.clone(), |name| name.at.clone()) }
    }

    fn claim(
        &mut self,
        prefix: &str,
        kind: &str,
        name: Option<&Name>,
        expr: Id,
        at: &At,
        role: Role,
    ) -> Result<(), InputError> {
        let name = self.name_of(prefix, kind, name, at);
        let expr = self.rewrite(expr)?;
        self.node.properties.push(PropertyDeclaration { name: Some(name), expr, at: at.clone(), role });
        Ok(())
    }

    fn mode(
        &mut self,
        prefix: &str,
        name: &Name,
        requires: &[(Option<Name>, Id, At)],
        ensures: &[(Option<Name>, Id, At)],
    ) -> Result<(), InputError> {
        let mut conditions = Vec::new();
        for (_, expr, _) in requires {
            conditions.push(self.rewrite(*expr)?);
        }
        let active = match self.conjunction(&conditions, &name.at) {
            Some(active) => active,
            None => self.add(ExprKind::Bool(true), &name.at),
        };
        let text = format!("{prefix}{}", name.text);
        let of = Builder::bool_type(&name.at);
        let variable =
            Variable { name: Name { text: text.clone(), at: name.at.clone() }, of, constant: false };
        self.define(variable, active, &name.at);
        for (ensured, expr, at) in ensures {
            let claimed = self.name_of(&format!("{text}."), "ensure", ensured.as_ref(), at);
            let (active, expr) = (self.name(&text, &name.at), self.rewrite(*expr)?);
            let expr = self.add(ExprKind::Binary(BinaryOp::Implies, active, expr), at);
            let role = Role::Guarantee;
            self.node.properties.push(PropertyDeclaration {
                name: Some(claimed),
                expr,
                at: at.clone(),
                role,
            });
        }
        Ok(())
    }

    /// A contract that another one is a part of: its inputs and outputs are variables with the values that are given.
    fn import(
        &mut self,
        (name, inputs, outputs): (&Name, &[Id], &[Id]),
        prefix: &str,
        modes: &mut Vec<String>,
        depth: usize,
    ) -> Result<(), InputError> {
        let from = self.elaborator.from;
        let Some(contract) = from.contracts.iter().find(|contract| contract.name.text == name.text) else {
            let near = crate::extra::did_you_mean(
                &name.text,
                from.contracts.iter().map(|contract| contract.name.text.as_str()),
            );
            return Err(self.error(&name.at, format!("there is no contract `{}`{near}", name.text)));
        };
        if depth > MAX_DEPTH {
            return Err(self.error(&name.at, format!("the contract `{}` imports itself", name.text)));
        }
        let (formal, actual) = (contract.inputs.len() + contract.outputs.len(), inputs.len() + outputs.len());
        if formal != actual || contract.inputs.len() != inputs.len() {
            let message = format!("expected {formal} arguments for `{}`, found {actual}", name.text);
            return Err(self.error(&name.at, message));
        }
        let mut inner = format!("{prefix}{}::", name.text);
        let mut number = 1;
        while self.declared.keys().chain(self.modes.keys()).any(|known| known.starts_with(&inner)) {
            number += 1;
            inner = format!("{prefix}{}{number}::", name.text);
        }
        let mut bindings = Bindings::default();
        for (formal, actual) in
            contract.inputs.iter().chain(&contract.outputs).zip(inputs.iter().chain(outputs))
        {
            let value = self.rewrite(*actual)?;
            let at = from.expr(*actual).at.clone();
            let binding = match (&self.elaborator.out.expr(value).kind, self.elaborator.value(value)) {
                (ExprKind::Name(name), _) if !self.elaborator.is_bounded(&formal.of) => {
                    Binding::Name(name.clone())
                }
                (_, Some(value)) if super::rewrite::literal(&value).is_some() => Binding::Literal(value),
                _ => {
                    let text = format!("{inner}{}", formal.name.text);
                    let name = Name { text: text.clone(), at: formal.name.at.clone() };
                    let variable =
                        self.declare(&Variable { name, constant: false, ..formal.clone() }, Role::Property)?;
                    self.define(variable, value, &at);
                    Binding::Name(text)
                }
            };
            bindings.insert(formal.name.text.clone(), binding);
        }
        let outer = std::mem::replace(&mut self.bindings, bindings);
        // Within the contract its modes have their own names.
        let outer_modes = self.modes.clone();
        let mut own = Vec::new();
        let result = self.imported_items(&contract.items, &inner, &mut own, depth);
        self.bindings = outer;
        let made = std::mem::replace(&mut self.modes, outer_modes);
        result?;
        modes.extend(own);
        // From outside a mode is `contract::mode`.
        for (path, variable) in made {
            if variable.starts_with(&inner) && path == variable {
                let outside = path.strip_prefix(prefix).unwrap_or(&path);
                self.modes.insert(outside.to_owned(), variable.clone());
                self.modes.insert(path, variable);
            }
        }
        Ok(())
    }

    /// The items of an imported contract, in which modes are known by their names without prefix.
    fn imported_items(
        &mut self,
        items: &[ContractItem],
        prefix: &str,
        modes: &mut Vec<String>,
        depth: usize,
    ) -> Result<(), InputError> {
        self.modes.clear();
        for item in items {
            if let ContractItem::Mode { name, .. } = item {
                self.modes.insert(name.text.clone(), format!("{prefix}{}", name.text));
            }
        }
        self.contract_items(items, prefix, modes, depth + 1)
    }

    /// Adds the variable that says whether all assumptions have held so far: `~assumed = a and (true -> pre ~assumed)`.
    pub(super) fn assumed(&mut self) {
        let at = self.node.name.at.clone();
        let assumptions: Vec<Id> = self
            .node
            .properties
            .iter()
            .filter(|property| property.role == Role::Assumption)
            .map(|property| property.expr)
            .collect();
        let guarantees = self.node.properties.iter().any(|property| property.role == Role::Guarantee);
        if self.is_main || !guarantees {
            return;
        }
        // Copies: each expression is a part of one other.
        let copies: Vec<Id> = assumptions.iter().map(|expr| self.elaborator.copy(*expr)).collect();
        let Some(all) = self.conjunction(&copies, &at) else { return };
        // Of a function only the assumptions of the step matter.
        let value = if self.written.is_function {
            all
        } else {
            let name = self.name(ASSUMED, &at);
            let pre = self.add(ExprKind::Unary(UnaryOp::Pre, name), &at);
            let yes = self.add(ExprKind::Bool(true), &at);
            let before = self.add(ExprKind::Binary(BinaryOp::Arrow, yes, pre), &at);
            self.add(ExprKind::Binary(BinaryOp::And, all, before), &at)
        };
        let name = Name { text: ASSUMED.to_owned(), at: at.clone() };
        let variable = Variable { name, of: Builder::bool_type(&at), constant: false };
        self.define(variable, value, &at);
    }
}

impl super::Elaborator<'_> {
    /// A copy of an expression of the new program.
    fn copy(&mut self, root: Id) -> Id {
        let copy = super::copy(&mut self.out, root);
        self.values.resize(self.out.exprs.len(), None);
        copy
    }
}
