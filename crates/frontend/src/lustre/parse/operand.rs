//! Operands: names, numbers, and what stands before an operand or opens a bracket.

use super::{
    super::{
        lexer::Token,
        syntax::{ExprKind, Id, Name, UnaryOp},
    },
    Parser,
    expression::{Bracket, Pending, Stack},
};
use crate::InputError;

/// A conversion of numbers.
#[derive(Clone, Copy)]
pub(super) enum Cast {
    ToReal,
    Floor,
}

impl Cast {
    pub(super) fn of(self, value: Id) -> ExprKind {
        match self {
            Cast::ToReal => ExprKind::ToReal(value),
            Cast::Floor => ExprKind::Floor(value),
        }
    }
}

impl Parser<'_> {
    /// An operand without what may follow it; nothing if something was opened that waits for one.
    pub(super) fn operand(&mut self, stack: &mut Stack) -> Result<Option<Id>, InputError> {
        let at = self.place();
        let start = at.start;
        let kind = match self.peek() {
            Token::Name if self.is_extended() => {
                if let Some(result) = self.extended_operand(stack)? {
                    return Ok(result);
                }
                return self.name_or_call(stack);
            }
            Token::Open if self.is_extended() && matches!(self.word_at(1), "restart" | "activate") => {
                return self.activation().map(Some);
            }
            Token::Path if self.is_extended() => return self.mode_reference().map(Some),
            Token::Hash if self.is_extended() => return self.at_most_one().map(Some),
            Token::Bang if self.is_extended() => {
                self.advance();
                stack.push(Pending::Unary(UnaryOp::BitNot, start));
                return Ok(None);
            }
            Token::Minus if self.is_extended() => {
                self.advance();
                stack.push(Pending::Minus(start));
                return Ok(None);
            }
            Token::Real | Token::Int if self.is_extended() && self.peek_at(1) != Token::Open => {
                let cast = if self.peek() == Token::Real { Cast::ToReal } else { Cast::Floor };
                self.advance();
                stack.push(Pending::Prefix(cast, start));
                return Ok(None);
            }
            Token::Integer if self.is_extended() && self.is_open_decimal() => {
                self.advance();
                self.advance();
                let digits = self.integer(&at)?;
                return Ok(Some(self.add(ExprKind::Real(digits.into()), start..self.end())));
            }
            Token::Name => return self.name_or_call(stack),
            Token::Integer => ExprKind::Int(self.integer(&at)?),
            Token::Decimal => self.decimal(&at)?,
            Token::True => ExprKind::Bool(true),
            Token::False => ExprKind::Bool(false),
            token => {
                let opened = match token {
                    Token::Pre => Pending::Unary(UnaryOp::Pre, start),
                    Token::Not => Pending::Unary(UnaryOp::Not, start),
                    Token::Minus => Pending::Unary(UnaryOp::Negate, start),
                    Token::If => Pending::Bracket(Bracket::If(start)),
                    Token::Open => Pending::Bracket(Bracket::Parentheses(start, Vec::new())),
                    Token::OpenBracket => Pending::Bracket(Bracket::Array(start, Vec::new())),
                    Token::Real => Pending::Bracket(self.cast("real", Cast::ToReal)?),
                    // Kind 2's `int(e)` is SMT-LIB's `to_int`, which rounds down, too.
                    Token::Int => Pending::Bracket(self.cast("int", Cast::Floor)?),
                    Token::Floor => Pending::Bracket(self.cast("floor", Cast::Floor)?),
                    Token::Condact => {
                        self.advance();
                        if self.peek() != Token::Open {
                            return Err(self.unexpected("`(` after `condact`"));
                        }
                        Pending::Bracket(Bracket::Clock(start))
                    }
                    token if token.ends_expression() => return Err(self.unexpected("an expression")),
                    _ => return Err(self.unexpected("an expression such as a name or a number")),
                };
                self.advance();
                stack.push(opened);
                return Ok(None);
            }
        };
        self.advance();
        Ok(Some(self.add(kind, at)))
    }

    /// Up to the parenthesis of a cast, which is left for the caller.
    fn cast(&mut self, word: &str, cast: Cast) -> Result<Bracket, InputError> {
        let start = self.advance().start;
        if self.peek() != Token::Open {
            return Err(self.unexpected(&format!("`(` after `{word}`")));
        }
        Ok(Bracket::Cast(start, cast))
    }

    fn name_or_call(&mut self, stack: &mut Stack) -> Result<Option<Id>, InputError> {
        let name = self.name("a name")?;
        match self.peek() {
            Token::Open => {
                self.advance();
                if self.eat(Token::Close) {
                    let start = name.at.start;
                    return Ok(Some(self.add(ExprKind::Call(name, Vec::new()), start..self.end())));
                }
                stack.open(Bracket::Call(name, Vec::new()));
                Ok(None)
            }
            // `name{field := value}` is an update.
            Token::OpenBrace if self.peek_at(1) == Token::Name && self.peek_at(2) == Token::Equal => {
                self.advance();
                let field = self.field_of_literal()?;
                stack.open(Bracket::Record(name, Vec::new(), field));
                Ok(None)
            }
            Token::Operator(_) if self.is_extended() && self.word_is_static_call() => {
                let arguments = self.static_arguments(&name)?;
                self.expect(Token::Open, "`(` and the arguments of the call")?;
                if self.eat(Token::Close) {
                    let start = name.at.start;
                    return Ok(Some(self.add(ExprKind::Call(name, arguments), start..self.end())));
                }
                stack.open(Bracket::Call(name, arguments));
                Ok(None)
            }
            Token::Operator(_) if self.word_is_static_call() => {
                Err(self.not_supported(self.place(), "a static parameter (`<<…>>`)"))
            }
            _ => Ok(Some(self.add(ExprKind::Name(name.text), name.at))),
        }
    }

    /// `<<` with nothing in between.
    pub(super) fn word_is_static_call(&self) -> bool {
        self.input.bytes[self.place().start..].starts_with(b"<<")
    }

    /// `field =` in the literal of a record.
    pub(super) fn field_of_literal(&mut self) -> Result<Name, InputError> {
        let field = self.name("the name of a field")?;
        self.expect(Token::Equal, "`=` and the value of the field")?;
        Ok(field)
    }

    /// The name after a dot.
    pub(super) fn field_after(&mut self, value: Id) -> Result<Name, InputError> {
        if matches!(self.program.expr(value).kind, ExprKind::Int(_))
            && self.at_of(value).end + 1 == self.end()
        {
            let at = self.at_of(value).start..self.end();
            let message =
                format!("expected digits after the decimal point of `{}`, found none", self.text(&at));
            return Err(self.input.error(at, message));
        }
        self.name("the name of a field after `.`")
    }

    /// Parentheses around one expression leave no trace but the place.
    pub(super) fn parentheses(&mut self, start: usize, items: Vec<Id>) -> Id {
        let at = start..self.end();
        match items.as_slice() {
            [single] => {
                let single = *single;
                self.program.exprs[single.0 as usize].at = at;
                single
            }
            _ => self.add(ExprKind::Tuple(items), at),
        }
    }
}
