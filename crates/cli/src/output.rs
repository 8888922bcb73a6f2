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
    session.write(|stdout| {
        // As it is written, because a document may be larger than what it is made from.
        serde_json::to_writer_pretty(&mut *stdout, document)?;
        stdout.write_all(b"\n")
    })
}
