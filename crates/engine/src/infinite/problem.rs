//! What the engines are asked: invariants of one (edited) system, with room for expressions of their own.

use propcov_budget::Budget;
use propcov_ir::{
    Edits, ExprId, ExprPool, Interpreter, Invariant, Node, PropertyId, Sort, Step, System, Trace,
};
use rustc_hash::FxHashMap;

/// Properties of one system, and the expressions about it.
pub struct Problem<'s> {
    /// The system as written.
    pub system: &'s System,
    /// What is done to it.
    pub edits: &'s Edits,
    /// The system's expressions, and those that engines add.
    pub exprs: ExprPool,
    /// The invariants that are asked about, each with what has to hold in every step.
    pub properties: Vec<(PropertyId, ExprId)>,
    /// What may be spent on encoding them.
    pub budget: Budget,
}

impl<'s> Problem<'s> {
    /// The question whether these properties hold. Those that are no invariants are left out.
    pub fn new(system: &'s System, edits: &'s Edits, properties: &[PropertyId]) -> Problem<'s> {
        let invariants = properties.iter().filter_map(|id| Some((*id, system.invariant(*id)?)));
        let (exprs, properties) = (system.exprs.clone(), invariants.collect());
        Problem { system, edits, exprs, properties, budget: Budget::default() }
    }

    /// The same question, encoded within a budget.
    #[must_use]
    pub fn within(self, budget: Budget) -> Problem<'s> {
        Problem { budget, ..self }
    }

    /// A run that ends with its first violation of the property. `None` if it has none: the solver's model was no run.
    pub(crate) fn first_violation(&self, mut trace: Trace, property: PropertyId) -> Option<Trace> {
        let good = self.system.invariant(property)?;
        let interpreter = Interpreter::new(self.system, self.edits).ok()?;
        let violates = |step: &Step| {
            let value = interpreter.frame(step).and_then(|mut frame| frame.value(good));
            value.is_ok_and(|value| value.as_bool() == Some(false))
        };
        let first = trace.steps.iter().position(violates)?;
        trace.steps.truncate(first + 1);
        interpreter.replay(&trace, property).is_ok().then_some(trace)
    }

    /// Lemmas that stand by themselves.
    pub fn export(&self, lemmas: impl IntoIterator<Item = ExprId>) -> Invariant {
        let mut invariant = Invariant::default();
        let mut cache = FxHashMap::default();
        for lemma in lemmas {
            let copy = invariant.exprs.import(&self.exprs, lemma, &mut cache, same_leaf);
            invariant.lemmas.push(copy);
        }
        invariant
    }

    /// Lemmas of somebody else, as expressions of this problem.
    pub fn import(&mut self, invariant: &Invariant) -> Vec<ExprId> {
        let mut cache = FxHashMap::default();
        let mut import = |lemma: &ExprId| self.exprs.import(&invariant.exprs, *lemma, &mut cache, same_leaf);
        invariant.lemmas.iter().map(&mut import).collect()
    }
}

/// The same signal in another pool.
pub(crate) fn same_leaf(pool: &mut ExprPool, node: &Node, sort: &Sort) -> ExprId {
    match node {
        Node::Next(signal) => pool.next(*signal, sort.clone()),
        Node::Signal(signal) => pool.signal(*signal, sort.clone()),
        _ => pool.bool(true),
    }
}
