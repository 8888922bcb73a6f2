//! `PSLSPEC`, where it is linear time or CTL in other words: `always`, `never`, `eventually!`, `next` with its variants, `until`, `before`, `next_event`, and truth functions. Each becomes operators of `LTLSPEC`.
//!
//! From loose to tight, as NuSMV reads PSL: `always` `never` `G`, then `->` `<->`, `eventually!`, `before`, `until`, then `next` `X` `F` `U` `W`, then whatever is no operator of time: so `next a & b` is
//! `next (a & b)`, and `always a -> b` is `always (a -> b)`. Several of one level in a row need parentheses here: tools differ about them. Runs are infinite, so that weak and strong `next` are the same. Sequences (`{a; b}`), clocks,
//! `abort` and `forall` are not read: such a specification is passed over, with a warning.
//!
//! # References
//! IEEE Std 1850-2010, *Property Specification Language (PSL)*, annex B for the meaning.

use super::{
    super::{
        lexer::Token,
        syntax::{BinaryOp, Expr, ExprKind, LinearOp, LinearPair, UnaryOp},
    },
    Parser, Tree,
    expression::OR,
};
use crate::InputError;

/// The most steps that `next[n]` and the like may ask for.
const MOST_STEPS: u32 = 400;

const ALWAYS: u8 = 0;
const IMPLIES: u8 = 1;
const EVENTUALLY: u8 = 2;
const BEFORE: u8 = 3;
const UNTIL: u8 = 4;
const NEXT: u8 = 5;

/// Operators between two operands, of which `!` and `_` make four each.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pair {
    before: bool,
    strong: bool,
    /// Whether the two may, or must, meet in one step.
    overlap: bool,
}

