//! Sifting: each block of variables in turn is moved through all places of the order, and left at the best.
//!
//! A block is a variable or a group of variables that stay together. Blocks with most nodes come first. A block stops moving in a direction
//! when the diagrams have grown too much, or when not even the removal of all nodes that could still go would make them smaller than the best
//! seen; the bounds are those of Somenzi's CUDD. Effort is counted in nodes looked at, not in seconds, so results are reproducible.
//!
//! # References
//! R. Rudell: Dynamic variable ordering for ordered binary decision diagrams. ICCAD 1993.
//! S. Panda, F. Somenzi: Who are the variables in your neighborhood. ICCAD 1995.

use fixedbitset::FixedBitSet;

use super::exchange::Exchange;
use super::interact::Interactions;
use super::kernel::Halt;

/// How much sifting may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// A block turns round when there are this many times as many nodes as at the best place so far.
    pub(super) growth: f64,
    /// At most this many blocks are moved.
    pub(super) blocks: usize,
    /// At most this many exchanges are made.
    pub(super) exchanges: u64,
    /// No block is moved after this many nodes were looked at.
    pub(super) work: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { growth: 1.2, blocks: 1000, exchanges: 2_000_000, work: u64::MAX }
    }
}

/// A direction of movement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// The arrangement of blocks while sifting.
pub(super) struct Sifting<'x, 's> {
    exchange: &'x mut Exchange<'s>,
    /// The variables of each block, from top to bottom.
    blocks: Vec<Vec<u32>>,
    /// Blocks from top to bottom.
    arrangement: Vec<usize>,
    /// Which blocks have variables that interact.
    neighbours: Vec<FixedBitSet>,
    effort: Effort,
}

impl<'x, 's> Sifting<'x, 's> {
    /// Groups are contiguous in the order.
    pub(super) fn new(
        exchange: &'x mut Exchange<'s>,
        groups: &[Vec<u32>],
        effort: Effort,
    ) -> Sifting<'x, 's> {
        let blocks = blocks(&exchange.store.order, groups);
        let arrangement = (0..blocks.len()).collect();
        let neighbours = neighbours(&blocks, &exchange.interactions);
        Sifting { exchange, blocks, arrangement, neighbours, effort }
    }

    /// Sifts all blocks once. `check` is asked now and then whether to go on.
    pub(super) fn run(&mut self, check: &mut dyn FnMut() -> Result<(), Halt>) -> Result<(), Halt> {
        let mut queue: Vec<usize> = (0..self.blocks.len()).filter(|block| self.keys(*block) > 0).collect();
        queue.sort_by_key(|block| std::cmp::Reverse(self.keys(*block)));
        queue.truncate(self.effort.blocks);
        for block in queue {
            let done = self.exchange.done;
            if done.exchanges > self.effort.exchanges || done.work > self.effort.work {
                break;
            }
            self.sift(block, check)?;
        }
        Ok(())
    }

    /// Moves one block to its best place.
    fn sift(&mut self, block: usize, check: &mut dyn FnMut() -> Result<(), Halt>) -> Result<(), Halt> {
        let Some(start) = self.arrangement.iter().position(|at| *at == block) else { return Ok(()) };
        let last = self.arrangement.len() - 1;
        let mut best = Best { place: start, size: self.exchange.store.used };
        let nearer_first = if start > last - start { [Way::Down, Way::Up] } else { [Way::Up, Way::Down] };
        let mut place = start;
        for way in nearer_first {
            place = self.travel(place, start, way, &mut best, check)?;
        }
        while place != best.place {
            place = self.step(place, if place < best.place { Way::Down } else { Way::Up });
        }
        Ok(())
    }

