//! An explicit graph as decision diagrams: numbers of states in binary.
//!
//! Only reachable states get a number, in the order of a breadth-first search: what is close in the graph then has numbers with the same leading bits. Sets of
//! numbers and of pairs of numbers become diagrams by splitting the sorted list at one bit after the other, so that the effort is that of the diagram
//! and not one operation for each edge.

use propcov_bdd::{Bdd, Manager, Stop, Var};
use propcov_ir::{Graph, Label, SearchTree};

/// A graph whose reachable states have numbers.
pub(super) struct Listed<'g> {
    pub(super) graph: &'g Graph,
    /// By number.
    states: Vec<u32>,
    /// By state; `None` if it is not reachable.
    numbers: Vec<Option<u32>>,
}

impl<'g> Listed<'g> {
    pub(super) fn new(graph: &'g Graph) -> Listed<'g> {
        let states = SearchTree::new(graph).order().to_vec();
        let mut numbers = vec![None; graph.state_count()];
        for (number, state) in (0..).zip(&states) {
            numbers[*state as usize] = Some(number);
        }
        Listed { graph, states, numbers }
    }

    /// How many bits a number has; at least one.
    pub(super) fn bits(&self) -> usize {
        let last = (self.states.len() as u32).saturating_sub(1);
        (u32::BITS - last.leading_zeros()).max(1) as usize
    }

    /// The bits of the number of a state, most significant first; `None` if the state is not reachable.
    pub(super) fn code(&self, state: u32) -> Option<Vec<bool>> {
        let number = (*self.numbers.get(state as usize)?)?;
        Some((0..self.bits()).rev().map(|bit| number >> bit & 1 == 1).collect())
    }

    /// All reachable states.
    pub(super) fn states(&self) -> &[u32] {
        &self.states
    }

    /// The set of all reachable states among these, over variables for the bits, most significant first.
    pub(super) fn set(
        &self,
        manager: &Manager,
        vars: &[Var],
        states: impl Iterator<Item = u32>,
    ) -> Result<Bdd, Stop> {
        let number = |state: u32| self.numbers.get(state as usize).copied().flatten();
        let mut numbers: Vec<u64> = states.filter_map(number).map(u64::from).collect();
        numbers.sort_unstable();
        numbers.dedup();
        points(manager, vars, &numbers)
    }

    /// The reachable states with a label.
    pub(super) fn labelled(
        &self,
        manager: &Manager,
        vars: &[Var],
        proposition: u32,
        label: Label,
    ) -> Result<Bdd, Stop> {
        let has = |state: &u32| self.graph.label(*state, proposition) == label;
        self.set(manager, vars, self.states.iter().copied().filter(has))
    }

    /// The transitions between reachable states.
    pub(super) fn transitions(&self, manager: &Manager, from: &[Var], to: &[Var]) -> Result<Bdd, Stop> {
        let number = |state: u32| self.numbers[state as usize].map_or(0, u64::from);
        let edges = self.states.iter().flat_map(|state| {
            let successors = self.graph.successors(*state).iter();
            successors.map(|next| spread(number(*state)) << 1 | spread(number(*next)))
        });
        let mut edges: Vec<u64> = edges.collect();
        edges.sort_unstable();
        let vars: Vec<Var> = from.iter().zip(to).flat_map(|(from, to)| [*from, *to]).collect();
        points(manager, &vars, &edges)
    }
}

/// The bits of a number of 32 bits with gaps between them.
fn spread(number: u64) -> u64 {
    (0..32).fold(0, |spread, bit| spread | (number >> bit & 1) << (2 * bit))
}

/// The set of these numbers, which are sorted and agree in the bits that have no variable.
fn points(manager: &Manager, vars: &[Var], numbers: &[u64]) -> Result<Bdd, Stop> {
    if numbers.is_empty() {
        return Ok(manager.constant(false));
    }
    let Some((var, rest)) = vars.split_first() else { return Ok(manager.constant(true)) };
    if vars.len() < 64 && numbers.len() as u64 == 1 << vars.len() {
        return Ok(manager.constant(true));
    }
    let (without, with) = numbers.split_at(numbers.partition_point(|number| number >> rest.len() & 1 == 0));
    let (then, otherwise) = (points(manager, rest, with)?, points(manager, rest, without)?);
    manager.variable(*var).ite(&then, &otherwise)
}
