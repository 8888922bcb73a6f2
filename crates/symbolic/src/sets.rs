//! What others than this crate may ask about sets of states and of transitions.

use crate::bdd::{Bdd, Cube, Stop};
use crate::ctl::{Evaluator, Failure, Interpretation};
use dashu_int::UBig;
use propcov_ir::{Ctl, ExprId, SignalId};

impl Evaluator {
    /// The empty set.
    pub fn nothing(&self) -> Bdd {
        self.model.manager.constant(false)
    }

    /// The reachable states that satisfy a formula. What the check of a property has found out is not found out again.
    ///
    /// # Errors
    /// When the budget does not suffice, or propositions read inputs.
    pub fn satisfying_states(&mut self, formula: &Ctl) -> Result<Bdd, Failure> {
        self.satisfying(formula)
    }

    /// The reachable states, with values of parameters, where an expression holds that was announced as an atom.
    ///
    /// # Errors
    /// When it reads inputs, or the budget does not suffice.
    pub fn states_where(&mut self, expr: ExprId) -> Result<Bdd, Failure> {
        self.proposition(expr)
    }

    /// The reachable states.
    pub fn reachable_states(&self) -> &Bdd {
        &self.reached.all
    }

    /// The reachable states from which a fair path starts.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn fair_states(&mut self) -> Result<Bdd, Failure> {
        self.fair()
    }

    /// The initial states from which a fair path starts.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn fair_initial_states(&mut self) -> Result<Bdd, Failure> {
        let initial = self.model.initial.clone();
        self.fair_among(&initial)
    }

    /// The fair states that are one step from a set of reachable ones.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn forward(&mut self, set: &Bdd) -> Result<Bdd, Failure> {
        if set.is_false() {
            return Ok(set.clone());
        }
        let image = self.model.image_in_focus(set)?;
        self.fair_among(&image)
    }

    /// All pairs of a reachable state and a successor, over current and next variables; `None` if that relation is too large.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn transitions(&self) -> Result<Option<Bdd>, Failure> {
        Ok(self.model.pairs()?.cloned())
    }

    /// The set of states as one of successors: over next instead of current variables.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn as_successors(&self, set: &Bdd) -> Result<Bdd, Failure> {
        Ok(self.model.exchanged(set)?)
    }

    /// The variables of some inputs that were announced as parameters.
    pub fn parameter_cube(&self, parameters: &[SignalId]) -> Cube {
        let bits = self.model.netlist.input_bits(parameters);
        let vars: Vec<_> =
            bits.iter().filter_map(|bit| self.model.parameters.of_bit.get(bit)).copied().collect();
        self.model.manager.cube(&vars)
    }

    /// Values of the parameters that mean something.
    pub fn parameter_values(&self) -> &Bdd {
        &self.model.parameters.domain
    }

    /// The size of a set of states.
    pub fn count_states(&self, set: &Bdd) -> UBig {
        set.count(&self.model.current)
    }

    /// The size of a set of transitions.
    pub fn count_transitions(&self, set: &Bdd) -> UBig {
        self.model.count_pairs(set)
    }

    /// The first state of each transition.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn sources(&self, transitions: &Bdd) -> Result<Bdd, Stop> {
        transitions.exists(&self.model.manager.cube(&self.model.next))
    }

    /// The second state of each transition, over current variables.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn targets(&self, transitions: &Bdd) -> Result<Bdd, Stop> {
        let targets = transitions.exists(&self.model.manager.cube(&self.model.current))?;
        self.model.exchanged(&targets)
    }
}
