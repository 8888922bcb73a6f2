//! The index of a hash-consing arena: from a node's hash to its position.
//!
//! It keeps positions, not nodes, so it is an eighth of the size of a map from nodes: circuits have hundreds of thousands of
//! nodes, and both filling and cloning the index are bound by memory. Open addressing with linear probing; nothing is
//! ever removed.

/// An empty slot.
const EMPTY: Slot = Slot { hash: 0, position: u32::MAX };

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The lower half of the hash, which says where the slot belongs and mostly tells nodes apart.
    hash: u32,
    position: u32,
}

/// From hashes to positions in an arena.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// A power of two, or nothing; at most three quarters are in use.
    slots: Vec<Slot>,
    used: usize,
}

impl Index {
    /// The position with this hash that is the one looked for.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = hash as u32;
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.position == EMPTY.position {
                return None;
            }
            if slot.hash == hash && is_it(slot.position) {
                return Some(slot.position);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a position that is not there yet.
    pub(crate) fn insert(&mut self, hash: u64, position: u32) {
        if self.used * 4 >= self.slots.len() * 3 {
            let larger = vec![EMPTY; (self.slots.len() * 2).max(16)];
            for slot in std::mem::replace(&mut self.slots, larger) {
                if slot.position != EMPTY.position {
                    self.place(slot);
                }
            }
        }
        self.used += 1;
        self.place(Slot { hash: hash as u32, position });
    }

    fn place(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = slot.hash as usize & mask;
        while self.slots[at].position != EMPTY.position {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_found_even_when_hashes_clash() {
        for spread in [1u64, 7, 1 << 20, 0x9e37_79b9_7f4a_7c15, 0] {
            let mut index = Index::default();
            for position in 0..1000u32 {
                let hash = u64::from(position).wrapping_mul(spread);
                assert_eq!(index.find(hash, |found| found == position), None);
                index.insert(hash, position);
            }
            for position in 0..1000u32 {
                let hash = u64::from(position).wrapping_mul(spread);
                assert_eq!(index.find(hash, |found| found == position), Some(position));
            }
        }
    }
}
