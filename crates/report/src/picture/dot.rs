//! GraphViz. What our own reader of graphs needs is in attributes: `props` and `initial` of states, `propositions` of the graph. The rest is looks.
//!
//! In a quoted string a backslash before `"` or `\` stands for that character, and `\n` for a line break. GraphViz itself does so in labels;
//! in names of states it keeps all backslashes but those before quotes, so a backslash in a name is doubled there. The legend is part of the title: a node of its
//! own would be one more state, and so would be the point where an arrow to an initial state begins.

use super::Picture;
use super::look::{Look, lines, look};
use crate::words;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Before the names of initial states.
const INITIAL: &str = "→ ";

/// A picture in GraphViz's language. The same picture always gives the same text.
pub fn dot(picture: &Picture) -> String {
    let mut text = String::from("digraph {\n");
    attribute(&mut text, "  ", "propositions", &picture.propositions.join(" "), ";\n");
    let _ = writeln!(text, "  label=\"{}\";", title(picture));
    text.push_str("  labelloc=t;\n  labeljust=l;\n");
    text.push_str("  node [fontname=\"sans-serif\", fontsize=11];\n");
    let names = names(picture);
    for (state, name) in picture.states.iter().zip(&names) {
        let Look { fill, line, line_width, shape, style, .. } = look(state.mark);
        let written = lines(state);
        let before = if state.is_initial { INITIAL } else { "" };
        let label: Vec<&str> = written.all().collect();
        let _ = write!(text, "  {} [", quoted(name));
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
        let _ = writeln!(text, "  {} -> {};", quoted(&names[from]), quoted(&names[to]));
    }
    text.push_str("}\n");
    text
}

/// The title, and what the marks mean, escaped. `\l` ends a line that begins at the left.
fn title(picture: &Picture) -> String {
    let mut lines = Vec::new();
    if !picture.title.is_empty() {
        lines.push(words::printable(&picture.title));
    }
    for mark in picture.marks() {
        let Look { meaning, in_words, .. } = look(mark);
        lines.push(format!("{in_words}: {meaning}"));
    }
    if picture.states.iter().any(|state| state.is_initial) {
        lines.push(format!("{INITIAL}initial state"));
    }
    lines.extend(picture.legend.iter().map(|line| words::printable(line)));
    lines.iter().map(|line| format!("{}\\l", escaped(line))).collect()
}

/// The names of the states, all different: a name that was there before gets a number.
fn names(picture: &Picture) -> Vec<String> {
    let given: BTreeSet<&str> = picture.states.iter().map(|state| state.name.as_str()).collect();
    let mut used = BTreeSet::new();
    let mut names = Vec::with_capacity(picture.states.len());
    for (position, state) in picture.states.iter().enumerate() {
        let mut name = state.name.clone();
        let mut number = position;
        while used.contains(&name) || (name != state.name && given.contains(name.as_str())) {
            name = format!("{}#{number}", state.name);
            number += picture.states.len();
        }
        used.insert(name.clone());
        names.push(name);
    }
    names
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
