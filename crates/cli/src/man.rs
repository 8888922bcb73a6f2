//! Manual pages, made of the command line itself: one for propcov and one for each command.

use crate::args::Arguments;
use crate::exit::ExitCode;
use crate::session::Session;
use clap::CommandFactory;
use propcov::files::WriteError;
use std::path::Path;

/// Prints the page of propcov, or writes all pages into a directory.
pub(crate) fn run(directory: Option<&Path>, session: &mut Session) -> ExitCode {
    let Some(directory) = directory else {
        let mut page = Vec::new();
        return match clap_mangen::Man::new(Arguments::command()).render(&mut page) {
            Ok(()) => session.print(&String::from_utf8_lossy(&page)),
            Err(_) => ExitCode::Internal,
        };
    };
    let written = std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), directory));
    match written {
        Ok(()) => ExitCode::Good,
        Err(error) => {
            session.complain(&format!("error: {}\n", WriteError { path: directory.to_owned(), error }));
            ExitCode::BadInput
        }
    }
}
