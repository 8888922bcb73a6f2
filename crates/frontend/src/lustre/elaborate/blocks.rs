//! Equations, and blocks that have equations in them.
//!
//! `if c then x = a; else x = b; fi` is `x = if c then a else b`: the condition is one expression that all variables share. In a frame a variable that is not
//! defined in a branch keeps its value: `initial -> pre x`. An equation of elements `a[i] = e` is one of the whole array, with `e` once for each index.

use super::{Binding, Builder};
use crate::InputError;
use crate::lustre::syntax::{
    At, BinaryOp, Block, Equation, ExprKind, Id, Name, Type, TypeKind, UnaryOp, Variable,
};

/// How many elements all equations of elements may have together.
const MAX_ELEMENTS: usize = 1 << 16;

/// Definitions of variables in a branch, in order, and where each is written.
pub(super) type Defined = Vec<(Name, Id, At)>;

impl Builder<'_, '_> {
    /// The equations of the node.
    pub(super) fn blocks(&mut self, blocks: &[Block]) -> Result<(), InputError> {
        for block in blocks {
            match block {
                Block::Equation(equation) => {
                    let value = self.rewrite(equation.value)?;
                    let (targets, at) = (equation.targets.clone(), equation.at.clone());
                    self.node.equations.push(Equation { targets, value, at });
                }
                Block::Automaton(automaton) => self.automaton(automaton)?,
                block => {
                    for (target, value, at) in self.defined(std::slice::from_ref(block))? {
                        self.node.equations.push(Equation { targets: vec![target], value, at });
                    }
                }
            }
        }
        Ok(())
    }

    /// What blocks define.
    fn defined(&mut self, blocks: &[Block]) -> Result<Defined, InputError> {
        let mut all = Defined::new();
        for block in blocks {
            match block {
                Block::Equation(equation) => self.of_equation(equation, &mut all)?,
                Block::Elements { target, indices, value, at } => {
                    let value = self.elements(target, indices, *value, at)?;
                    all.push((target.clone(), value, at.clone()));
                }
                Block::If { condition, then, otherwise, at } => {
                    let condition = self.rewrite(*condition)?;
                    let (then, otherwise) = (self.defined(then)?, self.defined(otherwise)?);
                    all.extend(self.chosen(condition, then, otherwise, at)?);
                }
                Block::Frame { variables, initial, body, at } => {
                    all.extend(self.framed(variables, initial, body, at)?);
                }
                Block::Automaton(automaton) => {
                    return Err(self.not_supported(&automaton.name.at, "an automaton in another block"));
                }
            }
        }
        Ok(all)
    }

    /// One definition for each variable. Several values of a call are variables of their own.
    fn of_equation(&mut self, equation: &Equation, all: &mut Defined) -> Result<(), InputError> {
        let value = self.rewrite(equation.value)?;
        if let [target] = equation.targets.as_slice() {
            all.push((target.clone(), value, equation.at.clone()));
            return Ok(());
        }
        if let ExprKind::Tuple(parts) = &self.elaborator.out.expr(value).kind
            && parts.len() == equation.targets.len()
        {
            let parts = parts.clone();
            all.extend(
                equation
                    .targets
                    .iter()
                    .cloned()
                    .zip(parts)
                    .map(|(target, part)| (target, part, equation.at.clone())),
            );
            return Ok(());
        }
        let mut targets = Vec::new();
        for target in &equation.targets {
            let Some(of) = self.declared.get(&target.text).cloned() else {
                return Err(self.error(&target.at, format!("there is no variable `{}`", target.text)));
            };
            let name = self.helper(&target.text, of, &target.at);
            let read = self.name(&name.text, &target.at);
            all.push((target.clone(), read, equation.at.clone()));
            targets.push(name);
        }
        self.node.equations.push(Equation { targets, value, at: equation.at.clone() });
        Ok(())
    }

    /// A local variable for a part of a construct.
    pub(super) fn helper(&mut self, of_what: &str, of: Type, at: &At) -> Name {
        let name = Name { text: format!("~{of_what}{}", self.fresh), at: at.clone() };
        self.fresh += 1;
        self.declared.insert(name.text.clone(), of.clone());
        self.node.locals.push(Variable { name: name.clone(), of, constant: false });
        name
    }

    /// The definitions of two branches as one.
    fn chosen(
        &mut self,
        condition: Id,
        then: Defined,
        otherwise: Defined,
        at: &At,
    ) -> Result<Defined, InputError> {
        let mut all = Defined::new();
        let mut otherwise: Vec<Option<(Name, Id, At)>> = otherwise.into_iter().map(Some).collect();
        for (target, value, _) in then {
            let same = otherwise
                .iter_mut()
                .find(|other| other.as_ref().is_some_and(|(name, ..)| name.text == target.text));
            let other = match same.and_then(Option::take) {
                Some((_, other, _)) => other,
                None => self.undefined(&target, at)?,
            };
            let value = self.add(ExprKind::If(condition, value, other), at);
            all.push((target, value, at.clone()));
        }
        for (target, value, _) in otherwise.into_iter().flatten() {
            let other = self.undefined(&target, at)?;
            let value = self.add(ExprKind::If(condition, other, value), at);
            all.push((target, value, at.clone()));
        }
        Ok(all)
    }