    /// Moves a block to one end, or until that cannot pay any more. Returns where it is then.
    fn travel(
        &mut self,
        mut place: usize,
        start: usize,
        way: Way,
        best: &mut Best,
        check: &mut dyn FnMut() -> Result<(), Halt>,
    ) -> Result<usize, Halt> {
        // Back to the start first: what was seen on the way need not be seen again.
        while place != start {
            place = self.step(place, way);
            best.note(place, self.exchange.store.used);
        }
        let mut removable = self.removable(place, way);
        let mut unchecked = self.exchange.done.work;
        loop {
            let end = if way == Way::Up { 0 } else { self.arrangement.len() - 1 };
            if place == end || self.bound(place, way, removable) >= best.size {
                return Ok(place);
            }
            let next = self.arrangement[if way == Way::Up { place - 1 } else { place + 1 }];
            if self.neighbours[self.arrangement[place]].contains(next) {
                removable -= self.keys(next);
            }
            place = self.step(place, way);
            let size = self.exchange.store.used;
            best.note(place, size);
            if size as f64 > best.size as f64 * self.effort.growth {
                return Ok(place);
            }
            if self.exchange.done.work - unchecked > 10_000 {
                unchecked = self.exchange.done.work;
                check()?;
            }
        }
    }

    /// The nodes of interacting blocks on the way.
    fn removable(&self, place: usize, way: Way) -> usize {
        let block = self.arrangement[place];
        let ahead = if way == Way::Up { &self.arrangement[..place] } else { &self.arrangement[place + 1..] };
        ahead
            .iter()
            .filter(|other| self.neighbours[block].contains(**other))
            .map(|other| self.keys(*other))
            .sum()
    }

    /// No place further on has fewer nodes than this.
    ///
    /// On the way down, functions that start in the block's first variable stay, whatever their nodes are called then. On the way up any node
    /// of the block may go.
    fn bound(&self, place: usize, way: Way, removable: usize) -> usize {
        let block = self.arrangement[place];
        let own = match way {
            Way::Up => self.keys(block),
            Way::Down => self.keys(block) - self.exchange.count(self.blocks[block][0]),
        };
        self.exchange.store.used.saturating_sub(removable + own)
    }

    /// Exchanges a block with its neighbour. Returns its new place.
    fn step(&mut self, place: usize, way: Way) -> usize {
        let upper = if way == Way::Up { place - 1 } else { place };
        let (above, below) = (self.arrangement[upper], self.arrangement[upper + 1]);
        let top = self.exchange.store.levels[self.blocks[above][0] as usize] as usize;
        let (height, moving) = (self.blocks[above].len(), self.blocks[below].len());
        for at in 0..moving {
            for level in (top + at..top + at + height).rev() {
                self.exchange.exchange(level);
            }
        }
        self.arrangement.swap(upper, upper + 1);
        if way == Way::Up { upper } else { upper + 1 }
    }

    /// The nodes of a block.
    fn keys(&self, block: usize) -> usize {
        self.blocks[block].iter().map(|var| self.exchange.count(*var)).sum()
    }
}

/// The best place of a block so far.
struct Best {
    place: usize,
    size: usize,
}

impl Best {
    fn note(&mut self, place: usize, size: usize) {
        if size < self.size {
            (self.place, self.size) = (place, size);
        }
    }
}

/// Groups and single variables in the order of their first variable.
fn blocks(order: &[u32], groups: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut group_of = vec![None; order.len() + 1];
    for (number, group) in groups.iter().enumerate() {
        for var in group {
            group_of[*var as usize] = Some(number);
        }
    }
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    let mut last = None;
    for var in order {
        let group = group_of[*var as usize];
        match blocks.last_mut() {
            Some(block) if group.is_some() && group == last => block.push(*var),
            _ => blocks.push(vec![*var]),
        }
        last = group;
    }
    blocks
}

/// For each block those with a variable that interacts with one of its own.
fn neighbours(blocks: &[Vec<u32>], interactions: &Interactions) -> Vec<FixedBitSet> {
    let mut block_of = vec![0; blocks.iter().map(Vec::len).sum::<usize>() + 1];
    for (number, block) in blocks.iter().enumerate() {
        for var in block {
            block_of[*var as usize] = number;
        }
    }
    let near = |block: &Vec<u32>| {
        let mut near = FixedBitSet::with_capacity(blocks.len());
        for other in block.iter().flat_map(|var| interactions.of(*var)) {
            near.insert(block_of[other]);
        }
        near
    };
    blocks.iter().map(near).collect()
}
