//! Combinational loops: a variable that depends on its own value in the same step has no equation that could be evaluated.
//!
//! Dependencies are those of scalars after inlining, so a record's field may depend on another field of the same record, and a call is no loop
//! where the output that is used does not depend on the input in question. Each node is looked at once: what its callers need is, for each scalar of an
//! output, which scalars of the inputs it depends on within the step. `pre` ends a dependency. JKind only warns of loops, because it reads
//! equations as constraints; propcov evaluates them.

use super::{
    super::syntax::{BinaryOp, ExprKind, Id, Name, Node, UnaryOp},
    globals::Callable,
    node::Definitions,
    scope::{Role, Scope},
    types::{Kind, Ty},
    typing::Typing,
    value::Value,
};
use crate::InputError;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many dependencies may be followed in a node; far more than models have that are not made to be slow.
const MAX_STEPS: usize = 30_000_000;

/// For each scalar of the outputs, the scalars of the inputs it depends on.
pub(super) type Summary = Vec<Vec<usize>>;

/// Something that has one scalar value in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Vertex {
    Variable(usize, usize),
    Expr(Id, usize),
}

/// A node, and what is known about those it calls.
pub(super) struct Loops<'t, 'r, 'a, 's> {
    pub(super) typing: &'t Typing<'r, 'a>,
    pub(super) scope: &'s Scope<'a>,
    pub(super) node: &'a Node,
    pub(super) definitions: &'s Definitions,
    /// Of nodes that come before this one in the order of calls.
    pub(super) summaries: &'s [Option<Summary>],
}

impl Loops<'_, '_, '_, '_> {
    /// Refuses loops, and says what each output depends on.
    pub(super) fn check(&self) -> Result<Summary, InputError> {
        let mut steps = 0;
        self.find_loop(&mut steps)?;
        let mut offsets = FxHashMap::default();
        let mut inputs = 0;
        for (at, variable) in self.scope.variables.iter().enumerate() {
            if variable.role == Role::Input {
                offsets.insert(at, inputs);
                inputs += self.typing.globals.types.size(variable.ty);
            }
        }
        let mut summary = Vec::new();
        for (at, variable) in self.scope.variables.iter().enumerate() {
            if variable.role == Role::Output {
                for scalar in 0..self.typing.globals.types.size(variable.ty) {
                    summary.push(self.inputs_of(Vertex::Variable(at, scalar), &offsets, &mut steps)?);
                }
            }
        }
        Ok(summary)
    }

    fn count(&self, steps: &mut usize) -> Result<(), InputError> {
        *steps += 1;
        if *steps > MAX_STEPS {
            let message =
                format!("the arrays of the node `{}` are too large to look for loops", self.node.name.text);
            return Err(self.typing.error(&self.node.name.at, message));
        }
        Ok(())
    }

    fn find_loop(&self, steps: &mut usize) -> Result<(), InputError> {
        enum Step {
            Enter(Vertex),
            Leave(Vertex),
        }
        // Whether a vertex is on the path; what is not there was never seen.
        let mut open: FxHashMap<Vertex, bool> = FxHashMap::default();
        let mut path = Vec::new();
        let mut stack = Vec::new();
        for (at, variable) in self.scope.variables.iter().enumerate() {
            let scalars = 0..self.typing.globals.types.size(variable.ty);
            stack.extend(scalars.map(|scalar| Step::Enter(Vertex::Variable(at, scalar))));
        }
        stack.reverse();
        while let Some(step) = stack.pop() {
            self.count(steps)?;
            let vertex = match step {
                Step::Leave(vertex) => {
                    open.insert(vertex, false);
                    path.pop();
                    continue;
                }
                Step::Enter(vertex) => vertex,
            };
            match open.get(&vertex) {
                Some(false) => continue,
                Some(true) => {
                    let start = path.iter().position(|other| *other == vertex).unwrap_or(0);
                    return Err(self.explain(&path[start..]));
                }
                None => {}
            }
            open.insert(vertex, true);
            path.push(vertex);
            stack.push(Step::Leave(vertex));
            self.depends_on(vertex, &mut |next| stack.push(Step::Enter(next)));
        }
        Ok(())
    }

