//! Which variable to decide next: the one with the highest activity (VSIDS, Moskewicz et al., DAC 2001, with the decaying
//! increment of MiniSat), from a binary heap that holds variables of the current domain only.
//!
//! The heap is filled when a query needs its first decision, which most queries of IC3 never do: their assumptions lead
//! straight to a conflict.

use crate::Var;

const ABSENT: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const RESCALE_ABOVE: f64 = 1e100;

/// Activities of all variables and a heap over some of them.
#[derive(Clone, Debug)]
pub(super) struct Order {
    heap: Vec<Var>,
    position: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Order {
    pub(super) fn new() -> Order {
        Order { heap: Vec::new(), position: Vec::new(), activity: Vec::new(), increment: 1.0 }
    }

    pub(super) fn add_variable(&mut self) {
        self.position.push(ABSENT);
        self.activity.push(0.0);
    }

    /// Overwrites the activity of a variable that is not in the heap.
    pub(super) fn set_activity(&mut self, var: Var, activity: f64) {
        self.activity[var.index()] = activity;
    }

    /// Makes the variable more important.
    pub(super) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > RESCALE_ABOVE {
            for activity in &mut self.activity {
                *activity /= RESCALE_ABOVE;
            }
            self.increment /= RESCALE_ABOVE;
        }
        let position = self.position[var.index()];
        if position != ABSENT {
            self.rise(position as usize);
        }
    }

    /// Makes all earlier bumps less important.
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    /// Replaces the contents of the heap.
    pub(super) fn fill(&mut self, variables: impl Iterator<Item = Var>) {
        self.clear();
        for var in variables {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
        }
        for position in (0..self.heap.len() / 2).rev() {
            self.sink(position);
        }
    }

    /// Empties the heap.
    pub(super) fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.position[var.index()] = ABSENT;
        }
    }

    /// Adds a variable if it is missing.
    pub(super) fn insert(&mut self, var: Var) {
        if self.position[var.index()] == ABSENT {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes out the most active variable.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let last = self.heap.pop()?;
        self.position[last.index()] = ABSENT;
        let Some(top) = self.heap.first_mut() else {
            return Some(last);
        };
        let best = std::mem::replace(top, last);
        self.position[best.index()] = ABSENT;
        self.position[last.index()] = 0;
        self.sink(0);
        Some(best)
    }

    fn rise(&mut self, mut position: usize) {
        let var = self.heap[position];
        let activity = self.activity[var.index()];
        while position > 0 {
            let parent = (position - 1) / 2;
            let above = self.heap[parent];
            if self.activity[above.index()] >= activity {
                break;
            }
            self.heap[position] = above;
            self.position[above.index()] = position as u32;
            position = parent;
        }
        self.heap[position] = var;
        self.position[var.index()] = position as u32;
    }

    fn sink(&mut self, mut position: usize) {
        let var = self.heap[position];
        let activity = self.activity[var.index()];
        loop {
            let left = 2 * position + 1;
            let Some(&left_var) = self.heap.get(left) else { break };
            let (mut child, mut child_var) = (left, left_var);
            if let Some(&right_var) = self.heap.get(left + 1)
                && self.activity[right_var.index()] > self.activity[left_var.index()]
            {
                (child, child_var) = (left + 1, right_var);
            }
            if self.activity[child_var.index()] <= activity {
                break;
            }
            self.heap[position] = child_var;
            self.position[child_var.index()] = position as u32;
            position = child;
        }
        self.heap[position] = var;
        self.position[var.index()] = position as u32;
    }
}
