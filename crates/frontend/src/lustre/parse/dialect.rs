//! What other dialects of Lustre have and propcov has not: it is called by its name, where it is written.
//!
//! Their words are no words of JKind's language, so that a variable may be called `current` or `last`. Only where the parser is stuck anyway, it looks
//! whether one of them is the reason.

use super::{
    super::{
        lexer::{Comment, Token},
        syntax::At,
    },
    Parser,
};
use crate::InputError;

/// Words between operands.
const OPERATORS: &[(&str, &str)] = &[
    ("when", "sampling with `when`"),
    ("fby", "`fby` (write `a -> pre b`)"),
    ("every", "`restart … every`"),
    ("nor", "the operator `nor`"),
    ("at", "operators of Lustre V6 with clocks"),
    ("step", "slices of arrays"),
];

/// Words before an operand, or before parentheses.
const PREFIXES: &[(&str, &str)] = &[
    ("current", "`current`"),
    ("merge", "`merge`"),
    ("activate", "`activate` (write `condact`)"),
    ("restart", "`restart … every`"),
    ("reset", "`reset`"),
    ("last", "`last`"),
    ("forall", "the quantifier `forall`"),
    ("exists", "the quantifier `exists`"),
    ("nor", "the operator `nor`"),
    ("with", "recursion with `with … then … else`"),
    ("when", "`when`"),
    ("any", "the operator `any`"),
    ("choose", "the operator `choose`"),
];

/// Words that begin an item of a node.
const ITEMS: &[(&str, &str)] = &[
    ("assume", "`assume`, which is a part of contracts,"),
    ("guarantee", "`guarantee`, which is a part of contracts,"),
    ("weakly", "`weakly assume`, which is a part of contracts,"),
    ("mode", "`mode`, which is a part of contracts,"),
    ("require", "`require`, which is a part of contracts,"),
    ("ensure", "`ensure`, which is a part of contracts,"),
    ("import", "`import`, which is a part of contracts,"),
    ("automaton", "an automaton"),
    ("frame", "a frame block"),
    ("if", "an if block"),
    ("reachable", "a check for reachability"),
];

/// Words that begin a declaration.
const DECLARATIONS: &[(&str, &str)] = &[
    ("contract", "a contract"),
    ("imported", "an imported node"),
    ("extern", "an external node"),
    ("unsafe", "an unsafe node"),
    ("include", "`include`"),
    ("package", "a package"),
    ("model", "a model with parameters"),
    ("modes", "a package"),
    ("open", "`open`"),
    ("param", "a parameter of the program"),
];

/// Built-in calls of other dialects that are not supported, where no node or function has the name.
pub(in super::super) fn unsupported_call(name: &str) -> Option<String> {
    PREFIXES.iter().find(|(word, _)| *word == name).map(|(_, what)| message(what))
}

fn message(what: &str) -> String {
    format!("{what} is not supported")
}

fn find(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(candidate, _)| *candidate == word).map(|(_, what)| *what)
}

impl Parser<'_> {
    /// An error about something that is not supported.
    pub(super) fn not_supported(&self, at: At, what: &str) -> InputError {
        self.input.error(at, message(what))
    }

    /// The reason for which the next word does not fit, if it is another dialect.
    pub(super) fn dialect(&self) -> Option<InputError> {
        let at = self.place();
        let what = match self.peek() {
            Token::Comment(Comment::Contract) => "a contract (`@contract`)",
            Token::Hash => "the operator `#`",
            Token::Caret if !self.is_extended() => {
                "an array type or value with `^` (types are written `int[3]`, values `[0, 0, 0]`)"
            }
            Token::Bar => "concatenation of arrays with `|`",
            Token::Name => match find(OPERATORS, self.word()) {
                Some(what) => what,
                None => return self.dialect_before(),
            },
            _ => return self.dialect_before(),
        };
        Some(self.not_supported(at, what))
    }

    /// The word before may be the reason: it was taken for a name.
    fn dialect_before(&self) -> Option<InputError> {
        let before = self.tokens.get(self.at.checked_sub(1)?)?;
        let word = std::str::from_utf8(&self.input.bytes[before.at.clone()]).ok()?;
        let what = find(PREFIXES, word).filter(|_| before.token == Token::Name)?;
        Some(self.not_supported(before.at.clone(), what))
    }

    /// An item of a node that only another dialect has.
    pub(super) fn dialect_item(&self) -> Option<InputError> {
        let is_equation =
            matches!(self.peek_at(1), Token::Equal | Token::Comma | Token::OpenBracket | Token::Dot);
        let word = if self.peek() == Token::If { "if" } else { self.word() };
        let what = find(ITEMS, word).filter(|_| !is_equation)?;
        Some(self.not_supported(self.place(), what))
    }

    /// What does not begin a declaration.
    pub(super) fn unexpected_declaration(&self) -> InputError {
        match find(DECLARATIONS, self.word()) {
            Some(what) => self.not_supported(self.place(), what),
            None => self.unexpected("`node`, `function`, `type` or `const`"),
        }
    }

    /// `node imported name`, and parameters of nodes that are no inputs.
    pub(super) fn refuse_imported(&self) -> Result<(), InputError> {
        match (self.word(), self.peek_at(1)) {
            ("imported", Token::Name) => Err(self.not_supported(self.place(), "an imported node")),
            _ => Ok(()),
        }
    }
}
