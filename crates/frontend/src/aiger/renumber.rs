//! Variables numbered as the binary encoding needs them.

use super::{And, Latch, Literal, Model, order::gates_in_order, variables::Definition, variables::Variables};

impl Model {
    /// The same circuit with consecutive variables, gates in order and their operands sorted. What nothing defines
    /// reads as false, and gates in a circle keep their order: a model that was parsed has neither.
    pub fn consecutive(&self) -> Model {
        let variables = Variables::new(self);
        let order = gates_in_order(self, &variables).unwrap_or_else(|_| (0..self.ands.len()).collect());
        let mut place = vec![0; self.ands.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new as u32;
        }
        let (inputs, latches) = (self.inputs.len() as u32, self.latches.len() as u32);
        let rename = |literal: Literal| {
            let variable = match variables.get(literal.variable()) {
                None | Some(Definition::Constant) => 0,
                Some(Definition::Input(k)) => 1 + k,
                Some(Definition::Latch(k)) => 1 + inputs + k,
                Some(Definition::And(k)) => 1 + inputs + latches + place[k as usize],
            };
            Literal(variable << 1 | literal.0 & 1)
        };
        let rename_all = |literals: &[Literal]| literals.iter().copied().map(rename).collect::<Vec<_>>();
        Model {
            max_variable: inputs + latches + self.ands.len() as u32,
            inputs: rename_all(&self.inputs),
            latches: (self.latches.iter())
                .map(|latch| Latch {
                    current: rename(latch.current),
                    next: rename(latch.next),
                    reset: latch.reset,
                })
                .collect(),
            outputs: rename_all(&self.outputs),
            bads: rename_all(&self.bads),
            constraints: rename_all(&self.constraints),
            justice: self.justice.iter().map(|literals| rename_all(literals)).collect(),
            fairness: rename_all(&self.fairness),
            ands: (order.iter().map(|old| &self.ands[*old]))
                .map(|and| {
                    let (left, right) = (rename(and.left), rename(and.right));
                    And { output: rename(and.output), left: left.max(right), right: left.min(right) }
                })
                .collect(),
            symbols: self.symbols.clone(),
            comment: self.comment.clone(),
        }
    }
}
