//! Statements, by symbolic execution. Branches are merged, loops are unrolled.

use super::call::is_silent;
use super::machine::{Chosen, Context, Machine, Slot};
use super::record::{
    At, Case, Check, Comparison, EventKind, ExprKind, ExprRef, For, StmtKind, StmtRef, SymbolRef,
};
use super::wording::in_words;
use crate::InputError;
use propcov_ir::{Bits, ExprId, Value};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// No loop goes round more often.
const MAX_ROUNDS: u32 = 1 << 16;

/// When a statement is left early, for each way how; never where there is nothing. Sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow(Vec<(Exit, ExprId)>);

/// How a statement is left early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    Return,
    Break,
    Continue,
    /// To the end of a block around it.
    Block(u32),
}

impl Flow {
    fn get(&self, exit: Exit) -> Option<ExprId> {
        self.0.iter().find(|(known, _)| *known == exit).map(|(_, condition)| *condition)
    }

    /// All but one way.
    fn without(mut self, exit: Exit) -> Flow {
        self.0.retain(|(known, _)| *known != exit);
        self
    }

    /// The ways that one of two has.
    fn exits(&self, other: &Flow) -> BTreeSet<Exit> {
        self.0.iter().chain(&other.0).map(|(exit, _)| *exit).collect()
    }
}

/// The bounds of a dimension, and the variable that goes through it.
type Dimension = (i32, i32, Option<SymbolRef>);

/// A loop.
struct Loop<'l> {
    head: Head<'l>,
    body: StmtRef,
    at: At,
}

/// What a loop goes on for.
enum Head<'l> {
    /// While a condition holds, with steps between rounds.
    While(Option<ExprRef>, &'l [ExprRef]),
    DoWhile(ExprRef),
    Times(u64),
    /// All elements.
    Each(Vec<Dimension>),
}

