//! From words to a syntax tree: a file is a list of types, constants, functions and nodes. The grammar is JKind's, with small steps towards Kind
//! 2's: named properties, `check`, optional semicolons.
//!
//! The first thing that is wrong ends the parse, with what was found and what was expected. Nothing is guessed and nothing is repaired, so there is
//! never a second message that follows from the first. What other dialects of Lustre have in that place is called by its name (`dialect`).
//!
//! # References
//! A. Gacek, J. Backes, M. Whalen, L. Wagner, E. Ghassabani. *The JKind Model Checker.* CAV 2018.

mod automaton;
mod block;
mod contract;
mod declaration;
mod dialect;
mod expression;
mod extended;
mod node;
mod number;
mod operand;
mod operator;
mod statics;
#[cfg(test)]
mod tests;
mod types;

use super::{
    lexer::{Comment, Lexed, Token, lex},
    syntax::{At, Constant, Dialect, Expr, ExprKind, Function, Id, Name, Program},
};
use crate::{
    InputError,
    extra::did_you_mean,
    text::{Input, quote},
};
pub(super) use dialect::unsupported_call;
pub(super) use types::MAX_TYPE_DEPTH;

/// Annotations, for those who misspell one.
const ANNOTATIONS: [&str; 4] = ["--%PROPERTY", "--%MAIN", "--%IVC", "--%REALIZABLE"];

/// How many constructs that are read by calls may be in each other.
const MAX_DEPTH: usize = 100;

/// Reads a file as a dialect has it.
pub(super) fn parse(input: Input<'_>, dialect: Dialect) -> Result<Program, InputError> {
    let program = Program { dialect, ..Program::default() };
    let mut parser =
        Parser { input, tokens: lex(input.bytes, dialect), at: 0, program, depth: 0, statics: Vec::new() };
    loop {
        match parser.peek() {
            _ if dialect.is_extended() => {
                if !parser.declaration()? {
                    break;
                }
            }
            Token::Type => parser.type_definition()?,
            Token::Const => parser.constant()?,
            Token::Function => parser.function()?,
            Token::Node => {
                let node = parser.node()?;
                parser.program.nodes.push(node);
            }
            Token::End => break,
            _ => return Err(parser.unexpected_declaration()),
        }
    }
    parser.check_statics()?;
    let Parser { mut program, .. } = parser;
    if !dialect.is_extended() {
        extended::flatten(&input, &mut program)?;
    }
    Ok(program)
}

/// All words of the file, how far we are, and what we have.
struct Parser<'a> {
    input: Input<'a>,
    tokens: Vec<Lexed>,
    at: usize,
    program: Program,
    /// How many calls of this parser are in each other.
    depth: usize,
    /// The calls with arguments in `<<…>>`: the node and how many there are.
    statics: Vec<(Name, usize)>,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.at].token
    }

    /// A word further on.
    fn peek_at(&self, distance: usize) -> Token {
        self.tokens.get(self.at + distance).map_or(Token::End, |lexed| lexed.token)
    }

    /// Where the next word is.
    fn place(&self) -> At {
        self.tokens[self.at].at.clone()
    }

    /// Where the word before ended.
    fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].at.end)
    }

    /// Takes the next word; the end of the file stays the next word for ever.
    fn advance(&mut self) -> At {
        let at = self.place();
        if self.peek() != Token::End {
            self.at += 1;
        }
        at
    }

    /// Whether this is another dialect than JKind's.
    fn is_extended(&self) -> bool {
        self.program.dialect.is_extended()
    }

    /// Reads something that may have itself as a part.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, InputError>) -> Result<T, InputError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.input.error(self.place(), "this is nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Takes the next word if it is this name, which is a word of other dialects.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Result<At, InputError> {
        if self.word() == word { Ok(self.advance()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == token;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, token: Token, expected: &str) -> Result<At, InputError> {
        if self.peek() == token { Ok(self.advance()) } else { Err(self.unexpected(expected)) }
    }

    fn text(&self, at: &At) -> String {
        String::from_utf8_lossy(&self.input.bytes[at.clone()]).into_owned()
    }

    /// The text of the next word, if it is a name.
    fn word(&self) -> &str {
        match self.peek() {
            Token::Name => std::str::from_utf8(&self.input.bytes[self.place()]).unwrap_or_default(),
            _ => "",
        }
    }

    fn name(&mut self, expected: &str) -> Result<Name, InputError> {
        if self.peek() != Token::Name {
            return Err(self.unexpected(expected));
        }
        let at = self.advance();
        Ok(Name { text: self.text(&at), at })
    }

    /// Adds an expression, whose operands are there already. The word to point at is its first one.
    fn add(&mut self, kind: ExprKind, at: At) -> Id {
        let first = self.tokens.partition_point(|lexed| lexed.at.start < at.start);
        let token = self.tokens.get(first).map_or(at.clone(), |lexed| lexed.at.clone());
        self.add_operator(kind, at, token)
    }

    /// Adds an expression whose operator is this word.
    fn add_operator(&mut self, kind: ExprKind, at: At, token: At) -> Id {
        self.program.exprs.push(Expr { kind, at, token: Some(token) });
        Id(self.program.exprs.len() as u32 - 1)
    }

    /// Where an expression is written.
    fn at_of(&self, id: Id) -> At {
        self.program.expr(id).at.clone()
    }

    /// The next word is not what it should be.
    fn unexpected(&self, expected: &str) -> InputError {
        if let Some(error) = self.dialect() {
            return error;
        }
        let at = self.place();
        let found = quote(&self.input.bytes[at.clone()]);
        let message = match self.peek() {
            Token::Comment(Comment::Open) => {
                let message = "this comment does not end";
                return self.input.error(at.start..at.start + 2, message);
            }
            Token::Annotation => {
                let near = did_you_mean(&self.text(&at), ANNOTATIONS.into_iter());
                format!("expected {expected}, found the unknown annotation {found}{near}")
            }
            Token::End => format!("expected {expected}, found the end of the file"),
            token if token.is_reserved() && expected.contains("name") => {
                format!("expected {expected}, found {found}, which is a word of the language and no name")
            }
            _ => format!("expected {expected}, found {found}"),
        };
        self.input.error(at, message)
    }

    /// `const name: type = value;`
    fn constant(&mut self) -> Result<(), InputError> {
        self.advance();
        let name = self.name("the name of a constant")?;
        let of = if self.eat(Token::Colon) { Some(self.simple_type()?) } else { None };
        if of.is_some() && self.peek() == Token::Semicolon {
            return Err(self.not_supported(name.at, "a constant without value"));
        }
        let expected = if of.is_some() { "`=` and the value of the constant" } else { "`:` or `=`" };
        self.expect(Token::Equal, expected)?;
        let value = self.expression()?;
        self.expect(Token::Semicolon, "an operator, or `;` at the end of the constant")?;
        self.program.constants.push(Constant { name, of, value });
        Ok(())
    }

    /// `function name(inputs) returns (outputs);`
    fn function(&mut self) -> Result<(), InputError> {
        self.advance();
        self.refuse_imported()?;
        let name = self.extended_name("the name of a function")?;
        let (inputs, outputs) = self.signature()?;
        if matches!(self.peek(), Token::Let | Token::Var) {
            return Err(
                self.not_supported(self.place(), "a function with a body (it can be written as a node)")
            );
        }
        self.program.functions.push(Function { name, inputs, outputs });
        Ok(())
    }
}
