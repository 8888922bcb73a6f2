//! Paths through sets of states: shortest ways to a goal, and fair lassos.
//!
//! A lasso that meets fairness conditions is found as in Clarke, Grumberg, McMillan and Zhao, "Efficient generation of counterexamples
//! and witnesses in symbolic model checking" (DAC 1995): visit each condition on a shortest way to the nearest, then try to get
//! back to where the round began. If there is no way back, that round was only a prefix, and the next one begins where it ended, in a
//! component further down.

use crate::ctl::Evaluator;
use crate::fair::Globally;
use crate::model::Condition;
use propcov_bdd::{Bdd, Stop};
use propcov_solve::Bit;

/// A state: a value for each latch.
pub(crate) type State = Vec<bool>;

/// States one after the other, with what has to be true of the inputs between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    pub(crate) states: Vec<State>,
    /// For each state, what the step from it has to meet.
    pub(crate) conditions: Vec<Vec<Bit>>,
    pub(crate) loop_to: Option<usize>,
}

impl Path {
    pub(crate) fn of(state: State) -> Path {
        Path { states: vec![state], conditions: vec![Vec::new()], loop_to: None }
    }

    pub(crate) fn push(&mut self, state: State) {
        self.states.push(state);
        self.conditions.push(Vec::new());
    }

    /// Appends a path that starts where this one ends. Its loop becomes that of the whole.
    pub(crate) fn append(&mut self, rest: Path) {
        let shift = self.states.len() - 1;
        if let Some(first) = rest.conditions.first() {
            self.conditions[shift].extend_from_slice(first);
        }
        self.states.extend(rest.states.into_iter().skip(1));
        self.conditions.extend(rest.conditions.into_iter().skip(1));
        self.loop_to = rest.loop_to.map(|to| to + shift);
    }

    pub(crate) fn last(&self) -> &State {
        &self.states[self.states.len() - 1]
    }
}

impl Evaluator {
    /// The first state of a set: the least one, so that it does not depend on the order of variables.
    pub(crate) fn pick(&self, set: &Bdd) -> Option<State> {
        set.pick(&self.model.current)
    }

    pub(crate) fn contains(&self, set: &Bdd, state: &State) -> bool {
        set.evaluate(&|var| self.model.latch_of.get(&var).is_some_and(|latch| state[*latch]))
    }

    fn successors(&self, state: &State, within: &Bdd) -> Result<Bdd, Stop> {
        self.model.image(&self.model.singleton(state)?)?.and(within)
    }

    /// A shortest path from an initial state to the set, which must be reachable.
    pub(crate) fn way_from_start(&self, goal: &Bdd) -> Result<Option<Path>, Stop> {
        let mut target = None;
        for (depth, ring) in self.reached.rings.iter().enumerate() {
            let here = ring.and(goal)?;
            if let Some(state) = self.pick(&here) {
                target = Some((depth, state));
                break;
            }
        }
        let Some((depth, state)) = target else { return Ok(None) };
        let mut backwards = vec![state];
        for ring in self.reached.rings[..depth].iter().rev() {
            let last = &backwards[backwards.len() - 1];
            let before = self.model.preimage(&self.model.singleton(last)?)?.and(ring)?;
            match self.pick(&before) {
                Some(state) => backwards.push(state),
                None => return Ok(None),
            }
        }
        let mut states = backwards.into_iter().rev();
        let Some(first) = states.next() else { return Ok(None) };
        let mut path = Path::of(first);
        states.for_each(|state| path.push(state));
        Ok(Some(path))
    }

    /// A shortest path from a state through `hold` to `goal`; none if there is none.
    pub(crate) fn way(&self, from: &State, hold: &Bdd, goal: &Bdd) -> Result<Option<Path>, Stop> {
        let mut rings = vec![goal.clone()];
        let mut all = goal.clone();
        while !self.contains(&rings[rings.len() - 1], from) {
            let frontier = &rings[rings.len() - 1];
            let ring = self.fixpoints().before(frontier)?.and(hold)?.minus(&all)?;
            if ring.is_false() {
                return Ok(None);
            }
            all = all.or(&ring)?;
            rings.push(ring);
        }
        let mut path = Path::of(from.clone());
        for ring in rings.iter().rev().skip(1) {
            let next = self.successors(path.last(), ring)?;
            match self.pick(&next) {
                Some(state) => path.push(state),
                None => return Ok(None),
            }
        }
        Ok(Some(path))
    }

    /// A fair lasso from a state, among states where [`Globally`] says there is one. `None` is a bug.
    pub(crate) fn lasso(&self, from: &State, among: &Globally) -> Result<Option<Path>, Stop> {
        let set = &among.recurrent;
        let Some(mut path) = self.way(from, &among.states, set)? else { return Ok(None) };
        loop {
            let start = path.states.len() - 1;
            let goals = self.goals(path.last(), set)?;
            for (condition, bit) in &goals {
                if self.is_met(&path, start, condition) {
                    continue;
                }
                let steps = self.fixpoints().before_by(condition, set)?.and(set)?;
                let Some(way) = self.way(path.last(), set, &steps)? else { return Ok(None) };
                path.append(way);
                if !self.advance(&mut path, set, Some((condition, *bit)))? {
                    return Ok(None);
                }
            }
            if path.states.len() - 1 == start && !self.advance(&mut path, set, None)? {
                return Ok(None);
            }
            // Back to the start: the last state is the start itself, or has a way there.
            let home = self.model.singleton(&path.states[start])?;
            if let Some(way) = self.way(path.last(), set, &home)? {
                path.append(way);
                path.states.pop();
                path.conditions.pop();
                path.loop_to = Some(start);
                return Ok(Some(path));
            }
        }
    }

    /// What a fair path from here has to meet again and again, given that it stays in the set.
    fn goals(&self, state: &State, set: &Bdd) -> Result<Vec<(Condition, Bit)>, Stop> {
        let fairness = &self.model.fairness;
        let mut bits = self.model.fairness_bits.iter().copied();
        let mut goals = Vec::new();
        for condition in &fairness.justice {
            if let Some(bit) = bits.next() {
                goals.push((condition.clone(), bit));
            }
        }
        for (_, then) in &fairness.compassion {
            let Some(bit) = bits.next() else { break };
            // Where the conclusion is out of reach, so is the premise.
            let steps = self.fixpoints().before_by(then, set)?.and(set)?;
            if self.contains(&self.fixpoints().until(set, &steps)?, state) {
                goals.push((then.clone(), bit));
            }
        }
        Ok(goals)
    }

    /// Whether a step after `start` that has a successor on the path meets the condition whatever its inputs.
    fn is_met(&self, path: &Path, start: usize, condition: &Condition) -> bool {
        let Condition::State(states) = condition else { return false };
        (start..path.states.len().saturating_sub(1)).any(|at| self.contains(states, &path.states[at]))
    }

    /// One step within the set, which meets the condition.
    fn advance(&self, path: &mut Path, set: &Bdd, by: Option<(&Condition, Bit)>) -> Result<bool, Stop> {
        let here = self.model.singleton(path.last())?;
        let next = match by {
            Some((Condition::Step(steps), _)) => self.model.image(&here.and(steps)?)?,
            _ => self.model.image(&here)?,
        };
        let Some(state) = self.pick(&next.and(set)?) else { return Ok(false) };
        if let Some((Condition::Step(_), bit)) = by
            && let Some(conditions) = path.conditions.last_mut()
        {
            conditions.push(bit);
        }
        path.push(state);
        Ok(true)
    }
}
