//! What a drawing says: which nodes are states, which of them are initial, and what holds in them.

use super::parse::{Drawing, Node, Value, is_invisible};
use crate::{
    Diagnostic, InputError,
    extra::did_you_mean,
    graph::{
        GraphOptions,
        draft::Draft,
        labels::{self, Said, trimmed},
        spelled::Spelled,
        warning,
    },
    text::{Input, quote},
};
use propcov_ir::{Graph, Label};
use std::ops::Range;

pub(super) fn graph(
    input: Input<'_>,
    drawing: Drawing,
    options: &GraphOptions,
) -> Result<(Graph, Vec<Diagnostic>), InputError> {
    let is_start = starts(&drawing);
    check_declared(input, &drawing, &is_start)?;
    let is_legend = legend(&drawing);
    let mut draft = Draft::new(input, input);
    graph_attributes(input, &drawing, &mut draft)?;
    let mut numbers = Vec::with_capacity(drawing.nodes.len());
    for ((node, is_start), is_legend) in drawing.nodes.iter().zip(&is_start).zip(&is_legend) {
        if *is_start || *is_legend {
            numbers.push(None);
            continue;
        }
        let state = draft.add_state(node.name.as_str(), node.place.clone())?;
        numbers.push(Some(state));
        for said in said(input, node, is_of_tlc(&drawing))? {
            draft.say(state, said)?;
        }
        let is_initial = match &node.attributes.initial {
            Some(value) => boolean(input, value)?,
            None => is_of_tlc(&drawing) && is_filled(node),
        };
        if is_initial {
            draft.set_initial(state);
        }
    }
    for edge in &drawing.edges {
        match (numbers[edge.from as usize], numbers[edge.to as usize]) {
            (Some(from), Some(to)) => draft.add_transition(from, to),
            (None, Some(to)) => draft.set_initial(to),
            (_, None) => {}
        }
    }
    let graph = draft.finish(options, || {
        let message = "no initial state: expected a node with initial=true, or an edge to it from a node with shape=point";
        input.error(drawing.start.clone(), message)
    })?;
    let edge_label = drawing.edge_label.map(|place| (place, "labels of edges are ignored"));
    let invisible = drawing.invisible_edge.map(|place| (place, "invisible edges are no transitions"));
    let warnings = edge_label.into_iter().chain(invisible);
    Ok((graph, warnings.map(|(place, message)| warning(input, place, message)).collect()))
}

/// For each node, whether it is no state but where an arrow to an initial state begins.
fn starts(drawing: &Drawing) -> Vec<bool> {
    let mut is_start: Vec<bool> = drawing.nodes.iter().map(looks_like_start).collect();
    drawing.edges.iter().for_each(|edge| is_start[edge.to as usize] = false);
    is_start
}

fn looks_like_start(node: &Node) -> bool {
    let attributes = &node.attributes;
    if attributes.props.is_some() || attributes.initial.is_some() {
        return false;
    }
    let shape = attributes.shape.as_ref().map_or("", |shape| shape.text.text.trim());
    let has_no_label = attributes.label.as_ref().is_some_and(|label| label.text.text.trim().is_empty());
    let is_invisible = attributes.style.as_ref().is_some_and(|style| is_invisible(style));
    shape == "point" || is_invisible || (matches!(shape, "none" | "plaintext" | "plain") && has_no_label)
}

/// Whether TLC has written the file (`-dump dot`). It always calls the graph like this.
fn is_of_tlc(drawing: &Drawing) -> bool {
    drawing.name == "DiskGraph"
}

/// Whether a node is filled, with no colour of its own. TLC marks initial states like this, and writes states that are not in the model in yellow.
fn is_filled(node: &Node) -> bool {
    let attributes = &node.attributes;
    attributes.fillcolor.is_none()
        && attributes.style.as_ref().is_some_and(|style| style.text.text.trim() == "filled")
}

/// For each node, whether it is no state but explains a colour of TLC (`-dump dot,colorize`).
fn legend(drawing: &Drawing) -> Vec<bool> {
    let mut is_legend = vec![false; drawing.nodes.len()];
    if is_of_tlc(drawing)
        && let Some(members) = drawing.subgraphs.get("cluster_legend")
    {
        members.nodes.iter().for_each(|node| is_legend[*node as usize] = true);
    }
    is_legend
}

