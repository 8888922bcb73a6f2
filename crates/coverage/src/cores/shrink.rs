//! Shrinking an adequate set to a minimal core (thesis, Algorithm 11): drop element after element, and keep what has to stay.
//!
//! Departures:
//! - The map is consulted before the judge ("Shrink Procedure" in §3.3.2). Observation 1 there, that an explored set is inadequate, holds only below unexplored sets; ours looks up which of both it is, so that any
//!   adequate set can be shrunk, and a known adequate subset is a step for free.
//! - The judge's core is taken over, which often drops several elements at once. The brute-force algorithms do without both: [`How`].
//! - An element without an answer is neither dropped nor called necessary. It is asked about again if the set has become smaller meanwhile: fewer elements have more runs, and are often easier to refute.
//! - Several elements may be tried at once. What is inadequate without x stays so when other elements are gone as well, so refutations hold whatever the other answers are; of several smaller cores the smallest is
//!   taken.

use super::exploration::{Answer, Exploration};
use super::explored::Status;
use propcov_ir::{ElementId, ElementSet};
use std::collections::VecDeque;

/// How to shrink.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    /// Look in the map before the judge is asked.
    pub(super) consult: bool,
    /// Take over the judge's cores, instead of dropping just the element in question.
    pub(super) take_cores: bool,
    /// Ask about so many elements at once.
    pub(super) width: usize,
}

impl How {
    /// One element after the other, with all that is known.
    pub(super) const INFORMED: How = How { consult: true, take_cores: true, width: 1 };
    /// One check for each element, and nothing else.
    pub(super) const NAIVE: How = How { consult: false, take_cores: false, width: 1 };
}

/// What is left.
pub(super) struct Shrunk {
    /// The core: minimal, unless answers were missing or the search was stopped.
    pub(super) core: ElementSet,
    /// Inadequate sets that the judge was asked about, as far as it has grown them.
    pub(super) inadequate: Vec<ElementSet>,
}

/// Shrinks an adequate set.
pub(super) fn shrink(search: &mut Exploration<'_>, seed: &ElementSet, how: How) -> Shrunk {
    shrink_among(search, seed, None, how)
}

/// The same, but only some elements are tried.
pub(super) fn shrink_among(
    search: &mut Exploration<'_>,
    seed: &ElementSet,
    only: Option<&ElementSet>,
    how: How,
) -> Shrunk {
    let mut shrunk = Shrunk { core: seed.clone(), inadequate: Vec::new() };
    let is_tried = |element: &ElementId| only.is_none_or(|only| only.contains(*element));
    let mut elements: VecDeque<ElementId> = seed.iter().filter(is_tried).collect();
    loop {
        let size = shrunk.core.len();
        let open = pass(search, &mut shrunk, elements, how);
        elements = open.into_iter().filter(|element| shrunk.core.contains(*element)).collect();
        if search.stopped || elements.is_empty() || shrunk.core.len() == size {
            return shrunk;
        }
    }
}

/// Tries all elements once; returns those without an answer.
fn pass(
    search: &mut Exploration<'_>,
    shrunk: &mut Shrunk,
    mut elements: VecDeque<ElementId>,
    how: How,
) -> Vec<ElementId> {
    let mut open = Vec::new();
    loop {
        let asked = questions(search, shrunk, &mut elements, &mut open, how);
        if asked.is_empty() {
            return open;
        }
        let sets: Vec<ElementSet> = asked.iter().map(|element| shrunk.core.without(*element)).collect();
        let mut again = Vec::new();
        for (&element, answer) in asked.iter().zip(search.ask_all(&sets)) {
            match answer {
                Answer::Adequate(_) if !how.take_cores => shrunk.core.remove(element),
                Answer::Adequate(core) => {
                    // Another answer may be taken instead, and its core may have the element.
                    again.push(element);
                    if core.len() < shrunk.core.len() {
                        shrunk.core = core;
                    }
                }
                Answer::Inadequate(grown) => shrunk.inadequate.push(grown),
                Answer::Unknown => open.push(element),
                Answer::Over => return open,
            }
        }
        again.into_iter().rev().for_each(|element| elements.push_front(element));
    }
}

/// The next elements about which nothing is known.
fn questions(
    search: &Exploration<'_>,
    shrunk: &mut Shrunk,
    elements: &mut VecDeque<ElementId>,
    open: &mut Vec<ElementId>,
    how: How,
) -> Vec<ElementId> {
    let mut asked = Vec::new();
    while asked.len() < how.width {
        let Some(element) = elements.pop_front() else { break };
        if !shrunk.core.contains(element) {
            continue;
        }
        let without = shrunk.core.without(element);
        if search.is_unanswered(&without) {
            open.push(element);
            continue;
        }
        match if how.consult { search.explored.status(&without) } else { Status::Unexplored } {
            Status::Inadequate => {}
            Status::Adequate => {
                let smaller = search.explored.smallest_within(&without).unwrap_or(&without).clone();
                // Those in hand are asked about again, with the smaller set.
                elements.extend(asked.drain(..));
                shrunk.core = smaller;
            }
            Status::Unanswered | Status::Unexplored => asked.push(element),
        }
    }
    asked
}
