//! `INIT`, `INVAR`, `TRANS`, `FAIRNESS`, `COMPASSION`, and specifications, for each instance of the module they are in.

use super::{
    ctl::is_branching,
    implication::Implications,
    lowering::{Lowering, Time},
    path::Target,
    scope::{InstanceId, MAIN},
    syntax::{ConstraintKind as Written, Expr, Item, Place, SpecificationKind},
};
use crate::{Distance, InputError};
use propcov_ir::{ConstraintKind, Ctl, ElementKind, ExprId, Fairness, Origin, PropertyKind, Site, Sort};

/// How many items of a kind an instance has had so far.
#[derive(Default)]
struct Counts {
    init: usize,
    invar: usize,
    trans: usize,
    spec: usize,
    ltlspec: usize,
    pslspec: usize,
    invarspec: usize,
    compute: usize,
}

/// What is read and left aside: how many of each keyword, what that means for them, and the place of the first.
#[derive(Default)]
struct Unchecked<'a> {
    kinds: Vec<(&'a str, usize, &'static str, Place)>,
}

impl<'a> Unchecked<'a> {
    fn add(&mut self, keyword: &'a str, what: &'static str, place: &Place) {
        match self.kinds.iter_mut().find(|(known, ..)| *known == keyword) {
            Some((_, count, ..)) => *count += 1,
            None => self.kinds.push((keyword, 1, what, place.clone())),
        }
    }
}

