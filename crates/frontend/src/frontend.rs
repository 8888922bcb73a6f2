//! The table of formats.

use crate::{
    Design, Extra, Granularity, InputError, Options, Sources, WriteCertificate, WriteWitness, aiger, btor2,
    lustre, smv, text::Input, verilog,
};
use propcov_budget::Budget;
use propcov_ir::{ExprId, Runs};

/// One format, and what can be done with it. What is `None` cannot.
#[derive(Debug)]
pub struct Frontend {
    /// What the format is called in reports and on the command line.
    pub name: &'static str,
    /// What its users call it.
    pub title: &'static str,
    /// What its files are usually called, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether the bytes look like this format.
    pub sniff: fn(&[u8]) -> bool,
    /// Whether a design may be of several files.
    pub several_files: bool,
    /// Reads a design, and [expressions](Extra) that are given outside of it; the value of each is in their order.
    pub parse: Parse,
    /// The same with each operator an element; see [`Granularity`].
    pub operators: Operators,
    /// A Python program that has to make of the user's files what is read here, if they are not read as they are.
    pub exporter: Option<&'static str>,
    /// Writes a counterexample.
    pub witness: Option<WriteWitness>,
    /// Writes a proof.
    pub certificate: Option<WriteCertificate>,
    /// The names of the definitions that the file asks about, if it does; see [`universe`](crate::universe()).
    pub annotated: Option<Annotated>,
    /// What a run is to the author of a design.
    pub runs: Runs,
    /// What begins a comment that goes on to the end of the line.
    pub comment: Option<&'static str>,
}

/// Reads a design, and expressions that are given outside of it.
pub type Parse = fn(&Sources, &[Extra], &Budget) -> Result<(Design, Vec<ExprId>), InputError>;

/// The names that a file asks about, if it does.
pub type Annotated = fn(&Design) -> Option<&[String]>;

/// What becomes of operators.
#[derive(Debug)]
pub enum Operators {
    /// Each is an element anyway.
    Always,
    /// Each is an element if the design is read so.
    By(Parse),
    /// They are no elements.
    Never,
}

/// All formats that propcov reads.
pub static FRONTENDS: &[&Frontend] =
    &[&aiger::FRONTEND, &btor2::FRONTEND, &smv::FRONTEND, &lustre::FRONTEND, &verilog::FRONTEND];

impl Frontend {
    /// Reads a design of this format and of one file, whatever it looks like.
    pub fn read(&self, path: &str, bytes: &[u8]) -> Result<Design, InputError> {
        let read = self.read_as(&Sources::one(path, bytes), &[], &Options::default());
        read.map(|(design, _)| design)
    }

    /// Reads a design of this format like [`read_as`].
    pub fn read_as(
        &self,
        sources: &Sources,
        extras: &[Extra],
        options: &Options,
    ) -> Result<(Design, Vec<ExprId>), InputError> {
        if let Some(second) = sources.others.first().filter(|_| !self.several_files) {
            let message = format!("a design in {} is one file, and this is a second one", self.title);
            return Err(Input::of(second).error(0..0, message));
        }
        let parse = match (options.granularity, &self.operators) {
            (Granularity::Equation, _) | (_, Operators::Always) => self.parse,
            (Granularity::Operator, Operators::By(parse)) => *parse,
            (Granularity::Operator, Operators::Never) => {
                return Err(Input::of(&sources.main).error(0..0, self.no_operators()));
            }
        };
        let (mut design, values) = parse(sources, extras, &options.budget)?;
        design.system.classify_roles();
        design.system.runs = self.runs;
        Ok((design, values))
    }

    fn no_operators(&self) -> String {
        let able = FRONTENDS.iter().filter(|other| !matches!(other.operators, Operators::Never));
        let able: Vec<&str> = able.map(|other| other.title).collect();
        format!("operator granularity is available for {}, this is {}", able.join(", "), self.title)
    }
}

/// Reads a design of one file, telling formats apart by content first and by extension where the content does not say.
pub fn read(path: &str, bytes: &[u8]) -> Result<Design, InputError> {
    read_with(path, bytes, &[]).map(|(design, _)| design)
}

/// Reads a design like [`read`], and expressions about it that are given outside of the file. Their values are in the order
/// given, and an expression that the design has as well, say in a property, is the same [`ExprId`]. What is wrong with
/// the file is reported before what is wrong with them.
pub fn read_with(path: &str, bytes: &[u8], extras: &[Extra]) -> Result<(Design, Vec<ExprId>), InputError> {
    read_as(&Sources::one(path, bytes), extras, &Options::default())
}

/// Reads a design like [`read_with`], from one file or several, in the way that the options say. Its elements have their
/// [roles](propcov_ir::roles()).
pub fn read_as(
    sources: &Sources,
    extras: &[Extra],
    options: &Options,
) -> Result<(Design, Vec<ExprId>), InputError> {
    recognise(Input::of(&sources.main))?.read_as(sources, extras, options)
}

/// Whether a file is of one of the formats, by its content or by its extension.
pub fn is_recognised(path: &str, bytes: &[u8]) -> bool {
    recognised(path, bytes).is_some()
}

/// The format of a file, by its content or by its extension.
pub fn recognised(path: &str, bytes: &[u8]) -> Option<&'static Frontend> {
    recognise(Input::new(path, propcov_ir::without_mark(bytes))).ok()
}

/// The format of a file.
fn recognise(input: Input<'_>) -> Result<&'static Frontend, InputError> {
    let extension = input.path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let frontends = || FRONTENDS.iter().copied();
    let named =
        frontends().find(|f| extension.as_deref().is_some_and(|extension| f.extensions.contains(&extension)));
    let recognises = |frontend: &&Frontend| (frontend.sniff)(input.bytes);
    // Where extension and content disagree, the content is right. What no format recognises gets the error message of
    // the format that its extension promises.
    let frontend = named.filter(recognises).or_else(|| frontends().find(recognises)).or(named);
    frontend.ok_or_else(|| unknown_format(input))
}

fn unknown_format(input: Input<'_>) -> InputError {
    let known: Vec<String> = FRONTENDS
        .iter()
        .map(|frontend| {
            let extensions: Vec<String> = frontend.extensions.iter().map(|e| format!(".{e}")).collect();
            format!("{} ({})", frontend.name, extensions.join(", "))
        })
        .collect();
    let found =
        if input.bytes.is_empty() { "an empty file" } else { "neither a known extension nor known content" };
    input.error(0..0, format!("expected {}, found {found}", known.join(" or ")))
}
