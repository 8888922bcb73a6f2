//! What stands between `let` and `tel` in Kind 2 and LustreC: equations, of elements of arrays too, `if` and `when` blocks, frames, automata, and properties.

use super::{
    super::{
        lexer::Token,
        syntax::{BinaryOp, Block, Equation, ExprKind, Name, Node, PropertyDeclaration, Role},
    },
    Parser,
    node::NO_REACHABILITY,
};
use crate::InputError;

impl Parser<'_> {
    /// An item of a node.
    pub(super) fn extended_item(&mut self, node: &mut Node) -> Result<(), InputError> {
        match self.peek() {
            Token::Assert => {
                let start = self.advance().start;
                let expr = self.nested(Parser::expression)?;
                self.expect(Token::Semicolon, "an operator, or `;` at the end of the assertion")?;
                let role = Role::Assertion;
                node.properties.push(PropertyDeclaration { name: None, expr, at: start..self.end(), role });
            }
            Token::Property => self.extended_property(node)?,
            Token::Name if self.word() == "check" && !self.is_target(1) => self.extended_property(node)?,
            Token::Main => {
                let at = self.advance();
                let is_main = !self.eat(Token::Colon) || {
                    let is_true = self.peek() == Token::True;
                    self.advance();
                    is_true
                };
                if is_main {
                    node.main.get_or_insert(at);
                }
                self.eat(Token::Semicolon);
            }
            Token::Ivc => self.ivc(node)?,
            Token::Realizable | Token::Annotation => return Err(self.unexpected(ITEM)),
            _ => {
                let block = self.nested(Parser::block)?;
                node.sugar.blocks.push(block);
            }
        }
        Ok(())
    }

    /// Whether what is so far away follows a variable on the left of an equation.
    fn is_target(&self, distance: usize) -> bool {
        matches!(self.peek_at(distance), Token::Equal | Token::Comma | Token::OpenBracket)
    }

    /// `--%PROPERTY "name" condition;` or `check "name" condition provided condition;`
    fn extended_property(&mut self, node: &mut Node) -> Result<(), InputError> {
        let start = self.advance().start;
        self.eat(Token::Colon);
        self.eat_word("invariant");
        let reachable = self.word() == "reachable" && !self.is_end(1);
        if reachable {
            self.advance();
        }
        let name = self.quoted();
        self.eat(Token::Colon);
        let mut expr = self.nested(Parser::expression)?;
        if self.eat_word("provided") {
            let condition = self.nested(Parser::expression)?;
            let at = self.at_of(expr);
            expr = self.program.add(ExprKind::Binary(BinaryOp::Implies, condition, expr), &at);
        }
        self.steps_of_reachability()?;
        self.expect(Token::Semicolon, "an operator, or `;` at the end of the property")?;
        let at = start..self.end();
        if reachable {
            self.program.notes.push((at, NO_REACHABILITY.to_owned()));
            return Ok(());
        }
        node.properties.push(PropertyDeclaration { name, expr, at, role: Role::Property });
        Ok(())
    }

    fn is_end(&self, distance: usize) -> bool {
        !matches!(
            self.peek_at(distance),
            Token::Name
                | Token::Open
                | Token::Text
                | Token::Not
                | Token::Pre
                | Token::True
                | Token::False
                | Token::If
        )
    }

    /// Blocks up to one of these words, which is left.
    fn blocks_until(&mut self, ends: impl Fn(&Self) -> bool) -> Result<Vec<Block>, InputError> {
        let mut blocks = Vec::new();
        while !ends(self) {
            blocks.push(self.nested(Parser::block)?);
        }
        Ok(blocks)
    }

    /// An equation, or what has equations in it.
    pub(super) fn block(&mut self) -> Result<Block, InputError> {
        let is_target = self.is_target(1);
        match self.peek() {
            Token::If => self.if_block(),
            Token::Name if self.word() == "frame" && !is_target => self.frame(),
            Token::Name if self.word() == "automaton" && !is_target => self.automaton(),
            Token::Name if matches!(self.word(), "cond" | "auto" | "when") && !is_target => {
                let what = format!("`{}`", self.word());
                Err(self.not_supported(self.place(), &what))
            }
            Token::Name | Token::Open => self.extended_equation(),
            _ => Err(self.unexpected(ITEM)),
        }
    }

    /// `if condition then … elsif condition then … else … fi`
    fn if_block(&mut self) -> Result<Block, InputError> {
        let end = "fi";
        let start = self.advance().start;
        let condition = self.nested(Parser::expression)?;
        self.expect(Token::Then, "an operator, or `then`")?;
        let is_end = |parser: &Self| {
            parser.peek() == Token::Else
                || parser.word() == end
                || parser.word() == "elsif"
                || parser.peek() == Token::End
        };
        let then = self.blocks_until(is_end)?;
        let otherwise = if self.word() == "elsif" {
            // The rest is a block of its own, which takes the end.
            vec![self.nested(Parser::if_block)?]
        } else {
            let otherwise = match self.eat(Token::Else) {
                true => self.blocks_until(|parser| parser.word() == end || parser.peek() == Token::End)?,
                false => Vec::new(),
            };
            self.expect_word(end)?;
            self.eat(Token::Semicolon);
            otherwise
        };
        Ok(Block::If { condition, then, otherwise, at: start..self.end() })
    }

    /// `frame (x, y) initial values let … tel`
    fn frame(&mut self) -> Result<Block, InputError> {
        let start = self.advance().start;
        self.expect(Token::Open, "`(` and the variables of the frame")?;
        let variables = self.extended_names("the name of a variable")?;
        self.expect(Token::Close, "`,` or `)` after a variable")?;
        let initial = self.blocks_until(|parser| matches!(parser.peek(), Token::Let | Token::End))?;
        self.expect(Token::Let, "`let`")?;
        let body = self.blocks_until(|parser| matches!(parser.peek(), Token::Tel | Token::End))?;
        self.expect(Token::Tel, "`tel`")?;
        self.eat(Token::Semicolon);
        Ok(Block::Frame { variables, initial, body, at: start..self.end() })
    }

    /// `x, y = value;` or `a[i] = value;`
    fn extended_equation(&mut self) -> Result<Block, InputError> {
        let start = self.place().start;
        let mut targets: Vec<Name> = Vec::new();
        let mut indices = Vec::new();
        let parentheses = self.eat(Token::Open);
        while self.peek() == Token::Name {
            let name = self.name("the name of a variable")?;
            while self.eat(Token::OpenBracket) {
                if self.peek() == Token::Integer {
                    let what = "the definition of an array element by element";
                    return Err(self.not_supported(name.at.start..self.place().end, what));
                }
                indices.push(self.name("the name of an index")?);
                self.expect(Token::CloseBracket, "`]` after the index")?;
            }
            if self.peek() == Token::Dot {
                return Err(self.not_supported(name.at.start..self.place().end, "the definition of a field"));
            }
            targets.push(name);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        if parentheses {
            self.expect(Token::Close, "`,` or `)` after a variable")?;
        }
        self.expect(Token::Equal, "`=` and the value of the variable")?;
        let value = self.nested(Parser::expression)?;
        self.expect(Token::Semicolon, "an operator, or `;` at the end of the equation")?;
        let at = start..self.end();
        match (indices.is_empty(), targets.len()) {
            (true, _) => Ok(Block::Equation(Equation { targets, value, at })),
            (false, 1) => Ok(Block::Elements { target: targets.remove(0), indices, value, at }),
            _ => Err(self.not_supported(at, "an equation of elements of several arrays")),
        }
    }
}

/// What a node is made of.
const ITEM: &str = "an equation, `assert`, `check`, an annotation such as `--%PROPERTY`, or `tel`";
