//! From the command line to a design, and what to say when that is not possible.

use crate::config::no_design;
use crate::diagnostics;
use crate::exit::ExitCode;
use crate::session::Session;
use crate::verilog_arguments::VerilogArguments;
use propcov::{Keep, Mode, Task};
use propcov_ir::printable;
use std::path::{Path, PathBuf};

/// What the user is told when nothing can be done.
#[derive(Debug)]
pub(crate) struct Complaint {
    pub(crate) text: String,
    pub(crate) code: ExitCode,
}

impl Complaint {
    /// About what the user has given.
    pub(crate) fn new(text: String) -> Complaint {
        Complaint { text, code: ExitCode::BadInput }
    }
}

impl From<propcov::Error> for Complaint {
    fn from(error: propcov::Error) -> Complaint {
        match error {
            propcov::Error::Input(error) => Complaint::new(diagnostics::input_error(&error)),
            propcov::Error::Hinted { error, hint } => {
                let Complaint { text, code } = Complaint::from(*error);
                Complaint { text: format!("{text}  {}\n", printable(&hint)), code }
            }
            stopped @ propcov::Error::Stopped { .. } => {
                Complaint { text: format!("error: {stopped}\n"), code: ExitCode::Undecided }
            }
            other => Complaint::new(format!("error: {other}\n")),
        }
    }
}

/// What one run is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    files: &'a [PathBuf],
    /// The task of a project.
    pub(crate) task: Option<&'a Task>,
}

impl<'a> From<&'a [PathBuf]> for Input<'a> {
    fn from(files: &'a [PathBuf]) -> Input<'a> {
        Input { files, task: None }
    }
}

impl Input<'_> {
    /// Where the run keeps what it finds: each task of a project has a directory of its own.
    pub(crate) fn keep(&self, keep: Keep) -> Keep {
        match self.task.and_then(|task| task.name.as_ref()) {
            Some(name) => Keep {
                directory: keep.directory.map(|directory| directory.join(name)),
                others: keep.others.iter().map(|directory| directory.join(name)).collect(),
                ..keep
            },
            None => keep,
        }
    }
}

/// Does something about a design, or about each task of a project; the exit code is the worst. What is wrong with one task of several is told, and the others go on. Tasks
/// with other modes are left out, unless they are named.
pub(crate) fn run_tasks(
    files: &[PathBuf],
    verilog: &VerilogArguments,
    modes: &[Mode],
    session: &mut Session,
    run: impl FnMut(Input<'_>, &mut Session) -> Result<ExitCode, Complaint>,
) -> ExitCode {
    let done = each_task(files, verilog, modes, session, run);
    settle(done, session)
}

fn each_task(
    files: &[PathBuf],
    verilog: &VerilogArguments,
    modes: &[Mode],
    session: &mut Session,
    mut run: impl FnMut(Input<'_>, &mut Session) -> Result<ExitCode, Complaint>,
) -> Result<ExitCode, Complaint> {
    if files.is_empty() {
        return Err(no_design());
    }
    if !propcov::is_project(files) {
        return run(files.into(), session);
    }
    let tasks = propcov::tasks(files, &verilog.options())?;
    let is_named = files.len() > 1;
    let mut code = ExitCode::Good;
    for task in &tasks {
        if tasks.len() > 1 && !is_named && !modes.contains(&task.mode) {
            let name = printable(task.name.as_deref().unwrap_or_default()).to_string();
            session.complain(&format!("note: task {name} has nothing to measure: it asks for covers\n"));
            continue;
        }
        let done = run(Input { files, task: Some(task) }, session);
        code = code.and(match done {
            Err(complaint) if tasks.len() == 1 => return Err(complaint),
            Err(Complaint { text, code }) => {
                let name = printable(task.name.as_deref().unwrap_or_default()).to_string();
                session.complain(&format!("task {name}: {text}"));
                code
            }
            Ok(code) => code,
        });
        if session.interrupt.is_cancelled() {
            break;
        }
    }
    Ok(code)
}

/// Reads a design for the library. From here on Ctrl-C does not end the process, but the search.
pub(crate) fn design(
    input: Input<'_>,
    options: &propcov::ReadOptions,
    session: &mut Session,
) -> Result<propcov::Design, Complaint> {
    let name = propcov::read::display_name(input.files.first().map_or(Path::new(""), PathBuf::as_path));
    let read = || match input.task {
        Some(task) => task.read(options),
        None => propcov::read_as(input.files, options),
    };
    let design = session.reading(&name, &options.budget, read)?;
    session.catch_interrupts();
    Ok(design)
}

/// The exit code of a command; a complaint is told.
pub(crate) fn settle(result: Result<ExitCode, Complaint>, session: &mut Session) -> ExitCode {
    result.unwrap_or_else(|Complaint { text, code }| {
        session.complain(&text);
        code
    })
}
