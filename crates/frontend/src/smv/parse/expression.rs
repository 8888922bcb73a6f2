//! Expressions, by precedence climbing: an operand, then operators that bind at least as tightly as asked for.
//!
//! From loose to tight: `->` (to the right), `<->`, `? :`, `|` `xor` `xnor`, `&`, comparisons, `in`, `union`, `..`, shifts,
//! `+` `-`, `*` `/` `mod`, unary minus, `::`, `!`, then `.` and `[ ]`. CTL's `AG` and the like take a comparison: `AG a = b & c`
//! is `(AG (a = b)) & c`. Inside something tighter they need parentheses. So do linear time's `G` and the like; its `U`, `V`, `S` and `T` lean to
//! the left, between `&` and comparisons.

use super::{
    super::{
        lexer::Token,
        syntax::{BinaryOp, Expr, ExprKind, LinearOp, LinearPair, UnaryOp},
    },
    MAX_OPEN, Parser, Tree,
};
use crate::InputError;

/// How tightly operators bind.
type Level = u8;
/// Everything.
pub(super) const IMPLIES: Level = 1;
const IFF: Level = 2;
const CONDITIONAL: Level = 3;
pub(super) const OR: Level = 4;
const AND: Level = 5;
/// Operators of linear time between two operands.
const LINEAR: Level = 6;
const RELATION: Level = 7;
const IN: Level = 8;
const UNION: Level = 9;
/// `low..high`
pub(super) const RANGE: Level = 10;
const SHIFT: Level = 11;
const SUM: Level = 12;
const PRODUCT: Level = 13;
const NEGATIVE: Level = 14;
const CONCAT: Level = 15;

