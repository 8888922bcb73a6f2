//! Formats whose states are numbers: which of them the file mentions, and where.
//!
//! A header may claim any number of states. Each of them has to be mentioned somewhere, unless states without transitions get loops; then there may be as many others as there are bytes, or a few thousand. So a table
//! of them is never larger than the file justifies.

use super::{GraphOptions, draft::Draft};
use crate::{InputError, text::Input};
use std::ops::Range;

/// What becomes of states without transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loops {
    /// They get a loop.
    Given,
    /// They would, if somebody asked for it.
    Missing,
    /// A loop would not help.
    Useless,
}

impl Loops {
    /// Where loops help.
    pub(super) fn new(options: &GraphOptions) -> Loops {
        if options.complete { Loops::Given } else { Loops::Missing }
    }
}

/// So many states may be there without being mentioned, if they get loops, however short the file is.
const MOST_UNMENTIONED: usize = 1 << 16;

/// Where states are mentioned first.
pub(super) struct Mentions<'a> {
    input: Input<'a>,
    /// The lowest number of a state.
    base: u64,
    places: Vec<Option<(usize, usize)>>,
}

impl<'a> Mentions<'a> {
    pub(super) fn new(input: Input<'a>, base: u64) -> Mentions<'a> {
        Mentions { input, base, places: Vec::new() }
    }

    /// Notes that a place is about a state, which is not below the base.
    pub(super) fn note(&mut self, state: u64, place: &Range<usize>) {
        let state = state.saturating_sub(self.base);
        // A state beyond this leaves a gap before it.
        if state > self.input.bytes.len() as u64 {
            return;
        }
        let state = state as usize;
        if self.places.len() <= state {
            self.places.resize(state + 1, None);
        }
        self.places[state].get_or_insert((place.start, place.end));
    }

    /// One state of the draft for each of these but the root, named by its number. One that the file does not mention is an error about the place of the claim, unless it is to get a loop.
    pub(super) fn add_states(
        &self,
        draft: &mut Draft<'_>,
        count: u64,
        root: Option<u64>,
        claim: &Range<usize>,
        loops: Loops,
    ) -> Result<(), InputError> {
        let is_completed = loops == Loops::Given;
        let hint = if loops == Loops::Missing { ", or --complete to give it a loop" } else { "" };
        let mut others = if is_completed { self.input.bytes.len().max(MOST_UNMENTIONED) } else { 0 };
        for index in (0..count).filter(|index| Some(self.base + index) != root) {
            let name = (self.base + index).to_string();
            match self.places.get(index as usize).copied().flatten() {
                Some((start, end)) => draft.add_state(name, start..end)?,
                None if others > 0 => {
                    others -= 1;
                    draft.add_state(name, claim.clone())?
                }
                None => {
                    let message = match is_completed {
                        true => format!(
                            "expected at most as many states without transitions as the file has bytes, or {MOST_UNMENTIONED}, found more among {count}"
                        ),
                        false => format!(
                            "state {name} has no successor: expected {count} states with a transition from each{hint}, found none to or from this one"
                        ),
                    };
                    return Err(self.input.error(claim.clone(), message));
                }
            };
        }
        Ok(())
    }
}
