//! A system as sets and relations of states.
//!
//! Each bit of a state has two variables, for now and for the next step, which stay neighbours in every order. Inputs have one; those
//! that no fairness condition speaks of are quantified as early as possible, most of them while the relation is built. A state
//! that the system lets take any value needs no input for it: the choice is the next variable itself.

mod build;

use crate::bdd::{Bdd, Manager, Stop, Swap, Var};
use crate::check::Options;
use crate::relation::Schedule;
use build::{Builder, Variables};
use dashu_int::UBig;
use propcov_ir::{Edits, ExprId, Fairness, System};
use propcov_sat::Budget;
use propcov_solve::{Bit, Contents, Netlist, Unsupported};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;

/// Among the reachable states the relation is one function if it has at most this many nodes.
const JOINT: usize = 50_000;
/// And if no more nodes than this are needed to find out.
const JOINT_EFFORT: usize = 400_000;

/// Why there is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Something that has no representation as bits.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// The budget was used up.
    #[error("{0}")]
    Stop(#[from] Stop),
}

/// A predicate on steps.
#[derive(Clone)]
pub(crate) enum Condition {
    /// Of the state alone.
    State(Bdd),
    /// Of state and inputs.
    Step(Bdd),
}

impl Condition {
    pub(crate) fn function(&self) -> &Bdd {
        match self {
            Condition::State(function) | Condition::Step(function) => function,
        }
    }
}

/// Conditions that fair paths meet.
#[derive(Clone, Default)]
pub(crate) struct Conditions {
    /// Infinitely often, each.
    pub(crate) justice: Vec<Condition>,
    /// If the first infinitely often, then the second.
    pub(crate) compassion: Vec<(Condition, Condition)>,
}

/// The relation for backward steps.
struct Backward {
    schedule: Schedule,
    /// The whole relation from states in focus, where that is small.
    joint: Option<Bdd>,
}

/// The transition system as decision diagrams.
pub struct Model {
    pub(crate) manager: Manager,
    pub(crate) netlist: Arc<Netlist>,
    /// By position among the latches.
    pub(crate) current: Vec<Var>,
    next: Vec<Var>,
    inputs: Vec<Var>,
    /// The position of the latch that a current variable stands for.
    pub(crate) latch_of: FxHashMap<Var, usize>,
    exchange: Swap,
    /// States that satisfy the constraints under some inputs.
    pub(crate) valid: Bdd,
    /// Initial states among these.
    pub(crate) initial: Bdd,
    /// The relation as a conjunction, before it is arranged for either direction.
    parts: Vec<Bdd>,
    forward: Schedule,
    /// Made when it is first needed.
    backward: OnceCell<Backward>,
    /// Where backward steps are asked for, and where steps from there lead.
    focus: Option<(Bdd, Bdd)>,
    /// What a backward step quantifies: next variables and inputs.
    behind: Vec<Var>,
    /// Inputs that no fairness condition reads.
    hidden: Vec<Var>,
    cluster: usize,
    most_nodes: usize,
    pub(crate) fairness: Conditions,
    /// The bits of the justice conditions, then those of the conclusions of compassion.
    pub(crate) fairness_bits: Vec<Bit>,
    /// For each atom: the states that satisfy it, or `None` if it reads inputs.
    atoms: FxHashMap<ExprId, Option<Bdd>>,
}

impl Model {
    /// The model of a system, in which the expressions given can be asked for.
    pub(crate) fn new(
        system: &System,
        edits: &Edits,
        atoms: &[ExprId],
        options: &Options,
        budget: Budget,
    ) -> Result<Model, ModelError> {
        let mut observed = atoms.to_vec();
        for fairness in &system.fairness {
            match fairness {
                Fairness::Justice(often) => observed.push(*often),
                Fairness::Compassion(often, then) => observed.extend([*often, *then]),
            }
        }
        let contents = Contents { observed: &observed, all_states: true, ..Contents::default() };
        let netlist = Arc::new(Netlist::with_contents(system, edits, contents)?);
        let manager = Manager::new();
        manager.set_budget(budget);
        manager.set_node_limit(Some(options.most_nodes));
        manager.set_automatic_reordering(options.reorder_at.is_some());
        manager.set_smallest_reordering(options.reorder_at.unwrap_or(usize::MAX));
        let variables = Variables::new(&manager, &netlist);
        let builder = Builder { manager: &manager, netlist: &netlist, variables: &variables, options };
        Ok(builder.build(system, &observed[..atoms.len()])?)
    }

