//! Expressions: from the syntax tree to values of the system.
//!
//! An expression has its meaning in an instance and at a time: `next(e)` is e at the next step, in which each state is
//! replaced by its next value and each definition by its meaning there.

use super::{
    facts::{Facts, Reads},
    hazard::{Hazard, Kept},
    operand::Operand,
    path::Target,
    report::Report,
    scope::{InstanceId, Scopes, Shape, VariableId},
    syntax::{BinaryOp, Expr, ExprKind, Place},
    tree::Tree,
    types::{MAX_VALUES, Scalar, Types},
};
use crate::{Distance, InputError};
use propcov_ir::{ExprId, SignalId, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How deep expressions may be nested when parameters are replaced by what they stand for.
const MAX_DEPTH: u32 = 1200;

/// The step at which an expression is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Time {
    Now,
    Next,
}

/// A model on its way to a system.
pub(super) struct Lowering<'a> {
    pub(super) report: Report<'a>,
    pub(super) scopes: Scopes<'a>,
    pub(super) system: System,
    pub(super) types: Types,
    /// The signal of each variable, by its id, once there is one.
    pub(super) signals: Vec<Option<SignalId>>,
    /// The meaning of definitions and of variables that are assigned their current value.
    pub(super) definitions: super::definition::Definitions<'a>,
    /// What parameters stand for, by the expression's address, its instance and time.
    pub(super) arguments: FxHashMap<(*const Expr, InstanceId, Time), Kept>,
    /// Those of them that are being lowered.
    open_arguments: FxHashSet<(*const Expr, InstanceId, Time)>,
    /// The conditions under which the expression is read that is being lowered: those that hold, and those that do not.
    pub(super) path: Vec<(ExprId, bool)>,
    /// What must not happen in the definition or argument that is being lowered.
    pub(super) kept: Option<Vec<Hazard>>,
    /// The input that chooses the process, where there are processes.
    pub(super) selector: Option<SignalId>,
    /// Places that there has been a warning about.
    pub(super) warned: FxHashSet<usize>,
    /// Whether the user knows what a division of words by zero yields.
    pub(super) warned_division: bool,
    /// Whether the user knows that 0 and 1 were taken as truth values.
    pub(super) old_booleans: bool,
    /// The states that tell whether a condition on transitions held.
    pub(super) monitors: FxHashMap<ExprId, ExprId>,
    /// What is to be computed.
    pub(super) distances: Vec<Distance>,
    facts: Facts,
    depth: u32,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(report: Report<'a>, scopes: Scopes<'a>, system: System) -> Lowering<'a> {
        Lowering {
            report,
            scopes,
            system,
            types: Types::default(),
            signals: Vec::new(),
            definitions: super::definition::Definitions::default(),
            arguments: FxHashMap::default(),
            open_arguments: FxHashSet::default(),
            path: Vec::new(),
            kept: None,
            selector: None,
            warned: FxHashSet::default(),
            warned_division: false,
            old_booleans: false,
            monitors: FxHashMap::default(),
            distances: Vec::new(),
            facts: Facts::default(),
            depth: 0,
        }
    }

    pub(super) fn error(&self, place: &Place, message: impl Into<String>) -> InputError {
        self.report.error(place, message)
    }

    /// What an expression of the system reads.
    pub(super) fn reads(&mut self, expr: ExprId) -> Reads {
        self.facts.of(&self.system, expr)
    }

    /// Tells the user once that 0 and 1 are taken as truth values.
    pub(super) fn note_old_boolean(&mut self, place: &Place) {
        if !std::mem::replace(&mut self.old_booleans, true) {
            self.report.warn(place, "0 and 1 are taken as FALSE and TRUE, here and elsewhere in this file");
        }
    }

    /// The truth value of an expression.
    pub(super) fn condition(
        &mut self,
        expr: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<ExprId, InputError> {
        let operand = self.value(expr, scope, time)?;
        self.boolean(&operand, &expr.place)
    }

    /// The value of an expression that is no set.
    pub(super) fn value(
        &mut self,
        expr: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<Operand, InputError> {
        let tree = self.lower(expr, scope, time)?;
        self.single(&tree, &expr.place)
    }

    /// The value of an expression, with its alternatives. What it refers to has been prepared.
    pub(super) fn lower(
        &mut self,
        expr: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<Tree, InputError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(&expr.place, "this expression is nested too deep, parameters included"));
        }
        let result = self.lower_kind(expr, scope, time);
        self.depth -= 1;
        result
    }

    fn lower_kind(&mut self, expr: &'a Expr, scope: InstanceId, time: Time) -> Result<Tree, InputError> {
        let place = &expr.place;
        let operand = match &expr.kind {
            ExprKind::Name(_) | ExprKind::Dot(..) => return self.reference(expr, scope, time),
            ExprKind::Index(..) => return self.indexed(expr, scope, time),
            ExprKind::Boolean(value) => Operand::Boolean(self.truth(*value)),
            ExprKind::Integer(value) => match super::declare::small(value) {
                Some(value) => Operand::Constant(Scalar::Integer(value)),
                None => return Err(self.error(place, "integers beyond 62 bits are not supported")),
            },
            ExprKind::Real(value) => self.real(value),
            ExprKind::Word(width, signed, value) => Operand::Word(*signed, self.word_constant(*width, value)),
            ExprKind::Unary(op, a) => {
                let a = self.value(a, scope, time)?;
                self.apply_unary(*op, &a, place)?
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                let (a, b) = (self.lower(a, scope, time)?, self.lower(b, scope, time)?);
                return Ok(Tree::Choice(vec![a, b]));
            }
            ExprKind::Binary(BinaryOp::In, a, b) => self.membership(a, b, scope, time)?,
            ExprKind::Binary(op, a, b) => {
                let x = self.value(a, scope, time)?;
                let y = self.second(*op, &x, b, scope, time)?;
                self.apply_binary(*op, (&x, &a.place), (&y, &b.place), place)?
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.condition(condition, scope, time)?;
                let then = self.under((condition, true), |this| this.lower(then, scope, time))?;
                let otherwise = self.under((condition, false), |this| this.lower(otherwise, scope, time))?;
                let always = self.truth(true);
                return Ok(Tree::Case(Rc::new(vec![(condition, then), (always, otherwise)])));
            }
            ExprKind::Case(branches) => return self.case(branches, place, scope, time),
            ExprKind::Set(elements) => {
                let elements: Result<Vec<Tree>, InputError> =
                    elements.iter().map(|element| self.lower(element, scope, time)).collect();
                let mut elements = elements?;
                return Ok(if elements.len() == 1 {
                    elements.swap_remove(0)
                } else {
                    Tree::Choice(elements)
                });
            }
            ExprKind::Range(low, high) => return self.range(low, high, place, scope),
            ExprKind::Bits(word, high, low) => self.word_bits(word, high, low, scope, time)?,
            ExprKind::Next(_) if time == Time::Next => {
                return Err(self.error(place, "next(…) within next(…): only one step ahead can be read"));
            }
            ExprKind::Next(inner) => return self.lower(inner, scope, Time::Next),
            ExprKind::Call(function, arguments) => self.call(function, arguments, place, scope, time)?,
            ExprKind::ArrayLiteral(_) => {
                return Err(self.error(place, "an array of expressions is only for DEFINE"));
            }
            ExprKind::Init(_) => {
                return Err(
                    self.error(place, "the initial value of an expression, init(…), is not supported")
                );
            }
            ExprKind::Temporal(..)
            | ExprKind::Until(..)
            | ExprKind::Release(..)
            | ExprKind::Bounded(..)
            | ExprKind::BoundedUntil(..)
            | ExprKind::Linear(..)
            | ExprKind::LinearPair(..) => {
                return Err(self.error(place, "temporal operators are only for specifications"));
            }
        };
        Ok(Tree::One(operand, place.clone()))
    }

    /// Something that only matters where the condition holds, or where it does not.
    pub(super) fn under<T>(
        &mut self,
        condition: (ExprId, bool),
        lower: impl FnOnce(&mut Self) -> Result<T, InputError>,
    ) -> Result<T, InputError> {
        self.path.push(condition);
        let result = lower(self);
        self.path.pop();
        result
    }

    /// The second operand, which does not matter where the first one decides.
    fn second(
        &mut self,
        op: BinaryOp,
        first: &Operand,
        second: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<Operand, InputError> {
        match (op, first) {
            (BinaryOp::And | BinaryOp::Implies, Operand::Boolean(first)) => {
                self.under((*first, true), |this| this.value(second, scope, time))
            }
            (BinaryOp::Or, Operand::Boolean(first)) => {
                self.under((*first, false), |this| this.value(second, scope, time))
            }
            _ => self.value(second, scope, time),
        }
    }

    fn case(
        &mut self,
        branches: &'a [(Expr, Expr)],
        place: &Place,
        scope: InstanceId,
        time: Time,
    ) -> Result<Tree, InputError> {
        let start = self.path.len();
        let mut lowered = Vec::with_capacity(branches.len());
        let mut exhaustive = false;
        for (condition, value) in branches {
            let condition = self.condition(condition, scope, time)?;
            let value = self.under((condition, true), |this| this.lower(value, scope, time))?;
            lowered.push((condition, value));
            exhaustive |= self.is_true(condition);
            self.path.push((condition, false));
        }
        if !exhaustive {
            let shown = place.start..place.start + 4;
            self.must_be_exhaustive(&shown, "no condition of this case holds")?;
        }
        self.path.truncate(start);
        Ok(Tree::Case(Rc::new(lowered)))
    }

    /// `low..high` as a set.
    fn range(
        &mut self,
        low: &'a Expr,
        high: &'a Expr,
        place: &Place,
        scope: InstanceId,
    ) -> Result<Tree, InputError> {
        let (low, high) = self.range_ends(low, high, scope)?;
        if high < low || high.abs_diff(low) >= MAX_VALUES as u64 {
            let message = format!("the set {low}..{high} is empty or has more than {MAX_VALUES} elements");
            return Err(self.error(place, message));
        }
        let elements =
            (low..=high).map(|value| Tree::One(Operand::Constant(Scalar::Integer(value)), place.clone()));
        Ok(Tree::Choice(elements.collect()))
    }

    fn range_ends(&self, low: &'a Expr, high: &'a Expr, scope: InstanceId) -> Result<(i64, i64), InputError> {
        let end = |expr: &'a Expr| {
            let constant = self.scopes.constant(expr, scope, &self.report);
            constant.ok_or_else(|| self.error(&expr.place, "expected a constant integer"))
        };
        Ok((end(low)?, end(high)?))
    }

    fn membership(
        &mut self,
        element: &'a Expr,
        set: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<Operand, InputError> {
        let elements = self.lower(element, scope, time)?;
        if elements.has_choice() {
            // A set is in another if each of its elements is.
            let set = self.lower(set, scope, time)?;
            return Ok(Operand::Boolean(self.subset(&elements, &set, &element.place)?));
        }
        let operand = self.single(&elements, &element.place)?;
        if let ExprKind::Range(low, high) = &set.kind
            && !matches!(operand, Operand::Boolean(_))
        {
            let (low, high) = self.range_ends(low, high, scope)?;
            let number = |end: i64| Operand::Constant(Scalar::Integer(end));
            let place = &element.place;
            let above =
                self.apply_binary(BinaryOp::GreaterEqual, (&operand, place), (&number(low), place), place)?;
            let below =
                self.apply_binary(BinaryOp::LessEqual, (&operand, place), (&number(high), place), place)?;
            return self.apply_binary(BinaryOp::And, (&above, place), (&below, place), place);
        }
        let set_tree = self.lower(set, scope, time)?;
        Ok(Operand::Boolean(self.member(&operand, &set_tree, &element.place)?))
    }

    /// What a name or path stands for.
    fn reference(&mut self, expr: &'a Expr, scope: InstanceId, time: Time) -> Result<Tree, InputError> {
        let target = self.scopes.resolve(expr, scope, &self.report)?;
        self.target(&target, &expr.place, time)
    }

    fn target(&mut self, target: &Target<'a>, place: &Place, time: Time) -> Result<Tree, InputError> {
        let operand = match *target {
            Target::Symbol(name) => Operand::Constant(Scalar::Symbol(name.into())),
            Target::Running(instance) => Operand::Boolean(self.running(instance, place, time)?),
            Target::Shape(Shape::Variable(variable)) => self.variable(variable, place, time)?,
            Target::Define(define) => return self.defined(define, place, time),
            Target::Value(value, scope) => return self.argument(value, scope, time),
            Target::Shape(Shape::Array(..)) | Target::Literals(..) => {
                return Err(self.error(place, "expected a value, found an array"));
            }
            Target::Instance(_) => {
                let what = self.report.text(place);
                return Err(
                    self.error(place, format!("expected a value, found the instance `{what}` of a module"))
                );
            }
        };
        Ok(Tree::One(operand, place.clone()))
    }

    /// What a parameter stands for, at most once for each time.
    fn argument(&mut self, value: &'a Expr, scope: InstanceId, time: Time) -> Result<Tree, InputError> {
        let key = (std::ptr::from_ref(value), scope, time);
        if let Some(known) = self.arguments.get(&key).cloned() {
            return self.read(&known);
        }
        if !self.open_arguments.insert(key) {
            let text = self.report.text(&value.place);
            return Err(self.error(&value.place, format!("`{text}` depends on itself")));
        }
        let kept = self.keeping(|this| {
            let tree = this.lower(value, scope, time)?;
            // One expression for all uses, unless it is a set.
            Ok(match tree.has_choice() {
                true => tree,
                false => Tree::One(this.single(&tree, &value.place)?, value.place.clone()),
            })
        })?;
        self.open_arguments.remove(&key);
        self.arguments.insert(key, kept.clone());
        self.read(&kept)
    }

    fn variable(&mut self, id: VariableId, place: &Place, time: Time) -> Result<Operand, InputError> {
        if let Some(operand) = self.definitions.variable(id, time) {
            return Ok(operand.clone());
        }
        let variable = &self.scopes.variables[id.0 as usize];
        let (of, kind) = (variable.of.clone(), variable.kind);
        let Some(signal) = self.signals[id.0 as usize] else {
            return Err(self.error(place, format!("`{}` depends on itself", variable.name)));
        };
        let sort = of.sort();
        let expr = match (time, kind) {
            (Time::Now, _) | (Time::Next, super::syntax::VariableKind::Frozen) => {
                self.system.exprs.signal(signal, sort)
            }
            (Time::Next, super::syntax::VariableKind::Input) => {
                let message = format!("`{}` is an input (IVAR), which has no next value", variable.name);
                return Err(self.error(place, message));
            }
            (Time::Next, super::syntax::VariableKind::State) => self.system.exprs.next(signal, sort),
        };
        Ok(self.operand(&of, expr))
    }

    /// An element of an array. An index that varies is a chain of comparisons.
    fn indexed(&mut self, expr: &'a Expr, scope: InstanceId, time: Time) -> Result<Tree, InputError> {
        if self.scopes.has_flat_names
            && let Ok(target @ (Target::Shape(Shape::Variable(_)) | Target::Define(_) | Target::Symbol(_))) =
                self.scopes.resolve(expr, scope, &self.report)
        {
            return self.target(&target, &expr.place, time);
        }
        let start = self.path.len();
        let mut branches = Vec::new();
        for (condition, target) in self.possible(expr, scope, time)? {
            let element = self.under((condition, true), |this| this.target(&target, &expr.place, time))?;
            branches.push((condition, element));
            self.path.push((condition, false));
        }
        self.must_be_exhaustive(&expr.place, "an index is out of the array's range")?;
        self.path.truncate(start);
        match branches.as_slice() {
            [(_, only)] => Ok(only.clone()),
            _ => Ok(Tree::Case(Rc::new(branches))),
        }
    }

    /// What a path with indices can name, and when.
    fn possible(
        &mut self,
        expr: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<Vec<(ExprId, Target<'a>)>, InputError> {
        let always = self.truth(true);
        let ExprKind::Index(array, index) = &expr.kind else {
            return Ok(match self.scopes.resolve(expr, scope, &self.report)? {
                // A parameter that stands for an element.
                Target::Value(value, inner) if matches!(value.kind, ExprKind::Index(..)) => {
                    self.possible(value, inner, time)?
                }
                target => vec![(always, target)],
            });
        };
        let arrays = self.possible(array, scope, time)?;
        if let Some(at) = self.scopes.constant(index, scope, &self.report) {
            let element = |(condition, array)| {
                Ok((condition, self.scopes.element(array, at, &index.place, &self.report)?))
            };
            return arrays.into_iter().map(element).collect();
        }
        let value = self.value(index, scope, time)?;
        self.integer(&value, &index.place)?;
        let mut found = Vec::new();
        for (when, array) in arrays {
            for (at, element) in self.elements(array, &expr.place)? {
                let here = self.equal(&value, &Operand::Constant(Scalar::Integer(at)), &index.place)?;
                found.push((self.and(when, here), element));
            }
        }
        Ok(found)
    }

    fn elements(&self, array: Target<'a>, place: &Place) -> Result<Vec<(i64, Target<'a>)>, InputError> {
        match array {
            Target::Shape(Shape::Array(low, elements)) => {
                Ok((low..).zip(elements.iter().map(|element| Target::Shape(element.clone()))).collect())
            }
            Target::Literals(elements, scope) => (0..)
                .zip(elements)
                .map(|(at, element)| Ok((at, self.scopes.resolve(element, scope, &self.report)?)))
                .collect(),
            _ => Err(self.error(place, "an index is only for arrays (bits of a word are `w[high:low]`)")),
        }
    }

    /// Whether the process of an instance runs in this step.
    pub(super) fn running(
        &mut self,
        instance: InstanceId,
        place: &Place,
        time: Time,
    ) -> Result<ExprId, InputError> {
        let process = self.scopes.instances[instance.0 as usize].process;
        match (self.selector, time) {
            (None, _) => Ok(self.truth(true)),
            (Some(_), Time::Next) => {
                Err(self.error(place, "`running` has no next value: it is chosen in each step"))
            }
            (Some(selector), Time::Now) => Ok(self.runs(selector, process)),
        }
    }

    /// Whether the selector chooses a process.
    pub(super) fn runs(&mut self, selector: SignalId, process: usize) -> ExprId {
        let read = self.system.read(selector);
        let propcov_ir::Sort::Enum(sort) = self.sort_of(read).clone() else { return self.truth(true) };
        let constant = self.system.exprs.constant(propcov_ir::Value::Enum(sort, process as u32));
        self.same(read, constant)
    }
}
