//! Automata, as LustreC writes them.

use super::{
    super::{
        lexer::Token,
        syntax::{Automaton, AutomatonState, Block, Transition},
    },
    Parser,
};
use crate::InputError;

impl Parser<'_> {
    /// `automaton name state … state …`
    pub(super) fn automaton(&mut self) -> Result<Block, InputError> {
        self.advance();
        let name = self.name("the name of the automaton")?;
        let mut states = Vec::new();
        while self.word() == "state" {
            states.push(self.automaton_state()?);
        }
        if states.is_empty() {
            return Err(self.unexpected("`state`"));
        }
        // Kind 2 named the variables that it defines.
        if self.eat(Token::Returns) {
            while !matches!(self.peek(), Token::Semicolon | Token::End) {
                self.advance();
            }
            self.expect(Token::Semicolon, "`;` after the automaton")?;
        }
        Ok(Block::Automaton(Automaton { name, states }))
    }

    fn automaton_state(&mut self) -> Result<AutomatonState, InputError> {
        self.advance();
        let name = self.name("the name of a state")?;
        self.expect(Token::Colon, "`:`")?;
        let unless = self.transitions("unless")?;
        let mut locals = Vec::new();
        while self.eat(Token::Var) {
            locals.extend(self.variables(Token::Let, "the name of a local variable")?);
        }
        self.expect(Token::Let, "`unless`, `var` or `let`")?;
        let (mut body, mut assertions) = (Vec::new(), Vec::new());
        while !self.eat(Token::Tel) {
            if self.eat(Token::Assert) {
                assertions.push(self.nested(Parser::expression)?);
                self.expect(Token::Semicolon, "an operator, or `;` at the end of the assertion")?;
            } else if matches!(self.peek(), Token::Property | Token::Main | Token::Ivc) {
                return Err(self.not_supported(self.place(), "an annotation in a state of an automaton"));
            } else {
                body.push(self.nested(Parser::block)?);
            }
        }
        self.eat(Token::Semicolon);
        let until = self.transitions("until")?;
        Ok(AutomatonState { name, unless, locals, body, assertions, until })
    }

    /// `until condition restart state`, as often as it is written; also with `if … elsif … end` around them.
    fn transitions(&mut self, word: &str) -> Result<Vec<Transition>, InputError> {
        let mut all = Vec::new();
        while self.eat_word(word) {
            let condition = self.nested(Parser::expression)?;
            let restart = self.word() == "restart";
            if !restart && self.word() != "resume" {
                return Err(self.unexpected("`restart` or `resume`"));
            }
            self.advance();
            let target = self.name("the name of a state")?;
            self.eat(Token::Semicolon);
            all.push(Transition { condition, restart, target });
        }
        Ok(all)
    }
}
