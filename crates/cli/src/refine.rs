//! `propcov refine`: does a specification simulate an implementation, and which labels of it does it constrain? [`refine`] is the list of steps.

pub(crate) mod arguments;
mod document;
mod explicit;
mod mutants;
mod passage;
mod picture;
mod reading;
mod recheck;
mod results;
mod symbolic;
mod text;
mod tree;

use crate::args::Format;
use crate::exit::ExitCode;
use crate::input::{self, Complaint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::{AlgorithmChoice, RefineArguments};
use explicit::Unlisted;
use propcov_coverage::refine::Algorithm;
use propcov_engine::Limits;
use propcov_verify::budget;
use reading::Models;
use results::{Results, Times, Verdict};
use std::rc::Rc;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(arguments: &RefineArguments, session: &mut Session) -> ExitCode {
    input::settle(refine(arguments, session), session)
}

fn refine(arguments: &RefineArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    if let Some(path) = &arguments.picture {
        picture::try_writing(path)?;
    }
    let models = reading::read(arguments)?;
    let reading = start.elapsed().as_secs_f64();
    session.catch_interrupts();
    session.remark(arguments.quiet, &models.warnings());
    let mut limits = Limits::default();
    limits.deadline = arguments.timeout.and_then(|timeout| start.checked_add(timeout));
    limits.interrupt = session.interrupt.clone();

    let progress = Progress::new(session.terminal.stderr && !arguments.quiet);
    let mut results = study(models, arguments, &limits, &progress, session)?;
    progress.finish();
    results.times.reading += reading;
    results.times.total = start.elapsed().as_secs_f64();
    let mut code = results.exit_code();
    if let Some(path) = &arguments.picture {
        code = code.and(picture::write(path, &results, session));
    }
    if arguments.format == Format::Json {
        // The text has them.
        let notes = results.notes.iter().chain(&results.unfinished);
        notes.for_each(|note| session.remark(arguments.quiet, &format!("note: {note}\n")));
    }
    code = code.and(output::print(
        arguments.format,
        session,
        |palette| results.text(arguments.stats, palette),
        || results.document(),
    ));
    for error in &results.internal_errors {
        session.complain(&format!("internal error: {error}\n"));
    }
    Ok(code)
}

/// Finds out what there is to find out, state by state if that is possible.
fn study(
    models: Models,
    arguments: &RefineArguments,
    limits: &Limits,
    progress: &Progress,
    session: &mut Session,
) -> Result<Results, Complaint> {
    let clock = Instant::now();
    if arguments.algorithm() == Some(AlgorithmChoice::Symbolic) {
        return symbolic::study(models, None, arguments, limits, progress);
    }
    let algorithm = arguments.algorithm().and_then(AlgorithmChoice::enumerative).unwrap_or(Algorithm::Divide);
    progress.stage("listing states".to_owned());
    let listing = match explicit::list(&models, arguments, &budget(limits)) {
        Ok(listing) => listing,
        Err(Unlisted::Complaint(complaint)) => return Err(complaint),
        Err(Unlisted::TooMany(why)) if arguments.algorithm().is_none() && !budget(limits).is_exhausted() => {
            let note =
                format!("note: {why}, so sets of states are computed instead (--algorithm symbolic)\n");
            progress.suspend(|| session.remark(arguments.quiet, &note));
            return symbolic::study(models, Some(why), arguments, limits, progress);
        }
        Err(Unlisted::TooMany(why)) => {
            let mut results = Results::new(models, algorithm.name(), arguments);
            results.verdict = Verdict::Unknown(format!("states could not be listed: {why}"));
            return Ok(results);
        }
    };
    let reading = clock.elapsed().as_secs_f64();
    let mut results = Results::new(models, algorithm.name(), arguments);
    results.implementation = explicit::size(listing.pair.implementation());
    results.specification = explicit::size(listing.pair.specification());
    let found = explicit::study(&listing, algorithm, arguments, limits, progress);
    results.times = Times {
        reading,
        simulation: found.simulation_seconds,
        coverage: found.coverage_seconds,
        criteria: found.criteria_seconds,
        total: 0.0,
    };
    results.verdict = found.verdict;
    results.rows = found.rows;
    results.work = found.work;
    results.internal_errors = found.internal_errors;
    results.unfinished = found.unfinished;
    results.explicit = Some(Box::new(found.explicit));
    Ok(results)
}

impl Results {
    /// Nothing is known yet.
    fn new(models: impl Into<Rc<Models>>, algorithm: &'static str, arguments: &RefineArguments) -> Results {
        Results {
            models: models.into(),
            implementation: results::Size::default(),
            specification: results::Size::default(),
            algorithm,
            verdict: Verdict::Unknown("nothing was tried".to_owned()),
            rows: Vec::new(),
            unsimulated: None,
            explicit: None,
            notes: Vec::new(),
            threshold: arguments.threshold,
            seed: arguments.seed,
            times: Times::default(),
            work: results::Work::default(),
            figures: Vec::new(),
            internal_errors: Vec::new(),
            unfinished: Vec::new(),
        }
    }
}
