//! Assignments: who assigns what, and what `init` and `next` make of it.
//!
//! A value that is a set is a choice. For `next` it is made by an input of its own, so that the next value is a function
//! of state and inputs; for `init` it is a constraint on the first step. An assignment of a process only happens in
//! steps in which the process runs; in all others the variable keeps its value.

use super::{
    lowering::{Lowering, Time},
    operand::Operand,
    path::Target,
    scope::{InstanceId, Shape, VariableId},
    syntax::{AssignKind, Expr, Item as Entry, Place, VariableKind},
    tree::{Misfit, Tree},
    types::Type,
};
use crate::InputError;
use propcov_ir::{ConstraintKind, ElementKind, ExprId, SignalId, Site, Span};
use rustc_hash::FxHashMap;

/// What a variable is assigned, and where.
#[derive(Clone, Debug)]
pub(super) struct Assignment<'a> {
    pub(super) value: &'a Expr,
    pub(super) scope: InstanceId,
    /// The whole assignment.
    pub(super) place: Place,
    /// The process that makes it.
    pub(super) process: usize,
}

/// The assignments of the values of the first and of the next step.
#[derive(Default)]
pub(super) struct Assignments<'a> {
    init: FxHashMap<VariableId, Assignment<'a>>,
    /// One for each process.
    next: FxHashMap<VariableId, Vec<Assignment<'a>>>,
}

