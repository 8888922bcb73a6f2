//! `propcov`, the command line: the only crate that prints, reads arguments or exits.

mod args;
mod check;
mod config;
mod cores;
mod cover;
mod diagnostics;
mod exit;
mod explain;
mod farm;
mod help;
mod impact;
mod input;
mod jkind;
mod lustre_arguments;
mod man;
mod output;
mod overview;
mod panics;
mod progress;
mod refine;
mod report;
mod session;
mod verify;
mod verilog_arguments;

use args::{Arguments, Command};
use clap::{CommandFactory, FromArgMatches};
use config::Plan;
use exit::ExitCode;
use propcov_budget::Interrupt;
use session::{Session, Terminal};
use std::ffi::OsString;

fn main() -> std::process::ExitCode {
    let mut session = Session {
        interrupt: Interrupt::default(),
        end_now,
        panics: panics::install(),
        terminal: Terminal::detect(),
        memory: None,
        is_catching: false,
        plan: Plan::default(),
        kept: Vec::new(),
        held: Vec::new(),
        typed: Vec::new(),
    };
    let panics = session.panics.clone();
    let code = panics.guard(|| run(&mut session)).unwrap_or_else(|| {
        for message in panics.take() {
            session.complain(&format!("internal error: {message}\n"));
        }
        ExitCode::Internal
    });
    code.into()
}

fn run(session: &mut Session) -> ExitCode {
    let command = Arguments::command().term_width(session.terminal.style().width);
    let typed: Vec<OsString> = config::moved(std::env::args_os().collect());
    session.typed = typed.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let matches = match command.clone().try_get_matches_from(&typed) {
        Ok(matches) => matches,
        Err(error) => return refused(&error, session),
    };
    let plans = match config::plan(&Arguments::command(), &typed, &matches) {
        Ok(plans) => plans,
        Err(complaint) => return input::settle(Err(complaint), session),
    };
    let mut code = ExitCode::Good;
    for plan in plans {
        code = code.and(run_plan(&command, plan, session));
        if session.interrupt.is_cancelled() {
            break;
        }
    }
    overview::write(session);
    code.and(output::united(session))
}

/// Runs one command line.
fn run_plan(command: &clap::Command, plan: Plan, session: &mut Session) -> ExitCode {
    let parsed = command.clone().try_get_matches_from(&plan.arguments);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = refused(&error, session);
            session.complain(&said_by(&plan, "with options"));
            return code;
        }
    };
    if !arguments.command.is_quiet() {
        session.complain(&said_by(&plan, "options"));
    }
    session.plan = plan;
    dispatch(arguments, session)
}

/// What the parser of the command line has to say.
fn refused(error: &clap::Error, _: &Session) -> ExitCode {
    // Help and version are no errors: they go to standard output.
    let code = if error.use_stderr() { ExitCode::BadInput } else { ExitCode::Good };
    if error.print().is_ok() { code } else { ExitCode::BadInput }
}

/// Which file had a say, and what it said.
fn said_by(plan: &Plan, what: &str) -> String {
    let Some(configuration) = &plan.configuration else { return String::new() };
    let design = configuration.design.as_ref().map(|name| format!(", design {name}")).unwrap_or_default();
    let added = configuration.arguments.join(" ");
    let what = if added.is_empty() { "waivers" } else { what };
    let text = format!("note: {what} from {}{design}: {added}", configuration.path);
    format!("{}\n", propcov_ir::printable(text.trim_end_matches([':', ' '])))
}

fn dispatch(arguments: Arguments, session: &mut Session) -> ExitCode {
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments, session),
        Command::Cover(arguments) => cover::run(&arguments, session),
        Command::Cores(arguments) => cores::run(&arguments, session),
        Command::Explain(arguments) => explain::run(&arguments, session),
        Command::Refine(arguments) => refine::run(&arguments, session),
        Command::Report(arguments) => report::run(&arguments, session),
        Command::Verify(arguments) => verify::run(&arguments, session),
        Command::Farm(arguments) => farm::run(&arguments, session),
        Command::Impact(arguments) => impact::run(&arguments, session),
        Command::Jkind(arguments) => jkind::run(&arguments, session),
        Command::Init(arguments) => config::init::run(&arguments, session),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "propcov", &mut script);
            session.print(&String::from_utf8_lossy(&script))
        }
        Command::Man { directory } => man::run(directory.as_deref(), session),
        Command::Help(arguments) => {
            match help::page(arguments.topic.as_deref(), session.terminal.style().width) {
                Some(page) => session.print(&page),
                None => {
                    let known = help::names().join(", ");
                    let topic = arguments.topic.unwrap_or_default();
                    session.complain(&format!("error: there is no help on `{topic}`; there is on {known}\n"));
                    ExitCode::BadInput
                }
            }
        }
    }
}

#[expect(clippy::exit, reason = "the user asked twice; everything else returns to main")]
fn end_now() -> ! {
    std::process::exit(ExitCode::Undecided as i32)
}
