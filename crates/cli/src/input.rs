//! From the command line to a design: reading the file, and finding what was named.

use crate::diagnostics;
use crate::exit::ExitCode;
use crate::session::Session;
use propcov_frontend::{Design, Extra, Options, Sources, near_matches};
use propcov_ir::{ExprId, PropertyId, System, printable};
use propcov_verify::{Answer, Outcome};
use std::path::Path;
use std::sync::Arc;

/// What the user is told when nothing can be done.
#[derive(Debug)]
pub(crate) struct Complaint(pub(crate) String);

impl From<propcov::Error> for Complaint {
    fn from(error: propcov::Error) -> Complaint {
        match error {
            propcov::Error::Input(error) => Complaint(diagnostics::input_error(&error)),
            propcov::Error::Hinted { error, hint } => {
                let Complaint(message) = Complaint::from(*error);
                Complaint(format!("{message}  {}\n", printable(&hint)))
            }
            other => Complaint(format!("error: {other}\n")),
        }
    }
}

/// Reads a design for the library. From here on Ctrl-C does not end the process, but the search.
pub(crate) fn design(
    file: &Path,
    options: &propcov::ReadOptions,
    session: &mut Session,
) -> Result<propcov::Design, Complaint> {
    let design = propcov::read_as(&[file], options)?;
    session.catch_interrupts();
    Ok(design)
}

/// The exit code of a command; a complaint is told.
pub(crate) fn settle(result: Result<ExitCode, Complaint>, session: &mut Session) -> ExitCode {
    result.unwrap_or_else(|Complaint(message)| {
        session.complain(&message);
        ExitCode::BadInput
    })
}

/// A design as it was read.
pub(crate) struct Input {
    /// What the file is called in messages.
    pub(crate) path: String,
    /// The file itself.
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) design: Design,
    /// CTL properties `AG p` that were made the invariant p, to be mutated.
    pub(crate) strengthened: Vec<PropertyId>,
}

impl Input {
    /// What came of p, as an answer to `AG p`: a run that violates p does not refute that, unless every run can go on.
    pub(crate) fn honest(&self, outcome: Outcome) -> Outcome {
        let is_stronger =
            self.strengthened.contains(&outcome.property) && !self.design.system.is_unconstrained();
        match outcome.answer.trace().cloned() {
            Some(run) if is_stronger => {
                Outcome { answer: Answer::unfair_violation(Some(run)), certified: false, ..outcome }
            }
            _ => outcome,
        }
    }
}

/// Reads a design. From here on Ctrl-C does not end the process, but the search.
pub(crate) fn read(file: &Path, session: &mut Session) -> Result<Input, Complaint> {
    Ok(read_with(file, &[], session)?.0)
}

/// Reads a design, and expressions about it that are given on the command line.
pub(crate) fn read_with(
    file: &Path,
    extras: &[Extra],
    session: &mut Session,
) -> Result<(Input, Vec<ExprId>), Complaint> {
    read_as(file, extras, &Options::default(), session)
}

/// The same with a choice of how definitions are taken apart.
pub(crate) fn read_as(
    file: &Path,
    extras: &[Extra],
    options: &Options,
    session: &mut Session,
) -> Result<(Input, Vec<ExprId>), Complaint> {
    let path = display_name(file);
    let bytes: Arc<[u8]> = read_bytes(file, &path)?.into();
    session.catch_interrupts();
    let sources = Sources::one(path.as_str(), bytes.clone());
    let (design, values) = propcov_frontend::read_as(&sources, extras, options)
        .map_err(|error| Complaint(diagnostics::input_error(&error)))?;
    design.system.validate().map_err(|error| Complaint(format!("error: {path}: {error}\n")))?;
    Ok((Input { path, bytes, design, strengthened: Vec::new() }, values))
}

/// What a file is called in messages.
pub(crate) fn display_name(file: &Path) -> String {
    if file == Path::new("-") { "<stdin>".to_owned() } else { file.display().to_string() }
}

/// A file, or standard input.
pub(crate) fn read_bytes(file: &Path, name: &str) -> Result<Vec<u8>, Complaint> {
    let bytes = propcov::read::file_bytes(file);
    bytes.map_err(|error| Complaint(format!("error: cannot read {}: {error}\n", printable(name))))
}

/// What the front end had to say about the design.
pub(crate) fn warnings(design: &Design) -> String {
    design.warnings.iter().map(|warning| diagnostics::warning(&design.system, warning)).collect()
}

/// The properties that were asked for, in the order of the design.
pub(crate) fn select_properties(system: &System, names: &[String]) -> Result<Vec<PropertyId>, Complaint> {
    let all: Vec<&str> = system.properties().iter().map(|property| property.name.as_str()).collect();
    for name in names {
        if system.property_named(name).is_none() {
            let hint = hint(name, &all, "properties");
            return Err(Complaint(format!("error: no property is called `{name}`; {hint}\n")));
        }
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let ids = (0u32..).map(PropertyId).zip(all);
    Ok(ids.filter(|(_, name)| wanted(name)).map(|(id, _)| id).collect())
}

/// What the user may have meant, or else what there is.
pub(crate) fn hint(given: &str, all: &[&str], what: &str) -> String {
    let near = near_matches(given, all.iter().copied());
    // Names of states have commas.
    let separator = if all.iter().any(|name| name.contains(',')) { "; " } else { ", " };
    match (near.is_empty(), all.len()) {
        (false, _) => format!("did you mean {}?", near.join(separator)),
        (true, 0) => format!("there are no {what}"),
        (true, count @ ..=10) => {
            format!("there {} {}", if count == 1 { "is" } else { "are" }, all.join(separator))
        }
        (true, count) => format!("there are {} and {} more", all[..10].join(separator), count - 10),
    }
}
