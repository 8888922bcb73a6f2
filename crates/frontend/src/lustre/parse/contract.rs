//! Contracts, as Kind 2 writes them: `(*@contract … *)` or `con … noc` after the signature of a node, and `contract` nodes to import.

use super::{
    super::{
        lexer::{Comment, Token},
        syntax::{At, ContractItem, ContractNode, Id, Name, Node, Variable},
    },
    Parser,
};
use crate::InputError;

impl Parser<'_> {
    /// `contract name(inputs) returns (outputs); let … tel`
    pub(super) fn contract_node(&mut self) -> Result<(), InputError> {
        self.advance();
        let name = self.name("the name of a contract")?;
        let (inputs, outputs) = self.signature()?;
        self.expect(Token::Let, "`let`")?;
        let mut items = Vec::new();
        while !self.eat(Token::Tel) {
            self.contract_item(&mut items)?;
        }
        let _ = self.eat(Token::Semicolon) || self.eat(Token::Dot);
        self.program.contracts.push(ContractNode { name, inputs, outputs, items });
        Ok(())
    }

    /// The contract after a node's signature, if there is one.
    pub(super) fn contract_of(&mut self, node: &mut Node) -> Result<(), InputError> {
        let start = self.place().start;
        let mut items = Vec::new();
        if self.eat(Token::Comment(Comment::Contract)) {
            self.expect(Token::At, "`@contract`")?;
            self.expect_word("contract")?;
            while !self.eat(Token::BlockEnd) {
                self.contract_item(&mut items)?;
            }
        } else if self.eat_word("con") {
            while !self.eat_word("noc") {
                self.contract_item(&mut items)?;
            }
        } else {
            return Ok(());
        }
        node.sugar.contract = Some((start..self.end(), items));
        Ok(())
    }

    fn contract_item(&mut self, items: &mut Vec<ContractItem>) -> Result<(), InputError> {
        let start = self.place().start;
        match self.peek() {
            Token::Var => {
                self.advance();
                let mut variables = Vec::new();
                loop {
                    let names = self.extended_names("the name of a variable")?;
                    self.expect(Token::Colon, "`,` or `:` and a type")?;
                    let of = self.simple_type()?;
                    variables.extend(names.into_iter().map(|name| Variable {
                        name,
                        of: of.clone(),
                        constant: false,
                    }));
                    // A semicolon goes on with more variables; what ends them is `=`.
                    if !self.eat(Token::Semicolon) {
                        break;
                    }
                }
                self.expect(Token::Equal, "`=` and the value of the variable")?;
                let value = self.contract_expression()?;
                items.push(ContractItem::Ghost(variables, value, start..self.end()));
            }
            Token::Const => {
                self.advance();
                items.extend(self.local_constant()?.into_iter().map(ContractItem::Constant));
            }
            Token::Name => match self.word() {
                "weakly" => {
                    self.advance();
                }
                "assume" => {
                    let (name, expr, at) = self.contract_clause()?;
                    items.push(ContractItem::Assume(name, expr, at));
                }
                "guarantee" => {
                    let (name, expr, at) = self.contract_clause()?;
                    items.push(ContractItem::Guarantee(name, expr, at));
                }
                "mode" => items.push(self.mode()?),
                "import" => items.push(self.import()?),
                _ => return Err(self.unexpected(ITEMS)),
            },
            _ => return Err(self.unexpected(ITEMS)),
        }
        Ok(())
    }

    fn contract_expression(&mut self) -> Result<Id, InputError> {
        let expr = self.nested(Parser::expression)?;
        self.expect(Token::Semicolon, "an operator, or `;` at the end of this part of the contract")?;
        Ok(expr)
    }

    /// `assume "name" condition;` and the like
    fn contract_clause(&mut self) -> Result<(Option<Name>, Id, At), InputError> {
        let start = self.advance().start;
        let name = self.quoted();
        let expr = self.contract_expression()?;
        Ok((name, expr, start..self.end()))
    }

    /// `mode name (require …; ensure …;);`
    fn mode(&mut self) -> Result<ContractItem, InputError> {
        self.advance();
        let name = self.name("the name of a mode")?;
        self.expect(Token::Open, "`(` and what the mode requires and ensures")?;
        let (mut requires, mut ensures) = (Vec::new(), Vec::new());
        while !self.eat(Token::Close) {
            match self.word() {
                "require" => requires.push(self.contract_clause()?),
                "ensure" => ensures.push(self.contract_clause()?),
                _ => return Err(self.unexpected("`require`, `ensure` or `)`")),
            }
        }
        self.expect(Token::Semicolon, "`;` after the mode")?;
        Ok(ContractItem::Mode { name, requires, ensures })
    }

    /// `import name(inputs) returns (outputs);`
    fn import(&mut self) -> Result<ContractItem, InputError> {
        self.advance();
        let name = self.name("the name of a contract")?;
        if self.peek() == Token::At {
            return Err(self.not_supported(self.place(), "a contract with types as parameters (`@<…>`)"));
        }
        let inputs = self.arguments()?;
        self.expect(Token::Returns, "`returns`")?;
        let outputs = self.arguments()?;
        self.expect(Token::Semicolon, "`;` after the imported contract")?;
        Ok(ContractItem::Import { name, inputs, outputs })
    }

    /// Expressions in parentheses.
    pub(super) fn arguments(&mut self) -> Result<Vec<Id>, InputError> {
        self.expect(Token::Open, "`(` and arguments")?;
        let mut arguments = Vec::new();
        if self.eat(Token::Close) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.nested(Parser::expression)?);
            if self.eat(Token::Close) {
                return Ok(arguments);
            }
            self.expect(Token::Comma, "an operator, `,` or `)`")?;
        }
    }
}

/// What a contract is made of.
const ITEMS: &str = "`assume`, `guarantee`, `mode`, `import`, `var`, `const` or the end of the contract";
