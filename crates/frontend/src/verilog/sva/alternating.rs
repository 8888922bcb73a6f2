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
        (0..self.steps.len()).any(|state| self.strong[state] && self.reaches(state, state))
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let (mut open, mut seen) = (vec![from], vec![false; self.steps.len()]);
        while let Some(state) = open.pop() {
            let mut next = Vec::new();
            self.steps[state].states(&mut next);
            for state in next {
                if state == to {
                    return true;
                }
                if !std::mem::replace(&mut seen[state], true) {
                    open.push(state);
                }
            }
        }
        false
    }

    /// Whether an attempt at each tick of the word `u v v v …` succeeds: the definition, as a fixed point over the places of the word. For tests.
    pub fn holds(&self, u: &[Vec<bool>], v: &[Vec<bool>]) -> bool {
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
        met.iter().all(|here| here[0])
    }

    /// States that lead to each other, each after those that it leads to.
    fn components(&self) -> Vec<Vec<usize>> {
        let count = self.steps.len();
        let reach: Vec<Vec<bool>> =
            (0..count).map(|from| (0..count).map(|to| self.reaches(from, to)).collect()).collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|state| reach[*state].iter().filter(|reached| **reached).count());
        let mut all: Vec<Vec<usize>> = Vec::new();
        for state in order {
            let same = |other: &Vec<usize>| reach[state][other[0]] && reach[other[0]][state];
            match all.iter_mut().find(|other| same(other)) {
                Some(component) => component.push(state),
                None => all.push(vec![state]),
            }
        }
        all
    }
}
