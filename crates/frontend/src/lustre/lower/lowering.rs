//! Signals and their definitions, on demand: an equation is lowered after those that it reads in the same step.

use super::super::elaborate::ASSUMED;
use super::super::report::Report;
use super::super::syntax::{At, ExprKind, Id, Role};
use super::{
    decompose::{Part, Pieces},
    expression::Flat,
    inline::{Inlined, InstanceId, VariableId, VariableName},
    names::{Meaning, each_operand},
    types::Scalar,
};
use crate::InputError;
use propcov_ir::{
    BinaryOp, ConstraintKind, ElementKind, ExprId, Origin, Output, PropertyKind, Scope, SignalId, Site,
    SourceFile, System, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The value of what has not been lowered yet. What is made of it is not known either.
pub(super) const UNKNOWN: ExprId = ExprId(u32::MAX);

/// How often equations that are known in part may be looked at.
const MAX_ATTEMPTS: usize = 1_000_000;

/// How far an equation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Waiting,
    Open,
    Done,
}

/// A scalar that has a signal.
#[derive(Clone)]
pub(super) struct Lowered {
    pub(super) signal: SignalId,
    pub(super) read: ExprId,
}

/// A program on its way to a system.
pub(super) struct Lowering<'p> {
    pub(super) system: System,
    pub(super) report: Report<'p>,
    pub(super) inlined: Inlined<'p>,
    /// The signals of all scalars, once they have one.
    scalars: Vec<Option<Lowered>>,
    /// How many wires there are.
    known: usize,
    /// The states `pre x` of all scalars, once they are needed.
    pres: Vec<Option<ExprId>>,
    /// Those states and the scalars whose value they take.
    pending: Vec<(SignalId, usize)>,
    /// The state that is true in the first step only.
    first: Option<ExprId>,
    /// The tables of functions: one for each scalar of the result.
    pub(super) functions: FxHashMap<u32, Vec<ExprId>>,
    pub(super) constants: FxHashMap<u32, Flat>,
    /// Expressions that there has been a warning about.
    pub(super) warned: FxHashSet<Id>,
    /// The pieces of equations, if they are to be taken apart.
    pub(super) pieces: Option<Pieces>,
}

