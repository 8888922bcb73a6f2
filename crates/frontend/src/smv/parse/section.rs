//! The sections of a module. Those that list declarations end each with a semicolon; those of one expression may end
//! without.

use super::{
    super::{
        lexer::{Section, Token},
        path::flat_text,
        syntax::{AssignKind, ConstraintKind, Expr, Item, Name, SpecificationKind, VariableKind},
    },
    Parser,
};
use crate::InputError;

impl Parser<'_> {
    /// One section, its keyword included.
    pub(super) fn section(&mut self, section: Section, items: &mut Vec<Item>) -> Result<(), InputError> {
        let start = self.advance().start;
        match section {
            Section::Var => self.variables(VariableKind::State, items),
            Section::InputVar => self.variables(VariableKind::Input, items),
            Section::FrozenVar => self.variables(VariableKind::Frozen, items),
            Section::Define => self.definitions(items),
            Section::ArrayDefine => {
                self.expect(Token::Section(Section::Define), "`DEFINE` after `ARRAY`")?;
                self.definitions(items)
            }
            Section::MatrixDefine => self.definitions(items),
            Section::Constants => self.constants(items),
            Section::Assign => self.assignments(items),
            Section::Init => self.constraint(ConstraintKind::Init, items),
            Section::Trans => self.constraint(ConstraintKind::Trans, items),
            Section::Invar => self.constraint(ConstraintKind::Invar, items),
            Section::Fairness => self.constraint(ConstraintKind::Justice, items),
            Section::Compassion => self.compassion(start, items),
            Section::CtlSpec => self.specification(SpecificationKind::Ctl, start, items),
            Section::InvarSpec => self.specification(SpecificationKind::Invariant, start, items),
            Section::LtlSpec => self.specification(SpecificationKind::Ltl, start, items),
            Section::PslSpec => self.specification(SpecificationKind::Psl, start, items),
            Section::Compute => self.distance(start, items),
            Section::Isa => {
                items.push(Item::Isa(self.name("the name of a module after `ISA`")?));
                self.eat(Token::Semicolon);
                Ok(())
            }
            Section::Ignored => {
                let keyword = self.text(&(start..self.end()));
                self.skip_formula()?;
                items.push(Item::Ignored { keyword, place: start..self.end() });
                self.eat(Token::Semicolon);
                Ok(())
            }
        }
    }

    /// After the entries of a section only another section may follow.
    fn section_ends(&self, entry: &str) -> Result<(), InputError> {
        if self.peek().is_heading() { Ok(()) } else { Err(self.unexpected_name(entry)) }
    }

    fn variables(&mut self, kind: VariableKind, items: &mut Vec<Item>) -> Result<(), InputError> {
        while self.peek() == Token::Name {
            let name = self.declared_name()?;
            self.expect(Token::Colon, &format!("`:` and a type after the name `{}`", name.text))?;
            let kind_of = self.type_or_module()?;
            self.expect(Token::Semicolon, &format!("`;` after the type of `{}`", name.text))?;
            items.push(Item::Variable { kind, name, kind_of });
        }
        self.section_ends("the name of a variable or another section")
    }

    /// A name. In models that NuSMV has flattened it may have dots and indices, which become part of its text.
    fn declared_name(&mut self) -> Result<Name, InputError> {
        let mut name = self.name("a name")?;
        loop {
            if self.eat(Token::Dot) {
                let part = self.name_or_number("a name after `.`")?;
                name.text += ".";
                name.text += &part.text;
            } else if self.eat(Token::OpenBracket) {
                let sign = if self.eat(Token::Minus) { "-" } else { "" };
                let place = self.expect(Token::Number, "an index")?;
                self.expect(Token::CloseBracket, "`]` after the index")?;
                name.text += &format!("[{sign}{}]", self.text(&place));
            } else {
                name.place.end = self.end();
                return Ok(name);
            }
        }
    }

    fn definitions(&mut self, items: &mut Vec<Item>) -> Result<(), InputError> {
        while self.peek() == Token::Name {
            let target = self.path("a name to define")?;
            self.expect(Token::Becomes, "`:=` after the defined name")?;
            let value = self.expression()?;
            self.expect(Token::Semicolon, "an operator, or `;` at the end of the definition")?;
            let flat = flat_text(&target).unwrap_or_default();
            items.push(Item::Define { target, flat, value });
        }
        self.section_ends("a name to define or another section")
    }

    fn constants(&mut self, items: &mut Vec<Item>) -> Result<(), InputError> {
        while self.peek() != Token::Semicolon {
            items.push(Item::Constant(self.declared_name()?));
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Semicolon, "`,` or `;` after a constant")?;
        Ok(())
    }

    fn assignments(&mut self, items: &mut Vec<Item>) -> Result<(), InputError> {
        loop {
            let start = self.place().start;
            let (kind, target) = match self.peek() {
                Token::Name => (AssignKind::Current, self.path("a variable")?),
                Token::Init => (AssignKind::Init, self.assigned("init")?),
                Token::Next => (AssignKind::Next, self.assigned("next")?),
                _ => {
                    return self
                        .section_ends("an assignment of `x`, `init(x)` or `next(x)`, or another section");
                }
            };
            self.expect(Token::Becomes, "`:=` after what is assigned")?;
            let value = self.expression()?;
            self.expect(Token::Semicolon, "an operator, or `;` at the end of the assignment")?;
            items.push(Item::Assign { kind, target, value, place: start..self.end() });
        }
    }

    /// `next(x)` or `init(x)` on the left of an assignment.
    fn assigned(&mut self, keyword: &str) -> Result<Expr, InputError> {
        self.advance();
        self.expect(Token::Open, &format!("`(` after `{keyword}`"))?;
        let target = self.path("a variable")?;
        self.expect(Token::Close, &format!("`)` after the variable of `{keyword}`"))?;
        Ok(target)
    }

    fn constraint(&mut self, kind: ConstraintKind, items: &mut Vec<Item>) -> Result<(), InputError> {
        let condition = self.expression()?;
        items.push(Item::Constraint { kind, condition });
        self.formula_ends()
    }

    /// An optional semicolon, and then no other expression.
    fn formula_ends(&mut self) -> Result<(), InputError> {
        if self.eat(Token::Semicolon) || self.peek().is_heading() {
            return Ok(());
        }
        Err(self.unexpected("an operator, `;` or another section"))
    }

    fn compassion(&mut self, start: usize, items: &mut Vec<Item>) -> Result<(), InputError> {
        self.expect(Token::Open, "`(` after `COMPASSION`")?;
        let often = self.expression()?;
        self.expect(Token::Comma, "`,` between the two conditions of `COMPASSION`")?;
        let then = self.expression()?;
        self.expect(Token::Close, "`)` after the two conditions of `COMPASSION`")?;
        items.push(Item::Compassion { often, then, place: start..self.end() });
        self.formula_ends()
    }

    fn specification(
        &mut self,
        kind: SpecificationKind,
        start: usize,
        items: &mut Vec<Item>,
    ) -> Result<(), InputError> {
        let mut name = None;
        if self.eat(Token::NameKeyword) {
            name = Some(self.declared_name()?);
            self.expect(Token::Becomes, "`:=` after the name of the specification")?;
        }
        let formula = match kind {
            SpecificationKind::Psl => self.psl_or_nothing()?,
            _ => {
                self.is_linear = kind == SpecificationKind::Ltl;
                let formula = self.expression()?;
                self.is_linear = false;
                Some(formula)
            }
        };
        let place = start..self.end();
        let context = self.context()?;
        items.push(Item::Specification { kind, name, formula, context, place });
        self.formula_ends()
    }

    /// `MIN [from, to]` or `MAX [from, to]`.
    fn distance(&mut self, start: usize, items: &mut Vec<Item>) -> Result<(), InputError> {
        let mut name = None;
        if self.eat(Token::NameKeyword) {
            name = Some(self.declared_name()?);
            self.expect(Token::Becomes, "`:=` after the name of the specification")?;
        }
        let longest = match self.text(&self.place()).as_str() {
            "MIN" => false,
            "MAX" => true,
            _ => return Err(self.unexpected("`MIN` or `MAX` after `COMPUTE`")),
        };
        self.advance();
        self.expect(Token::OpenBracket, "`[` and two formulas")?;
        let from = self.expression()?;
        self.expect(Token::Comma, "an operator, or `,` and another formula")?;
        let to = self.expression()?;
        self.expect(Token::CloseBracket, "an operator, or `]`")?;
        let place = start..self.end();
        let context = self.context()?;
        items.push(Item::Distance { longest, name, from, to, context, place });
        self.formula_ends()
    }

    /// A specification of PSL; `None` for one that has something that is not supported, which is passed over.
    fn psl_or_nothing(&mut self) -> Result<Option<Expr>, InputError> {
        let (at, open) = (self.at, self.open);
        self.is_psl = true;
        let property = self.psl_property();
        self.is_psl = false;
        if let Ok(tree) = property
            && (self.peek() == Token::Semicolon || self.peek().is_heading())
        {
            return Ok(Some(tree.expr));
        }
        (self.at, self.open) = (at, open);
        self.skip_formula()?;
        Ok(None)
    }

    /// `IN instance` after a specification.
    fn context(&mut self) -> Result<Option<Expr>, InputError> {
        if self.peek() != Token::Name || self.text(&self.place()) != "IN" {
            return Ok(None);
        }
        self.advance();
        self.path("an instance after `IN`").map(Some)
    }

    /// Passes over what is not checked, up to its semicolon or the next section. A semicolon in braces or parentheses
    /// is one of PSL's sequences.
    fn skip_formula(&mut self) -> Result<(), InputError> {
        let mut open = 0_usize;
        loop {
            match self.peek() {
                Token::Open | Token::OpenBrace => open += 1,
                Token::Close | Token::CloseBrace => open = open.saturating_sub(1),
                Token::Semicolon if open == 0 => return Ok(()),
                Token::OpenComment => return Err(self.unexpected("`;`")),
                token if token.is_heading() => return Ok(()),
                _ => {}
            }
            self.advance();
        }
    }
}