impl Parser<'_> {
    /// A property, up to what ends it.
    pub(super) fn psl_property(&mut self) -> Result<Tree, InputError> {
        self.psl(ALWAYS)
    }

    fn word(&self) -> String {
        match self.peek() {
            Token::Name => self.text(&self.place()),
            _ => String::new(),
        }
    }

    fn psl(&mut self, level: u8) -> Result<Tree, InputError> {
        self.open()?;
        let mut left = self.psl_prefix()?;
        let (mut implied, mut paired) = (false, false);
        loop {
            let token = self.peek();
            let word = self.word();
            left = match (token, word.as_str()) {
                (Token::Operator(op @ (BinaryOp::Implies | BinaryOp::Iff)), _)
                    if level <= IMPLIES && !implied =>
                {
                    implied = true;
                    self.advance();
                    let right = self.psl(EVENTUALLY)?;
                    self.both(ExprKind::Binary, op, left, right)?
                }
                (Token::Until, _) | (_, "W") if level <= NEXT && !paired => {
                    paired = true;
                    self.advance();
                    let right = self.psl(NEXT)?;
                    let pair = Pair { before: false, strong: token == Token::Until, overlap: false };
                    self.pair(pair, left, right)?
                }
                (_, "until" | "until_" | "before" | "before_")
                    if !paired && level <= if word.starts_with('u') { UNTIL } else { BEFORE } =>
                {
                    paired = true;
                    let pair = self.pair_word(&word);
                    let right = self.psl(NEXT)?;
                    self.pair(pair, left, right)?
                }
                _ => break,
            };
        }
        self.open -= 1;
        Ok(left)
    }

    /// `until`, `until!`, `until_`, `until!_` and the same of `before`.
    fn pair_word(&mut self, word: &str) -> Pair {
        self.advance();
        let strong = self.eat(Token::Not);
        let overlap = word.ends_with('_') || strong && self.word() == "_";
        if overlap && !word.ends_with('_') {
            self.advance();
        }
        Pair { before: word.starts_with('b'), strong, overlap }
    }

    /// Whether an operator of PSL comes next that stands before its operand.
    pub(super) fn begins_psl(&self) -> bool {
        match self.peek() {
            Token::Next | Token::Temporal(_) => true,
            Token::Linear(op) => matches!(op, LinearOp::Globally | LinearOp::Finally | LinearOp::Next),
            Token::Name => match self.word().as_str() {
                "always" | "never" | "next_a" | "next_e" | "next_event" => true,
                "eventually" => self.peek_second() == Token::Not,
                _ => false,
            },
            _ => false,
        }
    }

    /// An operator before its operand, or what is no operator of time.
    pub(super) fn psl_prefix(&mut self) -> Result<Tree, InputError> {
        let start = self.place().start;
        let word = self.word();
        match (self.peek(), word.as_str()) {
            (Token::OpenBrace, _) => Err(self.unexpected("a property (sequences of PSL are not supported)")),
            (Token::Linear(LinearOp::Globally), _) | (_, "always") => {
                self.advance();
                let operand = self.psl(ALWAYS)?;
                self.linear(LinearOp::Globally, operand, start)
            }
            (_, "never") => {
                self.advance();
                let operand = self.psl(ALWAYS)?;
                let negated = self.negation(operand)?;
                self.linear(LinearOp::Globally, negated, start)
            }
            (_, "eventually") if self.peek_second() == Token::Not => {
                self.advance();
                self.advance();
                let operand = self.psl(EVENTUALLY)?;
                self.linear(LinearOp::Finally, operand, start)
            }
            (Token::Linear(LinearOp::Finally), _) => {
                self.advance();
                let operand = self.psl(NEXT)?;
                self.linear(LinearOp::Finally, operand, start)
            }
            (Token::Linear(LinearOp::Next), _) | (Token::Next, _) => {
                self.advance();
                self.eat(Token::Not);
                let (steps, _) = self.psl_bounds()?.unwrap_or((1, 1));
                let operand = self.psl(NEXT)?;
                self.later(operand, steps, start)
            }
            (_, "next_a" | "next_e") => {
                self.advance();
                self.eat(Token::Not);
                let Some((low, high)) = self.psl_bounds()? else {
                    return Err(self.unexpected("`[` and steps"));
                };
                let operand = self.psl(NEXT)?;
                let op = if word == "next_a" { LinearOp::Globally } else { LinearOp::Finally };
                let below = operand.depth;
                let kind = ExprKind::Linear(op, Some((low, high)), Box::new(operand.expr));
                self.node(kind, start..self.end(), below)
            }
            (_, "next_event") => self.next_event(start),
            (Token::Temporal(op), _) => {
                self.advance();
                let operand = self.psl(NEXT)?;
                self.node(ExprKind::Temporal(op, Box::new(operand.expr)), start..self.end(), operand.depth)
            }
            _ => self.at_level(OR),
        }
    }

    /// `[n]`, `[i..j]` or `[i:j]`.
    fn psl_bounds(&mut self) -> Result<Option<(u32, u32)>, InputError> {
        if !self.eat(Token::OpenBracket) {
            return Ok(None);
        }
        let place = self.place();
        let low = self.steps("a number of steps")?;
        let high = match self.eat(Token::DotDot) || self.eat(Token::Colon) {
            true => self.steps("a number of steps")?,
            false => low,
        };
        self.expect(Token::CloseBracket, "`]` after the steps")?;
        if low > high || high > MOST_STEPS {
            return Err(self.error(place, format!("expected steps up to {MOST_STEPS}")));
        }
        Ok(Some((low, high)))
    }

    /// `next_event(b)(f)`: f at the next step where b holds, this one included.
    fn next_event(&mut self, start: usize) -> Result<Tree, InputError> {
        self.advance();
        let strong = self.eat(Token::Not);
        let mut operands = Vec::new();
        for _ in 0..2 {
            self.expect(Token::Open, "`(` after `next_event`")?;
            operands.push(self.psl(ALWAYS)?);
            self.expect(Token::Close, "an operator or `)`")?;
        }
        let (Some(property), Some(event)) = (operands.pop(), operands.pop()) else {
            return Err(self.unexpected("two operands"));
        };
        let not_yet = self.negation(copy(&event))?;
        let both = self.both(ExprKind::Binary, BinaryOp::And, event, property)?;
        let pair = Pair { before: false, strong, overlap: false };
        let mut tree = self.pair(pair, not_yet, both)?;
        tree.expr.place = start..self.end();
        Ok(tree)
    }

    fn linear(&self, op: LinearOp, operand: Tree, start: usize) -> Result<Tree, InputError> {
        let below = operand.depth;
        self.node(ExprKind::Linear(op, None, Box::new(operand.expr)), start..self.end(), below)
    }

    fn later(&self, operand: Tree, steps: u32, start: usize) -> Result<Tree, InputError> {
        (0..steps).try_fold(operand, |tree, _| self.linear(LinearOp::Next, tree, start))
    }

    fn negation(&self, operand: Tree) -> Result<Tree, InputError> {
        let (place, below) = (operand.expr.place.clone(), operand.depth);
        self.node(ExprKind::Unary(UnaryOp::Not, Box::new(operand.expr)), place, below)
    }

    fn both<O>(
        &self,
        kind: fn(O, Box<Expr>, Box<Expr>) -> ExprKind,
        op: O,
        left: Tree,
        right: Tree,
    ) -> Result<Tree, InputError> {
        let place = left.expr.place.start..right.expr.place.end.max(left.expr.place.end);
        let below = left.depth.max(right.depth);
        self.node(kind(op, Box::new(left.expr), Box::new(right.expr)), place, below)
    }

    /// `until` and `before` by `U` and `V`.
    fn pair(&self, pair: Pair, left: Tree, right: Tree) -> Result<Tree, InputError> {
        let and = |a, b| self.both(ExprKind::Binary, BinaryOp::And, a, b);
        // What holds on the way, and where the way ends.
        let (way, end) = if pair.before {
            // Not the second until the first: in the same step only where they may meet.
            let end = match pair.overlap {
                true => left,
                false => and(left, self.negation(copy(&right))?)?,
            };
            (self.negation(right)?, end)
        } else {
            let end = if pair.overlap { and(copy(&left), right)? } else { right };
            (left, end)
        };
        if pair.strong {
            return self.both(ExprKind::LinearPair, LinearPair::Until, way, end);
        }
        // f W g is g V (f | g).
        let either = self.both(ExprKind::Binary, BinaryOp::Or, way, copy(&end))?;
        self.both(ExprKind::LinearPair, LinearPair::Releases, end, either)
    }
}

fn copy(tree: &Tree) -> Tree {
    Tree { expr: tree.expr.clone(), depth: tree.depth }
}
