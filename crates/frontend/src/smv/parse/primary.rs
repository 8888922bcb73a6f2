//! Operands: names, constants, what is in some kind of brackets, functions, and the indices and dots that follow.

use super::{
    super::{
        lexer::Token,
        syntax::{BinaryOp, Expr, ExprKind, Name, PathQuantifier},
    },
    Parser, Tree,
    expression::IMPLIES,
};
use crate::InputError;

/// Functions whose names may be used for other things.
const FUNCTIONS: [&str; 6] = ["count", "abs", "min", "max", "floor", "typeof"];

impl Parser<'_> {
    /// Whether an expression can begin with the next word.
    pub(super) fn begins_expression(&self) -> bool {
        matches!(
            self.peek(),
            Token::Name
                | Token::Number
                | Token::Decimal
                | Token::Operator(BinaryOp::Plus)
                | Token::WordConstant
                | Token::True
                | Token::False
                | Token::Open
                | Token::OpenBrace
                | Token::OpenBracket
                | Token::Case
                | Token::Next
                | Token::Init
                | Token::Function
                | Token::Signed
                | Token::Unsigned
                | Token::Minus
                | Token::Not
                | Token::Temporal(_)
                | Token::Bounded(_)
                | Token::Path(_)
        )
    }

    /// An operand without what may follow it.
    pub(super) fn primary(&mut self) -> Result<Tree, InputError> {
        match self.peek() {
            Token::Name => self.name_or_call(),
            Token::Number => self.integer(),
            Token::Decimal => self.decimal(),
            Token::WordConstant => self.word_constant(),
            Token::True => Ok(Tree::leaf(ExprKind::Boolean(true), self.advance())),
            Token::False => Ok(Tree::leaf(ExprKind::Boolean(false), self.advance())),
            Token::Open => self.parentheses(),
            Token::OpenBrace => self.list(Token::CloseBrace, "`,` or `}` after an element", ExprKind::Set),
            Token::OpenBracket => {
                self.list(Token::CloseBracket, "`,` or `]` after an element", ExprKind::ArrayLiteral)
            }
            Token::Case => self.case(),
            Token::Next => self.wrapped("next", ExprKind::Next),
            Token::Init => self.wrapped("init", ExprKind::Init),
            Token::Function | Token::Signed | Token::Unsigned => self.call(),
            Token::Path(quantifier) => self.until(quantifier),
            token if token.is_heading() => Err(self.unexpected("an expression")),
            _ => Err(self.unexpected_name("an expression")),
        }
    }

    fn name_or_call(&mut self) -> Result<Tree, InputError> {
        if self.peek_second() != Token::Open {
            let place = self.advance();
            return Ok(Tree::leaf(ExprKind::Name(self.text(&place)), place));
        }
        let text = self.text(&self.place());
        if !FUNCTIONS.contains(&text.as_str()) {
            self.advance();
            return Err(self.unexpected(&format!("an operator after `{text}`, which is no function")));
        }
        self.call()
    }

    /// `name(arguments)`
    fn call(&mut self) -> Result<Tree, InputError> {
        let place = self.advance();
        let function = Name { text: self.text(&place), place };
        self.expect(Token::Open, &format!("`(` after the function `{}`", function.text))?;
        let start = function.place.start;
        let (arguments, below) = self.expressions(Token::Close, "`,` or `)` after an argument")?;
        self.node(ExprKind::Call(function, arguments), start..self.end(), below)
    }

    /// Parentheses leave no trace but the place.
    fn parentheses(&mut self) -> Result<Tree, InputError> {
        let start = self.advance().start;
        let mut inner = if self.is_psl { self.psl_property()? } else { self.at_level(IMPLIES)? };
        self.expect(Token::Close, "an operator or `)`")?;
        inner.expr.place = start..self.end();
        Ok(inner)
    }

    /// Expressions with commas between them, at least one, and what closes them.
    pub(super) fn expressions(
        &mut self,
        close: Token,
        expected: &str,
    ) -> Result<(Vec<Expr>, u32), InputError> {
        let mut elements = Vec::new();
        let mut below = 0;
        loop {
            let element = self.at_level(IMPLIES)?;
            below = below.max(element.depth);
            elements.push(element.expr);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(close, expected)?;
        Ok((elements, below))
    }

    fn list(
        &mut self,
        close: Token,
        expected: &str,
        kind: fn(Vec<Expr>) -> ExprKind,
    ) -> Result<Tree, InputError> {
        let start = self.advance().start;
        let (elements, below) = self.expressions(close, expected)?;
        self.node(kind(elements), start..self.end(), below)
    }

    /// `next(e)` and `init(e)`
    fn wrapped(&mut self, keyword: &str, kind: fn(Box<Expr>) -> ExprKind) -> Result<Tree, InputError> {
        let start = self.advance().start;
        self.expect(Token::Open, &format!("`(` after `{keyword}`"))?;
        let inner = self.at_level(IMPLIES)?;
        self.expect(Token::Close, "an operator or `)`")?;
        self.node(kind(Box::new(inner.expr)), start..self.end(), inner.depth)
    }

    fn case(&mut self) -> Result<Tree, InputError> {
        let start = self.advance().start;
        let mut branches = Vec::new();
        let mut below = 0;
        while branches.is_empty() || self.peek() != Token::Esac {
            if !self.begins_expression() {
                let expected = if branches.is_empty() { "a condition" } else { "a condition or `esac`" };
                return Err(self.unexpected(expected));
            }
            let condition = self.at_level(IMPLIES)?;
            self.expect(Token::Colon, "an operator, or `:` and the value of this branch of `case`")?;
            let value = self.at_level(IMPLIES)?;
            self.expect(Token::Semicolon, "an operator, or `;` at the end of this branch of `case`")?;
            below = below.max(condition.depth).max(value.depth);
            branches.push((condition.expr, value.expr));
        }
        self.advance();
        self.node(ExprKind::Case(branches), start..self.end(), below)
    }

    /// `E [ f U g ]`, `A [ f R g ]` and `A [ f BU m..n g ]`
    fn until(&mut self, quantifier: PathQuantifier) -> Result<Tree, InputError> {
        let place = self.advance();
        self.expect(Token::OpenBracket, &format!("`[` after `{}`", self.text(&place)))?;
        let first = self.at_level(IMPLIES)?;
        let operator = self.peek();
        // No operand can follow here, so that `R` may be a name everywhere else.
        let is_release = operator == Token::Name && self.text(&self.place()) == "R";
        if !is_release && !matches!(operator, Token::Until | Token::BoundedUntil) {
            return Err(self.unexpected("an operator, `U`, `BU` or `R`"));
        }
        self.advance();
        let bounds = if operator == Token::BoundedUntil { Some(self.bounds()?) } else { None };
        let second = self.at_level(IMPLIES)?;
        self.expect(Token::CloseBracket, "an operator or `]`")?;
        let below = first.depth.max(second.depth);
        let (first, second) = (Box::new(first.expr), Box::new(second.expr));
        let kind = match bounds {
            _ if is_release => ExprKind::Release(quantifier, first, second),
            None => ExprKind::Until(quantifier, first, second),
            Some((low, high)) => ExprKind::BoundedUntil(quantifier, first, low, high, second),
        };
        self.node(kind, place.start..self.end(), below)
    }

    /// `.name`, `[index]` and `[high:low]` after an operand.
    pub(super) fn postfix(&mut self, mut tree: Tree) -> Result<Tree, InputError> {
        loop {
            let start = tree.expr.place.start;
            match self.peek() {
                Token::Dot if matches!(tree.expr.kind, ExprKind::Integer(_) | ExprKind::Real(_)) => {
                    return Err(self.unexpected("an operator, or digits on both sides of a decimal point"));
                }
                Token::Dot => {
                    self.advance();
                    let name = self.name_or_number("a name after `.`")?;
                    tree =
                        self.node(ExprKind::Dot(Box::new(tree.expr), name), start..self.end(), tree.depth)?;
                }
                Token::OpenBracket => {
                    self.advance();
                    tree = self.index(tree)?;
                }
                _ => return Ok(tree),
            }
        }
    }

    #[inline(never)]
    fn index(&mut self, tree: Tree) -> Result<Tree, InputError> {
        let start = tree.expr.place.start;
        let index = self.at_level(IMPLIES)?;
        let mut below = tree.depth.max(index.depth);
        let (array, index) = (Box::new(tree.expr), Box::new(index.expr));
        let mut expected = "an operator, `:` or `]`";
        let kind = if self.eat(Token::Colon) {
            expected = "an operator or `]`";
            let low = self.at_level(IMPLIES)?;
            below = below.max(low.depth);
            ExprKind::Bits(array, index, Box::new(low.expr))
        } else {
            ExprKind::Index(array, index)
        };
        self.expect(Token::CloseBracket, expected)?;
        self.node(kind, start..self.end(), below)
    }

    /// What follows a dot.
    pub(super) fn name_or_number(&mut self, expected: &str) -> Result<Name, InputError> {
        if self.peek() != Token::Number {
            return self.name(expected);
        }
        let place = self.advance();
        Ok(Name { text: self.text(&place), place })
    }

    /// A name with dots and indices.
    pub(super) fn path(&mut self, expected: &str) -> Result<Expr, InputError> {
        let name = self.name(expected)?;
        Ok(self.postfix(Tree::leaf(ExprKind::Name(name.text), name.place))?.expr)
    }
}
