//! Lustre, as JKind reads it.
//!
//! A file is read in steps: words (`lexer`) and syntax (`parse`); static checks (`check`); then the main node, with all calls inlined, is lowered to
//! a system (`lower`). The meaning is that of JKind 4.
//!
//! # References
//! A. Gacek, J. Backes, M. Whalen, L. Wagner, E. Ghassabani. *The JKind Model Checker.* CAV 2018.

mod check;
mod elaborate;
mod guess;
mod lexer;
mod lower;
mod options;
mod parse;
mod report;
mod syntax;

use crate::{
    Design, Extra, Frontend, Granularity, InputError, Operators, Sources, design::Source, extra, text::Input,
};
use elaborate::Wanted;
pub use options::LustreOptions;
use propcov_budget::Budget;
use propcov_ir::ExprId;
pub use syntax::Dialect;
use syntax::Program;

/// The format's row.
pub static FRONTEND: Frontend = Frontend {
    name: "lustre",
    title: "Lustre",
    extensions: &["lus", "lustre"],
    sniff,
    several_files: false,
    parse: parse_equations,
    operators: Operators::By(parse_operators),
    exporter: None,
    witness: None,
    certificate: None,
    annotated: Some(annotated),
    runs: propcov_ir::Runs::Variables,
    comment: Some("--"),
};

/// What a Lustre file says beyond the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LustreFacts {
    /// The main node.
    pub main: String,
    /// What `--%IVC` names, as variables of the inlined main node; nothing if there is no such line.
    pub ivc: Option<Vec<String>>,
    /// Whose Lustre it is.
    pub dialect: Dialect,
}

/// Whether the first thing in the file, after comments, is a declaration: `node`, `function`, `type` or `const`, and a name.
pub fn sniff(bytes: &[u8]) -> bool {
    lexer::begins_with_declaration(bytes)
}

/// What the file says beyond the system, if the design is one of this format.
pub fn facts_of(design: &Design) -> Option<&LustreFacts> {
    match &design.source {
        Source::Lustre(facts) => Some(facts),
        _ => None,
    }
}

fn annotated(design: &Design) -> Option<&[String]> {
    facts_of(design)?.ivc.as_deref()
}

/// Reads a Lustre file, and variables of the inlined main node that are named outside of it.
///
/// The main node is the one with `--%MAIN`, else the last one. Wires have the names that JKind gives to the variables of the
/// inlined main node, such as `node~0.x`.
fn parse_equations(
    sources: &Sources,
    extras: &[Extra],
    budget: &Budget,
) -> Result<(Design, Vec<ExprId>), InputError> {
    read(sources, extras, budget, Granularity::Equation)
}

/// Reads a Lustre file with each operator, each constant and each use of a variable in an equation as an element of its
/// own. Nothing changes in what the model means, as long as no element is edited.
///
/// The outermost operator of an equation defines the equation's variable, and there is no other element for the equation:
/// that is a [whole](propcov_ir::Whole). So in `x = a and not b` there are four elements, all of them parts of `x`:
/// `x@3:9 and`, `x@3:7 a`, `x@3:13 not` and `x@3:17 b`. A name has the variable (of a call with the name of the instance,
/// `count~0.n`), the line and column of the operator, and the word that is there; records and arrays have an element for
/// each scalar. The span of an element is that word alone: the `if` of an `if`, all of a name or number. So no two spans
/// overlap, and a line has the operators that are on it.
///
/// These are no elements:
///
/// - The factor in `3 * x`, the divisor in `x div 2` and so on, when they are constant: solvers multiply and divide by
///   numbers only, so number and operator are one.
/// - Parts of constant expressions: `2 * N + 1` is one constant. So is the index in `a[N]`, as that is the name of a variable
///   once arrays are flattened.
/// - What only puts values together or takes them apart: `(a, b)`, `[a, b]`, records, fields, updates of a field. Nothing is
///   computed there.
/// - What is in assertions and in properties that are no variable: an assertion is one assumption.
/// - Equations that only the translation of `condact` writes, such as `f~condact~0.~init`: they stay one element of kind
///   [`Equation`](propcov_ir::ElementKind::Equation). In a node with a clock, `pre x` is one use of a variable.
pub fn parse_operators(
    sources: &Sources,
    extras: &[Extra],
    budget: &Budget,
) -> Result<(Design, Vec<ExprId>), InputError> {
    read(sources, extras, budget, Granularity::Operator)
}

