//! Functions: conversions between truth values, integers and words, and the bits of words.

use super::{
    declare::MAX_WIDTH,
    lowering::{Lowering, Time},
    operand::Operand,
    scope::{InstanceId, counted},
    syntax::{BinaryOp, Expr, Name, Place},
    types::{Interval, Kind, Scalar},
};
use crate::InputError;
use propcov_ir::{BinaryOp as Op, ExprId, UnaryOp as One};

/// Words up to this width can become integers.
const MAX_INTEGER_WIDTH: u32 = 61;

impl<'a> Lowering<'a> {
    pub(super) fn call(
        &mut self,
        function: &'a Name,
        arguments: &'a [Expr],
        place: &Place,
        scope: InstanceId,
        time: Time,
    ) -> Result<Operand, InputError> {
        let name = function.text.as_str();
        let expected = match name {
            "extend" | "resize" | "uwconst" | "swconst" | "max" | "min" => Some(2),
            "count" => None,
            _ => Some(1),
        };
        if expected.is_some_and(|expected| expected != arguments.len()) || arguments.is_empty() {
            let (expected, found) =
                (counted(expected.unwrap_or(1), "argument"), counted(arguments.len(), "argument"));
            return Err(self.error(&function.place, format!("{name} takes {expected}, found {found}")));
        }
        let first = self.value(&arguments[0], scope, time)?;
        let written = (&first, &arguments[0].place);
        match name {
            "bool" => match first {
                Operand::Word(_, expr) => {
                    if self.width(expr) != 1 {
                        return self.wrong("a word of one bit", &first, written.1);
                    }
                    Ok(Operand::Boolean(expr))
                }
                Operand::Boolean(_) => Ok(first),
                _ => {
                    let zero = Operand::Constant(Scalar::Integer(0));
                    self.apply_binary(BinaryOp::NotEqual, written, (&zero, place), place)
                }
            },
            "word1" => Ok(Operand::Word(false, self.boolean(&first, written.1)?)),
            "unsigned" | "signed" => {
                let (_, expr) = self.word(written)?;
                Ok(Operand::Word(name == "signed", expr))
            }
            "toint" => self.as_integer(&first, written.1),
            "extend" => {
                let (signed, expr) = self.word(written)?;
                let by = self.amount(&arguments[1], scope, 0)?;
                let op = if signed { One::SignExtend(by) } else { One::ZeroExtend(by) };
                Ok(Operand::Word(signed, if by == 0 { expr } else { self.unary(op, expr) }))
            }
            "resize" => self.resize(written, &arguments[1], scope),
            "uwconst" | "swconst" => {
                let width = self.amount(&arguments[1], scope, 1)?;
                let value = self.constant_of(&arguments[0], scope)?;
                let signed = name == "swconst";
                let fits = if signed {
                    Interval { low: value, high: value }.width() <= width
                } else {
                    value >= 0 && Interval { low: value, high: value }.width() - 1 <= width
                };
                if !fits {
                    return Err(self.error(written.1, format!("{value} does not fit in {width} bits")));
                }
                Ok(Operand::Word(signed, self.bits(width, value)))
            }
            "count" => self.count(arguments, scope, time),
            "abs" => {
                let zero = Operand::Constant(Scalar::Integer(0));
                let negated = self.arithmetic(BinaryOp::Minus, (&zero, place), written, place)?;
                let negative = self.apply_binary(BinaryOp::Less, written, (&zero, place), place)?;
                self.either(&negative, &negated, &first, place)
            }
            "max" | "min" => {
                let second = self.value(&arguments[1], scope, time)?;
                let less =
                    self.apply_binary(BinaryOp::Less, written, (&second, &arguments[1].place), place)?;
                let (then, otherwise) = if name == "min" { (&first, &second) } else { (&second, &first) };
                self.either(&less, then, otherwise, place)
            }
            "floor" => match first {
                Operand::Number(Kind::Real, expr) => {
                    Ok(Operand::Number(Kind::Integer, self.unary(One::Floor, expr)))
                }
                _ => self.as_integer(&first, written.1),
            },
            "sizeof" => {
                let (_, expr) = self.word(written)?;
                Ok(Operand::Constant(Scalar::Integer(self.width(expr).into())))
            }
            _ => Err(self.error(&function.place, format!("the function `{name}` is not supported"))),
        }
    }

    fn wrong(&mut self, expected: &str, found: &Operand, place: &Place) -> Result<Operand, InputError> {
        let found = self.describe(found);
        Err(self.error(place, format!("expected {expected}, found {found}")))
    }

