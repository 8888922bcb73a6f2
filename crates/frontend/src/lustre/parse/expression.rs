//! Expressions, by operator precedence with a stack of our own: what is open is a list, not a chain of calls, so depth is no danger.
//!
//! From loose to tight, as in JKind: `if`, `->` and `=>` (both to the right), `or` `xor`, `and`, comparisons, `+` `-`, `*` `/` `div` `mod`, then
//! `pre`, `not` and minus, then `.`, `{ := }` and `[ ]`. So `pre x + y` is `(pre x) + y`, `not a = b` is `(not a) = b`, and `if` takes all
//! that follows its `else`.

use super::{
    super::{
        lexer::Token,
        syntax::{At, BinaryOp, ExprKind, Id, Machine, Name, UnaryOp},
    },
    Parser,
    operand::Cast,
};
use crate::InputError;

/// How many brackets may be open at once.
const MAX_OPEN: usize = 10_000;

/// How tightly operators bind.
type Level = u8;
/// Looser than all operators: everything is complete.
const NOTHING: Level = 0;
const ARROW: Level = 1;
const IMPLIES: Level = 2;
/// How tightly a minus binds that stands before its operand in Kind 2: `- a div b` is `- (a div b)`.
const SUM: Level = 6;

/// An operator between operands.
fn operator(token: Token, extended: bool) -> Option<(BinaryOp, Level)> {
    let op = match token {
        Token::Operator(BinaryOp::BitAnd | BinaryOp::BitOr) if !extended => return None,
        Token::Operator(op) => op,
        Token::Minus => BinaryOp::Minus,
        Token::Equal => BinaryOp::Equal,
        _ => return None,
    };
    let level = match op {
        BinaryOp::Arrow => ARROW,
        BinaryOp::Implies => IMPLIES,
        BinaryOp::Or | BinaryOp::Xor => 3,
        BinaryOp::And => 4,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => 5,
        BinaryOp::Plus | BinaryOp::Minus => 6,
        BinaryOp::Times | BinaryOp::Divide | BinaryOp::Div | BinaryOp::Mod => 7,
        BinaryOp::BitOr => 8,
        BinaryOp::BitAnd => 9,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 10,
    };
    Some((op, level))
}

/// What has begun and waits for an operand.
pub(super) enum Pending {
    Unary(UnaryOp, usize),
    /// `-`, which takes a whole product
    Minus(usize),
    /// `uint8`, which takes all that follows
    Machine(Machine, usize),
    /// `int` or `real`, without parentheses
    Prefix(Cast, usize),
    /// `a fby`
    Fby(Id, At),
    /// `a +`, and where the operator is
    Binary(BinaryOp, Level, Id, At),
    /// `if condition then value else`
    Else(usize, Id, Id),
    Bracket(Bracket),
}

/// What has begun and is closed by a word of its own.
pub(super) enum Bracket {
    /// `if`
    If(usize),
    /// `if condition then`
    Then(usize, Id),
    /// `(a, b,`
    Parentheses(usize, Vec<Id>),
    /// `[a, b,`
    Array(usize, Vec<Id>),
    /// `real(`
    Cast(usize, Cast),
    /// `name(a, b,`
    Call(Name, Vec<Id>),
    /// `condact(`
    Clock(usize),
    /// `condact(clock,`
    Clocked(usize, Id),
    /// `condact(clock, node(arguments), a, b,`
    Defaults(Box<Condact>),
    /// `array[`, and where the bracket is
    Index(Id, At),
    /// `array[index :=`
    ElementUpdate(Id, Id, At),
    /// `record{field :=`
    FieldUpdate(Id, Name),
    /// `type {field = value; field =`
    Record(Name, Vec<(Name, Id)>, Name),
}

/// `condact(clock, node(arguments), a, b,`
pub(super) struct Condact {
    start: usize,
    clock: Id,
    node: Name,
    arguments: Vec<Id>,
    defaults: Vec<Id>,
    reset: Option<Id>,
}

/// What comes next.
enum Next {
    /// An operand.
    Operand,
    /// What may follow this operand.
    After(Id),
    /// Nothing: this is the whole expression.
    Done(Id),
}

/// What is open.
pub(super) struct Stack {
    pending: Vec<Pending>,
    brackets: usize,
}

impl Stack {
    pub(super) fn push(&mut self, pending: Pending) {
        self.brackets += usize::from(matches!(pending, Pending::Bracket(_)));
        self.pending.push(pending);
    }

    pub(super) fn open(&mut self, bracket: Bracket) {
        self.push(Pending::Bracket(bracket));
    }

