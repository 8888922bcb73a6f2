//! `propcov cores`: which elements of a design do its proven properties rest on? [`run`] is the list of steps.

pub(crate) mod arguments;
mod document;
pub(crate) mod files;
pub(crate) mod listen;
pub(crate) mod prepare;
pub(crate) mod reading;
pub(crate) mod study;
mod text;
pub(crate) mod trace;
mod violation;
pub(crate) mod words;

use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::{CoresArguments, CoresFormat};
use files::MatrixFormat;
use listen::Listener;
use prepare::{Wanted, prepare};
use propcov_coverage::cores::Options;
use propcov_engine::Limits;
use std::time::Instant;
use study::{Study, inspect, study, verifier};

/// Runs the command.
pub(crate) fn run(arguments: &CoresArguments, session: &mut Session) -> ExitCode {
    input::settle(cores(arguments, session), session)
}

fn cores(arguments: &CoresArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let goal = arguments.wanted()?;
    if let Some(path) = &arguments.matrix {
        MatrixFormat::of(path)?;
        files::try_matrix(path).map_err(|error| Complaint(format!("error: {error}\n")))?;
    }
    let wanted = Wanted {
        file: &arguments.file,
        properties: &arguments.properties,
        elements: arguments.elements,
        scope: &arguments.scope,
        quiet: arguments.quiet,
    };
    let subject = prepare(&wanted, session)?;
    let mut limits = Limits::default();
    limits.deadline = arguments.timeout.and_then(|timeout| start.checked_add(timeout));
    limits.interrupt = session.interrupt.clone();
    let options = Options {
        goal,
        algorithm: arguments.algorithm,
        depth: arguments.depth,
        threads: arguments.thread_count(),
        together: subject.properties.len() > 1,
        check_time: arguments.scope.check_timeout,
    };

    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let verifier = verifier(&subject, arguments.seed, limits, &progress, session);
    let verdicts = inspect(&subject, &verifier);
    let is_text = arguments.format == CoresFormat::Text;
    let mut code = ExitCode::Good;
    if is_text {
        let palette = session.terminal.palette();
        let opening = Study::opening(&subject, &options);
        let heading = format!("{}{}{opening}\n", verdicts.heading(), verdicts.gate_text(palette));
        code = progress.suspend(|| session.print(&heading));
    }
    // Where nothing can be printed any more, the search goes on: the matrix may have its own file.
    let prints = is_text && code == ExitCode::Good;
    let listener = Listener::new(subject.system(), &progress, prints, goal);
    let mut study = study(&subject, options, &verifier, verdicts, &listener);
    study.heard = listener.finish();
    progress.finish();
    study.verdicts.seconds = start.elapsed().as_secs_f64();
    Ok(code.and(report(study, code == ExitCode::Good, arguments, session)))
}

/// Prints what was found if that is possible, and writes the matrix.
fn report(mut study: Study<'_>, prints: bool, arguments: &CoresArguments, session: &mut Session) -> ExitCode {
    let mut matrix = study.traceability();
    if arguments.format == CoresFormat::JkindXml {
        study.add_invariants(&mut matrix);
    }
    let mut code = study.exit_code();
    if let Some(error) = &study.heard.failure {
        session.complain(&format!("error: cannot write to standard output: {error}\n"));
        code = code.and(ExitCode::BadInput);
    } else if prints {
        code = code.and(match arguments.format {
            CoresFormat::Text => {
                let text = study.text(&matrix, arguments.stats, session.terminal.palette());
                session.print(&text)
            }
            CoresFormat::Json => output::print_document(session, &study.document("cores")),
            CoresFormat::Csv => session.print(&propcov_report::csv::matrix(&matrix)),
            CoresFormat::JkindXml => session.print(&study.jkind_xml(&matrix)),
        });
    }
    if let Some(path) = &arguments.matrix
        && let Err(error) = files::write_matrix(path, &matrix)
    {
        session.complain(&format!("error: {error}\n"));
        code = code.and(ExitCode::BadInput);
    }
    session.complain(&study.internal_error_text());
    code
}
