//! A function of one manager as a function of another one.
//!
//! Each model is built by itself, in the order of variables that suits it, and then meets the other one in a common manager. A walk over
//! the diagram from top to bottom makes the same decisions there; where the order is the same, each decision is one new node.

use propcov_bdd::{Bdd, Manager, Stop, Var};
use rustc_hash::FxHashMap;

/// Takes functions to another manager. What was taken there is remembered.
pub(crate) struct Transfer<'m> {
    target: &'m Manager,
    /// What variables become.
    to: FxHashMap<Var, Var>,
    known: FxHashMap<Bdd, Bdd>,
}

impl<'m> Transfer<'m> {
    pub(crate) fn new(target: &'m Manager, pairs: impl IntoIterator<Item = (Var, Var)>) -> Transfer<'m> {
        Transfer { target, to: pairs.into_iter().collect(), known: FxHashMap::default() }
    }

    /// The function over the variables of the target. All variables that it depends on have a partner there.
    pub(crate) fn copy(&mut self, function: &Bdd) -> Result<Bdd, Stop> {
        let Some((var, otherwise, then)) = function.top() else {
            return Ok(self.target.constant(function.is_true()));
        };
        if let Some(known) = self.known.get(function) {
            return Ok(known.clone());
        }
        let negated = !function;
        if let Some(known) = self.known.get(&negated) {
            return Ok(!known);
        }
        // As deep as there are variables.
        let (then, otherwise) = (self.copy(&then)?, self.copy(&otherwise)?);
        let copy = self.target.variable(self.to[&var]).ite(&then, &otherwise)?;
        self.known.insert(function.clone(), copy.clone());
        Ok(copy)
    }
}
