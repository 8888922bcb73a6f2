//! `propcov check`: from a file to certified verdicts. [`run`] is the list of steps.

use crate::advice::AdviceFile;
use crate::args::CheckArguments;
use propcov::files::Directory;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::report::Verdicts;
use crate::session::Session;
use propcov_engine::{Config, Limits};
use propcov_frontend::Design;
use propcov_verify::{EngineChoice, Options, Verifier};
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments, session: &mut Session) -> ExitCode {
    input::settle(check(arguments, session), session)
}

fn check(arguments: &CheckArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let input = input::read(&arguments.file, session)?;
    let design = &input.design;
    let properties = input::select_properties(&design.system, &arguments.properties)?;
    session.remark(arguments.quiet, &remarks(arguments, design));
    let mut code = ExitCode::Good;
    let directory = arguments.certificate.as_deref().and_then(|path| match Directory::create(path) {
        Ok(directory) => Some(directory),
        Err(error) => {
            session.complain(&format!("error: {error}\n"));
            code = ExitCode::BadInput;
            None
        }
    });

    let advice = match &arguments.advice {
        Some(path) => Some(AdviceFile::open(path, &design.system)?),
        None => None,
    };
    let limits = limits(arguments, start, session);
    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let options = Options {
        engine: arguments.engine,
        config: Config { seed: arguments.seed, simple_path: arguments.simple_path },
        with_core: arguments.core,
        smooth: arguments.smooth,
        with_counts: arguments.stats,
    };
    let mut verifier =
        Verifier::new(&design.system, options, limits, &progress).with_panics(session.panics.clone());
    let inspection = verifier.inspect(&properties);
    let known = advice.as_ref().map(|advice| advice.known(&verifier, &properties)).unwrap_or_default();
    if let Some(advice) = &advice {
        verifier = verifier.with_lemmas(advice.lemmas()).with_known(&known);
    }
    let decided = verifier.decide(&properties, &mut |_| ());
    progress.finish();

    let advised = advice.map(|advice| advice.update(&input.path, &design.system, &decided));
    let written =
        directory.map(|directory| directory.write_all(design, &decided.outcomes)).unwrap_or_default();
    let verdicts = Verdicts {
        path: &input.path,
        design,
        inspection,
        outcomes: decided.outcomes,
        symbolic: decided.symbolic,
        seconds: start.elapsed().as_secs_f64(),
        with_core: arguments.core,
        files: written.files,
        advised,
    };
    code = code.and(verdicts.exit_code()).and(output::print(
        arguments.format,
        session,
        |palette| verdicts.text(arguments.stats, palette),
        || verdicts.document("check", arguments.seed),
    ));
    for note in &written.notes {
        session.remark(arguments.quiet, &format!("note: {note}\n"));
    }
    for error in &written.errors {
        session.complain(&format!("error: {error}\n"));
        code = code.and(ExitCode::BadInput);
    }
    if let Some(advised) = &verdicts.advised {
        session.remark(arguments.quiet, &advised.notes());
        if let Some(error) = &advised.error {
            session.complain(&format!("error: {error}\n"));
            code = code.and(ExitCode::BadInput);
        }
    }
    session.complain(&verdicts.internal_errors());
    Ok(code)
}

/// What the user should know before a possibly long run.
fn remarks(arguments: &CheckArguments, design: &Design) -> String {
    let mut text = input::warnings(design);
    let limited = arguments.bound.is_some() || arguments.timeout.is_some() || arguments.conflicts.is_some();
    if let EngineChoice::One(engine) = arguments.engine
        && !engine.proves
        && !limited
    {
        let name = engine.name;
        text.push_str(&format!(
            "note: {name} never proves: without --bound or --timeout it may run forever\n"
        ));
    }
    if arguments.advice.is_some() && !matches!(arguments.engine, EngineChoice::Portfolio) {
        text.push_str(
            "note: advice is only taken by the portfolio; lemmas will be stored, but none is used\n",
        );
    }
    text
}

fn limits(arguments: &CheckArguments, start: Instant, session: &Session) -> Limits {
    let mut limits = Limits::default();
    limits.deadline = arguments.timeout.and_then(|timeout| start.checked_add(timeout));
    limits.conflicts = arguments.conflicts;
    limits.depth = arguments.bound;
    limits.interrupt = session.interrupt.clone();
    limits
}
