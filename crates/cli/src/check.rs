//! `propcov check`: from a file to certified verdicts. [`run`] is the list of steps.

use crate::args::{CheckArguments, EngineChoice, Format};
use crate::certificate::Directory;
use crate::diagnostics;
use crate::exit::ExitCode;
use crate::names::near_matches;
use crate::panics::PanicLog;
use crate::progress::Progress;
use crate::prove::{Outcome, Prover, until};
use crate::report::{Findings, Inspection};
use crate::schedule::{self, Attempt};
use crate::session::Session;
use propcov_engine::gate::{self, Assumptions, Gate};
use propcov_engine::{Config, Limits, Stats};
use propcov_frontend::Design;
use propcov_ir::{Edits, PropertyId, System, UnknownReason};
use std::io::Read;
use std::path::Path;
use std::time::Instant;

/// The share of the time that the sanity gate may take.
const GATE_SHARE: u32 = 4;

/// What the user is told when nothing can be checked.
struct Complaint(String);

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments, session: &mut Session) -> ExitCode {
    match check(arguments, session) {
        Ok(code) => code,
        Err(Complaint(message)) => {
            session.complain(&message);
            ExitCode::BadInput
        }
    }
}

fn check(arguments: &CheckArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let path = display_name(&arguments.file);
    let bytes = read_bytes(&arguments.file, &path)?;
    session.catch_interrupts();
    let design =
        propcov_frontend::read(&path, &bytes).map_err(|error| Complaint(diagnostics::input_error(&error)))?;
    design.system.validate().map_err(|error| Complaint(format!("error: {path}: {error}\n")))?;
    let properties = select(&design.system, &arguments.properties)?;
    session.remark(arguments.quiet, &remarks(arguments, &design));
    let mut code = ExitCode::Good;
    let directory = arguments.certificate.as_deref().and_then(|path| match Directory::create(path) {
        Ok(directory) => Some(directory),
        Err(error) => {
            session.complain(&format!("error: {error}\n"));
            code = ExitCode::BadInput;
            None
        }
    });

    let limits = limits(arguments, start, session);
    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    progress.stage("sanity gate".to_owned());
    let inspection = inspect(&design.system, &properties, &gate_limits(&limits), &session.panics);
    let prover = Prover {
        system: &design.system,
        engine: arguments.engine,
        config: Config { seed: arguments.seed, simple_path: arguments.simple_path },
        limits,
        with_core: arguments.core,
        observer: &progress,
        panics: &session.panics,
    };
    let outcomes = decide_all(&prover, &properties, &progress);
    progress.finish();

    let written = directory.map(|directory| directory.write_all(&design, &outcomes)).unwrap_or_default();
    let findings = Findings {
        path: &path,
        design: &design,
        seed: arguments.seed,
        inspection,
        outcomes,
        seconds: start.elapsed().as_secs_f64(),
        with_core: arguments.core,
        files: written.files,
    };
    code = code.and(findings.exit_code()).and(print(arguments, &findings, session));
    for note in &written.notes {
        session.remark(arguments.quiet, &format!("note: {note}\n"));
    }
    for error in &written.errors {
        session.complain(&format!("error: {error}\n"));
        code = code.and(ExitCode::BadInput);
    }
    for error in &findings.inspection.internal_errors {
        session.complain(&format!("internal error: sanity gate: {error}\n"));
    }
    for outcome in &findings.outcomes {
        let name = &design.system.property(outcome.property).name;
        for error in &outcome.internal_errors {
            session.complain(&format!("internal error: {name}: {error}\n"));
        }
    }
    Ok(code)
}

fn display_name(file: &Path) -> String {
    if file == Path::new("-") { "<stdin>".to_owned() } else { file.display().to_string() }
}

fn read_bytes(file: &Path, name: &str) -> Result<Vec<u8>, Complaint> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    bytes.map_err(|error| Complaint(format!("error: cannot read {name}: {error}\n")))
}

/// The properties that were asked for, in the order of the design.
fn select(system: &System, names: &[String]) -> Result<Vec<PropertyId>, Complaint> {
    let all = || system.properties().iter().map(|property| property.name.as_str());
    for name in names {
        if !all().any(|known| known == name) {
            let near = near_matches(name, all());
            let hint = match (near.is_empty(), all().count()) {
                (false, _) => format!("did you mean {}?", near.join(", ")),
                (true, 0) => "there are no properties".to_owned(),
                (true, count @ ..=10) => format!(
                    "there {} {}",
                    if count == 1 { "is" } else { "are" },
                    all().collect::<Vec<_>>().join(", ")
                ),
                (true, count) => {
                    let first: Vec<&str> = all().take(10).collect();
                    format!("there are {} and {} more", first.join(", "), count - first.len())
                }
            };
            return Err(Complaint(format!("error: no property is called `{name}`; {hint}\n")));
        }
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let ids = (0u32..).map(PropertyId).zip(all());
    Ok(ids.filter(|(_, name)| wanted(name)).map(|(id, _)| id).collect())
}

/// What the user should know before a possibly long run.
fn remarks(arguments: &CheckArguments, design: &Design) -> String {
    let mut text: String =
        design.warnings.iter().map(|warning| diagnostics::warning(&design.system, warning)).collect();
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

/// The gate may take only a part of the time.
fn gate_limits(limits: &Limits) -> Limits {
    let now = Instant::now();
    until(limits, limits.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / GATE_SHARE))
}

fn inspect(system: &System, properties: &[PropertyId], limits: &Limits, panics: &PanicLog) -> Inspection {
    let mut stats = Stats::default();
    let found = panics.guard(|| gate::inspect(system, &Edits::none(), properties, limits, &mut stats));
    let gate = found.unwrap_or_else(|| Gate {
        assumptions: Assumptions::Unknown(UnknownReason::Incomplete("internal error".to_owned())),
        constant: Vec::new(),
        obligations: properties.len(),
    });
    Inspection { gate, stats, internal_errors: panics.take() }
}

fn decide_all(prover: &Prover<'_>, properties: &[PropertyId], progress: &Progress) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = properties.iter().map(|_| None).collect();
    schedule::share(properties.len(), prover.limits.deadline, |job, deadline| {
        let name = &prover.system.property(properties[job]).name;
        progress.stage(format!("{}/{} {name}:", job + 1, properties.len()));
        let mut outcome = prover.decide(properties[job], deadline);
        if let Some(earlier) = &outcomes[job] {
            outcome.add_attempt(earlier);
        }
        let attempt = if outcome.is_timeout() { Attempt::OutOfTime } else { Attempt::Final };
        outcomes[job] = Some(outcome);
        attempt
    });
    outcomes.into_iter().flatten().collect()
}

fn print(arguments: &CheckArguments, findings: &Findings<'_>, session: &mut Session) -> ExitCode {
    match arguments.format {
        Format::Text => session.print(&findings.text(arguments.stats, session.terminal.palette())),
        Format::Json => match serde_json::to_string_pretty(&findings.document()) {
            Ok(text) => session.print(&format!("{text}\n")),
            Err(error) => {
                session.complain(&format!("internal error: {error}\n"));
                ExitCode::Internal
            }
        },
    }
}
