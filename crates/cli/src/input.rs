//! From the command line to a design, and what to say when that is not possible.

use crate::diagnostics;
use crate::exit::ExitCode;
use crate::session::Session;
use propcov_ir::printable;
use std::path::Path;

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
