//! A system as sets and relations of states.
//!
//! Each bit of a state has two variables, for now and for the next step, which stay neighbours in every order. Inputs have one; those
//! that no fairness condition speaks of are quantified as early as possible, most of them while the relation is built. A state
//! that the system lets take any value needs no input for it: the choice is the next variable itself.

mod build;

use crate::check::Options;
use crate::ctl::Failure;
use crate::encode;
use crate::relation::Schedule;
use build::{Builder, Variables};
use dashu_int::UBig;
use propcov_bdd::{Bdd, Manager, Stop, Swap, Var};
use propcov_budget::Budget;
use propcov_ir::{Edits, ExprId, Fairness, SignalId, System};
use propcov_solve::{Bit, Contents, Netlist, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
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
    Unsupported(Unsupported),
    /// The budget was used up.
    #[error("{0}")]
    Stop(#[from] Stop),
}

impl From<Unsupported> for ModelError {
    fn from(error: Unsupported) -> ModelError {
        ModelError::Stop(match error {
            Unsupported::Stopped(propcov_budget::Stop::Timeout) => Stop::Timeout,
            Unsupported::Stopped(propcov_budget::Stop::Memory) => Stop::Memory,
            Unsupported::Stopped(propcov_budget::Stop::Cancelled) => Stop::Cancelled,
            other => return ModelError::Unsupported(other),
        })
    }
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

impl Conditions {
    /// Whether fixpoints are known for these conditions: the premise of a compassion constraint must not read inputs.
    pub(crate) fn has_meaning(&self) -> Result<(), Failure> {
        if self.compassion.iter().any(|(often, _)| matches!(often, Condition::Step(_))) {
            return Err(Failure::Inputs("the premise of a compassion constraint reads inputs".to_owned()));
        }
        Ok(())
    }
}

/// The relation for backward steps.
struct Backward {
    schedule: Schedule,
    /// The whole relation from states in focus, where that is small.
    joint: Option<Bdd>,
}

/// What a model is asked about, besides its states and steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subject<'a> {
    /// Expressions whose sets of states are wanted. Those of the CTL properties are included anyway.
    pub atoms: &'a [ExprId],
    /// Inputs that only these expressions read. They are no part of any step: a set of states may depend on them.
    pub parameters: &'a [SignalId],
}

/// Variables for one more state.
#[derive(Clone)]
pub(crate) struct Mirror {
    /// By position among the latches.
    pub(crate) variables: Vec<Var>,
    /// From a set of states to the same set over these variables, and back.
    pub(crate) from_current: Swap,
    /// From a set over next variables.
    pub(crate) from_next: Swap,
}

/// Variables that steps have nothing to do with.
pub(crate) struct Parameters {
    pub(crate) of_bit: FxHashMap<Bit, Var>,
    /// Which of their values mean something.
    pub(crate) domain: Bdd,
}

/// The transition system as decision diagrams.
pub struct Model {
    pub(crate) manager: Manager,
    pub(crate) netlist: Arc<Netlist>,
    /// By position among the latches.
    pub(crate) current: Vec<Var>,
    pub(crate) next: Vec<Var>,
    inputs: Vec<Var>,
    pub(crate) parameters: Parameters,
    /// More copies of the current variables, each by position among the latches.
    mirrors: Vec<Mirror>,
    /// One more variable, for those who need a bit besides states.
    flag: Option<Var>,
    /// The relation between states in focus and their successors, once somebody has asked for it.
    pairs: OnceCell<Option<Bdd>>,
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
    /// Atoms that nobody has asked for yet.
    later_atoms: FxHashMap<ExprId, Bit>,
    /// The variable of each leaf of the netlist.
    of_leaf: FxHashMap<usize, Var>,
}

impl Model {
    /// The model of a system, in which atoms and what the subject names can be asked for.
    pub(crate) fn new(
        system: &System,
        edits: &Edits,
        atoms: &[ExprId],
        subject: Subject<'_>,
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
        // What else is asked comes last: the model is the same whether it is asked or not.
        let usual = observed.len();
        observed.extend(subject.atoms);
        let contents = Contents {
            observed: &observed,
            all_states: options.all_states,
            budget: Some(&budget),
            ..Contents::default()
        };
        let netlist = Arc::new(Netlist::with_contents(system, edits, contents)?);
        let manager = Manager::new();
        manager.set_budget(budget);
        manager.set_node_limit(Some(options.most_nodes));
        manager.set_automatic_reordering(options.reorder_at.is_some());
        manager.set_smallest_reordering(options.reorder_at.unwrap_or(usize::MAX));
        let parameters = netlist.input_bits(subject.parameters);
        let variables = Variables::new(&manager, &netlist, &parameters, usual);
        let builder = Builder { manager: &manager, netlist: &netlist, variables: &variables, options };
        Ok(builder.build(system, atoms, subject.atoms)?)
    }

    /// The states that satisfy an expression that was announced; `None` if it reads inputs.
    pub(crate) fn atom(&mut self, expr: ExprId) -> Result<Option<Bdd>, Stop> {
        if let Some(known) = self.atoms.get(&expr) {
            return Ok(known.clone());
        }
        let Some(bit) = self.later_atoms.get(&expr) else { return Ok(None) };
        let leaf = |node: usize| self.manager.variable(self.of_leaf[&node]);
        let sets = encode::functions(&self.manager, &self.netlist.aig, &[*bit], &leaf)?;
        let reads_inputs = |set: &Bdd| set.support().iter().any(|var| self.inputs.contains(var));
        let set = sets.into_iter().next().filter(|set| !reads_inputs(set));
        self.atoms.insert(expr, set.clone());
        Ok(set)
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
        let parts = match &joint {
            Some(joint) => vec![joint.clone()],
            None => self.parts_in_focus()?,
        };
        let schedule = Schedule::new(&self.manager, &parts, &self.behind, self.cluster)?;
        Ok(self.backward.get_or_init(|| Backward { schedule, joint }))
    }

    /// The parts of the relation, which need to be right from states in focus only.
    fn parts_in_focus(&self) -> Result<Vec<Bdd>, Stop> {
        let Some((space, range)) = &self.focus else { return Ok(self.parts.clone()) };
        let after = range.swap(&self.exchange)?;
        self.parts.iter().map(|part| part.restrict(space)?.restrict(&after)).collect()
    }

    /// The pairs of a state in focus and a successor, over current and next variables, if that relation can be one function.
    pub(crate) fn pairs(&self) -> Result<Option<&Bdd>, Stop> {
        if self.pairs.get().is_none() {
            let pairs = match &self.backward()?.joint {
                // Successors that the constraints allow.
                Some(joint) => {
                    let pairs = joint.exists(&self.manager.cube(&self.inputs))?;
                    Some(pairs.and(&self.valid.swap(&self.exchange)?)?)
                }
                None => None,
            };
            return Ok(self.pairs.get_or_init(|| pairs).as_ref());
        }
        Ok(self.pairs.get().and_then(Option::as_ref))
    }

    /// The steps from states in focus as a conjunction of functions over current, next and input variables: a single one if it is not larger than
    /// that. Where they lead to a state that the constraints do not allow, they may be wrong.
    pub(crate) fn relation(&self, largest: usize) -> Result<Vec<Bdd>, Stop> {
        match self.pairs()? {
            Some(pairs) if pairs.node_count() <= largest => Ok(vec![pairs.clone()]),
            _ => self.parts_in_focus(),
        }
    }

    /// The variables of inputs.
    pub(crate) fn inputs(&self) -> &[Var] {
        &self.inputs
    }

    /// How many pairs of a state in focus and a successor there are, if the relation between them is one function.
    pub(crate) fn transition_count(&self) -> Result<Option<UBig>, Stop> {
        Ok(self.pairs()?.map(|pairs| self.count_pairs(pairs)))
    }

    /// The size of a set of pairs of states.
    pub(crate) fn count_pairs(&self, pairs: &Bdd) -> UBig {
        let vars: Vec<Var> = self.current.iter().chain(&self.next).copied().collect();
        pairs.count(&vars)
    }

    /// The set over next instead of current variables, or the other way round.
    pub(crate) fn exchanged(&self, set: &Bdd) -> Result<Bdd, Stop> {
        set.swap(&self.exchange)
    }

    /// Copies of the current variables with a number. Each is next to the variable that it is a copy of, in all orders.
    pub(crate) fn mirror(&mut self, number: usize) -> &Mirror {
        while self.mirrors.len() <= number {
            let added: Vec<Var> = self.current.iter().map(|_| self.manager.add_variable()).collect();
            let group = |latch: usize| -> Vec<Var> {
                let copies = self.mirrors.iter().map(|mirror| mirror.variables[latch]);
                let own = [self.current[latch], self.next[latch]].into_iter();
                own.chain(copies).chain([added[latch]]).collect()
            };
            let groups: Vec<Vec<Var>> = (0..self.current.len()).map(group).collect();
            let old: FxHashSet<Var> = groups.iter().flat_map(|group| group[1..].iter().copied()).collect();
            let order = self.manager.order().into_iter().filter(|var| !old.contains(var));
            let order: Vec<Var> = order
                .flat_map(|var| match self.latch_of.get(&var) {
                    Some(latch) => groups[*latch].clone(),
                    None => vec![var],
                })
                .collect();
            self.manager.set_order(&order);
            self.manager.set_groups(groups);
            let with =
                |own: &[Var]| -> Vec<(Var, Var)> { own.iter().copied().zip(added.iter().copied()).collect() };
            self.mirrors.push(Mirror {
                from_current: self.manager.swap(&with(&self.current)),
                from_next: self.manager.swap(&with(&self.next)),
                variables: added,
            });
        }
        &self.mirrors[number]
    }

    /// A variable that no state has.
    pub(crate) fn flag(&mut self) -> Var {
        *self.flag.get_or_insert_with(|| self.manager.add_variable())
    }

    /// Where the current state is the one of a mirror.
    pub(crate) fn is_mirrored(&self, mirror: &Mirror) -> Result<Bdd, Stop> {
        let level: FxHashMap<Var, usize> =
            self.manager.order().into_iter().enumerate().map(|(level, var)| (var, level)).collect();
        let mut pairs: Vec<(Var, Var)> =
            self.current.iter().copied().zip(mirror.variables.iter().copied()).collect();
        pairs.sort_unstable_by_key(|(own, _)| std::cmp::Reverse(level[own]));
        pairs.into_iter().try_fold(self.manager.constant(true), |same, (own, copy)| {
            same.and(&self.manager.variable(own).iff(&self.manager.variable(copy))?)
        })
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

    /// States reached by one step from a set in focus.
    pub(crate) fn image_in_focus(&self, set: &Bdd) -> Result<Bdd, Stop> {
        match self.pairs()? {
            Some(pairs) => pairs.and_exists(set, &self.manager.cube(&self.current))?.swap(&self.exchange),
            None => self.image(set),
        }
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
