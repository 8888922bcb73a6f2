//! The alternating automaton of a property, for what no finite word shows: liveness.
//!
//! Its states are properties, its transitions what a tick makes of them (`Pool::step`). Some states are *strong*: something has to come, and nobody may stay with
//! them for ever. If no strong state can lead back to itself, the property is a safety property, and its failures all show in finite words.
//!
//! # References
//! S. Miyano, T. Hayashi, *Alternating finite automata on ω-words*, TCS 32, 1984, for what `justice` makes of it.

use super::core::{Pool, PropId};
use super::formula::Formula;
use super::syntax::Atom;
use super::{Problem, limits};
use rustc_hash::FxHashMap;

/// States, by number; the first is the property itself.
#[derive(Clone, Debug)]
pub struct Alternating {
    /// What each becomes by a tick.
    pub(super) steps: Vec<Step>,
    /// Whether nobody may stay with it for ever.
    pub(super) strong: Vec<bool>,
}

/// A positive combination of Booleans at a tick and states after it.
pub(super) type Step = Formula<usize>;

impl Alternating {
    pub(super) fn of(pool: &mut Pool, property: PropId) -> Result<Alternating, Problem> {
        let (mut states, mut ids) = (vec![property], FxHashMap::from_iter([(property, 0)]));
        let (mut steps, mut strong) = (Vec::new(), Vec::new());
        while let Some(state) = states.get(steps.len()).copied() {
            if states.len() > limits::OBLIGATIONS {
                return Err(Problem::States);
            }
            let step = pool.step(state)?.map(&mut |prop: PropId| {
                *ids.entry(prop).or_insert_with(|| {
                    states.push(prop);
                    states.len() - 1
                })
            });
            steps.push(step);
            strong.push(pool.is_strong(state));
        }
        Ok(Alternating { steps, strong })
    }

    /// Whether something has to come without any limit: a strong state can lead back to itself.
    pub fn is_liveness(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// The strong states that can lead back to themselves, in ascending order.
    pub(super) fn waiting(&self) -> Vec<usize> {
        let leads_to = |state: usize| {
            let mut next = Vec::new();
            self.steps[state].states(&mut next);
            next
        };
        let is_circle = |component: &&Vec<usize>| match component.as_slice() {
            [only] => leads_to(*only).contains(only),
            _ => true,
        };
        let components = self.components();
        let circles = components.iter().filter(is_circle).flatten().copied();
        let mut waiting: Vec<usize> = circles.filter(|state| self.strong[*state]).collect();
        waiting.sort_unstable();
        waiting
    }

    /// Of each tick of the word `u v v v …`, whether an attempt that begins there succeeds: the definition, as a fixed point over the places of the word. For tests.
    pub fn attempts(&self, u: &[Vec<bool>], v: &[Vec<bool>]) -> Vec<bool> {
        let places = u.len() + v.len();
        let letter = |place: usize| u.get(place).unwrap_or_else(|| &v[place - u.len()]);
        let next = |place: usize| if place + 1 < places { place + 1 } else { u.len() };
        // Strong states are not met until shown to be, the others are until shown not to be: those that depend on others come after them.
        let mut met = vec![vec![true; self.steps.len()]; places];
        for component in self.components() {
            for state in &component {
                met.iter_mut().for_each(|here| here[*state] = !self.strong[*state]);
            }
            loop {
                let mut has_changed = false;
                for place in 0..places {
                    for state in &component {
                        let after = &met[next(place)];
                        let now = self.steps[*state]
                            .value(&|atom: Atom| letter(place)[atom.0 as usize], &|to| after[*to]);
                        has_changed |= now != met[place][*state];
                        met[place][*state] = now;
                    }
                }
                if !has_changed {
                    break;
                }
            }
        }
        met.iter().map(|here| here[0]).collect()
    }

    /// States that lead to each other, each after those that it leads to (Tarjan's algorithm, with a stack of its own).
    fn components(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let count = self.steps.len();
        let (mut number, mut low) = (vec![UNSEEN; count], vec![UNSEEN; count]);
        let (mut is_open, mut open, mut all) = (vec![false; count], Vec::new(), Vec::new());
        let mut numbered = 0;
        for root in 0..count {
            // States on the way, with those that each has still to lead to.
            let mut way: Vec<(usize, Vec<usize>)> = Vec::new();
            let mut enter = (number[root] == UNSEEN).then_some(root);
            loop {
                if let Some(state) = enter.take() {
                    (number[state], low[state], is_open[state]) = (numbered, numbered, true);
                    numbered += 1;
                    open.push(state);
                    let mut next = Vec::new();
                    self.steps[state].states(&mut next);
                    way.push((state, next));
                }
                let Some((state, next)) = way.last_mut() else { break };
                let state = *state;
                match next.pop() {
                    Some(to) if number[to] == UNSEEN => enter = Some(to),
                    Some(to) if is_open[to] => low[state] = low[state].min(number[to]),
                    Some(_) => {}
                    None => {
                        way.pop();
                        if let Some((before, _)) = way.last() {
                            low[*before] = low[*before].min(low[state]);
                        }
                        if low[state] == number[state] {
                            let mut component = Vec::new();
                            while let Some(one) = open.pop() {
                                is_open[one] = false;
                                component.push(one);
                                if one == state {
                                    break;
                                }
                            }
                            all.push(component);
                        }
                    }
                }
            }
        }
        all
    }
}
