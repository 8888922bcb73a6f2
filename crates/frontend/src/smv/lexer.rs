//! The words of an SMV file. Reading never fails: bytes that begin no word become [`Token::Unknown`], and it is the
//! parser that complains, because specifications in other logics, which it skips, may hold any bytes.
//!
//! A hyphen is part of a name, so `a-b` is one word and `a - b` a difference; `a->b` is the name `a-`, then `>b`, and
//! a comment that follows a name needs a space. NuSMV reads them the same way: the longest word wins.

use super::syntax::{BinaryOp, LinearOp, LinearPair, PathQuantifier, Place, TemporalOp};
use crate::words::words;
use logos::{Filter, Lexer, Logos};

/// A word and where it is.
#[derive(Clone, Debug)]
pub(super) struct Lexed {
    /// What it is.
    pub(super) token: Token,
    /// Where it is.
    pub(super) place: Place,
}

/// All words, and [`Token::End`] after the last one.
pub(super) fn lex(bytes: &[u8]) -> Vec<Lexed> {
    let words = words(bytes, &Token::Unknown, Token::End).into_iter();
    words.map(|(token, place)| Lexed { token, place }).collect()
}

/// Whether the first words are `MODULE` and a name.
pub(super) fn begins_with_module(bytes: &[u8]) -> bool {
    let mut lexer = Token::lexer(bytes);
    lexer.next() == Some(Ok(Token::Module)) && lexer.next() == Some(Ok(Token::Name))
}

/// Skips a comment that may have several lines, or gives a token if nothing ends it.
fn block_comment(lexer: &mut Lexer<'_, Token>) -> Filter<()> {
    let rest = lexer.remainder();
    match rest.windows(3).position(|window| window == b"--/") {
        Some(at) => {
            lexer.bump(at + 3);
            Filter::Skip
        }
        None => {
            lexer.bump(rest.len());
            Filter::Emit(())
        }
    }
}

/// Words that begin a section of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Var,
    InputVar,
    FrozenVar,
    Define,
    ArrayDefine,
    /// `MDEFINE`, an older word for it.
    MatrixDefine,
    Constants,
    Assign,
    Init,
    Trans,
    Invar,
    Fairness,
    Compassion,
    CtlSpec,
    InvarSpec,
    LtlSpec,
    PslSpec,
    Compute,
    Isa,
    Ignored,
}

