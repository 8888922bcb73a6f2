//! `propcov`, the command line: the only crate that prints, reads arguments or exits.

mod args;
mod check;
mod cores;
mod cover;
mod diagnostics;
mod exit;
mod explain;
mod help;
mod input;
mod output;
mod panics;
mod progress;
mod refine;
mod report;
mod session;
mod verify;
mod verilog_arguments;

use args::{Arguments, Command};
use clap::{CommandFactory, FromArgMatches};
use exit::ExitCode;
use propcov_budget::Interrupt;
use session::{Session, Terminal};

fn main() -> std::process::ExitCode {
    let mut session = Session {
        interrupt: Interrupt::default(),
        end_now,
        panics: panics::install(),
        terminal: Terminal::detect(),
        memory: None,
        is_catching: false,
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
    let parsed = command.try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors: they go to standard output.
            let code = if error.use_stderr() { ExitCode::BadInput } else { ExitCode::Good };
            return if error.print().is_ok() { code } else { ExitCode::BadInput };
        }
    };
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments, session),
        Command::Cover(arguments) => cover::run(&arguments, session),
        Command::Cores(arguments) => cores::run(&arguments, session),
        Command::Explain(arguments) => explain::run(&arguments, session),
        Command::Refine(arguments) => refine::run(&arguments, session),
        Command::Report(arguments) => report::run(&arguments, session),
        Command::Verify(arguments) => verify::run(&arguments, session),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "propcov", &mut script);
            session.print(&String::from_utf8_lossy(&script))
        }
        Command::Man => {
            let mut page = Vec::new();
            match clap_mangen::Man::new(Arguments::command()).render(&mut page) {
                Ok(()) => session.print(&String::from_utf8_lossy(&page)),
                Err(_) => ExitCode::Internal,
            }
        }
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