    /// The innermost bracket, if nothing else is open in it.
    fn close(&mut self) -> Option<Bracket> {
        match self.pending.pop()? {
            Pending::Bracket(bracket) => {
                self.brackets -= 1;
                Some(bracket)
            }
            other => {
                self.pending.push(other);
                None
            }
        }
    }

    /// The call that is being read, if one is.
    fn call(&self) -> Option<&Name> {
        self.pending.iter().rev().find_map(|pending| match pending {
            Pending::Bracket(Bracket::Call(name, _)) => Some(name),
            _ => None,
        })
    }
}

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> Result<Id, InputError> {
        let mut stack = Stack { pending: Vec::new(), brackets: 0 };
        let mut next = Next::Operand;
        loop {
            if stack.brackets > MAX_OPEN {
                return Err(self.input.error(self.place(), "this expression is nested too deeply"));
            }
            next = match next {
                Next::Operand => match self.operand(&mut stack)? {
                    Some(value) => Next::After(value),
                    None => Next::Operand,
                },
                Next::After(value) => self.after(&mut stack, value)?,
                Next::Done(value) => return Ok(value),
            }
        }
    }

    /// What follows an operand: more of it, an operator, or the end of what is open.
    fn after(&mut self, stack: &mut Stack, value: Id) -> Result<Next, InputError> {
        let start = self.at_of(value).start;
        match self.peek() {
            Token::Dot => {
                self.advance();
                let field = self.field_after(value)?;
                Ok(Next::After(self.add(ExprKind::Field(value, field), start..self.end())))
            }
            Token::OpenBracket => {
                let bracket = self.advance();
                stack.open(Bracket::Index(value, bracket));
                Ok(Next::Operand)
            }
            Token::OpenBrace => {
                self.advance();
                let field = self.name("the name of a field")?;
                self.expect(Token::Becomes, "`:=` and the new value of the field")?;
                stack.open(Bracket::FieldUpdate(value, field));
                Ok(Next::Operand)
            }
            Token::Open if self.is_access(value) => {
                let name = self.extended_callee(value);
                self.advance();
                if self.eat(Token::Close) {
                    return Ok(Next::After(self.add(ExprKind::Call(name, Vec::new()), start..self.end())));
                }
                stack.open(Bracket::Call(name, Vec::new()));
                Ok(Next::Operand)
            }
            Token::Caret if self.is_extended() => {
                let token = self.advance();
                let size = self.size()?;
                let at = start..self.end();
                Ok(Next::After(self.add_operator(ExprKind::Power(value, size), at, token)))
            }
            Token::Name if self.is_extended() => self.after_word(stack, value),
            token => match operator(token, self.is_extended()) {
                // `field = value` of a record's literal has been read before: here it is the operator.
                Some((op, level)) => {
                    let token = self.advance();
                    self.refuse_lazy(op, &token)?;
                    let left = self.reduce(stack, value, level);
                    stack.push(Pending::Binary(op, level, left, token));
                    Ok(Next::Operand)
                }
                None => self.complete(stack, value),
            },
        }
    }

    /// What is open ends here, up to a bracket.
    fn complete(&mut self, stack: &mut Stack, value: Id) -> Result<Next, InputError> {
        let value = self.reduce(stack, value, NOTHING);
        match stack.close() {
            Some(bracket) => self.in_bracket(stack, bracket, value),
            None => Ok(Next::Done(value)),
        }
    }

    /// An operator that is a name in JKind's language.
    fn after_word(&mut self, stack: &mut Stack, value: Id) -> Result<Next, InputError> {
        let op = match self.word() {
            "lsh" => BinaryOp::ShiftLeft,
            "rsh" => BinaryOp::ShiftRight,
            "fby" => {
                let token = self.advance();
                let left = self.reduce(stack, value, ARROW);
                stack.push(Pending::Fby(left, token));
                return Ok(Next::Operand);
            }
            "when" => {
                let token = self.advance();
                let value = self.reduce(stack, value, NOTHING);
                let clock = self.clock()?;
                let at = self.at_of(value).start..self.end();
                return Ok(Next::After(self.add_operator(ExprKind::When(value, clock), at, token)));
            }
            _ => return self.complete(stack, value),
        };
        let token = self.advance();
        let level = 10;
        let left = self.reduce(stack, value, level);
        stack.push(Pending::Binary(op, level, left, token));
        Ok(Next::Operand)
    }

    /// Completes what binds more tightly than an operator of this level that follows.
    fn reduce(&mut self, stack: &mut Stack, mut value: Id, level: Level) -> Id {
        while let Some(pending) = stack.pending.pop() {
            let end = self.at_of(value).end;
            value = match pending {
                Pending::Unary(op, start) => self.add(ExprKind::Unary(op, value), start..end),
                Pending::Prefix(cast, start) => self.add(cast.of(value), start..end),
                Pending::Minus(start) if level <= SUM => {
                    self.add(ExprKind::Unary(UnaryOp::Negate, value), start..end)
                }
                Pending::Machine(machine, start) if level == NOTHING => {
                    self.add(ExprKind::Cast(machine, value), start..end)
                }
                Pending::Fby(left, token) if level < ARROW => {
                    let start = self.at_of(left).start;
                    let pre =
                        self.add_operator(ExprKind::Unary(UnaryOp::Pre, value), start..end, token.clone());
                    self.add_operator(ExprKind::Binary(BinaryOp::Arrow, left, pre), start..end, token)
                }
                Pending::Binary(op, tighter, left, token)
                    if tighter > level || (tighter == level && !matches!(level, ARROW | IMPLIES)) =>
                {
                    let start = self.at_of(left).start;
                    self.add_operator(ExprKind::Binary(op, left, value), start..end, token)
                }
                Pending::Else(start, condition, chosen) if level == NOTHING => {
                    self.add(ExprKind::If(condition, chosen, value), start..end)
                }
                other => {
                    stack.pending.push(other);
                    return value;
                }
            };
        }
        value
    }

    /// An expression in brackets is complete: what is next in the brackets, or what follows them.
    fn in_bracket(&mut self, stack: &mut Stack, bracket: Bracket, value: Id) -> Result<Next, InputError> {
        match bracket {
            Bracket::If(start) => {
                self.expect_after(stack, Token::Then, "an operator, or `then`")?;
                stack.open(Bracket::Then(start, value));
                Ok(Next::Operand)
            }
            Bracket::Then(start, condition) => {
                self.expect_after(stack, Token::Else, "an operator, or `else`")?;
                stack.push(Pending::Else(start, condition, value));
                Ok(Next::Operand)
            }
            Bracket::Parentheses(start, mut items) => {
                items.push(value);
                if self.another(stack, Token::Close, "an operator or `)`")? {
                    stack.open(Bracket::Parentheses(start, items));
                    return Ok(Next::Operand);
                }
                Ok(Next::After(self.parentheses(start, items)))
            }
            Bracket::Array(start, mut items) => {
                items.push(value);
                if self.another(stack, Token::CloseBracket, "an operator, `,` or `]`")? {
                    stack.open(Bracket::Array(start, items));
                    return Ok(Next::Operand);
                }
                Ok(Next::After(self.add(ExprKind::Array(items), start..self.end())))
            }
            Bracket::Call(name, mut items) => {
                items.push(value);
                let start = name.at.start;
                if self.another_argument(&name)? {
                    stack.open(Bracket::Call(name, items));
                    return Ok(Next::Operand);
                }
                Ok(Next::After(self.add(ExprKind::Call(name, items), start..self.end())))
            }
            Bracket::Cast(start, cast) => {
                self.expect_after(stack, Token::Close, "an operator or `)`")?;
                Ok(Next::After(self.add(cast.of(value), start..self.end())))
            }
            Bracket::Clock(_) | Bracket::Clocked(..) | Bracket::Defaults(_) => {
                self.in_condact(stack, bracket, value)
            }
            _ => self.in_compound(stack, bracket, value),
        }
    }

    /// The three parts of `condact`.
    fn in_condact(&mut self, stack: &mut Stack, bracket: Bracket, value: Id) -> Result<Next, InputError> {
        let mut condact = match bracket {
            Bracket::Clock(start) => {
                self.expect_after(stack, Token::Comma, "an operator, or `,` and a call of a node")?;
                stack.open(Bracket::Clocked(start, value));
                return Ok(Next::Operand);
            }
            Bracket::Clocked(start, clock) => {
                // The call is a part of `condact`, not an expression of its own. It is the last one that was added.
                match self.program.exprs.pop() {
                    Some(expr) => match expr.kind {
                        ExprKind::Call(node, arguments) => Box::new(Condact {
                            start,
                            clock,
                            node,
                            arguments,
                            defaults: Vec::new(),
                            reset: None,
                        }),
                        ExprKind::Restart { reset, node, arguments } => Box::new(Condact {
                            start,
                            clock,
                            node,
                            arguments,
                            defaults: Vec::new(),
                            reset: Some(reset),
                        }),
                        _ => {
                            let message = "expected a call of a node as the second argument of `condact`, found another expression";
                            return Err(self.input.error(expr.at, message));
                        }
                    },
                    None => return Err(self.unexpected("a call of a node")),
                }
            }
            Bracket::Defaults(mut condact) => {
                condact.defaults.push(value);
                condact
            }
            other => return self.in_compound(stack, other, value),
        };
        if self.another(stack, Token::Close, "an operator, `,` or `)`")? {
            stack.open(Bracket::Defaults(condact));
            return Ok(Next::Operand);
        }
        let defaults = std::mem::take(&mut condact.defaults);
        let Condact { start, clock, node, arguments, reset, .. } = *condact;
        let kind = match reset {
            None => ExprKind::Condact { clock, node, arguments, defaults },
            Some(_) => ExprKind::Activate { clock, node, arguments, defaults: Some(defaults), reset },
        };
        Ok(Next::After(self.add(kind, start..self.end())))
    }

    /// Indices, updates and literals of records.
    fn in_compound(&mut self, stack: &mut Stack, bracket: Bracket, value: Id) -> Result<Next, InputError> {
        let (kind, start) = match bracket {
            Bracket::Index(array, bracket) if self.eat(Token::Becomes) => {
                stack.open(Bracket::ElementUpdate(array, value, bracket));
                return Ok(Next::Operand);
            }
            Bracket::Index(array, bracket) => {
                self.expect_after(stack, Token::CloseBracket, "an operator, `:=` or `]`")?;
                let at = self.at_of(array).start..self.end();
                return Ok(Next::After(self.add_operator(ExprKind::Element(array, value), at, bracket)));
            }
            Bracket::ElementUpdate(array, index, bracket)
                if self.is_extended() && self.peek() == Token::Semicolon =>
            {
                // `a[i := x; j := y]` is `a[i := x][j := y]`.
                self.advance();
                let at = self.at_of(array).start..self.end();
                let kind = ExprKind::ElementUpdate(array, index, value);
                let updated = self.add_operator(kind, at, bracket.clone());
                stack.open(Bracket::Index(updated, bracket));
                return Ok(Next::Operand);
            }
            Bracket::ElementUpdate(array, index, bracket) => {
                self.expect_after(stack, Token::CloseBracket, "an operator or `]`")?;
                let kind = ExprKind::ElementUpdate(array, index, value);
                let at = self.at_of(array).start..self.end();
                return Ok(Next::After(self.add_operator(kind, at, bracket)));
            }
            Bracket::FieldUpdate(record, field) => {
                self.expect_after(stack, Token::CloseBrace, "an operator or `}`")?;
                (ExprKind::FieldUpdate(record, field, value), self.at_of(record).start)
            }
            Bracket::Record(name, mut fields, field) => {
                fields.push((field, value));
                if self.eat(Token::Semicolon) && self.peek() != Token::CloseBrace {
                    let field = self.field_of_literal()?;
                    stack.open(Bracket::Record(name, fields, field));
                    return Ok(Next::Operand);
                }
                self.expect_after(stack, Token::CloseBrace, "an operator, `;` or `}`")?;
                let start = name.at.start;
                (ExprKind::Record(name, fields), start)
            }
            other => {
                stack.open(other);
                return Err(self.unexpected("an operator"));
            }
        };
        Ok(Next::After(self.add(kind, start..self.end())))
    }

    /// Whether a comma follows, and not what closes the brackets.
    fn another(&mut self, stack: &Stack, close: Token, expected: &str) -> Result<bool, InputError> {
        if self.eat(Token::Comma) {
            return Ok(true);
        }
        self.expect_after(stack, close, expected)?;
        Ok(false)
    }

    /// The same in a call, which may be one that only other dialects have.
    fn another_argument(&mut self, name: &Name) -> Result<bool, InputError> {
        if self.eat(Token::Comma) {
            return Ok(true);
        }
        match self.peek() {
            Token::Close => {
                self.advance();
                Ok(false)
            }
            _ => Err(self.refused_call(name).unwrap_or_else(|| self.unexpected("an operator, `,` or `)`"))),
        }
    }

    fn refused_call(&self, name: &Name) -> Option<InputError> {
        super::unsupported_call(&name.text).map(|message| self.input.error(name.at.clone(), message))
    }

    /// A word that must follow an expression in brackets.
    fn expect_after(&mut self, stack: &Stack, token: Token, expected: &str) -> Result<(), InputError> {
        if self.eat(token) {
            return Ok(());
        }
        Err(stack
            .call()
            .and_then(|name| self.refused_call(name))
            .unwrap_or_else(|| self.unexpected(expected)))
    }
}
