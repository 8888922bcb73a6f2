//! Types and declarations of variables.

use super::{
    super::{
        lexer::Token,
        syntax::{Name, Type, TypeDefinition, TypeKind, Variable},
    },
    Parser,
};
use crate::InputError;
use dashu_int::IBig;

/// How many arrays may be in each other: those who walk over types recurse.
pub(in super::super) const MAX_TYPE_DEPTH: usize = 50;

impl Parser<'_> {
    /// `type name = type;`
    pub(super) fn type_definition(&mut self) -> Result<(), InputError> {
        self.advance();
        let name = self.name("the name of a type")?;
        if self.peek() == Token::Semicolon {
            return Err(self.not_supported(name.at, "a type without definition"));
        }
        self.expect(Token::Equal, "`=` and the definition of the type")?;
        let definition = match self.peek() {
            Token::Struct | Token::OpenBrace => self.record_type()?,
            Token::Enum => self.enum_type()?,
            _ => self.simple_type()?,
        };
        self.expect(Token::Semicolon, "`;` at the end of the type")?;
        self.program.types.push(TypeDefinition { name, definition });
        Ok(())
    }

    /// `struct { name: type; … }`
    pub(super) fn record_type(&mut self) -> Result<Type, InputError> {
        let start = self.place().start;
        self.eat(Token::Struct);
        self.expect(Token::OpenBrace, "`{` and the fields of the record")?;
        let fields = self.variables(Token::CloseBrace, "the name of a field")?;
        if fields.is_empty() {
            return Err(self.unexpected("the name of a field"));
        }
        self.expect(Token::CloseBrace, "`;` or `}` after a field")?;
        Ok(Type { kind: TypeKind::Record(fields), at: start..self.end() })
    }

    /// `enum { a, b, … }`
    pub(super) fn enum_type(&mut self) -> Result<Type, InputError> {
        let start = self.advance().start;
        self.expect(Token::OpenBrace, "`{` and the values of the enumeration")?;
        let mut values = Vec::new();
        loop {
            values.push(self.name("the name of a value")?);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseBrace, "`,` or `}` after a value")?;
        Ok(Type { kind: TypeKind::Enum(values), at: start..self.end() })
    }

    /// A type that is no record and no enumeration.
    pub(super) fn simple_type(&mut self) -> Result<Type, InputError> {
        let at = self.place();
        let kind = match self.peek() {
            Token::Bool => {
                self.advance();
                TypeKind::Bool
            }
            Token::Int => {
                self.advance();
                TypeKind::Int
            }
            Token::Real => {
                self.advance();
                TypeKind::Real
            }
            Token::Subrange => self.subrange()?,
            Token::Name if self.is_extended() && self.machine_type().is_some() => {
                TypeKind::Machine(self.machine()?)
            }
            Token::Name
                if self.is_extended()
                    && matches!(self.word(), "subtype" | "history" | "set" | "map")
                    && self.peek_at(1) != Token::Semicolon =>
            {
                let what = format!("the type `{}`", self.word());
                return Err(self.not_supported(at, &what));
            }
            Token::OpenBracket if self.is_extended() => return Err(self.not_supported(at, "a tuple type")),
            Token::Name => {
                self.advance();
                TypeKind::Named(self.text(&at))
            }
            Token::Struct | Token::Enum => {
                let what = self.text(&at);
                let message = format!(
                    "expected a type, found `{what}`: give it a name first, with `type name = {what} …`"
                );
                return Err(self.input.error(at, message));
            }
            _ => return Err(self.unexpected("a type such as `bool`, `int`, `real` or the name of one")),
        };
        self.array_type(Type { kind, at: at.start..self.end() })
    }

    /// `subrange [low, high] of int`
    fn subrange(&mut self) -> Result<TypeKind, InputError> {
        self.advance();
        if self.is_extended() {
            return self.subrange_with_constants();
        }
        self.expect(Token::OpenBracket, "`[` and the bounds of the subrange")?;
        let low = self.bound()?;
        self.expect(Token::Comma, "`,` and the upper bound")?;
        let high = self.bound()?;
        self.expect(Token::CloseBracket, "`]` after the bounds")?;
        self.expect(Token::Of, "`of int`")?;
        self.expect(Token::Int, "`int` (there are no subranges of other types)")?;
        Ok(TypeKind::Subrange(low, high))
    }

    fn bound(&mut self) -> Result<IBig, InputError> {
        let negative = self.eat(Token::Minus);
        if self.peek() != Token::Integer {
            return Err(self.unexpected("a bound, which is an integer"));
        }
        let at = self.advance();
        let value = self.integer(&at)?;
        Ok(if negative { -value } else { value })
    }

    /// `[size]` as often as it is written.
    fn array_type(&mut self, mut inner: Type) -> Result<Type, InputError> {
        let mut depth = 0;
        while self.is_extended() && self.eat(Token::Caret) {
            depth += 1;
            if depth > MAX_TYPE_DEPTH {
                let message = format!("more than {MAX_TYPE_DEPTH} arrays in arrays");
                return Err(self.input.error(self.place(), message));
            }
            let size = self.size()?;
            let at = inner.at.start..self.end();
            inner = Type { kind: TypeKind::Power(Box::new(inner), size), at };
        }
        while self.eat(Token::OpenBracket) {
            depth += 1;
            if depth > MAX_TYPE_DEPTH {
                return Err(self
                    .input
                    .error(self.place(), format!("more than {MAX_TYPE_DEPTH} arrays in arrays")));
            }
            if self.peek() != Token::Integer {
                return Err(self.unexpected("the size of the array, which is an integer"));
            }
            let at = self.advance();
            let size = self.text(&at).parse().ok().filter(|size| *size < usize::MAX / 2);
            let Some(size) = size else { return Err(self.input.error(at, "this array is too large")) };
            if size == 0 {
                return Err(self.input.error(at, "expected a size above 0, found an array without elements"));
            }
            self.expect(Token::CloseBracket, "`]` after the size of the array")?;
            let at = inner.at.start..self.end();
            inner = Type { kind: TypeKind::Array(Box::new(inner), size), at };
        }
        Ok(inner)
    }

    /// `a, b: type; c: type`, up to what closes it; a semicolon may be in front of that.
    pub(super) fn variables(&mut self, close: Token, expected: &str) -> Result<Vec<Variable>, InputError> {
        let mut variables = Vec::new();
        // `var` may be repeated, as in Kind 2.
        while self.peek() != close && (variables.is_empty() || self.peek() != Token::Var) {
            if self.is_extended() && close == Token::Let && !self.is_declaration() {
                break;
            }
            if self.peek() == Token::Const && !self.is_extended() {
                return Err(self.not_supported(self.place(), "a constant among variables"));
            }
            let constant = self.eat(Token::Const);
            let group = self.extended_names(expected)?;
            self.expect(Token::Colon, "`,` or `:` and a type")?;
            let of = self.simple_type()?;
            if self.is_extended() && matches!(self.word(), "when" | "clock") {
                return Err(self.not_supported(self.place(), "a variable with a clock"));
            }
            variables.extend(group.into_iter().map(|name| Variable { name, of: of.clone(), constant }));
            if !self.eat(Token::Semicolon) {
                break;
            }
        }
        Ok(variables)
    }

    /// Names with commas between them.
    pub(super) fn extended_names(&mut self, expected: &str) -> Result<Vec<Name>, InputError> {
        let mut names = vec![self.extended_name(expected)?];
        while self.eat(Token::Comma) {
            names.push(self.extended_name(expected)?);
        }
        Ok(names)
    }

    /// `a[0].b` as one name: files that were flattened have such names (see `extended`).
    pub(super) fn extended_name(&mut self, expected: &str) -> Result<Name, InputError> {
        let mut name = self.name(expected)?;
        loop {
            if self.eat(Token::Dot) {
                name.text = format!("{}.{}", name.text, self.name("a name after `.`")?.text);
            } else if self.peek() == Token::OpenBracket {
                self.advance();
                if self.peek() == Token::Name {
                    return Err(self.not_supported(
                        name.at.start..self.place().end,
                        "the definition of an array by its elements",
                    ));
                }
                let index = self.expect(Token::Integer, "an index")?;
                self.expect(Token::CloseBracket, "`]` after the index")?;
                name.text = format!("{}[{}]", name.text, self.text(&index));
            } else {
                name.at.end = self.end();
                return Ok(name);
            }
        }
    }
}