impl<'p> Lowering<'p> {
    pub(super) fn new(file: &SourceFile, report: Report<'p>, inlined: Inlined<'p>) -> Lowering<'p> {
        let mut system = System::new();
        system.add_file(file.clone());
        system.reserve(inlined.scalars * 2, inlined.scalars);
        let mut lowering = Lowering {
            system,
            report,
            scalars: vec![None; inlined.scalars],
            known: 0,
            pres: vec![None; inlined.scalars],
            inlined,
            pending: Vec::new(),
            first: None,
            functions: FxHashMap::default(),
            constants: FxHashMap::default(),
            warned: FxHashSet::default(),
            pieces: None,
        };
        lowering.add_inputs();
        lowering
    }

    pub(super) fn error(&self, at: &At, message: impl Into<String>) -> InputError {
        self.report.error(at, message)
    }

    /// Tells the user once about an expression.
    pub(super) fn warn_once(&mut self, id: Id, message: impl Into<String>) {
        if self.warned.insert(id) {
            let at = &self.inlined.names.program.expr(id).at;
            self.report.warn(at, message);
        }
    }

    /// The scalars of a variable, with their names.
    pub(super) fn scalars_of(&self, id: VariableId) -> Vec<Scalar> {
        let variable = &self.inlined.variables[id.0 as usize];
        let types = &self.inlined.names.types;
        match &variable.name {
            VariableName::Written(_) => types.scalars(variable.of, &self.inlined.name_of(id)),
            VariableName::Flattened(number) => {
                let mut scalars = types.scalars(variable.of, "");
                for (scalar, number) in scalars.iter_mut().zip(*number..) {
                    scalar.name = format!("~flatten{number}");
                }
                scalars
            }
        }
    }

    /// What no equation defines: inputs of the main node, and variables whose values are left open.
    fn add_inputs(&mut self) {
        for id in (0..self.inlined.variables.len() as u32).map(VariableId) {
            if self.inlined.variables[id.0 as usize].equation.is_some() {
                continue;
            }
            let first = self.inlined.variables[id.0 as usize].first;
            for (at, scalar) in self.scalars_of(id).into_iter().enumerate() {
                let is_made_up = self.inlined.own_name(id).starts_with('~');
                let signal = self.system.add_input(scalar.name, scalar.sort);
                if is_made_up {
                    self.system.set_origin(signal, Origin::Choice);
                }
                let read = self.system.read(signal);
                self.scalars[first + at] = Some(Lowered { signal, read });
            }
        }
    }

    /// Lowers all equations, each after those that it reads. Iterative: depth is no limit.
    ///
    /// An equation of a record, array or tuple may read what it defines, as long as no scalar does. Then some of its scalars are not known at
    /// first, and it is looked at again until all are.
    pub(super) fn equations(&mut self) -> Result<(), InputError> {
        let count = self.inlined.equations.len();
        let mut progress = vec![Progress::Waiting; count];
        let mut partial = Vec::new();
        for start in 0..count {
            self.report.go_on(start)?;
            let mut stack = vec![start];
            while let Some(&at) = stack.last() {
                if progress[at] == Progress::Waiting {
                    progress[at] = Progress::Open;
                    self.reads(at, |read| {
                        if progress[read] == Progress::Waiting {
                            stack.push(read);
                        }
                    });
                } else {
                    if progress[at] == Progress::Open && !self.define(at)? {
                        partial.push(at);
                    }
                    progress[at] = Progress::Done;
                    stack.pop();
                }
            }
        }
        self.complete(partial)
    }

    /// Looks at equations that are known in part until all is known.
    fn complete(&mut self, mut partial: Vec<usize>) -> Result<(), InputError> {
        let mut attempts = 0;
        while let Some(&first) = partial.first() {
            let known = self.known;
            for at in std::mem::take(&mut partial) {
                attempts += 1;
                if !self.define(at)? {
                    partial.push(at);
                }
            }
            if known == self.known || attempts > MAX_ATTEMPTS {
                return Err(self.loop_error(first));
            }
        }
        Ok(())
    }

    fn loop_error(&self, equation: usize) -> InputError {
        let equation = &self.inlined.equations[equation];
        let scalars = equation.targets.first().map(|target| self.scalars_of(*target)).unwrap_or_default();
        let name = scalars.first().map(|scalar| scalar.name.clone()).unwrap_or_default();
        self.error(&equation.at, format!("`{name}` depends on itself within one step"))
    }

    /// The equations that define what an equation reads in the same step.
    fn reads(&self, equation: usize, mut found: impl FnMut(usize)) {
        let Inlined { equations, names, variables, .. } = &self.inlined;
        let scope = equations[equation].scope;
        let mut stack = vec![equations[equation].value];
        let mut read = |id: VariableId| {
            if let Some(equation) = variables[id.0 as usize].equation {
                found(equation as usize);
            }
        };
        while let Some(id) = stack.pop() {
            match (&names.program.expr(id).kind, names.meaning(id)) {
                (ExprKind::Name(_), Meaning::Variable(position)) => {
                    read(self.inlined.variable(scope, position));
                }
                (ExprKind::Call(..), Meaning::Node(_)) => {
                    self.inlined.outputs(scope, id).for_each(&mut read);
                }
                (ExprKind::Unary(super::super::syntax::UnaryOp::Pre, _), _) => {}
                (kind, _) => each_operand(kind, |operand| stack.push(operand)),
            }
        }
    }

    /// Makes the wires of an equation, as far as their values are known. Says whether all are.
    fn define(&mut self, at: usize) -> Result<bool, InputError> {
        let equation = &self.inlined.equations[at];
        let (scope, value, targets) = (equation.scope, equation.value, equation.targets.clone());
        let parts = match self.is_decomposed(at) {
            true => self.parts(at)?,
            false => self.value(scope, value)?.scalars().iter().copied().map(Part::whole).collect(),
        };
        let mut parts = parts.iter();
        let mut is_complete = true;
        for target in targets {
            let first = self.inlined.variables[target.0 as usize].first;
            for (position, scalar) in self.scalars_of(target).into_iter().enumerate() {
                let Some(part) = parts.next() else {
                    let at = &self.inlined.equations[at].at;
                    return Err(self.error(at, "the value does not have the type of what it defines"));
                };
                if part.value == UNKNOWN {
                    is_complete = false;
                } else if self.scalars[first + position].is_none() {
                    let is_flattened =
                        matches!(self.inlined.variables[target.0 as usize].name, VariableName::Flattened(_));
                    let lowered = self.wire(scalar, is_flattened, part.value, at)?;
                    self.outermost(at, part, lowered.signal)?;
                    self.scalars[first + position] = Some(lowered);
                    self.known += 1;
                }
            }
        }
        Ok(is_complete)
    }

    fn wire(
        &mut self,
        scalar: Scalar,
        is_flattened: bool,
        value: ExprId,
        equation: usize,
    ) -> Result<Lowered, InputError> {
        let found = self.system.exprs.sort(value);
        if *found != scalar.sort {
            let message = format!("expected {}, found {found}", scalar.sort);
            return Err(self.error(&self.inlined.equations[equation].at, message));
        }
        let signal = self.system.add_wire(scalar.name, value);
        if is_flattened {
            self.system.set_origin(signal, Origin::Helper);
        }
        Ok(Lowered { signal, read: self.system.read(signal) })
    }

    /// The value of a variable in this step, as far as it is known.
    pub(super) fn now(&mut self, id: VariableId) -> Flat {
        let scalars = self.scalars[self.range(id)].iter();
        let reads = scalars.map(|scalar| scalar.as_ref().map_or(UNKNOWN, |lowered| lowered.read));
        Flat::from(reads.collect::<Vec<_>>())
    }

    fn range(&self, id: VariableId) -> std::ops::Range<usize> {
        let variable = &self.inlined.variables[id.0 as usize];
        variable.first..variable.first + self.inlined.names.types.size(variable.of)
    }

    /// The value of a variable in the step before.
    pub(super) fn before(&mut self, id: VariableId) -> Flat {
        let range = self.range(id);
        if self.pres[range.clone()].contains(&None) {
            for (scalar, at) in self.scalars_of(id).into_iter().zip(range.clone()) {
                let signal = self.system.add_state(format!("pre {}", scalar.name), scalar.sort);
                self.system.set_origin(signal, Origin::Helper);
                let read = self.system.read(signal);
                self.pres[at] = Some(read);
                self.pending.push((signal, at));
                if self.inlined.variables[id.0 as usize].is_declared
                    && let Some(bounds) = scalar.bounds
                {
                    let expr = self.within(read, bounds);
                    let name = format!("range of pre {}", scalar.name);
                    self.system.add_constraint(name, ConstraintKind::Initial, expr);
                }
            }
        }
        Flat::from(self.pres[range].iter().copied().flatten().collect::<Vec<_>>())
    }

    /// Whether this is the first step.
    pub(super) fn first(&mut self) -> ExprId {
        if let Some(first) = self.first {
            return first;
        }
        let signal = self.system.add_state("%first", propcov_ir::Sort::BOOL);
        self.system.set_origin(signal, Origin::Helper);
        let (initial, later) = (self.system.exprs.bool(true), self.system.exprs.bool(false));
        self.system.set_init(signal, initial);
        self.system.set_next(signal, later);
        let first = self.system.read(signal);
        self.first = Some(first);
        first
    }

    /// Each state `pre x` takes the value of x.
    pub(super) fn finish_states(&mut self) {
        for (state, scalar) in std::mem::take(&mut self.pending) {
            if let Some(scalar) = &self.scalars[scalar] {
                self.system.set_next(state, scalar.read);
            }
        }
    }

    /// The variables of the inlined main node that are no inputs, in order.
    pub(super) fn assigned(&self) -> impl Iterator<Item = VariableId> + use<> {
        let inputs = self.inlined.node(InstanceId(0)).inputs.len() as u32;
        (inputs..self.inlined.variables.len() as u32).map(VariableId)
    }

    /// Makes an element of each equation's wires, or elements of its pieces, in JKind's order of variables, and observes the outputs.
    pub(super) fn elements(&mut self) {
        let mut pieces = self.pieces_by_equation();
        for id in self.assigned() {
            let equation = self.inlined.variables[id.0 as usize].equation;
            if let Some((at, pieces)) = equation.and_then(|at| pieces.remove_entry(&(at as usize))) {
                self.elements_of_pieces(at, pieces);
            }
            // What is left open is an input.
            if equation.is_none() {
                continue;
            }
            let span = equation.map(|at| self.report.span(&self.inlined.equations[at as usize].at));
            for scalar in self.range(id) {
                let Some(Lowered { signal, .. }) = self.scalars[scalar] else { continue };
                let site = Site::Wire(signal);
                if self.system.element_at(site).is_none() {
                    let name = self.system.signal(signal).name.clone();
                    let element = self.system.add_element(name, ElementKind::Equation, site, span);
                    self.system.set_scope(element, self.path_of(id));
                }
            }
        }
        let main = self.inlined.node(InstanceId(0));
        let first = main.inputs.len();
        for position in first..first + main.outputs.len() {
            for scalar in self.range(VariableId(position as u32)) {
                if let Some(Lowered { signal, read }) = self.scalars[scalar] {
                    let name = self.system.signal(signal).name.clone();
                    self.system.outputs.push(Output { name, expr: read });
                }
            }
        }
    }

    /// Where in the tree of calls a variable is.
    pub(super) fn path_of(&self, id: VariableId) -> Scope {
        let InstanceId(scope) = self.inlined.variables[id.0 as usize].scope;
        self.inlined.instances[scope as usize].path.clone()
    }

    /// Assumes the bounds of subranges, of all variables that the user declared.
    ///
    /// For those with an equation they follow from the types of what they are made of, unless the equation is freed.
    pub(super) fn ranges(&mut self) {
        for id in (0..self.inlined.variables.len() as u32).map(VariableId) {
            let variable = &self.inlined.variables[id.0 as usize];
            if !variable.is_declared || !self.inlined.names.types.has_bounds(variable.of) {
                continue;
            }
            let range = self.range(id);
            for (scalar, at) in self.scalars_of(id).into_iter().zip(range) {
                if let (Some(bounds), Some(lowered)) = (scalar.bounds, self.scalars[at].clone()) {
                    let expr = self.within(lowered.read, bounds);
                    let name = format!("range of {}", scalar.name);
                    self.system.add_constraint(name, ConstraintKind::Always, expr);
                }
            }
        }
    }

    fn within(&mut self, value: ExprId, (low, high): (dashu_int::IBig, dashu_int::IBig)) -> ExprId {
        let exprs = &mut self.system.exprs;
        let (low, high) = (exprs.constant(Value::Int(low)), exprs.constant(Value::Int(high)));
        let (above, below) = (exprs.apply(BinaryOp::Le, low, value), exprs.apply(BinaryOp::Le, value, high));
        exprs.and(above, below)
    }

    /// The assertions of the main node; those of called nodes are dropped as JKind does.
    pub(super) fn assertions(&mut self) -> Result<(), InputError> {
        let main = InstanceId(0);
        for (number, assertion) in self.inlined.node(main).assertions.iter().enumerate() {
            let expr = self.condition(main, *assertion)?;
            let name = format!("assert~{number}");
            let constraint = self.system.add_constraint(name.as_str(), ConstraintKind::Always, expr);
            let span = self.report.span(&self.inlined.names.program.expr(*assertion).at);
            let site = Site::Constraint(constraint);
            self.system.add_element(name, ElementKind::Assumption, site, Some(span));
        }
        for instance in 1..self.inlined.instances.len() as u32 {
            let node = self.inlined.node(InstanceId(instance));
            if let Some(assertion) = node.assertions.first() {
                let name = &node.name.text;
                let message = format!("assertions of `{name}` are ignored where it is called, as JKind does");
                self.warn_once(*assertion, message);
            }
        }
        Ok(())
    }

    /// The properties of the main node, then those of called nodes. What a contract says is proved or assumed, by where its node is.
    pub(super) fn properties(&mut self) -> Result<(), InputError> {
        let (mut assertions, mut names) = (0, FxHashSet::default());
        for at in 0..self.inlined.properties.len() {
            let scope = self.inlined.properties[at].scope;
            let property = self.inlined.property(at);
            let is_main = scope == InstanceId(0);
            if property.role == Role::Exhaustive && !is_main {
                continue;
            }
            let mut expr = self.condition(scope, property.expr)?;
            let written = self.inlined.names.program.expr(property.expr);
            let name = match (&property.name, &written.kind) {
                (Some(name), _) => name.text.clone(),
                (None, _) if property.role == Role::Assertion => {
                    assertions += 1;
                    format!("assert~{}", assertions - 1)
                }
                (None, ExprKind::Name(name)) => name.clone(),
                (None, _) => self.report.text(&written.at),
            };
            let mut name = format!("{}{name}", self.inlined.instances[scope.0 as usize].prefix);
            if !names.insert(name.clone()) {
                let (line, column) = self.report.position(property.at.start);
                name = format!("{name}[l{line}c{column}]");
            }
            if property.role == Role::Guarantee && !is_main {
                expr = self.while_assumed(scope, expr, &property.at)?;
            }
            let span = Some(self.report.span(&property.at));
            let is_assumed = match property.role {
                Role::Property | Role::Exhaustive => false,
                Role::Assumption => is_main,
                Role::Guarantee => self.inlined.node(scope).is_abstract,
                Role::Assertion => true,
            };
            if is_assumed {
                let constraint = self.system.add_constraint(name.as_str(), ConstraintKind::Always, expr);
                let site = Site::Constraint(constraint);
                let element = self.system.add_element(name, ElementKind::Assumption, site, span);
                self.system.set_scope(element, self.inlined.instances[scope.0 as usize].path.clone());
            } else {
                self.system.add_property(name, PropertyKind::Invariant(expr), span);
            }
        }
        Ok(())
    }

    /// What has to hold as long as the assumptions of an instance have.
    fn while_assumed(&mut self, scope: InstanceId, expr: ExprId, at: &At) -> Result<ExprId, InputError> {
        let node = self.inlined.instances[scope.0 as usize].node;
        let Some(position) = self.inlined.names.variable(node, ASSUMED) else { return Ok(expr) };
        let variable = self.inlined.variable(scope, position);
        let Some(assumed) = self.now(variable).scalars().first().copied() else { return Ok(expr) };
        let not = self.unary(propcov_ir::UnaryOp::Not, assumed, at)?;
        self.binary(BinaryOp::Or, not, expr, at)
    }

    /// The names in `--%IVC` lines, if there are any.
    pub(super) fn ivc(&self) -> Option<Vec<String>> {
        let names = |id: &VariableId| self.scalars_of(*id).into_iter().map(|scalar| scalar.name);
        self.inlined.ivc.as_ref().map(|ivc| ivc.iter().flat_map(names).collect())
    }
}
