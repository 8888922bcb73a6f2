//! Operands that only Kind 2 and LustreC have.

use super::{
    super::{
        lexer::Token,
        syntax::{BinaryOp, ExprKind, Id, Name, UnaryOp},
    },
    Parser,
    expression::{Pending, Stack},
};
use crate::InputError;

impl Parser<'_> {
    /// The text of a word further on, if it is a name.
    pub(super) fn word_at(&self, distance: usize) -> &str {
        match self.tokens.get(self.at + distance) {
            Some(lexed) if lexed.token == Token::Name => {
                std::str::from_utf8(&self.input.bytes[lexed.at.clone()]).unwrap_or_default()
            }
            _ => "",
        }
    }

    /// `1.`, with nothing in between and no name after it
    pub(super) fn is_open_decimal(&self) -> bool {
        let touches = self.tokens.get(self.at + 1).is_some_and(|dot| dot.at.start == self.place().end);
        self.peek_at(1) == Token::Dot && touches && self.peek_at(2) != Token::Name
    }

    /// `and then`, `or else` and `==>` look at their second operand only if they have to, which matters for what that assumes.
    pub(super) fn refuse_lazy(&self, op: BinaryOp, token: &std::ops::Range<usize>) -> Result<(), InputError> {
        let next = self.peek();
        let what = match op {
            BinaryOp::And if next == Token::Then => "the operator `and then`",
            BinaryOp::Or if next == Token::Else => "the operator `or else`",
            BinaryOp::Implies if token.len() == 3 => "the operator `==>`",
            _ => return Ok(()),
        };
        Err(self.not_supported(token.clone(), what))
    }

    /// An operand that begins with a word of these dialects. The outer nothing: it is an ordinary name.
    pub(super) fn extended_operand(&mut self, stack: &mut Stack) -> Result<Option<Option<Id>>, InputError> {
        let at = self.place();
        let start = at.start;
        if self.machine_type().is_some() {
            let machine = self.machine()?;
            stack.push(Pending::Machine(machine, start));
            return Ok(Some(None));
        }
        let follows = self.peek_at(1);
        let operand = match self.word() {
            "merge" if matches!(follows, Token::Open | Token::Name) => self.merge()?,
            "any" | "choose" if matches!(follows, Token::OpenBrace | Token::At) => self.any()?,
            "when" => return Err(self.not_supported(at, "a choice with `when … then … else`")),
            "last" if follows == Token::Name => {
                self.advance();
                let name = self.name("the name of a variable")?;
                self.add(ExprKind::Last(name), start..self.end())
            }
            "nor" | "current" | "forall" | "exists" | "with" | "match"
                if matches!(follows, Token::Open | Token::Name) =>
            {
                return match super::unsupported_call(self.word()) {
                    Some(message) => Err(self.input.error(at, message)),
                    None => Err(self.not_supported(at.clone(), &format!("`{}`", self.text(&at)))),
                };
            }
            _ if follows == Token::At => {
                return Err(self.not_supported(at, "a node with types or constants as arguments (`@<…>`)"));
            }
            _ => return Ok(None),
        };
        Ok(Some(Some(operand)))
    }

    /// `merge(clock; e; e)` or `merge clock (value -> e) (value -> e)`
    fn merge(&mut self) -> Result<Id, InputError> {
        let start = self.advance().start;
        let mut cases = Vec::new();
        let clock;
        if self.eat(Token::Open) {
            clock = self.nested(Parser::expression)?;
            for value in ["true", "false"] {
                let at = self.expect(Token::Semicolon, "`;` and a case of `merge`")?;
                let name = Name { text: value.to_owned(), at };
                cases.push((name, self.nested(Parser::expression)?));
            }
            self.expect(Token::Close, "an operator or `)`")?;
        } else {
            let name = self.name("the clock of `merge`")?;
            clock = self.add(ExprKind::Name(name.text), name.at);
            while self.eat(Token::Open) {
                let at = self.place();
                let name = match self.peek() {
                    Token::True | Token::False => {
                        self.advance();
                        Name { text: self.text(&at), at }
                    }
                    _ => self.name("a value of the clock")?,
                };
                self.expect(Token::Operator(BinaryOp::Arrow), "`->` after the value of the clock")?;
                cases.push((name, self.nested(Parser::expression)?));
                self.expect(Token::Close, "an operator or `)`")?;
            }
        }
        Ok(self.add(ExprKind::Merge(clock, cases), start..self.end()))
    }

    /// What follows `when`: a variable, its negation, or a value of an enumeration with the variable that has it.
    pub(super) fn clock(&mut self) -> Result<Id, InputError> {
        let at = self.place();
        match self.peek() {
            Token::Not => {
                self.advance();
                let operand = self.nested(Parser::clock)?;
                let at = at.start..self.end();
                Ok(self.add(ExprKind::Unary(UnaryOp::Not, operand), at))
            }
            Token::Open => {
                self.advance();
                let clock = self.nested(Parser::expression)?;
                self.expect(Token::Close, "an operator or `)`")?;
                Ok(clock)
            }
            Token::True | Token::False | Token::Name => {
                let value = self.advance();
                let text = self.text(&value);
                if self.eat(Token::Open) {
                    let variable = self.name("the clock")?;
                    self.expect(Token::Close, "`)` after the clock")?;
                    let variable = self.add(ExprKind::Name(variable.text), variable.at);
                    let kind = match text.as_str() {
                        "true" => return Ok(variable),
                        "false" | "not" => ExprKind::Unary(UnaryOp::Not, variable),
                        _ => {
                            let value = self.add(ExprKind::Name(text), value);
                            ExprKind::Binary(BinaryOp::Equal, variable, value)
                        }
                    };
                    return Ok(self.add(kind, at.start..self.end()));
                }
                let kind = match text.as_str() {
                    "true" => ExprKind::Bool(true),
                    "false" => ExprKind::Bool(false),
                    _ => ExprKind::Name(text),
                };
                Ok(self.add(kind, value))
            }
            _ => Err(self.unexpected("the clock of `when`")),
        }
    }

    /// `(restart node every reset)(arguments)`, `(activate node every clock)(arguments)`, and both in each other
    pub(super) fn activation(&mut self) -> Result<Id, InputError> {
        let start = self.expect(Token::Open, "`(`")?.start;
        let (mut clock, mut reset, mut defaults) = (None, None, None);
        let node = if self.eat_word("restart") {
            let node = self.name("the name of a node")?;
            self.expect_word("every")?;
            reset = Some(self.nested(Parser::expression)?);
            node
        } else {
            self.expect_word("activate")?;
            let node = if self.eat(Token::Open) {
                self.expect_word("restart")?;
                let node = self.name("the name of a node")?;
                self.expect_word("every")?;
                reset = Some(self.nested(Parser::expression)?);
                self.expect(Token::Close, "an operator or `)`")?;
                node
            } else {
                self.name("the name of a node")?
            };
            self.expect_word("every")?;
            clock = Some(self.nested(Parser::expression)?);
            if self.eat_word("initial") {
                self.expect_word("default")?;
                let mut values = vec![self.nested(Parser::expression)?];
                while self.eat(Token::Comma) {
                    values.push(self.nested(Parser::expression)?);
                }
                // `(a, b)` is two of them.
                if let [only] = values.as_slice()
                    && let ExprKind::Tuple(parts) = &self.program.expr(*only).kind
                {
                    values = parts.clone();
                }
                defaults = Some(values);
            }
            if self.eat_word("restart") {
                self.expect_word("every")?;
                reset = Some(self.nested(Parser::expression)?);
            }
            node
        };
        self.expect(Token::Close, "an operator or `)`")?;
        let arguments = self.arguments()?;
        let kind = match (clock, reset) {
            (Some(clock), reset) => ExprKind::Activate { clock, node, arguments, defaults, reset },
            (None, Some(reset)) => ExprKind::Restart { reset, node, arguments },
            (None, None) => return Err(self.unexpected("`every`")),
        };
        Ok(self.add(kind, start..self.end()))
    }

    /// `any { x: type | condition }` or `any@<type>`
    fn any(&mut self) -> Result<Id, InputError> {
        let at = self.advance();
        if self.text(&at) == "choose" {
            return Err(self.not_supported(at, "the operator `choose`"));
        }
        if self.eat(Token::At) {
            self.expect(Token::Operator(BinaryOp::Less), "`<` and a type")?;
            let of = self.simple_type()?;
            self.expect(Token::Operator(BinaryOp::Greater), "`>` after the type")?;
            return Ok(self.add(ExprKind::Any(Box::new(of), None), at.start..self.end()));
        }
        self.expect(Token::OpenBrace, "`{`")?;
        if self.peek() == Token::Name && self.peek_at(1) == Token::Colon {
            let name = self.name("a name")?;
            self.advance();
            let of = self.simple_type()?;
            self.expect(Token::Bar, "`|` and a condition")?;
            let condition = self.nested(Parser::expression)?;
            self.expect(Token::CloseBrace, "an operator or `}`")?;
            let kind = ExprKind::Any(Box::new(of), Some((name, condition)));
            return Ok(self.add(kind, at.start..self.end()));
        }
        let of = self.simple_type()?;
        self.expect(Token::CloseBrace, "`}` after the type")?;
        Ok(self.add(ExprKind::Any(Box::new(of), None), at.start..self.end()))
    }

    /// `::scope::mode`
    pub(super) fn mode_reference(&mut self) -> Result<Id, InputError> {
        let start = self.place().start;
        let mut path = Vec::new();
        while self.eat(Token::Path) {
            path.push(self.name("the name of a mode")?);
        }
        Ok(self.add(ExprKind::Mode(path), start..self.end()))
    }

    /// `#(a, b, c)`: no two of them hold.
    pub(super) fn at_most_one(&mut self) -> Result<Id, InputError> {
        let start = self.advance().start;
        let operands = self.arguments()?;
        let at = start..self.end();
        let mut all = self.add(ExprKind::Bool(true), at.clone());
        // Each pair is written out; operands are shared, and nothing is changed in them later.
        for (position, first) in operands.iter().enumerate() {
            for second in &operands[position + 1..] {
                let (first, second) = (self.copied(*first), self.copied(*second));
                let both = self.program.add(ExprKind::Binary(BinaryOp::And, first, second), &at);
                let not = self.program.add(ExprKind::Unary(UnaryOp::Not, both), &at);
                all = self.program.add(ExprKind::Binary(BinaryOp::And, all, not), &at);
            }
        }
        Ok(all)
    }

    /// A copy of an expression.
    fn copied(&mut self, root: Id) -> Id {
        super::super::elaborate::copy(&mut self.program, root)
    }
}
