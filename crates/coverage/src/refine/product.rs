//! The pairs that are in question at all: those that the two graphs reach together, from initial pairs, through pairs whose labels fit.
//!
//! Let P be these pairs, where a label in question fits whatever it is. The greatest simulation of any of the mutants, restricted to P, is
//! the greatest simulation inside P: for (w, w′) in P, each partner that could answer a step is in P, too. And it relates initial states just as the unrestricted one does. The paper starts from
//! all pairs whose labels fit; P is often a small part of them. So arrays have one entry for each pair of P, by its rank in a row of bits ([`rows`](super::rows)), not n·n′.
//!
//! Rows are handled as a whole. When bits are new in the row of w, their image in the specification is computed once, and
//! each successor u of w gets the part of it that fits u: |P|·d′ steps, and d·n′/64 for each visit.

use super::Stopped;
use super::fits::Fits;
use super::rows::{Numbered, Rows};
use super::setting::{Setting, step};
use super::watch::Watch;
use std::collections::VecDeque;

/// The pairs in question, and those for which similarity needs a counter.
pub(super) struct Product {
    pub(super) pairs: Numbered,
    /// (u, v′) such that some predecessor of u is paired with v′: only then does anybody ask for an answer of v′ to a step to u.
    pub(super) questions: Numbered,
}

impl Product {
    pub(super) fn new(setting: &Setting<'_>, fits: &Fits, watch: &mut Watch<'_>) -> Result<Product, Stopped> {
        let implementation = setting.implementation;
        let rows = reach(setting, |state| fits.row(state), watch)?;
        let mut questions = Rows::new(implementation.state_count(), setting.specification.state_count());
        for (from, to) in implementation.transitions() {
            questions.row_mut(to).iter_mut().zip(rows.row(from)).for_each(|(asked, row)| *asked |= row);
        }
        match (Numbered::new(rows), Numbered::new(questions)) {
            (Some(pairs), Some(questions)) => Ok(Product { pairs, questions }),
            _ => Err(Stopped::TooLarge("there are more than 2^32 pairs of states in question".to_owned())),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.pairs.bytes() + self.questions.bytes()
    }
}

/// The pairs that initial pairs reach by simultaneous steps through pairs that fit.
pub(super) fn reach<'f>(
    setting: &Setting<'_>,
    fits: impl Fn(u32) -> &'f [u64],
    watch: &mut Watch<'_>,
) -> Result<Rows, Stopped> {
    let (implementation, specification) = (setting.implementation, setting.specification);
    let (states, columns) = (implementation.state_count(), specification.state_count());
    let mut rows = Rows::new(states, columns);
    let mut fresh = Rows::new(states, columns);
    let mut queue = VecDeque::new();
    let mut is_queued = vec![false; states];
    for state in implementation.initial() {
        for first in specification.initial() {
            rows.insert(*state, *first);
        }
        rows.row_mut(*state).iter_mut().zip(fits(*state)).for_each(|(row, fits)| *row &= fits);
        fresh.row_mut(*state).copy_from_slice(rows.row(*state));
        is_queued[*state as usize] = true;
        queue.push_back(*state);
    }
    let mut image = vec![0; rows.words()];
    while let Some(state) = queue.pop_front() {
        is_queued[state as usize] = false;
        step(specification, fresh.row(state), &mut image);
        fresh.row_mut(state).fill(0);
        for next in implementation.successors(state) {
            let mut any = 0;
            let row = rows.row_mut(*next).iter_mut().zip(fresh.row_mut(*next));
            for ((row, fresh), (image, fits)) in row.zip(image.iter().zip(fits(*next))) {
                let added = image & fits & !*row;
                *row |= added;
                *fresh |= added;
                any |= added;
            }
            if any != 0 && !std::mem::replace(&mut is_queued[*next as usize], true) {
                queue.push_back(*next);
            }
        }
        watch.step(implementation.successors(state).len() * rows.words())?;
    }
    Ok(rows)
}
