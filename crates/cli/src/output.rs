//! Results on standard output, in the format that was asked for.

use crate::exit::ExitCode;
use crate::session::Session;
use propcov::report::terminal::Style;
use propcov::report::text::{self, TextOptions};
use propcov::report::{Format, Material, Rendering};
use propcov::result::{NoteKind, RunResult};
use std::path::{Path, PathBuf};

/// Wider than any message.
const ONE_LINE: usize = 100_000;

/// Prints a result in the format that was asked for, with the material if it shows that, and on standard error what belongs there; the exit code follows from it.
pub(crate) fn result(
    result: &RunResult,
    material: impl FnOnce() -> Material,
    format: &Format,
    stats: bool,
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    let material = if format.with_material { material() } else { Material::default() };
    let options = TextOptions { stats, ..TextOptions::default() };
    result_with(result, &material, format, &options, quiet, session)
}

/// The same with a choice of what the text is to say.
pub(crate) fn result_with(
    result: &RunResult,
    material: &Material,
    format: &Format,
    options: &TextOptions,
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    let least = if quiet { NoteKind::Error } else { NoteKind::Note };
    let style = session.terminal.style();
    notes(result, least, session);
    let rendering = Rendering { result, material, options, style: &style };
    session.remark(quiet, nothing_to_say(result, format).unwrap_or_default());
    let printed = if format.name == UNITED {
        // One document of all designs, at the end.
        session.united.push(result.clone());
        ExitCode::Good
    } else {
        session.write(|stdout| (format.write)(&rendering, stdout))
    };
    session.kept.extend(result.run.directory.as_ref().map(PathBuf::from));
    // For people who look at it now; logs and pipes have no use for it.
    let page = result.run.directory.as_ref().map(|directory| Path::new(directory).join(propcov::PAGE));
    if let Some(page) = page.filter(|page| session.terminal.stderr && !quiet && page.is_file()) {
        session.complain(&format!("Report: {}\n", propcov_ir::printable(&page.display().to_string())));
    }
    propcov::report::exit_code(result).and(printed)
}

/// The format that is one document, however many designs there are.
const UNITED: &str = "junit";

/// Prints what was kept back until all designs are done.
pub(crate) fn united(session: &mut Session) -> ExitCode {
    let results = std::mem::take(&mut session.united);
    if results.is_empty() {
        return ExitCode::Good;
    }
    session.print(&propcov::report::junit::united(&results.iter().collect::<Vec<_>>()))
}

/// Why a format has nothing to say about a result, if it has not.
pub(crate) fn nothing_to_say(result: &RunResult, format: &Format) -> Option<&'static str> {
    let is_empty = format.name == "lcov" && propcov::report::lcov::lcov(result).is_empty();
    is_empty.then_some(
        "warning: lcov has coverage by line, and this run measured none; it is for `propcov cover` with metrics of elements such as mutation, must or may\n",
    )
}

/// Prints on standard error what the user should know, if it is as serious as that.
pub(crate) fn notes(result: &RunResult, least: NoteKind, session: &mut Session) {
    // Messages are lines, whoever reads them.
    session.complain(&text::notes(result, least, &Style { colour: false, width: ONE_LINE }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lcov_of_a_run_without_lines_says_what_it_is_for_and_other_formats_do_not() {
        let result = RunResult::new("check", 0);
        let said = |name: &str| nothing_to_say(&result, propcov::report::format(name).expect("a format"));
        assert!(said("lcov").is_some_and(|text| text.contains("propcov cover")));
        assert_eq!(said("text"), None);
        assert_eq!(said("junit"), None);
    }
}
