//! Watch lists of all literals in one vector, so that a clone of a solver is a handful of copies rather than one
//! allocation for each literal.
//!
//! A list that is full moves to the end of the pool with twice the room; [`Watches::compact`] closes the gaps.

use std::ops::Range;

use super::arena::ClauseRef;
use crate::Lit;

const BINARY: u32 = u32::MAX;

/// One clause in the list of a literal that it watches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// Another literal of the clause: when it is true, the clause need not be looked at. Of a binary clause, the other.
    pub(super) blocker: Lit,
    clause: ClauseRef,
}

impl Watch {
    pub(super) fn binary(other: Lit) -> Watch {
        Watch { blocker: other, clause: BINARY }
    }

    pub(super) fn long(blocker: Lit, clause: ClauseRef) -> Watch {
        Watch { blocker, clause }
    }

    /// The clause, unless it is binary.
    pub(super) fn clause(self) -> Option<ClauseRef> {
        (self.clause != BINARY).then_some(self.clause)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: u32,
    length: u32,
    capacity: u32,
}

/// The lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    lists: Vec<List>,
    pool: Vec<Watch>,
    wasted: usize,
}

impl Watches {
    /// Makes room for one more literal.
    pub(super) fn add_literal(&mut self) {
        self.lists.push(List::default());
    }

    /// How many clauses watch a literal.
    pub(super) fn len_of(&self, lit: Lit) -> usize {
        self.lists[lit.index()].length as usize
    }

    /// The list of a literal.
    pub(super) fn list(&mut self, lit: Lit) -> &mut [Watch] {
        let range = self.range(lit);
        &mut self.pool[range]
    }

    fn range(&self, lit: Lit) -> Range<usize> {
        let list = self.lists[lit.index()];
        list.start as usize..(list.start + list.length) as usize
    }

    /// Takes the entries in `kept..seen` out of the list.
    pub(super) fn close_gap(&mut self, lit: Lit, kept: usize, seen: usize) {
        if kept < seen {
            self.list(lit).copy_within(seen.., kept);
            self.lists[lit.index()].length -= (seen - kept) as u32;
        }
    }

    pub(super) fn push(&mut self, lit: Lit, watch: Watch) {
        let list = &mut self.lists[lit.index()];
        if list.length == list.capacity {
            let (start, length) = (list.start as usize, list.length as usize);
            let capacity = (2 * list.capacity).max(4);
            self.wasted += length;
            *list = List { start: self.pool.len() as u32, length: list.length, capacity };
            self.pool.extend_from_within(start..start + length);
            self.pool.resize(list.start as usize + capacity as usize, watch);
        }
        self.pool[(list.start + list.length) as usize] = watch;
        list.length += 1;
    }

    /// Takes a clause out of the list. Searches from the back: clauses that are deleted soon were added late.
    pub(super) fn remove(&mut self, lit: Lit, clause: ClauseRef) {
        let list = self.list(lit);
        if let Some(position) = list.iter().rposition(|watch| watch.clause == clause) {
            list.swap(position, list.len() - 1);
            self.lists[lit.index()].length -= 1;
        }
    }

    /// Keeps and changes entries as told: `None` drops one.
    pub(super) fn rewrite(&mut self, mut change: impl FnMut(Lit, Watch) -> Option<Watch>) {
        for (code, list) in self.lists.iter_mut().enumerate() {
            let lit = Lit::from_code(code as u32);
            let start = list.start as usize;
            let mut kept = start;
            for position in start..start + list.length as usize {
                if let Some(watch) = change(lit, self.pool[position]) {
                    self.pool[kept] = watch;
                    kept += 1;
                }
            }
            list.length = (kept - start) as u32;
        }
    }

    /// Closes the gaps if they take up a good part. Leaves each list some room: without, all the busy ones would move, and
    /// leave new gaps, as soon as they grow.
    pub(super) fn compact_if_wasteful(&mut self) {
        if self.wasted <= 1024 || 3 * self.wasted <= self.pool.len() {
            return;
        }
        let old = std::mem::take(&mut self.pool);
        self.pool.reserve(old.len());
        self.wasted = 0;
        for list in &mut self.lists {
            let entries = &old[list.start as usize..(list.start + list.length) as usize];
            let Some(&last) = entries.last() else {
                *list = List::default();
                continue;
            };
            *list = List {
                start: self.pool.len() as u32,
                length: list.length,
                capacity: list.length + list.length / 2 + 1,
            };
            self.pool.extend_from_slice(entries);
            self.pool.resize((list.start + list.capacity) as usize, last);
        }
    }
}
