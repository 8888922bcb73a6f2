//! Clauses of three or more literals, one after the other in one vector: a header word, then the literals.
//!
//! Binary clauses live in the watch lists alone. Deleted clauses leave holes until a collection closes them.

use propcov_sat::{Lit, Var};

/// Position of a clause's header.
pub(crate) type ClauseRef = u32;

const LEARNT: u32 = 1;
const GARBAGE: u32 = 1 << 1;
const USED: u32 = 1 << 2;
const GLUE_SHIFT: u32 = 3;
const GLUE_MAX: u32 = 127;
const SIZE_SHIFT: u32 = 10;

/// The literal with this position in a table by literal.
pub(crate) fn lit_of(code: u32) -> Lit {
    Var(code >> 1).lit(code & 1 == 0)
}

/// The clauses.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    words: Vec<u32>,
    wasted: usize,
}

impl Arena {
    /// Stores a clause. Learnt clauses have a glue: the number of decision levels that they spanned.
    pub(crate) fn add(&mut self, literals: &[Lit], glue: Option<u32>) -> ClauseRef {
        let clause = self.words.len() as ClauseRef;
        let flags = glue.map_or(0, |glue| LEARNT | USED | glue.min(GLUE_MAX) << GLUE_SHIFT);
        self.words.push((literals.len() as u32) << SIZE_SHIFT | flags);
        self.words.extend(literals.iter().map(|lit| lit.index() as u32));
        clause
    }

    pub(crate) fn size(&self, clause: ClauseRef) -> usize {
        (self.words[clause as usize] >> SIZE_SHIFT) as usize
    }

    /// The codes of the literals.
    pub(crate) fn codes(&self, clause: ClauseRef) -> &[u32] {
        &self.words[clause as usize + 1..][..self.size(clause)]
    }

    pub(crate) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let size = self.size(clause);
        &mut self.words[clause as usize + 1..][..size]
    }

    pub(crate) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.words[clause as usize] & GARBAGE != 0
    }

    pub(crate) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause as usize] >> GLUE_SHIFT & GLUE_MAX
    }

    /// Notes that a conflict used the clause: it survives the next reduction.
    pub(crate) fn mark_used(&mut self, clause: ClauseRef) {
        self.words[clause as usize] |= USED;
    }

    /// Whether the clause was used since the last call.
    pub(crate) fn take_used(&mut self, clause: ClauseRef) -> bool {
        let is_used = self.words[clause as usize] & USED != 0;
        self.words[clause as usize] &= !USED;
        is_used
    }

    /// Deletes a clause: the next collection takes it away.
    pub(crate) fn mark_garbage(&mut self, clause: ClauseRef) {
        self.wasted += self.size(clause) + 1;
        self.words[clause as usize] |= GARBAGE;
    }

    /// Words in use, holes included.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are holes.
    pub(crate) fn has_garbage(&self) -> bool {
        self.wasted > 0
    }

    /// All clauses, garbage included.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = ClauseRef> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let clause = next;
            let header = self.words.get(clause)?;
            next += 1 + (header >> SIZE_SHIFT) as usize;
            Some(clause as ClauseRef)
        })
    }

    /// Closes the holes. Afterwards the first literal's word of each clause of the arena returned is its new position.
    pub(crate) fn collect(&mut self) -> Moved {
        let mut old = std::mem::take(&mut self.words);
        self.wasted = 0;
        let mut next = 0;
        while next < old.len() {
            let end = next + 1 + (old[next] >> SIZE_SHIFT) as usize;
            if old[next] & GARBAGE == 0 {
                let moved = self.words.len() as u32;
                self.words.extend_from_slice(&old[next..end]);
                old[next + 1] = moved;
            }
            next = end;
        }
        Moved { words: old }
    }
}

/// Where clauses went.
pub(crate) struct Moved {
    words: Vec<u32>,
}

impl Moved {
    /// The new position of a clause, unless it was garbage.
    pub(crate) fn position(&self, clause: ClauseRef) -> Option<ClauseRef> {
        (self.words[clause as usize] & GARBAGE == 0).then(|| self.words[clause as usize + 1])
    }
}
