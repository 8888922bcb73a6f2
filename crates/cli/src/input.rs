//! From the command line to a design, and what to say when that is not possible.

use crate::diagnostics;
use crate::exit::ExitCode;
use crate::session::Session;
use propcov_ir::printable;
use std::path::{Path, PathBuf};

/// What the user is told when nothing can be done.
#[derive(Debug)]
pub(crate) struct Complaint {
    pub(crate) text: String,
    pub(crate) code: ExitCode,
}

impl Complaint {
    /// About what the user has given.
    pub(crate) fn new(text: String) -> Complaint {
        Complaint { text, code: ExitCode::BadInput }
    }
}

impl From<propcov::Error> for Complaint {
    fn from(error: propcov::Error) -> Complaint {
        match error {
            propcov::Error::Input(error) => Complaint::new(diagnostics::input_error(&error)),
            propcov::Error::Hinted { error, hint } => {
                let Complaint { text, code } = Complaint::from(*error);
                Complaint { text: format!("{text}  {}\n", printable(&hint)), code }
            }
            stopped @ propcov::Error::Stopped { .. } => {
                Complaint { text: format!("error: {stopped}\n"), code: ExitCode::Undecided }
            }
            other => Complaint::new(format!("error: {other}\n")),
        }
    }
}

/// Reads a design for the library. From here on Ctrl-C does not end the process, but the search.
pub(crate) fn design(
    files: &[PathBuf],
    options: &propcov::ReadOptions,
    session: &mut Session,
) -> Result<propcov::Design, Complaint> {
    let name = propcov::read::display_name(files.first().map_or(Path::new(""), PathBuf::as_path));
    let design = session.reading(&name, &options.budget, || propcov::read_as(files, options))?;
    session.catch_interrupts();
    Ok(design)
}

/// The exit code of a command; a complaint is told.
pub(crate) fn settle(result: Result<ExitCode, Complaint>, session: &mut Session) -> ExitCode {
    result.unwrap_or_else(|Complaint { text, code }| {
        session.complain(&text);
        code
    })
}
