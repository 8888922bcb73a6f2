//! What a mark looks like, and what is written in a state. One row for each mark.
//!
//! The colours are light tints of those that M. Okabe and K. Ito found to be told apart by people with any kind of colour vision ("Color universal
//! design", 2008): black text on them has enough contrast.

use super::{Mark, PictureState};
use crate::terminal;

/// How the corners of a state are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outline {
    Rounded,
    Square,
    /// With corners cut off.
    Cut,
}

/// What a mark looks like.
pub(super) struct Look {
    /// Written in the state. Empty for states about which nothing is to be said.
    pub(super) word: &'static str,
    pub(super) meaning: &'static str,
    pub(super) fill: &'static str,
    pub(super) line: &'static str,
    pub(super) line_width: &'static str,
    /// Lengths of dashes and gaps in SVG. Empty: a solid line.
    pub(super) dashes: &'static str,
    pub(super) outline: Outline,
    /// The shape in DOT. GraphViz has no dashes with dots, so that one has another shape instead.
    pub(super) shape: &'static str,
    pub(super) style: &'static str,
    /// Outline and line in words, for legends without a sample.
    pub(super) in_words: &'static str,
}

/// The row of a mark.
pub(super) fn look(mark: Mark) -> Look {
    match mark {
        Mark::Plain => Look {
            word: "",
            meaning: "not observed",
            fill: "#ffffff",
            line: "#000000",
            line_width: "1",
            dashes: "",
            outline: Outline::Rounded,
            shape: "box",
            style: "filled,rounded",
            in_words: "white, rounded",
        },
        Mark::Covered => Look {
            word: "covered",
            meaning: "all observed labels are covered",
            fill: "#d3eaf6",
            line: "#00507f",
            line_width: "1.5",
            dashes: "",
            outline: Outline::Rounded,
            shape: "box",
            style: "filled,rounded",
            in_words: "blue, rounded",
        },
        Mark::PartlyCovered => Look {
            word: "partly covered",
            meaning: "some observed labels are uncovered",
            fill: "#fff3c4",
            line: "#7a5200",
            line_width: "2",
            dashes: "7 4",
            outline: Outline::Square,
            shape: "box",
            style: "filled,dashed",
            in_words: "yellow, dashed box",
        },
        Mark::Uncovered => Look {
            word: "uncovered",
            meaning: "no observed label is covered",
            fill: "#f7c9ae",
            line: "#8c2f00",
            line_width: "3",
            dashes: "",
            outline: Outline::Cut,
            shape: "octagon",
            style: "filled,bold",
            in_words: "orange, bold octagon",
        },
        Mark::Unreachable => Look {
            word: "unreachable",
            meaning: "no run gets there",
            fill: "#ededed",
            line: "#555555",
            line_width: "1.5",
            dashes: "1.5 3",
            outline: Outline::Square,
            shape: "box",
            style: "filled,dotted",
            in_words: "grey, dotted box",
        },
        Mark::Unknown => Look {
            word: "unknown",
            meaning: "not decided in time",
            fill: "#f0dbe8",
            line: "#6e2a55",
            line_width: "1.5",
            dashes: "8 3 2 3",
            outline: Outline::Rounded,
            shape: "hexagon",
            style: "filled,dashed",
            in_words: "purple, dashed hexagon",
        },
    }
}

/// The widest line in a state, in columns.
const WIDEST: usize = 28;

/// The most lines of labels in a state. All of them are in the tooltip.
const MOST_LINES: usize = 4;

/// What is written in a state.
pub(super) struct Lines {
    pub(super) name: String,
    pub(super) labels: Vec<String>,
    /// The word of the mark and what is uncovered.
    pub(super) remarks: Vec<String>,
}

impl Lines {
    /// All lines, from top to bottom.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.labels).chain(&self.remarks).map(String::as_str)
    }
}

/// What is written in a state: long names are cut, long lists are folded and then cut.
pub(super) fn lines(state: &PictureState) -> Lines {
    let word = look(state.mark).word;
    let uncovered = folded("uncovered: ", &state.uncovered);
    // Propositions after "uncovered:" say it themselves.
    let says_it = state.mark == Mark::Uncovered && !uncovered.is_empty();
    let word = if word.is_empty() || says_it { None } else { Some(word.to_owned()) };
    Lines {
        name: shortened(&state.name, WIDEST),
        labels: folded("", &state.labels),
        remarks: word.into_iter().chain(uncovered).collect(),
    }
}

/// Everything there is to know about a state, on one line each.
pub(super) fn tooltip(state: &PictureState) -> String {
    let look = look(state.mark);
    let mut lines = vec![terminal::printable(&state.name)];
    if state.is_initial {
        lines.push(String::from("initial"));
    }
    if !state.labels.is_empty() {
        lines.push(terminal::printable(&state.labels.join(", ")));
    }
    if state.mark != Mark::Plain {
        lines.push(format!("{}: {}", look.word, look.meaning));
    }
    if !state.uncovered.is_empty() {
        lines.push(terminal::printable(&format!("uncovered: {}", state.uncovered.join(", "))));
    }
    lines.join("\n")
}

/// A list on a few lines, with something before it.
fn folded(before: &str, names: &[String]) -> Vec<String> {
    let Some(last) = names.len().checked_sub(1) else {
        return Vec::new();
    };
    let room = WIDEST.saturating_sub(before.len() + 1);
    let piece = |(position, name): (usize, &String)| {
        let comma = if position < last { "," } else { "" };
        let before = if position == 0 { before } else { "" };
        format!("{before}{}{comma}", shortened(name, room))
    };
    let pieces: Vec<String> = names.iter().enumerate().map(piece).collect();
    let text = terminal::pieces(&pieces, WIDEST, 0);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        lines[MOST_LINES - 1] = format!("… {} in all", names.len());
    }
    lines
}

/// At most that many columns, without control characters.
pub(super) fn shortened(text: &str, columns: usize) -> String {
    let text = terminal::printable(text);
    if terminal::columns(&text) <= columns {
        return text;
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if terminal::columns(&kept) >= columns {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}
