//! `DEFINE` and `x := e`: what is defined by other things of the same step.
//!
//! Each becomes a wire, after those that it reads, however they are ordered in the file; a circle is an error. The order is
//! found with an explicit stack, because chains of definitions can be long. A definition that is read at the next step
//! is lowered once more for that step: there are no wires of the next step.

use super::{
    assign::Assignment,
    hazard::Kept,
    lowering::{Lowering, Time},
    operand::Operand,
    path::Target,
    scope::{DefineId, InstanceId, Shape, VariableId},
    syntax::{Expr, ExprKind, Place},
    tree::Tree,
};
use crate::InputError;
use propcov_ir::{ConstraintKind, ElementKind, Site};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that is defined by other things of the same step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    Define(DefineId),
    Variable(VariableId),
}

/// An expression, its scope and the step at which it is read.
type Reading<'a> = (&'a Expr, InstanceId, Time);

/// The meaning of what has been defined so far.
#[derive(Default)]
pub(super) struct Definitions<'a> {
    /// The variables that are assigned their current value.
    pub(super) current: FxHashMap<VariableId, Assignment<'a>>,
    defines: FxHashMap<(DefineId, Time), Kept>,
    variables: FxHashMap<(VariableId, Time), Operand>,
    open: FxHashSet<(Item, Time)>,
}

impl Definitions<'_> {
    /// The value of a variable that is assigned its current value.
    pub(super) fn variable(&self, id: VariableId, time: Time) -> Option<&Operand> {
        self.variables.get(&(id, time))
    }

    fn is_done(&self, item: Item, time: Time) -> bool {
        match item {
            Item::Define(id) => self.defines.contains_key(&(id, time)),
            Item::Variable(id) => self.variables.contains_key(&(id, time)),
        }
    }
}

enum Step {
    Enter(Item, Time, Place),
    Finish(Item, Time),
}

impl<'a> Lowering<'a> {
    /// Gives all definitions their meaning.
    pub(super) fn define(&mut self) -> Result<(), InputError> {
        for index in 0..self.scopes.defines.len() {
            let define = &self.scopes.defines[index];
            let (value, scope, place) = (define.value, define.scope, define.place.clone());
            match &value.kind {
                ExprKind::ArrayLiteral(elements) => {
                    for element in elements {
                        self.prepare(element, scope, Time::Now)?;
                    }
                }
                _ => {
                    self.ensure(vec![Step::Enter(Item::Define(DefineId(index as u32)), Time::Now, place)])?;
                }
            }
        }
        for index in 0..self.scopes.variables.len() {
            let id = VariableId(index as u32);
            if let Some(assignment) = self.definitions.current.get(&id) {
                let place = assignment.place.clone();
                self.ensure(vec![Step::Enter(Item::Variable(id), Time::Now, place)])?;
            }
        }
        Ok(())
    }