/// Operators that lean to the left.
fn left_operator(token: Token) -> Option<(BinaryOp, Level)> {
    let op = match token {
        Token::Operator(op) => op,
        Token::Minus => BinaryOp::Minus,
        _ => return None,
    };
    let level = match op {
        BinaryOp::Implies => return None,
        BinaryOp::Iff => IFF,
        BinaryOp::Or | BinaryOp::Xor | BinaryOp::Xnor => OR,
        BinaryOp::And => AND,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => RELATION,
        BinaryOp::In => IN,
        BinaryOp::Union => UNION,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => SHIFT,
        BinaryOp::Plus | BinaryOp::Minus => SUM,
        BinaryOp::Times | BinaryOp::Divide | BinaryOp::Modulo => PRODUCT,
        BinaryOp::Concat => CONCAT,
    };
    Some((op, level))
}

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> Result<Expr, InputError> {
        Ok(self.at_level(IMPLIES)?.expr)
    }

    /// Operators of this level and tighter ones.
    pub(super) fn at_level(&mut self, level: Level) -> Result<Tree, InputError> {
        self.open()?;
        // `..` has no side to lean to: there is at most one, and nothing looser on its left.
        let mut may_be_range =
            !matches!(self.peek(), Token::Temporal(_) | Token::Bounded(_) | Token::Linear(_) | Token::Not);
        let mut left = self.prefix(level)?;
        loop {
            let token = self.peek();
            left = match (token, left_operator(token)) {
                (_, Some((_, tighter))) if tighter >= level => {
                    may_be_range &= tighter > RANGE;
                    self.operands(left, tighter)?
                }
                (Token::DotDot, _) if RANGE >= level && may_be_range => {
                    may_be_range = false;
                    self.range_after(left)?
                }
                _ if LINEAR >= level && self.linear_pair().is_some() => self.linear_pairs(left)?,
                (Token::Question, _) if CONDITIONAL >= level => self.conditional_after(left)?,
                (Token::Operator(BinaryOp::Implies), _) if IMPLIES >= level => self.implications(left)?,
                _ => break,
            };
        }
        self.open -= 1;
        Ok(left)
    }

    /// One more expression is open. Errors end the parse, so that they need not count it down again.
    pub(super) fn open(&mut self) -> Result<(), InputError> {
        self.open += 1;
        if self.open > MAX_OPEN {
            return Err(self.error(self.place(), "this expression is nested too deeply"));
        }
        Ok(())
    }

    // What follows is not inlined: it would only make the stack frames of those that do not need it larger.

    /// `left op right op right ...` of one level.
    #[inline(never)]
    fn operands(&mut self, left: Tree, level: Level) -> Result<Tree, InputError> {
        let mut rest = Vec::new();
        while let Some((op, _)) = left_operator(self.peek()).filter(|(_, found)| *found == level) {
            self.advance();
            rest.push((op, self.at_level(level + 1)?));
        }
        self.left_chain(left, rest)
    }

    /// The operator of linear time that comes next, if it stands between operands. No name can follow an operand, so that `R` may be a name everywhere else.
    fn linear_pair(&self) -> Option<LinearPair> {
        match self.peek() {
            _ if !self.is_linear => None,
            Token::Until => Some(LinearPair::Until),
            Token::LinearPair(pair) => Some(pair),
            Token::Name if self.text(&self.place()) == "R" => Some(LinearPair::Releases),
            _ => None,
        }
    }

    /// `left U right S right ...`
    #[inline(never)]
    fn linear_pairs(&mut self, mut left: Tree) -> Result<Tree, InputError> {
        while let Some(pair) = self.linear_pair() {
            self.advance();
            let right = self.at_level(RELATION)?;
            let place = left.expr.place.start..right.expr.place.end;
            let below = left.depth.max(right.depth);
            let kind = ExprKind::LinearPair(pair, Box::new(left.expr), Box::new(right.expr));
            left = self.node(kind, place, below)?;
        }
        Ok(left)
    }

    #[inline(never)]
    fn implications(&mut self, left: Tree) -> Result<Tree, InputError> {
        let mut before = Vec::new();
        let mut last = left;
        while self.eat(Token::Operator(BinaryOp::Implies)) {
            before.push(last);
            last = self.at_level(IFF)?;
        }
        self.right_chain(BinaryOp::Implies, before, last)
    }

    #[inline(never)]
    fn range_after(&mut self, low: Tree) -> Result<Tree, InputError> {
        self.advance();
        let high = self.at_level(SHIFT)?;
        let place = low.expr.place.start..high.expr.place.end;
        let below = low.depth.max(high.depth);
        self.node(ExprKind::Range(Box::new(low.expr), Box::new(high.expr)), place, below)
    }

    #[inline(never)]
    fn conditional_after(&mut self, condition: Tree) -> Result<Tree, InputError> {
        let mut branches = Vec::new();
        let mut last = condition;
        while self.eat(Token::Question) {
            self.open()?;
            let value = self.at_level(IMPLIES)?;
            self.open -= 1;
            self.expect(
                Token::Colon,
                "an operator, or `:` and the other value of the conditional expression",
            )?;
            branches.push((last, value));
            last = self.at_level(OR)?;
        }
        self.conditional(branches, last)
    }

    /// Operators before their operand, or what has none.
    fn prefix(&mut self, level: Level) -> Result<Tree, InputError> {
        if self.is_psl && self.begins_psl() {
            return self.psl_prefix();
        }
        let start = self.place().start;
        let (kind, below) = match self.peek() {
            Token::Not => {
                self.advance();
                self.open()?;
                // Tighter than all operators between operands, except that the operand may be one of CTL's.
                let operand = self.prefix(if level <= RELATION { RELATION } else { CONCAT + 1 })?;
                self.open -= 1;
                (ExprKind::Unary(UnaryOp::Not, Box::new(operand.expr)), operand.depth)
            }
            Token::Minus => {
                self.advance();
                let operand = self.negated(level)?;
                (ExprKind::Unary(UnaryOp::Minus, Box::new(operand.expr)), operand.depth)
            }
            Token::Operator(BinaryOp::Plus) if self.peek_second() == Token::Number => {
                self.advance();
                return self.integer();
            }
            Token::Temporal(op) => {
                self.refuse_inside(level)?;
                self.advance();
                let operand = self.at_level(RELATION)?;
                (ExprKind::Temporal(op, Box::new(operand.expr)), operand.depth)
            }
            Token::Bounded(op) => {
                self.refuse_inside(level)?;
                self.advance();
                let (low, high) = self.bounds()?;
                let operand = self.at_level(RELATION)?;
                (ExprKind::Bounded(op, low, high, Box::new(operand.expr)), operand.depth)
            }
            Token::Linear(op) if self.is_linear => {
                self.refuse_inside(level)?;
                self.advance();
                let bounds = self.linear_bounds(op)?;
                let operand = self.at_level(RELATION)?;
                (ExprKind::Linear(op, bounds, Box::new(operand.expr)), operand.depth)
            }
            _ => {
                self.open()?;
                let primary = self.primary()?;
                let operand = self.postfix(primary)?;
                self.open -= 1;
                return Ok(operand);
            }
        };
        self.node(kind, start..self.end(), below)
    }

    /// The operand of a minus: with `::` unless the minus itself is an operand of something as tight.
    fn negated(&mut self, level: Level) -> Result<Tree, InputError> {
        self.open()?;
        let operand = match self.peek() {
            Token::Minus => self.prefix(level.max(IN))?,
            _ if level <= NEGATIVE => self.at_level(CONCAT)?,
            _ => self.prefix(CONCAT + 1)?,
        };
        self.open -= 1;
        Ok(operand)
    }

    /// `[m, n]` after an operator that may have it.
    fn linear_bounds(&mut self, op: LinearOp) -> Result<Option<(u32, u32)>, InputError> {
        let may_be_bounded =
            matches!(op, LinearOp::Finally | LinearOp::Globally | LinearOp::Once | LinearOp::Historically);
        if !may_be_bounded || !self.eat(Token::OpenBracket) {
            return Ok(None);
        }
        let low = self.steps("the bounds `m, n`")?;
        self.expect(Token::Comma, "`,` and the upper bound")?;
        let high = self.steps("the upper bound")?;
        self.expect(Token::CloseBracket, "`]` after the bounds")?;
        Ok(Some((low, high)))
    }

    /// CTL's operators are no operands of comparisons and arithmetic.
    fn refuse_inside(&self, level: Level) -> Result<(), InputError> {
        if level <= RELATION {
            return Ok(());
        }
        Err(self.unexpected("an operand (a formula over time needs parentheses here)"))
    }

    /// `m..n` of a bounded operator.
    pub(super) fn bounds(&mut self) -> Result<(u32, u32), InputError> {
        let low = self.steps("the bounds `m..n`")?;
        self.expect(Token::DotDot, "`..` and the upper bound")?;
        Ok((low, self.steps("the upper bound")?))
    }
}