impl Machine<'_> {
    /// Executes a statement.
    pub(super) fn exec(&mut self, stmt: StmtRef) -> Result<Flow, InputError> {
        self.go_on()?;
        let export = self.export;
        let at = export.stmt(stmt).at;
        match &export.stmt(stmt).what {
            StmtKind::List(parts) => self.sequence(parts),
            StmtKind::Block(name, body) => self.block(name, *body),
            StmtKind::Expr(expr) => {
                self.eval(*expr)?;
                Ok(Flow::default())
            }
            StmtKind::Declare(symbol, value) => {
                let is_local = self.scan.facts(*symbol).is_local;
                let value = match value.filter(|_| is_local) {
                    Some(value) => Some(self.eval(value)?),
                    None => self.zero_at_entry(*symbol),
                };
                if is_local {
                    self.set_local(*symbol, value, at)?;
                }
                Ok(Flow::default())
            }
            StmtKind::If(conditions, then, otherwise, check) => {
                self.if_else(conditions, *then, *otherwise, *check)
            }
            StmtKind::Case(case) => self.case(case),
            StmtKind::For(all) => self.for_loop(all, at),
            StmtKind::Repeat(count, body) => self.repeat(*count, *body, at),
            StmtKind::While(condition, body) => {
                self.rounds(&Loop { head: Head::While(Some(*condition), &[]), body: *body, at }, 0)
            }
            StmtKind::DoWhile(condition, body) => {
                self.rounds(&Loop { head: Head::DoWhile(*condition), body: *body, at }, 0)
            }
            StmtKind::Forever(body) => {
                self.rounds(&Loop { head: Head::While(None, &[]), body: *body, at }, 0)
            }
            StmtKind::Foreach(dimensions, body) => self.foreach(dimensions, *body, at),
            StmtKind::Return(value) => self.return_value(*value, at),
            StmtKind::Break => Ok(self.left_by(Exit::Break)),
            StmtKind::Continue => Ok(self.left_by(Exit::Continue)),
            StmtKind::Disable(block) if self.open_blocks.contains(block) => {
                Ok(self.left_by(Exit::Block(*block)))
            }
            StmtKind::Disable(_) => {
                self.error(at, "disable of a block that is not around it is not supported")
            }
            StmtKind::Disabled(block, body) => {
                self.open_blocks.push(*block);
                let flow = self.exec(*body);
                self.open_blocks.pop();
                Ok(flow?.without(Exit::Block(*block)))
            }
            StmtKind::Timed(_, then) if self.context == Context::Start && self.only_observes(stmt) => {
                self.exec(*then)
            }
            StmtKind::Timed(..) => self.error(at, "waiting inside of a process is not supported"),
            StmtKind::Assert(kind, condition) => {
                self.immediate(kind, *condition, None, at)?;
                Ok(Flow::default())
            }
            StmtKind::Concurrent(kind, property, clock, disable) => {
                self.concurrent(kind, *property, (*clock, *disable), None, at)?;
                Ok(Flow::default())
            }
            StmtKind::Other(kind) => self.error(at, format!("{} is not supported", in_words(kind))),
        }
    }

    /// The flow of a statement that is always left.
    fn left_by(&mut self, exit: Exit) -> Flow {
        Flow(vec![(exit, self.bool(true))])
    }

    /// A block with a name; that of a block with nothing but an assertion is the assertion's label.
    fn block(&mut self, name: &str, body: StmtRef) -> Result<Flow, InputError> {
        let at = self.export.stmt(body).at;
        match &self.export.stmt(body).what {
            StmtKind::Assert(kind, condition) => self.immediate(kind, *condition, Some(name), at)?,
            StmtKind::Concurrent(kind, property, clock, disable) => {
                self.concurrent(kind, *property, (*clock, *disable), Some(name), at)?;
            }
            _ => return self.exec(body),
        }
        Ok(Flow::default())
    }

    /// Whether a statement only looks at values: assertions, and what tells somebody something. In the first step it does not matter after which delay they do.
    fn only_observes(&self, stmt: StmtRef) -> bool {
        let export = self.export;
        match &export.stmt(stmt).what {
            StmtKind::Assert(..) | StmtKind::Concurrent(..) => true,
            StmtKind::Block(_, body) | StmtKind::Disabled(_, body) => self.only_observes(*body),
            StmtKind::List(parts) => parts.iter().all(|part| self.only_observes(*part)),
            StmtKind::Timed(event, then) => {
                let is_delay =
                    matches!(&export.event(*event).what, EventKind::Other(kind) if kind == "Delay");
                is_delay && self.only_observes(*then)
            }
            StmtKind::If(_, then, otherwise, _) => {
                self.only_observes(*then) && otherwise.is_none_or(|otherwise| self.only_observes(otherwise))
            }
            StmtKind::Expr(expr) => {
                matches!(&export.expr(*expr).what, ExprKind::System(name, _) if is_silent(name))
            }
            _ => false,
        }
    }

    /// Whether a statement waits somewhere.
    fn waits(&self, stmt: StmtRef) -> bool {
        match &self.export.stmt(stmt).what {
            StmtKind::Timed(..) => true,
            StmtKind::Block(_, body) | StmtKind::Disabled(_, body) => self.waits(*body),
            StmtKind::List(parts) => parts.iter().any(|part| self.waits(*part)),
            StmtKind::If(_, then, otherwise, _) => {
                self.waits(*then) || otherwise.is_some_and(|otherwise| self.waits(otherwise))
            }
            _ => false,
        }
    }

    fn sequence(&mut self, parts: &[StmtRef]) -> Result<Flow, InputError> {
        if self.context == Context::Start
            && let Some(first) = parts.iter().position(|part| self.waits(*part))
            && !parts[first..].iter().all(|part| self.only_observes(*part))
        {
            let at = self.export.stmt(parts[first]).at;
            return self.error(at, "waiting inside of a process is not supported");
        }
        let Some((first, rest)) = parts.split_first() else { return Ok(Flow::default()) };
        let mut flow = self.exec(*first)?;
        // Most statements are never left early: no recursion for those.
        let mut rest = rest;
        while let (Some((next, after)), None) = (rest.split_first(), self.leaves(&flow)) {
            flow = self.exec(*next)?;
            rest = after;
        }
        match self.leaves(&flow) {
            Some(left) if self.is_certain(left) => Ok(flow),
            Some(left) if !rest.is_empty() => {
                let chosen = self.choose(left, |_| Ok(Flow::default()), |machine| machine.sequence(rest))?;
                let after = self.merged(left, chosen);
                Ok(self.either(&flow, &after))
            }
            _ => Ok(flow),
        }
    }

    /// The condition under which a statement is left early, if it ever is.
    fn leaves(&mut self, flow: &Flow) -> Option<ExprId> {
        let left = flow.0.iter().map(|(_, condition)| *condition).reduce(|a, b| self.or(a, b))?;
        (self.known(left) != Some(Value::bool(false))).then_some(left)
    }

    /// What comes of two flows, the second of which only happens when the first does not.
    fn either(&mut self, first: &Flow, second: &Flow) -> Flow {
        let both = first.exits(second).into_iter().filter_map(|exit| {
            let condition = match (first.get(exit), second.get(exit)) {
                (Some(a), Some(b)) => self.or(a, b),
                (a, b) => a.or(b)?,
            };
            Some((exit, condition))
        });
        Flow(both.collect())
    }

    /// The flow of a choice.
    fn merged(&mut self, condition: ExprId, chosen: Chosen<Flow>) -> Flow {
        let (then, otherwise) = match chosen {
            Chosen::One(flow) => return flow,
            Chosen::Both(then, otherwise) => (then, otherwise),
        };
        let never = self.bool(false);
        let both = then.exits(&otherwise).into_iter().map(|exit| {
            let [a, b] = [&then, &otherwise].map(|flow| flow.get(exit).unwrap_or(never));
            (exit, self.ite(condition, a, b))
        });
        Flow(both.collect())
    }

    fn if_else(
        &mut self,
        conditions: &[ExprRef],
        then: StmtRef,
        otherwise: Option<StmtRef>,
        check: Check,
    ) -> Result<Flow, InputError> {
        let condition = self.conditions(conditions)?;
        let Some(first) = conditions.first() else { return self.exec(then) };
        let at = self.export.expr(*first).at;
        let condition = self.branch_element("if", at, condition);
        let rest = match otherwise {
            Some(otherwise) => Rest::Default(otherwise),
            None if matches!(check, Check::Unique | Check::Priority) => Rest::Undefined,
            None => Rest::Nothing,
        };
        self.items(&[(condition, then)], &rest, &RefCell::default())
    }

    fn case(&mut self, case: &Case) -> Result<Flow, InputError> {
        let subject = self.eval(case.subject)?;
        let is_full = self.is_exhaustive(case);
        let mut items: Vec<(ExprId, StmtRef)> = Vec::new();
        let mut open = self.path;
        for (values, body) in &case.items {
            let condition = self.item_condition(case, subject, values)?;
            let at = self.export.expr(*values.first().unwrap_or(&case.subject)).at;
            let condition = self.item_element(at, condition, &mut open);
            items.push((condition, *body));
        }
        let is_promised = matches!(case.check, Check::Unique | Check::Priority)
            || case.attributes.iter().any(|attribute| attribute == "full_case");
        let rest = match case.default {
            Some(body) => Rest::Default(body),
            None if is_full => Rest::Never,
            None if is_promised => Rest::Undefined,
            None => Rest::Nothing,
        };
        self.items(&items, &rest, &RefCell::default())
    }

    /// Executes the first item whose condition holds. What items have assigned is noted for those who come after them.
    fn items(
        &mut self,
        items: &[(ExprId, StmtRef)],
        rest: &Rest,
        assigned: &RefCell<BTreeSet<Slot>>,
    ) -> Result<Flow, InputError> {
        match (items, rest) {
            ([], Rest::Default(body)) => self.exec(*body),
            ([], Rest::Undefined) => {
                self.undefine(&assigned.borrow());
                Ok(Flow::default())
            }
            ([], _) => Ok(Flow::default()),
            // The last of items that leave nothing out.
            ([(_, body)], Rest::Never) => self.exec(*body),
            ([(condition, body), others @ ..], _) => {
                let chosen = self.choose(
                    *condition,
                    |machine| {
                        let mark = machine.values.mark();
                        let flow = machine.exec(*body)?;
                        assigned.borrow_mut().extend(machine.values.changed(mark));
                        Ok(flow)
                    },
                    |machine| machine.items(others, rest, assigned),
                )?;
                Ok(self.merged(*condition, chosen))
            }
        }
    }

    /// `unique` and `priority` promise that one of the items is chosen. Should none be, then what they assign keeps the value that it has; if a
    /// combinational process has not given it one before, it is undefined.
    fn undefine(&mut self, assigned: &BTreeSet<Slot>) {
        for slot in assigned {
            let Slot::Now(symbol) = *slot else { continue };
            if self.context == Context::Each && self.values.get(*slot).is_none() {
                let value = self.undefined(symbol);
                self.values.set(*slot, Some(value));
            }
        }
    }

    fn item_condition(
        &mut self,
        case: &Case,
        subject: ExprId,
        values: &[ExprRef],
    ) -> Result<ExprId, InputError> {
        let signed = self.export.type_of(case.subject).signed;
        let mut any = self.bool(false);
        for value in values {
            let here = match case.comparison {
                Comparison::Inside => self.in_set(subject, signed, *value)?,
                comparison => self.equals_item(comparison, subject, *value)?,
            };
            any = self.or(any, here);
        }
        Ok(any)
    }

    fn equals_item(
        &mut self,
        comparison: Comparison,
        subject: ExprId,
        value: ExprRef,
    ) -> Result<ExprId, InputError> {
        let at = self.export.expr(value).at;
        if let Some(digits) = self.digits(value) {
            let digits: String = digits.chars().map(|digit| if digit == '?' { 'z' } else { digit }).collect();
            let wild = match comparison {
                Comparison::WildcardXOrZ => digits.replace('x', "z"),
                _ => digits,
            };
            // Only an unknown value is equal to an unknown digit, and there are none.
            if wild.contains('x') || (comparison == Comparison::Normal && wild.contains('z')) {
                return Ok(self.bool(false));
            }
            return self.matches(subject, &wild, at);
        }
        let value = self.eval(value)?;
        if self.width(value) != self.width(subject) {
            return self.error(at, "an item of another width");
        }
        Ok(self.eq(subject, value))
    }

    /// Whether constant items leave no value out.
    fn is_exhaustive(&self, case: &Case) -> bool {
        let width = self.export.type_of(case.subject).width;
        if case.comparison != Comparison::Normal || width > 16 {
            return false;
        }
        let digits = case.items.iter().flat_map(|(values, _)| values).map(|value| self.digits(*value));
        let Some(digits) = digits.collect::<Option<FxHashSet<String>>>() else { return false };
        digits.iter().filter(|digits| !digits.contains(['x', 'z'])).count() == 1 << width
    }

    fn for_loop(&mut self, all: &For, at: At) -> Result<Flow, InputError> {
        for (symbol, value) in &all.declared {
            let value = self.eval(*value)?;
            self.set_local(*symbol, Some(value), at)?;
        }
        for expr in &all.before {
            self.loop_step(*expr)?;
        }
        self.rounds(&Loop { head: Head::While(all.condition, &all.steps), body: all.body, at }, 0)
    }

    fn repeat(&mut self, count: ExprRef, body: StmtRef, at: At) -> Result<Flow, InputError> {
        let signed = self.export.type_of(count).signed;
        let count = self.eval(count)?;
        let Some(Value::Bits(count)) = self.known(count) else {
            return self.error(at, "how often this loop goes round depends on signals");
        };
        let is_negative = signed && count.bit(count.width() - 1);
        let count = if is_negative { 0 } else { u64::try_from(count.unsigned()).unwrap_or(u64::MAX) };
        self.rounds(&Loop { head: Head::Times(count), body, at }, 0)
    }

    fn foreach(&mut self, all: &[Dimension], body: StmtRef, at: At) -> Result<Flow, InputError> {
        let named: Vec<Dimension> =
            all.iter().filter(|(_, _, variable)| variable.is_some()).copied().collect();
        self.rounds(&Loop { head: Head::Each(named), body, at }, 0)
    }

    /// An expression in the head of a loop: what it assigns counts rounds, and is no element.
    fn loop_step(&mut self, expr: ExprRef) -> Result<(), InputError> {
        let outer = std::mem::replace(&mut self.is_counting, true);
        let result = self.eval(expr);
        self.is_counting = outer;
        result.map(|_| ())
    }

    /// Goes round until the condition fails. When a round may be left by `break`, the others are executed under the condition that it was not.
    fn rounds(&mut self, all: &Loop<'_>, round: u32) -> Result<Flow, InputError> {
        for round in round.. {
            if !self.begin_round(all, round)? {
                break;
            }
            if round == MAX_ROUNDS {
                return self.error(all.at, format!("a loop with more than {MAX_ROUNDS} rounds"));
            }
            let flow = self.exec(all.body)?;
            let ends = flow.without(Exit::Continue);
            let Some(ends_here) = self.leaves(&ends) else { continue };
            let left = ends.without(Exit::Break);
            if self.is_certain(ends_here) {
                return Ok(left);
            }
            let chosen =
                self.choose(ends_here, |_| Ok(Flow::default()), |machine| machine.rounds(all, round + 1))?;
            let after = self.merged(ends_here, chosen);
            return Ok(self.either(&left, &after));
        }
        Ok(Flow::default())
    }

    /// What is done before a round, and whether there is such a round: that has to be certain.
    fn begin_round(&mut self, all: &Loop<'_>, round: u32) -> Result<bool, InputError> {
        match &all.head {
            Head::While(condition, steps) => {
                for step in steps.iter().filter(|_| round > 0) {
                    self.loop_step(*step)?;
                }
                self.goes_on(*condition, all.at)
            }
            Head::DoWhile(condition) => Ok(round == 0 || self.goes_on(Some(*condition), all.at)?),
            Head::Times(count) => Ok(u64::from(round) < *count),
            Head::Each(dimensions) => self.set_indices(dimensions, round, all.at),
        }
    }

    /// Gives the variables of `foreach` their values in a round; the last one changes fastest.
    fn set_indices(&mut self, dimensions: &[Dimension], round: u32, at: At) -> Result<bool, InputError> {
        let mut rest = round;
        for (left, right, variable) in dimensions.iter().rev() {
            let count = left.abs_diff(*right).saturating_add(1);
            let (by, variable) = (i64::from(rest % count), variable.as_ref().copied());
            rest /= count;
            let index = i64::from(*left) + if left <= right { by } else { -by };
            let Some(variable) = variable else { continue };
            let width = self.export.symbol_type(variable).width.clamp(1, 64);
            let value = Value::Bits(Bits::from_signed(width, &index.into()));
            let value = self.system.exprs.constant(value);
            self.set_local(variable, Some(value), at)?;
        }
        Ok(rest == 0)
    }

    /// Whether a loop goes on: that has to be certain.
    fn goes_on(&mut self, condition: Option<ExprRef>, at: At) -> Result<bool, InputError> {
        let Some(condition) = condition else { return Ok(true) };
        let value = self.condition(condition)?;
        match self.known(value) {
            Some(value) => Ok(value == Value::bool(true)),
            None => self.error(at, "how often this loop goes round depends on signals"),
        }
    }

    /// Whether a condition certainly holds.
    fn is_certain(&self, condition: ExprId) -> bool {
        self.known(condition) == Some(Value::bool(true))
    }

    fn return_value(&mut self, value: Option<ExprRef>, at: At) -> Result<Flow, InputError> {
        if let Some(value) = value {
            let value = self.eval(value)?;
            self.set_result(value, at)?;
        }
        Ok(self.left_by(Exit::Return))
    }
}

/// What happens when no item of a `case` is chosen.
enum Rest {
    Default(StmtRef),
    /// It cannot happen.
    Never,
    /// It was promised not to happen.
    Undefined,
    Nothing,
}