fn read(
    sources: &Sources,
    extras: &[Extra],
    budget: &Budget,
    granularity: Granularity,
) -> Result<(Design, Vec<ExprId>), InputError> {
    let input = Input::of(&sources.main).within(budget);
    let (program, mut warnings) = understand(input)?;
    let lower::Lowered { mut system, facts } =
        lower::lower(&sources.main, input, &program, granularity, &mut warnings)?;
    let values = extra::named(&mut system, extras)?;
    Ok((Design { system, frontend: &FRONTEND, source: Source::Lustre(facts), warnings }, values))
}

/// The checked program, and what the user should know about it.
///
/// Which dialect it is, if the user did not say: what JKind reads has JKind's meaning. What it does not read is read as another dialect if something is written there that only that one has.
fn understand(input: Input<'_>) -> Result<(Program, Vec<crate::Diagnostic>), InputError> {
    let options = options::of(input)?;
    let wanted = Wanted { main: options.main.as_deref(), compositional: options.compositional };
    if let Some(dialect) = options.dialect {
        return read_as(input, wanted, dialect);
    }
    let error = match read_as(input, wanted, Dialect::JKind) {
        Ok(found) => return Ok(found),
        Err(error) if error.stop.is_some() => return Err(error),
        Err(error) => error,
    };
    let Some((dialect, at)) = guess::guess(input.bytes) else {
        return Err(with_hint(input, wanted, error, &[Dialect::JKind]));
    };
    let (program, mut warnings) = read_as(input, wanted, dialect)
        .map_err(|error| with_hint(input, wanted, error, &[Dialect::JKind, dialect]))?;
    let word = String::from_utf8_lossy(&input.bytes[at.clone()]).into_owned();
    let message = format!("read as {} reads it, because of `{word}`", dialect.title());
    let span = Some(report::Report::new(input).span(&at));
    warnings.insert(0, crate::Diagnostic { message, span });
    Ok((program, warnings))
}

/// Says which dialect reads a file, besides those that do not.
fn with_hint(input: Input<'_>, wanted: Wanted<'_>, mut error: InputError, not: &[Dialect]) -> InputError {
    let reads = |dialect: &Dialect| !not.contains(dialect) && read_as(input, wanted, *dialect).is_ok();
    if error.stop.is_none()
        && let Some(dialect) = Dialect::ALL.into_iter().find(reads)
    {
        error.message += &format!("; {} reads this file: --dialect {}", dialect.title(), dialect.name());
    }
    error
}

fn read_as(
    input: Input<'_>,
    wanted: Wanted<'_>,
    dialect: Dialect,
) -> Result<(Program, Vec<crate::Diagnostic>), InputError> {
    let mut program = parse::parse(input, dialect)?;
    if dialect.is_extended() {
        program = elaborate::elaborate(input, program, wanted)?;
    } else if let Some(main) = wanted.main {
        choose(input, &mut program, main)?;
    }
    let warnings = check::check(input, &program)?;
    Ok((program, warnings))
}

/// Makes a node the main one.
fn choose(input: Input<'_>, program: &mut Program, main: &str) -> Result<(), InputError> {
    if program.nodes.iter().all(|node| node.name.text != main) {
        let near = extra::did_you_mean(main, program.nodes.iter().map(|node| node.name.text.as_str()));
        return Err(input.error(0..0, format!("there is no node `{main}`{near}")));
    }
    for node in &mut program.nodes {
        node.main = (node.name.text == main).then(|| node.name.at.clone());
    }
    Ok(())
}

/// Reads a file of a dialect and checks it without lowering it.
pub fn check_as(path: &str, bytes: &[u8], dialect: Dialect) -> Result<Vec<crate::Diagnostic>, InputError> {
    read_as(Input::new(path, bytes), Wanted::default(), dialect).map(|(_, warnings)| warnings)
}

/// Reads a file and checks it without lowering it: how many nodes it has, and what there is to know about it.
pub fn check(path: &str, bytes: &[u8]) -> Result<(usize, Vec<crate::Diagnostic>), InputError> {
    let (program, warnings) = understand(Input::new(path, bytes))?;
    Ok((program.nodes.len(), warnings))
}