    /// The states that satisfy an expression that was announced; `None` if it reads inputs.
    pub(crate) fn atom(&self, expr: ExprId) -> Option<Bdd> {
        self.atoms.get(&expr).cloned().flatten()
    }

    /// From now on backward steps are only asked from sets within a space that no step leaves, and only answered within it. Elsewhere parts
    /// of the relation need not be right, and get smaller. Steps from the space lead into `range`, whether or not constraints allow
    /// that.
    pub(crate) fn focus(&mut self, space: Bdd, range: Bdd) {
        self.focus = Some((space, range));
        self.backward = OnceCell::new();
    }

    fn backward(&self) -> Result<&Backward, Stop> {
        if let Some(backward) = self.backward.get() {
            return Ok(backward);
        }
        let joint = match &self.focus {
            Some((space, _)) => self.joint(space)?,
            None => None,
        };
        let parts = match (&joint, &self.focus) {
            (Some(joint), _) => vec![joint.clone()],
            (None, Some((space, range))) => {
                let after = range.swap(&self.exchange)?;
                let narrowed = self.parts.iter().map(|part| part.restrict(space)?.restrict(&after));
                narrowed.collect::<Result<_, _>>()?
            }
            (None, None) => self.parts.clone(),
        };
        let schedule = Schedule::new(&self.manager, &parts, &self.behind, self.cluster)?;
        Ok(self.backward.get_or_init(|| Backward { schedule, joint }))
    }

    /// How many pairs of a state in focus and a successor there are, if the relation between them is one function.
    pub(crate) fn transition_count(&self) -> Result<Option<UBig>, Stop> {
        let Some(joint) = &self.backward()?.joint else { return Ok(None) };
        // Successors that the constraints allow.
        let pairs = joint.exists(&self.manager.cube(&self.inputs))?;
        let pairs = pairs.and(&self.valid.swap(&self.exchange)?)?;
        let vars: Vec<Var> = self.current.iter().chain(&self.next).copied().collect();
        Ok(Some(pairs.count(&vars)))
    }

    /// The relation from states of the space as one function, unless it is large.
    fn joint(&self, space: &Bdd) -> Result<Option<Bdd>, Stop> {
        let schedule = Schedule::new(&self.manager, &self.parts, &self.hidden, self.cluster)?;
        // Where a single step of this explodes, it is not worth it.
        let limit = self.manager.stats().nodes + JOINT_EFFORT;
        self.manager.set_node_limit(Some(limit.min(self.most_nodes)));
        let joint = schedule.apply_within(space, JOINT);
        self.manager.set_node_limit(Some(self.most_nodes));
        match joint {
            Err(Stop::Nodes(_)) => Ok(None),
            joint => joint,
        }
    }

    /// States reached by one step from the set.
    pub(crate) fn image(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.forward.apply(set)?.swap(&self.exchange)?.and(&self.valid)
    }

    /// States from which one step leads into the set. Only right for states that satisfy the constraints.
    pub(crate) fn preimage(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.backward()?.schedule.apply(&set.swap(&self.exchange)?)
    }

    /// States from which one step that meets the condition leads into the set.
    pub(crate) fn preimage_by(&self, condition: &Condition, set: &Bdd) -> Result<Bdd, Stop> {
        match condition {
            Condition::State(states) => self.preimage(set)?.and(states),
            Condition::Step(steps) => self.backward()?.schedule.apply(&set.swap(&self.exchange)?.and(steps)?),
        }
    }

    /// The set with only this state.
    pub(crate) fn singleton(&self, state: &[bool]) -> Result<Bdd, Stop> {
        let mut literals: Vec<(Var, bool)> =
            self.current.iter().copied().zip(state.iter().copied()).collect();
        let level: FxHashMap<Var, usize> =
            self.manager.order().into_iter().enumerate().map(|(level, var)| (var, level)).collect();
        literals.sort_unstable_by_key(|(var, _)| std::cmp::Reverse(level[var]));
        literals.into_iter().try_fold(self.manager.constant(true), |cube, (var, value)| {
            let literal = self.manager.variable(var);
            cube.and(&if value { literal } else { !literal })
        })
    }

    /// The parts that the relation is kept in, for either direction.
    pub(crate) fn part_counts(&self) -> (usize, usize) {
        (self.forward.part_count(), self.backward.get().map_or(0, |backward| backward.schedule.part_count()))
    }
}
