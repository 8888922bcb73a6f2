//! What was found out, for people at a terminal.
//!
//! A text is a list of parts, one file each, that write onto a [`Page`](crate::terminal::Page): [`check`], [`cover()`], [`cores()`], [`explain()`] and [`refine()`] are these lists. A new command is one row in `COMMANDS`.

mod advice;
mod argument;
mod check;
mod cone;
mod core_metrics;
mod cores;
mod cover;
mod distances;
mod edits;
mod evidence;
mod explain;
mod folded;
mod formalised;
mod grid;
mod groups;
mod heading;
mod holes;
mod impact;
mod marked;
mod matrix;
mod mutation;
mod not_covered;
mod notes;
mod pair;
mod proofs;
mod ranking;
mod reach;
mod refine;
mod run_table;
mod runs;
mod sanity;
mod shares;
mod shell;
mod state_holes;
mod state_parts;
mod states;
mod stats;
mod suggestion;
mod tally;
mod thresholds;
mod undecided;
mod value;
mod verdicts;
mod verification;
mod waived;

pub use check::check;
pub use cores::{core_news, cores};
pub use cover::cover;
pub use explain::explain;
pub use formalised::formalised;
pub(crate) use holes::sentence as hole_sentence;
pub use impact::impact;
pub use matrix::{MatrixOptions, matrix};
pub use notes::notes;
pub use refine::refine;
pub use shell::word as shell_word;
pub use verification::verification;

use crate::terminal::Style;
use propcov_result::RunResult;

/// What the text is to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether it ends with what the run took.
    pub stats: bool,
    /// How many uncovered states of a proposition are listed; a few if nothing is said.
    pub holes: Option<usize>,
    /// Whether each element is listed, also where several stand at the same place of the source.
    pub unfold: bool,
}

/// A command, and what is printed of its result.
type Command = (&'static str, fn(&RunResult, &TextOptions, &Style) -> String);

/// Whose results have a text of their own.
const COMMANDS: &[Command] = &[
    ("check", check),
    ("cover", cover),
    ("cores", cores),
    ("explain", explain),
    ("impact", impact),
    ("refine", refine),
    ("verify", verification),
];

/// The text of a result, by its command.
pub fn text(result: &RunResult, options: &TextOptions, style: &Style) -> String {
    let of_command = COMMANDS.iter().find(|(command, _)| *command == result.run.command);
    let otherwise = if result.run.metrics.is_empty() { check } else { cover };
    of_command.map_or(otherwise as fn(&_, &_, &_) -> _, |(_, text)| *text)(result, options, style)
}

/// What follows when a list is not shown in full.
pub(crate) const ALL: &str = "--format json lists all";
