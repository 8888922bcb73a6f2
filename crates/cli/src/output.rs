//! Results on standard output, in the format that was asked for.

use crate::args::Format;
use crate::document::Document;
use crate::exit::ExitCode;
use crate::session::Session;
use crate::table::Palette;

/// Prints the text or the document, whichever is wanted; only that one is made.
pub(crate) fn print(
    format: Format,
    session: &mut Session,
    text: impl FnOnce(Palette) -> String,
    document: impl FnOnce() -> Document,
) -> ExitCode {
    match format {
        Format::Text => session.print(&text(session.terminal.palette())),
        Format::Json => print_document(session, &document()),
    }
}

/// Prints the document.
pub(crate) fn print_document(session: &mut Session, document: &Document) -> ExitCode {
    match serde_json::to_string_pretty(document) {
        Ok(text) => session.print(&format!("{text}\n")),
        Err(error) => {
            session.complain(&format!("internal error: {error}\n"));
            ExitCode::Internal
        }
    }
}