impl<'a> Lowering<'a> {
    /// Adds the constraints of all instances.
    pub(super) fn constraints(&mut self) -> Result<(), InputError> {
        for index in 0..self.scopes.instances.len() {
            let scope = InstanceId(index as u32);
            let items = self.scopes.instances[index].items.clone();
            let mut counts = Counts::default();
            for item in items.iter() {
                match item {
                    Item::Constraint { kind, condition } => {
                        self.constraint(*kind, condition, scope, &mut counts)?;
                    }
                    Item::Compassion { often, then, .. } => {
                        let often = self.fairness(often, scope)?;
                        let then = self.fairness(then, scope)?;
                        self.system.fairness.push(Fairness::Compassion(often, then));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn constraint(
        &mut self,
        written: Written,
        condition: &'a Expr,
        scope: InstanceId,
        counts: &mut Counts,
    ) -> Result<(), InputError> {
        let (kind, word, count) = match written {
            Written::Init => (ConstraintKind::Initial, "INIT", &mut counts.init),
            Written::Invar => (ConstraintKind::Always, "INVAR", &mut counts.invar),
            Written::Trans => (ConstraintKind::Transition, "TRANS", &mut counts.trans),
            Written::Justice => {
                let expr = self.fairness(condition, scope)?;
                self.system.fairness.push(Fairness::Justice(expr));
                return Ok(());
            }
        };
        *count += 1;
        let name = self.scopes.instances[scope.0 as usize].full_name(&format!("{word}{count}"));
        let expr = self.prepared_condition(condition, scope)?;
        if kind != ConstraintKind::Transition {
            self.no_next_no_input(expr, &condition.place, word)?;
        }
        let constraint = self.system.add_constraint(name.clone(), kind, expr);
        let site = Site::Constraint(constraint);
        self.element(name, ElementKind::Assumption, site, scope, std::slice::from_ref(&condition.place));
        Ok(())
    }

    fn fairness(&mut self, condition: &'a Expr, scope: InstanceId) -> Result<ExprId, InputError> {
        let expr = self.prepared_condition(condition, scope)?;
        if self.reads(expr).next {
            return Err(self.error(&condition.place, "a fairness condition cannot refer to the next step"));
        }
        Ok(expr)
    }

    /// The truth value of an expression of its own, with all that it refers to.
    pub(super) fn prepared_condition(
        &mut self,
        expr: &'a Expr,
        scope: InstanceId,
    ) -> Result<ExprId, InputError> {
        self.prepare(expr, scope, Time::Now)?;
        self.path.clear();
        self.condition(expr, scope, Time::Now)
    }

    /// Adds the specifications. Those of submodules come before those of the module they are in, as in NuSMV's reports.
    pub(super) fn specifications(&mut self) -> Result<(), InputError> {
        let mut order = Vec::with_capacity(self.scopes.instances.len());
        let mut stack = vec![(MAIN, false)];
        while let Some((scope, children_done)) = stack.pop() {
            if children_done {
                order.push(scope);
                continue;
            }
            stack.push((scope, true));
            let children = &self.scopes.instances[scope.0 as usize].children;
            stack.extend(children.iter().rev().map(|child| (*child, false)));
        }
        let mut unchecked = Unchecked::default();
        for scope in order {
            let items = self.scopes.instances[scope.0 as usize].items.clone();
            let mut counts = Counts::default();
            for item in items.iter() {
                match item {
                    Item::Specification { kind, name, formula, context, place } => {
                        let name = name.as_ref().map(|name| name.text.as_str());
                        let within = self.context(context.as_ref(), scope)?;
                        self.specification(
                            *kind,
                            name,
                            formula.as_ref().map(|formula| (formula, within)),
                            place,
                            scope,
                            &mut counts,
                            &mut unchecked,
                        )?;
                    }
                    Item::Distance { longest, name, from, to, context, place } => {
                        counts.compute += 1;
                        let name = name.as_ref().map(|name| name.text.clone());
                        let name = name.unwrap_or_else(|| format!("COMPUTE{}", counts.compute));
                        let name = self.scopes.instances[scope.0 as usize].full_name(&name);
                        let within = self.context(context.as_ref(), scope)?;
                        let written = |expr: &Expr| {
                            let text = self.report.text(&expr.place);
                            text.split_whitespace().collect::<Vec<&str>>().join(" ")
                        };
                        let which = if *longest { "MAX" } else { "MIN" };
                        let text = format!("{which} [{}, {}]", written(from), written(to));
                        let from = self.ctl(from, within, Implications::Whole)?;
                        let to = self.ctl(to, within, Implications::Whole)?;
                        let (span, longest) = (self.report.span(place), *longest);
                        self.distances.push(Distance { name, longest, from, to, text, span });
                    }
                    Item::Ignored { keyword, place } => unchecked.add(keyword, "ignored", place),
                    _ => {}
                }
            }
        }
        self.tell_unchecked(&unchecked);
        Ok(())
    }

    /// The instance in which a specification has its meaning: seen from `main`, where one is named.
    fn context(&self, context: Option<&'a Expr>, scope: InstanceId) -> Result<InstanceId, InputError> {
        let Some(path) = context else { return Ok(scope) };
        match self.scopes.resolve(path, MAIN, &self.report)? {
            Target::Instance(instance) => Ok(instance),
            _ => {
                let text = self.report.text(&path.place);
                Err(self.error(&path.place, format!("expected an instance after IN, found `{text}`")))
            }
        }
    }

    /// A state that tells whether the condition held in the step that led to it; true at first.
    ///
    /// What is said about inputs and the next step is said of transitions. Where some are forbidden, or a next value is no function, only
    /// what comes after a transition can tell.
    pub(super) fn held(&mut self, condition: ExprId, name: &str) -> ExprId {
        if let Some(known) = self.monitors.get(&condition) {
            return *known;
        }
        let name = match self.monitors.len() {
            0 => format!("{name}?"),
            more => format!("{name}?{more}"),
        };
        let state = self.system.add_state(name.clone(), Sort::BOOL);
        self.system.set_origin(state, Origin::Helper);
        let yes = self.truth(true);
        self.system.set_init(state, yes);
        let next = self.system.exprs.next(state, Sort::BOOL);
        let same = self.same(next, condition);
        self.system.add_constraint(format!("next({name})"), ConstraintKind::Transition, same);
        let read = self.system.read(state);
        self.monitors.insert(condition, read);
        read
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one item of the syntax tree")]
    fn specification(
        &mut self,
        kind: SpecificationKind,
        name: Option<&str>,
        formula: Option<(&'a Expr, InstanceId)>,
        place: &Place,
        home: InstanceId,
        counts: &mut Counts,
        unchecked: &mut Unchecked<'a>,
    ) -> Result<(), InputError> {
        let (word, count) = match kind {
            SpecificationKind::Ctl => ("SPEC", &mut counts.spec),
            SpecificationKind::Invariant => ("INVARSPEC", &mut counts.invarspec),
            SpecificationKind::Ltl => ("LTLSPEC", &mut counts.ltlspec),
            SpecificationKind::Psl if formula.is_some() => ("PSLSPEC", &mut counts.pslspec),
            SpecificationKind::Psl => {
                unchecked.add(
                    "PSLSPEC",
                    "not checked: sequences, clocks, abort, forall and rows of one operator are not supported",
                    place,
                );
                return Ok(());
            }
        };
        *count += 1;
        let name = name.map_or_else(|| format!("{word}{count}"), str::to_owned);
        let name = self.scopes.instances[home.0 as usize].full_name(&name);
        let Some((formula, scope)) = formula else { return Ok(()) };
        let (property, as_written) = match kind {
            SpecificationKind::Invariant => {
                let expr = self.prepared_condition(formula, scope)?;
                let reads = self.reads(expr);
                let forbids = (self.system.constraints().iter())
                    .any(|constraint| constraint.kind == ConstraintKind::Transition);
                if reads.next || reads.input && forbids {
                    (PropertyKind::Invariant(self.held(expr, &name)), None)
                } else {
                    (PropertyKind::Invariant(expr), self.invariant_as_written(formula, scope))
                }
            }
            SpecificationKind::Ltl => self.linear_property(formula, scope, &name)?,
            SpecificationKind::Psl if !is_branching(formula) => {
                self.linear_property(formula, scope, &name)?
            }
            _ => {
                let whole = self.ctl(formula, scope, Implications::Whole)?;
                let as_written = self.as_written(formula, scope, &whole);
                (PropertyKind::Ctl(whole), as_written)
            }
        };
        let span = Some(self.report.span(place));
        let property = self.system.add_property(name, property, span);
        self.system.set_formula(property, self.report.span(&formula.place));
        if let Some(formula) = as_written {
            self.system.set_as_written(property, formula);
        }
        Ok(())
    }

    /// A formula of linear time, and how it is written.
    fn linear_property(
        &mut self,
        formula: &'a Expr,
        scope: InstanceId,
        name: &str,
    ) -> Result<(PropertyKind, Option<Ctl>), InputError> {
        let whole = self.ltl(formula, scope, name)?;
        let as_written = self.linear_as_written(formula, scope, &whole);
        Ok((PropertyKind::Ltl(whole), as_written))
    }

    fn tell_unchecked(&mut self, unchecked: &Unchecked<'_>) {
        for (keyword, count, what, first) in &unchecked.kinds {
            let are = if *count == 1 { "is" } else { "are" };
            self.report.warn(first, format!("{count} {keyword} {are} {what}"));
        }
    }
}
