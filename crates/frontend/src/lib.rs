//! Text in, [`System`] out: one folder and one row of [`FRONTENDS`] per format.
//!
//! Nothing here opens a file. A front end takes bytes that may be anything at all, and either gives a [`Design`] or an
//! [`InputError`] that says where and why not. It never panics, and never allocates more than the bytes it was given
//! can justify, whatever the counts in a header claim.

pub mod aiger;
pub mod btor2;
mod error;
mod extra;
mod granularity;
pub mod graph;
pub mod lustre;
mod names;
pub mod smv;
mod text;
mod universe;
mod words;

pub use error::{Diagnostic, InputError, WitnessError};
pub use extra::Extra;
pub use granularity::{DecomposedEquation, Decomposition, Granularity, Options};
pub use names::near_matches;
use propcov_ir::{ExprId, System};
pub use universe::{Elements, UniverseError, UniverseOptions, universe};

/// A design as read from a file.
#[derive(Clone, Debug)]
pub struct Design {
    /// What it means.
    pub system: System,
    /// The name of the format, as in [`FRONTENDS`].
    pub format: &'static str,
    /// What was written, for those who write witnesses and certificates in the same format.
    pub source: Source,
    /// What the user should know although the design could be read.
    pub warnings: Vec<Diagnostic>,
    /// Which elements are the pieces of which equation, if equations were taken apart.
    pub decomposition: Option<Decomposition>,
}

/// The model exactly as the file has it.
#[derive(Clone, Debug)]
pub enum Source {
    /// An and-inverter graph.
    Aiger(Box<aiger::Model>),
    /// A list of nodes.
    Btor2(btor2::Model),
    /// An SMV file, for which there is no format of witnesses.
    Smv,
    /// A Lustre file, for which there is none either.
    Lustre(lustre::LustreFacts),
}

/// One format.
pub struct Frontend {
    /// What the format is called in reports.
    pub name: &'static str,
    /// What its files are usually called, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether the bytes look like this format.
    pub sniff: fn(&[u8]) -> bool,
    /// Reads a file of this format; the path is only used to name things.
    pub parse: fn(path: &str, bytes: &[u8]) -> Result<Design, InputError>,
    /// The same with [expressions](Extra) that are given outside of the file, and the value of each.
    pub parse_with: ParseWith,
    /// The same with each operator an element; see [`Granularity`].
    pub parse_operators: ParseWith,
}

/// Reads a file and expressions that are given outside of it.
pub type ParseWith =
    fn(path: &str, bytes: &[u8], extras: &[Extra]) -> Result<(Design, Vec<ExprId>), InputError>;

/// All formats that propcov reads.
pub const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "aiger",
        extensions: &["aag", "aig"],
        sniff: aiger::sniff,
        parse: aiger::read,
        parse_with: aiger::read_with,
        parse_operators: aiger::read_with,
    },
    Frontend {
        name: "btor2",
        extensions: &["btor2", "btor"],
        sniff: btor2::sniff,
        parse: btor2::read,
        parse_with: btor2::read_with,
        parse_operators: btor2::read_with,
    },
    Frontend {
        name: "smv",
        extensions: &["smv"],
        sniff: smv::sniff,
        parse: smv::read,
        parse_with: smv::read_with,
        parse_operators: smv::read_operators,
    },
    Frontend {
        name: "lustre",
        extensions: &["lus", "lustre"],
        sniff: lustre::sniff,
        parse: lustre::read,
        parse_with: lustre::read_with,
        parse_operators: lustre::read_operators,
    },
];

/// Reads a design, telling formats apart by content first and by extension where the content does not say.
pub fn read(path: &str, bytes: &[u8]) -> Result<Design, InputError> {
    (recognise(path, bytes)?.parse)(path, bytes)
}

/// Reads a design like [`read`], and expressions about it that are given outside of the file. Their values are in the order given, and an
/// expression that the design has as well, say in a property, is the same [`ExprId`]. What is wrong with the file is reported before
/// what is wrong with them.
pub fn read_with(path: &str, bytes: &[u8], extras: &[Extra]) -> Result<(Design, Vec<ExprId>), InputError> {
    (recognise(path, bytes)?.parse_with)(path, bytes, extras)
}

/// Reads a design like [`read_with`], in the way that the options say.
pub fn read_as(
    path: &str,
    bytes: &[u8],
    extras: &[Extra],
    options: &Options,
) -> Result<(Design, Vec<ExprId>), InputError> {
    let frontend = recognise(path, bytes)?;
    let parse = match options.granularity {
        Granularity::Equation => frontend.parse_with,
        Granularity::Operator => frontend.parse_operators,
    };
    parse(path, bytes, extras)
}

/// Whether a file is of one of the formats, by its content or by its extension.
pub fn is_recognised(path: &str, bytes: &[u8]) -> bool {
    recognise(path, bytes).is_ok()
}

/// The format of a file.
fn recognise(path: &str, bytes: &[u8]) -> Result<&'static Frontend, InputError> {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let named = FRONTENDS
        .iter()
        .find(|f| extension.as_deref().is_some_and(|extension| f.extensions.contains(&extension)));
    let recognises = |frontend: &&Frontend| (frontend.sniff)(bytes);
    // Where extension and content disagree, the content is right. What no format recognises gets the error message of
    // the format that its extension promises.
    let frontend = named.filter(recognises).or_else(|| FRONTENDS.iter().find(recognises)).or(named);
    frontend.ok_or_else(|| unknown_format(path, bytes))
}

fn unknown_format(path: &str, bytes: &[u8]) -> InputError {
    let known: Vec<String> = FRONTENDS
        .iter()
        .map(|frontend| {
            let extensions: Vec<String> = frontend.extensions.iter().map(|e| format!(".{e}")).collect();
            format!("{} ({})", frontend.name, extensions.join(", "))
        })
        .collect();
    let input = text::Input::new(path, bytes);
    let found =
        if bytes.is_empty() { "an empty file" } else { "neither a known extension nor known content" };
    input.error(0..0, format!("expected {}, found {found}", known.join(" or ")))
}
