//! From words to a syntax tree: a file is a list of modules, a module a list of sections. Expressions, types and
//! numbers have files of their own.
//!
//! The first thing that is wrong ends the parse, with what was found and what was expected. Nothing is guessed and
//! nothing is repaired, so there is never a second message that follows from the first.

mod chain;
mod constant;
mod expression;
mod primary;
mod psl;
mod section;
mod types;

use super::{
    lexer::{Lexed, Token, lex},
    syntax::{Expr, ExprKind, File, Module, Name, Place},
};
use crate::{
    InputError,
    text::{Input, quote},
};

/// The deepest syntax tree, so that those who walk over it may recurse. Long chains of one associative operator are
/// balanced and do not count; neither do the branches of a `case`.
pub const MAX_DEPTH: u32 = 500;

/// How many expressions may be open at once while parsing: parentheses count twice, and an operator around them once
/// more. This takes half of the two megabytes of stack that a thread has, where little is optimised.
const MAX_OPEN: u32 = 1000;

/// Reads a file.
pub(super) fn parse(input: Input<'_>) -> Result<File, InputError> {
    let mut parser = Parser::new(input, "the file");
    let mut modules = Vec::new();
    loop {
        match parser.peek() {
            Token::Module => modules.push(parser.module()?),
            Token::End if !modules.is_empty() => return Ok(File { modules }),
            _ => return Err(parser.unexpected("`MODULE` and a name")),
        }
    }
}

/// Reads an expression that is not in a file.
pub(super) fn parse_expression(input: Input<'_>) -> Result<Expr, InputError> {
    let mut parser = Parser::new(input, "the text");
    let expr = parser.expression()?;
    parser.expect(Token::End, "an operator or the end of the text")?;
    Ok(expr)
}

/// All words of the file, and how far we are.
struct Parser<'a> {
    input: Input<'a>,
    /// What the input is, in words.
    whole: &'static str,
    tokens: Vec<Lexed>,
    at: usize,
    /// Expressions that have begun and not ended.
    open: u32,
    /// Whether operators of linear time may occur.
    is_linear: bool,
    /// Whether what is in parentheses is a property of PSL.
    is_psl: bool,
}

/// An expression and how deep it is.
struct Tree {
    expr: Expr,
    depth: u32,
}

impl Tree {
    fn leaf(kind: ExprKind, place: Place) -> Tree {
        Tree { expr: Expr { kind, place }, depth: 1 }
    }
}

impl<'a> Parser<'a> {
    fn new(input: Input<'a>, whole: &'static str) -> Parser<'a> {
        Parser { input, whole, tokens: lex(input.bytes), at: 0, open: 0, is_linear: false, is_psl: false }
    }
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.at].token
    }

    /// The word after the next one.
    fn peek_second(&self) -> Token {
        self.tokens.get(self.at + 1).map_or(Token::End, |lexed| lexed.token)
    }

    /// Where the next word is.
    fn place(&self) -> Place {
        self.tokens[self.at].place.clone()
    }

    /// Where the word before ended.
    fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].place.end)
    }

    /// Takes the next word; the end of the file stays the next word for ever.
    fn advance(&mut self) -> Place {
        let place = self.place();
        if self.peek() != Token::End {
            self.at += 1;
        }
        place
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, token: Token, expected: &str) -> Result<Place, InputError> {
        if self.peek() == token { Ok(self.advance()) } else { Err(self.unexpected(expected)) }
    }

    fn text(&self, place: &Place) -> String {
        String::from_utf8_lossy(&self.input.bytes[place.clone()]).into_owned()
    }

    fn name(&mut self, expected: &str) -> Result<Name, InputError> {
        if self.peek() != Token::Name {
            return Err(self.unexpected_name(expected));
        }
        let place = self.advance();
        Ok(Name { text: self.text(&place), place })
    }

    /// What is wrong at a place. To count its line, the text before it is read, so nobody does that for a property of PSL, whose errors are dropped.
    fn error(&self, place: Place, message: impl Into<String>) -> InputError {
        match self.is_psl {
            true => Input::new(self.input.path, b"").error(0..0, ""),
            false => self.input.error(place, message),
        }
    }

    /// The next word is not what it should be.
    fn unexpected(&self, expected: &str) -> InputError {
        let place = self.place();
        match self.peek() {
            Token::OpenComment => {
                self.error(place.start..place.start + 3, "expected `--/` to end this comment, found none")
            }
            Token::End => self.error(place, format!("expected {expected}, found the end of {}", self.whole)),
            _ => {
                let found = quote(&self.input.bytes[place.clone()]);
                self.error(place, format!("expected {expected}, found {found}"))
            }
        }
    }

    /// The next word is not a name, although it may look like one.
    fn unexpected_name(&self, expected: &str) -> InputError {
        let mut error = self.unexpected(expected);
        if matches!(self.peek(), Token::Linear(_) | Token::LinearPair(_)) {
            error.message += ", which is an operator of linear temporal logic and no name";
        } else if self.peek().is_reserved() {
            error.message += ", which is a word of the language and no name";
        }
        error
    }

    /// `MODULE name(a, b)` and its sections.
    fn module(&mut self) -> Result<Module, InputError> {
        self.advance();
        let name = self.name("the name of a module")?;
        let mut parameters = Vec::new();
        if self.eat(Token::Open) && !self.eat(Token::Close) {
            loop {
                parameters.push(self.name("the name of a parameter")?);
                if !self.eat(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::Close, "`,` or `)` after a parameter")?;
        }
        let mut items = Vec::new();
        loop {
            match self.peek() {
                Token::Section(section) => self.section(section, &mut items)?,
                Token::Module | Token::End => return Ok(Module { name, parameters, items }),
                _ => return Err(self.unexpected("a section such as `VAR`, `ASSIGN` or `SPEC`")),
            }
        }
    }
}