impl<'a> Lowering<'a> {
    /// Finds the variable of each assignment. Those of current values go to the definitions.
    pub(super) fn assignments(&mut self) -> Result<Assignments<'a>, InputError> {
        let mut assignments = Assignments::default();
        for index in 0..self.scopes.instances.len() {
            let scope = InstanceId(index as u32);
            let items = self.scopes.instances[index].items.clone();
            for item in items.iter() {
                if let Entry::Assign { kind, target, value, place } = item {
                    let id = self.assigned(target, scope)?;
                    let process = self.scopes.instances[index].process;
                    let assignment = Assignment { value, scope, place: place.clone(), process };
                    self.check_assignable(id, *kind, &target.place)?;
                    self.enter(&mut assignments, id, *kind, assignment, &target.place)?;
                }
            }
        }
        Ok(assignments)
    }

    /// The variable that an assignment is to.
    fn assigned(&self, target: &'a Expr, scope: InstanceId) -> Result<VariableId, InputError> {
        let text = self.report.text(&target.place);
        let what = match self.scopes.resolve(target, scope, &self.report)? {
            Target::Shape(Shape::Variable(id)) => return Ok(id),
            Target::Define(id) => {
                let line = self.report.line(self.scopes.defines[id.0 as usize].place.start);
                format!("a definition (line {line})")
            }
            Target::Shape(Shape::Array(..)) | Target::Literals(..) => {
                "an array, whose elements are assigned one by one".to_owned()
            }
            Target::Instance(_) => "an instance of a module".to_owned(),
            Target::Symbol(_) => "a symbol".to_owned(),
            Target::Value(value, _) => format!("`{}`", self.report.text(&value.place)),
            Target::Running(_) => "chosen in each step".to_owned(),
        };
        Err(self.error(&target.place, format!("only a variable can be assigned, and `{text}` is {what}")))
    }

    fn check_assignable(&self, id: VariableId, kind: AssignKind, place: &Place) -> Result<(), InputError> {
        let variable = &self.scopes.variables[id.0 as usize];
        match (variable.kind, kind) {
            (VariableKind::Input, _) => Err(self
                .error(place, format!("`{}` is an input (IVAR), which cannot be assigned", variable.name))),
            (VariableKind::Frozen, AssignKind::Next | AssignKind::Current) => {
                let message = format!(
                    "`{}` never changes (FROZENVAR): only its first value can be assigned",
                    variable.name
                );
                Err(self.error(place, message))
            }
            _ => Ok(()),
        }
    }

    fn enter(
        &mut self,
        assignments: &mut Assignments<'a>,
        id: VariableId,
        kind: AssignKind,
        assignment: Assignment<'a>,
        place: &Place,
    ) -> Result<(), InputError> {
        let same_process = |other: &&Assignment<'a>| other.process == assignment.process;
        let init = assignments.init.get(&id);
        let next = assignments.next.get(&id);
        let current = self.definitions.current.get(&id);
        let earlier = match kind {
            AssignKind::Current => current.or(init).or(next.and_then(|next| next.first())),
            AssignKind::Init => current.or(init),
            AssignKind::Next => current.or(next.and_then(|next| next.iter().find(same_process))),
        };
        if let Some(earlier) = earlier {
            let line = self.report.line(earlier.place.start);
            let name = &self.scopes.variables[id.0 as usize].name;
            let name = match kind {
                AssignKind::Current => name.clone(),
                AssignKind::Init => format!("init({name})"),
                AssignKind::Next => format!("next({name})"),
            };
            return Err(self.error(place, format!("`{name}` is already assigned in line {line}")));
        }
        match kind {
            AssignKind::Current => {
                self.definitions.current.insert(id, assignment);
            }
            AssignKind::Init => {
                assignments.init.insert(id, assignment);
            }
            AssignKind::Next => assignments.next.entry(id).or_default().push(assignment),
        }
        Ok(())
    }

    /// Gives the variables their signals; those with a current value get theirs when that is lowered.
    pub(super) fn add_signals(&mut self) {
        self.signals = vec![None; self.scopes.variables.len()];
        for (index, variable) in self.scopes.variables.iter().enumerate() {
            if self.definitions.current.contains_key(&VariableId(index as u32)) {
                continue;
            }
            let (name, sort) = (variable.name.clone(), variable.of.sort());
            let signal = match variable.kind {
                VariableKind::Input => self.system.add_input(name, sort),
                VariableKind::State => self.system.add_state(name, sort),
                VariableKind::Frozen => {
                    let state = self.system.add_state(name, sort);
                    let value = self.system.read(state);
                    self.system.set_next(state, value);
                    state
                }
            };
            self.signals[index] = Some(signal);
        }
    }

    /// Gives states their first and next values.
    pub(super) fn assign(&mut self, assignments: &Assignments<'a>) -> Result<(), InputError> {
        let mut pending = Vec::new();
        for index in 0..self.scopes.variables.len() {
            let id = VariableId(index as u32);
            let Some(signal) = self.signals[index] else { continue };
            if let Some(init) = assignments.init.get(&id) {
                self.assign_init(id, signal, init)?;
            }
            if let Some(next) = assignments.next.get(&id) {
                let value = self.assign_next(id, signal, next)?;
                let places: Vec<Place> = next.iter().map(|assignment| assignment.place.clone()).collect();
                let home = self.scopes.variables[index].home;
                if self.reads(value).next {
                    pending.push(super::substitute::Pending { state: signal, value, home, places });
                } else {
                    self.set_next(signal, value, home, &places);
                }
            }
        }
        self.settle(&pending)
    }

    /// Gives a state its next value, which processes may assign at several places.
    pub(super) fn set_next(&mut self, state: SignalId, value: ExprId, home: InstanceId, places: &[Place]) {
        self.system.set_next(state, value);
        let name = self.system.signal(state).name.clone();
        self.element(name, ElementKind::Register, Site::Next(state), home, places);
    }

    /// Adds an element of an instance, which is written at these places.
    pub(super) fn element(
        &mut self,
        name: String,
        kind: ElementKind,
        site: Site,
        home: InstanceId,
        places: &[Place],
    ) {
        let spans: Vec<Span> = places.iter().map(|place| self.report.span(place)).collect();
        let element = self.system.add_element(name, kind, site, spans);
        self.system.set_scope(element, self.scopes.instances[home.0 as usize].path.clone());
    }

    fn assign_init(
        &mut self,
        id: VariableId,
        signal: SignalId,
        init: &Assignment<'a>,
    ) -> Result<(), InputError> {
        self.prepare(init.value, init.scope, Time::Now)?;
        let tree = self.lower_assigned(init)?;
        let of = self.scopes.variables[id.0 as usize].of.clone();
        let home = self.scopes.variables[id.0 as usize].home;
        let variable = self.scopes.variables[id.0 as usize].name.clone();
        let name = format!("init({variable})");
        let places = std::slice::from_ref(&init.place);
        let what = format!("the initial value of {variable}");
        if tree.has_choice() {
            let read = self.system.read(signal);
            let operand = self.operand(&of, read);
            let (expr, excluded) = self.one_of(&operand, &tree, &variable, &of)?;
            self.no_next_no_input(expr, &init.place, &what)?;
            let constraint = self.system.add_constraint(name.clone(), ConstraintKind::Initial, expr);
            self.element(name.clone(), ElementKind::Init, Site::Constraint(constraint), home, places);
            self.exclude(&name, ConstraintKind::Initial, excluded);
            return Ok(());
        }
        let mut misfits = Vec::new();
        let expr = self.assemble(&tree, &of, &mut Vec::new(), &mut misfits)?;
        let excluded = self.must_fit(&misfits, &variable, &of)?;
        self.no_next_no_input(expr, &init.place, &what)?;
        self.system.set_init(signal, expr);
        self.element(name.clone(), ElementKind::Init, Site::Init(signal), home, places);
        self.exclude(&name, ConstraintKind::Initial, excluded);
        Ok(())
    }

    fn lower_assigned(&mut self, assignment: &Assignment<'a>) -> Result<Tree, InputError> {
        self.path.clear();
        self.lower(assignment.value, assignment.scope, Time::Now)
    }

    /// The next value as a function, whoever of the processes runs.
    fn assign_next(
        &mut self,
        id: VariableId,
        signal: SignalId,
        assignments: &[Assignment<'a>],
    ) -> Result<ExprId, InputError> {
        let variable = &self.scopes.variables[id.0 as usize];
        let (of, name) = (variable.of.clone(), variable.name.clone());
        let mut result = self.system.read(signal);
        for assignment in assignments.iter().rev() {
            self.prepare(assignment.value, assignment.scope, Time::Now)?;
            let tree = self.lower_assigned(assignment)?;
            let mut misfits = Vec::new();
            let expr = self.chosen(&tree, &of, &format!("next({name})?"), &mut misfits)?;
            let excluded = self.must_fit(&misfits, &name, &of)?;
            let runs = match self.selector {
                Some(selector) => self.runs(selector, assignment.process),
                None => self.truth(true),
            };
            let excluded: Vec<ExprId> = excluded.into_iter().map(|when| self.and(runs, when)).collect();
            self.exclude(&format!("next({name})"), ConstraintKind::Transition, excluded);
            result = self.ite(runs, expr, result);
        }
        Ok(result)
    }

    /// Whether a variable has one of the values of a tree; and what has to be excluded for that to be all values of its
    /// type.
    pub(super) fn one_of(
        &mut self,
        variable: &Operand,
        tree: &Tree,
        name: &str,
        of: &Type,
    ) -> Result<(ExprId, Vec<ExprId>), InputError> {
        let mut misfits = Vec::new();
        let expr = self.member_of_type(variable, tree, of, &mut Vec::new(), &mut misfits)?;
        let excluded = self.must_fit(&misfits, name, of)?;
        Ok((expr, excluded))
    }

    fn member_of_type(
        &mut self,
        variable: &Operand,
        tree: &Tree,
        of: &Type,
        path: &mut Vec<ExprId>,
        misfits: &mut Vec<Misfit>,
    ) -> Result<ExprId, InputError> {
        match tree {
            Tree::One(operand, place) => {
                let value = self.fit(operand, of, place, path, misfits)?;
                let (_, own) = self.expression(variable);
                Ok(self.same(own, value))
            }
            Tree::Choice(elements) => {
                let mut any = self.truth(false);
                for element in elements {
                    let here = self.member_of_type(variable, element, of, path, misfits)?;
                    any = self.or(any, here);
                }
                Ok(any)
            }
            Tree::Case(branches) => {
                let start = path.len();
                let mut values = Vec::with_capacity(branches.len());
                for (condition, branch) in branches.iter() {
                    path.push(*condition);
                    values.push(self.member_of_type(variable, branch, of, path, misfits)?);
                    path.pop();
                    let otherwise = self.not(*condition);
                    path.push(otherwise);
                }
                path.truncate(start);
                Ok(self.first_of(branches.iter().map(|(condition, _)| *condition), &values))
            }
        }
    }

    /// Leaves out what is not known to be in range.
    pub(super) fn exclude(&mut self, name: &str, kind: ConstraintKind, excluded: Vec<ExprId>) {
        for when in excluded {
            let never = self.not(when);
            self.system.add_constraint(format!("{name} is in range"), kind, never);
        }
    }

    /// Values of states and first steps depend on states alone.
    pub(super) fn no_next_no_input(
        &mut self,
        expr: ExprId,
        place: &Place,
        what: &str,
    ) -> Result<(), InputError> {
        let reads = self.reads(expr);
        if reads.next {
            return Err(self.error(place, format!("{what} cannot refer to the next step")));
        }
        if reads.input {
            return Err(self.error(place, format!("{what} cannot depend on inputs (IVAR, running)")));
        }
        Ok(())
    }

    /// Where the initial value of one of these signals is assigned.
    pub(super) fn place_of_init(&self, assignments: &Assignments<'a>, names: &[String]) -> Option<Place> {
        let ids = (0..self.scopes.variables.len()).map(|index| VariableId(index as u32));
        let mut named = ids.filter(|id| names.contains(&self.scopes.variables[id.0 as usize].name));
        named.find_map(|id| assignments.init.get(&id)).map(|init| init.place.clone())
    }
}
