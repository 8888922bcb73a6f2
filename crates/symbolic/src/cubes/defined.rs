//! Definitions as literals of products.
//!
//! What a design calls `full` may take a product for each position of a pointer to say without that word. A [`Defined`] field is such a word: a Boolean
//! function of the variables of the other fields. It takes no part in what the points are; a product may have it, or its negation, as a literal.

use super::expand::Point;
use super::{Codes, CubeLiteral, Literal, Points, Values, When};
use crate::ctl::{Evaluator, Failure};
use propcov_bdd::{Bdd, Stop, Var};
use propcov_ir::{ExprId, SignalId, Sort, System, Value};
use rustc_hash::FxHashMap;

/// A Boolean definition that products may speak of.
#[derive(Clone, Debug)]
pub struct Defined {
    /// What it is called.
    pub label: String,
    /// The wire.
    pub signal: SignalId,
    /// Which step it belongs to.
    pub when: When,
    /// Where it is true; outside the space that does not matter.
    pub function: Bdd,
}

/// What products are told with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vocabulary<'a> {
    /// The states that these signals are, or are defined by, are preferred.
    pub preferred: &'a [SignalId],
    /// Boolean wires that products may speak of, and the expressions that read them, which were announced as atoms. Those that read
    /// inputs are left out.
    pub defined: &'a [(SignalId, ExprId)],
}

impl Evaluator {
    /// The definitions as fields of one step. Those that the budget does not suffice for are left out: the list is as good as it can be without.
    pub(super) fn definitions(
        &mut self,
        system: &System,
        wires: &[(SignalId, ExprId)],
        when: When,
    ) -> Result<Vec<Defined>, Failure> {
        let mut definitions = Vec::with_capacity(wires.len());
        for (signal, read) in wires {
            let name = &system.signal(*signal).name;
            // Reachable or not: that makes the smaller diagrams.
            let states = match self.model.atom(*read) {
                Ok(Some(states)) => states,
                Ok(None) | Err(Stop::Nodes(_)) => continue,
                Err(stop) => return Err(stop.into()),
            };
            let (label, function) = match when {
                When::Now => (name.clone(), Ok(states)),
                When::Next => (format!("next({name})"), self.model.exchanged(&states)),
            };
            match function {
                Ok(function) => definitions.push(Defined { label, signal: *signal, when, function }),
                Err(Stop::Nodes(_)) => {}
                Err(stop) => return Err(stop.into()),
            }
        }
        Ok(definitions)
    }
}

impl Points<'_> {
    /// The definition with a number that is none of a variable.
    pub(super) fn definition(&self, field: usize) -> Option<&Defined> {
        self.defined.get(field.checked_sub(self.fields.len())?)
    }

    /// What the definition is at a point.
    pub(super) fn defined_at(&self, field: usize, definition: &Defined, point: &Point) -> Literal {
        let bits = self.fields.iter().zip(point).flat_map(|(field, bits)| field.bits.iter().zip(bits));
        let values: FxHashMap<Var, bool> = bits.map(|(var, bit)| (*var, *bit)).collect();
        let is_true = definition.function.evaluate(&|var| values.get(&var).copied().unwrap_or(false));
        let function = if is_true { definition.function.clone() } else { !definition.function.clone() };
        Literal { field, codes: Codes::Among(vec![u64::from(is_true)]), function }
    }
}

impl Defined {
    pub(super) fn shown(&self, codes: &Codes) -> CubeLiteral {
        let is_true = *codes == Codes::Among(vec![1]);
        CubeLiteral {
            label: self.label.clone(),
            signal: self.signal,
            indices: Vec::new(),
            when: self.when,
            sort: Sort::BOOL,
            values: Values::Among(vec![Value::bool(is_true)]),
        }
    }
}
