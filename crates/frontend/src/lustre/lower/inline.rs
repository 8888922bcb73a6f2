//! Calls of nodes become variables and equations of the main node, in the order and with the names that JKind gives them.
//!
//! A call of `f` makes an instance: its variables are those of `f` with a prefix `f~0.`, its formal parameters are defined by the arguments, and the
//! value of the call is its outputs. Equations wait in a queue, those of the assertions' calls first, so that instances are numbered breadth first.
//! Two calls with equal arguments are one instance. Assertions of called nodes are dropped; their properties and `--%IVC` lines are not.
//!
//! The wires of the inlined main node are the elements, so tests can compare cores with the published ones, name by name.

use super::super::syntax::{At, Dialect, ExprKind, Id, Node, UnaryOp};
use super::{
    keys::Keys,
    names::{Meaning, Names, each_operand, variables},
    types::TypeId,
};
use crate::{InputError, text::Input};
use propcov_ir::Scope;
use rustc_hash::FxHashMap;

/// How many scalars all variables together may have: each level of calls may double them.
const MAX_SCALARS: usize = 1 << 22;

/// From so many on, the budget is looked at for each of them.
const MANY_INSTANCES: usize = 256;

/// Index of a variable in [`Inlined::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct VariableId(pub(super) u32);

/// Index of an instance in [`Inlined::instances`]; the main node is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InstanceId(pub(super) u32);

/// One call of a node, or the main node.
pub(super) struct Instance {
    /// Its position in the program.
    pub(super) node: usize,
    /// What the names of its variables begin with.
    pub(super) prefix: String,
    /// Where it is in the tree of calls.
    pub(super) path: Scope,
    first: u32,
    depth: usize,
}

/// A variable of the inlined main node.
pub(super) struct Variable {
    pub(super) name: VariableName,
    /// The instance that it is in.
    pub(super) scope: InstanceId,
    pub(super) of: TypeId,
    /// The position of its first scalar among all scalars.
    pub(super) first: usize,
    /// What defines it; nothing for inputs of the main node.
    pub(super) equation: Option<u32>,
    /// Whether the bounds of subranges in its type are assumed. They are not for what the translation adds.
    pub(super) is_declared: bool,
}

/// How a variable is called.
pub(super) enum VariableName {
    /// That of its instance, and its own: the variable of the node at this position.
    Written(u32),
    /// `~flatten` and a number, which goes up with each scalar.
    Flattened(u32),
}

/// An equation of the inlined main node.
pub(super) struct Equation {
    /// The instance whose variables the value is about.
    pub(super) scope: InstanceId,
    pub(super) value: Id,
    pub(super) targets: Vec<VariableId>,
    pub(super) at: At,
    /// The equation that the operand of a `pre` is in, where that is an equation of its own.
    pub(super) flattened_in: Option<usize>,
}

/// A property of the main node or of an instance.
pub(super) struct Property {
    pub(super) scope: InstanceId,
    /// The position in its node.
    pub(super) position: usize,
}

/// The main node with all calls inlined.
pub(super) struct Inlined<'p> {
    pub(super) names: Names<'p>,
    pub(super) instances: Vec<Instance>,
    pub(super) variables: Vec<Variable>,
    pub(super) equations: Vec<Equation>,
    pub(super) properties: Vec<Property>,
    /// The variables of all `--%IVC` lines, if there are any.
    pub(super) ivc: Option<Vec<VariableId>>,
    /// How many scalars the variables have together.
    pub(super) scalars: usize,
    /// The instance that each call is.
    calls: FxHashMap<(InstanceId, Id), InstanceId>,
    /// The variable that stands for the operand of a `pre`, where that is not distributed.
    flattened: FxHashMap<(InstanceId, Id), VariableId>,
    flatten_count: u32,
    /// How many instances of a node there are in an instance, by both.
    used_prefixes: FxHashMap<(InstanceId, usize), u32>,
    inlined_calls: FxHashMap<u32, InstanceId>,
    keys: Keys,
}