/// The kinds of words.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(skip(r"[ \t\r\n\x0b\x0c]+"))]
// Comments, and what a preprocessor says of lines and files.
#[logos(skip(r"(?-u)(--|#[ \t]+[0-9])[^\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[token("MODULE")]
    Module,

    #[token("VAR", |_| Section::Var)]
    #[token("IVAR", |_| Section::InputVar)]
    #[token("FROZENVAR", |_| Section::FrozenVar)]
    #[token("DEFINE", |_| Section::Define)]
    #[token("ARRAY", |_| Section::ArrayDefine)]
    #[token("MDEFINE", |_| Section::MatrixDefine)]
    #[token("CONSTANTS", |_| Section::Constants)]
    #[token("ASSIGN", |_| Section::Assign)]
    #[token("INIT", |_| Section::Init)]
    #[token("TRANS", |_| Section::Trans)]
    #[token("INVAR", |_| Section::Invar)]
    #[token("FAIRNESS", |_| Section::Fairness)]
    #[token("JUSTICE", |_| Section::Fairness)]
    #[token("COMPASSION", |_| Section::Compassion)]
    #[token("SPEC", |_| Section::CtlSpec)]
    #[token("CTLSPEC", |_| Section::CtlSpec)]
    #[token("INVARSPEC", |_| Section::InvarSpec)]
    #[token("LTLSPEC", |_| Section::LtlSpec)]
    #[token("PSLSPEC", |_| Section::PslSpec)]
    #[token("COMPUTE", |_| Section::Compute)]
    #[token("ISA", |_| Section::Isa)]
    #[token("PRED", |_| Section::Ignored)]
    #[token("MIRROR", |_| Section::Ignored)]
    #[token("PARSYNTH", |_| Section::Ignored)]
    Section(Section),

    #[token("NAME")]
    NameKeyword,
    #[token("boolean")]
    Boolean,
    #[token("word")]
    #[token("Word")]
    Word,
    #[token("signed")]
    Signed,
    #[token("unsigned")]
    Unsigned,
    #[token("array")]
    Array,
    #[token("of")]
    Of,
    #[token("process")]
    Process,
    #[token("integer")]
    Integer,
    #[token("real")]
    Real,
    #[token("clock")]
    InfiniteType,

    #[token("case")]
    Case,
    #[token("esac")]
    Esac,
    #[token("next")]
    Next,
    #[token("init")]
    Init,
    #[token("TRUE")]
    True,
    #[token("FALSE")]
    False,
    /// A function whose name is reserved; `signed` and `unsigned` are functions, too.
    #[token("bool")]
    #[token("word1")]
    #[token("toint")]
    #[token("extend")]
    #[token("resize")]
    #[token("swconst")]
    #[token("uwconst")]
    #[token("sizeof")]
    Function,

    #[token("EX", |_| TemporalOp::ExistsNext)]
    #[token("AX", |_| TemporalOp::AllNext)]
    #[token("EF", |_| TemporalOp::ExistsFinally)]
    #[token("AF", |_| TemporalOp::AllFinally)]
    #[token("EG", |_| TemporalOp::ExistsGlobally)]
    #[token("AG", |_| TemporalOp::AllGlobally)]
    Temporal(TemporalOp),
    #[token("EBF", |_| TemporalOp::ExistsFinally)]
    #[token("ABF", |_| TemporalOp::AllFinally)]
    #[token("EBG", |_| TemporalOp::ExistsGlobally)]
    #[token("ABG", |_| TemporalOp::AllGlobally)]
    Bounded(TemporalOp),
    #[token("E", |_| PathQuantifier::Exists)]
    #[token("A", |_| PathQuantifier::All)]
    Path(PathQuantifier),
    #[token("U")]
    Until,
    #[token("BU")]
    BoundedUntil,
    /// An operator of linear temporal logic, and so no name.
    #[token("F", |_| LinearOp::Finally)]
    #[token("G", |_| LinearOp::Globally)]
    #[token("H", |_| LinearOp::Historically)]
    #[token("O", |_| LinearOp::Once)]
    #[token("X", |_| LinearOp::Next)]
    #[token("Y", |_| LinearOp::Previous)]
    #[token("Z", |_| LinearOp::WeakPrevious)]
    Linear(LinearOp),
    /// The same, between two operands.
    #[token("S", |_| LinearPair::Since)]
    #[token("T", |_| LinearPair::Triggered)]
    #[token("V", |_| LinearPair::Releases)]
    LinearPair(LinearPair),

    #[token("&", |_| BinaryOp::And)]
    #[token("|", |_| BinaryOp::Or)]
    #[token("xor", |_| BinaryOp::Xor)]
    #[token("xnor", |_| BinaryOp::Xnor)]
    #[token("->", |_| BinaryOp::Implies)]
    #[token("<->", |_| BinaryOp::Iff)]
    #[token("=", |_| BinaryOp::Equal)]
    #[token("!=", |_| BinaryOp::NotEqual)]
    #[token("<", |_| BinaryOp::Less)]
    #[token("<=", |_| BinaryOp::LessEqual)]
    #[token(">", |_| BinaryOp::Greater)]
    #[token(">=", |_| BinaryOp::GreaterEqual)]
    #[token("+", |_| BinaryOp::Plus)]
    #[token("*", |_| BinaryOp::Times)]
    #[token("/", |_| BinaryOp::Divide)]
    #[token("mod", |_| BinaryOp::Modulo)]
    #[token("<<", |_| BinaryOp::ShiftLeft)]
    #[token(">>", |_| BinaryOp::ShiftRight)]
    #[token("::", |_| BinaryOp::Concat)]
    #[token("in", |_| BinaryOp::In)]
    #[token("union", |_| BinaryOp::Union)]
    Operator(BinaryOp),
    #[token("-")]
    Minus,
    #[token("!")]
    Not,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(":=")]
    Becomes,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
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

    /// `self` and `running` are names for the parser. A hyphen within a name belongs to it. One at its end does not, other than for
    /// NuSMV: `a->b` is an implication here, and `a- b` a difference.
    ///
    /// A text in quotes is a name as well; the quotes belong to it.
    #[regex(r"[A-Za-z_](-*[A-Za-z0-9_$#\\])*", priority = 1)]
    #[regex(r#"(?-u)"[^"\n]*""#)]
    Name,
    #[regex(r"[0-9]+")]
    Number,
    /// `1.5`, `2e-3`, `f'1/3`: numbers that need not be integers.
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?", priority = 4)]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+", priority = 4)]
    #[regex(r"[fF]'[0-9]+/[0-9]+", priority = 4)]
    Decimal,
    /// `0ub8_0000_1111`; whether the digits are right is looked at later.
    #[regex(r"0[us]?[bBoOdDhH][0-9]*_[0-9a-fA-F_]*")]
    WordConstant,

    #[token("/--", block_comment)]
    OpenComment,
    /// Bytes that begin no word.
    Unknown,
    /// After the last word.
    End,
}

impl Token {
    /// Whether a section or a module begins here: whatever is being read, it has ended.
    pub(super) fn is_heading(self) -> bool {
        matches!(self, Token::Section(_) | Token::Module | Token::End)
    }

    /// Whether it looks like a name and is a word of the language.
    pub(super) fn is_reserved(self) -> bool {
        matches!(
            self,
            Token::Module
                | Token::Section(_)
                | Token::NameKeyword
                | Token::Boolean
                | Token::Word
                | Token::Signed
                | Token::Unsigned
                | Token::Array
                | Token::Of
                | Token::Process
                | Token::Integer
                | Token::Real
                | Token::InfiniteType
                | Token::Case
                | Token::Esac
                | Token::Next
                | Token::Init
                | Token::True
                | Token::False
                | Token::Function
                | Token::Temporal(_)
                | Token::Bounded(_)
                | Token::Path(_)
                | Token::Until
                | Token::BoundedUntil
                | Token::Linear(_)
                | Token::LinearPair(_)
                | Token::Operator(
                    BinaryOp::Xor | BinaryOp::Xnor | BinaryOp::Modulo | BinaryOp::In | BinaryOp::Union
                )
        )
    }
}
