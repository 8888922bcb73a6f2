//! Results on standard output, in the format that was asked for.

use crate::args::Format;
use crate::document::Document;
use crate::exit::ExitCode;
use crate::session::Session;
use crate::table::Palette;
use propcov::report::terminal::Style;
use propcov::report::text::{self, TextOptions};
use propcov::result::{NoteKind, RunResult};

/// Wider than any message.
const ONE_LINE: usize = 100_000;

/// Prints a result in the format that was asked for, and on standard error what belongs there; the exit code follows from it.
pub(crate) fn result(
    result: &RunResult,
    format: Format,
    stats: bool,
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    let options = TextOptions { stats, ..TextOptions::default() };
    result_with(result, format, &options, quiet, session)
}

/// The same with a choice of what the text is to say.
pub(crate) fn result_with(
    result: &RunResult,
    format: Format,
    options: &TextOptions,
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    let least = if quiet { NoteKind::Error } else { NoteKind::Note };
    let style = session.terminal.style();
    // Messages are lines, whoever reads them.
    session.complain(&text::notes(result, least, &Style { colour: false, width: ONE_LINE }));
    let printed = match format {
        Format::Text => session.print(&text::text(result, options, &style)),
        Format::Json => session.write(|stdout| propcov::report::write_json(result, stdout)),
    };
    for error in &result.run.internal_errors {
        session.complain(&format!("internal error: {error}\n"));
    }
    propcov::report::exit_code(result).and(printed)
}

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
