//! `propcov check`: proves or refutes properties. The library does all of it; here are the options.

use crate::args::CheckArguments;
use crate::exit::ExitCode;
use crate::input::{self, Complaint, Input};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use propcov::{CheckOptions, EngineChoice, Mode, Outcome, ReadOptions, Task};
use propcov_ir::printable;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments, session: &mut Session) -> ExitCode {
    run_as(arguments, &|_| {}, session)
}

/// The same with options that users do not have.
pub(crate) fn run_as(
    arguments: &CheckArguments,
    adjust: &dyn Fn(&mut CheckOptions),
    session: &mut Session,
) -> ExitCode {
    let run = |input: Input<'_>, session: &mut Session| {
        let done = check(arguments, adjust, input, session);
        match input.task {
            Some(task) if !task.expected.is_empty() => compared(arguments, task, done, session),
            _ => done,
        }
    };
    input::run_tasks(
        &arguments.files,
        &arguments.verilog,
        &[Mode::Bounded, Mode::Prove, Mode::Cover, Mode::Live],
        session,
        run,
    )
}

fn check(
    arguments: &CheckArguments,
    adjust: &dyn Fn(&mut CheckOptions),
    input: Input<'_>,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let budget = session.limit(start, arguments.timeout, arguments.memory);
    let read = ReadOptions {
        budget,
        verilog: arguments.verilog.options_within(arguments.memory),
        lustre: arguments.lustre.options(),
        ..ReadOptions::default()
    };
    let design = input::design(input, &read, session)?;
    session.remark(arguments.progress.quiet, &remarks(arguments));
    let progress = Progress::new(arguments.progress, session.terminal.stderr, start, arguments.timeout);
    let mut options = options(arguments, input.task)?;
    options.keep = input.keep(options.keep);
    adjust(&mut options);
    let checked = design.check_with(&options, &session.control(&progress, start));
    progress.finish();
    let checked = checked?;
    Ok(output::result(
        &checked.result,
        || design.material(),
        arguments.format,
        arguments.stats,
        arguments.progress.quiet,
        session,
    ))
}

/// The exit code where a project says what should come of a task.
fn compared(
    arguments: &CheckArguments,
    task: &Task,
    done: Result<ExitCode, Complaint>,
    session: &mut Session,
) -> Result<ExitCode, Complaint> {
    let code = match &done {
        Ok(code) => *code,
        Err(complaint) => complaint.code,
    };
    // Whether time ran out or something else did is not told apart where both can be.
    let outcomes: &[Outcome] = match code {
        ExitCode::Good => &[Outcome::Pass],
        ExitCode::Failed => &[Outcome::Fail],
        ExitCode::Undecided if arguments.timeout.is_some() => &[Outcome::Timeout, Outcome::Unknown],
        ExitCode::Undecided => &[Outcome::Unknown],
        ExitCode::BadInput => &[Outcome::Error],
        ExitCode::BelowThreshold | ExitCode::Internal => return done,
    };
    let words: Vec<&str> = task.expected.iter().map(|outcome| outcome.word()).collect();
    let expected = words.join(",");
    let found = outcomes.iter().find(|outcome| task.expected.contains(outcome));
    let name = task.name.as_ref().map_or(String::new(), |name| format!("task {}: ", printable(name)));
    if let Some(found) = found {
        if let Err(complaint) = &done {
            session.complain(&complaint.text);
        }
        let word = found.word();
        session.remark(
            arguments.progress.quiet,
            &format!("note: {name}{word}, as the project expects (expect {expected}): exit code 0\n"),
        );
        return Ok(ExitCode::Good);
    }
    let word = outcomes.first().map_or("", |outcome| outcome.word());
    session.complain(&format!("note: {name}{word}, but the project expects {expected}\n"));
    match done {
        Ok(ExitCode::Good) => Ok(ExitCode::Failed),
        other => other,
    }
}

/// What a task says about steps counts unless the user says something else.
pub(crate) fn options(
    arguments: &CheckArguments,
    task: Option<&Task>,
) -> Result<CheckOptions, propcov::Error> {
    let bound = task.and_then(Task::bound);
    let depth = task.filter(|task| task.mode == Mode::Prove).and_then(|task| task.depth);
    let is_given = arguments.bound.is_some() || arguments.depth.is_some();
    Ok(CheckOptions {
        properties: arguments.properties.clone(),
        engine: arguments.engine,
        bound: arguments.bound.or(bound.filter(|_| !is_given)),
        depth: arguments.depth.or(depth.filter(|depth| !is_given && *depth > 0)),
        timeout: arguments.timeout,
        effort: arguments.effort,
        conflicts: arguments.conflicts,
        simple_path: arguments.simple_path,
        seed: arguments.seed,
        core: arguments.core,
        smooth: arguments.smooth,
        intervals: arguments.intervals,
        inductive: arguments.inductive,
        count_states: arguments.stats,
        advice: arguments.advice.clone(),
        certificate: arguments.certificate.clone(),
        keep: arguments.share.keep()?,
        share: arguments.share.share()?,
        brief: false,
        preview: None,
        settled: false,
    })
}

/// What the user should know before a possibly long run.
fn remarks(arguments: &CheckArguments) -> String {
    let mut text = String::new();
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