    /// Sees to it that all that an expression refers to has its meaning.
    pub(super) fn prepare(
        &mut self,
        expr: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<(), InputError> {
        let steps = self.references((expr, scope, time))?;
        self.ensure(steps)
    }

    /// The meaning of a definition.
    pub(super) fn defined(&mut self, id: DefineId, place: &Place, time: Time) -> Result<Tree, InputError> {
        let Some(kept) = self.definitions.defines.get(&(id, time)).cloned() else {
            let name = &self.scopes.defines[id.0 as usize].name;
            return Err(self.error(place, format!("`{name}` depends on itself")));
        };
        Ok(match self.read(&kept)? {
            Tree::One(operand, _) => Tree::One(operand, place.clone()),
            tree => tree,
        })
    }

    fn ensure(&mut self, mut steps: Vec<Step>) -> Result<(), InputError> {
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(item, time, _) if self.definitions.is_done(item, time) => {}
                Step::Enter(item, time, place) => {
                    if !self.definitions.open.insert((item, time)) {
                        return Err(self.circle(item, time, &place, &steps));
                    }
                    let (value, scope) = self.definition_of(item);
                    let mut before = self.references((value, scope, time))?;
                    if time == Time::Next && matches!(item, Item::Variable(_)) {
                        before.push(Step::Enter(item, Time::Now, place));
                    }
                    steps.push(Step::Finish(item, time));
                    steps.append(&mut before);
                }
                Step::Finish(item, time) => {
                    match item {
                        Item::Define(id) => self.finish_define(id, time)?,
                        Item::Variable(id) => self.finish_variable(id, time)?,
                    }
                    self.definitions.open.remove(&(item, time));
                }
            }
        }
        Ok(())
    }

    fn definition_of(&self, item: Item) -> (&'a Expr, InstanceId) {
        match item {
            Item::Define(id) => {
                let define = &self.scopes.defines[id.0 as usize];
                (define.value, define.scope)
            }
            Item::Variable(id) => {
                let assignment = &self.definitions.current[&id];
                (assignment.value, assignment.scope)
            }
        }
    }

    fn item_name(&self, item: Item) -> &str {
        match item {
            Item::Define(id) => &self.scopes.defines[id.0 as usize].name,
            Item::Variable(id) => &self.scopes.variables[id.0 as usize].name,
        }
    }

    /// What is still to be finished is the current path.
    fn circle(&self, item: Item, time: Time, place: &Place, steps: &[Step]) -> InputError {
        let path = steps.iter().filter_map(|step| match step {
            Step::Finish(item, time) => Some((*item, *time)),
            Step::Enter(..) => None,
        });
        let path = path.skip_while(|open| *open != (item, time)).map(|(item, _)| self.item_name(item));
        let names: Vec<&str> = path.chain([self.item_name(item)]).collect();
        self.error(place, format!("definitions in a circle: {}", names.join(" -> ")))
    }

    /// The definitions that an expression refers to, with the place where it does; the last one first. Names are looked
    /// up in the order in which they are written, so that the first that is not defined is the one reported.
    fn references(&self, reading: Reading<'a>) -> Result<Vec<Step>, InputError> {
        let mut found = Vec::new();
        let mut arguments: FxHashSet<(*const Expr, InstanceId, Time)> = FxHashSet::default();
        let mut stack = vec![reading];
        while let Some((expr, scope, time)) = stack.pop() {
            let is_path = match &expr.kind {
                ExprKind::Name(_) | ExprKind::Dot(..) => true,
                ExprKind::Index(array, index) => {
                    if self.scopes.constant(index, scope, &self.report).is_none() {
                        stack.push((index, scope, time));
                        stack.push((array, scope, time));
                        continue;
                    }
                    true
                }
                _ => false,
            };
            if !is_path {
                let time = if matches!(expr.kind, ExprKind::Next(_)) { Time::Next } else { time };
                push_operands(&mut stack, (expr, scope, time));
                continue;
            }
            match self.scopes.resolve(expr, scope, &self.report)? {
                Target::Define(id) => found.push(Step::Enter(Item::Define(id), time, expr.place.clone())),
                Target::Shape(shape) => {
                    self.variables_of(&shape, &mut |id| {
                        if self.definitions.current.contains_key(&id) {
                            found.push(Step::Enter(Item::Variable(id), time, expr.place.clone()));
                        }
                    });
                }
                Target::Literals(elements, inner) => {
                    let new = elements.iter().rev().map(|element| (element, inner, time));
                    stack.extend(new.filter(|(element, inner, time)| {
                        arguments.insert((std::ptr::from_ref(*element), *inner, *time))
                    }));
                }
                Target::Value(value, inner) => {
                    if std::ptr::eq(value, expr) {
                        // A path with a varying index before a constant one.
                        push_operands(&mut stack, (expr, inner, time));
                    } else if arguments.insert((std::ptr::from_ref(value), inner, time)) {
                        stack.push((value, inner, time));
                    }
                }
                Target::Instance(_) | Target::Running(_) | Target::Symbol(_) => {}
            }
        }
        found.reverse();
        Ok(found)
    }

    fn variables_of(&self, shape: &Shape, found: &mut impl FnMut(VariableId)) {
        match shape {
            Shape::Variable(id) => found(*id),
            Shape::Array(_, elements) => {
                elements.iter().for_each(|element| self.variables_of(element, found));
            }
        }
    }

    fn finish_define(&mut self, id: DefineId, time: Time) -> Result<(), InputError> {
        let define = &self.scopes.defines[id.0 as usize];
        let (value, scope, place, name, home) =
            (define.value, define.scope, define.place.clone(), define.name.clone(), define.home);
        self.path.clear();
        let mut kept = self.keeping(|this| this.lower(value, scope, time))?;
        if !kept.tree.has_choice() {
            let mut operand = self.single(&kept.tree, &value.place)?;
            let (of, expr) = self.expression(&operand);
            let constant = matches!(operand, Operand::Constant(_));
            if time == Time::Now && !constant && !self.reads(expr).next {
                let wire = self.system.add_wire(name.clone(), expr);
                self.element(name, ElementKind::Equation, Site::Wire(wire), home, &[place]);
                let read = self.system.read(wire);
                operand = self.operand(&of, read);
            }
            kept.tree = Tree::One(operand, value.place.clone());
        }
        self.definitions.defines.insert((id, time), kept);
        Ok(())
    }

    fn finish_variable(&mut self, id: VariableId, time: Time) -> Result<(), InputError> {
        let assignment = self.definitions.current[&id].clone();
        let of = self.scopes.variables[id.0 as usize].of.clone();
        if let (Time::Next, Some(signal)) = (time, self.signals[id.0 as usize])
            && self.system.states().contains(&signal)
        {
            let next = self.system.exprs.next(signal, of.sort());
            let operand = self.operand(&of, next);
            self.definitions.variables.insert((id, time), operand);
            return Ok(());
        }
        self.path.clear();
        let tree = self.lower(assignment.value, assignment.scope, time)?;
        let operand = match time {
            Time::Next => {
                let expr = self.assemble(&tree, &of, &mut Vec::new(), &mut Vec::new())?;
                self.operand(&of, expr)
            }
            Time::Now => self.current_value(id, &assignment, &tree)?,
        };
        self.definitions.variables.insert((id, time), operand);
        Ok(())
    }

    /// A wire; or a state that any value of the set will do for, where the value is a set.
    fn current_value(
        &mut self,
        id: VariableId,
        assignment: &Assignment<'a>,
        tree: &Tree,
    ) -> Result<Operand, InputError> {
        let variable = &self.scopes.variables[id.0 as usize];
        let (of, name, home) = (variable.of.clone(), variable.name.clone(), variable.home);
        let places = std::slice::from_ref(&assignment.place);
        let what = format!("the value of {name}");
        let (signal, operand, expr) = if tree.has_choice() {
            let state = self.system.add_state(name.clone(), of.sort());
            self.signals[id.0 as usize] = Some(state);
            let read = self.system.read(state);
            let operand = self.operand(&of, read);
            let (expr, excluded) = self.one_of(&operand, tree, &name, &of)?;
            let constraint = self.system.add_constraint(name.clone(), ConstraintKind::Always, expr);
            self.element(name.clone(), ElementKind::Equation, Site::Constraint(constraint), home, places);
            self.exclude(&name, ConstraintKind::Always, excluded);
            (state, operand, expr)
        } else {
            let mut misfits = Vec::new();
            let expr = self.assemble(tree, &of, &mut Vec::new(), &mut misfits)?;
            let excluded = self.must_fit(&misfits, &name, &of)?;
            self.no_next_no_input(expr, &assignment.place, &what)?;
            let wire = self.system.add_wire(name.clone(), expr);
            self.element(name.clone(), ElementKind::Equation, Site::Wire(wire), home, places);
            self.exclude(&name, ConstraintKind::Always, excluded);
            let read = self.system.read(wire);
            (wire, self.operand(&of, read), expr)
        };
        self.no_next_no_input(expr, &assignment.place, &what)?;
        self.signals[id.0 as usize] = Some(signal);
        Ok(operand)
    }
}