    /// What a variable is in a branch that does not define it.
    fn undefined(&mut self, target: &Name, at: &At) -> Result<Id, InputError> {
        match self.frame.contains_key(&target.text) {
            true => Ok(self.held(target, at)),
            false => Err(self.error(
                &target.at,
                format!("`{}` is not defined in all branches, and in no frame", target.text),
            )),
        }
    }

    /// The value of a frame's variable in the step before, at first its initial value.
    pub(super) fn held(&mut self, name: &Name, at: &At) -> Id {
        let variable = self.name(&name.text, at);
        let pre = self.add(ExprKind::Unary(UnaryOp::Pre, variable), at);
        match self.frame.get(&name.text).copied().flatten() {
            Some(initial) => self.add(ExprKind::Binary(BinaryOp::Arrow, initial, pre), at),
            None => pre,
        }
    }

    fn framed(
        &mut self,
        variables: &[Name],
        initial: &[Block],
        body: &[Block],
        at: &At,
    ) -> Result<Defined, InputError> {
        let mut frame: rustc_hash::FxHashMap<String, Option<Id>> =
            variables.iter().map(|name| (name.text.clone(), None)).collect();
        for (target, value, _) in self.defined(initial)? {
            match frame.get_mut(&target.text) {
                Some(slot) => *slot = Some(value),
                None => {
                    return Err(
                        self.error(&target.at, format!("`{}` is no variable of this frame", target.text))
                    );
                }
            }
        }
        let outer = std::mem::replace(&mut self.frame, frame);
        let body = self.defined(body);
        let result = body.map(|mut all| {
            for variable in variables {
                if !all.iter().any(|(target, ..)| target.text == variable.text) {
                    let held = self.held(variable, at);
                    all.push((variable.clone(), held, at.clone()));
                }
            }
            all
        });
        self.frame = outer;
        result
    }

    /// An array whose elements are given by an expression of their indices.
    fn elements(&mut self, target: &Name, indices: &[Name], value: Id, at: &At) -> Result<Id, InputError> {
        let Some(of) = self.declared.get(&target.text).cloned() else {
            return Err(self.error(&target.at, format!("there is no variable `{}`", target.text)));
        };
        let mut sizes = Vec::new();
        let mut rest = of;
        for index in indices {
            rest = self.elaborator.definition(rest);
            let TypeKind::Array(element, size) = rest.kind else {
                return Err(self.error(
                    &index.at,
                    format!("expected an index of an array, found more of them than `{}` has", target.text),
                ));
            };
            sizes.push(size);
            rest = *element;
        }
        let count = sizes.iter().fold(1usize, |all, size| all.saturating_mul(*size));
        if count > MAX_ELEMENTS {
            return Err(self.error(at, format!("this equation is about more than {MAX_ELEMENTS} elements")));
        }
        let outer = self.bindings.clone();
        let mut items = Vec::with_capacity(count);
        for position in 0..count {
            // Of two indices with one name the last one counts.
            let mut rest = position;
            let mut values = Vec::new();
            for size in sizes.iter().rev() {
                values.push(rest % size);
                rest /= size;
            }
            for (index, value) in indices.iter().zip(values.into_iter().rev()) {
                let binding = Binding::Literal(crate::lustre::check::Value::Int(value.into()));
                self.bindings.insert(index.text.clone(), binding);
            }
            items.push(self.rewrite(value)?);
        }
        self.bindings = outer;
        // The innermost arrays first.
        for size in sizes.iter().rev() {
            items = items
                .chunks(*size)
                .map(|chunk| chunk.to_vec())
                .collect::<Vec<_>>()
                .into_iter()
                .map(|chunk| self.add(ExprKind::Array(chunk), at))
                .collect();
        }
        items.first().copied().ok_or_else(|| self.error(at, "expected elements, found an empty array"))
    }
}

impl super::Elaborator<'_> {
    /// What a name of a type stands for, as far as that is not a name itself.
    fn definition(&self, mut of: Type) -> Type {
        for _ in 0..=self.out.types.len() {
            let TypeKind::Named(name) = &of.kind else { break };
            match self.out.types.iter().find(|definition| definition.name.text == *name) {
                Some(definition) => of = definition.definition.clone(),
                None => break,
            }
        }
        of
    }
}
