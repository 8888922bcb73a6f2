//! The words of a Lustre file. Reading never fails: bytes that begin no word become [`Token::Unknown`], and it is the parser that
//! complains.
//!
//! `--` begins a comment, but `--%` an annotation. `--%REQ ID text` is a comment for people and reports. `~` and `!` are letters, as in JKind, which needs them for names that it makes itself.

use super::syntax::{At, BinaryOp, Dialect};
use crate::words::words;
use logos::{Filter, Lexer, Logos};

/// A word and where it is.
#[derive(Clone, Debug)]
pub(super) struct Lexed {
    /// What it is.
    pub(super) token: Token,
    /// Where it is.
    pub(super) at: At,
}

/// All words, and [`Token::End`] after the last one.
pub(super) fn lex(bytes: &[u8], dialect: Dialect) -> Vec<Lexed> {
    if dialect == Dialect::JKind {
        let words = words(bytes, &Token::Unknown, Token::End).into_iter();
        return words.map(|(token, at)| Lexed { token, at }).collect();
    }
    let bytes = &with_jkinds_comments(bytes);
    let mut lexed: Vec<Lexed> = Vec::new();
    for (token, at) in words(bytes, &Token::Unknown, Token::End) {
        let joins = |before: &Lexed| before.token == Token::Bang && before.at.end == at.start;
        match token {
            // `!` is no letter here: `a!=b` has been taken for `a!` and `=`.
            Token::Name => split(bytes, at, &mut lexed),
            Token::Equal if lexed.last().is_some_and(joins) => {
                if let Some(last) = lexed.last_mut() {
                    *last = Lexed { token: Token::Operator(BinaryOp::NotEqual), at: last.at.start..at.end };
                }
            }
            _ => lexed.push(Lexed { token, at }),
        }
    }
    lexed
}

/// Takes `!` out of what JKind takes for a name.
fn split(bytes: &[u8], at: At, lexed: &mut Vec<Lexed>) {
    let mut start = at.start;
    while start < at.end {
        let rest = &bytes[start..at.end];
        let length = rest.iter().position(|byte| *byte == b'!').unwrap_or(rest.len());
        if length == 0 {
            lexed.push(Lexed { token: Token::Bang, at: start..start + 1 });
            start += 1;
            continue;
        }
        // What is left may be a word of the language, or a number: `!true`.
        for (token, place) in words(&rest[..length], &Token::Unknown, Token::End) {
            if token != Token::End {
                lexed.push(Lexed { token, at: start + place.start..start + place.end });
            }
        }
        start += length;
    }
}

/// The same bytes with annotations and comments written as JKind writes them: `--!PROPERTY` is `--%PROPERTY`, and `//` begins a comment. Nothing moves.
fn with_jkinds_comments(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for word in [&b"--!PROPERTY"[..], b"--!MAIN"] {
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(word)).collect();
        places.into_iter().for_each(|at| bytes[at + 2] = b'%');
    }
    let mut quoted = false;
    for at in 0..bytes.len().saturating_sub(1) {
        match bytes[at] {
            b'"' => quoted = !quoted,
            b'\n' => quoted = false,
            b'/' if bytes[at + 1] == b'/' && !quoted => bytes[at..at + 2].copy_from_slice(b"--"),
            // What follows `--` is a comment: `---` must not become an annotation by accident.
            _ => {}
        }
    }
    bytes
}

/// Whether the first words are those of a declaration.
pub(super) fn begins_with_declaration(bytes: &[u8]) -> bool {
    let mut lexer = Token::lexer(bytes);
    let first = lexer.next();
    let words = |first: &[u8]| matches!(first, b"contract" | b"imported" | b"datatype");
    match first {
        Some(Ok(Token::Node | Token::Function | Token::Type | Token::Const)) => {
            lexer.next() == Some(Ok(Token::Name))
        }
        // What only other dialects begin with.
        Some(Ok(Token::Name)) => words(lexer.slice()) && lexer.next() == Some(Ok(Token::Name)),
        Some(Ok(Token::Hash)) => {
            lexer.next() == Some(Ok(Token::Name)) && matches!(lexer.slice(), b"open" | b"include")
        }
        _ => false,
    }
}

/// Skips a comment that may have several lines. Nothing ends it: a token. It is a contract of Kind 2: another one.
fn comment(lexer: &mut Lexer<'_, Token>, close: &[u8]) -> Filter<Comment> {
    let rest = lexer.remainder();
    let contract =
        rest.strip_prefix(b"@").is_some_and(|text| text.trim_ascii_start().starts_with(b"contract"));
    match rest.windows(2).position(|window| window == close) {
        Some(_) if contract => Filter::Emit(Comment::Contract),
        Some(at) => {
            lexer.bump(at + 2);
            Filter::Skip
        }
        None => {
            lexer.bump(rest.len());
            Filter::Emit(Comment::Open)
        }
    }
}

/// A comment that is not skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comment {
    /// It does not end.
    Open,
    /// `(*@contract`
    Contract,
}