    /// The error about a loop: its variables, and the nodes it goes through.
    fn explain(&self, circle: &[Vertex]) -> InputError {
        let is_target = |vertex: &&Vertex| matches!(vertex, Vertex::Variable(..));
        let variables: Vec<&Vertex> = circle.iter().filter(is_target).collect();
        // Begin with the variable that is declared first.
        let first = variables.iter().map(|vertex| match vertex {
            Vertex::Variable(at, scalar) => (*at, *scalar),
            Vertex::Expr(..) => (usize::MAX, 0),
        });
        let first = first.min().map_or(Vertex::Variable(0, 0), |(at, scalar)| Vertex::Variable(at, scalar));
        let start = circle.iter().position(|vertex| *vertex == first).unwrap_or(0);
        let turned = circle[start..].iter().chain(&circle[..start]).chain([&circle[start]]);
        let name = |vertex: &Vertex| match vertex {
            Vertex::Variable(at, scalar) => {
                let variable = &self.scope.variables[*at];
                Some(self.typing.globals.types.scalar_name(variable.name, variable.ty, *scalar))
            }
            Vertex::Expr(id, _) => match &self.typing.globals.program.expr(*id).kind {
                ExprKind::Call(node, _) | ExprKind::Condact { node, .. } | ExprKind::Restart { node, .. } => {
                    Some(format!("{}(…)", node.text))
                }
                _ => None,
            },
        };
        let mut names: Vec<String> = turned.filter_map(name).collect();
        if names.len() > 12 {
            names.splice(6..names.len() - 5, ["…".to_owned()]);
        }
        let at = match first {
            Vertex::Variable(at, _) => self.target(at),
            Vertex::Expr(..) => None,
        };
        let at = at.map_or(&self.node.name.at, |name| &name.at);
        let message = format!("`{}` depends on itself in the same step: {}", names[0], names.join(" -> "));
        self.typing.error(at, message)
    }

    /// Where a variable is defined.
    fn target(&self, variable: usize) -> Option<&Name> {
        let (equation, position) = (*self.definitions.get(variable)?)?;
        self.node.equations[equation].targets.get(position)
    }

    /// The scalars of inputs that something depends on.
    fn inputs_of(
        &self,
        start: Vertex,
        offsets: &FxHashMap<usize, usize>,
        steps: &mut usize,
    ) -> Result<Vec<usize>, InputError> {
        let mut seen: FxHashSet<Vertex> = FxHashSet::default();
        let mut stack = vec![start];
        let mut found = Vec::new();
        while let Some(vertex) = stack.pop() {
            self.count(steps)?;
            if !seen.insert(vertex) {
                continue;
            }
            if let Vertex::Variable(at, scalar) = vertex
                && let Some(offset) = offsets.get(&at)
            {
                found.push(offset + scalar);
            }
            self.depends_on(vertex, &mut |next| stack.push(next));
        }
        found.sort_unstable();
        Ok(found)
    }

    fn size(&self, id: Id) -> usize {
        self.typing.globals.types.size(self.typing.of(id))
    }

    /// What determines a scalar in the same step.
    fn depends_on(&self, vertex: Vertex, visit: &mut dyn FnMut(Vertex)) {
        match vertex {
            Vertex::Variable(at, scalar) => {
                let Some((equation, position)) = self.definitions[at] else { return };
                let equation = &self.node.equations[equation];
                let before: usize = match self.typing.globals.types.kind(self.typing.of(equation.value)) {
                    Kind::Tuple(items) if equation.targets.len() != 1 => {
                        items[..position].iter().map(|ty| self.typing.globals.types.size(*ty)).sum()
                    }
                    _ => 0,
                };
                visit(Vertex::Expr(equation.value, before + scalar));
            }
            Vertex::Expr(id, scalar) => self.operands(id, scalar, visit),
        }
    }

