//! From a netlist to the sets and relations of a model.
//!
//! Variables come first, in an order that FORCE finds from what depends on what. Each latch is then a part of the relation, each constraint
//! one or more; an input that only few small parts read is quantified at once.

use super::{Condition, Conditions, Model, Parameters};
use crate::check::Options;
use crate::encode;
use crate::order;
use crate::relation::Schedule;
use propcov_bdd::{Bdd, Cube, Manager, Stop, Var};
use propcov_ir::{ExprId, Fairness, System};
use propcov_solve::{Bit, Init, Netlist};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

/// Inputs are quantified while the relation is built as long as what is left of it has at most this many nodes.
const ELIMINATED: usize = 2000;

/// Which variable stands for which leaf.
pub(super) struct Variables {
    current: Vec<Var>,
    next: Vec<Var>,
    /// Of each leaf of the graph.
    of_leaf: FxHashMap<usize, Var>,
    inputs: Vec<Var>,
    /// Of each bit that steps have nothing to do with.
    parameters: FxHashMap<Bit, Var>,
}

impl Variables {
    /// Gives each leaf a variable, in a first order. The inputs given are parameters. Only so many observed expressions count for the order; parameters
    /// are put beside what further ones compare them with.
    pub(super) fn new(manager: &Manager, netlist: &Netlist, parameters: &[Bit], usual: usize) -> Variables {
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
        let (usual, further) = netlist.observed.split_at(usual);
        let groups = dependencies(netlist, usual.to_vec(), &item_of_leaf, &item_of_latch);
        let is_parameter = |item: &usize| {
            item.checked_sub(declared.len()).is_some_and(|index| parameters.contains(&free[index]))
        };
        let further = further.iter().map(|bit| items(netlist, *bit, &item_of_leaf, None)).collect();
        let count = declared.len() + free.len();
        let placeholder = Var(0);
        let mut variables = Variables {
            current: vec![placeholder; declared.len()],
            next: vec![placeholder; declared.len()],
            of_leaf: FxHashMap::default(),
            inputs: Vec::new(),
            parameters: FxHashMap::default(),
        };
        let mut pairs = Vec::with_capacity(declared.len());
        let order = beside(order::force(count, &groups), further, &is_parameter);
        for item in order {
            match declared.get(item) {
                Some(latch) => {
                    let (now, then) = (manager.add_variable(), manager.add_variable());
                    variables.current[*latch] = now;
                    variables.next[*latch] = then;
                    variables.of_leaf.insert(netlist.latches[*latch].bit.node(), now);
                    pairs.push(vec![now, then]);
                }
                None => {
                    let (var, bit) = (manager.add_variable(), free[item - declared.len()]);
                    variables.of_leaf.insert(bit.node(), var);
                    match parameters.contains(&bit) {
                        true => drop(variables.parameters.insert(bit, var)),
                        false => variables.inputs.push(var),
                    }
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
    observed: Vec<Bit>,
    item_of_leaf: &FxHashMap<usize, usize>,
    item_of_latch: &[usize],
) -> Vec<Vec<usize>> {
    let items = |bit: Bit, own: Option<usize>| items(netlist, bit, item_of_leaf, own);
    let latches = netlist.latches.iter().enumerate();
    let latches = latches.map(|(at, latch)| items(latch.next, Some(item_of_latch[at])));
    let constraints = netlist.constraints.iter().chain(&netlist.initial).chain(&netlist.transitions);
    let constraints = constraints.flat_map(|bit| encode::conjuncts(&netlist.aig, *bit));
    let others: Vec<Bit> = constraints.chain(observed).collect();
    latches.chain(others.into_iter().map(|bit| items(bit, None))).collect()
}

/// The items that a function depends on, and one more.
fn items(
    netlist: &Netlist,
    bit: Bit,
    item_of_leaf: &FxHashMap<usize, usize>,
    own: Option<usize>,
) -> Vec<usize> {
    let leaves = encode::leaves(&netlist.aig, bit).into_iter();
    let mut items: Vec<usize> =
        leaves.filter_map(|leaf| item_of_leaf.get(&leaf).copied()).chain(own).collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// The order with each parameter moved behind what it is compared with. In the smallest group of items that has a parameter, the bits of a signal and its
/// other value are as many, and both are in the order of their significance, in opposite directions.
fn beside(
    order: Vec<usize>,
    mut groups: Vec<Vec<usize>>,
    is_parameter: &dyn Fn(&usize) -> bool,
) -> Vec<usize> {
    groups.sort_by_key(Vec::len);
    let mut behind: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut placed: FxHashSet<usize> = FxHashSet::default();
    for group in &groups {
        let (parameters, others): (Vec<usize>, Vec<usize>) = group.iter().copied().partition(is_parameter);
        for (at, parameter) in parameters.iter().rev().enumerate() {
            if let Some(other) = others.get(at * others.len() / parameters.len())
                && placed.insert(*parameter)
            {
                behind.entry(*other).or_default().push(*parameter);
            }
        }
    }
    let own = |item: usize| std::iter::once(item).chain(behind.get(&item).into_iter().flatten().copied());
    order.into_iter().filter(|item| !placed.contains(item)).flat_map(own).collect()
}

/// Makes the sets and relations of a model.
pub(super) struct Builder<'a> {
    pub(super) manager: &'a Manager,
    pub(super) netlist: &'a Arc<Netlist>,
    pub(super) variables: &'a Variables,
    pub(super) options: &'a Options,
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

    /// The model, in which the first of the observed expressions are atoms, then come fairness conditions, and then more atoms.
    pub(super) fn build(&self, system: &System, atoms: &[ExprId], more: &[ExprId]) -> Result<Model, Stop> {
        let (netlist, variables) = (self.netlist, self.variables);
        // What is asked besides must not burden what is checked.
        let (observed_bits, later) = netlist.observed.split_at(netlist.observed.len() - more.len());
        let observed = self.functions(observed_bits)?;
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

        let parameters: FxHashSet<Var> = variables.parameters.values().copied().collect();
        let is_parameter = |var: &Var| parameters.contains(var);
        let (of_parameters, constraints): (Vec<Bdd>, Vec<Bdd>) = self
            .conjuncts(&netlist.constraints)?
            .into_iter()
            .partition(|part| part.support().iter().any(is_parameter));
        let mut domain = self.manager.constant(true);
        for values in &of_parameters {
            domain = domain.and(values)?;
        }
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
            parameters: Parameters { of_bit: variables.parameters.clone(), domain },
            latch_of: variables.current.iter().enumerate().map(|(latch, var)| (*var, latch)).collect(),
            exchange: self.manager.swap(&pairs),
            valid,
            initial,
            parts,
            forward,
            backward: OnceCell::new(),
            focus: None,
            behind,
            mirrors: Vec::new(),
            flag: None,
            pairs: OnceCell::new(),
            hidden: variables.inputs.iter().copied().filter(|input| !kept.contains(input)).collect(),
            cluster: self.options.cluster,
            most_nodes: self.options.most_nodes,
            fairness,
            fairness_bits: justice_bits,
            later_atoms: more.iter().copied().zip(later.iter().copied()).collect(),
            of_leaf: variables.of_leaf.clone(),
            atoms: (atoms.iter().zip(atom_sets))
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
