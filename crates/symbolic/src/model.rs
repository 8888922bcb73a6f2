//! A system as sets and relations of states.
//!
//! Each bit of a state has two variables, for now and for the next step, which stay neighbours in every order. Inputs have one; those
//! that no fairness condition speaks of are quantified as early as possible, most of them while the relation is built. A state
//! that the system lets take any value needs no input for it: the choice is the next variable itself.

use crate::bdd::{Bdd, Cube, Manager, Stop, Swap, Var};
use crate::check::Options;
use crate::encode;
use crate::order;
use crate::relation::Schedule;
use dashu_int::UBig;
use propcov_ir::{Edits, ExprId, Fairness, System};
use propcov_sat::Budget;
use propcov_solve::{Bit, Contents, Init, Netlist, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

/// Inputs are quantified while the relation is built as long as what is left of it has at most this many nodes.
const ELIMINATED: usize = 2000;

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

/// Which variable stands for which leaf.
struct Variables {
    current: Vec<Var>,
    next: Vec<Var>,
    /// Of each leaf of the graph.
    of_leaf: FxHashMap<usize, Var>,
    inputs: Vec<Var>,
}

impl Variables {
    fn new(manager: &Manager, netlist: &Netlist) -> Variables {
        let choices = netlist.choices();
        // One item for each latch, in the order of declaration, then one for each input.
        let mut declared: Vec<usize> = (0..netlist.latches.len()).collect();
        declared.sort_by_key(|latch| {
            let origin = netlist.latches[*latch].origin;
            (origin.state, std::cmp::Reverse(origin.index))
        });
        let mut item_of_leaf: FxHashMap<usize, usize> = FxHashMap::default();
        let mut item_of_latch = vec![0; netlist.latches.len()];
        for (item, latch) in declared.iter().enumerate() {
            item_of_latch[*latch] = item;
            item_of_leaf.insert(netlist.latches[*latch].bit.node(), item);
        }
        let free: Vec<Bit> =
            netlist.inputs.iter().copied().filter(|input| !choices.contains_key(input)).collect();
        for (index, input) in free.iter().enumerate() {
            item_of_leaf.insert(input.node(), declared.len() + index);
        }
        for (choice, latch) in &choices {
            item_of_leaf.insert(choice.node(), item_of_latch[*latch]);
        }
        let groups = dependencies(netlist, &item_of_leaf, &item_of_latch);
        let count = declared.len() + free.len();
        let placeholder = Var(0);
        let mut variables = Variables {
            current: vec![placeholder; declared.len()],
            next: vec![placeholder; declared.len()],
            of_leaf: FxHashMap::default(),
            inputs: Vec::new(),
        };
        let mut pairs = Vec::with_capacity(declared.len());
        for item in order::force(count, &groups) {
            match declared.get(item) {
                Some(latch) => {
                    let (now, then) = (manager.add_variable(), manager.add_variable());
                    variables.current[*latch] = now;
                    variables.next[*latch] = then;
                    variables.of_leaf.insert(netlist.latches[*latch].bit.node(), now);
                    pairs.push(vec![now, then]);
                }
                None => {
                    let var = manager.add_variable();
                    variables.of_leaf.insert(free[item - declared.len()].node(), var);
                    variables.inputs.push(var);
                }
            }
        }
        for (choice, latch) in &choices {
            variables.of_leaf.insert(choice.node(), variables.next[*latch]);
        }
        manager.set_groups(pairs);
        variables
    }
}

/// Which items each function of the netlist depends on.
fn dependencies(
    netlist: &Netlist,
    item_of_leaf: &FxHashMap<usize, usize>,
    item_of_latch: &[usize],
) -> Vec<Vec<usize>> {
    let items = |bit: Bit, own: Option<usize>| {
        let leaves = encode::leaves(&netlist.aig, bit).into_iter();
        let mut items: Vec<usize> =
            leaves.filter_map(|leaf| item_of_leaf.get(&leaf).copied()).chain(own).collect();
        items.sort_unstable();
        items.dedup();
        items
    };
    let latches = netlist.latches.iter().enumerate();
    let latches = latches.map(|(at, latch)| items(latch.next, Some(item_of_latch[at])));
    let constraints = netlist.constraints.iter().chain(&netlist.initial).chain(&netlist.transitions);
    let constraints = constraints.flat_map(|bit| encode::conjuncts(&netlist.aig, *bit));
    let others: Vec<Bit> = constraints.chain(netlist.observed.iter().copied()).collect();
    latches.chain(others.into_iter().map(|bit| items(bit, None))).collect()
}

struct Builder<'a> {
    manager: &'a Manager,
    netlist: &'a Arc<Netlist>,
    variables: &'a Variables,
    options: &'a Options,
}