/// Puts the operands of an expression on a stack, the first on top.
fn push_operands<'a>(stack: &mut Vec<Reading<'a>>, (expr, scope, time): Reading<'a>) {
    let before = stack.len();
    operands(expr, &mut |operand| stack.push((operand, scope, time)));
    stack[before..].reverse();
}

/// The direct operands of an expression.
pub(super) fn operands<'a>(expr: &'a Expr, found: &mut impl FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Name(_)
        | ExprKind::Boolean(_)
        | ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::Word(..) => {}
        ExprKind::Dot(a, _) | ExprKind::Unary(_, a) | ExprKind::Next(a) | ExprKind::Init(a) => found(a),
        ExprKind::Temporal(_, a) | ExprKind::Bounded(_, _, _, a) | ExprKind::Linear(_, _, a) => found(a),
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Range(a, b)
        | ExprKind::Until(_, a, b)
        | ExprKind::Release(_, a, b)
        | ExprKind::BoundedUntil(_, a, _, _, b)
        | ExprKind::LinearPair(_, a, b) => {
            found(a);
            found(b);
        }
        ExprKind::Bits(a, b, c) | ExprKind::Conditional(a, b, c) => {
            found(a);
            found(b);
            found(c);
        }
        ExprKind::Case(branches) => branches.iter().for_each(|(condition, value)| {
            found(condition);
            found(value);
        }),
        ExprKind::Set(elements) | ExprKind::ArrayLiteral(elements) | ExprKind::Call(_, elements) => {
            elements.iter().for_each(found);
        }
    }
}
