//! Constants as parameters in double brackets, `node f<<const n: int>>(x: int ^ n)` and `f<<3>>(x)`: they are read as inputs that are constants, which come first.
//!
//! What is not of that form, types and nodes as parameters and expressions as arguments, is refused by its name.

use super::{
    super::{
        lexer::Token,
        syntax::{BinaryOp, ExprKind, Id, Name, Variable},
    },
    Parser,
};
use crate::InputError;
use std::collections::{HashMap, HashSet};

const LESS: Token = Token::Operator(BinaryOp::Less);
const GREATER: Token = Token::Operator(BinaryOp::Greater);

impl Parser<'_> {
    /// `<<const n: int; const b: bool>>`, after the name of a node; nothing if there are none.
    pub(super) fn static_parameters(&mut self) -> Result<Vec<Variable>, InputError> {
        if self.peek() != LESS {
            return Ok(Vec::new());
        }
        if !self.word_is_static_call() || self.peek_at(2) != Token::Const {
            let what = "a node with types or nodes as parameters (`<…>`)";
            return Err(self.not_supported(self.place(), what));
        }
        self.advance();
        self.advance();
        let mut parameters = Vec::new();
        loop {
            if self.peek() != Token::Const {
                return Err(self.not_supported(self.place(), "a parameter in `<<…>>` that is no `const`"));
            }
            self.advance();
            let name = self.name("the name of a parameter")?;
            self.expect(Token::Colon, "`:` and a type")?;
            if !matches!(self.peek(), Token::Int | Token::Bool | Token::Real) {
                let what = "a parameter in `<<…>>` that is no `int`, `bool` or `real`";
                return Err(self.not_supported(self.place(), what));
            }
            let of = self.simple_type()?;
            parameters.push(Variable { name, of, constant: true });
            if !self.eat(Token::Semicolon) && !self.eat(Token::Comma) {
                break;
            }
        }
        self.end_of_statics("`;` or `>>` after a parameter")?;
        Ok(parameters)
    }

    /// `<<3, N>>`, after the name of a node that is called.
    pub(super) fn static_arguments(&mut self, name: &Name) -> Result<Vec<Id>, InputError> {
        self.advance();
        self.advance();
        let mut arguments = Vec::new();
        loop {
            let at = self.place();
            let kind = match self.peek() {
                Token::Integer => ExprKind::Int(self.integer(&at)?),
                Token::True => ExprKind::Bool(true),
                Token::False => ExprKind::Bool(false),
                Token::Name => ExprKind::Name(self.text(&at)),
                Token::Open => {
                    self.advance();
                    arguments.push(self.nested(Parser::expression)?);
                    self.expect(Token::Close, "an operator or `)`")?;
                    if !self.eat(Token::Comma) && !self.eat(Token::Semicolon) {
                        break;
                    }
                    continue;
                }
                _ => return Err(self.unexpected("a constant, or an expression in parentheses")),
            };
            self.advance();
            arguments.push(self.add(kind, at));
            if !self.eat(Token::Comma) && !self.eat(Token::Semicolon) {
                break;
            }
        }
        self.end_of_statics("`,` or `>>` (an expression needs parentheses)")?;
        self.statics.push((name.clone(), arguments.len()));
        Ok(arguments)
    }

    fn end_of_statics(&mut self, expected: &str) -> Result<(), InputError> {
        self.expect(GREATER, expected)?;
        self.expect(GREATER, expected)?;
        Ok(())
    }

    fn wrong_statics(&self, name: &Name, wanted: usize, found: usize) -> InputError {
        let arguments = if wanted == 1 { "argument" } else { "arguments" };
        let message = format!("expected {wanted} {arguments} in `<<…>>` for `{}`, found {found}", name.text);
        self.input.error(name.at.clone(), message)
    }

    /// Whether each call has as many arguments in `<<…>>` as the node has parameters there.
    pub(super) fn check_statics(&self) -> Result<(), InputError> {
        let expected: HashMap<&str, usize> = self
            .program
            .nodes
            .iter()
            .map(|node| (node.name.text.as_str(), node.sugar.statics))
            .filter(|(_, count)| *count > 0)
            .collect();
        let mut given = HashSet::new();
        for (name, count) in &self.statics {
            let wanted = expected.get(name.text.as_str()).copied().unwrap_or(0);
            if wanted != *count {
                return Err(self.wrong_statics(name, wanted, *count));
            }
            given.insert(name.at.start);
        }
        for expr in &self.program.exprs {
            let name = match &expr.kind {
                ExprKind::Call(name, _)
                | ExprKind::Condact { node: name, .. }
                | ExprKind::Restart { node: name, .. }
                | ExprKind::Activate { node: name, .. } => name,
                _ => continue,
            };
            if let Some(wanted) = expected.get(name.text.as_str())
                && !given.contains(&name.at.start)
            {
                return Err(self.wrong_statics(name, *wanted, 0));
            }
        }
        Ok(())
    }
}
