//! GraphViz. What our own reader of graphs needs is in attributes: `props` and `initial` of states, `propositions` of the graph. The rest is looks.
//!
//! In names of states GraphViz, and our reader with it, takes backslashes as they are, but for one before a quote. A name in which an odd number of them stands before a
//! quote, a line break or the end cannot be written; it gets one more. In labels and `props` a backslash is doubled, and `\n` is a line break. Propositions with commas or blanks in their names cannot be read back.
//! The legend is part of the title: a node of its own would be one more state, and so would be the point where an arrow to an initial state begins.

use super::Picture;
use super::look::{Look, lines, look};
use crate::terminal;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Before the names of initial states.
const INITIAL: &str = "→ ";

/// A picture in GraphViz's language. The same picture always gives the same text.
pub fn dot(picture: &Picture) -> String {
    let mut text = String::from("digraph {\n");
    // An empty list would say that there are none.
    if !picture.propositions.is_empty() {
        attribute(&mut text, "  ", "propositions", &picture.propositions.join(", "), ";\n");
    }
    let _ = writeln!(text, "  label=\"{}\";", title(picture));
    text.push_str("  labelloc=t;\n  labeljust=l;\n");
    text.push_str("  node [fontname=\"sans-serif\", fontsize=11];\n");
    let names = names(picture);
    for (state, name) in picture.states.iter().zip(&names) {
        let Look { fill, line, line_width, shape, style, .. } = look(state.mark);
        let written = lines(state);
        let before = if state.is_initial { INITIAL } else { "" };
        let label: Vec<&str> = written.all().collect();
        let _ = write!(text, "  {} [", identifier(name));
        attribute(&mut text, "", "props", &state.labels.join(", "), ", ");
        if state.is_initial {
            text.push_str("initial=true, ");
        }
        attribute(&mut text, "", "label", &format!("{before}{}", label.join("\n")), ", ");
        let _ = writeln!(
            text,
            "shape={shape}, style=\"{style}\", fillcolor=\"{fill}\", color=\"{line}\", penwidth={line_width}];"
        );
    }
    for (from, to) in picture.arrows() {
        let _ = writeln!(text, "  {} -> {};", identifier(&names[from]), identifier(&names[to]));
    }
    text.push_str("}\n");
    text
}

/// The title, and what the marks mean, escaped. `\l` ends a line that begins at the left.
fn title(picture: &Picture) -> String {
    let mut lines = Vec::new();
    if !picture.title.is_empty() {
        lines.push(terminal::printable(&picture.title));
    }
    for mark in picture.marks() {
        let Look { meaning, in_words, .. } = look(mark);
        lines.push(format!("{in_words}: {meaning}"));
    }
    if picture.states.iter().any(|state| state.is_initial) {
        lines.push(format!("{INITIAL}initial state"));
    }
    lines.extend(picture.legend.iter().map(|line| terminal::printable(line)));
    lines.iter().map(|line| format!("{}\\l", escaped(line))).collect()
}

/// The names of the states, all different: a name that was there before gets a number.
fn names(picture: &Picture) -> Vec<String> {
    let given: Vec<String> = picture.states.iter().map(|state| writable(&state.name)).collect();
    let all: BTreeSet<&str> = given.iter().map(String::as_str).collect();
    let mut used = BTreeSet::new();
    let mut names = Vec::with_capacity(given.len());
    for (position, wanted) in given.iter().enumerate() {
        let mut name = wanted.clone();
        let mut number = position;
        while used.contains(&name) || (name != *wanted && all.contains(name.as_str())) {
            name = format!("{wanted}#{number}");
            number += given.len();
        }
        used.insert(name.clone());
        names.push(name);
    }
    names
}

/// A name that can be written between quotes.
fn writable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut is_odd = false;
    for character in name.chars() {
        if is_odd && matches!(character, '"' | '\n' | '\r') {
            text.push('\\');
        }
        is_odd = character == '\\' && !is_odd;
        text.push(if character == '\0' { '\u{fffd}' } else { character });
    }
    if is_odd {
        text.push('\\');
    }
    text
}

/// The name of a node, in quotes.
fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\\\""))
}

fn attribute(text: &mut String, before: &str, name: &str, value: &str, after: &str) {
    let _ = write!(text, "{before}{name}={}{after}", quoted(value));
}

/// A string in quotes.
fn quoted(content: &str) -> String {
    format!("\"{}\"", escaped(content))
}

/// What stands between quotes. It stays on one line, and without a zero byte, which would end the file for GraphViz.
fn escaped(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    for character in content.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\0' => text.push('\u{fffd}'),
            other => text.push(other),
        }
    }
    text
}