impl<'p> Inlined<'p> {
    /// Inlines all calls, beginning with the node at a position of the program.
    pub(super) fn new(input: &Input<'_>, names: Names<'p>, main: usize) -> Result<Inlined<'p>, InputError> {
        let mut inlined = Inlined {
            names,
            instances: Vec::new(),
            variables: Vec::new(),
            equations: Vec::new(),
            properties: Vec::new(),
            ivc: None,
            scalars: 0,
            calls: FxHashMap::default(),
            flattened: FxHashMap::default(),
            flatten_count: 0,
            used_prefixes: FxHashMap::default(),
            inlined_calls: FxHashMap::default(),
            keys: Keys::default(),
        };
        let scope = inlined.instance(input, main, (String::new(), Scope::TOP), 0)?;
        let node = &inlined.names.program.nodes[main];
        for assertion in &node.assertions {
            inlined.inline_calls(input, scope, *assertion)?;
        }
        inlined.add_equations(input, scope)?;
        let (mut equation, mut property) = (0, 0);
        loop {
            if let Some(Equation { scope, value, .. }) = inlined.equations.get(equation) {
                let (scope, value) = (*scope, *value);
                inlined.inline_calls(input, scope, value)?;
                equation += 1;
            } else if let Some(Property { scope, .. }) = inlined.properties.get(property) {
                let (scope, expr) = (*scope, inlined.property(property).expr);
                inlined.inline_calls(input, scope, expr)?;
                property += 1;
            } else {
                break;
            }
        }
        inlined.flatten_pres(input)?;
        Ok(inlined)
    }

    /// The node of an instance.
    pub(super) fn node(&self, scope: InstanceId) -> &'p Node {
        &self.names.program.nodes[self.instances[scope.0 as usize].node]
    }

    /// What a property's declaration says.
    pub(super) fn property(&self, at: usize) -> &'p super::super::syntax::PropertyDeclaration {
        let Property { scope, position } = self.properties[at];
        &self.node(scope).properties[position]
    }

    /// The name of a variable that is written, or of the first scalar of one that is not.
    pub(super) fn name_of(&self, id: VariableId) -> String {
        let variable = &self.variables[id.0 as usize];
        match variable.name {
            VariableName::Written(position) => {
                let own = variables(self.node(variable.scope)).nth(position as usize);
                let own = own.map_or("", |variable| variable.name.text.as_str());
                format!("{}{own}", self.instances[variable.scope.0 as usize].prefix)
            }
            VariableName::Flattened(number) => format!("~flatten{number}"),
        }
    }

    /// The name of a variable in its node; nothing if it is not written there.
    pub(super) fn own_name(&self, id: VariableId) -> &'p str {
        let variable = &self.variables[id.0 as usize];
        match variable.name {
            VariableName::Written(position) => variables(self.node(variable.scope))
                .nth(position as usize)
                .map_or("", |variable| variable.name.text.as_str()),
            VariableName::Flattened(_) => "",
        }
    }

    /// The variable at a position of an instance's node.
    pub(super) fn variable(&self, scope: InstanceId, position: u32) -> VariableId {
        VariableId(self.instances[scope.0 as usize].first + position)
    }

    /// The outputs of the instance that a call is.
    pub(super) fn outputs(&self, scope: InstanceId, call: Id) -> impl Iterator<Item = VariableId> + use<> {
        let callee = self.calls.get(&(scope, call)).copied();
        let (first, count) = callee.map_or((0, 0), |callee| {
            let node = self.node(callee);
            let first = self.instances[callee.0 as usize].first + node.inputs.len() as u32;
            (first, node.outputs.len() as u32)
        });
        (first..first + count).map(VariableId)
    }

    /// The variable that stands for the operand of a `pre` with temporal operators in it.
    pub(super) fn flattened(&self, scope: InstanceId, pre: Id) -> Option<VariableId> {
        self.flattened.get(&(scope, pre)).copied()
    }

    fn add_variable(
        &mut self,
        name: VariableName,
        scope: InstanceId,
        of: TypeId,
        is_declared: bool,
    ) -> VariableId {
        let first = self.scalars;
        self.scalars += self.names.types.size(of);
        self.variables.push(Variable { name, scope, of, first, equation: None, is_declared });
        VariableId(self.variables.len() as u32 - 1)
    }

    fn too_large(&self, input: &Input<'_>, at: &At) -> Result<(), InputError> {
        if self.scalars <= MAX_SCALARS {
            return Ok(());
        }
        let message = format!("with all calls inlined there are more than {MAX_SCALARS} variables");
        Err(input.error(at.clone(), message))
    }

    /// Adds the variables of an instance.
    fn instance(
        &mut self,
        input: &Input<'_>,
        node: usize,
        (prefix, path): (String, Scope),
        depth: usize,
    ) -> Result<InstanceId, InputError> {
        let written = &self.names.program.nodes[node];
        if depth > self.names.program.nodes.len() {
            let message = format!("the node `{}` calls itself", written.name.text);
            return Err(input.error(written.name.at.clone(), message));
        }
        let scope = InstanceId(self.instances.len() as u32);
        let first = self.variables.len() as u32;
        for (position, variable) in variables(written).enumerate() {
            let of = self.names.variables[node][position];
            let name = VariableName::Written(position as u32);
            self.add_variable(name, scope, of, !variable.name.text.starts_with('~'));
        }
        self.too_large(input, &written.name.at)?;
        self.instances.push(Instance { node, prefix, path, first, depth });
        self.properties.extend((0..written.properties.len()).map(|position| Property { scope, position }));
        for name in written.ivc.iter().flatten() {
            let Some(position) = self.names.variable(node, &name.text) else { continue };
            self.ivc.get_or_insert_default().push(VariableId(first + position));
        }
        if written.ivc.is_some() {
            self.ivc.get_or_insert_default();
        }
        Ok(scope)
    }

    fn add_equation(
        &mut self,
        input: &Input<'_>,
        scope: InstanceId,
        value: Id,
        targets: Vec<VariableId>,
        at: At,
    ) -> Result<(), InputError> {
        for target in &targets {
            let variable = &mut self.variables[target.0 as usize];
            if variable.equation.replace(self.equations.len() as u32).is_some() {
                return Err(input.error(at, "a variable is defined twice"));
            }
        }
        self.equations.push(Equation { scope, value, targets, at, flattened_in: None });
        Ok(())
    }

    /// Puts the equations of an instance into the queue.
    fn add_equations(&mut self, input: &Input<'_>, scope: InstanceId) -> Result<(), InputError> {
        let node = self.instances[scope.0 as usize].node;
        for equation in &self.node(scope).equations {
            let mut targets = Vec::with_capacity(equation.targets.len());
            for target in &equation.targets {
                let Some(position) = self.names.variable(node, &target.text) else {
                    let message = format!("`{}` is not declared", target.text);
                    return Err(input.error(target.at.clone(), message));
                };
                targets.push(self.variable(scope, position));
            }
            self.add_equation(input, scope, equation.value, targets, equation.at.clone())?;
        }
        Ok(())
    }

    /// Makes instances of the calls in an expression. What is in their arguments comes later: those are equations in the queue.
    fn inline_calls(&mut self, input: &Input<'_>, scope: InstanceId, root: Id) -> Result<(), InputError> {
        let program = self.names.program;
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            match (&program.expr(id).kind, self.names.meaning(id)) {
                (ExprKind::Call(_, arguments), Meaning::Node(node)) => {
                    self.inline_call(input, scope, id, arguments, node as usize)?;
                }
                (kind, _) => {
                    let start = stack.len();
                    each_operand(kind, |operand| stack.push(operand));
                    stack[start..].reverse();
                }
            }
        }
        Ok(())
    }

    fn inline_call(
        &mut self,
        input: &Input<'_>,
        scope: InstanceId,
        call: Id,
        arguments: &[Id],
        node: usize,
    ) -> Result<(), InputError> {
        // Names are as long as calls are deep: of many instances, each may be work enough.
        if self.instances.len() > MANY_INSTANCES {
            input.check_budget()?;
        }
        let Instance { ref prefix, ref path, first, depth, .. } = self.instances[scope.0 as usize];
        // What is merged is said by JKind's rules. Elsewhere two calls are two, though one expression that stands in two places is one.
        let key = match self.names.program.dialect {
            Dialect::JKind => Some(self.keys.call(input, &self.names, (scope, first, prefix), call)),
            _ if self.calls.contains_key(&(scope, call)) => return Ok(()),
            _ => None,
        };
        if let Some(callee) = key.and_then(|key| self.inlined_calls.get(&key)) {
            self.calls.insert((scope, call), *callee);
            return Ok(());
        }
        let callee = &self.names.program.nodes[node];
        let count = self.used_prefixes.entry((scope, node)).or_insert(0);
        let prefix = format!("{prefix}{}~{count}.", callee.name.text);
        let path = path.child(format!("{}~{count}", callee.name.text));
        *count += 1;
        let instance = self.instance(input, node, (prefix, path), depth + 1)?;
        if let Some(key) = key {
            self.inlined_calls.insert(key, instance);
        }
        self.calls.insert((scope, call), instance);
        for (position, argument) in (0..callee.inputs.len() as u32).zip(arguments) {
            let at = self.names.program.expr(*argument).at.clone();
            let target = self.variable(instance, position);
            self.add_equation(input, scope, *argument, vec![target], at)?;
        }
        self.add_equations(input, instance)
    }

    /// Gives a variable to the operand of each `pre` that has temporal operators in it, the inner ones first.
    fn flatten_pres(&mut self, input: &Input<'_>) -> Result<(), InputError> {
        let main = InstanceId(0);
        let mut roots: Vec<(InstanceId, Id)> =
            self.equations.iter().map(|equation| (equation.scope, equation.value)).collect();
        roots.extend(self.node(main).assertions.iter().map(|assertion| (main, *assertion)));
        roots
            .extend((0..self.properties.len()).map(|at| (self.properties[at].scope, self.property(at).expr)));
        let (program, equations) = (self.names.program, self.equations.len());
        for (position, (scope, root)) in roots.into_iter().enumerate() {
            let written_in = (position < equations).then_some(position);
            let mut stack = vec![(root, false)];
            while let Some((id, is_done)) = stack.pop() {
                if !self.names.is_temporal(id) {
                    continue;
                }
                let kind = &program.expr(id).kind;
                match kind {
                    ExprKind::Unary(UnaryOp::Pre, operand) if is_done => {
                        self.flatten(input, (scope, id), *operand, written_in)?;
                    }
                    ExprKind::Unary(UnaryOp::Pre, operand) => {
                        if self.names.is_temporal(*operand) {
                            stack.extend([(id, true), (*operand, false)]);
                        }
                    }
                    _ => {
                        let start = stack.len();
                        each_operand(kind, |operand| stack.push((operand, false)));
                        stack[start..].reverse();
                    }
                }
            }
        }
        Ok(())
    }

    fn flatten(
        &mut self,
        input: &Input<'_>,
        (scope, pre): (InstanceId, Id),
        operand: Id,
        written_in: Option<usize>,
    ) -> Result<(), InputError> {
        if self.flattened.contains_key(&(scope, pre)) {
            return Ok(());
        }
        let of = self.names.of(operand);
        let number = self.flatten_count;
        self.flatten_count += self.names.types.size(of) as u32;
        let variable = self.add_variable(VariableName::Flattened(number), scope, of, false);
        self.flattened.insert((scope, pre), variable);
        let at = self.names.program.expr(operand).at.clone();
        self.too_large(input, &at)?;
        self.add_equation(input, scope, operand, vec![variable], at)?;
        if let Some(equation) = self.equations.last_mut() {
            equation.flattened_in = written_in;
        }
        Ok(())
    }
}
