//! Results on standard output, in the format that was asked for.

use crate::exit::ExitCode;
use crate::session::Session;
use propcov::report::overview::{Entry, names};
use propcov::report::terminal::Style;
use propcov::report::text::{self, TextOptions};
use propcov::report::{Format, Material, Rendering, Several};
use propcov::result::{NoteKind, RunResult};
use std::path::{Path, PathBuf};

/// A result that is printed when all designs are done.
pub(crate) struct Held {
    format: &'static Format,
    result: RunResult,
    material: Material,
    options: TextOptions,
}

/// Wider than any message.
const ONE_LINE: usize = 100_000;

/// Prints a result in the format that was asked for, with the material if it shows that, and on standard error what belongs there; the exit code follows from it.
pub(crate) fn result(
    result: &RunResult,
    material: impl FnOnce() -> Material,
    format: &'static Format,
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
    format: &'static Format,
    options: &TextOptions,
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    let least = if quiet { NoteKind::Error } else { NoteKind::Note };
    let style = session.terminal.style();
    notes(result, least, session);
    let rendering = Rendering { result, material, options, style: &style };
    session.remark(quiet, nothing_to_say(result, format).unwrap_or_default());
    let printed = if matches!(format.several, Several::Together(_)) {
        // One document of all designs, at the end.
        let (result, material, options) = (result.clone(), material.clone(), *options);
        session.held.push(Held { format, result, material, options });
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

/// Prints what was held back until all designs are done.
pub(crate) fn united(session: &mut Session) -> ExitCode {
    let (held, style) = (std::mem::take(&mut session.held), session.terminal.style());
    match held.as_slice() {
        [] => ExitCode::Good,
        [Held { format, result, material, options }] => {
            let rendering = Rendering { result, material, options, style: &style };
            session.write(|stdout| (format.write)(&rendering, stdout))
        }
        [first, ..] => {
            let Several::Together(unite) = first.format.several else { return ExitCode::Good };
            let names = names(&held.iter().map(|one| &one.result).collect::<Vec<_>>());
            if first.format.name == "html" {
                let places = held.iter().zip(&names);
                let places = places.map(|(one, name)| (name.as_str(), one.result.run.directory.as_deref()));
                session.complain(&each_page(places));
            }
            let entries = held.iter().zip(&names).map(|(one, name)| Entry {
                name,
                has_page: false,
                result: &one.result,
                material: &one.material,
            });
            session.print(&unite(&entries.collect::<Vec<_>>()))
        }
    }
}

/// A page of several designs is an overview: where each has its own.
fn each_page<'p>(places: impl Iterator<Item = (&'p str, Option<&'p str>)>) -> String {
    let mut text = "note: the page is an overview of all designs; the report of each:\n".to_owned();
    for (name, directory) in places {
        let page = directory.map(|directory| Path::new(directory).join(propcov::PAGE));
        let page = page.filter(|page| page.is_file()).map(|page| page.display().to_string());
        let line = format!("{name}: {}", page.unwrap_or_else(|| "name it alone".to_owned()));
        text.push_str(&format!("  {}\n", propcov_ir::printable(&line)));
    }
    text
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