/// The kinds of words.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip(r"[ \t\r\n\x0b\x0c]+"))]
#[logos(skip(r"(?-u)--([^%\n][^\n]*|%REQ[ \t:][^\n]*)?", allow_greedy = true))]
pub(super) enum Token {
    #[token("type")]
    Type,
    #[token("const")]
    Const,
    #[token("node")]
    Node,
    #[token("function")]
    Function,
    #[token("returns")]
    Returns,
    #[token("var")]
    Var,
    #[token("let")]
    Let,
    #[token("tel")]
    Tel,
    #[token("assert")]
    Assert,
    #[token("struct")]
    Struct,
    #[token("enum")]
    Enum,
    #[token("subrange")]
    Subrange,
    #[token("of")]
    Of,
    #[token("bool")]
    Bool,
    #[token("int")]
    Int,
    #[token("real")]
    Real,
    #[token("floor")]
    Floor,
    #[token("condact")]
    Condact,
    #[token("pre")]
    Pre,
    #[token("not")]
    Not,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("true")]
    True,
    #[token("false")]
    False,

    #[token("--%PROPERTY")]
    Property,
    #[token("--%MAIN")]
    Main,
    #[token("--%IVC")]
    Ivc,
    #[token("--%REALIZABLE")]
    Realizable,
    /// Another word after `--%`.
    #[regex(r"--%[A-Za-z0-9_]*", priority = 3)]
    Annotation,

    #[token("*", |_| BinaryOp::Times)]
    #[token("/", |_| BinaryOp::Divide)]
    #[token("div", |_| BinaryOp::Div)]
    #[token("mod", |_| BinaryOp::Mod)]
    #[token("+", |_| BinaryOp::Plus)]
    #[token("<", |_| BinaryOp::Less)]
    #[token("<=", |_| BinaryOp::LessEqual)]
    #[token(">", |_| BinaryOp::Greater)]
    #[token(">=", |_| BinaryOp::GreaterEqual)]
    #[token("<>", |_| BinaryOp::NotEqual)]
    #[token("and", |_| BinaryOp::And)]
    #[token("or", |_| BinaryOp::Or)]
    #[token("xor", |_| BinaryOp::Xor)]
    #[token("=>", |_| BinaryOp::Implies)]
    #[token("->", |_| BinaryOp::Arrow)]
    #[token("&&", |_| BinaryOp::BitAnd)]
    #[token("||", |_| BinaryOp::BitOr)]
    #[token("!=", |_| BinaryOp::NotEqual)]
    #[token("==>", |_| BinaryOp::Implies)]
    Operator(BinaryOp),
    /// `!` in dialects where it is no letter.
    Bang,
    #[token("^")]
    Caret,
    #[token("|")]
    Bar,
    #[token("@")]
    At,
    #[token("#")]
    Hash,
    #[token("::")]
    Path,
    /// The end of a contract that is written as a comment.
    #[token("*)")]
    #[token("*/")]
    BlockEnd,
    /// An operator, and what equations and records have between name and value.
    #[token("=")]
    Equal,
    #[token("-")]
    Minus,
    #[token(":=")]
    Becomes,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,

    #[regex(r"[A-Za-z_~!][A-Za-z0-9_~!]*", priority = 1)]
    Name,
    #[regex(r"[0-9]+")]
    Integer,
    /// With an exponent as in Kind 2; JKind has none.
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Decimal,
    /// A property's name in Kind 2.
    #[regex("\"[^\"\n]*\"")]
    Text,

    #[token("(*", |lexer| comment(lexer, b"*)"))]
    #[token("/*", |lexer| comment(lexer, b"*/"))]
    Comment(Comment),
    /// Bytes that begin no word.
    Unknown,
    /// After the last word.
    End,
}

impl Token {
    /// Whether it looks like a name and is a word of the language.
    pub(super) fn is_reserved(self) -> bool {
        matches!(
            self,
            Token::Type
                | Token::Const
                | Token::Node
                | Token::Function
                | Token::Returns
                | Token::Var
                | Token::Let
                | Token::Tel
                | Token::Assert
                | Token::Struct
                | Token::Enum
                | Token::Subrange
                | Token::Of
                | Token::Bool
                | Token::Int
                | Token::Real
                | Token::Floor
                | Token::Condact
                | Token::Pre
                | Token::Not
                | Token::If
                | Token::Then
                | Token::Else
                | Token::True
                | Token::False
                | Token::Operator(
                    BinaryOp::Div | BinaryOp::Mod | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
                )
        )
    }

    /// Whether an item or a declaration begins or ends here: whatever is being read, it has ended.
    pub(super) fn ends_expression(self) -> bool {
        matches!(
            self,
            Token::Semicolon
                | Token::Tel
                | Token::Let
                | Token::Node
                | Token::Assert
                | Token::Property
                | Token::Main
                | Token::Ivc
                | Token::Realizable
                | Token::Annotation
                | Token::End
        )
    }
}
