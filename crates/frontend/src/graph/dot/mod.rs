//! GraphViz (`.dot`, `.gv`): directed graphs as people draw them, and what their drawings say about states.
//!
//! The language is read as a whole: defaults, subgraphs, ports, HTML. What counts is this.
//!
//! - *States* are nodes. Where some node has propositions written at it, each node of an edge must have a node statement: a misspelt name is not one more state. Several statements about a
//!   node add up, but they must not give it different labels.
//! - *Labels* are in the attribute `props="p, !q, ?r"`, or else in the label: in its last group `{…}`, or else in the lines after the first, or else in all of it,
//!   unless it is the name of the node. How a set is written is told in [`labels`](super::labels).
//! - *Propositions* are those that occur, or those in the attribute `propositions="p q r"` of the graph.
//! - A state about which nothing is said does not have a proposition, or leaves it open with the attribute `unlabelled=open` of the graph.
//! - *Initial* is a node with the attribute `initial=true`, or one with an arrow from nowhere: from a node that is a point, invisible, or without a shape and a label, and
//!   that no edge leads to. Such a node is no state. In the graph `DiskGraph` of TLC (`-dump dot`) a node is initial if it is filled and has no colour of its own, and the nodes of a legend are no states.
//! - Edges are transitions, whatever their labels; invisible ones are not.

mod lexer;
mod meaning;
mod parse;

use super::GraphOptions;
use crate::{Diagnostic, InputError, text::Input};
use propcov_ir::Graph;

pub(super) use lexer::sniff;

pub(super) fn read(
    input: Input<'_>,
    _companion: Option<Input<'_>>,
    options: &GraphOptions,
) -> Result<(Graph, Vec<Diagnostic>), InputError> {
    let drawing = parse::parse(input)?;
    meaning::graph(input, drawing, options)
}
