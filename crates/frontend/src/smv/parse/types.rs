//! Types of variables, and what takes their place for submodules.

use super::{
    super::{
        lexer::Token,
        path::flat_text,
        syntax::{Expr, ExprKind, Type, TypeKind},
    },
    MAX_DEPTH, Parser,
    expression::RANGE,
};
use crate::InputError;

/// Whether a name before this word is a bound of a range, and not a module.
fn continues_bound(next: Token) -> bool {
    matches!(next, Token::Dot | Token::DotDot | Token::OpenBracket | Token::Minus | Token::Operator(_))
}

impl Parser<'_> {
    /// What follows the colon of a declaration.
    pub(super) fn type_or_module(&mut self) -> Result<Type, InputError> {
        let start = self.place().start;
        let kind = match (self.peek(), self.peek_second()) {
            (Token::Process, _) => {
                self.advance();
                self.instance(true)?
            }
            (Token::Array, _) => return self.array(),
            (Token::Name, next) if !continues_bound(next) => self.instance(false)?,
            _ => return self.simple_type(),
        };
        Ok(Type { kind, place: start..self.end() })
    }

    /// `module(arguments)`
    fn instance(&mut self, process: bool) -> Result<TypeKind, InputError> {
        let module = self.name("the name of a module")?;
        let mut arguments = Vec::new();
        if self.eat(Token::Open) && !self.eat(Token::Close) {
            arguments = self.expressions(Token::Close, "`,` or `)` after an argument")?.0;
        }
        Ok(TypeKind::Module { process, module, arguments })
    }

    /// `array low..high of` as often as it is written, then a type that is none.
    fn array(&mut self) -> Result<Type, InputError> {
        let mut bounds = Vec::new();
        while self.peek() == Token::Array {
            let start = self.advance().start;
            if bounds.len() >= MAX_DEPTH as usize {
                return Err(self.error(start..self.end(), format!("more than {MAX_DEPTH} arrays in arrays")));
            }
            if self.eat(Token::Word) {
                self.width()?;
                bounds.push((start, None));
            } else {
                bounds.push((start, Some(self.range("the bounds `low..high` of the array")?)));
            }
            self.expect(Token::Of, "`of` and the type of the elements")?;
        }
        // No array any more, so that this is no recursion.
        let mut inner = self.type_or_module()?;
        for (start, bound) in bounds.into_iter().rev() {
            let place = start..inner.place.end;
            let kind = match bound {
                Some((low, high)) => TypeKind::Array(low, high, Box::new(inner)),
                None => TypeKind::Unsupported(self.text(&place)),
            };
            inner = Type { kind, place };
        }
        Ok(inner)
    }

    fn simple_type(&mut self) -> Result<Type, InputError> {
        let place = self.place();
        let kind = match self.peek() {
            Token::Boolean => {
                self.advance();
                TypeKind::Boolean
            }
            Token::Integer => {
                self.advance();
                TypeKind::Integer
            }
            Token::Real => {
                self.advance();
                TypeKind::Real
            }
            Token::InfiniteType => {
                self.advance();
                TypeKind::Unsupported(self.text(&place))
            }
            Token::Word => {
                self.advance();
                TypeKind::Word { signed: false, width: self.width()? }
            }
            token @ (Token::Signed | Token::Unsigned) if self.peek_second() == Token::Word => {
                self.advance();
                self.advance();
                TypeKind::Word { signed: token == Token::Signed, width: self.width()? }
            }
            Token::OpenBrace => {
                self.advance();
                let mut values = self.expressions(Token::CloseBrace, "`,` or `}` after a value")?.0;
                // A symbol may have dots.
                for value in &mut values {
                    if matches!(value.kind, ExprKind::Dot(..))
                        && let Some(text) = flat_text(value)
                    {
                        value.kind = ExprKind::Name(text);
                    }
                }
                TypeKind::Enumeration(values)
            }
            _ => {
                let (low, high) =
                    self.range("a type such as `boolean`, `{a, b}`, `0..7` or `word[8]`, or a module")?;
                TypeKind::Range(low, high)
            }
        };
        Ok(Type { kind, place: place.start..self.end() })
    }

    /// `[n]` of a word.
    fn width(&mut self) -> Result<Box<Expr>, InputError> {
        self.expect(Token::OpenBracket, "`[` and a width after `word`")?;
        let width = self.expression()?;
        self.expect(Token::CloseBracket, "`]` after the width")?;
        Ok(Box::new(width))
    }

    /// `low..high`
    fn range(&mut self, expected: &str) -> Result<(Box<Expr>, Box<Expr>), InputError> {
        if !self.begins_expression() {
            return Err(self.unexpected(expected));
        }
        let both = self.at_level(RANGE)?.expr;
        match both.kind {
            ExprKind::Range(low, high) => Ok((low, high)),
            _ => Err(self.unexpected(expected)),
        }
    }
}
