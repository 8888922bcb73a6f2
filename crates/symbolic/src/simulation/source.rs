//! Where the two models come from: each is prepared by itself, before both meet in one manager.

use super::listed::Listed;
use super::order::{Item, ItemKind, Side};
use super::{RefinementError, SymbolicOptions};
use crate::check;
use crate::ctl::Evaluator;
use crate::cubes::{Field, When, of_states};
use crate::model::{Model, ModelError, Subject};
use crate::reach::Reached;
use propcov_bdd::{Bdd, Stop, Var};
use propcov_budget::Budget;
use propcov_ir::{Edits, ExprId, Graph, SignalId, System, Unsupported, Value, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// A model whose states have labels. Both sides of a refinement have the same propositions in the same order.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// The states of a system. Its fairness conditions do not count: simulation knows none.
    System {
        /// The system.
        system: &'a System,
        /// Boolean expressions over states.
        propositions: &'a [ExprId],
        /// Further ones that will be asked about: sets of mutants, and definitions that cubes may speak of.
        announced: &'a [ExprId],
    },
    /// An explicit graph. Labels may be open.
    Graph(&'a Graph),
}

/// A model by itself.
pub(super) enum Prepared<'a> {
    System(Box<Built>),
    Graph(Listed<'a>),
}

/// A system with its reachable states, in a manager of its own.
pub(super) struct Built {
    /// Without fairness.
    pub(super) system: System,
    pub(super) evaluator: Evaluator,
    pub(super) propositions: Vec<ExprId>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(
        source: Source<'a>,
        side: Side,
        options: &SymbolicOptions,
        budget: &Budget,
        listen: &mut dyn FnMut(usize),
    ) -> Result<Prepared<'a>, RefinementError> {
        let (system, propositions, announced) = match source {
            Source::Graph(graph) if graph.initial().is_empty() => {
                return Err(RefinementError::NoInitialState(side));
            }
            Source::Graph(graph) => return Ok(Prepared::Graph(Listed::new(graph))),
            Source::System { system, propositions, announced } => (system, propositions, announced),
        };
        let mut system = system.clone();
        system.fairness.clear();
        let subject = Subject { atoms: announced, ..Subject::default() };
        let options = check::Options {
            demonstrate: false,
            reorder_at: options.reorder_at,
            cluster: options.cluster,
            most_nodes: options.most_nodes,
            all_states: true,
        };
        let model = Model::new(&system, &Edits::none(), propositions, subject, &options, budget.clone());
        let model = model.map_err(|error| match error {
            ModelError::Unsupported(what) => RefinementError::Unsupported(side, what.to_string()),
            ModelError::Stop(stop) => RefinementError::Stop(stop),
        })?;
        if model.initial.is_false() {
            return Err(RefinementError::NoInitialState(side));
        }
        let reached = Reached::new(&model, listen)?;
        let evaluator = Evaluator::new(&system, model, reached)?;
        Ok(Prepared::System(Box::new(Built { system, evaluator, propositions: propositions.to_vec() })))
    }

    /// What needs variables, in a good order.
    pub(super) fn items(&self) -> Vec<Item> {
        match self {
            Prepared::Graph(listed) => {
                (0..listed.bits()).map(|bit| Item { kind: ItemKind::State(bit), name: None }).collect()
            }
            Prepared::System(built) => built.items(),
        }
    }

    /// How many bits a state has.
    pub(super) fn state_bits(&self) -> usize {
        match self {
            Prepared::Graph(listed) => listed.bits(),
            Prepared::System(built) => built.evaluator.model.current.len(),
        }
    }

    pub(super) fn input_bits(&self) -> usize {
        match self {
            Prepared::Graph(_) => 0,
            Prepared::System(built) => built.evaluator.model.inputs().len(),
        }
    }
}

impl Built {
    fn items(&self) -> Vec<Item> {
        let model = &self.evaluator.model;
        let inputs: FxHashMap<Var, usize> =
            model.inputs().iter().enumerate().map(|(at, var)| (*var, at)).collect();
        let item = |var: Var| match (model.latch_of.get(&var), inputs.get(&var)) {
            (Some(latch), _) => {
                let origin = model.netlist.latches[*latch].origin;
                let name = Some((self.system.signal(origin.state).name.clone(), origin.index));
                Some(Item { kind: ItemKind::State(*latch), name })
            }
            (None, Some(input)) => Some(Item { kind: ItemKind::Input(*input), name: None }),
            // A next variable goes with its current one.
            (None, None) => None,
        };
        model.manager.order().into_iter().filter_map(item).collect()
    }

    /// The states where an expression holds; `None` if it reads inputs, or was not announced.
    pub(super) fn states_where(&mut self, expr: ExprId) -> Result<Option<Bdd>, Stop> {
        self.evaluator.model.atom(expr)
    }

    /// The least states of a set of this manager by name, at most so many. States that differ only in what names leave out have the same name here, where a
    /// list of all states gives them numbers.
    pub(super) fn names(&self, set: &Bdd, most: usize) -> Result<Vec<String>, RefinementError> {
        let model = &self.evaluator.model;
        let fields =
            of_states(&model.netlist, &self.system, &model.current, When::Now, &FxHashSet::default());
        let vars: Vec<Var> = fields.iter().flat_map(|field| field.bits.iter().rev().copied()).collect();
        let (mut left, mut names) = (set.clone(), Vec::new());
        while names.len() < most {
            let Some(point) = left.pick(&vars) else { break };
            let value_of: FxHashMap<Var, bool> = vars.iter().copied().zip(point.iter().copied()).collect();
            names.push(self.system.state_name(&self.values(&fields, &value_of)?));
            let mut picked = model.manager.constant(true);
            for (var, value) in vars.iter().zip(&point) {
                let literal = model.manager.variable(*var);
                picked = picked.and(&if *value { literal } else { !literal })?;
            }
            left = left.minus(&picked)?;
        }
        Ok(names)
    }

    /// The values of all states of the system, from those of the bits of the fields.
    fn values(
        &self,
        fields: &[Field],
        value_of: &FxHashMap<Var, bool>,
    ) -> Result<Vec<Value>, RefinementError> {
        let value = |state: &SignalId| {
            let sort = &self.system.signal(*state).sort;
            let own = fields.iter().filter(|field| field.signal == *state);
            // Arrays are element by element in both. Where there is only one value, there is no bit.
            let mut bits = own.flat_map(|field| &field.bits).map(|var| value_of[var]);
            let word = Word::build(sort, || bits.next().unwrap_or(false));
            word.and_then(|word| word.value(sort, &mut |bit| *bit))
        };
        let values = self.system.states().iter().map(value).collect::<Result<_, _>>();
        values.map_err(|error: Unsupported| RefinementError::Malformed(error.to_string()))
    }
}
