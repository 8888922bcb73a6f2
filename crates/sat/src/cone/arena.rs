//! Clauses of three or more literals, one after the other in one vector: a header word, then the literals.
//!
//! Binary clauses live in the watch lists alone. Clones are plain copies, and deleted clauses leave holes until
//! [`super::ConeSolver::collect_garbage`] closes them.

use crate::Lit;

/// Position of a clause's header.
pub(super) type ClauseRef = u32;

const LEARNT: u32 = 1;
const GARBAGE: u32 = 1 << 1;
const USED_SHIFT: u32 = 2;
const USED_MASK: u32 = 3 << USED_SHIFT;
const GLUE_SHIFT: u32 = 4;
const GLUE_MAX: u32 = 63;
const SIZE_SHIFT: u32 = 10;

/// The clauses.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    words: Vec<u32>,
    wasted: usize,
}

impl Arena {
    /// Stores a clause. Learnt clauses have a glue: the number of decision levels that they spanned.
    pub(super) fn add(&mut self, literals: &[Lit], glue: Option<u32>) -> ClauseRef {
        debug_assert!(literals.len() < 1 << (32 - SIZE_SHIFT), "clause of millions of literals");
        let clause = self.words.len() as ClauseRef;
        let flags = glue.map_or(0, |glue| LEARNT | glue.min(GLUE_MAX) << GLUE_SHIFT);
        self.words.push((literals.len() as u32) << SIZE_SHIFT | flags);
        self.words.extend(literals.iter().map(|lit| lit.code()));
        clause
    }

    pub(super) fn size(&self, clause: ClauseRef) -> usize {
        (self.words[clause as usize] >> SIZE_SHIFT) as usize
    }

    pub(super) fn literal(&self, clause: ClauseRef, position: usize) -> Lit {
        Lit::from_code(self.words[clause as usize + 1 + position])
    }

    /// The codes of the literals.
    pub(super) fn codes_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let size = self.size(clause);
        &mut self.words[clause as usize + 1..][..size]
    }

    pub(super) fn literals(&self, clause: ClauseRef) -> impl Iterator<Item = Lit> {
        self.words[clause as usize + 1..][..self.size(clause)].iter().map(|&code| Lit::from_code(code))
    }

    pub(super) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.words[clause as usize] & GARBAGE != 0
    }

    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause as usize] >> GLUE_SHIFT & GLUE_MAX
    }

    /// Notes that a conflict used the clause: it survives the next two reductions.
    pub(super) fn mark_used(&mut self, clause: ClauseRef) {
        self.words[clause as usize] |= 2 << USED_SHIFT;
    }

    /// Whether the clause was used lately; ages it.
    pub(super) fn take_used(&mut self, clause: ClauseRef) -> bool {
        let header = &mut self.words[clause as usize];
        let used = (*header & USED_MASK) >> USED_SHIFT;
        *header = *header & !USED_MASK | used.saturating_sub(1) << USED_SHIFT;
        used > 0
    }

    /// Deletes a clause that no watch list mentions any more, or that the next collection takes from there.
    pub(super) fn delete(&mut self, clause: ClauseRef) {
        let size = self.size(clause);
        if clause as usize + 1 + size == self.words.len() {
            self.words.truncate(clause as usize);
        } else {
            self.words[clause as usize] |= GARBAGE;
            self.wasted += size + 1;
        }
    }

    /// Like [`Arena::delete`], but the clause stays where it is, for those who still look at it.
    pub(super) fn mark_garbage(&mut self, clause: ClauseRef) {
        self.wasted += self.size(clause) + 1;
        self.words[clause as usize] |= GARBAGE;
    }

    /// Words in use, holes included.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether holes take up a good part.
    pub(super) fn wants_collection(&self) -> bool {
        self.wasted > 1024 && 4 * self.wasted > self.words.len()
    }

    /// All clauses, garbage included.
    pub(super) fn clauses(&self) -> impl Iterator<Item = ClauseRef> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let clause = next;
            let header = self.words.get(clause)?;
            next += 1 + (header >> SIZE_SHIFT) as usize;
            Some(clause as ClauseRef)
        })
    }

    /// Closes the holes and drops literals for which `is_false` holds. Afterwards [`Moved::target`] tells where a clause is.
    pub(super) fn compact(&mut self, is_false: impl Fn(Lit) -> bool) -> Moved {
        let mut old = std::mem::take(&mut self.words);
        self.words.reserve(old.len() - self.wasted);
        self.wasted = 0;
        let mut position = 0;
        while position < old.len() {
            let (header, next) = (old[position], position + 1 + (old[position] >> SIZE_SHIFT) as usize);
            if header & GARBAGE == 0 {
                let target = self.words.len();
                self.words.push(header);
                for &code in &old[position + 1..next] {
                    if !is_false(Lit::from_code(code)) {
                        self.words.push(code);
                    }
                }
                let size = (self.words.len() - target - 1) as u32;
                self.words[target] = header & ((1 << SIZE_SHIFT) - 1) | size << SIZE_SHIFT;
                // The old copy now tells where the clause went.
                old[position + 1] = target as u32;
            }
            position = next;
        }
        Moved { old }
    }
}

/// Where [`Arena::compact`] moved the clauses to.
pub(super) struct Moved {
    old: Vec<u32>,
}

impl Moved {
    /// The clause's new position, unless it was garbage.
    pub(super) fn target(&self, clause: ClauseRef) -> Option<ClauseRef> {
        (self.old[clause as usize] & GARBAGE == 0).then(|| self.old[clause as usize + 1])
    }
}
