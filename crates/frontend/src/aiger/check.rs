//! Definitions in text files, which may come in any order: each variable is defined once, all that are used are defined,
//! and no gate depends on itself. Binary files cannot say anything else.

use super::{Layout, Literal, Model, Section, order::gates_in_order, variables::Variables};
use crate::{InputError, text::Input};
use rustc_hash::FxHashMap;

/// A text file as read.
pub(super) struct Definitions<'a> {
    pub(super) input: Input<'a>,
    pub(super) model: &'a Model,
    pub(super) layout: &'a Layout,
}

impl Definitions<'_> {
    pub(super) fn check(&self) -> Result<(), InputError> {
        let model = self.model;
        let mut defined = FxHashMap::default();
        defined.reserve(model.inputs.len() + model.latches.len() + model.ands.len());
        let definitions = (model.inputs.iter().enumerate().map(|(k, input)| (Section::Inputs, k, *input)))
            .chain(model.latches.iter().enumerate().map(|(k, latch)| (Section::Latches, k, latch.current)))
            .chain(model.ands.iter().enumerate().map(|(k, and)| (Section::Gates, k, and.output)));
        for (section, position, literal) in definitions {
            if let Some((other, earlier)) = defined.insert(literal, (section, position)) {
                let line = self.layout.line(other, earlier);
                let message = format!("literal {} is already defined on line {line}", literal.0);
                return Err(self.error_at(section, position, 0, message));
            }
        }
        let used = |section: Section, position: usize, word: usize, literal: Literal| {
            if literal.variable() == 0 || defined.contains_key(&Literal::positive(literal.variable())) {
                return Ok(());
            }
            let message = format!("literal {} is used, but no input, latch or gate defines it", literal.0);
            Err(self.error_at(section, position, word, message))
        };
        for (position, latch) in model.latches.iter().enumerate() {
            used(Section::Latches, position, 1, latch.next)?;
        }
        let justice: Vec<Literal> = model.justice.iter().flatten().copied().collect();
        for (section, literals) in [
            (Section::Outputs, &model.outputs),
            (Section::Bads, &model.bads),
            (Section::Constraints, &model.constraints),
            (Section::JusticeLiterals, &justice),
            (Section::Fairness, &model.fairness),
        ] {
            for (position, literal) in literals.iter().enumerate() {
                used(section, position, 0, *literal)?;
            }
        }
        for (position, and) in model.ands.iter().enumerate() {
            used(Section::Gates, position, 1, and.left)?;
            used(Section::Gates, position, 2, and.right)?;
        }
        gates_in_order(model, &Variables::new(model)).map_err(|gates| self.loop_error(&gates)).map(|_| ())
    }

    fn loop_error(&self, gates: &[usize]) -> InputError {
        const SHOWN: usize = 8;
        let name = |gate: &usize| {
            let line = self.layout.line(Section::Gates, *gate);
            format!("{} (line {line})", self.model.ands[*gate].output.0)
        };
        let mut names: Vec<String> = gates.iter().take(SHOWN).map(name).collect();
        if gates.len() > SHOWN {
            names.push(format!("{} more", gates.len() - SHOWN));
        }
        names.extend(gates.first().map(name));
        let message = format!("combinational loop: {}", names.join(" reads "));
        self.error_at(Section::Gates, gates.first().copied().unwrap_or(0), 0, message)
    }

    fn error_at(&self, section: Section, position: usize, word: usize, message: String) -> InputError {
        let line = self.layout.bytes(section, position);
        let range = self.input.words(line.clone()).nth(word).unwrap_or(line);
        self.input.error(range, message)
    }
}