    fn operands(&self, id: Id, scalar: usize, visit: &mut dyn FnMut(Vertex)) {
        match &self.typing.globals.program.expr(id).kind {
            ExprKind::Name(name) => {
                if let Some(variable) = self.scope.find(name) {
                    visit(Vertex::Variable(variable, scalar));
                }
            }
            ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Unary(UnaryOp::Pre, _) => {}
            ExprKind::ToReal(a) | ExprKind::Floor(a) | ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => {
                visit(Vertex::Expr(*a, scalar));
            }
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => self.all(&[*a, *b], visit),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|a| visit(Vertex::Expr(*a, scalar))),
            ExprKind::If(condition, a, b) => {
                visit(Vertex::Expr(*condition, 0));
                [a, b].into_iter().for_each(|a| visit(Vertex::Expr(*a, scalar)));
            }
            ExprKind::Array(items) | ExprKind::Tuple(items) => self.item(items.iter(), scalar, visit),
            ExprKind::Call(name, arguments) => self.call(name, arguments, scalar, visit),
            ExprKind::Condact { clock, node, arguments, defaults } => {
                visit(Vertex::Expr(*clock, 0));
                self.call(node, arguments, scalar, visit);
                self.item(defaults.iter(), scalar, visit);
            }
            ExprKind::Restart { reset, node, arguments } => {
                visit(Vertex::Expr(*reset, 0));
                self.call(node, arguments, scalar, visit);
            }
            kind => self.part(id, kind, scalar, visit),
        }
    }

    /// Fields and elements.
    fn part(&self, id: Id, kind: &ExprKind, scalar: usize, visit: &mut dyn FnMut(Vertex)) {
        let types = &self.typing.globals.types;
        let field = |record: Ty, name: &Name| types.field(record, &name.text).unwrap_or((0, record));
        match kind {
            ExprKind::Field(record, name) => {
                let (start, _) = field(self.typing.of(*record), name);
                visit(Vertex::Expr(*record, start + scalar));
            }
            ExprKind::FieldUpdate(record, name, value) => {
                let (start, ty) = field(self.typing.of(*record), name);
                match (start..start + types.size(ty)).contains(&scalar) {
                    true => visit(Vertex::Expr(*value, scalar - start)),
                    false => visit(Vertex::Expr(*record, scalar)),
                }
            }
            ExprKind::Record(_, given) => {
                for (name, value) in given {
                    let (start, ty) = field(self.typing.of(id), name);
                    if (start..start + types.size(ty)).contains(&scalar) {
                        visit(Vertex::Expr(*value, scalar - start));
                    }
                }
            }
            ExprKind::Element(array, index) => match self.index(*index) {
                Some(at) => visit(Vertex::Expr(*array, at * self.size(id) + scalar)),
                None => {
                    visit(Vertex::Expr(*index, 0));
                    let (whole, one) = (self.size(*array), self.size(id).max(1));
                    (scalar..whole).step_by(one).for_each(|at| visit(Vertex::Expr(*array, at)));
                }
            },
            ExprKind::ElementUpdate(array, index, value) => {
                let one = self.size(*value).max(1);
                let at = self.index(*index);
                if at.is_none() {
                    visit(Vertex::Expr(*index, 0));
                }
                if at.is_none_or(|at| at == scalar / one) {
                    visit(Vertex::Expr(*value, scalar % one));
                }
                if at.is_none_or(|at| at != scalar / one) {
                    visit(Vertex::Expr(*array, scalar));
                }
            }
            _ => {}
        }
    }

    /// A constant index.
    fn index(&self, id: Id) -> Option<usize> {
        match &self.typing.values[id.0 as usize] {
            Some(Value::Int(value)) => usize::try_from(value).ok(),
            _ => None,
        }
    }

    /// All scalars of some expressions.
    fn all(&self, exprs: &[Id], visit: &mut dyn FnMut(Vertex)) {
        for expr in exprs {
            (0..self.size(*expr)).for_each(|scalar| visit(Vertex::Expr(*expr, scalar)));
        }
    }

    /// The expression that a scalar of several in a row is in.
    fn item<'i>(&self, items: impl Iterator<Item = &'i Id>, scalar: usize, visit: &mut dyn FnMut(Vertex)) {
        let mut rest = scalar;
        for item in items {
            match rest.checked_sub(self.size(*item)) {
                Some(less) => rest = less,
                None => return visit(Vertex::Expr(*item, rest)),
            }
        }
    }

    fn call(&self, name: &Name, arguments: &[Id], scalar: usize, visit: &mut dyn FnMut(Vertex)) {
        match self.typing.globals.callables.get(name.text.as_str()) {
            Some(Callable::Node(node)) => {
                let summary = self.summaries[*node].as_ref();
                for input in summary.and_then(|summary| summary.get(scalar)).into_iter().flatten() {
                    self.item(arguments.iter(), *input, visit);
                }
            }
            _ => self.all(arguments, visit),
        }
    }
}
