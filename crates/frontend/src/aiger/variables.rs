//! What defines each variable.

use super::Model;
use rustc_hash::FxHashMap;

/// What defines a variable: the position of an input, latch or gate in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Definition {
    Constant,
    Input(u32),
    Latch(u32),
    And(u32),
}

/// The definition of each variable of a model.
///
/// Almost every file numbers inputs, latches and gates consecutively, and then there is nothing to look up. For the
/// others a hash table is used rather than an array, because the header's maximum may be far above what is defined.
pub(super) enum Variables {
    Consecutive { inputs: u32, latches: u32, ands: u32 },
    Scattered(FxHashMap<u32, Definition>),
}

impl Variables {
    pub(super) fn new(model: &Model) -> Variables {
        let (inputs, latches, ands) = (&model.inputs, &model.latches, &model.ands);
        let parts = (inputs.iter().copied().zip(0..).map(|(literal, k)| (literal, Definition::Input(k))))
            .chain(latches.iter().zip(0..).map(|(latch, k)| (latch.current, Definition::Latch(k))))
            .chain(ands.iter().zip(0..).map(|(and, k)| (and.output, Definition::And(k))));
        if parts.clone().zip(1..).all(|((literal, _), variable)| literal.variable() == variable) {
            return Variables::Consecutive {
                inputs: inputs.len() as u32,
                latches: latches.len() as u32,
                ands: ands.len() as u32,
            };
        }
        let constant = std::iter::once((0, Definition::Constant));
        Variables::Scattered(
            constant.chain(parts.map(|(literal, part)| (literal.variable(), part))).collect(),
        )
    }

    pub(super) fn get(&self, variable: u32) -> Option<Definition> {
        match self {
            Variables::Scattered(table) => table.get(&variable).copied(),
            Variables::Consecutive { inputs, latches, ands } => {
                let Some(variable) = variable.checked_sub(1) else { return Some(Definition::Constant) };
                if variable < *inputs {
                    return Some(Definition::Input(variable));
                }
                let variable = variable - inputs;
                if variable < *latches {
                    return Some(Definition::Latch(variable));
                }
                let variable = variable - latches;
                (variable < *ands).then_some(Definition::And(variable))
            }
        }
    }
}
