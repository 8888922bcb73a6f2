//! Which variable to decide next: the one with the highest activity (VSIDS, Moskewicz et al., DAC 2001, with the decaying
//! increment of MiniSat), among the variables of the current domain.
//!
//! It is filled when a query needs its first decision, which many queries of IC3 never do: their assumptions lead straight
//! to a conflict. And only variables that a recent conflict bumped go into the heap; the others, the great majority, wait in
//! a stack without order. With all of them in the heap, a third of the time went into keeping it.

use crate::Var;

const ABSENT: u32 = u32::MAX;
const STACKED: u32 = u32::MAX - 1;
const DECAY: f64 = 0.95;
/// Activity, in current increments, below which a variable is not worth a place in the heap: a bump 90 conflicts ago.
const HEAP_THRESHOLD: f64 = 0.01;
const RESCALE_ABOVE: f64 = 1e100;

/// Activities of all variables, and those of the domain that may be open.
#[derive(Clone, Debug)]
pub(super) struct Order {
    heap: Vec<Var>,
    /// Variables of low activity, which are next when the heap is empty.
    stack: Vec<Var>,
    /// Position in the heap, by variable; or [`ABSENT`] or [`STACKED`].
    position: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Order {
    pub(super) fn new() -> Order {
        Order {
            heap: Vec::new(),
            stack: Vec::new(),
            position: Vec::new(),
            activity: Vec::new(),
            increment: 1.0,
        }
    }

    pub(super) fn add_variable(&mut self) {
        self.position.push(ABSENT);
        self.activity.push(0.0);
    }

    /// Overwrites the activity of a variable that is absent.
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
        if position < STACKED {
            self.rise(position as usize);
        }
    }

    /// Makes all earlier bumps less important.
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    /// Takes in these variables, all absent so far.
    pub(super) fn fill(&mut self, variables: impl Iterator<Item = Var>) {
        debug_assert!(self.heap.is_empty() && self.stack.is_empty());
        for var in variables {
            if self.is_active(var) {
                self.position[var.index()] = self.heap.len() as u32;
                self.heap.push(var);
            } else {
                self.position[var.index()] = STACKED;
                self.stack.push(var);
            }
        }
        for position in (0..self.heap.len() / 2).rev() {
            self.sink(position);
        }
    }

    /// Forgets all variables.
    pub(super) fn clear(&mut self) {
        for var in self.heap.drain(..).chain(self.stack.drain(..)) {
            self.position[var.index()] = ABSENT;
        }
    }

    /// Takes in a variable if it is absent.
    pub(super) fn insert(&mut self, var: Var) {
        if self.position[var.index()] != ABSENT {
            return;
        }
        if self.is_active(var) {
            self.heap.push(var);
            self.rise(self.heap.len() - 1);
        } else {
            self.position[var.index()] = STACKED;
            self.stack.push(var);
        }
    }

    /// Takes out the most active variable.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let Some(last) = self.heap.pop() else {
            let var = self.stack.pop()?;
            self.position[var.index()] = ABSENT;
            return Some(var);
        };
        self.position[last.index()] = ABSENT;
        let Some(top) = self.heap.first_mut() else {
            return Some(last);
        };
        let best = std::mem::replace(top, last);
        self.position[best.index()] = ABSENT;
        self.sink(0);
        Some(best)
    }

    fn is_active(&self, var: Var) -> bool {
        self.activity[var.index()] >= HEAP_THRESHOLD * self.increment
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
