//! Labelled graphs: text in, [`Graph`] out. One file or folder and one row of [`GRAPH_FORMATS`] per format.
//!
//! As with [designs](crate::FRONTENDS), nothing here opens a file, and no bytes make it panic or allocate more than they can justify. Each reader
//! fills a `Draft`, which knows the checks that all formats share: no state twice, no transition to a state that is not there, no proposition that is
//! not declared, at least one initial state, and a successor of each state.

mod aut;
mod dot;
mod draft;
mod flips;
mod json;
mod labels;
mod numbered;
mod spelled;
mod tra;

use crate::{Diagnostic, InputError, text::Input};
pub use flips::read_flips;
use propcov_ir::{Graph, without_mark};

/// One format of graphs.
pub struct GraphFormat {
    /// What the format is called in reports.
    pub name: &'static str,
    /// What its files are usually called, without the dot.
    pub extensions: &'static [&'static str],
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Whether the bytes are of this format without doubt.
    sniff: fn(&[u8]) -> bool,
    /// Reads it.
    read: Reader,
}

/// A file, and the other half where a format has two.
type Reader = fn(Input<'_>, Option<Input<'_>>, &GraphOptions) -> Result<(Graph, Vec<Diagnostic>), InputError>;

/// All formats of graphs that propcov reads.
pub const GRAPH_FORMATS: &[GraphFormat] = &[
    GraphFormat {
        name: "dot",
        extensions: &["dot", "gv"],
        summary: "GraphViz, with the propositions of a state in its label or in the attribute props",
        sniff: dot::sniff,
        read: dot::read,
    },
    GraphFormat {
        name: "aut",
        extensions: &["aut"],
        summary: "Aldebaran, with the propositions of a state in actions, by one of several conventions",
        sniff: aut::sniff,
        read: aut::read,
    },
    GraphFormat {
        name: "tra",
        extensions: &["tra"],
        summary: "explicit files of PRISM, Storm and MRMC, with the propositions in a .lab file next to it",
        sniff: tra::sniff,
        read: tra::read,
    },
    GraphFormat {
        name: "json",
        extensions: &["json"],
        summary: "propcov's own: propositions, states and transitions as JSON",
        sniff: json::sniff,
        read: json::read,
    },
];

/// Where an Aldebaran file, which has actions on transitions only, says what holds in a state.
///
/// Neither mCRL2 nor LTSmin has state labels in this format. What LTSmin has is an encoding of them, and it is one of these conventions. In all of them the first state is the
/// initial one, unless it is a root: a state without transitions to it, and with `init` on all transitions from it, while no other transition has this action. Then the root
/// is no state, and the initial states are those to which `init` leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StateLabels {
    /// The convention that the file follows, if there is no doubt about it.
    #[default]
    Auto,
    /// An action that occurs on self-loops only is a proposition that holds in the states with this loop, or does not hold (`!p`), or is open (`?p`); the loop is no
    /// transition. A self-loop with an action that also leads from a state to another one is a transition, and so is one with the action `tau` or `i`. A multi-action `p|q` has several propositions.
    Loops,
    /// All transitions from a state have the same action, and it is the set of propositions that hold in this state: `l_p_q` (`l_` if there are none), `{p, q}`, `p, q` or
    /// `p|q`; `tau` and `i` are the empty set.
    Sources,
    /// As `ltsmin-convert --encode` writes it: a root with `init`; `edge|…` on transitions; a self-loop `prop|true|false|…` with the values of all state labels, and one `state|…`
    /// with the state vector, which is ignored. The names of the state labels are not there: they become `label0`, `label1` and so on. Values other than `true`, `false`, `maybe`
    /// (open), 1 and 0 become propositions such as `label0=3`.
    Encoded,
}

impl StateLabels {
    /// All of them.
    pub const ALL: &[StateLabels] =
        &[StateLabels::Auto, StateLabels::Loops, StateLabels::Sources, StateLabels::Encoded];

    /// What it is called in options and messages.
    pub fn name(self) -> &'static str {
        match self {
            StateLabels::Auto => "auto",
            StateLabels::Loops => "loops",
            StateLabels::Sources => "sources",
            StateLabels::Encoded => "encoded",
        }
    }
}

/// How to read a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct GraphOptions {
    /// A state without successor gets a loop. Otherwise it is an error.
    pub complete: bool,
    /// The convention of an Aldebaran file. Other formats have places for labels.
    pub state_labels: StateLabels,
}

/// A graph as read from a file.
#[derive(Clone, Debug)]
pub struct GraphFile {
    /// The graph. Each state has a successor, and there is an initial one.
    pub graph: Graph,
    /// The name of the format, as in [`GRAPH_FORMATS`].
    pub format: &'static str,
    /// What the user should know although the graph could be read.
    pub warnings: Vec<Diagnostic>,
}

/// Whether a file has a graph, by its content, or by its extension. JSON is also what other tools write: a file with `modules`, as Yosys has them, is none.
pub fn is_graph(path: &str, bytes: &[u8]) -> bool {
    recognise(path, without_mark(bytes)).is_some()
}

/// The file that has to be read together with this one: the `.lab` of a `.tra`.
pub fn companion(path: &str) -> Option<String> {
    let (stem, extension) = path.rsplit_once('.')?;
    extension.eq_ignore_ascii_case("tra").then(|| format!("{stem}.lab"))
}

/// Reads a graph; `companion` is the path and the content of the [file next to it](companion()).
pub fn read(
    path: &str,
    bytes: &[u8],
    companion: Option<(&str, &[u8])>,
    options: &GraphOptions,
) -> Result<GraphFile, InputError> {
    let bytes = without_mark(bytes);
    let input = Input::new(path, bytes);
    let Some(format) = recognise(path, bytes) else { return Err(unknown_format(input)) };
    let companion = companion.map(|(path, bytes)| Input::new(path, without_mark(bytes)));
    let (graph, warnings) = (format.read)(input, companion, options)?;
    Ok(GraphFile { graph, format: format.name, warnings })
}

/// The format: where extension and content disagree, the content is right, if it says something.
fn recognise(path: &str, bytes: &[u8]) -> Option<&'static GraphFormat> {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let named = GRAPH_FORMATS
        .iter()
        .find(|format| extension.as_deref().is_some_and(|extension| format.extensions.contains(&extension)));
    let recognises = |format: &&GraphFormat| (format.sniff)(bytes);
    let foreign = |format: &&GraphFormat| format.name == "json" && json::is_foreign(bytes);
    let named_only = named.filter(|format| !foreign(format));
    named.filter(recognises).or_else(|| GRAPH_FORMATS.iter().find(recognises)).or(named_only)
}

fn unknown_format(input: Input<'_>) -> InputError {
    let known: Vec<String> = GRAPH_FORMATS
        .iter()
        .map(|format| {
            let extensions: Vec<String> = format.extensions.iter().map(|e| format!(".{e}")).collect();
            format!("{} ({})", format.name, extensions.join(", "))
        })
        .collect();
    let found =
        if input.bytes.is_empty() { "an empty file" } else { "neither a known extension nor known content" };
    input.error(0..0, format!("expected a graph as {}, found {found}", known.join(" or ")))
}

/// Tells the user something about a place.
fn warning(input: Input<'_>, at: std::ops::Range<usize>, message: &str) -> Diagnostic {
    let region = input.error(at, "").region;
    let span = propcov_ir::Span { file: propcov_ir::FileId(0), region };
    Diagnostic { message: message.to_owned(), span: Some(span) }
}
