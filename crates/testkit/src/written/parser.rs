//! From text to formula, by recursive descent.

use super::WrittenCtl;
use propcov_ir::Quantifier;
use std::str::FromStr;

/// Formulas with more nested operators are refused.
const DEPTH: usize = 200;

impl FromStr for WrittenCtl {
    type Err = String;

    fn from_str(text: &str) -> Result<WrittenCtl, String> {
        let mut parser = Parser { tokens: tokens(text)?, position: 0, depth: 0 };
        let formula = parser.formula(IMPLIES)?;
        match parser.peek() {
            None => Ok(formula),
            Some(token) => Err(format!("{token} after the end of {text}")),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<&str>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let symbol = ["<->", "->", "!", "&", "|", "(", ")", "[", "]"].iter().find(|s| rest.starts_with(**s));
        let length = match symbol {
            Some(symbol) => symbol.len(),
            None if word > 0 && !first.is_ascii_digit() => word,
            None => return Err(format!("cannot read {rest}")),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Parser<'t> {
    tokens: Vec<&'t str>,
    position: usize,
    depth: usize,
}

type Combine = fn(Box<WrittenCtl>, Box<WrittenCtl>) -> WrittenCtl;

/// Operators of two operands, the weakest first.
const LEVELS: [(&str, Combine); 4] =
    [("->", WrittenCtl::Implies), ("<->", WrittenCtl::Iff), ("|", WrittenCtl::Or), ("&", WrittenCtl::And)];

/// The first level.
const IMPLIES: usize = 0;

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.position).copied()
    }

    fn take(&mut self) -> Result<&'t str, String> {
        let token = self.peek().ok_or("the formula ends too early")?;
        self.position += 1;
        Ok(token)
    }

    fn expect(&mut self, expected: &str) -> Result<(), String> {
        let found = self.take()?;
        if found == expected { Ok(()) } else { Err(format!("{expected} expected, not {found}")) }
    }

    /// A formula of operators of this level and those that bind more tightly.
    fn formula(&mut self, level: usize) -> Result<WrittenCtl, String> {
        let Some((operator, combine)) = LEVELS.get(level) else { return self.prefixed() };
        let mut formula = self.formula(level + 1)?;
        while self.peek() == Some(operator) {
            self.position += 1;
            let right = if level == IMPLIES { self.formula(level)? } else { self.formula(level + 1)? };
            formula = combine(Box::new(formula), Box::new(right));
        }
        Ok(formula)
    }

    fn prefixed(&mut self) -> Result<WrittenCtl, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("too many nested operators".to_owned());
        }
        let token = self.take()?;
        let formula = match token {
            "!" => WrittenCtl::Not(Box::new(self.prefixed()?)),
            "(" => {
                let formula = self.formula(IMPLIES)?;
                self.expect(")")?;
                formula
            }
            "TRUE" => WrittenCtl::Constant(true),
            "FALSE" => WrittenCtl::Constant(false),
            "AX" | "EX" => WrittenCtl::Next(quantifier(token), Box::new(self.prefixed()?)),
            "AF" | "EF" => WrittenCtl::Finally(quantifier(token), Box::new(self.prefixed()?)),
            "AG" | "EG" => WrittenCtl::Globally(quantifier(token), Box::new(self.prefixed()?)),
            "A" | "E" if self.peek() == Some("[") => self.until(quantifier(token))?,
            name if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                WrittenCtl::Name(name.to_owned())
            }
            other => return Err(format!("a formula expected, not {other}")),
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn until(&mut self, quantifier: Quantifier) -> Result<WrittenCtl, String> {
        self.expect("[")?;
        let first = Box::new(self.formula(IMPLIES)?);
        let operator = self.take()?;
        let second = Box::new(self.formula(IMPLIES)?);
        self.expect("]")?;
        match operator {
            "U" => Ok(WrittenCtl::Until(quantifier, first, second)),
            "R" => Ok(WrittenCtl::Release(quantifier, first, second)),
            other => Err(format!("U or R expected, not {other}")),
        }
    }
}

fn quantifier(operator: &str) -> Quantifier {
    if operator.starts_with('A') { Quantifier::All } else { Quantifier::Exists }
}
