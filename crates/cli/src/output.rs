//! Results on standard output, in the format that was asked for.

use crate::exit::ExitCode;
use crate::session::Session;
use propcov::report::Format;
use propcov::report::terminal::Style;
use propcov::report::text::{self, TextOptions};
use propcov::result::{NoteKind, RunResult};

/// Wider than any message.
const ONE_LINE: usize = 100_000;

/// Prints a result in the format that was asked for, and on standard error what belongs there; the exit code follows from it.
pub(crate) fn result(
    result: &RunResult,
    format: &Format,
    stats: bool,
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    result_with(result, format, &TextOptions { stats, ..TextOptions::default() }, quiet, session)
}

/// The same with a choice of what the text is to say.
pub(crate) fn result_with(
    result: &RunResult,
    format: &Format,
    options: &TextOptions,
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    let least = if quiet { NoteKind::Error } else { NoteKind::Note };
    let style = session.terminal.style();
    // Messages are lines, whoever reads them.
    session.complain(&text::notes(result, least, &Style { colour: false, width: ONE_LINE }));
    let printed = session.write(|stdout| (format.write)(result, options, &style, stdout));
    propcov::report::exit_code(result).and(printed)
}
