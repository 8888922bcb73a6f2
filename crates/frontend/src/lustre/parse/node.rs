//! Nodes: signature, local variables, and what is between `let` and `tel`.

use super::{
    super::{
        lexer::Token,
        syntax::{Equation, Name, Node, PropertyDeclaration, Role, Variable},
    },
    Parser,
};
use crate::InputError;

/// What is said about such a check.
pub(super) const NO_REACHABILITY: &str =
    "`reachable` is ignored: propcov does not check reachability of conditions";

impl Parser<'_> {
    /// `node name(inputs) returns (outputs); var locals; let … tel`
    pub(super) fn node(&mut self) -> Result<Node, InputError> {
        self.advance();
        self.refuse_imported()?;
        let name = self.name("the name of a node")?;
        let (inputs, outputs) = self.signature()?;
        let mut locals = Vec::new();
        while self.eat(Token::Var) {
            let more = self.variables(Token::Let, "the name of a local variable")?;
            if more.is_empty() {
                return Err(self.unexpected("the name of a local variable"));
            }
            locals.extend(more);
        }
        if self.peek() != Token::Let {
            // After a declaration without semicolon, the semicolon is what is missing.
            let after_locals = !locals.is_empty() && self.tokens[self.at - 1].token != Token::Semicolon;
            return Err(self.unexpected(if after_locals {
                "`;` after the local variables"
            } else {
                "`var` or `let`"
            }));
        }
        if !locals.is_empty() && self.tokens[self.at - 1].token != Token::Semicolon {
            return Err(self.unexpected("`;` after the local variables"));
        }
        self.advance();
        let mut node = Node { locals, ..Node::new(name, inputs, outputs) };
        while !self.eat(Token::Tel) {
            self.item(&mut node)?;
        }
        let _ = self.eat(Token::Semicolon) || self.eat(Token::Dot);
        Ok(node)
    }

    /// `(inputs) returns (outputs);`
    pub(super) fn signature(&mut self) -> Result<(Vec<Variable>, Vec<Variable>), InputError> {
        if self.word_is_static_call() {
            return Err(self.not_supported(self.place(), "a static parameter (`<<…>>`)"));
        }
        self.expect(Token::Open, "`(` and the inputs")?;
        let inputs = self.variables(Token::Close, "the name of an input")?;
        self.expect(Token::Close, "`;` or `)` after an input")?;
        self.expect(Token::Returns, "`returns`")?;
        self.expect(Token::Open, "`(` and the outputs")?;
        let outputs = self.variables(Token::Close, "the name of an output")?;
        self.expect(Token::Close, "`;` or `)` after an output")?;
        self.eat(Token::Semicolon);
        Ok((inputs, outputs))
    }

    /// An equation, an assertion or an annotation.
    fn item(&mut self, node: &mut Node) -> Result<(), InputError> {
        if let Some(error) = self.dialect_item() {
            return Err(error);
        }
        match self.peek() {
            Token::Assert => {
                self.advance();
                node.assertions.push(self.expression()?);
                self.expect(Token::Semicolon, "an operator, or `;` at the end of the assertion")?;
            }
            Token::Property => node.properties.push(self.property()?),
            Token::Name if self.is_check() => {
                let start = self.advance().start;
                if self.word() == "reachable" && matches!(self.peek_at(1), Token::Text | Token::Name) {
                    self.unread_reachability(start)?;
                } else {
                    node.properties.push(self.property_from(start)?);
                }
            }
            Token::Main => {
                let at = self.advance();
                node.main.get_or_insert(at);
                self.eat(Token::Semicolon);
            }
            Token::Ivc => self.ivc(node)?,
            Token::Realizable => {
                let at = self.advance();
                if self.peek() == Token::Name {
                    self.extended_names("the name of an input")?;
                }
                self.expect(Token::Semicolon, "`,` or `;` after `--%REALIZABLE`")?;
                node.realizable.get_or_insert(at);
            }
            Token::Name | Token::Open => node.equations.push(self.equation()?),
            _ => {
                return Err(
                    self.unexpected("an equation, `assert`, an annotation such as `--%PROPERTY`, or `tel`")
                );
            }
        }
        Ok(())
    }

    /// `check` is a name for JKind.
    fn is_check(&self) -> bool {
        self.word() == "check"
            && !matches!(self.peek_at(1), Token::Equal | Token::Comma | Token::OpenBracket | Token::Dot)
    }

    /// `--%PROPERTY "name" expr;` or `check "name" expr;`, the name is optional.
    fn property(&mut self) -> Result<PropertyDeclaration, InputError> {
        let start = self.advance().start;
        self.property_from(start)
    }

    /// `reachable "name" expr from 1 within 5;` of Kind 2, without `check`. What follows `reachable` says that it is no variable.
    fn unread_reachability(&mut self, start: usize) -> Result<(), InputError> {
        self.advance();
        self.eat(Token::Text);
        self.expression()?;
        self.steps_of_reachability()?;
        self.expect(Token::Semicolon, "an operator, or `;` at the end of the property")?;
        self.program.notes.push((start..self.end(), NO_REACHABILITY.to_owned()));
        Ok(())
    }

    /// `from 1 within 5`, `at 3`
    pub(super) fn steps_of_reachability(&mut self) -> Result<(), InputError> {
        while matches!(self.word(), "from" | "within" | "at") {
            self.advance();
            self.expect(Token::Integer, "a number of steps")?;
        }
        Ok(())
    }

    fn property_from(&mut self, start: usize) -> Result<PropertyDeclaration, InputError> {
        let name = (self.peek() == Token::Text).then(|| {
            let at = self.advance();
            let quoted = self.text(&at);
            Name { text: quoted.trim_matches('"').to_owned(), at }
        });
        if let Some(name) = name.as_ref().filter(|name| name.text.trim().is_empty()) {
            return Err(self
                .input
                .error(name.at.clone(), "expected the name of a property, found an empty one"));
        }
        let expr = self.expression()?;
        self.expect(Token::Semicolon, "an operator, or `;` at the end of the property")?;
        Ok(PropertyDeclaration { name, expr, at: start..self.end(), role: Role::Property })
    }

    /// `--%IVC a, b;`
    pub(super) fn ivc(&mut self, node: &mut Node) -> Result<(), InputError> {
        self.advance();
        let names = match self.peek() {
            Token::Name => self.extended_names("the name of a variable")?,
            _ => Vec::new(),
        };
        self.expect(Token::Semicolon, "`,` or `;` after `--%IVC`")?;
        node.ivc.get_or_insert_default().extend(names);
        Ok(())
    }

    /// `x, y = value;`, perhaps with parentheses on the left.
    fn equation(&mut self) -> Result<Equation, InputError> {
        let start = self.place().start;
        let targets = if self.eat(Token::Open) {
            let targets = match self.peek() {
                Token::Close => Vec::new(),
                _ => self.extended_names("the name of a variable")?,
            };
            self.expect(Token::Close, "`,` or `)` after a variable")?;
            targets
        } else {
            self.extended_names("the name of a variable")?
        };
        let expected = match targets.as_slice() {
            [_, _, ..] => "`,`, or `=` and the value of the variables",
            _ => "`=` and the value of the variable",
        };
        self.expect(Token::Equal, expected)?;
        let value = self.expression()?;
        self.expect(Token::Semicolon, "an operator, or `;` at the end of the equation")?;
        Ok(Equation { targets, value, at: start..self.end() })
    }
}