/// Where there are statements about nodes, a node that is only in an edge is a mistake.
fn check_declared(input: Input<'_>, drawing: &Drawing, is_start: &[bool]) -> Result<(), InputError> {
    let is_labelled =
        drawing.nodes.iter().zip(is_start).any(|(node, is_start)| node.is_labelled() && !is_start);
    if !is_labelled {
        return Ok(());
    }
    for edge in &drawing.edges {
        for node in [edge.from, edge.to] {
            let node = &drawing.nodes[node as usize];
            if !node.is_declared {
                // It is named first where an edge is.
                let declared = drawing.nodes.iter().filter(|node| node.is_declared);
                let near = did_you_mean(&node.name, declared.map(|node| node.name.as_str()));
                let found = quote(node.name.as_bytes());
                let message = format!(
                    "dangling edge: expected a node with a node statement, as other nodes have, found {found}{near}"
                );
                return Err(input.error(node.place.clone(), message));
            }
        }
    }
    Ok(())
}

fn graph_attributes(input: Input<'_>, drawing: &Drawing, draft: &mut Draft<'_>) -> Result<(), InputError> {
    if let Some(value) = &drawing.attributes.propositions {
        draft.declare_all();
        let text = plain(value, "");
        for said in labels::set(input, &text, 0..text.text.len())? {
            if said.label != Label::True {
                let message = format!(
                    "expected the names of propositions without signs, found {}",
                    quote(&input.bytes[said.place.clone()])
                );
                return Err(input.error(said.place, message));
            }
            draft.declare(&said.name, said.place)?;
        }
    }
    if let Some(value) = &drawing.attributes.unlabelled {
        draft.unlabelled = match value.text.text.trim() {
            "open" => Label::Open,
            "false" => Label::False,
            other => {
                let message = format!(
                    "expected unlabelled=open or unlabelled=false, found {}",
                    quote(other.as_bytes())
                );
                return Err(input.error(value.place.clone(), message));
            }
        };
    }
    Ok(())
}

fn boolean(input: Input<'_>, value: &Value) -> Result<bool, InputError> {
    match value.text.text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" | "" => Ok(false),
        _ => {
            let found = quote(value.text.text.as_bytes());
            Err(input
                .error(value.place.clone(), format!("expected initial=true or initial=false, found {found}")))
        }
    }
}

/// What a node says.
fn said(input: Input<'_>, node: &Node, is_of_tlc: bool) -> Result<Vec<Said>, InputError> {
    if let Some(props) = &node.attributes.props {
        not_html(input, props, "expected propositions, found HTML")?;
        let text = plain(props, &node.name);
        return labels::set(input, &text, 0..text.text.len());
    }
    let Some(label) = &node.attributes.label else { return Ok(Vec::new()) };
    not_html(
        input,
        label,
        "expected a label with propositions, found HTML; the attribute props can have them",
    )?;
    let text = plain(label, &node.name);
    let part = if is_of_tlc { Some(0..text.text.len()) } else { set_in(&text.text, &node.name) };
    let Some(part) = part else { return Ok(Vec::new()) };
    labels::set(input, &text, part)
}

fn not_html(input: Input<'_>, value: &Value, message: &str) -> Result<(), InputError> {
    if value.is_html { Err(input.error(value.place.clone(), message)) } else { Ok(()) }
}

/// The part of a label that is a set of propositions.
fn set_in(label: &str, name: &str) -> Option<Range<usize>> {
    let whole = trimmed(label, 0..label.len());
    // As TLC writes states: every line is one.
    if label[whole.clone()].starts_with("/\\") {
        return Some(whole);
    }
    if let Some(close) = label.rfind('}')
        && let Some(open) = opening(label, close)
        // A set may also be the value of something.
        && !label[..open].trim_end().ends_with(['=', '∈'])
    {
        return Some(open + 1..close);
    }
    if label[whole.clone()] == *name {
        return None;
    }
    match label.find('\n') {
        Some(end) => Some(end + 1..label.len()),
        None => Some(whole),
    }
}

/// Where the brace is that this one closes.
fn opening(label: &str, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let braces = label[..=close].char_indices().rev().filter(|(_, letter)| matches!(letter, '{' | '}'));
    for (at, brace) in braces {
        depth = if brace == '}' { depth + 1 } else { depth.saturating_sub(1) };
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A label without escapes: line ends are newlines, `\N` is the name of the node. A backslash after a slash is a conjunction, unless the two are a slash at the end of a line.
fn plain(value: &Value, name: &str) -> Spelled {
    let source = &value.text;
    let mut text = Spelled::default();
    let mut letters = source.text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        let place = source.at(at);
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let mut buffer = [0; 4];
        let is_escape = matches!(next, 'n' | 'l' | 'r' | 'N' | 'G' | 'E' | 'T' | 'H' | 'L' | '\\');
        match letter {
            '\\' if is_escape => {
                letters.next();
                match next {
                    'n' | 'l' | 'r' => text.push("\n", place),
                    'N' => text.push(name, place),
                    '\\' => text.push("\\", place),
                    _ => {}
                }
            }
            // Elsewhere a backslash before another letter means nothing.
            '\\' if before != '/' => {}
            _ => text.push(letter.encode_utf8(&mut buffer), place),
        }
        before = letter;
    }
    text
}
