//! What others than this crate may ask about sets of states and of transitions.

use crate::ctl::{Evaluator, Failure, Interpretation};
use crate::path::Path;
use crate::steps::Steps;
use dashu_int::UBig;
use propcov_bdd::{Bdd, Cube, Stop, Var};
use propcov_budget::Budget;
use propcov_ir::{Edits, ExprId, SignalId, System, Trace, Value, words};
use propcov_solve::{Aig, Bit, BitOrigin, BitTrace};
use rustc_hash::FxHashMap;

impl Evaluator {
    /// The empty set.
    pub fn nothing(&self) -> Bdd {
        self.model.manager.constant(false)
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

    /// Values of some of the parameters that mean something, whatever the others are.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn parameter_values(&self, parameters: &[SignalId]) -> Result<Bdd, Failure> {
        let own = self.model.netlist.input_bits(parameters);
        let all = &self.model.parameters;
        let others: Vec<Var> =
            all.of_bit.iter().filter(|(bit, _)| !own.contains(bit)).map(|(_, var)| *var).collect();
        Ok(all.domain.exists(&self.model.manager.cube(&others))?)
    }

    /// The size of a set of states.
    pub fn count_states(&self, set: &Bdd) -> UBig {
        set.count(&self.model.current)
    }

    /// The size of a set of transitions.
    pub fn count_transitions(&self, set: &Bdd) -> UBig {
        self.model.count_pairs(set)
    }

    /// Whether a state, given by the values of all states of the system, is in a set. `None` if it has no bits.
    pub fn contains_state(&self, set: &Bdd, system: &System, state: &[Value]) -> Option<bool> {
        Some(self.contains(set, &self.bits(system, state)?))
    }

    /// Whether a pair of states is in a set of transitions.
    pub fn contains_transition(
        &self,
        set: &Bdd,
        system: &System,
        from: &[Value],
        to: &[Value],
    ) -> Option<bool> {
        let (from, to) = (self.bits(system, from)?, self.bits(system, to)?);
        let next: FxHashMap<Var, usize> =
            self.model.next.iter().enumerate().map(|(latch, var)| (*var, latch)).collect();
        Some(set.evaluate(&|var| match (self.model.latch_of.get(&var), next.get(&var)) {
            (Some(latch), _) => from[*latch],
            (None, Some(latch)) => to[*latch],
            (None, None) => false,
        }))
    }

    /// The values of the latches in a state.
    pub(crate) fn bits(&self, system: &System, state: &[Value]) -> Option<Vec<bool>> {
        let mut aig = Aig::default();
        let mut words: FxHashMap<SignalId, Vec<Bit>> = FxHashMap::default();
        for (signal, value) in system.states().iter().zip(state) {
            words.insert(*signal, words::constant(&mut aig, value).ok()?.flat());
        }
        let latches = self.model.netlist.latches.iter().map(|latch| latch.origin);
        latches
            .map(|BitOrigin { state, index }| Some(*words.get(&state)?.get(index as usize)? == Bit::TRUE))
            .collect()
    }

    /// A shortest run from an initial state into a set of reachable states. Steps have values for all inputs of the system.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn run_into(&self, set: &Bdd, system: &System, budget: &Budget) -> Result<Option<Trace>, Failure> {
        let Some(path) = self.way_from_start(set)? else { return Ok(None) };
        self.with_inputs(&path, system, budget).map(Some)
    }

    /// A shortest run from an initial state whose last step is one of these transitions.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn run_through(&self, set: &Bdd, system: &System, budget: &Budget) -> Result<Option<Trace>, Failure> {
        let Some(mut path) = self.way_from_start(&self.sources(set)?)? else { return Ok(None) };
        let here = self.model.singleton(path.last())?;
        let Some(next) = self.pick(&self.targets(&set.and(&here)?)?) else { return Ok(None) };
        path.push(next);
        self.with_inputs(&path, system, budget).map(Some)
    }

    fn with_inputs(&self, path: &Path, system: &System, budget: &Budget) -> Result<Trace, Failure> {
        let netlist = &self.model.netlist;
        let steps = Steps::new(netlist, budget.clone());
        let bits = steps.complete(&path.states, &path.conditions, path.loop_to)?;
        let bits = bits.ok_or_else(|| Failure::Broken("a step of a run has no inputs".to_owned()))?;
        let trace = BitTrace { steps: bits }.complete(netlist, system, &Edits::none());
        trace.map_err(|error| Failure::Broken(error.to_string()))
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
