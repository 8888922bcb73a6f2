//! Which variable to decide next: the one with the highest activity (VSIDS, Moskewicz et al., DAC 2001, with the growing increment of MiniSat).
//!
//! Only variables that a recent conflict bumped go into the heap; the others, most of them, wait in a stack without order. Tried and
//! dropped: having all atoms wait behind the Booleans (twice the conflicts on unrolled counters).

use propcov_sat::Var;

const ABSENT: u32 = u32::MAX;
const STACKED: u32 = u32::MAX - 1;
const DECAY: f64 = 0.95;
/// Activity, in current increments, below which a variable is not worth a place in the heap: a bump 90 conflicts ago.
const HEAP_THRESHOLD: f64 = 0.01;
const RESCALE_ABOVE: f64 = 1e100;

/// Activities of all variables, and those that may be open.
#[derive(Debug)]
pub(crate) struct Order {
    heap: Vec<Var>,
    /// Variables of low activity, which are next when the heap is empty. Some are stale: their position says so.
    stack: Vec<Var>,
    /// Position in the heap, by variable; or [`ABSENT`] or [`STACKED`].
    position: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Default for Order {
    fn default() -> Order {
        Order {
            heap: Vec::new(),
            stack: Vec::new(),
            position: Vec::new(),
            activity: Vec::new(),
            increment: 1.0,
        }
    }
}

impl Order {
    pub(crate) fn add_variable(&mut self) {
        self.position.push(ABSENT);
        self.activity.push(0.0);
    }

    /// Makes the variable more important.
    pub(crate) fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > RESCALE_ABOVE {
            for activity in &mut self.activity {
                *activity /= RESCALE_ABOVE;
            }
            self.increment /= RESCALE_ABOVE;
        }
        match self.position[var.index()] {
            ABSENT => {}
            STACKED => self.push(var),
            position => self.rise(position as usize),
        }
    }

    /// Makes all earlier bumps less important.
    pub(crate) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    /// Takes in a variable if it is absent.
    pub(crate) fn insert(&mut self, var: Var) {
        if self.position[var.index()] != ABSENT {
            return;
        }
        if self.activity[var.index()] >= HEAP_THRESHOLD * self.increment {
            self.push(var);
        } else {
            self.position[var.index()] = STACKED;
            self.stack.push(var);
        }
    }

    /// Takes out the most active variable.
    pub(crate) fn pop(&mut self) -> Option<Var> {
        let Some(last) = self.heap.pop() else {
            return self.pop_stack();
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

    fn pop_stack(&mut self) -> Option<Var> {
        loop {
            let var = self.stack.pop()?;
            if self.position[var.index()] == STACKED {
                self.position[var.index()] = ABSENT;
                return Some(var);
            }
        }
    }

    fn push(&mut self, var: Var) {
        self.heap.push(var);
        self.rise(self.heap.len() - 1);
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
            let (child, child_var) = match self.heap.get(left + 1) {
                Some(&right_var) if self.activity[right_var.index()] > self.activity[left_var.index()] => {
                    (left + 1, right_var)
                }
                _ => (left, left_var),
            };
            if activity >= self.activity[child_var.index()] {
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