impl Builder<'_> {
    fn functions(&self, bits: &[Bit]) -> Result<Vec<Bdd>, Stop> {
        let leaf = |node: usize| self.manager.variable(self.variables.of_leaf[&node]);
        encode::functions(self.manager, &self.netlist.aig, bits, &leaf)
    }

    /// The functions of all conjuncts of the bits.
    fn conjuncts(&self, bits: &[Bit]) -> Result<Vec<Bdd>, Stop> {
        let mut conjuncts: Vec<Bit> =
            bits.iter().flat_map(|bit| encode::conjuncts(&self.netlist.aig, *bit)).collect();
        let mut seen = FxHashSet::default();
        conjuncts.retain(|bit| seen.insert(*bit));
        self.functions(&conjuncts)
    }

    fn build(&self, system: &System, atoms: &[ExprId]) -> Result<Model, Stop> {
        let (netlist, variables) = (self.netlist, self.variables);
        let observed = self.functions(&netlist.observed)?;
        let (atom_sets, fair_sets) = observed.split_at(atoms.len());
        let inputs: FxHashSet<Var> = variables.inputs.iter().copied().collect();
        let reads_inputs = |set: &Bdd| set.support().iter().any(|var| inputs.contains(var));
        let condition = |set: &Bdd| match reads_inputs(set) {
            true => Condition::Step(set.clone()),
            false => Condition::State(set.clone()),
        };
        let mut fairness = Conditions::default();
        let (mut justice_bits, mut compassion_bits) = (Vec::new(), Vec::new());
        let mut at = 0;
        for kind in &system.fairness {
            match kind {
                Fairness::Justice(_) => {
                    fairness.justice.push(condition(&fair_sets[at]));
                    justice_bits.push(netlist.observed[atoms.len() + at]);
                    at += 1;
                }
                Fairness::Compassion(..) => {
                    fairness.compassion.push((condition(&fair_sets[at]), condition(&fair_sets[at + 1])));
                    compassion_bits.push(netlist.observed[atoms.len() + at + 1]);
                    at += 2;
                }
            }
        }
        justice_bits.extend(compassion_bits);
        let kept: FxHashSet<Var> =
            fair_sets.iter().flat_map(Bdd::support).filter(|var| inputs.contains(var)).collect();

        let constraints = self.conjuncts(&netlist.constraints)?;
        let (of_steps, of_states): (Vec<Bdd>, Vec<Bdd>) = constraints.into_iter().partition(reads_inputs);
        let mut valid = Schedule::new(self.manager, &of_steps, &variables.inputs, self.options.cluster)?
            .apply(&self.manager.constant(true))?;
        for states in &of_states {
            valid = valid.and(states)?;
        }
        let initial = self.initial(&of_steps)?.and(&valid)?;

        let mut parts = self.next_functions()?;
        parts.extend(self.conjuncts(&netlist.transitions)?);
        parts.extend(of_steps);
        let parts = self.eliminate(parts, &kept)?;
        let with_inputs =
            |states: &[Var]| -> Vec<Var> { states.iter().chain(&variables.inputs).copied().collect() };
        let forward =
            Schedule::new(self.manager, &parts, &with_inputs(&variables.current), self.options.cluster)?;
        let behind = with_inputs(&variables.next);
        let pairs: Vec<(Var, Var)> =
            variables.current.iter().copied().zip(variables.next.iter().copied()).collect();
        Ok(Model {
            manager: self.manager.clone(),
            netlist: Arc::clone(netlist),
            current: variables.current.clone(),
            next: variables.next.clone(),
            inputs: variables.inputs.clone(),
            latch_of: variables.current.iter().enumerate().map(|(latch, var)| (*var, latch)).collect(),
            exchange: self.manager.swap(&pairs),
            valid,
            initial,
            parts,
            forward,
            backward: OnceCell::new(),
            focus: None,
            behind,
            hidden: variables.inputs.iter().copied().filter(|input| !kept.contains(input)).collect(),
            cluster: self.options.cluster,
            most_nodes: self.options.most_nodes,
            fairness,
            fairness_bits: justice_bits,
            atoms: atoms
                .iter()
                .zip(atom_sets)
                .map(|(expr, set)| (*expr, (!reads_inputs(set)).then(|| set.clone())))
                .collect(),
        })
    }

    /// One part for each latch whose next value is a function.
    fn next_functions(&self) -> Result<Vec<Bdd>, Stop> {
        let choices = self.netlist.choices();
        let latches = self.netlist.latches.iter().enumerate();
        let (at, bits): (Vec<usize>, Vec<Bit>) = latches
            .filter(|(at, latch)| choices.get(&latch.next) != Some(at))
            .map(|(at, latch)| (at, latch.next))
            .unzip();
        let functions = self.functions(&bits)?;
        at.into_iter()
            .zip(functions)
            .map(|(at, function)| self.manager.variable(self.variables.next[at]).iff(&function))
            .collect()
    }

    /// The initial states, whether or not they satisfy the constraints on states.
    fn initial(&self, of_steps: &[Bdd]) -> Result<Bdd, Stop> {
        let mut parts = self.conjuncts(&self.netlist.initial)?;
        parts.extend_from_slice(of_steps);
        let mut fixed = self.manager.constant(true);
        let mut latches: Vec<(Var, bool)> = (self.netlist.latches.iter().zip(&self.variables.current))
            .filter_map(|(latch, var)| match latch.init {
                Init::Const(value) => Some((*var, value)),
                Init::Free => None,
            })
            .collect();
        latches.sort_unstable_by_key(|(var, _)| std::cmp::Reverse(*var));
        for (var, value) in latches {
            let literal = self.manager.variable(var);
            fixed = fixed.and(&if value { literal } else { !literal })?;
        }
        Schedule::new(self.manager, &parts, &self.variables.inputs, self.options.cluster)?.apply(&fixed)
    }

    /// Conjoins all parts that read an input, and quantifies it, where that is cheap.
    fn eliminate(&self, parts: Vec<Bdd>, kept: &FxHashSet<Var>) -> Result<Vec<Bdd>, Stop> {
        let mut parts: Vec<Option<(Bdd, Vec<Var>)>> = (parts.into_iter())
            .filter(|part| !part.is_true())
            .map(|part| {
                let support = part.support();
                Some((part, support))
            })
            .collect();
        let mut users: FxHashMap<Var, Vec<usize>> = FxHashMap::default();
        for (index, part) in parts.iter().enumerate() {
            for var in part.iter().flat_map(|(_, support)| support) {
                users.entry(*var).or_default().push(index);
            }
        }
        let mut inputs: Vec<Var> =
            (self.variables.inputs.iter().copied()).filter(|var| !kept.contains(var)).collect();
        inputs.sort_by_key(|var| users.get(var).map_or(0, Vec::len));
        for input in inputs {
            let mut readers: Vec<usize> = users.get(&input).cloned().unwrap_or_default();
            readers.retain(|reader| {
                parts[*reader].as_ref().is_some_and(|(_, support)| support.contains(&input))
            });
            if readers.is_empty() {
                continue;
            }
            if let Some(rest) = self.without(&parts, &readers, input)? {
                readers.iter().for_each(|reader| parts[*reader] = None);
                let support = rest.support();
                for var in &support {
                    users.entry(*var).or_default().push(parts.len());
                }
                parts.push(Some((rest, support)));
            }
        }
        Ok(parts.into_iter().flatten().map(|(part, _)| part).filter(|part| !part.is_true()).collect())
    }

    /// The conjunction of some parts without an input, if it is small.
    fn without(
        &self,
        parts: &[Option<(Bdd, Vec<Var>)>],
        readers: &[usize],
        input: Var,
    ) -> Result<Option<Bdd>, Stop> {
        let cube: Cube = self.manager.cube(&[input]);
        let mut product = self.manager.constant(true);
        for (index, reader) in readers.iter().enumerate() {
            let Some((part, _)) = &parts[*reader] else { continue };
            product = match index + 1 == readers.len() {
                true => product.and_exists(part, &cube)?,
                false => product.and(part)?,
            };
            if product.node_count() > ELIMINATED && readers.len() > 1 {
                return Ok(None);
            }
        }
        Ok(Some(product))
    }
}
