//! Expressions that are given outside of the file: about the state, in the scope of `main`.
//!
//! They are lowered like those of the file, after all of it. So an expression that the file has, too, is the same one, and the name of a
//! definition is its wire. Their places begin behind the file's last byte (see `report`).

use super::{
    definition::operands,
    lowering::{Lowering, Time},
    parse::parse_expression,
    scope::MAIN,
    syntax::{Expr, ExprKind, Place},
};
use crate::{Extra, InputError};
use propcov_ir::ExprId;

/// The first place of each text, behind a file of so many bytes. The end of a text is a place, too.
pub(super) fn starts(file: usize, extras: &[Extra]) -> impl Iterator<Item = usize> {
    extras.iter().scan(file + 1, |next, extra| {
        let start = *next;
        *next += extra.text.len() + 1;
        Some(start)
    })
}

/// Reads all of them.
pub(super) fn parse(file: usize, extras: &[Extra]) -> Result<Vec<Expr>, InputError> {
    let shifted = |(extra, start): (&Extra, usize)| {
        let mut expr = parse_expression(extra.input())?;
        shift(&mut expr, start);
        Ok(expr)
    };
    extras.iter().zip(starts(file, extras)).map(shifted).collect()
}

/// Moves the places of an expression.
fn shift(expr: &mut Expr, by: usize) {
    let moved = |place: &mut Place| *place = place.start + by..place.end + by;
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        moved(&mut expr.place);
        match &mut expr.kind {
            ExprKind::Name(_)
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Real(_)
            | ExprKind::Word(..) => {}
            ExprKind::Dot(a, name) => {
                moved(&mut name.place);
                stack.push(a);
            }
            ExprKind::Unary(_, a)
            | ExprKind::Next(a)
            | ExprKind::Init(a)
            | ExprKind::Temporal(_, a)
            | ExprKind::Bounded(_, _, _, a)
            | ExprKind::Linear(_, _, a) => stack.push(a),
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Until(_, a, b)
            | ExprKind::Release(_, a, b)
            | ExprKind::BoundedUntil(_, a, _, _, b)
            | ExprKind::LinearPair(_, a, b) => stack.extend([&mut **a, &mut **b]),
            ExprKind::Bits(a, b, c) | ExprKind::Conditional(a, b, c) => {
                stack.extend([&mut **a, &mut **b, &mut **c]);
            }
            ExprKind::Case(branches) => {
                stack.extend(branches.iter_mut().flat_map(|(condition, value)| [condition, value]));
            }
            ExprKind::Set(elements) | ExprKind::ArrayLiteral(elements) => stack.extend(elements),
            ExprKind::Call(function, arguments) => {
                moved(&mut function.place);
                stack.extend(arguments);
            }
        }
    }
}

impl<'a> Lowering<'a> {
    /// The value of an expression that is given outside of the file.
    pub(super) fn extra(&mut self, expr: &'a Expr) -> Result<ExprId, InputError> {
        self.must_be_of_one_step(expr)?;
        self.prepare(expr, MAIN, Time::Now)?;
        self.path.clear();
        let operand = self.value(expr, MAIN, Time::Now)?;
        let (_, value) = self.expression(&operand);
        let reads = self.reads(value);
        if !reads.next && !reads.input {
            return Ok(value);
        }
        let place = self.culprit(expr);
        let text = self.report.text(&place);
        let what = if reads.next { "refers to the next step" } else { "depends on an input (IVAR, running)" };
        Err(self
            .error(&place, format!("expected an expression about the state, found `{text}`, which {what}")))
    }

    /// Neither `next(…)` nor temporal operators.
    fn must_be_of_one_step(&self, expr: &'a Expr) -> Result<(), InputError> {
        let mut first: Option<(&Place, &str)> = None;
        for expr in subexpressions(expr) {
            let found = match expr.kind {
                ExprKind::Next(_) => "next(…)",
                ExprKind::Temporal(..)
                | ExprKind::Until(..)
                | ExprKind::Release(..)
                | ExprKind::Bounded(..)
                | ExprKind::BoundedUntil(..)
                | ExprKind::Linear(..)
                | ExprKind::LinearPair(..) => "a temporal operator",
                _ => continue,
            };
            if first.is_none_or(|(place, _)| expr.place.start < place.start) {
                first = Some((&expr.place, found));
            }
        }
        match first {
            None => Ok(()),
            Some((place, found)) => {
                Err(self.error(place, format!("expected an expression about one state, found {found}")))
            }
        }
    }

    /// The first name or path that reads more than the state; all of the expression if none does by itself.
    fn culprit(&mut self, whole: &'a Expr) -> Place {
        let mut paths: Vec<&Expr> = subexpressions(whole);
        paths.retain(|expr| matches!(expr.kind, ExprKind::Name(_) | ExprKind::Dot(..) | ExprKind::Index(..)));
        paths.sort_by_key(|expr| expr.place.start);
        for path in paths {
            // Half of a path is no value.
            let Ok(operand) = self.value(path, MAIN, Time::Now) else { continue };
            let (_, value) = self.expression(&operand);
            let reads = self.reads(value);
            if reads.next || reads.input {
                return path.place.clone();
            }
        }
        whole.place.clone()
    }
}

/// An expression and all that is in it.
fn subexpressions(expr: &Expr) -> Vec<&Expr> {
    let (mut all, mut stack) = (Vec::new(), vec![expr]);
    while let Some(expr) = stack.pop() {
        all.push(expr);
        operands(expr, &mut |operand| stack.push(operand));
    }
    all
}
