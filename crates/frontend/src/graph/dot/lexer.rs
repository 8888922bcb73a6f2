//! The words of a DOT file. Reading never fails: bytes that begin no word become [`Token::Unknown`], and it is the parser that complains.

use crate::words::words;
use logos::{Filter, Lexer, Logos};
use std::ops::Range;

/// All words, and [`Token::End`] after the last one.
pub(super) fn lex(bytes: &[u8]) -> Vec<(Token, Range<usize>)> {
    words(bytes, &Token::Unknown, Token::End)
}

/// Whether the first words are those of a graph.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    let mut lexer = Token::lexer(bytes);
    let mut next = || lexer.next().and_then(Result::ok);
    let mut word = next();
    if word == Some(Token::Strict) {
        word = next();
    }
    if !matches!(word, Some(Token::Digraph | Token::Graph)) {
        return false;
    }
    match next() {
        Some(Token::BraceOpen) => true,
        Some(Token::Name | Token::Number | Token::Quoted) => next() == Some(Token::BraceOpen),
        _ => false,
    }
}

/// Skips a comment that may have several lines; one that does not end is a word.
fn comment(lexer: &mut Lexer<'_, Token>) -> Filter<()> {
    let rest = lexer.remainder();
    match rest.windows(2).position(|window| window == b"*/") {
        Some(at) => {
            lexer.bump(at + 2);
            Filter::Skip
        }
        None => {
            lexer.bump(rest.len());
            Filter::Emit(())
        }
    }
}

/// Text in angle brackets, which may be nested; false if it does not end.
fn html(lexer: &mut Lexer<'_, Token>) -> bool {
    let mut depth = 1;
    for (at, byte) in lexer.remainder().iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            lexer.bump(at + 1);
            return true;
        }
    }
    lexer.bump(lexer.remainder().len());
    false
}

/// The kinds of words.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip(r"[ \t\r\n\x0b\x0c]+"))]
#[logos(skip(r"\xef\xbb\xbf", priority = 10))]
#[logos(skip(r"(?-u)(//|#)[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[regex(r"(?i-u)strict")]
    Strict,
    #[regex(r"(?i-u)digraph")]
    Digraph,
    #[regex(r"(?i-u)graph")]
    Graph,
    #[regex(r"(?i-u)node")]
    Node,
    #[regex(r"(?i-u)edge")]
    Edge,
    #[regex(r"(?i-u)subgraph")]
    Subgraph,
    #[regex(r"(?-u)[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")]
    Name,
    #[regex(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)")]
    Number,
    #[regex(r#"(?s-u)"([^"\\]|\\.)*""#)]
    Quoted,
    /// It does not end.
    #[regex(r#"(?s-u)"([^"\\]|\\.)*\\?"#, priority = 1, allow_greedy = true)]
    OpenQuote,
    /// Whether it ends.
    #[token("<", html)]
    Html(bool),
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("=")]
    Equals,
    #[token(":")]
    Colon,
    #[token("+")]
    Plus,
    #[token("->")]
    Arrow,
    #[token("--")]
    Line,
    /// A comment that does not end.
    #[token("/*", comment)]
    OpenComment,
    Unknown,
    End,
}
