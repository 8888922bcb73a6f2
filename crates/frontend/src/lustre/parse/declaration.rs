//! Declarations as Kind 2 and LustreC have them: beyond JKind's there are contracts, imported nodes, functions with bodies, constants without value, types
//! without definition, machine integers, and bounds and sizes that are constant expressions.

use super::{
    super::{
        lexer::Token,
        syntax::{
            BinaryOp, Constant, ExprKind, Function, Id, LocalConstant, Machine, Name, Node, Type,
            TypeDefinition, TypeKind, Variable,
        },
    },
    Parser,
};
use crate::InputError;

/// The widest machine integer.
const MAX_WIDTH: u32 = 1024;

impl Parser<'_> {
    /// A declaration; nothing at the end of the file.
    pub(super) fn declaration(&mut self) -> Result<bool, InputError> {
        match self.peek() {
            Token::Type => self.type_definitions()?,
            Token::Const => {
                self.advance();
                while self.is_constant() {
                    for constant in self.local_constant()? {
                        self.global_constant(constant);
                    }
                }
            }
            Token::Function => self.node_or_function(true)?,
            Token::Node => self.node_or_function(false)?,
            Token::Hash => self.opened()?,
            Token::End => return Ok(false),
            Token::Name => match self.word() {
                "contract" => self.contract_node()?,
                "datatype" => self.datatype()?,
                // What may be abstracted: all nodes are read with their bodies.
                "transparent" | "opaque" | "translucent" => {
                    self.advance();
                }
                _ => return Err(self.unexpected_declaration()),
            },
            _ => return Err(self.unexpected_declaration()),
        }
        Ok(true)
    }

    /// Whether a constant follows without `const` in front of it.
    fn is_constant(&self) -> bool {
        self.peek() == Token::Name && (self.is_declaration() || self.peek_at(1) == Token::Equal)
    }

    /// Whether names and a colon follow.
    pub(super) fn is_declaration(&self) -> bool {
        let mut distance = usize::from(self.peek() == Token::Const);
        while self.peek_at(distance) == Token::Name {
            match self.peek_at(distance + 1) {
                Token::Colon => return true,
                Token::Comma => distance += 2,
                _ => return false,
            }
        }
        false
    }

    /// `#open <library>`: what is declared there is not known here.
    fn opened(&mut self) -> Result<(), InputError> {
        let start = self.advance().start;
        if self.word() != "open" {
            let what = format!("`#{}`", self.word());
            return Err(self.not_supported(start..self.place().end, &what));
        }
        self.advance();
        while !matches!(self.peek(), Token::Operator(BinaryOp::Greater) | Token::Text | Token::End) {
            self.advance();
        }
        self.advance();
        let at = start..self.end();
        let text = self.text(&at);
        let message = format!("`{text}` is not read: what it declares is not known");
        self.program.notes.push((at, message));
        Ok(())
    }

    fn type_definitions(&mut self) -> Result<(), InputError> {
        self.advance();
        loop {
            let name = self.name("the name of a type")?;
            if self.peek() == Token::Semicolon {
                // Values of it can only be compared, so any infinite set will do.
                let definition = Type { kind: TypeKind::Int, at: name.at.clone() };
                self.program.types.push(TypeDefinition { name, definition });
            } else {
                self.expect(Token::Equal, "`=` and the definition of the type")?;
                let definition = match self.peek() {
                    Token::Struct | Token::OpenBrace => self.record_type()?,
                    Token::Enum => self.enum_type()?,
                    _ => self.simple_type()?,
                };
                self.program.types.push(TypeDefinition { name, definition });
            }
            self.expect(Token::Semicolon, "`;` at the end of the type")?;
            if self.peek() != Token::Name || !matches!(self.peek_at(1), Token::Equal) {
                return Ok(());
            }
        }
    }

    /// `datatype name = A | B;`: an enumeration, if no value has parts.
    fn datatype(&mut self) -> Result<(), InputError> {
        let start = self.advance().start;
        let name = self.name("the name of a type")?;
        if self.peek() != Token::Equal {
            return Err(self.not_supported(start..self.end(), "a type with parameters"));
        }
        self.advance();
        self.eat(Token::Bar);
        let mut values = Vec::new();
        loop {
            values.push(self.name("the name of a value")?);
            if matches!(self.peek(), Token::Of | Token::Open | Token::OpenBrace) {
                return Err(self.not_supported(start..name.at.end, "a datatype whose values have parts"));
            }
            if !self.eat(Token::Bar) {
                break;
            }
        }
        self.expect(Token::Semicolon, "`|` or `;` after a value")?;
        let definition = Type { kind: TypeKind::Enum(values), at: start..self.end() };
        self.program.types.push(TypeDefinition { name, definition });
        Ok(())
    }

    /// `name: type = value;`, in which type or value may be missing. Several names may share a type.
    pub(super) fn local_constant(&mut self) -> Result<Vec<LocalConstant>, InputError> {
        let mut names = vec![self.name("the name of a constant")?];
        while self.eat(Token::Comma) {
            names.push(self.name("the name of a constant")?);
        }
        let of = if self.eat(Token::Colon) { Some(self.simple_type()?) } else { None };
        let value = match self.peek() {
            Token::Semicolon if of.is_some() => None,
            _ => {
                self.expect(Token::Equal, "`=` and the value of the constant")?;
                Some(self.nested(Parser::expression)?)
            }
        };
        self.expect(Token::Semicolon, "an operator, or `;` at the end of the constant")?;
        Ok(names.into_iter().map(|name| LocalConstant { name, of: of.clone(), value }).collect())
    }

    /// A constant without value is a function without arguments: the same value in all steps.
    fn global_constant(&mut self, constant: LocalConstant) {
        let LocalConstant { name, of, value } = constant;
        match (value, of) {
            (Some(value), of) => self.program.constants.push(Constant { name, of, value }),
            (None, Some(of)) => {
                let output = Variable { name: name.clone(), of, constant: false };
                self.program.functions.push(Function { name, inputs: Vec::new(), outputs: vec![output] });
            }
            (None, None) => {}
        }
    }

    /// `node imported name(inputs) returns (outputs); contract var … let … tel`
    fn node_or_function(&mut self, is_function: bool) -> Result<(), InputError> {
        self.advance();
        let imported = self.word() == "imported" && self.peek_at(1) == Token::Name;
        if imported {
            self.advance();
        }
        let name = self.name("the name of a node")?;
        let parameters = self.static_parameters()?;
        let statics = parameters.len();
        let (inputs, outputs) = self.signature()?;
        let inputs = parameters.into_iter().chain(inputs).collect();
        let mut node = Node { is_abstract: imported, is_function, ..Node::new(name, inputs, outputs) };
        node.sugar.statics = statics;
        self.contract_of(&mut node)?;
        let has_body = matches!(self.peek(), Token::Var | Token::Let | Token::Const) && !imported;
        if !has_body && !imported && !is_function {
            return Err(self.unexpected("`var` or `let`"));
        }
        if !has_body || self.peek() == Token::Const && !self.has_body() {
            node.is_abstract = true;
            self.eat(Token::Semicolon);
            self.program.nodes.push(node);
            return Ok(());
        }
        while matches!(self.peek(), Token::Var | Token::Const) {
            if self.eat(Token::Const) {
                while self.is_constant() {
                    let constants = self.local_constant()?;
                    node.sugar.constants.extend(constants);
                }
            } else {
                self.advance();
                let more = self.variables(Token::Let, "the name of a local variable")?;
                node.locals.extend(more);
            }
        }
        self.expect(Token::Let, "`var`, `const` or `let`")?;
        while !self.eat(Token::Tel) {
            self.extended_item(&mut node)?;
        }
        let _ = self.eat(Token::Semicolon) || self.eat(Token::Dot);
        self.program.nodes.push(node);
        Ok(())
    }

    /// Whether a constant of a node follows and not one of the program: there is a `let` before the next declaration.
    fn has_body(&self) -> bool {
        let rest = self.tokens[self.at..].iter();
        let mut ends = rest.map(|lexed| lexed.token).skip_while(|token| {
            !matches!(token, Token::Let | Token::Node | Token::Function | Token::Type | Token::End)
        });
        ends.next() == Some(Token::Let)
    }

    /// `[low, high] of int`, with `*` where there is no bound.
    pub(super) fn subrange_with_constants(&mut self) -> Result<TypeKind, InputError> {
        self.expect(Token::OpenBracket, "`[` and the bounds of the subrange")?;
        let low = self.bound_or_star(Token::Comma)?;
        self.expect(Token::Comma, "`,` and the upper bound")?;
        let high = self.bound_or_star(Token::CloseBracket)?;
        self.expect(Token::CloseBracket, "`]` after the bounds")?;
        self.expect(Token::Of, "`of int`")?;
        self.expect(Token::Int, "`int` (there are no subranges of other types)")?;
        Ok(TypeKind::Bounds(low, high))
    }

    fn bound_or_star(&mut self, close: Token) -> Result<Option<Id>, InputError> {
        let star = Token::Operator(BinaryOp::Times);
        if self.peek() == star && self.peek_at(1) == close {
            self.advance();
            return Ok(None);
        }
        self.nested(Parser::expression).map(Some)
    }

    /// The size of an array: a number, a name, or an expression in parentheses.
    pub(super) fn size(&mut self) -> Result<Id, InputError> {
        let at = self.place();
        let kind = match self.peek() {
            Token::Integer => ExprKind::Int(self.integer(&at)?),
            Token::Name => ExprKind::Name(self.text(&at)),
            Token::Open => {
                self.advance();
                let size = self.nested(Parser::expression)?;
                self.expect(Token::Close, "an operator or `)`")?;
                return Ok(size);
            }
            _ => return Err(self.unexpected("the size of the array, which is a constant")),
        };
        self.advance();
        Ok(self.add(kind, at))
    }

    /// The machine integer that the next word is the name of, if it is one: `int8`, or `uint` before `<`.
    pub(super) fn machine_type(&self) -> Option<Machine> {
        let less = Token::Operator(BinaryOp::Less);
        let word = self.word();
        let (signed, width) = match word.strip_prefix('u') {
            Some(rest) => (false, rest.strip_prefix("int")?),
            None => (true, word.strip_prefix("int").or_else(|| word.strip_prefix("sint"))?),
        };
        match width {
            "8" | "16" | "32" | "64" => Some(Machine { signed, width: width.parse().ok()? }),
            "" if self.peek_at(1) == less || self.peek_at(1) == Token::At => {
                Some(Machine { signed, width: 0 })
            }
            _ => None,
        }
    }

    /// The name of a machine integer, with its width.
    pub(super) fn machine(&mut self) -> Result<Machine, InputError> {
        let Some(mut machine) = self.machine_type() else { return Err(self.unexpected("a machine integer")) };
        let start = self.advance().start;
        if machine.width == 0 {
            self.eat(Token::At);
            self.expect(Token::Operator(BinaryOp::Less), "`<` and a width")?;
            let at = self.expect(Token::Integer, "a width")?;
            let width = self.text(&at).parse().unwrap_or(0);
            self.expect(Token::Operator(BinaryOp::Greater), "`>` after the width")?;
            // A single bit would be a Boolean.
            if !(2..=MAX_WIDTH).contains(&width) {
                let message = format!("expected a width from 2 to {MAX_WIDTH}, found {}", self.text(&at));
                return Err(self.input.error(start..self.end(), message));
            }
            machine.width = width;
        }
        Ok(machine)
    }

    /// A name in quotes, if one is there.
    pub(super) fn quoted(&mut self) -> Option<Name> {
        (self.peek() == Token::Text).then(|| {
            let at = self.advance();
            let quoted = self.text(&at);
            Name { text: quoted.trim_matches('"').to_owned(), at }
        })
    }
}
