//! Small labelled graphs as pictures: which states of an implementation the specification really constrains.
//!
//! A [`Picture`] is a graph with a mark on each state. [`dot()`] writes it for GraphViz, at any size, and our own reader of graphs reads the same graph
//! back. [`svg()`] draws it itself, for graphs small enough to look at, so that nobody has to install anything.
//!
//! No mark is told by colour alone: each has its own outline, its own line style, and its name written in the state. Pictures are printed in black and
//! white, and colours are not the same for everybody.

mod dot;
mod layout;
mod look;
mod marks;
mod svg;

pub use dot::dot;
pub use svg::svg;
pub(crate) use svg::{Placed, placed};

/// The largest number of states that [`svg()`] draws.
pub const LARGEST: usize = 200;

/// The largest number of transitions that [`svg()`] draws.
pub const LARGEST_TRANSITIONS: usize = 1000;

/// A graph to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// What is written above it. May be empty.
    pub title: String,
    /// The propositions that labels are about, in their order. Only [`dot()`] writes them, for those who read the graph back: a proposition that holds nowhere is not lost.
    pub propositions: Vec<String>,
    /// The states. Their names should differ; where they do not, [`dot()`] adds numbers.
    pub states: Vec<PictureState>,
    /// Positions of two states. Those with a state that does not exist are left out, repeated ones are drawn once.
    pub transitions: Vec<(u32, u32)>,
    /// Lines to write below the picture. The marks that occur are explained without being asked.
    pub legend: Vec<String>,
}

/// A state in a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PictureState {
    /// What it is called.
    pub name: String,
    /// What it says: `p` holds, `!q` does not, `?r` is open.
    pub labels: Vec<String>,
    /// Whether runs begin there.
    pub is_initial: bool,
    /// What is known about it.
    pub mark: Mark,
    /// The propositions whose labels are uncovered, to be shown in the state.
    pub uncovered: Vec<String>,
}

/// What is known about the labels of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Nothing is to be said about it.
    #[default]
    Plain,
    /// All observed labels are covered.
    Covered,
    /// Some observed labels are covered, some are not.
    PartlyCovered,
    /// No observed label is covered.
    Uncovered,
    /// No run gets there, so nothing can be covered.
    Unreachable,
    /// It was not decided in time.
    Unknown,
}

impl Mark {
    /// All marks, in the order of legends.
    pub const ALL: [Mark; 6] =
        [Mark::Covered, Mark::PartlyCovered, Mark::Uncovered, Mark::Unreachable, Mark::Unknown, Mark::Plain];
}

/// A graph that nobody could make out on a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{states} states and {transitions} transitions are too many for a picture: at most {LARGEST} states and {LARGEST_TRANSITIONS} transitions are drawn"
)]
pub struct TooLarge {
    /// How many states it has.
    pub states: usize,
    /// How many transitions it has.
    pub transitions: usize,
}

impl Picture {
    /// The transitions that can be drawn, sorted, each once.
    fn arrows(&self) -> Vec<(usize, usize)> {
        let position = |state: u32| usize::try_from(state).ok().filter(|&state| state < self.states.len());
        let pair = |&(from, to): &(u32, u32)| Some((position(from)?, position(to)?));
        let mut arrows: Vec<(usize, usize)> = self.transitions.iter().filter_map(pair).collect();
        arrows.sort_unstable();
        arrows.dedup();
        arrows
    }

    /// The marks that need an explanation: those that occur, unless all states are plain.
    fn marks(&self) -> Vec<Mark> {
        let occurs = |mark: &Mark| self.states.iter().any(|state| state.mark == *mark);
        let marks: Vec<Mark> = Mark::ALL.into_iter().filter(occurs).collect();
        if marks == [Mark::Plain] { Vec::new() } else { marks }
    }
}