    /// One of two integers.
    fn either(
        &mut self,
        condition: &Operand,
        then: &Operand,
        otherwise: &Operand,
        place: &Place,
    ) -> Result<Operand, InputError> {
        let condition = self.boolean(condition, place)?;
        if matches!(then, Operand::Number(..)) || matches!(otherwise, Operand::Number(..)) {
            return match self.numbers(then, otherwise) {
                Some((kind, a, b)) => Ok(Operand::Number(kind, self.ite(condition, a, b))),
                None => self.wrong("a number", otherwise, place),
            };
        }
        let ((range_a, a), (range_b, b)) = (self.integer(then, place)?, self.integer(otherwise, place)?);
        let range = range_a.hull(range_b);
        let (a, b) = (self.sign_extended(a, range.width()), self.sign_extended(b, range.width()));
        Ok(Operand::Integer(range, self.ite(condition, a, b)))
    }

    fn as_integer(&mut self, operand: &Operand, place: &Place) -> Result<Operand, InputError> {
        if matches!(operand, Operand::Number(Kind::Integer, _)) {
            return Ok(operand.clone());
        }
        let Operand::Word(signed, expr) = operand else {
            let (range, expr) = self.integer(operand, place)?;
            return Ok(match operand {
                Operand::Boolean(_) => Operand::Integer(range, expr),
                other => other.clone(),
            });
        };
        let width = self.width(*expr);
        if width > MAX_INTEGER_WIDTH {
            return Err(self.error(place, format!("a word of {width} bits as an integer is not supported")));
        }
        if *signed {
            let half = 1i64 << (width - 1);
            return Ok(Operand::Integer(Interval { low: -half, high: half - 1 }, *expr));
        }
        let range = Interval { low: 0, high: (1i64 << width) - 1 };
        Ok(Operand::Integer(range, self.unary(One::ZeroExtend(1), *expr)))
    }

    fn constant_of(&self, expr: &'a Expr, scope: InstanceId) -> Result<i64, InputError> {
        let constant = self.scopes.constant(expr, scope, &self.report);
        constant.ok_or_else(|| self.error(&expr.place, "expected a constant integer"))
    }

    /// A constant number of bits.
    fn amount(&self, expr: &'a Expr, scope: InstanceId, least: i64) -> Result<u32, InputError> {
        let amount = self.constant_of(expr, scope)?;
        if (least..=MAX_WIDTH).contains(&amount) {
            Ok(amount as u32)
        } else {
            Err(self.error(
                &expr.place,
                format!("expected a number of bits from {least} to {MAX_WIDTH}, found {amount}"),
            ))
        }
    }

    /// A signed word keeps its sign when it is made shorter.
    fn resize(
        &mut self,
        word: (&Operand, &Place),
        width: &'a Expr,
        scope: InstanceId,
    ) -> Result<Operand, InputError> {
        let (signed, expr) = self.word(word)?;
        let (old, new) = (self.width(expr), self.amount(width, scope, 1)?);
        let resized = if new > old {
            self.unary(if signed { One::SignExtend(new - old) } else { One::ZeroExtend(new - old) }, expr)
        } else if new == old {
            expr
        } else if signed {
            let sign = self.unary(One::Extract { high: old - 1, low: old - 1 }, expr);
            if new == 1 {
                sign
            } else {
                let rest = self.unary(One::Extract { high: new - 2, low: 0 }, expr);
                self.binary(Op::Concat, sign, rest)
            }
        } else {
            self.unary(One::Extract { high: new - 1, low: 0 }, expr)
        };
        Ok(Operand::Word(signed, resized))
    }

    /// How many of the conditions hold.
    fn count(&mut self, arguments: &'a [Expr], scope: InstanceId, time: Time) -> Result<Operand, InputError> {
        let range = Interval { low: 0, high: arguments.len() as i64 };
        let width = range.width();
        let mut sum: Option<ExprId> = None;
        for argument in arguments {
            let condition = self.condition(argument, scope, time)?;
            let one = self.unary(One::ZeroExtend(width - 1), condition);
            sum = Some(match sum {
                Some(sum) => self.binary(Op::Add, sum, one),
                None => one,
            });
        }
        let zero = self.bits(width, 0);
        Ok(Operand::Integer(range, sum.unwrap_or(zero)))
    }

    /// `word[high:low]`
    pub(super) fn word_bits(
        &mut self,
        word: &'a Expr,
        high: &'a Expr,
        low: &'a Expr,
        scope: InstanceId,
        time: Time,
    ) -> Result<Operand, InputError> {
        let operand = self.value(word, scope, time)?;
        let (_, expr) = self.word((&operand, &word.place))?;
        let width = i64::from(self.width(expr));
        let (top, bottom) = (self.constant_of(high, scope)?, self.constant_of(low, scope)?);
        if bottom < 0 || top < bottom || top >= width {
            let place = high.place.start..low.place.end;
            let message =
                format!("a word of {width} bits has the bits {} down to 0, found {top}:{bottom}", width - 1);
            return Err(self.error(&place, message));
        }
        Ok(Operand::Word(false, self.unary(One::Extract { high: top as u32, low: bottom as u32 }, expr)))
    }
}
