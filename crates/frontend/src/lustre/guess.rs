//! Whose Lustre a file is, by what is written in it: words that mean nothing to JKind in the place where they are.
//!
//! A mistake in a file of JKind must not turn it into one of another dialect, where it may have another meaning. So nothing is guessed without such a word.

use super::{
    lexer::{Comment, Lexed, Token, lex},
    syntax::{At, BinaryOp, Dialect},
};

/// The dialect of a file that JKind does not read, and what says so.
pub(super) fn guess(bytes: &[u8]) -> Option<(Dialect, At)> {
    let tokens = lex(bytes, Dialect::Kind2);
    let mut found = None;
    let mut depth = 0usize;
    for at in 0..tokens.len() {
        match tokens[at].token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Node | Token::Let => depth = 0,
            _ => {}
        }
        let scan = Scan { bytes, tokens: &tokens, at, depth };
        // What is LustreC's decides; the first word of Kind 2 is what is told otherwise.
        if scan.is_lustrec() {
            return Some((Dialect::LustreC, tokens[at].at.clone()));
        }
        if found.is_none() && scan.is_evidence() {
            found = Some((Dialect::Kind2, tokens[at].at.clone()));
        }
    }
    found
}

struct Scan<'s> {
    bytes: &'s [u8],
    tokens: &'s [Lexed],
    at: usize,
    /// How many parentheses are open.
    depth: usize,
}

impl Scan<'_> {
    fn token(&self, distance: usize) -> Token {
        self.tokens.get(self.at + distance).map_or(Token::End, |lexed| lexed.token)
    }

    fn before(&self) -> Token {
        self.at.checked_sub(1).map_or(Token::End, |at| self.tokens[at].token)
    }

    fn word(&self) -> &str {
        std::str::from_utf8(&self.bytes[self.tokens[self.at].at.clone()]).unwrap_or_default()
    }

    fn is_lustrec(&self) -> bool {
        match self.token(0) {
            Token::Hash => self.token(1) == Token::Name,
            Token::Name => self.word() == "automaton" && self.token(1) == Token::Name,
            _ => false,
        }
    }

    fn is_evidence(&self) -> bool {
        let next = self.token(1);
        match self.token(0) {
            Token::Comment(Comment::Contract) | Token::Caret | Token::Path | Token::Hash | Token::Bang => {
                true
            }
            Token::At => true,
            // `--!PROPERTY`
            Token::Property | Token::Main => self.bytes.get(self.tokens[self.at].at.start + 2) == Some(&b'!'),
            Token::Const if self.depth > 0 => true,
            // A constant or a type without definition.
            Token::Const => {
                next == Token::Name && self.token(2) == Token::Colon && self.token(4) == Token::Semicolon
            }
            Token::Type => next == Token::Name && self.token(2) == Token::Semicolon,
            Token::Function => self.function_with_body(),
            Token::Subrange => self.bounds_are_no_numbers(),
            Token::Operator(BinaryOp::NotEqual) => self.word() == "!=",
            // `<<3>>`
            Token::Operator(BinaryOp::Less) => self.bytes[self.tokens[self.at].at.start..].starts_with(b"<<"),
            // `1.`
            Token::Integer => {
                let touches = |dot: &Lexed| dot.at.start == self.tokens[self.at].at.end;
                next == Token::Dot
                    && self.tokens.get(self.at + 1).is_some_and(touches)
                    && self.token(2) != Token::Name
            }
            Token::Name => self.is_word(next),
            _ => false,
        }
    }

    /// A word where JKind has no name.
    fn is_word(&self, next: Token) -> bool {
        match self.word() {
            "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" => {
                matches!(self.before(), Token::Colon | Token::Open | Token::Equal | Token::Operator(_))
            }
            "sint" | "uint" => next == Token::Operator(BinaryOp::Less),
            "contract" | "datatype" => next == Token::Name && self.depth == 0,
            "imported" => matches!(self.before(), Token::Node | Token::Function),
            "con" => {
                matches!(self.before(), Token::Semicolon | Token::Close)
                    && self.depth == 0
                    && next != Token::Equal
            }
            "merge" => matches!(next, Token::Open | Token::Name) && self.before() != Token::Node,
            "restart" | "activate" => self.before() == Token::Open && next == Token::Name,
            "frame" => next == Token::Open && matches!(self.before(), Token::Semicolon | Token::Let),
            "fi" => self.before() == Token::Semicolon && next != Token::Equal,
            "any" | "choose" | "subtype" => next == Token::OpenBrace,
            "forall" | "exists" => next == Token::Open,
            "include" => next == Token::Text,
            "lsh" | "rsh" | "fby" | "when" => {
                matches!(self.before(), Token::Name | Token::Close | Token::Integer | Token::Decimal)
                    && !matches!(next, Token::Equal | Token::Comma | Token::Colon)
            }
            _ => false,
        }
    }

    /// Whether `let` comes before the next declaration.
    fn function_with_body(&self) -> bool {
        let rest = self.tokens[self.at + 1..].iter().map(|lexed| lexed.token);
        let mut ends = rest.skip_while(|token| {
            !matches!(token, Token::Let | Token::Node | Token::Function | Token::Type | Token::End)
        });
        ends.next() == Some(Token::Let)
    }

    fn bounds_are_no_numbers(&self) -> bool {
        let rest = self.tokens[self.at + 1..].iter().map(|lexed| lexed.token);
        let mut bounds = rest.take_while(|token| *token != Token::CloseBracket);
        bounds.any(|token| matches!(token, Token::Name | Token::Operator(_)))
    }
}
